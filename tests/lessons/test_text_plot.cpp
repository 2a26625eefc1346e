// Plots in a lesson's text: what is read, what is refused, and that what is drawn fits.
#include "lessons/text/text_plot.h"

#include "base/error.h"

#include <doctest.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace twiddle;

TEST_CASE("a plot's block has its places, what is measured, and lines of values") {
  const TextPlot plot =
      parse_plot("points: 8 64 1\u2009024\noperations\nslow: 64 4096 -\nfast, N/2 · log_2 N: 12 1.5e2 1e−7\n");
  CHECK(plot.across == "points");
  CHECK(plot.up == "operations");
  CHECK(plot.places == std::vector<double>{8, 64, 1024});
  REQUIRE(plot.lines.size() == 2);
  CHECK(plot.lines[0].values == std::vector<double>{64, 4096, 0});
  CHECK(plot.lines[1].name == "fast, N/2 · log_2 N");
  CHECK(plot.lines[1].values == std::vector<double>{12, 150, 1e-7});
  CHECK(plot_words(plot) ==
        "operations, points. slow: 8: 64; 64: 4\u2009096. fast, N/2 · log_2 N: 8: 12; 64: 150; 1\u2009024: 1e−7.");
}

TEST_CASE("a plot that cannot be drawn says why") {
  for (const auto& [text, why] :
       {std::pair{"", "its places"},
        {"points: 8 16\noperations\n", "a line at least"},
        {"points: 8 16\nslow: 1 2\n", "what is measured"},
        {"points: 8\noperations\nslow: 1\n", "2 to 32 places"},
        {"points: 16 8\noperations\nslow: 1 2\n", "larger than the one before"},
        {"points: - 8\noperations\nslow: 1 2\n", "larger than the one before"},
        {"points: 8 16\noperations\nslow: 1\n", "1 values for 2 places"},
        {"points: 8 16\noperations\nslow: 1 x\n", "not 'x'"},
        {"points: 8 16\noperations\nslow: 1 nan\n", "not 'nan'"},
        {"points: 8 16\noperations\nslow: 0 1\n", "above zero"},
        {"points: 8 16\noperations\nslow: 1 -3\n", "above zero"},
        {"points: 8 16\noperations\nslow: - -\n", "has no values"},
        {"operations\npoints: 8 16\nslow: 1 2\n", "name: values"},
        {"points: 8 16\nup\nup\nslow: 1 2\n", "name: values"},
        {"points: 8 16\nup\na: 1 2\nb: 1 2\nc: 1 2\nd: 1 2\ne: 1 2\nf: 1 2\n", "at most 5 lines"}}) {
    CAPTURE(text);
    std::string said;
    try {
      parse_plot(text);
    } catch (const Error& error) { said = error.what(); }
    CHECK(said.find(why) != std::string::npos);
  }
}

TEST_CASE("a plot's values are references") {
  const auto complaints_of = [](std::vector<TextRun> runs) {
    Complaints complaints("lesson.md");
    check_plot_numbers({TextBlock::Kind::Plot, 0, 0, std::move(runs), 1}, complaints);
    return complaints.list().size();
  };
  const TextRun eight{.text = "literal 8", .reference = true};
  CHECK(complaints_of(
            {{.text = "radix 2, points: "}, eight, {.text = " "}, eight, {.text = "\nup\nradix 4: "}, eight}) == 0);
  CHECK(complaints_of({{.text = "points: "}, eight, {.text = " 16\nup\n"}}) == 1);
}

TEST_CASE("a plot is drawn inside its width, and larger values higher") {
  const TextPlot plot = parse_plot("points: 8 64 1048576\nterms\nslow: 64 4096 1e12\nfast: 12 192 1e7\n");
  for (const float width : {180.0f, 330.0f, 720.0f}) {
    CAPTURE(width);
    Scene scene;
    const float height = draw_plot(scene, {10, 20}, width, 15, plot);
    CHECK(height > 60);
    float first = 1e9f, second = 1e9f;
    int lines = 0;
    for (const Shape2D& shape : scene.shapes) {
      const Box box = bounds(shape);
      CHECK(box.x >= 10 - 5);
      CHECK(box.right() <= 10 + width + 5);
      CHECK(box.bottom() <= 20 + height + 5);
      const auto* line = std::get_if<LineShape>(&shape.geometry);
      if (line && line->points.size() == 3 && shape.fill == Role::None) (++lines == 1 ? first : second) = box.y;
    }
    CHECK(lines == 2);
    CHECK(first < second);
  }
}
