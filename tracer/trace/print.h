// Operations as text: the lines of `twiddle print` in its three formats.
#pragma once

#include "tracer/trace/operation.h"
#include "tracer/trace/trace.h"

#include <string>

namespace twiddle {

/// `launch=3 kernel=fft_stage stage=2 gid=1 pair=1-3 N=4 s=2 w=(-0.000000,-1.000000) in=(…),(…) out=(…),(…)`
std::string text_line(const TraceInfo& info, const Operation& operation);
/// One JSON object without a line end; the schema is in docs/trace-format.md.
std::string json_line(const TraceInfo& info, const Operation& operation);
std::string csv_header();
std::string csv_line(const TraceInfo& info, const Operation& operation);

/// The shortest decimal text that gives the same bits back.
std::string exact_text(double value);
std::string exact_text(float value);
/// One component of a value as `print` writes it: exact, NaN with its bits ("nan:7fc0dead"), integers as such.
std::string component_text(const Value& value, int which);
/// `(-4, 4)`, `28`, as the diagrams write a value: at most `digits` significant digits, U+2212 for minus.
std::string short_text(const Value& value, int digits = 4);

}  // namespace twiddle
