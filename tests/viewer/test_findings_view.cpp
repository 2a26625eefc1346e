// Findings in the window: listed by severity, ticks on the scrub bar, N and Shift+N, culprits lit in every view.
#include "checked.h"
#include "own_kernel.h"
#include "test_support.h"
#include "traced.h"
#include "tracer/file/trace_file.h"
#include "viewer/control/window_control.h"
#include "viewer/facts/findings.h"
#include "viewer/facts/links.h"
#include "viewer/input/keys.h"
#include "viewer/panels/panels.h"
#include "window/press_key.h"

#include <doctest.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <thread>
#include <utility>

using namespace twiddle;

namespace {

const TraceNote& note_at(Document& document, const Mark& mark) {
  return facts_of(document).notes.at(static_cast<std::size_t>(mark.index));
}

}  // namespace

TEST_CASE("findings are notes, errors first, with their sentence, their advice and their place") {
  Document document(traced("gallery/wrong-sign", 8));
  const std::vector<TraceNote>& notes = facts_of(document).notes;
  REQUIRE(!notes.empty());
  CHECK(notes[0].severity == Severity::Error);
  CHECK(notes[0].title == "wrong-twiddle  L3.S2.I1 ×2");
  CHECK(contains(text_of(notes[0]), "Work-item 1 multiplies F[3] by"));
  CHECK(contains(text_of(notes[0]), "The forward transform takes"));
  REQUIRE(notes[0].finding);
  CHECK(notes[0].step == notes[0].finding->step);
  CHECK(std::is_sorted(notes.begin(), notes.end(),
                       [](const TraceNote& a, const TraceNote& b) { return a.severity < b.severity; }));
}

TEST_CASE("N goes to the worst finding first, then round and round; Shift+N backwards") {
  Document document(traced("gallery/wrong-sign", 8));
  const std::size_t count = facts_of(document).notes.size();
  REQUIRE(count >= 2);
  WindowControl control(document, {});
  press_key(control, "N");
  const Cursor& cursor = control.state().cursor;
  REQUIRE(cursor.pinned);
  CHECK(cursor.pinned->kind == MarkKind::Finding);
  CHECK(cursor.pinned->index == 0);
  CHECK(cursor.step == note_at(document, *cursor.pinned).step);
  CHECK(control.state().side_tab == SideTab::Findings);
  for (std::size_t i = 1; i < count; ++i) {
    press_key(control, "N");
    CHECK(cursor.pinned->index == i);
    CHECK(cursor.step == note_at(document, *cursor.pinned).step);
  }
  press_key(control, "N");
  CHECK(cursor.pinned->index == 0);
  press_key(control, "Shift+N");
  CHECK(cursor.pinned->index == count - 1);
  press_key(control, "Escape");
  CHECK_FALSE(cursor.pinned);
}

TEST_CASE("a finding lights its culprits, the element and the line, in all views") {
  Document document(traced("gallery/wrong-sign", 8));
  WindowControl control(document, {});
  press_key(control, "N");
  const Finding finding = *note_at(document, *control.state().cursor.pinned).finding;
  const Links links(document, control.state().cursor);
  CHECK(links.lit_step(finding.step) == 1);
  REQUIRE(finding.items.size() == 2);
  for (const std::uint64_t item : finding.items) CHECK(links.lit_item(finding.launch, item) == 1);
  CHECK(links.lit_item(finding.launch, 0) == 0);
  CHECK(links.lit_item(finding.launch + 1, finding.items[0]) == 0);
  CHECK(links.lit_element(finding.buffer, *finding.element) == 1);
  CHECK(links.lit_line(finding.source, finding.line) == 1);

  const Scene scene = window_scene(document, control.state());
  const auto ticks = std::count_if(scene.marks.begin(), scene.marks.end(),
                                   [](const MarkText& text) { return text.mark.kind == MarkKind::Finding; });
  CHECK(ticks >= static_cast<long>(facts_of(document).notes.size()));
}

TEST_CASE("the ideal is beside the logged: the factor that belongs there, and the partner's wires") {
  const auto texts = [](Document& document) {
    WindowControl control(document, {});
    press_key(control, "N");
    std::string all;
    for (const Shape2D& shape : window_scene(document, control.state()).shapes)
      if (const auto* text = std::get_if<TextShape>(&shape.geometry)) all += text->text + "\n";
    return all;
  };
  Document sign(traced("gallery/wrong-sign", 8));
  const std::string said = texts(sign);
  CHECK(contains(said, "w logged\n(0, 1)\nw ideal\n(0, −1)\n"));

  Document half(traced("gallery/half-butterfly", 8));
  CHECK(contains(texts(half), "F[2] ideal"));
}

TEST_CASE("the wires of the partner that a butterfly should have had are dotted, and the partner is ringed") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  OwnKernel own(
      "kernel void stage(global float2 *x, int s TRACE_PARAMS) {\n"
      "  int g = get_global_id(0), h = s == 1 ? g + 2 : 3 - g;\n"
      "  float2 a = x[g], b = x[h];\n"
      "  x[g] = a + b;\n"
      "  x[h] = a - b;\n"
      "  TRACE_BUTTERFLY(x, g, h, (float2)(1, 0), a, b);\n"
      "}\n");
  const auto x = own.buffer("x", ElementType::Float2, 4);
  for (int stage = 1; stage <= 2; ++stage) own.launch("stage", 2, 2, {x, int_argument(stage)}).stage = stage;
  own.plan.expect.transform = Expect::Transform::Fft;
  own.plan.expect.input = own.plan.expect.output = "x";
  const synthetic::Folder folder;
  TraceWriter writer(folder / "own.twd");
  trace_plan(own.plan, *runtime, {}, writer);
  writer.finish();
  Document document(TraceReader::open(folder / "own.twd"));
  const TraceNote& note = facts_of(document).notes.at(0);
  CHECK(contains(text_of(note), "Work-item 0 merges x[0] with x[3]"));
  REQUIRE(note.finding->ideal);
  CHECK(note.finding->ideal->partner == 1);

  WindowControl control(document, {});
  press_key(control, "N");
  const Scene scene = window_scene(document, control.state());
  const auto dotted = std::count_if(scene.shapes.begin(), scene.shapes.end(), [](const Shape2D& shape) {
    return shape.stroke.role == Role::Error && shape.stroke.dash_on > 0;
  });
  CHECK(dotted == 7);  // three pieces of a wire to each output, and the ring
}

TEST_CASE("a large trace is checked in the background, from its file; stopping does not wait") {
  const auto trace = traced("gallery/wrong-sign", 4096, "random:1");
  Document document(trace);
  REQUIRE(document.info().steps > checked_at_once);
  CHECK(findings_at_once(document).empty());
  { const FindingsSearch left(trace); }
  FindingsSearch search(trace);
  CHECK(search.running());
  std::optional<std::vector<TraceNote>> notes;
  while (!notes) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    notes = search.take();
  }
  CHECK_FALSE(search.running());
  CHECK_FALSE(search.take());
  REQUIRE(!notes->empty());
  CHECK(contains(notes->front().title, "wrong-twiddle"));
  TraceFacts facts;
  facts.notes.push_back({Severity::Error, Message("operations lost"), Message("Some."), 1, {}});
  facts.notes.push_back({Severity::Note, Message("filtered"), Message("Some."), 0, {}});
  add_notes(facts, *notes);
  CHECK(facts.notes.size() == notes->size() + 2);
  CHECK(facts.notes.back().title == "filtered");

  const FindingsSearch small(traced("fft-radix2", 8));
  CHECK_FALSE(small.running());
}

TEST_CASE("a finding's sentence begins with a capital, a name in the kernel stays as it is written there") {
  for (const auto& [message, sentence] : {std::pair("work-item 1 reads x[9]", "Work-item 1 reads x[9]."),
                                          std::pair("nums[3] ends as x[2]", "nums[3] ends as x[2]."),
                                          std::pair("the outcome is wrong", "The outcome is wrong.")}) {
    Finding finding;
    finding.message = Message::verbatim(message);
    CHECK(text_of(notes_of({}, std::span(&finding, 1)).at(0)) == sentence);
  }
}
