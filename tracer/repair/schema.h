// Many changed programs as one: each change is there beside the original, and a number that the kernel is given says which of
// them counts. So one compilation serves for hundreds of trials.
#pragma once

#include "tracer/repair/edits.h"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace twiddle {

/// Loops are left after so many turns of one call: a changed condition may never end.
inline constexpr int max_turns = 1 << 18;

struct Schema {
  std::string text;
  std::size_t head_lines = 0;  // before the file's own
  struct Mark {
    std::size_t begin = 0, end = 0;  // bytes of the text that are there for this edit alone
    std::uint32_t edit = 0;          // index into the edits
  };
  std::vector<Mark> marks;
};

/// Edit i counts where the kernels' last parameter, an int, is first + i; with 0 the program is the original. `functions`: the
/// names of those that the whole program defines; its first file has what the others need, too. Lines keep their numbers.
Schema schema_of(const Syntax& syntax, std::span<const SourceEdit> edits, std::uint32_t first, bool cuda,
                 bool first_file, const std::set<std::string>& functions);

/// The edits that a compiler's messages point at ("name:12:34: error"), by the schema's text; and all those on such lines.
std::vector<std::uint32_t> edits_refused(const Schema& schema, const std::string& name, const std::string& log);
std::vector<std::uint32_t> edits_of_lines(const Schema& schema, const std::string& name, const std::string& log);

}  // namespace twiddle
