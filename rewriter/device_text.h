// What the rewritten program begins with: the log as its kernels write it.
#pragma once

namespace twiddle::rewriter {

/// The log is one buffer of 64-bit words. The caller fills in words 0 to 7: the first item, how many, and where each part
/// begins, in words:
///
///     [0] first item   [1] items   [2] rooms   [3] counts   [4] bases   [5] bases of groups   [6], [7] not used
///
/// Items are numbered group by group. TW_BLOCK neighbours share a room: rooms[b] … rooms[b + 1] are the records (pairs of words,
/// counted from the buffer's start) of block b. Where TW_ROWS is defined each item has a row of its own in it, which suits
/// processors; elsewhere an item's records are TW_BLOCK apart, so that neighbours write neighbouring addresses. A record is
/// site << 47 | address, and the value. counts[i] (32 bits) says how many the item wanted to write, those without room, too.
/// It is read at the start, so that kernels called by kernels go on behind their callers: the caller of a launch zeroes it.
extern const char* const device_text;

}  // namespace twiddle::rewriter
