#include "tracer/checks/findings.h"

#include <algorithm>

namespace twiddle {

bool Findings::count_repeat(const Place& place, std::uint64_t item) {
  if (last_at_ == SIZE_MAX || place != last_) {
    const auto found = places_.find(place);
    if (found == places_.end()) return false;
    last_ = place;
    last_at_ = found->second;
  }
  Finding& finding = findings_[last_at_];
  ++finding.occurrences;
  std::vector<std::uint64_t>& items = finding.items;
  if (items.size() < max_items && std::find(items.begin(), items.end(), item) == items.end()) items.push_back(item);
  return true;
}

void Findings::add(Finding finding) {
  const Place place = place_of(finding);
  if (const auto found = places_.find(place); found != places_.end()) {
    Finding& known = findings_[found->second];
    known.occurrences += finding.occurrences;
    for (const std::uint64_t item : finding.items)
      if (known.items.size() < max_items &&
          std::find(known.items.begin(), known.items.end(), item) == known.items.end())
        known.items.push_back(item);
    return;
  }
  finding.severity = severity_of(finding.kind);
  errors_ += finding.severity == Severity::Error;
  std::size_t& count = of_class_[static_cast<std::size_t>(finding.kind)];
  if (count == max_places) {
    const auto last = std::find_if(findings_.rbegin(), findings_.rend(),
                                   [&](const Finding& other) { return other.kind == finding.kind; });
    last->follows += 1;
    places_.emplace(place, static_cast<std::size_t>(findings_.rend() - last) - 1);
    return;
  }
  ++count;
  places_.emplace(place, findings_.size());
  findings_.push_back(std::move(finding));
}

void Findings::append(Findings other) {
  for (Finding& finding : other.findings_) add(std::move(finding));
}

bool Findings::has(FindingClass kind, int launch, int buffer) const {
  return std::any_of(findings_.begin(), findings_.end(), [&](const Finding& finding) {
    return finding.kind == kind && finding.launch == launch && (buffer < 0 || finding.buffer == buffer);
  });
}

void Findings::drop_ideal(int launch) {
  const auto ideal = [&](const Finding& finding) {
    switch (finding.kind) {
      case FindingClass::WrongPartner:
      case FindingClass::WrongTwiddle:
      case FindingClass::WrongValue:
      case FindingClass::MissingOperation:
      case FindingClass::DuplicateOperation:
      case FindingClass::Unscaled: return finding.launch == launch || finding.launch == 0;
      default: return false;
    }
  };
  std::vector<Finding> all = std::move(findings_);
  *this = Findings();
  for (Finding& finding : all)
    if (!ideal(finding)) add(std::move(finding));
}

bool is_structural(FindingClass kind) {
  return kind == FindingClass::OutOfBounds || kind == FindingClass::Race || kind == FindingClass::UninitialisedRead ||
         kind == FindingClass::BarrierDivergence;
}

bool Findings::any_structural() const {
  return std::any_of(findings_.begin(), findings_.end(), [](const Finding& finding) {
    return finding.severity == Severity::Error && is_structural(finding.kind);
  });
}

std::vector<Finding> Findings::take(const std::vector<int>& lifted) {
  std::vector<Finding> result = without_consequences(std::move(findings_), lifted);
  // What memory and barriers say comes before what is inferred from values, which may only be what that led to; and what is
  // known of a launch as a whole comes after what is known of a place in it.
  const auto place = [](const Finding& finding) {
    return std::tuple(finding.severity, finding.severity == Severity::Error && !is_structural(finding.kind),
                      finding.launch, finding.epoch < 0, finding.epoch, finding.stage, finding.step);
  };
  std::stable_sort(result.begin(), result.end(),
                   [&](const Finding& a, const Finding& b) { return place(a) < place(b); });
  *this = Findings();
  return result;
}

namespace {

using Class = FindingClass;

bool is_race(const Finding& finding) { return finding.kind == Class::Race || finding.kind == Class::RaceSameValue; }

// Whether a race is between two items that did the same thing, as `other` says of that line.
bool shares_work(const Finding& race, const Finding& other) {
  if (race.launch != other.launch) return false;
  if (race.line == other.line && race.other_line == other.line) return true;
  // A race found in accesses names statements, and the other finding a trace line beside them.
  return std::any_of(race.items.begin(), race.items.end(), [&](std::uint64_t item) {
    return std::find(other.items.begin(), other.items.end(), item) != other.items.end();
  });
}

template <typename Classes = std::initializer_list<Class>>
bool any_of(const Finding& finding, const Classes& classes) {
  return std::find(classes.begin(), classes.end(), finding.kind) != classes.end();
}

// Epochs of different groups are not ordered, so that such a race may show anywhere in its launch. −1: at the launch's end.
bool later(const Finding& finding, const Finding& cause) {
  return finding.launch == cause.launch && (cause.across_groups || finding.epoch < 0 || finding.epoch >= cause.epoch);
}

// Whether `finding` is what `cause` led to.
bool follows_from(const Finding& finding, const Finding& cause) {
  switch (cause.kind) {
    // Items that passed other barriers are in other epochs than their neighbours.
    case Class::BarrierDivergence: return finding.launch == cause.launch && finding.kind != Class::OutOfBounds;
    // What is beyond a buffer belongs to none, and what should have been there is missed later.
    case Class::OutOfBounds:
      return (finding.launch > cause.launch || (later(finding, cause) && finding.step >= cause.step)) &&
             any_of(finding,
                    {Class::InconsistentRead, Class::MissingOperation, Class::WrongPartner, Class::UninitialisedRead});
    // Where the points are in another order, or an earlier stage is missing, all partners are wrong in the same way.
    case Class::MissingOperation:
      return finding.kind == Class::WrongPartner && finding.launch == cause.launch && finding.stage == cause.stage &&
             finding.line == cause.line && finding.step >= cause.step;
    // Two items that do the same work on the same elements: which of them should not be there is known.
    case Class::WrongPartner:
    case Class::DuplicateOperation:
      return is_race(finding) ? shares_work(finding, cause) && finding.buffer == cause.buffer
                              : finding.kind == Class::InconsistentRead && later(finding, cause);
    // The schedule decides what a racing item reads, and the log has one order of many.
    case Class::Race:
      return later(finding, cause) &&
             any_of(finding, {Class::InconsistentRead, Class::WrongValue, Class::UninitialisedRead,
                              Class::MissingOperation, Class::DuplicateOperation, Class::WrongPartner});
    default: return false;
  }
}

}  // namespace

std::vector<Finding> without_consequences(std::vector<Finding> findings, const std::vector<int>& lifted) {
  // Causes in turn: one that has been left out itself explains nothing more, so that something always stays.
  std::vector<bool> left_out(findings.size());
  const std::vector<std::vector<Class>> turns{
      {Class::BarrierDivergence},
      {Class::OutOfBounds},
      {Class::MissingOperation},
      {Class::WrongPartner, Class::DuplicateOperation},
      {Class::Race},
  };
  for (const std::vector<Class>& turn : turns)
    for (std::size_t c = 0; c < findings.size(); ++c) {
      if (left_out[c] || !any_of(findings[c], turn)) continue;
      for (std::size_t f = 0; f < findings.size(); ++f) {
        const Finding& finding = findings[f];
        if (left_out[f] || any_of(finding, turn) || (finding.severity != Severity::Error && !is_race(finding)))
          continue;
        const bool inferred = findings[c].kind == Class::DuplicateOperation && is_race(finding) &&
                              std::find(lifted.begin(), lifted.end(), findings[c].launch) != lifted.end();
        if (inferred || !follows_from(finding, findings[c])) continue;
        left_out[f] = true;
        ++findings[c].follows;
      }
    }
  std::vector<Finding> result;
  for (std::size_t f = 0; f < findings.size(); ++f)
    if (!left_out[f]) result.push_back(std::move(findings[f]));
  return result;
}

}  // namespace twiddle
