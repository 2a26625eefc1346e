#include "viewer/window/atlas.h"

#include "viewer/scene/utf8.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <unordered_map>

namespace twiddle {
namespace {

constexpr int subpixels = 4;          // a pen stops at quarters of a pixel
constexpr std::size_t max_pages = 6;  // then tidy() drops all glyphs

// Regular and semibold of sans, mono, the language's own face, and that of the other language with Han characters: the
// name of a language is written in its own.
constexpr std::size_t face_count = 8;

struct LoadedFace {
  FT_Face face = nullptr;
  bool tried = false;
  int size = 0;  // 26.6, as set last
};

std::uint64_t key_of(std::size_t face, char32_t code, int size, int subpixel) {
  return static_cast<std::uint64_t>(code) | static_cast<std::uint64_t>(face) << 21 |
         static_cast<std::uint64_t>(subpixel) << 24 | static_cast<std::uint64_t>(size & 0xFFFFFF) << 28;
}

}  // namespace

struct GlyphAtlas::Implementation {
  explicit Implementation(Language language_) : language(language_) {
    if (FT_Init_FreeType(&library) != 0) library = nullptr;
  }
  ~Implementation() {
    for (LoadedFace& loaded : faces)
      if (loaded.face) FT_Done_Face(loaded.face);
    if (library) FT_Done_FreeType(library);
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  Language language;
  bool outdated = false;  // glyphs are of another language
  FT_Library library = nullptr;
  std::array<LoadedFace, face_count> faces;
  std::unordered_map<std::uint64_t, GlyphImage> glyphs;
  std::vector<Page> pages;
  std::vector<Placed> placed;
  int shelf_x = 0, shelf_y = 0, shelf_height = 0;

  FT_Face face(std::size_t which) {
    LoadedFace& loaded = faces[which];
    if (!loaded.tried && library) {
      loaded.tried = true;
      const Weight weight = which % 2 == 0 ? Weight::Regular : Weight::SemiBold;
      const Language other = language == Language::Chinese ? Language::Japanese : Language::Chinese;
      const FontFile file = which < 2   ? font_file(Face::Sans, weight)
                            : which < 4 ? font_file(Face::Mono, weight)
                            : which < 6 ? cjk_font_file(language, weight)
                                        : cjk_font_file(other, weight);
      if (file.path.empty() || FT_New_Face(library, file.path.c_str(), file.index, &loaded.face) != 0)
        loaded.face = nullptr;
    }
    return loaded.face;
  }

  bool has(std::size_t which, char32_t code) {
    FT_Face loaded = face(which);
    return loaded && FT_Get_Char_Index(loaded, code) != 0;
  }

  // The wanted face, the language's, or any that has the character.
  std::size_t face_for(const Font& font, char32_t code) {
    const std::size_t weight = font.weight == Weight::SemiBold ? 1 : 0;
    const std::size_t wanted = (font.face == Face::Mono ? 2 : 0) + weight;
    if (code < 0x80 || has(wanted, code)) return wanted;
    for (const std::size_t han : {4 + weight, 6 + weight})
      if (has(han, code)) return han;
    const std::size_t other = (font.face == Face::Mono ? 0 : 2) + weight;
    return has(other, code) ? other : wanted;
  }

  const GlyphImage& glyph(std::size_t which, char32_t code, int size, int subpixel) {
    const auto [place, added] = glyphs.try_emplace(key_of(which, code, size, subpixel));
    if (added) draw(which, code, size, subpixel, place->second);
    return place->second;
  }

  void draw(std::size_t which, char32_t code, int size, int subpixel, GlyphImage& image) {
    FT_Face loaded = face(which);
    if (!loaded || size <= 0) return;
    if (faces[which].size != size) {
      if (FT_Set_Char_Size(loaded, 0, size, 72, 72) != 0) return;
      faces[which].size = size;
    }
    const FT_UInt index = FT_Get_Char_Index(loaded, code);
    // Light hinting keeps advances and moves outlines up and down only: crisp lines at the widths that were measured.
    if (FT_Load_Glyph(loaded, index, FT_LOAD_NO_BITMAP | FT_LOAD_TARGET_LIGHT) != 0) return;
    FT_GlyphSlot slot = loaded->glyph;
    if (slot->format == FT_GLYPH_FORMAT_OUTLINE) FT_Outline_Translate(&slot->outline, subpixel * 64 / subpixels, 0);
    if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != 0) return;
    const FT_Bitmap& bitmap = slot->bitmap;
    const int w = static_cast<int>(bitmap.width), h = static_cast<int>(bitmap.rows);
    if (w == 0 || h == 0 || w + 2 > page_size || h + 2 > page_size || bitmap.pixel_mode != FT_PIXEL_MODE_GRAY) return;
    const Point at = room(w + 1, h + 1);
    Page& page = pages.back();
    const int x = static_cast<int>(at.x), y = static_cast<int>(at.y);
    for (int row = 0; row < h; ++row)
      std::memcpy(page.coverage.data() + static_cast<std::size_t>(y + row) * page_size + static_cast<std::size_t>(x),
                  bitmap.buffer + static_cast<std::ptrdiff_t>(row) * bitmap.pitch, static_cast<std::size_t>(w));
    page.changed_from = std::min(page.changed_from, y);
    page.changed_to = std::max(page.changed_to, y + h);
    image.page = static_cast<int>(pages.size()) - 1;
    constexpr float texel = 1.0f / page_size;
    image.u0 = static_cast<float>(x) * texel, image.v0 = static_cast<float>(y) * texel;
    image.u1 = static_cast<float>(x + w) * texel, image.v1 = static_cast<float>(y + h) * texel;
    image.x = static_cast<float>(slot->bitmap_left), image.y = static_cast<float>(-slot->bitmap_top);
    image.w = static_cast<float>(w), image.h = static_cast<float>(h);
  }

  // Shelves: glyphs of like height side by side. A page that is full stays; the next one begins.
  Point room(int w, int h) {
    if (!pages.empty() && shelf_x + w > page_size) shelf_x = 0, shelf_y += shelf_height, shelf_height = 0;
    if (pages.empty() || shelf_y + h > page_size) {
      pages.push_back({std::vector<std::uint8_t>(static_cast<std::size_t>(page_size) * page_size, 0), 0, page_size});
      shelf_x = shelf_y = shelf_height = 0;
    }
    const Point at{static_cast<float>(shelf_x), static_cast<float>(shelf_y)};
    shelf_x += w;
    shelf_height = std::max(shelf_height, h);
    return at;
  }
};

GlyphAtlas::GlyphAtlas(Language language) : self_(std::make_unique<Implementation>(language)) {}
GlyphAtlas::~GlyphAtlas() = default;

const std::vector<GlyphAtlas::Placed>& GlyphAtlas::lay_out(const Font& font, std::string_view text, float x) {
  std::vector<Placed>& placed = self_->placed;
  placed.clear();
  const int size = static_cast<int>(std::lround(font.size * 64));
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    const char32_t code = next_code_point(text, at);
    const float pen = std::floor(x * subpixels + 0.5f) / subpixels, whole = std::floor(pen);
    const int subpixel = static_cast<int>((pen - whole) * subpixels);
    if (code > ' ') placed.push_back({&self_->glyph(self_->face_for(font, code), code, size, subpixel), whole});
    x += text_width(font, text.substr(from, at - from));
  }
  return placed;
}

std::vector<GlyphAtlas::Page>& GlyphAtlas::pages() { return self_->pages; }

void GlyphAtlas::use_language(Language language) {
  if (self_->language == language) return;
  self_->language = language;
  for (std::size_t which = 4; which < face_count; ++which) {
    if (self_->faces[which].face) FT_Done_Face(self_->faces[which].face);
    self_->faces[which] = {};
  }
  self_->outdated = true;
}

bool GlyphAtlas::tidy() {
  if (!self_->outdated && self_->pages.size() <= max_pages) return false;
  self_->outdated = false;
  self_->glyphs.clear();
  self_->pages.clear();
  self_->shelf_x = self_->shelf_y = self_->shelf_height = 0;
  return true;
}

}  // namespace twiddle
