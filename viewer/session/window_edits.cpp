// Kernels that are not ours: plans and traces from elsewhere, which run once the user agrees, and what is edited in the window.
#include "base/error.h"
#include "base/message.h"
#include "base/paths.h"
#include "base/read_file.h"
#include "base/values/hash.h"
#include "tracer/file/trace_file.h"
#include "viewer/session/window_content.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace fs = std::filesystem;

namespace twiddle {

// ---- Plans from elsewhere ----

/// What is in a plan and the files that it compiles, or in a trace's kernels, as a number: another one where a byte of them
/// changed.
std::string WindowContent::content_of(const fs::path& plan) const {
  std::uint64_t hash = fnv_start;
  const auto add = [&](const std::string& text) { hash = fnv_1a(text, hash); };
  if (plan.extension() == ".twd") {
    // Of a trace its kernels: bookmarks come and go.
    add(plan.string());
    try {
      const std::shared_ptr<const TraceReader> trace = TraceReader::open(plan);
      for (const SourceText& source : trace->info().sources) add(source.name + "\n" + source.text);
    } catch (const Error&) {  // gone by now
    }
    return fmt::format("{:016x}", hash);
  }
  for (const fs::path& file : options_.files_of_plan ? options_.files_of_plan(plan) : std::vector<fs::path>{plan}) {
    constexpr std::uintmax_t max_source = 1 << 24;
    std::string text = file.string();
    try {
      text += read_file(file, max_source);
    } catch (const Error&) {  // missing: then running it says so
    }
    add(text);
  }
  return fmt::format("{:016x}", hash);
}

void WindowContent::run_plan(const fs::path& file) {
  std::error_code failed;
  to_run_ = fs::absolute(file, failed).lexically_normal();
  edited_to_run_ = false;
  const auto agreed = remembered_.agreed.find(to_run_.string());
  if (agreed != remembered_.agreed.end() && agreed->second == content_of(to_run_))
    rerun_.run_plan(to_run_);
  else
    control_.state().asked_to_run = to_run_.string();
  control_.touch();
}

/// Whether what is shown may run once more without a question: of files from elsewhere, as long as they are those that the user
/// agreed to.
bool WindowContent::may_run_here() {
  const fs::path file = from_elsewhere();
  if (file.empty()) return true;
  std::error_code failed;
  const fs::path whole = fs::absolute(file, failed).lexically_normal();
  const auto agreed = remembered_.agreed.find(whole.string());
  if (agreed != remembered_.agreed.end() && agreed->second == content_of(whole)) return true;
  control_.state().message =
      tr("{} is not what you agreed to run: R runs it again, and asks.", whole.filename().string());
  control_.touch();
  return false;
}

// ---- Kernels that are edited ----

/// What is shown was opened from here, and its kernels are someone else's; empty: they are ours, or the user's, who started
/// the program with them.
fs::path WindowContent::from_elsewhere() const {
  const fs::path plan = rerun_.made_from().algorithm;
  if (plan.extension() == ".toml") return plan == options_.request.algorithm ? fs::path() : plan;
  return rerun_.job().origin;
}

void WindowContent::run_edited() {
  fs::path file = from_elsewhere();
  // A text that was begun in another trace may be someone else's.
  for (const auto& [name, draft] : control_.state().editor.drafts)
    if (file.empty() && draft.changed()) file = draft.origin;
  if (!file.empty()) {
    std::error_code failed;
    to_run_ = fs::absolute(file, failed).lexically_normal();
    const auto agreed = remembered_.agreed.find(to_run_.string());
    if (agreed == remembered_.agreed.end() || agreed->second != content_of(to_run_)) {
      edited_to_run_ = true;
      control_.state().asked_to_run = to_run_.string();
      control_.touch();
      return;
    }
  }
  start_edited();
}

/// What is edited now is in the run, what is not edited any more is not; whether it compiles is seen there.
void WindowContent::start_edited() {
  std::map<std::string, std::string> drafts;
  for (const auto& [name, draft] : control_.state().editor.drafts) {
    drafts[name] = draft.area.text();
    edits_.note(rerun_.made_from(), name, draft.original);
  }
  rerun_.start_edited(KernelEdits::together(rerun_.made_from(), drafts), control_.document().trace);
  control_.touch();
}

void WindowContent::save_kernel(const std::string& source, const std::string& file) {
  const auto draft = control_.state().editor.drafts.find(source);
  if (draft == control_.state().editor.drafts.end()) return;
  const fs::path written =
      edits_.save(rerun_.made_from(), source, draft->second.area.text(), draft->second.original, file);
  control_.state().message = tr("Saved: {}", written.string());
  control_.touch();
}

std::string WindowContent::unsaved_edits() const {
  const auto& saved = edits_.saved();
  std::string unsaved = tabs_.unsaved(saved);
  for (const auto& [name, text] : rerun_.made_from().edited)  // a lesson's run is no tab
    if (std::find(saved.begin(), saved.end(), text) == saved.end()) unsaved += text;
  for (const auto& [name, draft] : control_.state().editor.drafts)
    if (draft.changed() && std::find(saved.begin(), saved.end(), draft.area.text()) == saved.end())
      unsaved += draft.area.text();
  return unsaved;
}

bool WindowContent::may_drop(const std::string& by, const std::string& unsaved, const std::string& sentence) {
  if (unsaved.empty() || std::exchange(warned_of_, by + unsaved) == by + unsaved) {
    warned_of_.clear();
    return true;
  }
  control_.state().message = sentence;
  control_.touch();
  return false;
}

bool WindowContent::may_close() {
  return may_drop("window", unsaved_edits(),
                  tr("What was edited is in no file yet: Ctrl Shift S saves the kernel. Closing once more leaves it."));
}

}  // namespace twiddle
