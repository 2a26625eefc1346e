#include "cli/program.h"

#include "base/did_you_mean.h"
#include "base/error.h"
#include "cli/help.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "tracer/runtime/runtime.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <string_view>
#include <vector>

namespace twiddle::cli {
namespace {

// The option's longest name with its dashes, or the argument's name.
std::string spelled(const CLI::Option& option) {
  if (!option.get_lnames().empty()) return "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) return "-" + option.get_snames().front();
  return option.get_name();
}

std::vector<std::string> spellings(const CLI::App& app) {
  std::vector<std::string> all;
  for (const CLI::Option* option : options_of(app)) {
    for (const std::string& name : option->get_lnames()) all.push_back("--" + name);
    for (const std::string& name : option->get_snames()) all.push_back("-" + name);
  }
  return all;
}

std::string unexpected(const Program& program, const CLI::App& verb, const std::string& word) {
  const bool top = &verb == &program.app();
  const std::string where = top ? "twiddle" : "twiddle " + verb.get_name();
  if (word.size() > 1 && word[0] == '-') {
    const std::string name = word.substr(0, word.find('='));
    return fmt::format("{} has no option {}{}", where, name, did_you_mean(name, spellings(verb)));
  }
  if (!top) return fmt::format("{} does not know what to do with '{}'; see {} --help", where, word, where);
  std::vector<std::string> names;
  for (const CLI::App* known : program.verbs()) names.push_back(known->get_name());
  return fmt::format("there is no command '{}'{}", word,
                     did_you_mean(word, names, Message("; twiddle --help lists them")));
}

// The option of `verb` that the message is about: the one with the longest spelling in it.
const CLI::Option* option_in(const CLI::App& verb, const std::string& message) {
  const CLI::Option* found = nullptr;
  for (const CLI::Option* option : verb.get_options()) {
    const std::string name = spelled(*option);
    // Of a flag with a value CLI11 names the option without its dashes, at the beginning.
    const bool flag = option->get_items_expected_max() == 0 && !option->get_lnames().empty();
    const bool named =
        message.find(name) != std::string::npos || (flag && message.rfind(option->get_lnames().front() + " ", 0) == 0);
    if (named && (!found || name.size() > spelled(*found).size())) found = option;
  }
  return found;
}

// Line ends become spaces: for messages that come from libraries.
std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

// What CLI11 found wrong with a command line, as one sentence that says what to do.
std::string sentence_of(const Program& program, const CLI::ParseError& error) {
  const auto parsed = program.app().get_subcommands([](const CLI::App* app) { return app->parsed(); });
  const CLI::App& verb = parsed.empty() ? program.app() : *parsed.front();

  const auto is = [&](CLI::ExitCodes code) { return error.get_exit_code() == static_cast<int>(code); };
  if (is(CLI::ExitCodes::ExtrasError)) {
    const std::vector<std::string> extras = program.app().remaining(true);
    if (!extras.empty()) return unexpected(program, verb, extras.front());
  }
  if (is(CLI::ExitCodes::RequiredError)) {
    for (const CLI::Option* argument : arguments_of(verb))
      if (argument->get_required() && argument->count() == 0)
        return fmt::format("twiddle {} needs {}: {}", verb.get_name(), argument->get_name(),
                           argument->get_description());
    for (const CLI::Option* option : options_of(verb))
      if (option->get_required() && option->count() == 0)
        return fmt::format("twiddle {} needs {}: {}", verb.get_name(), spelled(*option), option->get_description());
  }
  if (const CLI::Option* option = option_in(verb, error.what())) {
    const std::string name = spelled(*option);
    if (option->get_items_expected_max() == 0) return fmt::format("{} takes no value", name);
    if (option->count() > 1) return fmt::format("{} was given {} times; give it once", name, option->count());
    return fmt::format("{} needs a value: {}", name, option->get_description());
  }
  return fmt::format("{}; see twiddle --help", one_line(error.what()));
}

}  // namespace

Program::Program() : app_("Shows what a GPU kernel really did, one operation at a time.", "twiddle") {
  app_.require_subcommand(0, 1);
  app_.set_help_flag("-h,--help", "Show this help and leave");
  app_.add_flag("--version", version_, "Show the version and the parts this build lacks, and leave");
}

CLI::App& Program::verb(const std::string& name, const std::string& summary, const std::string& about, Action action) {
  CLI::App* verb = app_.add_subcommand(name, summary);
  verb->parse_complete_callback([this, act = std::move(action)] { chosen_ = act; });
  verb->footer(about);
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

int Program::act(int count, char** arguments) {
  // A trace alone is looked at: what a desktop does with one that is opened.
  std::vector<const char*> words(arguments, arguments + count);
  if (count == 2 && std::string_view(arguments[1]).ends_with(".twd")) words.insert(words.begin() + 1, "view");
  try {
    app_.parse(static_cast<int>(words.size()), words.data());
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
  // "twiddle help view", as other programs have it, is "twiddle view --help".
  static char help[] = "--help";
  std::vector<char*> words(arguments, arguments + count);
  if (words.size() > 1 && std::string_view(words[1]) == "help") words.erase(words.begin() + 1), words.push_back(help);
  const int code = guarded_act(static_cast<int>(words.size()), words.data());
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
