// A kernel on the host executor, run plain and logged, and what the log says by names.
#pragma once

#include "test_support.h"
#include "tracer/host/host_runtime.h"
#include "tracer/runtime/kernel_fault.h"

#include <doctest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace twiddle {

// One record that an item made, with its memory by name and offset.
struct Made {
  AccessKind kind;
  std::string memory;
  std::uint64_t offset;
  std::uint64_t value;
  bool operator==(const Made&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const Made& one) {
  static const char* const names[] = {"load",       "store",     "atomic-load", "atomic-store", "copy-load",
                                      "copy-store", "copy-wait", "barrier",     "fence",        "exchange"};
  return out << names[static_cast<int>(one.kind)] << ' ' << one.memory << '+' << one.offset << " = " << one.value;
}

template <typename T>
std::uint64_t bits(T value) {
  std::uint64_t result = 0;
  std::memcpy(&result, &value, sizeof value);
  return result;
}

class LoggedKernel {
 public:
  explicit LoggedKernel(std::string text, const HostOptions& options = {}, const std::string& kernel = "f")
      : text_(std::move(text)), runtime_(open_host_runtime(options)) {
    ProgramSource source;
    source.name = "mine.cu";
    source.text = text_;
    source.kernels = {kernel};
    call.program = runtime_->build(source);
    call.kernel = kernel;
  }

  template <typename T>
  void buffer(const std::string& name, const std::vector<T>& content) {
    const BufferHandle handle = runtime_->allocate(content.size() * sizeof(T));
    std::vector<std::byte> bytes(content.size() * sizeof(T));
    std::memcpy(bytes.data(), content.data(), bytes.size());
    buffers_.push_back({handle, std::move(bytes)});
    names_[static_cast<int>(call.arguments.size())] = name;
    call.arguments.push_back({KernelArgument::Memory{handle}});
    restore();
  }
  void local(std::size_t bytes) { call.arguments.push_back({KernelArgument::Local{bytes}}); }

  // Runs it plain and logged, on the same content, and compares what it leaves.
  RawAccesses run(std::size_t global, std::size_t local, const AccessRequest& request = {}) {
    call.global = {global, 1, 1};
    call.local = {local, 1, 1};
    restore();
    const std::vector<std::byte> state = runtime_->program_state(call.program);
    runtime_->run(call);
    const std::vector<std::vector<std::byte>> plain = contents();
    restore();
    runtime_->set_program_state(call.program, state);
    RawAccesses raw = runtime_->run_logged(call, request);
    CHECK(contents() == plain);
    return raw;
  }
  KernelFault fault(std::size_t global, std::size_t local) {
    call.global = {global, 1, 1};
    call.local = {local, 1, 1};
    restore();
    try {
      runtime_->run_logged(call, {});
    } catch (const KernelFault& caught) { return caught; }
    FAIL("no fault");
    std::abort();
  }

  // The records of an item of the log.
  std::vector<Made> of(const RawAccesses& raw, std::uint64_t item) const {
    std::vector<Made> list;
    for (std::uint64_t i = raw.begin.at(item); i < raw.begin.at(item + 1); ++i) {
      Made one{raw.sites.at(raw.site[i]).kind, "", raw.address[i], raw.value[i]};
      for (const AccessRange& range : raw.ranges) {
        if (!touches_memory(one.kind) || raw.address[i] - range.address >= range.bytes) continue;
        one.memory = range.argument >= 0 && range.name.empty() ? names_.at(range.argument) : range.name;
        one.offset = raw.address[i] - range.address;
      }
      list.push_back(one);
    }
    return list;
  }

  // The line on which this text is first.
  int line(const std::string& part) const {
    const std::size_t at = text_.find(part);
    REQUIRE(at != std::string::npos);
    return 1 + static_cast<int>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }

  template <typename T>
  std::vector<T> content(std::size_t buffer) const {
    const std::vector<std::byte> bytes = contents().at(buffer);
    std::vector<T> result(bytes.size() / sizeof(T));
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }

  Runtime& runtime() { return *runtime_; }
  void scalar(int value) {
    KernelArgument::Scalar one{{}, sizeof value};
    std::memcpy(one.bits.data(), &value, sizeof value);
    call.arguments.push_back({one});
  }

  KernelCall call;

 private:
  struct Buffer {
    BufferHandle handle;
    std::vector<std::byte> first;
  };
  void restore() {
    for (const Buffer& one : buffers_) runtime_->upload(one.handle, 0, one.first);
  }
  std::vector<std::vector<std::byte>> contents() const {
    std::vector<std::vector<std::byte>> all;
    for (const Buffer& one : buffers_) {
      all.emplace_back(one.first.size());
      runtime_->download(one.handle, 0, all.back());
    }
    return all;
  }

  const std::string text_;
  std::unique_ptr<Runtime> runtime_;
  std::vector<Buffer> buffers_;
  std::map<int, std::string> names_;
};

}  // namespace twiddle
