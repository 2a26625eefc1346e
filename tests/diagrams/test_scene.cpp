#include "viewer/scene/scene.h"

#include "viewer/render/render.h"

#include <doctest.h>

#include <cmath>

using namespace twiddle;

namespace {
Mark element(std::uint64_t index) { return {.kind = MarkKind::Element, .buffer = 0, .index = index}; }
Mark pane(const char* name) { return {.kind = MarkKind::Pane, .command = name}; }
}  // namespace

TEST_CASE("shapes belong to the innermost mark, the layer and the clip that were set") {
  Scene scene;
  scene.rect({0, 0, 10, 10}, Role::Pane);
  scene.begin_mark(element(1), "one");
  scene.set_layer(3);
  scene.circle({5, 5}, 2, Role::Ink);
  scene.begin_mark(element(2), "two");
  scene.push_clip({0, 0, 50, 50});
  scene.push_clip({40, 40, 50, 50});
  scene.line({0, 0}, {100, 100}, {Role::Ink});
  scene.pop_clip();
  scene.end_mark();
  scene.text({0, 0}, "x", {});

  REQUIRE(scene.shapes.size() == 4);
  CHECK(scene.shapes[0].mark == -1);
  CHECK(scene.shapes[1].mark == 0);
  CHECK(scene.shapes[1].layer == 3);
  CHECK(scene.shapes[2].mark == 1);
  CHECK(scene.shapes[3].mark == 0);
  const Box& clip = scene.clips[scene.shapes[2].clip];
  CHECK(clip.x == 40);
  CHECK(clip.right() == 50);  // nested clips are intersected
  CHECK(scene.clips[scene.shapes[3].clip].w == 50);
}

TEST_CASE("a scene put into another one moves with its marks and clips") {
  Scene inner;
  inner.push_clip({0, 0, 100, 100});
  inner.begin_mark(element(7), "seven");
  inner.rect({10, 10, 20, 20}, Role::Ink);

  Scene outer;
  outer.begin_mark(pane("diagram"));
  outer.push_clip({200, 100, 50, 50});
  outer.add(inner, {200, 100});
  REQUIRE(outer.shapes.size() == 1);
  CHECK(bounds(outer.shapes[0]).x == 210);
  CHECK(bounds(outer.shapes[0]).y == 110);
  const Box clip = outer.clips[outer.shapes[0].clip];
  CHECK(clip.x == 200);
  CHECK(clip.w == 50);
  REQUIRE(outer.hit({215, 115}) != nullptr);
  CHECK(outer.hit({215, 115})->label == "seven");
  CHECK(outer.hit({260, 160}) == nullptr);
}

TEST_CASE("a hit is the topmost shape under the pointer, then the nearest, then the pane") {
  Scene scene;
  scene.begin_mark(pane("diagram"));
  scene.rect({0, 0, 100, 100}, Role::Canvas);
  scene.end_mark();
  scene.begin_mark(element(1), "upper");
  scene.set_layer(2);
  scene.rect({10, 10, 30, 30}, Role::Now);
  scene.end_mark();
  scene.begin_mark(element(2), "lower");
  scene.set_layer(1);
  scene.rect({20, 20, 30, 30}, Role::Now);
  scene.end_mark();
  scene.begin_mark(element(3), "wire");
  scene.line({0, 70}, {100, 70}, {Role::Done, 2});
  scene.end_mark();

  CHECK(scene.hit({30, 30})->label == "upper");  // both are here; the higher layer wins
  CHECK(scene.hit({45, 45})->label == "lower");
  CHECK(scene.hit({52, 45})->label == "lower");    // 2 px beside it
  CHECK(scene.hit({50, 73.5f})->label == "wire");  // 1 px of stroke and 2.5 px of reach
  CHECK(scene.hit({50, 90})->mark.kind == MarkKind::Pane);
  CHECK(scene.hit({101.5f, 90}) == nullptr);  // near a pane is not on it

  // A card over all of it takes what is on it, and its own buttons come before its ground.
  scene.set_layer(1000);
  scene.begin_mark(pane("card"));
  scene.rect({0, 0, 60, 60}, Role::Raised);
  scene.end_mark();
  scene.begin_mark(element(4), "button");
  scene.rect({40, 40, 10, 10}, Role::Raised);
  scene.end_mark();
  CHECK(scene.hit({30, 30})->mark.command == "card");
  CHECK(scene.hit({45, 45})->label == "button");
  CHECK(scene.hit({50, 70})->label == "wire");
}

TEST_CASE("shapes are painted by layer and, within a layer, in order of addition") {
  Scene scene;
  scene.set_layer(2);
  scene.rect({}, Role::Ink);
  scene.set_layer(-1);
  scene.rect({}, Role::Ink2);
  scene.rect({}, Role::Ink3);
  CHECK(scene.paint_order() == std::vector<std::size_t>{1, 2, 0});
}

TEST_CASE("distances follow the outline of every kind of shape") {
  Scene scene;
  CHECK(distance(scene.rect({0, 0, 10, 10}, Role::Ink), {13, 14}) == doctest::Approx(5));
  CHECK(distance(scene.rect({0, 0, 10, 10}, Role::Ink, {Role::Ink, 4}), {13, 5}) == doctest::Approx(1));
  CHECK(distance(scene.circle({0, 0}, 3, Role::Ink), {3, 4}) == doctest::Approx(2));
  CHECK(distance(scene.polygon({{0, 0}, {10, 0}, {0, 10}}, Role::Ink), {2, 2}) == 0);
  CHECK(distance(scene.polyline({{0, 0}, {10, 0}, {10, 10}}, {Role::Ink, 0}), {5, 4}) == doctest::Approx(4));
  CHECK(distance(scene.arc({0, 0}, 5, 0, 3, {Role::Ink, 0}), {0, 7}) == doctest::Approx(2));
  CHECK(distance(scene.text({0, 10}, "wide text", {}), {4, 8}) == 0);
}

TEST_CASE("hatch lines stay in their box at 45 degrees") {
  const HatchShape hatch{{5, 7, 40, 12}, 4};
  const auto lines = hatch_lines(hatch);
  CHECK(lines.size() > 5);
  for (const auto& [a, b] : lines) {
    for (const Point p : {a, b}) {
      CHECK(p.x >= 5 - 1e-3f);
      CHECK(p.x <= 45 + 1e-3f);
      CHECK(p.y >= 7 - 1e-3f);
      CHECK(p.y <= 19 + 1e-3f);
    }
    CHECK(std::abs((b.x - a.x) + (b.y - a.y)) < 1e-3f);
  }
  CHECK(hatch_lines({{0, 0, 10, 10}, 0}).empty());
}
