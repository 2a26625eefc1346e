// The input cone of an element: walked backwards from column to column.
#include "base/values/sorted.h"
#include "viewer/document/document.h"
#include "viewer/document/flow.h"
#include "viewer/document/recent.h"

#include <algorithm>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

/// Rows that are far apart are asked for one by one, neighbours together.
template <typename Each>
void for_runs(const std::vector<std::uint64_t>& rows, const Each& each) {
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i + 1;
    while (end < rows.size() && rows[end] == rows[end - 1] + 1) ++end;
    each(Rows{rows[i], rows[end - 1] + 1});
    i = end;
  }
}

/// The last operation of the same item in the segment, before one of its operations, that wrote what this one reads. Items'
/// operations follow one another; no more than some are looked through.
std::optional<Operation> made_before(Document& document, const Segment& segment, const Operation& op,
                                     const Access& read) {
  constexpr std::uint64_t max_looked_through = 256;
  const std::uint64_t first = std::max(segment.first_step, op.step - std::min(op.step, max_looked_through));
  for (std::uint64_t step = op.step; step-- > first;) {
    Operation before = document.replay->operation(step);
    if (before.item != op.item) return {};
    for (const Access& write : before.writes)
      if (write.buffer == read.buffer && write.index == read.index) return before;
  }
  return {};
}

using KeptCones = std::list<std::pair<Mark, Cone>>;  // of what was hovered and pinned lately

}  // namespace

Cone cone_of(Document& document, int buffer, std::uint64_t index, int segment, std::size_t limit) {
  Flow& flow = document.flow();
  Cone cone;
  cone.elements.resize(flow.columns().size());
  const int column = std::clamp(segment + 1, 0, static_cast<int>(flow.columns().size()) - 1);
  const auto start = flow.row_of_element(column, buffer, index);
  if (!start) return cone;
  cone.elements[column] = {*start};

  // Above this many rows a formula that all of a segment's operations agree on stands for the operations themselves.
  constexpr std::uint64_t decoded_rows = 1 << 14;
  const bool by_formula = flow.rows() > decoded_rows;
  bool items_known = true;
  std::set<std::pair<int, std::uint64_t>> items;

  // In which buffers the rows' contents are asked for: several may have a row of the same number.
  std::map<std::uint64_t, std::set<int>> wanted = {{*start, {buffer}}};
  for (int s = column - 1; s >= 0; --s) {
    auto& before = cone.elements[s];
    const Column &here = flow.columns()[s], &next = flow.columns()[s + 1];
    const auto formula = by_formula ? flow.regular(s) : std::nullopt;
    std::map<std::uint64_t, std::set<int>> earlier;
    const auto ask = [&](std::uint64_t row, int of) {
      before.push_back(row);
      earlier[row].insert(of);
    };
    // What no operation wrote came through; the other half of a local array is no place that it could come from.
    const auto come_through = [&](std::uint64_t row, int of) {
      if (of == next.buffer && of == here.buffer && !here.shows_same_as(next)) return;
      earlier[row].insert(of);
      if (of == here.buffer) before.push_back(row);
    };
    if (formula) {
      items_known = false;
      const Segment& made_in = flow.segment(s);
      for (const auto& [row, buffers] : wanted)
        for (const int of : buffers) {
          if (made_in.write_buffer >= 0 && made_in.write_buffer != of) {
            come_through(row, of);
            continue;
          }
          cone.steps.push_back(made_in.first_step + formula->butterfly(row));
          for (int leg = 0; leg < formula->radix; ++leg)
            ask(formula->first_row(row) + static_cast<std::uint64_t>(leg) * formula->stride,
                made_in.read_buffer >= 0 ? made_in.read_buffer : of);
        }
    } else {
      // The last operation that wrote a row made its content.
      std::vector<std::uint64_t> after;
      for (const auto& [row, buffers] : wanted) after.push_back(row);
      std::map<std::pair<std::uint64_t, int>, Operation> writer;
      for_runs(after, [&](Rows rows) {
        flow.operations(
            s, rows,
            [&](const Operation& op) {
              for (const Access& write : op.writes)
                if (const auto row = flow.row_of(write, op); row && *row >= rows.first && *row < rows.end)
                  writer[{*row, write.buffer}] = op;
            },
            true);
      });
      for (const auto& [row, buffers] : wanted)
        for (const int of : buffers) {
          const auto made = writer.find({row, of});
          if (made == writer.end()) {
            come_through(row, of);
            continue;
          }
          // What an item brought on its way, through an array that no column shows, it brought in this segment.
          std::vector<Operation> made_here{flow.with_loads(made->second)};
          while (!made_here.empty()) {
            const Operation op = std::move(made_here.back());
            made_here.pop_back();
            cone.steps.push_back(op.step);
            cone.workers.emplace_back(op.step, op.item);
            items.insert({op.launch, op.item});
            // A swap or a move takes one of its reads; everything else depends on all of them.
            for (int r = 0; r < op.reads.size(); ++r) {
              const Access& read = op.reads[r];
              if (op.kind == OperationKind::Swap && flow.row_of(op.writes[1 - r], op) != std::optional(row)) continue;
              if (auto maker =
                      read.buffer == here.buffer ? std::nullopt : made_before(document, flow.segment(s), op, read))
                made_here.push_back(flow.with_loads(*maker));
              else if (const auto from = flow.row_of(read, op))
                ask(*from, read.buffer);
            }
          }
        }
    }
    wanted = std::move(earlier);
    sort_unique(before);
    if (before.size() > limit) {
      before.clear();
      cone.truncated = true;
      break;
    }
  }
  sort_unique(cone.steps);
  sort_unique(cone.workers);
  cone.operations = cone.steps.size();
  cone.items = items_known && !cone.truncated ? items.size() : 0;
  for (const auto& rows : cone.elements) {
    if (rows.empty()) continue;
    cone.inputs = rows.size();
    break;
  }
  return cone;
}

const Cone* cone_at(Document& document, const Cursor& cursor) {
  constexpr std::size_t max_kept = 4;
  const auto& mark = cursor.hover && cursor.hover->kind == MarkKind::Element ? cursor.hover : cursor.pinned;
  if (!mark || mark->kind != MarkKind::Element) return nullptr;
  auto& cones = document.kept<KeptCones>();
  if (const auto* found = recent(cones, [&](const auto& entry) { return entry.first == *mark; })) return &found->second;
  Cone cone = cone_of(document, mark->buffer, mark->index, mark->segment);
  if (document.flow().incomplete()) return nullptr;  // the next frame knows more
  return &keep(cones, std::pair(*mark, std::move(cone)), max_kept).second;
}

}  // namespace twiddle
