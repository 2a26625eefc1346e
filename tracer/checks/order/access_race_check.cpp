// Races, from the accesses themselves: two work-items touch the same bytes, at least one of them writes, not both are atomic, and
// nothing orders the two. What orders: a barrier of the group for the memory that its flags name; a meeting of the sub-group for
// its own items; a wait for asynchronous copies; what one item released and the other acquired.
#include "tracer/checks/limits.h"
#include "tracer/checks/order/access_cells.h"
#include "tracer/checks/order/lockstep.h"
#include "tracer/checks/order/order_findings.h"
#include "tracer/checks/order/synchronisation.h"
#include "tracer/cost/sub_group.h"
#include "tracer/source/tokens.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

namespace twiddle {
namespace {

/// One side of a possible race.
struct ItemTouch {
  std::uint32_t item = no_item, epoch = 0, group_epoch = 0, grid_epoch = 0, sub_epoch = 0, copy_epoch = 0;
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

// Whether a statement exchanges a value for another one, not regarding what was there: by its words, as a log has no other trace
// of it.
bool is_exchange(const TraceInfo& info, const AccessSite& site) {
  constexpr std::string_view exchanges[] = {"atomicExch", "atomicExch_block", "atomicExch_system",        "atomic_xchg",
                                            "atom_xchg",  "atomic_exchange",  "atomic_exchange_explicit", "exchange"};
  constexpr std::string_view others[] = {"CAS", "cmpxchg", "compare_exchange", "atomicAdd", "atomic_add", "fetch_"};
  const SourceText* source = info.source(site.source);
  if (!source || site.line <= 0) return false;
  bool found = false;
  for (const Token& token : tokenize(source->text)) {
    if (token.line > site.line) break;
    if (token.line != site.line || !token.identifier()) continue;
    found = found || std::find(std::begin(exchanges), std::end(exchanges), token.text) != std::end(exchanges);
    for (const std::string_view other : others)
      if (token.text.find(other) != std::string_view::npos) return false;
  }
  return found;
}

/// What was read plainly before exchanges of the same element, and what these put there.
class Exchanged {
 public:
  void add(const AccessLog& log, std::uint64_t read, std::uint64_t exchange) {
    const AccessSite &from = log.sites[log.site[read]], &to = log.sites[log.site[exchange]];
    const std::uint64_t was = log.value[read], is = log.value[exchange + 1];
    const std::uint64_t mask = from.chunk >= 8 ? ~std::uint64_t(0) : (std::uint64_t(1) << (8 * from.chunk)) - 1;
    const std::uint64_t difference = (is - was) & mask;
    if (count_++ == 0) {
      was_ = was;
      is_ = is;
      difference_ = difference;
    }
    reads_differ_ = reads_differ_ || was != was_;
    writes_differ_ = writes_differ_ || is != is_;
    steady_ = steady_ && difference == difference_;
    one_line_ = one_line_ && from.source == to.source && from.line == to.line;
  }
  bool made_of_what_was_read() const { return reads_differ_ && writes_differ_ && (steady_ || one_line_); }

 private:
  std::uint64_t count_ = 0, was_ = 0, is_ = 0, difference_ = 0;
  bool reads_differ_ = false, writes_differ_ = false, steady_ = true, one_line_ = true;
};

class AccessRaceCheck : public LimitedCheck {
 public:
  explicit AccessRaceCheck(const TraceInfo& info) : info_(info) {}

  void begin_launch(const LaunchInfo& launch) override {
    log_ = nullptr;
    synchronisation_.reset();
    group_ = ~std::uint64_t(0);
    undecided_ = 0;
    last_undecided_ = ~std::uint64_t(0);
    lacks_exchanges_ = launch.accesses.lacks_exchanges();
    exchanged_ = 0;
    last_exchanged_ = ~std::uint64_t(0);
    cuda_ = info_.dialect() == Dialect::Cuda;
    tells_of_grids_ = info_.runtime == "host";
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
      lockstep_ = cuda_ ? lockstep_sites(info_, *log_, group_size_, sub_group_size) : std::vector<bool>();
      synchronisation_.reset();
    }
    const bool waited_for = event.site->is_volatile && event.bytes() <= 8 && !in_step(event);
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

  void end_accesses(const LaunchInfo& launch, Findings&) override {
    if (undecided_ > 0)
      give_up(launch,
              Message("the order that atomics make was not followed to its end for {} of its accesses: a race of "
                      "theirs would not be told of",
                      std::to_string(undecided_)));
    if (exchanged_ > 0)
      give_up(
          launch,
          Message("{} of its accesses are in no order but what shuffles may make between the threads of a warp, which "
                  "are not logged: a race of theirs is not told of",
                  std::to_string(exchanged_)));
  }

 private:
  bool in_step(const AccessEvent& event) const { return !lockstep_.empty() && lockstep_[log_->site[event.record]]; }

  ItemTouch touch_of(const AccessEvent& event, const BufferInfo& buffer) const {
    const bool local = buffer.space == Space::Local;
    return {static_cast<std::uint32_t>(event.item),
            local ? event.local_epoch : event.global_epoch,
            static_cast<std::uint32_t>(event.epoch),
            event.grid_epoch,
            event.sub_epoch,
            event.copy_epoch,
            log_->site[event.record],
            is_atomic(event.site->kind) || (event.site->is_volatile && !in_step(event)),
            local,
            event.record};
  }

  bool unordered(const ItemTouch& before, const ItemTouch& now, const AccessEvent& event, bool copied) {
    if (before.item == no_item || before.item == now.item) return false;
    const bool same_group = before.item / group_size_ == now.item / group_size_;
    if (copied && same_group) return before.copy_epoch == now.copy_epoch;
    if (same_group && before.epoch != now.epoch) return false;
    if (!same_group && event.launch->cooperative &&
        (tells_of_grids_ ? before.grid_epoch != now.grid_epoch : before.epoch != now.epoch))
      return false;
    if (same_group && same_sub_group(before.item, now.item) && before.sub_epoch != now.sub_epoch) return false;
    if (!synchronisation_)
      synchronisation_.emplace(*log_, group_size_, cuda_ ? sub_group_size : group_size_, cuda_, limits.order_steps);
    const std::optional<bool> order = ordered(before, now, event, Synchronisation::Meeting::Ordered);
    if (!order && now.record != last_undecided_) {
      ++undecided_;
      last_undecided_ = now.record;
    }
    if (order == false && lacks_exchanges_ && same_group && same_sub_group(before.item, now.item)) {
      exchanged_ += now.record != last_exchanged_;
      last_exchanged_ = now.record;
      return false;
    }
    return order == false;
  }

  // Items come in their numbers' order, not in that of time. Nothing: it was not found out.
  std::optional<bool> ordered(const ItemTouch& a, const ItemTouch& b, const AccessEvent& event,
                              Synchronisation::Meeting meeting) {
    const Synchronisation::Location where{event.buffer, event.offset};
    const std::optional<bool> one = synchronisation_->orders(place_of(a), place_of(b), where, a.local, meeting);
    if (one == true) return one;
    const std::optional<bool> other = synchronisation_->orders(place_of(b), place_of(a), where, a.local, meeting);
    return one == false || other == true ? other : one;
  }

  static Synchronisation::Place place_of(const ItemTouch& touch) {
    return {touch.item, touch.record, static_cast<int>(touch.group_epoch), touch.sub_epoch, touch.atomic};
  }

  // Places that read what an atomic operation of the same item then finds or not: compare and exchange in a loop begins with
  // such a guess, and so does asking whether an atomic is needed at all. An exchange whose new value is made of what was read is
  // none: what others added meanwhile is lost.
  void find_guesses(const AccessLog& log) {
    constexpr std::uint64_t near = 16;  // records
    guesses_.assign(log.sites.size(), false);
    std::vector<std::optional<bool>> exchanges(log.sites.size());
    std::map<std::uint32_t, Exchanged> exchanged;  // by the site that reads
    for (std::uint64_t i = 0; i < log.items(); ++i)
      for (std::uint64_t k = log.begin[i]; k < log.begin[i + 1]; ++k) {
        const std::uint32_t site = log.site[k];
        if (log.sites[site].kind != AccessKind::Load || log.sites[site].chunk > 8) continue;
        if (guesses_[site] && !exchanged.contains(site)) continue;
        for (std::uint64_t next = k + 1; next < std::min(log.begin[i + 1], k + near); ++next) {
          if (log.buffer[next] != log.buffer[k] || log.offset[next] != log.offset[k]) continue;
          if (log.sites[log.site[next]].kind == AccessKind::AtomicLoad) {
            guesses_[site] = true;
            std::optional<bool>& exchange = exchanges[log.site[next]];
            if (!exchange) exchange = is_exchange(info_, log.sites[log.site[next]]);
            if (*exchange && next + 1 < log.begin[i + 1]) exchanged[site].add(log, k, next);
          }
          break;
        }
      }
    put_back_.clear();
    for (const auto& [site, all] : exchanged)
      if (all.made_of_what_was_read()) {
        guesses_[site] = false;
        put_back_.insert(site);
      }
  }

  // Of OpenCL's sub-groups the size is not known: their meetings may be of the whole group.
  bool same_sub_group(std::uint64_t a, std::uint64_t b) const {
    return !cuda_ || SubGroups(group_size_).number_of(a) == SubGroups(group_size_).number_of(b);
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
        ordered(other, touch_of(event, *info_.buffer(event.buffer)), event, Synchronisation::Meeting::Any) == true)
      finding.advice = Message(
          "The two meet in an atomic operation, which orders nothing here: what writes it has to release and what "
          "reads it "
          "to acquire, by its order or a fence beside it, each of a scope and for a memory that holds both.");
    if (put_back_.contains(other.site) || put_back_.contains(log_->site[event.record]))
      finding.advice = Message(
          "The exchange puts back what was read before it, and what others added meanwhile is lost: let one atomic "
          "operation read, add and write, or compare and exchange in a loop.");
    findings.add(std::move(finding));
  }

  const TraceInfo& info_;
  std::uint64_t undecided_ = 0, last_undecided_ = 0;  // accesses of this launch, and the last one's record
  bool lacks_exchanges_ = false;                      // of this launch
  std::uint64_t exchanged_ = 0, last_exchanged_ = 0;  // accesses that these may order, and the last one's record
  bool cuda_ = false;
  bool tells_of_grids_ = false;  // the log says which barriers are of the whole grid
  std::uint64_t group_size_ = 1, group_ = 0;
  const AccessLog* log_ = nullptr;
  std::optional<AccessCells<CellHistory>> cells_;
  std::optional<Synchronisation> synchronisation_;
  std::vector<bool> lockstep_;        // by site of the log; empty: none is
  std::vector<bool> guesses_;         // by site of the log
  std::set<std::uint32_t> put_back_;  // sites whose values an exchange puts back, changed
};

}  // namespace

std::unique_ptr<Check> make_access_race_check(const TraceInfo& info) {
  const auto logged = [](const LaunchInfo& launch) { return launch.accesses.logged; };
  if (std::none_of(info.launches.begin(), info.launches.end(), logged)) return nullptr;
  return std::make_unique<AccessRaceCheck>(info);
}

}  // namespace twiddle
