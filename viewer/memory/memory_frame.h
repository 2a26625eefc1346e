// One frame of the picture of memory: the regions that it shows, and how their elements are drawn.
#pragma once

#include "tracer/cost/sub_group.h"
#include "viewer/document/request.h"
#include "viewer/memory/memory_regions.h"
#include "viewer/memory/memory_words.h"
#include "viewer/views/view_frame.h"
#include "viewer/views/view_space.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {

/// Heights above a region and below them all, in layout units.
struct MapSizes {
  float title, foot;
};

inline constexpr MapSizes usual_map{62, 52}, low_map{34, 4};
inline MapSizes map_sizes(const DiagramInput& input) { return input.small ? low_map : usual_map; }

inline constexpr float map_pad = 16, address_width = 66, address_line = 16;

class MemoryFrame {
 public:
  MemoryFrame(const DiagramInput& input, Scene& scene, const ViewSpace& space);
  void draw();

 private:
  ViewFrame f_;
  const ViewSpace& space_;
  const MapSizes sizes_;
  std::vector<Region> regions_;
  std::vector<Operation> request_;
  Legend legend_;

  void draw_regions();
  const BufferInfo& buffer(const Region& region) const { return f_.info.buffers[region.buffer]; }
  bool local(const Region& region) const { return buffer(region).space == Space::Local; }
  /// Local memory, but what each item has for itself: registers have no banks.
  bool has_banks(const Region& region) const { return local(region) && !is_registers(buffer(region)); }
  /// Whether the operation at the cursor could touch it: another group's array it cannot.
  bool at_work(const Region& region) const { return f_.now && in_group(region, *f_.now); }
  /// In a low pane: what is written, else read, or hovered, as one row of elements, and in words what that costs.
  void draw_small();
  /// One row: all elements, or those around what is touched, in windows beside each other, of whole sectors if they fit.
  void strip(const Region& of, const Box& room, bool addresses, bool sectors);
  /// Brackets under the elements [first, end) of each sector; `cell`: the first one's, at the brackets' top.
  void name_sectors(const Region& of, std::uint64_t first, std::uint64_t end, const Box& cell);
  /// Draws a region and returns how high it is, with its title.
  float region(const Region& of, const Box& whole);
  /// The rows in which the operation reads and writes here; the first one if it does not.
  std::set<std::uint64_t> touched_in(const Region& of, std::uint64_t per_row) const;
  /// The rows around what the operation reads and writes here: those near each other in one window.
  void touched_rows(const Region& of, const Box& room, const RowLayout& layout);
  /// The rows of so many elements that the whole sub-group asks for in this turn; none of one item.
  std::set<std::uint64_t> asked_rows(const Region& of, std::uint64_t per_row) const;
  std::set<std::uint64_t> drawn_rows_{};  // of the region that is being drawn
  /// Beside what the accesses cost: how many of the rows that are touched in the same turn are in sight, unless all are.
  void hidden_rows(const Region& of, const Box& whole, float top, std::uint64_t per_row);
  /// These, one below the other, with a gap wherever rows are left out between them. Returns how high they are.
  float gathered_rows(const Region& of, const Box& room, const std::set<std::uint64_t>& rows);
  std::string costs(const Region& of) const;
  std::string accesses(const Region& of) const;
  void title(const Region& of, float left, float centre_y);
  /// What a region is, what its accesses cost, and over its columns which bytes of a row they are.
  void heads(const Region& of, const Box& whole, const Box& body, const RowLayout& rows);
  void foot();

  /// Over an element of a small picture its index, and as which input it is read; below it its byte, or its banks.
  void name_element(const Region& of, std::uint64_t index, const Box& cell, bool addresses);
  /// Which input of the operation at the cursor an element is; −1: none. And whether it is one of its outputs.
  int input_of(const Region& of, std::uint64_t index) const;
  bool writes(const Region& of, std::uint64_t index) const;
  /// The last write of each of the elements [first, end) up to now; elements never written are left out.
  std::map<std::uint64_t, LastTouch> last_writers(const Region& of, std::uint64_t first, std::uint64_t end);
  bool in_group(const Region& of, const Operation& one) const;
  /// Dots in an element's corners: which access of the sub-group touches it, a bit each (first_read, other_read, a_write).
  static constexpr unsigned first_read = 1, other_read = 2, a_write = 4;
  void dots(const Box& box, unsigned asked, bool now);
  void elements(const Region& of, const Box& body, const RowLayout& rows, double first_row, double pitch);
  /// The first element of a row; where a row has not all of the banks, which it has.
  void address(const Region& of, std::uint64_t index, const RowLayout& rows, const Box& box);
  bool all_banks(const Region& of, const RowLayout& rows) const;
  void element(const Region& of, std::uint64_t index, const Box& box, const std::map<std::uint64_t, LastTouch>& writers,
               const State* state, unsigned asked, const ElementWords& element_words,
               std::vector<std::pair<Box, Role>>& edges);
  /// Far away: what was written in this segment, before it, and never, row by pixel row; and where now is.
  void overview(const Region& of, const Box& body, const RowLayout& rows, double first_row, double shown, double pitch);
};

}  // namespace twiddle
