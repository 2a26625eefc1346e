// A plot's axes, and values over an index as stems or as an envelope: what the spectrum and the bins draw alike.
#pragma once

#include "viewer/graphs/series.h"
#include "viewer/views/view_frame.h"
#include "viewer/views/view_space.h"

#include <cstdint>
#include <functional>
#include <string>

namespace twiddle {

/// `count` elements side by side in a space (zoomed across), values from `low` at the bottom to `high` at the top.
class Plot {
 public:
  Plot(ViewFrame& frame, const ViewSpace& space, const Box& box, std::uint64_t count, double low, double high);

  const Box& box() const { return box_; }
  /// Middle of an element's column, its width, and the y of a value.
  float x(std::uint64_t index) const;
  float pitch() const { return pitch_; }
  float y(double value) const;
  std::uint64_t first() const { return first_; }
  std::uint64_t end() const { return end_; }
  bool single() const { return pitch_ >= frame_.px(5); }  // elements can be distinguished

  /// Lines and numbers at round values, left of the box in `room` px; at whole ones alone where values are counts.
  void value_axis(float room, const std::string& unit, bool whole = false);
  /// The line at zero alone: where there are no values yet, and so no scale.
  void base_line();
  /// Ticks below the box, at round values of `from + index · each`; what they count left of them, where that fits into
  /// `unit_room` px, else on a line of its own. Where indices past the half of `wraps` count backwards from it, as the bins
  /// of a spectrum do, what they are is added in brackets: "6 (−2)" of 8.
  void index_axis(double from, double each, const std::string& unit, float unit_room = 0, std::uint64_t wraps = 0);
  /// The box that a pixel column, or an element, takes.
  struct Column {
    float x = 0, width = 0;
    std::uint64_t first = 0, end = 0;
  };
  /// Every element, or while these are less than a pixel wide every pixel column.
  void for_columns(const std::function<void(const Column&)>& each) const;

 private:
  ViewFrame& frame_;
  const ViewSpace& space_;
  Box box_;
  std::uint64_t count_, first_ = 0, end_ = 0;
  double low_, high_;
  float pitch_ = 1;
};

/// The space of a pane with plots over each other and `axis` px for their numbers at the left, zoomed until each of `count`
/// elements is `widest` px wide; both px at scale 1.
ViewSpace plot_space(const DiagramInput& input, float axis, std::uint64_t count, float widest);

/// Low and high with a little room, and with zero in between: where a plot's axis goes.
struct AxisRange {
  double low = 0, high = 1;
};
AxisRange axis_range(const Extent& extent);

}  // namespace twiddle
