// A folder with plan files of a test's own, gone afterwards.
#pragma once

#include "kernels/plan/plan.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace twiddle {

class PlanFolder {
 public:
  PlanFolder() {
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("twiddle-plans-" + std::to_string(::getpid()) + "-" + std::to_string(++number));
    std::filesystem::create_directories(path_);
  }
  ~PlanFolder() { std::filesystem::remove_all(path_); }
  PlanFolder(const PlanFolder&) = delete;
  PlanFolder& operator=(const PlanFolder&) = delete;

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  Plan read(const std::string& text, const PlanParameters& given = {}) const {
    return read_plan_file(write("plan.toml", text), given);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace twiddle
