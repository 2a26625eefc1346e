#include "lessons/text/text_layout.h"

#include "lessons/text/text_plot.h"
#include "viewer/scene/fonts.h"
#include "viewer/scene/formula.h"
#include "viewer/scene/line_breaks.h"
#include "viewer/scene/utf8.h"

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

float gap_before(const Font& font) { return text_width(font, " "); }

}  // namespace

TextLayout::TextLayout(float width, float size, Language language)
    : width_(width), size_(size), wide_(language != Language::English) {
  scene_.width = width;
  scene_.language = language;
}

// Pieces that are never broken: words, and single letters of Chinese and Japanese with the signs that stay with them.
std::vector<TextLayout::Piece> TextLayout::pieces_of(const std::vector<TextRun>& runs, Role role) const {
  std::string all;
  for (const TextRun& run : runs) all += run.text;
  const std::vector<bool> ends = line_ends(all, scene_.language);
  std::vector<Piece> pieces;
  bool space = false, may_break = true;
  std::size_t number = 0;
  for (const TextRun& run : runs) {
    // There is no slanted face; yellow, the colour of what is now, cannot be read on white.
    const Font font{run.code ? Face::Mono : Face::Sans, run.strong || run.emphasis ? Weight::SemiBold : Weight::Regular,
                    run.code ? size_ * 0.92f : size_};
    // A run begins with a piece of its own, glued to the one before where no break may be; one that looks like the one before
    // goes on with it, for a formula may be in both.
    bool fresh = pieces.empty() || pieces.back().font != font || pieces.back().role != role ||
                 pieces.back().code != run.code || pieces.back().term != run.term;
    for (std::size_t at = 0; at < run.text.size(); ++number) {
      const std::size_t begin = at;
      const char32_t code = next_code_point(run.text, at);
      if (code == U' ' || code == U'\n') {
        space = may_break = true;
        continue;
      }
      const std::string letter = run.text.substr(begin, at - begin);
      if (may_break || fresh || pieces.empty())
        pieces.push_back({letter, font, role, space, run.code, !may_break && !pieces.empty(), run.term});
      else
        pieces.back().text += letter;
      space = fresh = false;
      may_break = ends[number];
    }
  }
  return pieces;
}

// One line, its pieces placed. Neighbours that look alike are one text: to select, to search and to read aloud.
void TextLayout::line(const std::vector<Placed>& pieces) {
  std::vector<Placed> texts;
  for (const Placed& placed : pieces) {
    if (!texts.empty()) {
      Placed& last = texts.back();
      const bool alike = last.piece->font == placed.piece->font && last.piece->role == placed.piece->role &&
                         last.piece->code == placed.piece->code && last.piece->term == placed.piece->term;
      const float between = placed.x - (last.x + formula_width(last.piece->font, last.text));
      // After a long text a renderer that rounds its letters' widths is not where it was measured to be: the letter of a factor
      // would be away from its exponent.
      const bool formula = formula_parts(placed.text).size() > 1;
      if (alike &&
          (std::abs(between) < 0.5f || (!formula && std::abs(between - gap_before(placed.piece->font)) < 0.5f))) {
        last.text += (between > 0.5f ? " " : "") + placed.text;
        continue;
      }
    }
    texts.push_back(placed);
  }
  const float baseline = y_ + line_height() / 2 + size_ * 0.36f;
  for (const Placed& placed : texts) {
    if (placed.piece->code)
      scene_.rect({placed.x - 1, y_ + line_height() * 0.12f, formula_width(placed.piece->font, placed.text) + 2,
                   line_height() * 0.76f},
                  Role::Raised, {}, 3);
    const bool term = !placed.piece->term.empty();
    if (term) {
      const float wide = formula_width(placed.piece->font, placed.text), low = baseline + size_ * 0.2f;
      scene_.begin_mark({.kind = MarkKind::Command, .command = std::string(term_command) + placed.piece->term},
                        placed.piece->term);
      scene_.rect({placed.x, y_, wide, line_height()}, Role::None);
      scene_.line({placed.x, low}, {placed.x + wide, low}, {Role::Ink3, 1.4f, 1.5f, 2.5f});
    }
    formula_text(scene_, {placed.x, baseline}, placed.text, placed.piece->font, placed.piece->role);
    if (term) scene_.end_mark();
  }
  y_ += line_height();
}

void TextLayout::lines(const std::vector<Piece>& pieces, float left, float right) {
  std::vector<Placed> placed;
  float x = left;
  const auto put = [&] {
    line(placed);
    placed.clear();
    x = left;
  };
  for (std::size_t i = 0; i < pieces.size();) {
    // A piece with all that stays with it.
    std::size_t end = i;
    float width = 0;
    do width += formula_width(pieces[end].font, pieces[end].text);
    while (++end < pieces.size() && pieces[end].clings);
    const float before = pieces[i].space_before && !placed.empty() ? gap_before(pieces[i].font) : 0;
    if (!placed.empty() && x + before + width > right)
      put();
    else
      x += before;
    for (; i < end; ++i) {
      // What is wider than a line (a line of code in the text) goes on in the next one.
      for (const std::string& part : wrap(pieces[i].font, pieces[i].text, std::max(size_ * 2, right - left))) {
        const float wide = formula_width(pieces[i].font, part);
        if (!placed.empty() && x + wide > right + 0.5f && wide > (right - left) / 2) put();
        placed.push_back({x, &pieces[i], part});
        x += wide;
      }
    }
  }
  if (!placed.empty()) put();
}

void TextLayout::title(const std::string& text, float factor) {
  const Font font{Face::Sans, Weight::SemiBold, size_ * factor};
  for (const std::string& line : wrap(font, text, width_)) {
    formula_text(scene_, {0, y_ + font.size * 1.05f}, line, font, Role::Ink);
    y_ += font.size * 1.35f;
  }
  space(0.4f);
}

void TextLayout::paragraph(const std::vector<TextRun>& runs, Role role, float indent) {
  lines(pieces_of(runs, role), indent, width_);
  space(0.45f);
}

namespace {

// Lines of a formula, those too long broken before the last sign that fits, and what follows moved in.
std::vector<std::string> broken_formula(const std::vector<std::string>& rows, const Font& font, float width) {
  std::vector<std::string> out;
  for (std::string row : rows) {
    while (text_width(font, row) > width) {
      std::size_t best = std::string::npos;
      // Not before the first sign, which follows what the line is about.
      for (const std::string_view sign : {" + ", " − ", " · ", " = ", "   "})
        for (std::size_t at = row.find(sign, row.find_first_not_of(' ')); at != std::string::npos;
             at = row.find(sign, at + 1))
          if (at > row.find_first_not_of(' ') + 4 && text_width(font, row.substr(0, at)) <= width &&
              (best == std::string::npos || at > best))
            best = at;
      if (best == std::string::npos) break;
      std::string rest = row.substr(row.find_first_not_of(' ', best));
      out.push_back(row.substr(0, row.find_last_not_of(' ', best) + 1));
      row = "    " + rest;
      if (row.size() >= out.back().size() + rest.size()) break;
    }
    out.push_back(std::move(row));
  }
  return out;
}

// Lines of code, those too long broken at the last space that fits, and what follows moved in.
std::vector<std::string> broken_code(const std::vector<std::string>& rows, const Font& font, float width) {
  std::vector<std::string> out;
  for (std::string row : rows) {
    const std::string inner = std::string(std::min(row.find_first_not_of(' '), row.size()), ' ') + "    ";
    while (text_width(font, row) > width) {
      std::size_t best = std::string::npos;
      const std::size_t first = row.find_first_not_of(' ');
      for (std::size_t at = row.find(' ', first); at != std::string::npos; at = row.find(' ', at + 1))
        if (text_width(font, row.substr(0, at)) <= width) best = at;
      if (best == std::string::npos || best <= inner.size()) break;
      out.push_back(row.substr(0, best));
      row = inner + row.substr(best + 1);
    }
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace

void TextLayout::block(const TextBlock& block) {
  switch (block.kind) {
    case TextBlock::Kind::Plot: {
      std::string text;
      for (const TextRun& run : block.runs) text += run.text;
      y_ += draw_plot(scene_, {0, y_}, width_, size_, parse_plot(text));
      return space(0.45f);
    }
    case TextBlock::Kind::Code:
    case TextBlock::Kind::Formula: {
      const bool code = block.kind == TextBlock::Kind::Code;
      const float inset = size_ * 0.7f;
      std::string text;
      for (const TextRun& run : block.runs) text += run.text;
      Font font{Face::Mono, Weight::Regular, size_ * 0.9f};
      std::vector<std::string> rows(1);
      for (const char c : text) {
        if (c == '\n')
          rows.emplace_back();
        else
          rows.back() += c;
      }
      // A formula goes on in the next line, before a sign. Code is set smaller until its longest line fits, but not so small that
      // it cannot be read: then it goes on in the next line, too.
      constexpr float smallest = 0.8f;
      const float room = width_ - 2 * inset;
      const auto widest = [&] {
        float most = 1;
        for (const std::string& row : rows) most = std::max(most, text_width(font, row));
        return most;
      };
      if (!code) rows = broken_formula(rows, font, room);
      if (code && widest() * smallest > room) {
        font.size *= smallest;
        rows = broken_code(rows, font, room);
      }
      font.size *= std::min(1.0f, room / widest());
      const float pitch = line_height() * font.size / (size_ * 0.9f);
      const float height = pitch * static_cast<float>(rows.size());
      if (code) scene_.rect({0, y_, width_, height + inset}, Role::Raised, {}, 6);
      if (code) y_ += inset / 2;
      for (const std::string& row : rows) {
        const Point at{inset, y_ + pitch / 2 + font.size * 0.36f};
        code ? (void)scene_.text(at, row, font, Role::Ink) : (void)formula_text(scene_, at, row, font, Role::Ink);
        y_ += pitch;
      }
      if (code) y_ += inset / 2;
      return space(0.45f);
    }
    case TextBlock::Kind::Item: {
      const float indent = size_ * (1.4f + 1.4f * static_cast<float>(block.depth));
      const std::string sign = block.number > 0 ? std::to_string(block.number) + "." : "•";
      scene_.text({indent - size_ * 0.4f, y_ + line_height() / 2 + size_ * 0.36f}, sign,
                  {Face::Sans, Weight::Regular, size_}, Role::Ink2, Anchor::End);
      return paragraph(block.runs, Role::Ink, indent);
    }
    case TextBlock::Kind::Quote: {
      const float top = y_;
      lines(pieces_of(block.runs, Role::Ink), size_, width_);
      scene_.rect({0, top, std::max(2.0f, size_ * 0.2f), y_ - top}, Role::Now);
      return space(0.45f);
    }
    default: return paragraph(block.runs);
  }
}

namespace {

// A button's frame and the stroke of its sign, by AnswerSign. A wrong answer's frame is dashed: never by colour alone.
struct ButtonStyle {
  Role fill;
  Stroke frame;
  Role sign;
};
constexpr ButtonStyle button_styles[] = {
    {Role::Raised, {Role::Line}, Role::None},
    {Role::Raised, {Role::Line}, Role::Ink2},
    {Role::Raised, {Role::Ink2, 2}, Role::Ink},
    {Role::NowSoft, {Role::Now, 2}, Role::Ink},
    {Role::Raised, {Role::Error, 2, 4, 3}, Role::Error},
    {Role::Pane, {Role::Line, 1, 2, 3}, Role::Ink3},
};

void draw_sign(Scene& scene, Point at, float size, AnswerSign sign) {
  const float r = size * 0.32f;
  const Stroke heavy{button_styles[static_cast<std::size_t>(sign)].sign, std::max(1.5f, size * 0.13f)};
  switch (sign) {
    case AnswerSign::None: return;
    case AnswerSign::Open: scene.circle(at, r, Role::None, {heavy.role, 1.25f}); return;
    case AnswerSign::Chosen:
      scene.circle(at, r, Role::None, {heavy.role, 1.25f});
      scene.circle(at, r * 0.5f, heavy.role);
      return;
    case AnswerSign::Right:
      scene.polyline({{at.x - r, at.y}, {at.x - r / 4, at.y + r}, {at.x + r, at.y - r}}, heavy);
      return;
    case AnswerSign::Out: scene.line({at.x - r, at.y}, {at.x + r, at.y}, heavy); return;
    case AnswerSign::Wrong:
      scene.line({at.x - r, at.y - r}, {at.x + r, at.y + r}, heavy);
      scene.line({at.x - r, at.y + r}, {at.x + r, at.y - r}, heavy);
      return;
  }
}

}  // namespace

void TextLayout::button(const std::string& text, const Mark& mark, AnswerSign sign) {
  const ButtonStyle& style = button_styles[static_cast<std::size_t>(sign)];
  const float inset = size_ * 0.7f, top = y_;
  scene_.begin_mark(mark, text);
  // The frame first, so that it is below: its height is known once the lines are placed.
  const std::size_t frame = scene_.shapes.size();
  scene_.rect({0, top, width_, 1}, style.fill, style.frame, 6);
  y_ += size_ * 0.25f;
  draw_sign(scene_, {inset + size_ * 0.35f, y_ + line_height() / 2}, size_, sign);
  const std::size_t words = scene_.shapes.size();
  lines(pieces_of({{.text = text}}, sign == AnswerSign::Out ? Role::Ink2 : Role::Ink),
        sign == AnswerSign::None ? inset : inset + size_ * 1.5f, width_ - inset);
  if (sign == AnswerSign::Out)
    for (std::size_t i = words, end = scene_.shapes.size(); i < end; ++i)
      if (std::holds_alternative<TextShape>(scene_.shapes[i].geometry)) {
        const Box box = bounds(scene_.shapes[i]);
        scene_.line({box.x, box.centre().y}, {box.right(), box.centre().y},
                    {Role::Ink2, std::max(1.0f, size_ * 0.08f)});
      }
  y_ += size_ * 0.25f;
  std::get<BoxShape>(scene_.shapes[frame].geometry).box.h = y_ - top;
  scene_.end_mark();
  space(0.3f);
}

void TextLayout::chips(const std::vector<Chip>& list) {
  const Font font{Face::Sans, Weight::Regular, size_};
  const float inset = size_ * 0.6f, sign = size_ * 1.2f, gap = size_ * 0.4f, height = size_ * 2.1f;
  float widest = size_;
  for (const Chip& chip : list) widest = std::max(widest, formula_width(font, chip.text));
  const float least = widest + sign + 2 * inset;
  const auto columns = static_cast<std::size_t>(std::max(1.0f, std::floor((width_ + gap) / (least + gap))));
  if (columns < 2) {
    for (const Chip& chip : list) button(chip.text, chip.mark, chip.sign);
    return;
  }
  const float wide = (width_ - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Chip& chip = list[i];
    const ButtonStyle& style = button_styles[static_cast<std::size_t>(chip.sign)];
    const Box box{static_cast<float>(i % columns) * (wide + gap), y_, wide, height};
    const float centre = box.centre().y, words = box.x + inset + sign;
    scene_.begin_mark(chip.mark, chip.text);
    scene_.rect(box, style.fill, style.frame, 6);
    draw_sign(scene_, {box.x + inset + size_ * 0.3f, centre}, size_ * 0.9f, chip.sign);
    formula_text(scene_, {words, centre + size_ * 0.36f}, chip.text, font,
                 chip.sign == AnswerSign::Out ? Role::Ink2 : Role::Ink);
    if (chip.sign == AnswerSign::Out)
      scene_.line({words, centre}, {words + formula_width(font, chip.text), centre},
                  {Role::Ink2, std::max(1.0f, size_ * 0.08f)});
    scene_.end_mark();
    if ((i + 1) % columns == 0 || i + 1 == list.size()) y_ += height + gap;
  }
  space(0.2f);
}

void TextLayout::table(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows) {
  if (heads.empty()) return;
  Font font{Face::Sans, Weight::Regular, size_ * 0.9f};
  const auto bold = [&](std::size_t column) {
    return Font{font.face, column == 0 ? Weight::SemiBold : Weight::Regular, font.size};
  };
  // Heads are broken into lines of half the room that the rows leave; values never are.
  std::vector<float> widths(heads.size());
  std::vector<std::vector<std::string>> head_lines(heads.size());
  const auto measure = [&] {
    const float gap = font.size * 0.9f;
    float all = gap * static_cast<float>(heads.size() - 1);
    for (std::size_t c = 0; c < heads.size(); ++c) {
      widths[c] = 0;
      for (const std::vector<std::string>& row : rows)
        if (c < row.size()) widths[c] = std::max(widths[c], text_width(bold(c), row[c]));
      head_lines[c] = wrap(font, heads[c], std::max(widths[c], width_ / static_cast<float>(heads.size() + 1)));
      for (const std::string& line : head_lines[c]) widths[c] = std::max(widths[c], text_width(font, line));
      all += widths[c];
    }
    return all;
  };
  for (int i = 0; i < 6 && measure() > width_; ++i) font.size *= 0.92f;
  const float gap = font.size * 0.9f, pitch = line_height() * font.size / size_;
  std::size_t head_height = 0;
  for (const auto& lines : head_lines) head_height = std::max(head_height, lines.size());
  const auto cell = [&](std::size_t column, float y, const std::string& words, Role role, const Font& as) {
    float x = 0;
    for (std::size_t c = 0; c < column; ++c) x += widths[c] + gap;
    scene_.text({x, y + pitch / 2 + as.size * 0.36f}, words, as, role);
  };
  for (std::size_t c = 0; c < heads.size(); ++c)
    for (std::size_t n = 0; n < head_lines[c].size(); ++n)
      cell(c, y_ + pitch * static_cast<float>(head_height - head_lines[c].size() + n), head_lines[c][n], Role::Ink2,
           font);
  y_ += pitch * static_cast<float>(head_height);
  for (const std::vector<std::string>& row : rows) {
    scene_.line({0, y_}, {width_, y_}, {Role::Line, 1});
    for (std::size_t c = 0; c < std::min(row.size(), heads.size()); ++c) cell(c, y_, row[c], Role::Ink, bold(c));
    y_ += pitch;
  }
  space(0.45f);
}

void TextLayout::picture(const Scene& scene) {
  scene_.add(scene, {std::max(0.0f, (width_ - scene.width) / 2), y_});
  y_ += scene.height;
  space(0.3f);
}

void TextLayout::space(float lines) { y_ += line_height() * lines; }

Scene TextLayout::take() {
  scene_.height = y_;
  Scene out = std::move(scene_);
  scene_ = Scene();
  scene_.width = width_;
  scene_.language = out.language;
  y_ = 0;
  return out;
}

}  // namespace twiddle
