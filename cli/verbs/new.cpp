// `twiddle new`: a working kernel and its plan, to be changed; or a plan for a kernel that is there.
#include "base/error.h"
#include "base/paths.h"
#include "base/read_file.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/plan_files.h"
#include "cli/verbs.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <system_error>

namespace fs = std::filesystem;

namespace twiddle::cli {
namespace {

constexpr std::string_view files[] = {"mine.cl", "mine.cu", "mine.toml"};
constexpr std::size_t max_template = 1 << 20;

struct Template {
  std::string name, what;
};
const std::vector<Template>& templates() {
  static const std::vector<Template> all{
      {"fft", "an FFT with its trace lines"},
      {"sum", "a sum by a tree in local memory, in two launches"},
      {"scan", "prefix sums in local memory"},
      {"histogram", "counts in local memory, added up by atomic operations"},
      {"tile", "a filter over a tile with a halo in local memory"},
      {"transpose", "a transpose through a padded tile"},
  };
  return all;
}

struct NewOptions {
  std::string folder, kernel, name = "fft";
};

int make_folder(const NewOptions& options) {
  const fs::path folder = options.folder;
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
    write_file(folder / name, read_file(resource("kernels/new") / options.name / name, max_template));
  const std::string plan = (folder / "mine.toml").string();
  const auto chosen = std::find_if(templates().begin(), templates().end(),
                                   [&](const Template& one) { return one.name == options.name; });
  print(
      fmt::format("{}\n    {}, to change\n{}\n    the same in CUDA C++\n{}\n    what it runs "
                  "on, and what should come out\n\n"
                  "twiddle view {}\n    shows it, and traces again whenever a file is saved\n"
                  "twiddle check {} --watch\n    says what is wrong with it, again whenever a file is saved\n"
                  "twiddle verify {}\n    compares the outcome with a reference in double precision\n",
                  (folder / "mine.cl").string(), chosen->what, (folder / "mine.cu").string(), plan, plan, plan, plan));
  return 0;
}

int make_plan_for(const std::string& kernel) {
  if (!names_kernel(kernel)) throw usage_error("--from takes a kernel's source, .cl or .cu, not {}", kernel);
  const std::string plan = write_starting_plan(kernel).string();
  print(
      fmt::format("{}\n    what {} runs on, guessed from its parameters: look through it\n\n"
                  "twiddle check {}\n    runs it, and says what is wrong or wasteful\n",
                  plan, kernel, plan));
  return 0;
}

int make(const NewOptions& options) {
  if (options.kernel.empty() && options.folder.empty())
    throw usage_error("new needs DIR, the folder to write to, or --from FILE.cl");
  if (!options.kernel.empty() && !options.folder.empty())
    throw usage_error("--from writes the plan beside the kernel: leave out DIR");
  return options.kernel.empty() ? make_folder(options) : make_plan_for(options.kernel);
}

}  // namespace

void add_new(Program& program) {
  const auto options = std::make_shared<NewOptions>();
  CLI::App& verb = program.verb(
      "new", "Write a kernel and a plan to start your own from, or a plan for a kernel that you have",
      "mine.cl is a kernel as a textbook has it, mine.cu the same in CUDA C++, mine.toml says what they run on and "
      "what should come out. They work as they are, and nothing that is there already is overwritten. --from writes a "
      "plan for a kernel of yours beside it: a buffer for each pointer, and guesses for sizes and numbers, to be "
      "looked through.",
      [options] { return make(*options); });
  program.complete(add_text(verb, "DIR", "", "the folder to write them to; made when it is not there", options->folder),
                   {{}, true, {}});
  std::vector<std::string> names;
  std::string meaning = "what to start from:";
  for (const Template& one : templates()) {
    meaning += fmt::format("{} {} ({})", names.empty() ? "" : ",", one.name, one.what);
    names.push_back(one.name);
  }
  add_choice(program, verb, "--template", meaning, names, options->name);
  program.complete(add_text(verb, "--from", "FILE.cl", "a kernel's source to write a plan for", options->kernel),
                   {{}, true, {".cl", ".cu"}});
  program.example(verb, "twiddle new fft", "Write fft/mine.cl, fft/mine.cu and fft/mine.toml");
  program.example(verb, "twiddle new sum --template sum", "The same of a sum");
  program.example(verb, "twiddle new --from scale.cl", "Write scale.toml, a plan to start from, for a kernel of yours");
}

}  // namespace twiddle::cli
