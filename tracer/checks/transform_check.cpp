// The ideal laid over the log. For a Fourier transform, every element of every buffer is followed as what it stands for
// (transform_parts.h). Moves and swaps carry that meaning along; a butterfly of radix r may only merge r parts with the same
// L and bin j whose offsets lie N/(rL) apart, and its twiddles must be w_{rL}^{qj}. That holds for every decimation in time,
// in place or not, with any reordering before or between, so that no kernel has to be known beforehand; the first operation
// that parts from it is the culprit.
#include "tracer/checks/access.h"
#include "tracer/checks/check.h"
#include "tracer/checks/complex_value.h"
#include "tracer/checks/element_table.h"
#include "tracer/checks/transform_parts.h"

#include <bit>
#include <cmath>
#include <unordered_set>

namespace twiddle {
namespace {

using Complex = std::complex<double>;

class TransformCheck : public Check {
 public:
  TransformCheck(const TraceReader& trace, const Axes& axes)
      : trace_(trace), info_(trace.info()), axes_(axes), parts_(info_) {}

  void begin_launch(const LaunchInfo& launch) override {
    launch_ = &launch;
    swapped_.clear();
    loaded_ = {};
    parts_.forget_locals();
  }

  void operation(const Operation& op, Findings& findings) override {
    switch (op.kind) {
      case OperationKind::Butterfly:
        if (op.shape == Shape::Pack)
          unpack(op, findings);
        else
          butterfly(op, findings);
        break;
      case OperationKind::Swap: swap(op, findings); break;
      case OperationKind::Move:
      case OperationKind::Scale: set_part(op, op.writes[0], part_of(op, op.reads[0])); break;
      case OperationKind::Load: load(op); break;
      case OperationKind::Store: store(op, findings); break;
      case OperationKind::Barrier:
      case OperationKind::Term: break;
      case OperationKind::Combine:
      case OperationKind::Atomic:
        for (const Access& write : op.writes) set_part(op, write, {});
    }
  }

  void end_launch(const LaunchInfo& launch, Findings&) override {
    // What was written without a trace line stands for nothing that is known.
    if (info_.detail == Detail::Index) return;
    trace_.for_each_patch(launch.number, [&](const TraceReader::Patch& patch) {
      for (const std::uint32_t element : patch.elements)
        if (Entry* entry = parts_.find(patch.buffer, 0, element)) *entry = {{}, true};
    });
  }

  void end(Findings& findings) override;

 private:
  struct Entry {
    Part part;
    bool touched = false;  // else it stands for what it held before the first launch
  };

  Part part_of(const Operation& op, const Access& access) {
    const BufferInfo* buffer = buffer_of(info_, access);
    if (!buffer || elements_of(*buffer, access).part) return {};
    const Entry* entry = parts_.find(access.buffer, op.item / launch_->group_size(), access.index);
    return entry ? meaning(*entry, access.buffer, access.index) : Part{};
  }
  Part meaning(const Entry& entry, int buffer, std::uint64_t index) const {
    if (entry.touched) return entry.part;
    return buffer == axes_.input() && !axes_.real() ? axes_.point(index, Part::Kind::Plain) : Part{};
  }
  void set_part(const Operation& op, const Access& access, Part part) {
    if (access.buffer < 0) return;
    if (Entry* entry = parts_.find(access.buffer, op.item / launch_->group_size(), access.index)) *entry = {part, true};
  }

  void report(Findings& findings, FindingClass kind, const Operation& op, const Access& access, std::string message,
              std::string_view advice) {
    Finding finding = finding_at(kind, info_, op, access);
    finding.message = std::move(message);
    finding.advice = advice;
    findings.add(std::move(finding));
  }

  void swap(const Operation& op, Findings& findings) {
    const auto [low, high] = std::minmax(op.reads[0].index, op.reads[1].index);
    if (low != high && !swapped_.insert((low << 32) | high).second) {
      // The meaning stays as if it had been swapped once, so that what follows is judged by what was meant.
      if (!findings.again(place_of(FindingClass::DuplicateOperation, op, op.reads[0]), op.item))
        report(
            findings, FindingClass::DuplicateOperation, op, op.reads[0],
            fmt::format("work-item {} swaps {} and {} once more: another work-item of this launch has done it, so that "
                        "the two swaps undo each other",
                        op.item, name_of(info_, op.reads[0]), name_of(info_, op.reads[1])),
            "Let only one of the pair swap: guard it with g < rev(g).");
      return;
    }
    const Part a = part_of(op, op.reads[0]), b = part_of(op, op.reads[1]);
    set_part(op, op.writes[0], b);
    set_part(op, op.writes[1], a);
  }

  // ---- Real points, which come in by loads and leave as complex elements by a store ----

  struct Loaded {
    std::uint64_t item = ~std::uint64_t(0);
    int count = 0;
    std::array<Access, 2> from{};  // the latest two
  };

  void load(const Operation& op) {
    if (!axes_.real() || op.reads[0].buffer != axes_.input()) return;
    if (loaded_.item != op.item) loaded_ = {op.item, 0, {}};
    loaded_.from[0] = loaded_.from[1];
    loaded_.from[1] = op.reads[0];
    ++loaded_.count;
  }

  void store(const Operation& op, Findings& findings) {
    const Access& to = op.writes[0];
    Part part;
    if (axes_.real() && loaded_.item == op.item && traits(to.value.type).components == 2) {
      if (loaded_.count == 1) {
        const bool itself =
            !to.known || (to.value.component(0) == loaded_.from[1].value.component(0) && to.value.component(1) == 0);
        if (itself) part = axes_.point(loaded_.from[1].index, Part::Kind::Plain);
      } else if (loaded_.count == 2) {
        part = packed(op, findings);
      }
    }
    set_part(op, to, part);
    loaded_ = {};
  }

  /// A pair of neighbours: the even one is the real part, the odd one the imaginary part.
  Part packed(const Operation& op, Findings& findings) {
    const Access& to = op.writes[0];
    const Access* even = &loaded_.from[0];
    const Access* odd = &loaded_.from[1];
    if (even->index % 2 == 1) std::swap(even, odd);
    if (even->index % 2 != 0 || odd->index != even->index + 1) {
      if (!findings.again(place_of(FindingClass::WrongPartner, op, to), op.item))
        report(
            findings, FindingClass::WrongPartner, op, to,
            fmt::format("work-item {} packs {} and {} into {}, which are no pair of an even point and the one after it",
                        op.item, name_of(info_, loaded_.from[0]), name_of(info_, loaded_.from[1]), name_of(info_, to)),
            "Element j of the packed transform is x[2j] + i·x[2j+1].");
      return {};
    }
    const Part part = axes_.point(even->index / 2, Part::Kind::Packed);
    // Without values the order of the two loads has to do.
    const auto is = [&](int component, const Access& from) {
      return to.value.component(component) == from.value.component(0);
    };
    const bool right = to.known ? is(0, *even) && is(1, *odd) : even == loaded_.from.data();
    const bool turned = to.known ? is(0, *odd) && is(1, *even) : !right;
    if (right || !turned) return part;  // something else again: the arithmetic is another check's
    if (!findings.again(place_of(FindingClass::WrongValue, op, to), op.item))
      report(
          findings, FindingClass::WrongValue, op, to,
          fmt::format("work-item {} leaves {} + i·{} in {}: the even point belongs in the real part and the odd one in "
                      "the imaginary part",
                      op.item, name_of(info_, *odd), name_of(info_, *even), name_of(info_, to)),
          "Pack x[2j] + i·x[2j+1]: even points are the real parts.");
    return {};
  }

  /// The last stage of a real transform: bins k and N/2 − k of the packed transform give bins k and k + N/2.
  void unpack(const Operation& op, Findings& findings) {
    const Part a = part_of(op, op.reads[0]), b = part_of(op, op.reads[1]);
    std::array<Part, 2> results{};
    if (a.kind == Part::Kind::Packed && b.kind == Part::Kind::Packed) {
      const std::uint32_t half = std::uint32_t(1) << axes_.bits(a, 1), rows = std::uint32_t(axes_.lines());
      const std::uint32_t k = axes_.bin(a, 1), row = axes_.along(a, 0);
      const bool whole =
          a.lengths[1] == axes_.bits(a, 1) && a.lengths[0] == b.lengths[0] && b.lengths[1] == a.lengths[1];
      const bool pair =
          axes_.bin(b, 1) == (half - k) % half && axes_.along(b, 0) == (axes_.plane() ? (rows - row) % rows : row);
      if (whole && pair) {
        twiddle(op, 0, k, 2 * std::uint64_t(half), op.reads[1], findings);
        const int log = axes_.bits(a, 1) + 1;
        results[0] = results[1] = a;
        for (std::uint32_t p = 0; p < 2; ++p) {
          results[p].kind = Part::Kind::Plain;
          results[p] = axes_.with(results[p], 1, 0, log, k + p * half);
        }
      } else if (!findings.again(place_of(FindingClass::WrongPartner, op, op.reads[1]), op.item)) {
        report(findings, FindingClass::WrongPartner, op, op.reads[1],
               fmt::format("work-item {} splits bin {} with {}, which holds {}; it takes bin {}", op.item, k,
                           name_of(info_, op.reads[1]), axes_.text(info_, b, 1), (half - k) % half),
               "Bins k and (N/2 − k) mod N/2 of the packed transform belong together.");
      }
    }
    for (int p = 0; p < op.writes.size(); ++p) set_part(op, op.writes[p], results[static_cast<std::size_t>(p)]);
  }

  // ---- Butterflies ----

  void butterfly(const Operation& op, Findings& findings) {
    const int radix = op.reads.size(), log_radix = radix == 4 ? 2 : 1;
    std::array<Part, 4> parts;
    bool known = true;
    for (int q = 0; q < radix; ++q) {
      parts[static_cast<std::size_t>(q)] = part_of(op, op.reads[q]);
      known = known && parts[static_cast<std::size_t>(q)].kind != Part::Kind::Unknown;
    }
    const Part first = parts[0];
    const int axis = known ? axis_of(parts, radix) : -1;
    const bool fits = known && fit(parts, radix, axis);
    if (known && !fits) misfit(op, parts, axis, findings);
    std::array<Part, 4> results{};
    if (fits) {
      const int log = first.lengths[axis] + log_radix;
      const std::uint32_t length = axes_.length(first, axis), bin = axes_.bin(first, axis);
      for (int q = 1; q <= op.coefficients.size(); ++q) {
        const Access& access = op.reads[std::min(q, radix - 1)];
        if (!twiddle(op, q - 1, static_cast<std::uint64_t>(q) * bin, std::uint64_t(1) << log, access, findings)) break;
      }
      for (int p = 0; p < radix; ++p)
        results[static_cast<std::size_t>(p)] =
            axes_.with(first, axis, axes_.offset(first, axis), log, bin + static_cast<std::uint32_t>(p) * length);
      made_by(op, axis, log);
    }
    for (int p = 0; p < op.writes.size(); ++p) set_part(op, op.writes[p], results[static_cast<std::size_t>(p)]);
  }

  /// The axis along which parts differ; the second where they do not, −1 where they differ in both.
  int axis_of(const std::array<Part, 4>& parts, int radix) const {
    bool same[2] = {true, true};
    for (int q = 1; q < radix; ++q)
      for (int axis = 0; axis < 2; ++axis)
        same[axis] = same[axis] &&
                     axes_.along(parts[static_cast<std::size_t>(q)], axis) == axes_.along(parts[0], axis) &&
                     parts[static_cast<std::size_t>(q)].lengths[axis] == parts[0].lengths[axis];
    if (same[0]) return 1;
    return same[1] && axes_.merges(0) ? 0 : -1;
  }

  /// The distance of the offsets that a butterfly of this radix brings together; 0 where everything is merged already.
  std::uint32_t apart(const Part& part, int axis, int log_radix) const {
    const int left = axes_.bits(part, axis) - part.lengths[axis] - log_radix;
    return left < 0 ? 0 : std::uint32_t(1) << left;
  }

  bool fit(const std::array<Part, 4>& parts, int radix, int axis) const {
    if (axis < 0) return false;
    const Part& first = parts[0];
    const std::uint32_t distance = apart(first, axis, radix == 4 ? 2 : 1);
    if (distance == 0) return false;
    for (int q = 1; q < radix; ++q) {
      const Part& other = parts[static_cast<std::size_t>(q)];
      if (other.kind != first.kind || other.lengths[0] != first.lengths[0] || other.lengths[1] != first.lengths[1] ||
          axes_.bin(other, axis) != axes_.bin(first, axis) ||
          axes_.offset(other, axis) != axes_.offset(first, axis) + static_cast<std::uint32_t>(q) * distance)
        return false;
    }
    return true;
  }

  /// Where transforms of each length were made first: what has stayed shorter was left out there.
  struct Made {
    int launch = 0, stage = 0, epoch = 0, line = 0;
  };
  void made_by(const Operation& op, int axis, int log_length) {
    Made& made = made_[static_cast<std::size_t>(axis)][static_cast<std::size_t>(log_length)];
    if (made.launch == 0) made = {op.launch, op.stage, op.epoch, op.line};
  }

  void misfit(const Operation& op, const std::array<Part, 4>& parts, int axis, Findings& findings);
  bool left_out(const Operation& op, const std::array<Part, 4>& parts, int axis, Findings& findings);
  std::optional<std::uint32_t> offset_at(const Operation& op, const Access& access, std::uint64_t index);

  /// Whether coefficient `which` is w_length^exponent; reports it where it is not.
  bool twiddle(const Operation& op, int which, std::uint64_t exponent, std::uint64_t length, const Access& access,
               Findings& findings) {
    const Value& coefficient = op.coefficients[which];
    const Complex logged = complex_of(coefficient);
    const Complex wanted = root_of_unity(exponent, length, info_.expect.sign);
    const double tolerance = twiddle_tolerance(coefficient.type);
    if (std::abs(logged - wanted) <= tolerance) return true;
    if (findings.again(place_of(FindingClass::WrongTwiddle, op, access), op.item)) return false;
    const auto is = [&](Complex other) { return std::abs(logged - other) <= tolerance; };
    std::string cause;
    std::string_view advice = "Compute w_L^j from j = g mod (L/2) and this stage's span L.";
    if (is(std::conj(wanted))) {
      cause = "it is the conjugate, so the sign of the exponent is wrong";
      advice =
          info_.expect.sign < 0 ? "The forward transform takes e^(−2πi…)." : "The inverse transform takes e^(+2πi…).";
    } else if (length > 2 && is(root_of_unity(exponent, length / 2, info_.expect.sign))) {
      cause = fmt::format("it is that of the stage before, of span {}", length / 2);
    } else if (is(root_of_unity(exponent, length * 2, info_.expect.sign))) {
      cause = fmt::format("it is that of the next stage, of span {}", length * 2);
    } else if (std::abs(std::abs(logged) - 1) < 1e-3 && std::abs(logged - wanted) < 0.05) {
      cause =
          fmt::format("it is off by {:.1e}, because the angle was rounded: it comes from an index that was not reduced",
                      std::abs(logged - wanted));
      advice = "Reduce the index in integers (j = g mod (L/2)) before it becomes an angle.";
    } else {
      cause = "it belongs to another exponent";
    }
    report(findings, FindingClass::WrongTwiddle, op, access,
           fmt::format("work-item {} multiplies {} by {} where w_{}^{} = {} belongs: {}", op.item,
                       name_of(info_, access), short_text(logged, coefficient.type), length, exponent,
                       short_text(wanted, coefficient.type), cause),
           advice);
    return false;
  }

  const TraceReader& trace_;
  const TraceInfo& info_;
  const Axes axes_;
  const LaunchInfo* launch_ = nullptr;
  ElementTable<Entry> parts_;
  std::unordered_set<std::uint64_t> swapped_;  // pairs swapped in this launch
  Loaded loaded_;
  std::array<std::array<Made, 34>, 2> made_{};
};

/// What point the element `index` of the same array stands for, when it is a single point.
std::optional<std::uint32_t> TransformCheck::offset_at(const Operation& op, const Access& access, std::uint64_t index) {
  Access other = access;
  other.index = index;
  const Part part = part_of(op, other);
  if (part.kind == Part::Kind::Unknown || part.lengths[1] != 0) return std::nullopt;
  return axes_.along(part, 1);
}

/// Parts of different lengths: what has stayed short was left out by the stage that made the others longer.
bool TransformCheck::left_out(const Operation& op, const std::array<Part, 4>& parts, int axis, Findings& findings) {
  const auto radix = static_cast<std::size_t>(op.reads.size());
  std::size_t shortest = 0, longest = 0;
  for (std::size_t q = 1; q < radix; ++q) {
    if (parts[q].lengths[axis] < parts[shortest].lengths[axis]) shortest = q;
    if (parts[q].lengths[axis] > parts[longest].lengths[axis]) longest = q;
  }
  if (parts[shortest].lengths[axis] == parts[longest].lengths[axis]) return false;
  const Made& made =
      made_[static_cast<std::size_t>(axis)][parts[shortest].lengths[axis] + std::size_t(radix == 4 ? 2 : 1)];
  if (made.launch == 0 || (made.launch == op.launch && made.epoch == op.epoch && made.stage == op.stage)) return false;
  const Access& access = op.reads[static_cast<int>(shortest)];
  const Findings::Place place{
      FindingClass::MissingOperation, made.launch, made.stage, made.epoch, access.buffer, made.line, op.line};
  if (findings.again(place, op.item)) return true;
  Finding finding = finding_at(FindingClass::MissingOperation, info_, op, access);
  finding.launch = made.launch;
  finding.stage = made.stage;
  finding.epoch = made.epoch;
  finding.line = made.line;
  finding.other_line = op.line;
  finding.source = info_.launches[static_cast<std::size_t>(made.launch - 1)].source;
  finding.message = fmt::format(
      "no work-item merged {} here, as work-item {} finds in stage {}: it still holds {} where its partner holds {}",
      name_of(info_, access), op.item, op.stage, axes_.text(info_, parts[shortest], axis),
      axes_.text(info_, parts[longest], axis));
  finding.advice = "Let this stage reach every element: N/2 butterflies of radix 2, each with a pair of its own.";
  findings.add(std::move(finding));
  return true;
}

/// The parts do not belong together: say how, and what that usually comes from.
void TransformCheck::misfit(const Operation& op, const std::array<Part, 4>& parts, int axis, Findings& findings) {
  const int radix = op.reads.size(), log_radix = radix == 4 ? 2 : 1;
  const Part& a = parts[0];
  const Access& first = op.reads[0];
  // The first read that is not what belongs to the first one.
  std::size_t wrong = 1;
  if (axis >= 0)
    for (wrong = 1; wrong + 1 < static_cast<std::size_t>(radix); ++wrong) {
      const Part& other = parts[wrong];
      if (other.lengths[axis] != a.lengths[axis] || axes_.bin(other, axis) != axes_.bin(a, axis) ||
          axes_.offset(other, axis) !=
              axes_.offset(a, axis) + static_cast<std::uint32_t>(wrong) * apart(a, axis, log_radix))
        break;
    }
  const Part& b = parts[wrong];
  const Access& second = op.reads[static_cast<int>(wrong)];
  const std::string who =
      fmt::format("work-item {} merges {} with {}", op.item, name_of(info_, first), name_of(info_, second));
  const auto tell = [&](FindingClass kind, const Access& access, const std::string& what, std::string_view advice) {
    if (!findings.again(place_of(kind, op, access), op.item)) report(findings, kind, op, access, who + what, advice);
  };
  if (axis < 0) {
    tell(FindingClass::WrongPartner, second,
         axes_.plane() ? ", which lie in different rows and different columns"
                       : ", which belong to different transforms",
         "A transform merges points of one line only.");
    return;
  }
  if (left_out(op, parts, axis, findings)) return;

  const std::uint32_t distance = apart(a, axis, log_radix);
  const std::uint64_t merged = std::uint64_t(axes_.length(a, axis)) << log_radix;
  const bool points = a.lengths[axis] == 0 && b.lengths[axis] == 0;
  const std::uint32_t whole = std::uint32_t(1) << axes_.bits(a, axis);
  if (points && axis == 1 && whole > static_cast<std::uint32_t>(radix) && op.reads[1].index == first.index + 1) {
    // Neighbours, as after a reversal. The order of all points tells more than this pair: look at what lies at index 1.
    const std::optional<std::uint32_t> next = offset_at(op, first, first.index - first.index % whole + 1);
    if (next && *next == 1) {
      tell(FindingClass::MissingOperation, first,
           fmt::format(" while {} and {} still lie in their input order: the {} reversal is missing",
                       axes_.text(info_, a, axis), axes_.text(info_, b, axis), radix == 2 ? "bit" : "digit"),
           "Reorder the input before the first stage.");
      return;
    }
    if (radix == 4 && next && *next == whole / 2) {
      tell(FindingClass::WrongPartner, second,
           fmt::format(
               ", which hold {} and {}: the input was reordered by bits, where radix 4 needs it by base-4 digits",
               axes_.text(info_, a, axis), axes_.text(info_, b, axis)),
           "Reverse the base-4 digits of the index, two bits at a time.");
      return;
    }
  }
  const bool same_length = a.lengths[axis] == b.lengths[axis];
  if (same_length && axes_.offset(a, axis) == axes_.offset(b, axis) && first.index != second.index && !points) {
    tell(FindingClass::DuplicateOperation, first,
         fmt::format(", which a butterfly of span {} has merged already", axes_.length(a, axis)),
         "Let each pair be merged by one work-item, once.");
    return;
  }
  const std::uint64_t span = op.span();
  if (same_length && axes_.bin(a, axis) == axes_.bin(b, axis) && distance != 0 && radix == 2 && span > merged &&
      !axes_.plane()) {
    tell(FindingClass::MissingOperation, first,
         fmt::format(" with span {}, but they hold transforms of {} point{}: the stage of span {} was left out", span,
                     axes_.length(a, axis), points ? "" : "s", merged),
         "Let the span double from stage to stage, starting at 2.");
    return;
  }
  std::string what = fmt::format(", which hold {} and {}", axes_.text(info_, a, axis), axes_.text(info_, b, axis));
  if (same_length && axes_.bin(a, axis) != axes_.bin(b, axis))
    what += "; a butterfly needs the same bin of both";
  else if (same_length && distance != 0)
    what += fmt::format("; a butterfly of span {} needs points that start {} apart", merged, distance);
  tell(FindingClass::WrongPartner, second, what,
       "Item g of a stage with span L pairs i0 = g div (L/2) · L + g mod (L/2) with i0 + L/2.");
}

/// When nothing else was found on the way, every element of the output must stand for its bin.
void TransformCheck::end(Findings& findings) {
  if (findings.any_errors() || !info_.complete || info_.launches.empty()) return;
  const BufferInfo& output = info_.buffers[static_cast<std::size_t>(axes_.output())];
  const LaunchInfo& last = info_.launches.back();
  for (std::uint64_t i = 0; i < output.count; ++i) {
    const Entry* entry = parts_.find(axes_.output(), 0, i);
    const Part part = entry ? meaning(*entry, axes_.output(), i) : Part{};
    const Part wanted = axes_.result(i);
    if (part.kind == Part::Kind::Unknown || part == wanted) continue;
    const int axis = part.lengths[0] != wanted.lengths[0] ? 0 : 1;
    const bool unfinished = part.kind == Part::Kind::Packed || part.lengths[axis] != wanted.lengths[axis];
    Finding finding;
    finding.kind = unfinished ? FindingClass::MissingOperation : FindingClass::WrongPartner;
    finding.launch = last.number;
    finding.stage = last.stage;
    finding.step = info_.steps;
    finding.source = last.source;
    finding.buffer = axes_.output();
    finding.element = i;
    if (findings.again(Findings::place_of(finding), 0)) continue;
    finding.items.clear();
    finding.message = fmt::format("{}[{}] ends as {}", output.name, i, axes_.text(info_, part, axis));
    if (part.kind == Part::Kind::Packed && part.lengths[1] == axes_.bits(part, 1)) {
      finding.message += ": the packed transform was never split";
      finding.advice = "Make X(k) and X(k + N/2) from bins k and N/2 − k of the packed transform.";
    } else if (unfinished) {
      finding.message += fmt::format(": the stage of span {} is missing", 2 * axes_.length(part, axis));
      finding.advice = "Let the last stage's span be N: log2 N stages in all.";
    } else {
      finding.message +=
          fmt::format(", where bin {} belongs: the results are in another order", axes_.bin(wanted, axis));
      finding.advice =
          "Reorder the input before the first stage or the results after the last, not both and not neither.";
    }
    findings.add(std::move(finding));
  }
}

}  // namespace

/// Filters leave holes that nothing can be followed through.
std::unique_ptr<Check> make_transform_check(const TraceReader& trace) {
  const std::optional<Axes> axes = Axes::of(trace.info());
  if (!axes || !trace.info().filter.empty()) return nullptr;
  return std::make_unique<TransformCheck>(trace, *axes);
}

}  // namespace twiddle
