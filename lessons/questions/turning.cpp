#include "lessons/questions/turning.h"

#include "lessons/questions/question_parts.h"
#include "lessons/run/course_words.h"
#include "tracer/trace/number_text.h"

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

std::complex<double> complex_of(const Value& value) { return {value.component(0), value.component(1)}; }

}  // namespace

std::optional<Turning> turning_of(const TraceInfo& info, const Operation& op) {
  if (op.kind != OperationKind::Butterfly || op.reads.size() != 2 || op.writes.size() != 2 || op.coefficients.empty())
    return {};
  Turning turning;
  for (int i = 0; i < 2; ++i) {
    const Access &read = op.reads[i], &write = op.writes[i];
    if (read.buffer < 0 || write.buffer < 0 || !read.known || !write.known) return {};
    if (traits(read.value.type).components != 2 || traits(write.value.type).components != 2) return {};
    const auto at = static_cast<std::size_t>(i);
    turning.reads[at] = element_in(info, read, read.index);
    turning.writes[at] = element_in(info, write, write.index);
    turning.inputs[at] = complex_of(read.value);
    turning.logged[at] = complex_of(write.value);
  }
  const double size = std::abs(turning.inputs[0]) + std::abs(turning.inputs[1]);
  for (const bool behind : {false, true}) {
    turning.behind = behind;
    const auto made = turning.outputs(complex_of(op.coefficients[0]));
    if (std::abs(made[0] - turning.logged[0]) + std::abs(made[1] - turning.logged[1]) <= 1e-4 * size) return turning;
  }
  return {};
}

std::string would_be(const Turning& turning, Turning::Complex w, std::string_view language) {
  const CourseWords words(language);
  const std::size_t shown = turning.behind ? 1 : 0;  // a + b has no factor
  const std::string made = value_text(turning.outputs(w)[shown]), has = value_text(turning.logged[shown]);
  if (made == has) return words("{0} would be the same here: what is turned is 0.", turning.writes[shown]);
  return words("{0} would become {1}; the log has {2}.", turning.writes[shown], made, has);
}

}  // namespace twiddle
