# Every text that the sources give to tr() is in both catalogues, translated.
set -euo pipefail
command -v xgettext >/dev/null && command -v msgcmp >/dev/null || { echo "no gettext here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd ../..
texts=(--from-code=UTF-8 --language=C++ --no-wrap -o "$work/twiddle.pot" --keyword=tr --keyword=translatable --keyword=say
  --keyword=complain --keyword=tr_plural:2,3 --keyword=plural:2,3)
xgettext "${texts[@]}" base/*.cpp $(find viewer tracer/checks \( -name '*.cpp' -o -path 'viewer/*.h' \) ! -name finding_json.cpp ! -name finding_text.cpp | sort)
# What may go wrong below the window is said in English and told again in it (base/retold.h): all but what only a command
# line meets.
mapfile -t below < <(find base/process.cpp base/read_file.cpp kernels tracer -name '*.cpp' |
  grep -v -e /picture -e /reference -e /bench -e /query -e /host_schedule -e tracer/checks/ | sort)
xgettext "${texts[@]}" --join-existing --keyword=usage_error --keyword=unreadable --keyword=no_device --keyword=complaint:2 \
  "${below[@]}"
for code in ja zh_CN; do
  msgcmp "po/$code.po" "$work/twiddle.pot" 2>"$work/log" || {
    grep -v "not used" "$work/log"
    exit 1
  }
  echo "$code: $(grep -c '^msgid' "po/$code.po") texts"
done
