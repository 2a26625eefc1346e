// One kernel, its complex values kept in several ways: what is found in its accesses, and what checks say of it, is the same whether
// they are elements of a buffer or two real numbers each.
#include "checked.h"
#include "kernels/plan/plan.h"
#include "own_kernel.h"
#include "tracer/lift/known_parts.h"
#include "tracer/store/memory_trace.h"
#include "tracer/trace/memory/pairs.h"

#include <doctest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <set>

using namespace twiddle;

namespace {

enum class Storage { Elements, Planes, Turns, Halves };

constexpr std::uint64_t twin_points = 16;

// CPLX(z) is a parameter, GET(z, k) and PUT(z, k, v) an element.
std::string twin_macros(Storage storage) {
  switch (storage) {
    case Storage::Elements:
      return "#define CPLX(z) float2 *z\n#define GET(z, k) make_float2(z[k].x, z[k].y)\n"
             "#define PUT(z, k, v) z[k].x = (v).x, z[k].y = (v).y\n";
    case Storage::Planes:
      return "#define CPLX(z) float *z##r, float *z##i\n#define GET(z, k) make_float2(z##r[k], z##i[k])\n"
             "#define PUT(z, k, v) z##r[k] = (v).x, z##i[k] = (v).y\n";
    case Storage::Turns:
      return "#define CPLX(z) float *z\n#define GET(z, k) make_float2(z[2 * (k)], z[2 * (k) + 1])\n"
             "#define PUT(z, k, v) z[2 * (k)] = (v).x, z[2 * (k) + 1] = (v).y\n";
    case Storage::Halves:
      return "#define CPLX(z) float *z\n#define GET(z, k) make_float2(z[k], z[(k) + 16])\n"
             "#define PUT(z, k, v) z[k] = (v).x, z[(k) + 16] = (v).y\n";
  }
  return {};
}

const char* const twin_helpers =
    "__device__ float2 add(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }\n"
    "__device__ float2 sub(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }\n"
    "__device__ float2 mul(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }\n"
    "__device__ float2 turn(float k, float of) { float s, c; sincospif(-2 * k / of, &s, &c); return make_float2(c, s); "
    "}\n";

enum class TwinWay { InPlace, PingPong, Radix4 };

const std::map<TwinWay, std::string> twin_kernels = {
    {TwinWay::InPlace,
     "extern \"C\" __global__ void fft(CPLX(x), int n) {\n"
     "  for (int i = threadIdx.x; i < n; i += blockDim.x) {\n"
     "    int j = 0;\n"
     "    for (int b = 1; b < n; b <<= 1) j = 2 * j + ((i & b) != 0);\n"
     "    if (i < j) {\n"
     "      float2 u = GET(x, i), v = GET(x, j);\n"
     "      PUT(x, i, v); PUT(x, j, u);\n"
     "    }\n"
     "  }\n"
     "  __syncthreads();\n"
     "  for (int half = 1; half < n; half *= 2) {\n"
     "    int k = threadIdx.x % half, a = (threadIdx.x - k) * 2 + k, b = a + half;\n"
     "    float2 u = GET(x, a), v = mul(turn(k, 2 * half), GET(x, b));\n"
     "    PUT(x, a, add(u, v));\n"
     "    PUT(x, b, sub(u, v));\n"
     "    __syncthreads();\n"
     "  }\n"
     "}\n"},
    {TwinWay::PingPong,
     "extern \"C\" __global__ void fft(CPLX(x), CPLX(y), int n, int half) {\n"
     "  int g = threadIdx.x, k = g % half, d = (g - k) * 2 + k;\n"
     "  float2 u = GET(x, g), v = mul(turn(k, 2 * half), GET(x, g + n / 2));\n"
     "  PUT(y, d, add(u, v));\n"
     "  PUT(y, d + half, sub(u, v));\n"
     "}\n"},
    {TwinWay::Radix4,
     "extern \"C\" __global__ void fft(CPLX(x), CPLX(y), int n, int ns) {\n"
     "  int g = threadIdx.x, k = g % ns, d = (g - k) * 4 + k, q = n / 4;\n"
     "  float2 a = GET(x, g), b = mul(turn(k, 4 * ns), GET(x, g + q)), c = mul(turn(2 * k, 4 * ns), GET(x, g + 2 * "
     "q)),\n"
     "         e = mul(turn(3 * k, 4 * ns), GET(x, g + 3 * q));\n"
     "  float2 s = add(a, c), t = sub(a, c), u = add(b, e), v = sub(b, e);\n"
     "  PUT(y, d, add(s, u));\n"
     "  PUT(y, d + ns, make_float2(t.x + v.y, t.y - v.x));\n"
     "  PUT(y, d + 2 * ns, sub(s, u));\n"
     "  PUT(y, d + 3 * ns, make_float2(t.x - v.y, t.y + v.x));\n"
     "}\n"},
};

struct TwinEdit {
  std::string find, replace;
};

// The run, and the same numbers go into it whatever its storage.
class Twin {
 public:
  Twin(TwinWay way, Storage storage, const TwinEdit& edit = {}) : own_(text(way, storage, edit), ".cu") {
    for (std::size_t i = 0; i < twin_points; ++i)
      values_.emplace_back(std::sin(3.7f * float(i + 1)), std::cos(2.3f * float(i)));
    const std::vector<Argument> x = buffers("x", storage, true);
    if (way == TwinWay::InPlace) {
      launch(twin_points / 2, {x}, {int_argument(twin_points)});
    } else {
      const std::vector<Argument> y = buffers("y", storage, false);
      const bool four = way == TwinWay::Radix4;
      for (int pass = 0; pass < (four ? 2 : 4); ++pass)
        launch(twin_points / (four ? 4 : 2), {pass % 2 ? y : x, pass % 2 ? x : y},
               {int_argument(twin_points), int_argument(four ? 1 << (2 * pass) : 1 << pass)});
    }
    Expect& expect = own_.plan.expect;
    if (storage == Storage::Halves) return;  // no plan can say it
    expect.transform = Expect::Transform::Fft;
    expect.input = expect.output = storage == Storage::Planes ? "xr" : "x";
    if (storage == Storage::Planes) expect.from.imaginary = expect.to.imaginary = "xi";
    if (storage == Storage::Turns) expect.from.imaginary = expect.to.imaginary = "x";
    expect.bound = 1e-5;
    expect.bound_reason = "float";
  }
  const Plan& plan() const { return own_.plan; }

 private:
  static std::string text(TwinWay way, Storage storage, const TwinEdit& edit) {
    std::string kernel = twin_kernels.at(way);
    if (!edit.find.empty()) {
      const std::size_t at = kernel.find(edit.find);
      REQUIRE(at != std::string::npos);
      kernel.replace(at, edit.find.size(), edit.replace);
    }
    return twin_macros(storage) + twin_helpers + kernel;
  }
  Argument buffer(const std::string& name, ElementType type, bool filled, const std::vector<float>& numbers) {
    const BufferArgument made = own_.buffer(name, type, numbers.size() * sizeof(float) / traits(type).bytes);
    Content& content = own_.plan.buffers.back().content;
    content.kind = filled ? Content::Kind::File : Content::Kind::Zero;
    content.file = name + ".bin";
    std::ofstream(own_.plan.directory / content.file, std::ios::binary)
        .write(reinterpret_cast<const char*>(numbers.data()),
               static_cast<std::streamsize>(numbers.size() * sizeof(float)));
    return made;
  }
  std::vector<Argument> buffers(const std::string& name, Storage storage, bool filled) {
    std::vector<float> real, imaginary, both;
    for (const std::complex<float>& value : values_) {
      real.push_back(value.real()), imaginary.push_back(value.imag());
      both.push_back(value.real()), both.push_back(value.imag());
    }
    switch (storage) {
      case Storage::Elements: return {buffer(name, ElementType::Float2, filled, both)};
      case Storage::Turns: return {buffer(name, ElementType::Float, filled, both)};
      case Storage::Planes: {
        const Argument first = buffer(name + "r", ElementType::Float, filled, real);
        return {first, buffer(name + "i", ElementType::Float, filled, imaginary)};
      }
      case Storage::Halves: break;
    }
    real.insert(real.end(), imaginary.begin(), imaginary.end());
    return {buffer(name, ElementType::Float, filled, real)};
  }
  void launch(std::size_t items, const std::vector<std::vector<Argument>>& buffers, const std::vector<Argument>& rest) {
    std::vector<Argument> all;
    for (const std::vector<Argument>& one : buffers) all.insert(all.end(), one.begin(), one.end());
    all.insert(all.end(), rest.begin(), rest.end());
    own_.launch("fft", items, items, all);
  }

  OwnKernel own_;
  std::vector<std::complex<float>> values_;
};

std::vector<Operation> twin_operations(const Plan& plan, TraceInfo& info) {
  MemoryTrace memory;
  trace_plan(plan, *device_of("host"), {}, memory);
  Replay replay(memory.finish());
  info = replay.info();
  std::vector<Operation> all;
  for (std::uint64_t step = 1; step <= info.steps; ++step) all.push_back(replay.operation(step));
  return all;
}

void check_twins(const Operation& one, const Operation& other) {
  CHECK(one.kind == other.kind);
  CHECK(one.shape == other.shape);
  CHECK(std::tuple(one.launch, one.epoch, one.item) == std::tuple(other.launch, other.epoch, other.item));
  for (const auto& list : {&Operation::reads, &Operation::writes}) {
    REQUIRE((one.*list).size() == (other.*list).size());
    for (int i = 0; i < (one.*list).size(); ++i) {
      CHECK((one.*list)[i].index == (other.*list)[i].index);
      CHECK((one.*list)[i].value == (other.*list)[i].value);
    }
  }
  REQUIRE(one.coefficients.size() == other.coefficients.size());
  for (int c = 0; c < one.coefficients.size(); ++c)
    for (int part = 0; part < 2; ++part)
      CHECK(one.coefficients[c].component(part) == doctest::Approx(other.coefficients[c].component(part)));
}

// Errors by class and line of the kernel's own text, which begins at the same line in every storage.
std::string twin_errors(const Twin& twin) {
  std::set<std::string> all;
  for (const Finding& finding : checked(twin.plan(), *device_of("host")).findings)
    if (finding.severity == Severity::Error)
      all.insert(std::string(name_of(finding.kind)) + " at line " + std::to_string(finding.line) + "\n");
  std::string text;
  for (const std::string& one : all) text += one;
  return text;
}

}  // namespace

TEST_CASE("complex values in real arrays give the operations that complex elements give") {
  for (const TwinWay way : {TwinWay::InPlace, TwinWay::PingPong, TwinWay::Radix4}) {
    TraceInfo plain;
    const std::vector<Operation> wanted = twin_operations(Twin(way, Storage::Elements).plan(), plain);
    REQUIRE(wanted.size() >= 8);
    for (const Storage storage : {Storage::Planes, Storage::Turns, Storage::Halves}) {
      CAPTURE(static_cast<int>(way));
      CAPTURE(static_cast<int>(storage));
      TraceInfo info;
      const std::vector<Operation> found = twin_operations(Twin(way, storage).plan(), info);
      for (const LaunchInfo& launch : info.launches) CHECK(launch.accesses.explained_writes == launch.accesses.writes);
      REQUIRE(found.size() == wanted.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        CAPTURE(i);
        check_twins(found[i], wanted[i]);
        for (const auto& list : {&Operation::reads, &Operation::writes})
          for (const Access& access : found[i].*list)
            CHECK(info.buffers.at(static_cast<std::size_t>(access.buffer)).is_pair());
      }
    }
  }
}

TEST_CASE("what is wrong with complex values in real arrays is found as with complex elements") {
  const std::vector<std::pair<TwinWay, TwinEdit>> edits = {
      {TwinWay::InPlace, {"turn(k, 2 * half)", "turn(-k, 2 * half)"}},
      {TwinWay::InPlace, {"sub(u, v)", "add(u, v)"}},
      {TwinWay::PingPong, {"g + n / 2", "g + n / 4"}},
      {TwinWay::Radix4, {"turn(2 * k, 4 * ns)", "turn(k, 4 * ns)"}},
      {TwinWay::Radix4, {"x, g + 3 * q", "x, g + 4 * q"}},
  };
  for (const auto& [way, edit] : edits) {
    CAPTURE(edit.replace);
    const std::string wanted = twin_errors(Twin(way, Storage::Elements, edit));
    CHECK(!wanted.empty());
    for (const Storage storage : {Storage::Planes, Storage::Turns}) {
      CAPTURE(static_cast<int>(storage));
      CHECK(twin_errors(Twin(way, storage, edit)) == wanted);
    }
  }
  for (const TwinWay way : {TwinWay::InPlace, TwinWay::PingPong, TwinWay::Radix4})
    for (const Storage storage : {Storage::Planes, Storage::Turns, Storage::Halves})
      CHECK(twin_errors(Twin(way, storage)).empty());
}

TEST_CASE("two real signals that are treated alike are no complex one") {
  for (const std::string step :
       {"float a = l[i], b = l[j]; l[i] = a + b; l[j] = a - b; a = r[i]; b = r[j]; r[i] = a + b; "
        "r[j] = a - b;",
        "l[i] += l[j]; r[i] += r[j];", "l[i] = l[j]; r[i] = r[j];"}) {
    CAPTURE(step);
    OwnKernel own(
        "extern \"C\" __global__ void k(float *l, float *r, int h) {\n"
        "  int i = threadIdx.x % h + threadIdx.x / h * 2 * h, j = i + h;\n  " +
            step + "\n}\n",
        ".cu");
    own.plan.signal = "random:5";
    const auto left = own.buffer("left", ElementType::Float, twin_points, Content::Kind::Signal);
    const auto right = own.buffer("right", ElementType::Float, twin_points);
    for (const int h : {1, 2, 4}) own.launch("k", twin_points / 2, twin_points / 2, {left, right, int_argument(h)});
    TraceInfo info;
    const std::vector<Operation> found = twin_operations(own.plan, info);
    CHECK(info.buffers.size() == 2);
    for (const Operation& op : found) {
      CHECK(op.kind != OperationKind::Butterfly);
      if (step[0] == 'l' && step[5] == '+') CHECK(op.kind == OperationKind::Combine);
    }
  }
}

TEST_CASE("names say which array has real parts") {
  struct Case {
    const char *first, *second;
    int order;
  };
  for (const Case& one :
       {Case{"re", "im", 1}, Case{"im", "re", -1}, Case{"xr", "xi", 1}, Case{"outRe", "outIm", 1},
        Case{"in_real", "in_imag", 1}, Case{"real", "imaginary", 1}, Case{"r", "i", 1}, Case{"data_i", "data_r", -1},
        Case{"left", "right", 0}, Case{"a", "b", 0}, Case{"x", "y", 0}, Case{"re", "re", 0}, Case{"xr", "yi", 0},
        Case{"", "", 0}, Case{"colors", "colois", 0}, Case{"re1", "im2", 0}}) {
    CAPTURE(one.first);
    CHECK(order_of_names(one.first, one.second) == one.order);
  }
}
