#include "cli/picture.h"

#include "tracer/position.h"
#include "viewer/diagram.h"

namespace twiddle::cli {

WindowState window_state(const PictureOptions& picture, std::uint64_t step) {
  WindowState state;
  state.cursor.step = step;
  state.theme = picture.theme;
  state.width = picture.width;
  state.height = picture.height;
  state.scale = picture.scale;
  return state;
}

Scene diagram_scene(Document& document, const PictureOptions& picture, std::uint64_t step) {
  DiagramInput input{document, {}, {}, theme(picture.theme)};
  input.cursor.step = step;
  input.width = picture.width;
  input.height = picture.height;
  input.scale = picture.scale;
  return butterfly_diagram(input);
}

std::uint64_t step_at(const Document& document, const std::string& position) {
  return position.empty() ? document.info().steps : find_step(*document.trace, position);
}

}  // namespace twiddle::cli
