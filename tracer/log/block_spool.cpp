#include "tracer/log/block_spool.h"

#include "base/error.h"
#include "tracer/trace/bytes.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <type_traits>

#include <unistd.h>

namespace twiddle {
namespace {

template <typename Site, typename Each>
void for_each_field(Site& site, Each& each) requires std::is_same_v<std::remove_const_t<Site>, SiteColumns> {
  each(site.site), each(site.shape), each(site.value_type), each(site.coefficient_type);
  each(site.buffers[0]), each(site.buffers[1]), each(site.count);
  each(site.index), each(site.coefficients), each(site.reads), each(site.writes);
}

template <typename Block, typename Each>
void for_each_field(Block& block, Each& each) requires std::is_same_v<std::remove_const_t<Block>, OperationBlock> {
  each(block.count), each(block.barriers), each(block.item), each(block.slot), each(block.site), each(block.rank);
  each(block.sites);
}

// The spool is read by the process that wrote it, so that numbers are in it as they are in memory.
class Packer {
 public:
  template <typename T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.raw(std::as_bytes(std::span(&value, 1)));
  }
  template <typename T>
  void operator()(const std::vector<T>& list) {
    bytes_.number(list.size());
    if constexpr (std::is_trivially_copyable_v<T>)
      bytes_.raw(std::as_bytes(std::span(list)));
    else
      for (const T& one : list) (*this)(one);
  }
  void operator()(const SiteColumns& site) { for_each_field(site, *this); }
  std::vector<std::byte> take() { return bytes_.take(); }

 private:
  ByteWriter bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <typename T>
  void operator()(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(&value, bytes_.raw(sizeof value).data(), sizeof value);
  }
  template <typename T>
  void operator()(std::vector<T>& list) {
    list.resize(bytes_.number());
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (!list.empty()) std::memcpy(list.data(), bytes_.raw(list.size() * sizeof(T)).data(), list.size() * sizeof(T));
    } else {
      for (T& one : list) (*this)(one);
    }
  }
  void operator()(SiteColumns& site) { for_each_field(site, *this); }

 private:
  ByteReader bytes_;
};

Error no_room(const char* doing) {
  return usage_error("could not {} a temporary file in {} ({}); set TMPDIR to a folder with room", doing,
                     std::filesystem::temp_directory_path().string(), std::strerror(errno));
}

// A file without a name: the system removes it when the program ends, also by a signal.
std::FILE* open_nameless() {
  std::string name = (std::filesystem::temp_directory_path() / "twiddle-spool-XXXXXX").string();
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) throw no_room("make");
  unlink(name.c_str());
  std::FILE* file = fdopen(descriptor, "w+b");
  if (!file) {
    close(descriptor);
    throw no_room("open");
  }
  return file;
}

bool same_make(const SiteColumns& a, const SiteColumns& b) {
  return a.site == b.site && a.shape == b.shape && a.value_type == b.value_type &&
         a.coefficient_type == b.coefficient_type && a.buffers[0] == b.buffers[0] && a.buffers[1] == b.buffers[1];
}

template <typename T>
void extend(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}
template <typename T>
void extend(std::vector<std::vector<T>>& to, const std::vector<std::vector<T>>& from) {
  assert(to.size() == from.size());
  for (std::size_t c = 0; c < to.size(); ++c) extend(to[c], from[c]);
}

// Gives a block of one site the columns that a block of several has.
void name_sites(OperationBlock& block) {
  if (!block.site.empty()) return;
  block.site.assign(block.count, 0);
  block.rank.resize(block.count);
  for (std::uint32_t i = 0; i < block.count; ++i) block.rank[i] = i;
}

}  // namespace

bool join(OperationBlock& block, const OperationBlock& more) {
  constexpr std::size_t max_sites = 255;
  if (block.barriers != more.barriers || block.count + more.count > block_capacity ||
      block.sites.size() + more.sites.size() > max_sites)
    return false;

  std::vector<std::size_t> place;  // of each of more's sites among the block's
  for (const SiteColumns& site : more.sites) {
    const auto found = std::find_if(block.sites.begin(), block.sites.end(),
                                    [&](const SiteColumns& one) { return same_make(one, site); });
    place.push_back(static_cast<std::size_t>(found - block.sites.begin()));
    if (found == block.sites.end()) {
      name_sites(block);
      SiteColumns empty = site;
      empty.count = 0;
      for (auto& column : empty.index) column.clear();
      for (auto* columns : {&empty.coefficients, &empty.reads, &empty.writes})
        for (auto& column : *columns) column.clear();
      block.sites.push_back(std::move(empty));
    }
  }
  if (block.sites.size() > 1) {
    name_sites(block);
    for (std::uint32_t i = 0; i < more.count; ++i) {
      const std::size_t from = more.site.empty() ? 0 : more.site[i];
      const std::uint32_t rank = more.rank.empty() ? i : more.rank[i];
      block.site.push_back(static_cast<std::uint8_t>(place[from]));
      block.rank.push_back(block.sites[place[from]].count + rank);
    }
  }
  for (std::size_t s = 0; s < more.sites.size(); ++s) {
    SiteColumns& to = block.sites[place[s]];
    const SiteColumns& from = more.sites[s];
    to.count += from.count;
    extend(to.index, from.index);
    extend(to.coefficients, from.coefficients);
    extend(to.reads, from.reads);
    extend(to.writes, from.writes);
  }
  extend(block.item, more.item);
  extend(block.slot, more.slot);
  block.count += more.count;
  return true;
}

BlockSpool::BlockSpool() : file_(open_nameless(), &std::fclose) {}

void BlockSpool::add(const Place& place, const OperationBlock& block) {
  Packer packer;
  for_each_field(block, packer);
  const std::vector<std::byte> bytes = packer.take();
  if (fseeko(file_.get(), size_, SEEK_SET) != 0 ||
      std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
    throw no_room("write");
  pieces_[place].push_back({size_, bytes.size()});
  size_ += static_cast<long long>(bytes.size());
}

std::vector<std::byte> BlockSpool::read(const Piece& piece) {
  std::vector<std::byte> bytes(piece.bytes);
  if (fseeko(file_.get(), piece.offset, SEEK_SET) != 0 ||
      std::fread(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
    throw no_room("read");
  return bytes;
}

void BlockSpool::drain(const std::function<void(const Place&, OperationBlock&&)>& each) {
  if (std::fflush(file_.get()) != 0) throw no_room("write");
  for (const auto& [place, pieces] : pieces_) {
    OperationBlock block;
    for (const Piece& piece : pieces) {
      const std::vector<std::byte> bytes = read(piece);
      Unpacker unpacker(bytes);
      OperationBlock next;
      for_each_field(next, unpacker);
      if (block.count == 0) {
        block = std::move(next);
      } else if (!join(block, next)) {
        each(place, std::move(block));
        block = std::move(next);
      }
    }
    if (block.count) each(place, std::move(block));
  }
  pieces_.clear();
  size_ = 0;
}

}  // namespace twiddle
