// What a run does not use, from the accesses alone: input that is not read, values that no one reads, work-items that do
// nothing. Nothing is expected of the kernel, so that only what is so in any case is said.
#include "base/message.h"
#include "tracer/checks/check.h"
#include "tracer/checks/order/access_cells.h"

#include <map>
#include <numeric>
#include <tuple>

namespace twiddle {
namespace {

constexpr std::uint64_t max_counted = std::uint64_t(1) << 24;  // reads of a launch that are counted, in all its lines

constexpr std::size_t max_uneven = 100;  // findings

/// A place that writes: the statement, and of local memory the launch.
using WritePlace = std::tuple<int, int, int, int>;  // launch or 0, source, line, column

class UseCheck : public Check {
 public:
  explicit UseCheck(const TraceSource& trace) : trace_(trace), info_(trace.info()), cells_(info_) {}

  void begin_launch(const LaunchInfo& launch) override {
    cells_.forget_own();
    group_ = ~std::uint64_t(0);
    working_.assign(launch.items(), false);
    counts_.clear();
    counted_ = 0;
  }

  void access(const AccessEvent& event, Findings&) override {
    if (!event.launch->cooperative && event.group != group_) {
      cells_.forget_own();
      group_ = event.group;
    }
    const AccessSite& site = *event.site;
    if (site.kind == AccessKind::Exchange) work(event.item);
    if (!touches_memory(site.kind) || site.space == Space::Private) return;
    work(event.item);
    const BufferInfo* buffer = info_.buffer(event.buffer);
    if (!buffer || buffer->count == 0) return;
    if (is_read(site.kind)) {
      read(event);
      if (site.kind == AccessKind::Load && !is_local(*buffer)) count(event, *buffer);
    } else {
      written(event, *buffer);
    }
  }

  void end_accesses(const LaunchInfo& launch, Findings&) override {
    report_uneven(launch);
    report_idle(launch);
  }

  void end(Findings& findings) override {
    // Of a run that is not what its source says, what it leaves out is no wonder.
    if (findings.any_structural()) return;
    for (Finding& finding : uneven_) findings.add(std::move(finding));
    for (std::size_t b = 0; b < info_.buffers.size(); ++b) keep_outcome(static_cast<int>(b));
    // Compilers read what was just written without a load. OpenCL's accesses are those of the source.
    if (info_.runtime == "opencl")
      for (const auto& [place, write] : writes_)
        if (!write.used) report_unread(write, findings);
    report_inputs(findings);
    for (auto& [kernel, finding] : idle_) findings.add(std::move(finding));
  }

 private:
  struct Cell {
    bool first_read = false;   // the content from before the first launch was
    std::uint32_t writer = 0;  // 1 + the write of `numbered_` that the content is of
  };
  struct Write {
    AccessEvent event;
    AccessSite site;
    int buffer = -1;
    std::uint64_t count = 0;
    bool used = false;
  };
  struct ReadPlace {
    std::uint32_t site;
    int buffer, epoch;
    auto operator<=>(const ReadPlace&) const = default;
  };
  struct Reads {
    AccessEvent event;  // the first
    std::vector<std::uint8_t> times;
  };

  void work(std::uint64_t item) {
    if (item < working_.size()) working_[item] = true;
  }

  void read(const AccessEvent& event) {
    cells_.for_each(event, [&](Cell& cell, std::uint64_t) {
      if (cell.writer)
        numbered_[cell.writer - 1]->used = true;
      else
        cell.first_read = true;
    });
  }

  // Of local memory what a launch's line writes is its own; of global memory a line's writes of all launches are one thing.
  void written(const AccessEvent& event, const BufferInfo& buffer) {
    const AccessSite& site = *event.site;
    const WritePlace place{is_local(buffer) ? event.launch->number : 0, site.source, site.line, site.column};
    const auto [at, added] = writes_.try_emplace(place);
    Write& write = at->second;
    if (added) {
      write.event = event;
      write.site = site;
      write.buffer = event.buffer;
      numbers_[&write] = static_cast<std::uint32_t>(numbered_.size() + 1);
      numbered_.push_back(&write);
    }
    ++write.count;
    // Atomic operations are made for what others see of them; so is what is volatile.
    if (is_atomic(site.kind) || site.is_volatile || site.line == 0) write.used = true;
    const std::uint32_t number = numbers_[&write];
    cells_.for_each(event, [&](Cell& cell, std::uint64_t) { cell.writer = number; });
  }

  // What global memory holds at the end is what the run is for.
  void keep_outcome(int buffer) {
    if (is_local(info_.buffers[static_cast<std::size_t>(buffer)])) return;
    cells_.for_each_of(buffer, [&](std::uint64_t, Cell& cell) {
      if (cell.writer) numbered_[cell.writer - 1]->used = true;
    });
  }

  void count(const AccessEvent& event, const BufferInfo& buffer) {
    const std::uint64_t places = buffer.count * traits(buffer.type).bytes / event.bytes();
    const ReadPlace place{event.log->site[event.record], event.buffer, event.epoch};
    auto found = counts_.find(place);
    if (found == counts_.end()) {
      counted_ += places;
      if (counted_ > max_counted) return;
      found = counts_.emplace(place, Reads{event, std::vector<std::uint8_t>(places)}).first;
    }
    const std::uint64_t at = event.offset / event.bytes();
    if (at < places && event.offset % event.bytes() == 0 && found->second.times[at] < 255) ++found->second.times[at];
  }

  // A line that reads every element of a row once, but for a few: each of those twice, and another one not at all.
  void report_uneven(const LaunchInfo& launch) {
    if (counted_ > max_counted) return;
    for (const auto& [place, reads] : counts_) {
      std::uint64_t first = reads.times.size(), last = 0, step = 0, once = 0, twice = 0, others = 0, again = 0;
      for (std::uint64_t i = 0; i < reads.times.size(); ++i) {
        const std::uint8_t times = reads.times[i];
        if (times == 0) continue;
        if (first == reads.times.size())
          first = i;
        else
          step = std::gcd(step, i - last);
        last = i;
        once += times == 1;
        others += times > 2;
        if (times == 2 && twice++ == 0) again = i;
      }
      if (step == 0 || twice == 0 || others > 0 || once < 3 * twice) continue;
      std::uint64_t holes = 0, hole = 0;
      for (std::uint64_t i = first; i <= last; i += step)
        if (reads.times[i] == 0 && holes++ == 0) hole = i;
      if (holes != twice || read_elsewhere(place, hole)) continue;
      const BufferInfo& buffer = info_.buffers[static_cast<std::size_t>(place.buffer)];
      const std::uint64_t bytes = traits(buffer.type).bytes, chunk = reads.event.bytes();
      AccessEvent event = reads.event;
      event.launch = &launch;
      event.site = &event.log->sites[place.site];
      event.offset = again * chunk;
      Finding finding = finding_at(FindingClass::UnevenRead, event, access_of(info_, event));
      finding.items.clear();
      finding.message = Message(
          "{} is read twice by this line and {}[{}] not at all, where it reads the others from {}[{}] to {}[{}] once",
          element_text(info_, access_of(info_, event)), buffer.name, hole * chunk / bytes, buffer.name,
          first * chunk / bytes, buffer.name, last * chunk / bytes);
      finding.advice = Message("Look at the index: two work-items, or two rounds, compute the same one.");
      if (uneven_.size() < max_uneven) uneven_.push_back(std::move(finding));
    }
  }

  bool read_elsewhere(const ReadPlace& place, std::uint64_t element) const {
    const std::uint64_t chunk = counts_.at(place).event.bytes();
    return std::any_of(counts_.begin(), counts_.end(), [&](const auto& other) {
      if (other.first.buffer != place.buffer || other.first == place) return false;
      const std::uint64_t at = element * chunk / other.second.event.bytes();
      return at < other.second.times.size() && other.second.times[at] > 0;
    });
  }

  void report_idle(const LaunchInfo& launch) {
    const std::uint64_t size = std::max<std::uint64_t>(launch.group_size(), 1), groups = working_.size() / size;
    std::uint64_t busy_groups = 0, first_idle = working_.size();
    std::vector<bool> lanes(size, false);  // that did something in any group
    for (std::uint64_t g = 0; g < groups; ++g) {
      bool busy = false;
      for (std::uint64_t l = 0; l < size; ++l)
        if (working_[g * size + l]) lanes[l] = busy = true;
      busy_groups += busy;
      if (!busy) first_idle = std::min(first_idle, g * size);
    }
    if (busy_groups == 0) return;  // nothing that the log sees: it writes images, or prints
    const auto busy = static_cast<std::uint64_t>(std::count(lanes.begin(), lanes.end(), true));
    Message message;
    if (groups >= 2 && busy_groups * 2 <= groups) {
      message = Message("{} of the {} work-groups of {} do nothing", groups - busy_groups, groups, launch.kernel);
    } else if (launch.dimensions == 1 && busy * 2 <= size && in_step(lanes, groups >= 2 ? 1 : 2)) {
      first_idle = static_cast<std::uint64_t>(std::find(working_.begin(), working_.end(), false) - working_.begin());
      message =
          Message::plural(busy, "only {} of the {} work-items of each group of {} does anything",
                          "only {} of the {} work-items of each group of {} do anything", busy, size, launch.kernel);
    } else {
      return;
    }
    Finding finding;
    finding.kind = FindingClass::IdleItems;
    finding.launch = launch.number;
    finding.stage = launch.stage;
    finding.items = {first_idle};
    finding.source = launch.source;
    finding.message = std::move(message);
    finding.advice = Message("Launch as many work-items as there is work, and let neighbouring ones do it.");
    const auto [at, added] = idle_.try_emplace(launch.kernel, std::move(finding));
    if (!added) ++at->second.occurrences;
  }

  // Whether those that work are lane 0 and every k-th after it, k at least `min_step`. Of a group alone, the first few that work
  // are a guard at the end of the data; and where no rule is to be seen, the data may decide (a swap by one of a pair).
  static bool in_step(const std::vector<bool>& lanes, std::uint64_t min_step) {
    if (!lanes[0]) return false;
    std::uint64_t last = 0, step = 0;
    for (std::uint64_t l = 1; l < lanes.size(); ++l) {
      if (!lanes[l]) continue;
      if (step != 0 && l - last != step) return false;
      step = l - last;
      last = l;
    }
    return step == 0 ? min_step == 1 : step >= min_step;
  }

  void report_unread(const Write& write, Findings& findings) const {
    AccessEvent event = write.event;
    event.site = &write.site;
    Finding finding = finding_at(FindingClass::UnreadWrite, event, access_of(info_, event));
    finding.element.reset();
    finding.items.clear();
    finding.epoch = -1;
    finding.occurrences = write.count;
    const BufferInfo& buffer = info_.buffers[static_cast<std::size_t>(write.buffer)];
    finding.message =
        is_local(buffer)
            ? Message("nothing reads what this line writes to {}[], in any group", buffer.name)
            : Message("nothing reads what this line writes to {}[]: all of it is overwritten before", buffer.name);
    finding.advice = Message("Leave the line out, or look whether the reads have another index than was meant.");
    findings.add(std::move(finding));
  }

  // The inputs of transforms that every value goes into.
  bool needs_all(int buffer) const {
    const Expect& expect = info_.expect;
    using Transform = Expect::Transform;
    switch (expect.transform) {
      case Transform::None:
      case Transform::SegmentedSum:
      case Transform::Matrix:
      case Transform::Values:
      case Transform::Equals: return false;
      case Transform::Scan:
        if (expect.exclusive) return false;
        break;  // all but the last one
      default: break;
    }
    const BufferInfo& info = info_.buffers[static_cast<std::size_t>(buffer)];
    return expect.from == Expect::Side{} && (expect.points == 0 || expect.points == info.count) &&
           info.name == expect.input;
  }

  void report_inputs(Findings& findings) {
    for (std::size_t b = 0; b < info_.buffers.size(); ++b) {
      const BufferInfo& buffer = info_.buffers[b];
      if (buffer.launch != 0 || buffer.space != Space::Global || !buffer.initialised || buffer.count < 2) continue;
      const int number = static_cast<int>(b);
      const bool all = needs_all(number);
      if (!all && info_.expect.transform != Expect::Transform::None) continue;
      const std::vector<bool> read = elements_with(number, [](const Cell& cell) { return cell.first_read; });
      const auto unread = static_cast<std::uint64_t>(std::count(read.begin(), read.end(), false));
      // Where nothing is expected, what is left out may be meant (a shift drops an element), but where as long an output lacks
      // the very same ones.
      if (unread == 0 || unread == buffer.count || (!all && !some_output_lacks(number, read)) || is_zero(number))
        continue;
      const auto first = static_cast<std::uint64_t>(std::find(read.begin(), read.end(), false) - read.begin());
      std::uint64_t end = first;
      while (end < read.size() && !read[end]) ++end;
      Finding finding;
      finding.kind = FindingClass::UnreadInput;
      finding.buffer = number;
      finding.element = first;
      finding.occurrences = unread;
      if (unread == 1)
        finding.message = Message("nothing reads {}[{}], an element of the input", buffer.name, first);
      else if (end - first == unread)
        finding.message = Message("nothing reads {}[{}] to {}[{}], {} of the {} elements of the input", buffer.name,
                                  first, buffer.name, end - 1, unread, buffer.count);
      else
        finding.message = Message("nothing reads {} of the {} elements of the input, {}[{}] first", unread,
                                  buffer.count, buffer.name, first);
      finding.advice = Message("Look at the index and at its bounds, or at how many work-items there are.");
      findings.add(std::move(finding));
    }
  }

  // Which elements of a buffer have a cell that fits.
  template <typename Fits>
  std::vector<bool> elements_with(int buffer, const Fits& fits) {
    const BufferInfo& info = info_.buffers[static_cast<std::size_t>(buffer)];
    const std::uint64_t bytes = traits(info.type).bytes;
    std::vector<bool> result(info.count, false);
    cells_.for_each_of(buffer, [&](std::uint64_t cell, const Cell& content) {
      if (!fits(content)) return;
      const std::uint64_t first = cell * cells_.size(buffer);
      for (std::uint64_t at = first / bytes; at < info.count && at * bytes < first + cells_.size(buffer); ++at)
        result[at] = true;
    });
    return result;
  }

  bool some_output_lacks(int input, const std::vector<bool>& read) {
    for (std::size_t b = 0; b < info_.buffers.size(); ++b) {
      const BufferInfo& other = info_.buffers[b];
      if (static_cast<int>(b) == input || other.launch != 0 || other.space != Space::Global ||
          other.count != read.size())
        continue;
      if (elements_with(static_cast<int>(b), [](const Cell& cell) { return cell.writer != 0; }) == read) return true;
    }
    return false;
  }

  bool is_zero(int buffer) const {
    const std::vector<std::byte> content = trace_.first_content(buffer);
    return std::all_of(content.begin(), content.end(), [](std::byte byte) { return byte == std::byte(0); });
  }

  const TraceSource& trace_;
  const TraceInfo& info_;
  AccessCells<Cell> cells_;
  std::uint64_t group_ = 0;
  std::vector<bool> working_;          // items of this launch that touched memory
  std::map<ReadPlace, Reads> counts_;  // of this launch, how often an element was read
  std::uint64_t counted_ = 0;
  std::vector<Finding> uneven_;
  std::map<std::string, Finding> idle_;  // by kernel: the first launch of it
  std::map<WritePlace, Write> writes_;
  std::vector<Write*> numbered_;
  std::map<const Write*, std::uint32_t> numbers_;
};

}  // namespace

/// Says nothing where a part of what the run did is not in the trace: it may be that part which uses the rest.
std::unique_ptr<Check> make_use_check(const TraceSource& trace) {
  const TraceInfo& info = trace.info();
  const bool whole = info.complete && !info.launches.empty() &&
                     std::all_of(info.launches.begin(), info.launches.end(), [](const LaunchInfo& launch) {
                       const AccessTotals& totals = launch.accesses;
                       return totals.logged && totals.lost == 0 && totals.unresolved == 0 && totals.unlogged.empty();
                     });
  return whole ? std::make_unique<UseCheck>(trace) : nullptr;
}

}  // namespace twiddle
