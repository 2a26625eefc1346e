// How wide texts are: advances of the real faces through FreeType, read once, or estimates where there is no face.
#include "viewer/scene/fonts.h"

#include "viewer/scene/line_breaks.h"
#include "viewer/scene/utf8.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

#if TWIDDLE_HAVE_FREETYPE
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_TRUETYPE_TABLES_H
#endif

namespace twiddle {
namespace {

constexpr float unknown = -1;

/// Advances of one font file in em. Those of Latin texts are read at once; the others when they are first asked for.
class Measures {
 public:
  explicit Measures(const FontFile& file);
  ~Measures();
  Measures(const Measures&) = delete;
  Measures& operator=(const Measures&) = delete;

  /// Em, or `unknown` when the face lacks the character (or there is no face).
  float advance(char32_t code);
  float capitals() const { return capitals_; }

 private:
  static constexpr char32_t table_size = 0x250;
  float read(char32_t code);

  std::array<float, table_size> table_;
  std::mutex mutex_;  // guards what is below
  std::unordered_map<char32_t, float> more_;
  float capitals_ = 0.727f;
#if TWIDDLE_HAVE_FREETYPE
  FT_Library library_ = nullptr;
  FT_Face face_ = nullptr;
#endif
};

#if TWIDDLE_HAVE_FREETYPE

Measures::Measures(const FontFile& file) {
  table_.fill(unknown);
  if (file.path.empty() || FT_Init_FreeType(&library_) != 0) return;
  if (FT_New_Face(library_, file.path.c_str(), file.index, &face_) != 0) {
    face_ = nullptr;
    return;
  }
  if (face_->units_per_EM == 0) return;
  for (char32_t code = 0x20; code < table_size; ++code) table_[code] = read(code);
  const auto* os2 = static_cast<const TT_OS2*>(FT_Get_Sfnt_Table(face_, FT_SFNT_OS2));
  if (os2 != nullptr && os2->version >= 2 && os2->sCapHeight > 0)
    capitals_ = static_cast<float>(os2->sCapHeight) / face_->units_per_EM;
}

Measures::~Measures() {
  if (face_ != nullptr) FT_Done_Face(face_);
  if (library_ != nullptr) FT_Done_FreeType(library_);
}

float Measures::read(char32_t code) {
  if (face_ == nullptr || face_->units_per_EM == 0) return unknown;
  const FT_UInt glyph = FT_Get_Char_Index(face_, code);
  if (glyph == 0 || FT_Load_Glyph(face_, glyph, FT_LOAD_NO_SCALE) != 0) return unknown;
  return static_cast<float>(face_->glyph->metrics.horiAdvance) / face_->units_per_EM;
}

#else

Measures::Measures(const FontFile&) { table_.fill(unknown); }
Measures::~Measures() = default;
float Measures::read(char32_t) { return unknown; }

#endif

float Measures::advance(char32_t code) {
  if (code < table_size) return table_[code];
  const std::lock_guard lock(mutex_);
  const auto [place, added] = more_.try_emplace(code, unknown);
  if (added) place->second = read(code);
  return place->second;
}

// A face stays loaded to the end of the program: there are at most ten.
Measures& face_measures(Face face, Weight weight) {
  static std::array<std::once_flag, 4> once;
  static std::array<std::unique_ptr<Measures>, 4> faces;
  const std::size_t kind = static_cast<std::size_t>(face) * 2 + static_cast<std::size_t>(weight);
  std::call_once(once[kind], [&] { faces[kind] = std::make_unique<Measures>(font_file(face, weight)); });
  return *faces[kind];
}

std::atomic<Language> measured_language = Language::English;

Measures& cjk_measures(Weight weight) {
  static std::array<std::once_flag, 6> once;
  static std::array<std::unique_ptr<Measures>, 6> faces;
  const Language language = measured_language;
  const std::size_t kind = static_cast<std::size_t>(language) * 2 + static_cast<std::size_t>(weight);
  std::call_once(once[kind], [&] { faces[kind] = std::make_unique<Measures>(cjk_font_file(language, weight)); });
  return *faces[kind];
}

/// Em.
float advance_of(Measures& face, const Font& font, char32_t code) {
  if (const float known = face.advance(code); known >= 0) return known;
  if (is_combining(code) || code < 0x20) return 0;
  if (is_wide(code)) {
    const float known = cjk_measures(font.weight).advance(code);
    return known >= 0 ? known : 1.0f;
  }
  return font.face == Face::Mono ? 0.6f : 0.56f;
}

constexpr std::string_view ellipsis = "…";

}  // namespace

void measure_in(Language language) { measured_language = language; }

float text_width(const Font& font, std::string_view text) {
  Measures& face = face_measures(font.face, font.weight);
  float em = 0;
  for (std::size_t at = 0; at < text.size();) em += advance_of(face, font, next_code_point(text, at));
  return em * font.size;
}

float cap_height(const Font& font) { return face_measures(font.face, font.weight).capitals() * font.size; }

std::string elide(const Font& font, std::string_view text, float width) {
  if (text_width(font, text) <= width) return std::string(text);
  Measures& face = face_measures(font.face, font.weight);
  float left = width - text_width(font, ellipsis);
  std::size_t keep = 0;
  for (std::size_t at = 0; at < text.size();) {
    left -= advance_of(face, font, next_code_point(text, at)) * font.size;
    if (left < 0) break;
    keep = at;
  }
  while (keep > 0 && text[keep - 1] == ' ') --keep;
  if (keep == 0) return {};
  return std::string(text.substr(0, keep)) + std::string(ellipsis);
}

std::vector<std::string> wrap(const Font& font, std::string_view text, float width) {
  Measures& face = face_measures(font.face, font.weight);
  return broken_lines(text, {width}, measured_language,
                      [&](char32_t code) { return advance_of(face, font, code) * font.size; });
}

}  // namespace twiddle
