#include "base/error.h"
#include "tracer/access/access.h"

#include <algorithm>
#include <array>

namespace twiddle {
namespace {

using namespace std::string_view_literals;

// In the order of their enumerations.
constexpr std::array kind_names = {"load"sv,       "store"sv,     "atomic-load"sv, "atomic-store"sv, "copy-load"sv,
                                   "copy-store"sv, "copy-wait"sv, "barrier"sv,     "fence"sv,        "exchange"sv};
constexpr std::array order_names = {"relaxed"sv, "acquire"sv, "release"sv, "acquire-release"sv, "sequential"sv};
constexpr std::array scope_names = {"item"sv, "sub-group"sv, "group"sv, "device"sv, "system"sv};

template <typename Enumeration, typename Names>
Enumeration one_named(const Names& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw unreadable("an access is of the kind, order or scope {}, which does not exist", name);
  return static_cast<Enumeration>(found - names.begin());
}

}  // namespace

std::string_view name_of(AccessKind kind) { return kind_names.at(static_cast<std::size_t>(kind)); }
std::string_view name_of(MemoryOrder order) { return order_names.at(static_cast<std::size_t>(order)); }
std::string_view name_of(MemoryScope scope) { return scope_names.at(static_cast<std::size_t>(scope)); }

template <>
AccessKind named(std::string_view name) {
  return one_named<AccessKind>(kind_names, name);
}
template <>
MemoryOrder named(std::string_view name) {
  return one_named<MemoryOrder>(order_names, name);
}
template <>
MemoryScope named(std::string_view name) {
  return one_named<MemoryScope>(scope_names, name);
}

}  // namespace twiddle
