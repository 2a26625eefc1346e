#include "test_support.h"
#include "viewer/render/render.h"

#include "base/error.h"
#include "viewer/scene/fonts.h"

#include <doctest.h>

#include <string>

using namespace twiddle;

namespace {

Scene everything() {
  Scene scene;
  scene.width = 200, scene.height = 100;
  scene.title = "A <title> & more";
  scene.description = "All \"shapes\"";
  scene.begin_mark({.kind = MarkKind::Element, .buffer = 1, .segment = 2, .index = 3}, "F[3] < 4 & \"so\" on");
  scene.rect({1, 2, 30, 20}, Role::NowSoft, {Role::Ink, 2}, 4);
  scene.set_layer(1);
  scene.circle({60, 20}, 8, Role::A);
  scene.end_mark();
  scene.push_clip({0, 0, 100, 50});
  scene.set_layer(0);
  scene.line({0, 0}, {100, 100}, {Role::Done, 1.75f, 7, 5});
  scene.pop_clip();
  scene.polygon({{10, 50}, {20, 60}, {0, 60}}, Role::Warn).opacity = 0.5f;
  scene.polyline({{10, 70}, {20, 80}, {30, 70}}, {Role::W, 2});
  scene.arc({100, 50}, 20, 0, 2, {Role::Ink, 1});
  scene.arc({100, 50}, 30, 0, 7, {Role::Ink, 1});
  scene.hatch({120, 10, 30, 30}, 4, {Role::WarnHatch, 1});
  scene.text({5, 90}, "  if (a < b && c > \x01 d)  // 高速 \xFF", {Face::Mono, Weight::SemiBold, 12}, Role::Ink2,
             Anchor::Middle);
  return scene;
}

}  // namespace

TEST_CASE("an SVG says what it shows, and escapes what people wrote") {
  const std::string svg = to_svg(everything(), theme(ThemeName::Light));
  CHECK(svg.find("role=\"img\"") != std::string::npos);
  CHECK(svg.find(">A &lt;title&gt; &amp; more</title>") != std::string::npos);
  CHECK(svg.find("<desc") != std::string::npos);
  CHECK(svg.find("aria-label=\"F[3] &lt; 4 &amp; &quot;so&quot; on\"") != std::string::npos);
  CHECK(svg.find("if (a &lt; b &amp;<tspan>&amp;</tspan> c &gt;") != std::string::npos);
  CHECK(svg.find('\x01') == std::string::npos);
  CHECK(svg.find('\xFF') == std::string::npos);
  CHECK(times_in(svg, "aria-label=") == 1);  // one mark speaks once, though its shapes are on two layers
  CHECK(times_in(svg, "<g") == times_in(svg, "</g>"));
}

TEST_CASE("what is transparent needs no surface of the whole picture's size where it is filled or stroked alone") {
  Scene scene;
  scene.width = 100, scene.height = 100;
  scene.polygon({{10, 50}, {20, 60}, {0, 60}}, Role::Warn).opacity = 0.5f;
  scene.line({0, 0}, {50, 50}, {Role::Done, 2}).opacity = 0.25f;
  scene.rect({0, 0, 10, 10}, Role::Now, {Role::Ink, 1}).opacity = 0.75f;
  const std::string svg = to_svg(scene, theme(ThemeName::Light));
  CHECK(times_in(svg, " fill-opacity=\"0.5\"") == 1);
  CHECK(times_in(svg, " stroke-opacity=\"0.25\"") == 1);
  CHECK(times_in(svg, " opacity=\"0.75\"") == 1);
  CHECK(times_in(svg, " opacity=") == 1);
}

TEST_CASE("signs of code stay apart, though the face has ligatures") {
  Scene scene;
  scene.width = scene.height = 100;
  scene.text({0, 50}, "if (a != b && c->d <= 3) // ***", {Face::Mono});
  scene.text({0, 80}, "sans: a != b", {Face::Sans});
  const std::string svg = to_svg(scene, theme(ThemeName::Light));
  CHECK(svg.find("a !<tspan>=</tspan> b &amp;<tspan>&amp;</tspan> c-<tspan>&gt;</tspan>d &lt;<tspan>=</tspan> 3) "
                 "/<tspan>/</tspan> *<tspan>*</tspan><tspan>*</tspan>") != std::string::npos);
  CHECK(svg.find("sans: a != b") != std::string::npos);
}

TEST_CASE("for a page, roles are classes and marks are data") {
  const std::string svg = to_svg(everything(), theme(ThemeName::Light), {.css_classes = true, .id_prefix = "s7-"});
  CHECK(svg.find('#') == svg.find("#s7-clip"));  // no literal colour before, or after:
  CHECK(times_in(svg, "#") == times_in(svg, "#s7-clip"));
  CHECK(svg.find("class=\"f-now-soft s-ink\"") != std::string::npos);
  CHECK(svg.find("data-kind=\"element\" data-buffer=\"1\" data-index=\"3\" data-segment=\"2\"") != std::string::npos);
  CHECK(svg.find("id=\"s7-title\"") != std::string::npos);
}

TEST_CASE("themes change colours and nothing else") {
  const std::string light = to_svg(everything(), theme(ThemeName::Light)),
                    dark = to_svg(everything(), theme(ThemeName::Dark));
  CHECK(light.size() == dark.size());
  CHECK(light != dark);
}

TEST_CASE("a trimmed scene is as large as what is drawn in it") {
  Scene scene;
  scene.width = 400, scene.height = 300;
  scene.title = "title";
  scene.rect({0, 0, 400, 300}, Role::Canvas);  // the ground is no drawing
  scene.begin_mark({.kind = MarkKind::Pane, .command = "diagram"});
  scene.rect({0, 0, 390, 290}, Role::None);
  scene.end_mark();
  scene.rect({100, 80, 50, 40}, Role::Done);
  scene.push_clip({120, 60, 100, 100});
  scene.rect({110, 70, 70, 300}, Role::Now, {Role::Ink, 4});
  scene.pop_clip();
  const Scene cut = trimmed(scene, 8);
  CHECK(cut.width == doctest::Approx(182 - 100 + 16));
  CHECK(cut.height == doctest::Approx(160 - 68 + 16));
  CHECK(cut.title == "title");
  CHECK(bounds(cut.shapes[2]).x == doctest::Approx(8));
  CHECK(cut.shapes.size() == scene.shapes.size());
  const Scene empty;
  CHECK(trimmed(empty, 8).width == empty.width);
}

#if TWIDDLE_HAVE_RSVG

TEST_CASE("librsvg, a strict XML reader, takes the SVG and draws it") {
  const auto side = [](const std::vector<std::byte>& png, std::size_t at) {
    return std::to_integer<int>(png[at + 2]) << 8 | std::to_integer<int>(png[at + 3]);
  };
  for (const ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Projector}) {
    const std::vector<std::byte> png = to_png(everything(), theme(name), 400);
    REQUIRE(png.size() > 100);
    CHECK(png[1] == std::byte{'P'});
    CHECK(side(png, 16) == 400);
    CHECK(side(png, 20) == 200);
  }
  // Classes without a style sheet still are well-formed.
  CHECK(svg_to_png(to_svg(everything(), theme(ThemeName::Light), {.css_classes = true})).size() > 100);
  const std::vector<std::byte> pdf = to_pdf({everything(), everything()}, theme(ThemeName::Light));
  REQUIRE(pdf.size() > 500);
  CHECK(pdf[0] == std::byte{'%'});
}

TEST_CASE("letters as outlines leave no text, and a width on paper is a width on paper") {
  const std::string outlined = to_outlined_svg(everything(), theme(ThemeName::Light), 85);
  CHECK(outlined.find("<text") == std::string::npos);
  CHECK(outlined.find("<path") != std::string::npos);
  CHECK(outlined.find("width=\"85mm\"") != std::string::npos);
  CHECK(svg_to_png(outlined).size() > 100);
  SvgOptions options;
  options.width_mm = 85;
  const std::string svg = to_svg(everything(), theme(ThemeName::Light), options);
  CHECK(svg.find("width=\"85mm\" height=\"42.5mm\"") != std::string::npos);
}

TEST_CASE("what cannot be drawn is refused in a sentence") {
  CHECK_THROWS_AS(svg_to_png("<svg"), Error);
  CHECK_THROWS_AS(svg_to_png("hello"), Error);
  CHECK_THROWS_AS(to_png(everything(), theme(ThemeName::Light), 1 << 20), Error);
  CHECK_THROWS_AS(to_pdf({}, theme(ThemeName::Light)), Error);
}

#endif
