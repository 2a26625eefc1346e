// What several verbs print: a trace's operations as lines, and the course.
#pragma once

#include "tracer/trace/trace_source.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace twiddle::cli {

enum class PrintFormat { Text, Csv, JsonLines };

/// What to print; empty fields admit everything.
struct PrintFilter {
  std::optional<std::uint64_t> launch, stage, item, element;
  bool admits(const Operation& operation) const;  // as for item and element; launch and stage choose whole segments
};

/// Hands out every admitted operation as a line with its end, in the trace's order, holding no more than a few blocks.
/// Throws Error: usage for a launch or stage that the trace does not have.
void print_operations(const std::shared_ptr<const TraceSource>& trace, PrintFormat format, const PrintFilter& filter,
                      const std::function<void(std::string_view)>& out);

/// The course: a line a lesson, in this language; or all as JSON (docs/json.md), with the languages that each is there in.
std::string lessons_list(std::string_view language, bool json);

}  // namespace twiddle::cli
