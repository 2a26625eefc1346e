// Accesses as text: the lines of `twiddle print --accesses` in its three formats.
#include "tracer/access/texel.h"
#include "tracer/print/access_text.h"
#include "tracer/print/print.h"
#include "tracer/trace/number_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

namespace twiddle {
namespace {

std::string json_components(const std::vector<Value>& values) {
  if (values.size() == 1) return json_component(values[0], 0);
  std::string list = "[";
  for (const Value& value : values) list += (list.size() > 1 ? "," : "") + json_component(value, 0);
  return list + ']';
}

}  // namespace

AccessValue value_of(const TraceInfo& info, const AccessLog& log, std::uint64_t record) {
  const AccessSite& site = log.sites.at(log.site[record]);
  AccessValue result;
  ElementType type = site.type;
  if (const BufferInfo* buffer = info.buffer(log.buffer[record])) {
    const std::uint64_t element = traits(buffer->type).bytes;
    result.element = static_cast<std::int64_t>(log.offset[record]) / static_cast<std::int64_t>(element);
    result.component = static_cast<int>(log.offset[record] % element);
    // Where code says only how wide a value is, the buffer says what it is.
    const ElementType part = component_type(buffer->type);
    if (!traits(type).floating && traits(part).floating && site.chunk % traits(part).bytes == 0) type = part;
    result.component /= static_cast<int>(std::max<std::size_t>(traits(component_type(buffer->type)).bytes, 1));
  }
  if (info.buffer(log.buffer[record]) && (result.outside = texel_outside(log.offset[record])))
    result.element = result.component = 0;
  const std::size_t bytes = std::max<std::size_t>(traits(component_type(type)).bytes, 1);
  for (std::size_t at = 0; at + bytes <= site.chunk; at += bytes) {
    Value value;
    value.type = component_type(type);
    std::memcpy(value.bits.data(), reinterpret_cast<const std::byte*>(&log.value[record]) + at, bytes);
    result.values.push_back(value);
  }
  return result;
}

std::string access_text_line(const TraceInfo& info, const LaunchInfo& launch, const AccessLog& log, std::uint64_t item,
                             std::uint64_t record, int epoch) {
  const AccessSite& site = log.sites.at(log.site[record]);
  std::string line = line_head(info, launch.number, 0, epoch);
  line += fmt::format(" gid={} line={} {}", global_id_text(launch, item), site.line, name_of(site.kind));
  if (!touches_memory(site.kind)) return line;
  const AccessValue value = value_of(info, log, record);
  const BufferInfo* buffer = info.buffer(log.buffer[record]);
  if (value.outside)
    line += fmt::format("={}({})", buffer->name, fmt::join(*value.outside, ","));
  else
    line += buffer ? fmt::format("={}[{}]", buffer->name, value.element) : fmt::format("=?{:#x}", log.offset[record]);
  if (buffer && traits(buffer->type).components > static_cast<int>(value.values.size()))
    line += fmt::format(".{}", value.component);
  std::vector<std::string> parts;
  for (const Value& one : value.values) parts.push_back(component_text(one, 0));
  return line + (parts.size() == 1 ? " value=" + parts[0] : fmt::format(" value=({})", fmt::join(parts, ",")));
}

std::string access_json_line(const TraceInfo& info, const LaunchInfo& launch, const AccessLog& log, std::uint64_t item,
                             std::uint64_t record, int epoch) {
  const AccessSite& site = log.sites.at(log.site[record]);
  std::string line = fmt::format("{{\"launch\":{},\"kernel\":{},\"epoch\":{},\"gid\":{},\"group\":{},\"lid\":{}",
                                 launch.number, json_string(launch.kernel), epoch, json_triple(launch.global_id(item)),
                                 json_triple(launch.group_id(item)), json_triple(launch.local_id(item)));
  line += fmt::format(",\"access\":\"{}\"", name_of(site.kind));
  if (touches_memory(site.kind)) {
    const AccessValue value = value_of(info, log, record);
    const BufferInfo* buffer = info.buffer(log.buffer[record]);
    if (value.outside)
      line += fmt::format(",\"buffer\":{},\"space\":\"{}\",\"texel\":[{}]", json_string(buffer->name),
                          name_of(buffer->space), fmt::join(*value.outside, ","));
    else if (buffer)
      line += fmt::format(",\"buffer\":{},\"space\":\"{}\",\"index\":{},\"byte\":{}", json_string(buffer->name),
                          name_of(buffer->space), value.element, static_cast<std::int64_t>(log.offset[record]));
    else
      line += fmt::format(",\"space\":\"{}\",\"address\":{}", name_of(site.space), log.offset[record]);
    line += fmt::format(",\"bytes\":{},\"value\":{}", site.chunk, json_components(value.values));
  }
  if (site.line > 0) line += fmt::format(",\"line\":{}", site.line);
  if (site.column > 0) line += fmt::format(",\"column\":{}", site.column);
  if (!site.text.empty()) line += ",\"text\":" + json_string(site.text);
  return line + '}';
}

std::string access_csv_header() {
  return "launch,kernel,epoch,item,access,space,buffer,index,byte,bytes,value,line,column,text";
}

std::string access_csv_line(const TraceInfo& info, const LaunchInfo& launch, const AccessLog& log, std::uint64_t item,
                            std::uint64_t record, int epoch) {
  const AccessSite& site = log.sites.at(log.site[record]);
  std::string place = ",,,,,";
  if (touches_memory(site.kind)) {
    const AccessValue value = value_of(info, log, record);
    const BufferInfo* buffer = info.buffer(log.buffer[record]);
    std::vector<std::string> parts;
    for (const Value& one : value.values) parts.push_back(component_text(one, 0));
    place = fmt::format("{},{},{},{},{},{}", name_of(site.space), buffer ? csv_field(buffer->name) : "",
                        buffer && !value.outside ? fmt::format("{}", value.element) : "",
                        value.outside ? "" : fmt::format("{}", static_cast<std::int64_t>(log.offset[record])),
                        site.chunk, fmt::join(parts, " "));
  }
  return fmt::format("{},{},{},{},{},{},{},{},{}", launch.number, csv_field(launch.kernel), epoch, item,
                     name_of(site.kind), place, site.line, site.column, csv_field(site.text));
}

}  // namespace twiddle
