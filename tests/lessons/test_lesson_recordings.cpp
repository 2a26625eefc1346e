// The course's recordings of closed libraries: what the kept logs of a GPU (tests/data/record) become with the present code.
// With TWIDDLE_KEEP_RECORDINGS=FOLDER the traces are left there, to take the place of lessons/recordings.
#include "base/paths.h"
#include "record/cuda/record_format.h"
#include "runtimes/kept_recording.h"
#include "tracer/file/trace_file.h"
#include "tracer/record/cuda_run.h"
#include "tracer/replay/replay.h"

#include <doctest.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <string>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t all_items = std::numeric_limits<std::uint64_t>::max();

std::size_t padded(std::size_t bytes) { return (bytes + 15) & ~std::size_t(15); }

// A log without the items from `end` on, as `record --items 0:END-1` would have left it. Lanes are in order, so that what is kept
// of a record are the first of its addresses and values.
std::string log_of_first(const std::string& log, std::uint64_t end) {
  using namespace twiddle_cuda;
  std::string kept;
  for (std::size_t at = 0; at + sizeof(WarpRecord) <= log.size();) {
    WarpRecord record;
    std::memcpy(&record, log.data() + at, sizeof record);
    if (record.bytes == 0) break;
    const std::uint64_t thread = record.thread_low | std::uint64_t(record.thread_high) << 32;
    const auto lanes = static_cast<std::size_t>(std::popcount(record.mask));
    std::uint32_t mask = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      if (record.mask >> lane & 1 && thread + lane < end) mask |= 1u << lane;
    const auto some = static_cast<std::size_t>(std::popcount(mask));
    const std::uint32_t form = record.shape >> 4 & 3;
    const std::size_t address = form == affine ? 0 : form == offsets ? 4 : 8;
    const std::size_t size =
        record.shape >> 6 & 1 ? std::max<std::size_t>(4, std::size_t(1) << (record.shape & 15)) : 0;
    if (some > 0) {
      const std::string_view body(log.data() + at + sizeof record, record.bytes - sizeof record);
      std::string addresses(body.substr(0, address * some)),
          values(size == 0 ? std::string_view() : body.substr(padded(address * lanes), size * some));
      addresses.resize(padded(addresses.size()));
      values.resize(padded(values.size()));
      const std::size_t bytes = record.bytes;
      record.mask = mask;
      record.bytes = static_cast<std::uint16_t>(sizeof record + addresses.size() + values.size());
      kept.append(reinterpret_cast<const char*>(&record), sizeof record);
      kept += addresses + values;
      at += bytes;
    } else {
      at += record.bytes;
    }
  }
  return kept;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// The recording as the present code makes it, with the head of the one that is kept.
fs::path made_anew(const std::string& log_name, std::uint64_t end, const TraceInfo& kept, const fs::path& file) {
  Files files = kept_recording(log_name);
  if (end != all_items) {
    std::string& log = files["log-0.bin"];
    const std::size_t before = log.size();
    log = log_of_first(log, end);
    // How many bytes were drained, and written at the end.
    replace_all(files["events.jsonl"], "\"bytes\":" + std::to_string(before) + "}",
                "\"bytes\":" + std::to_string(log.size()) + "}");
  }
  const Recording recording(files);
  REQUIRE(recording.log().complete());
  TraceInfo info;
  info.program = kept.program;
  info.created = kept.created;
  info.runtime = kept.runtime;
  info.device = kept.device;
  info.driver = kept.driver;
  info.title = kept.title;
  info.algorithm = kept.algorithm;
  info.parameters = kept.parameters;
  info.detail = kept.detail;
  info.filter = kept.filter;
  write_trace(recording, info, file);
  return file;
}

std::vector<std::string> operations_of(const std::shared_ptr<const TraceSource>& trace) {
  std::vector<std::string> texts;
  Replay replay(trace);
  replay.for_each(1, trace->info().steps, false, [&](const Operation& op) {
    std::string text = std::to_string(static_cast<int>(op.kind)) + " " + std::to_string(op.item);
    for (const Access& access : op.reads)
      text += " r" + std::to_string(access.buffer) + ":" + std::to_string(access.index);
    for (const Access& access : op.writes)
      text += " w" + std::to_string(access.buffer) + ":" + std::to_string(access.index);
    texts.push_back(std::move(text));
    return true;
  });
  return texts;
}

std::map<std::size_t, int> radices_of(const std::shared_ptr<const TraceSource>& trace) {
  std::map<std::size_t, int> radices;
  Replay replay(trace);
  replay.for_each(1, trace->info().steps, false, [&](const Operation& op) {
    if (op.kind == OperationKind::Butterfly) ++radices[op.reads.size()];
    return true;
  });
  return radices;
}

}  // namespace

TEST_CASE("the course's recordings of cuFFT are what the kept logs become: butterflies of every radix") {
  struct Case {
    const char *file, *log;
    std::uint64_t end;
    std::map<std::size_t, int> radices;
  };
  const TemporaryFolder folder;
  const char* keep = std::getenv("TWIDDLE_KEEP_RECORDINGS");
  for (const Case& one : {Case{"cufft-8.twd", "cufft8", 2, {{4, 2}, {2, 4}}},
                          Case{"cufft-8-all.twd", "cufft8", all_items, {{4, 2}, {2, 4}}},
                          Case{"cufft-32.twd", "cufft32", 4, {{8, 4}, {4, 8}}}}) {
    CAPTURE(std::string(one.file));
    const auto kept = TraceReader::open(resource("lessons") / "recordings" / one.file);
    const auto anew = TraceReader::open(
        made_anew(one.log, one.end, kept->info(), keep ? fs::path(keep) / one.file : folder.path() / one.file));
    CHECK(radices_of(anew) == one.radices);
    if (!keep) CHECK(operations_of(anew) == operations_of(kept));
  }
  // clFFT's was made on PoCL.
  CHECK(radices_of(TraceReader::open(resource("lessons") / "recordings" / "clfft-16.twd")) ==
        std::map<std::size_t, int>{{4, 8}});
}
