// Right kernels by other hands, each with a trace line that says something that never happens: it is found, at its line. A twelfth of
// them here; with TWIDDLE_TEST_ALL set, all.
#include "checked.h"
#include "kernels/plan/plan.h"
#include "own_kernel.h"
#include "runtimes/forwarding_runtime.h"
#include "sample.h"
#include "tracer/source/source.h"
#include "tracer/syntax/syntax.h"

#include <doctest.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

using namespace twiddle;

namespace {

namespace fs = std::filesystem;

// A value that no kernel stores, in the language's words; none for types that are not tried.
std::string odd_value(ElementType type, bool cuda) {
  switch (type) {
    case ElementType::Float: return "12345.25f";
    case ElementType::Int: return "-123456789";
    case ElementType::UInt: return "3123456789u";
    case ElementType::Float2: return cuda ? "make_float2(12345.25f, 7.5f)" : "(float2)(12345.25f, 7.5f)";
    default: return {};
  }
}

/// The source with a trace line at the beginning of a kernel, which says that every work-item stores into element 0 of a
/// buffer. `line` becomes the line it is in; empty: no such line can be had.
std::string with_lie(const std::string& text, const std::string& kernel, bool cuda, int& line) {
  const std::vector<Token> tokens = tokenize(text);
  KernelSignature signature;
  try {
    signature = kernel_signature(text, kernel);
  } catch (const Error&) {
    return {};  // a macro makes it
  }
  for (const KernelDefinition& at : kernel_definitions(tokens)) {
    if (tokens[at.name].text != kernel) continue;
    for (std::size_t p = 0; p < signature.parameters.size(); ++p) {
      const ParameterType& type = signature.types[p];
      if (!type.pointer || type.local || type.constant || signature.read_only[p] || !type.element) continue;
      const std::string value = odd_value(*type.element, cuda);
      if (value.empty()) continue;
      const auto place = [&](std::size_t token) {
        return static_cast<std::size_t>(tokens[token].text.data() - text.data());
      };
      line = tokens[at.body].line + 1;
      std::string edited = text;
      edited.insert(place(at.body) + 1, " TRACE_STORE(" + signature.parameters[p] + ", 0, " + value + ");");
      edited.insert(place(at.close), " TRACE_PARAMS");
      return "#include \"trace_device.h\"\n" + edited;
    }
  }
  return {};
}

void lie_in_all(const std::string& language, const std::string& suffix, Runtime& runtime) {
  const fs::path folder = fs::path(TWIDDLE_TEST_DATA) / "../foreign" / language;
  std::set<fs::path> plans;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".toml" && entry.path().stem() != "wrong") plans.insert(entry.path());
  int tried = 0, false_lines = 0;
  Sample sample(12 / tests::slower, 2);  // as many under a sanitizer
  for (const fs::path& file : plans) {
    if (sample.skips()) continue;
    CAPTURE(file.filename().string());
    Plan plan = read_plan_file(file);
    // Beside the others' lines a launch's accesses are logged in a run of its own: one launch is enough.
    const auto launch = std::find_if(plan.launches.begin(), plan.launches.end(), [](const Launch& one) {
      return one.global[0] * one.global[1] * one.global[2] >= 8;
    });
    if (launch == plan.launches.end()) continue;
    std::ifstream in(folder / (file.stem().string() + suffix));
    if (!in) continue;
    std::stringstream text;
    text << in.rdbuf();
    int line = 0;
    const std::string edited = with_lie(text.str(), launch->kernel, language == "cuda", line);
    if (edited.empty()) continue;
    const synthetic::Folder copy;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".csv" || entry.path() == file)
        fs::copy_file(entry.path(), copy / entry.path().filename().string());
    std::ofstream(copy / (file.stem().string() + suffix)) << edited;
    try {
      const CheckedRun run = checked(read_plan_file(copy / file.filename().string()), runtime);
      // Values of integers are not judged as claims; what the device holds at the end is.
      const bool found = std::any_of(run.findings.begin(), run.findings.end(), [&](const Finding& one) {
        const bool of_lines = one.kind == FindingClass::FalseTraceLine || one.kind == FindingClass::InconsistentRead;
        return of_lines && one.line == line;
      });
      CAPTURE(run.text());
      CHECK_MESSAGE(found, "the line that lies is not found");
      false_lines += run.first(FindingClass::FalseTraceLine) != nullptr;
      ++tried;
    } catch (const Error& error) { MESSAGE(file.filename().string() << ": " << error.message().english()); }
  }
  MESSAGE(language << ": " << tried << " lines that lie were tried");
  CHECK(tried >= 2);
  // A few of a turn may be other ones.
  CHECK(false_lines * 10 >= (all_cases() ? tried * 9 : 1));
}

}  // namespace

TEST_CASE("trace lines that say what never happens are found in OpenCL kernels by other hands") {
  if (Runtime* runtime = device_of("opencl")) lie_in_all("opencl", ".cl", *runtime);
}

TEST_CASE("trace lines that say what never happens are found in CUDA kernels by other hands") {
  lie_in_all("cuda", ".cu", *device_of("host"));
}

TEST_CASE("a line that says that another value was moved is false, and no statement that reads is blamed") {
  const auto lies = [](const std::string& text, const std::string& extension, Runtime& runtime) {
    OwnKernel own(text, extension);
    own.plan.signal = "random:2";
    const auto in = own.buffer("in", ElementType::Float, 8, Content::Kind::Signal);
    const auto out = own.buffer("out", ElementType::Float, 8);
    own.launch("turn_round", 8, 8, {in, out});
    const CheckedRun run = checked(own.plan, runtime);
    CAPTURE(run.text());
    const Finding* found = run.first(FindingClass::FalseTraceLine);
    REQUIRE(found);
    CHECK(found->line == 6);
    CHECK(found->items == std::vector<std::uint64_t>{2});
    CHECK_FALSE(run.first(FindingClass::InconsistentRead));
  };
  const std::string body =
      "  float v = in[i];\n"
      "  out[7 - i] = v;\n"
      "  TRACE_MOVE(out, 7 - i, in, i, i == 2 ? v + 1.0f : v);\n"
      "}\n";
  lies("extern \"C\" __global__ void turn_round(const float *in, float *out TRACE_PARAMS) {\n  int i = threadIdx.x;\n" +
           body,
       ".cu", *device_of("host"));
  if (Runtime* runtime = device_of("opencl"))
    lies(
        "__kernel void turn_round(__global const float *in, __global float *out TRACE_PARAMS) {\n  int i = "
        "get_global_id(0);\n" +
            body,
        ".cl", *runtime);
}

namespace {

// Runs a kernel's first argument, a constant, as 4 while it logs accesses and as 8 at other times: as what a kernel does that nobody
// has put in order is another thing each time.
class OtherWhenLogged final : public ForwardingLog {
 public:
  OtherWhenLogged() : ForwardingLog(open_runtime("host", 0)) {}

  RawAccesses run_logged(const KernelCall& call, const AccessRequest& request) override {
    const BufferHandle count = std::get<KernelArgument::Memory>(call.arguments[0].value).buffer;
    const auto set = [&](std::int32_t value) { upload(count, 0, std::as_bytes(std::span(&value, 1))); };
    set(4);
    RawAccesses raw = ForwardingLog::run_logged(call, request);
    set(8);
    return raw;
  }
};

}  // namespace

TEST_CASE(
    "no line is false because its work-item went another way when it ran again, and that it was not compared is said") {
  OwnKernel own(
      "extern \"C\" __global__ void copy(const int *n, int *y, const int *x TRACE_PARAMS) {\n"
      "  int i = threadIdx.x;\n"
      "  if (i >= *n) return;\n"
      "  y[i] = x[i];\n"
      "  TRACE_MOVE(y, i, x, i, x[i]);\n"
      "}\n",
      ".cu");
  const auto n = own.buffer("n", ElementType::Int, 1, Content::Kind::Values),
             y = own.buffer("y", ElementType::Int, 8, Content::Kind::Zero), x = own.buffer("x", ElementType::Int, 8);
  own.plan.buffers[0].content.values = {8};
  own.launch("copy", 8, 8, {n, y, x});
  TraceOptions options;
  options.accesses = Accesses::All;
  OtherWhenLogged runtime;
  const CheckedRun run = checked(own.plan, runtime, options);
  CAPTURE(run.text());
  CHECK_FALSE(run.first(FindingClass::FalseTraceLine));
  CHECK(run.info.launches.at(0).accesses.logged);
  const std::vector<std::string> unchecked = unchecked_in(run.info);
  CAPTURE(fmt::format("{}", fmt::join(unchecked, "; ")));
  CHECK(std::any_of(unchecked.begin(), unchecked.end(), [](const std::string& sentence) {
    return sentence.find("work-items (4 of them) went another way when it ran again") != std::string::npos;
  }));
}

TEST_CASE("a line that tells of values of another type than its buffer's is told of where it is") {
  OwnKernel own(
      "extern \"C\" __global__ void add(float *x TRACE_PARAMS) {\n"
      "  int i = threadIdx.x;\n"
      "  x[i] += 1.0f;\n"
      "  TRACE_STORE(x, i, make_double2(x[i], 0.0));\n"
      "}\n",
      ".cu");
  const auto x = own.buffer("x", ElementType::Float, 8);
  own.launch("add", 8, 8, {x});
  const CheckedRun run = checked(own.plan, *device_of("host"));
  CAPTURE(run.text());
  const Finding* found = run.first(FindingClass::FalseTraceLine);
  REQUIRE(found);
  CHECK(found->line == 5);
  CHECK(found->message.english() ==
        "TRACE_STORE tells of values of another type than x has, which holds float: what it says is not kept");
}

TEST_CASE("lines with complex values of an array of floats mean its neighbours, two a value") {
  const auto kernel = [](const std::string& index, const std::string& sign) {
    return "#define FFT(F, LOAD, STORE)\\\n"
           "  int k = i % half, a = (i - k) * 2 + k, b = a + half;\\\n"
           "  float s, c; sincosf(-3.14159265f * k / half, &s, &c);\\\n"
           "  float2 u = LOAD(a), v = LOAD(b), w = make_float2(c, s);\\\n"
           "  float2 t = make_float2(w.x * v.x - w.y * v.y, w.x * v.y + w.y * v.x);\\\n"
           "  STORE(a, u.x + t.x, u.y + t.y); STORE(b, u.x - t.x, u.y - t.y);\n"
           "#define LOAD(k) make_float2(x[2 * (k)], x[2 * (k) + 1])\n"
           "#define STORE(k, re, im) x[2 * (k)] = re; x[2 * (k) + 1] = im\n"
           "extern \"C\" __global__ void stage(float *x, int half TRACE_PARAMS) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  FFT(x, LOAD, STORE)\n"
           "  TRACE_BUTTERFLY(x, " +
           index + ", w, u, make_float2(v.x, " + sign +
           "v.y));\n"
           "}\n";
  };
  struct Case {
    std::string index, sign;
    bool right;
  };
  for (const Case& one : {Case{"a, b", "", true}, Case{"2 * a, 2 * b", "", false}, Case{"a, b", "-", false}}) {
    CAPTURE(one.index);
    CAPTURE(one.sign);
    OwnKernel own(kernel(one.index, one.sign), ".cu");
    own.plan.signal = "random:3";
    const auto x = own.buffer("x", ElementType::Float, 16, Content::Kind::Signal);
    for (const int half : {1, 2, 4}) own.launch("stage", 4, 2, {x, int_argument(half)});
    const CheckedRun run = checked(own.plan, *device_of("host"));
    CAPTURE(run.text());
    REQUIRE(run.info.buffers.size() == 2);
    CHECK(run.info.buffers[1].name == "x:pairs");
    CHECK(run.info.buffers[1].is_pair());
    const Finding* found = run.first(FindingClass::FalseTraceLine);
    CHECK((found == nullptr) == one.right);
    if (one.right) CHECK_FALSE(run.any_errors());
    if (found) CHECK(found->line == 13);
  }
}
