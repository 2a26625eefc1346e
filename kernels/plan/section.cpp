#include "kernels/plan/section.h"

#include "base/did_you_mean.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <system_error>

namespace twiddle {
namespace {

Message kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string: return Message("text");
    case toml::node_type::integer: return Message("a whole number");
    case toml::node_type::floating_point: return Message("a number");
    case toml::node_type::boolean: return Message("true or false");
    case toml::node_type::array: return Message("a list");
    case toml::node_type::table: return Message("a table");
    default: return Message("a date or a time");
  }
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string quotes_list(const std::vector<std::string>& words) {
  std::vector<std::string> parts;
  for (const std::string& word : words) parts.push_back(in_quotes(word));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

Section::Section(const toml::table& table, std::string file, std::string what, std::vector<std::string> keys,
                 const ExpressionNames& names)
    : table_(table), file_(std::move(file)), what_(std::move(what)), names_(names) {
  for (const auto& [key, value] : table_) {
    const std::string name(key.str());
    if (std::find(keys.begin(), keys.end(), name) == keys.end())
      throw complaint(&value, "{} has no key {}{}", what_, in_quotes(name), did_you_mean(name, keys));
  }
}

std::int64_t Section::number_of_any_sign(std::string_view key) const {
  const toml::node& node = needed(key);
  if (node.is_boolean()) return *node.value<bool>() ? 1 : 0;
  if (node.is_integer()) return *node.value<std::int64_t>();
  return at(key, [&] { return whole_value(as_text(node, key), names_); });
}

double Section::real(std::string_view key) const {
  const toml::node& node = needed(key);
  if (node.is_string()) return at(key, [&] { return real_value(*node.value<std::string>(), names_); });
  const std::optional<double> value = node.value<double>();
  if (!value || !(node.is_floating_point() || node.is_integer())) throw wrong_type(node, key, Message("a number"));
  if (!std::isfinite(*value)) throw complaint(&node, "{} must be a finite number", key);
  return *value;
}

bool Section::flag(std::string_view key) const {
  if (!has(key)) return false;
  const toml::node& node = needed(key);
  if (!node.is_boolean()) throw wrong_type(node, key, Message("true or false"));
  return *node.value<bool>();
}

std::vector<std::uint64_t> Section::numbers(std::string_view key, std::uint64_t min, std::uint64_t max,
                                            bool or_one) const {
  if (or_one && !needed(key).is_array()) return {number(key, min, max)};
  std::vector<std::uint64_t> values;
  for (const toml::node& item : list(key)) values.push_back(as_number(item, key, min, max));
  return values;
}

std::vector<std::string> Section::texts(std::string_view key, bool or_one) const {
  std::vector<std::string> values;
  if (!has(key)) return values;
  if (or_one && needed(key).is_string()) return {text(key)};
  for (const toml::node& item : list(key)) values.push_back(as_text(item, key));
  return values;
}

const toml::node& Section::needed(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (!node) throw complaint(nullptr, "{} needs {}", what_, key);
  return *node;
}

const toml::array& Section::list(std::string_view key) const {
  const toml::node& node = needed(key);
  if (!node.is_array()) throw wrong_type(node, key, Message("a list"));
  return *node.as_array();
}

std::string Section::as_text(const toml::node& node, std::string_view key) const {
  if (!node.is_string()) throw wrong_type(node, key, Message("text"));
  return *node.value<std::string>();
}

std::uint64_t Section::as_number(const toml::node& node, std::string_view key, std::uint64_t min,
                                 std::uint64_t max) const {
  std::int64_t value = 0;
  if (node.is_string()) {
    try {
      value = whole_value(*node.value<std::string>(), names_);
    } catch (const Error& error) { throw complaint(&node, "{} is {}", key, error.message()); }
  } else if (node.is_integer()) {
    value = *node.value<std::int64_t>();
  } else {
    throw wrong_type(node, key, Message("a whole number"));
  }
  if (value < 0 || static_cast<std::uint64_t>(value) < min || static_cast<std::uint64_t>(value) > max) {
    if (node.is_string())
      throw complaint(&node, "{} must be {} … {}, and {} is {}", key, min, max, in_quotes(*node.value<std::string>()),
                      value);
    throw complaint(&node, "{} must be {} … {}, not {}", key, min, max, value);
  }
  return static_cast<std::uint64_t>(value);
}

Error Section::wrong_type(const toml::node& node, std::string_view key, const Message& expected) const {
  return complaint(&node, "{} must be {}, not {}", key, expected, kind_of(node));
}

void check_inside(const Section& section, std::string_view key, const std::filesystem::path& directory,
                  const std::filesystem::path& file) {
  section.at(key, [&] {
    if (file.empty()) throw usage_error("{} must name a file", key);
    std::error_code error;
    const std::filesystem::path root = std::filesystem::weakly_canonical(directory, error);
    const std::filesystem::path whole = std::filesystem::weakly_canonical(directory / file, error);
    const auto [end, rest] = std::mismatch(root.begin(), root.end(), whole.begin(), whole.end());
    if (file.is_absolute() || error || end != root.end())
      throw usage_error("{} is outside of the plan's folder {}", file.string(), root.string());
  });
}

}  // namespace twiddle
