  // A player's lists as they were before pack_player() (viewer/handout/handout_packed.h) wrote their differences.
  function unpackPlayer(player) {
    const rows = (packed) => {
      const before = new Map();
      return packed.map((row) => {
        const key = `${row[0]} ${row.length}`, last = before.get(key);
        const now = row.map((part, i) => i > 0 && last && Number.isInteger(part) && Number.isInteger(last[i]) ? part + last[i] : part);
        before.set(key, now);
        return now;
      });
    };
    const lists = ([counts, ...columns]) => {
      let from = 0, largest = -1;
      columns[0] = columns[0].map((step) => from += step);
      const end = columns.length - 1;
      columns[end] = columns[end].map((number) => {
        const text = number === 0 ? -1 : number > 0 ? largest + number : largest + number + 1;
        largest = Math.max(largest, text);
        return text;
      });
      let at = 0;
      return counts.map((count) => {
        const list = [];
        for (; count > 0; --count, ++at) for (const column of columns) list.push(column[at]);
        return list;
      });
    };
    player.passing = rows(player.passing);
    player.marks = rows(player.marks);
    player.looks = lists(player.looks);
    player.labels = lists(player.labels);
    return player;
  }
