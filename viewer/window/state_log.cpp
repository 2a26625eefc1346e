#include "viewer/window/state_log.h"

#include "base/error.h"
#include "base/values/environment.h"
#include "base/values/json_text.h"
#include "viewer/compare/comparison.h"
#include "viewer/document/strokes.h"
#include "viewer/document/turn.h"
#include "viewer/render/svg_parts.h"
#include "viewer/views/cost_strips.h"

#include <nlohmann/json.hpp>

#include <cstdlib>

namespace twiddle {
namespace {

nlohmann::ordered_json json_of(const std::optional<Mark>& mark) {
  if (!mark) return nullptr;
  nlohmann::ordered_json json{{"kind", name_of(mark->kind)}};
  if (mark->launch > 0) json["launch"] = mark->launch;
  if (mark->buffer >= 0) json["buffer"] = mark->buffer;
  if (mark->segment >= 0) json["segment"] = mark->segment;
  json["index"] = mark->index;
  json["step"] = mark->step;
  json["item"] = mark->item;
  if (!mark->command.empty()) json["command"] = mark->command;
  return json;
}

/// While samples are others than they were: which is held, all of them, and what came of them.
nlohmann::ordered_json live_json(WindowControl& control) {
  const LiveSignal& live = control.state().live;
  if (live.before.empty()) return nullptr;
  const auto list = [](const std::vector<std::complex<double>>& numbers) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const std::complex<double>& number : numbers) all.push_back({number.real(), number.imag()});
    return all;
  };
  Document& document = control.document();
  const int output = document.info().buffer_named(document.info().expect.output);
  nlohmann::ordered_json json{{"held", live.held ? nlohmann::json(*live.held) : nlohmann::json()},
                              {"samples", list(samples_at_hand(document, &live))},
                              {"steps", live.changes ? nlohmann::json(live.changes->steps()) : nlohmann::json()}};
  const int last = static_cast<int>(document.info().segments.size()) - 1;
  if (output >= 0) json["result"] = list(live.result.empty() ? numbers_of(document, output, last) : live.result);
  json["device"] = document.info().device;
  return json;
}

/// The tabs of the runs, and what came of the one that is shown; null where there is one run alone.
nlohmann::ordered_json runs_json(WindowControl& control) {
  const RunBar& runs = control.state().runs;
  if (runs.tabs.size() < 2) return nullptr;
  nlohmann::ordered_json names = nlohmann::ordered_json::array(), result = nlohmann::ordered_json::array();
  for (const RunTab& tab : runs.tabs) names.push_back(tab.edited ? tab.name + "*" : tab.name);
  Document& document = control.document();
  const TraceInfo& info = document.info();
  const int output = info.buffer_named(info.expect.output);
  if (output >= 0 && info.buffers[static_cast<std::size_t>(output)].count <= LiveSignal::max_traced)
    for (const std::complex<double>& number : numbers_of(document, output, static_cast<int>(info.segments.size()) - 1))
      result.push_back({number.real(), number.imag()});
  return {{"tabs", names},
          {"shown", runs.shown},
          {"beside", runs.beside ? nlohmann::json(*runs.beside) : nlohmann::json()},
          {"differ", control.state().frames ? nlohmann::json(control.state().frames->steps()) : nlohmann::json()},
          {"result", result}};
}

}  // namespace

StateLog::StateLog(std::filesystem::path file) {
  if (file.empty()) file = environment("TWIDDLE_WINDOW_LOG");
  if (file.empty()) return;
  file_ = file == "-" ? stdout : std::fopen(file.c_str(), "we");
  if (!file_) throw usage_error("the window's log {} cannot be written: give another file", file.string());
}

StateLog::~StateLog() {
  if (file_ && file_ != stdout) std::fclose(file_);
}

void StateLog::write(WindowControl& control, const FrameTimes& times) {
  if (!file_) return;
  const WindowState& state = control.state();
  const std::uint64_t step = state.cursor.step;
  const TextEntry::Kind kind = state.text_entry.kind;
  nlohmann::ordered_json json{
      {"frame", times.frame},
      {"step", step},
      {"steps", control.document().info().steps},
      {"position", position_text(control.document(), state.cursor)},
      {"step_by", name_of(state.step_by)},
      {"costs", name_of(state.costs)},
      {"playing", state.playback.playing},
      {"speed", state.playback.speed},
      {"phase", state.playback.phase},
      {"theme", name_of(state.theme)},
      {"scale", control.user_scale()},
      {"width", state.width},
      {"height", state.height},
      {"zoom", state.viewport.zoom},
      {"centre", {state.viewport.centre_x, state.viewport.centre_y}},
      {"hover", json_of(state.cursor.hover)},
      {"pinned", json_of(state.cursor.pinned)},
      {"tooltip", state.tooltip.has_value()},
      {"help", state.help},
      {"blank", state.blank},
      {"predict", state.predict == Predict::Off      ? "off"
                  : state.predict == Predict::Asking ? "asking"
                                                     : "answered"},
      {"presenting", state.presenting},
      {"tool", static_cast<int>(state.presentation.tool)},
      {"spotlight", state.presentation.spotlight},
      {"votes", state.presentation.votes},
      {"strokes", strokes_of(control.document()).size()},
      {"panes", state.panes.shares},
      {"scrub_zoom", state.scrub.zoom},
      {"range", state.range ? nlohmann::json{state.range->first, state.range->last} : nlohmann::json()},
      {"fullscreen", control.fullscreen()},
      {"pointer_hidden", control.pointer_hidden()},
      {"going_to", kind == TextEntry::Kind::GoTo},
      {"opening", kind == TextEntry::Kind::Open},
      {"open_folder", state.open_list.folder},
      {"open_chosen", state.open_list.chosen},
      {"noting", kind == TextEntry::Kind::Bookmark},
      {"palette", kind == TextEntry::Kind::Palette},
      {"typed", state.text_entry.line.text},
      {"found", state.palette.found.size()},
      {"chosen", state.palette.found.empty() ? std::string() : state.palette.found[state.palette.chosen].id},
      {"menu", state.menu.name},
      {"start", state.start.open},
      {"card", state.start.chosen},
      {"cards_made", (state.start.course ? 1 : 0) + (state.start.bug ? 1 : 0) + (state.start.kernel ? 1 : 0) +
                         (state.start.record ? 1 : 0)},
      {"focus", json_of(state.focus)},
      {"asked_to_run", state.asked_to_run},
      {"algorithm", control.document().info().algorithm},
      {"signal", control.document().info().signal},
      {"can_run", state.can_run},
      {"guided", state.guide != nullptr},
      {"beside_step", state.beside ? nlohmann::json(state.beside->second_step(step)) : nlohmann::json()},
      {"trail", state.trail.steps},
      {"notes", times.notes},
      {"go_to_error", state.text_entry.error},
      {"message", state.message},
      {"open_choice", state.open_choice},
      {"side_tab", static_cast<int>(state.side_tab)},
      {"lanes_tab", static_cast<int>(state.lanes_tab)},
      {"running", state.run_fraction >= 0},
      {"searching_repair", state.repair.running},
      {"changes_tried", state.repair.tried},
      {"bookmarks", control.document().bookmarks.size()},
      {"live", live_json(control)},
      {"editing", control.editing()},
      {"draft", state.editor.draft() ? nlohmann::json(state.editor.draft()->area.text()) : nlohmann::json()},
      {"edited", state.editor.changed()},
      {"problems", state.problems.size()},
      {"runs", runs_json(control)},
      {"build_ms", times.build_ms},
      {"paint_ms", times.paint_ms}};
  const std::string line = json_text(json) + "\n";
  std::fwrite(line.data(), 1, line.size(), file_);
  std::fflush(file_);
}

}  // namespace twiddle
