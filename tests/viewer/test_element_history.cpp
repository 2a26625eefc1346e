// Who touched an element, and where conditions are met, against what a query and a walk over all operations say.
#include "run_program.h"
#include "test_support.h"
#include "traced.h"
#include "tracer/query/query.h"
#include "viewer/facts/live_signal.h"
#include "viewer/graphs/element_history.h"
#include "viewer/input/stops.h"

#include <doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <complex>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace twiddle;

namespace {

struct HistoryRun {
  const char* algorithm;
  std::uint64_t n;
};
constexpr std::array history_runs = {HistoryRun{"fft-radix2", 8},          HistoryRun{"fft-radix2", 64},
                                     HistoryRun{"fft-stockham4", 16},      HistoryRun{"fft-radix2-local", 64},
                                     HistoryRun{"reduce-interleaved", 64}, HistoryRun{"histogram-local", 300},
                                     HistoryRun{"scan-blelloch", 16},      HistoryRun{"fft-real", 16}};

/// Step, and whether it writes, of every access of an element, by walking over all operations.
std::vector<std::pair<std::uint64_t, bool>> walked(Document& document, const Place& place) {
  std::vector<std::pair<std::uint64_t, bool>> all;
  const TraceInfo& info = document.info();
  document.replay->for_each(1, info.steps, false, [&](const Operation& op) {
    const bool local = info.buffers[static_cast<std::size_t>(place.buffer)].space == Space::Local;
    const bool own = !local || info.launches[static_cast<std::size_t>(op.launch - 1)].group_of(op.item) == place.group;
    for (const bool write : {false, true})
      for (const Access& access : write ? op.writes : op.reads)
        if (own && access.buffer == place.buffer && access.index == place.index) all.emplace_back(op.step, write);
    return true;
  });
  return all;
}

}  // namespace

TEST_CASE("the history of every element is what a walk over all operations finds") {
  for (const HistoryRun& subject : history_runs) {
    CAPTURE(subject.algorithm);
    Document document(traced(subject.algorithm, subject.n, "random:1"));
    document.flow().begin_frame(document.info().steps, 1e9);
    for (int b = 0; b < static_cast<int>(document.info().buffers.size()); ++b) {
      const BufferInfo& of = document.info().buffers[static_cast<std::size_t>(b)];
      if (of.space == Space::Constant) continue;
      for (std::uint64_t i = 0; i < std::min<std::uint64_t>(of.count, 64); ++i) {
        const Place place{b, 0, i};
        const ElementHistory history = element_history(document, place);
        std::vector<std::pair<std::uint64_t, bool>> found;
        for (const ElementAccess& access : history.accesses) found.emplace_back(access.step, access.write);
        CAPTURE(of.name);
        CAPTURE(i);
        CHECK(history.complete);
        CHECK(found == walked(document, place));
        CHECK(history.reads + history.writes == found.size());
      }
    }
  }
}

TEST_CASE("the history is what a query over the same element answers, with its values") {
  const std::shared_ptr<const TraceReader> trace = traced("fft-radix2", 64, "random:1");
  Document document(trace);
  document.flow().begin_frame(document.info().steps, 1e9);
  const int buffer = document.info().buffer_named("F");
  REQUIRE(buffer >= 0);
  for (const std::uint64_t i : {0u, 5u, 21u, 63u}) {
    const Place place{buffer, 0, i};
    std::vector<std::string> rows, asked;
    for (const ElementAccess& access : element_history(document, place).accesses) {
      const std::optional<Value> value = value_of(document, access, place);
      REQUIRE(value);
      rows.push_back(fmt::format("{} {} {} {} {} {:.9g} {:.9g}", access.step, access.write ? 1 : 0, access.launch,
                                 access.item, access.line, value->component(0), value->component(1)));
    }
    Query query(trace,
                fmt::format("SELECT step, 0 AS written, launch, item, line, re, im FROM reads WHERE buffer = 'F' "
                            "AND element = {0} UNION ALL SELECT step, 1, launch, item, line, re, im FROM writes "
                            "WHERE buffer = 'F' AND element = {0} ORDER BY 1, 2",
                            i));
    std::vector<Cell> row;
    while (query.next(row))
      asked.push_back(fmt::format("{} {} {} {} {} {:.9g} {:.9g}", std::get<std::int64_t>(row[0]),
                                  std::get<std::int64_t>(row[1]), std::get<std::int64_t>(row[2]),
                                  std::get<std::int64_t>(row[3]), std::get<std::int64_t>(row[4]),
                                  std::get<double>(row[5]), std::get<double>(row[6])));
    CHECK_FALSE(rows.empty());
    CHECK(rows == asked);
  }
}

TEST_CASE("where sums overflow, the steps with a NaN are found, and no others") {
  const TestFolder folder;
  const std::string file = (folder.path() / "huge.csv").string();
  std::ofstream out(file);
  for (int i = 0; i < 64; ++i) out << (i % 16 < 12 ? "3e38\n" : "1\n");
  out.close();
  Document document(traced("fft-radix2", 64, file.c_str()));
  document.flow().begin_frame(0, 1e9);
  std::vector<std::uint64_t> steps;
  document.replay->for_each(1, document.info().steps, false, [&](const Operation& op) {
    bool any = false;
    for (const auto* list : {&op.reads, &op.writes})
      for (const Access& access : *list)
        any = any || std::isnan(access.value.component(0)) || std::isnan(access.value.component(1));
    if (any) steps.push_back(op.step);
    return true;
  });
  CHECK_FALSE(steps.empty());
  CHECK(steps.size() < document.info().steps);
  CHECK(hits_of(document, parse_stop(document.info(), "nan"), 1e9).steps == steps);
}

TEST_CASE("conditions are met where a walk over all operations says, and the next and the last hit are found") {
  Document document(traced("fft-radix2", 64, "random:1"));
  document.flow().begin_frame(0, 1e9);
  const TraceInfo& info = document.info();
  const auto size = [](const Value& value) { return std::hypot(value.component(0), value.component(1)); };
  const auto all = [&](const auto& holds) {
    std::vector<std::uint64_t> steps;
    document.replay->for_each(1, info.steps, false, [&](const Operation& op) {
      if (holds(op)) steps.push_back(op.step);
      return true;
    });
    return steps;
  };
  const auto accesses = [](const Operation& op, const auto& is) {
    for (const Access& access : op.reads)
      if (is(access)) return true;
    for (const Access& access : op.writes)
      if (is(access)) return true;
    return false;
  };
  const int f = info.buffer_named("F");
  const auto hits = [&](const char* text) { return hits_of(document, parse_stop(info, text), 1e9).steps; };
  CHECK(hits("|x| > 1.5") ==
        all([&](const Operation& op) { return accesses(op, [&](const Access& a) { return size(a.value) > 1.5; }); }));
  CHECK_FALSE(hits("|x| > 1.5").empty());
  // Limits below, between and above all values, and two that no float has.
  for (const char* limit : {"-1", "0", "0.25", "1", "2.5", "3.75", "5", "1e39", "1e300"}) {
    CAPTURE(limit);
    const double least = std::stod(limit);
    CHECK(hits((std::string("|x| > ") + limit).c_str()) == all([&](const Operation& op) {
            return accesses(op, [&](const Access& a) { return size(a.value) > least; });
          }));
  }
  CHECK(hits("item 5") == all([](const Operation& op) { return op.item == 5; }));
  const int line = document.replay->operation(info.steps).line;
  CHECK(hits(("line " + std::to_string(line)).c_str()) == all([&](const Operation& op) { return op.line == line; }));
  CHECK(hits("F[5]") == all([&](const Operation& op) {
          return accesses(op, [&](const Access& a) { return a.buffer == f && a.index == 5; });
        }));
  CHECK(hits("F[5] written") == all([&](const Operation& op) {
          return std::any_of(op.writes.begin(), op.writes.end(),
                             [&](const Access& a) { return a.buffer == f && a.index == 5; });
        }));
  CHECK(hits("nan").empty());

  std::vector<StopCondition> conditions{parse_stop(info, "F[5] written"), parse_stop(info, "item 5")};
  const std::vector<std::uint64_t> written = hits("F[5] written"), item = hits("item 5");
  for (std::uint64_t step = 0; step <= info.steps; ++step) {
    std::uint64_t next = 0, last = 0;
    for (const auto* list : {&written, &item})
      for (const std::uint64_t hit : *list) {
        if (hit > step && (next == 0 || hit < next)) next = hit;
        if (hit < step) last = std::max(last, hit);
      }
    CHECK(next_hit(document, conditions, step, 1) == next);
    CHECK(next_hit(document, conditions, step, -1) == last);
  }
  conditions[0].on = conditions[1].on = false;
  CHECK(next_hit(document, conditions, 0, 1) == 0);
  for (const char* wrong : {"", "F", "F[64]", "G[0]", "F[5] read twice", "item x", "|x| < 3", "line -1"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(parse_stop(info, wrong), Error);
  }
}

namespace {

/// The right kernel's run of the same plan does the same steps in the same order: in each stage the first step whose written
/// values are others, and how many are.
std::map<int, std::pair<std::uint64_t, std::uint64_t>> apart(Document& wrong, Document& right) {
  REQUIRE(wrong.info().steps == right.info().steps);
  std::map<int, std::pair<std::uint64_t, std::uint64_t>> stages;
  for (std::uint64_t step = 1; step <= wrong.info().steps; ++step) {
    const Operation a = wrong.replay->operation(step), b = right.replay->operation(step);
    bool differs = false;
    for (int i = 0; i < a.writes.size(); ++i)
      for (int c = 0; c < 2; ++c)
        differs = differs || std::abs(a.writes[i].value.component(c) - b.writes[i].value.component(c)) > 1e-4;
    if (!differs) continue;
    auto& stage = stages[static_cast<int>(wrong.replay->segment_of(step))];
    if (stage.second++ == 0) stage.first = step;
  }
  return stages;
}

bool says(const StopHits& hits, const std::string& words) {
  return std::any_of(hits.remarks.begin(), hits.remarks.end(),
                     [&](const Message& remark) { return remark.english().find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("what is not the reference's is met stage by stage, at the first operation of each that is wrong") {
  for (const std::uint64_t n : {8, 32}) {
    CAPTURE(n);
    Document wrong(traced("gallery/stale-twiddle", n, "random:1")),
        right(traced("gallery/stale-twiddle-right", n, "random:1"));
    const auto stages = apart(wrong, right);
    REQUIRE(stages.size() > 1);  // on the way, not only at the end
    const StageComparison found = compare_stages(wrong.trace, false);
    REQUIRE(found.stages.size() == stages.size());
    std::vector<std::uint64_t> steps;
    for (const StageParting& stage : found.stages) {
      REQUIRE(stages.contains(stage.segment));
      CHECK(stage.step == stages.at(stage.segment).first);
      CHECK(stage.operations == stages.at(stage.segment).second);
      steps.push_back(stage.step);
    }
    const StopHits& hits = hits_of(wrong, parse_stop(wrong.info(), "reference"), 1e9);
    CHECK(hits.steps == steps);
    CHECK(says(hits, " stages differ, in "));
    CHECK(hits_of(right, parse_stop(right.info(), "reference"), 1e9).steps.empty());
  }
}

TEST_CASE("stages of right transforms are the reference's, in each usual order, and what has none is said") {
  struct HistoryRun {
    const char* algorithm;
    std::uint64_t n;
    bool on_the_way;
  };
  for (const HistoryRun& subject : {HistoryRun{"fft-radix2", 64, true},
                                    {"fft-radix2", 4096, true},
                                    {"fft-radix4", 64, true},
                                    {"fft-stockham2", 32, true},
                                    {"fft-stockham4", 64, true},
                                    {"fft-radix2-local", 32, true},
                                    {"fft-dif", 32, false},
                                    {"gallery/dif-no-reversal-right", 8, false},
                                    {"fft-batch", 16, false},
                                    {"fft-mixed", 32, false},
                                    {"reduce-sequential", 32, false},
                                    {"fft-bluestein", 12, false}}) {
    CAPTURE(std::string(subject.algorithm));
    Document document(traced(subject.algorithm, subject.n, "random:1"));
    const StopHits& hits = hits_of(document, parse_stop(document.info(), "reference"), 1e9);
    CHECK(hits.steps.empty());
    CHECK(hits.complete);
    const StageComparison found = compare_stages(document.trace, false);
    CHECK((std::count(found.compared.begin(), found.compared.end(), true) > 0) == subject.on_the_way);
    CHECK(found.not_compared.empty() == subject.on_the_way);
    CHECK(hits.remarks.empty() == false);
  }
  // What has no reference on the way has one at its end: a kernel that leaves its results in another order.
  Document unordered(traced("gallery/dif-no-reversal", 8));
  const StopHits& hits = hits_of(unordered, parse_stop(unordered.info(), "reference"), 1e9);
  CHECK_FALSE(hits.steps.empty());
  CHECK(says(hits, "no order that is known"));
  Document none(traced("fft-radix2", 8));
  TraceInfo info = none.info();
  info.expect.transform = Expect::Transform::None;
  CHECK_THROWS_AS(parse_stop(info, "reference"), Error);
}

TEST_CASE("what is not the other trace's is met stage by stage, compared once for the list and for the conditions") {
  Document right(traced("fft-radix2", 8)), wrong(traced("gallery/stale-twiddle", 8));
  CHECK_THROWS_AS(parse_stop(right, "other trace"), Error);  // there is none
  CHECK(partings_of(right, 1e9) == nullptr);
  set_other_trace(right, wrong.trace, 4);
  const StopHits hits = hits_of(right, parse_stop(right, "other trace"), 1e9);
  // Both do the same steps in the same order.
  std::map<int, std::pair<std::uint64_t, std::uint64_t>> wanted;
  REQUIRE(right.info().steps == wrong.info().steps);
  for (std::uint64_t step = 1; step <= right.info().steps; ++step) {
    const Operation a = right.replay->operation(step), b = wrong.replay->operation(step);
    const auto differs = [](const auto& one, const auto& other, const auto& value) {
      for (int i = 0; i < one.size(); ++i)
        for (int c = 0; c < 2; ++c)
          if (std::abs(value(one[i]).component(c) - value(other[i]).component(c)) > 1e-5) return true;
      return false;
    };
    const auto of_access = [](const Access& access) { return access.value; };
    if (!differs(a.reads, b.reads, of_access) && !differs(a.writes, b.writes, of_access) &&
        !differs(a.coefficients, b.coefficients, [](const Value& value) { return value; }))
      continue;
    auto& stage = wanted[static_cast<int>(right.replay->segment_of(step))];
    if (stage.second++ == 0) stage.first = step;
  }
  REQUIRE(wanted.size() > 1);
  const Partings* partings = partings_of(right, 1e9);
  REQUIRE(partings);
  REQUIRE(partings->stages.size() == wanted.size());
  std::vector<std::uint64_t> steps;
  for (const StageParting& stage : partings->stages) {
    CHECK(stage.step == wanted.at(stage.segment).first);
    CHECK(stage.operations == wanted.at(stage.segment).second);
    steps.push_back(stage.step);
  }
  CHECK(hits.steps == steps);
  CHECK(says(hits, std::to_string(wanted.size()) + " of "));
  CHECK(partings->notes.size() > 1);
  CHECK(partings_of(right, 0) == partings);  // not once more
  // What cannot be compared is said.
  Document larger(traced("fft-radix2", 16));
  set_other_trace(right, larger.trace, 4);
  const StopHits none = hits_of(right, parse_stop(right, "other trace"), 1e9);
  CHECK(none.steps.empty());
  CHECK(says(none, "only runs of one size"));
  // Without the other one it is never met.
  set_other_trace(right, nullptr, 0);
  StopCondition other;
  other.kind = StopCondition::Kind::Other;
  CHECK(hits_of(right, other, 1e9).steps.empty());
  CHECK(hits_of(right, other, 1e9).complete);
}
