#include "cli/tasks/minimise.h"

#include "base/error.h"
#include "base/read_file.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/plan_files.h"
#include "cli/tracing.h"
#include "kernels/plan/plan_parameters.h"
#include "tracer/checks/check.h"
#include "tracer/file/trace_file.h"
#include "tracer/source/source.h"

#include <algorithm>
#include <optional>
#include <system_error>

namespace fs = std::filesystem;

namespace twiddle::cli {
namespace {

constexpr std::size_t replay_bytes = std::size_t(64) << 20;
constexpr std::uintmax_t max_data_file = std::uintmax_t(1) << 28;
constexpr std::size_t max_runs = 400;  // of a plan, before what is left is taken as it is

/// What the smaller cases have to have in common.
struct Failure {
  FindingClass kind;
  std::string file;
  int line;
  bool operator==(const Failure&) const = default;
};

class Minimiser {
 public:
  explicit Minimiser(const RunOptions& options) : options_(options) {}

  /// The first error of a run, or of one that has a certain failure that; nothing where there is none, or no run.
  std::optional<Finding> failure_of(const Plan& plan) {
    if (InterruptGuard::asked()) throw Interrupted("interrupted: nothing was written");
    if (++runs_ > max_runs) return std::nullopt;
    bar_.show(std::min(1.0, static_cast<double>(runs_) / 60), "looking for the smallest case");
    const fs::path file = folder_.path() / "case.twd";
    std::error_code ignored;
    fs::remove(file, ignored);
    try {
      const TracedRun run =
          trace_to_file(plan, options_, file, [](double, const Message&) { return !InterruptGuard::asked(); });
      const auto trace = TraceReader::open(run.file);
      Replay replay(trace, replay_bytes);
      for (Finding& finding : check_trace(replay)) {
        if (finding.severity != Severity::Error) break;
        const Failure failure{finding.kind, fs::path(file_of(trace->info(), finding)).filename().string(),
                              finding.line};
        if (!wanted_) wanted_ = failure;
        if (failure == *wanted_) return std::move(finding);
      }
    } catch (const Error& error) {
      if (!wanted_) throw;  // the case as it was given cannot be run
    }
    return std::nullopt;
  }
  bool fails(const Plan& plan) { return failure_of(plan).has_value(); }
  bool exhausted() const { return runs_ > max_runs; }

  /// Takes the changed plan if it fails alike.
  template <typename Change>
  bool attempt(Plan& plan, const Change& change) {
    Plan smaller = plan;
    if (!change(smaller) || !fails(smaller)) return false;
    plan = std::move(smaller);
    return true;
  }
  void clear() { bar_.clear(); }

 private:
  const RunOptions& options_;
  TemporaryFolder folder_;
  ProgressBar bar_;
  std::optional<Failure> wanted_;
  std::size_t runs_ = 0;
};

// Sizes worth a try below `size`, ascending: all up to 16, then powers of two and three times these.
std::vector<std::uint64_t> sizes_below(std::uint64_t size) {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t n = 1; n < std::min<std::uint64_t>(size, 17); ++n) sizes.push_back(n);
  for (std::uint64_t power = 32; power < size && power != 0; power *= 2) {
    sizes.push_back(power / 4 * 3);
    sizes.push_back(power);
  }
  return sizes;
}

std::uint64_t number_of(const std::string& text) {
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || value > (std::uint64_t(1) << 40)) return 0;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

// The parameters that are numbers, made smaller one after the other.
void shrink_parameters(Minimiser& minimiser, RunOptions& options, Plan& plan, std::string& report) {
  const bool file = options.request.algorithm.ends_with(".toml");
  std::vector<std::string> names{"n"};
  if (file) names = number_parameters(options.request.algorithm);
  for (const std::string& name : names) {
    const std::string before = parameter_of(plan, name);
    for (const std::uint64_t size : sizes_below(number_of(before))) {
      RunOptions smaller = options;
      set_parameter(smaller.request, name, fmt::format("{}", size));
      try {
        Plan made = requested_plan(smaller);
        if (!minimiser.fails(made)) continue;
        plan = std::move(made);
        options = std::move(smaller);
        report += fmt::format("  {:<12}{} -> {}\n", name, before, size);
        break;
      } catch (const Error&) {}  // a size that the plan does not hold for
    }
  }
}

// The launch alone, or with the fewest of the others.
void shrink_launches(Minimiser& minimiser, Plan& plan, std::string& report) {
  const std::size_t before = plan.launches.size();
  const std::optional<Finding> finding = minimiser.failure_of(plan);
  if (finding && finding->launch > 0)
    minimiser.attempt(plan, [&](Plan& smaller) {
      const auto last = static_cast<std::size_t>(finding->launch);
      if (last >= smaller.launches.size()) return false;
      smaller.launches.resize(last);
      return true;
    });
  for (std::size_t l = plan.launches.size(); l-- > 0 && plan.launches.size() > 1;)
    minimiser.attempt(plan, [&](Plan& smaller) {
      smaller.launches.erase(smaller.launches.begin() + static_cast<std::ptrdiff_t>(l));
      return true;
    });
  if (plan.launches.size() < before)
    report += fmt::format("  {:<12}{} -> {}\n", "launches", before, plan.launches.size());
}

void shrink_items(Minimiser& minimiser, Plan& plan, std::string& report) {
  const std::uint64_t before = items_of(plan);
  for (std::size_t l = 0; l < plan.launches.size(); ++l)
    for (std::size_t d = 0; d < 3; ++d) {
      const std::size_t groups = plan.launches[l].global[d] / plan.launches[l].local[d];
      for (const std::uint64_t count : sizes_below(groups))
        if (minimiser.attempt(plan, [&](Plan& smaller) {
              smaller.launches[l].global[d] = smaller.launches[l].local[d] * count;
              return true;
            }))
          break;
      if (plan.launches[l].global[d] != plan.launches[l].local[d]) continue;  // a group's size is another matter
      for (const std::uint64_t size : sizes_below(plan.launches[l].local[d]))
        if (minimiser.attempt(plan, [&](Plan& smaller) {
              smaller.launches[l].global[d] = smaller.launches[l].local[d] = size;
              return true;
            }))
          break;
    }
  if (items_of(plan) < before) report += fmt::format("  {:<12}{} -> {}\n", "work-items", before, items_of(plan));
}

void simplify_signal(Minimiser& minimiser, Plan& plan, std::string& report) {
  const auto takes = [&](const Buffer& buffer) { return buffer.content.kind == Content::Kind::Signal; };
  if (std::none_of(plan.buffers.begin(), plan.buffers.end(), takes)) return;
  const std::string before = plan.signal;
  for (const char* simple : {"impulse", "constant", "ramp"}) {
    if (before == simple) return;
    if (minimiser.attempt(plan, [&](Plan& simpler) {
          simpler.signal = simple;
          for (Buffer& buffer : simpler.buffers)
            if (takes(buffer)) buffer.content.signal.clear();
          return true;
        })) {
      report += fmt::format("  {:<12}{} -> {}\n", "signal", before, simple);
      return;
    }
  }
}

// A file of the plan's folder, by its name there.
void copy_into(const fs::path& folder, const fs::path& from, const fs::path& name) {
  const fs::path to = folder / name;
  std::error_code failed;
  if (fs::exists(to, failed)) return;
  fs::create_directories(to.parent_path(), failed);
  write_file(to, read_file(from, max_data_file));
}

// What the plan needs beside itself: sources of the user's own with what they include, and data.
void copy_files(const Plan& plan, const fs::path& folder) {
  if (plan.directory.empty()) return;  // the catalogue's kernels are found everywhere
  std::error_code ignored;
  for (const Launch& launch : plan.launches)
    for (const char* extension : {".cl", ".cu"}) {
      const fs::path name = fs::path(launch.source).replace_extension(extension);
      if (!fs::exists(plan.directory / name, ignored)) continue;
      try {
        for (const SourceText& text : source_files(kernel_source(plan, launch, extension))) {
          const fs::path beside = name.parent_path() / text.name;
          if (fs::exists(plan.directory / beside, ignored)) copy_into(folder, plan.directory / beside, beside);
        }
      } catch (const Error&) { copy_into(folder, plan.directory / name, name); }
    }
  for (const Buffer& buffer : plan.buffers)
    if (buffer.content.kind == Content::Kind::File)
      copy_into(folder, plan.directory / buffer.content.file, buffer.content.file);
  if (!plan.expect.file.empty()) copy_into(folder, plan.directory / plan.expect.file, plan.expect.file);
}

}  // namespace

std::string minimise(const RunOptions& given, const std::string& subject, const fs::path& folder) {
  const InterruptGuard guard;
  RunOptions options = given;
  options.request.algorithm = subject;
  Plan plan = requested_plan(options);
  const std::string name = fs::path(default_trace_name(plan)).stem().string();
  const fs::path file = folder / ((subject.ends_with(".toml") ? fs::path(subject).stem().string() : name) + ".toml");
  std::error_code failed;
  if (fs::exists(file, failed))
    throw usage_error("{} is there already, and nothing of yours is overwritten; name another folder", file.string());

  Minimiser minimiser(options);
  if (!minimiser.fails(plan))
    throw usage_error("nothing is wrong with {}: there is no failure to make smaller", subject);
  std::string report;
  shrink_parameters(minimiser, options, plan, report);
  // Where the outcome alone is wrong, it would be so with fewer launches and work-items, too, for another reason.
  const bool expected = plan.expect.transform != Expect::Transform::None;
  if (!expected || minimiser.attempt(plan, [](Plan& smaller) {
        smaller.expect = {};
        return true;
      })) {
    shrink_launches(minimiser, plan, report);
    shrink_items(minimiser, plan, report);
  }
  drop_unused_buffers(plan);
  simplify_signal(minimiser, plan, report);
  plan.title = Message("The smallest case of {} that still fails", subject);

  fs::create_directories(folder, failed);
  if (failed) throw usage_error("the folder {} could not be made: {}", folder.string(), failed.message());
  copy_files(plan, folder);
  const std::string runtime = options.runtime == "auto" ? "" : " --runtime " + options.runtime;
  const bool cuda = !plan.launches.empty() && (options.runtime == "host" || options.runtime == "cuda" ||
                                               fs::path(plan.launches.front().source).extension() == ".cu");
  // Parameters have become numbers: what a source was compiled with is in the launches.
  write_file(file, fmt::format("# twiddle check {}{}\n", file.filename().string(), runtime) +
                       to_toml(plan, cuda ? ".cu" : ".cl"));
  const std::optional<Finding> still = minimiser.failure_of(read_plan_file(file));
  minimiser.clear();
  if (!still && !minimiser.exhausted())
    throw Error(ExitCode::findings,
                Message("{} was written and does not fail alike: what fails depends on more than the "
                        "plan says, as the order of the work-items",
                        file.string()));
  if (report.empty()) report = "  nothing could be left out\n";
  return fmt::format("{}: the smallest case found that still fails\n{}{}twiddle check {}{}\n", file.string(), report,
                     still ? fmt::format("  {:<12}{}: {}\n", "fails with", name_of(still->kind), still->message) : "",
                     file.string(), runtime);
}

}  // namespace twiddle::cli
