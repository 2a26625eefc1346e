// PTX, the text of compiled CUDA programs, read: its words, its functions, its kernels' parameters. Needs no compiler and no
// driver.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle::cuda {

/// The next word or sign of a PTX text from `at`, which moves behind it: "fft_stage", ".entry", "256", "(", a string with its
/// quotes. Comments and space are skipped; empty at the end.
std::string_view next_token(std::string_view ptx, std::size_t& at);

/// Whether names have this character: "_ZZ1kPfE4tile", "%p1".
bool of_symbol(char c);

/// The number that a text begins with; 0 where it begins with none.
std::size_t leading_number(std::string_view text);

/// The bytes of a number of a type: 4 of ".f32" and ".b32"; 0: the word is no such type.
std::size_t bytes_of_type(std::string_view word);

/// A kernel or a device function.
struct PtxFunction {
  std::string symbol;
  bool kernel = false;
  std::string_view text;  // from behind its symbol: the parameters, and the body to the brace that ends it
};
/// Those of a PTX text that have a body, in its order; the last one's may be cut short.
std::vector<PtxFunction> functions_of(std::string_view ptx);

/// Whether a PTX text has the kernel with this symbol.
bool has_kernel(std::string_view ptx, std::string_view symbol);

/// A kernel as the compiled program has it.
struct Entry {
  std::string name;    // as the source names it
  std::string symbol;  // the same for extern "C" kernels, else mangled
  std::vector<std::size_t> parameter_bytes;
  bool awaits = false;  // waits itself for what the launch before leaves, and may be started before that has ended
};
/// The kernels of a PTX text with their parameters.
std::vector<Entry> entries_of(std::string_view ptx);

}  // namespace twiddle::cuda
