# Every example begins with the command that runs it, gives no finding that is an error, and the outcome it promises.
set -euo pipefail
"$TWIDDLE" devices --json | grep -q '"opencl"' || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp ../../examples/*.* "$work"  # not the programs in folders
cd "$work"

count=0
for plan in *.toml; do
  for kernel in "${plan%.toml}".c[lu]; do
    [[ $(head -n 1 "$kernel") == "// twiddle view $plan"* ]] || { echo "$kernel does not begin with how to run it"; exit 1; }
    runtime=opencl
    [[ $kernel == *.cu ]] && runtime=host
    "$TWIDDLE" check "$plan" --runtime $runtime >log 2>&1 || { echo "check $plan --runtime $runtime:"; cat log; exit 1; }
    if grep -q '^\[expect\]' "$plan"; then
      "$TWIDDLE" verify "$plan" --runtime $runtime >log 2>&1 || { echo "verify $plan --runtime $runtime:"; cat log; exit 1; }
    fi
    count=$((count + 1))
  done
done
((count >= 5)) || { echo "only $count examples were run"; exit 1; }
