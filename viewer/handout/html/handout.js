// The player of a handout. `data` holds, for every position of the trace, what the diagram, the inspector and the source
// show there; the player only turns to a position. It shows nothing of a later one.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const fill = (words, ...values) => words.replace(/\{\}/g, () => values.shift());
  const svg = document.querySelector("figure > svg");
  const last = data.positions.length - 1;
  let position = -1;
  let playing = false, speed = 1, timer = 0;
  let hovered = null, pinned = null;
  const bookmarks = new Set(data.bookmarks);

  // ---- The diagram: elements of the last position are in the page; others are made when first needed. ----

  const elements = [];
  for (const node of svg.querySelectorAll("[data-e]")) elements[+node.dataset.e] = node;

  const tags = [["line", "x1", "y1", "x2", "y2"], ["rect", "x", "y", "width", "height", "rx"], ["circle", "cx", "cy", "r"],
                ["text", "x", "y"], ["path", "d"], ["polyline", "points"], ["polygon", "points"], ["path", "d"]];
  // Parallel lines at 45 degrees, cut at their box.
  function hatch(x, y, width, height, gap) {
    const step = Math.max(gap * Math.SQRT2, (width + height) / 1000);
    let d = "";
    for (let c = step / 2; c < width + height; c += step) {
      const from = Math.max(0, c - height), to = Math.min(width, c);
      d += `M${x + from} ${y + c - from}L${x + to} ${y + c - to}`;
    }
    return d;
  }
  function make(index) {
    const [kind, mark, clip, ...values] = data.passing[index];
    const [tag, ...names] = tags[kind];
    const node = document.createElementNS(svg.namespaceURI, tag);
    if (kind === 7) values.splice(0, 5, hatch(...values.map((value) => value / 10)));
    values.forEach((value, i) => node.setAttribute(names[i], typeof value === "number" ? value / 10 : value));
    if (mark >= 0) node.dataset.m = mark;
    if (clip >= 0) node.setAttribute("clip-path", `url(#clip${clip})`);
    // Elements are numbered in the order in which they are painted.
    let follower = index + 1;
    while (follower < data.looks.length && !elements[follower]) ++follower;
    svg.insertBefore(node, elements[follower] || null);
    return elements[index] = node;
  }

  // The entry of a list of [from, …] triples that holds at the position: its index, or −1.
  function entry(list, size) {
    let found = -1;
    for (let i = 0; i < list.length && list[i] <= position; i += size) found = i;
    return found;
  }

  const shown = new Array(data.looks.length).fill(undefined);
  function turnDiagram() {
    data.looks.forEach((looks, index) => {
      const at = entry(looks, 3);
      const style = at < 0 ? -1 : looks[at + 1];
      const text = at < 0 ? -1 : looks[at + 2];
      const key = style * 0x100000 + text;
      if (shown[index] === key) return;
      shown[index] = key;
      if (style < 0 && !elements[index]) return;
      const node = elements[index] || make(index);
      node.setAttribute("class", style < 0 ? "off" : "k" + style);
      if (text >= 0) node.textContent = data.texts[text];
    });
    svg.setAttribute("aria-label", data.positions[position].d);
  }

  // ---- The inspector. ----

  function element(tag, className, text) {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  }

  function token([text, plate, underline]) {
    const node = element("span", "token", text);
    if (plate) node.style.background = `var(--${plate})`;
    if (plate === "now") node.style.color = "var(--on-now)";
    if (underline) node.style.borderBottom = `2px solid var(--${underline})`;
    return node;
  }

  function turnInspector() {
    const here = data.positions[position];
    $("title").textContent = here.t;
    $("subtitle").textContent = here.u;
    $("position").textContent = here.n;
    $("equations").replaceChildren(...here.e.map(([target, rows]) => {
      const box = element("div", "equation");
      rows.forEach(([relation, tokens], i) => {
        const left = element("span");
        if (i === 0) left.append(token(data.tokens[target]));
        const right = element("span", "tokens");
        // A row breaks before a token that begins with a space, if anywhere.
        for (const number of tokens) {
          const part = data.tokens[number];
          if (!right.lastChild || part[0].startsWith(" ")) right.append(element("span", "group"));
          right.lastChild.append(token(part));
        }
        box.append(left, element("span", "", relation), right);
      });
      return box;
    }));
    $("remarks").replaceChildren(...here.r.map((remark) => element("p", "remark", remark)));
    turnCircle(here.w);
    turnSource(here.c);
  }

  // The twiddle on the unit circle, where the operation has one.
  function turnCircle(twiddle) {
    const box = $("circle");
    box.hidden = !twiddle;
    if (!twiddle) return;
    const [re, im, points, exponent, value, degrees] = twiddle;
    const name = element("p", "name", points ? "w" : "");
    if (points) {
      const marks = element("span", "power");
      marks.append(element("sup", "", exponent), element("sub", "", points));
      name.append(marks, " = ");
    }
    name.append(value);
    const draw = (tag, attributes, text) => {
      const node = document.createElementNS(svg.namespaceURI, tag);
      for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
      if (text) node.textContent = text;
      return node;
    };
    const picture = draw("svg", {viewBox: "-75 -75 150 150", role: "img", "aria-label": fill(data.words.turned, degrees)});
    const ink3 = "stroke:var(--ink3);fill:none", w = "stroke:var(--w);stroke-width:3";
    const x = 50 * re, y = -50 * im;
    picture.append(
      draw("path", {d: "M-65 0H65M0-65V65", style: "stroke:var(--line)"}),
      draw("circle", {r: 50, style: ink3}),
      draw("path", {d: `M0 0L${x} ${y}`, style: w}),
      draw("rect", {x: -5, y: -5, width: 10, height: 10, transform: `translate(${x} ${y}) rotate(45)`,
                    style: "fill:var(--w);stroke:var(--ink)"}));
    const words = element("div");
    words.append(element("p", "caption", data.words.twiddle), name, element("p", "caption", degrees));
    box.replaceChildren(words, picture);
  }

  let sourceShown = -1;
  function turnSource(code) {
    const box = $("source");
    box.parentElement.hidden = !code;
    if (!code) return;
    const [source, first, end, from, to, live] = code;
    const key = source * 65536 + from;
    if (sourceShown !== key) {
      sourceShown = key;
      const lines = data.sources[source].lines;
      box.replaceChildren(...lines.slice(from - 1, to).map((text, i) => {
        const line = element("div", "code");
        const rest = element("span", "rest");
        rest.append(element("span", "words", text), element("span", "values"));
        line.append(element("span", "number", from + i), rest);
        return line;
      }));
    }
    for (const values of box.querySelectorAll(".values")) values.replaceChildren();
    [...box.children].forEach((line, i) => line.classList.toggle("ran", from + i >= first && from + i <= end));
    for (const [line, ...value] of live) {
      const node = box.children[line - from];
      if (!node) continue;
      node.querySelector(".values").append(token(value));
    }
    const ran = box.children[first - from];
    if (ran) box.scrollTop = ran.offsetTop - box.offsetTop - box.clientHeight / 2 + ran.offsetHeight;
    $("source-name").textContent = data.sources[source].name;
    $("source-line").textContent = fill(data.words.line, first);
  }

  // ---- The position: scrub bar, count, log. ----

  for (const segment of data.segments) {
    const part = element("div");
    part.append(element("span", "", segment.name));
    part.style.flex = `${segment.to - segment.from + 1} 1 0`;
    $("stages").append(part);
  }
  $("scrub").max = last;

  // A name that does not fit its part is not shown.
  function fitStages() {
    for (const part of $("stages").children) {
      part.classList.remove("narrow");
      part.classList.toggle("narrow", part.firstChild.offsetWidth + 8 > part.offsetWidth);
    }
  }
  addEventListener("resize", fitStages);
  fitStages();

  function turnScrub() {
    const here = data.positions[position];
    const scrub = $("scrub");
    scrub.value = position;
    const count = fill(data.words.step, here.s, data.steps);
    scrub.setAttribute("aria-valuetext", count + (here.n ? ", " + here.n : ""));
    $("count").textContent = count;
    [...$("stages").children].forEach((part, i) => {
      const {from, to} = data.segments[i];
      const done = Math.min(1, Math.max(0, (position - from + 1) / (to - from + 1)));
      part.style.setProperty("--part", `${done * 100}%`);
      part.classList.toggle("here", position >= from && position <= to);
    });
  }

  // An operation's equations as one line.
  const sentence = (here) => here.e.map(([target, rows]) => data.tokens[target][0] + rows.map(([relation, tokens]) =>
    ` ${relation} ` + tokens.map((number) => data.tokens[number][0]).join("").trim()).join("")).join("; ");

  const log = $("log");
  function turnLog() {
    if (!log.closest("details").open) return;
    while (log.childElementCount > position) log.lastElementChild.remove();
    for (let i = log.childElementCount + 1; i <= position; ++i)
      log.append(element("li", "", `${data.positions[i].n}  ${sentence(data.positions[i])}`));
    for (const old of log.querySelectorAll(".now")) old.classList.remove("now");
    if (log.lastElementChild) log.lastElementChild.classList.add("now");
  }
  log.closest("details").addEventListener("toggle", turnLog);

  function turn(to) {
    to = Math.min(last, Math.max(0, to));
    if (to === position) return;
    position = to;
    turnDiagram();
    turnInspector();
    turnScrub();
    turnLog();
    light();
  }

  // ---- Hovering and pinning: a thing and everything that went into it. ----

  const nodesOf = (mark) => svg.querySelectorAll(`[data-m="${mark}"]`);
  const markOf = new Map(data.marks.map((mark, i) => [mark.slice(0, 4).join(":"), i]));

  // Marks of the elements and operations that an element's value, as it is after a segment, came from. Only what has
  // happened by now counts.
  function cone(buffer, index, segment) {
    const marks = [];
    let wanted = new Set([`${buffer}:${index}`]);
    const take = (at) => {
      for (const key of wanted) {
        const mark = markOf.get(`e:${key}:${at}`);
        if (mark !== undefined) marks.push(mark);
      }
    };
    for (let at = segment; at >= -1; --at) {
      take(at);
      if (at < 0) break;
      const {first, count} = data.segments[at];
      for (let step = first + count - 1; step >= first; --step) {
        const [reads, writes] = data.operations[step - 1] || [[], []];
        if (step > data.positions[position].s || !writes.some((key) => wanted.has(key))) continue;
        for (const key of writes) wanted.delete(key);
        for (const key of reads) wanted.add(key);
        const mark = markOf.get(`o:${step}:0:0`);
        if (mark !== undefined) marks.push(mark);
      }
    }
    return marks;
  }

  function light() {
    for (const old of svg.querySelectorAll(".lit-line")) old.classList.remove("lit-line");
    const mark = hovered ?? pinned;
    if (mark === null) return;
    const [kind, a, b, c] = data.marks[mark];
    const marks = [mark];
    if (kind === "e" && data.operations.length) marks.push(...cone(a, b, c));
    for (const lit of new Set(marks)) for (const node of nodesOf(lit)) node.classList.add("lit-line");
  }

  function label(mark) {
    const labels = data.labels[mark];
    const at = entry(labels, 2);
    return at < 0 || labels[at + 1] < 0 ? "" : data.texts[labels[at + 1]];
  }

  const tip = $("tip");
  function pointAt(event) {
    const node = event.target.closest ? event.target.closest("figure > svg [data-m]") : null;
    const mark = node ? +node.dataset.m : null;
    if (mark !== hovered) {
      hovered = mark;
      light();
    }
    const text = mark === null ? "" : label(mark);
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    tip.style.left = Math.max(8, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + "px";
    const below = event.clientY + 18;
    tip.style.top = (below + tip.offsetHeight > innerHeight - 8 ? event.clientY - tip.offsetHeight - 12 : below) + "px";
  }
  svg.addEventListener("pointermove", pointAt);
  svg.addEventListener("pointerleave", pointAt);
  svg.addEventListener("click", (event) => {
    pointAt(event);
    pinned = hovered === pinned ? null : hovered;
    if (hovered !== null && data.marks[hovered][0] === "o") turnToStep(data.marks[hovered][1]);
    light();
  });

  // ---- Commands; the keys are those of the window. ----

  const positionOfStep = (step) => {
    let found = 0;
    data.positions.forEach((here, i) => { if (here.s <= step) found = i; });
    return found;
  };
  const turnToStep = (step) => turn(positionOfStep(step));

  function play(on) {
    playing = on;
    clearTimeout(timer);
    if (playing && position === last) turn(0);
    if (playing) timer = setTimeout(tick, 1200 / speed);
    $("play").classList.toggle("playing", playing);
    $("play").setAttribute("aria-label", playing ? data.words.pause : data.words.play);
    // While it plays, reading every operation aloud would never keep up.
    document.querySelector(".operation").setAttribute("aria-live", playing ? "off" : "polite");
  }
  function tick() {
    turn(position + 1);
    if (position === last) play(false);
    else timer = setTimeout(tick, 1200 / speed);
  }
  function setSpeed(value) {
    speed = Math.min(64, Math.max(0.125, value));
    $("speed").textContent = (speed < 1 ? `1/${1 / speed}` : speed) + "×";
  }
  // The ends of the stages, and the start.
  const ends = [...new Set([0, ...data.segments.map((segment) => segment.to)])].sort((a, b) => a - b);
  const step = (by) => { play(false); turn(position + by); };
  const jump = (to) => { play(false); if (to !== undefined) turn(to); };
  const marked = () => [...bookmarks].map(positionOfStep).sort((a, b) => a - b);

  function setTheme() {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = document.documentElement.dataset.theme || (dark ? "dark" : "light");
    document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
  }

  const commands = {
    "play-pause": () => play(!playing),
    "step-forward": () => step(1),
    "step-back": () => step(-1),
    "stage-forward": () => jump(ends.find((end) => end > position)),
    "stage-back": () => jump(ends.filter((end) => end < position).pop()),
    "first": () => jump(0),
    "last": () => jump(last),
    "slower": () => setSpeed(speed / 2),
    "faster": () => setSpeed(speed * 2),
    "go-to": () => {
      play(false);
      $("go-to-error").textContent = "";
      $("go-to").showModal();
      $("go-to-field").select();
    },
    "bookmark": () => {
      const here = data.positions[position].s;
      if (!bookmarks.delete(here)) bookmarks.add(here);
      turnBookmarks();
    },
    "next-bookmark": () => jump(marked().find((at) => at > position)),
    "previous-bookmark": () => jump(marked().filter((at) => at < position).pop()),
    "blank": () => { $("blank").hidden = !$("blank").hidden; },
    "fullscreen": () => {
      if (document.fullscreenElement) document.exitFullscreen();
      else document.querySelector("figure").requestFullscreen().catch(() => {});
    },
    "hide-pointer": () => document.body.classList.toggle("pointer-hidden"),
    "theme": setTheme,
    "help": () => $("help").showModal(),
    "leave": () => {
      $("blank").hidden = true;
      play(false);
      pinned = hovered = null;
      light();
      tip.hidden = true;
    },
  };

  function turnBookmarks() {
    const list = document.getElementById("bookmark-list") || element("datalist");
    list.id = "bookmark-list";
    list.replaceChildren(...marked().map((at) => { const option = element("option"); option.value = at; return option; }));
    $("scrub").after(list);
    $("scrub").setAttribute("list", "bookmark-list");
  }

  const keyNames = {" ": "Space", ArrowLeft: "Left", ArrowRight: "Right", ArrowUp: "Up", ArrowDown: "Down",
                    PageUp: "Page Up", PageDown: "Page Down"};
  function chord(event) {
    let key = keyNames[event.key] || event.key;
    const symbol = key.length === 1 && !/[a-z]/i.test(key);
    if (key.length === 1) key = key.toUpperCase();
    return (event.ctrlKey || event.metaKey ? "Ctrl+" : "") + (event.altKey ? "Alt+" : "") +
           (event.shiftKey && !symbol ? "Shift+" : "") + key;
  }
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    // While a text field or a dialog has the focus, keys belong to it; a button keeps Space and Enter.
    if (document.querySelector("dialog[open]") || (target.matches && target.matches("input:not([type=range]), textarea"))) return;
    const pressed = chord(event);
    if ((pressed === "Space" || pressed === "Enter") && target.matches && target.matches("button, summary")) return;
    const command = commands[data.keys[pressed]];
    if (!command) return;
    event.preventDefault();
    command();
  });
  for (const button of document.querySelectorAll("[data-command]"))
    button.addEventListener("click", () => commands[button.dataset.command]());
  // In a frame of another page (a lesson) only the figure shows; that page turns it to a step, and gets the keys of lessons.
  if (parent !== window) {
    document.documentElement.classList.add("framed");
    addEventListener("message", (event) => {
      if (event.source !== parent || !event.data) return;
      if (Number.isInteger(event.data.step)) jump(positionOfStep(event.data.step));
      if (event.data.ask === "where") parent.postMessage({at: data.positions[position].s}, "*");
    });
    addEventListener("keydown", (event) => {
      const page = {PageDown: 1, PageUp: -1}[event.key];
      if (!page) return;
      event.preventDefault();
      parent.postMessage({page}, "*");
    });
  }
  $("scrub").addEventListener("input", () => { play(false); turn(+$("scrub").value); });

  $("go-to").querySelector("form").addEventListener("submit", (event) => {
    const text = $("go-to-field").value.trim();
    const at = find(text);
    if (at < 0) {
      event.preventDefault();
      $("go-to-error").textContent = fill(data.words.nowhere, text || "…", data.steps);
    } else turn(at);
  });
  function find(text) {
    if (/^\d+$/.test(text)) return +text <= data.steps ? positionOfStep(+text) : -1;
    const wanted = text.toUpperCase();
    if (!/^(L\d+)?\.?(S\d+)?\.?(I\d+)?(#\d+)?$/.test(wanted) || !wanted) return -1;
    const parts = wanted.split(".");
    return data.positions.findIndex((here) => parts.every((part) => here.n.toUpperCase().split(".").includes(part)));
  }

  for (const [keys, meaning] of data.help) {
    const row = element("tr"), head = element("th");
    head.scope = "row";
    keys.forEach((key, i) => head.append(i ? " " : "", element("kbd", "", key)));
    row.append(head, element("td", "", meaning));
    $("keys").append(row);
  }

  // page.html#L3.S2.I1 opens there; a link to what is shown is in the address bar. Not in a frame: that page turns it.
  const linked = () => { try { return find(decodeURIComponent(location.hash.slice(1))); } catch { return -1; } };
  const alone = parent === window;
  turnBookmarks();
  turn(alone && linked() >= 0 ? linked() : data.opens);
  addEventListener("hashchange", () => { if (alone && linked() >= 0) { play(false); turn(linked()); } });
})();
