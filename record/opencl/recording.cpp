#include "record/opencl/recording.h"

#include "base/read_file.h"
#include "base/values/environment.h"
#include "tracer/record/folder_watch.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <fcntl.h>
#include <fnmatch.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace twiddle::layer {
namespace {

constexpr std::uintmax_t max_settings = 1 << 20;
constexpr auto max_waiting = std::chrono::seconds(60);  // for the recorder's word about a launch

}  // namespace

Recording* Recording::get() {
  // Never freed: programs launch kernels while they end, too. A process that was forked begins one of its own.
  static Recording* recording = nullptr;
  static pid_t owner = 0;
  if (owner == getpid()) {
    if (recording && !recording->recorder_lives()) recording = nullptr;
    return recording;
  }
  owner = getpid();
  recording = nullptr;
  const std::string folder = environment("TWIDDLE_RECORD_DIR");
  if (folder.empty()) return nullptr;
  try {
    RecordSettings settings = read_record_settings(read_file(fs::path(folder) / "settings", max_settings));
    recording = new Recording(folder, std::move(settings));
    if (!recording->counts_ || !recording->recorder_lives()) recording = nullptr;
  } catch (const std::exception&) { recording = nullptr; }
  return recording;
}

Recording::Recording(fs::path folder, RecordSettings settings)
    : top_(folder), folder_(folder / ("p" + std::to_string(getpid()))), settings_(std::move(settings)) {
  std::error_code ignored;
  fs::create_directory(folder_, ignored);
  constexpr std::size_t bytes = sizeof(RecordCounts);
  const int descriptor = open((folder_ / "counts").c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) return;
  if (ftruncate(descriptor, bytes) == 0) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory != MAP_FAILED) counts_ = static_cast<std::uint64_t*>(memory);
  }
  close(descriptor);
}

// The recorder holds a lock for as long as it lives.
bool Recording::recorder_lives() const {
  const int descriptor = open((top_ / "recorder").c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool free = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  close(descriptor);
  return !free;
}

void Recording::count(RecordCounts::What what, std::uint64_t more) { counts_[what] += more; }

bool Recording::wanted(std::uint64_t launch, const std::string& kernel) const {
  if (launch < settings_.first_launch || launch > settings_.last_launch) return false;
  return settings_.kernels.empty() ||
         std::any_of(settings_.kernels.begin(), settings_.kernels.end(),
                     [&](const std::string& pattern) { return fnmatch(pattern.c_str(), kernel.c_str(), 0) == 0; });
}

int Recording::write(const RawProgram& program) {
  RawFileWriter file(folder_ / ("program-" + std::to_string(programs_ + 1)));
  file.add("head", text_of(program));
  return file.keep() ? ++programs_ : -1;
}

RawProbes Recording::wanted_probes(const fs::path& launch_file) const {
  const fs::path file = file_beside(launch_file, "probe");
  if (!await_file(file, max_waiting, [&] { return !recorder_lives(); })) return {};
  RawProbes probes = read_raw_probes(RawFile(file).text("head"));
  std::error_code ignored;
  fs::remove(file, ignored);
  return probes;
}

fs::path Recording::next_launch_file() {
  using namespace std::chrono_literals;
  for (;; std::this_thread::sleep_for(5ms)) {
    std::uint64_t waiting = 0;
    std::error_code failed;
    for (fs::directory_iterator at(folder_, failed), end; !failed && at != end; at.increment(failed)) {
      std::error_code gone;
      const std::uintmax_t bytes = fs::file_size(at->path(), gone);
      if (!gone) waiting += bytes;
    }
    if (waiting <= settings_.waiting_bytes || !recorder_lives()) break;
  }
  count(RecordCounts::Files);
  return folder_ / ("launch-" + std::to_string(++files_));
}

BegunLaunch::BegunLaunch(const fs::path& launch_file, const RawLaunch& launch)
    : file_(file_beside(launch_file, "begun")) {
  RawFileWriter file(file_);
  file.add("head", text_of(launch));
  file.keep();
}

BegunLaunch::~BegunLaunch() {
  std::error_code ignored;
  fs::remove(file_, ignored);
}

}  // namespace twiddle::layer
