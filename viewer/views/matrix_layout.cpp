#include "viewer/views/matrix_layout.h"

#include "base/message.h"
#include "viewer/views/view_frame.h"
#include "viewer/words/segment_name.h"

#include <algorithm>
#include <utility>

namespace twiddle {
namespace {

constexpr float min_small = 90;  // of the pictures beside a large one

bool flat(const BufferInfo& buffer) {
  return buffer.space != Space::Local && buffer.shape.size() == 2 && buffer.shape[0] > 0 && buffer.shape[1] > 0 &&
         buffer.shape[0] * buffer.shape[1] <= buffer.count;
}

/// `count` squares in a box; the side is not positive when there is no room.
MatrixGrid squares_in(const Box& box, int count, float u) {
  MatrixGrid best;
  for (int columns = 1; columns <= count; ++columns) {
    const int rows = (count + columns - 1) / columns;
    const float side =
        std::min((box.w - static_cast<float>(columns - 1) * matrix_gap * u) / static_cast<float>(columns),
                 box.h / static_cast<float>(rows) - matrix_title_height * u);
    if (side <= best.side) continue;
    best.columns = columns, best.side = side;
    const float all = static_cast<float>(columns) * (side + matrix_gap * u) - matrix_gap * u;
    best.corner = {box.x + (box.w - all) / 2, box.y + matrix_title_height * u};
  }
  return best;
}

}  // namespace

std::vector<MatrixPicture> matrix_pictures(Document& document) {
  std::vector<MatrixPicture> list;
  const TraceInfo& info = document.info();
  const auto add = [&](int segment, int buffer, bool turned, std::string name) {
    if (buffer < 0) return;
    const BufferInfo& of = info.buffers[buffer];
    if (!flat(of)) return;
    MatrixPicture picture{segment, buffer, of.shape[0], of.shape[1], std::move(name)};
    if (turned) std::swap(picture.rows, picture.columns);
    list.push_back(std::move(picture));
  };
  add(-1, info.buffer_named(info.expect.input), false, tr("input"));
  // Some launches write the array with its rows as columns; the plan's parameters say which.
  const auto method = info.parameters.find("method");
  const bool fused = method != info.parameters.end() && method->second == "fused";
  bool turned = false;
  for (const LaunchInfo& launch : info.launches) {
    int last = -1, buffer = -1;
    for (std::size_t s = 0; s < info.segments.size(); ++s) {
      const Segment& segment = info.segments[s];
      if (segment.launch != launch.number) continue;
      last = static_cast<int>(s);
      if (segment.write_buffer >= 0 && flat(info.buffers[segment.write_buffer])) buffer = segment.write_buffer;
    }
    if (launch.kernel == "transpose" || (fused && launch.kernel.starts_with("columns_"))) turned = !turned;
    if (last >= 0) add(last, buffer, turned, tr("after {}", launch_name(launch)));
  }
  return list;
}

MatrixGrid matrix_grid(const DiagramInput& input, int count) {
  const float u = view_scale(input);
  const Box room{matrix_pad * u, 0, input.width - 2 * matrix_pad * u, input.height - matrix_foot_height * u};
  MatrixGrid best = squares_in(room, count, u);
  const auto area = [&](const MatrixGrid& grid) {
    const float side2 = grid.side * grid.side, all = static_cast<float>(count);
    return grid.large ? (all - 1) * side2 + grid.large->w * grid.large->w : all * side2;
  };
  const float largest = std::min(room.h - matrix_title_height * u, room.w);
  // Pictures whose pixels are handles keep still while the cursor moves.
  const bool still = input.live && input.live->possible;
  if (count > 1 && best.side < largest && !still) {
    MatrixGrid focus = squares_in({room.x, room.y, room.w - largest - 2 * matrix_gap * u, room.h}, count - 1, u);
    focus.large = Box{room.right() - largest, matrix_title_height * u, largest, largest};
    if (focus.side >= min_small * u && area(focus) > area(best)) best = focus;
  }
  best.side = std::max(1.0f, best.side);
  return best;
}

}  // namespace twiddle
