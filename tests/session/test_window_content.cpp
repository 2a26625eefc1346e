// What a window shows and where it comes from, without a window: dropped files, the desktop's dialog, other languages.
#ifdef TWIDDLE_HAVE_WINDOW

#include "base/paths.h"
#include "base/read_file.h"
#include "synthetic_trace.h"
#include "traced.h"
#include "viewer/facts/findings.h"
#include "viewer/facts/trace_facts.h"
#include "viewer/scene/languages.h"
#include "viewer/session/window_content.h"

#include <doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

/// A control with its content, as a window has them.
struct Contents {
  synthetic::Folder folder;
  Document document{traced("fft-radix2", 8)};
  WindowOptions options;
  Remembered remembered;
  std::string title;
  WindowControl control{document, {}};
  WindowContent content{options, control, remembered, [] {}, [this](const std::string& name) { title = name; }};

  explicit Contents(WindowOptions::Run run = {}) : options{made_by(std::move(run))} {
    setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);  // not the settings of who runs the tests
    WindowActions actions;
    content.add_actions(actions);
    control.set_actions(actions);
    content.begin(document);
  }
  ~Contents() { unsetenv("XDG_CONFIG_HOME"); }
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;

 private:
  static WindowOptions made_by(WindowOptions::Run run) {
    WindowOptions options;
    options.run = std::move(run);
    return options;
  }
};

/// A program of this name before all others on the PATH.
struct OnPath {
  synthetic::Folder folder;
  std::string before;
  OnPath(const std::string& name, const std::string& script) : before(std::getenv("PATH")) {
    std::ofstream(folder / name) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(folder / name, fs::perms::owner_all);
    setenv("PATH", (folder.path().string() + ":" + before).c_str(), 1);
  }
  ~OnPath() { setenv("PATH", before.c_str(), 1); }
  OnPath(const OnPath&) = delete;
  OnPath& operator=(const OnPath&) = delete;
};

template <typename Condition>
bool comes(Contents& contents, const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition() && std::chrono::steady_clock::now() < end) {
    contents.content.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return condition();
}

}  // namespace

TEST_CASE("what bench kernels printed is opened as a card of measured kernels, and the kept history by its command") {
  Contents contents;
  contents.control.open(resource("docs/benchmarks/h200.csv").string());
  REQUIRE(contents.control.state().roofline);
  CHECK(contents.control.state().message.empty());
  contents.control.command(Command::Roofline);
  CHECK_FALSE(contents.control.state().roofline);
  contents.control.command(Command::Roofline);
  CHECK(contents.control.state().roofline);
  const std::string wrong = (contents.folder / "wrong.csv").string();
  std::ofstream(wrong) << read_file(resource("docs/benchmarks/h200.csv"), 1 << 20) << "x\n";
  contents.control.state().roofline.reset();
  contents.control.open(wrong);
  CHECK_FALSE(contents.control.state().roofline);
  CHECK(contents.control.state().message.find("is not one of twiddle bench kernels --csv") != std::string::npos);
}

TEST_CASE("a dropped trace takes the place of the one shown, a second one is beside it, and other files are reported") {
  Contents contents;
  const fs::path other = traced("fft-radix2", 16)->path(), third = traced("fft-radix4", 16)->path();
  contents.content.dropped({});
  CHECK(contents.control.document().info().steps == 14);
  contents.content.dropped({other});
  CHECK(contents.control.document().info().steps == 38);
  CHECK(contents.title == other.filename().string());
  REQUIRE_FALSE(contents.remembered.files.empty());
  CHECK(contents.remembered.files.front() == other);
  contents.content.dropped({other, third});
  REQUIRE(contents.control.state().beside);
  CHECK(contents.control.state().beside->second().info().algorithm == "fft-radix4");

  std::ofstream(contents.folder / "none.twd") << "no trace";
  contents.content.dropped({contents.folder / "none.twd"});
  CHECK(contents.control.state().message.find("none.twd") != std::string::npos);
  CHECK(contents.control.document().info().steps == 38);
  std::ofstream(contents.folder / "plan.toml") << "title = 'x'";
  contents.control.state().message.clear();
  contents.content.dropped({contents.folder / "plan.toml"});
  CHECK(contents.control.state().message.find("twiddle view") != std::string::npos);
  contents.content.dropped({contents.folder / "tone.WAV"});
  CHECK(contents.control.state().message.find("--signal") != std::string::npos);
  contents.content.dropped({other, third, other});
  CHECK(contents.control.state().message.find("3 files") != std::string::npos);
}

TEST_CASE("what was noted of a run is shown with the trace that came of it") {
  Contents contents([](const Request&, const std::string&, int, const Progress&) {
    return WindowOptions::Made{traced("fft-radix2", 16),
                               {Message("{} holds {} samples: padded with {} zeros", "tone.csv", 5, 11)}};
  });
  std::ofstream(contents.folder / "tone.csv") << "1\n2\n3\n4\n5\n";
  contents.content.dropped({contents.folder / "tone.csv"});
  CHECK(comes(contents, [&] { return contents.control.document().info().steps == 38; }));
  CHECK(contents.control.state().message == "tone.csv holds 5 samples: padded with 11 zeros");
}

TEST_CASE("the desktop's dialog opens what was chosen in it, and nothing when it was closed") {
  const fs::path other = traced("fft-radix2", 16)->path();
  {
    const OnPath zenity("zenity", "echo '" + other.string() + "'");
    Contents contents;
    contents.control.command(Command::OpenByDialog);
    CHECK(comes(contents, [&] { return contents.control.document().info().steps == 38; }));
  }
  {
    const OnPath zenity("zenity", "exit 1");
    Contents contents;
    contents.control.command(Command::OpenByDialog);
    CHECK(comes(contents, [&] { return !contents.content.busy(); }));
    CHECK(contents.control.document().info().steps == 14);
    CHECK(contents.control.state().message.empty());
  }
  {
    const OnPath zenity("zenity", "exit 5");
    Contents contents;
    contents.control.command(Command::OpenByDialog);
    CHECK(comes(contents, [&] { return contents.control.state().message.find('5') != std::string::npos; }));
  }
  {  // one that is open does not hold the window when that closes
    const OnPath zenity("zenity", "exec sleep 600");
    const auto begin = std::chrono::steady_clock::now();
    {
      Contents contents;
      contents.control.command(Command::OpenByDialog);
      CHECK(contents.content.busy());
    }
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
  }
}

TEST_CASE("a trace whose file is taken away is reported, and still shown") {
  Contents contents;
  const fs::path file = contents.folder / "soon-gone.twd";
  fs::copy_file(traced("fft-radix2", 16)->path(), file);
  contents.content.dropped({file});
  fs::remove(file);
  CHECK(comes(contents, [&] { return contents.control.state().message.find("soon-gone.twd is gone") == 0; }));
  contents.control.command(Command::Last);
  CHECK(contents.control.state().cursor.step == 38);
}

TEST_CASE("another language changes all that is shown") {
  Contents contents;
  contents.content.dropped({traced("fft-radix2", 16)->path(), traced("fft-radix2", 16, "cosine:1")->path()});
  use_language(Language::Japanese);
  contents.control.state().language = Language::Japanese;
  contents.content.language_changed(Language::Japanese);
  const bool translated = std::string(tr("stage {}")) != "stage {}";
  CHECK(facts_of(contents.control.document()).segment_names.back() == (translated ? "ステージ4" : "stage 4"));
  // What went wrong far below the window, too.
  std::ofstream(contents.folder / "none.twd") << "no trace";
  contents.content.dropped({contents.folder / "none.twd"});
  CHECK(contents.control.state().message.find(translated ? "Twiddleのトレースではありません" : "not a Twiddle trace") !=
        std::string::npos);
  use_language(Language::English);
}

TEST_CASE("findings under way are in the language that is set by the time they come") {
  if (std::string(tr("stage {}")) != "stage {}") return;
  Contents contents;
  contents.content.dropped({traced("fft-radix2", 4096)->path()});  // large enough to be checked in the background
  REQUIRE(contents.control.document().info().steps > checked_at_once);
  use_language(Language::Japanese);
  contents.control.state().language = Language::Japanese;
  contents.content.language_changed(Language::Japanese);
  const bool translated = std::string(tr("stage {}")) != "stage {}";
  const auto begin = std::chrono::steady_clock::now();
  while (facts_of(contents.control.document()).notes.empty() &&
         std::chrono::steady_clock::now() - begin < std::chrono::seconds(60)) {
    contents.content.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const auto& notes = facts_of(contents.control.document()).notes;
  CHECK_FALSE(notes.empty());
  for (const TraceNote& note : notes) {
    const std::string title = note.title.translated();
    CAPTURE(title);
    const bool english = title.front() >= 'a' && title.front() <= 'z';
    CHECK(english != translated);
  }
  use_language(Language::English);
}

TEST_CASE("what was found is translated without being looked for again") {
  Contents contents;
  contents.content.dropped({traced("fft-radix2", 4096)->path()});
  CHECK(comes(contents, [&] { return !contents.content.busy(); }));
  const std::size_t found = facts_of(contents.control.document()).notes.size();
  REQUIRE(found > 0);
  const std::string english = text_of(facts_of(contents.control.document()).notes.front());
  use_language(Language::Japanese);
  contents.control.state().language = Language::Japanese;
  contents.content.language_changed(Language::Japanese);
  CHECK_FALSE(contents.content.busy());
  const auto& notes = facts_of(contents.control.document()).notes;
  CHECK(notes.size() == found);
  const bool translated = std::string(tr("stage {}")) != "stage {}";
  CHECK((text_of(notes.front()) != english) == translated);
  use_language(Language::English);
  CHECK(text_of(facts_of(contents.control.document()).notes.front()) == english);
}

#endif
