// `twiddle bench`: what things cost here and now, measured.
#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/paths.h"
#include "base/temporary_folder.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/tracing.h"
#include "cli/verbs.h"
#include "tracer/bench/bench_access.h"
#include "tracer/bench/bench_hardware.h"
#include "tracer/bench/bench_kernels.h"
#include "tracer/bench/bench_paper.h"
#include "tracer/bench/bench_record.h"
#include "tracer/bench/bench_rungs.h"
#include "tracer/bench/bench_trace.h"
#include "tracer/cuda/cuda_access_log.h"
#include "tracer/file/trace_file.h"
#include "viewer/control/viewer_bench.h"
#include "viewer/panels/cards/roofline.h"
#include "viewer/render/render.h"
#include "viewer/scene/theme.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace twiddle::cli {
namespace {

struct BenchOptions : RunOptions {
  std::string name, file;
  float width = 1440, height = 900;
  bool json = false;
  TraceBenchOptions bench;
  bool small = false, csv = false, twiddles = false, untraced = false;
  KernelBenchOptions kernels;
  std::vector<std::string> names;  // of the bench, and after kernels of algorithms
  std::string library, picture;
  std::string recorded;  // what a process of bench record runs
};

const std::vector<std::string>& benches() {
  static const std::vector<std::string> names = {"trace", "access", "record", "kernels", "hardware", "paper", "viewer"};
  return names;
}

// An option of one bench given to another would do nothing: it is refused.
void refuse_foreign_options(const CLI::App& verb, const std::string& bench) {
  static const std::map<std::string, std::vector<std::string>> takes = {
      {"trace", {"--n", "--printf-n", "--group-size", "--passes"}},
      {"access", {"--n", "--passes"}},
      {"record", {"--n", "--passes", "--program"}},
      {"kernels", {"--n", "--rows", "--passes", "--csv", "--twiddles", "--family", "--library", "--picture"}},
      {"hardware", {"--n", "--untraced"}},
      {"paper", {"--small", "--passes"}},
      {"viewer", {"--n", "--file", "--size"}}};
  const std::vector<std::string>& own = takes.at(bench);
  for (const CLI::Option* given : options_of(verb)) {
    const std::string option = "--" + given->get_lnames().front();
    const bool used = given->count() > 0 && (given->get_items_expected_max() > 0 || given->as<bool>());  // not =false
    if (used && std::find(own.begin(), own.end(), option) == own.end())
      for (const auto& [name, list] : takes)
        if (std::find(list.begin(), list.end(), option) != list.end())
          throw usage_error("twiddle bench {} has no option {}; it belongs to bench {}", bench, option, name);
  }
}

/// Of a trace that is there, or of an FFT traced for it.
std::string viewer_measured(const BenchOptions& options, const Progress& progress) {
  std::optional<TemporaryFolder> folder;
  std::filesystem::path file = options.file;
  if (file.empty()) {
    folder.emplace();
    file = folder->path() / "bench.twd";
    RunOptions run;
    run.request.algorithm = "fft-radix2";
    run.request.n = options.bench.n;
    run.request.signal = "random:1";
    run.runtime = options.runtime, run.device = options.device;
    trace_to_file(requested_plan(run), run, file);
  }
  Document document(TraceReader::open(file));
  const ViewerBench result = bench_viewer(document, progress, options.width, options.height);
  return options.json ? bench_json(result) : bench_text(result);
}

// Sizes and passes that suit processes which are interpreted, unless others are asked for.
std::string record_measured(const CLI::App& verb, const BenchOptions& options, const Progress& progress) {
  if (options.runtime != "auto" && options.runtime != "opencl")
    throw usage_error("bench record measures OpenCL programs; --runtime {} does not go with it", options.runtime);
  if (!options.recorded.empty()) return run_benched_program(options.recorded, options.device);
  RecordBenchOptions record;
  if (verb.count("--n") > 0) record.n = options.bench.n;
  if (verb.count("--passes") > 0) record.passes = options.bench.passes;
  record.device = options.device;
  record.program = program_file().string();
  const RecordBench result = bench_record(record, progress);
  return options.json ? bench_json(result) : bench_text(result);
}

std::string kernels_measured(const BenchOptions& options, const Progress& progress) {
  KernelBenchOptions kernels = options.kernels;
  kernels.n = options.bench.n;
  kernels.samples = std::max(options.bench.passes, 1);
  kernels.twiddles = options.twiddles;
  kernels.rungs.assign(options.names.begin() + 1, options.names.end());
  for (const std::string& family : kernels.families)
    if (family != "fft" && family != "fft2d" && family != "sum" && family != "histogram")
      throw usage_error("--family takes fft, fft2d, sum or histogram, not '{}'", family);
  if (!options.library.empty()) {
    if (kernels.families.size() > 1) throw usage_error("--library measures one --family");
    LibraryProblem problem{kernels.families.empty() ? "fft" : kernels.families[0], kernels.n, kernels.rows};
    if (kernels.rungs.size() > 1) throw usage_error("--library measures the problem of one algorithm");
    if (!kernels.rungs.empty()) {
      const Request rung = request_of_rung(kernels.rungs[0]);
      problem.family = family_of(rung.algorithm);
      if (!rung.type.empty()) problem.type = rung.type;
      if (!rung.signal.empty()) problem.signal = rung.signal;
    }
    problem.samples = kernels.samples;
    problem.device = std::max(options.device, 0);
    if (options.runtime != "auto") problem.runtime = options.runtime;
    const std::vector<LibraryTime> times = time_library(options.library, problem);
    return library_json(times);
  }
  kernels.program = program_file().string();
  const std::unique_ptr<Runtime> runtime = requested_runtime(options);
  const KernelBench result = bench_kernels(*runtime, kernels, progress);
  if (!options.picture.empty()) {
    constexpr float width = 1000, min_height = 560;
    const RooflineInput input{result};
    write_file(options.picture, to_svg(roofline_scene(input, width, std::max(min_height, roofline_height(input))),
                                       theme(ThemeName::Light)));
  }
  return options.csv ? bench_csv(result) : options.json ? bench_json(result) : bench_text(result);
}

std::string hardware_measured(const CLI::App& verb, const BenchOptions& options, const Progress& progress) {
  HardwareBenchOptions hardware;
  if (verb.count("--n") > 0) hardware.n = options.bench.n;
  hardware.rungs.assign(options.names.begin() + 1, options.names.end());
  hardware.program = program_file().string();
  RunOptions run = static_cast<const RunOptions&>(options);
  if (run.runtime == "auto") run.runtime = "cuda";
  const std::unique_ptr<Runtime> runtime = requested_runtime(run);
  if (options.untraced) {
    run_for_counters(*runtime, hardware);
    return "run\n";
  }
  const HardwareBench result = bench_hardware(*runtime, hardware, progress);
  return options.json ? bench_json(result) : bench_text(result);
}

std::string measured(const CLI::App& verb, const BenchOptions& options, const Progress& progress) {
  if (options.name == "viewer") return viewer_measured(options, progress);
  if (options.name == "record") return record_measured(verb, options, progress);
  if (options.name == "kernels") return kernels_measured(options, progress);
  if (options.name == "hardware") return hardware_measured(verb, options, progress);
  // What the recorder's patches cost where nothing is logged is part of a plain launch's time then.
  if (options.name == "access" && options.runtime == "cuda") want_cuda_access_log();
  const std::unique_ptr<Runtime> runtime = requested_runtime(options);
  if (options.name == "paper") {
    const PaperBench result = bench_paper(*runtime, {options.small, options.bench.passes}, progress);
    return options.json ? paper_json(result) : paper_text(result);
  }
  if (options.name == "access") {
    const AccessBench result = bench_access(*runtime, {options.bench.n, options.bench.passes}, progress);
    return options.json ? bench_json(result) : bench_text(result);
  }
  const TraceBench result = bench_trace(*runtime, options.bench, progress);
  return options.json ? bench_json(result) : bench_text(result);
}

int bench(const CLI::App& verb, BenchOptions& options) {
  options.name = options.names.empty() ? "" : options.names[0];
  if (std::find(benches().begin(), benches().end(), options.name) == benches().end())
    throw usage_error("there is no bench '{}'{}", options.name,
                      did_you_mean(options.name, benches(),
                                   Message("; there are trace, access, record, kernels, hardware, paper and viewer")));
  if (options.names.size() > 1 && options.name != "kernels" && options.name != "hardware")
    throw usage_error("twiddle bench {} takes no '{}'", options.name, options.names[1]);
  refuse_foreign_options(verb, options.name);
  need_one_schedule(options, "bench");
  InterruptGuard guard;
  ProgressBar bar;
  std::string text = measured(verb, options, [&](double fraction, const Message& what) {
    bar.show(fraction, what.english());
    return !InterruptGuard::asked();
  });
  bar.clear();
  if (InterruptGuard::asked()) throw Interrupted("interrupted before everything was measured");
  if (!text.ends_with('\n')) text += '\n';
  print(text);
  return 0;
}

}  // namespace

void add_bench(Program& program) {
  constexpr std::uint64_t any_rows = std::uint64_t(1) << 24;
  const auto options = std::make_shared<BenchOptions>();
  CLI::App& verb = program.verb(
      "bench", "Measure what tracing costs, how fast kernels are beside libraries, or what frames cost",
      "trace: an FFT without a log, with one at both levels of detail, the bytes a butterfly on the device and in the "
      "file, and the same run with printf in the kernel. access: kernels of the catalogue with every access logged, "
      "beside what they take without, the bytes an access in the file, and how fast operations are found in them. "
      "record: OpenCL programs, clFFT's among them, plain, under twiddle record and under Oclgrind, where these are "
      "installed. kernels: what every rung of the ladders takes without a log, beside the libraries that are installed "
      "(cuFFT, CUB, VkFFT, clFFT, FFTW) and beside a copy of the bytes that it moves. hardware: what every kernel of "
      "the catalogue asks of memory as the log has it, "
      "beside what the GPU's own counters say, which Nsight Compute's ncu reads. paper: the published figures of the "
      "histogram, of the ladder of reductions, of radix 2 against radix 4 and of packing real points, beside what they "
      "are on this device, and where it has changed the answer. viewer: frames at all zooms, seeks and the first "
      "frame, of every view of a trace, without a display.",
      [&program, options] { return bench(*program.app().get_subcommand("bench"), *options); });
  program.complete(
      verb.add_option("NAME", options->names,
                      "what to measure: trace, access, record, kernels, hardware, paper or viewer; behind kernels and "
                      "hardware the algorithms, as ALGORITHM:NAME=VALUE,NAME=VALUE (all without any)")
          ->required()
          ->type_name(""),
      {benches(), false, {}});
  add_whole(verb, "--rows", "R", "kernels: transforms of N points in a batch (one transform), rows of fft2d (N)", 0,
            any_rows, options->kernels.rows);
  program.complete(verb.add_option("--family", options->kernels.families,
                                   "kernels: fft, fft2d, sum or histogram alone, several with commas")
                       ->type_name("F")
                       ->delimiter(','),
                   {{"fft", "fft2d", "sum", "histogram"}, false, {}});
  program.complete(
      add_text(verb, "--library", "L", "kernels: measure this library alone: cufft, cub, vkfft, clfft or fftw; as JSON",
               options->library),
      {{"cufft", "cub", "vkfft", "clfft", "fftw"}, false, {}});
  add_text(verb, "--program", "P", "record: run this one, as NAME:SIZE, and print its time, as JSON",
           options->recorded);
  add_text(verb, "--picture", "FILE", "kernels: write a roofline, as SVG", options->picture);
  add_switch(verb, "--csv", "kernels: as CSV, a line a rung", options->csv);
  add_switch(verb, "--untraced", "hardware: only run the kernels, for a profiler to count", options->untraced);
  add_switch(verb, "--twiddles", "kernels: each transform with every way of getting twiddles", options->twiddles);
  program.complete(
      add_text(verb, "--file", "FILE", "viewer: this trace (an FFT of N points without it)", options->file),
      trace_completion());
  add_size_option(verb, "viewer: the window's pixels (1440x900)", options->width, options->height);
  add_switch(verb, "--json", "as JSON", options->json);
  constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
  add_whole(verb, "--n", "N", "trace, access, viewer: points (1048576); record: points (4096); hardware: points (1024)",
            2, any, options->bench.n);
  add_whole(verb, "--printf-n", "N", "trace: points of the run with printf (8192; 0 leaves it out)", 0, any,
            options->bench.printf_n);
  add_whole(verb, "--group-size", "G", "trace: work-items in a work-group (256)", 1, any, options->bench.group_size);
  verb.add_flag("--small", options->small, "paper: small sizes instead of the published ones, to try it out");
  add_whole(verb, "--passes", "P", "times that every kernel runs; the quickest counts (5; record: 3 processes)", 1,
            1000, options->bench.passes);
  add_runtime_options(program, verb, *options);
  add_host_options(program, verb, *options);
  program.example(verb, "twiddle bench trace --n 16777216 --runtime opencl", "What tracing 2^24 points costs on a GPU");
  program.example(verb, "twiddle bench kernels --n 16777216 --runtime cuda --family fft",
                  "Every transform of 2^24 points beside cuFFT");
  program.example(verb, "twiddle bench hardware fft-radix2 fft-registers",
                  "Sectors and bank passes as the log counts them, and as the GPU does");
  program.example(verb, "twiddle bench paper", "Published figures beside this device's");
  program.example(verb, "twiddle bench viewer --n 65536",
                  "What frames, seeks and zooms cost on a trace of 2^16 points");
}

}  // namespace twiddle::cli
