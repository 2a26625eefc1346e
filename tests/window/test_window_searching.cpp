// The search for a repair from the window: its progress and its end, what it finds among the findings, tried and copied.
#ifdef TWIDDLE_HAVE_WINDOW

#include "synthetic_trace.h"
#include "traced.h"
#include "tracer/checks/check.h"
#include "viewer/facts/findings.h"
#include "viewer/session/window_content.h"

#include <doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

constexpr const char* right_part = "(u - v) *";
constexpr const char* wrong_part = "(v - u) *";

/// A wrong kernel for the processor, with its plan.
fs::path wrong_plan_in(const fs::path& folder) {
  const fs::path from = fs::path(TWIDDLE_TEST_DATA) / "../foreign/cuda";
  fs::copy_file(from / "fft_dif_inplace.toml", folder / "fft_dif_inplace.toml");
  std::ostringstream all;
  all << std::ifstream(from / "fft_dif_inplace.cu", std::ios::binary).rdbuf();
  std::string text = all.str();
  text.replace(text.find(right_part), std::string(right_part).size(), wrong_part);
  std::ofstream(folder / "fft_dif_inplace.cu", std::ios::binary) << text;
  return folder / "fft_dif_inplace.toml";
}

/// What a search finds in it.
Repaired repair_of(const TraceInfo& info) {
  const SourceText& source = info.sources.at(0);
  Repair repair;
  repair.file = source.name;
  std::istringstream lines(source.text);
  for (std::string line; std::getline(lines, line);) {
    ++repair.line;
    if (line.find(wrong_part) == std::string::npos) continue;
    line.erase(line.find_last_not_of(" \t\r") + 1);
    repair.is = line.substr(line.find_first_not_of(" \t"));
    break;
  }
  repair.should = repair.is;
  repair.should.replace(repair.should.find(wrong_part), std::string(wrong_part).size(), right_part);
  repair.was = wrong_part;
  repair.text = right_part;
  repair.launch = 1;
  repair.items = {1};
  repair.all_items = 1;
  Repaired repaired;
  repaired.repairs.push_back(repair);
  return repaired;
}

struct SearchedWindow {
  synthetic::Folder folder;
  fs::path plan = wrong_plan_in(folder.path());
  int runs = 0;
  std::atomic<bool> ends{false};  // the search finds it
  std::string copied;
  std::unique_ptr<Document> document;
  WindowOptions options;
  Remembered remembered;
  std::optional<WindowControl> control;
  std::optional<WindowContent> content;

  std::shared_ptr<const TraceSource> trace(const Request& request) {
    const fs::path file = folder / ("run-" + std::to_string(++runs) + ".twd");
    const std::unique_ptr<Runtime> runtime = open_runtime("host", 0);
    TraceWriter writer(file);
    trace_plan(make_plan(request), *runtime, TraceOptions(), writer);
    writer.finish();
    return TraceReader::open(file);
  }

  SearchedWindow() {
    setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);  // not the settings of who runs the tests
    options.request.algorithm = plan.string();
    options.runtime = "host";
    document = std::make_unique<Document>(trace(options.request));
    options.run = [this](const Request& request, const std::string&, int, const Progress&) {
      return WindowOptions::Made{trace(request), {}};
    };
    options.repair = [this, info = document->info()](const Request&, const std::string&, int,
                                                     const std::function<bool(std::uint64_t)>& go_on) {
      std::uint64_t tried = 0;
      while (!ends && go_on(++tried)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      return repair_of(info);
    };
    control.emplace(*document, WindowActions{});
    content.emplace(
        options, *control, remembered, [] {}, [](const std::string&) {});
    WindowActions actions;
    content->add_actions(actions);
    actions.copy = [this](const std::string& text) { copied = text; };
    control->set_actions(actions);
    content->begin(*document);
  }
  ~SearchedWindow() {
    ends = true;
    content.reset();
    unsetenv("XDG_CONFIG_HOME");
  }
  SearchedWindow(const SearchedWindow&) = delete;
  SearchedWindow& operator=(const SearchedWindow&) = delete;

  template <typename Condition>
  bool comes(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition() && std::chrono::steady_clock::now() < end) {
      content->poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return condition();
  }
  bool offers(Command command) {
    const Mark wanted{.kind = MarkKind::Command, .command = std::string(name_of(command))};
    const Scene scene = window_scene(*document, control->state());
    return std::any_of(scene.marks.begin(), scene.marks.end(), [&](const MarkText& one) { return one.mark == wanted; });
  }
};

}  // namespace

TEST_CASE("where no plan of the user's is shown no repair is searched, and the window says so") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  control.command(Command::SearchRepair);
  CHECK_FALSE(control.state().message.empty());
  control.state().message.clear();
  control.command(Command::TryRepair);
  CHECK(control.state().message.find("Shift R") != std::string::npos);
}

TEST_CASE("a search begun in the window says how far it is, and ends when it is asked to") {
  SearchedWindow window;
  WindowControl& control = *window.control;
  control.command(Command::NextFinding);
  CHECK(window.offers(Command::SearchRepair));
  CHECK_FALSE(window.offers(Command::TryRepair));
  control.command(Command::SearchRepair);
  CHECK(control.state().repair.running);
  CHECK(window.comes([&] { return control.state().repair.tried > 1; }));
  control.command(Command::SearchRepair);  // the same again stops it
  CHECK(window.comes([&] { return !control.state().repair.running; }));
  CHECK(control.state().repair.outcome.find("was ended after") != std::string::npos);
  CHECK_FALSE(window.offers(Command::TryRepair));
  control.command(Command::SearchRepair);
  window.content->cancel_run();  // as Esc does
  CHECK(window.comes([&] { return !control.state().repair.running; }));
}

TEST_CASE("a repair that was found comes first, is tried beside the run, and copied as a diff") {
  SearchedWindow window;
  WindowControl& control = *window.control;
  window.ends = true;
  control.command(Command::SearchRepair);
  REQUIRE(window.comes([&] { return !control.state().repair.running; }));
  const TraceNote& first = facts_of(*window.document).notes.at(0);
  REQUIRE(first.finding);
  REQUIRE(first.finding->fix);
  CHECK(first.finding->fix->line == 24);
  CHECK(first.step > 0);
  REQUIRE(control.state().cursor.pinned);
  CHECK(control.state().cursor.pinned->index == 0);
  CHECK(window.offers(Command::TryRepair));
  CHECK(window.offers(Command::CopyRepair));
  CHECK_FALSE(window.offers(Command::SearchRepair));

  control.command(Command::CopyRepair);
  CHECK(window.copied.starts_with("--- a/fft_dif_inplace.cu\n+++ b/fft_dif_inplace.cu\n@@ -21,7 +21,7 @@\n"));
  CHECK(window.copied.find(std::string("\n-")) != std::string::npos);
  CHECK(window.copied.find(right_part) != std::string::npos);

  control.command(Command::TryRepair);
  REQUIRE(window.comes([&] { return control.state().beside != nullptr; }));
  Replay replay(control.state().beside->second().trace);
  const std::vector<Finding> left = check_trace(replay);
  CHECK(std::none_of(left.begin(), left.end(), [](const Finding& one) { return one.severity == Severity::Error; }));
  // The file itself is as it was.
  std::ostringstream text;
  text << std::ifstream(window.folder / "fft_dif_inplace.cu").rdbuf();
  CHECK(text.str().find(wrong_part) != std::string::npos);
}

#endif
