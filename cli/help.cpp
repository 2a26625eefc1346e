#include "cli/help.h"

#include "base/process.h"
#include "base/version.h"
#include "viewer/scene/line_breaks.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace twiddle::cli {
namespace {

constexpr std::size_t width = 100;

// A name at the left and what it means beside it, or below it when it is long.
std::string entry(const std::string& name, const std::string& meaning, std::size_t column) {
  std::string out = "  " + name;
  std::size_t at = out.size();
  if (at + 2 > column) {
    out += "\n";
    at = 0;
  }
  out += std::string(column - at, ' ');
  return out + folded(meaning, column);
}

std::string with_placeholder(const CLI::Option& option) {
  const std::string value = option_placeholder(option);
  return option_names(option) + (value.empty() ? "" : " " + value);
}

// `twiddle trace ALGORITHM [--n N] …`, folded between the parts; an option and its value are on one line.
std::string usage(const CLI::App& verb) {
  const std::string head = "  twiddle " + verb.get_name() + " ";
  constexpr char tie = '\x1f';  // a space where no line ends
  std::string pieces;
  const auto put = [&](std::string piece) {
    std::replace(piece.begin(), piece.end(), ' ', tie);
    pieces += (pieces.empty() ? "" : " ") + piece;
  };
  for (const CLI::Option* argument : arguments_of(verb)) {
    const std::string name = argument->get_name() + (argument->get_items_expected_max() > 1 ? "…" : "");
    put(argument->get_required() ? name : "[" + name + "]");
  }
  for (const CLI::Option* option : options_of(verb)) {
    if (option->check_lname("help")) continue;
    const std::string name =
        option->get_lnames().empty() ? "-" + option->get_snames().front() : "--" + option->get_lnames().front();
    const std::string value = option_placeholder(*option);
    const std::string both = name + (value.empty() ? "" : " " + value);
    put(option->get_required() ? both : "[" + both + "]");
  }
  if (pieces.empty()) return "  twiddle " + verb.get_name() + "\n";
  std::string out = twiddle::folded(pieces, width, head, std::string(head.size(), ' '));
  std::replace(out.begin(), out.end(), tie, ' ');
  return out;
}

std::string options_section(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* argument : arguments_of(app))
    out += entry(argument->get_name(), argument->get_description(), 26);
  for (const std::string& group : app.get_groups()) {
    std::string section;
    for (const CLI::Option* option : options_of(app))
      if (option->get_group() == group) section += entry(with_placeholder(*option), option->get_description(), 26);
    if (!section.empty()) out += (out.empty() ? "" : "\n") + group + ":\n" + section;
  }
  return out;
}

constexpr const char* exit_codes[][2] = {
    {"0", "good"},
    {"1", "findings, or verification failed"},
    {"2", "wrong usage; also an output that could not be written"},
    {"3", "unreadable input: a missing, foreign, damaged or newer file"},
    {"4", "no such device or runtime, or it gave up (out of memory, for instance)"},
    {"130", "interrupted by Ctrl-C; what was traced so far is kept and readable"},
};

constexpr const char* files[][2] = {
    {"TWIDDLE_DATA", "the folder with Twiddle's kernels, where it is not beside the program"},
    {"TMPDIR", "where traces without a file name are kept while they are shown"},
    {"DISPLAY, WAYLAND_DISPLAY", "without either there is no window: view --screenshot and export work all the same"},
};

// roff takes a leading dot or quote, and backslashes, as its own.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (out.empty() && (c == '.' || c == '\''))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string roff_options(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* argument : arguments_of(app))
    out += fmt::format(".TP\n.I {}\n{}\n", roff(argument->get_name()), roff(argument->get_description()));
  for (const CLI::Option* option : options_of(app)) {
    if (option->check_lname("help")) continue;
    const std::string value = option_placeholder(*option);
    out += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(option_names(*option)),
                       value.empty() ? "" : " \\fI" + roff(value) + "\\fR", roff(option->get_description()));
  }
  return out;
}

}  // namespace

std::string folded(const std::string& text, std::size_t indent) {
  return twiddle::folded(text, width, "", std::string(indent, ' '));
}

std::string option_names(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += (names.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) names += (names.empty() ? "--" : ", --") + name;
  return names;
}

std::string option_placeholder(const CLI::Option& option) {
  return option.get_items_expected_max() == 0 ? std::string() : option.get_type_name();
}

std::vector<Part> optional_parts() {
  std::vector<Part> parts;
  for (const BuildPart& part : build_parts)
    parts.push_back(
        {part.name, part.present, part.gives, part.package, fmt::format("install {} and build again", part.package)});
  parts.push_back(
      {film_program, !find_program(film_program).empty(), "GIF and MP4 export", "ffmpeg", "install ffmpeg"});
  return parts;
}

std::string version_text() {
  std::string text = fmt::format("twiddle {} ({}, {})\n", program_version, build_type, build_compiler);
  const std::vector<Part> parts = optional_parts();
  for (const Part& part : parts)
    if (part.present) text += fmt::format("  with     {:<11} {}\n", part.name, part.gives);
  for (const Part& part : parts)
    if (!part.present) text += fmt::format("  without  {:<11} {}; {}\n", part.name, part.gives, part.remedy);
  return text;
}

std::string help_text(const Program& program) {
  std::string text =
      "Twiddle shows what a GPU kernel really did: it runs an algorithm on a real device, logs what every\n"
      "work-item did, and replays that log one step at a time.\n\nUsage: twiddle COMMAND …\n\n";
  for (const CLI::App* verb : program.verbs()) {
    text += usage(*verb);
    text += "      " + folded(verb->get_description(), 6);
  }
  text += "\n" + options_section(program.app());
  text += "\nExit codes:\n";
  for (const auto& [code, meaning] : exit_codes) text += entry(code, meaning, 10);
  text += "\ntwiddle COMMAND --help says what each option of a command means. Try: twiddle demo\n";
  return text;
}

std::string help_text(const Program& program, const CLI::App& verb) {
  std::string text = folded(verb.get_description() + ".", 0) + "\nUsage:\n" + usage(verb);
  if (!program.about(verb).empty()) text += "\n" + folded(program.about(verb), 0);
  const std::string options = options_section(verb);
  if (!options.empty()) text += "\n" + options;
  if (!program.examples(verb).empty()) text += "\nExamples:\n";
  for (const Example& example : program.examples(verb))
    text += "  " + example.command + "\n" + "      " + folded(example.meaning, 6);
  return text;
}

std::string man_page(const Program& program) {
  std::string page = fmt::format(
      ".TH TWIDDLE 1 \"\" \"twiddle {}\" \"User Commands\"\n.SH NAME\n"
      "twiddle \\- {}\n.SH SYNOPSIS\n.B twiddle\n.I COMMAND\n[\\fIARGUMENT\\fR ...]\n",
      program_version, "shows what a GPU kernel really did");
  page +=
      ".SH DESCRIPTION\nTwiddle runs an algorithm (an FFT, a reduction, a histogram) on a real device, logs what every "
      "work-item did, and replays that log as a diagram, one step at a time, forwards and backwards.\n";
  page += ".SH COMMANDS\n";
  for (const CLI::App* verb : program.verbs()) {
    page += fmt::format(".SS \"twiddle {}", roff(verb->get_name()));
    for (const CLI::Option* argument : arguments_of(*verb))
      page += argument->get_required() ? " " + roff(argument->get_name()) : " [" + roff(argument->get_name()) + "]";
    page += fmt::format("\"\n{}.\n", roff(verb->get_description()));
    if (!program.about(*verb).empty()) page += ".PP\n" + roff(program.about(*verb)) + "\n";
    page += roff_options(*verb);
    for (const Example& example : program.examples(*verb))
      page += fmt::format(".PP\n{}:\n.PP\n.RS\n.nf\n{}\n.fi\n.RE\n", roff(example.meaning), roff(example.command));
  }
  page += ".SH OPTIONS\n" + roff_options(program.app()) + ".SH \"EXIT STATUS\"\n";
  for (const auto& [code, meaning] : exit_codes) page += fmt::format(".TP\n.B {}\n{}\n", code, roff(meaning));
  page += ".SH ENVIRONMENT\n";
  for (const auto& [name, meaning] : files) page += fmt::format(".TP\n.B {}\n{}\n", name, roff(meaning));
  page += ".SH EXAMPLES\n";
  for (const CLI::App* verb : program.verbs())
    for (const Example& example : program.examples(*verb))
      page += fmt::format(".TP\n.B {}\n{}\n", roff(example.command), roff(example.meaning));
  return page;
}

}  // namespace twiddle::cli
