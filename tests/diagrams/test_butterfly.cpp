#include "tracer/file/trace_file.h"
#include "viewer/views/view.h"

#include "choices.h"
#include "kernels/catalogue/catalogue.h"
#include "sample.h"
#include "synthetic_trace.h"
#include "tracer/run/tracer.h"
#include "tracer/runtimes/open_runtime.h"
#include "viewer/document/flow.h"
#include "viewer/render/render.h"
#include "viewer/scene/diagram_parts.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/value_text.h"

#include <doctest.h>

#include <cmath>
#include <map>
#include <set>

using namespace twiddle;

namespace {

const View& butterfly() { return *view_named("butterfly"); }

struct Traced {
  explicit Traced(synthetic::FftOptions options) : document(synthetic::Fft<float>(options).in_memory()) {}
  explicit Traced(std::uint32_t n) : Traced(synthetic::FftOptions{.n = n, .random = n > 8}) {}

  DiagramInput input(std::uint64_t step, ThemeName name = ThemeName::Light) {
    DiagramInput made{document, {}, {}, theme(name)};
    made.cursor.step = step;
    return made;
  }
  std::uint64_t steps() const { return document.info().steps; }

  Document document;
};

const TextShape* text_of(const Shape2D& shape) { return std::get_if<TextShape>(&shape.geometry); }

std::vector<std::string> texts(const Scene& scene) {
  std::vector<std::string> list;
  for (const Shape2D& shape : scene.shapes)
    if (const TextShape* text = text_of(shape)) list.push_back(text->text);
  return list;
}

bool has_text(const Scene& scene, const std::string& wanted) {
  const auto all = texts(scene);
  return std::find(all.begin(), all.end(), wanted) != all.end();
}

const MarkText* element(const Scene& scene, int segment, std::uint64_t index) {
  for (const MarkText& mark : scene.marks)
    if (mark.mark.kind == MarkKind::Element && mark.mark.segment == segment && mark.mark.index == index) return &mark;
  return nullptr;
}

/// The texts drawn in an element's node.
std::vector<std::string> node_texts(const Scene& scene, int segment, std::uint64_t index) {
  std::vector<std::string> list;
  const MarkText* mark = element(scene, segment, index);
  for (const Shape2D& shape : scene.shapes)
    if (mark != nullptr && shape.mark == mark - scene.marks.data())
      if (const TextShape* text = text_of(shape)) list.push_back(text->text);
  return list;
}

/// Whether a filled shape or a wire covers some of a box.
bool covers(const Shape2D& shape, const Box& box) {
  if (shape.opacity < 0.5f) return false;
  if (const auto* circle = std::get_if<CircleShape>(&shape.geometry)) {
    const float dx = std::max({box.x - circle->centre.x, 0.0f, circle->centre.x - box.right()});
    const float dy = std::max({box.y - circle->centre.y, 0.0f, circle->centre.y - box.bottom()});
    return shape.fill != Role::None && std::hypot(dx, dy) < circle->radius;
  }
  if (const auto* line = std::get_if<LineShape>(&shape.geometry); line != nullptr && !line->closed) {
    for (std::size_t i = 1; i < line->points.size(); ++i)
      if (clipped(Line2{line->points[i - 1], line->points[i]}, box)) return true;
    return false;
  }
  if (shape.fill == Role::None || text_of(shape) != nullptr) return false;
  const Box other = bounds(shape);
  return other.x < box.right() && box.x < other.right() && other.y < box.bottom() && box.y < other.bottom();
}

/// Every text is whole in the pane and in its clip, none overlaps another one, and nothing is painted over one.
void check_texts(const Scene& scene) {
  const auto order = scene.paint_order();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const TextShape* text = text_of(scene.shapes[order[i]]);
    if (text == nullptr) continue;
    Box box = bounds(scene.shapes[order[i]]);
    box = {box.x + 0.5f, text->at.y - cap_height(text->font) + 0.5f, box.w - 1, cap_height(text->font) - 1};
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      if (!covers(scene.shapes[order[j]], box)) continue;
      CAPTURE(text->text);
      CHECK_MESSAGE(false, "something is painted over a text");
      break;
    }
  }

  std::vector<std::pair<Box, std::string>> boxes;
  for (const Shape2D& shape : scene.shapes) {
    const TextShape* text = text_of(shape);
    if (text == nullptr) continue;
    const Box box = bounds(shape);
    CAPTURE(text->text);
    CHECK(box.x >= -0.01f);
    CHECK(box.y >= -0.01f);
    CHECK(box.right() <= scene.width + 0.01f);
    CHECK(box.bottom() <= scene.height + 0.01f);
    if (shape.clip >= 0) {
      const Box& clip = scene.clips[shape.clip];
      CHECK(box.x >= clip.x - 0.01f);
      CHECK(box.right() <= clip.right() + 0.01f);
      // Descenders may reach past the last row.
      CHECK(text->at.y - cap_height(text->font) >= clip.y - 0.01f);
      CHECK(text->at.y <= clip.bottom() + 0.01f);
    }
    boxes.emplace_back(box, text->text);
  }
  std::sort(boxes.begin(), boxes.end(), [](const auto& a, const auto& b) { return a.first.x < b.first.x; });
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size() && boxes[j].first.x < boxes[i].first.right() - 0.1f; ++j) {
      const bool apart =
          boxes[j].first.y >= boxes[i].first.bottom() - 0.1f || boxes[i].first.y >= boxes[j].first.bottom() - 0.1f;
      CAPTURE(boxes[i].second);
      CAPTURE(boxes[j].second);
      CHECK(apart);
    }
  }
}

constexpr std::array all_themes = {ThemeName::Light, ThemeName::Dark, ThemeName::Projector};

}  // namespace

TEST_CASE("no text overlaps another one or leaves the pane, at any size, theme and step") {
  struct Size {
    float width, height, scale;
  };
  constexpr std::array sizes = {Size{672, 400, 1},   Size{896, 562, 1}, Size{1840, 1250, 1},
                                Size{1792, 1124, 2}, Size{320, 200, 1}, Size{2560, 1440, 1.5f}};
  for (const std::uint32_t n : {2u, 8u, 64u, 1024u}) {
    Traced traced(n);
    for (const Size& size : sizes) {
      for (const ThemeName name : all_themes) {
        for (const std::uint64_t step : {std::uint64_t(0), traced.steps() / 3 + 1, traced.steps()}) {
          DiagramInput input = traced.input(step, name);
          input.width = size.width, input.height = size.height, input.scale = size.scale;
          CAPTURE(n);
          CAPTURE(size.width);
          CAPTURE(std::string(name_of(name)));
          CAPTURE(step);
          check_texts(butterfly().draw(input));
        }
      }
    }
  }
}

TEST_CASE("nor at any zoom, with a cone, in predict mode, or in the middle of an animation") {
  Traced traced(1024);
  for (const double zoom : {1.0, 3.0, 12.0, 20.0, 33.0, 60.0, 200.0}) {
    for (const double at : {0.0, 0.3, 0.71, 1.0}) {
      DiagramInput input = traced.input(traced.steps() / 2);
      input.viewport = {zoom, at, at};
      CAPTURE(zoom);
      CAPTURE(at);
      check_texts(butterfly().draw(input));
      input.cursor.hover = Mark{.kind = MarkKind::Element, .buffer = 1, .segment = 4, .index = 700};
      input.phase = 0.4f;
      check_texts(butterfly().draw(input));
      input.hide_next = true;
      check_texts(butterfly().draw(input));
    }
  }
}

TEST_CASE("every label of an 8-point transform is drawn") {
  Traced traced(8);
  DiagramInput input = traced.input(8);  // work-item 1 of stage 2
  input.width = 896;
  const Scene scene = butterfly().draw(input);
  for (const char* text :
       {"bit-reversed", "after stage 1", "after stage 2", "after stage 3", "stage 2", "span 4, stride 2", "data[8]",
        "F[8]", "x[4]", "X[7]", "(12, 0)", "(−4, 4)", "(−4, −4)", "a", "b", "w", "·"})
    CHECK_MESSAGE(has_text(scene, text), text);
  CHECK(element(scene, 2, 1)->label == "F[1] after stage 2 = (−4, 4)\nwritten by work-item 1 of launch 3, step 8");
  CHECK(element(scene, 2, 5)->label == "F[5] after stage 2: pending");
  CHECK(element(scene, 0, 1)->label ==
        "data[1] after bit reversal = (4, 0)\nwritten by work-item 1 of launch 1, step 1");
  CHECK(scene.description.find("F[1], F[3], w = w_4^1 = ") != std::string::npos);
  CHECK(node_texts(scene, 2, 5) == std::vector<std::string>{"·"});
  CHECK(node_texts(scene, 2, 3) == std::vector<std::string>{"(−4, −4)"});
  CHECK_FALSE(scene.unfinished);
}

TEST_CASE("CUDA's kernels have threads in the diagram and in the inspector, on the processor too") {
  for (const char* runtime : {"host", "cuda"}) {
    Traced traced(synthetic::FftOptions{.runtime = runtime, .source = "fft_radix2.cu"});
    const Scene scene = butterfly().draw(traced.input(8));
    CHECK(element(scene, 2, 1)->label == "F[1] after stage 2 = (−4, 4)\nwritten by thread 1 of launch 3, step 8");
    CHECK(scene.description.find("butterfly of thread 1 in stage 2") != std::string::npos);
    CHECK(describe(traced.document.info(), traced.document.replay->operation(8)).title == "Thread 1");
  }
}

TEST_CASE("no value is shown before its operation, and every value that is shown is the log's") {
  Traced traced(8);
  Replay log(traced.document.trace);
  for (std::uint64_t step = 0; step <= traced.steps(); ++step) {
    const Scene scene = butterfly().draw(traced.input(step));
    log.for_each(1, traced.steps(), false, [&](const Operation& op) {
      const int segment = static_cast<int>(log.segment_of(op.step));
      if (segment == 0) return true;  // in the row labels; the values are those of the buffer as it is
      for (const Access& write : op.writes) {
        const auto drawn = node_texts(scene, segment, write.index);
        REQUIRE(drawn.size() == 1);
        if (op.step > step) {
          CHECK(drawn[0] == "·");
          CHECK(element(scene, segment, write.index)->label.ends_with("pending"));
        } else {
          bool known = false;  // in as many digits as fit
          for (int digits = 1; digits <= 4; ++digits) known = known || drawn[0] == value_text(write.value, digits);
          CHECK_MESSAGE(known, drawn[0]);
        }
      }
      return true;
    });
  }
}

TEST_CASE("the swaps of the bit reversal move the row labels, one by one") {
  Traced traced(8);
  const auto label_order = [&](std::uint64_t step) {
    std::string order;
    for (const std::string& text : texts(butterfly().draw(traced.input(step))))
      if (text.starts_with("x[")) order += text[2];
    return order;
  };
  CHECK(label_order(0) == "01234567");
  CHECK(label_order(1) == "04231567");  // work-item 1 swaps 1 and 4
  CHECK(label_order(2) == "04261537");  // work-item 3 swaps 3 and 6
  CHECK(label_order(9) == "04261537");
  // The first column shows the buffer as it is.
  CHECK(node_texts(butterfly().draw(traced.input(0)), 0, 1) == std::vector<std::string>{"(1, 0)"});
  CHECK(node_texts(butterfly().draw(traced.input(1)), 0, 1) == std::vector<std::string>{"(4, 0)"});
  CHECK(node_texts(butterfly().draw(traced.input(1)), 0, 3) == std::vector<std::string>{"(3, 0)"});
  CHECK(has_text(butterfly().draw(traced.input(0)), "input"));
  CHECK(has_text(butterfly().draw(traced.input(1)), "bit reversal"));
}

TEST_CASE("predict mode gives nothing of the next operation away") {
  Traced traced(8);
  for (std::uint64_t step = 0; step < traced.steps(); ++step) {
    DiagramInput input = traced.input(step);
    input.hide_next = true;
    const Scene scene = butterfly().draw(input);
    const int segment = static_cast<int>(traced.document.replay->segment_of(step + 1));
    for (const MarkText& mark : scene.marks)
      if (mark.mark.kind == MarkKind::Operation && mark.mark.segment == segment) CHECK(mark.mark.step <= step);
    const Segment& asked = traced.document.info().segments[segment];
    if (asked.span > 0) {
      CHECK_FALSE(
          has_text(scene, "span " + std::to_string(asked.span) + ", stride " + std::to_string(asked.read_stride)));
      CHECK(has_text(scene, "?"));
    }
  }
}

TEST_CASE("an output's cone holds every input, and is drawn on every level of detail") {
  Traced traced(8);
  const Cone cone = cone_of(traced.document, 1, 5, 3);
  CHECK(cone.inputs == 8);
  CHECK(cone.elements[4] == std::vector<std::uint64_t>{5});
  CHECK(cone.elements[3] == std::vector<std::uint64_t>{1, 5});
  CHECK(cone.elements[2] == std::vector<std::uint64_t>{1, 3, 5, 7});
  CHECK(cone.operations == 2 + 1 + 2 + 4);  // both swaps, and the butterflies
  CHECK_FALSE(cone.truncated);
  // Before the swaps, the halves of an element after stage 1 were at the places that the reversal took them from.
  CHECK(cone_of(traced.document, 1, 2, 1).elements[0] == std::vector<std::uint64_t>{2, 6});

  const auto hovered = [&](DiagramInput input) {
    input.cursor.hover = Mark{.kind = MarkKind::Element,
                              .buffer = 1,
                              .segment = static_cast<int>(traced.document.info().segments.size()) - 1,
                              .index = 5};
    std::size_t sky = 0;
    for (const Shape2D& shape : butterfly().draw(input).shapes)
      sky += shape.stroke.role == Role::Hover || shape.fill == Role::Hover;
    return sky;
  };
  CHECK(hovered(traced.input(traced.steps())) > 20);
  Traced large(1024);
  for (const double zoom : {1.0, 20.0, 60.0}) {
    DiagramInput input = large.input(large.steps());
    input.viewport.zoom = zoom, input.viewport.centre_x = 1, input.viewport.centre_y = 0;
    input.cursor.hover = Mark{.kind = MarkKind::Element, .buffer = 1, .segment = 10, .index = 5};
    std::size_t sky = 0;
    for (const Shape2D& shape : butterfly().draw(input).shapes)
      sky += shape.stroke.role == Role::Hover || shape.fill == Role::Hover;
    CHECK(sky > 10);
  }
}

TEST_CASE("a cone that grows past its limit says so; a large one follows the formula and agrees with the log") {
  Traced large(1u << 15);  // above the size up to which operations are read one by one
  const Cone whole = cone_of(large.document, 1, 1000, 15, 1 << 16);
  CHECK(whole.inputs == 1u << 15);
  const Cone cut = cone_of(large.document, 1, 1000, 15, 100);
  CHECK(cut.truncated);
  CHECK(cut.elements[16].size() == 1);
  CHECK(cut.elements[10].size() == 64);
  CHECK(cut.elements[9].empty());
  for (const std::uint64_t step : {cut.steps.front(), cut.steps.back(), cut.steps[cut.steps.size() / 2]}) {
    const Operation op = large.document.replay->operation(step);
    const auto segment = large.document.replay->segment_of(step);
    const auto& after = cut.elements[segment + 1];
    CHECK((std::binary_search(after.begin(), after.end(), op.writes[0].index) ||
           std::binary_search(after.begin(), after.end(), op.writes[1].index)));
  }
}

TEST_CASE("state strips show the brightest of the rows behind a pixel, and nothing that is to come") {
  Traced traced(synthetic::FftOptions{.n = 4096});
  // One bright row among 4096: an impulse's ramp would do, but the last stage of a ramp has its peak in row 0.
  const auto greys = [&](std::uint64_t step, int column) {
    DiagramInput input = traced.input(step);
    const Scene scene = butterfly().draw(input);
    // Strips are as wide as the look says; those of a column share their x.
    std::map<int, std::vector<Role>> by_x;
    for (const Shape2D& shape : scene.shapes)
      if (shape.fill >= Role::Grey0 && shape.fill <= Role::Grey7)
        by_x[static_cast<int>(bounds(shape).x)].push_back(shape.fill);
    auto strip = by_x.begin();
    std::advance(strip, std::min<std::ptrdiff_t>(column, static_cast<std::ptrdiff_t>(by_x.size()) - 1));
    return std::pair(by_x.size(), by_x.empty() ? std::vector<Role>{} : strip->second);
  };
  const auto [columns, last] = greys(traced.steps(), 100);
  CHECK(columns == 14);
  REQUIRE(last.size() >= 2);
  CHECK(last.front() == Role::Grey7);  // X[0], the sum, is by far the largest; it is one row of 4096
  CHECK(greys(0, 0).first == 1);       // only the input is there before the first step
}

TEST_CASE("zooming keeps the point under the pointer, moving moves by what was asked, and both end at the edges") {
  Traced traced(1024);
  DiagramInput input = traced.input(traced.steps());
  const Point about{500, 300};
  Viewport before = input.viewport;
  input.viewport = butterfly().zoomed(input, about, 40);
  CHECK(input.viewport.zoom == doctest::Approx(40));
  const Viewport there = input.viewport;
  input.viewport = butterfly().zoomed(input, about, 1.0 / 40);
  CHECK(input.viewport == before);
  input.viewport = there;
  input.viewport = butterfly().moved(input, {-30, 17});
  CHECK(input.viewport.centre_x > there.centre_x);
  CHECK(input.viewport.centre_y < there.centre_y);
  input.viewport = butterfly().moved(input, {30, -17});
  CHECK(input.viewport.centre_y == doctest::Approx(there.centre_y));
  input.viewport = butterfly().zoomed(input, about, 1e12);
  CHECK(input.viewport.zoom < 1000);
  input.viewport = butterfly().moved(input, {0, -1e9f});
  CHECK(input.viewport.centre_y < 1);
  input.viewport = butterfly().moved(input, {1e9f, 1e9f});
  CHECK(input.viewport.centre_x > 0);

  // The rows of an operation far away come into view, and stay where they are once they are seen.
  const std::uint64_t step = traced.document.info().segments[3].first_step + 400;
  const Viewport shown = butterfly().showing(input, step);
  CHECK(shown != input.viewport);
  input.viewport = shown, input.cursor.step = step;
  const Viewport again = butterfly().showing(input, step);
  CHECK(again.centre_x == doctest::Approx(shown.centre_x));
  CHECK(again.centre_y == doctest::Approx(shown.centre_y));
  bool yellow = false;
  for (const Shape2D& shape : butterfly().draw(input).shapes) yellow = yellow || shape.fill == Role::Now;
  CHECK(yellow);
}

TEST_CASE("a point on a state strip is an element, with its value and its writer") {
  Traced traced(1024);
  DiagramInput input = traced.input(traced.steps());
  const Scene scene = butterfly().draw(input);
  // Every strip has a box of the canvas colour behind it.
  std::set<int> segments;
  for (const Shape2D& shape : scene.shapes) {
    const auto* box = std::get_if<BoxShape>(&shape.geometry);
    if (box == nullptr || shape.fill != Role::Canvas || shape.stroke.role != Role::Done) continue;
    const auto found = butterfly().element_at(input, box->box.centre());
    REQUIRE(found);
    CHECK(found->mark.index > 450);
    CHECK(found->mark.index < 560);
    CHECK(found->label.find(" = (") != std::string::npos);
    CHECK(found->label.find("share this pixel") != std::string::npos);
    segments.insert(found->mark.segment);
  }
  CHECK(segments.size() == 12);
  CHECK_FALSE(butterfly().element_at(input, {2, 2}));
}

TEST_CASE("a frame that may not wait is finished by the next ones, and then is the same") {
  Traced patient(synthetic::FftOptions{.n = 2048, .random = true, .block = 256}),
      hasty(synthetic::FftOptions{.n = 2048, .random = true, .block = 256});
  DiagramInput a = patient.input(patient.steps() - 300), b = hasty.input(hasty.steps() - 300);
  for (DiagramInput* input : {&a, &b}) input->viewport = {90, 0.9, 0.4}, input->width = 1840;
  b.patience_ms = 0;
  CHECK(butterfly().draw(b).unfinished);
  check_texts(butterfly().draw(b));
  b.patience_ms = 0.2;
  Scene scene = butterfly().draw(b);
  for (int frames = 0; scene.unfinished && frames < 10000; ++frames) scene = butterfly().draw(b);
  CHECK_FALSE(scene.unfinished);
  CHECK(to_svg(scene, theme(ThemeName::Light)) == to_svg(butterfly().draw(a), theme(ThemeName::Light)));
}

TEST_CASE("a log of indices alone shows wires, and no values but the input's") {
  Traced traced(synthetic::FftOptions{.n = 8, .detail = Detail::Index});
  const Scene scene = butterfly().draw(traced.input(traced.steps()));
  CHECK(node_texts(scene, 2, 1).empty());
  std::size_t wires = 0;
  for (const MarkText& mark : scene.marks) wires += mark.mark.kind == MarkKind::Operation;
  CHECK(wires == 12);
}

TEST_CASE("a trace without operations says so in words") {
  synthetic::Folder folder;
  {
    TraceWriter writer(folder / "empty.twd");
    TraceInfo info = synthetic::Fft<float>({}).info();
    writer.begin(info);
    const std::vector<std::byte> zero(8 * 8);
    writer.first_content(0, zero);
    writer.first_content(1, zero);
    writer.finish();
  }
  Document document(TraceReader::open(folder / "empty.twd"));
  const DiagramInput input{document, {}, {}, theme(ThemeName::Light)};
  const Scene scene = butterfly().draw(input);
  CHECK(has_text(scene, "This trace has no operations"));
  check_texts(scene);
  CHECK_FALSE(butterfly().element_at(input, {400, 300}));
}

TEST_CASE("every algorithm of the catalogue can be drawn, with every text in its place") {
  if (list_devices().devices.empty()) {
    MESSAGE("no device here: nothing to trace");
    return;
  }
  const auto runtime = open_runtime("auto", 0);
  Sample sample(3);
  for (const Algorithm& algorithm : algorithms()) {
    if (sample.skips()) continue;
    CAPTURE(algorithm.id);
    Request request;
    request.algorithm = algorithm.id;
    if (algorithm.dimensions == 2) {
      request.rows = 8, request.columns = 16;
    } else {
      request.n = 16;
    }
    const synthetic::Folder folder;
    {
      TraceWriter writer(folder / "a.twd");
      trace_plan(make_plan(with_size_taken(request)), *runtime, {}, writer);
      writer.finish();
    }
    Document document(TraceReader::open(folder / "a.twd"));
    const auto does = [&](OperationKind kind) {
      return std::any_of(document.info().segments.begin(), document.info().segments.end(),
                         [kind](const Segment& s) { return s.kind == kind; });
    };
    // What has no butterflies is drawn as data flow, where its operations are in rows at all.
    const bool draws = document.flow().draws() && document.flow().rows() > 0;
    CHECK((draws || !(does(OperationKind::Butterfly) || does(OperationKind::Combine))));
    for (const std::uint64_t step : {std::uint64_t(0), document.info().steps / 2, document.info().steps}) {
      for (const double zoom : {1.0, 2.5}) {
        DiagramInput input{document, {}, {}, theme(ThemeName::Light)};
        input.cursor.step = step, input.viewport.zoom = zoom;
        input.width = 1200;
        const Scene scene = butterfly().draw(input);
        check_texts(scene);
        CHECK(has_text(scene, "This trace has no butterflies") == !draws);
        if (!draws) continue;
        input.hide_next = true;
        check_texts(butterfly().draw(input));
        if (!does(OperationKind::Butterfly)) continue;  // a reduction's result has no element 3
        // The last element's cone reaches the input, by any way of its values.
        const Cone cone = cone_of(document, document.flow().columns().back().buffer, 3,
                                  static_cast<int>(document.info().segments.size()) - 1);
        CHECK_FALSE(cone.elements.front().empty());
      }
    }
  }
}

#if TWIDDLE_HAVE_RSVG
TEST_CASE("the diagram is well-formed SVG on every level of detail") {
  Traced traced(1024);
  for (const double zoom : {1.0, 20.0, 33.0, 60.0}) {
    DiagramInput input = traced.input(traced.steps() / 2);
    input.viewport.zoom = zoom;
    CHECK(to_png(butterfly().draw(input), theme(ThemeName::Dark)).size() > 2000);
  }
}
#endif
