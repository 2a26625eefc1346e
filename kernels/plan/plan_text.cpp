#include "kernels/plan/plan_text.h"

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/text.h"
#include "kernels/signal/signal.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace twiddle {
namespace {

constexpr std::size_t max_local_bytes = std::size_t(1) << 30;
constexpr std::int64_t max_table_points = std::int64_t(1) << 40;

struct ContentWord {
  std::string_view word;
  Content::Kind kind;
};

constexpr ContentWord content_words[] = {
    {"signal", Content::Kind::Signal},
    {"zero", Content::Kind::Zero},
    {"uninitialised", Content::Kind::Uninitialised},
    {"iota", Content::Kind::Iota},
    {"values", Content::Kind::Values},
    {"file", Content::Kind::File},
    {"twiddles", Content::Kind::Twiddles},
    {"radix4-twiddles", Content::Kind::TwiddlesRadix4},
};

// The words of contents, for "did you mean".
std::vector<std::string> names_of_contents() {
  std::vector<std::string> names;
  for (const ContentWord& entry : content_words) names.emplace_back(entry.word);
  return names;
}

// The text before the first `mark`; `text` keeps what follows it, or nothing.
std::string_view take_until(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  const std::string_view first = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return first;
}

// One component as text, and back. A whole number or a floating-point one as short as it can be read back the same.
std::string number_in_plan(ElementType type, const std::byte* bits) {
  if (traits(type).scalar == ElementType::Half) return fmt::format("{}", static_cast<float>(component(type, bits, 0)));
  return with_component_type(type, [&]<typename T>() {
    T value;
    std::memcpy(&value, bits, sizeof value);
    if constexpr (sizeof(T) == 1)
      return fmt::format("{}", static_cast<int>(value));
    else
      return fmt::format("{}", value);
  });
}

bool read_component(ElementType type, std::string_view text, std::byte* bits) {
  if (traits(type).scalar == ElementType::Half) {
    const auto value = number_in<double>(text);
    if (value) set_component(type, bits, 0, *value);
    return value.has_value();
  }
  return with_component_type(type, [&]<typename T>() {
    const auto value = number_in<T>(text);
    if (value) std::memcpy(bits, &*value, sizeof *value);
    return value.has_value();
  });
}

// "float" of float and float2.
std::string_view component_name(ElementType type) { return traits(traits(type).scalar).name; }

// One component of a scalar: a number as it is, else an expression.
void parse_component(ElementType type, std::string_view part, const ExpressionNames& names, std::byte* bits) {
  if (read_component(type, part, bits)) return;
  const ElementTraits& make = traits(type);
  const std::string_view digits = part.substr(part.starts_with('-') ? 1 : 0);
  if (part.empty() || digits.find_first_not_of("0123456789.") == std::string_view::npos)
    throw usage_error("\"{}\" is no {}: write {}:VALUE", part, component_name(type), component_name(type));
  if (make.floating) return set_component(type, bits, 0, real_value(part, names));
  const std::int64_t value = whole_value(part, names);
  if (value < lowest_of(type) || value > highest_of(type))
    throw usage_error("\"{}\" is {}, which is no {}", part, value, component_name(type));
  set_whole(type, bits, 0, value);
}

constexpr std::string_view null_pointer = "null";

ScalarArgument parse_scalar(ElementType type, std::string_view text, const ExpressionNames& names) {
  ScalarArgument argument{type, {}};
  const ElementTraits& make = traits(type);
  const std::size_t width = component_bytes_of(type);
  const std::vector<std::string_view> parts = split_outside(text, ",");
  const Message form = make.components == 1 ? Message("write {}:VALUE", make.name)
                       : make.components == 2
                           ? Message("write {}:X,Y", make.name)
                           : Message("write {}: and {} values with commas between", make.name, make.components);
  if (parts.size() != static_cast<std::size_t>(make.components))
    throw usage_error("\"{}\" is no {}: {}", text, make.name, form);
  for (std::size_t which = 0; which < parts.size(); ++which)
    parse_component(type, parts[which], names, argument.bits.data() + which * width);
  return argument;
}

std::string scalar_or_null(const ScalarArgument& scalar) {
  return scalar.null_pointer ? std::string(null_pointer) : twiddle::scalar_text(scalar.type, scalar.bits);
}

// "buffer:x,int:4,float2:1,0": a member begins where "buffer" or a type's name and a colon are.
StructArgument parse_struct(const Plan& plan, std::string_view text, const ExpressionNames& names) {
  StructArgument argument;
  std::vector<std::pair<std::optional<ElementType>, std::string>> members;  // no type: a buffer
  for (const std::string_view part : split_outside(text, ",")) {
    const std::size_t colon = part.find(':');
    const std::string_view word = colon == std::string_view::npos ? std::string_view() : part.substr(0, colon);
    const std::optional<ElementType> type = word.empty() ? std::nullopt : element_type_named(word);
    if (type || word == "buffer")
      members.emplace_back(type, part.substr(colon + 1));
    else if (members.empty())
      throw usage_error("\"{}\" is no struct: write struct:int:4,float:2.5", text);
    else
      members.back().second += "," + std::string(part);
  }
  for (const auto& [type, value] : members) {
    if (type)
      argument.members.emplace_back(parse_scalar(*type, value, names));
    else
      argument.members.emplace_back(BufferArgument{parse_buffer(plan, value, names)});
  }
  if (const std::size_t bytes = bytes_of(argument).size(); bytes > max_argument_bytes)
    throw usage_error("a struct has at most {} bytes, and this one {}", max_argument_bytes, bytes);
  return argument;
}

constexpr std::array<std::string_view, 5> outside_words{"undefined", "border", "edge", "repeat", "mirror"};

std::string sampler_text(const SamplerArgument& sampler) {
  return fmt::format("sampler:{},{}{}", sampler.linear ? "linear" : "nearest",
                     outside_words[static_cast<std::size_t>(sampler.outside)], sampler.normalised ? ",normalised" : "");
}

SamplerArgument parse_sampler(std::string_view text) {
  SamplerArgument sampler;
  for (const std::string_view word : split_outside(text, ",")) {
    const auto found = std::find(outside_words.begin(), outside_words.end(), word);
    if (found != outside_words.end())
      sampler.outside = static_cast<SamplerArgument::Outside>(found - outside_words.begin());
    else if (word == "linear" || word == "nearest")
      sampler.linear = word == "linear";
    else if (word == "normalised")
      sampler.normalised = true;
    else
      throw usage_error(
          "\"{}\" says nothing of a sampler: write sampler:nearest or linear, undefined, border, edge, repeat or "
          "mirror, and normalised",
          word);
  }
  // OpenCL's own rule.
  if (!sampler.normalised && sampler.outside >= SamplerArgument::Outside::Repeat)
    throw usage_error("a sampler repeats or mirrors normalised coordinates alone: write sampler:{},normalised", text);
  return sampler;
}

std::vector<double> parse_values(std::string_view text, const ExpressionNames& names) {
  std::vector<double> values;
  for (std::string_view part : split_outside(text, ",")) {
    const auto value = number_in<double>(part);
    values.push_back(value ? *value : real_value(part, names));
  }
  return values;
}

}  // namespace

std::string scalar_text(ElementType type, std::span<const std::byte> bytes) {
  std::string text(traits(type).name);
  for (int which = 0; which < traits(type).components; ++which)
    text += (which == 0 ? ":" : ",") +
            number_in_plan(type, bytes.data() + static_cast<std::size_t>(which) * component_bytes_of(type));
  return text;
}

std::string content_text(const Content& content) {
  std::string text;
  for (const ContentWord& entry : content_words)
    if (entry.kind == content.kind) text = entry.word;
  if (content.kind == Content::Kind::File) return text + ":" + content.file;
  if (content.kind == Content::Kind::Signal && !content.signal.empty()) return text + ":" + content.signal;
  if (content.kind == Content::Kind::Values) return fmt::format("{}:{}", text, fmt::join(content.values, ","));
  if (content.kind != Content::Kind::Twiddles && content.kind != Content::Kind::TwiddlesRadix4) return text;
  return fmt::format("{}:{}{}", text, content.points, content.sign > 0 ? ":backward" : "");
}

Content parse_content(std::string_view text, const ExpressionNames& names) {
  std::string_view rest = text;
  const std::string_view word = take_until(rest, ':');
  Content content;
  bool known = false;
  for (const ContentWord& entry : content_words) {
    if (entry.word != word) continue;
    content.kind = entry.kind;
    known = true;
  }
  if (!known) throw usage_error("no content is called \"{}\"{}", word, did_you_mean(word, names_of_contents()));
  switch (content.kind) {
    case Content::Kind::File:
      if (rest.empty()) throw usage_error("\"{}\" names no file: write file:data.csv", text);
      content.file = rest;
      break;
    case Content::Kind::Twiddles:
    case Content::Kind::TwiddlesRadix4: {
      const std::string_view points = take_until(rest, ':');
      const std::int64_t count = points.empty() ? 0 : whole_value(points, names);
      if (count < 1 || count > max_table_points)
        throw usage_error("\"{}\" does not say for how many points the table is: write {}:8", text, word);
      content.points = static_cast<std::uint64_t>(count);
      if (!rest.empty()) content.sign = parse_sign(rest);
      break;
    }
    case Content::Kind::Signal:
      if (word.size() == text.size()) break;
      content.signal = rest;
      parse_signal(content.signal);
      break;
    case Content::Kind::Values: content.values = parse_values(rest, names); break;
    default:
      if (word.size() != text.size()) throw usage_error("\"{}\": nothing may follow {}", text, word);
      break;
  }
  return content;
}

std::string argument_text(const Plan& plan, const Argument& argument) {
  if (const auto* buffer = std::get_if<BufferArgument>(&argument); buffer && buffer->boxes)
    return fmt::format("boxes:{}:{}:{}:{}", plan.buffers.at(buffer->buffer).name, buffer->boxes->pitch,
                       buffer->boxes->columns, buffer->boxes->rows);
  if (const auto* buffer = std::get_if<BufferArgument>(&argument))
    return (buffer->image ? "image:" : "") + plan.buffers.at(buffer->buffer).name;
  if (const auto* local = std::get_if<LocalArgument>(&argument)) return fmt::format("local:{}", local->bytes);
  if (const auto* sampler = std::get_if<SamplerArgument>(&argument)) return sampler_text(*sampler);
  if (const auto* members = std::get_if<StructArgument>(&argument)) {
    std::string text = "struct:";
    for (const StructArgument::Member& member : members->members) {
      if (&member != members->members.data()) text += ",";
      const auto* scalar = std::get_if<ScalarArgument>(&member);
      text +=
          scalar ? scalar_or_null(*scalar) : "buffer:" + plan.buffers.at(std::get<BufferArgument>(member).buffer).name;
    }
    return text;
  }
  return scalar_or_null(std::get<ScalarArgument>(argument));
}

std::size_t parse_buffer(const Plan& plan, std::string_view text, const ExpressionNames& names) {
  if (const std::vector<std::string_view> asked = split_outside(text, "?"); asked.size() > 1) {
    const std::string_view rest = text.substr(text.find(asked[1], asked[0].size()));
    const std::vector<std::string_view> ways = split_outside(rest, ":");
    if (asked.size() != 2 || ways.size() != 2)
      throw usage_error("\"{}\" does not choose between two buffers: write CONDITION ? a : b", text);
    return parse_buffer(plan, whole_value(asked[0], names) != 0 ? ways[0] : ways[1], names);
  }
  if (const std::optional<std::size_t> found = plan.buffer_index(text)) return *found;
  std::vector<std::string> all;
  for (const Buffer& buffer : plan.buffers) all.push_back(buffer.name);
  throw usage_error("there is no buffer \"{}\"{}", text, did_you_mean(text, all));
}

namespace {

constexpr std::int64_t max_box_side = 256;

// "F:4096:4:256": a buffer, the elements of a row, and the columns and rows of a box.
BufferArgument parse_boxes(const Plan& plan, std::string_view text, const ExpressionNames& names) {
  const std::vector<std::string_view> parts = split_outside(text, ":");
  if (parts.size() != 4)
    throw usage_error("\"boxes:{}\" is no copy by boxes: write boxes:BUFFER:ELEMENTS OF A ROW:COLUMNS:ROWS", text);
  const std::size_t buffer = parse_buffer(plan, parts[0], names);
  const std::int64_t pitch = whole_value(parts[1], names), columns = whole_value(parts[2], names),
                     rows = whole_value(parts[3], names);
  const auto bytes = static_cast<std::int64_t>(traits(plan.buffers[buffer].type).bytes);
  const auto count = static_cast<std::int64_t>(plan.buffers[buffer].count);
  if ((bytes != 8 && bytes != 16) || columns < 1 || columns > max_box_side || rows < 1 || rows > max_box_side ||
      columns * bytes / 8 > max_box_side || columns * bytes % 16 != 0 || pitch < columns || pitch > count ||
      count % pitch != 0 || pitch * bytes % 16 != 0)
    throw usage_error(
        "\"boxes:{}\": elements are of 8 or 16 bytes, a row's and a box's columns multiples of 16 bytes, a box at most "
        "256 rows and 2048 bytes wide, and a row no shorter than a box; the buffer has whole rows",
        text);
  return {.buffer = buffer,
          .boxes = Boxes{static_cast<std::uint64_t>(pitch), static_cast<std::uint32_t>(columns),
                         static_cast<std::uint32_t>(rows)}};
}

}  // namespace

Argument parse_argument(const Plan& plan, std::string_view text, const ExpressionNames& names) {
  if (text == null_pointer && std::none_of(plan.buffers.begin(), plan.buffers.end(),
                                           [](const Buffer& buffer) { return buffer.name == null_pointer; }))
    return ScalarArgument{ElementType::ULong, {}, true};
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || text.substr(0, colon).find('?') != std::string_view::npos)
    return BufferArgument{parse_buffer(plan, text, names)};
  const std::string_view type = text.substr(0, colon), value = text.substr(colon + 1);
  if (type == "local") {
    std::uint64_t bytes = 0;
    if (!value.empty() && value.find_first_not_of("0123456789") != std::string_view::npos) {
      const std::int64_t computed = whole_value(value, names);
      bytes = computed < 0 ? 0 : static_cast<std::uint64_t>(computed);
    } else {
      bytes = number_in<std::uint64_t>(value).value_or(0);
    }
    if (bytes == 0 || bytes > max_local_bytes)
      throw usage_error("\"{}\" is no size of local memory: write local:BYTES", text);
    return LocalArgument{static_cast<std::size_t>(bytes)};
  }
  if (type == "image") {
    const std::size_t buffer = parse_buffer(plan, value, names);
    check_texel(plan.buffers[buffer].type);
    return BufferArgument{buffer, true};
  }
  if (type == "boxes") return parse_boxes(plan, value, names);
  if (type == "struct") return parse_struct(plan, value, names);
  if (type == "sampler") return parse_sampler(value);
  const std::optional<ElementType> scalar = type == "size_t" ? ElementType::ULong : element_type_named(type);
  if (scalar) return parse_scalar(*scalar, value, names);
  throw usage_error("\"{}\" is no argument: write a buffer's name, TYPE:VALUE or local:BYTES", text);
}

Expect::Transform parse_transform(std::string_view text) {
  // None is no word of a plan file.
  if (const auto found = transform_named(text); found && *found != Expect::Transform::None) return *found;
  std::vector<std::string> names;
  for (std::size_t t = 1; t < transforms.size(); ++t) names.emplace_back(transforms[t].name);
  throw usage_error(
      "no transform is called \"{}\"{}", text,
      did_you_mean(text, names, Message("; {} can be expected", fmt::format("{}", fmt::join(names, ", ")))));
}

void check_texel(ElementType type) {
  const ElementTraits& make = traits(type);
  const bool channels = make.components == 1 || make.components == 2 || make.components == 4;
  if (!channels || make.wide)
    throw usage_error("images of {} cannot be made: texels have 1, 2 or 4 channels of 8, 16 or 32 bits", make.name);
}

std::string_view mode_text(Expect::Mode mode) {
  return mode == Expect::Mode::Same ? "same" : mode == Expect::Mode::Full ? "full" : "circular";
}

Expect::Mode parse_mode(std::string_view text) {
  for (const Expect::Mode mode : {Expect::Mode::Same, Expect::Mode::Full, Expect::Mode::Circular})
    if (mode_text(mode) == text) return mode;
  throw usage_error("a convolution's mode is same, full or circular, not \"{}\"", text);
}

std::string_view scan_kind_text(bool exclusive) { return exclusive ? "exclusive" : "inclusive"; }

bool parse_scan_kind(std::string_view text) {
  if (text == "inclusive") return false;
  if (text == "exclusive") return true;
  throw usage_error("a scan is inclusive or exclusive, not \"{}\"", text);
}

std::string_view sign_text(int sign) { return sign > 0 ? "backward" : "forward"; }

int parse_sign(std::string_view text) {
  if (text == "forward") return -1;
  if (text == "backward") return 1;
  throw usage_error("a sign is forward or backward, not \"{}\"", text);
}

}  // namespace twiddle
