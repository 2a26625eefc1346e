#include "tracer/trace/memory/pairs.h"

#include "tracer/trace/memory/pair_beside.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <tuple>
#include <utility>

namespace twiddle {

// Whether the parts of `count` elements are elements of a buffer of `size`. Of a file the numbers may be anything.
static bool part_is_within(const BufferPart& part, std::uint64_t count, std::uint64_t size) {
  const bool rows = part.row > 0;
  if (part.step < 1 || (rows && (part.row_step < 1 || part.row - 1 > (part.row_step - 1) / part.step))) return false;
  if (count == 0) return true;
  if (part.first >= size) return false;
  const std::uint64_t behind = size - 1 - part.first;  // elements of the buffer
  const std::uint64_t rows_before = rows ? (count - 1) / part.row : 0;
  if (rows_before > 0 && rows_before > behind / part.row_step) return false;
  return count - 1 - rows_before * part.row <= (behind - rows_before * part.row_step) / part.step;
}

bool parts_are_valid(std::span<const BufferInfo> before, const BufferInfo& pair) {
  if (!pair.parts || pair.is_image() || (pair.space != Space::Global && pair.space != Space::Local)) return false;
  if (pair.type != ElementType::Float2 && pair.type != ElementType::Double2) return false;
  const ElementType component = pair.type == ElementType::Float2 ? ElementType::Float : ElementType::Double;
  return std::all_of(pair.parts->begin(), pair.parts->end(), [&](const BufferPart& part) {
    if (part.buffer < 0 || static_cast<std::size_t>(part.buffer) >= before.size()) return false;
    const BufferInfo& of = before[static_cast<std::size_t>(part.buffer)];
    return of.type == component && !of.is_pair() && !of.is_image() &&
           (pair.space == Space::Local ? of.space == Space::Local && of.launch == pair.launch
                                       : of.space == Space::Global || of.space == Space::Constant) &&
           part_is_within(part, pair.count, of.count);
  });
}

Operation in_parts(const TraceInfo& info, Operation operation) {
  for (SmallList<Access, 4>* accesses : {&operation.reads, &operation.writes}) {
    SmallList<Access, 4> all;
    for (const Access& access : *accesses) {
      const BufferInfo* buffer = info.buffer(access.buffer);
      if (!buffer || !buffer->is_pair()) {
        all.push(access);
        continue;
      }
      const BufferParts& parts = *buffer->parts;
      for (std::size_t p = 0; p < parts.size(); ++p) {
        Access part;
        part.buffer = parts[p].buffer;
        part.index = parts[p].at(access.index);
        part.known = access.known;
        part.value.type = info.buffers[static_cast<std::size_t>(part.buffer)].type;
        const std::size_t bytes = traits(part.value.type).bytes;
        std::memcpy(part.value.bits.data(), access.value.bits.data() + p * bytes, bytes);
        all.push(part);
      }
    }
    *accesses = all;
  }
  return operation;
}

BufferInfo pair_beside_in(const BufferInfo& buffer, int number, int launch) {
  BufferInfo pair;
  pair.name = buffer.name + ":pairs";
  pair.type = buffer.type == ElementType::Double ? ElementType::Double2 : ElementType::Float2;
  pair.count = buffer.count / 2;
  pair.shape = {pair.count};
  pair.space = buffer.space == Space::Local ? Space::Local : Space::Global;
  pair.initialised = buffer.initialised;
  pair.launch = launch;
  pair.parts = BufferParts{BufferPart{number, 0, 2}, BufferPart{number, 1, 2}};
  return pair;
}

int pair_of(const TraceInfo& info, int real, int imaginary) {
  const BufferParts wanted = real == imaginary ? BufferParts{BufferPart{real, 0, 2}, BufferPart{imaginary, 1, 2}}
                                               : BufferParts{BufferPart{real, 0, 1}, BufferPart{imaginary, 0, 1}};
  for (std::size_t b = 0; b < info.buffers.size(); ++b)
    if (info.buffers[b].parts == wanted) return static_cast<int>(b);
  return -1;
}

bool parts_take_turns(const TraceInfo& info) {
  const Expect& expect = info.expect;
  const TransformTraits& make = traits(expect.transform);
  if (!make.fourier || make.plane || expect.transform == Expect::Transform::RealFft || !expect.plain()) return false;
  const BufferInfo *in = info.buffer(info.buffer_named(expect.input)),
                   *out = info.buffer(info.buffer_named(expect.output));
  const auto real = [](const BufferInfo* one) { return one && traits(one->type).components == 1; };
  return real(in) && real(out) && in->count == out->count;
}

ExpectedBuffers expected_buffers(const TraceInfo& info) {
  ExpectedBuffers expected;
  expected.plain = true;
  const bool turns = parts_take_turns(info);
  for (const auto& [name, side, buffer] : {std::tuple(&info.expect.input, &info.expect.from, &expected.input),
                                           std::tuple(&info.expect.output, &info.expect.to, &expected.output)}) {
    *buffer = info.buffer_named(*name);
    Expect::Side rest = *side;
    const int imaginary = turns ? *buffer : info.buffer_named(side->imaginary);
    if (const int pair = imaginary < 0 ? -1 : pair_of(info, *buffer, imaginary); pair >= 0) {
      *buffer = pair;
      rest.imaginary.clear();
    } else if (turns) {
      expected.plain = false;
    }
    expected.plain = expected.plain && rest == Expect::Side{};
  }
  return expected;
}

std::vector<SameElement> same_elements(const TraceInfo& info, int buffer, std::uint64_t index) {
  std::vector<SameElement> all{{buffer, index}};
  SharedElements(info).for_each_other(buffer, index, [&](int other, std::uint64_t element) {
    all.push_back({other, element});
  });
  return all;
}

SharedElements::SharedElements(const TraceInfo& info) {
  for (std::size_t b = 0; b < info.buffers.size(); ++b)
    if (const BufferInfo& buffer = info.buffers[b]; buffer.parts)
      pairs_.push_back({static_cast<int>(b), buffer.count, *buffer.parts});
}

std::optional<SharedElements::Place> SharedElements::place_of(int buffer, std::uint64_t index) const {
  for (const Pair& pair : pairs_)
    for (std::size_t p = 0; p < pair.parts.size(); ++p)
      if (const auto inside = index_in(pair, pair.parts[p], buffer, index))
        return Place{pair.number, static_cast<int>(p), *inside};
  return std::nullopt;
}

}  // namespace twiddle
