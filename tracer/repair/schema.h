// Many changed programs as one: each change is there beside the original, and a number that the kernel is given says which of
// them counts. So one compilation serves for hundreds of trials.
#pragma once

#include "tracer/repair/edits/edits.h"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace twiddle {

/// What a program of many edits is given: which edit counts, and, in the bits from `turn_bits` on, the logarithm of the turns
/// after which the loops of one call are left: a changed condition may never end.
inline constexpr int turn_bits = 20, max_log_turns = 18;
constexpr std::int32_t schema_number(std::uint32_t edit, int log_turns) {
  return static_cast<std::int32_t>(edit) | log_turns << turn_bits;
}

inline constexpr std::uint32_t edit_line = 1000000;

struct Schema {
  std::string text;
  std::size_t head_lines = 0;  // before the file's own
  bool numbered = false;       // in the compiler's messages edit i is in line edit_line + i
  struct Mark {
    std::size_t begin = 0, end = 0;  // bytes of the text that are there for this edit alone
    std::uint32_t edit = 0;          // index into the edits
    int line = 0;                    // of the source
  };
  std::vector<Mark> marks;
};

/// Edit i counts where the kernels' last parameter is schema_number(first + i, …); with 0 the program is the original. It runs
/// fast where edits of one expression follow one another. `functions`: the
/// names of those that the whole program defines; its first file has what the others need, too. Lines keep their numbers.
Schema schema_of(const Syntax& syntax, std::span<const SourceEdit> edits, std::uint32_t first, bool cuda,
                 bool first_file, const std::set<std::string>& functions);

/// Names by which macros of these files call nothing but such functions, which they are given: "turn" of "#define PAIR(i, turn) …
/// turn(d) …". What is so called is to be among the functions of schema_of.
std::set<std::string> called_through_macros(std::span<const Syntax* const> files,
                                            const std::set<std::string>& functions);

/// The edits that a compiler's messages point at ("name:12:34: error"), by the schema's text; and all those on such lines.
std::vector<std::uint32_t> edits_refused(const Schema& schema, const std::string& name, const std::string& log);
std::vector<std::uint32_t> edits_of_lines(const Schema& schema, const std::string& name, const std::string& log);

}  // namespace twiddle
