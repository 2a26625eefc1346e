// What an access pattern costs: bank conflicts in local memory, sectors fetched from global memory, atomics that meet.
#include "base/message.h"
#include "tracer/checks/access.h"
#include "tracer/checks/check.h"
#include "tracer/checks/cost/bank_rows.h"
#include "tracer/cost/part_accesses.h"
#include "tracer/cost/sub_group_cost.h"
#include "tracer/trace/item_words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

/// The operations of a sub-group side by side, as the device issues them: row r holds every lane's r-th operation of one trace
/// line.
class WarpRows {
 public:
  struct Row {
    int line = 0;
    Operation first;  // the first lane's
    std::vector<SubGroupAccess> read, written;
  };

  /// Adds an operation of the sub-group whose first item this is; items come in order. Of a long loop only the first
  /// `max_rows` operations are kept: the rest costs what they cost.
  void add(const Operation& op, std::uint64_t first_item) {
    if (op.item != item_) place_ = 0;
    item_ = op.item;
    // Lanes that skipped an operation are behind by a row: look for the next row of this trace line.
    std::size_t row = place_;
    while (row < used_ && rows_[row].line != op.line) ++row;
    if (row == used_) {
      if (used_ == max_rows) return;
      if (used_ == rows_.size()) rows_.emplace_back();
      Row& added = rows_[used_++];
      added.line = op.line;
      added.first = op;
      added.read.clear();
      added.written.clear();
    }
    place_ = row + 1;
    Row& to = rows_[row];
    to.read.resize(std::max(to.read.size(), std::size_t(op.reads.size())));
    to.written.resize(std::max(to.written.size(), std::size_t(op.writes.size())));
    const std::uint64_t lane = op.item - first_item;
    for (int r = 0; r < op.reads.size(); ++r) to.read[r].add(lane, op.reads[r].index);
    for (int w = 0; w < op.writes.size(); ++w) to.written[w].add(lane, op.writes[w].index);
  }
  std::span<const Row> rows() const { return {rows_.data(), used_}; }
  void clear() {
    used_ = place_ = 0;
    item_ = ~std::uint64_t(0);
  }

 private:
  static constexpr std::size_t max_rows = 1024;
  std::vector<Row> rows_;  // kept for the next sub-group
  std::size_t used_ = 0, place_ = 0;
  std::uint64_t item_ = ~std::uint64_t(0);
};

/// Where the elements that a sub-group's lanes access are.
enum class Layout : std::uint8_t {
  Scattered,   // anywhere, as data says
  Rows,        // in rows that are equally far apart: of lanes that go down a column, or along several rows
  PaddedRows,  // the same, an odd number of elements apart
};

Layout layout_of(const SubGroupAccess& access) {
  std::optional<std::int64_t> start, last;
  std::map<std::int64_t, int> steps;  // from the beginning of a run of neighbours to that of the next
  int all_steps = 0, neighbours = 0;
  for (std::uint64_t lane = 0; lane < sub_group_size; ++lane) {
    if (!access.takes_part(lane)) continue;
    const std::int64_t element = access.element[lane];
    if (!start) {
      start = element;
    } else if (element == *last + 1) {
      ++neighbours;
    } else if (element != *last) {
      ++steps[std::abs(element - *start)];
      ++all_steps;
      start = element;
    }
    last = element;
  }
  const auto most =
      std::max_element(steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  // A step that is made once tells of rows only where lanes go along them.
  const bool along = 2 * neighbours >= std::popcount(access.active);
  if (most == steps.end() || !(along || (most->second > 1 && 2 * most->second > all_steps))) return Layout::Scattered;
  return most->first > 1 && most->first % 2 == 1 ? Layout::PaddedRows : Layout::Rows;
}

/// What one place in the kernel cost over all sub-groups.
struct Cost {
  std::uint64_t requests = 0, costly = 0;                     // costly: with a conflict, or more sectors than needed
  std::uint64_t total = 0, ideal = 0;                         // passes or sectors
  std::uint64_t worst = 0, worst_ideal = 0, worst_lanes = 0;  // of one request
  std::uint64_t worst_step = 0, worst_item = 0, worst_element = 0;
  int worst_epoch = 0;
  Layout layout = Layout::Rows;  // local memory: of the worst request
};

struct Place {
  int stage, source, line, buffer;
  bool write;
  auto operator<=>(const Place&) const = default;
};

class MemoryCheck : public Check {
 public:
  explicit MemoryCheck(const TraceInfo& info) : info_(info) {}

  void begin_launch(const LaunchInfo& launch) override {
    launch_ = &launch;
    banks_.clear();
    sectors_.clear();
    atomics_.clear();
    sub_group_ = {};
    bank_rows_.clear();
    asking_ = {};
    steps_.clear();
  }

  // Operations that were found in accesses say when all that they read and wrote had happened. When it did is what banks are
  // about, and the accesses say it.
  void access(const AccessEvent& event, Findings&) override {
    if (!launch_->accesses.lifted || !touches_memory(event.site->kind)) return;
    if (event.site->kind == AccessKind::AtomicLoad) return;  // its store says the same
    const BufferInfo* buffer = info_.buffer(event.buffer);
    if (!buffer || !is_local(*buffer)) return;
    const std::tuple asking(event.sub_group, event.epoch, event.sub_epoch);
    if (asking != asking_) judge_banks();
    asking_ = asking;
    bank_rows_.add(event, *buffer, event.item - SubGroups(launch_->group_size()).at(event.sub_group).first);
  }
  void end_accesses(const LaunchInfo&, Findings&) override {
    judge_banks();
    for (const auto& [place, cost] : banks_) steps_.try_emplace({cost.worst_item, cost.worst_epoch}, 0);
  }

  void operation(const Operation& op, Findings&) override {
    for (auto at = steps_.lower_bound({op.item, 0}); at != steps_.end() && at->first <= std::pair(op.item, op.epoch);
         ++at)
      if (at->second == 0) at->second = op.step;
    if (op.kind == OperationKind::Barrier) return;
    if (!sub_group_.holds(op.item) || op.epoch != epoch_ || op.stage != stage_) {
      judge();
      sub_group_ = SubGroups(launch_->group_size()).of_item(op.item);
      epoch_ = op.epoch;
      stage_ = op.stage;
    }
    rows_.add(op, sub_group_.first);
  }

  void end_launch(const LaunchInfo&, Findings& findings) override {
    judge();
    if (!steps_.empty())
      for (auto& [place, cost] : banks_) cost.worst_step = steps_.at({cost.worst_item, cost.worst_epoch});
    for (const auto& [place, cost] : banks_) report_banks(place, cost, findings);
    for (const auto& [place, cost] : sectors_) report_sectors(place, cost, findings);
    for (const auto& [place, cost] : atomics_) report_atomics(place, cost, findings);
  }

 private:
  void judge_banks() {
    for (const BankRows::Row& row : bank_rows_.rows()) {
      const bool write = is_write(row.site.kind);
      Operation first;
      first.item = row.item;
      first.epoch = row.epoch;
      const std::uint64_t per_element = traits(info_.buffers[static_cast<std::size_t>(row.buffer)].type).bytes;
      add_banks(banks_[{launch_->stage, row.site.source, row.site.line, row.buffer, write}], first, row.lanes,
                row.element_bytes, write,
                [&](std::uint64_t element) { return element * row.element_bytes / per_element; });
    }
    bank_rows_.clear();
  }

  template <typename Index>
  static void add_banks(Cost& cost, const Operation& first, const SubGroupAccess& access, std::uint64_t bytes,
                        bool write, const Index& index) {
    for (const BankCost::Request& request : bank_cost(access, bytes, write).requests) {
      const std::uint64_t before = cost.worst;
      add(cost, first, static_cast<std::uint64_t>(request.degree), 1, index(request.element),
          static_cast<std::uint64_t>(request.lanes));
      if (cost.worst > before) cost.layout = layout_of(access);
    }
  }

  void judge() {
    const std::span<const WarpRows::Row> rows = rows_.rows();
    std::vector<bool> judged(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const WarpRows::Row& row = rows[r];
      if (judged[r]) continue;
      if (const std::vector<std::size_t> parts = vector_from(rows, r); !parts.empty()) {
        judge_vector(rows, parts);
        for (const std::size_t part : parts) judged[part] = true;
        continue;
      }
      if (!row.first.reads.empty()) judge_accesses(row.first, row.first.reads, row.read, false);
      if (!row.first.writes.empty()) judge_accesses(row.first, row.first.writes, row.written, true);
    }
    rows_.clear();
  }

  /// The rows that are one load of 16 bytes a lane, whose parts are logged one after another, with what is done with each in
  /// between: elements that follow each other in each lane, and from lane to lane. None where row r begins no such load.
  std::vector<std::size_t> vector_from(std::span<const WarpRows::Row> rows, std::size_t r) const {
    const auto loads = [](const Operation& op) {
      return (op.kind == OperationKind::Load || op.kind == OperationKind::Term) && op.reads.size() == 1;
    };
    const Operation& first = rows[r].first;
    const BufferInfo* buffer = loads(first) ? info_.buffer(first.reads[0].buffer) : nullptr;
    if (!buffer || is_local(*buffer) || buffer->is_image() || !is_contiguous(*buffer)) return {};
    const std::size_t bytes = traits(buffer->type).bytes;
    const std::size_t parts = parts_of_vector(bytes);
    if (parts == 1) return {};
    std::vector<std::size_t> found = {r};
    for (std::size_t next = r + 1; found.size() < parts && next < rows.size() && next < r + 2 * parts; ++next)
      if (loads(rows[next].first) && rows[next].first.reads[0].buffer == first.reads[0].buffer) found.push_back(next);
    if (found.size() < parts) return {};
    std::array<SubGroupAccess, max_vector_parts> accesses;
    for (std::size_t p = 0; p < parts; ++p) accesses[p] = rows[found[p]].read[0];
    return is_vector_load({accesses.data(), parts}) ? found : std::vector<std::size_t>();
  }

  void judge_vector(std::span<const WarpRows::Row> rows, const std::vector<std::size_t>& parts) {
    const Operation& first = rows[parts[0]].first;
    std::array<SubGroupAccess, max_vector_parts> accesses;
    for (std::size_t p = 0; p < parts.size(); ++p) accesses[p] = rows[parts[p]].read[0];
    const SectorCost cost = sector_cost({accesses.data(), parts.size()}, traits(first.reads[0].value.type).bytes);
    add(sectors_[{first.stage, launch_->source, first.line, first.reads[0].buffer, false}], first,
        static_cast<std::uint64_t>(cost.sectors.size()), (cost.bytes + sector_bytes - 1) / sector_bytes + 1,
        first.reads[0].index, static_cast<std::uint64_t>(std::popcount(accesses[0].active)));
  }

  /// All accesses of one direction: those of one trace line are all to one buffer. `first`: the first lane's operation.
  void judge_accesses(const Operation& first, const SmallList<Access, 4>& list,
                      const std::vector<SubGroupAccess>& by_lane, bool write) {
    const BufferInfo* buffer = info_.buffer(list[0].buffer);
    // How texels are laid out in memory is the device's own.
    if (!buffer || is_registers(*buffer) || is_exchange(*buffer) || buffer->is_image()) return;
    const std::span accesses(by_lane.data(), static_cast<std::size_t>(list.size()));
    const std::uint64_t bytes = traits(list[0].value.type).bytes;
    if (!buffer->is_pair()) return judge_buffer(first, list[0].buffer, bytes, accesses, write);
    for (const PartAccesses& part : part_accesses(*buffer, accesses))
      judge_buffer(first, part.buffer, bytes / 2, part.accesses, write);
  }

  void judge_buffer(const Operation& first, int number, std::uint64_t bytes, std::span<const SubGroupAccess> accesses,
                    bool write) {
    const BufferInfo* buffer = &info_.buffers[static_cast<std::size_t>(number)];
    const Place place{first.stage, launch_->source, first.line, number, write};
    const auto lanes = static_cast<std::uint64_t>(std::popcount(accesses[0].active));
    if (first.kind == OperationKind::Atomic) {
      if (write) {
        const Contention met = contention(accesses[0]);
        add(atomics_[place], first, met.turns, 1, met.element, lanes);
      }
    }
    // Atomics on global memory are done where it is: nothing is fetched. In local memory they go through its banks as stores do.
    const bool atomic = first.kind == OperationKind::Atomic;
    if (is_local(*buffer) && (!atomic || write) && !launch_->accesses.lifted)
      for (const SubGroupAccess& access : accesses)
        add_banks(banks_[place], first, access, bytes, write, [](std::uint64_t element) { return element; });
    if (is_local(*buffer) || atomic) return;
    const SectorCost cost = sector_cost(accesses, bytes);
    // A run that starts in the middle of a sector needs one more, which is not avoidable.
    const std::uint64_t ideal = (cost.bytes + sector_bytes - 1) / sector_bytes + 1;
    const std::uint64_t element = accesses[0].element[first.item - sub_group_.first];
    add(sectors_[place], first, static_cast<std::uint64_t>(cost.sectors.size()), ideal, element, lanes);
  }

  static void add(Cost& cost, const Operation& first, std::uint64_t got, std::uint64_t ideal, std::uint64_t element,
                  std::uint64_t lanes) {
    ++cost.requests;
    cost.total += got;
    cost.ideal += ideal;
    cost.costly += got > ideal;
    if (got <= cost.worst) return;
    cost.worst = got;
    cost.worst_ideal = ideal;
    cost.worst_lanes = lanes;
    cost.worst_step = first.step;
    cost.worst_item = first.item;
    cost.worst_element = element;
    cost.worst_epoch = first.epoch;
  }

  Finding finding_of(FindingClass kind, const Place& place, const Cost& cost) const {
    Finding finding = twiddle::finding_of(kind, *launch_);
    finding.stage = place.stage;
    finding.epoch = cost.worst_epoch;
    finding.step = cost.worst_step;
    finding.items = {cost.worst_item};
    finding.occurrences = cost.costly;
    finding.buffer = place.buffer;
    finding.element = cost.worst_element;
    finding.source = place.source;
    finding.line = place.line;
    finding.writes = place.write;
    return finding;
  }
  const std::string& buffer_name(const Place& place) const { return info_.buffers[place.buffer].name; }

  void report_banks(const Place& place, const Cost& cost, Findings& findings) const {
    if (cost.worst < 2) return;
    Finding finding = finding_of(FindingClass::BankConflict, place, cost);
    finding.message = Message(
        "a conflict of degree {} {} {}[]: of {} up to {} want different words of one bank, which takes {} passes "
        "instead of 1 ({} of {} requests conflict)",
        cost.worst, place.write ? Message("in writing") : Message("in reading"), buffer_name(place),
        lanes_count(info_, cost.worst_lanes), cost.worst, cost.worst, cost.costly, cost.requests);
    finding.advice = advice_for(cost.layout);
    findings.add(std::move(finding));
  }

  Message advice_for(Layout layout) const {
    switch (layout) {
      case Layout::PaddedRows:
        return Message("The rows are padded already: let the {} of a {} take neighbouring elements of one row.",
                       items_noun(info_), lanes_noun(info_));
      case Layout::Rows:
        return Message("Pad each row by one element, or let neighbouring {} take neighbouring elements.",
                       items_noun(info_));
      case Layout::Scattered: break;
    }
    return Message(
        "Let neighbouring {} take neighbouring elements; where data says which, several copies of the array, spread "
        "over "
        "the banks, meet less often.",
        items_noun(info_));
  }

  void report_sectors(const Place& place, const Cost& cost, Findings& findings) const {
    if (cost.total <= 2 * cost.ideal) return;  // twice what is needed is worth a finding
    Finding finding = finding_of(FindingClass::Uncoalesced, place, cost);
    finding.message =
        place.write
            ? Message("writing {}[] by {} touches {} sectors of 32 bytes where {} would hold the values",
                      buffer_name(place), lanes_count(info_, cost.worst_lanes), cost.worst, cost.worst_ideal - 1)
            : Message("reading {}[] by {} asks for {} sectors of 32 bytes where {} would hold the values",
                      buffer_name(place), lanes_count(info_, cost.worst_lanes), cost.worst, cost.worst_ideal - 1);
    finding.advice = Message("Let neighbouring {} touch neighbouring elements, or stage the data through local memory.",
                             items_noun(info_));
    findings.add(std::move(finding));
  }

  void report_atomics(const Place& place, const Cost& cost, Findings& findings) const {
    if (cost.worst < 2) return;
    Finding finding = finding_of(FindingClass::AtomicContention, place, cost);
    finding.message = Message(
        "up to {} of {} add to the same element of {}[] at once ({:.1f} on average), and take turns where the device "
        "does not add up for them",
        cost.worst, lanes_count(info_, cost.worst_lanes), buffer_name(place),
        static_cast<double>(cost.total) / static_cast<double>(cost.requests));
    finding.advice = Message("Give each {} counters of its own and add them up at the end.", lanes_noun(info_));
    findings.add(std::move(finding));
  }

  const TraceInfo& info_;
  const LaunchInfo* launch_ = nullptr;
  SubGroup sub_group_;
  int epoch_ = 0, stage_ = 0;
  WarpRows rows_;
  BankRows bank_rows_;
  std::tuple<std::uint64_t, int, std::uint32_t> asking_;  // whose they are: sub-group, epoch, meetings of the sub-group
  std::map<std::pair<std::uint64_t, int>, std::uint64_t>
      steps_;  // of an item's first operation in an epoch or after it; 0: none yet
  std::map<Place, Cost> banks_, sectors_, atomics_;
};

}  // namespace

std::unique_ptr<Check> make_memory_check(const TraceInfo& info) { return std::make_unique<MemoryCheck>(info); }

}  // namespace twiddle
