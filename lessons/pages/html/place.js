  // A factor is put on the circle. While it is on its way, what the butterfly would write with it is computed from the log's inputs.
  function turning(question, of, atHand) {
    const circle = question.querySelector(".circle"), board = question.querySelector(".turning");
    const points = [...circle.querySelectorAll("[data-answer]")], count = points.length;
    const ray = circle.querySelector(".ray"), told = question.querySelector(".told");
    const $in = (name) => board.querySelector("." + name);
    const table = question.querySelector(".tries");
    let tries = [], triedAt = -1;
    const rounded = (degrees) => `${Math.round(degrees * 10) / 10}°`;
    // What was tried of this factor, what is in the hand, and what the log has.
    function tell(now, degrees) {
      if (triedAt !== atHand()) [tries, triedAt] = [[], atHand()];
      table.hidden = !now || (tries.length === 0 && degrees === null);
      if (table.hidden) return;
      const which = now.behind ? 1 : 0, body = table.tBodies[0];
      const made = (turn) => value(outputs(now, [Math.cos(-turn * Math.PI / 180), Math.sin(-turn * Math.PI / 180)])[which]);
      table.tHead.rows[0].cells[2].textContent = fill(data.words.wouldWrite, now.writes[which]);
      body.textContent = "";
      const row = (name, at, writes, kind) => {
        const line = body.insertRow();
        line.className = kind;
        const head = document.createElement("th");
        head.scope = "row";
        head.textContent = name;
        line.append(head);
        for (const text of [at, writes]) line.insertCell().textContent = text;
      };
      tries.forEach((turn, i) => row(fill(data.words.tryNumber, i + 1), rounded(turn), made(turn), "tried-before"));
      if (degrees !== null) row(data.words.inHand, rounded(degrees), made(degrees), "in-hand");
      row(data.words.logHas, "?", value(now.logged[which]), "logged");
    }
    // As the log's values are written: in four digits of the larger component.
    const value = ([re, im]) => {
      const large = Math.max(Math.abs(re), Math.abs(im));
      const places = Math.min(12, Math.max(0, large > 0 ? 3 - Math.floor(Math.log10(large)) : 0));
      const part = (x) => String(+x.toFixed(places) + 0).replace("-", "−");
      return `(${part(re)}, ${part(im)})`;
    };
    const times = ([a, b], [c, d]) => [a * c - b * d, a * d + b * c];
    const sum = (x, y, sign) => [x[0] + sign * y[0], x[1] + sign * y[1]];
    function outputs({inputs: [a, b], behind}, w) {
      if (behind) return [sum(a, b, 1), times(w, sum(a, b, -1))];
      return [sum(a, times(w, b), 1), sum(a, times(w, b), -1)];
    }
    // `degrees` clockwise from 1; null: nothing is in the hand.
    function show(degrees) {
      const now = of.rounds[atHand()]?.turning;
      board.hidden = !now;
      tell(now, degrees);
      ray.hidden = degrees === null || !now;
      if (!now) return void (told.textContent = "");
      ray.style.transform = `rotate(${degrees ?? 0}deg)`;
      now.reads.forEach((name, i) => {
        $in("read" + i).textContent = name;
        $in("in" + i).textContent = value(now.inputs[i]);
        $in("write" + i).textContent = now.writes[i];
      });
      $in("turned").textContent = now.behind ? "w·(a − b)" : "w·b";
      const turn = -(degrees ?? 0) * Math.PI / 180;
      const made = degrees === null ? ["?", "?"] : outputs(now, [Math.cos(turn), Math.sin(turn)]).map(value);
      made.forEach((text, i) => { $in("out" + i).textContent = text; });
      told.textContent = degrees === null ? "" : put(data.words.wouldBe, [String(Math.round(degrees * 10) / 10), now.writes[0], made[0], now.writes[1], made[1]]);
    }
    const step = 360 / count;
    // A point holds what comes near to it.
    const snapped = (degrees) => {
      const nearest = Math.round(degrees / step) * step;
      return (Math.abs(degrees - nearest) < Math.min(6, step / 3) ? nearest : degrees) % 360;
    };
    question.addEventListener("pointermove", (event) => {
      const {left, top, width} = circle.getBoundingClientRect(), half = width / 2;
      const x = event.clientX - left - half, y = event.clientY - top - half, away = Math.hypot(x, y);
      if (away < width / 20) return;
      show(away > half ? null : snapped((Math.atan2(y, x) * 180 / Math.PI + 360) % 360));
    });
    circle.addEventListener("pointerleave", () => show(null));
    // By keys: one stop for Tab, arrows go around, clockwise to the right and down.
    const stop = (point) => points.forEach((one) => { one.tabIndex = one === point ? 0 : -1; });
    points.forEach((point, i) => {
      point.addEventListener("focus", () => {
        stop(point);
        show(i * step);
      });
      point.addEventListener("blur", () => show(null));
      point.addEventListener("keydown", (event) => {
        if (event.key === "Escape") return show(null);
        const by = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
        if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        points[(i + by + count) % count].focus();
      });
    });
    stop(points[0]);
    show(null);
    show.missed = (point) => {
      tell(of.rounds[atHand()]?.turning, null);
      tries.push(point * step);
      tell(of.rounds[atHand()]?.turning, null);
    };
    return show;
  }
