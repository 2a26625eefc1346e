// One table of a plan file, read with the line in every complaint.
#pragma once

#include "base/error.h"
#include "kernels/plan/expression.h"

#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// A text as TOML writes it, in quotes.
std::string in_quotes(std::string_view text);
/// ["a", "b"]
std::string quotes_list(const std::vector<std::string>& words);

/// One table of the file. Every complaint is "FILE, line N: …"; an Error thrown while a value is understood gets the line too.
/// Where a number is asked for, a text is an expression of `names`.
class Section {
 public:
  /// Throws Error (usage) for a key that is not among `keys`, with the nearest of them.
  Section(const toml::table& table, std::string file, std::string what, std::vector<std::string> keys,
          const ExpressionNames& names);

  const ExpressionNames& names() const { return names_; }
  bool has(std::string_view key) const { return table_.contains(key); }
  const toml::node* node(std::string_view key) const { return table_.get(key); }

  std::string text(std::string_view key) const { return as_text(needed(key), key); }
  std::string text(std::string_view key, std::string_view otherwise) const {
    return has(key) ? text(key) : std::string(otherwise);
  }
  std::uint64_t number(std::string_view key, std::uint64_t min, std::uint64_t max) const {
    return as_number(needed(key), key, min, max);
  }
  std::uint64_t number(std::string_view key, std::uint64_t min, std::uint64_t max, std::uint64_t otherwise) const {
    return has(key) ? number(key, min, max) : otherwise;
  }
  /// A whole number of either sign, as of a condition.
  std::int64_t number_of_any_sign(std::string_view key) const;
  /// Any finite number.
  double real(std::string_view key) const;
  bool flag(std::string_view key) const;
  /// A list of numbers; where `or_one`, a number by itself is a list of one.
  std::vector<std::uint64_t> numbers(std::string_view key, std::uint64_t min, std::uint64_t max,
                                     bool or_one = false) const;
  /// A list of texts, or nothing; where `or_one`, a text by itself is a list of one.
  std::vector<std::string> texts(std::string_view key, bool or_one = false) const;

  /// Runs `action`; an Error (usage) in it is reported with the key's line.
  template <typename Action>
  auto at(std::string_view key, Action action) const {
    try {
      return action();
    } catch (const Error& error) { throw complaint(table_.get(key), "{}", error.message()); }
  }

  template <typename... Args>
  Error complaint(const toml::node* node, fmt::format_string<Args...> format, const Args&... args) const {
    const toml::source_position where = node ? node->source().begin : table_.source().begin;
    const Message sentence(format, args...);
    if (where.line == 0) return usage_error("{}: {}", file_, sentence);
    return usage_error("{}, line {}: {}", file_, where.line, sentence);
  }

 private:
  const toml::node& needed(std::string_view key) const;
  const toml::array& list(std::string_view key) const;
  std::string as_text(const toml::node& node, std::string_view key) const;
  std::uint64_t as_number(const toml::node& node, std::string_view key, std::uint64_t min, std::uint64_t max) const;
  Error wrong_type(const toml::node& node, std::string_view key, const Message& expected) const;

  const toml::table& table_;
  std::string file_, what_;
  const ExpressionNames& names_;
};

/// The tables of a [[key]] list, each handed to `each` with what to call it: "launch 2". `number` is counted on.
template <typename Each>
void for_each_table(const toml::table& root, const Section& top, std::string_view key, std::size_t& number, Each each) {
  const toml::node* node = root.get(key);
  if (!node) return;
  const toml::array* list = node->as_array();
  if (!list) throw top.complaint(node, "write [[{}]], once for each", key);
  for (const toml::node& item : *list) {
    const toml::table* table = item.as_table();
    if (!table) throw top.complaint(&item, "write [[{}]], once for each", key);
    each(*table, fmt::format("{} {}", key, ++number));
  }
}

/// Throws Error (usage) where a file that a plan names is not in the plan's folder.
void check_inside(const Section& section, std::string_view key, const std::filesystem::path& directory,
                  const std::filesystem::path& file);

}  // namespace twiddle
