#include "viewer/state/window_layout.h"

#include "viewer/compare/comparison.h"
#include "viewer/scene/theme.h"
#include "viewer/state/guide.h"

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

// All in layout units (px at scale 1).
constexpr float top_height = 44;
constexpr float runs_height = 30, no_runs_below = 420;
constexpr float right_width_editing = 560, editing_share = 0.44f;  // of the window, while a source is edited
constexpr float left_width = 192, left_width_large = 240, rail_width = 48;
constexpr float right_width = 352, right_width_large = 480, right_width_folded = 304;
constexpr float right_width_lanes = 424, wide_for_lanes = 1360;  // in lockstep: the lanes' table
constexpr float lanes_height = 210, lanes_height_large = 280, lanes_height_folded = 132;
constexpr float scrub_height = 84, scrub_height_folded = 64;
constexpr float strip_height = 40, question_height = 48, half_head_height = 52, no_heads_below = 240;
constexpr float items_share = 384;  // of the lanes' 896, for the work-items
constexpr float fold_below_width = 1200, fold_below_height = 760;
constexpr float no_rail_below = 860, no_right_below = 700, no_lanes_below = 520, no_top_below = 200,
                no_strip_below = 120;
constexpr float both_lanes_from = 740;
constexpr float signal_height = 128, no_signal_below_height = 700, no_signal_below_width = 520;
constexpr float map_height = 176, no_map_below_width = 150, no_map_below_height = 560;  // of the left pane
// Words of a guide: as wide as is good to read, where there is room; the diagram keeps more than half.
constexpr float guide_share = 0.36f, guide_least = 280, guide_most = 560, guide_no_right_below = 1600;
// Presenting: the screen that the sizes are of, px; and in layout units the equations at the foot, the question at the right,
// and the cards under a lesson's diagram.
constexpr float present_width = 1920, present_height = 1080;
constexpr float present_strip = 72, present_question = 242, present_cards = 156;
constexpr float grow_from = 1440, grow_to = 2560;
// Of panes that were dragged: shares of the window, and of the items' pane a share of the lanes.
constexpr float max_side_share = 0.45f, max_guide_share = 0.6f, max_lanes_share = 0.6f;
constexpr float min_left = 120, min_guide = 220, min_right = 240, min_lanes = 90, min_items_share = 0.2f,
                min_half_share = 0.2f;
constexpr float border_width = 7;

float between_bounds(float size, float least, float most) { return std::clamp(size, std::min(least, most), most); }

}  // namespace

float stop_rows_height(const WindowState& state) {
  constexpr float below = 5;
  return state.watch.stops.empty() ? 0 : stop_row_height * static_cast<float>(state.watch.stops.size()) + below;
}

namespace {

// One window's panes, in layout units until box() makes pixels of them.
struct Arrangement {
  explicit Arrangement(const WindowState& of);
  Box box(float x, float y, float w, float h) const {
    const auto px = [&](float units) { return std::round(std::max(0.0f, units) * layout.scale); };
    return Box{px(x), px(y), px(x + w) - px(x), px(y + h) - px(y)};
  }
  void present();
  void place_halves();
  void size_panes();
  void place_panes();
  void place_lanes(float top);

  const WindowState& state;
  WindowLayout layout;
  float width = 0, height = 0, runs = 0;
  bool predicting = false, low = false;
  bool live = false;     // the handles and the bars take the room of the launches and the lanes
  bool handles = false;  // where the samples are handles, too, the sliders take the lanes' room
  bool sliders = false;
  float left = 0, right = 0, middle = 0, lanes = 0;
};

Arrangement::Arrangement(const WindowState& of) : state(of) {
  // Panels take the theme's type sizes; the projector's are twice the usual, and so are all distances then.
  const Theme& look = theme(state.theme);
  const Theme& usual = theme(ThemeName::Light);
  layout.drawing = std::max(0.1f, state.scale);
  layout.scale = layout.drawing * look.ui / usual.ui;
  if (state.presenting) {
    // The same picture on every screen: type and distances grow with it, in every theme to the projector's.
    const float fill = std::min(state.width / present_width, state.height / present_height) *
                       std::max(0.1f, state.scale) / std::max(0.1f, state.screen_scale);
    const Theme& large = theme(ThemeName::Projector);
    layout.scale = std::max(0.1f, fill * large.ui / usual.ui);
    layout.drawing = std::max(0.1f, fill * large.node_text / look.node_text);
  }
  width = state.width / layout.scale, height = state.height / layout.scale;
  low = height < fold_below_height;
  predicting = state.predict != Predict::Off;
  if (state.runs.tabs.size() > 1 && !state.presenting && !state.guide && height >= no_runs_below &&
      width >= no_right_below / 2)
    runs = runs_height;
  live = state.tab == "live" && !state.guide && !state.watch.history;
  handles = state.live.possible && (state.tab == "spectrum" || state.tab == "matrix") && !state.guide &&
            !state.watch.history && !predicting;
}

void Arrangement::present() {
  // The words of a guide with its question under the diagram; else the operation at the foot, and what is asked at the right.
  const float words = state.guide ? width / 3 : 0;
  const bool asked = state.guide && !predicting && state.guide->question();
  const float foot = asked ? std::min(present_cards, height / 2) : std::min(present_strip, height / 4);
  const float aside = predicting && width > 2 * present_question ? present_question : 0;
  layout.left = box(0, 0, words, height);
  (asked ? layout.question : layout.strip) = box(words, height - foot, width - words, foot);
  if (aside > 0) layout.question = box(width - aside, 0, aside, height - foot);
  const Box& below = asked ? layout.question : layout.strip;
  layout.diagram = {layout.left.w, 0, state.width - layout.left.w - (aside > 0 ? layout.question.w : 0), below.y};
}

void Arrangement::place_halves() {
  // No side panes, two halves, one scrub bar; presenting, the halves alone.
  const float own = height < fold_below_height ? scrub_height_folded : scrub_height;
  const float scrub = state.presenting ? 0 : std::min(height, own + stop_rows_height(state));
  const float bar = state.presenting || height < no_top_below ? 0 : top_height, top = bar + runs;
  const float body = std::max(0.0f, height - top - scrub);
  const float head = body < no_heads_below ? 0 : half_head_height, strip = body < no_heads_below ? 0 : strip_height;
  const float share = state.panes[PaneBorder::Halves];
  middle = width * (share > 0 ? std::clamp(share, min_half_share, 1 - min_half_share) : 0.5f);
  layout.top = box(0, 0, width, bar);
  layout.runs = box(0, bar, width, runs);
  layout.scrub = box(0, height - scrub, width, scrub);
  for (std::size_t side = 0; side < 2; ++side) {
    const float begin = side == 0 ? 0 : middle, half = side == 0 ? middle : width - middle;
    layout.heads[side] = box(begin, top, half, head);
    layout.halves[side] = box(begin, top + head, half, body - head - strip);
    layout.strips[side] = box(begin, top + body - strip, half, strip);
  }
  layout.diagram = layout.halves[0];
}

void Arrangement::size_panes() {
  const bool narrow = width < fold_below_width;
  const float growth = std::clamp((width - grow_from) / (grow_to - grow_from), 0.0f, 1.0f);
  const float tall = std::clamp((height - 900) / (1440 - 900), 0.0f, 1.0f);
  const auto between = [](float small, float large, float t) { return small + (large - small) * t; };
  layout.rail = narrow;
  layout.side_tabs = narrow || low;
  const PaneSizes& panes = state.panes;
  left = state.guide ? std::min(std::clamp(width * guide_share, guide_least, guide_most), width / 2)
         : predicting || live || width < no_rail_below ? 0
         : narrow                                      ? rail_width
                                                       : between(left_width, left_width_large, growth);
  right = width < (state.guide ? guide_no_right_below : no_right_below) ? 0
          : narrow                                                      ? right_width_folded
                   : between(state.cursor.lockstep && width > wide_for_lanes ? right_width_lanes : right_width,
                             right_width_large, growth);
  if (right > 0 && state.editor.open) right = std::max(right, std::min(right_width_editing, editing_share * width));
  lanes = predicting                        ? std::min(question_height, height / 4)
          : height < no_lanes_below || live ? 0
          : low                             ? lanes_height_folded
                                            : between(lanes_height, lanes_height_large, tall);
  // What was dragged, within bounds that leave every pane its use.
  if (state.guide && panes[PaneBorder::Guide] > 0)
    left = between_bounds(panes[PaneBorder::Guide] * width, min_guide, max_guide_share * width);
  if (!state.guide && left > rail_width && panes[PaneBorder::Left] > 0)
    left = between_bounds(panes[PaneBorder::Left] * width, min_left, max_side_share * width);
  if (right > 0 && panes[PaneBorder::Right] > 0)
    right = between_bounds(panes[PaneBorder::Right] * width, min_right, max_side_share * width);
  middle = std::max(0.0f, width - left - right);
  sliders = !predicting && (live || handles) && height >= no_signal_below_height && middle >= no_signal_below_width;
  if (sliders) lanes = 0;
  if (lanes > 0 && !predicting && panes[PaneBorder::Lanes] > 0)
    lanes = between_bounds(panes[PaneBorder::Lanes] * height, min_lanes, max_lanes_share * height);
}

void Arrangement::place_panes() {
  // In the smallest windows the scrub bar is the last pane to go.
  const float stops = stop_rows_height(state);
  const float scrub = std::min(height, (low ? scrub_height_folded : scrub_height) + stops);
  const float bar = height < no_top_below ? 0 : top_height, top = bar + runs;
  const float body = std::max(0.0f, height - top - scrub);
  // In a low window the diagram is given the strip's room first.
  const float strip = right == 0 && body - lanes - strip_height >= no_strip_below ? strip_height : 0;
  const float signal = sliders ? signal_height : 0;
  const float diagram_height = std::max(0.0f, body - lanes - strip - signal);
  layout.top = box(0, 0, width, bar);
  layout.runs = box(0, bar, width, runs);
  layout.scrub = box(0, height - scrub, width, scrub);
  // While a part of the diagram is shown, all of it is below the launches, small.
  const bool mapped =
      state.viewport.zoom > 1.001 && !state.guide && left >= no_map_below_width && body >= no_map_below_height;
  layout.left = box(0, top, left, mapped ? body - map_height : body);
  layout.right = box(width - right, top, right, body);
  layout.diagram = box(left, top, middle, diagram_height);
  layout.strip = box(left, top + diagram_height, middle, strip);
  layout.signal = box(left, top + diagram_height + strip, middle, signal);
  place_lanes(top + diagram_height + strip);
}

void Arrangement::place_lanes(float top) {
  const PaneSizes& panes = state.panes;
  // What the view in the middle shows already is not shown again below it.
  const bool items_above = state.tab == "items", memory_above = state.tab == "memory";
  layout.lanes_tabs = (low || middle < both_lanes_from) && !items_above && !memory_above;
  if (predicting) {
    layout.question = box(left, top, middle, lanes);
  } else if (layout.lanes_tabs) {
    layout.items = layout.memory = box(left, top, middle, lanes);
  } else {
    const float items =
        items_above    ? 0
        : memory_above ? middle
        : panes[PaneBorder::Items] > 0
            ? std::round(middle * std::clamp(panes[PaneBorder::Items], min_items_share, 1 - min_items_share))
            : std::round(middle * items_share / 896);
    layout.items = box(left, top, items, lanes);
    layout.memory = box(left + items, top, middle - items, lanes);
  }
}

}  // namespace

WindowLayout window_layout(const WindowState& state) {
  Arrangement panes(state);
  if (state.beside) {
    panes.place_halves();
  } else if (state.presenting) {
    panes.present();
  } else {
    panes.size_panes();
    panes.place_panes();
  }
  return panes.layout;
}

std::vector<BorderStrip> border_strips(const WindowState& state, const WindowLayout& layout) {
  std::vector<BorderStrip> strips;
  if (state.presenting || state.start.open || state.blank) return strips;
  const float wide = border_width * layout.scale;
  const auto upright = [&](PaneBorder border, float x, float y, float h) {
    if (h > 0) strips.push_back({border, {x - wide / 2, y, wide, h}, true});
  };
  if (state.beside) {
    const float bottom = layout.scrub.h > 0 ? layout.scrub.y : state.height;
    const float top = layout.top.h + layout.runs.h;
    upright(PaneBorder::Halves, layout.halves[1].x, top, bottom - top);
    return strips;
  }
  if (layout.left.w > 0 && !(layout.rail && !state.guide))
    upright(state.guide ? PaneBorder::Guide : PaneBorder::Left, layout.left.right(), layout.left.y, layout.left.h);
  if (layout.right.w > 0) upright(PaneBorder::Right, layout.right.x, layout.right.y, layout.right.h);
  if (state.predict != Predict::Off) return strips;
  const Box& lanes = layout.items.w > 0 ? layout.items : layout.memory;
  if (lanes.w > 0 && lanes.h > 0)
    strips.push_back({PaneBorder::Lanes, {layout.diagram.x, lanes.y - wide / 2, layout.diagram.w, wide}, false});
  if (layout.items.w > 0 && layout.memory.w > 0 && !layout.lanes_tabs && !state.watch.history)
    upright(PaneBorder::Items, layout.memory.x, layout.memory.y, layout.memory.h);
  return strips;
}

PaneSizes dragged_panes(const WindowState& state, const WindowLayout& layout, PaneBorder border, Point at) {
  PaneSizes panes = state.panes;
  const float least = 0.01f;  // 0 would be the usual size
  switch (border) {
    case PaneBorder::Left:
    case PaneBorder::Halves:
    case PaneBorder::Guide: panes[border] = std::max(least, at.x / state.width); break;
    case PaneBorder::Right: panes[border] = std::max(least, (state.width - at.x) / state.width); break;
    case PaneBorder::Lanes: panes[border] = std::max(least, (layout.scrub.y - at.y) / state.height); break;
    case PaneBorder::Items:
      panes[border] = std::max(least, (at.x - layout.items.x) / std::max(1.0f, layout.items.w + layout.memory.w));
      break;
  }
  return panes;
}

DiagramInput diagram_input(Document& document, const WindowState& state) {
  const WindowLayout layout = window_layout(state);
  DiagramInput input{document, state.cursor, state.viewport, theme(state.theme)};
  const std::size_t side = state.beside && &document == &state.beside->second() ? 1 : 0;
  const Box& pane = state.beside ? layout.halves[side] : layout.diagram;
  input.width = pane.w, input.height = pane.h;
  input.scale = layout.drawing;
  input.language = state.language;
  input.phase = state.playback.phase;
  input.hide_next = state.predict == Predict::Asking;
  input.log_scale = state.log_scale;
  // A slide, a lesson and the signal in the user's hand have the diagram's room for themselves.
  // What is heard is shown in a corner where a strip's numbers would be.
  const bool alone =
      state.presenting || state.guide || state.tab == "live" || state.predict != Predict::Off || state.sound.on;
  if (!alone) input.costs = state.costs;
  if (!state.beside) input.live = &state.live;
  input.patience_ms = state.patience_ms;
  if (state.beside) {
    input.beside = &(side == 0 ? state.beside->second() : state.beside->first());
    input.beside_width = layout.halves[1 - side].w;
  }
  return input;
}

}  // namespace twiddle
