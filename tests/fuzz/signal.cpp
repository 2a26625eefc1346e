// Signal files are untrusted: from any bytes the decoders return samples that agree with themselves or throw Error.
#include "base/error.h"
#include "kernels/signal/signal_files.h"

#include <cmath>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (auto* decode : {twiddle::decode_csv, twiddle::decode_wav, twiddle::decode_pgm, twiddle::decode_png}) {
    try {
      const twiddle::Samples samples = decode(bytes, "input");
      if (samples.values.empty() || samples.values.size() != samples.width * samples.height) std::abort();
      for (const auto& value : samples.values)
        if (!std::isfinite(value.real()) || !std::isfinite(value.imag())) std::abort();
    } catch (const twiddle::Error&) {}
  }
  return 0;
}
