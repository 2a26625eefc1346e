#include "viewer/frame/presenter_scene.h"

#include "base/message.h"
#include "viewer/frame/comparison_scene.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/state/guide.h"
#include "viewer/views/view.h"
#include "viewer/words/operation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace twiddle {
namespace {

constexpr float pad = 20, presenter_head = 48, title_row = 30, note_size = 22, note_pitch = 32;

std::string clock_text(double seconds) {
  const auto whole = static_cast<long long>(std::max(0.0, seconds));
  return whole >= 3600 ? fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
                       : fmt::format("{}:{:02}", whole / 60, whole % 60);
}

const TraceSource::Bookmark* note_at(const Document& document, std::uint64_t step) {
  const TraceSource::Bookmark* found = nullptr;
  for (const auto& bookmark : document.bookmarks)
    if (bookmark.step <= step && !bookmark.note.empty() && (!found || bookmark.step >= found->step)) found = &bookmark;
  return found;
}

/// A view of the trace at a step, small, in a frame.
void picture(const WindowState& state, Document& document, Scene& scene, const Box& box, std::uint64_t step,
             float scale) {
  if (box.w < 40 || box.h < 40) return;
  DiagramInput input = diagram_input(document, state);
  input.cursor = {step, {}, {}};
  input.width = box.w, input.height = box.h;
  input.scale = std::max(0.2f, scale * 0.6f);
  input.phase = 1, input.hide_next = false, input.costs = CostStrips::None;
  put(scene, view_of(document, state.tab).draw(input), box);
  scene.rect(box, Role::None, {Role::Line, std::max(1.0f, scale)});
}

}  // namespace

Scene presenter_scene(Document& document, const WindowState& state, const PresenterView& presenter) {
  const TraceInfo& info = document.info();
  Scene scene;
  scene.width = presenter.width, scene.height = presenter.height;
  scene.language = state.language;
  scene.title = tr("Notes to {}", title_of(info));
  scene.rect({0, 0, scene.width, scene.height}, Role::Canvas);
  const Ink ink{presenter.scale};
  const auto px = [&](float units) { return ink.px(units); };
  const Font mono = ink.mono(18, Weight::SemiBold);
  const std::uint64_t step = std::min(state.cursor.step, info.steps);

  // The position, and the time since presenting began.
  const float centre = px(presenter_head / 2);
  const std::string time = clock_text(presenter.seconds);
  const float time_width = text_width(mono, time);
  label(scene, scene.width - px(pad), centre, time, mono, Role::Ink, time_width + 1, Anchor::End);
  label(scene, px(pad), centre, tr("step {} of {}", step, info.steps), mono, Role::Ink,
        scene.width - time_width - px(3 * pad));
  scene.line({0, px(presenter_head)}, {scene.width, px(presenter_head)}, {Role::Line, ink.thin()});

  // What is shown and what comes next, side by side; below them the notes.
  const float top = px(presenter_head + title_row), room = scene.height - top - px(pad);
  const float pictures = std::max(0.0f, std::min(room * 0.55f, room - px(4 * note_pitch)));
  const float width = (scene.width - px(3 * pad)) / 2;
  for (const bool next : {false, true}) {
    const float left = next ? px(2 * pad) + width : px(pad);
    const std::uint64_t at = next ? step + 1 : step;
    label(scene, left, px(presenter_head + title_row / 2),
          next          ? tr("Next")
          : state.blank ? tr("Now, and the screen is blank")
                        : tr("Now"),
          ink.sans(14, Weight::SemiBold), Role::Ink2, width);
    if (at > info.steps) {
      label(scene, left, top + px(20), tr("This is the last step."), ink.sans(14), Role::Ink2, width);
      continue;
    }
    picture(state, document, scene, {left, top, width, pictures}, at, ink.scale);
  }
  // The document goes back to the audience's cursor.
  if (document.replay->step() != step) document.replay->seek(step);

  float y = top + pictures + px(24);
  const float right = scene.width - px(pad);
  const auto lines = [&](const std::string& text, const Font& font, float pitch, Role role) {
    for (const std::string& line : wrap(font, text, right - px(pad))) {
      if (y + pitch > scene.height - px(8)) return;
      label(scene, px(pad), y + pitch / 2, line, font, role, right - px(pad));
      y += pitch;
    }
  };
  // A lesson's own notes to its step, then those of a bookmark.
  const std::string lesson = state.guide ? state.guide->notes() : std::string();
  const auto* note = note_at(document, step);
  if (!lesson.empty()) lines(lesson, ink.sans(note_size), px(note_pitch), Role::Ink);
  if (note) lines(note->note, ink.sans(note_size), px(note_pitch), Role::Ink);
  if (lesson.empty() && !note)
    lines(tr("No notes here: a bookmark's note (Shift+F9) is shown here from its step on."), ink.sans(14), px(22),
          Role::Ink2);
  y += px(10);
  if (const std::string next = state.guide ? state.guide->next() : std::string(); !next.empty())
    lines(tr("Next in the lesson (Page Down): {}", next), ink.sans(15), px(24), Role::Ink2);
  if (step < info.steps)
    lines(tr("Next: {}", sentence(info, document.replay->operation(step + 1))), ink.sans(15), px(24), Role::Ink2);
  return scene;
}

}  // namespace twiddle
