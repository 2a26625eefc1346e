// Below the handles: sliders that shape the signal as one wave, and what shape it is.
#include "base/message.h"
#include "kernels/plan/plan.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/panels/panels.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace twiddle {
namespace {

// In layout units.
constexpr float signal_pad = 16, slider_gap = 28, track_y = 62, knob_radius = 7, shapes_y = 106;

struct SliderWords {
  const char *name, *meaning;
};
constexpr std::array<SliderWords, LiveWave::sliders> slider_words = {
    SliderWords{translatable("wave"), translatable("turns in all samples")},
    {translatable("phase"), translatable("where it begins")},
    {translatable("amplitude"), translatable("how far it swings")},
    {translatable("noise"), translatable("the same at each drag")}};
constexpr std::array<const char*, LiveWave::shapes> shape_words = {translatable("cosine"), translatable("square"),
                                                                   translatable("impulse"), translatable("ramp"),
                                                                   translatable("random")};

void draw_slider(const PanelContext& context, Scene& scene, LiveWave::Slider slider, const LiveWave& wave,
                 const SliderRange& range) {
  const Box track = slider_track(scene.width, context.scale, slider);
  const double value = wave.values[slider];
  const auto at = [&](double v) {
    return track.x + track.w * static_cast<float>(std::clamp((v - range.low) / (range.high - range.low), 0.0, 1.0));
  };
  const std::string number = number_text(value, 3) + (slider == LiveWave::Phase ? "°" : "");
  const Mark mark = command_mark(Command::SetSlider, slider);
  const bool possible = context.state.live.possible;
  const std::string name = tr(slider_words[slider].name);
  scene.begin_mark(mark, fmt::format("{}: {}", name, number));
  // What takes the pointer is higher than the line.
  scene.rect({track.x - context.px(knob_radius), track.y - context.px(12), track.w + context.px(2 * knob_radius),
              context.px(24)},
             Role::None);
  const float above = track.y - context.px(22);
  const float right = track.right() - text_width(context.mono(12), number);
  scene.text({track.right(), baseline(context.mono(12), above)}, number, context.mono(12),
             possible ? Role::Ink : Role::Ink3, Anchor::End);
  const float named =
      label(scene, track.x, above, name, context.ui(Weight::SemiBold), Role::Ink, right - track.x - context.px(6));
  first_fitting(scene, track.x + named + context.px(8), above, {tr(slider_words[slider].meaning)}, context.caption(),
                Role::Ink2, right - track.x - named - context.px(16));
  const float zero = at(range.low < 0 ? 0 : range.low), x = at(value);
  scene.line({track.x, track.y}, {track.right(), track.y}, {Role::Future, context.px(3)});
  scene.line({std::min(zero, x), track.y}, {std::max(zero, x), track.y},
             {possible ? Role::Ink2 : Role::Future, context.px(3)});
  const bool lit = is_hovered(context, mark);
  scene.circle({x, track.y}, context.px(knob_radius), Role::Raised,
               {lit        ? Role::Hover
                : possible ? Role::Ink
                           : Role::Future,
                context.px(lit ? 2.5f : 1.6f)});
  scene.end_mark();
  const Font small = context.mono(10.5f);
  const float below = track.y + context.px(16);
  scene.text({track.x, baseline(small, below)}, number_text(range.low, 3), small, Role::Ink3);
  scene.text({track.right(), baseline(small, below)}, number_text(range.high, 3), small, Role::Ink3, Anchor::End);
}

}  // namespace

Box slider_track(float width, float scale, LiveWave::Slider slider) {
  const float pad = signal_pad * scale, gap = slider_gap * scale;
  const float each = (width - 2 * pad - gap * (LiveWave::sliders - 1)) / LiveWave::sliders;
  return {pad + (each + gap) * static_cast<float>(slider), track_y * scale, std::max(1.0f, each), 0};
}

Scene signal_panel(const PanelContext& context, float width, float height) {
  Scene scene;
  scene.width = width, scene.height = height;
  const LiveSignal& live = context.state.live;
  const int buffer = live_buffer(context.info());
  if (buffer < 0) return scene;
  const BufferInfo& info = context.info().buffers[static_cast<std::size_t>(buffer)];
  const LiveWave wave = live.wave.value_or(wave_of(context.info().signal));
  scene.line({0, 0}, {width, 0}, context.divider());
  heading(context, scene, context.px(signal_pad), context.px(18), width - context.px(signal_pad), tr("Signal"),
          live.possible ? tr("one wave, added to what the hand did") : tr("nothing can be run again from here"),
          Face::Sans);
  for (std::size_t s = 0; s < LiveWave::sliders; ++s) {
    const auto slider = static_cast<LiveWave::Slider>(s);
    draw_slider(context, scene, slider, wave,
                slider_range(slider, live_width(context.info()), traits(info.type).floating));
  }
  // The shapes, and by hand: what is chosen has an outline.
  float x = context.px(signal_pad);
  const auto choice = [&](const Mark& mark, const std::string& words, const std::string& meaning, bool chosen) {
    const Font font = context.sans(12, chosen ? Weight::SemiBold : Weight::Regular);
    const float wide = std::round(text_width(font, words) + context.px(18)), centre = context.px(shapes_y);
    if (x + wide > width - context.px(signal_pad)) return;
    const Box box{x, std::round(centre - context.px(12)), wide, context.px(24)};
    scene.begin_mark(mark, meaning);
    control_box(context, scene, box, mark);
    if (chosen) scene.rect(box, Role::None, {Role::Ink, context.thin(2)}, context.px(4));
    label(scene, box.centre().x, centre, words, font, live.possible ? Role::Ink : Role::Ink3, wide, Anchor::Middle);
    scene.end_mark();
    x = box.right() + context.px(8);
  };
  for (std::size_t s = 0; s < LiveWave::shapes; ++s) {
    const std::string words = tr(shape_words[s]);
    choice(command_mark(Command::SetShape, s), words, words, static_cast<std::size_t>(wave.shape) == s);
  }
  x += context.px(12);
  const bool picture = traits(context.info().expect.transform).plane;
  choice(command_mark(Command::DrawSignal), tr("by hand"),
         picture ? tr("dragging over the picture paints its pixels") : tr("dragging over the samples draws them"),
         live.drawing);
  return scene;
}

}  // namespace twiddle
