#include "base/listed.h"

#include "base/message.h"

namespace twiddle {

std::string listed(const std::string& list, const std::string& more) {
  return list.empty() ? more : tr("{0}, {1}", list, more);
}

}  // namespace twiddle
