#include "viewer/input/value_search.h"

#include "base/error.h"
#include "tracer/checks/complex_value.h"
#include "tracer/replay/replay.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <exception>
#include <limits>
#include <type_traits>
#include <utility>

namespace twiddle {
namespace {

using Kind = StopCondition::Kind;

bool meets(const StopCondition& condition, std::complex<double> z) {
  return condition.kind == Kind::Above ? magnitude(z) > condition.limit : std::isnan(z.real()) || std::isnan(z.imag());
}

// A value that meets a condition has a component that is not below this: |z| > limit needs one above limit/√2.
double min_component(const StopCondition& condition) {
  return condition.kind == Kind::Above ? condition.limit * 0.7 : std::numeric_limits<double>::infinity();
}

// Calls `use` with the scalar type of a column that searches know; false for any other.
template <typename Use>
bool with_scalar(ElementType type, const Use& use) {
  if (traits(type).components > 2) return false;
  switch (traits(type).scalar) {
    case ElementType::Float: use.template operator()<float>(); return true;
    case ElementType::Double: use.template operator()<double>(); return true;
    case ElementType::Int: use.template operator()<std::int32_t>(); return true;
    case ElementType::UInt: use.template operator()<std::uint32_t>(); return true;
    default: return false;
  }
}

// The largest of all components, as something that only has to be compared: nearly always no value meets a condition, and that
// has to be said of gigabytes. Of a float these are its bits without the sign, which order as the numbers do, with NaN above all.
template <typename T>
auto largest_of(const std::vector<std::byte>& column) {
  using Word = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  [[maybe_unused]] constexpr Word no_sign = std::numeric_limits<Word>::max();  // of a number that has a sign apart
  constexpr std::size_t lanes = 64 / sizeof(T);
  using Ordered = std::conditional_t<std::is_floating_point_v<T>, Word, std::uint32_t>;
  Ordered largest[lanes] = {};
  const auto take = [&](const std::byte* from) {
    T values[lanes];
    std::memcpy(values, from, sizeof values);
    for (std::size_t i = 0; i < lanes; ++i) {
      Ordered size;
      if constexpr (std::is_floating_point_v<T>)
        size = std::bit_cast<Word>(values[i]) & no_sign;
      else if constexpr (std::is_signed_v<T>)
        size = values[i] < 0 ? 0u - static_cast<std::uint32_t>(values[i]) : static_cast<std::uint32_t>(values[i]);
      else
        size = values[i];
      largest[i] = largest[i] < size ? size : largest[i];
    }
  };
  std::size_t at = 0;
  for (; at + lanes * sizeof(T) <= column.size(); at += lanes * sizeof(T)) take(column.data() + at);
  if (at < column.size()) {
    std::byte rest[lanes * sizeof(T)] = {};
    std::memcpy(rest, column.data() + at, column.size() - at);
    take(rest);
  }
  return *std::max_element(std::begin(largest), std::end(largest));
}

template <typename T>
ValueBound bound_of_column(const std::vector<std::byte>& column) {
  const auto largest = largest_of<T>(column);
  if constexpr (std::is_floating_point_v<T>) {
    const T value = std::bit_cast<T>(largest);
    if (std::isnan(value)) return {std::numeric_limits<double>::infinity(), true};
    return {static_cast<double>(value), false};
  } else {
    return {static_cast<double>(largest), false};
  }
}

// Marks the rows of a column that meet a condition.
template <typename T>
void mark_rows(const StopCondition& condition, const std::vector<std::byte>& column, std::size_t components,
               std::vector<char>& marks) {
  constexpr std::size_t stretch = 64;  // components that are looked at together: in most of them there is nothing
  const double least = min_component(condition);
  for (std::size_t from = 0; from < marks.size() * components; from += stretch) {
    T parts[stretch] = {};
    const std::size_t count = std::min(stretch, marks.size() * components - from);
    std::memcpy(parts, column.data() + from * sizeof(T), count * sizeof(T));
    bool any = false;
    for (const T part : parts) any |= !(std::abs(static_cast<double>(part)) < least);
    if (!any) continue;
    for (std::size_t i = 0; i < count; i += components) {
      const std::complex<double> z{static_cast<double>(parts[i]),
                                   components > 1 ? static_cast<double>(parts[i + 1]) : 0.0};
      char& mark = marks[(from + i) / components];
      mark = static_cast<char>(mark | static_cast<char>(meets(condition, z)));
    }
  }
}

}  // namespace

bool value_holds(const StopCondition& condition, const Operation& op) {
  for (const SmallList<Access, 4>* list : {&op.reads, &op.writes})
    for (const Access& access : *list)
      if (access.known && meets(condition, complex_of(access.value))) return true;
  return false;
}

bool ValueBound::may_hold(const StopCondition& condition) const {
  return condition.kind == Kind::NotANumber ? nan : !(component < min_component(condition));
}

ValueBound bound_of(const OperationBlock& block) {
  ValueBound bound;
  for (const SiteColumns& columns : block.sites)
    for (const auto* list : {&columns.reads, &columns.writes})
      for (const std::vector<std::byte>& column : *list) {
        ValueBound one{std::numeric_limits<double>::infinity(), true};
        with_scalar(columns.value_type, [&]<typename T>() { one = bound_of_column<T>(column); });
        bound.component = std::max(bound.component, one.component);
        bound.nan = bound.nan || one.nan;
      }
  return bound;
}

ValueSearch::ValueSearch(std::shared_ptr<const TraceSource> trace, const StopCondition& condition,
                         std::shared_ptr<ValueBounds> bounds, std::size_t max_hits)
    : trace_(std::move(trace)),
      condition_(condition),
      bounds_(std::move(bounds)),
      max_hits_(max_hits),
      thread_([this](const std::atomic<bool>& stop) { return search(stop); }) {}

bool ValueSearch::take(std::vector<std::uint64_t>& steps, double patience_ms) {
  const Message* problem = thread_.result(patience_ms);
  if (problem) problem_ = *problem;
  const std::lock_guard lock(mutex_);
  steps.insert(steps.end(), found_.begin(), found_.end());
  found_.clear();
  return problem != nullptr;
}

Message ValueSearch::search(const std::atomic<bool>& stop) {
  try {
    std::vector<ValueBound> known;
    {
      const std::lock_guard lock(bounds_->mutex);
      known = bounds_->of_block;
    }
    const std::size_t blocks = trace_->blocks().size();
    // The last block that has to be looked at; all before it are decoded on the way there.
    std::size_t end = blocks;
    if (known.size() == blocks)
      while (end > 0 && !known[end - 1].may_hold(condition_)) --end;
    if (end == 0) return {};
    std::size_t number = 0;
    pass_blocks(*trace_, [&](const OperationBlock& block) {
      ValueBound bound;
      if (number < known.size()) {
        bound = known[number];
      } else {
        bound = bound_of(block);
        const std::lock_guard lock(bounds_->mutex);
        if (bounds_->of_block.size() == number) bounds_->of_block.push_back(bound);
      }
      if (!block.barriers && bound.may_hold(condition_)) look_at(block);
      return ++number < end && found_in_all_ <= max_hits_ && !stop;
    });
  } catch (const std::exception& error) { return message_of(error); }
  return {};
}

void ValueSearch::look_at(const OperationBlock& block) {
  // Column by column first: to put an operation together takes longer than to look at its values.
  std::vector<std::vector<char>> marks(block.sites.size());
  for (std::size_t s = 0; s < block.sites.size(); ++s) {
    const SiteColumns& columns = block.sites[s];
    marks[s].assign(columns.count, 0);
    const auto components = static_cast<std::size_t>(traits(columns.value_type).components);
    for (const auto* list : {&columns.reads, &columns.writes})
      for (const std::vector<std::byte>& column : *list)
        if (!with_scalar(columns.value_type,
                         [&]<typename T>() { mark_rows<T>(condition_, column, components, marks[s]); }))
          marks[s].assign(columns.count, 1);
  }
  std::vector<std::uint64_t> steps;
  Operation op;
  for (std::uint32_t i = 0; i < block.count && found_in_all_ <= max_hits_; ++i) {
    if (!marks[block.site.empty() ? 0 : block.site[i]][block.row_of(i)]) continue;
    block.operation(trace_->info(), i, op);
    if (!value_holds(condition_, op)) continue;
    steps.push_back(op.step);
    ++found_in_all_;
  }
  const std::lock_guard lock(mutex_);
  found_.insert(found_.end(), steps.begin(), steps.end());
}

}  // namespace twiddle
