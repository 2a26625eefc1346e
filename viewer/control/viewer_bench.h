// What frames and seeks of the viewer cost on a trace, measured without a display.
#pragma once

#include "viewer/document/document.h"

#include <functional>
#include <string>
#include <vector>

namespace twiddle {

/// Milliseconds of this thread's own time, so that other programs do not count.
struct ViewBench {
  std::string view;
  double first = 0;        // the whole first frame, with everything it had to read
  double frame = 0;        // the slowest frame over all zooms and places, once what it shows is read
  double seek = 0;         // the slowest frame after a jump; what is not read by then is filled in by the next ones
  std::size_t shapes = 0;  // of the largest frame
};

/// Samples that are dragged on the host executor: from the new ones to the whole window's picture. Milliseconds of the clock, and
/// of all processors together, which other programs do not count in.
struct DragBench {
  /// A sample by its handle, all of them by a slider, or a pixel of a picture.
  enum class Hand : std::uint8_t { Sample, Slider, Pixel };
  Hand hand = Hand::Sample;
  std::uint64_t points = 0;
  bool logged = false;  // every operation; else the result alone
  double median = 0, slowest = 0, aim = 0;
  double processor_median = 0, processor_slowest = 0;
};

/// A condition to stop at, of a trace that was just opened: until every step is known at which it is met.
struct StopBench {
  std::string condition;
  std::size_t hits = 0;  // at most StopHits::max_hits
  double ms = 0;         // by the clock
  double processor_ms = 0;
  static constexpr double aim = 200;
};

struct ViewerBench {
  std::string algorithm;
  std::uint64_t steps = 0, elements = 0;  // of the largest buffer
  double window_first = 0;                // the whole window's first frame, of 100 ms
  double window_frame = 0;                // the whole window's slowest frame in any view, once what it shows is read
  std::vector<ViewBench> views;
  std::vector<DragBench> drags;  // of fft-radix2, and of fft2d; empty where there is no compiler for the host
  double history = 0;            // all accesses of an element, of a trace that was just opened
  std::vector<StopBench> stops;
  static constexpr double history_aim = 200;
  static constexpr double frame_aim = 4, seek_aim = 16, first_aim = 100, window_aim = 16;
};

/// Measures all views of a trace in a window of this size, px. `progress` is called with how far it is, 0 … 1, and which view;
/// false stops it early.
ViewerBench bench_viewer(Document& document, const std::function<bool(double, const Message&)>& progress,
                         float width = 1440, float height = 900);

std::string bench_text(const ViewerBench& bench);
std::string bench_json(const ViewerBench& bench);

}  // namespace twiddle
