// Insertions into a text, gathered in any order: what encloses a place is added before what is inside of it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace twiddle::rewriter {

class Edits {
 public:
  /// Puts `text` before the byte at `offset`; of several at one place the first added is outermost, that is leftmost.
  void open(std::size_t offset, std::string text) { add(offset, 0, std::move(text), false); }
  /// Puts `text` there too, before what is opened there; of several the first added is outermost, that is rightmost.
  void close(std::size_t offset, std::string text) { add(offset, 0, std::move(text), true); }
  /// Puts `text` in place of the bytes [begin, end).
  void replace(std::size_t begin, std::size_t end, std::string text) {
    add(begin, end - begin, std::move(text), false);
  }

  std::string apply(const std::string& text) const;

 private:
  struct Edit {
    std::size_t offset, removed;
    std::string text;
    bool closes;
    std::size_t order;
  };
  void add(std::size_t offset, std::size_t removed, std::string text, bool closes) {
    edits_.push_back({offset, removed, std::move(text), closes, edits_.size()});
  }

  std::vector<Edit> edits_;
};

}  // namespace twiddle::rewriter
