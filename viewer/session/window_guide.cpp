// Lessons in the window: the course on the start page, the guide that leads through runs, and the way back to it.
#include "base/error.h"
#include "base/tr.h"
#include "kernels/catalogue/command_text.h"
#include "tracer/file/trace_file.h"
#include "viewer/facts/live_signal.h"
#include "viewer/facts/trace_facts.h"
#include "viewer/session/window_content.h"
#include "viewer/state/guide.h"
#include "viewer/words/operation_text.h"

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

namespace twiddle {

void WindowContent::click_guide(const Mark& mark) {
  Document& document = control_.document();
  if (const LiveSignal& live = control_.state().live; live.goal.asked()) {
    if (rerun_.running()) {
      control_.state().message = tr("The samples are being transformed; ask again when they are.");
      control_.touch();
      return;
    }
    if (const int output = document.info().buffer_named(document.info().expect.output); output >= 0)
      guide_->use_spectrum(samples_at_hand(document, &live),
                           numbers_of(document, output, static_cast<int>(document.info().segments.size()) - 1));
  }
  if (!guide_->click(mark)) return;
  follow_guide();
  const Guide::Wish wish = guide_->wish();
  if (wish.go_back) control_.jump(guide_->place().step);
  if (!wish.samples.empty()) control_.bring_samples(wish.samples);
  if (!wish.copied.empty()) control_.copy(wish.copied, wish.said);
  if (const std::optional<Guide::Typing> line = guide_->typing())
    control_.ask_for_line(line->title, line->hint, line->text);
}

// Shows what the guide's page is about, when it was turned or asks for another view; after an answer the window stays where
// the question was asked. Its trace is small: made when the page is turned.
void WindowContent::follow_guide() {
  Guide& guide = *guide_;
  const Guide::Place place = guide.place();
  WindowState& state = control_.state();
  if (place.trace && (place.page != guide_page_ || place.view != guide_view_)) {
    if (control_.document().trace != place.trace) {
      auto fresh = std::make_unique<Document>(place.trace);
      fresh->findings_kept_back = place.secret;
      traces_.show(std::move(fresh));
      search_findings();
      rerun_.show_opened(place.request, {});
    }
    control_.seek(place.step);
    state.tab = place.view;
    state.cursor.pinned = place.light;
    state.can_run = rerun_.possible() && place.unlocked;
    state.live.goal = place.goal;
    live_.shown();
    state.frames.reset();
    follow_sources();
    tabs_.begin(false);
  }
  if (control_.document().trace == place.trace) keep_findings_back(control_.document(), place.secret);
  // Another run of the same page is read on where one is.
  const auto page_of = [](const std::string& page) { return page.substr(0, page.find("/try")); };
  if (page_of(place.page) != page_of(guide_page_)) state.scroll.erase("guide");
  guide_page_ = place.page;
  guide_view_ = place.view;
  if (const std::string complaint = guide.complaint(); !complaint.empty()) state.message = complaint;
  refresh_fields();
}

void WindowContent::list_lessons() {
  if (!options_.lessons) return;
  try {
    control_.state().lessons = options_.lessons(control_.state().language);
  } catch (const Error&) { control_.state().lessons.clear(); }  // an installation without lessons
}

bool WindowContent::may_drop_for_lesson() {
  return may_drop(
      "lesson", unsaved_edits(),
      tr("What was edited is in no file yet: Ctrl Shift S saves the kernel. Opening the lesson once more drops it."));
}

void WindowContent::open_lesson(const std::string& id) {
  if (!may_drop_for_lesson()) return;
  try {
    left_ = nullptr;  // the course has one lesson at a time
    begin_guide(options_.lesson(id, control_.state().language));
  } catch (const Error& error) { control_.state().message = error.message().translated(); }
  control_.touch();
}

void WindowContent::begin_guide(Guide* guide) {
  guide_ = guide;
  control_.state().guide = guide_;
  control_.state().start.open = false;
  guide_page_.clear(), guide_view_.clear();
  follow_guide();
}

/// The lesson that was left goes on at its page.
void WindowContent::back_to_lesson() {
  if (!left_)
    control_.state().message = tr("No lesson is open.");
  else if (may_drop_for_lesson()) {
    left_->use_language(control_.state().language);
    begin_guide(std::exchange(left_, nullptr));
  }
  control_.touch();
}

/// The lesson's run goes on without its text, as one that was opened: its findings are shown and it can be run again.
void WindowContent::show_without_lesson() {
  left_ = guide_;
  leave_guide();
  guide_page_.clear(), guide_view_.clear();
  WindowState& state = control_.state();
  keep_findings_back(control_.document(), false);
  state.can_run = rerun_.possible() && !rerun_.made_from().algorithm.empty() && !state.beside;
  state.subject = rerun_.made_from().algorithm.empty() ? std::string() : command_of(rerun_.made_from());
  tabs_.begin();
  live_.shown();
  refresh_fields();
  state.message = tr("This is the lesson's run by itself: Shift F6 leads back to the lesson, F6 to the course.");
  control_.touch();
}

/// Something else than the lesson's run is shown now.
void WindowContent::leave_guide() {
  guide_ = nullptr;
  control_.state().guide = nullptr;
  control_.state().live.goal = {};
  control_.fit_step_by();
}

// ---- The start page ----

void WindowContent::prepare_start() {
  StartPage& start = control_.state().start;
  start.recent.clear();
  for (const fs::path& file : remembered_.files) {
    constexpr std::size_t max_recent = 6;
    std::error_code failed;
    if (!fs::is_regular_file(file, failed) || start.recent.size() == max_recent) continue;
    RecentFile recent{file.string(), {}};
    try {
      if (file.extension() == ".twd") recent.subject = title_of(TraceReader::open(file)->info());
    } catch (const Error& error) { recent.subject = error.message().translated(); }
    start.recent.push_back(std::move(recent));
  }
  list_lessons();
  control_.state().start.devices = rerun_.devices();
  if (start.course || cards_.valid() || !options_.card_run) return;
  cards_ = std::async(std::launch::async, [this] {
    std::vector<std::shared_ptr<const TraceSource>> runs;
    for (const auto card : {StartPage::Course, StartPage::Bug, StartPage::Kernel, StartPage::Record}) {
      std::shared_ptr<const TraceSource> run;
      try {
        if (!stop_) run = options_.card_run(card);
      } catch (const std::exception&) {  // it cannot run here: the card is there without a picture
      }
      runs.push_back(std::move(run));
    }
    wake_();
    return runs;
  });
}

void WindowContent::follow_cards() {
  if (!cards_.valid() || cards_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  const auto runs = cards_.get();
  StartPage& start = control_.state().start;
  std::shared_ptr<Document>* const places[] = {&start.course, &start.bug, &start.kernel, &start.record};
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (runs[i]) *places[i] = std::make_shared<Document>(runs[i]);
  control_.touch();
}

}  // namespace twiddle
