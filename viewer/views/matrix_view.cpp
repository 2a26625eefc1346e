// A two-dimensional transform as pictures: the array before the first launch, and after each; the heavier the grey, the larger.
#include "base/message.h"
#include "viewer/document/recent.h"
#include "viewer/graphs/series.h"
#include "viewer/views/cost_strips.h"
#include "viewer/views/matrix_layout.h"
#include "viewer/views/view_frame.h"
#include "viewer/views/view_space.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/segment_name.h"
#include "viewer/words/twiddle_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <list>
#include <optional>
#include <span>

namespace twiddle {
namespace {

constexpr float value_cell = 22, grid_cell = 6;
constexpr float cost_room = 132;                      // in layout units, of a picture's title
constexpr float min_matrix_cell = 4, label_cell = 9;  // px, of cells that stand for elements, and that say which
constexpr std::uint64_t max_cells = 64;               // of a picture, either way, before cells are put together
constexpr std::uint64_t few_elements = 16;            // of a cell: they are looked at whenever it is drawn
constexpr std::size_t pictures_kept = 96;
constexpr double matrix_quietest = -100;  // dB that can still be distinguished from zero

/// A buffer as a picture of rows and columns after a segment, in cells of `step` rows and columns each.
struct PictureCells {
  int buffer = -1, segment = -1;
  std::uint64_t columns = 0, row_step = 1, column_step = 1;
  std::vector<Extent> cells;    // row by row
  std::uint64_t rows_done = 0;  // of the picture's; they are made in pieces, over several frames if need be
};
using KeptPictures = std::list<PictureCells>;  // recently used first

bool two_dimensional(const TraceInfo& info) { return traits(info.expect.transform).plane; }

class MatrixFrame {
 public:
  MatrixFrame(const DiagramInput& input, Scene& scene, const ViewSpace& space)
      : f_(input, scene),
        space_(space),
        pictures_(matrix_pictures(input.document)),
        grid_(matrix_grid(input, static_cast<int>(pictures_.size()))) {}

  void draw() {
    f_.scene.title = tr("The array of {}", title_of(f_.info));
    // The one that is large at the right is not among the small ones.
    const std::size_t large = latest();
    for (std::size_t n = 0; n < pictures_.size(); ++n)
      if (!grid_.large || n != large) picture(pictures_[n], cell_of(n));
    if (grid_.large) picture(pictures_[large], *grid_.large);
    foot();
  }

  /// The pixel of the input's picture at a point, where pixels can be changed.
  std::optional<std::uint64_t> sample_at(Point p) const {
    if (pictures_.empty() || !handles(pictures_[0])) return {};
    const MatrixPicture& of = pictures_[0];
    const Box box = box_of(of, cell_of(0));
    if (!box.contains(p)) return {};
    const Span x = across(of, box), y = down(of, box);
    const auto at = [](double place, std::uint64_t count) {
      return std::min(count - 1, static_cast<std::uint64_t>(std::max(0.0, std::floor(place))));
    };
    return at(double(p.y - box.y) / y.scale + y.offset, of.rows) * of.columns +
           at(double(p.x - box.x) / x.scale + x.offset, of.columns);
  }
  /// What a pixel is when it is dragged to a point: all of the axis is so many px up, from the middle of the pane.
  double value_at(Point p) const {
    constexpr float whole = 240;
    const LiveAxis axis = live_axis(samples_, f_.input.live);
    return double(f_.scene.height / 2 - p.y) / double(f_.px(whole)) * (axis.high - axis.low);
  }

 private:
  ViewFrame f_;
  const ViewSpace& space_;
  std::vector<MatrixPicture> pictures_;
  MatrixGrid grid_;
  bool any_negative_ = false;
  const StripRows strips_ = strip_rows(f_.input, true);
  const std::vector<std::complex<double>> samples_ = samples_at_hand(f_.document, f_.input.live);
  double largest_ = -1;  // of the values in the picture at work; below 0: not known

  /// The picture that the launch at the cursor makes; else the last one made.
  std::size_t latest() const {
    std::size_t last = 0;
    for (std::size_t n = 0; n < pictures_.size(); ++n)
      if (time(pictures_[n]) != Time::Future) last = n;
    return last;
  }

  enum class Time { Past, Now, Future };
  Time time(const MatrixPicture& picture) const {
    if (picture.segment < 0) return Time::Past;
    const int launch = f_.info.segments[picture.segment].launch;
    if (f_.past(picture.segment)) return Time::Past;
    return f_.launch && f_.launch->number == launch ? Time::Now : Time::Future;
  }

  /// The square of a picture; the one that is large at the right is not among the small ones.
  Box cell_of(std::size_t n) const {
    const std::size_t large = latest();
    if (grid_.large && n == large) return *grid_.large;
    const auto place = static_cast<int>(grid_.large && n > large ? n - 1 : n);
    const int column = place % grid_.columns, row = place / grid_.columns;
    return {grid_.corner.x + static_cast<float>(column) * (grid_.side + f_.px(matrix_gap)),
            grid_.corner.y + static_cast<float>(row) * (grid_.side + f_.px(matrix_title_height)), grid_.side,
            grid_.side};
  }
  /// The picture keeps its shape in its square.
  static Box box_of(const MatrixPicture& of, const Box& cell) {
    const double longest = double(std::max(of.rows, of.columns));
    return {cell.x, cell.y, static_cast<float>(double(cell.w) * double(of.columns) / longest),
            static_cast<float>(double(cell.h) * double(of.rows) / longest)};
  }

  /// Whether the pixels of a picture can be dragged and painted.
  bool handles(const MatrixPicture& of) const {
    const LiveSignal* live = f_.input.live;
    return live && live->possible && of.segment < 0 && of.buffer == live_buffer(f_.info) && !samples_.empty() &&
           of.rows * of.columns == samples_.size();
  }
  /// A picture's values that the trace does not hold: pixels in hand, and what came of them; null: it holds them.
  const std::vector<std::complex<double>>* in_hand(const MatrixPicture& of) const {
    const LiveSignal* live = f_.input.live;
    if (!live) return nullptr;
    if (handles(of) && !live->samples.empty()) return &samples_;
    const bool last = !pictures_.empty() && &of == &pictures_.back() && of.segment >= 0;
    return last && live->result.size() == of.rows * of.columns ? &live->result : nullptr;
  }

  /// What the cells of a picture are made of.
  struct Source {
    const Series* series = nullptr;
    const std::vector<std::complex<double>>* hand = nullptr;  // in place of the series
    bool is_signed = false;
    Extent all{};
    Extent value(std::uint64_t index) const {
      Extent one;
      const std::complex<double>& x = (*hand)[static_cast<std::size_t>(index)];
      one.take(static_cast<float>(is_signed ? x.real() : std::abs(x)));
      return one;
    }
  };
  static Source source_of(const std::vector<std::complex<double>>& hand) {
    constexpr double some = 1e-5;  // of the largest, as of what the trace holds
    Source source;
    source.hand = &hand;
    double largest = 0, imaginary = 0, low = 0;
    for (const std::complex<double>& x : hand)
      if (std::isfinite(std::abs(x))) {
        largest = std::max(largest, std::abs(x.real()));
        imaginary = std::max(imaginary, std::abs(x.imag()));
        low = std::min(low, x.real());
      }
    source.is_signed = low < -some * largest && imaginary <= some * largest;
    for (std::uint64_t i = 0; i < hand.size(); ++i) source.all.take(source.value(i));
    return source;
  }

  void picture(const MatrixPicture& of, const Box& cell) {
    const Box box = box_of(of, cell);
    const Time when = time(of);
    const BufferInfo& buffer = f_.info.buffers[of.buffer];
    const float y = cell.y - f_.px(26);
    const Font title = f_.sans(13, when == Time::Now ? Weight::SemiBold : Weight::Regular);
    f_.text(cell.x, y, of.name, title, when == Time::Future ? Role::Ink3 : Role::Ink, cell.w);
    const std::string shape = fmt::format("{}[{}][{}]", buffer.name, of.rows, of.columns);
    const float words = std::max(text_width(title, of.name), text_width(f_.mono(11), shape));
    const float costs_from = words + f_.px(cost_room) <= cell.w ? costs(of, cell.right(), y) : 0;
    f_.first_fitting(cell.x, y + f_.px(16), {tr("{}[{}][{}], rows × columns", buffer.name, of.rows, of.columns), shape},
                     f_.mono(11), when == Time::Future ? Role::Ink3 : Role::Ink2, cell.w - costs_from);
    if (when == Time::Future) {
      f_.scene.rect(box, Role::None, {Role::Future, f_.thin()});
      return;
    }
    const bool at_work = when == Time::Now || (f_.launch && of.segment >= 0 && f_.segment == of.segment);
    const auto framed = [&](const Source& source) {
      f_.scene.push_clip(box);
      cells(of, box, source, at_work);
      if (at_work && !source.hand) work(of, box);
      f_.scene.pop_clip();
      f_.scene.rect(box, Role::None,
                    {when == Time::Now ? Role::Ink : Role::Done, when == Time::Now ? f_.px(2) : f_.thin()});
    };
    if (const auto* hand = in_hand(of)) return framed(source_of(*hand));
    if (f_.input.live && !f_.input.live->result.empty() && of.segment >= 0) {
      // What is between the pixels in hand and what came of them is not known before they are traced.
      f_.scene.rect(box, Role::None, {Role::Future, f_.thin()});
      f_.note(box, tr("let go, and it follows"));
      return;
    }
    const auto series_of = [&](NumberPart part) {
      return when == Time::Past ? Series(f_.document, of.buffer, 0, of.segment, part)
                                : Series::at_cursor(f_.document, of.buffer, 0, part);
    };
    const Series real = series_of(NumberPart::Real),
                 series = signs(buffer, real, series_of) ? real : series_of(NumberPart::Magnitude);
    if (!series.ready()) {
      f_.note(box, "…");
      return;
    }
    Source source;
    source.series = &series, source.all = series.all();
    source.is_signed = source.all.known && source.all.low < 0;
    framed(source);
  }

  /// At the right of a picture's title, what the launch that made it asks memory for. Returns how much of the second line
  /// it takes, px.
  float costs(const MatrixPicture& of, float right, float y) {
    if (of.segment < 0 || strips_.count() == 0) return 0;
    const int launch = f_.info.segments[static_cast<std::size_t>(of.segment)].launch;
    CostCell cell{
        of.segment, of.segment + 1, of.name, {right - f_.px(cost_room), y - f_.px(8), f_.px(cost_room), f_.px(16)}};
    while (cell.first > 0 && f_.info.segments[static_cast<std::size_t>(cell.first - 1)].launch == launch) --cell.first;
    if (const LaunchInfo* made_by = f_.info.launch(launch)) cell.name = launch_name(*made_by);
    for (const bool banks : {false, true}) {
      if (!(banks ? strips_.passes : strips_.sectors)) continue;
      draw_cost_cells(f_.input, banks, true, {&cell, 1}, f_.scene);
      cell.box.y += f_.px(16);
    }
    return strips_.count() > 1 ? f_.px(cost_room) : 0;
  }

  /// Whether a picture's values have signs to be shown: none has an imaginary part to speak of, and some are below zero.
  template <typename Of>
  bool signs(const BufferInfo& buffer, const Series& real, const Of& series_of) {
    constexpr float some = 1e-5f;  // of the largest
    if (!real.ready()) return false;
    const Extent all = real.all();
    const float largest = std::max(all.high, -all.low);
    if (!all.known || !(all.low < -some * largest)) return false;
    if (traits(buffer.type).components < 2) return true;
    const Series imaginary = series_of(NumberPart::Imaginary);
    if (!imaginary.ready()) return false;
    const Extent parts = imaginary.all();
    return std::max(parts.high, -parts.low) <= some * largest;
  }

  /// Visible part of an axis in elements.
  struct Span {
    std::uint64_t first, end, step;  // elements put together
    double scale, offset;            // px = (element − offset) · scale
  };
  Span span(double first, double share, std::uint64_t count, float px) const {
    Span s{};
    s.offset = first * double(count);
    s.scale = double(px) / (share * double(count));
    s.first = static_cast<std::uint64_t>(s.offset);
    s.end = std::min(count, static_cast<std::uint64_t>(std::ceil(s.offset + share * double(count))));
    s.step = 1;
    // Small pictures beside a large one take larger cells: they need not be as easy to distinguish.
    const float least = f_.px(grid_.large && px <= grid_.side ? 1.5f * min_matrix_cell : min_matrix_cell);
    const std::uint64_t most = std::min(max_cells, static_cast<std::uint64_t>(std::max(8.0f, px / least)));
    while ((s.end - s.first + s.step - 1) / s.step > most) s.step *= 2;
    s.first = s.first / s.step * s.step;
    return s;
  }
  Span across(const MatrixPicture& of, const Box& box) const {
    return span(space_.first_u(), space_.width_u(), of.columns, box.w);
  }
  Span down(const MatrixPicture& of, const Box& box) const {
    return span(space_.first_v(), space_.height_v(), of.rows, box.h);
  }

  /// The extents of the visible cells, row by row; empty while there is no time to look at all of their elements.
  std::vector<Extent> extents(const MatrixPicture& of, const Source& source, const Span& x, const Span& y) {
    const std::uint64_t across = (x.end - x.first + x.step - 1) / x.step,
                        down = (y.end - y.first + y.step - 1) / y.step;
    std::vector<Extent> list(across * down);
    if (source.hand) {
      for (std::uint64_t r = y.first; r < y.end; ++r)
        for (std::uint64_t c = x.first; c < x.end; ++c)
          list[(r - y.first) / y.step * across + (c - x.first) / x.step].take(source.value(r * of.columns + c));
      return list;
    }
    const Series& series = *source.series;
    const auto take_row = [&](std::uint64_t row, std::uint64_t first, std::uint64_t end, std::span<Extent> out) {
      series.take_pieces(row * of.columns + first, row * of.columns + end, x.step, out);
    };
    if (x.step * y.step <= few_elements || series.segment() < -1) {
      for (std::uint64_t row = y.first; row < y.end; ++row)
        take_row(row, x.first, x.end, std::span(list).subspan((row - y.first) / y.step * across, across));
      return list;
    }
    const PictureCells* kept = kept_cells(of, series, x.step, y.step);
    if (!kept) return {};
    const std::uint64_t whole = (of.columns + x.step - 1) / x.step;
    for (std::uint64_t r = 0; r < down; ++r)
      for (std::uint64_t c = 0; c < across; ++c)
        list[r * across + c] = kept->cells[(y.first / y.step + r) * whole + x.first / x.step + c];
    return list;
  }

  /// All of a picture's cells, kept from frame to frame; null while they are being made.
  const PictureCells* kept_cells(const MatrixPicture& of, const Series& series, std::uint64_t column_step,
                                 std::uint64_t row_step) {
    auto& list = f_.document.kept<KeptPictures>();
    const auto is = [&](const PictureCells& one) {
      return one.buffer == of.buffer && one.segment == series.segment() && one.columns == of.columns &&
             one.row_step == row_step && one.column_step == column_step;
    };
    const std::uint64_t across = (of.columns + column_step - 1) / column_step;
    if (!recent(list, is))
      keep(list,
           {of.buffer, series.segment(), of.columns, row_step, column_step,
            std::vector<Extent>(across * ((of.rows + row_step - 1) / row_step)), 0},
           pictures_kept);
    PictureCells& made = list.front();
    constexpr std::uint64_t piece = 1 << 15;  // elements between two looks at the clock
    while (made.rows_done < of.rows) {
      if (!f_.flow.has_time()) return nullptr;
      const std::uint64_t end = std::min(of.rows, made.rows_done + std::max<std::uint64_t>(1, piece / of.columns));
      for (; made.rows_done < end; ++made.rows_done)
        series.take_pieces(made.rows_done * of.columns, (made.rows_done + 1) * of.columns, column_step,
                           std::span(made.cells).subspan(made.rows_done / row_step * across, across));
    }
    return &made;
  }

  /// Whether each element has a cell of its own, large enough to be distinguished.
  bool labelled(const Span& x, const Span& y) const {
    return x.step == 1 && y.step == 1 && static_cast<float>(x.scale) >= f_.px(label_cell);
  }

  void cells(const MatrixPicture& of, const Box& box, const Source& source, bool at_work) {
    const Span x = across(of, box), y = down(of, box);
    const Extent& all = source.all;
    // Signed where it is real and goes below zero; then what is negative has a mark.
    const bool is_signed = source.is_signed, pixels = handles(of);
    const LiveSignal* live = f_.input.live;
    const double largest = all.known ? std::max(double(all.high), -double(all.low)) : 0;
    if (pictures_.size() > latest() && &of == &pictures_[latest()] && all.known) largest_ = largest;
    const auto shown = [&](const Extent& one) {
      return is_signed && -double(one.low) > double(one.high) ? double(one.low) : double(one.high);
    };
    const float w = static_cast<float>(x.scale * double(x.step));
    // Whole pixels, so that neighbours leave no seam.
    const auto edge = [](float origin, const Span& s, std::uint64_t element) {
      return std::round(origin + static_cast<float>((double(element) - s.offset) * s.scale));
    };
    const bool single = x.step == 1 && y.step == 1, labelled = this->labelled(x, y);
    const std::vector<Extent> values = extents(of, source, x, y);
    if (values.empty()) return f_.note(box, "…");
    std::size_t cell = 0;
    const Font font = f_.mono(11);
    const BufferInfo& buffer = f_.info.buffers[of.buffer];
    // Values in all cells or in none, so that a blank one has none.
    const float h = static_cast<float>(y.scale * double(y.step));
    const bool written = single && w >= f_.px(value_cell) && h >= font.size * 1.5f &&
                         std::all_of(values.begin(), values.end(), [&](const Extent& one) {
                           return !one.known || text_width(font, number_text(shown(one), 3)) <= w - f_.px(4);
                         });
    for (std::uint64_t r = y.first; r < y.end; r += y.step) {
      for (std::uint64_t c = x.first; c < x.end; c += x.step) {
        const Extent& extent = values[cell++];
        const Point corner{edge(box.x, x, c), edge(box.y, y, r)};
        const Box at{corner.x, corner.y, edge(box.x, x, c + x.step) - corner.x, edge(box.y, y, r + y.step) - corner.y};
        const std::uint64_t index = r * of.columns + c;
        if (single)
          f_.scene.begin_mark(pixels ? sample_mark(of.buffer, index) : element_mark(of.buffer, of.segment, index),
                              !labelled      ? std::string()
                              : extent.known ? fmt::format("{}[{}][{}]{} {:.6g}", buffer.name, r, c,
                                                           is_signed ? " =" : ": |value| =", shown(extent))
                                             : tr("{}[{}][{}]: not written yet", buffer.name, r, c));
        const bool now =
            pixels ? live->changed(samples_, index) : at_work && labelled && f_.writes_now(of.buffer, index);
        const Role ground = now && (labelled || pixels) ? Role::Now
                            : extent.known              ? grey(std::abs(shown(extent)), largest)
                                                        : Role::Canvas;
        f_.scene.rect(at, ground, extent.known && w > f_.px(grid_cell) ? Stroke{f_.grid(), f_.thin()} : Stroke{});
        if (extent.known && shown(extent) < 0 && ground != Role::Now) {
          negative(at);
          any_negative_ = true;
        }
        if (extent.known && (written || (pixels && single && live->held == index))) {
          f_.text(at.centre().x, at.centre().y, number_text(shown(extent), 3), font, text_on(f_.input.theme, ground),
                  w - f_.px(4), Anchor::Middle);
        }
        if (single) {
          f_.outline(at, 0, f_.lit_element(of.buffer, index));
          if (pixels && (live->held == index || live->focus == index))
            f_.scene.rect(at.inset(f_.thin()), Role::None, {Role::Ink, f_.px(2)});
          f_.scene.end_mark();
        }
      }
    }
  }

  /// A notch in the corner of what is below zero: shades alone say how large it is.
  void negative(const Box& at) {
    const float side = std::min({at.w, at.h, f_.px(9)});
    f_.scene.polygon({{at.x, at.y}, {at.x + side, at.y}, {at.x, at.y + side}}, Role::Canvas, {Role::Ink, f_.thin()});
  }

  Role grey(double m, double largest) const {
    double share = largest > 0 ? m / largest : 0;
    if (f_.input.log_scale)
      share = share > 0 ? std::max(0.0, 1 - 20 * std::log10(share) / matrix_quietest) : 0;
    else
      share = std::pow(share, 0.8);
    return grey_role(std::clamp(static_cast<int>(share * 7.99), 0, 7));
  }

  /// What the operation at the cursor touches in this picture: the row or column at work, and its elements.
  void work(const MatrixPicture& of, const Box& box) {
    const Span x = across(of, box), y = down(of, box);
    const auto outline = [&](const Access& access, Role fill, Role edge) {
      if (access.buffer != of.buffer) return;
      const std::uint64_t r = access.index / of.columns, c = access.index % of.columns;
      const float least = f_.px(5);
      const Box at{box.x + static_cast<float>((double(c) - x.offset) * x.scale),
                   box.y + static_cast<float>((double(r) - y.offset) * y.scale),
                   std::max(least, static_cast<float>(x.scale)), std::max(least, static_cast<float>(y.scale))};
      f_.scene.rect(at, fill, {edge, f_.px(2)});
    };
    if (!f_.now) return;
    for (int i = 0; i < f_.now->reads.size(); ++i) outline(f_.now->reads[i], Role::None, input_role(i));
    // Where a cell is filled with its value already, the outline alone.
    const Role fill = labelled(x, y) ? Role::None : Role::Now;
    for (const Access& write : f_.now->writes) outline(write, fill, Role::Ink);
  }

  /// What the greys are, with a scale for the picture at work, and a button for decibels.
  void foot() {
    const float y = f_.scene.height - f_.px(matrix_foot_height / 2), left = f_.px(matrix_pad);
    const Font font = f_.caption(), number = f_.mono(11);
    float x = left;
    const bool decibels = f_.input.log_scale, scaled = largest_ > 0;
    const std::string low = decibels ? number_text(matrix_quietest, 3) + " dB" : "0",
                      high = decibels ? "0 dB" : number_text(largest_, 4);
    const auto end_of_scale = [&](const std::string& text, float gap) {
      if (scaled && f_.text(x, y, text, number, Role::Ink2, f_.px(80))) x += text_width(number, text) + gap;
    };
    end_of_scale(low, f_.px(6));
    for (int grey = 0; grey < 8; ++grey, x += f_.px(16))
      f_.scene.rect({x, y - f_.px(6), f_.px(16), f_.px(12)}, grey_role(grey), {f_.grid(), f_.thin()});
    x += f_.px(6);
    end_of_scale(high, f_.px(12));
    if (any_negative_) {
      negative({x, y - f_.px(6), f_.px(16), f_.px(12)});
      x += f_.px(14);
      const std::string below = tr("below zero");
      f_.text(x, y, below, font, Role::Ink2, f_.scene.width - x);
      x += text_width(font, below) + f_.px(14);
    }
    const float right = scale_switch(y);
    std::vector<std::string> forms{
        decibels ? tr("|value|, each picture to its own largest; a grey is 12.5 dB; frequency 0 is at the upper left")
                 : tr("|value|, each picture to its own largest; frequency 0 is at the upper left"),
        tr("|value|, each picture to its own largest"), tr("|value|")};
    if (!pictures_.empty() && f_.info.buffers[pictures_.back().buffer].name != f_.info.expect.output)
      forms.erase(forms.begin());  // what is computed is no spectrum
    f_.first_fitting(x, y, forms, font, Role::Ink2, right - x - f_.px(10));
  }

  /// Values or decibels, in the window. Returns where the switch begins.
  float scale_switch(float y) {
    if (!f_.input.live) return f_.scene.width;
    const Mark mark{.kind = MarkKind::Command, .command = "log-scale"};
    const Font font = f_.caption();
    const std::string text = tr("dB");
    const float width = text_width(font, text) + f_.px(16), right = f_.scene.width - f_.px(matrix_pad);
    const Box box{std::round(right - width), std::round(y - f_.px(10)), std::round(width), std::round(f_.px(20))};
    f_.scene.begin_mark(mark, tr("plots in decibels, or as they are"));
    const bool lit = f_.input.cursor.hover && *f_.input.cursor.hover == mark;
    f_.scene.rect(box.inset(f_.thin() / 2), f_.input.log_scale ? Role::Ink : Role::Raised,
                  lit ? Stroke{Role::Hover, f_.thin(2)} : Stroke{Role::Line, f_.thin()}, f_.px(4));
    f_.scene.text({box.centre().x, baseline(font, y)}, text, font, f_.input.log_scale ? Role::Canvas : Role::Ink,
                  Anchor::Middle);
    f_.scene.end_mark();
    return box.x;
  }
};

class MatrixView : public SampledView<MatrixFrame> {
 public:
  MatrixView()
      : SampledView("matrix", translatable("Matrix"),
                    "a two-dimensional array before the first launch, and after each") {}
  bool has(Document& document) const override {
    return two_dimensional(document.info()) && !matrix_pictures(document).empty();
  }
  /// Up to three pictures in a row.
  PictureSize picture_size(Document& document, float min_width) const override {
    const float width = std::max(min_width, 1008.0f);
    const auto pictures = static_cast<float>(matrix_pictures(document).size());
    const float columns = std::clamp(pictures, 1.0f, 3.0f), rows = std::ceil(pictures / 3);
    const float side = std::min(320.0f, (width - 2 * matrix_pad - (columns - 1) * matrix_gap) / columns);
    return {width, rows * (side + matrix_title_height) + matrix_foot_height};
  }

 protected:
  ViewSpace space(const DiagramInput& input) const override {
    const float u = view_scale(input);
    const std::vector<MatrixPicture> pictures = matrix_pictures(input.document);
    const MatrixGrid grid = matrix_grid(input, static_cast<int>(pictures.size()));
    std::uint64_t side = 1;
    for (const MatrixPicture& picture : pictures) side = std::max({side, picture.rows, picture.columns});
    // All pictures zoom together; the largest stands for them, or the first.
    const Box body = grid.large ? *grid.large : Box{grid.corner.x, grid.corner.y, grid.side, grid.side};
    return {input, body, true, true, double(side) * double(60 * u) / double(body.w)};
  }
  std::optional<Box> place(const DiagramInput& input, const Operation& operation) const override {
    if (operation.writes.empty()) return {};
    for (const MatrixPicture& picture : matrix_pictures(input.document))
      if (picture.buffer == operation.writes[0].buffer) {
        const std::uint64_t r = operation.writes[0].index / picture.columns,
                            c = operation.writes[0].index % picture.columns;
        return Box{static_cast<float>(double(c) / double(picture.columns)),
                   static_cast<float>(double(r) / double(picture.rows)),
                   static_cast<float>(1 / double(picture.columns)), static_cast<float>(1 / double(picture.rows))};
      }
    return {};
  }
};

}  // namespace

std::unique_ptr<const View> matrix_view() { return std::make_unique<MatrixView>(); }

}  // namespace twiddle
