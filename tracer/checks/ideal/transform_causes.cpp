// Why parts of a transform do not belong together: which operation is wrong, and what that usually comes from.
#include "base/message.h"
#include "tracer/checks/ideal/transform_check.h"
#include "tracer/trace/item_words.h"
#include "tracer/trace/span.h"

#include <algorithm>

namespace twiddle {

/// A launch before this one that should have reordered the points and did nothing at all.
bool TransformCheck::idle_before(const Operation& op, Findings& findings) {
  for (const LaunchInfo& launch : info_.launches) {
    if (launch.number >= op.launch) return false;
    if (launch.attempted != 0 || launch.unexplained != 0) continue;
    Finding finding = finding_of(FindingClass::MissingOperation, launch);
    finding.step = op.step;
    finding.buffer = op.reads[0].buffer;
    if (findings.count_repeat(Findings::place_of(finding), 0)) return true;
    finding.element = op.reads[0].index;
    finding.message =
        Message("launch {} ({}) does nothing, and {} of launch {} finds {} still in the order of the input",
                launch.number, launch.kernel, item_name(info_, op.item), op.launch, element_text(info_, op.reads[0]));
    finding.advice =
        Message("Look at the condition under which its {} do anything, and at their indices.", items_noun(info_));
    findings.add(std::move(finding));
    return true;
  }
  return false;
}

/// A stage merges each element once. What is merged again goes somewhere else, or the outcome may even be right: it is told
/// where something goes wrong after it.
void TransformCheck::suspect_repeat(const Operation& op) {
  bool again = false;
  for (const Access& read : op.reads)
    if (Entry* entry = entry_of(op, read)) {
      again = again || entry->merged == segment_;
      entry->merged = segment_;
    }
  if (!again || suspected_.count_repeat(place_of(FindingClass::DuplicateOperation, op, op.reads[0]), op.item)) return;
  report(suspected_, FindingClass::DuplicateOperation, op, op.reads[0],
         Message("{} merges {} with {} once more: another {} of this stage has done it", item_name(info_, op.item),
                 element_text(info_, op.reads[0]), element_text(info_, op.reads[1]), item_noun(info_)),
         Message("Let each pair be merged by one {}, once.", item_noun(info_)));
}

/// The index of an element along its line.
std::uint32_t TransformCheck::place_in_line(const Access& access, int axis) const {
  const bool global_column = axis == 0 && !is_local(info_.buffers[access.buffer]);
  return static_cast<std::uint32_t>(global_column ? access.index / axes_.points() % axes_.lines()
                                                  : access.index % (axis == 0 ? axes_.lines() : axes_.points()));
}

/// Whether a butterfly reads what it should, if the elements were in this order.
bool TransformCheck::fits_layout(Layout layout, const Operation& op, const std::array<TransformPart, 4>& parts,
                                 int axis) const {
  const int log_radix = op.reads.size() == 4 ? 2 : 1;
  const std::uint32_t distance = apart(parts[0], axis, log_radix);
  UsualPlace first;
  for (int q = 0; q < op.reads.size(); ++q) {
    const TransformPart& part = parts[q];
    if (part.kind != parts[0].kind || part.lengths[axis] != parts[0].lengths[axis]) return false;
    const UsualPlace slot =
        usual_place(layout, place_in_line(op.reads[q], axis), axes_.bits(part, axis), part.lengths[axis], log_radix);
    if (q == 0) first = slot;
    if (slot.bin != first.bin || slot.offset != first.offset + static_cast<std::uint32_t>(q) * distance) return false;
  }
  return distance != 0;
}

/// How many elements that a segment wrote of an access's buffer are as each of the usual orders has them.
const std::array<std::uint64_t, 2>& TransformCheck::layout_votes(const Access& access, std::size_t segment, int axis,
                                                                 int log_radix) {
  const auto [votes, fresh] = votes_.try_emplace({access.buffer, segment, axis});
  if (!fresh) return votes->second;
  const Segment& wrote = info_.segments[segment];
  parts_.for_each(access.buffer, [&](std::uint64_t, std::uint64_t element, const Entry& entry) {
    if (entry.step < wrote.first_step || entry.step >= wrote.end_step()) return;
    const TransformPart& part = entry.part;
    if (part.kind == TransformPart::Kind::Unknown) return;
    Access there = access;
    there.index = element;
    const UsualPlace slot{axes_.offset(part, axis), axes_.bin(part, axis)};
    for (const Layout layout : {Layout::Blocks, Layout::Stockham})
      votes->second[static_cast<std::size_t>(layout)] +=
          slot ==
          usual_place(layout, place_in_line(there, axis), axes_.bits(part, axis), part.lengths[axis], log_radix);
  });
  return votes->second;
}

/// A butterfly that reads what it should by one of the usual orders, and finds something else there: then the write of it
/// is wrong. The order is the one that most of what was written with it is in.
bool TransformCheck::misplaced_before(const Operation& op, const std::array<TransformPart, 4>& parts, int axis,
                                      Findings& findings) {
  const int log_radix = op.reads.size() == 4 ? 2 : 1;
  for (int q = 0; q < op.reads.size(); ++q) {
    const Access& read = op.reads[q];
    const TransformPart& part = parts[q];
    const Entry* entry = entry_of(op, read);
    if (!entry || entry->step == 0 || entry->step == unlogged) continue;
    const UsualPlace here{axes_.offset(part, axis), axes_.bin(part, axis)};
    const std::size_t segment = info_.segment_of(entry->step);
    if (segment >= info_.segments.size() || segment == segment_) continue;
    const std::array<std::uint64_t, 2>& votes = layout_votes(read, segment, axis, log_radix);
    for (const Layout layout : {Layout::Blocks, Layout::Stockham}) {
      if (votes[static_cast<std::size_t>(layout)] < votes[1 - static_cast<std::size_t>(layout)]) continue;
      const UsualPlace slot =
          usual_place(layout, place_in_line(read, axis), axes_.bits(part, axis), part.lengths[axis], log_radix);
      if (slot == here || !fits_layout(layout, op, parts, axis)) continue;
      const Segment& where = info_.segments[segment];
      const int line = static_cast<int>(entry->line);
      if (findings.count_repeat(
              {FindingClass::WrongPartner, where.launch, where.stage, where.epoch, read.buffer, line, 0}, entry->item))
        return true;
      Finding finding = finding_at(FindingClass::WrongPartner, info_, op, read);
      finding.launch = where.launch;
      finding.stage = where.stage;
      finding.epoch = where.epoch;
      finding.step = entry->step;
      finding.items = {entry->item};
      finding.line = line;
      finding.source = info_.launch(where.launch)->source;
      finding.message =
          Message("{} puts {} into {}, where {} belongs", item_name(info_, entry->item), axes_.text(info_, part, axis),
                  element_text(info_, read),
                  axes_.text(info_, axes_.with(part, axis, slot.offset, part.lengths[axis], slot.bin), axis));
      finding.advice = Message("Compare the index that is written with the one that the next stage reads.");
      if (log_radix == 2 && part.lengths[axis] == 0 &&
          here == usual_place(Layout::Blocks, place_in_line(read, axis), axes_.bits(part, axis), 0, 1)) {
        finding.message += Message(": the points are put in order by bits, where radix 4 needs it by base-4 digits");
        finding.advice = Message("Reverse the base-4 digits of the index, two bits at a time.");
      }
      findings.add(std::move(finding));
      return true;
    }
  }
  return false;
}

/// Where a part is in a buffer at this moment, in the group of the operation.
std::optional<std::uint64_t> TransformCheck::element_holding(const Operation& op, int buffer,
                                                             const TransformPart& part) {
  Access access;
  access.buffer = buffer;
  access.value.type = info_.buffers[buffer].type;
  for (access.index = 0; access.index < info_.buffers[buffer].count; ++access.index)
    if (part_of(op, access) == part) return access.index;
  return std::nullopt;
}

/// What point the element `index` of the same array stands for, when it is a single point.
std::optional<std::uint32_t> TransformCheck::offset_at(const Operation& op, const Access& access, std::uint64_t index) {
  Access other = access;
  other.index = index;
  const TransformPart part = part_of(op, other);
  if (part.kind == TransformPart::Kind::Unknown || part.lengths[1] != 0) return std::nullopt;
  return axes_.along(part, 1);
}

/// Parts of different lengths: what has stayed short was left out by the stage that made the others longer.
bool TransformCheck::left_out(const Operation& op, const std::array<TransformPart, 4>& parts, int axis,
                              Findings& findings) {
  const auto radix = static_cast<std::size_t>(op.reads.size());
  std::size_t shortest = 0, longest = 0;
  for (std::size_t q = 1; q < radix; ++q) {
    if (parts[q].lengths[axis] < parts[shortest].lengths[axis]) shortest = q;
    if (parts[q].lengths[axis] > parts[longest].lengths[axis]) longest = q;
  }
  if (parts[shortest].lengths[axis] == parts[longest].lengths[axis]) return false;
  const Made& made = made_[axis][parts[shortest].lengths[axis] + std::size_t(radix == 4 ? 2 : 1)];
  if (made.launch == 0 || (made.launch == op.launch && made.epoch == op.epoch && made.stage == op.stage)) return false;
  const Access& access = op.reads[static_cast<int>(shortest)];
  const Findings::Place place{
      FindingClass::MissingOperation, made.launch, made.stage, made.epoch, access.buffer, made.line, op.line};
  if (findings.count_repeat(place, op.item)) return true;
  Finding finding = finding_at(FindingClass::MissingOperation, info_, op, access);
  finding.launch = made.launch;
  finding.stage = made.stage;
  finding.epoch = made.epoch;
  finding.line = made.line;
  finding.other_line = op.line;
  finding.source = info_.launch(made.launch)->source;
  finding.message =
      Message("nothing merged {} here, as {} finds in stage {}: it still holds {} where its partner holds {}",
              element_text(info_, access), item_name(info_, op.item), op.stage,
              axes_.text(info_, parts[shortest], axis), axes_.text(info_, parts[longest], axis));
  finding.advice =
      Message("Let this stage reach every element: N/2 butterflies of radix 2, each with a pair of its own.");
  findings.add(std::move(finding));
  return true;
}

/// A butterfly whose parts do not belong together: its first read, and the first other one that does not go with it.
struct TransformCheck::Mismatch {
  const Operation& op;
  const std::array<TransformPart, 4>& parts;
  int axis;
  Findings& findings;
  std::size_t wrong;  // which read
  Message who{};      // and what: "work-item 1 merges F[0] with F[3]"

  int radix() const { return op.reads.size(); }
  int log_radix() const { return radix() == 4 ? 2 : 1; }
  const Access& first() const { return op.reads[0]; }
  const Access& second() const { return op.reads[static_cast<int>(wrong)]; }
  const TransformPart& a() const { return parts[0]; }
  const TransformPart& b() const { return parts[wrong]; }
  bool same_length() const { return a().lengths[axis] == b().lengths[axis]; }
  bool points() const { return a().lengths[axis] == 0 && b().lengths[axis] == 0; }
};

/// The first read that is not what belongs to the first one.
std::size_t TransformCheck::first_wrong(const Operation& op, const std::array<TransformPart, 4>& parts,
                                        int axis) const {
  if (axis < 0) return 1;
  const auto radix = static_cast<std::size_t>(op.reads.size());
  const TransformPart& a = parts[0];
  const std::uint32_t distance = apart(a, axis, radix == 4 ? 2 : 1);
  std::size_t wrong = 1;
  for (; wrong + 1 < radix; ++wrong) {
    const TransformPart& other = parts[wrong];
    if (other.lengths[axis] != a.lengths[axis] || axes_.bin(other, axis) != axes_.bin(a, axis) ||
        axes_.offset(other, axis) != axes_.offset(a, axis) + static_cast<std::uint32_t>(wrong) * distance)
      break;
  }
  return wrong;
}

/// The parts do not belong together: say how, and what that usually comes from; the most telling cause first.
void TransformCheck::report_mismatch(const Operation& op, const std::array<TransformPart, 4>& parts, int axis,
                                     Findings& findings) {
  Mismatch mismatch{op, parts, axis, findings, first_wrong(op, parts, axis)};
  mismatch.who = Message("{} merges {} with {}", item_name(info_, op.item), element_text(info_, mismatch.first()),
                         element_text(info_, mismatch.second()));
  if (axis < 0)
    tell(mismatch, FindingClass::WrongPartner, mismatch.second(),
         axes_.plane() ? Message("{}, which are in different rows and different columns", mismatch.who)
                       : Message("{}, which belong to different transforms", mismatch.who),
         Message("A transform merges points of one line only."));
  else if (!left_out(op, parts, axis, findings) && !not_reordered(mismatch) &&
           !misplaced_before(op, parts, axis, findings) && !merged_already(mismatch) && !stage_skipped(mismatch))
    mispaired(mismatch);
}

void TransformCheck::tell(const Mismatch& mismatch, FindingClass kind, const Access& access, Message what,
                          Message advice) {
  if (!mismatch.findings.count_repeat(place_of(kind, mismatch.op, access), mismatch.op.item))
    report(mismatch.findings, kind, mismatch.op, access, std::move(what), std::move(advice));
}

/// Neighbours, as a reversal leaves them. The order of all points tells more than this pair: look at what is at index 1.
bool TransformCheck::not_reordered(const Mismatch& mismatch) {
  const auto& [op, parts, axis, findings, wrong, who] = mismatch;
  const Access& first = mismatch.first();
  const int radix = mismatch.radix();
  const std::uint32_t whole = std::uint32_t(1) << axes_.bits(mismatch.a(), axis);
  if (!mismatch.points() || axis != 1 || whole <= static_cast<std::uint32_t>(radix) ||
      op.reads[1].index != first.index + 1)
    return false;
  const std::optional<std::uint32_t> next = offset_at(op, first, first.index - first.index % whole + 1);
  if (!next) return false;
  const Message a = axes_.text(info_, mismatch.a(), axis), b = axes_.text(info_, mismatch.b(), axis);
  if (*next == 1) {
    if (idle_before(op, findings)) return true;
    tell(mismatch, FindingClass::MissingOperation, first,
         radix == 2
             ? Message("{} while {} and {} are still in their input order: the bit reversal is missing", who, a, b)
             : Message("{} while {} and {} are still in their input order: the digit reversal is missing", who, a, b),
         Message("Reorder the input before the first stage."));
    return true;
  }
  if (radix == 4 && *next == whole / 2) {
    if (!misplaced_before(op, parts, axis, findings))
      tell(mismatch, FindingClass::WrongPartner, mismatch.second(),
           Message("{}, which hold {} and {}: the input was reordered by bits, where radix 4 needs it by base-4 digits",
                   who, a, b),
           Message("Reverse the base-4 digits of the index, two bits at a time."));
    return true;
  }
  return false;
}

/// Where the partner is that the first read should have had.
std::optional<Ideal> TransformCheck::right_partner(const Mismatch& mismatch) {
  const auto& [op, parts, axis, findings, wrong, who] = mismatch;
  const TransformPart& a = mismatch.a();
  const std::uint32_t distance = apart(a, axis, mismatch.log_radix());
  if (distance == 0) return std::nullopt;
  const std::uint32_t offset = axes_.offset(a, axis) + static_cast<std::uint32_t>(wrong) * distance;
  const TransformPart partner = axes_.with(a, axis, offset, a.lengths[axis], axes_.bin(a, axis));
  const auto element = element_holding(op, mismatch.second().buffer, partner);
  return element ? std::optional(Ideal{element, {}, {}}) : std::nullopt;
}

std::string TransformCheck::name_of_partner(const Mismatch& mismatch, const Ideal& ideal) const {
  Access there = mismatch.second();
  there.index = *ideal.partner;
  return element_text(info_, there);
}

/// Two halves of one transform, which a butterfly before has brought together.
bool TransformCheck::merged_already(const Mismatch& mismatch) {
  const auto& [op, parts, axis, findings, wrong, who] = mismatch;
  const TransformPart &a = mismatch.a(), &b = mismatch.b();
  const Access& first = mismatch.first();
  if (!mismatch.same_length() || axes_.offset(a, axis) != axes_.offset(b, axis) ||
      first.index == mismatch.second().index || mismatch.points())
    return false;
  if (findings.count_repeat(place_of(FindingClass::DuplicateOperation, op, first), op.item)) return true;
  Message what = Message("{}, which a butterfly of span {} has merged already", who, axes_.length(a, axis));
  const std::optional<Ideal> ideal = right_partner(mismatch);
  if (ideal)
    what += Message("; in a stage of span {} its partner is {}", span_of(mismatch), name_of_partner(mismatch, *ideal));
  report(findings, FindingClass::DuplicateOperation, op, first, std::move(what),
         Message("Let each pair be merged by one {}, once.", item_noun(info_)), ideal);
  return true;
}

/// Parts that are shorter than a stage of this span merges.
bool TransformCheck::stage_skipped(const Mismatch& mismatch) {
  const auto& [op, parts, axis, findings, wrong, who] = mismatch;
  const TransformPart &a = mismatch.a(), &b = mismatch.b();
  const std::uint64_t span = twiddle::span_of(info_, op), merged = span_of(mismatch);
  if (!mismatch.same_length() || axes_.bin(a, axis) != axes_.bin(b, axis) ||
      apart(a, axis, mismatch.log_radix()) == 0 || mismatch.radix() != 2 || span <= merged || axes_.plane())
    return false;
  tell(mismatch, FindingClass::MissingOperation, mismatch.first(),
       mismatch.points()
           ? Message("{} with span {}, but they hold transforms of {} point: the stage of span {} was left out", who,
                     span, axes_.length(a, axis), merged)
           : Message("{} with span {}, but they hold transforms of {} points: the stage of span {} was left out", who,
                     span, axes_.length(a, axis), merged),
       Message("Let the span double from stage to stage, starting at 2."));
  return true;
}

/// No usual cause: what the two hold, and who would have been the partner.
void TransformCheck::mispaired(const Mismatch& mismatch) {
  const auto& [op, parts, axis, findings, wrong, who] = mismatch;
  const TransformPart &a = mismatch.a(), &b = mismatch.b();
  const Access& second = mismatch.second();
  const std::uint32_t distance = apart(a, axis, mismatch.log_radix());
  Message what = Message("{}, which hold {} and {}", who, axes_.text(info_, a, axis), axes_.text(info_, b, axis));
  if (mismatch.same_length() && axes_.bin(a, axis) != axes_.bin(b, axis))
    what += Message("; a butterfly needs the same bin of both");
  else if (mismatch.same_length() && distance != 0)
    what += Message("; a butterfly of span {} needs points that start {} apart", span_of(mismatch), distance);
  if (findings.count_repeat(place_of(FindingClass::WrongPartner, op, second), op.item)) return;
  const std::optional<Ideal> ideal = right_partner(mismatch);
  if (ideal) what += Message(", and {} holds its partner", name_of_partner(mismatch, *ideal));
  report(findings, FindingClass::WrongPartner, op, second, std::move(what),
         Message("Item g of a stage with span L pairs i0 = g div (L/2) · L + g mod (L/2) with i0 + L/2."), ideal);
}

/// Of a butterfly that merges parts as long as the first one.
std::uint64_t TransformCheck::span_of(const Mismatch& mismatch) const {
  return std::uint64_t(axes_.length(mismatch.a(), mismatch.axis)) << mismatch.log_radix();
}

}  // namespace twiddle
