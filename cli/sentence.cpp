#include "cli/sentence.h"

#include "base/did_you_mean.h"
#include "kernels/catalogue/catalogue.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

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

}  // namespace

std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

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

}  // namespace twiddle::cli
