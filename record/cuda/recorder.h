// What happens on the host while a program is recorded: its modules are patched, its launches handed the log, and the log is
// fetched when the program has waited for its launches.
//
// All of it is called from the Sanitizer's callbacks, inside of the program's own calls, where CUDA's API must not be used.
#pragma once

#include "record/cuda/cubin_symbols.h"
#include "record/cuda/log_folder.h"
#include "record/cuda/sanitizer_api.h"
#include "record/cuda/settings.h"

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace twiddle_cuda {

/// What a kernel was launched with, as the program's call gave it to the driver.
struct Arguments {
  void* const* parameters = nullptr;  // a pointer to each of its arguments, or
  const char* packed = nullptr;       // all of them in one piece
  std::size_t packed_bytes = 0;
  std::uint32_t shared_bytes = 0;  // dynamic shared memory
  bool cooperative = false;
};

class Recorder {
 public:
  Recorder(const Sanitizer& api, const Settings& settings, LogFolder& folder, std::string patches)
      : api_(api), settings_(settings), folder_(folder), patches_(std::move(patches)) {}

  /// `program`: the number of NVRTC's that it is of, where that is known; else 0.
  void module_loaded(const ModuleData& data, int program);
  void module_unloading(const ModuleData& data);
  void memory_allocated(const MemoryData& data, bool host);
  void memory_freed(const MemoryData& data);
  void copied(const MemcpyData& data);
  void filled(const MemsetData& data);
  /// `graph`: the stream that the launch's graph runs on; null: the launch's own. `arguments`: null where they are not known.
  void launch_begins(const LaunchData& data, StreamId graph, const Arguments* arguments);
  void launch_ends(const LaunchData& data);
  /// Before the launches of a graph, which run without a chance to fetch the log between them.
  void graph_begins(Context context);
  void stream_synchronized(const StreamData& data);
  void context_synchronized(Context context);
  void stream_ends(const StreamData& data);
  void context_ends(Context context);
  /// The program ends: what is still on devices is fetched.
  void program_ends();
  /// Where launches are recorded that were asked for: the next one is, the items [first_item, end_item) of it.
  void ask_for_next(std::uint64_t first_item, std::uint64_t end_item);

 private:
  struct Launch {
    std::uint64_t number = 0, grid_id = 0, threads = 0;
    StreamId stream = nullptr;
    bool done = false;
  };
  // What is on a device for a context.
  struct Log {
    LogHead* head = nullptr;  // on the device, as are the next two
    char* records = nullptr;
    LaunchCounts* counts = nullptr;
    std::uint64_t capacity = 0;
    char* staging = nullptr;  // pinned: pieces on their way to files
    std::vector<bool> staged;
    LogHead host_head{};
    int number = 0;  // in events
    bool patched = false, usable = true;
    std::vector<Launch> pending;  // launched since the last drain
    std::uint64_t pending_threads = 0;
    double bytes_per_thread = 2048;  // of the launches before; a guess before the first
  };
  struct Code {
    int number = 0;
    std::vector<std::string> device_functions;  // with addresses of their own, which no launch names
    std::set<std::string> located;              // functions whose addresses are in the events
    std::map<std::string, std::vector<Parameter>> parameters;
  };

  bool ok(int result, const char* what);
  bool prepare(Context context, Log& log, StreamId stream);
  bool take_asked(Context context, Log& log, StreamId stream);
  static std::string arguments_text(const Code& code, const std::string& kernel, const Arguments* arguments);
  void locate(Module module, Code& code, const std::string& name, bool kernel);
  void wait_for_pending(Log& log);
  void drain(Log& log, StreamId stream);
  void drain_if_done(Log& log, StreamId stream);
  void write_counts(Log& log, StreamId stream);
  std::size_t free_stage(Log& log);

  const Sanitizer& api_;
  Settings settings_;
  LogFolder& folder_;
  const std::string patches_;
  // The Sanitizer may call back while it is called, on the same thread.
  std::recursive_mutex lock_;
  std::map<Context, Log> logs_;
  std::map<Module, Code> code_;
  std::mutex stages_lock_;
  std::condition_variable stage_free_;
  std::uint64_t launches_ = 0, log_at_ = 0;
  int modules_ = 0, numbered_logs_ = 0;
  bool asked_ = false;  // for the next launch
  std::set<std::string> complaints_;
};

}  // namespace twiddle_cuda
