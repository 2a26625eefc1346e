// The input signal and the result: values over time, magnitudes over frequency, with their units.
#include "base/message.h"
#include "base/text.h"
#include "viewer/views/plot.h"
#include "viewer/words/operation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

constexpr float spectrum_axis_width = 64, spectrum_axis_height = 46, spectrum_title_height = 32;
constexpr double spectrum_quietest = -120;  // dB: the bottom of the axis

bool one_dimensional(Expect::Transform transform) { return traits(transform).fourier && !traits(transform).plane; }

/// Samples a second, where the input was a sound; 0: not known.
double rate_of(const TraceInfo& info) {
  const auto found = info.parameters.find("sample-rate");
  const double rate = found == info.parameters.end() ? 0 : number_in<double>(found->second).value_or(0);
  return std::isfinite(rate) && rate > 0 ? rate : 0;
}

class SpectrumFrame {
 public:
  SpectrumFrame(const DiagramInput& input, Scene& scene, const ViewSpace& space) : f_(input, scene), space_(space) {}

  void draw() {
    const TraceInfo& info = f_.info;
    f_.scene.title = tr("Signal and spectrum of {}", title_of(info));
    const int in = info.buffer_named(info.expect.input), out = info.buffer_named(info.expect.output);
    const bool two = out >= 0 && one_dimensional(info.expect.transform);
    const float each = space_.body.h / (two ? 2 : 1);
    if (in >= 0) draw_signal(in, {0, space_.body.y, f_.scene.width, each});
    if (two) draw_spectrum(out, {0, space_.body.y + each, f_.scene.width, each});
  }

 private:
  ViewFrame f_;
  const ViewSpace& space_;

  bool complex(int buffer) const { return traits(f_.info.buffers[buffer].type).components > 1; }
  Box inside(const Box& box) const {
    return {space_.body.x, box.y + f_.px(spectrum_title_height), space_.body.w,
            std::max(f_.px(8), box.h - f_.px(spectrum_title_height + spectrum_axis_height))};
  }

  void title(const Box& box, const std::string& name, const std::vector<std::string>& rest) {
    f_.title(space_.body.x, space_.body.right(), box.y + f_.px(spectrum_title_height / 2), name, rest);
  }

  /// Keys to the two lines of a plot, at the right of its title.
  void key(const Box& box) {
    const Font font = f_.caption();
    float x = space_.body.right();
    const float y = box.y + f_.px(spectrum_title_height - 6);
    for (const bool imaginary : {true, false}) {
      const std::string word = imaginary ? tr("imaginary") : tr("real");
      f_.text(x, y, word, font, Role::Ink2, 1e9f, Anchor::End);
      x -= text_width(font, word) + f_.px(26);
      stem(x + f_.px(9), y + f_.px(5), y - f_.px(5), imaginary);
      x -= f_.px(8);
    }
  }

  void stem(float x, float from, float to, bool imaginary) {
    const float r = f_.px(2.6f);
    if (imaginary) {
      f_.scene.line({x, from}, {x, to}, {Role::Done, f_.px(1.2f), f_.px(3), f_.px(2)});
      f_.scene.rect({x - r, to - r, 2 * r, 2 * r}, Role::Canvas, {Role::Ink2, f_.px(1.2f)});
    } else {
      f_.scene.line({x, from}, {x, to}, {Role::Done, f_.px(1.5f)});
      f_.scene.circle({x, to}, r, Role::Ink2);
    }
  }

  void draw_signal(int buffer, const Box& box) {
    const BufferInfo& info = f_.info.buffers[buffer];
    const Series real(f_.document, buffer, 0, -1, NumberPart::Real),
        imaginary(f_.document, buffer, 0, -1, NumberPart::Imaginary);
    if (!real.ready() || !imaginary.ready()) return;
    Extent extent = real.all();
    const Extent other = imaginary.all();
    const bool both = complex(buffer) && other.known && (other.low != 0 || other.high != 0);
    if (both) extent.take(other);
    const double rate = rate_of(f_.info);
    const std::string name = traits(f_.info.expect.transform).inverse ? tr("Spectrum") : tr("Signal");
    title(box, name,
          {tr("{}[{}], {}: what went in", info.name, info.count, f_.info.signal),
           fmt::format("{}[{}]", info.name, info.count)});
    const AxisRange range = axis_range(extent);
    Plot plot(f_, space_, inside(box), info.count, range.low, range.high);
    plot.value_axis(f_.px(spectrum_axis_width - 10), "", !traits(info.type).floating);
    plot.index_axis(0, rate > 0 ? 1 / rate : 1, rate > 0 ? tr("seconds") : tr("j, samples"));
    f_.scene.push_clip({plot.box().x, plot.box().y - f_.px(6), plot.box().w, plot.box().h + f_.px(12)});
    curve(plot, real, false, buffer, -1);
    if (both) curve(plot, imaginary, true, buffer, -1);
    f_.scene.pop_clip();
    if (both && plot.single() && box.w > f_.px(560)) key(box);
  }

  void curve(Plot& plot, const Series& series, bool imaginary, int buffer, int segment) {
    const float zero = plot.y(0);
    const BufferInfo& info = f_.info.buffers[buffer];
    Extent before;
    plot.for_columns([&](const Plot::Column& column) {
      Extent extent = series.over(column.first, column.end);
      if (!extent.known) {
        before = {};
        return;
      }
      if (plot.single()) {
        f_.scene.begin_mark(element_mark(buffer, segment, column.first),
                            fmt::format("{}[{}]", info.name, column.first));
        stem(column.x + column.width / 2, zero, plot.y(double(extent.low)), imaginary);
        lit(plot, column, buffer);
        f_.scene.end_mark();
        return;
      }
      // A column reaches to its neighbour, so that the samples make one line.
      const Extent own = extent;
      if (before.known) extent.take(std::clamp(own.low, before.low, before.high));
      before = own;
      envelope(column, plot.y(double(extent.high)), plot.y(double(extent.low)), imaginary ? Role::Future : Role::Done);
    });
  }

  void envelope(const Plot::Column& column, float top, float bottom, Role role) {
    const float least = f_.px(1.2f);
    f_.scene.rect(
        {column.x, std::min(top, bottom - least), std::max(column.width, 1.0f), std::max(bottom - top, least)}, role);
  }

  void lit(const Plot& plot, const Plot::Column& column, int buffer) {
    const Box box{column.x, plot.box().y, column.width, plot.box().h};
    f_.scene.rect(box, Role::None);
    f_.outline(box, f_.px(2), f_.lit_element(buffer, column.first));
  }

  /// Whether the output holds the transform now; else it is on its way there.
  bool finished(int buffer) const {
    for (int s = static_cast<int>(f_.info.segments.size()) - 1; s >= 0; --s)
      if (f_.info.segments[s].write_buffer == buffer || f_.info.segments[s].write_buffer < 0) return f_.past(s);
    return true;
  }

  /// Of a whole spectrum the upper half are negative frequencies, which their bins alone do not say.
  static void frequency_axis(Plot& plot, double each, bool hertz, std::uint64_t whole) {
    const std::string unit = whole > 2 ? hertz ? tr("hertz; in brackets the negative frequency")
                                               : tr("k, cycles in the signal; in brackets k − {}, its frequency", whole)
                             : hertz ? tr("hertz")
                                       : tr("k, cycles in the signal");
    plot.index_axis(0, each, unit, 0, whole > 2 ? whole : 0);
  }

  void draw_spectrum(int buffer, const Box& box) {
    const BufferInfo& info = f_.info.buffers[buffer];
    const Series series = Series::at_cursor(f_.document, buffer, 0, NumberPart::Magnitude);
    const bool inverse = traits(f_.info.expect.transform).inverse;
    const bool done = finished(buffer);
    const std::string where = f_.step == 0 ? tr("before the first step") : done ? tr("done") : tr("current state");
    // What the buffer holds on the way there is not the transform yet.
    const std::string symbol = inverse ? "|x[j]|" : "|X[k]|",
                      own = fmt::format("|{}[{}]|", info.name, inverse ? "j" : "k");
    title(box, done ? (inverse ? tr("Signal") : tr("Spectrum")) : tr("On its way"),
          {fmt::format("{}{}{}{}{}", done && own != symbol ? symbol + " = " : "", own,
                       f_.input.log_scale ? tr(", in decibels below the largest") : "", tr(", "), where),
           fmt::format("|{}|{}{}", info.name, tr(", "), where)});
    if (!series.ready()) return;
    const Extent extent = series.all();
    const double largest = extent.known && extent.high > 0 ? double(extent.high) : 1;
    const auto decibels = [&](double m) {
      return m > 0 ? std::max(spectrum_quietest, 20 * std::log10(m / largest)) : spectrum_quietest;
    };
    const bool log = f_.input.log_scale;
    const AxisRange range = log ? AxisRange{spectrum_quietest, 4} : axis_range(extent);
    Plot plot(f_, space_, inside(box), info.count, range.low, range.high);
    if (extent.known)
      plot.value_axis(f_.px(spectrum_axis_width - 10), log ? " dB" : "");
    else
      plot.base_line();
    const double rate = rate_of(f_.info),
                 points = double(f_.info.expect.points > 0 ? f_.info.expect.points : info.count);
    if (inverse)
      plot.index_axis(0, 1, tr("j, samples"));
    else
      frequency_axis(plot, rate > 0 ? rate / points : 1, rate > 0, double(info.count) == points ? info.count : 0);
    if (!extent.known) f_.note(plot.box(), tr("not written yet"));
    const float floor = plot.y(log ? spectrum_quietest : 0);
    f_.scene.push_clip({plot.box().x, plot.box().y - f_.px(8), plot.box().w, plot.box().h + f_.px(12)});
    plot.for_columns([&](const Plot::Column& column) {
      const Extent part = series.over(column.first, column.end);
      if (!part.known) return;
      const float high = plot.y(log ? decibels(double(part.high)) : double(part.high));
      if (!plot.single()) {
        envelope(column, high, floor, done ? Role::Done : Role::Future);
        return;
      }
      f_.scene.begin_mark(element_mark(buffer, f_.segment, column.first),
                          fmt::format("|{}[{}]| = {:.6g}", info.name, column.first, double(part.high)));
      const float width = std::min(column.width * 0.62f, f_.px(26)), middle = column.x + column.width / 2;
      const Box bar{middle - width / 2, std::min(high, floor - f_.px(1.5f)), width,
                    std::max(floor - high, f_.px(1.5f))};
      if (f_.writes_now(buffer, column.first))
        f_.scene.rect(bar, Role::Now, {Role::Ink, f_.px(2)});
      else
        f_.scene.rect(bar, done ? Role::Done : Role::DoneSoft, {Role::Done, f_.thin()});
      lit(plot, column, buffer);
      f_.scene.end_mark();
    });
    f_.scene.pop_clip();
  }
};

class SpectrumView : public FramedView<SpectrumFrame> {
 public:
  SpectrumView()
      : FramedView("spectrum", translatable("Spectrum"), "the signal over time, its transform over frequency") {}
  std::string title(const TraceInfo& info) const override {
    return one_dimensional(info.expect.transform) ? tr("Spectrum") : tr("Signal");
  }
  bool has(Document& document) const override {
    const TraceInfo& info = document.info();
    const int input = info.buffer_named(info.expect.input);
    return input >= 0 && !traits(info.expect.transform).plane && info.buffers[input].count > 0;
  }
  PictureSize picture_size(Document&, float min_width) const override { return {std::max(min_width, 860.0f), 420}; }

 protected:
  ViewSpace space(const DiagramInput& input) const override {
    const TraceInfo& info = input.document.info();
    const auto buffer = static_cast<std::size_t>(std::max(0, info.buffer_named(info.expect.input)));
    return plot_space(input, spectrum_axis_width, info.buffers[buffer].count, 24);
  }
  std::optional<Box> place(const DiagramInput& input, const Operation& operation) const override {
    if (operation.writes.empty() || operation.writes[0].buffer < 0) return {};
    const TraceInfo& info = input.document.info();
    const auto count = double(info.buffers[operation.writes[0].buffer].count);
    std::uint64_t first = operation.writes[0].index, last = first;
    for (const Access& write : operation.writes)
      first = std::min(first, write.index), last = std::max(last, write.index);
    return Box{static_cast<float>(double(first) / count), 0, static_cast<float>(double(last + 1 - first) / count), 1};
  }
};

}  // namespace

std::unique_ptr<const View> spectrum_view() { return std::make_unique<SpectrumView>(); }

}  // namespace twiddle
