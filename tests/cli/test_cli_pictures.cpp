// view, export and demo as a user sees them: what they write without a display, and what they refuse.
#include "base/paths.h"
#include "environment.h"
#include "run_program.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace twiddle;
using nlohmann::json;

namespace {

void trace(const TestFolder& folder, const std::string& n, const std::string& file) {
  const Ran ran = run_program(folder, {"trace", "fft-radix2", "--n", n, "-o", file});
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
}

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

void check_png(const std::string& file, std::uint32_t width, std::uint32_t height) {
  const std::string bytes = content_of(file);
  REQUIRE(bytes.size() > 1000);
  CHECK(bytes.compare(0, 8, "\x89PNG\r\n\x1a\n") == 0);
  CHECK(big_endian(bytes, 16) == width);
  CHECK(big_endian(bytes, 20) == height);
}

}  // namespace

TEST_CASE("view opens where a kernel first goes wrong, unless it is asked for a position") {
  TestFolder folder;
  const auto picture = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "view");
    arguments.insert(arguments.end(), {"--screenshot", "out.svg"});
    const Ran ran = run_program(folder, arguments);
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    return content_of(folder.file("out.svg"));
  };
  CHECK(picture({"gallery/wrong-sign"}).find("step 8 of 14") != std::string::npos);
  CHECK(picture({"gallery/wrong-sign", "--at", "start"}).find("step 0 of 14") != std::string::npos);
  CHECK(picture({"gallery/wrong-sign-right"}).find("step 14 of 14") != std::string::npos);
}

TEST_CASE("view --stop sets conditions, and says which are none") {
  TestFolder folder;
  trace(folder, "8", "fft8.twd");
  const auto view = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"view", "fft8.twd"});
    arguments.insert(arguments.end(), {"--screenshot", "out.svg"});
    return run_program(folder, arguments);
  };
  const Ran ran = view({"gallery/stale-twiddle", "--stop", "F[5] written", "--stop", "other trace"});
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  const std::string picture = content_of(folder.file("out.svg"));
  CHECK(picture.find("F[5] is written") != std::string::npos);
  CHECK(picture.find("it differs from the other trace") != std::string::npos);
  check_failure(view({"--stop", "other trace"}), 2, "No trace that runs the same kernels is beside this one.");
  check_failure(view({"--stop", "nonsense"}), 2, "Write F[5], F[5] written");
}

TEST_CASE("view --screenshot draws the window without a display, of a trace or of an algorithm") {
  TestFolder folder;
  trace(folder, "8", "fft8.twd");
  for (const char* theme : {"light", "dark", "projector"}) {
    const Ran ran =
        run_program(folder, {"view", "fft8.twd", "--at", "L3.I1", "--theme", theme, "--screenshot", "w.png"});
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    CHECK(ran.out + ran.err == "");
    check_png(folder.file("w.png"), 1440, 900);
  }
  REQUIRE(run_program(folder, {"view", "fft-radix2", "--n", "16", "--size", "1024x640", "--screenshot", "small.png"})
              .code == 0);
  check_png(folder.file("small.png"), 1024, 640);
  REQUIRE(run_program(folder, {"view", "fft8.twd", "--at", "L3.I1", "--screenshot", "w.svg"}).code == 0);
  const std::string svg = content_of(folder.file("w.svg"));
  CHECK(svg.compare(0, 4, "<svg") == 0);
  CHECK(svg.find("L3.S2.I1") != std::string::npos);
  // The algorithm's own trace was a temporary one.
  CHECK(folder.names() == std::vector<std::string>{"fft8.twd", "small.png", "w.png", "w.svg"});
}

TEST_CASE("the window speaks the language of the system") {
  if (!std::filesystem::exists(locale_directory() / "ja" / "LC_MESSAGES" / "twiddle.mo")) return;  // no msgfmt here
  TestFolder folder;
  trace(folder, "8", "fft8.twd");
  for (const auto& [locale, word] : {std::pair("ja_JP.UTF-8", "ワークアイテム"), std::pair("zh_CN.UTF-8", "工作项"),
                                     std::pair("fr_FR.UTF-8", "Work-item")}) {
    const Environment spoken("LC_ALL", locale);
    REQUIRE(run_program(folder, {"view", "fft8.twd", "--at", "L3.I1", "--screenshot", "w.svg"}).code == 0);
    CHECK_MESSAGE(content_of(folder.file("w.svg")).find(word) != std::string::npos, locale);
  }
}

TEST_CASE("export speaks the language that is asked for, else the system's, in pictures and in pages") {
  if (!std::filesystem::exists(locale_directory() / "ja" / "LC_MESSAGES" / "twiddle.mo")) return;  // no msgfmt here
  TestFolder folder;
  trace(folder, "8", "fft8.twd");
  const auto exported = [&](const std::string& language, const std::string& file) {
    std::vector<std::string> arguments{"export", "fft8.twd", "--at", "L3.I1", "-o", file};
    if (!language.empty()) arguments.insert(arguments.end(), {"--lang", language});
    const Ran ran = run_program(folder, arguments);
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    CHECK(ran.out == "");
    return content_of(folder.file(file));
  };
  const std::string english = exported("", "plain.svg");
  CHECK(english == exported("en", "en.svg"));
  CHECK(english.find("stage 2") != std::string::npos);
  for (const auto& [language, html, word] : {std::tuple("ja", "ja", "ステージ"), std::tuple("zh", "zh-Hans", "级")}) {
    const std::string picture = exported(language, "out.svg"), page = exported(language, "out.html");
    CHECK(picture.find(word) != std::string::npos);
    CHECK(picture.find("stage 2") == std::string::npos);
    CHECK(page.find(std::string("<html lang=\"") + html + "\"") != std::string::npos);
    CHECK(page.find(word) != std::string::npos);
    CHECK(page.find("previous step") == std::string::npos);
  }
  const Environment spoken("LC_ALL", "ja_JP.UTF-8");
  CHECK(exported("", "system.svg") == exported("ja", "ja.svg"));
  CHECK(exported("en", "en.svg") == english);
  check_failure(run_program(folder, {"export", "fft8.twd", "--lang", "fr", "-o", "fr.svg"}), 2, "en or ja or zh");
}

TEST_CASE("a sound file can be looked at") {
  TestFolder folder;
  std::string bytes("RIFF\x34\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x10\0\0\0",
                    44);
  for (int i = 0; i < 8; ++i) bytes += std::string("\0\x20", 2);
  std::ofstream(folder.file("sound.wav"), std::ios::binary) << bytes;
  const Ran ran =
      run_program(folder, {"view", "fft-radix2", "--n", "8", "--signal", "sound.wav", "--screenshot", "sound.svg"});
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  CHECK(content_of(folder.file("sound.svg")).find("sound.wav") != std::string::npos);
}

TEST_CASE("without a display and without --screenshot, view says what to do instead") {
  TestFolder folder;
  trace(folder, "8", "fft8.twd");
  const Ran ran = run_program(folder, {"view", "fft8.twd"});
  check_failure(ran, 4, "--screenshot");
  CHECK(ran.err.find("export") != std::string::npos);
}

TEST_CASE("wrong positions, sizes, themes and endings: one sentence, nothing written") {
  TestFolder folder;
  trace(folder, "8", "fft8.twd");
  const auto refused = [&](std::vector<std::string> arguments, int code, const std::string& words) {
    std::string line;
    for (const std::string& argument : arguments) line += " " + argument;
    CAPTURE(line);
    check_failure(run_program(folder, arguments), code, words);
    CHECK(folder.names() == std::vector<std::string>{"fft8.twd"});
  };
  refused({"view", "fft8.twd", "--at", "L9", "--screenshot", "w.png"}, 2, "1 … 4");
  refused({"view", "fft8.twd", "--at", "nowhere", "--screenshot", "w.png"}, 2, "nowhere");
  refused({"view", "fft8.twd", "--theme", "lite", "--screenshot", "w.png"}, 2, "light or dark or projector");
  refused({"view", "fft8.twd", "--size", "big", "--screenshot", "w.png"}, 2, "WIDTHxHEIGHT");
  refused({"view", "fft8.twd", "--size", "10x10", "--screenshot", "w.png"}, 2, "320");
  refused({"view", "fft8.twd", "--scale", "0", "--screenshot", "w.png"}, 2, "0.5");
  refused({"view", "fft8.twd", "--screenshot", "nowhere/w.png"}, 2, "nowhere/w.png");
  refused({"view", "missing.twd", "--screenshot", "w.png"}, 3, "missing.twd");
  refused({"view", "fft-radix", "--screenshot", "w.png"}, 2, "fft-radix");
  refused({"export", "fft8.twd"}, 2, "--output");
  refused({"export", "fft8.twd", "-o", "out.gifs"}, 2, ".svg");
  refused({"export", "fft8.twd", "-o", "out"}, 2, ".svg");
  refused({"export", "fft8.twd", "--at", "L1", "--all", "-o", "out.svg"}, 2, "one of them");
  refused({"export", "fft8.twd", "-o", "nowhere/out.svg"}, 2, "nowhere/out.svg");
  refused({"export", "fft8.twd", "-o", "/dev/full.svg/x.svg"}, 2, "/dev/full.svg/x.svg");
}

TEST_CASE("export writes every kind of file that its help names") {
  TestFolder folder;
  trace(folder, "8", "fft8.twd");
  const auto write = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"export", "fft8.twd"});
    const Ran ran = run_program(folder, more);
    CHECK_MESSAGE(ran.code == 0, ran.err);
    CHECK(ran.out == "");
    return content_of(folder.file(more.back()));
  };
  CHECK(write({"--at", "L3.I1", "-o", "d.svg"}).compare(0, 4, "<svg") == 0);
  CHECK(write({"--at", "L3.I1", "--window", "-o", "w.svg"}).find("fft_radix2.cl") != std::string::npos);
  CHECK(write({"--at", "L3.I1", "-o", "d.pdf"}).compare(0, 5, "%PDF-") == 0);
  CHECK(write({"-o", "d.html"}).find("<!DOCTYPE html>") == 0);
  CHECK(content_of(folder.file("d.html")).find("Sectors per access") == std::string::npos);
  CHECK(write({"--costs", "both", "-o", "c.html"}).find("Sectors per access") != std::string::npos);
  const Ran numbers = run_program(folder, {"export", "fft8.twd", "--costs", "both", "-o", "numbers.csv"});
  CHECK(numbers.code == 2);
  CHECK(numbers.err.find("--costs is drawn: write a .svg") != std::string::npos);
  write({"--width", "700", "-o", "d.png"});
  CHECK(big_endian(content_of(folder.file("d.png")), 16) == 700);

  // The buffers at a position: F at the end is the transform of 0 … 7.
  const json state = json::parse(write({"--at", "end", "-o", "state.json"}));
  CHECK(state["step"] == 14);
  CHECK(state["buffers"]["F"][0] == json::array({28, 0}));
  CHECK(state["buffers"]["F"].size() == 8);
  const json before = json::parse(write({"--at", "L3", "-o", "before.json"}));
  CHECK(before["buffers"]["F"][0] != state["buffers"]["F"][0]);
  CHECK(write({"--at", "end", "-o", "state.csv"}).find("\nF,0,28,0\n") != std::string::npos);

  // Everything: every operation, a page or a picture a step.
  CHECK(json::parse(write({"--all", "-o", "all.json"})).size() == 14);
  const std::string csv = write({"--all", "-o", "all.csv"});
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 15);
  const std::string pdf = write({"--all", "-o", "all.pdf"});
  CHECK(pdf.find("/Count 15") != std::string::npos);
  REQUIRE(run_program(folder, {"export", "fft8.twd", "--all", "-o", "step.svg"}).code == 0);
  for (const char* name : {"step-00.svg", "step-07.svg", "step-14.svg"})
    CHECK(content_of(folder.file(name)).size() > 1000);
  CHECK(!std::filesystem::exists(folder.file("step-15.svg")));
  CHECK(content_of(folder.file("step-00.svg")) != content_of(folder.file("step-14.svg")));
}

TEST_CASE("export to standard output") {
  TestFolder folder;
  trace(folder, "8", "fft8.twd");
  const Ran ran = run_program(folder, {"export", "fft8.twd", "-o", "/dev/stdout"});
  check_failure(ran, 2, "/dev/stdout");  // the ending says what to write, and there is none
}

TEST_CASE("the demo prints its log and, without a display, writes pictures and says where") {
  TestFolder folder;
  const Ran ran = run_program(folder, {"demo"});
  CHECK_MESSAGE(ran.code == 0, ran.err);
  CHECK(ran.err == "");
  CHECK(ran.out.find("launch=3 kernel=fft_stage stage=2 gid=1 pair=1-3 N=4 s=2") != std::string::npos);
  for (const char* name : {"twiddle-demo.png", "twiddle-demo.svg", "twiddle-demo.html"}) {
    const std::string file = folder.file(std::string("twiddle-demo/") + name);
    CHECK(ran.out.find(file) != std::string::npos);
    CHECK(content_of(file).size() > 10000);
  }
  CHECK(folder.names().size() == 1);  // nothing loose
  const Ran refused = run_program(folder, {"demo", "-o", "nowhere"});
  CHECK(refused.code == 2);
  CHECK(refused.err.find("nowhere/twiddle-demo") != std::string::npos);
}

TEST_CASE("a lesson opens at the step and in the view that were asked for, or says why not") {
  const TestFolder folder;
  const auto text_of = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--lang", "en", "--screenshot", "out.svg"});
    const Ran ran = run_program(folder, arguments);
    return ran.code == 0 ? content_of(folder.file("out.svg")) : ran.err;
  };
  CHECK(text_of({"lesson", "butterfly", "--step", "6"}).find("has 5 steps; --step 6 is beyond") != std::string::npos);
  CHECK(text_of({"lesson", "butterfly", "--view", "bins"}).find("no bins view") != std::string::npos);
  CHECK(text_of({"view", "butterfly", "--at", "L2"}).find("--step N opens it") != std::string::npos);
  const std::string butterfly = text_of({"lesson", "butterfly"}),
                    spectrum = text_of({"lesson", "butterfly", "--view", "spectrum"});
  CHECK(butterfly.find("cycles in the signal") == std::string::npos);
  CHECK(spectrum.find("cycles in the signal") != std::string::npos);
}

#if TWIDDLE_HAVE_FONTCONFIG
TEST_CASE("a machine without a Japanese font says which to install, and the picture is made all the same") {
  const TestFolder folder;
  std::ofstream(folder.file("fonts.conf")) << "<?xml version=\"1.0\"?><fontconfig></fontconfig>";
  setenv("FONTCONFIG_FILE", folder.file("fonts.conf").c_str(), 1);
  const Ran ran = run_program(folder, {"lesson", "butterfly", "--lang", "ja", "--step", "1", "--screenshot", "ja.svg"});
  const Ran latin = run_program(folder, {"lesson", "butterfly", "--lang", "en", "--screenshot", "en.svg"});
  unsetenv("FONTCONFIG_FILE");
  CHECK(ran.code == 0);
  CHECK(ran.err.find("No font for Japanese was found") != std::string::npos);
  CHECK(latin.err.find("No font was found") != std::string::npos);
  CHECK(content_of(folder.file("ja.svg")).find("F[1]") != std::string::npos);
}
#endif
