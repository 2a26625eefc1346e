// Who was idle, and how atomics met, sub-group by sub-group; and where in local memory an operation works.
#include "tracer/file/trace_file.h"
#include "tracer/replay/sub_groups.h"

#include "run_program.h"
#include "test_support.h"
#include "traced.h"
#include "tracer/print/print.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <vector>

using namespace twiddle;

namespace {

std::vector<SubGroupWork> work_of(const std::shared_ptr<const TraceReader>& trace, int width,
                                  const SubGroupFilter& filter = {}) {
  std::vector<SubGroupWork> all;
  Replay replay(trace);
  for_each_sub_group(replay, width, filter, [&](const SubGroupWork& work) { all.push_back(work); });
  return all;
}

std::vector<std::string> lines(const std::shared_ptr<const TraceReader>& trace, int launch, int stage) {
  std::vector<std::string> all;
  Replay replay(trace);
  replay.for_each(1, trace->info().steps, false, [&](const Operation& operation) {
    if (operation.launch == launch && operation.stage == stage) all.push_back(text_line(trace->info(), operation));
    return true;
  });
  return all;
}

}  // namespace

TEST_CASE("a divergent reduction leaves items idle in every sub-group, a strided one whole sub-groups") {
  const auto interleaved = traced("reduce-interleaved", 64);
  std::vector<SubGroupWork> work = work_of(interleaved, 32, {{}, 2});
  REQUIRE(work.size() == 2);  // one group of 64 items
  CHECK(work[0].busy == 0x11111111);
  CHECK(work[1].busy == 0x11111111);
  CHECK(work[1].first_local == 32);
  CHECK(work[0].kind == OperationKind::Combine);
  CHECK(text_line(interleaved->info(), work[1]) ==
        "launch=1 kernel=reduce_interleaved stage=2 epoch=2 group=0 sub-group=1 items=32-63 busy=8/32 "
        "idle=33-35,37-39,41-43,45-47,49-51,53-55,57-59,61-63 operations=8 most=combine");
  CHECK(contains(text_line(interleaved->info(), work_of(interleaved, 32, {{}, 1})[0]), "busy=16/32 idle=1-31:2 "));

  const auto strided = traced("reduce-strided", 64);
  work = work_of(strided, 32, {{}, 2});
  REQUIRE(work.size() == 2);
  CHECK(work[0].busy == 0xFFFF);
  CHECK(work[1].busy == 0);
  CHECK(text_line(strided->info(), work[1]) ==
        "launch=1 kernel=reduce_strided stage=2 epoch=2 group=0 sub-group=1 items=32-63 busy=0/32 idle=32-63");
  const auto json = nlohmann::json::parse(json_line(strided->info(), work[0]));
  CHECK(json["busy"] == 16);
  CHECK(json["idle"].size() == 16);
  CHECK(json["idle"][0] == 16);
  CHECK(json["op"] == "combine");
  CHECK_FALSE(json.contains("contention"));
}

TEST_CASE("atomics meet twice in a sub-group of 32 for i mod 16, all together for constant data, apart in copies") {
  const auto contention = [](const std::string& algorithm, const std::string& signal, int width) {
    const auto trace = traced(algorithm, 1024, signal);
    std::vector<int> worst;
    for (const SubGroupWork& work : work_of(trace, width, {{1}, {}})) {
      if (work.atomics == 0) continue;
      CHECK(work.turns == work.rounds * static_cast<std::uint64_t>(work.worst));  // every round is alike here
      CHECK(work.atomics == work.rounds * static_cast<std::uint64_t>(width));
      worst.push_back(work.worst);
    }
    REQUIRE_FALSE(worst.empty());
    CHECK(std::equal(worst.begin() + 1, worst.end(), worst.begin()));
    return worst.front();
  };
  CHECK(contention("histogram-local", "sawtooth:16", 32) == 2);
  CHECK(contention("histogram-global", "sawtooth:16", 32) == 2);
  CHECK(contention("histogram-local", "sawtooth:16", 16) == 1);
  CHECK(contention("histogram-local", "sawtooth:16", 64) == 4);
  CHECK(contention("histogram-local", "constant:3", 32) == 32);
  CHECK(contention("histogram-private", "constant:3", 32) == 8);  // four copies of the bins

  const auto trace = traced("histogram-local", 1024, "constant:3");
  for (const SubGroupWork& work : work_of(trace, 32)) {
    if (work.atomics == 0) continue;
    CHECK(contains(text_line(trace->info(), work), "contention=32 mean=32.00 at=bins[3]"));
    const auto json = nlohmann::json::parse(json_line(trace->info(), work));
    CHECK(json["contention"]["most"] == 32);
    CHECK(json["contention"]["index"] == 3);
    CHECK(json["contention"]["space"] == "local");
  }
}

TEST_CASE("a work-group's last sub-group may be smaller") {
  const auto trace = traced("reduce-sequential", 64);
  const std::vector<SubGroupWork> work = work_of(trace, 48, {{}, 1});
  REQUIRE(work.size() == 2);
  CHECK(work[0].items == 48);
  CHECK(work[1].items == 16);
  CHECK(work[1].first_local == 48);
}

TEST_CASE("lines name the buffers where there are two, and group and bank in local memory") {
  const auto stockham = traced("fft-stockham2", 8);
  CHECK(lines(stockham, 1, 1)[0].ends_with(" buffer=x>y"));
  CHECK(lines(stockham, 2, 2)[0].ends_with(" buffer=y>x"));
  const auto in_place = traced("fft-radix2", 8);
  CHECK_FALSE(contains(lines(in_place, 3, 2)[0], "buffer="));

  const auto local = traced("fft-radix2-local", 8);  // two rows: a group each; a point takes two banks
  CHECK(lines(local, 1, 0)[1].ends_with(" buffer=x>s group=0 bank=8"));
  CHECK(contains(lines(local, 1, 0)[1], " move=1>4 "));
  const std::vector<std::string> last = lines(local, 1, 3);
  REQUIRE(last.size() == 8);
  CHECK(contains(last[5], " gid=9 pair=1-5 "));
  CHECK(last[5].ends_with(" buffer=s group=1 bank=2-10"));

  Replay replay(local);
  bool seen = false;
  replay.for_each(1, local->info().steps, false, [&](const Operation& operation) {
    if (operation.stage != 3 || operation.item != 9) return true;
    const auto json = nlohmann::json::parse(json_line(local->info(), operation));
    CHECK(json["reads"][1]["bank"] == 10);
    CHECK(json["writes"][0]["bank"] == 2);
    CHECK(json["group"] == nlohmann::json::parse("[1,0,0]"));
    seen = true;
    return false;
  });
  CHECK(seen);

  BufferInfo wide;
  wide.type = ElementType::Double2;
  CHECK(bank_of(wide, 9) == 4);  // 9 · 16 bytes are 36 banks
}

TEST_CASE("print --sub-groups, and what it refuses") {
  const TestFolder folder;
  REQUIRE(run_program(folder, {"trace", "reduce-sequential", "--n", "64", "-o", "r.twd"}).code == 0);
  const Ran ran = run_program(folder, {"print", "r.twd", "--sub-groups", "--stage", "1"});
  CHECK(ran.code == 0);
  CHECK(ran.out ==
        "launch=1 kernel=reduce_sequential stage=1 epoch=1 group=0 sub-group=0 items=0-31 busy=32/32 operations=32 "
        "most=combine\n"
        "launch=1 kernel=reduce_sequential stage=1 epoch=1 group=0 sub-group=1 items=32-63 busy=0/32 idle=32-63\n");
  check_failure(run_program(folder, {"print", "r.twd", "--width", "16"}), 2, "--sub-groups");
  check_failure(run_program(folder, {"print", "r.twd", "--sub-groups", "--width", "65"}), 2, "at most 64");
  check_failure(run_program(folder, {"print", "r.twd", "--sub-groups", "--item", "1"}), 2, "leave --item");
  check_failure(run_program(folder, {"print", "r.twd", "--sub-groups", "--format", "csv"}), 2, "no csv");
  check_failure(run_program(folder, {"print", "r.twd", "--sub-groups", "--launch", "9"}), 2, "no launch 9");
}
