#include "lessons/text/text_plot.h"

#include "base/error.h"
#include "base/text.h"
#include "tracer/trace/number_text.h"
#include "viewer/scene/formula.h"
#include "viewer/scene/ink.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <sstream>
#include <system_error>
#include <utility>

namespace twiddle {
namespace {

/// Lines differ by dash and sign as well as by colour.
struct PlotLook {
  Role role;
  float dash_on, dash_off;  // px at type of 15 px
};
constexpr std::array<PlotLook, TextPlot::max_lines> looks = {
    {{Role::A, 0, 0}, {Role::B, 7, 4}, {Role::Error, 2, 3}, {Role::Ink2, 10, 3}, {Role::W, 4, 2}}};

std::string_view stripped(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, last + 1 - first);
}

// "1 024" with a thin space, "1.1e−7" with a minus sign; "-" is no value.
double plot_number(const std::string& word) {
  if (word == "-" || word == "–") return 0;
  std::string plain;
  for (std::size_t at = 0; at < word.size();) {
    const std::string_view rest = std::string_view(word).substr(at);
    if (rest.starts_with("\u2009"))
      at += std::string_view("\u2009").size();
    else if (rest.starts_with("−"))
      plain += '-', at += std::string_view("−").size();
    else
      plain += word[at++];
  }
  double value = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (error != std::errc() || end != plain.data() + plain.size() || !std::isfinite(value) || value <= 0)
    throw usage_error("a plot has numbers above zero, or -, not '{}'", word);
  return value;
}

std::vector<double> plot_numbers(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::vector<double> values;
  for (std::string word; words >> word;) values.push_back(plot_number(word));
  return values;
}

/// Decades from a power of ten to another, marked every so many.
struct Decades {
  int low = 0, high = 1, step = 1;
  Decades(double least, double largest, int most) {
    low = static_cast<int>(std::floor(std::log10(least) + 1e-9));
    high = std::max(low + 1, static_cast<int>(std::ceil(std::log10(largest) - 1e-9)));
    step = std::max(1, (high - low + most - 1) / most);
  }
  float part(double value) const {
    return static_cast<float>((std::log10(value) - low) / static_cast<double>(high - low));
  }
};

void plot_sign(Scene& scene, Point at, float r, std::size_t line) {
  const Role role = looks[line].role;
  switch (line) {
    case 0: scene.circle(at, r, role); break;
    case 1: scene.rect({at.x - r, at.y - r, 2 * r, 2 * r}, role); break;
    case 2:
      scene.polygon({{at.x, at.y - 1.3f * r}, {at.x + 1.2f * r, at.y + r}, {at.x - 1.2f * r, at.y + r}}, role);
      break;
    case 3: scene.circle(at, r, Role::Canvas, {role, r * 0.6f}); break;
    default: scene.rect({at.x - r, at.y - r, 2 * r, 2 * r}, Role::Canvas, {role, r * 0.6f});
  }
}

std::string plot_value(double value) {
  return value == std::floor(value) && value < 1e15 ? count_text(static_cast<std::uint64_t>(value))
                                                    : number_text(value, 2);
}

}  // namespace

TextPlot parse_plot(std::string_view text) {
  TextPlot plot;
  std::istringstream rows{std::string(text)};
  bool first = true;
  for (std::string row; std::getline(rows, row);) {
    if (stripped(row).empty()) continue;
    const std::size_t colon = row.rfind(": ");
    if (colon == std::string::npos) {
      if (first || !plot.up.empty())
        throw usage_error("a row of a plot is 'name: values'; only what is measured has none");
      plot.up = stripped(row);
      continue;
    }
    const std::string name(stripped(std::string_view(row).substr(0, colon)));
    std::vector<double> values = plot_numbers(std::string_view(row).substr(colon + 2));
    if (first) {
      plot.across = name, plot.places = std::move(values), first = false;
      if (plot.places.size() < 2 || plot.places.size() > TextPlot::max_places ||
          !std::is_sorted(plot.places.begin(), plot.places.end(), std::less_equal<>()) || plot.places.front() <= 0)
        throw usage_error("a plot's first row has 2 to {} places, each larger than the one before",
                          TextPlot::max_places);
      continue;
    }
    if (values.size() != plot.places.size())
      throw usage_error("'{}' has {} values for {} places", name, values.size(), plot.places.size());
    if (plot.lines.size() == TextPlot::max_lines) throw usage_error("a plot has at most {} lines", TextPlot::max_lines);
    if (std::all_of(values.begin(), values.end(), [](double value) { return value == 0; }))
      throw usage_error("'{}' has no values", name);
    plot.lines.push_back({name, std::move(values)});
  }
  if (plot.lines.empty() || plot.up.empty())
    throw usage_error("a plot has its places, what is measured, and a line at least");
  return plot;
}

void check_plot_numbers(const TextBlock& block, Complaints& complaints) {
  bool values = false;  // after the colon of a row
  char before = ' ';
  for (const TextRun& run : block.runs) {
    if (run.reference) continue;
    for (const char c : run.text) {
      if (c == '\n') values = false;
      if (values && is_digit(c)) {
        complaints.add(run.line, "a plot's values are references: {{count …}}, {{literal …}}");
        return;
      }
      if (before == ':' && c == ' ') values = true;
      before = c;
    }
  }
}

float draw_plot(Scene& scene, Point at, float width, float size, const TextPlot& plot) {
  // A tick's exponent is two thirds of it, and still large enough.
  const Font small{Face::Sans, Weight::Regular, size * 0.9f}, strong{Face::Sans, Weight::SemiBold, size * 0.9f};
  const float unit = size / 15, pitch = size * 1.25f;
  double least = 1e300, largest = 0;
  for (const PlotLine& line : plot.lines)
    for (const double value : line.values)
      if (value > 0) least = std::min(least, value), largest = std::max(largest, value);
  const Decades up(least, largest, 6),
      across(plot.places.front(), plot.places.back(), std::max(2, static_cast<int>(width / (size * 4))));
  const auto tick = [](int power) { return fmt::format("10^{}{}", power < 0 ? "−" : "", std::abs(power)); };
  float y = at.y;
  // What each line is, one below the other, so that names of any length fit.
  for (std::size_t n = 0; n < plot.lines.size(); ++n) {
    const float middle = y + pitch / 2, sign = 26 * unit;
    scene.line({at.x, middle}, {at.x + sign, middle},
               {looks[n].role, 2 * unit, looks[n].dash_on * unit, looks[n].dash_off * unit});
    plot_sign(scene, {at.x + sign / 2, middle}, 3.5f * unit, n);
    sentence_label(scene, at.x + sign + 8 * unit, middle, plot.lines[n].name, small, Role::Ink,
                   width - sign - 8 * unit);
    y += pitch;
  }
  label(scene, at.x, y + pitch / 2, plot.up, strong, Role::Ink2, width);
  y += pitch * 1.5f;
  float margin = 0;
  for (int power = up.low; power <= up.high; power += up.step)
    margin = std::max(margin, formula_width(small, tick(power)));
  margin += 8 * unit;
  const Box box{at.x + margin, y, width - margin - 10 * unit, std::min((width - margin) * 0.6f, size * 16)};
  for (int power = up.low; power <= up.high; power += up.step) {
    const float middle =
        box.bottom() - box.h * static_cast<float>(power - up.low) / static_cast<float>(up.high - up.low);
    scene.line({box.x, middle}, {box.right(), middle}, {Role::Line, unit});
    formula_text(scene, {box.x - 6 * unit - formula_width(small, tick(power)), baseline(small, middle)}, tick(power),
                 small, Role::Ink2);
  }
  for (int power = across.low; power <= across.high; power += across.step) {
    const float x =
        box.x + box.w * static_cast<float>(power - across.low) / static_cast<float>(across.high - across.low);
    scene.line({x, box.y}, {x, box.bottom()}, {Role::Line, unit});
    const float wide = formula_width(small, tick(power));
    formula_text(scene, {std::min(x - wide / 2, at.x + width - wide), baseline(small, box.bottom() + pitch * 0.6f)},
                 tick(power), small, Role::Ink2);
  }
  for (std::size_t n = 0; n < plot.lines.size(); ++n) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < plot.places.size(); ++i)
      if (const double value = plot.lines[n].values[i]; value > 0)
        points.push_back({box.x + box.w * across.part(plot.places[i]), box.bottom() - box.h * up.part(value)});
    for (const Point& point : points) plot_sign(scene, point, 3.5f * unit, n);
    scene.polyline(std::move(points), {looks[n].role, 2 * unit, looks[n].dash_on * unit, looks[n].dash_off * unit});
  }
  y = box.bottom() + pitch * 1.2f;
  const float wide = text_width(strong, plot.across);
  label(scene, std::max(at.x, box.right() - wide), y + pitch / 2, plot.across, strong, Role::Ink2, width);
  return y + pitch * 1.2f - at.y;
}

std::string plot_words(const TextPlot& plot) {
  std::string words = fmt::format("{}, {}.", plot.up, plot.across);
  for (const PlotLine& line : plot.lines) {
    words += fmt::format(" {}:", line.name);
    for (std::size_t i = 0; i < plot.places.size(); ++i)
      if (line.values[i] > 0) words += fmt::format(" {}: {};", plot_value(plot.places[i]), plot_value(line.values[i]));
    words.back() = '.';
  }
  return words;
}

}  // namespace twiddle
