#include "viewer/handout/flipbook.h"

#include <doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace twiddle;

namespace {

Scene blank() {
  Scene scene;
  scene.width = 200;
  scene.height = 100;
  return scene;
}

// What a page that turns to `position` would show, one line a shape, in paint order.
std::vector<std::string> shown(const Flipbook& book, int position) {
  std::vector<std::string> lines;
  for (const int i : book.paint_order()) {
    const Flipbook::Element& element = book.elements()[i];
    Flipbook::Look now;
    for (const Flipbook::Look& look : element.looks)
      if (look.from <= position) now = look;
    if (now.style < 0) continue;
    const Flipbook::Style& style = book.styles()[now.style];
    std::string line = std::to_string(element.shape.geometry.index()) + " fill " +
                       std::to_string(static_cast<int>(style.fill)) + " stroke " +
                       std::to_string(static_cast<int>(style.stroke.role));
    if (now.text >= 0) line += " " + book.texts()[now.text];
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> drawn(const Scene& scene) {
  std::vector<std::string> lines;
  for (const std::size_t i : scene.paint_order()) {
    const Shape2D& shape = scene.shapes[i];
    std::string line = std::to_string(shape.geometry.index()) + " fill " +
                       std::to_string(static_cast<int>(shape.fill)) + " stroke " +
                       std::to_string(static_cast<int>(shape.stroke.role));
    if (const auto* text = std::get_if<TextShape>(&shape.geometry)) line += " " + text->text;
    lines.push_back(line);
  }
  return lines;
}

// A node that is to come, then now (with a halo below it), then done.
std::vector<Scene> three_positions() {
  std::vector<Scene> scenes;
  for (int position = 0; position < 3; ++position) {
    Scene scene = blank();
    const char* words[] = {"·", "(4, 0)", "(4, 0)"};
    const Role roles[] = {Role::Future, Role::Now, Role::Done};
    scene.begin_mark({.kind = MarkKind::Element, .buffer = 0, .segment = 1, .index = 3},
                     position == 0 ? "F[3], not yet written" : "F[3] = (4, 0)");
    if (position == 1) scene.rect({8, 8, 90, 34}, Role::NowSoft);
    scene.rect({10, 10, 86, 30}, Role::Canvas, {roles[position], 2}, 4);
    scene.text({53, 28}, words[position], {}, Role::Ink, Anchor::Middle);
    scene.end_mark();
    scenes.push_back(scene);
  }
  return scenes;
}

}  // namespace

TEST_CASE("a flipbook shows at every position what that position's scene shows") {
  const std::vector<Scene> scenes = three_positions();
  Flipbook book;
  for (const Scene& scene : scenes) book.add(scene);
  REQUIRE(book.positions() == 3);
  for (int position = 0; position < 3; ++position) CHECK(shown(book, position) == drawn(scenes[position]));
}

TEST_CASE("a shape that only changes its paint is kept once") {
  Flipbook book;
  for (const Scene& scene : three_positions()) book.add(scene);
  CHECK(book.elements().size() == 3);  // halo, node, text
  const auto node = std::find_if(book.elements().begin(), book.elements().end(), [](const Flipbook::Element& element) {
    const auto* box = std::get_if<BoxShape>(&element.shape.geometry);
    return box && box->radius > 0;
  });
  REQUIRE(node != book.elements().end());
  CHECK(node->looks.size() == 3);
  CHECK(node->lasting(book.positions()));
  CHECK(node->mark == 0);
}

TEST_CASE("labels of marks turn with the pages, so that none tells what is to come") {
  Flipbook book;
  for (const Scene& scene : three_positions()) book.add(scene);
  REQUIRE(book.marks().size() == 1);
  const auto& labels = book.marks()[0].labels;
  REQUIRE(labels.size() == 2);
  CHECK(labels[0].from == 0);
  CHECK(book.texts()[labels[0].text] == "F[3], not yet written");
  CHECK(labels[1].from == 1);
}

TEST_CASE("two equal shapes in one scene stay two") {
  Scene scene = blank();
  scene.rect({0, 0, 10, 10}, Role::Done).opacity = 0.5f;
  scene.rect({0, 0, 10, 10}, Role::Done).opacity = 0.5f;
  Flipbook book;
  book.add(scene);
  book.add(scene);
  CHECK(book.elements().size() == 2);
  CHECK(shown(book, 1).size() == 2);
  for (const Flipbook::Element& element : book.elements()) CHECK(element.looks.size() == 1);
}

TEST_CASE("layers are painted in order, not as they came") {
  Scene first = blank(), second = blank();
  first.set_layer(2);
  first.rect({0, 0, 10, 10}, Role::A);
  second.set_layer(2);
  second.rect({0, 0, 10, 10}, Role::A);
  second.set_layer(1);
  second.rect({0, 0, 20, 20}, Role::B);
  Flipbook book;
  book.add(first);
  book.add(second);
  CHECK(shown(book, 0) == drawn(first));
  CHECK(shown(book, 1) == drawn(second));
}
