// The signal and what came out, heard: by a player of the test's own, and through OpenAL without a device.
#include "base/error.h"
#include "kernels/signal/signal_files.h"
#include "run_program.h"
#include "scene_texts.h"
#include "test_support.h"
#include "traced.h"
#include "tracer/runtime/shared_library.h"
#include "viewer/control/window_control.h"
#include "viewer/scene/languages.h"

#include <doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

using namespace twiddle;

namespace {

/// What would be heard.
struct Ear {
  std::vector<Sound> played;
  int stopped = 0;
  SoundPlayer::Now now{};

  WindowActions actions() {
    WindowActions actions;
    actions.play = [this](Sound sound) {
      played.push_back(std::move(sound));
      now = {true, 0, {}};
    };
    actions.stop_sound = [this] { ++stopped, now = {}; };
    actions.sound = [this] { return now; };
    return actions;
  }
};

bool has_label(const Scene& scene, const std::string& words) {
  return std::any_of(scene.marks.begin(), scene.marks.end(),
                     [&](const MarkText& mark) { return mark.label.find(words) != std::string::npos; });
}

SoundPlayer::Now when_over(SoundPlayer& player) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (player.now().playing && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return player.now();
}

}  // namespace

TEST_CASE("A plays the signal until it is pressed again, with what plays and how far it is in the diagram's corner") {
  Document document(traced("fft-radix2", 64, "cosine:5"));
  Ear ear;
  WindowControl control(document, ear.actions());
  control.key({"A"});
  REQUIRE(ear.played.size() == 1);
  CHECK(ear.played[0].numbers == make_sound(numbers_of(document, document.info().buffer_named("data"), -1)).numbers);
  CHECK(control.state().message.find("64 samples, 14080 a second, 220 times") != std::string::npos);
  CHECK(control.state().sound.on);
  CHECK(has_label(window_scene(document, control.state()), "data[64] is heard: stop it"));
  REQUIRE(control.next_change());
  CHECK(*control.next_change() < 0.1);
  ear.now.seconds = 0.5;
  CHECK(control.advance(0.05));
  CHECK(control.state().sound.at == 0.5);
  control.key({"A"});
  CHECK(ear.stopped == 1);
  CHECK(ear.played.size() == 1);
  CHECK_FALSE(control.state().sound.on);
  CHECK_FALSE(has_label(window_scene(document, control.state()), "is heard"));
  // At its end it is over by itself; what could not be played is said.
  control.key({"A"});
  ear.now = {};
  control.advance(0.05);
  CHECK_FALSE(control.state().sound.on);
  control.key({"A"});
  ear.now = {false, 0, Message("Nothing can be heard from here.")};
  control.advance(0.05);
  CHECK(control.state().message == "Nothing can be heard from here.");
}

TEST_CASE("Shift+A plays what came out as it is at the cursor, a context menu any array, and another trace stops it") {
  Document document(traced("fft-radix2", 8, "ramp")), other(traced("fft-radix2", 16, "ramp"));
  Ear ear;
  WindowControl control(document, ear.actions());
  const int f = document.info().buffer_named("F");
  for (const std::uint64_t step : {std::uint64_t(6), document.info().steps}) {
    control.seek(step);
    control.key({"A", false, true});
    document.replay->seek(step);
    CHECK(ear.played.back().numbers ==
          make_sound(numbers_in_state(document.info(), document.replay->state(), f)).numbers);
    CHECK(control.state().sound.outcome);
    ear.now = {};
    control.advance(0.05);  // it is over
  }
  const MarkText element{element_mark(f, static_cast<int>(document.info().segments.size()) - 1, 3), "F[3]"};
  control.press_right(&element, {400, 300});
  REQUIRE(control.state().menu.open());
  const auto& entries = control.state().menu.entries;
  const auto hear = std::find_if(entries.begin(), entries.end(),
                                 [](const MenuEntry& entry) { return entry.command == Command::Hear; });
  REQUIRE(hear != entries.end());
  control.take(MenuEntry(*hear));
  CHECK(control.state().sound.name == "F[8]");
  control.show(other);
  CHECK_FALSE(control.state().sound.on);
}

TEST_CASE("what cannot be heard is said in a sentence") {
  Document still(traced("fft-radix2", 8, "constant:1"));
  Ear ear;
  WindowControl control(still, ear.actions());
  control.key({"A"});
  CHECK(ear.played.empty());
  CHECK(control.state().message.find("nothing can be heard") != std::string::npos);
  WindowControl silent(still, {});
  silent.key({"A"});
  CHECK(silent.state().message == "Nothing can be heard from here.");
}

TEST_CASE("the sound of the signal is saved as a WAV file that is a signal again") {
  const TestFolder folder;
  Document document(traced("fft-radix2", 64, "cosine:5"));
  WindowControl control(document, {});
  control.key({"A", true, true});
  REQUIRE(control.state().text_entry.kind == TextEntry::Kind::Save);
  CHECK(control.state().text_entry.line.text.ends_with(".wav"));
  control.enter((folder.path() / "x.txt").string());
  CHECK(control.state().text_entry.error == "A sound's file ends in .wav.");
  const std::string file = (folder.path() / "x.wav").string();
  control.enter(file);
  CHECK_FALSE(control.state().typing());
  Signal signal;
  signal.kind = Signal::Kind::Wav, signal.file = file;
  const Samples back = read_signal_file(signal);
  CHECK(back.rate == 44100);
  CHECK(back.values.size() == 44100);
}

TEST_CASE("a file that is there is replaced by a second Enter alone, and only under the name that was asked about") {
  const TestFolder folder;
  Document document(traced("fft-radix2", 64, "cosine:5"));
  WindowControl control(document, {});
  const std::string there = (folder.path() / "there.wav").string(), other = (folder.path() / "other.wav").string();
  for (const std::string& file : {there, other}) std::ofstream(file) << "mine";
  const auto content = [](const std::string& file) {
    std::ifstream in(file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  control.key({"A", true, true});
  control.enter(there);
  CHECK(control.state().text_entry.error == there + " is there already. Enter once more replaces it.");
  control.enter(other);  // another name is another question
  CHECK(control.state().text_entry.error == other + " is there already. Enter once more replaces it.");
  CHECK(content(there) == "mine");
  control.enter(other);
  CHECK_FALSE(control.state().typing());
  CHECK(content(other).starts_with("RIFF"));
  CHECK(content(there) == "mine");
}

TEST_CASE("no text of what is heard is cut or laid over another, in any language, size and theme") {
  Document document(traced("fft-radix2", 64, "cosine:5"));
  Ear ear;
  WindowControl control(document, ear.actions());
  control.seek(20);
  control.key({"A"});
  ear.now.seconds = 0.4;
  control.advance(0.05);
  control.state().message.clear();
  struct Size {
    float width, height;
  };
  for (const Language language : {Language::English, Language::Japanese, Language::Chinese}) {
    use_language(language);
    control.state().language = language;
    for (const Size& size : {Size{1024, 640}, Size{1440, 900}, Size{3840, 2160}})
      for (const ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Projector}) {
        CAPTURE(size.width);
        control.resize(size.width, size.height);
        control.state().theme = name;
        for (const std::string& fault : text_faults(window_scene(document, control.state()))) {
          CAPTURE(fault);
          CHECK(fault.empty());
        }
      }
  }
  use_language(Language::English);
}

TEST_CASE("where there is no OpenAL the player says so") {
  SoundPlayer player({"libno-such-openal.so.9"});
  player.play(make_sound(std::vector<std::complex<double>>{1, -1}));
  CHECK(when_over(player).problem == "Nothing can be heard here: OpenAL is not installed (the package libopenal1).");
}

TEST_CASE("through OpenAL a sound plays to its end, is stopped, and gives way to another") {
  // Its null driver takes a sound as a device does, and makes none.
  setenv("ALSOFT_DRIVERS", "null", 1);
  if (!SharedLibrary::open({"libopenal.so.1", "libopenal.so"})) {
    MESSAGE("skipped: libopenal1 is not installed");
    return;
  }
  SoundPlayer player;
  Sound brief;
  brief.channels = 2;
  brief.numbers.assign(2 * 4410, 0);
  player.play(brief);
  const SoundPlayer::Now over = when_over(player);
  CHECK_FALSE(over.playing);
  CHECK(over.problem.empty());
  Sound lasting = brief;
  lasting.numbers.assign(std::size_t(2) * 44100 * 60, 0);
  player.play(lasting);
  player.play(lasting);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (player.now().seconds == 0 && player.now().playing && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK(player.now().seconds > 0);
  player.stop();
  CHECK_FALSE(player.now().playing);
  player.stop();  // again, while the first fades out
  player.play(brief);
  player.stop();  // before it began
  CHECK_FALSE(player.now().playing);
  player.play(brief);
  CHECK(when_over(player).problem.empty());
}
