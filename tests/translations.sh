# Every text that the sources give to tr() is in both catalogues, translated.
set -euo pipefail
command -v xgettext >/dev/null && command -v msgcmp >/dev/null || { echo "no gettext here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd ..
xgettext --from-code=UTF-8 --language=C++ --keyword=tr --keyword=translatable --keyword=say --keyword=complain \
  --keyword=tr_plural:2,3 --keyword=plural:2,3 --no-wrap -o "$work/twiddle.pot" base/*.cpp viewer/*.cpp viewer/*.h viewer/window/*.cpp \
  tracer/checks/*.cpp tracer/finding.cpp
for code in ja zh_CN; do
  msgcmp "po/$code.po" "$work/twiddle.pot" 2>"$work/log" || {
    grep -v "not used" "$work/log"
    exit 1
  }
  echo "$code: $(grep -c '^msgid' "po/$code.po") texts"
done
