#include "base/read_file.h"
#include "tracer/file/trace_file.h"

#include "base/error.h"
#include "random_blocks.h"
#include "synthetic_trace.h"
#include "test_support.h"
#include "tracer/file/sqlite.h"
#include "tracer/replay/replay.h"

#include <doctest.h>

#include <fmt/format.h>

#include <fstream>
#include <random>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

// What opening and verifying a file says, or "" when all is well.
std::string complaint(const fs::path& file) {
  try {
    TraceReader::open(file)->verify();
    return "";
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::unreadable);
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
}

// The same for writing.
std::string refusal(const fs::path& file) {
  try {
    TraceWriter writer(file);
    return "";
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    return error.what();
  }
}

fs::path file_of(const fs::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
  return file;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void execute(const fs::path& file, const std::string& sql) {
  sqlite::Database database(file, sqlite::Database::Mode::read_write);
  database.execute(sql);
}

// The last state of a trace's second buffer, after everything in it was decoded.
std::vector<std::byte> final_bytes(const std::shared_ptr<const TraceReader>& trace) {
  Replay replay(trace);
  replay.seek(trace->info().steps);
  return replay.state().bytes(1);
}

}  // namespace

TEST_CASE("a trace comes back as it was written") {
  const synthetic::Folder folder;
  synthetic::Fft<float> fft({.n = 8});
  const auto trace = TraceReader::open(fft.write(folder / "a.twd"));
  trace->verify();
  const TraceInfo& info = trace->info();
  CHECK(info.complete);
  CHECK(info.algorithm == "fft-radix2");
  CHECK(info.parameters.at("n") == "8");
  CHECK(info.expect.transform == Expect::Transform::Fft);
  CHECK(info.expect.output == "F");
  CHECK(info.detail == Detail::Values);
  REQUIRE(info.buffers.size() == 2);
  CHECK(info.buffers[0].initialised);
  CHECK(!info.buffers[1].initialised);
  CHECK(info.buffers[1].type == ElementType::Float2);
  REQUIRE(info.launches.size() == 4);
  CHECK(info.launches[2].kernel == "fft_stage");
  CHECK(info.launches[2].stage == 2);
  CHECK(info.launches[2].arguments == std::vector<std::string>{"F", "int:8"});
  CHECK(info.launches[2].kernel_ns == 3000);
  CHECK(info.launches[2].kept == 4);
  CHECK(info.launches[2].attempted == 4);
  CHECK(info.steps == fft.steps());
  CHECK(info.sites[2].names[0] == "F");
  CHECK(info.sites[2].last_line == 31);
  REQUIRE(info.segments.size() == 4);
  CHECK(info.segments[0].kind == OperationKind::Swap);
  CHECK(info.segments[0].span == 0);
  CHECK(info.segments[3].kind == OperationKind::Butterfly);
  CHECK(info.segments[3].span == 8);
  CHECK(info.segments[3].read_stride == 4);
  CHECK(info.segments[3].write_stride == 4);
  CHECK(info.segments[3].items == 4);
  CHECK(info.segments[1].read_buffer == 0);
  CHECK(info.segments[1].write_buffer == 1);
  for (const LaunchInfo& launch : info.launches) {
    CHECK(launch.unexplained == 0);
    CHECK(launch.inconsistent_reads == 0);
  }
  const auto content = trace->first_content(0);
  float third = 0;
  std::memcpy(&third, content.data() + 3 * 8, sizeof third);
  CHECK(third == 3);
}

TEST_CASE("text of any kind survives") {
  const synthetic::Folder folder;
  TraceInfo info = synthetic::some_trace();
  info.title = Message::verbatim("Fünf \"Punkte\", 5 ≠ 6 \\ \n and a \t tab");
  info.sources[0].text = std::string("kernel void k() {}\0// after a zero", 34);
  info.parameters = {{"ключ", "値"}, {"", "'; DROP TABLE meta; --"}};
  info.buffers[0].name = "x\"y";
  info.launches.clear();
  TraceWriter writer(folder / "a.twd");
  writer.begin(info);
  writer.finish();
  const auto trace = TraceReader::open(folder / "a.twd");
  CHECK(trace->info().title == info.title);
  CHECK(trace->info().sources[0].text == info.sources[0].text);
  CHECK(trace->info().parameters == info.parameters);
  CHECK(trace->info().buffers[0].name == info.buffers[0].name);
  CHECK(trace->info().buffers[3].space == Space::Local);
  CHECK(trace->info().steps == 0);
  Replay replay(trace);
  CHECK(replay.state().bytes(0) == std::vector<std::byte>(300 * 8));
}

TEST_CASE("long sources are packed, short ones are text, and both come back") {
  const synthetic::Folder folder;
  TraceInfo info = synthetic::some_trace();
  info.launches.clear();
  std::string large;
  for (int line = 0; line < 4000; ++line) large += fmt::format("  x[{}] = y[{}] * 2;\n", line, line + 1);
  std::string random(1 << 14, ' ');  // what cannot be packed
  std::mt19937 numbers(5);
  for (char& byte : random) byte = static_cast<char>(1 + numbers() % 255);
  REQUIRE(info.sources[0].text.size() < 8192);
  info.sources.push_back({"large.cl", large});
  info.sources.push_back({"random.cl", random});
  const fs::path file = folder / "a.twd";
  TraceWriter writer(file);
  writer.begin(info);
  writer.add_sources(std::array{SourceText{"later.cl", large + "\0x"}});
  writer.finish();
  const auto trace = TraceReader::open(file);
  trace->verify();
  REQUIRE(trace->info().sources.size() == info.sources.size() + 1);
  for (std::size_t s = 0; s < info.sources.size(); ++s) CHECK(trace->info().sources[s].text == info.sources[s].text);
  CHECK(trace->info().sources.back().text == large + "\0x");
  CHECK(fs::file_size(file) < large.size() + random.size());
  {
    sqlite::Database database(file, sqlite::Database::Mode::read_only);
    auto rows = database.prepare("SELECT typeof(text) FROM sources WHERE id = 0 OR id >= 2 ORDER BY id");
    std::vector<std::string> types;
    while (rows.next()) types.push_back(rows.text(0));
    CHECK(types == std::vector<std::string>{"text", "text", "blob"});
  }
  const auto altered = [&](const std::string& sql) {
    const fs::path copy = folder / "altered.twd";
    fs::copy_file(file, copy, fs::copy_options::overwrite_existing);
    execute(copy, sql);
    return complaint(copy);
  };
  CHECK(contains(altered("PRAGMA user_version = 4"), "is no text"));  // no earlier Twiddle wrote that
  CHECK(altered("UPDATE sources SET text = x'28b52ffd' WHERE id = 1") != "");
  CHECK(altered("UPDATE sources SET text = zeroblob(100) WHERE id = 1") != "");
  CHECK(contains(altered("UPDATE sources SET text = 'other' WHERE id = 1"), "checksum"));
}

TEST_CASE("files that are no traces are refused with a sentence") {
  const synthetic::Folder folder;
  CHECK(contains(complaint(folder / "missing.twd"), "there is no such file"));
  fs::create_directory(folder / "folder.twd");
  CHECK(contains(complaint(folder / "folder.twd"), "directory"));
  CHECK(contains(complaint("/dev/null"), "no regular file"));
  CHECK(contains(complaint(file_of(folder / "empty.twd", "")), "empty"));
  CHECK(contains(complaint(file_of(folder / "text.twd", std::string(5000, 'x'))), "not a Twiddle trace"));
  CHECK(contains(complaint(file_of(folder / "magic.twd", std::string("SQLite format 3\0", 16))), "cut short"));

  {
    sqlite::Database other(folder / "other.twd", sqlite::Database::Mode::create);
    other.execute("CREATE TABLE people (name TEXT)");
  }
  CHECK(contains(complaint(folder / "other.twd"), "not a Twiddle trace"));

  synthetic::Fft<float> fft({.n = 8});
  const fs::path good = fft.write(folder / "good.twd");
  const auto altered = [&](const std::string& sql) {
    const fs::path copy = folder / "altered.twd";
    fs::copy_file(good, copy, fs::copy_options::overwrite_existing);
    execute(copy, sql);
    return complaint(copy);
  };
  CHECK(altered("SELECT 1") == "");
  CHECK(contains(altered("PRAGMA user_version = 6"), "a newer Twiddle"));
  CHECK(contains(altered("PRAGMA user_version = 0"), "no format number"));
  CHECK(contains(altered("PRAGMA application_id = 7"), "not a Twiddle trace"));
  CHECK(contains(altered("DROP TABLE patches"), "lacks tables"));
  CHECK(contains(altered("ALTER TABLE blocks ADD COLUMN extra"), "not as Twiddle makes it"));
  CHECK(contains(altered("CREATE VIEW v AS SELECT 1"), "view"));
  CHECK(contains(altered("CREATE TRIGGER t AFTER INSERT ON meta BEGIN SELECT 1; END"), "trigger"));
  CHECK(contains(altered("DELETE FROM blocks WHERE id = 2"), "lacks the block"));
  CHECK(contains(altered("DELETE FROM segments WHERE id = 1"), "segments"));
  CHECK(contains(altered("DELETE FROM meta WHERE key = 'device'"), "device"));
  CHECK(contains(altered("UPDATE meta SET value = 'x' WHERE key = 'title'"), "checksum"));
  CHECK(contains(altered("UPDATE buffers SET count = 1 << 40"), "cannot be"));
  CHECK(contains(altered("UPDATE buffers SET type = 'quaternion'"), "unknown type"));
  CHECK(contains(altered("UPDATE launches SET global_x = 1 << 33"), "cannot be"));
  CHECK(contains(altered("UPDATE launches SET local_x = 0"), "cannot be"));
  CHECK(contains(altered("UPDATE segments SET first_step = first_step + 1"), "do not follow"));
  CHECK(contains(altered("UPDATE meta SET value = '[' WHERE key = 'parameters'"), "not JSON"));
  CHECK(contains(altered("UPDATE blocks SET data = zeroblob(10) WHERE id = 1"), "checksum"));
  // A table of the user's own, and VACUUM, do no harm.
  CHECK(altered("CREATE TABLE mine (x); VACUUM") == "");
}

TEST_CASE("a damaged file is refused or read rightly, never wrongly") {
  const synthetic::Folder folder;
  synthetic::Fft<float> fft({.n = 512, .random = true, .twiddle_error = 1e-6, .block = 100});
  const std::string good = own_file(fft.write(folder / "good.twd"));
  const auto expected = final_bytes(TraceReader::open(folder / "good.twd"));
  std::mt19937 random(21);
  int refused = 0, right = 0;
  for (int attempt = 0; attempt < 400; ++attempt) {
    std::string bad = good;
    const int how = attempt % 4;
    if (how == 0) {
      bad.resize(random() % bad.size());
    } else if (how == 1) {
      bad[random() % bad.size()] = static_cast<char>(random());
      bad[random() % bad.size()] = static_cast<char>(random());
    } else if (how == 2) {
      bad[random() % bad.size()] ^= static_cast<char>(1u << (random() % 8));
    } else {
      const std::size_t at = random() % bad.size(), length = random() % 5000;
      for (std::size_t i = at; i < std::min(bad.size(), at + length); ++i) bad[i] = 0;
    }
    const fs::path file = file_of(folder / "bad.twd", bad);
    try {
      const auto trace = TraceReader::open(file);
      trace->verify();
      REQUIRE(final_bytes(trace) == expected);
      ++right;  // what is damaged is not read: free space, an index that SQLite does not use here
    } catch (const Error& error) {
      REQUIRE(error.code() == ExitCode::unreadable);
      CHECK(contains(error.what(), "bad.twd: "));
      ++refused;
    }
  }
  CHECK(refused > 150);  // most of so small a file is free space, and tables that are empty
  CHECK(right > 0);
}

TEST_CASE("an existing file is replaced only when the new one is finished") {
  const synthetic::Folder folder;
  const fs::path file = folder / "a.twd";
  const std::string old = own_file(synthetic::Fft<float>({.n = 8}).write(file));
  synthetic::Fft<float> fft({.n = 16});
  SUBCASE("finished") {
    TraceWriter writer(file);
    fft.write(writer);
    CHECK(writer.path() != file);
    CHECK(own_file(file) == old);
    writer.finish();
    CHECK(writer.path() == file);
    CHECK(TraceReader::open(file)->info().parameters.at("n") == "16");
    CHECK(writer.bytes_written() == fs::file_size(file));
  }
  SUBCASE("abandoned") {
    {
      TraceWriter writer(file);
      fft.write(writer);
    }
    CHECK(own_file(file) == old);
  }
  SUBCASE("interrupted") {
    TraceWriter writer(file);
    fft.write(writer);
    writer.interrupt();
    CHECK(own_file(file) == old);
    const auto trace = TraceReader::open(writer.path());
    CHECK(!trace->info().complete);
    CHECK(trace->info().steps == fft.steps());
    fs::remove(writer.path());
  }
  CHECK(names_in(file.parent_path()) == std::vector<std::string>{"a.twd"});
}

TEST_CASE("without an existing file the trace grows in its place") {
  const synthetic::Folder folder;
  const fs::path file = folder / "a.twd";
  synthetic::Fft<float> fft({.n = 16});
  SUBCASE("interrupted") {
    TraceWriter writer(file);
    fft.write(writer);
    writer.interrupt();
    CHECK(names_in(file.parent_path()) == std::vector<std::string>{"a.twd"});
    CHECK(!TraceReader::open(file)->info().complete);
  }
  SUBCASE("abandoned") {
    {
      TraceWriter writer(file);
      fft.write(writer);
      CHECK(fs::exists(file));
    }
    CHECK(names_in(file.parent_path()).empty());
  }
}

TEST_CASE("what cannot be written is said before anything is written") {
  const synthetic::Folder folder;
  CHECK(contains(refusal(folder / "no/such/a.twd"), "there is no folder"));
  fs::create_directory(folder / "folder.twd");
  CHECK(contains(refusal(folder / "folder.twd"), "directory"));
  file_of(folder / "file", "x");
  CHECK(contains(refusal(folder / "file/a.twd"), "there is no folder"));
  CHECK(contains(refusal("/dev/null"), "regular file"));
  CHECK(names_in((folder / "x").parent_path()) == std::vector<std::string>{"file", "folder.twd"});
}

TEST_CASE("what the log does not explain is kept as a patch") {
  const synthetic::Folder folder;
  const TraceInfo info = [] {
    TraceInfo trace = synthetic::some_trace();
    trace.launches.clear();
    trace.segments.clear();
    return trace;
  }();
  const LaunchInfo launch = synthetic::some_trace().launches[0];
  // The device wrote elements 5 and 70 of n, and nothing was logged but one store to element 6.
  std::vector<std::int32_t> n(100, 0);
  n[5] = 55, n[6] = 66, n[70] = -7;
  OperationBlock block;
  block.count = 1;
  block.item = {3};
  block.slot = {0};
  SiteColumns store;
  store.shape = Shape::Store;
  store.value_type = ElementType::Int;
  store.buffers[0] = 1;
  store.count = 1;
  store.index = {{6}};
  store.writes = {std::vector<std::byte>(4)};
  std::memcpy(store.writes[0].data(), &n[6], 4);
  block.sites = {store};
  {
    TraceWriter writer(folder / "a.twd");
    writer.begin(info);
    writer.begin_launch(launch);
    writer.append(0, 0, std::move(block));
    writer.end_launch(
        launch, [&](int buffer) { return buffer == 1 ? std::as_bytes(std::span(n)) : std::span<const std::byte>(); });
    CHECK(writer.replayed(1) ==
          std::vector<std::byte>(std::as_bytes(std::span(n)).begin(), std::as_bytes(std::span(n)).end()));
    LaunchInfo second = launch;
    second.number = 2;
    writer.begin_launch(second);
    writer.end_launch(second, {});
    writer.finish();
  }
  const auto trace = TraceReader::open(folder / "a.twd");
  CHECK(trace->info().launches[0].unexplained == 2);
  CHECK(trace->info().launches[0].kept == 1);
  CHECK(trace->info().launches[1].unexplained == 0);
  std::vector<std::uint32_t> patched;
  trace->for_each_patch(1, [&](const TraceReader::Patch& patch) {
    CHECK(patch.buffer == 1);
    patched.insert(patched.end(), patch.elements.begin(), patch.elements.end());
  });
  CHECK(patched == std::vector<std::uint32_t>{5, 70});
  Replay replay(trace);
  const auto at = [&](std::uint64_t step, std::uint64_t index) {
    replay.seek(step);
    std::int32_t value = 0;
    CHECK(replay.state().read(1, 0, index, std::as_writable_bytes(std::span(&value, 1))));
    return value;
  };
  CHECK(at(0, 5) == 0);
  CHECK(at(0, 6) == 0);
  CHECK(at(1, 5) == 55);
  CHECK(at(1, 6) == 66);
  CHECK(at(1, 70) == -7);
  CHECK(replay.check().unexplained == 2);
}

TEST_CASE("large buffers have summaries after every segment") {
  const synthetic::Folder folder;
  synthetic::Fft<float> fft({.n = 1 << 13, .random = true});
  const auto trace = TraceReader::open(fft.write(folder / "a.twd"));
  Replay replay(trace);
  int unwritten = 0;
  for (const int segment : {-1, 0, 1, 5, 13}) {
    const auto state = replay.state_after(segment);
    for (int buffer = 0; buffer < 2; ++buffer) {
      CAPTURE(segment);
      CAPTURE(buffer);
      const auto summary = trace->summary(segment, buffer);
      const auto bytes = state->bytes(buffer);
      if (summary.empty()) {  // nothing was ever written to it
        ++unwritten;
        continue;
      }
      REQUIRE(summary.size() == 1024);
      for (std::size_t range = 0; range < 1024; ++range) {
        float brightest = 0;
        for (std::size_t i = 8 * range; i < 8 * range + 8; ++i) {
          std::array<float, 2> z;
          std::memcpy(&z, bytes.data() + 8 * i, 8);
          if (const float size = std::hypot(z[0], z[1]); size > brightest) brightest = size;
        }
        REQUIRE(summary[range] == doctest::Approx(brightest));
      }
    }
  }
  CHECK(unwritten == 2);  // the second buffer, up to the reversal
  CHECK(TraceReader::open(synthetic::Fft<float>({.n = 64}).write(folder / "b.twd"))->summary(3, 1).empty());
}

TEST_CASE("bookmarks come and go") {
  const synthetic::Folder folder;
  const fs::path file = synthetic::Fft<float>({.n = 8}).write(folder / "a.twd");
  CHECK(TraceReader::open(file)->bookmarks().empty());
  set_bookmark(file, 7, "here it \"starts\"", true);
  set_bookmark(file, 3, "", true);
  set_bookmark(file, 7, "there", true);
  const auto bookmarks = TraceReader::open(file)->bookmarks();
  REQUIRE(bookmarks.size() == 2);
  CHECK(bookmarks[0].step == 3);
  CHECK(bookmarks[1].note == "there");
  set_bookmark(file, 3, "", false);
  CHECK(TraceReader::open(file)->bookmarks().size() == 1);
  CHECK(complaint(file) == "");
  CHECK_THROWS_AS(set_bookmark(folder / "none.twd", 1, "", true), const Error&);
}

TEST_CASE("a trace without values says where, not what") {
  const synthetic::Folder folder;
  synthetic::Fft<float> fft({.n = 64, .detail = Detail::Index});
  const auto trace = TraceReader::open(fft.write(folder / "a.twd"));
  CHECK(trace->info().detail == Detail::Index);
  for (const LaunchInfo& launch : trace->info().launches) CHECK(launch.unexplained == 0);
  Replay replay(trace);
  const Operation operation = replay.operation(trace->info().steps);
  CHECK(operation.span() == 64);
  CHECK(operation.coefficients.size() == 1);
  CHECK(!operation.reads[0].known);
  replay.seek(trace->info().steps);
  CHECK(is_uninitialised(replay.state().bytes(1)));
}
