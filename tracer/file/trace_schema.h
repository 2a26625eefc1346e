// The tables of a trace file (docs/trace-format.md explains them), and how much of anything one file may hold.
#pragma once

#include "tracer/store/chunks.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twiddle::schema {

inline constexpr std::uint32_t application_id = 0x5457444C;  // "TWDL"
inline constexpr int version = 5;                            // PRAGMA user_version
inline constexpr int values_predicted = 4;  // the first version whose accesses do not repeat what operations say
inline constexpr int sources_packed = 5;    // the first version whose sources may be packed

struct Table {
  std::string_view name, sql;
  int since = 1;  // the version that brought it
};

/// Every table with the statement that makes it. A file whose statements differ is refused.
inline constexpr std::array<Table, 14> tables = {{
    {"meta", "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)"},
    {"sources", "CREATE TABLE sources (id INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL)"},
    {"sites",
     "CREATE TABLE sites (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, line INTEGER NOT NULL, last_line INTEGER "
     "NOT NULL, macro TEXT NOT NULL, first_name TEXT NOT NULL, second_name TEXT NOT NULL)"},
    {"buffers",
     "CREATE TABLE buffers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, count INTEGER NOT NULL, "
     "shape TEXT NOT NULL, space TEXT NOT NULL, initialised INTEGER NOT NULL, launch INTEGER NOT NULL)"},
    {"launches",
     "CREATE TABLE launches (number INTEGER PRIMARY KEY, source INTEGER NOT NULL, kernel TEXT NOT NULL, label TEXT NOT "
     "NULL, stage INTEGER NOT NULL, dimensions INTEGER NOT NULL, global_x INTEGER NOT NULL, global_y INTEGER NOT NULL, "
     "global_z INTEGER NOT NULL, local_x INTEGER NOT NULL, local_y INTEGER NOT NULL, local_z INTEGER NOT NULL, "
     "cooperative INTEGER NOT NULL, arguments TEXT NOT NULL, kernel_ns INTEGER NOT NULL, attempted INTEGER NOT NULL, "
     "kept INTEGER NOT NULL, unexplained INTEGER NOT NULL, inconsistent_reads INTEGER NOT NULL)"},
    {"segments",
     "CREATE TABLE segments (id INTEGER PRIMARY KEY, launch INTEGER NOT NULL, epoch INTEGER NOT NULL, stage INTEGER "
     "NOT NULL, first_step INTEGER NOT NULL, count INTEGER NOT NULL, items INTEGER NOT NULL, kind TEXT NOT NULL, span "
     "INTEGER NOT NULL, read_buffer INTEGER NOT NULL, write_buffer INTEGER NOT NULL, read_stride INTEGER NOT NULL, "
     "write_stride INTEGER NOT NULL)"},
    {"blocks",
     "CREATE TABLE blocks (id INTEGER PRIMARY KEY, segment INTEGER NOT NULL, first_step INTEGER NOT NULL, count "
     "INTEGER NOT NULL, barriers INTEGER NOT NULL, first_item INTEGER NOT NULL, last_item INTEGER NOT NULL, "
     "written_buffer INTEGER NOT NULL, first_written INTEGER NOT NULL, last_written INTEGER NOT NULL, checksum INTEGER "
     "NOT NULL, data BLOB NOT NULL)"},
    {"first_contents",
     "CREATE TABLE first_contents (id INTEGER PRIMARY KEY, buffer INTEGER NOT NULL, first_byte INTEGER NOT NULL, bytes "
     "INTEGER NOT NULL, checksum INTEGER NOT NULL, data BLOB NOT NULL)"},
    {"patches",
     "CREATE TABLE patches (id INTEGER PRIMARY KEY, launch INTEGER NOT NULL, buffer INTEGER NOT NULL, count INTEGER "
     "NOT NULL, checksum INTEGER NOT NULL, data BLOB NOT NULL)"},
    {"summaries",
     "CREATE TABLE summaries (id INTEGER PRIMARY KEY, segment INTEGER NOT NULL, buffer INTEGER NOT NULL, ranges "
     "INTEGER NOT NULL, checksum INTEGER NOT NULL, data BLOB NOT NULL)"},
    {"bookmarks", "CREATE TABLE bookmarks (step INTEGER PRIMARY KEY, note TEXT NOT NULL)"},
    {"access_sites",
     "CREATE TABLE access_sites (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, space TEXT NOT NULL, type TEXT NOT NULL, "
     "components INTEGER NOT NULL, chunk INTEGER NOT NULL, memory_order TEXT NOT NULL, scope TEXT NOT NULL, source "
     "INTEGER NOT NULL, line INTEGER NOT NULL, col INTEGER NOT NULL, volatile INTEGER NOT NULL, function TEXT NOT "
     "NULL, text TEXT NOT NULL, pc INTEGER NOT NULL)",
     2},
    {"access_totals",
     "CREATE TABLE access_totals (launch INTEGER PRIMARY KEY, logged INTEGER NOT NULL, lifted INTEGER NOT NULL, kept "
     "INTEGER NOT NULL, lost INTEGER NOT NULL, writes INTEGER NOT NULL, explained_writes INTEGER NOT NULL, idle_writes "
     "INTEGER NOT NULL, unresolved INTEGER NOT NULL, unlogged TEXT NOT NULL, reason TEXT NOT NULL)",
     2},
    {"accesses",
     "CREATE TABLE accesses (id INTEGER PRIMARY KEY, launch INTEGER NOT NULL, first_item INTEGER NOT NULL, items "
     "INTEGER NOT NULL, records INTEGER NOT NULL, checksum INTEGER NOT NULL, data BLOB NOT NULL)",
     2},
}};

/// Rows that `meta.checksum` covers when the trace is complete, in this order. Blobs have checksums of their own.
struct CheckedRows {
  std::string_view sql;
  int since = 1;
};
inline constexpr std::array<CheckedRows, 13> checked_rows = {{
    {"SELECT * FROM meta WHERE key <> 'checksum' ORDER BY key"},
    {"SELECT * FROM sources ORDER BY id"},
    {"SELECT * FROM sites ORDER BY id"},
    {"SELECT * FROM buffers ORDER BY id"},
    {"SELECT * FROM launches ORDER BY number"},
    {"SELECT * FROM segments ORDER BY id"},
    {"SELECT id, segment, first_step, count, barriers, first_item, last_item, written_buffer, first_written, "
     "last_written, checksum FROM blocks ORDER BY id"},
    {"SELECT id, buffer, first_byte, bytes, checksum FROM first_contents ORDER BY id"},
    {"SELECT id, launch, buffer, count, checksum FROM patches ORDER BY id"},
    {"SELECT id, segment, buffer, ranges, checksum FROM summaries ORDER BY id"},
    {"SELECT * FROM access_sites ORDER BY id", 2},
    {"SELECT * FROM access_totals ORDER BY launch", 2},
    {"SELECT id, launch, first_item, items, records, checksum FROM accesses ORDER BY id", 2},
}};

// Bounds on what a reader takes from a file, all far above what a real trace holds.
inline constexpr std::int64_t max_cell_bytes = 64 << 20;  // bytes of one value
inline constexpr std::size_t max_sources = 1 << 12;
inline constexpr std::uint64_t max_source_bytes = 512 << 20;  // of all sources that are packed, unpacked
inline constexpr std::size_t min_packed_source =
    1 << 13;  // bytes of text that a writer packs: libraries' kernels have 100,000
inline constexpr std::size_t max_sites = 1 << 16;
inline constexpr std::size_t max_buffers = 1 << 16;
inline constexpr std::size_t max_launches = 1 << 20;
inline constexpr std::size_t max_segments = 1 << 24;
inline constexpr std::size_t max_blocks = 1 << 26;
inline constexpr std::int64_t max_elements = std::int64_t(1) << 32;  // of a buffer; indices have 32 bits
inline constexpr std::int64_t max_steps = std::int64_t(1) << 42;
inline constexpr std::int64_t max_items = std::int64_t(1) << 32;  // of a launch
inline constexpr std::size_t max_access_sites = 1 << 17;
inline constexpr std::int64_t max_records = std::int64_t(1) << 28;  // accesses in one piece
inline constexpr std::size_t max_bookmarks = 1 << 20;

}  // namespace twiddle::schema
