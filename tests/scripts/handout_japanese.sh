# The one-file page in Japanese, in a real browser: at every step, in its help and in tooltips, no sentence is English.
set -euo pipefail
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "no Chromium here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$TWIDDLE" trace fft-radix2 --n 8 --signal ramp -o fft8.twd >trace.txt
"$TWIDDLE" export fft8.twd --lang ja -o page.html
grep -q ステップ page.html || { echo "no translations in this build"; exit 77; }

python3 - <<'PYTHON'
page = open("page.html", encoding="utf-8").read()
drive = r"""<pre id="result"></pre><script>
(() => {
  const lines = [];
  const check = (good, what) => lines.push((good ? "ok " : "not ok ") + what);
  const $ = (id) => document.getElementById(id);
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  // Code stays as it is: the kernel's lines and the equations. Two English words in a row are words that were not translated.
  const code = "pre, code, script, style, #equations, #source, #result";
  const english = () => {
    const found = new Set();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode())
      if (!walk.currentNode.parentElement.closest(code)) found.add(walk.currentNode.textContent);
    for (const node of document.querySelectorAll("[aria-label], [title], [placeholder]"))
      for (const name of ["aria-label", "title", "placeholder"]) found.add(node.getAttribute(name) ?? "");
    found.add(document.title);
    return [...found].filter((text) => /\b[A-Za-z]{2,} [a-z]{2,}\b/.test(text));
  };
  check(document.documentElement.lang === "ja", "says that it is Japanese: " + document.documentElement.lang);
  for (let step = 0; step <= 14; ++step) {
    check($("count").textContent.includes("ステップ" + step), "counts steps: " + $("count").textContent);
    check(english().length === 0, `nothing English at step ${step}: ` + english().join(" | "));
    press("ArrowRight");
  }
  press("?");
  check($("help").open && english().length === 0, "nothing English in the help: " + english().join(" | "));
  $("help").close();
  for (const node of document.querySelectorAll("figure [data-m]"))
    node.dispatchEvent(new PointerEvent("pointermove", {bubbles: true, clientX: 100, clientY: 100}));
  check(english().length === 0, "nothing English when hovering: " + english().join(" | "));
  $("result").textContent = lines.join("\n") + "\nend of checks\n";
})();
</script></body>"""
head, tail = page.rsplit("</body>", 1)
open("driven.html", "w", encoding="utf-8").write(head + drive + tail)
PYTHON

timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update \
  --disable-sync --user-data-dir="$work/profile" --dump-dom "file://$work/driven.html" >dom.html 2>browser.log || {
  cat browser.log
  exit 1
}
python3 - <<'PYTHON'
import html, re, sys
found = re.search(r'<pre id="result">(.*?)</pre>', open("dom.html", encoding="utf-8").read(), re.S)
lines = html.unescape(found.group(1)).splitlines() if found else []
bad = [line for line in lines if line.startswith("not ok")]
print("\n".join(bad) or f"{len(lines) - 1} checks passed in the browser")
if bad or not lines or lines[-1] != "end of checks":
    sys.exit("the page did not get through its checks" if not bad else 1)
PYTHON
