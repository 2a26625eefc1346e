// Traces of catalogue algorithms made on this machine's first OpenCL device, each once a test program.
#pragma once

#include "kernels/catalogue/catalogue.h"
#include "synthetic_trace.h"
#include "tracer/file/trace_file.h"
#include "tracer/run/tracer.h"
#include "tracer/runtimes/open_runtime.h"

#include <map>
#include <memory>
#include <string>

namespace twiddle {

/// The file of the trace; it is in a folder that goes away with the program.
inline std::filesystem::path traced_file(const Request& request, Detail detail = Detail::Values) {
  static synthetic::Folder folder;
  static std::map<std::string, std::filesystem::path> made;
  std::string name = request.algorithm + "-" + std::to_string(request.n.value_or(0)) + "-" +
                     std::to_string(request.rows.value_or(0)) + "x" + std::to_string(request.columns.value_or(0)) +
                     request.signal + request.method + (request.inverse ? "-inverse" : "") +
                     (detail == Detail::Index ? "-index" : "") + ".twd";
  for (char& c : name)
    if (c == '/' || c == ':') c = '_';
  auto [place, added] = made.try_emplace(name, folder / name);
  if (added) {
    const std::unique_ptr<Runtime> runtime = open_runtime("opencl", 0);
    TraceWriter writer(place->second);
    TraceOptions options;
    options.detail = detail;
    trace_plan(make_plan(request), *runtime, options, writer);
    writer.finish();
  }
  return place->second;
}

inline std::shared_ptr<const TraceReader> traced(const std::string& algorithm, std::uint64_t n,
                                                 const std::string& signal = "ramp", bool inverse = false,
                                                 Detail detail = Detail::Values) {
  Request request;
  request.algorithm = algorithm;
  request.n = n;
  request.signal = signal;
  request.inverse = inverse;
  return TraceReader::open(traced_file(request, detail));
}

/// With the signal that is the algorithm's own.
inline std::shared_ptr<const TraceReader> trace_of(const std::string& algorithm, std::uint64_t n) {
  Request request;
  request.algorithm = algorithm;
  request.n = n;
  return TraceReader::open(traced_file(request));
}

}  // namespace twiddle
