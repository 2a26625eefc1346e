#!/bin/bash
# A program of four MPI processes, recorded: each rank leaves a trace, and they are looked at together.
set -u
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
fail() { echo "mpi: $*" >&2; exit 1; }

for program in mpicc mpirun; do
  command -v $program > /dev/null || { echo "mpi: without $program (Open MPI) nothing is tested"; exit 77; }
done
[ -e "$(dirname "$TWIDDLE")/libtwiddle-opencl-layer.so" ] || { echo "mpi: this build records nothing"; exit 77; }
cp ../../examples/fft2d-slab/* "$work" && cd "$work" || exit 1
mpicc -O1 -Wall -Wextra -Werror fft2d_slab.c -lOpenCL -lm -o fft2d-slab 2> built ||
  { grep -q 'CL/cl.h\|lOpenCL' built && { echo "mpi: OpenCL's headers or loader are missing"; exit 77; }; fail "$(cat built)"; }
"$TWIDDLE" devices --json | grep -q '"opencl"' || { echo "mpi: there is no OpenCL device"; exit 77; }
# Containers run as root and have few cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 XDG_CONFIG_HOME="$work"
ranks() { mpirun -n 4 "$@"; }

ranks ./fft2d-slab 16 > plain 2> errors || fail "the program fails by itself: $(cat plain errors)"
grep -q '^16 x 16 points over 4 processes: relative error' plain || fail "it prints: $(cat plain)"
ranks "$TWIDDLE" record -o run.twd -- ./fft2d-slab 16 > recorded 2> summary || fail "recorded: $(cat recorded summary)"
cmp -s plain recorded || fail "recorded it prints another error: $(cat recorded)"
[ "$(echo run.*.twd)" = "run.0.twd run.1.twd run.2.twd run.3.twd" ] || fail "there are $(ls)"
[ "$(grep -c 'recorded 4 of 4 launches' summary)" = 4 ] || fail "$(cat summary)"

# 4 rows, then 4 columns, of 16 points: 8 butterflies in each of 4 stages, in each rank; nothing is left unexplained.
[ "$("$TWIDDLE" query run.*.twd "SELECT count(*) FROM operations WHERE op = 'butterfly'" | tr -d '\r' | grep -cw 256)" = 4 ] ||
  fail "butterflies: $("$TWIDDLE" query run.*.twd "SELECT count(*) FROM operations WHERE op = 'butterfly'")"
[ "$("$TWIDDLE" info run.*.twd | grep -c '(100.0 %)')" = 4 ] || fail "$("$TWIDDLE" info run.*.twd | grep accesses)"
grep -q 'from outside' summary || fail "what came by MPI is not said to come from outside: $(cat summary)"

# Together: checked, and shown at one step.
"$TWIDDLE" check run.*.twd > checked 2>&1 || fail "check finds: $(cat checked)"
[ "$(grep -c '^run\.[0-3]\.twd: ' checked)" = 4 ] || fail "check says: $(cat checked)"
"$TWIDDLE" check run.*.twd --json | grep -c '"file": "run' | grep -qx 4 || fail "check --json lacks a rank"
"$TWIDDLE" view run.2.twd run.0.twd run.1.twd run.3.twd --screenshot window.svg || fail "view: exit code $?"
grep -q 'rank 2 of 4' window.svg || fail "the window does not say which rank it shows"
"$TWIDDLE" view run.0.twd run.1.twd run.0.twd --screenshot twice.svg 2> errors && fail "one rank twice is shown"
grep -q 'both of rank 0' errors || fail "one rank twice: $(cat errors)"
exit 0
