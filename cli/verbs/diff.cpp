// `twiddle diff`: the first place where two traces differ, and how.
#include "tracer/replay/diff.h"
#include "base/error.h"
#include "base/values/json_text.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "tracer/file/trace_file.h"
#include "tracer/print/print.h"
#include "tracer/replay/position.h"
#include "tracer/trace/number_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cmath>

namespace twiddle::cli {
namespace {

using nlohmann::ordered_json;

struct DiffVerbOptions {
  std::string first, second;
  DiffOptions diff;
  bool json = false;
};

const Operation& known_operation(const Difference& difference) {
  return difference.first ? *difference.first : *difference.second;
}

std::string position_text(const Difference& difference) {
  Position position = position_of(known_operation(difference));
  position.nth = difference.nth;
  return to_string(position);
}

std::string places(const Operation& operation, const SmallList<Access, 4>& accesses, const TraceInfo& info) {
  std::string text;
  for (const Access& access : accesses) {
    const BufferInfo* buffer = info.buffer(access.buffer);
    text += fmt::format("{}{}[{}]", text.empty() ? "" : " ", buffer ? buffer->name : "?", access.index);
  }
  return text.empty() ? fmt::format("no {}", name_of(operation.kind)) : text;
}

// What differs between two operations of one position, a row each: name, first, second.
class Rows {
 public:
  explicit Rows(std::size_t indent) : indent_(indent) {}
  void add(const std::string& name, const std::string& first, const std::string& second) {
    if (first != second) rows_.push_back({name, first, second});
  }
  std::string text() const {
    std::size_t name = 0, first = 0;
    for (const auto& row : rows_) name = std::max(name, row[0].size()), first = std::max(first, row[1].size());
    std::string text;
    for (const auto& row : rows_)
      text += fmt::format("{:{}}{:<{}}  {:<{}}  {}\n", "", indent_, row[0], name, row[1], first, row[2]);
    return text;
  }

 private:
  std::size_t indent_;
  std::vector<std::array<std::string, 3>> rows_;
};

std::string difference_rows(const Difference& difference, const TraceInfo& first, const TraceInfo& second) {
  const Operation &a = *difference.first, &b = *difference.second;
  Rows rows(2);
  rows.add("kind", std::string(name_of(a.kind)), std::string(name_of(b.kind)));
  rows.add("epoch", fmt::format("{}", a.epoch), fmt::format("{}", b.epoch));
  rows.add("reads", places(a, a.reads, first), places(b, b.reads, second));
  rows.add("writes", places(a, a.writes, first), places(b, b.writes, second));
  for (int i = 0; i < std::min(a.coefficients.size(), b.coefficients.size()); ++i)
    rows.add(a.coefficients.size() == 1 ? "w" : fmt::format("w{}", i + 1), exact_text(a.coefficients[i]),
             exact_text(b.coefficients[i]));
  const auto values = [&](const char* name, const SmallList<Access, 4>& x, const SmallList<Access, 4>& y) {
    for (int i = 0; i < std::min(x.size(), y.size()); ++i)
      if (x[i].known && y[i].known)
        rows.add(fmt::format("{} {}", name, i + 1), exact_text(x[i].value), exact_text(y[i].value));
  };
  values("in", a.reads, b.reads);
  values("out", a.writes, b.writes);
  return rows.text();
}

std::string where_text(const TraceInfo& info, const Operation& operation) {
  const LaunchInfo* launch = info.launch(operation.launch);
  const SourceText* source = launch ? info.source(launch->source) : nullptr;
  const std::string text = fmt::format("operation {}", operation.step);
  return source && operation.line > 0 ? fmt::format("{}, {}:{}", text, source->name, operation.line) : text;
}

std::string summary(const TraceDiff& diff, const TraceInfo& first, const TraceInfo& second) {
  std::vector<std::string> parts;
  const auto count = [&](DiffAspect aspect, const char* what) {
    const std::uint64_t number = diff.by_aspect[static_cast<std::size_t>(aspect)];
    if (number > 0) parts.push_back(fmt::format("{} in {}", grouped(number), what));
  };
  count(DiffAspect::Kind, "what it is");
  count(DiffAspect::Epoch, "its epoch");
  count(DiffAspect::Place, "the elements");
  count(DiffAspect::Twiddle, "the twiddle");
  count(DiffAspect::Read, "what was read");
  count(DiffAspect::Written, "what was written");
  if (diff.by_aspect[static_cast<std::size_t>(DiffAspect::Presence)] > 0)
    parts.push_back(fmt::format("{} only in the first and {} only in the second", grouped(diff.only_first),
                                grouped(diff.only_second)));
  std::string text =
      first.steps == second.steps
          ? fmt::format("{} of {} differ: ", grouped(diff.differing), counted(first.steps, "operation", "operations"))
          : fmt::format("{} of {} and {} operations differ: ", grouped(diff.differing), grouped(first.steps),
                        grouped(second.steps));
  text += fmt::format("{}\n", fmt::join(parts, ", "));
  if (diff.beginning > 0 && first.detail == Detail::Values && second.detail == Detail::Values)
    text +=
        fmt::format("{} read the same in both traces and yet {}; the rest {} it on\n", grouped(diff.beginning),
                    diff.beginning == 1 ? "parts" : "part", diff.differing - diff.beginning == 1 ? "carries" : "carry");
  return text;
}

std::string text_of(const TraceDiff& diff, const TraceSource& first, const TraceSource& second,
                    const DiffVerbOptions& options) {
  std::string text;
  for (const Message& note : diff.notes) text += "note: " + note.english() + "\n";
  const std::string within = options.diff.ulps > 0 ? fmt::format(" within {} ulps", options.diff.ulps) : "";
  if (diff.end) {
    const BufferInfo& buffer = first.info().buffers[diff.end->buffer];
    return text +
           fmt::format(
               "all {} operations agree{}, but {} of {} differ at the end, the first of them {}[{}]: {} and {}\n",
               grouped(diff.compared), within, counted(diff.end->elements, "element", "elements"), buffer.name,
               buffer.name, diff.end->element, exact_text(diff.end->first), exact_text(diff.end->second));
  }
  if (!diff.first) return text + fmt::format("all {} operations agree{}\n", grouped(diff.compared), within);

  const Difference& at = *diff.first;
  if (at.first && at.second) {
    text += fmt::format("the traces part at {} ({} and {}):\n", position_text(at), where_text(first.info(), *at.first),
                        where_text(second.info(), *at.second));
    text += difference_rows(at, first.info(), second.info());
    if (std::isfinite(at.ulps) && at.ulps > 0) text += fmt::format("  up to {:.3g} ulps apart\n", at.ulps);
  } else {
    const bool in_first = at.first.has_value();
    text += fmt::format("the traces part at {}: only {} has an operation there ({})\n", position_text(at),
                        in_first ? options.first : options.second,
                        where_text(in_first ? first.info() : second.info(), known_operation(at)));
    text += "  " + text_line(in_first ? first.info() : second.info(), known_operation(at)) + "\n";
  }
  return text + summary(diff, first.info(), second.info());
}

ordered_json to_json(const Difference& difference, const TraceInfo& first, const TraceInfo& second) {
  ordered_json what = ordered_json::array();
  for (std::size_t i = 0; i < diff_aspect_count; ++i)
    if (difference.aspects[i]) what.push_back(name_of(static_cast<DiffAspect>(i)));
  ordered_json json = {{"position", position_text(difference)}, {"differs", what}};
  if (std::isfinite(difference.ulps) && difference.ulps > 0) json["ulps"] = difference.ulps;
  const auto side = [&](const char* key, const std::optional<Operation>& operation, const TraceInfo& info) {
    if (!operation) return;
    ordered_json one = {{"step", operation->step}};
    one.update(ordered_json::parse(json_line(info, *operation)));
    json[key] = one;
  };
  side("first", difference.first, first);
  side("second", difference.second, second);
  return json;
}

std::string json_of(const TraceDiff& diff, const TraceSource& first, const TraceSource& second,
                    const DiffVerbOptions& options) {
  ordered_json counts;
  for (std::size_t i = 0; i < diff_aspect_count; ++i)
    counts[std::string(name_of(static_cast<DiffAspect>(i)))] = diff.by_aspect[i];
  ordered_json notes = ordered_json::array();
  for (const Message& note : diff.notes) notes.push_back(note.english());
  ordered_json json = {{"first", options.first},
                       {"second", options.second},
                       {"same", diff.same()},
                       {"ulps", options.diff.ulps},
                       {"compared", diff.compared},
                       {"differing", diff.differing},
                       {"only_first", diff.only_first},
                       {"only_second", diff.only_second},
                       {"beginning", diff.beginning},
                       {"counts", counts},
                       {"notes", notes}};
  if (diff.first) json["parts_at"] = to_json(*diff.first, first.info(), second.info());
  if (diff.end)
    json["end"] = {{"buffer", first.info().buffers[diff.end->buffer].name},
                   {"element", diff.end->element},
                   {"elements", diff.end->elements}};
  return json_text(json) + "\n";
}

int diff(DiffVerbOptions options) {
  const auto first = TraceReader::open(options.first), second = TraceReader::open(options.second);
  InterruptGuard guard;
  ProgressBar bar;
  options.diff.progress = [&](double fraction) {
    bar.show(fraction, "comparing");
    return !InterruptGuard::asked();
  };
  const TraceDiff found = diff_traces(first, second, options.diff);
  bar.clear();
  if (found.stopped) throw Interrupted("interrupted before the traces were compared to the end");
  print(options.json ? json_of(found, *first, *second, options) : text_of(found, *first, *second, options));
  return static_cast<int>(found.same() ? ExitCode::good : ExitCode::findings);
}

}  // namespace

void add_diff(Program& program) {
  const auto options = std::make_shared<DiffVerbOptions>();
  CLI::App& verb = program.verb(
      "diff", "Say where two traces part first, and how",
      "Compares two runs of the same sizes position by position (launch, stage, work-item): the same kernel on two "
      "devices, before and after a change, right and broken. Exit code 1 when they differ. An ulp is the spacing of "
      "floating-point numbers at the largest magnitude that either operation touched, so that one rounding stays one "
      "ulp where a sum cancels.",
      [options] { return diff(*options); });
  program.complete(add_text(verb, "FIRST", "", "a trace (.twd)", options->first)->required(), trace_completion());
  program.complete(add_text(verb, "SECOND", "", "the trace to compare it with", options->second)->required(),
                   trace_completion());
  add_whole(verb, "--ulps", "N", "numbers this near are the same (0 without it: equal)", 0, std::uint64_t(1) << 53,
            options->diff.ulps);
  add_switch(verb, "--json", "as JSON (docs/json.md)", options->json);
  program.example(verb, "twiddle diff before.twd after.twd", "What a change of the kernel changed");
  program.example(verb, "twiddle diff cpu.twd gpu.twd --ulps 4", "Two devices, up to a few roundings");
}

}  // namespace twiddle::cli
