// A plan run on a device of this machine, traced into a file, and checked.
#pragma once

#include "base/error.h"
#include "kernels/catalogue/catalogue.h"
#include "synthetic_trace.h"
#include "tracer/checks/check.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/position.h"
#include "tracer/run/tracer.h"
#include "tracer/runtimes/open_runtime.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace twiddle {

/// The first device of a runtime, opened once; null where there is none.
inline Runtime* device_of(const std::string& runtime) {
  static std::map<std::string, std::unique_ptr<Runtime>> opened;
  const auto [place, added] = opened.try_emplace(runtime);
  if (added) try {
      place->second = open_runtime(runtime, 0);
    } catch (const Error&) {}
  return place->second.get();
}

struct CheckedRun {
  TraceInfo info;
  std::vector<Finding> findings;

  bool any_errors() const {
    return std::any_of(findings.begin(), findings.end(),
                       [](const Finding& f) { return f.severity == Severity::Error; });
  }
  /// The first finding of a class, or null.
  const Finding* first(FindingClass kind) const {
    const auto found = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.kind == kind; });
    return found == findings.end() ? nullptr : &*found;
  }
  /// All of them as `twiddle check` prints them.
  std::string text() const {
    std::string all;
    for (const Finding& finding : findings) all += text_of(info, finding);
    return all;
  }
};

inline CheckedRun checked(const Plan& plan, Runtime& runtime, const TraceOptions& options = {}) {
  static const synthetic::Folder folder;
  static int number = 0;
  const std::filesystem::path file = folder / (std::to_string(++number) + ".twd");
  {
    TraceWriter writer(file);
    if (trace_plan(plan, runtime, options, writer).stopped)
      writer.interrupt();
    else
      writer.finish();
  }
  const auto trace = TraceReader::open(file);
  Replay replay(trace);
  CheckedRun run{trace->info(), check_trace(replay)};
  std::filesystem::remove(file);
  return run;
}

/// `L3.S2.I1`: where a finding says that it is.
inline std::string place_of(const Finding& finding) { return to_string(position_of(finding)); }

/// `F[3]`: the element it is about.
inline std::string element_of(const TraceInfo& info, const Finding& finding) {
  if (finding.buffer < 0 || !finding.element) return "";
  return info.buffers[finding.buffer].name + "[" + std::to_string(*finding.element) + "]";
}

}  // namespace twiddle
