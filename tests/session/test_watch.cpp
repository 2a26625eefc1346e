// The user saves a kernel while its trace is on the screen: what is noticed, where errors go, and what a change changed.
#include "own_kernel.h"
#include "synthetic_trace.h"
#include "test_support.h"
#include "tracer/file/trace_file.h"
#include "tracer/run/tracer.h"
#include "tracer/runtimes/open_runtime.h"
#include "viewer/compare/differences.h"
#include "viewer/frame/window_scene.h"
#include "viewer/session/file_watch.h"
#include "viewer/words/source_problems.h"

#include <doctest.h>

#include <fstream>

using namespace twiddle;

namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

std::shared_ptr<const TraceReader> made(const synthetic::Folder& folder, const std::string& name, bool inverse,
                                        std::uint32_t n = 8) {
  synthetic::FftOptions options;
  options.n = n;
  options.inverse = inverse;
  return TraceReader::open(synthetic::Fft<float>(options).write(folder / name));
}

// All words of a scene.
std::string words_in_window(const Scene& scene) {
  std::string all;
  for (const Shape2D& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry)) all += text->text + "\n";
  return all;
}

}  // namespace

TEST_CASE("a saved file is noticed once, when it has settled and is there") {
  const synthetic::Folder folder;
  const fs::path plan = folder / "mine.toml", kernel = folder / "mine.cl";
  write(plan, "one");
  write(kernel, "one");
  FileWatch watch([&] { return std::vector<fs::path>{plan, kernel}; });
  CHECK(watch.watching());
  CHECK_FALSE(watch.changed());

  write(kernel, "another");
  CHECK_FALSE(watch.changed());  // it may still be being written
  CHECK(watch.changed());
  CHECK_FALSE(watch.changed());

  fs::remove(kernel);  // an editor puts a new file in the old one's place
  CHECK_FALSE(watch.changed());
  CHECK_FALSE(watch.changed());
  write(kernel, "a third one");
  CHECK_FALSE(watch.changed());
  CHECK(watch.changed());
  CHECK_FALSE(FileWatch({}).watching());
}

TEST_CASE("compilers' errors go to their lines") {
  const std::vector<SourceProblem> problems = source_problems(
      "mine.cl does not compile:\n"
      "mine.cl:4:39: error: use of undeclared identifier 'y'\n"
      "mine.cl:5:1: warning: unused variable\n"
      "/tmp/x/common.h:17:2: error: expected ';'\n"
      "mine.cu(9): error: identifier \"z\" is undefined\n"
      "error: no place\n1 error generated.\n");
  REQUIRE(problems.size() == 3);
  CHECK(problems[0].source == "mine.cl");
  CHECK(problems[0].line == 4);
  CHECK(problems[0].text == "use of undeclared identifier 'y'");
  CHECK(problems[1].source == "common.h");
  CHECK(problems[1].line == 17);
  CHECK(problems[2].source == "mine.cu");
  CHECK(problems[2].line == 9);
  CHECK(source_problems("").empty());
  CHECK(source_problems(": error: \n(: error: x\nmine.cl:99999999999999999999: error: x").empty());
}

TEST_CASE("what a change of the kernel changed: a sum, then each operation where it is") {
  const synthetic::Folder folder;
  const auto before = made(folder, "a.twd", false), after = made(folder, "b.twd", true);
  CHECK(differences_between(before, before).empty());
  const std::vector<TraceNote> notes = differences_between(before, after);
  REQUIRE(notes.size() == 6);
  CHECK(notes[0].text == "5 operations are not as in the run before.");
  CHECK(contains(notes[1].text, "L3.S2.I1: its factor was "));
  CHECK(notes[1].step == notes[0].step);
  for (std::size_t i = 2; i < notes.size(); ++i) CHECK(notes[i - 1].step < notes[i].step);
  CHECK(differences_between(before, after, {.most = 2}).size() == 3);
  const std::vector<TraceNote> other = differences_between(before, made(folder, "c.twd", false, 16));
  REQUIRE(other.size() == 1);
  CHECK(contains(other[0].text, "Not compared with the run before: buffer data holds 8 float2"));
}

TEST_CASE("a kernel that no longer compiles is shown as it is now, with the error at its line; the good trace stays") {
  const synthetic::Folder folder;
  OwnKernel own(
      "kernel void twice(global float *x TRACE_PARAMS) {\n  int g = get_global_id(0);\n  float v = x[g];\n  x[g] = 2 * "
      "v;\n"
      "  TRACE_SCALE(x, g, v, 2.0f);\n}\n");
  const auto x = own.buffer("x", ElementType::Float, 8);
  own.launch("twice", 8, 4, {x});
  {
    const std::unique_ptr<Runtime> runtime = open_runtime("opencl", 0);
    TraceWriter writer(folder / "mine.twd");
    trace_plan(own.plan, *runtime, {}, writer);
    writer.finish();
  }
  Document document(TraceReader::open(folder / "mine.twd"));
  WindowState state;
  state.cursor.step = 3;
  CHECK(contains(words_in_window(window_scene(document, state)), "logged at line 6"));
  state.problems = {{"mine.cl", 4, "use of undeclared identifier 'y'"}};
  state.edited = {{"mine.cl",
                   "#include \"trace_device.h\"\nkernel void twice(global float *x TRACE_PARAMS) {\n  int g = "
                   "get_global_id(0);\n  float v = y[g];\n  x[g] = 2 * v;\n  TRACE_SCALE(x, g, v, 2.0f);\n}\n"}};
  const std::string words = words_in_window(window_scene(document, state));
  CHECK(contains(words, "line 4 does not compile"));
  CHECK(contains(words, "float v = y[g];"));
  CHECK(contains(words, "use of undeclared identifier"));
  CHECK(document.info().steps == 8);
}
