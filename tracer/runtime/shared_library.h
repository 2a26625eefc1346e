// A library that may or may not be on this machine, looked for when it is needed.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace twiddle {

class SharedLibrary {
 public:
  SharedLibrary() = default;
  SharedLibrary(SharedLibrary&& other) noexcept { swap(other); }
  SharedLibrary& operator=(SharedLibrary&& other) noexcept {
    swap(other);
    return *this;
  }
  ~SharedLibrary();

  /// The first of these names or paths that can be loaded; an empty one when none can.
  static SharedLibrary open(const std::vector<std::string>& names);

  explicit operator bool() const { return handle_ != nullptr; }
  const std::string& name() const { return name_; }
  /// A function's address; null when the library has no such name.
  void* symbol(const char* name) const;
  /// The file that it came from; the name where that cannot be told.
  std::string file(const char* some_symbol) const;

 private:
  void swap(SharedLibrary& other) {
    std::swap(handle_, other.handle_);
    std::swap(name_, other.name_);
  }
  void* handle_ = nullptr;
  std::string name_;
};

}  // namespace twiddle
