// Small things that panels draw alike: texts cut to their room, plates, chips, buttons, icons.
#pragma once

#include "viewer/panels/panels.h"

#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// A pane's ground, with a line along the edge by which it meets the next. With a name it is a mark: it scrolls.
enum class Edge { Left, Top, Right, Bottom };
Scene pane(const PanelContext& context, float width, float height, Edge edge, const std::string& name = {},
           Role ground = Role::Pane);

/// Runs of differently drawn text one after the other.
struct Piece {
  std::string text;
  Font font;
  Role role = Role::Ink;
  Role plate = Role::None, underline = Role::None;
  std::string below = {}, above = {};  // small, stacked behind the text: w with its span and exponent
};
float pieces_width(const std::vector<Piece>& pieces);
/// Draws them from x on a line centred on y and returns where they end.
float draw_pieces(const PanelContext& context, Scene& scene, float x, float centre_y, const std::vector<Piece>& pieces);

/// The soft plate under a text from x, `width` wide, with a role's line below.
void plate(const PanelContext& context, Scene& scene, float x, float centre_y, float width, float size, Role fill,
           Role underline);

/// A position in yellow: "L3.S2.I1". `right` is the chip's right edge; returns its left one.
float position_chip(const PanelContext& context, Scene& scene, float right, float centre_y, const std::string& text,
                    float size);
/// How a cursor's place is written: "L3.S2.I1", or "start".
std::string position_text(const PanelContext& context);

/// A heading with a count or a word at the right.
void heading(const PanelContext& context, Scene& scene, float x, float centre_y, float right, std::string_view text,
             std::string_view aside = {}, Face aside_face = Face::Mono);

/// The mark of a button. `index`: which one, for commands of the pointer alone.
Mark command_mark(Command command, std::uint64_t index = 0);
/// A control: a box with a thin line, 26 high, lit under the pointer.
void control_box(const PanelContext& context, Scene& scene, const Box& box, const Mark& mark, bool primary = false);
bool is_hovered(const PanelContext& context, const Mark& mark);
/// A control with a text; and one of a command, which ends at `right`: returns where it begins.
void text_button(const PanelContext& context, Scene& scene, const Box& box, const Mark& mark, const std::string& text,
                 const Font& font, bool primary = false);
float word_button(const PanelContext& context, Scene& scene, float right, float centre, Command command,
                  const std::string& text);
/// A cross that closes or removes something, in `size` px.
void cross_button(const PanelContext& context, Scene& scene, Point centre, float size, const Mark& mark,
                  const std::string& text);

/// A text that is being edited, in a box: its selection and caret, cut from the left so that the caret shows. What is asked
/// for is written pale in an empty one.
void text_line(const PanelContext& context, Scene& scene, const Box& box, const TextLine& line, const Font& font,
               const std::string& asked = {});
/// The keys of a command as caps that end at `right`; returns where they begin.
float key_caps(const PanelContext& context, Scene& scene, float right, float centre_y, Command command);
/// A card over the panes. No shadow: an outline separates it from what it covers.
void raised_card(const PanelContext& context, Scene& scene, const Box& box);
/// A row of choices, one of them taken: a segmented control that ends at `right`. Returns where it begins.
float segmented(const PanelContext& context, Scene& scene, float right, float centre, Command command,
                const std::vector<std::string>& names, std::size_t chosen);
/// How fast is played: "2×", "1/4×".
std::string speed_text(float speed);
/// The mark of the program.
void logo(const PanelContext& context, Scene& scene, float x, float centre_y);
/// The button of the menu; pressed while that is open.
void menu_button(const PanelContext& context, Scene& scene, float x, float centre_y);
/// As many fields of the run as fit between x and `right`. Returns where they end.
float run_fields(const PanelContext& context, Scene& scene, float x, float right, float centre_y);
/// A magnifying glass.
void lens(Scene& scene, Point centre, float size, Role role);

/// A pressable icon, drawn by shape.
enum class Icon { First, StageBack, StepBack, Play, Pause, StepForward, StageForward, Last };
void icon(Scene& scene, Icon which, Point centre, float size, Role role);
void bookmark_flag(Scene& scene, Point top_left, float width, float height, Role role);
/// Octagon with ×, triangle with !, ring with i: never by colour alone.
void severity_sign(const PanelContext& context, Scene& scene, Severity severity, Point centre, float size);
/// The conditions to stop at, a row each under the scrub bar, from `top` on.
void stop_rows(const PanelContext& context, Scene& scene, const ScrubBar& bar, float top, float right);
/// A small chevron that points down.
void chevron(Scene& scene, Point centre, float size, Role role);

/// Tabs in a row: the current one semibold over an ink bar. Returns where they end. A click on one gives `command` its index.
float tabs(const PanelContext& context, Scene& scene, float x, float top, float height, Command command,
           const std::vector<std::string>& names, std::size_t current, float gap = 28);

}  // namespace twiddle
