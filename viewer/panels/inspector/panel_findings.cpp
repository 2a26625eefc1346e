// What the checks say of the operation at the cursor, in the inspector: the sentence, and the ideal beside the logged.
#include "base/message.h"
#include "viewer/facts/findings.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace twiddle {
namespace {

struct Pair {
  std::string what, logged, ideal;
};

// What was logged and what belongs there, as far as the finding is about one number or one element.
std::vector<Pair> pairs_of(const TraceInfo& info, const Finding& finding, const Operation& op) {
  std::vector<Pair> pairs;
  if (!finding.ideal || finding.buffer < 0 || !finding.element) return pairs;
  const Ideal& ideal = *finding.ideal;
  const std::string& name = info.buffers[finding.buffer].name;
  const auto is_it = [&](const Access& access) {
    return access.buffer == finding.buffer && access.index == *finding.element;
  };
  if (ideal.partner)
    pairs.push_back(
        {tr("partner"), fmt::format("{}[{}]", name, *finding.element), fmt::format("{}[{}]", name, *ideal.partner)});
  if (ideal.twiddle && !op.coefficients.empty()) {
    const auto read = std::find_if(op.reads.begin(), op.reads.end(), is_it);
    const auto which = std::clamp(static_cast<int>(read - op.reads.begin()) - 1, 0, op.coefficients.size() - 1);
    const Value& logged = op.coefficients[which];
    const Compared compared = compared_texts(logged, *ideal.twiddle);
    pairs.push_back({"w", compared.is, compared.wanted});
  }
  const auto write = std::find_if(op.writes.begin(), op.writes.end(), is_it);
  if (ideal.value && write != op.writes.end() && write->known) {
    const Compared compared = compared_texts(write->value, *ideal.value);
    pairs.push_back({fmt::format("{}[{}]", name, *finding.element), compared.is, compared.wanted});
  }
  return pairs;
}

}  // namespace

float logged_and_ideal(const PanelContext& context, Scene& scene, const Finding& finding, const Operation& operation,
                       Box box) {
  const float left = box.x, right = box.right();
  float y = box.y;
  for (const Pair& pair : pairs_of(context.info(), finding, operation)) {
    if (y + context.px(36) > box.bottom()) break;
    label(scene, left, y + context.px(8), tr("{} logged", pair.what), context.caption(), Role::Ink2, context.px(96));
    label(scene, left + context.px(100), y + context.px(8), pair.logged, context.mono(12), Role::Ink,
          right - left - context.px(100));
    y += context.px(18);
    label(scene, left, y + context.px(8), tr("{} ideal", pair.what), context.caption(), Role::Ink2, context.px(96));
    label(scene, left + context.px(100), y + context.px(8), pair.ideal, context.mono(12, Weight::SemiBold), Role::Ink,
          right - left - context.px(100));
    y += context.px(20);
  }
  return y;
}

float finding_part(const PanelContext& context, Scene& scene, Box box) {
  // What is found at an operation may be of what its sub-group does next.
  const bool shown = context.now && context.state.predict != Predict::Asking;
  const TraceNote* note = shown ? finding_at_step(context.facts, context.now->step) : nullptr;
  const float left = box.x, right = box.right(), text_left = left + context.px(22);
  if (!note || box.h < context.px(60)) return box.y;
  float y = box.y + context.px(6);
  const Mark mark{.kind = MarkKind::Finding,
                  .index = static_cast<std::uint64_t>(note - context.facts.notes.data()),
                  .step = note->step};
  scene.begin_mark(mark, titled_text_of(*note));
  severity_sign(context, scene, note->severity, {left + context.px(7), y + context.px(9)}, context.px(14));
  label(scene, text_left, y + context.px(9), note->title.translated(), context.mono(12), Role::Ink, right - text_left);
  y += context.px(22);
  y = logged_and_ideal(context, scene, *note->finding, *context.now,
                       {text_left, y, right - text_left, box.bottom() - y});
  for (const std::string& line : wrap(context.caption(), text_of(*note), right - text_left)) {
    if (y + context.px(18) > box.bottom()) break;
    sentence_label(scene, text_left, y + context.px(8), line, context.caption(), Role::Ink2, right - text_left);
    y += context.px(17);
  }
  scene.end_mark();
  return y + context.px(4);
}

}  // namespace twiddle
