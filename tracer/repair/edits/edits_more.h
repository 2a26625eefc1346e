// Changes beyond one word at one place.
#pragma once

#include "tracer/repair/edits/edits.h"
#include "tracer/syntax/source_names.h"

namespace twiddle {

/// At several places at once. `alone`: changes at one place each, of which some are made at several.
std::vector<SourceEdit> edits_together(const Syntax& syntax, const SourceNames& names,
                                       const std::vector<SourceEdit>& alone);

/// Of whole statements.
std::vector<SourceEdit> edits_of_statements(const Syntax& syntax);

/// What the file has elsewhere, here: expressions, conditions, the modulus that an index is taken by, tables and macros that
/// an index goes through.
std::vector<SourceEdit> edits_borrowed(const Syntax& syntax, const SourceNames& names);

/// Of an element's index as a whole: from the end in place of from the start, and the number that a loop around it counts.
std::vector<SourceEdit> edits_of_indices(const Syntax& syntax, const SourceNames& names);

/// What was left out of conditions, products and stored values: a guard by the item's number, the order of equal keys.
std::vector<SourceEdit> edits_of_missing(const Syntax& syntax);

/// Of calls, and of two names throughout a value.
std::vector<SourceEdit> edits_of_calls(const Syntax& syntax);

/// Loops the other way round, what is counted from the end, and values that are computed of themselves once more.
std::vector<SourceEdit> edits_of_loops(const Syntax& syntax, const SourceNames& names);

/// Whether no compiler takes a change: an operator is called by its mark, and an event is no number.
bool refused_by_all(const Syntax& syntax, const SourceEdit& edit);

/// Neighbouring numbers of tables exchanged.
std::vector<SourceEdit> edits_of_tables(const Syntax& syntax);

}  // namespace twiddle
