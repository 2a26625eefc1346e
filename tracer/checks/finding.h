// A Finding is something wrong or wasteful in a trace: what, where, who, and why, in one sentence.
#pragma once

#include "base/message.h"
#include "tracer/replay/position.h"
#include "tracer/trace/trace.h"

#include <complex>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

enum class Severity : std::uint8_t { Error, Warning, Note };
std::string_view name_of(Severity severity);  // "error", "warning", "note"

enum class FindingClass : std::uint8_t {
  Race,
  RaceSameValue,
  OutOfBounds,
  UninitialisedRead,
  BarrierDivergence,
  WrongPartner,
  WrongTwiddle,
  WrongValue,
  MissingOperation,
  DuplicateOperation,
  InconsistentRead,
  Unscaled,
  FalseTraceLine,
  BankConflict,
  Uncoalesced,
  AtomicContention,
  DivergentBranch,
  UnreadInput,
  UnevenRead,
  UnreadWrite,
  IdleItems,
  Numerics,
};
inline constexpr int finding_class_count = 22;

struct FindingTraits {
  std::string_view name;  // "race-same-value", as `check --json` writes it
  Severity severity;
  std::string_view
      meaning;  // one sentence, for SARIF; {0}: "work-item" or "thread", {1}: several, {2}: "sub-group" or "warp"
};
const FindingTraits& traits(FindingClass kind);
inline std::string_view name_of(FindingClass kind) { return traits(kind).name; }
inline Severity severity_of(FindingClass kind) { return traits(kind).severity; }

/// What the ideal has in the place of what was logged, where it is one thing.
struct Ideal {
  std::optional<std::uint64_t> partner{};  // element of the finding's buffer that belongs there instead of its own
  std::optional<std::complex<double>> twiddle{};  // factor
  std::optional<std::complex<double>> value{};    // content of the finding's element
};

/// A change of the user's source or plan that was found to make all of the outcome right.
struct Fix {
  std::string file;                  // as file_of gives it
  bool in_plan = false;              // `file` is the plan
  int line = 0;                      // from 1
  std::string is, should;            // the line, without its indentation, as it is and as it should be
  std::vector<int> stages;           // where runs with and without it differ first; empty: no stage
  std::vector<std::uint64_t> items;  // that differ there, the first few
  Message text;                      // one sentence: what is wrong, and what makes it right
};

struct Finding {
  FindingClass kind = FindingClass::Race;
  Severity severity = Severity::Error;
  int launch = 0;                        // from 1; 0: the whole run
  int stage = -1, epoch = -1;            // −1: does not apply
  std::uint64_t step = 0;                // where the replay should go to see it; 0: nowhere in particular
  std::vector<std::uint64_t> items;      // the culprits, first few; of a divergent branch those that wait
  bool across_groups = false;            // of a race: barriers do not order the two at all
  std::uint64_t occurrences = 1;         // how often the same thing happened in this place
  int buffer = -1;                       // index into TraceInfo::buffers
  std::optional<std::uint64_t> element;  // of that buffer
  std::optional<Ideal> ideal;
  std::optional<bool> writes;    // of what an access costs: of a write, or of a read
  bool never_written = false;    // of a wrong value: the element still holds what was there before
  int source = -1;               // index into TraceInfo::sources
  int line = 0, other_line = 0;  // of the culprit's trace line or statement, and of the other party's
  int statement_line = 0;        // of the statement that a trace line is about, where that is another line
  Message message;               // what and why, one sentence without a full stop
  Message advice;                // how it is usually put right, one sentence
  std::optional<Fix> fix;
  std::string schedule;       // the order of the work-items that showed it, where several were tried
  std::uint64_t follows = 0;  // how many other findings were left out because they follow from this one
  std::vector<Finding>
      explains;  // errors that are gone where `fix` was made: what came of it, not mistakes of their own
};

inline bool is_error(const Finding& finding) { return finding.severity == Severity::Error; }

/// Launch, stage, epoch and first culprit, as `twiddle view --at` takes them; nothing where it is about the whole run.
Position position_of(const Finding& finding);

/// The line to look at: of the statement where it is known, else of the trace line; 0: none.
inline int shown_line(const Finding& finding) {
  return finding.statement_line > 0 ? finding.statement_line : finding.line;
}

/// The file a finding is in, as an editor can open it: a user's source is named by its plan file's folder.
std::string file_of(const TraceInfo& info, const Finding& finding);

/// `mine.cl:41: error: race: …`, as a compiler writes it, the source line below it, and then who, how often, and the advice.
std::string text_of(const TraceInfo& info, const Finding& finding);
/// All of them in order. The same of the same lines in other launches, and a race as its other item has it, are places of the
/// first.
std::string text_of(const TraceInfo& info, std::span<const Finding> findings);
/// `2 errors, 1 warning`, or `no findings`; what an error explains is counted behind it.
std::string summary_of(std::span<const Finding> findings);
/// One JSON object, `{"findings":[…]}`, the output of `check --json`; keys that do not apply are left out.
std::string json_of(const TraceInfo& info, std::span<const Finding> findings);
/// All of them as a SARIF 2.1.0 log, which editors and code hosts show at the lines.
std::string sarif_of(const TraceInfo& info, std::span<const Finding> findings);

/// What could not be checked in this trace, a sentence each: parts that were not kept, or no values.
std::vector<std::string> unchecked_in(const TraceInfo& info);
/// The part of it that is about a launch's accesses and about arrays without a size, for other languages too.
struct Unchecked {
  int launch = 0;  // 0: about none
  Message what;    // begins in small letters
};
std::vector<Unchecked> unchecked_accesses(const TraceInfo& info);

}  // namespace twiddle
