// A trace kept in memory holds what the same trace in a file holds.
#include "synthetic_trace.h"
#include "tracer/replay/replay.h"

#include <doctest.h>

#include <array>
#include <span>
#include <tuple>
#include <vector>

using namespace twiddle;

namespace {

bool same_blocks(const TraceSource& a, const TraceSource& b) {
  if (a.blocks().size() != b.blocks().size()) return false;
  for (std::size_t i = 0; i < a.blocks().size(); ++i) {
    const BlockEntry &x = a.blocks()[i], &y = b.blocks()[i];
    if (x.segment != y.segment || x.first_step != y.first_step || x.count != y.count || x.barriers != y.barriers ||
        x.first_item != y.first_item || x.last_item != y.last_item || x.written_buffer != y.written_buffer ||
        x.first_written != y.first_written || x.last_written != y.last_written || a.block_bytes(x) != b.block_bytes(y))
      return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a trace in memory is the trace of a file") {
  for (const Detail detail : {Detail::Values, Detail::Index}) {
    synthetic::FftOptions options;
    options.n = 8192;  // large enough for summaries
    options.random = true;
    options.detail = detail;
    options.block = 1000;
    const synthetic::Folder folder;
    const auto file = TraceReader::open(synthetic::Fft<float>(options).write(folder / "trace.twd"));
    const auto memory = synthetic::Fft<float>(options).in_memory();

    const TraceInfo &a = file->info(), &b = memory->info();
    CHECK(b.complete);
    CHECK(std::tuple(a.steps, a.barriers, a.kept(), a.attempted()) ==
          std::tuple(b.steps, b.barriers, b.kept(), b.attempted()));
    CHECK(a.launches.size() == b.launches.size());
    REQUIRE(a.segments.size() == b.segments.size());
    for (std::size_t s = 0; s < a.segments.size(); ++s) {
      const auto facts = [](const Segment& one) {
        return std::tuple(one.launch, one.epoch, one.stage, one.first_step, one.count, one.items, one.kind, one.span,
                          one.read_buffer, one.write_buffer, one.read_stride, one.write_stride);
      };
      CHECK(facts(a.segments[s]) == facts(b.segments[s]));
      for (int buffer = 0; buffer < 2; ++buffer)
        CHECK(file->summary(static_cast<int>(s), buffer) == memory->summary(static_cast<int>(s), buffer));
    }
    CHECK(same_blocks(*file, *memory));
    for (int buffer = 0; buffer < 2; ++buffer) CHECK(file->first_content(buffer) == memory->first_content(buffer));
    CHECK(memory->path().empty());
    CHECK(memory->another()->info().steps == b.steps);

    Replay from_file(file), from_memory(memory);
    from_file.seek(a.steps), from_memory.seek(a.steps);
    for (int buffer = 0; buffer < 2; ++buffer)
      CHECK(from_file.state().bytes(buffer) == from_memory.state().bytes(buffer));
  }
}

TEST_CASE("a trace in memory keeps what the log does not explain") {
  TraceInfo info;
  info.buffers.resize(1);
  info.buffers[0].name = "F";
  info.buffers[0].type = ElementType::Float2;
  info.buffers[0].count = 4;
  MemoryTrace memory;
  memory.begin(info);
  const std::array<float, 8> first{0, 1, 2, 3, 4, 5, 6, 7}, after{0, 1, 9, 3, 4, 5, 6, 8};
  memory.first_content(0, std::as_bytes(std::span(first)));
  LaunchInfo launch;
  launch.number = 1;
  memory.begin_launch(launch);
  memory.end_launch(launch, [&](int) { return std::as_bytes(std::span(after)); });
  const auto trace = memory.finish(false);
  CHECK(!trace->info().complete);
  REQUIRE(trace->info().launches.size() == 1);
  CHECK(trace->info().launches[0].unexplained == 2);
  std::vector<std::uint32_t> elements;
  trace->for_each_patch(1, [&](const TraceSource::Patch& patch) { elements = patch.elements; });
  CHECK(elements == std::vector<std::uint32_t>{1, 3});
  trace->for_each_patch(2, [&](const TraceSource::Patch&) { CHECK(false); });
}
