// The repair search: the smallest change of a user's kernel, or of its plan, that makes the outcome right for every input that
// is tried. Changes are made of the source's expressions, tried by the hundred in one compiled program, and a change is a
// repair only when the program with it was run again on fresh random inputs and every check finds it without an error.
#pragma once

#include "tracer/checks/finding.h"
#include "tracer/runtime/runtime.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace twiddle {

struct RepairOptions {
  std::size_t max_edits = 10000;
  std::uint64_t max_item_runs = std::uint64_t(1) << 25;  // work-items that trials may run, all together
  std::size_t batch = 400;                               // edits in one program
  double seconds = 40;          // of processor time, or five times as many by the clock: then nothing more is tried
  std::size_t max_checked = 8;  // of the changes that are right, how many are checked in full
  /// No other thread of this process has to do with trials, or Runtime::enter_copy begins it anew: they may run in copies of it.
  bool forks = false;
  /// Runs trials of OpenCL kernels in place of the driver, in copies of this process; null: there is none. What it does not build,
  /// and what is right on it though it is not on the device, the driver runs.
  Runtime* direct = nullptr;
  /// What this process builds is kept in files, where it is found again: copies of this process may build what is tried next.
  bool builds_beside = false;
  /// Of processor time for one program of many changes: then this process ends, and the next one takes the program in parts. 0: as
  /// long as it takes.
  double max_build_seconds = 0;
  /// A changed kernel may end the process. `progress` gets what is begun ("source 17") and found ("right source 17"); in
  /// another process the search goes on behind what `resume`, all of it, has begun last.
  std::vector<std::string> resume;
  std::function<void(const std::string& event)> progress;
};

struct Repair {
  std::string file;  // as TraceInfo::sources names it, or the plan's file
  bool plan = false;
  int line = 0;
  std::string is, should;  // the line without its indentation; lines that change together, with "\n" between them
  int named = 0;           // the line that lacks a barrier; 0: `line` is what is wrong
  bool order = false;      // a barrier or a fence: what it puts right is where memory was touched
  std::string was, text;   // what is replaced in it, and by what
  double cost = 0;
  FindingClass kind = FindingClass::WrongValue;
  int launch = 0, stage = -1;        // where the repaired run first does something else
  std::vector<std::uint64_t> items;  // that do, the first few
  std::uint64_t all_items = 0;
  Message effect;           // "work-item 1 reads x[4] where it should read x[2]"
  std::uint64_t tried = 0;  // changes
  std::uint64_t work = 0;   // operations and accesses of a run with it
  bool exchanges = false;   // two things in an index change places
  bool stores = false;      // … where a value is stored
  bool scales = false;      // a value gets a factor that is the same for all
  bool idle = false;        // lines that did something do nothing with it, or most items
};

/// The line that is most likely wrong, where no change makes all of the outcome right.
struct LikelyLine {
  std::string file;  // as TraceInfo::sources names it
  int line = 0;
  // Of the values that are wrong as it is: those that are right with the best of its changes, where these make clearly more right
  // than those of any other line. Else 0: what its changes touch is what is wrong, more than with any other line.
  double share = 0;
};

struct Repaired {
  std::vector<Repair> repairs;          // best first; of the same cost within one, at most three
  std::optional<LikelyLine> likely;     // where there are no repairs
  std::vector<std::string> unsearched;  // a sentence each: why there was no search, or where it ended
};

/// Searches. `plan` is a user's own, with an expectation that its outcome does not meet. Throws Error where it cannot be run at
/// all.
Repaired search_repair(const Plan& plan, Runtime& runtime, const RepairOptions& options = {});

/// As one line of JSON, and back. Throws Error (unreadable) for a text that is none.
std::string to_json(const Repaired& repaired);
Repaired repaired_from_json(const std::string& text);

/// Whether a search is of use: some errors are of the outcome, or may be why it is wrong.
bool wants_repair(const TraceInfo& info, const std::vector<Finding>& findings);
/// The findings with the best repair as the place of the one error: without it no check finds any, so all others are what it
/// explains (Finding::explains). What was seen to happen at its line (a race, an access out of bounds) stays what it is called.
std::vector<Finding> with_repair(const TraceInfo& info, std::vector<Finding> findings, const Repaired& repaired);
/// json_of(info, findings), with what was not searched among what is unchecked.
std::string json_of(const TraceInfo& info, const std::vector<Finding>& findings, const Repaired& repaired);

}  // namespace twiddle
