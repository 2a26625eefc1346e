#include "tracer/replay/diff_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace twiddle {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The largest finite magnitude among some values.
class Magnitude {
 public:
  void add(const Value& value) {
    for (int c = 0; c < traits(value.type).components; ++c) {
      const double part = std::abs(value.component(c));
      if (std::isfinite(part)) largest_ = std::max(largest_, part);
    }
  }
  void add(const SmallList<Access, 4>& accesses) {
    for (const Access& access : accesses)
      if (access.known) add(access.value);
  }
  double largest() const { return largest_; }

 private:
  double largest_ = 0;
};

double value_distance(const Value& a, const Value& b, double magnitude) {
  if (a.type != b.type) return infinite;
  double apart = 0;
  for (int c = 0; c < traits(a.type).components; ++c)
    apart = std::max(apart, ulps_apart(a.type, a.component(c), b.component(c), magnitude));
  return apart;
}

class Comparison {
 public:
  Comparison(Difference& difference, const std::vector<int>& to_first, std::uint64_t ulps)
      : difference_(difference), to_first_(to_first), ulps_(static_cast<double>(ulps)) {}

  bool run() {
    const Operation &a = *difference_.first, &b = *difference_.second;
    if (a.epoch != b.epoch) mark(DiffAspect::Epoch);
    if (a.shape != b.shape) {
      mark(DiffAspect::Kind);
      return differs_;
    }
    if (!same_places(a.reads, b.reads) || !same_places(a.writes, b.writes)) mark(DiffAspect::Place);
    Magnitude coefficients, values;
    for (const Operation* operation : {&a, &b}) {
      for (const Value& coefficient : operation->coefficients) coefficients.add(coefficient);
      values.add(operation->reads);
      values.add(operation->writes);
    }
    for (int i = 0; i < std::min(a.coefficients.size(), b.coefficients.size()); ++i)
      look(DiffAspect::Twiddle, value_distance(a.coefficients[i], b.coefficients[i], coefficients.largest()));
    look(DiffAspect::Read, a.reads, b.reads, values.largest());
    look(DiffAspect::Written, a.writes, b.writes, values.largest());
    return differs_;
  }

 private:
  void mark(DiffAspect aspect) {
    difference_.aspects[static_cast<std::size_t>(aspect)] = true;
    differs_ = true;
  }

  void look(DiffAspect aspect, double apart) {
    if (apart <= ulps_) return;
    difference_.ulps = std::max(difference_.ulps, apart);
    mark(aspect);
  }

  void look(DiffAspect aspect, const SmallList<Access, 4>& a, const SmallList<Access, 4>& b, double magnitude) {
    for (int i = 0; i < std::min(a.size(), b.size()); ++i)
      if (a[i].known && b[i].known) look(aspect, value_distance(a[i].value, b[i].value, magnitude));
  }

  bool same_places(const SmallList<Access, 4>& a, const SmallList<Access, 4>& b) const {
    if (a.size() != b.size()) return false;
    for (int i = 0; i < a.size(); ++i) {
      const int buffer = b[i].buffer < 0 ? -1 : to_first_[b[i].buffer];
      if (a[i].index != b[i].index || a[i].buffer != buffer) return false;
    }
    return true;
  }

  Difference& difference_;
  const std::vector<int>& to_first_;
  double ulps_;
  bool differs_ = false;
};

}  // namespace

double ulps_apart(ElementType type, double a, double b, double magnitude) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  if (!std::isfinite(a) || !std::isfinite(b) || !traits(type).floating) return infinite;
  // The spacing above `magnitude`; at the largest number of the type there is none above it.
  double spacing = 0;
  if (traits(type).scalar == ElementType::Half) {
    int exponent = 0;  // of 11 bits, fewer below the smallest normal number
    std::frexp(magnitude, &exponent);
    spacing = std::ldexp(1.0, std::max(exponent - 11, -24));
  } else if (traits(type).wide) {
    spacing = std::nextafter(magnitude, infinite) - magnitude;
    if (!std::isfinite(spacing)) spacing = magnitude - std::nextafter(magnitude, 0.0);
  } else {
    const auto at = static_cast<float>(magnitude);
    spacing = static_cast<double>(std::nextafter(at, std::numeric_limits<float>::infinity())) - static_cast<double>(at);
    if (!std::isfinite(spacing)) spacing = static_cast<double>(at) - static_cast<double>(std::nextafter(at, 0.0f));
  }
  return std::abs(a - b) / spacing;
}

bool compare_operations(Difference& difference, const std::vector<int>& to_first, std::uint64_t ulps) {
  return Comparison(difference, to_first, ulps).run();
}

}  // namespace twiddle
