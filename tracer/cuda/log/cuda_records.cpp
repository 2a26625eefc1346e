#include "tracer/cuda/log/cuda_records.h"

#include "base/error.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>

namespace twiddle {
namespace {

using twiddle_cuda::WarpRecord;

constexpr std::size_t no_drain = std::numeric_limits<std::size_t>::max();
constexpr std::uint64_t max_drain_bytes = std::uint64_t(1) << 40;

[[noreturn]] void damaged_log() { throw unreadable("The log of a recorded CUDA program is damaged"); }

int popcount(std::uint32_t mask) { return __builtin_popcount(mask); }

// Bytes that addresses and values of a record take after its head.
std::uint64_t address_bytes(const WarpRecord& head) {
  const std::uint64_t lanes = static_cast<std::uint64_t>(popcount(head.mask));
  switch (head.shape >> 4 & 3) {
    case twiddle_cuda::affine: return 0;
    case twiddle_cuda::offsets: return (4 * lanes + 15) & ~std::uint64_t(15);
    case twiddle_cuda::all_addresses: return (8 * lanes + 15) & ~std::uint64_t(15);
    default: damaged_log();
  }
}
std::uint64_t value_size(const WarpRecord& head) {
  const std::uint64_t size = std::uint64_t(1) << (head.shape & 15);
  if (size > 16) damaged_log();
  return head.shape >> 6 & 1 ? std::max<std::uint64_t>(size, 4) : 0;
}

std::uint64_t thread_of(const WarpRecord& head) { return head.thread_low | std::uint64_t(head.thread_high) << 32; }

}  // namespace

CudaRecords::CudaRecords(std::filesystem::path folder, int files, std::vector<CudaDrain> drains,
                         std::map<std::pair<int, std::uint16_t>, std::set<int>> launch_of)
    : folder_(std::move(folder)),
      files_(files),
      drains_(std::move(drains)),
      launch_of_(std::move(launch_of)),
      holds_(drains_.size()),
      scanned_(drains_.size()),
      at_hand_(no_drain) {}

std::vector<char> CudaRecords::read(const CudaDrain& drain) const {
  if (drain.bytes > max_drain_bytes || drain.offset > std::numeric_limits<std::uint64_t>::max() - drain.bytes)
    damaged_log();
  // What the events promise has to be there before memory is taken for it.
  std::uint64_t present = 0;
  std::error_code error;
  for (int i = 0; i < files_; ++i) {
    const auto size = std::filesystem::file_size(folder_ / ("log-" + std::to_string(i) + ".bin"), error);
    if (!error) present += size;
  }
  if (drain.offset + drain.bytes > present) damaged_log();
  std::vector<char> bytes(drain.bytes);
  std::map<int, std::ifstream> open;
  for (std::uint64_t done = 0; done < drain.bytes;) {
    const std::uint64_t at = drain.offset + done, stripe = at / twiddle_cuda::stripe_bytes;
    const std::uint64_t within = at % twiddle_cuda::stripe_bytes;
    const std::uint64_t count = std::min(drain.bytes - done, twiddle_cuda::stripe_bytes - within);
    const int file = static_cast<int>(stripe % static_cast<std::uint64_t>(files_));
    const auto [in, fresh] = open.try_emplace(file);
    if (fresh) in->second.open(folder_ / ("log-" + std::to_string(file) + ".bin"), std::ios::binary);
    in->second.seekg(
        static_cast<std::streamoff>(stripe / static_cast<std::uint64_t>(files_) * twiddle_cuda::stripe_bytes + within));
    if (!in->second.read(bytes.data() + done, static_cast<std::streamsize>(count))) damaged_log();
    done += count;
  }
  return bytes;
}

bool CudaRecords::load_if_holds(std::size_t drain, int launch) const {
  if (scanned_[drain] && !holds_[drain].count(launch)) return false;
  if (at_hand_ != drain) {
    at_hand_ = no_drain;
    loaded_.clear();
    bytes_ = read(drains_[drain]);
    int last = 0;
    std::pair<int, std::uint16_t> last_key{-1, 0};
    for (std::uint64_t at = 0; at + sizeof(WarpRecord) <= bytes_.size();) {
      WarpRecord head;
      std::memcpy(&head, bytes_.data() + at, sizeof head);
      if (head.bytes == 0) break;  // the log was full here
      if (head.bytes > bytes_.size() - at || head.mask == 0 || head.what >= twiddle_cuda::what_count) damaged_log();
      const std::uint64_t needed =
          sizeof head + address_bytes(head) + value_size(head) * static_cast<std::uint64_t>(popcount(head.mask));
      if (head.bytes < needed || head.bytes % 16 != 0) damaged_log();
      const std::pair<int, std::uint16_t> key{drains_[drain].log, head.grid};
      if (key != last_key) {  // the newest launch of that name that had begun
        last_key = key;
        last = 0;
        if (const auto named = launch_of_.find(key); named != launch_of_.end()) {
          const auto after = named->second.upper_bound(drains_[drain].last_launch);
          if (after != named->second.begin()) last = *std::prev(after);
        }
      }
      if (last > 0) loaded_[last].push_back({thread_of(head), at});
      at += head.bytes;
    }
    for (auto& [number, records] : loaded_) {
      std::stable_sort(records.begin(), records.end(),
                       [](const CudaRecord& a, const CudaRecord& b) { return a.thread < b.thread; });
      holds_[drain].insert(number);
    }
    scanned_[drain] = true;
    at_hand_ = drain;
  }
  return holds_[drain].count(launch) > 0;
}

CudaLanes CudaRecords::decode(const CudaRecord& record) const {
  CudaLanes lanes;
  const char* bytes = bytes_.data() + record.at;  // its length was checked when the drain was read
  std::memcpy(&lanes.head, bytes, sizeof lanes.head);
  lanes.size = 1u << (lanes.head.shape & 15);
  const char* addresses = bytes + sizeof lanes.head;
  const char* values = addresses + address_bytes(lanes.head);
  const std::uint64_t each = value_size(lanes.head);
  for (std::uint8_t lane = 0; lane < 32; ++lane) {
    if (!(lanes.head.mask >> lane & 1)) continue;
    const auto i = static_cast<std::size_t>(lanes.count++);
    lanes.lane[i] = lane;
    switch (lanes.head.shape >> 4 & 3) {
      case twiddle_cuda::affine:
        lanes.address[i] =
            lanes.head.address + static_cast<std::uint64_t>(std::int64_t(lanes.head.step) * std::int64_t(i));
        break;
      case twiddle_cuda::offsets: {
        std::int32_t offset;
        std::memcpy(&offset, addresses + 4 * i, 4);
        lanes.address[i] = lanes.head.address + static_cast<std::uint64_t>(std::int64_t(offset));
        break;
      }
      default: std::memcpy(&lanes.address[i], addresses + 8 * i, 8);
    }
    if (each > 0) std::memcpy(lanes.value[i].data(), values + each * i, std::min<std::uint64_t>(each, 16));
  }
  return lanes;
}

}  // namespace twiddle
