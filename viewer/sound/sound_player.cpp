#include "viewer/sound/sound_player.h"

#include "base/error.h"
#include "tracer/runtime/shared_library.h"

#include <chrono>
#include <exception>
#include <utility>

namespace twiddle {
namespace {

// What of OpenAL is called here; the declarations are our own, after the OpenAL 1.1 specification, so that no package is
// needed to build.
struct AlDevice;
struct AlContext;
constexpr int al_gain = 0x100A, al_buffer = 0x1009, al_source_state = 0x1010, al_playing = 0x1012;
constexpr int al_second_offset = 0x1024, al_mono16 = 0x1101, al_stereo16 = 0x1103;

struct OpenAl {
  SharedLibrary library;
  AlDevice* (*open_device)(const char*) = nullptr;
  char (*close_device)(AlDevice*) = nullptr;
  AlContext* (*create_context)(AlDevice*, const int*) = nullptr;
  char (*make_current)(AlContext*) = nullptr;
  void (*destroy_context)(AlContext*) = nullptr;
  void (*make_sources)(int, unsigned*) = nullptr;
  void (*delete_sources)(int, const unsigned*) = nullptr;
  void (*make_buffers)(int, unsigned*) = nullptr;
  void (*delete_buffers)(int, const unsigned*) = nullptr;
  void (*buffer_data)(unsigned, int, const void*, int, int) = nullptr;
  void (*set_number)(unsigned, int, int) = nullptr;
  void (*set_real)(unsigned, int, float) = nullptr;
  void (*get_number)(unsigned, int, int*) = nullptr;
  void (*get_real)(unsigned, int, float*) = nullptr;
  void (*play_source)(unsigned) = nullptr;
  void (*stop_source)(unsigned) = nullptr;
  int (*error)() = nullptr;

  /// Throws Error (usage) where there is none.
  explicit OpenAl(const std::vector<std::string>& names) : library(SharedLibrary::open(names)) {
    if (!library) throw usage_error("Nothing can be heard here: OpenAL is not installed (the package libopenal1).");
    const auto take = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.symbol(name));
      if (!function) throw usage_error("Nothing can be heard here: {} has no {}.", library.name(), name);
    };
    take(open_device, "alcOpenDevice");
    take(close_device, "alcCloseDevice");
    take(create_context, "alcCreateContext");
    take(make_current, "alcMakeContextCurrent");
    take(destroy_context, "alcDestroyContext");
    take(make_sources, "alGenSources");
    take(delete_sources, "alDeleteSources");
    take(make_buffers, "alGenBuffers");
    take(delete_buffers, "alDeleteBuffers");
    take(buffer_data, "alBufferData");
    take(set_number, "alSourcei");
    take(set_real, "alSourcef");
    take(get_number, "alGetSourcei");
    take(get_real, "alGetSourcef");
    take(play_source, "alSourcePlay");
    take(stop_source, "alSourceStop");
    take(error, "alGetError");
  }
};

/// A device with one source that has one sound; all of it is given back at the end.
class OpenSource {
 public:
  OpenSource(const OpenAl& al, const Sound& sound) : al_(al) {
    device_ = al_.open_device(nullptr);
    if (device_) context_ = al_.create_context(device_, nullptr);
    if (!context_ || !al_.make_current(context_)) {
      close();
      throw usage_error("Nothing can be heard here: this desktop has no sound device.");
    }
    al_.make_sources(1, &source_);
    al_.make_buffers(1, &buffer_);
    al_.buffer_data(buffer_, sound.channels == 2 ? al_stereo16 : al_mono16, sound.numbers.data(),
                    static_cast<int>(sound.numbers.size() * sizeof(std::int16_t)), static_cast<int>(sound.rate));
    al_.set_number(source_, al_buffer, static_cast<int>(buffer_));
    if (al_.error() != 0) {
      close();
      throw usage_error("Nothing can be heard here: the sound device does not take the sound.");
    }
  }
  ~OpenSource() { close(); }
  OpenSource(const OpenSource&) = delete;
  OpenSource& operator=(const OpenSource&) = delete;

  unsigned source() const { return source_; }

 private:
  const OpenAl& al_;
  AlDevice* device_ = nullptr;
  AlContext* context_ = nullptr;
  unsigned source_ = 0, buffer_ = 0;

  void close() {
    if (source_) al_.delete_sources(1, &source_);
    if (buffer_) al_.delete_buffers(1, &buffer_);
    if (context_) al_.make_current(nullptr), al_.destroy_context(context_);
    if (device_) al_.close_device(device_);
    source_ = buffer_ = 0, context_ = nullptr, device_ = nullptr;
  }
};

}  // namespace

SoundPlayer::SoundPlayer(std::vector<std::string> libraries) : libraries_(std::move(libraries)) {}

SoundPlayer::~SoundPlayer() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void SoundPlayer::play(Sound sound) {
  stop();
  voice_ = std::make_shared<Voice>();
  // Opening a device may take a while, and closing one: the window goes on. OpenAL has one context at a time, so that a sound
  // begins when the one before it has given back all that it had.
  const auto before = std::make_shared<std::thread>(std::move(thread_));
  try {
    thread_ = std::thread([this, voice = voice_, kept = std::move(sound), before] {
      if (before->joinable()) before->join();
      work(*voice, kept);
    });
  } catch (...) {  // no thread is to be had
    thread_ = std::move(*before);
    throw;
  }
}

void SoundPlayer::stop() {
  if (!voice_) return;
  {
    const std::lock_guard lock(voice_->mutex);
    voice_->stop = true;
    voice_->now.playing = false;
  }
  voice_->stopped.notify_all();
}

SoundPlayer::Now SoundPlayer::now() const {
  if (!voice_) return {};
  const std::lock_guard lock(voice_->mutex);
  return voice_->now;
}

void SoundPlayer::work(Voice& voice, const Sound& sound) const {
  using std::chrono::milliseconds;
  constexpr milliseconds look(15), fade_step(4);
  constexpr int fade_steps = 5;
  Now end;
  try {
    {
      const std::lock_guard lock(voice.mutex);
      if (voice.stop) return;  // stopped before it began
    }
    const OpenAl al(libraries_);
    const OpenSource open(al, sound);
    al.play_source(open.source());
    std::unique_lock lock(voice.mutex);
    while (!voice.stopped.wait_for(lock, look, [&voice] { return voice.stop; })) {
      int state = 0;
      float seconds = 0;
      al.get_number(open.source(), al_source_state, &state);
      al.get_real(open.source(), al_second_offset, &seconds);
      if (state != al_playing) break;
      voice.now.seconds = static_cast<double>(seconds);
    }
    end.seconds = voice.now.seconds;
    const bool stopped = voice.stop;
    lock.unlock();
    // A sound that breaks off clicks.
    for (int step = fade_steps; stopped && step-- > 0;) {
      al.set_real(open.source(), al_gain, static_cast<float>(step) / fade_steps);
      std::this_thread::sleep_for(fade_step);
    }
    al.stop_source(open.source());
  } catch (const Error& error) { end.problem = error.message(); } catch (const std::exception&) {
    end.problem = Message("Nothing can be heard here: the sound device does not take the sound.");
  }
  const std::lock_guard lock(voice.mutex);
  voice.now = std::move(end);
}

}  // namespace twiddle
