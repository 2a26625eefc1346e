# Checks the README: its files are written out, its commands run, and what it shows of their output must be there.
set -euo pipefail
tests=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 "$tests/run_page.py" "$tests/../../README.md" 8 linked
