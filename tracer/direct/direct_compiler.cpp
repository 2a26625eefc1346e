#include "tracer/direct/direct_compiler.h"

#include "base/error.h"
#include "base/paths.h"
#include "base/process.h"
#include "base/read_file.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "base/values/hash.h"
#include "base/write_file.h"
#include "tracer/source/compile_error.h"
#include "tracer/source/source.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/ranges.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <system_error>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

constexpr double patience = 60;  // seconds for the compiler

// As long as they are, names of this kind come from nowhere else.
std::string entry_name(const std::string& kernel) { return "twiddle_direct_" + kernel; }
std::string names_name(const std::string& kernel) { return "twiddle_direct_names_" + kernel; }
std::string bytes_name(const std::string& kernel) { return "twiddle_direct_bytes_" + kernel; }

std::string find_clang() {
  for (const char* name : {"clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14", "clang-13"})
    if (!find_program(name).empty()) return name;
  throw no_device("no clang was found");
}

// One of all of them, told apart by where they end.
std::uint64_t hash_of(const std::vector<std::string>& texts) {
  return fnv_1a(fmt::format("{}", fmt::join(texts, std::string_view("\0", 1))));
}

fs::path device_file(const char* name) { return resource("tracer/direct/device") / name; }

void run_clang(const std::vector<std::string>& command, const fs::path& folder, const std::string& name) {
  const ProcessResult result = run_process(command, patience, folder);
  if (result.timed_out) throw usage_error("{} takes the compiler longer than {} s; make it smaller", name, patience);
  if (result.status != 0) throw does_not_compile(name, result.errors);
}

// Puts a finished file where others look for it; no other process sees half of it.
void keep(const fs::path& made, const fs::path& to) {
  std::error_code failed;
  PendingFile pending(to);
  fs::copy_file(made, pending.path(), failed);
  if (!failed) failed = pending.try_keep();
  if (failed) throw no_device("{} cannot be written: {}", to.string(), failed.message());
}

// Functions whose parameters are known only to the compiler are called by others that it makes of the same text: each takes its
// arguments from where the array says they are. A structure of one parameter has its declaration as it is written.
std::optional<std::string> calls_of(const std::string& text, const std::vector<std::string>& wanted) {
  const std::vector<Token> tokens = tokenize(text);
  std::set<std::string> known, twice;
  const std::vector<KernelDefinition> definitions = kernel_definitions(tokens);
  for (const KernelDefinition& one : definitions)
    if (const std::string name(tokens[one.name].text); !known.insert(name).second) twice.insert(name);
  const bool conditional = text.find("#if") != std::string::npos;
  std::string calls;
  for (const KernelDefinition& one : definitions) {
    const std::string name(tokens[one.name].text);
    const bool asked_for = std::find(wanted.begin(), wanted.end(), name) != wanted.end();
    if (twice.count(name) && asked_for) return std::nullopt;  // which of the two is for the preprocessor to say
    // A change may launch the others, too, but for those that only a driver runs; what conditionals leave out is not there.
    const bool plain = std::none_of(
        tokens.begin() + static_cast<std::ptrdiff_t>(one.open), tokens.begin() + static_cast<std::ptrdiff_t>(one.close),
        [](const Token& token) { return token.text.starts_with("image") && token.text.ends_with("_t"); });
    if (!asked_for && (twice.count(name) || !plain || conditional)) continue;
    std::string arguments, bytes, names;
    int number = 0;
    for (const auto& [first, last] : arguments_of(tokens, one.open, one.close)) {
      if (last == first + 1 && tokens[first].is("void")) continue;
      // The name, and behind it "[]" or "[n]" of what is a pointer.
      std::size_t at = last;
      while (at > first && !tokens[at - 1].identifier()) --at;
      bool array = false;
      for (std::size_t k = first; k < last; ++k)
        if (tokens[k].is("[")) {
          at = k;
          array = true;
          break;
        }
      if (at == first) return std::nullopt;
      const std::string parameter(tokens[at - 1].text);
      const std::string type = fmt::format("struct {}_{}", entry_name(name), number);
      const std::string declared =
          array ? spelling(tokens, first, at - 1) + " *" + parameter : spelling(tokens, first, last);
      calls += fmt::format("{} {{ {}; }};\n", type, declared);
      arguments += fmt::format("{}((__private {} *)a[{}])->{}", number == 0 ? "" : ", ", type, number, parameter);
      bytes += fmt::format("{}sizeof({})", number == 0 ? "" : ", ", type);
      names += (number == 0 ? "" : " ") + parameter;
      ++number;
    }
    calls += fmt::format("void {}(__private void *__private *a) {{ {}({}); }}\n", entry_name(name), name, arguments);
    calls += fmt::format("__constant ulong {}[] = {{ {} }};\n", bytes_name(name), bytes.empty() ? "0" : bytes + ", 0");
    calls += fmt::format("__constant char {}[] = \"{}\";\n", names_name(name), names);
  }
  for (const std::string& name : wanted)
    if (!known.count(name)) return std::nullopt;
  return calls;
}

// The language and what it makes of numbers; how well it is to be compiled is not the plan's to say here.
std::vector<std::string> language_options(const ProgramSource& source) {
  std::vector<std::string> options;
  bool standard = false;
  for (const std::string& option : options_of(source, true)) {
    if (option.starts_with("-cl-std=")) standard = true;
    if (option.starts_with("-cl-std=") || option == "-cl-single-precision-constant") options.push_back(option);
  }
  if (!standard) options.emplace_back("-cl-std=CL1.2");
  return options;
}

// Where a library's own symbols are: names that only its file's table has.
std::vector<std::span<std::byte>> local_arrays(const fs::path& library, std::uintptr_t base,
                                               const std::vector<std::string>& kernels) {
  const std::string file = own_file(library);
  std::vector<std::span<std::byte>> found;
  Elf64_Ehdr head;
  if (file.size() < sizeof head) return found;
  std::memcpy(&head, file.data(), sizeof head);
  const auto section = [&](std::size_t k) {
    Elf64_Shdr one{};
    const std::size_t at = head.e_shoff + k * sizeof one;
    if (at + sizeof one <= file.size()) std::memcpy(&one, file.data() + at, sizeof one);
    return one;
  };
  for (std::size_t k = 0; k < head.e_shnum; ++k) {
    const Elf64_Shdr table = section(k);
    if (table.sh_type != SHT_SYMTAB || table.sh_offset + table.sh_size > file.size()) continue;
    const Elf64_Shdr names = section(table.sh_link);
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, file.data() + table.sh_offset + at, sizeof symbol);
      const std::size_t name_at = names.sh_offset + symbol.st_name;
      if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || name_at >= file.size()) continue;
      // "kernel.array"
      const std::string name(file.c_str() + name_at);
      const std::size_t dot = name.find('.');
      if (dot == std::string::npos || std::find(kernels.begin(), kernels.end(), name.substr(0, dot)) == kernels.end())
        continue;
      // A constant array within a kernel has such a name, too, and is not for writing.
      const Elf64_Shdr in = section(symbol.st_shndx);
      if (!(in.sh_flags & SHF_WRITE)) continue;
      found.push_back({reinterpret_cast<std::byte*>(base + symbol.st_value), symbol.st_size});
    }
  }
  return found;
}

}  // namespace

DirectModule::DirectModule(const fs::path& library, const std::vector<std::string>& kernels) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw no_device("{} cannot be loaded: {}", library.string(), dlerror());
  for (const std::string& name : kernels) {
    Kernel kernel{name, reinterpret_cast<Entry>(dlsym(handle, entry_name(name).c_str())), {}, {}};
    const auto* bytes = static_cast<const unsigned long*>(dlsym(handle, bytes_name(name).c_str()));
    const auto* names = static_cast<const char*>(dlsym(handle, names_name(name).c_str()));
    if (!kernel.entry || !bytes || !names) continue;
    std::size_t count = 0;
    while (bytes[count] > 0) ++count;
    kernel.parameter_bytes = {bytes, count};
    kernel.parameters = words_of(names);
    kernels_.push_back(std::move(kernel));
  }
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map) locals_ = local_arrays(library, map->l_addr, kernels);
}

DirectCompiler::DirectCompiler() : clang_(find_clang()) {
  std::error_code failed;
  const fs::path program = fs::canonical(find_program(clang_), failed);
  const std::uint64_t hash = hash_of({program.string(), fmt::format("{}", fs::file_size(program, failed)),
                                      own_file(device_file("items.h")), own_file(device_file("builtins.cl"))});
  const fs::path cache = cache_directory() / "direct";
  fs::create_directories(cache, failed);
  if (failed) throw no_device("{} cannot be made: {}", cache.string(), failed.message());
  functions_ = cache / fmt::format("functions-{:016x}.so", hash);
  if (!fs::exists(functions_)) {
    const TemporaryFolder folder;
    try {
      run_clang({clang_, "-x", "cl", "-cl-std=CL2.0", "-O0", "-fPIC", "-fno-builtin", "-ffp-contract=off", "-w", "-c",
                 device_file("builtins.cl").string(), "-o", "builtins.o"},
                folder.path(), "builtins.cl");
      run_clang({clang_, "-shared", "-Wl,-Bsymbolic", "builtins.o", "-o", "functions.so", "-lm"}, folder.path(),
                "builtins.cl");
    } catch (const Error&) { throw no_device("{} does not compile OpenCL for this processor", clang_); }
    keep(folder.path() / "functions.so", functions_);
  }
  void* handle = dlopen(functions_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle) state_ = static_cast<twiddle_direct_state*>(dlsym(handle, "twiddle_direct_state"));
  if (!state_) throw no_device("{} cannot be loaded; delete it", functions_.string());
}

DirectModule DirectCompiler::compile(const ProgramSource& source, const fs::path& folder) const {
  // What kernels print is not wanted.
  const std::string text = "#define printf(...) 0\n#line 1\n" + compiler_text(source);
  const std::vector<std::string> language = language_options(source);
  std::vector<std::string> words = language;
  words.push_back(text);
  for (const std::string& kernel : source.kernels) words.push_back(kernel);
  const fs::path library = folder / fmt::format("{:016x}.so", hash_of(words));
  std::vector<std::string> kernels = kernel_names(text);
  kernels.insert(kernels.end(), source.kernels.begin(), source.kernels.end());
  std::sort(kernels.begin(), kernels.end());
  kernels.erase(std::unique(kernels.begin(), kernels.end()), kernels.end());
  if (!fs::exists(library)) {
    const TemporaryFolder own;
    const fs::path file = own.path() / "source" / fs::path(source.name).filename();
    fs::create_directories(file.parent_path());
    std::vector<std::string> clang{clang_,
                                   "-x",
                                   "cl",
                                   "-O0",
                                   "-fPIC",
                                   "-fgnu89-inline",
                                   "-w",
                                   "-ferror-limit=0",
                                   "-fno-caret-diagnostics",
                                   "-fno-diagnostics-color",
                                   "-fbracket-depth=4096"};
    clang.insert(clang.end(), language.begin(), language.end());
    const auto with = [&](std::vector<std::string> more) {
      more.insert(more.begin(), clang.begin(), clang.end());
      return more;
    };
    std::optional<std::string> calls = calls_of(text, source.kernels);
    if (!calls) {  // kernels of macros, or of conditionals
      write_file(file, text);
      run_clang(with({"-E", "-P", file.filename().string(), "-o", "../plain.cl"}), file.parent_path(), source.name);
      calls = calls_of(own_file(own.path() / "plain.cl"), source.kernels);
    }
    if (!calls) throw no_device("the parameters of {}'s kernels are not known", source.name);
    write_file(file, text + "\n" + *calls);
    run_clang(with({"-c", file.filename().string(), "-o", "../kernels.o"}), file.parent_path(), source.name);
    run_clang({clang_, "-shared", "-Wl,-Bsymbolic", "kernels.o", functions_.string(), "-o", "kernels.so", "-lm"},
              own.path(), source.name);
    keep(own.path() / "kernels.so", library);
  }
  return DirectModule(library, kernels);
}

}  // namespace twiddle
