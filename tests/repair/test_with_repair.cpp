// What a repair and a likely line make of the findings, and which line is likely.
#include "tracer/repair/locate/line_scores.h"
#include "tracer/repair/repair.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

using namespace twiddle;

namespace {

TraceInfo info_of_plan() {
  TraceInfo info;
  info.algorithm = "mine.toml";
  SourceText source;
  source.name = "mine.cl";
  source.text = "a\nb\nc\nx[gid % hs] = 0;\ne\nf\n";
  info.sources.push_back(source);
  return info;
}

Finding error(FindingClass kind, int line) {
  Finding finding;
  finding.kind = kind;
  finding.source = 0;
  finding.line = line;
  finding.message = Message("seen in {}", line);
  finding.follows = 2;
  return finding;
}

Repaired repaired_at(int line) {
  Repair repair;
  repair.file = "mine.cl";
  repair.line = line;
  repair.is = "x[gid % hs] = 0;";
  repair.should = "x[gid / hs] = 0;";
  repair.was = "gid % hs";
  repair.text = "gid / hs";
  repair.kind = FindingClass::WrongPartner;
  Repaired repaired;
  repaired.repairs.push_back(repair);
  return repaired;
}

}  // namespace

TEST_CASE("the line that makes all right comes first, and what came of it is folded under it") {
  const TraceInfo info = info_of_plan();
  Finding warning = error(FindingClass::Uncoalesced, 3);
  warning.severity = Severity::Warning;
  const std::vector<Finding> found =
      with_repair(info, {error(FindingClass::Race, 6), error(FindingClass::OutOfBounds, 5), warning}, repaired_at(4));
  REQUIRE(found.size() == 2);
  CHECK(found[0].line == 4);
  CHECK(found[0].kind == FindingClass::WrongPartner);
  CHECK(found[0].explains.size() == 2);
  CHECK(found[0].follows == 4);
  CHECK(found[1].kind == FindingClass::Uncoalesced);
  CHECK(summary_of(found) == "1 error (explaining 2 more), 1 warning");
  const std::string text = text_of(info, found[0]);
  CHECK(text.find("mine.cl:4: error: wrong-partner") != std::string::npos);
  CHECK(text.find("explains 2 findings") != std::string::npos);
  CHECK(text.find("mine.cl:6: race: seen in 6") != std::string::npos);
  const auto json = nlohmann::json::parse(json_of(info, found)).at("findings").at(0);
  CHECK(json.at("line") == 4);
  REQUIRE(json.at("explains").size() == 2);
  CHECK(json.at("explains").at(1).at("class") == "out-of-bounds");
  const auto sarif = nlohmann::json::parse(sarif_of(info, found)).at("runs").at(0).at("results");
  CHECK(sarif.size() == 2);
  CHECK(sarif.at(0).at("relatedLocations").size() == 2);
}

TEST_CASE("a second line that can be changed as well is said, and not one that is less likely or of the plan") {
  Repaired repaired = repaired_at(4);
  Repair other = repaired.repairs[0];
  other.line = 6, other.should = "f = 1;";
  repaired.repairs.push_back(other);
  const auto advice_of = [&] {
    return with_repair(info_of_plan(), {error(FindingClass::WrongValue, 6)}, repaired).at(0).advice.english();
  };
  CHECK(advice_of() == "Line 6 can be changed in its place: f = 1;");
  repaired.repairs[1].cost = 0.5;
  CHECK(advice_of() == "");
  repaired.repairs[1].cost = 0;
  repaired.repairs[1].plan = true;
  CHECK(advice_of() == "");
  repaired.repairs[1].plan = false;
  repaired.repairs[1].line = 4;
  CHECK(advice_of() == "");
}

TEST_CASE("what was seen at the very line is what the mistake is called") {
  const std::vector<Finding> found =
      with_repair(info_of_plan(), {error(FindingClass::Race, 6), error(FindingClass::OutOfBounds, 4)}, repaired_at(4));
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == FindingClass::OutOfBounds);
  CHECK(found[0].line == 4);
  REQUIRE(found[0].fix);
  CHECK(found[0].explains.size() == 1);
}

TEST_CASE("a likely line takes the place of one that was inferred, and not of one that was seen") {
  const TraceInfo info = info_of_plan();
  Repaired repaired;
  repaired.likely = LikelyLine{"mine.cl", 2, 0.5};
  const Repaired read = repaired_from_json(to_json(repaired));
  REQUIRE(read.likely);
  const std::vector<Finding> inferred = with_repair(info, {error(FindingClass::WrongValue, 6)}, read);
  CHECK(inferred[0].line == 2);
  CHECK(inferred[0].message.english().find("seen in line 6") != std::string::npos);
  CHECK(inferred[0].message.english().find("50 %") != std::string::npos);
  CHECK(with_repair(info, {error(FindingClass::Race, 6)}, read)[0].line == 6);
}

TEST_CASE("a line whose changes only spoil comes later, one whose changes help sooner, and alike in another process") {
  LineScores scores;
  for (int k = 0; k < 4; ++k) {
    scores.note({0, 3}, -1);
    scores.note({0, 5}, 0);
    scores.note({0, 7}, k == 0 ? 0.5 : 0);
  }
  scores.note_seen({0, 9});
  REQUIRE(scores.decide());
  CHECK(scores.shift({0, 3}) < scores.shift({0, 5}));
  CHECK(scores.shift({0, 5}) < scores.shift({0, 7}));
  CHECK(scores.shift({0, 9}) > scores.shift({0, 5}));
  REQUIRE(scores.likeliest());
  CHECK(scores.likeliest()->first.second == 7);
  LineScores other;
  other.read(scores.text());
  for (const int line : {3, 5, 7, 9, 11}) CHECK(other.shift({0, line}) == scores.shift({0, line}));
  scores.note({0, 5}, 0.45);
  CHECK_FALSE(scores.likeliest());
}

TEST_CASE("the line whose changes are felt where the outcome is wrong is named for it, and not for what is surer") {
  LineScores scores;
  for (int k = 0; k < 4; ++k) {
    scores.note({0, 3}, 0, 0.6);
    scores.note({0, 5}, 0, k == 0 ? 0.9 : 0.2);
    scores.note({0, 7}, 0, 0);
    scores.note({0, 9}, 0);
  }
  CHECK(scores.compared({0, 3}) == 4);
  CHECK(scores.compared({0, 9}) == 0);
  const auto nothing = [](const LineScores::Place&) { return 0.0; };
  CHECK(scores.most_alike(nothing) == LineScores::Place(0, 5));
  CHECK(scores.most_alike([](const LineScores::Place& place) { return place.second == 3 ? 0.3 : 0.0; }) ==
        LineScores::Place(0, 3));
  CHECK_FALSE(LineScores().most_alike(nothing));
  REQUIRE(scores.decide());
  CHECK(scores.shift({0, 7}) < scores.shift({0, 3}));

  Repaired felt;
  felt.likely = LikelyLine{"mine.cl", 2, 0};
  const Finding outcome = error(FindingClass::WrongValue, 6);
  Finding operation = outcome;
  operation.ideal = Ideal{};
  const TraceInfo info = info_of_plan();
  CHECK(with_repair(info, {outcome}, felt)[0].line == 2);
  CHECK(with_repair(info, {outcome}, felt)[0].message.english().find("seen in line 6") != std::string::npos);
  CHECK(with_repair(info, {operation}, felt)[0].line == 6);
  CHECK(with_repair(info, {error(FindingClass::WrongTwiddle, 6)}, felt)[0].line == 6);
  CHECK(with_repair(info, {error(FindingClass::Race, 6)}, felt)[0].line == 6);
}
