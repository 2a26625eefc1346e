#include "tracer/bench/bench_kernels.h"

#include "base/error.h"
#include "base/message.h"
#include "base/process.h"
#include "base/text.h"
#include "base/version.h"
#include "kernels/catalogue/catalogue.h"
#include "kernels/catalogue/reference.h"
#include "tracer/bench/bench_history.h"
#include "tracer/bench/bench_reference.h"
#include "tracer/bench/bench_rungs.h"
#include "tracer/replay/replay.h"
#include "tracer/run/plan_run.h"
#include "tracer/run/trace_setup.h"
#include "tracer/runtime/queued_runs.h"
#include "tracer/store/memory_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <new>
#include <optional>

namespace twiddle {
namespace {

constexpr std::uint64_t max_verified = std::uint64_t(1) << 20;  // points: BenchReference compares larger ones
constexpr std::uint64_t max_traced_points = 4096;
constexpr std::uint64_t max_plane_side = 4096, max_bench_points = std::uint64_t(1) << 31;

// All that there is to measure of a family, from the textbook upwards.
const std::vector<std::string>& ladder_of(const std::string& family, bool batch) {
  static const std::vector<std::string> one = {"fft-radix2:group-size=256",
                                               "fft-stockham2:group-size=256",
                                               "fft-stockham4:group-size=256",
                                               "fft-registers:method=scattered",
                                               "fft-registers",
                                               "fft-blocks",
                                               "fft-blocks:group-size=512",
                                               "fft-blocks:twiddles=products",
                                               "fft-two-pass",
                                               "fft-two-pass:twiddles=products",
                                               "fft-two-pass:points-per-item=64",
                                               "fft-two-pass:points-per-item=64,twiddles=products",
                                               "fft-two-pass:points-per-item=32,twiddles=shared",
                                               "fft-engine"};
  static const std::vector<std::string> many = {"fft-radix2-local", "fft-batch", "fft-batch:twiddles=products",
                                                "fft-batch:group-size=128"};
  static const std::vector<std::string> sums = {"reduce-interleaved:group-size=256",
                                                "reduce-strided:group-size=256",
                                                "reduce-sequential:group-size=256",
                                                "reduce-first-add:group-size=256",
                                                "reduce-unrolled:group-size=256",
                                                "reduce-grid-stride:group-size=256",
                                                "reduce-vector",
                                                "reduce-last-block"};
  static const std::vector<std::string> counts = {"histogram-global",
                                                  "histogram-local",
                                                  "histogram-private",
                                                  "histogram-vector",
                                                  "histogram-lanes",
                                                  "histogram-vector:type=uchar",
                                                  "histogram-lanes:type=uchar",
                                                  "histogram-vector:type=uchar,signal=sawtooth:16",
                                                  "histogram-lanes:type=uchar,signal=sawtooth:16",
                                                  "histogram-vector:type=uchar,signal=constant:77",
                                                  "histogram-lanes:type=uchar,signal=constant:77"};
  static const std::vector<std::string> planes = {"fft2d", "fft2d:method=fused,transform=stockham4",
                                                  "fft2d:method=tiles", "fft2d:method=engine"};
  if (family == "fft2d") return planes;
  return family == "fft" ? (batch ? many : one) : family == "sum" ? sums : counts;
}

class KernelBenchRun {
 public:
  KernelBenchRun(Runtime& runtime, const KernelBenchOptions& options, const Progress& progress)
      : runtime_(runtime), queued_(dynamic_cast<QueuedRuns*>(&runtime)), options_(options), progress_(progress) {}

  KernelBench run() {
    const DeviceInfo& device = runtime_.device();
    KernelBench bench{device.runtime, device.name, device.driver, program_version, now_utc(), {}};
    std::map<BenchProblem, std::vector<std::string>> rungs;
    for (const std::string& rung : options_.rungs) rungs[problem_of_rung(rung)].push_back(rung);
    if (options_.rungs.empty())
      for (const char* family : {"fft", "fft2d", "sum", "histogram"})
        if ((options_.families.empty() && family != std::string("fft2d")) ||
            std::find(options_.families.begin(), options_.families.end(), family) != options_.families.end())
          for (const std::string& rung : ladder_of(family, options_.rows > 0))
            rungs[problem_of_rung(rung)].push_back(rung);
    if (options_.rungs.empty() && options_.rows > 0)
      std::erase_if(rungs, [](const auto& one) { return !one.first.family.starts_with("fft"); });
    for (const auto& [problem, list] : rungs) all_ += list.size() + 3;
    for (const auto& [problem, list] : rungs) {
      bench.tables.push_back(measure_problem(problem, options_.twiddles ? with_twiddles(list) : list));
      if (cancelled_) break;
    }
    if (progress_) progress_(1, {});
    return bench;
  }

 private:
  bool go_on(const std::string& what) {
    if (progress_ &&
        !progress_(std::min(1.0, static_cast<double>(done_++) / static_cast<double>(all_)), Message::verbatim(what)))
      cancelled_ = true;
    return !cancelled_;
  }

  // Each rung with every word that its --twiddles takes.
  static std::vector<std::string> with_twiddles(const std::vector<std::string>& rungs) {
    std::vector<std::string> all;
    for (const std::string& rung : rungs) {
      if (rung.find("twiddles=") != std::string::npos) continue;
      const Algorithm& algorithm = find_algorithm(rung.substr(0, rung.find(':')));
      for (const Parameter& parameter : algorithm.parameters)
        if (parameter.name == "twiddles")
          for (const std::string& word : choices(parameter))
            all.push_back(rung + (rung.find(':') == std::string::npos ? ":" : ",") + "twiddles=" + word);
    }
    return all;
  }

  KernelBenchTable measure_problem(const BenchProblem& problem, const std::vector<std::string>& rungs) {
    KernelBenchTable table;
    const std::string& family = table.family = problem.family;
    table.type = problem.type;
    table.signal = problem.signal;
    table.twiddles = options_.twiddles;
    table.n = options_.n;
    const std::uint64_t element = problem.type == "uchar" ? 1 : 4;
    const bool transforms = family.starts_with("fft"), plane = family == "fft2d";
    table.rows = !transforms ? 0 : plane && options_.rows == 0 ? table.n : options_.rows;
    if (plane && std::max(table.n, table.rows) > max_plane_side)
      throw usage_error("planes are measured to {0} × {0} points: give --n and --rows of at most that", max_plane_side);
    const std::uint64_t points = table.n * std::max<std::uint64_t>(table.rows, 1);
    if (points > max_bench_points)
      throw usage_error("--n times --rows is more than the {} points that are measured", max_bench_points);
    set_problem(table);
    libraries(table);
    if (cancelled_) return table;
    copy(table, points * (transforms ? 8 : element));
    for (const std::string& rung : rungs) {
      if (!go_on(rung)) return table;
      KernelBenchRow row;
      row.what = rung;
      try {
        measure_rung(rung, table, row);
      } catch (const Error& error) { row.trouble = error.message().english(); } catch (const std::bad_alloc&) {
        row.trouble = "there is not enough memory for it";
      }
      table.rows_measured.push_back(std::move(row));
    }
    libraries(table);  // once more: what differs is the machine, not the kernels
    return table;
  }

  // Each library in a process of its own: one that crashes takes its own column alone.
  void libraries(KernelBenchTable& table) {
    if (options_.program.empty()) return;
    for (const std::string& library : libraries_for(runtime_.device().runtime, runtime_.device().kind, table.family)) {
      if (!go_on(library)) return;
      KernelBenchRow row;
      row.what = library;
      row.library = true;
      std::vector<std::string> command = {options_.program, "bench", "kernels"};
      if (!table.type.empty())
        command.push_back(fmt::format("histogram-lanes:type={},signal={}", table.type, table.signal));
      command.insert(command.end(),
                     {"--library", library, "--family", table.family, "--n", fmt::format("{}", table.n), "--rows",
                      fmt::format("{}", table.rows), "--passes", fmt::format("{}", options_.samples), "--device",
                      fmt::format("{}", runtime_.device().index), "--runtime", runtime_.device().runtime, "--json"});
      const ProcessResult result = run_process(command, 120 + 20 * options_.seconds);
      if (result.status == 0) {
        try {
          for (const LibraryTime& time : library_times(result.output)) {
            row.parameters = time.version + (time.what.empty() ? "" : ", " + time.what);
            row.ns = time.ns, row.warm_ns = time.warm_ns;
            row.bytes = table.problem_bytes;
            table.rows_measured.push_back(row);
          }
          continue;
        } catch (const Error& error) { row.trouble = error.message().english(); }
      } else if (result.timed_out) {
        row.trouble = "it did not end";
      } else if (result.status > 128) {
        row.trouble = fmt::format("it crashed (signal {})", result.status - 128);
      } else {
        row.trouble = result.errors.substr(0, result.errors.find('\n'));
        if (row.trouble.starts_with("twiddle: ")) row.trouble.erase(0, 9);
      }
      table.rows_measured.push_back(std::move(row));
    }
  }

  double timed(std::span<const KernelCall> calls) {
    if (queued_) return queued_->run_queued(calls);
    double sum = 0;
    for (const KernelCall& call : calls) sum += runtime_.run(call);
    return sum;
  }

  // `sets`: the calls of one run over each set of buffers, used in turn from `turn` of them.
  double median_over(const std::vector<std::vector<KernelCall>>& sets, std::size_t turn) {
    std::size_t next = 0;
    const auto some = [&](int count) {
      std::vector<KernelCall> calls;
      for (int c = 0; c < count; ++c, ++next) {
        const std::vector<KernelCall>& set = sets[next % turn];
        calls.insert(calls.end(), set.begin(), set.end());
      }
      return timed(calls);
    };
    some(1);
    const Sampling sampling = sampling_for(some(2) / 2, options_.samples, options_.seconds);
    std::vector<double> times;
    for (int s = 0; s < sampling.samples; ++s) times.push_back(some(sampling.calls) / sampling.calls);
    return median_of(std::move(times));
  }

  struct Buffers {
    explicit Buffers(Runtime& owner) : runtime(owner) {}
    Buffers(const Buffers&) = delete;
    Buffers& operator=(const Buffers&) = delete;
    ~Buffers() {
      for (const BufferHandle handle : handles) runtime.release(handle);
    }
    BufferHandle add(std::size_t bytes) {
      handles.push_back(runtime.allocate(bytes));
      return handles.back();
    }
    Runtime& runtime;
    std::vector<BufferHandle> handles;
  };

  // The same copy for all runtimes: a kernel.
  void copy(KernelBenchTable& table, std::uint64_t bytes) {
    if (!go_on("copy")) return;
    constexpr std::uint64_t group = 256, vector = 16;
    Plan plan;
    plan.title = Message("Copy");
    plan.algorithm = "copy";
    const std::uint64_t vectors = std::max<std::uint64_t>(bytes / vector, group);
    for (const char* name : {"x", "y"}) {
      Buffer buffer;
      buffer.name = name;
      buffer.type = ElementType::Float2;
      buffer.count = 2 * vectors;
      buffer.shape = {buffer.count};
      plan.buffers.push_back(buffer);
    }
    Launch launch;
    launch.source = launch.kernel = "copy";
    launch.local[0] = group;
    launch.global[0] = (vectors + 4 * group - 1) / (4 * group) * group;
    launch.arguments = {BufferArgument{0}, BufferArgument{1}, size_argument(vectors)};
    launch.defines = {fmt::format("GROUP={}", group)};
    plan.launches.push_back(launch);
    PlanRun run(plan, runtime_);
    Buffers more(runtime_);
    const std::uint64_t pair = 2 * vectors * vector, pairs = pairs_for(pair, runtime_.device().global_bytes);
    std::vector<std::vector<KernelCall>> sets(pairs, {run.call(plan.launches[0])});
    for (std::size_t p = 1; p < sets.size(); ++p)
      for (std::size_t a = 0; a < 2; ++a)
        sets[p][0].arguments[a] = {KernelArgument::Memory{more.add(vectors * vector)}};
    table.copy_bytes = static_cast<double>(pair);
    table.copy_ns = median_over(sets, sets.size());
    if (pair <= warm_bytes) table.copy_warm_ns = median_over(sets, 1);
  }

  void measure_rung(const std::string& rung, const KernelBenchTable& table, KernelBenchRow& row) {
    const Request request = request_of_rung(rung);
    const Plan plan = plan_of_rung(request, table.n, table.rows, runtime_.device());
    for (const auto& [key, value] : plan.parameters)
      if (key != "n" && key != "rows" && key != "inverse" && key != "sign")
        row.parameters += (row.parameters.empty() ? "" : " ") + key + "=" + value;
    row.launches = static_cast<int>(plan.launches.size());
    for (const Message& note : plan.notes) row.note += (row.note.empty() ? "" : "; ") + note.english();
    const auto place = [&](const std::string& name) {
      return static_cast<std::size_t>(plan.buffer_named(name) - plan.buffers.data());
    };
    const std::size_t input = place(plan.expect.input), output = place(plan.expect.output);
    std::vector<std::byte> first;
    PlanRun run(plan, runtime_, [&](int buffer, std::span<const std::byte> bytes) {
      if (static_cast<std::size_t>(buffer) == input) first.assign(bytes.begin(), bytes.end());
    });
    compare(request, plan, run, first, row);
    runtime_.upload(run.handle(input), 0, first);
    first = {};

    Buffers more(runtime_);
    std::vector<KernelCall> calls;
    for (const Launch& launch : plan.launches) calls.push_back(run.call(launch));
    keep_input(plan, run, input, calls, more);
    const std::size_t result = plan.buffers.size() == 2 ? 1 - input : output;
    const std::uint64_t pair = run.bytes(input) + run.bytes(result);
    const std::uint64_t pairs = pairs_for(pair, runtime_.device().global_bytes);
    std::vector<std::vector<KernelCall>> sets(pairs, calls);
    for (std::size_t p = 1; p < sets.size(); ++p) {
      const BufferHandle in = more.add(run.bytes(input)), out = more.add(run.bytes(result));
      runtime_.copy(run.handle(input), in, run.bytes(input));
      for (KernelCall& call : sets[p])
        for (KernelArgument& argument : call.arguments)
          if (auto* memory = std::get_if<KernelArgument::Memory>(&argument.value)) {
            if (memory->buffer == run.handle(input))
              memory->buffer = in;
            else if (memory->buffer == run.handle(result))
              memory->buffer = out;
          }
    }
    row.ns = median_over(sets, sets.size());
    if (pair <= warm_bytes) row.warm_ns = median_over(sets, 1);
    row.bytes = bytes_moved(plan, run);
    look_at_log(request, table, row);
  }

  // Runs the plan once, and holds the outcome against the reference as far as there is room for one.
  void compare(const Request& request, const Plan& plan, PlanRun& run, const std::vector<std::byte>& first,
               KernelBenchRow& row) {
    const Buffer& output = *plan.buffer_named(plan.expect.output);
    for (const Launch& launch : plan.launches) run.run(launch);
    const std::vector<std::byte> last = run.download(static_cast<std::size_t>(&output - plan.buffers.data()));
    std::optional<Verdict> verdict;
    if (plan.buffer_named(plan.expect.input)->count <= max_verified)
      verdict = verify(plan, first, last);
    else
      verdict = reference_.verify(plan, first, last);
    if (!verdict) return;
    row.error = verdict->relative_l2;
    row.bound = verdict->bound;
    row.right = verdict->pass;
    if (!options_.twiddles) return;
    Request exact = request;
    exact.twiddles = "exact";
    row.bound = plan_of_rung(exact, options_.n, options_.rows, runtime_.device()).expect.bound;
    row.right = row.error <= row.bound;
  }

  // Transforms that go back and forth between two arrays would use up their input, and their numbers would grow with each run:
  // what is between goes through a third array, so that each run starts from the same input.
  void keep_input(const Plan& plan, PlanRun& run, std::size_t input, std::vector<KernelCall>& calls, Buffers& more) {
    if (plan.buffers.size() != 2 || calls.size() < 2 || run.bytes(0) != run.bytes(1)) return;
    const auto memories_of = [](KernelCall& call) {
      std::vector<KernelArgument::Memory*> memories;
      for (KernelArgument& argument : call.arguments)
        if (auto* memory = std::get_if<KernelArgument::Memory>(&argument.value)) memories.push_back(memory);
      return memories;
    };
    if (!std::all_of(calls.begin(), calls.end(), [&](KernelCall& call) { return memories_of(call).size() >= 2; }))
      return;
    const BufferHandle between = more.add(run.bytes(input)), last = run.handle(1 - input);
    const auto written = [&](std::size_t call) { return (calls.size() - 1 - call) % 2 == 0 ? last : between; };
    for (std::size_t c = 0; c < calls.size(); ++c) {
      const std::vector<KernelArgument::Memory*> memories = memories_of(calls[c]);
      memories[0]->buffer = c == 0 ? run.handle(input) : written(c - 1);
      memories[1]->buffer = written(c);
      for (KernelArgument::Memory* memory : memories)
        if (memory->boxes) memory->buffer = memories[0]->buffer;  // what is read, by the copy engine
    }
  }

  // Each launch reads or writes each of its larger arrays once; what is there alone and is written is read as well.
  double bytes_moved(const Plan& plan, PlanRun& run) {
    std::uint64_t largest = 0;
    for (std::size_t b = 0; b < plan.buffers.size(); ++b) largest = std::max<std::uint64_t>(largest, run.bytes(b));
    double bytes = 0;
    for (const Launch& launch : plan.launches) {
      const KernelSignature& signature = run.signature(launch);
      std::size_t parameter = 0;
      int large = 0;
      double moved = 0;
      bool read_only = false;
      for (const Argument& argument : launch.arguments) {
        const bool counted = runtime_.source_extension() == ".cl" || !std::holds_alternative<LocalArgument>(argument);
        if (const auto* buffer = std::get_if<BufferArgument>(&argument); buffer && !buffer->boxes) {
          const std::uint64_t size = run.bytes(buffer->buffer);
          moved += static_cast<double>(size);
          if (2 * size > largest) {
            ++large;
            read_only = parameter < signature.read_only.size() && signature.read_only[parameter];
          }
        }
        parameter += counted;
      }
      if (large == 1 && !read_only) moved *= 2;
      bytes += moved;
    }
    return bytes;
  }

  // What a log of a smaller run shows, an element and launch.
  void look_at_log(const Request& request, const KernelBenchTable& table, KernelBenchRow& row) {
    std::uint64_t n = std::min(table.n, max_traced_points), rows = table.rows;
    if (table.family == "fft2d")
      n = std::min<std::uint64_t>(n, 64), rows = std::min<std::uint64_t>(rows, 64);
    else if (rows > 0)
      rows = std::max<std::uint64_t>(std::min(rows, max_traced_points / n), 1);
    std::optional<Plan> plan;
    try {
      plan.emplace(plan_of_rung(request, n, rows, runtime_.device()));
      MemoryTrace trace;
      trace_plan(*plan, runtime_, {}, trace);
      const std::shared_ptr<const TraceSource> source = trace.finish();
      Replay replay(source);
      double bytes = 0;
      const TraceInfo& info = source->info();
      replay.for_each(1, info.steps, true, [&](const Operation& operation) {
        const auto add = [&](const Access& access) {
          const BufferInfo* buffer = info.buffer(access.buffer);
          if (buffer && buffer->space == Space::Global) bytes += static_cast<double>(traits(buffer->type).bytes);
        };
        for (const Access& access : operation.reads) add(access);
        for (const Access& access : operation.writes) add(access);
        return true;
      });
      const double scale = static_cast<double>(table.n * std::max<std::uint64_t>(table.rows, 1)) /
                           static_cast<double>(n * std::max<std::uint64_t>(rows, 1));
      const double passes = table.family == "fft" && !plan->launches.empty()
                                ? static_cast<double>(row.launches) / static_cast<double>(plan->launches.size())
                                : 1;
      row.logged_bytes = bytes * scale * passes;
      row.logged_n = static_cast<double>(n);
    } catch (const Error&) {}  // a rung that takes no smaller size, or more memory than there is: then there is no log
  }

  Runtime& runtime_;
  QueuedRuns* queued_;
  const KernelBenchOptions& options_;
  const Progress& progress_;
  BenchReference reference_;
  std::size_t all_ = 0, done_ = 0;
  bool cancelled_ = false;
};

}  // namespace

double KernelBenchTable::library_ns() const {
  for (const KernelBenchRow& row : rows_measured)
    if (row.library && row.ns > 0) return row.ns;
  return std::numeric_limits<double>::quiet_NaN();
}

KernelBench bench_kernels(Runtime& runtime, const KernelBenchOptions& options, const Progress& progress) {
  return KernelBenchRun(runtime, options, progress).run();
}

}  // namespace twiddle
