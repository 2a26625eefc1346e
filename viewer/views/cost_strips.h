// Strips below a diagram's columns: what the worst access of each stage asks memory for, by the rule that checks, the memory
// view and the source's counters share.
#pragma once

#include "viewer/views/diagram.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace twiddle {

std::string_view name_of(CostStrips strips);  // "none", "sectors", "passes", "both"
std::optional<CostStrips> cost_strips_named(std::string_view name);
inline constexpr int cost_strips_count = 4;

/// Traces of more operations have none: their accesses would be counted for seconds.
inline constexpr std::uint64_t max_cost_steps = std::uint64_t(1) << 24;

/// The strips of a picture, from above.
struct StripRows {
  bool sectors = false, passes = false;
  bool low = false;  // a line each: a number and a bar beside it
  int count() const { return (sectors ? 1 : 0) + (passes ? 1 : 0); }
  float height(const DiagramInput& input) const;  // px
  bool operator==(const StripRows&) const = default;
};
/// Those that were asked for and for which this trace, or the other half of a comparison, has memory. None while something
/// is asked, in a low pane, and of a trace that is too long.
StripRows strip_rows(const DiagramInput& input, bool low);

/// Where a segment's strip is, px.
struct StripColumn {
  int segment = 0;
  float x = 0, room = 0;  // its middle, and its width
};

/// Tags the marks of strips (Mark::command), which are those of segments: `step` is that of the worst access, `index` how
/// many turns of its round have been made (TurnPlace).
inline constexpr const char* cost_mark = "cost";

/// Whether low rows have room for their names, which end there, px: numbers without them say nothing.
bool names_fit(const DiagramInput& input, const StripRows& rows, float names_end);

/// `box`: of height rows.height(). Names of low rows end at `names_end`, px.
void draw_cost_strips(const DiagramInput& input, const StripRows& rows, const Box& box, float names_end,
                      std::span<const StripColumn> columns, Scene& scene);

/// Where a strip is that is no column of stages: a row of a view whose time runs down, or the title of a picture.
struct CostCell {
  int first = 0, end = 0;  // the segments that it is of
  std::string name;        // of them, in words
  Box box;                 // px
};

/// A kind of memory in cells whose bars have one scale. `named`: what is counted is said before the number, as it has no
/// heading. A cell without room has nothing.
void draw_cost_cells(const DiagramInput& input, bool banks, bool named, std::span<const CostCell> cells, Scene& scene);

/// Strips beside rows: a column for each kind of memory, px wide; 0 where there is no room or none is wanted.
struct CostGutter {
  StripRows rows;
  float column = 0;  // px
  float width() const { return column * static_cast<float>(rows.count()); }
};
CostGutter cost_gutter(const DiagramInput& input);
/// `gutter.width()` wide at the right of the picture, with its headings' middle at `heading`, px. Of each cell its height counts.
void draw_cost_gutter(const DiagramInput& input, const CostGutter& gutter, float right, float heading,
                      std::span<const CostCell> rows, Scene& scene);

/// What is to be said where strips are wanted and a trace is too long for them; empty where it is not.
std::string too_long_for_costs(const TraceInfo& info);

}  // namespace twiddle
