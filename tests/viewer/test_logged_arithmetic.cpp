// What a log says of its values, done again with other samples: the outcome of a fresh run of the kernel with these samples.
#include "host_trace.h"
#include "kernels/catalogue/catalogue.h"
#include "synthetic_trace.h"
#include "tracer/checks/complex_value.h"
#include "viewer/facts/live_signal.h"
#include "viewer/graphs/logged_arithmetic.h"
#include "viewer/handout/handout.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <set>
#include <string>

using namespace twiddle;
using nlohmann::json;

namespace {

struct Subject {
  const char* algorithm;
  std::uint64_t n;
  const char* signal;
  bool known;  // the log says it all
  const char* type = "";
};

Request request_of(const Subject& subject) {
  Request request;
  request.algorithm = subject.algorithm, request.n = subject.n, request.signal = subject.signal;
  request.type = subject.type;
  return request;
}

}  // namespace

TEST_CASE("the log's arithmetic gives the values of a fresh run with other samples, of each operation's element") {
  const synthetic::Folder folder;
  for (const Subject& subject : {Subject{"fft-radix2", 8, "ramp", true},
                                 {"fft-radix2", 64, "random:1", true},
                                 {"fft-radix2", 8, "impulse", true},
                                 {"fft-dif", 16, "impulse:2", true},
                                 {"fft-stockham2", 16, "cosine:3", true},
                                 {"fft-radix4", 16, "random:2", true},
                                 {"fft-radix2-local", 16, "ramp", true},
                                 {"fft-real", 16, "random:3", false},
                                 {"dft", 8, "ramp", true},
                                 {"fft-mixed", 12, "random:1", true},
                                 {"scan-blelloch", 8, "ramp", true},
                                 {"reduce-sequential", 16, "ramp", true},
                                 {"reduce-grid-stride", 16, "random:1", true, "float"},
                                 {"scan-hillis-steele", 8, "ramp", true, "float"},
                                 {"histogram-local", 32, "random:1", false},
                                 {"gallery/stale-twiddle", 8, "random:1", false}}) {
    CAPTURE(std::string(subject.algorithm));
    CAPTURE(subject.n);
    const Request request = request_of(subject);
    Document document(host_trace(request));
    const TraceInfo& info = document.info();
    const int input = live_buffer(info);
    const auto arithmetic = logged_arithmetic(document, input);
    CHECK(arithmetic.has_value() == subject.known);
    if (!arithmetic) continue;
    std::vector<std::complex<double>> samples = numbers_of(document, input, -1);
    REQUIRE(arithmetic->samples.size() == samples.size());
    const auto outcome = [&](Document& of) {
      return numbers_of(of, info.buffer_named(info.expect.output), static_cast<int>(info.segments.size()) - 1);
    };
    const auto evaluated = [&] {
      const auto cells = arithmetic->evaluate(info, samples);
      std::vector<std::complex<double>> numbers = outcome(document);
      for (std::size_t c = 0; c < cells.size(); ++c)
        if (arithmetic->cells[c].buffer == info.buffer_named(info.expect.output))
          numbers.at(arithmetic->cells[c].index) = cells[c];
      return numbers;
    };
    const auto check_near = [](const auto& a, const auto& b) {
      REQUIRE(a.size() == b.size());
      double size = 1;
      for (const auto& one : b) size = std::max(size, std::abs(one));
      for (std::size_t i = 0; i < a.size(); ++i) CHECK(std::abs(a[i] - b[i]) <= 2e-6 * size);
    };
    check_near(evaluated(), outcome(document));
    const bool floating = traits(info.buffers[static_cast<std::size_t>(input)].type).floating;
    samples[3].real(floating ? -1.625 : 11);
    samples[0].real(floating ? 0.75 : 2);
    const std::filesystem::path file = folder / "samples.csv";
    {
      std::ofstream out(file);
      for (const auto& sample : samples) out << sample.real() << "," << sample.imag() << "\n";
    }
    Request other = request;
    other.signal = file.string();
    Document fresh(host_trace(other));
    check_near(evaluated(), outcome(fresh));
  }
}

TEST_CASE(
    "a page of a small run has its arithmetic, and which texts are values; a long one and one that the log does not "
    "explain have none") {
  const auto live_of = [](const Subject& subject, const HandoutOptions& options = {}) {
    Document document(host_trace(request_of(subject)));
    return json::parse(handout_parts(document, options).data)["live"];
  };
  for (const Subject& subject : {Subject{"fft-radix2", 8, "ramp", true},
                                 {"fft-stockham2", 16, "random:1", true},
                                 {"reduce-interleaved", 16, "ramp", true},
                                 {"reduce-vector", 16, "ramp", true},
                                 {"scan-hillis-steele", 8, "ramp", true},
                                 {"scan-blelloch", 8, "ramp", true}}) {
    CAPTURE(std::string(subject.algorithm));
    const json live = live_of(subject);
    REQUIRE(live.is_object());
    CHECK(live["first"].size() >= subject.n);
    CHECK(live["texts"].size() % 3 == 0);
    CHECK(live["texts"].size() / 3 >= subject.n * 2);
    std::set<int> held;
    for (std::size_t h = 1; h < live["handles"].size(); h += 2) held.insert(live["handles"][h].get<int>());
    CHECK(held.size() == subject.n);
    for (const json& step : live["steps"]) CHECK(step[0].get<int>() >= 0);
    CHECK(live.dump().size() < 60'000);
  }
  // Of a scan's sweeps, whose nodes are operations, each sum of two says what it was added from as long as it is logged.
  HandoutOptions sweeps;
  sweeps.view = "sweep";
  CHECK(live_of({"scan-blelloch", 8, "ramp", true}, sweeps)["sums"].size() >= 7);
  CHECK(live_of({"fft-radix2", 8, "ramp", true})["sums"].empty());
  HandoutOptions embedded;
  embedded.embedded = true;
  CHECK(live_of({"fft-radix2", 8, "ramp", true}, embedded).is_object());
  HandoutOptions spectrum;
  spectrum.view = "spectrum";
  CHECK(live_of({"fft-radix2", 8, "ramp", true}, spectrum).is_null());
  CHECK(live_of({"fft-radix2", 256, "ramp", true}).is_null());
  CHECK(live_of({"histogram-local", 32, "random:1", false}).is_null());
}
