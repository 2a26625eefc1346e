#include "viewer/graphs/phasor_chain.h"

#include "tracer/checks/complex_value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

namespace twiddle {
namespace {

using Complex = std::complex<double>;

/// How the values written are made of those read.
struct LinearMap {
  int reads = 0, writes = 0;
  std::array<std::array<Complex, max_legs>, max_legs> factor{};  // [written][read]
};

/// Relative to what was summed: float butterflies round a few times.
constexpr double explained = 1e-4;

bool explains(const LinearMap& map, const Operation& op) {
  for (int w = 0; w < map.writes; ++w) {
    Complex sum = 0;
    double size = 0;
    for (int r = 0; r < map.reads; ++r) {
      const Complex part = map.factor[w][r] * complex_of(op.reads[r].value);
      sum += part, size += std::abs(part);
    }
    if (!(std::abs(sum - complex_of(op.writes[w].value)) <= explained * size + 1e-30)) return false;
  }
  return true;
}

/// The first form of an operation that gives what was written.
std::optional<LinearMap> linear_map(const Operation& op) {
  for (const Access& access : op.reads)
    if (!access.known) return {};
  for (const Access& access : op.writes)
    if (!access.known) return {};
  std::vector<LinearMap> forms;
  const auto add = [&](std::vector<std::vector<Complex>> rows) {
    LinearMap map{op.reads.size(), op.writes.size(), {}};
    if (static_cast<int>(rows.size()) < map.writes) return;
    for (int w = 0; w < map.writes; ++w)
      for (int r = 0; r < map.reads && r < static_cast<int>(rows[static_cast<std::size_t>(w)].size()); ++r)
        map.factor[w][r] = rows[static_cast<std::size_t>(w)][static_cast<std::size_t>(r)];
    forms.push_back(map);
  };
  std::vector<Complex> c;
  for (const Value& value : op.coefficients) c.push_back(complex_of(value));
  switch (op.kind) {
    case OperationKind::Swap: add({{0, 1}, {1, 0}}); break;
    case OperationKind::Move: add({{1}}); break;
    case OperationKind::Combine: add({{1, 1}}); break;
    case OperationKind::Scale:
      if (!c.empty()) add({{c[0]}});
      break;
    case OperationKind::Butterfly:
      if (const Legs legs = legs_of(op.shape); legs.radix > 0 && static_cast<int>(c.size()) == legs.radix) {
        std::vector<std::vector<Complex>> rows(c.size(), std::vector<Complex>(c.size()));
        LegValues<double> factors;
        std::copy(c.begin(), c.end(), factors.begin());
        for (int q = 0; q < legs.radix; ++q) {
          LegValues<double> one{};
          one[q] = 1;
          const LegValues<double> column = transformed(legs, one, factors);
          for (std::size_t p = 0; p < c.size(); ++p) rows[p][static_cast<std::size_t>(q)] = column[p];
        }
        add(std::move(rows));
        break;
      }
      if (op.shape != Shape::Pack && op.reads.size() == 2 && c.size() == 1) {
        add({{1, c[0]}, {1, -c[0]}});
        add({{1, 1}, {c[0], -c[0]}});  // decimation in frequency
      }
      if (op.reads.size() == 4 && c.size() == 3)
        for (const double sign : {-1.0, 1.0}) {
          const Complex i{0, sign}, b = c[0], g = c[1], d = c[2];
          add({{1, b, g, d}, {1, i * b, -g, -i * d}, {1, -b, g, -d}, {1, -i * b, -g, i * d}});
        }
      break;
    default: break;
  }
  for (const LinearMap& form : forms)
    if (explains(form, op)) return form;
  return {};
}

using Element = std::tuple<int, std::uint64_t, std::uint64_t>;  // buffer, group, index

}  // namespace

std::optional<PhasorChain> phasor_chain(Document& document, int buffer, std::uint64_t index) {
  const TraceInfo& info = document.info();
  if (buffer < 0 || static_cast<std::size_t>(buffer) >= info.buffers.size()) return {};
  for (const BufferInfo& of : info.buffers)
    if (of.space == Space::Global && of.count > PhasorChain::max_points) return {};
  const auto group_of = [&](const Access& access, const Operation& op) -> std::uint64_t {
    if (access.buffer < 0 || info.buffers[static_cast<std::size_t>(access.buffer)].space != Space::Local) return 0;
    return info.launches[static_cast<std::size_t>(op.launch - 1)].group_of(op.item);
  };
  std::map<Element, Complex> weights{{{buffer, 0, index}, 1}};
  PhasorChain chain;
  Complex whole = 0;
  // Backwards, so that each operation hands the weight of what it wrote to what it read.
  for (int s = static_cast<int>(info.segments.size()) - 1; s >= -1; --s) {
    const auto state = document.replay->state_after(s);
    ChainLevel level{s, std::get<0>(weights.begin()->first), {}};
    Complex sum = 0;
    double size = 0;
    for (const auto& [element, weight] : weights) {
      const auto& [b, group, i] = element;
      Value value;
      value.type = info.buffers[static_cast<std::size_t>(b)].type;
      if (!state->read(b, group, i, std::span(value.bits).first(traits(value.type).bytes))) return {};
      level.vectors.push_back({i, weight, weight * complex_of(value)});
      sum += level.vectors.back().value, size += std::abs(level.vectors.back().value);
      if (b != level.buffer) return {};  // between two buffers: no column of a diagram
    }
    if (chain.levels.empty()) whole = sum;
    if (!(std::abs(sum - whole) <= explained * (size + std::abs(whole)) + 1e-30)) return {};
    if (chain.levels.empty() || chain.levels.back().vectors.size() != level.vectors.size() || s < 0) {
      // The inputs take the place of the state that they were only moved from.
      if (s < 0 && !chain.levels.empty() && chain.levels.back().vectors.size() == level.vectors.size())
        chain.levels.pop_back();
      chain.levels.push_back(std::move(level));
    } else {
      chain.levels.back().segment = std::min(chain.levels.back().segment, s);
    }
    if (s < 0) break;
    const Segment& segment = info.segments[static_cast<std::size_t>(s)];
    for (std::uint64_t step = segment.end_step(); step-- > segment.first_step;) {
      const Operation op = document.replay->operation(step);
      std::array<Complex, max_legs> out{};
      bool any = false;
      for (int w = 0; w < op.writes.size(); ++w) {
        const auto found = weights.find({op.writes[w].buffer, group_of(op.writes[w], op), op.writes[w].index});
        if (found == weights.end()) continue;
        out[static_cast<std::size_t>(w)] = found->second, any = true;
        weights.erase(found);
      }
      if (!any) continue;
      const std::optional<LinearMap> map = linear_map(op);
      if (!map) return {};
      for (int r = 0; r < op.reads.size(); ++r) {
        Complex weight = 0;
        for (int w = 0; w < op.writes.size(); ++w) weight += out[static_cast<std::size_t>(w)] * map->factor[w][r];
        if (weight != Complex(0)) weights[{op.reads[r].buffer, group_of(op.reads[r], op), op.reads[r].index}] += weight;
      }
    }
    if (weights.empty()) return {};
  }
  std::reverse(chain.levels.begin(), chain.levels.end());
  return chain;
}

const PhasorChain* phasor_chain_of(Document& document, int buffer, std::uint64_t index) {
  struct Kept {
    int buffer = -1;
    std::uint64_t index = 0;
    std::optional<PhasorChain> chain;
  };
  Kept& kept = document.kept<Kept>();
  if (kept.buffer != buffer || kept.index != index) kept = {buffer, index, phasor_chain(document, buffer, index)};
  return kept.chain ? &*kept.chain : nullptr;
}

}  // namespace twiddle
