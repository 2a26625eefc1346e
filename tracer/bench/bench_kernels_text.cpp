// What `twiddle bench kernels` measured, as text, for scripts, and as a picture.
#include "base/text.h"
#include "tracer/bench/bench_kernels.h"
#include "tracer/print/print.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

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
  if (table.family == "histogram") return fmt::format("Histogram of {} values", n);
  return table.rows > 0 ? fmt::format("{} transforms of {} points", table.rows, n)
                        : fmt::format("Transform of {} points", n);
}

// 0 where one of them is not known.
double ratio(double a, double b) { return a > 0 && b > 0 ? a / b : 0; }

std::string number_text(double number, const char* format) {
  return number > 0 ? fmt::format(fmt::runtime(format), number) : std::string("-");
}

/// The least time that its passes can take: as long as copies of the same bytes.
double bound_ns(const KernelBenchTable& table, const KernelBenchRow& row) {
  return table.bandwidth() > 0 ? row.bytes / table.bandwidth() : 0;
}

std::string row_text(const KernelBenchTable& table, const KernelBenchRow& row, std::size_t width) {
  const std::string what = fmt::format("{:<{}}", row.what, width);
  if (!row.trouble.empty()) return fmt::format("{}  {}\n", what, row.trouble);
  const std::string error = row.error < 0 ? "-" : fmt::format("{:.2e}{}", row.error, row.right ? "" : " WRONG");
  return fmt::format("{} {:>8} {:>10} {:>10} {:>9} {:>9} {:>8} {:>7} {:>8} {:>10}{}\n", what,
                     row.launches > 0 ? fmt::format("{}", row.launches) : "-", number_text(row.ns / 1e6, "{:.5f}"),
                     number_text(row.warm_ns / 1e6, "{:.5f}"), number_text(row.bytes / 1e9, "{:.3f}"),
                     number_text(row.logged_bytes / 1e9, "{:.3f}"), number_text(ratio(row.bytes, row.ns), "{:.0f}"),
                     number_text(100 * ratio(bound_ns(table, row), row.ns), "{:.0f} %"),
                     number_text(ratio(table.library_ns(), row.ns), "{:.3f}"), error,
                     row.library && !row.parameters.empty() ? "  " + row.parameters
                     : row.note.empty()                     ? ""
                                                            : "  " + row.note);
}

std::string svg_text(double x, double y, const std::string& text, const char* anchor = "start", int size = 12) {
  std::string safe;
  for (const char c : text) safe += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\">{}</text>\n", x, y, anchor,
                     size, safe);
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
    for (const KernelBenchRow& row : table.rows_measured) text += row_text(table, row, width);
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
        if (row.error >= 0) one["error"] = row.error, one["right"] = row.right;
        if (const double bound = ratio(bound_ns(table, row), row.ns); bound > 0) one["share_of_bound"] = bound;
        if (const double times = ratio(table.library_ns(), row.ns); times > 0) one["times_library"] = times;
      }
      entry["measured"].push_back(std::move(one));
    }
    json["tables"].push_back(std::move(entry));
  }
  return json.dump(2) + '\n';
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

// Operations a byte against operations a second, both as logarithms; the roof is what the copy reaches.
std::string bench_roofline(const KernelBench& bench) {
  constexpr double width = 900, height = 560, left = 80, right = 250, top = 50, bottom = 60;
  struct Point {
    double intensity, gigaflops;
    std::string what;
    bool library;
    std::size_t table;
  };
  std::vector<Point> points;
  double roof = 0;
  for (std::size_t t = 0; t < bench.tables.size(); ++t) {
    const KernelBenchTable& table = bench.tables[t];
    roof = std::max(roof, table.bandwidth());
    std::set<std::string> libraries;
    for (const KernelBenchRow& row : table.rows_measured) {
      if (row.ns <= 0 || row.bytes <= 0 || (row.library && !libraries.insert(row.what).second)) continue;
      points.push_back({table.operations / row.bytes, table.operations / row.ns, row.what, row.library, t});
    }
  }
  double x_low = 0.05, x_high = 20, y_low = 1e9, y_high = 1;
  for (const Point& point : points) {
    x_low = std::min(x_low, point.intensity / 1.5), x_high = std::max(x_high, point.intensity * 1.5);
    y_low = std::min(y_low, point.gigaflops / 2), y_high = std::max(y_high, point.gigaflops * 2);
  }
  y_high = std::max(y_high, roof * x_high / 4);
  y_low = std::min(y_low, y_high / 100);
  const auto x_of = [&](double x) {
    return left + (width - left - right) * std::log(x / x_low) / std::log(x_high / x_low);
  };
  const auto y_of = [&](double y) {
    return height - bottom - (height - top - bottom) * std::log(y / y_low) / std::log(y_high / y_low);
  };
  constexpr std::array colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7"};
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" fill=\"#222\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      width, height);
  svg += svg_text(left, 28, fmt::format("{}: operations a second, under the roof that memory is", bench.device),
                  "start", 15);
  for (double x = std::pow(10, std::ceil(std::log10(x_low))); x <= x_high; x *= 10) {
    svg += fmt::format("<path d=\"M{0:.1f} {1}V{2}\" stroke=\"#ddd\"/>\n", x_of(x), top, height - bottom);
    svg += svg_text(x_of(x), height - bottom + 18, fmt::format("{:g}", x), "middle");
  }
  for (double y = std::pow(10, std::ceil(std::log10(y_low))); y <= y_high; y *= 10) {
    svg += fmt::format("<path d=\"M{0} {1:.1f}H{2}\" stroke=\"#ddd\"/>\n", left, y_of(y), width - right);
    svg += svg_text(left - 8, y_of(y) + 4, fmt::format("{:g}", y), "end");
  }
  svg += svg_text((left + width - right) / 2, height - 18, "operations a byte moved", "middle");
  svg += fmt::format("<g transform=\"translate(24 {}) rotate(-90)\">{}</g>\n", (top + height - bottom) / 2,
                     svg_text(0, 0, "billion operations a second", "middle"));
  if (roof > 0) {
    const double from = std::max(x_low, y_low / roof), to = std::min(x_high, y_high / roof);
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"#222\" stroke-width=\"2\"/>\n", x_of(from),
                       y_of(roof * from), x_of(to), y_of(roof * to));
    svg += svg_text(width - right + 12, top + 12, fmt::format("roof: {:.0f} GB/s, a copy", roof));
  }
  double y = top + 36;
  int number = 0;
  for (const Point& point : points) {
    const char* colour = point.library ? "#222" : colours[point.table % colours.size()];
    ++number;
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\"/>\n", x_of(point.intensity),
                       y_of(point.gigaflops), colour);
    svg += svg_text(x_of(point.intensity) + 8, y_of(point.gigaflops) + 4, fmt::format("{}", number), "start", 11);
    svg += fmt::format("<g fill=\"{}\">{}</g>\n", colour,
                       svg_text(width - right + 12, y, fmt::format("{}  {}", number, point.what), "start", 11));
    y += 15;
  }
  return svg + "</svg>\n";
}

}  // namespace twiddle
