#include "kernels/plan/loop.h"

#include "base/did_you_mean.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace twiddle {
namespace {

constexpr std::uint64_t max_rounds = 1 << 20;  // of all loops of a launch together
constexpr std::size_t max_parameters = 1000;

// Parameters in any order: each is evaluated when the first expression asks for it.
class Parameters {
 public:
  Parameters(const toml::table& table, const Section& section, const PlanParameters& given, ExpressionNames& names)
      : table_(table), section_(section), given_(given), names_(names) {}

  void evaluate_all() {
    for (const auto& [key, node] : table_) evaluate(std::string(key.str()), node);
  }

 private:
  void evaluate(const std::string& name, const toml::node& node) {
    if (names_.contains(name)) return;
    if (!is_identifier(name))
      throw section_.complaint(&node, "{} is no name for a parameter: letters, digits and _", name);
    if (!open_.insert(name).second) throw section_.complaint(&node, "the parameter {} is defined by itself", name);
    const auto given = given_.find(name);
    if (given != given_.end())
      names_[name] = of_text(given->second, [&](const Message& why) { return usage_error("{} is {}", name, why); });
    else if (node.is_string())
      names_[name] = of_text(*node.value<std::string>(),
                             [&](const Message& why) { return section_.complaint(&node, "{} is {}", name, why); });
    else if (node.is_integer())
      names_[name] = *node.value<std::int64_t>();
    else if (node.is_floating_point() && std::isfinite(*node.value<double>()))
      names_[name] = *node.value<double>();
    else
      throw section_.complaint(&node, "{} must be a number or an expression", name);
    open_.erase(name);
  }

  template <typename Fail>
  std::variant<std::int64_t, double> of_text(const std::string& text, const Fail& fail) {
    // What it names comes first.
    for (const auto& [key, node] : table_)
      if (mentions(text, key.str())) evaluate(std::string(key.str()), node);
    try {
      return whole_value(text, names_);
    } catch (const Error& whole) {
      try {
        // A fraction is a value of its own; what is neither gets the sentence about whole numbers.
        return real_value(text, names_);
      } catch (const Error&) { throw fail(whole.message()); }
    }
  }

  static bool mentions(std::string_view text, std::string_view name) {
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
      const bool begins = at == 0 || !is_of_name(text[at - 1]);
      const std::size_t end = at + name.size();
      if (begins && (end == text.size() || !is_of_name(text[end]))) return true;
    }
    return false;
  }

  const toml::table& table_;
  const Section& section_;
  const PlanParameters& given_;
  ExpressionNames& names_;
  std::set<std::string> open_;
};

// "s in 1..log2(n)": the variable, and what it goes through.
struct Loop {
  std::string variable;
  std::string_view values;
};
Loop loop_of(std::string_view text) {
  const std::size_t in = text.find(" in ");
  const std::string_view variable = text.substr(0, in == std::string_view::npos ? 0 : text.find(' '));
  if (in == std::string_view::npos || !is_identifier(variable) ||
      text.substr(variable.size(), in - variable.size()).find_first_not_of(' ') != std::string_view::npos)
    throw usage_error("\"{}\" is no loop: write s in 1..log2(n), or s in 1,2,4", text);
  return {std::string(variable), text.substr(in + 4)};
}

// Appends what "1", "1..8" or "8..1 step -1" stands for.
void add_values(std::string_view text, const ExpressionNames& names, std::vector<std::int64_t>& values) {
  const std::size_t word = text.find(" step ");
  const std::vector<std::string_view> ends = split_outside(text.substr(0, word), "..");
  if (ends.size() > 2 || (ends.size() == 1 && word != std::string_view::npos))
    throw usage_error("\"{}\" is no range: write 1..log2(n), or n/2..1 step -1", text);
  const std::int64_t first = whole_value(ends[0], names);
  if (ends.size() == 1) return values.push_back(first);
  const std::int64_t last = whole_value(ends[1], names);
  const std::int64_t step = word == std::string_view::npos ? 1 : whole_value(text.substr(word + 6), names);
  if (step == 0) throw usage_error("\"{}\" never ends: its step is 0", text);
  for (std::int64_t value = first; step > 0 ? value <= last : value >= last;) {
    if (values.size() == max_rounds) throw usage_error("\"{}\" has more than {} values", text, max_rounds);
    values.push_back(value);
    if (__builtin_add_overflow(value, step, &value)) break;
  }
}

class Rounds {
 public:
  Rounds(const Section& section, const std::function<void(const ExpressionNames&)>& round)
      : loops_(section.texts("for", true)), section_(section), round_(round) {}

  void run(const ExpressionNames& names, std::size_t depth = 0) {
    if (depth == loops_.size()) {
      if (++rounds_ > max_rounds)
        throw section_.complaint(section_.node("for"), "these loops have more than {} rounds", max_rounds);
      return round_(names);
    }
    Loop loop;
    const std::vector<std::int64_t> values = section_.at("for", [&] {
      loop = loop_of(loops_[depth]);
      if (names.contains(loop.variable))
        throw usage_error("{} is a parameter or a loop's variable already: take another name", loop.variable);
      std::vector<std::int64_t> list;
      for (const std::string_view part : split_outside(loop.values, ",")) add_values(part, names, list);
      return list;
    });
    for (const std::int64_t value : values) {
      ExpressionNames inner = names;
      inner[loop.variable] = value;
      run(inner, depth + 1);
    }
  }

 private:
  const std::vector<std::string> loops_;
  const Section& section_;
  const std::function<void(const ExpressionNames&)>& round_;
  std::uint64_t rounds_ = 0;
};

}  // namespace

void read_parameters(const Section& top, const PlanParameters& given, ExpressionNames& names,
                     std::map<std::string, std::string>& shown) {
  static const toml::table none;
  const toml::node* node = top.node("parameters");
  if (node && !node->is_table()) throw top.complaint(node, "write [parameters], a table");
  const toml::table& table = node ? *node->as_table() : none;
  if (table.size() > max_parameters) throw top.complaint(node, "a plan has at most {} parameters", max_parameters);
  std::vector<std::string> known;
  for (const auto& entry : table) known.emplace_back(entry.first.str());
  for (const auto& [name, value] : given) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    if (known.empty())
      throw top.complaint(nullptr,
                          "the plan has no parameter {}: write it under [parameters] and use it in expressions", name);
    throw top.complaint(nullptr, "the plan has no parameter {}{}", name, nearest_name(name, known));
  }
  Parameters(table, top, given, names).evaluate_all();
  for (const auto& [name, value] : names)
    shown[name] = std::visit([](auto number) { return fmt::format("{}", number); }, value);
}

bool names_a_parameter(std::string_view text, const ExpressionNames& names) {
  try {
    whole_value(text, {});
    return false;  // a number as it is
  } catch (const Error&) {}
  try {
    whole_value(text, names);
    return true;
  } catch (const Error&) { return false; }
}

void each_round(const Section& section, const ExpressionNames& names,
                const std::function<void(const ExpressionNames&)>& round) {
  Rounds(section, round).run(names);
}

}  // namespace twiddle
