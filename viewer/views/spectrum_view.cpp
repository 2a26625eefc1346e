// The input signal and the result: values over time, magnitudes over frequency, with their units.
#include "base/message.h"
#include "tracer/trace/memory/pairs.h"
#include "viewer/views/chain_picture.h"
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

/// The bin that is pointed at, else pinned, else the largest.
std::uint64_t chain_bin(Document& document, const Linked& hover, const Linked& pinned, int output) {
  const TraceInfo& info = document.info();
  const std::uint64_t count = info.buffers[static_cast<std::size_t>(output)].count;
  for (const Linked* linked : {&hover, &pinned})
    if (linked->buffer == output && linked->index && *linked->index < count) return *linked->index;
  const std::vector<std::complex<double>> values =
      numbers_of(document, output, static_cast<int>(info.segments.size()) - 1);
  std::uint64_t largest = 0;
  for (std::uint64_t k = 0; k < values.size(); ++k)
    if (std::abs(values[k]) > std::abs(values[largest]) * (1 + 1e-6)) largest = k;
  return largest;
}

/// Whether the log explains an output of a document as a sum of its inputs. Asked once, of the largest.
bool has_chain(Document& document, int output) {
  struct Kept {
    int output = -1;
    bool has = false;
  };
  Kept& kept = document.kept<Kept>();
  if (kept.output != output)
    kept = {output, phasor_chain_of(document, output, chain_bin(document, {}, {}, output)) != nullptr};
  return kept.has;
}

/// Room at the right for the chain of a bin, px; 0 where there is none.
float chain_room(const DiagramInput& input) {
  const TraceInfo& info = input.document.info();
  const float k = view_scale(input);
  const auto [in, out, plain] = expected_buffers(info);
  const bool small = out >= 0 && info.buffers[static_cast<std::size_t>(out)].count <= PhasorChain::max_points;
  if (!small || input.small || !one_dimensional(info.expect.transform) || !plain) return 0;
  if (input.width < 720 * k || input.height < 300 * k || !has_chain(input.document, out)) return 0;
  return std::clamp(input.width * 0.36f, 270 * k, 420 * k);
}

class SpectrumFrame {
 public:
  SpectrumFrame(const DiagramInput& input, Scene& scene, const ViewSpace& space) : f_(input, scene), space_(space) {}

  void draw() {
    const TraceInfo& info = f_.info;
    f_.scene.title = tr("Signal and spectrum of {}", title_of(info));
    const auto [whole, out, plain] = expected_buffers(info);
    // Dragged are the real parts.
    const int in = f_.input.live ? info.buffer_named(info.expect.input) : whole;
    const float each = space_.body.h / (two() ? 2 : 1);
    const float width = f_.scene.width - chain_room(f_.input);
    if (in >= 0) draw_signal(in, {0, space_.body.y, width, each});
    if (two()) draw_spectrum(out, {0, space_.body.y + each, width, each});
    if (out >= 0 && chain_room(f_.input) > 0) draw_chain_of(out);
  }

  /// The sample in whose column a point is, in the plot of the signal.
  std::optional<std::uint64_t> sample_at(Point p) const {
    const Box box = inside({0, space_.body.y, f_.input.width, space_.body.h / (two() ? 2 : 1)});
    if (samples_.empty() || !box.contains(p)) return {};
    const auto count = double(samples_.size());
    return static_cast<std::uint64_t>(std::clamp(std::floor(space_.u(p.x) * count), 0.0, count - 1));
  }

  /// The value that a sample's handle would have at a point.
  double value_at(Point p) const {
    const Box box = inside({0, space_.body.y, f_.input.width, space_.body.h / (two() ? 2 : 1)});
    const LiveAxis axis = live_axis(samples_, f_.input.live);
    const double t = std::clamp(double((box.bottom() - p.y) / std::max(1.0f, box.h)), 0.0, 1.0);
    return axis.low + t * (axis.high - axis.low);
  }

 private:
  ViewFrame f_;
  const ViewSpace& space_;
  const std::vector<std::complex<double>> samples_ = samples_at_hand(f_.document, f_.input.live);

  bool two() const { return expected_buffers(f_.info).output >= 0 && one_dimensional(f_.info.expect.transform); }
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
    const double rate = sample_rate_of(f_.info);
    const std::string name = traits(f_.info.expect.transform).inverse ? tr("Spectrum") : tr("Signal");
    title(box, name,
          {tr("{}[{}], {}: what went in", info.name, info.count, signal_name(f_.info.signal)),
           fmt::format("{}[{}]", info.name, info.count)});
    AxisRange range = axis_range(extent);
    if (handles(buffer)) {
      const LiveAxis axis = live_axis(samples_, f_.input.live);
      range = {axis.low, axis.high};
      if (both) range = {std::min(range.low, double(other.low)), std::max(range.high, double(other.high))};
    }
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
      const bool in_hand = !imaginary && segment < 0 && handles(buffer);
      Extent extent = in_hand ? samples_over(column.first, column.end) : series.over(column.first, column.end);
      if (!extent.known) {
        before = {};
        return;
      }
      if (plot.single()) {
        f_.scene.begin_mark(in_hand ? sample_mark(buffer, column.first) : element_mark(buffer, segment, column.first),
                            fmt::format("{}[{}]", info.name, column.first));
        if (in_hand)
          handle(plot, column);
        else
          stem(column.x + column.width / 2, zero, plot.y(double(extent.low)), imaginary);
        lit(plot, column, buffer);
        f_.scene.end_mark();
        return;
      }
      // A column reaches to its neighbour, so that the samples make one line.
      const Extent own = extent;
      if (before.known) extent.take(std::clamp(own.low, before.low, before.high));
      before = own;
      // What the hand changed is yellow here, too.
      bool now = false;
      for (std::uint64_t j = column.first; in_hand && !now && j < column.end; ++j)
        now = f_.input.live->changed(samples_, j);
      if (now)
        envelope({column.x - f_.px(1.5f), column.width + f_.px(3), column.first, column.end},
                 plot.y(double(extent.high)) - f_.px(2), plot.y(double(extent.low)) + f_.px(2), Role::Now);
      f_.scene.set_layer(layer::future);  // over its neighbours' yellow
      envelope(column, plot.y(double(extent.high)), plot.y(double(extent.low)), imaginary ? Role::Future : Role::Done);
      f_.scene.set_layer(layer::tone);
    });
  }

  /// Whether the samples can be dragged here.
  bool handles(int buffer) const {
    return f_.input.live && f_.input.live->possible && buffer == live_buffer(f_.info) && !samples_.empty();
  }

  Extent samples_over(std::uint64_t first, std::uint64_t end) const {
    Extent extent;
    for (std::uint64_t j = first; j < std::min<std::uint64_t>(end, samples_.size()); ++j)
      extent.take(static_cast<float>(samples_[j].real()));
    return extent;
  }

  void handle(const Plot& plot, const Plot::Column& column) {
    const LiveSignal& live = *f_.input.live;
    const std::uint64_t j = column.first;
    const bool now = live.changed(samples_, j), held = live.held == j;
    const float x = column.x + column.width / 2, zero = plot.y(0), top = plot.y(samples_[j].real());
    const float r = std::min(f_.px(held ? 9.0f : 6.5f), std::max(f_.px(2.6f), column.width * 0.4f));
    if (now) {
      const float old = plot.y(live.before[j].real());
      f_.scene.line({x, old}, {x, top}, {Role::Future, f_.px(1.2f), f_.px(3), f_.px(3)});
      f_.scene.circle({x, old}, r * 0.9f, Role::Canvas, {Role::Done, f_.px(1.5f)});
      f_.scene.line({x, zero}, {x, top}, {Role::Now, f_.px(6)});
    }
    f_.scene.line({x, zero}, {x, top}, {now ? Role::Ink : Role::Done, f_.px(1.5f)});
    f_.scene.circle({x, top}, r, now || held ? Role::Now : Role::Raised, {Role::Ink, f_.px(held ? 2.2f : 1.5f)});
    if (live.focus == j && !held) f_.scene.circle({x, top}, r + f_.px(4), Role::None, {Role::Ink, f_.px(2)});
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

  void draw_chain_of(int output) {
    const float room = chain_room(f_.input);
    const Box box{f_.scene.width - room, space_.body.y + f_.px(6), room - f_.px(16), space_.body.h - f_.px(12)};
    // It is what the output is made of, and so nothing before there is one; but a sum grows term by term.
    if (f_.step < f_.info.steps || f_.info.steps == 0) {
      const std::vector<std::uint64_t> so_far =
          f_.now ? terms_so_far(f_.document, *f_.now) : std::vector<std::uint64_t>{};
      const Access* target = so_far.empty()           ? nullptr
                             : f_.now->writes.empty() ? &f_.now->target
                                                      : f_.now->writes.begin();
      const PhasorChain* chain =
          target && target->buffer == output ? phasor_chain_of(f_.document, output, target->index) : nullptr;
      if (chain)
        draw_chain(f_, box, output, target->index, *chain, &so_far);
      else
        f_.note(box, tr("the chain of a bin: at the end"));
      return;
    }
    const std::uint64_t index = chain_bin(f_.document, f_.hover, f_.pinned, output);
    if (const PhasorChain* chain = phasor_chain_of(f_.document, output, index))
      draw_chain(f_, box, output, index, *chain);
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
    title(box, done ? (inverse ? tr("Signal") : tr("Spectrum")) : tr("In progress"),
          {fmt::format("{}{}{}{}{}", done && own != symbol ? symbol + " = " : "", own,
                       f_.input.log_scale ? tr(", in decibels below the largest") : "", tr(", "), where),
           fmt::format("|{}|{}{}", info.name, tr(", "), where)});
    if (!series.ready()) return;
    // While a sample is dragged, the result alone may be all that is new.
    const LiveSignal* live = f_.input.live;
    const bool in_hand = live && live->result.size() == info.count;
    const auto magnitudes = [&](const std::vector<std::complex<double>>& of, std::uint64_t first, std::uint64_t end) {
      Extent found;
      for (std::uint64_t k = first; k < std::min<std::uint64_t>(end, of.size()); ++k)
        found.take(static_cast<float>(std::abs(of[k])));
      return found;
    };
    const bool has_before = live && !live->before.empty() && live->result_before.size() == info.count && done;
    Extent extent = in_hand ? magnitudes(live->result, 0, info.count) : series.all();
    if (has_before) extent.take(magnitudes(live->result_before, 0, info.count));
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
    const double rate = sample_rate_of(f_.info),
                 points = double(f_.info.expect.points > 0 ? f_.info.expect.points : info.count);
    if (inverse)
      plot.index_axis(0, 1, tr("j, samples"));
    else
      frequency_axis(plot, rate > 0 ? rate / points : 1, rate > 0, double(info.count) == points ? info.count : 0);
    if (!extent.known) f_.note(plot.box(), tr("not written yet"));
    const float floor = plot.y(log ? spectrum_quietest : 0);
    f_.scene.push_clip({plot.box().x, plot.box().y - f_.px(8), plot.box().w, plot.box().h + f_.px(12)});
    plot.for_columns([&](const Plot::Column& column) {
      const Extent part =
          in_hand ? magnitudes(live->result, column.first, column.end) : series.over(column.first, column.end);
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
      const bool other = in_hand && has_before && live->result[column.first] != live->result_before[column.first];
      if (other || f_.writes_now(buffer, column.first))
        f_.scene.rect(bar, Role::Now, {Role::Ink, f_.px(2)});
      else
        f_.scene.rect(bar, done ? Role::Done : Role::DoneSoft, {Role::Done, f_.thin()});
      if (has_before) {
        const Extent old = magnitudes(live->result_before, column.first, column.end);
        const float top = plot.y(log ? decibels(double(old.high)) : double(old.high));
        f_.scene.rect({bar.x, std::min(top, floor - f_.px(1)), bar.w, std::max(floor - top, f_.px(1))}, Role::None,
                      {Role::Ink2, f_.px(1.2f), f_.px(4), f_.px(3)});
      }
      lit(plot, column, buffer);
      f_.scene.end_mark();
    });
    f_.scene.pop_clip();
  }
};

class SpectrumView : public SampledView<SpectrumFrame> {
 public:
  SpectrumView()
      : SampledView("spectrum", translatable("Spectrum"), "the signal over time, its transform over frequency") {}
  std::string title(const TraceInfo& info) const override {
    return one_dimensional(info.expect.transform) ? tr("Spectrum") : tr("Signal");
  }
  bool has(Document& document) const override {
    const TraceInfo& info = document.info();
    const int input = expected_buffers(info).input;
    return input >= 0 && !traits(info.expect.transform).plane && info.buffers[input].count > 0;
  }
  PictureSize picture_size(Document&, float min_width) const override { return {std::max(min_width, 860.0f), 420}; }

 protected:
  ViewSpace space(const DiagramInput& input) const override {
    const TraceInfo& info = input.document.info();
    const auto buffer = static_cast<std::size_t>(std::max(0, expected_buffers(info).input));
    DiagramInput beside_chain = input;
    beside_chain.width -= chain_room(input);
    return plot_space(beside_chain, spectrum_axis_width, info.buffers[buffer].count, 24);
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
