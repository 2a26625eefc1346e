#include "viewer/panels/cards/roofline.h"

#include "base/message.h"
#include "tracer/trace/number_text.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/panels/panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace twiddle {
namespace {

constexpr float plot_left = 58, plot_top = 44, plot_bottom = 46, list_width = 366, list_row = 16;
constexpr float roofline_card_width = 1060, roofline_card_height = 640, problems_width = 236, problem_row = 30;

struct RoofPoint {
  double intensity, rate;  // operations a byte; billions a second
  std::string what, words;
  bool library;
  std::size_t table;
};

double bytes_a_ns(const KernelBenchRow& row) { return row.ns > 0 ? row.bytes / row.ns : 0; }

std::string point_words(const KernelBenchTable& table, const KernelBenchRow& row, double roof) {
  std::string words = row.what + "\n" + problem_text(table);
  words += "\n" + tr("{} ms, {} GB/s", fmt::format("{:.4g}", row.ns / 1e6), fmt::format("{:.0f}", bytes_a_ns(row)));
  if (roof > 0) words += "\n" + tr("{} % of the quickest copy", fmt::format("{:.0f}", 100 * bytes_a_ns(row) / roof));
  if (const double library = table.library_ns(); !row.library && row.ns > 0 && library > 0)
    words +=
        "\n" + tr("{} times as quick as {}", fmt::format("{:.2f}", library / row.ns),
                  std::find_if(table.rows_measured.begin(), table.rows_measured.end(), [](const KernelBenchRow& one) {
                    return one.library && one.ns > 0;
                  })->what);
  return words;
}

/// Bytes a nanosecond of the quickest copy: those of small problems are over before the memory is as busy as it can be.
double roof_of(const KernelBench& bench) {
  double roof = 0;
  for (const KernelBenchTable& table : bench.tables) roof = std::max(roof, table.bandwidth());
  return roof;
}

std::vector<RoofPoint> points_of(const RooflineInput& input) {
  const double roof = roof_of(input.bench);
  std::vector<RoofPoint> points;
  for (std::size_t t = 0; t < input.bench.tables.size(); ++t) {
    if (input.table && *input.table != t) continue;
    const KernelBenchTable& table = input.bench.tables[t];
    for (const KernelBenchRow& row : table.rows_measured) {
      // A library is measured before the rungs and after them.
      const bool again = row.library && std::any_of(points.begin(), points.end(), [&](const RoofPoint& one) {
                           return one.library && one.table == t && one.what == row.what;
                         });
      if (row.ns <= 0 || row.bytes <= 0 || again) continue;
      if (!std::isnormal(table.operations / row.bytes) || !std::isnormal(table.operations / row.ns)) continue;
      points.push_back({table.operations / row.bytes, table.operations / row.ns, row.what,
                        point_words(table, row, roof), row.library, t});
    }
  }
  return points;
}

Mark point_mark(std::size_t number) {
  return {.kind = MarkKind::Command, .index = number, .command = "roofline-point"};
}

class RooflinePicture {
 public:
  RooflinePicture(const RooflineInput& input, float width, float height)
      : in_(input), ink_(input.ink), points_(points_of(input)) {
    scene_.width = width, scene_.height = height;
    plot_ = {px(plot_left), px(plot_top), width - px(plot_left + list_width + 16), height - px(plot_top + plot_bottom)};
    roof_ = roof_of(input.bench);
    double high = 1;
    low_rate_ = 1e12;
    for (const RoofPoint& point : points_) {
      low_ = std::min(low_, point.intensity / 1.5), high_ = std::max(high_, point.intensity * 1.5);
      low_rate_ = std::min(low_rate_, point.rate / 2), high = std::max(high, point.rate * 2);
    }
    high_rate_ = std::max(high, roof_ * high_ / 4);
    low_rate_ = std::min(low_rate_, high_rate_ / 100);
  }

  Scene draw() {
    scene_.title = tr("Operations a second, under the roof that memory is");
    scene_.description = in_.bench.device;
    label(scene_, px(plot_left), px(20), scene_.title + " · " + in_.bench.device, ink_.ui(Weight::SemiBold), Role::Ink,
          scene_.width - px(plot_left));
    if (plot_.w < px(80) || plot_.h < px(80)) return std::move(scene_);
    axes();
    roof();
    for (std::size_t n = 0; n < points_.size(); ++n) point(n);
    list();
    return std::move(scene_);
  }

 private:
  float px(float units) const { return ink_.px(units); }
  float x_of(double x) const {
    return plot_.x + plot_.w * static_cast<float>(std::log(x / low_) / std::log(high_ / low_));
  }
  float y_of(double y) const {
    return plot_.bottom() - plot_.h * static_cast<float>(std::log(y / low_rate_) / std::log(high_rate_ / low_rate_));
  }

  void axes() {
    for (double x = std::pow(10, std::ceil(std::log10(low_))); x <= high_; x *= 10) {
      scene_.line({x_of(x), plot_.y}, {x_of(x), plot_.bottom()}, {Role::Line, ink_.thin()});
      label(scene_, x_of(x), plot_.bottom() + px(12), fmt::format("{:g}", x), ink_.mono(11), Role::Ink2, px(60),
            Anchor::Middle);
    }
    for (double y = std::pow(10, std::ceil(std::log10(low_rate_))); y <= high_rate_; y *= 10) {
      scene_.line({plot_.x, y_of(y)}, {plot_.right(), y_of(y)}, {Role::Line, ink_.thin()});
      label(scene_, plot_.x - px(6), y_of(y), fmt::format("{:g}", y), ink_.mono(11), Role::Ink2, px(plot_left - 8),
            Anchor::End);
    }
    label(scene_, plot_.centre().x, plot_.bottom() + px(32), tr("operations a byte moved"), ink_.caption(), Role::Ink2,
          plot_.w, Anchor::Middle);
    label(scene_, plot_.x - px(plot_left - 10), plot_.y - px(8), tr("billion operations a second"), ink_.caption(),
          Role::Ink2, plot_.w);
  }

  void roof() {
    if (roof_ <= 0) return;
    const double from = std::max(low_, low_rate_ / roof_), to = std::min(high_, high_rate_ / roof_);
    scene_.line({x_of(from), y_of(roof_ * from)}, {x_of(to), y_of(roof_ * to)}, {Role::Ink, px(2)});
  }

  /// Problems have shapes of their own; libraries are hollow.
  void sign(Point at, const RoofPoint& point, float r) {
    const Role fill = point.library ? Role::Canvas : Role::Done;
    const Stroke edge{Role::Ink, px(1.4f)};
    switch (point.table % 4) {
      case 0: scene_.circle(at, r, fill, edge); return;
      case 1: scene_.rect({at.x - r, at.y - r, 2 * r, 2 * r}, fill, edge); return;
      case 2:
        scene_.polygon(
            {{at.x, at.y - 1.3f * r}, {at.x + 1.3f * r, at.y}, {at.x, at.y + 1.3f * r}, {at.x - 1.3f * r, at.y}}, fill,
            edge);
        return;
      default:
        scene_.polygon({{at.x, at.y - 1.2f * r}, {at.x + 1.2f * r, at.y + r}, {at.x - 1.2f * r, at.y + r}}, fill, edge);
    }
  }

  bool lit(std::size_t n) const { return in_.hover && *in_.hover == point_mark(n); }

  void point(std::size_t n) {
    const RoofPoint& one = points_[n];
    const Point at{x_of(one.intensity), y_of(one.rate)};
    scene_.begin_mark(point_mark(n), one.words);
    if (lit(n)) scene_.circle(at, px(9), Role::HoverSoft, {Role::Hover, px(2)});
    sign(at, one, px(4.5f));
    scene_.end_mark();
    // Its number, where no other is: all are in the list.
    const Font font = ink_.mono(11);
    const std::string number = std::to_string(n + 1);
    const Box box{at.x + px(8), at.y - px(7), text_width(font, number), px(14)};
    const bool free = std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) {
      return box.x < other.right() && other.x < box.right() && box.y < other.bottom() && other.y < box.bottom();
    });
    if (!free || box.right() > plot_.right() + px(12)) return;
    taken_.push_back(box);
    label(scene_, box.x, at.y, number, font, Role::Ink, box.w + 1);
  }

  void list() {
    const float left = plot_.right() + px(24), right = scene_.width - px(8);
    float y = px(plot_top - 2);
    if (roof_ > 0)
      label(scene_, left, y, tr("the roof: {} GB/s, the quickest copy", fmt::format("{:.0f}", roof_)), ink_.caption(),
            Role::Ink2, right - left);
    y += px(20);
    std::size_t table = SIZE_MAX;
    for (std::size_t n = 0; n < points_.size(); ++n) {
      const RoofPoint& one = points_[n];
      if (!in_.table && one.table != table) {
        label(scene_, left, y, problem_text(in_.bench.tables[one.table]), ink_.caption(Weight::SemiBold), Role::Ink,
              right - left);
        y += px(list_row + 2);
        table = one.table;
      }
      if (y + px(list_row / 2) > scene_.height) {
        label(scene_, left, y - px(list_row), "…", ink_.caption(), Role::Ink2, px(20), Anchor::End);
        return;
      }
      scene_.begin_mark(point_mark(n), one.words);
      scene_.rect({left - px(4), y - px(list_row / 2), right - left + px(4), px(list_row)},
                  lit(n) ? Role::HoverSoft : Role::None, {}, px(2));
      sign({left + px(4), y}, one, px(3.6f));
      label(scene_, left + px(30), y, std::to_string(n + 1), ink_.mono(11), Role::Ink2, px(20), Anchor::End);
      label(scene_, left + px(37), y, one.what, ink_.mono(11), Role::Ink, right - left - px(37 + 44));
      if (roof_ > 0)
        label(scene_, right, y, fmt::format("{:.0f} %", 100 * one.rate / one.intensity / roof_), ink_.mono(11),
              Role::Ink2, px(42), Anchor::End);
      scene_.end_mark();
      y += px(list_row);
    }
  }

  const RooflineInput& in_;
  const Ink& ink_;
  const std::vector<RoofPoint> points_;
  Scene scene_;
  Box plot_;
  double roof_ = 0, low_ = 0.05, high_ = 20, low_rate_ = 1, high_rate_ = 1;
  std::vector<Box> taken_;
};

}  // namespace

std::string problem_text(const KernelBenchTable& table) {
  if (table.family == "fft2d") return tr("FFT of {} × {} points", count_text(table.rows), count_text(table.n));
  if (table.family == "sum") return tr("Sum of {} numbers", count_text(table.n));
  if (table.family == "histogram")
    return table.type == "uchar" ? tr("Histogram of {} bytes: {}", count_text(table.n), table.signal)
                                 : tr("Histogram of {} values: {}", count_text(table.n), table.signal);
  if (table.rows > 0) return tr("{} transforms of {} points", count_text(table.rows), count_text(table.n));
  return tr("Transform of {} points", count_text(table.n));
}

float roofline_height(const RooflineInput& input) {
  const std::size_t rows = points_of(input).size() + (input.table ? 0 : input.bench.tables.size());
  return input.ink.px(plot_top + 34 + (list_row + 1) * static_cast<float>(rows));
}

Scene roofline_scene(const RooflineInput& input, float width, float height) {
  return RooflinePicture(input, width, height).draw();
}

void roofline_overlay(const PanelContext& context, Scene& scene) {
  const KernelBench& bench = *context.state.roofline;
  // In a small window all of it is drawn smaller rather than any of it cut.
  PanelContext fitted = context;
  fitted.scale = std::min({context.scale, (scene.height - context.px(16)) / roofline_card_height,
                           (scene.width - context.px(16)) / roofline_card_width});
  const auto px = [&](float u) { return fitted.px(u); };
  const Box card{std::round((scene.width - px(roofline_card_width)) / 2),
                 std::round((scene.height - px(roofline_card_height)) / 2), std::round(px(roofline_card_width)),
                 std::round(px(roofline_card_height))};
  scene.begin_mark({.kind = MarkKind::Pane, .command = "roofline"});
  scene.rect({0, 0, scene.width, scene.height}, Role::Canvas).opacity = 0.75f;
  raised_card(fitted, scene, card);
  label(scene, card.x + px(20), card.y + px(28), tr("Measured kernels"), fitted.sans(18, Weight::SemiBold), Role::Ink,
        card.w / 2);
  label(scene, card.right() - px(20), card.y + px(28), tr("Esc closes"), fitted.caption(), Role::Ink2, card.w / 3,
        Anchor::End);
  scene.end_mark();
  const std::size_t shown = std::min(context.state.roofline_table, bench.tables.empty() ? 0 : bench.tables.size() - 1);
  float y = card.y + px(56);
  // Of more problems than there is room for, those around the one that is shown: a click on an outer one leads on.
  const auto room = static_cast<std::size_t>((card.bottom() - px(60) - y) / px(problem_row));
  const std::size_t last_first = bench.tables.size() - std::min(room, bench.tables.size());
  const std::size_t first = std::min(shown - std::min(room / 2, shown), last_first);
  for (std::size_t t = first; t < bench.tables.size() && t < first + room; ++t) {
    const Box row{card.x + px(12), y, px(problems_width), px(problem_row - 4)};
    text_button(fitted, scene, row, command_mark(Command::SetRoofline, t), problem_text(bench.tables[t]), fitted.ui(),
                t == shown);
    y += px(problem_row);
  }
  const std::string words = tr("{}, {}, measured {}", bench.device, bench.driver, bench.created.substr(0, 10));
  float foot = card.bottom() - px(40);
  for (const std::string& line : wrap(fitted.caption(), words, px(problems_width))) {
    if (foot + px(6) > card.bottom()) break;
    label(scene, card.x + px(16), foot, line, fitted.caption(), Role::Ink2, px(problems_width));
    foot += px(16);
  }
  const RooflineInput input{bench, shown, context.state.cursor.hover, Ink{fitted.scale}};
  const float left = card.x + px(problems_width + 28), top = card.y + px(48);
  scene.add(roofline_scene(input, card.right() - px(12) - left, card.bottom() - px(12) - top), {left, top});
}

}  // namespace twiddle
