// `twiddle check`: what is wrong or wasteful in a run, as a compiler would say it, as JSON, or as SARIF.
#include "tracer/checks/check.h"
#include "base/error.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/repair_search.h"
#include "cli/tracing.h"
#include "cli/verbs.h"
#include "tracer/file/trace_file.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace twiddle::cli {
namespace {

struct CheckOptions : RunOptions {
  std::string subject;
  bool strict = false, json = false, sarif = false, no_repair = false;
};

// Checks read a trace once, from its beginning to its end, and hardly need checkpoints.
constexpr std::size_t replay_memory = std::size_t(64) << 20;

int check(const CheckOptions& options) {
  if (options.json && options.sarif) throw usage_error("--json and --sarif are two ways to write one thing; take one");
  need_one_schedule(options, "check");
  if (searching_repair()) {
    RunOptions run = options;
    run.request.algorithm = options.subject;
    search_repair_here(requested_plan(run), run);
  }
  std::optional<TemporaryFolder> folder;
  const auto file = trace_of(options, options.subject, folder, "interrupted: nothing was checked");
  InterruptGuard guard;
  ProgressBar bar;
  const auto trace = TraceReader::open(file);
  Replay replay(trace, replay_memory);
  std::vector<Finding> findings = check_trace(replay, [&](double fraction) {
    bar.show(fraction, "checking");
    return !InterruptGuard::asked();
  });
  const TraceInfo& info = trace->info();
  Repaired repaired;
  if (!InterruptGuard::asked() && !options.no_repair && !names_trace(options.subject) && wants_repair(info, findings)) {
    bar.show(1, "searching the smallest change that makes it right");
    repaired = search_repair_apart([] { return !InterruptGuard::asked(); });
    findings = with_repair(info, std::move(findings), repaired);
  }
  bar.clear();
  if (InterruptGuard::asked()) throw Interrupted("interrupted: the trace was not checked to its end");
  if (options.json) {
    print(json_of(info, findings));
  } else if (options.sarif) {
    print(sarif_of(info, findings));
  } else {
    for (const Finding& finding : findings) print(text_of(info, finding));
    print(fmt::format("{}: {} in {}\n", options.subject, summary_of(findings),
                      counted(info.steps, "operation", "operations")));
    for (const std::string& sentence : unchecked_in(info)) print_line("{}", sentence);
  }
  for (const std::string& sentence : repaired.unsearched) print_line("{}", sentence);
  const bool errors = std::any_of(findings.begin(), findings.end(),
                                  [](const Finding& finding) { return finding.severity == Severity::Error; });
  const bool unchecked = options.strict && !unchecked_in(info).empty();
  return errors || unchecked ? static_cast<int>(ExitCode::findings) : 0;
}

}  // namespace

void add_check(Program& program) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App& verb =
      program.verb("check", "Find what is wrong or wasteful: races, wrong partners and twiddles, costly accesses",
                   "Takes a trace, or an algorithm or plan file, which it traces first. Each finding says where it is, "
                   "why it is wrong and how it is usually put right; docs/findings.md describes every class. Exit code "
                   "1 when there is a finding of severity error.",
                   [options] { return check(*options); });
  program.complete(
      add_text(verb, "ALGORITHM|FILE", "", "an id, a plan file (.toml) or a trace (.twd)", options->subject)
          ->required(),
      subject_completion());
  add_switch(verb, "--json", "as JSON (docs/json.md)", options->json);
  add_switch(verb, "--sarif", "as SARIF 2.1.0, for editors and code hosts", options->sarif);
  add_switch(verb, "--no-repair", "leave out the search for the smallest change that makes a wrong outcome right",
             options->no_repair);
  add_switch(verb, "--strict", "exit code 1 also when something could not be checked", options->strict);
  add_tracing_options(program, verb, *options);
  program.example(verb, "twiddle check gallery/wrong-sign", "Let it find the error in a kernel broken on purpose");
  program.example(verb, "twiddle check mine.toml", "Trace a kernel of your own and say what is wrong with it");
  program.example(verb, "twiddle check fft8.twd --sarif > findings.sarif", "Findings for an editor or a code host");
}

}  // namespace twiddle::cli
