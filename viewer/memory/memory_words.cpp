#include "viewer/memory/memory_words.h"

#include "base/counted.h"
#include "base/message.h"
#include "tracer/cost/sub_group.h"
#include "viewer/memory/memory_regions.h"
#include "viewer/scene/diagram_parts.h"
#include "viewer/scene/languages.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/twiddle_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace twiddle {
namespace {

constexpr float words_line_height = 1.28f;      // of the type
constexpr float value_pad = 8, writer_pad = 4;  // both sides together
constexpr float narrow_cell = 30, narrow_pad = 2;
constexpr float named_height = 70, named_width = 80, name_height = 18;

/// How often the banks are asked, and the degree of the worst conflict as checks call it.
std::string passes_text(const BankCost& cost) {
  const std::string passes = plural(static_cast<std::uint64_t>(cost.passes()), "{} pass", "{} passes");
  return cost.degree() > 1 ? tr("{}, {} at best: degree {}", passes, cost.min_passes(), cost.degree())
                           : tr("{}, no bank conflict", passes);
}

std::string part_text(std::uint64_t used, std::uint64_t fetched) {
  if (used >= fetched) return tr("all");
  if (used * 2 == fetched) return tr("half");
  if (used * 4 == fetched) return tr("a quarter");
  return tr("{} of {} bytes", count_text(used), count_text(fetched));
}

}  // namespace

std::string cost_text(const RequestCost& cost, bool local) {
  if (local) return passes_text(cost.banks);
  return tr("{}, {} of {} bytes used",
            plural(static_cast<std::uint64_t>(cost.sectors.size()), "{} sector", "{} sectors"), cost.bytes,
            cost.fetched());
}

std::string cost_text(const TraceInfo& info, const Operation& now, const std::vector<Operation>& request, int buffer) {
  if (is_registers(info.buffers[buffer])) return {};  // they cost nothing
  const bool local = info.buffers[buffer].space == Space::Local;
  std::vector<std::pair<std::string, std::string>> said;  // accesses that cost the same are named together
  const auto add = [&](int which, bool write) {
    const auto& list = write ? now.writes : now.reads;
    if (list[which].buffer != buffer) return;
    const RequestCost cost = cost_of(info, request, buffer, which, write);
    if (cost.lanes == 0) return;
    const std::string what = write             ? list.size() > 1 ? tr("write {}", which + 1) : tr("write")
                                         : list.size() > 1 ? tr("read {}", input_name(which))
                                               : tr("read");
    const std::string costs = cost_text(cost, local);
    if (!said.empty() && said.back().second == costs)
      said.back().first = listed(said.back().first, what);
    else
      said.emplace_back(what, costs);
  };
  for (int i = 0; i < now.reads.size(); ++i) add(i, false);
  for (int i = 0; i < now.writes.size(); ++i) add(i, true);
  std::string text;
  for (const auto& [what, costs] : said) {
    const std::string one = tr("{0}: {1}", what, costs);  // with the language's colon
    text = text.empty() ? one : tr("{0}; {1}", text, one);
  }
  return text;
}

std::string access_text(const TraceInfo& info, const Operation& now, const std::vector<Operation>& request,
                        int buffer) {
  const auto here = [&](const Access& access) { return access.buffer == buffer; };
  if (now.reads.empty() || now.reads[0].buffer < 0 ||
      (std::none_of(now.reads.begin(), now.reads.end(), here) &&
       std::none_of(now.writes.begin(), now.writes.end(), here)))
    return {};
  const int from = now.reads[0].buffer;
  const BufferInfo& source = info.buffers[from];
  std::string text;
  const auto add = [&](const std::string& sentence) {
    // Sentences of Japanese and Chinese end in a full stop as wide as a letter, and no space follows it.
    if (!text.empty() && current_language() == Language::English) text += ' ';
    text += sentence;
  };
  if (now.stride() > 0)
    add(tr("Stride {} = {} bytes.", count_text(now.stride()), count_text(now.stride() * traits(source.type).bytes)));
  const bool pair = now.kind == OperationKind::Butterfly && now.reads.size() > 1;
  const std::string first = element_text(info, now.reads[0]);
  if (from != buffer)
    add(pair ? tr("Read from {} and {}.", first, element_text(info, now.reads[1])) : tr("Read from {}.", first));
  if (source.space != Space::Global || !pair || now.reads.size() != 2 || now.reads[1].buffer != from) return text;
  const RequestCost a = cost_of(info, request, from, 0, false), b = cost_of(info, request, from, 1, false);
  if (a.lanes == 0 || b.lanes == 0) return text;
  if (a.bytes == a.fetched() && b.bytes == b.fetched())
    add(tr("Both loads use whole sectors."));
  else if (std::equal(a.sectors.begin(), a.sectors.end(), b.sectors.begin(), b.sectors.end()) &&
           a.bytes * 2 == a.fetched() && b.bytes * 2 == b.fetched())
    add(tr("Load a uses half of each sector, load b the other half."));
  else
    add(tr("Load a uses {} of what it fetches, load b {}.", part_text(a.bytes, a.fetched()),
           part_text(b.bytes, b.fetched())));
  return text;
}

ElementWords::ElementWords(const ViewFrame& frame, const BufferInfo& buffer,
                           const std::map<std::uint64_t, LastTouch>& writers, float width, float height)
    : buffer_(buffer), font_(frame.mono(element_type_size(width / frame.scale, height / frame.scale))) {
  named_ = height >= frame.px(named_height) && width >= frame.px(named_width);
  value_room_ = width - frame.px(width < frame.px(narrow_cell) ? narrow_pad : value_pad);
  lines_ = static_cast<int>((height - name_room(frame) - frame.px(6)) / (font_.size * words_line_height));
  may_split_ = traits(buffer.type).components > 1 && lines_ > 1;
  float item = 0, launch = buffer.initialised ? text_width(font_, tr("input")) : 0;
  for (const auto& [index, touch] : writers) {
    item = std::max(item, text_width(font_, fmt::format("I{}", touch.item)));
    launch = std::max(launch, text_width(font_, fmt::format("L{}.I{}", touch.launch, touch.item)));
  }
  const float room = width - frame.px(writer_pad);
  who_ = launch <= room ? Who::Launch : item <= room ? Who::Item : Who::None;
}

void ElementWords::make_room_for(const Value& value) {
  split_ = split_ || (may_split_ && text_width(font_, value_text(value, 4)) > value_room_);
}

std::vector<std::string> ElementWords::value_lines(const Value& value) const {
  if (!split_) {
    std::string whole = fitting_value_text(font_, value, 4, value_room_);
    return whole.empty() ? std::vector<std::string>() : std::vector{std::move(whole)};
  }
  for (int digits = 4; digits > 0; --digits) {
    std::vector<std::string> parts = value_parts(value, digits);
    const auto fits = [&](const std::string& part) { return text_width(font_, part) <= value_room_; };
    if (std::all_of(parts.begin(), parts.end(), fits)) return parts;
  }
  return {};  // half a value is none
}

float ElementWords::name_room(const ViewFrame& frame) const { return named_ ? frame.px(name_height) : 0; }

std::string ElementWords::writer_text(const LastTouch* writer) const {
  if (who_ == Who::None) return {};
  if (!writer) return buffer_.initialised && who_ == Who::Launch ? tr("input") : "";
  return who_ == Who::Launch ? fmt::format("L{}.I{}", writer->launch, writer->item) : fmt::format("I{}", writer->item);
}

bool ElementWords::draw(ViewFrame& frame, std::uint64_t index, const Box& box, const Value* value,
                        const LastTouch* writer, Role ink) const {
  const Role soft = ink == Role::OnNow ? ink : Role::Ink2;
  if (named_)
    frame.text(box.x + frame.px(6), box.y + frame.px(12), fmt::format("{}[{}]", buffer_.name, index), frame.mono(11),
               soft, box.w - frame.px(18));
  const float top = name_room(frame), line = font_.size * words_line_height;
  std::vector<std::string> said;
  if (value && lines_ > 0) said = value_lines(*value);
  // A blank cell would say that nothing is known of it.
  const bool left_out = value && lines_ > 0 && said.empty() && text_width(font_, "…") < box.w;
  if (left_out) said.emplace_back("…");
  const std::size_t values = said.size();
  if (static_cast<int>(values) < lines_)
    if (std::string by = writer_text(writer); !by.empty()) said.push_back(std::move(by));
  float y = box.centre().y + top / 2 + line / 2 - line * static_cast<float>(said.size()) / 2;
  for (std::size_t n = 0; n < said.size(); ++n, y += line)
    frame.text(box.centre().x, y, said[n], font_, n < values ? ink : soft, box.w, Anchor::Middle);
  return left_out;
}

}  // namespace twiddle
