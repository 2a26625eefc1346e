// The recorder's side of a recording folder (raw_file.h): made, watched, and read as it fills.
#pragma once

#include "base/temporary_folder.h"
#include "tracer/opencl/twin/opencl_rewriter.h"
#include "tracer/record/folder_watch.h"
#include "tracer/record/raw_file.h"
#include "tracer/record/recorded_run.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace twiddle {

class WaitingLaunch;

class RecordingFolder {
 public:
  /// While this lives, what is loaded into the program knows that the recorder does. What a recorder that was killed left is
  /// removed. Throws Error (usage).
  explicit RecordingFolder(const RecordSettings& settings);
  ~RecordingFolder();
  RecordingFolder(const RecordingFolder&) = delete;
  RecordingFolder& operator=(const RecordingFolder&) = delete;
  const std::filesystem::path& path() const { return folder_.path(); }

  /// What a launch ran on.
  struct Where {
    std::string runtime, device, driver;
  };
  using Take = std::function<void(const Where& where, RecordedLaunch&& launch)>;
  /// Hands on the launches whose files have come since the last time, each process's in order, and removes their files.
  /// False: there were none. A file that is not what it should be is counted and left out.
  bool read(const Take& take);
  /// Returns when there may be something to read, or after so long.
  void wait(std::chrono::milliseconds longest) { watch_.wait(longest); }
  /// Another thread's wait ends now, or the next one at once.
  void wake() { watch_.wake(); }
  /// Hands on the launches that began, of processes that did not live to end them: no more files will come.
  void read_begun(const Take& take);

  struct Totals {
    RecordCounts counts;  // of all processes
    std::uint64_t processes = 0;
    std::uint64_t cut_short = 0;  // launches that their process did not live to end, or to begin, or that found no room
    std::uint64_t unreadable = 0;  // files
  };
  Totals totals() const;

 private:
  struct Program {
    Twin twin;
    std::vector<SourceText> sources;
  };
  struct Process {
    std::uint64_t next = 1;  // launch file
    std::uint64_t seen = 0;  // launches whose files came
    std::map<int, std::shared_ptr<const Program>> programs;
  };
  std::shared_ptr<const Program> program(const std::filesystem::path& folder, Process& process, int number);
  RecordedLaunch launch_in(const std::filesystem::path& folder, Process& process, std::uint64_t process_id,
                           const std::shared_ptr<WaitingLaunch>& waiting, const RawFile& file, Where& where);

  TemporaryFolder folder_;
  FolderWatch watch_;
  int lock_ = -1;
  int probes_ = 0;                            // as RecordSettings has them
  std::map<std::string, Process> processes_;  // by their folders' names
  std::uint64_t unreadable_ = 0;
};

}  // namespace twiddle
