#include "tracer/run/other_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace twiddle {
namespace {

template <typename T>
void fill(std::vector<std::byte>& bytes, std::minstd_rand& random) {
  const std::size_t count = bytes.size() / sizeof(T);
  std::vector<T> numbers(count);
  std::memcpy(numbers.data(), bytes.data(), count * sizeof(T));
  T low = std::numeric_limits<T>::max(), high = std::numeric_limits<T>::lowest();
  for (const T number : numbers)
    if (std::isfinite(number)) low = std::min(low, number), high = std::max(high, number);
  if (low > high) low = high = 0;
  if (low == high) low = std::min(low, T(0)), high = high == 0 ? T(1) : std::max(high, T(0));
  constexpr double steps = std::minstd_rand::max();
  for (T& number : numbers) {
    const double part = double(random()) / steps;
    number = static_cast<T>(double(low) * (1 - part) + double(high) * part);
  }
  std::memcpy(bytes.data(), numbers.data(), count * sizeof(T));
}

}  // namespace

void fill_with_others(std::vector<std::byte>& bytes, int number_bytes, std::minstd_rand& random) {
  if (number_bytes == 4) fill<float>(bytes, random);
  if (number_bytes == 8) fill<double>(bytes, random);
}

}  // namespace twiddle
