#include "viewer/words/source_values.h"

#include "tracer/trace/number_text.h"
#include "viewer/words/operation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace twiddle {
namespace {

bool word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_identifier(std::string_view text) {
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') && std::all_of(text.begin(), text.end(), word_letter);
}

bool is_member_path(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return word_letter(c) || c == '.'; });
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::string without_spaces(std::string_view text) {
  std::string out;
  for (char c : text)
    if (c != ' ' && c != '\t') out += c;
  return out;
}

// Comments become spaces, so that what they say is never taken for code.
std::vector<std::string> without_comments(const std::vector<std::string>& lines) {
  std::vector<std::string> code = lines;
  bool block = false;
  for (std::string& line : code)
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (block) {
        if (line.compare(i, 2, "*/") == 0)
          block = false, line[i] = line[i + 1] = ' ';
        else
          line[i] = ' ';
      } else if (line.compare(i, 2, "//") == 0) {
        line.resize(i);
      } else if (line.compare(i, 2, "/*") == 0) {
        block = true;
        line[i] = line[i + 1] = ' ';
        ++i;
      }
    }
  return code;
}

/// The first place at or after `from` where `word` stands as a whole word.
std::size_t find_word(std::string_view line, std::string_view word, std::size_t from = 0) {
  for (std::size_t at = line.find(word, from); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const bool begins = at == 0 || !word_letter(line[at - 1]);
    const bool ends = at + word.size() >= line.size() || !word_letter(line[at + word.size()]);
    if (begins && ends) return at;
  }
  return std::string_view::npos;
}

/// Whether an assignment operator stands at `at` (after spaces): =, +=, … but not ==, <=.
bool assigns_at(std::string_view line, std::size_t at) {
  while (at < line.size() && line[at] == ' ') ++at;
  if (at + 1 < line.size() && std::string_view("+-*/|&^%").find(line[at]) != std::string_view::npos &&
      line[at + 1] == '=')
    return true;
  return at < line.size() && line[at] == '=' && (at + 1 == line.size() || line[at + 1] != '=');
}

bool assigns(std::string_view line, std::string_view name) {
  for (std::size_t at = find_word(line, name); at != std::string_view::npos; at = find_word(line, name, at + 1)) {
    const bool member = at > 0 && (line[at - 1] == '.' || (at > 1 && line[at - 1] == '>' && line[at - 2] == '-'));
    if (!member && assigns_at(line, at + name.size())) return true;
  }
  return false;
}

/// Whether the line writes `buffer[index]`, plainly or through an atomic.
bool writes_element(std::string_view line, std::string_view buffer, std::string_view index) {
  const std::string wanted = without_spaces(index);
  for (std::size_t at = find_word(line, buffer); at != std::string_view::npos; at = find_word(line, buffer, at + 1)) {
    std::size_t open = at + buffer.size();
    while (open < line.size() && line[open] == ' ') ++open;
    if (open >= line.size() || line[open] != '[') continue;
    int depth = 0;
    std::size_t close = open;
    for (; close < line.size(); ++close) {
      depth += line[close] == '[' ? 1 : line[close] == ']' ? -1 : 0;
      if (depth == 0) break;
    }
    if (close >= line.size() || without_spaces(line.substr(open + 1, close - open - 1)) != wanted) continue;
    if (assigns_at(line, close + 1)) return true;
    if (at > 0 && line[at - 1] == '&' && line.find("atomic") < at) return true;
  }
  return false;
}

// What the arguments of each macro are, in order: B/b the written and the read buffer, r# and o# read and written indices,
// c# coefficients, v# and e# values read and written (trace_device.h is the original).
std::string_view parameters_of(Shape shape) {
  switch (shape) {
    case Shape::Butterfly2: return "B r0 r1 c0 v0 v1";
    case Shape::Butterfly2To:
    case Shape::Pack: return "B o0 o1 b r0 r1 c0 v0 v1";
    case Shape::Butterfly4: return "B r0 r1 r2 r3 c0 c1 c2 v0 v1 v2 v3";
    case Shape::Butterfly4To: return "B o0 o1 o2 o3 b r0 r1 r2 r3 c0 c1 c2 v0 v1 v2 v3";
    case Shape::Term: return "B o0 b r0 c0 v0 c1";
    case Shape::Combine: return "B o0 b r0 r1 v0 v1";
    case Shape::Swap: return "B r0 r1 v0 v1";
    case Shape::Move: return "B o0 b r0 v0";
    case Shape::Scale: return "B r0 v0 c0";
    case Shape::ScaleTo: return "B o0 b r0 v0 c0";
    case Shape::Atomic: return "B r0 v0 c0";
    case Shape::Load: return "b r0 v0";
    case Shape::Store: return "B o0 e0";
    case Shape::None:
    case Shape::Barrier: return "";
  }
  return "";
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

class Finder {
 public:
  Finder(const TraceInfo& info, const Operation& operation, const LaunchInfo& launch)
      : operation_(operation), launch_(launch) {
    const auto source = static_cast<std::size_t>(launch.source);
    if (launch.source < 0 || source >= info.sources.size()) return;
    lines_ = without_comments(source_lines(info.sources[source].text));
    kernel_ = kernel_lines(lines_, launch.kernel);
    for (const Site& site : info.sites)
      if (site.source == launch.source && site.line <= operation.line &&
          operation.line <= std::max(site.line, site.last_line))
        site_ = &site;
  }

  std::vector<LineValue> find() {
    if (lines_.empty() || operation_.line < 1 || static_cast<std::size_t>(operation_.line) > lines_.size()) return {};
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
  std::vector<std::string> lines_;
  LineRange kernel_;
  const Site* site_ = nullptr;
  std::vector<LineValue> found_;

  int first_line() const { return kernel_.first > 0 && kernel_.first <= operation_.line ? kernel_.first : 1; }
  const std::string& line(int number) const { return lines_[static_cast<std::size_t>(number) - 1]; }

  // The nearest line above the trace line for which `does` holds; 0 when there is none in the kernel.
  template <typename Does>
  int nearest_above(Does does) const {
    for (int number = operation_.line - 1; number >= first_line(); --number)
      if (does(line(number))) return number;
    return 0;
  }

  void add(int number, std::string name, std::string text, Role plate = Role::None, Role underline = Role::None) {
    if (number == 0) return;
    for (const LineValue& other : found_)
      if (other.line == number && other.name == name) return;
    found_.push_back({number, std::move(name), std::move(text), plate, underline});
  }

  void arguments_of_trace_line() {
    if (!site_) return;
    const std::vector<std::string> arguments = call_arguments(lines_, site_->line, site_->macro);
    std::string read_buffer, written_buffer;
    std::vector<std::string> read_index(4), written_index(4);
    std::size_t at = 0;
    std::string_view parameters = parameters_of(operation_.shape);
    struct Variable {
      std::string name;
      char kind;
      int number;
    };
    std::vector<Variable> variables;
    while (!parameters.empty() && at < arguments.size()) {
      const std::string_view parameter = parameters.substr(0, parameters.find(' '));
      parameters.remove_prefix(std::min(parameters.size(), parameter.size() + 1));
      const std::string& argument = arguments[at++];
      const int number = parameter.size() > 1 ? parameter[1] - '0' : 0;
      if (parameter == "B")
        written_buffer = argument;
      else if (parameter == "b")
        read_buffer = argument;
      else {
        if (parameter[0] == 'r') read_index[static_cast<std::size_t>(number)] = argument;
        if (parameter[0] == 'o') written_index[static_cast<std::size_t>(number)] = argument;
        // `p.i0` was known when `p` was.
        const std::string base = argument.substr(0, argument.find('.'));
        if (is_identifier(base) && is_member_path(argument)) variables.push_back({argument, parameter[0], number});
      }
    }
    if (read_buffer.empty()) read_buffer = written_buffer;
    for (const Variable& variable : variables) show(variable.name, variable.kind, variable.number);

    // In place, what is written lies where it was read.
    for (int i = 0; i < operation_.writes.size(); ++i) {
      const Access& access = operation_.writes[i];
      const std::string& index = written_index[static_cast<std::size_t>(i)].empty()
                                     ? read_index[static_cast<std::size_t>(i)]
                                     : written_index[static_cast<std::size_t>(i)];
      if (!access.known || index.empty()) continue;
      add(nearest_above([&](const std::string& text) { return writes_element(text, written_buffer, index); }),
          fmt::format("{}[{}]", written_buffer, index), value_text(access.value), Role::Now);
    }
  }

  void show(const std::string& name, char kind, int number) {
    const std::string base = name.substr(0, name.find('.'));
    int where = nearest_above([&](const std::string& text) { return assigns(text, name); });
    if (where == 0 && base != name) where = nearest_above([&](const std::string& text) { return assigns(text, base); });
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
      const std::string& text = line(number);
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos || equals == 0) continue;
      const std::size_t semicolon = text.find(';', equals);
      const std::string_view left = trim(std::string_view(text).substr(0, equals));
      std::size_t begin = left.size();
      while (begin > 0 && word_letter(left[begin - 1])) --begin;
      const std::string name(left.substr(begin));
      if (!is_identifier(name)) continue;
      const std::string right = without_spaces(std::string_view(text).substr(
          equals + 1, semicolon == std::string::npos ? std::string_view::npos : semicolon - equals - 1));
      if (const auto value = known_expression(right, launch_, ids)) add(number, name, fmt::format("{}", *value));
    }
  }

  // Scalars that the launch handed in, on the line that declares them: "span = 4".
  void launch_arguments() {
    if (kernel_.first == 0) return;
    std::string header;
    std::vector<int> line_of;  // of each character of the header
    int depth = 0;
    bool opened = false, closed = false;
    for (int number = kernel_.first; number <= operation_.line && !closed; ++number)
      for (char c : line(number)) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == '(' && depth == 1 && !opened) {
          opened = true;
          continue;
        }
        if (opened && depth == 0) {
          closed = true;
          break;
        }
        if (opened) header += c, line_of.push_back(number);
      }
    if (!closed) return;
    std::size_t begin = 0;
    for (std::size_t argument = 0; argument < launch_.arguments.size() && begin < header.size(); ++argument) {
      const std::size_t comma = std::min(header.find(',', begin), header.size());
      std::string_view parameter = trim(std::string_view(header).substr(begin, comma - begin));
      if (parameter.ends_with("TRACE_PARAMS")) parameter = trim(parameter.substr(0, parameter.size() - 12));
      std::size_t name_at = parameter.size();
      while (name_at > 0 && word_letter(parameter[name_at - 1])) --name_at;
      const std::string name(parameter.substr(name_at));
      const std::string& given = launch_.arguments[argument];
      const std::size_t colon = given.find(':');
      if (colon != std::string::npos && !given.starts_with("local:") && is_identifier(name)) {
        std::string text = given.substr(colon + 1);
        if (text.starts_with('-')) text.replace(0, 1, "−");
        const std::size_t last = std::min(comma, header.size()) - 1;
        add(line_of[last], name, fmt::format("{} = {}", name, text));
      }
      begin = comma + 1;
    }
  }
};

/// The line on which the body of a definition ends that begins at `at` of line `i`; code.size() when it has no body: a
/// definition's brace opens before any semicolon.
std::size_t end_of_body(const std::vector<std::string>& code, std::size_t i, std::size_t at) {
  int depth = 0;
  for (; i < code.size(); ++i, at = 0)
    for (; at < code[i].size(); ++at) {
      if (code[i][at] == ';' && depth == 0) return code.size();
      if (code[i][at] == '{') ++depth;
      if (code[i][at] == '}' && --depth <= 0) return depth == 0 ? i : code.size();
    }
  return code.size();
}

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
  const std::vector<std::string> code = without_comments(lines);
  for (std::size_t i = 0; i < code.size() && !kernel.empty(); ++i) {
    const std::size_t at = find_word(code[i], kernel);
    if (at == std::string::npos) continue;
    if (!trim(std::string_view(code[i]).substr(at + kernel.size())).starts_with('(')) continue;
    const std::size_t end = end_of_body(code, i, at);
    if (end == code.size()) continue;
    // `kernel void` may stand on the line above the name.
    const bool name_first = trim(std::string_view(code[i]).substr(0, at)).empty();
    const bool above =
        name_first && i > 0 && !trim(code[i - 1]).empty() && code[i - 1].find_first_of(";}") == std::string::npos;
    return {static_cast<int>(above ? i : i + 1), static_cast<int>(end) + 1};
  }
  return {};
}

std::vector<std::string> call_arguments(const std::vector<std::string>& lines, int line, std::string_view macro) {
  std::vector<std::string> arguments;
  if (line < 1 || static_cast<std::size_t>(line) > lines.size()) return arguments;
  std::size_t number = static_cast<std::size_t>(line) - 1;
  std::size_t at = find_word(lines[number], macro);
  if (at == std::string::npos) return arguments;
  at += macro.size();
  int depth = 0;
  std::string argument;
  constexpr std::size_t most_lines = 40;
  for (const std::size_t last = std::min(lines.size(), number + most_lines); number < last;
       ++number, at = 0, argument += ' ')
    for (; at < lines[number].size(); ++at) {
      const char c = lines[number][at];
      const bool opens = c == '(' || c == '[' || c == '{', closes = c == ')' || c == ']' || c == '}';
      if (opens && depth++ == 0) continue;
      if (closes && --depth == 0) {
        if (!trim(argument).empty() || !arguments.empty()) arguments.emplace_back(trim(argument));
        return arguments;
      }
      if (c == ',' && depth == 1) {
        arguments.emplace_back(trim(argument));
        argument.clear();
      } else if (depth > 0) {
        argument += c;
      }
    }
  return {};
}

std::vector<LineValue> live_values(const TraceInfo& info, const Operation& operation) {
  const LaunchInfo* launch = launch_numbered(info, operation.launch);
  return launch ? Finder(info, operation, *launch).find() : std::vector<LineValue>{};
}

}  // namespace twiddle
