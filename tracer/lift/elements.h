// What lifted operations read and wrote, as whole elements of buffers.
#pragma once

#include "tracer/access/access.h"
#include "tracer/lift/lift.h"
#include "tracer/trace/memory/pairs.h"
#include "tracer/trace/trace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace twiddle {

/// A whole element of a buffer that an operation touched.
struct Element {
  int buffer = -1;
  std::uint32_t index = 0;
  ElementType type = ElementType::Float;
  std::array<std::byte, 16> bytes{};

  bool same_place(const Element& other) const { return buffer == other.buffer && index == other.index; }
};

/// The record that a complex value's real part (0) or imaginary part (1) is in.
std::uint64_t part_record(const LiftedPoint& point, int part);
/// Whether a record is about some of an element's bytes.
bool touches(const AccessLog& log, std::uint64_t record, const Element& element);
/// `count` bytes of a record's value, from a byte on.
void copy_part(const AccessLog& log, std::uint64_t record, int byte, std::size_t count, std::byte* out);
/// The element of `bytes` bytes that begins at a byte of a record, still without its value; none where no buffer has such, or
/// where the memory is an item's own, which is as good as registers.
std::optional<Element> element_at(const AccessLog& log, const TraceInfo& info, std::uint64_t record, int byte,
                                  std::size_t bytes);
/// The element that a point is, of a buffer or of a pair of two; none where it is part of one, or of several.
std::optional<Element> element_of(const AccessLog& log, const TraceInfo& info, const LiftedOperation& op,
                                  const LiftedPoint& point, const SharedElements& pairs);

/// An element of more than the two numbers that operations are made of, a float4 say, and the records that are all of it, one
/// after another.
struct WideElement {
  Element element;
  std::uint64_t first = 0, last = 0;  // records
};
/// The one that a record is a part of; nothing where the statement touched a part of it alone. `begin` and `end` are the item's
/// records.
std::optional<WideElement> wide_element_at(const AccessLog& log, const TraceInfo& info, std::uint64_t record,
                                           std::uint64_t begin, std::uint64_t end);
/// The bytes of a point from its element's start, [first, second); nothing where its two parts do not follow each other.
std::optional<std::pair<std::uint64_t, std::uint64_t>> bytes_in_element(const AccessLog& log, const TraceInfo& info,
                                                                        const LiftedOperation& op,
                                                                        const LiftedPoint& point);

/// Are all its points complex values that were taken as they are? Of a butterfly of real values, or of half a spectrum, they are
/// not.
bool of_whole_values(const Lifted& lifted, const LiftedOperation& op);

struct Elements {
  std::vector<Element> reads, writes;
};
/// Nothing where one of the points is no element.
std::optional<Elements> elements_of(const Lifted& lifted, const LiftedOperation& op, const AccessLog& log,
                                    const TraceInfo& info, const SharedElements& pairs);
bool one_buffer(const std::vector<Element>& elements);
bool in_place(const Elements& all);

/// The last record that points are in.
std::uint64_t last_of(std::span<const LiftedPoint> points);

/// A value that the item read, and overwrote where it was before the operation, is read where the item put it meanwhile: what
/// a sweep of a scan does after it has exchanged two elements.
void follow_copies(const Lifted& lifted, const LiftedOperation& op, const AccessLog& log, Elements& all);

}  // namespace twiddle
