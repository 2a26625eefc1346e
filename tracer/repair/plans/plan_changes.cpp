#include "tracer/repair/plans/plan_changes.h"

#include "base/error.h"
#include "base/text.h"
#include "kernels/catalogue/catalogue.h"
#include "kernels/plan/expression.h"
#include "tracer/source/source.h"
#include "tracer/syntax/syntax.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

namespace fs = std::filesystem;

namespace twiddle {

bool computes_reference(const Plan& plan, const Launch& launch) {
  if (plan.expect.transform != Expect::Transform::Equals) return false;
  return std::any_of(launch.arguments.begin(), launch.arguments.end(), [&](const Argument& one) {
    const std::vector<std::size_t> buffers = buffers_of(one);
    return std::any_of(buffers.begin(), buffers.end(),
                       [&](std::size_t buffer) { return plan.buffers[buffer].name == plan.expect.operand; });
  });
}

namespace {

// A part of a list or a text alone: "int:n/2", 64.
struct Item {
  std::size_t begin = 0, size = 0;
  bool quoted = false;
};

class Changes {
 public:
  Changes(const Plan& plan, const std::string& text) : plan_(plan), text_(text) {}

  std::vector<PlanChange> run() {
    std::string table;
    for (std::size_t from = 0; from < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', from), text_.size());
      const std::string_view line = std::string_view(text_).substr(from, end - from);
      const std::size_t first = line.find_first_not_of(" \t");
      if (first != std::string_view::npos && line[first] == '[') {
        table = std::string(line.substr(first));
        if (table.starts_with("[[buffer")) begun_empty(end);
        if (table.starts_with("[[launch")) {
          if (!table.starts_with("[[launch.")) loop_ = {};  // what is repeated as a whole stays so
          note_launch(end);
        }
      }
      const std::size_t equals = line.find('=');
      if (first != std::string_view::npos && line[first] != '#' && line[first] != '[' &&
          equals != std::string_view::npos) {
        std::string key(line.substr(first, equals - first));
        key.erase(key.find_last_not_of(" \t") + 1);
        value(table, key, from + equals + 1, end);
      }
      from = end + 1;
    }
    return std::move(changes_);
  }

 private:
  std::vector<Item> items(std::size_t from, std::size_t end) const {
    std::vector<Item> found;
    for (std::size_t k = from; k < end;) {
      const char c = text_[k];
      if (c == '#') break;
      if (c == '"' || c == '\'') {
        const std::size_t close = text_.find(c, k + 1);
        if (close == std::string::npos || close >= end) break;
        found.push_back({k + 1, close - k - 1, true});
        k = close + 1;
      } else if (std::isdigit(static_cast<unsigned char>(c)) || c == '-') {
        std::size_t last = k + 1;
        while (last < end && (std::isalnum(static_cast<unsigned char>(text_[last])) || text_[last] == '.')) ++last;
        found.push_back({k, last - k, false});
        k = last;
      } else {
        ++k;
      }
    }
    return found;
  }

  void put(std::size_t begin, std::size_t size, std::string text, double cost) {
    if (text_.compare(begin, size, text) != 0) changes_.push_back({begin, size, std::move(text), cost});
  }

  // A buffer of a plan that says nothing of its first content: what kernels add to has to begin with nought. What a kernel
  // forgets to write could so be hidden, and that is the likelier mistake.
  void begun_empty(std::size_t from) {
    std::size_t count_end = 0;
    std::string indent;
    while (from < text_.size()) {
      const std::size_t begin = from + 1, end = std::min(text_.find('\n', begin), text_.size());
      const std::string_view line = std::string_view(text_).substr(begin, end - begin);
      const std::size_t first = line.find_first_not_of(" \t");
      if (first != std::string_view::npos && line[first] == '[') break;
      if (first != std::string_view::npos && line.substr(first).starts_with("content")) return;
      if (first != std::string_view::npos && line.substr(first).starts_with("count")) {
        count_end = line.ends_with('\r') ? end - 1 : end;
        indent = std::string(line.substr(0, first));
      }
      from = end;
    }
    if (count_end > 0) changes_.push_back({count_end, 0, "\n" + indent + "content = \"zero\"", 1.9, true});
  }

  // A launch as the plan writes it: the whole numbers that it passes, and those that its kernel's template is made for.
  struct Passed {
    std::string kernel;
    std::vector<long> numbers;
  };
  static constexpr std::size_t max_digits = 6;
  static constexpr long largest_product = 999999;
  static constexpr std::size_t max_others = 6;
  static bool is_short_number(std::string_view text) {
    return !text.empty() && text.size() <= max_digits && text.find_first_not_of("0123456789") == std::string_view::npos;
  }

  void note_launch(std::size_t from) {
    Passed launch;
    while (from < text_.size()) {
      const std::size_t begin = from + 1, end = std::min(text_.find('\n', begin), text_.size());
      const std::string_view line = std::string_view(text_).substr(begin, end - begin);
      const std::size_t first = line.find_first_not_of(" \t");
      if (first != std::string_view::npos && line[first] == '[') break;
      const std::string_view words = first == std::string_view::npos ? std::string_view() : line.substr(first);
      const bool repeats = words.starts_with("for");
      const std::vector<Item> all = repeats || words.starts_with("kernel") || words.starts_with("args")
                                        ? items(begin + line.find('=') + 1, end)
                                        : std::vector<Item>();
      for (const Item& item : all) {
        const std::string_view own = std::string_view(text_).substr(item.begin, item.size);
        if (repeats) {
          loop_ = all.size() == 1 ? loop_of(own) : Loop();
          continue;
        }
        if (words.starts_with("args")) {
          if (item.quoted && own.find(':') != std::string_view::npos) arguments_.insert(std::string(own));
          const std::string_view number = own.substr(own.find(':') + 1);
          if (is_short_number(number)) launch.numbers.push_back(std::stol(std::string(number)));
          continue;
        }
        launch.kernel = kernel_base_name(std::string(own));
        const std::size_t open = own.find('<');
        if (open == std::string_view::npos || !own.ends_with('>')) continue;
        for (const std::string_view number : split_outside(own.substr(open + 1, own.size() - open - 2), ","))
          if (is_short_number(number)) launch.numbers.push_back(std::stol(std::string(number)));
      }
      from = end;
    }
    passed_.push_back(std::move(launch));
  }

  // What a launch counts: "s in 1..log2(n)".
  struct Loop {
    std::string name, first, last;
  };
  static Loop loop_of(std::string_view text) {
    const std::size_t in = text.find(" in "), dots = text.find("..");
    if (in == std::string_view::npos || dots == std::string_view::npos || dots < in ||
        text.find(" step ") != std::string_view::npos)
      return {};
    const auto part = [&](std::size_t from, std::size_t end) {
      return std::string(trimmed(text.substr(from, end - from)));
    };
    return {part(0, in), part(in + 4, dots), part(dots + 2, text.size())};
  }
  // Stages in the other order: of decimation in frequency the spans fall, of decimation in time they rise.
  void from_the_end(const Item& item, const std::string& head, const std::string& tail) {
    if (loop_.name.empty()) return;
    const std::string turned = fmt::format("({}+{}-{})", loop_.first, loop_.last, loop_.name);
    std::string made;
    std::size_t from = 0;
    for (const Lexeme& word : lexemes_of(tail))
      if (word.kind == Lexeme::Kind::Name && word.text == loop_.name) {
        made += tail.substr(from, word.begin - from) + turned;
        from = word.end();
      }
    if (from > 0) put(item.begin, item.size, head + made + tail.substr(from), 1.4);
  }
  void downwards(const Item& item) {
    if (!loop_.name.empty())
      put(item.begin, item.size, fmt::format("{} in {}..{} step -1", loop_.name, loop_.last, loop_.first), 1.5);
  }

  // "int:12" for "int:15", where the launch of the same kernel before passes 3 and 4: what is done already is a product of what
  // was done before it.
  void products(const Item& item) {
    constexpr double likely = 1.5, of_others = 1.7;
    constexpr std::size_t most = 6;
    const std::string own = text_.substr(item.begin, item.size);
    const std::size_t begin = own.find(':') + 1;
    const std::string digits = own.substr(begin);
    if (begin == 0 || passed_.empty() || !is_short_number(digits)) return;
    const Passed& launch = passed_.back();
    std::set<long> seen{0, 1, std::stol(digits)};
    std::size_t count = 0;
    const auto of = [&](const std::vector<long>& numbers, double cost) {
      const auto one = [&](long number) {
        if (count >= most || !seen.insert(number).second) return;
        ++count;
        put(item.begin + begin, digits.size(), std::to_string(number), cost);
      };
      for (std::size_t i = 0; i < numbers.size(); ++i)
        for (std::size_t j = i + 1; j < numbers.size(); ++j) {
          const long least = std::min(numbers[i], numbers[j]), largest = std::max(numbers[i], numbers[j]);
          if (least < 2) continue;
          if (largest <= largest_product / least) one(least * largest);
          if (largest % least == 0) one(largest / least);
        }
    };
    for (std::size_t k = passed_.size() - 1; k-- > 0;)
      if (passed_[k].kernel == launch.kernel) of(passed_[k].numbers, k + 2 == passed_.size() ? likely : of_others);
  }

  void value(const std::string& table, const std::string& key, std::size_t from, std::size_t end) {
    const std::vector<Item> all = items(from, end);
    const bool launch = table.starts_with("[[launch");
    if (launch && (key == "args" || key == "global" || key == "local")) {
      for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size() && all.size() < 12; ++j)
          exchange(all[i], all[j], key == "args" ? 1 : 1.5);
      const std::size_t known = changes_.size();
      for (const Item& item : all) expression(item, key == "args");
      if (key == "args")
        for (const Item& item : all) products(item);
      for (const Item& item : all) as_much_as(item, all);
      if (key == "args")
        for (const Item& item : all) {
          as_another(item, all);
          factors(item);
        }
      // Other sizes often only hide what a kernel does wrong.
      for (std::size_t k = known; k < changes_.size() && key != "args"; ++k) changes_[k].cost += 0.4;
    } else if (table.starts_with("[parameters") && all.size() == 1 && all[0].quoted) {
      const std::size_t known = changes_.size();
      expression(all[0], false);
      for (std::size_t k = known; k < changes_.size(); ++k) changes_[k].parameter = true;
    } else if (launch && (key == "for" || key == "defines")) {
      for (const Item& item : all) numbers(item, 1);
      if (key == "for" && all.size() == 1) downwards(all[0]);
    } else if (launch && key == "if" && all.size() == 1) {
      condition(all[0]);
    } else if (launch && key == "kernel" && all.size() == 1) {
      std::set<std::string> names;
      for (const Launch& one : plan_.launches)
        if (!computes_reference(plan_, one)) names.insert(one.kernel);
      // Of two launches of one kernel it is the second that was meant to be another.
      const std::string own = text_.substr(all[0].begin, all[0].size);
      const double again = own == std::exchange(kernel_before_, own) ? -0.1 : 0;
      for (const std::string& name : names) put(all[0].begin, all[0].size, name, 2.6 + again);
      // One that takes as many arguments and is launched nowhere is rather what was meant.
      for (const std::string& name : kernels_for_nothing()) put(all[0].begin, all[0].size, name, 2 + again);
    } else if (table.starts_with("[expect") && key == "output" && all.size() == 1) {
      // Of two arrays that take turns from launch to launch; what one launch leaves in the wrong one is the kernel's mistake.
      const bool turns = plan_.launches.size() > 2;
      buffers(all[0], turns ? 1.3 : 2.6);
      turned_choice(all[0], turns ? 1.3 : 2.6);
    }
  }

  const std::set<std::string>& kernels_for_nothing() {
    if (for_nothing_) return *for_nothing_;
    std::set<std::string> launched;
    std::set<std::string>& all = for_nothing_.emplace();
    struct Source {
      std::string text;
      std::set<std::size_t> counts;  // of the arguments that it is launched with
    };
    std::map<std::string, Source> sources;
    for (const Launch& one : plan_.launches) {
      launched.insert(kernel_base_name(one.kernel));
      const auto [at, fresh] = sources.try_emplace(one.source);
      at->second.counts.insert(one.arguments.size());
      if (!fresh) continue;
      try {
        at->second.text = kernel_source(plan_, one, fs::path(one.source).extension().string()).text;
      } catch (const Error&) {}  // then none of its kernels is known
    }
    for (const auto& [name, source] : sources) {
      Syntax syntax;
      read_syntax(source.text, syntax);
      for (const Function& one : syntax.functions)
        if (one.kernel && source.counts.count(one.parameters.size()) && !launched.count(one.name)) all.insert(one.name);
    }
    return all;
  }

  void exchange(const Item& a, const Item& b, double cost) {
    const std::string first = text_.substr(a.begin, a.size), second = text_.substr(b.begin, b.size);
    const std::size_t between = a.begin + a.size;
    put(a.begin, b.begin + b.size - a.begin,
        a.quoted == b.quoted ? second + text_.substr(between, b.begin - between) + first
                             : text_.substr(a.begin, b.begin + b.size - a.begin),
        cost);
  }

  void buffers(const Item& item, double cost) {
    const std::string own = text_.substr(item.begin, item.size);
    const Buffer* known = plan_.buffer_named(own);
    if (!known) return;
    for (const Buffer& other : plan_.buffers)
      if (other.type == known->type)
        put(item.begin, item.size, other.name, cost + (other.count == known->count ? 0 : 0.5));
  }

  void expression(const Item& item, bool argument) {
    const std::string own = text_.substr(item.begin, item.size);
    if (plan_.buffer_named(own)) return buffers(item, 1.1);
    if (own.starts_with("struct:")) return members(item);
    turned_choice(item, 1);
    numbers(item, 1.5);
    const std::size_t colon = own.find(':');
    if (argument && colon == std::string::npos) return;
    const std::string head = colon == std::string::npos ? std::string() : own.substr(0, colon + 1);
    const std::string tail = colon == std::string::npos ? own : own.substr(colon + 1);
    if (head == "local:") return;
    if (!item.quoted) return;
    components(item, head, tail);
    const auto whole = [&](const std::string& form, double cost) { put(item.begin, item.size, head + form, cost); };
    const bool word = tail.find_first_of("+-*/<>%& ") == std::string::npos;
    const std::string inner = word ? tail : "(" + tail + ")";
    whole(inner + "*2", 1.9);
    whole(inner + "/2", 1.9);
    whole(inner + "*4", 2.1);
    // 2 s and 2^s are taken for each other.
    if (tail.starts_with("2*")) whole("1<<" + tail.substr(2), 1.4);
    if (tail.ends_with("*2")) whole("1<<" + tail.substr(0, tail.size() - 2), 1.4);
    if (tail.starts_with("1<<")) whole("2*" + tail.substr(3), 1.6);
    whole(inner + "+1", 1.9);
    whole(inner + "-1", 1.9);
    whole("-" + inner, tail == "1" ? 0.9 : 1.7);  // a direction
    if (tail == "-1") whole("1", 0.9);
    names(item, 1.2);
    if (argument) from_the_end(item, head, tail);
    // None of it.
    const bool whole_number = head == "int:" || head == "uint:" || head == "long:" || head == "ulong:";
    if (argument && whole_number && !is_short_number(tail))
      for (const char* number : {"0", "1"}) whole(number, 1.9);
    // A mean, and not a sum.
    if ((head == "float:" || head == "double:") && tail.find('/') == std::string::npos)
      for (const auto& [name, value] : plan_.parameters)
        if (name != "schedule") whole(inner + "/" + name, 1.3);
  }

  // "struct:int:n,int:depth": its values change like other arguments, or change places.
  void members(const Item& item) {
    constexpr std::size_t most = 8;
    std::vector<Item> values;  // behind their types' colons, or all of one that has no type
    const std::string_view own = std::string_view(text_).substr(item.begin, item.size);
    for (const std::string_view part : split_outside(own.substr(own.find(':') + 1), ",")) {
      const std::size_t begin = item.begin + static_cast<std::size_t>(part.data() - own.data());
      const std::size_t colon = part.find(':');
      const std::size_t before = colon == std::string_view::npos ? 0 : colon + 1;
      values.push_back({begin + before, part.size() - before, true});
      expression({begin, part.size(), true}, true);
    }
    for (std::size_t i = 0; i < values.size(); ++i)
      for (std::size_t j = i + 1; j < values.size() && values.size() <= most; ++j) exchange(values[i], values[j], 1);
  }

  // Two components of a vector that changed places: "int2:16,8".
  void components(const Item& item, const std::string& head, const std::string& tail) {
    const std::vector<std::string_view> parts = split_outside(tail, ",");
    if (head.empty() || parts.size() > 4) return;
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t j = i + 1; j < parts.size(); ++j) {
        std::vector<std::string_view> turned = parts;
        std::swap(turned[i], turned[j]);
        put(item.begin, item.size, fmt::format("{}{}", head, fmt::join(turned, ",")), 1.1);
      }
  }

  // "s%2 ? b : a" for "s%2 ? a : b".
  void turned_choice(const Item& item, double cost) {
    const std::string own = text_.substr(item.begin, item.size);
    const std::vector<std::string_view> asked = split_outside(own, "?");
    const std::vector<std::string_view> ways = split_outside(asked.back(), ":");
    if (asked.size() != 2 || ways.size() != 2) return;
    put(item.begin, item.size, fmt::format("{} ? {} : {}", asked[0], ways[1], ways[0]), cost);
  }

  // "int:n>>s" for "int:n" beside "int:rows>>s", and what another launch has as such an argument.
  void as_another(const Item& item, const std::vector<Item>& all) {
    const std::string own = text_.substr(item.begin, item.size);
    const std::size_t begin = own.find(':') + 1;
    if (begin == 0 || own.starts_with("local:") || own.starts_with("struct:")) return;
    const auto is_word = [](std::string_view text) {
      return !text.empty() && text.find_first_of("+-*/<>%&?:, ()") == std::string_view::npos &&
             !std::isdigit(static_cast<unsigned char>(text[0]));
    };
    std::set<std::string> others;
    for (const Item& beside : all) {
      const std::string other = text_.substr(beside.begin, beside.size);
      if (other == own || other.compare(0, begin, own, 0, begin) != 0) continue;
      const std::vector<Lexeme> words = lexemes_of(other);
      const std::size_t first = 2;  // behind "int" and ":"
      if (words.size() <= first + 1 || words[first].kind != Lexeme::Kind::Name || !is_word(own.substr(begin))) continue;
      put(item.begin, item.size, own + other.substr(words[first].end()), 1.5);
    }
    for (const std::string& other : arguments_)
      if (other.compare(0, begin, own, 0, begin) == 0 && others.insert(other).second && others.size() <= max_others)
        put(item.begin, item.size, other, 1.8);
  }

  // As much local memory as another argument has.
  void as_much_as(const Item& item, const std::vector<Item>& all) {
    const auto local = [&](const Item& one) { return text_.compare(one.begin, 6, "local:") == 0; };
    for (const Item& other : all)
      if (local(item) && local(other)) put(item.begin, item.size, text_.substr(other.begin, other.size), 1.2);
  }

  // "if": other numbers, and where it does not hold.
  void condition(const Item& item) {
    const std::string own = text_.substr(item.begin, item.size);
    numbers(item, 1);
    names(item, 1.2);
    static constexpr std::pair<std::string_view, std::string_view> turned[] = {{"==", "!="}, {"!=", "=="}, {"<=", ">"},
                                                                               {">=", "<"},  {"<", ">="},  {">", "<="}};
    for (const Lexeme& word : lexemes_of(own))
      for (const auto& [is, other] : turned)
        if (word.is(is)) put(item.begin + word.begin, is.size(), std::string(other), 1.1);
  }

  // A factor that another argument has: "a*b" for "a" beside "b*c".
  void factors(const Item& item) {
    constexpr std::size_t most = 6;
    const std::string own = text_.substr(item.begin, item.size);
    const std::size_t colon = own.find(':');
    if (colon == std::string::npos || own.starts_with("local:") || own.starts_with("struct:")) return;
    const std::string head = own.substr(0, colon + 1), tail = own.substr(colon + 1);
    if (tail.find('?') != std::string::npos || tail.find(',') != std::string::npos) return;
    const std::vector<std::string_view> mine = split_outside(tail, "*");
    std::set<std::string> seen(mine.begin(), mine.end());
    std::size_t count = 0;
    for (const std::string& other : arguments_) {
      const std::size_t behind = other.find(':');
      if (other.starts_with("local:") || other.starts_with("struct:") || other.find(',') != std::string::npos) continue;
      for (const std::string_view part : split_outside(std::string_view(other).substr(behind + 1), "*")) {
        const std::string factor(part);
        if (factor.find_first_of("?%&") != std::string::npos || is_short_number(factor) || count == most ||
            !seen.insert(factor).second)
          continue;
        ++count;
        const bool sum = factor.find_first_of("+-/<> ") != std::string::npos && !factor.ends_with(")");
        put(item.begin, item.size,
            fmt::format("{}{}*{}", head,
                        mine.size() > 1 || tail.find_first_of("+-/<>") == std::string::npos ? tail : "(" + tail + ")",
                        sum ? "(" + factor + ")" : factor),
            1.7);
      }
    }
  }

  // Names within an expression: other parameters of the plan.
  void names(const Item& item, double cost) {
    const std::string own = text_.substr(item.begin, item.size);
    for (const Lexeme& word : lexemes_of(own)) {
      if (word.kind != Lexeme::Kind::Name || !plan_.parameters.count(std::string(word.text))) continue;
      for (const auto& [name, value] : plan_.parameters)
        if (name != "schedule") put(item.begin + word.begin, word.text.size(), name, cost);
    }
  }

  static bool is_power(long number) { return number > 2 && (number & (number - 1)) == 0; }

  // Of a root of unity: its inverse, the root of half the order, and the one with the other sign.
  template <typename One>
  void of_residues(long number, const One& one) const {
    const auto modulus = static_cast<std::uint64_t>(plan_.expect.modulus);
    constexpr std::uint64_t most = std::uint64_t(1) << 31;
    const auto own = static_cast<std::uint64_t>(number);
    if (modulus < 3 || modulus >= most || own < 2 || own >= modulus) return;
    std::uint64_t inverse = 1, power = own;
    for (std::uint64_t left = modulus - 2; left > 0; left >>= 1, power = power * power % modulus)
      if (left & 1) inverse = inverse * power % modulus;
    if (inverse * own % modulus == 1) one(static_cast<long>(inverse), 0.1);
    one(static_cast<long>(own * own % modulus), 0.3);
    one(static_cast<long>(modulus - own), 0.3);
  }

  // A whole number of an item: `size` digits from `begin` on in its text `own`.
  void digits(const Item& item, const std::string& own, std::size_t begin, std::size_t size, double cost) {
    const std::string text = own.substr(begin, size);
    if (size > 9 || text.find_first_not_of("0123456789") != std::string::npos) return;
    const long number = std::stol(text);
    // "s%2 ? a : b": two arrays take turns, and not every third time.
    const bool by_turns =
        number == 2 && begin > 0 && own[begin - 1] == '%' && own.find_first_of("?=") != std::string::npos;
    const auto one = [&](long other, double more) {
      if (other >= 0 && other != number)
        put(item.begin + begin, size, std::to_string(other), cost + more + (by_turns ? 0.8 : 0));
    };
    // Bits of a byte, items of a group: one off from these is likelier than these.
    const auto more_of = [&](long other) { return is_power(other) && !is_power(number) ? -0.6 : 0.0; };
    one(number + 1, more_of(number + 1));
    one(number - 1, more_of(number - 1));
    one(number * 2, 0.1);
    if (number % 2 == 0) one(number / 2, 0.1);
    one(number * 4, 0.5);
    if (number % 4 == 0) one(number / 4, 0.5);
    if (number > 1) one(0, 0.7);  // none of it
    for (const auto& [name, value] : plan_.parameters)
      if (item.quoted && name != "schedule") put(item.begin + begin, size, name, cost + 0.5);
    // Two digits that changed places.
    for (std::size_t d = 0; d + 1 < size; ++d) {
      std::string turned = text;
      std::swap(turned[d], turned[d + 1]);
      if (turned[0] != '0') put(item.begin + begin, size, turned, cost + 0.3);
    }
    if (plan_.expect.transform == Expect::Transform::Ntt) of_residues(number, one);
  }

  // "ceildiv(a,b)" for "a/b".
  void rounded_up(const Item& item, const std::string& own, std::size_t mark, double cost) {
    const auto of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::size_t begin = mark, end = mark + 1;
    while (begin > 0 && of_word(own[begin - 1])) --begin;
    while (end < own.size() && of_word(own[end])) ++end;
    if (begin < mark && end > mark + 1 && item.quoted)
      put(item.begin + begin, end - begin,
          fmt::format("ceildiv({},{})", own.substr(begin, mark - begin), own.substr(mark + 1, end - mark - 1)), cost);
  }

  void numbers(const Item& item, double cost) {
    const std::string own = text_.substr(item.begin, item.size);
    for (const Lexeme& word : lexemes_of(own)) {
      if (word.is("<<")) put(item.begin + word.begin, 2, ">>", cost + 0.3);
      if (word.is(">>")) put(item.begin + word.begin, 2, "<<", cost + 0.3);
      // Two steps more are hardly meant.
      const double of_steps = own.find("..") != std::string::npos ? 0.5 : 0;
      if (word.is("-") && word.begin > 0) put(item.begin + word.begin, 1, "+", cost + 0.2 + of_steps);
      if (word.is("/")) rounded_up(item, own, word.begin, cost + 0.2);
      if (word.is("+")) put(item.begin + word.begin, 1, "-", cost + 0.2);
      if (word.is("-") && (word.begin == 0 || own[word.begin - 1] == ':')) put(item.begin + word.begin, 1, "", cost);
      // A step left out: "n-1" for "n".
      if ((word.is("-") || word.is("+")) && word.begin + 1 < own.size()) {
        std::size_t last = word.begin + 1;
        while (last < own.size() && std::isalnum(static_cast<unsigned char>(own[last]))) ++last;
        if (last > word.begin + 1 && word.begin > 0) put(item.begin + word.begin, last - word.begin, "", cost);
      }
      // "n>>(2*s)" for "n>>s".
      if (word.kind == Lexeme::Kind::Name && item.quoted && own.size() > word.text.size() &&
          own.find_first_of("<>*/+-") != std::string::npos &&
          own.compare(0, word.text.size() + 1, std::string(word.text) + ":") != 0)
        put(item.begin + word.begin, word.text.size(), "(2*" + std::string(word.text) + ")", cost + 0.5);
      if (word.kind != Lexeme::Kind::Number) continue;
      // "2..log2(n)" begins with the number 2, and "t..1" ends with the number 1.
      const std::size_t dots = own.find("..");
      const auto digits_at = [&](std::size_t from, std::size_t end) {
        if (from < end) digits(item, own, from, end - from, cost);
      };
      if (dots == std::string::npos || dots + 2 <= word.begin || dots >= word.end()) {
        digits_at(word.begin, word.end());
      } else {
        digits_at(word.begin, dots);
        digits_at(dots + 2, word.end());
      }
    }
    // "1..log2(n)": one step more.
    if (own.find("..") != std::string::npos) {
      put(item.begin + item.size, 0, "+1", cost);
      put(item.begin + item.size, 0, "-1", cost);
    }
  }

  const Plan& plan_;
  const std::string& text_;
  std::string kernel_before_;        // of the launch before
  std::vector<Passed> passed_;       // by the launches up to this one
  Loop loop_;                        // of this launch
  std::set<std::string> arguments_;  // of all launches up to this one, less buffers
  std::vector<PlanChange> changes_;
  std::optional<std::set<std::string>> for_nothing_;  // sources are read once
};

}  // namespace

std::vector<PlanChange> changes_of_plan(const Plan& plan, const std::string& text) { return Changes(plan, text).run(); }

}  // namespace twiddle
