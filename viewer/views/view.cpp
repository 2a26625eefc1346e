#include "viewer/views/view.h"

#include <algorithm>
#include <array>

namespace twiddle {

PictureSize View::picture_size(Document& document, float min_width) const {
  const TraceInfo& info = document.info();
  std::uint64_t rows = 0;
  for (const BufferInfo& buffer : info.buffers)
    if (buffer.space == Space::Global) rows = std::max(rows, buffer.count);
  if (rows > 32) return {std::max(min_width, 1008.0f), 640};
  const float columns = static_cast<float>(std::min<std::size_t>(info.segments.size(), 12) + 1);
  return {std::max(min_width, columns * 176 + 130), std::max(300.0f, static_cast<float>(rows) * 34 + 100)};
}

Viewport View::zoomed(const DiagramInput& input, Point, double) const { return input.viewport; }
Viewport View::moved(const DiagramInput& input, Point) const { return input.viewport; }
Viewport View::showing(const DiagramInput& input, std::uint64_t) const { return input.viewport; }
Point View::anchor(const DiagramInput& input, Point p) const { return {p.x / input.width, p.y / input.height}; }
Point View::anchored(const DiagramInput& input, Point at) const { return {at.x * input.width, at.y * input.height}; }
std::optional<MarkText> View::element_at(const DiagramInput&, Point) const { return {}; }

std::optional<std::uint64_t> View::sample_at(const DiagramInput&, Point) const { return {}; }
std::optional<double> View::sample_value(const DiagramInput&, std::uint64_t, Point) const { return {}; }

std::span<const std::unique_ptr<const View>> views() {
  static const std::array all = {
#define VIEW(name) name##_view(),
#include "viewer/views/views.def"
#undef VIEW
  };
  return all;
}

const View* view_named(std::string_view name) {
  const auto all = views();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& view) { return view->name() == name; });
  return found == all.end() ? nullptr : found->get();
}

std::vector<const View*> views_of(Document& document) {
  std::vector<const View*> list;
  for (const auto& view : views())
    if (view->has(document)) list.push_back(view.get());
  if (list.empty()) list.push_back(views().front().get());
  return list;
}

const View& view_of(Document& document, std::string_view name) {
  const std::vector<const View*> list = views_of(document);
  const auto found = std::find_if(list.begin(), list.end(), [&](const View* view) { return view->name() == name; });
  return found == list.end() ? *list.front() : **found;
}

}  // namespace twiddle
