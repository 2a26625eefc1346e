# The launcher, once everything is built: silent, from any folder, through a link, under 0.3 s of processor time, arguments passed on.
set -euo pipefail
root=$(cd ../.. && pwd)
[[ $TWIDDLE == "$root/build/release/twiddle" && -w $root ]] || exit 77  # it would build something else here

"$root/twiddle" --version >/dev/null 2>&1  # builds what was left
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
ln -s "$root/twiddle" tw

./tw --version >out 2>err
cmp out <("$TWIDDLE" --version) || { echo "the launcher's output is not the program's"; exit 1; }
[[ ! -s err ]] || { echo "the launcher speaks though nothing is to be built:"; cat err; exit 1; }

status=0
"$root/twiddle" 'no such verb; "quoted"' >/dev/null 2>&1 || status=$?
((status == 2)) || { echo "the program's exit code became $status"; exit 1; }

# The best of five, in processor time, for a busy machine; the program's own counts too.
best=1000000 TIMEFORMAT='%3U %3S'
for _ in 1 2 3 4 5; do
  read -r user system < <({ time ./tw --version >/dev/null; } 2>&1)
  took=$((10#${user/[.,]/} + 10#${system/[.,]/}))
  ((took < best)) && best=$took
done
echo "launcher: $best ms"
((best < 300)) || exit 1

# Long tests take turns: none waits for ever, each is a test that there is, and nothing is left out where there is time for all.
eval "$(sed -n '/^left_out() {/,/^}/p' "$root/twiddle")"
awk '/^[a-z]/ { print $1 }' "$root/tests/seconds.txt" | sort >long
for turn in 0 {1..39}; do left_out $((turn * 7919)) 360; done | sort | uniq -c | awk '$1 == 40 { print $2 " is never run" }' >waits
[[ ! -s waits ]] || { cat waits; exit 1; }
[[ -z $(left_out 1 1000000) && $(left_out 1 0 | sort) == "$(<long)" ]] || { echo "time decides wrongly which long tests run"; exit 1; }
# (CTest itself would begin the log anew that it is writing.)
awk -F '[^a-z0-9_]+' '$1 == "add_test" { print $2 }' "$root/build/release/tests/CTestTestfile.cmake" | sort | comm -13 - long >unknown
[[ ! -s unknown ]] || { echo "tests/seconds.txt names what is no test: $(<unknown)"; exit 1; }
