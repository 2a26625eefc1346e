// Which font file draws a face on this machine.
#include "viewer/scene/fonts.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <mutex>
#include <span>
#include <system_error>
#include <utility>

#if TWIDDLE_HAVE_FONTCONFIG
#include <fontconfig/fontconfig.h>
#endif

namespace twiddle {
namespace {

// Most wanted first. The last ones are what a bare Debian has.
constexpr std::array<const char*, 5> sans_families = {"Inter", "Noto Sans", "DejaVu Sans", "Liberation Sans",
                                                      "FreeSans"};
constexpr std::array<const char*, 5> mono_families = {"JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono",
                                                      "Liberation Mono", "FreeMono"};
constexpr std::array<const char*, 4> japanese_families = {"BIZ UDPGothic", "IPAGothic", "IPAexGothic",
                                                          "Noto Sans CJK JP"};
constexpr std::array<const char*, 4> chinese_families = {"Noto Sans CJK SC", "Noto Sans SC", "WenQuanYi Micro Hei",
                                                         "WenQuanYi Zen Hei"};

#if TWIDDLE_HAVE_FONTCONFIG

/// The face of this machine that is nearest to a family, in the wanted weight, and has a letter (0: any). Of a family that is
/// not generic ("monospace") nothing but itself: fontconfig always answers.
FontFile nearest(const char* family, bool generic, Weight weight, char32_t letter) {
  FontFile file;
  const std::unique_ptr<FcPattern, decltype(&FcPatternDestroy)> pattern(FcPatternCreate(), FcPatternDestroy);
  const std::unique_ptr<FcCharSet, decltype(&FcCharSetDestroy)> letters(FcCharSetCreate(), FcCharSetDestroy);
  if (!pattern || !letters) return file;
  FcPatternAddString(pattern.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
  FcPatternAddInteger(pattern.get(), FC_WEIGHT, weight == Weight::SemiBold ? FC_WEIGHT_DEMIBOLD : FC_WEIGHT_REGULAR);
  FcPatternAddInteger(pattern.get(), FC_SLANT, FC_SLANT_ROMAN);
  if (generic) {
    FcCharSetAddChar(letters.get(), letter);
    FcPatternAddCharSet(pattern.get(), FC_CHARSET, letters.get());
    FcPatternAddBool(pattern.get(), FC_SCALABLE, FcTrue);
  } else {
    FcPatternAddInteger(pattern.get(), FC_WIDTH, FC_WIDTH_NORMAL);
  }
  FcConfigSubstitute(nullptr, pattern.get(), FcMatchPattern);
  FcDefaultSubstitute(pattern.get());
  FcResult result = FcResultNoMatch;
  const std::unique_ptr<FcPattern, decltype(&FcPatternDestroy)> found(FcFontMatch(nullptr, pattern.get(), &result),
                                                                      FcPatternDestroy);
  if (!found) return file;
  FcChar8 *name = nullptr, *path = nullptr;
  FcCharSet* has = nullptr;
  bool fits = generic && FcPatternGetCharSet(found.get(), FC_CHARSET, 0, &has) == FcResultMatch &&
              FcCharSetHasChar(has, letter);
  for (int i = 0; !generic && FcPatternGetString(found.get(), FC_FAMILY, i, &name) == FcResultMatch; ++i)
    fits = fits || FcStrCmpIgnoreCase(name, reinterpret_cast<const FcChar8*>(family)) == 0;
  if (!fits || FcPatternGetString(found.get(), FC_FILE, 0, &path) != FcResultMatch) return file;
  file.path = reinterpret_cast<const char*>(path);
  if (!generic)
    file.family = family;
  else if (FcPatternGetString(found.get(), FC_FAMILY, 0, &name) == FcResultMatch)
    file.family = reinterpret_cast<const char*>(name);
  if (FcPatternGetInteger(found.get(), FC_INDEX, 0, &file.index) != FcResultMatch) file.index = 0;
  return file;
}

FontFile match(const char* family, Weight weight) { return nearest(family, false, weight, 0); }
FontFile any(const char* generic, Weight weight, char32_t letter) { return nearest(generic, true, weight, letter); }

#else

FontFile any(const char*, Weight, char32_t) { return {}; }

/// Where Debian's font packages put the families' files, for a build without fontconfig.
FontFile match(const char* family, Weight weight) {
  struct Known {
    const char *family, *regular, *semi_bold;
    int index;
  };
  static constexpr Known known[] = {
      {"Inter", "opentype/inter/Inter-Regular.otf", "opentype/inter/Inter-SemiBold.otf", 0},
      {"JetBrains Mono", "truetype/jetbrains-mono/JetBrainsMono-Regular.ttf",
       "truetype/jetbrains-mono/JetBrainsMono-SemiBold.ttf", 0},
      {"DejaVu Sans", "truetype/dejavu/DejaVuSans.ttf", "truetype/dejavu/DejaVuSans-Bold.ttf", 0},
      {"DejaVu Sans Mono", "truetype/dejavu/DejaVuSansMono.ttf", "truetype/dejavu/DejaVuSansMono-Bold.ttf", 0},
      {"Liberation Sans", "truetype/liberation/LiberationSans-Regular.ttf",
       "truetype/liberation/LiberationSans-Bold.ttf", 0},
      {"Liberation Mono", "truetype/liberation/LiberationMono-Regular.ttf",
       "truetype/liberation/LiberationMono-Bold.ttf", 0},
      {"BIZ UDPGothic", "truetype/bizud-gothic/BIZUDPGothic-Regular.ttf", "truetype/bizud-gothic/BIZUDPGothic-Bold.ttf",
       0},
      {"IPAGothic", "opentype/ipafont-gothic/ipag.ttf", "opentype/ipafont-gothic/ipag.ttf", 0},
      {"Noto Sans CJK JP", "opentype/noto/NotoSansCJK-Regular.ttc", "opentype/noto/NotoSansCJK-Bold.ttc", 0},
      {"Noto Sans CJK SC", "opentype/noto/NotoSansCJK-Regular.ttc", "opentype/noto/NotoSansCJK-Bold.ttc", 2},
      {"WenQuanYi Zen Hei", "truetype/wqy/wqy-zenhei.ttc", "truetype/wqy/wqy-zenhei.ttc", 0},
  };
  for (const Known& font : known) {
    if (std::string_view(font.family) != family) continue;
    const std::filesystem::path path =
        std::filesystem::path("/usr/share/fonts") / (weight == Weight::SemiBold ? font.semi_bold : font.regular);
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) return {path, font.index, family};
  }
  return {};
}

#endif

FontFile first_of(std::span<const char* const> families, Weight weight) {
  for (const char* family : families)
    if (FontFile file = match(family, weight); !file.path.empty()) return file;
  return {};
}

std::span<const char* const> cjk_families(Language language) {
  if (language == Language::Chinese) return chinese_families;
  return japanese_families;
}

/// Looks each of them up once: fontconfig takes milliseconds.
template <std::size_t kinds, typename Find>
FontFile remembered(std::size_t kind, Find find) {
  static std::mutex mutex;
  static std::array<std::pair<bool, FontFile>, kinds> files;
  const std::lock_guard lock(mutex);
  if (!files[kind].first) files[kind] = {true, find()};
  return files[kind].second;
}

}  // namespace

FontFile font_file(Face face, Weight weight) {
  const std::size_t kind = static_cast<std::size_t>(face) * 2 + static_cast<std::size_t>(weight);
  return remembered<4>(kind, [&] {
    const bool mono = face == Face::Mono;
    FontFile file = mono ? first_of(mono_families, weight) : first_of(sans_families, weight);
    if (file.path.empty()) file = any(mono ? "monospace" : "sans-serif", weight, U'x');
    if (file.path.empty()) file = mono ? first_of(sans_families, weight) : first_of(mono_families, weight);
    return file;
  });
}

FontFile cjk_font_file(Language language, Weight weight) {
  const std::size_t kind = static_cast<std::size_t>(language) * 2 + static_cast<std::size_t>(weight);
  return remembered<6>(kind, [&] {
    // A file with all the characters in the other language's forms is better than empty boxes.
    FontFile file = first_of(cjk_families(language), weight);
    if (file.path.empty())
      file = first_of(cjk_families(language == Language::Chinese ? Language::Japanese : Language::Chinese), weight);
    if (file.path.empty()) file = any("sans-serif", weight, language == Language::Chinese ? U'\u8fd9' : U'\u306e');
    return file;
  });
}

std::string missing_face(Language language) {
  // A font with Japanese or Chinese letters has Latin ones, too.
  if (language != Language::English && cjk_font_file(language, Weight::Regular).path.empty()) {
    const bool japanese = language == Language::Japanese;
    return fmt::format("No font for {} was found, so its letters stay empty: install {}.",
                       japanese ? "Japanese" : "Chinese", japanese ? "fonts-morisawa-bizud-gothic" : "fonts-noto-cjk");
  }
  if (font_file(Face::Sans, Weight::Regular).path.empty())
    return "No font was found, so all letters stay empty: install fonts-inter and fonts-jetbrains-mono.";
  return {};
}

std::string font_families(Face face, Language language) {
  std::string list;
  const auto add = [&](std::span<const char* const> families) {
    for (const char* family : families) list += "'" + std::string(family) + "', ";
  };
  add(face == Face::Mono ? std::span<const char* const>(mono_families) : std::span<const char* const>(sans_families));
  if (language != Language::English) add(cjk_families(language));
  // What is drawn has to be as wide as what was measured, in this machine's own faces, too.
  const auto measured = [&](const FontFile& file) {
    if (const std::string name = "'" + file.family + "', ";
        !file.family.empty() && list.find(name) == std::string::npos)
      list += name;
  };
  measured(font_file(face, Weight::Regular));
  if (language != Language::English) measured(cjk_font_file(language, Weight::Regular));
  return list + (face == Face::Mono ? "monospace" : "sans-serif");
}

}  // namespace twiddle
