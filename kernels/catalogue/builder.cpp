#include "kernels/catalogue/builder.h"

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/text.h"
#include "base/tr.h"
#include "kernels/signal/signal_files.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

namespace twiddle {

int log2_of(std::uint64_t n) { return static_cast<int>(std::bit_width(n)) - 1; }

std::string size_text(std::uint64_t n) {
  return is_power_of_two(n) && n >= 1024 ? fmt::format("2^{} = {}", log2_of(n), n) : fmt::format("{}", n);
}

std::uint64_t power_size(std::string_view parameter, std::optional<std::uint64_t> given, std::uint64_t default_value,
                         std::uint64_t min, std::uint64_t max, std::uint64_t base) {
  const std::uint64_t size = given.value_or(default_value);
  std::uint64_t below = min;
  while (below < max && below * base <= size) below *= base;
  if (size == below) return size;
  const Message what = base == 2 ? Message("{} must be a power of two, {} … {}", parameter, min, max)
                                 : Message("{} must be a power of four, {} … {}", parameter, min, max);
  if (size < min) throw usage_error("{}, not {}: the smallest is {}", what, size, size_text(min));
  if (below == max) throw usage_error("{}, not {}: the largest is {}", what, size, size_text(max));
  throw usage_error("{}, not {}: the nearest are {} and {}", what, size, size_text(below), size_text(below * base));
}

std::uint64_t whole_size(std::string_view parameter, std::optional<std::uint64_t> given, std::uint64_t default_value,
                         std::uint64_t min, std::uint64_t max) {
  const std::uint64_t size = given.value_or(default_value);
  if (size < min || size > max)
    throw usage_error("{} must be {} … {}, not {}: the nearest is {}", parameter, min, max, size,
                      size_text(std::clamp(size, min, max)));
  return size;
}

namespace {

// The picture that a request's signal is, if it is one.
std::optional<Samples> picture_of(const Request& request) {
  if (request.signal.empty()) return std::nullopt;
  const Signal signal = parse_signal(request.signal);
  if (signal.kind != Signal::Kind::Image) return std::nullopt;
  return read_signal_file(signal);
}

std::uint64_t power_that_holds(std::uint64_t side, std::uint64_t base) {
  std::uint64_t power = base;
  while (power < side) power *= base;
  return power;
}

}  // namespace

Sides sides_of(const Request& request, std::uint64_t max_rows, std::uint64_t max_columns, std::uint64_t base) {
  Sides sides{request.rows, request.columns};
  if (sides.rows && sides.columns) return sides;
  const std::optional<Samples> picture = picture_of(request);
  if (!picture) return sides;
  if ((!sides.rows && picture->height > max_rows) || (!sides.columns && picture->width > max_columns))
    throw usage_error(
        "{} is {} × {} pixels, and {} takes {} columns and {} rows at most: scale it down, or cut it with --rows {} "
        "--cols {}",
        request.signal, picture->width, picture->height, request.algorithm, max_columns, max_rows, max_rows,
        max_columns);
  if (!sides.rows) sides.rows = power_that_holds(picture->height, base);
  if (!sides.columns) sides.columns = power_that_holds(picture->width, base);
  return sides;
}

std::optional<std::uint64_t> values_of(const Request& request) {
  if (request.n) return request.n;
  const std::optional<Samples> picture = picture_of(request);
  if (!picture) return std::nullopt;
  return picture->values.size();
}

std::optional<std::uint64_t> extra_number(const Request& request, const std::string& parameter) {
  const auto found = request.more.find(parameter);
  if (found == request.more.end() || found->second.empty()) return std::nullopt;
  const auto number = number_in<std::uint64_t>(found->second);
  if (!number) throw usage_error("{} must be a whole number, not \"{}\"", parameter, found->second);
  return number;
}

std::string one_of(std::string_view parameter, const std::string& given,
                   std::initializer_list<std::string_view> allowed) {
  if (given.empty()) return std::string(*allowed.begin());
  if (std::find(allowed.begin(), allowed.end(), given) != allowed.end()) return given;
  const std::vector<std::string> words(allowed.begin(), allowed.end());
  throw usage_error("{} must be one of {}, not \"{}\"{}", parameter, fmt::join(words, ", "), given,
                    did_you_mean(given, words));
}

std::vector<std::string> TransformOptions::defines() const {
  std::vector<std::string> list;
  if (double_precision) list = {"real=double", "real2=double2"};
  if (native) list.emplace_back("NATIVE");
  return list;
}

TransformOptions transform_options(const Request& request, Plan& plan, std::initializer_list<std::string_view> types,
                                   std::initializer_list<std::string_view> twiddles) {
  TransformOptions options;
  options.inverse = request.inverse;
  const std::string sign = one_of("sign", request.sign, {"forward", "backward"});
  options.sign = (sign == "forward") != request.inverse ? -1 : 1;
  plan.parameters["inverse"] = request.inverse ? "true" : "false";
  plan.parameters["sign"] = sign;
  if (types.size() != 0)
    options.double_precision = (plan.parameters["type"] = one_of("type", request.type, types)) == "double";
  if (twiddles.size() != 0) {
    const std::string source = plan.parameters["twiddles"] = one_of("twiddles", request.twiddles, twiddles);
    options.table = source == "table";
    options.native = source == "native";
    options.recurrence = source == "recurrence";
  }
  if (options.native && options.double_precision)
    throw usage_error(
        "the hardware's own sine and cosine are single precision: take exact or table twiddles with double");
  return options;
}

namespace {

// Relative L2 errors allowed at N = 2^20.
constexpr double float_error = 3e-7, native_error = 2e-6, double_error = 2e-15;

}  // namespace

std::string transform_accuracy(bool offers_native) {
  return fmt::format(
      "{} in single precision, {} in double{}, each times √(log2 N / 20), with log2 N at least 4: the roundings of the "
      "stages add up like a random walk",
      float_error, double_error,
      offers_native ? fmt::format(", {} with native twiddles, which are right to about 2^-21", native_error) : "");
}

void expect_transform(Plan& plan, const TransformOptions& options, Expect::Transform forward, const std::string& input,
                      const std::string& output, std::uint64_t points) {
  using Transform = Expect::Transform;
  plan.expect.transform = !options.inverse              ? forward
                          : forward == Transform::Fft2d ? Transform::InverseFft2d
                                                        : Transform::InverseFft;
  plan.expect.input = input;
  plan.expect.output = output;
  plan.expect.sign = options.sign;
  // The roundings of log2 N stages are independent of one another, so their errors add up like a random walk; the first
  // four stages' worth stays, because in a few points chance has no room to average.
  const double at_2_20 = options.double_precision               ? double_error
                         : options.native || options.recurrence ? native_error
                                                                : float_error;
  plan.expect.bound = at_2_20 * std::sqrt(std::max(4.0, std::log2(static_cast<double>(points))) / 20);
  plan.expect.bound_reason =
      fmt::format("{}·√(log2 N / 20): {}, and the roundings of log2 N stages add up like a random walk", at_2_20,
                  options.double_precision ? "double precision, with room for the reference's own rounding"
                  : options.native         ? "the hardware's sine and cosine are right to about 2^-21"
                  : options.recurrence     ? "each twiddle has the roundings of those before it"
                                           : "single precision (2^-24) with twiddles right to their last bits");
}

void end_transform(Plan& plan, const TransformOptions& options, std::size_t result, std::uint64_t count,
                   std::uint64_t points, std::uint64_t group) {
  if (options.inverse) add_scale(plan, options, result, count, points, group);
  expect_transform(plan, options, Expect::Transform::Fft, plan.buffers[0].name, plan.buffers[result].name, points);
}

void expect_exact(Plan& plan, Expect::Transform transform, const std::string& input, const std::string& output,
                  const std::string& reason) {
  plan.expect.transform = transform;
  plan.expect.input = input;
  plan.expect.output = output;
  plan.expect.bound_reason = reason;
}

void expect_sums(Plan& plan, Expect::Transform transform, const std::string& input, const std::string& output,
                 ElementType type, double roundings) {
  expect_exact(plan, transform, input, output, "integers add exactly (modulo 2^32)");
  if (type != ElementType::Float) return;
  plan.expect.bound = 6e-8 * roundings;
  plan.expect.bound_reason =
      fmt::format("6e-8 for each of the {:.0f} roundings that an element can go through", roundings);
}

std::size_t add_buffer(Plan& plan, std::string name, ElementType type, std::uint64_t count, Content content) {
  Buffer buffer;
  buffer.name = std::move(name);
  buffer.type = type;
  buffer.count = count;
  buffer.shape = {count};
  buffer.content = std::move(content);
  plan.buffers.push_back(std::move(buffer));
  return plan.buffers.size() - 1;
}

std::size_t add_input(Plan& plan, std::string name, ElementType type, std::uint64_t count) {
  return add_buffer(plan, std::move(name), type, count, {.kind = Content::Kind::Signal});
}

std::size_t add_output(Plan& plan, std::string name, ElementType type, std::uint64_t count) {
  return add_buffer(plan, std::move(name), type, count, {.kind = Content::Kind::Uninitialised});
}

std::size_t add_twiddle_table(Plan& plan, const TransformOptions& options, std::string name, std::uint64_t n,
                              std::uint64_t count) {
  return add_buffer(plan, std::move(name), options.complex(), count,
                    {.kind = Content::Kind::Twiddles, .points = n, .sign = options.sign});
}

Launch& add_launch(Plan& plan, std::string source, std::string kernel, std::uint64_t items, std::uint64_t group,
                   std::vector<Argument> arguments, std::vector<std::string> defines) {
  Launch launch;
  launch.source = std::move(source);
  launch.kernel = std::move(kernel);
  launch.global[0] = items;
  launch.local[0] = std::min(items, group);
  launch.arguments = std::move(arguments);
  launch.defines = std::move(defines);
  plan.launches.push_back(std::move(launch));
  return plan.launches.back();
}

void add_scale(Plan& plan, const TransformOptions& options, std::size_t buffer, std::uint64_t count,
               std::uint64_t points, std::uint64_t group) {
  add_launch(plan, "scale", "scale", count, divisor_up_to(count, group),
             {BufferArgument{buffer}, options.scalar(1.0 / static_cast<double>(points))}, options.defines())
      .label = translatable("scale");
}

std::uint64_t divisor_up_to(std::uint64_t count, std::uint64_t max) {
  std::uint64_t divisor = std::max<std::uint64_t>(1, std::min(count, max));
  while (count % divisor != 0) --divisor;
  return divisor;
}

ScalarArgument uint_argument(std::uint64_t value) {
  ScalarArgument argument = size_argument(value);
  argument.type = ElementType::UInt;
  return argument;
}

void take_signal(Plan& plan, const Request& request, const char* default_signal,
                 std::initializer_list<std::pair<const char*, std::uint64_t>> sizes) {
  plan.signal = request.signal.empty() ? default_signal : request.signal;
  for (const auto& [name, size] : sizes) plan.parameters[name] = fmt::format("{}", size);
}

namespace parameters {

Parameter n(std::string values, std::string default_value) {
  return {"n", std::move(values), std::move(default_value), "number of points"};
}
Parameter inverse() { return {"inverse", "", "off", "the inverse transform, scaled by 1/N"}; }
Parameter signal(std::string default_value) {
  return {"signal", "see `twiddle list signals`", std::move(default_value), "what goes in"};
}
Parameter twiddles() {
  return {"twiddles", "exact | native | table", "exact",
          "sine and cosine to the last bits, the hardware's quick ones, or a table in global memory"};
}
Parameter sign(std::string default_value) {
  return {"sign", "forward | backward", std::move(default_value),
          "e^(-2πi jk/N), as FFTW and cuFFT have it, or e^(+2πi jk/N)"};
}
Parameter type(std::string values, std::string default_value) {
  return {"type", std::move(values), std::move(default_value), "precision of the points"};
}
Parameter group_size(std::string values, std::string default_value) {
  return {"group-size", std::move(values), std::move(default_value), "work-items to a work-group"};
}
std::vector<Parameter> of_transform(std::vector<Parameter> sizes, std::optional<Parameter> twiddles,
                                    std::vector<Parameter> more) {
  std::vector<Parameter> all = std::move(sizes);
  all.insert(all.end(), {inverse(), signal("ramp")});
  if (twiddles) all.push_back(std::move(*twiddles));
  all.insert(all.end(), {sign(), type()});
  std::move(more.begin(), more.end(), std::back_inserter(all));
  return all;
}

}  // namespace parameters

}  // namespace twiddle
