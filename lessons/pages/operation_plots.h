// What the operation at a figure's position does with its numbers: its twiddle on the unit circle, and a ± w·b in the plane.
#pragma once

#include "lessons/run/figure.h"
#include "viewer/scene/scene.h"
#include "viewer/scene/theme.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// Of a step whose position is one butterfly (`at` names a work-item) and whose views show it as such; nothing of any other.
/// `width` px wide. The program must be set to the language.
std::optional<Scene> operation_plots(const FigurePlace& place, const std::vector<std::string>& views,
                                     std::string_view at, const Theme& theme, float width, std::string_view language);

}  // namespace twiddle
