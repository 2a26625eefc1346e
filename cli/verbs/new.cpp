// `twiddle new`: a working kernel and its plan, to be changed.
#include "base/error.h"
#include "base/paths.h"
#include "base/read_file.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/verbs.h"

#include <CLI/CLI.hpp>

#include <system_error>

namespace fs = std::filesystem;

namespace twiddle::cli {
namespace {

constexpr std::string_view files[] = {"mine.cl", "mine.cu", "mine.toml"};
constexpr std::size_t max_template = 1 << 20;

int make_folder(const fs::path& folder) {
  std::error_code failed;
  if (fs::exists(folder, failed) && !fs::is_directory(folder, failed))
    throw usage_error("{} is there already and is no folder; name another", folder.string());
  for (const std::string_view name : files)
    if (fs::exists(folder / name, failed) || fs::is_symlink(folder / name, failed))
      throw usage_error("{} is there already, and nothing of yours is overwritten; name another folder",
                        (folder / name).string());
  fs::create_directories(folder, failed);
  if (failed) throw usage_error("the folder {} could not be made: {}", folder.string(), failed.message());
  for (const std::string_view name : files)
    write_file(folder / name, read_file(resource("kernels/new") / name, max_template));
  const std::string plan = (folder / "mine.toml").string();
  print(
      fmt::format("{}\n    an FFT with its trace lines, to change\n{}\n    the same in CUDA C++\n{}\n    what it runs "
                  "on, and what should come out\n\n"
                  "twiddle view {}\n    shows it, and traces again whenever a file is saved\n"
                  "twiddle verify {}\n    compares the outcome with a transform in double precision\n",
                  (folder / "mine.cl").string(), (folder / "mine.cu").string(), plan, plan, plan));
  return 0;
}

}  // namespace

void add_new(Program& program) {
  const auto folder = std::make_shared<std::string>();
  CLI::App& verb = program.verb("new", "Write a kernel and a plan to start your own from",
                                "mine.cl is an FFT with its trace lines, mine.cu the same in CUDA C++, mine.toml says "
                                "what they run on. They work as "
                                "they are, and nothing that is there already is overwritten.",
                                [folder] { return make_folder(*folder); });
  program.complete(
      add_text(verb, "DIR", "", "the folder to write them to; made when it is not there", *folder)->required(),
      {{}, true, {}});
  program.example(verb, "twiddle new fft", "Write fft/mine.cl, fft/mine.cu and fft/mine.toml");
}

}  // namespace twiddle::cli
