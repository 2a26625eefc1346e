// Every operation of a run once more in higher precision, beside what the kernel made of it: where rounding errors grow, where
// digits cancel, and where an infinity or a value that is no number was born.
#pragma once

#include "tracer/checks/element_table.h"
#include "tracer/replay/replay.h"
#include "tracer/trace/memory/pairs.h"

#include <complex>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace twiddle {

/// A place of the run: which operation, by whom, and the element that it wrote.
struct ShadowPlace {
  int launch = 0, stage = 0, line = 0, source = -1;
  std::uint64_t step = 0, item = 0;
  int buffer = -1;
  std::uint64_t element = 0;
};

struct ShadowReport {
  /// Of one launch and stage: ‖logged − shadow‖ / ‖shadow‖ over what its operations wrote, and the element that is furthest
  /// off, by |logged − shadow|.
  struct Stage {
    int launch = 0, stage = 0;
    std::uint64_t values = 0;
    double relative_l2 = 0, largest = 0;
    ShadowPlace where;
  };
  /// An element at the end of the run: what it holds, and its shadow.
  struct Element {
    int buffer = -1;
    std::uint64_t element = 0;
    std::complex<double> value, shadow;
    double error() const { return std::abs(value - shadow); }
  };
  /// A sum whose terms are `ratio` times as large as itself, so that log10(ratio) digits of it were lost.
  struct Cancelled {
    ShadowPlace where;
    double ratio = 1, relative_error = 0;
  };
  struct Born {
    ShadowPlace where;
    bool infinite = false;  // else no number
  };
  std::vector<Stage> stages;                     // in the run's order
  std::vector<Element> elements;                 // those furthest off, at most max_listed
  std::vector<Cancelled> cancelled;              // those with the largest errors, at most max_listed
  std::vector<Born> born;                        // the first ones, at most max_listed
  std::uint64_t followed = 0, not_followed = 0;  // values written that have a shadow, or none

  static constexpr std::size_t max_listed = 8;
};

/// Where values that are no finite numbers come from, over a run in step order.
class Births {
 public:
  /// What this operation brought into the world, out of finite values alone.
  std::optional<ShadowReport::Born> operation(const TraceInfo& info, const Operation& op);

 private:
  int launch_ = 0;
  std::set<std::uint64_t> spoiled_,
      reading_;  // items of this launch that have read or made such a value; that have read
};

/// Follows operations in step order. An element's shadow is what its operations make of the shadows that they read, in the
/// arithmetic of long double; inputs, coefficients, and values that no operation explains are taken as they were logged.
class Shadow {
 public:
  explicit Shadow(const TraceInfo& info);
  void operation(const Operation& op);
  /// Of what was followed so far.
  ShadowReport report();

 private:
  using Number = std::complex<long double>;
  struct Cell {
    Number shadow;
    Value logged;  // that the shadow belongs to
    bool known = false;
  };
  struct Stage {
    ShadowReport::Stage shown;
    double errors = 0, squares = 0;
  };
  struct Chain {
    bool open = false;
    std::uint64_t item = 0;
    int line = 0;
    Number sum;
    double size = 0;
  };

  Cell* cell_of(const Operation& op, const Access& access);
  Number value_of(const Operation& op, const Access& access);
  void wrote(const Operation& op, int write, Number shadow, Number plain, double size);
  void lost(const Operation& op, int write);
  void moved(const Operation& op, int read, int write);
  void butterfly(const Operation& op);
  void legs(const Operation& op);
  void term(const Operation& op);

  void forget_others(const Operation& op, const Access& access);
  std::uint64_t group_of(const Operation& op) const;

  const TraceInfo& info_;
  const SharedElements shared_;
  ElementTable<Cell> cells_;
  ShadowReport report_;
  std::map<std::pair<int, int>, Stage> stages_;  // by launch and stage
  Births births_;
  Chain chain_;
  int launch_ = 0, sign_ = 0;
};

/// The whole of a trace with values. `progress` gets the fraction done; where it returns false, what was followed so far is
/// reported.
ShadowReport shadow_of(Replay& replay, const std::function<bool(double)>& progress = {});

}  // namespace twiddle
