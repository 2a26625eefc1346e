// Kernels of tests/data on a runtime, for tests of the runtimes that take CUDA C++.
#pragma once

#include "tracer/runtime/runtime.h"

#include <doctest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace twiddle {

/// A file of tests/data.
inline std::string data_file(const std::string& name) {
  const char* folder = std::getenv("TWIDDLE_TEST_DATA");
  const std::filesystem::path path = std::filesystem::path(folder ? folder : TWIDDLE_TEST_DATA) / name;
  std::ifstream in(path);
  REQUIRE_MESSAGE(in, path.string());
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// An argument by value.
template <typename T>
KernelArgument scalar(T value) {
  KernelArgument::Scalar argument{{}, sizeof value};
  std::memcpy(argument.bits.data(), &value, sizeof value);
  return {argument};
}

inline std::vector<int> counted(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// A runtime with one program of tests/data, and buffers that tests read and write as vectors.
class KernelHarness {
 public:
  KernelHarness(std::unique_ptr<Runtime> runtime, const std::string& file) : runtime_(std::move(runtime)) {
    program_ = runtime_->build({std::filesystem::path(file).filename().string(), data_file(file), {}});
  }

  template <typename T>
  KernelArgument buffer(const std::vector<T>& content) {
    const BufferHandle handle = runtime_->allocate(content.size() * sizeof(T));
    runtime_->upload(handle, 0, std::as_bytes(std::span(content)));
    return {KernelArgument::Memory{handle}};
  }
  template <typename T>
  std::vector<T> read(const KernelArgument& buffer, std::size_t count) {
    std::vector<T> content(count);
    runtime_->download(std::get<KernelArgument::Memory>(buffer.value).buffer, 0,
                       std::as_writable_bytes(std::span(content)));
    return content;
  }

  double run(const char* kernel, std::size_t global, std::size_t local, std::vector<KernelArgument> arguments,
             bool cooperative = false) {
    return run2(kernel, {global, 1, 1}, {local, 1, 1}, std::move(arguments), cooperative);
  }
  double run2(const char* kernel, std::array<std::size_t, 3> global, std::array<std::size_t, 3> local,
              std::vector<KernelArgument> arguments, bool cooperative = false) {
    KernelCall call;
    call.program = program_;
    call.kernel = kernel;
    call.dimensions = 3;
    call.global = global;
    call.local = local;
    call.arguments = std::move(arguments);
    call.cooperative = cooperative;
    return runtime_->run(call);
  }
  Runtime& runtime() { return *runtime_; }
  ProgramHandle program() const { return program_; }

 private:
  std::unique_ptr<Runtime> runtime_;
  ProgramHandle program_ = 0;
};

}  // namespace twiddle
