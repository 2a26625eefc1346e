// The rewriter, a program of its own (rewriter/): a program's text in, its twin out, which logs every access.
#pragma once

#include "tracer/access/access.h"
#include "tracer/opencl/memory/opencl_texels.h"
#include "tracer/source/program_source.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {

/// A place that writes records. Some are for the reader alone: Declare says where a private array is from here on, CopyCall
/// that an asynchronous copy begins (value 1: it goes with the one before).
struct TwinSite {
  enum class Use { Access, Declare, CopyCall };
  Use use = Use::Access;
  AccessSite site;
  bool generic = false;                // the address says which space it is
  int variable = -1;                   // index into Twin::variables that the place names itself
  std::optional<TexelAccess> texel{};  // of a place that accesses images; its type is the launch's
};

struct TwinVariable {
  Space space = Space::Local;
  std::string name, function;
  ElementType type = ElementType::Int;
  std::uint64_t element_bytes = 4, bytes = 0;
  bool initialised = false;
  int slot = -1;  // of the bases; of local ones of the group's
};

struct TwinParameter {
  std::string name, space;  // "global", "local", "constant", "image" or "value"
  int slot = -1;
  bool read_only = true;
};

struct TwinKernel {
  std::string name;
  bool led = true;  // its way depends on floating values: on other data it may access other memory, or never end
  std::vector<TwinParameter> parameters;
  std::set<std::string> functions;  // that it may run, itself among them
};

struct TwinUnlogged : Unlogged {
  std::string function;  // that it is in; empty: none
};

struct Twin {
  std::string text;
  std::string description;  // as the rewriter wrote it: what read_twin takes
  std::vector<TwinSite> sites;
  std::vector<TwinVariable> variables;
  std::vector<TwinKernel> kernels;
  std::vector<TwinUnlogged> unlogged;
  std::vector<std::string> files;   // as the program's #line directives name them, itself first
  std::vector<std::string> tested;  // macros that nothing defines and the program asks for
  std::size_t bases = 0, group_bases = 0;
};

struct RewriterTarget {
  std::vector<std::string> extensions;  // of the device
  unsigned address_bits = 64;
  std::vector<std::string> options;                          // of the build
  std::vector<std::pair<std::string, std::string>> headers;  // that the program is compiled with: name and text
};

/// $TWIDDLE_REWRITER, or twiddle-rewriter beside this program; empty when there is none.
std::filesystem::path rewriter_program();

/// A twin without its text, from what the rewriter wrote about it. Throws std::exception when that is malformed.
Twin read_twin(const std::string& description);

/// Throws Error (usage) with one sentence: there is no rewriter, it takes too long, crashes, or cannot rewrite this program.
Twin rewrite_opencl(const ProgramSource& source, const RewriterTarget& target);

}  // namespace twiddle
