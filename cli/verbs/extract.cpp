// `twiddle extract`: one launch of a trace as a plan of its own, with its source, its arguments and what was in its buffers.
#include "base/error.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/plan_files.h"
#include "cli/verbs.h"
#include "kernels/plan/plan_text.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/replay.h"
#include "tracer/trace/outside.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace fs = std::filesystem;

namespace twiddle::cli {
namespace {

struct ExtractOptions {
  std::string file, launch, folder;
};

// What a buffer's argument of a recorded launch names: a whole memory object, or what is in it from an offset on (bytes).
struct MemoryPart {
  std::size_t buffer = 0;
  std::uint64_t offset = 0;
  bool operator==(const MemoryPart&) const = default;
};

// "x", or "x + 64" of a part.
std::optional<MemoryPart> memory_part(const TraceInfo& info, std::string_view text) {
  MemoryPart part;
  const std::size_t plus = text.find(" + ");
  if (plus != std::string_view::npos) {
    const std::string_view digits = text.substr(plus + 3);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), part.offset);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return {};
    text = text.substr(0, plus);
  }
  const int buffer = info.buffer_named(text);
  if (buffer < 0) return {};
  part.buffer = static_cast<std::size_t>(buffer);
  return part;
}

// "params:0x0400000000002041": a struct of the program's own, as numbers of the same bytes.
std::optional<StructArgument> raw_argument(std::string_view text) {
  const std::size_t mark = text.find(":0x");
  if (mark == std::string_view::npos) return {};
  const std::string_view digits = text.substr(mark + 3);
  const std::optional<std::vector<std::byte>> bytes = bytes_in_hex(digits);
  if (!bytes || bytes->empty() || bytes->size() > max_argument_bytes) return {};
  StructArgument argument;
  const ElementType type = bytes->size() % 4 == 0 ? ElementType::UInt : ElementType::UChar;
  for (std::size_t at = 0; at < bytes->size(); at += traits(type).bytes) {
    ScalarArgument member{type, {}};
    std::memcpy(member.bits.data(), bytes->data() + at, traits(type).bytes);
    argument.members.push_back(member);
  }
  return argument;
}

class Extraction {
 public:
  Extraction(std::shared_ptr<const TraceReader> trace, int launch)
      : trace_(std::move(trace)), info_(trace_->info()), launch_(*info_.launch(launch)) {
    if (info_.detail == Detail::Index)
      throw usage_error("{} holds no values (--detail index): what was in the buffers is not known", file());
    if (from_outside(launch_))
      throw usage_error("launch {} is no kernel: it is what changed memory from outside", launch);
    if (launch_.offset != std::array<std::size_t, 3>{})
      throw usage_error("launch {}'s global ids count from {}, {}, {}, which a plan cannot say", launch,
                        launch_.offset[0], launch_.offset[1], launch_.offset[2]);
    if (const AccessTotals& accesses = launch_.accesses;
        info_.plan_toml.empty() && launch_.arguments.empty() && !accesses.logged && !accesses.reason.empty())
      throw usage_error("launch {} ({}) ran without being seen, so its arguments and memory are not known: {}", launch,
                        launch_.kernel, accesses.reason.english());
    own_ = info_.source(launch_.source);
    if (!own_ || own_->text.empty() || !names_kernel(own_->name))
      throw usage_error("{} has no source of kernel {}: a launch of closed code cannot be made a plan", file(),
                        launch_.kernel);
    if (info_.plan_toml.empty() && info_.runtime == "cuda" && launch_.arguments.empty())
      throw usage_error(
          "what launch {} ({}) of a recorded CUDA program was given is not known: it is of kernels that NVRTC "
          "compiled, "
          "where their text tells their parameters, but for launches of graphs",
          launch, launch_.kernel);
    if (info_.plan_toml.empty())
      read_recorded();
    else
      read_planned();
    plan_.title = Message("Launch {} of {}: {}", launch, fs::path(file()).filename().string(), launch_.kernel);
    plan_.launches.front().source = own_->name;
  }

  // The plan's file; what it needs beside it is there, too.
  fs::path write(const fs::path& folder) {
    std::error_code failed;
    fs::path plan = folder / (file_name(launch_.kernel) + ".toml");
    if (fs::exists(plan, failed))
      throw usage_error("{} is there already, and nothing of yours is overwritten; name another folder", plan.string());
    fs::create_directories(folder, failed);
    if (failed) throw usage_error("the folder {} could not be made: {}", folder.string(), failed.message());
    write_source(folder, *own_);  // first: no other of its name takes its place
    // What it may include: texts that are no launch's own.
    for (std::size_t s = 0; s < info_.sources.size(); ++s)
      if (std::none_of(info_.launches.begin(), info_.launches.end(),
                       [&](const LaunchInfo& launch) { return launch.source == static_cast<int>(s); }))
        write_source(folder, info_.sources[s]);
    fill_buffers(folder);
    const std::string extension = fs::path(own_->name).extension().string();
    write_file(plan, fmt::format("# twiddle check {}\n", plan.filename().string()) + to_toml(plan_, extension));
    read_plan_file(plan);
    return plan;
  }

  std::string report() const {
    std::string text = fmt::format("  {:<12}{}\n", "source", own_->name);
    for (const Buffer& buffer : plan_.buffers)
      text += fmt::format("  {:<12}{}, {} {}: {}\n", "buffer", buffer.name, grouped(buffer.count),
                          traits(buffer.type).name, content_text(buffer.content));
    if (!info_.filter.empty())
      text += fmt::format("  {:<12}the trace keeps {} only: buffers are as far as that explains them\n", "note",
                          info_.filter);
    if (!info_.complete) text += fmt::format("  {:<12}the trace was interrupted\n", "note");
    return text;
  }

 private:
  std::string file() const { return trace_->path().string(); }

  static std::string file_name(std::string name) {
    for (char& c : name)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
    return name;
  }

  // A launch of a plan: the plan says all but what the launches before it left in the buffers.
  void read_planned() {
    std::string text = info_.plan_toml;
    // Files of the plan are not in a trace, and what should come out in the end is not what comes out of one launch.
    if (const std::size_t expect = text.find("\n[expect]"); expect != std::string::npos) text.resize(expect + 1);
    for (std::size_t at = 0; (at = text.find("content = \"file:", at)) != std::string::npos; ++at)
      text.replace(at, text.find('\n', at) - at, "content = \"zero\"");
    const TemporaryFolder folder(ExitCode::usage, "the plan cannot be read");
    for (const SourceText& source : info_.sources) write_source(folder.path(), source);
    write_file(folder.path() / "plan.toml", text);
    plan_ = read_plan_file(folder.path() / "plan.toml");
    if (launch_.number > std::ssize(plan_.launches)) throw unreadable("{} has more launches than its plan", file());
    plan_.launches = {plan_.launches[static_cast<std::size_t>(launch_.number) - 1]};
    drop_unused_buffers(plan_);
    for (const Buffer& buffer : plan_.buffers) {
      const int number = info_.buffer_named(buffer.name);
      if (number < 0) throw unreadable("{} lacks the buffer {} of its plan", file(), buffer.name);
      from_.push_back({static_cast<std::size_t>(number), 0});
    }
  }

  // A launch of someone else's program: what the recorder noted of its arguments.
  void read_recorded() {
    if (launch_.arguments.empty())
      throw usage_error("{} does not say what launch {}'s arguments were", file(), launch_.number);
    plan_.signal = "ramp";
    Launch launch;
    launch.kernel = launch_.kernel;
    launch.label = launch_.label;
    launch.stage = launch_.stage;
    launch.global = launch_.global;
    launch.local = launch_.local;
    launch.dimensions = launch_.dimensions;
    launch.cooperative = launch_.cooperative;
    launch.options = own_->options;
    for (const std::string& text : launch_.arguments) launch.arguments.push_back(recorded_argument(text));
    plan_.launches = {std::move(launch)};
  }

  Argument recorded_argument(const std::string& text) {
    if (const auto part = memory_part(info_, text)) return buffer_argument(*part);
    if (text.ends_with(" = null")) return parse_argument(plan_, "null", {});
    if (text.ends_with(" = reached"))
      throw usage_error("launch {} reaches {} through pointers, which a plan cannot say: its memory is elsewhere",
                        launch_.number, text.substr(0, text.find(" = ")));
    if (text.ends_with(" = pointers"))
      throw usage_error("launch {} takes a struct with pointers in it ({}), of which a recording knows no members",
                        launch_.number, text.substr(0, text.find(" = ")));
    if (text.ends_with(" = elsewhere"))
      throw usage_error("launch {} was given a pointer ({}) to memory that is not in the recording", launch_.number,
                        text.substr(0, text.find(" = ")));
    if (text.find("image") == 0 || text.find("sampler_t") == 0)
      throw usage_error("launch {} takes an image ({}), whose texels are not recorded", launch_.number,
                        text.substr(0, text.find(':')));
    if (const auto raw = raw_argument(text)) return *raw;
    try {
      return parse_argument(plan_, text, {});
    } catch (const Error&) {
      throw usage_error("{} does not say what the argument {} of launch {} was", file(), text, launch_.number);
    }
  }

  // Two parts of one memory object would be two buffers of a plan, and no longer overlap.
  BufferArgument buffer_argument(const MemoryPart& part) {
    for (std::size_t b = 0; b < from_.size(); ++b) {
      if (from_[b] == part) return {b};
      if (from_[b].buffer == part.buffer)
        throw usage_error("launch {} takes several parts of {}, which a plan cannot say", launch_.number,
                          info_.buffers[part.buffer].name);
    }
    const BufferInfo& memory = info_.buffers[part.buffer];
    const std::uint64_t all = memory.count * traits(memory.type).bytes;
    if (part.offset >= all) throw unreadable("{} names a part past the end of {}", file(), memory.name);
    Buffer buffer;
    buffer.name = memory.name;
    buffer.type = part.offset % traits(memory.type).bytes == 0 ? memory.type : ElementType::UChar;
    buffer.count = (all - part.offset) / traits(buffer.type).bytes;
    buffer.shape = part.offset == 0 ? memory.shape : std::vector<std::uint64_t>{buffer.count};
    plan_.buffers.push_back(std::move(buffer));
    from_.push_back(part);
    return {plan_.buffers.size() - 1};
  }

  // What the launches before this one left, and what changed memory between them.
  State state_before() const {
    Replay replay(trace_);
    int segment = -1;
    while (segment + 1 < std::ssize(info_.segments) && info_.segments[segment + 1].launch < launch_.number) ++segment;
    State state = *replay.state_after(segment);
    for (int launch = segment < 0 ? 1 : info_.segments[segment].launch; launch < launch_.number; ++launch)
      trace_->for_each_patch(launch, [&](const TraceSource::Patch& patch) {
        const std::size_t size = traits(info_.buffers.at(patch.buffer).type).bytes;
        for (std::size_t e = 0; e < patch.elements.size(); ++e)
          state.write_bytes(patch.buffer, 0, std::uint64_t(patch.elements[e]) * size,
                            std::span(patch.bytes).subspan(e * size, size));
      });
    return state;
  }

  void fill_buffers(const fs::path& folder) {
    const State state = state_before();
    for (std::size_t b = 0; b < plan_.buffers.size(); ++b) {
      Buffer& buffer = plan_.buffers[b];
      std::vector<std::byte> bytes = state.bytes(static_cast<int>(from_[b].buffer));
      bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(from_[b].offset));
      bytes.resize(buffer.count * traits(buffer.type).bytes);
      buffer.content = {};
      if (std::all_of(bytes.begin(), bytes.end(), [](std::byte one) { return one == std::byte{}; })) {
        buffer.content.kind = Content::Kind::Zero;
      } else if (bytes.size() % 4 == 0 && is_uninitialised(bytes)) {
        buffer.content.kind = Content::Kind::Uninitialised;
      } else {
        buffer.content.kind = Content::Kind::File;
        buffer.content.file = file_name(buffer.name) + ".bin";
        write_file(folder / buffer.content.file, std::span<const std::byte>(bytes));
      }
    }
  }

  // Names in a file from elsewhere may be anything.
  static void write_source(const fs::path& folder, const SourceText& source) {
    const fs::path name(source.name);
    const bool inside =
        name.is_relative() && std::none_of(name.begin(), name.end(), [](const fs::path& part) { return part == ".."; });
    if (!inside || source.name.empty())
      throw unreadable("the trace names a source outside its folder, {}", source.name);
    std::error_code failed;
    if (fs::exists(folder / name, failed)) return;
    fs::create_directories((folder / name).parent_path(), failed);
    write_file(folder / name, std::string_view(source.text));
  }

  std::shared_ptr<const TraceReader> trace_;
  const TraceInfo& info_;
  const LaunchInfo& launch_;
  const SourceText* own_ = nullptr;
  Plan plan_;
  std::vector<MemoryPart> from_;  // for each of the plan's buffers: where it is in the trace
};

int extract(const ExtractOptions& options) {
  const std::shared_ptr<const TraceReader> trace = TraceReader::open(options.file);
  const auto launches = static_cast<std::uint64_t>(trace->info().launches.size());
  if (launches == 0) throw usage_error("{} has no launches", options.file);
  if (options.launch.empty() && launches > 1)
    throw usage_error("--launch L says which of the {} launches of {} is wanted; twiddle info lists them", launches,
                      options.file);
  const std::uint64_t launch = options.launch.empty() ? 1 : whole_number("--launch", options.launch, 1, launches);
  Extraction extraction(trace, static_cast<int>(launch));
  const fs::path plan = extraction.write(options.folder);
  print(fmt::format("{}: launch {} of {}\n{}twiddle check {}\n", plan.string(), launch, options.file,
                    extraction.report(), plan.string()));
  return 0;
}

}  // namespace

void add_extract(Program& program) {
  const auto options = std::make_shared<ExtractOptions>();
  CLI::App& verb = program.verb(
      "extract", "Make a launch of a trace a case of your own: a plan, its source, what was in its buffers",
      "The plan runs this one launch with the arguments that it had, on buffers as they were before it, to edit, "
      "shrink and run again. It works for recorded programs whose kernels come from source, and for every launch that "
      "twiddle trace has traced.",
      [options] { return extract(*options); });
  program.complete(add_text(verb, "FILE", "", "a trace (.twd)", options->file)->required(), trace_completion());
  add_text(verb, "--launch", "L", "which launch, from 1; not needed where there is one", options->launch);
  program.complete(
      add_text(verb, "-o,--output", "DIR", "the folder to write to; made when it is not there", options->folder)
          ->required(),
      {{}, true, {}});
  program.example(verb, "twiddle extract run.twd --launch 7 -o case", "Write the seventh launch as a plan into case/");
}

}  // namespace twiddle::cli
