// Samples that are dragged: every value is that of a fresh run with the same signal, bit by bit, and Ctrl+Z leads back.
#include "lessons/pages/lesson_guide.h"
#include "scene_texts.h"
#include "synthetic_trace.h"
#include "traced.h"
#include "tracer/replay/diff.h"
#include "viewer/graphs/phasor_chain.h"
#include "viewer/live/live_run.h"
#include "viewer/panels/panels.h"
#include "viewer/scene/languages.h"
#include "viewer/session/window_content.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/view.h"
#include "window/live_window.h"

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
#include "window/window_session.h"
#endif

using namespace twiddle;

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
  constexpr std::array subjects = {Subject{"dft", 12, 2}, Subject{"fft-radix2", 8, 4}, Subject{"fft-stockham2", 16, 5},
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
  // On the way a work-item has added so many of them as it has made terms; before that, and in other operations, none.
  Document terms(host_trace(request_of("dft", 8, "random:3")));
  for (const auto& [step, count] : {std::pair{1, 1}, {8, 8}, {9, 8}, {10, 1}, {14, 5}, {18, 8}}) {
    CAPTURE(step);
    const auto so_far = terms_so_far(terms, terms.replay->operation(static_cast<std::uint64_t>(step)));
    REQUIRE(so_far.size() == static_cast<std::size_t>(count));
    for (std::uint64_t j = 0; j < so_far.size(); ++j) CHECK(so_far[j] == j);
  }
  Document butterflies(host_trace(request_of("fft-radix2", 8, "random:3")));
  for (std::uint64_t step = 1; step <= butterflies.info().steps; ++step)
    CHECK(terms_so_far(butterflies, butterflies.replay->operation(step)).empty());
  // A packed transform of reals is no sum of its inputs times factors.
  Document packed(host_trace(request_of("fft-real", 16, "ramp")));
  CHECK_FALSE(phasor_chain(packed, packed.info().buffer_named(packed.info().expect.output), 1));
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

#endif

namespace {

// The lesson of the definition, at the step that asks for a spectrum, in a window.
struct SpectrumLesson {
  const synthetic::Folder kept;
  LessonRuns runs{kept / "", "host", 0};
  LessonGuide guide{"en", load_lesson(course_file("dft", "en"), "en"), runs, {}};
  const Guide::Place place = [this] {
    while (!guide.place().goal.asked()) REQUIRE(guide.page(1));
    return guide.place();
  }();
  LiveWindow window{place.request, &guide};
  WindowActions actions;
  SpectrumLesson() { window.content.add_actions(actions); }
};

}  // namespace

TEST_CASE("a lesson's samples are dragged until the spectrum of a real run fits") {
  SpectrumLesson lesson;
  LessonGuide& guide = lesson.guide;
  LiveWindow& window = lesson.window;
  WindowActions& actions = lesson.actions;
  REQUIRE(window.control.state().tab == "live");
  REQUIRE(window.live().possible);
  CHECK(window.live().goal.wanted == lesson.place.goal.wanted);
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
  window.check_fresh(lesson.place.request);
  // The next page asks for nothing.
  actions.turn_page(1);
  CHECK(!window.live().goal.asked());
}

TEST_CASE("the answer to a spectrum that is asked for brings the samples there, and the kernel runs on them") {
  SpectrumLesson lesson;
  LessonGuide& guide = lesson.guide;
  LiveWindow& window = lesson.window;
  WindowActions& actions = lesson.actions;
  const auto press = [&](const char* command) {
    actions.guide({.kind = MarkKind::Command, .command = std::string("guide:") + command});
  };
  for (int i = 0; i < 3; ++i) press("judge");
  press("show");
  window.settle();
  press("judge");
  CHECK_MESSAGE(guide.question()->cards.front().right, guide.question()->comment);
  window.check_fresh(lesson.place.request);
}
