# `twiddle view mine.toml` in a real window: a file of the plan is saved in an editor, and the window traces again.
set -euo pipefail
command -v Xvfb >/dev/null || { echo "no Xvfb here"; exit 77; }
work=$(mktemp -d)
started=()
trap 'kill "${started[@]}" 2>/dev/null || true; wait; rm -rf "$work"' EXIT
cd "$work"
"$TWIDDLE" new my >/dev/null
cp my/mine.cl right.cl

Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp 3>display >/dev/null 2>&1 &
started+=($!)
until [[ -s display ]]; do sleep 0.1; done
export DISPLAY=:$(<display) LIBGL_ALWAYS_SOFTWARE=1 TWIDDLE_WINDOW_LOG=$work/states.jsonl
unset WAYLAND_DISPLAY
touch states.jsonl
"$TWIDDLE" view my/mine.toml >out.txt 2>&1 &
started+=($!)

# says PATTERN: waits until the window's last state matches it (or the window has ended, or a minute has passed).
says() {
  local tries
  for ((tries = 0; tries < 600; ++tries)); do
    tail -n 1 states.jsonl | grep -q -- "$1" && return
    kill -0 "${started[1]}" 2>/dev/null || break
    sleep 0.1
  done
  echo "the window does not say $1"
  cat out.txt
  tail -n 1 states.jsonl
  exit 1
}

says '"steps":20,.*"message":""'
sed 's/x\[i0\] = a + t;/x[i0] = a - t;/' right.cl >my/mine.cl
says '"message":"12 operations are not as in the run before."'
sed 's/a - t;/q - t;/' right.cl >my/mine.cl
says '"steps":20,.*"message":"mine.cl:35: use of undeclared identifier .q.\. This is still the trace from before."'
cp right.cl my/mine.cl
says '"message":"12 operations are not as in the run before."'
sed -i 's/signal = "ramp"/signal = "impulse:1"/' my/mine.toml
says 'operations are not as in the run before."'
sed -i 's/signal = /sygnal = /' my/mine.toml
says '"steps":20,.*sygnal'
echo "the window follows its files"
