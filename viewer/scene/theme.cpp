#include "viewer/scene/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace twiddle {
namespace {

constexpr Rgb rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8), static_cast<std::uint8_t>(hex)};
}

// By role and theme.
constexpr Rgb palette[][3] = {
#define ROLE(role, css, light, dark, projector) {rgb(light), rgb(dark), rgb(projector)},
#include "viewer/scene/roles.def"
#undef ROLE
};

Theme make(ThemeName name) {
  Theme theme;
  theme.name = name;
  if (name == ThemeName::Projector) {
    theme.wire_future = 2, theme.wire_done = 4, theme.wire_cone = 4, theme.wire_now = 5, theme.halo = 22;
    theme.ui = 26, theme.caption = 24, theme.code = 24, theme.head = 26, theme.title = 40;
    theme.node_text = 28, theme.node_text_now = 28, theme.floor = 21;
    theme.node_width = 172, theme.node_height = 58, theme.row = 102, theme.chip_width = 56, theme.chip_height = 44,
    theme.badge_radius = 15;
  }
  return theme;
}

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(Rgb c) { return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b); }

}  // namespace

Rgb Theme::colour(Role role) const { return palette[static_cast<std::size_t>(role)][static_cast<std::size_t>(name)]; }

const Theme& theme(ThemeName name) {
  static const std::array<Theme, 3> themes = {make(ThemeName::Light), make(ThemeName::Dark),
                                              make(ThemeName::Projector)};
  return themes[static_cast<std::size_t>(name)];
}

std::string_view name_of(ThemeName name) {
  constexpr std::string_view names[] = {"light", "dark", "projector"};
  return names[static_cast<std::size_t>(name)];
}

std::optional<ThemeName> theme_named(std::string_view name) {
  for (const ThemeName theme : {ThemeName::Light, ThemeName::Dark, ThemeName::Projector})
    if (name_of(theme) == name) return theme;
  return {};
}

double contrast(Rgb a, Rgb b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

}  // namespace twiddle
