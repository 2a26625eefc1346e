// What a recorder that is loaded into someone else's program leaves in the recording folder, for `twiddle record` to read:
// one folder a process (p1234), in it `counts`, a file a program (program-3) and a file a launch (launch-17). Files appear
// whole, by renaming; a launch whose file never appears is one that the process did not live to end: of the last one that began
// there is then a file begun-17, with its head alone.
#pragma once

#include "tracer/trace/trace.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace twiddle {

/// What of a program is to be recorded. The folder's file `settings` holds it as JSON.
struct RecordSettings {
  std::vector<std::string> kernels;                                 // patterns with * and ?; empty: all
  std::uint64_t first_launch = 1, last_launch = ~std::uint64_t(0);  // numbered from 1 in each process
  std::uint64_t first_item = 0, last_item = ~std::uint64_t(0);      // of each launch
  std::uint64_t log_bytes = std::uint64_t(512) << 20;               // of device memory
  std::uint64_t waiting_bytes = std::uint64_t(2)
                                << 30;  // of files that the recorder has not read yet: then launches wait
  bool binaries = false;                // programs made of binaries may run, unseen
  // How often launches run again on other data, which tells what their values do not: 0 never, −1 as often as it takes, of those
  // alone that values do not explain and that cannot access other memory on other data.
  int probes = 0;
};
std::string text_of(const RecordSettings& settings);
/// Throws std::exception, as all functions here that read text do.
RecordSettings read_record_settings(const std::string& text);

/// What happened in a process so far, whether or not there is a file for it.
struct RecordCounts {
  enum What : std::size_t {
    Programs,  // made from source
    Binaries,  // programs made of binaries: refused, so that the program builds from source, or let through
    Others,    // programs made of IL, or built into a device
    Launches,
    Filtered,  // launches that were not asked for
    Files,     // of launches
    count_of
  };
  std::array<std::uint64_t, count_of> of{};
};

/// A program: its source, and the rewriter's description of its twin.
struct RawProgram {
  std::string name, text, description;
  std::vector<std::string> options;  // the compiler's, the program's own
  std::vector<SourceText> more;      // that #line directives name
};
std::string text_of(const RawProgram& program);
RawProgram read_raw_program(const std::string& text);

struct RawArgument {
  // Reached: memory that the kernel is not given, but may come to through pointers; behind all others.
  enum class Kind : std::uint8_t { Memory, Value, Local, Reached };
  Kind kind = Kind::Value;
  std::string name;          // the parameter's
  std::string type;          // as the source writes it, of a pointer with its star; empty: not known
  std::string value;         // of a value: its bytes in hexadecimal digits
  int memory = -1;           // index into RawLaunch::memory; −1: a null pointer
  std::uint64_t offset = 0;  // of a part of a memory object, bytes
  std::uint64_t bytes = 0;   // of the part, of the value or of local memory
};

/// A memory object that a launch touches.
struct RawMemory {
  std::uint64_t id = 0;  // of its own for each object that there ever was in the process
  std::uint64_t bytes = 0;
  bool has_before =
      false;  // its content before the launch is in the file: when it is first seen, and when it changed since
  bool has_after = false;
  std::uint64_t address = 0;  // of shared virtual memory, the same for the host and for kernels; else 0
};

struct RawWindow {
  std::uint64_t first_item = 0, items = 0;
};

/// One launch. Sections of its file: this as JSON ("head"), contents of memory objects as has_before and has_after say in the
/// order of `memory` ("befo", "afte"), and a log for each window ("logw").
struct RawLaunch {
  std::uint64_t number = 0;  // in the process, from 1
  int program = -1;          // the number of its file; −1: none
  std::string kernel;
  std::string device, driver, platform;
  int dimensions = 1;
  std::array<std::size_t, 3> global{1, 1, 1}, local{1, 1, 1}, offset{0, 0, 0};
  bool rows = true;  // of the logs: AccessLogLayout
  std::vector<RawArgument> arguments;
  std::vector<RawMemory> memory;
  std::vector<RawWindow> windows;
  std::uint64_t lost = 0;
  double device_ns = 0;
  std::string reason;  // why it ran without being seen; then there are no windows
  bool waits = false;  // for the file `probe-17`, which says on what data it is to run again: a RawProbes
};
std::string text_of(const RawLaunch& launch);
RawLaunch read_raw_launch(const std::string& text);

/// What the recorder wants to know of a launch that waits. The answer is a file `probed-17` with a log for each run ("logw").
struct RawProbes {
  std::uint64_t runs = 0;                   // 0: nothing
  std::uint64_t first_item = 0, items = 0;  // whose accesses are logged
  std::vector<int>
      number_bytes;  // of each memory object: of the floating numbers it gets other ones of; 0: it stays as it is
};
std::string text_of(const RawProbes& probes);
RawProbes read_raw_probes(const std::string& text);
/// "p7/launch-17", "probe" → "p7/probe-17".
std::filesystem::path file_beside(const std::filesystem::path& launch_file, const std::string& what);

/// Writes a file of sections beside its place.
class RawFileWriter {
 public:
  explicit RawFileWriter(const std::filesystem::path& file);
  ~RawFileWriter();
  RawFileWriter(const RawFileWriter&) = delete;
  RawFileWriter& operator=(const RawFileWriter&) = delete;
  /// `tag` has four characters.
  void add(const char* tag, std::span<const std::byte> bytes);
  void add(const char* tag, const std::string& text) { add(tag, std::as_bytes(std::span(text))); }
  /// The file appears. False when it could not be written: then nothing is left.
  bool keep();

 private:
  std::filesystem::path file_, part_;
  int descriptor_ = -1;
  bool failed_ = false;
};

/// A whole file of sections, mapped.
class RawFile {
 public:
  struct Section {
    std::string tag;
    std::span<const std::byte> bytes;
  };
  /// Throws Error (unreadable) when it is not what RawFileWriter writes.
  explicit RawFile(const std::filesystem::path& file);
  ~RawFile();
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;
  const std::vector<Section>& sections() const { return sections_; }
  /// The text of the only section with this tag. Throws Error (unreadable) where there is none.
  std::string text(const char* tag) const;

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<Section> sections_;
};

}  // namespace twiddle
