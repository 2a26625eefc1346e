// Wires of the butterfly diagram: what every operation reads, and where its results go.
#include "viewer/butterfly/butterfly_frame.h"
#include "viewer/graphs/unexplained.h"
#include "viewer/words/value_text.h"

#include <algorithm>
#include <array>

namespace twiddle {
namespace {

constexpr float turn_halo = 9.0f / 13;  // of the halo of one operation: in lockstep many are close together

/// How an input enters an output: as it is, subtracted, or turned by ±90° (radix 4), which is also how it is drawn that a
/// store may be made of what was loaded before.
enum class Sign : std::uint8_t { Plus, Minus, Turned };

struct Leg {
  int read = 0, write = 0;
  Sign sign = Sign::Plus;
};

/// Which inputs go into which outputs. Only a swap and a move let some of them out.
std::vector<Leg> legs_of(const Operation& op) {
  std::vector<Leg> legs;
  switch (op.kind) {
    case OperationKind::Swap: return {{0, 1}, {1, 0}};
    case OperationKind::Term: return {{0, 0}};
    case OperationKind::Store:
      for (int r = 0; r < op.reads.size(); ++r) legs.push_back({r, 0, Sign::Turned});
      return legs;
    case OperationKind::Butterfly:
      if (op.reads.size() == 2 && op.shape != Shape::Pack) return {{0, 0}, {0, 1}, {1, 0}, {1, 1, Sign::Minus}};
      if (op.reads.size() == 4) {
        // Rows of the 4-point DFT: 1 1 1 1 | 1 −i −1 i | 1 −1 1 −1 | 1 i −1 −i.
        constexpr Sign p = Sign::Plus, m = Sign::Minus, t = Sign::Turned;
        constexpr std::array<std::array<Sign, 4>, 4> rows = {{{p, p, p, p}, {p, t, m, t}, {p, m, p, m}, {p, t, m, t}}};
        for (int w = 0; w < 4; ++w)
          for (int r = 0; r < 4; ++r) legs.push_back({r, w, rows[w][r]});
        return legs;
      }
      [[fallthrough]];
    default:
      for (int w = 0; w < op.writes.size(); ++w)
        for (int r = 0; r < op.reads.size(); ++r) legs.push_back({r, w});
      return legs;
  }
}

/// Where the end of a leg is: what the operation writes, and of a sum's term what the sum is for.
const Access& end_of(const Operation& op, const Leg& leg) {
  return op.kind == OperationKind::Term ? op.target : op.writes[leg.write];
}

/// Where an operation's wires run: rows on both sides, absent where an element is in no row.
struct Routing {
  std::array<std::optional<float>, max_legs> read_y, write_y;
  float left = 0, split = 0, join = 0,
        right = 0;  // x of node edge, end of the straight start, start of the straight end, node edge
};

class Wires : ButterflyPart {
 public:
  using ButterflyPart::ButterflyPart;
  void draw() {
    scene_.push_clip(l_.body);
    for (const SegmentView& view : f_.views) draw_segment(view);
    scene_.pop_clip();
  }

 private:
  Stroke stroke(Role role, float width, Sign sign = Sign::Plus) const {
    Stroke s{role, width * k_};
    const float heavy = std::max(1.0f, width / 2.8f);
    if (sign == Sign::Minus) s.dash_on = 7 * k_ * heavy, s.dash_off = 5 * k_ * heavy;
    if (sign == Sign::Turned) s.dash_on = 2 * k_ * heavy, s.dash_off = 4 * k_ * heavy;
    return s;
  }

  Routing routing(int segment, const Operation& op) const {
    Routing r;
    r.left = l_.right(segment), r.right = l_.left(segment + 1);
    r.split = r.left + l_.lead, r.join = r.right - l_.tail;
    for (int i = 0; i < op.reads.size(); ++i) r.read_y[i] = f_.y_of(segment, op.reads[i], op);
    for (int i = 0; i < op.writes.size(); ++i) r.write_y[i] = f_.y_of(segment + 1, op.writes[i], op);
    if (op.kind == OperationKind::Term) r.write_y[0] = f_.y_of(segment + 1, op.target, op);
    return r;
  }

  void line(Point a, Point b, Stroke s) {
    // Half a stroke and halo more than the body: ends outside it do not show.
    if (const auto part = clipped({a, b}, l_.body.inset(-16 * k_))) scene_.line(part->from, part->to, s);
  }

  /// Diagonals that come close are thinner and paler; where they would run into one another, bands stand for them.
  void diagonal(Point a, Point b, Stroke s) {
    const bool plain = s.role == Role::Done || s.role == Role::Future;
    const float close = diagonals_apart_ / (4 * k_);
    if (a.y == b.y || !plain || close >= 1) {
      line(a, b, s);
    } else if (close > 0.3f) {
      s.width = std::max(0.6f * s.width, 0.75f * k_);
      if (const auto part = clipped({a, b}, l_.body.inset(-16 * k_)))
        scene_.line(part->from, part->to, s).opacity = close;
    }
  }

  void draw_segment(const SegmentView& view) {
    const bool hidden = f_.hides_future(view.segment);
    // How far apart neighbouring diagonals are, across: a long way down, they are close together.
    const auto formula = f_.flow.regular(view.segment);
    const float across = static_cast<float>(l_.column_pitch) - l_.node_width - l_.lead - l_.tail;
    diagonals_apart_ = formula ? across / static_cast<float>(formula->stride) : 1e9f;
    for (const Operation& op : view.operations) {
      const Tense tense = f_.tense(op);
      if (tense == Tense::Future && hidden) continue;
      scene_.begin_mark(operation_mark(op, view.segment), operation_label(f_, op));
      const Routing r = routing(view.segment, op);
      if (has_legs(op)) {
        draw_node_and_legs(view.segment, op, r, tense);
        scene_.end_mark();
        continue;
      }
      if (tense == Tense::Now) {
        draw_now(op, r);
      } else {
        scene_.set_layer(tense == Tense::Done ? layer::done : layer::future);
        const float width = tense == Tense::Done ? f_.theme().wire_done : f_.theme().wire_future;
        draw_wires(op, r, tense == Tense::Done ? Role::Done : Role::Future, width);
      }
      const bool changed = f_.changed(op);
      if (changed) draw_changed(view.segment, op, r);
      if (f_.in_cone(op)) draw_cone(view.segment, op, r);
      if (f_.lit_operation(op) > 0) {
        scene_.set_layer(layer::cone);
        draw_wires(op, r, Role::Ink2, f_.theme().wire_cone + 1.5f);
        draw_wires(op, r, Role::Hover, f_.theme().wire_cone);
      }
      draw_chips(op, r, changed ? Tense::Now : tense);
      if (is_unexplained(f_.flow.info(), op)) draw_unexplained(op, r, tense);
      scene_.end_mark();
    }
    if (!unexplained_radius(f_)) draw_unexplained_runs(f_, view.segment);
    if (view.complete) draw_untouched(view, hidden);
    draw_passing(view);
  }

  void draw_node_and_legs(int segment, const Operation& op, const Routing& r, Tense tense) {
    const bool lit = f_.in_cone(op) || f_.lit_operation(op) > 0;
    const auto legs = [&](int on, Role role, float width) {
      scene_.set_layer(on);
      draw_legs(f_, segment, op, stroke(role, width));
    };
    if (tense == Tense::Now) {
      legs(layer::halo, Role::Now, f_.theme().halo);
      legs(layer::now, Role::Ink, f_.theme().wire_now);
    } else if (lit) {
      legs(layer::cone, Role::Ink2, f_.theme().wire_cone + 1.5f);
      legs(layer::cone, Role::Hover, f_.theme().wire_cone);
    } else {
      const bool done = tense == Tense::Done;
      legs(done ? layer::done : layer::future, done ? Role::Done : Role::Future,
           done ? f_.theme().wire_done : f_.theme().wire_future);
    }
    draw_leg_node(f_, segment, op, tense);
    if (!legs_of(op.shape).behind) draw_chips(op, r, tense);
  }

  /// Straight start and end of every row once, and the legs between them.
  void draw_wires(const Operation& op, const Routing& r, Role role, float width) {
    std::array<bool, max_legs> started{}, ended{};
    for (const Leg& leg : legs_of(op)) {
      const auto from = r.read_y[leg.read], to = r.write_y[leg.write];
      auto& start = started[leg.read];
      auto& end = ended[leg.write];
      if (from && to && *from == *to && leg.sign == Sign::Plus && !start && !end) {
        line({r.left, *from}, {r.right, *to}, stroke(role, width));
        start = end = true;
        continue;
      }
      if (from && !start) line({r.left, *from}, {r.split, *from}, stroke(role, width)), start = true;
      if (to && !end) line({r.join, *to}, {r.right, *to}, stroke(role, width)), end = true;
      if (from && to) diagonal({r.split, *from}, {r.join, *to}, stroke(role, width, leg.sign));
    }
    if (op.reads.empty() && r.write_y[0]) line({r.join, *r.write_y[0]}, {r.right, *r.write_y[0]}, stroke(role, width));
    if (op.writes.empty() && r.read_y[0] && !r.write_y[0])
      line({r.left, *r.read_y[0]}, {r.split, *r.read_y[0]}, stroke(role, width));
  }

  /// The operation at the cursor: inputs in their colours over a yellow halo, which grow to the badges as it is animated.
  void draw_now(const Operation& op, const Routing& r) {
    if (f_.turn) return draw_turn(op, r);
    const auto ease = [&](float from, float to) { return eased(f_.input.phase, from, to); };
    const float halo = ease(0, 0.25f), multiplied = ease(0.25f, 0.5f), added = ease(0.5f, 0.75f),
                written = ease(0.75f, 0.92f);
    scene_.set_layer(layer::halo);
    draw_path(op, r, Role::Now, f_.theme().halo * halo);
    scene_.set_layer(layer::now);
    run_legs(
        op, r,
        [&](int) {
          return std::array{multiplied, added};
        },
        [&](int) { return written; });
  }

  /// What an operation reads, as far as `read` says to the split and from there to the join, and what it writes; of each input
  /// and output. All 0 … 1.
  template <typename Read, typename Written>
  void run_legs(const Operation& op, const Routing& r, const Read& read, const Written& written) {
    const float width = f_.theme().wire_now;
    std::array<bool, max_legs> started{};
    for (const Leg& leg : legs_of(op)) {
      const auto from = r.read_y[leg.read], to = r.write_y[leg.write];
      const Role role = input_role(leg.read);
      const auto [to_split, to_join] = read(leg.read);
      auto& start = started[leg.read];
      if (from && !start) run({r.left, *from}, {r.split, *from}, stroke(role, width), to_split), start = true;
      if (from && to) run({r.split, *from}, {r.join, *to}, stroke(role, width, leg.sign), to_join);
    }
    for (std::size_t w = 0; w < r.write_y.size(); ++w)
      if (r.write_y[w])
        run({r.join, *r.write_y[w]}, {r.right, *r.write_y[w]}, stroke(Role::Ink, width), written(static_cast<int>(w)));
    draw_badges(op, r);
  }

  /// How far a part of the motion is, which begins and ends at these phases.
  static float eased(float phase, float from, float to) {
    const float t = std::clamp((phase - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
  }

  /// In lockstep: what this turn reads runs on from its element, what it writes runs to it, of all lanes at once; those that a
  /// later pass through the banks serves wait for it.
  void draw_turn(const Operation& op, const Routing& r) {
    constexpr float behind = 0.2f;  // a later pass
    const Turn& turn = *f_.turn;
    const bool late = turn.cost.banks.degree() > 1 && turn.cost.banks.pass[turn.lane(op)] > 0;
    const float phase = late ? (f_.input.phase - behind) / (1 - behind) : f_.input.phase;
    const bool writes = turn.access.write, begins = !writes && turn.access.which == 0;
    const float read = writes ? 1 : eased(phase, 0, 0.36f), multiplied = writes ? 1 : eased(phase, 0.36f, 0.7f),
                written = writes ? eased(phase, 0.1f, 0.64f) : 1;
    scene_.set_layer(layer::halo);
    draw_path(op, r, Role::Now, f_.theme().halo * turn_halo * (begins ? read : 1));
    scene_.set_layer(layer::now);
    run_legs(
        op, r,
        [&](int which) {
          return !writes && which == turn.access.which ? std::array{read, multiplied} : std::array{1.0f, 1.0f};
        },
        [&](int which) { return writes && which == turn.access.which ? written : 1; });
  }

  /// All of an operation's wires, undashed: the layer under them.
  void draw_path(const Operation& op, const Routing& r, Role role, float width) {
    if (width <= 0) return;
    for (std::size_t i = 0; i < r.read_y.size(); ++i) {
      if (r.read_y[i]) line({r.left, *r.read_y[i]}, {r.split, *r.read_y[i]}, stroke(role, width));
      if (r.write_y[i]) line({r.join, *r.write_y[i]}, {r.right, *r.write_y[i]}, stroke(role, width));
    }
    for (const Leg& leg : legs_of(op)) {
      const auto from = r.read_y[leg.read], to = r.write_y[leg.write];
      if (from && to) line({r.split, *from}, {r.join, *to}, stroke(role, width));
    }
  }

  /// The first `fraction` of a line.
  void run(Point from, Point to, Stroke s, float fraction) {
    if (fraction < 1) to = {from.x + fraction * (to.x - from.x), from.y + fraction * (to.y - from.y)};
    if (fraction > 0) line(from, to, s);
  }

  void draw_badges(const Operation& op, const Routing& r) {
    if (l_.detail != RowDetail::Values || (op.kind != OperationKind::Butterfly && op.kind != OperationKind::Combine))
      return;
    if (op.shape == Shape::Pack) return;
    scene_.set_layer(layer::tags);
    for (int w = 0; w < op.writes.size(); ++w) {
      const auto y = r.write_y[w];
      const bool minus = op.reads.size() == 2 && w == 1;
      if (y && l_.body.contains({r.join, *y}))
        draw_badge(scene_, f_.theme(), k_, {r.join, *y}, minus ? Badge::Minus : Badge::Plus);
    }
  }

  /// A ring with ? at the end of what was written, and at the cursor of what was read, where rows leave room for it.
  void draw_unexplained(const Operation& op, const Routing& r, Tense tense) {
    const std::optional<float> room = unexplained_radius(f_);
    if (!room || (op.writes.empty() && tense != Tense::Now)) return;
    const float radius = *room;
    const auto y = op.writes.empty() ? r.read_y[0] : r.write_y[0];
    const Point at{op.writes.empty() ? r.split : r.join, y.value_or(0)};
    if (!y || !l_.body.contains({at.x - radius, at.y - radius}) || !l_.body.contains({at.x + radius, at.y + radius}))
      return;
    scene_.set_layer(layer::tags);
    draw_badge(scene_, f_.theme(), k_, at, Badge::Unexplained, radius);
  }

  /// In the cone: only what leads to rows that are in it.
  void draw_cone(int segment, const Operation& op, const Routing& r) {
    for (const auto& [role, width] :
         {std::pair{Role::Ink2, f_.theme().wire_cone + 1.5f}, std::pair{Role::Hover, f_.theme().wire_cone}}) {
      scene_.set_layer(layer::cone);
      for (const Leg& leg : legs_of(op)) {
        const auto from = r.read_y[leg.read], to = r.write_y[leg.write];
        const auto row = f_.flow.row_of(end_of(op, leg), op);
        if (!from || !to || !row || !f_.in_cone(segment + 1, *row)) continue;
        line({r.left, *from}, {r.split, *from}, stroke(role, width));
        line({r.split, *from}, {r.join, *to}, stroke(role, width, leg.sign));
        line({r.join, *to}, {r.right, *to}, stroke(role, width));
      }
    }
  }

  /// What came from an element that is not what it was, over yellow.
  void draw_changed(int segment, const Operation& op, const Routing& r) {
    for (const Leg& leg : legs_of(op)) {
      const auto from = r.read_y[leg.read], to = r.write_y[leg.write];
      const auto row = f_.flow.row_of(op.reads[leg.read], op);
      if (!from || !to || !row || !f_.changed(segment, *row)) continue;
      for (const bool halo : {true, false}) {
        scene_.set_layer(halo ? layer::halo : layer::now);
        const Role role = halo ? Role::Now : Role::Ink;
        const float width = halo ? 0.7f * f_.theme().halo : f_.theme().wire_done * 1.2f;
        line({r.left, *from}, {r.split, *from}, stroke(role, width));
        line({r.split, *from}, {r.join, *to}, stroke(role, width, halo ? Sign::Plus : leg.sign));
        line({r.join, *to}, {r.right, *to}, stroke(role, width));
      }
    }
  }

  void draw_chips(const Operation& op, const Routing& r, Tense tense) {
    const bool special = tense == Tense::Now || f_.lit_operation(op) > 0;
    const float room = r.right - r.left - 8 * k_;
    if (l_.detail == RowDetail::Wires || (!special && !l_.chips)) return;
    if (!l_.chips && l_.chip_width + 28 * k_ > room) return;
    // Those of a turn's lanes are in neighbouring rows.
    if (l_.detail == RowDetail::Nodes && l_.chip_height > (f_.turn ? 1 : 1.9) * l_.row_pitch) return;
    scene_.set_layer(layer::chips);
    const float x = r.left + 10 * k_ + l_.chip_width / 2;
    if (op.kind == OperationKind::Butterfly) {
      // The first input is not multiplied. Chips of neighbouring rows that are too close are left out.
      float free_from = -1e9f;
      for (int c = 0; c < op.coefficients.size(); ++c) {
        const int input = op.reads.size() == op.coefficients.size() + 1 ? c + 1 : std::min(c, op.reads.size() - 1);
        const auto y = r.read_y[std::max(0, input)];
        const float half = l_.chip_height / 2 + k_;
        if (!y || *y - half < free_from || !whole({x, *y}, l_.chip_width, l_.chip_height)) continue;
        free_from = *y + half;
        draw_chip(scene_, f_.theme(), k_, {x, *y}, l_.chip_width, l_.chip_height, twiddle_chip(f_.flow.info(), op, c),
                  tense);
      }
    } else if (op.kind == OperationKind::Scale || op.kind == OperationKind::Atomic) {
      const auto y = r.read_y[0];
      if (!y || op.coefficients.empty()) return;
      const std::string text = (op.kind == OperationKind::Scale ? "× " : "+ ") + factor_text(op.coefficients[0]);
      const float width = text_chip_width(f_.theme(), k_, text);
      const Point centre{(r.left + r.right) / 2, *y};
      if (width + 8 * k_ <= r.right - r.left && whole(centre, width, l_.chip_height))
        draw_text_chip(scene_, f_.theme(), k_, centre, l_.chip_height, text, tense);
    }
  }

  /// A chip that the edge of the body would cut is left out.
  bool whole(Point centre, float width, float height) const {
    return l_.body.holds({centre.x - width / 2, centre.y - height / 2, width, height});
  }

  /// Rows that no operation writes pass through, when both columns show the same buffer.
  void draw_untouched(const SegmentView& view, bool hidden) {
    const auto& columns = f_.flow.columns();
    const auto s = static_cast<std::size_t>(view.segment);
    if (!columns[s].shows_same_as(columns[s + 1])) return;
    const Rows rows = l_.visible_rows;
    std::vector<bool> written(rows.end - rows.first);
    for (const Operation& op : view.operations)
      for (const Access& write : op.writes)
        if (const auto row = f_.flow.row_of(write, op); row && *row >= rows.first && *row < rows.end)
          written[*row - rows.first] = true;
    const bool begun = view.segment <= f_.flow.current_segment();
    if (hidden && !begun) return;
    for (std::uint64_t row = rows.first; row < rows.end; ++row) {
      if (written[row - rows.first] || !f_.flow.place(view.segment, row)) continue;
      if (!f_.needed(view.segment + 1, row)) continue;
      // In predict mode an untouched row would reveal that no operation touches it.
      if (hidden) continue;
      const float y = l_.row_y(row);
      scene_.set_layer(begun ? layer::done : layer::future);
      const Point from{l_.right(view.segment), y}, to{l_.left(view.segment + 1), y};
      line(from, to, begun ? stroke(Role::Done, f_.theme().wire_done) : stroke(Role::Future, f_.theme().wire_future));
      if (f_.in_cone(view.segment, row) && f_.in_cone(view.segment + 1, row)) {
        scene_.set_layer(layer::cone);
        line(from, to, stroke(Role::Ink2, f_.theme().wire_cone + 1.5f));
        line(from, to, stroke(Role::Hover, f_.theme().wire_cone));
      }
    }
  }

  /// Butterflies whose rows are all above or below, but whose wires cross: too many for lines, so bands show where.
  void draw_passing(const SegmentView& view) {
    const auto formula = f_.flow.regular(view.segment);
    if (!formula || f_.hides_future(view.segment)) return;
    const float left = l_.right(view.segment) + l_.lead, right = l_.left(view.segment + 1) - l_.tail;
    if (l_.visible_rows.end - l_.visible_rows.first >= f_.flow.rows()) return;
    if (static_cast<double>(formula->stride) * 4 * k_ <= right - left) return;  // few: they are drawn themselves
    const bool done = view.segment < f_.flow.current_segment();
    scene_.set_layer(layer::tone);
    const std::uint64_t first = l_.visible_rows.first / formula->span,
                        end = (l_.visible_rows.end - 1) / formula->span + 1;
    for (std::uint64_t block = first; block < end; ++block) {
      const auto leg_y = [&](int leg) {
        const double row =
            static_cast<double>(block * formula->span + static_cast<std::uint64_t>(leg) * formula->stride) - 0.5;
        return static_cast<float>(l_.first_row_y + row * l_.row_pitch);
      };
      for (int from = 0; from < formula->radix; ++from) {
        for (int to = 0; to < formula->radix; ++to) {
          if (from == to) continue;
          const std::vector<Point> band = clipped_polygon(
              {{left, leg_y(from)}, {left, leg_y(from + 1)}, {right, leg_y(to + 1)}, {right, leg_y(to)}}, l_.body);
          if (!band.empty()) scene_.polygon(band, done ? Role::DoneSoft : Role::Future).opacity = done ? 0.6f : 0.2f;
        }
      }
    }
  }

  float diagonals_apart_ = 0;  // px, of the current segment
};

}  // namespace

void draw_wires(ButterflyFrame& frame) { Wires(frame).draw(); }

}  // namespace twiddle
