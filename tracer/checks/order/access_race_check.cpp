// Races, from the accesses themselves: two work-items touch the same bytes, at least one of them writes, not both are atomic, and
// nothing orders the two. What orders: a barrier of the group for the memory that its flags name; a meeting of the sub-group for
// its own items; a wait for asynchronous copies; what one item released and the other acquired.
#include "tracer/checks/check.h"
#include "tracer/checks/order/access_cells.h"
#include "tracer/checks/order/order_findings.h"
#include "tracer/checks/order/synchronisation.h"
#include "tracer/cost/sub_group.h"

#include <initializer_list>
#include <memory>
#include <optional>

namespace twiddle {
namespace {

/// One side of a possible race.
struct ItemTouch {
  std::uint32_t item = no_item, epoch = 0, group_epoch = 0, sub_epoch = 0, copy_epoch = 0;
  std::uint32_t site = 0;
  bool atomic = false, local = false;
  std::uint64_t record = 0;
};

/// What has happened to a cell in this launch; of several that could be remembered, those that a later access could race with.
struct CellHistory {
  ItemTouch writer, reader, other_reader, foreign_reader, atomic, other_atomic;
  std::uint64_t value = 0;  // what the writer left
  std::uint32_t launch = 0;
  bool copied = false;         // the writer was an asynchronous copy
  bool atomic_writes = false;  // of the two remembered
};

class AccessRaceCheck : public Check {
 public:
  explicit AccessRaceCheck(const TraceInfo& info) : info_(info) {}

  void begin_launch(const LaunchInfo& launch) override {
    log_ = nullptr;
    synchronisation_.reset();
    group_ = ~std::uint64_t(0);
    cuda_ = info_.dialect() == Dialect::Cuda;
    group_size_ = std::max<std::uint64_t>(launch.group_size(), 1);
    if (cells_) cells_->forget_own();
  }

  void access(const AccessEvent& event, Findings& findings) override {
    if (!touches_memory(event.site->kind)) return;
    const BufferInfo* buffer = info_.buffer(event.buffer);
    if (!buffer || buffer->space == Space::Private || buffer->space == Space::Constant) return;
    if (!cells_) cells_.emplace(info_);
    if (!event.launch->cooperative && event.group != group_) {
      cells_->forget_own();  // groups come one after another
      group_ = event.group;
    }
    if (event.log != log_) {
      log_ = event.log;
      find_guesses(*log_);
      synchronisation_.reset();
    }
    const bool waited_for = event.site->is_volatile && event.bytes() <= 8;
    const bool atomic = is_atomic(event.site->kind) || waited_for || guesses_[event.log->site[event.record]];
    cells_->for_each(event, [&](CellHistory& history, std::uint64_t) {
      if (history.launch != static_cast<std::uint32_t>(event.launch->number)) {
        history = {};
        history.launch = static_cast<std::uint32_t>(event.launch->number);
      }
      if (atomic)
        touch_atomically(event, *buffer, history, findings);
      else if (is_write(event.site->kind))
        write(event, *buffer, history, findings);
      else
        read(event, *buffer, history, findings);
    });
  }

 private:
  ItemTouch touch_of(const AccessEvent& event, const BufferInfo& buffer) const {
    const bool local = buffer.space == Space::Local;
    return {static_cast<std::uint32_t>(event.item),
            local ? event.local_epoch : event.global_epoch,
            static_cast<std::uint32_t>(event.epoch),
            event.sub_epoch,
            event.copy_epoch,
            log_->site[event.record],
            is_atomic(event.site->kind) || event.site->is_volatile,
            local,
            event.record};
  }

  bool unordered(const ItemTouch& before, const ItemTouch& now, const AccessEvent& event, bool copied) {
    if (before.item == no_item || before.item == now.item) return false;
    const bool same_group = before.item / group_size_ == now.item / group_size_;
    if (copied && same_group) return before.copy_epoch == now.copy_epoch;
    if (same_group || event.launch->cooperative)
      if (before.epoch != now.epoch) return false;
    if (same_group && same_sub_group(before.item, now.item) && before.sub_epoch != now.sub_epoch) return false;
    if (!synchronisation_) synchronisation_.emplace(*log_, group_size_, cuda_ ? sub_group_size : group_size_, cuda_);
    return !ordered(before, now, event, Synchronisation::Meeting::Ordered);
  }

  // Items come in their numbers' order, whichever was first in time.
  bool ordered(const ItemTouch& a, const ItemTouch& b, const AccessEvent& event, Synchronisation::Meeting meeting) {
    const Synchronisation::Location where{event.buffer, event.offset};
    return synchronisation_->orders(place_of(a), place_of(b), where, a.local, meeting) ||
           synchronisation_->orders(place_of(b), place_of(a), where, a.local, meeting);
  }

  static Synchronisation::Place place_of(const ItemTouch& touch) {
    return {touch.item, touch.record, static_cast<int>(touch.group_epoch), touch.sub_epoch, touch.atomic};
  }

  // Places that read what an atomic operation of the same item then finds or not: compare and exchange in a loop begins with
  // such a guess, and so does asking whether an atomic is needed at all.
  void find_guesses(const AccessLog& log) {
    constexpr std::uint64_t near = 16;  // records
    guesses_.assign(log.sites.size(), false);
    for (std::uint64_t i = 0; i < log.items(); ++i)
      for (std::uint64_t k = log.begin[i]; k < log.begin[i + 1]; ++k) {
        const AccessSite& site = log.sites[log.site[k]];
        if (site.kind != AccessKind::Load || site.chunk > 8 || guesses_[log.site[k]]) continue;
        for (std::uint64_t next = k + 1; next < std::min(log.begin[i + 1], k + near); ++next)
          if (log.buffer[next] == log.buffer[k] && log.offset[next] == log.offset[k]) {
            guesses_[log.site[k]] = log.sites[log.site[next]].kind == AccessKind::AtomicLoad;
            break;
          }
      }
  }

  // Of OpenCL's sub-groups the size is not known: their meetings may be of the whole group.
  bool same_sub_group(std::uint64_t a, std::uint64_t b) const {
    return !cuda_ || a % group_size_ / sub_group_size == b % group_size_ / sub_group_size;
  }

  void read(const AccessEvent& event, const BufferInfo& buffer, CellHistory& history, Findings& findings) {
    const ItemTouch now = touch_of(event, buffer);
    if (unordered(history.writer, now, event, history.copied))
      report(event, history.writer, {translatable("reads"), translatable("writes")}, FindingClass::Race, findings);
    if (history.atomic_writes)
      report_first({&history.atomic, &history.other_atomic}, now, event,
                   {translatable("reads"), translatable("atomically changes")}, findings);
    if (history.reader.item != no_item && history.reader.item != now.item) {
      if (history.reader.item / group_size_ != now.item / group_size_) history.foreign_reader = history.reader;
      history.other_reader = history.reader;
    }
    history.reader = now;
  }

  void write(const AccessEvent& event, const BufferInfo& buffer, CellHistory& history, Findings& findings) {
    const ItemTouch now = touch_of(event, buffer);
    report_first({&history.reader, &history.other_reader, &history.foreign_reader}, now, event,
                 {translatable("writes"), translatable("reads")}, findings);
    report_first({&history.atomic, &history.other_atomic}, now, event,
                 {translatable("writes"), translatable("atomically changes")}, findings);
    if (unordered(history.writer, now, event, history.copied))
      report(event, history.writer, {translatable("writes"), translatable("writes")},
             history.value == event.value ? FindingClass::RaceSameValue : FindingClass::Race, findings);
    history.writer = now;
    history.value = event.value;
    history.copied = event.site->kind == AccessKind::CopyStore;
  }

  void touch_atomically(const AccessEvent& event, const BufferInfo& buffer, CellHistory& history, Findings& findings) {
    const ItemTouch now = touch_of(event, buffer);
    const bool writes = is_write(event.site->kind);
    if (unordered(history.writer, now, event, history.copied))
      report(event, history.writer, {translatable("atomically changes"), translatable("writes")}, FindingClass::Race,
             findings);
    if (writes)
      report_first({&history.reader, &history.other_reader, &history.foreign_reader}, now, event,
                   {translatable("atomically changes"), translatable("reads")}, findings);
    if (history.atomic.item != now.item) {
      history.other_atomic = history.atomic;
      history.atomic = now;
    } else if (writes || !history.atomic_writes) {
      history.atomic = now;
    }
    history.atomic_writes = history.atomic_writes || writes;
  }

  // The first of these that nothing orders.
  void report_first(std::initializer_list<const ItemTouch*> others, const ItemTouch& now, const AccessEvent& event,
                    const RaceVerbs& verbs, Findings& findings) {
    for (const ItemTouch* other : others)
      if (unordered(*other, now, event, false)) return report(event, *other, verbs, FindingClass::Race, findings);
  }

  void report(const AccessEvent& event, const ItemTouch& other, const RaceVerbs& verbs, FindingClass kind,
              Findings& findings) {
    const int other_line = log_->sites[other.site].line;
    if (findings.count_repeat(twiddle::place_of(kind, event, other_line), event.item)) return;
    Finding finding = finding_at(kind, event, access_of(info_, event));
    word_race(info_, finding, other.item, other_line, group_size_, verbs);
    if (kind == FindingClass::Race && synchronisation_ &&
        ordered(other, touch_of(event, *info_.buffer(event.buffer)), event, Synchronisation::Meeting::Any))
      finding.advice = Message(
          "The two meet in an atomic operation, which orders nothing here: what writes it has to release and what "
          "reads it "
          "to acquire, by its order or a fence beside it, each of a scope and for a memory that holds both.");
    findings.add(std::move(finding));
  }

  const TraceInfo& info_;
  bool cuda_ = false;
  std::uint64_t group_size_ = 1, group_ = 0;
  const AccessLog* log_ = nullptr;
  std::optional<AccessCells<CellHistory>> cells_;
  std::optional<Synchronisation> synchronisation_;
  std::vector<bool> guesses_;  // by site of the log
};

}  // namespace

std::unique_ptr<Check> make_access_race_check(const TraceInfo& info) {
  const auto logged = [](const LaunchInfo& launch) { return launch.accesses.logged; };
  if (std::none_of(info.launches.begin(), info.launches.end(), logged)) return nullptr;
  return std::make_unique<AccessRaceCheck>(info);
}

}  // namespace twiddle
