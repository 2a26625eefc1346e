// Linked views: what a mark leads to, so that hovering or pinning a thing in one view lights it in all.
#pragma once

#include "tracer/trace/operation.h"
#include "viewer/document/document.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace twiddle {

/// The mark of an operation of a segment.
inline Mark operation_mark(const Operation& one, int segment) {
  return {.kind = MarkKind::Operation, .launch = one.launch, .segment = segment, .step = one.step, .item = one.item};
}

/// Whether one of some accesses is of an element.
bool includes(const SmallList<Access, 4>& accesses, int buffer, std::uint64_t index);

/// What a mark leads to: the same thing as every view knows it, so that hovering one lights all.
struct Linked {
  std::optional<Operation> operation;
  int launch = 0, segment = -1;
  std::optional<std::uint64_t> item;  // of `launch`
  bool whole_item = false;            // all that the item did, not one operation of it
  int buffer = -1;
  std::optional<std::uint64_t> index;  // element of `buffer`
  int source = -1, line = 0;
  std::vector<std::uint64_t> culprits{};  // of a finding: further items of `launch`
  bool none() const { return launch == 0 && segment < 0 && buffer < 0 && line == 0; }
};
Linked links_of(Document& document, const Mark& mark);

/// What is hovered and what is pinned.
struct Links {
  Linked hover, pinned;

  /// `hides_next`: nothing leads to an operation after the cursor.
  Links(Document& document, const Cursor& cursor, bool hides_next = false);

  /// How a step, an item or an element is lit: 2 hover, 1 pinned, 0 not.
  int lit_step(std::uint64_t step) const;
  int lit_operation(const Operation& operation) const;  // by itself, or with all others of its item
  int lit_item(int launch, std::uint64_t item) const;
  int lit_element(int buffer, std::uint64_t index) const;
  int lit_line(int source, int line) const;
  int lit_segment(int segment) const;

 private:
  template <typename Is>
  int strength(const Is& is) const;
};

}  // namespace twiddle
