#include "tracer/lift/blocks/operations.h"

#include "tracer/lift/blocks/block_rows.h"
#include "tracer/lift/blocks/exchange.h"
#include "tracer/lift/blocks/paired_elements.h"
#include "tracer/lift/blocks/shapes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace twiddle {
namespace {

class BlockMaker {
 public:
  BlockMaker(const Lifted& lifted, const AccessLog& log, const TraceInfo& info, const LaunchInfo& launch)
      : lifted_(lifted),
        log_(log),
        info_(info),
        launch_(launch),
        rows_(log.size()),
        site_lines_(log.sites.size(), -1),
        pairs_(info),
        halves_(log, info, pairs_, item_, epoch_) {}

  LiftedBlocks run() {
    find_epochs();
    exchanges_.emplace(lifted_, log_, info_, launch_, epoch_, pairs_);
    result_.new_buffers = exchanges_->buffers();
    find_wide_moves();
    std::vector<bool> added(lifted_.operations.size());
    for (std::size_t i = 0; i < lifted_.operations.size(); ++i) {
      if (added[i]) continue;
      if (const std::size_t other = other_of_swap(i);
          other > i && swap(lifted_.operations[i], lifted_.operations[other]))
        added[other] = true;
      else if (!add_wide_move(lifted_.operations[i]))
        add(lifted_.operations[i]);
    }
    for (const LiftedOperation& value : lifted_.loose) accesses(value);
    for (const PlacedOperation& half : halves_.rest()) put(half);
    result_.parts = rows_.blocks(launch_.stage);
    return std::move(result_);
  }

 private:
  void find_epochs() {
    epoch_.resize(log_.size());
    item_.resize(log_.size());
    loaded_.resize(log_.size());
    for (std::uint64_t i = 0; i < log_.items(); ++i) {
      int epoch = 0;
      for (std::uint64_t k = log_.begin[i]; k < log_.begin[i + 1]; ++k) {
        epoch_[k] = epoch;
        item_[k] = static_cast<std::uint32_t>(log_.first_item + i);
        const AccessSite& site = log_.sites[log_.site[k]];
        if (site.kind != AccessKind::Barrier || site.scope < MemoryScope::Group) continue;
        ++epoch;
        rows_.add_barrier(place_of(k, 0), {line_site(k), Shape::Barrier, ElementType::Int, ElementType::Int});
        ++result_.barriers;
      }
    }
  }

  BlockRows::Place place_of(std::uint64_t record, int place) const {
    return {record, place, item_[record], epoch_[record]};
  }

  // The site of the line that an access is at: one without a macro.
  int line_site(std::uint64_t record) {
    int& line = site_lines_[log_.site[record]];
    if (line >= 0) return line;
    const AccessSite& access = log_.sites[log_.site[record]];
    if (lines_.empty())
      for (std::size_t i = 0; i < info_.sites.size(); ++i)
        if (info_.sites[i].macro.empty())
          lines_.emplace(std::pair(info_.sites[i].source, info_.sites[i].line), static_cast<int>(i));
    const auto [at, fresh] = lines_.emplace(std::pair(access.source, access.line),
                                            static_cast<int>(info_.sites.size() + result_.new_sites.size()));
    if (fresh) {
      Site site;
      site.source = access.source;
      site.line = site.last_line = access.line;
      result_.new_sites.push_back(site);
    }
    return line = at->second;
  }

  std::complex<double> known(std::complex<double> coefficient) {
    if (!std::isnan(coefficient.real())) return coefficient;
    ++result_.unknown_coefficients;
    return 1;
  }

  // Where a shape's buffers are named: the one read first only when it is the only one.
  static int buffer_at(const ShapeTraits& shape, int which, const Elements& all) {
    if (shape.write_buffer == which && !all.writes.empty()) return all.writes.front().buffer;
    if (shape.read_buffer == which && !all.reads.empty()) return all.reads.front().buffer;
    return -1;
  }

  void append(PlacedOperation one) {
    if (const auto ready = halves_.add(std::move(one))) put(*ready);
  }

  void put(const PlacedOperation& one) {
    const ShapeTraits& make = traits(one.shape);
    rows_.add(place_of(one.record, one.place),
              {line_site(one.record), one.shape, one.value, one.coefficient, buffer_at(make, 0, one.all),
               buffer_at(make, 1, one.all)},
              one.all, one.coefficients);
    ++(one.shape == Shape::Load || one.shape == Shape::Store ? result_.loads_and_stores : result_.lifted);
  }

  void add(const LiftedOperation& op) {
    std::optional<Elements> found = exchanges_->elements(op);
    if (!found) {
      found = elements_of(lifted_, op, log_, info_, pairs_);
      if (found) follow_copies(lifted_, op, log_, *found);
    }
    if (found)
      if (const int factor = factor_of(op, *found); factor >= 0) return product(op, *found, factor);
    const Shape shape = found ? shape_with(lifted_, op, *found, log_) : Shape::None;
    if (shape == Shape::None) {
      accesses(op);
      return;
    }
    if (shape == Shape::Term) {
      for (std::size_t w = 0; w < found->writes.size(); ++w) terms(op, {found->reads, {found->writes[w]}}, w);
      return;
    }
    const auto own = lifted_.coefficients_of(op);
    const ElementType value = found->writes.front().type;
    ElementType coefficient = value;
    std::vector<std::complex<double>> coefficients;
    switch (op.kind) {
      case LiftedKind::Butterfly:
        if (legs_of(shape).radix > 0)
          for (const std::complex<double> c : own) coefficients.push_back(op.scale * known(c));
        else
          for (std::size_t c = 1; c < own.size(); ++c) coefficients.push_back(known(own[c]));
        break;
      case LiftedKind::Scale:
        if (traits(value).components == 2) coefficient = traits(value).wide ? ElementType::Double : ElementType::Float;
        [[fallthrough]];
      default:
        for (const std::complex<double> c : own) coefficients.push_back(known(c));
    }
    append({last_of(lifted_.writes_of(op)), 1, shape, std::move(*found), value, coefficient, std::move(coefficients)});
  }

  // ---- elements that are wider than what operations are made of

  std::optional<WideElement> wide_at(const LiftedOperation& op, std::uint64_t record) const {
    const std::uint64_t item = op.item - log_.first_item;
    return wide_element_at(log_, info_, record, log_.begin[item], log_.begin[item + 1]);
  }

  struct WideMove {
    WideElement from, to;
    std::uint64_t bytes = 0;  // that moves are known of, each to the place in the element that it came from
    bool added = false;
  };
  // Nothing where the operation is no move of a part of an element to the same part of another.
  std::optional<WideMove> wide_move(const LiftedOperation& op) const {
    if (op.kind != LiftedKind::Move || op.reads != 1 || op.writes != 1) return std::nullopt;
    const LiftedPoint &read = lifted_.reads(op)[0], &write = lifted_.writes_of(op)[0];
    const auto from = bytes_in_element(log_, info_, op, read), to = bytes_in_element(log_, info_, op, write);
    if (!from || !to || *from != *to || read.conjugated) return std::nullopt;
    const std::uint64_t bytes = to->second - to->first;
    if (bytes >= traits(info_.buffers[static_cast<std::size_t>(log_.buffer[write.record[0]])].type).bytes)
      return std::nullopt;  // all of it
    const auto element_read = wide_at(op, read.record[0]), element_written = wide_at(op, write.record[0]);
    if (!element_read || !element_written || element_read->element.type != element_written->element.type)
      return std::nullopt;
    return WideMove{*element_read, *element_written, bytes};
  }

  void find_wide_moves() {
    for (const LiftedOperation& op : lifted_.operations)
      if (const auto part = wide_move(op)) {
        const auto [at, fresh] = wide_moves_.try_emplace(part->to.first, *part);
        if (!fresh && at->second.from.first == part->from.first) at->second.bytes += part->bytes;
      }
    std::erase_if(wide_moves_, [](const auto& one) {
      return one.second.bytes != traits(one.second.to.element.type).bytes ||
             one.second.from.element.bytes != one.second.to.element.bytes;
    });
  }

  // True where the operation is a part of one.
  bool add_wide_move(const LiftedOperation& op) {
    const auto part = wide_moves_.empty() ? std::nullopt : wide_move(op);
    const auto known = part ? wide_moves_.find(part->to.first) : wide_moves_.end();
    if (known == wide_moves_.end()) return false;
    WideMove& move = known->second;
    if (move.from.first != part->from.first) return false;
    if (!std::exchange(move.added, true))
      append({move.to.last,
              1,
              Shape::Move,
              {{move.from.element}, {move.to.element}},
              move.to.element.type,
              move.to.element.type});
    return true;
  }

  // A product of two, in place or not: one of them times the other.
  void product(const LiftedOperation& op, const Elements& all, int factor) {
    const Element &value = all.reads[1 - factor], &by = all.reads[factor];
    std::complex<double> number = component(by.type, by.bytes.data(), 0);
    if (traits(by.type).components == 2) number = {number.real(), component(by.type, by.bytes.data(), 1)};
    Elements one{{value}, all.writes};
    const Shape shape = in_place(one) ? Shape::Scale : Shape::ScaleTo;
    append({last_of(lifted_.writes_of(op)), 1, shape, std::move(one), value.type, by.type, {number}});
  }

  // A sum as its terms, each where its value was read, and the store of the outcome, which is the operation's `output`.
  void terms(const LiftedOperation& op, const Elements& all, std::size_t output) {
    const auto points = lifted_.reads(op);
    auto own = lifted_.coefficients_of(op);
    if (op.partial()) own = own.subspan(output * op.reads, op.reads);
    std::vector<std::size_t> order(points.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return points[a].record[0] < points[b].record[0]; });
    const ElementType type = all.writes.front().type;
    std::complex<double> sum = op.offset;
    for (const std::size_t i : order) {
      const std::complex<double> weight = own.empty() ? 1 : known(own[i]);
      const Element& read = all.reads[i];
      append({last_of({&points[i], 1}), 0, Shape::Term, {{read}, {all.writes.front()}}, type, type, {weight, sum}});
      std::complex<double> value = component(type, read.bytes.data(), 0);
      if (traits(type).components == 2) value = {value.real(), component(type, read.bytes.data(), 1)};
      sum += weight * value;
      const auto rounded = [&](double part) {
        return traits(type).floating ? traits(type).wide ? part : double(static_cast<float>(part))
                                     : wrapped(type, part);
      };
      sum = {rounded(sum.real()), rounded(sum.imag())};
    }
    const std::uint64_t stored = last_of(lifted_.writes_of(op).subspan(output, 1));
    if (log_.sites[log_.site[stored]].kind == AccessKind::AtomicStore)
      return;  // the atomic operation itself is there, too
    // As it is: where a pair's other part is summed up, too, each sum has its own end.
    put({stored, 2, Shape::Store, {{}, all.writes}, type, type});
  }

  // Where the other move may be that exchanges two elements with this one: the next operation, or, where the parts of complex
  // values are moved one by one, that of the same part behind those of the other.
  std::size_t other_of_swap(std::size_t i) const {
    const auto move = [&](std::size_t k) {
      return k < lifted_.operations.size() && lifted_.operations[k].kind == LiftedKind::Move &&
             lifted_.operations[k].item == lifted_.operations[i].item && lifted_.operations[k].reads == 1;
    };
    if (!move(i) || !move(i + 1)) return i;
    const auto place = [&](std::size_t k, bool write) {
      const LiftedPoint& point = lifted_.points[lifted_.operations[k].first_point + (write ? 1 : 0)];
      return std::pair(log_.buffer[point.record[0]], log_.offset[point.record[0]] + point.byte[0]);
    };
    const auto mirrors = [&](std::size_t k) {
      return place(i, false) == place(k, true) && place(i, true) == place(k, false);
    };
    if (!pairs_.any() || mirrors(i + 1) || !move(i + 2)) return i + 1;
    const bool apart = place(i + 1, false) != place(i, false) && place(i + 1, false) != place(i, true) &&
                       place(i + 1, true) != place(i, false) && place(i + 1, true) != place(i, true);
    return apart && mirrors(i + 2) ? i + 2 : i + 1;
  }

  // Two moves that exchange two elements.
  bool swap(const LiftedOperation& first, const LiftedOperation& second) {
    if (first.kind != LiftedKind::Move || second.kind != LiftedKind::Move || first.item != second.item ||
        first.epoch != second.epoch || exchanges_->elements(first) || exchanges_->elements(second))
      return false;
    const std::optional<Elements> a = elements_of(lifted_, first, log_, info_, pairs_),
                                  b = elements_of(lifted_, second, log_, info_, pairs_);
    if (!a || !b || a->reads.size() != 1 || b->reads.size() != 1) return false;
    if (!a->reads[0].same_place(b->writes[0]) || !b->reads[0].same_place(a->writes[0]) ||
        a->reads[0].same_place(b->reads[0]) || a->reads[0].buffer != b->reads[0].buffer)
      return false;
    const std::uint64_t first_write = std::min(last_of(lifted_.writes_of(first)), last_of(lifted_.writes_of(second)));
    const std::uint64_t a_read = last_of(lifted_.reads(first)), b_read = last_of(lifted_.reads(second));
    if (a_read > first_write || b_read > first_write || a->reads[0].type != b->reads[0].type) return false;
    Elements both;
    both.reads = {a->reads[0], b->reads[0]};
    if (b_read < a_read) std::swap(both.reads[0], both.reads[1]);
    both.writes = {a->writes[0], b->writes[0]};
    if (!both.writes[0].same_place(both.reads[0])) std::swap(both.writes[0], both.writes[1]);
    const ElementType type = both.reads[0].type;
    const std::uint64_t last_write = std::max(last_of(lifted_.writes_of(first)), last_of(lifted_.writes_of(second)));
    append({last_write, 1, Shape::Swap, std::move(both), type, type});
    return true;
  }

  void accesses(const LiftedOperation& op) {
    // What an item keeps to itself stays among the accesses: as loads and stores it would hide the operations of others.
    if (!lifted_.idle.empty() && lifted_.idle[op.item - log_.first_item]) return;
    const auto one = [&](const LiftedPoint& point, bool write) {
      const auto add_element = [&](const Element& element, std::uint64_t record) {
        append({record, write ? 2 : 0, write ? Shape::Store : Shape::Load,
                write ? Elements{{}, {element}} : Elements{{element}, {}}, element.type, element.type});
      };
      const std::size_t parts = point.complex ? 2 : 1;
      if (!write) {  // once, however many operations read it
        const auto bit = static_cast<std::uint8_t>(1 << (point.byte[0] / 4));
        if (loaded_[point.record[0]] & bit) return;
        loaded_[point.record[0]] |= bit;
      }
      if (const std::optional<Element> whole = element_of(log_, info_, op, point, pairs_)) {
        add_element(*whole, last_of({&point, 1}));
        return;
      }
      // A part of an element that one statement touched as a whole.
      if (const std::optional<WideElement> whole = wide_at(op, point.record[0])) {
        if (wide_touched_.insert(whole->first).second) add_element(whole->element, whole->last);
        return;
      }
      // Two numbers that are elements of their own.
      for (std::size_t p = 0; p < parts; ++p) {
        const std::uint64_t record = part_record(point, static_cast<int>(p));
        std::optional<Element> part = element_at(log_, info_, record, point.byte[p], op.component_bytes);
        if (!part) {
          ++result_.left_out;
          continue;
        }
        copy_part(log_, record, point.byte[p], op.component_bytes, part->bytes.data());
        add_element(*part, record);
      }
    };
    for (const LiftedPoint& point : lifted_.reads(op))
      if (point.records > 0 && is_read(log_.sites[log_.site[point.record[0]]].kind)) one(point, false);
    for (const LiftedPoint& point : lifted_.writes_of(op)) one(point, true);
  }

  const Lifted& lifted_;
  const AccessLog& log_;
  const TraceInfo& info_;
  const LaunchInfo& launch_;
  LiftedBlocks result_;
  BlockRows rows_;
  std::vector<int> epoch_;                        // of records
  std::vector<std::uint32_t> item_;               // of records
  std::vector<std::uint8_t> loaded_;              // of records: a bit for each half that has its Load
  std::map<std::uint64_t, WideMove> wide_moves_;  // by the first record that writes
  std::set<std::uint64_t> wide_touched_;          // first records of elements that have their Load or Store
  std::map<std::pair<int, int>, int> lines_;      // source and line → index of a site
  std::vector<int> site_lines_;                   // by access site; −1: not looked for
  std::optional<Exchanges> exchanges_;
  SharedElements pairs_;
  PairedHalves halves_;
};

}  // namespace

LiftedBlocks operations_of(const Lifted& lifted, const AccessLog& log, const TraceInfo& info,
                           const LaunchInfo& launch) {
  const auto blocks_with = [&](const std::vector<BufferInfo>& pairs) {
    if (pairs.empty()) return BlockMaker(lifted, log, info, launch).run();
    TraceInfo with = info;
    with.buffers.insert(with.buffers.end(), pairs.begin(), pairs.end());
    LiftedBlocks blocks = BlockMaker(lifted, log, with, launch).run();
    blocks.new_buffers.insert(blocks.new_buffers.begin(), pairs.begin(), pairs.end());
    return blocks;
  };
  const std::vector<BufferInfo> all = pairs_in(lifted, log, info, launch.number);
  LiftedBlocks best = blocks_with(all);
  // What goes through local arrays without staying there is an exchange, and needs no pair.
  std::vector<BufferInfo> lasting = all;
  std::erase_if(lasting, [](const BufferInfo& pair) { return pair.space == Space::Local; });
  if (lasting.size() == all.size()) return best;
  LiftedBlocks exchanged = blocks_with(lasting);
  return best.loads_and_stores < exchanged.loads_and_stores ? best : exchanged;
}

}  // namespace twiddle
