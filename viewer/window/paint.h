// Paints a Scene into an ImDrawList: the only place that turns shapes into triangles.
#pragma once

#include "viewer/scene/scene.h"
#include "viewer/scene/theme.h"
#include "viewer/window/atlas.h"

#include <vector>

struct ImDrawList;

namespace twiddle {

/// The atlas's pages as OpenGL textures. Needs a current context from its first upload to its destruction.
class GlyphTextures {
 public:
  GlyphTextures() = default;
  ~GlyphTextures();
  GlyphTextures(const GlyphTextures&) = delete;
  GlyphTextures& operator=(const GlyphTextures&) = delete;

  /// Makes sure that there is a texture for each page; contents follow with upload().
  unsigned texture(std::size_t page);
  /// Sends what changed.
  void upload(GlyphAtlas& atlas);

 private:
  std::vector<unsigned> textures_;
};

/// Everything in the scene's px, which are the framebuffer's.
void paint(const Scene& scene, const Theme& theme, GlyphAtlas& atlas, GlyphTextures& textures, ImDrawList& list);

}  // namespace twiddle
