# The one-file page in a real browser: it steps, seeks, plays and hovers, shows no value of a later step, and logs no error.
set -euo pipefail
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "no Chromium here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$TWIDDLE" trace fft-radix2 --n 8 --signal ramp -o fft8.twd >trace.txt
"$TWIDDLE" export fft8.twd -o page.html
# The same with another sample, run afresh: what the page computes when that is dragged.
printf '0\n1\n2\n-1.5\n4\n5\n6\n7\n' >other.csv
"$TWIDDLE" trace fft-radix2 --n 8 --signal other.csv -o other.twd >trace2.txt
"$TWIDDLE" export other.twd -o other.html

# A copy of the page with a driver in it: errors are caught from the first line on, and what was seen ends up in the text
# of #result. Every check is a line "ok …" or "not ok …".
python3 - <<'PYTHON'
page = open("page.html", encoding="utf-8").read()
catch = """<script>
window.errors = [];
addEventListener("error", (event) => errors.push(event.message));
addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
console.error = console.warn = (...words) => errors.push(words.join(" "));
</script>"""
import re
other = re.search(r'<script type="application/json" id="data">(.*?)</script>', open("other.html", encoding="utf-8").read(), re.S).group(1)
catch += '<script type="application/json" id="other">' + other + "</script>"
drive = r"""<pre id="result"></pre><script>
(() => {
  const lines = [];
  const check = (good, what) => lines.push((good ? "ok " : "not ok ") + what);
  const $ = (id) => document.getElementById(id);
  const press = (key, more = {}) => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true, ...more}));
  const visible = () => [...document.querySelectorAll("figure svg text")].filter((node) => getComputedStyle(node).display !== "none").map((node) => node.textContent);
  const step = () => +$("count").textContent.match(/step (\d+)/)[1];
  const whole = JSON.parse($("data").textContent);

  check(step() === 0, "opens at the start");
  check(!visible().some((text) => text.includes("28")), "no output is shown before it is written");
  // Forwards step by step; then the same pictures backwards, and by seeking.
  const pictures = [visible().join("|")], words = [$("equations").textContent];
  for (let i = 1; i <= 14; ++i) {
    press("ArrowRight");
    check(step() === i, `step ${i} by key`);
    check($("position").textContent === whole.positions[i].n, `position of step ${i}`);
    pictures.push(visible().join("|"));
    words.push($("equations").textContent);
  }
  check(pictures[14].includes("28") && !pictures[10].includes("28"), "X[0] = 28 appears with the step that writes it");
  check(words[8] === "F[1]←F[1] + w·F[3]=(−4, 0) + (0, −1)·(−4, 0)=(−4, 4)F[3]←F[1] − w·F[3]=(−4, 0) − (0, −1)·(−4, 0)=(−4, −4)",
        "the inspector spells step 8 out: " + words[8]);
  press("ArrowRight");
  check(step() === 14, "no step after the last");
  for (let i = 13; i >= 0; --i) {
    press("ArrowLeft");
    check(visible().join("|") === pictures[i], `step ${i} backwards is the same picture`);
  }
  for (const i of [9, 2, 14, 5, 0]) {
    $("scrub").value = i;
    $("scrub").dispatchEvent(new Event("input", {bubbles: true}));
    check(visible().join("|") === pictures[i], `seeking to ${i} is the same picture`);
  }
  // A link to a position; one to nowhere changes nothing.
  location.hash = "#L3.S2.I1";
  dispatchEvent(new HashChangeEvent("hashchange"));
  check(step() === 8, "a link leads to its step");
  location.hash = "#L9.S9";
  dispatchEvent(new HashChangeEvent("hashchange"));
  check(step() === 8, "a link to nowhere leads nowhere");
  press("Home");
  press("ArrowRight", {shiftKey: true});
  check(step() === 2, "Shift+Right ends the stage");
  press("End");
  press("ArrowLeft", {shiftKey: true});
  check(step() === 10, "Shift+Left goes back a stage");
  press("Home");
  check(step() === 0, "Home");
  press("PageDown");
  check(step() === 0, "Page Down belongs to lessons");

  press("g");
  check($("go-to").open, "G opens the field");
  press("ArrowRight");
  check(step() === 0, "keys belong to the open field");
  $("go-to-field").value = "l3.s2.i1";
  $("go-to").querySelector("form").requestSubmit();
  check(step() === 8, "goes to L3.S2.I1");
  $("go-to").close();
  press("?");
  check($("help").open && $("keys").rows.length > 10, "? lists the keys");
  $("help").close();
  press("b");
  check(!$("blank").hidden, "B blanks");
  press("Escape");
  check($("blank").hidden, "Esc shows again");
  const theme = getComputedStyle(document.body).backgroundColor;
  press("t");
  check(getComputedStyle(document.body).backgroundColor !== theme, "T changes the theme");
  press("+");
  check($("speed").textContent === "2×", "+ is faster");
  press("F9");
  press("Home");
  press("F2");
  check(step() === 8, "F2 goes to the bookmark that F9 set");

  // Hovering an output lights its cone and shows its value; of a later step there is none.
  press("End");
  const mark = whole.marks.findIndex((m) => m[0] === "e" && m[2] === 0 && m[3] === whole.segments.length - 1);
  const node = [...document.querySelectorAll(`figure [data-m="${mark}"]`)].find((n) => getComputedStyle(n).display !== "none");
  const over = () => node.dispatchEvent(new PointerEvent("pointermove", {bubbles: true, clientX: 100, clientY: 100}));
  over();
  check($("tip").textContent.includes("28"), "hovering tells the value: " + $("tip").textContent);
  const lit = document.querySelectorAll(".lit-line").length;
  check(lit > 30, `hovering lights the cone (${lit} shapes)`);
  press("Home");
  over();
  check(!$("tip").textContent.includes("28"), "a later value is not told: " + $("tip").textContent);

  // A sample of the first column is dragged: every text is that of a fresh run with this sample.
  press("End");
  const handles = [...document.querySelectorAll("[data-sample]")].filter((n) => getComputedStyle(n).display !== "none");
  check(handles.length === 8, `8 handles (${handles.length})`);
  check(!$("live").hidden && $("live-says").textContent.includes("not a device"), "the page says whose arithmetic it is");
  const asLogged = visible().join("|");
  const fresh = JSON.parse($("other").textContent);
  const third = handles.find((n) => n.dataset.sample === "3");
  const at = third.getBoundingClientRect();
  const pointer = (kind, x, y, node = third) => node.dispatchEvent(new PointerEvent(kind, {bubbles: true, cancelable: true, pointerId: 1, clientX: x, clientY: y, button: 0}));
  const picture = document.querySelector("figure > svg");
  picture.setPointerCapture = () => {};
  pointer("pointerdown", at.x + 5, at.y + 5);
  pointer("pointermove", at.x - 25, at.y + 5, picture);
  pointer("pointermove", at.x - 60, at.y + 5, picture);
  pointer("pointerup", at.x - 60, at.y + 5, picture);
  check(visible().join("|") !== asLogged, "what follows a dragged sample answers");
  check(document.querySelectorAll(".answers").length > 8, "what is another value is marked");
  check(!$("live-back").hidden && $("live-says").textContent.includes("not a device"), "and it says so again");
  $("live-back").click();
  check(visible().join("|") === asLogged, "back to the log is the log's picture");
  check(document.querySelectorAll(".answers").length === 0, "and nothing is marked");
  // By keys, from 3 to −1.5 in steps of a tenth.
  const key = (name) => third.dispatchEvent(new KeyboardEvent("keydown", {key: name, bubbles: true, cancelable: true}));
  for (let i = 0; i < 45; ++i) key("ArrowDown");
  check(third.getAttribute("aria-valuenow") === "-1.5", "the arrows move it: " + third.getAttribute("aria-valuenow"));
  check(step() === 14, "arrows on a sample are its own");
  // Each output says its value, with more digits, where the fresh run has it; and its node the same in as many as fit.
  const numbers = (text) => text.replaceAll("−", "-").match(/-?\d+(\.\d+)?(e-?\d+)?/g).slice(-2).map(Number);
  const far = (a, b, tolerance) => a.length !== b.length || a.some((x, i) => Math.abs(x - b[i]) > tolerance * Math.max(1, ...b.map(Math.abs)));
  const wrong = [];
  for (let i = 0; i < 8; ++i) {
    const same = (m) => m[0] === "e" && m[2] === i && m[3] === whole.segments.length - 1;
    const mark = whole.marks.findIndex(same), there = fresh.marks.findIndex(same);
    const shape = [...document.querySelectorAll(`figure [data-m="${mark}"]`)].find((n) => getComputedStyle(n).display !== "none");
    pointer("pointermove", 100, 100, shape);
    const labels = fresh.labels[there], exact = numbers(fresh.texts[labels[labels.length - 1]].split("\n")[0]);
    if (far(numbers($("tip").textContent.split("now ").pop()), exact, 2e-5)) wrong.push(JSON.stringify($("tip").textContent) + " is not " + exact);
    const texts = [...document.querySelectorAll(`figure text[data-m="${mark}"]`)].filter((n) => getComputedStyle(n).display !== "none" && n.textContent.includes("("));
    if (texts.length !== 1 || far(numbers(texts[0].textContent), exact, 0.06)) wrong.push("node of " + exact);
  }
  check(wrong.length === 0, "values are those of a fresh run: " + wrong.join("; "));
  for (const one of [".answers"]) check(document.querySelector(one) !== null, "changed values are marked");
  press("ArrowLeft");
  press("ArrowRight");
  check($("equations").textContent.includes("="), "the equations have the new values");
  for (let i = 0; i < 45; ++i) key("ArrowUp");
  check(visible().join("|") === asLogged && $("live-back").hidden, "a sample that is where it was changes nothing");

  // Nothing sounds before the button is pressed; then it is the samples at hand, repeated, without their mean, at one level.
  const made = [];
  window.AudioContext = class {
    constructor() { made.push(this); this.sampleRate = 8000; this.destination = {}; this.sides = []; this.started = 0; }
    resume() {}
    createBuffer(sides, frames) { this.frames = frames; return {copyToChannel: (curve, side) => { this.sides[side] = [...curve]; }}; }
    createBufferSource() { const at = this; return {connect() {}, start() { ++at.started; }, stop() { ++at.stopped; }}; }
  };
  check(!$("hear").hidden && made.length === 0, "the signal can be heard, and nothing sounds yet");
  $("hear").click();
  check(made.length === 1 && made[0].started === 1 && made[0].sides.length === 1 && made[0].frames >= 8000, "a second of it is played");
  const curve = made[0].sides[0], loudest = Math.max(...curve.map(Math.abs));
  check(Math.abs(loudest - 0.25) < 0.01, `at one level (${loudest})`);
  check(Math.abs(curve.reduce((sum, x) => sum + x, 0) / curve.length) < 1e-3, "without a mean");
  check(curve[0] === 0 && curve[curve.length - 1] === 0, "with fades");
  // One turn in all samples is 220 Hz: the ramp's largest wave.
  const wave = (frequency) => Math.hypot(...[Math.cos, Math.sin].map((part) => curve.reduce((sum, x, i) => sum + x * part(2 * Math.PI * frequency * i / 8000), 0)));
  check(wave(220) > 1.5 * wave(440) && wave(220) > 20 * wave(300), "one turn is a tone of 220 Hz");
  check($("heard").textContent.includes("8 samples") && $("heard").textContent.includes("220 Hz"), "and it says what it is: " + $("heard").textContent);
  check($("hear").getAttribute("aria-pressed") === "true", "the button is pressed");
  $("hear").click();
  check($("hear").getAttribute("aria-pressed") === "false", "a second press stops it");

  const unnamed = [...document.querySelectorAll("button, input, figure")].filter((n) => !n.getAttribute("aria-label") && !n.textContent.trim() && !n.labels?.length);
  check(unnamed.length === 0, "everything to press has a name");
  check(document.querySelector("[aria-live]") !== null, "the operation is read aloud");
  check(performance.getEntriesByType("resource").length === 0, "nothing is loaded");
  check(errors.length === 0, "no errors: " + errors.join("; "));
  $("result").textContent = lines.join("\n") + "\nend of checks\n";
})();
</script></body>"""
page = page.replace("<title>", catch + "<title>", 1)
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
