// What a twiddle factor should be, and what it was the last time: predictions of logged coefficients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace twiddle {

/// Computes e^(−2πi·j/2^log2_order) for j = 0 … 2^log2_order/2 − 1, correctly rounded to double but for about one value in
/// 10^14, and to the same bits on every machine: additions, multiplications, divisions and square roots of doubles in a
/// fixed order, nothing else (docs/trace-format.md gives the steps). Real and imaginary parts alternate.
std::vector<double> half_circle(unsigned log2_order);

/// Tables of roots of unity, one for each power of two that was asked for. A table starts with the computed roots, rounded
/// to the coefficients' type (its even entries with the table of half its order, if there is one), and learns: an entry is
/// what was last logged. Copies share tables until one of them learns.
class TwiddleTables {
 public:
  static constexpr unsigned max_log2_order = 26;

  /// A column of roots of one order: entry i is e^(∓2πi·index[i]/2^log2_order), taken modulo the order; `conjugate` for +.
  struct Roots {
    bool wide = false;  // double instead of float
    unsigned log2_order = 1;
    bool conjugate = false;
  };
  void predict(const Roots& roots, std::span<const std::uint32_t> index, std::byte* out);
  void learn(const Roots& roots, std::span<const std::uint32_t> index, const std::byte* actual);
  std::size_t bytes_not_shared_with(const TwiddleTables& other) const;

 private:
  using Key = std::pair<bool, unsigned>;  // wide, log2_order
  using Table = std::vector<std::byte>;
  std::shared_ptr<Table>& table(const Key& key);
  std::map<Key, std::shared_ptr<Table>> tables_;
};

}  // namespace twiddle
