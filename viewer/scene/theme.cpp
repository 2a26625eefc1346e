#include "viewer/scene/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace twiddle {
namespace {

constexpr Rgb rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8), static_cast<std::uint8_t>(hex)};
}

constexpr std::size_t role_count = static_cast<std::size_t>(Role::Grey7) + 1;
using Palette = std::array<Rgb, role_count>;

// In the order of Role. The eight strong colours are those of Okabe and Ito; their soft twins are plates for ink.
constexpr Palette light = {
    rgb(0xFFFFFF),                                                              // None: never painted
    rgb(0xFFFFFF), rgb(0xF4F6F8), rgb(0xFFFFFF), rgb(0xD9DEE4),                 // canvas, pane, raised, line
    rgb(0x14181C), rgb(0x4A535D), rgb(0x66707B),                                // ink, ink2, ink3
    rgb(0x7C8792), rgb(0xD5DADF), rgb(0xC9D0D7),                                // done, doneSoft, future
    rgb(0xF0E442), rgb(0xFCF8C9), rgb(0x14181C),                                // now, nowSoft, onNow
    rgb(0x56B4E9), rgb(0xDDF0FB),                                               // hover, hoverSoft
    rgb(0x0072B2), rgb(0xD9EAF4), rgb(0x009E73), rgb(0xD6EFE7),                 // a, aSoft, b, bSoft
    rgb(0xCC79A7), rgb(0xF6E4EE),                                               // w, wSoft
    rgb(0xD55E00), rgb(0xFBE7DA), rgb(0xE69F00), rgb(0xFCF1D9), rgb(0x8A5F00),  // error, warn, warnHatch
    rgb(0xEEF1F4), rgb(0xD5DADF), rgb(0xB9C0C8), rgb(0x9AA4AE),                 // greys: more ink, larger value
    rgb(0x7C8792), rgb(0x5B6670), rgb(0x39424B), rgb(0x14181C),
};

constexpr Palette dark = {
    rgb(0x0E1216), rgb(0x0E1216), rgb(0x161B20), rgb(0x20272E), rgb(0x2E3740), rgb(0xF4F6F8), rgb(0xBAC3CC),
    rgb(0x8E99A5), rgb(0x7E8995), rgb(0x39434D), rgb(0x38424C), rgb(0xF0E442), rgb(0x4B491C), rgb(0x14181C),
    rgb(0x56B4E9), rgb(0x1B3A4D), rgb(0x0072B2), rgb(0x10344A), rgb(0x009E73), rgb(0x0F3B30), rgb(0xCC79A7),
    rgb(0x452E3B), rgb(0xD55E00), rgb(0x45240F), rgb(0xE69F00), rgb(0x46350F), rgb(0xE69F00), rgb(0x20272E),
    rgb(0x39434D), rgb(0x525D68), rgb(0x6C7782), rgb(0x8A959F), rgb(0xACB5BE), rgb(0xD0D6DC), rgb(0xF4F6F8),
};

constexpr Palette make_projector() {
  Palette palette = light;
  const auto set = [&](Role role, std::uint32_t hex) { palette[static_cast<std::size_t>(role)] = rgb(hex); };
  set(Role::Pane, 0xFFFFFF);
  set(Role::Ink, 0x000000), set(Role::Ink2, 0x000000), set(Role::Ink3, 0x333333);
  set(Role::Line, 0x000000), set(Role::Done, 0x000000), set(Role::DoneSoft, 0xE0E0E0);
  set(Role::Future, 0xB4B4B4), set(Role::OnNow, 0x000000);
  set(Role::Grey7, 0x000000);
  return palette;
}
constexpr Palette projector = make_projector();

Theme make(ThemeName name) {
  Theme theme;
  theme.name = name;
  if (name == ThemeName::Projector) {
    theme.wire_future = 2, theme.wire_done = 4, theme.wire_cone = 4, theme.wire_now = 5, theme.halo = 22;
    theme.ui = 26, theme.caption = 24, theme.code = 24, theme.head = 26, theme.title = 40;
    theme.node_text = 28, theme.node_text_now = 28, theme.floor = 21;
    theme.node_width = 108, theme.node_height = 50, theme.chip_width = 56, theme.chip_height = 44,
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

Rgb Theme::colour(Role role) const {
  const Palette& palette = name == ThemeName::Dark ? dark : name == ThemeName::Projector ? projector : light;
  return palette[static_cast<std::size_t>(role)];
}

const Theme& theme(ThemeName name) {
  static const std::array<Theme, 3> themes = {make(ThemeName::Light), make(ThemeName::Dark),
                                              make(ThemeName::Projector)};
  return themes[static_cast<std::size_t>(name)];
}

std::string_view name_of(ThemeName name) {
  switch (name) {
    case ThemeName::Light: return "light";
    case ThemeName::Dark: return "dark";
    case ThemeName::Projector: return "projector";
  }
  return "light";
}

double contrast(Rgb a, Rgb b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

}  // namespace twiddle
