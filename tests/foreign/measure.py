#!/usr/bin/env python3
"""Runs the wrong kernels of tests/foreign through `twiddle check` and counts what it says of them: their line first, their line
later, another line, no line; and whether the repair that it names is one.

    TWIDDLE=build/release/twiddle tests/foreign/measure.py opencl cuda [--step 5] [--from 0] [--only TEXT] [--repair thorough] [--list]

--step 5 takes every fifth; --third a or b takes two thirds, on which the search is worked, and c one that nobody looks at
meanwhile. A repair is right where the program with it, and nothing else, is checked without an error at its own
size and at each other size of the plan. The whole with --repair takes an hour or so."""
import argparse
import collections
import json
import os
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
    """The lines of the wrong text that are not as in the right one; where some are missing, none."""
    is_now, was = wrong.split("\n"), right.split("\n")
    same = 0
    while same < min(len(is_now), len(was)) and is_now[same] == was[same]:
        same += 1
    behind = 0
    while behind < min(len(is_now), len(was)) - same and is_now[-1 - behind] == was[-1 - behind]:
        behind += 1
    return set(range(same + 1, len(is_now) - behind + 1))


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
            return Path(finding.get("file", "")).name == where and finding.get("line") in lines

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
    options = parser.parse_args()
    twiddle = os.environ.get("TWIDDLE", "twiddle")
    everything = []
    for language in options.languages:
        wrongs = tomllib.loads((HERE / language / "wrong.toml").read_text())["wrong"]
        results = []
        wrongs = [wrong for number, wrong in enumerate(wrongs) if "abc"[number % 3] in options.third]
        for wrong in wrongs[options.first::options.step]:
            if options.only and not re.search(options.only, wrong["id"]):
                continue
            result = run_one(twiddle, language, wrong, options.repair, options.seconds)
            results.append(result)
            if options.list:
                print(f"{result['verdict']:10} {result['fix']:5} {result['seconds']:5.1f}s {result['id']}\n"
                      f"     want {result.get('wanted', '')}\n     said {result['said']}\n     {result.get('log', '')}", flush=True)
        counts = collections.Counter(r["verdict"] for r in results)
        fixes = collections.Counter(r["fix"] for r in results if r["fix"])
        print(f"{language}: {len(results)} wrong kernels; " + ", ".join(f"{k} {v}" for k, v in counts.most_common()))
        print(f"  repairs: " + ", ".join(f"{k} {v}" for k, v in fixes.most_common()))
        if results:
            times = sorted(r["seconds"] for r in results)
            print(f"  seconds: median {statistics.median(times):.1f}, nine of ten {times[int(0.9 * (len(times) - 1))]:.1f}, most {times[-1]:.1f}")
        everything += [dict(r, language=language) for r in results]
    if options.save:
        Path(options.save).write_text(json.dumps(everything, indent=1, ensure_ascii=False))
    return 0


FLAGS = {"no": ["--no-repair"], "default": [], "thorough": ["--repair"]}
if __name__ == "__main__":
    sys.exit(main())
