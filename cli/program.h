// The command line as one object: every verb with its options. Parsing, --help, the man page and shell completion all
// come from it, so that they cannot disagree.
#pragma once

#include <CLI/App.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace twiddle::cli {

/// Exit codes beside the promised ones of base/error.h: what a shell expects of a program that a signal ended, and a
/// fault of Twiddle's own.
inline constexpr int exit_interrupted = 130;
inline constexpr int exit_fault = 70;

/// What a verb does once the command line is understood; returns the exit code.
using Action = std::function<int()>;

/// What the shell offers for an argument: these words, and files with these endings (empty: any file).
struct Completion {
  std::vector<std::string> words;
  bool files = false;
  std::vector<std::string> endings;
};

struct Example {
  std::string command, meaning;
};

class Program {
 public:
  Program();

  /// Adds a verb. `summary` is a line, `about` what --help and the man page say beside it (may be empty).
  CLI::App& verb(const std::string& name, const std::string& summary, const std::string& about, Action action);
  /// What the program does when no verb is named; without it, it shows its help.
  void otherwise(Action action) { otherwise_ = std::move(action); }
  /// Says what the shell offers for an option's or argument's value.
  void complete(const CLI::Option* option, Completion completion);
  void example(const CLI::App& verb, const std::string& command, const std::string& meaning);

  /// Parses and acts. Every failure becomes one sentence on standard error and the promised exit code.
  int run(int count, char** arguments);

  const CLI::App& app() const { return app_; }
  std::vector<const CLI::App*> verbs() const;
  const Completion& completion(const CLI::Option* option) const;
  const std::vector<Example>& examples(const CLI::App& verb) const;
  static std::string about(const CLI::App& verb) { return verb.get_footer(); }

 private:
  CLI::App app_;
  Action chosen_, otherwise_;
  bool version_ = false;
  std::map<const CLI::Option*, Completion> completions_;
  std::map<const CLI::App*, std::vector<Example>> examples_;

  int act(int count, char** arguments);
  int guarded_act(int count, char** arguments);
};

/// The options of a verb that a person may give, in the order they were added: positional arguments, then the others.
std::vector<const CLI::Option*> arguments_of(const CLI::App& app);
std::vector<const CLI::Option*> options_of(const CLI::App& app);

}  // namespace twiddle::cli
