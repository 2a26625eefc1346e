#!/bin/bash
# Programs of other languages, recorded: the same output with and without. And what is left when one of the processes is killed.
set -u
programs=../record/programs
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
fail() { echo "record: $*" >&2; exit 1; }

python=
for one in python3 /usr/bin/python3; do
  $one -c 'import numpy, pyopencl' 2> /dev/null && { python=$one; break; }
done
[ -n "$python" ] || { echo "record: without pyopencl nothing is tested"; exit 77; }
[ -e "$(dirname "$TWIDDLE")/libtwiddle-opencl-layer.so" ] || { echo "record: this build records nothing"; exit 77; }
export PYOPENCL_CTX=0 XDG_CACHE_HOME="$work/cache"  # pyopencl keeps binaries there

# The second run finds the first one's binaries, which are refused.
for run in first second; do
  $python $programs/reduce.py > "$work/plain" 2> /dev/null || fail "the program fails by itself"
  "$TWIDDLE" record -o "$work/run.twd" -- $python $programs/reduce.py > "$work/out" 2> "$work/summary" ||
    fail "$run: exit code $?: $(cat "$work/summary")"
  cmp -s "$work/plain" "$work/out" || fail "$run: another output"
  grep -q '^twiddle: recorded 2 of 2 launches' "$work/summary" || fail "$run: $(cat "$work/summary")"
done
"$TWIDDLE" info "$work/run.twd" | grep -q saxpy || fail "info does not name the kernel"

# A program that is killed, and a recorder that is: what was written reads.
cat > "$work/long.py" << 'PY'
import numpy as np, pyopencl as cl, time
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
program = cl.Program(context, "kernel void add(global int *x) { x[get_global_id(0)] += 1; }").build()
x = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.zeros(64, np.int32))
add = cl.Kernel(program, "add")
while True:
    add(queue, (64,), None, x)
    queue.finish()
    print("launched", flush=True)
    time.sleep(0.02)
PY
wait_for_launches() {
  for _ in $(seq 600); do
    [ "$(wc -l < "$1" 2> /dev/null || echo 0)" -ge 60 ] && return
    sleep 0.1
  done
  fail "no launches within a minute"
}
"$TWIDDLE" record -o "$work/killed.twd" -- $python "$work/long.py" > "$work/launches" 2> "$work/summary" &
recorder=$!
wait_for_launches "$work/launches"
pkill -KILL -P $recorder
wait $recorder
code=$?
[ $code = 137 ] || fail "a killed program: exit code $code"
"$TWIDDLE" info "$work/killed.twd" > /dev/null || fail "the trace of a killed program cannot be read"

"$TWIDDLE" record -o "$work/alone.twd" -- $python "$work/long.py" > "$work/launches2" 2> /dev/null &
recorder=$!
wait_for_launches "$work/launches2"
program=$(pgrep -P $recorder)
kill -KILL $recorder
wait $recorder 2> /dev/null
sleep 1  # the program goes on
before=$(wc -l < "$work/launches2")
sleep 1
[ "$(wc -l < "$work/launches2")" -gt "$before" ] || fail "the program ended with its recorder"
kill -KILL $program
"$TWIDDLE" info "$work/alone.twd" > "$work/info" || fail "the trace of a killed recorder cannot be read"
grep -q add "$work/info" || fail "the trace of a killed recorder holds no launch"
echo "record: as it should be"
