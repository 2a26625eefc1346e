# An installed program works away from its tree: same version, same catalogue, data from its own share/twiddle.
set -euo pipefail
build=$(dirname "$TWIDDLE")
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix" >/dev/null

cd /
[[ $("$prefix/bin/twiddle" --version) == "$("$TWIDDLE" --version)" ]] || { echo "the installed program tells another version"; exit 1; }
[[ -d $prefix/share/twiddle ]] || { echo "no data was installed"; exit 1; }
(cd "$OLDPWD/../.." && find kernels lessons tracer/log/trace_device.h -name '*.cl' -o -name '*.cu' -o -name '*.md' -o -name 'trace_device.h' || true) 2>/dev/null |
  while read -r file; do
    [[ -e $prefix/share/twiddle/$file ]] || { echo "share/twiddle/$file was not installed"; exit 1; }
  done
if find "$prefix/share/twiddle" -name '*.cpp' | grep .; then
  echo "program sources were installed as data"
  exit 1
fi

# What a desktop needs is there with a window, and is right as far as the tools for it say.
if ! "$TWIDDLE" view /dev/null 2>&1 | grep -q 'has no window'; then
  for file in applications/twiddle.desktop icons/hicolor/scalable/apps/twiddle.svg mime/packages/twiddle.xml; do
    [[ -s $prefix/share/$file ]] || { echo "share/$file was not installed"; exit 1; }
  done
  command=$(sed -n 's/^Exec=twiddle //p' "$prefix/share/applications/twiddle.desktop")
  [[ $command == '%f' ]] || { echo "the desktop starts twiddle $command"; exit 1; }
  if command -v desktop-file-validate >/dev/null; then
    desktop-file-validate "$prefix/share/applications/twiddle.desktop"
  fi
  if command -v xmllint >/dev/null; then
    xmllint --noout "$prefix/share/mime/packages/twiddle.xml" "$prefix/share/icons/hicolor/scalable/apps/twiddle.svg"
  fi
fi
# A trace alone is viewed.
words=$("$prefix/bin/twiddle" /no/such.twd 2>&1) && { echo "a trace that is not there was opened"; exit 1; }
[[ $words == *such.twd* && $words != *'no command'* ]] || { echo "a trace alone is not viewed: $words"; exit 1; }
