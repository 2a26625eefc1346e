// Order between work-items that atomic operations make: what one item released and another acquired.
#pragma once

#include "tracer/access/access.h"

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace twiddle {

/// Built from one log when it is first asked. C11's rules, which are OpenCL's and CUDA's: a write that releases (its order, or a
/// fence before it) orders what came before it with what comes after a read that saw it and acquires (its order, or a fence
/// after it); both have to reach as far as the two items are apart. Order goes on through other items, and through
/// read-modify-writes between the two. It forgives where programs rely on more than the rules say and every device keeps it:
/// a barrier after a read acquires, what is read through a volatile pointer or atomically needs no acquiring, OpenCL's
/// barrier for global memory is a fence for the device, and where values do not tell which write a read saw, it saw all that
/// left this value.
class Synchronisation {
 public:
  struct Place {
    std::uint64_t item = 0, record = 0;
    int epoch = 0;                // barriers of its group before it
    std::uint32_t sub_epoch = 0;  // meetings of its sub-group before it
    bool atomic = false;          // or volatile
  };
  using Location = std::pair<std::int32_t, std::uint64_t>;  // buffer, offset
  /// With `Meeting::Any`, relaxed reads and writes order as well: what the program would get with fences.
  enum class Meeting { Ordered, Any };

  /// `max_steps`: how much is looked at in all before it gives up.
  Synchronisation(const AccessLog& log, std::uint64_t group_size, std::uint64_t sub_group_size, bool cuda,
                  std::uint64_t max_steps);

  /// Whether an item released something after `first` that an item acquired before `then`: each of the same item, or of its
  /// group with a barrier between, or of its sub-group with a meeting between. `local`: whether it is local memory
  /// that both touch. Of one location, `where`, atomics keep an order without releasing anything. Nothing where it gave up before
  /// it was found out.
  std::optional<bool> orders(const Place& first, const Place& then, const Location& where, bool local,
                             Meeting meeting = Meeting::Ordered);

 private:
  // How far order reaches, and in which memory: one of each of [reach][space].
  static constexpr std::size_t in_group = 0, in_device = 1;
  using Records = std::array<std::array<std::uint64_t, 2>, 2>;
  static constexpr std::uint64_t never = ~std::uint64_t(0);

  struct Sync {
    std::uint64_t item = 0, record = 0, last_record = 0;  // two of a read-modify-write
    int epoch = 0;
    std::uint32_t sub_epoch = 0;
    bool reads = false, writes = false, device = false;
    std::uint32_t seen = 0, left = 0;  // values of a location: of values_
    // The record up to which it releases and from which on it acquires.
    Records released{}, acquired{};
    Location where;
  };
  struct Fence {
    std::uint64_t record = 0;
    int epoch = 0;
    std::uint32_t sub_epoch = 0;
    bool releases = false, acquires = false;
    bool releases_to_device = false, acquires_from_device = false;
    std::uint64_t memory = 0;
  };
  // Where a program asks what comes before: all places of one key have the same answer.
  struct Key {
    std::uint64_t group = 0, item = never, reads = 0;
    int epoch = 0;
    std::uint64_t sub_group = 0;
    std::uint32_t sub_epoch = 0;
    bool atomic = false, local = false, any = false;
    auto operator<=>(const Key&) const = default;
  };
  using Reached = std::vector<std::uint8_t>;  // of a write: 1 << reach

  const std::vector<Fence>& fences_of(std::uint64_t item) const;
  void read_item(const AccessLog& log, std::uint64_t number, bool cuda);
  std::uint32_t value_of(const Location& where, std::int64_t owner, std::uint64_t value);
  bool may_matter(const Sync& read) const;
  std::uint64_t group_of(std::uint64_t item) const { return item / group_size_; }
  std::uint64_t sub_group_of(std::uint64_t item) const { return item % group_size_ / sub_group_size_; }
  bool met(std::uint64_t item, int epoch, std::uint32_t sub_epoch, std::uint64_t then_item, int then_epoch,
           std::uint32_t then_sub_epoch) const;
  bool releases(const Place& first, const Sync& write, std::size_t reach, bool local, bool any) const;
  bool acquires(const Sync& read, const Place& then, std::size_t reach, bool local, bool any) const;
  Key key_of(const Place& then, bool local, bool any) const;
  const Reached& reached_before(const Place& then, bool local, bool any);
  bool same_place(const Place& first, const Place& then, const Location& where);

  std::uint64_t group_size_, sub_group_size_;
  std::vector<Sync> syncs_;
  std::map<std::tuple<Location, std::int64_t, std::uint64_t>, std::uint32_t>
      numbers_;                                                         // of values, by location and owner
  std::vector<std::vector<std::uint32_t>> writers_;                     // of a value
  std::map<std::uint64_t, std::vector<std::uint32_t>> writes_, reads_;  // by group
  std::map<std::uint64_t, std::vector<std::uint32_t>> own_reads_;       // by item
  std::map<std::uint64_t, std::vector<Fence>> fences_;                  // by item
  std::map<Key, Reached> reached_;
  std::uint64_t max_steps_, steps_ = 0;
};

}  // namespace twiddle
