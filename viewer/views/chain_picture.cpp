#include "viewer/views/chain_picture.h"

#include "base/message.h"
#include "viewer/words/segment_name.h"
#include "viewer/words/twiddle_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

namespace twiddle {
namespace {

using Complex = std::complex<double>;

constexpr std::size_t numbered_vectors = 16;  // more of them have no numbers and no heads
constexpr std::size_t told_apart = 128;       // … and those of more are too short for dashes and colours

/// The corners of a chain that starts at zero.
std::vector<Complex> corners_of(const std::vector<ChainVector>& vectors) {
  std::vector<Complex> corners{0};
  for (const ChainVector& vector : vectors) corners.push_back(corners.back() + vector.value);
  return corners;
}

/// The plane that holds some corners, zero among them, in a box.
struct Plane {
  Box box;
  double scale = 1, x0 = 0, y0 = 0;

  Plane(const Box& at, const std::vector<std::vector<Complex>>& chains) : box(at) {
    double left = 0, right = 0, low = 0, high = 0;
    for (const auto& chain : chains)
      for (const Complex& c : chain) {
        left = std::min(left, c.real()), right = std::max(right, c.real());
        low = std::min(low, c.imag()), high = std::max(high, c.imag());
      }
    const double span = std::max({right - left, low < high ? high - low : 0, 1e-12});
    scale =
        std::min(double(box.w) / std::max(right - left, span * 0.2), double(box.h) / std::max(high - low, span * 0.2));
    if (!std::isfinite(scale)) scale = 1;
    x0 = double(box.centre().x) - scale * (left + right) / 2, y0 = double(box.centre().y) + scale * (low + high) / 2;
  }
  Point at(Complex c) const {
    return {static_cast<float>(x0 + scale * c.real()), static_cast<float>(y0 - scale * c.imag())};
  }
};

class ChainPicture {
 public:
  ChainPicture(ViewFrame& frame, int output, std::uint64_t index, const PhasorChain& chain,
               const std::vector<std::uint64_t>* so_far)
      : f_(frame), live_(frame.input.live), output_(output), index_(index), chain_(chain), partial_(so_far) {
    if (partial_)
      for (const ChainVector& vector : chain_.levels.front().vectors)
        if (std::binary_search(so_far->begin(), so_far->end(), vector.index)) laid_.vectors.push_back(vector);
    laid_.segment = chain_.levels.front().segment, laid_.buffer = chain_.levels.front().buffer;
  }

  void draw(const Box& box) {
    const bool groups = box.h >= f_.px(300) && chain_.levels.size() > 2 && !partial_;
    const float below = groups ? f_.px(124) : 0;
    const Box plane{box.x, box.y + f_.px(40), box.w, std::max(f_.px(40), box.h - f_.px(62) - below)};
    heads(box);
    f_.scene.rect(plane, Role::Canvas, {Role::Line, f_.thin()}, f_.px(4));
    vectors(plane.inset(f_.px(22)), partial_ ? laid_ : chain_.levels.front(), true);
    if (groups) stages({box.x, plane.bottom() + f_.px(10), box.w, below - f_.px(8)});
    if (groups || chain_.levels.front().vectors.size() <= told_apart) keys(box);
  }

 private:
  ViewFrame& f_;
  const LiveSignal* live_;
  const int output_;
  const std::uint64_t index_;
  const PhasorChain& chain_;
  const bool partial_;  // only some of the vectors have been added
  ChainLevel laid_;     // … which are these

  std::string name() const {
    return fmt::format("{}[{}]", f_.info.buffers[static_cast<std::size_t>(output_)].name, index_);
  }

  void heads(const Box& box) {
    const Complex whole = partial_                               ? corners_of(laid_.vectors).back()
                          : chain_.levels.back().vectors.empty() ? 0
                                                                 : chain_.levels.back().vectors.front().value;
    const std::string value = value_text(whole);
    f_.text(box.x, box.y + f_.px(10), tr("{} as a chain", name()), f_.ui(Weight::SemiBold), Role::Ink, box.w);
    const float used = text_width(f_.ui(Weight::SemiBold), tr("{} as a chain", name())) + f_.px(10);
    f_.text(box.right(), box.y + f_.px(10), value, f_.mono(12), Role::Ink, box.w - used, Anchor::End);
    const std::size_t count = chain_.levels.front().vectors.size();
    if (partial_) {
      f_.text(box.x, box.y + f_.px(28), tr("{} of {} vectors so far", laid_.vectors.size(), count), f_.caption(),
              Role::Ink2, box.w);
      return;
    }
    f_.first_fitting(
        box.x, box.y + f_.px(28),
        {tr("its {} vectors x[j] times the logged factors, added up", count), tr("{} vectors, added up", count)},
        f_.caption(), Role::Ink2, box.w);
  }

  void keys(const Box& box) {
    const float y = box.bottom() - f_.px(8);
    float x = box.x;
    for (const bool odd : {false, true}) {
      const std::string text = odd ? tr("odd j") : tr("even j");
      f_.scene.line({x, y}, {x + f_.px(20), y}, stroke(odd, 2));
      f_.text(x + f_.px(26), y, text, f_.caption(), Role::Ink2, box.right() - x - f_.px(26));
      x += f_.px(44) + text_width(f_.caption(), text);
    }
  }

  Stroke stroke(bool odd, float width) const {
    Stroke s{odd ? Role::B : Role::A, f_.px(width)};
    if (odd) s.dash_on = f_.px(4), s.dash_off = f_.px(2.5f);
    return s;
  }

  bool changed(const ChainLevel& level, const ChainVector& vector) const {
    if (!live_ || live_->before.empty()) return false;
    if (level.segment < 0) return live_->changed(samples_at_hand(f_.document, live_), vector.index);
    return live_->changes && live_->changes->element(level.buffer, vector.index, level.segment);
  }

  /// The same factors on the samples before the change.
  std::vector<Complex> before(const ChainLevel& level) const {
    if (!live_ || live_->before.empty() || level.segment >= 0) return {};
    std::vector<Complex> corners{0};
    for (const ChainVector& vector : level.vectors) {
      if (vector.index >= live_->before.size()) return {};
      corners.push_back(corners.back() + vector.weight * live_->before[vector.index]);
    }
    return corners;
  }

  void vectors(const Box& box, const ChainLevel& level, bool large) {
    const std::vector<Complex> corners = corners_of(level.vectors), old = before(level);
    // The vectors to come have their room from the beginning, unless they are to be predicted.
    const bool whole_too = large && partial_ && f_.shows_future();
    const Plane plane(box, {corners, old, whole_too ? corners_of(chain_.levels.front().vectors) : corners});
    if (large) {
      const Point zero = plane.at(0);
      const Box frame = box.inset(-f_.px(16));
      f_.scene.line({frame.x, zero.y}, {frame.right(), zero.y}, {f_.grid(), f_.thin()});
      f_.scene.line({zero.x, frame.y}, {zero.x, frame.bottom()}, {f_.grid(), f_.thin()});
    }
    if (old.size() > 1) {
      std::vector<Point> points;
      for (const Complex& corner : old) points.push_back(plane.at(corner));
      f_.scene.circle(points.back(), f_.px(4), Role::Canvas, {Role::Done, f_.px(1.4f)});
      f_.scene.polyline(std::move(points), {Role::Future, f_.px(1.6f)});
    }
    const bool single = level.vectors.size() <= numbered_vectors;
    for (std::size_t v = 0; v < level.vectors.size(); ++v) {
      const Point from = plane.at(corners[v]), to = plane.at(corners[v + 1]);
      const float length = std::hypot(to.x - from.x, to.y - from.y);
      const bool odd = (partial_ ? level.vectors[v].index : v) % 2 == 1;
      if (changed(level, level.vectors[v])) f_.scene.line(from, to, {Role::Now, f_.px(8)});
      f_.scene.begin_mark(element_mark(level.buffer, level.segment, level.vectors[v].index), label(level, v));
      f_.scene.line(
          from, to,
          level.vectors.size() > told_apart ? Stroke{Role::Ink, f_.px(1.4f)} : stroke(odd, single ? 2.4f : 1.4f));
      if (single && length > f_.px(7)) {
        const float ux = (to.x - from.x) / length, uy = (to.y - from.y) / length, size = f_.px(5);
        f_.scene.polygon({to,
                          {to.x - size * (ux + 0.5f * uy), to.y - size * (uy - 0.5f * ux)},
                          {to.x - size * (ux - 0.5f * uy), to.y - size * (uy + 0.5f * ux)}},
                         odd ? Role::B : Role::A);
      }
      f_.scene.end_mark();
      if (large && single && length > f_.px(16)) {
        const float ux = (to.x - from.x) / length, uy = (to.y - from.y) / length, off = f_.px(10);
        f_.text((from.x + to.x) / 2 + off * uy, (from.y + to.y) / 2 - off * ux, std::to_string(level.vectors[v].index),
                f_.mono(11), Role::Ink2, f_.px(30), Anchor::Middle);
      }
    }
    f_.scene.circle(plane.at(0), f_.px(3), Role::Ink);
    const bool moved = live_ && !live_->before.empty();
    f_.scene.circle(plane.at(corners.back()), f_.px(large ? 5.5f : 4), moved ? Role::Now : Role::Raised,
                    {Role::Ink, f_.px(1.6f)});
  }

  std::string label(const ChainLevel& level, std::size_t v) const {
    const ChainVector& vector = level.vectors[v];
    return fmt::format("{}[{}] · {} = {}", f_.info.buffers[static_cast<std::size_t>(level.buffer)].name, vector.index,
                       value_text(vector.weight), value_text(vector.value));
  }

  /// What is left of them after each stage, as small chains side by side.
  void stages(const Box& box) {
    const std::size_t all = chain_.levels.size() - 1, most = static_cast<std::size_t>(box.w / f_.px(84));
    const std::size_t shown = std::min(all, std::max<std::size_t>(most, 1)), first = chain_.levels.size() - shown;
    f_.text(box.x, box.y + f_.px(6), tr("How the stages group them"), f_.caption(Weight::SemiBold), Role::Ink, box.w);
    const float gap = f_.px(6), width = (box.w - gap * static_cast<float>(shown - 1)) / static_cast<float>(shown);
    for (std::size_t n = 0; n < shown; ++n) {
      const ChainLevel& level = chain_.levels[first + n];
      const Box card{box.x + static_cast<float>(n) * (width + gap), box.y + f_.px(16), width, box.h - f_.px(18)};
      f_.scene.rect(card, Role::Canvas, {Role::Line, f_.thin()}, f_.px(4));
      const std::string stage = segment_name(f_.info, static_cast<std::size_t>(level.segment));
      f_.first_fitting(card.x + f_.px(5), card.y + f_.px(9), {tr("after {}", stage), stage}, f_.caption(), Role::Ink3,
                       card.w - f_.px(8));
      f_.text(card.right() - f_.px(5), card.bottom() - f_.px(9),
              plural(level.vectors.size(), "{} vector", "{} vectors"), f_.caption(Weight::SemiBold), Role::Ink,
              card.w - f_.px(8), Anchor::End);
      vectors({card.x + f_.px(10), card.y + f_.px(20), card.w - f_.px(20), card.h - f_.px(42)}, level, false);
    }
  }
};

}  // namespace

void draw_chain(ViewFrame& frame, const Box& box, int output, std::uint64_t index, const PhasorChain& chain,
                const std::vector<std::uint64_t>* so_far) {
  ChainPicture(frame, output, index, chain, so_far).draw(box);
}

}  // namespace twiddle
