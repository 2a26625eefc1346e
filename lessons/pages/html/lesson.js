// The player of a lesson's page: goes from step to step, opens figures to step through, and answers. What was read and answered
// is kept in this browser.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const steps = [...document.querySelectorAll("section.step")];
  const fill = (words, ...values) => words.replace(/\{\}/g, () => values.shift());
  const put = (words, values) => words.replace(/\{(\d)\}/g, (place, which) => values[which]);
  // Answers are packed, so that they are not read by chance.
  const unhidden = (text) => JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))));
  const questions = unhidden(data.questions), hintOf = unhidden(data.hints);
  const tabs = [...document.querySelectorAll("#tabs button")];
  let here = 0;
  let quiet = 0;  // until then the page scrolls by itself

  // ---- What is kept ----

  const shelf = "twiddle-lesson-" + data.id;
  const first = questions.map(() => null);  // whether the first answer was right
  const early = questions.map(() => false);  // whether its step was shown before its turn, which gives no point
  let seen = 1;
  try {
    const kept = JSON.parse(localStorage.getItem(shelf));
    if (kept && Array.isArray(kept.first) && kept.first.length === first.length) kept.first.forEach((right, i) => { first[i] = right; });
    if (kept && Array.isArray(kept.early)) kept.early.forEach((one, i) => { if (i < early.length) early[i] = one === true; });
    if (kept && kept.seen > 0) seen = Math.min(kept.seen, steps.length);
  } catch { /* no storage: the page works without */ }
  function keep() {
    const right = first.filter((one) => one).length;
    try {
      localStorage.setItem(shelf, JSON.stringify({seen, steps: steps.length, first, right, questions: first.length, early}));
    } catch { /* no storage */ }
  }

  // ---- Steps ----

  // Later steps are folded until one gets there; each can be shown at once, and none is locked. Paper and pages without script have all.
  function unfold(step) {
    if (!step.classList.contains("folded")) return;
    step.classList.remove("folded");
    step.querySelector(".unfold").remove();
    pan(step);
  }
  const linked = location.hash.length > 1 ? document.getElementById(location.hash.slice(1))?.closest("section.step") : null;
  steps.forEach((step, i) => {
    if (i < seen || step === linked) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "unfold";
    button.textContent = data.words.showNow;
    button.setAttribute("aria-describedby", step.querySelector("h2").id);
    button.addEventListener("click", () => {
      unfold(step);
      // What was not answered by then is shown, not earned.
      for (const question of step.querySelectorAll(".question")) {
        const number = +question.dataset.question;
        if (first[number] !== null) continue;
        first[number] = false;
        early[number] = true;
        tellEarly(question);
      }
      points();
      step.querySelector("h2").focus({preventScroll: true});
    });
    step.querySelector("h2").after(button);
    step.classList.add("folded");
  });
  addEventListener("hashchange", () => {
    const step = document.getElementById(location.hash.slice(1))?.closest("section.step");
    if (step) turn(steps.indexOf(step));
  });

  function turn(to, scroll = true) {
    here = Math.min(steps.length - 1, Math.max(0, to));
    unfold(steps[here]);
    $("where").textContent = fill(data.words.stepOf, here + 1, steps.length);
    seen = Math.max(seen, here + 1);
    keep();
    tabs.forEach((tab, i) => {
      tab.className = i < seen ? "seen" : "";
      if (i === here) tab.setAttribute("aria-current", "step"); else tab.removeAttribute("aria-current");
    });
    steps.forEach((step, i) => step.classList.toggle("here", i === here));
    $("previous").disabled = here === 0;
    $("next").disabled = here === steps.length - 1;
    if (!scroll) return;
    quiet = performance.now() + 1000;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    steps[here].scrollIntoView({block: "start", behavior: calm ? "auto" : "smooth"});
    steps[here].querySelector("h2").focus({preventScroll: true});
  }
  $("previous").addEventListener("click", () => turn(here - 1));
  $("next").addEventListener("click", () => turn(here + 1));
  tabs.forEach((tab, i) => tab.addEventListener("click", () => turn(i)));
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key !== "PageDown" && event.key !== "PageUp") return;
    event.preventDefault();
    turn(here + (event.key === "PageDown" ? 1 : -1));
  });
  // Scrolling moves the place, too.
  const watch = new IntersectionObserver((entries) => {
    if (performance.now() < quiet || matchMedia("print").matches) return;
    for (const entry of entries) {
      // It may have moved on since, as when a page is laid out for paper.
      const {top, bottom} = entry.target.getBoundingClientRect();
      if (entry.isIntersecting && top < innerHeight * .4 && bottom > innerHeight * .3) turn(steps.indexOf(entry.target), false);
    }
  }, {rootMargin: "-30% 0px -60% 0px"});
  for (const step of steps) watch.observe(step);

  // ---- Figures: a picture until the reader steps through it; then a page of its own in a frame. ----

  async function unpacked(text) {
    // Five characters are four bytes; fewer at the end are one byte less than they are.
    const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%()*+,-./:;=?@[]^_|~";
    const value = new Map([...letters].map((letter, i) => [letter, i]));
    const bytes = new Uint8Array(Math.floor(text.length * 4 / 5));
    for (let from = 0, to = 0; from < text.length; from += 5) {
      let word = 0;
      for (let i = 0; i < 5; ++i) word = word * 85 + (from + i < text.length ? value.get(text[from + i]) : 84);
      for (let shift = 24; shift >= 0 && to < bytes.length; shift -= 8) bytes[to++] = word / 2 ** shift & 255;
    }
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
  }
  const escaped = (text) => text.replace(/[&<>"]/g, (sign) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[sign]);
  // Where a figure is wider than its frame, the frame is moved from the left only as far as what it is about needs; an edge where
  // the figure goes on is marked.
  const margin = 24;
  function show(frame, left, right) {
    const wide = frame.scrollWidth, seen = frame.clientWidth;
    const end = right * wide + margin - seen, start = left * wide - margin;
    frame.scrollLeft = Math.max(0, Math.min(end, wide - seen, Math.max(0, start)));
  }
  function cut(frame) {
    frame.parentElement.classList.toggle("cut-left", !frame.hidden && frame.scrollLeft > 2);
    frame.parentElement.classList.toggle("cut-right", !frame.hidden && frame.scrollLeft + frame.clientWidth < frame.scrollWidth - 2);
  }
  function aim(frame) {
    const focus = (frame.parentElement.dataset.focus || "").split(" ");
    if (focus.length === 2) show(frame, +focus[0], +focus[1]);
    cut(frame);
  }
  const frames = [...document.querySelectorAll("figure > .pan")];
  function pan(within = document) {
    for (const frame of frames) if (within.contains(frame)) aim(frame);
  }
  const watched = (frame) => frame.addEventListener("scroll", () => cut(frame), {passive: true});
  frames.forEach(watched);
  addEventListener("resize", () => pan());
  for (const answer of document.querySelectorAll(".try details")) answer.addEventListener("toggle", () => pan());
  pan();
  // A step's own drawings, and those that it shows now: these, or those at the place that the paragraph being read speaks of.
  const own = (step) => step.querySelectorAll(".own > .drawing, .figures > .drawing");
  const drawn = (step) => step.querySelector(".elsewhere") ? step.querySelectorAll(".moved > .drawing") : own(step);
  // What the text names is framed in the figures beside it while it is pointed at; pressed, the page goes there.
  for (const named of document.querySelectorAll(".see")) {
    const boxes = () => {
      const figures = drawn(named.closest(".step")), numbers = named.dataset.see.split(" ").map(Number), found = [];
      for (let at = 0; at < numbers.length; at += 5) if (figures[numbers[at]]) found.push([figures[numbers[at]], ...numbers.slice(at + 1, at + 5)]);
      return found;
    };
    let marks = [];
    const light = () => {
      if (marks.length > 0) return;
      for (const [figure, x, y, w, h] of boxes()) {
        const mark = document.createElementNS("http://www.w3.org/2000/svg", "rect");
        for (const [name, value] of Object.entries({x: x - 3, y: y - 3, width: w + 6, height: h + 6, rx: 3, class: "named"})) mark.setAttribute(name, value);
        figure.querySelector(".pan > svg").append(mark);
        marks.push(mark);
      }
    };
    const dark = () => {
      if (document.activeElement === named || named.matches(":hover")) return;
      for (const mark of marks) mark.remove();
      marks = [];
    };
    named.addEventListener("pointerenter", light);
    named.addEventListener("focus", light);
    named.addEventListener("pointerleave", dark);
    named.addEventListener("blur", () => setTimeout(dark));
    named.addEventListener("click", () => {
      named.focus();
      light();
      if (marks.length === 0) return;
      const [figure, x, , w] = boxes()[0], wide = figure.querySelector(".pan > svg").viewBox.baseVal.width;
      show(figure.querySelector(".pan"), x / wide, (x + w) / wide);
      marks[0].scrollIntoView({block: "nearest", inline: "nearest"});
    });
  }
  // {follow}
  // Where a column of figures scrolls by itself, it shows whether there is more below.
  for (const column of document.querySelectorAll(".figures")) {
    // Beside a text that is seen as a whole the column is, too: cutting it would gain nothing.
    const texts = column.parentElement.querySelectorAll(":scope > .words, :scope > .tasks");
    const bottom = () => Math.max(0, ...[...texts].map((text) => text.getBoundingClientRect().bottom));
    const look = () => {
      if (!column.classList.contains("elsewhere"))
        column.classList.toggle("whole", bottom() - column.parentElement.getBoundingClientRect().top < innerHeight - 80);
      column.classList.toggle("more", column.scrollTop + column.clientHeight < column.scrollHeight - 8);
    };
    column.addEventListener("scroll", look, {passive: true});
    const sizes = new ResizeObserver(look);
    for (const one of [column, ...column.children, ...texts]) sizes.observe(one);
  }

  // {unpack}
  // All players have one shell; each has its own words, drawing and data. They are as light or dark as the page.
  const colours = () => document.querySelector("[data-choose][aria-pressed=true]")?.dataset.choose;
  document.addEventListener("themechange", () => {
    for (const frame of document.querySelectorAll("figure iframe")) frame.contentWindow.postMessage({theme: colours()}, "*");
  });
  let shell = null;
  async function playerPage(number) {
    if (shell === null) shell = await unpacked(data.shell);
    const player = JSON.parse(await unpacked(data.players[number]));
    const parts = {title: escaped(player.title), subtitle: escaped(player.subtitle), made: escaped(player.made), styles: player.styles,
                   svg: player.svg, theme: ` data-theme="${colours()}"`, data: JSON.stringify(unpackPlayer(player.data)).replace(/</g, "\\u003c")};
    return shell.replace(/\{\{(\w+)\}\}/g, (place, name) => name in parts ? parts[name] : place);
  }

  // Until the figure has loaded; `focuses`: it takes the keys.
  async function mount(figure, focuses = true, step = figure.dataset.step) {
    const button = figure.querySelector(".mount");
    if (!button || button.disabled) return;
    button.disabled = true;
    if (!window.DecompressionStream) {
      button.textContent = data.words.tooOld;
      return;
    }
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.title = figure.getAttribute("aria-label");
    // Two thirds of a wide frame are the drawing; below it are the buttons.
    const {width, height} = figure.querySelector("svg").viewBox.baseVal;
    frame.style.setProperty("--tall", `${Math.round(figure.clientWidth * 0.67 * height / width + 110)}px`);
    const loaded = new Promise((done) => frame.addEventListener("load", () => {
      frame.contentWindow.postMessage({step: +step}, "*");
      if (focuses) frame.focus();
      done();
    }));
    frame.srcdoc = await playerPage(+figure.dataset.player);
    figure.querySelector(".pan").setAttribute("hidden", "");
    cut(figure.querySelector(".pan"));
    button.remove();
    figure.append(frame);
    await loaded;
  }
  // What is shown at another place is a picture only: the step's own figure opens there in its stead.
  document.addEventListener("click", (event) => {
    const figure = event.target.closest(".mount, .pan > svg")?.closest("figure"), aside = figure?.closest(".moved");
    if (!aside) return figure && mount(figure);
    const step = figure.closest(".step"), which = [...aside.querySelectorAll(".drawing")].indexOf(figure);
    aside.parentElement.classList.remove("elsewhere");
    mount(own(step)[which], true, figure.dataset.step);
  });
  // A figure hands on the keys that belong to the lesson.
  addEventListener("message", (event) => {
    const frames = [...document.querySelectorAll("figure iframe")].map((frame) => frame.contentWindow);
    if (!frames.includes(event.source) || !event.data) return;
    if (event.data.page === 1 || event.data.page === -1) turn(here + event.data.page);
    if (event.data.theme === "light" || event.data.theme === "dark")
      document.dispatchEvent(new CustomEvent("choosetheme", {detail: event.data.theme}));
  });

  // ---- Questions ----

  function points() {
    const shown = early.filter((one) => one).length;
    if (first.length) $("points").textContent = fill(data.words.points, first.filter((right) => right).length, first.length) + (shown ? ` · ${fill(data.words.shownCount, shown)}` : "");
    keep();
  }
  function tellEarly(question) {
    const told = document.createElement("p");
    told.className = "caption early";
    told.textContent = data.words.shownEarly;
    question.querySelector(".verdict").before(told);
  }
  for (const question of document.querySelectorAll(".question")) if (early[+question.dataset.question]) tellEarly(question);
  // {hints}
  // Of all answers one is right; each is told why.
  function choose(question, answers, number) {
    const buttons = [...question.querySelectorAll("[data-answer]")];
    const labels = buttons.map((button) => button.textContent.trim());
    const mark = (button, right) => {
      button.className = right ? "right" : "wrong";
      button.setAttribute("aria-label", (right ? "✓ " : "✗ ") + labels[+button.dataset.answer]);
    };
    const tries = helped(question, () => {
      open(question);
      return hintOf[number] || data.words.look;
    }, () => {
      const right = answers.findIndex((answer) => answer.right);
      mark(buttons[right], true);
      tries.done();
      question.querySelector(".verdict").textContent = answers[right].why;
      open(question, true);
    });
    question.addEventListener("click", (event) => {
      const button = event.target.closest("[data-answer]");
      if (!button) return;
      const {right, say} = answers[+button.dataset.answer], again = button.className === "wrong";
      if (first[number] === null) first[number] = right;
      mark(button, right);
      question.querySelector(".verdict").textContent = say;
      if (right) tries.done(); else if (!again) tries.missed();
      points();
    });
  }
  // What can be put down by a press of a button can be dragged there, too: the answer that `answerAt` finds where it is let go is
  // pressed. Buttons and keys stay the way for those who do not drag.
  function draggable(question, held, answerAt) {
    let from = null, far = false;
    const light = (answer) => {
      for (const other of question.querySelectorAll(".over")) if (other !== answer) other.classList.remove("over");
      if (answer) answer.classList.add("over");
    };
    held.classList.add("held");
    held.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      from = {x: event.clientX, y: event.clientY};
      far = false;
      held.setPointerCapture(event.pointerId);
      addEventListener("keydown", escape);
    });
    held.addEventListener("pointermove", (event) => {
      if (!from) return;
      const x = event.clientX - from.x, y = event.clientY - from.y;
      far = far || Math.hypot(x, y) > 6;
      if (!far) return;
      held.style.transform = `translate(${x}px, ${y}px)`;
      light(answerAt(event.clientX, event.clientY));
    });
    const end = (event) => {
      if (!from) return;
      from = null;
      removeEventListener("keydown", escape);
      held.style.transform = "";
      light(null);
      const answer = far && event.type === "pointerup" ? answerAt(event.clientX, event.clientY) : null;
      if (answer) answer.click();
      setTimeout(() => { far = false; }, 0);  // no click follows where the drag ended elsewhere
    };
    const escape = (event) => { if (event.key === "Escape") end(event); };
    held.addEventListener("pointerup", end);
    held.addEventListener("pointercancel", end);
    // The press that ends a drag is none of its own.
    held.addEventListener("click", (event) => {
      if (far && event.isTrusted) event.stopPropagation();
      if (event.isTrusted) far = false;
    }, true);
  }
  // The answer nearest to a point, as far as a finger is wide.
  const near = (question) => (x, y) => {
    let best = null, least = 32;
    for (const answer of question.querySelectorAll("[data-answer]")) {
      const {left, right, top, bottom} = answer.getBoundingClientRect();
      const away = Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
      if (away < least) [best, least] = [answer, away];
    }
    return best;
  };

  // One thing after the other is clicked, ordered, or put in its place.
  function perform(question, {kind, rounds}, number) {
    let round = 0, clean = true;
    const verdict = question.querySelector(".verdict"), hand = question.querySelector(".hand");
    const progress = question.querySelector(".progress");
    let turned = null;  // shows a factor on its way
    const answers = [...question.querySelectorAll("[data-answer]")];
    // Half of the answers are out; then what is left to do is done, one thing after the other.
    const tries = helped(question, () => {
      const half = Math.ceil(answers.length / 2), right = rounds[round].right;
      const from = Math.min(Math.floor(right / half) * half, answers.length - half);
      answers.forEach((answer, i) => {
        const out = i < from || i >= from + half;
        answer.classList.toggle("out", out);
        answer.setAttribute("aria-disabled", String(out));
      });
      return data.words.halfLeft;
    }, () => {
      const next = () => {
        if (round === rounds.length || !tries.shown()) return;
        const of = round;
        give(rounds[of].right);
        verdict.textContent = rounds[of].why;
        later(next);
      };
      next();
    });
    function show() {
      for (const answer of question.querySelectorAll(".out")) {
        answer.classList.remove("out");
        answer.removeAttribute("aria-disabled");
      }
      if (turned) turned(null);
      if (rounds.length > 1) progress.textContent = fill(data.words.inPlace, round, rounds.length);
      if (!hand) return;
      hand.textContent = "";
      if (round === rounds.length) return;
      const chip = document.createElement("b");
      chip.innerHTML = rounds[round].prompt;
      hand.append(chip);
      draggable(question, chip, near(question));
    }
    // Elements are put in order by dragging each, in its turn, onto the row of places.
    const row = question.querySelector(".places");
    if (row)
      for (const chip of question.querySelectorAll(".chips [data-answer]"))
        draggable(question, chip, (x, y) => {
          const {left, right, top, bottom} = row.getBoundingClientRect();
          return x > left - 16 && x < right + 16 && y > top - 16 && y < bottom + 16 ? chip : null;
        });
    function give(answer) {
      const button = answers[answer], now = rounds[round], right = answer === now.right;
      for (const other of question.querySelectorAll(".wrong")) other.classList.remove("wrong");
      verdict.textContent = now.say[answer];
      if (!right) {
        clean = false;
        if (first[number] === null) first[number] = false;
        if (turned) turned.missed(answer);
        if (!button.classList.contains("right")) button.classList.add("wrong");
        tries.missed();
        points();
        return;
      }
      button.classList.add("right");
      if (kind === "order") {
        button.dataset.place = " " + (round + 1);
        const place = document.createElement("li");
        place.textContent = button.textContent;
        if (row) row.append(place);
      }
      if (kind === "place") {
        button.innerHTML = now.prompt;
        button.setAttribute("aria-label", `${button.textContent} ✓ ${button.getAttribute("aria-label")}`);
      }
      round += 1;
      if (round === rounds.length) {
        if (first[number] === null) first[number] = clean;
        tries.done();
      } else {
        tries.next();
      }
      show();
      points();
    }
    question.addEventListener("click", (event) => {
      const button = event.target.closest("[data-answer]");
      if (button && round < rounds.length) give(+button.dataset.answer);
    });
    show();
    if (kind === "place") turned = turning(question, {rounds}, () => round);
  }
  // {place}
  // {spectrum}
  for (const question of document.querySelectorAll(".question")) {
    const number = +question.dataset.question, of = questions[number];
    if (of.kind === "spectrum") fit(question, of, number);
    else if (Array.isArray(of)) choose(question, of, number);
    else perform(question, of, number);
  }
  // Keys in an exercise: a number gives that answer, arrows go from one to the next, Esc takes back what was wrong. On the circle
  // arrows go around (place.js), and sliders have keys of their own (spectrum.js).
  for (const question of document.querySelectorAll(".question")) {
    const group = question.querySelector(".answers, .chips");
    if (!group) continue;
    const buttons = [...group.querySelectorAll("[data-answer]")];
    buttons.slice(0, 9).forEach((button, i) => button.setAttribute("aria-keyshortcuts", String(i + 1)));
    const keys = document.createElement("p");
    keys.className = "keys";
    keys.textContent = fill(data.words.keys, Math.min(9, buttons.length));
    question.append(keys);
    question.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("pre")) return;
      const at = buttons.indexOf(document.activeElement), by = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
      if (/^[1-9]$/.test(event.key) && buttons[+event.key - 1]) {
        buttons[+event.key - 1].focus();
        buttons[+event.key - 1].click();
      } else if (by && at >= 0) {
        buttons[(at + by + buttons.length) % buttons.length].focus();
      } else if (event.key === "Escape") {
        for (const button of buttons.filter((one) => one.classList.contains("wrong"))) {
          button.classList.remove("wrong");
          button.removeAttribute("aria-label");
        }
        if (!buttons.some((one) => one.classList.contains("right"))) question.querySelector(".verdict").textContent = "";
      } else {
        return;
      }
      event.preventDefault();
    });
  }
  points();
  turn(0, false);
})();
