// Data in even steps, as plans that count from zero have it: many sums of such values are equal. What is said of them has to hold
// for other data as well, or nothing is said.
#include "lift/lift_cases.h"
#include "tracer/lift/lift.h"

#include <doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <set>

using namespace twiddle;
using namespace twiddle::recorded;

namespace {

std::complex<double> component_of(const AccessLog& log, const LiftedOperation& op, std::uint64_t record, int byte) {
  const std::uint64_t bits = log.value[record] >> (8 * byte);
  if (op.number == Number::Whole)
    return double(op.component_bytes == 8 ? bits : bits & ((std::uint64_t(1) << (8 * op.component_bytes)) - 1));
  if (op.component_bytes == 8) return std::bit_cast<double>(bits);
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

std::complex<double> point_of(const AccessLog& log, const LiftedOperation& op, const LiftedPoint& point) {
  std::complex<double> value = component_of(log, op, point.record[0], point.byte[0]);
  if (point.complex)
    value += std::complex<double>(0, 1) *
             component_of(log, op, point.record[point.records == 2],
                          point.records == 2 ? point.byte[1] : point.byte[0] + op.component_bytes);
  return point.conjugated ? std::conj(value) : value;
}

// Does the operation hold for another run's values? Of butterflies, and what else has several outputs, nothing is asked.
bool holds(const Lifted& lifted, const LiftedOperation& op, const AccessLog& log) {
  if (op.writes != 1) return true;
  std::vector<std::complex<double>> in;
  for (const LiftedPoint& point : lifted.reads(op)) in.push_back(point_of(log, op, point));
  const std::complex<double> out = point_of(log, op, lifted.writes_of(op)[0]);
  const auto factors = lifted.coefficients_of(op);
  std::complex<double> expected = 0;
  double size = 0;
  const auto larger = [](auto a, auto b) { return a.real() < b.real(); };
  switch (op.kind) {
    case LiftedKind::Move: expected = in.size() == 2 ? std::complex(in[0].real(), in[1].real()) : in[0]; break;
    case LiftedKind::Minimum: expected = *std::min_element(in.begin(), in.end(), larger); break;
    case LiftedKind::Maximum: expected = *std::max_element(in.begin(), in.end(), larger); break;
    case LiftedKind::Product:
      expected = 1;
      for (const auto& value : in) expected *= value;
      break;
    case LiftedKind::Sum:
    case LiftedKind::Scale:
    case LiftedKind::Linear:
      expected = op.offset;
      size = std::abs(op.offset);
      for (std::size_t i = 0; i < in.size(); ++i) {
        const std::complex<double> term = op.kind == LiftedKind::Sum ? in[i] : factors[i] * in[i];
        expected += term;
        size += std::abs(term);
      }
      break;
    default: return true;
  }
  if (op.number == Number::Whole)
    return std::fmod(out.real() - expected.real(), std::exp2(8 * op.component_bytes)) == 0;
  return std::abs(out - expected) <= 1e-4 * (size + std::abs(expected));
}

// Items that read at some places from their own on, and write one sum of what they read.
template <typename T>
LiftCase sum_of(const char* name, std::vector<int> places, std::vector<double> factors, double offset) {
  return {name,
          [=](Machine& m, Signal signal, int seed) {
            const int n = 64 + *std::max_element(places.begin(), places.end());
            const int x =
                std::is_same_v<T, float> ? real_buffer(m, "x", n, signal, seed) : whole_buffer(m, "x", n, signal, seed);
            const int y = m.add("y", m.info.buffers[static_cast<std::size_t>(x)].type, 64);
            m.run(64, 1, [&](Item& it, int) {
              T sum = T(offset);
              for (std::size_t i = 0; i < places.size(); ++i) sum += T(factors[i]) * it.load<T>(x, it.id + places[i]);
              it.store<T>(y, it.id, sum);
            });
          },
          "", ""};
}

std::vector<LiftCase> sums() {
  std::vector<LiftCase> all = {
      sum_of<float>("weights and a bias", {0, 8}, {0.5, 0.25}, 3),
      sum_of<float>("weights of neighbours and a bias", {0, 1}, {0.5, 0.25}, 3),
      sum_of<float>("weights", {0, 8}, {0.5, 0.25}, 0),
      sum_of<float>("a smoothed value", {0, 1, 2}, {0.25, 0.5, 0.25}, 0),
      sum_of<float>("a mean of the middle", {0, 1, 2, 3}, {0, 1, 1, 0}, 0),
      sum_of<float>("a mean of the ends", {0, 1, 2, 3}, {1, 0, 0, 1}, 0),
      sum_of<float>("a difference", {0, 1}, {-1, 1}, 0),
      sum_of<float>("a central difference", {0, 1, 2}, {-0.5, 0, 0.5}, 0),
      sum_of<float>("a second difference", {0, 1, 2}, {1, -2, 1}, 0),
      sum_of<float>("an extrapolation", {0, 1}, {-1, 2}, 0),
      sum_of<float>("a sum less another value", {0, 1, 2}, {1, 1, -1}, 0),
      sum_of<float>("a predicted value", {1, 0, 2}, {1, -0.5, -0.5}, 0),
      sum_of<std::uint32_t>("words and another", {0, 8}, {1, 1}, 1),
      sum_of<std::uint32_t>("twice a word and its neighbour", {0, 1}, {2, 1}, 0),
      sum_of<std::uint32_t>("a mean of the middle, in words", {0, 1, 2, 3}, {0, 1, 1, 0}, 0),
      sum_of<std::uint32_t>("a word extrapolated", {0, 1}, {double(0xffffffffU), 2}, 0),
  };
  // As a matrix is gone through by columns: what is read does not count the items.
  const auto columns = [](Machine& m, Signal signal, int seed, auto of) {
    const int x = whole_buffer(m, "x", 65, signal, seed), y = m.add("y", ElementType::UInt, 64);
    m.run(64, 1, [&](Item& it, int) {
      const int at = it.id % 8 * 8 + it.id / 8;
      const std::uint32_t a = it.load<std::uint32_t>(x, at), b = it.load<std::uint32_t>(x, at + 1);
      it.store<std::uint32_t>(y, it.id, of(a, b));
    });
  };
  all.push_back({"columns of words, and one more",
                 [=](Machine& m, Signal signal, int seed) {
                   columns(m, signal, seed, [](std::uint32_t a, std::uint32_t b) { return a + b + 1; });
                 },
                 "", ""});
  all.push_back({"columns of words, three times",
                 [=](Machine& m, Signal signal, int seed) {
                   columns(m, signal, seed, [](std::uint32_t a, std::uint32_t b) { return 2 * a + b; });
                 },
                 "", ""});
  all.push_back({"a number and its index",
                 [](Machine& m, Signal signal, int seed) {
                   const int x = real_buffer(m, "x", 64, signal, seed), y = m.add("y", ElementType::Float, 64);
                   m.run(64, 1,
                         [&](Item& it, int) { it.store<float>(y, it.id, it.load<float>(x, it.id) + float(it.id)); });
                 },
                 "", ""});
  // What a table of indices names, and numbers of the same kind.
  all.push_back({"gathered words",
                 [](Machine& m, Signal signal, int seed) {
                   const int x = whole_buffer(m, "x", 64, signal, seed),
                             indices = m.add("indices", ElementType::UInt, 64), y = m.add("y", ElementType::UInt, 64);
                   for (int j = 0; j < 64; ++j)
                     m.at<std::uint32_t>(indices, j) = static_cast<std::uint32_t>(j * 5 % 64);
                   m.run(64, 1, [&](Item& it, int) {
                     it.store<std::uint32_t>(y, it.id,
                                             it.load<std::uint32_t>(x, it.load<std::uint32_t>(indices, it.id)));
                   });
                 },
                 "", ""});
  // One of two from another place: both are as they were read.
  all.push_back({"rows added to columns",
                 [](Machine& m, Signal signal, int seed) {
                   const int a = real_buffer(m, "a", 64, signal, seed), b = real_buffer(m, "b", 64, signal, seed + 1),
                             y = m.add("y", ElementType::Float, 64);
                   m.run(64, 1, [&](Item& it, int) {
                     const int at = it.id % 8 * 8 + it.id / 8;
                     const float p = it.load<float>(a, it.id), q = it.load<float>(b, at);
                     it.store<float>(y, it.id, 0.5f * p + 0.25f * q + 2);
                   });
                 },
                 "", ""});
  return all;
}

}  // namespace

TEST_CASE("what is said of data in even steps holds for other data") {
  std::vector<LiftCase> cases = sums();
  for (LiftCase& one : other_cases()) cases.push_back(std::move(one));
  // What is not larger than another value depends on data.
  const std::set<std::string> by_data = {"sort"};
  for (const LiftCase& one : cases) {
    if (by_data.contains(one.name)) continue;
    CAPTURE(one.name);
    Machine even, random;
    one.run(even, Signal::Ramp, 7);
    one.run(random, Signal::Random, 7);
    REQUIRE(even.log.size() == random.log.size());
    const Lifted lifted = lift(even.log, even.info);
    std::set<std::string> wrong;
    for (const LiftedOperation& op : lifted.operations)
      if (!holds(lifted, op, random.log)) wrong.insert(std::string(name_of(op.kind)));
    for (const std::string& kind : wrong) CHECK_MESSAGE(kind == "", one.name);
    // And runs on other data tell what these do not.
    const Lifted probed = lift(even.log, probes_of(one.run, 24), even.info);
    for (const LiftedOperation& op : probed.operations) CHECK(holds(probed, op, random.log));
  }
}

TEST_CASE("small negative words are in no step with each other") {
  Machine machine;
  const int a = machine.add("a", ElementType::Int, 64), b = machine.add("b", ElementType::Int, 64),
            y = machine.add("y", ElementType::Int, 64);
  std::mt19937 random(3);
  for (int j = 0; j < 64; ++j)
    for (const int buffer : {a, b}) machine.at<std::int32_t>(buffer, j) = -1 - static_cast<std::int32_t>(random() % 50);
  machine.run(64, 1, [&](Item& it, int) {
    const std::int32_t one = it.load<std::int32_t>(a, it.id);
    it.load<std::int32_t>(b, it.id);
    it.store<std::int32_t>(y, it.id, one);
  });
  const Lifted lifted = lift(machine.log, machine.info);
  CHECK(lifted.operations.size() == 64);
  for (const LiftedOperation& op : lifted.operations) CHECK(op.kind == LiftedKind::Move);
}
