#include "tracer/repair/locate/locate.h"

#include "kernels/catalogue/reference.h"
#include "tracer/repair/locate/refit.h"
#include "tracer/repair/locate/value_flow.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <complex>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <utility>

namespace twiddle {
namespace {

using Complex = std::complex<double>;

constexpr std::size_t max_outputs = 4096;
constexpr std::size_t max_pass = 4000000;  // multiplications of one pass

class Locator {
 public:
  Locator(const Plan& plan, Runtime& runtime, const std::function<bool()>& late)
      : plan_(plan), runtime_(runtime), late_(late) {}

  Located run() {
    Located located;
    using Transform = Expect::Transform;
    if (!traits(plan_.expect.transform).linear && plan_.expect.transform != Transform::Equals) return located;
    shape_ = shape_of_expectation(plan_);
    if (!choose_inputs()) return located;
    flow_ = value_flow_of(plan_, runtime_, inputs_);
    if (!flow_ || flow_->inputs.empty()) return located;
    if (!outputs()) return located;
    const FlowFit fit(*flow_, wanted_);
    if (fit.pass() > max_pass || fit.error() < 1e-3) return located;
    located.known = true;
    try_lines(fit, located);
    return located;
  }

 private:
  bool choose_inputs() {
    std::set<std::size_t> all;
    if (plan_.expect.transform == Expect::Transform::Equals) {
      for (std::size_t b = 0; b < plan_.buffers.size(); ++b)
        if (plan_.buffers[b].content.kind == Content::Kind::Signal) all.insert(b);
    } else {
      for (const std::size_t b : {shape_.from.buffer, shape_.from.imaginary})
        if (b != PointMap::none) all.insert(b);
    }
    for (const std::size_t b : all)
      if (!traits(plan_.buffers[b].type).floating || component_bytes_of(plan_.buffers[b].type) < 4) return false;
    inputs_.assign(all.begin(), all.end());
    return !inputs_.empty();
  }

  // Where the parts of a point are: bytes in buffers.
  struct Parts {
    ValueFlow::Place real, imaginary;
    bool whole = false;    // one complex value
    bool is_real = false;  // there is no imaginary part
  };
  Parts parts_of(const PointMap& map, std::uint64_t transform, std::uint64_t i) const {
    const std::uint64_t bytes = component_bytes_of(plan_.buffers[map.buffer].type);
    const std::uint64_t at = map.point(transform, i) * static_cast<std::uint64_t>(map.grain) * bytes;
    Parts parts;
    parts.real = {map.buffer, at};
    if (map.imaginary != PointMap::none)
      parts.imaginary = {map.imaginary, at};
    else if (map.grain == 2 && flow_->complex)
      parts.whole = true;
    else if (map.grain == 2)
      parts.imaginary = {map.buffer, at + bytes};
    else
      parts.is_real = true;
    return parts;
  }
  std::int64_t value_at(const ValueFlow::Place& place) const {
    const auto found = flow_->last.find(place);
    return found == flow_->last.end() ? -1 : static_cast<std::int64_t>(found->second);
  }
  const Complex* input_at(const ValueFlow::Place& place) const {
    const auto found = flow_->inputs.find(place);
    return found == flow_->inputs.end()
               ? nullptr
               : wanted_.inputs.data() + static_cast<std::size_t>(found->second) * wanted_.directions;
  }

  bool outputs() {
    // As many random inputs as tell the functions apart that outputs are of inputs.
    const std::size_t n = flow_->inputs.size();
    const std::uint64_t results = shape_.batch * shape_.to.length();
    if (results == 0 || results > max_outputs) return false;
    std::size_t factors = 0;
    for (const ValueFlow::Value& value : flow_->values) factors += value.reads.size();
    const bool in_parts = !flow_->complex && (shape_.to.grain == 2 || shape_.to.imaginary != PointMap::none);
    const std::size_t equations = static_cast<std::size_t>(results) * (in_parts ? 2 : 1);
    wanted_.directions = std::min(n, std::max<std::size_t>(12, 5 * factors / (4 * equations) + 2));
    std::mt19937_64 generator(1);
    std::uniform_real_distribution<double> one(-1, 1);
    wanted_.inputs.resize(n * wanted_.directions);
    for (Complex& number : wanted_.inputs) number = {one(generator), flow_->complex ? one(generator) : 0};
    return plan_.expect.transform == Expect::Transform::Equals ? equal_outputs() : expected_outputs();
  }

  void add_output(const ValueFlow::Place& place, const std::vector<Complex>& row) {
    wanted_.outputs.push_back(value_at(place));
    wanted_.wanted.insert(wanted_.wanted.end(), row.begin(), row.end());
  }

  bool expected_outputs() {
    const std::size_t width = wanted_.directions;
    std::vector<Complex> operand;
    if (shape_.operand != PointMap::none)
      operand = operand_of(plan_, shape_, first_content(plan_, plan_.buffers[shape_.operand]));
    std::vector<std::vector<Complex>> right(width);
    for (std::size_t p = 0; p < width; ++p) {
      std::vector<Complex> x;
      for (std::uint64_t t = 0; t < shape_.batch; ++t)
        for (std::uint64_t i = 0; i < shape_.from.length(); ++i) {
          const Parts parts = parts_of(shape_.from, t, i);
          const auto part = [&](const ValueFlow::Place& place) {
            // What is never read is zero: whether it should be read is not known here.
            const Complex* numbers = input_at(place);
            return numbers ? numbers[p] : Complex(0);
          };
          x.push_back(parts.whole || parts.is_real ? part(parts.real)
                                                   : Complex(part(parts.real).real(), part(parts.imaginary).real()));
        }
      right[p] = reference(plan_.expect, shape_, x, operand);
    }
    std::uint64_t k = 0;
    for (std::uint64_t t = 0; t < shape_.batch; ++t)
      for (std::uint64_t i = 0; i < shape_.to.length(); ++i, ++k) {
        const Parts parts = parts_of(shape_.to, t, i);
        std::vector<Complex> row(width), imaginary(width);
        for (std::size_t p = 0; p < width; ++p) {
          if (k >= right[p].size()) return false;
          row[p] = parts.whole ? right[p][k] : right[p][k].real();
          imaginary[p] = right[p][k].imag();
        }
        add_output(parts.real, row);
        if (!parts.whole && !parts.is_real) add_output(parts.imaginary, imaginary);
      }
    return true;
  }

  // What another buffer holds at the end, which the plan itself computes from the same input.
  bool equal_outputs() {
    const auto other = plan_.buffer_index(plan_.expect.operand), own = plan_.buffer_index(plan_.expect.output);
    if (!other || !own) return false;
    WantedFlow nothing = wanted_;
    std::vector<std::pair<std::int64_t, ValueFlow::Place>> all;
    for (const auto& [place, value] : flow_->last)
      if (place.first == other) {
        all.push_back({value, {*own, place.second}});
        held_.insert(static_cast<std::uint32_t>(value));
      }
    if (all.empty()) return false;
    // What it is made of has to stay.
    std::vector<std::vector<Complex>> numbers(flow_->values.size());
    for (std::size_t v = 0; v < flow_->values.size(); ++v) {
      const ValueFlow::Value& value = flow_->values[v];
      numbers[v].assign(wanted_.directions, 0);
      if (value.input >= 0)
        std::copy_n(wanted_.inputs.data() + static_cast<std::size_t>(value.input) * wanted_.directions,
                    wanted_.directions, numbers[v].data());
      for (std::size_t r = 0; r < value.reads.size(); ++r)
        for (std::size_t p = 0; p < wanted_.directions; ++p)
          numbers[v][p] += value.factors[r] * numbers[value.reads[r]][p];
    }
    for (const auto& [value, place] : all) add_output(place, numbers[static_cast<std::size_t>(value)]);
    for (std::uint32_t v = static_cast<std::uint32_t>(flow_->values.size()); v-- > 0;)
      if (held_.count(v)) held_.insert(flow_->values[v].reads.begin(), flow_->values[v].reads.end());
    return true;
  }

  LocatedStores tried(const FlowFit& fit, const std::string& file, const std::string& function,
                      const std::set<int>& lines) const {
    LocatedStores one;
    one.file = file;
    one.function = function;
    one.lines.assign(lines.begin(), lines.end());
    const auto free = [&](const ValueFlow::Value& value) {
      const AccessSite& site = flow_->sites[static_cast<std::size_t>(value.site)];
      return site.file == file && site.function == function && (lines.empty() || lines.count(site.line)) &&
             !held_.count(static_cast<std::uint32_t>(&value - flow_->values.data()));
    };
    const Refit found = fit.refit(free, late_);
    one.right = found.right;
    one.left = found.left;
    std::set<std::uint32_t> values;
    for (const ChangedFactor& change : found.changes) values.insert(change.value);
    one.changed = values.size();
    return one;
  }

  void try_lines(const FlowFit& fit, Located& located) {
    std::map<std::pair<std::string, std::string>, std::set<int>> kernels;
    for (const AccessSite& site : flow_->sites) kernels[{site.file, site.function}].insert(site.line);
    for (const auto& [kernel, lines] : kernels) {
      const auto& [file, function] = kernel;
      LocatedStores whole = tried(fit, file, function, {});
      if (late_()) return;
      located.stores.push_back(whole);
      if (!can_be(whole)) continue;  // nor can one of its lines
      bool one_can = false;
      for (const int line : lines) {
        LocatedStores one = tried(fit, file, function, {line});
        if (late_()) return;
        one_can = one_can || can_be(one);
        located.stores.push_back(std::move(one));
      }
      // The fewest together: without each of them in turn.
      std::set<int> fewest = lines;
      for (auto line = lines.rbegin(); line != lines.rend() && !one_can && lines.size() > 1; ++line) {
        if (fewest.size() == 1) break;
        std::set<int> rest = fewest;
        rest.erase(*line);
        const LocatedStores one = tried(fit, file, function, rest);
        if (late_()) break;
        if (can_be(one)) fewest = std::move(rest);
      }
      if (!one_can && fewest.size() < lines.size()) {
        LocatedStores few = whole;
        few.lines.assign(fewest.begin(), fewest.end());
        located.stores.push_back(std::move(few));
      }
    }
  }

  const Plan& plan_;
  Runtime& runtime_;
  const std::function<bool()>& late_;
  ExpectShape shape_;
  std::vector<std::size_t> inputs_;
  std::optional<ValueFlow> flow_;
  WantedFlow wanted_;
  std::set<std::uint32_t> held_;  // values that what is compared with is made of
};

}  // namespace

Located locate(const Plan& plan, Runtime& runtime, const std::function<bool()>& late) {
  return Locator(plan, runtime, late).run();
}

bool can_be(const LocatedStores& stores) {
  // What is left is rounding, and that there are a few steps too few.
  constexpr double little = 0.02;
  return stores.right || stores.left <= little;
}

std::string to_text(const Located& located) {
  std::string text = located.known ? "known\n" : "unknown\n";
  for (const LocatedStores& one : located.stores)
    text += fmt::format("{} {:.6f} {}\t{}\t{}\t{}\n", one.right ? 1 : 0, one.left, one.changed,
                        fmt::join(one.lines, " "), one.function, one.file);
  return text;
}

Located located_from(const std::string& text) {
  Located located;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  located.known = line == "known";
  while (std::getline(lines, line)) {
    LocatedStores one;
    std::istringstream words(line);
    int right = 0;
    words >> right >> one.left >> one.changed;
    words.ignore(1);
    std::string numbers;
    std::getline(words, numbers, '\t');
    std::istringstream each(numbers);
    for (int number = 0; each >> number;) one.lines.push_back(number);
    std::getline(words, one.function, '\t');
    std::getline(words, one.file);
    one.right = right != 0;
    located.stores.push_back(one);
  }
  return located;
}

}  // namespace twiddle
