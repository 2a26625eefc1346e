// A program's text after preprocessing, with the place that each of its tokens was written at: what is parsed and rewritten.
#pragma once

#include <clang/Tooling/Tooling.h>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace twiddle::rewriter {

/// Where something was written; of what a macro made, the macro's use.
struct Written {
  int file = 0;              // index into FlatSource::files
  int line = 0, column = 0;  // from 1; 0: not known
};

struct FlatToken {
  std::size_t offset;  // in FlatSource::text
  Written at;
  std::size_t begin,
      end;  // bytes of the program's own text, of the macro's whole use where it came from a macro's body
};

struct FlatSource {
  std::string text;
  std::vector<FlatToken> tokens;   // by offset
  std::vector<std::string> files;  // as #line names them, by first appearance; the first is the program
  std::set<std::string> tested;    // macros that nothing defines and the program asks for
};

/// Preprocesses the program. Macros of OpenCL's own headers stay names, for the device's compiler knows their values, and so do
/// pragmas. False when clang finds errors, which it has printed then.
bool flatten(const std::string& code, const std::string& name, const std::vector<std::string>& options,
             const clang::tooling::FileContentMappings& headers, FlatSource& flat);

/// Where the byte at `offset` of the flat text was written.
Written written_at(const FlatSource& flat, std::size_t offset);

/// What the bytes [begin, end) of the flat text were written as, blanks joined, at most 200 characters.
std::string written_text(const FlatSource& flat, const std::string& code, std::size_t begin, std::size_t end);

}  // namespace twiddle::rewriter
