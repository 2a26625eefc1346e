// What the pointer does to the window: hovering, clicking, dragging, the wheel.
#include "viewer/compare/comparison.h"
#include "viewer/control/window_control.h"
#include "viewer/frame/map_scene.h"
#include "viewer/panels/panels.h"
#include "viewer/state/guide.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/cost_strips.h"
#include "viewer/views/view.h"

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

constexpr float click_slack = 4;  // px: a press that moves less is a click
constexpr double double_click_seconds = 0.4;
constexpr float wheel_scroll = 52;                         // px at scale 1 a click of the wheel
constexpr double wheel_zoom = 1.25, wheel_zoom_far = 1.8;  // of a click; while rows are thinner than text

bool on_map(const Mark& mark) { return mark.kind == MarkKind::Pane && mark.command == map_mark; }

}  // namespace

std::optional<MarkText> WindowControl::under(const Scene& scene, Point at) {
  const MarkText* hit = scene.hit(at, 3 * state_.scale);
  const bool background = hit && hit->mark.kind == MarkKind::Pane && hit->mark.command == "diagram";
  if (background && !state_.beside && !state_.covered())
    if (const auto point = in_diagram(at))
      if (auto element = view().element_at(diagram_input(), *point)) return element;
  return hit ? std::optional(*hit) : std::nullopt;
}

void WindowControl::hover(const MarkText* mark, Point at) {
  std::optional<Mark> now;
  state_.hover_label = mark ? mark->label : std::string();
  if (mark && mark->mark.kind != MarkKind::Pane && mark->mark.kind != MarkKind::None) now = mark->mark;
  // A submenu opens under the pointer.
  if (state_.menu.open() && now && now->kind == MarkKind::Command &&
      command_named(now->command) == Command::ChooseEntry)
    open_under(static_cast<int>(now->index), false);
  if (now != state_.cursor.hover) {
    state_.cursor.hover = now;
    hovered_for_ = 0;
    if (state_.tooltip) state_.tooltip.reset();
    touch();
  }
  hover_at_ = at;
  point_at(at);
}

void WindowControl::press(const MarkText* mark, Point at) {
  pressed_at_ = last_at_ = at;
  moved_ = false;
  pressed_ = mark ? std::optional(mark->mark) : std::nullopt;
  drag_ = Drag::None;
  state_.focus.reset();
  if (closes_menu(mark)) return;
  if (state_.tooltip) {
    state_.tooltip.reset();
    hovered_for_ = -1e9;  // not again until something else is hovered
    touch();
  }
  if (state_.presenting && state_.presentation.tool == Presentation::Tool::Pen && !state_.covered() && in_diagram(at) &&
      !(mark && mark->mark.kind == MarkKind::Command)) {
    drag_ = Drag::Pen;
    state_.presentation.stroke = {at};
    return touch();
  }
  forget_changes();
  if (!mark || !is_sample(mark->mark)) state_.live.focus.reset();
  if (press_editor(mark, at) || !mark) return;
  if (mark->mark.kind == MarkKind::Command && command_named(mark->mark.command) == Command::ShowRun) {
    drag_ = Drag::Tab;
  } else if (mark->mark.kind != MarkKind::Command && !state_.covered() && begin_drawing(at)) {
    drag_ = Drag::Draw;
    draw_samples(at, at);
  } else if (mark->mark.kind == MarkKind::Command && command_named(mark->mark.command) == Command::ResizePane) {
    drag_ = Drag::Border;
    border_ = static_cast<PaneBorder>(std::min<std::uint64_t>(mark->mark.index, pane_borders - 1));
  } else if (mark->mark.kind == MarkKind::Command && command_named(mark->mark.command) == Command::SetSlider &&
             mark->mark.index < LiveWave::sliders && !state_.covered()) {
    slider_ = static_cast<LiveWave::Slider>(mark->mark.index);
    if (hold_wave()) {
      drag_ = Drag::Slider;
      drag_slider(at);
    }
  } else if (is_sample(mark->mark) && !state_.covered()) {
    if (hold_sample(mark->mark)) drag_ = Drag::Sample;
  } else if (on_map(mark->mark) && !state_.covered()) {
    drag_ = Drag::Map;
    move_map(at);
  } else if (mark->mark.kind == MarkKind::Pane && mark->mark.command == "sketch") {
    drag_ = Drag::Sketch;
    draw_sketch(at, at);
  } else if (mark->mark.kind == MarkKind::Scrub) {
    // With Shift a range is taken, to be told about.
    drag_ = shift_ ? Drag::Range : Drag::Scrub;
    state_.range.reset();
    if (drag_ == Drag::Scrub)
      scrub_to(at.x);
    else if (const std::uint64_t step = std::max<std::uint64_t>(1, scrub_step(at.x)); document_->info().steps > 0)
      state_.range = StepSpan{step, step};
    touch();
  } else if (!state_.covered() && in_diagram(at)) {
    drag_ = Drag::Pan;
  }
}

/// A press beside an open menu or palette closes it, and does nothing else.
bool WindowControl::closes_menu(const MarkText* mark) {
  const bool palette = state_.text_entry.kind == TextEntry::Kind::Palette;
  if (!state_.menu.open() && !palette) return false;
  if (mark && mark->mark.kind == MarkKind::Command) {
    const Command command = command_named(mark->mark.command);
    if (command == (palette ? Command::ChooseFound : Command::ChooseEntry)) return false;
    if (!palette && command == Command::ChooseUnder) return false;
  }
  pressed_.reset();
  const bool inside =
      mark && mark->mark.kind == MarkKind::Pane &&
      (mark->mark.command == "menu" || mark->mark.command == "palette" || mark->mark.command == text_field_mark);
  if (!inside) {
    if (palette) end_palette(false);
    state_.menu = {};
  }
  touch();
  return true;
}

/// The scrub bar as it is drawn, from its pane's left edge.
ScrubBar WindowControl::scrub() const {
  const WindowLayout layout = window_layout(state_);
  const float stops = stop_rows_height(state_) * layout.scale;  // below the bar
  return scrub_bar(document_->info(), layout.scrub.w, layout.scrub.h - stops, layout.scale, state_.scrub);
}

std::uint64_t WindowControl::scrub_step(float x) const { return scrub().step_at(x - window_layout(state_).scrub.x); }

void WindowControl::scrub_to(float x) {
  if (const std::uint64_t step = scrub_step(x); step != playback_.step()) seek(step);
}

/// A part of the bar that is shown goes on with the cursor, unless that is dragged on it.
void WindowControl::follow_scrub() {
  if (state_.scrub.zoom > 1 && drag_ != Drag::Scrub) state_.scrub = scrub().showing(state_.scrub, playback_.step());
}

void WindowControl::begin_sketch() {
  std::uint64_t points = document_->info().expect.points;
  for (const BufferInfo& buffer : document_->info().buffers)
    if (points == 0 && buffer.name == document_->info().expect.input) points = buffer.count;
  state_.sketch.open = true;
  state_.sketch.samples.resize(static_cast<std::size_t>(std::clamp<std::uint64_t>(points, 1, Sketch::max_samples)));
}

void WindowControl::run_sketch() {
  state_.sketch.open = false;
  if (actions_.run_drawn) actions_.run_drawn(state_.sketch.csv());
  touch();
}

void WindowControl::draw_sketch(Point from, Point to) {
  state_.sketch.stroke(sketch_box(state_.width, state_.height, window_layout(state_).scale), from, to);
  touch();
}

void WindowControl::drag(Point at) {
  if (std::hypot(at.x - pressed_at_.x, at.y - pressed_at_.y) > click_slack * state_.scale) moved_ = true;
  if (drag_ == Drag::Scrub) {
    scrub_to(at.x);
  } else if (drag_ == Drag::Sketch) {
    draw_sketch(last_at_, at);
  } else if (drag_ == Drag::Range && state_.range) {
    state_.range->last = std::max<std::uint64_t>(1, scrub_step(at.x));
    touch();
  } else if (drag_ == Drag::Border) {
    if (!moved_) return;
    state_.panes = dragged_panes(state_, window_layout(state_), border_, at);
    touch();
  } else if (drag_ == Drag::Pen) {
    state_.presentation.stroke.push_back(at);
    touch();
  } else if (drag_ == Drag::Sample) {
    if (moved_) drag_sample(at);
  } else if (drag_ == Drag::Draw) {
    draw_samples(last_at_, at);
  } else if (drag_ == Drag::Slider) {
    drag_slider(at);
  } else if (drag_ == Drag::Map) {
    move_map(at);
  } else if (drag_ == Drag::Text) {
    if (moved_) point_caret(at, true);
  } else if (drag_ == Drag::Tab) {
    drag_tab(at);
  } else if (drag_ == Drag::Pan && moved_) {
    Document& shown = document_at(pressed_at_);
    state_.viewport =
        view_of(shown, state_.tab).moved(twiddle::diagram_input(shown, state_), {at.x - last_at_.x, at.y - last_at_.y});
    touch();
  }
  if (drag_ != Drag::Pan || moved_) last_at_ = at;
}

void WindowControl::release(Point at) {
  if (drag_ == Drag::Pen) {
    drag_ = Drag::None;
    pressed_.reset();
    return finish_stroke();
  }
  const bool clicked = !moved_ && drag_ != Drag::Scrub && drag_ != Drag::Sketch && drag_ != Drag::Sample &&
                       drag_ != Drag::Slider && drag_ != Drag::Draw && drag_ != Drag::Range && drag_ != Drag::Text;
  if (drag_ == Drag::Tab && moved_) drop_tab(at);
  if (drag_ == Drag::Sample || drag_ == Drag::Slider || drag_ == Drag::Draw) let_go_of_sample();
  drag_ = Drag::None;
  if (!clicked) {
    pressed_.reset();
    return;
  }
  if (pressed_)
    click(*pressed_);
  else if (!state_.open_choice.empty())
    state_.open_choice.clear(), touch();
  pressed_.reset();
}

/// Where a point is in the diagram, in either of them when there are two.
std::optional<Point> WindowControl::in_diagram(Point at) const {
  const WindowLayout layout = window_layout(state_);
  for (const Box& box : {layout.diagram, layout.halves[1]})
    if (box.contains(at)) return Point{at.x - box.x, at.y - box.y};
  return {};
}

/// What is at a point of the map comes into the middle of the diagram.
void WindowControl::move_map(Point at) {
  const WindowLayout layout = window_layout(state_);
  const Box pane = map_box(state_, layout);
  if (pane.h <= 0) return;
  state_.viewport = map_viewport(state_, layout, pane, {at.x - pane.x, at.y - pane.y});
  touch();
}

/// The trace whose diagram is at a point: in a comparison that of the half.
Document& WindowControl::document_at(Point at) const {
  return state_.beside && window_layout(state_).halves[1].contains(at) ? state_.beside->second() : *document_;
}

/// A border that has the keyboard's focus: the arrows move it, Enter gives the usual size back. False where they mean something
/// else.
bool WindowControl::border_key(const Chord& chord) {
  constexpr float by = 16;  // layout units a key
  if (!state_.focus || state_.focus->kind != MarkKind::Command || chord.ctrl || chord.alt || chord.shift) return false;
  if (command_named(state_.focus->command) != Command::ResizePane) return false;
  const WindowLayout layout = window_layout(state_);
  for (const BorderStrip& strip : border_strips(state_, layout)) {
    if (static_cast<std::uint64_t>(strip.border) != state_.focus->index) continue;
    Point to = strip.box.centre();
    float& along = strip.upright ? to.x : to.y;
    if (chord.key == (strip.upright ? "Left" : "Up"))
      along -= by * layout.scale;
    else if (chord.key == (strip.upright ? "Right" : "Down"))
      along += by * layout.scale;
    else if (chord.key != "Enter")
      return false;
    state_.panes = dragged_panes(state_, layout, strip.border, to);
    if (chord.key == "Enter") state_.panes[strip.border] = 0;
    touch();
    return true;
  }
  return false;
}

/// The step that a mark leads to, as this trace counts; of an element, the one that made it. 0: none.
std::uint64_t WindowControl::step_of(const Mark& mark) const {
  const bool beside = mark.side == 1 && state_.beside;
  Mark own = mark;
  own.side = 0;
  std::uint64_t step = mark.step;
  if (step == 0 && mark.kind == MarkKind::Element) {
    const Linked linked = links_of(beside ? state_.beside->second() : *document_, own);
    step = linked.operation ? linked.operation->step : 0;
  }
  return beside ? state_.beside->first_step(step) : step;
}

/// A click on a field of the top bar opens its list, or closes it (`open`: the list that was open before the click); one on
/// an entry of the list takes that.
void WindowControl::choose(const Mark& mark, const std::string& open) {
  const auto field = field_named(*document_, state_, mark.command);
  if (!field) return;
  if (mark.index >= field->entries.size()) {
    if (open == field->name || field->entries.empty()) return;
    state_.open_choice = field->name;
    state_.scroll.erase("choice");
    return;
  }
  const std::string& entry = field->entries[mark.index].id;
  if (field->name == "view")
    show_view(entry);
  else if (field->name == more_field)
    state_.open_choice = entry, state_.scroll.erase("choice");
  else if (field->name == "signal" && entry == drawn_signal)
    begin_sketch();
  else if (entry == typed_value) {
    open_text_entry(TextEntry::Kind::Value, field->name == "n" ? field->chosen : field->value);
    state_.text_entry.about = field->name;
  } else if (actions_.choose)
    actions_.choose(field->name, entry);
}

/// A click pins, a second one lets go; a double click goes to the operation that made it, and leaves it pinned.
void WindowControl::pin(const Mark& mark) {
  const bool double_click = since_click_ < double_click_seconds && clicked_ == mark;
  clicked_ = mark;
  if (double_click && mark.kind != MarkKind::Line) {
    if (const std::uint64_t step = step_of(mark); step > 0) {
      jump(step);
      state_.cursor.pinned = mark;
      return;
    }
  }
  if (state_.cursor.pinned == mark)
    state_.cursor.pinned.reset();
  else
    state_.cursor.pinned = mark;
}

void WindowControl::click(const Mark& mark) {
  // A double click gives a pane its usual size back.
  if (mark.kind == MarkKind::Command && command_named(mark.command) == Command::ResizePane) {
    const auto border = static_cast<PaneBorder>(std::min<std::uint64_t>(mark.index, pane_borders - 1));
    if (since_click_ < double_click_seconds && clicked_ == mark) state_.panes[border] = 0;
    clicked_ = mark;
    since_click_ = 0;
    return touch();
  }
  const bool list_open = !state_.open_choice.empty();
  const std::string open = state_.open_choice;
  state_.open_choice.clear();
  switch (mark.kind) {
    case MarkKind::Command:
      if (mark.command.starts_with(guide_command)) {
        if (actions_.guide) actions_.guide(mark);
      } else {
        command(command_named(mark.command), mark.index);
      }
      break;
    case MarkKind::Choice: choose(mark, open); break;
    case MarkKind::Segment:
      // The worst access of a strip, with the memory that it asks.
      if (mark.command == cost_mark) {
        state_.lanes_tab = LanesTab::Memory;
        state_.trail.leave(playback_.step());
        seek(step_of(mark), state_.cursor.lockstep ? static_cast<int>(mark.index) : 0);
        break;
      }
      [[fallthrough]];
    case MarkKind::Launch:
    case MarkKind::Bookmark: jump(step_of(mark)); break;
    case MarkKind::Finding:
      state_.trail.leave(playback_.step());
      show_finding(mark.index);
      follow_playback();
      break;
    case MarkKind::Item:
      if (mark.step > 0) {
        seek(step_of(mark));
        break;
      }
      [[fallthrough]];
    case MarkKind::Operation: pin(mark); break;
    case MarkKind::Element: {
      // A lesson's question may be answered in the diagram.
      const auto answer = state_.guide ? state_.guide->answer_at(mark) : std::nullopt;
      if (answer && actions_.guide)
        actions_.guide(*answer);
      else
        pin(mark);
      break;
    }
    case MarkKind::Line:
      pin(mark);
      watch_line(mark);
      break;
    case MarkKind::Pane:
      if (!list_open && mark.command == "diagram") state_.cursor.pinned.reset();
      break;
    case MarkKind::Scrub:
    case MarkKind::None: break;
  }
  since_click_ = 0;
  touch();
}

void WindowControl::scroll(const std::string& pane, float by) {
  state_.scroll[pane] += by;
  touch();
}

void WindowControl::wheel(Point at, float clicks, bool ctrl) {
  if (clicks == 0) return;
  if (ctrl) return set_user_scale(user_scale_ * std::pow(scale_step, clicks));
  if (!state_.open_choice.empty()) return scroll("choice", -clicks * 26);
  if (state_.text_entry.kind == TextEntry::Kind::Open) return scroll("open", -clicks * 26);
  if (state_.text_entry.kind == TextEntry::Kind::Palette) return choose_entry(clicks > 0 ? -1 : 1);
  if (state_.start.open) return scroll("start", -clicks * wheel_scroll);
  if (state_.covered() || state_.blank) return;
  const WindowLayout layout = window_layout(state_);
  if (state_.guide && layout.left.contains(at)) return scroll("guide", -clicks * 60);
  if (const auto point = in_diagram(at)) {
    Document& shown = document_at(at);
    state_.viewport = view_of(shown, state_.tab)
                          .zoomed(twiddle::diagram_input(shown, state_), *point,
                                  std::pow(overview() ? wheel_zoom_far : wheel_zoom, static_cast<double>(clicks)));
    return touch();
  }
  if (state_.watch.history && (layout.items.contains(at) || layout.memory.contains(at)))
    return scroll("history", -clicks * wheel_scroll);
  if (layout.left.contains(at)) return scroll("launches", -clicks * wheel_scroll);
  if (editor_box(state_).contains(at)) return wheel_editor(clicks);
  if (layout.right.contains(at))
    return scroll(state_.side_tab == SideTab::Findings ? "findings" : "source", -clicks * wheel_scroll);
  if (layout.scrub.contains(at)) {
    // Where steps cannot be told apart, the wheel comes nearer; else it goes from step to step.
    const ScrubBar bar = scrub();
    const float x = at.x - layout.scrub.x;
    if (bar.zoomed({}, x, 1e12, layout.scale).zoom > 1) {
      state_.scrub = bar.zoomed(state_.scrub, x, std::pow(wheel_zoom_far, double(clicks)), layout.scale);
      return touch();
    }
    playback_.step_by(clicks > 0 ? -1 : 1);
    return follow_playback();
  }
}

}  // namespace twiddle
