// Every algorithm of the catalogue in every view, in windows from the smallest to the largest: every text can be read.
#include "choices.h"
#include "scene_texts.h"
#include "traced.h"
#include "tracer/file/trace_file.h"
#include "viewer/frame/window_scene.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/view.h"

#include <doctest.h>

#include <array>
#include <string>

using namespace twiddle;

namespace {

struct Size {
  float width, height;
};
constexpr std::array sizes = {Size{640, 480}, Size{1024, 640}, Size{1440, 900}, Size{2560, 1440}, Size{3840, 2160}};

void check_texts(Document& document, const WindowState& state) {
  const Scene scene = window_scene(document, state);
  for (const std::string& fault : text_faults(scene)) {
    CAPTURE(document.info().algorithm);
    CAPTURE(state.tab);
    CAPTURE(state.width);
    CAPTURE(state.scale);
    CAPTURE(name_of(state.theme));
    CAPTURE(fault);
    CHECK(fault.empty());
  }
}

/// A trace in which nothing happened.
std::shared_ptr<const TraceReader> empty_trace(const synthetic::Folder& folder) {
  TraceWriter writer(folder / "empty.twd");
  TraceInfo info;
  info.title = Message("nothing");
  info.buffers.push_back({"x", ElementType::Float2, 8, {8}});
  writer.begin(info);
  writer.finish();
  return TraceReader::open(folder / "empty.twd");
}

}  // namespace

TEST_CASE("any run, in any view, at any size and scale: no text overlaps another or leaves its pane") {
  for (const Algorithm& algorithm : algorithms()) {
    Request request;
    request.algorithm = algorithm.id;
    if (algorithm.dimensions == 2)
      request.rows = 8, request.columns = 16;
    else
      request.n = 16;
    Document document(TraceReader::open(traced_file(with_size_taken(request))));
    WindowState state;
    state.cursor.step = document.info().steps / 2 + 1;
    for (const View* view : views_of(document)) {
      state.tab = view->name();
      for (const Size& size : sizes) {
        state.width = size.width, state.height = size.height;
        for (const float scale : {1.0f, 2.0f}) {
          state.scale = scale;
          check_texts(document, state);
        }
      }
    }
  }
}

TEST_CASE("a trace of nothing, of one operation or of one stage has a window, too") {
  const synthetic::Folder folder;
  Document nothing(empty_trace(folder)), one(traced("fft-radix2", 2)), dft(traced("dft", 2));
  for (Document* document : {&nothing, &one, &dft}) {
    for (const View* view : views_of(*document)) {
      for (const Size& size : sizes) {
        WindowState state;
        state.tab = view->name();
        state.width = size.width, state.height = size.height;
        for (std::uint64_t step = 0; step <= document->info().steps; ++step) {
          state.cursor.step = step;
          check_texts(*document, state);
        }
      }
    }
  }
}
