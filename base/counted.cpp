#include "base/counted.h"

#include "base/message.h"
#include "base/tr.h"

#include <fmt/format.h>

namespace twiddle {

std::string grouped(std::uint64_t count, std::string_view separator) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, separator);
  return text;
}

std::string count_text(std::uint64_t count) { return grouped(count, "\u2009"); }

std::string plural(std::uint64_t count, const char* one, const char* many) {
  try {
    return fmt::format(fmt::runtime(tr_plural(count, one, many)), count_text(count));
  } catch (const fmt::format_error&) {  // of a translation
    return fmt::format(fmt::runtime(count == 1 ? one : many), count_text(count));
  }
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(count), count == 1 ? one : many);
}

std::string listed(const std::string& list, const std::string& more) {
  return list.empty() ? more : tr("{0}, {1}", list, more);
}

}  // namespace twiddle
