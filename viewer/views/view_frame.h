// One frame of a view: the document at the cursor, what is lit, and the type and distances it is drawn with.
#pragma once

#include "viewer/document/flow.h"
#include "viewer/facts/links.h"
#include "viewer/facts/trace_facts.h"
#include "viewer/scene/diagram_parts.h"
#include "viewer/scene/ink.h"
#include "viewer/views/diagram.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

struct ViewFrame : Links, Ink {
  const DiagramInput& input;
  Document& document;
  Flow& flow;
  const TraceInfo& info;
  const TraceFacts& facts;
  Scene& scene;

  std::uint64_t step = 0;
  std::optional<Operation> now{};  // the operation at the cursor, as far as it is decoded
  const LaunchInfo* launch = nullptr;
  const Turn* turn = nullptr;  // in lockstep: all that is done together, `now` among it
  int segment = -1;
  const Cone* cone = nullptr;  // of the element hovered or pinned; not in predict mode

  /// Moves the document to the cursor and sets the scene's size and language.
  ViewFrame(const DiagramInput& input, Scene& scene);

  Role grid() const;  // of lines between cells and at round numbers: paler than what they part, on every theme

  /// Whether a segment is over at the cursor, and whether it has begun.
  bool past(int segment) const;
  bool begun(int segment) const;
  /// Whether an item did something in a segment for the cone, and whether an element, in its current state, is part of it.
  bool in_cone(int segment, std::uint64_t first_item, std::uint64_t end_item) const;
  bool in_cone(int buffer, std::uint64_t index) const;
  /// Whether something that is to come may be shown: not in predict mode.
  bool shows_future() const { return !input.hide_next; }

  /// Whether the operation at the cursor writes an element; after the signal was changed, whether it is another one since.
  bool writes_in_turn(int buffer, std::uint64_t index) const;
  bool writes_now(int buffer, std::uint64_t index) const {
    if (input.live && input.live->changes) return input.live->changes->element(buffer, index, segment);
    if (turn) return writes_in_turn(buffer, index);
    return now && includes(now->writes, buffer, index);
  }
  /// What the sub-group of an operation did at the same time; in predict mode only what has been shown.
  std::vector<Operation> request(const Operation& operation) const;

  /// A text centred on y, left out unless it fits into `room`; whether it was drawn.
  bool text(float x, float centre_y, std::string_view text, const Font& font, Role role, float room,
            Anchor anchor = Anchor::Start) {
    return label_if_fits(scene, x, centre_y, text, font, role, room, anchor);
  }
  /// The first of several forms that fits.
  bool first_fitting(float x, float centre_y, const std::vector<std::string>& forms, const Font& font, Role role,
                     float room, Anchor anchor = Anchor::Start) {
    return twiddle::first_fitting(scene, x, centre_y, forms, font, role, room, anchor);
  }
  /// A title, and behind it the longest of several captions that fits.
  void title(float left, float right, float centre_y, const std::string& text,
             const std::vector<std::string>& captions);
  /// A word on an empty picture, on a plate of its own.
  void note(const Box& box, const std::string& text);
  /// The outline of something hovered (2) or pinned (1); 0: nothing.
  void outline(const Box& box, float radius, int lit) { Ink::outline(scene, box, radius, lit); }
};

/// Px of a layout unit of a view; the projector's type and distances are twice the usual.
float view_scale(const DiagramInput& input);

/// Leaves out every text that its clip or the pane would cut, or that overlaps one added before it: what cannot be read at
/// this size and zoom is not drawn.
void keep_readable(Scene& scene);

/// A legend of what is on the screen only.
class Legend {
 public:
  using Swatch = std::function<void(Scene&, const Box&)>;
  /// An entry once, however often it is asked for: with what the caller draws, with a box, or with a line across.
  void add(const std::string& text, Swatch swatch);
  void box(const std::string& text, Role fill, Stroke edge, float radius = 0);
  void line(const std::string& text, Stroke stroke);
  /// Puts short entries first: where room is scarce, more of them fit.
  void sort();
  /// On one line, left to right, as many as fit.
  void draw(ViewFrame& frame, float left, float right, float centre_y) const;

 private:
  struct Entry {
    std::string text;
    Swatch swatch;
  };
  std::vector<Entry> entries_;
};

/// Round numbers for an axis: 1, 2 or 5 times a power of ten, so that at most `most` of them are in [low, high].
std::vector<double> axis_ticks(double low, double high, int most);

}  // namespace twiddle
