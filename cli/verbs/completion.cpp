// `twiddle completion bash` and `twiddle man`: what a package installs beside the program.
#include "base/error.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/verbs.h"

#include <CLI/CLI.hpp>

namespace twiddle::cli {
namespace {

// Words as one single-quoted bash string for compgen -W, which splits it at blanks.
std::string quoted(const std::vector<std::string>& words) {
  std::string out = "'";
  for (const std::string& word : words) out += (out.size() > 1 ? " " : "") + word;
  return out + "'";
}

// A bash command that offers what an argument may be.
std::string offer(const Completion& completion) {
  std::string command;
  if (!completion.words.empty()) command = fmt::format("_twiddle_words {}", quoted(completion.words));
  if (completion.files) {
    if (!command.empty()) command += "; ";
    command += "_twiddle_files";
    for (const std::string& ending : completion.endings) command += " " + ending;
  }
  return command.empty() ? ":" : command;
}

}  // namespace

std::string bash_completion(const Program& program) {
  std::string script = R"(# bash completion for twiddle; written by `twiddle completion bash`.

# Adds those of the words that start like the current one. A colon ends a word for bash, so it is put aside.
_twiddle_words() {
  local word
  for word in $(compgen -W "$1" -- "$current"); do COMPREPLY+=("${word#"$colon_prefix"}"); done
}

# Adds folders, and files with one of these endings (all files when none is named).
_twiddle_files() {
  compopt -o filenames 2>/dev/null
  local file ending
  while IFS= read -r file; do
    if [[ $# == 0 || -d $file ]]; then COMPREPLY+=("$file"); continue; fi
    for ending; do [[ $file == *"$ending" ]] && COMPREPLY+=("$file"); done
  done < <(compgen -f -- "$current")
}

_twiddle() {
  COMPREPLY=()
  local line=${COMP_LINE:0:COMP_POINT} current previous colon_prefix
  local -a typed
  # Words as blanks part them: bash's own splitting also breaks at ':' and '='.
  read -ra typed <<<"$line"
  [[ $line == *[[:blank:]] ]] && typed+=("")
  local last=$((${#typed[@]} - 1))
  current=${typed[last]}
  previous=${typed[last - 1]}
  [[ $current == *:* && $COMP_WORDBREAKS == *:* ]] && colon_prefix=${current%"${current##*:}"}
  if ((last == 1)); then
)";
  std::vector<std::string> verbs;
  for (const CLI::App* verb : program.verbs()) verbs.push_back(verb->get_name());
  std::vector<std::string> top = verbs;
  for (const CLI::Option* option : options_of(program.app()))
    for (const std::string& name : option->get_lnames()) top.push_back("--" + name);
  script += fmt::format("    _twiddle_words {}\n    return\n  fi\n  case ${{typed[1]}} in\n", quoted(top));

  for (const CLI::App* verb : program.verbs()) {
    script += fmt::format("    {})\n", verb->get_name());
    std::vector<std::string> names;
    std::string values;
    for (const CLI::Option* option : options_of(*verb)) {
      std::string pattern;
      for (const std::string& name : option->get_lnames()) {
        names.push_back("--" + name);
        pattern += (pattern.empty() ? "--" : "|--") + name;
      }
      for (const std::string& name : option->get_snames()) {
        names.push_back("-" + name);
        pattern += (pattern.empty() ? "-" : "|-") + name;
      }
      if (option->get_items_expected_max() > 0)
        values += fmt::format("        {}) {}; return ;;\n", pattern, offer(program.completion(option)));
    }
    if (!values.empty()) script += "      case $previous in\n" + values + "      esac\n";
    script += fmt::format("      if [[ $current == -* ]]; then _twiddle_words {}; return; fi\n", quoted(names));
    for (const CLI::Option* argument : arguments_of(*verb))
      script += fmt::format("      {}\n", offer(program.completion(argument)));
    script += "      ;;\n";
  }
  return script + "  esac\n}\ncomplete -F _twiddle twiddle ./twiddle\n";
}

void add_completion(Program& program) {
  const auto shell = std::make_shared<std::string>();
  CLI::App& verb = program.verb(
      "completion", "Print a script that completes Twiddle's command line",
      "An installed Twiddle brings it along; in a source tree it can be loaded by hand.", [&program, shell] {
        if (*shell != "bash")
          throw usage_error("there is no completion for '{}'{}", *shell, "; bash is the one there is");
        print(bash_completion(program));
        return 0;
      });
  program.complete(verb.add_option("SHELL", *shell, "the shell: bash")->required(), {{"bash"}, false, {}});
  program.example(verb, "source <(twiddle completion bash)",
                  "Complete commands, options, algorithms and signals in this shell");
}

void add_man(Program& program) {
  CLI::App& verb = program.verb("man", "Print this program's man page as roff", "", [&program] {
    print(man_page(program));
    return 0;
  });
  program.example(verb, "twiddle man | man -l -", "Read the manual without installing it");
}

}  // namespace twiddle::cli
