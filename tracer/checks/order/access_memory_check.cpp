// Accesses outside their memory, and reads of what has not been written, from the accesses themselves.
#include "base/error.h"
#include "base/message.h"
#include "tracer/access/texel.h"
#include "tracer/checks/limits.h"
#include "tracer/checks/order/access_cells.h"
#include "tracer/checks/order/order_findings.h"
#include "tracer/source/source.h"
#include "tracer/source/tokens.h"
#include "tracer/trace/item_words.h"

#include <optional>
#include <utility>

namespace twiddle {
namespace {

constexpr std::uint64_t first_page = 4096;  // no buffer begins below: such an address comes of a null pointer

/// A cell of the current launch or of one before.
struct CellContent {
  bool written = false;
  std::uint32_t reader = 0;   // 1 + the finding among `early_`, when it was read unwritten between two meetings
  std::uint32_t waiting = 0;  // the same among `waiting_`, when its group has gone on since
};

class AccessMemoryCheck : public LimitedCheck {
 public:
  explicit AccessMemoryCheck(const TraceSource& trace) : trace_(trace), info_(trace.info()) {}

  void begin_launch(const LaunchInfo&) override {
    if (cells_) cells_->forget_own();
    group_ = ~std::uint64_t(0);
    early_.clear();
  }

  void access(const AccessEvent& event, Findings& findings) override {
    if (!event.launch->cooperative && event.group != group_) {
      tell_early_reads(findings);
      if (cells_) cells_->forget_own();
      group_ = event.group;
      phase_ = 0;
    }
    if (event.phase > phase_) {
      tell_early_reads(findings);
      phase_ = event.phase;
    }
    if (!touches_memory(event.site->kind)) return;
    const BufferInfo* buffer = info_.buffer(event.buffer);
    if (!buffer) {
      if (event.offset < first_page) report_null(event, findings);
      return;
    }
    if (buffer->count == 0) return;  // an array of unknown size
    if (event.offset + event.bytes() > buffer->count * traits(buffer->type).bytes ||
        event.offset + event.bytes() < event.bytes()) {
      report_outside(event, findings);
      return;
    }
    if (buffer->initialised) return;
    if (!cells_) cells_.emplace(info_);
    const bool reads = is_read(event.site->kind);
    bool any_written = false, all_written = true;
    cells_->for_each(event, [&](CellContent& content, std::uint64_t) {
      any_written = any_written || content.written;
      all_written = all_written && content.written;
      if (!reads) {
        // What an item reads before it writes it itself is no matter of order.
        if (content.reader && early_[content.reader - 1].event.item == event.item)
          early_[content.reader - 1].own = true;
        if (content.waiting && waiting_[content.waiting - 1].event.group != event.group)
          waiting_[content.waiting - 1].answered = true;
        content.written = true;
      }
    });
    // Of an element that is written in part, the rest may be padding.
    if (!reads || any_written || all_written) return;
    cells_->for_each(event, [&](CellContent& content, std::uint64_t) {
      if (content.reader) return;
      early_.push_back({event, *event.site, &content, false});
      content.reader = static_cast<std::uint32_t>(early_.size());
    });
  }

  void end_accesses(const LaunchInfo& launch, Findings& findings) override {
    tell_early_reads(findings);
    if (const std::uint64_t count = std::exchange(undecided_, 0))
      give_up(launch, Message("whether another group had written what {} of its accesses read was not found out",
                              std::to_string(count)));
    for (Early& early : waiting_) {
      early.content->waiting = 0;
      if (!early.answered) tell(early, findings);
    }
    waiting_.clear();
  }

  void end_launch(const LaunchInfo& launch, Findings&) override {
    // What a launch wrote without logging it is written all the same.
    if (!cells_) cells_.emplace(info_);
    trace_.for_each_patch(launch.number, [&](const TraceSource::Patch& patch) {
      const std::uint64_t bytes = traits(info_.buffers[static_cast<std::size_t>(patch.buffer)].type).bytes;
      for (const std::uint32_t element : patch.elements) mark(patch.buffer, element * bytes, bytes);
    });
  }

  void operation(const Operation& op, Findings&) override {
    // Launches without accesses write too.
    const LaunchInfo* launch = info_.launch(op.launch);
    if (!launch || launch->accesses.logged) return;
    if (!cells_) cells_.emplace(info_);
    for (const Access& access : op.writes) {
      const BufferInfo* buffer = info_.buffer(access.buffer);
      if (!buffer || buffer->space != Space::Global) continue;
      const std::uint64_t bytes = traits(access.value.type).bytes;
      mark(access.buffer, access.index * bytes, bytes);
    }
  }

 private:
  // A read of a cell that was unwritten when its item came by; another item may write it before the next meeting, and then it is
  // a race.
  struct Early {
    AccessEvent event;
    AccessSite site;
    CellContent* content = nullptr;
    bool own = false;       // the item itself wrote it later
    bool answered = false;  // another group wrote it
  };

  void mark(int buffer, std::uint64_t offset, std::uint64_t bytes) {
    AccessSite site;
    site.chunk = 1;
    AccessEvent event;
    event.site = &site;
    event.buffer = buffer;
    for (std::uint64_t at = 0; at < bytes; ++at) {
      event.offset = offset + at;
      cells_->for_each(event, [](CellContent& content, std::uint64_t) { content.written = true; });
    }
  }

  void tell_early_reads(Findings& findings) {
    for (Early& early : early_) {
      early.content->reader = 0;
      if (early.content->written && !early.own) continue;
      // Groups are walked one after another here, and ran in any order: what another group writes, this one may have waited for.
      // Whether it did is for the check of races.
      const LaunchInfo& launch = *early.event.launch;
      const bool others = early.site.space == Space::Global && !launch.cooperative &&
                          launch.items() > launch.group_size() && !early.own;
      if (!others) {
        tell(early, findings);
      } else if (!early.content->waiting && waiting_.size() < limits.waiting_reads) {
        waiting_.push_back(early);
        early.content->waiting = static_cast<std::uint32_t>(waiting_.size());
      } else if (!early.content->waiting) {
        ++undecided_;
      }
    }
    early_.clear();
  }
  void tell(Early& early, Findings& findings) {
    early.event.site = &early.site;
    report_unwritten(early.event, findings);
  }

  static const char* verb(const AccessEvent& event) {
    return is_read(event.site->kind) ? translatable("reads") : translatable("writes");
  }

  void report_outside(const AccessEvent& event, Findings& findings) {
    if (findings.count_repeat(place_of(FindingClass::OutOfBounds, event), event.item)) return;
    Finding finding = finding_at(FindingClass::OutOfBounds, event, access_of(info_, event));
    if (const auto texel = texel_outside(event.offset)) {
      finding.element.reset();
      word_texel_outside(info_, finding, verb(event), *texel);
      findings.add(std::move(finding));
      return;
    }
    word_outside(info_, finding, verb(event), event.site->space == Space::Constant);
    if (const auto [line, barrier] = early_return(event); line > 0)
      finding.advice = Message(
          "Line {} returns before the barrier of line {}. Where only a part of a group does, it is not "
          "defined what it does then, and some devices go on all the same: let all come to the barrier, and guard the "
          "accesses.",
          line, barrier);
    findings.add(std::move(finding));
  }

  // The last return of the kernel before this access that has a barrier behind it, and that barrier: lines, 0 where there is none.
  std::pair<int, int> early_return(const AccessEvent& event) const {
    const AccessSite& site = *event.site;
    if (info_.runtime != "opencl") return {};  // elsewhere items that returned do not go on
    if (site.line <= 0 || site.source < 0 || static_cast<std::size_t>(site.source) >= info_.sources.size()) return {};
    const std::string& text = info_.sources[static_cast<std::size_t>(site.source)].text;
    int first = 0;
    try {
      first = kernel_signature(text, event.launch->kernel).first_line;
    } catch (const Error&) { return {}; }  // made by a macro: where it begins is not known
    int line = 0, barrier = 0;
    for (const Token& token : tokenize(text)) {
      if (token.line >= site.line) break;
      if (token.line >= first && token.is("return")) line = token.line;
    }
    for (const AccessSite& other : event.log->sites)
      if (other.kind == AccessKind::Barrier && other.scope == MemoryScope::Group && other.source == site.source &&
          other.line > line && (barrier == 0 || other.line < barrier))
        barrier = other.line;
    return line > 0 && barrier > 0 ? std::pair(line, barrier) : std::pair(0, 0);
  }

  void report_null(const AccessEvent& event, Findings& findings) {
    if (findings.count_repeat(place_of(FindingClass::OutOfBounds, event), event.item)) return;
    Finding finding = finding_at(FindingClass::OutOfBounds, event, Access());
    finding.element.reset();
    finding.message = Message("{} {} through a null pointer ({}, address {})", item_name(info_, event.item),
                              Message::of(verb(event)), event.site->text, event.offset);
    finding.advice =
        Message("Look where the pointer comes from: an argument that was not given, or one that was never set.");
    findings.add(std::move(finding));
  }

  void report_unwritten(const AccessEvent& event, Findings& findings) {
    if (findings.count_repeat(place_of(FindingClass::UninitialisedRead, event), event.item)) return;
    Finding finding = finding_at(FindingClass::UninitialisedRead, event, access_of(info_, event));
    word_unwritten(info_, finding, event.group);
    findings.add(std::move(finding));
  }

  const TraceSource& trace_;
  const TraceInfo& info_;
  std::uint64_t undecided_ = 0;  // accesses of this launch
  std::uint64_t group_ = 0;
  std::uint32_t phase_ = 0;
  std::optional<AccessCells<CellContent>> cells_;
  std::vector<Early> early_, waiting_;
};

}  // namespace

std::unique_ptr<Check> make_access_memory_check(const TraceSource& trace) {
  const TraceInfo& info = trace.info();
  const auto logged = [](const LaunchInfo& launch) { return launch.accesses.logged; };
  if (std::none_of(info.launches.begin(), info.launches.end(), logged)) return nullptr;
  return std::make_unique<AccessMemoryCheck>(trace);
}

}  // namespace twiddle
