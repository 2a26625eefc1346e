// What `twiddle bench kernels` measured, as text, for scripts, and as a picture.
#include "base/text.h"
#include "base/values/json_text.h"
#include "tracer/bench/bench_kernels.h"
#include "tracer/print/print.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

using Json = nlohmann::ordered_json;

std::string power_text(std::uint64_t n) {
  int log = 0;
  while ((std::uint64_t(1) << (log + 1)) <= n) ++log;
  return n >= 1024 && n == std::uint64_t(1) << log ? fmt::format("2^{}", log) : fmt::format("{}", n);
}

std::string title_of(const KernelBenchTable& table) {
  const std::string n = power_text(table.n);
  if (table.family == "fft2d") return fmt::format("FFT of {} × {} points", table.rows, table.n);
  if (table.family == "sum") return fmt::format("Sum of {} numbers", n);
  if (table.family == "histogram")
    return fmt::format("Histogram of {} {}: {}", n, table.type == "uchar" ? "bytes" : "values", table.signal);
  return table.rows > 0 ? fmt::format("{} transforms of {} points", table.rows, n)
                        : fmt::format("Transform of {} points", n);
}

// 0 where one of them is not known.
double ratio(double a, double b) { return a > 0 && b > 0 ? a / b : 0; }

std::string known_text(double number, const char* format) {
  return number > 0 ? fmt::format(fmt::runtime(format), number) : std::string("-");
}

/// The least time that its passes can take: as long as copies of the same bytes.
double bound_ns(const KernelBenchTable& table, const KernelBenchRow& row) {
  return table.bandwidth() > 0 ? row.bytes / table.bandwidth() : 0;
}

std::string row_text(const KernelBenchTable& table, const KernelBenchRow& row, std::size_t width) {
  const std::string what = fmt::format("{:<{}}", row.what, width);
  if (!row.trouble.empty()) return fmt::format("{}  {}\n", what, row.trouble);
  const std::string error = row.error < 0 ? "-"
                                          : fmt::format("{:.2e}{}", row.error,
                                                        row.right        ? ""
                                                        : table.twiddles ? " FAILS"
                                                                         : " WRONG");
  return fmt::format("{} {:>8} {:>10} {:>10} {:>9} {:>9} {:>8} {:>7} {:>8} {:>10}{}\n", what,
                     row.launches > 0 ? fmt::format("{}", row.launches) : "-", known_text(row.ns / 1e6, "{:.5f}"),
                     known_text(row.warm_ns / 1e6, "{:.5f}"), known_text(row.bytes / 1e9, "{:.3f}"),
                     known_text(row.logged_bytes / 1e9, "{:.3f}"), known_text(ratio(row.bytes, row.ns), "{:.0f}"),
                     known_text(100 * ratio(bound_ns(table, row), row.ns), "{:.0f} %"),
                     known_text(ratio(table.library_ns(), row.ns), "{:.3f}"), error,
                     row.library && !row.parameters.empty() ? "  " + row.parameters
                     : row.note.empty()                     ? ""
                                                            : "  " + row.note);
}

}  // namespace

std::string bench_text(const KernelBench& bench) {
  std::string text =
      fmt::format("{} ({}{})\n", bench.device, bench.runtime, bench.driver.empty() ? "" : ", driver " + bench.driver);
  for (const KernelBenchTable& table : bench.tables) {
    std::size_t width = 10;
    for (const KernelBenchRow& row : table.rows_measured) width = std::max(width, row.what.size());
    text += fmt::format("\n{}; a copy of its {:.3f} GB takes {:.5f} ms: {:.0f} GB/s read and written{}\n\n",
                        title_of(table), table.copy_bytes / 2e9, table.copy_ns / 1e6, table.bandwidth(),
                        table.copy_warm_ns > 0 ? fmt::format(" ({:.5f} ms warm)", table.copy_warm_ns / 1e6) : "");
    text += fmt::format("{:<{}} {:>8} {:>10} {:>10} {:>9} {:>9} {:>8} {:>7} {:>8} {:>10}\n", "", width, "launches",
                        "ms", "warm ms", "GB moved", "GB logged", "GB/s", "bound", "x lib", "rel. L2");
    double bound = 0;
    for (const KernelBenchRow& row : table.rows_measured) {
      text += row_text(table, row, width);
      bound = std::max(bound, row.bound);
    }
    if (table.twiddles && bound > 0)
      text += fmt::format(
          "\nFAILS: a relative error of more than {:.2e}, which transforms with exact twiddles keep at this size.\n",
          bound);
  }
  text +=
      "\nms: median, over buffers in turn that no cache holds; warm: over one pair. GB moved: each launch's arrays, "
      "read and\n"
      "written once; logged: what a log of a smaller run shows, scaled. bound: the time that copies of those bytes "
      "take, of\n"
      "this time. x lib: the library's time divided by this one.\n";
  return text;
}

std::string bench_json(const KernelBench& bench) {
  Json json{{"runtime", bench.runtime}, {"device", bench.device},   {"driver", bench.driver},
            {"version", bench.version}, {"created", bench.created}, {"tables", Json::array()}};
  for (const KernelBenchTable& table : bench.tables) {
    Json entry{{"family", table.family},
               {"n", table.n},
               {"rows", table.rows},
               {"copy_ns", table.copy_ns},
               {"copy_warm_ns", table.copy_warm_ns},
               {"copy_bytes", table.copy_bytes},
               {"operations", table.operations},
               {"measured", Json::array()}};
    if (!table.type.empty()) entry["type"] = table.type, entry["signal"] = table.signal;
    for (const KernelBenchRow& row : table.rows_measured) {
      Json one{{"what", row.what}, {"parameters", row.parameters}, {"library", row.library}};
      if (!row.trouble.empty()) {
        one["trouble"] = row.trouble;
      } else {
        if (!row.note.empty()) one["note"] = row.note;
        one["ns"] = row.ns;
        if (row.warm_ns > 0) one["warm_ns"] = row.warm_ns;
        one["bytes"] = row.bytes;
        if (row.launches > 0) one["launches"] = row.launches;
        if (row.logged_bytes > 0) one["logged_bytes"] = row.logged_bytes, one["logged_n"] = row.logged_n;
        if (row.error >= 0) one["error"] = row.error, one["bound"] = row.bound, one["right"] = row.right;
        if (const double bound = ratio(bound_ns(table, row), row.ns); bound > 0) one["share_of_bound"] = bound;
        if (const double times = ratio(table.library_ns(), row.ns); times > 0) one["times_library"] = times;
      }
      entry["measured"].push_back(std::move(one));
    }
    json["tables"].push_back(std::move(entry));
  }
  return json_text(json, 2) + '\n';
}

std::string bench_csv(const KernelBench& bench) {
  std::string text =
      "created,version,runtime,device,driver,family,n,rows,what,parameters,ns,warm_ns,bytes,copy_ns,error\n";
  for (const KernelBenchTable& table : bench.tables)
    for (const KernelBenchRow& row : table.rows_measured)
      if (row.trouble.empty())
        text +=
            fmt::format("{},{},{},{},{},{},{},{},{},{},{:.1f},{:.1f},{:.0f},{:.1f},{}\n", bench.created, bench.version,
                        bench.runtime, csv_field(bench.device), csv_field(bench.driver), table.family, table.n,
                        table.rows, csv_field(row.what), csv_field(row.parameters), row.ns, row.warm_ns, row.bytes,
                        table.copy_ns, row.error < 0 ? "" : fmt::format("{:.3e}", row.error));
  return text;
}

}  // namespace twiddle
