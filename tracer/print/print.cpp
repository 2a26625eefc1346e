#include "tracer/print/print.h"

#include "base/values/json_text.h"
#include "tracer/trace/number_text.h"
#include "tracer/trace/span.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

std::string json_value(const Value& value) {
  const int components = traits(value.type).components;
  if (components == 1) return json_component(value, 0);
  std::string text = "[";
  for (int c = 0; c < components; ++c) text += (c > 0 ? "," : "") + json_component(value, c);
  return text + "]";
}

// The parts of an exchanged value were put into banks one by one.
bool has_banks(const BufferInfo* buffer) { return buffer && buffer->space == Space::Local && !is_exchange(*buffer); }

std::string json_accesses(const TraceInfo& info, const SmallList<Access, 4>& accesses) {
  std::string text = "[";
  for (const Access& access : accesses) {
    if (text.size() > 1) text += ',';
    text += '{';
    if (const BufferInfo* buffer = info.buffer(access.buffer))
      text += fmt::format("\"buffer\":{},\"space\":\"{}\",", json_string(buffer->name), name_of(buffer->space));
    text += fmt::format("\"index\":{}", access.index);
    if (const BufferInfo* buffer = info.buffer(access.buffer); has_banks(buffer))
      text += fmt::format(",\"bank\":{}", bank_of(*buffer, access.index));
    if (access.known) text += ",\"value\":" + json_value(access.value);
    text += '}';
  }
  return text + ']';
}

// A value with six decimals, as the published traces write it.
std::string fixed_text(const Value& value) {
  const ElementTraits& type = traits(value.type);
  const auto part = [&](int which) {
    return type.floating ? fmt::format("{:.6f}", value.component(which)) : component_text(value, which);
  };
  if (type.components == 1) return part(0);
  std::string text = "(";
  for (int c = 0; c < type.components; ++c) text += (c > 0 ? "," : "") + part(c);
  return text + ")";
}

template <typename Items, typename Text>
std::string joined(const Items& items, const char* separator, const Text& text) {
  std::string result;
  for (const auto& item : items) {
    if (!result.empty()) result += separator;
    result += text(item);
  }
  return result;
}

std::string indices(const SmallList<Access, 4>& accesses) {
  return joined(accesses, "-", [](const Access& access) { return fmt::format("{}", access.index); });
}

bool same_indices(const SmallList<Access, 4>& a, const SmallList<Access, 4>& b) {
  if (a.size() != b.size()) return false;
  for (int i = 0; i < a.size(); ++i)
    if (a[i].index != b[i].index) return false;
  return true;
}

std::string known_values(const SmallList<Access, 4>& accesses) {
  return joined(accesses, ",", [](const Access& access) { return access.known ? fixed_text(access.value) : "?"; });
}

// "1-3" when an operation writes the indices it reads (be it in another buffer, as a first stage does), "0-1>4-5" else.
std::string places(const Operation& operation) {
  if (operation.writes.empty()) return indices(operation.reads);
  if (operation.reads.empty() || same_indices(operation.reads, operation.writes)) return indices(operation.writes);
  return indices(operation.reads) + '>' + indices(operation.writes);
}

// The buffer of the first of the accesses; all of them touch the same one.
const BufferInfo* first_buffer(const TraceInfo& info, const SmallList<Access, 4>& accesses) {
  return accesses.empty() ? nullptr : info.buffer(accesses[0].buffer);
}

std::string banks(const TraceInfo& info, const SmallList<Access, 4>& accesses) {
  return joined(accesses, "-", [&](const Access& access) {
    const BufferInfo* buffer = info.buffer(access.buffer);
    return buffer ? fmt::format("{}", bank_of(*buffer, access.index)) : std::string("?");
  });
}

// What follows the values where places alone do not say it: " buffer=x>s group=0 bank=8". Nothing for work that stays in
// one buffer of global memory.
std::string where(const TraceInfo& info, const Operation& operation) {
  const BufferInfo *source = first_buffer(info, operation.reads), *target = first_buffer(info, operation.writes);
  const std::string from = source ? source->name : "", to = target ? target->name : "";
  const bool reads_local = source && source->space == Space::Local,
             writes_local = target && target->space == Space::Local;
  if (from == to && !reads_local) return "";
  std::string text = " buffer=" + from;
  if (!to.empty() && to != from) text += (from.empty() ? "" : ">") + to;
  if (!reads_local && !writes_local) return text;
  const LaunchInfo* launch = info.launch(operation.launch);
  if (launch) text += fmt::format(" group={}", operation.item / std::max<std::uint64_t>(launch->group_size(), 1));
  const std::string read = has_banks(source) ? banks(info, operation.reads) : "";
  const std::string written = has_banks(target) ? banks(info, operation.writes) : "";
  if (read.empty() && written.empty()) return text;
  text += " bank=" + read;
  if (!written.empty() && written != read) text += (read.empty() ? "" : ">") + written;
  return text;
}

}  // namespace

std::string json_string(const std::string& text) { return json_text(nlohmann::json(text)); }

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string line_head(const TraceInfo& info, int launch, int stage, int epoch) {
  const LaunchInfo* known = info.launch(launch);
  std::string line = fmt::format("launch={} kernel={}", launch, known ? known->kernel : "?");
  if (stage > 0) line += fmt::format(" stage={}", stage);
  if (epoch > 0) line += fmt::format(" epoch={}", epoch);
  return line;
}

std::string global_id_text(const LaunchInfo& launch, std::uint64_t item) {
  const auto id = launch.global_id(item);
  return fmt::format("{}", fmt::join(id.begin(), id.begin() + std::clamp(launch.dimensions, 1, 3), ","));
}

std::string json_component(const Value& value, int which) {
  const std::string text = component_text(value, which);
  return std::isfinite(value.component(which)) ? text : '"' + text + '"';
}

std::string json_triple(const std::array<std::size_t, 3>& triple) {
  return fmt::format("[{},{},{}]", triple[0], triple[1], triple[2]);
}

std::string text_line(const TraceInfo& info, const Operation& operation) {
  const LaunchInfo* launch = info.launch(operation.launch);
  std::string line = line_head(info, operation.launch, operation.stage, operation.epoch) + " gid=";
  line += launch ? global_id_text(*launch, operation.item) : fmt::format("{}", operation.item);

  // A butterfly's places are its pair; the others' carry the operation's name.
  if (operation.kind == OperationKind::Barrier) return line + " barrier";
  line += fmt::format(" {}={}", operation.kind == OperationKind::Butterfly ? "pair" : name_of(operation.kind),
                      places(operation));
  if (const std::uint64_t span = span_of(info, operation); span > 0) line += fmt::format(" N={}", span);
  if (operation.stride() > 0) line += fmt::format(" s={}", operation.stride());
  if (!operation.coefficients.empty()) line += " w=" + joined(operation.coefficients, ",", fixed_text);
  if (info.detail != Detail::Values) return line + where(info, operation);
  if (!operation.reads.empty()) line += " in=" + known_values(operation.reads);
  if (!operation.writes.empty()) line += " out=" + known_values(operation.writes);
  return line + where(info, operation);
}

std::string json_line(const TraceInfo& info, const Operation& operation) {
  const LaunchInfo* launch = info.launch(operation.launch);
  std::string line = fmt::format("{{\"launch\":{}", operation.launch);
  if (launch) line += ",\"kernel\":" + json_string(launch->kernel);
  if (operation.stage > 0) line += fmt::format(",\"stage\":{}", operation.stage);
  line += fmt::format(",\"epoch\":{}", operation.epoch);
  if (launch)
    line += fmt::format(",\"gid\":{},\"group\":{},\"lid\":{}", json_triple(launch->global_id(operation.item)),
                        json_triple(launch->group_id(operation.item)), json_triple(launch->local_id(operation.item)));
  line += fmt::format(",\"op\":\"{}\"", name_of(operation.kind));
  if (const std::uint64_t span = span_of(info, operation); span > 0) line += fmt::format(",\"span\":{}", span);
  if (operation.stride() > 0) line += fmt::format(",\"stride\":{}", operation.stride());
  if (!operation.coefficients.empty())
    line += fmt::format(",\"twiddles\":[{}]", joined(operation.coefficients, ",", json_value));
  if (!operation.reads.empty()) line += ",\"reads\":" + json_accesses(info, operation.reads);
  if (!operation.writes.empty()) line += ",\"writes\":" + json_accesses(info, operation.writes);
  if (operation.line > 0) line += fmt::format(",\"line\":{}", operation.line);
  return line + '}';
}

std::string csv_header() {
  return "step,launch,kernel,stage,epoch,item,op,span,stride,line,twiddles,read_buffer,read_indices,read_values,write_"
         "buffer,write_indices,write_values";
}

std::string csv_line(const TraceInfo& info, const Operation& operation) {
  const LaunchInfo* launch = info.launch(operation.launch);
  // Several numbers in one field are separated by spaces, complex parts too.
  const auto value = [](const Value& v) {
    std::string text = component_text(v, 0);
    for (int c = 1; c < traits(v.type).components; ++c) text += ' ' + component_text(v, c);
    return text;
  };
  const auto accesses = [&](const SmallList<Access, 4>& all) {
    const BufferInfo* buffer = first_buffer(info, all);
    return fmt::format(
        "{},{},{}", buffer ? csv_field(buffer->name) : "",
        joined(all, " ", [](const Access& access) { return fmt::format("{}", access.index); }),
        joined(all, " ", [&](const Access& access) { return access.known ? value(access.value) : std::string(); }));
  };
  const auto number = [](std::uint64_t n) { return n > 0 ? fmt::format("{}", n) : std::string(); };
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}", number(operation.step), operation.launch,
                     csv_field(launch ? launch->kernel : ""), number(static_cast<std::uint64_t>(operation.stage)),
                     operation.epoch, operation.item, name_of(operation.kind), number(span_of(info, operation)),
                     number(operation.stride()), number(static_cast<std::uint64_t>(operation.line)),
                     joined(operation.coefficients, " ", value), accesses(operation.reads), accesses(operation.writes));
}

}  // namespace twiddle
