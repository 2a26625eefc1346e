#include "tracer/cuda/ptx/ptx_variables.h"

#include "base/text.h"
#include "tracer/cuda/ptx/ptx.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <memory>

namespace twiddle::cuda {
namespace {

// "kernel(float*)::tile" of "_ZZ6kernelPfE4tile" ends with what the source names it.
std::string bare_name(const std::string& symbol) {
  if (symbol.compare(0, 2, "_Z") != 0) return symbol;  // "s" would be short
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  const std::string name = status == 0 && text ? text.get() : symbol;
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

// The lines of a text.
template <typename Each>
void each_line(std::string_view text, const Each& each) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    each(text.substr(at, end - at), at);
    at = end + 1;
  }
}

// What ".f32" is; bytes may be of any type.
ElementType element_type_of(std::string_view word) {
  if (word == ".f32") return ElementType::Float;
  if (word == ".f64") return ElementType::Double;
  if (word == ".u64" || word == ".b64") return ElementType::ULong;
  if (word == ".s64") return ElementType::Long;
  if (word == ".s32") return ElementType::Int;
  return ElementType::UInt;
}

// The next word of a line, which loses it.
std::string_view word_of(std::string_view& line) {
  line = trimmed(line);
  std::size_t end = 0;
  while (end < line.size() && !std::isspace(static_cast<unsigned char>(line[end]))) ++end;
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

// ".visible .global .align 4 .b8 table[64] = {…", ".shared .align 8 .b8 _ZZ1kPfE4tile[256];"; no symbol: declares none.
Variable declared(std::string_view line) {
  Variable variable;
  bool declares = false, fixed = true;
  std::size_t element = 0, at = 0;
  for (std::string_view word; !(word = next_token(line, at)).empty();) {
    if (word[0] != '.') {
      if (!declares || element == 0 || !of_symbol(word[0])) return {};
      variable.symbol = std::string(word);
      const bool array = next_token(line, at) == "[";
      const std::size_t count = array ? leading_number(next_token(line, at)) : 1;
      variable.bytes = fixed || count > 0 ? element * count : 0;
      variable.name = bare_name(variable.symbol);
      return variable;
    }
    if (word == ".extern") {
      fixed = false;
    } else if (word == ".align") {
      variable.alignment = std::max<std::size_t>(leading_number(next_token(line, at)), 1);
    } else if (word == ".global" || word == ".const" || word == ".shared") {
      declares = true;
      variable.space = word == ".shared" ? Space::Local : word == ".const" ? Space::Constant : Space::Global;
    } else if (const std::size_t bytes = bytes_of_type(word)) {
      element = bytes;
      variable.type = element_type_of(word);
    } else if (word == ".attribute") {  // (.managed)
      while (!word.empty() && word != ")") word = next_token(line, at);
    } else if (word != ".visible" && word != ".weak" && word != ".common") {
      return {};
    }
  }
  return {};
}

bool has_symbol(std::string_view text, std::string_view symbol) {
  for (std::size_t at = text.find(symbol); at != std::string_view::npos; at = text.find(symbol, at + 1)) {
    const std::size_t end = at + symbol.size();
    if ((at == 0 || !of_symbol(text[at - 1])) && (end == text.size() || !of_symbol(text[end]))) return true;
  }
  return false;
}

constexpr const char* strong_orders[] = {".volatile", ".relaxed", ".acquire", ".release"};

// "ld.volatile.shared.u32" of "@%p1 ld.volatile.shared.u32 %r1, [%rd2];"
std::string_view operation_of(std::string_view text) {
  if (!text.empty() && text[0] == '@') word_of(text);
  return word_of(text);
}

// Or of memory of any kind, which may be shared.
bool of_shared_memory(std::string_view operation) {
  if (operation.substr(0, 3) != "ld." && operation.substr(0, 3) != "st.") return false;
  for (const char* other : {".global", ".param", ".const", ".local"})
    if (operation.find(other) != std::string_view::npos) return false;
  return true;
}

}  // namespace

std::vector<Variable> file_variables(std::string_view ptx) {
  std::vector<Variable> variables;
  each_line(ptx, [&](std::string_view line, std::size_t) {
    if (line.find(".global") == std::string_view::npos && line.find(".const") == std::string_view::npos) return;
    Variable variable = declared(line);
    if (!variable.symbol.empty() && variable.space != Space::Local && variable.symbol[0] != '$' &&
        variable.symbol.compare(0, 6, "__cuda") != 0)
      variables.push_back(std::move(variable));
  });
  return variables;
}

std::vector<Variable> shared_variables(std::string_view ptx, const std::string& kernel_symbol) {
  std::map<std::string, std::string_view, std::less<>> all;
  for (const PtxFunction& one : functions_of(ptx)) all.emplace(one.symbol, one.text);
  // What the kernel calls, and what that calls.
  std::set<std::string> reached{kernel_symbol};
  for (bool more = true; more;) {
    more = false;
    for (const auto& [name, body] : all)
      if (!reached.count(name) && std::any_of(reached.begin(), reached.end(), [&](const std::string& from) {
            const auto at = all.find(from);
            return at != all.end() && has_symbol(at->second, name);
          }))
        more = reached.insert(name).second;
  }
  std::vector<Variable> variables;
  std::set<std::string> known;
  each_line(ptx, [&](std::string_view line, std::size_t at) {
    if (line.find(".shared") == std::string_view::npos) return;
    Variable variable = declared(line);
    if (variable.symbol.empty() || variable.space != Space::Local) return;
    for (const std::string& name : reached) {
      const auto body = all.find(name);
      if (body == all.end()) continue;
      const auto begin = static_cast<std::size_t>(body->second.data() - ptx.data());
      const bool inside = at >= begin && at < begin + body->second.size();
      if ((inside || has_symbol(body->second, variable.symbol)) && known.insert(variable.symbol).second) {
        variables.push_back(std::move(variable));
        return;
      }
    }
  });
  return variables;
}

SharedLines shared_lines(std::string_view ptx) {
  // .file 1 "fft.cu" comes at the end, .loc 1 20 5 before what it is of.
  std::map<std::size_t, std::string> files;
  each_line(ptx, [&](std::string_view line, std::size_t) {
    if (word_of(line) != ".file") return;
    const std::size_t number = leading_number(word_of(line));
    line = trimmed(line);
    const std::size_t end = line.find('"', 1);
    if (!line.empty() && line[0] == '"' && end != std::string_view::npos) files[number] = line.substr(1, end - 1);
  });
  SharedLines lines;
  SharedLines::Place current;
  each_line(ptx, [&](std::string_view line, std::size_t) {
    const std::string_view text = trimmed(line);
    std::string_view rest = text;
    if (word_of(rest) == ".loc") {
      current.first = files[leading_number(word_of(rest))];
      current.second = static_cast<int>(leading_number(word_of(rest)));
    } else if (const std::string_view operation = operation_of(text); of_shared_memory(operation)) {
      const bool strong = std::any_of(std::begin(strong_orders), std::end(strong_orders), [&](const char* order) {
        return operation.find(order) != std::string_view::npos;
      });
      (strong ? lines.strong : operation[0] == 'l' ? lines.plain_loads : lines.plain_stores).insert(current);
    }
  });
  return lines;
}

Message unseen_order(std::string_view ptx) {
  const auto has = [&](std::string_view text) { return ptx.find(text) != std::string_view::npos; };
  if (has("%envreg")) return Message("barriers across the grid are not logged");
  if (has("barrier.cluster") || has("shared::cluster.")) return Message("barriers of a cluster are not logged");
  if (has("cp.async.bulk") || has("cp.reduce.async.bulk")) return Message("bulk copies (TMA) are not logged");
  if (has("mbarrier.")) return Message("barriers in memory (cuda::barrier) are not logged");
  if (has("ldmatrix.") || has("stmatrix."))
    return Message("matrix loads and stores (ldmatrix, stmatrix) are not logged");
  if (has("wgmma.")) return Message("matrix products from shared memory (wgmma) are not logged");
  return {};
}

}  // namespace twiddle::cuda
