#include "tracer/file/trace_metadata.h"

#include "tracer/file/access_rows.h"

#include "base/error.h"
#include "tracer/file/checksum.h"
#include "tracer/file/message_json.h"
#include "tracer/file/trace_schema.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace twiddle {
namespace {

using Json = nlohmann::json;

// Words as the file stores them, in the order of their enumerations.
constexpr std::array<std::string_view, 4> space_words = {"global", "local", "constant", "private"};
constexpr std::array<std::string_view, 5> fault_words = {"out-of-bounds", "barrier-divergence", "endless-wait",
                                                         "stopped", "false-trace-line"};
constexpr std::string_view faults_key = "faults of launch ";  // of meta; the launch's number follows
constexpr std::string_view title_key = "title message";       // of meta: the title to be told in any language
constexpr int kind_count = static_cast<int>(OperationKind::Store) + 1;

template <typename Words>
int word_number(const Words& words, std::string_view word, std::string_view what) {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) throw unreadable("the trace names a {} that does not exist, {}", what, word);
  return static_cast<int>(found - words.begin());
}

OperationKind kind_named(std::string_view word) {
  for (int kind = 0; kind < kind_count; ++kind)
    if (name_of(static_cast<OperationKind>(kind)) == word) return static_cast<OperationKind>(kind);
  throw unreadable("the trace names a kind of operation that does not exist, {}", word);
}

Json parse(const std::string& text, std::string_view what) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw unreadable("the {} of the trace are not JSON", what);
  return json;
}

std::vector<std::string> strings(const std::string& text, std::string_view what) {
  const Json json = parse(text, what);
  std::vector<std::string> result;
  if (!json.is_array()) throw unreadable("the {} of the trace are no list", what);
  for (const Json& entry : json) {
    if (!entry.is_string()) throw unreadable("the {} of the trace hold something that is no text", what);
    result.push_back(entry.get<std::string>());
  }
  return result;
}

// Text that may hold anything, as JSON's UTF-8.
std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Expect::Transform transform_named(std::string_view word) {
  for (std::size_t transform = 0; transform < transforms.size(); ++transform)
    if (transforms[transform].name == word) return static_cast<Expect::Transform>(transform);
  throw unreadable("the trace names a {} that does not exist, {}", "transform", word);
}

Json expect_json(const Expect& expect) {
  Json json{{"transform", traits(expect.transform).name},
            {"input", expect.input},
            {"output", expect.output},
            {"points", expect.points},
            {"sign", expect.sign},
            {"bound", expect.bound},
            {"bound_reason", expect.bound_reason}};
  if (expect.exclusive) json["exclusive"] = true;
  return json;
}

Expect read_expect(const std::string& text) {
  const Json json = parse(text, "expectations");
  Expect expect;
  try {
    expect.transform = transform_named(json.at("transform").get<std::string>());
    expect.input = json.at("input").get<std::string>();
    expect.output = json.at("output").get<std::string>();
    expect.points = json.at("points").get<std::uint64_t>();
    expect.sign = json.at("sign").get<int>();
    expect.exclusive = json.value("exclusive", false);
    expect.bound = json.at("bound").get<double>();
    expect.bound_reason = json.at("bound_reason").get<std::string>();
  } catch (const Json::exception&) { throw unreadable("the expectations of the trace lack a part"); }
  return expect;
}

std::map<std::string, std::string> read_meta(const sqlite::Database& database) {
  std::map<std::string, std::string> meta;
  auto rows = database.prepare("SELECT key, value FROM meta LIMIT 1000");
  while (rows.next()) meta[rows.text(0)] = rows.text(1);
  return meta;
}

// Rows of one table in order, `max` at most; each(row) takes one.
template <typename Each>
void read_rows(const sqlite::Database& database, std::string_view sql, std::size_t max, std::string_view what,
               const Each& each) {
  auto rows = database.prepare(sql);
  std::size_t count = 0;
  while (rows.next()) {
    if (count == max) throw unreadable("the trace has more than {} {}", max, what);
    each(rows, static_cast<std::int64_t>(count++));
  }
}

// Ids count up from `first` without gaps.
void expect_id(const sqlite::Statement& row, std::int64_t id, std::string_view what) {
  if (row.integer(0) != id) throw unreadable("the trace lacks number {} of its {}", id, what);
}

void read_sources(const sqlite::Database& database, TraceInfo& info) {
  read_rows(database, "SELECT id, name, text FROM sources ORDER BY id", schema::max_sources, "sources",
            [&](const sqlite::Statement& row, std::int64_t id) {
              expect_id(row, id, "sources");
              info.sources.push_back({row.text(1), row.text(2)});
            });
  read_rows(database, "SELECT id, source, line, last_line, macro, first_name, second_name FROM sites ORDER BY id",
            schema::max_sites, "trace lines", [&](const sqlite::Statement& row, std::int64_t id) {
              expect_id(row, id, "trace lines");
              Site site;
              site.source = static_cast<int>(
                  bounded(row, 1, 0, static_cast<std::int64_t>(info.sources.size()) - 1, "source of a trace line"));
              site.line = static_cast<int>(bounded(row, 2, 0, 1 << 30, "line"));
              site.last_line = static_cast<int>(bounded(row, 3, 0, 1 << 30, "line"));
              site.macro = row.text(4);
              site.names = {row.text(5), row.text(6)};
              info.sites.push_back(std::move(site));
            });
}

void read_buffers(const sqlite::Database& database, TraceInfo& info) {
  read_rows(database, "SELECT id, name, type, count, shape, space, initialised, launch FROM buffers ORDER BY id",
            schema::max_buffers, "buffers", [&](const sqlite::Statement& row, std::int64_t id) {
              expect_id(row, id, "buffers");
              BufferInfo buffer;
              buffer.name = row.text(1);
              const auto type = element_type_named(row.text(2));
              if (!type) throw unreadable("the trace's buffer {} has an unknown type", buffer.name);
              buffer.type = *type;
              buffer.count = static_cast<std::uint64_t>(bounded(row, 3, 0, schema::max_elements, "number of elements"));
              const Json shape = parse(row.text(4), "buffer shapes");
              if (!shape.is_array()) throw unreadable("the trace's buffer {} has no shape", buffer.name);
              for (const Json& side : shape) {
                if (!side.is_number_unsigned()) throw unreadable("the trace's buffer {} has no shape", buffer.name);
                buffer.shape.push_back(side.get<std::uint64_t>());
              }
              buffer.space = static_cast<Space>(word_number(space_words, row.text(5), "address space"));
              buffer.initialised = row.integer(6) != 0;
              buffer.launch = static_cast<int>(bounded(row, 7, 0, schema::max_launches, "launch of a buffer"));
              info.buffers.push_back(std::move(buffer));
            });
}

void read_launches(const sqlite::Database& database, TraceInfo& info) {
  read_rows(database,
            "SELECT number, source, kernel, label, stage, dimensions, global_x, global_y, global_z, local_x, local_y, "
            "local_z, "
            "cooperative, arguments, kernel_ns, attempted, kept, unexplained, inconsistent_reads FROM launches ORDER "
            "BY number",
            schema::max_launches, "launches", [&](const sqlite::Statement& row, std::int64_t id) {
              expect_id(row, id + 1, "launches");
              LaunchInfo launch;
              launch.number = static_cast<int>(id + 1);
              launch.source = static_cast<int>(
                  bounded(row, 1, 0, std::max<std::int64_t>(0, static_cast<std::int64_t>(info.sources.size()) - 1),
                          "source of a launch"));
              launch.kernel = row.text(2);
              launch.label = row.text(3);
              launch.stage = static_cast<int>(bounded(row, 4, 0, 255, "stage"));
              launch.dimensions = static_cast<int>(bounded(row, 5, 1, 3, "number of dimensions"));
              std::int64_t items = 1;
              for (int d = 0; d < 3; ++d) {
                const auto side = static_cast<std::size_t>(d);
                launch.global[side] =
                    static_cast<std::size_t>(bounded(row, 6 + d, 1, schema::max_items / items, "number of items"));
                items *= static_cast<std::int64_t>(launch.global[side]);
                launch.local[side] = static_cast<std::size_t>(
                    bounded(row, 9 + d, 1, static_cast<std::int64_t>(launch.global[side]), "group size"));
              }
              launch.cooperative = row.integer(12) != 0;
              launch.arguments = strings(row.text(13), "arguments of a launch");
              launch.kernel_ns = static_cast<double>(bounded(row, 14, 0, INT64_MAX, "device time"));
              const auto figure = [&](int column) {
                return static_cast<std::uint64_t>(bounded(row, column, 0, schema::max_steps, "count of a launch"));
              };
              launch.attempted = figure(15);
              launch.kept = figure(16);
              launch.unexplained = figure(17);
              launch.inconsistent_reads = figure(18);
              info.launches.push_back(std::move(launch));
            });
}

void read_segments(const sqlite::Database& database, TraceInfo& info) {
  std::uint64_t next_step = 1;
  int last_launch = 1;
  read_rows(
      database,
      "SELECT id, launch, epoch, stage, first_step, count, items, kind, span, read_buffer, write_buffer, read_stride, "
      "write_stride FROM segments ORDER BY id",
      schema::max_segments, "segments", [&](const sqlite::Statement& row, std::int64_t id) {
        expect_id(row, id, "segments");
        Segment segment;
        segment.launch = static_cast<int>(
            bounded(row, 1, last_launch, static_cast<std::int64_t>(info.launches.size()), "launch of a segment"));
        last_launch = segment.launch;
        segment.epoch = static_cast<int>(bounded(row, 2, 0, INT32_MAX, "epoch"));
        segment.stage = static_cast<int>(bounded(row, 3, 0, 255, "stage"));
        segment.first_step = static_cast<std::uint64_t>(bounded(row, 4, 1, schema::max_steps, "step"));
        segment.count = static_cast<std::uint64_t>(bounded(row, 5, 0, schema::max_steps, "count of a segment"));
        if (segment.first_step != next_step) throw unreadable("the trace's segments do not follow one another");
        next_step = segment.end_step();
        segment.items = static_cast<std::uint64_t>(bounded(row, 6, 0, schema::max_items, "number of items"));
        segment.kind = kind_named(row.text(7));
        segment.span = static_cast<std::uint64_t>(bounded(row, 8, 0, INT64_MAX, "span"));
        const auto last_buffer = static_cast<std::int64_t>(info.buffers.size()) - 1;
        segment.read_buffer = static_cast<int>(bounded(row, 9, -1, last_buffer, "buffer of a segment"));
        segment.write_buffer = static_cast<int>(bounded(row, 10, -1, last_buffer, "buffer of a segment"));
        segment.read_stride = static_cast<std::uint64_t>(bounded(row, 11, 0, INT64_MAX, "stride"));
        segment.write_stride = static_cast<std::uint64_t>(bounded(row, 12, 0, INT64_MAX, "stride"));
        info.segments.push_back(segment);
      });
}

}  // namespace

Json faults_json(const std::vector<Fault>& faults) {
  Json list = Json::array();
  for (const Fault& fault : faults)
    list.push_back({{"kind", fault_words[static_cast<std::size_t>(fault.kind)]},
                    {"items", fault.items},
                    {"line", fault.line},
                    {"buffer", fault.buffer},
                    {"element", fault.element},
                    {"sentence", fault.text().english()},
                    {"place", fault.place},
                    {"message", json_of(fault.sentence)}});
  return list;
}

// "mine.cu:7: " of a sentence; earlier versions kept the two as one.
static std::string place_in(const std::string& sentence) {
  const std::size_t colon = sentence.find(": ");
  return colon < sentence.find(' ') ? sentence.substr(0, colon + 2) : std::string();
}

std::vector<Fault> read_faults(const std::string& text) {
  std::vector<Fault> faults;
  try {
    for (const Json& json : parse(text, "faults")) {
      Fault fault;
      fault.kind = static_cast<Fault::Kind>(word_number(fault_words, json.at("kind").get<std::string>(), "fault"));
      fault.items = json.at("items").get<std::vector<std::uint64_t>>();
      fault.line = json.at("line").get<int>();
      fault.buffer = json.at("buffer").get<std::string>();
      fault.element = json.at("element").get<std::int64_t>();
      std::string sentence = json.at("sentence").get<std::string>();
      fault.place = json.value("place", place_in(sentence));
      if (!sentence.starts_with(fault.place)) fault.place.clear();
      sentence.erase(0, fault.place.size());
      fault.sentence = message_of(json.value("message", Json()), sentence);
      faults.push_back(std::move(fault));
    }
  } catch (const Json::exception&) { throw unreadable("the faults of the trace lack a part"); }
  return faults;
}

std::int64_t bounded(const sqlite::Statement& row, int column, std::int64_t min, std::int64_t max,
                     std::string_view what) {
  const std::int64_t value = row.integer(column);
  if (value < min || value > max) throw unreadable("the trace gives {} as the {}, which cannot be", value, what);
  return value;
}

void write_meta(sqlite::Database& database, std::string_view key, std::string_view value) {
  database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)").bind(0, key).bind(1, value).run();
}

void write_metadata(sqlite::Database& database, const TraceInfo& info) {
  write_meta(database, "program", info.program);
  write_meta(database, "created", info.created);
  write_meta(database, "complete", info.complete ? "1" : "0");
  write_meta(database, "runtime", info.runtime);
  write_meta(database, "device", info.device);
  write_meta(database, "driver", info.driver);
  write_meta(database, "title", info.title.english());
  write_meta(database, title_key, dump(json_of(info.title)));
  write_meta(database, "algorithm", info.algorithm);
  write_meta(database, "signal", info.signal);
  write_meta(database, "parameters", dump(Json(info.parameters)));
  write_meta(database, "plan", info.plan_toml);
  write_meta(database, "expect", dump(expect_json(info.expect)));
  write_meta(database, "detail", info.detail == Detail::Values ? "values" : "index");
  write_meta(database, "filter", info.filter);

  write_sources(database, 0, info.sources);
  write_sites(database, 0, info.sites);
  write_access_sites(database, 0, info.access_sites);
  write_buffers(database, 0, info.buffers);
}

void write_sources(sqlite::Database& database, std::size_t first, std::span<const SourceText> sources) {
  auto source = database.prepare("INSERT INTO sources VALUES (?, ?, ?)");
  for (std::size_t i = 0; i < sources.size(); ++i)
    source.bind(0, first + i).bind(1, sources[i].name).bind(2, sources[i].text).run();
}

void write_buffers(sqlite::Database& database, std::size_t first, std::span<const BufferInfo> buffers) {
  auto buffer = database.prepare("INSERT INTO buffers VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const BufferInfo& from = buffers[i];
    buffer.bind(0, first + i)
        .bind(1, from.name)
        .bind(2, traits(from.type).name)
        .bind(3, from.count)
        .bind(4, dump(Json(from.shape)));
    buffer.bind(5, space_words[static_cast<std::size_t>(from.space)])
        .bind(6, from.initialised ? 1 : 0)
        .bind(7, from.launch)
        .run();
  }
}

void write_sites(sqlite::Database& database, std::size_t first, std::span<const Site> sites) {
  auto site = database.prepare("INSERT INTO sites VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const Site& from = sites[i];
    site.bind(0, first + i).bind(1, from.source).bind(2, from.line).bind(3, from.last_line).bind(4, from.macro);
    site.bind(5, from.names[0]).bind(6, from.names[1]).run();
  }
}

void write_launch(sqlite::Database& database, const LaunchInfo& launch) {
  auto row = database.prepare(
      "INSERT OR REPLACE INTO launches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  row.bind(0, launch.number).bind(1, launch.source).bind(2, launch.kernel).bind(3, launch.label).bind(4, launch.stage);
  row.bind(5, launch.dimensions);
  for (int d = 0; d < 3; ++d) {
    row.bind(6 + d, std::uint64_t(launch.global[d]));
    row.bind(9 + d, std::uint64_t(launch.local[d]));
  }
  row.bind(12, launch.cooperative ? 1 : 0)
      .bind(13, dump(Json(launch.arguments)))
      .bind(14, std::llround(launch.kernel_ns));
  row.bind(15, launch.attempted)
      .bind(16, launch.kept)
      .bind(17, launch.unexplained)
      .bind(18, launch.inconsistent_reads)
      .run();
  if (!launch.faults.empty())
    write_meta(database, fmt::format("{}{}", faults_key, launch.number), dump(faults_json(launch.faults)));
}

void write_segment(sqlite::Database& database, std::size_t id, const Segment& segment) {
  auto row = database.prepare("INSERT OR REPLACE INTO segments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  row.bind(0, id).bind(1, segment.launch).bind(2, segment.epoch).bind(3, segment.stage).bind(4, segment.first_step);
  row.bind(5, segment.count).bind(6, segment.items).bind(7, name_of(segment.kind)).bind(8, segment.span);
  row.bind(9, segment.read_buffer)
      .bind(10, segment.write_buffer)
      .bind(11, segment.read_stride)
      .bind(12, segment.write_stride);
  row.run();
}

int version_of(const sqlite::Database& database) {
  auto row = database.prepare("PRAGMA user_version");
  return row.next() ? static_cast<int>(row.integer(0)) : 0;
}

TraceInfo read_metadata(const sqlite::Database& database) {
  TraceInfo info;
  const auto meta = read_meta(database);
  const auto text = [&](const char* key) -> const std::string& {
    const auto found = meta.find(key);
    if (found == meta.end()) throw unreadable("the trace does not say its {}", key);
    return found->second;
  };
  info.version = version_of(database);
  info.program = text("program");
  info.created = text("created");
  info.complete = text("complete") == "1";
  info.runtime = text("runtime");
  info.device = text("device");
  info.driver = text("driver");
  const auto title = meta.find(std::string(title_key));
  info.title = message_of(title == meta.end() ? Json() : Json::parse(title->second, nullptr, false), text("title"));
  info.algorithm = text("algorithm");
  info.signal = text("signal");
  info.plan_toml = text("plan");
  info.filter = text("filter");
  info.detail = text("detail") == "index" ? Detail::Index : Detail::Values;
  const Json parameters = parse(text("parameters"), "parameters");
  if (!parameters.is_object()) throw unreadable("the parameters of the trace are no table");
  for (const auto& [key, value] : parameters.items())
    info.parameters[key] = value.is_string() ? value.get<std::string>() : value.dump();
  info.expect = read_expect(text("expect"));
  read_sources(database, info);
  read_buffers(database, info);
  read_launches(database, info);
  for (LaunchInfo& launch : info.launches)
    if (const auto faults = meta.find(fmt::format("{}{}", faults_key, launch.number)); faults != meta.end())
      launch.faults = read_faults(faults->second);
  read_segments(database, info);
  if (info.version >= 2) read_access_rows(database, info);
  return info;
}

std::uint32_t metadata_checksum(const sqlite::Database& database) {
  std::uint32_t checksum = 0;
  const int version = version_of(database);
  for (const schema::CheckedRows& checked : schema::checked_rows) {
    if (checked.since > version) continue;
    auto rows = database.prepare(checked.sql);
    while (rows.next())
      for (int column = 0; column < rows.columns(); ++column) {
        const std::string text = rows.text(column);
        checksum = crc32(std::as_bytes(std::span(text.c_str(), text.size() + 1)), checksum);
      }
  }
  return checksum;
}

std::optional<std::uint32_t> stored_checksum(const sqlite::Database& database) {
  auto row = database.prepare("SELECT value FROM meta WHERE key = 'checksum'");
  if (!row.next()) return std::nullopt;
  const std::string text = row.text(0);
  std::uint32_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace twiddle
