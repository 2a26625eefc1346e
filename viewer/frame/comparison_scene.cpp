#include "viewer/frame/comparison_scene.h"

#include "base/message.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/scene/diagram_parts.h"
#include "viewer/views/view.h"
#include "viewer/words/device_name.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/twiddle_name.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

constexpr int frame_layer = layer::now_nodes;
constexpr std::size_t max_compared = 4096;  // elements of a picture that are looked up in both traces

/// The settings that differ from the other half: "w native, x cosine:50".
std::string differing_settings(const TraceInfo& info, const TraceInfo& other) {
  std::string differing;
  const auto compare = [&](const std::string& what, const std::string& mine, const std::string& theirs) {
    if (mine != theirs && !mine.empty()) differing += (differing.empty() ? "" : ", ") + what + " " + mine;
  };
  compare("x", signal_name(info.signal), signal_name(other.signal));
  for (const auto& [name, value] : info.parameters) {
    const auto theirs = other.parameters.find(name);
    compare(name == "n"          ? "N"
            : name == "twiddles" ? "w"
                                 : name,
            value, theirs == other.parameters.end() ? std::string() : theirs->second);
  }
  return differing;
}

/// What the half is of, and its step.
Scene head(const PanelContext& context, const TraceInfo& other, float width, float height) {
  Scene scene;
  scene.width = width, scene.height = height;
  const TraceInfo& info = context.info();
  const float left = context.px(16), top = context.px(18), below = context.px(41);
  const float chip = position_chip(context, scene, width - context.px(16), top, position_text(context), 13);
  label(scene, left, top, short_name_of(info), context.mono(15, Weight::SemiBold), Role::Ink,
        chip - left - context.px(12));
  const std::string step =
      tr("step {} of {}", count_text(std::min(context.state.cursor.step, info.steps)), count_text(info.steps));
  const float aside = text_width(context.caption(), step);
  const bool both = left + context.px(120) + aside < width - context.px(16);
  if (both) label(scene, width - context.px(16), below, step, context.caption(), Role::Ink2, aside, Anchor::End);
  const std::string differing = differing_settings(info, other), where = device_name(info.runtime, info.device);
  label(scene, left, below, differing.empty() ? where : differing + " · " + where, context.caption(), Role::Ink2,
        width - context.px(32) - (both ? aside + context.px(12) : 0));
  return scene;
}

/// The first box of each element's mark, which is its place in the picture; none where they are too many to be distinguished.
std::vector<std::pair<Mark, Box>> element_places(const Scene& scene) {
  std::vector<std::pair<Mark, Box>> places;
  std::vector<char> seen(scene.marks.size(), 0);
  for (const Shape2D& shape : scene.shapes) {
    if (shape.mark < 0 || seen[shape.mark] || !std::holds_alternative<BoxShape>(shape.geometry)) continue;
    if (scene.marks[shape.mark].mark.kind != MarkKind::Element) continue;
    seen[shape.mark] = 1;
    if (places.size() == max_compared) return {};
    places.emplace_back(scene.marks[shape.mark].mark, bounds(shape));
  }
  return places;
}

/// Frames over wires and nodes, below the tags of the inputs.
void frame_elements(const PanelContext& context, const std::vector<std::pair<Mark, Box>>& places,
                    const std::function<bool(const Mark&)>& differs, Role role, bool sign, Scene& scene) {
  scene.set_layer(frame_layer);
  for (const auto& [mark, box] : places) {
    if (!differs(mark)) continue;
    scene.rect(box.inset(-context.px(2)), Role::None, {Role::Ink, context.px(3.5f)}, context.px(5));
    scene.rect(box.inset(-context.px(2)), Role::None, {role, context.px(2.5f)}, context.px(5));
    if (sign && box.h >= context.px(18) && box.w >= context.px(30))
      severity_sign(context, scene, Severity::Error, {box.right(), box.y}, context.px(13));
  }
  scene.set_layer(0);
}

/// Frames around elements that the two hold differently, with a sign at their corners.
void frame_differences(const Comparison& comparison, const PanelContext& context, int side, Scene& scene) {
  // Elements are compared by their marks in the first trace.
  const auto known = [&](Mark mark) -> std::optional<Mark> {
    mark.side = side;
    return side == 0 ? mark : comparison.counterpart(mark);
  };
  std::vector<std::pair<Mark, Box>> places;
  double scale = 0;
  for (const auto& [mark, box] : element_places(scene))
    if (const auto one = known(mark)) {
      places.emplace_back(*one, box);
      scale = std::max(scale, comparison.magnitude_of(*one));
    }
  frame_elements(
      context, places, [&](const Mark& mark) { return comparison.differs(mark, scale); }, Role::Error, true, scene);
}

}  // namespace

void frame_changes(const PanelContext& context, Scene& scene) {
  const Changes* changes = context.state.frames.get();
  if (!changes) return;
  const TraceInfo& info = context.info();
  const std::uint64_t step = std::min(context.state.cursor.step, info.steps);
  frame_elements(
      context, element_places(scene),
      [&](const Mark& mark) {
        const BufferInfo* buffer = info.buffer(mark.buffer);
        if (!buffer || mark.segment >= static_cast<int>(info.segments.size())) return false;
        if (!changes->element(mark.buffer, mark.item * buffer->count + mark.index, mark.segment)) return false;
        if (mark.segment < 0 || info.segments[static_cast<std::size_t>(mark.segment)].end_step() <= step + 1)
          return true;
        // In a stage that is under way: what has its value by now.
        if (info.segments[static_cast<std::size_t>(mark.segment)].first_step > step) return false;
        std::vector<std::byte> is(traits(buffer->type).bytes), after(is.size());
        return context.document.replay->state().read(mark.buffer, mark.item, mark.index, is) &&
               context.document.replay->state_after(mark.segment)->read(mark.buffer, mark.item, mark.index, after) &&
               is == after;
      },
      Role::Hover, false, scene);
}

void put(Scene& scene, const Scene& pane, const Box& box, int side) {
  const std::size_t before = scene.marks.size();
  scene.unfinished = scene.unfinished || pane.unfinished;
  scene.push_clip(box);
  scene.add(pane, {box.x, box.y});
  scene.pop_clip();
  for (std::size_t m = before; m < scene.marks.size(); ++m) scene.marks[m].mark.side = side;
}

WindowState half_state(const Comparison& comparison, const WindowState& state, int side) {
  WindowState half = state;
  half.cursor.step = side == 0 ? state.cursor.step : comparison.second_step(state.cursor.step);
  const auto own = [&](std::optional<Mark>& mark) {
    if (mark && mark->side != side) mark = comparison.counterpart(*mark);
    if (mark) mark->side = 0;
  };
  own(half.cursor.hover);
  own(half.cursor.pinned);
  return half;
}

void draw_side_by_side(const Comparison& comparison, const WindowState& state, const WindowLayout& layout,
                       Scene& scene) {
  const std::array<Document*, 2> documents = {&comparison.first(), &comparison.second()};
  const std::array<WindowState, 2> halves = {half_state(comparison, state, 0), half_state(comparison, state, 1)};
  std::array<Scene, 2> views;
  // Both must be at their steps before elements are compared.
  for (std::size_t side = 0; side < 2; ++side) {
    Document& document = *documents[side];
    const std::uint64_t step = std::min(halves[side].cursor.step, document.info().steps);
    if (document.replay->step() != step) document.replay->seek(step);
    const Box& box = layout.halves[side];
    if (box.w <= 0 || box.h <= 0) continue;
    DiagramInput input = diagram_input(document, halves[side]);
    input.patience_ms = state.patience_ms / 2;
    views[side] = view_of(document, halves[side].tab).draw(input);
  }
  for (std::size_t side = 0; side < 2; ++side) {
    const PanelContext context(*documents[side], halves[side], facts_of(*documents[side]));
    const int number = static_cast<int>(side);
    const Box& box = layout.halves[side];
    if (box.w > 0 && box.h > 0) {
      scene.begin_mark({.kind = MarkKind::Pane, .command = "diagram"});
      scene.rect(box, Role::None);
      scene.end_mark();
      if (comparison.comparable()) frame_differences(comparison, context, number, views[side]);
      put(scene, views[side], box, number);
    }
    if (layout.heads[side].h > 0) {
      put(scene, head(context, documents[1 - side]->info(), layout.heads[side].w, layout.heads[side].h),
          layout.heads[side], number);
      put(scene, strip_panel(context, layout.strips[side].w, layout.strips[side].h), layout.strips[side], number);
    }
    if (side == 0) {
      if (layout.top.h > 0) put(scene, top_bar_panel(context, layout.top.w, layout.top.h), layout.top, 0);
      if (layout.runs.h > 0) put(scene, runs_panel(context, layout.runs.w, layout.runs.h), layout.runs, 0);
      if (layout.scrub.h > 0) put(scene, scrub_panel(context, layout.scrub.w, layout.scrub.h), layout.scrub, 0);
    } else {
      const float from = layout.top.h + layout.runs.h, to = layout.scrub.h > 0 ? layout.scrub.y : scene.height;
      scene.line({box.x, from}, {box.x, to}, context.divider());
    }
  }
}

}  // namespace twiddle
