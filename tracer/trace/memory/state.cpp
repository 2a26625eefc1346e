#include "tracer/trace/memory/state.h"

#include <algorithm>
#include <cstring>

namespace twiddle {
namespace {

// Calls each(buffer, offset there, offset in the bytes, count) for the parts of `size` bytes of a pair from `offset` on.
template <typename Each>
void for_parts(const BufferParts& parts, std::uint64_t component_bytes, std::uint64_t offset, std::uint64_t size,
               const Each& each) {
  for (std::uint64_t done = 0; done < size;) {
    const std::uint64_t at = offset + done, inside = at % component_bytes;
    const std::uint64_t count = std::min(component_bytes - inside, size - done);
    const BufferPart& part = parts[at / component_bytes % 2];
    each(part.buffer, part.at(at / (2 * component_bytes)) * component_bytes + inside, done, count);
    done += count;
  }
}

}  // namespace

std::vector<std::byte> unknown_array(std::uint64_t bytes) {
  std::vector<std::byte> array(bytes);
  for (std::size_t at = 0; at + sizeof uninitialised_pattern <= array.size(); at += sizeof uninitialised_pattern)
    std::memcpy(array.data() + at, &uninitialised_pattern, sizeof uninitialised_pattern);
  return array;
}

bool is_uninitialised(std::span<const std::byte> bytes) {
  for (std::size_t at = 0; at + sizeof uninitialised_pattern <= bytes.size(); at += sizeof uninitialised_pattern)
    if (std::memcmp(bytes.data() + at, &uninitialised_pattern, sizeof uninitialised_pattern) != 0) return false;
  return bytes.size() >= sizeof uninitialised_pattern;  // narrower elements have no room for the pattern
}

State::State(const std::vector<BufferInfo>& buffers) { add(buffers); }

void State::add(std::span<const BufferInfo> buffers) {
  for (const BufferInfo& info : buffers) {
    Buffer buffer;
    buffer.type = info.type;
    buffer.count = info.count;
    buffer.space = info.space == Space::Private ? Space::Local : info.space;
    buffer.parts = info.parts;
    if (buffer.space != Space::Local && !buffer.parts)
      buffer.pages.resize((buffer.bytes() + page_bytes - 1) / page_bytes);
    buffers_.push_back(std::move(buffer));
  }
}

const State::Buffer* State::buffer_at(int buffer) const {
  const auto number = static_cast<std::size_t>(buffer);
  return buffer >= 0 && number < buffers_.size() ? &buffers_[number] : nullptr;
}

// Callers keep offset + size within the buffer.
void State::copy_out(const Buffer& buffer, std::uint64_t offset, std::span<std::byte> to) {
  while (!to.empty()) {
    const auto& page = buffer.pages[offset / page_bytes];
    const std::size_t inside = offset % page_bytes, part = std::min(to.size(), page_bytes - inside);
    if (page)
      std::memcpy(to.data(), page->data + inside, part);
    else
      std::memset(to.data(), 0, part);
    to = to.subspan(part);
    offset += part;
  }
}

void State::copy_in(Buffer& buffer, std::uint64_t offset, std::span<const std::byte> from) {
  while (!from.empty()) {
    auto& page = buffer.pages[offset / page_bytes];
    const std::size_t inside = offset % page_bytes, part = std::min(from.size(), page_bytes - inside);
    if (!page)
      page = std::make_shared<Page>();
    else if (page.use_count() > 1)
      page = std::make_shared<Page>(*page);
    std::memcpy(page->data + inside, from.data(), part);
    from = from.subspan(part);
    offset += part;
  }
}

bool State::read(int buffer, std::uint64_t group, std::uint64_t index, std::span<std::byte> element) const {
  const Buffer* from = buffer_at(buffer);
  const std::size_t size = from ? traits(from->type).bytes : 0;
  if (!from || index >= from->count || element.size() < size) return false;
  return read_bytes(buffer, group, index * size, element.first(size));
}

bool State::read_bytes(int buffer, std::uint64_t group, std::uint64_t offset, std::span<std::byte> to) const {
  const Buffer* from = buffer_at(buffer);
  if (!from || offset > from->bytes() || to.size() > from->bytes() - offset) return false;
  if (from->parts) {
    bool known = true;
    for_parts(*from->parts, traits(from->type).bytes / 2, offset, to.size(),
              [&](int part, std::uint64_t there, std::uint64_t at, std::uint64_t count) {
                known = read_bytes(part, group, there, to.subspan(at, count)) && known;
              });
    return known;
  }
  if (from->space != Space::Local) {
    copy_out(*from, offset, to);
    return true;
  }
  if (group >= from->groups.size() || !from->groups[group]) return false;
  std::memcpy(to.data(), from->groups[group]->data() + offset, to.size());
  return !is_uninitialised(to);
}

bool State::write_bytes(int buffer, std::uint64_t group, std::uint64_t offset, std::span<const std::byte> from) {
  const Buffer* found = buffer_at(buffer);
  if (!found || offset > found->bytes() || from.size() > found->bytes() - offset) return false;
  Buffer& to = buffers_[buffer];
  if (to.parts) {
    const BufferParts parts = *to.parts;
    bool all = true;
    for_parts(parts, traits(to.type).bytes / 2, offset, from.size(),
              [&](int part, std::uint64_t there, std::uint64_t at, std::uint64_t count) {
                all = write_bytes(part, group, there, from.subspan(at, count)) && all;
              });
    return all;
  }
  if (to.space != Space::Local) {
    copy_in(to, offset, from);
    return true;
  }
  if (group >= to.groups.size()) to.groups.resize(group + 1);
  auto& array = to.groups[group];
  if (!array)
    array = std::make_shared<std::vector<std::byte>>(unknown_array(to.bytes()));
  else if (array.use_count() > 1)
    array = std::make_shared<std::vector<std::byte>>(*array);
  std::memcpy(array->data() + offset, from.data(), from.size());
  return true;
}

std::vector<std::byte> State::bytes(int buffer) const {
  const Buffer* from = buffer_at(buffer);
  return from ? bytes(buffer, 0, from->count) : std::vector<std::byte>();
}

std::vector<std::byte> State::bytes(int buffer, std::uint64_t first, std::uint64_t count) const {
  const Buffer* from = buffer_at(buffer);
  if (!from || from->space == Space::Local || first >= from->count) return {};
  const std::size_t size = traits(from->type).bytes;
  std::vector<std::byte> result(std::min(count, from->count - first) * size);
  read_bytes(buffer, 0, first * size, result);
  return result;
}

void State::forget_locals() {
  for (Buffer& buffer : buffers_) buffer.groups.clear();
}

std::size_t State::bytes_not_shared_with(const State& other) const {
  std::size_t sum = 0;
  for (std::size_t b = 0; b < buffers_.size(); ++b) {
    const Buffer* theirs = b < other.buffers_.size() ? &other.buffers_[b] : nullptr;
    const Buffer& mine = buffers_[b];
    for (std::size_t p = 0; p < mine.pages.size(); ++p)
      if (mine.pages[p] && !(theirs && p < theirs->pages.size() && theirs->pages[p] == mine.pages[p]))
        sum += page_bytes;
    for (std::size_t g = 0; g < mine.groups.size(); ++g)
      if (mine.groups[g] && !(theirs && g < theirs->groups.size() && theirs->groups[g] == mine.groups[g]))
        sum += mine.groups[g]->size();
  }
  return sum;
}

}  // namespace twiddle
