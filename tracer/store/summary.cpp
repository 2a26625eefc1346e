#include "tracer/store/summary.h"

#include "tracer/store/chunks.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>

namespace twiddle {
namespace {

// The largest |value| of `count` values of one component each, or of pairs.
template <typename T>
float brightest_of(const std::byte* bytes, std::uint64_t count, int components) {
  double most = 0;  // of the squares for pairs
  for (std::uint64_t i = 0; i < count; ++i) {
    T value[2] = {};
    const std::size_t size = static_cast<std::size_t>(components) * sizeof(T);
    std::memcpy(value, bytes + i * size, size);
    const double x = static_cast<double>(value[0]), y = static_cast<double>(value[1]);
    const double power = components == 1 ? std::abs(x) : x * x + y * y;
    if (power > most) most = power;
  }
  return static_cast<float>(components == 1 ? most : std::sqrt(most));
}

// Complex floats are by far the most frequent, and in float the loop is several times as fast.
float brightest_of_complex(const std::byte* bytes, std::uint64_t count) {
  constexpr std::size_t lanes = 8;
  float most[lanes] = {};
  std::uint64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    float value[2 * lanes];
    std::memcpy(value, bytes + i * 8, sizeof value);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const float power = value[2 * lane] * value[2 * lane] + value[2 * lane + 1] * value[2 * lane + 1];
      most[lane] = power > most[lane] ? power : most[lane];
    }
  }
  const float squared = *std::max_element(most, most + lanes);
  // Squares out of a float's range: once more in double.
  if (!(squared < 1e30f) || (squared < 1e-30f && squared > 0)) return brightest_of<float>(bytes, count, 2);
  return std::max(std::sqrt(squared), brightest_of<float>(bytes + i * 8, count - i, 2));
}

// Of vectors the length.
float brightest_of_any(ElementType type, const std::byte* bytes, std::uint64_t count) {
  const ElementTraits& make = traits(type);
  double most = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    double power = 0;
    for (int c = 0; c < make.components; ++c) {
      const double part = component(type, bytes + i * make.bytes, c);
      power += part * part;
    }
    if (power > most) most = power;
  }
  return static_cast<float>(std::sqrt(most));
}

float brightest(ElementType type, const std::byte* bytes, std::uint64_t count) {
  switch (type) {
    case ElementType::Int: return brightest_of<std::int32_t>(bytes, count, 1);
    case ElementType::UInt: return brightest_of<std::uint32_t>(bytes, count, 1);
    case ElementType::Float: return brightest_of<float>(bytes, count, 1);
    case ElementType::Double: return brightest_of<double>(bytes, count, 1);
    case ElementType::Int2: return brightest_of<std::int32_t>(bytes, count, 2);
    case ElementType::UInt2: return brightest_of<std::uint32_t>(bytes, count, 2);
    case ElementType::Float2: return brightest_of_complex(bytes, count);
    case ElementType::Double2: return brightest_of<double>(bytes, count, 2);
    default: return brightest_of_any(type, bytes, count);
  }
}

// Whether something was written to these bytes of a buffer since summaries were last made.
bool touched(const ReplayMemory& memory, int buffer, std::uint64_t first_byte, std::uint64_t end_byte) {
  for (std::uint64_t page = first_byte / State::page_bytes; page * State::page_bytes < end_byte; ++page)
    if (memory.touched(buffer, page)) return true;
  return false;
}

// The same of parts of a pair's elements from `first` to `end`.
bool parts_touched(const ReplayMemory& memory, const BufferInfo& pair, std::uint64_t first, std::uint64_t end) {
  const std::uint64_t bytes = traits(pair.type).bytes / 2;
  return std::any_of(pair.parts->begin(), pair.parts->end(), [&](const BufferPart& part) {
    return first < end && touched(memory, part.buffer, part.at(first) * bytes, (part.at(end - 1) + 1) * bytes);
  });
}

// The largest modulus of a pair's elements from `first` to `end`.
float brightest_of_parts(const ReplayMemory& memory, const BufferInfo& pair, std::uint64_t first, std::uint64_t end) {
  const std::uint64_t bytes = traits(pair.type).bytes / 2;
  const BufferParts parts = *pair.parts;
  const auto value = [&](const BufferPart& part, std::uint64_t i) {
    return component(traits(pair.type).scalar, memory.bytes(part.buffer).data() + part.at(i) * bytes, 0);
  };
  double most = 0;
  for (std::uint64_t i = first; i < end; ++i)
    if (const double power = std::norm(std::complex(value(parts[0], i), value(parts[1], i))); power > most)
      most = power;
  return static_cast<float>(std::sqrt(most));
}

}  // namespace

void Summaries::add(std::span<const BufferInfo> buffers) {
  for (const BufferInfo& buffer : buffers) {
    buffers_.push_back(buffer);
    ranges_.emplace_back();
    if (buffer.space != Space::Local && buffer.count > schema::min_summarised)
      ranges_.back().assign(schema::summary_ranges, 0.0f);
  }
}

std::vector<bool> Summaries::renew(ReplayMemory& memory) {
  std::vector<bool> changed(buffers_.size(), false);
  for (std::size_t b = 0; b < buffers_.size(); ++b) {
    const BufferInfo& buffer = buffers_[b];
    const int number = static_cast<int>(b);
    const std::uint64_t count = buffer.count, ranges = ranges_[b].size();
    const std::size_t element = traits(buffer.type).bytes;
    const std::span<const std::byte> bytes = memory.bytes(number);
    for (std::uint64_t range = 0; range < ranges; ++range) {
      const std::uint64_t first = range_start(count, range, ranges), end = range_start(count, range + 1, ranges);
      // What a new pair's parts hold may have been written long ago.
      const bool changes = buffer.parts ? b >= renewed_ || parts_touched(memory, buffer, first, end)
                                        : touched(memory, number, first * element, end * element);
      if (!changes) continue;
      const float now = buffer.parts ? brightest_of_parts(memory, buffer, first, end)
                                     : brightest(buffer.type, bytes.data() + first * element, end - first);
      changed[b] = changed[b] || now != ranges_[b][range];
      ranges_[b][range] = now;
    }
  }
  renewed_ = buffers_.size();
  memory.forget_touched();
  return changed;
}

}  // namespace twiddle
