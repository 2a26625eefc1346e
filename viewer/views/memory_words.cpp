#include "viewer/views/memory_words.h"

#include "base/tr.h"
#include "viewer/views/memory_regions.h"
#include "viewer/words/twiddle_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace twiddle {
namespace {

constexpr float words_line_height = 1.28f;      // of the type
constexpr float value_pad = 8, writer_pad = 4;  // both sides together
constexpr float named_height = 70, named_width = 80, name_height = 18;

}  // namespace

ElementWords::ElementWords(const ViewFrame& frame, const BufferInfo& buffer,
                           const std::map<std::uint64_t, LastTouch>& writers, float width, float height)
    : buffer_(buffer), font_(frame.mono(element_type_size(width / frame.scale, height / frame.scale))) {
  named_ = height >= frame.px(named_height) && width >= frame.px(named_width);
  value_room_ = width - frame.px(value_pad);
  lines_ = static_cast<int>((height - name_room(frame) - frame.px(6)) / (font_.size * words_line_height));
  may_split_ = traits(buffer.type).components > 1 && lines_ > 1;
  float item = 0, launch = buffer.initialised ? text_width(font_, tr("input")) : 0;
  for (const auto& [index, touch] : writers) {
    item = std::max(item, text_width(font_, fmt::format("I{}", touch.item)));
    launch = std::max(launch, text_width(font_, fmt::format("L{}.I{}", touch.launch, touch.item)));
  }
  const float room = width - frame.px(writer_pad);
  who_ = launch <= room ? Who::Launch : item <= room ? Who::Item : Who::Nobody;
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
  if (who_ == Who::Nobody) return {};
  if (!writer) return buffer_.initialised && who_ == Who::Launch ? tr("input") : "";
  return who_ == Who::Launch ? fmt::format("L{}.I{}", writer->launch, writer->item) : fmt::format("I{}", writer->item);
}

void ElementWords::draw(ViewFrame& frame, std::uint64_t index, const Box& box, const Value* value,
                        const LastTouch* writer, Role ink) const {
  const Role soft = ink == Role::OnNow ? ink : Role::Ink2;
  if (named_)
    frame.text(box.x + frame.px(6), box.y + frame.px(12), fmt::format("{}[{}]", buffer_.name, index), frame.mono(11),
               soft, box.w - frame.px(18));
  const float top = name_room(frame), line = font_.size * words_line_height;
  std::vector<std::string> said;
  if (value && lines_ > 0) said = value_lines(*value);
  const std::size_t values = said.size();
  if (static_cast<int>(values) < lines_)
    if (std::string by = writer_text(writer); !by.empty()) said.push_back(std::move(by));
  float y = box.centre().y + top / 2 + line / 2 - line * static_cast<float>(said.size()) / 2;
  for (std::size_t n = 0; n < said.size(); ++n, y += line)
    frame.text(box.centre().x, y, said[n], font_, n < values ? ink : soft, box.w, Anchor::Middle);
}

}  // namespace twiddle
