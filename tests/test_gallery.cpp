// The gallery: every kernel broken on purpose is found, by class and place, and its right twin is let pass.
#include "checked.h"
#include "test_support.h"

#include <doctest.h>

#include <set>

using namespace twiddle;

namespace {

using Class = FindingClass;

struct Expected {
  std::string id;
  Class kind;
  std::string place, element, file, line;  // line: what the source line that it names starts with
};

const std::vector<Expected>& all_expected() {
  static const std::vector<Expected> table = {
      {"grid-barrier", Class::Race, "L1.E4.S5.I0", "nums[2]", "grid_barrier", "TRACE_BUTTERFLY(nums"},
      {"angle-unreduced", Class::WrongTwiddle, "", "", "angle_unreduced", "TRACE_BUTTERFLY(F"},
      {"float-index", Class::WrongPartner, "L1.S25.I1", "F[33554304]", "float_index", "TRACE_BUTTERFLY(F"},
      {"wrong-sign", Class::WrongTwiddle, "L3.S2.I1", "F[3]", "wrong_sign", "TRACE_BUTTERFLY(F"},
      {"missing-reversal", Class::MissingOperation, "L2.S1.I0", "F[0]", "fft_radix2", "TRACE_BUTTERFLY(F"},
      {"double-swap", Class::DuplicateOperation, "L1.I4", "F[4]", "double_swap", "TRACE_SWAP(data"},
      {"bit-for-digit", Class::WrongPartner, "L1.I1", "x[1]", "bit_for_digit", "TRACE_SWAP(x"},
      {"not-power-of-two", Class::OutOfBounds, "L4.S3.I4", "F[12]", "not_power_of_two", "TRACE_BUTTERFLY(F"},
      {"missing-local-barrier", Class::Race, "L1.S1.I1", "s[2]", "missing_local_barrier", "TRACE_BUTTERFLY(s"},
      {"skipped-stage", Class::MissingOperation, "L1.E3.S3.I0", "s[0]", "skipped_stage", "TRACE_BUTTERFLY(s"},
      {"stale-twiddle", Class::WrongTwiddle, "L3.S2.I1", "F[3]", "stale_twiddle", "TRACE_BUTTERFLY(F"},
      {"half-butterfly", Class::WrongValue, "L3.S2.I0", "F[2]", "half_butterfly", "TRACE_BUTTERFLY(F"},
      {"odd-even-swapped", Class::WrongValue, "L1.I0", "y[0]", "odd_even_swapped", "TRACE_STORE(y"},
      {"unscaled-inverse", Class::Unscaled, "L5.I0", "x[0]", "unscaled_inverse", "TRACE_MOVE(x"},
      {"reduce-past-end", Class::OutOfBounds, "L1.E2.S3.I8", "nums[12]", "reduce_past_end", "TRACE_COMBINE(nums"},
      {"reduce-cross-group", Class::Race, "L1.E4.S5.I0", "nums[16]", "reduce_cross_group", "TRACE_COMBINE(nums"},
      {"early-return", Class::BarrierDivergence, "L1.I12", "", "early_return", "TRACE_BARRIER("},
      {"half-zeroed", Class::UninitialisedRead, "L1.E2.I0", "bins[128]", "half_zeroed", "TRACE_MOVE(partial"},
      {"truncated-bin", Class::WrongValue, "L1.I256", "bins[0]", "truncated_bin", "TRACE_ATOMIC(bins"},
      {"redundant-zero", Class::RaceSameValue, "L1.I1", "bins[0]", "redundant_zero", "TRACE_STORE(bins"},
      {"bank-conflict", Class::BankConflict, "L1.E1.I0", "tile[0]", "bank_conflict", "TRACE_MOVE(y"},
      {"strided-write", Class::Uncoalesced, "L1.I0", "y[0]", "strided_write", "TRACE_MOVE(y"},
  };
  return table;
}

CheckedRun run_of(const std::string& id, Runtime& runtime) {
  Request request;
  request.algorithm = id;
  return checked(make_plan(request), runtime);
}

std::string line_text(const TraceInfo& info, const Finding& finding) {
  std::string text = info.sources[static_cast<std::size_t>(finding.source)].text;
  for (int line = 1; line < finding.line; ++line) text.erase(0, text.find('\n') + 1);
  text.resize(std::min(text.size(), text.find('\n')));
  return text.erase(0, std::min(text.size(), text.find_first_not_of(" \t")));
}

// PoCL sends every work-item of a group past a barrier that the first one reaches, as the standard lets it: nobody diverges
// there, and the items that should have returned are found where they touch what is not theirs.
bool sends_everybody_on(const TraceInfo& info) { return info.device.find("pthread") != std::string::npos; }

void check_entry(const Expected& expected, Runtime& runtime) {
  CAPTURE(expected.id);
  const CheckedRun run = run_of("gallery/" + expected.id, runtime);
  CAPTURE(run.text());
  const bool hidden = expected.kind == Class::BarrierDivergence && sends_everybody_on(run.info);
  const Finding* finding = run.first(hidden ? Class::OutOfBounds : expected.kind);
  REQUIRE(finding != nullptr);
  CHECK(finding->severity == severity_of(finding->kind));
  CHECK_FALSE(finding->message.empty());
  CHECK_FALSE(finding->advice.empty());
  CHECK(contains(file_of(run.info, *finding), expected.file));
  if (hidden) return;
  // The host executor stops at the access itself, or at the barrier, before the trace line.
  const std::string line = line_text(run.info, *finding);
  const bool stopped_there =
      !run.info.complete && (expected.kind == Class::OutOfBounds || expected.kind == Class::BarrierDivergence);
  if (!stopped_there)
    CHECK(contains(line, expected.line));
  else
    CHECK(contains(line, expected.kind == Class::BarrierDivergence
                             ? "__syncthreads()"
                             : expected.element.substr(0, expected.element.find('[') + 1)));
  if (!expected.place.empty()) CHECK(place_of(*finding) == expected.place);
  if (!expected.element.empty()) CHECK(element_of(run.info, *finding) == expected.element);
}

}  // namespace

TEST_CASE("the gallery and what its tests expect of it are the same list, by id and by class") {
  std::set<std::string> listed, expected;
  for (const Algorithm& entry : gallery()) listed.insert(entry.id + " " + entry.finding);
  for (const Expected& entry : all_expected())
    expected.insert("gallery/" + entry.id + " " + std::string(name_of(entry.kind)));
  CHECK(listed == expected);
  for (const Algorithm& entry : gallery()) CHECK(find_algorithm(entry.twin).id == entry.twin);
}

TEST_CASE("every kernel of the gallery is there in OpenCL C and in CUDA C++") {
  for (const Algorithm& entry : gallery())
    for (const std::string& id : {entry.id, entry.twin}) {
      CAPTURE(id);
      Request request;
      request.algorithm = id;
      const Plan plan = make_plan(request);
      for (const Launch& launch : plan.launches)
        for (const char* extension : {".cl", ".cu"})
          CHECK(contains(kernel_source(plan, launch, extension).text, launch.kernel));
    }
}

TEST_CASE("every kernel of the gallery is found on OpenCL, by class and place") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  for (const Expected& expected : all_expected()) check_entry(expected, *runtime);
}

TEST_CASE("every kernel of the gallery is found on the host executor, by class and place") {
  Runtime* runtime = device_of("host");
  if (!runtime) return;
  for (const Expected& expected : all_expected()) check_entry(expected, *runtime);
}

TEST_CASE("the gallery's right twins are let pass, and what they cost is less") {
  for (const char* name : {"opencl", "host"}) {
    Runtime* runtime = device_of(name);
    if (!runtime) continue;
    for (const Expected& expected : all_expected()) {
      CAPTURE(expected.id);
      const CheckedRun run = run_of("gallery/" + expected.id + "-right", *runtime);
      CHECK_MESSAGE(!run.any_errors(), run.text());
      CHECK_MESSAGE(run.first(expected.kind) == nullptr, run.text());
    }
  }
}

TEST_CASE("a transform's culprit is the first butterfly that parts from the ideal, at any size") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  for (const std::uint64_t n : {16, 64, 512}) {
    Request request;
    request.n = n;
    request.signal = "random:7";
    for (const char* id : {"gallery/wrong-sign", "gallery/stale-twiddle", "gallery/half-butterfly"}) {
      CAPTURE(id);
      CAPTURE(n);
      request.algorithm = id;
      const CheckedRun run = checked(make_plan(request), *runtime);
      REQUIRE(!run.findings.empty());
      CHECK(run.findings.front().launch == 3);
      CHECK(run.findings.front().stage == 2);
    }
  }
}
