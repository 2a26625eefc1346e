// Which lines of a source have a part in what one of its lines stores.
#pragma once

#include "tracer/syntax/syntax.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {

/// Lines of files: the file's number, and the line.
using SourceLines = std::set<std::pair<std::size_t, int>>;

/// The lines that what line `line` of file `file` stores is computed in: those that give its variables their values, conditions
/// and loops around them, functions that are called and macros. With line 0 all of the function `function`, and what it calls.
/// Rather too many than too few; nothing where the source does not tell.
std::optional<SourceLines> lines_behind(const std::vector<const Syntax*>& files, std::size_t file,
                                        const std::string& function, int line, const std::set<int>& stores);

}  // namespace twiddle
