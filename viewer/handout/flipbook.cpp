#include "viewer/handout/flipbook.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

namespace twiddle {
namespace {

// A key is the bytes by which two things differ. Coordinates count to a hundredth of a pixel, as SVG writes them.
class Key {
 public:
  template <typename T>
  requires std::is_trivially_copyable_v<T> Key& add(T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    bytes_.append(bytes, sizeof value);
    return *this;
  }
  Key& at(float coordinate) { return add(std::lround(coordinate * 100)); }
  Key& at(Point p) { return at(p.x).at(p.y); }
  Key& at(const Box& box) { return at(box.x).at(box.y).at(box.w).at(box.h); }
  Key& words(const std::string& text) {
    add(text.size());
    bytes_ += text;
    return *this;
  }
  const std::string& text() const { return bytes_; }

 private:
  std::string bytes_;
};

// Of texts only the place: the words change from position to position.
void add_geometry(Key& key, const Shape2D& shape) {
  key.add(shape.geometry.index());
  struct {
    Key& key;
    void operator()(const LineShape& line) const {
      key.add(line.closed);
      for (const Point p : line.points) key.at(p);
    }
    void operator()(const BoxShape& box) const { key.at(box.box).at(box.radius); }
    void operator()(const CircleShape& circle) const { key.at(circle.centre).at(circle.radius); }
    void operator()(const ArcShape& arc) const {
      key.at(arc.centre).at(arc.radius).at(arc.from * 100).at(arc.to * 100);
    }
    void operator()(const TextShape& text) const { key.at(text.at); }
    void operator()(const HatchShape& hatch) const { key.at(hatch.box).at(hatch.gap); }
  } add{key};
  std::visit(add, shape.geometry);
}

Key key_of(const Mark& mark) {
  Key key;
  key.add(mark.kind).add(mark.launch).add(mark.buffer).add(mark.segment).add(mark.index).add(mark.step).add(mark.item);
  return std::move(key.words(mark.command));
}

bool can_be_seen(const Shape2D& shape) {
  if (const auto* text = std::get_if<TextShape>(&shape.geometry))
    return shape.fill != Role::None && !text->text.empty();
  // What has neither fill nor stroke still catches the pointer where it carries a mark.
  return shape.fill != Role::None || shape.stroke.role != Role::None || shape.mark >= 0;
}

}  // namespace

bool Flipbook::Element::lasting(int positions) const {
  return positions > 0 && !looks.empty() && looks.back().style >= 0;
}

int Flipbook::text_index(const std::string& text) {
  const auto [at, fresh] = text_of_.try_emplace(text, static_cast<int>(texts_.size()));
  if (fresh) texts_.push_back(text);
  return at->second;
}

int Flipbook::mark_index(const Mark& mark) {
  const auto [at, fresh] = mark_of_.try_emplace(key_of(mark).text(), static_cast<int>(marks_.size()));
  if (fresh) {
    marks_.push_back({mark, {}});
    mark_seen_.push_back(-1);
  }
  return at->second;
}

int Flipbook::style_index(const Shape2D& shape) {
  Style style{shape.fill, shape.stroke, shape.opacity};
  if (style.stroke.role == Role::None || style.stroke.width <= 0) style.stroke = {};
  if (const auto* text = std::get_if<TextShape>(&shape.geometry)) {
    style.text = true;
    style.font = text->font;
    style.anchor = text->anchor;
  }
  Key key;
  key.add(style.fill).add(style.stroke.role).at(style.stroke.width).at(style.stroke.dash_on).at(style.stroke.dash_off);
  key.at(style.opacity)
      .add(style.text)
      .add(style.font.face)
      .add(style.font.weight)
      .at(style.font.size)
      .add(style.anchor);
  const auto [at, fresh] = style_of_.try_emplace(key.text(), static_cast<int>(styles_.size()));
  if (fresh) styles_.push_back(style);
  return at->second;
}

// Puts a new element behind `after` in its layer (−1: at the layer's bottom) and returns its index.
int Flipbook::insert(Element element, int after) {
  const int index = static_cast<int>(elements_.size());
  const int layer = element.shape.layer;
  elements_.push_back(std::move(element));
  seen_.push_back(-1);
  auto at = std::lower_bound(layers_.begin(), layers_.end(), std::pair{layer, -1});
  if (at == layers_.end() || at->first != layer) at = layers_.insert(at, {layer, -1});
  int& link = after >= 0 ? next_[after] : at->second;
  const int behind = link;
  link = index;
  next_.push_back(behind);

  const double low = after >= 0 ? rank_[after] : 0;
  const double high = behind >= 0 ? rank_[behind] : low + 2;
  rank_.push_back((low + high) / 2);
  if (!(rank_.back() > low && rank_.back() < high)) renumber(at->second);
  return index;
}

// After very many insertions at one place there is no number left between two.
void Flipbook::renumber(int first) {
  double rank = 1;
  for (int at = first; at >= 0; at = next_[at]) rank_[at] = rank++;
}

void Flipbook::add(const Scene& scene) {
  const int position = positions_++;
  width_ = scene.width;
  height_ = scene.height;

  std::vector<int> mark_here(scene.marks.size());
  for (std::size_t i = 0; i < scene.marks.size(); ++i) {
    const int mark = mark_here[i] = mark_index(scene.marks[i].mark);
    if (std::exchange(mark_seen_[mark], position) == position) continue;
    auto& labels = marks_[mark].labels;
    const int text = scene.marks[i].label.empty() ? -1 : text_index(scene.marks[i].label);
    if (labels.empty() ? text >= 0 : labels.back().text != text) labels.push_back({position, text});
  }

  int previous = -1, layer = 0;
  for (const std::size_t i : scene.paint_order()) {
    const Shape2D& shape = scene.shapes[i];
    if (!can_be_seen(shape)) continue;
    if (shape.layer != layer) previous = -1;
    layer = shape.layer;

    Key key;
    key.add(shape.layer);
    const Box clip = shape.clip < 0 ? Box{} : scene.clips[shape.clip];
    key.at(clip);
    const int mark = shape.mark < 0 ? -1 : mark_here[shape.mark];
    key.add(mark);
    add_geometry(key, shape);
    // Two alike in one scene are two elements; and so is one that other scenes paint before what is below it here.
    std::string name = key.text();
    const auto fits = [&](int candidate) {
      const auto c = static_cast<std::size_t>(candidate);
      return seen_[c] != position && (previous < 0 || rank_[c] > rank_[previous]);
    };
    auto found = element_of_.find(name);
    for (char again = 1; found != element_of_.end() && !fits(found->second); ++again)
      found = element_of_.find(name = key.text() + std::string(1, again));
    const int element = found != element_of_.end() ? found->second : insert({shape, mark, clip, {}}, previous);
    if (found == element_of_.end()) element_of_.emplace(std::move(name), element);

    seen_[element] = position;
    const auto* words = std::get_if<TextShape>(&shape.geometry);
    const Look look{position, style_index(shape), words ? text_index(words->text) : -1};
    auto& looks = elements_[element].looks;
    if (looks.empty() || looks.back().style != look.style || looks.back().text != look.text) looks.push_back(look);
    previous = element;
  }

  for (std::size_t i = 0; i < elements_.size(); ++i)
    if (seen_[i] != position && elements_[i].looks.back().style >= 0) elements_[i].looks.push_back({position, -1, -1});
  for (std::size_t i = 0; i < marks_.size(); ++i)
    if (mark_seen_[i] != position && !marks_[i].labels.empty() && marks_[i].labels.back().text >= 0)
      marks_[i].labels.push_back({position, -1});
}

std::vector<int> Flipbook::paint_order() const {
  std::vector<int> order;
  order.reserve(elements_.size());
  for (const auto& [layer, first] : layers_)
    for (int at = first; at >= 0; at = next_[at]) order.push_back(at);
  return order;
}

}  // namespace twiddle
