// The picture of memory: it fills its pane, and what elements hold can be read at every size and on every theme.
#include "checked.h"
#include "own_kernel.h"
#include "traced.h"
#include "tracer/file/trace_file.h"
#include "viewer/document/flow.h"
#include "viewer/document/request.h"
#include "viewer/memory/memory_regions.h"
#include "viewer/views/view.h"
#include "viewer/words/value_text.h"

#include <doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace twiddle;

namespace {

Scene memory_of(Document& document, std::uint64_t step, ThemeName name, float width = 864, float height = 562) {
  DiagramInput input{document, {}, {}, theme(name)};
  input.cursor.step = step;
  input.width = width, input.height = height;
  return view_named("memory")->draw(input);
}

struct Element {
  Box box;
  Role fill = Role::None;
  std::vector<std::string> texts;
};

/// The elements of a scene by buffer, group and index, with what is in them.
std::map<std::tuple<int, std::uint64_t, std::uint64_t>, Element> elements(const Scene& scene) {
  std::map<std::tuple<int, std::uint64_t, std::uint64_t>, Element> found;
  for (const Shape2D& shape : scene.shapes) {
    if (shape.mark < 0) continue;
    const Mark& mark = scene.marks[shape.mark].mark;
    if (mark.kind != MarkKind::Element) continue;
    Element& element = found[{mark.buffer, mark.item, mark.index}];
    if (const auto* text = std::get_if<TextShape>(&shape.geometry)) element.texts.push_back(text->text);
    if (const auto* box = std::get_if<BoxShape>(&shape.geometry); box && element.box.w == 0)
      element.box = box->box, element.fill = shape.fill;
  }
  return found;
}

std::set<std::string> words_of(const Scene& scene) {
  std::set<std::string> words;
  for (const Shape2D& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry)) words.insert(text->text);
  return words;
}

BufferInfo buffer_of(ElementType type, std::uint64_t count, Space space = Space::Global) {
  BufferInfo buffer;
  buffer.type = type, buffer.count = count, buffer.space = space;
  return buffer;
}

}  // namespace

TEST_CASE("few elements of memory fill the pane, each with its name, its value and its writer") {
  Document document(trace_of("fft-radix2", 8));
  const Scene scene = memory_of(document, 8, ThemeName::Light);
  const auto all = elements(scene);
  CHECK(all.size() == 16);  // F, which the operation works on, and the other buffer, for which there is room
  float lowest = 0;
  for (const auto& [key, element] : all) {
    CHECK(element.texts.size() == 3);
    lowest = std::max(lowest, element.box.bottom());
  }
  CHECK(lowest > 0.75f * scene.height);
}

TEST_CASE("values in memory can be read on a projector") {
  for (const std::uint64_t n : {8, 64, 256}) {
    CAPTURE(n);
    Document document(trace_of("fft-radix2", n));
    const auto step = document.info().steps - 1;
    const auto now = document.flow().operation(step);
    REQUIRE(now);
    const auto all = elements(memory_of(document, step, ThemeName::Projector, 832, 684));
    for (const Access& write : now->writes) {
      const auto found = all.find({write.buffer, 0, write.index});
      REQUIRE(found != all.end());
      CHECK(found->second.fill == Role::Now);
      CHECK(found->second.texts.size() >= 2);  // the value in a line or two, and the writer
    }
  }
}

TEST_CASE("the arrays of the groups beside a group are beside its own, and the work in its own alone") {
  Request request;
  request.algorithm = "fft2d";
  request.rows = 8, request.columns = 8;
  Document document(TraceReader::open(traced_file(request)));
  std::uint64_t step = 1;
  std::optional<Operation> now;
  for (; step <= document.info().steps; ++step) {
    now = document.flow().operation(step);
    if (now && now->kind == OperationKind::Butterfly && now->item / 8 == 2) break;
  }
  REQUIRE(step <= document.info().steps);
  const auto all = elements(memory_of(document, step, ThemeName::Light));
  std::set<std::uint64_t> groups, at_work;
  for (const auto& [key, element] : all) {
    if (std::get<0>(key) != now->writes[0].buffer) continue;
    groups.insert(std::get<1>(key));
    if (element.fill == Role::Now) at_work.insert(std::get<1>(key));
    if (std::get<1>(key) != 2)
      CHECK((element.fill == Role::Canvas || element.fill == Role::Grey0 || element.fill == Role::DoneSoft));
  }
  CHECK(groups == std::set<std::uint64_t>{1, 2, 3});
  CHECK(at_work == std::set<std::uint64_t>{2});
}

TEST_CASE("rows of memory are as long as lets values be read, and fill the room") {
  const RowLayout few = row_layout(buffer_of(ElementType::Float2, 8), 754, 434);
  CHECK(few.readable);
  CHECK(few.row_bytes == 32);
  CHECK(few.per_row == 4);
  CHECK(few.rows == 2);
  CHECK(few.pitch * 2 > 0.6f * 434);
  const RowLayout some = row_layout(buffer_of(ElementType::Float2, 64), 754, 434);
  CHECK(some.readable);
  CHECK(some.row_bytes == 64);
  // All banks of local memory stay side by side where that can be read.
  const RowLayout banks = row_layout(buffer_of(ElementType::UInt, 256, Space::Local), 754, 434);
  CHECK(banks.readable);
  CHECK(banks.row_bytes == max_row_bytes);
  CHECK_FALSE(row_layout(buffer_of(ElementType::Float2, 1024), 754, 434).readable);
  CHECK_FALSE(wide_layout(buffer_of(ElementType::Double2, 1024), 60));
  for (const ElementType type : {ElementType::UInt, ElementType::Float, ElementType::Float2, ElementType::Double2})
    for (const std::uint64_t count : {1, 3, 8, 100, 4096}) {
      const BufferInfo buffer = buffer_of(type, count);
      const RowLayout layout = row_layout(buffer, 754, 434);
      CHECK(layout.rows * layout.per_row >= count);
      CHECK((layout.rows - 1) * layout.per_row < count);
      CHECK(layout.pitch * static_cast<float>(layout.rows) <= doctest::Approx(434).epsilon(0.001));
      CHECK(layout.readable == values_fit(buffer, 754 / static_cast<float>(layout.per_row), layout.pitch));
    }
}

TEST_CASE("all that a sub-group asks for in one turn is in the picture, however far apart it is") {
  // A tile of 32 × 32: its columns are in one bank, or, written straight to global memory, in a sector each.
  for (const char* algorithm : {"gallery/bank-conflict", "gallery/strided-write"}) {
    Document document(trace_of(algorithm, 32));
    const TraceInfo& info = document.info();
    std::uint64_t step = 0;
    for (std::uint64_t s = 1; s <= info.steps && step == 0; ++s) {
      const Operation op = document.replay->operation(s);
      const std::vector<Operation> request = request_of(document, op);
      for (int w = 0; w < op.writes.size() + op.reads.size() && step == 0; ++w) {
        const bool write = w < op.writes.size();
        const int which = write ? w : w - op.writes.size();
        const int buffer = write ? op.writes[which].buffer : op.reads[which].buffer;
        const RequestCost cost = cost_of(info, request, buffer, which, write);
        const bool local = info.buffers[buffer].space == Space::Local;
        if (local ? cost.banks.degree() != 32 : cost.sectors.size() != 32) continue;
        step = s;
        for (const float height : {562.0f, 900.0f}) {
          const auto all = elements(memory_of(document, s, ThemeName::Light, 1008, height));
          std::uint64_t drawn = 0;
          for (const std::uint64_t element : cost.elements)
            for (const auto& [key, found] : all)
              drawn += std::get<0>(key) == buffer && std::get<2>(key) == element && found.box.h >= 4;
          CAPTURE(std::string(algorithm));
          CAPTURE(height);
          CHECK(drawn == cost.elements.size());
        }
      }
    }
    CHECK(step > 0);
  }
}

TEST_CASE("of the rows that a sub-group touches those in sight are counted") {
  Document document(trace_of("fft-stockham2", 1024));
  const TraceInfo& info = document.info();
  const std::uint64_t step = 4 * 512 + 78;  // work-item 77 of stage 5
  const Operation op = document.replay->operation(step);
  const std::vector<Operation> request = request_of(document, op);
  const Scene scene = memory_of(document, step, ThemeName::Light);
  std::map<int, std::map<float, std::set<std::uint64_t>>> drawn;  // buffer → height → elements with their values
  for (const auto& [key, element] : elements(scene))
    if (!element.texts.empty()) drawn[std::get<0>(key)][element.box.y].insert(std::get<2>(key));
  REQUIRE(drawn.size() == 2);
  for (const auto& [buffer, rows] : drawn) {
    std::set<std::uint64_t> asked, seen;
    const std::uint64_t per_row = rows.begin()->second.size();
    for (const bool write : {false, true})
      for (int which = 0; which < 2; ++which)
        if ((write ? op.writes : op.reads)[which].buffer == buffer)
          for (const std::uint64_t element : cost_of(info, request, buffer, which, write).elements)
            asked.insert(element / per_row);
    for (const auto& [y, row] : rows)
      if (asked.contains(*row.begin() / per_row)) seen.insert(*row.begin() / per_row);
    REQUIRE(seen.size() > 0);
    REQUIRE(seen.size() < asked.size());
    CHECK(words_of(scene).contains(
        fmt::format("{} of the {} rows touched are in sight: scroll, or enlarge the pane", seen.size(), asked.size())));
  }
}

TEST_CASE("a low pane of memory is filled with the elements around those that are touched") {
  Document document(trace_of("fft-radix2", 16));
  for (std::uint64_t step = 1; step <= document.info().steps; ++step) {
    DiagramInput input{document, {}, {}, theme(ThemeName::Light)};
    input.cursor.step = step;
    input.width = 512, input.height = 180;
    input.small = true;
    const auto all = elements(view_named("memory")->draw(input));
    CAPTURE(step);
    CHECK(all.size() >= 8);
    std::uint64_t rest = 0;
    for (const auto& [key, element] : all) rest = std::max(rest, std::uint64_t(element.box.right()));
    CHECK(rest > 400);
  }
}

TEST_CASE("a low pane of memory has a cell for all that the operation writes, with its index, value and writer") {
  for (const auto& [algorithm, n] : {std::pair{"fft-radix2", 8}, {"fft-radix2", 1024}, {"fft-radix4", 256}}) {
    CAPTURE(algorithm);
    CAPTURE(n);
    Document document(trace_of(algorithm, static_cast<std::uint64_t>(n)));
    DiagramInput input{document, {}, {}, theme(ThemeName::Light)};
    input.cursor.step = document.info().steps - 1;
    input.width = 512, input.height = 180;
    input.small = true;
    const auto now = document.flow().operation(input.cursor.step);
    REQUIRE(now);
    const Scene scene = view_named("memory")->draw(input);
    const auto all = elements(scene);
    std::set<std::string> texts;
    for (const Shape2D& shape : scene.shapes)
      if (const auto* text = std::get_if<TextShape>(&shape.geometry)) texts.insert(text->text);
    for (const Access& write : now->writes) {
      const auto found = all.find({write.buffer, 0, write.index});
      REQUIRE(found != all.end());
      CHECK(found->second.fill == Role::Now);
      CHECK(found->second.texts.size() >= 2);  // the value in a line or two, and the writer
      CHECK(texts.contains(std::to_string(write.index)));
      CHECK(texts.contains("+" + std::to_string(8 * write.index)));
    }
    for (const auto& [key, element] : all) CHECK(element.box.right() <= scene.width);
  }
}

TEST_CASE("the picture of memory and the check say the same of a bank conflict") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  // A tile 16 points wide, so that each of its rows takes all banks: the first half of the sub-group works on eight columns of
  // two rows, the second half on the next eight.
  OwnKernel own(
      "kernel void columns(global const float2 *x, local float2 *tile TRACE_PARAMS) {\n"
      "  int t = get_local_id(0), at = t / 8 % 2 * 16 + t % 8 + t / 16 * 8;\n"
      "  float2 v = x[t];\n"
      "  tile[at] = v;\n"
      "  TRACE_MOVE(tile, at, x, t, v);\n"
      "}\n");
  const auto x = own.buffer("x", ElementType::Float2, 32);
  own.launch("columns", 32, 32, {x, LocalArgument{256}});
  const synthetic::Folder folder;
  TraceWriter writer(folder / "columns.twd");
  trace_plan(own.plan, *runtime, {}, writer);
  writer.finish();
  Document document(TraceReader::open(folder / "columns.twd"));
  std::vector<Finding> findings = check_trace(*document.replay);
  // Nothing reads the tile, which is said, too.
  CHECK(std::erase_if(findings, [](const Finding& one) { return one.kind == FindingClass::UnreadWrite; }) == 1);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].kind == FindingClass::BankConflict);
  CHECK(findings[0].message.english().find("degree 2") != std::string::npos);
  std::vector<std::string> costs;
  for (const Shape2D& shape : memory_of(document, 1, ThemeName::Light).shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry);
        text && text->text.find("pass") != std::string::npos)
      costs.push_back(text->text);
  CHECK(costs == std::vector<std::string>{"one sub-group, write: 4 passes, 2 at best: degree 2"});
}

TEST_CASE("registers have no banks") {
  Request request;
  request.algorithm = "fft-registers", request.n = 64, request.method = "scattered";
  Document document(TraceReader::open(traced_file(request)));
  const auto registers = [&](int buffer) {
    const BufferInfo* of = document.info().buffer(buffer);
    return of && is_registers(*of);
  };
  const auto reads_registers = [&](std::uint64_t step) {
    const Operation operation = document.replay->operation(step);
    return !operation.reads.empty() && registers(operation.reads[0].buffer);
  };
  std::uint64_t step = 1;
  while (step < document.info().steps && !reads_registers(step)) ++step;
  const Scene scene = memory_of(document, step, ThemeName::Light, 1400, 900);
  const auto shown = elements(scene);
  REQUIRE(std::any_of(shown.begin(), shown.end(), [&](const auto& one) { return registers(std::get<0>(one.first)); }));
  CHECK_FALSE(words_of(scene).contains("bank"));
}

TEST_CASE("the map of many elements shows all that was written, before the segment at work, too") {
  Document document(trace_of("fft-radix2", 1024));
  CHECK_FALSE(words_of(memory_of(document, 10, ThemeName::Dark)).contains("written earlier"));
  // Some time after the last segment began, which writes all, as those before it did.
  const Scene scene = memory_of(document, document.info().segments.back().first_step + 10, ThemeName::Dark);
  CHECK(words_of(scene).contains("written earlier"));
  // The map is what is filled over the same width and is of no element.
  std::vector<Box> boxes;
  float widest = 0;
  for (const Shape2D& shape : scene.shapes) {
    const auto* box = std::get_if<BoxShape>(&shape.geometry);
    const bool of_element = shape.mark >= 0 && scene.marks[shape.mark].mark.kind == MarkKind::Element;
    if (!box || of_element || (shape.fill != Role::Grey0 && shape.fill != Role::DoneSoft)) continue;
    boxes.push_back(box->box);
    widest = std::max(widest, box->box.w);
  }
  std::erase_if(boxes, [&](const Box& box) { return box.w < widest; });
  REQUIRE_FALSE(boxes.empty());
  std::sort(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.y < b.y; });
  float filled = 0, reached = 0;
  for (const Box& box : boxes) {
    filled += std::max(0.0f, box.bottom() - std::max(box.y, reached));
    reached = std::max(reached, box.bottom());
  }
  CHECK(filled > 0.5f * scene.height);
  CHECK(filled == doctest::Approx(reached - boxes.front().y).epsilon(0.01));
}

TEST_CASE("a ring is no dot, on an element that is written now and in the dark, too") {
  Document document(trace_of("fft-radix2", 8));
  for (const ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Projector}) {
    const Scene scene = memory_of(document, 9, name);
    int rings = 0, dots = 0;
    for (const Shape2D& shape : scene.shapes) {
      if (!std::holds_alternative<CircleShape>(shape.geometry) || shape.mark < 0) continue;
      if (scene.marks[shape.mark].mark.kind != MarkKind::Element) continue;
      const bool ring = shape.stroke.role != Role::None;
      CHECK((shape.fill == Role::None) == ring);
      (ring ? rings : dots)++;
    }
    CHECK(rings == 4);  // read b of four items
    CHECK(dots == 4);
  }
}
