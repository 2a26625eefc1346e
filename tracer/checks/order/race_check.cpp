// Races: two work-items touch an element, at least one of them writes, and nothing orders the two. A barrier orders the
// items of one group; nothing inside a launch orders items of different groups (unless the launch is cooperative and its
// barriers are grid-wide, which then separate epochs for all items). The schedule does not matter: one run shows them all.
#include "tracer/checks/check.h"
#include "tracer/checks/element_table.h"
#include "tracer/checks/order/order_findings.h"

#include <cstring>
#include <unordered_map>

namespace twiddle {
namespace {

/// One side of a possible race: who touched the element, when, and from which line.
struct Touch {
  std::uint32_t item = no_item, epoch = 0;
};

/// What has happened to an element in this launch. Writers but the last need not be remembered: an access not ordered with
/// an earlier one races with the last, or the last did with the earlier. Of readers the last is kept, the last other item,
/// and the last of another group, so that every reader that a writer could race with is among them.
struct History {
  Touch writer, reader, other_reader, foreign_reader;
  std::array<std::uint16_t, 4> lines{};  // of the four, in this order
  std::uint32_t launch = 0;              // the launch this belongs to: older histories need no clearing
  std::uint32_t value = 0;               // a digest of what was written last
  bool atomic = false, known = false;    // the last write was atomic; its value is known
};

// 32 bits that tell values apart: exact for those of 4 bytes, and mixed so that different ones of 8 or 16 rarely agree.
std::uint32_t digest(const Value& value) {
  const std::size_t bytes = traits(value.type).bytes;
  std::uint64_t words[2] = {};
  std::memcpy(words, value.bits.data(), bytes);
  if (bytes == 4) return static_cast<std::uint32_t>(words[0]);
  std::uint64_t mixed = (words[0] ^ (words[1] * 0x9E3779B97F4A7C15u)) * 0xD6E8FEB86659FD93u;
  return static_cast<std::uint32_t>((mixed ^ (mixed >> 32)) >> 7);
}

class RaceCheck : public Check {
 public:
  explicit RaceCheck(const TraceInfo& info) : info_(info), histories_(info) {}

  void begin_launch(const LaunchInfo& launch) override {
    launch_ = &launch;
    group_size_ = launch.group_size();
    histories_.forget_locals();
    forgotten_at_ = 0;
    draws_.clear();
  }

  void operation(const Operation& op, Findings& findings) override {
    if (launch_->accesses.logged) return;  // access_race_check knows more
    // A barrier orders all that touches a local array, so that an epoch's histories are of no use to the next.
    if (op.epoch != forgotten_at_) {
      histories_.forget_locals();
      forgotten_at_ = op.epoch;
    }
    const bool atomic = op.kind == OperationKind::Atomic;
    if (!atomic)
      for (const Access& access : op.reads)
        each_history(op, access, [&](History& h) { read(op, access, h, findings); });
    for (const Access& access : op.writes)
      each_history(op, access, [&](History& h) { write(op, access, atomic, h, findings); });
    if (atomic && !op.writes.empty() && !is_local(info_.buffers[op.writes[0].buffer])) draw(op);
  }

 private:
  template <typename Each>
  void each_history(const Operation& op, const Access& access, const Each& each) {
    const BufferInfo* buffer = info_.buffer(access.buffer);
    if (!buffer) return;
    const ElementRange elements = elements_of(*buffer, access);
    if (elements.part) return;  // two parts of one element do not meet
    for (std::uint64_t element = elements.first; element < elements.end; ++element) {
      History* history = histories_.find(access.buffer, op.item / group_size_, element);
      if (!history) return;  // bounds_check reports it
      if (history->launch != static_cast<std::uint32_t>(op.launch)) {
        *history = {};
        history->launch = static_cast<std::uint32_t>(op.launch);
      }
      each(*history);
    }
  }

  bool unordered(const Touch& before, const Operation& now) const {
    if (before.item == no_item || before.item == now.item) return false;
    if (before.epoch == static_cast<std::uint32_t>(now.epoch)) return true;
    return !launch_->cooperative && before.item / group_size_ != now.item / group_size_;
  }

  /// The latest atomic operation of a group on global memory: groups that add to the same element are in the order of what they
  /// found there, so that the last one may take what the others left before theirs.
  struct Draw {
    std::uint32_t item = no_item, epoch = 0;
    int buffer = -1;
    std::uint64_t element = 0;
    double found = 0;
    bool known = false;
  };
  void draw(const Operation& op) {
    const Access& at = op.writes[0];
    Draw& draw = draws_[op.item / group_size_];
    draw = {static_cast<std::uint32_t>(op.item), static_cast<std::uint32_t>(op.epoch), at.buffer, at.index, 0, false};
    if (op.reads.size() == 1 && op.reads[0].known) {
      draw.found = op.reads[0].value.component(0);
      draw.known = true;
    }
  }
  bool drew_before(const Touch& before, const Operation& now) const {
    const auto first = draws_.find(before.item / group_size_), second = draws_.find(now.item / group_size_);
    if (first == draws_.end() || second == draws_.end() || first == second) return false;
    const Draw &a = first->second, &b = second->second;
    if (a.buffer != b.buffer || a.element != b.element) return false;
    if (a.known && b.known && a.found >= b.found) return false;
    const bool then = before.item == a.item ? before.epoch <= a.epoch : before.epoch < a.epoch;
    const bool later = now.item == b.item || static_cast<std::uint32_t>(now.epoch) > b.epoch;
    return then && later;
  }

  void read(const Operation& op, const Access& access, History& history, Findings& findings) {
    if (unordered(history.writer, op) && !drew_before(history.writer, op))
      report(op, access, history.writer, history.lines[0], {translatable("reads"), translatable("writes")},
             FindingClass::Race, findings);
    const Touch touch{static_cast<std::uint32_t>(op.item), static_cast<std::uint32_t>(op.epoch)};
    const auto group = [&](const Touch& one) { return one.item / group_size_; };
    auto& lines = history.lines;
    if (history.reader.item != no_item && history.reader.item != touch.item) {
      if (group(history.reader) != group(touch)) {
        history.foreign_reader = history.reader;
        lines[3] = lines[1];
      }
      history.other_reader = history.reader;
      lines[2] = lines[1];
    }
    history.reader = touch;
    lines[1] = static_cast<std::uint16_t>(op.line);
  }

  void write(const Operation& op, const Access& access, bool atomic, History& history, Findings& findings) {
    const std::array<const Touch*, 3> readers{&history.reader, &history.other_reader, &history.foreign_reader};
    for (std::size_t r = 0; r < readers.size(); ++r)
      if (unordered(*readers[r], op) && !drew_before(*readers[r], op)) {
        report(op, access, *readers[r], history.lines[r + 1], {translatable("writes"), translatable("reads")},
               FindingClass::Race, findings);
        break;
      }
    const std::uint32_t value = access.known ? digest(access.value) : 0;
    if (!(atomic && history.atomic) && unordered(history.writer, op) && !drew_before(history.writer, op)) {
      const bool same = access.known && history.known && history.value == value;
      report(op, access, history.writer, history.lines[0], {translatable("writes"), translatable("writes")},
             same ? FindingClass::RaceSameValue : FindingClass::Race, findings);
    }
    history.writer = {static_cast<std::uint32_t>(op.item), static_cast<std::uint32_t>(op.epoch)};
    history.lines[0] = static_cast<std::uint16_t>(op.line);
    history.atomic = atomic;
    history.known = access.known;
    history.value = value;
  }

  void report(const Operation& op, const Access& access, const Touch& other, int other_line, const RaceVerbs& verbs,
              FindingClass kind, Findings& findings) {
    if (findings.count_repeat(place_of(kind, op, access, other_line), op.item)) return;
    Finding finding = finding_at(kind, info_, op, access);
    word_race(info_, finding, other.item, other_line, group_size_, verbs);
    findings.add(std::move(finding));
  }

  const TraceInfo& info_;
  const LaunchInfo* launch_ = nullptr;
  std::uint64_t group_size_ = 1;
  ElementTable<History> histories_;
  int forgotten_at_ = 0;
  std::unordered_map<std::uint64_t, Draw> draws_;  // by group
};

}  // namespace

std::unique_ptr<Check> make_race_check(const TraceInfo& info) { return std::make_unique<RaceCheck>(info); }

}  // namespace twiddle
