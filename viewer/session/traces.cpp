#include "viewer/session/traces.h"

#include "base/error.h"
#include "base/message.h"
#include "tracer/file/trace_file.h"
#include "viewer/compare/differences.h"
#include "viewer/compare/partings.h"

#include <utility>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

/// A trace that is done; bookmarks may have come or gone since.
bool same_run(const TraceInfo& a, const TraceInfo& b) {
  return a.created == b.created && a.steps == b.steps && a.algorithm == b.algorithm && a.complete == b.complete;
}

}  // namespace

Traces::Traces(WindowControl& control) : control_(control), watch_({}) { watch(); }

void Traces::watch() {
  // A trace that is kept in memory has no file.
  watch_ = FileWatch([file = control_.document().trace->path()] {
    return file.empty() ? std::vector<fs::path>() : std::vector<fs::path>{file};
  });
}

void Traces::compare(Document& left, Document& right) {
  control_.compare(comparison_.emplace(left, right));
  comparing_ = comparison_->comparable();
}

void Traces::show(std::unique_ptr<Document> fresh) {
  comparing_ = false;
  control_.show(*fresh);
  comparison_.reset();
  own_beside_.reset();
  own_ = std::move(fresh);
  watch();
}

void Traces::replace(std::unique_ptr<Document> fresh) {
  comparing_ = false;
  control_.replace(*fresh);
  comparison_.reset();
  own_beside_.reset();
  own_ = std::move(fresh);
  watch();
}

void Traces::open(const fs::path& file) { show(std::make_unique<Document>(TraceReader::open(file))); }

void Traces::open_beside(const fs::path& file) { show_beside(std::make_unique<Document>(TraceReader::open(file))); }

void Traces::show_beside(std::unique_ptr<Document> fresh) {
  compare(control_.document(), *fresh);
  own_beside_ = std::move(fresh);
}

bool Traces::poll() {
  if (const Partings* partings = comparing_ ? partings_of(control_.document(), 0) : nullptr) {
    comparing_ = false;
    const std::vector<TraceNote>& notes = partings->notes;
    add_notes(control_.document(), notes);
    control_.state().message =
        notes.empty() ? tr("The two are the same, operation by operation.") : text_of(notes.front());
    control_.touch();
  }
  if (Clock::now() < next_look_) return false;
  next_look_ = Clock::now() + std::chrono::milliseconds(static_cast<int>(poll_seconds * 1000));
  report_missing_file();
  return watch_.changed() && reload_rewritten_file();
}

// A file that is being replaced is missing for a moment.
void Traces::report_missing_file() {
  constexpr int a_moment = 3;  // looks
  const fs::path file = control_.document().trace->path();
  if (file.empty()) return;
  std::error_code failed;
  looks_without_file_ = fs::exists(file, failed) ? 0 : looks_without_file_ + 1;
  if (looks_without_file_ != a_moment) return;
  control_.state().message =
      tr("{} is gone: what was read of it is still shown, but bookmarks cannot be kept.", file.filename().string());
  control_.touch();
}

bool Traces::reload_rewritten_file() {
  Document& shown = control_.document();
  WindowState& state = control_.state();
  bool another = false;
  try {
    auto fresh = std::make_unique<Document>(TraceReader::open(shown.trace->path()));
    if (same_run(fresh->info(), shown.info())) {
      shown.bookmarks = fresh->bookmarks;
    } else {
      another = true;
      state.message = tr("{} was written again: this is what is in it now.", fresh->trace->path().filename().string());
      const std::string said = state.message;
      show(std::move(fresh));
      state.message = said;
    }
  } catch (const Error& error) {
    state.message =
        tr("The trace's file is not what it was: {}. What is shown may end anywhere.", error.message().translated());
  }
  control_.touch();
  return another;
}

}  // namespace twiddle
