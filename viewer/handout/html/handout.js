// The player of a handout. `data` holds, for every position of the trace, what the diagram, the inspector and the source
// show there; the player only turns to a position. It shows nothing of a later one.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const fill = (words, ...values) => {
    let next = 0;
    return words.replace(/\{(\d*)\}/g, (_, n) => values[n === "" ? next++ : +n]);
  };
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
    elements[index] = node;
    dress(node);
    return node;
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
    turnLive();
    svg.setAttribute("aria-label", data.positions[position].d);
    keepInSight();
  }

  // Where the diagram is wider than its frame, what is at work is moved into it, and no further.
  function keepInSight() {
    const frame = svg.parentElement, margin = 24, seen = frame.clientWidth;
    if (frame.scrollWidth <= seen) return;
    const now = getComputedStyle(document.getElementById("position")).backgroundColor;
    let left = Infinity, right = -Infinity;
    for (const node of svg.querySelectorAll("rect:not(.off), path:not(.off)")) {
      if (getComputedStyle(node).fill !== now) continue;
      const box = node.getBoundingClientRect();
      if (box.width < 12 || box.bottom > svg.getBoundingClientRect().bottom - 40) continue;  // not the legend's
      left = Math.min(left, box.left), right = Math.max(right, box.right);
    }
    if (right < left) return;
    const edge = frame.getBoundingClientRect().left;
    if (right > edge + seen) frame.scrollLeft += right - edge - seen + margin;
    if (left < edge || right - left > seen) frame.scrollLeft += left - edge - margin;
  }

  // ---- Samples that the reader drags: what follows is computed from the logged operations. ----

  const live = data.live;
  let base = null, now = null;  // what elements hold: of the logged samples, and of those at hand
  const dragged = new Map();    // key: real part

  // A number of a buffer's type. NaN: it is not evaluated.
  const rounded = {f: Math.fround, d: (x) => x, i: (x) => isNaN(x) ? x : Math.round(x) | 0, u: (x) => isNaN(x) ? x : Math.round(x) >>> 0};
  function typed(key, [re, im]) {
    const [letter, parts] = live.type[key.split(":")[0]];
    return [rounded[letter](re), parts > 1 ? rounded[letter](im) : isNaN(re) ? NaN : 0];
  }
  const plus = ([a, b], [c, d]) => [a + c, b + d];
  const minus = ([a, b], [c, d]) => [a - c, b - d];
  const times = ([a, b], [c, d]) => [a * c - b * d, a * d + b * c];
  const factor = (number) => [live.factors[2 * number], live.factors[2 * number + 1]];
  const open = [NaN, NaN];

  function results([form, ...more], read, sums, type) {
    const [a, b] = read, w = form >= 2 && form <= 4 ? factor(more[0]) : null;
    switch (form) {
      case 0: return [...read].reverse();
      case 1: return [read.reduce(plus)];
      case 2: { const t = times(w, b); return [plus(a, t), minus(a, t)]; }
      case 3: return [plus(a, b), times(w, minus(a, b))];
      case 4: return [times(w, a)];
      case 5: {
        const all = [];
        for (let k = 0; k < more.length; k += read.length)
          all.push(read.map((x, r) => times(factor(more[k + r]), x)).reduce(plus));
        return all;
      }
      case 8: {
        const [key, number, before] = more;
        sums.set(key, type(key, plus(sums.get(key) || factor(before), times(factor(number), a))));
        return [];
      }
      case 10: return [factor(more[0])];
      default: return null;
    }
  }
  // By key: every value of an element, with the step that wrote it; 0: it was there.
  function evaluate(samples) {
    const held = new Map(live.first.map(([key, re, im]) => [key, [[0, typed(key, [re, im])]]])), sums = new Map();
    for (const [key, re] of samples) held.set(key, [[0, typed(key, [re, held.get(key)[0][1][1]])]]);
    const value = (key) => held.has(key) ? held.get(key).at(-1)[1] : open;
    live.steps.forEach((form, i) => {
      const [reads, writes] = data.operations[i];
      const out = form[0] === 9 ? [sums.get(writes[0]) || open] : results(form, reads.map(value), sums, typed);
      writes.forEach((key, k) => {
        if (!held.has(key)) held.set(key, []);
        held.get(key).push([i + 1, out ? typed(key, out[k]) : open]);
      });
    });
    return held;
  }
  const same = (x, y) => Object.is(x[0], y[0]) && Object.is(x[1], y[1]);
  // What an element holds after a step.
  function valueAt(held, key, step) {
    const values = held.get(key) || [];
    for (let i = values.length - 1; i >= 0; --i) if (values[i][0] <= step) return values[i][1];
    return open;
  }
  // The element of a mark, or what the operation of a mark writes.
  const keyOf = (mark, write = 0) => data.marks[mark][0] === "o" ? data.operations[data.marks[mark][1] - 1][1][write]
                                 : live.elements[mark] || `${data.marks[mark][1]}:${data.marks[mark][2]}`;
  const bufferOf = (mark) => keyOf(mark).split(":")[0];
  // What an element of a mark holds now where that is not what it held; null: the log's value counts.
  function other(mark, write = 0) {
    if (!now || !"eo".includes(data.marks[mark][0])) return null;
    const segment = data.marks[mark][3], key = keyOf(mark, write);
    const end = data.marks[mark][0] === "o" ? data.marks[mark][1]
              : segment < 0 ? 0 : data.segments[segment].first + data.segments[segment].count - 1;
    const step = Math.min(end, data.positions[position].s);
    const is = valueAt(now, key, step);
    return same(is, valueAt(base, key, step)) ? null : is;
  }

  // As diagrams write numbers: so many digits of the larger part, no zeros at the end, a real minus sign.
  function numberText(value, largest, digits) {
    if (isNaN(value)) return "?";
    if (!isFinite(value)) return value < 0 ? "−∞" : "∞";
    const decade = largest > 0 ? Math.floor(Math.log10(largest)) : 0, place = decade - digits + 1;
    if (Math.abs(value) < 0.5 * 10 ** (decade - Math.max(digits, 4) + 1)) return "0";  // however few digits are written
    const own = value === 0 ? place : Math.floor(Math.log10(Math.abs(value)));
    const tidy = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text).replace("-", "−");
    if (!(largest > 0 && (decade < -4 || decade >= Math.max(4, digits) + 1))) {
      const text = tidy(value.toFixed(Math.min(100, Math.max(0, -place, -own))));
      return text === "−0" ? "0" : text;
    }
    if (value === 0) return "0";
    const [head, exponent] = value.toExponential(Math.min(100, Math.max(0, own - place))).split("e");
    return tidy(head) + "e" + String(+exponent).replace("-", "−");
  }
  function valueText(buffer, value, part, digits) {
    const [letter, parts] = live.type[buffer];
    if (isNaN(value[0])) return part === 2 ? "" : "?";
    const whole = letter === "i" || letter === "u";
    const largest = Math.max(Math.abs(value[0]), Math.abs(value[1]));
    const text = (x) => whole ? String(x).replace("-", "−") : numberText(x, largest, digits);
    return part > 0 ? text(value[part - 1]) : parts > 1 ? `(${text(value[0])}, ${text(value[1])})` : text(value[0]);
  }

  // The texts of a node, by its mark, and of the marks of operations with several results by the write.
  const textsOf = new Map();
  if (live)
    for (let t = 0; t < live.texts.length; t += 3) {
      const [index, mark, part] = live.texts.slice(t, t + 3), id = mark + (part >> 2) * data.marks.length;
      textsOf.set(id, [...(textsOf.get(id) || []), [index, part & 3]]);
    }
  const none = new Set(live ? live.none : []), sampleOfMark = new Map();
  if (live) for (let h = 0; h < live.handles.length; h += 2) sampleOfMark.set(live.handles[h], live.handles[h + 1]);
  let answering = [];  // nodes that are marked
  const rooms = new Map(), fonts = new Map();
  let pen = null;
  // The room of a node's value, and what a text of its font takes of it, in the drawing's own measure.
  function roomOf(mark) {
    if (!rooms.has(mark)) {
      const box = svg.querySelector(`rect[data-m="${mark}"]:not(.off)`);
      rooms.set(mark, box ? +box.getAttribute("width") - 6 : Infinity);
    }
    return rooms.get(mark);
  }
  function widthOf(node, words) {
    const look = node.getAttribute("class").split(" ")[0];
    if (!fonts.has(look)) {
      const {fontWeight, fontSize, fontFamily} = getComputedStyle(node);
      fonts.set(look, `${fontWeight} ${fontSize} ${fontFamily}`);
    }
    pen ||= document.createElement("canvas").getContext("2d");
    pen.font = fonts.get(look);
    return pen.measureText(words).width;
  }
  function turnLive() {
    for (const node of answering) node.classList.remove("answers", "unevaluated");
    answering = [];
    if (!now) return;
    let unknown = false;
    for (const [id, texts] of textsOf) {
      const mark = id % data.marks.length, value = other(mark, Math.floor(id / data.marks.length)), seen = [];
      for (const [index, part] of texts) {
        const at = entry(data.looks[index], 3), text = at < 0 ? -1 : data.looks[index][at + 2];
        const node = elements[index];
        if (!node || text < 0 || none.has(text) || data.looks[index][at + 1] < 0) continue;
        node.textContent = data.texts[text];
        if (value) seen.push([node, part]);
      }
      if (!seen.length) continue;
      // In as many digits as fit, all parts alike.
      for (let digits = live.digits; digits >= 1; --digits) {
        const words = seen.map(([, part]) => valueText(bufferOf(mark), value, part, digits));
        if (digits > 1 && seen.some(([node], i) => widthOf(node, words[i]) > roomOf(mark))) continue;
        seen.forEach(([node], i) => { node.textContent = words[i]; });
        break;
      }
      unknown ||= isNaN(value[0]);
      for (const node of nodesOf(mark)) {
        node.classList.add(isNaN(value[0]) ? "unevaluated" : "answers");
        answering.push(node);
      }
    }
    for (const index of live.sums) if (elements[index]) elements[index].textContent = "";
    $("live-open").hidden = !unknown;
  }
  // All values that are others, of all.
  function countOthers() {
    let changed = 0, all = 0;
    for (const [key, values] of now) values.forEach(([, value], i) => { ++all; if (!same(value, base.get(key)[i][1])) ++changed; });
    return [changed, all];
  }
  function sayLive() {
    $("live-says").textContent = now ? fill(data.words.changed, ...countOthers()) : data.words.live;
    $("live-back").hidden = !now;
  }
  function setSample(key, value) {
    base ||= evaluate(new Map());
    dragged.set(key, value);
    const before = now;
    now = evaluate(dragged);
    if (countOthers()[0] === 0) now = null;
    if (now || before) {
      play(false);
      if (position !== last) turn(last);
      else {
        turnLive();
        if (!now) restoreTexts();
        turnInspector();
      }
    }
    for (const node of svg.querySelectorAll("[data-sample]")) nameSample(node);
    sayLive();
  }
  // What the log has, again.
  function restoreTexts() {
    for (const texts of [...textsOf.values(), live.sums.map((index) => [index])])
      for (const [index] of texts) {
        const at = entry(data.looks[index], 3);
        if (at >= 0 && elements[index] && data.looks[index][at + 2] >= 0) elements[index].textContent = data.texts[data.looks[index][at + 2]];
      }
  }
  function backToLog() {
    dragged.clear();
    now = null;
    turnLive();
    restoreTexts();
    turnInspector();
    for (const node of svg.querySelectorAll("[data-sample]")) nameSample(node);
    sayLive();
  }
  const sampleOf = (node) => `${live.buffer}:${node.dataset.sample}`;
  const sampleNow = (key) => dragged.has(key) ? dragged.get(key) : live.first.find(([one]) => one === key)[1];
  function nameSample(node) {
    const value = sampleNow(sampleOf(node));
    node.setAttribute("aria-valuenow", value);
    node.setAttribute("aria-valuetext", numberText(value, Math.abs(value), 4));
  }
  // The first column's nodes are handles; at some positions another shape is in a node's place.
  function dress(node) {
    const index = node.tagName === "rect" && node.dataset.m ? sampleOfMark.get(+node.dataset.m) : undefined;
    if (index === undefined) return;
    node.dataset.sample = index;
    for (const [name, value] of Object.entries({tabindex: 0, role: "slider", "aria-label": fill(data.words.sample, `${live.name}[${index}]`)}))
      node.setAttribute(name, value);
    nameSample(node);
  }
  let justDragged = false;
  function beginLive() {
    if (!live) return;
    const wholes = /[iu]/.test(live.type[live.buffer][0]), step = wholes ? 1 : 0.1;
    const samples = live.first.filter(([key]) => key.startsWith(live.buffer + ":"));
    const span = Math.max(wholes ? 8 : 2, ...samples.map(([, re]) => 2 * Math.abs(re)));
    const tidy = (value) => wholes ? Math.round(value) : Math.round(value * 1e6) / 1e6;
    for (const node of elements) if (node) dress(node);
    svg.setAttribute("role", "group");
    let held = null;
    svg.addEventListener("pointerdown", (event) => {
      const node = event.target.closest("[data-sample]");
      justDragged = false;
      if (!node || event.button > 0) return;
      held = {node, key: sampleOf(node), x: event.clientX, y: event.clientY, from: sampleNow(sampleOf(node)), moved: false};
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointermove", (event) => {
      if (!held) return;
      // To the right and upwards is more; Shift snaps to tenths.
      const way = event.clientX - held.x - (event.clientY - held.y);
      if (!held.moved && Math.abs(event.clientX - held.x) + Math.abs(event.clientY - held.y) < 4) return;
      held.moved = true;
      svg.classList.add("held");
      const value = held.from + way * span / 200;
      setSample(held.key, event.shiftKey ? Math.round(value * 10) / 10 : tidy(value));
    });
    const end = () => {
      justDragged = held !== null && held.moved;
      if (held) held.node.focus({preventScroll: true});
      held = null;
      svg.classList.remove("held");
    };
    svg.addEventListener("pointerup", end);
    svg.addEventListener("pointercancel", () => { held = null; svg.classList.remove("held"); });
    svg.addEventListener("keydown", (event) => {
      const node = event.target.closest("[data-sample]");
      const by = {ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1}[event.key];
      if (!node || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "Escape") node.blur();
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      setSample(sampleOf(node), tidy(sampleNow(sampleOf(node)) + by * step));
    });
    $("live-back").addEventListener("click", backToLog);
    // The samples at hand, in order.
    const inOrder = samples.map(([key]) => key).sort((a, b) => a.split(":")[1] - b.split(":")[1]);
    const imaginary = new Map(samples.map(([key, , im]) => [key, im]));
    if (!wholes)
      hearing($("hear"), $("heard"), data.words, () => inOrder.map((key) => [sampleNow(key), imaginary.get(key)]), live.rate);
    $("live").hidden = false;
    sayLive();
  }

  // {sound}
  // An operation's results where they are not the logged ones: by write, its element and value.
  function otherResults(step) {
    if (!now || step === 0 || !data.operations.length) return null;
    const [reads, writes] = data.operations[step - 1];
    const alike = (key, at) => same(valueAt(now, key, at), valueAt(base, key, at));
    if (reads.every((key) => alike(key, step - 1)) && writes.every((key) => alike(key, step))) return null;
    return writes.map((key) => valueText(key.split(":")[0], valueAt(now, key, step), 0, live.digits));
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
    const others = otherResults(here.s);
    $("equations").replaceChildren(...here.e.map(([target, logged], number) => {
      const box = element("div", "equation");
      // Of other values the first row says how they are made, and the last what they are.
      const rows = others ? logged.slice(0, 1) : logged;
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
      if (others && number < others.length && others.length === here.e.length) {
        const right = element("span", "tokens");
        right.append(token([others[number], "now", ""]));
        box.append(element("span"), element("span", "", "="), right);
      }
      return box;
    }));
    $("remarks").replaceChildren(...here.r.map((remark) => element("p", "remark", remark)));
    turnCircle(here.w);
    turnSource(here.c, others !== null);
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
  function turnSource(code, others) {
    const box = $("source");
    box.parentElement.hidden = !code;
    if (!code) return;
    const [source, first, end, from, to, values] = code;
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
    for (const old of box.querySelectorAll(".values")) old.replaceChildren();
    [...box.children].forEach((line, i) => line.classList.toggle("ran", from + i >= first && from + i <= end));
    for (const [line, ...value] of others ? [] : values) {
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
    if (at < 0 || labels[at + 1] < 0) return "";
    const value = textsOf.has(mark) ? other(mark) : null;
    return data.texts[labels[at + 1]] +
           (value ? " · " + fill(data.words.instead, valueText(bufferOf(mark), value, 0, 6)) : "");
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
    if (justDragged) return;
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
    const chosen = now === "dark" ? "light" : "dark";
    // In a lesson's page the whole page turns with its figures.
    if (parent !== window) parent.postMessage({theme: chosen}, "*");
    document.documentElement.dataset.theme = chosen;
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
    svg.style.setProperty("--least", `${svg.viewBox.baseVal.width}px`);
    addEventListener("message", (event) => {
      if (event.source !== parent || !event.data) return;
      if (Number.isInteger(event.data.step)) jump(positionOfStep(event.data.step));
      if (event.data.theme === "light" || event.data.theme === "dark") document.documentElement.dataset.theme = event.data.theme;
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
  beginLive();
  turn(alone && linked() >= 0 ? linked() : data.opens);
  addEventListener("hashchange", () => { if (alone && linked() >= 0) { play(false); turn(linked()); } });
})();
