// The files that a plan is made of, and plans for kernels that have none.
#pragma once

#include "kernels/plan/plan.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace twiddle::cli {

/// The files of a plan: itself, its kernels with what they include, its data. Of a plan that cannot be read just now, those
/// that it had.
class PlanFiles {
 public:
  explicit PlanFiles(std::filesystem::path plan) : plan_(std::move(plan)) {}
  std::vector<std::filesystem::path> operator()();

 private:
  static void add_source(const Plan& plan, const Launch& launch, const char* extension,
                         std::set<std::filesystem::path>& files);

  std::filesystem::path plan_;
  std::vector<std::filesystem::path> files_;
};

/// Leaves out the buffers that no launch and no expectation names.
void drop_unused_buffers(Plan& plan);

/// Whether a subject is a kernel's source (.cl, .cu) and no plan.
bool names_kernel(const std::string& subject);

/// Writes a plan to start from beside the kernel's source: scale.toml for scale.cl. Its name. Throws Error (usage) where it is
/// there already, and where starting_plan() does; Error (unreadable) where there is no source.
std::filesystem::path write_starting_plan(const std::filesystem::path& kernel);

/// What to do about a kernel that was given in place of a plan: on a terminal asks whether to write one, and gives its name.
/// Else, or where the answer is no, throws Error (usage) that says what a plan is and which command writes it.
std::string plan_for_kernel(const std::string& kernel, const std::string& verb);

}  // namespace twiddle::cli
