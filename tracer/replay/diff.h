// Where two traces differ: the same kernels on two devices, before and after a change, right and broken.
#pragma once

#include "base/message.h"
#include "tracer/trace/operation.h"
#include "tracer/trace/trace_source.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// What of an operation may differ, in the order in which a person wants to know it.
enum class DiffAspect : std::uint8_t { Presence, Kind, Epoch, Place, Twiddle, Read, Written };
inline constexpr std::size_t diff_aspect_count = 7;
std::string_view name_of(DiffAspect aspect);  // "presence", "kind", "epoch", "place", "twiddle", "read", "written"

/// The operations that two traces have at one position: launch, stage, work-item, and which of the item's operations there.
struct Difference {
  std::optional<Operation> first, second;  // nothing: that trace has no operation there (aspect Presence)
  int nth = 1;                             // the item's nth operation of the stage
  std::array<bool, diff_aspect_count> aspects{};
  double ulps = 0;  // the largest distance of two numbers at the same place; infinite where one of them is no number
  bool has(DiffAspect aspect) const { return aspects[static_cast<std::size_t>(aspect)]; }
  /// Both read the same values, and yet they differ: the difference begins here.
  bool begins() const { return first && second && !has(DiffAspect::Read) && !has(DiffAspect::Presence); }
};

struct DiffOptions {
  /// Numbers this near are the same. An ulp is the spacing of the type's numbers at the largest magnitude that either
  /// operation touched, so that one rounding stays one ulp where a sum cancels; for twiddles, at the largest of them. With
  /// 0, numbers must be equal (0 equals −0, and NaN NaN). Integers must always be equal.
  std::uint64_t ulps = 0;
  /// Every position that differs, in order; may be empty.
  std::function<void(const Difference&)> each;
  /// Called now and then with the fraction done; false stops.
  std::function<bool(double)> progress;
};

/// An element of a buffer that differs at the end although no operation does: of kernels without trace lines.
struct EndDifference {
  int buffer = 0;
  std::uint64_t element = 0, elements = 0;  // the first of so many
  Value first, second;
};

struct TraceDiff {
  std::uint64_t compared = 0;                                // positions that both traces have
  std::uint64_t differing = 0;                               // positions that differ, also those of one trace alone
  std::uint64_t only_first = 0, only_second = 0;             // positions that one trace alone has
  std::uint64_t beginning = 0;                               // those of Difference::begins
  std::array<std::uint64_t, diff_aspect_count> by_aspect{};  // one position may count for several
  std::optional<Difference> first;
  std::optional<EndDifference> end;
  std::uint64_t stages = 0;    // segments that both have
  std::vector<Message> notes;  // a sentence each: what was not compared, and why
  bool stopped = false;
  bool same() const { return differing == 0 && !end; }
};

/// Compares by position in one pass over both, with a fixed amount of memory beside that of the buffers. Throws Error: usage
/// with a sentence when the two cannot be compared (other sizes), unreadable when a file is damaged.
TraceDiff diff_traces(const std::shared_ptr<const TraceSource>& first, const std::shared_ptr<const TraceSource>& second,
                      const DiffOptions& options = {});

}  // namespace twiddle
