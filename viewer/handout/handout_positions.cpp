#include "viewer/handout/handout_positions.h"

#include "base/message.h"
#include "base/values/json_text.h"
#include "tracer/replay/position.h"
#include "tracer/trace/number_text.h"
#include "tracer/trace/span.h"
#include "viewer/render/svg_parts.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/source_values.h"
#include "viewer/words/twiddle_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

using nlohmann::json;

std::string_view colour_name(Role role) { return role == Role::None ? std::string_view() : name_of(role); }

// The twiddle of a butterfly, for the unit circle: [re, im, points, exponent, value, degrees]; points 0: no power of any.
json twiddle_json(const TraceInfo& info, const Operation& operation) {
  if (operation.kind != OperationKind::Butterfly || operation.coefficients.empty() || operation.span() == 0)
    return nullptr;
  const Value& w = operation.coefficients[0];
  if (traits(w.type).components != 2) return nullptr;
  const double re = w.component(0), im = w.component(1);
  if (!(std::abs(re) <= 2 && std::abs(im) <= 2)) return nullptr;
  const TwiddleName name = name_twiddle({re, im}, span_of(info, operation), info.expect.sign);
  return {re,
          im,
          name.is_power ? name.points : 0,
          name.exponent,
          name.value.empty() ? value_text(w) : name.value,
          degrees_text(name.degrees)};
}

// [source, first line that ran, last, first line shown, last shown, [[line, value, plate, underline], …]].
json source_json(const TraceInfo& info, const Operation& operation, std::map<int, std::vector<std::string>>& lines_of) {
  const LaunchInfo* launch = info.launch(operation.launch);
  if (!launch || operation.line <= 0 || launch->source < 0 ||
      static_cast<std::size_t>(launch->source) >= info.sources.size())
    return nullptr;
  auto& lines = lines_of[launch->source];
  if (lines.empty()) lines = source_lines(info.sources[launch->source].text);
  const int end = static_cast<int>(lines.size());
  if (operation.line > end) return nullptr;
  int last = operation.line;
  for (const Site& site : info.sites)
    if (site.source == launch->source && site.line == operation.line) last = std::clamp(site.last_line, last, end);
  LineRange shown = kernel_lines(lines, launch->kernel);
  if (shown.first <= 0 || operation.line < shown.first || last > shown.last)
    shown = {std::max(1, operation.line - 12), std::min(end, last + 4)};
  json values = json::array();
  for (const LineValue& value : live_values(info, operation))
    values.push_back(
        {value.line, value.text, std::string(colour_name(value.plate)), std::string(colour_name(value.underline))});
  return {launch->source, operation.line, last, shown.first, shown.last, values};
}

}  // namespace

int HandoutPositions::part(const EquationPart& part) {
  json entry = {part.text, std::string(colour_name(part.plate)), std::string(colour_name(part.underline))};
  const auto [at, fresh] = part_of_.try_emplace(json_text(entry), static_cast<int>(parts_.size()));
  if (fresh) parts_.push_back(std::move(entry));
  return at->second;
}

json HandoutPositions::equations(const std::vector<Equation>& equations) {
  json list = json::array();
  for (const Equation& equation : equations) {
    json rows = json::array();
    for (const EquationRow& row : equation.rows) {
      json numbers = json::array();
      for (const EquationPart& token : row.tokens) numbers.push_back(part(token));
      rows.push_back({row.relation, numbers});
    }
    list.push_back({part(equation.target), rows});
  }
  return list;
}

json HandoutPositions::at(std::uint64_t step, const std::string& description) {
  const TraceInfo& info = document_.info();
  json here = {{"s", step},          {"n", ""},      {"g", -1},     {"d", description}, {"r", json::array()},
               {"e", json::array()}, {"w", nullptr}, {"c", nullptr}};
  if (step == 0) {
    here["t"] = tr("Before the first operation");
    here["u"] = info.signal.empty() ? tr("the input is in memory")
                                    : tr("the input, {}, is in memory", signal_name(info.signal));
    return here;
  }
  const Operation operation = document_.replay->operation(step);
  const OperationText text = describe(info, operation);
  here["n"] = to_string(position_of(operation));
  here["g"] = document_.replay->segment_of(step);
  here["t"] = text.title;
  here["u"] = text.subtitle;
  here["e"] = equations(text.equations);
  for (const std::string& remark : text.remarks) here["r"].push_back(remark);
  here["w"] = twiddle_json(info, operation);
  here["c"] = source_json(info, operation, lines_of_);
  return here;
}

json HandoutPositions::accesses(std::uint64_t step) {
  const TraceInfo& info = document_.info();
  const Operation operation = document_.replay->operation(step);
  const LaunchInfo* launch = info.launch(operation.launch);
  const auto keys = [&](const SmallList<Access, 4>& accesses) {
    json list = json::array();
    for (const Access& access : accesses) {
      if (access.buffer < 0 || static_cast<std::size_t>(access.buffer) >= info.buffers.size()) continue;
      const BufferInfo& buffer = info.buffers[access.buffer];
      const std::uint64_t group =
          buffer.space == Space::Local && launch && launch->group_size() ? operation.item / launch->group_size() : 0;
      list.push_back(fmt::format("{}:{}", access.buffer, group * buffer.count + access.index));
    }
    return list;
  };
  return json::array({keys(operation.reads), keys(operation.writes)});
}

}  // namespace twiddle
