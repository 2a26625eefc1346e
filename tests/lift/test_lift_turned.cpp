// Several butterflies at once between factors of a table and others, butterflies with such factors some of whose outputs are
// stored, and differences of values that are in any order.
#include "lift/lift_cases.h"
#include "tracer/lift/lift.h"

#include <doctest.h>

#include <algorithm>
#include <cmath>

using namespace twiddle;
using namespace twiddle::recorded;

namespace {

constexpr int turned_items = 16;

struct TurnedCase {
  int radix, count;  // butterflies an item
  int stored;        // outputs of each
  bool factors;      // behind them, each item's own
};

cd table_factor(const TurnedCase& of, int item, int g, int q) {
  return unit(-double(item * of.count + g) * q / (of.radix * of.count * turned_items));
}

// Point q of butterfly g is x[g + count·q + …], as long transforms have it, and its factors are read in the order of q.
void turned_butterflies(Machine& m, const TurnedCase& of, Signal signal = Signal::Random) {
  const int points = of.radix * of.count, n = points * turned_items;
  const int x = complex_buffer(m, "x", n, signal, 11);
  const int y = m.add("y", ElementType::Float2, static_cast<std::uint64_t>(n));
  const int table = m.add("table", ElementType::Float2, static_cast<std::uint64_t>(n));
  for (int i = 0; i < turned_items; ++i)
    for (int g = 0; g < of.count; ++g)
      for (int q = 0; q < of.radix; ++q)
        m.at<cf>(table, (i * of.count + g) * of.radix + q) = narrow(table_factor(of, i, g, q));
  m.run(turned_items, 1, [&](Item& item, int) {
    std::vector<std::vector<cd>> in(of.count, std::vector<cd>(of.radix));
    for (int q = 0; q < of.radix; ++q)
      for (int g = 0; g < of.count; ++g)
        in[g][q] = item.load<cf>(x, item.id * of.count + g + q * of.count * turned_items);
    for (int g = 0; g < of.count; ++g)
      for (int q = 1; q < of.radix; ++q) in[g][q] *= cd(item.load<cf>(table, (item.id * of.count + g) * of.radix + q));
    for (int p = 0; p < of.stored; ++p)
      for (int g = 0; g < of.count; ++g) {
        cd sum = 0;
        for (int q = 0; q < of.radix; ++q) sum += in[g][q] * unit(-double(p * q % of.radix) / of.radix);
        if (of.factors) sum *= unit(0.137 * item.id * item.id + 0.31 * (p + 1) * (g + 1));
        item.store<cf>(y, item.id * of.count + g + p * of.count * turned_items, narrow(sum));
      }
  });
}

// Of two rows the sums from the last to the first, and the differences from the first to the last.
void sums_and_differences(Machine& m, int items, int each) {
  const int x = real_buffer(m, "x", 2 * items * each, Signal::Random, 12);
  const int y =
      m.add("y", ElementType::Float, 2 * static_cast<std::uint64_t>(items) * static_cast<std::uint64_t>(each));
  m.run(items, 1, [&](Item& item, int) {
    std::vector<float> a, b;
    for (int k = 0; k < each; ++k) a.push_back(item.load<float>(x, item.id * each + k));
    for (int k = 0; k < each; ++k) b.push_back(item.load<float>(x, (items + item.id) * each + k));
    for (int k = 0; k < each; ++k) item.store<float>(y, 2 * items * each - 1 - item.id * each - k, a[k] + b[k]);
    for (int k = 0; k < each; ++k) item.store<float>(y, item.id * each + k, k % 3 ? a[k] - b[k] : b[k] - a[k]);
  });
}

}  // namespace

TEST_CASE("butterflies of a few points each, between factors of a table and others, are found side by side") {
  for (const TurnedCase& one : {TurnedCase{4, 2, 4, true}, TurnedCase{2, 4, 2, true}, TurnedCase{8, 2, 8, true}}) {
    CAPTURE(one.radix);
    Machine machine;
    turned_butterflies(machine, one);
    const Lifted lifted = lift(machine.log, machine.info);
    CHECK(lifted.explained_writes == lifted.writes);
    CHECK(lifted.operations.size() == std::size_t(turned_items * one.radix * one.count));
    for (const LiftedOperation& op : lifted.operations) {
      REQUIRE(op.kind == LiftedKind::Linear);
      CHECK(op.reads == static_cast<std::uint32_t>(one.radix));
      for (const cd c : lifted.coefficients_of(op)) CHECK(std::abs(c) == doctest::Approx(1).epsilon(1e-4));
    }
  }
}

TEST_CASE("stored outputs of a butterfly with factors of a table are sums with just these coefficients") {
  for (const TurnedCase& one : {TurnedCase{4, 1, 2, false}, TurnedCase{4, 1, 3, false}, TurnedCase{8, 1, 5, false},
                                TurnedCase{4, 2, 2, false}}) {
    CAPTURE(one.radix);
    CAPTURE(one.stored);
    Machine machine;
    turned_butterflies(machine, one);
    const Lifted lifted = lift(machine.log, machine.info);
    CHECK(lifted.explained_writes == lifted.writes);
    CHECK(lifted.operations.size() == std::size_t(turned_items * one.count * one.stored));
    for (const LiftedOperation& op : lifted.operations) {
      REQUIRE(op.kind == LiftedKind::Linear);
      REQUIRE(op.reads == static_cast<std::uint32_t>(one.radix));
      const LiftedPoint& out = lifted.writes_of(op)[0];
      const int element = static_cast<int>(machine.log.offset[out.record[0]] / sizeof(cf));
      const int p = element / (one.count * turned_items), g = element % one.count;
      for (int q = 0; q < one.radix; ++q) {
        const cd expected =
            table_factor(one, static_cast<int>(op.item), g, q) * unit(-double(p * q % one.radix) / one.radix);
        CHECK(std::abs(lifted.coefficients_of(op)[q] - expected) < 1e-5);
      }
    }
  }
}

TEST_CASE("stored outputs with factors that nothing tells, or of an impulse, stay open") {
  Machine machine;
  turned_butterflies(machine, {4, 1, 2, true});
  CHECK(lift(machine.log, machine.info).explained_writes == 0);
  Machine impulse;
  turned_butterflies(impulse, {4, 2, 2, false}, Signal::Impulse);
  for (const LiftedOperation& op : lift(impulse.log, impulse.info).operations) CHECK(op.kind != LiftedKind::Linear);
}

TEST_CASE("differences of two values among many are found in any order, where more than one item says so") {
  Machine machine;
  sums_and_differences(machine, 6, 7);
  const Lifted lifted = lift(machine.log, machine.info);
  CHECK(lifted.explained_writes == lifted.writes);
  int differences = 0;
  for (const LiftedOperation& op : lifted.operations) {
    if (op.kind != LiftedKind::Linear) continue;
    ++differences;
    REQUIRE(op.reads == 2);
    const auto weights = lifted.coefficients_of(op);
    CHECK(weights[0] == cd(1));
    CHECK(weights[1] == cd(-1));
    // The two are at one place of the rows, and which is taken from which is as it was.
    const auto at = [&](int r) { return machine.log.offset[lifted.reads(op)[r].record[0]] / sizeof(float); };
    CHECK((at(0) + 42) % 84 == at(1));
    CHECK((at(0) < 42) == (at(0) % 42 % 7 % 3 != 0));
  }
  CHECK(differences == 6 * 7);

  Machine alone;
  sums_and_differences(alone, 1, 7);
  for (const LiftedOperation& op : lift(alone.log, alone.info).operations) CHECK(op.kind != LiftedKind::Linear);
}
