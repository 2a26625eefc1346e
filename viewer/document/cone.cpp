// The input cone of an element: walked backwards from column to column.
#include "viewer/document/document.h"
#include "viewer/document/flow.h"
#include "viewer/document/recent.h"

#include <algorithm>
#include <list>
#include <map>
#include <set>

namespace twiddle {
namespace {

void sort_unique(std::vector<std::uint64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

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

  for (int s = column - 1; s >= 0; --s) {
    const auto& after = cone.elements[s + 1];
    auto& before = cone.elements[s];
    const auto formula = by_formula ? flow.regular(s) : std::nullopt;
    const bool same_buffer = flow.columns()[s].shows_same_as(flow.columns()[s + 1]);
    if (formula) {
      items_known = false;
      for (const std::uint64_t row : after) {
        cone.steps.push_back(flow.segment(s).first_step + formula->butterfly(row));
        for (int leg = 0; leg < formula->radix; ++leg)
          before.push_back(formula->first_row(row) + static_cast<std::uint64_t>(leg) * formula->stride);
      }
    } else {
      // The last operation that wrote a row made its content; a row that no operation wrote came through.
      std::map<std::uint64_t, Operation> writer;
      for_runs(after, [&](Rows rows) {
        flow.operations(
            s, rows,
            [&](const Operation& op) {
              for (const Access& write : op.writes)
                if (const auto row = flow.row_of(write, op); row && *row >= rows.first && *row < rows.end)
                  writer[*row] = op;
            },
            true);
      });
      for (const std::uint64_t row : after) {
        const auto made = writer.find(row);
        if (made == writer.end()) {
          if (same_buffer) before.push_back(row);
          continue;
        }
        const Operation op = flow.with_loads(made->second);
        cone.steps.push_back(op.step);
        cone.workers.emplace_back(op.step, op.item);
        items.insert({op.launch, op.item});
        // A swap or a move takes one of its reads; everything else depends on all of them.
        for (int r = 0; r < op.reads.size(); ++r) {
          const bool taken =
              op.kind != OperationKind::Swap || flow.row_of(op.writes[1 - r], op) == std::optional<std::uint64_t>(row);
          if (const auto from = flow.row_of(op.reads[r], op); from && taken) before.push_back(*from);
        }
      }
    }
    sort_unique(before);
    if (before.size() > limit) {
      before.clear();
      cone.truncated = true;
      break;
    }
  }
  sort_unique(cone.steps);
  std::sort(cone.workers.begin(), cone.workers.end());
  cone.workers.erase(std::unique(cone.workers.begin(), cone.workers.end()), cone.workers.end());
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
