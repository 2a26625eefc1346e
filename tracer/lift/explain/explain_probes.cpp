// What runs on random inputs tell.
#include "tracer/lift/explain/explainer.h"

#include <cmath>

namespace twiddle {

void Explainer::by_probes(const std::vector<Run>& runs) {
  if (probed_.size() < 6) return;
  std::map<Slots, Slots> writes_of;
  for (std::size_t at = 0; at < runs.size(); ++at) {
    if (!runs[at].write) continue;
    for (const int w : open_writes(runs[at].slots))
      if (slot(w).number != Number::Whole)
        if (Slots reads = dependencies(runs, at, w); !reads.empty()) writes_of[std::move(reads)].push_back(w);
  }
  for (const auto& [reads, writes] : writes_of) {
    if (reads.size() == writes.size() && reads.size() >= 2 &&
        reads.size() <= static_cast<std::size_t>(options_.max_radix)) {
      Pattern pattern = pattern_like(writes.front(), LiftedKind::Butterfly);
      std::vector<Slots> read_orders = point_orders(reads, result_.slots, values_);
      std::vector<Slots> write_orders = point_orders(writes, result_.slots, values_);
      if (Slots in, out; order_of_roots(reads, by_address(writes), in, out)) {
        read_orders.push_back(std::move(in));
        write_orders.push_back(std::move(out));
      }
      if ((pattern.number == Number::Complex || reads.size() == 2) &&
          find_butterfly(read_orders, write_orders, values_, tolerance(writes.front()), pattern)) {
        accept_with_tables(std::move(pattern));
        continue;
      }
    }
    for (const int w : writes) {
      Pattern pattern = pattern_like(w, LiftedKind::Linear);
      pattern.by_probes = true;
      pattern.reads = reads;
      pattern.writes = {w};
      accept(std::move(pattern));
    }
  }
}

bool Explainer::order_of_roots(const Slots& reads, const Slots& writes, Slots& in, Slots& out) const {
  const std::size_t n = reads.size();
  std::vector<std::vector<Complex>> rows;
  for (const int w : writes) {
    rows.push_back(fitted(reads, w, probed_, nullptr));
    if (rows.back().empty()) return false;
  }
  const auto all_alike = [&](auto coefficient) {
    for (std::size_t i = 1; i < n; ++i)
      if (std::abs(coefficient(i) - coefficient(0)) > 1e-3 * std::abs(coefficient(0))) return false;
    return true;
  };
  std::size_t first_row = 0, first_column = 0;
  for (std::size_t k = 0; k < n; ++k) {
    if (all_alike([&](std::size_t i) { return rows[i][k]; })) first_column = k;
    if (all_alike([&](std::size_t i) { return rows[k][i]; })) first_row = k;
  }
  // What is left when both factors are gone: roots of unity, by their numbers.
  std::vector<std::vector<std::size_t>> power(n, std::vector<std::size_t>(n));
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k) {
      const Complex ratio = rows[j][k] * rows[first_row][first_column] / (rows[j][first_column] * rows[first_row][k]);
      const double turns = -std::arg(ratio) / (2 * M_PI) * double(n), whole = std::round(turns);
      if (std::abs(turns - whole) > 0.02 || std::abs(std::abs(ratio) - 1) > 0.02) return false;
      power[j][k] = static_cast<std::size_t>(static_cast<long>(whole) + static_cast<long>(n)) % n;
    }
  // A row whose numbers are all different is that of output 1, or as good as it; the outputs' numbers are those in the column
  // of input 1.
  for (std::size_t j = 0; j < n; ++j) {
    in.assign(n, -1);
    out.assign(n, -1);
    std::size_t one = n;
    for (std::size_t k = 0; k < n; ++k) {
      in[power[j][k]] = reads[k];
      if (power[j][k] == 1) one = k;
    }
    if (one == n || std::find(in.begin(), in.end(), -1) != in.end()) continue;
    for (std::size_t i = 0; i < n; ++i) out[power[i][one]] = writes[i];
    if (std::find(out.begin(), out.end(), -1) == out.end()) return true;
  }
  return false;
}

Slots Explainer::dependencies(const std::vector<Run>& runs, std::size_t at, int w) const {
  Slots reads;
  for (std::size_t r = at; r-- > 0;) {
    if (runs[r].write) continue;
    Slots more;
    for (const int s : runs[r].slots)
      if (alike(s, w) && in_some_probe_different(s)) more.push_back(s);
    if (more.empty()) continue;
    more.insert(more.end(), reads.begin(), reads.end());
    reads = distinct(more);
    if (reads.size() > max_points_in_reach || reads.size() + 4 > probed_.size()) return {};
    double residual = 0;
    const std::vector<Complex> fit = fitted(reads, w, probed_, &residual);
    if (fit.empty() || residual > 5 * tolerance(w)) continue;
    double largest = 0;
    for (const Complex& c : fit) largest = std::max(largest, std::abs(c));
    Slots needed;
    for (std::size_t i = 0; i < reads.size(); ++i)
      if (std::abs(fit[i]) > 1e-3 * largest) needed.push_back(reads[i]);
    std::sort(needed.begin(), needed.end());
    return needed;
  }
  return {};
}

}  // namespace twiddle
