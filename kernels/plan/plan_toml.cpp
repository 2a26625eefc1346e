// Plan files: a Plan as TOML, written and read. What is read is untrusted; every complaint names the line.
#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/message.h"
#include "base/read_file.h"
#include "kernels/plan/plan_text.h"
#include "kernels/signal/signal.h"

#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

constexpr std::uintmax_t max_plan_file = 1 << 20;                     // bytes
constexpr std::uint64_t max_elements = (std::uint64_t(1) << 32) - 1;  // a trace names elements by 32 bits
constexpr std::uint64_t max_items = (std::uint64_t(1) << 32) - 1;     // and work-items too
constexpr int max_stage = 254;                                        // and stages by 8
constexpr double standard_bound_float = 1e-5, standard_bound_double = 1e-13;

// ---- Writing ----

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string quotes_list(const std::vector<std::string>& words) {
  std::vector<std::string> parts;
  for (const std::string& word : words) parts.push_back(in_quotes(word));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string buffer_toml(const Buffer& buffer) {
  std::string text = fmt::format("\n[[buffer]]\nname = {}\ntype = {}\ncount = {}\n", in_quotes(buffer.name),
                                 in_quotes(traits(buffer.type).name), buffer.count);
  if (buffer.shape.size() > 1) text += fmt::format("shape = [{}]\n", fmt::join(buffer.shape, ", "));
  if (buffer.space == Space::Constant) text += "space = \"constant\"\n";
  return text + fmt::format("content = {}\n", in_quotes(content_text(buffer.content)));
}

std::string launch_toml(const Plan& plan, const Launch& launch, std::string_view extension) {
  const bool has_extension = std::filesystem::path(launch.source).has_extension();
  std::string text =
      fmt::format("\n[[launch]]\nsource = {}\nkernel = {}\n",
                  in_quotes(launch.source + (has_extension ? "" : std::string(extension))), in_quotes(launch.kernel));
  if (launch.stage != 0) text += fmt::format("stage = {}\n", launch.stage);
  if (!launch.label.empty()) text += fmt::format("label = {}\n", in_quotes(launch.label));
  const auto sizes = [&](const std::array<std::size_t, 3>& all) {
    return fmt::format("[{}]", fmt::join(all.begin(), all.begin() + launch.dimensions, ", "));
  };
  text += fmt::format("global = {}\nlocal = {}\n", sizes(launch.global), sizes(launch.local));
  std::vector<std::string> arguments;
  for (const Argument& argument : launch.arguments) arguments.push_back(argument_text(plan, argument));
  text += fmt::format("args = {}\n", quotes_list(arguments));
  if (!launch.defines.empty()) text += fmt::format("defines = {}\n", quotes_list(launch.defines));
  if (launch.cooperative) text += "cooperative = true\n";
  return text;
}

std::string expect_toml(const Expect& expect) {
  if (expect.transform == Expect::Transform::None) return "";
  std::string text =
      fmt::format("\n[expect]\ntransform = {}\ninput = {}\noutput = {}\n", in_quotes(traits(expect.transform).name),
                  in_quotes(expect.input), in_quotes(expect.output));
  if (expect.points != 0) text += fmt::format("points = {}\n", expect.points);
  if (expect.transform == Expect::Transform::Scan)
    text += fmt::format("kind = {}\n", in_quotes(scan_kind_text(expect.exclusive)));
  text += fmt::format("sign = {}\n", in_quotes(sign_text(expect.sign)));
  const std::string bound = fmt::format("{}", expect.bound);
  text += fmt::format("bound = {}{}\n", bound, bound.find_first_of(".e") == std::string::npos ? ".0" : "");
  return text + fmt::format("reason = {}\n", in_quotes(expect.bound_reason));
}

// ---- Reading ----

bool is_identifier(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

Message kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string: return Message("text");
    case toml::node_type::integer: return Message("a whole number");
    case toml::node_type::floating_point: return Message("a number");
    case toml::node_type::boolean: return Message("true or false");
    case toml::node_type::array: return Message("a list");
    case toml::node_type::table: return Message("a table");
    default: return Message("a date or a time");
  }
}

// One table of the file. Every complaint is "FILE, line N: …"; an Error thrown while a value is understood gets the line too.
class Section {
 public:
  Section(const toml::table& table, std::string file, std::string what, std::vector<std::string> keys)
      : table_(table), file_(std::move(file)), what_(std::move(what)), keys_(std::move(keys)) {
    for (const auto& [key, value] : table_) {
      const std::string name(key.str());
      if (std::find(keys_.begin(), keys_.end(), name) == keys_.end())
        throw complaint(&value, "{} has no key {}{}", what_, in_quotes(name), did_you_mean(name, keys_));
    }
  }

  bool has(std::string_view key) const { return table_.contains(key); }

  std::string text(std::string_view key) const { return as_text(needed(key), key); }
  std::string text(std::string_view key, std::string_view otherwise) const {
    return has(key) ? text(key) : std::string(otherwise);
  }

  std::uint64_t number(std::string_view key, std::uint64_t min, std::uint64_t max) const {
    return as_number(needed(key), key, min, max);
  }

  double real(std::string_view key) const {
    const toml::node& node = needed(key);
    const std::optional<double> value = node.value<double>();
    if (!value || !(node.is_floating_point() || node.is_integer())) throw wrong_type(node, key, Message("a number"));
    if (!(std::isfinite(*value) && *value >= 0)) throw complaint(&node, "{} must be a number from 0 on", key);
    return *value;
  }

  bool flag(std::string_view key) const {
    if (!has(key)) return false;
    const toml::node& node = needed(key);
    if (!node.is_boolean()) throw wrong_type(node, key, Message("true or false"));
    return *node.value<bool>();
  }

  std::vector<std::uint64_t> numbers(std::string_view key, std::uint64_t min, std::uint64_t max) const {
    std::vector<std::uint64_t> values;
    for (const toml::node& item : list(key)) values.push_back(as_number(item, key, min, max));
    return values;
  }

  std::vector<std::string> texts(std::string_view key) const {
    std::vector<std::string> values;
    if (!has(key)) return values;
    for (const toml::node& item : list(key)) values.push_back(as_text(item, key));
    return values;
  }

  /// Runs `action`; an Error (usage) in it is reported with the key's line.
  template <typename Action>
  auto at(std::string_view key, Action action) const {
    try {
      return action();
    } catch (const Error& error) { throw complaint(table_.get(key), "{}", error.message()); }
  }

  template <typename... Args>
  Error complaint(const toml::node* node, fmt::format_string<Args...> format, const Args&... args) const {
    const toml::source_position where = node ? node->source().begin : table_.source().begin;
    const Message sentence(format, args...);
    if (where.line == 0) return usage_error("{}: {}", file_, sentence);
    return usage_error("{}, line {}: {}", file_, where.line, sentence);
  }

 private:
  const toml::node& needed(std::string_view key) const {
    const toml::node* node = table_.get(key);
    if (!node) throw complaint(nullptr, "{} needs {}", what_, key);
    return *node;
  }

  const toml::array& list(std::string_view key) const {
    const toml::node& node = needed(key);
    if (!node.is_array()) throw wrong_type(node, key, Message("a list"));
    return *node.as_array();
  }

  std::string as_text(const toml::node& node, std::string_view key) const {
    if (!node.is_string()) throw wrong_type(node, key, Message("text"));
    return *node.value<std::string>();
  }

  std::uint64_t as_number(const toml::node& node, std::string_view key, std::uint64_t min, std::uint64_t max) const {
    if (!node.is_integer()) throw wrong_type(node, key, Message("a whole number"));
    const std::int64_t value = *node.value<std::int64_t>();
    if (value < 0 || static_cast<std::uint64_t>(value) < min || static_cast<std::uint64_t>(value) > max)
      throw complaint(&node, "{} must be {} … {}, not {}", key, min, max, value);
    return static_cast<std::uint64_t>(value);
  }

  Error wrong_type(const toml::node& node, std::string_view key, const Message& expected) const {
    return complaint(&node, "{} must be {}, not {}", key, expected, kind_of(node));
  }

  const toml::table& table_;
  std::string file_, what_;
  std::vector<std::string> keys_;
};

// A file named by a plan stays in the plan's folder.
void check_inside(const Section& section, std::string_view key, const std::filesystem::path& directory,
                  const std::filesystem::path& file) {
  section.at(key, [&] {
    if (file.empty()) throw usage_error("{} must name a file", key);
    std::error_code error;
    const std::filesystem::path root = std::filesystem::weakly_canonical(directory, error);
    const std::filesystem::path whole = std::filesystem::weakly_canonical(directory / file, error);
    const auto [end, rest] = std::mismatch(root.begin(), root.end(), whole.begin(), whole.end());
    if (file.is_absolute() || error || end != root.end())
      throw usage_error("{} is outside of the plan's folder {}", file.string(), root.string());
  });
}

Buffer read_buffer(const Section& section, const Plan& plan) {
  Buffer buffer;
  buffer.name = section.text("name");
  section.at("name", [&] {
    if (!is_identifier(buffer.name))
      throw usage_error("{} is no name for a buffer: letters, digits and _", in_quotes(buffer.name));
    if (plan.buffer_named(buffer.name)) throw usage_error("two buffers are called {}", buffer.name);
  });
  const std::string type = section.text("type");
  section.at("type", [&] {
    const std::optional<ElementType> known = element_type_named(type);
    std::vector<std::string> names;
    for (int t = 0; t < element_type_count; ++t) names.emplace_back(traits(static_cast<ElementType>(t)).name);
    if (!known) throw usage_error("{} is no type of elements: {} are", in_quotes(type), fmt::join(names, ", "));
    buffer.type = *known;
  });
  buffer.count = section.number("count", 0, max_elements);
  buffer.shape = {buffer.count};
  if (section.has("shape")) {
    buffer.shape = section.numbers("shape", 1, max_elements);
    section.at("shape", [&] {
      const bool fits = buffer.shape.size() == 1
                            ? buffer.shape[0] == buffer.count
                            : buffer.shape.size() == 2 && buffer.shape[0] * buffer.shape[1] == buffer.count;
      if (!fits)
        throw usage_error("shape [{}] does not hold the {} elements of {}: write [rows, columns]",
                          fmt::join(buffer.shape, ", "), buffer.count, buffer.name);
    });
  }
  const std::string space = section.text("space", "global");
  if (space != "global" && space != "constant")
    section.at("space", [&] {
      throw usage_error("space is global or constant, not {}; local memory is an argument, local:BYTES",
                        in_quotes(space));
    });
  buffer.space = space == "constant" ? Space::Constant : Space::Global;

  const std::string content = section.text("content", "uninitialised");
  section.at("content", [&] {
    buffer.content = parse_content(content);
    if (buffer.content.kind == Content::Kind::TwiddlesRadix4 && buffer.count + 1 != buffer.content.points)
      throw usage_error("the twiddles of a radix-4 transform of {} points are {} elements, and {} has {}",
                        buffer.content.points, buffer.content.points - 1, buffer.name, buffer.count);
    if (buffer.content.kind == Content::Kind::File) parse_signal(buffer.content.file);
  });
  if (buffer.content.kind == Content::Kind::File) check_inside(section, "content", plan.directory, buffer.content.file);
  return buffer;
}

void read_sizes(const Section& section, Launch& launch) {
  const std::vector<std::uint64_t> global = section.numbers("global", 1, max_items);
  const std::vector<std::uint64_t> local = section.numbers("local", 1, max_items);
  section.at("global", [&] {
    if (global.empty() || global.size() > 3)
      throw usage_error("global takes one to three sizes, not {}", global.size());
    double items = 1;
    for (std::uint64_t size : global) items *= static_cast<double>(size);
    if (items > static_cast<double>(max_items)) throw usage_error("a launch has at most {} work-items", max_items);
  });
  section.at("local", [&] {
    if (local.size() != global.size())
      throw usage_error("local has {} sizes and global {}: they must agree", local.size(), global.size());
    for (std::size_t d = 0; d < global.size(); ++d) {
      if (global[d] % local[d] == 0) continue;
      throw usage_error("global size {} is not a multiple of local size {}: the nearest is {}", global[d], local[d],
                        std::max<std::uint64_t>(1, (global[d] + local[d] / 2) / local[d]) * local[d]);
    }
  });
  launch.dimensions = static_cast<int>(global.size());
  std::copy(global.begin(), global.end(), launch.global.begin());
  std::copy(local.begin(), local.end(), launch.local.begin());
}

Launch read_launch(const Section& section, const Plan& plan) {
  Launch launch;
  launch.source = section.text("source");
  check_inside(section, "source", plan.directory, launch.source);
  section.at("source", [&] {
    const std::string extension = std::filesystem::path(launch.source).extension().string();
    if (extension != ".cl" && extension != ".cu")
      throw usage_error("{} is no kernel source: .cl runs on opencl, .cu on cuda and host", in_quotes(launch.source));
  });
  launch.kernel = section.text("kernel");
  section.at("kernel", [&] {
    if (!is_identifier(launch.kernel)) throw usage_error("{} is no name of a kernel", in_quotes(launch.kernel));
  });
  launch.stage = section.has("stage") ? static_cast<int>(section.number("stage", 0, max_stage)) : 0;
  launch.label = section.text("label", "");
  read_sizes(section, launch);
  const std::vector<std::string> arguments = section.texts("args");
  section.at("args", [&] {
    for (const std::string& argument : arguments) launch.arguments.push_back(parse_argument(plan, argument));
  });
  launch.defines = section.texts("defines");
  section.at("defines", [&] {
    for (const std::string& define : launch.defines) {
      const std::string_view name = std::string_view(define).substr(0, define.find('='));
      const bool plain = define.find_first_of(" \t\r\n\"'\\;$`") == std::string::npos;
      if (!is_identifier(name) || !plain)
        throw usage_error("{} is no definition: write NAME or NAME=VALUE", in_quotes(define));
    }
  });
  launch.cooperative = section.flag("cooperative");
  return launch;
}

Expect read_expect(const Section& section, const Plan& plan) {
  Expect expect;
  const std::string transform = section.text("transform");
  expect.transform = section.at("transform", [&] { return parse_transform(transform); });
  const auto buffer = [&](const char* key) {
    std::string name = section.text(key);
    section.at(key, [&] { std::get<BufferArgument>(parse_argument(plan, name.substr(0, name.find(':')))); });
    return name;
  };
  expect.input = buffer("input");
  expect.output = buffer("output");
  if (section.has("points")) expect.points = section.number("points", 1, max_elements);
  if (section.has("kind"))
    expect.exclusive = section.at("kind", [&] {
      if (expect.transform != Expect::Transform::Scan) throw usage_error("kind is of scan alone, not of {}", transform);
      return parse_scan_kind(section.text("kind"));
    });
  const std::string sign = section.text("sign", sign_text(traits(expect.transform).inverse ? 1 : -1));
  expect.sign = section.at("sign", [&] { return parse_sign(sign); });

  const ElementTraits& result = traits(plan.buffer_named(expect.output)->type);
  expect.bound = !result.floating ? 0 : result.wide ? standard_bound_double : standard_bound_float;
  expect.bound_reason = !result.floating
                            ? "whole numbers are exact"
                            : fmt::format("what a plan file allows for {} when it does not say", result.name);
  if (section.has("bound")) {
    expect.bound = section.real("bound");
    expect.bound_reason = "as the plan file says";
  }
  expect.bound_reason = section.text("reason", expect.bound_reason);
  return expect;
}

const std::vector<std::string> plan_keys{"title", "signal", "buffer", "launch", "expect"};
const std::vector<std::string> buffer_keys{"name", "type", "count", "shape", "space", "content"};
const std::vector<std::string> launch_keys{"source", "kernel", "stage",   "label",      "global",
                                           "local",  "args",   "defines", "cooperative"};
const std::vector<std::string> expect_keys{"transform", "input", "output", "points", "kind", "sign", "bound", "reason"};

toml::table parse_toml(const std::filesystem::path& file) {
  try {
    return toml::parse(read_file(file, max_plan_file), file.string());
  } catch (const toml::parse_error& error) {
    throw usage_error("{}, line {}: {}", file.string(), error.source().begin.line, error.description());
  }
}

// The tables of a [[key]] list, each handed to `each` with what to call it.
template <typename Each>
void for_each_table(const toml::table& root, const Section& top, std::string_view key, Each each) {
  const toml::node* node = root.get(key);
  if (!node) return;
  const toml::array* list = node->as_array();
  if (!list) throw top.complaint(node, "write [[{}]], once for each", key);
  std::size_t number = 0;
  for (const toml::node& item : *list) {
    const toml::table* table = item.as_table();
    if (!table) throw top.complaint(&item, "write [[{}]], once for each", key);
    each(*table, fmt::format("{} {}", key, ++number));
  }
}

}  // namespace

std::string to_toml(const Plan& plan, std::string_view extension) {
  std::string text = fmt::format("title = {}\n", in_quotes(plan.title.english()));
  if (!plan.signal.empty()) text += fmt::format("signal = {}\n", in_quotes(plan.signal));
  for (const Buffer& buffer : plan.buffers) text += buffer_toml(buffer);
  for (const Launch& launch : plan.launches) text += launch_toml(plan, launch, extension);
  return text + expect_toml(plan.expect);
}

Plan read_plan_file(const std::filesystem::path& file) {
  const toml::table root = parse_toml(file);
  const std::string name = file.string();
  const Section top(root, name, "a plan file", plan_keys);
  Plan plan;
  plan.algorithm = name;
  plan.directory = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  plan.title = Message::verbatim(top.text("title", file.stem().string()));
  plan.signal = top.text("signal", "ramp");
  top.at("signal", [&] {
    Signal signal = parse_signal(plan.signal);
    if (is_file(signal)) plan.signal = (plan.directory / signal.file).string();
  });
  for_each_table(root, top, "buffer", [&](const toml::table& table, std::string what) {
    plan.buffers.push_back(read_buffer(Section(table, name, std::move(what), buffer_keys), plan));
  });
  for_each_table(root, top, "launch", [&](const toml::table& table, std::string what) {
    plan.launches.push_back(read_launch(Section(table, name, std::move(what), launch_keys), plan));
  });
  if (const toml::node* node = root.get("expect")) {
    if (!node->is_table()) throw top.complaint(node, "write [expect], a table");
    plan.expect = read_expect(Section(*node->as_table(), name, "expect", expect_keys), plan);
  }
  // The sum of nothing is there before anything runs: a plan without launches has an outcome to be held to, or no sense.
  if (plan.launches.empty() && plan.expect.transform == Expect::Transform::None)
    throw usage_error("{}: a plan needs a [[launch]]", name);
  return plan;
}

}  // namespace twiddle
