#include "viewer/state/choice_fields.h"

#include "base/text.h"
#include "base/tr.h"
#include "viewer/state/window_state.h"
#include "viewer/views/view.h"
#include "viewer/words/device_name.h"
#include "viewer/words/operation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace twiddle {
namespace {

/// Powers of two that no one knows by heart as such: "2^20".
std::string size_words(const std::string& count) {
  constexpr std::uint64_t first = std::uint64_t(1) << 17;
  const auto n = number_in<std::uint64_t>(count);
  return n && *n >= first && std::has_single_bit(*n) ? fmt::format("2^{}", std::countr_zero(*n)) : count;
}

/// "pthread-skylake-avx512-AMD EPYC", as PoCL names a processor: the part that its maker gave it.
std::string device_words(const std::string& name) {
  if (!name.starts_with("pthread-") && !name.starts_with("cpu-")) return name;
  const auto upper = std::find_if(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  // "12th Gen Intel(R) …" begins with a number.
  return upper == name.end() ? name : name.substr(name.rfind('-', static_cast<std::size_t>(upper - name.begin())) + 1);
}

}  // namespace

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
    add_as("n", "N", size_words(parameter("n")), parameter("n"));
  add_as("signal", "x", signal_name(info.signal), info.signal);
  const TransformTraits& transform = traits(info.expect.transform);
  if (transform.fourier)
    add_as("direction", "", transform.inverse ? tr("inverse") : tr("forward"),
           transform.inverse ? "inverse" : "forward");
  add("twiddles", "w", parameter("twiddles"));
  add_as("device", tr("on"), device_name(info.runtime, device_words(info.device)),
         device_name(info.runtime, info.device));
  return fields;
}

std::optional<ChoiceField> field_named(Document& document, const WindowState& state, const std::string& name) {
  if (name == "view") return view_field(document, state.tab);
  const auto found =
      std::find_if(state.fields.begin(), state.fields.end(), [&](const ChoiceField& f) { return f.name == name; });
  return found == state.fields.end() ? std::nullopt : std::optional(*found);
}

}  // namespace twiddle
