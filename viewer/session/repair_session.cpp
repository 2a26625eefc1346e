#include "viewer/session/repair_session.h"

#include "base/error.h"
#include "base/message.h"
#include "base/tr.h"
#include "tracer/replay/position.h"
#include "viewer/facts/findings.h"
#include "viewer/facts/repair_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <utility>

namespace twiddle {
namespace {

bool is_fixed(const Finding& finding) { return finding.fix.has_value(); }

/// Where a finding's operation is, of one that knows the launch and the item alone.
void find_place(const TraceSource& trace, Finding& finding) {
  if (finding.step > 0 || finding.launch < 1 || finding.items.empty()) return;
  std::string place = fmt::format("L{}", finding.launch);
  if (finding.stage >= 0) place += fmt::format(".S{}", finding.stage);
  try {
    finding.step = find_step(trace, fmt::format("{}.I{}", place, finding.items.front()));
  } catch (const Error&) {}  // it logs nothing there
}

}  // namespace

RepairSession::RepairSession(const WindowOptions& options, WindowControl& control, Rerun& rerun,
                             std::function<void()> wake)
    : options_(options), control_(control), rerun_(rerun), wake_(std::move(wake)) {}

RepairSession::~RepairSession() { end(); }

void RepairSession::end() {
  stop_ = true;
  if (thread_.valid()) thread_.wait();
  thread_ = {};
}

void RepairSession::shown() {
  end();
  const WindowState& state = control_.state();
  RepairState fresh;
  fresh.possible = options_.repair && rerun_.possible() && state.can_run &&
                   std::filesystem::path(rerun_.made_from().algorithm).extension() == ".toml" &&
                   control_.document().info().expect.transform != Expect::Transform::None;
  control_.state().repair = fresh;
}

void RepairSession::search() {
  WindowState& state = control_.state();
  if (running()) return;
  const TraceInfo& info = control_.document().info();
  const std::vector<Finding> findings = findings_in(facts_of(control_.document()));
  if (std::any_of(findings.begin(), findings.end(), is_fixed)) {
    state.message = tr("The repair is among the findings already.");
  } else if (!state.repair.possible) {
    state.message = tr("A repair is searched for a plan of your own that says what should come out ([expect]).");
  } else if (!wants_repair(info, findings)) {
    state.message = tr("Nothing is wrong here that a repair could be searched for.");
  } else {
    stop_ = false;
    tried_ = 0;
    state.repair.running = true;
    state.repair.tried = 0;
    state.repair.outcome.clear();
    thread_ = std::async(std::launch::async, [this, job = rerun_.job()] {
      struct Wake {
        const std::function<void()>& wake;
        ~Wake() { wake(); }
      } wake{wake_};
      return options_.repair(job.request, job.runtime, job.device, [this](std::uint64_t tried) {
        if (tried_.exchange(tried) != tried) wake_();
        return !stop_;
      });
    });
  }
  control_.touch();
}

void RepairSession::poll() {
  if (!running()) return;
  WindowState& state = control_.state();
  if (const std::uint64_t tried = tried_; std::exchange(state.repair.tried, tried) != tried) control_.touch();
  if (thread_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  state.repair.running = false;
  control_.touch();
  try {
    const Repaired repaired = thread_.get();
    if (stop_)
      state.repair.outcome = tr("The search was ended after {} changes.", state.repair.tried);
    else
      take(repaired);
  } catch (const std::exception& error) { state.repair.outcome = message_of(error).translated(); }
}

/// The findings are told anew: the repair first, with what comes of the same mistake under it.
void RepairSession::take(const Repaired& repaired) {
  WindowState& state = control_.state();
  Document& document = control_.document();
  for (const std::string& sentence : repaired.unsearched)
    state.repair.outcome += (state.repair.outcome.empty() ? "" : " ") + sentence + ".";
  const auto facts = std::make_shared<TraceFacts>(facts_of(document));
  std::vector<Finding> findings = with_repair(document.info(), findings_in(*facts), repaired);
  for (Finding& finding : findings)
    if (finding.fix) find_place(*document.trace, finding);
  std::erase_if(facts->notes, [](const TraceNote& note) { return note.finding.has_value(); });
  add_notes(*facts, notes_of(document.info(), findings));
  document.facts = facts;
  state.cursor.pinned.reset();  // notes are known by their numbers, and there are others now
  if (const std::optional<std::size_t> note = repair_note(*facts, std::nullopt)) {
    state.cursor.pinned = Mark{.kind = MarkKind::Finding, .index = *note, .step = facts->notes[*note].step};
    state.side_tab = SideTab::Findings;
    state.scroll.erase("findings");
    state.message = facts->notes[*note].finding->fix->text.translated() + ".";
  }
}

}  // namespace twiddle
