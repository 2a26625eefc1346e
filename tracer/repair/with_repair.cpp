// What a repair makes of the findings.
#include "base/error.h"
#include "base/values/json_text.h"
#include "tracer/checks/fix_lines.h"
#include "tracer/file/message_json.h"
#include "tracer/repair/repair.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

namespace twiddle {

// A message crosses to another process whole, to be told in any language.
static void to_json(nlohmann::json& json, const Message& message) {
  json = {{"english", message.english()}, {"message", json_of(message)}};
}
static void from_json(const nlohmann::json& json, Message& message) {
  message = message_of(json.at("message"), json.at("english").get<std::string>());
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Repair, file, plan, line, is, should, named, order, was, text, cost, kind, launch,
                                   stage, items, all_items, effect, tried, work, exchanges, stores, scales, idle)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LikelyLine, file, line, share)

namespace {

using nlohmann::json;
using Class = FindingClass;

// Inferred from what values should have been; others were seen to happen.
bool inferred(const Finding& finding) {
  switch (finding.kind) {
    case Class::WrongPartner:
    case Class::WrongTwiddle:
    case Class::WrongValue:
    case Class::MissingOperation:
    case Class::DuplicateOperation:
    case Class::Unscaled: return true;
    default: return false;
  }
}
// Told by what is left at the end, or by what never came there; no operation is seen to be wrong.
bool of_outcome(const Finding& finding) {
  return finding.kind == Class::MissingOperation || finding.kind == Class::DuplicateOperation ||
         (finding.kind == Class::WrongValue && !finding.ideal);
}

Message sentence_of(const Repair& repair) {
  if (repair.is == repair.should || repair.should == repair.is + "\n" + repair.text)
    return Message("a line more makes the outcome right: {}", repair.text);
  if (repair.was.empty() || repair.text.empty())
    return Message("the outcome is right with \"{}\" in place of \"{}\"", repair.should, repair.is);
  return Message("the outcome is right with \"{}\" in place of \"{}\"", repair.text, repair.was);
}

Fix fix_of(const TraceInfo& info, const Repair& repair, int source) {
  Fix fix;
  Finding place;
  place.source = source;
  fix.in_plan = repair.plan;
  fix.file = repair.plan ? info.algorithm : file_of(info, place);
  fix.line = repair.line;
  fix.is = repair.is;
  fix.should = repair.should;
  if (repair.stage > 0) fix.stages = {repair.stage};
  fix.items = repair.items;
  fix.text =
      repair.effect.empty() ? sentence_of(repair) : Message("{}; as it is, {}", sentence_of(repair), repair.effect);
  return fix;
}

// What a repair of the order of memory says of the line that it names.
Message order_missing(const Repair& repair, const Fix& fix) {
  const auto more = [&](std::string_view word) {
    const auto count = [&](const std::string& text) {
      int found = 0;
      for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++found;
      return found;
    };
    return count(repair.should) > count(repair.is);
  };
  std::string is = repair.is, should = repair.should;
  std::sort(is.begin(), is.end());
  std::sort(should.begin(), should.end());
  if (is == should) return Message("what is done first here has to be done last");
  const bool behind = repair.should.starts_with(repair.is) && repair.named == last_line_of(fix);
  if (more("fence"))
    return behind ? Message("a fence is missing behind this line") : Message("a fence is missing before this line");
  return behind ? Message("a barrier is missing behind this line") : Message("a barrier is missing before this line");
}

// Another line of the file that can be changed instead, where nothing tells which of the two was meant.
const Repair* as_likely(const std::vector<Repair>& repairs) {
  constexpr double alike = 0.3;
  const Repair& best = repairs.front();
  const auto other = std::find_if(repairs.begin() + 1, repairs.end(), [&](const Repair& one) {
    return !one.plan && !one.order && one.file == best.file && one.line != best.line && one.cost <= best.cost + alike &&
           one.should.find('\n') == std::string::npos;
  });
  return best.plan || best.order || other == repairs.end() ? nullptr : &*other;
}

// What was inferred from values alone names where it was last stored; a line whose changes help is nearer to the mistake.
std::vector<Finding> with_likely_line(const TraceInfo& info, std::vector<Finding> findings, const LikelyLine& likely) {
  const int source = info.source_named(likely.file);
  const auto first = std::find_if(findings.begin(), findings.end(), is_error);
  if (source < 0 || first == findings.end() || !inferred(*first)) return findings;
  if (first->source == source && shown_line(*first) == likely.line) return findings;
  // What an operation is seen to do wrong is surer than where a change is felt.
  if (likely.share <= 0 && !of_outcome(*first)) return findings;
  const int percent = std::clamp(static_cast<int>(100 * likely.share), 1, 99);
  first->message =
      likely.share > 0
          ? Message(
                "{} (seen in line {}): look here first, for changes of this line make up to {} % of what is wrong "
                "right",
                first->message, shown_line(*first), percent)
          : Message(
                "{} (seen in line {}): most likely it is this line, for of all lines its changes are felt most "
                "where the outcome is wrong and least where it is right",
                first->message, shown_line(*first));
  first->other_line = shown_line(*first);
  first->line = likely.line;
  first->statement_line = 0;
  first->source = source;
  return findings;
}

}  // namespace

bool wants_repair(const TraceInfo& info, const std::vector<Finding>& findings) {
  if (info.expect.transform == Expect::Transform::None) return false;
  if (std::filesystem::path(info.algorithm).extension() != ".toml") return false;
  return std::any_of(findings.begin(), findings.end(), is_error);
}

std::vector<Finding> with_repair(const TraceInfo& info, std::vector<Finding> findings, const Repaired& repaired) {
  if (repaired.repairs.empty())
    return repaired.likely ? with_likely_line(info, std::move(findings), *repaired.likely) : findings;
  const Repair& best = repaired.repairs.front();
  const int source = best.plan ? -1 : info.source_named(best.file);
  const Fix fix = fix_of(info, best, source);

  const auto behind = std::stable_partition(findings.begin(), findings.end(), is_error);
  std::vector<Finding> errors(std::make_move_iterator(findings.begin()), std::make_move_iterator(behind));
  std::vector<Finding> result(std::make_move_iterator(behind), std::make_move_iterator(findings.end()));
  if (errors.empty()) return result;
  // The search ran the items in one order; what another showed may be there still.
  const auto other =
      std::stable_partition(errors.begin(), errors.end(),
                            [order = errors.front().schedule](const Finding& one) { return one.schedule == order; });
  result.insert(result.begin(), std::make_move_iterator(other), std::make_move_iterator(errors.end()));
  errors.erase(other, errors.end());

  // With the change the program has no error, so that all of them come of one mistake. What was seen to happen at its line is
  // how it is named; what was seen elsewhere, or inferred from values, is what came of it.
  const auto there = [&](const Finding& finding) {
    if (inferred(finding)) return false;
    if (best.order) return true;
    const int line = shown_line(finding);
    return !best.plan && finding.source == source && line >= best.line && line <= last_line_of(fix);
  };
  const auto named = std::find_if(errors.begin(), errors.end(), there);
  Finding culprit;
  if (named != errors.end()) {
    culprit = std::move(*named);
    errors.erase(named);
    // Both lines are told of; the one that needs the barrier before it comes first.
    if (best.order && best.named > 0 && culprit.line != best.named && !best.plan && source >= 0) {
      culprit.other_line = culprit.line;
      culprit.message = Message("{} (seen in line {}): {}", culprit.message, culprit.line, order_missing(best, fix));
      culprit.line = best.named;
      culprit.source = source;
    }
    culprit.advice = fix.text;
  } else {
    const Finding& first = errors.front();
    culprit.kind = best.kind;
    if (best.kind == Class::WrongValue && (first.kind == Class::WrongTwiddle || first.kind == Class::Unscaled))
      culprit.kind = first.kind;
    culprit.launch = best.launch > 0 ? best.launch : first.launch;
    culprit.stage = best.launch > 0 ? best.stage : first.stage;
    culprit.items = best.items;
    culprit.occurrences = std::max<std::uint64_t>(best.all_items, 1);
    culprit.buffer = first.buffer;
    culprit.element = first.element;
    culprit.step = best.launch > 0 ? 0 : first.step;
    culprit.source = best.plan ? first.source : source;
    culprit.line = best.line;
    culprit.message = fix.text;
    if (const Repair* another = as_likely(repaired.repairs))
      culprit.advice = Message("Line {} can be changed in its place: {}", another->line, another->should);
  }
  culprit.severity = Severity::Error;
  culprit.fix = fix;
  culprit.explains = std::move(errors);
  for (Finding& one : culprit.explains) culprit.follows += std::exchange(one.follows, 0);
  result.insert(result.begin(), std::move(culprit));
  return result;
}

std::string json_of(const TraceInfo& info, const std::vector<Finding>& findings, const Repaired& repaired) {
  std::string text = json_of(info, std::span<const Finding>(findings));
  if (repaired.unsearched.empty()) return text;
  nlohmann::ordered_json all = nlohmann::ordered_json::parse(text);
  for (const std::string& sentence : repaired.unsearched) all["unchecked"].push_back(sentence);
  return json_text(all, 2) + "\n";
}

std::string to_json(const Repaired& repaired) {
  json whole{{"repairs", repaired.repairs}, {"unsearched", repaired.unsearched}};
  if (repaired.likely) whole["likely"] = *repaired.likely;
  return json_text(whole);
}

Repaired repaired_from_json(const std::string& text) {
  Repaired repaired;
  try {
    const json all = json::parse(text);
    all.at("repairs").get_to(repaired.repairs);
    for (Repair& one : repaired.repairs)
      if (one.kind < Class{} || static_cast<int>(one.kind) >= finding_class_count) one.kind = Repair().kind;
    all.at("unsearched").get_to(repaired.unsearched);
    if (const auto likely = all.find("likely"); likely != all.end()) repaired.likely = likely->get<LikelyLine>();
  } catch (const json::exception& wrong) {
    throw Error(ExitCode::unreadable, Message("no repair can be read: {}", wrong.what()));
  }
  return repaired;
}

}  // namespace twiddle
