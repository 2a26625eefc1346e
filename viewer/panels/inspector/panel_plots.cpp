// The twiddle on the unit circle, and a ± w·b in the complex plane.
#include "base/message.h"
#include "tracer/checks/complex_value.h"
#include "tracer/trace/span.h"
#include "viewer/butterfly/butterfly_frame.h"
#include "viewer/facts/findings.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/words/twiddle_name.h"

#include <algorithm>
#include <array>
#include <complex>
#include <numbers>

namespace twiddle {
namespace {

using Complex = std::complex<double>;

constexpr float card_height = 151, title_line = 13, plots_pad = 16;

void card(const PanelContext& context, Scene& scene, const Box& box) {
  scene.rect(box.inset(context.px(0.5f)), Role::Raised, context.divider(), context.px(4));
}

// A caption and a name in mono; the caption gives way when both do not fit.
void card_title(const PanelContext& context, Scene& scene, const Box& box, const std::string& caption,
                std::vector<Piece> name) {
  const float left = box.x + context.px(9), right = box.right() - context.px(8),
              centre = box.y + context.px(title_line);
  const float caption_width = text_width(context.caption(), caption) + context.px(8);
  for (float size : {13.0f, 12.0f, 11.0f}) {
    for (Piece& piece : name) piece.font.size = context.px(size);
    const float width = pieces_width(name);
    if (left + caption_width + width <= right) {
      label(scene, left, centre, caption, context.caption(), Role::Ink3, caption_width);
      draw_pieces(context, scene, left + caption_width, centre, name);
      return;
    }
    if (size <= 12.0f && left + width <= right) {
      draw_pieces(context, scene, left, centre, name);
      return;
    }
  }
  if (name.size() > 1) {  // the symbol alone
    name.resize(1);
    card_title(context, scene, box, caption, std::move(name));
  } else {
    label(scene, left, centre, caption, context.caption(), Role::Ink3, right - left);
  }
}

// Power of w as the chips write it: span below, exponent above.
Piece twiddle_symbol(const PanelContext& context, const TwiddleName& name) {
  const std::string exponent = name.exponent < 0 ? "−" + std::to_string(-name.exponent) : std::to_string(name.exponent);
  return {"w", context.mono(13), Role::Ink, Role::None, Role::None, std::to_string(name.points), exponent};
}

// An arrowhead at the end of an arc, pointing along it.
void arc_arrow(Scene& scene, Point centre, float radius, float angle, float direction, float size, Role role) {
  // The head's middle is a little before the end, so that its tip is on it.
  const float back = angle - direction * size / radius;
  const Point tip{centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)};
  const auto at = [&](float r) { return Point{centre.x + r * std::cos(back), centre.y + r * std::sin(back)}; };
  scene.polygon({tip, at(radius + size * 0.48f), at(radius - size * 0.48f)}, role);
}

// The factor that a finding of the operation at the cursor says belongs there.
std::optional<Complex> ideal_twiddle(const PanelContext& context) {
  const TraceNote* note = context.now ? finding_at_step(context.facts, context.now->step) : nullptr;
  return note && note->finding->ideal ? note->finding->ideal->twiddle : std::nullopt;
}

// On a circle of how many points all of an operation's factors are: `points`, or the next power of two times it. A library that
// turns after its butterfly of four points turns by w8, which is no power of w4.
std::uint64_t points_for_all(std::uint64_t points, Complex w, const std::vector<Complex>& others, int sign) {
  constexpr int doublings = 10;
  const auto all = [&](std::uint64_t on) {
    return name_twiddle(w, on, sign).is_power && std::all_of(others.begin(), others.end(), [&](const Complex& other) {
             return name_twiddle(other, on, sign).is_power;
           });
  };
  if (others.empty()) return points;
  for (int i = 0; i <= doublings; ++i)
    if (all(points << i)) return points << i;
  return points;
}

// `others`: the second and third twiddle of a radix-4 butterfly; `ideal`: what belongs in the place of a wrong one.
void draw_circle(const PanelContext& context, Scene& scene, const Box& box, Complex w,
                 const std::vector<Complex>& others, const std::optional<Complex>& ideal, std::uint64_t points) {
  const int sign = context.info().expect.sign;
  points = points_for_all(points, w, others, sign);
  const TwiddleName name = name_twiddle(w, points, sign);
  std::vector<Piece> title;
  if (name.is_power && others.empty()) {
    title = {twiddle_symbol(context, name), {(name.exact ? " = " : " ≈ ") + name.value, context.mono(13)}};
  } else if (name.is_power) {
    title = {twiddle_symbol(context, name)};
    for (const Complex& other : others) {
      title.push_back({"  ", context.mono(13)});
      title.push_back(twiddle_symbol(context, name_twiddle(other, points, sign)));
    }
  } else {
    title = {{"w", context.mono(13)}, {tr(", no power of w{}", points), context.mono(13)}};
  }
  card(context, scene, box);
  card_title(context, scene, box, tr("twiddle"), title);

  const float space = std::min(box.h - context.px(26), box.w - context.px(16));
  const float reach = space / 2 - context.px(2), radius = reach * 0.83f;
  const Point c{box.centre().x, box.y + context.px(23) + (box.h - context.px(26)) / 2};
  const Stroke axis{Role::Line, context.thin(1.5f)};
  scene.line({c.x - reach * 1.05f, c.y}, {c.x + reach * 1.05f, c.y}, axis);
  scene.line({c.x, c.y - reach}, {c.x, c.y + reach}, axis);
  scene.circle(c, radius, Role::None, {Role::Done, context.px(1.2f)});
  label(scene, c.x + radius + context.px(5), c.y - context.px(9), "1", context.mono(12), Role::Ink3, context.px(12));

  // The roots as rings while they are a ring's width apart.
  constexpr std::uint64_t max_roots = 32;
  const float ring = context.px(3);
  if (points >= 2 && points <= max_roots)
    for (std::uint64_t k = 0; k < points; ++k) {
      const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(k) / static_cast<float>(points);
      scene.circle({c.x + radius * std::cos(angle), c.y - radius * std::sin(angle)}, points > 16 ? ring * 0.7f : ring,
                   Role::Raised, {Role::Done, context.px(1.2f)});
    }

  // The motion: while the product is formed the vector turns from 1 to w.
  const float turned = std::clamp((context.state.playback.phase - 0.25f) / 0.25f, 0.0f, 1.0f);
  const float smooth = turned * turned * (3 - 2 * turned);
  const bool finite = std::isfinite(name.magnitude) && std::isfinite(w.real()) && std::isfinite(w.imag());
  const float degrees = finite ? static_cast<float>(name.degrees) : 0;
  const float angle = -degrees * std::numbers::pi_v<float> / 180 * smooth;  // on the screen, clockwise
  const float length = finite ? std::clamp(static_cast<float>(name.magnitude), 0.0f, reach / radius) : 0;
  const Point tip{c.x + radius * length * std::cos(angle), c.y + radius * length * std::sin(angle)};
  for (const Complex& other : others) {
    if (!std::isfinite(other.real()) || !std::isfinite(other.imag())) continue;
    const Point end{c.x + radius * static_cast<float>(other.real()), c.y - radius * static_cast<float>(other.imag())};
    scene.line(c, end, {Role::W, context.px(1.4f), context.px(4), context.px(3)});
    const float small = context.px(4.5f);
    scene.polygon({{end.x, end.y - small}, {end.x + small, end.y}, {end.x, end.y + small}, {end.x - small, end.y}},
                  Role::WSoft, {Role::Ink, context.px(1.2f)});
  }
  if (ideal) {
    // The ghost of the right one: where the diamond would be.
    const Point end{c.x + radius * static_cast<float>(ideal->real()), c.y - radius * static_cast<float>(ideal->imag())};
    const Stroke ghost{Role::Error, context.px(2), context.px(5), context.px(3)};
    const float small = context.px(6.5f);
    scene.line(c, end, ghost);
    scene.polygon({{end.x, end.y - small}, {end.x + small, end.y}, {end.x, end.y + small}, {end.x - small, end.y}},
                  Role::Raised, {Role::Error, context.px(2)});
  }
  scene.line(c, tip, {Role::W, context.px(2.5f)});

  if (std::abs(degrees) > 6) {
    // A small angle takes a larger arc, so that its arrow has room.
    const float head = context.px(7), inner = radius * (std::abs(angle) * radius * 0.47f > 2 * head ? 0.47f : 0.76f);
    const float direction = angle > 0 ? 1.0f : -1.0f;
    const float end = angle - direction * head * 0.6f / inner;
    if (std::abs(angle) * inner > 1.3f * head) {
      scene.arc(c, inner, std::min(0.0f, end), std::max(0.0f, end), {Role::Ink, context.px(1.6f)});
      arc_arrow(scene, c, inner, angle, direction, head, Role::Ink);
    }
  }
  // A diamond, so that the twiddle is recognised by shape, too.
  const float d = context.px(6.5f);
  scene.polygon({{tip.x, tip.y - d}, {tip.x + d, tip.y}, {tip.x, tip.y + d}, {tip.x - d, tip.y}}, Role::W,
                {Role::Ink, context.px(1.4f)});

  // The angle goes where neither the vector nor the arc is: the other side of the vector, or the far half.
  const std::string text = degrees_text(degrees);
  const Font font = context.mono(11);
  const float width = text_width(font, text);
  Point at = c;
  if (std::abs(degrees) <= 6)
    at = {c.x, c.y + radius * 0.45f};
  else if (std::abs(degrees) <= 60)
    at = {c.x - radius * 0.40f, c.y + (degrees < 0 ? 1.0f : -1.0f) * radius * 0.35f};
  else if (std::abs(degrees) <= 120)
    at = {c.x - context.px(8) - width / 2, c.y + (degrees < 0 ? 1.0f : -1.0f) * radius * 0.47f};
  else
    at = {c.x - radius * 0.30f, c.y - (degrees < 0 ? 1.0f : -1.0f) * radius * 0.42f};
  plate(context, scene, at.x - width / 2, at.y, width, font.size * 0.9f, Role::Raised, Role::None);
  scene.text({at.x, baseline(font, at.y)}, text, font, Role::Ink, Anchor::Middle);
}

// Maps the plane's numbers to the card: the same scale on both axes, room for labels on every side.
struct PlaneMap {
  Point origin;
  double scale = 1;
  Point operator()(Complex z) const {
    return {origin.x + static_cast<float>(z.real() * scale), origin.y - static_cast<float>(z.imag() * scale)};
  }
};

PlaneMap fit(const Box& area, std::initializer_list<Complex> numbers) {
  double left = 0, right = 0, low = 0, high = 0;
  for (const Complex& z : numbers) {
    left = std::min(left, z.real()), right = std::max(right, z.real());
    low = std::min(low, z.imag()), high = std::max(high, z.imag());
  }
  const double extent_x = std::max(right - left, 1e-300), extent_y = std::max(high - low, 1e-300);
  PlaneMap map;
  map.scale = std::min(static_cast<double>(area.w) / extent_x, static_cast<double>(area.h) / extent_y);
  map.origin = {area.centre().x - static_cast<float>((left + right) / 2 * map.scale),
                area.centre().y + static_cast<float>((low + high) / 2 * map.scale)};
  return map;
}

/// 1, 2, 4 or 5 times a power of ten, at most `most`.
double round_step(double most) {
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  for (double step : {5.0, 4.0, 2.0, 1.0})
    if (step * power <= most) return step * power;
  return power;
}

// Places labels beside their points: clear of each other, of the points, and of the lines where they can.
class LabelPlacer {
 public:
  LabelPlacer(const PanelContext& context, Scene& scene, const Box& area)
      : context_(context), scene_(scene), area_(area) {}
  void avoid(const Box& box) { taken_.push_back(box); }
  void avoid_line(Point a, Point b) {
    const float length = std::hypot(b.x - a.x, b.y - a.y), half = context_.px(2);
    const int pieces = std::clamp(static_cast<int>(length / context_.px(5)), 1, 200);
    for (int i = 0; i <= pieces; ++i) {
      const float t = static_cast<float>(i) / static_cast<float>(pieces);
      lines_.push_back({a.x + (b.x - a.x) * t - half, a.y + (b.y - a.y) * t - half, 2 * half, 2 * half});
    }
  }

  // On the side of p that looks away from `from` first. With `must`, over a line rather than not at all.
  bool place(Point p, Point from, float away, const std::string& text, const Font& font, Role role, bool must = true) {
    const float w = text_width(font, text), h = font.size * 1.1f;
    std::array<Point, 8> sides = {{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {1, -1}, {1, 1}, {-1, -1}, {-1, 1}}};
    const Point outward{p.x - from.x, p.y - from.y};
    const float length = std::max(1.0f, std::hypot(outward.x, outward.y));
    std::stable_sort(sides.begin(), sides.end(), [&](Point a, Point b) {
      const auto along = [&](Point side) {
        return (side.x * outward.x + side.y * outward.y) / length / std::hypot(side.x, side.y) +
               (side.y == 0 ? 0.2f : 0.0f);
      };
      return along(a) > along(b);
    });
    // Near, then further off, then over a line.
    const float farther = away + context_.px(9);
    for (const auto& [over_lines, distance] : {std::pair{false, away}, {false, farther}, {true, away}}) {
      if (over_lines && !must) return false;
      for (const Point& side : sides) {
        const float aside = distance > away ? h * 1.4f : h * 0.8f;
        const Point middle{p.x + side.x * (distance + w / 2), p.y + side.y * (side.x == 0 ? distance + h / 2 : aside)};
        const Box box{middle.x - w / 2, middle.y - h / 2, w, h};
        if (!area_.holds(box)) continue;
        if (overlaps(box, taken_) || (!over_lines && overlaps(box, lines_))) continue;
        taken_.push_back(box.inset(-context_.px(3)));  // a margin between neighbours
        if (over_lines) plate(context_, scene_, box.x, middle.y, w, font.size * 0.85f, Role::Raised, Role::None);
        scene_.text({middle.x, baseline(font, middle.y)}, text, font, role, Anchor::Middle);
        return true;
      }
    }
    return false;
  }

 private:
  const PanelContext& context_;
  Scene& scene_;
  Box area_;
  std::vector<Box> taken_, lines_;

  static bool overlaps(const Box& box, const std::vector<Box>& others) {
    return std::any_of(others.begin(), others.end(), [&](const Box& other) { return box.overlaps(other); });
  }
};

void draw_plane(const PanelContext& context, Scene& scene, const Box& box, const Operation& operation, Complex w) {
  const Complex a = complex_of(operation.reads[0].value), b = complex_of(operation.reads[1].value), wb = w * b;
  card(context, scene, box);
  card_title(context, scene, box, tr("plane"), {{"a ± w·b", context.mono(13)}});
  const Box inside{box.x + context.px(5), box.y + context.px(24), box.w - context.px(10), box.h - context.px(29)};
  const auto finite = [](Complex z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); };
  const Complex sum = a + wb, difference = a - wb;
  if (!finite(a) || !finite(b) || !finite(wb) || !finite(sum) || !finite(difference)) {
    label(scene, inside.x + context.px(4), inside.centre().y, tr("not finite"), context.caption(), Role::Ink2,
          inside.w);
    return;
  }
  const double largest = std::max({std::abs(a), std::abs(b), std::abs(wb), std::abs(sum), std::abs(difference)});
  if (largest == 0 || largest < 1e-290) {
    label(scene, inside.x + context.px(4), inside.centre().y, tr("all zero"), context.caption(), Role::Ink2, inside.w);
    return;
  }
  // Labels of the outputs are beside their points: they need the width of a name.
  const std::string names[2] = {element_text(context.info(), operation.writes[0]),
                                element_text(context.info(), operation.writes[1])};
  const Font font = context.mono(11);
  const float name_width = std::max(text_width(font, names[0]), text_width(font, names[1]));
  const float margin_x = std::min(name_width + context.px(8), inside.w * 0.3f), margin_y = context.px(14);
  const Box area{inside.x + margin_x, inside.y + margin_y, inside.w - 2 * margin_x, inside.h - 2 * margin_y};
  const PlaneMap map = fit(area, {a, b, wb, sum, difference});
  const Point o = map({0, 0});

  scene.push_clip(inside);
  const Stroke axis{Role::Line, context.thin(1.5f)};
  scene.line({inside.x, o.y}, {inside.right(), o.y}, axis);
  scene.line({o.x, inside.y}, {o.x, inside.bottom()}, axis);
  // One tick, at a round number within the card, says what the scale is.
  double component = 0;
  for (const Complex& z : {a, b, wb, sum, difference})
    component = std::max({component, std::abs(z.real()), std::abs(z.imag())});
  const double step = round_step(component);
  const Point tick_x = map({step, 0}), tick_left = map({-step, 0}), tick_down = map({0, -step}),
              tick_up = map({0, step});
  const float half = context.px(3);
  const bool right_fits = tick_x.x < inside.right() - context.px(4);
  const Point tick = right_fits ? tick_x : tick_left;
  for (Point t : {tick_x, tick_left}) scene.line({t.x, t.y - half}, {t.x, t.y + half}, {Role::Done, context.px(1.2f)});
  for (Point t : {tick_up, tick_down}) scene.line({t.x - half, t.y}, {t.x + half, t.y}, {Role::Done, context.px(1.2f)});

  // b turns into w·b on a dashed arc; then w·b is added to a and taken from it.
  const double angle_b = std::arg(b), turn = std::arg(w);
  std::vector<Point> path;
  if (std::abs(b) > 0 && std::abs(turn) > 0.02) {
    constexpr int pieces = 24;
    for (int i = 0; i <= pieces; ++i) {
      const double t = static_cast<double>(i) / pieces;
      path.push_back(map(std::polar(std::abs(b) * (1 - t) + std::abs(wb) * t, angle_b + turn * t)));
    }
    scene.polyline(path, {Role::W, context.px(1.6f), context.px(4), context.px(3)});
  }
  const float thick = context.px(2.5f);
  // Where two vectors lie on one line they are drawn beside each other.
  const float beside =
      std::abs(std::sin(std::arg(a) - std::arg(b))) < 0.02 && std::abs(a) > 0 && std::abs(b) > 0 ? context.px(3) : 0;
  const double direction = std::arg(b);
  const Point shift{static_cast<float>(-std::sin(direction)) * -beside,
                    static_cast<float>(std::cos(direction)) * beside};
  const Point pb = map(b), pa = map(a), pwb = map(wb), psum = map(sum), pdifference = map(difference);
  scene.line({o.x + shift.x, o.y + shift.y}, {pb.x + shift.x, pb.y + shift.y},
             {Role::B, context.px(2), context.px(4), context.px(3)});
  scene.line(o, pwb, {Role::B, thick, context.px(4), context.px(3)});
  scene.line(o, pa, {Role::A, thick});
  scene.line(pa, psum, {Role::B, context.px(2)});
  scene.line(pa, pdifference, {Role::B, context.px(2), context.px(6), context.px(4)});
  const float dot = context.px(5.5f);
  for (Point p : {psum, pdifference}) scene.circle(p, dot, Role::Now, {Role::Ink, context.px(1.6f)});
  scene.pop_clip();

  LabelPlacer labels(context, scene, inside);
  for (Point p : {psum, pdifference}) labels.avoid({p.x - dot, p.y - dot, 2 * dot, 2 * dot});
  const auto near = [](Point p, Point q, float d) { return std::hypot(p.x - q.x, p.y - q.y) < d; };
  const bool same = near(psum, pdifference, dot);
  const Point middle{(psum.x + pdifference.x + o.x) / 3, (psum.y + pdifference.y + o.y) / 3};
  for (const auto& [from, to] : {std::pair{o, pa}, {o, pb}, {o, pwb}, {pa, psum}, {pa, pdifference}})
    labels.avoid_line(from, to);
  for (std::size_t i = 1; i < path.size(); ++i) labels.avoid_line(path[i - 1], path[i]);
  labels.avoid_line({inside.x, o.y}, {inside.right(), o.y});
  labels.avoid_line({o.x, inside.y}, {o.x, inside.bottom()});
  labels.place(psum, middle, dot + context.px(4), same ? names[0] + ", " + names[1] : names[0], font, Role::Ink);
  if (!same) labels.place(pdifference, middle, dot + context.px(4), names[1], font, Role::Ink);
  if (!near(pwb, psum, dot) && !near(pwb, pdifference, dot))
    labels.place(pwb, o.x < pwb.x ? Point{pwb.x - 1, pwb.y} : middle, context.px(5),
                 near(pwb, pb, dot) ? "b = w·b" : "w·b", font, Role::Ink);
  const Point half_a{(o.x + pa.x) / 2, (o.y + pa.y) / 2};
  if (near(pa, pb, dot)) {
    labels.place(half_a, {half_a.x, half_a.y - 1}, context.px(6), "a = b", font, Role::Ink);
  } else {
    if (std::abs(a) > 0) labels.place(half_a, {half_a.x, half_a.y - 1}, context.px(6), "a", font, Role::Ink);
    if (!near(pb, pwb, dot) && !near(pb, psum, dot) && !near(pb, pdifference, dot))
      labels.place(pb, middle, context.px(4), "b", font, Role::Ink);
  }
  if (std::hypot(tick.x - o.x, tick.y - o.y) > context.px(14))
    labels.place({tick.x, tick.y + context.px(2)}, {tick.x, tick.y}, context.px(4),
                 number_text(right_fits ? step : -step, 3), font, Role::Ink3, false);
}

}  // namespace

float plots_part(const PanelContext& context, Scene& scene, Box box) {
  if (context.turn) return box.y;  // a factor and a result for each lane
  if (!context.now || context.now->coefficients.empty() || context.now->reads.size() < 2) return box.y;
  const Operation& operation = *context.now;
  const Value& coefficient = operation.coefficients[0];
  if (operation.kind != OperationKind::Butterfly || traits(coefficient.type).components < 2) return box.y;
  if (box.h < context.px(110)) return box.y;
  const float left = box.x + context.px(plots_pad), right = box.right() - context.px(plots_pad),
              gap = context.px(plots_pad);
  const float width = (right - left - gap) / 2;
  const float height = std::min({context.px(card_height), box.h, width * 1.05f});
  const Complex w = complex_of(coefficient);
  // The symbol's base is the block's span; real packing counts in the whole transform's points.
  std::uint64_t points = span_of(context.info(), operation);
  // What the diagram's chip calls it, where the stage's number says how many points are merged.
  if (const TwiddleChip chip = twiddle_chip(context.info(), operation, 0); operation.stage > 0 && chip.exponent)
    points = chip.span;
  if (points == 0 && context.info().expect.points > 0) points = context.info().expect.points;
  if (points == 0 && !operation.writes.empty() && operation.writes[0].buffer >= 0) {
    const BufferInfo& into = context.info().buffers[operation.writes[0].buffer];
    points = into.shape.empty() ? into.count : into.shape.back();
  }
  std::vector<Complex> others;
  for (int i = 1; i < operation.coefficients.size(); ++i) others.push_back(complex_of(operation.coefficients[i]));
  if (points > 0)
    draw_circle(context, scene, {left, box.y, std::round(width), std::round(height)}, w, others, ideal_twiddle(context),
                points);
  const bool plane = operation.shape == Shape::Butterfly2 || operation.shape == Shape::Butterfly2To;
  if (plane && operation.reads[0].known && operation.reads[1].known && operation.writes.size() == 2)
    draw_plane(context, scene, {std::round(left + width + gap), box.y, std::round(width), std::round(height)},
               operation, w);
  return box.y + std::round(height) + context.px(6);
}

}  // namespace twiddle
