// State strips of the segment under way, from afar: against every row of the replay, at steps there and back.
#include "tracer/file/trace_file.h"
#include "viewer/butterfly/column_brightness.h"

#include "traced.h"
#include "viewer/words/value_text.h"

#include <doctest.h>

#include <array>
#include <cmath>
#include <cstring>

using namespace twiddle;

namespace {

/// |value| of every row that the current segment wrote so far; −1 where it wrote nothing.
std::vector<float> magnitudes(Flow& flow, int column) {
  std::vector<float> all(flow.rows(), -1.0f);
  const auto state = flow.state(column);
  REQUIRE(state != nullptr);
  for (std::uint64_t step = flow.segment(column - 1).first_step; step <= flow.step(); ++step) {
    const auto operation = flow.operation(step, true);
    if (!operation) continue;  // then its rows are found missing
    for (const Access& write : operation->writes) {
      const auto row = flow.row_of(write, *operation);
      const auto place = row ? flow.place(column, *row) : std::nullopt;
      if (!place || place->buffer != write.buffer) continue;
      Value value{flow.info().buffers[write.buffer].type};
      if (state->read(place->buffer, place->group, place->index,
                      std::as_writable_bytes(std::span(value.bits)).first(traits(value.type).bytes)))
        all[*row] = static_cast<float>(magnitude(value));
    }
  }
  return all;
}

/// The largest of rows [first, end), as far as there are such rows.
float largest(const std::vector<float>& all, double first, double end) {
  float most = -1;
  const auto from = static_cast<std::size_t>(std::max(0.0, first));
  for (std::size_t row = from; row < all.size() && double(row) < end; ++row) most = std::max(most, all[row]);
  return most;
}

struct FarRun {
  const char* algorithm;
  std::uint64_t n, rows, columns;
};
// Formulas over global and over local memory, and what follows none.
constexpr std::array far_runs = {FarRun{"fft-radix2", 16384, 0, 0}, FarRun{"fft-stockham2", 16384, 0, 0},
                                 FarRun{"fft2d", 0, 256, 64}, FarRun{"reduce-interleaved", 16384, 0, 0},
                                 FarRun{"reduce-strided", 16384, 0, 0}};

}  // namespace

TEST_CASE("the strip of the segment under way is that of its rows, wherever the cursor was before") {
  for (const FarRun& subject : far_runs) {
    CAPTURE(subject.algorithm);
    Request request;
    request.algorithm = subject.algorithm;
    if (subject.n > 0) request.n = subject.n;
    if (subject.rows > 0) request.rows = subject.rows, request.columns = subject.columns;
    Document document(TraceReader::open(traced_file(request)));
    Flow& flow = document.flow();
    int checked = 0;
    for (const Segment& segment : document.info().segments) {
      if (segment.count < 64) continue;
      const std::uint64_t count = segment.count;
      for (const std::uint64_t done : {count / 3, count / 3 + 1, count * 3 / 4, count / 5, count - 1}) {
        DiagramInput input{document, {}, {}, theme(ThemeName::Light)};
        input.width = 1000, input.height = 240;
        input.cursor.step = segment.first_step + done - 1;
        flow.begin_frame(input.cursor.step, 1e9);
        const int column = flow.current_segment() + 1;
        const ButterflyLayout& layout = butterfly_layout(input);
        Scene scene;
        ButterflyFrame frame(input, layout, scene);
        const double per_pixel = 1 / layout.row_pitch;
        REQUIRE(per_pixel >= double(RowIndex::fine_rows));
        const int pixels = static_cast<int>(std::ceil(layout.body.h));
        const std::vector<float> strip = column_brightness(frame, column, layout.body.y, 1, pixels);
        if (strip.empty()) continue;  // a segment that writes nothing which is shown
        REQUIRE(strip.size() == static_cast<std::size_t>(pixels));
        const std::vector<float> rows = magnitudes(flow, column);
        const float whole = std::max(largest(rows, 0, double(rows.size())), 1e-30f);
        for (int p = 0; p < pixels; ++p) {
          // A cell of rows may reach over a pixel's edge: no less than what is inside, no more than around.
          const double first = row_at(layout, layout.body.y + float(p)), end = first + per_pixel;
          constexpr double cell = RowIndex::fine_rows;
          const float least = largest(rows, std::ceil(first), std::floor(end)) / whole;
          const float most = largest(rows, first - 2 * per_pixel - cell, end + 2 * per_pixel + cell) / whole;
          const float shown = strip[p];
          ++checked;
          if ((least < 0 || shown >= least * 0.99999f) && (shown < 0 || shown <= most * 1.00001f)) continue;
          CAPTURE(done);
          CAPTURE(column);
          CAPTURE(p);
          CHECK(shown >= least);
          CHECK(shown <= most);
        }
      }
    }
    CHECK(checked > 1000);
  }
}
