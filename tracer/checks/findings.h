// Where checks put what they find: the same thing in the same place becomes one finding with a count.
#pragma once

#include "tracer/checks/finding.h"

#include <array>
#include <map>
#include <tuple>
#include <vector>

namespace twiddle {

class Findings {
 public:
  /// Where something happened: what has the same class and place is told once.
  struct Place {
    FindingClass kind;
    int launch = 0, stage = -1, epoch = -1, buffer = -1, line = 0, other_line = 0;
    std::optional<bool> writes{};
    auto operator<=>(const Place&) const = default;
  };
  static Place place_of(const Finding& finding) {
    return {finding.kind,   finding.launch, finding.stage,      finding.epoch,
            finding.buffer, finding.line,   finding.other_line, finding.writes};
  }

  /// True when this place has a finding already: the occurrence is counted and the item added to the culprits, so that
  /// a check need not word its message again.
  bool count_repeat(const Place& place, std::uint64_t item);
  /// Adds a finding, or counts it where its place has one. The severity is set by the class.
  void add(Finding finding);

  /// Adds what was found elsewhere.
  void append(Findings other);

  /// Whether a finding of this class is known of a launch and, unless it is −1, of a buffer.
  bool has(FindingClass kind, int launch, int buffer = -1) const;
  /// Takes away findings of this launch that an algorithm's model made: what an outcome that is right proves wrong.
  void drop_ideal(int launch);
  bool any_errors() const { return errors_ > 0; }
  /// Whether anything is wrong with memory or barriers.
  bool any_structural() const;
  /// By severity, errors of memory and barriers before those of values, then by place. Those that follow from another are left
  /// out and counted in the other. `lifted`: launches whose operations were found in their accesses.
  std::vector<Finding> take(const std::vector<int>& lifted = {});

  static constexpr std::size_t max_items = 8;     // culprits named in a finding
  static constexpr std::size_t max_places = 500;  // of a class; more are counted in the last one

 private:
  std::vector<Finding> findings_;
  std::map<Place, std::size_t> places_;
  std::array<std::size_t, finding_class_count> of_class_{};
  std::size_t errors_ = 0;
  Place last_{FindingClass::Race};
  std::size_t last_at_ = SIZE_MAX;  // the finding of `last_`
};

/// Whether a class is seen in what a run did with its memory and at its barriers, with any values.
bool is_structural(FindingClass kind);

/// Leaves out findings that follow from others: what a race or an access out of bounds makes of the values, and races
/// between work-items that should not have met at all. Of launches whose operations were `lifted` from values, a race comes before
/// operations that seem to be done twice.
std::vector<Finding> without_consequences(std::vector<Finding> findings, const std::vector<int>& lifted = {});

}  // namespace twiddle
