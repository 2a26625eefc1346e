#include "viewer/document/local_rows.h"

#include <algorithm>
#include <bit>

namespace twiddle {
namespace {

constexpr std::uint64_t max_steps_read = 1 << 17, max_elements = 1 << 16;

// Which elements a segment reads and writes, of the arrays of all groups together.
struct Touched {
  std::vector<bool> read, written;
};

// Calls `each(segment, element, writes)` for every access to the array.
template <typename Each>
void for_accesses_to(Replay& replay, int buffer, std::uint64_t count, const Each& each) {
  const TraceInfo& info = replay.info();
  const int launch = info.buffers[static_cast<std::size_t>(buffer)].launch;
  for (std::size_t s = 0; s < info.segments.size(); ++s) {
    const Segment& segment = info.segments[s];
    if (segment.launch != launch) continue;
    for (std::uint64_t step = segment.first_step; step < segment.end_step();) {
      const auto block = replay.indices_of(step);
      step = block->first_step + block->count;
      for (const SiteColumns& site : block->sites) {
        const ShapeTraits& shape = traits(site.shape);
        const auto take = [&](int named, std::uint8_t word, bool writes) {
          if (named < 0 || site.buffers[static_cast<std::size_t>(named)] != buffer) return;
          for (const std::uint32_t element : site.index[word])
            if (element < count) each(s, element, writes);
        };
        for (int r = 0; r < shape.reads; ++r) take(shape.read_buffer, shape.read_index[r], false);
        for (int w = 0; w < shape.writes; ++w) take(shape.write_buffer, shape.write_index[w], true);
        // What a sum is for is written by another operation.
      }
    }
  }
}

bool whole_without_padding(const TraceInfo& info, int buffer, std::uint64_t used) {
  if (std::has_single_bit(used)) return true;
  const LaunchInfo* launch = info.launch(info.buffers[static_cast<std::size_t>(buffer)].launch);
  const std::uint64_t all = used * (launch ? launch->groups() : 1);
  return std::any_of(info.buffers.begin(), info.buffers.end(),
                     [&](const BufferInfo& other) { return other.space == Space::Global && other.count == all; });
}

// −1: elements of no half or of both.
std::int8_t half_of(const std::vector<bool>& touched, const std::vector<std::uint32_t>& row, std::uint64_t half) {
  bool low = false, high = false;
  for (std::size_t element = 0; element < touched.size(); ++element)
    if (touched[element]) (row[element] < half ? low : high) = true;
  return static_cast<std::int8_t>(low == high ? -1 : low ? 0 : 1);
}

}  // namespace

std::shared_ptr<const LocalRows> local_rows(Replay& replay, int buffer) {
  const TraceInfo& info = replay.info();
  const BufferInfo& array = info.buffers[static_cast<std::size_t>(buffer)];
  if (array.space != Space::Local || array.count < 2 || array.count > max_elements) return nullptr;
  std::uint64_t steps = 0;
  for (const Segment& segment : info.segments)
    if (segment.launch == array.launch) steps += segment.count;
  if (steps == 0 || steps > max_steps_read) return nullptr;

  std::vector<Touched> touched(info.segments.size());
  std::vector<bool> used(array.count);
  for_accesses_to(replay, buffer, array.count, [&](std::size_t segment, std::uint32_t element, bool writes) {
    std::vector<bool>& of = writes ? touched[segment].written : touched[segment].read;
    if (of.empty()) of.resize(array.count);
    of[element] = true;
    used[element] = true;
  });
  const auto count = static_cast<std::uint64_t>(std::count(used.begin(), used.end(), true));
  if (count < 2) return nullptr;
  const bool padded = count < array.count && whole_without_padding(info, buffer, count);
  if (!padded) used.assign(array.count, true);

  auto made = std::make_shared<LocalRows>();
  made->row.assign(array.count, LocalRows::padding);
  made->part.assign(array.count, 0);
  std::uint32_t next = 0;
  for (std::size_t element = 0; element < used.size(); ++element)
    if (used[element]) made->row[element] = next++;
  made->rows = next;

  // Halves, and who uses which.
  const std::uint64_t half = next / 2;
  bool turns = next % 2 == 0 && half > 1, crossed = false;
  made->use.resize(touched.size());
  for (std::size_t s = 0; s < touched.size() && turns; ++s) {
    LocalRows::Use& use = made->use[s];
    if (!touched[s].read.empty()) turns = (use.read = half_of(touched[s].read, made->row, half)) >= 0;
    if (turns && !touched[s].written.empty()) turns = (use.written = half_of(touched[s].written, made->row, half)) >= 0;
    crossed = crossed || (use.read >= 0 && use.written >= 0 && use.read != use.written);
  }
  turns = turns && crossed;
  if (!padded && !turns) return nullptr;
  if (turns)
    made->rows = half;
  else
    made->use.assign(touched.size(), {0, 0});
  made->elements.assign(turns ? 2 : 1, std::vector<std::uint32_t>(made->rows));
  for (std::size_t element = 0; element < used.size(); ++element) {
    std::uint32_t& row = made->row[element];
    if (row == LocalRows::padding) continue;
    if (turns && row >= half) row -= static_cast<std::uint32_t>(half), made->part[element] = 1;
    made->elements[made->part[element]][row] = static_cast<std::uint32_t>(element);
  }
  return made;
}

}  // namespace twiddle
