// `twiddle list`: what there is to trace and to feed it with; one entry in full; an entry's Plan as a plan file.
#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/values/json_text.h"
#include "cli/help.h"
#include "cli/listings.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/tracing.h"
#include "cli/verbs.h"
#include "kernels/signal/signal.h"
#include "lessons/text/library.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace twiddle::cli {
namespace {

using nlohmann::ordered_json;

struct ListOptions : RunOptions {
  std::string what = "algorithms";
  bool json = false, plan = false;
};

std::string gallery_id(const Algorithm& entry) {
  return entry.id.starts_with("gallery/") ? entry.id : "gallery/" + entry.id;
}

ordered_json to_json(const Algorithm& algorithm) {
  ordered_json entry = {{"id", algorithm.id},
                        {"title", algorithm.title},
                        {"dimensions", algorithm.dimensions},
                        {"origin", algorithm.origin},
                        {"about", algorithm.about},
                        {"sizes", algorithm.sizes},
                        {"operations", algorithm.operations},
                        {"launches", algorithm.launches},
                        {"accuracy", algorithm.accuracy},
                        {"parameters", ordered_json::array()},
                        {"runtimes", algorithm.runtimes}};
  for (const Parameter& parameter : algorithm.parameters)
    entry["parameters"].push_back({{"name", parameter.name},
                                   {"values", parameter.values},
                                   {"default", parameter.default_value},
                                   {"meaning", parameter.meaning}});
  if (!algorithm.finding.empty()) entry["finding"] = algorithm.finding;
  if (!algorithm.twin.empty()) entry["twin"] = algorithm.twin;
  return entry;
}

// Lines "left  right" with the right column in line, broken between words.
std::string table(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& [left, right] : rows) width = std::max(width, left.size());
  std::string text;
  for (const auto& [left, right] : rows) text += fmt::format("{:<{}}  {}", left, width, folded(right, width + 2));
  return text;
}

std::string entries(std::span<const Algorithm> algorithms, bool json) {
  if (json) {
    ordered_json list = ordered_json::array();
    for (const Algorithm& algorithm : algorithms) list.push_back(to_json(algorithm));
    return json_text(list, 2) + "\n";
  }
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Algorithm& algorithm : algorithms)
    rows.emplace_back(algorithm.finding.empty() ? algorithm.id : gallery_id(algorithm),
                      algorithm.title + (algorithm.finding.empty() ? "" : " [" + algorithm.finding + "]"));
  return table(rows);
}

std::string signals(bool json) {
  if (json) {
    ordered_json list = ordered_json::array();
    for (const SignalKind& kind : signal_kinds())
      list.push_back({{"form", std::string(kind.form)}, {"meaning", std::string(kind.meaning)}});
    return json_text(list, 2) + "\n";
  }
  std::vector<std::pair<std::string, std::string>> rows;
  for (const SignalKind& kind : signal_kinds()) rows.emplace_back(kind.form, kind.meaning);
  return table(rows);
}

// What a request comes to: the launches of its Plan and the memory that they need.
std::string plan_in_short(const Plan& plan) {
  std::uint64_t bytes = 0;
  for (const Buffer& buffer : plan.buffers) bytes += buffer.count * traits(buffer.type).bytes;
  std::string text = fmt::format("{}: {}, {} of {}\n", plan.title, counted(plan.launches.size(), "launch", "launches"),
                                 counted(plan.buffers.size(), "buffer", "buffers"), bytes_text(bytes));
  std::size_t number = 0;
  for (const Launch& launch : plan.launches) {
    const auto product = [](const std::array<std::size_t, 3>& sides) { return sides[0] * sides[1] * sides[2]; };
    text += fmt::format("  {:>2}  {:<18}  {:<14}  {} in groups of {}\n", ++number, launch.kernel,
                        launch.stage > 0 ? fmt::format("stage {}", launch.stage) : launch.label,
                        counted(product(launch.global), "item", "items"), product(launch.local));
  }
  return text;
}

std::string in_full(const Algorithm& algorithm, const Plan& plan) {
  std::string text = fmt::format("{}: {}\n\n{}\n", algorithm.id, algorithm.title, folded(algorithm.about, 0));
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto& [name, value] : {std::pair{"origin", &algorithm.origin},
                                    {"sizes", &algorithm.sizes},
                                    {"operations", &algorithm.operations},
                                    {"launches", &algorithm.launches},
                                    {"accuracy", &algorithm.accuracy},
                                    {"finding", &algorithm.finding},
                                    {"right twin", &algorithm.twin}})
    if (!value->empty()) rows.emplace_back(name, *value);
  rows.emplace_back("runtimes", fmt::format("{}", fmt::join(algorithm.runtimes, ", ")));
  text += table(rows);
  rows.clear();
  for (const Parameter& parameter : algorithm.parameters)
    rows.emplace_back("--" + parameter.name, parameter_text(parameter));
  return text + "\n" + table(rows) + "\n" + plan_in_short(plan) + savings_line(plan);
}

int list(ListOptions& options) {
  if (options.plan) {
    if (options.what == "algorithms")
      throw usage_error("--plan needs an algorithm: twiddle list fft-radix2 --plan --n 8");
    options.request.algorithm = options.what;
    const bool opencl = options.runtime == "auto" || options.runtime == "opencl";
    print(to_toml(make_plan(options.request), opencl ? ".cl" : ".cu"));
  } else if (options.what == "algorithms") {
    print(entries(algorithms(), options.json));
  } else if (options.what == "gallery") {
    print(entries(gallery(), options.json));
  } else if (options.what == "signals") {
    print(signals(options.json));
  } else if (options.what == "lessons") {
    print(lessons_list(system_language(), options.json));
  } else {
    if (const std::vector<std::string> lists = {"algorithms", "signals", "gallery", "lessons"};
        !nearest(options.what, lists).empty())
      throw usage_error("there is no list '{}'{}", options.what, did_you_mean(options.what, lists));
    const Algorithm& algorithm = find_algorithm(options.what);
    options.request.algorithm = options.what;
    print(options.json ? json_text(to_json(algorithm), 2) + "\n" : in_full(algorithm, make_plan(options.request)));
  }
  return 0;
}

}  // namespace

std::string lessons_list(std::string_view language, bool json) {
  if (!json) {
    std::string text;
    for (const CourseEntry& entry : course(language)) text += fmt::format("{:<16} {}\n", entry.id, entry.title);
    return text;
  }
  std::map<std::pair<int, std::string>, nlohmann::ordered_json> by_place;
  for (const std::string_view each : lesson_languages())
    for (const CourseEntry& entry : course(each)) {
      const auto [place, fresh] = by_place.try_emplace({entry.number, entry.id});
      if (fresh) place->second = {{"id", entry.id}, {"title", entry.title}, {"minutes", entry.minutes}};
      place->second["languages"].push_back(std::string(each));
    }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (auto& [place, entry] : by_place) list.push_back(std::move(entry));
  return json_text(list, 2) + "\n";
}

void add_list(Program& program) {
  const auto options = std::make_shared<ListOptions>();
  CLI::App& verb = program.verb("list", "List algorithms or signals, or describe one algorithm",
                                "WHAT is algorithms (also when left out), signals, gallery, lessons, or an algorithm's "
                                "id. Of an algorithm it lists origin, sizes, operations, launches, accuracy and "
                                "options, and what a run with the options given comes to.",
                                [options] { return list(*options); });
  Completion words{algorithm_ids(), false, {}};
  words.words.insert(words.words.begin(), {"algorithms", "signals", "gallery", "lessons"});
  program.complete(
      add_text(verb, "WHAT", "", "algorithms, signals, gallery, lessons, or an algorithm's id", options->what), words);
  add_switch(verb, "--json", "as JSON (docs/json.md)", options->json);
  add_switch(verb, "--plan", "print the algorithm's Plan as a plan file to start your own from", options->plan);
  add_request_options(program, verb, options->request);
  add_runtime_options(program, verb, *options);
  program.example(verb, "twiddle list signals", "See what a kernel can be fed with");
  program.example(verb, "twiddle list fft-radix2 --plan --n 8 > mine.toml", "Start a plan file of your own");
}

}  // namespace twiddle::cli
