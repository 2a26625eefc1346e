#include "cli/export/picture.h"

#include "base/error.h"
#include "cli/output.h"
#include "tracer/replay/position.h"
#include "viewer/control/pen_scene.h"
#include "viewer/render/render.h"
#include "viewer/scene/languages.h"
#include "viewer/views/view.h"

#include <fmt/ranges.h>

namespace twiddle::cli {

const View& asked_view(Document& document, const PictureOptions& picture) {
  const View& view = view_of(document, picture.view);
  if (!picture.view.empty() && view.name() != picture.view) {
    std::vector<std::string_view> names;
    for (const View* one : views_of(document)) names.push_back(one->name());
    throw usage_error("this trace has no {} view; it has {}", picture.view, fmt::join(names, ", "));
  }
  return view;
}

WindowState window_state(const PictureOptions& picture, std::uint64_t step) {
  WindowState state;
  state.cursor.step = step;
  state.language = current_language();
  state.theme = picture.theme;
  state.width = picture.width;
  state.height = picture.height;
  state.scale = picture.scale;
  state.tab = picture.view;
  state.log_scale = picture.log_scale;
  state.presenting = picture.presenting;
  if (picture.presenting && !picture.theme_given) state.theme = ThemeName::Projector;
  return state;
}

Scene diagram_scene(Document& document, const PictureOptions& picture, std::uint64_t step, float phase) {
  DiagramInput input{document, {}, {}, theme(picture.theme)};
  input.cursor.step = step;
  input.language = current_language();
  input.width = picture.width;
  input.height = picture.height;
  input.scale = picture.scale;
  input.log_scale = picture.log_scale;
  input.phase = phase;
  const View& view = asked_view(document, picture);
  Scene scene = view.draw(input);
  draw_strokes(document, view, input, scene);
  return scene;
}

void write_scene(const std::filesystem::path& file, const Scene& scene, const Theme& theme, int pixels) {
  if (file.extension() == ".svg")
    write_file(file, to_svg(scene, theme));
  else
    write_file(file, std::span<const std::byte>(to_png(scene, theme, pixels)));
}

std::uint64_t step_at(const Document& document, const std::string& position) {
  return position.empty() ? document.info().steps : find_step(*document.trace, position);
}

}  // namespace twiddle::cli
