#include "tracer/log/block_spool.h"

#include "base/error.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <type_traits>

#include <unistd.h>

namespace twiddle {
namespace {

// The spool is read by the process that wrote it, so blocks lie in it as they lie in memory.
class Bytes {
 public:
  template <typename T>
  void put(const std::vector<T>& column) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(column.size());
    append(column.data(), column.size() * sizeof(T));
  }
  template <typename T>
  void put(const std::vector<std::vector<T>>& columns) {
    put(columns.size());
    for (const std::vector<T>& column : columns) put(column);
  }
  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { append(&value, sizeof value); }
  std::vector<std::byte> bytes;

 private:
  void append(const void* data, std::size_t size) {
    const auto* from = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), from, from + size);
  }
};

class Cursor {
 public:
  explicit Cursor(const std::vector<std::byte>& bytes) : bytes_(bytes) {}
  template <typename T>
  void get(std::vector<T>& column) {
    std::size_t count = 0;
    get(count);
    column.resize(count);
    take(column.data(), count * sizeof(T));
  }
  template <typename T>
  void get(std::vector<std::vector<T>>& columns) {
    std::size_t count = 0;
    get(count);
    columns.resize(count);
    for (std::vector<T>& column : columns) get(column);
  }
  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void get(T& value) { take(&value, sizeof value); }

 private:
  void take(void* to, std::size_t size) {
    assert(size <= bytes_.size() - at_);
    if (size) std::memcpy(to, bytes_.data() + at_, size);
    at_ += size;
  }
  const std::vector<std::byte>& bytes_;
  std::size_t at_ = 0;
};

std::vector<std::byte> pack(const OperationBlock& block) {
  Bytes out;
  out.put(block.count);
  out.put(block.barriers);
  out.put(block.item);
  out.put(block.slot);
  out.put(block.site);
  out.put(block.rank);
  out.put(block.sites.size());
  for (const SiteColumns& site : block.sites) {
    out.put(site.site);
    out.put(site.shape);
    out.put(site.value_type);
    out.put(site.coefficient_type);
    out.put(site.buffers[0]);
    out.put(site.buffers[1]);
    out.put(site.count);
    out.put(site.index);
    out.put(site.coefficients);
    out.put(site.reads);
    out.put(site.writes);
  }
  return std::move(out.bytes);
}

OperationBlock unpack(const std::vector<std::byte>& bytes) {
  Cursor in(bytes);
  OperationBlock block;
  in.get(block.count);
  in.get(block.barriers);
  in.get(block.item);
  in.get(block.slot);
  in.get(block.site);
  in.get(block.rank);
  std::size_t sites = 0;
  in.get(sites);
  block.sites.resize(sites);
  for (SiteColumns& site : block.sites) {
    in.get(site.site);
    in.get(site.shape);
    in.get(site.value_type);
    in.get(site.coefficient_type);
    in.get(site.buffers[0]);
    in.get(site.buffers[1]);
    in.get(site.count);
    in.get(site.index);
    in.get(site.coefficients);
    in.get(site.reads);
    in.get(site.writes);
  }
  return block;
}

Error no_room(const char* doing) {
  return usage_error("could not {} a temporary file in {} ({}); set TMPDIR to a folder with room", doing,
                     std::filesystem::temp_directory_path().string(), std::strerror(errno));
}

// A file without a name: it goes when the program does, however it ends.
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
  constexpr std::size_t most_sites = 255;
  if (block.barriers != more.barriers || block.count + more.count > block_capacity ||
      block.sites.size() + more.sites.size() > most_sites)
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
  const std::vector<std::byte> bytes = pack(block);
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
      OperationBlock next = unpack(read(piece));
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
