// One frame of the butterfly diagram: what its parts (labels, wires, nodes, overview) share while they draw.
#pragma once

#include "viewer/butterfly/butterfly_layout.h"
#include "viewer/document/flow.h"
#include "viewer/document/turn.h"
#include "viewer/facts/links.h"
#include "viewer/graphs/needed_places.h"
#include "viewer/scene/diagram_parts.h"
#include "viewer/views/diagram.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace twiddle {

/// The operations of a segment that touch visible rows, in step order.
struct SegmentView {
  int segment = 0;
  bool complete = true;  // false: some are not decoded yet
  std::vector<Operation> operations;
};

struct ButterflyFrame : Ink, Links {
  const DiagramInput& input;
  Flow& flow;
  const ButterflyLayout& layout;
  Scene& scene;

  std::optional<Operation> now{};  // the operation at the cursor; not in predict mode, where the next one counts
  int now_segment = -1;
  const Turn* turn = nullptr;        // in lockstep: all that is done together, `now` among it
  std::optional<Operation> asked{};  // predict mode: the operation that is asked for
  int asked_segment = -1;
  const Cone* cone = nullptr;            // of the element that is hovered, else pinned
  const NeededPlaces* places = nullptr;  // of a reduction; null: all are drawn alike
  std::vector<SegmentView> views{};      // of segments whose wires are visible: see read_views; empty in the overview

  /// The operation at the cursor and the cone.
  ButterflyFrame(const DiagramInput& input, const ButterflyLayout& layout, Scene& scene);
  /// Reads the operations whose wires are visible.
  void read_views();

  const Theme& theme() const { return input.theme; }
  const SegmentView* view(int segment) const;
  Tense tense(const Operation& operation) const;
  /// Predict mode hides what is still to come of this segment.
  bool hides_future(int segment) const { return segment == asked_segment; }
  /// Whether an element goes into the outcome; also those of which that is not known.
  bool needed(int column, std::uint64_t row) const { return !places || places->needed(column, row); }
  bool in_cone(int column, std::uint64_t row) const;
  bool in_cone(const Operation& operation) const;
  /// Whether an element of a column, and an operation, is not what it was before the signal was changed.
  bool changed(int column, std::uint64_t row) const;
  bool changed(const Operation& operation) const;
  /// The row of what an operation accesses in a column, and its y; nothing where the column does not show it.
  std::optional<std::uint64_t> row_in(int column, const Access& access, const Operation& operation) const;
  std::optional<float> y_of(int column, const Access& access, const Operation& operation) const;
  /// Which input of the operation at the cursor this is; −1: none. And whether it is one of its outputs.
  int now_input(int column, std::uint64_t row) const;
  bool now_output(int column, std::uint64_t row) const;
  /// The operations of now: in lockstep those of all lanes.
  std::span<const Operation> all_now() const;
  /// In lockstep, whether an element is what this turn reads, or writes; and whether it is computed, and still to be written.
  bool of_turn(int column, std::uint64_t row) const;
  bool to_be_written(int column, std::uint64_t row) const;
};

/// What draws a part of the diagram, and the names that it has for what all of them use.
class ButterflyPart {
 public:
  explicit ButterflyPart(ButterflyFrame& frame) : f_(frame), l_(frame.layout), scene_(frame.scene), k_(frame.scale) {}

 protected:
  ButterflyFrame& f_;
  const ButterflyLayout& l_;
  Scene& scene_;
  const float k_;  // px of a layout unit
};

void draw_butterfly_heads(ButterflyFrame& frame);
void draw_row_labels(ButterflyFrame& frame);
void draw_costs(ButterflyFrame& frame);  // strips below the columns
void draw_wires(ButterflyFrame& frame);
void draw_nodes(ButterflyFrame& frame);
void draw_ideal_wires(ButterflyFrame& frame);  // of a finding's butterfly at the cursor
void draw_error_marks(ButterflyFrame& frame);  // where findings say that something is wrong, later than the cursor too
void draw_strips(ButterflyFrame& frame);       // of all levels but Values and Nodes
void draw_overview(ButterflyFrame& frame);     // bands, bars, tones, and the operation and the cone above them

/// Rings with ? at the writes of a segment that nothing explains, one for those whose rings would touch: where rows leave no room
/// for one each.
void draw_unexplained_runs(ButterflyFrame& frame, int segment);
/// Whether rows leave room for a ring each, and its radius.
std::optional<float> unexplained_radius(const ButterflyFrame& frame);

/// Butterflies of any radix are drawn as a node with legs, in the strip of the items in the middle of their pass.
bool has_legs(const Operation& operation);
/// The radix of a segment's, as its first operation has it; 0: it has none, or it is not known yet.
int legs_in(const ButterflyFrame& frame, int segment);
Point leg_node(const ButterflyFrame& frame, int segment, const Operation& operation);
void draw_legs(ButterflyFrame& frame, int segment, const Operation& operation, const Stroke& stroke);
void draw_leg_node(ButterflyFrame& frame, int segment, const Operation& operation, Tense tense);
/// From far away: the strip, and the legs of some items. False: the segment has no such butterflies, or it is not known yet.
bool draw_leg_strip(ButterflyFrame& frame, int segment);

/// "stage 2", "bit reversal", "launch 3"; "bit-reversed", "after stage 2", "input".
std::string segment_name(const TraceInfo& info, int segment);
std::string column_name(const TraceInfo& info, int column);
/// "F[1] after stage 2 = (−4, 4), written by work-item 1", as far as the cursor knows.
std::string element_label(ButterflyFrame& frame, int column, std::uint64_t row);
/// "butterfly of work-item 1 in stage 2: F[1], F[3], w = w_4^1 = (0, −1)".
std::string operation_label(const ButterflyFrame& frame, const Operation& operation);
/// The chip of a butterfly's coefficient.
TwiddleChip twiddle_chip(const TraceInfo& info, const Operation& operation, int coefficient);
/// What a column's element holds now; nothing while it is to come, or where the log does not say.
std::optional<Value> element_value(const ButterflyFrame& frame, const State* state, int column, std::uint64_t row);
/// Whether this is the column of the folded swaps while they are under way: it shows the buffer's current state.
bool shows_present(const ButterflyFrame& frame, int column);
/// The content of a column now: null while it is to come, or not decoded yet.
std::shared_ptr<const State> column_state(const ButterflyFrame& frame, int column);
/// Whether an element has its content of this column at the cursor.
bool element_done(const ButterflyFrame& frame, int column, std::uint64_t row);

}  // namespace twiddle
