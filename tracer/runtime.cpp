#include "tracer/runtime.h"

#include "base/error.h"
#include "tracer/opencl_runtime.h"

#include <algorithm>

namespace twiddle {

std::string compiler_text(const ProgramSource& source) {
  std::string text;
  for (const std::string& define : source.defines) {
    const std::size_t equals = define.find('=');
    text += "#define " + define.substr(0, equals) + " " +
            (equals == std::string::npos ? std::string("1") : define.substr(equals + 1)) + "\n";
  }
  if (!text.empty() && source.text.compare(0, 5, "#line") != 0) text += "#line 1\n";
  return text + source.text;
}

void Runtime::copy(BufferHandle from, BufferHandle to, std::size_t bytes) {
  constexpr std::size_t piece = std::size_t(16) << 20;
  std::vector<std::byte> through(std::min(bytes, piece));
  for (std::size_t at = 0; at < bytes; at += piece) {
    const std::span<std::byte> part = std::span(through).first(std::min(piece, bytes - at));
    download(from, at, part);
    upload(to, at, part);
  }
}

DeviceList list_devices() {
  DeviceList list;
  list_opencl_devices(list);
  list.missing.emplace_back("cuda: not in this build");
  list.missing.emplace_back("host: not in this build");
  return list;
}

std::unique_ptr<Runtime> open_runtime(std::string_view runtime, int device) {
  if (runtime == "opencl" || runtime == "auto") return open_opencl_runtime(device);
  if (runtime == "cuda" || runtime == "host")
    throw no_device("the {} runtime is not in this build; take --runtime opencl", runtime);
  throw no_device("there is no runtime called {}; take auto, opencl, cuda or host", runtime);
}

}  // namespace twiddle
