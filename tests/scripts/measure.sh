#!/usr/bin/env bash
# docs/measure-on-gpu.py, small and on the first OpenCL device: what it writes, and that it says so when something is wrong.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
command -v python3 >/dev/null || exit 77
"$TWIDDLE" devices --json | grep -q '"opencl"' || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "measure: $*"
  cat "$work"/out/report.md
  exit 1
}

measure() { docs/measure-on-gpu.py "$work/out" --program "$1" --runtimes opencl --sizes 10 --workers 2 "${@:2}" >"$work/printed"; }

measure "$TWIDDLE" --only histogram-local,reduce-strided,gallery/truncated-bin || fail "exit code $? of a run that is right"
cmp "$work/printed" "$work/out/report.md"
for line in '| `reduce-strided --n 1024` | 0 | 0 | 0 |' '| `gallery/truncated-bin` | wrong-value | line ' \
  '| `histogram-local` | 3840 the same |' '12 good, 0 not, 0 not run'; do
  grep -qF "$line" "$work/out/report.md" || fail "no line $line"
done
[[ $(wc -l <"$work/out/results.jsonl") == 12 ]] || fail "results.jsonl has not a line a run"

# A program that is over its bound, and one that does not end.
cat >"$work/wrong" <<END
#!/usr/bin/env bash
[[ \$1 == verify ]] && { echo '{"relative_l2":0.5,"bound":0,"pass":false}'; exit 1; }
[[ \$1 == diff ]] && sleep 60
exec "$TWIDDLE" "\$@"
END
chmod +x "$work/wrong"
measure "$work/wrong" --only reduce-strided --budget 20 && fail "exit code 0 of runs that are wrong"
grep -qF '| `reduce-strided --n 1024` | 0 | **0.5, over the bound** | **0.5, over the bound** |' "$work/out/report.md" || fail "wrong is not in bold"
grep -qE '^[0-9] good, 2 not, [1-9] not run' "$work/out/report.md" || fail "the runs are not counted"

# The sanitizers: a stand-in for compute-sanitizer whose racecheck always finds something, and kernels that run through OpenCL.
mkdir "$work/bin"
cat >"$work/bin/compute-sanitizer" <<'END'
#!/usr/bin/env bash
[[ $1 == --tool && $3 == --error-exitcode ]] || exit 1
[[ $2 == racecheck ]] && { echo '========= RACECHECK SUMMARY: 1 hazard'; exit "$4"; }
exec "${@:5}"
END
cat >"$work/program" <<END
#!/usr/bin/env bash
exec "$TWIDDLE" "\${@/#cuda/opencl}"
END
chmod +x "$work/bin/compute-sanitizer" "$work/program"
PATH=$work/bin:$PATH measure "$work/program" --runtimes cuda --parts sanitizers --only reduce-strided &&
  fail "exit code 0 of kernels that a sanitizer finds a race in"
for line in '5 runs of 1 algorithms, by each of its tools; clean: memcheck 5, racecheck 0, synccheck 5.' \
  'racecheck of verify reduce-strided --n 64 --signal random:7 --runtime cuda: ========= RACECHECK SUMMARY: 1 hazard'; do
  grep -qF "$line" "$work/out/report.md" || fail "no line $line"
done
