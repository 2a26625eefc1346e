// The sweeps of a scan: every node is an operation of the log with its value, and larger trees are summed up.
#include "scene_texts.h"
#include "traced.h"
#include "viewer/views/view.h"

#include <doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace twiddle;

namespace {

DiagramInput sweep_input(Document& document, std::uint64_t step, ThemeName name = ThemeName::Light) {
  DiagramInput input{document, {}, {}, theme(name)};
  input.cursor.step = step;
  return input;
}

std::vector<std::uint64_t> steps_marked(const Scene& scene) {
  std::vector<std::uint64_t> steps;
  for (const MarkText& mark : scene.marks)
    if (mark.mark.kind == MarkKind::Operation) steps.push_back(mark.mark.step);
  return steps;
}

std::vector<std::string> texts_of_operations(const Scene& scene) {
  std::vector<std::string> all;
  for (const Shape2D& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry);
        text && shape.mark >= 0 && scene.marks[shape.mark].mark.kind == MarkKind::Operation)
      all.push_back(text->text);
  return all;
}

}  // namespace

TEST_CASE("sweeps: a scan of 8 has 8 inputs, 7 sums, a root and 14 nodes on the way down, each an operation") {
  Document document(traced("scan-blelloch", 8));
  const View& view = view_of(document, "sweep");
  REQUIRE(view.name() == "sweep");
  const Scene scene = view.draw(sweep_input(document, document.info().steps));
  const std::vector<std::uint64_t> steps = steps_marked(scene);
  CHECK(steps.size() == 8 + 7 + 1 + 14);
  CHECK(std::set<std::uint64_t>(steps.begin(), steps.end()).size() == steps.size());
  const std::vector<std::string> texts = texts_of_operations(scene);
  const auto count = [&](const char* text) { return std::count(texts.begin(), texts.end(), text); };
  CHECK(count("28") == 1);  // the sum of 0 … 7, at the top of the way up
  CHECK(count("22") == 1);  // its right child, 4 + 5 + 6 + 7
  CHECK(count("15 + 6") == 1);
  CHECK(count("x[7]") == 1);
}

TEST_CASE("sweeps: what is to come has no value, and nothing of it is drawn where it must not be given away") {
  Document document(traced("scan-blelloch", 8));
  const View& view = *view_named("sweep");
  DiagramInput input = sweep_input(document, 9);  // the first sum
  const std::vector<std::string> texts = texts_of_operations(view.draw(input));
  CHECK(std::count(texts.begin(), texts.end(), "0 + 1") == 1);
  CHECK(std::count(texts.begin(), texts.end(), "2 + 3") == 0);
  CHECK(steps_marked(view.draw(input)).size() == 30);
  input.hide_next = true;
  CHECK(steps_marked(view.draw(input)).size() == 9);
}

TEST_CASE("sweeps: only of what goes up and down again") {
  for (const char* other : {"scan-hillis-steele", "reduce-interleaved", "fft-radix2-local"}) {
    Document document(traced(other, 16));
    CAPTURE(other);
    CHECK_FALSE(view_named("sweep")->has(document));
  }
}

TEST_CASE("sweeps: trees of up to 1024 elements, and of many groups, can be read in every theme") {
  for (const std::uint64_t n : {1, 2, 8, 13, 64, 512, 3000}) {
    Document document(traced("scan-blelloch", n));
    const View& view = *view_named("sweep");
    REQUIRE(view.has(document));
    const std::uint64_t last = document.info().steps;
    for (const ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Projector})
      for (const std::uint64_t step : {std::uint64_t(0), last / 3, last / 2, last})
        for (const double zoom : {1.0, 30.0}) {
          DiagramInput input = sweep_input(document, step, name);
          input.viewport.zoom = zoom;
          input.viewport = view.showing(input, std::max<std::uint64_t>(step, 1));
          const Scene scene = view.draw(input);
          CAPTURE(n);
          CAPTURE(step);
          CAPTURE(zoom);
          CHECK(scene.shapes.size() < 4000);
          CHECK(text_faults(scene) == std::vector<std::string>{});
        }
  }
}
