// A small executor of kernels written as lambdas, which logs their accesses as a runtime would.
#pragma once

#include "tracer/access/access.h"
#include "tracer/trace/trace.h"

#include <complex>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <source_location>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace twiddle::recorded {

using cf = std::complex<float>;
using cd = std::complex<double>;
using Where = std::source_location;

/// How accesses are logged: as typed source code has them, or, as compiled code does, in words without a type.
enum class Words { Typed, Four, Eight };

class Machine;

/// A work-item while it runs. Registers outlive phases, which end in a barrier.
class Item {
 public:
  int id = 0, local = 0, group = 0;
  std::vector<cd> z;  // registers
  std::vector<double> r;

  template <typename T>
  T load(int buffer, std::uint64_t index, Where where = Where::current());
  template <typename T>
  void store(int buffer, std::uint64_t index, T value, Where where = Where::current());
  /// Adds to the element; returns what was there.
  template <typename T>
  T atomic_add(int buffer, std::uint64_t index, T value, Where where = Where::current());

 private:
  friend class Machine;
  Machine* machine_ = nullptr;
};

class Machine {
 public:
  TraceInfo info;
  AccessLog log;
  Words words = Words::Typed;
  int group_size = 1 << 30;

  int add(const std::string& name, ElementType type, std::uint64_t count, Space space = Space::Global) {
    BufferInfo buffer;
    buffer.name = name;
    buffer.type = type;
    buffer.count = count;
    buffer.space = space;
    info.buffers.push_back(buffer);
    const std::size_t groups = space == Space::Local ? 64 : 1;
    memory_.emplace_back(groups, std::vector<std::byte>(count * traits(type).bytes));
    return static_cast<int>(info.buffers.size()) - 1;
  }
  template <typename T>
  T& at(int buffer, std::uint64_t index, int group = 0) {
    std::vector<std::byte>& bytes = memory_[buffer][memory_[buffer].size() > 1 ? group : 0];
    if ((index + 1) * sizeof(T) > bytes.size()) throw std::out_of_range(info.buffers[buffer].name);
    return reinterpret_cast<T*>(bytes.data())[index];
  }

  /// Runs all items, phase by phase; `items` are logged from `first` on, `count` of them (0: all).
  void run(int items, int phases, const std::function<void(Item&, int phase)>& kernel, int first = 0, int count = 0) {
    LaunchInfo launch;
    launch.number = 1;
    launch.kernel = "kernel";
    launch.source = 0;
    launch.global[0] = static_cast<std::size_t>(items);
    launch.local[0] = static_cast<std::size_t>(std::min(items, group_size));
    info.launches = {launch};
    info.sources = {{"kernel.cl", "kernel void kernel() {}\n"}};
    std::vector<Item> all(static_cast<std::size_t>(items));
    records_.assign(static_cast<std::size_t>(items), {});
    log = {};
    sites_.clear();
    for (int phase = 0; phase < phases; ++phase)
      for (int i = 0; i < items; ++i) {
        Item& item = all[static_cast<std::size_t>(i)];
        item.id = i;
        item.local = i % std::min(items, group_size);
        item.group = i / std::min(items, group_size);
        item.machine_ = this;
        if (phase > 0) {
          AccessSite barrier;
          barrier.kind = AccessKind::Barrier;
          records_[item.id].push_back({site(barrier, 1, 1), -1, 0, ordered_local});
        }
        kernel(item, phase);
      }
    log.first_item = static_cast<std::uint64_t>(first);
    log.begin = {0};
    for (int i = first; i < (count ? first + count : items); ++i) {
      for (const Record& record : records_[i]) {
        log.site.push_back(record.site);
        log.buffer.push_back(record.buffer);
        log.offset.push_back(record.offset);
        log.value.push_back(record.value);
      }
      log.begin.push_back(log.site.size());
    }
  }

 private:
  friend class Item;
  struct Record {
    std::uint32_t site;
    std::int32_t buffer;
    std::uint64_t offset, value;
  };

  std::uint32_t site(AccessSite site, int line, int column) {
    site.line = line;
    site.column = column;
    const auto key = std::tuple(int(site.kind), line, column, int(site.type), int(site.components), int(site.chunk));
    const auto [at, fresh] = sites_.emplace(key, static_cast<std::uint32_t>(log.sites.size()));
    if (fresh) log.sites.push_back(site);
    return at->second;
  }

  template <typename T>
  void record(const Item& item, AccessKind kind, int buffer, std::uint64_t index, const T& value, const Where& where) {
    constexpr bool complex = !std::is_arithmetic_v<T>;
    constexpr bool wide = sizeof(T) == (complex ? 16 : 8);
    AccessSite base;
    base.kind = kind;
    base.space = info.buffers[buffer].space;
    if (words == Words::Typed) {
      base.type = std::is_integral_v<T> ? (std::is_signed_v<T> ? ElementType::Int : ElementType::UInt)
                  : wide                ? ElementType::Double
                                        : ElementType::Float;
      base.components = complex ? 2 : 1;
      base.chunk = static_cast<std::uint8_t>(std::min<std::size_t>(sizeof(T), 8));
    } else {
      base.type = ElementType::UInt;
      base.chunk = static_cast<std::uint8_t>(words == Words::Four && !wide ? 4 : std::min<std::size_t>(sizeof(T), 8));
    }
    const std::uint32_t number = site(base, static_cast<int>(where.line()), static_cast<int>(where.column()));
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    for (std::size_t at = 0; at < sizeof(T); at += base.chunk) {
      Record record{number, buffer, index * sizeof(T) + at, 0};
      std::memcpy(&record.value, bytes + at, base.chunk);
      records_[item.id].push_back(record);
    }
  }

  std::vector<std::vector<std::vector<std::byte>>> memory_;  // [buffer][group]
  std::vector<std::vector<Record>> records_;
  std::map<std::tuple<int, int, int, int, int, int>, std::uint32_t> sites_;
};

template <typename T>
T Item::load(int buffer, std::uint64_t index, Where where) {
  const T value = machine_->at<T>(buffer, index, group);
  machine_->record(*this, AccessKind::Load, buffer, index, value, where);
  return value;
}
template <typename T>
void Item::store(int buffer, std::uint64_t index, T value, Where where) {
  machine_->at<T>(buffer, index, group) = value;
  machine_->record(*this, AccessKind::Store, buffer, index, value, where);
}
template <typename T>
T Item::atomic_add(int buffer, std::uint64_t index, T value, Where where) {
  T& element = machine_->at<T>(buffer, index, group);
  const T before = element;
  element = before + value;
  machine_->record(*this, AccessKind::AtomicLoad, buffer, index, before, where);
  machine_->record(*this, AccessKind::AtomicStore, buffer, index, element, where);
  return before;
}

}  // namespace twiddle::recorded
