  // The paragraph at 40 % of the window's height is current: it has a bar, and the figures beside it go to what it names and frame it.
  // Who moves a figure by hand has it until the next paragraph.
  function follow() {
    const blocks = steps.flatMap((step) => [...step.querySelectorAll(".text > :not(.caption):not(.now-bar)")]);
    const bars = new Map();  // of each text
    let current = null, waits = false, held = false, frames = [];
    const unframe = () => {
      for (const frame of frames) frame.remove();
      frames = [];
    };
    // What the paragraph names first is panned to; all that it names is framed.
    function lead(block) {
      unframe();
      const panned = new Set();
      for (const named of block.querySelectorAll(".see")) {
        const figures = drawn(named.closest(".step"));
        const numbers = named.dataset.see.split(" ").map(Number);
        for (let at = 0; at < numbers.length; at += 5) {
          const figure = figures[numbers[at]], svg = figure?.querySelector(".pan > svg");
          if (!svg) continue;
          const [x, y, w, h] = numbers.slice(at + 1, at + 5), frame = document.createElementNS("http://www.w3.org/2000/svg", "rect");
          for (const [name, value] of Object.entries({x: x - 3, y: y - 3, width: w + 6, height: h + 6, rx: 3, class: "followed"})) frame.setAttribute(name, value);
          svg.append(frame);
          frames.push(frame);
          if (panned.has(figure) || held) continue;
          panned.add(figure);
          show(svg.parentElement, x / svg.viewBox.baseVal.width, (x + w) / svg.viewBox.baseVal.width);
        }
      }
    }
    // Where the paragraph speaks of another place than the figures show, they go there, and come back after it; a figure that was
    // opened steps there.
    const places = new Map();  // what was unpacked
    let away = null;           // the column of figures that is elsewhere
    async function go(block) {
      const column = block?.closest(".step").querySelector(".figures"), {moved, step} = block?.dataset || {};
      if (away && away !== column) back();
      if (!column) return;
      const opened = [...own(column)].filter((figure) => figure.querySelector("iframe"));
      if (moved === undefined || column.parentElement.querySelector(".try details[open]")) return back();
      if (opened.length > 0) {
        for (const figure of opened) figure.querySelector("iframe").contentWindow.postMessage({step: +step}, "*");
        away = column;
        return;
      }
      if (!window.DecompressionStream) return;
      if (!places.has(moved)) places.set(moved, await unpacked(data.moved[+moved]));
      if (block !== current) return;
      let aside = column.querySelector(".moved");
      if (!aside) {
        aside = document.createElement("div");
        aside.className = "moved";
        column.prepend(aside);
      }
      aside.innerHTML = places.get(moved);
      column.classList.add("elsewhere");
      away = column;
      for (const frame of aside.querySelectorAll(".pan")) {
        watched(frame);
        aim(frame);
      }
      column.dispatchEvent(new Event("scroll"));  // it may be longer or shorter now
    }
    function back() {
      if (!away) return;
      away.classList.remove("elsewhere");
      away.dispatchEvent(new Event("scroll"));
      for (const figure of own(away))
        figure.querySelector("iframe")?.contentWindow.postMessage({step: +figure.dataset.step}, "*");
      away = null;
    }
    function look() {
      waits = false;
      const line = innerHeight * .4;
      let found = null;
      for (const block of blocks) {
        const {top, bottom, height} = block.getBoundingClientRect();
        if (height === 0) continue;
        if (top > line) break;
        found = bottom > line - 24 ? block : null;  // between two paragraphs the upper one stays a while
      }
      // Above the first paragraph and in an exercise none is current.
      if (found === current) return place();
      current = found;
      held = false;
      for (const block of blocks) block.classList.toggle("current", block === current);
      place();
      unframe();
      const block = current;
      go(block).then(() => { if (block && block === current) lead(block); });
    }
    function place() {
      for (const [text, bar] of bars) bar.hidden = text !== current?.parentElement;
      if (!current) return;
      const text = current.parentElement;
      let bar = bars.get(text);
      if (!bar) {
        bar = document.createElement("span");
        bar.className = "now-bar";
        bar.setAttribute("aria-hidden", "true");
        text.append(bar);
        bars.set(text, bar);
      }
      bar.hidden = false;
      bar.style.top = `${current.offsetTop}px`;
      bar.style.height = `${current.offsetHeight}px`;
    }
    const soon = () => {
      if (waits) return;
      waits = true;
      requestAnimationFrame(look);
    };
    addEventListener("scroll", soon, {passive: true});
    addEventListener("resize", soon);
    new ResizeObserver(soon).observe(document.body);
    for (const pan of document.querySelectorAll("figure > .pan"))
      for (const by of ["pointerdown", "wheel", "keydown"]) pan.addEventListener(by, () => { held = true; }, {passive: true});
    look();
  }
  follow();
