#include "kernels/catalogue/catalogue.h"

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/message.h"
#include "base/paths.h"
#include "base/read_file.h"
#include "kernels/catalogue/algorithms.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace twiddle {
namespace {

constexpr std::string_view gallery_prefix = "gallery/";
constexpr std::uintmax_t largest_source = 4 << 20;  // bytes; a kernel source beyond it is no kernel source

// Every option that a request may carry beside the algorithm, as on the command line, with whether it was given.
std::vector<std::string> given_options(const Request& request) {
  std::vector<std::string> given;
  const auto note = [&](bool is_given, const char* name) {
    if (is_given) given.emplace_back(name);
  };
  note(request.n.has_value(), "n");
  note(request.rows.has_value(), "rows");
  note(request.columns.has_value(), "cols");
  note(request.inverse, "inverse");
  note(!request.signal.empty(), "signal");
  note(!request.type.empty(), "type");
  note(!request.method.empty(), "method");
  note(!request.twiddles.empty(), "twiddles");
  note(!request.sign.empty(), "sign");
  note(request.group_size.has_value(), "group-size");
  for (const auto& [name, value] : request.more) note(!value.empty(), name.c_str());
  return given;
}

void refuse_foreign_options(const Algorithm& algorithm, const Request& request) {
  std::vector<std::string> known;
  for (const Parameter& parameter : algorithm.parameters) known.push_back(parameter.name);
  for (const std::string& option : given_options(request))
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

std::string_view language_of(std::string_view extension) { return extension == ".cl" ? "OpenCL C" : "CUDA C++"; }

}  // namespace

std::span<const Algorithm> algorithms() {
  static const std::vector<Algorithm> entries = [] {
    std::vector<Algorithm> all{dft_algorithm(), fft_radix2(),    fft_radix2_single(), fft_radix2_local(),
                               fft_stockham2(), fft_stockham4(), fft_radix4(),        fft_real(),
                               fft2d(),         fft2d_real()};
    for (const auto& family : {reductions(), histograms()}) all.insert(all.end(), family.begin(), family.end());
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
    const std::vector<std::string> given = given_options(request);
    for (const std::string& option : given)
      if (option != "signal")
        throw usage_error("{} is a plan file, which settles --{} itself: change it there", request.algorithm, option);
    Plan plan = read_plan_file(request.algorithm);
    if (!request.signal.empty()) plan.signal = request.signal;
    return plan;
  }
  const Algorithm& algorithm = find_algorithm(request.algorithm);
  refuse_foreign_options(algorithm, request);
  Plan plan = algorithm.build(request);
  plan.algorithm = algorithm.id;
  return plan;
}

KernelSource kernel_source(const Plan& plan, const Launch& launch, std::string_view extension) {
  const std::filesystem::path source(launch.source);
  const std::string name = source.stem().string() + std::string(extension);
  std::vector<std::filesystem::path> directories{language_directory("kernels", extension),
                                                 language_directory("kernels/gallery", extension)};
  if (!plan.directory.empty()) directories.insert(directories.begin(), (plan.directory / source).parent_path());
  for (const std::filesystem::path& directory : directories)
    if (std::filesystem::is_regular_file(directory / name))
      return {name, read_file(directory / name, largest_source), directory};

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
