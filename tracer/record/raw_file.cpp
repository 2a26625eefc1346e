#include "tracer/record/raw_file.h"

#include "base/error.h"
#include "base/values/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace twiddle {

// In JSON each member has its own name.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordSettings, kernels, first_launch, last_launch, first_item, last_item, log_bytes,
                                   waiting_bytes, binaries, probes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SourceText, name, text, options)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RawProgram, name, text, description, options, more)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RawArgument, kind, name, type, value, memory, offset, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RawMemory, id, bytes, has_before, has_after, address)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RawWindow, first_item, items)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RawLaunch, number, program, kernel, device, driver, platform, dimensions, global,
                                   local, offset, rows, arguments, memory, windows, lost, device_ns, reason, waits)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RawProbes, runs, first_item, items, number_bytes)

namespace {

using Json = nlohmann::json;

constexpr std::string_view head("twiddle raw 1\n\0\0", 16);  // a multiple of eight bytes: logs are read in place
constexpr std::size_t max_parts = 1 << 16;                   // of a file, and of every list in it

// Kernels' texts and names may hold anything.

template <typename Entry>
void bound(const std::vector<Entry>& list) {
  if (list.size() > max_parts) throw unreadable("a recording has a list of {} entries", list.size());
}

std::size_t padding(std::uint64_t bytes) { return static_cast<std::size_t>((8 - bytes % 8) % 8); }

}  // namespace

std::string text_of(const RecordSettings& settings) { return json_text(Json(settings)); }
RecordSettings read_record_settings(const std::string& text) { return Json::parse(text).get<RecordSettings>(); }

std::string text_of(const RawProgram& program) { return json_text(Json(program)); }
RawProgram read_raw_program(const std::string& text) {
  RawProgram program = Json::parse(text).get<RawProgram>();
  bound(program.options);
  bound(program.more);
  return program;
}

std::string text_of(const RawLaunch& launch) { return json_text(Json(launch)); }
RawLaunch read_raw_launch(const std::string& text) {
  RawLaunch launch = Json::parse(text).get<RawLaunch>();
  bound(launch.memory);
  bound(launch.arguments);
  bound(launch.windows);
  for (const RawArgument& argument : launch.arguments) {
    if (argument.kind > RawArgument::Kind::Reached)
      throw unreadable("a recording has an argument of kind {}", static_cast<int>(argument.kind));
    if (argument.memory < -1 || argument.memory >= std::ssize(launch.memory))
      throw unreadable("a recording has an argument of memory {}", argument.memory);
  }
  std::uint64_t items = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    if (launch.local[d] == 0 || launch.global[d] == 0 || launch.global[d] > (std::uint64_t(1) << 32) ||
        launch.local[d] > launch.global[d])
      throw unreadable("a recording has a launch of impossible size");
    items *= launch.global[d];
    if (items > (std::uint64_t(1) << 32)) throw unreadable("a recording has a launch of {} items", items);
  }
  if (launch.dimensions < 1 || launch.dimensions > 3)
    throw unreadable("a recording has a launch of {} dimensions", launch.dimensions);
  return launch;
}

std::string text_of(const RawProbes& probes) { return json_text(Json(probes)); }
RawProbes read_raw_probes(const std::string& text) {
  RawProbes probes = Json::parse(text).get<RawProbes>();
  bound(probes.number_bytes);
  return probes;
}

fs::path file_beside(const fs::path& launch_file, const std::string& what) {
  const std::string name = launch_file.filename();
  return launch_file.parent_path() / (what + name.substr(std::min(name.find('-'), name.size())));
}

RawFileWriter::RawFileWriter(const fs::path& file) : file_(file), part_(file) {
  part_ += ".part";
  descriptor_ = open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  failed_ = descriptor_ < 0;
  if (!failed_) failed_ = write(descriptor_, head.data(), head.size()) != std::ssize(head);
}

RawFileWriter::~RawFileWriter() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(part_.c_str());
}

void RawFileWriter::add(const char* tag, std::span<const std::byte> bytes) {
  const auto put = [&](const void* from, std::size_t size) {
    const auto* at = static_cast<const char*>(from);
    while (size > 0 && !failed_) {
      const ssize_t written = write(descriptor_, at, std::min<std::size_t>(size, std::size_t(1) << 30));
      if (written < 0 && errno == EINTR) continue;
      failed_ = written <= 0;
      if (failed_) break;
      at += written;
      size -= static_cast<std::size_t>(written);
    }
  };
  std::array<char, 16> front{};
  std::memcpy(front.data(), tag, 4);
  const std::uint64_t size = bytes.size();
  std::memcpy(front.data() + 8, &size, sizeof size);
  put(front.data(), front.size());
  put(bytes.data(), bytes.size());
  constexpr std::array<char, 8> zeros{};
  put(zeros.data(), padding(size));
}

bool RawFileWriter::keep() {
  if (descriptor_ < 0) return false;
  failed_ = close(descriptor_) != 0 || failed_;
  descriptor_ = -1;
  if (!failed_) failed_ = rename(part_.c_str(), file_.c_str()) != 0;
  if (failed_) unlink(part_.c_str());
  return !failed_;
}

RawFile::RawFile(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    if (descriptor >= 0) close(descriptor);
    throw unreadable("{} cannot be read: {}", file.string(), std::strerror(errno));
  }
  bytes_ = static_cast<std::size_t>(status.st_size);
  if (bytes_ > 0) memory_ = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  if (bytes_ == 0 || memory_ == MAP_FAILED) {
    memory_ = nullptr;
    throw unreadable("{} cannot be read", file.string());
  }
  const std::span<const std::byte> all(static_cast<const std::byte*>(memory_), bytes_);
  const auto bad = [&] {
    munmap(memory_, bytes_);
    memory_ = nullptr;
    return unreadable("{} is no file of a recording", file.string());
  };
  if (bytes_ < head.size() || std::memcmp(all.data(), head.data(), head.size()) != 0) throw bad();
  for (std::size_t at = head.size(); at < bytes_;) {
    if (bytes_ - at < 16 || sections_.size() == max_parts) throw bad();
    std::uint64_t size = 0;
    std::memcpy(&size, all.data() + at + 8, sizeof size);
    if (size > bytes_ - at - 16 || padding(size) > bytes_ - at - 16 - size) throw bad();
    sections_.push_back({std::string(reinterpret_cast<const char*>(all.data()) + at, 4), all.subspan(at + 16, size)});
    at += 16 + size + padding(size);
  }
}

RawFile::~RawFile() {
  if (memory_) munmap(memory_, bytes_);
}

std::string RawFile::text(const char* tag) const {
  for (const Section& section : sections_)
    if (section.tag == tag) return {reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size()};
  throw unreadable("a file of the recording lacks its part {}", tag);
}

}  // namespace twiddle
