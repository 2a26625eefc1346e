#include "tracer/file/trace_metadata.h"

#include "base/values/json_text.h"
#include "tracer/file/access_rows.h"

#include "base/error.h"
#include "base/text.h"
#include "tracer/codec/columns/compress.h"
#include "tracer/file/checksum.h"
#include "tracer/file/message_json.h"
#include "tracer/file/trace_schema.h"
#include "tracer/trace/memory/pairs.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace twiddle {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Expect::Side, imaginary, points, stride, row_stride, dist, offset)

namespace {

using Json = nlohmann::json;

// Words as the file stores them, in the order of their enumerations.
constexpr std::array<std::string_view, 5> fault_words = {"out-of-bounds", "barrier-divergence", "endless-wait",
                                                         "stopped", "false-trace-line"};
constexpr std::string_view faults_key = "faults of launch ";    // of meta; the launch's number follows
constexpr std::string_view offset_key = "offset of launch ";    // of meta, where it is not zero
constexpr std::string_view image_key = "image of buffer ";      // of meta, where kernels take it as one
constexpr std::string_view parts_key = "parts of buffer ";      // of meta, where its elements are those of others
constexpr std::string_view options_key = "options of source ";  // of meta, where there are some
constexpr std::string_view title_key = "title message";         // of meta: the title to be told in any language

template <typename Words>
int word_number(const Words& words, std::string_view word, std::string_view what) {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) throw unreadable("the trace names a {} that does not exist, {}", what, word);
  return static_cast<int>(found - words.begin());
}

OperationKind kind_named(std::string_view word) {
  for (std::size_t kind = 0; kind < operation_kind_count; ++kind)
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

Expect::Transform read_transform(std::string_view word) {
  if (const auto found = transform_named(word)) return *found;
  throw unreadable("the trace names a {} that does not exist, {}", "transform", word);
}

// What is stored under its name where it is not as usual.
template <typename Each>
void each_optional(const Each& each) {
  each("exclusive", &Expect::exclusive);
  each("rows", &Expect::rows);
  each("columns", &Expect::columns);
  each("batch", &Expect::batch);
  each("scale", &Expect::scale);
  each("mode", &Expect::mode);
  each("operand", &Expect::operand);
  each("file", &Expect::file);
  each("modulus", &Expect::modulus);
  each("root", &Expect::root);
  each("from", &Expect::from);
  each("to", &Expect::to);
}

Json expect_json(const Expect& expect) {
  Json json{{"transform", traits(expect.transform).name},
            {"input", expect.input},
            {"output", expect.output},
            {"points", expect.points},
            {"sign", expect.sign},
            {"bound", expect.bound},
            {"bound_reason", expect.bound_reason}};
  const Expect usual;
  each_optional([&](const char* key, auto member) {
    if (expect.*member != usual.*member) json[key] = expect.*member;
  });
  if (!expect.table.empty()) {
    json["table_columns"] = expect.table_columns;
    Json& table = json["table"] = Json::array();
    for (const std::complex<double>& value : expect.table) table.push_back({value.real(), value.imag()});
  }
  return json;
}

Expect read_expect(const std::string& text) {
  const Json json = parse(text, "expectations");
  Expect expect;
  try {
    expect.transform = read_transform(json.at("transform").get<std::string>());
    expect.input = json.at("input").get<std::string>();
    expect.output = json.at("output").get<std::string>();
    expect.points = json.at("points").get<std::uint64_t>();
    expect.sign = json.at("sign").get<int>();
    each_optional([&](const char* key, auto member) { expect.*member = json.value(key, expect.*member); });
    expect.mode = std::clamp(expect.mode, Expect::Mode::Same, Expect::Mode::Circular);
    if (json.contains("table")) {
      expect.table_columns = json.at("table_columns").get<std::uint64_t>();
      for (const Json& entry : json["table"])
        expect.table.emplace_back(entry.at(0).get<double>(), entry.at(1).get<double>());
    }
    for (const std::uint64_t number :
         {expect.points, expect.rows, expect.columns, expect.batch, expect.table_columns, expect.from.points,
          expect.from.stride, expect.from.row_stride, expect.from.dist, expect.from.offset, expect.to.points,
          expect.to.stride, expect.to.row_stride, expect.to.dist, expect.to.offset})
      if (number > schema::max_elements) throw unreadable("the expectations of the trace are out of bounds");
    expect.bound = json.at("bound").get<double>();
    expect.bound_reason = json.at("bound_reason").get<std::string>();
  } catch (const Json::exception&) { throw unreadable("the expectations of the trace lack a part"); }
  return expect;
}

std::array<std::size_t, 3> read_offset(const std::string& text) {
  const Json json = parse(text, "launch offsets");
  std::array<std::size_t, 3> offset{};
  if (!json.is_array() || json.size() != offset.size()) throw unreadable("the offset of a launch is no list of three");
  for (std::size_t d = 0; d < offset.size(); ++d) {
    if (!json[d].is_number_unsigned()) throw unreadable("the offset of a launch is no list of three");
    offset[d] = json[d].get<std::size_t>();
  }
  return offset;
}

std::array<std::uint64_t, 3> read_image(const std::string& text) {
  const Json json = parse(text, "image sizes");
  std::array<std::uint64_t, 3> image{};
  if (!json.is_array() || json.size() != image.size()) throw unreadable("the size of an image is no list of three");
  std::uint64_t texels = 1;
  for (std::size_t d = 0; d < image.size(); ++d) {
    if (!json[d].is_number_unsigned()) throw unreadable("the size of an image is no list of three");
    image[d] = json[d].get<std::uint64_t>();
    if (image[d] < 1 || image[d] > schema::max_elements / texels)
      throw unreadable("the size of an image is no list of three");
    texels *= image[d];
  }
  return image;
}

Json parts_json(const BufferParts& parts) {
  Json json = Json::array();
  for (const BufferPart& part : parts) {
    json.push_back({part.buffer, part.first, part.step});
    if (part.row > 0) json.back().insert(json.back().end(), {part.row, part.row_step});
  }
  return json;
}

BufferParts read_parts(const std::string& text) {
  const Json json = parse(text, "parts of buffers");
  BufferParts parts;
  if (!json.is_array() || json.size() != parts.size()) throw unreadable("the parts of a buffer are no list of two");
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Json& part = json[p];
    const auto number = [&](std::size_t at, std::int64_t max) {
      if (!part.is_array() || (part.size() != 3 && part.size() != 5) || !part[at].is_number_unsigned() ||
          part[at].get<std::uint64_t>() > static_cast<std::uint64_t>(max))
        throw unreadable("a part of a buffer is no buffer with a first element and a step");
      return part[at].get<std::uint64_t>();
    };
    parts[p] = {static_cast<int>(number(0, schema::max_buffers)), number(1, schema::max_elements),
                number(2, schema::max_elements)};
    if (part.size() != 5) continue;
    parts[p].row = number(3, schema::max_elements);
    parts[p].row_step = number(4, schema::max_elements);
  }
  return parts;
}

std::map<std::string, std::string> read_meta(const sqlite::Database& database) {
  std::map<std::string, std::string> meta;
  auto rows = database.prepare("SELECT key, value FROM meta LIMIT 100000");
  while (rows.next()) meta[rows.text(0)] = rows.text(1);
  return meta;
}

// Rows of one table in order, `max` at most, whose ids count up from `first` without gaps; each(row) takes one.
template <typename Each>
void read_rows(const sqlite::Database& database, std::string_view table, std::size_t max, std::string_view what,
               std::int64_t first, const Each& each) {
  auto rows = database.prepare(fmt::format("SELECT * FROM {} ORDER BY 1", table));
  for (std::size_t count = 0; rows.next(); ++count) {
    if (count == max) throw unreadable("the trace has more than {} {}", max, what);
    const std::int64_t id = first + static_cast<std::int64_t>(count);
    if (rows.integer(0) != id) throw unreadable("the trace lacks number {} of its {}", id, what);
    each(rows);
  }
}

// Small texts are there as they are, for a user who opens the file with SQLite, and larger ones packed.
std::string read_source(const sqlite::Statement& row, int column, std::uint64_t& bytes_left) {
  if (!row.is_blob(column)) return row.text(column);
  const std::span<const std::byte> frame = row.blob(column);
  const std::uint64_t size = decompressed_size(frame, std::min<std::uint64_t>(schema::max_cell_bytes, bytes_left));
  bytes_left -= size;
  std::string text(size, '\0');
  decompress(frame, 1, std::as_writable_bytes(std::span(text)));
  return text;
}

void read_sources(const sqlite::Database& database, TraceInfo& info) {
  std::uint64_t bytes_left = schema::max_source_bytes;
  read_rows(database, "sources", schema::max_sources, "sources", 0, [&](const sqlite::Statement& row) {
    if (row.is_blob(2) && info.version < schema::sources_packed)
      throw unreadable("the trace's source {} is no text", row.text(1));
    info.sources.push_back({row.text(1), read_source(row, 2, bytes_left)});
  });
  read_rows(database, "sites", schema::max_sites, "trace lines", 0, [&](const sqlite::Statement& row) {
    Site site;
    site.source = bounded<int>(row, 1, 0, static_cast<std::int64_t>(info.sources.size()) - 1, "source of a trace line");
    site.line = bounded<int>(row, 2, 0, 1 << 30, "line");
    site.last_line = bounded<int>(row, 3, 0, 1 << 30, "line");
    site.macro = row.text(4);
    site.names = {row.text(5), row.text(6)};
    info.sites.push_back(std::move(site));
  });
}

void read_buffers(const sqlite::Database& database, TraceInfo& info) {
  read_rows(database, "buffers", schema::max_buffers, "buffers", 0, [&](const sqlite::Statement& row) {
    BufferInfo buffer;
    buffer.name = row.text(1);
    const auto type = element_type_named(row.text(2));
    if (!type || traits(*type).bytes > sizeof(Value::bits))
      throw unreadable("the trace's buffer {} has an unknown type", buffer.name);
    buffer.type = *type;
    buffer.count = bounded<std::uint64_t>(row, 3, 0, schema::max_elements, "number of elements");
    const Json shape = parse(row.text(4), "buffer shapes");
    if (!shape.is_array()) throw unreadable("the trace's buffer {} has no shape", buffer.name);
    for (const Json& side : shape) {
      if (!side.is_number_unsigned()) throw unreadable("the trace's buffer {} has no shape", buffer.name);
      buffer.shape.push_back(side.get<std::uint64_t>());
    }
    buffer.space = space_named(row.text(5));
    buffer.initialised = row.integer(6) != 0;
    buffer.launch = bounded<int>(row, 7, 0, schema::max_launches, "launch of a buffer");
    info.buffers.push_back(std::move(buffer));
  });
}

void read_launches(const sqlite::Database& database, TraceInfo& info) {
  read_rows(database, "launches", schema::max_launches, "launches", 1, [&](const sqlite::Statement& row) {
    LaunchInfo launch;
    launch.number = static_cast<int>(row.integer(0));
    launch.source = bounded<int>(
        row, 1, 0, std::max<std::int64_t>(0, static_cast<std::int64_t>(info.sources.size()) - 1), "source of a launch");
    launch.kernel = row.text(2);
    launch.label = row.text(3);
    launch.stage = bounded<int>(row, 4, 0, 255, "stage");
    launch.dimensions = bounded<int>(row, 5, 1, 3, "number of dimensions");
    std::int64_t items = 1;
    for (int d = 0; d < 3; ++d) {
      const auto side = static_cast<std::size_t>(d);
      launch.global[side] = bounded<std::size_t>(row, 6 + d, 1, schema::max_items / items, "number of items");
      items *= static_cast<std::int64_t>(launch.global[side]);
      launch.local[side] =
          bounded<std::size_t>(row, 9 + d, 1, static_cast<std::int64_t>(launch.global[side]), "group size");
    }
    launch.cooperative = row.integer(12) != 0;
    launch.arguments = strings(row.text(13), "arguments of a launch");
    launch.kernel_ns = bounded<double>(row, 14, 0, INT64_MAX, "device time");
    const auto figure = [&](int column) {
      return bounded<std::uint64_t>(row, column, 0, schema::max_steps, "count of a launch");
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
  read_rows(database, "segments", schema::max_segments, "segments", 0, [&](const sqlite::Statement& row) {
    Segment segment;
    segment.launch =
        bounded<int>(row, 1, last_launch, static_cast<std::int64_t>(info.launches.size()), "launch of a segment");
    last_launch = segment.launch;
    segment.epoch = bounded<int>(row, 2, 0, INT32_MAX, "epoch");
    segment.stage = bounded<int>(row, 3, 0, 255, "stage");
    segment.first_step = bounded<std::uint64_t>(row, 4, 1, schema::max_steps, "step");
    segment.count = bounded<std::uint64_t>(row, 5, 0, schema::max_steps, "count of a segment");
    if (segment.first_step != next_step) throw unreadable("the trace's segments do not follow one another");
    next_step = segment.end_step();
    segment.items = bounded<std::uint64_t>(row, 6, 0, schema::max_items, "number of items");
    segment.kind = kind_named(row.text(7));
    segment.span = bounded<std::uint64_t>(row, 8, 0, INT64_MAX, "span");
    const auto last_buffer = static_cast<std::int64_t>(info.buffers.size()) - 1;
    segment.read_buffer = bounded<int>(row, 9, -1, last_buffer, "buffer of a segment");
    segment.write_buffer = bounded<int>(row, 10, -1, last_buffer, "buffer of a segment");
    segment.read_stride = bounded<std::uint64_t>(row, 11, 0, INT64_MAX, "stride");
    segment.write_stride = bounded<std::uint64_t>(row, 12, 0, INT64_MAX, "stride");
    info.segments.push_back(segment);
  });
}

}  // namespace

Space space_named(std::string_view word) {
  for (const Space space : {Space::Global, Space::Local, Space::Constant, Space::Private})
    if (name_of(space) == word) return space;
  throw unreadable("the trace names a {} that does not exist, {}", "address space", word);
}

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

void write_meta(sqlite::Database& database, std::string_view key, std::string_view value) {
  database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)").run(key, value);
}

void write_metadata(sqlite::Database& database, const TraceInfo& info) {
  write_meta(database, "program", info.program);
  write_meta(database, "created", info.created);
  write_meta(database, "complete", info.complete ? "1" : "0");
  write_meta(database, "runtime", info.runtime);
  write_meta(database, "device", info.device);
  write_meta(database, "driver", info.driver);
  write_meta(database, "title", info.title.english());
  write_meta(database, title_key, json_text(json_of(info.title)));
  write_meta(database, "algorithm", info.algorithm);
  write_meta(database, "signal", info.signal);
  write_meta(database, "parameters", json_text(Json(info.parameters)));
  write_meta(database, "plan", info.plan_toml);
  write_meta(database, "expect", json_text(expect_json(info.expect)));
  write_meta(database, "detail", info.detail == Detail::Values ? "values" : "index");
  write_meta(database, "filter", info.filter);

  write_sources(database, 0, info.sources);
  write_sites(database, 0, info.sites);
  write_access_sites(database, 0, info.access_sites);
  write_buffers(database, 0, info.buffers);
}

void write_sources(sqlite::Database& database, std::size_t first, std::span<const SourceText> sources) {
  auto source = database.prepare("INSERT INTO sources VALUES (?, ?, ?)");
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto text = std::as_bytes(std::span(sources[i].text));
    const std::vector<std::byte> packed =
        text.size() < schema::min_packed_source ? std::vector<std::byte>() : compress(text, 1);
    if (!packed.empty() && packed.size() < text.size())
      source.run(first + i, sources[i].name, std::span<const std::byte>(packed));
    else
      source.run(first + i, sources[i].name, sources[i].text);
    if (!sources[i].options.empty())
      write_meta(database, fmt::format("{}{}", options_key, first + i), json_text(Json(sources[i].options)));
  }
}

void write_buffers(sqlite::Database& database, std::size_t first, std::span<const BufferInfo> buffers) {
  auto buffer = database.prepare("INSERT INTO buffers VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const BufferInfo& from = buffers[i];
    buffer.run(first + i, from.name, traits(from.type).name, from.count, json_text(Json(from.shape)),
               name_of(from.space), from.initialised ? 1 : 0, from.launch);
    if (from.is_image()) write_meta(database, fmt::format("{}{}", image_key, first + i), json_text(Json(from.image)));
    if (from.parts) write_meta(database, fmt::format("{}{}", parts_key, first + i), json_text(parts_json(*from.parts)));
  }
}

void write_sites(sqlite::Database& database, std::size_t first, std::span<const Site> sites) {
  auto site = database.prepare("INSERT INTO sites VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const Site& from = sites[i];
    site.run(first + i, from.source, from.line, from.last_line, from.macro, from.names[0], from.names[1]);
  }
}

void write_launch(sqlite::Database& database, const LaunchInfo& launch) {
  auto row = database.prepare(
      "INSERT OR REPLACE INTO launches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  row.run(launch.number, launch.source, launch.kernel, launch.label, launch.stage, launch.dimensions, launch.global[0],
          launch.global[1], launch.global[2], launch.local[0], launch.local[1], launch.local[2],
          launch.cooperative ? 1 : 0, json_text(Json(launch.arguments)), std::llround(launch.kernel_ns),
          launch.attempted, launch.kept, launch.unexplained, launch.inconsistent_reads);
  if (!launch.faults.empty())
    write_meta(database, fmt::format("{}{}", faults_key, launch.number), json_text(faults_json(launch.faults)));
  if (launch.offset != std::array<std::size_t, 3>{})
    write_meta(database, fmt::format("{}{}", offset_key, launch.number), json_text(Json(launch.offset)));
}

void write_segment(sqlite::Database& database, std::size_t id, const Segment& segment) {
  auto row = database.prepare("INSERT OR REPLACE INTO segments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  row.run(id, segment.launch, segment.epoch, segment.stage, segment.first_step, segment.count, segment.items,
          name_of(segment.kind), segment.span, segment.read_buffer, segment.write_buffer, segment.read_stride,
          segment.write_stride);
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
    info.parameters[key] = value.is_string() ? value.get<std::string>() : json_text(value);
  info.expect = read_expect(text("expect"));
  read_sources(database, info);
  read_buffers(database, info);
  read_launches(database, info);
  for (LaunchInfo& launch : info.launches) {
    if (const auto faults = meta.find(fmt::format("{}{}", faults_key, launch.number)); faults != meta.end())
      launch.faults = read_faults(faults->second);
    if (const auto offset = meta.find(fmt::format("{}{}", offset_key, launch.number)); offset != meta.end())
      launch.offset = read_offset(offset->second);
  }
  for (std::size_t b = 0; b < info.buffers.size(); ++b)
    if (const auto image = meta.find(fmt::format("{}{}", image_key, b)); image != meta.end())
      info.buffers[b].image = read_image(image->second);
  for (std::size_t b = 0; b < info.buffers.size(); ++b)
    if (const auto parts = meta.find(fmt::format("{}{}", parts_key, b)); parts != meta.end()) {
      info.buffers[b].parts = read_parts(parts->second);
      if (!parts_are_valid(std::span(info.buffers).first(b), info.buffers[b]))
        throw unreadable("the trace's buffer {} is made of parts that cannot be", info.buffers[b].name);
    }
  for (std::size_t s = 0; s < info.sources.size(); ++s)
    if (const auto options = meta.find(fmt::format("{}{}", options_key, s)); options != meta.end())
      info.sources[s].options = strings(options->second, "compiler options");
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
  return number_in<std::uint32_t>(row.text(0));
}

}  // namespace twiddle
