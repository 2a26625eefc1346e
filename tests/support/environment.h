// The environment of a test, and of the programs that it runs.
#pragma once

#include <cstdlib>
#include <string>

namespace twiddle {

/// Sets an environment variable, or takes it away (nullptr), and puts the old value back at the end of the scope.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old, had_ = true;
    if (value)
      setenv(name, value, 1);
    else
      unsetenv(name);
  }
  ~Environment() {
    if (had_)
      setenv(name_.c_str(), old_.c_str(), 1);
    else
      unsetenv(name_.c_str());
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::string name_, old_;
  bool had_ = false;
};

}  // namespace twiddle
