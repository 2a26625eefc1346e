// The fields of the top bar: what a trace was made with, and what can be chosen instead.
#pragma once

#include "viewer/document/document.h"

#include <string>
#include <vector>

namespace twiddle {

/// What can be chosen in a field: known by its id, in every language and even when several look the same.
struct Entry {
  std::string id, shown = id;
  std::string aside{};  // what else it is called: an algorithm's title
  bool operator==(const Entry&) const = default;
};

/// The id of the signal's entry that leads to drawing one.
inline constexpr const char* drawn_signal = "drawn-by-hand";
/// The id of the entry of a field under which any value can be typed.
inline constexpr const char* typed_value = "typed-in";

/// A field of the top bar: what this trace was made with. With entries it opens a list to run something else.
struct ChoiceField {
  std::string name;              // "algorithm", "n", "signal", "direction", "twiddles", "device"
  std::string caption;           // "N", "x", "w", "on"; empty where the value needs none
  std::string value;             // as it is shown
  std::string chosen;            // the id of the entry that is the value
  std::vector<Entry> entries{};  // empty: display only
  bool folded = false;           // not in the bar: the entry of more_field with its name leads to its list
  bool operator==(const ChoiceField&) const = default;
};

/// The field whose entries are the names of those that the bar has no room for.
inline constexpr const char* more_field = "more";

/// The views of a trace as a field of the top bar, for windows too narrow for tabs.
ChoiceField view_field(Document& document, const std::string& tab);

/// The fields of a trace as it was made, without entries.
std::vector<ChoiceField> trace_fields(const TraceInfo& info);

}  // namespace twiddle
