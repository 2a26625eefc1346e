#include "tracer/host/host_warp.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace twiddle {

using twiddle_host::warp_size;
using twiddle_host::WarpOperation;

std::array<unsigned long long, warp_size> warp_results(WarpOperation operation, std::span<const WarpLane> lanes,
                                                       unsigned taking_part) {
  std::array<unsigned long long, warp_size> results{};
  const auto takes_part = [&](unsigned lane) { return lane < lanes.size() && (taking_part >> lane & 1) != 0; };
  const auto for_each = [&](const auto& result_of) {
    for (unsigned lane = 0; lane < lanes.size(); ++lane)
      if (takes_part(lane)) results[lane] = result_of(lane);
  };
  // The lanes for which something holds, as a mask.
  const auto which = [&](const auto& holds) {
    unsigned mask = 0;
    for (unsigned lane = 0; lane < lanes.size(); ++lane)
      if (takes_part(lane) && holds(lanes[lane].value)) mask |= 1u << lane;
    return mask;
  };
  // Reductions are of 32 bits.
  const auto fold = [&]<typename Number>(Number total, const auto& with) {
    for (unsigned lane = 0; lane < lanes.size(); ++lane)
      if (takes_part(lane)) total = with(total, static_cast<Number>(lanes[lane].value));
    for_each([&](unsigned) { return static_cast<unsigned>(total); });
  };
  const auto least = [](auto a, auto b) { return std::min(a, b); };
  const auto most = [](auto a, auto b) { return std::max(a, b); };
  using Signed = std::numeric_limits<int>;

  switch (operation) {
    case WarpOperation::Sync:
    case WarpOperation::Active: break;
    case WarpOperation::Shuffle:
      for_each([&](unsigned lane) {
        const unsigned source = lanes[lane].source;
        return lanes[takes_part(source) ? source : lane].value;
      });
      break;
    case WarpOperation::Ballot: {
      const unsigned ballot = which([](unsigned long long value) { return static_cast<unsigned>(value) != 0; });
      for_each([&](unsigned) { return ballot; });
      break;
    }
    case WarpOperation::MatchAny:
      for_each(
          [&](unsigned lane) { return which([&](unsigned long long value) { return value == lanes[lane].value; }); });
      break;
    case WarpOperation::Add: fold(0u, std::plus<>()); break;
    case WarpOperation::Min: fold(~0u, least); break;
    case WarpOperation::Max: fold(0u, most); break;
    case WarpOperation::SignedMin: fold(Signed::max(), least); break;
    case WarpOperation::SignedMax: fold(Signed::min(), most); break;
    case WarpOperation::And: fold(~0u, std::bit_and<>()); break;
    case WarpOperation::Or: fold(0u, std::bit_or<>()); break;
    case WarpOperation::Xor: fold(0u, std::bit_xor<>()); break;
  }
  return results;
}

}  // namespace twiddle
