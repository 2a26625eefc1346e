#include "viewer/graphs/linear_map.h"

#include "tracer/checks/complex_value.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

using Factor = std::complex<double>;

/// Relative to what was summed: float butterflies round a few times.
constexpr double map_tolerance = 1e-4;

bool explains(const LinearMap& map, const Operation& op) {
  for (int w = 0; w < map.writes; ++w) {
    Factor sum = 0;
    double size = 0;
    for (int r = 0; r < map.reads; ++r) {
      const Factor part = map.factor[w][r] * complex_of(op.reads[r].value);
      sum += part, size += std::abs(part);
    }
    if (!(std::abs(sum - complex_of(op.writes[w].value)) <= map_tolerance * size + 1e-30)) return false;
  }
  return true;
}

}  // namespace

std::vector<LinearMap> linear_maps(const Operation& op) {
  for (const Access& access : op.reads)
    if (!access.known) return {};
  for (const Access& access : op.writes)
    if (!access.known) return {};
  std::vector<LinearMap> forms;
  const auto add = [&](std::vector<std::vector<Factor>> rows) {
    LinearMap map{op.reads.size(), op.writes.size(), static_cast<int>(forms.size()), {}};
    if (static_cast<int>(rows.size()) < map.writes) return;
    for (int w = 0; w < map.writes; ++w)
      for (int r = 0; r < map.reads && r < static_cast<int>(rows[static_cast<std::size_t>(w)].size()); ++r)
        map.factor[w][r] = rows[static_cast<std::size_t>(w)][static_cast<std::size_t>(r)];
    forms.push_back(map);
  };
  std::vector<Factor> c;
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
        std::vector<std::vector<Factor>> rows(c.size(), std::vector<Factor>(c.size()));
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
          const Factor i{0, sign}, b = c[0], g = c[1], d = c[2];
          add({{1, b, g, d}, {1, i * b, -g, -i * d}, {1, -b, g, -d}, {1, -i * b, -g, i * d}});
        }
      break;
    default: break;
  }
  std::erase_if(forms, [&](const LinearMap& form) { return !explains(form, op); });
  return forms;
}

std::optional<LinearMap> linear_map(const Operation& op) {
  const std::vector<LinearMap> forms = linear_maps(op);
  return forms.empty() ? std::nullopt : std::optional(forms.front());
}

}  // namespace twiddle
