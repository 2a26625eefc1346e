  // Samples are dragged until their spectrum is the dashed one. What a page cannot do is run the kernel: it computes the transform by
  // its definition.
  function fit(question, of, number) {
    const count = of.start.length, samples = [...of.start], handles = [], bins = [];
    const largest = 1.25 * Math.max(of.within, ...of.wanted);
    const told = (value) => String(Math.abs(value) < of.within / 100 ? 0 : +value.toPrecision(3)).replace("-", "−");
    const made = (parent, name, text = "") => {
      const node = document.createElement("span");
      node.className = name;
      node.textContent = text;
      parent.append(node);
      return node;
    };
    const magnitudes = () => of.wanted.map((_, k) => {
      let re = 0, im = 0;
      samples.forEach((sample, j) => {
        const turn = -2 * Math.PI * (j * k % count) / count;
        re += sample * Math.cos(turn);
        im += sample * Math.sin(turn);
      });
      return Math.hypot(re, im);
    });
    const fits = (has, k) => Math.abs(has - of.wanted[k]) <= of.within;
    function show() {
      samples.forEach((sample, j) => {
        const share = (value) => 100 * (value - of.low) / (of.high - of.low);
        const {handle, stem} = handles[j];
        handle.style.bottom = `${share(sample)}%`;
        stem.style.bottom = `${share(Math.min(0, sample))}%`;
        stem.style.height = `${Math.abs(share(sample) - share(0))}%`;
        handle.setAttribute("aria-valuenow", String(+sample.toFixed(3)));
        handle.setAttribute("aria-valuetext", told(sample));
      });
      magnitudes().forEach((has, k) => {
        bins[k].bar.style.height = `${100 * Math.min(1, has / largest)}%`;
        bins[k].bin.classList.toggle("fits", fits(has, k));
        bins[k].name.textContent = fits(has, k) ? `${k}✓` : String(k);
      });
    }
    function set(j, value) {
      const stepped = Math.round(Math.min(of.high, Math.max(of.low, value)) / of.step) * of.step;
      if (samples[j] === +stepped.toFixed(6)) return;
      samples[j] = +stepped.toFixed(6);
      // What was said holds of other samples.
      question.querySelector(".verdict").textContent = "";
      question.classList.remove("done");
      show();
    }
    const row = question.querySelector(".samples"), plot = question.querySelector(".bars");
    for (let j = 0; j < count; ++j) {
      const track = made(row, "sample"), at = made(track, "track");
      made(at, "zero");
      const stem = made(at, "stem"), handle = made(at, "handle");
      made(track, "name", String(j));
      handle.tabIndex = 0;
      handle.setAttribute("role", "slider");
      handle.setAttribute("aria-orientation", "vertical");
      handle.setAttribute("aria-label", `${of.input}[${j}]`);
      handle.setAttribute("aria-valuemin", String(of.low));
      handle.setAttribute("aria-valuemax", String(of.high));
      handles.push({handle, stem});
      let held = null;
      const follow = (event) => {
        const {bottom, height} = at.getBoundingClientRect();
        set(j, of.low + (of.high - of.low) * (bottom - event.clientY) / height);
      };
      track.addEventListener("pointerdown", (event) => {
        // A finger that is not on the handle scrolls the page.
        if (event.button !== 0 || held !== null || (event.pointerType === "touch" && event.target !== handle)) return;
        event.preventDefault();
        held = event.pointerId;
        track.setPointerCapture(held);
        handle.focus({preventScroll: true});
        follow(event);
      });
      track.addEventListener("pointermove", (event) => { if (event.pointerId === held) follow(event); });
      for (const end of ["pointerup", "pointercancel"])
        track.addEventListener(end, (event) => { if (event.pointerId === held) held = null; });
      handle.addEventListener("keydown", (event) => {
        const by = {ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1}[event.key];
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        if (by) set(j, samples[j] + by * of.step);
        else if (event.key === "Home") set(j, of.low);
        else if (event.key === "End") set(j, of.high);
        else return;
        event.preventDefault();
      });
    }
    for (let k = 0; k < count; ++k) {
      const bin = made(plot, "bin"), at = made(bin, "track"), bar = made(at, "has"), wanted = made(at, "wanted");
      wanted.style.height = `${100 * of.wanted[k] / largest}%`;
      bins.push({bin, bar, name: made(bin, "name")});
    }
    const way = of.way;  // one of those to what is wanted
    const tries = helped(question, () => {
      let most = 0;
      way.forEach((to, j) => { if (Math.abs(to - samples[j]) > Math.abs(way[most] - samples[most]) + 1e-9) most = j; });
      return put(data.words.moveFirst, [`${of.input}[${most}]`, told(way[most])]);
    }, () => {
      let j = 0;
      const next = () => {
        if (!tries.shown()) return;
        if (j === count) return void question.querySelector(".judge").click();
        set(j, way[j]);
        j += 1;
        setTimeout(next, calm() ? 0 : 300);
      };
      next();
    });
    question.querySelector(".judge").addEventListener("click", () => {
      const has = magnitudes(), missed = has.map((_, k) => k).filter((k) => !fits(has[k], k));
      const verdict = question.querySelector(".verdict");
      if (first[number] === null) first[number] = missed.length === 0;
      question.classList.toggle("done", missed.length === 0);
      if (missed.length === 0) {
        verdict.textContent = put(of.fits, [told(of.within)]);
        tries.done();
      } else {
        tries.missed();
        // The bin that is off by most; of two that are off alike, the lower one.
        let worst = missed[0];
        const off = (k) => Math.abs(has[k] - of.wanted[k]);
        for (const k of missed) if (off(k) > off(worst) * (1 + 1e-6)) worst = k;
        const bin = Math.min(worst, count - worst), words = worst === 0 ? of.sum : has[worst] > of.wanted[worst] ? of.much : of.little;
        verdict.textContent = of.no + put(words, [told(has[worst]), told(of.wanted[worst]), bin]) + of.gap + put(of.fitting, [count - missed.length, count]);
      }
      points();
    });
    question.querySelector(".again").addEventListener("click", () => {
      of.start.forEach((sample, j) => { samples[j] = sample; });
      tries.again();
      question.querySelector(".verdict").textContent = "";
      question.classList.remove("done");
      show();
    });
    hearing(question.querySelector(".hear"), question.querySelector(".heard"), of, () => samples.map((x) => [x, 0]), 0);
    show();
  }
  // {sound}
