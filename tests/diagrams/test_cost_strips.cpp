// Strips of sectors and bank passes below the columns: what they say, that nothing gives way to them, and what a click does.
#include "sample.h"
#include "viewer/views/cost_strips.h"

#include "scene_texts.h"
#include "traced.h"
#include "tracer/replay/turns.h"
#include "viewer/butterfly/butterfly_layout.h"
#include "viewer/compare/comparison.h"
#include "viewer/control/window_control.h"
#include "viewer/graphs/line_counters.h"
#include "viewer/handout/handout.h"
#include "viewer/scene/languages.h"
#include "viewer/state/remembered.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/view.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>

#if TWIDDLE_HAVE_WINDOW
#include "window/window_session.h"
#endif

using namespace twiddle;

namespace {

std::shared_ptr<const TraceReader> cost_trace(const std::string& algorithm) {
  Request request;
  request.algorithm = algorithm;
  return TraceReader::open(traced_file(request));
}

/// The marks of a scene's strips.
std::vector<MarkText> strips_of(const Scene& scene) {
  std::vector<MarkText> strips;
  for (const MarkText& one : scene.marks)
    if (one.mark.command == cost_mark) strips.push_back(one);
  return strips;
}

Scene picture_of(Document& document, const char* view, CostStrips costs, float width = 900, float height = 560) {
  DiagramInput input{document, {}, {}, theme(ThemeName::Light)};
  input.cursor.step = document.info().steps;
  input.width = width, input.height = height;
  input.costs = costs;
  return view_of(document, view).draw(input);
}

/// The middle of a shape of a mark that is hit there.
std::optional<std::pair<MarkText, Point>> place_of_strip(const Scene& scene, const Mark& wanted) {
  for (const Shape2D& shape : scene.shapes) {
    if (shape.mark < 0 || !(scene.marks[static_cast<std::size_t>(shape.mark)].mark == wanted)) continue;
    const Point at = bounds(shape).centre();
    if (const MarkText* hit = scene.hit(at); hit && hit->mark == wanted) return std::pair{*hit, at};
  }
  return {};
}

}  // namespace

TEST_CASE("a stage's strip is its worst access, by the cost of that turn") {
  for (const char* algorithm : {"fft-radix2", "fft-radix2-local", "reduce-interleaved", "histogram-local"}) {
    CAPTURE(algorithm);
    Document document(traced(algorithm, 128));
    const std::vector<SegmentCosts>* costs = segment_costs(document, 1e9);
    REQUIRE(costs);
    REQUIRE(costs->size() == document.info().segments.size());
    LineCount lines;
    for (const auto& [at, count] : *line_counters(document, 1e9))
      lines.sectors += count.sectors, lines.passes += count.passes;
    std::uint64_t sectors = 0, passes = 0;
    Replay& replay = *document.replay;
    for (std::size_t s = 0; s < costs->size(); ++s) {
      sectors += (*costs)[s].sectors.asked, passes += (*costs)[s].passes.asked;
      for (const bool banks : {false, true}) {
        const AccessCosts& of = banks ? (*costs)[s].passes : (*costs)[s].sectors;
        if (of.accesses == 0) continue;
        // The same turn, stepped to.
        const TurnPlace& place = of.worst.place;
        const SubGroupTurns turns = turns_at(replay, place.step);
        CHECK(turns.segment == s);
        const TurnRound& round = turns.rounds[turns.round_of(place.step)];
        std::vector<Operation> operations;
        for (const std::uint64_t step : round.step)
          if (step > 0) operations.push_back(replay.operation(step));
        const TurnAccess access = access_of(round, place.made);
        CHECK(access_in(operations.front(), access).buffer == of.worst.buffer);
        const RequestCost cost = cost_of(document.info(), operations, of.worst.buffer, access.which, access.write);
        CHECK(cost.lanes == of.worst.lanes);
        CHECK(of.worst.asked ==
              (banks ? static_cast<std::uint64_t>(cost.banks.passes()) : std::uint64_t(cost.sectors.size())));
        CHECK(of.worst.least <= of.worst.asked);
        CHECK(of.asked >= of.worst.asked);
        CHECK(of.asked - of.least <= of.accesses * of.worst.avoidable());
      }
    }
    // Nothing is counted twice, and nothing left out.
    CHECK(sectors == lines.sectors);
    CHECK(passes == lines.passes);
  }
}

TEST_CASE("conflicts are under the stage that has them, with words, and not in the right kernel") {
  Document wrong(cost_trace("gallery/bank-conflict")), right(cost_trace("gallery/bank-conflict-right"));
  const auto worst = [](Document& document) {
    std::uint64_t most = 0;
    for (const SegmentCosts& of : *segment_costs(document, 1e9)) most = std::max(most, of.passes.worst.avoidable());
    return most;
  };
  CHECK(worst(wrong) > 8);
  CHECK(worst(right) == 0);
  const Scene scene = picture_of(wrong, "items", CostStrips::Both, 1400, 800);
  const std::vector<MarkText> strips = strips_of(scene);
  REQUIRE_FALSE(strips.empty());
  CHECK(std::any_of(strips.begin(), strips.end(), [](const MarkText& one) {
    return one.label.find("passes through the banks") != std::string::npos &&
           one.label.find("would do") != std::string::npos;
  }));
  CHECK(shows(scene, "Bank passes per access"));
  CHECK(shows(scene, "Sectors per access"));
}

TEST_CASE("strips are those that were asked for, and none where an operation is hidden or the pane is low") {
  Document document(traced("fft-radix2-local", 64, "random:1"));
  for (const char* view : {"butterfly", "tree", "items"}) {
    CAPTURE(view);
    CHECK(strips_of(picture_of(document, view, CostStrips::None)).empty());
    const auto both = strips_of(picture_of(document, view, CostStrips::Both));
    const auto sectors = strips_of(picture_of(document, view, CostStrips::Sectors));
    const auto passes = strips_of(picture_of(document, view, CostStrips::Passes));
    CHECK_FALSE(sectors.empty());
    CHECK_FALSE(passes.empty());
    CHECK(both.size() == sectors.size() + passes.size());
  }
  DiagramInput input{document, {}, {}, theme(ThemeName::Light)};
  input.costs = CostStrips::Both;
  CHECK(strip_rows(input, false).count() == 2);
  input.hide_next = true;
  CHECK(strip_rows(input, false).count() == 0);
  input.hide_next = false, input.small = true;
  CHECK(strip_rows(input, false).count() == 0);
  // Not of the diagram alone, and with one kind of memory one strip.
  Document global(traced("fft-radix2", 8));
  DiagramInput plain{global, {}, {}, theme(ThemeName::Light)};
  CHECK(strip_rows(plain, false).count() == 0);
  plain.costs = CostStrips::Both;
  CHECK(strip_rows(plain, false) == StripRows{.sectors = true, .passes = false, .low = false});
}

TEST_CASE("the diagram gives up nothing for strips, alone and compared, and no text is cut or laid over another") {
  struct Size {
    float width, height;
  };
  Sample sample(10), documents(2);  // of each algorithm and size one
  for (const char* algorithm : {"fft-radix2", "fft-stockham4", "fft-radix2-local", "reduce-sequential", "fft-mixed"})
    for (const std::uint64_t n : {16, 64, 1024}) {
      if (documents.skips()) continue;
      Document document(traced(algorithm, n, "random:1")), other(traced(algorithm, n));
      const Comparison comparison(document, other);
      CAPTURE(algorithm);
      CAPTURE(n);
      for (const Language language : {Language::English, Language::Japanese, Language::Chinese}) {
        use_language(language);
        for (const ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Projector})
          for (const Size& size : {Size{640, 480}, Size{1024, 640}, Size{1440, 900}, Size{3840, 2160}})
            for (const bool compared : {false, true}) {
              if (sample.skips()) continue;
              WindowState state;
              state.language = language, state.theme = name;
              state.width = size.width, state.height = size.height;
              state.cursor.step = document.info().steps / 2;
              if (compared) state.beside = &comparison;
              CAPTURE(std::string(name_of(name)));
              CAPTURE(size.width);
              CAPTURE(compared);
              DiagramInput input = diagram_input(document, state);
              const ButterflyLayout with = butterfly_layout(input);
              if (compared) {
                const ButterflyLayout half = butterfly_layout(diagram_input(other, state));
                CHECK(half.cost_rows == with.cost_rows);
                CHECK(half.choice == with.choice);
              }
              input.costs = CostStrips::None;
              const ButterflyLayout without = butterfly_layout(input);
              CHECK(without.cost_rows.count() == 0);
              CHECK(with.detail == without.detail);
              CHECK(with.choice <= without.choice);
              CHECK(with.row_label == without.row_label);
              CHECK(with.outputs == without.outputs);
              // Numbers have their names.
              input.costs = CostStrips::Both;
              CHECK(names_fit(input, with.cost_rows, with.labels.right() - with.label_gap));
              for (const std::string& fault : text_faults(window_scene(document, state))) {
                CAPTURE(fault);
                CHECK(fault.empty());
              }
              for (const char* view : {"tree", "items"}) {
                state.tab = view;
                for (const std::string& fault : text_faults(window_scene(document, state))) {
                  CAPTURE(view);
                  CAPTURE(fault);
                  CHECK(fault.empty());
                }
              }
            }
      }
      use_language(Language::English);
    }
}

TEST_CASE("a scan has its strips beside its rows, a matrix those of its launches in the pictures' titles") {
  Document scan(traced("scan-blelloch", 64));
  const Scene sweeps = picture_of(scan, "sweep", CostStrips::Both);
  const std::vector<SegmentCosts>& costs = *segment_costs(scan, 1e9);
  std::set<std::pair<int, bool>> beside;
  for (const MarkText& one : strips_of(sweeps)) {
    const bool banks = one.label.find("through the banks") != std::string::npos;
    const SegmentCosts& both = costs[static_cast<std::size_t>(one.mark.segment)];
    CHECK((banks ? both.passes : both.sectors).worst.place.step == one.mark.step);
    CHECK(beside.emplace(one.mark.segment, banks).second);
  }
  CHECK(beside.size() > 12);  // 6 up, the root, 6 down, the loads: each asks the banks
  CHECK(shows(sweeps, "bank passes"));
  CHECK(shows(sweeps, "sectors"));
  CHECK(strips_of(picture_of(scan, "sweep", CostStrips::None)).empty());
  CHECK(strips_of(picture_of(scan, "sweep", CostStrips::Both, 320, 400)).empty());

  Request request;
  request.algorithm = "fft2d";
  request.more["method"] = "transpose";
  Document matrix(TraceReader::open(traced_file(request)));
  const std::vector<MarkText> titles = strips_of(picture_of(matrix, "matrix", CostStrips::Both, 1600, 900));
  REQUIRE_FALSE(titles.empty());
  const TraceInfo& info = matrix.info();
  const std::vector<SegmentCosts>& stages = *segment_costs(matrix, 1e9);
  for (const MarkText& one : titles) {
    const bool banks = one.label.find("through the banks") != std::string::npos;
    std::uint64_t most = 0;
    for (std::size_t s = 0; s < stages.size(); ++s)
      if (info.segments[s].launch == one.mark.launch)
        most = std::max(most, (banks ? stages[s].passes : stages[s].sectors).worst.avoidable());
    const SegmentCosts& worst = stages[static_cast<std::size_t>(one.mark.segment)];
    CHECK((banks ? worst.passes : worst.sectors).worst.avoidable() == most);
    const Segment& segment = info.segments[static_cast<std::size_t>(one.mark.segment)];
    CHECK(one.mark.step >= segment.first_step);
    CHECK(one.mark.step < segment.end_step());
  }
  for (Document* document : {&scan, &matrix})
    for (const Language language : {Language::English, Language::Japanese, Language::Chinese}) {
      use_language(language);
      for (const ThemeName name : {ThemeName::Light, ThemeName::Projector})
        for (const float width : {640.0f, 1024.0f, 1440.0f, 3840.0f}) {
          WindowState state;
          state.language = language, state.theme = name;
          state.width = width, state.height = width * 0.6f;
          state.cursor.step = document->info().steps;
          state.tab = document == &scan ? "sweep" : "matrix";
          CAPTURE(width);
          for (const std::string& fault : text_faults(window_scene(*document, state))) {
            CAPTURE(fault);
            CHECK(fault.empty());
          }
        }
      use_language(Language::English);
    }
}

TEST_CASE(
    "a page has the strips that were asked for, a click on which goes to the worst access; long traces say why not") {
  Document document(traced("fft-radix2-local", 16));
  HandoutOptions options;
  const std::string without = handout_parts(document, options).data;
  options.costs = CostStrips::Both;
  const nlohmann::json with = nlohmann::json::parse(handout_parts(document, options).data);
  CHECK(without.find("of 32 bytes") == std::string::npos);
  std::set<std::uint64_t> wanted, there;
  for (const SegmentCosts& of : *segment_costs(document, 1e9))
    for (const AccessCosts* one : {&of.sectors, &of.passes})
      if (one->accesses > 0) wanted.insert(one->worst.place.step);
  for (const nlohmann::json& mark : with["marks"])
    if (mark[0] == "o" && mark[2] == 1) there.insert(mark[1].get<std::uint64_t>());
  CHECK(there == wanted);

  TraceInfo long_one = document.info();
  CHECK(too_long_for_costs(long_one).empty());
  long_one.steps = max_cost_steps + 1;
  CHECK(too_long_for_costs(long_one).find("16\u2009777\u2009217") != std::string::npos);
}

TEST_CASE("where there is room every stage has its strip, under its column") {
  Document document(traced("fft-radix2", 8));
  const Scene scene = picture_of(document, "butterfly", CostStrips::Both);
  const std::vector<MarkText> strips = strips_of(scene);
  std::set<int> segments;
  for (const MarkText& one : strips) segments.insert(one.mark.segment);
  CHECK(segments.size() == document.info().segments.size());  // the swaps, too, though they are in the row labels
  // Nothing of it reaches into the rows.
  DiagramInput input{document, {}, {}, theme(ThemeName::Light)};
  input.cursor.step = document.info().steps;
  input.width = 900, input.height = 560, input.costs = CostStrips::Both;
  const ButterflyLayout layout = butterfly_layout(input);
  for (const Shape2D& shape : scene.shapes)
    if (shape.mark >= 0 && scene.marks[static_cast<std::size_t>(shape.mark)].mark.command == cost_mark) {
      CHECK(bounds(shape).y >= layout.body.bottom());
      CHECK(bounds(shape).bottom() <= 560);
    }
}

TEST_CASE("a click on a strip goes to the worst access, in lockstep to its turn; K goes from form to form") {
  Document document(traced("fft-radix2-local", 64, "random:1"));
  WindowControl control(document, {});
  control.resize(1440, 900);
  control.seek(document.info().steps);
  const auto strips = strips_of(window_scene(document, control.state()));
  REQUIRE_FALSE(strips.empty());
  for (const StepBy by : {StepBy::Item, StepBy::SubGroup}) {
    control.state().step_by = by;
    control.seek(1);
    const Scene scene = window_scene(document, control.state());
    const Mark mark = strips.back().mark;
    const auto found = place_of_strip(scene, mark);
    REQUIRE(found);
    control.press(&found->first, found->second);
    control.release(found->second);
    CHECK(control.state().cursor.step == mark.step);
    CHECK(control.state().lanes_tab == LanesTab::Memory);
    if (by == StepBy::SubGroup) CHECK(control.state().cursor.made == static_cast<int>(mark.index));
  }
  std::set<std::string> seen;
  for (int i = 0; i < cost_strips_count; ++i) {
    control.key(parse_chord("K").value());
    seen.insert(std::string(name_of(control.state().costs)));
    CHECK_FALSE(control.state().message.empty());
  }
  CHECK(seen.size() == cost_strips_count);
  CHECK(control.state().costs == CostStrips::Both);
  // Slides, lessons and questions have the room for themselves.
  control.command(Command::Present);
  CHECK(diagram_input(document, control.state()).costs == CostStrips::None);
  control.command(Command::Present);
  CHECK(diagram_input(document, control.state()).costs == CostStrips::Both);
  control.command(Command::Predict);
  CHECK(strips_of(window_scene(document, control.state())).empty());
}

TEST_CASE("what is below the stages is remembered") {
  const synthetic::Folder folder;
  Remembered kept;
  CHECK(kept.costs == CostStrips::Both);
  kept.costs = CostStrips::Passes;
  REQUIRE(write_remembered(folder.path(), kept));
  CHECK(read_remembered(folder.path()) == kept);
  for (int i = 0; i < cost_strips_count; ++i)
    CHECK(cost_strips_named(name_of(static_cast<CostStrips>(i))) == static_cast<CostStrips>(i));
  CHECK_FALSE(cost_strips_named("all"));
}

#if TWIDDLE_HAVE_WINDOW

TEST_CASE("in the real window K changes the strips, and a click on one goes to its worst access") {
  using namespace window_session;
  if (!can_drive_a_window()) return;
  Session window(small_trace(), 14);
  CHECK(window.reaches("costs", "both"));
  Document document(TraceReader::open(small_trace()));
  WindowState state;
  state.cursor.step = 14;
  const Scene scene = window_scene(document, state);
  const auto strips = strips_of(scene);
  REQUIRE_FALSE(strips.empty());
  const auto found = place_of_strip(scene, strips.front().mark);
  REQUIRE(found);
  window.point(found->second);
  CHECK(window.reaches("tooltip", true));
  window.does("click 1");
  CHECK(window.reaches("step", strips.front().mark.step));
  CHECK(window.reaches("lanes_tab", static_cast<int>(LanesTab::Memory)));
  window.does("key k");
  CHECK(window.reaches("costs", "passes"));
}

#endif
