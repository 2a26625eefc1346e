#include "tracer/log/device_log.h"

#include <algorithm>
#include <array>

namespace twiddle {

std::uint64_t LogLayout::lanes_within(std::size_t bytes, std::uint32_t slots, std::uint32_t words) {
  const std::uint64_t total = bytes / sizeof(std::uint32_t);
  if (total <= config) return 0;
  const std::uint64_t lanes = (total - config) / (1 + std::uint64_t(slots) * words);
  return lanes - lanes % (lanes >= lane_alignment ? lane_alignment : few_alignment);
}

std::uint32_t LogLayout::pitch_for(std::uint64_t lanes) {
  const std::uint64_t alignment = lanes >= lane_alignment ? lane_alignment : few_alignment;
  return static_cast<std::uint32_t>((lanes + alignment - 1) / alignment * alignment);
}

std::vector<std::uint32_t> log_config(const LogLayout& layout, std::uint64_t first, std::uint64_t items, int own_stage,
                                      const LogFilter& filter) {
  std::vector<std::uint32_t> words(LogLayout::config);
  constexpr std::uint64_t largest = 0xffffffff;
  words[0] = layout.slots;
  words[1] = static_cast<std::uint32_t>(first);
  words[2] = static_cast<std::uint32_t>(items);
  words[3] = layout.pitch;
  words[4] = layout.words;
  words[5] = std::min(filter.first_stage, 0xffffu) | std::min(filter.last_stage, 0xffffu) << 16;
  words[6] = static_cast<std::uint32_t>(std::min(filter.first_item, largest));
  words[7] = static_cast<std::uint32_t>(std::min(filter.last_item, largest));
  words[8] = static_cast<std::uint32_t>(own_stage);
  constexpr std::size_t bitmap = 64;
  if (filter.lines.empty()) std::fill(words.begin() + bitmap, words.end(), 0xffffffffu);
  for (const auto& [from, to] : filter.lines)
    for (int line = std::max(from, 0); line <= to && line < static_cast<int>(LogLayout::line_count); ++line)
      words[bitmap + static_cast<std::size_t>(line) / 32] |= 1u << (line % 32);
  return words;
}

std::optional<LogHeader> parse_header(std::uint32_t word) {
  LogHeader header;
  header.shape = static_cast<Shape>(word & 15u);
  if (header.shape == Shape::None) return std::nullopt;
  header.value_type = static_cast<ElementType>((word >> 4) & 7u);
  const std::array<ElementType, 4> coefficient{header.value_type, ElementType::Float, ElementType::UInt,
                                               ElementType::Double};
  header.coefficient_type = coefficient[(word >> 7) & 3u];
  header.stage = stage_of(word);
  header.line = static_cast<int>(word >> 17);
  return header;
}

std::uint32_t place_words(std::uint32_t& next, std::uint32_t words) {
  if (words > 1) next += next & 1;
  const std::uint32_t place = next;
  next += words;
  return place;
}

std::uint32_t slot_words(Shape shape, ElementType value, ElementType coefficient, Detail detail) {
  const ShapeTraits& parts = traits(shape);
  const auto words = [](ElementType type) { return static_cast<std::uint32_t>(traits(type).bytes / 4); };
  auto next = static_cast<std::uint32_t>(parts.index_words);
  for (int c = 0; c < parts.coefficients; ++c) place_words(next, words(coefficient));
  if (detail == Detail::Values)
    for (int v = 0; v < parts.reads + parts.writes; ++v) place_words(next, words(value));
  return 1 + next + (next & 1);
}

}  // namespace twiddle
