// In Japanese and Chinese nothing on the screen is left in English: no label, caption, tooltip or sentence of any view, pane
// or overlay has three English words in a row. Names from a trace, source lines and positions are no English.
#include "base/paths.h"
#include "traced.h"
#include "tracer/file/trace_file.h"
#include "viewer/compare/comparison.h"
#include "viewer/compare/differences.h"
#include "viewer/facts/trace_facts.h"
#include "viewer/frame/presenter_scene.h"
#include "viewer/frame/window_scene.h"
#include "viewer/scene/languages.h"
#include "viewer/views/view.h"

#include <doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string>

using namespace twiddle;

namespace {

/// The first three words of Latin letters with single spaces between them, of at least two letters each; empty: none.
std::string english_in(const std::string& text) {
  std::string run;
  int words = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end]))) ++end;
    if (end - at >= 2) {
      run += (run.empty() ? "" : " ") + text.substr(at, end - at);
      if (++words == 3) return run;
      at = end;
      if (at < text.size() && text[at] == ' ') {
        ++at;
        continue;
      }
    }
    run.clear(), words = 0;
    at = std::max(end, at) + (at < text.size() && end == at ? 1 : 0);
  }
  return {};
}

std::string without(std::string text, const std::string& name) {
  if (name.empty()) return text;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at))
    text.replace(at, name.size(), "#");
  return text;
}

/// What of a scene a reader of Japanese or Chinese cannot read.
std::set<std::string> left_in_english(const Scene& scene, const TraceInfo& info) {
  std::set<std::string> found;
  const auto look = [&](std::string text) {
    for (const std::string& name : {info.title.english(), info.device, info.program, info.algorithm, info.signal,
                                    std::string("Ctrl Shift")})  // keys are called so on every keyboard
      text = without(text, name);
    if (const std::string run = english_in(text); !run.empty()) found.insert(run + " … in: " + text);
  };
  const auto is_source = [&](int mark) { return mark >= 0 && scene.marks[mark].mark.kind == MarkKind::Line; };
  for (const Shape2D& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry); text && !is_source(shape.mark)) look(text->text);
  for (std::size_t m = 0; m < scene.marks.size(); ++m)
    if (!is_source(static_cast<int>(m))) look(scene.marks[m].label);
  look(scene.title);
  look(scene.description);
  return found;
}

struct SpokenRun {
  const char* algorithm;
  std::uint64_t n;
};
constexpr std::array spoken_runs = {SpokenRun{"fft-radix2", 8},
                                    SpokenRun{"fft-radix4", 64},
                                    SpokenRun{"fft-real", 16},
                                    SpokenRun{"dft", 8},
                                    SpokenRun{"reduce-interleaved", 64},
                                    SpokenRun{"histogram-local", 256},
                                    SpokenRun{"fft2d", 0},
                                    SpokenRun{"gallery/missing-local-barrier", 64},
                                    SpokenRun{"gallery/stale-twiddle", 8}};

std::shared_ptr<const TraceReader> spoken_trace(const SpokenRun& subject) {
  Request request;
  request.algorithm = subject.algorithm;
  if (subject.n > 0) request.n = subject.n;
  return TraceReader::open(traced_file(request));
}

struct Spoken {
  explicit Spoken(Language language) { use_language(language); }
  ~Spoken() { use_language(Language::English); }
};

bool has_catalogues() { return std::filesystem::exists(locale_directory() / "ja" / "LC_MESSAGES" / "twiddle.mo"); }

}  // namespace

TEST_CASE("three English words in a row are found, and names and positions are none") {
  CHECK(english_in("nobody wrote it yet") == "nobody wrote it");
  CHECK(english_in("F[3] = (1, 2), L2.S3.I5") == "");
  CHECK(english_in("起動3のアイテム2が書いた") == "");
  CHECK(english_in("Esc で閉じる") == "");
  CHECK(english_in("the sum") == "");
}

TEST_CASE("no view, pane or overlay leaves English in Japanese or Chinese") {
  if (!has_catalogues()) return;
  for (const Language language : {Language::Japanese, Language::Chinese}) {
    const Spoken spoken(language);
    std::map<std::string, std::string> found;  // and where first
    for (const SpokenRun& subject : spoken_runs) {
      Document document(spoken_trace(subject));
      const TraceInfo& info = document.info();
      for (const View* view : views_of(document))
        for (const std::uint64_t step : {std::uint64_t(0), info.steps / 2, info.steps}) {
          WindowState state;
          state.width = 1440, state.height = 900;
          state.language = language;
          state.tab = view->name();
          state.cursor.step = step;
          const auto look = [&](const std::string& what) {
            for (const std::string& text : left_in_english(window_scene(document, state), info))
              found.emplace(text, fmt::format("{}, {}, at {}, {}", subject.algorithm, view->name(), step, what));
          };
          look("as it is");
          state.predict = Predict::Asking;
          look("predicting");
          state.predict = Predict::Off;
          if (step > 0) continue;
          state.help = true;
          look("help");
          state.help = false, state.text_entry.kind = TextEntry::Kind::GoTo;
          look("going to");
          state.text_entry.kind = TextEntry::Kind::Open;
          look("opening");
          state.text_entry.kind = TextEntry::Kind::None, state.sketch.open = true, state.sketch.samples.resize(8);
          look("sketch");
          PresenterView presenter;
          presenter.width = 1280, presenter.height = 800;
          for (const std::string& text : left_in_english(presenter_scene(document, state, presenter), info))
            found.emplace(text, std::string(subject.algorithm) + ", presenter");
        }
    }
    for (const auto& [text, where] : found) FAIL_CHECK(text, " (", where, ")");
  }
}

TEST_CASE("notes are translated when the language changes") {
  if (!has_catalogues()) return;
  Document left(traced("fft-radix2", 8, "ramp")), right(traced("fft-radix2", 8, "cosine:1"));
  add_notes(left,
            differences_between(left.trace, right.trace, {.wording = Wording::LeftAndRight, .ulps = Comparison::ulps}));
  const auto english = facts_of(left).notes.size();
  REQUIRE(english > 1);
  CHECK(facts_of(left).notes.back().text.english().find("on the left") != std::string::npos);
  const Spoken spoken(Language::Japanese);
  CHECK(facts_of(left).notes.size() == english);
  for (const TraceNote& note : facts_of(left).notes) CHECK(english_in(titled_text_of(note)) == "");
  CHECK(facts_of(left).segment_names.back() == "ステージ3");
}
