#include "viewer/scene/diagram_parts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace twiddle {

std::optional<Line2> clipped(Line2 line, const Box& box) {
  // Liang and Barsky, in double: rows of a large transform are millions of px away.
  const double dx = double(line.to.x) - line.from.x, dy = double(line.to.y) - line.from.y;
  double enter = 0, leave = 1;
  const auto cut = [&](double towards, double distance) {
    if (towards == 0) return distance >= 0;
    const double t = distance / towards;
    if (towards < 0) {
      enter = std::max(enter, t);
    } else {
      leave = std::min(leave, t);
    }
    return enter <= leave;
  };
  if (!cut(-dx, line.from.x - box.x) || !cut(dx, box.right() - line.from.x) || !cut(-dy, line.from.y - box.y) ||
      !cut(dy, box.bottom() - line.from.y))
    return {};
  const auto at = [&](double t) {
    return Point{static_cast<float>(line.from.x + t * dx), static_cast<float>(line.from.y + t * dy)};
  };
  return Line2{enter > 0 ? at(enter) : line.from, leave < 1 ? at(leave) : line.to};
}

std::vector<Point> clipped_polygon(const std::vector<Point>& polygon, const Box& box) {
  // Sutherland and Hodgman: against one side after the other. `inside` is positive on the side that stays.
  std::vector<Point> rest = polygon;
  const auto cut = [&](auto inside) {
    std::vector<Point> kept;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const Point a = rest[i], b = rest[(i + 1) % rest.size()];
      const double da = inside(a), db = inside(b);
      if (da >= 0) kept.push_back(a);
      if ((da < 0) != (db < 0)) {
        const double t = da / (da - db);
        kept.push_back(
            {static_cast<float>(a.x + t * (double(b.x) - a.x)), static_cast<float>(a.y + t * (double(b.y) - a.y))});
      }
    }
    rest = std::move(kept);
  };
  cut([&](Point p) { return double(p.x) - box.x; });
  cut([&](Point p) { return double(box.right()) - p.x; });
  cut([&](Point p) { return double(p.y) - box.y; });
  cut([&](Point p) { return double(box.bottom()) - p.y; });
  return rest.size() < 3 ? std::vector<Point>{} : rest;
}

void draw_node(Scene& scene, const Theme&, float scale, const Box& box, const NodeLook& look, const std::string& text,
               const Font& font, const std::string& below, float pitch) {
  const float radius = std::min(4 * scale, box.h / 3);
  Role ink = Role::Ink;
  if (look.tense == Tense::Now) {
    if (look.filled < 1) scene.rect(box, Role::Raised, {Role::Done, 1.25f * scale}, radius);
    if (look.filled > 0) scene.rect(box, Role::Now, {Role::Ink, 2.5f * scale}, radius).opacity = look.filled;
    ink = look.filled > 0.5f ? Role::OnNow : Role::Ink;
  } else if (look.accent != Role::None) {
    scene.rect(box, look.accent == Role::A ? Role::ASoft : Role::BSoft, {look.accent, 3 * scale}, radius);
  } else if (look.in_cone) {
    scene.rect(box, Role::HoverSoft, {Role::Ink2, 1.25f * scale}, radius);
    scene.rect(box.inset(scale * 1.25f), Role::None, {Role::Hover, 1.5f * scale},
               std::max(0.0f, radius - 1.25f * scale));
  } else if (look.tense == Tense::Done) {
    scene.rect(box, Role::Raised, {Role::Done, 1.25f * scale}, radius);
  } else {
    scene.rect(box, Role::Raised, {Role::Future, scale}, radius);
    ink = Role::Ink3;
  }
  const Point centre = box.centre();
  if (!below.empty()) centred_text(scene, {centre.x, centre.y + pitch / 2}, below, font, ink);
  if (!text.empty()) centred_text(scene, {centre.x, below.empty() ? centre.y : centre.y - pitch / 2}, text, font, ink);
}

float stacked_size(const Theme& theme, float scale, float size) {
  constexpr float least = 9.0f / 11;  // of the floor
  return std::max(size * 2 / 3, least * theme.floor * scale);
}

void draw_chip(Scene& scene, const Theme& theme, float scale, Point centre, float width, float height,
               const TwiddleChip& chip, Tense tense) {
  Role ink = Role::Ink2;
  if (tense == Tense::Now) {
    width += 2 * scale, height += 2 * scale;
    scene.rect({centre.x - width / 2, centre.y - height / 2, width, height}, Role::WSoft, {Role::W, 2 * scale},
               4 * scale);
    ink = Role::Ink;
  } else {
    const Stroke edge = tense == Tense::Done ? Stroke{Role::Done, scale} : Stroke{Role::Future, scale};
    scene.rect({centre.x - width / 2, centre.y - height / 2, width, height}, Role::Raised, edge, 4 * scale);
    if (tense == Tense::Future) ink = Role::Ink3;
  }
  // w on the line, exponent and span stacked behind it.
  const Weight weight = tense == Tense::Now ? Weight::SemiBold : Weight::Regular;
  const float usual = std::min(theme.node_text * scale * 0.93f, height * 0.62f);
  // In a low chip as large as it can be, and no larger than the least.
  const float size = std::max(usual, std::min(theme.floor * scale, height * 0.65f));
  const float most = std::max(size * 2 / 3, height * 0.53f);
  const Font large{Face::Mono, weight, size},
      small{Face::Mono, weight, std::min(stacked_size(theme, scale, size), most)};
  if (!chip.exponent) {
    centred_text(scene, centre, "w", large, ink);
    return;
  }
  const std::string above = (*chip.exponent < 0 ? "−" : "") + std::to_string(std::abs(*chip.exponent));
  const std::string below = std::to_string(chip.span);
  const float letter = text_width(large, "w");
  const float behind = std::max(text_width(small, above), text_width(small, below));
  const float x = centre.x - (letter + behind) / 2;
  // The x-height letter w is lower than capitals: its own middle is at a quarter of the size.
  scene.text({x, centre.y + size * 0.27f}, "w", large, ink);
  scene.text({x + letter, centre.y - size * 0.1f}, above, small, ink);
  scene.text({x + letter, centre.y + size * 0.1f + cap_height(small) * 1.07f}, below, small, ink);
}

float text_chip_width(const Theme& theme, float scale, const std::string& text) {
  return text_width({Face::Mono, Weight::SemiBold, theme.caption * scale}, text) + 12 * scale;
}

void draw_text_chip(Scene& scene, const Theme& theme, float scale, Point centre, float height, const std::string& text,
                    Tense tense) {
  const Font font{Face::Mono, tense == Tense::Now ? Weight::SemiBold : Weight::Regular, theme.caption * scale};
  const float width = text_chip_width(theme, scale, text);
  const Box box{centre.x - width / 2, centre.y - height / 2, width, height};
  switch (tense) {
    case Tense::Now: scene.rect(box, Role::WSoft, {Role::W, 2 * scale}, 4 * scale); break;
    case Tense::Done: scene.rect(box, Role::Raised, {Role::Done, scale}, 4 * scale); break;
    case Tense::Future: scene.rect(box, Role::Raised, {Role::Future, scale}, 4 * scale); break;
  }
  centred_text(scene, centre, text, font,
               tense == Tense::Future ? Role::Ink3
               : tense == Tense::Now  ? Role::Ink
                                      : Role::Ink2);
}

Role input_role(int which) { return which % 2 == 0 ? Role::A : Role::B; }

Role text_on(const Theme& theme, Role ground) {
  // A ground that is the same in every theme has text that is, too: a page goes from light to dark with its pictures.
  const Rgb light = twiddle::theme(ThemeName::Light).colour(ground),
            dark = twiddle::theme(ThemeName::Dark).colour(ground);
  const bool fixed = light.r == dark.r && light.g == dark.g && light.b == dark.b;
  Role best = fixed ? Role::OnStrong : Role::Ink;
  for (const Role role : {fixed ? Role::OnStrong : Role::Canvas, Role::OnNow})
    if (contrast(theme.colour(role), theme.colour(ground)) > contrast(theme.colour(best), theme.colour(ground)))
      best = role;
  return best;
}

std::string input_name(int which) {
  return which < 26 ? std::string(1, static_cast<char>('a' + which)) : std::to_string(which);
}

float tag_radius(const Theme& theme, float scale) { return std::max(theme.floor, 11.0f) * scale * 0.8f; }

void draw_tag(Scene& scene, const Theme& theme, float scale, Point centre, int which) {
  const std::string letter = input_name(which);
  const Role role = input_role(which);
  // Tags grow with the type: 18 px for 11 px letters.
  const Font font{Face::Sans, Weight::SemiBold, std::max(theme.floor, 11.0f) * scale};
  const float radius = tag_radius(theme, scale);
  const Stroke edge{Role::Canvas, 1.5f * scale};
  if (which % 2 == 0) {
    scene.circle(centre, radius, role, edge);
  } else {
    scene.rect({centre.x - radius * 0.92f, centre.y - radius * 0.92f, 2 * radius * 0.92f, 2 * radius * 0.92f}, role,
               edge, 2 * scale);
  }
  // Small letters: half an x-height below the middle.
  scene.text({centre.x, centre.y + font.size * (which == 0 || which == 2 ? 0.27f : 0.36f)}, letter, font,
             text_on(theme, role), Anchor::Middle);
}

void draw_error_sign(Scene& scene, const Theme& theme, Point c, float size) {
  const float r = size / 2, thin = std::max(1.0f, size * 0.1f), d = r * 0.4f;
  std::vector<Point> corners;
  for (int i = 0; i < 8; ++i) {
    const float angle = std::numbers::pi_v<float> * (2.0f * static_cast<float>(i) + 1) / 8;
    corners.push_back({c.x + r * 1.06f * std::cos(angle), c.y + r * 1.06f * std::sin(angle)});
  }
  scene.polygon(std::move(corners), Role::Error);
  const Role ink = theme.name == ThemeName::Dark ? Role::Ink : Role::Canvas;
  scene.line({c.x - d, c.y - d}, {c.x + d, c.y + d}, {ink, thin});
  scene.line({c.x - d, c.y + d}, {c.x + d, c.y - d}, {ink, thin});
}

void draw_warning_sign(Scene& scene, const Theme& theme, Point c, float size) {
  const float r = size / 2, thin = std::max(1.0f, size * 0.1f);
  // Orange is under 3:1 on white: outlined in ink there.
  scene.polygon({{c.x, c.y - r}, {c.x + r * 1.08f, c.y + r * 0.86f}, {c.x - r * 1.08f, c.y + r * 0.86f}}, Role::Warn,
                theme.name != ThemeName::Dark ? Stroke{Role::Ink, std::max(1.0f, size * 0.07f)} : Stroke{});
  scene.line({c.x, c.y - r * 0.38f}, {c.x, c.y + r * 0.22f}, {Role::OnNow, thin});
  scene.circle({c.x, c.y + r * 0.54f}, thin * 0.6f, Role::OnNow);
}

void draw_badge(Scene& scene, const Theme& theme, float scale, Point centre, Badge badge, float radius) {
  const float r = radius > 0 ? radius : theme.badge_radius * scale;
  if (badge == Badge::Question) {
    scene.circle(centre, r, Role::Now, {Role::Ink, 2 * scale});
    centred_text(scene, centre, "?", {Face::Mono, Weight::SemiBold, r * 1.2f}, Role::OnNow);
    return;
  }
  if (badge == Badge::Unexplained) {
    scene.circle(centre, r, Role::Canvas, {Role::Ink, std::min(1.6f * scale, 0.22f * r)});
    centred_text(scene, centre, "?", {Face::Sans, Weight::SemiBold, r * 1.4f}, Role::Ink);
    return;
  }
  scene.circle(centre, r, Role::Raised, {Role::Ink, 2 * scale});
  const float arm = r * 0.5f;
  scene.line({centre.x - arm, centre.y}, {centre.x + arm, centre.y}, {Role::Ink, 2 * scale});
  if (badge == Badge::Plus) scene.line({centre.x, centre.y - arm}, {centre.x, centre.y + arm}, {Role::Ink, 2 * scale});
}

Scene message_scene(const Theme& theme, float width, float height, float scale, const std::string& title,
                    const std::string& sentence) {
  Scene scene;
  scene.width = width, scene.height = height;
  scene.title = title, scene.description = sentence;
  const Font large{Face::Sans, Weight::SemiBold, theme.title * scale},
      small{Face::Sans, Weight::Regular, theme.ui * scale};
  const float room = std::min(width - 32 * scale, 34 * small.size);
  if (room <= 0) return scene;
  const std::vector<std::string> head = wrap(large, title, room), lines = wrap(small, sentence, room);
  const float head_step = large.size * 1.35f, step = small.size * 1.55f;
  float y = height / 2 - (static_cast<float>(head.size()) * head_step + static_cast<float>(lines.size()) * step) / 2 +
            large.size;
  const auto put = [&](const std::string& line, const Font& font, Role role, float advance) {
    // What does not fit into a very low pane is left out.
    if (y - font.size >= 0 && y + 0.3f * font.size <= height)
      scene.text({width / 2, y}, line, font, role, Anchor::Middle);
    y += advance;
  };
  for (const std::string& line : head) put(line, large, Role::Ink, head_step);
  for (const std::string& line : lines) put(line, small, Role::Ink2, step);
  return scene;
}

}  // namespace twiddle
