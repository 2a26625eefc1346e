// `twiddle info`: what a trace holds, without reading its operations.
#include "base/values/json_text.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "tracer/checks/finding.h"
#include "tracer/file/trace_file.h"
#include "tracer/trace/begun.h"
#include "tracer/trace/outside.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <set>

namespace twiddle::cli {
namespace {

using nlohmann::ordered_json;

// Sums one of the figures of launches, or of their accesses, over all launches.
template <typename T>
T total(const TraceInfo& info, T LaunchInfo::*figure) {
  T sum = 0;
  for (const LaunchInfo& launch : info.launches) sum += launch.*figure;
  return sum;
}
std::uint64_t total(const TraceInfo& info, std::uint64_t AccessTotals::*figure) {
  std::uint64_t sum = 0;
  for (const LaunchInfo& launch : info.launches) sum += launch.accesses.*figure;
  return sum;
}

std::uint64_t lost(const TraceInfo& info) {
  return info.attempted() > info.kept() ? info.attempted() - info.kept() : 0;
}

double bytes_an_operation(const TraceReader& trace) {
  const std::uint64_t operations = trace.info().steps;
  return operations ? static_cast<double>(trace.file_bytes()) / static_cast<double>(operations) : 0;
}

std::string shape_text(const std::vector<std::uint64_t>& shape, std::uint64_t count) {
  return shape.size() < 2 ? std::to_string(count) : fmt::format("{}", fmt::join(shape, "x"));
}

// ", real parts in re, imaginary in im": where a pair's elements are.
std::string parts_text(const TraceInfo& info, const BufferInfo& pair) {
  const auto [real, imaginary] = *pair.parts;
  const auto name = [&](const BufferPart& part) { return info.buffers[static_cast<std::size_t>(part.buffer)].name; };
  if (real.buffer != imaginary.buffer)
    return fmt::format(", real parts in {}, imaginary in {}", name(real), name(imaginary));
  if (real.row > 0)
    return fmt::format(", in {}, by turns {} real parts and their imaginary ones", name(real), real.row);
  return real.step > 1 ? fmt::format(", real and imaginary parts taking turns in {}", name(real))
                       : fmt::format(", real parts in {0} from [{1}] on, imaginary from [{2}] on", name(real),
                                     real.first, imaginary.first);
}

std::string sizes(const std::array<std::size_t, 3>& size, int dimensions) {
  return fmt::format("{}", fmt::join(size.begin(), size.begin() + std::clamp(dimensions, 1, 3), "x"));
}

std::string stages_text(const TraceInfo& info, const LaunchInfo& launch) {
  std::set<int> stages;
  for (const Segment& segment : info.segments)
    if (segment.launch == launch.number && segment.stage > 0) stages.insert(segment.stage);
  if (stages.empty()) return launch.stage > 0 ? fmt::format("stage {}", launch.stage) : launch.label;
  if (stages.size() == 1) return fmt::format("stage {}", *stages.begin());
  return fmt::format("stages {}:{}", *stages.begin(), *stages.rbegin());
}

std::string as_text(const TraceReader& trace) {
  const TraceInfo& info = trace.info();
  std::string text;
  const auto row = [&](const char* name, const std::string& value) {
    if (!value.empty()) text += fmt::format("{:<14}{}\n", name, value);
  };
  row("file", fmt::format("{}, {}, {:.2f} bytes an operation", trace.path().string(), bytes_text(trace.file_bytes()),
                          bytes_an_operation(trace)));
  row("algorithm", info.algorithm + (info.title.empty() ? "" : fmt::format(" ({})", info.title)));
  std::string parameters;
  for (const auto& [name, value] : info.parameters)
    parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", name, value);
  row("parameters", parameters);
  row("signal", info.signal);
  // Of a run that was killed before it began, neither is known.
  if (!info.runtime.empty())
    row("device",
        fmt::format("{}, {}{}", info.runtime, info.device, info.driver.empty() ? "" : ", driver " + info.driver));
  if (!info.created.empty()) row("made", fmt::format("{} by {}", info.created, info.program));
  row("state", info.complete ? "complete" : "interrupted: it holds what was traced until then");
  row("detail", info.detail == Detail::Values ? "values: what was read and written" : "index: pairs and twiddles only");
  row("filter", info.filter);
  row("operations",
      fmt::format("{} steps, {} barriers; {} lost", grouped(info.steps), grouped(info.barriers), grouped(lost(info))));
  if (total(info, &LaunchInfo::inconsistent_reads) > 0)
    row("inconsistent", fmt::format("{} that the log before them does not explain",
                                    counted(total(info, &LaunchInfo::inconsistent_reads), "read", "reads")));
  std::uint64_t outside = 0;
  for (const LaunchInfo& launch : info.launches)
    if (from_outside(launch)) outside += launch.unexplained;
  if (outside > 0) row("from outside", fmt::format("{} between launches", counted(outside, "element", "elements")));
  if (const std::uint64_t unexplained = total(info, &LaunchInfo::unexplained) - outside; unexplained > 0)
    row("unexplained", fmt::format("{} of the device's buffers that the log does not explain",
                                   counted(unexplained, "element", "elements")));
  if (const std::uint64_t accesses = total(info, &AccessTotals::kept); accesses > 0) {
    const auto logged = std::count_if(info.launches.begin(), info.launches.end(),
                                      [](const LaunchInfo& launch) { return launch.accesses.logged; });
    const std::uint64_t writes = total(info, &AccessTotals::writes),
                        explained = total(info, &AccessTotals::explained_writes),
                        idle = total(info, &AccessTotals::idle_writes);
    row("accesses",
        fmt::format(
            "{} of {}, {} lost{}{}", grouped(accesses), counted(logged, "launch", "launches"),
            grouped(total(info, &AccessTotals::lost)),
            writes == 0
                ? std::string()
                : fmt::format("; {} of {} writes explained by operations ({:.1f} %)", grouped(explained),
                              grouped(writes), 100.0 * static_cast<double>(explained) / static_cast<double>(writes)),
            idle == 0 ? std::string()
                      : fmt::format("; {} whose values reach no result", counted(idle, "more write", "more writes"))));
  }
  for (const Unchecked& one : unchecked_accesses(info)) row("not checked", one.what.english());
  row("device time", fmt::format("{:.3f} ms while traced", total(info, &LaunchInfo::kernel_ns) / 1e6));
  const auto bookmarks = trace.bookmarks();
  if (!bookmarks.empty()) row("bookmarks", std::to_string(bookmarks.size()));

  text += "\nbuffers\n";
  for (const BufferInfo& buffer : info.buffers) {
    text += fmt::format("  {:<12} {:<8} {}[{}]{}\n", buffer.name, name_of(buffer.space), traits(buffer.type).name,
                        shape_text(buffer.shape, buffer.count),
                        buffer.is_pair()    ? parts_text(info, buffer)
                        : buffer.launch > 0 ? fmt::format(", of launch {}", buffer.launch)
                                            : "");
  }
  text += "\nlaunches\n";
  for (const LaunchInfo& launch : info.launches)
    text += fmt::format(
        "  {:<3} {:<16} {:<14} {} in groups of {}, {}\n", launch.number, launch.kernel, stages_text(info, launch),
        counted(launch.items(), "item", "items"), sizes(launch.local, launch.dimensions),
        has_ended(launch) ? fmt::format("{} kept of {}", grouped(launch.kept), grouped(launch.attempted))
                          : fmt::format("{} kept, and it did not end", grouped(launch.kept)));
  return text;
}

std::string as_json(const TraceReader& trace) {
  const TraceInfo& info = trace.info();
  ordered_json out = {{"file", trace.path().string()},
                      {"file_bytes", trace.file_bytes()},
                      {"bytes_per_operation", bytes_an_operation(trace)},
                      {"version", info.version},
                      {"program", info.program},
                      {"created", info.created},
                      {"complete", info.complete},
                      {"algorithm", info.algorithm},
                      {"title", info.title.english()},
                      {"parameters", info.parameters},
                      {"signal", info.signal},
                      {"runtime", info.runtime},
                      {"device", info.device},
                      {"driver", info.driver},
                      {"detail", info.detail == Detail::Values ? "values" : "index"},
                      {"filter", info.filter},
                      {"steps", info.steps},
                      {"barriers", info.barriers},
                      {"attempted", info.attempted()},
                      {"kept", info.kept()},
                      {"lost", lost(info)},
                      {"inconsistent_reads", total(info, &LaunchInfo::inconsistent_reads)},
                      {"unexplained", total(info, &LaunchInfo::unexplained)},
                      {"kernel_ns", total(info, &LaunchInfo::kernel_ns)}};
  out["buffers"] = ordered_json::array();
  for (const BufferInfo& buffer : info.buffers) {
    ordered_json entry = {{"name", buffer.name},
                          {"type", std::string(traits(buffer.type).name)},
                          {"count", buffer.count},
                          {"shape", buffer.shape},
                          {"space", std::string(name_of(buffer.space))}};
    if (buffer.is_pair()) {
      entry["parts"] = ordered_json::array();
      for (const BufferPart& part : *buffer.parts) {
        entry["parts"].push_back({{"buffer", info.buffers[static_cast<std::size_t>(part.buffer)].name},
                                  {"first", part.first},
                                  {"step", part.step}});
        if (part.row > 0) entry["parts"].back().update({{"row", part.row}, {"row_step", part.row_step}});
      }
    }
    if (buffer.launch > 0) entry["launch"] = buffer.launch;
    out["buffers"].push_back(entry);
  }
  out["launches"] = ordered_json::array();
  for (const LaunchInfo& launch : info.launches) {
    ordered_json entry = {{"launch", launch.number}, {"kernel", launch.kernel}};
    if (!launch.label.empty()) entry["label"] = launch.label;
    if (launch.stage > 0) entry["stage"] = launch.stage;
    if (launch.source >= 0 && static_cast<std::size_t>(launch.source) < info.sources.size())
      entry["source"] = info.sources[launch.source].name;
    if (!has_ended(launch)) entry["ended"] = false;
    entry["dimensions"] = launch.dimensions;
    entry["global"] = launch.global;
    entry["local"] = launch.local;
    entry["arguments"] = launch.arguments;
    entry["attempted"] = launch.attempted;
    entry["kept"] = launch.kept;
    entry["inconsistent_reads"] = launch.inconsistent_reads;
    entry["unexplained"] = launch.unexplained;
    entry["kernel_ns"] = launch.kernel_ns;
    if (launch.accesses.logged) {
      entry["accesses"] = {{"kept", launch.accesses.kept},
                           {"lost", launch.accesses.lost},
                           {"unresolved", launch.accesses.unresolved},
                           {"writes", launch.accesses.writes},
                           {"explained_writes", launch.accesses.explained_writes},
                           {"idle_writes", launch.accesses.idle_writes}};
      if (!launch.accesses.reason.empty()) entry["accesses"]["unfinished"] = launch.accesses.reason.english();
    } else if (!launch.accesses.reason.empty())
      entry["no_accesses"] = launch.accesses.reason.english();
    out["launches"].push_back(entry);
  }
  out["segments"] = ordered_json::array();
  for (const Segment& segment : info.segments)
    out["segments"].push_back({{"launch", segment.launch},
                               {"epoch", segment.epoch},
                               {"stage", segment.stage},
                               {"first_step", segment.first_step},
                               {"count", segment.count},
                               {"items", segment.items},
                               {"op", std::string(name_of(segment.kind))},
                               {"span", segment.span}});
  out["bookmarks"] = ordered_json::array();
  for (const auto& bookmark : trace.bookmarks())
    out["bookmarks"].push_back({{"step", bookmark.step}, {"note", bookmark.note}});
  return json_text(out, 2) + "\n";
}

}  // namespace

void add_info(Program& program) {
  struct Options {
    std::vector<std::string> files;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App& verb = program.verb(
      "info", "Say what a trace holds: run, buffers, launches, and what is missing from it",
      "Says whether the run was complete, how many operations were lost, and what the log does not explain.",
      [options] {
        const bool several = options->files.size() > 1;
        std::string text;
        for (const std::string& file : options->files) {
          const auto trace = TraceReader::open(file);
          if (!text.empty()) text += options->json ? ",\n" : "\n";
          text += options->json ? as_json(*trace) : as_text(*trace);
        }
        print(several && options->json ? "[\n" + text + "]\n" : text);
        return 0;
      });
  program.complete(
      verb.add_option("FILE", options->files, "traces (.twd), such as the ranks of one run")->required()->type_name(""),
      trace_completion());
  add_switch(verb, "--json", "as JSON (docs/json.md)", options->json);
  program.example(verb, "twiddle info fft8.twd", "See what was run, where, and whether all of it was kept");
}

}  // namespace twiddle::cli
