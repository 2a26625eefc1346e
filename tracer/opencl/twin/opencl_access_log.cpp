#include "tracer/opencl/twin/opencl_access_log.h"

#include "tracer/access/texel.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace twiddle {
namespace {

constexpr int address_bits = 47;
constexpr std::uint64_t address_mask = (std::uint64_t(1) << address_bits) - 1;

// Made-up addresses: above all real ones, each array far from the next.
constexpr std::uint64_t made_up(std::size_t array) { return (std::uint64_t(1) << 48) + (std::uint64_t(array) << 34); }

// Further from an array than this, an address is not said to be meant for it.
constexpr std::uint64_t near = 1 << 16;

std::uint64_t bytes_outside(std::uint64_t address, std::uint64_t base, std::uint64_t bytes) {
  if (address < base) return base - address;
  return address - base >= bytes ? address - base - bytes + 1 : 0;
}

constexpr std::size_t max_image_arguments = 127;  // whose numbers a record has room for

// An array where it is now.
struct Placed {
  std::size_t array = 0;  // index into arrays
  std::uint64_t base = 0, bytes = 0;
};

class Reader {
 public:
  Reader(const Twin& twin, const TwinKernel& kernel, const AccessLogLayout& layout, std::span<const std::uint64_t> log,
         std::span<const ArgumentMemory> arguments)
      : twin_(twin), kernel_(kernel), layout_(layout), log_(log), arguments_(arguments) {
    add_sites();
    add_everyones(kernel, arguments);
    add_owned(kernel, arguments);
  }

  RawAccesses read() {
    raw_.first_item = layout_.first_item;
    raw_.begin.reserve(layout_.items + 1);
    raw_.begin.push_back(0);
    for (const TwinUnlogged& one : twin_.unlogged)
      if (one.function.empty() || kernel_.functions.count(one.function)) raw_.unlogged.push_back(one);
    const auto* counts = reinterpret_cast<const std::uint32_t*>(log_.data() + layout_.counts_at());
    std::uint64_t records = 0;
    for (std::uint64_t i = 0; i < layout_.items; ++i) records += std::min<std::uint64_t>(counts[i], layout_.room(i));
    raw_.site.reserve(records);
    raw_.address.reserve(records);
    raw_.value.reserve(records);
    std::uint64_t group = std::numeric_limits<std::uint64_t>::max();
    for (std::uint64_t i = 0; i < layout_.items; ++i) {
      if (const std::uint64_t own = (layout_.first_item + i) / layout_.group_size; own != group)
        place_local(group = own);
      const std::uint64_t kept = std::min<std::uint64_t>(counts[i], layout_.room(i));
      read_item(i, kept);
      raw_.lost += counts[i] - kept;
      raw_.begin.push_back(raw_.site.size());
    }
    raw_.attempted = raw_.site.size() + raw_.lost;
    say_unseen_texels();
    return std::move(raw_);
  }

 private:
  // The trace's sites: without those that are for this reader, and a generic one once for each space that it meets.
  void add_sites() {
    for (const TwinSite& site : twin_.sites) {
      numbers_.push_back({-1, -1, -1, -1});
      if (site.texel) continue;  // a site for each kind of image that it meets
      if (site.use == TwinSite::Use::Access && !site.generic) number(numbers_.size() - 1, site.site.space);
    }
  }
  std::uint32_t number(std::size_t twin_site, Space space) {
    int& known = numbers_[twin_site][static_cast<std::size_t>(space)];
    if (known < 0) {
      known = static_cast<int>(raw_.sites.size());
      raw_.sites.push_back(twin_.sites[twin_site].site);
      raw_.sites.back().space = space;
    }
    return static_cast<std::uint32_t>(known);
  }

  std::uint32_t number_of_texels(std::size_t twin_site, const ImageMemory& image) {
    const auto [known, added] = texel_sites_.try_emplace({twin_site, image.channel, image.channels},
                                                         static_cast<std::uint32_t>(raw_.sites.size()));
    if (added) {
      AccessSite site = twin_.sites[twin_site].site;
      site.type = image.channel;
      site.components = static_cast<std::uint8_t>(image.channels);
      site.chunk = static_cast<std::uint8_t>(std::min<std::uint64_t>(image.texel_bytes(), 8));
      raw_.sites.push_back(std::move(site));
    }
    return known->second;
  }

  static AccessRange range_of_argument(Space space, std::size_t number, const TwinParameter& parameter,
                                       const ArgumentMemory& memory) {
    AccessRange range;
    range.space = space;
    range.bytes = memory.bytes;
    range.argument = static_cast<int>(number);
    range.name = parameter.name;
    return range;
  }

  void add_everyones(const TwinKernel& kernel, std::span<const ArgumentMemory> arguments) {
    for (std::size_t i = 0; i < kernel.parameters.size() && i < arguments.size(); ++i) {
      const TwinParameter& parameter = kernel.parameters[i];
      if (arguments[i].image && i < max_image_arguments) {
        AccessRange range = range_of_argument(Space::Global, i, parameter, arguments[i]);
        range.bytes = arguments[i].image->bytes();
        range.address = image_address(i, 0);
        raw_.ranges.push_back(range);
        continue;
      }
      if (arguments[i].bytes == 0 || arguments[i].local || parameter.slot < 0) continue;
      const Space space = parameter.space == "constant" ? Space::Constant : Space::Global;
      AccessRange range = range_of_argument(space, i, parameter, arguments[i]);
      range.address = log_[layout_.bases_at() + static_cast<std::size_t>(parameter.slot)] & address_mask;
      raw_.ranges.push_back(range);
    }
    for (const TwinVariable& variable : twin_.variables) {
      if (variable.space != Space::Global && variable.space != Space::Constant) continue;
      const std::uint64_t address = log_[layout_.bases_at() + static_cast<std::size_t>(variable.slot)];
      if (address == 0) continue;
      AccessRange range = range_of(variable);
      range.address = address & address_mask;
      raw_.ranges.push_back(range);
    }
  }

  // Local memory that is handed over, and arrays of groups and items.
  void add_owned(const TwinKernel& kernel, std::span<const ArgumentMemory> arguments) {
    for (std::size_t i = 0; i < kernel.parameters.size() && i < arguments.size(); ++i) {
      const TwinParameter& parameter = kernel.parameters[i];
      if (!arguments[i].local || parameter.slot < 0) continue;
      add_array(range_of_argument(Space::Local, i, parameter, arguments[i]), parameter.slot);
    }
    array_of_.assign(twin_.variables.size(), -1);
    for (std::size_t v = 0; v < twin_.variables.size(); ++v) {
      const TwinVariable& variable = twin_.variables[v];
      if (variable.space != Space::Local && variable.space != Space::Private) continue;
      if (variable.space == Space::Local && !in_use(variable.slot)) continue;  // of another kernel
      array_of_[v] = static_cast<int>(arrays_.size());
      add_array(range_of(variable), variable.slot);
    }
  }
  void add_array(AccessRange range, int slot) {
    range.address = made_up(arrays_.size());
    arrays_.push_back({slot, range.bytes});
    raw_.ranges.push_back(std::move(range));
  }
  bool in_use(int slot) const {
    for (std::uint64_t group = 0; group < layout_.groups; ++group)
      if (group_base(group, slot) != 0) return true;
    return false;
  }
  std::uint64_t group_base(std::uint64_t group, int slot) const {
    return log_[layout_.group_bases_at() + group * layout_.group_bases + static_cast<std::size_t>(slot)];
  }

  void place_local(std::uint64_t group) {
    local_.clear();
    for (std::size_t a = 0; a < arrays_.size(); ++a)
      if (arrays_[a].slot >= 0)
        if (const std::uint64_t base = group_base(group, arrays_[a].slot))
          local_.push_back({a, base & address_mask, arrays_[a].bytes});
  }

  void read_item(std::uint64_t item, std::uint64_t records) {
    private_.clear();
    copies_.clear();
    texel_.clear();
    const std::uint64_t lane = item % AccessLogLayout::block, step = layout_.rows ? 1 : AccessLogLayout::block;
    std::uint64_t at = layout_.rooms[item / AccessLogLayout::block] + (layout_.rows ? lane * layout_.room(item) : lane);
    for (std::uint64_t k = 0; k < records; ++k, at += step) {
      const std::uint64_t site = log_[2 * at] >> address_bits, address = log_[2 * at] & address_mask;
      if (site >= twin_.sites.size()) continue;  // the kernel wrote over its log
      read_record(static_cast<std::size_t>(site), address, log_[2 * at + 1]);
    }
  }

  void read_record(std::size_t site, std::uint64_t address, std::uint64_t value) {
    const TwinSite& twin = twin_.sites[site];
    if (twin.texel) return read_texel(site, address, value);
    if (twin.use == TwinSite::Use::Declare) return declare(twin.variable, address);
    if (twin.use == TwinSite::Use::CopyCall) {
      if (value == 0 || copies_.empty()) copies_.push_back(0);
      return;
    }
    if (twin.site.kind == AccessKind::CopyWait) value = wait(value);
    if (twin.site.kind == AccessKind::CopyStore && !copies_.empty()) ++copies_.back();
    Space space = twin.site.space;
    if (twin.generic) space = space_at(address);
    if (space == Space::Local || space == Space::Private)
      address = placed(space == Space::Local ? local_ : private_, twin.variable, address);
    raw_.site.push_back(number(site, space));
    raw_.address.push_back(address);
    raw_.value.push_back(value);
  }

  // A texel is a record with the coordinates, and one or two with its value.
  void read_texel(std::size_t site, std::uint64_t address, std::uint64_t value) {
    const TexelAccess& access = *twin_.sites[site].texel;
    if (texel_.empty()) texel_.push_back(address);
    texel_.push_back(value);
    if (texel_.size() < 2 + access.value_words()) return;
    const std::vector<std::uint64_t> words = std::exchange(texel_, {});
    const std::uint64_t argument = words[0] >> 40, sampler = (words[0] >> 32) & 0xff;
    const std::array<std::uint32_t, 3> coordinates{static_cast<std::uint32_t>(words[1]),
                                                   static_cast<std::uint32_t>(words[1] >> 32),
                                                   static_cast<std::uint32_t>(words[0])};
    if (argument >= std::min<std::size_t>(arguments_.size(), max_image_arguments) || !arguments_[argument].image) {
      ++unseen_[{site, false}];
      return;
    }
    const ImageMemory& image = *arguments_[argument].image;
    std::optional<std::uint32_t> how = static_cast<std::uint32_t>(sampler & 0x7f);
    if (sampler < 128) how = sampler < arguments_.size() ? arguments_[sampler].sampler : std::nullopt;
    const TexelPlace place = texel_place(access, image, how.value_or(no_sampler_bits), coordinates);
    if (!how || place.where == TexelPlace::Where::Between) {
      ++unseen_[{site, how.has_value()}];
      return;
    }
    if (place.where == TexelPlace::Where::Border) return;  // no memory
    const std::vector<std::byte> bytes = texel_bytes(access, image, std::span(words).subspan(2));
    const std::uint32_t number = number_of_texels(site, image);
    const bool inside = place.where == TexelPlace::Where::Inside;
    std::uint64_t offset = offset_outside(place.at);
    if (inside)
      offset = ((static_cast<std::uint64_t>(place.at[2]) * image.size[1] + static_cast<std::uint64_t>(place.at[1])) *
                    image.size[0] +
                static_cast<std::uint64_t>(place.at[0])) *
               image.texel_bytes();
    const std::size_t chunk = std::min<std::size_t>(bytes.size(), 8);
    for (std::size_t part = 0; part < bytes.size(); part += chunk) {
      std::uint64_t content = 0;
      std::memcpy(&content, bytes.data() + part, chunk);
      raw_.site.push_back(number);
      raw_.address.push_back(image_address(argument, inside ? offset + part : offset));
      raw_.value.push_back(content);
    }
  }
  void say_unseen_texels() {
    for (const auto& [what, count] : unseen_) {
      const AccessSite& site = twin_.sites[what.first].site;
      raw_.unlogged.push_back({site.source, site.line, count,
                               what.second ? Message("reads between texels (a linear filter) are not logged")
                                           : Message("images are not logged")});
    }
  }

  // An array begins to be: what was where it is now has ceased to be.
  void declare(int variable, std::uint64_t address) {
    if (variable < 0 || array_of_[static_cast<std::size_t>(variable)] < 0) return;
    const auto array = static_cast<std::size_t>(array_of_[static_cast<std::size_t>(variable)]);
    const std::uint64_t bytes = arrays_[array].bytes;
    std::erase_if(private_, [&](const Placed& other) {
      return other.array == array || (other.base < address + bytes && address < other.base + other.bytes);
    });
    private_.push_back({array, address, bytes});
  }

  // How many pairs of loads and stores are done when an item has waited for its `calls` oldest calls; 0: all.
  std::uint64_t wait(std::uint64_t calls) {
    if (calls == 0 || calls >= copies_.size()) {
      copies_.clear();
      return 0;
    }
    std::uint64_t pairs = 0;
    for (std::uint64_t i = 0; i < calls; ++i) pairs += copies_[i];
    copies_.erase(copies_.begin(), copies_.begin() + static_cast<std::ptrdiff_t>(calls));
    return pairs;
  }

  Space space_at(std::uint64_t address) const {
    const auto holds = [&](const std::vector<Placed>& places) {
      return std::any_of(places.begin(), places.end(),
                         [&](const Placed& one) { return bytes_outside(address, one.base, one.bytes) == 0; });
    };
    return holds(private_) ? Space::Private : holds(local_) ? Space::Local : Space::Global;
  }

  // The made-up address of what is at a real one: in the array that the place names, or else in the nearest.
  std::uint64_t placed(const std::vector<Placed>& places, int variable, std::uint64_t address) const {
    const int named = variable < 0 ? -1 : array_of_[static_cast<std::size_t>(variable)];
    const Placed* best = nullptr;
    std::uint64_t distance = near + 1;
    for (const Placed& one : places) {
      if (named >= 0 && one.array == static_cast<std::size_t>(named)) {
        best = &one;
        break;
      }
      const std::uint64_t outside = bytes_outside(address, one.base, one.bytes);
      if (outside < distance) best = &one, distance = outside;
    }
    return best ? made_up(best->array) + (address - best->base) : address;
  }

  struct Array {
    int slot;
    std::uint64_t bytes;
  };
  const Twin& twin_;
  const TwinKernel& kernel_;
  const AccessLogLayout& layout_;
  std::span<const std::uint64_t> log_;
  std::span<const ArgumentMemory> arguments_;
  RawAccesses raw_;
  std::vector<std::array<int, 4>> numbers_;  // of a twin's site in raw_.sites, by space
  std::vector<Array> arrays_;
  std::vector<int> array_of_;            // of a variable
  std::vector<Placed> local_, private_;  // of the group and of the item that is read
  std::vector<std::uint64_t> texel_;     // the records of a texel that is not whole yet
  std::map<std::tuple<std::size_t, ElementType, int>, std::uint32_t> texel_sites_;  // by twin's site and channels
  std::map<std::pair<std::size_t, bool>, std::uint64_t>
      unseen_;                         // by twin's site, and whether for its filter: how often
  std::vector<std::uint64_t> copies_;  // pairs of the item's calls that nothing waited for yet
};

}  // namespace

AccessRange range_of(const TwinVariable& variable) {
  AccessRange range;
  range.space = variable.space;
  range.bytes = variable.bytes;
  range.name = variable.name;
  range.function = variable.function;
  range.type = variable.type;
  range.element_bytes = variable.element_bytes;
  range.initialised = variable.initialised;
  return range;
}

void AccessLogLayout::make_rooms(std::span<const std::uint32_t> counts, std::uint64_t max_bytes) {
  const std::uint64_t first = records_at() / 2, last = std::max(first, max_bytes / 16);
  rooms.assign(blocks() + 1, first);
  for (std::uint64_t b = 0; b < blocks(); ++b) {
    std::uint32_t largest = 0;
    for (std::uint64_t i = b * block; i < std::min<std::uint64_t>(counts.size(), (b + 1) * block); ++i)
      largest = std::max(largest, counts[i]);
    const std::uint64_t fits = std::min<std::uint64_t>(largest, (last - rooms[b]) / block);
    rooms[b + 1] = rooms[b] + fits * block;
  }
}

std::uint64_t AccessLogLayout::lost(std::span<const std::uint32_t> counts) const {
  std::uint64_t without_room = 0;
  for (std::uint64_t i = 0; i < items; ++i) without_room += counts[i] - std::min<std::uint64_t>(counts[i], room(i));
  return without_room;
}

std::vector<std::uint64_t> AccessLogLayout::head() const {
  std::vector<std::uint64_t> words(counts_at(), 0);
  const std::array<std::uint64_t, 6> first{first_item, items, rooms_at(), counts_at(), bases_at(), group_bases_at()};
  std::copy(first.begin(), first.end(), words.begin());
  std::copy(rooms.begin(), rooms.end(), words.begin() + static_cast<std::ptrdiff_t>(rooms_at()));
  return words;
}

std::string AccessLogLayout::defines(bool rows) {
  return "#define TW_BLOCK " + std::to_string(block) + "\n" + (rows ? "#define TW_ROWS\n" : "");
}

RawAccesses read_access_log(const Twin& twin, const TwinKernel& kernel, const AccessLogLayout& layout,
                            std::span<const std::uint64_t> log, std::span<const ArgumentMemory> arguments) {
  assert(log.size() >= layout.records_at());
  return Reader(twin, kernel, layout, log, arguments).read();
}

}  // namespace twiddle
