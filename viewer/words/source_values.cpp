#include "viewer/words/source_values.h"

#include "tracer/source/source.h"
#include "tracer/source/tokens.h"
#include "tracer/trace/number_text.h"
#include "tracer/trace/trace_macros.h"
#include "viewer/words/operation_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

namespace twiddle {
namespace {

/// A source text's words; lines joined again, so that comments and strings over several lines are seen as such.
struct Code {
  std::string text;
  std::vector<Token> tokens;

  explicit Code(const std::vector<std::string>& lines)
      : text(fmt::format("{}", fmt::join(lines, "\n"))), tokens(tokenize(text)) {}
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;

  std::string written(TokenRange range) const { return spelling(tokens, range.first, range.second); }
  /// The tokens of a line, from 1.
  TokenRange line(int number) const {
    const auto before = [](const Token& token, int wanted) { return token.line < wanted; };
    const auto first = std::lower_bound(tokens.begin(), tokens.end(), number, before);
    const auto last = std::lower_bound(first, tokens.end(), number + 1, before);
    return {static_cast<std::size_t>(first - tokens.begin()), static_cast<std::size_t>(last - tokens.begin())};
  }
  /// Whether other tokens, those of `range`, are there at `at`, and end before `end`.
  bool matches(std::size_t at, std::size_t end, TokenRange range) const {
    const std::size_t count = range.second - range.first;
    if (count == 0 || at + count > end) return false;
    return std::equal(tokens.begin() + at, tokens.begin() + at + count, tokens.begin() + range.first,
                      [](const Token& a, const Token& b) { return a.text == b.text; });
  }
  bool touching(std::size_t at) const {
    return at + 1 < tokens.size() && tokens[at].text.data() + tokens[at].text.size() == tokens[at + 1].text.data();
  }
  /// Whether an assignment operator is at `at`: =, +=, … but not ==, <=.
  bool assigns(std::size_t at, std::size_t end) const {
    if (at >= end) return false;
    const bool equals_next = at + 1 < end && touching(at) && tokens[at + 1].is("=");
    return tokens[at].is("=") ? !equals_next
                              : equals_next && std::string_view("+-*/|&^%").find(tokens[at].text) != std::string::npos;
  }
};

/// Whether a line assigns to a variable or a member of one.
bool assigns_to(const Code& code, TokenRange line, TokenRange name) {
  const std::vector<Token>& tokens = code.tokens;
  for (std::size_t at = line.first; at < line.second; ++at) {
    const bool member =
        at > 0 && (tokens[at - 1].is(".") || (at > 1 && tokens[at - 1].is(">") && tokens[at - 2].is("-")));
    if (!member && code.matches(at, line.second, name) && code.assigns(at + name.second - name.first, line.second))
      return true;
  }
  return false;
}

/// Whether a line writes `buffer[index]`, plainly or through an atomic.
bool writes_element(const Code& code, TokenRange line, TokenRange buffer, TokenRange index) {
  const std::vector<Token>& tokens = code.tokens;
  bool atomic = false;
  for (std::size_t at = line.first; at < line.second; ++at) {
    atomic = atomic || tokens[at].text.find("atomic") != std::string_view::npos;
    const std::size_t open = at + buffer.second - buffer.first;
    if (!code.matches(at, line.second, buffer) || open >= line.second || !tokens[open].is("[")) continue;
    const std::size_t close = open + 1 + index.second - index.first;
    if (!code.matches(open + 1, line.second, index) || close >= line.second || !tokens[close].is("]")) continue;
    if (code.assigns(close + 1, line.second) || (atomic && at > 0 && tokens[at - 1].is("&"))) return true;
  }
  return false;
}

struct Ids {
  std::array<std::size_t, 3> global, local, group;
};

// The value of an expression that asks for an id or a size of the launch and nothing else.
std::optional<std::uint64_t> known_expression(std::string expression, const LaunchInfo& launch, const Ids& ids) {
  for (std::string_view cast : {"(int)", "(uint)", "(unsigned)", "(size_t)", "static_cast<int>", "(unsignedint)"})
    if (expression.starts_with(cast)) expression.erase(0, cast.size());
  while (expression.size() > 2 && expression.front() == '(' && expression.find(')') == expression.size() - 1)
    expression = expression.substr(1, expression.size() - 2);
  for (int d = 0; d < 3; ++d) {
    const auto dimension = static_cast<std::size_t>(d);
    const char axis = "xyz"[d];
    const std::size_t groups = launch.local[dimension] ? launch.global[dimension] / launch.local[dimension] : 0;
    const auto call = [&](const char* function) { return fmt::format("{}({})", function, d); };
    const auto member = [&](const char* object) { return fmt::format("{}.{}", object, axis); };
    if (expression == call("get_global_id") ||
        expression == fmt::format("blockIdx.{0}*blockDim.{0}+threadIdx.{0}", axis) ||
        expression == fmt::format("blockDim.{0}*blockIdx.{0}+threadIdx.{0}", axis) ||
        expression == fmt::format("threadIdx.{0}+blockIdx.{0}*blockDim.{0}", axis))
      return ids.global[dimension];
    if (expression == call("get_local_id") || expression == member("threadIdx")) return ids.local[dimension];
    if (expression == call("get_group_id") || expression == member("blockIdx")) return ids.group[dimension];
    if (expression == call("get_global_size")) return launch.global[dimension];
    if (expression == call("get_local_size") || expression == member("blockDim")) return launch.local[dimension];
    if (expression == call("get_num_groups") || expression == member("gridDim")) return groups;
  }
  return std::nullopt;
}

std::optional<KernelDefinition> definition_of(const Code& code, std::string_view kernel) {
  for (const KernelDefinition& one : kernel_definitions(code.tokens))
    if (code.tokens[one.name].is(kernel)) return one;
  return std::nullopt;
}

/// The arguments of a macro call that begins on a line (from 1).
std::vector<TokenRange> arguments_at(const Code& code, int line, std::string_view macro) {
  constexpr std::size_t reach = 1024;
  const auto [first, last] = code.line(line);
  for (std::size_t i = first; i < last; ++i) {
    if (!code.tokens[i].is(macro)) continue;
    if (i + 1 >= code.tokens.size() || !code.tokens[i + 1].is("(")) return {};
    const std::size_t close = closing(code.tokens, i + 1, reach);
    return close < code.tokens.size() ? arguments_of(code.tokens, i + 1, close) : std::vector<TokenRange>{};
  }
  return {};
}

class Finder {
 public:
  Finder(const TraceInfo& info, const Operation& operation, const LaunchInfo& launch, const Code& code)
      : operation_(operation), launch_(launch), code_(code), kernel_(definition_of(code, launch.kernel)) {
    for (const Site& site : info.sites)
      if (site.source == launch.source && site.line <= operation.line &&
          operation.line <= std::max(site.line, site.last_line))
        site_ = &site;
  }

  std::vector<LineValue> find() {
    if (code_.tokens.empty() || operation_.line < 1 || operation_.line > code_.tokens.back().line) return {};
    arguments_of_trace_line();
    ids();
    launch_arguments();
    std::stable_sort(found_.begin(), found_.end(),
                     [](const LineValue& a, const LineValue& b) { return a.line < b.line; });
    return std::move(found_);
  }

 private:
  const Operation& operation_;
  const LaunchInfo& launch_;
  const Code& code_;
  std::optional<KernelDefinition> kernel_;
  const Site* site_ = nullptr;
  std::vector<LineValue> found_;

  int first_line() const {
    const int line = kernel_ ? code_.tokens[kernel_->keyword].line : 1;
    return line <= operation_.line ? line : 1;
  }

  // The nearest line above the trace line for which `does` holds; 0 when there is none in the kernel.
  template <typename Does>
  int nearest_above(Does does) const {
    for (int number = operation_.line - 1; number >= first_line(); --number)
      if (does(code_.line(number))) return number;
    return 0;
  }

  void add(int number, std::string name, std::string text, Role plate = Role::None, Role underline = Role::None) {
    if (number == 0) return;
    for (const LineValue& other : found_)
      if (other.line == number && other.name == name) return;
    found_.push_back({number, std::move(name), std::move(text), plate, underline});
  }

  void arguments_of_trace_line() {
    const TraceMacro* macro = macro_of(operation_.shape);
    if (!site_ || !macro) return;
    const std::vector<TokenRange> arguments = arguments_at(code_, site_->line, site_->macro);
    TokenRange written_buffer;
    std::array<TokenRange, 4> read_index, written_index;
    std::string_view parameters = macro->arguments;
    for (const TokenRange& argument : arguments) {
      const std::string_view parameter = parameters.substr(0, parameters.find(' '));
      parameters.remove_prefix(std::min(parameters.size(), parameter.size() + 1));
      if (parameter.empty()) break;
      const int number = parameter.size() > 1 ? parameter[1] - '0' : 0;
      if (parameter == "B") written_buffer = argument;
      if (parameter[0] == 'r') read_index[number] = argument;
      if (parameter[0] == 'o') written_index[number] = argument;
      if (parameter.size() > 1 && is_member_path(argument)) show(argument, parameter[0], number);
    }

    // In place, what is written is where it was read.
    for (int i = 0; i < operation_.writes.size(); ++i) {
      const Access& access = operation_.writes[i];
      const TokenRange index = written_index[i].first < written_index[i].second ? written_index[i] : read_index[i];
      if (!access.known || index.first == index.second) continue;
      add(nearest_above([&](TokenRange line) { return writes_element(code_, line, written_buffer, index); }),
          fmt::format("{}[{}]", code_.written(written_buffer), code_.written(index)), value_text(access.value),
          Role::Now);
    }
  }

  // `p` or `p.i0`
  bool is_member_path(TokenRange range) const {
    for (std::size_t at = range.first; at < range.second; ++at)
      if ((at - range.first) % 2 == 0 ? !code_.tokens[at].identifier() : !code_.tokens[at].is(".")) return false;
    return (range.second - range.first) % 2 == 1;
  }

  void show(TokenRange path, char kind, int number) {
    const std::string name = code_.written(path);
    int where = nearest_above([&](TokenRange line) { return assigns_to(code_, line, path); });
    // `p.i0` was known when `p` was.
    const TokenRange base{path.first, path.first + 1};
    if (where == 0) where = nearest_above([&](TokenRange line) { return assigns_to(code_, line, base); });
    const Role plate = number == 0 ? Role::ASoft : Role::BSoft, underline = number == 0 ? Role::A : Role::B;
    if (kind == 'r' && number < operation_.reads.size())
      add(where, name, fmt::format("{}", operation_.reads[number].index), plate, underline);
    if (kind == 'v' && number < operation_.reads.size() && operation_.reads[number].known)
      add(where, name, value_text(operation_.reads[number].value), plate, underline);
    if (kind == 'o' && number < operation_.writes.size())
      add(where, name, fmt::format("{}", operation_.writes[number].index), Role::Now);
    if (kind == 'e' && number < operation_.writes.size() && operation_.writes[number].known)
      add(where, name, value_text(operation_.writes[number].value), Role::Now);
    if (kind == 'c' && number < operation_.coefficients.size())
      add(where, name, value_text(operation_.coefficients[number]), Role::WSoft, Role::W);
  }

  // `int g = get_global_id(0);` — a line that defines one variable from one id.
  void ids() {
    const Ids ids{launch_.global_id(operation_.item), launch_.local_id(operation_.item),
                  launch_.group_id(operation_.item)};
    for (int number = first_line(); number < operation_.line; ++number) {
      const TokenRange line = code_.line(number);
      std::size_t at = line.first;
      while (at < line.second && !code_.tokens[at].is("=")) ++at;
      if (at == line.first || at >= line.second || !code_.tokens[at - 1].identifier()) continue;
      std::string right;
      for (std::size_t i = at + 1; i < line.second && !code_.tokens[i].is(";"); ++i) right += code_.tokens[i].text;
      if (const auto value = known_expression(right, launch_, ids))
        add(number, std::string(code_.tokens[at - 1].text), fmt::format("{}", *value));
    }
  }

  // Scalars that the launch handed in, on the line that declares them: "span = 4".
  void launch_arguments() {
    if (!kernel_) return;
    const std::vector<TokenRange> parameters = arguments_of(code_.tokens, kernel_->open, kernel_->close);
    for (std::size_t n = 0; n < std::min(parameters.size(), launch_.arguments.size()); ++n) {
      const auto [first, last] = parameters[n];
      if (first == last) continue;
      const std::size_t at = last - 1 > first && code_.tokens[last - 1].is("TRACE_PARAMS") ? last - 2 : last - 1;
      const Token& name = code_.tokens[at];
      const std::string& given = launch_.arguments[n];
      const std::size_t colon = given.find(':');
      if (colon == std::string::npos || given.starts_with("local:") || !name.identifier()) continue;
      std::string text = given.substr(colon + 1);
      if (text.starts_with('-')) text.replace(0, 1, "−");
      add(name.line, std::string(name.text), fmt::format("{} = {}", name.text, text));
    }
  }
};

}  // namespace

std::vector<std::string> source_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line;
    for (char c : text.substr(0, end)) {
      if (c == '\t')
        line.append(4 - line.size() % 4, ' ');
      else if (c != '\r')
        line += c;
    }
    lines.push_back(std::move(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

LineRange kernel_lines(const std::vector<std::string>& lines, std::string_view kernel) {
  const Code code(lines);
  const auto found = definition_of(code, kernel);
  const std::size_t end = found ? closing(code.tokens, found->body) : code.tokens.size();
  if (end == code.tokens.size()) return {};
  return {code.tokens[found->keyword].line, code.tokens[end].line};
}

std::vector<LineValue> live_values(const TraceInfo& info, const Operation& operation) {
  const LaunchInfo* launch = info.launch(operation.launch);
  const SourceText* source = launch ? info.source(launch->source) : nullptr;
  if (!source) return {};
  const Code code(source_lines(source->text));
  return Finder(info, operation, *launch, code).find();
}

}  // namespace twiddle
