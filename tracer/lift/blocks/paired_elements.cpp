#include "tracer/lift/blocks/paired_elements.h"

#include "tracer/lift/known_parts.h"
#include "tracer/trace/memory/pair_beside.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace twiddle {
namespace {

struct Pairing {
  BufferParts parts;
  std::uint64_t count = 0;
  std::uint64_t real = 0;  // index of the real part that it is known of; it is no part of what tells pairings apart
  bool side_by_side() const { return parts[0].step == 2; }
  bool one_buffer() const { return parts[0].buffer == parts[1].buffer; }
  auto key() const {
    return std::tuple(parts[0].buffer, parts[0].first, parts[0].step, parts[1].buffer, parts[1].first, parts[1].step);
  }
  bool operator<(const Pairing& other) const { return key() < other.key(); }
};

Pairing in_two(int real, int imaginary, std::uint64_t count) {
  return {{BufferPart{real, 0, 1}, BufferPart{imaginary, 0, 1}}, count};
}
Pairing beside(int buffer, std::uint64_t count) {
  return {{BufferPart{buffer, 0, 2}, BufferPart{buffer, 1, 2}}, count / 2};
}

// `row` real parts and as many imaginary ones, and that `rows` times.
Pairing in_halves(int buffer, std::uint64_t row, std::uint64_t rows, std::uint64_t real) {
  BufferParts parts{BufferPart{buffer, 0, 1}, BufferPart{buffer, row, 1}};
  if (rows > 1)
    for (BufferPart& part : parts) part.row = row, part.row_step = 2 * row;
  return {parts, rows * row, real};
}

bool real_buffer(const BufferInfo* buffer) {
  return buffer && buffer->space != Space::Private && !buffer->is_image() &&
         (buffer->type == ElementType::Float || buffer->type == ElementType::Double);
}
// Of local arrays a pair is one of each work-group.
bool may_be_parts(const BufferInfo& real, const BufferInfo& imaginary) {
  return real.type == imaginary.type && (real.space == Space::Local) == (imaginary.space == Space::Local) &&
         real.launch == imaginary.launch;
}

// How two real elements are one complex one.
std::optional<Pairing> pairing_of(const TraceInfo& info, const Element& real, const Element& imaginary) {
  const BufferInfo *a = info.buffer(real.buffer), *b = info.buffer(imaginary.buffer);
  if (!real_buffer(a) || !real_buffer(b) || !may_be_parts(*a, *b)) return std::nullopt;
  if (real.buffer != imaginary.buffer) {
    if (real.index != imaginary.index) return std::nullopt;
    return in_two(real.buffer, imaginary.buffer, std::min(a->count, b->count));
  }
  if (imaginary.index == real.index + 1 && real.index % 2 == 0) return beside(real.buffer, a->count);
  // All real parts, and then all imaginary ones; of several transforms, those of one after those of another.
  if (imaginary.index <= real.index) return std::nullopt;
  const std::uint64_t distance = imaginary.index - real.index, whole = 2 * distance;
  if (real.index % whole >= distance || whole > a->count) return std::nullopt;
  return in_halves(real.buffer, distance, a->count / whole, real.index);
}

// The one that all points of an operation are of.
std::optional<Pairing> pairing_of(const Lifted& lifted, const LiftedOperation& op, const AccessLog& log,
                                  const TraceInfo& info) {
  std::optional<Pairing> all;
  const std::size_t width = op.component_bytes;
  for (std::size_t p = op.first_point; p < op.first_point + op.reads + op.writes; ++p) {
    const LiftedPoint& point = lifted.points[p];
    if (point.records == 0 || !point.complex) return std::nullopt;
    const auto re = element_at(log, info, point.record[0], point.byte[0], width);
    const auto im = element_at(log, info, part_record(point, 1), point.byte[1], width);
    const auto one = re && im ? pairing_of(info, *re, *im) : std::nullopt;
    if (!one) continue;  // an element of a buffer of complex values, or one that items exchange
    if (all && all->key() != one->key()) return std::nullopt;
    const std::uint64_t last = std::max(one->real, all ? all->real : 0);
    all = one;
    all->real = last;
  }
  return all;
}

// Whether a butterfly, or a factor, mixes real and imaginary parts; else it is one of two real values, twice.
bool mixes(const Lifted& lifted, const LiftedOperation& op) {
  constexpr double rounding = 1e-3;
  const auto factors = lifted.coefficients_of(op);
  return (op.kind == LiftedKind::Butterfly && op.radix() > 2) ||
         std::any_of(factors.begin(), factors.end(),
                     [](const std::complex<double>& factor) { return std::abs(factor.imag()) > rounding; });
}

// Pairs that the trace says something of, and whose values a launch moves or scales: what brings them into order, say.
std::vector<Pairing> said_of_moves(const Lifted& lifted, const AccessLog& log, const TraceInfo& info,
                                   const KnownParts& known) {
  constexpr std::size_t max_buffers = 64;
  std::set<int> touched;
  for (const LiftedOperation& op : lifted.operations)
    if (op.kind == LiftedKind::Move || op.kind == LiftedKind::Scale)
      for (const LiftedPoint& point : lifted.writes_of(op))
        if (point.records > 0 && real_buffer(info.buffer(log.buffer[point.record[0]])))
          touched.insert(log.buffer[point.record[0]]);
  std::vector<Pairing> said;
  if (touched.size() > max_buffers) return said;
  for (const int real : touched) {
    const std::uint64_t count = info.buffers[static_cast<std::size_t>(real)].count;
    if (known.take_turns(real)) said.push_back(beside(real, count));
    for (const int imaginary : touched)
      if (known.order(real, imaginary) > 0 && info.buffers[static_cast<std::size_t>(imaginary)].count == count &&
          may_be_parts(info.buffers[static_cast<std::size_t>(real)], info.buffers[static_cast<std::size_t>(imaginary)]))
        said.push_back(in_two(real, imaginary, count));
  }
  return said;
}

struct PairingUse {
  bool said = false;           // the trace says that it is one
  std::uint64_t max_real = 0;  // the last real part's index
  std::uint64_t operations = 0;
  bool mixed = false;
};

BufferInfo buffer_of(const Pairing& pairing, const TraceInfo& info, int launch) {
  const BufferInfo &real = info.buffers[static_cast<std::size_t>(pairing.parts[0].buffer)],
                   &imaginary = info.buffers[static_cast<std::size_t>(pairing.parts[1].buffer)];
  if (pairing.side_by_side()) return pair_beside_in(real, pairing.parts[0].buffer, launch);
  BufferInfo pair;
  pair.name = pairing.one_buffer() ? real.name + ":halves" : real.name + "+" + imaginary.name;
  pair.type = real.type == ElementType::Double ? ElementType::Double2 : ElementType::Float2;
  pair.count = pairing.count;
  pair.space = real.space == Space::Local ? Space::Local : Space::Global;
  pair.initialised = real.initialised && imaginary.initialised;
  pair.launch = launch;  // of local arrays it is theirs
  pair.shape = {pair.count};
  if (const std::uint64_t row = pairing.parts[0].row; row > 0) pair.shape = {pair.count / row, row};
  pair.parts = pairing.parts;
  return pair;
}

bool comes_in_halves(Shape shape) {
  switch (shape) {
    case Shape::Move:
    case Shape::Swap:
    case Shape::Scale:
    case Shape::ScaleTo:
    case Shape::Load:
    case Shape::Store: return true;
    default: return false;
  }
}

}  // namespace

namespace {

struct UsedPairing {
  Pairing pairing;
  PairingUse use;
  bool told() const { return use.said || use.mixed; }
};

// All that butterflies are of, in the order in which they are believed: those that are told of, those that the trace says
// something of first, then that of most operations.
std::vector<UsedPairing> pairings_of(const Lifted& lifted, const AccessLog& log, const TraceInfo& info) {
  const KnownParts known(info);
  const SharedElements shared(info);
  const auto is_said = [&](const Pairing& one) {
    return known.order(one.parts[0].buffer, one.parts[1].buffer) > 0 ||
           (one.side_by_side() && known.take_turns(one.parts[0].buffer));
  };
  // What is turned before it is a butterfly's point, or behind, is complex; rotations alone may be those of a plane.
  std::set<Pairing> turned;
  std::map<Pairing, PairingUse> found;
  const auto use_of = [&](const Pairing& one) -> PairingUse& {
    const auto [at, fresh] = found.try_emplace(one);
    if (fresh) at->second.said = is_said(one);  // compares names: once for all operations
    return at->second;
  };
  for (const LiftedOperation& op : lifted.operations) {
    if (op.kind == LiftedKind::Rotate && op.number == Number::Complex && mixes(lifted, op))
      if (const auto one = pairing_of(lifted, op, log, info)) turned.insert(*one);
    if (op.kind != LiftedKind::Butterfly || op.number != Number::Complex || !of_whole_values(lifted, op)) continue;
    // Both ends may be pairs of their own, and where one is known to be of complex values, the other is, too.
    std::array<std::optional<Pairing>, 2> end;
    std::array<bool, 2> complex{};
    for (const std::size_t e : {0U, 1U}) {
      LiftedOperation half = op;
      if (e == 1) half.first_point += op.reads;
      (e == 1 ? half.reads : half.writes) = 0;
      end[e] = pairing_of(lifted, half, log, info);
      complex[e] = (end[e] && use_of(*end[e]).said) ||
                   element_of(log, info, op, lifted.points[half.first_point], shared).has_value();
    }
    for (const std::size_t e : {0U, 1U}) {
      if (!end[e]) continue;
      PairingUse& one = use_of(*end[e]);
      ++one.operations;
      one.max_real = std::max(one.max_real, end[e]->real);
      one.mixed = one.mixed || complex[1 - e] || mixes(lifted, op);
    }
  }
  for (auto& [pairing, use] : found) use.mixed = use.mixed || turned.contains(pairing);
  for (const Pairing& pairing : said_of_moves(lifted, log, info, known)) ++use_of(pairing).operations;
  std::vector<UsedPairing> by_use;
  for (const auto& [pairing, use] : found) by_use.push_back({pairing, use});
  std::stable_sort(by_use.begin(), by_use.end(), [](const UsedPairing& a, const UsedPairing& b) {
    return std::tuple(a.told(), a.use.said, a.use.operations) > std::tuple(b.told(), b.use.said, b.use.operations);
  });
  return by_use;
}

// Those that are told of, or the others. A number is a part of one value: of the pairs that share some, the first known, and then
// in the order in which they are believed.
std::vector<BufferInfo> chosen_pairs(const Lifted& lifted, const AccessLog& log, const TraceInfo& info, int launch,
                                     bool told) {
  std::vector<bool> taken(info.buffers.size());
  for (const BufferInfo& buffer : info.buffers)
    if (buffer.parts)
      for (const BufferPart& part : *buffer.parts) taken[static_cast<std::size_t>(part.buffer)] = true;
  std::vector<BufferInfo> pairs;
  for (const UsedPairing& one : pairings_of(lifted, log, info)) {
    const Pairing& pairing = one.pairing;
    const auto real = static_cast<std::size_t>(pairing.parts[0].buffer),
               imaginary = static_cast<std::size_t>(pairing.parts[1].buffer);
    if (pairing.count == 0 || taken[real] || taken[imaginary]) continue;
    if (told && !one.told()) break;
    taken[real] = taken[imaginary] = true;
    if (one.told() != told) continue;
    // What is behind the only transform may be anything.
    const std::uint64_t row = pairing.parts[0].row;
    const bool one_row = row > 0 && one.use.max_real < row;
    pairs.push_back(buffer_of(one_row ? in_halves(pairing.parts[0].buffer, row, 1, 0) : pairing, info, launch));
  }
  return pairs;
}

}  // namespace

std::vector<BufferInfo> pairs_in(const Lifted& lifted, const AccessLog& log, const TraceInfo& info, int launch) {
  return chosen_pairs(lifted, log, info, launch, true);
}

std::vector<BufferInfo> undecided_pairs_in(const Lifted& lifted, const AccessLog& log, const TraceInfo& info,
                                           int launch) {
  std::vector<BufferInfo> pairs = chosen_pairs(lifted, log, info, launch, false);
  std::erase_if(pairs, [](const BufferInfo& pair) { return pair.space == Space::Local; });
  return pairs;
}

std::optional<PlacedOperation> PairedHalves::add(PlacedOperation one) {
  const auto side = pairs_.any() && comes_in_halves(one.shape) ? side_of(one.all) : std::nullopt;
  if (!side) return one;
  const std::uint32_t item = item_[one.record];
  Side other = *side;
  other.part = 1 - side->part;
  if (const auto found = waiting_.find({item, one.shape, other}); found != waiting_.end())
    if (std::optional<PlacedOperation> whole = joined(*side, one, found->second)) {
      waiting_.erase(found);
      return whole;
    }
  const auto [at, fresh] = waiting_.try_emplace({item, one.shape, *side});
  PlacedOperation before = std::exchange(at->second, std::move(one));
  return fresh ? std::nullopt : std::optional(std::move(before));
}

std::vector<PlacedOperation> PairedHalves::rest() {
  std::vector<PlacedOperation> all;
  for (auto& [key, half] : waiting_) all.push_back(std::move(half));
  waiting_.clear();
  return all;
}

// Nothing where they are two operations after all: with other factors, in other epochs, or far apart.
std::optional<PlacedOperation> PairedHalves::joined(const Side& side, const PlacedOperation& one,
                                                    const PlacedOperation& other) const {
  constexpr std::uint64_t max_records_apart = 256;
  const auto& [first, last] = other.record < one.record ? std::tie(other, one) : std::tie(one, other);
  if (one.coefficients != other.coefficients || epoch_[first.record] != epoch_[last.record] ||
      last.record - first.record > max_records_apart || touched_between(first, last.record))
    return std::nullopt;
  PlacedOperation whole = one;
  whole.record = last.record;
  whole.all = side.part == 0 ? both(side, one.all, other.all) : both(side, other.all, one.all);
  whole.value = (whole.all.writes.empty() ? whole.all.reads : whole.all.writes).front().type;
  if (one.shape != Shape::Scale && one.shape != Shape::ScaleTo) whole.coefficient = whole.value;
  return whole;
}

// Whether the item touches the elements of a half between it and a later record in a way that makes a difference.
bool PairedHalves::touched_between(const PlacedOperation& half, std::uint64_t later) const {
  const auto touched = [&](const std::vector<Element>& elements, std::uint64_t k) {
    return std::any_of(elements.begin(), elements.end(), [&](const Element& one) { return touches(log_, k, one); });
  };
  for (std::uint64_t k = half.record + 1; k < later; ++k) {
    const AccessKind kind = log_.sites[log_.site[k]].kind;
    if (!touches_memory(kind)) continue;
    if (touched(half.all.writes, k) || (is_write(kind) && touched(half.all.reads, k))) return true;
  }
  return false;
}

// Nothing where it is not all real or all imaginary parts.
std::optional<PairedHalves::Side> PairedHalves::side_of(const Elements& all) const {
  Side side;
  bool first = true;
  for (const std::vector<Element>* elements : {&all.reads, &all.writes})
    for (const Element& element : *elements) {
      const auto place = pairs_.place_of(element.buffer, element.index);
      if (!place) return std::nullopt;
      const auto [pair, part, index] = *place;
      int& of = elements == &all.reads ? side.read_pair : side.write_pair;
      if ((of >= 0 && of != pair) || (!first && side.part != part)) return std::nullopt;
      of = pair;
      side.part = part;
      side.indices.push_back(static_cast<std::uint32_t>(index));
      first = false;
    }
  if (first) return std::nullopt;
  return side;
}

// The complex elements of both.
Elements PairedHalves::both(const Side& side, const Elements& real, const Elements& imaginary) const {
  Elements all;
  std::size_t at = 0;
  const auto join = [&](const std::vector<Element>& re, const std::vector<Element>& im, int pair,
                        std::vector<Element>& out) {
    for (std::size_t i = 0; i < re.size(); ++i) {
      Element element;
      element.buffer = pair;
      element.index = side.indices[at++];
      element.type = info_.buffers[static_cast<std::size_t>(pair)].type;
      const std::size_t bytes = traits(element.type).bytes / 2;
      std::memcpy(element.bytes.data(), re[i].bytes.data(), bytes);
      std::memcpy(element.bytes.data() + bytes, im[i].bytes.data(), bytes);
      out.push_back(element);
    }
  };
  join(real.reads, imaginary.reads, side.read_pair, all.reads);
  join(real.writes, imaginary.writes, side.write_pair, all.writes);
  return all;
}

}  // namespace twiddle
