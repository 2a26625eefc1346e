// The kernel's source while it is edited, in the source's place.
#include "base/message.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/scene/utf8.h"
#include "viewer/state/window_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

constexpr float editor_pitch = 19.5f, editor_head = 34, editor_buttons = 34, editor_foot = 20, editor_pad = 8;
constexpr std::size_t max_listed_problems = 3;
constexpr std::size_t tab_columns = 4;

std::size_t columns_of(char32_t code) {
  return code == '\t' ? tab_columns : is_combining(code) ? 0 : is_wide(code) ? 2 : 1;
}

/// As it is drawn: a tab is four spaces wide.
std::string without_tabs(std::string_view text) {
  std::string out;
  for (const char c : text) c == '\t' ? out.append(tab_columns, ' ') : out.append(1, c);
  return out;
}

std::vector<SourceProblem> problems_of(const WindowState& state) {
  std::vector<SourceProblem> found;
  for (const SourceProblem& problem : state.problems)
    if (problem.source == state.editor.name) found.push_back(problem);
  return found;
}

/// Rows of at most `columns` letters.
std::vector<EditorView::Row> editor_rows(const std::string& text, std::size_t columns) {
  std::vector<EditorView::Row> rows;
  int line = 1;
  for (std::size_t begin = 0;; ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::size_t from = begin, column = 0, word = begin, word_column = 0;  // word: behind the last space of the row
    for (std::size_t at = begin; at < end;) {
      const std::size_t here = at;
      const std::size_t wide = columns_of(next_code_point(text, at));
      if (column + wide > columns && here > from) {
        // Between words, unless that leaves much of the row empty.
        const bool between = word > from && word_column > columns / 2;
        const std::size_t cut = between ? word : here;
        rows.push_back({line, from, cut, from == begin});
        column = between ? column - word_column : 0;
        from = word = cut, word_column = 0;
      }
      column += wide;
      if (text[here] == ' ') word = at, word_column = column;
    }
    rows.push_back({line, from, end, from == begin});
    if (end == text.size()) return rows;
    begin = end + 1;
  }
}

}  // namespace

Box editor_box(const WindowState& state) {
  const WindowLayout layout = window_layout(state);
  const bool shown = state.editor.open && !state.beside && layout.right.w > 0 && layout.right.h > 0 &&
                     (layout.side_tabs ? state.side_tab == SideTab::Source : state.side_tab != SideTab::Findings);
  if (!shown) return {};
  const float tabs = layout.side_tabs ? side_tabs_height * layout.scale : 0;
  return {layout.right.x, layout.right.y + tabs, layout.right.w, layout.right.h - tabs};
}

EditorView editor_view(const WindowState& state, const Box& box) {
  EditorView view;
  const SourceEditor::Draft* draft = state.editor.draft();
  if (!draft || box.w <= 0 || box.h <= 0) return view;
  const Ink ink{window_layout(state).scale};
  const std::size_t problems = std::min(problems_of(state).size(), max_listed_problems);
  const float pad = ink.px(editor_pad);
  view.head = {box.x, box.y, box.w, ink.px(editor_head + editor_buttons)};
  view.foot = {box.x + pad, 0, box.w - 2 * pad,
               ink.px(editor_foot) * static_cast<float>(std::max<std::size_t>(1, problems))};
  view.foot.y = box.bottom() - view.foot.h - ink.px(4);
  view.card = {box.x + pad, view.head.bottom(), box.w - 2 * pad, view.foot.y - ink.px(4) - view.head.bottom()};
  view.pitch = std::round(ink.px(editor_pitch));
  const std::string& text = draft->area.text();
  const auto digits = static_cast<float>(std::to_string(draft->area.line_at(text.size())).size());
  view.number_right = view.card.x + ink.px(std::max(24.0f, 10 + 7.4f * digits));
  view.code_left = view.number_right + ink.px(10);
  view.letter = text_width(ink.code(), "0");
  const float room = view.card.right() - ink.px(6) - view.code_left;
  view.rows =
      editor_rows(text, static_cast<std::size_t>(std::max(8.0f, std::floor(room / std::max(1.0f, view.letter)))));
  view.shown = std::max(0, static_cast<int>((view.card.h - ink.px(8)) / view.pitch));
  const int last = std::max(0, static_cast<int>(view.rows.size()) - view.shown);
  view.first = std::clamp(static_cast<int>(std::lround(state.scrolled("editor"))), 0, last);
  return view;
}

int EditorView::row_of(std::size_t offset) const {
  const auto behind =
      std::upper_bound(rows.begin(), rows.end(), offset, [](std::size_t at, const Row& row) { return at < row.from; });
  return std::max(0, static_cast<int>(behind - rows.begin()) - 1);
}

std::size_t EditorView::offset_at(const std::string& text, const Font& font, Point at) const {
  if (rows.empty()) return 0;
  const int row = std::clamp(first + static_cast<int>(std::floor((at.y - card.y - pitch / 5) / pitch)), 0,
                             static_cast<int>(rows.size()) - 1);
  const Row& one = rows[static_cast<std::size_t>(row)];
  // The nearest gap between two letters.
  std::size_t best = one.from;
  float distance = std::abs(at.x - code_left);
  for (std::size_t end = one.from; end < one.to;) {
    next_code_point(text, end);
    const float x = code_left + text_width(font, without_tabs(std::string_view(text).substr(one.from, end - one.from)));
    if (std::abs(at.x - x) >= distance && x > at.x) break;
    if (std::abs(at.x - x) < distance) best = end, distance = std::abs(at.x - x);
  }
  return std::min(best, text.size());
}

void editor_part(const PanelContext& context, Scene& scene, Box box) {
  const WindowState& state = context.state;
  const SourceEditor::Draft* draft = state.editor.draft();
  if (!draft) return;
  const EditorView view = editor_view(state, box);
  if (view.shown < 1) return;
  const TextArea& area = draft->area;
  const std::vector<SourceProblem> problems = problems_of(state);
  const bool changed = draft->changed(), focused = state.editing();
  const float pad = context.px(16), cross = context.px(11);

  const float centre = box.y + context.px(editor_head / 2);
  heading(context, scene, box.x + pad, centre, box.right() - pad - cross - context.px(10), state.editor.name,
          !problems.empty()         ? tr("does not compile")
          : state.run_fraction >= 0 ? tr("it runs …")
          : changed                 ? tr("edited, not run")
                                    : tr("as it ran"),
          Face::Sans);
  cross_button(context, scene, {box.right() - pad - cross / 2, centre}, cross, command_mark(Command::CloseEditor),
               tr("Close the editor: what was edited is kept"));
  const float buttons = box.y + context.px(editor_head + editor_buttons / 2 - 3);
  float x = box.x + context.px(editor_pad);
  const Font font = context.sans(12.5f, Weight::SemiBold), key_font = context.mono(11);
  for (const auto& [command, words, key] :
       {std::tuple{Command::RunEdited, tr("Run"), "Ctrl Enter"}, std::tuple{Command::SaveKernel, tr("Save"), "Ctrl S"},
        std::tuple{Command::RevertSource, tr("Take back"), ""}}) {
    if (command == Command::RevertSource && !changed) continue;
    const float keys = *key ? text_width(key_font, key) + context.px(10) : 0;
    const float width = std::round(text_width(font, words) + keys + context.px(20));
    if (x + width > box.right() - context.px(editor_pad)) break;
    const Box button{x, std::round(buttons - context.px(13)), width, std::round(context.px(26))};
    const Mark mark = command_mark(command);
    scene.begin_mark(mark, tr(meaning_of(command).data()));
    control_box(context, scene, button, mark);
    scene.text({button.x + context.px(10), baseline(font, button.centre().y)}, words, font);
    if (keys > 0)
      scene.text({button.right() - context.px(9), baseline(key_font, button.centre().y)}, key, key_font, Role::Ink3,
                 Anchor::End);
    scene.end_mark();
    x = button.right() + context.px(8);
  }

  scene.begin_mark({.kind = MarkKind::Pane, .command = editor_mark});
  scene.rect(view.card.inset(context.px(0.5f)), Role::Raised,
             focused ? Stroke{Role::Hover, context.thin(2)} : context.divider(), context.px(4));
  const Font code = context.code();
  const auto width_of = [&](std::size_t from, std::size_t to) {
    return to <= from ? 0 : text_width(code, without_tabs(std::string_view(area.text()).substr(from, to - from)));
  };
  const ChangedLines edited = changed_lines(area.text(), draft->original);
  const float tall = std::round(code.size * 1.45f), thin = context.thin(1.5f);
  const int last = std::min(static_cast<int>(view.rows.size()), view.first + view.shown);
  scene.push_clip(view.card.inset(context.px(1)));
  for (int r = view.first; r < last; ++r) {
    const EditorView::Row& row = view.rows[static_cast<std::size_t>(r)];
    const float middle = view.card.y + context.px(4) + (static_cast<float>(r - view.first) + 0.5f) * view.pitch;
    const Box area_of{view.card.x + context.px(1), middle - view.pitch / 2, view.card.w - context.px(2), view.pitch};
    const auto problem =
        std::find_if(problems.begin(), problems.end(), [&](const SourceProblem& one) { return one.line == row.line; });
    if (problem != problems.end()) scene.rect(area_of, Role::ErrorSoft);
    if (row.line >= edited.first && row.line <= edited.last)
      scene.rect({area_of.x + context.px(1), area_of.y, context.px(4), area_of.h}, Role::Hover);
    if (row.first)
      scene.text({view.number_right, baseline(context.mono(11), middle)}, std::to_string(row.line), context.mono(11),
                 Role::Ink3, Anchor::End);
    // What is selected; an end of a line is as wide as a letter.
    const bool ends = r + 1 == static_cast<int>(view.rows.size()) || view.rows[static_cast<std::size_t>(r) + 1].first;
    const std::size_t from = std::max(area.from(), row.from), to = std::min(area.to(), row.to);
    if (area.to() > area.from() && from <= to && area.from() <= row.to && area.to() >= row.from) {
      const bool beyond = ends && area.to() > row.to && area.from() <= row.to;
      const float left = view.code_left + width_of(row.from, from);
      const float wide = width_of(from, to) + (beyond ? view.letter : 0);
      if (wide > 0)
        scene.rect({left, std::round(middle - tall / 2), wide, tall}, Role::HoverSoft,
                   {Role::Hover, context.thin(1)});  // a frame, for the plate alone is pale on a projector
    }
    const std::string shown = without_tabs(std::string_view(area.text()).substr(row.from, row.to - row.from));
    if (shown.find_first_not_of(' ') != std::string::npos)
      scene.text({view.code_left, baseline(code, middle)}, shown, code);
    if (view.row_of(area.caret()) == r && focused)
      scene.rect(
          {std::round(view.code_left + width_of(row.from, area.caret())), std::round(middle - tall / 2), thin, tall},
          Role::Ink);
  }
  scene.pop_clip();
  scene.end_mark();

  // What does not compile; else what the keys do.
  if (problems.empty()) {
    first_fitting(scene, view.foot.x + context.px(4), view.foot.y + context.px(editor_foot / 2),
                  {tr("Ctrl Enter runs it, your file stays as it is · Esc closes, what was edited is kept"),
                   tr("Ctrl Enter runs it, your file stays as it is"), tr("Ctrl Enter runs it")},
                  context.caption(), Role::Ink2, view.foot.w - context.px(8));
    return;
  }
  for (std::size_t p = 0; p < std::min(problems.size(), max_listed_problems); ++p) {
    const float middle = view.foot.y + context.px(editor_foot) * (static_cast<float>(p) + 0.5f);
    const std::string words = fmt::format("{}: {}", problems[p].line, problems[p].text);
    const Mark mark = command_mark(Command::GoToProblem, p);
    scene.begin_mark(mark, words);
    const Box row{view.foot.x, middle - context.px(editor_foot / 2), view.foot.w, context.px(editor_foot)};
    scene.rect(row, Role::None);
    context.outline(scene, row.inset(context.px(1)), context.px(2), is_hovered(context, mark) ? 2 : 0);
    severity_sign(context, scene, Severity::Error, {view.foot.x + context.px(10), middle}, context.px(13));
    label(scene, view.foot.x + context.px(22), middle, words, context.caption(), Role::Ink,
          view.foot.w - context.px(26));
    scene.end_mark();
  }
}

}  // namespace twiddle
