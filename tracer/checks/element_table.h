// A record for every element of every buffer that is touched, made when it is first asked for: the memory of checks
// that follow elements. Local arrays have one for each work-group.
#pragma once

#include "tracer/checks/access.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace twiddle {

template <typename Record>
class ElementTable {
 public:
  explicit ElementTable(const TraceInfo& info) : info_(info), buffers_(info.buffers.size()) {}

  /// The record of an element, or null when the buffer has no such element. `group` matters for local arrays.
  Record* find(int buffer, std::uint64_t group, std::uint64_t element) {
    const BufferInfo& info = info_.buffers[buffer];
    if (element >= info.count) return nullptr;
    Pages& pages = buffers_[buffer];
    // The pages of a local array are group after group.
    const std::uint64_t pages_each = (info.count + page_size - 1) / page_size;
    const std::uint64_t page = (is_local(info) ? group * pages_each : 0) + element / page_size;
    if (page >= pages.size()) pages.resize(std::max(page + 1, is_local(info) ? page + page / 2 : pages_each));
    if (!pages[page]) pages[page] = std::make_unique<Page>();
    return &(*pages[page])[element % page_size];
  }

  /// Calls each(group, element, record) for every record of a buffer that was made, a page's at a time.
  template <typename Each>
  void for_each(int buffer, const Each& each) {
    const BufferInfo& info = info_.buffers[buffer];
    const std::uint64_t pages_each = (info.count + page_size - 1) / page_size;
    Pages& pages = buffers_[buffer];
    for (std::uint64_t page = 0; page < pages.size(); ++page) {
      if (!pages[page]) continue;
      const std::uint64_t first = page % pages_each * page_size;
      for (std::uint64_t i = 0; i < page_size && first + i < info.count; ++i)
        each(page / pages_each, first + i, (*pages[page])[i]);
    }
  }

  /// Forgets everything about local arrays.
  void forget_locals() {
    for (std::size_t b = 0; b < buffers_.size(); ++b)
      if (is_local(info_.buffers[b])) Pages().swap(buffers_[b]);
  }

 private:
  static constexpr std::uint64_t page_size = 256;
  using Page = std::array<Record, page_size>;
  using Pages = std::vector<std::unique_ptr<Page>>;
  const TraceInfo& info_;
  std::vector<Pages> buffers_;
};

}  // namespace twiddle
