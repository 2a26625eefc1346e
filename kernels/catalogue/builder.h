// What every plan builder does: reading a request within an algorithm's limits, and putting a Plan together.
#pragma once

#include "kernels/catalogue/catalogue.h"
#include "kernels/plan/plan.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace twiddle {

constexpr bool is_power_of_two(std::uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }
/// floor(log2 n), n ≥ 1.
int log2_of(std::uint64_t n);

/// A size that must be a power of `base` within [min, max]; `default_value` when it was not given. Throws Error (usage)
/// that names the nearest sizes allowed.
std::uint64_t power_size(std::string_view parameter, std::optional<std::uint64_t> given, std::uint64_t default_value,
                         std::uint64_t min, std::uint64_t max, std::uint64_t base = 2);

/// Any whole number within [min, max].
std::uint64_t whole_size(std::string_view parameter, std::optional<std::uint64_t> given, std::uint64_t default_value,
                         std::uint64_t min, std::uint64_t max);

/// The sides of a two-dimensional request: as given, and where its signal is a picture and a side was not given, the
/// smallest power of `base` that holds the picture. Throws Error (usage) when that is beyond the limits, so that no picture
/// is cut without being asked for.
struct Sides {
  std::optional<std::uint64_t> rows, columns;
};
Sides sides_of(const Request& request, std::uint64_t max_rows, std::uint64_t max_columns, std::uint64_t base = 2);

/// The size of a request for any number of values: as given, else the pixels of its picture, else nothing.
std::optional<std::uint64_t> values_of(const Request& request);

/// An algorithm's own parameter (Request::more) as a number, or nothing. Throws Error (usage) when it is no number.
std::optional<std::uint64_t> extra_number(const Request& request, const std::string& parameter);

/// One of a few words; the first is the default. Throws Error (usage) that names the nearest.
std::string one_of(std::string_view parameter, const std::string& given,
                   std::initializer_list<std::string_view> allowed);

/// "2^20 = 1048576" for powers of two from 2^10 on, else "1000".
std::string size_text(std::uint64_t n);

/// How a transform computes: precision, direction and where its twiddles come from.
struct TransformOptions {
  bool inverse = false;
  int sign = -1;  // of the exponent, --inverse and --sign taken together
  bool double_precision = false;
  bool table = false;       // twiddles from a table in global memory …
  bool native = false;      // … or from the hardware's sine and cosine; else exact
  bool recurrence = false;  // … or each from the one before

  ElementType real() const { return double_precision ? ElementType::Double : ElementType::Float; }
  ElementType complex() const { return double_precision ? ElementType::Double2 : ElementType::Float2; }
  /// A scalar of the working precision.
  ScalarArgument scalar(double value) const {
    return double_precision ? double_argument(value) : float_argument(static_cast<float>(value));
  }
  /// What the kernels have to be compiled with.
  std::vector<std::string> defines() const;
  /// How a title ends: ", inverse", or nothing.
  Message title_end() const { return inverse ? Message(", inverse") : Message(); }
};

/// Reads --inverse, --sign, --type and --twiddles, and notes them in the plan's parameters. The first of `types` and of
/// `twiddles` is the default; an empty list means that the algorithm has no such choice.
TransformOptions transform_options(const Request& request, Plan& plan,
                                   std::initializer_list<std::string_view> types = {"float", "double"},
                                   std::initializer_list<std::string_view> twiddles = {"exact", "native", "table"});

/// The relative L2 error that `verify` allows a transform of `points` points, and the reason.
void expect_transform(Plan& plan, const TransformOptions& options, Expect::Transform forward, const std::string& input,
                      const std::string& output, std::uint64_t points);

/// The same of a transform Fft of the plan's first buffer into `result`, and before it the launch that ends an inverse one: all
/// `count` elements times 1/points.
void end_transform(Plan& plan, const TransformOptions& options, std::size_t result, std::uint64_t count,
                   std::uint64_t points, std::uint64_t group);

/// An outcome that is exact, and why: "counts are exact".
void expect_exact(Plan& plan, Expect::Transform transform, const std::string& input, const std::string& output,
                  const std::string& reason);
/// Sums of numbers of a type: exact where they are whole, else right to 6e-8 for each of the roundings that an element can go
/// through.
void expect_sums(Plan& plan, Expect::Transform transform, const std::string& input, const std::string& output,
                 ElementType type, double roundings);

/// The same for the catalogue: N points in all, native twiddles where the algorithm offers them.
std::string transform_accuracy(bool offers_native);

/// Adds a buffer of `count` elements and returns its index.
std::size_t add_buffer(Plan& plan, std::string name, ElementType type, std::uint64_t count, Content content = {});

/// The same for what the plan's signal fills, and for what no one has written before the kernels do.
std::size_t add_input(Plan& plan, std::string name, ElementType type, std::uint64_t count);
std::size_t add_output(Plan& plan, std::string name, ElementType type, std::uint64_t count);

/// Adds a table of the first `count` powers of w_n, in the transform's precision and direction.
std::size_t add_twiddle_table(Plan& plan, const TransformOptions& options, std::string name, std::uint64_t n,
                              std::uint64_t count);

/// Adds a one-dimensional launch of `items` work-items, at most `group` to a work-group.
Launch& add_launch(Plan& plan, std::string source, std::string kernel, std::uint64_t items, std::uint64_t group,
                   std::vector<Argument> arguments, std::vector<std::string> defines = {});

/// Adds the launch that ends an inverse transform of `points` points: all `count` elements of `buffer` times 1/points.
void add_scale(Plan& plan, const TransformOptions& options, std::size_t buffer, std::uint64_t count,
               std::uint64_t points, std::uint64_t group);

/// The largest divisor of `count` that is at most `max` (1 for 0): a group size for a launch of any number of items.
std::uint64_t divisor_up_to(std::uint64_t count, std::uint64_t max);

/// A number as the unsigned int that kernels take; it fits.
ScalarArgument uint_argument(std::uint64_t value);

/// Notes sizes in the plan's parameters, and its signal: the request's, else this one.
void take_signal(Plan& plan, const Request& request, const char* default_signal,
                 std::initializer_list<std::pair<const char*, std::uint64_t>> sizes);

/// What the parameters that many algorithms share are called and mean.
namespace parameters {
Parameter n(std::string values, std::string default_value);
Parameter inverse();
Parameter signal(std::string default_value);
Parameter twiddles();
Parameter sign(std::string default_value = "forward");
Parameter type(std::string values = "float | double", std::string default_value = "float");
Parameter group_size(std::string values, std::string default_value);
/// What a transform takes, in the order of help: its sizes and ways, --inverse, --signal, --twiddles where there is a choice,
/// --sign, --type, and what else it has.
std::vector<Parameter> of_transform(std::vector<Parameter> sizes, std::optional<Parameter> twiddles,
                                    std::vector<Parameter> more);
}  // namespace parameters

}  // namespace twiddle
