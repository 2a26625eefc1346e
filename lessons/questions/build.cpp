#include "lessons/questions/build.h"

#include "base/error.h"
#include "base/read_file.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "base/write_file.h"
#include "kernels/catalogue/catalogue.h"
#include "kernels/catalogue/reference.h"
#include "tracer/checks/check.h"
#include "tracer/replay/replay.h"
#include "tracer/run/tracer.h"
#include "tracer/runtimes/open_runtime.h"
#include "tracer/store/memory_trace.h"
#include "viewer/words/source_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace twiddle {
namespace {

constexpr std::size_t max_source = 1 << 16, max_expression = 200;

// The plan, and the sources that its launches are from.
struct Kernel {
  Plan plan;
  std::map<std::string, std::string> sources;  // by name
  std::string name;                            // of the one with the hole
  std::size_t at = 0;                          // of the hole in it
};

Kernel kernel_of(const QuestionSpec& question) {
  Request request;
  request.algorithm = question.plan;
  Kernel kernel{make_plan(request), {}, {}, 0};
  for (const Buffer& buffer : kernel.plan.buffers)
    if (buffer.content.kind == Content::Kind::File)
      throw usage_error("the plan of a question has no files but its kernels'");
  std::size_t places = 0;
  for (const Launch& launch : kernel.plan.launches) {
    if (!launch.source.ends_with(".cu"))
      throw usage_error("a kernel to be filled in is CUDA, for the host executor runs it; '{}' is not", launch.source);
    const auto [source, fresh] = kernel.sources.try_emplace(launch.source);
    if (!fresh) continue;
    source->second = read_file(kernel.plan.directory / launch.source, max_source);
    for (std::size_t at = 0; (at = source->second.find(question.hole, at)) != std::string::npos; ++at) {
      kernel.name = launch.source;
      kernel.at = at;
      ++places;
    }
  }
  if (question.hole.empty() || places != 1)
    throw usage_error("the code to be filled in, '{}', is {} times in the plan's kernels", question.hole, places);
  return kernel;
}

void refuse_more_than_an_expression(std::string_view text) {
  if (text.empty() || text.size() > max_expression)
    throw usage_error("what is filled in is 1 to {} letters long", max_expression);
  if (text.find_first_of(";{}#\\\"'\n\r") != std::string_view::npos || text.find("//") != std::string_view::npos ||
      text.find("/*") != std::string_view::npos)
    throw usage_error("what is filled in is an expression: no ; {{ }} # quotes or comments");
}

// What a compiler says first: behind "error:", where it says so, to the end of that line.
Message first_error(const Message& message) {
  const std::string text = message.translated();
  constexpr std::string_view error = "error: ";
  const std::size_t found = text.find(error), begin = found == std::string::npos ? 0 : found + error.size();
  return Message::verbatim(text.substr(begin, text.find('\n', begin) - begin));
}

}  // namespace

GapInCode gap_in_code(const QuestionSpec& question) {
  const Kernel kernel = kernel_of(question);
  std::string text = kernel.sources.at(kernel.name);
  text.replace(kernel.at, question.hole.size(), "____");
  const std::vector<std::string> lines = source_lines(text);
  const auto at = static_cast<std::size_t>(std::count(text.begin(), text.begin() + std::ptrdiff_t(kernel.at), '\n'));
  // From where its function begins, which is not indented, to the brace that ends it, and no more lines than can be overlooked.
  constexpr std::size_t most = 12;
  const auto begins = [&](const std::string& line) { return !line.empty() && line[0] != ' ' && line[0] != '}'; };
  std::size_t first = at, last = at;
  while (first > 0 && at - first < most && !begins(lines[first]) && !lines[first].starts_with('}')) --first;
  while (last + 1 < lines.size() && last - at < most && !lines[last].starts_with('}')) ++last;
  return {{lines.begin() + std::ptrdiff_t(first), lines.begin() + std::ptrdiff_t(last) + 1}, at - first};
}

TextBlock GapInCode::block() const {
  TextBlock block;
  block.kind = TextBlock::Kind::Code;
  block.runs.push_back({.text = fmt::format("{}", fmt::join(lines, "\n"))});
  return block;
}

std::string line_to_fill_in(const QuestionSpec& question) {
  const GapInCode gap = gap_in_code(question);
  return std::string(trimmed(gap.lines[gap.at]));
}

Built build_and_judge(const QuestionSpec& question, std::string_view expression) {
  refuse_more_than_an_expression(expression);
  Kernel kernel = kernel_of(question);
  // Under names of ours: a plan's may lead out of the folder.
  const TemporaryFolder folder;
  for (auto& [name, text] : kernel.sources) {
    if (name == kernel.name) text.replace(kernel.at, question.hole.size(), expression);
    const std::string file =
        fmt::format("kernel{}.cu", std::distance(kernel.sources.begin(), kernel.sources.find(name)));
    write_file(folder.path() / file, text);
    for (Launch& launch : kernel.plan.launches)
      if (launch.source == name) launch.source = file;
  }
  kernel.plan.directory = folder.path();
  const std::unique_ptr<Runtime> host = open_runtime("host", 0);
  MemoryTrace sink;
  TraceOutcome outcome;
  try {
    outcome = trace_plan(kernel.plan, *host, {}, sink);
  } catch (const Error& error) {
    if (error.code() == ExitCode::no_device) throw;
    return {false, Message("it does not compile: {}", first_error(error.message()))};
  }
  const std::shared_ptr<const TraceSource> trace = sink.finish(!outcome.stopped && !outcome.cancelled);
  Replay replay(trace);
  for (const Finding& finding : check_trace(replay))
    if (finding.severity == Severity::Error) return {false, finding.message};
  if (!outcome.faults.empty()) return {false, outcome.faults.front()};
  if (outcome.stopped) return {false, Message("the kernel was stopped")};
  replay.seek(trace->info().steps);
  const Verdict verdict =
      verify(kernel.plan, {[&](std::size_t b) { return trace->first_content(static_cast<int>(b)); },
                           [&](std::size_t b) { return replay.state().bytes(static_cast<int>(b)); }});
  if (!verdict.pass)
    return {false,
            Message("the outcome is wrong: it is off by {} of its size", fmt::format("{:.2g}", verdict.relative_l2))};
  return {true, {}};
}

}  // namespace twiddle
