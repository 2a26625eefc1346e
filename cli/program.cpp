#include "cli/program.h"

#include "base/error.h"
#include "cli/help.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/sentence.h"
#include "tracer/runtime/runtime.h"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <filesystem>
#include <new>

namespace twiddle::cli {

Program::Program() : app_("Shows what a GPU kernel really did, one operation at a time.", "twiddle") {
  app_.require_subcommand(0, 1);
  app_.set_help_flag("-h,--help", "Show this help and leave");
  app_.add_flag("--version", version_, "Show the version and the parts this build lacks, and leave");
}

CLI::App& Program::verb(const std::string& name, const std::string& summary, const std::string& about, Action action) {
  CLI::App* verb = app_.add_subcommand(name, summary);
  verb->parse_complete_callback([this, act = std::move(action)] { chosen_ = act; });
  abouts_[verb] = about;
  return *verb;
}

void Program::complete(const CLI::Option* option, Completion completion) {
  completions_[option] = std::move(completion);
}

void Program::example(const CLI::App& verb, const std::string& command, const std::string& meaning) {
  examples_[&verb].push_back({command, meaning});
}

std::vector<const CLI::App*> Program::verbs() const {
  return app_.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

const Completion& Program::completion(const CLI::Option* option) const {
  static const Completion none;
  const auto found = completions_.find(option);
  return found == completions_.end() ? none : found->second;
}

const std::vector<Example>& Program::examples(const CLI::App& verb) const {
  static const std::vector<Example> none;
  const auto found = examples_.find(&verb);
  return found == examples_.end() ? none : found->second;
}

const std::string& Program::about(const CLI::App& verb) const {
  static const std::string none;
  const auto found = abouts_.find(&verb);
  return found == abouts_.end() ? none : found->second;
}

int Program::act(int count, char** arguments) {
  try {
    app_.parse(count, arguments);
  } catch (const CLI::CallForHelp&) {
    const auto asked = app_.get_subcommands();
    print(asked.empty() ? help_text(*this) : help_text(*this, *asked.front()));
    return 0;
  } catch (const CLI::ParseError& error) { throw Error(ExitCode::usage, Message::verbatim(sentence_of(*this, error))); }
  if (version_) {
    print(version_text());
    return 0;
  }
  if (chosen_) return chosen_();
  if (otherwise_) return otherwise_();
  print(help_text(*this));
  return 0;
}

int Program::run(int count, char** arguments) {
  const int code = guarded_act(count, arguments);
  if (!launch_left_running()) return code;
  // At an ordinary end the driver would wait for the kernel that never ends.
  flush_quietly();
  std::_Exit(code);
}

int Program::guarded_act(int count, char** arguments) {
  const auto fail = [](const std::string& sentence, int code) {
    flush_quietly();
    print_line("{}", sentence);
    return code;
  };
  try {
    const int code = act(count, arguments);
    finish_output();
    return code;
  } catch (const Interrupted& interrupted) {
    return fail(interrupted.what(), exit_interrupted);
  } catch (const OutputClosed&) { return 0; } catch (const Error& error) {
    return fail(error.what(), static_cast<int>(error.code()));
  } catch (const std::bad_alloc&) {
    return fail("this machine ran out of memory; try a smaller size, --detail index, --stages or --items",
                static_cast<int>(ExitCode::no_device));
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(fmt::format("{} could not be used: {}", error.path1().empty() ? "a file" : error.path1().string(),
                            error.code().message()),
                static_cast<int>(ExitCode::usage));
  } catch (const std::exception& error) {
    return fail(fmt::format("a fault in Twiddle itself, which is worth a bug report: {}", one_line(error.what())),
                exit_fault);
  }
}

std::vector<const CLI::Option*> arguments_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  return app.get_options(
      [](const CLI::Option* option) { return option->nonpositional() && !option->get_group().empty(); });
}

}  // namespace twiddle::cli
