// Plays a Sound where the desktop has audio: through OpenAL Soft, which is loaded when something is played first, so that
// Twiddle builds and runs without it.
#pragma once

#include "base/message.h"
#include "kernels/signal/sound.h"

#include <condition_variable>
#include <memory>
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
  /// Fades out; returns at once. The next sound waits for its end.
  void stop();

  struct Now {
    bool playing = false;  // or about to
    double seconds = 0;    // into the sound
    Message problem;       // why nothing was heard; empty: no reason is known
  };
  Now now() const;

 private:
  /// One sound, from play() on; its thread may outlast it by a fade, or by a device that is slow to open.
  struct Voice {
    std::mutex mutex{};
    std::condition_variable stopped{};
    bool stop = false;
    Now now{true, 0, {}};
  };

  std::vector<std::string> libraries_;
  std::shared_ptr<Voice> voice_;
  std::thread thread_;

  void work(Voice& voice, const Sound& sound) const;
};

}  // namespace twiddle
