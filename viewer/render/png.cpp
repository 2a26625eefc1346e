// SVG as pixels and as PDF, through librsvg and Cairo.
#include "base/error.h"
#include "viewer/render/render.h"

#include <algorithm>
#include <cmath>
#include <memory>

#if TWIDDLE_HAVE_RSVG
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <librsvg/rsvg.h>
#endif

namespace twiddle {

#if TWIDDLE_HAVE_RSVG

namespace {

constexpr int max_side = 32767;  // Cairo's own limit for an image

struct Unref {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using Handle = std::unique_ptr<RsvgHandle, Unref>;
using Surface = std::unique_ptr<cairo_surface_t, Unref>;
using Context = std::unique_ptr<cairo_t, Unref>;

/// The message of a GError, which it frees.
std::string message_of(GError* error) {
  std::string message = error != nullptr ? error->message : "no reason given";
  if (error != nullptr) g_error_free(error);
  return message;
}

Handle parse(const std::string& svg) {
  GError* error = nullptr;
  GInputStream* stream = g_memory_input_stream_new_from_data(svg.data(), static_cast<gssize>(svg.size()), nullptr);
  Handle handle(rsvg_handle_new_from_stream_sync(stream, nullptr, RSVG_HANDLE_FLAG_UNLIMITED, nullptr, &error));
  g_object_unref(stream);
  if (!handle) throw usage_error("The picture could not be drawn: librsvg says \"{}\".", message_of(error));
  return handle;
}

/// Width and height in px.
Point size_of(RsvgHandle* handle) {
  gdouble width = 0, height = 0;
  if (!rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height) || !(width > 0) || !(height > 0))
    throw usage_error("The picture could not be drawn: it has no size.");
  return {static_cast<float>(width), static_cast<float>(height)};
}

void render(RsvgHandle* handle, cairo_t* context, double width, double height) {
  GError* error = nullptr;
  const RsvgRectangle viewport = {0, 0, width, height};
  if (!rsvg_handle_render_document(handle, context, &viewport, &error))
    throw usage_error("The picture could not be drawn: librsvg says \"{}\".", message_of(error));
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned length) {
  auto& out = *static_cast<std::vector<std::byte>*>(bytes);
  const auto* from = reinterpret_cast<const std::byte*>(data);
  out.insert(out.end(), from, from + length);
  return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw usage_error("The picture could not be written: Cairo says \"{}\".", cairo_status_to_string(status));
}

}  // namespace

std::vector<std::byte> svg_to_png(const std::string& svg, int width) {
  const Handle handle = parse(svg);
  const Point size = size_of(handle.get());
  const double scale = width > 0 ? width / double(size.x) : 1.0;
  const double w = std::round(size.x * scale), h = std::round(size.y * scale);
  if (!(w >= 1) || !(h >= 1) || w > max_side || h > max_side)
    throw usage_error("A picture of {} by {} pixels cannot be made: each side must be 1 to {}.", w, h, max_side);

  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(w), static_cast<int>(h)));
  check(cairo_surface_status(surface.get()));
  const Context context(cairo_create(surface.get()));
  render(handle.get(), context.get(), w, h);
  check(cairo_status(context.get()));
  std::vector<std::byte> png;
  check(cairo_surface_write_to_png_stream(surface.get(), append, &png));
  return png;
}

std::vector<std::byte> to_pdf(const std::vector<Scene>& pages, const Theme& theme, double width) {
  if (pages.empty()) throw usage_error("A PDF needs at least one page.");
  std::vector<std::byte> pdf;
  // Scenes are in px; a CSS px is ¾ of a point.
  const auto points = [&](const Scene& page) { return width > 0 ? width / std::max(1.0, double(page.width)) : 0.75; };
  const Surface surface(cairo_pdf_surface_create_for_stream(append, &pdf, pages[0].width * points(pages[0]),
                                                            pages[0].height * points(pages[0])));
  check(cairo_surface_status(surface.get()));
  // What a page needs is in 1.4, and TeX takes newer versions only with a warning, or not at all.
  cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, pages[0].title.c_str());
  const Context context(cairo_create(surface.get()));
  for (const Scene& page : pages) {
    cairo_pdf_surface_set_size(surface.get(), page.width * points(page), page.height * points(page));
    const Handle handle = parse(to_svg(page, theme));
    render(handle.get(), context.get(), page.width * points(page), page.height * points(page));
    cairo_show_page(context.get());
    check(cairo_status(context.get()));
  }
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()));
  return pdf;
}

std::string to_outlined_svg(const Scene& scene, const Theme& theme, double width_mm) {
  std::vector<std::byte> svg;
  {
    // A px of the scene is a px of the picture, or a part of its width on paper.
    const double unit = width_mm > 0 ? width_mm / std::max(1.0, double(scene.width)) : 1;
    const Surface surface(cairo_svg_surface_create_for_stream(append, &svg, scene.width * unit, scene.height * unit));
    check(cairo_surface_status(surface.get()));
    cairo_svg_surface_set_document_unit(surface.get(), width_mm > 0 ? CAIRO_SVG_UNIT_MM : CAIRO_SVG_UNIT_PX);
    const Context context(cairo_create(surface.get()));
    const Handle handle = parse(to_svg(scene, theme));
    render(handle.get(), context.get(), scene.width * unit, scene.height * unit);
    check(cairo_status(context.get()));
    cairo_surface_finish(surface.get());
    check(cairo_surface_status(surface.get()));
  }
  return {reinterpret_cast<const char*>(svg.data()), svg.size()};
}

#else

std::string to_outlined_svg(const Scene&, const Theme&, double) {
  throw usage_error("This build cannot draw letters as outlines: install librsvg2-dev and build again.");
}

std::vector<std::byte> svg_to_png(const std::string&, int) {
  throw usage_error("This build cannot draw PNG: export SVG, or install librsvg2-dev and build again.");
}

std::vector<std::byte> to_pdf(const std::vector<Scene>&, const Theme&, double) {
  throw usage_error("This build cannot draw PDF: export SVG, or install librsvg2-dev and build again.");
}

#endif

Scene trimmed(const Scene& scene, float margin) {
  float left = 1e30f, top = 1e30f, right = -1e30f, bottom = -1e30f;
  for (const Shape2D& shape : scene.shapes) {
    if (shape.fill == Role::None && (shape.stroke.role == Role::None || shape.stroke.width <= 0)) continue;
    Box box = bounds(shape);
    const float half = shape.stroke.role == Role::None ? 0 : shape.stroke.width / 2;
    box = box.inset(-half);
    if (shape.clip >= 0) {
      const Box& clip = scene.clips[static_cast<std::size_t>(shape.clip)];
      const float x = std::max(box.x, clip.x), y = std::max(box.y, clip.y);
      box = {x, y, std::min(box.right(), clip.right()) - x, std::min(box.bottom(), clip.bottom()) - y};
      if (box.w < 0 || box.h < 0) continue;
    }
    // The ground behind everything is no drawing.
    if (box.w >= scene.width - 1 && box.h >= scene.height - 1) continue;
    left = std::min(left, box.x), top = std::min(top, box.y);
    right = std::max(right, box.right()), bottom = std::max(bottom, box.bottom());
  }
  if (right <= left || bottom <= top) return scene;
  left = std::max(0.0f, std::floor(left - margin)), top = std::max(0.0f, std::floor(top - margin));
  right = std::min(scene.width, std::ceil(right + margin)), bottom = std::min(scene.height, std::ceil(bottom + margin));
  Scene out;
  out.width = right - left, out.height = bottom - top;
  out.title = scene.title, out.description = scene.description, out.language = scene.language;
  out.unfinished = scene.unfinished;
  out.add(scene, {-left, -top});
  return out;
}

std::vector<std::byte> to_png(const Scene& scene, const Theme& theme, int width) {
  return svg_to_png(to_svg(scene, theme), width);
}

}  // namespace twiddle
