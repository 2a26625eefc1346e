# So can the pages of docs/ that show commands.
set -euo pipefail
tests=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for page in algorithms:22 query:6 your-own-kernel:11 export:7; do
  mkdir "$work/${page%:*}"
  cd "$work/${page%:*}"
  python3 "$tests/run_page.py" "$tests/../docs/${page%:*}.md" "${page#*:}"
done
