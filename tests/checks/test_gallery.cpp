// The gallery: every kernel broken on purpose is found, by class and place, and its correct version has no finding.
#include "base/paths.h"
#include "checked.h"
#include "sample.h"
#include "synthetic_trace.h"
#include "test_support.h"

#include <doctest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

using namespace twiddle;

namespace {

using Class = FindingClass;
namespace fs = std::filesystem;

struct Expected {
  std::string id;
  std::string file, call;  // "wrong_sign", and what the trace line begins with: "TRACE_BUTTERFLY(F"
  int line = 0;            // of the .cl file
  Class kind = Class::Race;
  std::string place, element;  // "L3.S2.I1", "F[3]"; empty: not the same everywhere
  bool traced = true;          // the line is a trace line
  bool outcome = false;        // it is the outcome that is wrong, and its place is a matter of how it is looked for
};

// The cells of a row of a Markdown table.
std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream parts(row.substr(1));
  for (std::string cell; std::getline(parts, cell, '|');) {
    std::erase(cell, '`');
    const std::size_t first = cell.find_first_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
  }
  return cells;
}

Class class_named(const std::string& name) {
  for (int kind = 0; kind < finding_class_count; ++kind)
    if (name_of(static_cast<Class>(kind)) == name) return static_cast<Class>(kind);
  FAIL("docs/findings.md names a class that does not exist: ", name);
  return {};
}

Expected expected_of(const std::vector<std::string>& cells) {
  REQUIRE(cells.size() == 5);
  Expected expected;
  expected.id = cells[0];
  expected.kind = class_named(cells[1]);
  const std::size_t colon = cells[2].find(".cl:");
  REQUIRE_MESSAGE(colon != std::string::npos, cells[2]);
  expected.file = cells[2].substr(0, colon);
  expected.line = std::stoi(cells[2].substr(colon + 4));
  if (cells[3].starts_with('L')) expected.place = cells[3];
  expected.outcome = cells[3] == "the outcome";
  expected.element = cells[4];

  const fs::path kernels = resource("kernels");
  fs::path file = kernels / "gallery" / "opencl" / (expected.file + ".cl");
  if (!fs::exists(file)) file = kernels / "opencl" / file.filename();
  std::ifstream source(file);
  std::string text;
  for (int line = 0; line < expected.line; ++line) std::getline(source, text);
  std::smatch call;
  expected.traced = std::regex_search(text, call, std::regex(R"(TRACE_\w+\(\w*)"));
  expected.call = call.str();
  REQUIRE_MESSAGE(text.find(';') != std::string::npos, cells[2], ": ", text);
  return expected;
}

// What docs/findings.md promises of each entry.
const std::vector<Expected>& all_expected() {
  static const std::vector<Expected> table = [] {
    std::vector<Expected> all;
    std::ifstream page(resource("docs/findings.md"));
    bool here = false;
    for (std::string line; std::getline(page, line);) {
      if (line.starts_with("#")) here = line == "## The gallery, entry by entry";
      if (here && line.starts_with("| `")) all.push_back(expected_of(cells_of(line)));
    }
    return all;
  }();
  return table;
}

CheckedRun run_of(const std::string& id, Runtime& runtime) {
  Request request;
  request.algorithm = id;
  return checked(make_plan(request), runtime);
}

std::string line_text(const TraceInfo& info, const Finding& finding) {
  std::string text = info.sources[finding.source].text;
  for (int line = 1; line < finding.line; ++line) text.erase(0, text.find('\n') + 1);
  text.resize(std::min(text.size(), text.find('\n')));
  return text.erase(0, std::min(text.size(), text.find_first_not_of(" \t")));
}

// PoCL sends every work-item of a group past a barrier that the first one reaches, as the standard lets it: no work-item diverges
// there, and the items that should have returned are found where they access others' elements.
// Its devices are "pthread-…" up to version 4, "cpu-…" since.
bool sends_everybody_on(const TraceInfo& info) {
  return info.device.find("pthread") != std::string::npos || info.device.starts_with("cpu");
}

// A finding that was inferred from values, whichever of them says it best.
const Finding* first_of_values(const CheckedRun& run) {
  for (const Finding& finding : run.findings)
    if (finding.severity == Severity::Error && !is_structural(finding.kind)) return &finding;
  return nullptr;
}

// The two languages' kernels have the same lines, but for what they include.
void check_statement(const Expected& expected, const CheckedRun& run, const Finding& finding) {
  if (expected.outcome) return;
  CHECK(line_text(run.info, finding).find(';') != std::string::npos);
  // A race has two parties, and either may be told of first.
  const bool same_lines = run.info.runtime == "opencl" || expected.id != "unawaited-copy";
  CHECK((!same_lines || std::any_of(run.findings.begin(), run.findings.end(), [&](const Finding& one) {
    return one.kind == finding.kind && one.line == expected.line;
  })));
}

void check_entry(const Expected& expected, Runtime& runtime) {
  CAPTURE(expected.id);
  const CheckedRun run = run_of("gallery/" + expected.id, runtime);
  CAPTURE(run.text());
  const bool hidden = expected.kind == Class::BarrierDivergence && sends_everybody_on(run.info);
  const Finding* finding = run.first(hidden ? Class::OutOfBounds : expected.kind);
  if (!finding && expected.outcome) finding = first_of_values(run);
  REQUIRE(finding != nullptr);
  CHECK(finding->severity == severity_of(finding->kind));
  CHECK_FALSE(finding->message.empty());
  CHECK_FALSE(finding->advice.empty());
  CHECK(contains(file_of(run.info, *finding), expected.file));
  if (hidden) return;
  if (!expected.traced) return check_statement(expected, run, *finding);
  // The host executor stops at the access itself, or at the barrier, before the trace line.
  const std::string line = line_text(run.info, *finding);
  const bool stopped_there =
      !run.info.complete && (expected.kind == Class::OutOfBounds || expected.kind == Class::BarrierDivergence);
  if (!stopped_there)
    CHECK(contains(line, expected.call));
  else
    CHECK(contains(line, expected.kind == Class::BarrierDivergence
                             ? "__syncthreads()"
                             : expected.element.substr(0, expected.element.find('[') + 1)));
  const bool opencl = run.info.runtime == "opencl";
  if (opencl) CHECK(finding->line == expected.line);
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
  Sample sample(10);
  for (const Expected& expected : all_expected())
    if (!sample.skips()) check_entry(expected, *runtime);
}

TEST_CASE("every kernel of the gallery is found on the host executor, by class and place") {
  Runtime* runtime = device_of("host");
  if (!runtime) return;
  Sample sample(10, 2);  // others than on OpenCL
  for (const Expected& expected : all_expected())
    if (!sample.skips()) check_entry(expected, *runtime);
}

TEST_CASE("the gallery's correct versions have no errors, and cost less") {
  for (const char* name : {"opencl", "host"}) {
    Runtime* runtime = device_of(name);
    if (!runtime) continue;
    Sample sample(12, name == std::string("opencl") ? 3 : 0);
    for (const Expected& expected : all_expected()) {
      if (sample.skips()) continue;
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

namespace {

// A kernel's text as one who has never heard of trace lines would have written it, with what it includes.
std::string plain_text(const fs::path& file, int depth = 0) {
  std::ifstream source(file);
  std::string text;
  for (std::string line; std::getline(source, line);) {
    std::smatch include;
    if (std::regex_search(line, include, std::regex(R"re(^#include "([^"]+)")re"))) {
      const std::string name = include[1].str();
      if (name != "trace_device.h" && depth < 4) text += plain_text(file.parent_path() / name, depth + 1);
      continue;
    }
    if (line.starts_with("#pragma once")) continue;
    text += std::regex_replace(line, std::regex(R"( ?\bTRACE_(PARAMS|ARGS)\b)"), "") + "\n";
  }
  return std::regex_replace(text, std::regex(R"(\bTRACE_\w+\([^;]*\);)"), ";");
}

Plan without_trace_lines(Plan plan, const fs::path& folder) {
  for (Launch& launch : plan.launches) {
    const KernelSource source = kernel_source(plan, launch, ".cl");
    std::ofstream(folder / source.name) << plain_text(source.directory / source.name);
    launch.source = source.name;
  }
  plan.directory = folder;
  plan.algorithm = (folder / "mine.toml").string();
  return plan;
}

}  // namespace

TEST_CASE("every kernel of the gallery is found from all of its accesses, too, and without its trace lines") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  int plain = 0;
  Sample sample(16);
  for (const Expected& expected : all_expected()) {
    // Of float-index 64 work-items of a huge transform run: no transform is expected that would show a rounded index.
    if (expected.id == "float-index") continue;
    ++plain;
    if (sample.skips()) continue;
    if (!expected.traced) continue;  // there is none, and its accesses are all that the other tests had
    CAPTURE(expected.id);
    TraceOptions options;
    options.accesses = Accesses::All;
    Request request;
    request.algorithm = "gallery/" + expected.id;
    const bool hidden = expected.kind == Class::BarrierDivergence;
    const bool is_error = severity_of(expected.kind) == Severity::Error;
    const Plan plan = make_plan(request);
    const CheckedRun all = checked(plan, *runtime, options);
    CHECK_MESSAGE((is_error ? all.any_errors() : all.first(expected.kind) != nullptr), all.text());
    // Items that go another way each time make no line false.
    CHECK_MESSAGE((all.first(Class::FalseTraceLine) != nullptr) == (expected.id == "half-butterfly"), all.text());
    if (!hidden && !expected.outcome) {
      const Finding* finding = all.first(expected.kind);
      REQUIRE_MESSAGE(finding != nullptr, all.text());
      // The false line does not hide that one output was never written, nor is a statement that reads blamed for it.
      if (expected.id == "half-butterfly") {
        CHECK(contains(finding->message.english(), "this output was never written"));
        CHECK(shown_line(*finding) == expected.line);
      }
    }

    const synthetic::Folder folder;
    const CheckedRun without = checked(without_trace_lines(plan, folder / ""), *runtime, options);
    for (const SourceText& source : without.info.sources) CHECK(source.text.find("TRACE_") == std::string::npos);
    CHECK_MESSAGE((is_error ? without.any_errors() : without.first(expected.kind) != nullptr), without.text());

    request.algorithm += "-right";
    const CheckedRun right = checked(without_trace_lines(make_plan(request), folder / ""), *runtime, options);
    CHECK_MESSAGE(!right.any_errors(), right.text());
  }
  CHECK(plain >= 40);
}
