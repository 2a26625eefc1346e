#!/usr/bin/env python3
"""Runs the wrong kernels of tests/foreign through `twiddle check` and counts what it says of them: their line first, their line
later, another line, no line; and whether the repair that it names is one.

    TWIDDLE=build/release/twiddle tests/foreign/measure.py opencl cuda [--step 5] [--from 0] [--only TEXT] [--repair thorough] [--list]
    TWIDDLE=build/release/twiddle tests/foreign/measure.py --jobs 16 --until 420 --right    the whole set, and the right ones, at once

--step 5 takes every fifth; --third a or b takes two thirds, on which the search is worked, and c one that nobody looks at
meanwhile. A repair is right where the program with it, and nothing else, is checked without an error at its own
size and at each other size of the plan. The whole with --repair takes an hour or so."""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent


def source_name(plan_text):
    return re.search(r'source\s*=\s*"([^"]+)"', plan_text).group(1)


def nth_replaced(text, find, new, occurrence):
    at = -1
    for _ in range(occurrence):
        at = text.find(find, at + 1)
        if at < 0:
            raise ValueError("not found: " + find)
    return text[:at] + new + text[at + len(find):]


def edited_lines(right, wrong):
    """The lines of the wrong text that are not as in the right one; where whole lines are missing, those beside the gap that say
    something, for what is missing has no line of its own."""
    is_now, was = wrong.split("\n"), right.split("\n")
    same = 0
    while same < min(len(is_now), len(was)) and is_now[same] == was[same]:
        same += 1
    behind = 0
    while behind < min(len(is_now), len(was)) - same and is_now[-1 - behind] == was[-1 - behind]:
        behind += 1
    changed = set(range(same + 1, len(is_now) - behind + 1))
    says = [number for number, line in enumerate(is_now, 1) if re.search(r"\w", line)]
    if changed & set(says) or not any(re.search(r"\w", line) for line in was[same:len(was) - behind]):
        return changed
    before, after = [n for n in says if n <= same], [n for n in says if n > len(is_now) - behind]
    # And the brackets between these.
    beside = before[-1:] + after[:1]
    return changed | set(range(min(beside), max(beside) + 1))


def check(twiddle, plan, runtime, flags, seconds):
    command = [twiddle, "check", str(plan), "--json", "--runtime", runtime, *flags]
    begun = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, "timed out", time.monotonic() - begun
    took = time.monotonic() - begun
    try:
        return json.loads(done.stdout), done.stderr.decode(errors="replace"), took
    except ValueError:
        return None, done.stderr.decode(errors="replace"), took


def errors_of(report):
    return [f for f in report["findings"] if f["severity"] == "error"]


def fix_is_right(twiddle, folder, fix, plan, runtime, sizes):
    """Applies `fix`, which replaces a line or several, and checks."""
    file = folder / Path(fix["file"]).name
    data = file.read_bytes().decode(errors="surrogateescape")
    lines = data.split("\n")
    at = fix["line"] - 1
    end = at + fix["is"].count("\n") + 1
    if at >= len(lines) or "\n".join(one.rstrip() for one in lines[at:end]).lstrip() != fix["is"]:
        return False
    indent = lines[at][:len(lines[at]) - len(lines[at].lstrip())]
    lines[at:end] = [indent + fix["should"]]
    file.write_bytes("\n".join(lines).encode(errors="surrogateescape"))
    try:
        for flags in [[]] + [["--n", size] for size in sizes[:3]]:
            report, _, _ = check(twiddle, plan, runtime, flags, 60)
            if report is None or errors_of(report):
                return False
        return True
    finally:
        file.write_bytes(data.encode(errors="surrogateescape"))


def run_one(twiddle, language, wrong, repair, seconds):
    runtime = "opencl" if language == "opencl" else "host"
    source = HERE / language
    plan_text = (source / (wrong["of"] + ".toml")).read_bytes().decode()
    kernel = source_name(plan_text)
    where = wrong["of"] + ".toml" if wrong.get("in") == "plan" else wrong.get("file", kernel)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in source.iterdir():
            if file.suffix in (".csv", ".h", ".cuh", ".pgm", ".png") or file.name in (kernel, wrong["of"] + ".toml"):
                shutil.copy(file, folder)
        for other in re.findall(r'source\s*=\s*"([^"]+)"', plan_text):
            shutil.copy(source / other, folder)
        edited = folder / where
        text = edited.read_bytes().decode()
        edited.write_bytes(nth_replaced(text, wrong["find"], wrong["replace"], wrong.get("occurrence", 1)).encode())
        plan = folder / (wrong["of"] + ".toml")
        report, log, took = check(twiddle, plan, runtime, FLAGS[repair], seconds)
        result = {"id": wrong["id"], "of": wrong["of"], "seconds": took, "silent": wrong.get("silent", False), "fix": ""}
        if report is None:
            result["verdict"] = "refused"
            result["said"] = log.strip()[-200:]
            return result
        errors = errors_of(report)
        lines = {wrong["line"], wrong.get("edit_line", wrong["line"])} | edited_lines(text, edited.read_bytes().decode())

        def hits(finding):
            """Its line, or that of the fix which it names: of a missing barrier the place where it belongs."""
            named = [finding, finding.get("fix", {})]
            return any(Path(one.get("file", "")).name == where and one.get("line") in lines for one in named)

        if not errors:
            result["verdict"] = "survived" if result["silent"] else "missed"
            result["said"] = "; ".join(f"{f['class']} {f.get('line')}" for f in report["findings"][:3])
        else:
            first = errors[0]
            result["verdict"] = ("line first" if hits(first) else "line later" if any(map(hits, errors)) else
                                 "other line" if first.get("line") else "no line")
            result["said"] = f"{first['class']} {Path(first.get('file', '')).name}:{first.get('line')} {first['message'][:150]}"
            result["errors"] = errors
            fixes = [f["fix"] for f in errors if "fix" in f]
            if fixes:
                sizes = re.search(r"#\s*sizes:\s*([\d ]+)", plan_text)
                right = fix_is_right(twiddle, folder, fixes[0], plan, runtime, sizes.group(1).split() if sizes else [])
                exact = Path(fixes[0]["file"]).name == where and wrong["should"].strip() in fixes[0]["should"]
                result["fix"] = "exact" if exact else "right" if right else "wrong"
                result["said"] = f"fix {fixes[0]['line']}: {fixes[0]['is']} -> {fixes[0]['should']}"
        result["lines"] = sorted(lines)
        result["where"] = where
        result["wanted"] = f"{where}:{sorted(lines)} {wrong['replace'].strip()} -> {wrong['find'].strip()}"
        result["log"] = log.strip()[-300:]
        return result


def families():
    """Which family each kernel is of: the headings of README.md over its tables."""
    found, family = {}, ""
    for line in (HERE / "README.md").read_text().split("\n"):
        if line.startswith("## "):
            family = line[3:].strip()
        elif row := re.match(r"\| `(\w+)`", line):
            found[row.group(1)] = family
    return found


FAMILIES = {"FFT": "fft|pfa|stockham|pease|bluestein|four_step|good_thomas|dft|mixed_radix", "Transforms": "dct|haar|ntt|walsh",
            "Convolution": "conv|fir", "Scan": "scan|cumulative", "Reductions": "sum|seg|max|count|softmax", "Sort": "sort",
            "Data movement": "transpose|compact", "Histogram": "hist", "Linear algebra": "mat|spmv|pcr|poly", "Stencil": "stencil"}


def family_of(name, known):
    """The family of the kernel `name`: `known`'s, else, for CUDA kernels, by its name."""
    return known.get(name) or next((family for family, words in FAMILIES.items() if re.search(words, name)), "Others")


def check_right(twiddle, language, plan):
    """What is said of a right kernel: its errors, none hoped for."""
    report, log, took = check(twiddle, plan, "opencl" if language == "opencl" else "host", FLAGS["no"], 120)
    said = [f"{f['class']} {f.get('line')} {f['message'][:150]}" for f in errors_of(report)] if report else []
    return {"id": plan.stem, "of": plan.stem, "right": True, "seconds": took, "verdict": "refused" if report is None else
            "false error" if said else "no error", "said": "; ".join(said) if report else log.strip()[-200:], "fix": ""}


def tables(results):
    """A table of the rates, a row a family."""
    rows = collections.defaultdict(list)
    for one in results:
        if not one.get("right") and one["verdict"] != "survived":
            rows[one["family"]].append(one)
    rows["all"] = [one for many in list(rows.values()) for one in many]
    print("| family | wrong | line first | among the lines | elsewhere | no error | refused | right fix | its text |\n" + "|---" * 9 + "|")
    for family, many in rows.items():
        verdicts = collections.Counter(one["verdict"] for one in many)
        fixes = collections.Counter(one["fix"] for one in many)
        print(f"| {family} | {len(many)} | {verdicts['line first']} | {verdicts['line later']} | "
              f"{verdicts['other line'] + verdicts['no line']} | {verdicts['missed']} | {verdicts['refused']} | "
              f"{fixes['right'] + fixes['exact']} | {fixes['exact']} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("languages", nargs="*", default=["opencl", "cuda"])
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--third", default="abc", help="letters of the thirds: every third from the first, second, third on")
    parser.add_argument("--only", default="")
    parser.add_argument("--repair", choices=list(FLAGS), default="default")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--list", action="store_true", help="a line each")
    parser.add_argument("--save", help="the lines as JSON, too")
    parser.add_argument("--jobs", type=int, default=1, help="how many at once")
    parser.add_argument("--until", type=float, default=1e9, help="seconds after which none is begun; the order is then drawn by lot")
    parser.add_argument("--right", action="store_true", help="the right kernels, too")
    options = parser.parse_args()
    twiddle = os.environ.get("TWIDDLE", "twiddle")
    everything, todo = [], []
    for language in options.languages:
        wrongs = tomllib.loads((HERE / language / "wrong.toml").read_text())["wrong"]
        wrongs = [wrong for number, wrong in enumerate(wrongs) if "abc"[number % 3] in options.third]
        todo += [(language, wrong) for wrong in wrongs[options.first::options.step] if re.search(options.only, wrong["id"])]
        if options.right:
            todo += [(language, plan) for plan in sorted((HERE / language).glob("*.toml")) if plan.stem != "wrong" and
                     re.search(options.only, plan.stem)]
    if options.until < 1e9:
        random.Random(1).shuffle(todo)
    begun, family = time.monotonic(), families()

    def one(what):
        language, wrong = what
        if time.monotonic() - begun > options.until:
            return None
        try:
            result = (check_right(twiddle, language, wrong) if isinstance(wrong, Path) else
                      run_one(twiddle, language, wrong, options.repair, options.seconds))
        except (OSError, ValueError, KeyError) as problem:  # a broken entry ends no long run
            result = {"id": str(wrong), "of": "", "seconds": 0, "verdict": "refused", "said": repr(problem), "fix": ""}
        return dict(result, language=language, family=family_of(result["of"], family))

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(one, todo):
            if not result:
                continue
            everything.append(result)
            if options.list:
                print(f"{result['verdict']:10} {result['fix']:5} {result['seconds']:5.1f}s {result['id']}\n"
                      f"     want {result.get('wanted', '')}\n     said {result['said']}\n     {result.get('log', '')}", flush=True)
            if options.save and len(everything) % 20 == 0:
                Path(options.save).write_text(json.dumps(everything, indent=1, ensure_ascii=False))
    for language in options.languages:
        results = [r for r in everything if r["language"] == language and not r.get("right")]
        counts = collections.Counter(r["verdict"] for r in results)
        fixes = collections.Counter(r["fix"] for r in results if r["fix"])
        print(f"{language}: {len(results)} wrong kernels; " + ", ".join(f"{k} {v}" for k, v in counts.most_common()))
        print("  repairs: " + ", ".join(f"{k} {v}" for k, v in fixes.most_common()))
        if results:
            times = sorted(r["seconds"] for r in results)
            print(f"  seconds: median {statistics.median(times):.1f}, nine of ten {times[int(0.9 * (len(times) - 1))]:.1f}, most {times[-1]:.1f}")
            tables(results)
        if rights := [r for r in everything if r["language"] == language and r.get("right")]:
            print(f"  right kernels: {len(rights)}; " + ", ".join(f"{k} {v}" for k, v in collections.Counter(r["verdict"] for r in rights).items()))
            for r in rights:
                if r["verdict"] != "no error":
                    print(f"    {r['id']}: {r['said']}")
    print(f"not begun: {len(todo) - len(everything)} of {len(todo)}")
    if options.save:
        Path(options.save).write_text(json.dumps(everything, indent=1, ensure_ascii=False))
    return 0


FLAGS = {"no": ["--no-repair"], "default": [], "thorough": ["--repair"]}
if __name__ == "__main__":
    sys.exit(main())
