// Words of a C-like source (OpenCL C, CUDA C++) with their lines: enough to find trace lines and kernels' signatures,
// without understanding the language. Comments are skipped, preprocessor lines kept apart.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twiddle {

struct Token {
  enum class Kind { Identifier, Number, String, Punctuation };
  Kind kind = Kind::Punctuation;
  std::string_view text;  // points into the scanned text; punctuation is one character at a time
  int line = 0;           // from 1
  int directive = 0;      // line on which the preprocessor directive that holds it starts; 0: ordinary code

  bool is(std::string_view word) const { return text == word; }
  bool identifier() const { return kind == Kind::Identifier; }
};

/// Every token of `text`, which must outlive them. Linear in its size; anything unterminated ends with the text (a string
/// or character already at the end of its line, as compilers have it).
std::vector<Token> tokenize(std::string_view text);

/// The index of the bracket that closes the one at `open` ("(", "[" or "{"), looking at `reach` tokens at most; tokens.size()
/// when there is none.
std::size_t closing(const std::vector<Token>& tokens, std::size_t open, std::size_t reach = std::size_t(-1));

/// The arguments between the brackets `open` and `close`, at the commas that are in no other bracket: [first, last). Parameters
/// may have "<" and ">" as brackets, too.
using TokenRange = std::pair<std::size_t, std::size_t>;
std::vector<TokenRange> arguments_of(const std::vector<Token>& tokens, std::size_t open, std::size_t close,
                                     std::string_view opening = "([{", std::string_view closing = ")]}");

/// The tokens from `first` to before `last` as text, with one space where the source had any.
std::string spelling(const std::vector<Token>& tokens, std::size_t first, std::size_t last);

}  // namespace twiddle
