#include "tracer/file/access_rows.h"

#include "base/error.h"
#include "base/values/json_text.h"
#include "tracer/file/message_json.h"
#include "tracer/file/trace_metadata.h"
#include "tracer/file/trace_schema.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace twiddle {
namespace {

using Json = nlohmann::json;

Json json_of(const std::vector<Unlogged>& unlogged) {
  Json list = Json::array();
  for (const Unlogged& one : unlogged) {
    list.push_back({{"source", one.source},
                    {"line", one.line},
                    {"count", one.count},
                    {"english", one.what.english()},
                    {"what", twiddle::json_of(one.what)}});
    if (one.exchanges) list.back()["exchanges"] = true;
  }
  return list;
}

std::vector<Unlogged> read_unlogged(const std::string& text) {
  std::vector<Unlogged> unlogged;
  const Json list = Json::parse(text, nullptr, false);
  if (!list.is_array()) throw unreadable("what the trace says of accesses that were not logged is no list");
  for (const Json& one : list) {
    if (!one.is_object()) throw unreadable("what the trace says of accesses that were not logged is no list of places");
    Unlogged entry;
    const auto number = [&](const char* key, std::int64_t max) {
      const auto found = one.find(key);
      if (found == one.end() || !found->is_number_integer()) return std::int64_t(0);
      return std::clamp<std::int64_t>(found->get<std::int64_t>(), 0, max);
    };
    entry.source = static_cast<int>(number("source", schema::max_sources));
    entry.line = static_cast<int>(number("line", 1 << 30));
    entry.count = static_cast<std::uint64_t>(number("count", schema::max_steps));
    const auto english = one.find("english");
    const auto exchanges = one.find("exchanges");
    entry.exchanges = exchanges != one.end() && exchanges->is_boolean() && exchanges->get<bool>();
    entry.what = message_of(one.contains("what") ? one["what"] : Json(),
                            english != one.end() && english->is_string() ? english->get<std::string>() : "");
    unlogged.push_back(std::move(entry));
  }
  return unlogged;
}

}  // namespace

void write_access_sites(sqlite::Database& database, std::size_t first, std::span<const AccessSite> sites) {
  auto row = database.prepare("INSERT INTO access_sites VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const AccessSite& site = sites[i];
    row.run(first + i, name_of(site.kind), name_of(site.space), traits(site.type).name, std::uint32_t(site.components),
            std::uint32_t(site.chunk), name_of(site.order), name_of(site.scope), site.source, site.line, site.column,
            site.is_volatile ? 1 : 0, site.function, site.text, site.pc);
  }
}

void write_access_totals(sqlite::Database& database, const LaunchInfo& launch) {
  const AccessTotals& totals = launch.accesses;
  if (!totals.logged && totals.reason.empty()) {
    database.prepare("DELETE FROM access_totals WHERE launch = ?").run(launch.number);  // what it said when it began
    return;
  }
  auto row = database.prepare("INSERT OR REPLACE INTO access_totals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  row.run(launch.number, totals.logged ? 1 : 0, totals.lifted ? 1 : 0, totals.kept, totals.lost, totals.writes,
          totals.explained_writes, totals.idle_writes, totals.unresolved, json_text(json_of(totals.unlogged)),
          json_text(Json{{"english", totals.reason.english()}, {"message", twiddle::json_of(totals.reason)}}));
}

void read_access_rows(const sqlite::Database& database, TraceInfo& info) {
  auto rows = database.prepare(
      "SELECT id, kind, space, type, components, chunk, memory_order, scope, source, line, col, volatile, function, "
      "text, pc FROM access_sites ORDER BY id");
  while (rows.next()) {
    if (info.access_sites.size() == schema::max_access_sites)
      throw unreadable("the trace has more than {} places of accesses", schema::max_access_sites);
    if (rows.integer(0) != std::ssize(info.access_sites)) throw unreadable("the trace lacks a place of accesses");
    AccessSite site;
    site.kind = named<AccessKind>(rows.text(1));
    site.space = space_named(rows.text(2));
    const auto type = element_type_named(rows.text(3));
    if (!type) throw unreadable("an access of the trace has an unknown type");
    site.type = *type;
    site.components = bounded<std::uint8_t>(rows, 4, 1, 64, "number of components");
    site.chunk = bounded<std::uint8_t>(rows, 5, 1, 8, "size of an access");
    site.order = named<MemoryOrder>(rows.text(6));
    site.scope = named<MemoryScope>(rows.text(7));
    site.source =
        bounded<int>(rows, 8, 0, std::max<std::int64_t>(0, std::ssize(info.sources) - 1), "source of an access");
    site.line = bounded<int>(rows, 9, 0, 1 << 30, "line");
    site.column = bounded<int>(rows, 10, 0, 1 << 30, "column");
    site.is_volatile = rows.integer(11) != 0;
    site.function = rows.text(12);
    site.text = rows.text(13);
    site.pc = static_cast<std::uint64_t>(rows.integer(14));
    info.access_sites.push_back(std::move(site));
  }
  auto totals = database.prepare(
      "SELECT launch, logged, lifted, kept, lost, writes, explained_writes, idle_writes, unresolved, unlogged, reason "
      "FROM access_totals ORDER BY launch");
  while (totals.next()) {
    const auto number =
        bounded(totals, 0, 1, std::max<std::int64_t>(1, std::ssize(info.launches)), "launch of accesses");
    if (number > std::ssize(info.launches)) throw unreadable("the trace has accesses of a launch that it lacks");
    AccessTotals& to = info.launches[static_cast<std::size_t>(number) - 1].accesses;
    const auto count = [&](int column) {
      return bounded<std::uint64_t>(totals, column, 0, schema::max_steps, "count of accesses");
    };
    to.logged = totals.integer(1) != 0;
    to.lifted = totals.integer(2) != 0;
    to.kept = count(3);
    to.lost = count(4);
    to.writes = count(5);
    to.explained_writes = count(6);
    to.idle_writes = count(7);
    to.unresolved = count(8);
    to.unlogged = read_unlogged(totals.text(9));
    const Json reason = Json::parse(totals.text(10), nullptr, false);
    if (!reason.is_object()) throw unreadable("the trace does not say why a launch has no accesses");
    to.reason = message_of(reason.value("message", Json()), reason.value("english", std::string()));
  }
}

std::vector<AccessEntry> read_access_entries(const sqlite::Database& database, const TraceInfo& info) {
  std::vector<AccessEntry> entries;
  auto rows = database.prepare("SELECT id, launch, first_item, items, records FROM accesses ORDER BY id");
  std::int64_t next = 0;  // item
  while (rows.next()) {
    if (entries.size() == schema::max_blocks)
      throw unreadable("the trace has more than {} lists of accesses", schema::max_blocks);
    AccessEntry entry;
    entry.id = rows.integer(0);
    const std::int64_t previous = entries.empty() ? 1 : entries.back().launch;
    entry.launch = bounded<int>(rows, 1, previous, std::ssize(info.launches), "launch of accesses");
    if (entries.empty() || entry.launch != previous) next = 0;
    const auto items = static_cast<std::int64_t>(info.launch(entry.launch)->items());
    const std::int64_t first = bounded(rows, 2, next, items, "item of an access");
    const std::int64_t count = bounded(rows, 3, 1, items - first, "number of items with accesses");
    next = first + count;
    entry.first_item = static_cast<std::uint64_t>(first);
    entry.items = static_cast<std::uint64_t>(count);
    entry.records = bounded<std::uint64_t>(rows, 4, 0, schema::max_records, "number of accesses");
    entries.push_back(entry);
  }
  return entries;
}

}  // namespace twiddle
