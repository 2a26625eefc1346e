// Operations as text: the lines of `twiddle print` in its three formats.
#pragma once

#include "tracer/trace/operation.h"
#include "tracer/trace/trace.h"

#include <array>
#include <cstdint>
#include <string>

namespace twiddle {

/// `launch=3 kernel=fft_stage stage=2 gid=1 pair=1-3 N=4 s=2 w=(-0.000000,-1.000000) in=(…),(…) out=(…),(…)`
std::string text_line(const TraceInfo& info, const Operation& operation);
/// One JSON object without a line end; the schema is in docs/trace-format.md.
std::string json_line(const TraceInfo& info, const Operation& operation);
std::string csv_header();
std::string csv_line(const TraceInfo& info, const Operation& operation);

/// How a line of text begins: `launch=3 kernel=fft_stage stage=2 epoch=1`, without a stage or an epoch that is 0.
std::string line_head(const TraceInfo& info, int launch, int stage, int epoch);
/// A work-item's id, in the dimensions that its launch has: "3,0".
std::string global_id_text(const LaunchInfo& launch, std::uint64_t item);
/// One component of a value; NaN and infinities, which JSON lacks, are strings.
std::string json_component(const Value& value, int which);
/// "[3,0,0]"
std::string json_triple(const std::array<std::size_t, 3>& id);

/// A field of CSV, in quotes where it needs them.
std::string csv_field(const std::string& text);
/// A string of JSON with its quotes; malformed UTF-8 as U+FFFD.
std::string json_string(const std::string& text);

}  // namespace twiddle
