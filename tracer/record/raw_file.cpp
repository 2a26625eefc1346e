#include "tracer/record/raw_file.h"

#include "base/error.h"

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
namespace {

using Json = nlohmann::json;

constexpr std::string_view head("twiddle raw 1\n\0\0", 16);  // a multiple of eight bytes: logs are read in place
constexpr std::size_t max_parts = 1 << 16;                   // of a file, and of every list in it

// Kernels' texts and names may hold anything.
std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

void bound(std::size_t count) {
  if (count > max_parts) throw unreadable("a recording has a list of {} entries", count);
}

template <typename T, typename Read>
std::vector<T> list_of(const Json& json, const Read& read) {
  bound(json.size());
  std::vector<T> list;
  for (const Json& one : json) list.push_back(read(one));
  return list;
}

std::size_t padding(std::uint64_t bytes) { return static_cast<std::size_t>((8 - bytes % 8) % 8); }

}  // namespace

std::string text_of(const RecordSettings& settings) {
  return dump({{"kernels", settings.kernels},
               {"launches", {settings.first_launch, settings.last_launch}},
               {"items", {settings.first_item, settings.last_item}},
               {"log_bytes", settings.log_bytes},
               {"waiting_bytes", settings.waiting_bytes},
               {"binaries", settings.binaries}});
}

RecordSettings read_record_settings(const std::string& text) {
  const Json json = Json::parse(text);
  RecordSettings settings;
  json.at("kernels").get_to(settings.kernels);
  json.at("launches").at(0).get_to(settings.first_launch);
  json.at("launches").at(1).get_to(settings.last_launch);
  json.at("items").at(0).get_to(settings.first_item);
  json.at("items").at(1).get_to(settings.last_item);
  json.at("log_bytes").get_to(settings.log_bytes);
  json.at("waiting_bytes").get_to(settings.waiting_bytes);
  json.at("binaries").get_to(settings.binaries);
  return settings;
}

std::string text_of(const RawProgram& program) {
  Json more = Json::array();
  for (const SourceText& file : program.more) more.push_back({{"name", file.name}, {"text", file.text}});
  return dump({{"name", program.name},
               {"text", program.text},
               {"description", program.description},
               {"more", std::move(more)}});
}

RawProgram read_raw_program(const std::string& text) {
  const Json json = Json::parse(text);
  RawProgram program;
  json.at("name").get_to(program.name);
  json.at("text").get_to(program.text);
  json.at("description").get_to(program.description);
  program.more = list_of<SourceText>(json.at("more"), [](const Json& one) {
    return SourceText{one.at("name"), one.at("text")};
  });
  return program;
}

std::string text_of(const RawLaunch& launch) {
  Json arguments = Json::array(), memory = Json::array(), windows = Json::array();
  for (const RawArgument& one : launch.arguments)
    arguments.push_back({{"kind", static_cast<int>(one.kind)},
                         {"name", one.name},
                         {"type", one.type},
                         {"value", one.value},
                         {"memory", one.memory},
                         {"offset", one.offset},
                         {"bytes", one.bytes}});
  for (const RawMemory& one : launch.memory)
    memory.push_back({{"id", one.id}, {"bytes", one.bytes}, {"before", one.has_before}, {"after", one.has_after}});
  for (const RawWindow& one : launch.windows) windows.push_back({one.first_item, one.items});
  return dump({{"number", launch.number},
               {"program", launch.program},
               {"kernel", launch.kernel},
               {"device", launch.device},
               {"driver", launch.driver},
               {"platform", launch.platform},
               {"dimensions", launch.dimensions},
               {"global", launch.global},
               {"local", launch.local},
               {"offset", launch.offset},
               {"rows", launch.rows},
               {"arguments", std::move(arguments)},
               {"memory", std::move(memory)},
               {"windows", std::move(windows)},
               {"lost", launch.lost},
               {"device_ns", launch.device_ns},
               {"reason", launch.reason}});
}

RawLaunch read_raw_launch(const std::string& text) {
  const Json json = Json::parse(text);
  RawLaunch launch;
  json.at("number").get_to(launch.number);
  json.at("program").get_to(launch.program);
  json.at("kernel").get_to(launch.kernel);
  json.at("device").get_to(launch.device);
  json.at("driver").get_to(launch.driver);
  json.at("platform").get_to(launch.platform);
  json.at("dimensions").get_to(launch.dimensions);
  json.at("global").get_to(launch.global);
  json.at("local").get_to(launch.local);
  json.at("offset").get_to(launch.offset);
  json.at("rows").get_to(launch.rows);
  launch.memory = list_of<RawMemory>(json.at("memory"), [](const Json& one) {
    return RawMemory{one.at("id"), one.at("bytes"), one.at("before"), one.at("after")};
  });
  launch.arguments = list_of<RawArgument>(json.at("arguments"), [&](const Json& one) {
    RawArgument argument;
    const int kind = one.at("kind");
    if (kind < 0 || kind > static_cast<int>(RawArgument::Kind::Local))
      throw unreadable("a recording has an argument of kind {}", kind);
    argument.kind = static_cast<RawArgument::Kind>(kind);
    one.at("name").get_to(argument.name);
    one.at("type").get_to(argument.type);
    one.at("value").get_to(argument.value);
    one.at("memory").get_to(argument.memory);
    one.at("offset").get_to(argument.offset);
    one.at("bytes").get_to(argument.bytes);
    if (argument.memory < -1 || argument.memory >= std::ssize(launch.memory))
      throw unreadable("a recording has an argument of memory {}", argument.memory);
    return argument;
  });
  launch.windows = list_of<RawWindow>(json.at("windows"), [](const Json& one) {
    return RawWindow{one.at(0), one.at(1)};
  });
  json.at("lost").get_to(launch.lost);
  json.at("device_ns").get_to(launch.device_ns);
  json.at("reason").get_to(launch.reason);
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
  put("\0\0\0\0\0\0\0", padding(size));
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
