#include "viewer/input/sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace twiddle {

void Sketch::stroke(const Box& box, Point from, Point to) {
  if (samples.empty() || box.w <= 0 || box.h <= 0) return;
  const auto last = static_cast<double>(samples.size() - 1);
  const auto place = [&](float x) {
    return std::clamp(std::floor(static_cast<double>((x - box.x) / box.w) * static_cast<double>(samples.size())), 0.0,
                      last);
  };
  const auto value = [&](float y) { return std::clamp((1 - 2 * (y - box.y) / box.h) * highest, -highest, highest); };
  if (from.x > to.x) std::swap(from, to);
  const auto first = static_cast<std::size_t>(place(from.x)), end = static_cast<std::size_t>(place(to.x));
  const float a = value(from.y), b = value(to.y);
  for (std::size_t i = first; i <= end; ++i) {
    const float t = end > first ? static_cast<float>(i - first) / static_cast<float>(end - first) : 1;
    samples[i] = a + (b - a) * t;
  }
}

std::string Sketch::csv() const {
  std::string text;
  for (const float sample : samples) text += fmt::format("{:.9g}\n", sample);
  return text;
}

Box sketch_box(float width, float height, float scale) {
  const float w = std::min(720 * scale, width - 48 * scale), h = std::min(300 * scale, height - 160 * scale);
  return {std::round((width - w) / 2), std::round((height - h) / 2), std::round(std::max(1.0f, w)),
          std::round(std::max(1.0f, h))};
}

}  // namespace twiddle
