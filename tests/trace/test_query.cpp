#include "own_kernel.h"
#include "run_program.h"
#include "synthetic_trace.h"
#include "test_support.h"
#include "tracer/file/sqlite.h"
#include "tracer/file/trace_file.h"
#include "tracer/print/print.h"
#include "tracer/query/query.h"
#include "tracer/replay/replay.h"
#include "tracer/run/tracer.h"
#include "tracer/runtimes/open_runtime.h"
#include "tracer/trace/number_text.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

using namespace twiddle;

namespace {

using Reader = std::shared_ptr<const TraceReader>;

// One line a row, "1|butterfly|-0.5|NULL": what a query answers.
std::vector<std::string> answer(const Reader& trace, const std::string& sql) {
  Query query(trace, sql);
  std::vector<std::string> lines;
  for (std::vector<Cell> row; query.next(row);) {
    std::string line;
    for (const Cell& cell : row) {
      if (!line.empty()) line += '|';
      if (const auto* whole = std::get_if<std::int64_t>(&cell)) line += std::to_string(*whole);
      if (const auto* real = std::get_if<double>(&cell)) line += exact_text(*real);
      if (const auto* text = std::get_if<std::string>(&cell)) line += *text;
      if (std::holds_alternative<std::monostate>(cell)) line += "NULL";
    }
    lines.push_back(line);
  }
  return lines;
}

Reader fft(const synthetic::Folder& folder, std::uint32_t n, std::uint32_t block = block_capacity) {
  synthetic::FftOptions options;
  options.n = n;
  options.random = true;
  options.block = block;
  return TraceReader::open(synthetic::Fft<float>(options).write(folder / ("fft" + std::to_string(n) + ".twd")));
}

std::string plan_of(const Reader& trace, const std::string& sql) {
  std::string text;
  for (const std::string& line : answer(trace, "EXPLAIN QUERY PLAN " + sql)) text += line + "\n";
  return text;
}

std::string cell(double value) { return exact_text(value); }

}  // namespace

TEST_CASE("every column of operations, reads and writes says what the replay says") {
  const synthetic::Folder folder;
  const Reader trace = fft(folder, 32, 11);
  const TraceInfo& info = trace->info();
  std::vector<std::string> operations, reads, writes;
  Replay replay(trace);
  replay.for_each(1, info.steps, false, [&](const Operation& op) {
    const auto maybe = [](std::uint64_t number) { return number > 0 ? std::to_string(number) : std::string("NULL"); };
    const LaunchInfo& launch = info.launches[op.launch - 1];
    const std::string where = std::to_string(op.step) + "|" + std::to_string(op.launch) + "|" + launch.kernel + "|" +
                              maybe(static_cast<std::uint64_t>(op.stage)) + "|" + std::to_string(op.epoch) + "|" +
                              std::to_string(op.item);
    const std::string what = std::string(name_of(op.kind));
    const auto part = [&](int c) { return op.coefficients.empty() ? "NULL" : cell(op.coefficients[0].component(c)); };
    operations.push_back(where + "|" + std::to_string(op.item) + "|" + std::to_string(op.item / launch.group_size()) +
                         "|" + std::to_string(op.item % launch.group_size()) + "|" + what + "|" + maybe(op.span()) +
                         "|" + maybe(op.stride()) + "|" + std::to_string(op.line) + "|" + part(0) + "|" + part(1));
    const auto accesses = [&](const SmallList<Access, 4>& all, std::vector<std::string>& lines) {
      for (int i = 0; i < all.size(); ++i)
        lines.push_back(where + "|" + what + "|" + std::to_string(i + 1) + "|" + info.buffers[all[i].buffer].name +
                        "|global|" + std::to_string(all[i].index) + "|" + cell(all[i].value.component(0)) + "|" +
                        cell(all[i].value.component(1)));
    };
    accesses(op.reads, reads);
    accesses(op.writes, writes);
    return true;
  });
  const std::string where = "step, launch, kernel, stage, epoch, item";
  CHECK(answer(trace,
               "SELECT " + where + ", gid_x, work_group, lid, op, span, stride, line, w_re, w_im FROM operations") ==
        operations);
  const std::string access = "SELECT " + where + ", op, number, buffer, space, element, re, im FROM ";
  CHECK(answer(trace, access + "reads") == reads);
  CHECK(answer(trace, access + "writes") == writes);
  CHECK(reads.size() == 2 * info.steps);
}

TEST_CASE("conditions and orders that the tables handle themselves change no answer") {
  const synthetic::Folder folder;
  const Reader trace = fft(folder, 64, 13);
  // "+stage" hides a column from the table, so that SQLite filters and sorts by itself.
  const auto hidden = [](std::string text) {
    for (const char* name : {"stage", "launch", "epoch", "item", "step"})
      for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += std::strlen(name) + 1)
        text.insert(at, "+");
    return text;
  };
  const std::vector<std::string> conditions = {"stage = 3",
                                               "stage > 2 AND stage <= 4",
                                               "launch = 2",
                                               "launch >= 3 AND item = 7",
                                               "step = 40",
                                               "step = 40.0",
                                               "step BETWEEN 30 AND 35",
                                               "step > 100.5",
                                               "item < 3",
                                               "item >= 30",
                                               "item = 3 AND stage IN (1, 4)",
                                               "epoch = 0",
                                               "epoch = 1",
                                               "stage = '2'",
                                               "step = 'x'",
                                               "step IS NULL",
                                               "stage IS NULL",
                                               "step = NULL",
                                               "item = -1",
                                               "step = 9223372036854775807",
                                               "step < -9223372036854775807",
                                               "launch = 1e300",
                                               "item = 3.5",
                                               "1"};
  const std::vector<std::string> orders = {"",
                                           "stage",
                                           "stage DESC",
                                           "launch DESC, step",
                                           "stage, epoch, step",
                                           "step DESC",
                                           "stage DESC, launch, step",
                                           "item, step",
                                           "epoch, stage, item, step"};
  for (const std::string& condition : conditions)
    for (const std::string& order : orders) {
      CAPTURE(condition);
      CAPTURE(order);
      // Rows of equal rank may come in any order: a total order tells what each gives.
      const std::string by = order.empty() || order.find("step") != std::string::npos ? order : order + ", step";
      const auto ask = [&](const std::string& c, const std::string& o) {
        return answer(trace,
                      "SELECT step, item, stage FROM operations WHERE " + c + (o.empty() ? "" : " ORDER BY " + o));
      };
      CHECK(ask(condition, by) == ask(hidden(condition), hidden(by)));
    }
  for (const char* column : {"stage", "launch", "epoch", "stage, launch"}) {
    const std::string sql = std::string(column) + ", count(*), min(step), max(item) FROM operations GROUP BY ";
    CHECK(answer(trace, "SELECT " + sql + column) == answer(trace, "SELECT " + sql + hidden(column)));
  }
}

TEST_CASE("counting by stage sorts nothing, and a step is found without looking at the others") {
  const synthetic::Folder folder;
  const Reader trace = fft(folder, 64);
  CHECK_FALSE(contains(plan_of(trace, "SELECT stage, count(*) FROM operations GROUP BY stage"), "TEMP B-TREE"));
  CHECK_FALSE(contains(plan_of(trace, "SELECT * FROM operations ORDER BY launch, step"), "TEMP B-TREE"));
  CHECK(contains(plan_of(trace, "SELECT item, count(*) FROM operations GROUP BY item"), "TEMP B-TREE"));
  CHECK(answer(trace, "SELECT stage, count(*) FROM operations WHERE stage > 0 GROUP BY stage") ==
        std::vector<std::string>{"1|32", "2|32", "3|32", "4|32", "5|32", "6|32"});
  // A join by step asks for one step at a time.
  CHECK(answer(trace,
               "SELECT count(*) FROM operations JOIN reads USING (step) JOIN writes USING (step) WHERE "
               "operations.stage = 2") == std::vector<std::string>{"128"});
}

TEST_CASE("barriers, local arrays, integers, NaN and traces without values") {
  const synthetic::Folder folder;
  OwnKernel own(
      "kernel void k(global int *x, global float *y TRACE_PARAMS) {\n"
      "  local int s[4];\n  int g = get_global_id(0), l = get_local_id(0);\n"
      "  int v = x[g]; s[l] = v; TRACE_MOVE(s, l, x, g, v);\n"
      "  barrier(CLK_LOCAL_MEM_FENCE); TRACE_BARRIER();\n"
      "  int u = s[3 - l]; x[g] = u; TRACE_MOVE(x, g, s, 3 - l, u);\n"
      "  float f = y[g]; y[g] = 2 * f; TRACE_SCALE(y, g, f, 2.0f);\n}\n");
  const auto x = own.buffer("x", ElementType::Int, 8);
  const auto y = own.buffer("y", ElementType::Float, 8, Content::Kind::Uninitialised);
  own.launch("k", 8, 4, {x, y});
  for (const Detail detail : {Detail::Values, Detail::Index}) {
    const std::unique_ptr<Runtime> runtime = open_runtime("opencl", 0);
    const auto file = folder / (detail == Detail::Values ? "values.twd" : "index.twd");
    TraceWriter writer(file);
    TraceOptions options;
    options.detail = detail;
    trace_plan(own.plan, *runtime, options, writer);
    writer.finish();
    const Reader trace = TraceReader::open(file);
    CHECK(
        answer(trace, "SELECT count(*), min(epoch), count(DISTINCT item), max(work_group), min(line) FROM barriers") ==
        std::vector<std::string>{"8|0|8|1|6"});
    const bool values = detail == Detail::Values;
    CHECK(answer(trace,
                 "SELECT work_group, lid, element, re, im, typeof(re) FROM reads WHERE buffer = 's' AND item = 6") ==
          std::vector<std::string>{values ? "1|2|1|5|NULL|integer" : "1|2|1|NULL|NULL|null"});
    CHECK(answer(trace, "SELECT DISTINCT re, typeof(re) FROM reads WHERE buffer = 'y'") ==
          std::vector<std::string>{values ? "nan:7fc0dead|text" : "NULL|null"});
    CHECK(answer(trace, "SELECT DISTINCT space FROM writes ORDER BY space") ==
          std::vector<std::string>{"global", "local"});
    CHECK(answer(trace, "SELECT count(*) FROM operations") == std::vector<std::string>{"24"});
    CHECK(answer(trace, "SELECT buffer, type, count, space, launch FROM buffers") ==
          std::vector<std::string>{"x|int|8|global|NULL", "y|float|8|global|NULL", "s|int|4|local|1"});
    CHECK(answer(trace, "SELECT launch, kernel, source, items, group_size, arguments FROM launches") ==
          std::vector<std::string>{"1|k|mine.cl|8|4|x, y"});
    CHECK(answer(trace, "SELECT text FROM sources WHERE line = 3") == std::vector<std::string>{"  local int s[4];"});
    CHECK(answer(trace, "SELECT sum(count) FROM segments") == std::vector<std::string>{"24"});
    if (values)  // y was never written
      CHECK(answer(trace, "SELECT severity, launch, buffer, line FROM findings WHERE class = 'uninitialised-read'") ==
            std::vector<std::string>{"error|1|y|8"});
  }
}

TEST_CASE("a query that is none, asks for what is not there, or wants to write: one sentence, exit code 2") {
  const synthetic::Folder folder;
  const Reader trace = fft(folder, 8);
  const auto refusal = [&](const std::string& sql) {
    CHECK(exit_code_of([&] { answer(trace, sql); }) == ExitCode::usage);
    return sentence_of([&] { answer(trace, sql); });
  };
  CHECK(refusal("SELECT stag FROM operations") ==
        "the query cannot be answered: no such column: stag; did you mean stage?");
  CHECK(refusal("SELECT o.itm FROM operations o") ==
        "the query cannot be answered: no such column: o.itm; did you mean item?");
  CHECK(refusal("SELECT * FROM operation") ==
        "the query cannot be answered: no such table: operation; did you mean operations?");
  CHECK(refusal("SELECT number FROM launches") ==  // another table's column
        "the query cannot be answered: no such column: number; twiddle query FILE without a query lists what there is");
  CHECK(refusal("SELECT \"stag\" FROM operations").find("no such column") != std::string::npos);
  CHECK(refusal("SELEC 1").find("syntax error") != std::string::npos);
  CHECK(refusal("SELECT 1; SELECT 2") == "one query at a time: what follows the first ';' is left over");
  CHECK(refusal("  -- nothing").find("there is no query") == 0);
  CHECK(answer(trace, "SELECT 1 ; ") == std::vector<std::string>{"1"});
  const std::string other = (folder / "other.db").string();
  for (const std::string& sql :
       {std::string("CREATE TABLE t(x)"), std::string("DELETE FROM operations"), std::string("PRAGMA user_version = 3"),
        "ATTACH '" + other + "' AS other", "VACUUM INTO '" + other + "'", std::string("SELECT load_extension('x')"),
        std::string("CREATE TEMP TABLE t AS SELECT * FROM operations"),
        std::string("INSERT INTO launches VALUES (1)")}) {
    CAPTURE(sql);
    CHECK(refusal(sql) == "a query only reads the trace: write a SELECT");
  }
  CHECK_FALSE(std::filesystem::exists(other));
}

TEST_CASE("a query can be stopped, also one that never ends") {
  const synthetic::Folder folder;
  int asked = 0;
  Query query(fft(folder, 8), "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n",
              [&] { return ++asked > 3; });
  std::vector<Cell> row;
  CHECK_FALSE(query.next(row));
  CHECK(query.interrupted());
}

TEST_CASE("a damaged trace ends a query with the file's own sentence") {
  const synthetic::Folder folder;
  const Reader trace = fft(folder, 8);
  {
    // The open reader meets blocks whose bytes are others now.
    sqlite::Database database(trace->path(), sqlite::Database::Mode::read_write);
    database.execute("UPDATE blocks SET data = zeroblob(length(data))");
  }
  CHECK(answer(trace, "SELECT count(*) FROM operations") ==
        std::vector<std::string>{std::to_string(trace->info().steps)});
  for (const char* sql : {"SELECT item FROM operations", "SELECT w_re FROM operations"}) {
    CHECK(exit_code_of([&] { answer(trace, sql); }) == ExitCode::unreadable);
    CHECK(contains(sentence_of([&] { answer(trace, sql); }), "checksum"));
  }
}

TEST_CASE("twiddle query: table, CSV and JSON") {
  TestFolder folder;
  REQUIRE(run_program(folder, {"trace", "fft-radix2", "--n", "8", "-o", "t.twd"}).code == 0);
  const auto ask = [&](const std::string& sql, const std::string& format) {
    const Ran ran = run_program(folder, {"query", "t.twd", sql, "--format", format});
    CHECK_MESSAGE(ran.code == 0, ran.err);
    return ran.out;
  };
  const std::string sql =
      "SELECT step, 'a,\"b' AS quoted, NULL AS missing, 0.1 AS x, 1e999 AS much FROM operations WHERE step < 3";
  CHECK(ask(sql, "csv") == "step,quoted,missing,x,much\n1,\"a,\"\"b\",,0.1,inf\n2,\"a,\"\"b\",,0.1,inf\n");
  CHECK(ask(sql, "table") ==
        "step  quoted  missing    x  much\n   1  a,\"b             0.1   inf\n   2  a,\"b             0.1   inf\n");
  const nlohmann::json json = nlohmann::json::parse(ask(sql, "json"));
  REQUIRE(json.size() == 2);
  CHECK(json[1]["step"] == 2);
  CHECK(json[1]["quoted"] == "a,\"b");
  CHECK(json[1]["missing"].is_null());
  CHECK(json[1]["much"] == "inf");
  CHECK(nlohmann::json::parse(ask("SELECT 1 WHERE 0", "json")).empty());
  const Ran tables = run_program(folder, {"query", "t.twd"});
  CHECK(tables.code == 0);
  for (const QueryTable& table : query_tables()) CHECK(contains(tables.out, table.name + " "));
  check_failure(run_program(folder, {"query", "t.twd", "SELECT x"}), 2, "no such column: x");
  check_failure(run_program(folder, {"query", "none.twd", "SELECT 1"}), 3, "none.twd");
}
