// Films of a walk through a trace: the steps as the window moves through them, a camera, words below, a card before.
#include "base/error.h"
#include "base/message.h"
#include "cli/export/exports.h"
#include "cli/export/picture.h"
#include "tracer/replay/position.h"
#include "viewer/document/flow.h"
#include "viewer/document/turn.h"
#include "viewer/panels/turn_words.h"
#include "viewer/render/render.h"
#include "viewer/scene/fonts.h"
#include "viewer/scene/ink.h"
#include "viewer/words/device_name.h"
#include "viewer/words/operation_text.h"

#include <algorithm>
#include <cmath>

namespace twiddle::cli {
namespace {

constexpr double still_rate = 2, moving_rate = 60;
constexpr std::size_t max_frames = 60 * 60 * 10;  // ten minutes: more is a mistake
constexpr double max_walk = 300;                  // seconds of a walk by operations; a longer one goes by stages
constexpr double title_seconds = 2;
constexpr double readable_row = 30;    // px of a row whose value is written: where all are lower the camera comes near
constexpr float camera_share = 0.35f;  // of an operation's motion that the camera takes to get there

/// What one frame shows.
struct Frame {
  TurnPlace place{};
  float phase = 1;
  bool card = false;
  Viewport viewport{};
  bool operator==(const Frame&) const = default;
};

Viewport between(const Viewport& a, const Viewport& b, double t) {
  const double s = t * t * (3 - 2 * t);
  return {a.zoom + (b.zoom - a.zoom) * s, a.centre_x + (b.centre_x - a.centre_x) * s,
          a.centre_y + (b.centre_y - a.centre_y) * s};
}

/// The film's picture without the strip of words.
PictureOptions drawn(const WalkOptions& options) {
  PictureOptions picture = options.picture;
  if (options.caption) picture.height = std::max(1.0f, picture.height - std::round(64 * picture.scale));
  return picture;
}

/// Where the camera is after each step: all of the diagram while its rows can be read, else near enough for that, and moving
/// only when an operation is out of sight.
std::vector<Viewport> camera_of(Document& document, const WalkOptions& options) {
  const PictureOptions picture = drawn(options);
  std::vector<Viewport> camera(options.places.size());
  if (options.window) return camera;
  const double rows = double(std::max<std::uint64_t>(document.flow().rows(), 1));
  const double zoom = rows * readable_row * double(picture.scale) / double(picture.height);
  if (zoom <= 1.2) return camera;
  const View& view = asked_view(document, picture);
  Viewport here{};
  for (std::size_t i = 0; i < options.places.size(); ++i) {
    if (const std::uint64_t step = options.places[i].step; step > 0) {
      DiagramInput input{document, {.step = step, .hover = {}, .pinned = {}}, here, theme(picture.theme)};
      input.width = picture.width, input.height = picture.height, input.scale = picture.scale;
      if (here.zoom <= 1) here = view.zoomed(input, {input.width / 2, input.height / 2}, zoom);
      input.viewport = here;
      here = view.showing(input, step);
    }
    camera[i] = here;
  }
  return camera;
}

/// What runs, large on a page of its own.
Scene title_card(Document& document, const PictureOptions& picture) {
  const TraceInfo& info = document.info();
  Scene scene;
  scene.width = picture.width, scene.height = picture.height;
  scene.language = current_language();
  scene.title = title_of(info);
  scene.rect({0, 0, scene.width, scene.height}, Role::Canvas);
  const float u = std::min(scene.width / 1280, scene.height / 720), centre = scene.width / 2;
  const float room = scene.width * 0.86f;
  const Font large{Face::Sans, Weight::SemiBold, 44 * u}, small{Face::Mono, Weight::Regular, 22 * u};
  const std::vector<std::string> lines = wrap(large, title_of(info), room);
  float y = scene.height / 2 - 30 * u - 28 * u * static_cast<float>(lines.size() - 1);
  for (const std::string& line : lines) {
    label(scene, centre, y, line, large, Role::Ink, room, Anchor::Middle);
    y += 56 * u;
  }
  std::string about = short_name_of(info);
  if (!info.signal.empty()) about += " · x " + signal_name(info.signal);
  label(scene, centre, y + 14 * u, about, small, Role::Ink2, room, Anchor::Middle);
  label(scene, centre, y + 50 * u, device_name(info.runtime, info.device), {Face::Mono, Weight::Regular, 18 * u},
        Role::Ink3, room, Anchor::Middle);
  scene.rect({centre - 60 * u, y - 26 * u, 120 * u, 6 * u}, Role::Now);
  return scene;
}

/// A picture of a film, with the operation in words below where they were asked for: at the start, what runs.
Scene film_scene(Document& document, const WalkOptions& options, const Frame& frame) {
  const std::uint64_t step = frame.place.step;
  if (frame.card) return title_card(document, options.picture);
  if (options.window)
    return window_scene(document, window_state(at_turn(options.picture, frame.place.made), frame.place.step));
  const PictureOptions picture = at_turn(drawn(options), frame.place.made);
  const float strip = options.picture.height - picture.height;
  Scene scene = diagram_scene(document, picture, step, frame.phase, frame.viewport);
  if (strip <= 0) return scene;
  const float top = scene.height, margin = 24 * picture.scale;
  scene.height += strip;
  scene.set_layer(1000);
  scene.rect({0, top, scene.width, strip}, Role::Pane);
  scene.line({0, top}, {scene.width, top}, {Role::Line, picture.scale});
  const Font mono{Face::Mono, Weight::Regular, 17 * picture.scale},
      small{Face::Mono, Weight::SemiBold, 14 * picture.scale};
  std::string place = tr("start"), words = title_of(document.info());
  const Cursor cursor = window_state(picture, step).cursor;
  if (step > 0) place = position_text(document, cursor);
  if (const Turn* turn = turn_at(document, cursor))
    words = turn_sentence(document.info(), *turn);
  else if (step > 0)
    words = sentence(document.info(), document.replay->operation(step));
  const float centre = top + strip / 2;
  const float taken =
      label(scene, scene.width - margin, centre, place, small, Role::Ink2, scene.width / 4, Anchor::End);
  // A long one is smaller rather than cut.
  const float room = scene.width - taken - 3 * margin, width = text_width(mono, words), floor = 11 * picture.scale;
  const Font fitting{mono.face, mono.weight,
                     width > room ? std::max(floor, std::floor(mono.size * room / width)) : mono.size};
  label(scene, margin, centre, words, fitting, Role::Ink, room);
  return scene;
}

/// Every frame of the film, in order.
std::vector<Frame> frames_of(Document& document, const WalkOptions& options, double rate) {
  // Of a moving one each operation is as many frames as its motion takes; the start is one operation long.
  const auto each =
      options.pace ? static_cast<std::size_t>(std::max(1.0, std::round(*options.pace * rate))) : std::size_t(1);
  const auto card = options.title ? static_cast<std::size_t>(std::max(1.0, std::round(title_seconds * rate))) : 0;
  const std::size_t count = card + options.places.size() * each;
  if (count > max_frames)
    throw usage_error("the film would have {} frames, and {} is the most; take a lower --pace or --fps", count,
                      max_frames);
  const std::vector<Viewport> camera =
      options.pace ? camera_of(document, options) : std::vector<Viewport>(options.places.size());
  std::vector<Frame> frames(card, Frame{.card = true});
  frames.reserve(count);
  for (std::size_t i = 0; i < options.places.size(); ++i) {
    const std::uint64_t step = options.places[i].step, before = i > 0 ? options.places[i - 1].step : step;
    for (std::size_t f = 0; f < each; ++f) {
      const float part = static_cast<float>(f + 1) / static_cast<float>(each);
      Frame frame{options.places[i], each == 1 || step == 0 ? 1 : part, false, camera[i]};
      // From one stage to the next the cursor runs through all between.
      if (each > 1 && !options.picture.lockstep && step > before + 1)
        frame.place.step = before + static_cast<std::uint64_t>(double(step - before) * double(part)), frame.phase = 1;
      if (each > 1 && i > 0 && part < camera_share)
        frame.viewport = between(camera[i - 1], camera[i], double(part / camera_share));
      frames.push_back(frame);
    }
  }
  return frames;
}

}  // namespace

std::vector<TurnPlace> walk_by_stages(const TraceInfo& info, std::uint64_t first, std::uint64_t last) {
  std::vector<TurnPlace> places{{first, 0}};
  for (const Segment& segment : info.segments)
    if (segment.count > 0 && segment.end_step() - 1 > first && segment.end_step() - 1 < last)
      places.push_back({segment.end_step() - 1, 0});
  if (last > first) places.push_back({last, 0});
  return places;
}

Film film_of(Document& document, const WalkOptions& asked) {
  WalkOptions options = asked;
  if (options.pace && !options.places.empty() && double(options.places.size()) * *options.pace > max_walk)
    options.places = walk_by_stages(document.info(), options.places.front().step, options.places.back().step);
  Film film;
  film.frames_per_second = options.rate.value_or(options.pace ? moving_rate : still_rate);
  const Theme& colours = theme(options.picture.theme);
  film.background = colours.colour(Role::Canvas);
  const auto frames = std::make_shared<const std::vector<Frame>>(frames_of(document, options, film.frames_per_second));
  film.frames = frames->size();
  // What does not move is drawn once.
  film.draw = [&document, &colours, options, frames, last = std::vector<std::byte>(),
               shown = std::optional<Frame>()](std::size_t number) mutable {
    const Frame& frame = (*frames)[number];
    if (shown != frame) {
      last = to_png(film_scene(document, options, frame), colours, options.pixels);
      shown = frame;
    }
    return last;
  };
  return film;
}

}  // namespace twiddle::cli
