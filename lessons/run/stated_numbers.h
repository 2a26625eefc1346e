// Numbers that a lesson's sentences state beside things of its run ("four butterflies", "ステージ3", "32 个存储体"), and that
// nothing holds against the run.
#pragma once

#include "lessons/text/lesson.h"
#include "tracer/trace/trace.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// A number from two up beside something that a run has.
struct StatedNumber {
  enum class Kind {
    Count,  // "four butterflies"
    Name,   // "stage 3", "work-item 5"
  };
  Kind kind = Kind::Count;
  std::string words;  // as they are written, with the thing: "four butterflies"
  std::string thing;  // of a name what it is one of, in English: "stage", "launch", "item" or "bank"
  std::uint64_t number = 0;
  int line = 0;  // of the file
};

/// The unchecked ones of a paragraph in a language: its references are checked, what is in `literal` or typed is not, and what
/// is in `elsewhere` is said to be another run's. Code is left out.
std::vector<StatedNumber> stated_numbers(const std::vector<TextRun>& text, std::string_view language);

/// Whether a paragraph speaks of its step's figure: it refers to the run, or says so.
bool speaks_of_figure(const std::vector<TextRun>& text);

/// Whether a run has the thing that is named by its number, a stage, launch, work-item or bank; throws nothing.
bool has_named(const StatedNumber& name, const TraceInfo& info);

}  // namespace twiddle
