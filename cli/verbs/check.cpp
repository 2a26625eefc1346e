// `twiddle check`: what is wrong or wasteful in a run, as a compiler would say it, as JSON, or as SARIF.
#include "tracer/checks/check.h"
#include "base/error.h"
#include "base/values/json_text.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/plan_files.h"
#include "cli/repair_search.h"
#include "cli/tasks/minimise.h"
#include "cli/tasks/other_inputs.h"
#include "cli/tracing.h"
#include "cli/verbs.h"
#include "tracer/checks/findings.h"
#include "tracer/checks/limits.h"
#include "tracer/file/trace_file.h"
#include "viewer/session/file_watch.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

namespace twiddle::cli {
namespace {

struct CheckOptions : RunOptions {
  std::string subject;
  bool strict = false, json = false, sarif = false, watch = false, smallest = false, repair = false, no_repair = false;
  std::string output;
  std::vector<std::string> more;  // traces beside the subject, such as the other ranks of its run
};

// Checks read a trace once, from its beginning to its end, and hardly need checkpoints.
constexpr std::size_t replay_memory = std::size_t(64) << 20;

struct Checked {
  TraceInfo info;
  std::vector<Finding> findings;
};

Checked check_file(const std::filesystem::path& file) {
  InterruptGuard guard;
  ProgressBar bar;
  const auto trace = TraceReader::open(file);
  Replay replay(trace, replay_memory);
  CheckedTrace found = checked_trace(replay, [&](double fraction) {
    bar.show(fraction, "checking");
    return !InterruptGuard::asked();
  });
  Checked checked{with_unchecked(trace->info(), found.unchecked), std::move(found.findings)};
  bar.clear();
  if (InterruptGuard::asked()) throw Interrupted("interrupted: the trace was not checked to its end");
  return checked;
}

// Runs and checks under each order; what an order shows that those before it did not is added, with its name.
Checked check_orders(const CheckOptions& options) {
  Checked all;
  std::set<Findings::Place> known;
  for (std::size_t order = 0; order < options.schedules.size(); ++order) {
    RunOptions one = static_cast<const RunOptions&>(options);
    one.schedules = {options.schedules[order]};
    std::optional<TemporaryFolder> folder;
    Checked checked = check_file(trace_of(one, options.subject, folder, "interrupted: nothing was checked"));
    for (Finding& finding : checked.findings) {
      if (!known.insert(Findings::place_of(finding)).second) continue;
      finding.schedule = to_string(options.schedules[order]);
      all.findings.push_back(std::move(finding));
    }
    if (order == 0) all.info = std::move(checked.info);
  }
  std::stable_sort(all.findings.begin(), all.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
  // Atomic operations may do that rightly, so that it is said and no more.
  RunOptions run = static_cast<const RunOptions&>(options);
  run.request.algorithm = options.subject;
  try {
    if (const std::string difference = difference_between_orders(requested_plan(run), run); !difference.empty())
      print_line("the outcome depends on the order of the work-items: {}", difference);
  } catch (const Error&) {}  // a kernel that was stopped: that is among the findings
  return all;
}

bool any_error(const Checked& checked) {
  return std::any_of(checked.findings.begin(), checked.findings.end(), is_error);
}

// Where the log shows no error: what the outcome alone shows, of the plan's own input or of another. That one is traced, so that
// its findings have their lines. Returns its signal; empty: none.
std::string try_outcome(const CheckOptions& options, Checked& checked) {
  if (any_error(checked) || !checked.info.complete || !options.subject.ends_with(".toml")) return {};
  std::optional<WrongOutcome> wrong = wrong_without_log(options, options.subject);
  if (!wrong) return {};
  if (!wrong->signal.empty()) {
    RunOptions other = static_cast<const RunOptions&>(options);
    other.request.signal = wrong->signal;
    std::optional<TemporaryFolder> folder;
    Checked again = check_file(trace_of(other, options.subject, folder, "interrupted: nothing was checked"));
    if (any_error(again)) {
      checked = std::move(again);
      return wrong->signal;
    }
  }
  checked.findings.insert(checked.findings.begin(), std::move(wrong->finding));
  return wrong->signal;
}

// What the first error is of, where that is not the plan's own input.
void tell_signal(const std::string& signal, Checked& checked) {
  if (signal.empty()) return;
  const auto first = std::find_if(checked.findings.begin(), checked.findings.end(), is_error);
  if (first == checked.findings.end()) return;
  first->message =
      Message("{}; this is seen with --signal {}, and not with the plan's own signal", first->message, signal);
}

// The smallest change that makes a wrong outcome right, put to the findings that it is about.
Repaired repair(const CheckOptions& options, Checked& checked, const std::string& signal) {
  if (options.no_repair || names_trace(options.subject) || !wants_repair(checked.info, checked.findings)) return {};
  InterruptGuard guard;
  ProgressBar bar;
  const auto go_on = [&](std::uint64_t tried) {
    bar.show(1, fmt::format("searching the smallest change that makes it right: {} tried", tried));
    return !InterruptGuard::asked();
  };
  go_on(0);
  Repaired repaired = search_repair_apart(options.repair, signal, go_on);
  bar.clear();
  if (InterruptGuard::asked()) throw Interrupted("interrupted: no repair was searched to the end");
  checked.findings = with_repair(checked.info, std::move(checked.findings), repaired);
  return repaired;
}

struct Judged {
  Checked checked;
  Repaired repaired;
  std::string text;  // as it is printed, in the form that was asked for
  bool errors = false, unchecked = false;
};

Judged judge(const CheckOptions& options) {
  Judged judged;
  Checked& checked = judged.checked;
  Repaired& repaired = judged.repaired;
  if (options.schedules.size() > 1 && !names_trace(options.subject)) {
    checked = check_orders(options);
  } else {
    std::optional<TemporaryFolder> folder;
    checked = check_file(trace_of(options, options.subject, folder, "interrupted: nothing was checked"));
    const std::string signal = try_outcome(options, checked);
    repaired = repair(options, checked, signal);
    tell_signal(signal, checked);
  }
  const TraceInfo& info = checked.info;
  const std::vector<Finding>& findings = checked.findings;
  judged.errors = any_error(checked);
  judged.unchecked = options.strict && !unchecked_in(info).empty();
  if (options.json) {
    judged.text = json_of(info, findings, repaired);
  } else if (options.sarif) {
    judged.text = sarif_of(info, findings);
  } else {
    judged.text = text_of(info, findings);
    judged.text += fmt::format("{}: {} in {}\n", options.subject, summary_of(findings),
                               counted(info.steps, "operation", "operations"));
    if (judged.errors && !names_trace(options.subject))
      judged.text +=
          fmt::format("the smallest case that still fails: twiddle check {0} --minimise -o DIR{1}\n", options.subject,
                      options.repair || !repaired.repairs.empty() || !wants_repair(info, findings)
                          ? std::string()
                          : fmt::format("; a longer search for what would put it right: twiddle check {} --repair",
                                        options.subject));
  }
  return judged;
}

void print_unchecked(const CheckOptions& options, const Judged& judged) {
  if (!options.json && !options.sarif)
    for (const std::string& sentence : unchecked_in(judged.checked.info)) print_line("{}", sentence);
  for (const std::string& sentence : judged.repaired.unsearched) print_line("{}", sentence);
}

// Traces of one run's ranks, or any others, one after another. As JSON a list, each with its file; as SARIF a log with a run for
// each.
int check_several(const CheckOptions& options) {
  using Json = nlohmann::ordered_json;
  std::vector<std::string> files{options.subject};
  files.insert(files.end(), options.more.begin(), options.more.end());
  for (const std::string& file : files)
    if (!names_trace(file))
      throw usage_error("several at once are checked where all are traces (.twd), and {} is none", file);
  Json list = Json::array(), log;
  bool failed = false;
  CheckOptions one = options;
  for (const std::string& file : files) {
    one.subject = file;
    const Judged judged = judge(one);
    failed = failed || judged.errors || judged.unchecked;
    if (options.json) {
      Json object{{"file", file}};
      object.update(Json::parse(judged.text));
      list.push_back(std::move(object));
    } else if (options.sarif) {
      Json own = Json::parse(judged.text);
      if (log.is_null())
        log = std::move(own);
      else
        log["runs"].push_back(std::move(own["runs"][0]));
    } else {
      print(judged.text);
    }
    print_unchecked(one, judged);
  }
  if (options.json || options.sarif) print(json_text(options.json ? list : log, 2) + "\n");
  return failed ? static_cast<int>(ExitCode::findings) : 0;
}

int check(const CheckOptions& options) {
  if (searching_repair()) {
    RunOptions run = static_cast<const RunOptions&>(options);
    run.request.algorithm = options.subject;
    search_repair_here(run, options.repair);
  }
  if (!options.more.empty()) return check_several(options);
  const Judged judged = judge(options);
  print(judged.text);
  print_unchecked(options, judged);
  return judged.errors || judged.unchecked ? static_cast<int>(ExitCode::findings) : 0;
}

// Checks again whenever the plan or one of its files is saved, until Ctrl-C. What is wrong with a file is said, and waited out.
int watch(const CheckOptions& options) {
  if (!options.subject.ends_with(".toml"))
    throw usage_error("--watch checks a plan file (.toml) again when it or its kernels are saved; {} is none",
                      options.subject);
  FileWatch files{PlanFiles(options.subject)};
  InterruptGuard guard;
  int code = 0;
  try {
    for (;;) {
      try {
        code = check(options);
      } catch (const Error& error) {
        print_sentence(error.message().english());
        code = static_cast<int>(error.code());
      }
      finish_output();
      print_line("waiting for {} or its kernels to be saved; Ctrl-C ends", options.subject);
      while (!files.changed()) {
        if (InterruptGuard::asked()) return code;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
    }
  } catch (const Interrupted&) { return code; }
}

int run_check(CheckOptions options) {
  if (options.repair && options.no_repair)
    throw usage_error("--repair searches for a repair and --no-repair does not; take one");
  if (options.json && options.sarif) throw usage_error("--json and --sarif are two ways to write one thing; take one");
  if (names_kernel(options.subject)) {
    // Where a kernel is in CUDA C++, the processor runs it on any machine.
    if (options.runtime == "auto" && options.subject.ends_with(".cu")) options.runtime = "host";
    options.subject = plan_for_kernel(options.subject, "check");
  }
  if (!options.more.empty() && (options.smallest || options.watch))
    throw usage_error("--minimise and --watch take one plan, and not {} more", options.more.size());
  if (options.smallest != !options.output.empty())
    throw usage_error("--minimise writes a smaller case to a folder, and takes -o DIR");
  if (!options.smallest) return options.watch ? watch(options) : check(options);
  if (options.watch || options.json || options.sarif)
    throw usage_error("--minimise goes with none of --watch, --json and --sarif");
  if (names_trace(options.subject))
    throw usage_error("--minimise runs smaller cases, and {} is a trace; give it the plan", options.subject);
  need_one_schedule(options, "check --minimise");
  print(minimise(options, options.subject, options.output));
  return 0;
}

}  // namespace

void add_check(Program& program) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App& verb =
      program.verb("check", "Find what is wrong or wasteful: races, wrong partners and twiddles, costly accesses",
                   "Takes a trace, or an algorithm or plan file, which it traces first. Each finding says where it is, "
                   "why it is wrong and how it is usually put right; docs/findings.md describes every class. Exit code "
                   "1 when there is a finding of severity error.",
                   [options] { return run_check(*options); });
  program.complete(
      add_text(verb, "ALGORITHM|FILE", "", "an id, a plan file (.toml) or a trace (.twd)", options->subject)
          ->required(),
      subject_completion());
  program.complete(verb.add_option("MORE", options->more, "more traces, such as the other ranks of the run")
                       ->type_name("")
                       ->expected(0, -1),
                   trace_completion());
  add_switch(verb, "--json", "as JSON (docs/json.md)", options->json);
  add_switch(verb, "--sarif", "as SARIF 2.1.0, for editors and code hosts", options->sarif);
  add_switch(verb, "--repair",
             "search up to a minute of processor time for the smallest change of a plan or its kernels that makes a "
             "wrong outcome right; without it, some seconds where a run is small",
             options->repair);
  add_switch(verb, "--no-repair", "do not search for that change", options->no_repair);
  add_switch(verb, "--strict", "exit code 1 also when something could not be checked", options->strict);
  add_switch(verb, "--watch", "check a plan again whenever it or one of its kernels is saved, until Ctrl-C",
             options->watch);
  add_switch(verb, "--minimise",
             "write the smallest case with the same first error as a plan: fewer points, launches and work-items, a "
             "simpler signal",
             options->smallest);
  program.complete(add_text(verb, "-o,--output", "DIR", "the folder for --minimise", options->output), {{}, true, {}});
  add_tracing_options(program, verb, *options);
  program.example(verb, "twiddle check gallery/wrong-sign", "Let it find the error in a kernel broken on purpose");
  program.example(verb, "twiddle check mine.toml", "Trace a kernel of your own and say what is wrong with it");
  program.example(verb, "twiddle check mine.toml --watch", "Say it again whenever the kernel is saved");
  program.example(verb, "twiddle check mine.toml --runtime host --schedule random:1-20",
                  "Check twenty orders of its work-items");
  program.example(verb, "twiddle check mine.toml --minimise -o small", "Write the smallest case that still fails");
  program.example(verb, "twiddle check run.*.twd", "Check what every rank of a run recorded");
  program.example(verb, "twiddle check fft8.twd --sarif > findings.sarif", "Findings for an editor or a code host");
}

}  // namespace twiddle::cli
