// The codec: a block of operations as bytes, given the state of the buffers before it. What a formula, the replayed state
// or the butterfly's own arithmetic predicts costs nothing; only what differs is stored. Bit-exact, and the same on every
// machine: all predictions use IEEE operations in a fixed order (this library is compiled with -ffp-contract=off).
#pragma once

#include "tracer/trace/block.h"
#include "tracer/trace/memory/state.h"

#include <span>
#include <vector>

namespace twiddle {

/// What encoder and decoder carry from block to block, in file order: buffers as replayed, and twiddles seen so far.
/// Both sides must feed it the same blocks in the same order.
class CodecState;

/// Encodes a block and applies its writes to `state`. Reads that differ from the state are counted into `inconsistent`.
std::vector<std::byte> encode(const OperationBlock& block, CodecState& state, std::uint64_t& inconsistent);

/// The inverse. `bytes` are untrusted: anything malformed throws Error (unreadable). The block's segment, first step and
/// barrier flag are filled in by the caller. Inconsistent reads are counted as by encode, where asked for. `room` is a block
/// that is no longer needed, whose memory is used again: fresh memory for each block of a long trace takes most of the time.
OperationBlock decode(std::span<const std::byte> bytes, CodecState& state, const TraceInfo& info,
                      std::uint64_t* inconsistent = nullptr, OperationBlock room = {});

/// Only what does not depend on the state: items, slots, sites and index words. Coefficients and values are left empty.
OperationBlock decode_indices(std::span<const std::byte> bytes, const TraceInfo& info);

}  // namespace twiddle
