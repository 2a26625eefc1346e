// The table of accesses says what the trace holds, whatever a query asks for and in any order.
#include "base/temporary_folder.h"
#include "test_support.h"
#include "tracer/file/trace_file.h"
#include "tracer/query/query.h"
#include "tracer/trace/number_text.h"

#include <doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <random>

using namespace twiddle;

namespace {

using Lines = std::vector<std::string>;

Lines answered(const std::shared_ptr<const TraceReader>& trace, const std::string& sql) {
  Query query(trace, sql);
  Lines lines;
  for (std::vector<Cell> row; query.next(row);) {
    std::string line;
    for (const Cell& cell : row) {
      if (!line.empty()) line += '|';
      if (const auto* whole = std::get_if<std::int64_t>(&cell)) line += std::to_string(*whole);
      if (const auto* real = std::get_if<double>(&cell)) line += exact_text(*real);
      if (const auto* text = std::get_if<std::string>(&cell)) line += *text;
      if (std::holds_alternative<std::monostate>(cell)) line += "NULL";
    }
    lines.push_back(line);
  }
  return lines;
}

AccessSite site(AccessKind kind, int line, ElementType type = ElementType::Float, std::uint8_t chunk = 4) {
  AccessSite made;
  made.kind = kind;
  made.line = line;
  made.column = 3;
  made.type = type;
  made.chunk = chunk;
  made.function = "k";
  made.scope = MemoryScope::Group;
  made.text = kind == AccessKind::Barrier ? "" : "x[i]";
  return made;
}

std::uint64_t bits(float low, float high = 0) {
  const float pair[] = {low, high};
  std::uint64_t result = 0;
  std::memcpy(&result, pair, sizeof pair);
  return result;
}

// Two launches, the second in two pieces: items of 4 loads, a barrier, a store; item 3 made nothing.
struct File {
  TemporaryFolder folder;
  std::shared_ptr<const TraceReader> trace;
  Lines rows;  // launch|item|number|epoch|access|element|line

  explicit File(std::uint64_t items) {
    TraceInfo info;
    info.runtime = "host";
    info.sources = {{"k.cl", "kernel void k() {}\n"}};
    BufferInfo buffer;
    buffer.name = "x";
    buffer.type = ElementType::Float;
    buffer.count = 4 * items;
    buffer.shape = {4 * items};
    info.buffers = {buffer};
    buffer.name = "z";
    buffer.type = ElementType::Float2;
    info.buffers.push_back(buffer);
    const std::vector<AccessSite> sites = {site(AccessKind::Load, 5), site(AccessKind::Barrier, 6),
                                           site(AccessKind::Store, 7, ElementType::Float, 8),
                                           site(AccessKind::Load, 8, ElementType::ULong, 8)};
    TraceWriter file(folder.path() / "a.twd");
    file.begin(info);
    for (int number = 1; number <= 2; ++number) {
      LaunchInfo launch;
      launch.number = number;
      launch.kernel = number == 1 ? "k" : "other";
      launch.stage = number - 1;
      launch.global[0] = items;
      launch.local[0] = 4;
      launch.accesses.logged = true;
      file.begin_launch(launch);
      if (number == 1) file.add_sites({}, sites);
      const std::uint64_t half = number == 1 ? items : items / 2;
      std::deque<AccessLog> logs;  // the file wants them until the launch ends
      for (std::uint64_t first = 0; first < items; first += half) {
        AccessLog& log = logs.emplace_back();
        log.sites = sites;
        log.first_item = first;
        log.begin = {0};
        for (std::uint64_t item = first; item < first + half; ++item) {
          for (std::uint32_t k = 0; k < 6 && item != 3; ++k) add(log, number, item, k);
          log.begin.push_back(log.site.size());
        }
        launch.accesses.kept += log.size();
        file.accesses(log);
      }
      file.end_launch(launch, nullptr);
    }
    file.finish();
    trace = TraceReader::open(folder.path() / "a.twd");
  }

  void add(AccessLog& log, int launch, std::uint64_t item, std::uint32_t k) {
    const std::uint32_t of = k == 3 ? 1 : k == 4 ? 2 : k == 5 ? 3 : 0;
    log.site.push_back(of);
    log.buffer.push_back(of == 0 ? 0 : of == 2 ? 1 : -1);
    log.offset.push_back(of == 0 ? 4 * (4 * item + k) : of == 2 ? 8 * item : of == 3 ? 0x7000 : 0);
    log.value.push_back(of == 0   ? bits(0.5f * static_cast<float>(item))
                        : of == 2 ? bits(1, -2)
                        : of == 3 ? ~std::uint64_t(0) - item
                                  : 1);
    rows.push_back(fmt::format("{}|{}|{}|{}|{}|{}|{}", launch, item, k + 1, k > 3 ? 1 : 0,
                               of == 1   ? "barrier"
                               : of == 2 ? "store"
                                         : "load",
                               of == 0   ? std::to_string(4 * item + k)
                               : of == 2 ? std::to_string(item)
                                         : "NULL",
                               log.sites[of].line));
  }
};

constexpr const char* in_order = "SELECT launch, item, number, epoch, access, element, line FROM accesses";

}  // namespace

TEST_CASE("the table of accesses has every record, in order, with its epoch and element") {
  File file(16);
  CHECK(answered(file.trace, in_order) == file.rows);
  CHECK(answered(file.trace, std::string(in_order) + " ORDER BY launch, item, number") == file.rows);
  Lines backwards = file.rows;
  std::reverse(backwards.begin(), backwards.end());
  CHECK(answered(file.trace, std::string(in_order) + " ORDER BY launch DESC, item DESC, number DESC") == backwards);
}

TEST_CASE("values, places and owners of accesses are what was logged, and what does not apply is NULL") {
  File file(16);
  const auto one = [&](const std::string& what, const std::string& where) {
    return answered(file.trace, "SELECT " + what + " FROM accesses WHERE launch = 2 AND item = 9 AND " + where);
  };
  CHECK(one("kernel, stage, gid_x, gid_y, work_group, lid, function, col, text", "number = 2") ==
        Lines{"other|1|9|0|2|1|k|3|x[i]"});
  CHECK(one("buffer, space, element, component, byte, bytes, address, re, im, value", "number = 2") ==
        Lines{"x|global|37|0|148|4|NULL|4.5|NULL|4.5"});
  CHECK(one("buffer, element, bytes, re, im, value", "access = 'store'") == Lines{"z|9|8|1|-2|1 -2"});
  CHECK(one("buffer, space, element, bytes, re, value, text", "access = 'barrier'") ==
        Lines{"NULL|NULL|NULL|NULL|NULL|NULL|NULL"});
  // Beyond what a whole number of SQL's holds.
  CHECK(one("buffer, element, byte, address, re", "line = 8") == Lines{"NULL|NULL|NULL|28672|18446744073709551606"});
}

TEST_CASE("conditions that the table of accesses handles itself change no answer") {
  File file(16);
  for (const char* condition :
       {"launch = 2", "launch < 2", "launch > 2", "item = 3", "item = 9", "item >= 7 AND item < 9", "item > 15",
        "item = -1", "item = 9.5", "item = '9'", "launch = 2 AND item = 8", "item IN (1, 14)", "launch IS NULL"}) {
    CAPTURE(condition);
    std::string hidden = condition;
    for (const char* name : {"launch", "item"})
      for (std::size_t at = 0; (at = hidden.find(name, at)) != std::string::npos; at += std::strlen(name) + 1)
        hidden.insert(at, "+");
    const std::string sql = std::string(in_order) + " WHERE ", order = " ORDER BY launch, item, number";
    CHECK(answered(file.trace, sql + condition + order) == answered(file.trace, sql + hidden + order));
    CHECK(answered(file.trace, "SELECT count(*) FROM accesses WHERE " + std::string(condition)) ==
          answered(file.trace, "SELECT count(*) FROM accesses WHERE " + hidden));
  }
  CHECK(answered(file.trace, "SELECT launch, kernel, stage, count(*) FROM accesses GROUP BY launch") ==
        Lines{"1|k|NULL|90", "2|other|1|90"});
}

TEST_CASE("a trace without accesses has an empty table of them") {
  const TemporaryFolder folder;
  {
    TraceWriter file(folder.path() / "none.twd");
    TraceInfo info;
    info.runtime = "host";
    file.begin(info);
    file.finish();
  }
  const auto trace = TraceReader::open(folder.path() / "none.twd");
  CHECK(answered(trace, "SELECT count(*), max(item) FROM accesses") == Lines{"0|NULL"});
}
