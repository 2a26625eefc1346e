// TraceInfo to and from the tables of a trace file.
#pragma once

#include "base/error.h"
#include "tracer/file/sqlite.h"
#include "tracer/trace/trace.h"

#include <cstdint>
#include <optional>

namespace twiddle {

/// Fills the tables meta, sources, sites and buffers. Throws sqlite::Failure.
void write_metadata(sqlite::Database& database, const TraceInfo& info);
/// Adds sources or buffers; `first` is the number of the first of them.
void write_sources(sqlite::Database& database, std::size_t first, std::span<const SourceText> sources);
void write_buffers(sqlite::Database& database, std::size_t first, std::span<const BufferInfo> buffers);
/// Adds trace lines; `first` is the number of the first of them.
void write_sites(sqlite::Database& database, std::size_t first, std::span<const Site> sites);
/// The format's version that the file says it has.
int version_of(const sqlite::Database& database);
/// Adds or replaces a launch's row; a segment's row (ids count from 0).
void write_launch(sqlite::Database& database, const LaunchInfo& launch);
void write_segment(sqlite::Database& database, std::size_t id, const Segment& segment);
void write_meta(sqlite::Database& database, std::string_view key, std::string_view value);

/// Everything of TraceInfo from its tables, each number checked against what is possible. `steps` and `barriers` are left to
/// the caller, who knows the blocks. Throws Error (unreadable) or sqlite::Failure.
TraceInfo read_metadata(const sqlite::Database& database);

/// CRC-32 over the rows of schema::checked_rows: each value as decimal text, text or bytes, followed by a zero byte.
std::uint32_t metadata_checksum(const sqlite::Database& database);
/// What meta.checksum says, or nothing.
std::optional<std::uint32_t> stored_checksum(const sqlite::Database& database);

/// The address space of a word in a row. Throws Error (unreadable).
Space space_named(std::string_view word);

/// A number from a column, checked: `what` names it in the sentence.
template <typename T = std::int64_t>
T bounded(const sqlite::Statement& row, int column, std::int64_t min, std::int64_t max, std::string_view what) {
  const std::int64_t value = row.integer(column);
  if (value < min || value > max) throw unreadable("the trace gives {} as the {}, which cannot be", value, what);
  return static_cast<T>(value);
}

}  // namespace twiddle
