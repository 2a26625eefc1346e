#include "kernels/catalogue/catalogue.h"

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/message.h"
#include "base/paths.h"
#include "base/read_file.h"
#include "base/text.h"
#include "kernels/plan/edited_plan.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace twiddle {

/// What every file of kernels/catalogue/algorithms has, one file after another; written by cmake/Catalogue.cmake.
std::vector<Algorithm> found_algorithms();

namespace {

constexpr std::string_view gallery_prefix = "gallery/";
constexpr std::uintmax_t max_source = 4 << 20;  // bytes; a kernel source beyond it is no kernel source

void refuse_foreign_options(const Algorithm& algorithm, const Request& request) {
  std::vector<std::string> known;
  for (const Parameter& parameter : algorithm.parameters) known.push_back(parameter.name);
  for (const auto& [option, value] : given_parameters(request))
    if (std::find(known.begin(), known.end(), option) == known.end())
      throw usage_error("{} has no option --{}; it takes --{}", algorithm.id, option, fmt::join(known, ", --"));
}

bool is_plan_file(const std::string& name) {
  return name.ends_with(".toml") || (std::filesystem::path(name).is_absolute() && std::filesystem::exists(name));
}

/// Where our own kernels of one language are: `parent` is "kernels" or "kernels/gallery".
std::filesystem::path language_directory(std::string_view parent, std::string_view extension) {
  return resource(std::filesystem::path(parent) / (extension == ".cl" ? "opencl" : "cuda"));
}

/// The number that begins there: "1024", or "2^27".
std::uint64_t number_at(const std::string& text, std::size_t at) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const char* rest = std::from_chars(text.data() + at, end, number).ptr;
  unsigned exponent = 0;
  if (number == 2 && rest != end && *rest == '^' && std::from_chars(rest + 1, end, exponent).ec == std::errc())
    return std::uint64_t(1) << std::min(exponent, 63u);
  return number;
}

std::string_view language_of(std::string_view extension) { return extension == ".cl" ? "OpenCL C" : "CUDA C++"; }

}  // namespace

std::vector<std::string> choices(const Parameter& parameter) {
  std::vector<std::string> list;
  const std::string& values = parameter.values;
  constexpr std::string_view bar = " | ", dots = " … ";
  if (values.find(bar) != std::string::npos) {
    for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + bar.size()) {
      end = values.find(bar, at);
      list.push_back(values.substr(at, end - at));
    }
    return list;
  }
  const std::size_t between = values.find(dots);
  if (between == std::string::npos) return list;
  // "… 2 … 1024", "… 2 … 2^27; …"
  const std::size_t first = values.find_last_not_of("0123456789", between - 1) + 1;
  const std::uint64_t low = number_at(values, first), high = number_at(values, between + dots.size());
  const std::uint64_t base = values.starts_with("power of four") ? 4 : 2;
  constexpr std::uint64_t max_listed = std::uint64_t(1) << 20;
  for (std::uint64_t size = 1; size <= std::min(high, max_listed); size *= base)
    if (size >= low) list.push_back(std::to_string(size));
  return list;
}

std::vector<std::pair<std::string, std::string>> given_parameters(const Request& request) {
  std::vector<std::pair<std::string, std::string>> given;
  const auto add = [&](std::string name, const std::string& value) {
    if (!value.empty()) given.emplace_back(std::move(name), value);
  };
  const auto number = [](const std::optional<std::uint64_t>& value) { return value ? std::to_string(*value) : ""; };
  add("n", number(request.n));
  add("rows", number(request.rows));
  add("cols", number(request.columns));
  add("inverse", request.inverse ? "true" : "");
  add("signal", request.signal);
  add("group-size", number(request.group_size));
  add("type", request.type);
  add("method", request.method);
  add("twiddles", request.twiddles);
  add("sign", request.sign);
  for (const auto& [name, value] : request.more) add(name, value);
  return given;
}

void set_parameter(Request& request, const std::string& name, const std::string& value) {
  const auto number = [&] {
    const auto size = number_in<std::uint64_t>(value);
    if (!size) throw usage_error("{} must be a whole number, not \"{}\"", name, value);
    return size;
  };
  if (name == "n")
    request.n = number();
  else if (name == "rows")
    request.rows = number();
  else if (name == "cols")
    request.columns = number();
  else if (name == "group-size")
    request.group_size = number();
  else if (name == "inverse")
    request.inverse = value == "true";
  else if (name == "signal")
    request.signal = value;
  else if (name == "type")
    request.type = value;
  else if (name == "method")
    request.method = value;
  else if (name == "twiddles")
    request.twiddles = value;
  else if (name == "sign")
    request.sign = value;
  else
    request.more[name] = value;
}

std::span<const Algorithm> algorithms() {
  static const std::vector<Algorithm> entries = [] {
    std::vector<Algorithm> all = found_algorithms();
    std::stable_sort(all.begin(), all.end(), [](const Algorithm& a, const Algorithm& b) { return a.order < b.order; });
    return all;
  }();
  return entries;
}

const Algorithm& find_algorithm(std::string_view id) {
  const bool in_gallery = id.substr(0, gallery_prefix.size()) == gallery_prefix;
  const std::span<const Algorithm> entries = in_gallery ? gallery() : algorithms();
  if (in_gallery)
    for (const Algorithm& twin : gallery_twins())
      if (twin.id == id) return twin;
  std::vector<std::string> ids;
  for (const Algorithm& algorithm : entries) {
    if (algorithm.id == id) return algorithm;
    ids.push_back(algorithm.id);
  }
  const Message all =
      in_gallery ? Message("; `twiddle list gallery` shows all") : Message("; `twiddle list algorithms` shows all");
  throw usage_error("no algorithm is called \"{}\"{}", id, did_you_mean(id, ids, all));
}

Plan make_plan(const Request& request) {
  if (is_plan_file(request.algorithm)) {
    PlanParameters given;
    for (auto [option, value] : given_parameters(request)) {
      std::replace(option.begin(), option.end(), '-', '_');
      if (option != "signal") given[option] = value == "true" ? "1" : value;
    }
    const auto own = request.edited.find(std::filesystem::path(request.algorithm).filename().string());
    Plan plan = own == request.edited.end() ? read_plan_file(request.algorithm, given)
                                            : read_plan_text(request.algorithm, own->second, given);
    if (!request.signal.empty()) plan.signal = request.signal;
    plan.edited = request.edited;
    return plan;
  }
  const Algorithm& algorithm = find_algorithm(request.algorithm);
  refuse_foreign_options(algorithm, request);
  Plan plan = algorithm.build(request);
  if (plan.algorithm.empty()) plan.algorithm = algorithm.id;  // else another one takes its place
  plan.edited = request.edited;
  return plan;
}

namespace {

std::string source_name(const Launch& launch, std::string_view extension) {
  return std::filesystem::path(launch.source).stem().string() + std::string(extension);
}

// Where a launch's kernel source may be, the first place before the others. A plan's own file that has the name of one of ours is
// its own in both languages.
std::vector<std::filesystem::path> source_directories(const Plan& plan, const Launch& launch,
                                                      std::string_view extension) {
  const std::filesystem::path own = plan.directory / launch.source;
  if (!plan.directory.empty() && std::filesystem::is_regular_file(own)) return {own.parent_path()};
  std::vector<std::filesystem::path> directories{language_directory("kernels", extension),
                                                 language_directory("kernels/gallery", extension)};
  if (!plan.directory.empty()) directories.insert(directories.begin(), own.parent_path());
  return directories;
}

// Empty: there is none.
std::filesystem::path source_directory(const Plan& plan, const Launch& launch, std::string_view extension) {
  for (const std::filesystem::path& directory : source_directories(plan, launch, extension))
    if (std::filesystem::is_regular_file(directory / source_name(launch, extension))) return directory;
  return {};
}

}  // namespace

bool has_kernel_sources(const Plan& plan, std::string_view extension) {
  return std::all_of(plan.launches.begin(), plan.launches.end(),
                     [&](const Launch& launch) { return !source_directory(plan, launch, extension).empty(); });
}

KernelSource kernel_source(const Plan& plan, const Launch& launch, std::string_view extension) {
  const std::filesystem::path source(launch.source);
  const std::string name = source_name(launch, extension);
  if (const std::filesystem::path directory = source_directory(plan, launch, extension); !directory.empty()) {
    const auto edited = plan.edited.find(name);
    return {name, edited == plan.edited.end() ? read_file(directory / name, max_source) : edited->second, directory,
            plan.edited};
  }

  const std::vector<std::filesystem::path> directories = source_directories(plan, launch, extension);
  const std::string sought = (directories.front() / name).string();
  if (plan.directory.empty())
    throw usage_error("kernel {} of {} is not written in {}: run it with --runtime {}", launch.kernel, plan.algorithm,
                      language_of(extension), extension == ".cl" ? "cuda or host" : "opencl");
  if (source.extension() == extension) throw usage_error("there is no kernel source {}", sought);
  throw usage_error("{} is {}: run it with --runtime {}, or put {} in {} beside it", launch.source,
                    language_of(source.extension().string()), source.extension() == ".cl" ? "opencl" : "cuda or host",
                    name, language_of(extension));
}

}  // namespace twiddle
