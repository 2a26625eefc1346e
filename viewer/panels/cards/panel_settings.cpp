// The settings as one card: what is elsewhere in menus and keys, in one place.
#include "base/message.h"
#include "viewer/panels/panel_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace twiddle {
namespace {

constexpr float settings_width = 620, settings_row = 38, settings_head = 50, settings_foot = 84, settings_pad = 20;

/// A row: what it is called, and what draws its control, which ends at `right`; returns where that begins.
struct SettingsRow {
  std::string name;
  std::function<float(const PanelContext& context, Scene& scene, float right, float centre)> control;
};

/// Less, the value, more.
float stepper(const PanelContext& context, Scene& scene, float right, float centre, Command less, Command more,
              const std::string& value) {
  const float room = context.px(66);
  float left = word_button(context, scene, right, centre, more, "+");
  scene.text({left - room / 2, baseline(context.mono(12.5f), centre)}, value, context.mono(12.5f), Role::Ink,
             Anchor::Middle);
  return word_button(context, scene, left - room, centre, less, "−");
}

std::vector<SettingsRow> settings_rows() {
  using C = const PanelContext&;
  return {
      {tr("Language"),
       [](C c, Scene& scene, float right, float centre) {
         return segmented(c, scene, right, centre, Command::SetLanguage, {"English", "日本語", "简体中文"},
                          static_cast<std::size_t>(c.state.language));
       }},
      {tr("Theme"),
       [](C c, Scene& scene, float right, float centre) {
         return segmented(c, scene, right, centre, Command::SetTheme, {tr("light"), tr("dark"), tr("projector")},
                          static_cast<std::size_t>(c.state.theme));
       }},
      {tr("Size of everything"),
       [](C c, Scene& scene, float right, float centre) {
         const float user = c.state.scale / std::max(0.1f, c.state.screen_scale);
         return stepper(c, scene, right, centre, Command::ScaleDown, Command::ScaleUp,
                        fmt::format("{:.0f} %", 100 * user));
       }},
      {tr("Speed of playing"),
       [](C c, Scene& scene, float right, float centre) {
         return stepper(c, scene, right, centre, Command::Slower, Command::Faster, speed_text(c.state.playback.speed));
       }},
      {tr("Motion"),
       [](C c, Scene& scene, float right, float centre) {
         return segmented(c, scene, right, centre, Command::SetMotion, {tr("in phases"), tr("finished at once")},
                          c.state.playback.reduced_motion ? 1 : 0);
       }},
      {tr("Plots"),
       [](C c, Scene& scene, float right, float centre) {
         return segmented(c, scene, right, centre, Command::SetPlots, {tr("values"), tr("decibels")},
                          c.state.log_scale ? 1 : 0);
       }},
      {tr("Below each stage"),
       [](C c, Scene& scene, float right, float centre) {
         return segmented(c, scene, right, centre, Command::SetCosts,
                          {tr("nothing"), tr("sectors"), tr("bank passes"), tr("both")},
                          static_cast<std::size_t>(c.state.costs));
       }},
      {tr("Panes"),
       [](C c, Scene& scene, float right, float centre) {
         return word_button(c, scene, right, centre, Command::ResetPanes, tr("as large as usual"));
       }},
      {tr("Keys"), [](C c, Scene& scene, float right,
                      float centre) { return word_button(c, scene, right, centre, Command::Help, tr("all keys")); }},
  };
}

}  // namespace

void settings_overlay(const PanelContext& context, Scene& scene) {
  const std::vector<SettingsRow> rows = settings_rows();
  const float units = settings_head + settings_foot + settings_row * static_cast<float>(rows.size());
  // In a small window all of it is drawn smaller rather than any of it cut.
  PanelContext fitted = context;
  fitted.scale = std::min(
      {context.scale, (scene.height - context.px(16)) / units, (scene.width - context.px(16)) / settings_width});
  const auto px = [&](float u) { return fitted.px(u); };
  const Box card{std::round((scene.width - px(settings_width)) / 2), std::round((scene.height - px(units)) / 2),
                 std::round(px(settings_width)), std::round(px(units))};
  scene.begin_mark({.kind = MarkKind::Pane, .command = "settings"});
  scene.rect({0, 0, scene.width, scene.height}, Role::Canvas).opacity = 0.75f;
  raised_card(fitted, scene, card);
  const float left = card.x + px(settings_pad), right = card.right() - px(settings_pad);
  label(scene, left, card.y + px(28), tr("Settings"), fitted.sans(18, Weight::SemiBold), Role::Ink, card.w / 2);
  label(scene, right, card.y + px(28), tr("Esc closes"), fitted.caption(), Role::Ink2, card.w / 3, Anchor::End);
  scene.end_mark();
  float y = card.y + px(settings_head);
  for (const SettingsRow& row : rows) {
    scene.line({card.x + px(1), y}, {card.right() - px(1), y}, fitted.divider());
    const float centre = y + px(settings_row / 2);
    const float begins = row.control(fitted, scene, right, centre);
    label(scene, left, centre, row.name, fitted.ui(), Role::Ink, begins - left - px(12));
    y += px(settings_row);
  }
  scene.line({card.x + px(1), y}, {card.right() - px(1), y}, fitted.divider());
  const std::string words = tr(
      "Chosen here, it is there again the next time. What settings.toml says comes before it, and gives commands other "
      "keys: {}",
      context.state.settings_file);
  y += px(18);
  for (const std::string& line : wrap(fitted.caption(), words, right - left)) {
    if (y + px(6) > card.bottom()) break;
    label(scene, left, y, line, fitted.caption(), Role::Ink2, right - left + 1);
    y += px(17);
  }
}

}  // namespace twiddle
