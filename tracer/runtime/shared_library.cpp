#include "tracer/runtime/shared_library.h"

#include <dlfcn.h>

namespace twiddle {

SharedLibrary::~SharedLibrary() {
  if (handle_) dlclose(handle_);
}

SharedLibrary SharedLibrary::open(const std::vector<std::string>& names) {
  SharedLibrary library;
  for (const std::string& name : names) {
    library.handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library.handle_) continue;
    library.name_ = name;
    break;
  }
  return library;
}

void* SharedLibrary::symbol(const char* name) const { return dlsym(handle_, name); }

std::string SharedLibrary::file(const char* some_symbol) const {
  Dl_info info{};
  void* address = symbol(some_symbol);
  return address && dladdr(address, &info) && info.dli_fname ? info.dli_fname : name_;
}

}  // namespace twiddle
