# The README can be believed: its files are written out, its commands run, and what it shows of their output is there.
set -euo pipefail
readme=$PWD/../README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 - "$readme" <<'PYTHON'
import os, re, subprocess, sys
text = open(sys.argv[1], encoding="utf-8").read()
environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
ran = 0
for info, block in re.findall(r"^```(.*?)\n(.*?)^```", text, re.S | re.M):
    kind, _, name = info.partition(" ")
    if name:
        open(name, "w", encoding="utf-8").write(block)
    if kind != "console":
        continue
    output = ""
    for line in block.splitlines():
        if line.startswith("$ twiddle "):
            words = line.split()[2:]
            done = subprocess.run([os.environ["TWIDDLE"], *words], env=environment, capture_output=True, text=True)
            output = done.stdout
            ran += 1
            if done.returncode != 0:
                sys.exit(f"{line}: exit code {done.returncode}: {done.stderr}")
        else:
            shown = line.rstrip("…").rstrip()
            if shown not in output:
                sys.exit(f"the README shows {shown!r}, the program says {output!r}")
for link in re.findall(r"\]\((?!http)([^)#]+)\)", text):
    if not os.path.exists(os.path.join(os.path.dirname(sys.argv[1]), link)):
        sys.exit(f"the README links to {link}, which is not there")
print(f"{ran} commands of the README ran")
sys.exit(0 if ran >= 8 else "the README has lost its commands")
PYTHON
