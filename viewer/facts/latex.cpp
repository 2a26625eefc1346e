#include "viewer/facts/latex.h"

#include "base/error.h"
#include "base/message.h"
#include "tracer/trace/number_text.h"
#include "viewer/document/flow.h"
#include "viewer/facts/trace_facts.h"
#include "viewer/render/tikz.h"
#include "viewer/words/operation_text.h"

#include <fmt/format.h>

namespace twiddle {

std::string latex_equation(const TraceInfo& info, const Operation& operation) {
  std::string out = "\\begin{align*}\n";
  bool first = true;
  for (const Equation& equation : describe(info, operation).equations) {
    std::string target = latex_math(equation.target.text);
    for (const EquationRow& row : equation.rows) {
      if (!first) out += " \\\\\n";
      first = false;
      out += fmt::format("  {} &{} ", target, latex_math(row.relation));
      for (const EquationPart& part : row.tokens) out += latex_math(part.text);
      target.clear();
    }
  }
  return out + "\n\\end{align*}\n";
}

std::string latex_table(Document& document, std::uint64_t step) {
  constexpr std::uint64_t max_rows = 64;
  constexpr std::size_t max_columns = 16;
  Flow& flow = document.flow();
  const TraceInfo& info = document.info();
  if (!flow.draws()) throw usage_error("This trace's states are no columns that a table could have.");
  if (flow.rows() > max_rows)
    throw usage_error("A table has at most {} rows, and this trace has {}.", max_rows, flow.rows());
  // The state at the cursor is after a whole segment or inside the last of these.
  std::vector<int> columns;
  for (int c = 0; c < static_cast<int>(flow.columns().size()) && columns.size() < max_columns; ++c) {
    const int segment = flow.columns()[c].segment;
    if (segment < 0 || info.segments[segment].first_step <= step) columns.push_back(c);
  }
  std::string out = fmt::format("\\begin{{tabular}}{{r{}}}\n ", std::string(columns.size(), 'r'));
  for (const int c : columns) {
    const int segment = flow.columns()[c].segment;
    out += " & " + latex_text(segment < 0 ? tr("start") : facts_of(document).segment_names[segment]);
  }
  out += " \\\\\n  \\hline\n";
  for (std::uint64_t row = 0; row < flow.rows(); ++row) {
    out += fmt::format("  {}", row);
    for (const int c : columns) {
      const std::optional<Place> place = flow.place(c, row);
      const int segment = flow.columns()[c].segment;
      std::string text;
      if (place) {
        Value value;
        value.type = info.buffers[place->buffer].type;
        const auto bytes = std::span(reinterpret_cast<std::byte*>(value.bits.data()), traits(value.type).bytes);
        const bool whole = segment < 0 || info.segments[segment].end_step() <= step + 1;
        if (whole && document.replay->state_after(segment)->read(place->buffer, place->group, place->index, bytes))
          text = "$" + latex_math(value_text(value)) + "$";
        else if (!whole &&
                 document.replay->last_writer(place->buffer, place->group, place->index, step) >=
                     info.segments[segment].first_step &&
                 document.replay->state().read(place->buffer, place->group, place->index, bytes))
          text = "$" + latex_math(value_text(value)) + "$";
      }
      out += " & " + text;
    }
    out += " \\\\\n";
  }
  return out + "\\end{tabular}\n";
}

}  // namespace twiddle
