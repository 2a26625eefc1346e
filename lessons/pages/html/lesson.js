// The player of a lesson's page: goes from step to step, opens figures to step through, and answers. Points stay here.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const steps = [...document.querySelectorAll("section.step")];
  const fill = (words, ...values) => words.replace(/\{\}/g, () => values.shift());
  let here = 0;
  let quiet = 0;  // until then the page scrolls by itself

  // ---- Steps ----

  function turn(to, scroll = true) {
    here = Math.min(steps.length - 1, Math.max(0, to));
    $("where").textContent = fill(data.words.stepOf, here + 1, steps.length);
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
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key !== "PageDown" && event.key !== "PageUp") return;
    event.preventDefault();
    turn(here + (event.key === "PageDown" ? 1 : -1));
  });
  // Scrolling moves the place, too.
  const watch = new IntersectionObserver((entries) => {
    if (performance.now() < quiet) return;
    for (const entry of entries) if (entry.isIntersecting) turn(steps.indexOf(entry.target), false);
  }, {rootMargin: "-30% 0px -60% 0px"});
  for (const step of steps) watch.observe(step);

  // ---- Figures: a picture until the reader steps through it; then a page of its own in a frame. ----

  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
  }
  const escaped = (text) => text.replace(/[&<>"]/g, (sign) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[sign]);
  // All players have one shell; each has its own words, drawing and data.
  let shell = null;
  async function playerPage(number) {
    shell ??= await unpacked(data.shell);
    const player = JSON.parse(await unpacked(data.players[number]));
    const parts = {title: escaped(player.title), subtitle: escaped(player.subtitle), made: escaped(player.made), styles: player.styles,
                   svg: player.svg, data: JSON.stringify(player.data).replaceAll("<", "\\u003c")};
    return shell.replace(/\{\{(\w+)\}\}/g, (place, name) => parts[name] ?? place);
  }

  async function mount(figure) {
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
    frame.addEventListener("load", () => {
      frame.contentWindow.postMessage({step: +figure.dataset.step}, "*");
      frame.focus();
    });
    frame.srcdoc = await playerPage(+figure.dataset.player);
    figure.querySelector("svg").setAttribute("hidden", "");
    button.remove();
    figure.append(frame);
  }
  for (const button of document.querySelectorAll(".mount")) button.addEventListener("click", () => mount(button.closest("figure")));
  for (const picture of document.querySelectorAll("figure > svg")) picture.addEventListener("click", () => mount(picture.parentElement));
  // A figure hands on the keys that belong to the lesson.
  addEventListener("message", (event) => {
    const frames = [...document.querySelectorAll("figure iframe")].map((frame) => frame.contentWindow);
    if (!frames.includes(event.source) || !event.data) return;
    if (event.data.page === 1 || event.data.page === -1) turn(here + event.data.page);
  });

  // ---- Questions ----

  const first = data.questions.map(() => null);  // whether the first answer was right
  function points() {
    if (first.length) $("points").textContent = fill(data.words.points, first.filter((right) => right).length, first.length);
  }
  for (const question of document.querySelectorAll(".question")) {
    const number = +question.dataset.question;
    const verdict = question.querySelector(".verdict");
    question.addEventListener("click", (event) => {
      const button = event.target.closest("[data-answer]");
      if (!button) return;
      const {right, why} = data.questions[number][+button.dataset.answer];
      if (first[number] === null) first[number] = right;
      button.className = right ? "right" : "wrong";
      verdict.textContent = `${right ? data.words.right : data.words.notQuite} ${why}`;
      points();
    });
  }
  points();
  turn(0, false);
})();
