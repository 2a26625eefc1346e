#include "viewer/views/cost_strips.h"

#include "base/message.h"
#include "tracer/cost/sub_group.h"
#include "viewer/facts/trace_facts.h"
#include "viewer/graphs/line_counters.h"
#include "viewer/scene/diagram_parts.h"
#include "viewer/views/view_frame.h"
#include "viewer/words/twiddle_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace twiddle {
namespace {

// In layout units.
constexpr float strips_above = 8, low_row = 18, tall_row = 47;
constexpr float heading_at = 8, number_at = 25, bar_at = 34, bar_height = 6, low_bar_from = 78;
constexpr float cell_pitch = 8, min_cell = 3.5f, max_low_bar = 64, min_low_bar = 24, low_number_room = 28;
constexpr float wide_gutter = 116, gutter_air = 14;

constexpr std::array<std::string_view, cost_strips_count> strip_names = {"none", "sectors", "passes", "both"};

/// Whether a trace has memory that is asked in passes through banks, or else in sectors.
bool has_memory(const TraceInfo& info, bool banks) {
  return std::any_of(info.buffers.begin(), info.buffers.end(), [&](const BufferInfo& buffer) {
    return banks ? buffer.space == Space::Local && !is_registers(buffer) : buffer.space == Space::Global;
  });
}

std::string low_name(bool banks) { return banks ? tr("bank passes") : tr("sectors"); }

class CostStripsFrame : Ink {
 public:
  CostStripsFrame(const DiagramInput& input, const StripRows& rows, float names_end, Scene& scene)
      : Ink{view_scale(input)},
        input_(input),
        info_(input.document.info()),
        rows_(rows),
        names_end_(names_end),
        scene_(scene) {}

  void draw(const Box& box, std::span<const StripColumn> columns) {
    costs_ = segment_costs(input_.document, input_.patience_ms / 4);
    if (!costs_) scene_.unfinished = true;
    scene_.set_layer(layer::heads);
    scene_.line({box.x + px(8), box.y + px(3)}, {box.right() - px(8), box.y + px(3)}, divider());
    float y = box.y + px(strips_above);
    for (const bool banks : {true, false}) {
      if (!(banks ? rows_.passes : rows_.sectors)) continue;
      row(banks, {box.x, y, box.w, px(rows_.low ? low_row : tall_row)}, columns);
      y += px(rows_.low ? low_row : tall_row);
    }
  }

  void draw_cells(bool banks, bool named, std::span<const CostCell> cells) {
    // What was waited for once in this picture is not waited for again.
    costs_ = segment_costs(input_.document, scene_.unfinished ? 0 : input_.patience_ms / 4);
    if (!costs_) {
      scene_.unfinished = true;
      return;
    }
    scene_.set_layer(layer::heads);
    std::uint64_t most = 1;
    float room = px(max_low_bar);
    for (const CostCell& one : cells) {
      room = std::min(room, one.box.w - px(low_number_room + 24));
      if (const auto of = costs(one, banks); of && of->accesses > 0) most = std::max(most, of->worst.asked);
    }
    const float unit = room < px(min_low_bar) ? 0 : std::min(px(cell_pitch), room / static_cast<float>(most));
    for (const CostCell& one : cells)
      if (const auto of = costs(one, banks)) cell(banks, named, one, *of, unit);
  }

 private:
  const DiagramInput& input_;
  const TraceInfo& info_;
  const StripRows& rows_;
  const float names_end_;
  Scene& scene_;
  const std::vector<SegmentCosts>* costs_ = nullptr;

  const AccessCosts* costs(int segment, bool banks) const {
    if (!costs_ || static_cast<std::size_t>(segment) >= costs_->size()) return nullptr;
    const SegmentCosts& both = (*costs_)[static_cast<std::size_t>(segment)];
    return banks ? &both.passes : &both.sectors;
  }
  /// Of all segments of a cell.
  std::optional<AccessCosts> costs(const CostCell& cell, bool banks) const {
    std::optional<AccessCosts> all;
    for (int segment = cell.first; segment < cell.end; ++segment)
      if (const AccessCosts* of = costs(segment, banks)) {
        if (!all) all.emplace();
        all->add(*of);
      }
    return all;
  }

  static std::string amount(std::uint64_t count, bool banks) {
    return banks ? plural(count, "{} pass through the banks", "{} passes through the banks")
                 : plural(count, "{} sector of 32 bytes", "{} sectors of 32 bytes");
  }

  void row(bool banks, const Box& box, std::span<const StripColumn> columns) {
    // Bars of one row have one scale, and cells where those of its longest have room.
    std::uint64_t most = 1;
    float room = 1e9f;
    bool hatched = false;
    for (const StripColumn& column : columns) {
      room = std::min(room, column.room);
      const AccessCosts* of = costs(column.segment, banks);
      if (!of || of->accesses == 0) continue;
      most = std::max(most, of->worst.asked);
      hatched = hatched || of->costly;
    }
    heading(banks, box, hatched);
    const float widest = rows_.low ? std::min(px(max_low_bar), room / 2) : room - px(12);
    const float cell = std::min(px(cell_pitch), widest / static_cast<float>(most));
    for (const StripColumn& column : columns) strip(banks, box, column, cell);
  }

  void heading(bool banks, const Box& box, bool hatched) {
    const std::string name = banks ? tr("Bank passes per access") : tr("Sectors per access");
    if (rows_.low) {
      label_if_fits(scene_, names_end_, box.centre().y, low_name(banks), caption(), Role::Ink2, names_end_ - px(4),
                    Anchor::End);
      return;
    }
    const float left = box.x + px(10), y = box.y + px(heading_at), right = box.right() - px(10);
    const Font strong = caption(Weight::SemiBold);
    if (!label_if_fits(scene_, left, y, name, strong, Role::Ink, right - left)) return;
    const float after = left + text_width(strong, name) + px(10);
    std::string how = !costs_ ? tr("is being counted …")
                      : banks ? tr("the worst of each stage")
                              : tr("the worst of each stage, of 32 bytes each");
    if (hatched) how += banks ? tr("; hatched: because of conflicts") : tr("; hatched: more than it needs");
    label_if_fits(scene_, after, y, how, caption(), Role::Ink3, right - after);
  }

  void strip(bool banks, const Box& box, const StripColumn& column, float cell) {
    const AccessCosts* of = costs(column.segment, banks);
    if (!of) return;
    const Segment& segment = info_.segments[static_cast<std::size_t>(column.segment)];
    const std::string& name = facts_of(input_.document).segment_names[static_cast<std::size_t>(column.segment)];
    const bool begun = has_begun(column.segment);
    const Font font = mono(12, of->costly ? Weight::SemiBold : Weight::Regular);
    const Role ink = begun ? Role::Ink : Role::Ink3;
    const float centre = rows_.low ? box.centre().y : box.y + px(number_at), room = column.room - px(4);
    if (of->accesses == 0) {
      label_if_fits(scene_, column.x, centre, "–", mono(12), Role::Ink3, room, Anchor::Middle);
      return;
    }
    const AccessCosts::Access& worst = of->worst;
    scene_.begin_mark(mark_of(segment.launch, column.segment, worst), words(name, banks, *of));
    scene_.rect({column.x - column.room / 2, box.y + (rows_.low ? 0 : px(heading_at + 8)), column.room,
                 box.h - (rows_.low ? 0 : px(heading_at + 8))},
                Role::None);
    const std::string text = std::to_string(worst.asked);
    const float number = text_width(font, text), sign = of->costly ? px(11) : 0, gap = of->costly ? px(5) : 0;
    const float length = cell * static_cast<float>(worst.asked);
    const bool fits = number + gap + sign <= room;
    const bool beside = rows_.low && column.room >= px(low_bar_from) && number + gap + sign + px(8) + length <= room;
    const float all = (fits ? number + gap + sign : 0) + (beside ? px(8) + length : 0);
    float x = column.x - all / 2;
    if (fits) {
      scene_.text({x, baseline(font, centre)}, text, font, ink);
      x += number + gap;
      if (of->costly) draw_warning_sign(scene_, input_.theme, {x + sign / 2, centre}, sign);
      x += sign + px(8);
    }
    if (beside)
      bar({x, centre - px(bar_height / 2), length, px(bar_height)}, worst, *of, cell, begun);
    else if (!rows_.low)
      bar({column.x - length / 2, box.y + px(bar_at), length, px(bar_height)}, worst, *of, cell, begun);
    scene_.end_mark();
  }

  bool has_begun(int segment) const {
    return info_.segments[static_cast<std::size_t>(segment)].first_step <= input_.cursor.step && input_.cursor.step > 0;
  }

  static Mark mark_of(int launch, int segment, const AccessCosts::Access& worst) {
    return {.kind = MarkKind::Segment,
            .launch = launch,
            .segment = segment,
            .index = static_cast<std::uint64_t>(worst.place.made),
            .step = worst.place.step,
            .command = cost_mark};
  }

  /// The number ends at the middle of an unnamed cell, so that those of a column are below each other, and the bar follows it.
  void cell(bool banks, bool named, const CostCell& of, const AccessCosts& costs, float unit) {
    const Font font = mono(12, costs.costly ? Weight::SemiBold : Weight::Regular);
    const bool begun = has_begun(of.first);
    const Role ink = begun ? Role::Ink : Role::Ink3;
    const AccessCosts::Access& worst = costs.worst;
    const std::string text = costs.accesses == 0 ? "–" : std::to_string(worst.asked), name = low_name(banks);
    const float number = text_width(font, text), sign = costs.costly ? px(16) : 0, centre = of.box.centre().y;
    const float before = named ? text_width(caption(), name) + px(6) : 0;
    if (before + number + sign > of.box.w) return;
    float x = named ? of.box.right() - before - number - sign : of.box.x + px(low_number_room) - number;
    if (!named) x = std::max(of.box.x, std::min(x, of.box.right() - number - sign));
    if (costs.accesses > 0)
      scene_.begin_mark(
          mark_of(info_.segments[static_cast<std::size_t>(of.first)].launch, segment_at(worst, of), worst),
          words(of.name, banks, costs));
    if (named) scene_.text({x, baseline(caption(), centre)}, name, caption(), begun ? Role::Ink2 : Role::Ink3);
    x += before;
    scene_.text({x, baseline(font, centre)}, text, font, costs.accesses == 0 ? Role::Ink3 : ink);
    if (costs.accesses == 0) return;
    scene_.rect({x - before, of.box.y, before + number + sign, of.box.h}, Role::None);
    if (costs.costly) draw_warning_sign(scene_, input_.theme, {x + number + px(10.5f), centre}, px(11));
    const float length = unit * static_cast<float>(worst.asked), from = x + number + px(22);
    if (!named && length > 0 && from + length <= of.box.right())
      bar({from, centre - px(bar_height / 2), length, px(bar_height)}, worst, costs, unit, begun);
    scene_.end_mark();
  }

  /// Of the segments of a cell, the one that its worst access is in.
  int segment_at(const AccessCosts::Access& worst, const CostCell& of) const {
    for (int s = of.first; s + 1 < of.end; ++s)
      if (worst.place.step < info_.segments[static_cast<std::size_t>(s)].end_step()) return s;
    return of.end - 1;
  }

  /// What it must be, then what is more than that.
  void bar(const Box& box, const AccessCosts::Access& worst, const AccessCosts& of, float cell, bool begun) {
    // One sector more than the least is what an access needs that begins in the middle of one.
    const std::uint64_t must = of.costly ? worst.least : worst.asked;
    const float gap = cell >= px(min_cell) ? std::max(1.0f, px(1)) : 0;
    const auto part = [&](std::uint64_t from, std::uint64_t to, bool more) {
      const Box one{box.x + cell * static_cast<float>(from), box.y, cell * static_cast<float>(to - from) - gap, box.h};
      if (one.w <= 0) return;
      scene_.rect(one, more ? Role::Warn : begun ? Role::Done : Role::DoneSoft);
      if (more) scene_.hatch(one, px(3), {Role::OnNow, thin(0.8f)});
    };
    if (gap > 0) {
      for (std::uint64_t i = 0; i < worst.asked; ++i) part(i, i + 1, i >= must);
      return;
    }
    part(0, must, false);
    part(must, worst.asked, true);
  }

  std::string words(const std::string& name, bool banks, const AccessCosts& of) const {
    const AccessCosts::Access& worst = of.worst;
    const BufferInfo* buffer = info_.buffer(worst.buffer);
    std::string text =
        tr("{}: the worst access, of {} to {}, asks for {}", name, plural(worst.lanes, "{} lane", "{} lanes"),
           buffer ? buffer->name + "[]" : std::string("?"), amount(worst.asked, banks));
    if (worst.avoidable() > 0) text += tr("; {} would do", count_text(worst.least));
    text += "\n" + tr("{} of the stage ask for {} together", plural(of.accesses, "{} access", "{} accesses"),
                      count_text(of.asked));
    if (of.asked > of.least) text += tr("; {} would do", count_text(of.least));
    return text + "\n" + tr("a click goes to the worst one");
  }
};

}  // namespace

std::string_view name_of(CostStrips strips) { return strip_names[static_cast<std::size_t>(strips)]; }

std::optional<CostStrips> cost_strips_named(std::string_view name) {
  const auto found = std::find(strip_names.begin(), strip_names.end(), name);
  if (found == strip_names.end()) return {};
  return static_cast<CostStrips>(found - strip_names.begin());
}

float StripRows::height(const DiagramInput& input) const {
  if (count() == 0) return 0;
  return view_scale(input) * (strips_above + static_cast<float>(count()) * (low ? low_row : tall_row));
}

StripRows strip_rows(const DiagramInput& input, bool low) {
  StripRows rows;
  rows.low = low;
  if (input.small || input.hide_next) return rows;
  for (Document* document : {&input.document, input.beside}) {
    if (!document) continue;
    const TraceInfo& info = document->info();
    if (info.steps > max_cost_steps) {
      rows.sectors = rows.passes = false;
      return rows;
    }
    if (info.steps == 0) continue;
    rows.sectors = rows.sectors ||
                   (input.costs != CostStrips::None && input.costs != CostStrips::Passes && has_memory(info, false));
    rows.passes = rows.passes ||
                  (input.costs != CostStrips::None && input.costs != CostStrips::Sectors && has_memory(info, true));
  }
  return rows;
}

bool names_fit(const DiagramInput& input, const StripRows& rows, float names_end) {
  if (!rows.low) return true;
  const Ink ink{view_scale(input)};
  return std::max(rows.sectors ? text_width(ink.caption(), low_name(false)) : 0,
                  rows.passes ? text_width(ink.caption(), low_name(true)) : 0) <= names_end - ink.px(4);
}

void draw_cost_strips(const DiagramInput& input, const StripRows& rows, const Box& box, float names_end,
                      std::span<const StripColumn> columns, Scene& scene) {
  if (rows.count() > 0) CostStripsFrame(input, rows, names_end, scene).draw(box, columns);
}

void draw_cost_cells(const DiagramInput& input, bool banks, bool named, std::span<const CostCell> cells, Scene& scene) {
  if (!cells.empty()) CostStripsFrame(input, {}, 0, scene).draw_cells(banks, named, cells);
}

CostGutter cost_gutter(const DiagramInput& input) {
  constexpr float max_share = 0.28f;  // of the pane
  CostGutter gutter{.rows = strip_rows(input, true)};
  if (gutter.rows.count() == 0) return gutter;
  const Ink ink{view_scale(input)};
  float name = 0;
  for (const bool banks : {false, true})
    if (banks ? gutter.rows.passes : gutter.rows.sectors)
      name = std::max(name, text_width(ink.caption(), low_name(banks)) + ink.px(gutter_air));
  for (const float width : {std::max(name, ink.px(wide_gutter)), name}) {
    gutter.column = width;
    if (gutter.width() <= max_share * input.width) return gutter;
  }
  return {};
}

void draw_cost_gutter(const DiagramInput& input, const CostGutter& gutter, float right, float heading,
                      std::span<const CostCell> rows, Scene& scene) {
  if (gutter.rows.count() == 0) return;
  const Ink ink{view_scale(input)};
  float x = right - gutter.width();
  for (const bool banks : {true, false}) {
    if (!(banks ? gutter.rows.passes : gutter.rows.sectors)) continue;
    std::vector<CostCell> cells(rows.begin(), rows.end());
    for (CostCell& cell : cells) cell.box.x = x + ink.px(gutter_air), cell.box.w = gutter.column - ink.px(gutter_air);
    label_if_fits(scene, x + ink.px(gutter_air), heading, low_name(banks), ink.caption(), Role::Ink2,
                  gutter.column - ink.px(gutter_air));
    draw_cost_cells(input, banks, false, cells, scene);
    x += gutter.column;
  }
}

std::string too_long_for_costs(const TraceInfo& info) {
  if (info.steps <= max_cost_steps) return {};
  return tr("Sectors and bank passes are counted below the stages of traces of up to {} operations; this one has {}.",
            count_text(max_cost_steps), count_text(info.steps));
}

}  // namespace twiddle
