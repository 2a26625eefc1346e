"""Goes through pages of lessons as a reader would: steps, figures, questions right and wrong, links; and says what fails.

    python3 drive_lessons.py FOLDER…        every .html below each
"""

import json
import math
import os
import sys
import urllib.parse

from browser import Browser, BrowserError, find_browser

# In the page: from step to step, and every answer of every question.
FITTING = r"""(wanted) => wanted.map((_, j) =>
  wanted.reduce((sum, size, k) => sum + size * Math.cos(2 * Math.PI * j * k / wanted.length), 0) / wanted.length)"""

READ = r"""(() => {
  const fitting = FITTING;
  const lines = [];
  const check = (good, what) => { if (!good) lines.push(what); };
  const $ = (id) => document.getElementById(id);
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  const main = document.querySelector("main");
  const steps = document.querySelectorAll("section.step").length;
  while (!$("previous").disabled) press("PageUp");
  const where = $("where").textContent;
  const seen = new Set([where]);
  for (let i = 1; i < steps; ++i) {
    press("PageDown");
    seen.add($("where").textContent);
  }
  check(seen.size === steps, `Page Down goes through ${steps} steps: ${[...seen]}`);
  check($("next").disabled, "the last step is the last");
  for (let i = 0; i < steps; ++i) press("PageUp");
  check($("where").textContent === where && $("previous").disabled, "Page Up goes back");

  // Every answer of every question: right ones are praised, wrong ones get their reason.
  const data = JSON.parse($("data").textContent);
  check(!/"(why|say|rounds)"/.test($("data").textContent), "answers cannot be read in the page");
  const questions = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(data.questions), (letter) => letter.charCodeAt(0))));
  let rightAtOnce = 0;
  for (const question of document.querySelectorAll(".question")) {
    const answers = questions[+question.dataset.question];
    if (answers.kind === "spectrum") {
      // The samples as they are do not fit; keys move them to some that do: the even signal with the magnitudes asked for.
      const verdict = () => question.querySelector(".verdict").textContent;
      const judge = () => { question.querySelector(".judge").click(); return verdict(); };
      const wrong = judge();
      check(/\d/.test(wrong) && wrong.length > answers.no.length && !/[{}]/.test(wrong), "why it does not fit: " + wrong);
      check(!question.classList.contains("done"), "what does not fit is not done");
      const handles = [...question.querySelectorAll("[role=slider]")];
      const to = fitting(answers.wanted);
      handles.forEach((handle, j) => {
        const steps = Math.round((to[j] - +handle.getAttribute("aria-valuenow")) / answers.step);
        for (let i = 0; i < Math.abs(steps); ++i)
          handle.dispatchEvent(new KeyboardEvent("keydown", {key: steps > 0 ? "ArrowUp" : "ArrowDown", bubbles: true, cancelable: true}));
      });
      check(judge() !== wrong && question.classList.contains("done"), "by keys it fits: " + verdict());
      check(!question.querySelector(".hear").hidden && question.querySelector(".hear").textContent.length > 1, "it can be heard");
      check([...question.querySelectorAll(".bin")].every((bin) => bin.classList.contains("fits")), "every bar fits");
      check(question.querySelectorAll(".samples .handle:not([aria-label])").length === 0, "each handle has a name");
      // Of other samples nothing is said.
      const turned = new KeyboardEvent("keydown", {key: +handles[1].getAttribute("aria-valuenow") < answers.high ? "ArrowUp" : "ArrowDown", bubbles: true, cancelable: true});
      handles[1].dispatchEvent(turned);
      check(verdict() === "" && !question.classList.contains("done"), "what was said goes with the samples: " + verdict());
      question.querySelector(".again").click();
      check(!question.classList.contains("done") && verdict() === "", "it starts again");
      continue;
    }
    if (!Array.isArray(answers)) {
      // Done, not chosen: a wrong one first, then everything in its turn.
      const verdict = () => question.querySelector(".verdict").textContent;
      const press = (answer) => question.querySelector(`[data-answer="${answer}"]`).click();
      check(answers.rounds.every((round) => new Set(round.say).size > 1), "wrong ones are told different things");
      // A factor on its way: what the page computes is what a wrong answer there is told.
      if (answers.kind === "place") {
        const round = answers.rounds[0], of = round.turning, points = [...question.querySelectorAll(".circle [data-answer]")];
        check(!!of && question.querySelectorAll(".turning:not([hidden])").length === 1, "the butterfly of the factor is seen");
        const made = () => question.querySelector(of.behind ? ".out1" : ".out0").textContent;
        points.forEach((point, i) => {
          point.focus();
          check(question.querySelector(".told").textContent.includes(made()), "what is drawn is said: " + made());
          if (i !== round.right && /[(]/.test(round.say[i])) check(round.say[i].includes(made()), `at point ${i}: ${made()}, told ${round.say[i]}`);
        });
        check(new Set(round.say).size > 3, "places are told apart");
        const arrow = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
        points[0].focus();
        arrow("ArrowLeft");
        check(document.activeElement === points[points.length - 1], "an arrow goes around the circle");
        check(question.querySelectorAll(".circle [tabindex='0']").length === 1, "one stop for Tab");
        arrow("Escape");
        check(made() === "?", "Esc takes the factor back: " + made());
        document.activeElement.blur();
        check(made() === "?", "nothing in the hand: " + made());
      }
      const wrong = answers.rounds[0].right === 0 ? 1 : 0;
      press(wrong);
      if (answers.kind === "place") {
        const rows = [...question.querySelectorAll(".tries:not([hidden]) tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent));
        check(rows.length > 1 && rows.at(-1)[1] === "?" && rows.at(-2)[2] !== rows.at(-1)[2], "what was tried is in a table, beside what the log has: " + JSON.stringify(rows));
      }
      check(verdict() === answers.rounds[0].say[wrong] && verdict().length > 2, "why not: " + verdict());
      for (const round of answers.rounds) {
        press(round.right);
        check(verdict() === round.say[round.right], "why: " + verdict());
      }
      check(question.querySelectorAll(".right").length === new Set(answers.rounds.map((round) => round.right)).size, "all is in place");
      check(question.querySelectorAll(".wrong").length === 0, "nothing wrong is left");
      continue;
    }
    const buttons = [...question.querySelectorAll("[data-answer]")];
    check(answers.filter((answer) => answer.right).length === 1, "one right answer");
    check(buttons.length === answers.length && new Set(buttons.map((button) => button.textContent)).size === buttons.length,
          "a button for each answer: " + question.textContent);
    if (answers[0].right) ++rightAtOnce;
    buttons.forEach((button, i) => {
      button.click();
      const verdict = question.querySelector(".verdict").textContent;
      check(verdict.includes(answers[i].why) && answers[i].why.length > 2, "why: " + answers[i].why);
      check(verdict === answers[i].say, "the verdict is told: " + verdict);
      check(!/^Right\. (Yes|Right)/.test(verdict), "praised once: " + verdict);
      check(button.className === (answers[i].right ? "right" : "wrong"), "marked");
    });
  }
  if (questions.length) check($("points").textContent.includes(String(rightAtOnce)), "points: " + $("points").textContent);

  const kept = JSON.parse(localStorage.getItem("twiddle-lesson-" + data.id));
  check(kept && kept.steps === steps && kept.seen === steps && kept.questions === questions.length, "progress is kept");
  const wide = [...document.querySelectorAll("body *")].filter((node) => !node.closest("figure, pre, .formula") && node.getBoundingClientRect().right > innerWidth + 1);
  check(document.documentElement.scrollWidth <= innerWidth, "nothing is wider than the page: " + wide.map((n) => n.tagName + "." + n.className).slice(0, 4));
  check(!main.textContent.includes("\uFFFD"), "every letter is whole");
  check(!main.textContent.includes("{{"), "every reference is evaluated");
  check(window.ran === undefined, "nothing foreign ran");
  check(document.querySelectorAll("a[href^=http], img, section script").length === 0, "nothing leads elsewhere");
  check(performance.getEntriesByType("resource").filter((entry) => /^http/.test(entry.name)).length === 0, "nothing is loaded");
  // What is to be tried has its figure, which is seen with the answer, in the place of the step's own.
  const seen_now = (node) => node.getClientRects().length > 0;
  for (const details of document.querySelectorAll(".try details")) {
    const step = details.closest("section"), tried = step.querySelector(".tried"), own = step.querySelector(".own");
    if (!tried) continue;  // a task that is no run
    check(!details.open && !seen_now(tried) && seen_now(own), "the run to try is hidden until its answer is asked for");
    details.open = true;
    check(seen_now(tried) && !seen_now(own), "with the answer the run to try is seen");
    check([...tried.querySelectorAll("figure")].every((figure) => figure.querySelector("svg").getBoundingClientRect().width > 100),
          "it is large enough to see");
    details.open = false;
    check(seen_now(own), "folded again, the step's own figures are back");
  }
  // A figure for each view of a step; of those with the same player the first is opened.
  const figures = [...document.querySelectorAll("figure[data-player]")];
  check(steps === 0 || document.querySelectorAll("figure").length >= steps, "every step has a figure");
  const first = figures.filter((figure, i) => figures.findIndex((other) => other.dataset.player === figure.dataset.player) === i);
  return {lines, figures: first.map((figure) => figures.indexOf(figure)), language: document.documentElement.lang,
          links: [...document.querySelectorAll("a[href]")].map((link) => link.getAttribute("href"))};
})()"""

# Where a finger goes down and up again to move each sample of the question to where it fits.
TOUCHES = r"""(async () => {
  const fitting = FITTING;
  const question = document.querySelector(".question.spectrum");
  const questions = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(JSON.parse(document.getElementById("data").textContent).questions),
                                                                       (letter) => letter.charCodeAt(0))));
  const {wanted, low, high} = questions[+question.dataset.question];
  question.querySelector(".samples").scrollIntoView({block: "center", behavior: "instant"});
  // A finger meets what was painted last.
  for (let i = 0; i < 3; ++i) await new Promise(requestAnimationFrame);
  const to = fitting(wanted);
  return [...question.querySelectorAll(".sample")].map((sample, j) => {
    const track = sample.querySelector(".track").getBoundingClientRect(), handle = sample.querySelector(".handle").getBoundingClientRect();
    return {x: track.left + track.width / 2, from: handle.top + handle.height / 2,
            to: track.bottom - track.height * (to[j] - low) / (high - low)};
  });
})()"""

def touch(page, *places):
    """A finger: down at the first place, along the others, and up."""
    for number, (x, y) in enumerate(places):
        page.browser.call("Input.dispatchTouchEvent", page.session, type="touchMove" if number else "touchStart",
                          touchPoints=[{"x": x, "y": y}])
    page.browser.call("Input.dispatchTouchEvent", page.session, type="touchEnd", touchPoints=[])


def fit_by_touch(page):
    """What is wrong with dragging samples by a finger until their spectrum fits."""
    page.browser.call("Emulation.setTouchEmulationEnabled", page.session, enabled=True)
    for track in page.evaluate(TOUCHES.replace("FITTING", FITTING)):
        touch(page, (track["x"], track["from"]), (track["x"], (track["from"] + track["to"]) / 2), (track["x"], track["to"]))
    page.evaluate("document.querySelector('.question.spectrum .judge').click()")
    page.browser.call("Emulation.setTouchEmulationEnabled", page.session, enabled=False)
    if page.evaluate("document.querySelector('.question.spectrum').classList.contains('done')"):
        return []
    return ["by touch the spectrum does not fit: " + page.evaluate("document.querySelector('.question.spectrum .verdict').textContent")]


# Where the factor in the hand is, the circle, and what would be written.
HAND = r"""(async () => {
  const question = document.querySelector(".question.place");
  // The page may still be scrolling to its step.
  for (let still = 0, last = null; still < 10; ) {
    question.scrollIntoView({block: "center", behavior: "instant"});
    await new Promise(requestAnimationFrame);
    const top = question.getBoundingClientRect().top;
    still = top === last ? still + 1 : 0;
    last = top;
  }
  const chip = question.querySelector(".hand b").getBoundingClientRect(), circle = question.querySelector(".circle").getBoundingClientRect();
  return {x: chip.left + chip.width / 2, y: chip.top + chip.height / 2, cx: circle.left + circle.width / 2,
          cy: circle.top + circle.height / 2, r: circle.width * 0.36};
})()"""


def place_by_mouse(page):
    """What is wrong with dragging the first factor to a place that is not its own: the outputs follow it, and it is judged."""
    wrong = []
    at = page.evaluate(HAND)
    mouse = lambda kind, x, y: page.browser.call("Input.dispatchMouseEvent", page.session, type=kind, x=x, y=y, button="left",
                                                 buttons=1, clickCount=1)
    seen = "document.querySelector('.question.place .told').textContent"
    mouse("mousePressed", at["x"], at["y"])
    told = []
    for turn in (0.3, 0.55, 0.7854):  # clockwise, up to an eighth
        mouse("mouseMoved", at["cx"] + at["r"] * math.cos(turn), at["cy"] + at["r"] * math.sin(turn))
        told.append(page.evaluate(seen))
    if len(set(told)) != 3 or not all(told):
        wrong.append(f"outputs do not follow the factor: {told}")
    mouse("mouseReleased", at["cx"] + at["r"] * math.cos(0.7854), at["cy"] + at["r"] * math.sin(0.7854))
    if not page.evaluate("document.querySelector('.question.place .wrong') && document.querySelector('.question.place .verdict').textContent"):
        wrong.append("a factor that is let go in the wrong place is not judged")
    return wrong


# Progress as a line of text: written, refused where it is none, and read where nothing is kept.
PROGRESS = r"""(async () => {
  const lines = [];
  const check = (good, what) => { if (!good) lines.push(what); };
  const $ = (id) => document.getElementById(id);
  const entries = [...document.querySelectorAll("[data-id]")], ids = entries.map((entry) => entry.dataset.id);
  const shelf = (id) => "twiddle-lesson-" + id, was = ids.map((id) => localStorage.getItem(shelf(id)));
  const clear = () => ids.forEach((id) => localStorage.removeItem(shelf(id)));
  const read = (text) => { $("progress-line").value = text; $("progress-read").click(); return $("progress-said").textContent; };
  const kept = () => ids.map((id) => localStorage.getItem(shelf(id)));
  clear();
  localStorage.setItem(shelf(ids[0]), JSON.stringify({seen: 2, steps: 5, first: [true, false, null], right: 1, questions: 3}));
  $("progress").open = true;
  await new Promise((done) => setTimeout(done, 50));
  const line = $("progress-line").value;
  check(line === `twiddle-progress ${ids[0]}:2/5:+-.`, "what is kept is in the line: " + line);
  const before = kept()[0];
  clear();
  // Lines, and what each says once it is read and written again; null: it is no such line.
  const named = (text) => text.replace(/\{([01])\}/g, (_, i) => ids[i]);
  if (ids.length > 1) for (const [given, wanted] of LINES) {
    const said = read(named(given));
    if (wanted === null) check(said.length > 4 && kept().every((one) => one === null), "no line of progress: " + named(given));
    else check($("progress-line").value === named(wanted), `${named(given)} is ${named(wanted)}, not ${$("progress-line").value}: ${said}`);
    clear();
  }
  check(/1/.test(read(`  ${line} unheard-of:1/2:+`)), "it is said how much was read");
  check(kept()[0] === before, "it is as it was: " + kept()[0]);
  check(/2/.test(entries[0].querySelector(".score").textContent), "and shown: " + entries[0].textContent);
  check(!$("go-on") || !$("go-on").hidden, "one can go on");
  // What is known here stays.
  read(`twiddle-progress ${ids[0]}:1/5:-+-`);
  check(kept()[0] === JSON.stringify({seen: 2, steps: 5, first: [true, false, false], right: 1, questions: 3}), "both are kept: " + kept()[0]);
  read(`twiddle-progress ${ids[0]}:1/9:+`);
  check(JSON.parse(kept()[0]).steps === 5, "another lesson of this name is left");
  clear();
  was.forEach((one, i) => { if (one !== null) localStorage.setItem(shelf(ids[i]), one); });
  $("progress").open = false;
  return lines;
})()"""


def progress_lines():
    """The table that the window's reader is held against, too (tests/lessons/test_lesson_help.cpp)."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/progress_lines.json"), encoding="utf-8") as table:
        return json.dumps(json.load(table))


# The paragraph at 40 % of the height is the current one, with its bar; what it names is framed, and nothing else.
FOLLOWS = r"""(async () => {
  const lines = [];
  const check = (good, what) => { if (!good) lines.push(what); };
  const drawn = async () => { for (let i = 0; i < 3; ++i) await new Promise(requestAnimationFrame); };
  const name = (node) => node.textContent.trim().slice(0, 40);
  let named = 0;
  for (const block of document.querySelectorAll(".text > p:not(.caption), .text > ul, .text > ol, .text > .formula")) {
    let box = block.getBoundingClientRect();
    scrollTo({top: scrollY + box.top + Math.min(box.height / 2, 20) - innerHeight * .4, behavior: "instant"});
    await drawn();
    const column = block.closest(".step").querySelector(".figures"), {moved, step} = block.dataset;
    for (let i = 0; moved !== undefined && i < 100 && !column.matches(".elsewhere:has(.moved .drawing)"); ++i) await drawn();
    box = block.getBoundingClientRect();
    if (Math.abs(box.top + Math.min(box.height / 2, 20) - innerHeight * .4) > 2) continue;  // too near to the page's top or end
    const current = [...document.querySelectorAll(".current")];
    check(current.length === 1 && current[0] === block, `current is ${current.map(name)}, not ${name(block)}`);
    const bars = [...document.querySelectorAll(".now-bar")].filter((bar) => bar.getClientRects().length);
    const bar = bars[0]?.getBoundingClientRect();
    check(bars.length === 1 && Math.abs(bar.width - 4) < .1 && Math.abs(box.left - bar.left - 16) < 1, `a bar of 4, 16 to the left: ${bar?.width}, ${box.left - bar?.left}`);
    check(bar && Math.abs(bar.top - box.top) < 1.5 && Math.abs(bar.height - box.height) < 1.5, `as tall as its paragraph: ${bar?.top} ${box.top}`);
    const shown = [...column.querySelectorAll(".drawing")].filter((one) => one.getClientRects().length);
    check(document.querySelectorAll(".elsewhere").length === (moved === undefined ? 0 : 1), `figures elsewhere: ${moved}`);
    check(moved === undefined || (shown.length > 0 && shown.every((one) => one.dataset.step === step)), `figures go to step ${step}: ${shown.map((one) => one.dataset.step)}`);
    await drawn();
    const places = [...block.querySelectorAll(".see")].reduce((sum, see) => sum + see.dataset.see.split(" ").length / 5, 0);
    named += places;
    check(document.querySelectorAll(".followed").length === places, `${places} framed: ${document.querySelectorAll(".followed").length}`);
  }
  check(named > 0 || !document.querySelector(".text .see"), "something is framed");
  scrollTo({top: 0, behavior: "instant"});
  return lines.slice(0, 6);
})()"""

# An exercise by keys that are really pressed: numbers, arrows, Enter and Esc. Its first answers are on the page afterwards.
def by_keys(page):
    wrong = []
    question = "document.querySelector('.question:has(.answers, .chips)')"
    at = f"[...{question}.querySelectorAll('[data-answer]')].indexOf(document.activeElement)"
    told = f"{question}.querySelector('.verdict').textContent"
    marked = f"{question}.querySelectorAll('.wrong, .right').length"
    count = page.evaluate(f"{question}.querySelectorAll('[data-answer]').length")
    page.evaluate(f"{question}.querySelector('[data-answer]').focus()")
    page.press("ArrowRight")
    if page.evaluate(at) != 1:
        wrong.append(f"ArrowRight goes to answer {page.evaluate(at)}")
    page.press("ArrowLeft")
    page.press("ArrowLeft")
    if page.evaluate(at) != count - 1:
        wrong.append(f"ArrowLeft goes to answer {page.evaluate(at)} of {count}")
    if page.evaluate(marked) or page.evaluate(told):
        wrong.append("arrows answer")
    page.press("2")
    if page.evaluate(at) != 1 or not page.evaluate(told) or page.evaluate(marked) != 1:
        wrong.append("2 does not give the second answer")
    if page.evaluate(f"!!{question}.querySelector('.right')"):
        return wrong  # nothing to take back
    page.press("Escape")
    if page.evaluate(marked) or page.evaluate(told):
        wrong.append("Esc does not take back what was wrong")
    if not page.evaluate(f"{question}.querySelector('.keys').textContent.includes('{min(9, count)}')"):
        wrong.append("the keys are not told")
    return wrong


# Steps that one has not got to are folded, by their heading and a button; paper has all.
FOLDS = r"""(() => {
  const lines = [];
  const check = (good, what) => { if (!good) lines.push(what); };
  const steps = [...document.querySelectorAll("section.step")], shown = (step) => step.querySelector(".words").getClientRects().length > 0;
  // A short first step may have the next one in sight.
  const {id} = JSON.parse(document.getElementById("data").textContent), {seen} = JSON.parse(localStorage.getItem("twiddle-lesson-" + id));
  check(seen < 3 && steps.slice(0, seen).every(shown), "the first step is open");
  check(steps.slice(seen).every((step) => !shown(step) && step.querySelector("h2").getClientRects().length && step.querySelector(".unfold")),
        "later steps are folded");
  if (steps.length < seen + 2) return lines;
  const last = steps.at(-1);
  last.querySelector(".unfold").click();
  check(shown(last) && !last.querySelector(".unfold") && last.contains(document.activeElement), "one can be shown now");
  check(!shown(steps[seen]), "and no other with it");
  const asked = last.querySelectorAll(".question").length;
  check(last.querySelectorAll(".early").length === asked && document.querySelectorAll(".early").length === asked, "its questions are shown, not earned");
  for (const question of last.querySelectorAll(".question:has(.answers)")) {
    const points = document.getElementById("points").textContent;
    for (const button of question.querySelectorAll("[data-answer]")) button.click();
    check(document.getElementById("points").textContent === points && question.querySelector(".answers .right"), "a right answer to it earns nothing");
  }
  for (let i = 0; i < seen; ++i) document.getElementById("next").click();
  check(shown(steps[seen]), "the next step opens when one gets there");
  return lines;
})()"""
ON_PAPER = """[...document.querySelectorAll("section.step")].every((step) => step.querySelector(".words").getClientRects().length &&
  step.querySelector(".figures").getClientRects().length) && ![...document.querySelectorAll(".unfold")].some((one) => one.getClientRects().length) &&
  [...document.querySelectorAll(".question .source")].every((one) => one.getClientRects().length)"""


def folded(browser, address):
    """What is wrong with the folds of a page that was not read yet."""
    page = browser.open(address)
    # What this page would write of itself from now on is not kept.
    page.evaluate("Storage.prototype.setItem = () => {}; localStorage.removeItem('twiddle-lesson-' + JSON.parse(document.getElementById('data').textContent).id)")
    page.close()
    page = browser.open(address)
    page.browser.call("Emulation.setEmulatedMedia", page.session, media="print", features=[])
    wrong = [] if page.evaluate(ON_PAPER) else ["on paper steps, or kernels of questions, are missing"]
    page.browser.call("Emulation.setEmulatedMedia", page.session, media="", features=[])
    wrong += page.evaluate(FOLDS) + [f"the console says: {error}" for error in page.errors]
    page.close()
    return wrong


# Of every question: no help at once, a hint after two wrong tries, the answer after three, which gives no point.
HELPS = r"""(async () => {
  const lines = [];
  const check = (good, what) => { if (!good) lines.push(what); };
  const data = JSON.parse(document.getElementById("data").textContent);
  const questions = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(data.questions), (letter) => letter.charCodeAt(0))));
  const until = async (holds) => {
    for (let i = 0; i < 250 && !holds(); ++i) await new Promise((done) => setTimeout(done, 20));
    return holds();
  };
  for (const question of document.querySelectorAll(".question")) {
    const answers = questions[+question.dataset.question], kind = answers.kind ?? "choice";
    const hint = question.querySelector(".get-hint"), show = question.querySelector(".show-me");
    const verdict = () => question.querySelector(".verdict").textContent;
    const offered = () => [!hint.hidden, !show.hidden].join();
    const buttons = [...question.querySelectorAll("[data-answer]")];
    const right = kind === "choice" ? answers.findIndex((answer) => answer.right) : answers.rounds?.[0].right;
    const wrong = buttons.filter((_, i) => i !== right);
    const miss = (i) => kind === "spectrum" ? question.querySelector(".judge").click() : (wrong[i] ?? (kind === "choice" ? null : wrong[0]))?.click();
    const all = kind !== "choice" || wrong.length > 2;
    check(offered() === "false,false", `${kind}: no help at once`);
    miss(0);
    check(offered() === "false,false", `${kind}: no help after one try`);
    if (kind === "choice") {
      miss(0);
      check(offered() === "false,false", "the same answer once more is no other try");
    }
    miss(1);
    if (kind === "choice" && wrong.length < 2) continue;
    check(offered() === "true,false", `${kind}: a hint after two tries: ${offered()}`);
    hint.click();
    const told = question.querySelector(".hint").textContent;
    check(told.length > 4 && !/[{}]/.test(told), `${kind}: the hint says something: ${told}`);
    check(kind !== "choice" || told !== data.words.look, `${kind}: the hint is the question's own: ${question.querySelector(".asked").textContent}`);
    const out = [...question.querySelectorAll(".out")];
    if (answers.rounds) check(out.length > 0 && !out.includes(buttons[right]) && out.length < buttons.length, `${kind}: some are out: ${out.length}`);
    // The step's own, which is seen then: not a picture of another place that a paragraph had led to.
    const figure = question.closest(".step").querySelector(":is(.own, .figures) > figure[data-player]");
    if (kind === "choice" && figure) check(await until(() => figure.querySelector("iframe")?.getClientRects().length), "the hint opens the figure");
    if (!all) continue;
    const points = document.getElementById("points").textContent;
    miss(2);
    check(offered() === "true,true", `${kind}: the answer after three tries: ${offered()}`);
    show.focus();
    show.click();
    check(offered() === "false,false", `${kind}: what was shown is not offered again`);
    check(question.contains(document.activeElement), `${kind}: the focus stays in the exercise`);
    const done = kind === "spectrum" ? () => question.classList.contains("done")
      : kind === "choice" ? () => buttons[right].className === "right"
      : () => question.querySelectorAll(".right").length === new Set(answers.rounds.map((round) => round.right)).size;
    check(await until(done), `${kind}: the answer is shown: ${verdict()}`);
    check(verdict().length > 2, `${kind}: with its reason`);
    check(document.getElementById("points").textContent === points, `${kind}: it gives no point`);
    buttons[0]?.click();
    check(offered() === "false,false", `${kind}: nothing more is offered`);
  }
  return lines;
})()"""


def helped(browser, address):
    """What is wrong with hints and answers on a page that was not answered yet."""
    page = browser.open(address)
    wrong = []
    if page.evaluate("!!document.querySelector('.question')"):
        page.browser.call("Emulation.setEmulatedMedia", page.session, media="",
                          features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        wrong = page.evaluate(FOLLOWS) + page.evaluate(HELPS)
    if page.evaluate("!!document.querySelector('.question:has(.answers, .chips)')"):
        wrong += [f"the console says: {error}" for error in page.errors]
        page.close()
        page = browser.open(address)
        wrong += by_keys(page)
    wrong += [f"the console says: {error}" for error in page.errors]
    page.close()
    return wrong


# What is written in figures in type of less than 11 px, or 9 of a number that is raised or lowered.
SMALL = r"""(within) => [...within.querySelectorAll("figure svg text:not(.off)")].flatMap((text) => {
  const matrix = text.getClientRects().length ? text.getScreenCTM() : null;
  const size = matrix && parseFloat(getComputedStyle(text).fontSize) * matrix.a;
  return matrix && size < (/^[−-]?\d+$/.test(text.textContent) ? 8.9 : 10.9) ? [`"${text.textContent}" is ${size.toFixed(1)} px`] : [];
})"""

# The same at a size, with every step opened: of its own figures, those of what is to be tried, and those that a paragraph moves to.
LEGIBLE = r"""(async () => {
  const small = SMALL, lines = new Set();
  const look = (within, what) => { for (const line of small(within)) lines.add(`${what}: ${line}`); };
  for (const step of document.querySelectorAll(".step")) {
    look(step, step.id);
    for (const block of step.querySelectorAll("[data-moved]")) {
      block.scrollIntoView({block: "start", behavior: "instant"});
      scrollBy({top: 20 - innerHeight * .4, behavior: "instant"});
      for (let i = 0; i < 10 && !step.querySelector(".elsewhere"); ++i) await new Promise(requestAnimationFrame);
      look(step, `${step.id}, moved`);
    }
    const answer = step.querySelector(".try details"), was = answer?.open;
    if (!answer) continue;
    answer.open = true;
    look(step, `${step.id}, tried`);
    answer.open = was;
  }
  scrollTo({top: 0, behavior: "instant"});
  return [...lines].slice(0, 4);
})()"""

# At a size, on every step: what is wider than the page, and what a box cuts off.
SIZES = [(390, 844), (1024, 768), (1280, 900), (1920, 900)]
FITS = r"""(() => {
  const lines = new Set();
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  const next = document.getElementById("next"), previous = document.getElementById("previous");
  while (previous && !previous.disabled) press("PageUp");
  for (let more = true; more; ) {
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) lines.add(`the page scrolls sideways: ${root.scrollWidth} of ${innerWidth}`);
    for (const node of document.querySelectorAll("body *")) {
      if (node.closest("figure, pre, .formula, svg, script, dialog") || !node.textContent.trim()) continue;
      const box = node.getBoundingClientRect(), style = getComputedStyle(node);
      if (box.width <= 1 || box.height <= 1 || style.visibility === "hidden") continue;
      const name = `${node.tagName}.${node.className}: ${node.textContent.trim().slice(0, 40)}`;
      // What scrolls in a box of its own may be wider than it.
      let scrolls = false;
      for (let up = node.parentElement; up && up !== document.body; up = up.parentElement)
        scrolls ||= /auto|scroll/.test(getComputedStyle(up).overflowX);
      if (!scrolls && (box.right > innerWidth + 1 || box.left < -1)) lines.add("out of the page: " + name);
      if (/hidden|clip/.test(style.overflowX) && node.scrollWidth > node.clientWidth + 1) lines.add("cut: " + name);
    }
    more = next && !next.disabled;
    if (more) press("PageDown");
  }
  return [...lines];
})()"""


def fit_in_sizes(page):
    wrong = []
    for width, height in SIZES:
        page.browser.call("Emulation.setDeviceMetricsOverride", page.session, width=width, height=height,
                          deviceScaleFactor=1, mobile=False)
        wrong += [f"{width} px: {line}" for line in page.evaluate(FITS)]
        if page.evaluate("!!document.querySelector('section.step')"):
            wrong += [f"{width} px: {line}" for line in page.evaluate(LEGIBLE.replace("SMALL", SMALL))]
    page.browser.call("Emulation.clearDeviceMetricsOverride", page.session)
    return wrong


# Light and dark: the switch that is not chosen is pressed, twice; both are kept, and have a contrast of 4.5 to 1 in figures (axe-core
# looks at the rest).
THEMES = r"""(() => {
  const lines = [];
  const root = document.documentElement, buttons = [...document.querySelectorAll("[data-choose]")];
  const check = (good, what) => { if (!good) lines.push(what); };
  check(buttons.length === 2 && !buttons[0].closest("[hidden]"), "a switch of two: " + buttons.length);
  const channels = (colour) => (colour.match(/[\d.]+/g) || []).map(Number);
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const over = (rgb, alpha, below) => rgb.map((c, i) => alpha * c + (1 - alpha) * below[i]);
  // What a point of a drawing is, painted with all shapes before a text.
  function figures() {
    const canvas = channels(getComputedStyle(root).backgroundColor).slice(0, 3);
    for (const svg of document.querySelectorAll("figure svg")) {
      if (!svg.getClientRects().length) continue;
      const shapes = [];
      for (const node of svg.querySelectorAll("rect, path, circle, polygon, polyline, line, text")) {
        if (node.closest("clipPath, defs")) continue;
        const style = getComputedStyle(node);
        if (style.display === "none" || style.visibility === "hidden" || style.fill === "none") continue;
        const rgb = channels(style.fill), alpha = +style.opacity * +style.fillOpacity * (rgb[3] ?? 1), box = node.getBBox();
        if (node.tagName !== "text") {
          shapes.push({node, rgb: rgb.slice(0, 3), alpha, box});
          continue;
        }
        const at = svg.createSVGPoint();
        at.x = box.x + box.width / 2, at.y = box.y + box.height / 2;
        let ground = canvas;
        for (const {node: shape, rgb: fill, alpha: share, box: around} of shapes)
          if (at.x >= around.x && at.x <= around.x + around.width && at.y >= around.y && at.y <= around.y + around.height &&
              shape.isPointInFill(at)) ground = over(fill, share, ground);
        const [high, low] = [luminance(over(rgb.slice(0, 3), alpha, ground)), luminance(ground)].sort((a, b) => b - a);
        const ratio = (high + 0.05) / (low + 0.05);
        // A tag's letter says what its shape says, too: as a mark has.
        const least = /^[a-d]$/.test(node.textContent) ? 3 : 4.45;
        check(ratio >= least, `${theme()}: "${node.textContent}" has ${ratio.toFixed(2)} to 1`);
      }
    }
  }
  const theme = () => buttons.find((button) => button.getAttribute("aria-pressed") === "true")?.dataset.choose;
  const was = theme(), grounds = new Set();
  for (let i = 0; i < 2; ++i) {
    const wanted = theme() === "dark" ? "light" : "dark";
    buttons.find((button) => button.dataset.choose === wanted).click();
    check(theme() === wanted, `${wanted} is pressed`);
    grounds.add(getComputedStyle(root).backgroundColor);
    check((localStorage.getItem("twiddle-theme") ?? was) === wanted, `${wanted} is kept`);
    figures();
  }
  check(theme() === was && grounds.size === 2, "light and dark are not the same");
  check(localStorage.getItem("twiddle-theme") === null, "what the system has is followed again");
  return lines.slice(0, 6);
})()"""

# Paper is bright, whatever was chosen.
PRINTED = r"""(() => {
  const [r, g, b] = getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g).map(Number);
  return r + g + b > 700 ? [] : [`printed on ${r}, ${g}, ${b}`];
})()"""


def in_both_themes(page):
    wrong = page.evaluate(THEMES)
    page.evaluate("document.querySelector('[data-choose=dark]').click()")
    # Figures that were opened turn with the page.
    for world in page.frames():
        if not page.evaluate("""(async () => {
              for (let i = 0; i < 100 && document.documentElement.dataset.theme !== "dark"; ++i) await new Promise((done) => setTimeout(done, 20));
              return document.documentElement.dataset.theme === "dark";
            })()""", world):
            wrong.append("an opened figure stays light")
    page.browser.call("Emulation.setEmulatedMedia", page.session, media="print",
                      features=[{"name": "prefers-color-scheme", "value": "dark"}])
    wrong += page.evaluate(PRINTED)
    page.browser.call("Emulation.setEmulatedMedia", page.session, media="", features=[])
    page.evaluate("document.querySelector('[data-choose=light]').click()")
    return wrong


OPEN = r"""(async () => {
  const figure = document.querySelectorAll("figure[data-player]")[%d];
  for (const details of figure.closest("section").querySelectorAll(".try details")) details.open = !!figure.closest(".tried");
  // Listened for before the click: a small figure may have loaded before its frame is looked for.
  const loaded = new Promise((done) => figure.addEventListener("load", (event) => done(event.target), {capture: true}));
  figure.querySelector(".mount").click();
  const frame = await Promise.race([loaded, new Promise((done) => setTimeout(done, 20000))]);
  if (!frame) throw new Error("the figure does not open: " + figure.textContent.slice(-80));
  return {step: +figure.dataset.step, sandbox: frame.sandbox.value, tall: frame.clientHeight};
})()"""

# In the frame of a figure, which is a page of its own: to the step that the figure was at, on, and back again.
STEP = r"""(async () => {
  const lines = [];
  const check = (good, what) => { if (!good) lines.push(what); };
  const $ = (id) => document.getElementById(id);
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  const positions = JSON.parse($("data").textContent).positions;
  const at = () => +$("scrub").value;
  const small = SMALL;
  for (let i = 0; i < 100 && positions[at()].s !== %d; ++i) await new Promise((done) => setTimeout(done, 20));
  check(positions[at()].s === %d, `the figure is where the lesson is: ${positions[at()].s}, not %d`);
  const picture = () => [...document.querySelectorAll("figure > svg [class^=k]")]
    .map((node) => node.tagName + (node.getAttribute("x") ?? node.getAttribute("d")) + node.getAttribute("class") + (node.tagName === "text" ? node.textContent : "")).join("|");
  const told = () => $("title").textContent + $("position").textContent + $("equations").textContent + $("count").textContent;
  press("End");
  const end = picture();
  press("Home");
  const pictures = [picture()], words = [told()];
  check(pictures[0].length > 20, "there is a picture");
  const last = Math.min(8, positions.length - 1);
  for (let i = 1; i <= last; ++i) {
    press("ArrowRight");
    check(at() === i, `step ${i} by key`);
    pictures.push(picture());
    words.push(told());
  }
  check(new Set(words).size === last + 1, "every step tells something else");
  check(new Set([end, ...pictures]).size > 1 || last === 0, "the picture changes");
  for (let i = last - 1; i >= 0; --i) {
    press("ArrowLeft");
    check(picture() === pictures[i] && told() === words[i], `step ${i} backwards is the same`);
  }
  press("End");
  check(at() === positions.length - 1, "End");
  check(small(document).length === 0, `too small: ${small(document).slice(0, 3)}`);
  const unnamed = [...document.querySelectorAll("button, input, figure")].filter((n) => !n.getAttribute("aria-label") && !n.textContent.trim() && !n.labels?.length);
  check(unnamed.length === 0, "everything to press has a name");
  check(!document.body.textContent.includes("\uFFFD"), "every letter is whole");
  return {lines, language: document.documentElement.lang};
})()"""


def drive(browser, file):
    """What is wrong with a page, and how many figures were stepped."""
    wrong, opened = [], 0
    page = browser.open("file://" + urllib.parse.quote(os.path.abspath(file)))
    contents = page.evaluate("!document.getElementById('where')")
    is_lesson = page.evaluate("!!document.querySelector('section.step .words')")
    links = []
    if page.evaluate("!!document.querySelector('section.answers')"):
        if page.evaluate("document.querySelectorAll('.plan tbody tr').length") < 1:
            wrong.append("the answer key has no steps")
    elif contents:
        links = page.evaluate("[...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href'))")
        if page.evaluate("document.querySelectorAll('.course li, .glossary tbody tr').length") < 1:
            wrong.append("the contents are empty")
        if page.evaluate("!!document.querySelector('[data-id]')"):
            wrong += page.evaluate(PROGRESS.replace("LINES", progress_lines()))
    else:
        where = "document.getElementById('where').textContent"
        before, only = page.evaluate(where), page.evaluate("document.querySelectorAll('section.step').length") == 1
        page.press("PageDown")
        if page.evaluate(where) == before and not only:
            wrong.append("a key that is really pressed does nothing")
        page.evaluate("while (!document.getElementById('next').disabled) document.getElementById('next').click()")
        if page.evaluate("!!document.querySelector('.question.place')"):
            wrong += place_by_mouse(page)
        seen = page.evaluate(READ.replace("FITTING", FITTING))
        wrong += seen["lines"]
        links = seen["links"]
        if page.evaluate("!!document.querySelector('.question.spectrum')"):
            wrong += fit_by_touch(page)
        for number in seen["figures"]:
            known = set(page.frames())
            figure = page.evaluate(OPEN % number)
            if figure["tall"] < 300:
                wrong.append(f"figure {number + 1} opens {figure['tall']} px tall")
            if figure["sandbox"] != "allow-scripts":
                wrong.append("the figure is not in a sandbox")
            frames = [world for world in page.frames() if world not in known]
            stepped = page.evaluate((STEP % ((figure["step"],) * 3)).replace("SMALL", SMALL), frames[-1])
            wrong += [f"figure {number + 1}: {line}" for line in stepped["lines"]]
            if stepped["language"] != seen["language"]:
                wrong.append(f"figure {number + 1} speaks {stepped['language']}, the page {seen['language']}")
            opened += 1
    wrong += in_both_themes(page)
    for link in links:
        name, _, part = link.partition("#")
        to = os.path.join(os.path.dirname(file), name)
        if not os.path.exists(to) or (part and f'id="{part}"' not in open(to, encoding="utf-8").read()):
            wrong.append(f"a link leads to {link}, which is not there")
    wrong += fit_in_sizes(page)
    wrong += [f"the console says: {error}" for error in page.errors]
    page.close()
    address = "file://" + urllib.parse.quote(os.path.abspath(file))
    if is_lesson:
        wrong += helped(browser, address) + folded(browser, address)
    return wrong, opened


def main():
    program = find_browser()
    files = sorted(os.path.join(folder, name) for top in sys.argv[1:] for folder, _, names in os.walk(top)
                   for name in names if name.endswith(".html"))
    # A ninth of them, others in each turn, pages as well as keys; all at night.
    if not os.environ.get("TWIDDLE_TEST_ALL"):
        turn = int(os.environ.get("TWIDDLE_TEST_TURN") or 0)
        files = [file for number, file in enumerate(files) if (number - turn) % 9 == 0 or os.path.dirname(file) in sys.argv[1:]]
    bad, figures = 0, 0
    with Browser(program) as browser:
        for file in files:
            try:
                wrong, opened = drive(browser, file)
            except BrowserError as error:
                wrong, opened = [str(error)], 0
            figures += opened
            if wrong:
                bad += 1
                print(file + ":", *wrong[:8], sep="\n  ")
    print(f"{len(files)} pages read, {figures} figures stepped through, {bad} pages with something wrong")
    sys.exit(bad != 0 or not files)


main()
