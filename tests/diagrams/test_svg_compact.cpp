// SVG for pages: shapes of one paint share a path, unless something else is between them.
#include "test_support.h"
#include "viewer/render/svg_compact.h"

#include <doctest.h>

#include <string>

using namespace twiddle;

namespace {

Scene scene_of(float width) {
  Scene scene;
  scene.width = width;
  scene.height = 50;
  return scene;
}

}  // namespace

TEST_CASE("what has the same paint is one path, with tenths of a pixel that do not drift") {
  Scene scene = scene_of(100);
  for (int i = 0; i < 30; ++i) scene.rect({float(i) * 3.33f, 0, 3.33f, 10}, Role::Done);
  const std::string svg = to_compact_svg(scene, "a-");
  CHECK(times_in(svg, "<path") == 1);
  CHECK(times_in(svg, "z") == 30);
  CHECK(contains(svg, "class=\"f-done\" d=\"M0 0h3.3v10h-3.3zM3.3 0h3.4v10h-3.4z"));
  CHECK(svg.size() < 30 * 25 + 200);
}

TEST_CASE("a shape that crosses others keeps its place in the order of painting") {
  Scene scene = scene_of(100);
  scene.rect({0, 0, 20, 20}, Role::A);
  scene.rect({10, 10, 20, 20}, Role::B);
  scene.rect({20, 20, 20, 20}, Role::A);  // over the second
  scene.rect({60, 0, 20, 20}, Role::B);   // over nothing of the third
  const std::string svg = to_compact_svg(scene, "a-");
  CHECK(times_in(svg, "class=\"f-a\"") == 2);
  CHECK(times_in(svg, "class=\"f-b\"") == 1);
  CHECK(svg.find("M20 20h20") > svg.find("M10 10h20"));
  // Areas that one sees through stay apart where they meet; lines are as they are.
  Scene pale = scene_of(100);
  pale.rect({0, 0, 20, 20}, Role::A).opacity = 0.5f;
  pale.rect({10, 10, 20, 20}, Role::A).opacity = 0.5f;
  pale.line({0, 40}, {50, 40}, {Role::Line, 1});
  pale.line({0, 45}, {50, 48}, {Role::Line, 1});
  const std::string paths = to_compact_svg(pale, "a-");
  CHECK(times_in(paths, "opacity=\"0.5\"") == 2);
  CHECK(contains(paths, "d=\"M0 40l50 0M0 45l50 3\""));
}

TEST_CASE("words are words, clips clip, and a hatch is a pattern") {
  Scene scene = scene_of(100);
  scene.title = "a < b";
  scene.push_clip({0, 0, 50, 50});
  scene.text({1, 10}, "x != <y>", {Face::Mono, Weight::SemiBold, 11});
  scene.text({1, 30}, "z", {Face::Mono, Weight::SemiBold, 11});
  scene.pop_clip();
  scene.hatch({60, 0, 20, 20}, 4, {Role::Future, 1});
  scene.hatch({60, 30, 20, 20}, 4, {Role::Future, 1});
  const std::string svg = to_compact_svg(scene, "f1-");
  CHECK(contains(svg, "<title id=\"f1-title\">a &lt; b</title>"));
  CHECK(contains(svg, "<g clip-path=\"url(#f1-clip0)\">"));
  CHECK(contains(svg, ">x != &lt;y&gt;</text><text x=\"1\" y=\"30\">z</text></g>"));
  CHECK(times_in(svg, "<pattern ") == 1);
  CHECK(times_in(svg, "fill=\"url(#f1-hatch0)\"") == 1);
  CHECK(times_in(svg, "<g") == times_in(svg, "</g>"));
}
