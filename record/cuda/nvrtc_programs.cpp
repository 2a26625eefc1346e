#include "record/cuda/nvrtc_programs.h"

#include "record/cuda/exported.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

namespace twiddle_cuda {
namespace {

struct Program {
  std::string name, text;
  std::vector<std::pair<std::string, std::string>> headers;
  std::vector<std::string> options;
  std::string image;
};

// NVRTC may be called before the driver is, and by several threads.
struct Programs {
  std::mutex lock;
  std::map<void*, Program> created;  // by NVRTC's handle
  std::vector<Program> waiting;      // for the folder
  LogFolder* folder = nullptr;
  pid_t process = 0;  // whose folder it is
  int written = 0;
};
Programs& programs() {
  static auto* const all = new Programs;  // the program may compile while it ends
  return *all;
}

bool recorded() { return std::getenv("TWIDDLE_RECORD_DIR") != nullptr; }

template <typename Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// What NVRTC gives as "size, then contents"; empty: it has none.
std::string contents(void* program, const char* size_name, const char* name) {
  const auto size_of = next<int (*)(void*, std::size_t*)>(size_name);
  const auto get = next<int (*)(void*, char*)>(name);
  std::size_t size = 0;
  if (!size_of || !get || size_of(program, &size) != 0 || size == 0) return "";
  std::string bytes(size, '\0');
  return get(program, bytes.data()) == 0 ? bytes : "";
}

void write(Programs& all, const Program& program) {
  const std::string file = "program-" + std::to_string(++all.written);
  std::string text = "{\"name\":" + quoted(program.name) + ",\"text\":" + quoted(program.text) + ",\"headers\":[";
  for (const auto& [name, content] : program.headers)
    text += (text.back() == '[' ? "[" : ",[") + quoted(name) + "," + quoted(content) + "]";
  text += "],\"options\":[";
  for (const std::string& option : program.options) text += (text.back() == '[' ? "" : ",") + quoted(option);
  text += "]}";
  all.folder->file(file + ".json", text.data(), text.size());
  all.folder->file(file + ".image", program.image.data(), program.image.size());
  all.folder->event("{\"program\":" + std::to_string(all.written) + ",\"file\":" + quoted(file) + "}");
}

// After NVRTC compiled it.
void keep(void* handle, std::vector<std::string> options) {
  Programs& all = programs();
  const std::lock_guard guard(all.lock);
  const auto at = all.created.find(handle);
  if (at == all.created.end()) return;
  Program program = at->second;
  program.options = std::move(options);
  // Of a program for a virtual architecture there is PTX alone.
  program.image = contents(handle, "nvrtcGetCUBINSize", "nvrtcGetCUBIN");
  if (program.image.empty()) program.image = contents(handle, "nvrtcGetPTXSize", "nvrtcGetPTX");
  if (!all.folder)
    all.waiting.push_back(std::move(program));
  else if (all.process == getpid())
    write(all, program);
}

}  // namespace

void keep_programs_in(LogFolder& folder) {
  Programs& all = programs();
  const std::lock_guard guard(all.lock);
  all.folder = &folder;
  all.process = getpid();
  for (const Program& program : std::exchange(all.waiting, {})) write(all, program);
}

}  // namespace twiddle_cuda

TW_EXPORT int nvrtcCreateProgram(void** program, const char* text, const char* name, int count,
                                 const char* const* headers, const char* const* names) {
  using namespace twiddle_cuda;
  static const auto real = next<int (*)(void**, const char*, const char*, int, const char* const*, const char* const*)>(
      "nvrtcCreateProgram");
  if (!real) return 11;  // NVRTC_ERROR_INTERNAL_ERROR
  const int result = real(program, text, name, count, headers, names);
  if (result != 0 || !recorded()) return result;
  Program made;
  made.name = name ? name : "";
  made.text = text ? text : "";
  for (int i = 0; headers && names && i < count; ++i)
    if (headers[i] && names[i]) made.headers.emplace_back(names[i], headers[i]);
  const std::lock_guard guard(programs().lock);
  programs().created[*program] = std::move(made);
  return result;
}

TW_EXPORT int nvrtcDestroyProgram(void** program) {
  using namespace twiddle_cuda;
  static const auto real = next<int (*)(void**)>("nvrtcDestroyProgram");
  if (!real) return 11;
  if (program) {
    const std::lock_guard guard(programs().lock);
    programs().created.erase(*program);
  }
  return real(program);
}

// Line tables change no instruction of what NVRTC compiles.
TW_EXPORT int nvrtcCompileProgram(void* program, int count, const char* const* options) {
  using namespace twiddle_cuda;
  static const auto real = next<int (*)(void*, int, const char* const*)>("nvrtcCompileProgram");
  if (!real) return 11;
  if (!recorded()) return real(program, count, options);
  std::vector<std::string> given(options, options + count);
  std::vector<const char*> all(options, options + count);
  bool lines = false;
  for (const std::string& option : given) lines = lines || option == "-lineinfo" || option == "--generate-line-info";
  if (!lines) all.push_back("-lineinfo");
  const int result = real(program, static_cast<int>(all.size()), all.data());
  if (result == 0) keep(program, std::move(given));
  return result;
}
