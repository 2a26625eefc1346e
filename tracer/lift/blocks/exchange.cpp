#include "tracer/lift/blocks/exchange.h"

#include <algorithm>
#include <unordered_map>

namespace twiddle {
namespace {

constexpr std::uint64_t unwritten = UINT64_MAX;
constexpr int max_passes = 16;  // of operations that depend on others

bool of_complex_values(const Lifted& lifted, const LiftedOperation& op) {
  const auto points = lifted.reads(op);
  if (op.number != Number::Complex || std::any_of(points.begin(), points.end(), [](const LiftedPoint& point) {
        return point.records == 0 || point.conjugated;
      }))
    return false;
  switch (op.kind) {
    case LiftedKind::Butterfly: return of_whole_values(lifted, op);
    case LiftedKind::Move: return op.reads != 1 || of_whole_values(lifted, op);
    case LiftedKind::Scale:
    case LiftedKind::Rotate: return true;
    case LiftedKind::Pack:
      return op.writes == 2 && !op.mirrored && op.scale == 1;  // the others are loads and stores in a trace
    case LiftedKind::Linear:
      return op.writes == 1 &&
             std::all_of(points.begin(), points.end(), [](const LiftedPoint& point) { return point.complex; });
    default: return false;
  }
}

}  // namespace

Exchanges::Exchanges(const Lifted& lifted, const AccessLog& log, const TraceInfo& info, const LaunchInfo& launch,
                     const std::vector<int>& epoch, const SharedElements& pairs)
    : lifted_(lifted), log_(log), info_(info), pairs_(pairs), launch_(launch), epoch_(epoch) {
  if (!choose_arrays()) return;
  find_sources();
  note_writers();
  find_source_points();
  for (int pass = 0; pass < max_passes; ++pass) {
    settle();
    if (place_points()) return;
  }
  leave_all();
}

bool Exchanges::local(std::uint64_t record) const {
  const BufferInfo* buffer = info_.buffer(log_.buffer[record]);
  return buffer && buffer->space == Space::Local;
}

bool Exchanges::takes_part(const LiftedOperation& op) const {
  const auto touches = [&](const LiftedPoint& point) {
    return in_exchange(part_record(point, 0)) || in_exchange(part_record(point, 1));
  };
  const auto reads = lifted_.reads(op), writes = lifted_.writes_of(op);
  return std::any_of(reads.begin(), reads.end(), touches) || std::any_of(writes.begin(), writes.end(), touches);
}

// Arrays that hold a value's parts apart, or that an operation writes in a later epoch than it reads.
bool Exchanges::choose_arrays() {
  exchanged_.assign(info_.buffers.size(), false);
  unit_.assign(info_.buffers.size(), 0);
  bool any = false;
  for (const LiftedOperation& op : lifted_.operations) {
    if (!of_complex_values(lifted_, op)) continue;
    std::map<int, int> read_in;  // array → first epoch
    const auto look = [&](const LiftedPoint& point, bool write) {
      const std::uint64_t re = part_record(point, 0), im = part_record(point, 1);
      if (!point.complex || !local(re) || !local(im)) return;
      const bool apart = !element_of(log_, info_, op, point, pairs_);
      bool again = false;
      if (!write)
        read_in.try_emplace(log_.buffer[re], epoch_[re]);
      else if (const auto read = read_in.find(log_.buffer[re]); read != read_in.end())
        again = read->second < epoch_[re];
      if (!apart && !again) return;
      any = true;
      for (const std::uint64_t record : {re, im}) exchanged_[log_.buffer[record]] = true;
      if (apart) unit_[log_.buffer[re]] = op.component_bytes;
    };
    for (const LiftedPoint& point : lifted_.reads(op)) look(point, false);
    for (const LiftedPoint& point : lifted_.writes_of(op)) look(point, true);
  }
  for (std::size_t b = 0; b < unit_.size(); ++b)
    if (exchanged_[b] && unit_[b] == 0) unit_[b] = traits(info_.buffers[b].type).bytes;
  return any;
}

// Who wrote what is read: group by group, epoch by epoch, items in order. A value that is another one than was written there
// last has no source.
void Exchanges::find_sources() {
  source_.assign(log_.size(), {unwritten, unwritten});
  std::unordered_map<std::uint64_t, std::uint64_t> last;  // word of an array → record
  const std::uint64_t size = std::max<std::uint64_t>(launch_.group_size(), 1);
  std::vector<std::uint64_t> at;
  for (std::uint64_t first = 0; first < log_.items();) {
    const std::uint64_t group = (log_.first_item + first) / size;
    std::uint64_t end = first;
    int epochs = 0;
    at.clear();
    for (; end < log_.items() && (log_.first_item + end) / size == group; ++end) {
      at.push_back(log_.begin[end]);
      if (log_.begin[end + 1] > log_.begin[end]) epochs = std::max(epochs, epoch_[log_.begin[end + 1] - 1] + 1);
    }
    last.clear();
    for (int epoch = 0; epoch < epochs; ++epoch)
      for (std::uint64_t item = first; item < end; ++item)
        for (std::uint64_t& k = at[item - first]; k < log_.begin[item + 1] && epoch_[k] == epoch; ++k) {
          const AccessSite& site = log_.sites[log_.site[k]];
          if (!touches_memory(site.kind) || !in_exchange(k)) continue;
          for (std::uint64_t word = 0; word < site.chunk; word += 4) {
            const std::uint64_t place =
                static_cast<std::uint64_t>(log_.buffer[k]) << 40 ^ ((log_.offset[k] + word) / 4);
            if (is_write(site.kind)) {
              last[place] = k;
              continue;
            }
            const auto found = last.find(place);
            if (found == last.end()) continue;
            const std::uint64_t from = found->second, skipped = log_.offset[k] + word - log_.offset[from];
            if (static_cast<std::uint32_t>(log_.value[from] >> (8 * skipped)) ==
                static_cast<std::uint32_t>(log_.value[k] >> (8 * word)))
              source_[k][word / 4] = from;
          }
        }
    first = end;
  }
}

void Exchanges::note_writers() {
  writer_.assign(log_.size(), {});
  through_.assign(lifted_.operations.size(), false);
  for (std::size_t i = 0; i < lifted_.operations.size(); ++i) {
    const LiftedOperation& op = lifted_.operations[i];
    if (!of_complex_values(lifted_, op) || !takes_part(op)) continue;
    through_[i] = true;
    for (std::uint32_t w = 0; w < op.writes; ++w) {
      const LiftedPoint& point = lifted_.writes_of(op)[w];
      for (int part = 0; part < 2; ++part)
        if (const std::uint64_t record = part_record(point, part); in_exchange(record))
          for (int word = 0; word < op.component_bytes / 4; ++word)
            writer_[record][static_cast<std::size_t>((point.byte[part] / 4 + word) % 2)] = {
                static_cast<std::uint32_t>(i), w};
    }
  }
}

void Exchanges::find_source_points() {
  source_points_.assign(lifted_.points.size(), {});
  for (std::size_t i = 0; i < through_.size(); ++i) {
    if (!through_[i]) continue;
    const LiftedOperation& op = lifted_.operations[i];
    for (std::size_t p = op.first_point; p < op.first_point + op.reads; ++p)
      if (in_exchange(part_record(lifted_.points[p], 0))) source_points_[p] = source_of(lifted_.points[p]);
  }
}

// The point that a point read was written as, and by which operation; none: by none, or its parts by several.
Exchanges::Written Exchanges::source_of(const LiftedPoint& read) const {
  // The record that wrote a part, and the byte of it that the part begins with.
  const auto from = [&](int part) {
    const std::uint64_t record = part_record(read, part);
    if (is_write(log_.sites[log_.site[record]].kind)) return std::pair(record, std::uint64_t(read.byte[part]));
    const std::uint64_t source = source_[record][read.byte[part] / 4];
    const std::uint64_t byte = source == unwritten ? 0 : log_.offset[record] + read.byte[part] - log_.offset[source];
    return std::pair(source, byte);
  };
  const auto re = from(0), im = from(1);
  if (re.first == unwritten || im.first == unwritten || re.second > 4) return {};
  const Written& written = writer_[re.first][re.second / 4];
  if (written.op == none) return {};
  const LiftedPoint& point = lifted_.writes_of(lifted_.operations[written.op])[written.point];
  const auto at = [&](int part) { return std::pair(part_record(point, part), std::uint64_t(point.byte[part])); };
  return at(0) == re && at(1) == im ? written : Written();
}

// Whether what writes comes before what reads, as steps: by epoch, then item, then record. A sum's terms are where its values
// are read.
bool Exchanges::order_holds(std::uint32_t writer, std::uint32_t reader, const LiftedPoint& read) const {
  const LiftedOperation &from = lifted_.operations[writer], &to = lifted_.operations[reader];
  const auto place = [&](const LiftedOperation& op, std::uint64_t record) {
    return std::tuple(epoch_[record], op.item, record);
  };
  return place(from, last_of(lifted_.writes_of(from))) <
         place(to, to.kind == LiftedKind::Linear ? last_of({&read, 1}) : last_of(lifted_.writes_of(to)));
}

// Leaves out what reads or writes anything that others write or read, until nothing more follows from that.
void Exchanges::settle() {
  std::vector<bool> explained(log_.size());  // records of points that operations read
  bool again = true;
  for (int pass = 0; again; ++pass) {
    if (pass == max_passes) return leave_all();
    again = false;
    const auto leave = [&](std::uint32_t op) {
      again = again || through_[op];
      through_[op] = false;
    };
    std::fill(explained.begin(), explained.end(), false);
    for (std::uint32_t i = 0; i < through_.size(); ++i) {
      if (!through_[i]) continue;
      const LiftedOperation& op = lifted_.operations[i];
      for (std::size_t p = op.first_point; p < op.first_point + op.reads; ++p) {
        const LiftedPoint& read = lifted_.points[p];
        if (!in_exchange(part_record(read, 0))) continue;
        const std::uint32_t writer = source_points_[p].op;
        if (writer == none || !through_[writer] || !order_holds(writer, i, read)) {
          leave(i);
          if (writer != none) leave(writer);
          break;
        }
        for (int r = 0; r < read.records; ++r) explained[read.record[r]] = true;
      }
    }
    for (std::uint64_t k = 0; k < log_.size(); ++k)
      if (!explained[k])
        for (const std::uint64_t from : source_[k])
          for (std::size_t word = 0; from != unwritten && word < 2; ++word)
            if (writer_[from][word].op != none) leave(writer_[from][word].op);
  }
}

int Exchanges::number_of(std::uint64_t record, std::uint8_t component_bytes) {
  const int array = log_.buffer[record];
  const auto [at, fresh] = numbers_.emplace(std::pair(array, epoch_[record]), 0);
  if (!fresh) return at->second;
  const BufferInfo& whole = info_.buffers[array];
  BufferInfo made = whole;
  made.name = whole.name + "@" + std::to_string(epoch_[record]);
  made.type = component_bytes == 8 ? ElementType::Double2 : ElementType::Float2;
  made.count = whole.count * traits(whole.type).bytes / unit_[array];
  made.shape = {made.count};
  made.initialised = false;
  // Of other items of the launch it may be there already.
  for (std::size_t b = 0; b < info_.buffers.size(); ++b) {
    const BufferInfo& known = info_.buffers[b];
    if (known.launch != made.launch || known.name != made.name) continue;
    return at->second = known.type == made.type && known.count == made.count ? static_cast<int>(b) : -1;
  }
  at->second = static_cast<int>(info_.buffers.size() + buffers_.size());
  buffers_.push_back(std::move(made));
  return at->second;
}

void Exchanges::leave_all() {
  through_.assign(through_.size(), false);
  buffers_.clear();
  numbers_.clear();
}

// Gives each value written its element: where its real part was put. False: an operation is left out that reads or writes
// several arrays, or what no element is.
bool Exchanges::place_points() {
  element_.assign(lifted_.points.size(), {});
  buffers_.clear();
  numbers_.clear();
  std::vector<std::tuple<int, std::uint64_t, std::uint32_t>> taken;  // array, group, element
  const std::uint64_t size = std::max<std::uint64_t>(launch_.group_size(), 1);
  for (std::size_t i = 0; i < through_.size(); ++i) {
    if (!through_[i]) continue;
    const LiftedOperation& op = lifted_.operations[i];
    for (std::size_t p = op.first_point + op.reads; p < op.first_point + op.reads + op.writes; ++p) {
      const LiftedPoint& point = lifted_.points[p];
      const std::uint64_t re = part_record(point, 0);
      if (!in_exchange(re)) continue;
      Element& element = element_[p];
      element.buffer = number_of(re, op.component_bytes);
      element.index = static_cast<std::uint32_t>((log_.offset[re] + point.byte[0]) / unit_[log_.buffer[re]]);
      if (element.buffer < 0) {
        leave_all();
        return true;
      }
      taken.emplace_back(element.buffer, op.item / size, element.index);
    }
  }
  std::sort(taken.begin(), taken.end());
  if (std::adjacent_find(taken.begin(), taken.end()) != taken.end()) {
    leave_all();
    return true;
  }
  for (std::size_t i = 0; i < through_.size(); ++i) {
    if (!through_[i]) continue;
    const LiftedOperation& op = lifted_.operations[i];
    for (std::size_t p = op.first_point; p < op.first_point + op.reads; ++p)
      if (const Written& from = source_points_[p]; from.op != none) {
        const LiftedOperation& writer = lifted_.operations[from.op];
        element_[p] = element_[writer.first_point + writer.reads + from.point];
      }
  }
  bool all = true;
  for (std::size_t i = 0; i < through_.size(); ++i) {
    if (!through_[i]) continue;
    const std::optional<Elements> found = elements(lifted_.operations[i]);
    if (found && one_buffer(found->reads) && one_buffer(found->writes)) continue;
    through_[i] = all = false;
  }
  return all;
}

std::optional<Elements> Exchanges::elements(const LiftedOperation& op) const {
  const auto number = static_cast<std::size_t>(&op - lifted_.operations.data());
  if (number >= through_.size() || !through_[number]) return std::nullopt;
  Elements all;
  const ElementType type = op.component_bytes == 8 ? ElementType::Double2 : ElementType::Float2;
  for (std::size_t p = 0; p < op.reads + op.writes; ++p) {
    const LiftedPoint& point = lifted_.points[op.first_point + p];
    std::optional<Element> element = element_[op.first_point + p];
    if (element->buffer >= 0) {
      element->type = type;
      copy_part(log_, part_record(point, 0), point.byte[0], op.component_bytes, element->bytes.data());
      copy_part(log_, part_record(point, 1), point.byte[1], op.component_bytes,
                element->bytes.data() + op.component_bytes);
    } else {
      element = element_of(log_, info_, op, point, pairs_);
    }
    if (!element || element->type != type) return std::nullopt;
    (p < op.reads ? all.reads : all.writes).push_back(*element);
  }
  return all;
}

}  // namespace twiddle
