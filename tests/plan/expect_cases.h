// A plan of buffers with an [expect] table and what they hold before and after a run, for tests of outcomes.
#pragma once

#include "kernels/catalogue/reference.h"
#include "kernels/signal/signal.h"
#include "plan_folder.h"

#include <doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace twiddle::expect_tests {

using Complex = std::complex<double>;
using Values = std::vector<Complex>;

inline const double pi = std::acos(-1.0);

// Numbers without a pattern: what a wrong index gives is never right by chance.
inline Values noise(std::size_t count, std::uint64_t seed = 1) {
  return make_image(parse_signal("random:" + std::to_string(seed)), 1, count).values;
}
inline Values whole_noise(std::size_t count, double low, double high, std::uint64_t seed = 1) {
  Values values = noise(count, seed);
  for (Complex& value : values) value = std::floor(low + (value.real() + 0.5) * (high - low + 1));
  return values;
}

inline std::vector<std::byte> bytes_of(const Buffer& buffer, const Values& values) {
  std::vector<std::byte> bytes(buffer.count * traits(buffer.type).bytes);
  for (std::size_t i = 0; i < std::min<std::size_t>(values.size(), buffer.count); ++i) {
    std::byte* element = bytes.data() + i * traits(buffer.type).bytes;
    set_component(buffer.type, element, 0, values[i].real());
    if (traits(buffer.type).components == 2) set_component(buffer.type, element, 1, values[i].imag());
  }
  return bytes;
}

// A plan of buffers "NAME TYPE COUNT[ SHAPE]" with an [expect] table, and their contents before and after a run.
struct Case {
  std::vector<std::string> buffers;
  std::string expect;
  std::map<std::string, Values> first, last;
};

class Run {
 public:
  explicit Run(const Case& one) : case_(one) {
    std::string text = "title = \"t\"\n";
    for (const std::string& buffer : one.buffers) {
      const std::size_t type = buffer.find(' '), count = buffer.find(' ', type + 1),
                        shape = buffer.find(' ', count + 1);
      text += "[[buffer]]\nname = \"" + buffer.substr(0, type) + "\"\ntype = \"" +
              buffer.substr(type + 1, count - type - 1) + "\"\ncount = " + buffer.substr(count + 1, shape - count) +
              "\n";
      if (shape != std::string::npos) text += "shape = " + buffer.substr(shape + 1) + "\n";
    }
    plan = folder.read(text + "[expect]\n" + one.expect);
    contents.first = [this](std::size_t b) { return content(b, case_.first); };
    contents.last = [this](std::size_t b) { return content(b, case_.last); };
  }
  PlanFolder folder;
  Plan plan;
  RunContents contents;

 private:
  std::vector<std::byte> content(std::size_t b, const std::map<std::string, Values>& values) const {
    const auto found = values.find(plan.buffers[b].name);
    return bytes_of(plan.buffers[b], found == values.end() ? Values{} : found->second);
  }
  Case case_;
};

inline Values real(Values values) {
  for (Complex& value : values) value = value.real();
  return values;
}
// Right as it is; and wrong, at that very element, once any element of a result is another. `results` lists the elements of
// the output that are results: all of them where it is empty.
inline void check_case(const Case& one, std::vector<std::size_t> results = {}) {
  CAPTURE(one.expect);
  const Run run(one);
  const Verdict right = verify(run.plan, run.contents);
  CHECK_MESSAGE(right.pass, right.reason);
  CHECK(compare(run.plan, run.contents).pass);
  CHECK(read_plan_file(run.folder.write("again.toml", to_toml(run.plan, ".cl"))).expect == run.plan.expect);

  const Buffer& out = *run.plan.buffer_named(run.plan.expect.output);
  const bool all = results.empty();
  if (all)
    for (std::size_t i = 0; i < out.count; ++i) results.push_back(i);
  const auto outcome_with = [&](std::size_t element) {
    Case other = one;
    Values& values = other.last.at(out.name);
    values.resize(std::max<std::size_t>(values.size(), out.count));
    values[element] += 3.0;
    const Run changed(other);
    return compare(changed.plan, changed.contents);
  };
  for (std::size_t i = 0; i < out.count; ++i) {
    CAPTURE(i);
    const Outcome outcome = outcome_with(i);
    const bool result = std::find(results.begin(), results.end(), i) != results.end();
    CHECK(outcome.pass == !result);
    if (result) CHECK(outcome.element == i);
  }
}

}  // namespace twiddle::expect_tests
