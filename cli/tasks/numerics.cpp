#include "cli/tasks/numerics.h"

#include "base/error.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/tracing.h"
#include "tracer/checks/finding.h"
#include "tracer/checks/ideal/shadow.h"
#include "tracer/file/trace_file.h"

#include <cmath>

namespace twiddle::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t replay_memory = std::size_t(64) << 20;

std::string element_name(const TraceInfo& info, int buffer, std::uint64_t element) {
  Access access;
  access.buffer = buffer;
  access.index = element;
  return element_text(info, access);
}

Finding finding_at(const ShadowPlace& place) {
  Finding finding;
  finding.launch = place.launch;
  finding.stage = place.stage;
  finding.items = {place.item};
  finding.source = place.source;
  return finding;
}

// "L3.S2.I1 (mine.cl:12)"
std::string place_name(const TraceInfo& info, const ShadowPlace& place) {
  const Finding finding = finding_at(place);
  return fmt::format("{} ({}{})", to_string(position_of(finding)), file_of(info, finding),
                     place.line > 0 ? fmt::format(":{}", place.line) : "");
}

ordered_json place_json(const TraceInfo& info, const ShadowPlace& place) {
  const Finding finding = finding_at(place);
  ordered_json out = {{"position", to_string(position_of(finding))}, {"step", place.step}, {"item", place.item}};
  if (place.source >= 0) out["file"] = file_of(info, finding);
  if (place.line > 0) out["line"] = place.line;
  if (const BufferInfo* buffer = info.buffer(place.buffer)) {
    out["buffer"] = buffer->name;
    out["element"] = place.element;
  }
  return out;
}

ordered_json pair_of(std::complex<double> value) { return ordered_json::array({value.real(), value.imag()}); }

std::string complex_text(std::complex<double> value) {
  return value.imag() == 0 ? fmt::format("{:.9g}", value.real())
                           : fmt::format("({:.9g}, {:.9g})", value.real(), value.imag());
}

Numerics numerics(const TraceInfo& info, const ShadowReport& report) {
  Numerics out;
  std::string& text = out.text;
  ordered_json stages = ordered_json::array(), elements = stages, cancelled = stages, born = stages;
  text += fmt::format("numerics: {} values followed in higher precision, {} not\n", grouped(report.followed),
                      grouped(report.not_followed));
  for (const auto& stage : report.stages) {
    const LaunchInfo* launch = info.launch(stage.launch);
    const std::string name = stage.stage > 0 ? fmt::format("launch {}, stage {}", stage.launch, stage.stage)
                                             : fmt::format("launch {}", stage.launch);
    text += fmt::format("    {:<22}{:<20}relative error {:.3g}", name, launch ? launch->kernel : "", stage.relative_l2);
    if (stage.largest > 0)
      text += fmt::format(", at most {:.3g} in {}", stage.largest,
                          element_name(info, stage.where.buffer, stage.where.element));
    text += "\n";
    ordered_json one = {{"launch", stage.launch}};
    if (stage.stage > 0) one["stage"] = stage.stage;
    one["values"] = stage.values;
    one["relative_l2"] = stage.relative_l2;
    one["largest"] = stage.largest;
    if (stage.largest > 0) one["where"] = place_json(info, stage.where);
    stages.push_back(std::move(one));
  }
  for (const auto& one : report.elements) {
    text += fmt::format("    {} ends as {}, {:.3g} from {}\n", element_name(info, one.buffer, one.element),
                        complex_text(one.value), one.error(), complex_text(one.shadow));
    elements.push_back({{"buffer", info.buffers[static_cast<std::size_t>(one.buffer)].name},
                        {"element", one.element},
                        {"value", pair_of(one.value)},
                        {"shadow", pair_of(one.shadow)},
                        {"error", one.error()}});
  }
  for (const auto& one : report.cancelled) {
    text += fmt::format("    {:.1f} digits cancel at {}: {} is off by {:.3g} of its value\n", std::log10(one.ratio),
                        place_name(info, one.where), element_name(info, one.where.buffer, one.where.element),
                        one.relative_error);
    ordered_json object = place_json(info, one.where);
    object["digits"] = std::log10(one.ratio);
    object["relative_error"] = one.relative_error;
    cancelled.push_back(std::move(object));
  }
  for (const auto& one : report.born) {
    text += fmt::format("    {} is born at {}, in {}\n", one.infinite ? "an infinity" : "a value that is no number",
                        place_name(info, one.where), element_name(info, one.where.buffer, one.where.element));
    ordered_json object = place_json(info, one.where);
    object["kind"] = one.infinite ? "infinity" : "nan";
    born.push_back(std::move(object));
  }
  out.json = {{"followed", report.followed},
              {"not_followed", report.not_followed},
              {"stages", stages},
              {"elements", elements},
              {"cancelled", cancelled},
              {"born", born}};
  return out;
}

}  // namespace

Numerics numerics_of(const RunOptions& options, const std::string& subject) {
  std::optional<TemporaryFolder> folder;
  const auto file = trace_of(options, subject, folder, "interrupted: nothing was followed");
  const InterruptGuard guard;
  ProgressBar bar;
  const auto trace = TraceReader::open(file);
  if (trace->info().detail == Detail::Index)
    throw usage_error("--numerics needs values, and the trace has none (--detail index)");
  Replay replay(trace, replay_memory);
  const ShadowReport report = shadow_of(replay, [&](double fraction) {
    bar.show(fraction, "following in higher precision");
    return !InterruptGuard::asked();
  });
  bar.clear();
  if (InterruptGuard::asked()) throw Interrupted("interrupted: the run was not followed to its end");
  return numerics(trace->info(), report);
}

}  // namespace twiddle::cli
