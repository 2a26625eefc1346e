// The chain of an output: vectors head to tail, and below what the stages make of them.
#pragma once

#include "viewer/graphs/phasor_chain.h"
#include "viewer/views/view_frame.h"

namespace twiddle {

/// Draws the chain of an output element into a box. `live` may hold the samples before a change: their chain is drawn pale.
/// With `so_far`, elements that were added up to now, ascending, only their vectors are drawn, where those of the whole will be.
void draw_chain(ViewFrame& frame, const Box& box, int output, std::uint64_t index, const PhasorChain& chain,
                const std::vector<std::uint64_t>* so_far = nullptr);

}  // namespace twiddle
