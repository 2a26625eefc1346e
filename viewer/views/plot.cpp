#include "viewer/views/plot.h"

#include "viewer/words/twiddle_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace twiddle {

Plot::Plot(ViewFrame& frame, const ViewSpace& space, const Box& box, std::uint64_t count, double low, double high)
    : frame_(frame), space_(space), box_(box), count_(std::max<std::uint64_t>(1, count)), low_(low), high_(high) {
  pitch_ = static_cast<float>(double(box.w) / space.width_u() / double(count_));
  first_ = std::min(count_ - 1, static_cast<std::uint64_t>(std::max(0.0, space.first_u() * double(count_))));
  end_ = std::min(count_, static_cast<std::uint64_t>(std::ceil((space.first_u() + space.width_u()) * double(count_))));
}

float Plot::x(std::uint64_t index) const { return space_.x((double(index) + 0.5) / double(count_)); }

float Plot::y(double value) const {
  const double t = high_ > low_ ? (std::clamp(value, low_, high_) - low_) / (high_ - low_) : 0.5;
  return box_.bottom() - static_cast<float>(t) * box_.h;
}

void Plot::value_axis(float room, const std::string& unit, bool whole) {
  const Font font = frame_.mono(11);
  const int most = static_cast<int>(box_.h / (font.size * 2.2f));
  for (const double tick : axis_ticks(low_, high_, std::clamp(most, 1, 6))) {
    if (whole && std::abs(tick - std::round(tick)) > 1e-6) continue;
    const float at = y(tick);
    frame_.scene.line({box_.x, at}, {box_.right(), at}, {tick == 0 ? Role::Done : frame_.grid(), frame_.thin()});
    frame_.first_fitting(box_.x - frame_.px(6), at, {number_text(tick, 4) + unit, number_text(tick, 3)}, font,
                         Role::Ink2, room, Anchor::End);
  }
}

void Plot::base_line() { frame_.scene.line({box_.x, y(0)}, {box_.right(), y(0)}, {Role::Done, frame_.thin()}); }

void Plot::index_axis(double from, double each, const std::string& unit, float unit_room, std::uint64_t wraps) {
  const Font font = frame_.mono(11), words = frame_.caption();
  const float line = box_.bottom() + frame_.px(4), text_y = line + frame_.px(6) + font.size * 0.6f;
  const double low = from + each * double(first_), high = from + each * double(end_ - 1);
  const int most = std::clamp(static_cast<int>(box_.w / (font.size * (wraps > 0 ? 7.0f : 5.0f))), 1, 12);
  float free_from = -1e9f;
  std::vector<double> ticks = axis_ticks(low, high, most);
  if (ticks.empty()) ticks = {low};
  for (const double tick : ticks) {
    const double index = each != 0 ? (tick - from) / each : 0;
    if (each == 1 && std::abs(index - std::round(index)) > 1e-6) continue;
    const float at = space_.x((index + 0.5) / double(count_));
    frame_.scene.line({at, line}, {at, line + frame_.px(4)}, {Role::Done, frame_.thin()});
    std::string text = each == 1 ? count_text(static_cast<std::uint64_t>(std::llround(tick))) : number_text(tick, 6);
    if (wraps > 0 && 2 * index > double(wraps))
      text += fmt::format(" ({})", number_text(tick - each * double(wraps), 6));
    const float half = text_width(font, text) / 2;
    if (at - half < free_from || at + half > frame_.scene.width || at - half < 0) continue;
    frame_.text(at, text_y, text, font, Role::Ink2, 1e9f, Anchor::Middle);
    free_from = at + half + frame_.px(6);
  }
  // A short word is before the numbers, a longer one below them.
  if (!frame_.text(box_.x - frame_.px(12), text_y, unit, words, Role::Ink2, unit_room, Anchor::End))
    frame_.text(box_.right(), text_y + words.size * 1.35f, unit, words, Role::Ink2, box_.w, Anchor::End);
}

void Plot::for_columns(const std::function<void(const Column&)>& each) const {
  if (pitch_ >= 1) {
    for (std::uint64_t i = first_; i < end_; ++i) each({x(i) - pitch_ / 2, pitch_, i, i + 1});
    return;
  }
  // A whole number of elements a column, so that the same elements share it wherever the picture is moved.
  const double an_element = double(pitch_);
  const auto some = static_cast<std::uint64_t>(std::ceil(1.0 / an_element));
  for (std::uint64_t at = first_ / some * some; at < end_; at += some) {
    const std::uint64_t to = std::min(at + some, count_);
    each({x(at) - pitch_ / 2, static_cast<float>(double(to - at) * an_element), at, to});
  }
}

ViewSpace plot_space(const DiagramInput& input, float axis, std::uint64_t count, float widest) {
  constexpr float pad = 16, above = 4;
  const float u = view_scale(input), left = (pad + axis) * u;
  const Box body{left, above * u, std::max(1.0f, input.width - left - pad * u), input.height - 2 * above * u};
  return {input, body, true, false, double(count) * double(widest * u) / double(body.w)};
}

AxisRange axis_range(const Extent& extent) {
  AxisRange range{std::min(0.0, double(extent.low)), std::max(0.0, double(extent.high))};
  if (!extent.known || range.high <= range.low) range = {0, std::max(1.0, range.high)};
  const double some = 0.06 * (range.high - range.low);
  if (range.high > 0) range.high += some;
  if (range.low < 0) range.low -= some;
  return range;
}

}  // namespace twiddle
