// Glyphs as textures, drawn with FreeType in exactly the sizes in use and packed into pages when first needed: every
// character of every language, at the widths that layout measured, with every version of ImGui.
#pragma once

#include "viewer/scene/fonts.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace twiddle {

/// A glyph on a page: where it is there (0 … 1) and where it goes, px from the pen on the baseline, y downwards.
struct GlyphImage {
  int page = -1;  // −1: nothing to draw (a space)
  float u0 = 0, v0 = 0, u1 = 0, v1 = 0;
  float x = 0, y = 0, w = 0, h = 0;
};

class GlyphAtlas {
 public:
  static constexpr int page_size = 1024;

  explicit GlyphAtlas(Language language);
  ~GlyphAtlas();
  GlyphAtlas(const GlyphAtlas&) = delete;
  GlyphAtlas& operator=(const GlyphAtlas&) = delete;

  struct Placed {
    const GlyphImage* glyph = nullptr;
    float x = 0;
  };  // x: of the pen, whole px
  /// The glyphs of a text whose pen starts at x; their number is that of its characters. Valid until the next call.
  const std::vector<Placed>& lay_out(const Font& font, std::string_view text, float x);

  struct Page {
    std::vector<std::uint8_t> coverage;    // page_size², a byte a pixel
    int changed_from = 0, changed_to = 0;  // rows that a texture does not have yet
  };
  std::vector<Page>& pages();

  /// Han characters and kana are drawn in this language's face from the next tidy() on.
  void use_language(Language language);

  /// Between two frames: forgets everything when old sizes have filled too many pages. True: it did.
  bool tidy();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace twiddle
