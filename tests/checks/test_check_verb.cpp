// `twiddle check` as a user or a script sees it.
#include "run_program.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

using namespace twiddle;
using nlohmann::json;

TEST_CASE("check: text like a compiler's, exit code 1 for errors, 0 without") {
  TestFolder folder;
  const Ran broken = run_program(folder, {"check", "gallery/wrong-sign"});
  CHECK(broken.code == 1);
  CHECK_MESSAGE(
      broken.out.rfind("wrong_sign.cl:22: error: wrong-twiddle: work-item 1 multiplies F[3] by (0, 1)", 0) == 0,
      broken.out);
  CHECK(broken.out.find("22 | TRACE_BUTTERFLY(F, i0, i1, w, a, b);\n") != std::string::npos);
  CHECK(broken.out.find("gallery/wrong-sign: 2 errors, 1 note in 14 operations\n") != std::string::npos);
  CHECK(folder.names().empty());

  const Ran right = run_program(folder, {"check", "gallery/wrong-sign-right"});
  CHECK(right.code == 0);
  CHECK(right.out.find("error") == std::string::npos);
}

TEST_CASE("check: JSON and SARIF of a trace file, and what was not checked") {
  TestFolder folder;
  const Ran traced = run_program(folder, {"trace", "gallery/stale-twiddle", "--detail", "index", "-o", "stale.twd"});
  REQUIRE_MESSAGE(traced.code == 0, traced.err);
  const Ran as_json = run_program(folder, {"check", "stale.twd", "--json"});
  CHECK(as_json.code == 1);
  const json list = json::parse(as_json.out);
  REQUIRE(list.at("findings").size() >= 1);
  CHECK(list["findings"][0].at("class") == "wrong-twiddle");
  CHECK(list["findings"][0].at("position") == "L3.S2.I1");
  CHECK(list.at("unchecked").size() == 1);

  const Ran as_sarif = run_program(folder, {"check", "stale.twd", "--sarif"});
  CHECK(as_sarif.code == 1);
  const json log = json::parse(as_sarif.out);
  CHECK(log.at("version") == "2.1.0");
  CHECK(log["runs"][0]["results"][0].at("ruleId") == "wrong-twiddle");
  CHECK(log["runs"][0]["tool"]["driver"].at("rules").size() == 22);

  const Ran as_text = run_program(folder, {"check", "stale.twd"});
  CHECK(as_text.err.find("the trace has no values") != std::string::npos);
}

TEST_CASE("check: what it cannot do") {
  TestFolder folder;
  check_failure(run_program(folder, {"check", "gallery/wrong-sing"}), 2, "did you mean");
  check_failure(run_program(folder, {"check", "no.twd"}), 3, "no.twd");
  check_failure(run_program(folder, {"check", "fft-radix2", "--json", "--sarif"}), 2, "take one");
}
