#include "viewer/panels/panel_parts.h"

#include "base/tr.h"
#include "viewer/document/turn.h"
#include "viewer/scene/diagram_parts.h"
#include "viewer/scene/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace twiddle {

namespace {

Font small_of(const Font& font) { return {font.face, font.weight, font.size * 2 / 3}; }

float stacked_width(const Piece& piece) {
  if (piece.below.empty() && piece.above.empty()) return 0;
  const Font small = small_of(piece.font);
  return std::max(text_width(small, piece.below), text_width(small, piece.above)) + piece.font.size * 0.08f;
}

}  // namespace

Scene pane(const PanelContext& context, float width, float height, Edge edge, const std::string& name, Role ground) {
  Scene scene;
  scene.width = width, scene.height = height;
  if (!name.empty()) scene.begin_mark({.kind = MarkKind::Pane, .command = name});
  scene.rect({0, 0, width, height}, ground);
  scene.end_mark();
  const float half = context.scale / 2, x = edge == Edge::Left ? half : width - half,
              y = edge == Edge::Top ? half : height - half;
  if (edge == Edge::Left || edge == Edge::Right)
    scene.line({x, 0}, {x, height}, context.divider());
  else
    scene.line({0, y}, {width, y}, context.divider());
  return scene;
}

float pieces_width(const std::vector<Piece>& pieces) {
  float width = 0;
  for (const Piece& piece : pieces) width += text_width(piece.font, piece.text) + stacked_width(piece);
  return width;
}

void plate(const PanelContext& context, Scene& scene, float x, float centre_y, float width, float size, Role fill,
           Role underline) {
  const float pad = context.px(1.5f), height = std::round(size * 1.46f), top = std::round(centre_y - height / 2);
  scene.rect({x - pad, top, width + 2 * pad, height}, fill, {},
             underline == Role::None ? context.px(3) : context.px(2));
  if (underline != Role::None) {
    const float thick = std::max(1.0f, std::round(context.px(2)));
    scene.rect({x - pad, top + height - thick, width + 2 * pad, thick}, underline);
  }
}

float draw_pieces(const PanelContext& context, Scene& scene, float x, float centre_y,
                  const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    const float width = text_width(piece.font, piece.text), stacked = stacked_width(piece);
    if (piece.plate != Role::None)
      plate(context, scene, x, centre_y, width + stacked, piece.font.size, piece.plate, piece.underline);
    const float line = baseline(piece.font, centre_y);
    if (!piece.text.empty()) scene.text({x, line}, piece.text, piece.font, piece.role);
    if (stacked > 0) {
      const Font small = small_of(piece.font);
      const float at = x + width + piece.font.size * 0.04f;
      if (!piece.above.empty()) scene.text({at, line - piece.font.size * 0.45f}, piece.above, small, piece.role);
      if (!piece.below.empty()) scene.text({at, line + piece.font.size * 0.27f}, piece.below, small, piece.role);
    }
    x += width + stacked;
  }
  return x;
}

float position_chip(const PanelContext& context, Scene& scene, float right, float centre_y, const std::string& text,
                    float size) {
  const Font font = context.mono(size);
  const float width = text_width(font, text) + context.px(size * 1.15f), height = std::round(context.px(size * 1.86f));
  const Box box{right - width, std::round(centre_y - height / 2), width, height};
  scene.rect(box, Role::Now, {}, context.px(4));
  scene.text({box.centre().x, baseline(font, centre_y)}, text, font, Role::OnNow, Anchor::Middle);
  return box.x;
}

std::string position_text(const PanelContext& context) {
  return context.now ? position_text(context.document, context.state.cursor) : tr("start");
}

void heading(const PanelContext& context, Scene& scene, float x, float centre_y, float right, std::string_view text,
             std::string_view aside, Face aside_face) {
  float room = right - x;
  if (!aside.empty()) {
    const Font font{aside_face, Weight::Regular, context.px(12)};
    room -= label(scene, right, centre_y, aside, font, Role::Ink2, room * 0.6f, Anchor::End) + context.px(8);
  }
  label(scene, x, centre_y, text, context.ui(Weight::SemiBold), Role::Ink, room);
}

bool is_hovered(const PanelContext& context, const Mark& mark) {
  return context.state.cursor.hover && *context.state.cursor.hover == mark;
}

void control_box(const PanelContext& context, Scene& scene, const Box& box, const Mark& mark, bool primary) {
  const bool hovered = is_hovered(context, mark);
  const float width = std::max(1.0f, std::round(context.scale));
  if (primary) {
    scene.rect(box, Role::Ink, hovered ? Stroke{Role::Hover, 2 * width} : Stroke{}, context.px(4));
  } else {
    scene.rect(box.inset(width / 2), Role::Raised, hovered ? Stroke{Role::Hover, 2 * width} : Stroke{Role::Line, width},
               context.px(4));
  }
}

void text_line(const PanelContext& context, Scene& scene, const Box& box, const TextLine& line, const Font& font,
               const std::string& asked) {
  const float centre = box.centre().y, tall = std::round(font.size * 1.4f), thin = context.thin(1.5f);
  // Whole characters from the left are left out until the caret fits.
  std::size_t begin = 0;
  const auto width_to = [&](std::size_t end) {
    return end <= begin ? 0 : text_width(font, std::string_view(line.text).substr(begin, end - begin));
  };
  while (begin < line.caret && width_to(line.caret) > box.w - thin) next_code_point(line.text, begin);
  const float from = width_to(line.from()), to = std::min(width_to(line.to()), box.w);
  if (to > from)
    scene.rect({box.x + from, std::round(centre - tall / 2), to - from, tall}, Role::HoverSoft, {}, context.px(2));
  if (line.text.empty() && !asked.empty())
    label(scene, box.x + context.px(3), centre, asked, font, Role::Ink3, box.w - context.px(3));
  // What is too long is cut without a sign: the caret is there to go on.
  std::string shown = line.text.substr(begin);
  while (!shown.empty() && text_width(font, shown) > box.w) {
    std::size_t last = shown.size() - 1;
    while (last > 0 && (static_cast<unsigned char>(shown[last]) & 0xC0) == 0x80) --last;
    shown.resize(last);
  }
  if (!shown.empty()) scene.text({box.x, baseline(font, centre)}, shown, font);
  scene.rect(
      {std::round(box.x + std::min(width_to(line.caret), box.w - thin)), std::round(centre - tall / 2), thin, tall},
      Role::Ink);
}

float key_caps(const PanelContext& context, Scene& scene, float right, float centre_y, Command command) {
  const std::vector<Chord> chords = context.state.keys.chords(command);
  if (chords.empty()) return right;
  // One cap a key.
  const Chord& chord = chords.front();
  std::vector<std::string> caps;
  if (chord.ctrl) caps.emplace_back("Ctrl");
  if (chord.alt) caps.emplace_back("Alt");
  if (chord.shift) caps.emplace_back("Shift");
  caps.push_back(display_text({chord.key}));
  const Font font = context.mono(11);
  for (auto cap = caps.rbegin(); cap != caps.rend(); ++cap) {
    const float width = std::max(text_width(font, *cap) + context.px(10), context.px(17));
    const Box box{right - width, std::round(centre_y - context.px(8.5f)), width, std::round(context.px(17))};
    scene.rect(box.inset(context.scale / 2), Role::Canvas, {Role::Line, context.thin()}, context.px(3));
    scene.text({box.centre().x, baseline(font, centre_y)}, *cap, font, Role::Ink2, Anchor::Middle);
    right = box.x - context.px(4);
  }
  return right;
}

void text_button(const PanelContext& context, Scene& scene, const Box& box, const Mark& mark, const std::string& text,
                 const Font& font, bool primary) {
  scene.begin_mark(mark, text);
  control_box(context, scene, box, mark, primary);
  scene.text({box.centre().x, baseline(font, box.centre().y)}, text, font, primary ? Role::Canvas : Role::Ink,
             Anchor::Middle);
  scene.end_mark();
}

float word_button(const PanelContext& context, Scene& scene, float right, float centre, Command command,
                  const std::string& text) {
  const Font font = context.sans(12.5f);
  const float width = std::round(text_width(font, text) + context.px(22));
  const Box box{std::round(right - width), std::round(centre - context.px(13)), width, context.px(26)};
  text_button(context, scene, box, command_mark(command), text, font);
  return box.x;
}

void cross_button(const PanelContext& context, Scene& scene, Point centre, float size, const Mark& mark,
                  const std::string& text) {
  scene.begin_mark(mark, text);
  scene.rect({centre.x - size / 2, centre.y - size / 2, size, size},
             is_hovered(context, mark) ? Role::HoverSoft : Role::None, {}, context.px(3));
  const float arm = size / 4;
  const Stroke stroke{Role::Ink2, context.thin(1.4f)};
  scene.line({centre.x - arm, centre.y - arm}, {centre.x + arm, centre.y + arm}, stroke);
  scene.line({centre.x - arm, centre.y + arm}, {centre.x + arm, centre.y - arm}, stroke);
  scene.end_mark();
}

float segmented(const PanelContext& context, Scene& scene, float right, float centre, Command command,
                const std::vector<std::string>& names, std::size_t chosen) {
  const Font font = context.sans(12.5f);
  float width = 0;
  for (const std::string& name : names) width += std::round(text_width(font, name) + context.px(20));
  const Box box{right - width, std::round(centre - context.px(13)), width, context.px(26)};
  scene.rect(box.inset(context.scale / 2), Role::Raised, {Role::Line, context.thin()}, context.px(4));
  float x = box.x;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Mark mark = command_mark(command, i);
    const float w = std::round(text_width(font, names[i]) + context.px(20));
    scene.begin_mark(mark, names[i]);
    const Box cell{x, box.y, w, box.h};
    scene.rect(cell.inset(context.px(1)), i == chosen ? Role::Ink : Role::Raised,
               is_hovered(context, mark) ? Stroke{Role::Hover, context.thin(2)} : Stroke{}, context.px(3));
    scene.text({cell.centre().x, baseline(font, centre)}, names[i], font, i == chosen ? Role::Canvas : Role::Ink2,
               Anchor::Middle);
    scene.end_mark();
    x += w;
  }
  return box.x;
}

std::string speed_text(float speed) {
  return speed < 1 ? fmt::format("1/{}×", static_cast<int>(std::lround(1 / speed)))
                   : fmt::format("{}×", static_cast<long long>(speed));
}

void raised_card(const PanelContext& context, Scene& scene, const Box& box) {
  scene.rect(box.inset(context.px(0.75f)), Role::Raised, {Role::Ink2, context.thin(1.5f)}, context.px(6));
}

void logo(const PanelContext& context, Scene& scene, float x, float centre_y) {
  const float reach = context.px(9.5f), node = context.px(3.6f);
  const Point c{x + context.px(13), centre_y};
  const float thick = context.px(2.4f);
  scene.line({c.x - reach, c.y - reach}, {c.x + reach, c.y + reach}, {Role::A, thick});
  scene.line({c.x - reach, c.y + reach}, {c.x + reach, c.y - reach}, {Role::B, thick});
  for (float dx : {-1.0f, 1.0f})
    for (float dy : {-1.0f, 1.0f}) scene.circle({c.x + dx * reach, c.y + dy * reach}, node, Role::Ink);
}

void lens(Scene& scene, Point c, float size, Role role) {
  const float r = size * 0.34f, thick = std::max(1.0f, size * 0.13f);
  const Point middle{c.x - size * 0.1f, c.y - size * 0.1f};
  scene.circle(middle, r, Role::None, {role, thick});
  scene.line({middle.x + r * 0.75f, middle.y + r * 0.75f}, {c.x + size * 0.42f, c.y + size * 0.42f},
             {role, thick * 1.2f});
}

void icon(Scene& scene, Icon which, Point c, float size, Role role) {
  const float h = size / 2;
  // A triangle whose middle is at x and which points to `to` (1 right, −1 left).
  const auto triangle = [&](float x, float width, float to) {
    scene.polygon({{x - to * width / 2, c.y - h}, {x + to * width / 2, c.y}, {x - to * width / 2, c.y + h}}, role);
  };
  const auto bar = [&](float x) { scene.rect({x - size * 0.08f, c.y - h, size * 0.16f, size}, role); };
  const float w = size * 0.62f;
  switch (which) {
    case Icon::Play: triangle(c.x + size * 0.04f, size * 0.95f, 1); break;
    case Icon::Pause:
      scene.rect({c.x - size * 0.4f, c.y - h, size * 0.28f, size}, role);
      scene.rect({c.x + size * 0.12f, c.y - h, size * 0.28f, size}, role);
      break;
    case Icon::StepForward: triangle(c.x - size * 0.1f, size * 0.72f, 1), bar(c.x + size * 0.42f); break;
    case Icon::StepBack: triangle(c.x + size * 0.1f, size * 0.72f, -1), bar(c.x - size * 0.42f); break;
    case Icon::StageForward: triangle(c.x - w / 2, w, 1), triangle(c.x + w / 2, w, 1); break;
    case Icon::StageBack: triangle(c.x - w / 2, w, -1), triangle(c.x + w / 2, w, -1); break;
    case Icon::Last:
      triangle(c.x - w / 2 - size * 0.12f, w, 1), triangle(c.x + w / 2 - size * 0.12f, w, 1), bar(c.x + w);
      break;
    case Icon::First:
      triangle(c.x - w / 2 + size * 0.12f, w, -1), triangle(c.x + w / 2 + size * 0.12f, w, -1), bar(c.x - w);
      break;
  }
}

void bookmark_flag(Scene& scene, Point at, float width, float height, Role role) {
  // A square with two teeth, which overlap it: renderers fill convex shapes best, and seams would show.
  const float notch = height * 0.28f, middle = at.x + width / 2, overlap = std::min(1.0f, height * 0.05f);
  const float square = at.y + height - notch;
  scene.rect({at.x, at.y, width, height - notch}, role);
  scene.polygon({{at.x, square - overlap}, {middle, square - overlap}, {middle, square}, {at.x, at.y + height}}, role);
  scene.polygon(
      {{middle, square - overlap}, {at.x + width, square - overlap}, {at.x + width, at.y + height}, {middle, square}},
      role);
}

void severity_sign(const PanelContext& context, Scene& scene, Severity severity, Point c, float size) {
  const float r = size / 2, thin = context.thin(1.4f);
  switch (severity) {
    case Severity::Error: draw_error_sign(scene, context.theme, c, size); break;
    case Severity::Warning: draw_warning_sign(scene, context.theme, c, size); break;
    case Severity::Note:
      scene.circle(c, r - thin / 2, Role::None, {Role::Ink, thin});
      scene.line({c.x, c.y - r * 0.08f}, {c.x, c.y + r * 0.5f}, {Role::Ink, thin});
      scene.circle({c.x, c.y - r * 0.42f}, thin * 0.6f, Role::Ink);
      break;
  }
}

void chevron(Scene& scene, Point c, float size, Role role) {
  scene.polygon({{c.x - size / 2, c.y - size * 0.28f}, {c.x + size / 2, c.y - size * 0.28f}, {c.x, c.y + size * 0.34f}},
                role);
}

Mark command_mark(Command command, std::uint64_t index) {
  return {.kind = MarkKind::Command, .index = index, .command = std::string(name_of(command))};
}

float tabs(const PanelContext& context, Scene& scene, float x, float top, float height, Command command,
           const std::vector<std::string>& names, std::size_t current, float gap) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& shown = names[i];
    const bool on = i == current;
    const Font font = context.ui(on ? Weight::SemiBold : Weight::Regular);
    const float width = text_width(font, shown);
    const Mark mark = command_mark(command, i);
    const bool hovered = is_hovered(context, mark);
    scene.begin_mark(mark, shown);
    scene.rect({x - context.px(4), top, width + context.px(8), height}, Role::None);
    scene.text({x, baseline(font, top + height / 2)}, shown, font, on || hovered ? Role::Ink : Role::Ink2);
    const float bar = std::round(context.px(3));
    if (on)
      scene.rect({x - context.px(3), top + height - bar, width + context.px(6), bar}, Role::Ink);
    else if (hovered)
      scene.rect({x - context.px(3), top + height - bar, width + context.px(6), bar}, Role::Hover);
    scene.end_mark();
    x += width + context.px(gap);
  }
  return x;
}

}  // namespace twiddle
