// The butterfly diagram zoomed out: bands, bars and tones instead of wires, and the state of every column as a grey strip.
#include "viewer/butterfly/butterfly_frame.h"
#include "viewer/butterfly/column_brightness.h"
#include "viewer/document/segment_reach.h"

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

// Px at scale 1 (reference: the look's levels of detail).
constexpr float block_for_bands = 8, block_for_bars = 3, row_for_lines = 3, cone_lines_apart = 8;
constexpr float max_reach_cell = 2;  // px of rows that are drawn together

class Overview : ButterflyPart {
 public:
  using ButterflyPart::ButterflyPart;
  void draw() {
    scene_.push_clip(l_.body);
    const int first = std::max(l_.first_column, l_.visible_first - 1);
    const int last = std::min(l_.visible_last, f_.flow.segment_count() - 1);
    for (int s = first; s <= last; ++s) {
      const Segment& segment = f_.flow.segment(s);
      scene_.begin_mark({.kind = MarkKind::Segment, .launch = segment.launch, .segment = s},
                        segment_name(f_.flow.info(), s));
      draw_segment(s);
      draw_unexplained_runs(f_, s);
      scene_.end_mark();
      if (f_.cone != nullptr) draw_cone(s);
    }
    for (const Operation& one : f_.all_now()) draw_operation(one, f_.now_segment);
    scene_.pop_clip();
  }

 private:
  float top_of(std::uint64_t row) const {
    return static_cast<float>(l_.first_row_y + (static_cast<double>(row) - 0.5) * l_.row_pitch);
  }
  /// Row edges, at most a little outside the body, so that renderers get no huge numbers.
  float edge(std::uint64_t row) const { return std::clamp(top_of(row), l_.body.y - 4 * k_, l_.body.bottom() + 4 * k_); }

  void draw_segment(int s) {
    const float left = l_.right(s), right = l_.left(s + 1);
    if (right <= left) return;
    const int current = f_.flow.current_segment();
    const bool done = s < current || (s == current && f_.flow.complete(s + 1));
    const bool hidden = f_.hides_future(s);
    const auto formula = f_.flow.regular(s);
    const double block = formula ? static_cast<double>(formula->span) * l_.row_pitch / k_ : 0;

    if (!formula && draw_leg_strip(f_, s)) return;
    if (!formula && l_.row_pitch >= row_for_lines * k_ && draw_lines(s, left, right)) return;
    if (!formula && draw_reach(s, left, right, done)) return;
    if (!formula || block < block_for_bars) {
      if (done) {
        tone(left, right, {0, f_.flow.rows()});
      } else {
        if (!hidden) outline(left, right, {0, f_.flow.rows()});
        if (s == current)
          for (const Rows& run : f_.flow.written_rows(s, l_.visible_rows, 1 / l_.row_pitch)) tone(left, right, run);
      }
      return;
    }

    // Blocks that are visible; the current segment's are done up to the cursor.
    const std::uint64_t butterflies = s == current ? f_.flow.step() - f_.flow.segment(s).first_step + 1 : 0;
    std::uint64_t blocks_done = done ? f_.flow.rows() / formula->span : 0, part = 0;
    if (s == current && !done) {
      // Only where the items go in the usual order; else only the runs are drawn.
      f_.flow.written_rows(s, {0, 1});
      if (!f_.flow.regular(s)) {
        outline(left, right, {0, f_.flow.rows()});
        for (const Rows& run : f_.flow.written_rows(s, l_.visible_rows, 1 / l_.row_pitch)) tone(left, right, run);
        return;
      }
      blocks_done = butterflies / formula->stride, part = butterflies % formula->stride;
    }
    const std::uint64_t first = l_.visible_rows.first / formula->span;
    const std::uint64_t end =
        std::min(f_.flow.rows() / formula->span, (l_.visible_rows.end + formula->span - 1) / formula->span);
    const bool bands = block >= block_for_bands;
    for (std::uint64_t b = first; b < end; ++b) {
      const std::uint64_t row = b * formula->span;
      const bool block_done = b < blocks_done;
      if (!block_done && hidden && !(b == blocks_done && part > 0)) continue;
      if (bands) {
        if (block_done || !hidden) draw_bands(left, right, row, *formula, formula->stride, block_done);
        if (b == blocks_done && part > 0) draw_bands(left, right, row, *formula, part, true);
      } else {
        bar(left, right, {row, row + formula->span}, block_done);
        if (b == blocks_done && part > 0)
          for (int leg = 0; leg < formula->radix; ++leg) {
            const std::uint64_t from = row + static_cast<std::uint64_t>(leg) * formula->stride;
            tone(left, right, {from, from + part});
          }
      }
    }
  }

  /// What follows no formula (a reversal, a transpose) has no bands: its own lines, while rows are apart enough to tell
  /// them from each other. False: they are not decoded yet.
  bool draw_lines(int s, float left, float right) {
    std::vector<Operation> operations;
    if (!f_.flow.operations(
            s, l_.visible_rows, [&](const Operation& op) { operations.push_back(f_.flow.with_loads(op)); }, true))
      return false;
    for (const Operation& op : operations) {
      const bool done = f_.tense(op) != Tense::Future;
      if (!done && f_.hides_future(s)) continue;
      scene_.set_layer(done ? layer::done : layer::future);
      // A term leads to the element that its sum is for, which is written later.
      const bool term = op.kind == OperationKind::Term;
      for (int w = 0; w < (term ? 1 : op.writes.size()); ++w) {
        // A swap crosses; everything else leads from all it read to all it wrote.
        for (int r = 0; r < op.reads.size(); ++r) {
          if (op.kind == OperationKind::Swap && r == w) continue;
          const auto from = f_.flow.row_of(op.reads[r], op), to = f_.flow.row_of(term ? op.target : op.writes[w], op);
          if (!from || !to) continue;
          if (const auto part = clipped({{left, l_.row_y(*from)}, {right, l_.row_y(*to)}}, l_.body.inset(-4 * k_)))
            scene_.line(part->from, part->to, {done ? Role::Done : Role::Future, 0.9f * k_});
        }
      }
    }
    return true;
  }

  /// The same from further away: from the rows that were read to those that were written, and nothing where no work-item works.
  /// False: not known yet, or too coarse at this zoom.
  bool draw_reach(int s, float left, float right, bool done) {
    const SegmentReach* reach = segment_reach(f_.input.document, s);
    if (reach == nullptr || double(reach->cell_rows()) * l_.row_pitch > max_reach_cell * k_) return false;
    const double apart = 2 * k_ / l_.row_pitch;
    if (!done && !f_.hides_future(s))
      for (const SegmentReach::Link& link : reach->links(l_.visible_rows, apart)) reach_of(left, right, link, false);
    const std::vector<Rows> written = done                             ? std::vector{Rows{0, f_.flow.rows()}}
                                      : s == f_.flow.current_segment() ? f_.flow.written_rows(s, l_.visible_rows, apart)
                                                                       : std::vector<Rows>();
    for (const Rows& run : written)
      for (const SegmentReach::Link& link : reach->links(run, apart)) reach_of(left, right, link, true);
    return true;
  }

  void reach_of(float left, float right, const SegmentReach::Link& link, bool done) {
    const std::vector<Point> shape = clipped_polygon({{left, top_of(link.from.first)},
                                                      {left, top_of(link.from.end)},
                                                      {right, top_of(link.to.end)},
                                                      {right, top_of(link.to.first)}},
                                                     l_.body.inset(-4 * k_));
    if (shape.empty()) return;
    scene_.set_layer(done ? layer::tone : layer::future);
    if (done)
      scene_.polygon(shape, Role::DoneSoft, {Role::Done, 0.75f * k_}).opacity = 0.7f;
    else
      scene_.polygon(shape, Role::None, {Role::Future, 0.75f * k_});
  }

  void tone(float left, float right, Rows rows) {
    const float from = edge(rows.first), to = edge(rows.end);
    if (to <= from) return;
    scene_.set_layer(layer::tone);
    scene_.rect({left, from, right - left, to - from}, Role::DoneSoft).opacity = 0.7f;
  }

  void outline(float left, float right, Rows rows) {
    scene_.set_layer(layer::future);
    const Box box{left + 0.5f * k_, edge(rows.first), right - left - k_, edge(rows.end) - edge(rows.first)};
    scene_.rect(box.inset(0.5f * k_), Role::None, {Role::Future, k_});
  }

  void bar(float left, float right, Rows rows, bool done) {
    const float from = edge(rows.first), to = edge(rows.end);
    const Box box{left + k_, from + 0.5f * k_, right - left - 2 * k_, to - from - k_};
    if (box.h <= 0) return;
    scene_.set_layer(done ? layer::tone : layer::future);
    if (done) {
      scene_.rect(box, Role::DoneSoft);
    } else {
      scene_.rect(box.inset(0.5f * k_), Role::None, {Role::Future, 0.75f * k_});
    }
  }

  /// One block's wires as crossing bands: rows [leg · stride, + part) of every leg go to the same rows of every other.
  void draw_bands(float left, float right, std::uint64_t row, const Regular& formula, std::uint64_t part, bool done) {
    scene_.set_layer(done ? layer::tone : layer::future);
    for (int from = 0; from < formula.radix; ++from) {
      for (int to = 0; to < formula.radix; ++to) {
        if (from == to && formula.radix == 2) continue;  // the crossing halves cover the straight ones
        const std::uint64_t a = row + static_cast<std::uint64_t>(from) * formula.stride,
                            b = row + static_cast<std::uint64_t>(to) * formula.stride;
        band(left, right, {a, a + part}, {b, b + part}, done);
      }
    }
  }

  void band(float left, float right, Rows from, Rows to, bool done) {
    const float y0 = top_of(from.first), y1 = top_of(from.end), y2 = top_of(to.end), y3 = top_of(to.first);
    if (std::max(y1, y2) < l_.body.y || std::min(y0, y3) > l_.body.bottom()) return;
    if (done) {
      const std::vector<Point> shape =
          clipped_polygon({{left, y0}, {left, y1}, {right, y2}, {right, y3}}, l_.body.inset(-4 * k_));
      if (!shape.empty()) scene_.polygon(shape, Role::DoneSoft).opacity = 0.6f;
    }
    const Stroke edge_stroke = done ? Stroke{Role::Done, 0.75f * k_} : Stroke{Role::Future, 0.75f * k_};
    for (const Line2& side : {Line2{{left, y0}, {right, y3}}, Line2{{left, y1}, {right, y2}}})
      if (const auto part = clipped(side, l_.body.inset(-4 * k_)))
        scene_.line(part->from, part->to, edge_stroke).opacity = done ? 0.55f : 1;
  }

  /// The operation at the cursor: its rows, and the lines between them, in yellow with dark edges.
  void draw_operation(const Operation& op, int s) {
    const float left = l_.right(s), right = l_.left(s + 1);
    scene_.begin_mark(operation_mark(op, s), operation_label(f_, op));
    // Lines to a hundred rows would be a blot: at most four reads and writes are drawn.
    for (const auto& [role, width, l] :
         {std::tuple{Role::OnNow, 5.5f, layer::halo}, std::tuple{Role::Now, 3.0f, layer::now}}) {
      scene_.set_layer(l);
      if (has_legs(op)) {
        draw_legs(f_, s, op, {role, width * 0.6f * k_});
        continue;
      }
      for (const Access& read : op.reads) {
        const auto from = f_.y_of(s, read, op);
        if (!from) continue;
        for (const Access& write : op.writes)
          if (const auto to = f_.y_of(s + 1, write, op))
            if (const auto part = clipped({{left, *from}, {right, *to}}, l_.body.inset(-8 * k_)))
              scene_.line(part->from, part->to, {role, width * k_});
      }
    }
    scene_.set_layer(layer::now_nodes);
    const auto plate = [&](int column, float y) {
      const float height = std::max(6 * k_, std::min(static_cast<float>(l_.row_pitch), 14 * k_));
      scene_.rect({l_.left(column) - k_, y - height / 2, l_.node_width + 2 * k_, height}, Role::Now,
                  {Role::Ink, 1.5f * k_});
    };
    // In lockstep what this turn touches; what is to be written is to come.
    const auto is_now = [&](bool write, int which) {
      return !f_.turn || (f_.turn->access.write == write && f_.turn->access.which == which);
    };
    for (int r = 0; r < op.reads.size(); ++r)
      if (const auto y = f_.y_of(s, op.reads[r], op); y && is_now(false, r)) plate(s, *y);
    for (int w = 0; w < op.writes.size(); ++w)
      if (const auto y = f_.y_of(s + 1, op.writes[w], op); y && is_now(true, w)) plate(s + 1, *y);
    if (has_legs(op)) draw_leg_node(f_, s, op, Tense::Now);
    scene_.end_mark();
  }

  /// The cone between two columns: lines while they are far enough apart, else a tint.
  void draw_cone(int s) {
    const auto& before = f_.cone->elements[s];
    const auto& after = f_.cone->elements[s + 1];
    if (after.empty()) {
      // Beyond the place where it was cut off, all of it belongs to the cone as far as is known.
      if (f_.cone->truncated && s + 1 <= last_cone_column()) tint(s, {0, f_.flow.rows()}, {0, f_.flow.rows()});
      return;
    }
    const Rows from = before.empty() ? Rows{0, f_.flow.rows()} : Rows{before.front(), before.back() + 1};
    const Rows to{after.front(), after.back() + 1};
    const double apart =
        before.empty() ? 0
                       : static_cast<double>(from.end - from.first) * l_.row_pitch / static_cast<double>(before.size());
    if (apart < cone_lines_apart * k_ && before.size() > 2) {
      tint(s, from, to);
      return;
    }
    const Segment& segment = f_.flow.segment(s);
    const auto first = std::lower_bound(f_.cone->steps.begin(), f_.cone->steps.end(), segment.first_step);
    const auto end = std::lower_bound(first, f_.cone->steps.end(), segment.end_step());
    const auto formula = f_.flow.regular(s);
    const auto connect = [&](std::uint64_t a, std::uint64_t b) {
      const Line2 whole{{l_.right(s), l_.row_y(a)}, {l_.left(s + 1), l_.row_y(b)}};
      if (const auto part = clipped(whole, l_.body.inset(-4 * k_))) cone_line(part->from, part->to);
    };
    if (formula && f_.flow.rows() > 4096) {
      for (const std::uint64_t row : after)
        for (int leg = 0; leg < formula->radix; ++leg)
          connect(formula->first_row(row) + static_cast<std::uint64_t>(leg) * formula->stride, row);
      return;
    }
    std::vector<std::uint64_t> made;
    for (auto step = first; step != end; ++step) {
      const auto op = f_.flow.operation(*step, true);
      if (!op) return;
      for (const Access& write : op->writes) {
        const auto b = f_.flow.row_of(write, *op);
        if (!b || !std::binary_search(after.begin(), after.end(), *b)) continue;
        made.push_back(*b);
        for (const Access& read : op->reads)
          if (const auto a = f_.flow.row_of(read, *op); a && std::binary_search(before.begin(), before.end(), *a))
            connect(*a, *b);
      }
    }
    for (const std::uint64_t row : after)
      if (std::find(made.begin(), made.end(), row) == made.end() &&
          std::binary_search(before.begin(), before.end(), row))
        connect(row, row);
  }

  int last_cone_column() const {
    int last = -1;
    for (std::size_t c = 0; c < f_.cone->elements.size(); ++c)
      if (!f_.cone->elements[c].empty()) last = static_cast<int>(c);
    return last;
  }

  void cone_line(Point a, Point b) {
    scene_.set_layer(layer::cone);
    scene_.line(a, b, {Role::Ink2, (f_.theme().wire_cone + 1) * k_});
    scene_.line(a, b, {Role::Hover, f_.theme().wire_cone * k_});
  }

  void tint(int s, Rows from, Rows to) {
    scene_.set_layer(layer::cone);
    const float left = l_.left(s), right = l_.left(s + 1);
    scene_
        .polygon({{left, edge(from.first)}, {left, edge(from.end)}, {right, edge(to.end)}, {right, edge(to.first)}},
                 Role::Hover)
        .opacity = 0.28f;
  }
};

class Strips : ButterflyPart {
 public:
  using ButterflyPart::ButterflyPart;
  void draw() {
    scene_.push_clip(l_.body);
    for (int column = l_.visible_first; column <= l_.visible_last; ++column) draw_strip(column);
    scene_.pop_clip();
  }

 private:
  void draw_strip(int column) {
    const Rows rows{0, rows_of(column)};
    const float top = std::max(l_.body.y, static_cast<float>(l_.first_row_y - l_.row_pitch / 2));
    const float bottom = std::min(
        l_.body.bottom(), static_cast<float>(l_.first_row_y + (static_cast<double>(rows.end) - 0.5) * l_.row_pitch));
    if (bottom <= top) return;
    // A pixel of the look is a pixel row; on a finer screen they are smaller.
    const float pixel = std::max(1.0f, std::round(k_));
    const int pixels = static_cast<int>(std::ceil((bottom - top) / pixel));
    const std::vector<float> values = column_brightness(f_, column, top, pixel, pixels);

    const Box box{l_.left(column), top, l_.node_width, bottom - top};
    scene_.set_layer(layer::nodes);
    const bool begun = column - 1 <= f_.flow.current_segment();
    scene_.rect(box, Role::Canvas, {begun && !f_.places ? Role::Done : Role::Future, k_});
    const auto rows_at = [&](int p) {
      const double y = double(top) + double(p) * double(pixel) - l_.first_row_y;
      const auto row = [&](double at) {
        return static_cast<std::uint64_t>(std::clamp(std::floor(at), 0.0, static_cast<double>(rows.end)));
      };
      const std::uint64_t first = row(y / l_.row_pitch + 0.5), end = row((y + double(pixel)) / l_.row_pitch + 0.5);
      return Rows{first, std::max(end, first + 1)};
    };
    const auto used = [&](int p) { return !f_.places || f_.places->any(column, rows_at(p)); };
    // Runs of one grey are one box. |value|^0.8 in 8 greys.
    for (int p = 0; p < static_cast<int>(values.size());) {
      const int grey = grey_of(values[p]);
      int end = p + 1;
      const bool is_used = used(p);
      while (end < static_cast<int>(values.size()) && grey_of(values[end]) == grey && used(end) == is_used) ++end;
      if (grey >= 0 && is_used) {
        const float y = top + static_cast<float>(p) * pixel,
                    to = std::min(bottom, top + static_cast<float>(end) * pixel);
        scene_.rect({box.x + k_ * 0.5f, y, box.w - k_, to - y}, grey_role(grey));
      }
      p = end;
    }
    if (f_.cone != nullptr && static_cast<std::size_t>(column) < f_.cone->elements.size()) draw_cone_rows(column, box);
    draw_lit(column);
  }

  static int grey_of(float value) {
    return value < 0 ? -1 : std::clamp(static_cast<int>(std::lround(7 * std::pow(value, 0.8f))), 0, 7);
  }

  std::uint64_t rows_of(int column) const {
    const int buffer = f_.flow.columns()[column].buffer;
    return buffer < 0 ? 0 : std::min(f_.flow.rows(), f_.flow.rows_of(buffer));
  }

  void draw_cone_rows(int column, const Box& box) {
    const auto& rows = f_.cone->elements[column];
    if (rows.empty()) return;
    scene_.set_layer(layer::now_nodes);
    const double apart =
        static_cast<double>(rows.back() - rows.front() + 1) * l_.row_pitch / static_cast<double>(rows.size());
    if (apart >= 4 * k_) {
      for (const std::uint64_t row : rows) {
        const float y = l_.row_y(row);
        if (y < l_.body.y || y > l_.body.bottom()) continue;
        const float height = std::max(3 * k_, std::min(static_cast<float>(l_.row_pitch), 10 * k_));
        scene_.rect({box.x, y - height / 2, box.w, height}, Role::Hover, {Role::Ink2, 0.75f * k_});
      }
    } else {
      scene_.rect(box, Role::None, {Role::Hover, 2 * k_});
    }
  }

  void draw_lit(int column) {
    for (const auto* mark : {&f_.input.cursor.hover, &f_.input.cursor.pinned}) {
      if (!*mark || (*mark)->kind != MarkKind::Element || (*mark)->segment + 1 != column) continue;
      if (!f_.flow.row_of_element(column, (*mark)->buffer, (*mark)->index)) continue;
      const float y = l_.row_y((*mark)->index),
                  height = std::max(6 * k_, std::min(static_cast<float>(l_.row_pitch), 14 * k_));
      scene_.set_layer(layer::tags);
      const Box box{l_.left(column), y - height / 2, l_.node_width, height};
      f_.outline(scene_, box.inset(-2.5f * k_), 3.5f * k_, mark == &f_.input.cursor.hover ? 2 : 1);
    }
  }
};

}  // namespace

void draw_overview(ButterflyFrame& frame) { Overview(frame).draw(); }
void draw_strips(ButterflyFrame& frame) { Strips(frame).draw(); }

}  // namespace twiddle
