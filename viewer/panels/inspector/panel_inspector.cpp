// The right pane: the operation spelled out with its numbers, over its plots and its source.
#include "base/message.h"
#include "viewer/graphs/unexplained.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/panels/turn_words.h"
#include "viewer/words/twiddle_name.h"

#include <algorithm>
#include <string_view>

namespace twiddle {
namespace {

constexpr float inspector_row_pitch = 25, equation_gap = 7, tight_gap = 3, inspector_pad = 16;

// A row of an equation, laid out but not drawn.
struct PlacedRow {
  std::vector<std::pair<float, Piece>> pieces;  // x, text
  bool begins = false;                          // of its equation
  bool unequal = false;                         // its relation, the first piece, is ≠
};

// Rows broken before operators where they do not fit; what is too long even for a row of its own is cut.
void place_equation(std::vector<PlacedRow>& placed, const Equation& equation, const Font& font, float left, float right,
                    float relation_x) {
  const float letter = text_width(font, "0"), indent = relation_x + 2 * letter;
  const auto piece = [&](const EquationPart& token, std::string text) {
    return Piece{std::move(text), font, token.plate == Role::Now ? Role::OnNow : Role::Ink, token.plate,
                 token.underline};
  };
  // A long target pushes only its own relation to the right.
  const float target_end = left + text_width(font, equation.target.text);
  float at = target_end + letter * 0.6f > relation_x ? target_end + letter : relation_x;
  for (std::size_t r = 0; r < equation.rows.size(); ++r, at = relation_x) {
    const EquationRow& row = equation.rows[r];
    placed.push_back({{}, r == 0, row.relation == "≠"});
    placed.back().pieces.push_back({at, {row.relation, font, row.relation == "≠" ? Role::Ink : Role::Ink2}});
    if (r == 0)
      placed.back().pieces.push_back({left, piece(equation.target, elide(font, equation.target.text, right - left))});
    float x = at + 2 * letter;
    for (std::size_t t = 0; t < row.tokens.size(); ++t) {
      // A sum is broken before a whole term, a product only when even its term is too long.
      const bool sum = row.tokens[t].text.starts_with(' '), breaks = sum || row.tokens[t].text == "·";
      float width = text_width(font, row.tokens[t].text);
      for (std::size_t next = t + 1; breaks && next < row.tokens.size(); ++next) {
        if (row.tokens[next].text.starts_with(' ') || (!sum && next > t + 1)) break;
        width += text_width(font, row.tokens[next].text);
        if (indent + width > right + 2 * letter && next > t + 1) break;
      }
      std::string text = row.tokens[t].text;
      if (x + width > right && t > 0 && breaks) {
        placed.push_back({});
        while (text.starts_with(' ')) text.erase(0, 1);
        x = text == "·" ? indent - letter : indent - 2 * letter;
      }
      text = elide(font, text, right - x);
      if (text.empty()) continue;
      const float end = x + text_width(font, text);
      placed.back().pieces.push_back({x, piece(row.tokens[t], std::move(text))});
      x = end;
    }
  }
}

// A formula and its result on one row where they fit; else the result of what is written, and of the inputs what fits.
EquationRow on_one_row(const Equation& equation, const Font& font, float room) {
  const auto width = [&](const std::vector<EquationPart>& tokens) {
    float sum = 0;
    for (const EquationPart& token : tokens) sum += text_width(font, token.text);
    return sum;
  };
  EquationRow row = equation.rows.front();
  const EquationRow& last = equation.rows.back();
  if (last.relation == "≠") return last;
  std::vector<EquationPart> both = row.tokens;
  both.push_back({" " + last.relation + " "});
  both.insert(both.end(), last.tokens.begin(), last.tokens.end());
  if (width(both) <= room)
    row.tokens = std::move(both);
  else if (equation.target.plate == Role::Now || width(last.tokens) <= room)
    row.tokens = last.tokens;
  return row;
}

// Draws the equations down to `bottom`. Where there is no room for all of them the numbers between formula and result go
// first, then each equation is on one row; then a row of dots says that there is more.
float draw_equations(const PanelContext& context, Scene& scene, const OperationText& text, float left, float right,
                     float top, float bottom, float size) {
  const Font font = context.mono(size);
  const float pitch = std::round(context.px(inspector_row_pitch * size / 14)), letter = text_width(font, "0");
  const float gap = context.px(text.equations.size() > 4 ? tight_gap : equation_gap);
  float relation = left;
  for (const Equation& equation : text.equations) {
    const float width = text_width(font, equation.target.text);
    if (width < (right - left) * 0.4f) relation = std::max(relation, left + width + letter);
  }
  std::vector<PlacedRow> rows;
  for (const int rows_each : {3, 2, 1}) {
    rows.clear();
    for (Equation equation : text.equations) {
      if (rows_each == 2 && equation.rows.size() > 2)
        equation.rows.erase(equation.rows.begin() + 1, equation.rows.end() - 1);
      if (rows_each == 1 && equation.rows.size() > 1)
        equation.rows = {on_one_row(equation, font, right - relation - 2 * letter)};
      place_equation(rows, equation, font, left, right, relation);
    }
    if (top + static_cast<float>(rows.size()) * pitch + static_cast<float>(text.equations.size()) * gap <= bottom)
      break;
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].begins && r > 0) top += gap;
    const float centre = top + pitch / 2;
    if (top + 2 * pitch > bottom && r + 1 < rows.size()) {
      if (top + pitch <= bottom) scene.text({left, baseline(font, centre)}, "…", font, Role::Ink2);
      return bottom;
    }
    for (const auto& [x, piece] : rows[r].pieces) draw_pieces(context, scene, x, centre, {piece});
    if (rows[r].unequal) {
      const float x = rows[r].pieces.front().first;
      scene.rect({x - letter * 0.2f, centre + size * context.scale * 0.62f, letter * 1.4f, context.px(2)}, Role::Error);
    }
    top += pitch;
  }
  return top + gap;
}

float paragraph(const PanelContext& context, Scene& scene, const std::string& text, float left, float right, float top,
                float bottom, Role role) {
  for (const std::string& line : wrap(context.caption(), text, right - left)) {
    if (top + context.px(16) > bottom) break;
    label(scene, left, top + context.px(9), line, context.caption(), role, right - left);
    top += context.px(18);
  }
  return top;
}

float widest_row(const OperationText& text, const Font& font) {
  float widest = 0;
  for (const Equation& equation : text.equations)
    for (const EquationRow& row : equation.rows) {
      float width = text_width(font, equation.target.text + " ← ");
      for (const EquationPart& token : row.tokens) width += text_width(font, token.text);
      widest = std::max(widest, width);
    }
  return widest;
}

// Broken between "span 4" and "stride 2", not between "stride" and "2"; in Chinese and Japanese not in the middle of a word.
std::vector<std::string> subtitle_lines(const std::string& text, const Font& font, float room) {
  constexpr std::string_view dot = " · ";
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(dot, begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    if (!lines.empty() && text_width(font, lines.back() + std::string(dot) + part) <= room)
      lines.back() += std::string(dot) + part;
    else
      for (std::string& line : wrap(font, part, room)) lines.push_back(std::move(line));
    begin = end + dot.size();
  }
  return lines;
}

// Where a trace begins: what will run, and how to make it run.
float nothing_yet(const PanelContext& context, Scene& scene, float left, float right, float top, float bottom) {
  label(scene, left, top + context.px(20), tr("Nothing has run yet"), context.sans(18, Weight::SemiBold), Role::Ink,
        right - left);
  top += context.px(42);
  if (context.info().steps == 0)
    return paragraph(context, scene, tr("This trace holds no operations: nothing that its kernels did was logged."),
                     left, right, top, bottom, Role::Ink2);
  const std::string what = tr("{} in {} to come. Press → for the first, or Space to play.",
                              plural(context.info().steps, "{} operation", "{} operations"),
                              plural(context.info().launches.size(), "{} launch", "{} launches"));
  return paragraph(context, scene, what, left, right, top, bottom, Role::Ink2);
}

// What an operation is believed for; empty: a trace line alone says so, which is how most traces are.
std::string evidence(const PanelContext& context) {
  const Operation& now = *context.now;
  const LaunchInfo* launch = context.info().launch(now.launch);
  if (!launch || !launch->accesses.logged || now.kind == OperationKind::Barrier) return {};
  if (launch->accesses.lifted) {
    if (is_unexplained(context.info(), now))
      return tr("? An access as it was logged: the trace has no operation that explains it.");
    return tr("Found in the accesses: what was read and written fits this.");
  }
  const auto contradicts = [&](const TraceNote& note) {
    return note.finding && note.finding->kind == FindingClass::FalseTraceLine && note.finding->launch == now.launch &&
           note.finding->line == now.line;
  };
  if (std::any_of(context.facts.notes.begin(), context.facts.notes.end(), contradicts))
    return tr("Only the trace line says so: the accesses say something else.");
  return tr("The trace line says so, and no access that was logged says otherwise.");
}

}  // namespace

OperationText described(const PanelContext& context) {
  OperationText text = describe(context.info(), *context.now);
  if (!context.document.findings_kept_back) {
    if (std::string why = evidence(context); !why.empty()) text.remarks.push_back(std::move(why));
    return text;
  }
  for (Equation& equation : text.equations)
    for (EquationRow& row : equation.rows)
      if (row.relation == "≠") row.relation = "=";
  text.remarks.clear();
  return text;
}

float inspector_part(const PanelContext& context, Scene& scene, Box box) {
  const float left = box.x + context.px(inspector_pad), right = box.right() - context.px(inspector_pad);
  float top = box.y;
  if (!context.now) return nothing_yet(context, scene, left, right, top + context.px(4), box.bottom());

  if (context.turn) return turn_part(context, scene, box);
  const OperationText text = described(context);
  const float title_centre = top + context.px(24);
  const float chip = position_chip(context, scene, right, title_centre + context.px(1), position_text(context), 13);
  label(scene, left, title_centre, text.title, context.sans(18, Weight::SemiBold), Role::Ink,
        chip - left - context.px(12));
  top += context.px(38);
  for (const std::string& line : subtitle_lines(text.subtitle, context.caption(), right - left)) {
    label(scene, left, top + context.px(9), line, context.caption(), Role::Ink2, right - left);
    top += context.px(18);
  }
  top += context.px(8);

  // One type size for all rows: 14 while they fit or nearly so, then the code's 12 before anything is broken.
  float size = 14;
  if (widest_row(text, context.mono(size)) > right - left) size = 12;
  if (text.equations.size() > 4) size = 12;
  top = draw_equations(context, scene, text, left, right, top, box.bottom(), size);
  for (const std::string& remark : text.remarks) {
    if (top + context.px(20) > box.bottom()) break;
    top = paragraph(context, scene, remark, left, right, top + context.px(2), box.bottom(), Role::Ink2);
  }
  return finding_part(context, scene, {left, top, right - left, box.bottom() - top});
}

namespace {

/// The operation as a sentence, in lines that are as large as fit the box.
void sentence_lines(const PanelContext& context, Scene& scene, const Box& box) {
  const std::string words = sentence(context.info(), *context.now);
  for (const float size : {13.0f, 12.0f, 11.0f, 10.0f}) {
    const Font font = context.mono(size);
    const std::vector<std::string> lines = wrap(font, words, box.w);
    const float pitch = font.size * 1.3f, all = pitch * static_cast<float>(lines.size());
    if (all > box.h - context.px(4) && size > 10.0f) continue;
    float y = std::max(box.centre().y - all / 2, box.y) + pitch / 2;
    for (const std::string& line : lines) {
      if (y + pitch / 2 > box.bottom()) break;
      label(scene, box.x, y, line, font, Role::Ink, box.w);
      y += pitch;
    }
    return;
  }
}

}  // namespace

Scene strip_panel(const PanelContext& context, float width, float height) {
  Scene scene = pane(context, width, height, Edge::Top);
  const float left = context.px(12), right = width - context.px(12), centre = height / 2;
  if (!context.now) {
    label(scene, left, centre,
          context.info().steps == 0 ? tr("This trace holds no operations.")
                                    : tr("Nothing has run yet. Press → for the first operation."),
          context.caption(), Role::Ink2, right - left);
    return scene;
  }
  if (context.turn) {
    first_fitting(scene, left, centre,
                  {turn_sentence(context.info(), *context.turn), cost_words(context.info(), *context.turn)},
                  context.mono(13), Role::Ink, right - left);
    return scene;
  }
  const OperationText text = described(context);
  const Font font = context.mono(13);
  float x = left;
  for (const Equation& equation : text.equations) {
    std::vector<Piece> pieces{
        {equation.target.text, font, Role::OnNow, equation.target.plate, equation.target.underline}};
    if (equation.target.plate != Role::Now) pieces.back().role = Role::Ink;
    for (const EquationRow* row : {&equation.rows.front(), &equation.rows.back()}) {
      if (row == &equation.rows.back() && equation.rows.size() == 1) continue;
      pieces.push_back({" " + row->relation + " ", font, Role::Ink2});
      for (const EquationPart& token : row->tokens)
        pieces.push_back(
            {token.text, font, token.plate == Role::Now ? Role::OnNow : Role::Ink, token.plate, token.underline});
    }
    if (x + pieces_width(pieces) > right) break;
    x = draw_pieces(context, scene, x, centre, pieces) + context.px(24);
  }
  if (x == left) sentence_lines(context, scene, {left, 0, right - left, height});
  return scene;
}

Scene side_panel(const PanelContext& context, float width, float height, bool tabbed) {
  Scene scene = pane(context, width, height, Edge::Left, "side");
  Box box{0, 0, width, height};
  const bool findings = !context.facts.notes.empty() && context.state.predict != Predict::Asking;
  const bool editing = context.state.editor.open;
  if (!tabbed && findings && context.state.side_tab == SideTab::Findings) {
    findings_part(context, scene, box, true);
    return scene;
  }
  if (!tabbed && editing && context.state.side_tab != SideTab::Findings) {
    editor_part(context, scene, box);
    return scene;
  }
  if (!tabbed) {
    scene.push_clip(box);
    const float end = inspector_part(context, scene, box);
    const float plots = plots_part(context, scene, {0, end + context.px(4), width, height - end});
    const float source_top = std::max(plots, end) + context.px(8);
    if (height - source_top > context.px(90))
      source_part(context, scene, {0, source_top, width, height - source_top - context.px(8)});
    scene.pop_clip();
    return scene;
  }

  std::vector<std::string> names{tr("Operation"), tr("Source")};
  if (findings) names.emplace_back(tr("Findings"));
  const float tab_height = context.px(side_tabs_height);
  tabs(context, scene, context.px(inspector_pad), 0, tab_height, Command::ShowSideTab, names,
       static_cast<std::size_t>(context.state.side_tab));
  scene.line({0, tab_height}, {width, tab_height}, context.divider());
  if (editing && context.state.side_tab == SideTab::Source) {
    editor_part(context, scene, {0, tab_height, width, height - tab_height});
    return scene;
  }
  box = {0, tab_height + context.px(4), width, height - tab_height - context.px(4)};
  scene.push_clip(box);
  if (context.state.side_tab == SideTab::Source) {
    source_part(context, scene, {0, box.y + context.px(4), width, box.h - context.px(12)});
  } else if (context.state.side_tab == SideTab::Findings && findings) {
    findings_part(context, scene, box, false);
  } else {
    const float end = inspector_part(context, scene, box);
    float below = end;
    if (box.bottom() - end > context.px(100))
      below = plots_part(context, scene, {0, end + context.px(4), width, box.bottom() - end - context.px(8)});
    // The source, too, where there is room for some lines of it.
    const float source_top = std::max(below, end) + context.px(8);
    if (context.now && box.bottom() - source_top > context.px(130))
      source_part(context, scene, {0, source_top, width, box.bottom() - source_top - context.px(8)});
  }
  scene.pop_clip();
  return scene;
}

}  // namespace twiddle
