// Kernels without butterflies and without trace lines: their data flow, what items loaded and stored, and what is said to be
// unchecked.
#include "kernels/plan/plan.h"
#include "own_kernel.h"
#include "scene_texts.h"
#include "test_support.h"
#include "tracer/checks/finding.h"
#include "tracer/host/host_runtime.h"
#include "tracer/run/tracer.h"
#include "tracer/store/memory_trace.h"
#include "viewer/document/flow.h"
#include "viewer/facts/trace_facts.h"
#include "viewer/graphs/item_timeline.h"
#include "viewer/views/view.h"

#include <doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace twiddle;

namespace {

std::shared_ptr<const TraceSource> foreign(const std::string& name) {
  const auto runtime = open_host_runtime({});
  MemoryTrace sink;
  trace_plan(read_plan_file(std::filesystem::path(TWIDDLE_TEST_DATA) / "../foreign/cuda" / (name + ".toml")), *runtime,
             {}, sink);
  return sink.finish();
}

bool holds_text(const Scene& scene, const std::string& text) {
  return std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const Shape2D& shape) {
    const auto* shown = std::get_if<TextShape>(&shape.geometry);
    return shown && shown->text == text;
  });
}

bool has(Document& document, const std::string& name) {
  const auto list = views_of(document);
  return std::any_of(list.begin(), list.end(), [&](const View* view) { return view->name() == name; });
}

Scene drawn(Document& document, const std::string& view, std::uint64_t step, float width = 1400, float height = 900) {
  DiagramInput input{document, {}, {}, theme(ThemeName::Light)};
  input.cursor.step = step, input.width = width, input.height = height;
  return view_named(view)->draw(input);
}

// Rows and elements are each other's inverse, and what an operation read is what its row holds before it.
void check_rows(Document& document) {
  Flow& flow = document.flow();
  flow.begin_frame(document.info().steps, 1e9);
  for (int column = 0; column < static_cast<int>(flow.columns().size()); ++column) {
    std::set<std::tuple<int, std::uint64_t, std::uint64_t>> elements;
    const int buffer = flow.columns()[static_cast<std::size_t>(column)].buffer;
    for (std::uint64_t row = 0; row < flow.rows_of(buffer); ++row) {
      const auto place = flow.place(column, row);
      REQUIRE(place);
      CHECK(elements.insert({place->buffer, place->group, place->index}).second);
      const std::uint64_t all = place->group * document.info().buffers[static_cast<std::size_t>(buffer)].count;
      CHECK(flow.row_of_element(column, buffer, all + place->index) == std::optional(row));
    }
  }
  std::uint64_t linked = 0;
  for (std::uint64_t step = 1; step <= document.info().steps; ++step) {
    const auto operation = flow.operation(step);
    REQUIRE(operation);
    const int segment = static_cast<int>(document.replay->segment_of(step));
    for (const Access& write : operation->writes) {
      const auto row = flow.row_of(write, *operation);
      if (!row || !flow.shows(segment + 1, write)) continue;
      const auto place = flow.place(segment + 1, *row);
      REQUIRE(place);
      CHECK(place->index == write.index);
      ++linked;
    }
  }
  CHECK(linked > document.info().steps / 4);
}

}  // namespace

TEST_CASE("halves of a local array that are buffers in turn share their rows") {
  Document document(foreign("scan_hillis_steele"));
  Flow& flow = document.flow();
  CHECK(flow.rows() == 64);
  std::vector<std::string> contents;
  for (int column = 0; column < static_cast<int>(flow.columns().size()); ++column)
    contents.push_back(flow.content_text(column));
  const std::string low = "temp[0…63]", high = "temp[64…127]";
  CHECK(contents == std::vector<std::string>{"x[64]", low, high, low, high, low, high, low, "y[64]"});
  check_rows(document);
}

TEST_CASE("padding of a local array has no rows") {
  Document document(foreign("transpose_padded"));
  Flow& flow = document.flow();
  bool padded = false;
  for (int column = 0; column < static_cast<int>(flow.columns().size()); ++column) {
    const int buffer = flow.columns()[static_cast<std::size_t>(column)].buffer;
    const BufferInfo& info = document.info().buffers[static_cast<std::size_t>(buffer)];
    if (info.space != Space::Local) continue;
    const std::uint64_t rows = flow.rows_of(buffer) / document.info().launches[0].groups();
    padded = padded || rows < info.count;
    CHECK(contains(flow.content_text(column), fmt::format("{}[{}]", info.name, rows)));
  }
  CHECK(padded);
  check_rows(document);
}

TEST_CASE("sorts, transposes and convolutions are drawn as data flow, transforms as butterflies") {
  for (const char* name : {"sort_bitonic_shared", "sort_odd_even", "transpose_padded", "conv_halo_tile", "dct8_rows"}) {
    CAPTURE(name);
    Document document(foreign(name));
    CHECK(has(document, "flow"));
    const std::uint64_t steps = document.info().steps;
    for (const std::uint64_t step : {std::uint64_t(0), steps / 2, steps})
      for (const auto& [width, height] : {std::pair(672.0f, 360.0f), std::pair(1400.0f, 900.0f)}) {
        const Scene scene = drawn(document, "flow", step, width, height);
        CHECK(text_faults(scene).empty());
        CHECK_FALSE(holds_text(scene, "This trace has no butterflies"));
        // Wires of the operation at the cursor, or of all of them.
        CHECK(std::any_of(scene.shapes.begin(), scene.shapes.end(),
                          [](const Shape2D& shape) { return std::holds_alternative<LineShape>(shape.geometry); }));
      }
  }
  Document transform(foreign("fft_dit_stages"));
  CHECK(has(transform, "butterfly"));
  CHECK_FALSE(has(transform, "flow"));
}

TEST_CASE("what a segment does is named by what its loads and stores are made into, and counted by kind") {
  Document document(foreign("sort_odd_even"));
  Flow& flow = document.flow();
  bool mixed = false;
  for (int s = 0; s < flow.segment_count(); ++s) {
    const auto& kinds = flow.kinds(s);
    std::uint64_t sum = 0, loads = 0;
    for (const auto& [kind, count] : kinds) sum += count, loads += kind == OperationKind::Load ? count : 0;
    CHECK(sum == flow.segment(s).count);
    if (loads == 0 || loads == sum) continue;
    mixed = true;
    CHECK(flow.segment(s).kind != OperationKind::Load);
    CHECK(kinds.back().first >= OperationKind::Load);
  }
  CHECK(mixed);
}

TEST_CASE("an item's timeline has its loads and stores between two barriers, in its order") {
  Document document(foreign("scan_hillis_steele"));
  const TraceInfo& info = document.info();
  document.flow().begin_frame(info.steps, 1e9);
  const auto texts = [&](int segment, std::uint64_t item) {
    std::vector<std::string> list;
    for (const TimedAccess& access : item_timeline(document, segment, item))
      list.push_back((is_read(access.kind) ? "loads " : "stores ") + place_text(info, access));
    return list;
  };
  using Texts = std::vector<std::string>;
  CHECK(texts(0, 5) == Texts{"loads x[4]", "stores temp[5]"});
  CHECK(texts(1, 0) == Texts{"loads temp[0]", "stores temp[64]"});
  Texts second = texts(1, 9);
  REQUIRE(second.size() == 3);
  std::sort(second.begin(), second.begin() + 2);  // of a sum's terms, compilers choose
  CHECK(second == Texts{"loads temp[8]", "loads temp[9]", "stores temp[73]"});
  CHECK(texts(1, 64).empty());
  const Scene scene = drawn(document, "items", info.steps, 1840, 1000);
  CHECK(text_faults(scene).empty());
  CHECK(holds_text(scene, "load"));
  CHECK(holds_text(scene, "store"));
}

TEST_CASE("the window says what was not checked") {
  MemoryTrace sink;
  TraceInfo info;
  info.runtime = "host";
  sink.begin(info);
  LaunchInfo launch;
  launch.number = 1;
  launch.kernel = "k";
  launch.accesses.logged = true;
  launch.accesses.unresolved = 3;
  launch.accesses.unlogged = {{0, 7, 0, Message("images are not logged")}};
  sink.begin_launch(launch);
  sink.end_launch(launch, nullptr);
  Document document(sink.finish());
  std::vector<std::string> said;
  for (const TraceNote& note : facts_of(document).notes)
    if (note.title.english() == "not checked") said.push_back(note.text.english());
  CHECK(said == std::vector<std::string>{
                    "launch 1 (k): 3 of its accesses are to memory that is no buffer of the plan and were not checked",
                    "launch 1 (k): line 7: images are not logged"});
}

TEST_CASE("a sum's terms lead to what the sum is for") {
  Document document(foreign("dft_naive_lambda"));
  Flow& flow = document.flow();
  flow.begin_frame(document.info().steps, 1e9);
  int drawn_terms = 0;
  for (std::uint64_t step = 1; step <= document.info().steps && drawn_terms < 3; ++step) {
    const auto operation = flow.operation(step);
    REQUIRE(operation);
    const int segment = static_cast<int>(document.replay->segment_of(step));
    if (operation->kind != OperationKind::Term || !flow.shows(segment, operation->reads[0]) ||
        !flow.shows(segment + 1, operation->target))
      continue;
    DiagramInput input{document, {}, {}, theme(ThemeName::Light)};
    input.cursor.step = step, input.width = 1400, input.height = 900;
    // Zoomed in to where the operation is, so that lines are drawn.
    input.viewport.zoom = 4;
    input.viewport = view_named("flow")->showing(input, step);
    const Scene scene = view_named("flow")->draw(input);
    // A halo under the start, the leg between and the end.
    const auto halos = std::count_if(scene.shapes.begin(), scene.shapes.end(), [](const Shape2D& shape) {
      return std::holds_alternative<LineShape>(shape.geometry) && shape.stroke.role == Role::Now;
    });
    CHECK(halos >= 3);
    ++drawn_terms;
  }
  CHECK(drawn_terms > 0);
}

namespace {

// A kernel with butterflies and, of item 1, a write that is none.
std::shared_ptr<const TraceSource> partly_explained(std::uint64_t items) {
  OwnKernel own(
      "extern \"C\" __global__ void odd(const float2 *x, float2 *y) {\n"
      "  const int i = threadIdx.x, n = blockDim.x;\n"
      "  const float2 a = x[i], b = x[i + n];\n"
      "  y[2 * i] = make_float2(a.x + b.x, a.y + b.y);\n"
      "  y[2 * i + 1] = i == 1 ? make_float2(sqrtf(fabsf(a.x)) + b.y * a.x, b.x * b.x) : make_float2(a.x - b.x, a.y - "
      "b.y);\n"
      "}\n",
      ".cu");
  own.plan.signal = "random:3";
  const auto x = own.buffer("x", ElementType::Float2, 2 * items, Content::Kind::Signal);
  const auto y = own.buffer("y", ElementType::Float2, 2 * items);
  own.launch("odd", items, items, {x, y});
  MemoryTrace sink;
  trace_plan(own.plan, *open_host_runtime({}), {}, sink);
  return sink.finish();
}

std::ptrdiff_t rings_in(const Scene& scene) {
  return std::count_if(scene.shapes.begin(), scene.shapes.end(), [](const Shape2D& shape) {
    const auto* shown = std::get_if<TextShape>(&shape.geometry);
    return shown && shown->text == "?";
  });
}

}  // namespace

TEST_CASE("a write that nothing explains has a ring with a question mark, and no other has") {
  Document document(partly_explained(4));
  const AccessTotals& accesses = document.info().launches.at(0).accesses;
  REQUIRE(accesses.explained_writes > 0);
  REQUIRE(accesses.writes > accesses.explained_writes);
  std::ptrdiff_t stores = 0;
  for (std::uint64_t step = 1; step <= document.info().steps; ++step)
    stores += document.replay->operation(step).kind == OperationKind::Store;
  REQUIRE(stores > 0);
  for (const std::uint64_t step : {std::uint64_t(0), document.info().steps})
    CHECK(rings_in(drawn(document, "flow", step)) == stores);
}

TEST_CASE("where all that a launch wrote is explained there is no ring, though loads and stores are left of it") {
  OwnKernel own(
      "extern \"C\" __global__ void hadamard(float *left, float *right) {\n"
      "  const int i = threadIdx.x, j = i + blockDim.x;\n"
      "  const float a = left[i], b = right[i], c = left[j], d = right[j];\n"
      "  left[i] = a + c; right[i] = b + d;\n"
      "  left[j] = a - c; right[j] = b - d;\n"
      "}\n",
      ".cu");
  own.plan.signal = "random:3";
  const auto left = own.buffer("left", ElementType::Float, 8, Content::Kind::Signal),
             right = own.buffer("right", ElementType::Float, 8, Content::Kind::Signal);
  own.launch("hadamard", 4, 4, {left, right});
  MemoryTrace sink;
  trace_plan(own.plan, *open_host_runtime({}), {}, sink);
  Document document(sink.finish());
  const AccessTotals& accesses = document.info().launches.at(0).accesses;
  REQUIRE(accesses.writes > 0);
  REQUIRE(accesses.explained_writes == accesses.writes);
  std::ptrdiff_t stores = 0;
  for (std::uint64_t step = 1; step <= document.info().steps; ++step)
    stores += document.replay->operation(step).kind == OperationKind::Store;
  REQUIRE(stores > 0);
  CHECK(rings_in(drawn(document, "flow", document.info().steps)) == 0);
  CHECK(rings_in(drawn(document, "items", document.info().steps, 1840, 1000)) == 0);
}

TEST_CASE("it has one in its item's timeline, too, and where rows are too many for rings of their own") {
  Document document(partly_explained(4));
  document.flow().begin_frame(document.info().steps, 1e9);
  int open = 0;
  for (std::uint64_t item = 0; item < 4; ++item)
    for (const TimedAccess& access : item_timeline(document, 0, item)) open += access.unexplained;
  int loads_and_stores = 0;
  for (std::uint64_t step = 1; step <= document.info().steps; ++step)
    loads_and_stores += document.replay->operation(step).kind >= OperationKind::Load;
  CHECK(open > 0);
  CHECK(open >= loads_and_stores);  // a read of a vector may be one of each component
  const Scene scene = drawn(document, "items", document.info().steps, 1840, 1000);
  CHECK(text_faults(scene).empty());
  CHECK(rings_in(scene) == open + 1);  // and the legend's
  CHECK(holds_text(scene, "nothing explains it"));

  Document many(partly_explained(512));
  const Scene far = drawn(many, "flow", many.info().steps, 1400, 500);
  CHECK(text_faults(far).empty());
  CHECK(rings_in(far) == 1);
}
