# Pages of a scan and of a reduction: an input that is changed there leads to what a fresh run with it has, in every node.
set -euo pipefail
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "no Chromium here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scripts=$PWD
cd "$work"
printf '0\n1\n2\n-9\n4\n5\n6\n7\n' >other.csv
for algorithm in scan-blelloch scan-hillis-steele reduce-sequential; do
  for signal in ramp other.csv; do
    "$TWIDDLE" trace $algorithm --n 8 --signal $signal --runtime host -o run.twd >/dev/null
    "$TWIDDLE" export run.twd --lang en -o "$algorithm-${signal%.csv}.html"
    rm run.twd
  done
done
python3 - "$scripts" <<'PYTHON'
import pathlib, sys
sys.path.insert(0, sys.argv[1])
from browser import Browser, find_browser

# What is written in the diagram at the end, node by node. Sums that a node was added from are left out.
SHOWN = """(() => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "End", bubbles: true, cancelable: true}));
  return [...document.querySelectorAll("figure svg text[data-m]")]
    .filter((n) => getComputedStyle(n).display !== "none" && /^[−0-9.]+$/.test(n.textContent))
    .map((n) => [Math.round(n.getBoundingClientRect().x + n.getBoundingClientRect().width / 2), Math.round(n.getBoundingClientRect().y), n.textContent].join(" "));
})()"""
DRAG = """(() => {
  const handles = [...document.querySelectorAll("[data-sample='3']")];
  if (!handles.length) return "no handle";
  const node = handles[0];
  for (let i = 0; i < 12; ++i) node.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowDown", bubbles: true, cancelable: true}));
  if (!document.getElementById("live-says").textContent.includes("not a device")) return "it does not say whose arithmetic it is";
  return node.getAttribute("aria-valuenow");
})()"""
BACK = """document.getElementById("live-back").click()"""
wrong = []
with Browser(find_browser()) as browser:
    for algorithm in ("scan-blelloch", "scan-hillis-steele", "reduce-sequential"):
        shown = {}
        for signal in ("other", "ramp"):
            page = browser.open(pathlib.Path(f"{algorithm}-{signal}.html").resolve().as_uri(), 1440, 900)
            shown[signal] = page.evaluate(SHOWN)
        dragged = page.evaluate(DRAG)
        if dragged != "-9":
            wrong.append(f"{algorithm}: sample 3 is {dragged}")
            continue
        now = page.evaluate(SHOWN)
        if now == shown["ramp"]:
            wrong.append(f"{algorithm}: nothing answers")
        if sorted(now) != sorted(shown["other"]):
            wrong.append(f"{algorithm}: {sorted(set(now) ^ set(shown['other']))}")
        page.evaluate(BACK)
        if page.evaluate(SHOWN) != shown["ramp"]:
            wrong.append(f"{algorithm}: back to the log is another picture")
        wrong += [f"{algorithm}: {one}" for one in page.errors]
sys.exit("\n".join(wrong) or 0)
PYTHON
