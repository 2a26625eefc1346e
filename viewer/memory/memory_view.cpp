// Memory by address: rows of 128 bytes, four sectors of global memory or all 32 banks of local memory; what each element
// holds, who wrote it last, and what the sub-group at work fetches.
#include "base/message.h"
#include "tracer/trace/item_words.h"
#include "tracer/trace/memory/pairs.h"
#include "viewer/document/item_activity.h"
#include "viewer/document/request.h"
#include "viewer/document/segment_reach.h"
#include "viewer/memory/memory_frame.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/twiddle_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

namespace twiddle {
namespace {

constexpr float map_gap = 14, map_min_row = 7;         // between regions; of elements that can be distinguished
constexpr float gathered_gap = 0.35f, min_row = 4.5f;  // between rows that are no neighbours, of a row; of a row
constexpr std::size_t many_rows = 8;  // from here on a request is shown as a whole rather than its values
constexpr float map_share = 0.28f, window_row = 54, window_gap = 22;  // where rows are too many to see each
constexpr float max_element = 160;                                    // px of an element, at most
constexpr float wide_cell = 80;                                       // has a byte of its own over it
constexpr std::uint64_t max_picture_rows = 96;                        // of a picture, in all regions: the rest is a map
// Of a small picture.
constexpr float min_cell = 46, max_cell = 84, cell_height = 58, low_cell = 50, sector_line = 24, foot_line = 15;

}  // namespace

MemoryFrame::MemoryFrame(const DiagramInput& input, Scene& scene, const ViewSpace& space)
    : f_(input, scene), space_(space), sizes_(map_sizes(input)) {
  if (f_.now) {
    request_ = f_.request(*f_.now);
    for (Operation& one : request_) one = in_parts(f_.info, one);
    f_.now = in_parts(f_.info, *f_.now);
  }
  regions_ = touched_regions(f_.info, f_.now);
  if (!input.small) regions_ = regions_in(f_.info, regions_, input.height / f_.scale - sizes_.foot, sizes_.title);
}

void MemoryFrame::draw() {
  f_.scene.title = tr("Memory of {}", title_of(f_.info));
  if (regions_.empty()) return;
  if (f_.input.small)
    draw_small();
  else
    draw_regions();
}

void MemoryFrame::draw_regions() {
  // Each gets room by its rows; of two, at least a third.
  std::vector<float> shares;
  float sum = 0;
  for (const Region& region : regions_) {
    shares.push_back(static_cast<float>(std::min<std::uint64_t>(rows_of(buffer(region)), 64)));
    sum += shares.back();
  }
  float left = f_.scene.height - f_.px(sizes_.foot) - static_cast<float>(regions_.size()) * f_.px(sizes_.title);
  float y = 0;
  for (std::size_t n = 0; n < regions_.size(); sum -= shares[n], ++n) {
    // What one leaves is for those below it.
    const bool last = n + 1 == regions_.size();
    const float part = shares[n] / sum, share = regions_.size() == 2 && !last ? std::clamp(part, 0.34f, 0.66f) : part;
    const float height = std::max(f_.px(8), left * share - f_.px(map_gap));
    const float used = region(regions_[n], {space_.body.x, y + f_.px(sizes_.title), space_.body.w, height});
    y += used + f_.px(map_gap);
    left -= used - f_.px(sizes_.title) + f_.px(map_gap);
  }
  if (y - f_.px(map_gap) <= f_.scene.height - f_.px(sizes_.foot) + 1) foot();
}

void MemoryFrame::draw_small() {
  const auto shown = [&](const Region& region) {
    if (f_.hover.index && f_.hover.buffer >= 0) return region.buffer == f_.hover.buffer;
    return f_.now && !f_.now->writes.empty() && region.buffer == f_.now->writes[0].buffer;
  };
  if (f_.hover.index && f_.hover.buffer >= 0 && std::none_of(regions_.begin(), regions_.end(), shown)) {
    const bool grouped = local({f_.hover.buffer, 0}) && f_.now && f_.launch;
    regions_.push_back({f_.hover.buffer, grouped ? f_.launch->group_of(f_.now->item) : 0});
  }
  const auto found = std::find_if(regions_.begin(), regions_.end(), shown);
  const Region of = found == regions_.end() ? regions_.front() : *found;
  const float left = f_.px(map_pad), width = f_.scene.width - 2 * left;
  // Addresses, sectors, and then words have the room that elements leave.
  const float all = f_.scene.height - f_.px(sizes_.title + sizes_.foot) - f_.px(low_cell);
  const bool addresses = all >= f_.px(address_line), sectors = !local(of) && all >= f_.px(address_line + sector_line);
  const float under = f_.px((addresses ? address_line : 0) + (sectors ? sector_line : 0)), spare = all - under;
  const auto fit = static_cast<std::size_t>(std::max(0.0f, spare / f_.px(foot_line)));
  std::vector<std::string> words = wrap(f_.caption(), accesses(of), width);
  const std::vector<std::string> more = wrap(f_.caption(), costs(of), width);
  if (words.size() + more.size() <= fit) words.insert(words.end(), more.begin(), more.end());
  words.resize(std::min(words.size(), fit));
  const float below = f_.px(foot_line) * static_cast<float>(words.size());
  title(of, left, f_.px(7));
  const float height = std::min(f_.px(low_cell) + spare - below, f_.px(cell_height));
  strip(of, {space_.body.x, f_.px(sizes_.title), space_.body.w, height}, addresses, sectors);
  float y = f_.scene.height - f_.px(sizes_.foot) - below + f_.px(foot_line / 2);
  for (const std::string& line : words) {
    f_.text(left, y, line, f_.caption(), Role::Ink2, width + 1);
    y += f_.px(foot_line);
  }
}

void MemoryFrame::strip(const Region& of, const Box& room, bool addresses, bool sectors) {
  const BufferInfo& info = buffer(of);
  const std::uint64_t per_sector = std::max<std::uint64_t>(1, sector_bytes / traits(info.type).bytes);
  const float broken = f_.px(map_gap);  // between two windows
  auto share = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(room.w / f_.px(min_cell)));
  std::set<std::uint64_t> windows = {0};
  if (info.count > share) {
    std::set<std::uint64_t> touched = touched_in(of, 1);
    if (f_.hover.index && f_.hover.buffer == of.buffer) touched.insert(*f_.hover.index);
    while (touched.size() > share) touched.erase(std::prev(touched.end()));
    // As few windows as hold all that is touched, each as long as there is room for.
    for (std::size_t most = 1; most <= touched.size(); ++most) {
      const float each = room.w / static_cast<float>(most) - 2 * broken;
      share = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::max(0.0f, each / f_.px(min_cell))));
      if (share > per_sector) share -= share % per_sector;
      windows.clear();
      for (const std::uint64_t index : touched) windows.insert(std::min(index, info.count - 1) / share);
      if (windows.size() <= most) break;
    }
  } else {
    share = info.count;
  }
  const auto count = static_cast<float>(windows.size());
  const float cell = std::min(
      f_.px(max_cell), (room.w - (info.count > share ? count + 1 : 0) * broken) / (count * static_cast<float>(share)));
  const auto dots = [&](float x) {
    for (const float dot : {-4.0f, 0.0f, 4.0f})
      f_.scene.circle({x + broken / 2 + f_.px(dot), room.centre().y}, f_.px(1.1f), Role::Ink3);
  };
  const RowLayout layout{.row_bytes = share * traits(info.type).bytes, .per_row = share};
  const float names = f_.px(address_width);
  f_.text(f_.px(map_pad), room.y - f_.px(10), tr("index"), f_.caption(), Role::Ink2, names);
  if (addresses && (has_banks(of) || !local(of)))
    f_.text(f_.px(map_pad), room.bottom() + f_.px(address_line / 2), local(of) ? tr("bank") : tr("byte"), f_.caption(),
            Role::Ink2, names);
  float x = room.x;
  std::uint64_t end = 0;
  for (const std::uint64_t window : windows) {
    const std::uint64_t first = window * share;
    if (first > end) dots(x);
    x += first > end ? broken : 0;
    end = std::min(first + share, info.count);
    const Box body{x, room.y, cell * static_cast<float>(share), room.h};
    elements(of, body, layout, double(window), double(room.h));
    f_.scene.rect({x, room.y, cell * static_cast<float>(end - first), room.h}, Role::None, {Role::Done, f_.thin()});
    for (std::uint64_t i = first; i < end; ++i)
      name_element(of, i, {x + cell * static_cast<float>(i - first), room.y, cell, room.h}, addresses);
    if (sectors) name_sectors(of, first, end, {x, room.bottom() + f_.px(address_line), cell, 0});
    x += body.w;
  }
  if (end < info.count) dots(x);
}

void MemoryFrame::name_sectors(const Region& of, std::uint64_t first, std::uint64_t end, const Box& cell) {
  const std::uint64_t per_sector = std::max<std::uint64_t>(1, sector_bytes / traits(buffer(of).type).bytes);
  for (std::uint64_t at = first; at < end;) {
    const std::uint64_t sector = at / per_sector, to = std::min((sector + 1) * per_sector, end);
    const float left = cell.x + cell.w * static_cast<float>(at - first) + f_.px(3),
                right = cell.x + cell.w * static_cast<float>(to - first) - f_.px(3), low = cell.y + f_.px(6);
    f_.scene.polyline({{left, cell.y}, {left, low}, {right, low}, {right, cell.y}}, {Role::Done, f_.thin(1.4f)});
    f_.first_fitting((left + right) / 2, low + f_.px(10),
                     {tr("sector {}, {} bytes", sector, sector_bytes), tr("sector {}", sector), std::to_string(sector)},
                     f_.caption(), Role::Ink2, right - left, Anchor::Middle);
    at = to;
  }
}

float MemoryFrame::region(const Region& of, const Box& whole) {
  const BufferInfo& info = buffer(of);
  drawn_rows_.clear();
  const RowLayout rows = row_layout(info, whole.w / f_.scale, whole.h / f_.scale);
  // A few elements are not as wide as the pane.
  const Box room{whole.x, whole.y, std::min(whole.w, f_.px(max_element) * static_cast<float>(rows.per_row)), whole.h};
  const float most = f_.px(rows.max_pitch);
  // The zoomed axis is this region's rows; at zoom 1 all of them are in the room, as far as rows can be seen.
  const double fit = std::min(double(most), double(room.h) / double(rows.rows)),
               pitch = std::min(double(most), fit * space_.zoom());
  const double shown = std::min(double(rows.rows), double(room.h) / pitch);
  const double first = std::clamp((space_.first_v() + space_.height_v() / 2) * double(rows.rows) - shown / 2, 0.0,
                                  double(rows.rows) - shown);
  const Box body{room.x, room.y, room.w, static_cast<float>(shown * pitch)};
  const float cell = room.w / static_cast<float>(rows.per_row);
  const bool readable = values_fit(info, cell / f_.scale, static_cast<float>(pitch) / f_.scale);
  // Else all of it as a map, and beside it the rows that the operation touches, as large as can be read; only these
  // where there is no room for both.
  const float beside = body.w * map_share + f_.px(address_width + map_gap);
  const Box right{body.x + beside, body.y, body.w - beside, body.h};
  const auto narrow = wide_layout(info, right.w / f_.scale), wide = wide_layout(info, room.w / f_.scale);
  const bool windows = !readable && body.h >= f_.px(window_row);
  // What a sub-group asks for in one turn is seen as a whole or not at all.
  if (const std::set<std::uint64_t> asked = asked_rows(of, elements_per_row(info));
      !readable && space_.zoom() <= 1 && !asked.empty() && asked.size() < rows.rows + 1 &&
      (local(of) || asked.size() > many_rows) && static_cast<float>(asked.size()) * f_.px(min_row) <= room.h) {
    return f_.px(sizes_.title) + gathered_rows(of, {room.x, room.y, room.w, std::max(body.h, room.h)}, asked);
  }
  if (windows && narrow) {
    const Box map{body.x, body.y, body.w * map_share, body.h};
    heads(of, map, right, *narrow);
    overview(of, map, rows, first, shown, pitch);
    f_.scene.rect(map, Role::None, {Role::Done, f_.thin()});
    touched_rows(of, right, *narrow);
    hidden_rows(of, map, body.y, narrow->per_row);
  } else if (windows && wide && space_.zoom() <= 1) {
    heads(of, body, body, *wide);
    touched_rows(of, body, *wide);
    hidden_rows(of, body, body.y, wide->per_row);
  } else if (pitch >= double(f_.px(map_min_row))) {
    heads(of, body, body, rows);
    elements(of, body, rows, first, pitch);
    hidden_rows(of, body, body.y, rows.per_row);
    f_.scene.rect(body, Role::None, {Role::Done, f_.thin()});
  } else {
    heads(of, body, body, rows);
    overview(of, body, rows, first, shown, pitch);
    f_.scene.rect(body, Role::None, {Role::Done, f_.thin()});
  }
  return f_.px(sizes_.title) + body.h;
}

std::set<std::uint64_t> MemoryFrame::touched_in(const Region& of, std::uint64_t per_row) const {
  std::set<std::uint64_t> touched;
  const auto add = [&](const SmallList<Access, 4>& list) {
    for (const Access& access : list)
      if (access.buffer == of.buffer && access.index / per_row <= (buffer(of).count - 1) / per_row)
        touched.insert(access.index / per_row);
  };
  if (f_.now) add(f_.now->reads), add(f_.now->writes);
  if (touched.empty()) touched.insert(0);
  return touched;
}

void MemoryFrame::touched_rows(const Region& of, const Box& room, const RowLayout& layout) {
  const std::set<std::uint64_t> touched = touched_in(of, layout.per_row);
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
  const float pitch = std::min(each / static_cast<float>(count), f_.px(layout.max_pitch));
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

std::set<std::uint64_t> MemoryFrame::asked_rows(const Region& of, std::uint64_t per_row) const {
  std::set<std::uint64_t> rows;
  if (!at_work(of) || request_.size() < 2) return rows;
  const auto add = [&](int which, bool write) {
    for (const std::uint64_t element : cost_of(f_.info, request_, of.buffer, which, write).elements)
      if (element < buffer(of).count) rows.insert(element / per_row);
  };
  for (int i = 0; i < f_.now->reads.size(); ++i) add(i, false);
  for (int i = 0; i < f_.now->writes.size(); ++i) add(i, true);
  return rows;
}

float MemoryFrame::gathered_rows(const Region& of, const Box& room, const std::set<std::uint64_t>& rows) {
  RowLayout layout;
  layout.per_row = elements_per_row(buffer(of));
  layout.rows = rows_of(buffer(of));
  std::size_t gaps = 0;
  for (auto row = std::next(rows.begin()); row != rows.end(); ++row) gaps += *row > *std::prev(row) + 1;
  const float all = static_cast<float>(rows.size()) + gathered_gap * static_cast<float>(gaps);
  const float pitch = std::min(f_.px(usual_row), room.h / all);
  heads(of, room, room, layout);
  Box body{room.x, room.y, room.w, pitch};
  for (auto row = rows.begin(); row != rows.end(); ++row, body.y += pitch) {
    if (row != rows.begin() && *row > *std::prev(row) + 1) body.y += gathered_gap * pitch;
    elements(of, body, layout, double(*row), double(pitch));
    const std::uint64_t there = std::min(layout.per_row, buffer(of).count - *row * layout.per_row);
    const float width = room.w * static_cast<float>(there) / static_cast<float>(layout.per_row);
    f_.scene.rect({body.x, body.y, width, body.h}, Role::None, {Role::Done, f_.thin()});
  }
  return body.y - room.y;
}

std::string MemoryFrame::costs(const Region& of) const {
  const std::string said = at_work(of) ? cost_text(f_.info, *f_.now, request_, of.buffer) : std::string();
  // Of the whole launch it is as many times that as there are sub-groups at work.
  return said.empty() ? said : tr("one {}, {}", lanes_noun(f_.info), said);
}

void MemoryFrame::hidden_rows(const Region& of, const Box& whole, float top, std::uint64_t per_row) {
  const std::set<std::uint64_t> asked = asked_rows(of, per_row);
  const auto seen = static_cast<std::size_t>(
      std::count_if(asked.begin(), asked.end(), [&](std::uint64_t row) { return drawn_rows_.count(row) > 0; }));
  if (seen == asked.size()) return;
  const float x = whole.x + text_width(f_.caption(), costs(of)) + f_.px(12);
  f_.first_fitting(x, top - f_.px(30),
                   {tr("{} of the {} rows touched are in sight: scroll, or enlarge the pane", seen, asked.size()),
                    tr("{} of {} rows in sight", seen, asked.size())},
                   f_.caption(Weight::SemiBold), Role::Ink, f_.scene.width - f_.px(map_pad) - x);
}

std::string MemoryFrame::accesses(const Region& of) const {
  return at_work(of) ? access_text(f_.info, *f_.now, request_, of.buffer) : std::string();
}

void MemoryFrame::title(const Region& of, float left, float centre_y) {
  const BufferInfo& info = buffer(of);
  const std::string where =
      local(of) ? tr("local, {} {}", group_noun(f_.info), of.group) : std::string(word_of(info.space));
  const std::string what = fmt::format("{} {}[{}]{}{}", traits(info.type).name, info.name, info.count, tr(", "), where);
  f_.title(left, f_.scene.width - f_.px(map_pad), centre_y, info.name, {what, where});
}

void MemoryFrame::heads(const Region& of, const Box& whole, const Box& body, const RowLayout& rows) {
  const BufferInfo& info = buffer(of);
  title(of, whole.x, body.y - f_.px(48));
  f_.text(whole.x, body.y - f_.px(30), costs(of), f_.caption(), Role::Ink2, f_.scene.width - f_.px(map_pad) - whole.x);
  // Bytes of a row; in local memory the banks.
  const Font font = f_.mono(11);
  const float cell = body.w / static_cast<float>(rows.per_row);
  const std::uint64_t size = traits(info.type).bytes;
  if (local(of) && !(has_banks(of) && all_banks(of, rows))) return;
  const bool each = local(of) || cell >= f_.px(wide_cell);
  float free_from = body.x - f_.px(4);
  for (std::uint64_t c = 0; c < rows.per_row; ++c) {
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

void MemoryFrame::foot() {
  const float y = f_.scene.height - f_.px(15), left = f_.px(map_pad), right = f_.scene.width - f_.px(map_pad);
  legend_.draw(f_, left, right, y);
  if (!f_.now || request_.size() < 2) return;
  const std::uint64_t first = request_.front().item, last = request_.back().item;
  const bool cuda = has_threads(f_.info);
  f_.first_fitting(
      left, y - f_.px(20),
      {cuda ? tr("At the same turn as thread {}: threads {} to {} of its warp, as if in lockstep; a "
                 "sector is {} bytes, there are {} banks of {} bytes.",
                 f_.now->item, first, last, sector_bytes, bank_count, bank_bytes)
            : tr("At the same turn as item {}: items {} to {} of its sub-group, as if in lockstep; a "
                 "sector is {} bytes, there are {} banks of {} bytes.",
                 f_.now->item, first, last, sector_bytes, bank_count, bank_bytes),
       cuda ? tr("threads {} to {} in lockstep", first, last) : tr("items {} to {} in lockstep", first, last)},
      f_.caption(), Role::Ink2, right - left);
}

namespace {

class MemoryView : public FramedView<MemoryFrame> {
 public:
  MemoryView()
      : FramedView("memory", translatable("Memory"),
                   "elements by address: value, last writer, sectors and banks of a request") {}
  bool has(Document& document) const override {
    const auto& buffers = document.info().buffers;
    return std::any_of(buffers.begin(), buffers.end(), [](const BufferInfo& buffer) { return buffer.count > 0; });
  }
  /// The regions that an operation can touch, with rows in which elements can be distinguished.
  PictureSize picture_size(Document& document, float min_width) const override {
    // The two largest arrays, and a third where all three are a few rows.
    std::vector<std::uint64_t> rows;
    for (const BufferInfo& buffer : document.info().buffers) rows.push_back(rows_of(buffer));
    std::sort(rows.rbegin(), rows.rend());
    constexpr std::uint64_t few_rows = 6;
    if (rows.size() < 3 || rows[0] + rows[1] + rows[2] > few_rows) rows.resize(2);
    rows.resize(std::min<std::size_t>(rows.size(), 3));
    const auto regions = static_cast<float>(rows.size());
    const auto all = static_cast<float>(
        std::min<std::uint64_t>(std::accumulate(rows.begin(), rows.end(), std::uint64_t{0}), max_picture_rows));
    return {std::max(min_width, 1008.0f), regions * (usual_map.title + map_gap) + usual_map.foot +
                                              all * std::clamp(640 / all, 12.0f, comfortable_row + 2)};
  }

 protected:
  ViewSpace space(const DiagramInput& input) const override {
    const float u = view_scale(input);
    std::uint64_t rows = 1;
    for (const BufferInfo& buffer : input.document.info().buffers) rows = std::max(rows, rows_of(buffer));
    const float left = (map_pad + (input.small ? 46 : address_width)) * u;
    const MapSizes sizes = map_sizes(input);
    const Box body{left, sizes.title * u, input.width - left - map_pad * u,
                   std::max(1.0f, input.height - (sizes.title + sizes.foot) * u)};
    return {input, body, false, true, double(rows) * double(usual_row * u) / double(body.h) * 3};
  }
  std::optional<Box> place(const DiagramInput& input, const Operation& operation) const override {
    const auto& list = operation.writes.empty() ? operation.reads : operation.writes;
    if (list.empty() || list[0].buffer < 0) return {};
    const BufferInfo& buffer = input.document.info().buffers[list[0].buffer];
    const double size = double(traits(buffer.type).bytes), rows = double(rows_of(buffer));
    return Box{0, static_cast<float>(std::floor(double(list[0].index) * size / double(max_row_bytes)) / rows), 1,
               static_cast<float>(1 / rows)};
  }
};

}  // namespace

std::unique_ptr<const View> memory_view() { return std::make_unique<MemoryView>(); }

}  // namespace twiddle
