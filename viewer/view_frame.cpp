#include "viewer/view_frame.h"

#include "viewer/operation_text.h"

#include <algorithm>
#include <cmath>

namespace twiddle {

float view_scale(const DiagramInput& input) { return input.scale * input.theme.ui / theme(ThemeName::Light).ui; }

ViewFrame::ViewFrame(const DiagramInput& input_, Scene& scene_)
    : Links(input_.document, input_.cursor),
      input(input_),
      document(input_.document),
      flow(input_.document.flow()),
      info(input_.document.info()),
      facts(facts_of(input_.document)),
      scene(scene_),
      scale(view_scale(input_)),
      step(std::min(input_.cursor.step, info.steps)) {
  scene.width = input.width, scene.height = input.height;
  scene.language = input.language;
  flow.begin_frame(step, input.patience_ms);
  if (step == 0) return;
  now = flow.operation(step);
  segment = flow.current_segment();
  if (now) launch = launch_numbered(info, now->launch);
}

float ViewFrame::thin() const { return std::max(1.0f, px(1)); }

bool ViewFrame::past(int number) const {
  const Segment& s = info.segments[static_cast<std::size_t>(number)];
  return s.count > 0 ? step + 1 >= s.end_step() : number <= segment;
}

bool ViewFrame::begun(int number) const { return number <= segment; }

bool ViewFrame::text(float x, float centre_y, std::string_view text, const Font& font, Role role, float room,
                     Anchor anchor) {
  if (text.empty() || text_width(font, text) > room) return false;
  scene.text({x, centre_y + cap_height(font) / 2}, std::string(text), font, role, anchor);
  return true;
}

bool ViewFrame::first_fitting(float x, float centre_y, const std::vector<std::string>& forms, const Font& font,
                              Role role, float room, Anchor anchor) {
  return std::any_of(forms.begin(), forms.end(),
                     [&](const std::string& form) { return text(x, centre_y, form, font, role, room, anchor); });
}

void ViewFrame::outline(const Box& box, float radius, int lit) {
  if (lit == 0) return;
  scene.rect(box, Role::None, {Role::Ink2, px(3.5f)}, radius);
  scene.rect(box, Role::None, {Role::Hover, px(2)}, radius);
}

void Legend::add(const std::string& text, Swatch swatch) {
  if (std::none_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.text == text; }))
    entries_.push_back({text, std::move(swatch)});
}

void Legend::draw(ViewFrame& frame, float left, float right, float centre_y) const {
  const Font font = frame.caption();
  const float swatch = frame.px(16), gap = frame.px(7);
  for (const Entry& entry : entries_) {
    const float width = swatch + gap + text_width(font, entry.text);
    if (left + width > right) return;
    entry.swatch({left, centre_y - frame.px(5.5f), swatch, frame.px(11)});
    frame.text(left + swatch + gap, centre_y, entry.text, font, Role::Ink2, width);
    left += width + frame.px(14);
  }
}

std::vector<double> axis_ticks(double low, double high, int most) {
  std::vector<double> ticks;
  if (!(high > low) || most < 1 || !std::isfinite(high - low)) return ticks;
  const double least = (high - low) / most, power = std::pow(10.0, std::floor(std::log10(least)));
  double distance = 10 * power;
  for (const double factor : {5.0, 2.5, 2.0, 1.0})
    if (factor * power >= least) distance = factor * power;
  for (double n = std::ceil(low / distance - 1e-9); n * distance <= high + 1e-9 * distance; ++n)
    ticks.push_back(n == 0 ? 0 : n * distance);
  return ticks;
}

}  // namespace twiddle
