// Draws the butterfly diagram and measures how long a frame takes to build. By hand:
//
//     twiddle_bench_diagram FILE.twd|ALGORITHM:N [--step S] [--zoom Z] [--at X,Y] [--size W,H] [--theme T] [--scale K]
//                           [--hover SEGMENT,BUFFER,INDEX] [--phase P] [--predict] [-o out.png|out.svg]
//     twiddle_bench_diagram FILE.twd|ALGORITHM:N --time      frames at many zooms: the slowest and the mean
#include "base/error.h"
#include "kernels/catalogue/catalogue.h"
#include "tracer/file/trace_file.h"
#include "tracer/run/tracer.h"
#include "tracer/runtimes/open_runtime.h"
#include "viewer/render/render.h"
#include "viewer/views/view.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>

using namespace twiddle;

namespace {

const View& butterfly() { return *view_named("butterfly"); }

std::vector<double> numbers(const std::string& text) {
  std::vector<double> list;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    list.push_back(std::strtod(text.substr(at, comma - at).c_str(), nullptr));
    at = comma + 1;
  }
  list.resize(std::max<std::size_t>(list.size(), 3));
  return list;
}

/// A trace file as it is, or one made of "fft-radix2:64[:signal]" on the first device there is.
std::shared_ptr<const TraceReader> open(const std::string& what) {
  if (what.find(':') == std::string::npos) return TraceReader::open(what);
  Request request;
  request.algorithm = what.substr(0, what.find(':'));
  const std::string rest = what.substr(request.algorithm.size() + 1);
  request.n = std::strtoull(rest.c_str(), nullptr, 10);
  if (const std::size_t colon = rest.find(':'); colon != std::string::npos) request.signal = rest.substr(colon + 1);
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() /
      fmt::format("twiddle-bench-{}.twd", std::chrono::steady_clock::now().time_since_epoch().count());
  {
    const Plan plan = make_plan(request);
    const auto runtime = open_runtime("auto", 0);
    TraceWriter writer(file);
    trace_plan(plan, *runtime, {}, writer);
    writer.finish();
  }
  auto reader = TraceReader::open(file);
  std::filesystem::remove(file);  // it stays readable as long as it is open
  return reader;
}

/// Of this thread alone: other programs on the machine do not count.
double cpu_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

void measure(DiagramInput input) {
  const double first = cpu_milliseconds();
  std::size_t shapes = butterfly().draw(input).shapes.size();
  fmt::print("first frame: {:.2f} ms, {} shapes\n", cpu_milliseconds() - first, shapes);
  for (const std::uint64_t step : {input.document.info().steps, input.document.info().steps / 2 + 7}) {
    input.cursor.step = step;
    const double seek = cpu_milliseconds();
    butterfly().draw(input);
    fmt::print("step {}: first frame {:.2f} ms\n", step, cpu_milliseconds() - seek);
    for (double zoom = 1; zoom < 4e5; zoom *= 1.5) {
      double worst = 0, sum = 0, cold = 0, hasty = 0;
      int frames = 0;
      for (const double at : {0.1, 0.5, 0.9}) {
        input.viewport = {zoom, at, at};
        // As the window asks for it: frames that do not wait, until one is finished.
        input.patience_ms = 2;
        for (bool unfinished = true; unfinished;) {
          const double begun = cpu_milliseconds();
          unfinished = butterfly().draw(input).unfinished;
          const double took = cpu_milliseconds() - begun;
          hasty = std::max(hasty, took), cold += took;
        }
        input.patience_ms = 1e9;
        for (int again = 0; again < 5; ++again, ++frames) {
          const double start = cpu_milliseconds();
          shapes = butterfly().draw(input).shapes.size();
          const double took = cpu_milliseconds() - start;
          worst = std::max(worst, took), sum += took;
        }
      }
      fmt::print(
          "  zoom {:>10.1f}: mean {:5.2f} ms, slowest {:5.2f} ms; before that {:6.1f} ms in frames of {:5.2f} ms or "
          "less; {} shapes\n",
          zoom, sum / frames, worst, cold, hasty, shapes);
    }
  }
}

int run(int argc, char** argv) {
  std::map<std::string, std::string> options;
  std::string what;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--time" || argument == "--predict") {
      options[argument] = "yes";
    } else if (argument.starts_with("-") && i + 1 < argc) {
      options[argument] = argv[++i];
    } else {
      what = argument;
    }
  }
  if (what.empty()) {
    std::cerr << "Name a trace file, or an algorithm and its size (fft-radix2:64).\n";
    return 2;
  }
  Document document(open(what));
  const std::string name = options["--theme"];
  const ThemeName theme_name = name == "dark"        ? ThemeName::Dark
                               : name == "projector" ? ThemeName::Projector
                                                     : ThemeName::Light;
  DiagramInput input{document, {}, {}, theme(theme_name)};
  input.cursor.step =
      options.contains("--step") ? std::strtoull(options["--step"].c_str(), nullptr, 10) : document.info().steps;
  if (options.contains("--zoom")) input.viewport.zoom = numbers(options["--zoom"])[0];
  if (options.contains("--at"))
    input.viewport.centre_x = numbers(options["--at"])[0], input.viewport.centre_y = numbers(options["--at"])[1];
  if (options.contains("--size"))
    input.width = static_cast<float>(numbers(options["--size"])[0]),
    input.height = static_cast<float>(numbers(options["--size"])[1]);
  if (options.contains("--scale")) input.scale = static_cast<float>(numbers(options["--scale"])[0]);
  if (options.contains("--phase")) input.phase = static_cast<float>(numbers(options["--phase"])[0]);
  if (options.contains("--hover")) {
    const auto at = numbers(options["--hover"]);
    input.cursor.hover = Mark{.kind = MarkKind::Element,
                              .buffer = static_cast<int>(at[1]),
                              .segment = static_cast<int>(at[0]),
                              .index = static_cast<std::uint64_t>(at[2])};
  }
  input.hide_next = options.contains("--predict");
  if (options.contains("--time")) {
    measure(input);
    return 0;
  }
  const Scene scene = butterfly().draw(input);
  const std::string out = options.contains("-o") ? options["-o"] : "diagram.png";
  std::ofstream file(out, std::ios::binary);
  if (out.ends_with(".svg")) {
    file << to_svg(scene, input.theme);
  } else {
    const auto png = to_png(scene, input.theme);
    file.write(reinterpret_cast<const char*>(png.data()), static_cast<std::streamsize>(png.size()));
  }
  return file.good() ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) try { return run(argc, argv); } catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return static_cast<int>(error.code());
}
