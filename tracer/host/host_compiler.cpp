#include "tracer/host/host_compiler.h"

#include "base/error.h"
#include "base/paths.h"
#include "base/process.h"
#include "base/read_file.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "base/values/environment.h"
#include "base/values/hash.h"
#include "base/write_file.h"
#include "tracer/host/host_translate.h"
#include "tracer/source/compile_error.h"
#include "tracer/source/source.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <system_error>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

constexpr double patience = 120;             // seconds for the compiler
constexpr std::size_t max_cached = 1024;     // compiled sources, some 80 KB each
constexpr std::size_t asked_at_once = 1000;  // addresses of which a program is told on its command line

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// What kernels and the hooks that they call are both compiled with: aliasing is as lenient as on a GPU, and a function that needs
// much stack touches it page by page and so meets the guard page. What $CXX says of optimisation is what the user wants.
std::vector<std::string> common_options(const HostCompiler& compiler) {
  std::vector<std::string> options{"-fPIC",
                                   "-w",
                                   "-fvisibility=hidden",
                                   "-fno-exceptions",
                                   "-fno-strict-aliasing",
                                   "-fno-delete-null-pointer-checks",
                                   "-fstack-clash-protection"};
  const auto is_level = [](const std::string& word) { return word.starts_with("-O"); };
  if (std::none_of(compiler.command.begin(), compiler.command.end(), is_level)) options.push_back("-O2");
  return options;
}

bool has_option(const ProgramSource& source, std::string_view option) {
  return std::find(source.options.begin(), source.options.end(), option) != source.options.end();
}

// What the compiler gets for every kernel. The sanitizers' calls end in simt/hooks.h; overflow is as lenient as on a GPU. Of the
// plan's options a processor's compiler takes the language; arithmetic stays exact.
std::vector<std::string> compile_options(const HostCompiler& compiler, const ProgramSource& source) {
  std::string language = "-std=gnu++17";
  for (const std::string& option : options_of(source, false))
    if (const std::size_t at = option.find("std=c++"); at != std::string::npos)
      language = "-std=gnu++" + option.substr(at + 7);
  // addr2line (binutils 2.40) takes one file for another, and inlined functions' names for their callers', where DWARF 5 is as
  // terse as -g1 has it.
  std::vector<std::string> options =
      with({language, "-g1", "-gdwarf-4", "-ffp-contract=off", "-fwrapv", "-fno-finite-loops", "-fsanitize=thread",
            std::string("-fsanitize=") + (compiler.clang ? "array-bounds" : "bounds") + ",integer-divide-by-zero",
            "-fno-diagnostics-color", compiler.clang ? "-fno-caret-diagnostics" : "-fno-diagnostics-show-caret"},
           common_options(compiler));
  // Every access as the source has it: a read before a write of the same element, volatile ones as such.
  if (compiler.clang) {
    options.insert(options.end(), {"-fno-vectorize", "-fno-slp-vectorize"});
    for (const char* option : {"-tsan-instrument-read-before-write=1", "-tsan-distinguish-volatile=1"})
      if (compiler.major >= 12) options.insert(options.end(), {"-mllvm", option});
  } else if (compiler.major >= 11) {
    options.insert(options.end(), {"--param", "tsan-distinguish-volatile=1"});
  }
  // Of programs that are compiled for a few runs.
  if (has_option(source, "-O0")) options.push_back("-O0");
  return options;
}

// That no read is made which the program does not come to, and no write without its call: of arrays that are followed each tells.
std::vector<std::string> every_access_options() {
  return {"-fno-tree-loop-im",         "-fno-tree-pre",
          "-fno-code-hoisting",        "-fno-if-conversion",
          "-fno-tree-loop-if-convert", "-fno-tree-loop-distribute-patterns",
          "-fno-tree-loop-vectorize",  "-fno-tree-slp-vectorize",
          "-fno-tree-cselim",          "-fno-ssa-phiopt"};
}

// 128 bits of FNV-1a over everything that decides what comes out of the compiler.
class Hash {
 public:
  void add(std::string_view text) {
    for (char c : text) step(static_cast<unsigned char>(c));
    step(256);
  }
  std::string name() const { return fmt::format("{:016x}{:016x}", a_, b_); }

 private:
  void step(std::uint64_t c) {
    a_ = fnv_step(a_, c);
    b_ = fnv_step(b_, c + 0x9e37);
    b_ ^= b_ >> 29;
  }
  std::uint64_t a_ = fnv_start, b_ = 0x84222325cbf29ce4u;
};

// Of a command of this compiler, and of our own headers.
Hash hash_of(const HostCompiler& compiler, const std::vector<std::string>& options) {
  Hash hash;
  for (const std::string& word : with(compiler.command, options)) hash.add(word);
  hash.add(compiler.version);
  std::vector<fs::path> headers;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(resource("tracer/host/simt")))
    headers.push_back(entry);
  std::sort(headers.begin(), headers.end());
  for (const fs::path& header : headers) hash.add(own_file(header));
  return hash;
}

// Another one where translate_for_host() makes something else of the same text.
constexpr const char* translation_version = "2";

std::string cache_name(const HostCompiler& compiler, const ProgramSource& source, const std::string& text) {
  Hash hash = hash_of(compiler, compile_options(compiler, source));
  hash.add(translation_version);
  if (has_option(source, unlogged_option)) hash.add(unlogged_option);
  hash.add(source.name);
  // Launches' names decide only which instances of templates there are.
  if (text.find("template") != std::string::npos)
    for (const std::string& kernel : source.kernels) hash.add(kernel);
  hash.add(text);
  return hash.name();
}

// The compiler's messages without the path of the temporary folder; where a line came from our own header, that is said.
std::string readable(std::string log, const fs::path& folder) {
  const std::string prefix = folder.string() + "/";
  for (std::size_t at; (at = log.find(prefix)) != std::string::npos;) log.erase(at, prefix.size());
  while (!log.empty() && (log.back() == '\n' || log.back() == ' ')) log.pop_back();
  return log;
}

void run_compiler(const std::vector<std::string>& command, const std::string& source, const fs::path& folder) {
  const ProcessResult result = run_process(command, patience, folder);
  if (result.timed_out) throw usage_error("{} takes the compiler longer than {} s; make it smaller", source, patience);
  if (result.status != 0) throw does_not_compile(source, readable(result.errors, folder));
}

// Puts a finished file into the cache; no other process sees half of it.
void keep(const fs::path& made, const fs::path& to) {
  PendingFile pending(to);
  std::error_code failed;
  fs::copy_file(made, pending.path(), failed);
  if (!failed) failed = pending.try_keep();
  if (failed)
    throw no_device("{} cannot be written: {}; set XDG_CACHE_HOME to a folder that can", to.string(), failed.message());
}

// Now, for prune; of another user's file it cannot be set.
void mark_used(const fs::path& file) {
  std::error_code ignored;
  fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);
}

// What kernels call at their accesses, compiled for this compiler and these options once: for most kernels it would take longer
// than they do. The object, in the cache.
fs::path hooks(const HostCompiler& compiler, const fs::path& cache) {
  const std::vector<std::string> options = with(common_options(compiler), {"-std=gnu++17"});
  fs::path file = cache / ("hooks-" + hash_of(compiler, options).name() + ".o");
  if (fs::exists(file)) {
    mark_used(file);
    return file;
  }
  const TemporaryFolder temporary(ExitCode::no_device, "the host executor compiles kernels in files");
  write_file(temporary.path() / "hooks.cpp", "#include \"hooks.h\"\n", ExitCode::no_device);
  run_compiler(with(with(compiler.command,
                         {"-iquote", resource("tracer/host/simt").string(), "-c", "hooks.cpp", "-o", "hooks.o"}),
                    options),
               "hooks.h", temporary.path());
  keep(temporary.path() / "hooks.o", file);
  return file;
}

// Text with everything included and every macro replaced, then translated, compiled and linked.
void build_library(const HostCompiler& compiler, const ProgramSource& source, const std::string& text,
                   const fs::path& to) {
  const TemporaryFolder temporary(ExitCode::no_device, "the host executor compiles kernels in files");
  const fs::path& folder = temporary.path();
  const std::string start = text.compare(0, 5, "#line") == 0 ? "" : fmt::format("#line 1 \"{}\"\n", source.name);
  write_file(folder / "kernel.cpp", "#include \"host_simt.h\"\n" + start + text, ExitCode::no_device);
  const auto command = [&](const std::vector<std::string>& more) { return with(compiler.command, more); };
  const std::vector<std::string> options = compile_options(compiler, source);

  run_compiler(with(command({"-E", "-iquote", resource("tracer/host/simt").string(), "-isystem",
                             resource("tracer/host/simt").string(), "kernel.cpp", "-o", "kernel.ii"}),
                    options),
               source.name, folder);
  const std::string preprocessed = own_file(folder / "kernel.ii");
  const auto compile = [&](const std::string& translated, const std::vector<std::string>& more) {
    write_file(folder / "translated.ii", translated, ExitCode::no_device);
    run_compiler(with(with(command({"-x", "c++-cpp-output", "-c", "translated.ii", "-o", "kernel.o"}), options), more),
                 source.name, folder);
  };
  const std::string plain = translate_for_host(preprocessed, source.kernels, false);
  const std::string announcing =
      has_option(source, unlogged_option) ? plain : translate_for_host(preprocessed, source.kernels, true);
  const auto unseen = [&] {
    compile(plain + "\nstatic const bool twiddle_unseen = twiddle_host_module.arrays_unseen = true;\n", {});
  };
  // Clang tells of some of an array's accesses only. Where one cannot be announced, as in a constant expression, all goes without;
  // what the user wrote wrong is told of then.
  if (announcing == plain) {
    compile(plain, {});
  } else if (compiler.clang) {
    unseen();
  } else {
    try {
      compile(announcing, every_access_options());
    } catch (const Error&) { unseen(); }
  }
  // Linked without the sanitizers' option, so that their libraries stay out; -Bsymbolic keeps the calls inside.
  const auto link = [&] {
    run_compiler(command({"-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", "kernel.o",
                          hooks(compiler, to.parent_path()).string(), "-o", "kernel.so", "-lm"}),
                 source.name, folder);
  };
  try {
    link();
  } catch (const Error&) {  // a damaged object in the cache is made again, once
    std::error_code ignored;
    fs::remove(hooks(compiler, to.parent_path()), ignored);
    link();
  }
  keep(folder / "kernel.so", to);
}

// Deletes the compiled sources that were used longest ago when there are many.
void prune(const fs::path& folder) {
  std::error_code ignored;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    files.emplace_back(entry.last_write_time(ignored), entry.path());
  if (files.size() <= max_cached) return;
  std::sort(files.begin(), files.end());
  for (std::size_t i = 0; i < files.size() - max_cached / 2; ++i) fs::remove(files[i].second, ignored);
}

// The names of a source and of what was put in place of its includes, in order, as its #line directives tell.
std::vector<std::string> names_of_sources(const ProgramSource& source) {
  constexpr std::string_view own = "trace_device.h", directive = "#line ";
  std::vector<std::string> names{source.name};
  std::istringstream lines(source.text);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, directive.size(), directive) != 0) continue;
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (open == std::string::npos || close <= open) continue;
    std::string name = line.substr(open + 1, close - open - 1);
    if (name != own && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

// "ns::f" of "void ns::f<float>(float*)".
std::string bare_name(const std::string& demangled) {
  std::size_t end = demangled.size(), begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < demangled.size(); ++i) {
    const char c = demangled[i];
    if (c == '(' && depth == 0 && i > 0) {
      end = i;
      break;
    }
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c == ' ' && depth == 0) begin = i + 1;
  }
  return demangled.substr(begin, end - begin);
}

struct Segments {
  const void* inside;
  twiddle_host::Address base = 0;
  std::vector<twiddle_host::Range> readable;
};

// Called for every library: finds the one that holds `inside`, and its segments.
int find_segments(dl_phdr_info* info, std::size_t, void* data) {
  auto& wanted = *static_cast<Segments*>(data);
  const auto target = reinterpret_cast<twiddle_host::Address>(wanted.inside);
  std::vector<twiddle_host::Range> ranges;
  bool here = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const twiddle_host::Address first = info->dlpi_addr + segment.p_vaddr;
    if (target - first < segment.p_memsz) here = true;
    ranges.push_back({first, segment.p_memsz});
  }
  if (!here) return 0;
  wanted.base = info->dlpi_addr;
  wanted.readable = std::move(ranges);
  return 1;
}

// 12 of "g++ (Debian 12.2.0-14+deb12u1) 12.2.0" and "Debian clang version 14.0.6"; 0 of what has no such number.
int major_version(const std::string& version) {
  for (std::size_t at = 0; at < version.size(); ++at) {
    const auto digit = [&](std::size_t i) { return i < version.size() && version[i] >= '0' && version[i] <= '9'; };
    if (!digit(at) || (at > 0 && (digit(at - 1) || version[at - 1] == '.'))) continue;
    std::size_t end = at;
    while (digit(end)) ++end;
    if (end - at <= 3 && end < version.size() && version[end] == '.' && digit(end + 1))
      return std::atoi(version.c_str() + at);
  }
  return 0;
}

}  // namespace

HostCompiler find_host_compiler() {
  HostCompiler found;
  std::string looked_for = "c++, g++, clang++";
  if (const std::string given = environment("CXX"); !given.empty()) {
    found.command = words_of(given);
    looked_for = fmt::format("{} (from $CXX)", given);
    if (found.command.empty() || find_program(found.command[0]).empty()) found.command.clear();
  } else {
    for (const char* name : {"c++", "g++", "clang++"})
      if (!find_program(name).empty()) {
        found.command = {name};
        break;
      }
  }
  if (found.command.empty())
    throw no_device("the host runtime needs a C++ compiler, and none of {} was found; install g++ or set CXX",
                    looked_for);
  const ProcessResult answer = run_process(with(found.command, {"--version"}), patience);
  if (answer.status != 0)
    throw no_device("the C++ compiler {} does not work: {}", found.command[0],
                    answer.errors.substr(0, answer.errors.find('\n')));
  found.version = answer.output.substr(0, answer.output.find('\n'));
  found.major = major_version(found.version);
  found.clang = answer.output.find("clang") != std::string::npos;
  return found;
}

HostModule::HostModule(void* library, fs::path file, std::vector<std::string> sources)
    : library_(library), file_(std::move(file)), sources_(std::move(sources)) {
  module_ = static_cast<twiddle_host::Module*>(dlsym(library_, "twiddle_host_module"));
  if (!module_ || module_->version != twiddle_host::abi_version) {
    dlclose(library_);
    throw no_device("{} is no kernel that this version of Twiddle compiled; delete it", file_.string());
  }
  lay_out_shared_variables();
  unsigned number = 0;
  for (auto* array = module_->arrays; array; array = array->next) array->number = number++;
  // The library may have been loaded before, and its variables written.
  for (const auto* variable = variables(); variable; variable = variable->next)
    if (variable->first) std::memcpy(reinterpret_cast<void*>(variable->address), variable->first, variable->bytes);
  module_->running = true;
  Segments segments{module_, 0, {}};
  dl_iterate_phdr(find_segments, &segments);
  base_ = segments.base;
  memory_ = std::move(segments.readable);
}

std::vector<std::byte> HostModule::state() const {
  std::vector<std::byte> all;
  for (const auto* variable = variables(); variable; variable = variable->next) {
    if (!variable->first) continue;
    const auto* content = reinterpret_cast<const std::byte*>(variable->address);
    all.insert(all.end(), content, content + variable->bytes);
  }
  return all;
}

void HostModule::set_state(std::span<const std::byte> state) const {
  for (const auto* variable = variables(); variable; variable = variable->next) {
    if (!variable->first || state.size() < variable->bytes) continue;
    std::memcpy(reinterpret_cast<void*>(variable->address), state.data(), variable->bytes);
    state = state.subspan(variable->bytes);
  }
}

HostModule::~HostModule() { dlclose(library_); }

// First the variables of functions that several kernels may call; those of each kernel are after them, over those of the
// other kernels, which never run at the same time.
void HostModule::lay_out_shared_variables() {
  const auto place = [](twiddle_host::SharedVariable& variable, twiddle_host::Address& end) {
    variable.offset = end;
    end =
        (end + variable.bytes + 2 * twiddle_host::shared_gap - 1) / twiddle_host::shared_gap * twiddle_host::shared_gap;
  };
  twiddle_host::Address common = 0;
  std::map<std::string, twiddle_host::Address> ends;
  for (auto* variable = module_->shared; variable; variable = variable->next)
    if (!variable->dynamic && !variable->kernel) place(*variable, common);
  for (auto* variable = module_->shared; variable; variable = variable->next)
    if (!variable->dynamic && variable->kernel) place(*variable, ends.emplace(variable->kernel, common).first->second);
}

std::vector<const twiddle_host::SharedVariable*> HostModule::shared_variables(
    const twiddle_host::Kernel& kernel) const {
  std::vector<const twiddle_host::SharedVariable*> variables;
  for (const auto* variable = module_->shared; variable; variable = variable->next)
    if (!variable->kernel || variable->kernel == kernel_base_name(kernel.name)) variables.push_back(variable);
  return variables;
}

std::vector<const twiddle_host::PrivateArray*> HostModule::arrays(const twiddle_host::Kernel& kernel) const {
  std::vector<const twiddle_host::PrivateArray*> arrays;
  for (const auto* array = module_->arrays; array; array = array->next)
    if (!array->kernel || array->kernel == kernel_base_name(kernel.name)) arrays.push_back(array);
  return arrays;
}

std::size_t HostModule::shared_bytes(const twiddle_host::Kernel& kernel) const {
  std::size_t bytes = 0;
  for (const twiddle_host::SharedVariable* variable : shared_variables(kernel))
    if (!variable->dynamic) bytes = std::max(bytes, variable->offset + variable->bytes + twiddle_host::shared_gap);
  return bytes;
}

const twiddle_host::Kernel* HostModule::kernel(const std::string& name) const {
  for (const twiddle_host::Kernel* kernel = module_->kernels; kernel; kernel = kernel->next)
    if (name == kernel->name) return kernel;
  return nullptr;
}

std::vector<std::string> HostModule::kernels() const {
  std::vector<std::string> names;
  for (const twiddle_host::Kernel* kernel = module_->kernels; kernel; kernel = kernel->next)
    names.emplace_back(kernel->name);
  std::reverse(names.begin(), names.end());
  return names;
}

std::vector<SourcePlace> HostModule::places_of(const std::vector<const void*>& addresses) const {
  const char* tool = !find_program("addr2line").empty()        ? "addr2line"
                     : !find_program("llvm-addr2line").empty() ? "llvm-addr2line"
                                                               : nullptr;
  std::vector<const void*> asked;
  for (const void* address : addresses)
    if (address && places_.try_emplace(address).second) asked.push_back(address);
  for (std::size_t from = 0; tool && from < asked.size(); from += asked_at_once) {
    const std::size_t count = std::min(asked_at_once, asked.size() - from);
    std::vector<std::string> command{tool, "-a", "-i", "-f", "-C", "-e", file_.string()};
    // A return address belongs to the line of the call before it.
    for (std::size_t i = 0; i < count; ++i)
      command.push_back(fmt::format("{:#x}", reinterpret_cast<twiddle_host::Address>(asked[from + i]) - base_ - 1));
    std::istringstream answer(run_process(command, patience).output);
    std::string line;
    std::getline(answer, line);  // the first address
    for (std::size_t i = 0; i < count; ++i) places_[asked[from + i]] = read_place(answer, line);
  }
  std::vector<SourcePlace> found;
  for (const void* address : addresses) found.push_back(address ? places_[address] : SourcePlace());
  return found;
}

// What is said of one address, up to the line that begins the next one. Functions that were inlined come innermost first:
// the first of the user's own is the one.
SourcePlace HostModule::read_place(std::istream& lines, std::string& line) const {
  SourcePlace place;
  std::string function;
  while (std::getline(lines, line) && line.compare(0, 2, "0x") != 0) {
    function = line;
    if (!std::getline(lines, line)) break;
    const std::size_t colon = line.rfind(':');
    if (place.line > 0 || colon == std::string::npos) continue;
    std::size_t best = 0;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const std::string& name = sources_[i];
      const bool ends_so = colon >= name.size() && line.compare(colon - name.size(), name.size(), name) == 0 &&
                           (colon == name.size() || line[colon - name.size() - 1] == '/');
      if (!ends_so || name.size() <= best) continue;
      best = name.size();
      place.source = static_cast<int>(i);
      place.line = std::atoi(line.c_str() + colon + 1);
    }
    if (best > 0) place.function = bare_name(function);
  }
  return place;
}

std::unique_ptr<HostModule> compile_for_host(const HostCompiler& compiler, const ProgramSource& source) {
  const std::string text = compiler_text(source);
  const fs::path folder = cache_directory() / "host";
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    throw no_device("{} cannot be made: {}; set XDG_CACHE_HOME to a folder that can", folder.string(),
                    failed.message());
  const fs::path file = folder / (cache_name(compiler, source, text) + ".so");

  if (fs::exists(file)) {
    mark_used(file);
  } else {
    prune(folder);
    build_library(compiler, source, text, file);
  }
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    // The cached file is damaged: compile again, once.
    build_library(compiler, source, text, file);
    library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (!library) throw no_device("{} cannot be loaded: {}", file.string(), dlerror());
  return std::make_unique<HostModule>(library, file, names_of_sources(source));
}

}  // namespace twiddle
