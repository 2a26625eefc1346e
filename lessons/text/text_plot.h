// A plot in a lesson's text: lines over sizes, both axes logarithmic, such as what two algorithms cost.
#pragma once

#include "lessons/text/lesson.h"
#include "viewer/scene/scene.h"

#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

struct PlotLine {
  std::string name;
  std::vector<double> values;  // one for each place; 0: none there
};

/// What a block says whose references have been evaluated, one thing a row: the places ("points: 8 16 32"), what is measured
/// ("operations"), and each line's name and values ("fast: 12 32 -"). At least two places, and all numbers above zero.
struct TextPlot {
  static constexpr std::size_t max_places = 32, max_lines = 5;
  std::string across, up;
  std::vector<double> places;
  std::vector<PlotLine> lines;
};

/// Throws Error (usage), which says what is not so.
TextPlot parse_plot(std::string_view text);

/// Complains of numbers that are typed in a plot's block, since its values come from runs or are said to be from elsewhere.
void check_plot_numbers(const TextBlock& block, Complaints& complaints);

/// Draws it with its upper left corner at a point, `width` px wide, in type of `size` px. Returns its height in px.
float draw_plot(Scene& scene, Point at, float width, float size, const TextPlot& plot);

/// Every value in words, for a reader who does not see it.
std::string plot_words(const TextPlot& plot);

}  // namespace twiddle
