// Traces made on the host, without a device: an in-place radix-2 FFT whose operations are logged as a device would log
// them, with the arithmetic of one kind of compiler or another. For tests of everything from the codec upwards.
#pragma once

#include "tracer/file/trace_file.h"
#include "tracer/store/memory_trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace twiddle::synthetic {

/// A new folder that goes away with everything in it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "twiddle-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Where a compiler fuses w·b = (w.x b.x − w.y b.y, w.x b.y + w.y b.x): not at all, the first product, or the second.
enum class Fusing { None, First, Second };

/// Called before (true) and after every call of the writer: for measurements.
inline std::function<void(bool)> on_append;

struct FftOptions {
  std::uint32_t n = 8;
  Fusing fusing = Fusing::First;
  bool inverse = false;
  bool random = false;       // random input, else the ramp
  double twiddle_error = 0;  // relative: what a device's sines and cosines are off by
  Detail detail = Detail::Values;
  std::uint32_t block = block_capacity;
  std::uint32_t group_size = 64;
  const char* runtime = "opencl";
  const char* source = "fft_radix2.cl";
};

/// The plan's first launches are bit reversal (in place) and the first stage (to another buffer); then a launch a stage.
/// Real is float or double.
template <typename Real>
class Fft {
 public:
  using Complex = std::array<Real, 2>;
  static constexpr ElementType type = sizeof(Real) == 8 ? ElementType::Double2 : ElementType::Float2;

  explicit Fft(const FftOptions& options) : options_(options), data_(options.n), f_(options.n) {
    std::mt19937_64 random(1);
    for (std::uint32_t i = 0; i < options.n; ++i) {
      const auto part = [&] { return static_cast<Real>(static_cast<double>(random() >> 40) * 0x1p-24 - 0.5); };
      data_[i] = options.random ? Complex{part(), part()} : Complex{static_cast<Real>(i), 0};
    }
    for (Complex& point : f_) fill_unknown(point);
    while ((1u << stages_) < options.n) ++stages_;
  }

  int stages() const { return stages_; }
  std::uint64_t swaps() const {
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < options_.n; ++i) count += i < reversed(i);
    return count;
  }
  std::uint64_t steps() const { return swaps() + std::uint64_t(stages_) * options_.n / 2; }

  TraceInfo info() const {
    TraceInfo info;
    info.program = "twiddle tests";
    info.created = "2024-01-01T00:00:00Z";
    info.runtime = options_.runtime;
    info.device = "a host that plays a device";
    info.title = Message("Radix-2 FFT");
    info.algorithm = "fft-radix2";
    info.signal = options_.random ? "random:1" : "ramp";
    info.parameters = {{"n", std::to_string(options_.n)}};
    info.detail = options_.detail;
    info.expect.transform = Expect::Transform::Fft;
    info.expect.input = "data";
    info.expect.output = "F";
    info.sources = {{options_.source, "// the kernels\n"}};
    info.sites = {{0, 10, 10, "TRACE_SWAP", {"data", ""}},
                  {0, 20, 20, "TRACE_BUTTERFLY_TO", {"F", "data"}},
                  {0, 30, 31, "TRACE_BUTTERFLY", {"F", ""}}};
    info.buffers = {buffer("data", true), buffer("F", false)};
    return info;
  }

  /// Everything but finish. `between` is called after every block, to look at what is written so far.
  void write(TraceSink& writer, const std::function<void()>& between = {}) {
    between_ = between;
    if (on_append) on_append(true);
    writer.begin(info());
    writer.first_content(0, bytes(data_));
    writer.first_content(1, bytes(f_));
    if (on_append) on_append(false);
    int number = 1;
    launch(writer, number, "bit_reversal", 0, options_.n, [&] { reverse(writer); });
    launch(writer, ++number, "first_stage", 1, options_.n / 2, [&] { stage(writer, 1); });
    for (int s = 2; s <= stages_; ++s)
      launch(writer, ++number, "fft_stage", s, options_.n / 2, [&] { stage(writer, s); });
  }
  std::filesystem::path write(const std::filesystem::path& file) {
    TraceWriter writer(file);
    write(writer);
    writer.finish();
    return file;
  }

  /// The same trace without a file.
  std::shared_ptr<const TraceSource> in_memory() {
    MemoryTrace memory;
    write(memory);
    return memory.finish();
  }

  const std::vector<Complex>& result() const { return f_; }
  template <typename T>
  static std::span<const std::byte> bytes(const std::vector<T>& values) {
    return std::as_bytes(std::span(values));
  }

  /// What the device's multiplication and addition give.
  Complex multiply(const Complex& w, const Complex& b) const {
    switch (options_.fusing) {
      case Fusing::First: return {std::fma(w[0], b[0], -(w[1] * b[1])), std::fma(w[0], b[1], w[1] * b[0])};
      case Fusing::Second: return {std::fma(-w[1], b[1], w[0] * b[0]), std::fma(w[1], b[0], w[0] * b[1])};
      case Fusing::None: break;
    }
    return {w[0] * b[0] - w[1] * b[1], w[0] * b[1] + w[1] * b[0]};
  }

 private:
  static void fill_unknown(Complex& point) {
    for (std::size_t at = 0; at < sizeof point; at += 4)
      std::memcpy(reinterpret_cast<std::byte*>(&point) + at, &uninitialised_pattern, 4);
  }
  BufferInfo buffer(const char* name, bool initialised) const {
    BufferInfo info;
    info.name = name;
    info.type = type;
    info.count = options_.n;
    info.shape = {options_.n};
    info.initialised = initialised;
    return info;
  }
  std::uint32_t reversed(std::uint32_t i) const {
    std::uint32_t r = 0;
    for (int bit = 0; bit < stages_; ++bit) r |= ((i >> bit) & 1) << (stages_ - 1 - bit);
    return r;
  }

  template <typename Body>
  void launch(TraceSink& writer, int number, const char* kernel, int stage, std::uint32_t items, const Body& body) {
    LaunchInfo info;
    info.number = number;
    info.kernel = kernel;
    info.stage = stage;
    info.label = stage == 0 ? "bit reversal" : "";
    info.global[0] = items;
    info.local[0] = std::min(options_.group_size, items);
    info.arguments = {"F", "int:8"};
    info.kernel_ns = 1000.0 * number;
    writer.begin_launch(info);
    attempted_ = 0;
    body();
    info.attempted = attempted_;
    if (on_append) on_append(true);
    writer.end_launch(info, [&](int which) { return bytes(which == 0 ? data_ : f_); });
    if (on_append) on_append(false);
  }

  // A block under construction: one site, one slot.
  struct Columns {
    std::vector<std::uint32_t> item;
    std::vector<std::vector<std::uint32_t>> index;
    std::vector<std::vector<Complex>> coefficients, reads, writes;
  };
  Columns columns(Shape shape) const {
    const ShapeTraits& make = traits(shape);
    Columns c;
    c.index.resize(static_cast<std::size_t>(make.index_words));
    c.coefficients.resize(static_cast<std::size_t>(make.coefficients));
    c.reads.resize(static_cast<std::size_t>(make.reads));
    c.writes.resize(static_cast<std::size_t>(make.writes));
    return c;
  }
  static std::vector<std::byte> copy(const std::vector<Complex>& values) {
    const auto from = std::as_bytes(std::span(values));
    return {from.begin(), from.end()};
  }
  void append(TraceSink& writer, int stage, Shape shape, int site, std::array<int, 2> buffers, Columns& c) {
    if (c.item.empty()) return;
    OperationBlock block;
    block.count = static_cast<std::uint32_t>(c.item.size());
    attempted_ += block.count;
    block.item = c.item;
    block.slot.assign(block.count, 0);
    SiteColumns out;
    out.site = site;
    out.shape = shape;
    out.value_type = out.coefficient_type = type;
    out.buffers[0] = buffers[0];
    out.buffers[1] = buffers[1];
    out.count = block.count;
    out.index = c.index;
    for (const auto& column : c.coefficients) out.coefficients.push_back(copy(column));
    if (options_.detail == Detail::Values) {
      for (const auto& column : c.reads) out.reads.push_back(copy(column));
      for (const auto& column : c.writes) out.writes.push_back(copy(column));
    }
    block.sites.push_back(std::move(out));
    if (on_append) on_append(true);
    writer.append(0, stage, std::move(block));
    if (on_append) on_append(false);
    c = columns(shape);
    if (between_) between_();
  }

  void reverse(TraceSink& writer) {
    Columns c = columns(Shape::Swap);
    for (std::uint32_t g = 0; g < options_.n; ++g) {
      const std::uint32_t r = reversed(g);
      if (g >= r) continue;
      c.item.push_back(g);
      c.index[0].push_back(g);
      c.index[1].push_back(r);
      c.reads[0].push_back(data_[g]);
      c.reads[1].push_back(data_[r]);
      std::swap(data_[g], data_[r]);
      c.writes[0].push_back(data_[g]);
      c.writes[1].push_back(data_[r]);
      if (c.item.size() == options_.block) append(writer, 0, Shape::Swap, 0, {0, -1}, c);
    }
    append(writer, 0, Shape::Swap, 0, {0, -1}, c);
  }

  Complex twiddle_of(std::uint32_t j, std::uint32_t span) {
    const double angle = (options_.inverse ? 2 : -2) * std::numbers::pi * j / span;
    const double error = 1 + options_.twiddle_error * (static_cast<double>(noise_() >> 11) * 0x1p-52 - 1);
    return {static_cast<Real>(std::cos(angle) * error), static_cast<Real>(std::sin(angle) * error)};
  }

  void stage(TraceSink& writer, int s) {
    const std::uint32_t half = 1u << (s - 1), span = 2 * half;
    const Shape shape = s == 1 ? Shape::Butterfly2To : Shape::Butterfly2;
    const auto& from = s == 1 ? data_ : f_;
    Columns c = columns(shape);
    noise_.seed(static_cast<std::uint64_t>(s));
    std::vector<Complex> table(half);  // a device gives the same twiddle for the same angle
    for (std::uint32_t j = 0; j < half; ++j) table[j] = twiddle_of(j, span);
    if (s == 1) table[0] = {1, 0};
    for (std::uint32_t g = 0; g < options_.n / 2; ++g) {
      const std::uint32_t j = g % half, i0 = g / half * span + j, i1 = i0 + half;
      const Complex a = from[i0], b = from[i1], t = s == 1 ? b : multiply(table[j], b);
      f_[i0] = {a[0] + t[0], a[1] + t[1]};
      f_[i1] = {a[0] - t[0], a[1] - t[1]};
      c.item.push_back(g);
      c.index[0].push_back(i0);
      c.index[1].push_back(i1);
      if (s == 1) c.index[2].push_back(i0), c.index[3].push_back(i1);
      c.coefficients[0].push_back(table[j]);
      c.reads[0].push_back(a);
      c.reads[1].push_back(b);
      c.writes[0].push_back(f_[i0]);
      c.writes[1].push_back(f_[i1]);
      if (c.item.size() == options_.block) append(writer, s, shape, s == 1 ? 1 : 2, buffers_of(s), c);
    }
    append(writer, s, shape, s == 1 ? 1 : 2, buffers_of(s), c);
  }
  static std::array<int, 2> buffers_of(int s) { return s == 1 ? std::array<int, 2>{1, 0} : std::array<int, 2>{1, -1}; }

  FftOptions options_;
  int stages_ = 0;
  std::vector<Complex> data_, f_;
  std::mt19937_64 noise_;
  std::uint64_t attempted_ = 0;
  std::function<void()> between_;
};

}  // namespace twiddle::synthetic
