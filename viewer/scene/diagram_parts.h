// What diagrams draw alike: nodes with values, chips, tags, badges, outlines, and the order of their layers.
#pragma once

#include "viewer/scene/ink.h"
#include "viewer/scene/theme.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

/// From the ground up (reference: the look's order of drawing).
namespace layer {
inline constexpr int tone = 0, future = 1, done = 2, cone = 3, halo = 4, now = 5, chips = 6, nodes = 7, now_nodes = 8,
                     tags = 9, heads = 10;
}

/// The state of a thing at the cursor.
enum class Tense : std::uint8_t { Done, Now, Future };

/// The part of a in b, or nothing when the segment is outside.
struct Line2 {
  Point from, to;
};
std::optional<Line2> clipped(Line2 line, const Box& box);
/// The part of a convex polygon inside a box; empty when there is none.
std::vector<Point> clipped_polygon(const std::vector<Point>& polygon, const Box& box);

/// How a node looks. `accent` is the role of an input of the current operation (A or B), else None.
struct NodeLook {
  Tense tense = Tense::Done;
  Role accent = Role::None;
  bool in_cone = false;
  float filled = 1;  // of a current output: how far the write has come, 0 … 1
};
/// A node's box, with its text (empty: none) in it, or with two lines of text, `pitch` px apart.
void draw_node(Scene& scene, const Theme& theme, float scale, const Box& box, const NodeLook& look,
               const std::string& text, const Font& font, const std::string& below = {}, float pitch = 0);

/// Size of what is raised or lowered behind a letter of `size` px: two thirds of it, and never below 9 px where type has a
/// floor of 11.
float stacked_size(const Theme& theme, float scale, float size);

/// A twiddle factor's chip around a centre: w, the span below, the exponent above; without an exponent only w.
struct TwiddleChip {
  std::uint64_t span = 0;
  std::optional<std::int64_t> exponent;
};
void draw_chip(Scene& scene, const Theme& theme, float scale, Point centre, float width, float height,
               const TwiddleChip& chip, Tense tense);
/// A chip with a plain text ("× 1/8"), and how wide it is.
float text_chip_width(const Theme& theme, float scale, const std::string& text);
void draw_text_chip(Scene& scene, const Theme& theme, float scale, Point centre, float height, const std::string& text,
                    Tense tense);

/// What an operation's n-th input is called: a, b, c … z, then 26, 27 …
std::string input_name(int which);
/// The tag of an operation's n-th input: a and c in a circle of role A, b and d in a square of role B.
Role input_role(int which);
float tag_radius(const Theme& theme, float scale);
void draw_tag(Scene& scene, const Theme& theme, float scale, Point centre, int which);
/// + or − in a ring where wires meet, a question on yellow, or a ring with ? and no colour: nothing explains this. Radius 0:
/// the theme's.
enum class Badge : std::uint8_t { Plus, Minus, Question, Unexplained };
void draw_badge(Scene& scene, const Theme& theme, float scale, Point centre, Badge badge, float radius = 0);

/// The sign of an error, an octagon with a ×, `size` px high.
void draw_error_sign(Scene& scene, const Theme& theme, Point centre, float size);
/// The sign of a warning, a triangle with a !.
void draw_warning_sign(Scene& scene, const Theme& theme, Point centre, float size);

/// The state strip's greys, 0 (nothing) to 7 (the most).
constexpr Role grey_role(int grey) { return static_cast<Role>(static_cast<int>(Role::Grey0) + grey); }
/// Ink, canvas or the dark of `now`, by contrast with a ground.
Role text_on(const Theme& theme, Role ground);

/// A pane with a title and a sentence: why there is no diagram.
Scene message_scene(const Theme& theme, float width, float height, float scale, const std::string& title,
                    const std::string& sentence);

}  // namespace twiddle
