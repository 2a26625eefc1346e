// Values that an item keeps in registers between two operations, factors on both sides of a butterfly, and items whose values
// reach nothing though they help to fill a table.
#include "lift/lift_cases.h"
#include "tracer/lift/blocks/operations.h"
#include "tracer/lift/lift.h"

#include <doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>

using namespace twiddle;
using namespace twiddle::recorded;

namespace {

constexpr int held_items = 16;

std::vector<cd> dft(const std::vector<cd>& in, int sign) {
  std::vector<cd> out(in.size());
  for (std::size_t j = 0; j < in.size(); ++j)
    for (std::size_t k = 0; k < in.size(); ++k)
      out[j] += in[k] * unit(sign * double(j * k % in.size()) / double(in.size()));
  return out;
}

// The last pass of a transform of 2·n real points: each item makes the spectrum of its own outputs and of its neighbour's, who
// stored them; its own it never stores.
void spectrum_of_held(Machine& m, int radix) {
  const int n = radix * held_items, half = radix / 2;
  m.group_size = held_items;
  const int in = complex_buffer(m, "in", n, Signal::Random, 3);
  const int out = m.add("out", ElementType::Float2, static_cast<std::uint64_t>(n + 1));
  const int local = m.add("tile", ElementType::Float2, static_cast<std::uint64_t>(n / 2), Space::Local);
  std::vector<std::vector<cd>> own(held_items);
  m.run(held_items, 2, [&](Item& item, int phase) {
    if (phase == 0) {
      std::vector<cd> values;
      for (int q = 0; q < radix; ++q) values.emplace_back(item.load<cf>(in, item.id + held_items * q));
      own[item.id] = dft(values, -1);
      for (int p = half; p < radix; ++p)
        item.store<cf>(local, item.id + held_items * (p - half), narrow(own[item.id][p]));
      return;
    }
    if (item.id == 0) return;  // its own neighbour
    std::vector<cd> theirs;
    for (int p = 0; p < half; ++p)
      theirs.emplace_back(item.load<cf>(local, held_items - item.id + held_items * (radix - 1 - p - half)));
    for (int p = 0; p < half; ++p) {
      const int k = item.id + held_items * p;
      const cd a = own[item.id][p], b = std::conj(theirs[p]);
      const cd even = 0.5 * (a + b), odd = cd(0, -0.5) * (a - b) * unit(-double(k) / (2 * n));
      item.store<cf>(out, k, narrow(even + odd));
      item.store<cf>(out, n - k, narrow(std::conj(even - odd)));
    }
  });
}

// The first pass of an inverse: half of what is taken apart goes to the neighbour, the other half stays.
void transform_of_held(Machine& m, int radix) {
  const int n = radix * held_items, half = radix / 2;
  m.group_size = held_items;
  const int in = complex_buffer(m, "in", n + 1, Signal::Random, 4);
  const int out = m.add("out", ElementType::Float2, static_cast<std::uint64_t>(n));
  const int local = m.add("tile", ElementType::Float2, static_cast<std::uint64_t>(n / 2), Space::Local);
  std::vector<std::vector<cd>> own(held_items);
  m.run(held_items, 2, [&](Item& item, int phase) {
    if (item.id == 0) return;
    if (phase == 0) {
      std::vector<cd> up, down;
      for (int p = 0; p < half; ++p) up.emplace_back(item.load<cf>(in, item.id + held_items * p));
      for (int p = 0; p < half; ++p) down.emplace_back(item.load<cf>(in, n - item.id - held_items * p));
      for (int p = 0; p < half; ++p) {
        const cd a = up[p], b = std::conj(down[p]);
        const cd turned = cd(0, 1) * (a - b) * unit(double(item.id + held_items * p) / (2 * n));
        own[item.id].push_back(a + b + turned);
        item.store<cf>(local, item.id + held_items * p, narrow(std::conj(a + b - turned)));
      }
      return;
    }
    std::vector<cd> values = own[item.id];
    for (int q = half; q < radix; ++q)
      values.emplace_back(item.load<cf>(local, held_items - item.id + held_items * (radix - 1 - q)));
    values = dft(values, 1);
    for (int p = 0; p < radix; ++p)
      item.store<cf>(out, item.id * radix + p, narrow(values[p] * unit(double(item.id * p) / n)));
  });
}

std::uint64_t held_points(const Lifted& lifted, LiftedKind kind) {
  std::uint64_t count = 0;
  for (const LiftedOperation& op : lifted.operations)
    if (op.kind == kind)
      for (const LiftedPoint& point : lifted.reads(op)) count += point.records == 0;
  return count;
}

}  // namespace

TEST_CASE("outputs that an item keeps are what its next operation reads") {
  for (const int radix : {4, 8, 16}) {
    CAPTURE(radix);
    Machine machine;
    spectrum_of_held(machine, radix);
    const Lifted lifted = lift(machine.log, machine.info);
    CHECK(lifted.explained_writes == lifted.writes);
    CHECK(held_points(lifted, LiftedKind::Pack) == static_cast<std::uint64_t>((held_items - 1) * radix / 2));
    // In a trace they are loads and stores: no element holds what was never stored.
    const LiftedBlocks blocks = operations_of(lifted, machine.log, machine.info, machine.info.launches[0]);
    CHECK(blocks.left_out == 0);
  }
}

TEST_CASE("halves of a spectrum that an item keeps are points of its butterfly") {
  for (const int radix : {8, 16}) {
    CAPTURE(radix);
    Machine machine;
    transform_of_held(machine, radix);
    const Lifted lifted = lift(machine.log, machine.info);
    CHECK(lifted.explained_writes == lifted.writes);
    CHECK(held_points(lifted, LiftedKind::Butterfly) == static_cast<std::uint64_t>((held_items - 1) * radix / 2));
    for (const LiftedOperation& op : lifted.operations)
      if (op.kind == LiftedKind::Butterfly) CHECK(op.radix() == radix);
  }
}

TEST_CASE("what is made of held values and wrong by more than rounding is not explained") {
  for (const bool inverse : {false, true}) {
    CAPTURE(inverse);
    Machine machine;
    inverse ? transform_of_held(machine, 8) : spectrum_of_held(machine, 8);
    AccessLog log = machine.log;
    const std::uint64_t last = log.begin[6] - 1;  // item 5's
    const float real = std::bit_cast<float>(static_cast<std::uint32_t>(log.value[last]));
    log.value[last] = std::uint64_t(std::bit_cast<std::uint32_t>(real + 1e-2f)) | (log.value[last] >> 32 << 32);
    const Lifted lifted = lift(log, machine.info);
    CHECK(lifted.explained_writes < lifted.writes);
  }
}

TEST_CASE("butterflies with factors of a table before and others behind are sums with known coefficients") {
  for (const int radix : {4, 8}) {
    CAPTURE(radix);
    Machine machine;
    const int n = radix * held_items;
    const int x = complex_buffer(machine, "x", n, Signal::Random, 5);
    const int y = machine.add("y", ElementType::Float2, static_cast<std::uint64_t>(n));
    const int table = machine.add("table", ElementType::Float2, static_cast<std::uint64_t>(n));
    for (int i = 0; i < n; ++i) machine.at<cf>(table, i) = narrow(unit(-double(i / radix * (i % radix)) / n));
    const int other = machine.add("other", ElementType::Float2, 64);
    for (int i = 0; i < 64; ++i) machine.at<cf>(other, i) = narrow(unit(-double(i * i + 1) / 640));
    machine.run(held_items, 1, [&](Item& item, int) {
      std::vector<cd> values;
      for (int q = 0; q < radix; ++q) values.emplace_back(item.load<cf>(x, item.id + held_items * q));
      for (int q = 1; q < radix; ++q) values[q] *= cd(item.load<cf>(table, item.id * radix + q));
      values = dft(values, -1);
      for (int p = 0; p < radix; ++p)
        values[p] *= cd(item.load<cf>(other, p)) * cd(item.load<cf>(other, (item.id * p) % 64));
      for (int p = 0; p < radix; ++p) item.store<cf>(y, item.id * radix + p, narrow(values[p]));
    });
    const Lifted lifted = lift(machine.log, machine.info);
    CHECK(lifted.explained_writes == lifted.writes);
    for (const LiftedOperation& op : lifted.operations) {
      REQUIRE(op.kind == LiftedKind::Linear);
      CHECK(op.reads == static_cast<std::uint32_t>(radix));
      CHECK(op.table_reads > 0);
      for (const cd c : lifted.coefficients_of(op)) CHECK(std::abs(c) == doctest::Approx(1).epsilon(1e-4));
    }
  }
}

TEST_CASE("exchanged parts are moves, and doubled ones are sums with a conjugate") {
  Machine machine;
  const int in = complex_buffer(machine, "in", held_items, Signal::Random, 6);
  const int out = machine.add("out", ElementType::Float2, 3 * held_items);
  machine.run(held_items, 1, [&](Item& item, int) {
    const cf z = item.load<cf>(in, item.id);
    item.store<cf>(out, 3 * item.id, cf(z.imag(), z.real()));
    item.store<cf>(out, 3 * item.id + 1, cf(2 * z.real(), 0));
    item.store<cf>(out, 3 * item.id + 2, cf(0, 2 * z.imag()));
  });
  const Lifted lifted = lift(machine.log, machine.info);
  CHECK(lifted.explained_writes == lifted.writes);
  int moves = 0, sums = 0;
  for (const LiftedOperation& op : lifted.operations) {
    moves += op.kind == LiftedKind::Move;
    sums += op.kind == LiftedKind::Linear;
  }
  CHECK(moves == held_items);
  CHECK(sums == 2 * held_items);
}

TEST_CASE(
    "held_items that fill a table for others, and compute what nobody reads, leave that unexplained and uncounted") {
  Machine machine;
  machine.group_size = held_items;
  const int in = real_buffer(machine, "in", held_items, Signal::Random, 7);
  const int out = machine.add("out", ElementType::Float, held_items / 2);
  const int table = machine.add("table", ElementType::Float, held_items, Space::Local);
  const int tile = machine.add("tile", ElementType::Float, held_items, Space::Local);
  machine.run(held_items, 2, [&](Item& item, int phase) {
    if (phase == 0) {
      item.store<float>(table, item.local, item.load<float>(in, item.id));
      item.store<float>(tile, item.local, std::sin(float(item.id) + 1));
      return;
    }
    // The second half reads what it stored, and stops.
    const float own = item.load<float>(tile, item.local);
    if (item.id < held_items / 2)
      item.store<float>(out, item.id, own * item.load<float>(table, held_items - 1 - item.local));
  });
  const Lifted lifted = lift(machine.log, machine.info);
  // The first half's sines are read: they are of use, and nothing that was read explains them.
  CHECK(lifted.idle_writes == held_items / 2);
  CHECK(lifted.unexplained_writes.size() == std::size_t(held_items));
}

TEST_CASE("a work-group's local memory is no other's: what one group reads does not make use of another's writes") {
  Machine machine;
  machine.group_size = held_items;
  const int in = real_buffer(machine, "in", held_items, Signal::Random, 8);
  const int out = machine.add("out", ElementType::Float, held_items);
  const int tile = machine.add("tile", ElementType::Float, held_items, Space::Local);
  machine.run(2 * held_items, 2, [&](Item& item, int phase) {
    const bool within = item.id < held_items;  // the second group is behind the data's end
    if (phase == 0) {
      item.store<float>(tile, item.local, within ? item.load<float>(in, item.id) : std::sin(float(item.id)));
      return;
    }
    const float other = item.load<float>(tile, held_items - 1 - item.local);
    if (within) item.store<float>(out, item.id, other);
  });
  LiftOptions options;
  options.group_items = held_items;
  const Lifted lifted = lift(machine.log, machine.info, options);
  CHECK(lifted.idle_writes == held_items);
  CHECK(lifted.explained_writes == lifted.writes);
}
