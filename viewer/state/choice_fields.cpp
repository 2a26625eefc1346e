#include "viewer/state/choice_fields.h"

#include "base/tr.h"
#include "viewer/state/window_state.h"
#include "viewer/views/view.h"
#include "viewer/words/operation_text.h"

#include <algorithm>

namespace twiddle {
ChoiceField view_field(Document& document, const std::string& tab) {
  const View& current = view_of(document, tab);
  ChoiceField field{"view", "", current.title(document.info()), std::string(current.name())};
  for (const View* view : views_of(document))
    field.entries.push_back({std::string(view->name()), view->title(document.info())});
  return field;
}

std::vector<ChoiceField> trace_fields(const TraceInfo& info) {
  const auto parameter = [&](const char* name) {
    const auto found = info.parameters.find(name);
    return found == info.parameters.end() ? std::string() : found->second;
  };
  std::vector<ChoiceField> fields;
  const auto add_as = [&](const char* name, const char* caption, const std::string& value, const std::string& id) {
    if (!value.empty()) fields.push_back({name, caption, value, id});
  };
  const auto add = [&](const char* name, const char* caption, const std::string& value) {
    add_as(name, caption, value, value);
  };
  add_as("algorithm", "", short_name_of(info), info.algorithm);
  if (const std::string rows = parameter("rows"), columns = parameter("cols"); !rows.empty() && !columns.empty())
    add("n", tr("size"), rows + " × " + columns);
  else
    add("n", "N", parameter("n"));
  add_as("signal", "x", signal_name(info.signal), info.signal);
  const TransformTraits& transform = traits(info.expect.transform);
  if (transform.fourier)
    add_as("direction", "", transform.inverse ? tr("inverse") : tr("forward"),
           transform.inverse ? "inverse" : "forward");
  add("twiddles", "w", parameter("twiddles"));
  add("device", tr("on"), info.device.empty() ? info.runtime : info.runtime + " · " + info.device);
  return fields;
}

std::optional<ChoiceField> field_named(Document& document, const WindowState& state, const std::string& name) {
  if (name == "view") return view_field(document, state.tab);
  const auto found =
      std::find_if(state.fields.begin(), state.fields.end(), [&](const ChoiceField& f) { return f.name == name; });
  return found == state.fields.end() ? std::nullopt : std::optional(*found);
}

}  // namespace twiddle
