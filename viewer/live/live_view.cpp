// The signal as handles before the diagram, and what becomes of it behind: drag a sample, and every stage answers.
#include "base/message.h"
#include "viewer/butterfly/butterfly_layout.h"
#include "viewer/document/flow.h"
#include "viewer/views/view.h"
#include "viewer/views/view_frame.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/twiddle_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {
namespace {

// In layout units.
constexpr float strip_width = 138, bars_width = 84, handle_radius = 8, held_radius = 10;
constexpr float crossing_wires = 60, straight_wires = 14;  // from the handles to the diagram
constexpr float min_diagram = 420;                         // what is left for the diagram beside handles and bars
constexpr float top_share = 0.3f, min_row = 9;  // of handles above a picture without rows; px of a row with handles
constexpr float goal_share = 0.48f;             // of handles above bars to be fitted

/// What the handles stand beside: the trace's own picture.
const View& main_view(Document& document) {
  for (const View* view : views_of(document))
    if (view->name() != "live" && view->name() != "spectrum") return *view;
  return *views().front();
}

/// Where everything is in the pane.
struct LiveLayout {
  bool rows = false;  // handles are beside the diagram's rows; else above the picture
  bool goal = false;  // … or above bars that are to be fitted, in the picture's place
  Box handles, main, bars;
  LiveAxis axis;
  const ButterflyLayout* butterfly = nullptr;

  /// Where the handle of a sample with this value is.
  Point handle(std::uint64_t sample, double value, std::size_t count) const {
    const double t = std::clamp((value - axis.low) / (axis.high - axis.low), 0.0, 1.0);
    if (rows) return {handles.x + static_cast<float>(t) * handles.w, butterfly->row_y(sample)};
    return {handles.x + (static_cast<float>(sample) + 0.5f) / static_cast<float>(count) * handles.w,
            handles.bottom() - static_cast<float>(t) * handles.h};
  }
  /// The sample whose handle is nearest to the point's row or column.
  std::uint64_t sample(Point p, std::size_t count) const {
    const double place = rows ? double(p.y - butterfly->row_y(0)) / butterfly->row_pitch
                              : double(p.x - handles.x) / double(handles.w) * double(count) - 0.5;
    return static_cast<std::uint64_t>(std::clamp(std::round(place), 0.0, double(count) - 1));
  }
  double value(Point p) const {
    const float t =
        rows ? (p.x - handles.x) / std::max(1.0f, handles.w) : (handles.bottom() - p.y) / std::max(1.0f, handles.h);
    return axis.low + std::clamp(double(t), 0.0, 1.0) * (axis.high - axis.low);
  }
};

DiagramInput main_input(const DiagramInput& input, const LiveLayout& layout) {
  DiagramInput inner = input;
  inner.width = layout.main.w, inner.height = layout.main.h;
  return inner;
}

LiveLayout layout_of(const DiagramInput& input) {
  Document& document = input.document;
  const float k = view_scale(input);
  LiveLayout layout;
  layout.axis = live_axis(samples_at_hand(document, input.live), input.live);
  const auto count = static_cast<std::uint64_t>(samples_at_hand(document, input.live).size());
  if (input.live && input.live->goal.asked()) {
    const float top = std::round(input.height * goal_share);
    layout.goal = true;
    layout.handles = {64 * k, 30 * k, input.width - 88 * k, std::max(10.0f, top - 48 * k)};
    layout.bars = {layout.handles.x, top + 30 * k, layout.handles.w, std::max(10.0f, input.height - top - 56 * k)};
    return layout;
  }
  layout.rows = document.flow().has_butterflies() && main_view(document).name() == "butterfly" &&
                input.viewport.zoom <= 1 &&
                input.width - (strip_width + crossing_wires + bars_width) * k >= min_diagram * k;
  if (layout.rows) {
    // Where the first column is already reversed, the wires from the handles cross; else they only lead to it.
    for (const float wires : {crossing_wires, 0.6f * crossing_wires, straight_wires}) {
      const float beside = (strip_width + wires + bars_width) * k;
      layout.main = {(strip_width + wires) * k, 0, input.width - beside, input.height};
      layout.butterfly = &butterfly_layout(main_input(input, layout));
      if (layout.butterfly->folded) break;
    }
    const ButterflyLayout& l = *layout.butterfly;
    layout.rows = l.shows_lines() && l.row_pitch >= double(min_row * k) && l.rows >= count &&
                  l.visible_rows.first == 0 && l.visible_rows.end >= count;
  }
  if (layout.rows) {
    const ButterflyLayout& l = *layout.butterfly;
    layout.handles = {46 * k, l.body.y, (strip_width - 46 - handle_radius) * k, l.body.h};
    layout.bars = {layout.main.right() + 6 * k, l.body.y, (bars_width - 22) * k, l.body.h};
  } else {
    const float top = std::round(input.height * top_share);
    layout.handles = {64 * k, 30 * k, input.width - 88 * k, std::max(10.0f, top - 48 * k)};
    layout.main = {0, top, input.width, input.height - top};
  }
  return layout;
}

class LiveFrame {
 public:
  LiveFrame(const DiagramInput& input, Scene& scene, const LiveLayout& layout)
      : f_(input, scene),
        layout_(layout),
        samples_(samples_at_hand(input.document, input.live)),
        buffer_(live_buffer(f_.info)),
        live_(input.live) {}

  void draw() {
    f_.scene.title = tr("{} while its signal changes", title_of(f_.info));
    head();
    axis();
    wave();
    for (std::size_t j = 0; j < samples_.size(); ++j) handle(j);
    if (layout_.rows) wires();
    if (layout_.rows) bars();
    if (layout_.goal) goal_bars();
  }

 private:
  ViewFrame f_;
  const LiveLayout& layout_;
  const std::vector<std::complex<double>> samples_;
  const int buffer_;
  const LiveSignal* live_;

  bool changed(std::uint64_t sample) const { return live_ && live_->changed(samples_, sample); }
  const std::string& name() const { return f_.info.buffers[static_cast<std::size_t>(buffer_)].name; }

  void head() {
    const bool possible = live_ && live_->possible;
    const std::string words = possible ? tr("drag a sample") : tr("the signal");
    const bool complex = std::any_of(samples_.begin(), samples_.end(), [](const auto& x) { return x.imag() != 0; });
    const std::string what =
        fmt::format("{}[{}], {}", name(), samples_.size(), complex ? tr("real parts") : tr("real"));
    if (!layout_.rows) {
      f_.title(f_.px(24), f_.scene.width - f_.px(16), f_.px(14), words, {what});
      return;
    }
    const float x = layout_.handles.centre().x, y = layout_.handles.y;
    const float room = 2 * std::min(x, layout_.main.x + layout_.butterfly->labels.x - x);
    f_.text(x, y - f_.px(30), words, f_.ui(Weight::SemiBold), Role::Ink, room, Anchor::Middle);
    f_.text(x, y - f_.px(14), what, f_.mono(11), Role::Ink2, room, Anchor::Middle);
  }

  /// Lines at the lowest and the highest value and at zero, with their numbers.
  void axis() {
    const Box& box = layout_.handles;
    const double low = layout_.axis.low, high = layout_.axis.high;
    const float letter = f_.mono(11).size, room = layout_.rows ? box.w / (letter * 3.2f) : box.h / (letter * 2.2f);
    for (const double tick : axis_ticks(low, high, std::clamp(static_cast<int>(room), 1, 5))) {
      const Point at = layout_.handle(0, tick, samples_.size());
      const Role role = tick == 0 ? Role::Done : f_.grid();
      if (layout_.rows) {
        f_.scene.line({at.x, box.y}, {at.x, box.bottom()}, {role, f_.thin()});
        if (box.bottom() + f_.px(18) <= f_.scene.height)
          f_.text(at.x, box.bottom() + f_.px(10), number_text(tick, 3), f_.mono(11), Role::Ink3, f_.px(40),
                  Anchor::Middle);
      } else {
        f_.scene.line({box.x, at.y}, {box.right(), at.y}, {role, f_.thin()});
        f_.text(box.x - f_.px(6), at.y, number_text(tick, 3), f_.mono(11), Role::Ink3, f_.px(50), Anchor::End);
      }
    }
  }

  /// The signal as it was before it was changed, as one line behind the handles.
  void wave() {
    const std::vector<std::complex<double>>& shown = live_ && !live_->before.empty() ? live_->before : samples_;
    std::vector<Point> points;
    for (std::size_t j = 0; j < shown.size(); ++j) points.push_back(layout_.handle(j, shown[j].real(), shown.size()));
    if (points.size() > 1) f_.scene.polyline(std::move(points), {Role::Done, f_.px(1.2f)});
  }

  void handle(std::uint64_t j) {
    const double value = samples_[j].real();
    const Point at = layout_.handle(j, value, samples_.size()), zero = layout_.handle(j, 0, samples_.size());
    const float pitch = layout_.rows ? static_cast<float>(layout_.butterfly->row_pitch)
                                     : layout_.handles.w / static_cast<float>(samples_.size());
    const bool held = live_ && live_->held == j, now = changed(j);
    const float radius = std::min(f_.px(held ? held_radius : handle_radius), std::max(f_.px(2.5f), pitch * 0.42f));
    const Mark mark = sample_mark(buffer_, j);
    if (now) {
      const Point old = layout_.handle(j, live_->before[j].real(), samples_.size());
      f_.scene.line(old, at, {Role::Future, f_.px(1.2f), f_.px(3), f_.px(3)});
      f_.scene.circle(old, radius * 0.9f, Role::Canvas, {Role::Done, f_.px(1.5f)});
    }
    f_.scene.begin_mark(mark, fmt::format("{}[{}] = {}", name(), j, number_text(value, 6)));
    if (now) f_.scene.line(zero, at, {Role::Now, f_.px(7)});
    f_.scene.line(zero, at, {now ? Role::Ink : Role::Done, f_.px(now ? 2.0f : 1.5f)});
    f_.scene.circle(at, radius, now || held ? Role::Now : Role::Raised, {Role::Ink, f_.px(held ? 2.2f : 1.6f)});
    f_.scene.end_mark();
    if (live_ && live_->focus == j && !held)
      f_.scene.circle(at, radius + f_.px(4), Role::None, {Role::Ink, f_.px(2)});
    else if (const int lit = f_.lit_element(buffer_, j); lit > 0)
      f_.scene.circle(at, radius + f_.px(3), Role::None, {Role::Hover, f_.px(2)});
    if (layout_.goal)
      f_.text(at.x, layout_.handles.bottom() + f_.px(11), std::to_string(j), f_.mono(11), now ? Role::Ink : Role::Ink2,
              pitch, Anchor::Middle);
    if (layout_.rows && pitch >= f_.px(13))
      f_.text(f_.px(8), at.y, fmt::format("{}[{}]", layout_.butterfly->input_name, j), f_.mono(11),
              now ? Role::Ink : Role::Ink2, f_.px(44));
  }

  /// From each sample to the row where it enters the diagram.
  void wires() {
    const ButterflyLayout& l = *layout_.butterfly;
    const float left = layout_.handles.right() + f_.px(12), right = layout_.main.x + l.labels.x - f_.px(5);
    if (right - left < f_.px(l.folded ? 18 : 6)) return;
    for (std::uint64_t row = 0; row < samples_.size(); ++row) {
      const std::uint64_t j = l.folded ? f_.flow.origin(row) : row;
      if (j >= samples_.size()) continue;
      const bool now = changed(j);
      const Point from{left, l.row_y(j)}, to{right, l.row_y(row)};
      f_.scene.set_layer(now ? layer::halo : layer::done);
      if (now) f_.scene.line(from, to, {Role::Now, f_.px(7)});
      if (now) f_.scene.set_layer(layer::now);
      f_.scene.line(from, to, {now ? Role::Ink : Role::Done, f_.px(now ? 2.2f : 1.2f)});
    }
    f_.scene.set_layer(0);
  }

  /// What came out, a bar a row; the outline is what it was before.
  void bars() {
    const int output = f_.info.buffer_named(f_.info.expect.output);
    if (output < 0 || f_.step < f_.info.steps || layout_.bars.w < f_.px(20)) return;
    const std::vector<std::complex<double>> now =
        numbers_of(f_.document, output, static_cast<int>(f_.info.segments.size()) - 1);
    double largest = 0;
    for (const std::complex<double>& x : now)
      if (std::isfinite(std::abs(x))) largest = std::max(largest, std::abs(x));
    if (live_)
      for (const std::complex<double>& x : live_->result_before)
        if (std::isfinite(std::abs(x))) largest = std::max(largest, std::abs(x));
    if (largest <= 0) return;
    const Box& box = layout_.bars;
    const ButterflyLayout& l = *layout_.butterfly;
    const float height = std::min(static_cast<float>(l.row_pitch) * 0.5f, f_.px(22));
    const std::string symbol = traits(f_.info.expect.transform).inverse ? "|x[j]|" : "|X[k]|";
    if (traits(f_.info.expect.transform).fourier)
      f_.text(box.x, box.y - f_.px(30), symbol, f_.ui(), Role::Ink2, box.w + f_.px(14));
    if (live_ && !live_->result_before.empty())
      f_.text(box.x, box.y - f_.px(14), tr("outline: before"), f_.caption(), Role::Ink3, box.w + f_.px(14));
    f_.scene.line({box.x, box.y}, {box.x, box.bottom()}, {Role::Done, f_.thin()});
    for (std::uint64_t k = 0; k < std::min<std::uint64_t>(now.size(), l.rows); ++k) {
      const auto width = [&](const std::complex<double>& x) {
        return std::max(f_.px(1.5f), static_cast<float>(std::min(1.0, std::abs(x) / largest)) * box.w);
      };
      const float y = l.row_y(k);
      const bool other =
          live_ && live_->changes && live_->changes->element(output, k, static_cast<int>(f_.info.segments.size()) - 1);
      const int lit = f_.lit_element(output, k);
      f_.scene.begin_mark(element_mark(output, static_cast<int>(f_.info.segments.size()) - 1, k),
                          fmt::format("|{}[{}]| = {}", f_.info.buffers[static_cast<std::size_t>(output)].name, k,
                                      number_text(std::abs(now[k]), 6)));
      const Box bar{box.x, y - height / 2, width(now[k]), height};
      f_.scene.rect(bar, other ? Role::Now : Role::Done, {other ? Role::Ink : Role::Done, f_.px(1.5f)});
      if (other && k < live_->result_before.size())
        f_.scene.rect({box.x, y - height / 2, width(live_->result_before[k]), height}, Role::None,
                      {Role::Ink2, f_.px(1.2f), f_.px(4), f_.px(3)});
      f_.outline(bar.inset(-f_.px(3)), f_.px(2), lit);
      f_.scene.end_mark();
    }
  }

  /// The spectrum of the samples, a bar a bin, and dashed what it is to be.
  void goal_bars() {
    const SpectrumGoal& goal = live_->goal;
    const int output = f_.info.buffer_named(f_.info.expect.output);
    std::vector<double> now;
    if (output >= 0 && f_.step >= f_.info.steps)
      now = magnitudes_of(!live_->result.empty()
                              ? live_->result
                              : numbers_of(f_.document, output, static_cast<int>(f_.info.segments.size()) - 1));
    double largest = goal.within;
    for (const double magnitude : goal.wanted) largest = std::max(largest, magnitude);
    largest *= 1.25;  // the axis keeps still: what is larger is cut, with its number
    const Box& box = layout_.bars;
    const std::string& name =
        output < 0 ? f_.info.expect.output : f_.info.buffers[static_cast<std::size_t>(output)].name;
    f_.title(f_.px(24), f_.scene.width - f_.px(16), box.y - f_.px(16), fmt::format("|{}[k]|", name),
             {tr("dashed: what is asked for")});
    for (const double tick : axis_ticks(0, largest, 4)) {
      const float y = box.bottom() - static_cast<float>(tick / largest) * box.h;
      f_.scene.line({box.x, y}, {box.right(), y}, {tick == 0 ? Role::Done : f_.grid(), f_.thin()});
      f_.text(box.x - f_.px(6), y, number_text(tick, 3), f_.mono(11), Role::Ink3, f_.px(50), Anchor::End);
    }
    const float pitch = box.w / static_cast<float>(std::max<std::size_t>(1, goal.wanted.size())),
                width = std::min(pitch * 0.6f, f_.px(40));
    for (std::size_t k = 0; k < goal.wanted.size(); ++k) {
      const float x = box.x + (static_cast<float>(k) + 0.5f) * pitch;
      const auto height = [&](double magnitude) {
        return static_cast<float>(std::min(1.0, magnitude / largest)) * box.h;
      };
      f_.text(x, box.bottom() + f_.px(12), std::to_string(k), f_.mono(11), Role::Ink2, pitch, Anchor::Middle);
      if (k < now.size()) {
        const bool fits = std::abs(now[k] - goal.wanted[k]) <= goal.within;
        const float tall = std::max(f_.px(1.5f), height(now[k]));
        f_.scene.begin_mark(element_mark(output, static_cast<int>(f_.info.segments.size()) - 1, k),
                            fmt::format("|{}[{}]| = {}", name, k, number_text(now[k], 6)));
        f_.scene.rect({x - width / 2, box.bottom() - tall, width, tall}, fits ? Role::Done : Role::Now,
                      {Role::Ink, f_.px(fits ? 1.0f : 1.8f)});
        f_.scene.end_mark();
      }
      const float wanted = std::max(f_.px(2), height(goal.wanted[k]));
      f_.scene.rect({x - width / 2 - f_.px(4), box.bottom() - wanted, width + f_.px(8), wanted}, Role::None,
                    {Role::Ink2, f_.px(1.5f), f_.px(5), f_.px(4)});
    }
  }
};

/// The picture's own view beside the handles; nothing where bars are to be fitted.
const View* view_beside(const DiagramInput& input) {
  return input.live && input.live->goal.asked() ? nullptr : &main_view(input.document);
}

class LiveView : public View {
 public:
  LiveView() : View("live", translatable("Live"), "samples as handles before the diagram: drag one") {}

  bool has(Document& document) const override {
    const int buffer = live_buffer(document.info());
    return buffer >= 0 && document.info().steps > 0 && !traits(document.info().expect.transform).plane &&
           document.info().buffers[static_cast<std::size_t>(buffer)].count <= LiveSignal::max_traced;
  }

  Scene draw(const DiagramInput& input) const override {
    const LiveLayout layout = layout_of(input);
    Scene scene;
    scene.width = input.width, scene.height = input.height;
    scene.language = input.language;
    if (const View* beside = view_beside(input)) {
      const Scene main = beside->draw(main_input(input, layout));
      scene.push_clip(layout.main);
      scene.add(main, {layout.main.x, layout.main.y});
      scene.pop_clip();
      scene.description = main.description;
      scene.unfinished = main.unfinished;
    }
    LiveFrame(input, scene, layout).draw();
    keep_readable(scene);
    return scene;
  }

  PictureSize picture_size(Document& document, float min_width) const override {
    const PictureSize size = main_view(document).picture_size(document, min_width);
    return {size.width + strip_width + crossing_wires + bars_width, size.height};
  }

  Viewport zoomed(const DiagramInput& input, Point about, double factor) const override {
    const View* beside = view_beside(input);
    if (!beside) return input.viewport;
    const LiveLayout layout = layout_of(input);
    return beside->zoomed(main_input(input, layout), {about.x - layout.main.x, about.y - layout.main.y}, factor);
  }
  Viewport moved(const DiagramInput& input, Point by) const override {
    const View* beside = view_beside(input);
    return beside ? beside->moved(main_input(input, layout_of(input)), by) : input.viewport;
  }
  Viewport showing(const DiagramInput& input, std::uint64_t step) const override {
    const View* beside = view_beside(input);
    return beside ? beside->showing(main_input(input, layout_of(input)), step) : input.viewport;
  }
  std::optional<MarkText> element_at(const DiagramInput& input, Point p) const override {
    const LiveLayout layout = layout_of(input);
    const View* beside = view_beside(input);
    if (!beside || !layout.main.contains(p)) return {};
    return beside->element_at(main_input(input, layout), {p.x - layout.main.x, p.y - layout.main.y});
  }
  std::optional<double> sample_value(const DiagramInput& input, std::uint64_t, Point p) const override {
    return layout_of(input).value(p);
  }
  std::optional<std::uint64_t> sample_at(const DiagramInput& input, Point p) const override {
    const LiveLayout layout = layout_of(input);
    if (!layout.handles.inset(-handle_radius * view_scale(input)).contains(p)) return {};
    return layout.sample(p, samples_at_hand(input.document, input.live).size());
  }
};

}  // namespace

std::unique_ptr<const View> live_view() { return std::make_unique<LiveView>(); }

}  // namespace twiddle
