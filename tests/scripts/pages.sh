# Checks the pages of docs/ in the same way: their files, their commands (at least so many must have run) and their links.
set -euo pipefail
tests=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declare -A commands=([algorithms]=22 [query]=6 [your-own-kernel]=11 [export]=7)
for page in "$tests"/../../docs/*.md; do
  name=$(basename "$page" .md)
  mkdir "$work/$name"
  cd "$work/$name"
  python3 "$tests/run_page.py" "$page" "${commands[$name]:-0}" linked
done
