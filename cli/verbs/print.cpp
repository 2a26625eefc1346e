// `twiddle print`: a trace's operations as text, CSV or JSON lines, streamed, with filters.
#include "tracer/print/print.h"
#include "base/error.h"
#include "cli/listings.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "tracer/cost/sub_group.h"
#include "tracer/file/trace_file.h"
#include "tracer/print/access_text.h"
#include "tracer/replay/replay.h"
#include "tracer/replay/sub_groups.h"
#include "tracer/replay/turn_text.h"
#include "tracer/trace/begun.h"

#include <CLI/CLI.hpp>

#include <limits>

namespace twiddle::cli {

bool PrintFilter::admits(const Operation& operation) const {
  if (item && operation.item != *item) return false;
  if (!element) return true;
  const auto touches = [&](const auto& accesses) {
    for (const Access& access : accesses)
      if (access.index == *element) return true;
    return false;
  };
  return touches(operation.reads) || touches(operation.writes);
}

namespace {

// What a reader of the lines alone would not know.
void say_what_did_not_end(const TraceInfo& info, const PrintFilter& filter) {
  for (const LaunchInfo& launch : info.launches)
    if (!has_ended(launch) && (!filter.launch || *filter.launch == static_cast<std::uint64_t>(launch.number)))
      print_line("launch {} ({}) began and did not end: {}", launch.number, launch.kernel,
                 launch.accesses.logged ? "its accesses are here, and not all of its operations"
                 : launch.kept > 0      ? "not all of its operations are here"
                                        : "none of its operations are here");
}

// Steps [first, last] of a segment that may hold the item: what the file's own index of blocks says, so that one item of a
// large trace costs a few blocks.
std::vector<std::pair<std::uint64_t, std::uint64_t>> candidate_steps(const TraceSource& trace, std::size_t segment,
                                                                     const PrintFilter& filter) {
  const Segment& whole = trace.info().segments[segment];
  if (!filter.item) return {{whole.first_step, whole.end_step() - 1}};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const BlockEntry& block : trace.blocks_of(segment))
    if (!block.barriers && block.first_item <= *filter.item && *filter.item <= block.last_item)
      ranges.emplace_back(block.first_step, block.first_step + block.count - 1);
  return ranges;
}

void check_filter(const TraceInfo& info, const PrintFilter& filter) {
  const auto last = static_cast<std::uint64_t>(info.launches.size());
  if (filter.launch && (*filter.launch < 1 || *filter.launch > last))
    throw usage_error("there is no launch {}; this trace has launches 1 to {}", *filter.launch, last);
  if (filter.stage) {
    int highest = 0;
    for (const Segment& segment : info.segments) highest = std::max(highest, segment.stage);
    if (*filter.stage > static_cast<std::uint64_t>(highest))
      throw usage_error("there is no stage {}; this trace has stages up to {}", *filter.stage, highest);
  }
}

}  // namespace

void print_operations(const std::shared_ptr<const TraceSource>& trace, PrintFormat format, const PrintFilter& filter,
                      const std::function<void(std::string_view)>& out) {
  const TraceInfo& info = trace->info();
  check_filter(info, filter);
  Replay replay(trace);
  if (format == PrintFormat::Csv) out(csv_header() + "\n");
  const auto each = [&](const Operation& operation) {
    if (!filter.admits(operation)) return true;
    switch (format) {
      case PrintFormat::Text: out(text_line(info, operation) + "\n"); break;
      case PrintFormat::Csv: out(csv_line(info, operation) + "\n"); break;
      case PrintFormat::JsonLines: out(json_line(info, operation) + "\n"); break;
    }
    return true;
  };
  for (std::size_t i = 0; i < info.segments.size(); ++i) {
    const Segment& segment = info.segments[i];
    if (filter.launch && static_cast<std::uint64_t>(segment.launch) != *filter.launch) continue;
    if (filter.stage && static_cast<std::uint64_t>(segment.stage) != *filter.stage) continue;
    if (segment.count == 0) continue;
    for (const auto& [first, last] : candidate_steps(*trace, i, filter))
      replay.for_each(first, last, !filter.element, each);
  }
}

namespace {

// Every load, store, atomic and barrier, item after item, each in the order in which its item made them.
void print_accesses(const TraceSource& trace, PrintFormat format, const PrintFilter& filter) {
  const TraceInfo& info = trace.info();
  check_filter(info, filter);
  if (trace.access_entries().empty())
    throw usage_error(
        "this trace has no accesses; trace it with --accesses all, and see why in what twiddle info says");
  if (format == PrintFormat::Csv) print(access_csv_header() + "\n");
  const auto write = format == PrintFormat::Text  ? access_text_line
                     : format == PrintFormat::Csv ? access_csv_line
                                                  : access_json_line;
  for (const AccessEntry& entry : trace.access_entries()) {
    const LaunchInfo& launch = *info.launch(entry.launch);
    if (filter.launch && static_cast<std::uint64_t>(launch.number) != *filter.launch) continue;
    if (filter.stage && static_cast<std::uint64_t>(launch.stage) != *filter.stage) continue;
    if (filter.item && (*filter.item < entry.first_item || *filter.item - entry.first_item >= entry.items)) continue;
    const AccessLog log = trace.accesses(entry);
    for (std::uint64_t i = 0; i < log.items(); ++i) {
      const std::uint64_t item = log.first_item + i;
      if (filter.item && item != *filter.item) continue;
      int epoch = 0;
      for (std::uint64_t k = log.begin[i]; k < log.begin[i + 1]; ++k) {
        const AccessSite& site = log.sites[log.site[k]];
        const bool wanted =
            !filter.element ||
            (touches_memory(site.kind) && value_of(info, log, k).element == static_cast<std::int64_t>(*filter.element));
        if (wanted) print(write(info, launch, log, item, k, epoch) + "\n");
        epoch += site.kind == AccessKind::Barrier && site.scope >= MemoryScope::Group;
      }
    }
  }
}

constexpr int usual_width = sub_group_size;

void print_sub_groups(const std::shared_ptr<const TraceSource>& trace, PrintFormat format, const PrintFilter& filter,
                      int width) {
  if (format == PrintFormat::Csv) throw usage_error("--sub-groups prints text or jsonl, and no csv");
  if (filter.item || filter.element)
    throw usage_error("--sub-groups sums up whole sub-groups: leave --item and --element out");
  const TraceInfo& info = trace->info();
  check_filter(info, filter);
  if (!info.filter.empty())
    print_line("this trace holds only {}: items that seem idle may have done what was not kept", info.filter);
  Replay replay(trace);
  for_each_sub_group(replay, width, {filter.launch, filter.stage}, [&](const SubGroupWork& work) {
    print((format == PrintFormat::Text ? text_line(info, work) : json_line(info, work)) + "\n");
  });
}

void print_turns(const std::shared_ptr<const TraceSource>& trace, PrintFormat format, const PrintFilter& filter) {
  if (format == PrintFormat::Csv) throw usage_error("--lockstep prints text or jsonl, and no csv");
  const TraceInfo& info = trace->info();
  check_filter(info, filter);
  Replay replay(trace);
  for_each_turn(replay, {filter.launch, filter.stage, filter.item, filter.element}, [&](const PrintedTurn& turn) {
    print((format == PrintFormat::Text ? text_line(info, turn) : json_line(info, turn)) + "\n");
  });
}

}  // namespace

void add_print(Program& program) {
  struct Options {
    std::string file;
    PrintFormat format = PrintFormat::Text;
    PrintFilter filter;
    bool sub_groups = false, accesses = false, lockstep = false;
    std::optional<int> width;
  };
  const auto options = std::make_shared<Options>();
  CLI::App& verb = program.verb(
      "print", "Print a trace's operations, one a line, in the order launch, stage, work-item",
      "Work-items go by their global id; where a launch has barriers, its epochs come one after the other. The columns "
      "and keys are described in docs/trace-format.md.",
      [options] {
        if (options->width && !options->sub_groups)
          throw usage_error("--width is the size of a sub-group; give --sub-groups with it");
        if (options->accesses + options->sub_groups + options->lockstep > 1)
          throw usage_error(
              "--accesses prints single accesses, --sub-groups sums and --lockstep turns: give one of them");
        const auto trace = TraceReader::open(options->file);
        say_what_did_not_end(trace->info(), options->filter);
        if (options->lockstep)
          print_turns(trace, options->format, options->filter);
        else if (options->accesses)
          print_accesses(*trace, options->format, options->filter);
        else if (options->sub_groups)
          print_sub_groups(trace, options->format, options->filter, options->width.value_or(usual_width));
        else
          print_operations(trace, options->format, options->filter, [](std::string_view line) { print(line); });
        return 0;
      });
  program.complete(add_text(verb, "FILE", "", "a trace (.twd)", options->file)->required(), trace_completion());
  add_choice<PrintFormat>(program, verb, "--format", "how an operation is written",
                          {{"text", PrintFormat::Text}, {"csv", PrintFormat::Csv}, {"jsonl", PrintFormat::JsonLines}},
                          options->format);
  constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
  PrintFilter& filter = options->filter;
  add_whole(verb, "--launch", "L", "only this launch (from 1)", 1, any, filter.launch);
  add_whole(verb, "--stage", "S", "only this stage (from 1; 0: outside the stages)", 0, any, filter.stage);
  add_whole(verb, "--item", "I", "only this work-item (from 0)", 0, any, filter.item);
  add_whole(verb, "--element", "E", "only operations that read or write this element of a buffer (from 0)", 0, any,
            filter.element);
  add_switch(verb, "--accesses", "every load, store, atomic and barrier instead, each work-item's in order",
             options->accesses);
  add_switch(verb, "--sub-groups",
             "a line for each sub-group (warp) between two barriers instead: who was idle, and how its atomics met",
             options->sub_groups);
  add_switch(
      verb, "--lockstep",
      "a line for each turn instead: an access that the lanes of a sub-group (warp) make together, who is masked and "
      "why, and what it costs",
      options->lockstep);
  add_whole(verb, "--width", "W", "work-items of a sub-group, with --sub-groups (32)", 1, max_sub_group_items,
            options->width);
  program.example(verb, "twiddle print fft8.twd --stage 2", "Every butterfly of the second stage");
  program.example(verb, "twiddle print fft8.twd --element 3 --format jsonl",
                  "All that touched element 3, for a script");
}

}  // namespace twiddle::cli
