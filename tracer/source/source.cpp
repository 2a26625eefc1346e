// prepare_source and source_files: a kernel source with its includes put in place.
#include "tracer/source/source.h"

#include "base/error.h"
#include "base/paths.h"
#include "kernels/plan/expression.h"
#include "tracer/source/tokens.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

constexpr std::size_t max_file = std::size_t(1) << 20;
constexpr std::size_t max_text_bytes = std::size_t(4) << 20;  // of everything put together
constexpr int max_includes = 256;
constexpr int deepest_include = 32;
constexpr std::string_view device_header = "trace_device.h";

std::string read_text(const fs::path& file, const std::string& shown) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) throw usage_error("{} is not a file that could be included", shown);
  if (fs::file_size(file, failed) > max_file)
    throw usage_error("{} is larger than the {} KiB a kernel source may have", shown, max_file >> 10);
  std::ifstream in(file, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (!in.good() && !in.eof()) throw usage_error("{} could not be read", shown);
  return text;
}

// `name` as it may be between the quotes of a #line directive.
std::string line_name(std::string_view name) {
  std::string text = "\"";
  for (char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  }
  return text + '"';
}

bool inside(const fs::path& file, const fs::path& directory) {
  if (directory.empty()) return false;
  std::error_code failed;
  const fs::path root = fs::weakly_canonical(directory, failed);
  if (failed) return false;
  const fs::path relative = file.lexically_relative(root);
  return !relative.empty() && *relative.begin() != "..";
}

// One `#include` (or `#pragma once`) of a file, as a range of its text.
struct Directive {
  std::size_t from = 0, to = 0;  // bytes: "#" … before the line break
  int line = 0, next_line = 0;   // of "#", and of what follows
  bool once = false;
  bool quotes = false;  // "name" or <name>
  std::string name;     // empty: neither form
};

std::vector<Directive> directives(const std::string& name, const std::string& text) {
  const auto refuse = [&](int line) {
    throw usage_error("{} line {}: write #include as one word, with #", name, line);
  };
  const std::vector<Token> tokens = tokenize(text);
  std::vector<Directive> found;
  const auto offset = [&](const Token& token) { return static_cast<std::size_t>(token.text.data() - text.data()); };
  for (std::size_t i = 0; i < tokens.size();) {
    if (!tokens[i].directive) {
      // "%:" and "??=" are other spellings of "#", which kernels do not need.
      const std::string_view rest = std::string_view(text).substr(offset(tokens[i]), 3);
      if (rest.substr(0, 2) == "%:" || rest == "?\?=") refuse(tokens[i].line);
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < tokens.size() && tokens[end].directive == tokens[i].directive) ++end;
    const std::size_t words = end - i;
    if (words >= 2) {
      // A word that goes on in the next line.
      const std::size_t after = offset(tokens[i + 1]) + tokens[i + 1].text.size();
      if (after < text.size() && text[after] == '\\') refuse(tokens[i + 1].line);
    }
    const bool include =
        words >= 2 && (tokens[i + 1].is("include") || tokens[i + 1].is("include_next") || tokens[i + 1].is("import"));
    const bool once = words >= 3 && tokens[i + 1].is("pragma") && tokens[i + 2].is("once");
    if (include || once) {
      Directive directive;
      directive.once = once;
      directive.line = tokens[i].line;
      directive.from = offset(tokens[i]);
      const Token& last = tokens[end - 1];
      directive.to = offset(last) + last.text.size();
      directive.next_line = last.line;
      if (include && words >= 3 && tokens[i + 2].kind == Token::Kind::String && tokens[i + 2].text.size() > 2) {
        directive.quotes = true;
        directive.name = tokens[i + 2].text.substr(1, tokens[i + 2].text.size() - 2);
      } else if (include && words >= 4 && tokens[i + 2].is("<") && last.is(">")) {
        directive.name = text.substr(offset(tokens[i + 2]) + 1, offset(last) - offset(tokens[i + 2]) - 1);
      }
      found.push_back(std::move(directive));
    }
    i = end;
  }
  return found;
}

class Flattener {
 public:
  explicit Flattener(const KernelSource& source) : root_(source.directory), edited_(source.edited) {
    for (const char* folder : {"kernels/opencl", "kernels/cuda"}) allowed_.push_back(resource(folder));
    if (!root_.empty()) allowed_.push_back(root_);
  }

  std::string run(const KernelSource& source) {
    if (source.text.size() > max_file)
      throw usage_error("{} is larger than the {} KiB a kernel source may have", source.name, max_file >> 10);
    append(source.name, source.text, root_, 0);
    return std::move(out_);
  }

  std::vector<SourceText> files;

 private:
  void append(const std::string& name, const std::string& text, const fs::path& directory, int depth) {
    if (name != device_header &&
        std::none_of(files.begin(), files.end(), [&](const SourceText& file) { return file.name == name; }))
      files.push_back({name, text});
    add("#line 1 " + line_name(name) + "\n");
    std::size_t from = 0;
    for (const Directive& directive : directives(name, text)) {
      add(std::string_view(text).substr(from, directive.from - from));
      from = directive.to;
      if (directive.once) {
        once_.insert(name);
      } else if (!put(name, directive, directory, depth)) {
        add(std::string_view(text).substr(directive.from, directive.to - directive.from));
        continue;
      } else {
        // What follows the directive on its line is at most a comment's end: the rest of the line keeps its number.
        add("\n#line " + std::to_string(directive.next_line) + " " + line_name(name) + "\n");
      }
    }
    add(std::string_view(text).substr(from));
  }

  // Puts an included file in place; false: the compiler's own headers find it.
  bool put(const std::string& name, const Directive& directive, const fs::path& directory, int depth) {
    const std::string place = name + " line " + std::to_string(directive.line);
    if (directive.name.empty()) throw usage_error("{}: write the included file's name in quotes", place);
    const fs::path wanted(directive.name);
    if (wanted.filename() == device_header) {
      add("\n");
      append(std::string(device_header), read_text(resource("tracer/log/trace_device.h"), "trace_device.h"), {},
             depth + 1);
      return true;
    }
    if (!directive.quotes) {
      const bool plain = wanted.is_relative() &&
                         std::none_of(wanted.begin(), wanted.end(), [](const fs::path& part) { return part == ".."; });
      if (plain) return false;
      throw usage_error("{} includes <{}>, which is outside the kernel's own folder", place, directive.name);
    }

    if (depth >= deepest_include || ++includes_ > max_includes)
      throw usage_error("{} includes {} too deep: does a file include itself?", place, directive.name);
    std::error_code failed;
    const fs::path file = fs::weakly_canonical(directory / wanted, failed);
    if (failed || directory.empty() || !fs::exists(file, failed))
      throw usage_error("{} includes {}, which is not in {}", place, directive.name,
                        directory.empty() ? std::string("any folder") : directory.string());
    if (std::none_of(allowed_.begin(), allowed_.end(), [&](const fs::path& folder) { return inside(file, folder); }))
      throw usage_error("{} includes {}, which is outside the kernel's own folder; copy it beside the kernel", place,
                        directive.name);

    // Shown by its path from the kernel's folder, as a compiler run there would.
    fs::path shown = file.lexically_relative(fs::weakly_canonical(root_, failed));
    if (shown.empty() || *shown.begin() == "..") shown = file.filename();
    if (once_.count(shown.string())) return true;
    add("\n");
    const auto edited = edited_.find(shown.string());
    append(
        shown.string(),
        edited == edited_.end() ? read_text(file, place + " includes " + directive.name + ", which") : edited->second,
        file.parent_path(), depth + 1);
    return true;
  }

  void add(std::string_view text) {
    if (out_.size() + text.size() > max_text_bytes)
      throw usage_error("the kernel source is larger than {} MiB with what it includes", max_text_bytes >> 20);
    out_ += text;
  }

  fs::path root_;
  const SourceEdits& edited_;  // of the source that is flattened, which outlives this
  std::vector<fs::path> allowed_;
  std::set<std::string> once_;
  std::string out_;
  int includes_ = 0;
};

void check_define(const std::string& define) {
  const std::string_view name = std::string_view(define).substr(0, define.find('='));
  const bool control = std::any_of(define.begin(), define.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\\'; });
  if (!is_identifier(name) || control || define.size() > 1000)
    throw usage_error("\"{}\" cannot be handed to the compiler; write NAME=VALUE", define.substr(0, 100));
}

}  // namespace

FlatSource flat_source(const KernelSource& source) {
  Flattener flattener(source);
  FlatSource flat;
  flat.name = source.name;
  flat.text = flattener.run(source);
  flat.files = std::move(flattener.files);
  return flat;
}

ProgramSource prepare_source(const FlatSource& source, const std::vector<std::string>& defines,
                             const Instrumentation& instrumentation) {
  ProgramSource program;
  program.name = source.name;
  for (const std::string& define : defines) {
    check_define(define);
    program.defines.push_back(define);
  }
  if (instrumentation.traced) {
    program.defines.push_back("TWIDDLE_TRACE=1");
    program.defines.push_back(instrumentation.detail == Detail::Values ? "TRACE_VALUES=1" : "TRACE_VALUES=0");
    program.defines.push_back("TRACE_DIMENSIONS=" + std::to_string(instrumentation.dimensions));
    if (instrumentation.filter) program.defines.push_back("TRACE_FILTER=1");
  }
  program.text = source.text;
  return program;
}

ProgramSource prepare_source(const KernelSource& source, const std::vector<std::string>& defines,
                             const Instrumentation& instrumentation) {
  return prepare_source(flat_source(source), defines, instrumentation);
}

std::vector<SourceText> source_files(const KernelSource& source) { return flat_source(source).files; }

}  // namespace twiddle
