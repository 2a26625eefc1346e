// The scrub bar: transport buttons, speed, the stages as segments, findings and bookmarks as ticks, where we are.
#include "base/message.h"
#include "tracer/replay/position.h"
#include "tracer/trace/item_words.h"
#include "viewer/document/flow.h"
#include "viewer/document/turn.h"
#include "viewer/facts/range_statistics.h"
#include "viewer/graphs/unexplained.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/scene/diagram_parts.h"
#include "viewer/state/window_layout.h"
#include "viewer/words/twiddle_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace twiddle {
namespace {

constexpr float button_size = 32, play_width = 44, button_gap = 4, scrub_pad = 16, bar_height = 18, piece_gap = 7;

struct ScrubLayout {
  Box bar;
  float centre = 0, buttons_left = 0, speed_left = 0, chip_right = 0, step_right = 0;
  bool low = false, all_buttons = true, show_speed = true, show_step = true, show_chip = true;
};

ScrubLayout layout_of(const TraceInfo& info, float width, float height, float scale) {
  ScrubLayout layout;
  const auto px = [&](float units) { return units * scale; };
  // Rows of ticks make the pane higher; the bar stays where it is.
  layout.low = height < px(80);
  layout.centre = layout.low ? height / 2 - px(1) : px(42);
  layout.all_buttons = width > px(900);
  layout.show_step = width > px(560);
  const int buttons = layout.all_buttons ? 6 : 2;
  layout.buttons_left = px(scrub_pad);
  layout.speed_left =
      layout.buttons_left + px(static_cast<float>(buttons) * (button_size + button_gap) + play_width + button_gap + 8);
  layout.show_speed = width > px(420);
  layout.show_chip = width > px(340);
  const float bar_left = layout.speed_left + (layout.show_speed ? px(52) : px(4));
  // "step 10 485 760 of 10 485 760" and the chip keep their room at every step.
  const Font font{Face::Sans, Weight::SemiBold, px(13)}, chip_font{Face::Mono, Weight::Regular, px(15)};
  const std::string longest = tr("step {} of {}", count_text(info.steps), count_text(info.steps));
  std::uint64_t items = 1;
  for (const LaunchInfo& launch : info.launches) items = std::max(items, launch.items());
  const std::string stage = fmt::format("L{}.S{}", info.launches.size(), std::max(1, stage_count(info)));
  layout.step_right = width - px(scrub_pad);
  const float step_width = layout.show_step ? text_width(font, longest) + px(24) : 0;
  layout.chip_right = layout.step_right - step_width;
  const float chip_width =
      std::max({text_width(chip_font, fmt::format("{}.I{}", stage, items - 1)),
                text_width(chip_font, fmt::format("{}.G{}.T8", stage, (items - 1) / sub_group_size)),
                text_width(chip_font, tr("start"))}) +
      px(15 * 1.15f);
  const float bar_right = layout.show_chip ? layout.chip_right - chip_width - px(22) : width - px(scrub_pad);
  layout.bar = {bar_left, std::round(layout.centre - px(1)), std::max(px(20), bar_right - bar_left),
                std::round(px(bar_height))};
  if (layout.low) layout.bar.y = std::round(layout.centre - px(4));
  return layout;
}

void transport(const PanelContext& context, Scene& scene, const ScrubLayout& layout) {
  struct Button {
    Command command;
    Icon icon;
    bool always;
  };
  const Icon play = context.state.playback.playing ? Icon::Pause : Icon::Play;
  const Button buttons[] = {{Command::First, Icon::First, false},
                            {Command::StageBack, Icon::StageBack, false},
                            {Command::StepBack, Icon::StepBack, true},
                            {Command::PlayPause, play, true},
                            {Command::StepForward, Icon::StepForward, true},
                            {Command::StageForward, Icon::StageForward, false},
                            {Command::Last, Icon::Last, false}};
  const KeyMap& keys = context.state.keys;
  float x = layout.buttons_left;
  for (const Button& button : buttons) {
    if (!button.always && !layout.all_buttons) continue;
    const bool primary = button.command == Command::PlayPause;
    const Box box{std::round(x), std::round(layout.centre - context.px(button_size) / 2),
                  context.px(primary ? play_width : button_size), context.px(button_size)};
    const Mark mark = command_mark(button.command);
    const auto chords = keys.chords(button.command);
    scene.begin_mark(mark, std::string(tr(meaning_of(button.command).data())) +
                               (chords.empty() ? "" : "\n" + display_text(chords.front())));
    control_box(context, scene, box, mark, primary);
    icon(scene, button.icon, box.centre(), context.px(primary ? 13 : 10.5f), primary ? Role::Canvas : Role::Ink);
    scene.end_mark();
    x += box.w + context.px(button_gap);
  }
}

void speed(const PanelContext& context, Scene& scene, const ScrubLayout& layout) {
  const float value = context.state.playback.speed;
  const std::string text = speed_text(value);
  const Font font = context.mono(12.5f, Weight::SemiBold), small = context.mono(12);
  const float x = layout.speed_left;
  const float room = context.px(30);
  if (!label_if_fits(scene, x + room / 2, layout.centre, text, font, Role::Ink, room, Anchor::Middle))
    label(scene, x + room / 2, layout.centre,
          value >= 1024 ? fmt::format("{}k", static_cast<long long>(value / 1024)) : text, context.mono(11), Role::Ink,
          room + context.px(2), Anchor::Middle);
  for (Command command : {Command::Faster, Command::Slower}) {
    const bool up = command == Command::Faster;
    const Mark mark = command_mark(command);
    const Box box{x + room + context.px(1), layout.centre + context.px(up ? -15 : 1), context.px(16), context.px(14)};
    scene.begin_mark(mark, tr(meaning_of(command).data()));
    scene.rect(box, Role::None);
    scene.text({box.centre().x, baseline(small, box.centre().y)}, up ? "+" : "−", small,
               is_hovered(context, mark) ? Role::Ink : Role::Ink2, Anchor::Middle);
    context.outline(scene, box.inset(context.px(1)), context.px(2), is_hovered(context, mark) ? 2 : 0);
    scene.end_mark();
  }
}

void piece(const PanelContext& context, Scene& scene, const ScrubBar& bar, const ScrubBar::Piece& part) {
  const Segment& segment = context.info().segments[part.segment];
  const std::uint64_t step = context.state.cursor.step;
  const float thin = context.thin(), radius = context.px(2);
  const auto cell = static_cast<float>(part.width / static_cast<double>(std::max<std::uint64_t>(segment.count, 1)));
  const float min_cell = context.px(9);
  const Changes* changes = context.state.live.changes.get();
  const auto changed = [&](std::uint64_t s) { return changes && s <= step && changes->step(s); };
  if (cell >= min_cell) {
    // Steps one by one, with thin gaps.
    const auto [first, last] = bar.visible(part);
    for (std::uint64_t s = first; s <= last; ++s) {
      Box box = bar.cell(s);
      box.w -= context.px(1.5f);
      if (changed(s))
        scene.rect(box, Role::Now, {Role::Ink, context.thin(1.5f)}, radius);
      else if (s < step || (changes && s == step))
        scene.rect(box, Role::Done, {}, radius);
      else if (s > step)
        scene.rect(box.inset(thin / 2), Role::Raised, {Role::Future, thin}, radius);
    }
  } else {
    scene.rect(part.box.inset(thin / 2), Role::Raised, {Role::Future, thin}, radius);
    if (step >= segment.first_step) {
      const float end =
          step >= segment.end_step() ? part.box.right() : std::min(part.box.right(), bar.cell(step).right());
      if (end > part.box.x) scene.rect({part.box.x, part.box.y, end - part.box.x, part.box.h}, Role::Done, {}, radius);
      for (std::uint64_t s = segment.first_step; changes && s < segment.end_step(); ++s) {
        if (!changed(s)) continue;
        std::uint64_t last = s;
        while (last + 1 < segment.end_step() && changed(last + 1)) ++last;
        const float from = bar.cell(s).x;
        scene.rect({from, part.box.y, bar.cell(last).right() - from, part.box.h}, Role::Now,
                   {Role::Ink, context.thin(1)}, radius);
        s = last;
      }
    }
  }
}

void now_mark(const PanelContext& context, Scene& scene, const ScrubBar& bar) {
  const std::uint64_t step = context.state.cursor.step;
  if (context.state.live.changes) return;  // yellow is what changed
  if (step == 0) {
    if (bar.pieces().empty()) return;
    const Box& first = bar.pieces().front().box;
    scene.rect({first.x - context.px(3), first.y - context.px(2), context.px(4), first.h + context.px(4)}, Role::Now,
               {Role::Ink, context.thin(1.4f)}, context.px(1));
    return;
  }
  if (context.turn && bar.cell(step).w >= context.px(9)) {
    for (const std::uint64_t one : context.turn->moment.now) {
      if (!bar.shows(one)) continue;
      Box box = bar.cell(one);
      box.w -= context.px(1.5f);
      scene.rect(box, Role::Now, {Role::Ink, context.thin(2)}, context.px(2));
    }
    return;
  }
  if (!bar.shows(step)) return;
  Box box = bar.cell(step);
  if (box.w >= context.px(9)) {
    box.w -= context.px(1.5f);
    scene.rect(box, Role::Now, {Role::Ink, context.thin(2)}, context.px(2));
  } else {
    scene.rect({box.centre().x - context.px(3), box.y - context.px(3), context.px(6), box.h + context.px(6)}, Role::Now,
               {Role::Ink, context.thin(1.6f)}, context.px(1));
  }
}

// The name over each piece: in full, or only the stage's number, or nothing. Never over its neighbour's.
void piece_names(const PanelContext& context, Scene& scene, const ScrubBar& bar, float centre) {
  float free_from = 0;
  for (const ScrubBar::Piece& part : bar.pieces()) {
    const bool now = context.segment == static_cast<int>(part.segment);
    const Font font = context.caption(now ? Weight::SemiBold : Weight::Regular);
    const std::string& name = context.facts.segment_names[part.segment];
    const Segment& segment = context.info().segments[part.segment];
    const Role ink = now ? Role::Ink : context.state.cursor.step >= segment.first_step ? Role::Ink2 : Role::Ink3;
    if (part.box.x < free_from) continue;
    const float room = part.box.w + context.px(2);
    std::string text = name;
    if (text_width(font, text) > room && segment.stage > 0) text = std::to_string(segment.stage);
    if (text_width(font, text) > room) text = "";
    if (text.empty()) continue;
    scene.text({part.box.x, baseline(font, centre)}, text, font, ink);
    free_from = part.box.x + text_width(font, text) + context.px(6);
  }
}

void ticks(const PanelContext& context, Scene& scene, const ScrubBar& bar, float centre) {
  const auto centre_of = [&](std::uint64_t step) {
    if (step == 0) return bar.pieces().empty() ? 0.0f : bar.pieces().front().box.x;
    return bar.cell(step).centre().x;
  };
  if (bar.pieces().empty()) return;
  // Where several would overlap the gravest, which come first, stands for all and says how many they are.
  struct Sign {
    float x = 0;
    std::size_t note = 0, hidden = 0;
  };
  std::vector<Sign> signs;
  const std::vector<TraceNote>& notes = context.facts.notes;
  const float size = context.px(13), apart = size + context.px(3);
  for (std::size_t n = 0; n < notes.size(); ++n) {
    if (context.state.predict == Predict::Asking) break;
    if (notes[n].step > 0 && !bar.shows(notes[n].step)) continue;
    const float x = centre_of(notes[n].step);
    const auto over =
        std::find_if(signs.begin(), signs.end(), [&](const Sign& s) { return std::abs(s.x - x) < apart; });
    if (over == signs.end())
      signs.push_back({x, n, 0});
    else
      ++over->hidden;
  }
  for (const Sign& sign : signs) {
    const TraceNote& note = notes[sign.note];
    const Mark mark{.kind = MarkKind::Finding, .index = sign.note, .step = note.step};
    scene.begin_mark(mark, titled_text_of(note) + (sign.hidden > 0 ? "\n" + tr("{} more", sign.hidden) : ""));
    severity_sign(context, scene, note.severity, {sign.x, centre}, size);
    scene.end_mark();
  }
  for (const auto& bookmark : context.document.bookmarks) {
    if (bookmark.step > context.info().steps || (bookmark.step > 0 && !bar.shows(bookmark.step))) continue;
    const Mark mark{.kind = MarkKind::Bookmark, .step = bookmark.step};
    scene.begin_mark(mark, bookmark.note.empty() ? tr("bookmark") : bookmark.note);
    const float w = context.px(11), h = context.px(13);
    // Beside a finding at the same place, not under it.
    float x = centre_of(bookmark.step);
    for (const Sign& sign : signs)
      if (std::abs(sign.x - x) < apart) x = sign.x - apart;
    bookmark_flag(scene, {x - w / 2, centre - h / 2}, w, h, Role::Ink);
    context.outline(scene,
                    {x - w / 2 - context.px(2), centre - h / 2 - context.px(2), w + context.px(4), h + context.px(4)},
                    context.px(2), is_hovered(context, mark) ? 2 : 0);
    scene.end_mark();
  }
}

// A ring with ? under a launch whose writes are not all explained, where no finding is.
void unexplained_rings(const PanelContext& context, Scene& scene, const ScrubBar& bar, float centre) {
  if (context.state.predict == Predict::Asking) return;
  const float radius = context.px(6);
  float free_from = 0;
  for (const LaunchInfo& launch : context.info().launches) {
    const std::uint64_t writes = unexplained_writes(launch);
    if (writes == 0) continue;
    // Where stores begin; where they are among other operations, where the launch does.
    const Segment* first = nullptr;
    for (const Segment& segment : context.info().segments) {
      if (segment.launch != launch.number || segment.count == 0) continue;
      if (first == nullptr || (segment.kind == OperationKind::Store && first->kind != OperationKind::Store))
        first = &segment;
    }
    if (first == nullptr || !bar.shows(first->first_step)) continue;
    const float x = std::max(bar.cell(first->first_step).x + radius, free_from + radius);
    const auto near = [&](const TraceNote& note) {
      return note.step > 0 && bar.shows(note.step) &&
             std::abs(bar.cell(note.step).centre().x - x) < radius + context.px(10);
    };
    if (x - radius < free_from || std::any_of(context.facts.notes.begin(), context.facts.notes.end(), near)) continue;
    scene.begin_mark({.kind = MarkKind::Launch, .launch = launch.number, .step = first->first_step},
                     tr("launch {}: {} that nothing explains", launch.number, plural(writes, "{} write", "{} writes")));
    draw_badge(scene, context.theme, context.scale, {x, centre}, Badge::Unexplained, radius);
    scene.end_mark();
    free_from = x + radius + context.px(4);
  }
}

// Where several findings share a sign: how many begin at each place, as bars over the bar's edge.
void density(const PanelContext& context, Scene& scene, const ScrubBar& bar, const Box& box) {
  const std::vector<TraceNote>& notes = context.facts.notes;
  const float bin = context.px(4), most = context.px(7);
  const auto bins = static_cast<std::size_t>(box.w / bin) + 1;
  if (context.state.predict == Predict::Asking || notes.size() < 4) return;
  std::vector<std::uint64_t> counts(bins);
  std::vector<Severity> worst(bins, Severity::Note);
  std::uint64_t largest = 0;
  for (const TraceNote& note : notes) {
    if (note.step == 0 || !bar.shows(note.step)) continue;
    const auto at = static_cast<std::size_t>(
        std::clamp((bar.cell(note.step).centre().x - box.x) / bin, 0.0f, static_cast<float>(bins - 1)));
    counts[at] += note.finding ? std::max<std::uint64_t>(1, note.finding->occurrences) : 1;
    worst[at] = std::min(worst[at], note.severity);
    largest = std::max(largest, counts[at]);
  }
  for (std::size_t i = 0; i < bins; ++i) {
    if (counts[i] == 0) continue;
    const float high =
        std::max(context.px(2), most * static_cast<float>(std::log1p(double(counts[i])) / std::log1p(double(largest))));
    const Role role = worst[i] == Severity::Error     ? Role::Error
                      : worst[i] == Severity::Warning ? Role::Warn
                                                      : Role::Ink3;
    scene.rect({box.x + bin * static_cast<float>(i), box.bottom() + context.px(1), bin - context.px(1), high}, role);
  }
}

// Which part of the whole run the bar shows.
void scrub_window(const PanelContext& context, Scene& scene, const Box& box) {
  const ScrubView& view = context.state.scrub;
  if (view.zoom <= 1.001) return;
  const float y = box.y - context.px(4), thick = context.px(2);
  scene.rect({box.x, y, box.w, thick}, Role::DoneSoft);
  const float width = std::max(context.px(6), box.w / static_cast<float>(view.zoom));
  scene.rect({std::min(box.x + box.w * static_cast<float>(view.from), box.right() - width), y, width, thick},
             Role::Ink);
}

// The steps that were dragged over.
void range_mark(const PanelContext& context, Scene& scene, const ScrubBar& bar, const Box& box) {
  if (!context.state.range) return;
  const auto [low, high] = std::minmax(context.state.range->first, context.state.range->last);
  const float left = bar.shows(low) ? bar.cell(low).x : box.x;
  const float right = bar.shows(high) ? bar.cell(high).right() : box.right();
  if (right <= left) return;
  scene
      .rect({left, box.y - context.px(3), right - left, box.h + context.px(6)}, Role::HoverSoft,
            {Role::Hover, context.thin(2)}, context.px(2))
      .opacity = 0.45f;
}

// What a step is: the three words, the chosen one on ink, and the key.
void step_by(const PanelContext& context, Scene& scene, float left, float centre, float right) {
  const StepBy by = context.state.step_by;
  const std::string words[step_by_count] = {item_noun(context.info()).translated(),
                                            lanes_noun(context.info()).translated(), tr("stage")};
  const Font font = context.sans(11.5f), strong = context.sans(11.5f, Weight::SemiBold);
  const float pad = context.px(7), height = std::round(context.px(19));
  float x = left;
  const std::string head = tr("Step by");
  float all = text_width(font, head) + context.px(8);
  for (const std::string& word : words) all += text_width(strong, word) + 2 * pad;
  const bool headed = left + all <= right;
  if (headed) x += label(scene, x, centre, head, font, Role::Ink2, right - x) + context.px(8);
  for (int i = 0; i < step_by_count; ++i) {
    const bool on = static_cast<int>(by) == i;
    const Mark mark = command_mark(Command::SetStepBy, static_cast<std::uint64_t>(i));
    const float width = std::round(text_width(strong, words[i]) + 2 * pad);
    if (x + width > right) return;
    const Box box{std::round(x), std::round(centre - height / 2), width, height};
    scene.begin_mark(mark, tr("step by {}", words[i]));
    scene.rect(box.inset(context.scale / 2), on ? Role::Ink : Role::Raised,
               is_hovered(context, mark) ? Stroke{Role::Hover, context.thin(2)} : Stroke{Role::Line, context.thin()},
               context.px(3));
    scene.text({box.centre().x, baseline(on ? strong : font, centre)}, words[i], on ? strong : font,
               on ? Role::Canvas : Role::Ink, Anchor::Middle);
    scene.end_mark();
    x += width;
  }
  if (x + context.px(27) <= right) key_caps(context, scene, x + context.px(23), centre, Command::NextStepBy);
}

// The steps jumped from, the last first: a click leads back.
void breadcrumbs(const PanelContext& context, Scene& scene, float centre, float right) {
  const WindowState& state = context.state;
  const Font font = context.mono(11);
  constexpr std::size_t most = 4;
  float x = context.px(scrub_pad);
  const std::size_t end = std::min(state.trail.at, state.trail.steps.size());
  for (std::size_t n = 0; n < most && n < end; ++n) {
    const std::size_t at = end - 1 - n;
    const std::uint64_t step = std::min(state.trail.steps[at], context.info().steps);
    const auto operation = step > 0 ? context.document.flow().operation(step, true) : std::nullopt;
    const std::string text = "‹ " + (operation ? to_string(position_of(*operation)) : std::string(tr("start")));
    const float width = text_width(font, text);
    if (x + width > right) return;
    const Mark mark = command_mark(Command::BackTo, at);
    scene.begin_mark(mark, tr("back to step {}", step));
    const Box box{x - context.px(4), centre - context.px(9), width + context.px(8), context.px(18)};
    scene.rect(box, is_hovered(context, mark) ? Role::HoverSoft : Role::None, {}, context.px(3));
    label(scene, x, centre, text, font, is_hovered(context, mark) ? Role::Ink : Role::Ink2, width + 1);
    scene.end_mark();
    x += width + context.px(14);
  }
}

}  // namespace

ScrubBar::ScrubBar(const TraceInfo& info, Box box, float scale, const ScrubView& view) : info_(&info), box_(box) {
  std::vector<std::size_t> shown;
  for (std::size_t s = 0; s < info.segments.size(); ++s)
    if (info.segments[s].count > 0) shown.push_back(s);
  if (shown.empty() || box.w <= 0) return;
  // Widths go with the number of steps, but the shortest segment can still be seen and hit. The gaps give way first.
  const auto n = static_cast<double>(shown.size());
  double gap = double(piece_gap * scale);
  if (gap * (n - 1) > double(box.w) * 0.3) gap = double(box.w) * 0.3 / std::max(1.0, n - 1);
  // Zoomed, the bar is that much longer, and only its gaps are not.
  const double room = (double(box.w) - gap * (n - 1)) * view.zoom, least = std::min(6.0 * double(scale), room / n);
  double total = 0;
  for (std::size_t s : shown) total += static_cast<double>(info.segments[s].count);
  double spare = 0, large = 0;  // what the small ones take beyond their share comes from the large ones
  for (std::size_t s : shown) {
    const double share = room * static_cast<double>(info.segments[s].count) / total;
    if (share < least)
      spare += least - share;
    else
      large += share - least;
  }
  const double whole = room + gap * (n - 1);
  double x = double(box.x) - std::clamp(view.from, 0.0, 1 - 1 / view.zoom) * whole;
  for (std::size_t s : shown) {
    const double share = room * static_cast<double>(info.segments[s].count) / total;
    const double width = share < least ? least : share - (large > 0 ? spare * (share - least) / large : 0);
    Piece piece{s, {}, x, width};
    const double left = std::max(x, double(box.x)), right = std::min(x + width, double(box.right()));
    piece.box = {static_cast<float>(left), box.y, static_cast<float>(right - left), box.h};
    all_.push_back(piece);
    if (right > left) pieces_.push_back(piece);
    x += width + gap;
  }
}

std::pair<std::uint64_t, std::uint64_t> ScrubBar::visible(const Piece& piece) const {
  const Segment& segment = info_->segments[piece.segment];
  const double each = piece.width / static_cast<double>(segment.count), last = static_cast<double>(segment.count - 1);
  const auto at = [&](double x) { return static_cast<std::uint64_t>(std::clamp((x - piece.left) / each, 0.0, last)); };
  return {segment.first_step + at(double(piece.box.x)), segment.first_step + at(double(piece.box.right()))};
}

bool ScrubBar::shows(std::uint64_t step) const {
  return std::any_of(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
    const auto [first, last] = visible(piece);
    return step >= first && step <= last;
  });
}

Box ScrubBar::cell(std::uint64_t step) const {
  for (const Piece& piece : all_) {
    const Segment& segment = info_->segments[piece.segment];
    if (step < segment.first_step || step >= segment.end_step()) continue;
    const double each = piece.width / static_cast<double>(segment.count);
    const double x = piece.left + each * static_cast<double>(step - segment.first_step);
    return {static_cast<float>(x), box_.y, static_cast<float>(std::max(each, 1.0)), box_.h};
  }
  return {box_.x, box_.y, 0, box_.h};
}

std::uint64_t ScrubBar::step_at(float x) const {
  if (pieces_.empty()) return 0;
  // Left of the whole bar is the start; of a part of it the first step there.
  if (x < pieces_.front().box.x) return pieces_.front().left < double(box_.x) ? visible(pieces_.front()).first : 0;
  std::uint64_t step = 0;
  for (const Piece& piece : pieces_) {
    const Segment& segment = info_->segments[piece.segment];
    if (x < piece.box.x) break;  // in the gap: the last step of the segment before
    const double at = std::min(double(x), double(piece.box.right()));
    const double fraction = std::clamp((at - piece.left) / piece.width, 0.0, 1.0);
    step = segment.first_step +
           std::min(segment.count - 1, static_cast<std::uint64_t>(fraction * static_cast<double>(segment.count)));
  }
  return step;
}

ScrubView ScrubBar::zoomed(const ScrubView& view, float x, double factor, float scale) const {
  constexpr double readable_cell = 12;
  const double most =
      std::max(1.0, double(info_->steps) * readable_cell * double(scale) / std::max(1.0, double(box_.w)));
  ScrubView out;
  out.zoom = std::clamp(view.zoom * factor, 1.0, most);
  const double at = std::clamp(double((x - box_.x) / std::max(1.0f, box_.w)), 0.0, 1.0);
  out.from = std::clamp(view.from + at / view.zoom - at / out.zoom, 0.0, 1 - 1 / out.zoom);
  return out;
}

ScrubView ScrubBar::showing(const ScrubView& view, std::uint64_t step) const {
  if (view.zoom <= 1 || step == 0 || shows(step) || all_.empty()) return view;
  const double whole = all_.back().left + all_.back().width - all_.front().left;
  const double at = (double(cell(step).centre().x) - all_.front().left) / std::max(1.0, whole);
  return {view.zoom, std::clamp(at - 0.5 / view.zoom, 0.0, 1 - 1 / view.zoom)};
}

ScrubBar scrub_bar(const TraceInfo& info, float width, float height, float scale, const ScrubView& view) {
  return ScrubBar(info, layout_of(info, width, height, scale).bar, scale, view);
}

void range_overlay(const PanelContext& context, Scene& scene) {
  if (!context.state.range) return;
  const WindowLayout layout = window_layout(context.state);
  const std::vector<std::string> lines = range_text(
      range_statistics(context.document, context.facts, context.state.range->first, context.state.range->last));
  const float most = std::min(context.px(460), scene.width - context.px(32)), pitch = context.px(19);
  std::vector<std::string> wrapped;
  for (const std::string& line : lines)
    for (std::string& part : wrap(context.ui(), line, most)) wrapped.push_back(std::move(part));
  float widest = 0;
  for (const std::string& line : wrapped) widest = std::max(widest, text_width(context.ui(), line));
  const float width = std::round(widest + context.px(28)),
              height = std::round(pitch * static_cast<float>(wrapped.size()) + context.px(14));
  const ScrubBar bar =
      scrub_bar(context.info(), layout.scrub.w, layout.scrub.h - context.px(stop_rows_height(context.state)),
                context.scale, context.state.scrub);
  const float middle =
      layout.scrub.x + (bar.cell(context.state.range->first).x + bar.cell(context.state.range->last).right()) / 2;
  const Box card{std::round(std::clamp(middle - width / 2, context.px(8),
                                       std::max(context.px(8), scene.width - width - context.px(8)))),
                 std::round(layout.scrub.y - height - context.px(6)), width, height};
  const Mark mark = command_mark(Command::ClearRange);
  scene.begin_mark(mark, tr("a click closes it"));
  raised_card(context, scene, card);
  float y = card.y + context.px(7) + pitch / 2;
  for (std::size_t i = 0; i < wrapped.size(); ++i, y += pitch)
    label(scene, card.x + context.px(14), y, wrapped[i], context.ui(i == 0 ? Weight::SemiBold : Weight::Regular),
          Role::Ink, width - context.px(20));
  scene.end_mark();
}

Scene scrub_panel(const PanelContext& context, float width, float height) {
  Scene scene = pane(context, width, height, Edge::Top);
  const TraceInfo& info = context.info();
  const float stops = context.px(stop_rows_height(context.state));
  const float whole = height;
  height -= stops;
  const ScrubLayout layout = layout_of(info, width, height, context.scale);
  if (stops > 0)
    stop_rows(context, scene, scrub_bar(info, width, height, context.scale, context.state.scrub), whole - stops,
              width - context.px(scrub_pad));
  transport(context, scene, layout);
  if (layout.show_speed) speed(context, scene, layout);

  const ScrubBar bar(info, layout.bar, context.scale, context.state.scrub);
  scene.begin_mark({.kind = MarkKind::Scrub});
  scene.rect({layout.bar.x - context.px(6), layout.bar.y - context.px(6), layout.bar.w + context.px(12),
              layout.bar.h + context.px(12)},
             Role::None);
  const bool zoomed = context.state.scrub.zoom > 1;
  if (zoomed) scene.push_clip({layout.bar.x, 0, layout.bar.w, height});
  for (const ScrubBar::Piece& part : bar.pieces()) piece(context, scene, bar, part);
  if (zoomed) scene.pop_clip();
  scene.end_mark();
  density(context, scene, bar, layout.bar);
  scrub_window(context, scene, layout.bar);
  range_mark(context, scene, bar, layout.bar);
  for (const ScrubBar::Piece& part : bar.pieces())
    context.outline(scene, part.box, context.px(2),
                    context.hover.operation ? 0 : context.lit_segment(static_cast<int>(part.segment)));
  now_mark(context, scene, bar);
  piece_names(context, scene, bar, layout.bar.y - context.px(12));
  ticks(context, scene, bar, layout.bar.bottom() + context.px(layout.low ? 10 : 14));
  unexplained_rings(context, scene, bar, layout.bar.bottom() + context.px(layout.low ? 10 : 14));

  if (!layout.low) {
    // What a step is under the buttons, where one came from above them.
    const float end = layout.bar.x - context.px(12);
    step_by(context, scene, context.px(scrub_pad), height - context.px(11), end);
    breadcrumbs(context, scene, context.px(12), end);
  }

  const float chip_centre = layout.centre + context.px(layout.low ? 2 : 4);
  if (layout.show_chip) position_chip(context, scene, layout.chip_right, chip_centre, position_text(context), 15);
  if (layout.show_step) {
    const Changes* changes = context.state.live.changes.get();
    const float room = layout.step_right - layout.chip_right;
    if (changes && first_fitting(scene, layout.step_right, chip_centre,
                                 {tr("{} of {} steps answer", count_text(changes->steps()), count_text(info.steps)),
                                  tr("{} steps answer", count_text(changes->steps()))},
                                 context.ui(Weight::SemiBold), Role::Ink, room - context.px(8), Anchor::End))
      return scene;
    if (context.turn && first_fitting(scene, layout.step_right, chip_centre,
                                      {tr("turn {} of {}", context.turn->turn(), context.turn->group.turns())},
                                      context.ui(Weight::SemiBold), Role::Ink, room - context.px(8), Anchor::End))
      return scene;
    const std::string text =
        tr("step {} of {}", count_text(std::min(context.state.cursor.step, info.steps)), count_text(info.steps));
    label(scene, layout.step_right, chip_centre, text, context.ui(Weight::SemiBold), Role::Ink, room, Anchor::End);
  }
  return scene;
}

}  // namespace twiddle
