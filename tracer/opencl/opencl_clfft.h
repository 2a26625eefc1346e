// clFFT, loaded at run time, for benches.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace twiddle {

/// Complex transforms of one device, out of place.
class ClFft {
 public:
  /// `device` as `twiddle devices` counts OpenCL's. Throws Error (no_device) where clFFT is not installed or has not a device.
  explicit ClFft(int device);
  ~ClFft();
  ClFft(const ClFft&) = delete;
  ClFft& operator=(const ClFft&) = delete;

  std::uint64_t memory_bytes() const;
  std::string version() const;
  /// `pairs` buffers for so many transforms in and out, of one to three lengths each; each input is given these points.
  void prepare(const std::vector<std::size_t>& lengths, std::uint64_t rows, std::uint64_t pairs,
               const std::vector<float>& points);
  /// Transforms number first … first + count − 1, of the first `turn` pairs in turn; host nanoseconds until all have ended.
  double run(std::uint64_t first, int count, std::uint64_t turn);
  /// The points that a pair's output holds.
  std::vector<float> result(std::uint64_t pair);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace twiddle
