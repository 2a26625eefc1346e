// The signal and what came out, to be heard, and as a sound file.
#include "base/error.h"
#include "base/tr.h"
#include "base/write_file.h"
#include "kernels/signal/sound.h"
#include "viewer/control/window_control.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace twiddle {
namespace {

constexpr std::uint64_t max_heard = std::uint64_t(1) << 22;  // elements of a buffer that is looked at

}  // namespace

/// The sound of what went in or came out, or of the buffer that a context menu was about, as it is at the cursor; nothing where
/// there is none: then the message says why.
std::optional<Sound> WindowControl::sound_of(bool outcome, std::string& name) {
  const TraceInfo& info = document_->info();
  const bool asked = about_ && about_->kind == MarkKind::Element && about_->side == 0;
  const int buffer = asked ? about_->buffer : info.buffer_named(outcome ? info.expect.output : info.expect.input);
  const BufferInfo* of = info.buffer(buffer);
  if (!of || of->space != Space::Global || traits(of->type).components > 2) {
    state_.message = asked ? tr("This array holds no samples that can be heard.")
                     : outcome
                         ? tr("This trace does not say what should come out, so that nothing of it is heard.")
                         : tr("This trace does not say which buffer is the signal, so that nothing of it is heard.");
    return {};
  }
  if (of->count > max_heard) {
    state_.message = tr("{} has {} elements: up to {} can be heard.", of->name, of->count, max_heard);
    return {};
  }
  std::vector<std::complex<double>> samples;
  if (!asked && !outcome && buffer == live_buffer(info)) {
    samples = samples_at_hand(*document_, &state_.live);
  } else if (!asked && !outcome) {
    samples = numbers_of(*document_, buffer, -1);
  } else if (!asked && state_.live.result.size() == of->count) {
    samples = state_.live.result;  // of the samples in hand
  } else {
    const std::uint64_t step = std::min(state_.cursor.step, info.steps);
    if (document_->replay->step() != step) document_->replay->seek(step);
    samples = numbers_in_state(info, document_->replay->state(), buffer);
  }
  name = fmt::format("{}[{}]", of->name, of->count);
  return make_sound(samples, sample_rate_of(info));
}

void WindowControl::hear(bool outcome) {
  const bool same = state_.sound.on && state_.sound.outcome == outcome && !about_;
  if (state_.sound.on) stop_hearing();
  if (same) return;
  if (!state_.can_hear) {
    state_.message = tr("Nothing can be heard from here.");
    return;
  }
  std::string name;
  std::optional<Sound> sound = sound_of(outcome, name);
  if (!sound) return;
  const Message words = words_of(*sound);
  state_.message = fmt::format("{}: {}", name, words.translated());
  heard_outcome_ = outcome;
  heard_about_ = about_;
  if (sound->silent) return;
  state_.sound = {true, outcome, name, 0, sound->seconds()};
  actions_.play(std::move(*sound));
  touch();
}

void WindowControl::stop_hearing() {
  if (!state_.sound.on) return;
  state_.sound = {};
  if (actions_.stop_sound) actions_.stop_sound();
  touch();
}

void WindowControl::follow_sound() {
  if (!state_.sound.on) return;
  const SoundPlayer::Now now = actions_.sound();
  if (now.playing && now.seconds == state_.sound.at) return;
  state_.sound.at = now.seconds;
  if (!now.playing) {
    state_.sound = {};
    if (!now.problem.empty()) state_.message = now.problem.translated();
  }
  touch();
}

/// What was heard last, or the signal, as a file. Throws Error (usage, unreadable).
void WindowControl::save_sound(const std::string& file) {
  if (std::filesystem::path(file).extension() != ".wav") throw usage_error("A sound's file ends in .wav.");
  std::string name;
  const std::optional<Mark> now = std::exchange(about_, heard_about_);
  std::optional<Sound> sound;
  try {
    sound = sound_of(heard_outcome_, name);
  } catch (const Error&) {
    about_ = now;
    throw;
  }
  about_ = now;
  if (!sound) throw usage_error("There are no samples to be heard.");
  write_file(file, encode_wav(*sound), ExitCode::unreadable);
  state_.message = tr("Saved: {}", file);
}

}  // namespace twiddle
