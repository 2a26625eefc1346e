// What the makers of questions share.
#pragma once

#include "lessons/questions/questions.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace twiddle {

/// The one operation at a position. Throws Error (usage) where there are several.
Operation operation_asked(LessonRun& run, const std::string& at);

/// "F[3]": an element of the buffer that an access is to.
std::string element_in(const TraceInfo& info, const Access& like, std::uint64_t index);

/// A question that is done, not chosen ("click", "order", "place", "banks"); nothing where `spec` asks another. Throws Error
/// (usage) when the run does not answer it.
std::optional<Question> done_question(const QuestionSpec& spec, std::string_view language, LessonRun& run);

/// Samples to be dragged until their spectrum is the target's. Throws Error (usage) as spectrum_task does.
Question spectrum_question(const QuestionSpec& spec, std::string_view language, LessonRun& run, LessonRuns& runs);

/// A line of a kernel to be filled in: the plan's own code is right, the others are what people write. Throws Error (usage) when
/// that is not so.
Question build_question(const QuestionSpec& spec, std::string_view language, Builds builds);

}  // namespace twiddle
