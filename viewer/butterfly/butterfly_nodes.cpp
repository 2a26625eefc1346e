// Nodes of the butterfly diagram: the elements of every column, with their values where they can be read.
#include "base/tr.h"
#include "viewer/butterfly/butterfly_frame.h"
#include "viewer/words/value_text.h"

#include <algorithm>
#include <utility>

namespace twiddle {
namespace {

bool is_element(const std::optional<Mark>& mark, int column, const Place& place, std::uint64_t row) {
  return mark && mark->kind == MarkKind::Element && mark->segment + 1 == column && mark->buffer == place.buffer &&
         mark->index == row;
}

class Nodes : ButterflyPart {
 public:
  using ButterflyPart::ButterflyPart;
  void draw() {
    scene_.push_clip(l_.body);
    for (int column = l_.visible_first; column <= l_.visible_last; ++column) draw_column(column);
    scene_.pop_clip();
    // Tags reach above the first row.
    scene_.set_layer(layer::tags);
    for (const Tag& tag : tags_) draw_tag(scene_, f_.theme(), k_, tag.at, tag.input);
  }

 private:
  void draw_column(int column) {
    const auto state = column_state(f_, column);
    for (std::uint64_t row = l_.visible_rows.first; row < l_.visible_rows.end; ++row) {
      const auto place = f_.flow.place(column, row);
      if (!place) continue;
      std::string label = element_label(f_, column, row);
      if (!f_.needed(column, row)) label += std::string("\n") + tr("no longer used: the outcome is made of others");
      scene_.begin_mark(element_mark(place->buffer, column - 1, row), label);
      if (f_.needed(column, row))
        draw_element(column, row, *place, state.get());
      else
        draw_unneeded(column, row, *place);
      scene_.end_mark();
    }
  }

  /// What a reduction no longer uses: a dot, for the pointer to find.
  void draw_unneeded(int column, std::uint64_t row, const Place& place) {
    const Point centre{l_.column_x(column), l_.row_y(row)};
    const float r = std::min(2.5f * k_, 0.3f * l_.node_height), width = std::min(l_.node_width, 30 * k_);
    const Box box{centre.x - width / 2, centre.y - l_.node_height / 2, width, l_.node_height};
    scene_.set_layer(layer::nodes);
    scene_.rect(box, Role::None);
    scene_.circle(centre, r, Role::Future);
    const Cursor& cursor = f_.input.cursor;
    scene_.set_layer(layer::tags);
    const int lit = is_element(cursor.hover, column, place, row) ? 2 : is_element(cursor.pinned, column, place, row);
    f_.outline(scene_, box, 6.5f * k_, lit);
  }

  void draw_element(int column, std::uint64_t row, const Place& place, const State* state) {
    const bool values = l_.detail == RowDetail::Values;
    const int input = f_.now_input(column, row);
    const bool output = f_.now_output(column, row);
    const bool done = element_done(f_, column, row);
    const bool asked = f_.asked && column == std::max(f_.asked_segment, l_.first_column) && !f_.asked->reads.empty() &&
                       f_.flow.row_of(f_.asked->reads[0], *f_.asked) == row;
    NodeLook look;
    const bool changed = done && f_.changed(column, row);
    look.tense = output || asked || changed ? Tense::Now : done ? Tense::Done : Tense::Future;
    look.accent = input >= 0 && !output ? input_role(input) : Role::None;
    look.in_cone = f_.in_cone(column, row);
    const auto [fills_from, fills_to] = f_.turn ? std::pair{0.64f, 1.0f} : std::pair{0.75f, 0.92f};  // of the motion
    if (output) look.filled = std::clamp((f_.input.phase - fills_from) / (fills_to - fills_from), 0.0f, 1.0f);

    const float x = l_.column_x(column), y = l_.row_y(row);
    const bool current = look.tense == Tense::Now || look.accent != Role::None;
    float width = l_.node_width, height = l_.node_height;
    if (current) width += (values ? 1 : 3) * k_, height += (values ? 1 : 3) * k_;
    const Box box{x - width / 2, y - height / 2, width, height};

    std::string text, below;
    Font font = current ? l_.value_font_now : l_.value_font;
    const bool whole = l_.body.holds(box);
    if (values && whole) {
      if (!done)
        text = f_.hides_future(column - 1) ? "" : "·";
      else if (const auto value = element_value(f_, state, column, row)) {
        value_texts(*value, font, box.w - 6 * k_, text, below);
        // Smaller before it is not there at all.
        if (text.empty()) value_texts(*value, font = l_.value_font, box.w - 6 * k_, text, below);
      }
    }
    scene_.set_layer(current ? layer::now_nodes : layer::nodes);
    if (values) {
      draw_node(scene_, f_.theme(), k_, box, look, text, font, below, l_.line_pitch);
    } else {
      draw_small(box, look);
    }
    if (f_.turn && f_.of_turn(column, row) && !output)
      scene_.rect(box.inset(-2.5f * k_), Role::None, {Role::Now, 2.5f * k_}, 5 * k_);
    if (!done && f_.to_be_written(column, row))
      scene_.rect(box, Role::None, {Role::Now, 1.75f * k_, 4 * k_, 3 * k_}, 4 * k_);
    if (values && look.accent != Role::None && whole && !f_.turn) {
      // At the corner: over the gap between rows, and beside the value where they would touch.
      const float radius = tag_radius(f_.theme(), k_);
      const float top = y - cap_height(font) / 2 - (below.empty() ? 0 : l_.line_pitch / 2);
      const float gap = (static_cast<float>(l_.row_pitch) - box.h) / 2;
      Point at{box.x + k_, std::max(box.y + k_ - gap, std::min(box.y + k_, top - radius - 2 * k_))};
      const float text_half = std::max(text_width(font, text), text_width(font, below)) / 2;
      if (at.y + radius > top - k_) at.x = std::min(at.x, x - text_half - radius - k_);
      // A large one is left of the column, where it does not cover the node above.
      if (at.y - radius < box.y - 2 * gap) at.x = std::min(at.x, box.x - radius + 3 * k_);
      // Nothing may be laid over the row numbers.
      if (at.x - radius >= l_.labels.right() - l_.label_gap) tags_.push_back({at, input});
    }
    scene_.set_layer(layer::tags);
    const Cursor& cursor = f_.input.cursor;
    const int lit = is_element(cursor.hover, column, place, row) ? 2 : is_element(cursor.pinned, column, place, row);
    f_.outline(scene_, box.inset(-2.5f * k_), 6.5f * k_, lit);
  }

  /// The value in one line, or its real part over its imaginary one, in as many digits as fit.
  void value_texts(const Value& value, const Font& font, float room, std::string& text, std::string& below) const {
    const bool two = l_.two_lines && traits(value.type).components == 2;
    if (!two) {
      text = fitting_value_text(font, value, l_.digits, room);
      return;
    }
    for (int digits = l_.digits; digits >= 1; --digits) {
      const std::vector<std::string> parts = value_parts(value, digits);
      text = parts[0], below = parts[1];
      if (std::max(text_width(font, text), text_width(font, below)) <= room) return;
    }
    text.clear(), below.clear();
  }

  /// Without values: what is done is filled, what is to come hollow; inputs differ by shape as their tags do.
  void draw_small(const Box& box, const NodeLook& look) {
    const Point centre = box.centre();
    const float r = box.w / 2;
    if (look.tense == Tense::Now) {
      scene_.rect(box, Role::Now, {Role::Ink, 2 * k_}, 2 * k_);
    } else if (look.accent == Role::A) {
      scene_.circle(centre, r, Role::A, {Role::Ink, 1.5f * k_});
    } else if (look.accent == Role::B) {
      scene_.rect(box, Role::B, {Role::Ink, 1.5f * k_}, 0);
    } else if (look.in_cone) {
      scene_.circle(centre, r, Role::Hover, {Role::Ink2, k_});
    } else if (look.tense == Tense::Done) {
      scene_.circle(centre, r, Role::Done, {Role::Canvas, k_});
    } else {
      scene_.circle(centre, r - 0.5f * k_, Role::Canvas, {Role::Future, k_});
    }
  }

  struct Tag {
    Point at;
    int input;
  };
  std::vector<Tag> tags_;
};

}  // namespace

void draw_nodes(ButterflyFrame& frame) { Nodes(frame).draw(); }

}  // namespace twiddle
