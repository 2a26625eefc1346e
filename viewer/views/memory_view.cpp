// Memory by address: rows of 128 bytes, four sectors of global memory or all 32 banks of local memory; what each element
// holds, who wrote it last, and what the sub-group at work fetches.
#include "base/say.h"
#include "viewer/document/item_activity.h"
#include "viewer/document/request.h"
#include "viewer/document/segment_reach.h"
#include "viewer/views/memory_regions.h"
#include "viewer/views/memory_words.h"
#include "viewer/views/view_frame.h"
#include "viewer/views/view_space.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/twiddle_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace twiddle {
namespace {

constexpr float map_pad = 16, map_title_height = 62, map_foot_height = 52, address_width = 66, map_gap = 14;
constexpr float map_least_row = 7;                                    // of elements that can be told apart
constexpr float map_share = 0.28f, window_row = 54, window_gap = 22;  // where rows are too many to see each
constexpr float wide_cell = 80;                                       // has a byte of its own over it
constexpr std::uint64_t most_writers = 4096;  // elements whose last writer is looked for, in one frame

class MemoryFrame {
 public:
  MemoryFrame(const DiagramInput& input, Scene& scene, const ViewSpace& space) : f_(input, scene), space_(space) {
    regions_ = regions_in(f_.info, touched_regions(f_.info, f_.now), input.height / f_.scale - map_foot_height,
                          map_title_height);
    if (f_.now) request_ = f_.request(*f_.now);
  }

  void draw() {
    f_.scene.title = say("Memory of {}", title_of(f_.info));
    if (regions_.empty()) return;
    // Each gets room by its rows; of two, at least a third.
    std::vector<float> shares;
    float sum = 0;
    for (const Region& region : regions_) {
      shares.push_back(static_cast<float>(std::min<std::uint64_t>(rows_of(buffer(region)), 64)));
      sum += shares.back();
    }
    const float all =
        f_.scene.height - f_.px(map_foot_height) - static_cast<float>(regions_.size()) * f_.px(map_title_height);
    float y = 0;
    for (std::size_t n = 0; n < regions_.size(); ++n) {
      const float part = shares[n] / sum, share = regions_.size() == 2 ? std::clamp(part, 0.34f, 0.66f) : part;
      const float height = std::max(f_.px(8), all * share - f_.px(map_gap));
      y += region(regions_[n], {space_.body.x, y + f_.px(map_title_height), space_.body.w, height}) + f_.px(map_gap);
    }
    if (y - f_.px(map_gap) <= f_.scene.height - f_.px(map_foot_height) + 1) foot();
    f_.scene.unfinished = f_.flow.incomplete();
  }

 private:
  ViewFrame f_;
  const ViewSpace& space_;
  std::vector<Region> regions_;
  std::vector<Operation> request_;
  Legend legend_;

  const BufferInfo& buffer(const Region& region) const {
    return f_.info.buffers[static_cast<std::size_t>(region.buffer)];
  }
  bool local(const Region& region) const { return buffer(region).space == Space::Local; }
  /// Whether the operation at the cursor could touch it: another group's array it cannot.
  bool at_work(const Region& region) const { return f_.now && in_group(region, *f_.now); }

  /// Draws a region and returns how high it is, with its title.
  float region(const Region& of, const Box& room) {
    const BufferInfo& info = buffer(of);
    const RowLayout rows = row_layout(info, room.w / f_.scale, room.h / f_.scale);
    const float most = f_.px(rows.most_pitch);
    // The zoomed axis is this region's rows; at zoom 1 all of them are in the room, as far as rows can be seen.
    const double fit = std::min(double(most), double(room.h) / double(rows.rows)),
                 pitch = std::min(double(most), fit * space_.zoom());
    const double shown = std::min(double(rows.rows), double(room.h) / pitch);
    const double first = std::clamp((space_.first_v() + space_.height_v() / 2) * double(rows.rows) - shown / 2, 0.0,
                                    double(rows.rows) - shown);
    const Box body{room.x, room.y, room.w, static_cast<float>(shown * pitch)};
    const float cell = room.w / static_cast<float>(rows.a_row);
    const bool readable = values_fit(info, cell / f_.scale, static_cast<float>(pitch) / f_.scale);
    // Else all of it as a map, and beside it the rows that the operation touches, as large as can be read; only these
    // where there is no room for both.
    const float beside = body.w * map_share + f_.px(address_width + map_gap);
    const Box right{body.x + beside, body.y, body.w - beside, body.h};
    const auto narrow = wide_layout(info, right.w / f_.scale), wide = wide_layout(info, room.w / f_.scale);
    const bool windows = !readable && body.h >= f_.px(window_row);
    if (windows && narrow) {
      const Box map{body.x, body.y, body.w * map_share, body.h};
      heads(of, map, right, *narrow);
      overview(of, map, rows, first, shown, pitch);
      f_.scene.rect(map, Role::None, {Role::Done, f_.thin()});
      touched_rows(of, right, *narrow);
    } else if (windows && wide && space_.zoom() <= 1) {
      heads(of, body, body, *wide);
      touched_rows(of, body, *wide);
    } else if (pitch >= double(f_.px(map_least_row))) {
      heads(of, body, body, rows);
      elements(of, body, rows, first, pitch);
      f_.scene.rect(body, Role::None, {Role::Done, f_.thin()});
    } else {
      heads(of, body, body, rows);
      overview(of, body, rows, first, shown, pitch);
      f_.scene.rect(body, Role::None, {Role::Done, f_.thin()});
    }
    return f_.px(map_title_height) + body.h;
  }

  /// The rows around what the operation reads and writes here: those near each other in one window.
  void touched_rows(const Region& of, const Box& room, const RowLayout& layout) {
    std::set<std::uint64_t> touched;
    const auto add = [&](const FewOf<Access, 4>& list) {
      for (const Access& access : list)
        if (access.buffer == of.buffer && access.index / layout.a_row < layout.rows)
          touched.insert(access.index / layout.a_row);
    };
    if (f_.now) add(f_.now->reads), add(f_.now->writes);
    if (touched.empty()) touched.insert(0);
    const auto fit = static_cast<std::uint64_t>(std::max(1.0f, room.h / f_.px(window_row)));
    struct Window {
      std::uint64_t first, last;
    };
    std::vector<Window> windows;
    for (const std::uint64_t row : touched) {
      if (!windows.empty() && row - windows.back().first < std::max<std::uint64_t>(1, fit / touched.size()))
        windows.back().last = row;
      else
        windows.push_back({row, row});
    }
    const auto most = static_cast<std::size_t>((room.h + f_.px(window_gap)) / f_.px(window_row + window_gap));
    while (windows.size() > std::max<std::size_t>(1, most)) windows.pop_back();
    // Each gets the same room, with what it is about in its middle.
    const float gaps = f_.px(window_gap) * static_cast<float>(windows.size() - 1);
    const float each = (room.h - gaps) / static_cast<float>(windows.size());
    const auto count = std::min(layout.rows, static_cast<std::uint64_t>(std::max(1.0f, each / f_.px(window_row))));
    const float pitch = std::min(each / static_cast<float>(count), f_.px(layout.most_pitch));
    for (Window& window : windows) {
      const std::uint64_t middle = (window.first + window.last + 1) / 2;
      window.first = std::min(middle > count / 2 ? middle - count / 2 : 0, layout.rows - count);
    }
    // No row twice.
    for (std::size_t n = 1; n < windows.size(); ++n)
      windows[n].first = std::min(std::max(windows[n].first, windows[n - 1].first + count), layout.rows - count);
    for (std::size_t n = windows.size(); n-- > 1;)
      windows[n - 1].first = std::min(windows[n - 1].first, windows[n].first - std::min(windows[n].first, count));
    float y = room.y;
    for (const Window& window : windows) {
      const Box body{room.x, y, room.w, pitch * static_cast<float>(count)};
      elements(of, body, layout, double(window.first), double(pitch));
      f_.scene.rect(body, Role::None, {Role::Done, f_.thin()});
      y += each + f_.px(window_gap);
    }
  }

  /// How often the banks are asked, and the degree of the worst conflict as checks call it.
  static std::string passes_text(const BankCost& cost) {
    const std::string passes = plural(static_cast<std::uint64_t>(cost.passes()), "{} pass", "{} passes");
    return cost.degree() > 1 ? say("{}, {} at best: degree {}", passes, cost.least_passes(), cost.degree())
                             : say("{}, no bank conflict", passes);
  }

  std::string cost_text(const Region& of) const {
    if (!at_work(of)) return {};
    std::string text;
    const auto add = [&](int which, bool write) {
      const auto& list = write ? f_.now->writes : f_.now->reads;
      if (list[which].buffer != of.buffer) return;
      const RequestCost cost = cost_of(f_.info, request_, of.buffer, which, write);
      if (cost.lanes == 0) return;
      const std::string what = write             ? list.size() > 1 ? say("write {}", which + 1) : tr("write")
                                           : list.size() > 1 ? say("read {}", "abcd"[which % 4])
                                                 : tr("read");
      if (!text.empty()) text += "; ";
      if (local(of))
        text += fmt::format("{}: {}", what, passes_text(cost.banks));
      else
        text += say("{}: {}, {} of {} bytes used", what,
                    plural(static_cast<std::uint64_t>(cost.sectors.size()), "{} sector", "{} sectors"), cost.bytes,
                    cost.fetched());
    };
    for (int i = 0; i < f_.now->reads.size(); ++i) add(i, false);
    for (int i = 0; i < f_.now->writes.size(); ++i) add(i, true);
    return text;
  }

  /// What a region is, what its accesses cost, and over its columns which bytes of a row they are.
  void heads(const Region& of, const Box& whole, const Box& body, const RowLayout& rows) {
    const BufferInfo& info = buffer(of);
    const std::string where =
        local(of) ? say("local, {} {}", group_word(f_.info), of.group) : std::string(word_of(info.space));
    const std::string what =
        fmt::format("{} {}[{}]{}{}", traits(info.type).name, info.name, info.count, tr(", "), where);
    const std::string cost = cost_text(of);
    f_.title(whole.x, f_.scene.width - f_.px(map_pad), body.y - f_.px(48), info.name, {what, where});
    f_.text(whole.x, body.y - f_.px(30), cost, f_.caption(), Role::Ink2, f_.scene.width - f_.px(map_pad) - whole.x);
    // Bytes of a row; in local memory the banks.
    const Font font = f_.mono(11);
    const float cell = body.w / static_cast<float>(rows.a_row);
    const std::uint64_t size = traits(info.type).bytes;
    if (local(of) && !all_banks(of, rows)) return;
    const bool each = local(of) || cell >= f_.px(wide_cell);
    float free_from = body.x - f_.px(4);
    for (std::uint64_t c = 0; c < rows.a_row; ++c) {
      const std::uint64_t byte = c * size;
      if (!each && byte % sector_bytes != 0) continue;
      const std::string text = local(of) ? fmt::format("{}", byte / bank_bytes) : fmt::format("+{}", byte);
      const float x = body.x + cell * static_cast<float>(c);
      const float width = text_width(font, text);
      if (x < free_from || x + width > body.right()) continue;
      f_.text(x, body.y - f_.px(9), text, font, Role::Ink2, width + 1);
      free_from = x + width + f_.px(8);
    }
    f_.first_fitting(body.x - f_.px(8), body.y - f_.px(9), {local(of) ? tr("bank") : tr("byte")}, f_.caption(),
                     Role::Ink2, f_.px(address_width), Anchor::End);
  }

  /// The last write of each of the elements [first, end) up to now; what nobody wrote is left out.
  std::map<std::uint64_t, LastTouch> last_writers(const Region& of, std::uint64_t first, std::uint64_t end) {
    std::map<std::uint64_t, LastTouch> found;
    const BufferInfo& info = buffer(of);
    const std::uint64_t offset = local(of) ? of.group * info.count : 0;
    for (int s = f_.segment; s >= 0 && found.size() < end - first; --s) {
      const Segment& segment = f_.info.segments[static_cast<std::size_t>(s)];
      if (local(of) && segment.launch != info.launch) break;
      if (segment.write_buffer >= 0 && segment.write_buffer != of.buffer) continue;
      std::map<std::uint64_t, LastTouch> here;
      f_.flow.last_writers(s, {offset + first, offset + end}, [&](const Operation& one) {
        for (const Access& write : one.writes) {
          if (write.buffer != of.buffer || write.index < first || write.index >= end || !in_group(of, one)) continue;
          LastTouch& last = here[write.index];
          if (one.step > last.step) last = {one.step, one.item, one.launch, s};
        }
      });
      for (const auto& [index, touch] : here) found.try_emplace(index, touch);
    }
    return found;
  }
  bool in_group(const Region& of, const Operation& one) const {
    if (!local(of)) return true;
    const LaunchInfo* launch = launch_numbered(f_.info, one.launch);
    return launch && one.item / std::max<std::uint64_t>(1, launch->group_size()) == of.group;
  }

  void elements(const Region& of, const Box& body, const RowLayout& rows, double first_row, double pitch) {
    const BufferInfo& info = buffer(of);
    const std::uint64_t size = traits(info.type).bytes, a_row = rows.a_row;
    const auto from = static_cast<std::uint64_t>(first_row);
    const std::uint64_t first = from * a_row;
    const std::uint64_t end = std::min(
        info.count, (static_cast<std::uint64_t>(std::ceil(first_row + double(body.h) / pitch - 1e-6))) * a_row);
    const std::map<std::uint64_t, LastTouch> writers = last_writers(of, first, std::min(end, first + most_writers));
    const auto state = f_.flow.state(std::max(0, f_.segment + 1));
    const float cell = body.w / static_cast<float>(a_row), height = static_cast<float>(pitch);
    ElementWords element_words(f_, info, writers, cell, height);
    if (element_words.may_split())
      for (std::uint64_t i = first; i < end; ++i) {
        Value value{info.type};
        if (state && state->read(of.buffer, of.group, i, {value.bits.data(), size})) element_words.make_room_for(value);
      }
    // The sectors, or banks, that the sub-group at work asks for.
    std::set<std::uint64_t> asked, sectors;
    if (at_work(of)) {
      const auto add = [&](int which, bool write) {
        const RequestCost cost = cost_of(f_.info, request_, of.buffer, which, write);
        asked.insert(cost.elements.begin(), cost.elements.end());
        sectors.insert(cost.sectors.begin(), cost.sectors.end());
      };
      for (int i = 0; i < f_.now->reads.size(); ++i) add(i, false);
      for (int i = 0; i < f_.now->writes.size(); ++i) add(i, true);
    }
    f_.scene.push_clip({0, body.y - f_.px(2), f_.scene.width, body.h + f_.px(4)});
    std::vector<std::pair<Box, Role>> edges;
    std::vector<std::pair<Box, int>> lit;
    for (std::uint64_t i = first; i < end; ++i) {
      const std::uint64_t whole_row = i / a_row;
      const double row = double(whole_row) - first_row;
      const Box box{body.x + cell * static_cast<float>(i % a_row), body.y + static_cast<float>(row * pitch), cell,
                    height};
      if (i % a_row == 0) address(of, i, rows, box);
      element(of, i, box, writers, state.get(), asked.contains(i), element_words, edges);
      const int strength = std::max(f_.lit_element(of.buffer, i), f_.in_cone(of.buffer, i) ? 1 : 0);
      if (strength > 0) lit.emplace_back(box, strength);
    }
    if (!local(of)) {
      for (const std::uint64_t sector : sectors) {
        const std::uint64_t index = sector * sector_bytes / size;
        if (index < first || index >= end) continue;
        const std::uint64_t row = index / a_row;
        const Box box{body.x + cell * static_cast<float>(index % a_row),
                      body.y + static_cast<float>((double(row) - first_row) * pitch),
                      cell * static_cast<float>(std::max<std::uint64_t>(1, sector_bytes / size)), height};
        f_.scene.rect(box.inset(f_.px(1)), Role::None, {Role::Ink2, f_.px(2), f_.px(5), f_.px(3)});
        legend_.add(tr("sector fetched"), [this](const Box& at) {
          f_.scene.rect(at, Role::None, {Role::Ink2, f_.px(2), f_.px(5), f_.px(3)});
        });
      }
    }
    for (const auto& [box, role] : edges) f_.scene.rect(box.inset(f_.px(1)), Role::None, {role, f_.px(2.5f)});
    for (const auto& [box, strength] : lit) f_.outline(box, 0, strength);
    f_.scene.pop_clip();
  }

  /// The first element of a row; where a row has not all of the banks, which it has.
  void address(const Region& of, std::uint64_t index, const RowLayout& rows, const Box& box) {
    const Font font = f_.mono(11);
    if (box.h < font.size * 1.15f && index % 128 != 0) return;
    if (box.centre().y - font.size / 2 < box.y - font.size || box.h < font.size * 0.9f) return;
    const float x = box.x - f_.px(8), room = f_.px(address_width);
    const bool banks = local(of) && !all_banks(of, rows) && box.h >= font.size * 3;
    f_.text(x, box.centre().y - (banks ? font.size * 0.7f : 0), fmt::format("[{}]", index), font, Role::Ink2, room,
            Anchor::End);
    if (!banks) return;
    const std::uint64_t size = traits(buffer(of).type).bytes, first = index * size / bank_bytes % bank_count;
    const std::string range = fmt::format("{}\u2013{}", first, first + rows.row_bytes / bank_bytes - 1);
    f_.first_fitting(x, box.centre().y + font.size * 0.7f, {fmt::format("{} {}", tr("bank"), range), range},
                     f_.caption(), Role::Ink2, room, Anchor::End);
  }
  bool all_banks(const Region& of, const RowLayout& rows) const {
    return rows.row_bytes == longest_row || rows.a_row == buffer(of).count;
  }

  void element(const Region& of, std::uint64_t index, const Box& box, const std::map<std::uint64_t, LastTouch>& writers,
               const State* state, bool asked, const ElementWords& element_words,
               std::vector<std::pair<Box, Role>>& edges) {
    const BufferInfo& info = buffer(of);
    const auto writer = writers.find(index);
    const bool written = writer != writers.end(), now = written && writer->second.step == f_.step && f_.step > 0;
    int input = -1;
    if (at_work(of) && f_.now->reads.size() <= 4)
      for (int r = 0; r < f_.now->reads.size(); ++r)
        if (f_.now->reads[r].buffer == of.buffer && f_.now->reads[r].index == index) input = r;
    Value value{info.type};
    const std::span<std::byte> bits(value.bits.data(), traits(info.type).bytes);
    bool known = state && state->read(of.buffer, of.group, index, bits);
    const bool never = !written && !info.initialised;
    known = known && !never && (f_.info.detail == Detail::Values || !written);

    std::string who = written            ? say("written by item {} of launch {}, step {}", writer->second.item,
                                               writer->second.launch, count_text(writer->second.step))
                      : info.initialised ? tr("as it was before the first launch")
                                         : tr("nobody wrote it yet");
    f_.scene.begin_mark({.kind = MarkKind::Element,
                         .buffer = of.buffer,
                         .segment = f_.segment,
                         .index = index,
                         .item = local(of) ? of.group : 0},
                        fmt::format("{}[{}]{}\n{}", info.name, index, known ? " = " + value_text(value, 6) : "", who));
    const bool recent = written && writer->second.segment == f_.segment;
    const Role fill = now          ? Role::Now
                      : input >= 0 ? input_role(input) == Role::A ? Role::ASoft : Role::BSoft
                      : recent     ? Role::DoneSoft
                                   : Role::Canvas;
    f_.scene.rect(box, fill, {f_.grid(), f_.thin()});
    if (never) {
      f_.scene.hatch(box.inset(f_.px(3)), f_.px(5), {Role::Future, f_.thin()});
      legend_.add(tr("nobody wrote it yet"), [this](const Box& at) {
        f_.scene.hatch(at, f_.px(5), {Role::Future, f_.thin()});
      });
    }
    if (recent && !now)
      legend_.add(tr("written in this segment"), [this](const Box& at) {
        f_.scene.rect(at, Role::DoneSoft, {Role::Line, f_.thin()});
      });
    if (now) {
      edges.emplace_back(box, Role::Ink);
      legend_.add(tr("now"), [this](const Box& at) { f_.scene.rect(at, Role::Now, {Role::Ink, f_.px(2)}); });
    } else if (input >= 0) {
      edges.emplace_back(box, input_role(input));
    }
    if (asked) {
      // A dot in the corner: somebody of the sub-group touches it in the same turn.
      const float r = std::min(f_.px(2.5f), box.h / 5);
      f_.scene.circle({box.right() - 2.2f * r, box.y + 2.2f * r}, r, now ? Role::OnNow : Role::Ink2);
      legend_.add(tr("touched by its sub-group in the same turn"),
                  [this](const Box& at) { f_.scene.circle(at.centre(), f_.px(2.5f), Role::Ink2); });
    }
    element_words.draw(f_, index, box, known ? &value : nullptr, written ? &writer->second : nullptr,
                       now ? Role::OnNow : Role::Ink);
    f_.scene.end_mark();
  }

  /// Far away: what was written in this segment, before it, and never, row by pixel row; and where now is.
  void overview(const Region& of, const Box& body, const RowLayout& rows, double first_row, double shown,
                double pitch) {
    const BufferInfo& info = buffer(of);
    const std::uint64_t a_row = rows.a_row;
    const auto first = static_cast<std::uint64_t>(first_row * double(a_row));
    const auto end = std::min(info.count, static_cast<std::uint64_t>((first_row + shown) * double(a_row)));
    const auto y = [&](std::uint64_t index) {
      return body.y + static_cast<float>((double(index) / double(a_row) - first_row) * pitch);
    };
    bool earlier = info.initialised;
    for (int s = 0; s < f_.segment; ++s)
      earlier = earlier || f_.info.segments[static_cast<std::size_t>(s)].write_buffer == of.buffer;
    f_.scene.rect(body, earlier ? Role::Canvas : Role::None);
    if (!earlier) f_.scene.hatch(body, f_.px(8), {Role::Future, f_.thin()});
    const std::uint64_t offset = local(of) ? of.group * info.count : 0;
    f_.scene.push_clip(body);
    if (f_.segment >= 0 && f_.info.segments[static_cast<std::size_t>(f_.segment)].write_buffer == of.buffer) {
      const Rows within{offset + first, offset + end};
      std::vector<Rows> runs;
      if (f_.past(f_.segment) && !f_.flow.regular(f_.segment)) {
        if (const SegmentReach* reach = segment_reach(f_.document, f_.segment))
          for (const SegmentReach::Link& link : reach->links(within, 0)) runs.push_back(link.to);
      } else {
        runs = f_.flow.written_rows(f_.segment, within);
      }
      for (const Rows& run : runs) {
        f_.scene.rect(
            {body.x, y(run.first - offset), body.w, std::max(1.0f, y(run.end - offset) - y(run.first - offset))},
            Role::DoneSoft);
        legend_.add(tr("written in this segment"), [this](const Box& at) {
          f_.scene.rect(at, Role::DoneSoft, {Role::Line, f_.thin()});
        });
      }
    }
    const auto line = [&](const Access& access, Role role) {
      if (access.buffer != of.buffer) return;
      const float x = body.x + body.w * static_cast<float>(double(access.index % a_row) / double(a_row));
      const float at = std::min(y(access.index), body.bottom() - f_.px(4));
      f_.scene.rect({body.x, at, body.w, f_.px(4)},
                    role == Role::Now ? Role::NowSoft
                    : role == Role::A ? Role::ASoft
                                      : Role::BSoft,
                    {Role::Line, f_.thin()});
      f_.scene.rect({x, at - f_.px(2), std::max(f_.px(6), body.w / static_cast<float>(a_row)), f_.px(8)}, role,
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
      f_.text(body.x - f_.px(8), at, fmt::format("[{:.0f}]", tick), font, Role::Ink2, f_.px(address_width),
              Anchor::End);
      below = at + font.size * 0.6f;
    }
  }

  void foot() {
    const float y = f_.scene.height - f_.px(15), left = f_.px(map_pad), right = f_.scene.width - f_.px(map_pad);
    legend_.draw(f_, left, right, y);
    if (!f_.now || request_.size() < 2) return;
    const std::uint64_t first = request_.front().item, last = request_.back().item;
    const bool cuda = cuda_words(f_.info);
    f_.first_fitting(
        left, y - f_.px(20),
        {cuda ? say("At the same turn as thread {}: threads {} to {} of its warp, as if in lockstep; a "
                    "sector is {} bytes, there are {} banks of {} bytes.",
                    f_.now->item, first, last, sector_bytes, bank_count, bank_bytes)
              : say("At the same turn as item {}: items {} to {} of its sub-group, as if in lockstep; a "
                    "sector is {} bytes, there are {} banks of {} bytes.",
                    f_.now->item, first, last, sector_bytes, bank_count, bank_bytes),
         cuda ? say("threads {} to {} in lockstep", first, last) : say("items {} to {} in lockstep", first, last)},
        f_.caption(), Role::Ink2, right - left);
  }
};

class MemoryView : public ZoomedView {
 public:
  MemoryView()
      : ZoomedView("memory", translatable("Memory"),
                   "elements by address: value, last writer, sectors and banks of a request") {}
  bool has(Document& document) const override {
    const auto& buffers = document.info().buffers;
    return std::any_of(buffers.begin(), buffers.end(), [](const BufferInfo& buffer) { return buffer.count > 0; });
  }
  /// Both regions that an operation can touch, with rows in which elements can be told apart.
  PictureSize picture_size(Document& document, float least_width) const override {
    std::uint64_t largest = 0, second = 0;
    for (const BufferInfo& buffer : document.info().buffers) {
      second = std::max(second, std::min(largest, rows_of(buffer)));
      largest = std::max(largest, rows_of(buffer));
    }
    const auto rows = static_cast<float>(std::min<std::uint64_t>(largest + second, 128));
    return {std::max(least_width, 1008.0f), 2 * (map_title_height + map_gap) + map_foot_height +
                                                rows * std::clamp(640 / rows, 12.0f, comfortable_row + 2)};
  }

 protected:
  ViewSpace space(const DiagramInput& input) const override {
    const float u = view_scale(input);
    std::uint64_t rows = 1;
    for (const BufferInfo& buffer : input.document.info().buffers) rows = std::max(rows, rows_of(buffer));
    ViewSpace space;
    const float left = (map_pad + address_width) * u;
    space.body = {left, map_title_height * u, std::max(1.0f, input.width - left - map_pad * u),
                  std::max(1.0f, input.height - (map_title_height + map_foot_height) * u)};
    space.down = true;
    space.largest_zoom = std::max(1.0, double(rows) * double(usual_row * u) / double(space.body.h) * 3);
    space.viewport = input.viewport;
    return space;
  }
  void paint(const DiagramInput& input, const ViewSpace& space, Scene& scene) const override {
    MemoryFrame(input, scene, space).draw();
  }
  std::optional<Box> place(const DiagramInput& input, std::uint64_t step) const override {
    const auto operation = input.document.flow().operation(step, true);
    if (!operation) return {};
    const auto& list = operation->writes.empty() ? operation->reads : operation->writes;
    if (list.empty() || list[0].buffer < 0) return {};
    const BufferInfo& buffer = input.document.info().buffers[static_cast<std::size_t>(list[0].buffer)];
    const double size = double(traits(buffer.type).bytes), rows = double(rows_of(buffer));
    return Box{0, static_cast<float>(std::floor(double(list[0].index) * size / double(longest_row)) / rows), 1,
               static_cast<float>(1 / rows)};
  }
};

}  // namespace

std::unique_ptr<const View> memory_view() { return std::make_unique<MemoryView>(); }

}  // namespace twiddle
