// The kernel's source around the line that ran, with the values it worked on at the right.
#include "base/message.h"
#include "tracer/trace/item_words.h"
#include "viewer/graphs/line_counters.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/scene/line_breaks.h"
#include "viewer/scene/utf8.h"
#include "viewer/words/source_values.h"
#include "viewer/words/twiddle_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

namespace twiddle {
namespace {

constexpr float line_pitch = 21.5f, header_height = 30, source_pad = 16;
// In lockstep, what lines cost: columns right of the code, a number over a bar.
constexpr float counter_width = 43, counter_bar = 30, counters_from = 370, counter_heads = 20;
constexpr int counter_columns = 4;

std::size_t count_letters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) next_code_point(text, at);
  return count;
}

struct SourcePlace {
  int source = 0, line = 0;
  std::string kernel;
};

// The file as it was edited since, where it does not compile; null: the trace's own text counts.
const std::string* edited_text(const WindowState& state, const std::string& name) {
  const bool wrong = std::any_of(state.problems.begin(), state.problems.end(),
                                 [&](const SourceProblem& problem) { return problem.source == name; });
  for (const SourceText& text : state.edited)
    if (wrong && text.name == name) return &text.text;
  return nullptr;
}

// The first problem of a kernel that does not compile. Before anything ran: the first launch's kernel, from its first line.
SourcePlace place_of(const PanelContext& context) {
  const TraceInfo& info = context.info();
  for (std::size_t s = 0; s < info.sources.size(); ++s)
    for (const SourceProblem& problem : context.state.problems)
      if (problem.source == info.sources[s].name && edited_text(context.state, problem.source))
        return {static_cast<int>(s), problem.line, {}};
  if (context.now && context.launch) return {context.launch->source, context.now->line, context.launch->kernel};
  if (!info.launches.empty()) return {info.launches.front().source, 0, info.launches.front().kernel};
  return {};
}

// A row of the card: a source line, what did not fit on its first row, or values that found no room beside the code.
struct Row {
  int line = 0;
  bool first = false;  // has the line's number
  std::string code;
  std::size_t indent = 0;  // letters
  std::vector<LineValue> values;
};

/// Cuts code into stretches of at most `letters`, and the second and later ones of `more_indent` less.
std::vector<std::string> cut(std::string_view code, std::size_t letters, std::size_t more_indent) {
  const auto room = static_cast<float>(letters > more_indent + 8 ? letters - more_indent : letters);
  return broken_lines(code, {room, room - static_cast<float>(letters)}, Language::English,
                      [](char32_t) { return 1.0f; });
}

// The rows of the lines from `first` to `last`, each in a column of `letters_of(line)`.
std::vector<Row> rows_of(const std::vector<std::string>& lines, LineRange range, const std::vector<LineValue>& values,
                         const std::function<std::size_t(int line)>& letters_of) {
  // Indentation that all lines share is removed to save room.
  std::size_t shared = std::string::npos;
  for (int number = range.first; number <= range.last; ++number) {
    const std::size_t at = lines[number - 1].find_first_not_of(' ');
    if (at != std::string::npos) shared = std::min(shared, at);
  }
  if (shared == std::string::npos) shared = 0;
  std::vector<Row> rows;
  for (int number = range.first; number <= range.last; ++number) {
    const std::string& line = lines[number - 1];
    const std::size_t letters = letters_of(number);
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t indent = std::min(begin > shared ? begin - shared : 0, letters / 2);
    bool first = true;
    for (std::string& part : cut(std::string_view(line).substr(begin), letters - indent, 4)) {
      rows.push_back(
          {number, first, std::move(part), indent + (first ? 0 : std::min<std::size_t>(4, letters / 4)), {}});
      first = false;
    }
    // Beside the code when there is room for all of them, else on a row of their own.
    std::vector<LineValue> here;
    std::size_t needed = 0;
    for (const LineValue& value : values)
      if (value.line == number) needed += count_letters(value.text) + 2, here.push_back(value);
    if (here.empty()) continue;
    if (count_letters(rows.back().code) + rows.back().indent + needed > letters)
      rows.push_back({number, false, {}, 0, {}});
    rows.back().values = std::move(here);
  }
  return rows;
}

/// A number over a bar: of `whole`, `done` is what it must be, and the rest is drawn as what it need not be.
struct Counter {
  std::string text;  // empty: the line has none
  double part = 0;   // of the bar that is filled, 0 … 1
  double done = 1;   // of the filled part
};

/// "9999", "328k", "1.3M".
std::string short_count(std::uint64_t count) {
  if (count < 10'000) return std::to_string(count);
  if (count < 1'000'000) return fmt::format("{}k", count / 1000);
  return fmt::format("{:.1f}M", static_cast<double>(count) / 1e6);
}

std::array<Counter, counter_columns> counters_of(const LineCount& count, std::uint64_t most_runs) {
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
  };
  std::array<Counter, counter_columns> counters;
  counters[0] = {short_count(count.runs), share(count.runs, most_runs)};
  const double lanes = share(count.lanes, count.runs);
  counters[1] = {fmt::format("{}/{}", number_text(lanes, lanes < 10 ? 2 : 3), sub_group_size),
                 lanes / static_cast<double>(sub_group_size)};
  if (count.sectors > 0)
    counters[2] = {short_count(count.sectors), 1, count.costly ? share(count.least_sectors, count.sectors) : 1};
  if (count.passes > 0) counters[3] = {short_count(count.passes), 1, share(count.least_passes, count.passes)};
  return counters;
}

void draw_counters(const PanelContext& context, Scene& scene, float left, float centre,
                   const std::array<Counter, counter_columns>& counters, bool ran) {
  const Role ink = ran ? Role::OnNow : Role::Ink;
  const Font font = context.mono(10.5f);
  for (std::size_t c = 0; c < counters.size(); ++c) {
    const Counter& counter = counters[c];
    const float middle = left + context.px(counter_width) * (static_cast<float>(c) + 0.5f);
    if (counter.text.empty()) {
      scene.text({middle, baseline(font, centre)}, "–", font, ran ? ink : Role::Ink3, Anchor::Middle);
      continue;
    }
    scene.text({middle, baseline(font, centre - context.px(3))}, counter.text, font, ink, Anchor::Middle);
    const Box bar{middle - context.px(counter_bar / 2), centre + context.px(5), context.px(counter_bar),
                  context.px(3.5f)};
    scene.rect(bar, ran ? Role::NowSoft : Role::DoneSoft);
    const float filled = bar.w * static_cast<float>(std::clamp(counter.part, 0.0, 1.0));
    const float done = filled * static_cast<float>(std::clamp(counter.done, 0.0, 1.0));
    scene.rect({bar.x, bar.y, done, bar.h}, ran ? Role::OnNow : Role::Done);
    if (filled - done > 0.5f) {
      const Box rest{bar.x + done, bar.y, filled - done, bar.h};
      scene.rect(rest, Role::Warn);
      scene.hatch(rest, context.px(3), {Role::OnNow, context.thin(0.8f)});
    }
  }
}

}  // namespace

float source_part(const PanelContext& context, Scene& scene, Box box) {
  const TraceInfo& info = context.info();
  const SourcePlace place = place_of(context);
  const auto source = static_cast<std::size_t>(place.source);
  if (place.source < 0 || source >= info.sources.size()) return box.y;
  const float left = box.x + context.px(source_pad), right = box.right() - context.px(source_pad);
  const std::string* edited = edited_text(context.state, info.sources[source].name);
  // Where the kernel can be run again, it can be edited here.
  float aside = right;
  if (context.state.can_run && context.state.predict == Predict::Off && right - left > context.px(220))
    aside =
        word_button(context, scene, right + context.px(8), box.y + context.px(11), Command::EditSource, tr("Edit")) -
        context.px(10);
  heading(context, scene, left, box.y + context.px(11), aside, info.sources[source].name,
          context.state.editor.changed() ? tr("edited, not run")
          : edited                       ? tr("line {} does not compile", place.line)
          : place.line > 0               ? tr("logged at line {}", place.line)
                                         : std::string(),
          Face::Sans);

  Box card{box.x + context.px(8), box.y + context.px(header_height), box.w - context.px(16),
           box.bottom() - box.y - context.px(header_height)};
  // What each line cost, where the turns of lockstep are shown and there is room beside the code.
  const LineCounters* counters = nullptr;
  if (context.turn && !edited && card.w >= context.px(counters_from)) {
    counters = line_counters(context.document, context.state.patience_ms / 4);
    if (!counters) scene.unfinished = true;
  }
  std::uint64_t most_runs = 0;
  if (counters)
    for (const auto& [at, count] : *counters)
      if (at.first == place.source) most_runs = std::max(most_runs, count.runs);
  if (most_runs == 0) counters = nullptr;
  const float counters_left = card.right() - context.px(8 + counter_columns * counter_width);
  if (counters) {
    const std::array<std::string, counter_columns> heads = {tr("runs"), tr("lanes"), tr("sectors"), tr("passes")};
    for (std::size_t c = 0; c < heads.size(); ++c)
      label(scene, counters_left + context.px(counter_width) * (static_cast<float>(c) + 0.5f),
            card.y + context.px(counter_heads / 2), heads[c], context.sans(10.5f), Role::Ink2,
            context.px(counter_width - 2), Anchor::Middle);
    label(scene, left, card.y + context.px(counter_heads / 2), tr("whole run, by {}", lanes_noun(context.info())),
          context.sans(10.5f), Role::Ink3, counters_left - left - context.px(8));
    card.y += context.px(counter_heads), card.h -= context.px(counter_heads);
  }
  const std::vector<std::string> lines = source_lines(edited ? *edited : info.sources[source].text);
  const float pitch = std::round(context.px(line_pitch));
  const int room = static_cast<int>((card.h - context.px(6)) / pitch);
  if (room < 1 || lines.empty()) return box.y;

  // The whole kernel, bounded; then as many of its rows as there is room for, around the line that ran.
  const int count = static_cast<int>(lines.size());
  LineRange range = kernel_lines(lines, place.kernel);
  if (range.first == 0 || place.line > range.last || (place.line > 0 && place.line < range.first)) range = {1, count};
  constexpr int max_lines = 400;
  if (range.last - range.first > max_lines) {
    range.first = std::clamp(place.line - max_lines / 2, range.first, range.last - max_lines);
    range.last = range.first + max_lines;
  }
  std::vector<LineValue> values;
  if (edited) {
    for (const SourceProblem& problem : context.state.problems)
      if (problem.source == info.sources[source].name)
        values.push_back({std::min(problem.line, count), {}, problem.text, Role::ErrorSoft, Role::Error});
  } else if (context.now && !context.turn) {  // in lockstep there are as many values as lanes
    values = live_values(info, *context.now);
  }
  const Font font = context.code(), strong = context.code(Weight::SemiBold);
  const float number_right =
      card.x + context.px(std::max(24.0f, 8 + 7.4f * static_cast<float>(std::to_string(range.last).size())));
  const float code_left = number_right + context.px(8), code_right = card.right() - context.px(8),
              letter = text_width(font, "0");
  // Only lines that have counters leave them room.
  const auto count_of = [&](int line) -> const LineCount* {
    if (!counters) return nullptr;
    const auto found = counters->find({place.source, line});
    return found == counters->end() ? nullptr : &found->second;
  };
  const auto end_of = [&](int line) { return count_of(line) ? counters_left - context.px(8) : code_right; };
  const std::vector<Row> rows = rows_of(lines, range, values, [&](int line) {
    return static_cast<std::size_t>(std::max(12.0f, std::floor((end_of(line) - code_left) / letter)));
  });
  const int all = static_cast<int>(rows.size());
  int shown = std::min(all, room);
  const auto ran_row = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.line == place.line; });
  int first = ran_row == rows.end() ? 0 : static_cast<int>(ran_row - rows.begin()) - shown * 2 / 3;
  if (ran_row != rows.end()) {
    // All rows of a long line, and the values beside it, not only its first.
    const auto after = std::find_if(ran_row, rows.end(), [&](const Row& row) { return row.line != place.line; });
    first = std::min(std::max(first, static_cast<int>(after - rows.begin()) - shown),
                     static_cast<int>(ran_row - rows.begin()));
  }
  const int scrolled = static_cast<int>(std::lround(context.state.scrolled("source") / line_pitch));
  first = std::clamp(std::clamp(first, 0, all - shown) + scrolled, 0, all - shown);
  // A card begins with a line's beginning, unless that would hide the line that ran.
  while (first + 1 < all && !rows[first].first && (ran_row == rows.end() || first < ran_row - rows.begin())) ++first;
  shown = std::min(shown, all - first);

  const Box frame{card.x, card.y, card.w, static_cast<float>(shown) * pitch + context.px(6)};
  scene.begin_mark({.kind = MarkKind::Pane, .command = "source"});
  scene.rect(frame.inset(context.px(0.5f)), Role::Raised, context.divider(), context.px(4));
  scene.end_mark();
  for (int r = first; r < first + shown; ++r) {
    const Row& row = rows[r];
    const Box area{frame.x, frame.y + context.px(3) + static_cast<float>(r - first) * pitch, frame.w, pitch};
    const bool ran = !edited && row.line == place.line;
    const Mark mark{.kind = MarkKind::Line, .buffer = place.source, .index = static_cast<std::uint64_t>(row.line)};
    const std::string& whole = lines[row.line - 1];
    scene.begin_mark(mark, fmt::format("{}:{}\n{}", info.sources[source].name, row.line,
                                       whole.substr(std::min(whole.find_first_not_of(' '), whole.size()))));
    scene.rect({area.x + context.px(1), area.y, area.w - context.px(2), area.h}, ran ? Role::Now : Role::None);
    if (ran) scene.rect({area.x + context.px(1), area.y, context.px(4), area.h}, Role::OnNow);
    const float centre = area.centre().y;
    if (row.first)
      scene.text({number_right, baseline(context.mono(11), centre)}, std::to_string(row.line), context.mono(11),
                 ran ? Role::OnNow : Role::Ink3, Anchor::End);
    label(scene, code_left + letter * static_cast<float>(row.indent), centre, row.code, ran ? strong : font,
          ran ? Role::OnNow : Role::Ink, end_of(row.line) - code_left);
    float end = end_of(row.line);
    for (auto value = row.values.rbegin(); value != row.values.rend(); ++value) {
      // A compiler's message may have any length.
      const std::string words = edited ? elide(font, value->text, end - code_left) : value->text;
      const float begin = end - text_width(font, words);
      if (begin < code_left) break;
      const bool on_now = value->plate == Role::Now;
      draw_pieces(context, scene, begin, centre,
                  {{words, font,
                    on_now                       ? Role::OnNow
                    : value->plate == Role::None ? Role::Ink2
                                                 : Role::Ink,
                    value->plate, value->underline}});
      end = begin - 2 * letter;
    }
    if (const LineCount* counted = count_of(row.line); counted && row.first)
      draw_counters(context, scene, counters_left, centre, counters_of(*counted, most_runs), ran);
    if (row.first || r == first)
      context.outline(scene,
                      {area.x + context.px(3), area.y + context.px(1), area.w - context.px(6), area.h - context.px(2)},
                      context.px(2), context.lit_line(place.source, row.line));
    scene.end_mark();
  }
  return frame.bottom();
}

}  // namespace twiddle
