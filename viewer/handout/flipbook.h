// A flipbook: the scenes of many positions as one drawing. Every shape is kept once, with what it looks like from which
// position on; so a page can go to any position by changing a few classes, and shows exactly what each scene shows.
#pragma once

#include "viewer/scene/scene.h"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace twiddle {

class Flipbook {
 public:
  /// Adds the scene of the next position; positions count from 0. All scenes have the same size.
  void add(const Scene& scene);

  /// What a shape looks like from position `from` on, until its next look.
  struct Look {
    int from = 0;
    int style = -1;  // index into styles(); −1: not to be seen
    int text = -1;   // index into texts(); −1: no text
  };
  struct Element {
    Shape2D shape;                      // geometry and layer; its paint and mark are those of its first look
    int mark = -1;                      // index into marks()
    Box clip{};                         // empty: none
    std::vector<Look> looks;            // in ascending order of `from`
    bool lasting(int positions) const;  // to be seen at the last position
  };
  /// Paint, stroke and font of a shape, all that a CSS class can say.
  struct Style {
    Role fill = Role::None;
    Stroke stroke{};
    float opacity = 1;
    bool text = false;
    Font font{};
    Anchor anchor = Anchor::Start;
  };
  struct Label {
    int from = 0;
    int text = -1;  // index into texts(); −1: none
  };
  struct MarkLabels {
    Mark mark;
    std::vector<Label> labels;
  };

  int positions() const { return positions_; }
  float width() const { return width_; }
  float height() const { return height_; }
  const std::vector<Style>& styles() const { return styles_; }
  const std::vector<std::string>& texts() const { return texts_; }
  const std::vector<MarkLabels>& marks() const { return marks_; }
  /// Indices into elements(), in the order in which they are painted.
  std::vector<int> paint_order() const;
  const std::vector<Element>& elements() const { return elements_; }

 private:
  int positions_ = 0;
  float width_ = 0, height_ = 0;
  std::vector<Element> elements_;
  std::vector<int> next_;                    // of an element: the one painted after it in its layer; −1: none
  std::vector<double> rank_;                 // ascending in the order of painting within a layer
  std::vector<std::pair<int, int>> layers_;  // layer, first element
  std::vector<Style> styles_;
  std::vector<std::string> texts_;
  std::vector<MarkLabels> marks_;
  std::vector<int> seen_;  // per element: the position that last showed it
  std::vector<int> mark_seen_;
  std::unordered_map<std::string, int> element_of_, mark_of_, text_of_;
  std::unordered_map<std::string, int> style_of_;

  int text_index(const std::string& text);
  int style_index(const Shape2D& shape);
  int mark_index(const Mark& mark);
  int insert(Element element, int after);
  void renumber(int first);
};

}  // namespace twiddle
