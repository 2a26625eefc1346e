// A plan around one kernel of a test's own, in a folder that goes with the test.
#pragma once

#include "kernels/plan/plan.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

namespace twiddle {

class OwnKernel {
 public:
  Plan plan;

  /// The text gets `#include "trace_device.h"` as its first line. `extension`: ".cl", or ".cu" for the host and CUDA.
  explicit OwnKernel(const std::string& text, const std::string& extension = ".cl") : file_("mine" + extension) {
    static int number = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("twiddle-own-" + std::to_string(::getpid()) + "-" + std::to_string(++number));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / file_) << "#include \"trace_device.h\"\n" << text;
    plan.title = Message("A test's own");
    plan.algorithm = (folder_ / "mine.toml").string();
    plan.directory = folder_;
  }
  ~OwnKernel() { std::filesystem::remove_all(folder_); }
  OwnKernel(const OwnKernel&) = delete;
  OwnKernel& operator=(const OwnKernel&) = delete;

  BufferArgument buffer(const std::string& name, ElementType type, std::uint64_t count,
                        Content::Kind kind = Content::Kind::Iota, Space space = Space::Global) {
    Buffer one;
    one.name = name;
    one.type = type;
    one.count = count;
    one.shape = {count};
    one.space = space;
    one.content.kind = kind;
    plan.buffers.push_back(one);
    return {plan.buffers.size() - 1};
  }

  Launch& launch(const std::string& kernel, std::size_t global, std::size_t local, std::vector<Argument> arguments) {
    Launch one;
    one.source = file_;
    one.kernel = kernel;
    one.global = {global, 1, 1};
    one.local = {local, 1, 1};
    one.arguments = std::move(arguments);
    plan.launches.push_back(one);
    return plan.launches.back();
  }

 private:
  std::filesystem::path folder_;
  std::string file_;
};

}  // namespace twiddle
