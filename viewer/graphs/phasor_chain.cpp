#include "viewer/graphs/phasor_chain.h"

#include "tracer/checks/complex_value.h"
#include "viewer/graphs/linear_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

namespace twiddle {
namespace {

using Complex = std::complex<double>;

/// Relative to what was summed: float butterflies round a few times.
constexpr double explained = 1e-4;

using Element = std::tuple<int, std::uint64_t, std::uint64_t>;  // buffer, group, index

/// What is stored after it was summed in a work-item's register: its weight, and whether a term of it was met.
struct StoredSum {
  Complex weight = 0;
  bool met = false;
};

}  // namespace

std::optional<PhasorChain> phasor_chain(Document& document, int buffer, std::uint64_t index) {
  const TraceInfo& info = document.info();
  if (buffer < 0 || static_cast<std::size_t>(buffer) >= info.buffers.size()) return {};
  for (const BufferInfo& of : info.buffers)
    if (of.space == Space::Global && of.count > PhasorChain::max_points) return {};
  if (info.steps > PhasorChain::max_steps) return {};
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
    std::map<std::pair<std::uint64_t, Element>, StoredSum> sums;  // by the work-item that stores it
    for (std::uint64_t step = segment.end_step(); step-- > segment.first_step;) {
      const Operation op = document.replay->operation(step);
      if (op.kind == OperationKind::Term) {
        const auto summed = sums.find({op.item, {op.target.buffer, group_of(op.target, op), op.target.index}});
        if (summed == sums.end()) continue;
        if (op.coefficients.empty() || op.reads.empty() || !op.reads[0].known) return {};
        summed->second.met = true;
        weights[{op.reads[0].buffer, group_of(op.reads[0], op), op.reads[0].index}] +=
            summed->second.weight * complex_of(op.coefficients[0]);
        continue;
      }
      std::array<Complex, max_legs> out{};
      bool any = false;
      for (int w = 0; w < op.writes.size(); ++w) {
        const auto found = weights.find({op.writes[w].buffer, group_of(op.writes[w], op), op.writes[w].index});
        if (found == weights.end()) continue;
        out[static_cast<std::size_t>(w)] = found->second, any = true;
        weights.erase(found);
      }
      if (!any) continue;
      if (op.kind == OperationKind::Store) {
        sums[{op.item, {op.writes[0].buffer, group_of(op.writes[0], op), op.writes[0].index}}].weight = out[0];
        continue;
      }
      const std::optional<LinearMap> map = linear_map(op);
      if (!map) return {};
      for (int r = 0; r < op.reads.size(); ++r) {
        Complex weight = 0;
        for (int w = 0; w < op.writes.size(); ++w) weight += out[static_cast<std::size_t>(w)] * map->factor[w][r];
        if (weight != Complex(0)) weights[{op.reads[r].buffer, group_of(op.reads[r], op), op.reads[r].index}] += weight;
      }
    }
    if (weights.empty()) return {};
    if (std::any_of(sums.begin(), sums.end(), [](const auto& sum) { return !sum.second.met; })) return {};
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

std::vector<std::uint64_t> terms_so_far(Document& document, const Operation& now) {
  const bool store = now.kind == OperationKind::Store && !now.writes.empty();
  if (now.kind != OperationKind::Term && !store) return {};
  const Access& target = store ? now.writes[0] : now.target;
  std::vector<std::uint64_t> indices;
  const std::uint64_t first = now.step > PhasorChain::max_steps ? now.step - PhasorChain::max_steps : 0;
  for (std::uint64_t step = now.step; step > first; --step) {
    const Operation op = document.replay->operation(step);
    if (op.launch != now.launch) break;
    if (op.item != now.item) continue;
    if (op.kind == OperationKind::Term && op.target.buffer == target.buffer && op.target.index == target.index &&
        !op.reads.empty())
      indices.push_back(op.reads[0].index);
    if (op.slot == 0) break;
  }
  std::sort(indices.begin(), indices.end());
  return indices;
}

}  // namespace twiddle
