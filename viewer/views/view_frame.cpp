#include "viewer/views/view_frame.h"

#include "viewer/document/request.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace twiddle {

float view_scale(const DiagramInput& input) { return input.scale * input.theme.ui / theme(ThemeName::Light).ui; }

ViewFrame::ViewFrame(const DiagramInput& input_, Scene& scene_)
    : Links(input_.document, input_.cursor, input_.hide_next),
      Ink{view_scale(input_)},
      input(input_),
      document(input_.document),
      flow(input_.document.flow()),
      info(input_.document.info()),
      facts(facts_of(input_.document)),
      scene(scene_),
      step(std::min(input_.cursor.step, info.steps)) {
  scene.width = input.width, scene.height = input.height;
  scene.language = input.language;
  turn = turn_of(input);
  flow.begin_frame(step, input.patience_ms, turn);
  if (!input.hide_next) cone = cone_at(document, input.cursor);
  if (step == 0) return;
  now = flow.operation(step);
  segment = flow.current_segment();
  if (now) launch = info.launch(now->launch);
  // Yellow is what changed, as long as that is shown.
  if (input.live && input.live->changes) now.reset();
}

Role ViewFrame::grid() const { return input.theme.name == ThemeName::Projector ? Role::Future : Role::Line; }

const Turn* turn_of(const DiagramInput& input) {
  const bool changes = input.live && input.live->changes;
  return input.hide_next || changes ? nullptr : turn_at(input.document, input.cursor);
}

bool ViewFrame::writes_in_turn(int buffer, std::uint64_t index) const {
  return turn->access.write && turn->buffer == buffer &&
         std::any_of(turn->operations.begin(), turn->operations.end(),
                     [&](const Operation& one) { return access_in(one, turn->access).index == index; });
}

bool ViewFrame::past(int number) const {
  const Segment& s = info.segments[number];
  return s.count > 0 ? flow.step() + 1 >= s.end_step() : number <= segment;
}

bool ViewFrame::begun(int number) const { return number <= segment; }

bool ViewFrame::in_cone(int number, std::uint64_t first_item, std::uint64_t end_item) const {
  if (!cone) return false;
  const Segment& s = info.segments[number];
  for (auto at =
           std::lower_bound(cone->workers.begin(), cone->workers.end(), std::pair(s.first_step, std::uint64_t(0)));
       at != cone->workers.end() && at->first < s.end_step(); ++at)
    if (at->second >= first_item && at->second < end_item) return true;
  return false;
}

bool ViewFrame::in_cone(int buffer, std::uint64_t index) const {
  const std::size_t column = static_cast<std::size_t>(std::max(segment, -1)) + 1;
  if (!cone || column >= cone->elements.size() || flow.columns()[column].buffer != buffer) return false;
  const BufferInfo& of = info.buffers[buffer];
  if (of.space == Space::Local) return false;  // its rows count through all groups
  return std::binary_search(cone->elements[column].begin(), cone->elements[column].end(), index);
}

std::vector<Operation> ViewFrame::request(const Operation& operation) const {
  if (turn && turn->holds(operation.step)) return turn->operations;
  std::vector<Operation> all = request_of(document, operation);
  if (!shows_future()) std::erase_if(all, [&](const Operation& one) { return one.step > step; });
  return all;
}

void ViewFrame::title(float left, float right, float centre_y, const std::string& title,
                      const std::vector<std::string>& captions) {
  const Font strong = sans(13, Weight::SemiBold);
  if (!text(left, centre_y, title, strong, Role::Ink, right - left)) return;
  const float x = left + text_width(strong, title) + px(10);
  first_fitting(x, centre_y, captions, caption(), Role::Ink2, right - x);
}

void ViewFrame::note(const Box& box, const std::string& words) {
  const Font font = caption();
  const float width = text_width(font, words);
  const Point c = box.centre();
  if (width > box.w || font.size * 1.4f > box.h) return;
  scene.rect({c.x - width / 2 - px(6), c.y - font.size * 0.8f, width + px(12), font.size * 1.6f}, Role::Canvas);
  text(c.x, c.y, words, font, Role::Ink2, box.w, Anchor::Middle);
}

void keep_readable(Scene& scene) {
  const Box pane{0, 0, scene.width, scene.height};
  // Texts are in rows of this height; a text can only overlap those of its own row and of the two beside it.
  constexpr float row_height = 32;
  std::map<int, std::vector<Box>> rows;
  const auto is_lost = [&](const Shape2D& shape) {
    const auto* text = std::get_if<TextShape>(&shape.geometry);
    if (!text) return false;
    // What of it is ink: capitals above the baseline, descenders below it.
    const Box whole = bounds(shape);
    const float cap = cap_height(text->font), below = text->font.size * 0.22f;
    const Box ink{whole.x, text->at.y - cap, whole.w, cap + below};
    const Box clip = shape.clip >= 0 ? scene.clips[shape.clip] : pane;
    constexpr float slack = 1;
    for (const Box& outer : {clip, pane})
      if (ink.x < outer.x - slack || ink.right() > outer.right() + slack || ink.y < outer.y - slack ||
          text->at.y > outer.bottom() + slack)
        return true;
    const int row = static_cast<int>(std::floor(ink.y / row_height));
    for (int r = row - 1 - static_cast<int>(ink.h / row_height); r <= row + 1; ++r)
      if (const auto found = rows.find(r); found != rows.end())
        for (const Box& other : found->second) {
          const float w = std::min(ink.right(), other.right()) - std::max(ink.x, other.x);
          const float h = std::min(ink.bottom(), other.bottom()) - std::max(ink.y, other.y);
          if (w > slack && h > slack) return true;
        }
    rows[row].push_back(ink);
    return false;
  };
  std::erase_if(scene.shapes, is_lost);
}

void Legend::add(const std::string& text, Swatch swatch) {
  if (std::none_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.text == text; }))
    entries_.push_back({text, std::move(swatch)});
}

void Legend::box(const std::string& text, Role fill, Stroke edge, float radius) {
  add(text, [=](Scene& scene, const Box& at) { scene.rect(at, fill, edge, radius); });
}

void Legend::line(const std::string& text, Stroke stroke) {
  add(text, [=](Scene& scene, const Box& at) {
    scene.line({at.x, at.centre().y}, {at.right(), at.centre().y}, stroke);
  });
}

void Legend::sort() {
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.text.size() < b.text.size(); });
}

void Legend::draw(ViewFrame& frame, float left, float right, float centre_y) const {
  const Font font = frame.caption();
  const float swatch = frame.px(16), gap = frame.px(7);
  for (const Entry& entry : entries_) {
    const float width = swatch + gap + text_width(font, entry.text);
    if (left + width > right) continue;  // a shorter one may fit
    entry.swatch(frame.scene, {left, centre_y - frame.px(5.5f), swatch, frame.px(11)});
    frame.text(left + swatch + gap, centre_y, entry.text, font, Role::Ink2, width);
    left += width + frame.px(14);
  }
}

std::vector<double> axis_ticks(double low, double high, int most) {
  std::vector<double> ticks;
  if (!(high > low) || most < 1 || !std::isfinite(high - low)) return ticks;
  const double least = (high - low) / most, power = std::pow(10.0, std::floor(std::log10(least)));
  double distance = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= least) distance = factor * power;
  for (double n = std::ceil(low / distance - 1e-9); n * distance <= high + 1e-9 * distance; ++n)
    ticks.push_back(n == 0 ? 0 : n * distance);
  return ticks;
}

}  // namespace twiddle
