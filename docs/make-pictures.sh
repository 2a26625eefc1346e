#!/usr/bin/env bash
# Makes the pictures in docs/images again: the real window on a display of its own, and the pages in a real browser.
# Needs Xvfb, xdotool, ImageMagick, FFmpeg and Chromium; run it after changing how anything looks, and look at what it made.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
twiddle=${TWIDDLE:-$PWD/build/release/twiddle}
[[ -x $twiddle ]] || { echo "build first: ./twiddle --version" >&2; exit 1; }
images=$PWD/docs/images
work=$(mktemp -d)
started=()
trap 'kill "${started[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir -p "$images"
export XDG_CONFIG_HOME=$work  # not the user's settings

# The real window, photographed from a virtual display.
display=:$((100 + RANDOM % 400))
Xvfb "$display" -screen 0 1440x900x24 -nolisten tcp >"$work/xvfb.log" 2>&1 &
started+=($!)
until [[ -e /tmp/.X11-unix/X${display#:} ]]; do sleep 0.1; done

# What a user does in the window before it is photographed; each with xdotool's own words.
user() { DISPLAY=$display xdotool "$@"; }
nothing() { :; }

# photograph NAME THEME POSITION WHAT…: waits until the window says that it has drawn; then `does` does something in it.
does=nothing
photograph() {
  local log=$work/$1.log pid tries=0
  TWIDDLE_WINDOW_LOG=$log DISPLAY=$display "$twiddle" view "${@:4}" --at "$3" --theme "$2" --size 1440x900 &
  pid=$!
  started+=("$pid")
  until [[ -s $log ]]; do
    sleep 0.1
    ((++tries < 200)) || { echo "the window did not draw" >&2; exit 1; }
  done
  DISPLAY=$display xdotool mousemove 1439 899  # nothing is hovered
  sleep 1
  $does "$log" "$1"
  DISPLAY=$display import -silent -window root "$images/$1.png"
  kill "$pid"
  wait "$pid" 2>/dev/null || true
  echo "docs/images/$1.png"
}

"$twiddle" trace fft-radix2 --n 8 --signal ramp -o "$work/fft8.twd" >/dev/null
photograph window light L3.S2.I1 "$work/fft8.twd"

photograph live light end fft-radix2 --n 8 --signal cosine:1 --view live
photograph lockstep dark L1.S2.G0.T2 fft-radix2-local --n 16

# The kernel is edited and run: two runs as tabs, what the second one changed in frames, and the editor still open.
edit_kernel() {
  local line
  line=$(grep -n 'F\[p.i1\] = a - t;' kernels/opencl/fft_radix2.cl | head -1 | cut -d: -f1)
  user key e
  sleep 1
  user key ctrl+Home key --delay 5 --repeat $((line - 1)) Down key End key BackSpace type --delay 20 ' - t;'
  user key ctrl+Return
  until grep -q '"tabs":\["run 1","run 2' "$1"; do sleep 0.2; done
  user key --delay 40 Down Down Down  # the edited line is in sight
  sleep 2
}
does=edit_kernel photograph editor light end fft-radix2 --n 8

# What bench kernels measured on an H200, of 2^24 points: the second problem of the list at this size.
show_roofline() {
  user key ctrl+shift+b sleep 1 mousemove 319 229 click 1 sleep 0.5 mousemove 1439 899
  sleep 1
}
does=show_roofline photograph roofline light end fft-radix2 --n 8

# A sample is dragged, and every stage answers: the place of x[3] is that of the window at this size.
drag_sample() {
  local at=(68 363) x
  user mousemove "${at[@]}"
  DISPLAY=$display ffmpeg -loglevel error -y -f x11grab -framerate 12 -video_size 1440x900 -t 6 -i "$display" "$work/drag.mkv" &
  local film=$!
  sleep 1
  user mousedown 1
  for x in $(seq 68 2 124) $(seq 122 -2 52) $(seq 54 2 100); do user mousemove "$x" "${at[1]}" sleep 0.02; done
  sleep 0.5
  user mouseup 1
  wait "$film"
  ffmpeg -loglevel error -y -i "$work/drag.mkv" -vf 'scale=900:-1,split[a][b];[a]palettegen=64[p];[b][p]paletteuse=dither=none' \
    "$images/drag.gif"
  echo "docs/images/drag.gif"
}
does=drag_sample photograph live-dragged light end fft-radix2 --n 8 --signal cosine:1 --view live
rm "$images/live-dragged.png"

# As the window moves: read, multiply, add and subtract, write.
"$twiddle" export "$work/fft8.twd" --size 1280x720 --width 800 --pace 1.2 --fps 12 --caption -o "$images/walk.gif"
echo "docs/images/walk.gif"

# A lesson in the window.
"$twiddle" lesson butterfly --lang en --step 2 --screenshot "$work/lesson.png"
convert "$work/lesson.png" -strip -colors 256 "$images/lesson.png"
echo "docs/images/lesson.png"

# Two traces side by side, and a view for each kind of algorithm.
"$twiddle" view fft-radix2 fft-radix4 --n 16 --at L3.S2.I1 --theme dark --screenshot "$images/side-by-side.png"
"$twiddle" view "$work/fft8.twd" --view tree --at L3.S2.I1 --screenshot "$images/tree.png"
"$twiddle" view "$work/fft8.twd" --view memory --at L3.S2.I1 --screenshot "$images/memory.png"
"$twiddle" view reduce-sequential --n 1024 --at L1.S3.I20 --screenshot "$images/reduction.png"
"$twiddle" view scan-blelloch --n 8 --at L1.S5.I0 --screenshot "$images/sweeps.png"
for picture in side-by-side tree memory reduction sweeps; do echo "docs/images/$picture.png"; done

# The handout in a browser.
"$twiddle" export "$work/fft8.twd" --at L3.S2.I1 -o "$work/handout.html"
chromium --headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync \
  --user-data-dir="$work/profile" --hide-scrollbars --window-size=1280,860 --screenshot="$images/handout.png" \
  "file://$work/handout.html" >"$work/chromium.log" 2>&1 || { cat "$work/chromium.log"; exit 1; }
echo "docs/images/handout.png"
