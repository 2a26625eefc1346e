// NumPy's archive of arrays (.npz): a zip file with an array in NumPy's own form (.npy) in each entry, as numpy.load opens it.
// The form: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include "cli/output.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace twiddle::cli {

/// What an array's bytes mean.
struct NumpyLayout {
  std::string type;                  // NumPy's word, little-endian: "<f4", "<c8", "<i8", "|u1", "<U9"
  std::vector<std::uint64_t> shape;  // empty: a single value
  bool columns_first = false;        // the first index runs fastest (Fortran's order)
};

class NumpyArchive {
 public:
  /// Becomes `file` in close(). Throws Error (usage) when it cannot be written, here and below.
  explicit NumpyArchive(const std::filesystem::path& file);
  ~NumpyArchive();
  NumpyArchive(const NumpyArchive&) = delete;
  NumpyArchive& operator=(const NumpyArchive&) = delete;

  /// Begins an array; its bytes follow in as many pieces as is convenient.
  void begin(const std::string& name, const NumpyLayout& layout);
  void append(std::span<const std::byte> bytes);
  void end();
  void add(const std::string& name, const NumpyLayout& layout, std::span<const std::byte> bytes);
  /// A list of words in ASCII.
  void add_words(const std::string& name, const std::vector<std::string>& words);

  void close();

 private:
  PendingFile file_;
  void* zip_ = nullptr;

  void check(int result);
};

/// The bytes before an array's own: magic, version 1.0, and the layout as a Python dictionary, 64 or a multiple of it.
std::string numpy_header(const NumpyLayout& layout);

}  // namespace twiddle::cli
