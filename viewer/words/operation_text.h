// An operation in words and equations: what the inspector spells out, and the sentence that is read aloud. No drawing.
#pragma once

#include "tracer/trace/operation.h"
#include "tracer/trace/trace.h"
#include "viewer/scene/scene.h"

#include <string>
#include <vector>

namespace twiddle {

/// A stretch of an equation. Plate and underline say what it is by colour: an input, the twiddle, a result.
struct EquationPart {
  std::string text;
  Role plate = Role::None, underline = Role::None;
};

/// `F[1] ← F[1] + w·F[3]`, `= (−4, 0) + (0, −1)·(−4, 0)`, `= (−4, 4)`: a target, and rows that each begin with a relation.
struct EquationRow {
  std::string relation;              // "←", "=", or "≠" where the log disagrees with the formula
  std::vector<EquationPart> tokens;  // a row may be broken before a token that begins with a space
};
struct Equation {
  EquationPart target;
  std::vector<EquationRow> rows;
};

struct OperationText {
  std::string title;     // "Work-item 1"; "Thread 1" for CUDA kernels
  std::string subtitle;  // "butterfly · stage 2 of 3 · span 4 · stride 2"
  std::vector<Equation> equations;
  std::vector<std::string> remarks;  // sentences: what is not known, or does not agree
};

OperationText describe(const TraceInfo& info, const Operation& operation);

/// All of it on one line, for tooltips and screen readers: `F[1] ← F[1] + w·F[3] = (−4, 0) + … = (−4, 4); F[3] ← …`.
std::string sentence(const TraceInfo& info, const Operation& operation);

/// "Work-item 5", "Thread (1, 2)": the global id in as many dimensions as the launch has.
std::string item_title(const TraceInfo& info, const LaunchInfo& launch, std::uint64_t item);
/// Words for what one operation is, and for where a buffer is.
const char* word_of(OperationKind kind);
const char* word_of(Space space);
/// What was run, in a word: an algorithm's id, or a plan file without its folders.
std::string short_name_of(const TraceInfo& info);
/// A signal, one from a file by the file's name alone; one that was drawn in the window is called that.
std::string signal_name(const std::string& signal);
/// What the trace is of, as it was recorded: "Radix-2 FFT of 8 points".
std::string title_of(const TraceInfo& info);
/// "4 butterflies", "1 swap".
std::string operations_text(OperationKind kind, std::uint64_t count);
/// The highest stage number of the trace; 0 when it has no stages.
int stage_count(const TraceInfo& info);

}  // namespace twiddle
