// Recordings of CUDA programs that were made on a GPU and kept (tests/data/record).
#pragma once

#include "base/read_file.h"
#include "base/temporary_folder.h"
#include "tracer/codec/columns/compress.h"
#include "tracer/cuda/log/cuda_log.h"
#include "tracer/file/trace_file.h"
#include "tracer/record/cuda_run.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <utility>

namespace twiddle {

using Files = std::map<std::string, std::string>;

// A kept recording: for each of its files a line with name and size, and then its bytes.
inline Files kept_recording(const std::string& name) {
  const std::string packed = read_file(std::filesystem::path(TWIDDLE_TEST_DATA) / "record" / (name + ".zst"), 1 << 20);
  const auto frame = std::as_bytes(std::span(packed));
  std::string all(decompressed_size(frame, 1 << 24), '\0');
  decompress(frame, 1, std::as_writable_bytes(std::span(all)));
  Files files;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = all.find('\n', at);
    std::istringstream line(all.substr(at, end - at));
    std::string file;
    std::size_t bytes = 0;
    line >> file >> bytes;
    files[file] = all.substr(end + 1, bytes);
    at = end + 1 + bytes;
  }
  return files;
}

class Recording {
 public:
  explicit Recording(const Files& files) {
    for (const auto& [name, bytes] : files) std::ofstream(folder_.path() / name, std::ios::binary) << bytes;
  }
  explicit Recording(const std::string& name) : Recording(kept_recording(name)) {}
  const std::filesystem::path& path() const { return folder_.path(); }
  CudaLog log() const { return CudaLog(folder_.path()); }

 private:
  TemporaryFolder folder_;
};

/// The recording as a trace file, as `twiddle record` makes one. `info` is what it says of itself.
inline void write_trace(const Recording& recording, const TraceInfo& info, const std::filesystem::path& file) {
  const CudaLog log = recording.log();
  TraceWriter writer(file);
  RecordedRun run(info, writer);
  read_cuda_launches(
      log, 0, [&](std::uint64_t memory) { return run.replayed(memory); },
      [&](RecordedLaunch&& launch) { run.add(std::move(launch)); });
  writer.finish();
}

}  // namespace twiddle
