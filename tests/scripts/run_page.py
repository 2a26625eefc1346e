"""Checks a page: writes out its files, runs its commands, and looks for what it shows of their output.

    python3 run_page.py PAGE.md LEAST [LINKED]

A fence "```c mine.cl" is a file; of a fence "```console", lines "$ twiddle …" are commands and the others are shown of the
output (an ellipsis at the end leaves the rest of the line open; "(exit code 1)" says how it ends, 0 without it). At least
LEAST commands must have run. With LINKED, local links must lead somewhere. Runs in the current folder with $TWIDDLE.
"""

import os
import re
import shlex
import subprocess
import sys

page, least = sys.argv[1], int(sys.argv[2])
text = open(page, encoding="utf-8").read()
environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
ran = 0
command, output, code, expected = "", "", 0, 0


def check_code():
    if code != expected:
        sys.exit(f"{page}: {command}: exit code {code}, not {expected}: {output}")


for info, block in re.findall(r"^```(.*?)\n(.*?)^```", text, re.S | re.M):
    kind, _, name = info.partition(" ")
    if name:
        if os.path.dirname(name):
            os.makedirs(os.path.dirname(name), exist_ok=True)
        open(name, "w", encoding="utf-8").write(block)
    if kind != "console":
        continue
    for line in block.splitlines():
        ending = re.fullmatch(r"\(exit code (\d+)\)", line)
        if line.startswith("$ twiddle "):
            check_code()
            command, expected = line, 0
            done = subprocess.run([os.environ["TWIDDLE"], *shlex.split(line)[2:]], env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            output, code = done.stdout, done.returncode
            ran += 1
        elif ending:
            expected = int(ending[1])
        else:
            shown = line.rstrip("…").rstrip()
            if shown not in output:
                sys.exit(f"{page} shows {shown!r}, but {command} says {output!r}")
    check_code()

if len(sys.argv) > 3:
    prose = re.sub(r"^(`{3,}).*?^\1|(`+)(?!`).*?(?<!`)\2(?!`)", "", text, flags=re.S | re.M)
    for link in re.findall(r"\]\((?!http)([^)#]+)\)", prose):
        if not os.path.exists(os.path.join(os.path.dirname(page), link)):
            sys.exit(f"{page} links to {link}, which is not there")
print(f"{ran} commands of {os.path.basename(page)} ran")
sys.exit(0 if ran >= least else f"{page} has lost its commands")
