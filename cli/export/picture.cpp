#include "cli/export/picture.h"

#include "base/error.h"
#include "cli/output.h"
#include "tracer/replay/turns.h"
#include "viewer/frame/pen_scene.h"
#include "viewer/render/render.h"
#include "viewer/scene/languages.h"
#include "viewer/views/view.h"

#include <fmt/ranges.h>

#include <cmath>

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

namespace {

Cursor cursor_of(const PictureOptions& picture, std::uint64_t step) {
  Cursor cursor;
  cursor.step = step;
  cursor.lockstep = picture.lockstep;
  cursor.made = picture.made;
  return cursor;
}

}  // namespace

PictureOptions at_turn(PictureOptions picture, int made) {
  picture.made = made;
  return picture;
}

WindowState window_state(const PictureOptions& picture, std::uint64_t step) {
  WindowState state;
  state.cursor = cursor_of(picture, step);
  if (picture.lockstep) state.step_by = StepBy::SubGroup;
  state.language = current_language();
  state.theme = picture.theme;
  state.width = picture.width;
  state.height = picture.height;
  state.scale = picture.scale;
  state.tab = picture.view;
  state.log_scale = picture.log_scale;
  state.costs = picture.costs.value_or(CostStrips::Both);
  state.presenting = picture.presenting;
  state.watch.stops = picture.stops;
  if (picture.presenting && !picture.theme_given) state.theme = ThemeName::Projector;
  return state;
}

Scene diagram_scene(Document& document, const PictureOptions& picture, std::uint64_t step, float phase,
                    const Viewport& viewport) {
  DiagramInput input{document, {}, viewport, theme(picture.theme)};
  input.cursor = cursor_of(picture, step);
  input.language = current_language();
  input.width = picture.width;
  input.height = picture.height;
  input.scale = picture.scale;
  input.log_scale = picture.log_scale;
  input.costs = picture.costs.value_or(CostStrips::None);
  input.phase = phase;
  const View& view = asked_view(document, picture);
  Scene scene = view.draw(input);
  draw_strokes(document, view, input, scene);
  return scene;
}

Scene formed(Scene scene, const PictureForm& form) {
  constexpr float trim_margin = 8;
  return form.trim ? trimmed(scene, trim_margin) : scene;
}

void write_scene(const std::filesystem::path& file, const Scene& scene, const Theme& theme, const PictureForm& form) {
  constexpr double print_dots = 300, inch_mm = 25.4;
  if (file.extension() == ".svg") {
    SvgOptions options;
    options.width_mm = form.paper_mm;
    write_file(file, form.outlined ? to_outlined_svg(scene, theme, form.paper_mm) : to_svg(scene, theme, options));
    return;
  }
  const int pixels = form.pixels > 0     ? form.pixels
                     : form.paper_mm > 0 ? static_cast<int>(std::lround(form.paper_mm / inch_mm * print_dots))
                                         : 0;
  write_file(file, std::span<const std::byte>(to_png(scene, theme, pixels)));
}

std::uint64_t step_at(const Document& document, const std::string& position) {
  return position.empty() ? document.info().steps : find_step(*document.trace, position);
}

std::uint64_t step_at(const Document& document, const std::string& position, PictureOptions& picture) {
  if (position.empty()) return document.info().steps;
  const auto parsed = parse_position(position);
  if (!parsed || parsed->turn < 0) return find_step(*document.trace, position);
  const TurnPlace place = find_turn(*document.trace, position);
  picture.lockstep = true;
  picture.made = place.made;
  return place.step;
}

}  // namespace twiddle::cli
