// What a user sets by hand, and what the program remembers by itself.
#include "viewer/state/settings.h"

#include "base/paths.h"
#include "base/read_file.h"
#include "synthetic_trace.h"
#include "viewer/state/open_entries.h"
#include "viewer/state/remembered.h"

#include <doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

Settings settings_from(const std::string& text) {
  const synthetic::Folder folder;
  std::ofstream(folder / "settings.toml") << text;
  return read_settings(folder.path());
}

Command command_of(const Settings& settings, const char* chord) {
  return settings.keys.command(parse_chord(chord).value());
}

bool complains(const Settings& settings, const std::string& words) {
  return std::any_of(settings.complaints.begin(), settings.complaints.end(),
                     [&](const std::string& one) { return one.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("without settings everything is as it comes") {
  const synthetic::Folder folder;
  const Settings settings = read_settings(folder.path());
  CHECK_FALSE(settings.theme);
  CHECK(settings.complaints.empty());
  CHECK(command_of(settings, "Right") == Command::StepForward);
}

TEST_CASE("settings say how things look and what keys do") {
  const Settings settings = settings_from(
      "theme = \"dark\"\nscale = 1.5\nreduced-motion = true\nlanguage = \"ja\"\nstep-by = \"stage\"\n"
      "[keys]\nstep-forward = [\"Right\", \"J\"]\nhelp = \"F12\"\npredict = []\n");
  CHECK(settings.complaints.empty());
  CHECK(settings.theme == ThemeName::Dark);
  CHECK(settings.scale == doctest::Approx(1.5));
  CHECK(settings.reduced_motion == true);
  CHECK(settings.language == Language::Japanese);
  CHECK(settings.step_by == StepBy::Stage);
  CHECK(command_of(settings, "J") == Command::StepForward);
  CHECK(command_of(settings, "Right") == Command::StepForward);
  CHECK(command_of(settings, "F12") == Command::Help);
  CHECK(command_of(settings, "?") == Command::None);  // in place of those it had
}

TEST_CASE("the manual names every command that can have a key") {
  const std::string manual = read_file(resource("docs/window.md"), 1 << 20);
  for (const std::string& name : command_names()) {
    CAPTURE(name);
    CHECK(manual.find("`" + name + "`") != std::string::npos);
  }
}

TEST_CASE("two commands may change places, without a word") {
  const Settings settings = settings_from("[keys]\nnext-finding = \"T\"\ntheme = \"N\"\n");
  CHECK(settings.complaints.empty());
  CHECK(command_of(settings, "T") == Command::NextFinding);
  CHECK(command_of(settings, "N") == Command::NextTheme);
}

TEST_CASE("keys that two commands ask for are reported, and so are those that a command loses") {
  const Settings both = settings_from("[keys]\nhelp = \"J\"\npredict = \"J\"\n");
  CHECK(complains(both, "J asks for help already: predict does not get it"));
  CHECK(complains(both, "settings.toml:3"));
  CHECK(command_of(both, "J") == Command::Help);

  const Settings taken = settings_from("[keys]\npredict = \"V\"\n");
  CHECK(complains(taken, "V is predict now, and no longer next-view, which has no key any more"));
  CHECK(command_of(taken, "V") == Command::Predict);
}

TEST_CASE("a remote's keys and Escape stay what they are") {
  const Settings settings = settings_from("[keys]\nfirst = [\"Page Down\", \"Home\"]\nhelp = \"Escape\"\n");
  CHECK(complains(settings, "Page Down stays what it is"));
  CHECK(complains(settings, "Escape stays what it is"));
  CHECK(command_of(settings, "Page Down") == Command::LessonNext);
  CHECK(command_of(settings, "Escape") == Command::Leave);
  CHECK(command_of(settings, "Home") == Command::First);
}

TEST_CASE("what is not understood is reported with its line, and the rest counts") {
  const Settings settings = settings_from(
      "theme = \"pink\"\nscale = 9\nreduced-motion = \"yes\"\nlanguage = \"fr\"\nfont = \"x\"\n"
      "[keys]\nfly = \"Y\"\nhelp = \"Hyper+Q\"\ntheme = 3\nfirst = \"Y\"\n");
  for (const char* words : {"settings.toml:1: theme is", "settings.toml:2: scale is", "settings.toml:3: reduced-motion",
                            "settings.toml:4: language is", "no setting 'font'", "no command 'fly'",
                            "'Hyper+Q' is no key", "theme is a key"}) {
    CAPTURE(words);
    CHECK(complains(settings, words));
  }
  CHECK(command_of(settings, "Y") == Command::First);
  CHECK_FALSE(settings.theme);
}

TEST_CASE("a settings file that is no TOML counts for nothing, and says where") {
  const Settings settings = settings_from("theme = \"dark\"\n[keys\n");
  REQUIRE(settings.complaints.size() == 1);
  CHECK(complains(settings, "settings.toml:2"));
  CHECK_FALSE(settings.theme);
  const synthetic::Folder folder;
  fs::create_directory(folder / "settings.toml");
  CHECK(read_settings(folder.path()).complaints.size() == 1);
}

TEST_CASE("recent files and looks are there again next time") {
  const synthetic::Folder folder;
  Remembered remembered;
  CHECK(read_remembered(folder / "none") == remembered);
  for (int i = 0; i < 20; ++i) remembered.opened(folder / ("t" + std::to_string(i) + ".twd"));
  remembered.opened(folder / "t12.twd");
  CHECK(remembered.files.size() == Remembered::max_files);
  CHECK(remembered.files.front().filename() == "t12.twd");
  CHECK(std::count(remembered.files.begin(), remembered.files.end(), remembered.files.front()) == 1);
  remembered.theme = ThemeName::Projector;
  remembered.scale = 1.25f;
  remembered.step_by = StepBy::SubGroup;
  REQUIRE(write_remembered(folder / "a" / "b", remembered));
  CHECK(read_remembered(folder / "a" / "b") == remembered);
  CHECK(std::distance(fs::directory_iterator(folder / "a" / "b"), fs::directory_iterator()) == 1);

  std::ofstream(folder / "a" / "b" / "remembered.json") << "{\"files\": 3, \"scale\": \"x\"}";
  CHECK(read_remembered(folder / "a" / "b") == Remembered());
  std::ofstream(folder / "file") << "not a folder";
  CHECK_FALSE(write_remembered(folder / "file", remembered));
}

TEST_CASE("what can be opened: files from before that are still there, the folder's traces, each once, and folders") {
  const synthetic::Folder folder;
  for (const char* name : {"b.twd", "a.twd", "notes.txt"}) std::ofstream(folder / name) << "x";
  fs::create_directory(folder / "folder.twd");
  const auto entries = open_entries({folder / "b.twd", folder / "gone.twd"}, folder.path());
  REQUIRE(entries.size() == 4);
  CHECK(entries[0].file == (folder / "b.twd").string());
  CHECK(entries[0].aside == "opened before");
  CHECK(entries[1].file == (folder / "a.twd").string());
  CHECK(entries[1].aside == "in this folder");
  CHECK(entries[2].file == (folder / "..").string());
  CHECK(entries[3].file == (folder / "folder.twd").string());
  CHECK(entries[3].aside == "folder");
  CHECK(open_entries({}, folder / "none").size() == 1);  // the folder above
}
