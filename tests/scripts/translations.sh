# Translations are optional: a text without one shows its English, and is a warning here. An entry that is wrong is a failure.
# Beside what msgfmt finds, that is one whose places are not those of the English (test_tr.cpp).
set -euo pipefail
command -v xgettext >/dev/null && command -v msgmerge >/dev/null || { echo "no gettext here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd ../..
texts() {
  xgettext --from-code=UTF-8 --language=C++ --no-wrap -o "$work/twiddle.pot" --keyword=tr --keyword=translatable \
    --keyword=Message --keyword=plural:2,3 "$@"
}
: >"$work/twiddle.pot"
# The window, the handouts and what checks find.
errors=(--keyword=usage_error --keyword=unreadable --keyword=no_device --keyword=complaint:2)
mapfile -t shown < <(find base viewer tracer/checks -name '*.cpp' -o -path 'viewer/*.h' -o -path 'viewer/*.def' |
  grep -v -e /paths -e viewer/render -e /glfw_window -e /state_log -e /page_template | sort)
texts "${errors[@]}" --keyword=complain --keyword=tr_plural:2,3 "${shown[@]}"
# What may go wrong below the window: all but what only a command line meets.
mapfile -t below < <(find kernels tracer -name '*.cpp' |
  grep -v -e /picture -e /reference -e /bench -e /query -e /host_schedule -e tracer/checks/ | sort)
texts --join-existing "${errors[@]}" "${below[@]}"
mapfile -t lessons < <(find lessons -name '*.cpp' | sort)
texts --join-existing --keyword=words --keyword=words_ --keyword=unfilled "${lessons[@]}"

wrong=0
for code in ja zh_CN; do
  msgfmt --check-format --check-domain -o /dev/null "po/$code.po" || wrong=1
  msgmerge --quiet --no-fuzzy-matching --no-wrap -o "$work/$code.po" "po/$code.po" "$work/twiddle.pot"
  msgattrib --untranslated --no-obsolete --no-wrap -o "$work/missing.po" "$work/$code.po"
  missing=0
  if [ -e "$work/missing.po" ]; then
    missing=$(($(grep -c '^msgid "' "$work/missing.po") - 1))
    sed -n '/^#: /,$ { /^#: /p; /^msgid /p }' "$work/missing.po"
    rm "$work/missing.po"
  fi
  echo "$code: $(grep -c '^msgid "' "po/$code.po") texts; warning: $missing without a translation"
  [ -z "${STALE-}" ] || msgattrib --only-obsolete --no-wrap "$work/$code.po" | grep '^#~ msgid "' || true
done
exit "$wrong"
