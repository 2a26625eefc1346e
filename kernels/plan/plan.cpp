#include "kernels/plan/plan.h"

#include "base/error.h"
#include "base/read_file.h"
#include "kernels/signal/roots.h"
#include "kernels/signal/signal.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

namespace twiddle {
namespace {

template <typename T>
ScalarArgument scalar(ElementType type, T value) {
  ScalarArgument argument{type, {}};
  std::memcpy(argument.bits.data(), &value, sizeof value);
  return argument;
}

// Puts complex values into the elements of a buffer, one after another, in the buffer's own type.
class Writer {
 public:
  Writer(const Buffer& buffer, std::vector<std::byte>& bytes)
      : buffer_(buffer), make_(traits(buffer.type)), at_(bytes.data()) {}

  void put(std::complex<double> value) {
    put(0, value.real());
    // Of wider vectors every component gets the value, its imaginary part in every second one.
    for (int which = 1; which < make_.components; ++which) put(which, which % 2 ? value.imag() : value.real());
    at_ += make_.bytes;
    ++index_;
  }

 private:
  void put(int which, double value) {
    if (make_.floating) return set_component(buffer_.type, at_, which, value);
    const double rounded = std::nearbyint(value);
    // The first number that is too large is a power of two, and so no rounding hides it.
    const double low = static_cast<double>(lowest_of(buffer_.type));
    const double beyond = static_cast<double>(highest_of(buffer_.type) + 1);
    if (!(rounded >= low && rounded < beyond))
      throw usage_error("element {} of buffer {} would be {}, which no {} can hold: choose another signal or type",
                        index_, buffer_.name, value, make_.name);
    set_whole(buffer_.type, at_, which, static_cast<Int128>(rounded));
  }

  const Buffer& buffer_;
  const ElementTraits& make_;
  std::byte* at_;
  std::uint64_t index_ = 0;
};

void fill_with_signal(const Signal& signal, const Buffer& buffer, Writer& writer, Message* note) {
  const std::uint64_t columns = buffer.shape.size() == 2 ? buffer.shape[1] : buffer.count;
  if (is_file(signal)) {
    const Samples samples = make_image(signal, columns ? buffer.count / columns : 0, columns, note);
    for (const std::complex<double>& value : samples.values) writer.put(value);
    return;
  }
  // Whole numbers 0 … 255 from the generator's highest 8 bits, where the buffer cannot hold fractions.
  const bool levels = signal.kind == Signal::Kind::Random && !traits(buffer.type).floating;
  const auto level = [](double value) { return std::floor((value + 0.5) * 256); };
  check_signal(signal, buffer.count);
  for (std::uint64_t j = 0; j < buffer.count; ++j) {
    const std::complex<double> value = sample_at(signal, j, columns);
    writer.put(levels ? std::complex(level(value.real()), level(value.imag())) : value);
  }
}

// Rows (L*−1)/3 + j of (w_L^j, w_L^2j, w_L^3j), L* = L/4, for L = 4, 16, … N.
void fill_with_radix4_twiddles(const Content& content, Writer& writer) {
  for (std::uint64_t span = 4; span <= content.points; span *= 4)
    for (std::uint64_t j = 0; j < span / 4; ++j)
      for (std::uint64_t power = 1; power <= 3; ++power) writer.put(twiddle_factor(power * j, span, content.sign));
}

std::vector<std::byte> bytes_in_file(const std::filesystem::path& file, const Buffer& buffer) {
  const std::uint64_t wanted = buffer.count * traits(buffer.type).bytes;
  const std::string text = read_file(file, wanted + 1);
  if (text.size() != wanted)
    throw unreadable("{} does not hold the {} bytes of {}", file.string(), wanted, buffer.name);
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::string_view name_of(Space space) {
  switch (space) {
    case Space::Global: return "global";
    case Space::Local: return "local";
    case Space::Constant: return "constant";
    case Space::Private: return "private";
  }
  return "global";
}

namespace {

constexpr std::size_t pointer_bytes = 8;

// Bytes of a struct, and what each(offset, buffer) is called with for its pointers.
template <typename Each>
std::vector<std::byte> laid_out(const StructArgument& argument, const Each& each) {
  std::vector<std::byte> bytes;
  std::size_t widest = 1;
  const auto pad_to = [&](std::size_t alignment) {
    bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
  };
  for (const StructArgument::Member& member : argument.members) {
    const auto* scalar = std::get_if<ScalarArgument>(&member);
    const std::size_t size = scalar ? traits(scalar->type).bytes : pointer_bytes;  // a power of two, and the alignment
    widest = std::max(widest, size);
    pad_to(size);
    if (!scalar) each(bytes.size(), std::get<BufferArgument>(member).buffer);
    if (scalar)
      bytes.insert(bytes.end(), scalar->bits.begin(), scalar->bits.begin() + static_cast<std::ptrdiff_t>(size));
    else
      bytes.resize(bytes.size() + size);
  }
  pad_to(widest);
  return bytes;
}

}  // namespace

std::vector<std::byte> bytes_of(const StructArgument& argument) {
  return laid_out(argument, [](std::size_t, std::size_t) {});
}

std::vector<StructPointer> pointers_of(const StructArgument& argument) {
  std::vector<StructPointer> pointers;
  laid_out(argument, [&](std::size_t at, std::size_t buffer) { pointers.push_back({at, buffer}); });
  return pointers;
}

std::uint64_t items_of(const Plan& plan) {
  std::uint64_t items = 0;
  for (const Launch& launch : plan.launches) items += launch.global[0] * launch.global[1] * launch.global[2];
  return items;
}

std::vector<std::size_t> buffers_of(const Argument& argument) {
  std::vector<std::size_t> buffers;
  if (const auto* buffer = std::get_if<BufferArgument>(&argument)) buffers.push_back(buffer->buffer);
  if (const auto* members = std::get_if<StructArgument>(&argument))
    for (const StructPointer& pointer : pointers_of(*members)) buffers.push_back(pointer.buffer);
  return buffers;
}

ScalarArgument int_argument(std::int32_t value) { return scalar(ElementType::Int, value); }

ScalarArgument size_argument(std::uint64_t value) {
  assert(value <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()));
  return int_argument(static_cast<std::int32_t>(value));
}
ScalarArgument float_argument(float value) { return scalar(ElementType::Float, value); }
ScalarArgument double_argument(double value) { return scalar(ElementType::Double, value); }

Image image_of(const Buffer& buffer) {
  if (buffer.image) return *buffer.image;
  Image image;
  image.dimensions = buffer.shape.size() == 2 ? 2 : 1;
  image.width = buffer.shape.empty() ? buffer.count : buffer.shape.back();
  if (buffer.shape.size() == 2) image.height = buffer.shape[0];
  return image;
}

std::optional<std::size_t> Plan::buffer_index(std::string_view name) const {
  const auto found = std::find_if(buffers.begin(), buffers.end(), [&](const Buffer& b) { return b.name == name; });
  if (found == buffers.end()) return std::nullopt;
  return static_cast<std::size_t>(found - buffers.begin());
}

const Buffer* Plan::buffer_named(std::string_view name) const {
  const std::optional<std::size_t> index = buffer_index(name);
  return index ? &buffers[*index] : nullptr;
}

std::vector<std::byte> first_content(const Plan& plan, const Buffer& buffer, Message* note) {
  std::vector<std::byte> bytes(buffer.count * traits(buffer.type).bytes);
  Writer writer(buffer, bytes);
  const Content& content = buffer.content;
  switch (content.kind) {
    case Content::Kind::Zero: break;
    case Content::Kind::Signal:
      fill_with_signal(parse_signal(content.signal.empty() ? plan.signal : content.signal), buffer, writer, note);
      break;
    case Content::Kind::Values:
      if (content.values.size() > buffer.count)
        throw usage_error("buffer {} has {} elements and {} values", buffer.name, buffer.count, content.values.size());
      for (double value : content.values) writer.put(value);
      break;
    case Content::Kind::Iota:
      for (std::uint64_t j = 0; j < buffer.count; ++j) writer.put(static_cast<double>(j));
      break;
    case Content::Kind::Uninitialised:
      for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4)
        std::memcpy(bytes.data() + at, &uninitialised_pattern, sizeof uninitialised_pattern);
      break;
    case Content::Kind::Twiddles:
      for (std::uint64_t k = 0; k < buffer.count; ++k) writer.put(twiddle_factor(k, content.points, content.sign));
      break;
    case Content::Kind::TwiddlesRadix4: fill_with_radix4_twiddles(content, writer); break;
    case Content::Kind::File:
      if (holds_bytes(content.file)) return bytes_in_file(plan.directory / content.file, buffer);
      fill_with_signal(parse_signal((plan.directory / content.file).string()), buffer, writer, note);
      break;
  }
  return bytes;
}

}  // namespace twiddle
