// Copying and saving what is shown.
#include "base/error.h"
#include "base/message.h"
#include "tracer/replay/position.h"
#include "tracer/trace/number_text.h"
#include "viewer/control/window_control.h"
#include "viewer/facts/latex.h"
#include "viewer/facts/links.h"
#include "viewer/render/render.h"
#include "viewer/render/tikz.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/view.h"
#include "viewer/words/operation_text.h"

#include <fmt/format.h>

#include <filesystem>

namespace twiddle {
namespace {

constexpr double column_mm = 85;  // of a paper with two columns

/// A word of a command line, in quotes where a shell needs them.
std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                          "-_./:,=+@%") == std::string::npos;
  if (plain) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// The value of an element: after the mark's segment where that is done, else as it is at the cursor.
std::optional<std::string> value_of(Document& document, const Mark& mark) {
  const BufferInfo* buffer = document.info().buffer(mark.buffer);
  if (mark.kind != MarkKind::Element || mark.side != 0 || !buffer) return std::nullopt;
  Value value;
  value.type = buffer->type;
  const auto bytes = std::span(reinterpret_cast<std::byte*>(value.bits.data()), traits(value.type).bytes);
  const auto& segments = document.info().segments;
  const bool done = mark.segment < 0 || (mark.segment < static_cast<int>(segments.size()) &&
                                         segments[mark.segment].end_step() <= document.replay->step() + 1);
  const bool known = done ? document.replay->state_after(mark.segment)->read(mark.buffer, mark.item, mark.index, bytes)
                          : document.replay->state().read(mark.buffer, mark.item, mark.index, bytes);
  return known ? std::optional(exact_text(value)) : std::nullopt;
}

}  // namespace

void WindowControl::copy(const std::string& text, const std::string& said) {
  if (!actions_.copy) return;
  actions_.copy(text);
  state_.message = said;
}

std::string WindowControl::command_line() const {
  std::string line = "twiddle view";
  line += " " + (state_.subject.empty() ? quoted(document_->trace->path().string()) : state_.subject);
  line += " --view " + std::string(view().name());
  const Cursor& cursor = state_.cursor;
  if (cursor.step == 0)
    line += " --at start";
  else if (cursor.lockstep)
    line += " --at " + quoted(to_string(position_of(*document_->replay, TurnPlace{cursor.step, cursor.made})));
  else
    line += " --at " + quoted(to_string(position_of(*document_->trace, cursor.step)));
  return line;
}

void WindowControl::copy_as(Command command) {
  const std::uint64_t step = std::min(state_.cursor.step, document_->info().steps);
  if (document_->replay->step() != step) document_->replay->seek(step);
  std::optional<Operation> operation;
  if (step > 0) operation = document_->replay->operation(step);
  if (const auto mark = target(); mark && mark->side == 0) {
    const Linked linked = links_of(*document_, *mark);
    if (linked.operation && linked.operation->step <= step) operation = linked.operation;
  }
  // Pictures are of the diagram as it is, without what the pointer lights.
  const auto picture = [&] {
    DiagramInput input = diagram_input();
    input.cursor.hover.reset();
    input.patience_ms = 1e9;
    const Scene whole = view().draw(input);
    constexpr float trim_margin = 8;
    return state_.share.trim ? trimmed(whole, trim_margin) : whole;
  };
  const auto svg = [&] {
    SvgOptions options;
    if (state_.share.column) options.width_mm = column_mm;
    return state_.share.outlined ? to_outlined_svg(picture(), theme(state_.theme), options.width_mm)
                                 : to_svg(picture(), theme(state_.theme), options);
  };
  try {
    switch (command) {
      case Command::CopyValue: {
        const auto mark = target();
        const std::optional<std::string> value = mark ? value_of(*document_, *mark) : std::nullopt;
        if (value)
          copy(*value, tr("Copied: {}", *value));
        else if (operation)
          copy(sentence(document_->info(), *operation), tr("Copied: the equation."));
        break;
      }
      case Command::CopyPicture:
        if (actions_.copy_picture) actions_.copy_picture(picture());
        break;
      case Command::CopySvg: copy(svg(), tr("Copied: the diagram as SVG.")); break;
      case Command::CopyTikz: copy(to_tikz(picture(), theme(state_.theme)), tr("Copied: the diagram as TikZ.")); break;
      case Command::CopyEquation:
        if (operation) copy(latex_equation(document_->info(), *operation), tr("Copied: the equation as LaTeX."));
        break;
      case Command::CopyTable: copy(latex_table(*document_, step), tr("Copied: the values as a LaTeX table.")); break;
      case Command::CopyCommand: {
        const std::string line = command_line();
        const bool edited = state_.runs.shown < state_.runs.tabs.size() && state_.runs.tabs[state_.runs.shown].edited;
        copy(line, edited ? tr("Copied: {}. It runs the kernel as its file has it, without the edits.", line)
                          : tr("Copied: {}", line));
        break;
      }
      default: break;
    }
  } catch (const Error& error) { state_.message = error.message().translated(); }
}

/// Asks for the name of the file to write, with one that no file has yet.
void WindowControl::save_as(const std::string& what) {
  if (!actions_.save && what != "sound") {
    state_.message = tr("Nothing can be saved from here.");
    return;
  }
  const char* ending = what == "trace"     ? ".twd"
                       : what == "picture" ? ".png"
                       : what == "handout" ? ".html"
                       : what == "sound"   ? ".wav"
                                           : ".mp4";
  std::string stem = std::filesystem::path(short_name_of(document_->info())).stem().string();
  if (const auto n = document_->info().parameters.find("n"); n != document_->info().parameters.end())
    stem += "-n" + n->second;
  std::error_code failed;
  std::filesystem::path file = stem + ending;
  for (int i = 2; std::filesystem::exists(file, failed) && i < 1000; ++i)
    file = fmt::format("{}-{}{}", stem, i, ending);
  open_text_entry(TextEntry::Kind::Save, std::filesystem::absolute(file, failed).string());
  state_.text_entry.about = what;
}

void WindowControl::save(const std::string& file) {
  try {
    if (file.empty()) throw usage_error("Type the file's name.");
    std::error_code failed;
    if (std::filesystem::is_directory(file, failed))
      throw usage_error("{} is a folder: type a file's name in it.", file);
    if (!std::filesystem::exists(file, failed)) state_.text_entry.replaces.clear();
    // A kernel's copy replaces nothing.
    if (state_.text_entry.about != "kernel" && std::filesystem::exists(file, failed) &&
        state_.text_entry.replaces != file) {
      state_.text_entry.replaces = file;
      throw usage_error("{} is there already. Enter once more replaces it.", file);
    }
    if (state_.text_entry.about == "sound")
      save_sound(file);
    else if (state_.text_entry.about == "kernel")
      actions_.save_kernel(state_.editor.name, file);
    else
      actions_.save(state_.text_entry.about, file);
    state_.text_entry = {};
  } catch (const Error& error) { state_.text_entry.error = error.message().translated(); }
  touch();
}

}  // namespace twiddle
