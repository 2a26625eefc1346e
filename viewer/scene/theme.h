// Themes: what colour and what stroke a role has. The only place with colour values.
#pragma once

#include "viewer/scene/scene.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace twiddle {

enum class ThemeName : std::uint8_t { Light, Dark, Projector };

struct Rgb {
  std::uint8_t r, g, b;
};

struct Theme {
  ThemeName name = ThemeName::Light;
  Rgb colour(Role role) const;
  // Widths of wires by state, px at scale 1; type sizes; node sizes. Projector is heavier and larger.
  float wire_future = 1, wire_done = 1.75f, wire_cone = 2.5f, wire_now = 3, halo = 13;
  float ui = 13, caption = 12, code = 12, head = 14, title = 18, node_text = 14, node_text_now = 15, floor = 11;
  float node_width = 86, node_height = 30, chip_width = 34, chip_height = 24, badge_radius = 8.5f;
  float row = 60;  // of the butterfly diagram, where nodes have these sizes
};

const Theme& theme(ThemeName name);
std::string_view name_of(ThemeName name);
std::optional<ThemeName> theme_named(std::string_view name);

/// Contrast ratio of WCAG 2 between two colours, 1 … 21.
double contrast(Rgb a, Rgb b);

}  // namespace twiddle
