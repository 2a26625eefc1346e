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
