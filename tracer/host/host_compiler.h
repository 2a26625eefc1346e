// Kernels for the host executor: a .cu source compiled by the system's C++ compiler and loaded into this program.
#pragma once

#include "tracer/host/simt/abi.h"
#include "tracer/runtime/runtime.h"

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace twiddle {

/// The system's C++ compiler.
struct HostCompiler {
  std::vector<std::string> command;  // "g++", or what $CXX says with its options
  std::string version;               // first line of --version
  int major = 0;                     // of its version; 0: not known
  bool clang = false;
};

/// $CXX when it is set, else the first of c++, g++ and clang++ that is there. Kernels are compiled with -O2 unless $CXX names
/// another level ("g++ -Og"). Throws Error (no_device) that says what was looked for.
HostCompiler find_host_compiler();

/// Where code came from.
struct SourcePlace {
  int source = 0;        // 0: the source itself; then what it includes, in order
  int line = 0;          // 0: not known
  std::string function;  // "butterfly", without parameters
};

/// A compiled kernel source in memory; unloaded by the destructor.
class HostModule {
 public:
  /// `sources`: the names of the source itself and of what it includes, in order.
  HostModule(void* library, std::filesystem::path file, std::vector<std::string> sources);
  ~HostModule();
  HostModule(const HostModule&) = delete;
  HostModule& operator=(const HostModule&) = delete;

  const std::string& source() const { return sources_.front(); }      // "fft_radix2.cu"
  const twiddle_host::Kernel* kernel(const std::string& name) const;  // null when there is none
  std::vector<std::string> kernels() const;                           // names, in the order of the source

  /// The shared variables that a kernel may use, and how much memory they take with the gaps between them.
  std::vector<const twiddle_host::SharedVariable*> shared_variables(const twiddle_host::Kernel& kernel) const;
  std::size_t shared_bytes(const twiddle_host::Kernel& kernel) const;

  /// The arrays that items of a kernel may have to themselves.
  std::vector<const twiddle_host::PrivateArray*> arrays(const twiddle_host::Kernel& kernel) const;

  /// Whether there are others, which are not followed.
  bool arrays_unseen() const { return module_->arrays_unseen; }
  /// Structures with arrays are not.
  bool structures_unseen() const { return module_->structures_unseen; }

  /// Where the library's own variables and constants are.
  const std::vector<twiddle_host::Range>& memory() const { return memory_; }

  /// What its variables hold that kernels may write, one after another.
  std::vector<std::byte> state() const;
  void set_state(std::span<const std::byte> state) const;

  /// Variables at file scope; their list ends with null.
  const twiddle_host::Variable* variables() const { return module_->variables; }

  /// The line of the user's source that this address in the library's code came from; 0 where that cannot be told.
  int line_of(const void* address) const { return places_of({address}).front().line; }
  /// The same for return addresses of calls: each one's file, line and function. Null gives nothing.
  std::vector<SourcePlace> places_of(const std::vector<const void*>& addresses) const;

 private:
  void* library_;
  std::filesystem::path file_;
  std::vector<std::string> sources_;
  twiddle_host::Module* module_ = nullptr;
  twiddle_host::Address base_ = 0;
  std::vector<twiddle_host::Range> memory_;
  mutable std::unordered_map<const void*, SourcePlace> places_;  // asked for before

  SourcePlace read_place(std::istream& lines, std::string& line) const;
  void lay_out_shared_variables();
};

/// Compiles a source, or takes it from the cache where it was compiled before. Floating-point arithmetic is IEEE's, each
/// operation rounded by itself (-ffp-contract=off), so that a run gives the same bits on every machine. Throws Error: usage with
/// the compiler's messages when the source does not compile, no_device when the compiler cannot be run.
std::unique_ptr<HostModule> compile_for_host(const HostCompiler& compiler, const ProgramSource& source);

}  // namespace twiddle
