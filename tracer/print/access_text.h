// Accesses as text, and what their bits mean.
#pragma once

#include "tracer/access/access.h"
#include "tracer/trace/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

/// A record's bits as numbers, one for each component that it holds, and where they begin in their buffer.
struct AccessValue {
  std::int64_t element = 0;  // of the buffer; negative: before it
  int component = 0;         // of that element
  std::vector<Value> values;
  // A texel that the image does not have; element is not known then.
  std::optional<std::array<std::int64_t, 3>> outside{};
};
AccessValue value_of(const TraceInfo& info, const AccessLog& log, std::uint64_t record);

/// `launch=1 kernel=stage gid=3 line=12 load=x[6] value=(1,0)`. `epoch`: barriers of the group before it.
std::string access_text_line(const TraceInfo& info, const LaunchInfo& launch, const AccessLog& log, std::uint64_t item,
                             std::uint64_t record, int epoch);
/// One JSON object; the schema is in docs/trace-format.md.
std::string access_json_line(const TraceInfo& info, const LaunchInfo& launch, const AccessLog& log, std::uint64_t item,
                             std::uint64_t record, int epoch);
std::string access_csv_header();
std::string access_csv_line(const TraceInfo& info, const LaunchInfo& launch, const AccessLog& log, std::uint64_t item,
                            std::uint64_t record, int epoch);

}  // namespace twiddle
