// `--schedule`: the order of work-items on the host executor, and what it brings to light, through the real binary.
#include "run_program.h"
#include "test_support.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <thread>

using namespace twiddle;
using nlohmann::json;

namespace {

void write_file(const std::string& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

// A plan file beside a .cu file with one kernel of eight work-items.
void write_plan(const TestFolder& folder, const std::string& body) {
  write_file(folder.file("mine.cu"),
             "#include \"trace_device.h\"\nextern \"C\" __global__ void mine(int *x TRACE_PARAMS)\n{\n" + body + "}\n");
  write_file(
      folder.file("mine.toml"),
      "title = \"Mine\"\n[[buffer]]\nname = \"x\"\ntype = \"int\"\ncount = 8\ncontent = \"zero\"\n"
      "[[launch]]\nsource = \"mine.cu\"\nkernel = \"mine\"\nstage = 1\nglobal = [8]\nlocal = [8]\nargs = [\"x\"]\n");
}

}  // namespace

TEST_CASE("a race is found as soon as two orders differ, with exit code 1") {
  TestFolder folder;
  write_plan(folder, "  x[0] = threadIdx.x;\n  TRACE_BARRIER();\n  __syncthreads();\n");
  const Ran race = run_program(folder, {"trace", "mine.toml", "--schedule", "random:1-8"});
  CHECK(race.code == 1);
  CHECK(contains(race.err, "the outcome depends on the order of the work-items: x[0] ends as "));
  CHECK(contains(race.err, " under random:1 and as "));

  // Each order is reproducible, and the trace says which it was.
  const Ran forward = run_program(folder, {"trace", "mine.toml", "--schedule", "forward", "-o", "forward.twd"});
  REQUIRE_MESSAGE(forward.code == 0, forward.err);
  const json info = json::parse(run_program(folder, {"info", "forward.twd", "--json"}).out);
  CHECK(info["parameters"]["schedule"] == "forward");
  CHECK(info["runtime"] == "host");

  write_plan(folder, "  x[threadIdx.x] = threadIdx.x;\n  TRACE_BARRIER();\n  __syncthreads();\n");
  const Ran right = run_program(folder, {"trace", "mine.toml", "--schedule", "random:1-8"});
  CHECK(right.code == 0);
  CHECK(contains(right.out, "the outcome is the same in all 8"));
}

TEST_CASE("what no kernel may do is a sentence with the culprit and the line, and exit code 1") {
  struct Wrong {
    const char *body, *words;
  };
  for (const Wrong& wrong :
       {Wrong{"  if (threadIdx.x < 3)\n    __syncthreads();\n", "mine.cu:5: thread 3 of mine has left the kernel"},
        {"\n  x[threadIdx.x + 1] = 1;\n", "mine.cu:5: thread 7 of mine writes x[8], and x has 8 elements"},
        {"  while (((volatile int *)x)[0] == 0) {}\n", "waits without end"}}) {
    TestFolder folder;
    write_plan(folder, std::string(wrong.body) + "  TRACE_BARRIER();\n");
    const Ran ran = run_program(folder, {"trace", "mine.toml", "--runtime", "host"});
    CHECK(ran.code == 1);
    CHECK_MESSAGE(contains(ran.err, wrong.words), ran.err);
    CHECK(std::count(ran.err.begin(), ran.err.end(), '\n') == 1);
  }
}

TEST_CASE("verify tries every order that is asked for") {
  TestFolder folder;
  const Ran ran =
      run_program(folder, {"verify", "fft-radix2-local", "--n", "16", "--schedule", "random:1-3", "--json"});
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  const json verdicts = json::parse(ran.out);
  REQUIRE(verdicts.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(verdicts[i]["pass"] == true);
    CHECK(verdicts[i]["runtime"] == "host");
    CHECK(verdicts[i]["schedule"] == "random:" + std::to_string(i + 1));
  }
}

TEST_CASE("verify runs the traced kernels where it is asked to") {
  TestFolder folder;
  for (const char* runtime : {"host", "opencl"}) {
    CAPTURE(runtime);
    const Ran ran = run_program(folder, {"verify", "fft-stockham2", "--n", "64", "--signal", "random:1", "--runtime",
                                         runtime, "--traced", "--window-bytes", "4096", "--json"});
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    CHECK(json::parse(ran.out)["pass"] == true);
    // Nothing to launch is nothing to trace.
    const Ran none =
        run_program(folder, {"trace", "reduce-sequential", "--n", "0", "--runtime", runtime, "-o", "0.twd"});
    CHECK_MESSAGE(none.code == 0, none.err);
    CHECK(run_program(folder, {"verify", "0.twd"}).code == 0);
  }
}

TEST_CASE("check runs several orders, and names the one that showed what the others did not") {
  TestFolder folder;
  // Where work-item 0 comes last, something is written beyond the buffer.
  write_plan(folder,
             "  __shared__ int last;\n  last = threadIdx.x;\n  __syncthreads();\n"
             "  if (threadIdx.x == 0) x[last == 0 ? 8 : 0] = 1;\n");
  const Ran several = run_program(folder, {"check", "mine.toml", "--schedule", "random:1-40", "--json"});
  CHECK(several.code == 1);
  const json findings = json::parse(several.out)["findings"];
  REQUIRE(findings.size() >= 2);
  std::string racing, beyond;
  for (const json& finding : findings) {
    if (finding["class"] == "race" && racing.empty()) racing = finding["schedule"];
    if (finding["class"] == "out-of-bounds" && beyond.empty()) beyond = finding["schedule"];
  }
  CHECK(racing == "random:1");
  REQUIRE(beyond != "");
  REQUIRE(beyond != "random:1");
  const auto shows = [&](const std::string& order) {
    return contains(run_program(folder, {"check", "mine.toml", "--schedule", order}).out, "error: out-of-bounds: ");
  };
  CHECK(shows(beyond));
  CHECK_FALSE(shows("random:1"));
  const Ran text = run_program(folder, {"check", "mine.toml", "--schedule", "random:1-40"});
  CHECK_MESSAGE(contains(text.out, ", under " + beyond), text.out);
}

TEST_CASE("check --watch checks again when the kernel is saved, says what does not compile, and ends on Ctrl-C") {
  TestFolder folder;
  write_plan(folder, "  x[threadIdx.x + 1] = 1;\n");
  Running watching(folder, {"check", "mine.toml", "--runtime", "host", "--watch"});
  const auto printed = [&](const char* file, const std::string& words) {
    for (int turn = 0; turn < 1200 && !watching.ended(); ++turn) {
      if (contains(content_of(folder.file(file)), words)) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  };
  CHECK(printed(".stdout", "error: out-of-bounds"));
  CHECK(printed(".stderr", "waiting for mine.toml"));
  write_plan(folder, "  x[threadIdx.x] = threadIdx.y + there_is_no_such_name;\n");
  CHECK(printed(".stderr", "there_is_no_such_name"));
  write_plan(folder, "  x[threadIdx.x] = 1;   // right again\n");
  CHECK(printed(".stdout", "no findings in 8 operations"));
  watching.send(SIGINT);
  const Ran ended = watching.wait();
  CHECK_MESSAGE(ended.code == 0, ended.err);
  check_failure(run_program(folder, {"check", "fft-radix2", "--watch"}), 2, "--watch checks a plan file");
}
