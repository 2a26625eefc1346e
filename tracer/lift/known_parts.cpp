#include "tracer/lift/known_parts.h"

#include "base/text.h"
#include "tracer/trace/memory/pairs.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string>

namespace twiddle {

int order_of_names(std::string_view first, std::string_view second) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> words = {
      {{"r", "i"}, {"re", "im"}, {"real", "imag"}, {"real", "imaginary"}}};
  const std::string a = lower_case(first), b = lower_case(second);
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t before = 0, behind = 0;  // characters that are the same around the word
  while (before < shorter && a[before] == b[before]) ++before;
  while (behind < shorter - before && a[a.size() - 1 - behind] == b[b.size() - 1 - behind]) ++behind;
  const bool alone = (before == 0 || !is_letter(a[before - 1])) && (behind == 0 || !is_letter(a[a.size() - behind]));
  constexpr std::size_t short_name = 4;  // "xr", "outr": what a single letter may be a part of
  const std::string_view x = std::string_view(a).substr(before, a.size() - before - behind),
                         y = std::string_view(b).substr(before, b.size() - before - behind);
  for (const auto& [real, imaginary] : words) {
    if (real.size() == 1 && !alone && shorter > short_name) continue;
    if (x == real && y == imaginary) return 1;
    if (y == real && x == imaginary) return -1;
  }
  return 0;
}

KnownParts::KnownParts(const TraceInfo& info) : info_(info) {
  for (const BufferInfo& buffer : info.buffers) {
    if (!buffer.parts) continue;
    const auto& [real, imaginary] = *buffer.parts;
    if (real.buffer != imaginary.buffer) known_.emplace(real.buffer, imaginary.buffer);
  }
  for (const auto& [name, side] :
       {std::pair(&info.expect.input, &info.expect.from), std::pair(&info.expect.output, &info.expect.to)}) {
    const int real = info.buffer_named(*name), imaginary = info.buffer_named(side->imaginary);
    if (real < 0 || imaginary < 0) continue;
    if (real == imaginary)
      turns_.insert(real);
    else
      known_.emplace(real, imaginary);
  }
  if (parts_take_turns(info))
    turns_.insert({info.buffer_named(info.expect.input), info.buffer_named(info.expect.output)});
}

int KnownParts::order(int first, int second) const {
  if (first == second) return 0;
  const BufferInfo *a = info_.buffer(first), *b = info_.buffer(second);
  if (!a || !b || a->type != b->type) return 0;
  if (known_.contains({first, second})) return 1;
  if (known_.contains({second, first})) return -1;
  return order_of_names(a->name, b->name);
}

}  // namespace twiddle
