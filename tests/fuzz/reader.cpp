// A trace file is untrusted: with any bytes it is opened, walked and replayed to its end, or refused with one Error.
// The corpus holds real traces, small ones of several kinds; `tests/fuzz/corpus/make.sh` makes them anew.
#include "base/error.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/replay.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace {

// SQLite reads files, so the input becomes one, in memory where the system has such a folder.
const std::filesystem::path& scratch() {
  static const struct Scratch {
    Scratch() {
      const std::filesystem::path memory = "/dev/shm";
      std::error_code failed;
      const bool in_memory = std::filesystem::is_directory(memory, failed) && access(memory.c_str(), W_OK) == 0;
      file = (in_memory ? memory : std::filesystem::temp_directory_path()) /
             ("twiddle-fuzz-" + std::to_string(getpid()) + ".twd");
    }
    ~Scratch() { std::filesystem::remove(file); }
    std::filesystem::path file;
  } made;
  return made.file;
}

// A file may say that it holds millions of operations in few bytes; one input must not take minutes.
constexpr std::uint64_t max_steps = 1 << 16;

void walk(const std::shared_ptr<const twiddle::TraceReader>& trace) {
  twiddle::Replay replay(trace, 1 << 20);
  const std::uint64_t steps = replay.info().steps, last = std::min(steps, max_steps);
  std::uint64_t seen = 0;
  replay.for_each(1, last, true, [&](const twiddle::Operation& operation) {
    seen += operation.kind != twiddle::OperationKind::Barrier;
    return true;
  });
  if (seen > last) std::abort();
  replay.seek(last);
  replay.seek(last / 2);
  replay.seek(0);
}

// Accesses are predicted by the operations of their launch.
void read_accesses(const std::shared_ptr<const twiddle::TraceReader>& trace) {
  std::uint64_t seen = 0;
  for (const twiddle::AccessEntry& entry : trace->access_entries())
    if (entry.items <= max_steps && entry.records <= max_steps && (seen += entry.records + 1) <= max_steps)
      trace->accesses(entry);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  {
    std::ofstream file(scratch(), std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  // Each question on its own: a file that fails one must not hide what another does to the program.
  const auto ask = [](const auto& question) {
    try {
      question(twiddle::TraceReader::open(scratch()));
    } catch (const twiddle::Error&) {}
  };
  ask(walk);
  ask([](const auto& trace) {
    if (trace->info().steps <= max_steps) read_accesses(trace);
  });
  ask([](const auto& trace) { trace->verify(); });
  ask([](const auto& trace) {
    const twiddle::TraceInfo& info = trace->info();
    for (std::size_t b = 0; b < info.buffers.size(); ++b)
      if (info.buffers[b].count <= max_steps) trace->first_content(static_cast<int>(b));
    trace->bookmarks();
  });
  return 0;
}
