// The values of a block: reads as the replayed state predicts them, writes as the operation's arithmetic does.
#pragma once

#include "tracer/codec/codec_state.h"
#include "tracer/codec/columns/arithmetic.h"
#include "tracer/trace/block.h"
#include "tracer/trace/bytes.h"

#include <cstdint>

namespace twiddle {

/// How the writes of a site's rows are predicted; stored for each site with writes or sums. 0 … variant_count()−1: that
/// variant of the arithmetic. Else, and for a Store, one of these:
enum WritePrediction : std::uint8_t {
  predict_old_value = 252,  // what was there before
  predict_last_sum = 253,   // the sum of the item's terms so far (zero without any)
  predict_zero = 254,
  predict_first_read = 255,  // the first value read; zero without any
};

/// Whether a site's second coefficient is such a sum, given that values were logged.
bool predicts_sums(const SiteColumns& columns);

/// Writes the predictions and differences of all values of a block of operations, and performs it on the state. Counts the
/// reads that differ from a known element.
void write_values(ByteWriter& out, const OperationBlock& block, CodecState& state, std::uint64_t& inconsistent);

/// Fills in reads, writes and sums of a block whose items, indices and other coefficients are there, and performs it.
void read_values(ByteReader& in, OperationBlock& block, CodecState& state, std::uint64_t& inconsistent);

}  // namespace twiddle
