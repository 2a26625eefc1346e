// Names that a compiler does not know where a change has them: of a function's, or of a template's parameter beside it.
#pragma once

#include "tracer/repair/edits/edits.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>

namespace twiddle {

/// The names that messages say are not declared.
std::set<std::string> undeclared_in(const std::string& log);

/// What compilers said of names, function by function. g++ names an unknown name once in each block, so that others which use it
/// there are known to be refused before the compiler gets to them.
class UnknownNames {
 public:
  /// `name` is not known at the change, which is one of source file number `file`.
  void note(std::size_t file, const Syntax& syntax, const SourceEdit& edit, const std::string& name);
  /// Whether the change brings in such a name, and where it is no variable of that name can be seen.
  bool any_in(std::size_t file, const Syntax& syntax, const SourceEdit& edit) const;

 private:
  std::set<std::tuple<std::size_t, std::uint32_t, std::string>> names_;  // of a file's function
};

}  // namespace twiddle
