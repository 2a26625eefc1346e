#include "kernels/catalogue.h"

#include "base/error.h"
#include "base/paths.h"
#include "kernels/algorithms.h"
#include "kernels/read_file.h"

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

}  // namespace

std::span<const Algorithm> algorithms() {
  static const std::vector<Algorithm> entries = [] {
    std::vector<Algorithm> all{fft_radix2(), fft_stockham2(), fft_stockham4(), fft_radix4()};
    for (const auto& family : {reductions(), histograms()}) all.insert(all.end(), family.begin(), family.end());
    return all;
  }();
  return entries;
}

std::span<const Algorithm> gallery() { return {}; }

const Algorithm& find_algorithm(std::string_view id) {
  const bool in_gallery = id.substr(0, gallery_prefix.size()) == gallery_prefix;
  const std::span<const Algorithm> entries = in_gallery ? gallery() : algorithms();
  std::vector<std::string> ids;
  for (const Algorithm& algorithm : entries) {
    if (algorithm.id == id) return algorithm;
    ids.push_back(algorithm.id);
  }
  const std::string near = nearest(id, ids);
  throw usage_error("no algorithm is called \"{}\"{}", id,
                    near.empty() ? fmt::format("; `twiddle list {}` shows all", in_gallery ? "gallery" : "algorithms")
                                 : "; did you mean " + near + "?");
}

Plan make_plan(const Request& request) {
  const Algorithm& algorithm = find_algorithm(request.algorithm);
  refuse_foreign_options(algorithm, request);
  Plan plan = algorithm.build(request);
  plan.algorithm = algorithm.id;
  return plan;
}

KernelSource kernel_source(const Plan& plan, const Launch& launch, std::string_view extension) {
  const bool opencl = extension == ".cl";
  const std::filesystem::path directory = resource(std::filesystem::path("kernels") / (opencl ? "opencl" : "cuda"));
  const std::string name = launch.source + std::string(extension);
  if (!std::filesystem::is_regular_file(directory / name))
    throw usage_error("{} has no kernels in {}: there is no {}", plan.algorithm, opencl ? "OpenCL C" : "CUDA C++",
                      (directory / name).string());
  return {name, read_file(directory / name, largest_source), directory};
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  std::size_t least =
      std::max<std::size_t>(1, word.size() / 3) + 1;  // a word of which more than a third is wrong is near nothing
  for (const std::string& candidate : candidates) {
    // Levenshtein's distance with neighbours swapped counted as one slip, a row at a time.
    const std::size_t length = candidate.size();
    std::vector<std::size_t> before(length + 1), above(length + 1), row(length + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 1; i <= word.size(); ++i) {
      before = std::exchange(above, row);
      row[0] = i;
      for (std::size_t j = 1; j <= length; ++j) {
        const bool same = word[i - 1] == candidate[j - 1];
        row[j] = std::min({above[j - 1] + (same ? 0 : 1), above[j] + 1, row[j - 1] + 1});
        if (i > 1 && j > 1 && word[i - 1] == candidate[j - 2] && word[i - 2] == candidate[j - 1])
          row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    if (row[length] < least) {
      least = row[length];
      best = candidate;
    }
  }
  return best;
}

}  // namespace twiddle
