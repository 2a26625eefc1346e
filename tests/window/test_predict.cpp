// Predict mode: the next operation is hidden and asked for, nothing gives it away, and the next step shows it.
#include "own_kernel.h"
#include "scene_texts.h"
#include "synthetic_trace.h"
#include "test_support.h"
#include "traced.h"
#include "viewer/control/window_control.h"
#include "viewer/panels/panels.h"
#include "viewer/render/render.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/view.h"
#include "window/press_key.h"

#include <doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace twiddle;

namespace {

std::string words_of(const Scene& scene) {
  std::string all;
  for (const Shape2D& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry)) all += text->text + "\n";
  return all;
}

std::string words_in(WindowControl& control) { return words_of(window_scene(control.document(), control.state())); }

/// Clicks the button of a command.
void click(WindowControl& control, Command command) {
  const Scene scene = window_scene(control.document(), control.state());
  for (const Shape2D& shape : scene.shapes) {
    if (shape.mark < 0) continue;
    const MarkText& mark = scene.marks[shape.mark];
    if (mark.mark.kind != MarkKind::Command || mark.mark.command != name_of(command)) continue;
    control.press(&mark, bounds(shape).centre());
    control.release(bounds(shape).centre());
    return;
  }
  FAIL("no button for ", name_of(command));
}

std::shared_ptr<const TraceReader> run(const synthetic::Folder& folder, const std::string& name, const Plan& plan) {
  const std::unique_ptr<Runtime> runtime = open_runtime("opencl", 0);
  TraceWriter writer(folder / name);
  trace_plan(plan, *runtime, {}, writer);
  writer.finish();
  return TraceReader::open(folder / name);
}

/// Four butterflies by four work-items; nibble after nibble says which elements meet. The source is the same for all, and
/// no result is longer than the others' when it is written out.
std::shared_ptr<const TraceReader> butterflies(const synthetic::Folder& folder, const std::string& pairs) {
  OwnKernel own(
      "kernel void meet(global float2 *F TRACE_PARAMS) {\n"
      "  int item = get_global_id(0);\n"
      "  int i0 = (PAIRS >> (28 - 8 * item)) & 15, i1 = (PAIRS >> (24 - 8 * item)) & 15;\n"
      "  float2 a = F[i0], b = F[i1], w = (float2)(i1 % 2 ? 1 : -1, 0);\n"
      "  F[i0] = a + w * b;\n"
      "  F[i1] = a - w * b;\n"
      "  TRACE_BUTTERFLY(F, i0, i1, w, a, b);\n"
      "}\n");
  const BufferArgument f = own.buffer("F", ElementType::Float2, 8);
  own.plan.expect.input = own.plan.expect.output = "F";
  own.launch("meet", 4, 4, {f}).defines = {"PAIRS=0x" + pairs + "u"};
  own.plan.algorithm = "mine.toml";
  return run(folder, pairs + ".twd", own.plan);
}

/// Eight work-items count what they load in one of eight bins, `shift` further from a work-item on.
std::shared_ptr<const TraceReader> counts(const synthetic::Folder& folder, int from, int shift) {
  OwnKernel own(
      "kernel void count(global const int *x, global int *bins TRACE_PARAMS) {\n"
      "  int item = get_global_id(0);\n"
      "  int value = x[item];\n"
      "  TRACE_LOAD(x, item, value);\n"
      "  int bin = (value + (item >= FROM ? SHIFT : 0)) % 8;\n"
      "  int before = atomic_add(&bins[bin], 1);\n"
      "  TRACE_ATOMIC(bins, bin, before, 1);\n"
      "}\n");
  const BufferArgument x = own.buffer("x", ElementType::Int, 8), bins = own.buffer("bins", ElementType::Int, 8);
  own.plan.buffers[1].content.kind = Content::Kind::Zero;
  own.launch("count", 8, 8, {x, bins}).defines = {"FROM=" + std::to_string(from), "SHIFT=" + std::to_string(shift)};
  own.plan.algorithm = "mine.toml";
  return run(folder, "counts" + std::to_string(from) + std::to_string(shift) + ".twd", own.plan);
}

/// All that a window shows and says, with what its marks lead to.
std::string all_of(Document& document, const WindowState& state) {
  return to_svg(window_scene(document, state), theme(state.theme), {.css_classes = true});
}

/// The first line in which two pictures differ, as each has it; empty: they are the same.
std::string difference(const std::string& a, const std::string& b) {
  if (a == b) return {};
  const std::size_t at =
      static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const auto line_at = [&](const std::string& text) {
    const std::size_t begin = text.rfind('\n', std::min(at, text.size() - 1)) + 1;
    return text.substr(begin, text.find('\n', at) - begin);
  };
  return line_at(a) + "\n" + line_at(b);
}

/// Two traces that part after `step` show the same up to there, in every view, size and presentation, with anything hovered.
void check_same_until(Document& one, Document& other, std::uint64_t step) {
  for (const View* view : views_of(one))
    for (std::uint64_t at = 0; at <= step; ++at)
      for (const bool presenting : {false, true})
        for (const float width : {1440.0f, 1000.0f, 600.0f})
          for (const int hovered : {-1, 3, 6}) {
            WindowState state;
            state.tab = view->name();
            state.width = width;
            state.presenting = presenting;
            state.cursor.step = at;
            state.predict = Predict::Asking;
            if (hovered >= 0)
              state.cursor.hover = Mark{
                  .kind = MarkKind::Element, .buffer = 0, .segment = 0, .index = static_cast<std::uint64_t>(hovered)};
            CAPTURE(view->name());
            CAPTURE(at);
            CAPTURE(presenting);
            CAPTURE(width);
            CAPTURE(hovered);
            CHECK(difference(all_of(one, state), all_of(other, state)) == "");
          }
}

}  // namespace

TEST_CASE("predict mode asks for the next operation, and a step or a click on the question answers") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  control.seek(6);
  press_key(control, "Q");
  CHECK(control.state().predict == Predict::Asking);
  CHECK(control.state().cursor.step == 6);
  CHECK(contains(words_in(control), "Work-item 0 reads F[0]: which element is its partner, and what is the factor w?"));
  press_key(control, "Right");
  CHECK(control.state().predict == Predict::Answered);
  CHECK(control.state().cursor.step == 7);
  CHECK(contains(words_in(control), "F[0] + w·F[2]"));
  CHECK_FALSE(contains(words_in(control), "which element is its partner"));
  click(control, Command::StepForward);  // the bar's button, or the question itself: the first of them
  CHECK(control.state().predict == Predict::Asking);
  CHECK(control.state().cursor.step == 7);

  // It goes on wherever the cursor goes; what is played is shown, and the end asks for nothing.
  press_key(control, "Left");
  CHECK(control.state().predict == Predict::Asking);
  CHECK(control.state().cursor.step == 6);
  press_key(control, "Space");
  CHECK(control.state().predict == Predict::Answered);
  press_key(control, "Space");
  press_key(control, "End");
  CHECK(control.state().predict == Predict::Answered);
  press_key(control, "Right");
  CHECK(control.state().predict == Predict::Answered);
  CHECK(contains(words_in(control), "This was the last operation."));
  press_key(control, "Escape");
  CHECK(control.state().predict == Predict::Off);
  click(control, Command::Predict);
  CHECK(control.state().predict == Predict::Answered);  // still at the end
  press_key(control, "Home");
  press_key(control, "Right");
  CHECK(control.state().predict == Predict::Asking);
  click(control, Command::Predict);
  CHECK(control.state().predict == Predict::Off);
}

TEST_CASE("the question has its room in every window, and every kind of operation has one") {
  for (const auto& [algorithm, n] : {std::pair{"fft-radix2", 8},
                                     {"fft-radix4", 16},
                                     {"dft", 4},
                                     {"histogram-local", 64},
                                     {"reduce-interleaved", 16},
                                     {"fft-radix2-local", 8}}) {
    Document document(traced(algorithm, static_cast<std::uint64_t>(n), algorithm[0] == 'h' ? "sawtooth:16" : "ramp"));
    for (std::uint64_t step = 0; step < document.info().steps; step += 3)
      for (const auto& [width, height] : {std::pair{1440.0f, 900.0f}, {1000.0f, 700.0f}, {640.0f, 480.0f}})
        for (const bool presenting : {false, true}) {
          WindowState state;
          state.width = width, state.height = height;
          state.presenting = presenting;
          state.cursor.step = step;
          state.predict = Predict::Asking;
          const Box question = window_layout(state).question;
          const PanelContext context(document, state, facts_of(document));
          const Scene scene = presenting ? present_question_panel(context, question.w, question.h)
                                         : question_panel(context, question.w, question.h);
          CAPTURE(algorithm);
          CAPTURE(step);
          CAPTURE(width);
          CHECK(contains(words_of(scene), "Work-item"));
          CHECK(text_faults(scene) == std::vector<std::string>{});
          CHECK(question.bottom() <= height);
          CHECK_FALSE(window_layout(state).diagram.overlaps(question));
        }
  }
}

TEST_CASE("nothing gives the next butterfly away: texts, wires, tooltips, inspector, source and lanes") {
  const synthetic::Folder folder;
  Document even(butterflies(folder, "01234567"));
  REQUIRE(even.info().steps == 4);
  // They look the same: the first element that is read is shown, the second is asked for.
  for (const auto& [pairs, step] : {std::pair{"04231567", 0}, {"01264573", 1}, {"01234657", 2}}) {
    Document other(butterflies(folder, pairs));
    check_same_until(even, other, static_cast<std::uint64_t>(step));
    WindowState state;
    state.cursor.step = static_cast<std::uint64_t>(step);
    CHECK(all_of(even, state) != all_of(other, state));  // they do differ, and the window shows it otherwise
  }
}

TEST_CASE("an element that no work-item will write does not say so before its stage is over") {
  Document document(traced("reduce-interleaved", 16));
  WindowState state;
  state.tab = "butterfly";
  state.cursor.step = 20;  // 16 loads, then four additions of the first stage
  state.predict = Predict::Asking;
  const Scene scene = window_scene(document, state);
  const auto mark = std::find_if(scene.marks.begin(), scene.marks.end(), [](const MarkText& one) {
    return one.mark.kind == MarkKind::Element && one.mark.segment == 1 && one.mark.index == 9;
  });
  REQUIRE(mark != scene.marks.end());
  CHECK(contains(mark->label, "pending"));
}

TEST_CASE("nothing gives the next bin away") {
  const synthetic::Folder folder;
  Document plain(counts(folder, 8, 0));
  for (const int item : {2, 5}) {
    Document other(counts(folder, item, 3));
    std::uint64_t step = 0;  // the last before they part
    const auto parts = [&](const Operation& next) {
      return next.kind == OperationKind::Atomic && next.item >= static_cast<std::uint64_t>(item);
    };
    while (!parts(plain.replay->operation(step + 1))) ++step;
    check_same_until(plain, other, step);
  }
}
