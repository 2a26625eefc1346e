// What an access pattern costs: bank conflicts in local memory, sectors fetched from global memory, atomics that meet.
#include "base/message.h"
#include "tracer/checks/access.h"
#include "tracer/checks/check.h"
#include "tracer/checks/cost/warp_rows.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace twiddle {
namespace {

constexpr std::uint64_t bank_count = 32, bank_bytes = 4, sector_bytes = 32;

/// What one place in the kernel cost over all sub-groups.
struct Cost {
  std::uint64_t requests = 0, costly = 0;                     // costly: with a conflict, or more sectors than needed
  std::uint64_t total = 0, ideal = 0;                         // passes or sectors
  std::uint64_t worst = 0, worst_ideal = 0, worst_lanes = 0;  // of one request
  std::uint64_t worst_step = 0, worst_item = 0, worst_element = 0;
  int worst_epoch = 0;
};

struct Place {
  int stage, line, buffer;
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
    warp_ = {};
  }

  void operation(const Operation& op, Findings&) override {
    if (op.kind == OperationKind::Barrier) return;
    if (!warp_.holds(op.item) || op.epoch != epoch_ || op.stage != stage_) {
      judge();
      warp_ = Warp::of(*launch_, op.item);
      epoch_ = op.epoch;
      stage_ = op.stage;
    }
    rows_.add(op, warp_.first_item);
  }

  void end_launch(const LaunchInfo&, Findings& findings) override {
    judge();
    for (const auto& [place, cost] : banks_) report_banks(place, cost, findings);
    for (const auto& [place, cost] : sectors_) report_sectors(place, cost, findings);
    for (const auto& [place, cost] : atomics_) report_atomics(place, cost, findings);
  }

 private:
  using Indices = std::array<std::uint32_t, warp_size>;

  void judge() {
    for (const WarpRows::Row& row : rows_.rows()) {
      if (!row.first.reads.empty()) judge_accesses(row, row.first.reads, row.read, false);
      if (!row.first.writes.empty()) judge_accesses(row, row.first.writes, row.written, true);
    }
    rows_.clear();
  }

  /// All accesses of one direction: those of one trace line are all to one buffer.
  void judge_accesses(const WarpRows::Row& row, const FewOf<Access, 4>& accesses, const std::array<Indices, 4>& indices,
                      bool write) {
    const BufferInfo* buffer = buffer_of(info_, accesses[0]);
    if (!buffer) return;
    const Place place{row.first.stage, row.line, accesses[0].buffer, write};
    const std::uint64_t bytes = traits(accesses[0].value.type).bytes;
    if (row.first.kind == OperationKind::Atomic) {
      if (write) judge_atomics(row, indices[0], place);
    } else if (is_local(*buffer)) {
      for (int a = 0; a < accesses.size(); ++a) judge_banks(row, indices[static_cast<std::size_t>(a)], bytes, place);
      return;
    }
    if (!is_local(*buffer))
      judge_sectors(row, {indices.data(), static_cast<std::size_t>(accesses.size())}, bytes, place);
  }

  /// Local memory serves 128 bytes a pass: 32 items of 4 bytes, 16 of 8, 8 of 16. Words in one bank take turns; the same
  /// word is read by all at once.
  void judge_banks(const WarpRows::Row& row, const Indices& indices, std::uint64_t bytes, const Place& place) {
    const std::uint64_t lanes_a_request = bank_count * bank_bytes / bytes;
    for (int from = 0; from < row.lanes;) {
      const std::uint64_t request = row.lane[static_cast<std::size_t>(from)] / lanes_a_request;
      std::array<std::uint64_t, bank_count> words;
      std::size_t count = 0;
      int to = from;
      for (; to < row.lanes && row.lane[static_cast<std::size_t>(to)] / lanes_a_request == request; ++to)
        for (std::uint64_t byte = 0; byte < bytes; byte += bank_bytes)
          words[count++] = (indices[static_cast<std::size_t>(to)] * bytes + byte) / bank_bytes;
      count = sort_unique(std::span(words).first(count));
      std::array<std::uint8_t, bank_count> in_bank{};
      std::uint64_t degree = 1;
      for (std::size_t w = 0; w < count; ++w)
        degree = std::max<std::uint64_t>(degree, ++in_bank[words[w] % bank_count]);
      add(banks_[place], row, degree, 1, indices[static_cast<std::size_t>(from)],
          static_cast<std::uint64_t>(to - from));
      from = to;
    }
  }

  /// Global memory comes in sectors of 32 bytes. All accesses of the operation to one buffer are taken together: what one of
  /// them fetches, the others find in the cache.
  void judge_sectors(const WarpRows::Row& row, std::span<const Indices> accesses, std::uint64_t bytes,
                     const Place& place) {
    std::array<std::uint64_t, 4 * warp_size> elements{}, sectors{};
    std::size_t count = 0;
    for (const Indices& indices : accesses)
      for (int lane = 0; lane < row.lanes; ++lane) elements[count++] = indices[static_cast<std::size_t>(lane)];
    count = sort_unique(std::span(elements).first(count));
    for (std::size_t e = 0; e < count; ++e) sectors[e] = elements[e] * bytes / sector_bytes;
    const std::size_t touched = sort_unique(std::span(sectors).first(count));
    // A run that starts in the middle of a sector needs one more; that is no one's fault.
    const std::uint64_t ideal = (count * bytes + sector_bytes - 1) / sector_bytes + 1;
    add(sectors_[place], row, touched, ideal, accesses[0][0], static_cast<std::uint64_t>(row.lanes));
  }

  void judge_atomics(const WarpRows::Row& row, const Indices& indices, const Place& place) {
    std::array<std::uint64_t, warp_size> elements{};
    const auto count = static_cast<std::size_t>(row.lanes);
    std::copy_n(indices.begin(), count, elements.begin());
    std::sort(elements.begin(), elements.begin() + row.lanes);
    std::uint64_t most = 1, run = 1, element = elements[0];
    for (std::size_t i = 1; i < count; ++i) {
      run = elements[i] == elements[i - 1] ? run + 1 : 1;
      if (run > most) most = run, element = elements[i];
    }
    add(atomics_[place], row, most, 1, element, count);
  }

  static void add(Cost& cost, const WarpRows::Row& row, std::uint64_t got, std::uint64_t ideal, std::uint64_t element,
                  std::uint64_t lanes) {
    ++cost.requests;
    cost.total += got;
    cost.ideal += ideal;
    cost.costly += got > ideal;
    if (got <= cost.worst) return;
    cost.worst = got;
    cost.worst_ideal = ideal;
    cost.worst_lanes = lanes;
    cost.worst_step = row.first.step;
    cost.worst_item = row.first.item;
    cost.worst_element = element;
    cost.worst_epoch = row.first.epoch;
  }

  Finding finding_of(FindingClass kind, const Place& place, const Cost& cost) const {
    Finding finding;
    finding.kind = kind;
    finding.launch = launch_->number;
    finding.stage = place.stage;
    finding.epoch = cost.worst_epoch;
    finding.step = cost.worst_step;
    finding.items = {cost.worst_item};
    finding.occurrences = cost.costly;
    finding.buffer = place.buffer;
    finding.element = cost.worst_element;
    finding.source = launch_->source;
    finding.line = place.line;
    return finding;
  }
  const std::string& buffer_name(const Place& place) const {
    return info_.buffers[static_cast<std::size_t>(place.buffer)].name;
  }

  void report_banks(const Place& place, const Cost& cost, Findings& findings) const {
    if (cost.worst < 2) return;
    Finding finding = finding_of(FindingClass::BankConflict, place, cost);
    finding.message = Message(
        "a conflict of degree {} {} {}[]: of {} work-items of a sub-group up to {} want different words of one bank, "
        "which "
        "takes {} passes instead of 1 ({} of {} requests conflict)",
        cost.worst, place.write ? Message("in writing") : Message("in reading"), buffer_name(place), cost.worst_lanes,
        cost.worst, cost.worst, cost.costly, cost.requests);
    finding.advice = Message("Pad each row by one element, or let neighbouring work-items take neighbouring elements.");
    findings.add(std::move(finding));
  }

  void report_sectors(const Place& place, const Cost& cost, Findings& findings) const {
    if (cost.total <= 2 * cost.ideal) return;  // twice what is needed is worth a word
    Finding finding = finding_of(FindingClass::Uncoalesced, place, cost);
    finding.message =
        place.write ? Message(
                          "writing {}[] by {} work-items of a sub-group touches {} sectors of 32 bytes where {} would "
                          "hold the values",
                          buffer_name(place), cost.worst_lanes, cost.worst, cost.worst_ideal - 1)
                    : Message(
                          "reading {}[] by {} work-items of a sub-group fetches {} sectors of 32 bytes where {} would "
                          "hold the values",
                          buffer_name(place), cost.worst_lanes, cost.worst, cost.worst_ideal - 1);
    finding.advice =
        Message("Let neighbouring work-items touch neighbouring elements, or stage the data through local memory.");
    findings.add(std::move(finding));
  }

  void report_atomics(const Place& place, const Cost& cost, Findings& findings) const {
    if (cost.worst < 2) return;
    Finding finding = finding_of(FindingClass::AtomicContention, place, cost);
    finding.message = Message(
        "up to {} of {} work-items of a sub-group add to the same element of {}[] at once, one after the other ({:.1f} "
        "on "
        "average)",
        cost.worst, cost.worst_lanes, buffer_name(place),
        static_cast<double>(cost.total) / static_cast<double>(cost.requests));
    finding.advice = Message("Give each sub-group counters of its own and add them up at the end.");
    findings.add(std::move(finding));
  }

  const TraceInfo& info_;
  const LaunchInfo* launch_ = nullptr;
  Warp warp_;
  int epoch_ = 0, stage_ = 0;
  WarpRows rows_;
  std::map<Place, Cost> banks_, sectors_, atomics_;
};

}  // namespace

std::unique_ptr<Check> make_memory_check(const TraceInfo& info) { return std::make_unique<MemoryCheck>(info); }

}  // namespace twiddle
