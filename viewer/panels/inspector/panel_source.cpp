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

std::array<Counter, counter_columns> counters_of(const LineCount& count, std::uint64_t max_runs) {
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
  };
  std::array<Counter, counter_columns> counters;
  counters[0] = {short_count(count.runs), share(count.runs, max_runs)};
  const double lanes = share(count.lanes, count.runs);
  counters[1] = {fmt::format("{}/{}", number_text(lanes, lanes < 10 ? 2 : 3), sub_group_size),
                 lanes / static_cast<double>(sub_group_size)};
  if (count.sectors > 0)
    counters[2] = {short_count(count.sectors), 1, count.costly ? share(count.min_sectors, count.sectors) : 1};
  if (count.passes > 0) counters[3] = {short_count(count.passes), 1, share(count.min_passes, count.passes)};
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

// The card in the making: where it is, what is counted beside its lines, and which of its rows are seen.
class SourceCard {
 public:
  SourceCard(const PanelContext& of, Scene& onto, const Box& box)
      : context(of), scene(onto), box_(box), info_(of.info()), place_(place_of(of)) {}

  /// Where it ends; the top of its box where there is nothing to show.
  float draw() {
    if (!info_.source(place_.source)) return box_.y;
    name_ = info_.source(place_.source)->name;
    edited_ = edited_text(context.state, name_);
    head();
    card_ = {box_.x + context.px(8), box_.y + context.px(header_height), box_.w - context.px(16),
             box_.bottom() - box_.y - context.px(header_height)};
    count();
    lines_ = source_lines(edited_ ? *edited_ : info_.source(place_.source)->text);
    const int room = static_cast<int>((card_.h - context.px(6)) / pitch_);
    if (room < 1 || lines_.empty()) return box_.y;
    make_rows();
    scroll(room);
    const Box frame{card_.x, card_.y, card_.w, static_cast<float>(shown_) * pitch_ + context.px(6)};
    scene.begin_mark({.kind = MarkKind::Pane, .command = "source"});
    scene.rect(frame.inset(context.px(0.5f)), Role::Raised, context.divider(), context.px(4));
    scene.end_mark();
    for (int r = first_; r < first_ + shown_; ++r)
      row(rows_[r], {frame.x, frame.y + context.px(3) + static_cast<float>(r - first_) * pitch_, frame.w, pitch_},
          r == first_);
    return frame.bottom();
  }

 private:
  float left() const { return box_.x + context.px(source_pad); }
  float right() const { return box_.right() - context.px(source_pad); }
  float counters_left() const { return card_.right() - context.px(8 + counter_columns * counter_width); }

  void head() {
    // Where the kernel can be run again, it can be edited here.
    float aside = right();
    if (context.state.can_run && context.state.predict == Predict::Off && right() - left() > context.px(220))
      aside = word_button(context, scene, right() + context.px(8), box_.y + context.px(11), Command::EditSource,
                          tr("Edit")) -
              context.px(10);
    heading(context, scene, left(), box_.y + context.px(11), aside, name_,
            context.state.editor.changed() ? tr("edited, not run")
            : edited_                      ? tr("line {} does not compile", place_.line)
            : place_.line > 0              ? tr("logged at line {}", place_.line)
                                           : std::string(),
            Face::Sans);
  }

  // What each line cost, where the turns of lockstep are shown and there is room beside the code.
  void count() {
    if (context.turn && !edited_ && card_.w >= context.px(counters_from)) {
      counters_ = line_counters(context.document, context.state.patience_ms / 4);
      if (!counters_) scene.unfinished = true;
    }
    if (counters_)
      for (const auto& [at, count] : *counters_)
        if (at.first == place_.source) max_runs_ = std::max(max_runs_, count.runs);
    if (max_runs_ == 0) counters_ = nullptr;
    if (!counters_) return;
    const std::array<std::string, counter_columns> heads = {tr("runs"), tr("lanes"), tr("sectors"), tr("passes")};
    const float centre = card_.y + context.px(counter_heads / 2);
    for (std::size_t c = 0; c < heads.size(); ++c)
      label(scene, counters_left() + context.px(counter_width) * (static_cast<float>(c) + 0.5f), centre, heads[c],
            context.sans(10.5f), Role::Ink2, context.px(counter_width - 2), Anchor::Middle);
    label(scene, left(), centre, tr("whole run, by {}", lanes_noun(info_)), context.sans(10.5f), Role::Ink3,
          counters_left() - left() - context.px(8));
    card_.y += context.px(counter_heads), card_.h -= context.px(counter_heads);
  }

  // Only lines that have counters leave them room.
  const LineCount* count_of(int line) const {
    if (!counters_) return nullptr;
    const auto found = counters_->find({place_.source, line});
    return found == counters_->end() ? nullptr : &found->second;
  }
  float end_of(int line) const {
    return count_of(line) ? counters_left() - context.px(8) : card_.right() - context.px(8);
  }

  // The whole kernel, bounded.
  LineRange range() const {
    constexpr int max_lines = 400;
    const int count = static_cast<int>(lines_.size());
    LineRange range = kernel_lines(lines_, place_.kernel);
    if (range.first == 0 || place_.line > range.last || (place_.line > 0 && place_.line < range.first))
      range = {1, count};
    if (range.last - range.first > max_lines) {
      range.first = std::clamp(place_.line - max_lines / 2, range.first, range.last - max_lines);
      range.last = range.first + max_lines;
    }
    return range;
  }

  void make_rows() {
    std::vector<LineValue> values;
    if (edited_) {
      for (const SourceProblem& problem : context.state.problems)
        if (problem.source == name_)
          values.push_back({std::min(problem.line, static_cast<int>(lines_.size())),
                            {},
                            problem.text,
                            Role::ErrorSoft,
                            Role::Error});
    } else if (context.now && !context.turn) {  // in lockstep there are as many values as lanes
      values = live_values(info_, *context.now);
    }
    const LineRange shown = range();
    number_right_ =
        card_.x + context.px(std::max(24.0f, 8 + 7.4f * static_cast<float>(std::to_string(shown.last).size())));
    code_left_ = number_right_ + context.px(8);
    letter_ = text_width(font_, "0");
    rows_ = rows_of(lines_, shown, values, [&](int line) {
      return static_cast<std::size_t>(std::max(12.0f, std::floor((end_of(line) - code_left_) / letter_)));
    });
  }

  // As many of the rows as there is room for, around the line that ran.
  void scroll(int room) {
    const int all = static_cast<int>(rows_.size());
    shown_ = std::min(all, room);
    const auto of_line = [&](const Row& row) { return row.line == place_.line; };
    const auto ran = std::find_if(rows_.begin(), rows_.end(), of_line);
    const int ran_at = static_cast<int>(ran - rows_.begin());
    if (ran != rows_.end()) {
      // All rows of a long line, and the values beside it, not only its first.
      const int after = static_cast<int>(std::find_if_not(ran, rows_.end(), of_line) - rows_.begin());
      first_ = std::min(std::max(ran_at - shown_ * 2 / 3, after - shown_), ran_at);
    }
    const int scrolled = static_cast<int>(std::lround(context.state.scrolled("source") / line_pitch));
    first_ = std::clamp(std::clamp(first_, 0, all - shown_) + scrolled, 0, all - shown_);
    // A card begins with a line's beginning, unless that would hide the line that ran.
    while (first_ + 1 < all && !rows_[first_].first && (ran == rows_.end() || first_ < ran_at)) ++first_;
    shown_ = std::min(shown_, all - first_);
  }

  void row(const Row& row, const Box& area, bool top) {
    const bool ran = !edited_ && row.line == place_.line;
    const Mark mark{.kind = MarkKind::Line, .buffer = place_.source, .index = static_cast<std::uint64_t>(row.line)};
    const std::string& whole = lines_[row.line - 1];
    scene.begin_mark(mark, fmt::format("{}:{}\n{}", name_, row.line,
                                       whole.substr(std::min(whole.find_first_not_of(' '), whole.size()))));
    scene.rect({area.x + context.px(1), area.y, area.w - context.px(2), area.h}, ran ? Role::Now : Role::None);
    if (ran) scene.rect({area.x + context.px(1), area.y, context.px(4), area.h}, Role::OnNow);
    const float centre = area.centre().y;
    if (row.first)
      scene.text({number_right_, baseline(context.mono(11), centre)}, std::to_string(row.line), context.mono(11),
                 ran ? Role::OnNow : Role::Ink3, Anchor::End);
    label(scene, code_left_ + letter_ * static_cast<float>(row.indent), centre, row.code,
          ran ? context.code(Weight::SemiBold) : font_, ran ? Role::OnNow : Role::Ink, end_of(row.line) - code_left_);
    values_of(row, centre);
    if (const LineCount* counted = count_of(row.line); counted && row.first)
      draw_counters(context, scene, counters_left(), centre, counters_of(*counted, max_runs_), ran);
    if (row.first || top)
      context.outline(scene,
                      {area.x + context.px(3), area.y + context.px(1), area.w - context.px(6), area.h - context.px(2)},
                      context.px(2), context.lit_line(place_.source, row.line));
    scene.end_mark();
  }

  void values_of(const Row& row, float centre) {
    float end = end_of(row.line);
    for (auto value = row.values.rbegin(); value != row.values.rend(); ++value) {
      // A compiler's message may have any length.
      const std::string words = edited_ ? elide(font_, value->text, end - code_left_) : value->text;
      const float begin = end - text_width(font_, words);
      if (begin < code_left_) break;
      const Role ink = value->plate == Role::Now ? Role::OnNow : value->plate == Role::None ? Role::Ink2 : Role::Ink;
      draw_pieces(context, scene, begin, centre, {{words, font_, ink, value->plate, value->underline}});
      end = begin - 2 * letter_;
    }
  }

  const PanelContext& context;
  Scene& scene;
  Box box_, card_;
  const TraceInfo& info_;
  SourcePlace place_;
  std::string name_;
  const std::string* edited_ = nullptr;
  const LineCounters* counters_ = nullptr;
  std::uint64_t max_runs_ = 0;  // of a line
  std::vector<std::string> lines_;
  std::vector<Row> rows_;
  Font font_ = context.code();
  float pitch_ = std::round(context.px(line_pitch));
  float number_right_ = 0, code_left_ = 0, letter_ = 0;
  int first_ = 0, shown_ = 0;  // rows that are seen
};

}  // namespace

float source_part(const PanelContext& context, Scene& scene, Box box) { return SourceCard(context, scene, box).draw(); }

}  // namespace twiddle
