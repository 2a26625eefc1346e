// The list of findings: by class, the one that is looked at as a card with its two parties, its source and what is right.
#include "scene_texts.h"
#include "traced.h"
#include "viewer/control/window_control.h"
#include "viewer/facts/findings.h"
#include "viewer/facts/twin_lines.h"
#include "viewer/panels/panels.h"

#include <doctest.h>

using namespace twiddle;

namespace {

std::string texts_of(const Scene& scene) {
  std::string words;
  for (const Shape2D& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry)) words += text->text + "\n";
  return words;
}

bool holds(const std::string& words, const std::string& part) { return words.find(part) != std::string::npos; }

Mark findings_mark(Command command, std::uint64_t index = 0) {
  return {.kind = MarkKind::Command, .index = index, .command = std::string(name_of(command))};
}

bool has_mark(const Scene& scene, const Mark& wanted) {
  return std::any_of(scene.marks.begin(), scene.marks.end(), [&](const MarkText& one) { return one.mark == wanted; });
}

const Finding& first_of(Document& document, FindingClass kind) {
  for (const TraceNote& note : facts_of(document).notes)
    if (note.finding && note.finding->kind == kind) return *note.finding;
  FAIL("not found");
  throw 0;
}

}  // namespace

TEST_CASE("a race is a card with its two items in two lanes, the source, and the missing line of the right twin") {
  Document document(traced("gallery/missing-local-barrier", 16));
  const Finding& race = first_of(document, FindingClass::Race);
  const std::vector<FindingLine> lines = finding_lines(document.info(), race);
  const auto is = [&](auto wanted) { return std::count_if(lines.begin(), lines.end(), wanted); };
  CHECK(is([](const FindingLine& l) {
          return l.kind == FindingLine::Kind::Missing && holds(l.text, "barrier(CLK_LOCAL_MEM_FENCE)");
        }) == 1);
  CHECK(is([](const FindingLine& l) { return l.role == FindingLine::Part::Here; }) == 1);
  CHECK(is([](const FindingLine& l) { return holds(l.text, "#"); }) == 0);

  WindowControl control(document, {});
  control.command(Command::NextFinding);
  for (const ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Projector}) {
    control.state().theme = name;
    control.resize(1440, 900);
    const Scene scene = window_scene(document, control.state());
    CHECK(text_faults(scene) == std::vector<std::string>{});
  }
  control.state().theme = ThemeName::Dark;
  const Scene scene = window_scene(document, control.state());
  const std::string words = texts_of(scene);
  for (const char* shown : {"race", "not ordered", "+ line of the right twin", "barrier(CLK_LOCAL_MEM_FENCE);",
                            "Go to it", "I1", "I4", "So it is 32 times."}) {
    CAPTURE(shown);
    CHECK(holds(words, shown));
  }
  // Where the barrier is missing the diagram has a line of its own.
  bool line = false;
  for (const Shape2D& shape : scene.shapes)
    line |= std::holds_alternative<LineShape>(shape.geometry) && shape.stroke.role == Role::Error &&
            shape.stroke.dash_on > 0;
  CHECK(line);
}

TEST_CASE("of a wrong factor the card has both lines, the chip its mark, and the circle the ghost of the right one") {
  Document document(traced("gallery/stale-twiddle", 8));
  const std::vector<FindingLine> lines = finding_lines(document.info(), first_of(document, FindingClass::WrongTwiddle));
  const auto kinds = [&](FindingLine::Kind kind) {
    return std::count_if(lines.begin(), lines.end(), [&](const FindingLine& l) { return l.kind == kind; });
  };
  CHECK(kinds(FindingLine::Kind::Missing) == 1);
  CHECK(kinds(FindingLine::Kind::Wrong) == 1);
  WindowState state;
  state.cursor.step = 8;
  const Scene scene = window_scene(document, state);
  std::size_t ghosts = 0, signs = 0;
  for (const Shape2D& shape : scene.shapes) {
    const auto* line = std::get_if<LineShape>(&shape.geometry);
    ghosts += line && line->closed && shape.fill == Role::Raised && shape.stroke.role == Role::Error;
    signs += line && line->closed && shape.fill == Role::Error && line->points.size() == 8;
  }
  CHECK(ghosts == 1);
  CHECK(signs >= 4);  // the two chips, later than the cursor too, and the two on the scrub bar
  // Until the reader has said what is wrong, none of it.
  keep_findings_back(document, true);
  std::string words = texts_of(window_scene(document, state));
  CHECK_FALSE(holds(words, "wrong-twiddle"));
  CHECK_FALSE(holds(words, "≠"));
}

TEST_CASE("the ≠ of a formula that the log disagrees with waits for the reader's answer") {
  Document document(traced("gallery/half-butterfly", 8));
  WindowState state;
  const auto unequal = [&] {
    for (std::uint64_t step = 0; step <= document.info().steps; ++step) {
      state.cursor.step = step;
      if (holds(texts_of(window_scene(document, state)), "≠")) return true;
    }
    return false;
  };
  REQUIRE(unequal());
  keep_findings_back(document, true);
  CHECK_FALSE(unequal());
}

TEST_CASE("findings are grouped by class, folded and filtered, and a gallery's kernel leads to its right twin") {
  Document document(traced("gallery/stale-twiddle", 8));
  std::string twin;
  WindowActions actions;
  actions.twin = [&](const std::string& id) { twin = id; };
  WindowControl control(document, actions);
  control.command(Command::NextFinding);
  const auto words = [&] { return texts_of(window_scene(document, control.state())); };
  CHECK(holds(words(), "stages 2–3"));
  const Scene scene = window_scene(document, control.state());
  CHECK(has_mark(scene, findings_mark(Command::FilterFindings, static_cast<std::uint64_t>(Severity::Error))));
  CHECK(has_mark(scene, findings_mark(Command::ShowTwin)));
  control.command(Command::ShowTwin);
  CHECK(twin == "gallery/stale-twiddle-right");
  control.command(Command::FoldFindings, 0);
  CHECK(control.state().findings.toggled.contains("wrong-twiddle"));
  CHECK_FALSE(has_mark(window_scene(document, control.state()), findings_mark(Command::ShowTwin)));
  control.command(Command::FoldFindings, 0);
  CHECK(control.state().findings.toggled.empty());
  control.command(Command::FilterFindings, static_cast<std::uint64_t>(Severity::Error));
  CHECK_FALSE(holds(words(), "stages 2–3"));
  control.command(Command::CloseFindings);
  CHECK(control.state().side_tab == SideTab::Operation);
  CHECK(twin_of("fft-radix2").empty());
}
