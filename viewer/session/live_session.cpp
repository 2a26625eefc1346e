#include "viewer/session/live_session.h"

#include "base/error.h"
#include "base/tr.h"
#include "viewer/views/view.h"

#include <utility>

namespace twiddle {
namespace {

constexpr std::size_t max_pasts = 50;

std::string text_of(const Request& request) {
  std::string text = request.algorithm;
  for (const auto& [name, value] : given_parameters(request))
    if (name != "signal") text += "\n" + name + "=" + value;
  for (const auto& [name, source] : request.edited) text += "\n" + name + "\n" + source;
  return text;
}

}  // namespace

LiveSession::LiveSession(WindowControl& control, Rerun& rerun, Traces& traces, std::function<void()> wake,
                         std::function<std::string(const std::string& csv)> write_signal)
    : control_(control),
      rerun_(rerun),
      traces_(traces),
      wake_(std::move(wake)),
      write_signal_(std::move(write_signal)) {}

void LiveSession::add_actions(WindowActions& actions) {
  actions.run_live = [this](const LiveSamples& samples, bool held) { run(samples, held); };
}

void LiveSession::shown() {
  if (tracing_) rerun_.cancel();  // what it was made from is not what is shown any more
  LiveSignal& live = control_.state().live;
  const bool running = rerun_.possible() && control_.state().can_run;
  forget();
  live.possible = running && live_buffer(control_.document().info()) >= 0;
  // Where the view that it opens on has handles, it has their sliders, too.
  std::string& tab = control_.state().tab;
  if (const std::string_view first = view_of(control_.document(), tab).name();
      live.possible && tab.empty() && (first == "matrix" || first == "spectrum"))
    tab = first;
  before_.reset();
  waiting_.reset();
  run_.reset();  // its plan may be another one now
}

/// All but what the samples are to be brought to.
void LiveSession::forget() {
  LiveSignal fresh;
  fresh.goal = control_.state().live.goal;
  control_.state().live = fresh;
}

void LiveSession::run(const LiveSamples& samples, bool held) {
  LiveSignal& live = control_.state().live;
  if (samples.empty()) return;
  if (!before_) before_ = Past{control_.document().trace, rerun_.made_from(), live.wave_before};
  if (held && rerun_.running() && tracing_) rerun_.cancel();  // the sample is in hand again
  waiting_.reset();
  const TraceInfo& info = control_.document().info();
  if (const std::string of = text_of(before_->request); !run_ || run_of_ != of) {
    run_ = std::make_unique<LiveRun>(before_->request, info.expect.input, wake_);
    run_of_ = of;
  }
  if (!held && samples == live.before) {  // they are where they were; the sliders stay where they are now
    const auto wave = live.wave;
    undo();
    live.wave = wave;
    return;
  }
  if (held)
    run_->ask(samples, samples.size() <= LiveSignal::max_traced);
  else
    trace(samples);
  live.samples = samples;
}

void LiveSession::trace(const LiveSamples& samples) {
  if (rerun_.running()) {
    if (tracing_) rerun_.cancel();
    waiting_ = samples;
    return;
  }
  try {
    tracing_ = true;
    keep_sides();
    rerun_.choose("signal", write_signal_(samples_csv(samples)));
  } catch (const Error& error) {
    tracing_ = false;
    control_.state().message = error.message().translated();
    control_.touch();
  }
}

/// A picture's sides may have come from its file, which samples in a row do not have.
void LiveSession::keep_sides() {
  const TraceInfo& info = control_.document().info();
  const int buffer = live_buffer(info);
  Request request = rerun_.made_from();
  if (buffer < 0 || !traits(info.expect.transform).plane || request.algorithm.ends_with(".toml")) return;
  const BufferInfo& of = info.buffers[static_cast<std::size_t>(buffer)];
  request.rows = of.shape[0], request.columns = of.shape[1];
  rerun_.show(request);
}

void LiveSession::show(std::shared_ptr<const TraceSource> trace, bool in_hand) {
  auto fresh = std::make_unique<Document>(std::move(trace));
  fresh->findings_kept_back = in_hand;  // checks are for what is let go
  LiveSignal& live = control_.state().live;
  if (before_ && before_->trace != fresh->trace) {
    Document before(before_->trace);
    live.changes = std::make_shared<const Changes>(before, *fresh);
  }
  live.result.clear();
  traces_.replace(std::move(fresh));
}

bool LiveSession::poll() {
  if (!run_) return false;
  std::optional<LiveRun::Answer> answer = run_->take();
  // What comes after it was let go, or put back, is of no use any more.
  if (!answer || !before_ || !control_.state().live.held) return false;
  if (!answer->error.empty()) {
    control_.state().message =
        tr("While it is dragged nothing answers: {} Let go, and it is traced.", answer->error.translated());
  } else if (answer->trace) {
    show(std::move(answer->trace), true);
    return true;
  } else {
    control_.state().live.result = std::move(answer->result);
  }
  control_.touch();
  return false;
}

bool LiveSession::take(const Rerun::Outcome& outcome) {
  if (!std::exchange(tracing_, false)) return false;
  WindowState& state = control_.state();
  state.run_fraction = -1;
  if (waiting_) {
    trace(*std::exchange(waiting_, std::nullopt));
  } else if (outcome.trace && !outcome.cancelled && before_) {
    show(outcome.trace, false);
    pasts_.push_back(*std::exchange(before_, std::nullopt));
    if (pasts_.size() > max_pasts) pasts_.erase(pasts_.begin());
    if (!state.live.held) state.live.samples.clear();  // in hand again they are still needed
  } else if (!outcome.error.empty()) {
    state.message = outcome.error.translated();
  }
  control_.touch();
  return true;
}

void LiveSession::undo() {
  WindowState& state = control_.state();
  waiting_.reset();
  std::optional<Past> past = std::exchange(before_, std::nullopt);
  if (past) {
    if (tracing_) rerun_.cancel();
  } else if (!pasts_.empty()) {
    past = std::move(pasts_.back());
    pasts_.pop_back();
  }
  if (!past) {
    state.message = tr("There is nothing to put back.");
    control_.touch();
    return;
  }
  const bool possible = state.live.possible, drawing = state.live.drawing;
  forget();
  state.live.possible = possible, state.live.drawing = drawing;
  state.live.wave = past->wave;
  traces_.replace(std::make_unique<Document>(past->trace));
  rerun_.show(past->request);
}

}  // namespace twiddle
