// Operations from accesses: every family, in words of several kinds, from several signals.
#include "lift/lift_cases.h"
#include "sample.h"
#include "tracer/lift/lift.h"

#include <doctest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <span>

using namespace twiddle;
using namespace twiddle::recorded;

namespace {

// "butterfly2 x16, move x32"
std::string summary(const Lifted& lifted) {
  std::map<std::string, int> counts;
  for (const LiftedOperation& op : lifted.operations) {
    std::string name(name_of(op.kind));
    const bool single = op.kind == LiftedKind::Move || op.kind == LiftedKind::Scale || op.kind == LiftedKind::Rotate ||
                        op.kind == LiftedKind::Constant || op.kind == LiftedKind::Atomic || op.kind == LiftedKind::Pack;
    if (!single) name += std::to_string(op.reads);
    ++counts[name];
  }
  std::string text;
  for (const auto& [name, count] : counts) text += (text.empty() ? "" : ", ") + name + " x" + std::to_string(count);
  return text;
}

std::vector<LiftCase> lift_cases() {
  std::vector<LiftCase> cases = butterfly_cases();
  for (LiftCase& one : other_cases()) cases.push_back(std::move(one));
  return cases;
}

}  // namespace

TEST_CASE("a kernel's accesses are the operations that it computed") {
  for (const LiftCase& one : lift_cases())
    for (const Words words : {Words::Typed, Words::Four, Words::Eight}) {
      CAPTURE(one.name);
      CAPTURE(static_cast<int>(words));
      Machine machine;
      machine.words = words;
      one.run(machine, Signal::Random, 7);
      const Lifted lifted = lift(machine.log, machine.info);
      CHECK(summary(lifted) == one.operations);
      CHECK(lifted.unexplained_writes.size() + lifted.explained_writes == lifted.writes);
      if (!one.operations.empty()) CHECK(lifted.explained_writes == lifted.writes);
    }
}

TEST_CASE("windows of items are lifted as the whole is") {
  for (const LiftCase& one : other_cases()) {
    CAPTURE(one.name);
    Machine machine;
    one.run(machine, Signal::Random, 7);
    const Lifted whole = lift(machine.log, machine.info);
    // Cut into windows of 5 items.
    std::size_t operations = 0;
    std::uint64_t explained = 0;
    for (std::uint64_t from = 0; from < machine.log.items(); from += 5) {
      const std::uint64_t to = std::min<std::uint64_t>(from + 5, machine.log.items());
      AccessLog window;
      window.sites = machine.log.sites;
      window.first_item = from;
      for (std::uint64_t item = from; item <= to; ++item)
        window.begin.push_back(machine.log.begin[item] - machine.log.begin[from]);
      const auto cut = [&](const auto& column) {
        return std::decay_t<decltype(column)>(column.begin() + static_cast<std::ptrdiff_t>(machine.log.begin[from]),
                                              column.begin() + static_cast<std::ptrdiff_t>(machine.log.begin[to]));
      };
      window.site = cut(machine.log.site);
      window.buffer = cut(machine.log.buffer);
      window.offset = cut(machine.log.offset);
      window.value = cut(machine.log.value);
      const Lifted part = lift(window, machine.info);
      operations += part.operations.size();
      explained += part.explained_writes;
      for (const LiftedOperation& op : part.operations) {
        CHECK(op.item >= from);
        CHECK(op.item < to);
      }
    }
    // What few items decide is decided alike; factors that are the same for all need many.
    if (one.operations.find("linear") == std::string::npos) {
      CHECK(operations == whole.operations.size());
      CHECK(explained == whole.explained_writes);
    }
  }
}

TEST_CASE("a ramp's values say the same, where they say anything") {
  for (const LiftCase& one : lift_cases()) {
    CAPTURE(one.name);
    Machine machine;
    one.run(machine, Signal::Ramp, 7);
    const Lifted lifted = lift(machine.log, machine.info);
    if (one.ramp_operations != "undecided")
      CHECK(summary(lifted) == (one.ramp_operations.empty() ? one.operations : one.ramp_operations));
  }
}

TEST_CASE("an impulse's zeros are never taken for something else") {
  Sample sample(1);
  for (const LiftCase& one : lift_cases()) {
    if (sample.skips()) continue;
    CAPTURE(one.name);
    Machine machine;
    one.run(machine, Signal::Impulse, 7);
    const Lifted lifted = lift(machine.log, machine.info);
    CAPTURE(summary(lifted));
    std::string wrong;
    for (const LiftedOperation& op : lifted.operations)
      if (one.operations.find(name_of(op.kind)) == std::string::npos && one.name != "square") wrong = name_of(op.kind);
    CHECK(wrong == "");  // the square of 1 is 1, and so a move
  }
}

TEST_CASE("probes decide what one run's values do not") {
  const auto scattered = [](Machine& m, Signal signal, int seed) {
    // Radix 4 of points at places without a rule, between loads of other ones.
    const int x = complex_buffer(m, "x", 64, signal, seed), y = m.add("y", ElementType::Float2, 64);
    m.run(8, 1, [&](Item& it, int) {
      const int places[8] = {0, 5, 1, 7, 2, 6, 3, 4};
      std::vector<cf> all, a, b;
      for (int k = 0; k < 8; ++k) all.push_back(it.load<cf>(x, places[k] + 8 * it.id));
      for (int k = 0; k < 4; ++k) {
        a.push_back(narrow(cd(all[(3 * k) % 8]) * unit(-double(it.id * k) / 64)));
        b.push_back(narrow(cd(all[(3 * k + 4) % 8]) * unit(-double(it.id * k) / 32)));
      }
      a = small_transform(a, -1);
      b = small_transform(b, -1);
      const int to[8] = {4, 1, 6, 0, 3, 7, 5, 2};
      for (int k = 0; k < 4; ++k) it.store<cf>(y, to[k] + 8 * it.id, a[k]);
      for (int k = 0; k < 4; ++k) it.store<cf>(y, to[4 + k] + 8 * it.id, b[k]);
    });
  };
  const auto own_weights = [](Machine& m, Signal signal, int seed) {
    const int x = real_buffer(m, "x", 128, signal, seed), y = m.add("y", ElementType::Float, 64);
    m.run(64, 1, [&](Item& it, int) {
      const float a = it.load<float>(x, it.id), b = it.load<float>(x, it.id + 64);
      it.store<float>(y, it.id, (0.5f + 0.01f * float(it.id)) * a - 0.25f * float(it.id % 5 + 1) * b);
    });
  };
  const std::vector<LiftCase> cases = {
      {"points without a rule", scattered, "butterfly4 x16", ""},
      {"weights of each item's own", own_weights, "linear2 x64", ""},
      {"an impulse's radix 4", stage_of({.radix = 4}), "butterfly4 x16", ""},
      {"an impulse's bit reversal", bit_reversal, "move x56", ""},
      {"an impulse's sums", first_add, "sum2 x64", ""},
      {"a table", with_table, "butterfly2 x32", ""},
  };
  for (const LiftCase& one : cases)
    for (const Signal signal : {Signal::Random, Signal::Impulse}) {
      CAPTURE(one.name);
      Machine machine;
      one.run(machine, signal, 7);
      const Lifted lifted = lift(machine.log, probes_of(one.run, 24), machine.info);
      CHECK(summary(lifted) == one.operations);
      CHECK(lifted.explained() == 1);
      // Twiddles of zeros come from the probes.
      for (const std::complex<double>& c : lifted.coefficients) CHECK(!std::isnan(c.real()));
    }
}

TEST_CASE("a constant, and parts read long ago, are told by probes where zeros were read") {
  const auto constant = [](Machine& m, Signal signal, int seed) {
    const int x = signal == Signal::Random ? real_buffer(m, "x", 64, signal, seed) : m.add("x", ElementType::Float, 64);
    const int y = m.add("y", ElementType::Float, 64);
    m.run(64, 1, [&](Item& it, int) {
      const float value = it.load<float>(x, it.id);
      it.store<float>(y, it.id, value > 1 ? value : 0.25f);
    });
  };
  // Real and imaginary parts are read before another store, and zeros behind it.
  const auto parts = [](Machine& m, Signal signal, int seed) {
    const int x = real_buffer(m, "x", 128, signal == Signal::Impulse ? Signal::Random : signal, seed);
    const int zeros = m.add("zeros", ElementType::Float, 64), y = m.add("y", ElementType::Float, 64),
              z = m.add("z", ElementType::Float2, 64);
    m.run(64, 1, [&](Item& it, int) {
      const float re = it.load<float>(x, it.id), im = it.load<float>(x, it.id + 64);
      it.store<float>(y, it.id, re);
      const float zero = it.load<float>(zeros, it.id);
      it.store<cf>(z, it.id, cf(re, im) + zero);
    });
  };
  struct Case {
    const char* name;
    std::function<void(Machine&, Signal, int)> run;
    const char *alone, *few, *probed;  // as 2 probes say, and 8
  };
  for (const Case& one : {Case{"constant", constant, "", "constant x64", "constant x64"},
                          Case{"parts", parts, "move x64", "move x64", "move x128"}}) {
    CAPTURE(one.name);
    Machine machine;
    one.run(machine, Signal::Impulse, 7);
    CHECK(summary(lift(machine.log, machine.info)) == one.alone);
    const std::vector<AccessLog> probes = probes_of(one.run, 8);
    CHECK(summary(lift(machine.log, probes, machine.info)) == one.probed);
    CHECK(summary(lift(machine.log, std::span(probes).first(2), machine.info)) == one.few);
  }
}

TEST_CASE("twiddles are exact") {
  for (const bool table : {false, true}) {
    Machine machine;
    if (table)
      with_table(machine, Signal::Random, 3);
    else
      stage_of({.radix = 2, .n = 64, .stride = 32})(machine, Signal::Random, 3);
    const Lifted lifted = lift(machine.log, machine.info);
    REQUIRE(lifted.operations.size() == 32);
    for (const LiftedOperation& op : lifted.operations) {
      const cf w = narrow(unit(-double(op.item) / 64));
      const cf found = narrow(lifted.coefficients_of(op)[1]);
      CHECK(std::abs(found - w) <= 1e-7f);
      CHECK(lifted.table_reads_of(op).size() == (table ? 1 : 0));
    }
  }
}

TEST_CASE("a twiddle that turns a small value makes the outputs what they are") {
  constexpr int item = 10;
  const cf w = narrow(unit(-double(item) / 64));
  for (const bool time : {true, false})
    for (const float small : {1.0f, 1e-2f, 1e-3f, 3e-4f, 1e-4f, 1e-5f, 1e-6f, 1e-7f, 0.0f}) {
      CAPTURE(time);
      CAPTURE(small);
      Machine machine;
      const int x = complex_buffer(machine, "x", 64, Signal::Random, 3);
      const cf a = machine.at<cf>(x, item);
      machine.at<cf>(x, item + 32) = time ? small * machine.at<cf>(x, item + 32) : a * (1 - small);
      const cf b = machine.at<cf>(x, item + 32), turned = time ? b : a - b;
      machine.run(32, 1, [&](Item& it, int) {
        const cd turn = unit(-double(it.id) / 64);
        const cf even = it.load<cf>(x, it.id), odd = it.load<cf>(x, it.id + 32);
        const cf t = time ? narrow(cd(odd) * turn) : odd;
        it.store<cf>(x, it.id, even + t);
        it.store<cf>(x, it.id + 32, time ? even - t : narrow(cd(even - t) * turn));
      });
      const Lifted lifted = lift(machine.log, machine.info);
      REQUIRE(summary(lifted) == "butterfly2 x32");
      for (const LiftedOperation& op : lifted.operations) {
        if (op.item != item) continue;
        REQUIRE(op.decimation_in_time == time);
        cd found = lifted.coefficients_of(op)[1];
        if (small >= 1e-3f) CHECK(std::abs(narrow(found) - w) <= 1e-7f);
        if (std::isnan(found.real())) found = 1;  // nothing tells it, and it changes nothing
        CHECK(std::abs(found - cd(w)) * std::abs(turned) <= 2e-6 * (std::abs(a) + std::abs(b)));
      }
    }
}

TEST_CASE("what is wrong by more than rounding is not lifted") {
  Machine machine;
  stage_of({.radix = 4})(machine, Signal::Random, 3);
  // The last store of item 5 is off by a thousandth.
  AccessLog log = machine.log;
  const std::uint64_t last = log.begin[6] - 1;
  float value = 0;
  std::memcpy(&value, &log.value[last], sizeof value);
  value += 1e-3f;
  std::memcpy(&log.value[last], &value, sizeof value);
  const Lifted lifted = lift(log, machine.info);
  CHECK(summary(lifted) == "butterfly4 x15");
  CHECK(lifted.unexplained_writes.size() == 4);
  CHECK(lifted.loose.size() == 8);
}

TEST_CASE("what is added is the number that was, and a count of the items says nothing") {
  for (const Signal signal : {Signal::Random, Signal::Ramp}) {
    Machine machine;
    with_scalars(machine, real_buffer(machine, "x", 64, signal, 5), 1.0f, 0.7f);
    // One item does something else.
    const std::uint64_t other = machine.log.begin[13] + 1;
    const float wrong = 3.5f;
    std::memcpy(&machine.log.value[other], &wrong, sizeof wrong);
    const Lifted lifted = lift(machine.log, machine.info);
    if (signal == Signal::Ramp) {
      CHECK(lifted.operations.empty());
      continue;
    }
    CHECK(lifted.unexplained_writes == std::vector<std::uint64_t>{other});
    REQUIRE(lifted.operations.size() == 63);
    for (const LiftedOperation& op : lifted.operations) {
      CHECK(op.offset == std::complex<double>(0.7f));
      CHECK(lifted.coefficients_of(op)[0] == 1.0);
    }
  }
}
