// Lockstep: the turn at the cursor in numbers, the lanes of its sub-group turn by turn, and what memory is asked for.
#include "base/message.h"
#include "tracer/trace/item_words.h"
#include "viewer/butterfly/butterfly_frame.h"
#include "viewer/document/turn.h"
#include "viewer/memory/memory_words.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/panels/turn_words.h"
#include "viewer/scene/formula.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/twiddle_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace twiddle {
namespace {

constexpr float turn_pad = 16;

std::string title_of_turn(const TraceInfo& info, const Turn& turn) {
  const std::uint64_t number = turn.group.number;
  return tr("{}, turn {} of {}", has_threads(info) ? tr("Warp {}", number) : tr("Sub-group {}", number), turn.turn(),
            turn.group.turns());
}

/// "reads b: s[…]": what the lanes do in this turn.
std::string access_words(const TraceInfo& info, const Turn& turn) {
  const BufferInfo* buffer = info.buffer(turn.buffer);
  const std::string name = buffer ? buffer->name : "?";
  if (turn.round().shape != Shape::None && turn.operations.front().kind == OperationKind::Atomic)
    return tr("atomic on {}[…]", name);
  if (!turn.access.write) return fmt::format("{} ← {}[…]", input_name(turn.access.which), name);
  const Operation& one = turn.operations.front();
  const bool pair = one.kind == OperationKind::Butterfly && one.reads.size() == 2 && one.writes.size() == 2 &&
                    one.shape != Shape::Pack;
  if (pair) return fmt::format("{}[…] ← a {} w·b", name, turn.access.which == 0 ? "+" : "−");
  if (one.kind == OperationKind::Move && one.reads.size() == 1) return fmt::format("{}[…] ← a", name);
  return tr("{}[…] ← result", name);
}

/// The lanes as cells in a row: those that take part in yellow with their number, the others hatched.
void lane_cells(const PanelContext& context, Scene& scene, const Box& box) {
  const Turn& turn = *context.turn;
  const float cell = box.w / static_cast<float>(sub_group_size);
  const Font font = context.mono(10.5f, Weight::SemiBold);
  const bool numbers = cell >= text_width(font, "31") + context.px(2) || turn.group.items.items() <= 16;
  // A short sub-group has wider cells: what has no item is one block behind them.
  const auto lanes = turn.group.items.items();
  const float each = lanes <= 16 ? box.w / 2 / static_cast<float>(std::max<std::uint64_t>(lanes, 1)) : cell;
  const float width = std::min(each, context.px(30));
  for (std::uint64_t lane = 0; lane < lanes; ++lane) {
    const Box at{box.x + width * static_cast<float>(lane), box.y, width - context.px(1.5f), box.h};
    const std::uint64_t item = turn.group.items.first + lane;
    const Mask mask = turn.group.mask(turn.number, lane);
    scene.begin_mark({.kind = MarkKind::Item, .launch = context.launch->number, .item = item},
                     tr("lane {}: {}", lane, mask == Mask::None ? tr("takes part") : reason_text(mask)));
    if (mask == Mask::None)
      scene.rect(at, Role::Now, {Role::Ink, context.thin(1.6f)}, context.px(2));
    else
      scene.hatch(at, context.px(4), {Role::WarnHatch, context.thin()});
    if (mask == Mask::None && numbers)
      label_if_fits(scene, at.centre().x, at.centre().y, std::to_string(lane), font, Role::OnNow, at.w, Anchor::Middle);
    context.outline(scene, at, context.px(2), context.lit_item(context.launch->number, item));
    scene.end_mark();
  }
  const float left = box.x + width * static_cast<float>(lanes);
  if (lanes < sub_group_size && box.right() - left > context.px(4))
    scene.hatch({left, box.y, box.right() - left, box.h}, context.px(4), {Role::WarnHatch, context.thin()});
}

/// "the other 8 lanes have no item; 4: guard is false".
std::string masked_words(const Turn& turn) {
  std::map<Mask, int> counts;
  for (std::uint64_t lane = 0; lane < sub_group_size; ++lane) ++counts[turn.group.mask(turn.number, lane)];
  counts.erase(Mask::None);
  std::string text;
  for (const auto& [mask, count] : counts)
    text += (text.empty() ? "" : " · ") + tr("{} masked: {}", count, reason_text(mask));
  return text.empty() ? tr("no lane is masked") : text;
}

// A column of the table of lanes.
struct TableColumn {
  std::string head;
  std::function<std::string(const Operation&)> text;
  Role plate = Role::None, underline = Role::None;
  float width = 0;
};

std::vector<TableColumn> table_columns(const PanelContext& context) {
  const Turn& turn = *context.turn;
  const Operation& one = turn.operations.front();
  const ShapeTraits& shape = traits(turn.round().shape);
  const auto value = [](const Access& access) { return access.known ? value_text(access.value, 3) : std::string("·"); };
  std::vector<TableColumn> columns;
  columns.push_back({tr("lane"), [&turn](const Operation& op) { return std::to_string(turn.lane(op)); }});
  for (int r = 0; r < shape.reads; ++r) {
    const bool made = r < turn.moment.reads, now = made && !turn.access.write && turn.access.which == r;
    const std::string letter = input_name(r);
    columns.push_back({"i" + letter, [r](const Operation& op) { return std::to_string(op.reads[r].index); }});
    if (!made) continue;
    const Role role = input_role(r);
    columns.push_back({now ? tr("{}, read now", letter) : letter,
                       [r, value](const Operation& op) { return value(op.reads[r]); },
                       now               ? Role::Now
                       : role == Role::A ? Role::ASoft
                                         : Role::BSoft,
                       now ? Role::None : role});
  }
  if (one.kind == OperationKind::Butterfly && one.coefficients.size() == 1) {
    columns.push_back({"w", [&info = context.info()](const Operation& op) {
                         const TwiddleChip chip = twiddle_chip(info, op, 0);
                         return chip.exponent ? fmt::format("w_{}^{}", chip.span, *chip.exponent)
                                              : value_text(op.coefficients[0], 3);
                       }});
  }
  for (int w = 0; w < shape.writes; ++w) {
    const bool now = turn.access.write && turn.access.which == w;
    if (w >= turn.moment.writes) continue;
    columns.push_back({shape.writes > 1 ? fmt::format("[{}]", w + 1) : "→",
                       [w](const Operation& op) { return std::to_string(op.writes[w].index); }});
    columns.push_back({now ? tr("written now") : tr("written"),
                       [w, value](const Operation& op) { return value(op.writes[w]); }, now ? Role::Now : Role::None});
  }
  return columns;
}

/// A row a lane, as many as there is room for; columns from the right are left out where they do not fit.
float lane_table(const PanelContext& context, Scene& scene, float left, float right, float top, float bottom) {
  const Turn& turn = *context.turn;
  std::vector<TableColumn> columns = table_columns(context);
  const Font font = context.mono(11.5f), head = context.caption();
  const float pass_width = turn.cost.banks.degree() > 0 ? context.px(34) : 0;
  const float pitch = std::round(context.px(18));
  const auto fit = static_cast<std::size_t>(std::max(0.0f, (bottom - top) / pitch - 1));
  const std::size_t rows = std::min(turn.operations.size(), fit);
  if (rows == 0) return top;
  float all = pass_width;
  for (TableColumn& column : columns) {
    column.width = text_width(head, column.head);
    for (std::size_t r = 0; r < rows; ++r)
      column.width = std::max(column.width, formula_width(font, column.text(turn.operations[r])));
    all += column.width;
  }
  while (columns.size() > 2 && left + all + context.px(6) * static_cast<float>(columns.size()) > right) {
    // What is read or written now is the last to go.
    auto gone =
        std::find_if(columns.begin() + 1, columns.end(), [](const TableColumn& c) { return c.plate == Role::None; });
    if (gone == columns.end()) gone = columns.end() - 1;
    all -= gone->width;
    columns.erase(gone);
  }
  const float gap = std::min(context.px(22), (right - left - all) / static_cast<float>(columns.size()));
  const auto row = [&](float centre, const std::function<void(const TableColumn&, float end)>& each) {
    float x = left;
    for (const TableColumn& column : columns) {
      x += column.width;
      each(column, x);
      x += gap;
    }
    return centre;
  };
  float centre = top + pitch / 2;
  row(centre, [&](const TableColumn& column, float end) {
    label(scene, end, centre, column.head, head, Role::Ink2, column.width + 1, Anchor::End);
  });
  if (pass_width > 0) label(scene, right, centre, tr("pass"), head, Role::Ink2, pass_width, Anchor::End);
  for (std::size_t r = 0; r < rows; ++r) {
    centre += pitch;
    const Operation& one = turn.operations[r];
    if (r + 1 == rows && rows < turn.operations.size()) {
      label(scene, left, centre, tr("{} more lanes", turn.operations.size() - r), head, Role::Ink2, right - left);
      break;
    }
    scene.begin_mark({.kind = MarkKind::Item, .launch = one.launch, .step = one.step, .item = one.item},
                     sentence(context.info(), one));
    row(centre, [&](const TableColumn& column, float end) {
      const std::string text = column.text(one);
      const float width = formula_width(font, text);
      if (column.plate != Role::None)
        plate(context, scene, end - width, centre, width, context.px(11.5f), column.plate, column.underline);
      formula_text(scene, {end - width, baseline(font, centre)}, text, font,
                   column.plate == Role::Now ? Role::OnNow : Role::Ink);
    });
    if (pass_width > 0) {
      const Box bar{right - context.px(28), centre - context.px(4), context.px(28), context.px(8)};
      if (is_late(turn, turn.lane(one))) {
        scene.rect(bar, Role::Warn, {Role::Ink2, context.thin(0.8f)}, context.px(1));
        scene.hatch(bar, context.px(4), {Role::OnNow, context.thin()});
      } else {
        scene.rect(bar, Role::Done, {}, context.px(1));
      }
    }
    scene.end_mark();
  }
  return centre + pitch / 2;
}

}  // namespace

std::string sub_group_name(const TraceInfo& info, const Turn& turn) {
  return has_threads(info) ? tr("warp {}", turn.group.number) : tr("sub-group {}", turn.group.number);
}

std::string turn_sentence(const TraceInfo& info, const Turn& turn) {
  const std::string cost = cost_words(info, turn);
  return tr("{}: {}, {} of {} lanes", title_of_turn(info, turn), access_words(info, turn), turn.operations.size(),
            sub_group_size) +
         (cost.empty() ? "" : "; " + cost);
}

std::string reason_text(Mask mask) {
  switch (mask) {
    case Mask::NoItem: return tr("no item");
    case Mask::GuardFalse: return tr("guard is false");
    case Mask::LeftEarly: return tr("left early");
    case Mask::None: break;
  }
  return {};
}

std::string cost_words(const TraceInfo& info, const Turn& turn) {
  const BufferInfo* buffer = info.buffer(turn.buffer);
  return buffer && turn.cost.lanes > 0 ? cost_text(turn.cost, buffer->space == Space::Local) : std::string();
}

bool is_late(const Turn& turn, std::uint64_t lane) {
  const BankCost& banks = turn.cost.banks;
  return banks.degree() > 1 && banks.pass[lane] > 0;
}

float turn_part(const PanelContext& context, Scene& scene, Box box) {
  const Turn& turn = *context.turn;
  const float left = box.x + context.px(turn_pad), right = box.right() - context.px(turn_pad);
  float top = box.y;
  const float title_centre = top + context.px(24);
  const float chip = position_chip(context, scene, right, title_centre + context.px(1), position_text(context), 13);
  const std::string title = title_of_turn(context.info(), turn);
  float size = 18;
  while (size > 12 && text_width(context.sans(size, Weight::SemiBold), title) > chip - left - context.px(8)) --size;
  label(scene, left, title_centre, title, context.sans(size, Weight::SemiBold), Role::Ink, chip - left - context.px(8));
  top += context.px(38);
  const Operation& one = turn.operations.front();
  std::string about = tr("{} at once", operations_text(one.kind, turn.operations.size()));
  if (one.stage > 0) about += " · " + tr("stage {} of {}", one.stage, stage_count(context.info()));
  if (one.span() > 0) about += " · " + tr("span {}", count_text(one.span()));
  if (one.stride() > 0) about += " · " + tr("stride {}", count_text(one.stride()));
  for (const std::string& line : wrap(context.caption(), about, right - left)) {
    label(scene, left, top + context.px(9), line, context.caption(), Role::Ink2, right - left);
    top += context.px(18);
  }
  top += context.px(4);
  lane_cells(context, scene, {left, top, right - left, context.px(22)});
  top += context.px(30);
  const Font mono = context.mono(13, Weight::SemiBold);
  const std::string what = access_words(context.info(), turn);
  plate(context, scene, left, top + context.px(8), text_width(mono, what), context.px(13), Role::NowSoft, Role::Now);
  const float end = left + label(scene, left, top + context.px(8), what, mono, Role::Ink, right - left);
  first_fitting(scene, right, top + context.px(8), {masked_words(turn)}, context.caption(), Role::Ink2,
                right - end - context.px(10), Anchor::End);
  top += context.px(22);
  for (const std::string& line : wrap(context.caption(), cost_words(context.info(), turn), right - left)) {
    if (line.empty()) continue;
    label(scene, left, top + context.px(7), line, context.caption(), Role::Ink2, right - left);
    top += context.px(18);
  }
  return lane_table(context, scene, left, right, top + context.px(2),
                    std::min(box.bottom(), top + (box.bottom() - top) * 0.62f));
}

}  // namespace twiddle
