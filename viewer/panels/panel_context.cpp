// What every panel draws from.
#include "viewer/document/turn.h"
#include "viewer/panels/panels.h"
#include "viewer/state/window_layout.h"

#include <algorithm>

namespace twiddle {

PanelContext::PanelContext(Document& document_, const WindowState& state_, const TraceFacts& facts_)
    : Links(document_, state_.cursor, state_.predict == Predict::Asking),
      Ink{window_layout(state_).scale},
      document(document_),
      state(state_),
      theme(twiddle::theme(state_.theme)),
      facts(facts_) {
  const std::uint64_t step = std::min(state.cursor.step, info().steps);
  if (step > 0) {
    now = document.replay->operation(step);
    launch = info().launch(now->launch);
    segment = static_cast<int>(document.replay->segment_of(step));
    if (state.predict != Predict::Asking && !state.live.changes) turn = turn_at(document, state.cursor);
  }
}

}  // namespace twiddle
