// The catalogue: every algorithm Twiddle ships, how to build its Plan, and what it promises.
#pragma once

#include "kernels/plan/plan.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twiddle {

/// What the user asked for on the command line or in the window. Empty fields take the algorithm's defaults.
struct Request {
  std::string algorithm;  // catalogue id, "gallery/ID", or a path to a plan file
  std::optional<std::uint64_t> n, rows, columns;
  bool inverse = false;
  std::string signal;    // empty: the algorithm's default
  std::string type;      // element type, where the algorithm offers more than one
  std::string method;    // fft2d: rows-columns | transpose | fused …
  std::string twiddles;  // exact | native | table
  std::string sign;      // forward | backward
  std::optional<std::uint64_t> group_size;
  std::map<std::string, std::string> more;  // algorithm-specific: "rows-per-group" → "2"
  SourceEdits edited{};                     // of the kernels
  std::uint64_t local_bytes = 0;  // that a work-group has on the device that the plan is for; 0: enough for any
};

struct Parameter {
  std::string name;           // as on the command line, without the dashes
  std::string values;         // "power of two, 2 … 2^27", "exact | native | table"
  std::string default_value;  // as text
  std::string meaning;
};

/// What there is to choose from: the words of "exact | native | table"; of a range of sizes, "power of two, 2 … 1024", the
/// powers in it, up to 2^20. Empty where `values` lists nothing.
std::vector<std::string> choices(const Parameter& parameter);

/// The parameters that were given, as on the command line: name without the dashes, and value ("true" for a switch).
std::vector<std::pair<std::string, std::string>> given_parameters(const Request& request);
/// Sets one by its name: "n", "group-size", "rows-per-group". Throws Error (usage) when a size is no number.
void set_parameter(Request& request, const std::string& name, const std::string& value);

struct Algorithm {
  std::string id{};      // "fft-radix2"
  int order = 1000;      // its place in lists, ascending; equal ones by the name of their file, then as that has them
  std::string title{};   // "Radix-2 FFT, in place, a launch a stage"
  std::string origin{};  // "OpenCL" or "CUDA": where the algorithm was first published
  std::string about{};   // two or three sentences for a learner
  int dimensions = 1;
  std::vector<Parameter> parameters{};
  std::vector<std::string> runtimes{"opencl", "cuda", "host"};  // those the kernels exist for
  std::string sizes{};                                          // "powers of two"
  std::string operations{};                                     // "5 N log2 N"
  std::string launches{};                                       // formula: "2 + log2 N; one epoch each"
  std::string accuracy{};                                       // relative L2 error that `verify` allows, and why
  std::function<Plan(const Request&)> build{};  // throws Error (usage) that names the nearest size allowed
  // For the gallery only:
  std::string finding{};  // class that `check` must report
  std::string twin{};     // id of the right twin
};

/// All entries, in their order. They are found: kernels/catalogue/algorithms/NAME.cpp defines
/// `std::vector<Algorithm> algorithms_of_NAME()`, and is listed nowhere (cmake/Catalogue.cmake).
std::span<const Algorithm> algorithms();
std::span<const Algorithm> gallery();
/// The gallery's right twins, "gallery/ID-right": no entries of their own, but traced and found by id like those.
std::span<const Algorithm> gallery_twins();

/// The entry with this id ("gallery/ID" for the gallery). Throws Error (usage) that names the nearest id.
const Algorithm& find_algorithm(std::string_view id);

/// The Plan for a request: a catalogue entry's, or the plan file's when `algorithm` names a file.
Plan make_plan(const Request& request);

/// The text of a launch's kernel source for a language (".cl" or ".cu"), as its file has it or as the plan says that it was
/// edited, its file name for messages, and its directory (for its own includes). Throws Error (usage) when there is none.
struct KernelSource {
  std::string name, text;
  std::filesystem::path directory;
  SourceEdits edited{};  // of the files that it includes; `text` is what counts of itself
};
KernelSource kernel_source(const Plan& plan, const Launch& launch, std::string_view extension);
/// Whether each launch of a plan has one.
bool has_kernel_sources(const Plan& plan, std::string_view extension);

}  // namespace twiddle
