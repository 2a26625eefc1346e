// The fields of the top bar: what they show of a trace, and what they stand for.
#include "viewer/state/choice_fields.h"

#include <doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace twiddle;

namespace {

ChoiceField shown_field(const TraceInfo& info, const std::string& name) {
  const std::vector<ChoiceField> fields = trace_fields(info);
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const ChoiceField& f) { return f.name == name; });
  REQUIRE(found != fields.end());
  return *found;
}

}  // namespace

TEST_CASE("large powers of two are shown as such, and stand for the number") {
  const struct {
    const char *n, *shown;
  } cases[] = {{"1048576", "2^20"},    {"131072", "2^17"}, {"65536", "65536"},
               {"1048575", "1048575"}, {"8", "8"},         {"0", "0"}};
  for (const auto& one : cases) {
    CAPTURE(one.n);
    TraceInfo info;
    info.parameters["n"] = one.n;
    CHECK(shown_field(info, "n").value == one.shown);
    CHECK(shown_field(info, "n").chosen == one.n);
  }
}

TEST_CASE("a processor under PoCL is shown by its maker's name, and chosen by its whole one") {
  const struct {
    const char *device, *shown;
  } cases[] = {{"pthread-skylake-avx512-AMD EPYC", "opencl · AMD EPYC"},
               {"cpu-alderlake-12th Gen Intel(R) Core(TM) i7", "opencl · 12th Gen Intel(R) Core(TM) i7"},
               {"cpu-haswell-Intel(R) Core(TM) i5-4250U", "opencl · Intel(R) Core(TM) i5-4250U"},
               {"pthread-cortex-a57", "opencl · pthread-cortex-a57"},
               {"NVIDIA H200", "opencl · NVIDIA H200"},
               {"", "opencl"}};
  for (const auto& one : cases) {
    TraceInfo info;
    info.runtime = "opencl", info.device = one.device;
    CHECK(shown_field(info, "device").value == one.shown);
    const std::string whole = info.device.empty() ? "opencl" : "opencl · " + info.device;
    CHECK(shown_field(info, "device").chosen == whole);
  }
}
