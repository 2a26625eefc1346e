// Small changes of a kernel's source, of the kinds that people make by mistake: another variable, an operator, a number one
// off, a component, a factor of two, arguments exchanged, a statement too much.
#pragma once

#include "tracer/syntax/syntax.h"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {

enum class EditKind : std::uint8_t {
  Name,    // another variable
  Number,  // another number
  Operator,
  Component,  // .x for .y
  Function,   // another function, one more or one less
  Order,      // operands, arguments, indices or statements exchanged
  Factor,     // times two, a half, one more or less, the other sign
  Condition,
  Less,  // an operand or a statement left out
  More,  // a statement added
};

struct SourceEdit {
  enum class Place : std::uint8_t {
    Expression,  // `text` in place of Syntax::expressions[target]
    Drop,        // Syntax::statements[target] goes
    After,       // `text` behind the statement
    LoopStart,   // `text` at the start of the loop's body
    SwapNext,    // the statement and the next one, `other`, change places
    Below,       // the statement goes behind `other`, further down in its block
    Above,       // … before `other`, further up
    Guard,       // the statement only where the condition `text` holds
    // Those from here on are tried in programs of their own.
    Before,      // `text` before the statement, or before all of the loop or condition
    Behind,      // `text` behind all of it
    MoveBefore,  // the statement `other`, which is within it, before all of it
    MoveBehind,  // … behind it
    Word,        // `text` in place of Syntax::lexemes[target]
    SwapWords,   // that and lexeme `other` exchanged
  };
  Place place = Place::Expression;
  EditKind kind = EditKind::Name;
  std::uint32_t target = 0, other = 0;
  std::string text;
  double cost = 1;  // the odder, the dearer
  struct Also {
    std::uint32_t target = 0;
    std::string text;
    bool operator==(const Also&) const = default;
  };
  std::vector<Also> also{};  // expressions that change with it, none within another
  // Where these are not 0 the change is of these lexemes, exchanged; what it says of expressions has the same effect.
  std::uint32_t swapped = 0, swapped_with = 0;
  // Meant to have more bits than the whole number in whose place it is, or to be no whole number.
  bool wider = false;

  bool operator==(const SourceEdit&) const = default;
};

/// What a change is of: where it begins, and the text with it.
std::size_t begin_of(const Syntax& syntax, const SourceEdit& edit);
int line_of(const Syntax& syntax, const SourceEdit& edit);
/// The lines that it is in: the first of `line_of`, or before it, and the last.
std::pair<int, int> lines_of(const Syntax& syntax, const SourceEdit& edit);
std::string applied(const Syntax& syntax, const SourceEdit& edit);
/// A line of a text, without its indentation and what is blank at its end; and lines first … last, the first without its
/// indentation.
std::string line_of_text(const std::string& text, int line);
std::string lines_of_text(const std::string& text, int first, int last);

/// All of them that are `wanted`, cheapest first; at most `most`. Of those that make the same text the cheapest alone.
std::vector<SourceEdit> edits_of(
    const Syntax& syntax, std::size_t most,
    const std::function<bool(const SourceEdit&)>& wanted = [](const SourceEdit&) { return true; });

/// Whose accesses an OpenCL barrier puts in order.
enum class Fenced : std::uint8_t { Local, Global, Both };
/// Barriers at, around and behind the statements of these lines, and fences of other reach.
std::vector<SourceEdit> barrier_edits(const Syntax& syntax, const std::set<int>& lines, bool cuda, Fenced memory);
/// Whether a barrier is put where it is within no condition, so that all items come to it, as far as that is seen.
bool met_by_all(const Syntax& syntax, const SourceEdit& barrier);
/// Whether what is put before or behind a statement leaves the rest as it is: not between a condition and what it is of, nor before
/// an "else".
bool may_be_put(const Syntax& syntax, const SourceEdit& edit);
/// The source with all of these, each of which is put before or behind a statement.
std::string with_barriers(const Syntax& syntax, const std::vector<SourceEdit>& barriers);
/// Barriers between a store to volatile memory and the next statement, which touches the same: no check calls that a race, for a
/// group whose items run in step needs none.
std::vector<SourceEdit> barriers_of_volatile(const Syntax& syntax, bool cuda);
/// Fences between what these lines of a race between groups store and what tells another group of it; and the two exchanged, where
/// it is told too early.
std::vector<SourceEdit> fence_edits(const Syntax& syntax, const std::set<int>& lines, bool cuda);
/// The line that a barrier is missing before: of `lines`, which are those of a race, where it is around one of them. Its own
/// where it is the loop's next turn that touches the same.
int line_after(const Syntax& syntax, const SourceEdit& barrier, const std::set<int>& lines);
/// What these lines add to memory, added atomically.
std::vector<SourceEdit> atomic_edits(const Syntax& syntax, const std::set<int>& lines, bool cuda);
/// Arrays of an item's own that begin with zeros.
std::vector<SourceEdit> initialising_edits(const Syntax& syntax);
/// Statements that were left out, each for a program of its own: a step of a row that halves a number, and the nought that a
/// scan goes down with.
std::vector<SourceEdit> missing_statements(const Syntax& syntax);
/// Declarations out of loops: of variables that each turn begins anew and changes.
std::vector<SourceEdit> moved_declarations(const Syntax& syntax);
/// Numbers that compilers have to know: of macros, and of tables outside functions.
std::vector<SourceEdit> constant_edits(const Syntax& syntax);

/// Whether calling it makes work-items meet or waits for memory: by name, or because it calls such a function.
bool is_meeting(const Syntax& syntax, std::string_view function);
/// Whether lexemes first … last − 1 call such a function.
bool meets_within(const Syntax& syntax, std::size_t first, std::size_t last);

}  // namespace twiddle
