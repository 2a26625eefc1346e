// The tables of accesses: their places, what is known of them as a whole, and their pieces.
#pragma once

#include "tracer/file/sqlite.h"
#include "tracer/store/trace_builder.h"
#include "tracer/trace/trace.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace twiddle {

/// `first` is the number of the first of them. Throws sqlite::Failure.
void write_access_sites(sqlite::Database& database, std::size_t first, std::span<const AccessSite> sites);
/// Adds or replaces a launch's row; nothing of a launch without accesses that had no reason to have any.
void write_access_totals(sqlite::Database& database, const LaunchInfo& launch);

/// Fills access_sites and the launches' totals; the rest of `info` is known. Throws Error (unreadable) or sqlite::Failure.
void read_access_rows(const sqlite::Database& database, TraceInfo& info);

}  // namespace twiddle
