// Memory by address: index, value, last writer, byte and sector (or bank) of the elements around the cursor.
#include "viewer/panels/panel_parts.h"
#include "viewer/scene/languages.h"

#include "base/say.h"
#include "tracer/trace/number_text.h"
#include "viewer/document/request.h"
#include "viewer/words/twiddle_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace twiddle {
namespace {

constexpr float memory_pad = 16, label_column = 51, cell_height = 33, cell_height_large = 48, least_cell = 46,
                most_cell = 84, break_width = 14;

// What memory is shown: the buffer the operation writes (or reads), of the group that it belongs to.
struct Subject {
  int buffer = -1;
  std::uint64_t group = 0;
};

Subject subject_of(const PanelContext& context) {
  Subject subject;
  const TraceInfo& info = context.info();
  if (context.hover.index && context.hover.buffer >= 0) subject.buffer = context.hover.buffer;
  if (context.now) {
    const auto named = [&](const auto& accesses) {
      for (const Access& access : accesses)
        if (subject.buffer < 0 && access.buffer >= 0) subject.buffer = access.buffer;
    };
    named(context.now->writes);
    named(context.now->reads);
    if (context.launch && context.launch->group_size() > 0)
      subject.group = context.now->item / context.launch->group_size();
  }
  if (subject.buffer < 0)
    for (std::size_t i = 0; i < info.buffers.size() && subject.buffer < 0; ++i)
      if (info.buffers[i].name == info.expect.input || (info.expect.input.empty() && info.buffers[i].launch == 0))
        subject.buffer = static_cast<int>(i);
  if (subject.buffer < 0 && !info.buffers.empty()) subject.buffer = 0;
  if (static_cast<std::size_t>(subject.buffer) >= info.buffers.size()) subject.buffer = -1;
  return subject;
}

/// Runs of consecutive elements; between two of them the row is broken.
using Runs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  // first, count

// All elements while they fit; else whole sectors around those that the operation touches, as many as fit.
Runs elements_in_view(const PanelContext& context, const Subject& subject, float width) {
  const BufferInfo& buffer = context.info().buffers[static_cast<std::size_t>(subject.buffer)];
  const auto fit = static_cast<std::uint64_t>(std::max(1.0f, width / context.px(least_cell)));
  if (buffer.count <= fit) return {{0, buffer.count}};
  std::set<std::uint64_t> touched;
  if (context.hover.index && context.hover.buffer == subject.buffer) touched.insert(*context.hover.index);
  if (context.now) {
    for (const Access& access : context.now->writes)
      if (access.buffer == subject.buffer) touched.insert(std::min(access.index, buffer.count - 1));
    for (const Access& access : context.now->reads)
      if (access.buffer == subject.buffer) touched.insert(std::min(access.index, buffer.count - 1));
  }
  if (touched.empty()) return {{0, fit}};
  const std::uint64_t per_sector = std::max<std::uint64_t>(1, sector_bytes / traits(buffer.type).bytes);
  const float breaks = static_cast<float>(touched.size()) * break_width / least_cell;
  // Each touched element gets an equal share of the room, in whole sectors where that is possible.
  auto share = static_cast<std::uint64_t>(
      std::max(1.0f, (static_cast<float>(fit) - breaks) / static_cast<float>(touched.size())));
  if (share >= per_sector) share -= share % per_sector;
  Runs runs;
  for (std::uint64_t index : touched) {
    std::uint64_t first = share >= per_sector ? index / share * share : index - std::min(index, share / 2);
    std::uint64_t end = std::min(first + share, buffer.count);
    if (!runs.empty()) {
      std::uint64_t& last_count = runs.back().second;
      const std::uint64_t last_end = runs.back().first + last_count;
      if (first <= last_end) {
        last_count = std::max(end, last_end) - runs.back().first;
        continue;
      }
    }
    runs.emplace_back(first, end - first);
  }
  return runs;
}

/// A value as a cell shows it: on one line without brackets, "12, 0", or its two parts one above the other.
struct CellText {
  std::string first, second;
};

CellText cell_text(const Value& value, const Font& font, const Font& small, float room) {
  const auto bare = [](std::string text) {
    return text.size() > 2 && text.front() == '(' && text.back() == ')' ? text.substr(1, text.size() - 2) : text;
  };
  if (std::string whole = bare(value_text(value, 4)); text_width(font, whole) <= room) return {std::move(whole), {}};
  for (int digits : {4, 3, 2}) {
    const std::string whole = bare(value_text(value, digits));
    const std::size_t comma = whole.find(", ");
    if (comma == std::string::npos) {
      if (text_width(font, whole) <= room) return {whole, {}};
      continue;
    }
    CellText parts{whole.substr(0, comma), whole.substr(comma + 2)};
    if (text_width(small, parts.first) <= room && text_width(small, parts.second) <= room) return parts;
  }
  return {};
}

std::string part_text(std::uint64_t used, std::uint64_t fetched) {
  if (used >= fetched) return tr("all");
  if (used * 2 == fetched) return tr("half");
  if (used * 4 == fetched) return tr("a quarter");
  return say("{} of {} bytes", count_text(used), count_text(fetched));
}

// One sentence on how the memory is used; only what the log shows.
std::string access_text(const PanelContext& context, const Subject& subject) {
  if (!context.now || context.now->reads.empty() || context.now->reads[0].buffer < 0) return {};
  const Operation& now = *context.now;
  const auto here = [&](const Access& access) { return access.buffer == subject.buffer; };
  if (std::none_of(now.reads.begin(), now.reads.end(), here) &&
      std::none_of(now.writes.begin(), now.writes.end(), here))
    return {};
  const auto buffer = static_cast<std::size_t>(now.reads[0].buffer);
  const std::size_t bytes = traits(context.info().buffers[buffer].type).bytes;
  std::string text;
  const auto add = [&](const std::string& sentence) {
    // Sentences of Japanese and Chinese end in a full stop as wide as a letter, and no space follows it.
    if (!text.empty() && spoken_language() == Language::English) text += ' ';
    text += sentence;
  };
  if (now.stride() > 0) add(say("Stride {} = {} bytes.", count_text(now.stride()), count_text(now.stride() * bytes)));
  if (!here(now.reads[0]))
    add(now.reads.size() > 1 && now.kind == OperationKind::Butterfly
            ? say("Read from {} and {}.", element_text(context.info(), now.reads[0]),
                  element_text(context.info(), now.reads[1]))
            : say("Read from {}.", element_text(context.info(), now.reads[0])));
  if (context.info().buffers[buffer].space != Space::Global || now.kind != OperationKind::Butterfly ||
      now.reads.size() != 2 || now.reads[1].buffer != now.reads[0].buffer)
    return text;
  const std::vector<Operation> request = request_of(context.document, now);
  const RequestCost a = cost_of(context.info(), request, now.reads[0].buffer, 0, false),
                    b = cost_of(context.info(), request, now.reads[1].buffer, 1, false);
  if (a.lanes == 0 || b.lanes == 0) return text;
  if (a.bytes == a.fetched() && b.bytes == b.fetched())
    add(tr("Both loads use whole sectors."));
  else if (std::equal(a.sectors.begin(), a.sectors.end(), b.sectors.begin(), b.sectors.end()) &&
           a.bytes * 2 == a.fetched() && b.bytes * 2 == b.fetched())
    add(tr("Load a uses half of each sector, load b the other half."));
  else
    add(say("Load a uses {} of what it fetches, load b {}.", part_text(a.bytes, a.fetched()),
            part_text(b.bytes, b.fetched())));
  return text;
}

class Lane {
 public:
  Lane(const PanelContext& context, Scene& scene, const Subject& subject, float left, float right, float index_y)
      : context_(context),
        scene_(scene),
        subject_(subject),
        buffer_(context.info().buffers[static_cast<std::size_t>(subject.buffer)]),
        left_(left),
        index_y_(index_y) {
    runs_ = elements_in_view(context, subject, right - left);
    for (const auto& run : runs_) cells_ += run.second;
    if (!runs_.empty()) {
      more_before_ = runs_.front().first > 0;
      more_after_ = runs_.back().first + runs_.back().second < buffer_.count;
    }
    const float breaks =
        static_cast<float>(runs_.size() - 1 + (more_before_ ? 1 : 0) + (more_after_ ? 1 : 0)) * context.px(break_width);
    cell_ = cells_ > 0 ? std::min(context.px(most_cell), (right - left - breaks) / static_cast<float>(cells_)) : 0;
  }

  // `spare`: height beyond what the rows need, for taller cells.
  void draw(bool all_rows, float spare) {
    const float tall = context_.px(cell_height) + std::clamp(spare, 0.0f, context_.px(cell_height_large - cell_height));
    const float value_top = index_y_ + context_.px(10);
    const float value_y = value_top + tall / 2, writer_y = value_top + tall + context_.px(12);
    const float byte_y = writer_y + context_.px(19);
    const Font caption = context_.caption();
    const float names_x = left_ - context_.px(label_column);
    label(scene_, names_x, index_y_, tr("index"), caption, Role::Ink2, context_.px(label_column - 4));
    label(scene_, names_x, value_y, tr("value"), caption, Role::Ink2, context_.px(label_column - 4));
    label(scene_, names_x, writer_y, tr("writer"), caption, Role::Ink2, context_.px(label_column - 4));
    const bool local = buffer_.space == Space::Local;
    if (all_rows)
      label(scene_, names_x, byte_y, local ? tr("bank") : tr("byte"), caption, Role::Ink2,
            context_.px(label_column - 4));
    float x = left_;
    const auto break_at = [&](float at) {
      for (float dot : {-4.0f, 0.0f, 4.0f})
        scene_.circle({at + context_.px(break_width / 2 + dot), value_y}, context_.px(1.1f), Role::Ink3);
    };
    if (more_before_) {
      break_at(x);
      x += context_.px(break_width);
    }
    const float bottom = all_rows ? byte_y : writer_y;
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      const auto& [first, count] = runs_[r];
      for (std::uint64_t i = 0; i < count; ++i)
        element(first + i, {x + static_cast<float>(i) * cell_, value_top, cell_, tall}, writer_y, byte_y, all_rows,
                bottom, i == 0);
      scene_.rect({x, value_top, static_cast<float>(count) * cell_, tall}, Role::None,
                  {Role::Done, std::max(1.0f, context_.px(1))});
      if (all_rows && !local) sectors(first, count, x, byte_y + context_.px(14));
      x += static_cast<float>(count) * cell_;
      if (r + 1 < runs_.size() || more_after_) break_at(x);
      x += context_.px(break_width);
    }
    // What the operation touches lies above the other cells' lines.
    for (const Box& box : now_cells_) scene_.rect(box, Role::None, {Role::Ink, context_.px(2.5f)});
    for (const auto& [box, lit] : lit_cells_) lit_outline(context_, scene_, box, 0, lit);
  }

 private:
  const PanelContext& context_;
  Scene& scene_;
  const Subject subject_;
  const BufferInfo& buffer_;
  float left_, index_y_;
  Runs runs_;
  std::uint64_t cells_ = 0;
  float cell_ = 0;
  bool more_before_ = false, more_after_ = false;
  std::vector<Box> now_cells_;
  std::vector<std::pair<Box, int>> lit_cells_;

  // Which input of the operation at the cursor this element is; −1: none.
  int input_of(std::uint64_t index) const {
    if (!context_.now || context_.now->reads.size() > 2) return -1;
    for (int i = 0; i < context_.now->reads.size(); ++i)
      if (context_.now->reads[i].buffer == subject_.buffer && context_.now->reads[i].index == index) return i;
    return -1;
  }
  bool written(std::uint64_t index) const {
    if (!context_.now) return false;
    return std::any_of(context_.now->writes.begin(), context_.now->writes.end(),
                       [&](const Access& access) { return access.buffer == subject_.buffer && access.index == index; });
  }

  void element(std::uint64_t index, const Box& box, float writer_y, float byte_y, bool all_rows, float bottom,
               bool first_of_run) {
    Value value;
    value.type = buffer_.type;
    const bool known = context_.document.replay->state().read(subject_.buffer, subject_.group, index,
                                                              {value.bits.data(), traits(buffer_.type).bytes});
    const std::uint64_t writer =
        context_.document.replay->last_writer(subject_.buffer, subject_.group, index, context_.state.cursor.step);
    const bool valued = (known && context_.info().detail == Detail::Values) || (known && writer == 0);
    const bool uninitialised = writer == 0 && !buffer_.initialised;
    const int input = input_of(index);
    const bool now = written(index);

    Mark mark;
    mark.kind = MarkKind::Element;
    mark.buffer = subject_.buffer;
    mark.index = index;
    mark.item = buffer_.space == Space::Local ? subject_.group : 0;
    mark.segment = context_.segment;
    std::string writer_text = buffer_.initialised && buffer_.space != Space::Local ? tr("input") : "–", who;
    if (writer > 0) {
      const Operation operation = context_.document.replay->operation(writer);
      writer_text = fmt::format("L{}.I{}", operation.launch, operation.item);
      who =
          "\n" + say("written by item {} of launch {}, step {}", operation.item, operation.launch, count_text(writer));
    } else {
      who = std::string("\n") +
            (buffer_.initialised ? tr("as it was before the first launch") : tr("nobody wrote it yet"));
    }
    scene_.begin_mark(mark, fmt::format("{}[{}]{}{}", buffer_.name, index,
                                        valued && !uninitialised ? " = " + value_text(value, 6) : "", who));
    scene_.rect(box,
                now          ? Role::Now
                : input == 0 ? Role::ASoft
                : input > 0  ? Role::BSoft
                             : Role::Canvas,
                {Role::Done, std::max(1.0f, context_.px(0.8f))});
    const Role ink = now ? Role::OnNow : Role::Ink;
    if (uninitialised || !known) {
      scene_.hatch(box.inset(context_.px(4)), context_.px(5), {Role::Future, std::max(1.0f, context_.px(1))});
    } else if (valued) {
      const Font font = context_.mono(12), small_font = context_.mono(11);
      const CellText text = cell_text(value, font, small_font, box.w - context_.px(5));
      const Point c = box.centre();
      if (text.second.empty()) {
        label_if_fits(scene_, c.x, c.y, text.first, font, ink, box.w, Anchor::Middle);
      } else {
        label_if_fits(scene_, c.x, c.y - context_.px(7), text.first, small_font, ink, box.w, Anchor::Middle);
        label_if_fits(scene_, c.x, c.y + context_.px(7.5f), text.second, small_font, ink, box.w, Anchor::Middle);
      }
    } else {
      label_if_fits(scene_, box.centre().x, box.centre().y, "·", context_.mono(12), Role::Ink3, box.w, Anchor::Middle);
    }
    const bool strong = now || input >= 0;
    const Font small = context_.mono(12, strong ? Weight::SemiBold : Weight::Regular);
    const Role text_role = strong ? Role::Ink : Role::Ink2;
    const float room = box.w - context_.px(4);
    const std::string number = std::to_string(index);
    if (input >= 0 && context_.now->reads.size() == 2) {
      const float tag = context_.px(15), width = text_width(small, number) + tag + context_.px(4);
      if (width <= box.w + context_.px(2)) {
        input_tag(context_, scene_, input, {box.centre().x - width / 2 + tag / 2, index_y_}, tag);
        scene_.text({box.centre().x + width / 2, baseline(small, index_y_)}, number, small, Role::Ink, Anchor::End);
      } else {
        label_if_fits(scene_, box.centre().x, index_y_, number, small, text_role, room, Anchor::Middle);
      }
    } else {
      label_if_fits(scene_, box.centre().x, index_y_, number, small, text_role, room, Anchor::Middle);
    }
    // The longest form of the writer that fits, in the smaller type if need be.
    const std::string item_alone = writer_text.substr(writer_text.find('.') + 1);
    const Font smaller = context_.mono(11, small.weight);
    label_if_fits(scene_, box.centre().x, writer_y, writer_text, small, text_role, room, Anchor::Middle) ||
        label_if_fits(scene_, box.centre().x, writer_y, item_alone, small, text_role, room, Anchor::Middle) ||
        label_if_fits(scene_, box.centre().x, writer_y, item_alone, smaller, text_role, box.w, Anchor::Middle);
    if (all_rows) address(index, box, byte_y, first_of_run);
    scene_.rect({box.x, index_y_ - context_.px(9), box.w, bottom - index_y_ + context_.px(18)}, Role::None);
    scene_.end_mark();
    if (now) now_cells_.push_back(box);
    if (const int lit = context_.lit_element(subject_.buffer, index)) lit_cells_.emplace_back(box, lit);
  }

  // The byte that the element begins at, or the banks that it lies in. Where a byte's digits do not fit into a cell, those
  // of the run's first element stand for all.
  void address(std::uint64_t index, const Box& box, float y, bool first_of_run) {
    const std::uint64_t bytes = traits(buffer_.type).bytes, byte = index * bytes;
    const Font font = context_.mono(12);
    const float room = box.w - context_.px(4);
    if (buffer_.space == Space::Local) {
      const std::uint64_t bank = byte / bank_bytes % bank_count, last = (byte + bytes - 1) / bank_bytes % bank_count;
      const std::string text = bank == last ? std::to_string(bank) : fmt::format("{}–{}", bank, last);
      label_if_fits(scene_, box.centre().x, y, text, font, Role::Ink3, room, Anchor::Middle);
      return;
    }
    const std::string last_byte = fmt::format("+{}", (buffer_.count - 1) * bytes), text = fmt::format("+{}", byte);
    if (text_width(font, last_byte) <= room)
      label_if_fits(scene_, box.centre().x, y, text, font, Role::Ink3, room, Anchor::Middle);
    else if (first_of_run)
      label_if_fits(scene_, box.x + context_.px(2), y, text, font, Role::Ink3, 2 * box.w);
  }

  // A bracket under the elements of each 32-byte sector.
  void sectors(std::uint64_t first, std::uint64_t count, float x, float y) {
    const std::uint64_t bytes = traits(buffer_.type).bytes,
                        per_sector = std::max<std::uint64_t>(1, sector_bytes / bytes);
    const Stroke line{Role::Done, std::max(1.0f, context_.px(1.4f))};
    for (std::uint64_t at = first; at < first + count;) {
      const std::uint64_t sector = at / per_sector, end = std::min((sector + 1) * per_sector, first + count);
      const float from = x + static_cast<float>(at - first) * cell_ + context_.px(3),
                  to = x + static_cast<float>(end - first) * cell_ - context_.px(3);
      scene_.polyline({{from, y}, {from, y + context_.px(6)}, {to, y + context_.px(6)}, {to, y}}, line);
      const float middle = (from + to) / 2, text_y = y + context_.px(17);
      label_if_fits(scene_, middle, text_y, say("sector {}, {} bytes", sector, sector_bytes), context_.caption(),
                    Role::Ink2, to - from, Anchor::Middle) ||
          label_if_fits(scene_, middle, text_y, say("sector {}", sector), context_.caption(), Role::Ink2, to - from,
                        Anchor::Middle) ||
          label_if_fits(scene_, middle, text_y, fmt::format("{}", sector), context_.caption(), Role::Ink2, to - from,
                        Anchor::Middle);
      at = end;
    }
  }
};

}  // namespace

Scene memory_panel(const PanelContext& context, float width, float height, bool tabbed) {
  Scene scene;
  scene.width = width, scene.height = height;
  Mark pane;
  pane.kind = MarkKind::Pane;
  pane.command = "memory";
  scene.begin_mark(pane);
  scene.rect({0, 0, width, height}, Role::Canvas);
  scene.end_mark();
  scene.line({0, context.scale / 2}, {width, context.scale / 2}, context.divider());
  const float left = context.px(memory_pad), right = width - context.px(memory_pad);
  const Subject subject = subject_of(context);
  std::string what;
  if (subject.buffer >= 0) {
    const BufferInfo& buffer = context.info().buffers[static_cast<std::size_t>(subject.buffer)];
    what = fmt::format(
        "{0} {1}[{2}]{5}{3}{5}{4}", traits(buffer.type).name, buffer.name, buffer.count,
        buffer.space == Space::Local ? say("local, {} {}", group_word(context.info()), subject.group)
                                     : std::string(word_of(buffer.space)),
        context.now || context.info().steps == 0 ? tr("as it stands now") : tr("before the first launch"), tr(", "));
  }
  float index_y = context.px(64);
  if (tabbed) {
    const char* title = cuda_words(context.info()) ? tr("Threads") : tr("Work-items");
    const float end =
        tabs(context, scene, left, context.scale, context.px(28), Command::ShowLanesTab, {title, tr("Memory")}, 1);
    label(scene, right, context.px(15), what, context.caption(), Role::Ink2, right - end, Anchor::End);
    index_y = context.px(44);
  } else {
    const Font strong = context.ui(Weight::SemiBold);
    label(scene, left, context.px(19), tr("Memory"), strong, Role::Ink, right - left);
    const float x = left + text_width(strong, tr("Memory")) + context.px(9);
    label(scene, x, context.px(19), what, context.caption(), Role::Ink2, right - x);
  }
  if (subject.buffer < 0 || context.info().buffers[static_cast<std::size_t>(subject.buffer)].count == 0) {
    label(scene, left, index_y, tr("This trace names no buffer."), context.caption(), Role::Ink2, right - left);
    return scene;
  }
  Lane(context, scene, subject, left + context.px(label_column), right, index_y)
      .draw(height > context.px(170), tabbed ? 0 : height - context.px(212));
  if (!tabbed) {
    const std::vector<std::string> lines = wrap(context.caption(), access_text(context, subject), right - left);
    constexpr float line_pitch = 15;
    float y = height - context.px(lines.size() > 1 ? 10 + line_pitch : 16);
    for (std::size_t n = 0; n < std::min<std::size_t>(lines.size(), 2); ++n, y += context.px(line_pitch))
      label(scene, left, y, lines[n], context.caption(), Role::Ink2, right - left);
  }
  return scene;
}

}  // namespace twiddle
