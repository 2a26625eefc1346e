# The window on an X server with two screens: which window covers which screen, and what happens when one is unplugged.
set -euo pipefail
skip() { echo "skipped: $1" && exit 77; }
for program in Xorg xrandr xdotool openbox; do
  command -v "$program" >/dev/null || skip "$program is not installed"
done
"$TWIDDLE" view /dev/null 2>&1 | grep -q 'has no window' && skip 'this build has no window'

work=$(mktemp -d)
started=()
finish() {
  ((${#started[@]})) && kill "${started[@]}" 2>/dev/null
  wait
  rm -rf "$work"
}
trap finish EXIT

cat >"$work/xorg.conf" <<'END'
Section "ServerFlags"
  Option "AutoAddGPU" "false"
  Option "AutoAddDevices" "false"
EndSection
Section "Device"
  Identifier "dummy"
  Driver "dummy"
  VideoRam 256000
EndSection
Section "Monitor"
  Identifier "monitor"
  HorizSync 5.0 - 1000.0
  VertRefresh 5.0 - 200.0
EndSection
Section "Screen"
  Identifier "screen"
  Device "dummy"
  Monitor "monitor"
  DefaultDepth 24
  SubSection "Display"
    Depth 24
    Modes "1280x800"
  EndSubSection
EndSection
END
Xorg -displayfd 3 -config "$work/xorg.conf" -logfile "$work/xorg.log" -noreset -nolisten tcp \
  3>"$work/number" >"$work/xorg.out" 2>&1 &
started+=($!)
for ((tries = 0; tries < 200; ++tries)); do
  [[ -s $work/number ]] && break
  kill -0 "${started[0]}" 2>/dev/null || break
  sleep 0.05
done
[[ -s $work/number ]] || skip "Xorg's dummy driver does not start here: $(grep -m1 '(EE)' "$work/xorg.log" || true)"
mkdir -p "$work/twiddle"
echo '{"step-by": "work-item"}' > "$work/twiddle/remembered.json"
export DISPLAY=:$(<"$work/number") XDG_CONFIG_HOME=$work LIBGL_ALWAYS_SOFTWARE=1 TWIDDLE_WINDOW_LOG=$work/log
unset WAYLAND_DISPLAY

plug() {
  xrandr --addmode DUMMY1 1024x768 && xrandr --output DUMMY1 --mode 1024x768 --right-of DUMMY0 &&
    xrandr --query >/dev/null  # asks the driver, which tells all clients of the new screen
}
plug 2>"$work/xrandr" || skip "this dummy driver has one screen: $(<"$work/xrandr")"
openbox --sm-disable >"$work/openbox" 2>&1 &
started+=($!)

# Waits until the window's last state has all of these.
reaches() {
  local last want
  for ((tries = 0; tries < 300; ++tries)); do
    last=$(tail -n 1 "$TWIDDLE_WINDOW_LOG" 2>/dev/null || true)
    for want; do [[ $last == *"$want"* ]] || { sleep 0.05 && continue 2; }; done
    return 0
  done
  echo "wanted $* after $step, and the window is at $last"
  exit 1
}
# The pixels of a screen, by its left edge: one that shows nothing has one colour.
colours() { import -window root -crop "1024x700+$1+40" -format '%k' info: ; }

"$TWIDDLE" trace fft-radix2 --n 8 -o "$work/fft8.twd" >/dev/null
"$TWIDDLE" view "$work/fft8.twd" --at L3 --theme light 2>"$work/err" &
started+=($!)
step='the start' && reaches '"fullscreen":false'

step='F' && xdotool key f
reaches '"fullscreen":true' '"width":1280.0' '"notes":true'
# The notes have the keyboard focus: the audience's screen stays as it is.
xdotool search --sync --name 'Twiddle: notes' windowactivate --sync key Right
step='a key over the notes' && reaches '"step":8'
if command -v import >/dev/null; then
  for left in 0 1280; do
    (($(colours $left) > 16)) || { echo "the screen at $left shows nothing" && exit 1; }
  done
fi
step='Shift+F' && xdotool key shift+f
reaches '"fullscreen":true' '"width":1024.0' '"notes":true'
step='unplugging the audience' && xrandr --output DUMMY1 --off
reaches '"fullscreen":true' '"width":1280.0' '"notes":false'
step='plugging it in' && plug
reaches '"width":1280.0' '"notes":true'
step='Escape' && xdotool search --name '^fft8.twd$|^Twiddle$' windowactivate --sync key Escape
reaches '"fullscreen":false' '"notes":false'
step='Shift+F on a desktop' && xdotool key shift+f
reaches '"message":"The screens change places' '"fullscreen":false'
echo "two screens: ok"
