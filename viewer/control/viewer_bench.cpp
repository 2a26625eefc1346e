#include "viewer/control/viewer_bench.h"

#include "viewer/control/window_scene.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/view.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <ctime>

namespace twiddle {
namespace {

constexpr double patience_ms = 2;  // what the window's frames may decode, with room for the drawing itself
constexpr int max_hasty = 2000;    // frames until one is finished
constexpr std::array places = {0.1, 0.5, 0.9};

double now_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// One frame: what it cost, and whether something is missing in it.
struct Drawn {
  double ms = 0;
  bool unfinished = false;
  std::size_t shapes = 0;
};
Drawn draw(const View& view, const DiagramInput& input) {
  const double start = now_ms();
  const Scene scene = view.draw(input);
  return {now_ms() - start, scene.unfinished, scene.shapes.size()};
}

/// Frames as the window asks for them, until nothing is missing; the slowest of them.
double settle(const View& view, DiagramInput input) {
  input.patience_ms = patience_ms;
  double slowest = 0;
  for (int frame = 0; frame < max_hasty; ++frame) {
    const Drawn drawn = draw(view, input);
    slowest = std::max(slowest, drawn.ms);
    if (!drawn.unfinished) break;
  }
  return slowest;
}

ViewBench measure(Document& document, const View& view, const WindowState& state) {
  ViewBench bench{std::string(view.name())};
  DiagramInput input = diagram_input(document, state);
  input.patience_ms = 1e9;
  const std::uint64_t steps = document.info().steps;
  const Drawn first = draw(view, input);
  bench.first = first.ms, bench.shapes = first.shapes;
  for (const std::uint64_t step : {steps / 3 + 1, steps, steps / 2 + 7, steps * 5 / 8 + 3}) {
    input.cursor.step = std::min(step, steps);
    input.viewport = {};
    bench.seek = std::max(bench.seek, settle(view, input));
    for (double zoom = 1; zoom < 4e5; zoom *= 4) {
      for (const double at : places) {
        input.viewport = {zoom, at, at};
        settle(view, input);
        // The quickest of three, so that an interrupt does not count.
        Drawn best = draw(view, input);
        for (int again = 0; again < 2; ++again) {
          const Drawn drawn = draw(view, input);
          if (drawn.ms < best.ms) best = drawn;
        }
        bench.frame = std::max(bench.frame, best.ms);
        bench.shapes = std::max(bench.shapes, best.shapes);
      }
    }
  }
  return bench;
}

}  // namespace

ViewerBench bench_viewer(Document& document, const std::function<bool(double, const Message&)>& progress, float width,
                         float height) {
  ViewerBench bench;
  const TraceInfo& info = document.info();
  bench.algorithm = info.algorithm, bench.steps = info.steps;
  for (const BufferInfo& buffer : info.buffers) bench.elements = std::max(bench.elements, buffer.count);
  WindowState state;
  state.patience_ms = patience_ms;
  state.width = width, state.height = height;
  const double start = now_ms();
  static_cast<void>(window_scene(document, state));
  bench.window_first = now_ms() - start;
  const std::vector<const View*> views = views_of(document);
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (!progress(static_cast<double>(i) / static_cast<double>(views.size()),
                  Message::verbatim(std::string(views[i]->name()))))
      break;
    bench.views.push_back(measure(document, *views[i], state));
  }
  return bench;
}

std::string bench_text(const ViewerBench& bench) {
  std::string text = fmt::format(
      "{}: {} steps, {} elements in the largest buffer\nwindow       first frame {:8.2f} ms, aim {:.0f}\n\n",
      bench.algorithm, bench.steps, bench.elements, bench.window_first, ViewerBench::first_aim);
  text += fmt::format("{:<12} {:>12} {:>14} {:>14} {:>10}\n", "view", "read it all", "slowest frame", "slowest seek",
                      "shapes");
  for (const ViewBench& view : bench.views)
    text += fmt::format("{:<12} {:>9.2f} ms {:>11.2f} ms {:>11.2f} ms {:>10}\n", view.view, view.first, view.frame,
                        view.seek, view.shapes);
  text += fmt::format("{:<12} {:>12} {:>11.0f} ms {:>11.0f} ms\n", "aim", "", ViewerBench::frame_aim,
                      ViewerBench::seek_aim);
  return text;
}

std::string bench_json(const ViewerBench& bench) {
  nlohmann::ordered_json json = {{"algorithm", bench.algorithm},
                                 {"steps", bench.steps},
                                 {"elements", bench.elements},
                                 {"first_frame_ms", bench.window_first}};
  json["aims_ms"] = {
      {"first_frame", ViewerBench::first_aim}, {"frame", ViewerBench::frame_aim}, {"seek", ViewerBench::seek_aim}};
  json["views"] = nlohmann::ordered_json::array();
  for (const ViewBench& view : bench.views)
    json["views"].push_back({{"view", view.view},
                             {"read_ms", view.first},
                             {"frame_ms", view.frame},
                             {"seek_ms", view.seek},
                             {"shapes", view.shapes}});
  return json.dump() + "\n";
}

}  // namespace twiddle
