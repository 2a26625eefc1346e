#include "viewer/scene/ink.h"

#include "viewer/scene/formula.h"

#include <utility>

namespace twiddle {

void Ink::outline(Scene& scene, const Box& box, float radius, int lit) const {
  if (lit == 0) return;
  scene.rect(box, Role::None, {Role::Ink2, px(3.5f)}, radius);
  scene.rect(box, Role::None, Stroke{Role::Hover, px(2)}, radius);
}

float baseline(const Font& font, float centre_y) { return centre_y + cap_height(font) / 2; }

void centred_text(Scene& scene, Point centre, std::string text, const Font& font, Role role) {
  scene.text({centre.x, baseline(font, centre.y)}, std::move(text), font, role, Anchor::Middle);
}

float label(Scene& scene, float x, float centre_y, std::string_view text, const Font& font, Role role, float room,
            Anchor anchor) {
  std::string shown = elide(font, text, room);
  if (shown.empty()) return 0;
  const float width = text_width(font, shown);
  scene.text({x, baseline(font, centre_y)}, std::move(shown), font, role, anchor);
  return width;
}

float sentence_label(Scene& scene, float x, float centre_y, std::string_view text, const Font& font, Role role,
                     float room) {
  if (formula_width(font, text) > room) return label(scene, x, centre_y, text, font, role, room);
  return formula_text(scene, {x, baseline(font, centre_y)}, text, font, role);
}

bool label_if_fits(Scene& scene, float x, float centre_y, std::string_view text, const Font& font, Role role,
                   float room, Anchor anchor) {
  if (text.empty() || text_width(font, text) > room) return false;
  scene.text({x, baseline(font, centre_y)}, std::string(text), font, role, anchor);
  return true;
}

bool first_fitting(Scene& scene, float x, float centre_y, const std::vector<std::string>& forms, const Font& font,
                   Role role, float room, Anchor anchor) {
  return std::any_of(forms.begin(), forms.end(), [&](const std::string& form) {
    return label_if_fits(scene, x, centre_y, form, font, role, room, anchor);
  });
}

}  // namespace twiddle
