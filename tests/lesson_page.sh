# A lesson's page in a real browser: it goes from step to step, opens a figure and steps it, and answers right and wrong,
# in three languages; and the course as a site, whose links all lead somewhere.
set -euo pipefail
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "no Chromium here"; exit 77; }
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

for language in en ja zh; do "$TWIDDLE" lesson butterfly --lang $language -o $language.html; done
"$TWIDDLE" lesson ./evil.md -o evil.html

python3 - <<'PYTHON'
catch = """<script>
window.errors = [];
addEventListener("error", (event) => errors.push(event.message));
addEventListener("securitypolicyviolation", (event) => errors.push("policy: " + event.violatedDirective));
console.error = console.warn = (...words) => errors.push(words.join(" "));
</script>"""
drive = r"""<pre id="result"></pre><script>
(async () => {
  const lines = [];
  const check = (good, what) => lines.push((good ? "ok " : "not ok ") + what);
  const $ = (id) => document.getElementById(id);
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  const steps = document.querySelectorAll("section.step").length;
  const where = $("where").textContent;
  for (let i = 1; i < steps; ++i) press("PageDown");
  check(steps === 1 || $("where").textContent !== where, "Page Down goes on: " + $("where").textContent);
  check($("next").disabled, "the last step is the last");
  for (let i = 0; i < steps; ++i) press("PageUp");
  check($("where").textContent === where && $("previous").disabled, "Page Up goes back");

  // Every answer of every question: right ones are praised, wrong ones told why.
  const data = JSON.parse($("data").textContent);
  for (const question of document.querySelectorAll(".question")) {
    const answers = data.questions[+question.dataset.question];
    check(answers.filter((answer) => answer.right).length === 1, "one right answer");
    question.querySelectorAll("[data-answer]").forEach((button, i) => {
      button.click();
      check(question.querySelector(".verdict").textContent.includes(answers[i].why) && answers[i].why.length > 2, "why: " + answers[i].why);
      check(button.className === (answers[i].right ? "right" : "wrong"), "marked");
    });
  }

  // A figure becomes a page of its own that answers to messages.
  const figure = document.querySelector("figure");
  let answer = null;
  addEventListener("message", (event) => { if ("at" in event.data) answer = event.data; });
  figure.querySelector(".mount").click();
  const frame = figure.querySelector("iframe");
  check(frame && frame.sandbox.value === "allow-scripts", "the figure is in a sandbox");
  for (let i = 0; i < 100 && (!answer || answer.at !== +figure.dataset.step); ++i) {
    frame.contentWindow.postMessage({ask: "where"}, "*");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  check(answer && answer.at === +figure.dataset.step, "the figure stands at step " + figure.dataset.step + ": " + JSON.stringify(answer));

  const wide = [...document.querySelectorAll("body *")].filter((node) => !node.closest("svg") && node.getBoundingClientRect().right > innerWidth + 1);
  check(document.documentElement.scrollWidth <= innerWidth, "nothing is wider than the page: " + document.documentElement.scrollWidth + " " + wide.map((n) => n.tagName + "." + n.className).slice(0, 4));
  check(!document.querySelector("main").textContent.includes("\uFFFD"), "every letter is whole");
  check(document.querySelector("main").textContent.includes("TRACE_BUTTERFLY") || steps === 1, "code is code");
  check(window.ran === undefined, "nothing foreign ran");
  check(document.querySelectorAll("a[href^=http], img, section script").length === 0, "nothing leads elsewhere");
  check(!document.querySelector("main").textContent.includes("{{"), "every reference is evaluated");
  check(performance.getEntriesByType("resource").filter((entry) => /^http/.test(entry.name)).length === 0, "nothing is loaded");
  check(errors.length === 0, "no errors: " + errors.join("; "));
  $("result").textContent = lines.join("\n") + "\nend of checks\n";
})();
</script></body>"""
for name in ("en", "ja", "zh", "evil"):
    page = open(name + ".html", encoding="utf-8").read()
    page = page.replace("<title>", catch + "<title>", 1)
    head, tail = page.rsplit("</body>", 1)
    open(name + "-driven.html", "w", encoding="utf-8").write(head + drive + tail)
PYTHON

for name in en ja zh evil; do
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update \
    --disable-sync --disable-features=IsolateSandboxedIframes --virtual-time-budget=30000 --user-data-dir="$work/profile" --dump-dom "file://$work/$name-driven.html" \
    >$name.dom 2>browser.log || { cat browser.log; exit 1; }
done
python3 - <<'PYTHON'
import html, re, sys
bad = 0
for name in ("en", "ja", "zh", "evil"):
    found = re.search(r'<pre id="result">(.*?)</pre>', open(name + ".dom", encoding="utf-8").read(), re.S)
    lines = html.unescape(found.group(1)).splitlines() if found else []
    wrong = [line for line in lines if line.startswith("not ok")]
    if wrong or not lines or lines[-1] != "end of checks":
        bad += 1
        print(name + ":", *(wrong or ["the page did not get through its checks"] + lines[-3:]), sep="\n  ")
    else:
        print(f"{name}: {len(lines) - 1} checks passed in the browser")
sys.exit(bad != 0)
PYTHON
