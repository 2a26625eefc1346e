// What a segment writes and from where, seen from afar: no more and no less than its operations do.
#include "tracer/file/trace_file.h"
#include "viewer/document/segment_reach.h"

#include "traced.h"
#include "viewer/document/document.h"

#include <doctest.h>

#include <algorithm>

using namespace twiddle;

TEST_CASE("a stage of a sequential reduction leads from two halves of what is left of a group to its first") {
  Document document(trace_of("reduce-sequential", 512));
  Flow& flow = document.flow();
  std::size_t stages = 0;
  for (int s = 0; s < flow.segment_count(); ++s) {
    const Segment& segment = flow.segment(s);
    if (segment.launch != 1 || segment.stage == 0 || segment.kind != OperationKind::Combine) continue;
    ++stages;
    const std::uint64_t left = 256 >> segment.stage;  // of a group of 256
    const SegmentReach* reach = segment_reach(document, s);
    REQUIRE(reach != nullptr);
    CHECK(reach->cell_rows() == 1);
    const auto links = reach->links({0, flow.rows()}, 0);
    REQUIRE(links.size() == 2);
    for (std::uint64_t group = 0; group < 2; ++group) {
      CHECK(links[group].to.first == group * 256);
      CHECK(links[group].to.end == group * 256 + left);
      CHECK(links[group].from.first == group * 256);
      CHECK(links[group].from.end == group * 256 + 2 * left);
    }
    CHECK(reach->links({0, flow.rows()}, 512).size() == 1);  // from so far that nothing is between them
    CHECK(reach->links({left, 256}, 0).empty());
  }
  CHECK(stages == 8);
}

TEST_CASE("every operation's rows are in its segment's reach, and every row of the reach in an operation") {
  for (const auto& [algorithm, n] :
       {std::pair{"fft-real", 32}, {"reduce-grid-stride", 512}, {"fft-radix2-local", 64}}) {
    CAPTURE(algorithm);
    Document document(trace_of(algorithm, static_cast<std::uint64_t>(n)));
    Flow& flow = document.flow();
    for (int s = 0; s < flow.segment_count(); ++s) {
      const SegmentReach* reach = segment_reach(document, s);
      REQUIRE(reach != nullptr);
      const auto links = reach->links({0, flow.rows()}, 0);
      std::vector<bool> written(flow.rows(), false);
      for (std::uint64_t step = flow.segment(s).first_step; step < flow.segment(s).end_step(); ++step) {
        const auto operation = flow.operation(step);
        REQUIRE(operation);
        for (const Access& write : operation->writes) {
          const auto row = flow.row_of(write, *operation);
          if (!row) continue;
          written[*row] = true;
          const auto link = std::find_if(links.begin(), links.end(), [&](const SegmentReach::Link& one) {
            return *row >= one.to.first && *row < one.to.end;
          });
          REQUIRE(link != links.end());
          for (const Access& read : operation->reads)
            if (const auto from = flow.row_of(read, *operation))
              CHECK((*from >= link->from.first && *from < link->from.end));
        }
      }
      for (const SegmentReach::Link& link : links)
        for (std::uint64_t row = link.to.first; row < link.to.end; ++row) CHECK(written[row]);
    }
  }
}
