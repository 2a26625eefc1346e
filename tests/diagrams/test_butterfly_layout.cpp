// What the butterfly diagram gives up where there is little room: labels, digits and type, never chips or values, and never by
// what the values happen to be.
#include "sample.h"
#include "scene_texts.h"
#include "traced.h"
#include "tracer/cost/sub_group.h"
#include "viewer/butterfly/butterfly_layout.h"
#include "viewer/compare/comparison.h"
#include "viewer/frame/window_scene.h"
#include "viewer/scene/languages.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/view.h"

#include <doctest.h>

#include <array>
#include <map>
#include <set>
#include <string>

using namespace twiddle;

namespace {

struct Screen {
  float width, height;
};
constexpr std::array screens = {Screen{1024, 640},  Screen{1280, 720},  Screen{1440, 900},
                                Screen{1920, 1080}, Screen{2560, 1440}, Screen{3840, 2160}};
constexpr std::array themes_of_layouts = {ThemeName::Light, ThemeName::Dark, ThemeName::Projector};

/// Every algorithm that has butterflies, with as few points as make stages; on a push one in three.
std::vector<Request> butterfly_runs(const std::string& signal) {
  std::vector<Request> runs;
  Sample sample(3);  // Stockham's of radix 4 and registers are among them
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.dimensions == 2 || sample.skips()) continue;
    Request request;
    request.algorithm = algorithm.id, request.signal = signal;
    request.n = algorithm.id.find('4') != std::string::npos || algorithm.id == "fft-real" ? 16 : 8;
    try {
      Document document(TraceReader::open(traced_file(request)));
      const auto& segments = document.info().segments;
      if (std::any_of(segments.begin(), segments.end(),
                      [](const Segment& s) { return s.kind == OperationKind::Butterfly; }))
        runs.push_back(request);
    } catch (const Error&) {  // takes no such signal or size
    }
  }
  return runs;
}

std::size_t count_chips(const Scene& scene) {
  std::size_t chips = 0;
  for (const Shape2D& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry)) chips += text->text == "w";
  return chips;
}

/// Everything that the two halves of a comparison, or two runs on other data, must have in common.
struct Form {
  RowDetail detail;
  bool chips;
  bool operator==(const Form&) const = default;
};

}  // namespace

TEST_CASE("chips and values are there at every size, in every theme and language, alone and compared") {
  Sample sample(14);
  for (const Request& request : butterfly_runs("ramp")) {
    CAPTURE(request.algorithm);
    Request random = request;
    random.signal = "random:1";
    Document document(TraceReader::open(traced_file(request))), other(TraceReader::open(traced_file(random)));
    const Comparison comparison(document, other);
    std::uint64_t factors = 0;
    for (const Segment& segment : document.info().segments)
      if (segment.kind == OperationKind::Butterfly) factors += segment.count;
    for (const Language language : {Language::English, Language::Japanese, Language::Chinese}) {
      use_language(language);
      for (const ThemeName name : themes_of_layouts)
        for (const Screen& screen : screens)
          for (const bool compared : {false, true}) {
            if (sample.skips()) continue;
            WindowState state;
            state.language = language, state.theme = name, state.tab = "butterfly";
            state.width = screen.width, state.height = screen.height;
            state.cursor.step = document.info().steps / 2 + 1;
            if (compared) state.beside = &comparison;
            CAPTURE(std::string(name_of(name)));
            CAPTURE(screen.width);
            CAPTURE(compared);
            const DiagramInput input = diagram_input(document, state), same = diagram_input(other, state);
            const ButterflyLayout layout = butterfly_layout(input), on_other = butterfly_layout(same);
            // Whether there are any does not depend on the data, and the halves of a comparison have one form.
            const Form form{layout.detail, layout.chips}, other_form{on_other.detail, on_other.chips};
            CHECK(form == other_form);
            if (compared) {
              CHECK(layout.choice == on_other.choice);
              CHECK(layout.node_width == on_other.node_width);
              CHECK(layout.column_pitch == on_other.column_pitch);
              CHECK(layout.row_label == on_other.row_label);
              CHECK(layout.two_lines == on_other.two_lines);
            }
            // The look's level of detail: from 26 px of the usual themes' type on, all.
            const double promised = 26 * double(input.scale * input.theme.floor / theme(ThemeName::Light).floor);
            const bool wide = screen.width >= 1280 || (!compared && name != ThemeName::Projector);
            // In the projector's type, and in half of a small window, five columns need more room than four.
            const std::size_t columns =
                document.flow().columns().size() - (document.flow().starts_with_swaps() ? 1 : 0);
            const bool narrow =
                (name == ThemeName::Projector && screen.width < 1920) || (compared && screen.width < 1440);
            const std::size_t most = narrow ? 4 : 5;
            // Rows of items' registers have long names, for which two halves have no room.
            const std::vector<BufferInfo>& buffers = document.info().buffers;
            const bool registers = std::any_of(buffers.begin(), buffers.end(),
                                               [](const BufferInfo& buffer) { return is_registers(buffer); });
            if (layout.row_pitch >= promised && wide && columns <= most && !(compared && registers)) {
              CHECK(layout.detail == RowDetail::Values);
              CHECK(layout.chips);
              const Scene scene = view_of(document, "butterfly").draw(input);
              CHECK(count_chips(scene) >= factors);
            }
            for (const std::string& fault : text_faults(window_scene(document, state))) {
              CAPTURE(fault);
              CHECK(fault.empty());
            }
          }
    }
    use_language(Language::English);
  }
}

TEST_CASE("bit patterns go before chips, digits before lines, and one form is taken by both halves") {
  Document right(traced("fft-radix2", 8)), wrong(traced("gallery/stale-twiddle", 8));
  const Comparison comparison(right, wrong);
  WindowState state;
  state.tab = "butterfly";
  state.cursor.step = 8;
  state.beside = &comparison;
  const ButterflyLayout left = butterfly_layout(diagram_input(right, state));
  const ButterflyLayout other = butterfly_layout(diagram_input(wrong, state));
  CHECK(left.detail == RowDetail::Values);
  CHECK(left.chips);
  CHECK(left.row_label != RowLabel::Full);
  CHECK(left.row_label == other.row_label);
  CHECK(left.first_column_x == other.first_column_x);
  // The right run shows the twiddle that the wrong one has wrong.
  CHECK(count_chips(view_of(right, "butterfly").draw(diagram_input(right, state))) ==
        count_chips(view_of(wrong, "butterfly").draw(diagram_input(wrong, state))));
}

TEST_CASE("sixteen points have chips and values in a usual window, whatever the signal") {
  for (const char* signal : {"ramp", "random:1", "cosine:3", "impulse:1"}) {
    CAPTURE(signal);
    Document document(traced("fft-radix2", 16, signal));
    for (const ThemeName name : {ThemeName::Light, ThemeName::Dark}) {
      WindowState state;
      state.theme = name, state.tab = "butterfly";
      state.cursor.step = 16;
      const DiagramInput input = diagram_input(document, state);
      CHECK(butterfly_layout(input).detail == RowDetail::Values);
      CHECK(count_chips(view_of(document, "butterfly").draw(input)) == 32);
      CHECK(text_faults(window_scene(document, state)).empty());
    }
  }
}

TEST_CASE("while presenting, the values of eight points are large on every screen") {
  Document document(traced("fft-radix2", 8));
  for (const Screen& screen : {Screen{1280, 720}, Screen{1920, 1080}, Screen{3840, 2160}}) {
    for (const ThemeName name : themes_of_layouts) {
      WindowState state;
      state.theme = name, state.tab = "butterfly";
      state.presenting = true;
      state.width = screen.width, state.height = screen.height;
      state.cursor.step = 8;
      CAPTURE(screen.width);
      const DiagramInput input = diagram_input(document, state);
      const ButterflyLayout layout = butterfly_layout(input);
      CHECK(layout.detail == RowDetail::Values);
      CHECK(layout.chips);
      const float least = name == ThemeName::Projector ? 27.5f : 22;  // what F5 takes, and the others with F
      CHECK(layout.value_font.size >= least * screen.height / 1080);
      // The rows fill the diagram, and the diagram the screen above the equations.
      CHECK(static_cast<float>(layout.row_pitch) * 8 > 0.8f * input.height);
      CHECK(input.width == screen.width);
      CHECK(input.height > 0.8f * screen.height);
      CHECK(text_faults(window_scene(document, state)).empty());
    }
  }
}

TEST_CASE("beside a lesson every element of sixteen points has its value, those at work as well") {
  Document document(traced("fft-radix2", 16, "random:1"));
  for (std::uint64_t step = 1; step <= document.info().steps; ++step) {
    WindowState state;
    state.tab = "butterfly";
    state.cursor.step = step;
    CAPTURE(step);
    DiagramInput input = diagram_input(document, state);
    input.width = 925, input.height = 520;
    const ButterflyLayout layout = butterfly_layout(input);
    REQUIRE(layout.detail == RowDetail::Values);
    // An element has its value, in one line or two, or a dot before it is there.
    std::set<std::pair<int, int>> places;
    const float half_pitch = static_cast<float>(layout.row_pitch) / 2;
    const Scene scene = view_of(document, "butterfly").draw(input);
    for (const Shape2D& shape : scene.shapes) {
      const auto* text = std::get_if<TextShape>(&shape.geometry);
      if (!text || (shape.layer != layer::nodes && shape.layer != layer::now_nodes)) continue;
      for (int column = layout.first_column; column < layout.first_column + 5; ++column)
        for (int row = 0; row < 16; ++row)
          if (std::abs(bounds(shape).centre().x - layout.column_x(column)) < layout.node_width / 2 &&
              std::abs(text->at.y - layout.row_y(row)) < half_pitch)
            places.insert({column, row});
    }
    CHECK(places.size() == 5 * 16);
  }
}
