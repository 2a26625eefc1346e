// What questions made from a trace say, in the course's languages. Arguments are fmt's, in the order the comments give.
#pragma once

#include <string>
#include <string_view>

namespace twiddle {

enum class Say {
  AskPartner,        // item, first element, position
  PartnerRight,      // stride
  PartnerNeighbour,  // item that reads it
  PartnerFarther,
  PartnerNearer,
  PartnerBeside,
  ReversedRight,  // index, its digits, its partner's digits, partner
  ReversedBits,
  ReversedFlipped,
  ReversedMoved,
  AskSpan,    // position
  SpanRight,  // span, stride
  SpanIsStride,
  SpanNextStage,
  SpanTwoBefore,
  AskStride,    // position
  StrideRight,  // first index, second index
  StrideIsSpan,
  StrideNextStage,
  StrideStageBefore,
  AskTwiddle,    // item, position
  TwiddleRight,  // power ("w_4^1")
  TwiddleConjugate,
  TwiddleNegated,
  TwiddleSwapped,
  TwiddleOne,
  AskValue,    // item, element, position
  ValueRight,  // the operation
  ValueOther,
  ValueUnturned,
  ValueConjugate,
  AskIdle,    // position
  IdleRight,  // active, items
  IdleIsActive,
  IdleAll,
  IdleNone,
  IdleHalf,
  AskBarriers,    // launch
  BarriersRight,  // epochs
  BarriersEpochs,
  BarriersFew,
  BarriersItems,
  AskRace,
  RaceYes,
  RaceNo,
  RaceFound,     // stage or launch, element, items
  RaceNotFound,  // operations
  RaceMissed,
  RaceImagined,
  AskCulprit,    // stage or launch
  CulpritItem,   // item
  CulpritRight,  // line, what check says
  CulpritWrong,  // item
  AskFinding,
  FindingRight,  // how often
  FindingWrong,
  AskNext,    // position
  NextRight,  // item
  NextSame,   // what just happened
  NextStride,
  NextShifted,
  AskCost,      // one pattern, the other
  CostReading,  // buffer, position
  CostWriting,  // buffer, position
  CostMore,     // pattern, how many times
  CostSame,
  CostSectors,       // many, few
  CostPasses,        // many, few
  CostRightSectors,  // sectors against sectors, bytes used, bytes fetched
  CostRightPasses,   // passes against passes
  CostOtherSectors,  // sectors, bytes used
  CostOtherPasses,   // passes
  CostSameSectors,   // sectors against sectors
  CostSamePasses,    // passes against passes
  CostItems,         // work-items, what counts
  CostTwice,         // what counts
  CostEachSectors,   // sectors
  CostEachPasses,    // passes
  CostSameRight,     // what each costs
  CostSameWrong,     // what each costs
};

/// The sentence for a language ("en", "ja", "zh").
std::string_view say(Say what, std::string_view language);

/// A class of findings as the language has it: "データ競合". Empty for an unknown one.
std::string_view finding_word(std::string_view finding_class, std::string_view language);

}  // namespace twiddle
