# The course in a real browser: every page goes from step to step, opens its figures and steps them, and answers right and
# wrong, in three languages, without a word on the console; its links all lead somewhere. And a page full of foreign things.
# On a push in one language, another in each turn.
set -euo pipefail
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { echo "no Chromium here"; exit 77; }
tests=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >evil.md <<'MARKDOWN'
# Foreign things

```toml lesson
summary = "Nothing in here may run or load."
minutes = 1
[run]
algorithm = "fft-radix2"
n = 8
```

## Text only

```toml step
views = ["butterfly"]
```

<script>window.ran = true</script> <img src=x onerror="window.ran = true"> [away](https://example.org/) and
`</script><script>window.ran = true</script>`.

```toml question
ask = "choice"
text = "</script><script>window.ran = true</script>"
[[answers]]
text = "yes"
why = "<b>because</b>"
[[answers]]
text = "no"
why = "</script><script>window.ran = true</script>"
```
MARKDOWN

mkdir pages
"$TWIDDLE" lesson ./evil.md -o pages/evil.html
languages=(ja en zh)
language=(--lang "${languages[${TWIDDLE_TEST_TURN:-0} % 3]}") least=20
[[ -n ${TWIDDLE_TEST_ALL-} ]] && language=() least=60
"$TWIDDLE" lesson --all "${language[@]}" -o pages/course
large=$(find pages -name '*.html' -size +1000000c)
[[ -z $large ]] || { echo "larger than a megabyte: $large"; exit 1; }
# Each lesson asks to try a run, with its answer, and shows it.
lessons=$(find pages/course -name '*-key.html' | wc -l)
[[ $lessons -gt $least ]] || { echo "only $lessons lessons"; exit 1; }
for key in $(find pages/course -name '*-key.html'); do
  page=${key%-key.html}.html
  grep -q '<aside class="try">' "$page" && grep -q '<div class="tried">' "$page" && grep -q '</details></aside>' "$page" ||
    { echo "$page has nothing to try, or no answer"; exit 1; }
done
python3 "$tests/drive_lessons.py" pages
