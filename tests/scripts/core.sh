# twiddle_core needs no window, no GPU library and no database: a program that links nothing else runs, and asks the
# system for none of them.
set -euo pipefail
program=$(dirname "$TWIDDLE")/twiddle_core_alone
svg=$("$program") || exit 1
[[ $svg == *"<svg"*"F[7]"* || $svg == *"<svg"*"X[7]"* ]] || { echo "no butterfly diagram: ${svg:0:400}"; exit 1; }
needed=$(objdump -p "$program" | awk '$1 == "NEEDED" { print $2 }')
if grep -E '^lib(sqlite|OpenCL|cuda|nvrtc|glfw|imgui|GL|OpenGL)[.0-9X]' <<<"$needed"; then
  echo "twiddle_core needs what it should not"
  exit 1
fi
