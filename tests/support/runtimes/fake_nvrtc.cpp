// A compiler with the names of NVRTC's functions: what it "compiles" is the text itself.
#include <cstddef>
#include <cstring>
#include <string>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {
struct Program {
  std::string text, options;
};
}  // namespace

EXPORT int nvrtcCreateProgram(void** program, const char* text, const char*, int, const char* const*,
                              const char* const*) {
  *program = new Program{text, ""};
  return 0;
}
EXPORT int nvrtcDestroyProgram(void** program) {
  delete static_cast<Program*>(*program);
  *program = nullptr;
  return 0;
}
// A text that says so does not compile.
EXPORT int nvrtcCompileProgram(void* program, int count, const char* const* options) {
  auto* const compiled = static_cast<Program*>(program);
  for (int i = 0; i < count; ++i) compiled->options += std::string(options[i]) + " ";
  return compiled->text.find("#error") == std::string::npos ? 0 : 6;
}
EXPORT int nvrtcGetPTXSize(void* program, std::size_t* size) {
  *size = static_cast<Program*>(program)->text.size() + static_cast<Program*>(program)->options.size();
  return 0;
}
EXPORT int nvrtcGetPTX(void* program, char* ptx) {
  const std::string all = static_cast<Program*>(program)->text + static_cast<Program*>(program)->options;
  std::memcpy(ptx, all.data(), all.size());
  return 0;
}
