// Presenting: large type on every screen, the pen and its strokes, the laser pointer, the spotlight, votes and answers.
#include "scene_texts.h"
#include "traced.h"
#include "viewer/control/window_control.h"
#include "viewer/document/strokes.h"
#include "viewer/frame/pen_scene.h"
#include "viewer/panels/panels.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/view.h"
#include "window/press_key.h"

#include <doctest.h>

#include <filesystem>
#include <fstream>

using namespace twiddle;

namespace {

/// A trace of its own file, which strokes can be kept beside.
struct OwnTrace {
  synthetic::Folder folder;
  std::filesystem::path file = folder / "lecture.twd";
  OwnTrace() { std::filesystem::copy_file(traced("fft-radix2", 8)->path(), file); }
};

void draw_with_pen(WindowControl& control, std::vector<Point> points) {
  control.press(nullptr, points.front());
  for (const Point& p : points) control.drag(p);
  control.release(points.back());
}

std::string words_of_scene(const Scene& scene) {
  std::string words;
  for (const Shape2D& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry)) words += text->text + "\n";
  return words;
}

std::size_t pen_lines(const Scene& scene) {
  std::size_t lines = 0;
  for (const Shape2D& shape : scene.shapes)
    if (const auto* line = std::get_if<LineShape>(&shape.geometry))
      lines += !line->closed && shape.stroke.role == Role::Hover && line->points.size() == 3;
  return lines;
}

}  // namespace

TEST_CASE("F5 takes the projector's colours until it ends, F the ones that there are") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  press_key(control, "F");
  CHECK(control.state().theme == ThemeName::Light);
  press_key(control, "F");
  press_key(control, "F5");
  CHECK(control.state().presenting);
  CHECK(control.state().theme == ThemeName::Projector);
  press_key(control, "Escape");
  CHECK_FALSE(control.state().presenting);
  CHECK(control.state().theme == ThemeName::Light);
}

TEST_CASE("a slide has the diagram, the equations, stage and step, and no buttons") {
  Document document(traced("fft-radix2", 8));
  WindowState state;
  state.presenting = true;
  state.theme = ThemeName::Projector;
  state.cursor.step = 8;
  for (const auto& [width, height] :
       {std::pair{1280.0f, 720.0f}, {1920.0f, 1080.0f}, {3840.0f, 2160.0f}, {1024.0f, 768.0f}}) {
    state.width = width, state.height = height;
    const Scene scene = window_scene(document, state);
    const std::string words = words_of_scene(scene);
    for (const char* shown : {"stage 2 of 3", "step 8 of 14", "(−4, 4)", "F[1]"}) {
      CAPTURE(shown);
      CHECK(words.find(shown) != std::string::npos);
    }
    for (const MarkText& mark : scene.marks) CHECK(mark.mark.kind != MarkKind::Command);
    CHECK(text_faults(scene) == std::vector<std::string>{});
  }
}

TEST_CASE("strokes of the pen belong to a step, are kept beside the trace, exported and taken back") {
  const OwnTrace own;
  {
    Document document(TraceReader::open(own.file));
    WindowControl control(document, {});
    control.resize(1920, 1080);
    control.seek(8);
    press_key(control, "P");
    CHECK(control.state().presentation.tool == Presentation::Tool::None);  // not while nothing is presented
    press_key(control, "F5");
    press_key(control, "P");
    CHECK(control.state().presentation.tool == Presentation::Tool::Pen);
    draw_with_pen(control, {{600, 300}, {640, 320}});
    draw_with_pen(control, {{700, 300}, {740, 320}});
    CHECK(strokes_of(document).at(8).size() == 2);
    press_key(control, "Ctrl+Z");
    CHECK(strokes_of(document).at(8).size() == 1);
    CHECK(pen_lines(window_scene(document, control.state())) == 1);
    press_key(control, "Right");
    CHECK(pen_lines(window_scene(document, control.state())) == 0);  // of another step
    press_key(control, "Escape");                                    // lays the pen down
    CHECK(control.state().presenting);
    CHECK(control.state().presentation.tool == Presentation::Tool::None);
  }
  // Opened again, and at another size: at its place between the same nodes.
  Document document(TraceReader::open(own.file));
  const View& butterfly = *view_named("butterfly");
  for (const float width : {900.0f, 1800.0f}) {
    DiagramInput input{document, {}, {}, theme(ThemeName::Light)};
    input.cursor.step = 8;
    input.width = width, input.height = 0.6f * width;
    Scene picture = butterfly.draw(input);
    draw_strokes(document, butterfly, input, picture);
    CHECK(pen_lines(picture) == 1);
    const Point at = strokes_of(document).at(8).front().points.front();
    const Point back = butterfly.anchor(input, butterfly.anchored(input, at));
    CHECK(back.x == doctest::Approx(at.x));
    CHECK(back.y == doctest::Approx(at.y));
  }
  // The last one gone, nothing is left beside the trace.
  strokes_of(document).clear();
  keep_strokes(document);
  CHECK_FALSE(std::filesystem::exists(strokes_file(own.file)));
}

TEST_CASE("strokes are kept whatever bytes a view's name has") {
  const OwnTrace own;
  Document document(TraceReader::open(own.file));
  strokes_of(document)[3].push_back({"view\xff", {{1, 2}, {3, 4}}});
  keep_strokes(document);
  Document again(TraceReader::open(own.file));
  CHECK(strokes_of(again).at(3).size() == 1);
}

TEST_CASE("a damaged file of strokes is as none") {
  const OwnTrace own;
  std::ofstream(strokes_file(own.file)) << "{\"strokes\": [{\"step\": 1, \"points\": 7}]}";
  Document document(TraceReader::open(own.file));
  CHECK(strokes_of(document).empty());
}

TEST_CASE("the laser pointer has a trail of five, and the spotlight leaves the cone alone bright") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  control.resize(1920, 1080);
  control.seek(8);
  press_key(control, "F5");
  press_key(control, "Shift+P");
  for (int i = 0; i < 9; ++i) control.hover(nullptr, {100.0f + static_cast<float>(i) * 20, 300});
  CHECK(control.state().presentation.trail.size() == 5);
  press_key(control, "Shift+P");
  press_key(control, "S");
  CHECK(control.state().presentation.spotlight);
  for (const MarkText& one : window_scene(document, control.state()).marks)
    if (one.mark.kind == MarkKind::Element && one.mark.segment == 1 && one.mark.index == 1)
      control.state().cursor.hover = one.mark;
  REQUIRE(control.state().cursor.hover);
  const Scene scene = window_scene(document, control.state());
  bool in_cone = false, outside = false;
  for (const Shape2D& shape : scene.shapes) {
    if (shape.mark < 0 || scene.marks[static_cast<std::size_t>(shape.mark)].mark.kind != MarkKind::Element) continue;
    const Mark& mark = scene.marks[static_cast<std::size_t>(shape.mark)].mark;
    if (mark.segment == 1 && mark.index == 1) in_cone |= shape.opacity == 1;
    if (mark.segment == 1 && mark.index == 6) outside |= shape.opacity == 1;
  }
  CHECK(in_cone);
  CHECK_FALSE(outside);
}

TEST_CASE("a question has cards A to D, 1 to 4 count votes, and Space shows the answer") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  control.resize(1920, 1080);
  control.seek(7);
  press_key(control, "F5");
  press_key(control, "Q");
  const std::string words = words_of_scene(window_scene(document, control.state()));
  for (const char* shown : {"A", "B", "C", "D", "F[3]", "Space: show it"}) {
    CAPTURE(shown);
    CHECK(words.find(shown) != std::string::npos);
  }
  for (const char* key : {"1", "2", "2", "4"}) press_key(control, key);
  CHECK(control.state().presentation.votes == std::array<unsigned, 4>{1, 2, 0, 1});
  CHECK(words_of_scene(window_scene(document, control.state())).find("4 answers") != std::string::npos);
  CHECK(text_faults(window_scene(document, control.state())) == std::vector<std::string>{});
  press_key(control, "Space");
  CHECK(control.state().predict == Predict::Answered);
  CHECK_FALSE(control.state().playback.playing);
  CHECK(control.state().cursor.step == 8);
}
