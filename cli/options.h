// Options that several verbs share: what to run, where, what to keep, and how pictures look.
#pragma once

#include "cli/program.h"
#include "kernels/catalogue/catalogue.h"
#include "tracer/run/tracer.h"
#include "tracer/runtime/runtime.h"
#include "viewer/facts/watch.h"
#include "viewer/scene/theme.h"
#include "viewer/views/cost_strips.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace twiddle::cli {

/// Seconds that a launch may take.
inline constexpr int default_timeout = 120;

/// What to run (trace's and verify's options), where, and what of it to keep.
struct RunOptions {
  Request request;
  std::string runtime = "auto";
  int device = 0;
  std::optional<std::uint64_t> timeout;  // seconds that a launch may take, 0: no limit; else default_timeout
  std::vector<Schedule> schedules;       // orders for the host executor; empty: none was asked for
  int threads = 0;                       // of the host executor; 0: not asked for
  TraceOptions trace;
};

/// --n, --rows, --cols, --inverse, --signal, --group-size, --type, --method, --twiddles, --sign, and the other options that a
/// catalogue entry says it takes.
void add_request_options(Program& program, CLI::App& verb, Request& request);
/// --runtime, --device and --timeout.
void add_runtime_options(Program& program, CLI::App& verb, RunOptions& options);
/// --schedule and --threads, of the host executor.
void add_host_options(Program& program, CLI::App& verb, RunOptions& options);
/// --detail, --stages, --items, --buffers, --window-bytes.
void add_keep_options(Program& program, CLI::App& verb, TraceOptions& options);
/// All of these: what a verb takes that traces anything, on any runtime.
void add_tracing_options(Program& program, CLI::App& verb, RunOptions& options);

/// How a picture is drawn: --view, --log, --costs, --theme, --size, --scale, and --lang where add_language_option() asks for it.
struct PictureOptions {
  ThemeName theme = ThemeName::Light;
  bool theme_given = false;  // else the window takes the system's
  float width = 1440, height = 900, scale = 1;
  std::string view;  // by name; empty: the one the trace opens on
  bool log_scale = false;
  std::optional<CostStrips> costs{};  // below the columns; nothing: in the window as it was left, in exports none
  bool lockstep = false;              // by turns of sub-groups
  int made = 0;                       // of the position's turns (TurnPlace)
  bool presenting = false;            // of the window: the diagram and nothing else, in large type
  std::string language;               // "en", "ja", "zh"; empty: the system's
  std::vector<StopCondition> stops;   // of the window: conditions that play halts at
};
void add_picture_options(Program& program, CLI::App& verb, PictureOptions& options);
/// --size of a window or a picture, px.
void add_size_option(CLI::App& verb, const std::string& meaning, float& width, float& height);

/// --lang: en, ja or zh.
CLI::Option* add_language_option(Program& program, CLI::App& verb, const std::string& meaning, std::string& language);
/// Sets the language of pictures, pages and windows; the system's where none was asked for.
void use_asked_language(const std::string& asked);

/// The whole number that `text` is: decimal digits only. Throws Error (usage) that names `what`.
std::uint64_t whole_number(const std::string& what, const std::string& text, std::uint64_t lowest,
                           std::uint64_t highest);
/// The number that `text` is. Throws Error (usage) that names `what`.
double number_between(const std::string& what, const std::string& text, double lowest, double highest);
/// "A:B", first to last, or "A" for A:A. Throws Error (usage).
std::pair<std::uint64_t, std::uint64_t> whole_range(const std::string& what, const std::string& text,
                                                    std::uint64_t lowest, std::uint64_t highest);

/// Options that are added while this lives are listed under a heading of their own.
class OptionGroup {
 public:
  OptionGroup(CLI::App& verb, const std::string& heading);
  ~OptionGroup();
  OptionGroup(const OptionGroup&) = delete;
  OptionGroup& operator=(const OptionGroup&) = delete;

 private:
  CLI::App& verb_;
  std::string before_;
};

/// An option whose text `store` takes, or refuses: it throws Error (usage) then.
CLI::Option* add_parsed(CLI::App& verb, const std::string& name, const std::string& placeholder,
                        const std::string& meaning, const std::function<void(const std::string&)>& store);
/// An option that takes a whole number from `lowest` to `highest`, which fits into `store`, a number or an optional one.
template <typename T>
CLI::Option* add_whole(CLI::App& verb, const std::string& name, const std::string& placeholder,
                       const std::string& meaning, std::uint64_t lowest, std::uint64_t highest, T& store) {
  return add_parsed(verb, name, placeholder, meaning, [name, lowest, highest, &store](const std::string& text) {
    const std::uint64_t number = whole_number(name, text, lowest, highest);
    if constexpr (requires { typename T::value_type; })
      store = static_cast<typename T::value_type>(number);
    else
      store = static_cast<T>(number);
  });
}
/// An option that takes a number from `lowest` to `highest`, fractions too.
template <typename T>
CLI::Option* add_number(CLI::App& verb, const std::string& name, const std::string& placeholder,
                        const std::string& meaning, double lowest, double highest, T& store) {
  return add_parsed(verb, name, placeholder, meaning, [name, lowest, highest, &store](const std::string& text) {
    store = static_cast<T>(number_between(name, text, lowest, highest));
  });
}
/// An option that takes one of a few words; others are answered with the nearest.
CLI::Option* add_choice(Program& program, CLI::App& verb, const std::string& name, const std::string& meaning,
                        const std::vector<std::string>& choices, std::function<void(const std::string&)> store);
CLI::Option* add_choice(Program& program, CLI::App& verb, const std::string& name, const std::string& meaning,
                        const std::vector<std::string>& choices, std::string& store);
/// The same with what each word means.
template <typename T>
CLI::Option* add_choice(Program& program, CLI::App& verb, const std::string& name, const std::string& meaning,
                        const std::vector<std::pair<std::string, T>>& choices, T& store) {
  std::vector<std::string> words;
  for (const auto& [word, value] : choices) words.push_back(word);
  return add_choice(program, verb, name, meaning, words, [choices, &store](const std::string& given) {
    for (const auto& [word, value] : choices)
      if (word == given) store = value;
  });
}
/// An option without a value.
CLI::Option* add_switch(CLI::App& verb, const std::string& name, const std::string& meaning, bool& store);
/// An option or argument that takes any text.
CLI::Option* add_text(CLI::App& verb, const std::string& name, const std::string& placeholder,
                      const std::string& meaning, std::string& store);

/// What a parameter of a catalogue entry means: "number of points (power of two, 2 … 2^27; 8 without it)".
std::string parameter_text(const Parameter& parameter);

/// What the shell completes: an algorithm, a trace, or either.
Completion algorithm_completion();
Completion trace_completion();
Completion subject_completion();
/// Every id of the catalogue, the gallery's with "gallery/" before them.
std::vector<std::string> algorithm_ids();

/// True when the argument means a trace file, false when it means an algorithm or a plan file.
bool names_trace(const std::string& subject);

}  // namespace twiddle::cli
