// Operations that were lifted from accesses, compared with those that trace lines claim, one by one.
#pragma once

#include "tracer/lift/operations.h"
#include "tracer/trace/trace.h"

#include <doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle::lifting {

/// Algorithms whose claims lifting does not reach: what they keep in registers is no access, their butterflies are of radix 3
/// to 7 or are behind other factors, or their sums go through several elements. Everything else has to be the same.
inline bool not_lifted_yet(std::string_view algorithm) {
  constexpr std::string_view names[] = {"convolve",        "fft-bluestein", "fft-mixed",        "fft-registers",
                                        "fft-batch",       "fft-blocks",    "fft-two-pass",     "histogram-vector",
                                        "histogram-lanes", "reduce-vector", "reduce-last-block"};
  return std::find(std::begin(names), std::end(names), algorithm) != std::end(names);
}

inline std::string text(const TraceInfo& info, const Operation& op) {
  std::string line(name_of(op.kind));
  for (const Access& access : op.reads) line += " " + element_text(info, access);
  line += " ->";
  for (const Access& access : op.writes) line += " " + element_text(info, access);
  if (op.kind == OperationKind::Term) line += " for " + element_text(info, op.target);
  return line + " (item " + std::to_string(op.item) + ", epoch " + std::to_string(op.epoch) + ")";
}

inline bool same_coefficients(const Operation& a, const Operation& b) {
  if (a.coefficients.size() != b.coefficients.size()) return false;
  for (int c = 0; c < a.coefficients.size(); ++c) {
    if (a.coefficients[c].type != b.coefficients[c].type) return false;
    for (int part = 0; part < traits(a.coefficients[c].type).components; ++part) {
      const double x = a.coefficients[c].component(part), y = b.coefficients[c].component(part);
      if (!(std::abs(x - y) <= 2e-5 * std::max(1.0, std::abs(x)))) return false;
    }
  }
  return true;
}

/// Of atomics without values, which depend on who came first in a run.
/// `lines`: the operation is where the trace line is, too.
inline bool same_values(const Operation& a, const Operation& b, bool lines) {
  const bool values = a.kind != OperationKind::Atomic;
  const auto same = [&](const auto& one, const auto& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(), [&](const Access& x, const Access& y) {
      return x.buffer == y.buffer && x.index == y.index && (!values || x.value == y.value);
    });
  };
  return a.kind == b.kind && a.item == b.item && a.epoch == b.epoch && (!lines || a.line == b.line) &&
         same(a.reads, b.reads) && same(a.writes, b.writes) &&
         (a.kind != OperationKind::Term || (a.target.buffer == b.target.buffer && a.target.index == b.target.index));
}

// A sum of one term, stored, is a move: nothing in what happened tells them apart.
inline std::vector<Operation> without_single_terms(std::vector<Operation> claims) {
  std::vector<Operation> all;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const bool single = claims[i].kind == OperationKind::Term && i + 1 < claims.size() &&
                        claims[i + 1].kind == OperationKind::Store && claims[i + 1].item == claims[i].item &&
                        claims[i + 1].writes[0].value == claims[i].reads[0].value &&
                        (i == 0 || claims[i - 1].kind != OperationKind::Term || claims[i - 1].item != claims[i].item);
    if (single) {
      claims[i].kind = OperationKind::Move;
      claims[i].coefficients = {};
      claims[i].writes = claims[i + 1].writes;
      claims[i].line = claims[i + 1].line;
    }
    all.push_back(claims[i]);
    i += single;
  }
  return all;
}

// The operations that a log lifts to, item after item.
inline std::vector<Operation> lifted_from(const AccessLog& log, TraceInfo& info, const LaunchInfo& launch) {
  const Lifted lifted = lift(log, info);
  const LiftedBlocks blocks = operations_of(lifted, log, info, launch);
  CHECK(blocks.left_out == 0);
  info.sites.insert(info.sites.end(), blocks.new_sites.begin(), blocks.new_sites.end());
  std::vector<Operation> found;
  for (const LiftedBlocks::Part& part : blocks.parts) {
    Segment segment;
    segment.launch = launch.number;
    segment.epoch = part.epoch;
    info.segments = {segment};
    for (std::uint32_t i = 0; i < part.block.count; ++i) found.push_back(part.block.operation(info, i));
  }
  std::stable_sort(found.begin(), found.end(), [](const Operation& a, const Operation& b) {
    return std::pair(a.item, a.slot) < std::pair(b.item, b.slot);
  });
  return found;
}

inline void sort_by_item(std::vector<Operation>& operations) {
  std::stable_sort(operations.begin(), operations.end(), [](const Operation& a, const Operation& b) {
    return std::pair(a.item, a.slot) < std::pair(b.item, b.slot);
  });
}

inline void check_same(const TraceInfo& info, std::vector<Operation> claims, const std::vector<Operation>& found,
                       bool lines) {
  claims = without_single_terms(std::move(claims));
  CHECK(found.size() == claims.size());
  int shown = 0;
  for (std::size_t i = 0; i < std::min(found.size(), claims.size()) && shown < 3; ++i) {
    if (same_values(claims[i], found[i], lines) && same_coefficients(claims[i], found[i])) continue;
    ++shown;
    CHECK(text(info, claims[i]) == text(info, found[i]));
    CHECK(same_values(claims[i], found[i], lines));
    CHECK(same_coefficients(claims[i], found[i]));
  }
}

}  // namespace twiddle::lifting
