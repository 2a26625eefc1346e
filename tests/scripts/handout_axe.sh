# The accessibility of the one-file pages: axe-core finds nothing wrong with a run's page, at the start, in
# the middle, with its dialogs open, in every theme, nor with a lesson's, at each step, its questions answered, light and dark, nor
# with its answer key; at night nor with the course's index and glossary.
set -euo pipefail
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "no Chromium here"; exit 77; }
command -v npm >/dev/null || { echo "no npm here, so no axe-core"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix "$work" axe-core@4 >npm.log 2>&1 || { echo "axe-core cannot be had from npm:"; cat npm.log; exit 77; }
"$TWIDDLE" trace fft-radix2 --n 8 --signal ramp -o fft8.twd >/dev/null
"$TWIDDLE" trace histogram-local --n 64 -o bins.twd >/dev/null
# Each theme and each language at night, else one of each in turn.
themes=(dark light projector) languages=(ja en zh)
turn=${TWIDDLE_TEST_TURN:-0}
[[ -n ${TWIDDLE_TEST_ALL-} ]] || themes=("${themes[turn % 3]}") languages=("${languages[turn / 3 % 3]}")
for theme in "${themes[@]}"; do "$TWIDDLE" export fft8.twd --theme $theme -o fft8-$theme.html; done
"$TWIDDLE" export bins.twd --theme light -o bins-light.html
for language in "${languages[@]}"; do "$TWIDDLE" lesson butterfly --lang $language -o lesson-$language.html; done
"$TWIDDLE" lesson butterfly --key --lang "${languages[0]}" -o lesson-key.html
if [[ -n ${TWIDDLE_TEST_ALL-} ]]; then
  "$TWIDDLE" lesson --all --lang en -o course >/dev/null
  for page in index glossary; do cp course/en/$page.html lesson-$page.html; done
fi

# Copies with axe and a driver in them; the list of violations ends up in the text of #result.
python3 - <<'PYTHON'
import glob
axe = open("node_modules/axe-core/axe.min.js", encoding="utf-8").read().replace("</script", "<\\/script")
drive = r"""<script>
(async () => {
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  const lines = [];
  const look = async (when) => {
    const found = await axe.run(document, {exclude: [["#result"]]});
    lines.push(`ok ${found.passes.length} rules at ${when}`);
    for (const rule of found.violations)
      for (const node of rule.nodes) lines.push(`not ok ${when}: ${rule.id}: ${rule.help}: ${node.html.slice(0, 200)} ${node.any.map((a) => a.message).join("; ")}`);
  };
  const themes = async (when) => {
    for (const theme of ["dark", "light"]) {
      document.querySelector(`[data-choose=${theme}]`).click();
      await look(`${when}, ${theme}`);
    }
  };
  const lesson = async () => {
    await themes("the first step");
    const progress = document.getElementById("progress");
    if (progress) progress.open = true;
    document.querySelectorAll("[data-answer]").forEach((button) => button.click());
    const steps = document.querySelectorAll("section.step").length;
    for (let i = 2; i <= steps; ++i) {
      press("PageDown");
      await look(`step ${i}`);
    }
    await themes("the end");
  };
  const run = async () => {
    await look("the start");
    for (let i = 0; i < 8; ++i) press("ArrowRight");
    await look("step 8");
    press("End");
    await look("the end");
    press("?");
    await look("the list of keys");
    document.getElementById("help").close();
    press("g");
    await look("the field to go to");
    document.getElementById("go-to").close();
  };
  try {
    await (document.getElementById("go-to") ? run() : lesson());
    lines.push("end of checks");
  } catch (error) {
    lines.push(`not ok ${error}`);
  }
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = lines.join("\n");
  document.body.append(result);
})();
</script></body>"""
for name in glob.glob("*-*.html"):
    page = open(name, encoding="utf-8").read()
    head, tail = page.rsplit("</body>", 1)
    open("driven-" + name, "w", encoding="utf-8").write(head + "<script>" + axe + "</script>" + drive + tail)
PYTHON

for page in driven-*.html; do
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync \
    --user-data-dir="$work/profile" --virtual-time-budget=60000 --dump-dom "file://$work/$page" >dom.html 2>browser.log || { cat browser.log; exit 1; }
  PAGE=$page python3 - <<'PYTHON'
import html, os, re, sys
found = re.search(r'<pre id="result">(.*?)</pre>', open("dom.html", encoding="utf-8").read(), re.S)
lines = html.unescape(found.group(1)).splitlines() if found else []
bad = [line for line in lines if line.startswith("not ok")]
page = os.environ["PAGE"].removeprefix("driven-")
print("\n".join(bad) or f"{page}: {len(lines) - 1} looks, no violations")
if bad or not lines or lines[-1] != "end of checks":
    sys.exit(f"{page}: axe-core did not get through" if not bad else 1)
PYTHON
done
