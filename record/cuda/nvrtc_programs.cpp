#include "record/cuda/nvrtc_programs.h"

#include "record/cuda/exported.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

extern "C" {
// What dlsym() goes on to where it is not asked for one of NVRTC's functions below.
__attribute__((visibility("hidden"))) void* (*twiddle_cuda_next_dlsym)(void*, const char*) = nullptr;
// One of the functions below, or null.
__attribute__((visibility("hidden"), used)) void* twiddle_cuda_own_dlsym(void* handle, const char* name);
}

namespace twiddle_cuda {
namespace {

constexpr int no_nvrtc = 11;  // NVRTC_ERROR_INTERNAL_ERROR: the program calls functions that nothing has

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
  std::map<std::string, int, std::less<>> by_ptx;  // the last of each
};
Programs& programs() {
  static auto* const all = new Programs;  // the program may compile while it ends
  return *all;
}

bool recorded() { return std::getenv("TWIDDLE_RECORD_DIR") != nullptr; }

// NVRTC's functions that programs asked for by name.
struct Asked {
  std::mutex lock;
  std::map<std::string, void*> functions;
};
Asked& asked() {
  static auto* const all = new Asked;
  return *all;
}

// NVRTC's own function; null: the program has none.
template <typename Function>
Function next(const char* name) {
  if (void* const linked = dlsym(RTLD_NEXT, name)) return reinterpret_cast<Function>(linked);
  const std::lock_guard guard(asked().lock);
  const auto at = asked().functions.find(name);
  return reinterpret_cast<Function>(at == asked().functions.end() ? nullptr : at->second);
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
  if (program.image.rfind("//", 0) == 0) all.by_ptx[program.image.c_str()] = all.written;
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

int program_of_ptx(const void* image) {
  // PTX that a compiler made begins with comments. Anything else may go on without an end.
  if (!image || std::memcmp(image, "//", 2) != 0) return 0;
  Programs& all = programs();
  const std::lock_guard guard(all.lock);
  const auto at = all.by_ptx.find(std::string_view(static_cast<const char*>(image)));
  return at == all.by_ptx.end() ? 0 : at->second;
}

}  // namespace twiddle_cuda

TW_EXPORT int nvrtcCreateProgram(void** program, const char* text, const char* name, int count,
                                 const char* const* headers, const char* const* names) {
  using namespace twiddle_cuda;
  const auto real = next<int (*)(void**, const char*, const char*, int, const char* const*, const char* const*)>(
      "nvrtcCreateProgram");
  if (!real) return no_nvrtc;
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
  const auto real = next<int (*)(void**)>("nvrtcDestroyProgram");
  if (!real) return no_nvrtc;
  if (program) {
    const std::lock_guard guard(programs().lock);
    programs().created.erase(*program);
  }
  return real(program);
}

// Line tables change no instruction of what NVRTC compiles.
TW_EXPORT int nvrtcCompileProgram(void* program, int count, const char* const* options) {
  using namespace twiddle_cuda;
  const auto real = next<int (*)(void*, int, const char* const*)>("nvrtcCompileProgram");
  if (!real) return no_nvrtc;
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

#if defined(__x86_64__)
// Programs that load NVRTC ask for its functions by name. dlsym() looks from where it was called, so that it has to be jumped to,
// for the next library's to find the caller where it was.
asm(R"(
  .text
  .globl dlsym
  .type dlsym, @function
dlsym:
  .cfi_startproc
  endbr64
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  call twiddle_cuda_own_dlsym
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %rsi
  .cfi_adjust_cfa_offset -8
  popq %rdi
  .cfi_adjust_cfa_offset -8
  testq %rax, %rax
  jne 1f
  movq twiddle_cuda_next_dlsym(%rip), %rax
  jmp *%rax
1:
  ret
  .cfi_endproc
  .size dlsym, . - dlsym
)");

void* twiddle_cuda_own_dlsym(void* handle, const char* name) {
  using namespace twiddle_cuda;
  if (!twiddle_cuda_next_dlsym)  // of glibc, before 2.34 and since
    for (const char* version : {"GLIBC_2.34", "GLIBC_2.2.5"})
      if (void* const found = dlvsym(RTLD_NEXT, "dlsym", version); found && !twiddle_cuda_next_dlsym)
        twiddle_cuda_next_dlsym = reinterpret_cast<void* (*)(void*, const char*)>(found);
  if (!name || std::strncmp(name, "nvrtc", 5) != 0 || handle == RTLD_NEXT || handle == RTLD_DEFAULT || !recorded())
    return nullptr;
  const std::pair<const char*, void*> own[] = {
      {"nvrtcCreateProgram", reinterpret_cast<void*>(&nvrtcCreateProgram)},
      {"nvrtcCompileProgram", reinterpret_cast<void*>(&nvrtcCompileProgram)},
      {"nvrtcDestroyProgram", reinterpret_cast<void*>(&nvrtcDestroyProgram)},
  };
  for (const auto& [function, address] : own) {
    if (std::strcmp(name, function) != 0) continue;
    void* const real = twiddle_cuda_next_dlsym(handle, name);
    if (!real || real == address) return nullptr;
    const std::lock_guard guard(asked().lock);
    asked().functions[name] = real;
    for (const char* other : {"nvrtcGetCUBINSize", "nvrtcGetCUBIN", "nvrtcGetPTXSize", "nvrtcGetPTX"})
      asked().functions[other] = twiddle_cuda_next_dlsym(handle, other);
    return address;
  }
  return nullptr;
}
#endif
