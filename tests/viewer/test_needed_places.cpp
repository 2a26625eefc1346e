// What a reduction's tree leaves pale: the elements that its loops no longer use.
#include "viewer/graphs/needed_places.h"

#include "scene_texts.h"
#include "traced.h"
#include "viewer/facts/links.h"
#include "viewer/views/view.h"

#include <doctest.h>

#include <algorithm>
#include <string>

using namespace twiddle;

namespace {

Scene tree_at(Document& document, std::uint64_t step, bool hide_next = false) {
  DiagramInput input{document, {}, {}, theme(ThemeName::Light)};
  input.cursor.step = step;
  input.width = 1000, input.height = 640;
  input.hide_next = hide_next;
  return view_of(document, "tree").draw(input);
}

std::size_t texts_of(const Scene& scene, const std::string& wanted) {
  return static_cast<std::size_t>(std::count_if(scene.shapes.begin(), scene.shapes.end(), [&](const Shape2D& shape) {
    const auto* text = std::get_if<TextShape>(&shape.geometry);
    return text && text->text == wanted;
  }));
}

}  // namespace

TEST_CASE("needed is what was just written, and what the outcome is made of") {
  for (const char* algorithm :
       {"reduce-interleaved", "reduce-strided", "reduce-sequential", "reduce-first-add", "reduce-unrolled"})
    for (const std::uint64_t n : {16, 64, 100}) {
      Request request;
      request.algorithm = algorithm, request.n = n;
      std::filesystem::path file;
      try {
        file = traced_file(request);
      } catch (const Error&) { continue; }  // there is none of that name, or it takes no such size
      CAPTURE(algorithm);
      CAPTURE(n);
      Document document(TraceReader::open(file));
      Flow& flow = document.flow();
      const NeededPlaces* places = needed_places(document);
      if (!places) {
        CHECK_FALSE(flow.has_combines());
        continue;
      }
      flow.begin_frame(document.info().steps, 1e9);
      const int last = flow.segment_count();
      // Who wrote what, segment by segment, from the log; and the cone of the outcome, which is found in another way.
      const auto out = flow.row_of_element(last, document.info().buffer_named(document.info().expect.output), 0);
      REQUIRE(out);
      Cursor cursor;
      cursor.step = document.info().steps;
      const auto place = flow.place(last, *out);
      REQUIRE(place);
      cursor.pinned = element_mark(place->buffer, last - 1, *out);
      const Cone* cone = cone_at(document, cursor);
      REQUIRE(cone);
      for (int column = 0; column <= last; ++column) {
        std::vector<bool> expected(flow.rows());
        if (static_cast<std::size_t>(column) < cone->elements.size())
          for (const std::uint64_t row : cone->elements[static_cast<std::size_t>(column)]) expected[row] = true;
        if (column > 0)
          flow.operations(column - 1, {0, flow.rows()}, [&](const Operation& one) {
            for (const Access& write : one.writes)
              if (const auto row = flow.row_of(write, one); row && flow.shows(column, write)) expected[*row] = true;
          });
        for (std::uint64_t row = 0; row < flow.rows(); ++row) {
          CAPTURE(column);
          CAPTURE(row);
          CHECK(places->needed(column, row) == expected[row]);
        }
        CHECK(places->any(column, {0, flow.rows()}));
      }
    }
}

TEST_CASE("the tree of a reduction has values where sums are, and dots where nothing is used any more") {
  Document document(traced("reduce-interleaved", 16));
  const NeededPlaces* places = needed_places(document);
  REQUIRE(places);
  const Flow& flow = document.flow();
  std::size_t needed = 0, all = 0;
  for (int column = 0; column <= flow.segment_count(); ++column)
    for (std::uint64_t row = 0; row < flow.rows(); ++row)
      if (flow.place(column, row)) ++all, needed += places->needed(column, row) ? 1 : 0;
  CHECK(needed < all);
  // At the start all that is to come is "·" in its node: one for each place that is used, and for no other.
  CHECK(texts_of(tree_at(document, 0), "·") + flow.rows() >= needed);
  CHECK(texts_of(tree_at(document, 0), "·") <= needed);
  // The dots have their words, and nothing is given away while an operation is hidden.
  const auto unused = [](const Scene& scene) {
    return std::count_if(scene.marks.begin(), scene.marks.end(),
                         [](const MarkText& one) { return one.label.find("no longer used") != std::string::npos; });
  };
  const Scene shown = tree_at(document, document.info().steps);
  CHECK(unused(shown) == static_cast<std::ptrdiff_t>(all - needed));
  CHECK(unused(tree_at(document, document.info().steps / 2, true)) == 0);
  CHECK(text_faults(shown).empty());
}

TEST_CASE("what is not brought to one value has no unneeded places") {
  for (const char* algorithm : {"fft-radix2", "scan-blelloch", "scan-hillis-steele", "histogram-local"}) {
    CAPTURE(algorithm);
    Document document(traced(algorithm, 16));
    CHECK(needed_places(document) == nullptr);
  }
}
