#include "tracer/bench/bench_history.h"

#include "base/error.h"
#include "base/text.h"
#include "tracer/bench/bench_rungs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

constexpr std::string_view bench_columns =
    "created,version,runtime,device,driver,family,n,rows,what,parameters,ns,warm_ns,bytes,copy_ns,error";
enum Column {
  Created,
  Version,
  RuntimeName,
  Device,
  Driver,
  Family,
  N,
  Rows,
  What,
  Parameters,
  Ns,
  WarmNs,
  Bytes,
  CopyNs,
  ErrorColumn,
  column_count
};
constexpr std::array<std::string_view, 5> libraries = {"cufft", "cub", "vkfft", "clfft", "fftw"};
constexpr double max_ns = 1e15, max_bench_bytes = 1e15;
constexpr std::size_t max_field = 256, max_tables = 256, max_rows = 256;

// The fields of a line; those in quotes may have commas in them, and "" for a quote.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

struct Line {
  std::vector<std::string> fields;
  KernelBenchTable table;  // the problem alone
  KernelBenchRow row;
};

// Of a histogram's values, which no column names: a rung's parameters do, and what a library says of itself, as
// "3.0.1, 256 bins of uint of random:1". Those that name none are of random numbers.
void set_values(KernelBenchTable& table, const KernelBenchRow& row) {
  if (table.family != "histogram") return;
  table.type = "uint", table.signal = usual_signal;
  if (!row.library) {
    try {
      const BenchProblem problem = problem_of_rung(row.what);
      if (problem.family == table.family) table.type = problem.type, table.signal = problem.signal;
    } catch (const Error&) {}  // a rung of another version
    return;
  }
  constexpr std::string_view bins = " bins of ", of = " of ";
  const std::string_view text = row.parameters;
  const std::size_t at = text.find(bins);
  if (at == text.npos) return;
  const std::string_view values = text.substr(at + bins.size());
  const std::size_t then = values.find(of);
  table.type = values.substr(0, then);
  if (then != values.npos) table.signal = values.substr(then + of.size());
}

std::optional<Line> line_of(std::string_view text) {
  Line line{fields_of(text), {}, {}};
  const std::vector<std::string>& f = line.fields;
  if (f.size() != column_count) return {};
  if (std::any_of(f.begin(), f.end(), [](const std::string& field) { return field.size() > max_field; })) return {};
  const auto bounded = [](const std::string& field, double max) -> std::optional<double> {
    const auto number = number_in<double>(field);
    return number && (*number == 0 || (*number >= 1e-3 && *number <= max)) ? number : std::nullopt;
  };
  const auto n = number_in<std::uint64_t>(f[N]), rows = number_in<std::uint64_t>(f[Rows]);
  const auto ns = bounded(f[Ns], max_ns), warm = bounded(f[WarmNs], max_ns), bytes = bounded(f[Bytes], max_bench_bytes),
             copy = bounded(f[CopyNs], max_ns);
  constexpr std::uint64_t most = std::uint64_t(1) << 40;
  if (!n || !rows || *n == 0 || *n > most || *rows > most || !ns || !warm || !bytes || !copy || f[What].empty())
    return {};
  line.table.family = f[Family], line.table.n = *n, line.table.rows = *rows, line.table.copy_ns = *copy;
  line.row.what = f[What], line.row.parameters = f[Parameters];
  line.row.library = std::find(libraries.begin(), libraries.end(), f[What]) != libraries.end();
  line.row.ns = *ns, line.row.warm_ns = *warm, line.row.bytes = *bytes;
  set_values(line.table, line.row);
  set_problem(line.table);
  if (!(line.table.operations > 0)) return {};  // a transform of one point
  line.row.error = number_in<double>(f[ErrorColumn]).value_or(-1);
  return line;
}

}  // namespace

void set_problem(KernelBenchTable& table) {
  const bool transform = table.family.starts_with("fft"), plane = table.family == "fft2d";
  const double n = static_cast<double>(table.n) * static_cast<double>(std::max<std::uint64_t>(table.rows, 1));
  table.problem_bytes = (transform ? 16 : table.type == "uchar" ? 1 : 4) * n;
  table.operations = transform ? 5 * n * std::log2(plane ? n : static_cast<double>(table.n)) : n;
}

bool is_bench_csv(std::string_view text) { return text.starts_with(bench_columns); }

bool is_bench_file(const std::filesystem::path& file) {
  std::error_code failed;
  if (file.extension() != ".csv" || !std::filesystem::is_regular_file(file, failed)) return false;
  std::string first(bench_columns.size(), ' ');
  std::ifstream(file, std::ios::binary).read(first.data(), static_cast<std::streamsize>(first.size()));
  return is_bench_csv(first);
}

KernelBench read_bench_csv(std::string_view text) {
  if (!is_bench_csv(text)) throw usage_error("this is not what twiddle bench kernels --csv prints");
  std::vector<Line> lines;
  std::size_t number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view one = rest.substr(0, end);
    if (one.ends_with('\r')) one.remove_suffix(1);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    if (one.empty() || one == bench_columns) continue;
    std::optional<Line> line = line_of(one);
    if (!line) throw usage_error("line {} is not one of twiddle bench kernels --csv", number);
    lines.push_back(std::move(*line));
  }
  KernelBench bench;
  if (lines.empty()) return bench;
  const std::vector<std::string> last = lines.back().fields;
  bench.runtime = last[RuntimeName], bench.device = last[Device], bench.driver = last[Driver];
  bench.version = last[Version], bench.created = last[Created];
  for (Line& line : lines) {
    if (line.fields[Device] != bench.device || line.fields[RuntimeName] != bench.runtime) continue;
    auto table = std::find_if(bench.tables.begin(), bench.tables.end(), [&](const KernelBenchTable& one) {
      return one.family == line.table.family && one.n == line.table.n && one.rows == line.table.rows &&
             one.type == line.table.type && one.signal == line.table.signal;
    });
    if (table == bench.tables.end()) {
      if (bench.tables.size() == max_tables)
        throw usage_error("a history of more than {} problems is not shown", max_tables);
      table = bench.tables.insert(bench.tables.end(), line.table);
    }
    table->copy_ns = line.table.copy_ns;  // the latest, as what is measured beside it
    // A copy reads and writes as many bytes as the problem has.
    table->copy_bytes = table->family.starts_with("fft") ? table->problem_bytes : 2 * table->problem_bytes;
    auto row = std::find_if(table->rows_measured.begin(), table->rows_measured.end(),
                            [&](const KernelBenchRow& one) { return one.what == line.row.what; });
    if (row == table->rows_measured.end() && table->rows_measured.size() == max_rows)
      throw usage_error("a problem with more than {} kernels is not shown", max_rows);
    if (row == table->rows_measured.end())
      table->rows_measured.push_back(std::move(line.row));
    else
      *row = std::move(line.row);
  }
  return bench;
}

}  // namespace twiddle
