#include "record/cuda/settings.h"

#include <cxxabi.h>
#include <fnmatch.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <sstream>

namespace twiddle_cuda {
namespace {

std::string text(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// "A:B", "A:", ":B" or "A".
void range(const std::string& given, std::uint64_t& first, std::uint64_t& last) {
  if (given.empty()) return;
  const std::size_t colon = given.find(':');
  const std::string from = given.substr(0, colon), to = colon == std::string::npos ? from : given.substr(colon + 1);
  if (!from.empty()) first = std::strtoull(from.c_str(), nullptr, 10);
  if (!to.empty()) last = std::strtoull(to.c_str(), nullptr, 10);
}

std::string demangled(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? name.get() : mangled;
}

// "void ns::stage<float>(float2*)": "ns::stage"
std::string bare(const std::string& name) {
  const std::string head = name.substr(0, name.find_first_of("<("));
  const std::size_t space = head.rfind(' ');
  return space == std::string::npos ? head : head.substr(space + 1);
}

}  // namespace

Settings settings_of_environment() {
  Settings settings;
  settings.folder = text("TWIDDLE_RECORD_DIR");
  std::istringstream kernels(text("TWIDDLE_RECORD_KERNELS"));
  for (std::string pattern; std::getline(kernels, pattern, ',');)
    if (!pattern.empty()) settings.kernels.push_back(pattern);
  range(text("TWIDDLE_RECORD_LAUNCHES"), settings.first_launch, settings.last_launch);
  std::uint64_t last_item = UINT64_MAX - 1;
  range(text("TWIDDLE_RECORD_ITEMS"), settings.first_item, last_item);
  settings.end_item = last_item == UINT64_MAX ? last_item : last_item + 1;
  if (const std::string bytes = text("TWIDDLE_RECORD_LOG_BYTES"); !bytes.empty())
    settings.log_bytes = std::clamp<std::uint64_t>(std::strtoull(bytes.c_str(), nullptr, 10), 1 << 16, 1ull << 40);
  settings.values = text("TWIDDLE_RECORD_DETAIL") != "index";
  settings.each_launch = text("TWIDDLE_RECORD_EACH") == "1";
  settings.asked = text("TWIDDLE_RECORD_ASKED") == "1";
  if (const std::string writers = text("TWIDDLE_RECORD_WRITERS"); !writers.empty())
    settings.writers = std::clamp(std::atoi(writers.c_str()), 1, 64);
  std::istringstream instructions(text("TWIDDLE_RECORD_INSTRUCTIONS"));
  for (std::string one; std::getline(instructions, one, ',');) settings.instructions.insert(std::atoi(one.c_str()));
  return settings;
}

bool wanted(const Settings& settings, const std::string& mangled) {
  if (settings.kernels.empty()) return true;
  const std::string whole = demangled(mangled), name = bare(whole);
  return std::any_of(settings.kernels.begin(), settings.kernels.end(), [&](const std::string& pattern) {
    for (const std::string& text : {mangled, whole, name})
      if (fnmatch(pattern.c_str(), text.c_str(), 0) == 0) return true;
    return false;
  });
}

}  // namespace twiddle_cuda
