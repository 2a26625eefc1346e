// What the checks of operations and those of single accesses say in the same words. Each fills in the message and the advice of
// a finding about one access that has everything else.
#pragma once

#include "base/message.h"
#include "tracer/checks/access.h"

#include <array>
#include <cstdint>

namespace twiddle {

inline constexpr std::uint32_t no_item = 0xffffffffu;  // where a work-item's number would be

/// What the two sides of a race do, marked by translatable(): "reads".
struct RaceVerbs {
  const char *now, *before;
};

/// A race with an earlier access of the item `other` from `other_line`; these become part of the finding, and whether the two are
/// of different groups.
void word_race(const TraceInfo& info, Finding& finding, std::uint64_t other, int other_line, std::uint64_t group_size,
               const RaceVerbs& verbs);
/// An access outside of its buffer, which is of a known size. `verb`, marked by translatable(): "reads".
void word_outside(const TraceInfo& info, Finding& finding, const char* verb, bool table = false);
/// How an access to element `element`, outside of its buffer, is usually put right.
Message advice_outside(const TraceInfo& info, std::uint64_t element);
/// An access to a texel that an image does not have, by its coordinates.
void word_texel_outside(const TraceInfo& info, Finding& finding, const char* verb,
                        const std::array<std::int64_t, 3>& texel);
/// A read, by an item of this group, of an element that has not been written.
void word_unwritten(const TraceInfo& info, Finding& finding, std::uint64_t group);

}  // namespace twiddle
