// Thousands of samples in the spectrum, and the pixels of small pictures: dragged, drawn and shaped by sliders.
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
