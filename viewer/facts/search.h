// The search box: parses what the user looks for, and finds the next place in a trace where it is.
#pragma once

#include "viewer/document/document.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace twiddle {

/// A place to go to, and what to pin there.
struct Found {
  std::uint64_t step = 0;
  std::optional<Mark> pin;
};

/// Reads "item 5" (or "thread 5"), "element 3", "F[3]", "twiddle 0.7071" and finds the next step after `from` that it holds
/// for, round past the end; a position ("L2.S3", "start") or a step ("8", "step 8") leads to itself. Elements without a name
/// are the output's, or those of the buffer that the trace ends with.
/// Throws Error (usage) when nothing is found, or when a large trace would have to be read for too long.
Found search(Document& document, std::string_view text, std::uint64_t from);

/// The first step after `from` that reads an element (of a local array, a group's); 0 when none does.
std::uint64_t next_reader(Document& document, int buffer, std::uint64_t index, std::uint64_t group, std::uint64_t from);

}  // namespace twiddle
