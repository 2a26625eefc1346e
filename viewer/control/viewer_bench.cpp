#include "viewer/control/viewer_bench.h"

#include "base/error.h"
#include "base/values/json_text.h"
#include "viewer/document/flow.h"
#include "viewer/frame/window_scene.h"
#include "viewer/graphs/element_history.h"
#include "viewer/input/stops.h"
#include "viewer/live/live_run.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/view.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <utility>

namespace twiddle {
namespace {

constexpr double patience_ms = 2;  // what the window's frames may decode, with room for the drawing itself
constexpr int max_hasty = 2000;    // frames until one is finished
constexpr std::array places = {0.1, 0.5, 0.9};

double now_ms(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// What went by since it was made: by the clock, and on all processors together.
class Stopwatch {
 public:
  double clock_ms() const { return now_ms(CLOCK_MONOTONIC) - clock_; }
  double processor_ms() const { return now_ms(CLOCK_PROCESS_CPUTIME_ID) - processor_; }

 private:
  double clock_ = now_ms(CLOCK_MONOTONIC), processor_ = now_ms(CLOCK_PROCESS_CPUTIME_ID);
};

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

/// All panes together, in every view, at steps from near the beginning to the end.
double measure_window(Document& document, WindowState state) {
  double slowest = 0;
  const std::uint64_t steps = document.info().steps;
  const auto frame = [&] {
    const double start = now_ms();
    const bool unfinished = window_scene(document, state).unfinished;
    return std::pair{now_ms() - start, unfinished};
  };
  for (const View* view : views_of(document)) {
    state.tab = view->name();
    for (const std::uint64_t step : {steps / 3 + 1, steps / 2 + 7, steps}) {
      state.cursor.step = std::min(step, steps);
      for (int waited = 0; waited < max_hasty && frame().second; ++waited) {}
      slowest = std::max(slowest, std::min({frame().first, frame().first, frame().first}));
    }
  }
  return slowest;
}

std::string_view name_of(DragBench::Hand hand) {
  switch (hand) {
    case DragBench::Hand::Sample: return "sample";
    case DragBench::Hand::Slider: return "slider";
    case DragBench::Hand::Pixel: return "pixel";
  }
  return {};
}

/// Drags samples to and fro, as the window does, on its thread.
DragBench measure_drag(DragBench::Hand hand, std::uint64_t points) {
  constexpr int drags = 40;
  const bool picture = hand == DragBench::Hand::Pixel;
  DragBench bench;
  bench.hand = hand, bench.points = points, bench.logged = points <= LiveSignal::max_traced;
  bench.aim = bench.logged ? 16 : 50;
  Request request;
  request.algorithm = picture ? "fft2d" : "fft-radix2", request.signal = "cosine:1";
  if (picture)
    request.rows = request.columns = static_cast<std::uint64_t>(std::llround(std::sqrt(static_cast<double>(points))));
  else
    request.n = points;
  LivePlan plan(request, picture ? "x" : "data");
  LiveSamples samples(static_cast<std::size_t>(points));
  for (std::size_t j = 0; j < samples.size(); ++j) samples[j] = static_cast<double>(j % 7) / 7;
  Document first(plan.trace(samples));
  std::unique_ptr<Document> shown = std::make_unique<Document>(first.trace);
  WindowState state;
  state.tab = picture ? "matrix" : bench.logged ? "live" : "spectrum";
  state.live.possible = true;
  state.live.before = samples;
  state.live.held = hand == DragBench::Hand::Slider ? LiveSignal::all_held : 3;
  state.live.low = -1, state.live.high = 1;
  std::vector<double> times, processor_times;
  for (int drag = 0; drag < drags; ++drag) {
    const Stopwatch watch;
    if (hand == DragBench::Hand::Slider) {
      LiveWave wave;
      wave.values = {1 + 0.25 * drag, 0, 1, 0};
      for (std::size_t j = 0; j < samples.size(); ++j) samples[j] = wave.sample(j, samples.size());
      state.live.wave = wave;
    } else {
      samples[3] = -1 + 0.05 * drag;
    }
    state.live.samples = samples;
    if (bench.logged) {
      auto fresh = std::make_unique<Document>(plan.trace(samples));
      fresh->findings_kept_back = true;
      state.live.changes = std::make_shared<const Changes>(first, *fresh);
      shown = std::move(fresh);
    } else {
      const std::vector<std::vector<std::byte>> buffers = plan.result(samples);
      state.live.result = numbers_in(plan.plan(), buffers, first.info().expect.output);
    }
    state.cursor.step = shown->info().steps;
    static_cast<void>(window_scene(*shown, state));
    if (drag == 0) continue;  // the first compiles
    times.push_back(watch.clock_ms());
    processor_times.push_back(watch.processor_ms());
  }
  std::sort(times.begin(), times.end());
  std::sort(processor_times.begin(), processor_times.end());
  bench.median = times[times.size() / 2], bench.slowest = times.back();
  bench.processor_median = processor_times[processor_times.size() / 2];
  bench.processor_slowest = processor_times.back();
  return bench;
}

/// Every access of an element in the middle of what the trace writes last.
double measure_history(const Document& shown) {
  Document document(shown.trace);
  const TraceInfo& info = document.info();
  int buffer = info.buffer_named(info.expect.output);
  for (std::size_t b = 0; buffer < 0 && b < info.buffers.size(); ++b)
    if (info.buffers[b].space == Space::Global) buffer = static_cast<int>(b);
  if (buffer < 0) return 0;
  const double start = now_ms();
  document.flow().begin_frame(info.steps, 1e9);
  static_cast<void>(element_history(document, {buffer, 0, info.buffers[static_cast<std::size_t>(buffer)].count / 2}));
  return now_ms() - start;
}

std::vector<StopBench> measure_stops(const Document& shown) {
  std::vector<StopBench> list;
  const TraceInfo& info = shown.info();
  std::vector<std::string> texts{"item 5", "nan", "|x| > 1e30"};
  if (const BufferInfo* output = info.buffer(info.buffer_named(info.expect.output)))
    texts.insert(texts.begin(), fmt::format("{}[{}] written", output->name, output->count / 2));
  if (info.steps > 0) {
    Document document(shown.trace);
    texts.push_back(fmt::format("line {}", document.replay->operation(info.steps / 2 + 1).line));
  }
  for (const std::string& text : texts) {
    Document document(shown.trace);
    const StopCondition condition = parse_stop(info, text);
    const Stopwatch watch;
    document.flow().begin_frame(info.steps, 1e9);
    const StopHits& hits = hits_of(document, condition, 1e9);
    list.push_back({text, hits.steps.size(), watch.clock_ms(), watch.processor_ms()});
  }
  return list;
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
  bench.window_frame = measure_window(document, state);
  const std::vector<const View*> views = views_of(document);
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (!progress(static_cast<double>(i) / static_cast<double>(views.size()),
                  Message::verbatim(std::string(views[i]->name()))))
      break;
    bench.views.push_back(measure(document, *views[i], state));
  }
  bench.history = measure_history(document);
  bench.stops = measure_stops(document);
  try {
    using Hand = DragBench::Hand;
    for (const std::uint64_t points : {8, 64, 4096}) bench.drags.push_back(measure_drag(Hand::Sample, points));
    for (const std::uint64_t points : {64, 4096}) bench.drags.push_back(measure_drag(Hand::Slider, points));
    for (const std::uint64_t points : {64, 4096}) bench.drags.push_back(measure_drag(Hand::Pixel, points));
  } catch (const Error&) {}  // no compiler: then nothing is dragged here
  return bench;
}

std::string bench_text(const ViewerBench& bench) {
  std::string text = fmt::format(
      "{}: {} steps, {} elements in the largest buffer\n"
      "window       first frame {:8.2f} ms, aim {:.0f}\nwindow     slowest frame {:8.2f} ms, aim {:.0f}\n\n",
      bench.algorithm, bench.steps, bench.elements, bench.window_first, ViewerBench::first_aim, bench.window_frame,
      ViewerBench::window_aim);
  text += fmt::format("{:<12} {:>12} {:>14} {:>14} {:>10}\n", "view", "read it all", "slowest frame", "slowest seek",
                      "shapes");
  for (const ViewBench& view : bench.views)
    text += fmt::format("{:<12} {:>9.2f} ms {:>11.2f} ms {:>11.2f} ms {:>10}\n", view.view, view.first, view.frame,
                        view.seek, view.shapes);
  text += fmt::format("{:<12} {:>12} {:>11.0f} ms {:>11.0f} ms\n", "aim", "", ViewerBench::frame_aim,
                      ViewerBench::seek_aim);
  text += fmt::format("\nevery access of an element: {:.1f} ms, aim {:.0f}\n", bench.history, ViewerBench::history_aim);
  for (const StopBench& stop : bench.stops)
    text += fmt::format("stop when {}: {} steps found in {:.1f} ms, {:.1f} of the processor, aim {:.0f}\n",
                        stop.condition, stop.hits, stop.ms, stop.processor_ms, StopBench::aim);
  for (const DragBench& drag : bench.drags)
    text += fmt::format(
        "drag a {:<6} of {:>4}, {}: picture after {:.1f} ms, slowest {:.1f} ms, of the processor {:.1f} and {:.1f} ms, "
        "aim {:.0f}\n",
        name_of(drag.hand), drag.points, drag.logged ? "every operation logged" : "the result alone", drag.median,
        drag.slowest, drag.processor_median, drag.processor_slowest, drag.aim);
  return text;
}

std::string bench_json(const ViewerBench& bench) {
  nlohmann::ordered_json json = {{"algorithm", bench.algorithm},
                                 {"steps", bench.steps},
                                 {"elements", bench.elements},
                                 {"first_frame_ms", bench.window_first},
                                 {"window_frame_ms", bench.window_frame}};
  json["aims_ms"] = {{"first_frame", ViewerBench::first_aim},
                     {"window_frame", ViewerBench::window_aim},
                     {"frame", ViewerBench::frame_aim},
                     {"seek", ViewerBench::seek_aim}};
  json["views"] = nlohmann::ordered_json::array();
  for (const ViewBench& view : bench.views)
    json["views"].push_back({{"view", view.view},
                             {"read_ms", view.first},
                             {"frame_ms", view.frame},
                             {"seek_ms", view.seek},
                             {"shapes", view.shapes}});
  json["history_ms"] = bench.history;
  json["stops"] = nlohmann::ordered_json::array();
  for (const StopBench& stop : bench.stops)
    json["stops"].push_back(
        {{"condition", stop.condition}, {"hits", stop.hits}, {"ms", stop.ms}, {"processor_ms", stop.processor_ms}});
  json["drags"] = nlohmann::ordered_json::array();
  for (const DragBench& drag : bench.drags)
    json["drags"].push_back({{"hand", name_of(drag.hand)},
                             {"points", drag.points},
                             {"logged", drag.logged},
                             {"median_ms", drag.median},
                             {"slowest_ms", drag.slowest},
                             {"processor_median_ms", drag.processor_median},
                             {"processor_slowest_ms", drag.processor_slowest},
                             {"aim_ms", drag.aim}});
  return json_text(json) + "\n";
}

}  // namespace twiddle
