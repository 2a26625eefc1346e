// Blocks of a trace file after their checksum has been met: from any bytes the decoder gives a block that agrees with
// itself and with the indices-only decoder, or throws Error. The corpus holds blocks of every shape, type and buffer;
// `twiddle_fuzz_codec --make=FOLDER` writes it anew.
#include "tracer/codec/codec.h"
#include "base/error.h"
#include "tests/support/random_blocks.h"
#include "tracer/codec/codec_state.h"

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace {

using twiddle::CodecState;
using twiddle::OperationBlock;
using twiddle::TraceInfo;

const TraceInfo& trace() {
  static const TraceInfo info = twiddle::synthetic::some_trace();
  return info;
}

/// The state in which every block of the corpus was encoded.
struct FreshState : CodecState {
  FreshState() : CodecState(trace().buffers) { begin_launch(trace().launches[0]); }
};

void require(bool holds) {
  if (!holds) std::abort();
}

void agrees_with_itself(const OperationBlock& block) {
  require(block.count <= twiddle::block_capacity);
  require(block.item.size() == block.count && block.slot.size() == block.count);
  require(block.site.empty() || block.site.size() == block.count);
  for (std::uint32_t i = 0; i < block.count; ++i) block.operation(trace(), i);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  for (int i = 1; i < *count; ++i) {
    const std::string_view argument = (*arguments)[i];
    if (!argument.starts_with("--make=")) continue;
    twiddle::synthetic::RandomBlocks random(7);
    for (int number = 0; number < 24; ++number) {
      FreshState state;
      std::uint64_t inconsistent = 0;
      const auto bytes = twiddle::encode(random.block(trace(), 40), state, inconsistent);
      std::ofstream file(std::string(argument.substr(7)) + "/block" + std::to_string(number), std::ios::binary);
      file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    std::exit(0);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  try {
    FreshState state;
    const OperationBlock whole = twiddle::decode(bytes, state, trace());
    agrees_with_itself(whole);
    // A caller that asks for less gets the same.
    const OperationBlock indices = twiddle::decode_indices(bytes, trace());
    require(indices.item == whole.item && indices.slot == whole.slot && indices.sites.size() == whole.sites.size());
    for (std::size_t s = 0; s < whole.sites.size(); ++s) require(indices.sites[s].index == whole.sites[s].index);
  } catch (const twiddle::Error&) {}
  try {
    twiddle::decode_indices(bytes, trace());
  } catch (const twiddle::Error&) {}
  return 0;
}
