  // After two wrong tries a hint is offered, after three the answer: neither gives a point.
  const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  const later = (next) => setTimeout(next, calm() ? 0 : 900);
  // Opens the figure beside a question, where the question is asked; and plays it from there, and back.
  async function open(question, plays = false) {
    const step = question.closest(".step");
    for (const details of step.querySelectorAll(".try details")) details.open = false;
    const figure = [...own(step)].find((one) => one.dataset.player);
    if (!figure) return;
    step.querySelector(".figures").classList.remove("elsewhere");
    await mount(figure, false);
    const frame = figure.querySelector("iframe");
    if (!frame) return;
    const at = +figure.dataset.step, go = (to) => frame.contentWindow.postMessage({step: to}, "*");
    frame.parentElement.scrollIntoView({block: "nearest", behavior: calm() ? "auto" : "smooth"});
    if (!plays || calm()) return go(at);
    const stops = [Math.max(0, at - 1), at, at + 1, at + 2, at];
    const next = () => {
      if (stops.length === 0) return;
      go(stops.shift());
      later(next);
    };
    next();
  }
  // `hint` says where to look, `show` gives the answer. Tries are counted for one answer at a time: next() begins another.
  function helped(question, hint, show) {
    const bar = document.createElement("p"), told = document.createElement("p"), verdict = question.querySelector(".verdict");
    let wrong = 0, shown = false, over = false;
    const button = (words, press) => {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = words;
      made.hidden = true;
      made.addEventListener("click", press);
      bar.append(made);
      return made;
    };
    bar.className = "helps";
    told.className = "hint";
    told.setAttribute("role", "status");
    const away = () => {
      // A button that goes leaves what it did in the focus.
      if (bar.contains(document.activeElement)) {
        verdict.tabIndex = -1;
        verdict.focus({preventScroll: true});
      }
      for (const one of [hints, shows]) one.hidden = true;
    };
    const hints = button(data.words.hint, () => { told.textContent = hint(); });
    const shows = button(data.words.showMe, () => {
      told.textContent = "";
      shown = true;
      away();
      show();
    });
    verdict.after(bar, told);
    hints.classList.add("get-hint");
    shows.classList.add("show-me");
    return {
      missed() {
        if (over) return;
        wrong += 1;
        hints.hidden = shown || wrong < 2;
        shows.hidden = shown || wrong < 3;
      },
      next() {
        wrong = 0;
        told.textContent = "";
        if (!shown) away();
      },
      done() {
        over = true;
        told.textContent = "";
        away();
      },
      again() {
        shown = over = false;
        this.next();
      },
      shown: () => shown,
    };
  }
