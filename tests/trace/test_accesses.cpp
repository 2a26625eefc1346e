// Accesses as bytes and in files: written, read, compared; and what is not as it should be is refused.
#include "base/error.h"
#include "base/temporary_folder.h"
#include "collecting_sink.h"
#include "kernels/catalogue/catalogue.h"
#include "test_support.h"
#include "tracer/codec/accesses/accesses.h"
#include "tracer/file/checksum.h"
#include "tracer/file/sqlite.h"
#include "tracer/file/trace_file.h"
#include "tracer/host/host_runtime.h"
#include "tracer/print/access_text.h"
#include "tracer/run/tracer.h"
#include "tracer/store/memory_trace.h"

#include <doctest.h>

#include <filesystem>
#include <random>

using namespace twiddle;

namespace {

std::vector<AccessSite> some_sites() {
  std::vector<AccessSite> sites;
  for (int s = 0; s < 9; ++s) {
    AccessSite site;
    site.kind = static_cast<AccessKind>(s < 7 ? s % 6 : s);
    site.space = s % 2 ? Space::Local : Space::Global;
    site.type = s % 3 ? ElementType::Float : ElementType::UInt;
    site.chunk = static_cast<std::uint8_t>(1 << s % 4);
    site.line = 10 + s;
    site.column = s;
    site.is_volatile = s == 5;
    site.function = "kernel";
    site.text = "x[" + std::to_string(s) + "]";
    site.order = static_cast<MemoryOrder>(s % 5);
    site.scope = static_cast<MemoryScope>(s % 5);
    sites.push_back(site);
  }
  return sites;
}

std::uint64_t cut(std::uint64_t value, const AccessSite& site) {
  const int bytes = touches_memory(site.kind) ? site.chunk : 8;
  return bytes == 8 ? value : value & ((std::uint64_t(1) << 8 * bytes) - 1);
}

AccessLog random_log(std::mt19937_64& random, std::uint64_t items, bool regular, const std::vector<AccessSite>& sites) {
  AccessLog log;
  log.begin = {0};
  for (std::uint64_t i = 0; i < items; ++i) {
    const std::uint64_t length = regular ? 6 : random() % 9;
    for (std::uint64_t k = 0; k < length; ++k) {
      const auto site = static_cast<std::uint32_t>(regular ? k : random() % sites.size());
      const bool memory = touches_memory(sites[site].kind);
      log.site.push_back(site);
      log.buffer.push_back(memory ? static_cast<std::int32_t>(regular ? k % 3 : random() % 4) - 1 : -1);
      log.offset.push_back(memory ? regular ? (i * 2 + k) * 8 : random() >> random() % 60 : 0);
      log.value.push_back(cut(random(), sites[site]));
    }
    log.begin.push_back(log.site.size());
  }
  return log;
}

bool same(const AccessLog& a, const AccessLog& b) {
  return a.begin == b.begin && a.site == b.site && a.buffer == b.buffer && a.offset == b.offset && a.value == b.value &&
         a.first_item == b.first_item;
}

TraceInfo info_with_buffers() {
  TraceInfo info;
  info.runtime = "host";
  info.sources = {{"k.cl", "kernel void k() {}\n"}};
  for (const char* name : {"a", "b", "c"}) {
    BufferInfo buffer;
    buffer.name = name;
    buffer.count = 64;
    buffer.shape = {64};
    info.buffers.push_back(buffer);
  }
  return info;
}

std::shared_ptr<const LaunchValues> nothing_known() { return nullptr; }

// A trace file, and beside it the accesses as they came.
class BothSinks final : public TraceSink {
 public:
  BothSinks(TraceSink& one, TraceSink& other) : one_(one), other_(other) {}
  void begin(const TraceInfo& info) override { one_.begin(info), other_.begin(info); }
  void first_content(int buffer, std::span<const std::byte> bytes) override {
    one_.first_content(buffer, bytes), other_.first_content(buffer, bytes);
  }
  void begin_launch(const LaunchInfo& launch) override { one_.begin_launch(launch), other_.begin_launch(launch); }
  void add_buffers(std::span<const BufferInfo> buffers) override {
    one_.add_buffers(buffers), other_.add_buffers(buffers);
  }
  void add_sources(std::span<const SourceText> sources) override {
    one_.add_sources(sources), other_.add_sources(sources);
  }
  void add_sites(std::span<const Site> sites, std::span<const AccessSite> access_sites) override {
    one_.add_sites(sites, access_sites), other_.add_sites(sites, access_sites);
  }
  void accesses(const AccessLog& log) override { one_.accesses(log), other_.accesses(log); }
  void hold_accesses(const LaunchInfo& launch) override { one_.hold_accesses(launch); }
  void append(int epoch, int stage, OperationBlock&& block) override { one_.append(epoch, stage, std::move(block)); }
  void end_launch(const LaunchInfo& launch, const DeviceBuffer& device) override { one_.end_launch(launch, device); }
  std::vector<std::byte> replayed(int buffer) const override { return one_.replayed(buffer); }

 private:
  TraceSink &one_, &other_;
};

struct RunWithAccesses {
  CollectingSink collected;  // its logs
  std::filesystem::path file;
};

void run_with_accesses(RunWithAccesses& run, const std::string& algorithm, std::uint64_t n, std::size_t window_bytes) {
  Request request;
  request.algorithm = algorithm;
  request.n = n;
  if (algorithm.starts_with("fft")) request.signal = "random:1";
  const auto runtime = open_host_runtime();
  TraceWriter writer(run.file);
  BothSinks both(writer, run.collected);
  TraceOptions options;
  options.accesses = Accesses::All;
  options.window_bytes = window_bytes;
  trace_plan(make_plan(request), *runtime, options, both);
  writer.finish();
}

std::uint64_t stored_access_bytes(const std::filesystem::path& file) {
  const sqlite::Database database(file, sqlite::Database::Mode::read_only);
  auto row = database.prepare("SELECT sum(length(data)) FROM accesses");
  return row.next() ? static_cast<std::uint64_t>(row.integer(0)) : 0;
}

// Whether an entry has what was logged of its items.
bool as_logged(const AccessLog& log, const AccessEntry& entry, const CollectingSink& collected) {
  for (const auto& [launch, whole] : collected.logs) {
    if (launch != entry.launch || entry.first_item < whole.first_item ||
        entry.first_item + entry.items > whole.first_item + whole.items())
      continue;
    const std::uint64_t first = whole.begin[entry.first_item - whole.first_item];
    const auto part = [&](const auto& column) {
      return std::vector(column.begin() + std::ptrdiff_t(first), column.begin() + std::ptrdiff_t(first + log.size()));
    };
    return log.value == part(whole.value) && log.offset == part(whole.offset) && log.buffer == part(whole.buffer) &&
           log.site == part(whole.site);
  }
  return false;
}

}  // namespace

TEST_CASE("accesses are read as they were written, regular or not") {
  std::mt19937_64 random(7);
  const std::vector<AccessSite> sites = some_sites();
  for (const std::uint64_t items : {1, 3, 8, 100, 1000})
    for (const bool regular : {true, false}) {
      CAPTURE(items);
      CAPTURE(regular);
      AccessLog log = random_log(random, items, regular, sites);
      log.first_item = 5;
      const auto bytes = encode_accesses(log, 0, items, sites);
      CHECK(same(decode_accesses(bytes, 5, items, log.size(), sites, 3, AccessFormat::PredictedValues, nothing_known),
                 log));
      if (regular && items == 1000) CHECK(bytes.size() < 8 * log.size());  // random values, and nothing else
    }
}

TEST_CASE("damaged accesses are refused, or read as something that is possible") {
  std::mt19937_64 random(11);
  const std::vector<AccessSite> sites = some_sites();
  const AccessLog log = random_log(random, 50, false, sites);
  const auto bytes = encode_accesses(log, 0, 50, sites);
  CHECK_THROWS_AS(decode_accesses(bytes, 0, 51, log.size(), sites, 3, AccessFormat::PredictedValues, nothing_known),
                  Error);
  CHECK_THROWS_AS(decode_accesses(bytes, 0, 50, log.size() + 1, sites, 3, AccessFormat::PredictedValues, nothing_known),
                  Error);
  for (std::size_t length = 0; length < bytes.size(); length += 7)
    CHECK_THROWS_AS(decode_accesses(std::span(bytes).first(length), 0, 50, log.size(), sites, 3,
                                    AccessFormat::PredictedValues, nothing_known),
                    Error);
  int read = 0;
  for (int round = 0; round < 300; ++round) {
    auto damaged = bytes;
    damaged[random() % damaged.size()] ^= static_cast<std::byte>(1 + random() % 255);
    try {
      const AccessLog again =
          decode_accesses(damaged, 0, 50, log.size(), sites, 3, AccessFormat::PredictedValues, nothing_known);
      for (std::uint64_t k = 0; k < again.size(); ++k)
        REQUIRE((again.site[k] < sites.size() && again.buffer[k] >= -1 && again.buffer[k] < 3));
      ++read;
    } catch (const Error&) {}
  }
  CHECK(read < 300);
}

TEST_CASE("a file keeps accesses, their places and what is known of them, as memory does") {
  std::mt19937_64 random(3);
  const std::vector<AccessSite> sites = some_sites();
  TraceInfo info = info_with_buffers();
  LaunchInfo launch;
  launch.number = 1;
  launch.kernel = "k";
  launch.global[0] = 40000;
  launch.local[0] = 4;
  AccessLog log = random_log(random, 40000, false, sites);
  launch.accesses.logged = true;
  launch.accesses.kept = log.size();
  launch.accesses.lost = 3;
  launch.accesses.writes = 17;
  launch.accesses.explained_writes = 9;
  launch.accesses.unlogged = {{0, 12, 4, Message("images are not logged")},
                              {0, 0, 7, Message("shuffles are not logged"), true}};
  const TemporaryFolder folder;
  TraceWriter file(folder.path() / "a.twd");
  MemoryTrace memory;
  for (TraceSink* sink : {static_cast<TraceSink*>(&file), static_cast<TraceSink*>(&memory)}) {
    sink->begin(info);
    sink->begin_launch(launch);
    sink->add_sites({}, std::span(sites).first(4));
    sink->add_sites({}, std::span(sites).subspan(4));
    sink->accesses(log);
    sink->end_launch(launch, nullptr);
  }
  file.finish();
  const auto reader = TraceReader::open(folder.path() / "a.twd");
  reader->verify();
  for (const std::shared_ptr<const TraceSource>& trace :
       {std::shared_ptr<const TraceSource>(reader), memory.finish()}) {
    REQUIRE(trace->info().access_sites.size() == sites.size());
    for (std::size_t s = 0; s < sites.size(); ++s) {
      CAPTURE(s);
      CHECK(trace->info().access_sites[s] == sites[s]);
    }
    CHECK(trace->access_entries().size() > 1);
    AccessLog all;
    all.begin = {0};
    trace->for_each_accesses(1, [&](const AccessLog& part) {
      CHECK(part.first_item == all.items());
      for (std::uint64_t i = 0; i < part.items(); ++i)
        all.begin.push_back(all.begin.back() + part.begin[i + 1] - part.begin[i]);
      all.site.insert(all.site.end(), part.site.begin(), part.site.end());
      all.buffer.insert(all.buffer.end(), part.buffer.begin(), part.buffer.end());
      all.offset.insert(all.offset.end(), part.offset.begin(), part.offset.end());
      all.value.insert(all.value.end(), part.value.begin(), part.value.end());
      return true;
    });
    CHECK(same(all, log));
  }
  const AccessTotals& totals = reader->info().launches[0].accesses;
  CHECK(totals.logged);
  CHECK(totals.lost == 3);
  CHECK(totals.explained_writes == 9);
  REQUIRE(totals.unlogged.size() == 2);
  CHECK(totals.unlogged[0].what.english() == "images are not logged");
  CHECK_FALSE(totals.unlogged[0].exchanges);
  CHECK(totals.unlogged[1].exchanges);
  CHECK(totals.lacks_exchanges());
}

TEST_CASE(
    "addresses become buffers: the owner's own first, what is outside stays near, what is nowhere stays unknown") {
  RawAccesses raw;
  const auto site = [&](Space space) {
    AccessSite one;
    one.space = space;
    raw.sites.push_back(one);
  };
  site(Space::Global);
  site(Space::Local);
  const auto range = [&](Space space, std::uint64_t address, std::uint64_t bytes, std::int64_t owner) {
    AccessRange one;
    one.space = space;
    one.address = address;
    one.bytes = bytes;
    one.owner = owner;
    raw.ranges.push_back(one);
  };
  range(Space::Global, 0x1000, 64, -1);
  range(Space::Global, 0x1020, 16, -1);  // part of the first: a sub-buffer
  range(Space::Local, 0x80, 32, 0);
  range(Space::Local, 0x80, 32, 1);
  raw.begin = {0, 4, 6};
  raw.site = {0, 0, 0, 0, 1, 1};
  raw.address = {0x1004, 0x1024, 0x1040, 0x9000000, 0x84, 0x200000};
  raw.value.assign(6, 0);
  const AccessLog log = resolve(std::move(raw), 1, {0, 1, 2, 3});
  CHECK(log.buffer == std::vector<std::int32_t>{0, 1, 0, -1, 3, -1});
  CHECK(log.offset == std::vector<std::uint64_t>{4, 4, 64, 0x9000000, 4, 0x200000});
}

TEST_CASE("values that operations or buffers tell are not stored, and are read as they were, in any order") {
  struct Case {
    const char* algorithm;
    std::uint64_t n;
    std::size_t window_bytes;
    double bytes;  // of an access in the file, at most
  };
  const TemporaryFolder folder;
  for (const Case& one : {Case{"fft-radix2", 1024, std::size_t(1) << 28, 0.25},
                          {"fft-radix2", 256, 1 << 16, 2},
                          {"fft-radix2-local", 256, std::size_t(1) << 28, 0.5},
                          {"fft-stockham4", 1024, std::size_t(1) << 28, 0.25},
                          {"scan-blelloch", 500, std::size_t(1) << 28, 2},
                          {"histogram-local", 2000, std::size_t(1) << 28, 2},
                          {"reduce-sequential", 2000, std::size_t(1) << 28, 1}}) {
    CAPTURE(one.algorithm);
    CAPTURE(one.window_bytes);
    RunWithAccesses run;
    run.file = folder.path() / "a.twd";
    run_with_accesses(run, one.algorithm, one.n, one.window_bytes);
    const auto trace = TraceReader::open(run.file);
    std::vector<AccessEntry> entries = trace->access_entries();
    std::uint64_t records = 0;
    for (const AccessEntry& entry : entries) records += entry.records;
    REQUIRE(records > 0);
    CHECK(double(stored_access_bytes(run.file)) <= one.bytes * double(records));
    // Forwards, and backwards by a reader that has to come back to earlier launches.
    for (const AccessEntry& entry : entries) CHECK(as_logged(trace->accesses(entry), entry, run.collected));
    const auto other = TraceReader::open(run.file);
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
      CHECK(as_logged(other->accesses(*entry), *entry, run.collected));
    // With room for the operations of a few items alone.
    LaunchValuesFinder finder(*trace, 20000);
    for (const AccessEntry& entry : entries)
      CHECK(finder.find(entry.launch, entry.first_item, entry.items)->covers(entry.first_item, entry.items));
  }
}

TEST_CASE("files of version 3, which have all values of accesses, are read as the program that wrote them read them") {
  const std::filesystem::path recordings =
      std::filesystem::path(TWIDDLE_TEST_DATA).parent_path().parent_path() / "lessons" / "recordings";
  const auto trace = TraceReader::open(recordings / "cufft-8-all.twd");
  CHECK(trace->info().version == 3);
  std::uint32_t bits = 0;
  std::uint64_t records = 0;
  for (const AccessEntry& entry : trace->access_entries()) {
    const AccessLog log = trace->accesses(entry);
    bits = crc32(std::as_bytes(std::span(log.value)), bits);
    records += log.size();
  }
  CHECK(records == 472);
  CHECK(bits == 4272460373);
}

TEST_CASE("damaged accesses of a file, or damaged operations below them, end in one sentence or in possible values") {
  const TemporaryFolder folder;
  RunWithAccesses run;
  run.file = folder.path() / "a.twd";
  run_with_accesses(run, "fft-radix2", 128, std::size_t(1) << 28);
  std::mt19937_64 random(9);
  int refused = 0;
  for (int attempt = 0; attempt < 120; ++attempt) {
    const std::filesystem::path copy = folder.path() / "b.twd";
    std::filesystem::copy_file(run.file, copy, std::filesystem::copy_options::overwrite_existing);
    {
      sqlite::Database database(copy, sqlite::Database::Mode::read_write);
      const char* table = attempt % 4 == 3 ? "blocks" : "accesses";
      auto row = database.prepare("SELECT id, data FROM " + std::string(table) + " ORDER BY random() LIMIT 1");
      REQUIRE(row.next());
      const std::int64_t id = row.integer(0);
      const auto blob = row.blob(1);
      std::vector<std::byte> data(blob.begin(), blob.end());
      row = sqlite::Statement();
      data[random() % data.size()] ^= static_cast<std::byte>(1 + random() % 255);
      database.prepare("UPDATE " + std::string(table) + " SET data = ?, checksum = ? WHERE id = ?")
          .run(data, crc32(data), id);
      database.execute("UPDATE meta SET value = '0' WHERE key = 'complete'");
    }
    try {
      const auto trace = TraceReader::open(copy);
      for (const AccessEntry& entry : trace->access_entries()) {
        const AccessLog log = trace->accesses(entry);
        CHECK(log.size() == entry.records);
      }
    } catch (const Error& error) {
      CHECK(error.code() == ExitCode::unreadable);
      ++refused;
    }
  }
  CHECK(refused > 0);
}
