// `twiddle verify`: how far an outcome is from the double-precision reference.
#include "base/error.h"
#include "base/text.h"
#include "base/values/json_text.h"
#include "cli/export/exports.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/tasks/numerics.h"
#include "cli/tracing.h"
#include "cli/verbs.h"
#include "kernels/catalogue/reference.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <optional>

namespace twiddle::cli {
namespace {

using nlohmann::ordered_json;

struct VerifyOptions : RunOptions {
  std::vector<std::string> subjects;
  bool json = false, traced = false, numerics = false;
};

// The size that was asked for: n, or rows times columns, or what the output holds.
std::uint64_t size_of(const Plan& plan) {
  const auto number = [&](const char* key) -> std::uint64_t {
    return number_in<std::uint64_t>(parameter_of(plan, key)).value_or(0);
  };
  if (const std::uint64_t n = number("n")) return n;
  if (const std::uint64_t both = number("rows") * number("cols")) return both;
  if (plan.expect.points) return plan.expect.points;
  const Buffer* input = plan.buffer_named(plan.expect.input);
  return input ? input->count : 0;
}

// The order of the work-items, where the run or the trace was asked for one.
std::string schedule_of(const Plan& plan) { return parameter_of(plan, "schedule"); }

// A right outcome is a coincidence where a kernel accesses memory out of bounds.
bool passes(const EndResult& result, const Verdict& verdict) { return verdict.pass && result.faults.empty(); }

std::string in_words(const EndResult& result, const Verdict& verdict) {
  if (verdict.differ > 0)
    return fmt::format("{} of {} elements differ, and none may", verdict.differ, verdict.elements);
  return fmt::format("relative L2 error {:.3g}, bound {:.3g}: {}", verdict.relative_l2, verdict.bound,
                     !verdict.pass           ? "over the bound"
                     : result.faults.empty() ? "good"
                                             : "good by luck, for it leaves its buffers");
}

ordered_json to_json(const EndResult& result, const Verdict& verdict) {
  ordered_json object = {
      {"algorithm", result.plan.algorithm}, {"runtime", result.runtime},          {"device", result.device},
      {"n", size_of(result.plan)},          {"relative_l2", verdict.relative_l2}, {"bound", verdict.bound},
      {"pass", passes(result, verdict)}};
  if (!result.faults.empty()) {
    ordered_json& faults = object["faults"] = ordered_json::array();
    for (const Message& fault : result.faults) faults.push_back(fault.english());
  }
  if (const std::string schedule = schedule_of(result.plan); !schedule.empty()) object["schedule"] = schedule;
  return object;
}

int verify_all(const VerifyOptions& options) {
  ordered_json list = ordered_json::array();
  bool good = true;
  const auto add = [&](const EndResult& result, const std::string& subject, std::size_t order) {
    const Verdict verdict = twiddle::verify(result.plan, result.contents);
    for (const Message& note : result.notes) print_line("{}", note);
    for (const Message& fault : result.faults) print_line("{}", fault);
    good = good && passes(result, verdict);
    list.push_back(to_json(result, verdict));
    std::optional<Numerics> numerics;
    if (options.numerics) {
      RunOptions one = static_cast<const RunOptions&>(options);
      if (!one.schedules.empty()) one.schedules = {options.schedules[order]};
      numerics = numerics_of(one, subject);
      list.back()["numerics"] = numerics->json;
    }
    if (options.json) return;
    const std::string schedule = schedule_of(result.plan);
    print(fmt::format("{} n={} on {} ({}{}{}): {}\n", result.plan.algorithm, size_of(result.plan), result.runtime,
                      result.device, schedule.empty() ? "" : ", ", schedule, in_words(result, verdict)));
    if (!verdict.reason.empty()) print("    " + folded(verdict.reason, 4));
    if (const std::string savings = savings_line(result.plan); !savings.empty()) print("    " + savings);
    if (numerics) print(numerics->text);
  };
  for (const std::string& subject : options.subjects) {
    if (names_trace(subject))
      add(end_result(options, subject), subject, 0);
    else
      in_every_order(options, [&](std::size_t order) {
        add(end_result(options, subject, {order, options.traced}), subject, order);
      });
  }
  if (options.json) print(json_text(list.size() == 1 ? list.front() : list) + "\n");
  return good ? 0 : static_cast<int>(ExitCode::findings);
}

}  // namespace

void add_verify(Program& program) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App& verb = program.verb(
      "verify", "Compare an algorithm's outcome, or a trace's, with a double-precision reference",
      "Prints the relative L2 error, |outcome - reference| / |reference|, or how many whole numbers differ; "
      "exit code 1 when it is over the bound, or a kernel leaves its buffers. An algorithm is run without a "
      "log, unless --traced says otherwise; of a trace, the end is compared.",
      [options] { return verify_all(*options); });
  program.complete(verb.add_option("ALGORITHM|FILE", options->subjects, "ids, plan files (.toml) or traces (.twd)")
                       ->required()
                       ->type_name(""),
                   subject_completion());
  add_switch(verb, "--json", "as JSON (docs/json.md)", options->json);
  add_switch(verb, "--traced", "run the traced kernels, and drop their log", options->traced);
  add_switch(verb, "--numerics",
             "also trace it, and compute every operation once more in higher precision: where errors grow, digits "
             "cancel, and what is no number was born",
             options->numerics);
  add_tracing_options(program, verb, *options);
  program.example(verb, "twiddle verify fft-radix2 --n 1048576 --signal random:1", "Run it and measure its error");
  program.example(verb, "twiddle verify reduce-sequential --runtime host --schedule random:1-20",
                  "Run it in twenty orders of its work-items");
  program.example(verb, "twiddle verify fft-radix2 --n 1024 --signal random:1 --numerics",
                  "See stage by stage how rounding errors grow");
  program.example(verb, "twiddle verify fft8.twd --json", "Measure the error of a run that was traced");
}

}  // namespace twiddle::cli
