// The layout of a butterfly diagram, and how much of it is drawn at this size and zoom.
#pragma once

#include "viewer/document/flow.h"
#include "viewer/views/cost_strips.h"
#include "viewer/views/diagram.h"

#include <string>

namespace twiddle {

/// How much of a row is drawn, by its height (reference: the look's levels of detail).
enum class RowDetail : std::uint8_t {
  Values,    // nodes with values
  Nodes,     // small nodes
  Wires,     // wires between state strips
  Overview,  // bands, bars and tones between state strips
};

/// The labels left of the first column; from long to short.
enum class RowLabel : std::uint8_t {
  Full,    // x[4] 100 → 001 1   (without a reversal: x[1] 001 1)
  Origin,  // x[4] → 1           (x[1] 1)
  Binary,  // 001 1
  Number,  // 1
  Ticks,   // numbers of some rows
};

struct ButterflyLayout {
  RowDetail detail = RowDetail::Overview;
  RowLabel row_label = RowLabel::Ticks;
  bool folded = false;     // the row labels show the swaps of the first segment, column 0 is left out
  bool chips = false;      // twiddle chips fit between the columns
  bool outputs = false;    // X[k] right of the last column
  int digits = 4;          // of values, at most
  float line_pitch = 0;    // of two lines, px
  bool two_lines = false;  // complex values: the real part over the imaginary one
  int choice = 0;          // which of the forms of butterfly_layout.cpp it took; the more it gave up, the higher
  std::string input_name,
      output_name;  // "x" and "X"; a buffer's name, and nothing, where the trace expects no transform
  float scale = 1;

  Font value_font, value_font_now, label_font, number_font, head_font, caption_font, mono_caption_font;
  float node_width = 0, node_height = 0, chip_width = 0, chip_height = 0;
  float lead = 0, tail = 0;  // wires run straight for `lead` px after a node and for `tail` px before the next

  float width = 0, height = 0;  // of the pane
  bool two_head_lines = true;
  Box heads, labels, body;  // body: clip of columns and wires
  StripRows cost_rows;      // below them, and where
  Box costs;
  float label_gap = 0;                  // between row numbers and the first column
  float content_width = 0, across = 0;  // of all columns and outputs, and of the room for them
  float origin_width = 0;               // of the "x[4] 100" part of a row label
  double row_pitch = 0, column_pitch = 0;
  double max_zoom = 1;                         // beyond this nothing grows
  double first_row_y = 0, first_column_x = 0;  // centre of row 0, centre of the first column
  int first_column = 0;                        // 1 when folded
  int columns = 0;                             // columns in all, the folded one not counted

  std::uint64_t rows = 0;
  Rows visible_rows;                         // at least partly in the body
  int visible_first = 0, visible_last = -1;  // columns, in Flow's numbering

  float row_y(std::uint64_t row) const {
    return static_cast<float>(first_row_y + static_cast<double>(row) * row_pitch);
  }
  float column_x(int column) const {
    return static_cast<float>(first_column_x + (column - first_column) * column_pitch);
  }
  /// Left and right edge of a column's nodes.
  float left(int column) const { return column_x(column) - node_width / 2; }
  float right(int column) const { return column_x(column) + node_width / 2; }
  bool shows_lines() const { return detail != RowDetail::Overview; }
};

/// Kept until the pane, the theme or the viewport is another one, so that hit tests ask the layout that was drawn. Two
/// traces side by side have one form: that of the half which has to give up more.
const ButterflyLayout& butterfly_layout(const DiagramInput& input);

/// The viewport that puts row coordinate `row` at `y` and column coordinate `column` at `x`, clamped.
Viewport viewport_for(const DiagramInput& input, const ButterflyLayout& layout, double row, float y, double column,
                      float x);

/// The row coordinate (2.5: the middle of row 2) at `y`, and the column coordinate (1.5: between the second and the third drawn
/// column) at `x`; not clamped.
double row_at(const ButterflyLayout& layout, float y);
double column_at(const ButterflyLayout& layout, float x);

}  // namespace twiddle
