#include "tracer/checks/ideal/transform_parts.h"

#include "base/message.h"
#include "tracer/trace/memory/pairs.h"

#include <fmt/format.h>

#include <bit>

namespace twiddle {

std::optional<Axes> Axes::of(const TraceInfo& info) {
  const TransformTraits& transform = traits(info.expect.transform);
  const ExpectedBuffers expected = expected_buffers(info);
  if (!transform.fourier || !expected.plain) return std::nullopt;
  Axes axes;
  axes.input_ = expected.input;
  axes.output_ = expected.output;
  if (axes.input_ < 0 || axes.output_ < 0) return std::nullopt;
  const BufferInfo& in = info.buffers[axes.input_];
  const BufferInfo& out = info.buffers[axes.output_];
  const bool plane = axes.plane_ = transform.plane;
  axes.real_ = traits(in.type).components == 1;

  const std::vector<std::uint64_t>& shape = in.shape.size() == 2 ? in.shape : out.shape;
  std::uint64_t points = info.expect.points ? info.expect.points : in.count;
  if (plane) {
    if (shape.size() != 2) return std::nullopt;
    points = shape[1];
  }
  // Pairs of real points as complex elements, packed before the first launch, are another meaning of an element.
  if (points == 0 || in.count % points != 0) return std::nullopt;
  axes.lines_ = in.count / points;
  if (out.count % axes.lines_ != 0 || !std::has_single_bit(points) || (plane && !std::has_single_bit(axes.lines_)))
    return std::nullopt;
  axes.kept_ = out.count / axes.lines_;
  axes.bits_[0] = static_cast<int>(std::bit_width(axes.lines_ - 1));
  axes.bits_[1] = static_cast<int>(std::bit_width(points - 1));
  if (axes.bits_[0] + axes.bits_[1] > 31 || axes.kept_ > points || (axes.real_ && points < 2)) return std::nullopt;
  return axes;
}

TransformPart Axes::point(std::uint64_t index, TransformPart::Kind kind) const {
  TransformPart part;
  part.kind = kind;
  const std::uint64_t each = std::uint64_t(1) << bits(part, 1);
  part.place = static_cast<std::uint32_t>(((index / each) << bits_[1]) | (index % each));
  return part;
}

TransformPart Axes::with(const TransformPart& part, int axis, std::uint32_t offset, int log_length,
                         std::uint32_t bin) const {
  TransformPart changed = part;
  const std::uint32_t along = (offset << log_length) | bin;
  changed.place = axis == 0 ? (along << bits_[1]) | this->along(part, 1) : (this->along(part, 0) << bits_[1]) | along;
  changed.lengths[axis] = static_cast<std::uint8_t>(log_length);
  return changed;
}

TransformPart Axes::result(std::uint64_t index) const {
  TransformPart part;
  part.kind = TransformPart::Kind::Plain;
  part.place = static_cast<std::uint32_t>(((index / kept_) << bits_[1]) | (index % kept_));
  part.lengths[0] = static_cast<std::uint8_t>(plane_ ? bits_[0] : 0);
  part.lengths[1] = static_cast<std::uint8_t>(bits_[1]);
  return part;
}

Message Axes::text(const TraceInfo& info, const TransformPart& part, int axis) const {
  const std::string& x = info.buffers[input_].name;
  const std::uint32_t first = offset(part, axis);
  // A point's index; in the packed form that of its even half.
  const auto index = [&](std::uint32_t at) {
    const std::uint64_t row = axis == 0 ? at : along(part, 0), column = axis == 0 ? along(part, 1) : at;
    const std::uint64_t scale = part.kind == TransformPart::Kind::Packed ? 2 : 1;
    return plane_ ? fmt::format("{}[{}][{}]", x, row, column * scale)
                  : fmt::format("{}[{}]", x, row * points() + column * scale);
  };
  if (plane_ && part.lengths[1 - axis] != 0)  // an index along the other axis has no meaning any more
    return Message("bin {} of a {}-point transform of a line", bin(part, axis), length(part, axis));
  if (part.lengths[axis] == 0) return Message::verbatim(index(first));
  const std::uint32_t apart = std::uint32_t(1) << (bits(part, axis) - part.lengths[axis]);
  return Message("bin {} of the {}-point transform of {}, {}{}", bin(part, axis), length(part, axis), index(first),
                 index(first + apart), part.lengths[axis] > 1 ? ", …" : "");
}

namespace {

// The lowest `bits` bits in reverse order of their digits; what is left over where digits do not divide them is a short digit.
std::uint32_t reversed(std::uint32_t number, int bits, int log_radix) {
  std::uint32_t result = 0;
  for (int done = 0; done < bits;) {
    const int digit = bits - done < log_radix ? bits - done : log_radix;
    result = (result << digit) | (number & ((std::uint32_t(1) << digit) - 1));
    number >>= digit;
    done += digit;
  }
  return result;
}

}  // namespace

UsualPlace usual_place(Layout layout, std::uint32_t index, int bits, int log_length, int log_radix) {
  const int log_parts = bits - log_length;
  if (layout == Layout::Blocks)
    return {reversed(index >> log_length, log_parts, log_radix), index & ((std::uint32_t(1) << log_length) - 1)};
  return {index & ((std::uint32_t(1) << log_parts) - 1), index >> log_parts};
}

}  // namespace twiddle
