#include "record/cuda/recorder.h"

#include <algorithm>
#include <utility>

namespace twiddle_cuda {
namespace {

constexpr std::size_t piece_bytes = stripe_bytes, stages = 8;
constexpr std::size_t max_argument_bytes = 4096;  // of a launch; those of more are not kept

// An instruction's number in the Sanitizer's API, and the patch for it.
struct Patch {
  int instruction;
  const char* name;
};
constexpr Patch patches_of_all[] = {
    {1, "twiddle_enter"},     {3, "twiddle_global"},    {4, "twiddle_shared"},    {6, "twiddle_barrier"},
    {7, "twiddle_syncwarp"},  {14, "twiddle_copy"},     {15, "twiddle_commit"},   {16, "twiddle_wait"},
    {8, "twiddle_count_8"},   {17, "twiddle_count_17"}, {13, "twiddle_count_13"}, {19, "twiddle_count_19"},
    {21, "twiddle_count_21"}, {22, "twiddle_count_22"}, {23, "twiddle_count_23"}, {26, "twiddle_count_26"},
    {27, "twiddle_count_27"}, {30, "twiddle_count_30"}, {32, "twiddle_count_32"}, {35, "twiddle_count_35"},
    {36, "twiddle_count_36"}, {37, "twiddle_count_37"}, {38, "twiddle_count_38"},
};

std::string number(std::uint64_t value) { return std::to_string(value); }
std::string three(const std::uint32_t (&values)[3]) {
  return "[" + number(values[0]) + "," + number(values[1]) + "," + number(values[2]) + "]";
}

}  // namespace

// Says once what went wrong; the program runs on.
bool Recorder::ok(int result, const char* what) {
  if (result == 0) return true;
  const std::string complaint = std::string(what) + ": " + api_.result_text(result);
  if (complaints_.insert(complaint).second) folder_.event("{\"failed\":" + quoted(complaint) + "}");
  return false;
}

void Recorder::module_loaded(const ModuleData& data, int program) {
  const std::lock_guard guard(lock_);
  Code& code = code_[data.module];
  code = {};
  code.number = ++modules_;
  const std::string file = "module-" + number(code.number) + ".cubin";
  folder_.file(file, data.cubin, data.cubin_bytes);
  folder_.event("{\"module\":" + number(code.number) + ",\"file\":" + quoted(file) + ",\"bytes\":" +
                number(data.cubin_bytes) + (program > 0 ? ",\"program\":" + std::to_string(program) + "}" : "}"));
  code.device_functions = device_functions(data.cubin, data.cubin_bytes);
  code.parameters = kernel_parameters(data.cubin, data.cubin_bytes);
  Log& log = logs_[data.context];
  if (!log.patched) {
    log.patched = true;
    log.usable =
        ok(api_.add_patches_from_file(patches_.c_str(), data.context), "the recorder's device code is not taken");
  }
  if (!log.usable) return;
  // An instruction that this GPU or toolkit does not have is no failure: there is none of it to log.
  for (const Patch& patch : patches_of_all)
    if (settings_.instructions.empty() || settings_.instructions.count(patch.instruction))
      api_.patch_instructions(patch.instruction, data.module, patch.name);
  ok(api_.patch_module(data.module), "a module cannot be patched");
}

void Recorder::module_unloading(const ModuleData& data) {
  const std::lock_guard guard(lock_);
  if (const auto at = logs_.find(data.context); at != logs_.end() && !at->second.pending.empty()) {
    wait_for_pending(at->second);
    drain(at->second, at->second.pending.back().stream);
  }
  code_.erase(data.module);
}

void Recorder::memory_allocated(const MemoryData& data, bool host) {
  folder_.event("{\"alloc\":" + number(data.address) + ",\"bytes\":" + number(data.bytes) + ",\"flags\":" +
                number(data.flags) + ",\"device\":" + std::to_string(data.device) + (host ? ",\"host\":true}" : "}"));
}

void Recorder::memory_freed(const MemoryData& data) { folder_.event("{\"free\":" + number(data.address) + "}"); }

void Recorder::copied(const MemcpyData& data) {
  folder_.event("{\"copy\":" + std::to_string(data.direction) + ",\"from\":" + number(data.from) +
                ",\"to\":" + number(data.to) + ",\"bytes\":" + number(data.bytes) + "}");
}

void Recorder::filled(const MemsetData& data) {
  folder_.event("{\"fill\":" + number(data.address) + ",\"bytes\":" +
                number(data.width * data.element_bytes * std::max<std::uint64_t>(data.height, 1)) + "}");
}

bool Recorder::prepare(Context context, Log& log, StreamId stream) {
  if (log.head || !log.usable) return log.usable;
  log.usable = false;
  void* memory = nullptr;
  if (!ok(api_.alloc(context, &memory, sizeof(LogHead)), "no memory on the device for the log")) return false;
  LogHead* head = static_cast<LogHead*>(memory);
  if (!ok(api_.alloc(context, &memory, count_slots * sizeof(LaunchCounts)), "no memory on the device for the log"))
    return false;
  log.counts = static_cast<LaunchCounts*>(memory);
  // The program has the first right to the memory: a smaller log is asked for where there is less.
  for (log.capacity = settings_.log_bytes & ~std::uint64_t(15); log.capacity >= 1 << 16; log.capacity /= 2) {
    if (api_.alloc(context, &memory, log.capacity) != 0) continue;
    log.records = static_cast<char*>(memory);
    break;
  }
  if (!log.records) return ok(7, "no memory on the device for the log");
  if (!ok(api_.alloc_host(context, &memory, piece_bytes * stages), "no pinned memory for the log")) return false;
  log.staging = static_cast<char*>(memory);
  log.staged.assign(stages, false);
  log.host_head = {0, log.capacity,     log.records, log.counts, settings_.first_item, settings_.end_item,
                   0, !settings_.values};
  if (!ok(api_.memset(log.counts, 0, count_slots * sizeof(LaunchCounts), stream), "the log's memory cannot be set") ||
      !ok(api_.memcpy_host_to_device_async(head, &log.host_head, sizeof(LogHead), stream),
          "the log cannot be set up") ||
      !ok(api_.stream_synchronize(stream), "the log cannot be set up"))
    return false;
  log.head = head;
  log.number = ++numbered_logs_;
  return log.usable = true;
}

void Recorder::ask_for_next(std::uint64_t first_item, std::uint64_t end_item) {
  const std::lock_guard guard(lock_);
  asked_ = true;
  settings_.first_item = first_item;
  settings_.end_item = end_item;
}

// Whether this launch is the one that was asked for; its items are told to the device then.
bool Recorder::take_asked(Context context, Log& log, StreamId stream) {
  if (!settings_.asked) return prepare(context, log, stream);
  if (!std::exchange(asked_, false) || !prepare(context, log, stream)) return false;
  std::uint64_t items[2] = {settings_.first_item, settings_.end_item};
  if (log.host_head.first_item == items[0] && log.host_head.end_item == items[1]) return true;
  log.host_head.first_item = items[0];
  log.host_head.end_item = items[1];
  return ok(api_.memcpy_host_to_device_async(&log.head->first_item, items, sizeof items, stream),
            "the log cannot be set up") &&
         ok(api_.stream_synchronize(stream), "the log cannot be set up");
}

// Where a function is on the device: what the records' addresses of instructions are counted from.
void Recorder::locate(Module module, Code& code, const std::string& name, bool kernel) {
  if (!code.located.insert(name).second) return;
  std::uint64_t pc = 0, bytes = 0;
  if (api_.get_function_pc_and_size(module, name.c_str(), &pc, &bytes) != 0) return;
  folder_.event("{\"function\":" + quoted(name) + ",\"module\":" + std::to_string(code.number) +
                ",\"pc\":" + number(pc) + ",\"bytes\":" + number(bytes) + (kernel ? ",\"kernel\":true}" : "}"));
}

// What the event of a launch says of its arguments: the bytes of each in hexadecimal digits.
std::string Recorder::arguments_text(const Code& code, const std::string& kernel, const Arguments* arguments) {
  if (!arguments) return "";
  std::string text;
  if (arguments->shared_bytes) text += ",\"shared\":" + number(arguments->shared_bytes);
  if (arguments->cooperative) text += ",\"cooperative\":true";
  const auto at = code.parameters.find(kernel);
  if (at == code.parameters.end()) return text;
  std::size_t bytes = 0;
  for (const Parameter& parameter : at->second) bytes += parameter.bytes;
  if (bytes > max_argument_bytes) return text;
  text += ",\"arguments\":[";
  for (std::size_t i = 0; i < at->second.size(); ++i) {
    const Parameter& parameter = at->second[i];
    const bool packed = arguments->packed && parameter.offset + parameter.bytes <= arguments->packed_bytes;
    const char* value = packed                  ? arguments->packed + parameter.offset
                        : arguments->parameters ? static_cast<const char*>(arguments->parameters[i])
                                                : nullptr;
    text += i ? ",\"" : "\"";
    for (std::size_t b = 0; value && b < parameter.bytes; ++b) {
      constexpr char digits[] = "0123456789abcdef";
      text += digits[static_cast<unsigned char>(value[b]) >> 4];
      text += digits[static_cast<unsigned char>(value[b]) & 15];
    }
    text += '"';
  }
  return text + "]";
}

void Recorder::launch_begins(const LaunchData& data, StreamId graph, const Arguments* arguments) {
  const std::lock_guard guard(lock_);
  Log& log = logs_[data.context];
  Launch launch;
  launch.number = ++launches_;
  launch.grid_id = data.grid_id;
  launch.stream = graph ? graph : data.stream_id;
  launch.threads = 1;
  for (int axis = 0; axis < 3; ++axis) launch.threads *= std::uint64_t(data.grid[axis]) * data.block[axis];
  const std::string name = data.name ? data.name : "";
  bool recorded = launch.number >= settings_.first_launch && launch.number <= settings_.last_launch &&
                  wanted(settings_, name) && take_asked(data.context, log, data.stream_id);
  if (recorded) {
    // Room for what this launch is going to log, as far as launches before it tell; and counts of its own.
    const double expected = double(log.pending_threads + launch.threads) * log.bytes_per_thread;
    if (!graph && !log.pending.empty() && (expected > double(log.capacity) || log.pending.size() + 1 >= count_slots)) {
      wait_for_pending(log);
      drain(log, data.stream_id);
    }
    recorded = ok(api_.set_launch_callback_data(data.launch, data.function, data.stream_id, log.head),
                  "a launch cannot be recorded");
    Code& code = code_[data.module];
    locate(data.module, code, name, true);
    for (const std::string& function : code.device_functions) locate(data.module, code, function, false);
  }
  folder_.event("{\"launch\":" + number(launch.number) + ",\"kernel\":" + quoted(name) +
                ",\"module\":" + std::to_string(code_[data.module].number) + ",\"grid\":" + three(data.grid) +
                ",\"block\":" + three(data.block) + ",\"cluster\":" + three(data.cluster) +
                ",\"stream\":" + number(reinterpret_cast<std::uintptr_t>(launch.stream)) +
                ",\"log\":" + std::to_string(log.number) + ",\"grid_id\":" + number(data.grid_id) +
                ",\"device\":" + std::to_string(data.device) + (graph ? ",\"graph\":true" : "") +
                arguments_text(code_[data.module], name, arguments) + (recorded ? "}" : ",\"recorded\":false}"));
  if (!recorded) return;
  log.pending.push_back(launch);
  log.pending_threads += launch.threads;
}

void Recorder::launch_ends(const LaunchData& data) {
  if (!settings_.each_launch) return;
  const std::lock_guard guard(lock_);
  Log& log = logs_[data.context];
  if (log.pending.empty()) return;
  wait_for_pending(log);
  drain(log, data.stream_id);
}

void Recorder::graph_begins(Context context) {
  const std::lock_guard guard(lock_);
  const auto at = logs_.find(context);
  if (at == logs_.end() || at->second.pending.empty()) return;
  wait_for_pending(at->second);
  drain(at->second, at->second.pending.back().stream);
}

void Recorder::stream_synchronized(const StreamData& data) {
  const std::lock_guard guard(lock_);
  const auto at = logs_.find(data.context);
  if (at == logs_.end()) return;
  for (Launch& launch : at->second.pending)
    if (launch.stream == data.id) launch.done = true;
  drain_if_done(at->second, data.id);
}

void Recorder::context_synchronized(Context context) {
  const std::lock_guard guard(lock_);
  const auto at = logs_.find(context);
  if (at == logs_.end() || at->second.pending.empty()) return;
  for (Launch& launch : at->second.pending) launch.done = true;
  drain_if_done(at->second, at->second.pending.back().stream);
}

void Recorder::stream_ends(const StreamData& data) {
  const std::lock_guard guard(lock_);
  const auto at = logs_.find(data.context);
  if (at == logs_.end()) return;
  Log& log = at->second;
  if (std::none_of(log.pending.begin(), log.pending.end(),
                   [&](const Launch& launch) { return launch.stream == data.id && !launch.done; }))
    return;
  wait_for_pending(log);
  drain(log, data.id);
}

void Recorder::context_ends(Context context) {
  const std::lock_guard guard(lock_);
  const auto at = logs_.find(context);
  if (at == logs_.end()) return;
  if (!at->second.pending.empty()) {
    wait_for_pending(at->second);
    drain(at->second, at->second.pending.back().stream);
  }
  folder_.flush();
  logs_.erase(at);  // its memory goes with the context
}

void Recorder::program_ends() {
  const std::lock_guard guard(lock_);
  for (auto& [context, log] : logs_) {
    if (log.pending.empty()) continue;
    wait_for_pending(log);
    drain(log, log.pending.back().stream);
  }
  folder_.flush();
  folder_.event("{\"end\":true,\"launches\":" + number(launches_) + ",\"bytes\":" + number(log_at_) + "}");
}

void Recorder::wait_for_pending(Log& log) {
  std::set<StreamId> waited;
  for (Launch& launch : log.pending) {
    if (!launch.done && waited.insert(launch.stream).second)
      ok(api_.stream_synchronize(launch.stream), "a launch did not end well");
    launch.done = true;
  }
}

void Recorder::drain_if_done(Log& log, StreamId stream) {
  if (log.pending.empty()) return;
  if (std::all_of(log.pending.begin(), log.pending.end(), [](const Launch& launch) { return launch.done; }))
    drain(log, stream);
}

std::size_t Recorder::free_stage(Log& log) {
  std::unique_lock guard(stages_lock_);
  std::size_t stage = 0;
  stage_free_.wait(guard, [&] {
    stage = std::find(log.staged.begin(), log.staged.end(), false) - log.staged.begin();
    return stage < stages;
  });
  log.staged[stage] = true;
  return stage;
}

// All pending launches are done: no one writes to the log now.
void Recorder::drain(Log& log, StreamId stream) {
  LogHead head{};
  if (!ok(api_.memcpy_device_to_host(&head, log.head, sizeof head, stream), "the log cannot be read")) {
    log.usable = false;
    log.pending.clear();
    return;
  }
  const std::uint64_t bytes = std::min(head.used, log.capacity);
  if (head.any_counts) write_counts(log, stream);
  // A launch that is just beginning is not among them.
  const std::uint64_t last = log.pending.empty() ? launches_ : log.pending.back().number;
  const std::string line = "{\"drain\":" + number(last) + ",\"log\":" + std::to_string(log.number) +
                           ",\"offset\":" + number(log_at_) + ",\"bytes\":" + number(bytes) + "}";
  // Pieces of one drain share this; the last to be written says so.
  const std::shared_ptr<void> whole(nullptr, [this, line](void*) {
    if (!folder_.failed()) folder_.event(line);
  });
  for (std::uint64_t at = 0; at < bytes; at += piece_bytes) {
    const std::uint64_t count = std::min<std::uint64_t>(piece_bytes, bytes - at);
    const std::size_t stage = free_stage(log);
    char* place = log.staging + stage * piece_bytes;
    if (!ok(api_.memcpy_device_to_host(place, log.records + at, count, stream), "the log cannot be read")) break;
    const std::shared_ptr<void> piece(nullptr, [this, whole, &log, stage](void*) {
      {
        const std::lock_guard guard(stages_lock_);
        log.staged[stage] = false;
      }
      stage_free_.notify_all();
    });
    folder_.write(place, count, log_at_ + at, piece);
  }
  log_at_ += bytes;
  ok(api_.memset(log.head, 0, sizeof head.used, stream), "the log cannot be emptied");
  ok(api_.stream_synchronize(stream), "the log cannot be emptied");
  if (log.pending_threads > 0) {
    const double each = double(std::max(head.used, std::uint64_t(1))) / double(log.pending_threads);
    log.bytes_per_thread = std::max(each, log.bytes_per_thread * 0.9);
  }
  log.pending.clear();
  log.pending_threads = 0;
}

void Recorder::write_counts(Log& log, StreamId stream) {
  std::vector<LaunchCounts> counts(count_slots);
  const std::size_t bytes = count_slots * sizeof(LaunchCounts);
  if (!ok(api_.memcpy_device_to_host(counts.data(), log.counts, bytes, stream), "the log cannot be read")) return;
  for (const Launch& launch : log.pending) {
    const LaunchCounts of = std::exchange(counts[launch.grid_id % count_slots], {});
    std::string unlogged;
    for (std::uint32_t i = 0; i + 1 < counted_instructions; ++i)
      if (of.unlogged[i]) unlogged += (unlogged.empty() ? "[" : ",[") + number(i) + "," + number(of.unlogged[i]) + "]";
    if (of.lost || !unlogged.empty())
      folder_.event("{\"counts\":" + number(launch.number) + ",\"lost\":" + number(of.lost) + ",\"unlogged\":[" +
                    unlogged + "]}");
  }
  ok(api_.memset(log.counts, 0, bytes, stream), "the log cannot be emptied");
  ok(api_.memset(&log.head->any_counts, 0, sizeof log.head->any_counts, stream), "the log cannot be emptied");
}

}  // namespace twiddle_cuda
