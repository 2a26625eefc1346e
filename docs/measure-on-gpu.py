#!/usr/bin/env python3
"""Every algorithm on a GPU, unattended: the figures of docs/measurements.md.

    docs/measure-on-gpu.py FOLDER [--program build/gpu/twiddle] [--runtimes cuda,opencl] [--budget 1000] [--parts PART,…]

Verifies the catalogue untraced and traced at 2^10, 2^20 and 2^24 elements, checks the gallery, compares traces of the host, of
OpenCL and of CUDA operation by operation, runs the benches, and runs every CUDA kernel of the catalogue, with each choice of each
parameter and at several sizes, under memcheck, racecheck and synccheck of compute-sanitizer. What the budget of seconds leaves
no time for is listed as not run. FOLDER gets report.md (also printed) and results.jsonl (a line a run). The exit code is 0 when
everything ran and was good.

The program of the gpu preset needs nothing but libc: carry it and this source tree to the machine. Python 3.8 is enough.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Both sides round each operation in their own order and may fuse: this many units in the last place over some ten stages.
ULPS = 256
IN_PLACE = ("presence", "kind", "epoch", "place")  # aspects of `diff` that rounding cannot touch


def options_of(algorithm, size, runtime):
    """The runs of an algorithm at 2^size elements, or near it where its sizes end before: lists of options."""
    n = 1 << size
    side = str(1 << size // 2)
    if algorithm == "dft":  # N² terms
        return [["--n", str(min(n, 32768))]] if size < 24 else []
    if algorithm == "fft-radix2-single":
        if size > 10:
            runs = [["--n", str(n), "--method", "launches"]]
            # A launch whose items wait for all others has to fit on the GPU at once.
            return runs + ([["--n", "16384", "--method", "cooperative"]] if size == 20 and runtime == "cuda" else [])
        return [["--n", str(n)], ["--n", str(n), "--type", "float"]]
    if algorithm == "fft-radix2-local":
        runs = [["--n", "1024", "--rows", str(n // 1024)]]
        return runs + ([["--n", "1024", "--rows", "1024", "--rows-per-group", "2"]] if size == 20 else [])
    if algorithm == "fft2d":
        if size > 20:  # a line has to fit into a group's local memory
            return []
        shape = ["--rows", "64", "--cols", "16"] if size == 10 else ["--rows", side, "--cols", side]
        runs = [shape + ["--method", "rows-columns"]]
        for method in ("transpose", "fused"):
            runs += [shape + ["--method", method, "--transform", kind] for kind in ("stockham2", "stockham4", "radix4")]
        return runs
    if algorithm == "fft2d-real":
        return [["--rows", side, "--cols", side]] if size <= 20 else []
    runs = [["--n", str(n)]]
    if size == 20:  # both precisions, each way to get a twiddle, and the sizes at the edge
        if algorithm == "fft-radix2":
            runs += [runs[0] + more for more in (["--twiddles", "native"], ["--twiddles", "table"], ["--type", "double"])]
        elif algorithm.startswith("fft-"):
            runs.append(runs[0] + ["--type", "double"])
            if algorithm != "fft-real":
                runs.append(runs[0] + ["--inverse"])
        elif algorithm.startswith("reduce-"):
            runs += [runs[0] + ["--type", "float"], ["--n", "0"], ["--n", "1"]]
        elif algorithm.startswith("histogram-"):
            runs += [["--n", "0"], ["--n", "1"]]
    return runs


# What compute-sanitizer looks for, and where it is when it is not on the path.
SANITIZERS = ("memcheck", "racecheck", "synccheck")
SANITIZER_FOUND = 86  # its exit code for errors in a kernel; Twiddle's own are below 5
PARTS = ("verify", "gallery", "compare", "bench", "sanitizers")


def choices_of(entry):
    """Small runs of an algorithm, as `list --json` describes it: several sizes, and each choice of each parameter once."""
    choices = {p["name"]: p["values"].split(" | ") for p in entry["parameters"] if " | " in p["values"]}
    flags = [p["name"] for p in entry["parameters"] if p["values"] == ""]
    if entry["dimensions"] == 2:
        sizes = [["--rows", "16", "--cols", "64"], ["--rows", "64", "--cols", "64"], ["--rows", "256", "--cols", "16"]]
    else:
        sizes = [["--n", str(n)] for n in ((60, 1000, 16384) if entry["id"] in ("fft-mixed", "fft-bluestein") else (64, 1024, 16384))]
    base = sizes[1]
    runs = list(sizes)
    runs += [base + ["--" + name, choice] for name, values in choices.items() for choice in values[1:]]
    runs += [base + ["--" + name] for name in flags]
    if "method" in choices:  # of a method, what else depends on it
        runs += [base + ["--method", method, "--type", "double"] for method in choices["method"] if "type" in choices]
        runs += [base + ["--method", method, "--transform", kind] for method in choices["method"]
                 for kind in choices.get("transform", [])]
    return runs


class Outcome:
    def __init__(self, code, out, error, seconds):
        self.code, self.out, self.error, self.seconds = code, out, error, seconds

    @property
    def ran(self):
        return self.code is not None

    def json(self):
        try:
            return json.loads(self.out)
        except ValueError:
            return None

    def trouble(self):
        if not self.ran:
            return "not run: " + self.error
        lines = self.error.strip().splitlines() or ["exit code %d" % self.code]
        return lines[-1][:300].replace("|", "\\|")


class Measurement:
    def __init__(self, arguments):
        self.program = str(pathlib.Path(arguments.program).resolve())
        self.folder = pathlib.Path(arguments.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.runtimes = arguments.runtimes.split(",")
        self.sizes = [int(size) for size in arguments.sizes.split(",")]
        self.only = arguments.only.split(",") if arguments.only else None
        self.workers = arguments.workers
        self.deadline = time.monotonic() + arguments.budget
        self.environment = dict(os.environ, TWIDDLE_DATA=str(ROOT))
        self.results = open(self.folder / "results.jsonl", "w", encoding="utf-8")
        self.report = open(self.folder / "report.md", "w", encoding="utf-8")
        self.host = False  # whether the host executor is there: it needs a C++ compiler
        self.good, self.bad, self.not_run = 0, [], []

    def say(self, text=""):
        print(text, flush=True)
        print(text, file=self.report, flush=True)

    def run(self, *words, limit=60.0, under=()):
        """Runs the program, at most `limit` seconds and not past the budget; under another one where that is named."""
        left = self.deadline - time.monotonic()
        if left < 1:
            return Outcome(None, "", "out of time", 0)
        started = time.monotonic()
        try:
            done = subprocess.run([*under, self.program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  env=self.environment, cwd=ROOT, timeout=min(limit, left), check=False)
        except subprocess.TimeoutExpired:
            return Outcome(None, "", "stopped after %.0f s" % (time.monotonic() - started), time.monotonic() - started)
        return Outcome(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"),
                       time.monotonic() - started)

    def all_of(self, action, items, most=64):
        """Several at once, at most `most`: nothing here is timed."""
        with concurrent.futures.ThreadPoolExecutor(min(self.workers, most)) as pool:
            return list(pool.map(action, items))

    def count(self, what, outcome, good, **facts):
        """Adds a run to the tally and to results.jsonl."""
        if good:
            self.good += 1
        else:
            (self.bad if outcome.ran else self.not_run).append("%s: %s" % (what, outcome.trouble()))
        record = {"what": what, "good": bool(good), "seconds": round(outcome.seconds, 3), **facts}
        if not good:
            record["error"] = outcome.trouble()
        self.results.write(json.dumps(record) + "\n")
        self.results.flush()

    def listed(self, *what):
        """The entries of `list` that were asked for; a list that cannot be had counts as a run that was not."""
        outcome = self.run("list", *what, "--json")
        entries = outcome.json()
        if entries is None:
            self.count(" ".join(("list", *what)), outcome, False)
        return [entry for entry in entries or [] if self.only is None or entry["id"] in self.only]

    def catalogue(self):
        return [entry["id"] for entry in self.listed()]

    # -- verify ---------------------------------------------------------------------------------------------------------

    def verify(self, size):
        rows, runs = {}, []
        for algorithm in self.catalogue():
            for runtime in self.runtimes:
                for options in options_of(algorithm, size, runtime):
                    rows.setdefault((algorithm, *options), {})
                    runs += [(algorithm, options, runtime, traced) for traced in (False, True)]

        def one(job):
            algorithm, options, runtime, traced = job
            words = ["verify", algorithm, *options, "--signal", "random:7", "--runtime", runtime, "--json"]
            if traced:  # the traced kernels run, and their log is dropped
                words += ["--traced", "--window-bytes", str(1 << 29)]
                if algorithm == "dft" and size > 10:
                    words += ["--items", "0:63"]  # of N² terms, those of a few work-items
                if "launches" in options:
                    words += ["--stages", "1:6"]  # later, ever fewer work-items do all the work, and each would log millions
            return self.run(*words, limit=120)

        # The log of a launch of 2^24 points takes half a gibibyte, on the device and here.
        for job, outcome in zip(runs, self.all_of(one, runs, 4 if size > 20 else 64)):
            algorithm, options, runtime, traced = job
            verdict = outcome.json() or {}
            rows[(algorithm, *options)][runtime, traced] = (outcome, verdict)
            self.count("verify %s on %s, %s" % (" ".join([algorithm, *options]), runtime, "traced" if traced else "untraced"),
                       outcome, verdict.get("pass") is True, relative_l2=verdict.get("relative_l2"), bound=verdict.get("bound"))

        self.say("\n## Relative L2 error at 2^%d\n" % size)
        columns = [(runtime, traced) for runtime in self.runtimes for traced in (False, True)]
        self.say("| run | bound | %s |" % " | ".join("%s%s" % (runtime, ", traced" if traced else "") for runtime, traced in columns))
        self.say("|---|---|%s" % ("---|" * len(columns)))
        for name, cells in rows.items():
            bound = next((verdict["bound"] for _, verdict in cells.values() if "bound" in verdict), None)
            texts = [self.cell(*cells[column]) if column in cells else "" for column in columns]
            self.say("| `%s` | %s | %s |" % (" ".join(name), "" if bound is None else "%.2g" % bound, " | ".join(texts)))

    @staticmethod
    def cell(outcome, verdict):
        if "pass" not in verdict:
            return outcome.trouble() if not outcome.ran else "**failed**: " + outcome.trouble()
        error = verdict["relative_l2"]
        text = "not a number" if error is None else "%.3g" % error
        return text if verdict["pass"] else "**%s, over the bound**" % text

    # -- the gallery ----------------------------------------------------------------------------------------------------

    def gallery(self):
        entries = [entry for entry in self.listed("gallery") if "finding" in entry]
        jobs = [(entry, runtime, right) for entry in entries for runtime in self.runtimes for right in (False, True)]

        def one(job):
            entry, runtime, right = job
            return self.run("check", entry["twin"] if right else entry["id"], "--runtime", runtime, "--json", limit=90)

        cells = {}
        for (entry, runtime, right), outcome in zip(jobs, self.all_of(one, jobs)):
            findings = (outcome.json() or {}).get("findings")
            what = "check %s on %s" % (entry["twin"] if right else entry["id"], runtime)
            if findings is None:
                good, text = False, outcome.trouble()
            elif right:
                wrong = [finding for finding in findings if finding["severity"] == "error"]
                good, text = not wrong, "let pass" if not wrong else "**%s**" % wrong[0]["message"]
            else:
                found = [finding for finding in findings if finding["class"] == entry["finding"]]
                good = bool(found)
                text = "line %s" % found[0].get("line", "?") if good else "**not found**, but: %s" % ", ".join(
                    sorted({finding["class"] for finding in findings}) or ["nothing"])
            if findings is not None and not good:
                outcome.error = text
            self.count(what, outcome, good, findings=sorted({finding["class"] for finding in findings or []}))
            cells[entry["id"], runtime, right] = text

        self.say("\n## The gallery through `twiddle check`\n")
        columns = [(runtime, right) for runtime in self.runtimes for right in (False, True)]
        self.say("| kernel | finding | %s |" % " | ".join("%s%s" % (runtime, ", right twin" if right else "") for runtime, right in columns))
        self.say("|---|---|%s" % ("---|" * len(columns)))
        for entry in entries:
            self.say("| `%s` | %s | %s |" % (entry["id"], entry["finding"], " | ".join(cells[(entry["id"], *c)] for c in columns)))

    # -- the same operations in the same slots ----------------------------------------------------------------------------

    def compare(self, folder):
        runtimes = (["host"] if self.host else []) + self.runtimes
        algorithms = self.catalogue()

        def trace(job):
            algorithm, runtime = job
            options = options_of(algorithm, 10, runtime)[0]
            file = folder / ("%s-%s.twd" % (algorithm, runtime))
            return file, self.run("trace", algorithm, *options, "--signal", "random:7", "--runtime", runtime, "-o", str(file))

        jobs = [(algorithm, runtime) for algorithm in algorithms for runtime in runtimes]
        traces = dict(zip(jobs, self.all_of(trace, jobs)))
        for (algorithm, runtime), (_, outcome) in traces.items():
            self.count("trace %s on %s" % (algorithm, runtime), outcome, outcome.code == 0)
        pairs = [(a, b) for i, a in enumerate(runtimes) for b in runtimes[i + 1:]]

        def diff(job):
            algorithm, (a, b) = job
            (first, one), (second, other) = traces[algorithm, a], traces[algorithm, b]
            if one.code != 0 or other.code != 0:
                return one if one.code != 0 else other
            return self.run("diff", str(first), str(second), "--ulps", str(ULPS), "--json")

        jobs = [(algorithm, pair) for algorithm in algorithms for pair in pairs]
        cells = {}
        for (algorithm, (a, b)), outcome in zip(jobs, self.all_of(diff, jobs)):
            found = outcome.json()
            if not found or "counts" not in found:
                good, text = False, outcome.trouble()
            else:
                moved = sum(found["counts"][aspect] for aspect in IN_PLACE)
                # What an atomic operation finds there depends on who came first.
                values = 0 if algorithm.startswith("histogram-") else found["differing"]
                good = moved == 0 and values == 0 and found["compared"] > 0
                text = "%d the same" % found["compared"] if good else "**%d of %d differ, %d of them in place or kind**" % (
                    found["differing"], found["compared"], moved)
                if not good:
                    outcome.error = text
            self.count("diff %s, %s and %s" % (algorithm, a, b), outcome, good, diff=found and found.get("counts"))
            cells[algorithm, (a, b)] = text

        self.say("\n## Traces at 2^10, operation by operation\n")
        self.say("The same kind, element, epoch, work-item and slot, and values within %d ulps of the operation's largest (of atomic" % ULPS)
        self.say("operations the places alone: what they find depends on who came first).\n")
        self.say("| algorithm | %s |" % " | ".join("%s, %s" % pair for pair in pairs))
        self.say("|---|%s" % ("---|" * len(pairs)))
        for algorithm in algorithms:
            self.say("| `%s` | %s |" % (algorithm, " | ".join(cells[algorithm, pair] for pair in pairs)))

    # -- the sanitizers: what a right outcome does not show ------------------------------------------------------------------

    def sanitize(self):
        tool = shutil.which("compute-sanitizer") or shutil.which("/usr/local/cuda/bin/compute-sanitizer")
        if not tool or "cuda" not in self.runtimes:
            self.say("\nNot run: compute-sanitizer, which " + ("is not here." if not tool else "is for CUDA."))
            return
        entries = self.listed()
        runs = [["verify", entry["id"], *options, "--signal", "random:7", "--runtime", "cuda"]
                for entry in entries for options in choices_of(entry)]
        plain = self.all_of(lambda words: self.run(*words), runs)
        # What an algorithm does not take (a size, two options together) is refused with exit code 2, and what no run had time for
        # is counted with the rest.
        taken = [words for words, outcome in zip(runs, plain) if outcome.code != 2]
        jobs = [(words, name) for words in taken for name in SANITIZERS]

        def one(job):
            words, name = job
            return self.run(*words, limit=180, under=[tool, "--tool", name, "--error-exitcode", str(SANITIZER_FOUND)])

        clean = {name: 0 for name in SANITIZERS}
        for (words, name), outcome in zip(jobs, self.all_of(one, jobs)):
            good = outcome.code == 0
            if outcome.ran and not good:  # the summary is the last line of its output, which is the program's, too
                lines = [line for line in outcome.out.splitlines() if line.startswith("=====")]
                outcome.error = (lines or [outcome.error or "exit code %d" % outcome.code])[-1]
            clean[name] += good
            self.count("%s of %s" % (name, " ".join(words)), outcome, good)
        self.say("\n## compute-sanitizer\n")
        self.say("%d runs of %d algorithms, by each of its tools; clean: %s." % (
            len(taken), len({words[1] for words in taken}), ", ".join("%s %d" % item for item in clean.items())))

    # -- benches: one at a time, nothing beside them -----------------------------------------------------------------------

    def bench(self, name, *options, limit):
        for runtime in self.runtimes:
            words = ["bench", name, *options, "--runtime", runtime]
            outcome = self.run(*words, limit=limit)
            self.count("twiddle " + " ".join(words), outcome, outcome.code == 0)
            self.say("\n## `twiddle %s`\n\n```" % " ".join(words))
            self.say(outcome.out.rstrip() if outcome.code == 0 else outcome.trouble())
            self.say("```")

    # -- all of it -----------------------------------------------------------------------------------------------------------

    def devices(self):
        def listed(environment):
            done = subprocess.run([self.program, "devices", "--json"], stdout=subprocess.PIPE, env=environment, check=True)
            return json.loads(done.stdout)

        found = listed(self.environment)
        platforms = {device["runtime"] + device["vendor"] for device in found["devices"]}
        if "opencl" in self.runtimes and any(p.startswith("cuda") for p in platforms) and "openclNVIDIA Corporation" not in platforms:
            # Drivers in a container often come without the entry by which OpenCL loaders find them.
            vendors = pathlib.Path(tempfile.mkdtemp(prefix="twiddle-icd-"))
            (vendors / "nvidia.icd").write_text("libnvidia-opencl.so.1\n")
            with_entry = dict(self.environment, OCL_ICD_VENDORS=str(vendors))
            retried = listed(with_entry)
            if any(device["runtime"] == "opencl" for device in retried["devices"]):
                self.environment, found = with_entry, retried
        self.host = any(device["runtime"] == "host" for device in found["devices"])
        for device in found["devices"]:
            self.say("- %s: %s, %s %s, driver %s" % tuple(device[key] for key in ("runtime", "name", "platform", "version", "driver")))
        for missing in found["missing"]:
            self.say("- not there: " + missing)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("--program", default=str(ROOT / "build/gpu/twiddle"))
    parser.add_argument("--runtimes", default="cuda,opencl")
    parser.add_argument("--budget", type=float, default=1000, help="seconds for everything (1000)")
    parser.add_argument("--parts", default=",".join(PARTS), help="these alone (%s)" % ",".join(PARTS))
    parser.add_argument("--sizes", default="10,20,24", help="powers of two to verify at (10,20,24)")
    parser.add_argument("--only", help="these algorithms and gallery entries alone, parted by commas; then no benches")
    parser.add_argument("--workers", type=int, default=max(1, min(8, (os.cpu_count() or 2) // 2)))
    arguments = parser.parse_args()
    started = time.monotonic()
    run = Measurement(arguments)
    run.say("# Measured on a GPU\n")
    run.devices()
    parts = arguments.parts.split(",")
    if set(parts) - set(PARTS):
        parser.error("no part is called %s: they are %s" % (", ".join(sorted(set(parts) - set(PARTS))), ", ".join(PARTS)))
    benches = "bench" in parts and not run.only
    large = [size for size in run.sizes if size >= 24]
    for size in run.sizes:
        if size not in large and "verify" in parts:
            run.verify(size)
    if "gallery" in parts:
        run.gallery()
    if "compare" in parts:
        with tempfile.TemporaryDirectory(prefix="twiddle-measure-") as folder:
            run.compare(pathlib.Path(folder))
    if benches:
        run.bench("paper", limit=60)
        run.bench("trace", "--n", str(1 << 20), limit=60)
    for size in large:
        if "verify" in parts:
            run.verify(size)
    if benches:
        run.bench("trace", "--n", str(1 << 24), limit=100)
    if "sanitizers" in parts:
        run.sanitize()
    run.say("\n## In all\n\n%d good, %d not, %d not run, in %.0f s." % (run.good, len(run.bad), len(run.not_run), time.monotonic() - started))
    for sentence in (run.bad + run.not_run)[:60]:
        run.say("- " + sentence)
    return 1 if run.bad or run.not_run else 0


if __name__ == "__main__":
    sys.exit(main())
