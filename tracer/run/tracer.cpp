#include "tracer/run/tracer.h"

#include "base/error.h"
#include "base/message.h"
#include "base/values/clock.h"
#include "tracer/lift/blocks/paired_elements.h"
#include "tracer/lift/lift.h"
#include "tracer/log/block_spool.h"
#include "tracer/run/access_run.h"
#include "tracer/run/claims.h"
#include "tracer/run/launch_operations.h"
#include "tracer/run/other_numbers.h"
#include "tracer/run/plan_run.h"
#include "tracer/run/probes.h"
#include "tracer/run/restore_point.h"
#include "tracer/run/trace_setup.h"
#include "tracer/runtime/launch_faults.h"
#include "tracer/trace/memory/pair_beside.h"
#include "tracer/trace/memory/pairs.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <optional>
#include <random>

namespace twiddle {
namespace {

// A window that keeps asking for more room (a kernel that does something else every time) is kept as it is after this many.
constexpr int max_attempts = 8;
constexpr auto max_probing = std::chrono::seconds(2);  // of a launch
constexpr std::uint64_t max_looked_ahead = 4096;       // work-items of the next launch
// Beyond this many slots clearing the log in one go is quicker than clearing its header columns one by one.
constexpr std::uint32_t few_slots = 64;
// Words of the log are numbered in 32 bits.
constexpr std::size_t max_log = std::size_t(8) << 30;

class Tracer {
 public:
  Tracer(const Plan& plan, Runtime& runtime, const TraceOptions& options, TraceSink& sink, const Progress& progress)
      : plan_(plan), runtime_(runtime), options_(options), sink_(sink), progress_(progress) {}

  ~Tracer() {
    if (log_) runtime_.release(*log_);
  }
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  TraceOutcome run() {
    // The trace's metadata comes before the buffers' first content, and needs the buffers' device: so contents wait.
    PlanRun plan_run(plan_, runtime_);
    run_ = &plan_run;
    setup_ = set_up_trace(plan_run, options_);
    outcome_.notes = plan_run.notes();
    outcome_.notes.insert(outcome_.notes.end(), setup_.notes.begin(), setup_.notes.end());
    timed([&] {
      sink_.begin(setup_.info);
      for (std::size_t b = 0; b < plan_.buffers.size(); ++b)
        sink_.first_content(static_cast<int>(b), plan_run.download(b));
    });
    for (std::size_t l = 0; l < plan_.launches.size() && !outcome_.cancelled && !outcome_.stopped; ++l) {
      launch_ = l;
      if (!report(0)) break;
      if (next_fault_) {
        trace_stopped_launch();
        break;
      }
      trace_launch();
    }
    if (!outcome_.cancelled) report(1);
    write_notes();
    return std::move(outcome_);
  }

 private:
  const Launch& launch() const { return plan_.launches[launch_]; }
  const TracedLaunch& traced() const { return setup_.launches[launch_]; }
  LaunchInfo& info() { return setup_.info.launches[launch_]; }

  template <typename Action>
  void timed(const Action& action) {
    const auto start = std::chrono::steady_clock::now();
    action();
    outcome_.encode_ns += nanoseconds_since(start);
  }

  // Tells how far this launch is; false: the user wants it to stop.
  bool report(double part) {
    if (!progress_) return true;
    const double all = static_cast<double>(std::max<std::size_t>(plan_.launches.size(), 1));
    const Message what = plan_.launches.empty()
                             ? Message("no launches")
                             : Message("launch {} of {}: {}", launch_ + 1, plan_.launches.size(), launch().kernel);
    if (!progress_((static_cast<double>(launch_) + part) / all, what)) outcome_.cancelled = true;
    return !outcome_.cancelled;
  }

  void trace_launch() {
    timed([&] { sink_.begin_launch(info()); });
    RestorePoint restore(*run_, launch(), sink_);
    info().accesses.reason = traced().no_accesses;
    if (traced().logged) log_accesses(restore);
    if (traced().logged && !traced().traced && !outcome_.stopped) run_plain(restore);
    if (info().accesses.lifted) lift_accesses(restore);
    if (traced().traced && !outcome_.stopped)
      trace_windows(restore);
    else if (traced().traced && traced().logged)
      trace_windows_once_more(restore);
    else if (!traced().logged)
      run_noting_faults([&] { return run_->run(launch()); });
    if (restore.differed()) differing_.push_back(info().number);
    for (const Fault& fault : info().faults) outcome_.faults.push_back(fault.text());
    outcome_.kernel_ns += info().kernel_ns;
    outcome_.operations += info().kept;

    std::vector<std::byte> content;  // one buffer at a time
    const TraceSink::DeviceBuffer device = [&](int buffer) -> std::span<const std::byte> {
      if (buffer < 0 || static_cast<std::size_t>(buffer) >= plan_.buffers.size()) return {};
      content = run_->download(static_cast<std::size_t>(buffer));
      return content;
    };
    // A launch that was cut short is not compared: what is missing is missing on purpose.
    const bool compare = options_.read_back || !(traced().traced || traced().logged);
    timed([&] { sink_.end_launch(info(), compare && !outcome_.cancelled && !outcome_.stopped ? device : nullptr); });
    logged_ = {};
  }

  // A launch that was stopped when it was looked at earlier, on a device that may still be in it.
  void trace_stopped_launch() {
    timed([&] { sink_.begin_launch(info()); });
    run_noting_faults([&]() -> double { throw KernelFault(*next_fault_); });
    for (const Fault& fault : info().faults) outcome_.faults.push_back(fault.text());
    timed([&] { sink_.end_launch(info(), nullptr); });
  }

  // What the plain kernel leaves is compared with what the logged one left, and stays. It comes second: of a kernel that
  // is stopped, the log is what is there to see.
  void run_plain(RestorePoint& restore) {
    const double logged_ns = info().kernel_ns;
    restore.restore();
    run_noting_faults([&] { return run_->run(launch()); });
    info().kernel_ns = logged_ns;
    if (!outcome_.stopped) restore.compare(false);
  }

  // A kernel that was stopped while its accesses were logged is run again for what its trace lines say until then, where the
  // device still can.
  void trace_windows_once_more(RestorePoint& restore) {
    if (!runs_again()) return;
    try {
      restore.restore();
      outcome_.stopped = false;
      trace_windows(restore);
    } catch (const Error&) {}
    outcome_.stopped = true;
  }

  // Whether a kernel that was stopped does no harm any more: a driver's thread may still be in it.
  bool runs_again() const { return runtime_.device().runtime == "host"; }

  // Runs the launch. What its kernel does that no kernel may do becomes part of the trace.
  template <typename Run>
  void run_noting_faults(const Run& run) {
    try {
      info().kernel_ns = run();
    } catch (const KernelFault& fault) {
      outcome_.stopped = true;
      note(fault_of(plan_, launch(), fault));
      return;
    }
    for (const Runtime::Overrun& overrun : runtime_.overruns()) note(fault_of(plan_, launch(), info().number, overrun));
  }

  // Windows and repetitions of a launch meet the same fault again.
  void note(Fault fault) {
    std::vector<Fault>& faults = info().faults;
    const auto same = [&](const Fault& other) { return other.text() == fault.text(); };
    if (std::none_of(faults.begin(), faults.end(), same)) faults.push_back(std::move(fault));
  }

  // What a kernel was found to need, kept for its next launch.
  struct Budget {
    std::uint32_t slots = 0, words = 0;
  };

  // What the kernel's own constants hold is what it was seen to read; the rest is not known.
  void show_constants() {
    for (const TracedLaunch::Variable& variable : traced().variables) {
      const BufferInfo& buffer = setup_.info.buffers[static_cast<std::size_t>(variable.buffer)];
      if (buffer.space != Space::Constant) continue;
      const std::vector<std::byte> content = content_read(setup_.info, variable.buffer, logged_.logs);
      timed([&] { sink_.first_content(variable.buffer, content); });
    }
  }

  void log_accesses(RestorePoint& restore) {
    restore.keep_copy();
    AccessRun accesses(*run_, setup_.info, sink_, options_);
    logged_ = accesses.log(launch_, traced(), restore, [&](const auto& run) { run_noting_faults(run); });
    if (!outcome_.stopped && logged_.windows > 0) restore.compare(true);
    if (logged_.windows > 1) windowed_.push_back(info().number);
    max_windows_ = std::max(max_windows_, logged_.windows);
    info().kernel_ns = logged_.device_ns;
    info().accesses = std::move(logged_.totals);
    show_constants();
    for (const AccessLog& log : logged_.logs) timed([&] { sink_.accesses(log); });
    // Of a kernel that was stopped where it cannot run again, the accesses are all there is.
    const bool all_there_is = !traced().traced || (outcome_.stopped && !runs_again());
    info().accesses.lifted = all_there_is;
    timed([&] { sink_.hold_accesses(info()); });
    if (!all_there_is && !outcome_.stopped) restore.restore();
  }

  // Without trace lines, what the launch did is what its accesses show.
  void lift_accesses(RestorePoint& restore) {
    LogKnowledge known = probed(restore);
    if (!outcome_.stopped && info().faults.empty() && logged_.logs.size() == 1)
      known.told_later = [&](const std::vector<BufferInfo>& undecided) { return pairs_of_next(undecided); };
    append_operations(
        logged_.logs, info(), setup_.info, sink_,
        [&](int epoch, int stage, OperationBlock&& block) { append(epoch, stage, std::move(block)); },
        std::move(known));
  }

  // The memory that launches see, put back as it was.
  class KeptMemory {
   public:
    KeptMemory(PlanRun& run, std::size_t buffers) : run_(run), states_(run.program_states()) {
      for (std::size_t b = 0; b < buffers; ++b) contents_.push_back(run.download(b));
    }
    void put_back() {
      for (std::size_t b = 0; b < contents_.size(); ++b) run_.runtime().upload(run_.handle(b), 0, contents_[b]);
      run_.set_program_states(states_);
    }

   private:
    PlanRun& run_;
    PlanRun::ProgramStates states_;
    std::vector<std::vector<std::byte>> contents_;
  };

  std::uint64_t memory_bytes() const {
    std::uint64_t bytes = 0;
    for (std::size_t b = 0; b < plan_.buffers.size(); ++b) bytes += run_->bytes(b);
    return bytes;
  }

  // Which of these pairs have complex values in the next launch of the same kernel, whose twiddles are not all 1. It is run as it
  // will be, one launch earlier: what it does then is done here, too, and its memory put back.
  std::vector<BufferInfo> pairs_of_next(const std::vector<BufferInfo>& undecided) {
    const std::size_t next = launch_ + 1;
    if (next >= plan_.launches.size() || memory_bytes() > max_probed_bytes) return {};
    const Launch& other = plan_.launches[next];
    const TracedLaunch& of_other = setup_.launches[next];
    if (other.source != launch().source || other.kernel != launch().kernel || other.defines != launch().defines ||
        other.options != launch().options || of_other.traced || !of_other.logged ||
        !(runs_again() || run_->runs_on_other_data(other)))
      return {};
    KeptMemory kept(*run_, plan_.buffers.size());
    std::vector<BufferInfo> told;
    try {
      AccessRun accesses(*run_, setup_.info, sink_, options_);
      const LaunchInfo& about = setup_.info.launches[next];
      const std::uint64_t group = std::max<std::uint64_t>(about.group_size(), 1);
      const std::uint64_t items = std::min(about.items(), std::max(max_looked_ahead / group, std::uint64_t(1)) * group);
      if (const std::optional<AccessLog> log = accesses.once_more(next, of_other, 0, items)) {
        LiftOptions options;
        options.group_items = about.group_size();
        for (const BufferInfo& pair : pairs_in(lift(*log, setup_.info, options), *log, setup_.info, info().number))
          for (const BufferInfo& one : undecided)
            // Which of two buffers has the real parts is told, too; how many rows one has is not, by some work-items.
            if (same_values(*one.parts, *pair.parts))
              told.push_back((*one.parts)[0].buffer == (*one.parts)[1].buffer ? one : pair);
      }
    } catch (const KernelFault& fault) {
      // That is how the launch will end.
      if (!runs_again()) next_fault_ = fault;
    }
    if (!next_fault_) kept.put_back();
    return told;
  }

  // Whether two pairs have their parts in the same buffers, with either as the real one and however many rows they have.
  static bool same_values(const BufferParts& one, const BufferParts& other) {
    const auto in_order = [&](const BufferPart& a, const BufferPart& b) {
      return a.buffer == b.buffer && a.first == b.first && a.step == b.step;
    };
    return (in_order(one[0], other[0]) && in_order(one[1], other[1])) ||
           (one[0].buffer != one[1].buffer && in_order(one[0], other[1]) && in_order(one[1], other[0]));
  }

  // Accesses of some of the items on other data, where their own values do not tell all. The buffers are as they were then.
  LogKnowledge probed(RestorePoint& restore) {
    LogKnowledge known;
    if (!options_.probes || outcome_.stopped || logged_.logs.size() != 1 || !info().faults.empty() ||
        !run_->runs_on_other_data(launch()))
      return known;
    std::vector<int> buffers;
    for (std::size_t b = 0; b < plan_.buffers.size(); ++b) buffers.push_back(static_cast<int>(b));
    if (memory_bytes() > max_probed_bytes) return known;
    WantedProbes wanted = wanted_probes(logged_.logs.front(), setup_.info, info().group_size(), -1, buffers,
                                        [&](int buffer) { return sink_.replayed(buffer); });
    known.lifted = std::move(wanted.lifted);
    if (wanted.runs == 0) return known;

    KeptMemory left(*run_, plan_.buffers.size());
    std::vector<std::vector<std::byte>> before(plan_.buffers.size());  // of those that get other values
    for (std::size_t b = 0; b < plan_.buffers.size(); ++b) {
      if (wanted.number_bytes[b] == 0) continue;
      before[b] = sink_.replayed(static_cast<int>(b));
      before[b].resize(run_->bytes(b));
    }
    const auto end = std::chrono::steady_clock::now() + max_probing;
    std::minstd_rand random(1);
    AccessRun accesses(*run_, setup_.info, sink_, options_);
    try {
      for (std::uint64_t run = 0; run < wanted.runs && std::chrono::steady_clock::now() < end; ++run) {
        restore.restore();
        for (std::size_t b = 0; b < plan_.buffers.size(); ++b) {
          if (wanted.number_bytes[b] == 0) continue;
          std::vector<std::byte> content = before[b];
          fill_with_others(content, wanted.number_bytes[b], random);
          runtime_.upload(run_->handle(b), 0, content);
        }
        if (std::optional<AccessLog> log = accesses.once_more(launch_, traced(), wanted.first_item, wanted.items))
          known.probes.push_back(*std::move(log));
      }
    } catch (const KernelFault&) {
      // Other data led it astray. What it left on its own data was compared before.
      outcome_.notes.push_back(
          Message("launch {} ({}) does not end well on other data: what it did is told by one run alone", info().number,
                  launch().kernel));
      outcome_.stopped = !runs_again();
      if (outcome_.stopped) return known;
    }
    left.put_back();
    return known;
  }

  void trace_windows(RestorePoint& restore) {
    const LogFilter& filter = traced().filter;
    Budget& budget =
        budgets_
            .try_emplace(launch().source + '\n' + launch().kernel, Budget{traced().first_slots, traced().first_words})
            .first->second;
    LogReader reader(traced().sites, launch().stage, options_.detail, [&](int buffer) { return pair_beside(buffer); });
    std::optional<BlockSpool> spool;
    std::optional<Claims> claims;
    std::uint64_t next = filter.first_item;
    const std::uint64_t end = filter.last_item + 1;
    int runs = 0, windows = 0, attempts = 0;

    while (next < end) {
      const auto [layout, items] = plan_window(budget, end - next);
      const bool only_one = items == end - next && windows == 0;
      // Blocks change what the sink replays, so it can only bring the buffers back before the first of them.
      if (runs > 0) restore.restore();
      if (!only_one || !options_.read_back) restore.keep_copy();

      run_window(layout, next, items, filter);
      ++runs;
      const LogCounts counts = count_window(window_);
      if (grow(counts, layout, budget) && ++attempts < max_attempts) continue;
      if (!only_one || traced().logged) restore.compare(windows == 0 && !traced().logged);
      attempts = 0;
      ++windows;
      info().attempted += counts.attempted;
      outcome_.lost += counts.without_room;
      if (traced().logged && !claims) claims.emplace(setup_.info, info(), logged_.logs, !restore.differed());
      keep_window(reader, counts, only_one, spool, claims);
      next += items;
      if (outcome_.stopped) break;
      if (!report(static_cast<double>(next - filter.first_item) / static_cast<double>(end - filter.first_item))) break;
    }
    if (spool)
      spool->drain([&](const BlockSpool::Place& place, OperationBlock&& block) {
        append(place.epoch, place.stage, std::move(block));
      });
    if (claims)
      for (Fault& fault : claims->faults()) note(std::move(fault));
    if (const std::uint64_t items = claims ? claims->went_another_way() : 0)
      info().accesses.unlogged.push_back(
          {0, 0, items,
           Message("work-items ({} of them) went another way when it ran again: what trace lines say there was not "
                   "compared with accesses",
                   std::to_string(items))});
    outcome_.lost += reader.unknown();
    take_note(reader, windows);
  }

  // The buffer of complex values that are two neighbours each of one of real numbers; −1: there is none.
  int pair_beside(int buffer) {
    if (const int known = pair_of(setup_.info, buffer, buffer); known >= 0) return known;
    const BufferInfo* of = setup_.info.buffer(buffer);
    if (!of || of->count < 2) return -1;
    const BufferInfo pair = pair_beside_in(*of, buffer, info().number);
    if (!parts_are_valid(setup_.info.buffers, pair)) return -1;
    setup_.info.buffers.push_back(pair);
    timed([&] { sink_.add_buffers({&pair, 1}); });
    return static_cast<int>(setup_.info.buffers.size()) - 1;
  }

  struct Window {
    LogLayout layout;
    std::uint64_t items = 0;
  };

  // A window for up to `items` items: as many as fit into its bytes, whole groups where one fits.
  Window plan_window(const Budget& budget, std::uint64_t items) const {
    std::size_t bytes = std::min<std::size_t>(options_.window_bytes, max_log);
    bytes = std::min<std::size_t>(bytes, runtime_.device().max_buffer);
    LogLayout layout{budget.slots, budget.words, 0};
    std::uint64_t lanes = LogLayout::lanes_within(bytes, layout.slots, layout.words);
    if (lanes == 0) {  // not even a few items: as many slots for them as fit, and the rest is lost
      lanes = LogLayout::few_alignment;
      const std::size_t words = bytes / sizeof(std::uint32_t);
      const std::size_t room = words > LogLayout::config + lanes ? words - LogLayout::config - lanes : 0;
      layout.slots =
          static_cast<std::uint32_t>(std::clamp<std::size_t>(room / (lanes * layout.words), 1, layout.slots));
    }
    const std::uint64_t group = setup_.info.launches[launch_].group_size();
    if (lanes < items && lanes >= group) lanes -= lanes % group;
    lanes = std::min(lanes, items);
    layout.pitch = LogLayout::pitch_for(lanes);
    return {layout, lanes};
  }

  void run_window(const LogLayout& layout, std::uint64_t first, std::uint64_t items, const LogFilter& filter) {
    if (!log_ || log_bytes_ < layout.bytes()) {
      if (log_) runtime_.release(*log_);
      log_.reset();
      log_ = runtime_.allocate(layout.bytes());
      log_bytes_ = layout.bytes();
    }
    const std::vector<std::uint32_t> config = log_config(layout, first, items, launch().stage, filter);
    runtime_.upload(*log_, 0, std::as_bytes(std::span(config)));
    const auto clear = [&](std::size_t word, std::size_t count) { runtime_.fill_zero(*log_, word * 4, count * 4); };
    if (layout.slots <= few_slots) {
      clear(layout.attempts(), layout.pitch);
      for (std::uint32_t slot = 0; slot < layout.slots; ++slot) clear(layout.header(slot), layout.pitch);
    } else {
      clear(layout.attempts(), layout.size() - LogLayout::config);
    }

    Instrumentation instrumentation;
    instrumentation.detail = options_.detail;
    instrumentation.filter = setup_.filtered;
    instrumentation.dimensions = launch().dimensions;
    run_noting_faults([&] { return run_->run_traced(launch(), instrumentation, *log_); });

    window_.layout = layout;
    window_.first_item = first;
    window_.items = items;
    window_.words.resize(layout.size());
    fetch(0, LogLayout::config + layout.pitch);
    for (std::uint32_t slot = 0; slot < layout.slots; ++slot) fetch(layout.header(slot), layout.pitch);
  }

  // Brings words of the log to the host.
  void fetch(std::size_t word, std::size_t count) {
    runtime_.download(*log_, word * 4, std::as_writable_bytes(std::span(window_.words).subspan(word, count)));
  }

  // Makes the budget what the window needed; false when it sufficed, or no more can be had.
  bool grow(const LogCounts& counts, const LogLayout& layout, Budget& budget) const {
    bool grown = false;
    if (counts.slots_too_narrow && layout.words < max_slot_words) {
      const std::uint32_t needed = std::min(window_.words[log_words_needed], max_slot_words);
      budget.words = std::max(needed, layout.words + 1);
      grown = true;
    }
    if (counts.max_slots > budget.slots) {
      budget.slots = counts.max_slots;
      grown = true;
    }
    return grown;
  }

  // Reads the operations of the window that has run and hands them on, or sets them aside.
  void keep_window(LogReader& reader, const LogCounts& counts, bool only_one, std::optional<BlockSpool>& spool,
                   std::optional<Claims>& claims) {
    for (std::uint32_t slot = 0; slot < counts.used_slots; ++slot) {
      const std::uint32_t words = used_words(window_, slot, options_.detail);
      const std::size_t pitch = window_.layout.pitch;
      if (words > 1) fetch(window_.layout.header(slot) + pitch, (words - 1) * pitch);
      outcome_.device_bytes += words * window_.items * sizeof(std::uint32_t);
    }
    // What accesses say may put operations into other epochs than trace barriers did.
    const bool in_order = (only_one || traced().one_segment) && !claims;
    if (!in_order && !spool) spool.emplace();
    const auto keep = [&](int epoch, int stage, OperationBlock&& block) {
      if (in_order)
        append(epoch, stage, std::move(block));
      else
        spool->add({epoch, block.barriers, stage}, block);
    };
    info().kept += reader.read(window_, [&](int epoch, int stage, OperationBlock&& block) {
      if (claims)
        claims->place(epoch, stage, std::move(block), keep);
      else
        keep(epoch, stage, std::move(block));
    });
  }

  // Numbers a block's steps and hands it to the sink.
  void append(int epoch, int stage, OperationBlock&& block) {
    if (!block.barriers) {
      block.first_step = next_step_;
      next_step_ += block.count;
    }
    timed([&] { sink_.append(epoch, stage, std::move(block)); });
  }

  void take_note(const LogReader& reader, int windows) {
    if (windows > 1 && (windowed_.empty() || windowed_.back() != info().number)) windowed_.push_back(info().number);
    max_windows_ = std::max(max_windows_, windows);
    for (const auto& [line, count] : reader.unknown_lines()) {
      unknown_[{info().source, line}] += count;
      note_other_type(line);
    }
  }

  // A trace line whose values are of another type than its buffer's says what cannot be.
  void note_other_type(int line) {
    for (const SiteOfLaunch& one : traced().sites) {
      if (line < one.first_line || line > one.last_line) continue;
      for (std::size_t n = 0; n < 2; ++n) {
        if (!one.element[n] || one.buffers[n] < 0) continue;
        Fault fault;
        fault.kind = Fault::Kind::FalseTraceLine;
        fault.line = one.first_line;
        fault.buffer = setup_.info.buffers[static_cast<std::size_t>(one.buffers[n])].name;
        fault.element = -1;
        fault.sentence = Message(
            "{} tells of values of another type than {} has, which holds {}: what it says is not kept",
            setup_.info.sites[static_cast<std::size_t>(one.site)].macro, fault.buffer, traits(*one.element[n]).name);
        note(std::move(fault));
        return;
      }
    }
  }

  // What a person should know of how the trace came about, a sentence a kind.
  void write_notes() {
    const auto launches = [](const std::vector<int>& numbers) {
      return numbers.size() == 1 ? Message("launch {} was", numbers[0])
                                 : Message("{} launches ({} first) were", numbers.size(), numbers[0]);
    };
    std::vector<Message>& notes = outcome_.notes;
    if (!windowed_.empty())
      notes.push_back(Message("{} traced in windows of work-items, at most {}, and run once for each",
                              launches(windowed_), max_windows_));
    if (!differing_.empty())
      notes.push_back(
          Message("launch {} left different results when it was run again: its kernel is not "
                  "deterministic, and its operations come from different runs",
                  fmt::join(differing_, ", ")));
    for (const auto& [place, count] : unknown_)
      notes.push_back(
          Message("{} operations of {} line {} are lost: no trace line was found there, or its values are "
                  "not of its buffers' type",
                  count, setup_.info.sources[place.first].name, place.second));
  }

  const Plan& plan_;
  Runtime& runtime_;
  const TraceOptions& options_;
  TraceSink& sink_;
  const Progress& progress_;

  PlanRun* run_ = nullptr;
  TraceSetup setup_;
  TraceOutcome outcome_;
  std::size_t launch_ = 0;
  std::uint64_t next_step_ = 1;
  std::map<std::string, Budget> budgets_;
  std::optional<BufferHandle> log_;
  std::size_t log_bytes_ = 0;
  LogWindow window_;
  LaunchAccesses logged_;                  // of the launch in progress
  std::vector<int> windowed_, differing_;  // launches, for the notes
  std::optional<KernelFault> next_fault_;  // how the launch after the one in progress ends
  int max_windows_ = 0;
  std::map<std::pair<int, int>, std::uint64_t> unknown_;  // operations by source and line
};

// Drops the log, and keeps what is in the buffers.
class OutcomeSink final : public TraceSink {
 public:
  RunOutcome outcome;

  void begin(const TraceInfo&) override {}
  void first_content(int, std::span<const std::byte> bytes) override {
    outcome.buffers.emplace_back(bytes.begin(), bytes.end());
  }
  void begin_launch(const LaunchInfo&) override {}
  void add_sites(std::span<const Site>, std::span<const AccessSite>) override {}
  void accesses(const AccessLog&) override {}
  void append(int, int, OperationBlock&&) override {}
  void end_launch(const LaunchInfo&, const DeviceBuffer& device_buffer) override {
    for (std::size_t b = 0; device_buffer && b < outcome.buffers.size(); ++b) {
      const std::span<const std::byte> bytes = device_buffer(static_cast<int>(b));
      outcome.buffers[b].assign(bytes.begin(), bytes.end());
    }
  }
  std::vector<std::byte> replayed(int buffer) const override {
    return outcome.buffers.at(static_cast<std::size_t>(buffer));
  }
};

}  // namespace

TraceOutcome trace_plan(const Plan& plan, Runtime& runtime, const TraceOptions& options, TraceSink& sink,
                        const Progress& progress) {
  return Tracer(plan, runtime, options, sink, progress).run();
}

RunOutcome run_traced_plan(const Plan& plan, Runtime& runtime, const TraceOptions& options, const Progress& progress) {
  OutcomeSink sink;
  TraceOutcome traced = trace_plan(plan, runtime, options, sink, progress);
  if (traced.stopped) throw Error(ExitCode::findings, traced.faults.back());
  sink.outcome.kernel_ns = traced.kernel_ns;
  sink.outcome.notes = std::move(traced.notes);
  sink.outcome.faults = std::move(traced.faults);
  return std::move(sink.outcome);
}

RunOutcome run_plan(const Plan& plan, Runtime& runtime) {
  PlanRun run(plan, runtime);
  for (std::size_t l = 0; l < plan.launches.size(); ++l) run.check_arguments(plan.launches[l], static_cast<int>(l) + 1);
  RunOutcome outcome;
  outcome.notes = run.notes();
  for (std::size_t l = 0; l < plan.launches.size(); ++l) {
    const Launch& launch = plan.launches[l];
    outcome.kernel_ns += run.run(launch);
    for (const Runtime::Overrun& overrun : runtime.overruns())
      outcome.faults.push_back(fault_of(plan, launch, static_cast<int>(l) + 1, overrun).text());
  }
  for (std::size_t b = 0; b < plan.buffers.size(); ++b) outcome.buffers.push_back(run.download(b));
  return outcome;
}

}  // namespace twiddle
