// Lifted operations as blocks: what a trace line would have said, one by one.
#include "lift/lift_cases.h"
#include "tracer/lift/blocks/operations.h"

#include <doctest.h>

#include <map>

using namespace twiddle;

namespace {

std::vector<Operation> decoded(const LiftedBlocks& blocks, TraceInfo info) {
  info.sites.insert(info.sites.end(), blocks.new_sites.begin(), blocks.new_sites.end());
  std::vector<Operation> all;
  for (const LiftedBlocks::Part& part : blocks.parts) {
    Segment segment;
    segment.launch = 1;
    segment.epoch = part.epoch;
    segment.stage = part.stage;
    info.segments = {segment};
    for (std::uint32_t i = 0; i < part.block.count; ++i) all.push_back(part.block.operation(info, i));
  }
  return all;
}

std::string kinds(const std::vector<Operation>& operations) {
  std::map<std::string, int> counts;
  for (const Operation& op : operations) ++counts[std::string(name_of(op.kind))];
  std::string text;
  for (const auto& [name, count] : counts) text += (text.empty() ? "" : ", ") + name + " x" + std::to_string(count);
  return text;
}

}  // namespace

TEST_CASE("lifted operations become operations of a trace") {
  using namespace recorded;
  struct Case {
    const char* name;
    std::function<void(Machine&, Signal, int)> run;
    const char* operations;
  };
  const std::vector<Case> cases = {
      {"in place", two_in_a_row, "butterfly x32"},
      {"Stockham", stage_of({.radix = 4, .in_place = false}), "butterfly x16"},
      {"radix 8", stage_of({.radix = 8}), "butterfly x8"},
      {"twiddles after", stage_of({.radix = 2, .time = false}), "butterfly x32"},
      {"bit reversal", bit_reversal, "swap x28"},
      {"scale", scaled, "scale x64"},
      {"rotation", rotated, "scale x64"},
      {"real split", real_split, "butterfly x32"},
      {"a grid's stride", grid_stride, "store x64, term x512"},
      {"addition while loading", first_add, "combine x64"},
      {"the way down of a scan", scan_down, "combine x32, swap x32"},
      {"histogram", histogram, "atomic x64, barrier x64, load x64, store x16"},
      {"pairs of floats", interleaved_floats, "butterfly x32"},
      {"real and imaginary parts in two buffers", planar_radix4, "butterfly x16"},
      {"Givens rotation", givens, "store x128, term x256"},
      {"square", square, "load x64, store x64"},
      {"plus an argument",
       [](Machine& m, Signal signal, int seed) { with_scalars(m, real_buffer(m, "x", 64, signal, seed), 1.0f, 0.7f); },
       "store x64, term x64"},
      {"sort", sort_step, "load x64, store x64"},
  };
  for (const Case& one : cases)
    for (const Words words : {Words::Typed, Words::Four}) {
      CAPTURE(one.name);
      Machine machine;
      machine.words = words;
      one.run(machine, Signal::Random, 3);
      const Lifted lifted = lift(machine.log, machine.info);
      const LiftedBlocks blocks = operations_of(lifted, machine.log, machine.info, machine.info.launches[0]);
      const std::vector<Operation> operations = decoded(blocks, machine.info);
      CHECK(kinds(operations) == one.operations);
      machine.info.buffers.insert(machine.info.buffers.end(), blocks.new_buffers.begin(), blocks.new_buffers.end());
      CHECK(blocks.left_out == 0);
      CHECK(blocks.unknown_coefficients == 0);
      // Replayed, the writes are what memory holds.
      for (const Operation& op : operations)
        for (const Access& access : op.writes)
          if (machine.info.buffers[access.buffer].space == Space::Global)
            CHECK(access.index < machine.info.buffers[access.buffer].count);
      for (const LiftedBlocks::Part& part : blocks.parts)
        for (std::uint32_t i = 1; i < part.block.count; ++i)
          CHECK(std::pair(part.block.item[i - 1], part.block.slot[i - 1]) <
                std::pair(part.block.item[i], part.block.slot[i]));
    }
}

TEST_CASE("a butterfly of any radix holds its legs: what it read, by its factors, makes what it wrote") {
  using namespace recorded;
  for (const LiftCase& one : butterfly_cases()) {
    CAPTURE(one.name);
    Machine machine;
    one.run(machine, Signal::Random, 7);
    const Lifted lifted = lift(machine.log, machine.info);
    const LiftedBlocks blocks = operations_of(lifted, machine.log, machine.info, machine.info.launches[0]);
    for (const Operation& op : decoded(blocks, machine.info)) {
      REQUIRE(op.kind == OperationKind::Butterfly);
      const Legs legs = legs_of(op.shape);
      if (legs.radix == 0) continue;  // of 2 or 4, as trace lines log them
      REQUIRE(op.reads.size() == legs.radix);
      REQUIRE(op.writes.size() == legs.radix);
      REQUIRE(op.coefficients.size() == legs.radix);
      const auto number = [](const Value& value) { return cd(value.component(0), value.component(1)); };
      LegValues<double> in{}, w{};
      for (int q = 0; q < legs.radix; ++q) in[q] = number(op.reads[q].value), w[q] = number(op.coefficients[q]);
      const LegValues<double> out = transformed(legs, in, w);
      for (int p = 0; p < legs.radix; ++p) CHECK(std::abs(out[p] - number(op.writes[p].value)) < 1e-5 * legs.radix);
    }
  }
}

TEST_CASE("two equal values that change places are a swap too") {
  using namespace recorded;
  Machine machine;
  const int x = machine.add("x", ElementType::Float2, 16);
  for (int j = 0; j < 16; ++j) machine.at<cf>(x, j) = {1, 2};
  machine.run(8, 1, [&](Item& it, int) {
    const cf a = it.load<cf>(x, it.id), b = it.load<cf>(x, it.id + 8);
    it.store<cf>(x, it.id, b);
    it.store<cf>(x, it.id + 8, a);
  });
  const Lifted lifted = lift(machine.log, machine.info);
  const LiftedBlocks blocks = operations_of(lifted, machine.log, machine.info, machine.info.launches[0]);
  CHECK(kinds(decoded(blocks, machine.info)) == "swap x8");
}

TEST_CASE("sums of what was exchanged part by part are terms behind the butterflies that they read") {
  using namespace recorded;
  constexpr int items = 16, radix = 4, n = items * radix;
  Machine machine;
  machine.group_size = items;
  const int x = complex_buffer(machine, "x", n, Signal::Random, 21);
  const int y = machine.add("y", ElementType::Float2, n);
  const int tile = machine.add("tile", ElementType::Float, n, Space::Local);
  const int table = machine.add("table", ElementType::Float2, n);
  for (int i = 0; i < n; ++i) machine.at<cf>(table, i) = narrow(unit(-double(i / radix * (i % radix)) / n));
  const auto transformed = [](const std::vector<cd>& in, int p) {
    cd sum = 0;
    for (int q = 0; q < radix; ++q) sum += in[static_cast<std::size_t>(q)] * unit(-double(p * q % radix) / radix);
    return sum;
  };
  machine.run(items, 4, [&](Item& item, int phase) {
    if (phase == 0) {
      std::vector<cd> in;
      for (int q = 0; q < radix; ++q) in.emplace_back(item.load<cf>(x, item.id + items * q));
      item.z.clear();
      for (int p = 0; p < radix; ++p) item.z.emplace_back(narrow(transformed(in, p)));
      for (int p = 0; p < radix; ++p) item.store<float>(tile, item.id * radix + p, float(item.z[p].real()));
    } else if (phase == 1) {
      item.r.clear();
      for (int q = 0; q < radix; ++q) item.r.push_back(item.load<float>(tile, item.id + items * q));
    } else if (phase == 2) {
      for (int p = 0; p < radix; ++p) item.store<float>(tile, item.id * radix + p, float(item.z[p].imag()));
    } else {
      std::vector<cd> in;
      for (int q = 0; q < radix; ++q) in.emplace_back(item.r[q], item.load<float>(tile, item.id + items * q));
      for (int q = 1; q < radix; ++q) in[q] *= cd(item.load<cf>(table, item.id * radix + q));
      for (int p = 0; p < radix; ++p)
        item.store<cf>(y, item.id + items * p, narrow(transformed(in, p) * unit(0.137 * item.id * item.id + 0.3 * p)));
    }
  });
  const Lifted lifted = lift(machine.log, machine.info);
  CHECK(lifted.explained_writes == lifted.writes);
  const LiftedBlocks blocks = operations_of(lifted, machine.log, machine.info, machine.info.launches[0]);
  TraceInfo info = machine.info;
  info.buffers.insert(info.buffers.end(), blocks.new_buffers.begin(), blocks.new_buffers.end());
  const std::vector<Operation> operations = decoded(blocks, info);
  CHECK(kinds(operations) == "barrier x48, butterfly x16, store x64, term x256");
  REQUIRE(blocks.new_buffers.size() == 1);
  CHECK(blocks.new_buffers[0].name == "tile@0");
  // In the order of steps, what is read there was written before, and is that.
  const int exchanged = static_cast<int>(machine.info.buffers.size());
  std::map<std::uint64_t, Value> written;
  int met = 0;
  for (const Operation& op : operations) {
    for (const Access& read : op.reads) {
      if (read.buffer != exchanged) continue;
      ++met;
      REQUIRE(written.contains(read.index));
      CHECK(read.value.component(0) == written.at(read.index).component(0));
      CHECK(read.value.component(1) == written.at(read.index).component(1));
    }
    for (const Access& write : op.writes)
      if (write.buffer == exchanged) written.insert_or_assign(write.index, write.value);
  }
  CHECK(met == 256);
}
