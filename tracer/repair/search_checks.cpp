// What a search found, checked in full, and how it is told.
#include "base/error.h"
#include "base/temporary_folder.h"
#include "tracer/checks/check.h"
#include "tracer/repair/copies.h"
#include "tracer/repair/difference.h"
#include "tracer/repair/search.h"
#include "tracer/store/memory_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

namespace fs = std::filesystem;

namespace twiddle {

namespace {

// Whether two things change places within an expression.
bool exchanges_within(const SourceEdit& edit) {
  return edit.place == SourceEdit::Place::Expression && edit.kind == EditKind::Order && edit.swapped_with == 0;
}

// Whether a change only exchanges what indices are made of.
bool exchanges_indices(const Syntax& syntax, const SourceEdit& edit) {
  if (!exchanges_within(edit)) return false;
  const auto in_index = [&](std::uint32_t target) {
    const Expression& one = syntax.expressions[target];
    return std::any_of(syntax.expressions.begin(), syntax.expressions.end(), [&](const Expression& other) {
      return other.part == Part::Index && other.first <= one.first && one.last <= other.last;
    });
  };
  return in_index(edit.target) && std::all_of(edit.also.begin(), edit.also.end(),
                                              [&](const SourceEdit::Also& one) { return in_index(one.target); });
}

// Whether a change only exchanges what the indices of a stored element are made of.
bool exchanges_stored(const Syntax& syntax, const SourceEdit& edit) {
  if (!exchanges_within(edit)) return false;
  const auto in_stored = [&](std::uint32_t target) {
    const Expression& one = syntax.expressions[target];
    // The whole assignment, of which the right side stays.
    if (one.part == Part::Assign)
      return syntax.expressions[one.parts[0]].part == Part::Index &&
             edit.text.ends_with(" " + std::string(syntax.spelling(syntax.expressions[one.parts[1]])));
    return std::any_of(syntax.expressions.begin(), syntax.expressions.end(), [&](const Expression& other) {
      if (other.part != Part::Assign || other.statement != one.statement) return false;
      const Expression& to = syntax.expressions[other.parts[0]];
      return to.part == Part::Index && to.first < one.first && one.last <= to.last;
    });
  };
  return in_stored(edit.target) && std::all_of(edit.also.begin(), edit.also.end(),
                                               [&](const SourceEdit::Also& one) { return in_stored(one.target); });
}

// Whether a change only multiplies or divides a value by what is the same for all.
bool is_scale(const Syntax& syntax, const SourceEdit& edit) {
  if (edit.place != SourceEdit::Place::Expression || !edit.also.empty()) return false;
  // One that is elsewhere in the file is a scale, too: "(sum / n)" for "sum".
  if (edit.kind != EditKind::Factor && edit.kind != EditKind::Name) return false;
  const std::string_view was = syntax.spelling(syntax.expressions[edit.target]);
  std::vector<Lexeme> words = lexemes_of(edit.text);
  if (edit.kind == EditKind::Name && words.size() > 2 && words.front().is("(") && words.back().is(")")) {
    words.erase(words.begin());
    words.pop_back();
  }
  const std::size_t at = edit.text.find(was);
  return words.size() > 2 && at != std::string::npos && at < 2 &&
         (words[words.size() - 2].is("/") || words[words.size() - 2].is("*"));
}

}  // namespace

// Of changes that are as likely the earliest: what comes later can often only make up for it. But what is stored in rows and
// read in rows was most likely meant to be read in columns.
void RepairSearch::earliest_first() {
  constexpr double alike = 0.05, alike_ways = 0.3, alike_scales = 0.5;
  std::vector<Repair>& all = result_.repairs;
  // A run that does more than another repair's was hardly meant, even where the change is a little likelier.
  constexpr double more_work = 0.5, idle = 0.6;
  std::uint64_t least_work = all.empty() ? 0 : all[0].work;
  for (const Repair& one : all) least_work = std::min(least_work, one.work);
  std::stable_sort(all.begin(), all.end(), [&](const Repair& a, const Repair& b) {
    const auto dear = [&](const Repair& one) {
      return one.cost + (does_more(one.work, least_work) ? more_work : 0) + (one.idle ? idle : 0);
    };
    return dear(a) < dear(b);
  });
  if (!all.empty() && all[0].stores)
    if (const auto read = std::find_if(all.begin() + 1, all.end(),
                                       [&](const Repair& one) {
                                         return one.exchanges && !one.stores && one.file == all[0].file &&
                                                one.cost <= all[0].cost + alike_ways && one.work <= all[0].work;
                                       });
        read != all.end())
      std::rotate(all.begin(), read, read + 1);
  // A scale that is missing is seldom one in the middle, even where that is the smaller change.
  if (!all.empty() && all[0].scales) {
    const auto line = [&](const Repair& one) {
      return one.scales && one.file == all[0].file && one.cost <= all[0].cost + alike_scales ? one.line : 0;
    };
    const auto last =
        std::max_element(all.begin(), all.end(), [&](const Repair& a, const Repair& b) { return line(a) < line(b); });
    if (last->line > all[0].line) {
      std::rotate(all.begin(), last, last + 1);
      return;
    }
  }
  const auto later = std::find_if(all.begin(), all.end(), [&](const Repair& one) {
    return one.plan || one.order || one.file != all[0].file || one.cost > all[0].cost + alike;
  });
  if (later == all.begin()) return;
  const auto least =
      std::min_element(all.begin(), later, [](const Repair& a, const Repair& b) { return a.work < b.work; })->work;
  // A scale that is missing belongs at the end.
  const bool scales = std::all_of(all.begin(), later, [](const Repair& one) { return one.scales; });
  std::stable_sort(all.begin(), later, [&](const Repair& a, const Repair& b) {
    return std::tuple(does_more(a.work, least), a.stores, scales ? -a.line : a.line) <
           std::tuple(does_more(b.work, least), b.stores, scales ? -b.line : b.line);
  });
}

std::optional<LikelyLine> RepairSearch::likely() const {
  if (const auto likeliest = scores_.likeliest())
    return LikelyLine{files_[likeliest->first.first].name, likeliest->first.second, likeliest->second};
  // Where linear algebra knows of lines, half of what that says of their changes.
  const auto felt = scores_.most_alike([&](const LineScores::Place& place) { return located_shift(place) / 2; });
  if (!felt) return std::nullopt;
  return LikelyLine{files_[felt->first].name, felt->second, 0};
}

void RepairSearch::tell_so_far() {
  Repaired now;
  now.repairs = result_.repairs.empty() ? dear_ : result_.repairs;
  for (Repair& repair : now.repairs) repair.tried = progress_.tried();
  if (now.repairs.empty() && wrong_) now.likely = likely();
  if (!now.repairs.empty() || now.likely) progress_.note_so_far(to_json(now));
}

std::shared_ptr<const TraceSource> RepairSearch::traced(const Plan& plan) {
  MemoryTrace trace;
  TraceOptions options;
  const TraceOutcome outcome = trace_plan(plan, runtime_, options, trace);
  return trace.finish(!outcome.stopped && !outcome.cancelled);
}

Plan RepairSearch::with(const Found& found, const std::string& text, const fs::path& folder) const {
  if (found.plan) return *found.plan->plan;
  return moved(folder, [&](std::size_t f) { return f == found.file ? text : files_[f].syntax->text; });
}

// Of the changes that make the outcome right those that leave nothing else wrong, the cheapest first.
void RepairSearch::verify_found(std::size_t at_most, SearchPhase phase, bool order_first) {
  weigh_sizes();
  std::stable_sort(found_.begin(), found_.end(), [&](const Found& a, const Found& b) { return key_of(a) < key_of(b); });
  // Of small runs more can be checked in the same time, once barriers were tried: where what is right by luck is wrong otherwise,
  // there is much of it.
  constexpr std::size_t more = 4;
  constexpr double quick = 4;
  const double begun = processor_seconds();
  std::size_t checked = 0, of_order = 0;
  double best_key = std::numeric_limits<double>::infinity();  // of the repairs
  for (const Found& found : found_) {
    const bool enough = checked >= at_most && (phase == SearchPhase::Checking || checked >= more * at_most ||
                                               processor_seconds() - begun > quick);
    if (enough || result_.repairs.size() >= max_repairs || progress_.late(much_later)) break;
    if (!result_.repairs.empty() && (key_of(found) > best_key + 0.5 || progress_.late())) break;
    if (!progress_.begins_check(phase, checked++)) continue;
    bool order = false;
    std::string repair = verified_in_copy(found, &order);
    // The copy ended in the program as it is, and not in the changed one.
    if (repair.empty() && !order && !runs_as_it_is_ && !runs_as_it_is()) repair = verified_in_copy(found, &order);
    // Where several right outcomes all are so by luck, it is the order that is wrong.
    constexpr std::size_t enough_of_order = 2;
    if (order && ++of_order == enough_of_order && order_first && result_.repairs.empty()) {
      later_.assign(found_.begin() + (&found - found_.data()) + 1, found_.end());
      break;
    }
    if (repair.empty()) continue;
    result_.repairs.push_back(repaired_from_json(repair).repairs.at(0));
    tell_so_far();
    without_one(found);
    if (!result_.repairs.back().idle) best_key = std::min(best_key, key_of(found));
  }
  found_.clear();
}

std::string RepairSearch::verified_in_copy(const Found& found, bool* order) {
  std::string repair = text_of_copy(
      options_.forks, [&] { return verified(found); }, seconds_of_a_check * slowness_);
  if (repair != order_left) return repair;
  if (order) *order = true;
  return {};
}

// What is right in a trial, where loops end by their turns, may never end by itself: in a copy, that ends it then.
bool RepairSearch::right_in_time(Trial& trial, const std::vector<Launch>& launches) const {
  trial.build(launches);
  limit_copy(seconds_of_a_run * slowness_);
  return trial.right(launches);
}

void RepairSearch::check_dear_plans() {
  constexpr std::size_t at_most = 2, first_number = 100;  // behind those of missing()
  std::vector<Found> plans;
  for (const Found& one : found_)
    if (one.plan) plans.push_back(one);
  std::stable_sort(plans.begin(), plans.end(), [](const Found& a, const Found& b) { return a.cost < b.cost; });
  for (std::size_t k = 0; k < std::min(plans.size(), at_most) && dear_.empty(); ++k) {
    if (!progress_.begins_check(SearchPhase::CheckingMissing, first_number + k)) continue;
    const std::string repair = verified_in_copy(plans[k]);
    if (!repair.empty()) dear_ = repaired_from_json(repair).repairs;
  }
  if (!dear_.empty()) tell_so_far();
}

// Of two statements that should change places one may be of no use then: it is rather that one that is too much.
void RepairSearch::without_one(const Found& found) {
  using Place = SourceEdit::Place;
  const Place place = found.edit.place;
  if (found.plan || found.order || (place != Place::SwapNext && place != Place::Below && place != Place::Above)) return;
  constexpr double cheaper = 0.1;
  for (const std::uint32_t target : {found.edit.target, found.edit.other}) {
    Found less = found;
    less.cost -= cheaper;
    less.edit = {Place::Drop, EditKind::Less, target, 0, {}, less.cost, {}};
    const std::string repair = verified_in_copy(less);
    if (repair.empty()) continue;
    result_.repairs.push_back(repaired_from_json(repair).repairs.at(0));
    tell_so_far();
  }
}

bool RepairSearch::runs_as_it_is() {
  if (!runs_as_it_is_)
    runs_as_it_is_ = !options_.forks || !text_of_copy(true, [&] {
                                           return std::string(before()->info().complete ? "all" : "a part");
                                         }).empty();
  return *runs_as_it_is_;
}

// The repair as JSON; empty where something is wrong with it, `order_left` where that is the order of accesses.
std::string RepairSearch::verified(const Found& found) {
  const TemporaryFolder folder;
  const std::string text = found.plan ? std::string() : applied(*files_[found.file].syntax, found.edit);
  const Plan plan = with(found, text, folder.path());
  if (!found.plan) {
    Trial trial(plan, *trials_, contents_, reference_);
    if (!right_in_time(trial, plan.launches)) return {};
    limit_copy(seconds_of_a_check * slowness_);
  }
  static const std::vector<std::vector<std::byte>> nothing_computed;
  if (!spread_.empty() && (!found.plan || found.plan->same_buffers) &&
      !Trial(plan, *trials_, spread_, nothing_computed).right(plan.launches))
    return {};
  const auto after = traced(plan);
  Replay replay(after);
  const std::vector<Finding> findings = check_trace(replay);
  if (!after->info().complete) return {};
  const auto error = std::find_if(findings.begin(), findings.end(), is_error);
  if (error != findings.end()) return error->kind == FindingClass::Race ? std::string(order_left) : std::string();
  Repaired one;
  one.repairs.push_back(described(found, text));
  one.repairs[0].work = work_of(after->info());
  // A launch that was missing has its work.
  if (found.plan && found.plan->plan->launches.size() > plan_.launches.size() && runs_as_it_is_.value_or(true))
    one.repairs[0].work = std::min(one.repairs[0].work, work_of(before()->info()));
  if (runs_as_it_is_.value_or(true)) {
    try {
      describe_difference(*before(), *after, one.repairs[0]);
      Repair& repair = one.repairs[0];
      const auto lines_of = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
      if (wrong_ && lines_of(repair.is) == lines_of(repair.should))  // else lines have other numbers
        repair.idle = leaves_idle(*before(), *after, repair.file, repair.line);
    } catch (const Error&) {}
  }
  return to_json(one);
}

// "FILE:LINE" for each place of an error of memory or barriers, of the order alone or of any; before it whose memory: "local" or
// "global".
std::string RepairSearch::errors_seen(bool order_alone) {
  std::string text;
  Replay replay(before());
  const TraceInfo& info = before()->info();
  for (const Finding& finding : check_trace(replay)) {
    const bool order = finding.kind == FindingClass::Race || finding.kind == FindingClass::UninitialisedRead ||
                       finding.kind == FindingClass::BarrierDivergence ||
                       finding.kind == FindingClass::InconsistentRead;
    // Where a value is last stored is seldom where it became wrong.
    const bool wanted = order_alone ? order : finding.kind != FindingClass::WrongValue;
    if (!wanted || finding.severity != Severity::Error || finding.source < 0) continue;
    if (finding.kind == FindingClass::UninitialisedRead) text += "unwritten ";
    const BufferInfo* buffer = info.buffer(finding.buffer);
    // A group's barrier orders nothing between groups.
    const bool local_memory = buffer && buffer->space == Space::Local;
    bool between = false;
    if (finding.kind == FindingClass::Race && !local_memory && finding.items.size() > 1 && finding.launch > 0) {
      const auto size = std::max<std::uint64_t>(info.launch(finding.launch)->group_size(), 1);
      between = finding.items[0] / size != finding.items[1] / size;
    }
    text += between ? "between " : "within ";
    if (local_memory)
      text += "local ";
    else if (buffer && finding.kind == FindingClass::Race && !between)
      text += "global ";
    for (std::size_t f = 0; f < files_.size(); ++f)
      if (info.sources[static_cast<std::size_t>(finding.source)].name == files_[f].name)
        for (const int line : {shown_line(finding), finding.other_line})
          if (line > 0) text += fmt::format("{}:{} ", f, line);
  }
  return text;
}

Repair RepairSearch::described(const Found& found, const std::string& text) const {
  Repair repair;
  repair.cost = found.cost;
  repair.tried = progress_.tried();
  if (found.plan) {
    repair.plan = true;
    repair.file = plan_.algorithm;
    repair.line = found.plan->line;
    repair.is = found.plan->is;
    repair.should = found.plan->should;
    repair.was = found.plan->was;
    repair.text = found.plan->text;
    return repair;
  }
  const File& file = files_[found.file];
  repair.file = file.name;
  const auto [first, last] = lines_of(*file.syntax, found.edit);
  const auto lines_in = [](const std::string& whole) {
    return static_cast<int>(std::count(whole.begin(), whole.end(), '\n'));
  };
  repair.line = first;
  repair.is = lines_of_text(file.syntax->text, first, last);
  repair.should = lines_of_text(text, first, last + lines_in(text) - lines_in(file.syntax->text));
  repair.order = found.order;
  repair.named = found.named;
  repair.exchanges = !found.plan && exchanges_indices(*file.syntax, found.edit);
  repair.stores = exchanges_stored(*file.syntax, found.edit);
  repair.scales = is_scale(*file.syntax, found.edit);
  if (found.edit.place == SourceEdit::Place::Expression && found.edit.also.empty() && found.edit.swapped_with == 0) {
    repair.was = std::string(file.syntax->spelling(file.syntax->expressions[found.edit.target]));
    repair.text = found.edit.text;
  }
  return repair;
}

}  // namespace twiddle
