// A window's surface: frames of ImGui on OpenGL in which a Scene is painted, with the window's own glyphs.
#pragma once

#include "viewer/window/paint.h"

#include <memory>

namespace twiddle {

/// Needs its window's OpenGL and ImGui contexts to be current for its whole lifetime.
class Canvas {
 public:
  /// Throws Error (no_device) where there is no OpenGL 3.2.
  explicit Canvas(Language language);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  void use_language(Language language) { atlas_.use_language(language); }
  /// A frame of the scene's size in px, the framebuffer's.
  void draw(const Scene& scene, const Theme& theme);

 private:
  GlyphAtlas atlas_;
  std::unique_ptr<GlyphTextures> textures_ = std::make_unique<GlyphTextures>();
};

}  // namespace twiddle
