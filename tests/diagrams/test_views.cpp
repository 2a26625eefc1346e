// Every view of every kind of algorithm: what it says is the log's, and its texts are where they can be read.
#include "scene_texts.h"
#include "traced.h"
#include "tracer/file/trace_file.h"
#include "viewer/document/flow.h"
#include "viewer/document/item_activity.h"
#include "viewer/document/request.h"
#include "viewer/graphs/series.h"
#include "viewer/graphs/tree_shape.h"
#include "viewer/views/view.h"
#include "viewer/views/view_frame.h"
#include "viewer/views/view_space.h"

#include <doctest.h>

#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>

using namespace twiddle;

namespace {

DiagramInput input_of(Document& document, std::uint64_t step, ThemeName name = ThemeName::Light, float width = 864,
                      float height = 562) {
  DiagramInput input{document, {}, {}, theme(name)};
  input.cursor.step = step;
  input.width = width, input.height = height;
  return input;
}

std::set<std::string> names_of(Document& document) {
  std::set<std::string> names;
  for (const View* view : views_of(document)) names.emplace(view->name());
  return names;
}

std::set<std::string> texts_of_view(const Scene& scene) {
  std::set<std::string> all;
  for (const Shape2D& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry)) all.insert(text->text);
  return all;
}

struct ViewedRun {
  const char* algorithm;
  std::uint64_t n;
};
constexpr std::array viewed_runs = {ViewedRun{"fft-radix2", 8},        ViewedRun{"fft-radix2", 64},
                                    ViewedRun{"fft-stockham4", 16},    ViewedRun{"fft-real", 16},
                                    ViewedRun{"fft-radix2-local", 64}, ViewedRun{"reduce-interleaved", 64},
                                    ViewedRun{"histogram-local", 300}, ViewedRun{"fft2d", 0}};

std::shared_ptr<const TraceReader> viewed_trace(const ViewedRun& subject) {
  Request request;
  request.algorithm = subject.algorithm;
  if (subject.n > 0) request.n = subject.n;
  return TraceReader::open(traced_file(request));
}

}  // namespace

TEST_CASE("each algorithm has the views that show what it does, and opens on the most telling one") {
  const auto first = [](const ViewedRun& subject) {
    Document document(viewed_trace(subject));
    return std::string(views_of(document).front()->name());
  };
  CHECK(first({"fft-radix2", 8}) == "butterfly");
  CHECK(first({"reduce-interleaved", 64}) == "tree");
  CHECK(first({"histogram-local", 300}) == "bins");
  Document radix2(viewed_trace({"fft-radix2", 8})), picture(viewed_trace({"fft2d", 0}));
  for (const char* shown : {"butterfly", "items", "memory", "spectrum", "tree"}) {
    CAPTURE(shown);
    CHECK(names_of(radix2).contains(shown));
  }
  CHECK(!names_of(radix2).contains("bins"));
  CHECK(!names_of(radix2).contains("matrix"));
  CHECK(names_of(picture).contains("matrix"));
  CHECK(!names_of(picture).contains("spectrum"));
  CHECK(view_of(radix2, "bins").name() == "butterfly");
  CHECK(view_of(radix2, "tree").name() == "tree");
}

TEST_CASE("no text of any view leaves its pane or overlaps another, for any algorithm, size, theme and step") {
  struct Size {
    float width, height;
  };
  constexpr std::array sizes = {Size{672, 360}, Size{864, 562}, Size{1840, 1000}};
  for (const ViewedRun& subject : viewed_runs) {
    Document document(viewed_trace(subject));
    const std::uint64_t last = document.info().steps;
    for (const View* view : views_of(document)) {
      for (const Size& size : sizes) {
        for (const ThemeName name : {ThemeName::Light, ThemeName::Projector}) {
          for (const std::uint64_t step : {std::uint64_t(0), last / 2 + 1, last}) {
            DiagramInput input = input_of(document, step, name, size.width, size.height);
            for (const double zoom : {1.0, 5.0}) {
              input.viewport.zoom = zoom;
              input.log_scale = zoom > 1;
              const Scene scene = view->draw(input);
              CHECK(scene.width == size.width);
              for (const std::string& fault : text_faults(scene)) {
                CAPTURE(document.info().algorithm);
                CAPTURE(view->name());
                CAPTURE(size.width);
                CAPTURE(name_of(name));
                CAPTURE(step);
                CAPTURE(zoom);
                CAPTURE(fault);
                CHECK(fault.empty());
              }
            }
          }
        }
      }
    }
  }
}

TEST_CASE("a low pane of work-items says of each item what the view says") {
  Document document(viewed_trace({"reduce-interleaved", 8}));
  for (std::uint64_t step = 0; step <= document.info().steps; ++step) {
    DiagramInput input = input_of(document, step, ThemeName::Light, 384, 180);
    const auto said = [&] {
      std::set<std::string> all;
      for (const MarkText& mark : view_named("items")->draw(input).marks) all.insert(mark.label);
      return all;
    };
    input.small = true;
    const std::set<std::string> small = said();
    CHECK(texts_of_view(view_named("items")->draw(input)).contains("I0"));
    input.small = false, input.width = 864, input.height = 562;
    CHECK(small == said());
  }
}

TEST_CASE("zooming a view keeps the point under the pointer, and moving ends at the edges") {
  Document document(viewed_trace({"reduce-interleaved", 64}));
  const View& view = *view_named("items");
  DiagramInput input = input_of(document, 10, ThemeName::Light, 864, 300);
  input.viewport = view.zoomed(input, {300, 150}, 2);
  CHECK(input.viewport.zoom == doctest::Approx(2));
  const Viewport up = view.moved(input, {0, 1e6f}), down = view.moved(input, {0, -1e6f});
  CHECK(up.centre_y == doctest::Approx(0.25));
  CHECK(down.centre_y == doctest::Approx(0.75));
  CHECK(view.zoomed(input, {300, 150}, 1e-9).zoom == 1);
  // What happens outside is brought into view.
  input.viewport = down;
  CHECK(view.showing(input, 1).centre_y < 0.5);
}

TEST_CASE("sub-groups: who works, who is masked, who diverges") {
  ItemActivity activity(100, 40);  // groups of 40: sub-groups of 32 and 8
  for (std::uint64_t item = 0; item < 16; ++item) activity.add(2 * item);
  activity.add(1000);  // outside: ignored
  CHECK(activity.works(30));
  CHECK(!activity.works(31));
  CHECK(activity.count(0, 100) == 16);
  CHECK(activity.sub_group_of(35).first == 32);
  CHECK(activity.sub_group_of(35).end == 40);
  CHECK(activity.sub_group_of(99).first == 80);
  CHECK(activity.sub_group_of(99).end == 100);
  CHECK(activity.masked(0, 100) == 16);
  CHECK(activity.masked(32, 100) == 0);
  activity.count_up();
  CHECK(activity.totals().sub_groups == 1);
  CHECK(activity.totals().lanes == 32);
  CHECK(activity.totals().diverged == 1);
}

TEST_CASE("counts of many items are those of a few at a time") {
  ItemActivity activity(5000, 40);
  for (std::uint64_t item = 0; item < 5000; item += 1 + item % 7) activity.add(item);
  std::vector<std::array<std::uint64_t, 4>> ranges;
  for (std::uint64_t first = 0; first < 5000; first += 777)
    for (const std::uint64_t length : {1u, 40u, 1000u, 1024u, 3000u, 5000u})
      ranges.push_back(
          {first, first + length, activity.count(first, first + length), activity.masked(first, first + length)});
  activity.count_up();
  for (const auto& [first, end, worked, masked] : ranges) {
    CHECK(activity.count(first, end) == worked);
    CHECK(activity.masked(first, end) == masked);
  }
  CHECK(activity.totals().active == activity.count(0, 5000));
  ItemActivity all_items(100, 40);
  all_items.add_all();
  all_items.count_up();
  CHECK(all_items.totals().sub_groups == 5);
  CHECK(all_items.totals().diverged == 0);
}

TEST_CASE("the interleaved reduction keeps its sub-groups running for fewer and fewer items") {
  Document document(viewed_trace({"reduce-interleaved", 64}));
  document.flow().begin_frame(0, 1e9);
  std::vector<std::uint64_t> active;
  for (std::size_t s = 0; s < document.info().segments.size(); ++s) {
    const Segment& segment = document.info().segments[s];
    if (segment.kind != OperationKind::Combine) continue;
    const ItemActivity* activity = item_activity(document, static_cast<int>(s));
    REQUIRE(activity != nullptr);
    CHECK(activity->totals().active == segment.items);
    active.push_back(activity->totals().active);
  }
  REQUIRE(active.size() >= 5);
  for (std::size_t i = 1; i < active.size(); ++i) CHECK(active[i] * 2 == active[i - 1]);
}

TEST_CASE("the recursion tree is the log's: every butterfly is at the node of the inputs that it is made of") {
  for (const ViewedRun& subject : {ViewedRun{"fft-radix2", 16}, ViewedRun{"fft-stockham2", 16},
                                   ViewedRun{"fft-stockham4", 16}, ViewedRun{"fft-radix4", 16}}) {
    CAPTURE(subject.algorithm);
    Document document(viewed_trace(subject));
    const TreeShape* shape = tree_shape(document);
    REQUIRE(shape != nullptr);
    CHECK(shape->levels.front().nodes == 16);
    CHECK(shape->levels.back().nodes == 1);
    // Children of one parent are side by side and take every other of its inputs.
    for (int level = 0; level + 1 < static_cast<int>(shape->levels.size()); ++level) {
      const std::uint64_t nodes = shape->levels[level].nodes, parents = shape->levels[level + 1].nodes,
                          radix = nodes / parents;
      for (std::uint64_t place = 0; place < nodes; ++place)
        CHECK(first_input(*shape, level, place) ==
              first_input(*shape, level + 1, place / radix) + place % radix * parents);
    }
    for (std::uint64_t step = 1; step <= document.info().steps; ++step) {
      const Operation one = document.replay->operation(step);
      if (one.kind != OperationKind::Butterfly) continue;
      const auto node = node_of(document, *shape, one);
      REQUIRE(node);
      const TreeLevel& level = shape->levels[node->level];
      const Cone cone = cone_of(document, one.writes[0].buffer, one.writes[0].index, level.segment);
      std::uint64_t first = UINT64_MAX;
      for (const auto& rows : cone.elements)
        if (!rows.empty()) {
          CHECK(rows.size() == level.points);
          first = rows.front();
          break;
        }
      CHECK(first == first_input(*shape, node->level, node->place));
      CHECK(node_done(document, *shape, node->level, node->place, step) > 0);
      CHECK(node_first_step(document, *shape, node->level, node->place) <= step);
    }
  }
}

TEST_CASE("what a request costs: sectors in global memory, passes over the banks of local memory") {
  TraceInfo info;
  info.buffers.resize(2);
  info.buffers[0] = {"x", ElementType::Float, 4096, {}};
  info.buffers[1] = {"s", ElementType::Float, 4096, {}};
  info.buffers[1].space = Space::Local;
  const auto request = [](std::uint64_t stride) {
    std::vector<Operation> list(32);
    for (std::size_t i = 0; i < list.size(); ++i) {
      list[i].item = i;
      list[i].reads.push({0, i * stride, false, {}});
      list[i].reads.push({1, i * stride, false, {}});
    }
    return list;
  };
  CHECK(cost_of(info, request(1), 0, 0, false).sectors.size() == 4);
  CHECK(cost_of(info, request(8), 0, 0, false).fetched() == 1024);
  CHECK(cost_of(info, request(8), 0, 0, false).bytes == 128);
  CHECK(cost_of(info, request(1), 1, 1, false).banks.passes() == 1);
  CHECK(cost_of(info, request(8), 1, 1, false).banks.passes() == 8);
  CHECK(cost_of(info, request(0), 1, 1, false).banks.passes() == 1);  // one word for all
  CHECK(cost_of(info, request(8), 1, 0, false).lanes == 0);           // another buffer
}

TEST_CASE("a request holds the items of one sub-group at one turn") {
  Document document(viewed_trace({"histogram-local", 300}));
  for (std::uint64_t step = 1; step <= document.info().steps; step += 37) {
    const Operation one = document.replay->operation(step);
    const std::vector<Operation> request = request_of(document, one);
    CHECK(std::any_of(request.begin(), request.end(), [&](const Operation& other) { return other.step == step; }));
    for (const Operation& other : request) {
      CHECK(other.item / 32 == one.item / 32);
      CHECK(other.slot == one.slot);
      CHECK(other.line == one.line);
    }
  }
}

TEST_CASE("a curve's extents are those of its elements, however many are put together") {
  Document document(synthetic::Fft<float>(synthetic::FftOptions{.n = 1 << 15, .random = true}).in_memory());
  document.flow().begin_frame(0, 1e9);
  const Series series(document, 0, 0, -1, NumberPart::Real);
  REQUIRE(series.ready());
  const auto state = document.replay->state_after(-1);
  for (const auto& [first, end] :
       {std::pair<std::uint64_t, std::uint64_t>{0, 1}, {5, 70}, {63, 9000}, {100, 32768}, {0, 32768}}) {
    Extent brute;
    for (std::uint64_t i = first; i < end; ++i) {
      Value value{ElementType::Float2};
      REQUIRE(state->read(0, 0, i, {value.bits.data(), 8}));
      brute.take(static_cast<float>(value.component(0)));
    }
    const Extent extent = series.over(first, end);
    CHECK(extent.known);
    // Ends of a long stretch are put together with their cells.
    CHECK(extent.low <= brute.low);
    CHECK(extent.high >= brute.high);
    if (end - first < 8192 || (first == 0 && end == series.count())) {
      CHECK(extent.low == brute.low);
      CHECK(extent.high == brute.high);
    }
  }
}

TEST_CASE("axes count in round numbers") {
  CHECK(axis_ticks(0, 10, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});
  CHECK(axis_ticks(-120, 0, 3) == std::vector<double>{-100, -50, 0});
  CHECK(axis_ticks(1, 1, 5).empty());
  CHECK(axis_ticks(0, std::numeric_limits<double>::infinity(), 5).empty());
}

TEST_CASE("a matrix says the value of every cell, that of the one being written too") {
  Request request;
  request.algorithm = "fft2d";
  request.rows = 4, request.columns = 2;
  Document document(TraceReader::open(traced_file(request)));
  const DiagramInput input = input_of(document, document.info().steps);
  const Scene scene = view_named("matrix")->draw(input);
  std::size_t cells = 0, written = 0;
  for (const Shape2D& ground : scene.shapes) {
    const auto* rect = std::get_if<BoxShape>(&ground.geometry);
    if (!rect || ground.mark < 0 || scene.marks[ground.mark].mark.kind != MarkKind::Element) continue;
    ++cells;
    const bool labelled = std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const Shape2D& shape) {
      const auto* text = std::get_if<TextShape>(&shape.geometry);
      return text && shape.mark == ground.mark && rect->box.contains(text->at);
    });
    CHECK(labelled);
    if (ground.fill == Role::Now) ++written;
  }
  CHECK(cells == 3 * 8);  // the input, after the rows, after the columns: none of them twice
  CHECK(written == 1);
}

TEST_CASE("a matrix of real values says their signs, and one of complex values their magnitudes") {
  Request request;
  request.algorithm = "fft2d";
  request.rows = request.columns = 8;
  request.signal = "cosine:2";
  Document document(TraceReader::open(traced_file(request)));
  DiagramInput input{document, {}, {}, theme(ThemeName::Light)};
  input.width = 1008, input.height = 420;
  const Scene scene = view_named("matrix")->draw(input);
  std::map<std::string, int> texts;
  for (const Shape2D& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry)) ++texts[text->text];
  CHECK(texts["\u22121"] == 16);  // every fourth point of each row
  CHECK(texts["below zero"] == 1);
  CHECK(text_faults(scene).empty());
}

TEST_CASE("the matrix at work fills the height of its pane, the others are beside it") {
  for (const std::uint64_t side : {8, 64}) {
    Request request;
    request.algorithm = "fft2d";
    request.rows = request.columns = side;
    Document document(TraceReader::open(traced_file(request)));
    const DiagramInput input = input_of(document, document.info().steps);
    float highest = 0, lowest = input.height;
    const Scene scene = view_named("matrix")->draw(input);
    for (const Shape2D& shape : scene.shapes)
      if (shape.mark >= 0 && scene.marks[shape.mark].mark.kind == MarkKind::Element) {
        highest = std::max(highest, bounds(shape).bottom());
        lowest = std::min(lowest, bounds(shape).y);
      }
    CHECK(highest - lowest > 0.8f * input.height);
  }
}

TEST_CASE("a spectrum has its units, in decibels too") {
  Document document(viewed_trace({"fft-radix2", 8}));
  DiagramInput input = input_of(document, document.info().steps);
  CHECK(texts_of_view(view_named("spectrum")->draw(input))
            .contains("k, cycles in the signal; in brackets k \u2212 " +
                      std::to_string(document.info().buffers[0].count) + ", its frequency"));
  input.log_scale = true;
  const auto words = texts_of_view(view_named("spectrum")->draw(input));
  CHECK(std::any_of(words.begin(), words.end(), [](const std::string& text) { return text.ends_with(" dB"); }));
}

TEST_CASE("the upper half of a spectrum says which negative frequencies it is") {
  Document document(traced("dft", 8, "cosine:3"));
  DiagramInput input{document, {}, {}, theme(ThemeName::Light)};
  input.cursor.step = document.info().steps;
  input.width = 1300, input.height = 420;
  const Scene scene = view_named("spectrum")->draw(input);
  std::set<std::string> texts;
  for (const Shape2D& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry)) texts.insert(text->text);
  CHECK(texts.contains("5 (\u22123)"));
  CHECK(texts.contains("3"));
  CHECK(texts.contains("k, cycles in the signal; in brackets k \u2212 8, its frequency"));
}

TEST_CASE("a plot has no scale before there are values, and calls a transform by its name only once it is one") {
  Document document(viewed_trace({"fft-radix2", 8}));
  const View& spectrum = *view_named("spectrum");
  const auto numbers = [](const std::set<std::string>& words) {
    return std::count_if(words.begin(), words.end(),
                         [](const std::string& text) { return text.find_first_not_of("0123456789.") == text.npos; });
  };
  const auto before = texts_of_view(spectrum.draw(input_of(document, 0))),
             at_work = texts_of_view(spectrum.draw(input_of(document, 8))),
             after = texts_of_view(spectrum.draw(input_of(document, document.info().steps)));
  CHECK(numbers(before) < numbers(after));
  CHECK(at_work.contains("|F[k]|, current state"));
  CHECK(after.contains("|X[k]| = |F[k]|, done"));
  Document definition(viewed_trace({"dft", 8}));
  CHECK(texts_of_view(spectrum.draw(input_of(definition, definition.info().steps))).contains("|X[k]|, done"));
}

TEST_CASE("items that share a bar are cells in it: what works is where it is, not a part of the others") {
  // Of 256 items every second one works in stage 1: 32 a row, 16 of them solid, each by itself.
  Request request;
  request.algorithm = "reduce-interleaved", request.n = 256;
  Document document(TraceReader::open(traced_file(request)));
  const Scene scene = view_named("items")->draw(input_of(document, document.info().steps, ThemeName::Light, 1400));
  int stage = -1;
  for (std::size_t s = 0; s < document.info().segments.size() && stage < 0; ++s)
    if (document.info().segments[s].stage == 1) stage = static_cast<int>(s);
  REQUIRE(stage >= 0);
  std::map<std::uint64_t, std::vector<Box>> solid;  // by the row's first item
  for (const Shape2D& shape : scene.shapes) {
    if (shape.mark < 0 || shape.fill != Role::Done) continue;
    const Mark& mark = scene.marks[shape.mark].mark;
    if (mark.kind == MarkKind::Item && mark.segment == stage) solid[mark.item].push_back(bounds(shape));
  }
  REQUIRE_FALSE(solid.empty());
  const std::uint64_t per_row = 256 / solid.size();
  REQUIRE(per_row > 1);
  for (const auto& [item, boxes] : solid) {
    CHECK(boxes.size() == per_row / 2);
    for (std::size_t i = 1; i < boxes.size(); ++i) CHECK(boxes[i].x > boxes[i - 1].right());
  }
}

TEST_CASE("from afar the terms of a loop's sums lead from the inputs to the sums") {
  // 64 items add one element each before the first stage: as many level lines leave the first column.
  Request request;
  request.algorithm = "reduce-grid-stride", request.n = 64;
  Document document(TraceReader::open(traced_file(request)));
  const Scene scene = view_named("tree")->draw(input_of(document, document.info().steps));
  std::map<int, int> level;  // lines by where they begin
  for (const Shape2D& shape : scene.shapes) {
    const auto* line = std::get_if<LineShape>(&shape.geometry);
    if (line && line->points.size() == 2 && shape.stroke.role == Role::Done &&
        std::abs(line->points[0].y - line->points[1].y) < 0.01f && line->points[1].x - line->points[0].x > 20)
      ++level[static_cast<int>(std::lround(line->points[0].x))];
  }
  REQUIRE_FALSE(level.empty());
  CHECK(level.begin()->second == 64);
}

TEST_CASE("sums below work-items have their unit, and rows their items' names, however narrow columns are") {
  Document document(viewed_trace({"fft-radix2-single", 1024}));
  const View& items = *view_named("items");
  for (const float width : {672.0f, 1840.0f}) {
    CAPTURE(width);
    const auto words = texts_of_view(items.draw(input_of(document, 20, ThemeName::Light, width)));
    const bool told = std::any_of(words.begin(), words.end(), [](const std::string& text) {
      return text.starts_with('%') || text.ends_with(" %");
    });
    CHECK(told == !words.contains("active lanes / issued lanes"));
    // A row of several items is called by all of them.
    CHECK(std::any_of(words.begin(), words.end(), [](const std::string& text) { return text.starts_with("I0–"); }));
    CHECK_FALSE(words.contains("64"));  // an item's number alone
  }
}

TEST_CASE("items that were not kept are said to be so, and none of them is called masked") {
  const synthetic::Folder folder;
  Request request;
  request.algorithm = "fft-radix2", request.n = 64;
  TraceOptions options;
  options.items = {8, 15};
  TraceWriter writer(folder / "some.twd");
  trace_plan(make_plan(request), *open_runtime("opencl", 0), options, writer);
  writer.finish();
  Document document(TraceReader::open(folder / "some.twd"));
  const auto said =
      texts_of_view(view_named("items")->draw(input_of(document, document.info().steps, ThemeName::Light, 1400)));
  CHECK(said.contains("not kept, or idle"));
  CHECK_FALSE(said.contains("masked: its sub-group runs, it does not"));
  Document whole(viewed_trace({"reduce-interleaved", 64}));
  const auto all =
      texts_of_view(view_named("items")->draw(input_of(whole, whole.info().steps, ThemeName::Light, 1400)));
  CHECK_FALSE(all.contains("not kept, or idle"));
  CHECK(all.contains("masked: its sub-group runs, it does not"));
}
