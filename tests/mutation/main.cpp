// twiddle_mutation: how many broken kernels the checks find. Right kernels of the catalogue are broken one index expression
// at a time (mutants.h), run, traced and checked. Of those mutants whose result is wrong, every one should be found, and at
// the right stage: that of the first operation that differs from the right run's.
//
// Placed is a finding by the first one that is no mere cost: an error, or two items that write the same.
//
//   twiddle_mutation            all of them; exit code 1 when one was missed, or more than one in twenty was misplaced
//   twiddle_mutation --quick    every eleventh
//   twiddle_mutation --list     also those that were missed or misplaced, with what was said of them
//
// A broken kernel may bring the process down, where its index goes far astray on a CPU device. So each subject runs in a
// process of its own, which goes on after the culprit; those are counted apart.
#include "base/error.h"
#include "base/process.h"
#include "base/temporary_folder.h"
#include "cli/output.h"
#include "kernels/catalogue/catalogue.h"
#include "kernels/catalogue/reference.h"
#include "tests/mutation/mutants.h"
#include "tests/support/runtimes/forwarding_runtime.h"
#include "tracer/checks/check.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/diff.h"
#include "tracer/run/tracer.h"
#include "tracer/runtimes/open_runtime.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <atomic>
#include <climits>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <thread>

using namespace twiddle;

namespace {

struct Subject {
  std::string algorithm;
  std::uint64_t n = 0, rows = 0, columns = 0;
  std::string twiddles{}, method{};
  std::uint64_t group = 0;

  std::string name() const {
    return algorithm + (method.empty() ? "" : " --method " + method) +
           (twiddles.empty() ? "" : " --twiddles " + twiddles);
  }
};

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all = {
      {.algorithm = "fft-radix2", .n = 32, .group = 4},
      {.algorithm = "fft-radix2", .n = 32, .twiddles = "table", .group = 8},
      {.algorithm = "fft-radix2-single", .n = 16},
      {.algorithm = "fft-radix2-local", .n = 32},
      {.algorithm = "fft-stockham2", .n = 32, .group = 4},
      {.algorithm = "fft-stockham4", .n = 64, .group = 4},
      {.algorithm = "fft-radix4", .n = 64, .group = 4},
      {.algorithm = "fft-real", .n = 32, .group = 4},
      {.algorithm = "fft2d", .rows = 8, .columns = 16, .method = "rows-columns"},
      {.algorithm = "dft", .n = 12, .group = 4},
      {.algorithm = "reduce-interleaved", .n = 50, .group = 16},
      {.algorithm = "reduce-sequential", .n = 50, .group = 16},
      {.algorithm = "reduce-first-add", .n = 50, .group = 16},
      {.algorithm = "reduce-grid-stride", .n = 150, .group = 16},
      {.algorithm = "histogram-local", .n = 700, .group = 32},
      {.algorithm = "histogram-private", .n = 700, .group = 32},
  };
  return all;
}

// Compiles each text once.
class CompilingOnce final : public ForwardingRuntime {
 public:
  using ForwardingRuntime::ForwardingRuntime;
  ProgramHandle build(const ProgramSource& source) override {
    const auto [place, added] = built_.try_emplace(compiler_text(source));
    if (added) place->second = ForwardingRuntime::build(source);
    return place->second;
  }

 private:
  std::map<std::string, ProgramHandle> built_;
};

// A subject's plan with its first source broken.
class Broken {
 public:
  explicit Broken(const Subject& subject) {
    Request request;
    request.algorithm = subject.algorithm;
    if (subject.n) request.n = subject.n;
    if (subject.rows) request.rows = subject.rows, request.columns = subject.columns;
    if (subject.group) request.group_size = subject.group;
    request.signal = "random:3";
    request.method = subject.method;
    request.twiddles = subject.twiddles;
    plan_ = make_plan(request);
    const std::string stem = plan_.launches.front().source;
    const KernelSource right = kernel_source(plan_, plan_.launches.front(), ".cl");
    for (const auto& file : std::filesystem::directory_iterator(right.directory))
      if (file.path().extension() == ".h") std::filesystem::copy(file.path(), folder_.path());
    MutatedSource source = mutate(right.text);
    std::ofstream(folder_.path() / (stem + ".cl")) << source.text;
    mutants_ = std::move(source.mutants);
    plan_.directory = folder_.path();
    plan_.algorithm = (folder_.path() / "mutant.toml").string();
    for (Launch& launch : plan_.launches) {
      if (launch.source == stem) {
        choices_.push_back(&launch);
        launch.arguments.emplace_back(int_argument(0));
      }
      launch.source += ".cl";
    }
    right_ = run(0);
    for (std::size_t b = 0; b < plan_.buffers.size(); ++b)
      if (plan_.buffers[b].name == plan_.expect.input) input_ = first_content(plan_, plan_.buffers[b]);
  }

  const std::vector<Mutant>& mutants() const { return mutants_; }

  struct Judged {
    bool changed = false;  // the result is wrong
    bool found = false;    // there is a finding of severity error
    bool placed = false;   // and the first of them is where the first operation differs
    std::string said;      // for --list
  };

  Judged judge(int number) {
    const std::shared_ptr<const TraceReader> trace = run(number);
    Replay replay(trace);
    Judged judged;
    const auto output = static_cast<int>(plan_.buffer_named(plan_.expect.output) - plan_.buffers.data());
    const auto end = replay.state_after(static_cast<int>(trace->info().segments.size()) - 1);
    judged.changed = !compare(plan_, input_, end->bytes(output)).pass;
    const std::vector<Finding> findings = check_trace(replay);
    const TraceDiff diff = diff_traces(right_, trace);
    const auto [launch, stage] = parting(*trace, diff);
    judged.found = !findings.empty() && findings[0].severity == Severity::Error;
    if (const Finding* first = first_of(findings)) {
      judged.placed = judged.found && first->launch == launch && first->stage == stage;
      judged.said = text_of(trace->info(), *first);
    }
    judged.said = fmt::format("parts at launch {} stage {}; {}", launch, stage, judged.said);
    return judged;
  }

 private:
  // Launch and stage of the first operation that differs, or of the first launch that wrote without a trace line.
  static std::pair<int, int> parting(const TraceReader& trace, const TraceDiff& diff) {
    std::pair<int, int> place{INT_MAX, 0};
    if (diff.first) {
      const Operation& op = diff.first->second ? *diff.first->second : *diff.first->first;
      place = {op.launch, op.stage};
    }
    for (const LaunchInfo& launch : trace.info().launches)
      if (launch.number < place.first && (launch.unexplained > 0 || !launch.faults.empty()))
        return {launch.number, launch.stage};
    return place;
  }

  static const Finding* first_of(const std::vector<Finding>& findings) {
    const Finding* first = nullptr;
    for (const Finding& finding : findings) {
      if (finding.severity != Severity::Error && finding.kind != FindingClass::RaceSameValue) continue;
      const auto place = [](const Finding& one) {
        return std::tuple(one.launch, one.epoch < 0, one.epoch, one.stage, one.severity);
      };
      if (!first || place(finding) < place(*first)) first = &finding;
    }
    return first;
  }

  std::shared_ptr<const TraceReader> run(int number) {
    for (Launch* launch : choices_) launch->arguments.back() = int_argument(number);
    const std::filesystem::path file = folder_.path() / (number == 0 ? "right.twd" : "mutant.twd");
    std::filesystem::remove(file);
    TraceWriter writer(file);
    trace_plan(plan_, runtime_, {}, writer);
    writer.finish();
    return TraceReader::open(file);
  }

  TemporaryFolder folder_;
  CompilingOnce runtime_{open_runtime("opencl", 0)};
  Plan plan_;
  std::vector<Launch*> choices_;  // of plan_: the launches that take the mutant's number
  std::vector<Mutant> mutants_;
  std::vector<std::byte> input_;
  std::shared_ptr<const TraceReader> right_;
};

// Two lines a mutant for the parent: its number and what it is; then changed, found, placed, and what was said.
void work(std::size_t subject, int first, int step) {
  Broken broken(subjects()[subject]);
  const auto& mutants = broken.mutants();
  std::cout << mutants.size() << std::endl;
  for (int number = first; number <= static_cast<int>(mutants.size()); number += step) {
    const Mutant& mutant = mutants[number - 1];
    std::cout << number << " line " << mutant.line << ": " << mutant.before << "  ->  " << mutant.after << std::endl;
    Broken::Judged judged = broken.judge(number);
    std::replace(judged.said.begin(), judged.said.end(), '\n', ' ');
    std::cout << judged.changed << ' ' << judged.found << ' ' << judged.placed << ": " << judged.said << std::endl;
  }
}

struct Tally {
  int mutants = 0, changed = 0, found = 0, placed = 0, crashed = 0;
  std::vector<std::string> misses;
  std::string error;
};

Tally tally_of(const std::string& program, std::size_t subject, int step) {
  Tally tally;
  int all = 1;
  for (int first = 1; first <= all;) {
    const ProcessResult result = run_process({program, "--subject", std::to_string(subject), "--first",
                                              std::to_string(first), "--step", std::to_string(step)},
                                             300);
    std::istringstream lines(result.output);
    if (!(lines >> all)) {
      tally.error = result.errors;
      return tally;
    }
    int last = first - step;
    std::string what, said;
    for (int number = 0; lines >> number && std::getline(lines, what);) {
      last = number;
      ++tally.mutants;
      bool changed = false, found = false, placed = false;
      if (!(lines >> changed >> found >> placed) || !std::getline(lines, said)) {
        ++tally.crashed;
        tally.misses.push_back(fmt::format("ended the process ({}):{}", result.status, what));
        break;
      }
      tally.changed += changed;
      tally.found += changed && found;
      tally.placed += changed && placed;
      if (changed && !placed) tally.misses.push_back((found ? "misplaced:" : "missed:") + what + said);
    }
    first = last + step;
  }
  return tally;
}

int report(const std::vector<Tally>& tallies, bool list) {
  Tally sum;
  std::string error;
  fmt::print("{:<36} {:>7} {:>12} {:>6} {:>7} {:>8}\n", "", "mutants", "wrong result", "found", "placed", "crashed");
  for (std::size_t s = 0; s < tallies.size(); ++s) {
    const Tally& tally = tallies[s];
    fmt::print("{:<36} {:>7} {:>12} {:>6} {:>7} {:>8}\n", subjects()[s].name(), tally.mutants, tally.changed,
               tally.found, tally.placed, tally.crashed);
    if (!tally.error.empty()) error = fmt::format("{}: {}", subjects()[s].name(), tally.error);
    if (list)
      for (const std::string& miss : tally.misses) fmt::print("    {}\n", miss);
    sum.mutants += tally.mutants;
    sum.changed += tally.changed;
    sum.found += tally.found;
    sum.placed += tally.placed;
    sum.crashed += tally.crashed;
  }
  fmt::print("{:<36} {:>7} {:>12} {:>6} {:>7} {:>8}\n", "all", sum.mutants, sum.changed, sum.found, sum.placed,
             sum.crashed);
  if (!error.empty()) throw usage_error("{}", error);
  return sum.changed == 0 || sum.found < sum.changed || 20 * sum.placed < 19 * sum.changed ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  allow_probes(argc, argv);
  CLI::App app("How many kernels with one broken index expression the checks find");
  bool quick = false, list = false;
  int subject = -1, first = 1, step = 1;
  app.add_flag("--quick", quick, "every eleventh mutant");
  app.add_flag("--list", list, "also what was missed");
  app.add_option("--subject", subject, "one subject, by number");
  app.add_option("--first", first, "its first mutant");
  app.add_option("--step", step, "and every so many after it");
  CLI11_PARSE(app, argc, argv);
  try {
    if (subject >= 0) {
      work(static_cast<std::size_t>(subject), first, step);
      return 0;
    }
    std::vector<Tally> tallies(subjects().size());
    std::atomic<std::size_t> next{0};
    const auto take = [&] {
      for (std::size_t s = next++; s < tallies.size(); s = next++) try {
          tallies[s] = tally_of("/proc/self/exe", s, quick ? 11 : step);
        } catch (const Error& error) { tallies[s].error = error.what(); }
    };
    std::thread other(take);
    take();
    other.join();
    return report(tallies, list);
  } catch (const Error& error) {
    fmt::print(stderr, "twiddle_mutation: {}\n", error.what());
    return static_cast<int>(error.code());
  }
}
