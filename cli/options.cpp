#include "cli/options.h"

#include "base/did_you_mean.h"
#include "base/error.h"
#include "kernels/signal/signal.h"
#include "lessons/text/library.h"
#include "viewer/scene/languages.h"
#include "viewer/views/view.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <filesystem>
#include <limits>
#include <set>

namespace fs = std::filesystem;

namespace twiddle::cli {
namespace {

constexpr std::uint64_t any_size = std::numeric_limits<std::uint64_t>::max();
const std::vector<std::string> runtimes = {"auto", "opencl", "cuda", "host"};

// Options that only some algorithms know, e.g. --rows-per-group; their values go to Request::more as text.
void add_special_options(Program& program, CLI::App& verb, Request& request) {
  std::set<std::string> known;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) known.insert(name);
  for (const auto entries : {algorithms(), gallery()})
    for (const Algorithm& algorithm : entries)
      for (const Parameter& parameter : algorithm.parameters) {
        if (!known.insert(parameter.name).second) continue;
        CLI::Option* option = verb.add_option_function<std::string>(
            "--" + parameter.name,
            [&request, name = parameter.name](const std::string& value) { request.more[name] = value; },
            parameter_text(parameter));
        option->type_name("VALUE")->group("What only some algorithms take");
        program.complete(option, {});
      }
}

}  // namespace

std::uint64_t whole_number(const std::string& what, const std::string& text, std::uint64_t lowest,
                           std::uint64_t highest) {
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool digits = !text.empty() && end == text.data() + text.size();
  if (digits && failed == std::errc::result_out_of_range)
    throw usage_error("{} {} is more than can be counted; the most is {}", what, text, highest);
  if (!digits || failed != std::errc())
    throw usage_error("{} takes a whole number of {} or more in plain digits, and '{}' is none", what, lowest, text);
  if (value < lowest) throw usage_error("{} takes a whole number of {} or more, and {} is less", what, lowest, text);
  if (value > highest) throw usage_error("{} takes a whole number of at most {}, and {} is more", what, highest, text);
  return value;
}

std::pair<std::uint64_t, std::uint64_t> whole_range(const std::string& what, const std::string& text,
                                                    std::uint64_t lowest, std::uint64_t highest) {
  const std::size_t colon = text.find(':');
  const std::string first = text.substr(0, colon);
  const std::string last = colon == std::string::npos ? first : text.substr(colon + 1);
  if (first.empty() || last.empty())
    throw usage_error("{} takes a range FIRST:LAST, as in {} 2:3, and '{}' is none", what, what, text);
  const std::pair range{whole_number(what, first, lowest, highest), whole_number(what, last, lowest, highest)};
  if (range.first > range.second)
    throw usage_error("{} {} ends before it begins; the smaller number comes first", what, text);
  return range;
}

double number_between(const std::string& what, const std::string& text, double lowest, double highest) {
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size() || !(value >= lowest && value <= highest))
    throw usage_error("{} takes a number from {} to {}, and '{}' is none", what, lowest, highest, text);
  return value;
}

OptionGroup::OptionGroup(CLI::App& verb, const std::string& heading)
    : verb_(verb), before_(verb.option_defaults()->get_group()) {
  verb.option_defaults()->group(heading);
}
OptionGroup::~OptionGroup() { verb_.option_defaults()->group(before_); }

CLI::Option* add_parsed(CLI::App& verb, const std::string& name, const std::string& placeholder,
                        const std::string& meaning, const std::function<void(const std::string&)>& store) {
  return verb.add_option_function<std::string>(name, store, meaning)->type_name(placeholder);
}

CLI::Option* add_choice(Program& program, CLI::App& verb, const std::string& name, const std::string& meaning,
                        const std::vector<std::string>& choices, std::function<void(const std::string&)> store) {
  const std::string placeholder = fmt::format("{}", fmt::join(choices, "|"));
  CLI::Option* option =
      add_parsed(verb, name, placeholder, meaning, [name, choices, store = std::move(store)](const std::string& word) {
        if (std::find(choices.begin(), choices.end(), word) == choices.end())
          throw usage_error("{} takes {}, not '{}'{}", name, fmt::join(choices, " or "), word,
                            did_you_mean(word, choices));
        store(word);
      });
  program.complete(option, {choices, false, {}});
  return option;
}

CLI::Option* add_choice(Program& program, CLI::App& verb, const std::string& name, const std::string& meaning,
                        const std::vector<std::string>& choices, std::string& store) {
  return add_choice(program, verb, name, meaning, choices, [&store](const std::string& word) { store = word; });
}

CLI::Option* add_switch(CLI::App& verb, const std::string& name, const std::string& meaning, bool& store) {
  return verb.add_flag(name, store, meaning)->disable_flag_override();
}

CLI::Option* add_text(CLI::App& verb, const std::string& name, const std::string& placeholder,
                      const std::string& meaning, std::string& store) {
  return add_parsed(verb, name, placeholder, meaning, [&store](const std::string& text) { store = text; });
}

void add_request_options(Program& program, CLI::App& verb, Request& request) {
  {
    const OptionGroup group(verb, "What to run");
    add_whole(verb, "--n", "N", "points or values (an algorithm's own default without it)", 0, any_size, request.n);
    add_whole(verb, "--rows", "R", "rows, of two-dimensional algorithms", 0, any_size, request.rows);
    add_whole(verb, "--cols", "C", "columns, of two-dimensional algorithms", 0, any_size, request.columns);
    add_switch(verb, "--inverse", "the inverse transform, scaled by 1/N", request.inverse);
    program.complete(
        add_text(verb, "--signal", "S", "the input: a name of twiddle list signals, or a .csv, .wav, .pgm or .png file",
                 request.signal),
        {signal_words(), true, {".csv", ".wav", ".pgm", ".png"}});
    add_whole(verb, "--group-size", "G", "work-items in a work-group", 1, any_size, request.group_size);
    program.complete(add_text(verb, "--type", "T", "element type, where there is a choice", request.type),
                     {{"float", "double", "int", "uint", "uchar", "float2", "double2"}, false, {}});
    add_text(verb, "--method", "M", "way of doing it, where there are several", request.method);
    add_choice(program, verb, "--twiddles", "how kernels get their twiddle factors",
               {"exact", "native", "table", "products", "shared", "recurrence"}, request.twiddles);
    add_choice(program, verb, "--sign", "forward is e^(-2*pi*i*jk/N)", {"forward", "backward"}, request.sign);
    verb.add_option_function<std::vector<std::string>>(
            "--set",
            [&request](const std::vector<std::string>& all) {
              for (const std::string& one : all) {
                const std::size_t equals = one.find('=');
                if (equals == 0 || equals == std::string::npos)
                  throw usage_error("--set takes NAME=VALUE, as in --set n=64, and '{}' is none", one);
                set_parameter(request, one.substr(0, equals), one.substr(equals + 1));
              }
            },
            "another value for a parameter of a plan file; once for each")
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->take_all();
  }
  add_special_options(program, verb, request);
}

void add_runtime_options(Program& program, CLI::App& verb, RunOptions& options) {
  const OptionGroup group(verb, "Where to run it");
  CLI::Option* runtime =
      add_parsed(verb, "--runtime", "auto|opencl|cuda|host",
                 "auto takes an OpenCL GPU, else CUDA, else any OpenCL device, else the host",
                 [&options](const std::string& word) {
                   if (std::find(runtimes.begin(), runtimes.end(), word) == runtimes.end())
                     throw no_device("there is no runtime '{}'{}", word,
                                     did_you_mean(word, runtimes, Message("; there are auto, opencl, cuda and host")));
                   options.runtime = word;
                 });
  program.complete(runtime, {runtimes, false, {}});
  add_whole(verb, "--device", "K", "number of the device, as twiddle devices lists it", 0, 9999, options.device);
  add_whole(verb, "--timeout", "SECONDS",
            fmt::format("give a launch up that takes longer ({} without it; 0: never)", default_timeout), 0, 1'000'000,
            options.timeout);
}

void add_host_options(Program& program, CLI::App& verb, RunOptions& options) {
  const OptionGroup group(verb, "Where to run it");
  CLI::Option* schedule =
      add_parsed(verb, "--schedule", "ORDER",
                 "order of work-items that no barrier orders, on the host: forward, reverse, random:SEED, or several "
                 "(random:1-20, random:3,7)",
                 [&options](const std::string& text) { options.schedules = parse_schedules(text); });
  program.complete(schedule, {{"forward", "reverse", "random"}, false, {}});
  add_whole(verb, "--threads", "T", "threads of the host that share the work-groups (1: every run is the same)", 1,
            1024, options.threads);
}

void add_keep_options(Program& program, CLI::App& verb, TraceOptions& options) {
  const OptionGroup group(verb, "What to keep of it");
  add_choice<Detail>(program, verb, "--detail", "index: pairs and twiddles; values: also what was read and written",
                     {{"index", Detail::Index}, {"values", Detail::Values}}, options.detail);
  add_parsed(verb, "--stages", "A:B", "only these stages, first to last", [&options](const std::string& text) {
    const auto [first, last] = whole_range("--stages", text, 0, 255);
    options.stages = {static_cast<int>(first), static_cast<int>(last)};
  });
  add_parsed(verb, "--items", "A:B", "only these work-items, first to last",
             [&options](const std::string& text) { options.items = whole_range("--items", text, 0, 0xFFFFFFFF); });
  add_parsed(verb, "--buffers", "A,B", "only operations that touch one of these buffers",
             [&options](const std::string& text) {
               std::string_view rest = text;
               while (true) {
                 const std::size_t comma = rest.find(',');
                 const std::string_view name = rest.substr(0, comma);
                 if (name.empty())
                   throw usage_error("--buffers takes names parted by commas, and '{}' has an empty one", text);
                 options.buffers.emplace_back(name);
                 if (comma == std::string_view::npos) break;
                 rest.remove_prefix(comma + 1);
               }
             });
  add_choice<Accesses>(program, verb, "--accesses",
                       "log every load and store: auto (of your own kernels), all, or none",
                       {{"auto", Accesses::Auto}, {"all", Accesses::All}, {"none", Accesses::None}}, options.accesses);
  options.probes = true;
  add_choice(program, verb, "--probes",
             "auto: run a launch again on other data where its values do not tell what was computed; off: never",
             {"auto", "off"}, [&options](const std::string& word) { options.probes = word == "auto"; });
  add_whole(verb, "--window-bytes", "BYTES", "device memory for the log; more operations are traced in several windows",
            4096, std::uint64_t(1) << 40, options.window_bytes);
}

void add_tracing_options(Program& program, CLI::App& verb, RunOptions& options) {
  add_request_options(program, verb, options.request);
  add_runtime_options(program, verb, options);
  add_host_options(program, verb, options);
  add_keep_options(program, verb, options.trace);
}

void add_size_option(CLI::App& verb, const std::string& meaning, float& width, float& height) {
  add_parsed(verb, "--size", "WxH", meaning, [&width, &height](const std::string& text) {
    const std::size_t by = text.find('x');
    if (by == std::string::npos)
      throw usage_error("--size takes WIDTHxHEIGHT in pixels, as in 1440x900, and '{}' is none", text);
    width = static_cast<float>(whole_number("--size", text.substr(0, by), 320, 16384));
    height = static_cast<float>(whole_number("--size", text.substr(by + 1), 240, 16384));
  });
}

void add_picture_options(Program& program, CLI::App& verb, PictureOptions& options) {
  const OptionGroup group(verb, "How it looks");
  std::vector<std::string> names;
  for (const auto& view : views()) names.emplace_back(view->name());
  add_choice(program, verb, "--view", "which view; without it the first that the trace has", names, options.view);
  add_switch(verb, "--log", "plots in decibels", options.log_scale);
  add_choice(program, verb, "--costs",
             "below each stage what its worst access asks for, where there is room: sectors of global memory, passes "
             "through the banks of local memory",
             {"none", "sectors", "passes", "both"},
             [&](const std::string& word) { options.costs = cost_strips_named(word); });
  add_choice(program, verb, "--theme", "colours and strokes", {"light", "dark", "projector"},
             [&](const std::string& word) {
               for (const ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Projector})
                 if (name_of(name) == word) options.theme = name;
               options.theme_given = true;
             });
  add_switch(
      verb, "--lockstep",
      "by turns: what the lanes of a sub-group (warp) do together is shown as one step, as a position L1.S2.G0.T2 is",
      options.lockstep);
  add_size_option(verb, "pixels, 1440x900 without it", options.width, options.height);
  add_number(verb, "--scale", "X", "of everything that is drawn, 0.5 to 8", 0.5, 8, options.scale);
}

CLI::Option* add_language_option(Program& program, CLI::App& verb, const std::string& meaning, std::string& language) {
  return add_choice(program, verb, "--lang", meaning + "; the system's without it", {"en", "ja", "zh"}, language);
}

void use_asked_language(const std::string& asked) {
  use_language(language_of(asked.empty() ? system_language() : asked));
}

std::string parameter_text(const Parameter& parameter) {
  std::string limits = parameter.values;
  if (!parameter.default_value.empty())
    limits += fmt::format("{}{} without it", limits.empty() ? "" : "; ", parameter.default_value);
  return limits.empty() ? parameter.meaning : fmt::format("{} ({})", parameter.meaning, limits);
}

std::vector<std::string> algorithm_ids() {
  std::vector<std::string> ids;
  for (const Algorithm& algorithm : algorithms()) ids.push_back(algorithm.id);
  for (const Algorithm& algorithm : gallery())
    ids.push_back(algorithm.id.starts_with("gallery/") ? algorithm.id : "gallery/" + algorithm.id);
  return ids;
}

Completion algorithm_completion() { return {algorithm_ids(), true, {".toml"}}; }
Completion trace_completion() { return {{}, true, {".twd"}}; }
Completion subject_completion() { return {algorithm_ids(), true, {".twd", ".toml"}}; }

bool names_trace(const std::string& subject) {
  const fs::path path(subject);
  if (path.extension() == ".twd") return true;
  if (path.extension() == ".toml" || path.extension() == ".cl" || path.extension() == ".cu" ||
      subject.starts_with("gallery/"))
    return false;
  for (const std::string& id : algorithm_ids())
    if (id == subject) return false;
  // A path, or something that exists: the reader of the file reports what is wrong with it.
  std::error_code ignored;
  return subject.find('/') != std::string::npos || path.has_extension() || fs::exists(path, ignored);
}

}  // namespace twiddle::cli
