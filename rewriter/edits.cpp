#include "rewriter/edits.h"

#include <algorithm>

namespace twiddle::rewriter {

std::string Edits::apply(const std::string& text) const {
  std::vector<const Edit*> sorted;
  for (const Edit& edit : edits_) sorted.push_back(&edit);
  std::sort(sorted.begin(), sorted.end(), [](const Edit* a, const Edit* b) {
    if (a->offset != b->offset) return a->offset < b->offset;
    if (a->closes != b->closes) return a->closes;
    return a->closes ? a->order > b->order : a->order < b->order;
  });
  std::string out;
  std::size_t at = 0;
  for (const Edit* edit : sorted) {
    if (edit->offset > at) {
      out.append(text, at, edit->offset - at);
      at = edit->offset;
    }
    out += edit->text;
    at = std::max(at, edit->offset + edit->removed);
  }
  return out.append(text, at, std::string::npos);
}

}  // namespace twiddle::rewriter
