// The tables of accesses: their places, what is known of them as a whole, and their pieces.
#pragma once

#include "tracer/file/sqlite.h"
#include "tracer/trace/trace_source.h"

#include <cstddef>
#include <span>
#include <vector>

namespace twiddle {

/// `first` is the number of the first of them. Throws sqlite::Failure.
void write_access_sites(sqlite::Database& database, std::size_t first, std::span<const AccessSite> sites);
/// Adds or replaces a launch's row; nothing of a launch without accesses that had no reason to have any.
void write_access_totals(sqlite::Database& database, const LaunchInfo& launch);

/// Fills access_sites and the launches' totals; the rest of `info` is known. Throws Error (unreadable) or sqlite::Failure.
void read_access_rows(const sqlite::Database& database, TraceInfo& info);

/// Where each launch's accesses are, checked against the launches. Throws as read_access_rows does.
std::vector<AccessEntry> read_access_entries(const sqlite::Database& database, const TraceInfo& info);

}  // namespace twiddle
