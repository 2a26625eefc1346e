#include "lessons/pages/operation_plots.h"

#include "viewer/facts/trace_facts.h"
#include "viewer/panels/panels.h"
#include "viewer/scene/languages.h"
#include "viewer/state/window_state.h"

#include <algorithm>

namespace twiddle {
namespace {

constexpr float plots_width =
    480;  // in layout units, of both cards: as large as the window has them, and somewhat more

}  // namespace

std::optional<Scene> operation_plots(const FigurePlace& place, const std::vector<std::string>& views,
                                     std::string_view at, const Theme& theme, float width, std::string_view language) {
  // Where a whole stage or the end is shown, its last operation is no more than any other.
  if (at.find('I') == std::string_view::npos || place.step == 0) return std::nullopt;
  if (std::find(views.begin(), views.end(), "butterfly") == views.end()) return std::nullopt;
  Document& document = place.run->document();
  WindowState state;
  state.theme = theme.name;
  state.cursor.step = place.step;
  state.scale = width / plots_width;
  Scene scene;
  scene.width = width;
  scene.height = width;
  scene.language = language_of(language);
  const PanelContext context(document, state, facts_of(document));
  const float end = plots_part(context, scene, {0, context.px(4), width, scene.height});
  if (scene.shapes.empty()) return std::nullopt;
  scene.height = end;
  return scene;
}

}  // namespace twiddle
