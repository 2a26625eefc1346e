#include "tracer/lift/elements.h"

#include "tracer/access/texel.h"

#include <cstring>

namespace twiddle {

std::uint64_t part_record(const LiftedPoint& point, int part) {
  return point.record[part == 1 && point.records == 2 ? 1 : 0];
}

bool touches(const AccessLog& log, std::uint64_t record, const Element& element) {
  const std::uint64_t size = traits(element.type).bytes, first = element.index * size, at = log.offset[record];
  return log.buffer[record] == element.buffer && at < first + size && first < at + log.sites[log.site[record]].chunk;
}

void copy_part(const AccessLog& log, std::uint64_t record, int byte, std::size_t count, std::byte* out) {
  const std::uint64_t value = log.value[record] >> (8 * byte);
  std::memcpy(out, &value, std::min<std::size_t>(count, sizeof value));
}

std::optional<Element> element_at(const AccessLog& log, const TraceInfo& info, std::uint64_t record, int byte,
                                  std::size_t bytes) {
  const BufferInfo* buffer = info.buffer(log.buffer[record]);
  if (!buffer || buffer->space == Space::Private) return std::nullopt;  // an item's own array is as good as registers
  const std::uint64_t offset = log.offset[record] + static_cast<std::uint64_t>(byte), size = traits(buffer->type).bytes;
  if (size != bytes || offset % size != 0 || texel_outside(offset)) return std::nullopt;
  Element element;
  element.buffer = log.buffer[record];
  // An access before the buffer has a negative offset, and an index as an int below zero is logged.
  element.index = static_cast<std::uint32_t>(static_cast<std::int64_t>(offset) / static_cast<std::int64_t>(size));
  element.type = buffer->type;
  return element;
}

namespace {

// The element of a pair of which a point's records are the two parts.
std::optional<Element> paired_element_of(const AccessLog& log, const TraceInfo& info, const LiftedOperation& op,
                                         const LiftedPoint& point, const SharedElements& pairs) {
  const std::size_t width = op.component_bytes;
  const std::uint64_t second = part_record(point, 1);
  const std::optional<Element> real = element_at(log, info, point.record[0], point.byte[0], width),
                               imaginary = element_at(log, info, second, point.byte[1], width);
  if (!real || !imaginary) return std::nullopt;
  const auto one = pairs.place_of(real->buffer, real->index),
             other = pairs.place_of(imaginary->buffer, imaginary->index);
  if (!one || !other || one->pair != other->pair || one->index != other->index || one->part != 0 || other->part != 1)
    return std::nullopt;
  Element element{
      one->pair, static_cast<std::uint32_t>(one->index), info.buffers[static_cast<std::size_t>(one->pair)].type, {}};
  copy_part(log, point.record[0], point.byte[0], width, element.bytes.data());
  copy_part(log, second, point.byte[1], width, element.bytes.data() + width);
  return element;
}

}  // namespace

std::optional<Element> element_of(const AccessLog& log, const TraceInfo& info, const LiftedOperation& op,
                                  const LiftedPoint& point, const SharedElements& pairs) {
  if (point.records == 0) return std::nullopt;
  const std::size_t width = op.component_bytes, parts = point.complex ? 2 : 1;
  std::optional<Element> element = element_at(log, info, point.record[0], point.byte[0], width * parts);
  if (!element) return parts == 2 && pairs.any() ? paired_element_of(log, info, op, point, pairs) : element;
  copy_part(log, point.record[0], point.byte[0], width, element->bytes.data());
  if (parts == 2) {
    const std::uint64_t second = part_record(point, 1);
    if (log.buffer[second] != element->buffer ||
        log.offset[second] + point.byte[1] != log.offset[point.record[0]] + point.byte[0] + width)
      return std::nullopt;
    copy_part(log, second, point.byte[1], width, element->bytes.data() + width);
  }
  return element;
}

std::optional<WideElement> wide_element_at(const AccessLog& log, const TraceInfo& info, std::uint64_t record,
                                           std::uint64_t begin, std::uint64_t end) {
  const BufferInfo* buffer = info.buffer(log.buffer[record]);
  if (!buffer || buffer->space == Space::Private || traits(buffer->type).components <= 2) return std::nullopt;
  if (texel_outside(log.offset[record])) return std::nullopt;
  const std::uint64_t size = traits(buffer->type).bytes, chunk = log.sites[log.site[record]].chunk;
  const std::uint64_t within = log.offset[record] % size;
  if (size > sizeof(Element::bytes) || size % chunk != 0 || within % chunk != 0) return std::nullopt;
  const std::uint64_t parts = size / chunk, before = within / chunk;
  if (record - begin < before || end - (record - before) < parts) return std::nullopt;
  WideElement wide;
  wide.first = record - before;
  wide.last = wide.first + parts - 1;
  wide.element.buffer = log.buffer[record];
  wide.element.index =
      static_cast<std::uint32_t>(static_cast<std::int64_t>(log.offset[wide.first]) / static_cast<std::int64_t>(size));
  wide.element.type = buffer->type;
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint64_t k = wide.first + part;
    if (log.site[k] != log.site[record] || log.buffer[k] != log.buffer[record] ||
        log.offset[k] != log.offset[wide.first] + part * chunk)
      return std::nullopt;
    copy_part(log, k, 0, chunk, wide.element.bytes.data() + part * chunk);
  }
  return wide;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> bytes_in_element(const AccessLog& log, const TraceInfo& info,
                                                                        const LiftedOperation& op,
                                                                        const LiftedPoint& point) {
  const BufferInfo* buffer = point.records > 0 ? info.buffer(log.buffer[point.record[0]]) : nullptr;
  if (!buffer) return std::nullopt;
  const std::uint64_t first = log.offset[point.record[0]] + point.byte[0], width = op.component_bytes;
  const std::uint64_t second = part_record(point, 1);
  if (point.complex && log.offset[second] + point.byte[1] != first + width) return std::nullopt;
  const std::uint64_t from = first % traits(buffer->type).bytes;
  return std::pair(from, from + (point.complex ? 2 * width : width));
}

namespace {

// Whether a store changes an element, and whether it puts these bytes into one: of what size and where it says.
bool changes(const AccessLog& log, std::uint64_t store, const Element& element) {
  if (!touches(log, store, element)) return false;
  const std::uint64_t size = traits(element.type).bytes, first = element.index * size, at = log.offset[store];
  const std::uint64_t chunk = log.sites[log.site[store]].chunk;
  const std::uint64_t from = std::max(at, first), to = std::min(at + chunk, first + size);
  return std::memcmp(reinterpret_cast<const std::byte*>(&log.value[store]) + (from - at),
                     element.bytes.data() + (from - first), to - from) != 0;
}
bool puts(const AccessLog& log, std::uint64_t store, std::uint64_t end, const Element& element) {
  const std::uint64_t size = traits(element.type).bytes;
  for (std::uint64_t done = 0; done < size; ++store) {
    if (store >= end) return false;
    const AccessSite& site = log.sites[log.site[store]];
    if (site.kind != AccessKind::Store || log.buffer[store] != element.buffer || site.chunk > size - done) return false;
    if (done == 0 ? log.offset[store] % size != 0 : log.offset[store] != log.offset[store - 1] + site.chunk)
      return false;
    if (std::memcmp(&log.value[store], element.bytes.data() + done, site.chunk) != 0) return false;
    done += site.chunk;
  }
  return true;
}

}  // namespace

std::optional<Elements> elements_of(const Lifted& lifted, const LiftedOperation& op, const AccessLog& log,
                                    const TraceInfo& info, const SharedElements& pairs) {
  Elements all;
  for (const LiftedPoint& point : lifted.reads(op)) {
    const std::optional<Element> element = element_of(log, info, op, point, pairs);
    if (!element) return std::nullopt;
    all.reads.push_back(*element);
  }
  for (const LiftedPoint& point : lifted.writes_of(op)) {
    const std::optional<Element> element = element_of(log, info, op, point, pairs);
    if (!element) return std::nullopt;
    all.writes.push_back(*element);
  }
  // A shape names one buffer that is read and one that is written, of one type.
  for (const std::vector<Element>* elements : {&all.reads, &all.writes})
    for (const Element& element : *elements)
      if (element.type != all.writes.front().type) return std::nullopt;
  return all;
}

bool of_whole_values(const Lifted& lifted, const LiftedOperation& op) {
  const auto whole = [](const LiftedPoint& point) { return point.complex && !point.conjugated; };
  const auto reads = lifted.reads(op), writes = lifted.writes_of(op);
  return std::all_of(reads.begin(), reads.end(), whole) && std::all_of(writes.begin(), writes.end(), whole);
}

bool one_buffer(const std::vector<Element>& elements) {
  return std::all_of(elements.begin(), elements.end(),
                     [&](const Element& one) { return one.buffer == elements.front().buffer; });
}

bool in_place(const Elements& all) {
  return all.reads.size() == all.writes.size() &&
         std::equal(all.reads.begin(), all.reads.end(), all.writes.begin(),
                    [](const Element& a, const Element& b) { return a.same_place(b); });
}

std::uint64_t last_of(std::span<const LiftedPoint> points) {
  std::uint64_t last = 0;
  for (const LiftedPoint& point : points)
    for (int r = 0; r < point.records; ++r) last = std::max(last, point.record[r]);
  return last;
}

void follow_copies(const Lifted& lifted, const LiftedOperation& op, const AccessLog& log, Elements& all) {
  constexpr std::uint64_t max_records_between = 64;
  const auto points = lifted.reads(op);
  if (points.size() != all.reads.size() || op.writes == 0) return;
  std::uint64_t end = last_of(lifted.writes_of(op));
  for (const LiftedPoint& point : lifted.writes_of(op)) end = std::min(end, last_of({&point, 1}));
  bool followed = false;
  for (std::size_t r = 0; r < points.size(); ++r) {
    Element& read = all.reads[r];
    const std::uint64_t loaded = last_of({&points[r], 1});
    if (loaded >= end || end - loaded > max_records_between) continue;
    bool overwritten = false;
    std::optional<Element> copy;
    for (std::uint64_t k = loaded + 1; k < end; ++k) {
      if (log.sites[log.site[k]].kind != AccessKind::Store) continue;
      overwritten = overwritten || touches(log, k, read);
      if (copy && changes(log, k, *copy)) copy.reset();
      if (!copy && !touches(log, k, read) && puts(log, k, end, read)) {
        copy = read;
        copy->index = static_cast<std::uint32_t>(log.offset[k] / traits(read.type).bytes);
      }
    }
    if (!overwritten || !copy) continue;
    read = *copy;
    followed = true;
  }
  // In the order of elements, as terms of a sum are written down.
  if (followed && op.kind == LiftedKind::Sum)
    std::sort(all.reads.begin(), all.reads.end(), [](const Element& a, const Element& b) { return a.index < b.index; });
}

}  // namespace twiddle
