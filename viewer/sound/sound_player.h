// Plays a Sound where the desktop has audio: through OpenAL Soft, which is loaded when something is played first, so that
// Twiddle builds and runs without it.
#pragma once

#include "base/message.h"
#include "kernels/signal/sound.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace twiddle {

class SoundPlayer {
 public:
  /// Names or paths of OpenAL, the first that can be loaded is taken.
  explicit SoundPlayer(std::vector<std::string> libraries = {"libopenal.so.1", "libopenal.so"});
  ~SoundPlayer();
  SoundPlayer(const SoundPlayer&) = delete;
  SoundPlayer& operator=(const SoundPlayer&) = delete;

  /// In place of what plays; returns at once.
  void play(Sound sound);
  /// Fades out.
  void stop();

  struct Now {
    bool playing = false;  // or about to
    double seconds = 0;    // into the sound
    Message problem;       // why nothing was heard; empty: no reason is known
  };
  Now now() const;

 private:
  std::vector<std::string> libraries_;
  mutable std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;
  Now now_;
  std::thread thread_;

  void work(const Sound& sound);
};

}  // namespace twiddle
