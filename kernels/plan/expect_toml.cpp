#include "kernels/plan/expect_toml.h"

#include "base/read_file.h"
#include "kernels/plan/expect_shape.h"
#include "kernels/plan/plan_text.h"
#include "kernels/signal/signal_files.h"

#include <fmt/format.h>

#include <limits>

namespace twiddle {
namespace {

using Transform = Expect::Transform;

constexpr double standard_bound_half = 5e-3, standard_bound_float = 1e-5, standard_bound_double = 1e-13;
constexpr std::uintmax_t max_table_file = std::uintmax_t(256) << 20;  // bytes
constexpr std::uint64_t max_table_numbers = std::uint64_t(1) << 23;   // of a matrix or of values
constexpr std::uint64_t max_whole = std::numeric_limits<std::int64_t>::max();

std::vector<std::string> all_keys() {
  std::vector<std::string> keys{"transform", "input", "output",  "points", "batch", "kind",  "mode",  "taps",
                                "segments",  "sign",  "modulus", "root",   "scale", "bound", "reason"};
  for (const char* side : {"", "input_", "output_"})
    for (const char* key : {"points", "stride", "dist", "offset"})
      if (*side || std::string_view(key) != "points") keys.push_back(std::string(side) + key);
  return keys;
}

// ---- Writing ----

std::string float_toml(double value) {
  const std::string text = fmt::format("{}", value);
  return text + (text.find_first_of(".e") == std::string::npos ? ".0" : "");
}

std::string side_toml(const Expect::Side& side, std::string_view prefix) {
  std::string text;
  const auto add = [&](std::string_view key, std::uint64_t value) {
    if (value) text += fmt::format("{}_{} = {}\n", prefix, key, value);
  };
  add("points", side.points);
  if (side.row_stride)
    text += fmt::format("{}_stride = [{}, {}]\n", prefix, side.row_stride, std::max<std::uint64_t>(1, side.stride));
  else
    add("stride", side.stride);
  add("dist", side.dist);
  add("offset", side.offset);
  return text;
}

std::string buffers_text(const std::string& name, const std::string& imaginary) {
  return imaginary.empty() ? in_quotes(name) : quotes_list({name, imaginary});
}

// "matrix:FILE.csv": what follows the transform's name.
std::string transform_text(const Expect& expect) {
  std::string text(traits(expect.transform).name);
  if (expect.transform == Transform::Equals) return text + ":" + expect.operand;
  if (expect.transform == Transform::Matrix || expect.transform == Transform::Values) return text + ":" + expect.file;
  return text;
}

// ---- Reading ----

// A buffer's name, or the names of the two that hold real and imaginary parts.
void read_buffers(const Section& section, const char* key, const Plan& plan, std::string& name,
                  std::string& imaginary) {
  if (!section.has(key)) section.text(key);  // says that it is needed
  const std::vector<std::string> texts = section.texts(key, true);
  section.at(key, [&] {
    if (texts.empty() || texts.size() > 2) throw usage_error("{} is one buffer, or two: [\"re\", \"im\"]", key);
    const auto named = [&](const std::string& text) {
      return plan.buffers[parse_buffer(plan, text, section.names())].name;
    };
    name = named(texts[0]);
    if (texts.size() == 2) imaginary = named(texts[1]);
  });
}

void read_side(const Section& section, const std::string& prefix, Expect::Side& side) {
  const auto key_of = [&](const char* key) {
    return section.has(prefix + key) || std::string_view(key) == "points" ? prefix + key : std::string(key);
  };
  side.points = section.number(key_of("points"), 1, max_plan_elements, 0);
  side.dist = section.number(key_of("dist"), 1, max_plan_elements, 0);
  side.offset = section.number(key_of("offset"), 0, max_plan_elements, 0);
  const std::string stride = key_of("stride");
  if (!section.has(stride)) return;
  const std::vector<std::uint64_t> strides = section.numbers(stride, 1, max_plan_elements, true);
  section.at(stride, [&] {
    if (strides.empty() || strides.size() > 2)
      throw usage_error("{} is one number, or in two dimensions [between rows, between columns]", stride);
  });
  side.stride = strides.back();
  if (strides.size() == 2) side.row_stride = strides.front();
}

void read_table(const Section& section, const Plan& plan, Expect& expect) {
  check_inside(section, "transform", plan.directory, expect.file);
  section.at("transform", [&] {
    const std::string path = (plan.directory / expect.file).string();
    NumberTable table = decode_number_table(read_file(path, max_table_file), path, max_table_numbers);
    // Complex entries are two columns: where a line has twice as many numbers as the plan has inputs.
    const bool matrix = expect.transform == Transform::Matrix;
    const std::uint64_t inputs = expect.points ? expect.points : expect.from.points ? expect.from.points : 0;
    const Buffer* in = matrix ? plan.buffer_named(expect.input) : nullptr;
    std::uint64_t counted = in ? in->count : 0;
    if (in && !inputs && expect.batch > 1) counted /= expect.batch;
    const std::uint64_t wanted = inputs ? inputs : counted;
    const bool complex = matrix ? table.columns == 2 * wanted : table.columns == 2;
    if (!matrix && table.columns > 2)
      throw usage_error("{} has {} columns: a value is re or re,im", path, table.columns);
    const std::size_t step = complex ? 2 : 1;
    for (std::size_t i = 0; i + step <= table.numbers.size(); i += step)
      expect.table.emplace_back(table.numbers[i], complex ? table.numbers[i + 1] : 0);
    expect.table_columns = matrix ? table.columns / step : 1;
  });
}

// "3", -2.5 or an expression; of an ntt a whole number modulo the modulus.
void read_numbers(const Section& section, Expect& expect) {
  const bool ntt = expect.transform == Transform::Ntt;
  for (const char* key : {"modulus", "root"})
    if (section.has(key) && !ntt)
      throw section.complaint(section.node(key), "{} is of ntt alone, not of {}", key, traits(expect.transform).name);
  if (ntt) {
    expect.modulus = section.number("modulus", 2, max_whole);
    expect.root = section.number("root", 1, max_whole);
    if (section.has("scale")) expect.scale = static_cast<double>(section.number("scale", 1, std::uint64_t(1) << 53));
  } else if (section.has("scale")) {
    expect.scale = section.real("scale");
    if (expect.scale == 0) throw section.complaint(section.node("scale"), "scale is not zero");
  }
}

void read_extra(const Section& section, const Plan& plan, Expect& expect) {
  const TransformTraits& make = traits(expect.transform);
  const auto of_alone = [&](const char* key, Transform owner) {
    if (!section.has(key)) return false;
    if (expect.transform != owner)
      throw section.complaint(section.node(key), "{} is of {} alone, not of {}", key, traits(owner).name, make.name);
    return true;
  };
  if (of_alone("kind", Transform::Scan))
    expect.exclusive = section.at("kind", [&] { return parse_scan_kind(section.text("kind")); });
  if (of_alone("mode", Transform::Convolution))
    expect.mode = section.at("mode", [&] { return parse_mode(section.text("mode")); });
  of_alone("taps", Transform::Convolution);
  of_alone("segments", Transform::SegmentedSum);
  if (expect.transform == Transform::Convolution || expect.transform == Transform::SegmentedSum) {
    const std::string name = section.text(make.extra);
    expect.operand =
        section.at(make.extra, [&] { return plan.buffers[parse_buffer(plan, name, section.names())].name; });
  }
}

void read_bound(const Section& section, const Plan& plan, Expect& expect) {
  const Buffer& out = *plan.buffer_named(expect.output);
  const Buffer* in = plan.buffer_named(expect.input);
  const ElementTraits& result = traits(out.type);
  const bool moved = traits(expect.transform).moves && expect.scale == 1 && in && in->type == out.type;
  if (!result.floating) {
    expect.bound_reason = "whole numbers are exact";
  } else if (moved) {
    expect.bound_reason = "values that only move are exact";
  } else {
    expect.bound = result.scalar == ElementType::Half ? standard_bound_half
                   : result.wide                      ? standard_bound_double
                                                      : standard_bound_float;
    expect.bound_reason = fmt::format("what a plan file allows for {} when it does not say", result.name);
  }
  if (section.has("bound")) {
    expect.bound = section.real("bound");
    if (!(expect.bound >= 0)) throw section.complaint(section.node("bound"), "bound must be a number from 0 on");
    expect.bound_reason = "as the plan file says";
  }
  expect.bound_reason = section.text("reason", expect.bound_reason);
}

}  // namespace

std::string expect_toml(const Expect& expect) {
  if (expect.transform == Transform::None) return "";
  std::string text = fmt::format("\n[expect]\ntransform = {}\n", in_quotes(transform_text(expect)));
  if (!expect.input.empty()) text += fmt::format("input = {}\n", buffers_text(expect.input, expect.from.imaginary));
  text += fmt::format("output = {}\n", buffers_text(expect.output, expect.to.imaginary));
  if (expect.points != 0) text += fmt::format("points = {}\n", expect.points);
  if (expect.rows != 0) text += fmt::format("points = [{}, {}]\n", expect.rows, expect.columns);
  if (expect.batch != 0) text += fmt::format("batch = {}\n", expect.batch);
  text += side_toml(expect.from, "input") + side_toml(expect.to, "output");
  const std::string_view extra = traits(expect.transform).extra;
  if (extra == "kind") text += fmt::format("kind = {}\n", in_quotes(scan_kind_text(expect.exclusive)));
  if (extra == "taps")
    text += fmt::format("taps = {}\nmode = {}\n", in_quotes(expect.operand), in_quotes(mode_text(expect.mode)));
  if (extra == "segments") text += fmt::format("segments = {}\n", in_quotes(expect.operand));
  if (extra == "root") text += fmt::format("modulus = {}\nroot = {}\n", expect.modulus, expect.root);
  text += fmt::format("sign = {}\n", in_quotes(sign_text(expect.sign)));
  if (expect.scale != 1)
    text +=
        fmt::format("scale = {}\n", extra == "root" ? fmt::format("{:.0f}", expect.scale) : float_toml(expect.scale));
  text += fmt::format("bound = {}\n", float_toml(expect.bound));
  return text + fmt::format("reason = {}\n", in_quotes(expect.bound_reason));
}

void read_expect(const toml::table& table, const std::string& file, const ExpressionNames& names, Plan& plan) {
  const Section section(table, file, "expect", all_keys(), names);
  Expect expect;
  const std::string transform = section.text("transform");
  const std::size_t colon = transform.find(':');
  expect.transform =
      section.at("transform", [&] { return parse_transform(std::string_view(transform).substr(0, colon)); });
  const std::string after = colon == std::string::npos ? "" : transform.substr(colon + 1);
  const bool filed = expect.transform == Transform::Matrix || expect.transform == Transform::Values;
  const bool equals = expect.transform == Transform::Equals;
  section.at("transform", [&] {
    if (filed && after.empty()) throw usage_error("{0} names no file: write {0}:FILE.csv", in_quotes(transform));
    if (equals && after.empty()) throw usage_error("\"equals\" names no buffer: write equals:BUFFER");
    if (!filed && !equals && colon != std::string::npos)
      throw usage_error("nothing may follow {} in {}", traits(expect.transform).name, in_quotes(transform));
    if (equals) expect.operand = plan.buffers[parse_buffer(plan, after, names)].name;
  });
  read_buffers(section, "output", plan, expect.output, expect.to.imaginary);
  const bool has_input = !equals && expect.transform != Transform::Values;
  if (has_input) read_buffers(section, "input", plan, expect.input, expect.from.imaginary);

  if (section.has("points")) {
    const std::vector<std::uint64_t> points = section.numbers("points", 1, max_plan_elements, true);
    if (points.size() == 2)
      expect.rows = points[0], expect.columns = points[1];
    else if (points.size() == 1)
      expect.points = points[0];
    else
      throw section.complaint(section.node("points"), "points is a number, or [rows, columns]");
    if (expect.rows != 0 && expect.rows * expect.columns > max_plan_elements)
      throw section.complaint(section.node("points"), "points are at most {} in all", max_plan_elements);
  }
  expect.batch = section.number("batch", 1, max_plan_elements, 0);
  read_side(section, "input_", expect.from);
  read_side(section, "output_", expect.to);
  if (filed) {
    expect.file = after;
    read_table(section, plan, expect);
  }
  read_extra(section, plan, expect);
  if (section.has("sign") && !section.node("sign")->is_string())
    expect.sign = section.number_of_any_sign("sign") > 0 ? 1 : -1;
  else
    expect.sign = section.at(
        "sign", [&] { return parse_sign(section.text("sign", sign_text(traits(expect.transform).inverse ? 1 : -1))); });
  read_numbers(section, expect);
  read_bound(section, plan, expect);
  plan.expect = std::move(expect);
  try {
    shape_of_expectation(plan);
  } catch (const Error& error) { throw section.complaint(nullptr, "{}", error.message()); }
}

}  // namespace twiddle
