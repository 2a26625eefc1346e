// The elements of a picture of memory: what each holds, who wrote it last, and what the sub-group at work asks for.
#include "base/message.h"
#include "tracer/trace/item_words.h"
#include "tracer/trace/memory/pairs.h"
#include "viewer/document/segment_reach.h"
#include "viewer/memory/memory_frame.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/twiddle_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

constexpr std::uint64_t max_writers = 4096;  // elements whose last writer is looked for, in one frame
constexpr int max_segments_before = 64;      // whose writes a map shows
constexpr Role written_before = Role::Grey0;

}  // namespace

int MemoryFrame::input_of(const Region& of, std::uint64_t index) const {
  if (!at_work(of) || f_.now->reads.size() > 4) return -1;
  int input = -1;
  for (int r = 0; r < f_.now->reads.size(); ++r)
    if (f_.now->reads[r].buffer == of.buffer && f_.now->reads[r].index == index) input = r;
  return input;
}

bool MemoryFrame::writes(const Region& of, std::uint64_t index) const {
  return at_work(of) && f_.writes_now(of.buffer, index);
}

std::map<std::uint64_t, LastTouch> MemoryFrame::last_writers(const Region& of, std::uint64_t first, std::uint64_t end) {
  std::map<std::uint64_t, LastTouch> found;
  const BufferInfo& info = buffer(of);
  // By what is one memory: operations of a pair write its parts.
  std::vector<std::pair<int, Rows>> seen_as{{of.buffer, f_.flow.rows_of_elements(of.buffer, of.group, first, end)}};
  if (end > first)
    for (std::size_t b = 0; b < f_.info.buffers.size(); ++b)
      for (const BufferPart& part : f_.info.buffers[b].parts.value_or(BufferParts{})) {
        if (part.buffer != of.buffer || end <= part.first) continue;
        const std::uint64_t from = part.last_up_to(first);
        const std::uint64_t to = std::min(f_.info.buffers[b].count, part.last_up_to(end - 1) + 1);
        if (from < to)
          seen_as.emplace_back(static_cast<int>(b), f_.flow.rows_of_elements(static_cast<int>(b), of.group, from, to));
      }
  for (int s = f_.segment; s >= 0 && found.size() < end - first; --s) {
    const Segment& segment = f_.info.segments[s];
    if (local(of) && segment.launch != info.launch) break;
    std::map<std::uint64_t, LastTouch> here;
    for (const auto& [buffer, rows] : seen_as) {
      if (segment.write_buffer >= 0 && segment.write_buffer != buffer) continue;
      f_.flow.last_writers(s, rows, [&](const Operation& one) {
        for (const Access& write : in_parts(f_.info, one).writes) {
          if (write.buffer != of.buffer || write.index < first || write.index >= end || !in_group(of, one)) continue;
          LastTouch& last = here[write.index];
          if (one.step > last.step) last = {one.step, one.item, one.launch, s};
        }
      });
    }
    for (const auto& [index, touch] : here) found.try_emplace(index, touch);
  }
  return found;
}

bool MemoryFrame::in_group(const Region& of, const Operation& one) const {
  if (!local(of)) return true;
  const LaunchInfo* launch = f_.info.launch(one.launch);
  return launch && launch->group_of(one.item) == of.group;
}

void MemoryFrame::elements(const Region& of, const Box& body, const RowLayout& rows, double first_row, double pitch) {
  const BufferInfo& info = buffer(of);
  const std::uint64_t size = traits(info.type).bytes, per_row = rows.per_row;
  const auto from = static_cast<std::uint64_t>(first_row);
  const std::uint64_t first = from * per_row;
  const std::uint64_t end = std::min(
      info.count, (static_cast<std::uint64_t>(std::ceil(first_row + double(body.h) / pitch - 1e-6))) * per_row);
  const std::map<std::uint64_t, LastTouch> writers = last_writers(of, first, std::min(end, first + max_writers));
  const auto state = f_.flow.state(std::max(0, f_.segment + 1));
  const float cell = body.w / static_cast<float>(per_row), height = static_cast<float>(pitch);
  ElementWords element_words(f_, info, writers, cell, height);
  if (element_words.may_split())
    for (std::uint64_t i = first; i < end; ++i) {
      Value value{info.type};
      if (state && state->read(of.buffer, of.group, i, {value.bits.data(), size})) element_words.make_room_for(value);
    }
  // The sectors, or banks, that the sub-group at work asks for.
  std::map<std::uint64_t, unsigned> asked;
  std::set<std::uint64_t> sectors;
  if (at_work(of)) {
    const auto add = [&](int which, bool write) {
      const RequestCost cost = cost_of(f_.info, request_, of.buffer, which, write);
      for (const std::uint64_t element : cost.elements)
        asked[element] |= write ? a_write : which == 0 ? first_read : other_read;
      sectors.insert(cost.sectors.begin(), cost.sectors.end());
    };
    for (int i = 0; i < f_.now->reads.size(); ++i) add(i, false);
    for (int i = 0; i < f_.now->writes.size(); ++i) add(i, true);
  }
  for (std::uint64_t row = from; row * per_row < end; ++row) drawn_rows_.insert(row);
  f_.scene.push_clip({0, body.y - f_.px(2), f_.scene.width, body.h + f_.px(4)});
  std::vector<std::pair<Box, Role>> edges;
  std::vector<std::pair<Box, int>> lit;
  for (std::uint64_t i = first; i < end; ++i) {
    const std::uint64_t whole_row = i / per_row;
    const double row = double(whole_row) - first_row;
    const Box box{body.x + cell * static_cast<float>(i % per_row), body.y + static_cast<float>(row * pitch), cell,
                  height};
    if (i % per_row == 0 && !f_.input.small) address(of, i, rows, box);
    const auto touched = asked.find(i);
    element(of, i, box, writers, state.get(), touched == asked.end() ? 0 : touched->second, element_words, edges);
    const int strength = std::max(f_.lit_element(of.buffer, i), f_.in_cone(of.buffer, i) ? 1 : 0);
    if (strength > 0) lit.emplace_back(box, strength);
  }
  if (!local(of)) {
    for (const std::uint64_t sector : sectors) {
      const std::uint64_t index = sector * sector_bytes / size;
      if (index < first || index >= end) continue;
      const std::uint64_t row = index / per_row;
      const Box box{body.x + cell * static_cast<float>(index % per_row),
                    body.y + static_cast<float>((double(row) - first_row) * pitch),
                    // The last sector may reach beyond the buffer.
                    cell * static_cast<float>(std::min(std::max<std::uint64_t>(1, sector_bytes / size),
                                                       std::min((row + 1) * per_row, info.count) - index)),
                    height};
      f_.scene.rect(box.inset(f_.px(1)), Role::None, {Role::Ink2, f_.px(2), f_.px(5), f_.px(3)});
      legend_.box(tr("sector asked of the cache"), Role::None, {Role::Ink2, f_.px(2), f_.px(5), f_.px(3)});
    }
  }
  for (const auto& [box, role] : edges) f_.scene.rect(box.inset(f_.px(1)), Role::None, {role, f_.px(2.5f)});
  for (const auto& [box, strength] : lit) f_.outline(box, 0, strength);
  f_.scene.pop_clip();
}

void MemoryFrame::address(const Region& of, std::uint64_t index, const RowLayout& rows, const Box& box) {
  const Font font = f_.mono(11);
  if (box.h < font.size * 1.15f && index % 128 != 0) return;
  if (box.centre().y - font.size / 2 < box.y - font.size || box.h < font.size * 0.9f) return;
  const float x = box.x - f_.px(8), room = f_.px(address_width);
  const bool banks = has_banks(of) && !all_banks(of, rows) && box.h >= font.size * 3;
  f_.text(x, box.centre().y - (banks ? font.size * 0.7f : 0), fmt::format("[{}]", index), font, Role::Ink2, room,
          Anchor::End);
  if (!banks) return;
  const std::uint64_t size = traits(buffer(of).type).bytes, first = index * size / bank_bytes % bank_count;
  const std::string range = fmt::format("{}\u2013{}", first, first + rows.row_bytes / bank_bytes - 1);
  f_.first_fitting(x, box.centre().y + font.size * 0.7f, {fmt::format("{} {}", tr("bank"), range), range}, f_.caption(),
                   Role::Ink2, room, Anchor::End);
}

bool MemoryFrame::all_banks(const Region& of, const RowLayout& rows) const {
  return rows.row_bytes == max_row_bytes || rows.per_row == buffer(of).count;
}

void MemoryFrame::element(const Region& of, std::uint64_t index, const Box& box,
                          const std::map<std::uint64_t, LastTouch>& writers, const State* state, unsigned asked,
                          const ElementWords& element_words, std::vector<std::pair<Box, Role>>& edges) {
  const BufferInfo& info = buffer(of);
  const auto writer = writers.find(index);
  const bool written = writer != writers.end(), now = f_.turn
                                                          ? f_.writes_in_turn(of.buffer, index) && in_group(of, *f_.now)
                                                          : written && writer->second.step == f_.step && f_.step > 0;
  const int input = input_of(of, index);
  Value value{info.type};
  const std::span<std::byte> bits(value.bits.data(), traits(info.type).bytes);
  bool known = state && state->read(of.buffer, of.group, index, bits);
  const bool never = !written && !info.initialised;
  known = known && !never && (f_.info.detail == Detail::Values || !written);

  std::string who = written ? tr("written by {} {} of launch {}, step {}", item_noun(f_.info), writer->second.item,
                                 writer->second.launch, count_text(writer->second.step))
                    : info.initialised ? tr("as it was before the first launch")
                                       : tr("not written yet");
  f_.scene.begin_mark(element_mark(of.buffer, f_.segment, index, local(of) ? of.group : 0),
                      fmt::format("{}[{}]{}\n{}", info.name, index, known ? " = " + value_text(value, 6) : "", who));
  const bool recent = written && writer->second.segment == f_.segment;
  const Role fill = now          ? Role::Now
                    : input >= 0 ? input_role(input) == Role::A ? Role::ASoft : Role::BSoft
                    : recent     ? Role::DoneSoft
                    : written    ? written_before
                                 : Role::Canvas;
  f_.scene.rect(box, fill, {f_.grid(), f_.thin()});
  if (never) {
    f_.scene.hatch(box.inset(f_.px(3)), f_.px(5), {Role::Future, f_.thin()});
    legend_.add(tr("not written yet"), [this](Scene& scene, const Box& at) {
      scene.hatch(at, f_.px(5), {Role::Future, f_.thin()});
    });
  }
  if (fill == written_before) legend_.box(tr("written earlier"), written_before, {Role::Line, f_.thin()});
  if (recent && !now) legend_.box(tr("written in this segment"), Role::DoneSoft, {Role::Line, f_.thin()});
  if (now) {
    edges.emplace_back(box, Role::Ink);
    legend_.box(tr("now"), Role::Now, {Role::Ink, f_.px(2)});
  } else if (input >= 0) {
    edges.emplace_back(box, input_role(input));
  }
  if (asked != 0) dots(box, asked, now);
  if (element_words.draw(f_, index, box, known ? &value : nullptr, written ? &writer->second : nullptr,
                         now ? Role::OnNow : Role::Ink))
    legend_.add(tr("a value wider than its cell: point at it"), [this](Scene& scene, const Box& at) {
      scene.text({at.centre().x, at.centre().y + f_.px(3)}, "…", f_.mono(11), Role::Ink, Anchor::Middle);
    });
  f_.scene.end_mark();
}

void MemoryFrame::dots(const Box& box, unsigned asked, bool now) {
  const float r = std::min(f_.px(2.5f), box.h / 5);
  const Role ink = now ? Role::OnNow : Role::Ink2;
  const bool several = f_.now && f_.now->reads.size() > 1;
  // The accesses are turns of their own, so that each has a corner and a form of its own.
  if ((asked & other_read) != 0) {
    // Not filled: on an element that is written now, the dark page's colour would make a dot of it.
    f_.scene.circle({box.x + 2.2f * r, box.bottom() - 2.2f * r}, r, Role::None, {ink, f_.px(1.4f)});
    legend_.add(f_.now->reads.size() > 2 ? tr("its {}'s other reads", lanes_noun(f_.info))
                                         : tr("its {}'s read b", lanes_noun(f_.info)),
                [this](Scene& scene, const Box& at) {
                  scene.circle(at.centre(), f_.px(2.5f), Role::None, {Role::Ink2, f_.px(1.4f)});
                });
  }
  if (asked == other_read) return;
  const bool reads = (asked & first_read) != 0 && several;
  if (!reads && (asked & other_read) != 0) return;
  f_.scene.circle({box.right() - 2.2f * r, box.y + 2.2f * r}, r, ink);
  legend_.add(reads ? tr("its {}'s read a", lanes_noun(f_.info))
                    : tr("touched by its {} in the same turn", lanes_noun(f_.info)),
              [this](Scene& scene, const Box& at) { scene.circle(at.centre(), f_.px(2.5f), Role::Ink2); });
}

void MemoryFrame::overview(const Region& of, const Box& body, const RowLayout& rows, double first_row, double shown,
                           double pitch) {
  const BufferInfo& info = buffer(of);
  const std::uint64_t per_row = rows.per_row;
  const auto first = static_cast<std::uint64_t>(first_row * double(per_row));
  const auto end = std::min(info.count, static_cast<std::uint64_t>((first_row + shown) * double(per_row)));
  const auto y = [&](std::uint64_t index) {
    return body.y + static_cast<float>((double(index) / double(per_row) - first_row) * pitch);
  };
  bool earlier = info.initialised;
  for (int s = 0; s < f_.segment; ++s) earlier = earlier || f_.info.segments[s].write_buffer == of.buffer;
  f_.scene.rect(body, earlier ? Role::Canvas : Role::None);
  if (!earlier) f_.scene.hatch(body, f_.px(8), {Role::Future, f_.thin()});
  f_.scene.push_clip(body);
  const Rows within = f_.flow.rows_of_elements(of.buffer, of.group, first, end);
  // Fills the rows that a segment wrote; returns how many these are.
  const auto fill_written = [&](int segment, Role role) {
    std::vector<Rows> runs;
    if (f_.past(segment) && !f_.flow.regular(segment)) {
      if (const SegmentReach* reach = segment_reach(f_.document, segment))
        for (const SegmentReach::Link& link : reach->links(within, 0)) runs.push_back(link.to);
    } else {
      runs = f_.flow.written_rows(segment, within);
    }
    std::uint64_t count = 0;
    for (const Rows& run : runs) {
      for (std::uint64_t row = run.first; row < run.end;) {
        const auto place = f_.flow.place(segment + 1, row);
        if (!place) break;
        const std::uint64_t after = std::max(row + 1, f_.flow.run_end(segment + 1, row, run.end));
        const float from = y(place->index), to = y(place->index + (after - row));
        f_.scene.rect({body.x, from, body.w, std::max(1.0f, to - from)}, role);
        count += after - row;
        row = after;
      }
    }
    return count;
  };
  // Back to the segment that wrote all that there is to see.
  int looked_at = 0;
  for (int s = f_.segment - 1; s >= 0 && looked_at < max_segments_before; --s) {
    const Segment& segment = f_.info.segments[s];
    if (local(of) && segment.launch != info.launch) break;
    if (segment.write_buffer != of.buffer) continue;
    ++looked_at;
    const std::uint64_t count = fill_written(s, written_before);
    if (count > 0) legend_.box(tr("written earlier"), written_before, {Role::Line, f_.thin()});
    if (count >= within.end - within.first) break;
  }
  if (f_.segment >= 0 && f_.info.segments[f_.segment].write_buffer == of.buffer &&
      fill_written(f_.segment, Role::DoneSoft) > 0)
    legend_.box(tr("written in this segment"), Role::DoneSoft, {Role::Line, f_.thin()});
  const auto line = [&](const Access& access, Role role) {
    if (access.buffer != of.buffer) return;
    const float x = body.x + body.w * static_cast<float>(double(access.index % per_row) / double(per_row));
    const float at = std::min(y(access.index), body.bottom() - f_.px(4));
    f_.scene.rect({body.x, at, body.w, f_.px(4)},
                  role == Role::Now ? Role::NowSoft
                  : role == Role::A ? Role::ASoft
                                    : Role::BSoft,
                  {Role::Line, f_.thin()});
    f_.scene.rect({x, at - f_.px(2), std::max(f_.px(6), body.w / static_cast<float>(per_row)), f_.px(8)}, role,
                  {Role::Ink, f_.px(1.5f)});
  };
  if (f_.now) {
    for (int r = 0; r < f_.now->reads.size(); ++r) line(f_.now->reads[r], input_role(r));
    for (const Access& write : f_.now->writes) line(write, Role::Now);
  }
  f_.scene.pop_clip();
  // Addresses at round rows.
  const Font font = f_.mono(11);
  float below = -1e9f;
  for (const double tick :
       axis_ticks(double(first), double(end), std::max(2, static_cast<int>(body.h / (font.size * 3))))) {
    const float at = y(static_cast<std::uint64_t>(tick)) + font.size * 0.5f;
    if (at - font.size * 0.6f < below || at + font.size * 0.5f > body.bottom()) continue;
    f_.text(body.x - f_.px(8), at, fmt::format("[{:.0f}]", tick), font, Role::Ink2, f_.px(address_width), Anchor::End);
    below = at + font.size * 0.6f;
  }
}

void MemoryFrame::name_element(const Region& of, std::uint64_t index, const Box& cell, bool addresses) {
  const int input = input_of(of, index);
  const bool strong = input >= 0 || writes(of, index);
  const Font font = f_.mono(12, strong ? Weight::SemiBold : Weight::Regular);
  const std::string name = std::to_string(index);
  const float x = cell.centre().x, y = cell.y - f_.px(10), radius = tag_radius(f_.input.theme, f_.input.scale);
  const float with_tag = 2 * radius + f_.px(2) + text_width(font, name);
  const bool tagged = input >= 0 && with_tag <= cell.w;
  if (tagged) draw_tag(f_.scene, f_.input.theme, f_.input.scale, {x - with_tag / 2 + radius, y}, input);
  f_.text(tagged ? x + with_tag / 2 : x, y, name, font, strong ? Role::Ink : Role::Ink2, cell.w,
          tagged ? Anchor::End : Anchor::Middle);
  if (!addresses || (local(of) && !has_banks(of))) return;
  const std::uint64_t bytes = traits(buffer(of).type).bytes, byte = index * bytes;
  const std::uint64_t bank = byte / bank_bytes % bank_count, last = (byte + bytes - 1) / bank_bytes % bank_count;
  const std::string where = !local(of)     ? fmt::format("+{}", byte)
                            : bank == last ? std::to_string(bank)
                                           : fmt::format("{}\u2013{}", bank, last);
  f_.text(x, cell.bottom() + f_.px(address_line / 2), where, f_.mono(11), Role::Ink2, cell.w - f_.px(2),
          Anchor::Middle);
}

}  // namespace twiddle
