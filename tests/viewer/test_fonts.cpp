#include "viewer/scene/fonts.h"

#include "viewer/scene/line_breaks.h"
#include "viewer/scene/utf8.h"
#if TWIDDLE_HAVE_WINDOW
#include "viewer/window/atlas.h"
#endif

#include <doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

using namespace twiddle;

namespace {
const Font sans{Face::Sans, Weight::Regular, 13};
const Font mono{Face::Mono, Weight::Regular, 20};
}  // namespace

TEST_CASE("widths add up, grow with the size, and every letter of a mono face is equally wide") {
  CHECK(text_width(sans, "") == 0);
  CHECK(text_width(mono, "iiii") == doctest::Approx(text_width(mono, "WWWW")));
  CHECK(text_width(mono, "(−4, 0)") == doctest::Approx(7 * text_width(mono, "0")));  // U+2212 is one letter
  CHECK(text_width(mono, "0") > 0.5f * mono.size);
  CHECK(text_width(mono, "0") < 0.7f * mono.size);
  Font large = sans;
  large.size = 26;
  CHECK(text_width(large, "stage 2") == doctest::Approx(2 * text_width(sans, "stage 2")));
  CHECK(text_width(sans, "span 4") < text_width(sans, "span 44"));
  CHECK(cap_height(sans) > 0.6f * sans.size);
  CHECK(cap_height(sans) < 0.8f * sans.size);
}

TEST_CASE("Han characters and kana are measured about one em wide") {
  measure_in(Language::Japanese);
  const float width = text_width(sans, "離散");
  CHECK(width > 1.6f * sans.size);
  CHECK(width < 2.2f * sans.size);
  measure_in(Language::English);
}

TEST_CASE("elide cuts between characters and says so") {
  const std::string text = "first_stage 高速";
  for (float width = 0; width < text_width(sans, text) + 5; width += 1.5f) {
    const std::string cut = elide(sans, text, width);
    CHECK(text_width(sans, cut) <= width + 1e-3f);
    std::size_t at = 0;
    while (at < cut.size()) CHECK(next_code_point(cut, at) != 0xFFFD);
  }
  CHECK(elide(sans, text, 1000) == text);
  CHECK(elide(sans, text, 3) == "");
  CHECK(elide(sans, "abcdefgh", 30).ends_with("…"));
}

TEST_CASE("wrap keeps every word, in order, and no line is wider than asked") {
  const std::string text = "bit_reversal: items 1, 3 swap, the other 6 do not.";
  const auto lines = wrap(sans, text, 90);
  CHECK(lines.size() >= 3);
  std::string joined;
  for (const std::string& line : lines) {
    CHECK(text_width(sans, line) <= 90);
    joined += (joined.empty() ? "" : " ") + line;
  }
  CHECK(joined == text);
  // A word wider than the line is cut; Han text breaks anywhere, but no line begins with a full stop.
  for (const std::string& line : wrap(sans, "supercalifragilistic", 40)) CHECK(text_width(sans, line) <= 40);
  const auto han = wrap(sans, "行へ移ります。行へ移ります。", 7.2f * sans.size);
  CHECK(han.size() >= 2);
  for (const std::string& line : han) CHECK_FALSE(line.starts_with("。"));
  CHECK(wrap(sans, "a\n\nb", 100) == std::vector<std::string>{"a", "", "b"});
  CHECK(wrap(sans, "", 100) == std::vector<std::string>{""});
}

TEST_CASE("lines of Japanese and Chinese begin and end with no sign that may not be there, at any width") {
  const std::string_view japanese = "スタックに「入った」値（ちょっと古い）を読む…『終わり』、とキャッシュ。FFTの結果";
  const std::string_view chinese = "块（block）里的“线程”：先读；再写。《蝶形》！结束，FFT的结果";
  for (const auto& [text, language] : {std::pair(japanese, Language::Japanese), std::pair(chinese, Language::Chinese)})
    for (float width = 10; width < 40; width += 1) {
      std::string joined;
      for (const std::string& line : broken_lines(text, {width}, language, terminal_columns)) {
        std::size_t at = 0;
        const char32_t first = next_code_point(line, at), last = last_code_point(line);
        CAPTURE(line);
        CHECK(std::u32string_view(U"っゃッャー…、。，：；！」』）》”").find(first) == std::u32string_view::npos);
        CHECK(std::u32string_view(U"「『（《“").find(last) == std::u32string_view::npos);
        float columns = 0;
        for (std::size_t i = 0; i < line.size();) columns += terminal_columns(next_code_point(line, i));
        CHECK(columns <= width);
        joined += line;
      }
      CHECK(joined == text);
    }
}

TEST_CASE("words of letters are whole, and a line for a terminal counts columns") {
  CHECK(folded("work-item a/b L2.S1-3", 10, "", "") == "work-item\na/b\nL2.S1-3\n");
  CHECK(folded("……………… one", 8, "", "") == "………………\none\n");  // 8 columns in 24 bytes
  CHECK(folded("a longerthanaline b", 8, "- ", "  ") == "- a\n  longerthanaline\n  b\n");
  CHECK(folded("行列の行", 4, "", "", Language::Japanese) == "行列\nの行\n");
}

TEST_CASE("malformed UTF-8 reads as replacement characters, byte by byte, and never past the end") {
  for (const std::string_view text : {"\xC3", "\xE2\x82", "\xF0\x9F\x98", "\x80", "\xFF\xFF", "a\xC3(", "\xC0\x80"}) {
    std::size_t at = 0, letters = 0;
    while (at < text.size()) next_code_point(text, at), ++letters;
    CHECK(at == text.size());
    CHECK(letters >= 1);
    CHECK(std::isfinite(text_width(sans, text)));
  }
}

TEST_CASE("families name what font_file finds") {
  for (const Face face : {Face::Sans, Face::Mono}) {
    const FontFile file = font_file(face, Weight::SemiBold);
    if (file.path.empty()) continue;  // a machine without fonts measures by estimates
    CHECK(font_families(face, Language::English).find(file.family) != std::string::npos);
    CHECK(std::filesystem::exists(file.path));
  }
}

#if TWIDDLE_HAVE_WINDOW

TEST_CASE("the names of all languages are drawn in each language") {
  if (!missing_face(Language::Japanese).empty() || !missing_face(Language::Chinese).empty()) {
    MESSAGE("skipped: ", missing_face(Language::Japanese), missing_face(Language::Chinese));
    return;
  }
  // The pixels of the first glyph of a text.
  const auto drawn = [](Language language, const char* text) {
    GlyphAtlas atlas(language);
    const GlyphImage& glyph = *atlas.lay_out(sans, text, 0).front().glyph;
    REQUIRE(glyph.page >= 0);
    const auto px = [](float at) {
      return static_cast<std::size_t>(std::lround(at * static_cast<float>(GlyphAtlas::page_size)));
    };
    const auto& coverage = atlas.pages()[glyph.page].coverage;
    std::vector<std::uint8_t> pixels;
    for (std::size_t y = px(glyph.v0); y < px(glyph.v1); ++y)
      for (std::size_t x = px(glyph.u0); x < px(glyph.u1); ++x)
        pixels.push_back(coverage[y * GlyphAtlas::page_size + x]);
    return pixels;
  };
  // Japanese faces lack this simplified form; it must not be an empty box.
  const auto wanted = drawn(Language::Chinese, "简");
  CHECK(drawn(Language::English, "简") == wanted);
  CHECK(drawn(Language::Japanese, "简") == wanted);
  CHECK(drawn(Language::Chinese, "语") != wanted);
}

#endif
