  // Samples as a sound, by the rules of the window's: repeated until they can be heard, as the curve through them that has no
  // frequency beyond half of theirs, without their mean, at one level, with fades. Nothing sounds before the button is pressed.
  function hearing(button, says, words, samplesNow, rate) {
    const tone = 220, minRate = 100, level = 0.25, fade = 0.02, shortest = 1, longest = 10;
    let context = null, playing = null;
    const show = (on) => {
      button.textContent = on ? words.stop : words.hear;
      button.setAttribute("aria-pressed", String(on));
    };
    function stop() {
      if (playing) playing.onended = null, playing.stop();
      playing = null;
      show(false);
    }
    // The waves that the samples are made of; those without a mirror image count once.
    function wavesOf(values) {
      const count = values.length, mean = values.reduce((sum, x) => sum + x, 0) / count, waves = [];
      for (let k = 0; 2 * k <= count; ++k) {
        let re = 0, im = 0;
        values.forEach((x, j) => {
          const turn = -2 * Math.PI * (j * k % count) / count;
          re += (x - mean) * Math.cos(turn);
          im += (x - mean) * Math.sin(turn);
        });
        const share = (k === 0 || 2 * k === count ? 1 : 2) / count;
        waves.push([re * share, im * share]);
      }
      return waves;
    }
    function buffer(samples, turns) {
      const count = samples.length, once = 1 / turns;
      const seconds = Math.min(longest, once < shortest ? once * Math.ceil(shortest / once) : once);
      const frames = Math.round(seconds * context.sampleRate), sides = samples.some(([, im]) => im !== 0) ? 2 : 1;
      const made = context.createBuffer(sides, frames, context.sampleRate);
      let peak = 0;
      const curves = [];
      for (let side = 0; side < sides; ++side) {
        const curve = new Float32Array(frames), waves = wavesOf(samples.map((x) => isFinite(x[side]) ? x[side] : 0));
        for (let frame = 0; frame < frames; ++frame) {
          const angle = 2 * Math.PI * (frame * turns / context.sampleRate % 1);
          let sum = 0;
          waves.forEach(([re, im], k) => { sum += re * Math.cos(k * angle) - im * Math.sin(k * angle); });
          curve[frame] = sum;
          peak = Math.max(peak, Math.abs(sum));
        }
        curves.push(curve);
      }
      if (!(peak > 1e-9 * Math.max(...samples.flat().map(Math.abs)))) return null;
      curves.forEach((curve, side) => {
        const edge = fade * context.sampleRate;
        made.copyToChannel(curve.map((x, frame) => {
          const share = Math.min(1, frame / edge, (frames - 1 - frame) / edge);
          return x * level / peak * (0.5 - 0.5 * Math.cos(Math.PI * share));
        }), side);
      });
      return made;
    }
    button.hidden = !window.AudioContext;
    show(false);
    button.addEventListener("click", () => {
      if (playing) return stop();
      context ||= new AudioContext();
      context.resume();
      // Samples that come faster than the browser's own have waves that it cannot play: they are played slower.
      const samples = samplesNow();
      const turns = rate >= minRate ? Math.min(rate, context.sampleRate) / samples.length : tone;
      const sound = buffer(samples, turns), said = sound ? words.heard : words.silent;
      says.textContent = said.replace("{0}", samples.length).replace("{1}", String(+turns.toPrecision(4)));
      if (!sound) return;
      playing = context.createBufferSource();
      playing.buffer = sound;
      playing.connect(context.destination);
      playing.onended = stop;
      playing.start();
      show(true);
    });
  }
