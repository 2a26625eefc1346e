// Lockstep, below the diagram: the lanes of a sub-group turn by turn, and the memory that one turn asks for.
#include "base/message.h"
#include "viewer/document/turn.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/panels/turn_words.h"
#include "viewer/words/operation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace twiddle {
namespace {

constexpr float pad = 16, head_line = 19, first_row = 30;

/// What is drawn, one after the other on a line, as many as fit.
class Keys {
 public:
  Keys(const PanelContext& context, Scene& scene, float centre, float right)
      : context_(context), scene_(scene), x_(context.px(pad)), centre_(centre), right_(right) {}
  void add(const std::string& text, const std::function<void(const Box&)>& swatch) {
    const float width = context_.px(19) + text_width(context_.caption(), text);
    if (x_ + width > right_) return;
    swatch({x_, centre_ - context_.px(4.5f), context_.px(13), context_.px(9)});
    label(scene_, x_ + context_.px(18), centre_, text, context_.caption(), Role::Ink2, right_ - x_);
    x_ += width + context_.px(14);
  }

 private:
  const PanelContext& context_;
  Scene& scene_;
  float x_, centre_, right_;
};

/// What the sub-group does in each segment of its launch; kept, as it is the same at every turn.
struct LaunchTurns {
  int launch = 0;
  std::uint64_t number = 0;
  std::vector<SubGroupTurns> segments;
};
const std::vector<SubGroupTurns>& turns_of_launch(Document& document, const Turn& turn) {
  constexpr std::size_t max_segments = 64;
  auto& kept = document.kept<LaunchTurns>();
  const auto& segments = document.info().segments;
  const int launch = segments[turn.group.segment].launch;
  if (kept.launch == launch && kept.number == turn.group.number) return kept.segments;
  kept = {launch, turn.group.number, {}};
  // Of a launch with very many segments those around the turn.
  const std::size_t from = turn.group.segment > max_segments / 2 ? turn.group.segment - max_segments / 2 : 0;
  for (std::size_t s = from; s < std::min(segments.size(), from + max_segments); ++s)
    if (segments[s].launch == launch)
      if (auto turns = turns_in(*document.replay, s, turn.group.number)) kept.segments.push_back(std::move(*turns));
  if (segments.size() > max_segments) kept.number = ~kept.number;  // another turn has others around it
  return kept.segments;
}

class Lanes {
 public:
  Lanes(const PanelContext& context, Scene& scene, Box box)
      : context_(context), scene_(scene), box_(box), all_(turns_of_launch(context.document, *context.turn)) {
    // All segments where their turns can be told apart, else those around the current one.
    const auto now = std::find_if(all_.begin(), all_.end(),
                                  [&](const SubGroupTurns& one) { return one.segment == context.turn->group.segment; });
    first_ = last_ = static_cast<std::size_t>(now - all_.begin());
    if (now == all_.end()) return;
    const float most = box_.w / context.px(min_cell);
    float count = static_cast<float>(now->turns()) + 1;
    for (bool grown = true; grown;) {
      grown = false;
      if (last_ + 1 < all_.size() && count + static_cast<float>(all_[last_ + 1].turns()) + 1 <= most)
        count += static_cast<float>(all_[++last_].turns()) + 1, grown = true;
      if (first_ > 0 && count + static_cast<float>(all_[first_ - 1].turns()) + 1 <= most)
        count += static_cast<float>(all_[--first_].turns()) + 1, grown = true;
    }
    cell_ = std::min(box_.w / count, context.px(max_cell));
    // The lanes that have items are as high as they can; the block of the others takes the rest.
    items_ = static_cast<float>(std::max<std::uint64_t>(context.turn->group.items.items(), 1));
    pitch_ = items_ < sub_group_size ? std::min(context.px(11), box_.h * 0.75f / items_) : box_.h / items_;
  }

  void draw(Keys& keys) {
    if (first_ >= all_.size()) return;
    float x = box_.x;
    for (std::size_t n = first_; n <= last_; ++n) {
      segment(all_[n], x);
      x += cell_ * static_cast<float>(all_[n].turns() + 1);
      const auto& segments = context_.info().segments;
      if (n < last_ && segments[all_[n].segment].epoch != segments[all_[n + 1].segment].epoch) {
        scene_.line({x - cell_ / 2, box_.y - context_.px(4)}, {x - cell_ / 2, box_.bottom()},
                    {Role::Done, context_.px(2)});
        barrier_ = true;
      }
    }
    const auto name = [&](std::uint64_t lane, float at) {
      label(scene_, box_.x - context_.px(6), at, std::to_string(lane), context_.mono(11), Role::Ink2, context_.px(24),
            Anchor::End);
    };
    const std::uint64_t every = pitch_ >= context_.px(10) ? 2 : pitch_ >= context_.px(5) ? 4 : 8;
    for (std::uint64_t lane = 0; static_cast<float>(lane) < items_; lane += every)
      name(lane, y(lane) + std::max(pitch_ / 2, context_.px(5)));
    if (items_ < sub_group_size && box_.bottom() - y(static_cast<std::uint64_t>(items_)) > context_.px(22))
      name(sub_group_size - 1, box_.bottom() - context_.px(5));
    const auto cell = [this](Role fill, Stroke edge) {
      return [this, fill, edge](const Box& at) { scene_.rect(at, fill, edge, context_.px(1)); };
    };
    keys.add(tr("now"), cell(Role::Now, {Role::Ink, context_.thin(1.4f)}));
    for (const auto& [mask, shown] : masks_)
      keys.add(tr("masked: {}", reason_text(mask)), [this](const Box& at) {
        scene_.hatch(at, context_.px(4), {Role::WarnHatch, context_.thin()});
      });
    keys.add(tr("ran"), cell(Role::Done, {}));
    keys.add(tr("pending"), cell(Role::Canvas, {Role::Done, context_.thin()}));
    if (barrier_)
      keys.add(tr("barrier"), [this](const Box& at) {
        scene_.line({at.centre().x, at.y}, {at.centre().x, at.bottom()}, {Role::Done, context_.px(2)});
      });
  }

 private:
  static constexpr float min_cell = 5, max_cell = 20;

  float y(std::uint64_t lane) const { return box_.y + pitch_ * static_cast<float>(lane); }

  void segment(const SubGroupTurns& turns, float left) {
    const Turn& now = *context_.turn;
    const bool current = turns.segment == now.group.segment, past = turns.segment < now.group.segment;
    const std::string& name = context_.facts.segment_names[turns.segment];
    const int stage = context_.info().segments[turns.segment].stage;
    const float width = cell_ * static_cast<float>(turns.turns());
    first_fitting(scene_, left, box_.y - context_.px(9), {name, stage > 0 ? std::to_string(stage) : std::string()},
                  context_.caption(current ? Weight::SemiBold : Weight::Regular),
                  current ? Role::Ink
                  : past  ? Role::Ink2
                          : Role::Ink3,
                  width + cell_ * 0.8f);
    const Role hatch = past || current ? Role::WarnHatch : Role::Future;
    const std::uint64_t items = turns.items.items();
    if (items < sub_group_size) {
      masks_[Mask::NoItem] = true;
      scene_.begin_mark({.kind = MarkKind::Segment, .segment = static_cast<int>(turns.segment)},
                        tr("{} lanes have no item", sub_group_size - items));
      scene_.hatch({left, y(items), width - context_.px(1), box_.bottom() - y(items)}, context_.px(5),
                   {hatch, context_.thin()});
      scene_.end_mark();
    }
    for (std::size_t r = 0; r < turns.rounds.size(); ++r) {
      const TurnRound& round = turns.rounds[r];
      const float x = left + cell_ * static_cast<float>(round.first_turn - 1);
      for (std::uint64_t lane = 0; lane < items; ++lane) {
        const Mask mask = turns.mask(r, lane);
        if (mask != Mask::None) {
          // Lanes that sit out for the same reason are one block.
          std::uint64_t end = lane + 1;
          while (end < items && turns.mask(r, end) == mask) ++end;
          masks_[mask] = true;
          scene_.begin_mark({.kind = MarkKind::Segment, .segment = static_cast<int>(turns.segment)},
                            tr("masked: {}", reason_text(mask)));
          scene_.hatch({x, y(lane), cell_ * static_cast<float>(round.turns()) - context_.px(1), y(end) - y(lane)},
                       context_.px(4), {hatch, context_.thin()});
          scene_.end_mark();
          lane = end - 1;
          continue;
        }
        scene_.begin_mark({.kind = MarkKind::Item,
                           .launch = context_.info().segments[turns.segment].launch,
                           .segment = static_cast<int>(turns.segment),
                           .step = round.step[lane],
                           .item = turns.items.first + lane},
                          tr("lane {}, line {}", lane, round.line));
        for (int t = 0; t < round.turns(); ++t) {
          const int turn = round.first_turn + t, at = now.turn();
          const bool here = current && turn == at, done = past || (current && turn < at);
          const float gap = pitch_ > context_.px(4) ? context_.px(1) : 0;
          const Box cell{x + cell_ * static_cast<float>(t), y(lane), cell_ - context_.px(1), pitch_ - gap};
          if (here)
            scene_.rect(cell, Role::Now);
          else if (done)
            scene_.rect(cell, Role::Done);
          else
            scene_.rect(cell.inset(context_.thin() / 2), Role::Canvas,
                        {current ? Role::Done : Role::Future, context_.thin(0.8f)});
        }
        scene_.end_mark();
      }
      // The lanes of now are one column.
      if (const int at = now.turn(); current && at >= round.first_turn && at < round.first_turn + round.turns()) {
        const float left_edge = x + cell_ * static_cast<float>(at - round.first_turn);
        scene_.rect({left_edge - context_.px(1), box_.y - context_.px(1), cell_ + context_.px(1),
                     y(items) - box_.y + context_.px(1.5f)},
                    Role::None, {Role::Ink, context_.thin(1.4f)}, context_.px(1));
      }
    }
  }

  const PanelContext& context_;
  Scene& scene_;
  Box box_;
  const std::vector<SubGroupTurns>& all_;
  std::size_t first_ = 0, last_ = 0;
  float cell_ = 1, pitch_ = 1, items_ = 1;
  std::map<Mask, bool> masks_;
  bool barrier_ = false;
};

/// The elements that the lanes of a turn touch, ascending, each with its lanes.
using Touched = std::map<std::uint64_t, std::vector<std::uint64_t>>;
Touched touched_by(const Turn& turn) {
  Touched touched;
  for (const Operation& one : turn.operations) touched[access_in(one, turn.access).index].push_back(turn.lane(one));
  return touched;
}

class Memory {
 public:
  Memory(const PanelContext& context, Scene& scene, Box box)
      : context_(context),
        scene_(scene),
        turn_(*context.turn),
        info_(context.info().buffers[turn_.buffer]),
        bytes_(traits(info_.type).bytes),
        box_(box),
        touched_(touched_by(turn_)) {}

  void draw(Keys& keys) {
    const float cells = std::min(context_.px(24), box_.h * 0.3f);
    strip({box_.x, box_.y + context_.px(15), box_.w, cells});
    const Box below{box_.x, box_.y + context_.px(22) + cells, box_.w, box_.h - context_.px(22) - cells};
    if (below.h < context_.px(24)) return;
    if (info_.space == Space::Local)
      banks(below, keys);
    else
      sectors(below, keys);
  }

 private:
  void strip(const Box& row) {
    // All elements where they fit, else the touched ones with gaps between runs of them.
    std::vector<std::uint64_t> shown;
    const auto most = static_cast<std::size_t>(row.w / context_.px(14));
    if (info_.count <= most) {
      for (std::uint64_t i = 0; i < info_.count; ++i) shown.push_back(i);
    } else {
      for (const auto& [index, lanes] : touched_) shown.push_back(index);
    }
    std::size_t breaks = 0;
    for (std::size_t i = 1; i < shown.size(); ++i) breaks += shown[i] != shown[i - 1] + 1;
    const float gap = shown.size() + breaks > 0 && breaks > 0
                          ? std::min(context_.px(7), row.w * 0.3f / static_cast<float>(breaks))
                          : 0;
    const float cell = std::min(context_.px(34), (row.w - gap * static_cast<float>(breaks)) /
                                                     static_cast<float>(std::max<std::size_t>(shown.size(), 1)));
    const Font font = context_.mono(11, Weight::SemiBold), small = context_.mono(10.5f);
    float x = row.x, named_to = -1e9f;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (i > 0 && shown[i] != shown[i - 1] + 1) x += gap;
      const std::uint64_t index = shown[i];
      const auto found = touched_.find(index);
      const Box at{x, row.y, cell, row.h};
      x += cell;
      const bool touches = found != touched_.end();
      const std::string name = fmt::format("{}[{}]", info_.name, index);
      scene_.begin_mark(element_mark(turn_.buffer, static_cast<int>(turn_.group.segment), index, group()),
                        touches ? tr("{}: lane {}", name, lanes_text(found->second)) : name);
      const bool late = touches && std::any_of(found->second.begin(), found->second.end(),
                                               [&](std::uint64_t lane) { return is_late(turn_, lane); });
      scene_.rect(at.inset(context_.scale / 2), touches ? Role::Now : Role::Canvas,
                  {touches ? Role::Ink : Role::Line, context_.thin(touches ? 1.4f : 1)});
      if (late) scene_.rect({at.x, at.bottom() - context_.px(3), at.w, context_.px(3)}, Role::Warn);
      if (touches)
        first_fitting(scene_, at.centre().x, at.centre().y,
                      {lanes_text(found->second), fmt::format("{}×", found->second.size())}, font, Role::OnNow,
                      at.w - context_.px(1), Anchor::Middle);
      const std::string number = std::to_string(index);
      const float half = text_width(small, number) / 2;
      if (at.centre().x - half > named_to) {
        scene_.text({at.centre().x, baseline(small, row.y - context_.px(8))}, number, small,
                    touches ? Role::Ink : Role::Ink3, Anchor::Middle);
        named_to = at.centre().x + half + context_.px(3);
      }
      context_.outline(scene_, at, context_.px(1), context_.lit_element(turn_.buffer, index));
      scene_.end_mark();
    }
  }

  static std::string lanes_text(const std::vector<std::uint64_t>& lanes) {
    if (lanes.size() == 1) return std::to_string(lanes.front());
    return fmt::format("{}–{}", lanes.front(), lanes.back());
  }

  std::uint64_t group() const {
    return info_.space == Space::Local && context_.launch ? context_.launch->group_of(turn_.operations.front().item)
                                                          : 0;
  }

  /// Columns are the 32 banks, rows the passes: what each pass takes.
  void banks(const Box& box, Keys& keys) {
    const BankCost& cost = turn_.cost.banks;
    const int passes = cost.passes();
    if (passes == 0) {
      label(scene_, box.x, box.y + context_.px(8), tr("Registers: no bank is asked."), context_.caption(), Role::Ink2,
            box.w);
      return;
    }
    const float names = context_.px(14);
    const Box grid{box.x, box.y, box.w, box.h - names};
    const float bank = grid.w / static_cast<float>(bank_count), row = grid.h / static_cast<float>(passes);
    for (std::uint64_t b = 0; b <= bank_count; b += 8)
      scene_.line({grid.x + bank * static_cast<float>(b), grid.y},
                  {grid.x + bank * static_cast<float>(b), grid.bottom()}, {Role::Line, context_.thin()});
    for (int p = 1; p < passes && row > context_.px(5); ++p)
      scene_.line({grid.x, grid.y + row * static_cast<float>(p)}, {grid.right(), grid.y + row * static_cast<float>(p)},
                  {Role::Line, context_.thin(), context_.px(2), context_.px(2)});
    const float words = static_cast<float>(std::max<std::uint64_t>(1, bytes_ / bank_bytes));
    for (const Operation& one : turn_.operations) {
      const Access& access = access_in(one, turn_.access);
      const std::uint64_t lane = turn_.lane(one);
      const int pass = cost.pass[lane];
      const Box at{grid.x + bank * static_cast<float>(bank_of(info_, access.index)),
                   grid.y + row * static_cast<float>(pass) + std::min(row * 0.18f, context_.px(4)), bank * words,
                   std::min(row * 0.64f, context_.px(12))};
      scene_.begin_mark(element_mark(turn_.buffer, static_cast<int>(turn_.group.segment), access.index, group()),
                        tr("lane {}: {}[{}], pass {} of {}", lane, info_.name, access.index, pass + 1, passes));
      const bool late = is_late(turn_, lane);
      const bool roomy = at.h >= context_.px(5);  // for a hatch
      scene_.rect(at.inset(roomy ? context_.px(0.5f) : 0), late ? Role::Warn : Role::Done,
                  late && roomy ? Stroke{Role::Ink2, context_.thin(0.8f)} : Stroke{});
      if (late && roomy) scene_.hatch(at.inset(context_.px(0.5f)), context_.px(4), {Role::OnNow, context_.thin()});
      scene_.end_mark();
    }
    const float centre = box.bottom() - names / 2;
    label(scene_, grid.x, centre, tr("bank 0"), context_.caption(), Role::Ink2, box.w);
    label(scene_, grid.right(), centre, std::to_string(bank_count - 1), context_.caption(), Role::Ink2, box.w,
          Anchor::End);
    keys.add(tr("pass 1: lanes {}", lanes_of_pass(0)), [this](const Box& at) { scene_.rect(at, Role::Done); });
    if (passes > 1) {
      const bool late = cost.degree() > 1;
      keys.add(passes == 2 ? tr("pass 2: lanes {}", lanes_of_pass(1)) : tr("passes 2 to {}", passes),
               [this, late](const Box& at) {
                 scene_.rect(at, late ? Role::Warn : Role::Done);
                 if (late) scene_.hatch(at, context_.px(4), {Role::OnNow, context_.thin()});
               });
      if (late)
        keys.add(fmt::format("×{}", cost.degree()), [this](const Box& at) {
          severity_sign(context_, scene_, Severity::Warning, at.centre(), context_.px(12));
        });
    }
  }

  /// "0–3, 8": of the lanes that a pass serves.
  std::string lanes_of_pass(int pass) const {
    std::string text;
    std::optional<std::uint64_t> from, to;
    const auto put = [&] {
      if (from)
        text += (text.empty() ? "" : ", ") + (from == to ? std::to_string(*from) : fmt::format("{}–{}", *from, *to));
    };
    for (const Operation& one : turn_.operations) {
      const std::uint64_t lane = turn_.lane(one);
      if (turn_.cost.banks.pass[lane] != pass) continue;
      if (from && lane == *to + 1) {
        to = lane;
        continue;
      }
      put();
      from = to = lane;
    }
    put();
    return text;
  }

  /// Each sector that is fetched or written, with what of it is used; the rest is hatched.
  void sectors(const Box& box, Keys& keys) {
    const auto count = static_cast<std::size_t>(turn_.cost.sectors.size());
    if (count == 0) return;
    constexpr std::size_t max_rows = 4;
    const float names = context_.px(13);
    const auto per_row = std::max<std::size_t>(1, static_cast<std::size_t>(box.w / context_.px(64)));
    const std::size_t rows = std::min(max_rows, (count + per_row - 1) / per_row);
    const float width = std::min(context_.px(128), box.w / static_cast<float>(std::min(per_row, count)));
    const float pitch = box.h / static_cast<float>(rows), height = std::min(context_.px(16), pitch - names);
    if (height < context_.px(4)) return;
    bool unused = false;
    for (std::size_t s = 0; s < std::min(count, rows * per_row); ++s) {
      const std::uint64_t sector = turn_.cost.sectors[static_cast<int>(s)];
      const std::size_t row = s / per_row, column = s % per_row;
      const Box at{box.x + width * static_cast<float>(column), box.y + pitch * static_cast<float>(row),
                   width - context_.px(5), height};
      scene_.hatch(at, context_.px(4), {Role::WarnHatch, context_.thin()});
      std::uint64_t used = 0;
      for (const std::uint64_t element : turn_.cost.elements) {
        const std::uint64_t byte = element * bytes_;
        if (byte / sector_bytes != sector) continue;
        used += bytes_;
        const float part = at.w / static_cast<float>(sector_bytes);
        scene_.rect(
            {at.x + part * static_cast<float>(byte % sector_bytes), at.y, part * static_cast<float>(bytes_), at.h},
            Role::Done);
      }
      unused = unused || used < sector_bytes;
      scene_.rect(at, Role::None, {Role::Ink2, context_.thin()});
      label_if_fits(scene_, at.x, at.bottom() + names / 2, fmt::format("+{}", sector * sector_bytes),
                    context_.mono(10.5f), Role::Ink2, at.w);
    }
    keys.add(tr("used"), [this](const Box& at) { scene_.rect(at, Role::Done); });
    if (unused)
      keys.add(turn_.access.write ? tr("of a sector, not written") : tr("fetched, not used"), [this](const Box& at) {
        scene_.hatch(at, context_.px(4), {Role::WarnHatch, context_.thin()});
      });
    keys.add(cost_words(context_.info(), turn_), [](const Box&) {});
  }

  const PanelContext& context_;
  Scene& scene_;
  const Turn& turn_;
  const BufferInfo& info_;
  const std::uint64_t bytes_;
  Box box_;
  Touched touched_;
};

}  // namespace

Scene turn_lanes(const PanelContext& context, float width, float height) {
  Scene scene;
  scene.width = width, scene.height = height;
  const float left = context.px(pad), right = width - context.px(pad);
  heading(context, scene, left, context.px(head_line), right,
          tr("Lanes of {}", sub_group_name(context.info(), *context.turn)), tr("each cell a turn"), Face::Sans);
  const float keys_at = height - context.px(12);
  Keys keys(context, scene, keys_at, right);
  const Box box{left + context.px(24), context.px(first_row + 18), right - left - context.px(24),
                height - context.px(first_row + 18 + 24)};
  if (box.h > context.px(20)) Lanes(context, scene, box).draw(keys);
  return scene;
}

Scene turn_memory(const PanelContext& context, float width, float height) {
  Scene scene;
  scene.width = width, scene.height = height;
  const float left = context.px(pad), right = width - context.px(pad);
  const Turn& turn = *context.turn;
  const BufferInfo* buffer = context.info().buffer(turn.buffer);
  if (!buffer) {
    heading(context, scene, left, context.px(head_line), right, tr("Memory in this turn"));
    label(scene, left, context.px(first_row + 12), tr("The log does not name the buffer of this access."),
          context.caption(), Role::Ink2, right - left);
    return scene;
  }
  std::string about =
      fmt::format("{} {}[{}], {}", traits(buffer->type).name, buffer->name, buffer->count, word_of(buffer->space));
  if (buffer->space == Space::Local) about += ", " + tr("{} banks of {} bytes", bank_count, bank_bytes);
  heading(context, scene, left, context.px(head_line), right, tr("Memory in this turn"), about, Face::Sans);
  Keys keys(context, scene, height - context.px(12), right);
  const Box box{left, context.px(first_row + 2), right - left, height - context.px(first_row + 2 + 24)};
  if (box.h > context.px(30)) Memory(context, scene, box).draw(keys);
  return scene;
}

}  // namespace twiddle
