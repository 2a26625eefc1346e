// Lesson text as shapes: for the window's pane and for print. Every line is measured before it is placed, so that nothing
// overlaps or is cut in any language.
#pragma once

#include "lessons/text/lesson.h"
#include "viewer/scene/scene.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// What a button's sign says: nothing, that it can be chosen, that it is what is shown, that it was chosen and is right or wrong,
/// that it is out.
enum class AnswerSign : std::uint8_t { None, Open, Chosen, Right, Wrong, Out };

/// Begins the command of a glossary's term, which is pointed at and does nothing.
inline constexpr std::string_view term_command = "guide:term ";

/// Lays blocks one below another into a scene as wide as asked; the scene's height is where they end. References must have
/// been evaluated.
class TextLayout {
 public:
  /// `size` is the height of body text in px, scale included.
  TextLayout(float width, float size, Language language);

  void title(const std::string& text, float factor = 1.5f);
  void block(const TextBlock& block);
  void paragraph(const std::vector<TextRun>& runs, Role role = Role::Ink, float indent = 0);
  /// Text in a frame to click on, with a sign before it: an answer, a button.
  void button(const std::string& text, const Mark& mark, AnswerSign sign = AnswerSign::None);
  /// Short texts to click on, side by side in cells of one width, as many in a row as fit.
  struct Chip {
    std::string text;
    Mark mark;
    AnswerSign sign = AnswerSign::Open;
  };
  void chips(const std::vector<Chip>& list);
  /// A table, its first column naming the rows; smaller where it would be wider than there is room.
  void table(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows);
  /// A drawing of its own, in the middle.
  void picture(const Scene& scene);
  void space(float lines = 0.6f);

  float width() const { return width_; }
  float height() const { return y_; }
  float size() const { return size_; }
  /// The shapes so far, as tall as they are.
  Scene take();

 private:
  /// What is never broken. One that clings never begins a line: it goes where the piece before it goes.
  struct Piece {
    std::string text;
    Font font;
    Role role;
    bool space_before;
    bool code;
    bool clings;
    std::string term{};
  };
  struct Placed {
    float x;
    const Piece* piece;
    std::string text;
  };
  std::vector<Piece> pieces_of(const std::vector<TextRun>& runs, Role role) const;
  void lines(const std::vector<Piece>& pieces, float left, float right);
  void line(const std::vector<Placed>& pieces);
  float line_height() const { return size_ * (wide_ ? 1.75f : 1.55f); }

  float width_, size_, y_ = 0;
  bool wide_;  // Japanese and Chinese have taller lines
  Scene scene_;
};

}  // namespace twiddle
