#include "tracer/codec/columns/compress.h"

#include "base/error.h"

#include <zstd.h>

#include <cassert>
#include <memory>

namespace twiddle {
namespace {

constexpr int level = 1;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// zstd's work space, kept from call to call.
ZSTD_CCtx* compressor() {
  thread_local const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  if (!context) throw std::bad_alloc();
  return context.get();
}

ZSTD_DCtx* decompressor() {
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  if (!context) throw std::bad_alloc();
  return context.get();
}

void shuffle(std::span<const std::byte> bytes, std::size_t element, std::byte* out) {
  const std::size_t count = bytes.size() / element;
  for (std::size_t plane = 0; plane < element; ++plane)
    for (std::size_t i = 0; i < count; ++i) out[plane * count + i] = bytes[i * element + plane];
}

void unshuffle(const std::byte* planes, std::size_t element, std::span<std::byte> out) {
  const std::size_t count = out.size() / element;
  for (std::size_t plane = 0; plane < element; ++plane)
    for (std::size_t i = 0; i < count; ++i) out[i * element + plane] = planes[plane * count + i];
}

}  // namespace

std::vector<std::byte> compress(std::span<const std::byte> bytes, std::size_t element) {
  assert(element > 0 && bytes.size() % element == 0);
  std::vector<std::byte> shuffled;
  if (element > 1) {
    shuffled.resize(bytes.size());
    shuffle(bytes, element, shuffled.data());
    bytes = shuffled;
  }
  std::vector<std::byte> frame(ZSTD_compressBound(bytes.size()));
  const std::size_t size =
      ZSTD_compressCCtx(compressor(), frame.data(), frame.size(), bytes.data(), bytes.size(), level);
  assert(!ZSTD_isError(size));
  frame.resize(size);
  return frame;
}

std::uint64_t decompressed_size(std::span<const std::byte> frame, std::uint64_t limit) {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
    throw unreadable("a compressed column of the trace is damaged");
  if (size > limit)
    throw unreadable("a compressed column of the trace claims {} bytes, more than the {} it can hold", size, limit);
  return size;
}

void decompress(std::span<const std::byte> frame, std::size_t element, std::span<std::byte> out) {
  assert(element > 0 && out.size() % element == 0);
  if (decompressed_size(frame, out.size()) != out.size())
    throw unreadable("a compressed column of the trace holds fewer bytes than the {} it should", out.size());
  std::vector<std::byte> planes(element > 1 ? out.size() : 0);
  std::byte* target = element > 1 ? planes.data() : out.data();
  const std::size_t size = ZSTD_decompressDCtx(decompressor(), target, out.size(), frame.data(), frame.size());
  if (ZSTD_isError(size) || size != out.size()) throw unreadable("a compressed column of the trace is damaged");
  if (element > 1) unshuffle(planes.data(), element, out);
}

}  // namespace twiddle
