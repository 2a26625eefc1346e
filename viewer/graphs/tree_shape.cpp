#include "viewer/graphs/tree_shape.h"

#include "viewer/document/flow.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace twiddle {
namespace {

constexpr std::uint64_t decode_up_to = std::uint64_t(1) << 16;  // operations
constexpr std::uint32_t unknown = 0xFFFFFFFF;

/// Levels as the segments' spans say: each block merges whole blocks of the level before, up to all points.
std::vector<TreeLevel> levels_of(const TraceInfo& info, std::uint64_t points) {
  std::vector<TreeLevel> levels = {{-1, 1, points, 0}};
  for (std::size_t s = 0; s < info.segments.size(); ++s) {
    const Segment& segment = info.segments[s];
    const std::uint64_t before = levels.back().points;
    if (segment.kind != OperationKind::Butterfly || segment.span <= before || segment.span > points) continue;
    if (segment.span % before != 0 || points % segment.span != 0) return {};
    const std::uint64_t nodes = points / segment.span;
    if (segment.count % nodes != 0) return {};
    levels.push_back({static_cast<int>(s), segment.span, nodes, segment.count / nodes});
  }
  if (levels.size() < 2 || levels.back().points != points) return {};
  return levels;
}

/// The place of the node that holds every `nodes`-th input from `residue` on: its parent's, and which child it is.
std::uint64_t place_of(const TreeShape& shape, std::size_t level, std::uint64_t residue) {
  std::uint64_t place = 0;
  for (std::size_t l = shape.levels.size() - 1; l > level; --l) {
    const std::uint64_t parents = shape.levels[l].nodes, children = shape.levels[l - 1].nodes;
    const std::uint64_t at = residue % children;
    place = place * (children / parents) + at / parents;
  }
  return place;
}

/// Follows every input through the log: which one an element's content began with tells the node.
void derive_places(Document& document, TreeShape& shape) {
  Flow& flow = document.flow();
  const TraceInfo& info = document.info();
  std::vector<std::vector<std::uint32_t>> origin(info.buffers.size());  // by buffer and row
  for (auto& rows : origin) rows.assign(flow.rows(), unknown);
  const std::uint64_t points = shape.levels[0].nodes;
  auto& input = origin[shape.input_buffer];
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(points, input.size()); ++i)
    input[i] = static_cast<std::uint32_t>(i);
  shape.place_of_step.resize(shape.levels.size());
  shape.steps_of_place.resize(shape.levels.size());
  std::size_t level = 1;
  for (std::size_t s = 0; s < info.segments.size(); ++s) {
    const Segment& segment = info.segments[s];
    while (level < shape.levels.size() && shape.levels[level].segment < static_cast<int>(s)) ++level;
    const bool builds = level < shape.levels.size() && shape.levels[level].segment == static_cast<int>(s);
    if (builds) {
      shape.place_of_step[level].assign(segment.count, unknown);
      shape.steps_of_place[level].resize(shape.levels[level].nodes);
    }
    if (segment.count == 0) continue;
    std::vector<std::tuple<std::size_t, std::uint64_t, std::uint32_t>>
        written;  // together at the end: items are unordered
    document.replay->for_each(segment.first_step, segment.end_step() - 1, false, [&](const Operation& one) {
      const Operation linked = flow.with_loads(one);
      std::uint32_t from[4] = {unknown, unknown, unknown, unknown};
      for (int r = 0; r < linked.reads.size(); ++r)
        if (const auto row = flow.row_of(linked.reads[r], one); row && linked.reads[r].buffer >= 0)
          from[r] = origin[linked.reads[r].buffer][*row];
      if (builds && from[0] != unknown) {
        const std::uint64_t place = place_of(shape, level, from[0]);
        shape.place_of_step[level][one.step - segment.first_step] = static_cast<std::uint32_t>(place);
        shape.steps_of_place[level][place].push_back(one.step);
      }
      for (int w = 0; w < one.writes.size(); ++w) {
        const auto row = flow.row_of(one.writes[w], one);
        if (!row || one.writes[w].buffer < 0) continue;
        // A swap's first write takes its second read.
        const int read = one.kind == OperationKind::Swap ? 1 - w : 0;
        written.emplace_back(static_cast<std::size_t>(one.writes[w].buffer), *row, from[read]);
      }
      return true;
    });
    for (const auto& [buffer, row, began] : written) origin[buffer][row] = began;
  }
}

std::optional<TreeShape> derive(Document& document) {
  const TraceInfo& info = document.info();
  const TransformTraits& transform = traits(info.expect.transform);
  if (!transform.fourier || transform.plane) return {};
  TreeShape shape;
  shape.input_buffer = info.buffer_named(info.expect.input);
  shape.input = transform.inverse ? "X" : "x";
  if (shape.input_buffer < 0) return {};
  // Real points travel in pairs, as complex ones: the largest block is what the tree builds.
  std::uint64_t points = 0;
  for (const Segment& segment : info.segments)
    if (segment.kind == OperationKind::Butterfly) points = std::max(points, segment.span);
  const std::uint64_t count = info.buffers[shape.input_buffer].count;
  if (points < 2 || points > count) return {};
  if (points != count) shape.input = info.expect.points > 0 && info.expect.points == 2 * points ? "z" : shape.input;
  shape.levels = levels_of(info, points);
  if (shape.levels.empty() || points != count) return {};
  if (info.steps <= decode_up_to) derive_places(document, shape);
  return shape;
}

const Segment& segment_at(Document& document, const TreeShape& shape, int level) {
  return document.info().segments[shape.levels[level].segment];
}

/// Butterflies in place, in the tree's own order: rows of a node are together.
bool by_formula(Document& document, const TreeShape& shape, int level) {
  const auto formula = document.flow().regular(shape.levels[level].segment);
  return formula && document.flow().starts_with_swaps();
}

struct KeptTree {
  bool known = false;
  std::optional<TreeShape> shape;
};

}  // namespace

const TreeShape* tree_shape(Document& document) {
  auto& [known, shape] = document.kept<KeptTree>();
  if (!known) known = true, shape = derive(document);
  return shape ? &*shape : nullptr;
}

std::uint64_t first_input(const TreeShape& shape, int level, std::uint64_t place) {
  // Backwards along the place's digits: the last is the child of the parent just above the level.
  std::uint64_t residue = 0;
  for (std::size_t l = static_cast<std::size_t>(level); l + 1 < shape.levels.size(); ++l) {
    const std::uint64_t parents = shape.levels[l + 1].nodes, radix = shape.levels[l].nodes / parents;
    residue += place % radix * parents;
    place /= radix;
  }
  return residue;
}

std::optional<TreeNode> node_of(Document& document, const TreeShape& shape, const Operation& operation) {
  for (std::size_t level = 1; level < shape.levels.size(); ++level) {
    const TreeLevel& of = shape.levels[level];
    const Segment& segment = document.info().segments[of.segment];
    if (operation.step < segment.first_step || operation.step >= segment.end_step()) continue;
    if (!shape.place_of_step.empty()) {
      const std::uint32_t place = shape.place_of_step[level][operation.step - segment.first_step];
      if (place == unknown) return {};
      return TreeNode{static_cast<int>(level), place};
    }
    if (!by_formula(document, shape, static_cast<int>(level)) || operation.writes.empty()) return {};
    const auto row = document.flow().row_of(operation.writes[0], operation);
    if (!row) return {};
    return TreeNode{static_cast<int>(level), *row / of.points};
  }
  return {};
}

double node_done(Document& document, const TreeShape& shape, int level, std::uint64_t place, std::uint64_t step) {
  const TreeLevel& of = shape.levels[level];
  const Segment& segment = segment_at(document, shape, level);
  if (step < segment.first_step) return 0;
  if (step + 1 >= segment.end_step()) return 1;
  if (!shape.steps_of_place.empty()) {
    const auto& steps = shape.steps_of_place[level][place];
    if (steps.empty()) return 0;
    return double(std::upper_bound(steps.begin(), steps.end(), step) - steps.begin()) / double(steps.size());
  }
  const std::uint64_t done = step - segment.first_step + 1;
  if (!by_formula(document, shape, level)) return double(done) / double(segment.count);
  const std::uint64_t first = place * of.butterflies;
  return done <= first ? 0 : std::min(1.0, double(done - first) / double(of.butterflies));
}

std::uint64_t node_first_step(Document& document, const TreeShape& shape, int level, std::uint64_t place) {
  const Segment& segment = segment_at(document, shape, level);
  if (!shape.steps_of_place.empty()) {
    const auto& steps = shape.steps_of_place[level][place];
    return steps.empty() ? segment.first_step : steps.front();
  }
  if (!by_formula(document, shape, level)) return segment.first_step;
  return segment.first_step + place * shape.levels[level].butterflies;
}

}  // namespace twiddle
