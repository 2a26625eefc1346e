#include "tracer/cuda/ptx/ptx.h"

#include "base/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace twiddle::cuda {
namespace {

// "_Z9fft_stageP6float2i" is fft_stage; names in namespaces stay as they are.
std::string source_name(const std::string& symbol) {
  if (symbol.compare(0, 2, "_Z") != 0 || symbol.size() < 4) return symbol;
  std::size_t digits = 2;
  while (digits < symbol.size() && is_digit(symbol[digits])) ++digits;
  const std::size_t length = leading_number(std::string_view(symbol).substr(2, digits - 2));
  return digits > 2 && length <= symbol.size() - digits ? symbol.substr(digits, length) : symbol;
}

// Behind what is closed by `end`, from the place where it opens.
std::size_t behind(std::string_view text, std::string_view end, std::size_t from) {
  const std::size_t at = text.find(end, from);
  return at == std::string_view::npos ? text.size() : at + end.size();
}

// ( .param .u64 .ptr .align 1 fft_stage_param_0, .param .align 8 .b8 fft_stage_param_1[8] )
std::vector<std::size_t> parameter_bytes_in(std::string_view text) {
  std::vector<std::size_t> bytes;
  std::size_t at = 0, element = 0, count = 1;
  bool array = false;
  if (next_token(text, at) != "(") return bytes;
  for (std::string_view token; !(token = next_token(text, at)).empty();) {
    if (token == "," || token == ")") {
      if (element) bytes.push_back(element * count);
      element = 0;
      count = 1;
      if (token == ")") break;
    } else if (token == "[" || token == "]") {
      array = token == "[";
    } else if (array) {
      count = leading_number(token);
    } else if (const std::size_t own = bytes_of_type(token)) {
      element = own;
    }
  }
  return bytes;
}

}  // namespace

bool of_symbol(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%'; }

std::string_view next_token(std::string_view ptx, std::size_t& at) {
  while (at < ptx.size()) {
    if (std::isspace(static_cast<unsigned char>(ptx[at])))
      ++at;
    else if (ptx.substr(at, 2) == "//")
      at = behind(ptx, "\n", at);
    else if (ptx.substr(at, 2) == "/*")
      at = behind(ptx, "*/", at + 2);
    else
      break;
  }
  const std::size_t from = at;
  if (at < ptx.size() && ptx[at] == '"') {
    at = behind(ptx, "\"", at + 1);
    return ptx.substr(from, at - from);
  }
  while (at < ptx.size() && of_symbol(ptx[at])) ++at;
  if (at == from && at < ptx.size()) ++at;
  if (at == from + 1 && ptx[from] == '.')  // a directive or type: ".entry", ".u64"
    while (at < ptx.size() && of_symbol(ptx[at])) ++at;
  return ptx.substr(from, at - from);
}

std::size_t leading_number(std::string_view text) {
  std::size_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::size_t bytes_of_type(std::string_view word) {
  const bool type = word.size() >= 3 && word[0] == '.' &&
                    std::string_view("usbf").find(word[1]) != std::string_view::npos && is_digit(word[2]);
  return type ? leading_number(word.substr(2)) / 8 : 0;
}

std::vector<PtxFunction> functions_of(std::string_view ptx) {
  std::vector<PtxFunction> functions;
  std::size_t depth = 0, begin = 0;
  bool open = false;  // the last one has not ended
  const auto end = [&](std::size_t at) {
    if (open) functions.back().text = ptx.substr(begin, at - begin);
    open = false;
  };
  std::size_t at = 0;
  for (std::string_view token; !(token = next_token(ptx, at)).empty();) {
    if (token == ".entry" || token == ".func") {
      end(at - token.size());
      const bool kernel = token == ".entry";
      token = next_token(ptx, at);
      if (!kernel && token == "(") {  // what a function returns comes before its name
        while (!token.empty() && token != ")") token = next_token(ptx, at);
        token = next_token(ptx, at);
      }
      functions.push_back({std::string(token), kernel, {}});
      begin = at;
      open = true;
      depth = 0;
    } else if (token == "{") {
      ++depth;
    } else if (token == "}" && depth > 0 && --depth == 0) {
      end(at);
    } else if (token == ";" && depth == 0 && open) {  // it is only declared
      functions.pop_back();
      open = false;
    }
  }
  end(ptx.size());
  return functions;
}

bool has_kernel(std::string_view ptx, std::string_view symbol) {
  const std::vector<PtxFunction> functions = functions_of(ptx);
  return std::any_of(functions.begin(), functions.end(),
                     [&](const PtxFunction& one) { return one.kernel && one.symbol == symbol; });
}

std::vector<Entry> entries_of(std::string_view ptx) {
  std::vector<Entry> entries;
  for (const PtxFunction& one : functions_of(ptx))
    if (one.kernel)
      entries.push_back({source_name(one.symbol), one.symbol, parameter_bytes_in(one.text),
                         one.text.find("griddepcontrol.wait") != std::string_view::npos});
  return entries;
}

}  // namespace twiddle::cuda
