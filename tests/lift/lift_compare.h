// Operations that were lifted from accesses, compared with those that trace lines claim, one by one.
#pragma once

#include "base/error.h"
#include "choices.h"
#include "kernels/catalogue/catalogue.h"
#include "tracer/cost/sub_group.h"
#include "tracer/lift/blocks/operations.h"
#include "tracer/trace/trace.h"

#include <doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace twiddle::lifting {

/// What the truth test runs of an algorithm: random signals of its own size and another, by each method.
inline std::vector<Request> truth_requests(const Algorithm& algorithm) {
  std::vector<Request> all;
  int sizes = 0;
  for (const std::uint64_t n : {0, 60, 64, 256, 4096}) {
    Request request;
    request.algorithm = algorithm.id;
    if (has_parameter(algorithm, "signal")) request.signal = "random:5";
    if (n > 0 && algorithm.dimensions == 2)
      request.rows = request.columns = std::min<std::uint64_t>(n / 4, 64);
    else if (n > 0)
      request.n = n;
    std::vector<std::string> methods = {""};
    for (const Parameter& parameter : algorithm.parameters)
      if (parameter.name == "method") methods = choices(parameter);
    const std::size_t before = all.size();
    for (const std::string& method : methods) {
      request.method = method;
      try {
        make_plan(request);
        all.push_back(request);
      } catch (const Error&) {}  // the algorithm does not have this size
    }
    sizes += all.size() > before;
    if (sizes == 2) return all;
  }
  CHECK_MESSAGE(sizes == 2, algorithm.id);
  return all;
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

// What nothing in what happened tells apart: a sum of one term, stored, is a move, and so is a scale by 1.
inline std::vector<Operation> without_names(std::vector<Operation> claims) {
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
    if (const Operation& op = claims[i];
        op.kind == OperationKind::Scale && op.coefficients[0].component(0) == 1 &&
        (traits(op.coefficients[0].type).components == 1 || op.coefficients[0].component(1) == 0) &&
        op.reads[0].value == op.writes[0].value) {
      claims[i].kind = OperationKind::Move;
      claims[i].coefficients = {};
    }
    all.push_back(claims[i]);
    i += single;
  }
  return all;
}

// ---- claims that are finer than accesses: what goes through an item's registers

/// A value as the sum of what was read, each times a coefficient. What was read is an element with its value.
struct Source {
  std::string element;
  std::vector<std::byte> value;
  auto operator<=>(const Source&) const = default;
};
using Form = std::map<Source, std::complex<double>>;

inline std::complex<double> number(const Value& value) {
  return {value.component(0), traits(value.type).components == 2 ? value.component(1) : 0};
}

/// What a butterfly, scale or move makes of its legs: [write][read]. Trace lines of radix 4 do not say which way they turn.
inline std::vector<std::vector<std::complex<double>>> matrix_of(const Operation& op, bool inverse) {
  const int n = op.reads.size();
  if (op.kind == OperationKind::Move) return {{1.0}};
  if (op.kind == OperationKind::Scale) return {{number(op.coefficients[0])}};
  Legs legs = legs_of(op.shape);
  const bool all_factors = legs.radix > 0;
  if (!all_factors) legs = {n, false, inverse};
  LegValues<double> w{};
  for (int q = 0; q < n; ++q)
    w[q] = all_factors ? number(op.coefficients[q]) : q == 0 ? 1.0 : number(op.coefficients[q - 1]);
  std::vector<std::vector<std::complex<double>>> rows(n, std::vector<std::complex<double>>(n));
  for (int q = 0; q < n; ++q) {
    LegValues<double> one{};
    one[q] = 1;
    const LegValues<double> column = transformed(legs, one, w);
    for (int p = 0; p < n; ++p) rows[p][q] = column[p];
  }
  return rows;
}

inline bool of_legs(const Operation& op) {
  return op.kind == OperationKind::Move || op.kind == OperationKind::Scale || op.kind == OperationKind::Butterfly;
}

// How far from what they wrote the radix-4 butterflies are, turning one way.
inline double distance(const std::vector<Operation>& operations, bool inverse) {
  double sum = 0;
  for (const Operation& op : operations) {
    if (op.kind != OperationKind::Butterfly || op.reads.size() != 4 || legs_of(op.shape).radix > 0) continue;
    const auto rows = matrix_of(op, inverse);
    for (int p = 0; p < 4; ++p) {
      std::complex<double> out = -number(op.writes[p].value);
      for (int q = 0; q < 4; ++q) out += rows[p][q] * number(op.reads[q].value);
      sum += std::norm(out);
    }
  }
  return sum;
}

/// What an item wrote to memory, in which epoch, and what of.
struct Written {
  std::string place;
  std::vector<std::byte> value;
  Form form;
};

// Operations between an item's accesses to memory, composed: registers stand for what they hold. "s@3", what an array holds
// from epoch 3 on, is the array.
inline std::map<std::uint64_t, std::vector<Written>> composed(const TraceInfo& info,
                                                              const std::vector<Operation>& operations) {
  const bool inverse = distance(operations, true) < distance(operations, false);
  std::map<std::uint64_t, std::vector<Written>> all;
  std::map<std::tuple<std::uint64_t, int, std::uint64_t>, Form> registers;
  const auto element = [&](const Access& access) {
    const std::string& name = info.buffers[access.buffer].name;
    return name.substr(0, name.find('@')) + "[" + std::to_string(access.index) + "]";
  };
  const auto bytes = [](const Access& access) {
    return std::vector<std::byte>(access.value.bytes().begin(), access.value.bytes().end());
  };
  for (const Operation& op : operations) {
    // What was made of no value that was read, a factor.
    const bool made = op.kind == OperationKind::Store && op.reads.size() == 0;
    CHECK_MESSAGE((made || of_legs(op)), text(info, op));
    if (made)
      all[op.item].push_back(
          {element(op.writes[0]) + " in epoch " + std::to_string(op.epoch), bytes(op.writes[0]), Form{}});
    if (!of_legs(op)) continue;
    std::vector<Form> in;
    for (const Access& read : op.reads) {
      if (!is_registers(info.buffers[read.buffer])) {
        in.push_back({{{element(read), bytes(read)}, 1.0}});
        continue;
      }
      const auto held = registers.find({op.item, read.buffer, read.index});
      CHECK_MESSAGE(held != registers.end(), text(info, op));
      in.push_back(held == registers.end() ? Form{} : held->second);
    }
    const auto rows = matrix_of(op, inverse);
    for (int p = 0; p < op.writes.size(); ++p) {
      Form form;
      for (std::size_t q = 0; q < in.size(); ++q)
        for (const auto& [source, coefficient] : in[q]) form[source] += rows[p][q] * coefficient;
      const Access& write = op.writes[p];
      if (is_registers(info.buffers[write.buffer]))
        registers[{op.item, write.buffer, write.index}] = std::move(form);
      else
        all[op.item].push_back(
            {element(write) + " in epoch " + std::to_string(op.epoch), bytes(write), std::move(form)});
    }
  }
  for (auto& [item, written] : all)
    std::sort(written.begin(), written.end(), [](const Written& a, const Written& b) { return a.place < b.place; });
  return all;
}

/// Claims go through registers, which no access tells of: then each value written to memory has to be the same sum of the same
/// values read, coefficient by coefficient. Every operation found is a butterfly, a move or a scale, or
/// stores a factor.
inline void check_composed(const TraceInfo& info, const std::vector<Operation>& claims,
                           const std::vector<Operation>& found) {
  const auto expected = composed(info, claims), lifted = composed(info, found);
  REQUIRE(expected.size() == lifted.size());
  int wrong = 0;
  for (const auto& [item, written] : expected) {
    CAPTURE(item);
    REQUIRE(lifted.contains(item));
    const std::vector<Written>& other = lifted.at(item);
    REQUIRE(written.size() == other.size());
    for (std::size_t i = 0; i < written.size() && wrong < 3; ++i) {
      bool same = written[i].place == other[i].place && written[i].value == other[i].value &&
                  written[i].form.size() == other[i].form.size();
      for (auto a = written[i].form.begin(), b = other[i].form.begin(); same && a != written[i].form.end(); ++a, ++b)
        same = a->first == b->first && std::abs(a->second - b->second) <= 2e-5;
      wrong += !same;
      CHECK(written[i].place == other[i].place);
      CHECK(written[i].form.size() == other[i].form.size());
      CHECK_MESSAGE(same, written[i].place);
    }
  }
}

inline bool zero(const Value& value) {
  const ElementTraits& make = traits(value.type);
  for (int part = 0; part < make.components; ++part)
    if (value.component(part) != 0) return false;
  return true;
}

// Nothing in what happened tells the sum of a value and zero from a move, or from any other operation that leaves it as it
// is. So of operations that read a zero, and of sums one of whose terms is a zero, the stores are compared: the same elements,
// the same values. A move found in place of such a claim reads what the claim reads. And a claim moves what the item has just
// written, and still holds: it is not read again.
inline void accesses_of_zeros(std::vector<Operation>& claims, std::vector<Operation>& found) {
  std::map<std::tuple<std::uint64_t, int, int, std::uint64_t>, SmallList<Access, 4>>
      undecided;  // what such claims read
  const auto place = [](const Operation& op, const Access& write) {
    return std::tuple(op.item, op.epoch, write.buffer, write.index);
  };
  const auto reads_zero = [](const Operation& op) {
    return std::any_of(op.reads.begin(), op.reads.end(), [](const Access& read) { return zero(read.value); });
  };
  const auto stores = [&](const Operation& op, std::vector<Operation>& to, bool claimed) {
    for (const Access& write : op.writes) {
      Operation store = op;
      store.kind = OperationKind::Store;
      store.reads = {};
      store.writes = {};
      store.writes.push(write);
      store.coefficients = {};
      if (claimed)
        for (const Access& read : op.reads) undecided[place(op, write)].push(read);
      to.push_back(store);
    }
  };
  for (std::vector<Operation>* operations : {&claims, &found}) {
    const bool claimed = operations == &claims;
    std::vector<Operation> all;
    const auto held = [&](const Operation& op) {
      if (op.kind != OperationKind::Move || &op == operations->data()) return false;
      const Operation& before = *(&op - 1);
      return before.kind == OperationKind::Combine && before.item == op.item && before.epoch == op.epoch &&
             before.writes[0].buffer == op.reads[0].buffer && before.writes[0].index == op.reads[0].index;
    };
    for (std::size_t i = 0; i < operations->size(); ++i) {
      const Operation& op = (*operations)[i];
      std::size_t end = i;
      bool zeros = false;
      while (end < operations->size() && (*operations)[end].kind == OperationKind::Term &&
             (*operations)[end].item == op.item && (*operations)[end].target.index == op.target.index)
        zeros = reads_zero((*operations)[end++]) || zeros;
      if (end > i) {
        // The terms of a sum, with its store behind them.
        const bool stored = end < operations->size() && (*operations)[end].kind == OperationKind::Store;
        if (zeros && claimed && stored)
          for (std::size_t t = i; t < end; ++t)
            undecided[place((*operations)[end], (*operations)[end].writes[0])].push((*operations)[t].reads[0]);
        for (std::size_t t = i; t < end && !zeros; ++t) all.push_back((*operations)[t]);
        i = end - 1;
      } else if (op.kind != OperationKind::Term && !op.writes.empty() && (reads_zero(op) || held(op))) {
        stores(op, all, claimed);
      } else {
        all.push_back(op);
      }
    }
    *operations = std::move(all);
  }
  if (undecided.empty()) return;
  for (Operation& op : found) {
    if (op.kind != OperationKind::Move) continue;
    const auto claim = undecided.find(place(op, op.writes[0]));
    if (claim == undecided.end()) continue;
    const SmallList<Access, 4>& reads = claim->second;
    if (std::any_of(reads.begin(), reads.end(), [&](const Access& read) {
          return read.index == op.reads[0].index && read.buffer == op.reads[0].buffer;
        })) {
      op.kind = OperationKind::Store;
      op.reads = {};
    }
  }
  for (std::vector<Operation>* operations : {&claims, &found}) {
    std::erase_if(*operations, [](const Operation& op) { return op.kind == OperationKind::Load; });
    std::stable_sort(operations->begin(), operations->end(), [](const Operation& a, const Operation& b) {
      const auto key = [](const Operation& op) {
        const Access none, &write = op.writes.empty() ? none : op.writes[0];
        return std::tuple(op.item, op.epoch, op.kind == OperationKind::Term, write.buffer, write.index);
      };
      return key(a) < key(b);
    });
  }
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

inline void check_same(const TraceInfo& info, std::vector<Operation> claims, std::vector<Operation> found, bool lines) {
  const auto registers = [&](const std::vector<Operation>& operations) {
    const auto own = [&](const Access& access) { return is_registers(info.buffers[access.buffer]); };
    return std::any_of(operations.begin(), operations.end(), [&](const Operation& op) {
      return std::any_of(op.reads.begin(), op.reads.end(), own) || std::any_of(op.writes.begin(), op.writes.end(), own);
    });
  };
  if (registers(claims) && !registers(found)) return check_composed(info, claims, found);
  claims = without_names(std::move(claims));
  found = without_names(std::move(found));
  accesses_of_zeros(claims, found);
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
