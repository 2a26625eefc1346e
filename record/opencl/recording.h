// The recording folder as this process fills it.
#pragma once

#include "tracer/record/raw_file.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace twiddle::layer {

class Recording {
 public:
  /// This process's, or null where nothing is recorded: no folder was asked for, it cannot be written, or the recorder has ended.
  static Recording* get();

  const RecordSettings& settings() const { return settings_; }
  void count(RecordCounts::What what, std::uint64_t more = 1);
  /// The number of the launch that comes now, from 1, and whether it is one that was asked for.
  std::uint64_t next_launch() { return ++launches_; }
  bool wanted(std::uint64_t launch, const std::string& kernel) const;

  /// The number that the program's file gets.
  int write(const RawProgram& program);
  /// Waits while the recorder is behind, and gives the file's place.
  std::filesystem::path next_launch_file();
  /// What the recorder wants to know of the launch in this file, which says that it waits for that.
  RawProbes wanted_probes(const std::filesystem::path& launch_file) const;

 private:
  Recording(std::filesystem::path folder, RecordSettings settings);
  bool recorder_lives() const;

  std::filesystem::path top_, folder_;
  RecordSettings settings_;
  std::uint64_t* counts_ = nullptr;  // the file `counts`, mapped
  std::uint64_t launches_ = 0, files_ = 0;
  int programs_ = 0;
};

/// Leaves word of a launch, in case that the process does not live to end it.
class BegunLaunch {
 public:
  BegunLaunch(const std::filesystem::path& launch_file, const RawLaunch& launch);
  ~BegunLaunch();
  BegunLaunch(const BegunLaunch&) = delete;
  BegunLaunch& operator=(const BegunLaunch&) = delete;

 private:
  std::filesystem::path file_;
};

}  // namespace twiddle::layer
