// Samples that are dragged: every value is that of a fresh run with the same signal, bit by bit, and Ctrl+Z leads back.
#include "lessons/pages/lesson_guide.h"
#include "scene_texts.h"
#include "synthetic_trace.h"
#include "traced.h"
#include "tracer/host/host_runtime.h"
#include "tracer/replay/diff.h"
#include "tracer/store/memory_trace.h"
#include "viewer/graphs/phasor_chain.h"
#include "viewer/live/live_run.h"
#include "viewer/panels/panels.h"
#include "viewer/scene/languages.h"
#include "viewer/session/window_content.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/view.h"

#include <doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#if TWIDDLE_HAVE_WINDOW
#include "window_session.h"
#endif

using namespace twiddle;

namespace {

Request request_of(const std::string& algorithm, std::uint64_t n, const std::string& signal) {
  Request request;
  request.algorithm = algorithm, request.n = n, request.signal = signal;
  return request;
}

std::shared_ptr<const TraceSource> host_trace(const Request& request) {
  const std::unique_ptr<Runtime> runtime = open_host_runtime();
  MemoryTrace trace;
  TraceOptions options;
  options.accesses = Accesses::None;
  trace_plan(make_plan(request), *runtime, options, trace);
  return trace.finish();
}

/// A window on a run on the host that can be run again, without a window.
struct LiveWindow {
  Document document;
  WindowOptions options;
  Remembered remembered;
  WindowControl control{document, {}};
  WindowContent content;

  explicit LiveWindow(const Request& request, Guide* guide = nullptr)
      : document(host_trace(request)),
        options(made_of(request, guide)),
        content(
            options, control, remembered, [] {}, [](const std::string&) {}) {
    WindowActions actions;
    content.add_actions(actions);
    control.set_actions(actions);
    content.begin(document);
  }

  Document& shown() { return control.document(); }
  LiveSignal& live() { return control.state().live; }

  /// Where a pixel of the picture is that can be dragged.
  Point pixel(std::uint64_t index) {
    const Scene scene = window_scene(shown(), control.state());
    for (const Shape2D& shape : scene.shapes)
      if (shape.mark >= 0 && is_sample(scene.marks[static_cast<std::size_t>(shape.mark)].mark) &&
          scene.marks[static_cast<std::size_t>(shape.mark)].mark.index == index)
        return bounds(shape).centre();
    FAIL("no pixel ", index);
    return {};
  }
  /// Presses what is at a point of the window, and drags it there.
  void press(Point at) {
    const Scene scene = window_scene(shown(), control.state());
    const std::optional<MarkText> mark = control.under(scene, at);
    REQUIRE(mark);
    from = at;
    control.press(&*mark, at);
  }
  /// Where a slider's knob is at a value.
  Point slider(LiveWave::Slider which, double value) {
    const TraceInfo& info = shown().info();
    const SliderRange range = slider_range(
        which, live_width(info), traits(info.buffers[static_cast<std::size_t>(live_buffer(info))].type).floating);
    const WindowLayout layout = window_layout(control.state());
    const Box track = slider_track(layout.signal.w, layout.scale, which);
    return {layout.signal.x + track.x + track.w * static_cast<float>((value - range.low) / (range.high - range.low)),
            layout.signal.y + track.y};
  }
  /// While samples are in hand whose operations are not logged: the result is a fresh run's, bit by bit.
  void check_result(const Request& request) {
    REQUIRE_FALSE(live().result.empty());
    LivePlan plan(request, shown().info().expect.input);
    CHECK(numbers_in(plan.plan(), plan.result(live().samples), plan.plan().expect.output) == live().result);
  }

  /// Where a sample's handle is.
  Point handle(std::uint64_t sample) {
    const Scene scene = window_scene(shown(), control.state());
    for (const Shape2D& shape : scene.shapes)
      if (shape.mark >= 0 && std::holds_alternative<CircleShape>(shape.geometry) &&
          is_sample(scene.marks[static_cast<std::size_t>(shape.mark)].mark) &&
          scene.marks[static_cast<std::size_t>(shape.mark)].mark.index == sample)
        return bounds(shape).centre();
    FAIL("no handle of sample ", sample);
    return {};
  }
  void take_hold(std::uint64_t sample) {
    from = handle(sample);
    const Scene scene = window_scene(shown(), control.state());
    const std::optional<MarkText> mark = control.under(scene, from);
    REQUIRE(mark);
    REQUIRE(is_sample(mark->mark));
    control.press(&*mark, from);
  }
  void drag(Point by) { control.drag({from.x + by.x, from.y + by.y}); }
  void let_go() {
    control.release(from);
    settle();
  }
  /// Until nothing is under way.
  void settle() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (std::chrono::steady_clock::now() < end) {
      content.poll();
      if (!content.busy()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    FAIL("it does not end");
  }
  /// The shown run is, operation by operation, a fresh one with the samples at hand.
  void check_fresh(const Request& request) {
    const std::filesystem::path file = folder / ("fresh-" + std::to_string(++files) + ".csv");
    std::ofstream(file) << samples_csv(samples_at_hand(shown(), &live()));
    Request fresh = request;
    fresh.signal = file.string();
    const std::shared_ptr<const TraceSource> other = host_trace(fresh);
    const TraceDiff diff = diff_traces(shown().trace, other);
    CHECK(diff.same());
    CHECK(diff.compared == other->info().steps);
    Document there(other);
    for (int b = 0; b < static_cast<int>(other->info().buffers.size()); ++b)
      if (other->info().buffers[static_cast<std::size_t>(b)].space == Space::Global)
        CHECK(shown().replay->state_after(static_cast<int>(other->info().segments.size()) - 1)->bytes(b) ==
              there.replay->state_after(static_cast<int>(other->info().segments.size()) - 1)->bytes(b));
  }

  Point from;
  synthetic::Folder folder;
  int files = 0;

 private:
  static WindowOptions made_of(const Request& request, Guide* guide) {
    WindowOptions options;
    options.guide = guide;
    options.request = request;
    options.runtime = "host";
    options.devices = [] { return DeviceList{}; };
    options.run = [](const Request& asked, const std::string&, int, const Progress&) {
      return WindowOptions::Made{host_trace(asked), {}};
    };
    return options;
  }
};

}  // namespace

TEST_CASE(
    "a dragged sample changes what follows from it, bit by bit, and nothing else; Ctrl+Z gives the first trace again") {
  struct Subject {
    const char* algorithm;
    std::uint64_t n;
    const char* signal;
    const char* view;
  };
  constexpr std::array subjects = {
      Subject{"fft-radix2", 8, "cosine:1", "live"},     Subject{"fft-radix2", 64, "random:1", "live"},
      Subject{"fft-stockham2", 16, "ramp", "spectrum"}, Subject{"fft-radix2-local", 16, "ramp", "live"},
      Subject{"reduce-sequential", 16, "ramp", "live"}, Subject{"histogram-local", 32, "random:1", "live"},
      Subject{"scan-blelloch", 8, "ramp", "live"}};
  for (const Subject& subject : subjects) {
    CAPTURE(subject.algorithm);
    CAPTURE(subject.n);
    const Request request = request_of(subject.algorithm, subject.n, subject.signal);
    LiveWindow window(request);
    window.control.state().tab = subject.view;
    REQUIRE(window.live().possible);
    const std::shared_ptr<const TraceSource> first = window.shown().trace;
    const std::vector<std::complex<double>> samples = samples_at_hand(window.shown(), nullptr);
    window.take_hold(3);
    CHECK(window.control.state().cursor.step == first->info().steps);
    std::uint64_t runs = 0;
    for (const float by : {9.0f, 17.0f, 25.0f}) {
      window.drag({by, -by});
      window.settle();
      if (window.shown().trace != first) ++runs;
      CHECK(window.live().held == 3);
      CHECK(samples_at_hand(window.shown(), nullptr) == window.live().samples);
      window.check_fresh(request);
    }
    CHECK(runs > 0);
    REQUIRE(window.live().changes);
    const int input = live_buffer(first->info());
    CHECK(window.live().changes->count(input, -1) == 1);
    window.let_go();
    window.check_fresh(request);
    CHECK(window.live().changes);
    // The mark of what changed is what the two traces say.
    Document before(first);
    std::uint64_t changed = 0;
    for (std::uint64_t step = 1; step <= first->info().steps; ++step) {
      const Operation was = before.replay->operation(step), is = window.shown().replay->operation(step);
      bool same = was.writes.size() == is.writes.size() && was.reads.size() == is.reads.size();
      for (int w = 0; same && w < was.writes.size(); ++w)
        same = was.writes[w].index == is.writes[w].index && was.writes[w].value == is.writes[w].value;
      for (int r = 0; same && r < was.reads.size(); ++r)
        same = was.reads[r].index == is.reads[r].index && was.reads[r].value == is.reads[r].value;
      CHECK(window.live().changes->step(step) == !same);
      changed += same ? 0 : 1;
    }
    CHECK(window.live().changes->steps() == changed);
    window.control.key({"Z", true});
    window.settle();
    CHECK(window.shown().trace == first);
    CHECK(samples_at_hand(window.shown(), &window.live()) == samples);
    CHECK_FALSE(window.live().changes);
  }
}

TEST_CASE("of eight points one sample reaches one, two, four and eight elements") {
  LiveWindow window(request_of("fft-radix2", 8, "ramp"));
  window.control.state().tab = "live";
  window.take_hold(3);
  window.drag({-20, 0});
  window.settle();
  REQUIRE(window.live().changes);
  const TraceInfo& info = window.shown().info();
  for (int s = 0; s < 4; ++s) {
    const int buffer = info.buffer_named(s == 0 ? info.expect.input : info.expect.output);
    CHECK(window.live().changes->count(buffer, s) == std::uint64_t(1) << s);
  }
}

TEST_CASE("sliders shape the signal as one wave; what the hand did stays, and Ctrl+Z puts it back") {
  struct Subject {
    const char* algorithm;
    const char* signal;
  };
  for (const Subject& subject :
       {Subject{"fft-radix2", "cosine:1"}, {"fft-stockham2", "random:1"}, {"reduce-sequential", "ramp"}}) {
    CAPTURE(subject.algorithm);
    const Request request = request_of(subject.algorithm, 8, subject.signal);
    LiveWindow window(request);
    window.control.resize(1440, 900);
    window.control.state().tab = "live";
    const std::shared_ptr<const TraceSource> first = window.shown().trace;
    const std::vector<std::complex<double>> before = samples_at_hand(window.shown(), nullptr);
    const bool floating =
        traits(first->info().buffers[static_cast<std::size_t>(live_buffer(first->info()))].type).floating;
    const LiveWave wave = wave_of(subject.signal);
    CHECK(wave.values[LiveWave::Amplitude] == (std::string(subject.signal) == "cosine:1" ? 1 : 0));
    const SliderRange range = slider_range(LiveWave::Amplitude, 8, floating);
    const auto at = [&](double value) {
      const WindowLayout layout = window_layout(window.control.state());
      const Box track = slider_track(layout.signal.w, layout.scale, LiveWave::Amplitude);
      return Point{
          layout.signal.x + track.x + track.w * static_cast<float>((value - range.low) / (range.high - range.low)),
          layout.signal.y + track.y};
    };
    // Hold the knob where it is: nothing changes; then drag it.
    const Point knob = at(wave.values[LiveWave::Amplitude]);
    const Scene scene = window_scene(window.shown(), window.control.state());
    const std::optional<MarkText> mark = window.control.under(scene, knob);
    REQUIRE(mark);
    REQUIRE(mark->mark.command == name_of(Command::SetSlider));
    CHECK(text_faults(scene).empty());
    window.control.press(&*mark, knob);
    CHECK(window.live().samples == before);
    const double to = floating ? 1.5 : 30;
    window.control.drag(at(to));
    window.settle();
    CHECK(window.shown().trace != first);
    const double grown = to - wave.values[LiveWave::Amplitude];
    for (std::size_t j = 0; j < before.size(); ++j) {
      const double wanted = before[j].real() + grown * std::cos(2 * 3.14159265358979 * double(j) / 8);
      CHECK(window.live().samples[j].real() == doctest::Approx(floating ? wanted : std::round(wanted)).epsilon(1e-6));
      CHECK(window.live().samples[j].imag() == before[j].imag());
    }
    window.check_fresh(request);
    window.control.release(at(to));
    window.settle();
    window.check_fresh(request);
    REQUIRE(window.live().wave);
    CHECK(window.live().wave->values[LiveWave::Amplitude] == doctest::Approx(to));
    // Another shape, and by keys.
    window.control.command(Command::SetShape, static_cast<std::uint64_t>(LiveWave::Shape::Square));
    window.settle();
    window.check_fresh(request);
    window.control.state().focus =
        Mark{.kind = MarkKind::Command, .index = LiveWave::Noise, .command = std::string(name_of(Command::SetSlider))};
    window.control.key({"Right"});
    window.settle();
    CHECK(window.live().wave->values[LiveWave::Noise] > 0);
    window.check_fresh(request);
    window.control.state().focus.reset();
    for (int undone = 0; undone < 3; ++undone) {
      window.control.key({"Z", true});
      window.settle();
    }
    CHECK(window.shown().trace == first);
    CHECK(samples_at_hand(window.shown(), &window.live()) == before);
    CHECK(window.live().wave.value_or(wave) == wave);
  }
}

TEST_CASE("a slider that moves no sample stays where it was put, and a dragged sample moves no slider") {
  LiveWindow window(request_of("fft-radix2", 8, "random:1"));
  window.control.resize(1440, 900);
  window.control.state().tab = "live";
  const std::shared_ptr<const TraceSource> first = window.shown().trace;
  window.control.state().focus =
      Mark{.kind = MarkKind::Command, .index = LiveWave::Phase, .command = std::string(name_of(Command::SetSlider))};
  window.control.key({"Right"});
  window.settle();
  CHECK(window.shown().trace == first);
  REQUIRE(window.live().wave);
  CHECK(window.live().wave->values[LiveWave::Phase] > wave_of("random:1").values[LiveWave::Phase]);

  LiveWindow other(request_of("fft-radix2", 8, "cosine:1"));
  other.control.state().tab = "live";
  other.take_hold(2);
  other.drag({13, 0});
  other.let_go();
  REQUIRE(other.live().wave);
  CHECK(other.live().wave->values[LiveWave::Amplitude] == 1);
}

TEST_CASE("no text of the sliders is cut or laid over another, in any language, size and theme") {
  LiveWindow window(request_of("fft-radix2", 16, "cosine:3"));
  window.control.state().tab = "live";
  struct Size {
    float width, height;
  };
  for (const Language language : {Language::English, Language::Japanese, Language::Chinese}) {
    use_language(language);
    window.control.state().language = language;
    for (const Size& size : {Size{1024, 720}, Size{1280, 720}, Size{1440, 900}, Size{1920, 1080}, Size{3840, 2160}})
      for (const ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Projector}) {
        CAPTURE(size.width);
        window.control.resize(size.width, size.height);
        window.control.state().theme = name;
        for (const std::string& fault : text_faults(window_scene(window.shown(), window.control.state()))) {
          CAPTURE(fault);
          CHECK(fault.empty());
        }
      }
  }
  use_language(Language::English);
}

TEST_CASE("Shift snaps to tenths, arrows move by a tenth, and a sample that is put back where it was changes nothing") {
  LiveWindow window(request_of("fft-radix2", 8, "cosine:1"));
  window.control.state().tab = "live";
  const std::shared_ptr<const TraceSource> first = window.shown().trace;
  window.control.hold_shift(true);
  window.take_hold(2);
  window.drag({13, 0});
  const double tenths = window.live().samples[2].real() * 10;
  CHECK(std::abs(tenths - std::round(tenths)) < 1e-5);
  window.let_go();
  const double value = samples_at_hand(window.shown(), nullptr)[2].real();
  REQUIRE(window.live().focus == 2);
  window.control.key({"Up"});
  window.settle();
  CHECK(std::abs(samples_at_hand(window.shown(), nullptr)[2].real() - value - 0.1) < 1e-6);
  window.control.key({"Left"});
  window.settle();
  CHECK(std::abs(samples_at_hand(window.shown(), nullptr)[2].real() - value) < 1e-6);
  for (int undo = 0; undo < 3; ++undo) window.control.key({"Z", true}), window.settle();
  CHECK(window.shown().trace == first);
  window.control.key({"Z", true});
  CHECK(window.control.state().message == "There is nothing to put back.");
  window.control.key({"Escape"});
  CHECK_FALSE(window.live().focus);
  // A press that moves nothing is no change.
  window.take_hold(5);
  window.let_go();
  CHECK(window.shown().trace == first);
  CHECK(window.live().samples.empty());
}

TEST_CASE("of many samples the result alone follows the pointer, and the trace comes when it is let go") {
  const Request request = request_of("fft-radix2", 128, "cosine:3");
  LiveWindow window(request);
  window.control.state().tab = "spectrum";
  window.control.resize(2400, 900);
  const std::shared_ptr<const TraceSource> first = window.shown().trace;
  window.take_hold(7);
  window.drag({0, -30});
  window.settle();
  CHECK(window.shown().trace == first);
  const std::vector<std::complex<double>> result = window.live().result;
  REQUIRE(result.size() == 128);
  window.let_go();
  CHECK(window.shown().trace != first);
  const TraceInfo& info = window.shown().info();
  CHECK(numbers_of(window.shown(), info.buffer_named(info.expect.output), static_cast<int>(info.segments.size()) - 1) ==
        result);
  window.check_fresh(request);
}

TEST_CASE("without a run there is nothing to drag, and the window says so") {
  Document document(host_trace(request_of("fft-radix2", 8, "ramp")));
  WindowControl control(document, {});
  control.state().tab = "live";
  const Scene scene = window_scene(document, control.state());
  for (const MarkText& mark : scene.marks)
    if (is_sample(mark.mark)) {
      control.press(&mark, {400, 300});
      control.drag({430, 300});
      control.release({430, 300});
      break;
    }
  CHECK(control.state().message.find("stays as it is") != std::string::npos);
  CHECK(control.state().live.samples.empty());
}

TEST_CASE("an output is the sum of its chain, at the inputs and after every stage") {
  struct Subject {
    const char* algorithm;
    std::uint64_t n;
    std::size_t levels;
  };
  constexpr std::array subjects = {Subject{"fft-radix2", 8, 4}, Subject{"fft-stockham2", 16, 5},
                                   Subject{"fft-radix4", 16, 3}, Subject{"fft-radix2-single", 16, 5}};
  for (const Subject& subject : subjects) {
    CAPTURE(subject.algorithm);
    Document document(host_trace(request_of(subject.algorithm, subject.n, "random:3")));
    const TraceInfo& info = document.info();
    const int output = info.buffer_named(info.expect.output), input = info.buffer_named(info.expect.input);
    const std::vector<std::complex<double>> x = numbers_of(document, input, -1);
    const std::vector<std::complex<double>> bins =
        numbers_of(document, output, static_cast<int>(info.segments.size()) - 1);
    for (std::uint64_t k = 0; k < subject.n; ++k) {
      const std::optional<PhasorChain> chain = phasor_chain(document, output, k);
      REQUIRE(chain);
      CHECK(chain->levels.size() == subject.levels);
      CHECK(chain->levels.front().vectors.size() == subject.n);
      CHECK(chain->levels.back().vectors.size() == 1);
      for (const ChainLevel& level : chain->levels) {
        std::complex<double> sum = 0;
        for (const ChainVector& vector : level.vectors) sum += vector.value;
        CHECK(std::abs(sum - bins[k]) < 1e-5);
      }
      for (const ChainVector& vector : chain->levels.front().vectors) {
        const double angle =
            -2 * 3.14159265358979 * static_cast<double>(vector.index * k) / static_cast<double>(subject.n);
        CHECK(std::abs(vector.value - x[vector.index] * std::polar(1.0, angle)) < 1e-5);
      }
    }
  }
  // A packed transform of reals is no sum of its inputs times factors.
  Document packed(host_trace(request_of("fft-real", 16, "ramp")));
  CHECK_FALSE(phasor_chain(packed, packed.info().buffer_named(packed.info().expect.output), 1));
}

TEST_CASE("in the spectrum 4096 samples have sliders and are drawn by hand, and the picture follows") {
  const Request request = request_of("fft-radix2", 4096, "cosine:3");
  LiveWindow window(request);
  window.control.resize(1440, 900);
  window.control.state().tab = "spectrum";
  REQUIRE(window.live().possible);
  const std::shared_ptr<const TraceSource> first = window.shown().trace;
  const std::vector<std::complex<double>> before = samples_at_hand(window.shown(), nullptr);
  CHECK(text_faults(window_scene(window.shown(), window.control.state())).empty());

  // A slider.
  window.press(window.slider(LiveWave::Turns, 3));
  REQUIRE(window.live().held == LiveSignal::all_held);
  for (const double turns : {40.0, 700.0}) {
    window.control.drag(window.slider(LiveWave::Turns, turns));
    window.settle();
    CHECK(window.shown().trace == first);  // the result alone is new
    window.check_result(request);
    CHECK(std::abs(window.live().wave->values[LiveWave::Turns] - turns) < 4);
    const auto largest = std::max_element(window.live().result.begin(), window.live().result.begin() + 2048,
                                          [](const auto& a, const auto& b) { return std::abs(a) < std::abs(b); });
    CHECK(std::abs(double(largest - window.live().result.begin()) - window.live().wave->values[LiveWave::Turns]) <= 1);
  }
  window.let_go();
  CHECK(window.shown().trace != first);
  window.check_fresh(request);
  const std::shared_ptr<const TraceSource> second = window.shown().trace;

  // By hand: all samples that the pointer goes over, and none beside.
  window.control.command(Command::DrawSignal);
  REQUIRE(window.live().drawing);
  const std::vector<std::complex<double>> waved = samples_at_hand(window.shown(), nullptr);
  const WindowLayout layout = window_layout(window.control.state());
  const Point left{layout.diagram.x + layout.diagram.w * 0.3f, layout.diagram.y + layout.diagram.h * 0.2f},
      right{layout.diagram.x + layout.diagram.w * 0.5f, layout.diagram.y + layout.diagram.h * 0.35f};
  window.press(left);
  window.control.drag(right);
  window.settle();
  window.check_result(request);
  std::size_t changed = 0, begin = waved.size(), end = 0;
  for (std::size_t j = 0; j < waved.size(); ++j)
    if (window.live().samples[j] != waved[j]) ++changed, begin = std::min(begin, j), end = std::max(end, j + 1);
  CHECK(changed > 500);
  CHECK(changed + 8 >= end - begin);  // a sample that was there already
  const auto& drawn = window.live().samples;
  for (std::size_t j = begin + 1; j + 1 < end; ++j) REQUIRE(drawn[j].real() < drawn[j - 1].real());  // a line down
  window.let_go();
  window.check_fresh(request);
  CHECK(window.live().drawing);
  for (const auto& trace : {second, first}) {
    window.control.key({"Z", true});
    window.settle();
    CHECK(window.shown().trace == trace);
  }
  CHECK(samples_at_hand(window.shown(), &window.live()) == before);
}

TEST_CASE("a signal is drawn by hand over the handles of the view Live, too") {
  const Request request = request_of("fft-radix2", 16, "cosine:1");
  LiveWindow window(request);
  window.control.resize(1440, 900);
  window.control.state().tab = "live";
  const Point top = window.handle(2), bottom = window.handle(9);
  window.control.command(Command::DrawSignal);
  window.press(top);
  window.control.drag(bottom);
  window.settle();
  for (std::size_t j = 3; j <= 9; ++j)
    CHECK(window.live().samples[j].real() ==
          doctest::Approx(window.live().samples[2].real() +
                          (window.live().samples[9].real() - window.live().samples[2].real()) * double(j - 2) / 7)
              .epsilon(1e-4));
  window.check_fresh(request);
  window.let_go();
  window.check_fresh(request);
}

TEST_CASE("the pixels of a small picture are dragged and painted, and the transform follows") {
  struct Subject {
    std::uint64_t side;
    const char* method;
  };
  for (const Subject& subject : {Subject{8, "rows-columns"}, {8, "transpose"}, {32, "fused"}}) {
    CAPTURE(subject.side);
    CAPTURE(std::string(subject.method));
    Request request = request_of("fft2d", 0, "cosine:1");
    request.n.reset();
    request.rows = request.columns = subject.side, request.method = subject.method;
    LiveWindow window(request);
    window.control.resize(1440, 900);
    REQUIRE(window.live().possible);
    window.control.state().tab = "matrix";
    const std::shared_ptr<const TraceSource> first = window.shown().trace;
    const std::vector<std::complex<double>> before = samples_at_hand(window.shown(), nullptr);
    const bool logged = before.size() <= LiveSignal::max_traced;
    const auto check = [&] {
      if (logged)
        window.check_fresh(request);
      else
        window.check_result(request);
      CHECK(text_faults(window_scene(window.shown(), window.control.state())).empty());
    };
    // Up is brighter; only this pixel changes.
    const std::uint64_t pixel = 3 * subject.side + 2;
    window.press(window.pixel(pixel));
    REQUIRE(window.live().held == pixel);
    window.drag({0, -60});
    window.settle();
    CHECK(window.live().samples[pixel].real() > before[pixel].real() + 0.1);
    for (std::size_t j = 0; j < before.size(); ++j)
      if (j != pixel) REQUIRE(window.live().samples[j] == before[j]);
    check();
    window.let_go();
    window.check_fresh(request);
    const std::shared_ptr<const TraceSource> second = window.shown().trace;
    // A stroke along a row paints it.
    window.control.command(Command::DrawSignal);
    const Point from = window.pixel(5 * subject.side + 1), to = window.pixel(5 * subject.side + 6);
    const std::vector<std::complex<double>> dragged = samples_at_hand(window.shown(), nullptr);
    window.press(from);
    window.control.drag(to);
    window.settle();
    double brightest = 0;
    for (const auto& x : dragged) brightest = std::max(brightest, std::abs(x.real()));
    for (std::size_t j = 0; j < dragged.size(); ++j) {
      const bool painted = j / subject.side == 5 && j % subject.side >= 1 && j % subject.side <= 6;
      if (painted)
        CHECK(window.live().samples[j].real() == doctest::Approx(brightest));
      else
        REQUIRE(window.live().samples[j] == dragged[j]);
    }
    check();
    window.let_go();
    window.check_fresh(request);
    // A wave along each row.
    window.press(window.slider(LiveWave::Turns, 1));
    window.control.drag(window.slider(LiveWave::Turns, 3));
    window.settle();
    check();
    const auto& waved = window.live().samples;
    CHECK(waved[0].real() == doctest::Approx(waved[subject.side].real()));
    window.let_go();
    window.check_fresh(request);
    for (int undone = 0; undone < 3; ++undone) {
      if (undone == 2) CHECK(window.shown().trace == second);
      window.control.key({"Z", true});
      window.settle();
    }
    CHECK(window.shown().trace == first);
    CHECK(samples_at_hand(window.shown(), &window.live()) == before);
  }
}

TEST_CASE("a picture from a file keeps its sides when its pixels are changed") {
  const synthetic::Folder folder;
  const std::filesystem::path file = folder / "cross.pgm";
  {
    std::ofstream out(file);
    out << "P2\n16 8\n255\n";
    for (int pixel = 0; pixel < 128; ++pixel) out << (pixel / 16 == 4 || pixel % 16 == 8 ? 200 : 10) << "\n";
  }
  Request request = request_of("fft2d", 0, file.string());
  request.n.reset();
  LiveWindow window(request);
  window.control.resize(1440, 900);
  window.control.state().tab = "matrix";
  const std::shared_ptr<const TraceSource> first = window.shown().trace;
  window.press(window.pixel(3 * 16 + 5));
  window.drag({0, -40});
  window.settle();
  window.check_result(request);
  window.let_go();
  CHECK(window.shown().trace != first);
  const TraceInfo& info = window.shown().info();
  CHECK(info.buffers[static_cast<std::size_t>(live_buffer(info))].shape == std::vector<std::uint64_t>{8, 16});
  Request sides = request;
  sides.rows = 8, sides.columns = 16;
  window.check_fresh(sides);
  window.control.key({"Z", true});
  window.settle();
  CHECK(window.shown().trace == first);
}

TEST_CASE("no text of the sliders is cut or laid over another in the spectrum and under a picture, either") {
  Request picture = request_of("fft2d", 0, "cosine:1");
  picture.n.reset();
  for (const Request& request : {request_of("fft-radix2", 256, "cosine:3"), picture}) {
    LiveWindow window(request);
    window.control.state().tab = request.n ? "spectrum" : "matrix";
    window.live().drawing = true;
    struct Size {
      float width, height;
    };
    for (const Language language : {Language::English, Language::Japanese, Language::Chinese}) {
      use_language(language);
      window.control.state().language = language;
      for (const Size& size : {Size{1024, 640}, Size{1280, 720}, Size{1440, 900}, Size{3840, 2160}})
        for (const ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Projector}) {
          CAPTURE(request.algorithm);
          CAPTURE(size.width);
          CAPTURE(name_of(name));
          window.control.resize(size.width, size.height);
          window.control.state().theme = name;
          for (const std::string& fault : text_faults(window_scene(window.shown(), window.control.state()))) {
            CAPTURE(fault);
            CHECK(fault.empty());
          }
        }
    }
    use_language(Language::English);
  }
}

#if TWIDDLE_HAVE_WINDOW

TEST_CASE("in the real window a sample follows the mouse, and the values are those of a fresh run") {
  using namespace window_session;
  if (!can_drive_a_window()) return;
  const Request request = request_of("fft-radix2", 8, "cosine:1");
  const std::filesystem::path trace = traced_file(request);
  Point at;
  {
    Document document(TraceReader::open(trace));
    WindowState state;
    state.tab = "live", state.cursor.step = 14, state.live.possible = true;
    const Scene scene = window_scene(document, state);
    for (const Shape2D& shape : scene.shapes)
      if (shape.mark >= 0 && std::holds_alternative<CircleShape>(shape.geometry) &&
          is_sample(scene.marks[static_cast<std::size_t>(shape.mark)].mark) &&
          scene.marks[static_cast<std::size_t>(shape.mark)].mark.index == 3)
        at = bounds(shape).centre();
  }
  REQUIRE(at.x > 0);
  Session window(trace, 14, {}, {}, [&](WindowOptions& options) {
    options.view = "live";
    options.request = request;
    options.devices = [] { return DeviceList{}; };
    options.run = [](const Request& asked, const std::string&, int, const Progress&) {
      return WindowOptions::Made{host_trace(asked), {}};
    };
  });
  window.point(at);
  window.does("mousedown 1");
  for (const float by : {12.0f, 24.0f, 36.0f, 48.0f}) window.point({at.x + by, at.y});
  CHECK(window.reaches([](const json& now) {
    return now["live"].is_object() && now["live"]["held"] == 3 && now["live"]["steps"].is_number();
  }));
  window.does("mouseup 1");
  CHECK(window.reaches(
      [](const json& now) { return now["live"].is_object() && now["live"]["held"].is_null() && !now["running"]; }));
  const json live = window.state()["live"];
  LiveSamples samples;
  for (const json& sample : live["samples"]) samples.emplace_back(sample[0].get<double>(), sample[1].get<double>());
  REQUIRE(samples.size() == 8);
  CHECK(samples[3].real() > -0.6);
  LivePlan plan(request, "data");
  const std::vector<std::complex<double>> fresh = numbers_in(plan.plan(), plan.result(samples), "F");
  REQUIRE(live["result"].size() == fresh.size());
  for (std::size_t k = 0; k < fresh.size(); ++k) {
    CHECK(live["result"][k][0].get<double>() == fresh[k].real());
    CHECK(live["result"][k][1].get<double>() == fresh[k].imag());
  }
  window.does("key ctrl+z");
  CHECK(window.reaches([](const json& now) { return now["live"].is_null(); }));
}

namespace {

/// The samples and the result that a real window logs are those of a fresh run.
void check_logged(const nlohmann::json& live, const Request& request, const std::string& input) {
  LiveSamples samples;
  for (const auto& sample : live["samples"]) samples.emplace_back(sample[0].get<double>(), sample[1].get<double>());
  LivePlan plan(request, input);
  const std::vector<std::complex<double>> fresh =
      numbers_in(plan.plan(), plan.result(samples), plan.plan().expect.output);
  REQUIRE(live["result"].size() == fresh.size());
  for (std::size_t k = 0; k < fresh.size(); ++k) {
    REQUIRE(live["result"][k][0].get<double>() == fresh[k].real());
    REQUIRE(live["result"][k][1].get<double>() == fresh[k].imag());
  }
}

}  // namespace

TEST_CASE("in the real window a slider moves 4096 samples, and a pixel of a picture follows the mouse") {
  using namespace window_session;
  if (!can_drive_a_window()) return;
  Request picture = request_of("fft2d", 0, "cosine:1");
  picture.n.reset();
  picture.rows = picture.columns = 8;
  struct Subject {
    Request request;
    const char* view;
    const char* input;
  };
  for (const Subject& subject :
       {Subject{request_of("fft-radix2", 4096, "cosine:3"), "spectrum", "data"}, {picture, "matrix", "x"}}) {
    CAPTURE(subject.view);
    const std::filesystem::path trace = traced_file(subject.request);
    const bool slider = subject.request.n.has_value();
    Point from, to;
    {
      // Where the knob, or the pixel, is in a window like that.
      LiveWindow like(subject.request);
      like.control.resize(1440, 900);
      like.control.state().tab = subject.view;
      like.control.seek(like.shown().info().steps);
      from = slider ? like.slider(LiveWave::Turns, 3) : like.pixel(26);
      to = slider ? like.slider(LiveWave::Turns, 500) : Point{from.x, from.y - 60};
    }
    Session window(trace, 14, {}, {}, [&](WindowOptions& options) {
      options.view = subject.view;
      options.request = subject.request;
      options.devices = [] { return DeviceList{}; };
      options.run = [](const Request& asked, const std::string&, int, const Progress&) {
        return WindowOptions::Made{host_trace(asked), {}};
      };
    });
    window.point(from);
    window.does("mousedown 1");
    for (const float part : {0.3f, 0.6f, 1.0f})
      window.point({from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)});
    CHECK(window.reaches([](const json& now) { return now["live"].is_object() && !now["live"]["held"].is_null(); }));
    window.does("mouseup 1");
    CHECK(window.reaches([](const json& now) {
      return now["live"].is_object() && now["live"]["held"].is_null() && !now["running"] &&
             now["live"]["steps"].is_number();
    }));
    check_logged(window.state()["live"], subject.request, subject.input);
    window.does("key ctrl+z");
    CHECK(window.reaches([](const json& now) { return now["live"].is_null(); }));
  }
}

#endif

TEST_CASE("a lesson's samples are dragged until the spectrum of a real run fits") {
  const synthetic::Folder kept;
  LessonRuns runs(kept / "", "host", 0);
  LessonGuide guide("en", load_lesson(course_file("dft", "en"), "en"), runs, {});
  while (!guide.place().goal.asked()) REQUIRE(guide.page(1));
  const Guide::Place place = guide.place();
  LiveWindow window(place.request, &guide);
  WindowActions actions;
  window.content.add_actions(actions);
  REQUIRE(window.control.state().tab == "live");
  REQUIRE(window.live().possible);
  CHECK(window.live().goal.wanted == place.goal.wanted);
  CHECK(shows(window_scene(window.shown(), window.control.state()), "dashed: what is asked for"));
  const Mark judge{.kind = MarkKind::Command, .command = "guide:judge"};
  actions.guide(judge);
  CHECK(!guide.question()->cards.front().right);

  // Handles go as far as the goal allows: so many px make 1.
  const std::vector<std::complex<double>> start = samples_at_hand(window.shown(), &window.live());
  REQUIRE(start.size() == 8);
  const float one = (window.handle(4).y - window.handle(0).y) / static_cast<float>(start[0].real() - start[4].real());
  for (std::uint64_t j = 0; j < start.size(); ++j) {
    const double to = std::array{1, 0, -1, 0, 1, 0, -1, 0}[j];
    if (std::abs(start[j].real() - to) < 0.01) continue;
    window.take_hold(j);
    window.drag({0, static_cast<float>(start[j].real() - to) * one});
    window.let_go();
    CHECK(window.live().goal.asked());  // each run is another trace, and the goal is still there
  }
  actions.guide(judge);
  CHECK_MESSAGE(guide.question()->cards.front().right, guide.question()->comment);
  window.check_fresh(place.request);
  // The next page asks for nothing.
  actions.turn_page(1);
  CHECK(!window.live().goal.asked());
}
