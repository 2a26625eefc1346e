#include "cli/plan_files.h"

#include "base/error.h"
#include "base/read_file.h"
#include "cli/output.h"
#include "kernels/catalogue/catalogue.h"
#include "tracer/source/plan_start.h"
#include "tracer/source/source.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <system_error>

namespace fs = std::filesystem;

namespace twiddle::cli {
namespace {

constexpr std::uintmax_t max_kernel_file = 1 << 22;  // bytes

fs::path plan_beside(const fs::path& kernel) { return fs::path(kernel).replace_extension(".toml"); }

}  // namespace

std::vector<fs::path> PlanFiles::operator()() {
  try {
    const Plan plan = read_plan_file(plan_);
    std::set<fs::path> files{plan_};
    for (const Launch& launch : plan.launches)
      for (const char* extension : {".cl", ".cu"}) add_source(plan, launch, extension, files);
    for (const Buffer& buffer : plan.buffers)
      if (buffer.content.kind == Content::Kind::File) files.insert(plan.directory / buffer.content.file);
    if (!plan.expect.file.empty()) files.insert(plan.directory / plan.expect.file);
    files_.assign(files.begin(), files.end());
  } catch (const Error&) {
    if (files_.empty()) files_ = {plan_};
  }
  return files_;
}

void PlanFiles::add_source(const Plan& plan, const Launch& launch, const char* extension, std::set<fs::path>& files) {
  std::error_code ignored;
  try {
    const KernelSource source = kernel_source(plan, launch, extension);
    for (const SourceText& text : source_files(source))
      if (const fs::path file = source.directory / text.name; fs::exists(file, ignored)) files.insert(file);
  } catch (const Error&) {
    // Only one of the two languages has it, or it is being saved.
    if (const fs::path file = plan.directory / launch.source; fs::exists(file, ignored)) files.insert(file);
  }
}

void drop_unused_buffers(Plan& plan) {
  for (std::size_t b = plan.buffers.size(); b-- > 0;) {
    const std::string& name = plan.buffers[b].name;
    const Expect& expect = plan.expect;
    bool used = expect.transform != Expect::Transform::None &&
                (expect.input == name || expect.output == name || expect.operand == name ||
                 expect.from.imaginary == name || expect.to.imaginary == name);
    for (const Launch& launch : plan.launches)
      for (const Argument& argument : launch.arguments)
        for (const std::size_t buffer : buffers_of(argument)) used = used || buffer == b;
    if (used) continue;
    plan.buffers.erase(plan.buffers.begin() + static_cast<std::ptrdiff_t>(b));
    const auto renumber = [&](auto& one) {
      if (auto* buffer = std::get_if<BufferArgument>(&one); buffer && buffer->buffer > b) --buffer->buffer;
    };
    for (Launch& launch : plan.launches)
      for (Argument& argument : launch.arguments) {
        renumber(argument);
        if (auto* members = std::get_if<StructArgument>(&argument))
          for (StructArgument::Member& member : members->members) renumber(member);
      }
  }
}

bool names_kernel(const std::string& subject) {
  const fs::path extension = fs::path(subject).extension();
  return extension == ".cl" || extension == ".cu";
}

fs::path write_starting_plan(const fs::path& kernel) {
  fs::path plan = plan_beside(kernel);
  std::error_code failed;
  if (fs::exists(plan, failed) || fs::is_symlink(plan, failed))
    throw usage_error("{0} is there already, and nothing of yours is overwritten; twiddle check {0} runs it",
                      plan.string());
  const KernelSource source{kernel.filename().string(), read_file(kernel, max_kernel_file),
                            kernel.has_parent_path() ? kernel.parent_path() : fs::path(".")};
  std::string included;
  const std::vector<SourceText> files = source_files(source);
  for (std::size_t f = 1; f < files.size(); ++f) included += files[f].text + "\n";
  write_file(plan, starting_plan(source, included));
  return plan;
}

std::string plan_for_kernel(const std::string& kernel, const std::string& verb) {
  std::error_code failed;
  if (!fs::exists(kernel, failed)) throw unreadable("{}: there is no such file", kernel);
  const fs::path plan = plan_beside(kernel);
  constexpr std::string_view what =
      "is a kernel, and what runs is a plan: a TOML file that says which buffers there are and how the kernels are "
      "launched";
  if (fs::exists(plan, failed))
    throw usage_error("{} {}; {} beside it is one: twiddle {} {}", kernel, what, plan.filename().string(), verb,
                      plan.string());
  if (::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1) {
    flush_quietly();
    std::fputs(
        fmt::format("{} {}.\nWrite {} from its parameters, and go on with that? [y/N] ", kernel, what, plan.string())
            .c_str(),
        stderr);
    std::string answer;
    if (std::getline(std::cin, answer) && (answer == "y" || answer == "Y" || answer == "yes"))
      return write_starting_plan(kernel).string();
  }
  throw usage_error("{0} {1}; twiddle new --from {0} writes one from its parameters", kernel, what);
}

}  // namespace twiddle::cli
