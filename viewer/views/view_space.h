// A pane whose content is larger than it when zoomed: what of it shows where, and how the wheel and dragging change that.
#pragma once

#include "viewer/views/view.h"

#include <optional>

namespace twiddle {

/// Content coordinates run from 0 to 1 along both axes, in every view; an axis that is not zoomed shows all of it.
struct ViewSpace {
  Box body;                           // px
  bool across = false, down = false;  // which axes are zoomed
  double max_zoom = 1;                // not below 1, even if less is given
  Viewport viewport;

  ViewSpace(const DiagramInput& input, const Box& body, bool across, bool down, double max_zoom);

  double zoom() const;
  /// The visible part of an axis.
  double first_u() const;
  double first_v() const;
  double width_u() const { return across ? 1 / zoom() : 1; }
  double height_v() const { return down ? 1 / zoom() : 1; }

  float x(double u) const { return body.x + static_cast<float>((u - first_u()) / width_u() * double(body.w)); }
  float y(double v) const { return body.y + static_cast<float>((v - first_v()) / height_v() * double(body.h)); }
  double u(float x) const { return first_u() + double(x - body.x) / double(body.w) * width_u(); }
  double v(float y) const { return first_v() + double(y - body.y) / double(body.h) * height_v(); }

  /// The viewport that shows the content from (u, v) on, as far as there is any.
  Viewport from(double u, double v) const;
};

/// A view whose content is in a ViewSpace.
class ZoomedView : public View {
 public:
  using View::View;
  Scene draw(const DiagramInput& input) const override;
  Viewport zoomed(const DiagramInput& input, Point about, double factor) const override;
  Viewport moved(const DiagramInput& input, Point by) const override;
  Viewport showing(const DiagramInput& input, std::uint64_t step) const override;

 protected:
  virtual ViewSpace space(const DiagramInput& input) const = 0;
  /// Draws what shows of the space; draw() leaves out afterwards what cannot be read.
  virtual void paint(const DiagramInput& input, const ViewSpace& space, Scene& scene) const = 0;
  /// Where an operation's elements are in content coordinates; nothing when they are nowhere.
  virtual std::optional<Box> place(const DiagramInput& input, const Operation& operation) const = 0;
};

/// One that a Frame, made of what paint() gets, draws.
template <typename Frame>
class FramedView : public ZoomedView {
 public:
  using ZoomedView::ZoomedView;

 protected:
  void paint(const DiagramInput& input, const ViewSpace& space, Scene& scene) const override {
    Frame(input, scene, space).draw();
  }
};

/// One whose samples can be dragged: its frame knows which one a point is at, and which value there.
template <typename Frame>
class SampledView : public FramedView<Frame> {
 public:
  using FramedView<Frame>::FramedView;

  std::optional<double> sample_value(const DiagramInput& input, std::uint64_t, Point p) const override {
    return of_frame(input, [&](const Frame& frame) { return std::optional<double>(frame.value_at(p)); });
  }
  std::optional<std::uint64_t> sample_at(const DiagramInput& input, Point p) const override {
    return of_frame(input, [&](const Frame& frame) { return frame.sample_at(p); });
  }

 private:
  /// What a frame answers that draws nothing.
  template <typename Ask>
  auto of_frame(const DiagramInput& input, const Ask& ask) const {
    Scene unused;
    const ViewSpace all = this->space(input);
    return ask(Frame(input, unused, all));
  }
};

}  // namespace twiddle
