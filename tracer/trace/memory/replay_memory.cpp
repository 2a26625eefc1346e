#include "tracer/trace/memory/replay_memory.h"

#include "base/error.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace twiddle {
namespace {

// A trace describes at most this much memory: 2^28 points of double2 and its copy.
constexpr std::uint64_t max_total = std::uint64_t(8) << 30;
constexpr std::uint64_t min_local_budget = std::uint64_t(1) << 30;

constexpr std::uint8_t written_now = 3;  // not saved, not seen

template <std::size_t size>
struct Element {
  std::byte bits[size];
};

// What is not known reads as the pattern; of a narrow element as the part of it that an unwritten array has there.
template <std::size_t size>
struct UnknownElements {
  static constexpr std::size_t parts = size < sizeof uninitialised_pattern ? sizeof uninitialised_pattern / size : 1;
  std::array<Element<size>, parts> elements{};

  UnknownElements() {
    auto* bytes = reinterpret_cast<std::byte*>(elements.data());
    for (std::size_t at = 0; at < sizeof elements; at += sizeof uninitialised_pattern)
      std::memcpy(bytes + at, &uninitialised_pattern, sizeof uninitialised_pattern);
  }
  const std::byte* bits(std::size_t index) const { return elements[index % parts].bits; }
};

// The inner loops; `reads` and `writes` are constants, but for legs, so that they unroll. Element and page arithmetic is the
// caller's.
template <std::size_t size, typename Reads, typename Writes, typename Run>
void step_rows(const ReplayMemory::Rows& rows, const Run& run, Reads reads, Writes writes) {
  const UnknownElements<size> unknown;
  const std::uint64_t from_count = run.from ? run.from_bytes / size : 0, to_count = run.to ? run.to_bytes / size : 0;
  for (std::size_t row = run.begin; row < run.end; ++row) {
    for (std::size_t r = 0; r < std::size_t(reads); ++r) {
      const std::size_t index = rows.read_index[r][row];
      std::memcpy(rows.read_out[r] + row * size, index < from_count ? run.from + index * size : unknown.bits(index),
                  size);
    }
    for (std::size_t w = 0; w < std::size_t(writes); ++w) {
      const std::size_t index = rows.write_index[w][row];
      if (index >= to_count) continue;
      std::memcpy(run.to + index * size, rows.write_in[w] + row * size, size);
      if (run.written) run.written[index * size / State::page_bytes] = written_now;
    }
  }
}

template <std::size_t size, int reads, int writes, typename Run>
void step_run(const ReplayMemory::Rows& rows, const Run& run) {
  step_rows<size>(rows, run, std::integral_constant<int, reads>(), std::integral_constant<int, writes>());
}

template <std::size_t size, typename Run>
void step_run(const ReplayMemory::Rows& rows, const Run& run, int reads, int writes) {
  switch (reads < 8 && writes < 8 ? reads * 8 + writes : -1) {
    case 0: return;
    case 1: return step_run<size, 0, 1>(rows, run);
    case 2: return step_run<size, 0, 2>(rows, run);
    case 4: return step_run<size, 0, 4>(rows, run);
    case 8: return step_run<size, 1, 0>(rows, run);
    case 9: return step_run<size, 1, 1>(rows, run);
    case 16: return step_run<size, 2, 0>(rows, run);
    case 17: return step_run<size, 2, 1>(rows, run);
    case 18: return step_run<size, 2, 2>(rows, run);
    case 32: return step_run<size, 4, 0>(rows, run);
    case 36: return step_run<size, 4, 4>(rows, run);
    default: return step_rows<size>(rows, run, reads, writes);
  }
}

template <typename Function>
void with_size(std::size_t size, const Function& function) {
  switch (size) {
    case 1: return function(std::integral_constant<std::size_t, 1>());
    case 2: return function(std::integral_constant<std::size_t, 2>());
    case 4: return function(std::integral_constant<std::size_t, 4>());
    case 8: return function(std::integral_constant<std::size_t, 8>());
    case 16: return function(std::integral_constant<std::size_t, 16>());
    default: assert(!"elements have 1, 2, 4, 8 or 16 bytes");
  }
}

template <typename T>
void add_components(std::byte* element, const std::byte* operand, int components) {
  for (int c = 0; c < components; ++c) {
    T value, more;
    std::memcpy(&value, element + static_cast<std::size_t>(c) * sizeof(T), sizeof(T));
    std::memcpy(&more, operand + static_cast<std::size_t>(c) * sizeof(T), sizeof(T));
    value = static_cast<T>(value + more);
    if constexpr (std::is_floating_point_v<T>)
      if (std::isnan(value)) value = std::numeric_limits<T>::quiet_NaN();  // machines differ in the NaN they make
    std::memcpy(element + static_cast<std::size_t>(c) * sizeof(T), &value, sizeof(T));
  }
}

}  // namespace

void add_element(ElementType type, std::byte* element, const std::byte* operand) {
  const ElementTraits& make = traits(type);
  if (make.scalar == ElementType::Half)
    for (int c = 0; c < make.components; ++c)
      set_component(type, element, c, component(type, element, c) + component(type, operand, c));
  else
    with_component_type(type, [&]<typename T>() {
      if constexpr (std::is_floating_point_v<T>)
        add_components<T>(element, operand, make.components);
      else
        add_components<std::make_unsigned_t<T>>(element, operand,
                                                make.components);  // two's complement: both signs alike
    });
}

void ReplayMemory::add(std::span<const BufferInfo> buffers) {
  last_.add(buffers);
  for (const BufferInfo& info : buffers) {
    Array array;
    array.type = info.type;
    // Private arrays are among accesses only: nothing of them is replayed.
    array.space = info.space == Space::Private ? Space::Local : info.space;
    const std::uint64_t element = traits(info.type).bytes;
    if (info.count > max_total / element)
      throw unreadable("the trace's buffer {} is too large for this program", info.name);
    array.size = info.count * element;
    array.parts = info.parts;
    if (!array.parts && array.space != Space::Local) {
      total_ += array.size;
      if (total_ > max_total) throw unreadable("the trace's buffers are too large for this program");
      // calloc: untouched pages cost nothing until a trace really fills them.
      array.data.reset(static_cast<std::byte*>(std::calloc(array.size + 64, 1)));
      if (!array.data)
        throw unreadable("there is no memory for the trace's buffer {} of {} bytes", info.name, array.size);
      array.written.assign((array.size + State::page_bytes - 1) / State::page_bytes, 0);
    }
    arrays_.push_back(std::move(array));
  }
  local_budget_ = min_local_budget + 4 * total_;
}

const ReplayMemory::Array* ReplayMemory::array_at(int buffer) const {
  const auto number = static_cast<std::size_t>(buffer);
  return buffer >= 0 && number < arrays_.size() ? &arrays_[number] : nullptr;
}

bool ReplayMemory::is_pair(int buffer) const {
  const Array* array = array_at(buffer);
  return array && array->parts;
}

void ReplayMemory::begin_launch(const LaunchInfo& launch) {
  group_size_ = std::max<std::uint64_t>(launch.group_size(), 1);
  for (Array& array : arrays_) array.groups.clear();
  local_bytes_ = 0;
}

void ReplayMemory::assign(int buffer, std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!array_at(buffer)) return;
  Array& array = arrays_[buffer];
  if (array.space == Space::Local || array.parts || offset >= array.size || bytes.empty()) return;
  const std::uint64_t size = std::min<std::uint64_t>(bytes.size(), array.size - offset);
  std::memcpy(array.data.get() + offset, bytes.data(), size);
  for (std::uint64_t page = offset / State::page_bytes; page <= (offset + size - 1) / State::page_bytes; ++page)
    array.written[page] = not_saved | not_seen;
}

std::span<const std::byte> ReplayMemory::bytes(int buffer) const {
  const Array* array = array_at(buffer);
  return array && array->data ? std::span<const std::byte>(array->data.get(), array->size)
                              : std::span<const std::byte>();
}

const std::byte* ReplayMemory::readable_group(const Array& array, std::uint64_t group) const {
  return group < array.groups.size() && array.groups[group] ? array.groups[group]->data() : nullptr;
}

// Calls each(run) for maximal runs of rows that see the same arrays.
template <typename Each>
void ReplayMemory::for_runs(const Rows& rows, bool writing, const Each& each) {
  const auto known = [&](int buffer) { return array_at(buffer) && !is_pair(buffer); };
  const Array* from = known(rows.read_buffer) ? array_at(rows.read_buffer) : nullptr;
  Array* to = writing && known(rows.write_buffer) ? &arrays_[rows.write_buffer] : nullptr;
  const bool from_local = from && from->space == Space::Local, to_local = to && to->space == Space::Local;
  for (std::size_t begin = 0; begin < rows.count;) {
    std::size_t end = rows.count;
    std::uint64_t group = 0;
    if (from_local || to_local) {
      group = rows.item[begin] / group_size_;
      end = begin + 1;
      while (end < rows.count && rows.item[end] / group_size_ == group) ++end;
    }
    Run run{begin, end, nullptr, nullptr, from ? from->size : 0, to ? to->size : 0, nullptr};
    if (to) {
      run.to = to_local ? writable_group(*to, group) : to->data.get();
      if (!to_local) run.written = to->written.data();
    }
    if (from) run.from = from_local ? readable_group(*from, group) : from->data.get();
    each(run);
    begin = end;
  }
}

std::byte* ReplayMemory::writable_group(Array& array, std::uint64_t group) {
  if (group >= array.groups.size()) {
    local_bytes_ += (group + 1 - array.groups.size()) * sizeof(LocalArray);
    if (local_bytes_ > local_budget_)
      throw unreadable("the trace has more work-groups with local arrays than this program can hold");
    array.groups.resize(group + 1);
  }
  LocalArray& local = array.groups[group];
  if (!local) {
    local_bytes_ += array.size;
    if (local_bytes_ > local_budget_) throw unreadable("the trace's local arrays are too large for this program");
    local = std::make_shared<std::vector<std::byte>>(unknown_array(array.size));
  } else if (local.use_count() > 1) {
    local = std::make_shared<std::vector<std::byte>>(*local);
  }
  return local->data();
}

void ReplayMemory::step(const Rows& rows, int reads, int writes) {
  if (is_pair(rows.read_buffer) || is_pair(rows.write_buffer)) return step_in_parts(rows, reads, writes);
  for_runs(rows, writes > 0,
           [&](const Run& run) { with_size(rows.size, [&](auto size) { step_run<size>(rows, run, reads, writes); }); });
}

// One row after the other: where one end is a pair, each half of an element is somewhere of its own.
void ReplayMemory::step_in_parts(const Rows& rows, int reads, int writes) {
  const std::size_t half = rows.size / 2;
  // Where half an element is: of a pair its real or its imaginary part. Null: nowhere.
  const auto at = [&](int number, std::uint64_t item, std::uint64_t index, std::size_t part, bool write) {
    const Array* array = array_at(number);
    std::byte* nowhere = nullptr;
    if (!array || index >= array->size / rows.size) return nowhere;
    std::uint64_t offset = index * rows.size + part * half;
    if (array->parts) {
      // A file may have operations of other elements than the pair's.
      if (rows.size != traits(array->type).bytes) return nowhere;
      const BufferPart& of = (*array->parts)[part];
      number = of.buffer;
      offset = of.at(index) * half;
      if (offset + half > arrays_[number].size) return nowhere;
    }
    Array& of = arrays_[number];
    if (of.space == Space::Local) {
      const std::uint64_t group = item / group_size_;
      if (write) return writable_group(of, group) + offset;
      const std::byte* known = readable_group(of, group);
      return known ? const_cast<std::byte*>(known) + offset : nowhere;
    }
    if (write) of.written[offset / State::page_bytes] = written_now;
    return of.data.get() + offset;
  };
  for (std::size_t row = 0; row < rows.count; ++row) {
    for (std::size_t r = 0; r < std::size_t(reads); ++r)
      for (std::size_t part = 0; part < 2; ++part) {
        std::byte* out = rows.read_out[r] + row * rows.size + part * half;
        if (const std::byte* from = at(rows.read_buffer, rows.item[row], rows.read_index[r][row], part, false))
          std::memcpy(out, from, half);
        else
          for (std::size_t byte = 0; byte < half; byte += sizeof uninitialised_pattern)
            std::memcpy(out + byte, &uninitialised_pattern, std::min(half - byte, sizeof uninitialised_pattern));
      }
    for (std::size_t w = 0; w < std::size_t(writes); ++w)
      for (std::size_t part = 0; part < 2; ++part)
        if (std::byte* to = at(rows.write_buffer, rows.item[row], rows.write_index[w][row], part, true))
          std::memcpy(to, rows.write_in[w] + row * rows.size + part * half, half);
  }
}

void ReplayMemory::step_adding(const Rows& rows, ElementType type) {
  assert(rows.reads == 1 && rows.writes == 1 && traits(type).bytes == rows.size);
  for_runs(rows, true, [&](const Run& run) {
    const std::uint64_t elements = run.to ? run.to_bytes / rows.size : 0;
    for (std::size_t row = run.begin; row < run.end; ++row) {
      const std::size_t index = rows.write_index[0][row];
      std::byte* out = rows.read_out[0] + row * rows.size;
      if (index >= elements) {
        std::memset(out, 0, rows.size);
        for (std::size_t at = 0; at + 4 <= rows.size; at += 4) std::memcpy(out + at, &uninitialised_pattern, 4);
        continue;
      }
      std::byte* element = run.to + index * rows.size;
      std::memcpy(out, element, rows.size);
      if (is_uninitialised({element, rows.size})) continue;
      add_element(type, element, rows.write_in[0] + row * rows.size);
      if (run.written) run.written[index * rows.size / State::page_bytes] = written_now;
    }
  });
}

bool ReplayMemory::always_known(int buffer, std::size_t size, std::uint64_t index) const {
  const Array* array = array_at(buffer);
  return array && array->space != Space::Local && index < array->size / size;
}

State ReplayMemory::snapshot() {
  for (std::size_t b = 0; b < arrays_.size(); ++b) {
    Array& array = arrays_[b];
    State::Buffer& saved = last_.buffers_[b];
    saved.groups = array.groups;
    for (std::size_t p = 0; p < array.written.size(); ++p) {
      if (!(array.written[p] & not_saved)) continue;
      const std::uint64_t offset = p * State::page_bytes;
      auto page = std::make_shared<State::Page>();
      std::memcpy(page->data, array.data.get() + offset,
                  std::min<std::uint64_t>(State::page_bytes, array.size - offset));
      saved.pages[p] = std::move(page);
      array.written[p] &= static_cast<std::uint8_t>(~not_saved);
    }
  }
  return last_;
}

void ReplayMemory::restore(const State& state, const LaunchInfo* launch) {
  assert(state.buffers_.size() == arrays_.size());
  if (launch) group_size_ = std::max<std::uint64_t>(launch->group_size(), 1);
  local_bytes_ = 0;
  for (std::size_t b = 0; b < arrays_.size(); ++b) {
    Array& array = arrays_[b];
    const State::Buffer& saved = state.buffers_[b];
    array.groups = saved.groups;
    for (const LocalArray& group : array.groups) local_bytes_ += sizeof group + (group ? group->size() : 0);
    for (std::size_t p = 0; p < array.written.size(); ++p) {
      if (!(array.written[p] & not_saved) && saved.pages[p] == last_.buffers_[b].pages[p]) continue;
      const std::uint64_t offset = p * State::page_bytes,
                          size = std::min<std::uint64_t>(State::page_bytes, array.size - offset);
      if (saved.pages[p])
        std::memcpy(array.data.get() + offset, saved.pages[p]->data, size);
      else
        std::memset(array.data.get() + offset, 0, size);
      array.written[p] = not_seen;
    }
  }
  last_ = state;
}

bool ReplayMemory::touched(int buffer, std::size_t page) const {
  const Array* array = array_at(buffer);
  return array && page < array->written.size() && (array->written[page] & not_seen);
}

void ReplayMemory::forget_touched() {
  for (Array& array : arrays_)
    for (std::uint8_t& flags : array.written) flags &= static_cast<std::uint8_t>(~not_seen);
}

}  // namespace twiddle
