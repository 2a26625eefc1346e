#include "viewer/graphs/needed_places.h"

#include <memory>

namespace twiddle {
namespace {

constexpr std::uint64_t max_needed_steps = std::uint64_t(1) << 17, max_needed_places = std::uint64_t(1) << 20;

struct KeptPlaces {
  bool known = false;
  std::unique_ptr<NeededPlaces> places;
};

/// Whether the outcome is one value that all others go into.
bool brings_to_one(const TraceInfo& info) {
  using Transform = Expect::Transform;
  const Transform transform = info.expect.transform;
  return transform == Transform::Sum || transform == Transform::Max || transform == Transform::ArgMax;
}

struct Touched {
  std::vector<bool> read, written;  // by row: of the state before a segment, and by the segment
};

Touched touched_rows(Document& document, int number) {
  Flow& flow = document.flow();
  const Segment& segment = flow.segment(number);
  Touched touched{std::vector<bool>(flow.rows()), std::vector<bool>(flow.rows())};
  if (segment.count == 0) return touched;
  document.replay->for_each(segment.first_step, segment.end_step() - 1, false, [&](const Operation& one) {
    const Operation linked = flow.with_loads(one);
    for (const Access& read : linked.reads)
      if (const auto row = flow.row_of(read, linked); row && flow.shows(number, read)) touched.read[*row] = true;
    for (const Access& write : linked.writes)
      if (const auto row = flow.row_of(write, linked); row && flow.shows(number + 1, write))
        touched.written[*row] = true;
    return true;
  });
  return touched;
}

std::unique_ptr<NeededPlaces> find_needed(Document& document) {
  Flow& flow = document.flow();
  const auto& columns = flow.columns();
  const TraceInfo& info = document.info();
  if (!flow.has_combines() || flow.has_butterflies() || !brings_to_one(info) || info.steps > max_needed_steps ||
      flow.rows() * columns.size() > max_needed_places)
    return nullptr;
  auto places = std::make_unique<NeededPlaces>(columns.size(), flow.rows());
  // Backwards: what is read later, and not written again before that. At the end it is the outcome.
  std::vector<bool> later(flow.rows());
  const int last = flow.segment_count();
  if (const int output = info.buffer_named(info.expect.output); output >= 0)
    if (const auto row = flow.row_of_element(last, output, 0)) later[*row] = true;
  for (int column = last; column >= 0; --column) {
    std::vector<bool> needed = later;
    if (column < last) {
      const Touched after = touched_rows(document, column);
      const bool same =
          columns[static_cast<std::size_t>(column)].shows_same_as(columns[static_cast<std::size_t>(column) + 1]);
      for (std::uint64_t row = 0; row < flow.rows(); ++row)
        needed[row] = after.read[row] || (same && later[row] && !after.written[row]);
      later = needed;
    }
    if (column > 0) {
      const Touched made = touched_rows(document, column - 1);
      for (std::uint64_t row = 0; row < flow.rows(); ++row) needed[row] = needed[row] || made.written[row];
    }
    places->set(column, needed);
  }
  return places;
}

}  // namespace

void NeededPlaces::set(int column, const std::vector<bool>& needed) {
  const std::size_t from = static_cast<std::size_t>(column) * (rows_ + 1);
  for (std::uint64_t row = 0; row < rows_; ++row) before_[from + row + 1] = before_[from + row] + (needed[row] ? 1 : 0);
}

const NeededPlaces* needed_places(Document& document) {
  auto& [known, places] = document.kept<KeptPlaces>();
  if (!known) known = true, places = find_needed(document);
  return places.get();
}

}  // namespace twiddle
