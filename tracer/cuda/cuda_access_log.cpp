#include "tracer/cuda/cuda_access_log.h"

#include "base/error.h"
#include "base/paths.h"
#include "base/temporary_folder.h"
#include "tracer/cuda/log/cuda_log.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

constexpr const char* injection_variable = "CUDA_INJECTION64_PATH";
constexpr const char* log_bytes = "536870912";

// The recorder in this process. One for all Runtimes: the driver loads it once.
struct RecorderState {
  bool wanted = false, started = false;
  Message why_not;
  fs::path library;
  std::optional<TemporaryFolder> folder;  // to the end of the process
  std::optional<CudaLog> log;             // what was read of it
  int (*log_next)(std::uint64_t, std::uint64_t) = nullptr;
  void (*flush)() = nullptr;
  std::size_t launches_read = 0;  // of the log: those before were asked for earlier
};

RecorderState& recorder() {
  static RecorderState state;
  return state;
}

// Beside the program, or where libraries are installed.
fs::path recorder_library() {
  const fs::path here = program_file().parent_path();
  for (const fs::path& folder : {here, here.parent_path() / "lib" / "twiddle"}) {
    std::error_code ignored;
    if (fs::exists(folder / "libtwiddle-cuda.so", ignored)) return folder / "libtwiddle-cuda.so";
  }
  return {};
}

// What was read is of no more use, and gives its room back: the files go on where they are.
void forget_read(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".bin" || entry.file_size(ignored) == 0) continue;
    const int file = open(entry.path().c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) continue;
    // A file system that cannot do it keeps the bytes until the end.
    (void)fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(entry.file_size(ignored)));
    close(file);
  }
}

// Empty when the driver can be told of the recorder.
Message prepare_recorder(RecorderState& state) {
  if (std::getenv(injection_variable))
    return Message("another tool watches this process ({} is set)", injection_variable);
  state.library = recorder_library();
  if (state.library.empty()) return Message("libtwiddle-cuda.so is not beside the program");
  void* library = dlopen(state.library.c_str(), RTLD_NOW);
  if (!library) return Message("{} cannot be loaded", state.library.string());
  const auto prepare = reinterpret_cast<int (*)(char*, std::size_t)>(dlsym(library, "twiddle_cuda_prepare"));
  state.log_next = reinterpret_cast<int (*)(std::uint64_t, std::uint64_t)>(dlsym(library, "twiddle_cuda_log_next"));
  state.flush = reinterpret_cast<void (*)()>(dlsym(library, "twiddle_cuda_flush"));
  if (!prepare || !state.log_next || !state.flush) return Message("{} is of another version", state.library.string());
  std::array<char, 1024> reason{};
  if (prepare(reason.data(), reason.size()) == 0) return Message::verbatim(reason.data());
  state.folder.emplace(TemporaryFolder::Held{"cuda"});
  return {};
}

}  // namespace

void want_cuda_access_log() { recorder().wanted = true; }

void drop_cuda_access_log() { recorder().folder.reset(); }

namespace cuda {

RecorderAtStart::RecorderAtStart() {
  RecorderState& state = recorder();
  state.started = true;
  if (!state.wanted) return;
  try {
    state.why_not = prepare_recorder(state);
  } catch (const Error& error) { state.why_not = error.message(); }
  if (!state.why_not.empty()) return;
  setenv(injection_variable, state.library.c_str(), 1);
  setenv("TWIDDLE_RECORD_DIR", state.folder->path().c_str(), 1);
  setenv("TWIDDLE_RECORD_ASKED", "1", 1);
  setenv("TWIDDLE_RECORD_LOG_BYTES", log_bytes, 1);
}

// Programs that this one starts are none of the recorder's business.
RecorderAtStart::~RecorderAtStart() {
  const RecorderState& state = recorder();
  if (!state.wanted || !state.why_not.empty()) return;
  for (const char* name :
       {injection_variable, "TWIDDLE_RECORD_DIR", "TWIDDLE_RECORD_ASKED", "TWIDDLE_RECORD_LOG_BYTES"})
    unsetenv(name);
}

Message why_no_access_log() {
  const RecorderState& state = recorder();
  if (!state.why_not.empty()) return state.why_not;
  if (!state.wanted || !state.started) return Message("the driver was started without what logs accesses");
  return {};
}

void log_next_launch(std::uint64_t first_item, std::uint64_t end_item) {
  if (!recorder().log_next || recorder().log_next(first_item, end_item) == 0)
    throw no_device("NVIDIA's driver did not load {}", recorder().library.string());
}

RawAccesses take_logged_launch(std::uint64_t first_item, std::uint64_t items, const std::vector<AccessRange>& memory) {
  RecorderState& state = recorder();
  state.flush();
  const fs::path folder = state.folder->path();
  if (state.log)
    state.log->update();
  else
    state.log.emplace(folder);
  CudaLog& log = *state.log;
  if (!log.unavailable().empty()) throw no_device("The launch's accesses were not logged: {}", log.unavailable());
  std::size_t launch = log.launches().size();
  while (launch > state.launches_read && !log.launches()[launch - 1].recorded) --launch;
  if (launch == state.launches_read) {
    if (log.failures().empty()) throw no_device("The launch's accesses were not logged.");
    throw no_device("The launch's accesses were not logged: {}", log.failures().back());
  }
  state.launches_read = log.launches().size();
  RawAccesses raw = log.accesses(launch - 1, first_item, items, &memory);
  log.forget_records();
  forget_read(folder);
  return raw;
}

}  // namespace cuda
}  // namespace twiddle
