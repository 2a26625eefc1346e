#include "tracer/codec/codec.h"

#include "base/error.h"
#include "random_blocks.h"
#include "synthetic_trace.h"
#include "tracer/codec/codec_state.h"
#include "tracer/file/trace_file.h"
#include "tracer/trace/memory/apply.h"

#include <doctest.h>

#include <limits>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

using namespace twiddle;

namespace {

// Which part of two blocks differs first: for the message.
std::string difference(const OperationBlock& a, const OperationBlock& b) {
  for (std::size_t s = 0; s < a.sites.size(); ++s) {
    const SiteColumns &x = a.sites[s], &y = b.sites[s];
    const auto part = x.index != y.index                 ? "indices"
                      : x.coefficients != y.coefficients ? "coefficients"
                      : x.reads != y.reads               ? "reads"
                                                         : "writes";
    if (!synthetic::same(x, y))
      return std::to_string(static_cast<int>(x.shape)) + " of " + std::string(traits(x.value_type).name) + ": " + part;
  }
  return "items, slots or sites";
}

bool same_memory(const ReplayMemory& a, const ReplayMemory& b, std::size_t buffers) {
  for (std::size_t i = 0; i < buffers; ++i) {
    const auto x = a.bytes(static_cast<int>(i)), y = b.bytes(static_cast<int>(i));
    if (!std::equal(x.begin(), x.end(), y.begin(), y.end())) return false;
  }
  return true;
}

// A site of `count` operations whose columns are set by the caller.
SiteColumns site_of(Shape shape, ElementType type, std::uint32_t count, int first_buffer, int second_buffer = -1) {
  const ShapeTraits& make = traits(shape);
  SiteColumns columns;
  columns.site = 0;
  columns.shape = shape;
  columns.value_type = columns.coefficient_type = type;
  columns.buffers[0] = first_buffer;
  columns.buffers[1] = second_buffer;
  columns.count = count;
  const std::size_t bytes = count * traits(type).bytes;
  columns.index.assign(static_cast<std::size_t>(make.index_words), std::vector<std::uint32_t>(count));
  columns.coefficients.assign(static_cast<std::size_t>(make.coefficients), std::vector<std::byte>(bytes));
  columns.reads.assign(static_cast<std::size_t>(make.reads), std::vector<std::byte>(bytes));
  columns.writes.assign(static_cast<std::size_t>(make.writes), std::vector<std::byte>(bytes));
  return columns;
}

OperationBlock block_of(SiteColumns columns) {
  OperationBlock block;
  block.count = columns.count;
  for (std::uint32_t i = 0; i < block.count; ++i) block.item.push_back(i);
  block.slot.assign(block.count, 0);
  block.sites.push_back(std::move(columns));
  return block;
}

template <typename T>
void put(std::vector<std::byte>& column, std::size_t at, T value) {
  std::memcpy(column.data() + at * sizeof(T), &value, sizeof(T));
}

}  // namespace

TEST_CASE("any block comes back bit for bit") {
  const TraceInfo info = synthetic::some_trace();
  synthetic::RandomBlocks random(11);
  for (int trace = 0; trace < 60; ++trace) {
    CodecState writing(info.buffers), reading(info.buffers);
    ReplayMemory applied(info.buffers);
    for (CodecState* state : {&writing, &reading}) state->begin_launch(info.launches[0]);
    applied.begin_launch(info.launches[0]);
    std::uint64_t inconsistent_written = 0, inconsistent_read = 0;
    for (int number = 0; number < 10; ++number) {
      const OperationBlock block = random.block(info);
      const auto bytes = encode(block, writing, inconsistent_written);
      const OperationBlock decoded = decode(bytes, reading, info, &inconsistent_read);
      INFO(difference(block, decoded));
      REQUIRE(synthetic::same(block, decoded));
      REQUIRE(inconsistent_written == inconsistent_read);

      // Both states are what applying the operations gives.
      apply(block, 0, block.count, applied);
      REQUIRE(same_memory(writing.memory(), reading.memory(), info.buffers.size()));
      REQUIRE(same_memory(writing.memory(), applied, info.buffers.size()));

      const OperationBlock indices = decode_indices(bytes, info);
      CHECK(indices.item == block.item);
      CHECK(indices.site == block.site);
      for (std::size_t s = 0; s < block.sites.size(); ++s) CHECK(indices.sites[s].index == block.sites[s].index);
    }
  }
}

TEST_CASE("a state applies operations as the memory does") {
  const TraceInfo info = synthetic::some_trace();
  synthetic::RandomBlocks random(12);
  for (int trace = 0; trace < 30; ++trace) {
    ReplayMemory memory(info.buffers);
    memory.begin_launch(info.launches[0]);
    State state = memory.snapshot();
    for (int number = 0; number < 10; ++number) {
      const OperationBlock block = random.block(info, 100);
      apply(block, 0, block.count, memory);
      apply(block, 0, block.count, info.launches[0].group_size(), state);
    }
    const State expected = memory.snapshot();
    for (std::size_t b = 0; b < info.buffers.size(); ++b)
      for (std::uint64_t group = 0; group < (info.buffers[b].space == Space::Local ? 16 : 1); ++group)
        for (std::uint64_t i = 0; i < info.buffers[b].count; ++i) {
          std::array<std::byte, 16> x{}, y{};
          const bool known = expected.read(static_cast<int>(b), group, i, x);
          REQUIRE(state.read(static_cast<int>(b), group, i, y) == known);
          if (known) REQUIRE(x == y);
        }
  }
}

TEST_CASE("blocks of barriers and blocks without values come back") {
  const TraceInfo info = synthetic::some_trace();
  CodecState writing(info.buffers), reading(info.buffers);
  std::uint64_t inconsistent = 0;
  OperationBlock barriers = block_of(site_of(Shape::Barrier, ElementType::UInt, 64, -1));
  barriers.barriers = true;
  CHECK(synthetic::same(decode(encode(barriers, writing, inconsistent), reading, info), barriers));

  synthetic::RandomBlocks random(13);
  for (int number = 0; number < 50; ++number) {
    OperationBlock block = random.block(info);
    for (SiteColumns& site : block.sites) site.reads.clear(), site.writes.clear();
    const OperationBlock decoded = decode(encode(block, writing, inconsistent), reading, info);
    CHECK(synthetic::same(decoded, block));
  }
  CHECK(inconsistent == 0);
  CHECK(same_memory(writing.memory(), ReplayMemory(info.buffers), info.buffers.size()));  // nothing was written
}

TEST_CASE("what the formula, the state and the arithmetic predict costs nothing") {
  // Every way of rounding, in both precisions: a stage takes a few hundred bytes with any values.
  const synthetic::Folder folder;
  for (const auto fusing : {synthetic::Fusing::None, synthetic::Fusing::First, synthetic::Fusing::Second}) {
    for (const bool inverse : {false, true}) {
      const auto max_block = [&](auto fft) {
        const auto trace = TraceReader::open(fft.write(folder / "a.twd"));
        std::size_t largest = 0;
        for (const BlockEntry& entry : trace->blocks())
          if (trace->info().segments[entry.segment].kind == OperationKind::Butterfly)
            largest = std::max(largest, trace->block_bytes(entry).size());
        return largest;
      };
      // The twiddles are libm's, so a few may be off by a bit.
      CHECK(max_block(synthetic::Fft<float>({.n = 4096, .fusing = fusing, .inverse = inverse, .random = true})) < 200);
      CHECK(max_block(synthetic::Fft<double>({.n = 4096, .fusing = fusing, .inverse = inverse, .random = true})) <
            1800);
    }
  }
}

TEST_CASE("twiddles that are a little off are learnt") {
  const synthetic::Folder folder;
  synthetic::Fft<float> fft({.n = 1 << 14, .random = true, .twiddle_error = 1e-6, .block = 1024});
  const auto trace = TraceReader::open(fft.write(folder / "a.twd"));
  // A stage of span 1024 has 512 twiddles: its first block of 1024 butterflies shows them all, and the next ones cost nothing.
  for (const Segment& segment : trace->info().segments) {
    if (segment.span != 1024) continue;
    std::vector<std::size_t> sizes;
    for (const BlockEntry& entry : trace->blocks())
      if (&trace->info().segments[entry.segment] == &segment) sizes.push_back(trace->block_bytes(entry).size());
    REQUIRE(sizes.size() == 8);
    CHECK(sizes[0] > 500);
    for (std::size_t i = 1; i < sizes.size(); ++i) CHECK(sizes[i] < 200);
  }
}

TEST_CASE("reads that the log does not explain are counted") {
  const TraceInfo info = synthetic::some_trace();
  CodecState state(info.buffers), reading(info.buffers);
  SiteColumns loads = site_of(Shape::Load, ElementType::Float2, 10, 0);
  for (std::uint32_t i = 0; i < 10; ++i) loads.index[0][i] = i;
  put(loads.reads[0], 3, std::array<float, 2>{1, 2});  // the buffer is zero
  loads.index[0][7] = 1000000;                         // out of range: nothing is known there
  put(loads.reads[0], 7, std::array<float, 2>{3, 4});
  std::uint64_t inconsistent = 0, read_back = 0;
  const auto bytes = encode(block_of(loads), state, inconsistent);
  CHECK(inconsistent == 1);
  decode(bytes, reading, info, &read_back);
  CHECK(read_back == 1);

  // A local element that was never written is unknown, and so not inconsistent.
  SiteColumns local = site_of(Shape::Load, ElementType::Float2, 10, 3);
  for (std::uint32_t i = 0; i < 10; ++i) put(local.reads[0], i, std::array<float, 2>{5, 6});
  inconsistent = 0;
  encode(block_of(local), state, inconsistent);
  CHECK(inconsistent == 0);
}

TEST_CASE("atomics add up in any order of their items") {
  // Four items add 1 to element 2, and saw 3, 1, 0, 2.
  const TraceInfo info = synthetic::some_trace();
  CodecState state(info.buffers), reading(info.buffers);
  SiteColumns atomics = site_of(Shape::Atomic, ElementType::Int, 4, 1);
  const std::int32_t seen[4] = {3, 1, 0, 2};
  for (std::uint32_t i = 0; i < 4; ++i) {
    atomics.index[0][i] = 2;
    put(atomics.coefficients[0], i, std::int32_t(1));
    put(atomics.reads[0], i, seen[i]);
    put(atomics.writes[0], i, seen[i] + 1);
  }
  const OperationBlock block = block_of(atomics);
  std::uint64_t inconsistent = 0;
  CHECK(synthetic::same(decode(encode(block, state, inconsistent), reading, info), block));
  CHECK(inconsistent == 0);
  std::int32_t sum = 0;
  std::memcpy(&sum, reading.memory().bytes(1).data() + 2 * sizeof sum, sizeof sum);
  CHECK(sum == 4);
}

TEST_CASE("predictions do not depend on how the processor treats denormals") {
#if defined(__SSE__)
  const TraceInfo info = synthetic::some_trace();
  // Denormals that a processor in flush-to-zero mode would add up to nothing.
  SiteColumns sums = site_of(Shape::Combine, ElementType::Float, 64, 1, 1);
  constexpr float tiny = std::numeric_limits<float>::denorm_min();
  for (std::uint32_t i = 0; i < 64; ++i) {
    put(sums.reads[0], i, tiny * static_cast<float>(i));
    put(sums.reads[1], i, tiny * 5);
    put(sums.writes[0], i, tiny * static_cast<float>(i + 5));
  }
  const OperationBlock block = block_of(sums);
  CodecState plain(info.buffers), flushing(info.buffers), reading(info.buffers);
  std::uint64_t inconsistent = 0;
  const auto expected = encode(block, plain, inconsistent);
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);  // flush to zero, denormals are zero
  const auto bytes = encode(block, flushing, inconsistent);
  const OperationBlock decoded = decode(bytes, reading, info);
  const bool still = (_mm_getcsr() & 0x8040) == 0x8040;
  _mm_setcsr(before);
  CHECK(bytes == expected);
  CHECK(synthetic::same(decoded, block));
  CHECK(still);
#endif
}

TEST_CASE("mangled blocks are refused or decoded, never fatal") {
  const TraceInfo info = synthetic::some_trace();
  synthetic::RandomBlocks random(14);
  int refused = 0, decoded = 0;
  for (int number = 0; number < 300; ++number) {
    CodecState writing(info.buffers);
    writing.begin_launch(info.launches[0]);
    std::uint64_t inconsistent = 0;
    auto bytes = encode(random.block(info, 40), writing, inconsistent);
    for (int change = 0; change < 20; ++change) {
      auto mangled = bytes;
      if (random.below(3) == 0)
        mangled.resize(random.below(static_cast<std::uint32_t>(mangled.size())));
      else
        for (std::uint32_t flips = 1 + random.below(3); flips > 0; --flips)
          mangled[random.below(static_cast<std::uint32_t>(mangled.size()))] ^=
              static_cast<std::byte>(1u << random.below(8));
      CodecState reading(info.buffers);
      reading.begin_launch(info.launches[0]);
      try {
        decode(mangled, reading, info);
        ++decoded;
      } catch (const Error& error) {
        CHECK(error.code() == ExitCode::unreadable);
        ++refused;
      }
    }
  }
  CHECK(refused > 1000);
  CHECK(decoded > 100);
}
