// Recordings made on a GPU (tests/data/record, an H200): recorded.cu, and cuFFT's closed kernels.
#include "base/error.h"
#include "base/read_file.h"
#include "runtimes/kept_recording.h"
#include "sample.h"
#include "tracer/cuda/log/cubin.h"
#include "tracer/cuda/log/cuda_log.h"
#include "tracer/lift/lift.h"
#include "tracer/record/cuda_program.h"
#include "tracer/record/cuda_run.h"

#include <doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

// A launch's accesses by its buffers: each allocation, and "shared".
struct Resolved {
  TraceInfo info;
  AccessLog log;

  Resolved(const CudaLog& from, std::size_t launch, std::uint64_t first = 0, std::uint64_t count = 1 << 20) {
    RawAccesses raw = from.accesses(launch, first, count);
    std::vector<int> buffer_of;
    int shared = -1;
    for (const AccessRange& range : raw.ranges) {
      if (range.space == Space::Local && shared >= 0) {
        buffer_of.push_back(shared);
        continue;
      }
      buffer_of.push_back(static_cast<int>(info.buffers.size()));
      if (range.space == Space::Local) shared = buffer_of.back();
      BufferInfo buffer;
      buffer.name = range.name;
      buffer.type = range.type;
      buffer.space = range.space;
      buffer.count = range.bytes / traits(range.type).bytes;
      info.buffers.push_back(buffer);
    }
    info.launches.emplace_back();
    log = resolve(std::move(raw), from.launches()[launch].group_size(), buffer_of);
  }

  // Records of an item as "load 2[8]".
  std::vector<std::string> of_item(std::uint64_t item) const {
    static const std::map<AccessKind, std::string> names{{AccessKind::Load, "load"},
                                                         {AccessKind::Store, "store"},
                                                         {AccessKind::AtomicLoad, "atomic load"},
                                                         {AccessKind::AtomicStore, "atomic store"},
                                                         {AccessKind::CopyLoad, "copy load"},
                                                         {AccessKind::CopyStore, "copy store"},
                                                         {AccessKind::CopyWait, "wait"},
                                                         {AccessKind::Barrier, "barrier"},
                                                         {AccessKind::Fence, "fence"}};
    std::vector<std::string> texts;
    for (std::uint64_t k = log.begin[item - log.first_item]; k < log.begin[item - log.first_item + 1]; ++k) {
      const AccessSite& site = log.sites[log.site[k]];
      texts.push_back(names.at(site.kind));
      if (touches_memory(site.kind))
        texts.back() += " " + std::to_string(log.buffer[k]) + "[" + std::to_string(log.offset[k]) + "]";
    }
    return texts;
  }
};

std::vector<std::uint64_t> values_of(const Resolved& launch, std::uint64_t item) {
  const auto at = [&](std::uint64_t i) {
    return launch.log.value.begin() + static_cast<std::ptrdiff_t>(launch.log.begin[i]);
  };
  return {at(item), at(item + 1)};
}

float float_of(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
std::complex<float> complex_of(std::uint64_t bits) { return {float_of(bits), float_of(bits >> 32)}; }

// The number of the line of recorded.cu that holds a text, from 1.
int line_with(const std::string& text) {
  std::istringstream source(read_file(fs::path(TWIDDLE_TEST_DATA) / "record" / "recorded.cu", 1 << 20));
  int number = 1;
  for (std::string line; std::getline(source, line); ++number)
    if (line.find(text) != std::string::npos) return number;
  return 0;
}

// What program recorded.cu puts into its buffer.
std::complex<float> input(unsigned i) {
  return {1.0f / static_cast<float>(i + 1), static_cast<float>(i * 37 % 64) / 64 - 0.5f};
}

}  // namespace

TEST_CASE("a recorded program's launches are as it made them") {
  const Recording log_folder("recorded");
  const CudaLog log = log_folder.log();
  CHECK(log.complete());
  CHECK(log.failures().empty());
  REQUIRE(log.launches().size() == 10);
  CHECK(log.launches()[0].kernel == "stage(float2*, unsigned int)");
  CHECK(log.launches()[6].kernel == "tree_sum(float const*, float*)");
  CHECK(log.launches()[6].grid == std::array<std::size_t, 3>{4, 1, 1});
  CHECK(log.launches()[6].block == std::array<std::size_t, 3>{32, 1, 1});
  CHECK(log.launches()[6].items() == 128);
  CHECK(log.launches()[6].shared_bytes == 0x400 + 32 * 4);
  CHECK(log.launches()[0].lost == 0);
}

TEST_CASE("recorded accesses have buffers, values and lines") {
  const Recording log_folder("recorded");
  const CudaLog log = log_folder.log();
  const Resolved first(log, 0);
  REQUIRE(first.log.items() == 32);
  for (std::uint64_t item = 0; item < 32; ++item) {
    const std::string p = "[" + std::to_string(16 * item) + "]", q = "[" + std::to_string(16 * item + 8) + "]";
    CHECK(first.of_item(item) == std::vector<std::string>{"load 0" + q, "load 0" + p, "store 0" + p, "store 0" + q});
    const std::vector<std::uint64_t> values = values_of(first, item);
    const auto a = input(2 * static_cast<unsigned>(item)), b = input(2 * static_cast<unsigned>(item) + 1);
    CHECK(complex_of(values[0]) == b);  // the compiler loads it first
    CHECK(complex_of(values[1]) == a);
    CHECK(std::abs(complex_of(values[2]) - (a + b)) < 1e-6f);
    CHECK(std::abs(complex_of(values[3]) - (a - b)) < 1e-6f);
  }
  std::map<std::string, int> lines;
  for (const AccessSite& site : first.log.sites) {
    CHECK(fs::path(site.file).filename() == "recorded.cu");
    CHECK(site.function == "stage(float2*, unsigned int)");
    ++lines[std::to_string(site.line)];
  }
  std::map<std::string, int> expected;
  for (const char* text : {"float2 a = x[p];", "float2 b = x[q];", "x[p] = ", "x[q] = "})
    ++expected[std::to_string(line_with(text))];
  CHECK(lines == expected);
  CHECK(first.info.buffers[0].type == ElementType::Float2);

  // Each stage reads what the one before it left.
  std::map<std::uint64_t, std::uint64_t> memory;
  for (std::size_t launch = 0; launch < 6; ++launch) {
    const Resolved stage(log, launch);
    for (std::uint64_t k = 0; k < stage.log.size(); ++k) {
      const bool store = is_write(stage.log.sites[stage.log.site[k]].kind);
      if (store)
        memory[stage.log.offset[k]] = stage.log.value[k];
      else if (launch > 0)
        CHECK(memory.at(stage.log.offset[k]) == stage.log.value[k]);
    }
  }
}

TEST_CASE("shared memory is each block's own, and barriers are seen") {
  const Recording log_folder("recorded");
  const CudaLog log = log_folder.log();
  const Resolved sum(log, 6);
  const int shared = static_cast<int>(sum.info.buffers.size()) - 1;
  CHECK(sum.info.buffers[shared].space == Space::Local);
  CHECK(sum.info.buffers[shared].count == 32);
  for (std::uint64_t item = 0; item < 128; ++item) {
    std::vector<std::string> expected;
    const unsigned l = item % 32;
    const auto place = [&](unsigned at) { return " " + std::to_string(shared) + "[" + std::to_string(4 * at) + "]"; };
    expected.push_back("load 0[" + std::to_string(4 * item) + "]");
    expected.push_back("store" + place(l));
    for (unsigned d = 16; d > 0; d /= 2) {
      expected.push_back("barrier");
      if (l < d) expected.insert(expected.end(), {"load" + place(l), "load" + place(l + d), "store" + place(l)});
    }
    std::vector<std::string> seen = sum.of_item(item);
    if (l == 0) {
      // The last sum may come from a register; it is stored all the same.
      CHECK(seen.back() == "store 1[" + std::to_string(4 * (item / 32)) + "]");
      seen.resize(expected.size());
    }
    // The compiler loads in either order.
    const auto sorted_loads = [](std::vector<std::string> texts) {
      for (std::size_t i = 0; i + 1 < texts.size(); ++i)
        if (texts[i].rfind("load", 0) == 0 && texts[i + 1].rfind("load", 0) == 0 && texts[i + 1] < texts[i])
          std::swap(texts[i], texts[i + 1]);
      return texts;
    };
    CHECK(sorted_loads(seen) == sorted_loads(expected));
  }
}

TEST_CASE("atomic operations, wide accesses and asynchronous copies") {
  const Recording log_folder("recorded");
  const CudaLog log = log_folder.log();
  const Resolved atomics(log, 7);
  for (std::uint64_t item = 0; item < 4; ++item) {
    const std::string bin = "3[" + std::to_string(4 * (item * item & 3)) + "]";
    CHECK(atomics.of_item(item) == std::vector<std::string>{"load 2[" + std::to_string(4 * item) + "]",
                                                            "atomic load " + bin, "atomic store " + bin});
    CHECK(values_of(atomics, item)[0] == item * item);
  }
  const Resolved wide(log, 8);
  for (std::uint64_t item = 0; item < 32; ++item) {
    const std::string low = "[" + std::to_string(16 * item) + "]", high = "[" + std::to_string(16 * item + 8) + "]";
    CHECK(wide.of_item(item) ==
          std::vector<std::string>{"load 0" + low, "load 0" + high, "store 1" + low, "store 1" + high});
    const auto values = values_of(wide, item);
    CHECK(complex_of(values[2]) == 2.0f * complex_of(values[0]));
    CHECK(complex_of(values[3]) == 2.0f * complex_of(values[1]));
  }
  // The assembler inlined the call: its instructions are of the caller's line.
  for (const AccessSite& site : wide.log.sites) {
    CHECK(site.function == "wide(float4 const*, float4*)");
    CHECK(site.line == line_with("b[threadIdx.x] = doubled("));
  }
  const Resolved copy(log, 9);
  const std::string shared = std::to_string(copy.info.buffers.size() - 1);
  std::map<std::string, int> kinds;
  for (std::uint64_t item = 0; item < 32; ++item)
    for (const std::string& text : copy.of_item(item)) ++kinds[text.substr(0, text.find_first_of("0123456789"))];
  CHECK(kinds["copy load "] == 64);
  CHECK(kinds["copy store "] == 64);
  CHECK(kinds["wait"] >= 32);
  CHECK(kinds["load "] == 64);
  CHECK(kinds["store "] == 64);
}

TEST_CASE("a log that is read while it grows is the same as one that is read at its end") {
  Files files = kept_recording("recorded");
  const std::string events = files.at("events.jsonl");
  for (const std::size_t step : {std::size_t(37), std::size_t(1000), events.size() / 2}) {
    CAPTURE(step);
    std::size_t known = events.find('\n') + 1;
    files["events.jsonl"] = events.substr(0, known);
    const Recording growing(files);
    CudaLog log = growing.log();
    CHECK(log.launches().empty());
    for (; known < events.size(); known += step) {
      std::ofstream(growing.path() / "events.jsonl", std::ios::binary | std::ios::app) << events.substr(known, step);
      log.update();
    }
    log.update();
    const Recording whole("recorded");
    const CudaLog all = whole.log();
    REQUIRE(log.launches().size() == all.launches().size());
    CHECK(log.complete() == all.complete());
    for (std::size_t i = 0; i < all.launches().size(); ++i) {
      CHECK(log.launches()[i].kernel == all.launches()[i].kernel);
      CHECK(log.launches()[i].shared_bytes == all.launches()[i].shared_bytes);
      CHECK(log.accesses(i).value == all.accesses(i).value);
      CHECK(log.accesses(i).address == all.accesses(i).address);
    }
    // Launches stay, their accesses do not.
    log.forget_records();
    log.update();
    CHECK(log.launches().size() == all.launches().size());
    CHECK(log.accesses(0).value.empty());
  }
}

TEST_CASE("windows of items are the same as the whole") {
  const Recording log_folder("recorded");
  const CudaLog log = log_folder.log();
  for (std::size_t launch = 0; launch < log.launches().size(); ++launch) {
    const Resolved whole(log, launch);
    for (std::uint64_t first = 0; first < whole.log.items(); first += 5) {
      const Resolved part(log, launch, first, 5);
      for (std::uint64_t item = first; item < first + part.log.items(); ++item)
        if (whole.info.buffers.size() == part.info.buffers.size()) CHECK(part.of_item(item) == whole.of_item(item));
    }
  }
}

TEST_CASE("every write of cuFFT's kernels is explained") {
  struct Case {
    const char* name;
    std::uint64_t points;
  };
  Sample sample(1);
  // Each weak in its own way: threads behind the batch's end, real and imaginary parts in turns, halves exchanged, doubles.
  for (const Case& one :
       {Case{"fft1024", 1024}, Case{"fft4096", 4096}, Case{"cufft8", 8}, Case{"cufft32", 32}, Case{"cufft2048", 2048},
        Case{"cufft8192", 8192}, Case{"inverse64", 64}, Case{"double64", 64}}) {
    if (sample.skips()) continue;
    CAPTURE(one.name);
    const Recording log_folder(one.name);
    const CudaLog log = log_folder.log();
    REQUIRE(log.launches().size() == 1);
    const Resolved launch(log, 0);
    const Lifted lifted = lift(launch.log, launch.info);
    CHECK(lifted.writes >= one.points);
    CHECK(lifted.explained_writes == lifted.writes);
    std::uint64_t butterflies = 0;
    for (const LiftedOperation& op : lifted.operations) butterflies += op.kind == LiftedKind::Butterfly;
    CHECK(butterflies > 0);
    // Nothing of the transform's own is set aside: that is what threads do whose values reach no result.
    CHECK((lifted.idle_writes > 0) == (one.points == 8 || one.points == 32 || one.points == 2048 || one.points == 64));
  }
}

TEST_CASE("every write of cuFFT's transforms of real values is explained") {
  // Real inputs, outputs without their second half, half a spectrum read as a whole one, real outputs; in one thread, in turns
  // of real and imaginary parts, in passes of several radices; sums of cosines and of sines; two real parts in one store; parts
  // exchanged; values that threads keep for the pass that splits the spectrum, or from the one that makes it (at night).
  Sample sample(1);
  for (const std::string name :
       {"r2c8", "r2c32", "r2c64", "r2c128", "r2c256", "c2r8", "c2r32", "c2r64", "c2r512", "d2z8", "z2d32", "c2r97",
        "r2c1000", "c2r1000", "inverse97", "z2d97", "r2c8192", "c2r8192"}) {
    if (sample.skips() || (name.ends_with("8192") && !all_cases())) continue;
    CAPTURE(name);
    const Recording log_folder(name);
    const CudaLog log = log_folder.log();
    REQUIRE(log.launches().size() == 1);
    const Resolved launch(log, 0);
    const Lifted lifted = lift(launch.log, launch.info);
    CHECK(lifted.writes > 0);
    CHECK(lifted.explained_writes == lifted.writes);
    const bool prime = name.ends_with("97");
    std::uint64_t butterflies = 0, sums = 0;
    for (const LiftedOperation& op : lifted.operations) {
      butterflies += op.kind == LiftedKind::Butterfly;
      sums += op.kind == LiftedKind::Linear;
    }
    CHECK((prime ? sums >= 97 : butterflies > 0));
  }
}

TEST_CASE("what was not asked for, or found no room, is told") {
  const Recording only_folder("only");
  const CudaLog only = only_folder.log();  // TWIDDLE_RECORD_KERNELS=tree*
  for (const CudaLaunch& launch : only.launches()) CHECK(launch.recorded == (launch.number == 7));
  CHECK(only.accesses(6).begin.back() > 0);
  CHECK(only.accesses(0).begin.back() == 0);

  const Recording items_folder("items");
  const CudaLog items = items_folder.log();  // TWIDDLE_RECORD_ITEMS=32:63, no values
  const RawAccesses raw = items.accesses(0);
  CHECK(raw.begin[32] == 0);
  CHECK(raw.begin.back() > 0);
  for (const std::uint64_t value : raw.value)
    if (value > 3) FAIL_CHECK("a value without being asked for: " << value);

  const Recording full_folder("full");
  const CudaLog full = full_folder.log();  // 64 KiB for what takes 320
  CHECK(full.launches()[0].lost > 0);
  const RawAccesses cut = full.accesses(0);
  CHECK(cut.lost == full.launches()[0].lost);
  const Recording whole("fft4096");
  const RawAccesses all = whole.log().accesses(0);
  CHECK(cut.site.size() < all.site.size());
}

TEST_CASE("damaged recordings give a sentence") {
  // What a program had compiled, and its kernels' arguments, are in the second.
  for (const char* name : {"recorded", "compiled"}) {
    CAPTURE(std::string(name));
    const Files whole = kept_recording(name);
    const auto read_all = [](const Files& files) {
      try {
        const Recording log_folder(files);
        const CudaLog log = log_folder.log();
        for (std::size_t launch = 0; launch < log.launches().size(); ++launch) log.accesses(launch, 0, 4096);
        CudaTextsOf texts;
        for (const CudaLaunch& launch : log.launches())
          if (launch.program >= 0)
            cuda_arguments_of(launch, kernel_name_in(launch.kernel),
                              texts.of(log.programs().at(static_cast<std::size_t>(launch.program))));
      } catch (const Error& error) { CHECK(std::string(error.what()).size() > 10); }
    };
    // Killed at any moment: what the events say is there.
    for (const auto& [file, bytes] : whole)
      for (std::size_t keep = 0; keep < bytes.size(); keep += bytes.size() / 23 + 1) {
        Files cut = whole;
        cut[file].resize(keep);
        read_all(cut);
      }
    std::mt19937 random(5);
    for (int round = 0; round < 300; ++round) {
      Files damaged = whole;
      auto at = damaged.begin();
      std::advance(at, round % damaged.size());
      for (int i = 0; i < 1 + round % 7 && !at->second.empty(); ++i)
        at->second[random() % at->second.size()] = static_cast<char>(random());
      read_all(damaged);
    }
  }
  TemporaryFolder empty;
  CHECK_THROWS_AS(CudaLog(empty.path()), Error);
}

TEST_CASE("a program that is killed leaves what it had") {
  Files files = kept_recording("recorded");
  std::string& events = files["events.jsonl"];
  const std::string before = events;
  events.resize(events.find("{\"drain\""));
  const Recording log_folder(files);
  const CudaLog log = log_folder.log();
  CHECK_FALSE(log.complete());
  CHECK(log.launches().size() == 10);
  CHECK(log.accesses(0).begin.back() == 0);  // nothing of it had come from the device
  for (std::size_t l = 0; l < log.launches().size(); ++l) CHECK_FALSE(log.has_ended(l));
  events = before.substr(0, before.find("{\"end\"") + 5);  // in the middle of a line
  const Recording cut_folder(files);
  const CudaLog cut = cut_folder.log();
  CHECK_FALSE(cut.complete());
  CHECK(cut.accesses(0).begin.back() == 4 * 32);
  for (std::size_t l = 0; l < cut.launches().size(); ++l) CHECK(cut.has_ended(l));
}

TEST_CASE("launches whose part of the log never came have not ended, though a later part is there") {
  const Files files = kept_recording("recorded");
  const std::string& events = files.at("events.jsonl");
  const std::size_t at = events.find("{\"drain\""), end = events.find('\n', at) + 1;
  REQUIRE(end > at);
  const std::string drain = events.substr(at, end - at);
  const std::size_t log_at = drain.find("\"log\":") + 6;
  const std::string log_number = drain.substr(log_at, drain.find(',', log_at) - log_at);
  const std::uint64_t bytes = std::stoull(drain.substr(drain.find("\"bytes\":") + 8));
  const auto part = [&](int last, std::uint64_t offset, std::uint64_t size) {
    return fmt::format("{{\"drain\":{},\"log\":{},\"offset\":{},\"bytes\":{}}}\n", last, log_number, offset, size);
  };
  const std::string other = fmt::format("{{\"drain\":10,\"log\":4711,\"offset\":{},\"bytes\":0}}\n", bytes);
  struct Case {
    std::string drains;
    std::size_t ended;
  };
  for (const Case& one : {Case{part(10, 0, bytes), 10}, Case{part(4, 0, bytes), 4},
                          Case{part(10, bytes, 0) + part(4, 0, bytes), 10},      // noted in another order
                          Case{part(4, 0, bytes) + part(10, bytes + 64, 0), 4},  // what is between did not come
                          Case{part(4, 0, bytes) + other, 4}, Case{other, 0}}) {
    CAPTURE(one.drains);
    Files changed = files;
    changed["events.jsonl"] = events.substr(0, at) + one.drains + events.substr(end);
    const Recording folder(changed);
    const CudaLog log = folder.log();
    REQUIRE(log.launches().size() == 10);
    for (std::size_t l = 0; l < 10; ++l) {
      CAPTURE(l);
      CHECK(log.has_ended(l) == (l < one.ended));
    }
  }
}
