// A kernel of a test's own, run plain and run logged: what it accessed, as text.
#pragma once

#include "runtimes/opencl_device.h"
#include "tracer/access/access.h"
#include "tracer/runtime/runtime.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace twiddle {

/// The buffers hold 32-bit words: 0, 1, 2, … at first.
struct KernelToLog {
  std::string text, kernel = "k";
  std::size_t global = 4, local = 4;
  std::vector<std::size_t> buffers{16};  // in words
  std::vector<std::size_t> local_bytes;  // of arguments after the buffers
};

struct RewrittenKernel {
  RawAccesses accesses;
  bool same_bits = false;  // all buffers are as the plain kernel leaves them
  Message why_not;
};

inline RewrittenKernel log_kernel(Runtime& runtime, const KernelToLog& one, const AccessRequest& request = {}) {
  RewrittenKernel logged;
  KernelCall call;
  call.program = runtime.build({"mine.cl", one.text, {}});
  call.kernel = one.kernel;
  call.global = {one.global, 1, 1};
  call.local = {one.local, 1, 1};
  std::vector<std::vector<std::uint32_t>> first, plain;
  std::vector<BufferHandle> handles;
  for (const std::size_t words : one.buffers) {
    first.emplace_back(words);
    for (std::size_t i = 0; i < words; ++i) first.back()[i] = static_cast<std::uint32_t>(i);
    handles.push_back(runtime.allocate(words * 4));
    call.arguments.push_back({KernelArgument::Memory{handles.back()}});
  }
  for (const std::size_t bytes : one.local_bytes) call.arguments.push_back({KernelArgument::Local{bytes}});
  const auto upload = [&] {
    for (std::size_t i = 0; i < handles.size(); ++i) runtime.upload(handles[i], 0, std::as_bytes(std::span(first[i])));
  };
  const auto download = [&] {
    std::vector<std::vector<std::uint32_t>> all;
    for (std::size_t i = 0; i < handles.size(); ++i) {
      all.emplace_back(first[i].size());
      runtime.download(handles[i], 0, std::as_writable_bytes(std::span(all.back())));
    }
    return all;
  };
  logged.why_not = runtime.no_accesses(call.program);
  upload();
  runtime.run(call);
  plain = download();
  if (logged.why_not.empty()) {
    upload();
    logged.accesses = runtime.run_logged(call, request);
    logged.same_bits = download() == plain;
  }
  for (const BufferHandle handle : handles) runtime.release(handle);
  return logged;
}

/// "x+12" for byte 12 of the argument, array or variable x.
inline std::string place_of(const RawAccesses& raw, const AccessSite& site, std::uint64_t address) {
  const AccessRange* best = nullptr;
  std::int64_t best_distance = 1 << 16;
  for (const AccessRange& range : raw.ranges) {
    const bool owned = site.space == Space::Local || site.space == Space::Private;
    if (owned ? range.space != site.space : range.space == Space::Local || range.space == Space::Private) continue;
    const auto offset = static_cast<std::int64_t>(address - range.address);
    const std::int64_t distance =
        offset < 0 ? -offset : std::max<std::int64_t>(0, offset - static_cast<std::int64_t>(range.bytes) + 1);
    if (distance < best_distance) best = &range, best_distance = distance;
  }
  if (!best) return "?";
  const auto offset = static_cast<std::int64_t>(address - best->address);
  return best->name + (offset < 0 ? "" : "+") + std::to_string(offset);
}

inline const char* word_of(AccessKind kind) {
  constexpr const char* words[] = {"load",       "store", "atomic-load", "atomic-store", "copy-load",
                                   "copy-store", "wait",  "barrier",     "fence",        "exchange"};
  return words[static_cast<int>(kind)];
}

/// What one item did: "load x+4=1; store x+4=3". Values are hexadecimal.
inline std::string accesses_of(const RawAccesses& raw, std::uint64_t item) {
  std::string text;
  for (std::uint64_t k = raw.begin.at(item); k < raw.begin.at(item + 1); ++k) {
    const AccessSite& site = raw.sites.at(raw.site[k]);
    if (!text.empty()) text += "; ";
    text += word_of(site.kind);
    if (touches_memory(site.kind)) text += " " + place_of(raw, site, raw.address[k]);
    text += fmt::format("={:x}", raw.value[k]);
  }
  return text;
}

}  // namespace twiddle
