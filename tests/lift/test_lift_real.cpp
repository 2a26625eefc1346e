// Transforms of real values, as fast ones compute them: from real numbers, from half a spectrum, to half a spectrum.
#include "lift/lift_cases.h"
#include "tracer/lift/blocks/operations.h"
#include "tracer/lift/lift.h"

#include <doctest.h>

#include <algorithm>
#include <bit>

using namespace twiddle;
using namespace twiddle::recorded;

namespace {

constexpr int items = 16;

// out[j] = Σ in[k]·e^(sign·2πi·jk/n)
std::vector<cd> transformed(const std::vector<cd>& in, int sign) {
  std::vector<cd> out(in.size());
  for (std::size_t j = 0; j < in.size(); ++j)
    for (std::size_t k = 0; k < in.size(); ++k)
      out[j] += in[k] * unit(sign * double(j * k % in.size()) / double(in.size()));
  return out;
}

// A signal's spectrum is conjugate-symmetric: the first n/2 + 1 values of one.
int half_spectrum(Machine& m, int n, int seed) {
  const int buffer = complex_buffer(m, "half", n / 2 + 1, Signal::Random, seed);
  for (const int real : {0, n / 2}) m.at<cf>(buffer, real).imag(0);
  return buffer;
}

// Two real signals at once: the real parts of what a butterfly leaves are one of them, side by side, and the imaginary parts the
// other, a row further on.
void two_signals(Machine& m, int radix) {
  const int n = radix * items, in = complex_buffer(m, "in", n, Signal::Random, 11);
  const int out = m.add("out", ElementType::Float, static_cast<std::uint64_t>(2 * n));
  m.run(items, 1, [&](Item& item, int) {
    std::vector<cd> values;
    for (int q = 0; q < radix; ++q)
      values.push_back(cd(item.load<cf>(in, item.id + items * q)) * unit(double(item.id * q) / n));
    values = transformed(values, 1);
    for (int p = 0; p < radix; ++p) item.store<float>(out, item.id * radix + p, float(values[p].real() / n));
    for (int p = 0; p < radix; ++p) item.store<float>(out, n + item.id * radix + p, float(values[p].imag() / n));
  });
}

// The last pass of an inverse that stores real parts, whatever the imaginary ones are; its factors are in a table.
void real_parts_of(Machine& m, int radix) {
  const int n = radix * items, in = complex_buffer(m, "in", n, Signal::Random, 12);
  const int table = m.add("table", ElementType::Float2, static_cast<std::uint64_t>(n));
  for (int i = 0; i < items; ++i)
    for (int q = 1; q < radix; ++q) m.at<cf>(table, i * (radix - 1) + q - 1) = narrow(unit(-double(i * q) / n));
  const int out = m.add("out", ElementType::Float, static_cast<std::uint64_t>(n));
  m.run(items, 1, [&](Item& item, int) {
    std::vector<cd> values;
    for (int q = 0; q < radix; ++q) values.emplace_back(item.load<cf>(in, item.id + items * q));
    for (int q = 1; q < radix; ++q) values[q] *= std::conj(cd(item.load<cf>(table, item.id * (radix - 1) + q - 1)));
    values = transformed(values, 1);
    for (int p = 0; p < radix; ++p) item.store<float>(out, item.id + items * p, float(values[p].real() / n));
  });
}

struct RealCase {
  const char* name;
  std::function<void(Machine&)> run;
  int radix, butterflies, sign;
  bool partial;
};

// The first pass of a transform of real numbers: each item's butterfly, with twiddles behind.
void first_pass(Machine& m, int radix, int sign) {
  const int n = radix * items, in = real_buffer(m, "in", n, Signal::Random, 3);
  const int out = m.add("out", ElementType::Float2, static_cast<std::uint64_t>(n));
  m.run(items, 1, [&](Item& item, int) {
    std::vector<cd> values;
    for (int q = 0; q < radix; ++q) values.emplace_back(item.load<float>(in, item.id + items * q));
    values = transformed(values, sign);
    for (int p = 0; p < radix; ++p)
      item.store<cf>(out, item.id * radix + p, narrow(values[p] * unit(sign * double(item.id * p) / n)));
  });
}

// The last pass of one: the second half is others' conjugates, and not stored.
void last_pass(Machine& m, int radix) {
  const int n = radix * items, in = complex_buffer(m, "in", n, Signal::Random, 4);
  const int out = m.add("out", ElementType::Float2, static_cast<std::uint64_t>(n / 2));
  m.run(items, 1, [&](Item& item, int) {
    std::vector<cd> values;
    for (int q = 0; q < radix; ++q) values.emplace_back(item.load<cf>(in, item.id + items * q));
    values = transformed(values, -1);
    for (int p = 0; p < radix / 2; ++p) item.store<cf>(out, item.id + items * p, narrow(values[p]));
  });
}

// The first pass of an inverse: what half a spectrum lacks is the conjugate of what it has.
void from_half(Machine& m, int radix) {
  const int n = radix * items, in = half_spectrum(m, n, 5);
  const int out = m.add("out", ElementType::Float2, static_cast<std::uint64_t>(n));
  m.run(items, 1, [&](Item& item, int) {
    std::vector<cd> values;
    for (int q = 0; q < radix; ++q) {
      const int k = item.id + items * q;
      values.emplace_back(2 * q < radix ? cd(item.load<cf>(in, k)) : std::conj(cd(item.load<cf>(in, n - k))));
    }
    values = transformed(values, 1);
    for (int p = 0; p < radix; ++p)
      item.store<cf>(out, item.id * radix + p, narrow(values[p] * unit(double(item.id * p) / n)));
  });
}

// The last pass of an inverse, to real numbers: of what is real by itself no imaginary part is read.
void to_real(Machine& m, int radix) {
  const int n = radix * items, in = complex_buffer(m, "in", n, Signal::Random, 6);
  const int out = m.add("out", ElementType::Float, static_cast<std::uint64_t>(n));
  for (int i = 0; i < items; ++i)
    for (int q = 0; 2 * q <= radix; ++q) {
      cf& value = m.at<cf>(in, i + items * q);
      if (q == 0 || 2 * q == radix)
        value.imag(0);
      else
        m.at<cf>(in, i + items * (radix - q)) = std::conj(value);
    }
  m.run(items, 1, [&](Item& item, int) {
    std::vector<cd> values;
    for (int q = 0; q < radix; ++q) values.emplace_back(item.load<cf>(in, item.id + items * q));
    values = transformed(values, 1);
    for (int p = 0; p < radix; ++p) item.store<float>(out, item.id + items * p, float(values[p].real()));
  });
}

// A whole small transform in each item.
void whole_inverse(Machine& m, int n) {
  const int half = n / 2 + 1, in = complex_buffer(m, "in", half * items, Signal::Random, 7);
  const int out = m.add("out", ElementType::Float, static_cast<std::uint64_t>(n * items));
  for (int i = 0; i < items; ++i)
    for (const int real : {0, n / 2}) m.at<cf>(in, i * half + real).imag(0);
  m.run(items, 1, [&](Item& item, int) {
    std::vector<cd> values;
    for (int q = 0; q < half; ++q) values.emplace_back(item.load<cf>(in, item.id * half + q));
    for (int q = half; q < n; ++q) values.push_back(std::conj(values[n - q]));
    values = transformed(values, 1);
    for (int p = 0; p < n; ++p) item.store<float>(out, item.id * n + p, float(values[p].real()));
  });
}

// The same forward, of real numbers side by side that are read as pairs.
void whole_forward(Machine& m, int n) {
  const int in = complex_buffer(m, "in", n / 2 * items, Signal::Random, 8), half = n / 2 + 1;
  const int out = m.add("out", ElementType::Float2, static_cast<std::uint64_t>(half * items));
  m.run(items, 1, [&](Item& item, int) {
    std::vector<cd> values;
    for (int q = 0; q < n / 2; ++q) {
      const cf pair = item.load<cf>(in, item.id * (n / 2) + q);
      values.emplace_back(pair.real());
      values.emplace_back(pair.imag());
    }
    values = transformed(values, -1);
    for (int p = 0; p < half; ++p) item.store<cf>(out, item.id * half + p, narrow(values[p]));
  });
}

const std::vector<RealCase>& real_cases() {
  static const std::vector<RealCase> all = {
      {"real to complex, radix 4", [](Machine& m) { first_pass(m, 4, -1); }, 4, items, -1, false},
      {"real to complex, radix 8", [](Machine& m) { first_pass(m, 8, -1); }, 8, items, -1, false},
      {"real to complex, radix 5, inverse", [](Machine& m) { first_pass(m, 5, 1); }, 5, items, 1, false},
      {"half of the outputs, radix 4", [](Machine& m) { last_pass(m, 4); }, 4, items, -1, true},
      {"half of the outputs, radix 16", [](Machine& m) { last_pass(m, 16); }, 16, items, -1, true},
      {"from half a spectrum, radix 4", [](Machine& m) { from_half(m, 4); }, 4, items, 1, false},
      {"from half a spectrum, radix 8", [](Machine& m) { from_half(m, 8); }, 8, items, 1, false},
      {"to real numbers, radix 4", [](Machine& m) { to_real(m, 4); }, 4, items, 1, false},
      {"to real numbers, radix 8", [](Machine& m) { to_real(m, 8); }, 8, items, 1, false},
      {"an inverse in each item", [](Machine& m) { whole_inverse(m, 16); }, 16, items, 1, false},
      {"a transform in each item", [](Machine& m) { whole_forward(m, 16); }, 16, items, -1, true},
  };
  return all;
}

}  // namespace

TEST_CASE("butterflies of real values, of half a spectrum and with outputs that nobody stored are found") {
  for (const RealCase& one : real_cases())
    for (const Words words : {Words::Typed, Words::Eight}) {
      CAPTURE(one.name);
      CAPTURE(int(words));
      Machine machine;
      machine.words = words;
      one.run(machine);
      const Lifted lifted = lift(machine.log, machine.info);
      CHECK(lifted.explained_writes == lifted.writes);
      int butterflies = 0;
      for (const LiftedOperation& op : lifted.operations) {
        if (op.kind != LiftedKind::Butterfly) continue;
        ++butterflies;
        CHECK(op.radix() == one.radix);
        CHECK(op.sign == one.sign);
        CHECK(op.partial() == one.partial);
        if (!op.partial()) continue;
        // What each output is of what was read.
        REQUIRE(op.coefficients == op.reads * op.writes);
        for (const cd c : lifted.coefficients_of(op)) CHECK(std::abs(c) == doctest::Approx(1));
      }
      CHECK(butterflies == one.butterflies);
    }
}

TEST_CASE("a real butterfly that is wrong by more than rounding is none") {
  for (const RealCase& one : real_cases()) {
    CAPTURE(one.name);
    Machine machine;
    one.run(machine);
    AccessLog log = machine.log;
    const std::uint64_t last = log.begin[6] - 1;  // item 5's
    log.value[last] = std::uint64_t(std::bit_cast<std::uint32_t>(
                          std::bit_cast<float>(static_cast<std::uint32_t>(log.value[last])) + 1e-2f)) |
                      (log.value[last] >> 32 << 32);
    const Lifted lifted = lift(log, machine.info);
    CHECK(lifted.explained_writes < lifted.writes);
    for (const LiftedOperation& op : lifted.operations)
      if (op.kind == LiftedKind::Butterfly) CHECK(op.item != 5);
  }
}

TEST_CASE("what is no butterfly of whole elements is its accesses, and stored outputs are their terms") {
  for (const RealCase& one : real_cases()) {
    CAPTURE(one.name);
    Machine machine;
    one.run(machine);
    const Lifted lifted = lift(machine.log, machine.info);
    const bool whole = std::string(one.name).starts_with("half of");
    int with_a_shape = 0;
    for (const LiftedOperation& op : lifted.operations)
      with_a_shape += shape_of(lifted, op, machine.log, machine.info) != Shape::None;
    CHECK(with_a_shape == (whole ? one.butterflies : 0));
    const LiftedBlocks blocks = operations_of(lifted, machine.log, machine.info, machine.info.launches[0]);
    CHECK(blocks.unknown_coefficients == 0);
    if (!whole) {
      CHECK(blocks.lifted == 0);
      continue;
    }
    // A term for each value that is read and each output, and a store for each output.
    const std::uint64_t outputs = static_cast<std::uint64_t>(one.butterflies * one.radix / 2);
    CHECK(blocks.lifted == outputs * static_cast<std::uint64_t>(one.radix));
    CHECK(blocks.loads_and_stores == outputs);
  }
}

TEST_CASE("two signals that one butterfly leaves in two rows are found") {
  for (const int radix : {2, 4, 8}) {
    CAPTURE(radix);
    Machine machine;
    two_signals(machine, radix);
    const Lifted lifted = lift(machine.log, machine.info);
    CHECK(lifted.explained_writes == lifted.writes);
    CHECK(lifted.operations.size() == items);
    for (const LiftedOperation& op : lifted.operations) {
      CHECK(op.kind == LiftedKind::Butterfly);
      CHECK(op.radix() == radix);
      CHECK(op.scale == doctest::Approx(1.0 / (radix * items)));
    }
  }
}

TEST_CASE("real parts of a butterfly's outputs are found by the factors that the item read, and wrong ones are not") {
  for (const int radix : {2, 4}) {
    CAPTURE(radix);
    Machine machine;
    real_parts_of(machine, radix);
    const Lifted lifted = lift(machine.log, machine.info);
    CHECK(lifted.explained_writes == lifted.writes);
    CHECK(lifted.table_reads.size() >= static_cast<std::size_t>(items * (radix - 1)));
    for (const LiftedOperation& op : lifted.operations) {
      CHECK(op.kind == LiftedKind::Linear);
      CHECK(op.radix() == radix);
      for (const cd c : lifted.coefficients_of(op)) CHECK(std::abs(c) == doctest::Approx(1.0 / (radix * items)));
      // No element of the trace is half of what was computed.
      CHECK(shape_of(lifted, op, machine.log, machine.info) == Shape::None);
    }
    AccessLog log = machine.log;
    const std::uint64_t last = log.begin[6] - 1;  // item 5's
    log.value[last] =
        std::bit_cast<std::uint32_t>(std::bit_cast<float>(static_cast<std::uint32_t>(log.value[last])) + 1e-2f);
    const Lifted wrong = lift(log, machine.info);
    CHECK(wrong.explained_writes < wrong.writes);
  }
}

TEST_CASE("a few sums of what was read are no butterfly") {
  Machine machine;
  const int in = complex_buffer(machine, "in", 8 * items, Signal::Random, 9);
  const int out = machine.add("out", ElementType::Float2, 4 * items);
  machine.run(items, 1, [&](Item& item, int) {
    std::vector<cf> x;
    for (int q = 0; q < 8; ++q) x.push_back(item.load<cf>(in, item.id + items * q));
    for (int p = 0; p < 4; ++p) item.store<cf>(out, item.id + items * p, x[p] + x[p + 4]);
  });
  const Lifted lifted = lift(machine.log, machine.info);
  CHECK(lifted.explained_writes == lifted.writes);
  for (const LiftedOperation& op : lifted.operations) CHECK(op.kind == LiftedKind::Sum);
}

TEST_CASE("what is put into local memory and never read from then on reaches no result") {
  Machine machine;
  machine.group_size = items;
  const int in = real_buffer(machine, "in", items, Signal::Random, 10);
  const int out = machine.add("out", ElementType::Float, items);
  const int local = machine.add("tile", ElementType::Float, 2 * items, Space::Local);
  machine.run(items, 2, [&](Item& item, int phase) {
    if (phase == 0) {
      const float x = item.load<float>(in, item.id);
      item.store<float>(local, item.local, x);
      item.store<float>(local, item.local + items, std::sin(x) + 3);  // nobody wants it
    } else {
      item.store<float>(out, item.id, item.load<float>(local, items - 1 - item.local));
    }
  });
  const Lifted lifted = lift(machine.log, machine.info);
  CHECK(lifted.idle_writes == items);
  CHECK(lifted.writes == 2 * items);
  CHECK(lifted.explained_writes == lifted.writes);
}
