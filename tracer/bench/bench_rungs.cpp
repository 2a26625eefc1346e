#include "tracer/bench/bench_rungs.h"

#include "base/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace twiddle {

Request request_of_rung(const std::string& rung) {
  Request request;
  const std::size_t colon = rung.find(':');
  request.algorithm = rung.substr(0, colon);
  find_algorithm(request.algorithm);
  for (std::string rest = colon == std::string::npos ? "" : rung.substr(colon + 1); !rest.empty();) {
    const std::size_t comma = rest.find(','), equals = rest.find('=');
    if (equals == std::string::npos || equals > comma)
      throw usage_error("a rung is ALGORITHM:NAME=VALUE,NAME=VALUE, and '{}' is none", rung);
    set_parameter(request, rest.substr(0, equals), rest.substr(equals + 1, comma - equals - 1));
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
  }
  return request;
}

std::string family_of(const std::string& algorithm) {
  if (algorithm.starts_with("reduce-")) return "sum";
  if (algorithm.starts_with("histogram-")) return "histogram";
  if (algorithm.starts_with("fft-")) return "fft";
  if (algorithm == "fft2d") return algorithm;
  throw usage_error(
      "bench kernels measures transforms (fft-… and fft2d), reductions (reduce-…) and histograms "
      "(histogram-…), not {}",
      algorithm);
}

BenchProblem problem_of_rung(const std::string& rung) {
  const Request request = request_of_rung(rung);
  BenchProblem problem{family_of(request.algorithm), {}, {}};
  if (problem.family != "histogram") return problem;
  problem.type = request.type.empty() ? "uint" : request.type;
  problem.signal = request.signal.empty() ? usual_signal : request.signal;
  return problem;
}

bool takes(const Algorithm& algorithm, const std::string& parameter) {
  return std::any_of(algorithm.parameters.begin(), algorithm.parameters.end(),
                     [&](const Parameter& one) { return one.name == parameter; });
}

Plan plan_of_rung(const Request& request, std::uint64_t n, std::uint64_t rows, const DeviceInfo& device) {
  Request sized = request;
  const Algorithm& algorithm = find_algorithm(request.algorithm);
  if (algorithm.dimensions == 2)
    sized.columns = n;
  else
    sized.n = n;
  if (rows > 0) {
    if (!takes(algorithm, "rows")) throw usage_error("{} takes one transform, not rows of them", request.algorithm);
    sized.rows = rows;
  } else if (takes(algorithm, "rows")) {
    sized.rows = 1;
  }
  if (takes(algorithm, "groups") && !request.more.contains("groups") && device.compute_units > 0)
    sized.more["groups"] = fmt::format("{}", 2 * device.compute_units);
  if (takes(algorithm, "processors") && !request.more.contains("processors") && device.compute_units > 0)
    sized.more["processors"] = fmt::format("{}", device.compute_units);
  sized.local_bytes = device.local_bytes;
  if (sized.signal.empty() && takes(algorithm, "signal")) sized.signal = usual_signal;
  return make_plan(sized);
}

}  // namespace twiddle
