// Plan files: a Plan as TOML, written and read. What is read is untrusted; every complaint names the line.
#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/message.h"
#include "base/read_file.h"
#include "base/text.h"
#include "kernels/plan/edited_plan.h"
#include "kernels/plan/expect_toml.h"
#include "kernels/plan/loop.h"
#include "kernels/plan/plan_parameters.h"
#include "kernels/plan/plan_text.h"
#include "kernels/plan/section.h"
#include "kernels/signal/signal.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace twiddle {
namespace {

constexpr std::uintmax_t max_plan_file = 1 << 20;                  // bytes
constexpr std::uint64_t max_items = (std::uint64_t(1) << 32) - 1;  // a trace names work-items by 32 bits
constexpr int max_stage = 254;                                     // and stages by 8
constexpr std::size_t max_launches = 16384;                        // after loops are unrolled
constexpr int max_groups = 8;                                      // of launches in one another

// ---- Writing ----

std::string buffer_toml(const Buffer& buffer) {
  std::string text = fmt::format("\n[[buffer]]\nname = {}\ntype = {}\ncount = {}\n", in_quotes(buffer.name),
                                 in_quotes(traits(buffer.type).name), buffer.count);
  if (buffer.shape.size() > 1) text += fmt::format("shape = [{}]\n", fmt::join(buffer.shape, ", "));
  if (buffer.space == Space::Constant) text += "space = \"constant\"\n";
  if (const auto& image = buffer.image) {
    text += fmt::format("image = \"{}d\"\nwidth = {}\n", image->dimensions, image->width);
    if (image->dimensions > 1) text += fmt::format("height = {}\n", image->height);
    if (image->dimensions > 2) text += fmt::format("depth = {}\n", image->depth);
    if (image->normalised) text += "normalised = true\n";
  }
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
  if (!launch.options.empty()) text += fmt::format("options = {}\n", quotes_list(launch.options));
  if (launch.cooperative) text += "cooperative = true\n";
  return text;
}

// ---- Reading ----

// The content as text; a list of numbers is the values.
std::string content_of(const Section& section) {
  const toml::node* node = section.node("content");
  if (!node || !node->is_array()) return section.text("content", "uninitialised");
  std::string text = "values:";
  for (const toml::node& item : *node->as_array()) {
    if (text.back() != ':') text += ',';
    if (item.is_string())
      text += *item.value<std::string>();
    else if (const auto whole = item.value_exact<std::int64_t>())
      text += fmt::format("{}", *whole);
    else if (const auto real = item.value_exact<double>())
      text += fmt::format("{}", *real);
    else
      throw section.complaint(&item, "content is a list of numbers");
  }
  return text;
}

// "stage", or an instance of a template: "scan<float>", "pass<8, true>".
bool is_kernel_name(std::string_view name) {
  const std::size_t open = name.find('<');
  if (!is_identifier(name.substr(0, open))) return false;
  return open == std::string_view::npos ||
         (name.ends_with('>') && name.size() <= 200 &&
          std::all_of(name.begin() + static_cast<std::ptrdiff_t>(open), name.end(), [](char c) {
            return is_of_name(c) || std::string_view("<>, :*-").find(c) != std::string_view::npos;
          }));
}

void read_image(const Section& section, Buffer& buffer) {
  constexpr std::uint64_t max_side = 65536;
  for (const char* key : {"width", "height", "depth", "normalised"})
    if (section.has(key) && !section.has("image"))
      throw section.complaint(section.node(key), "{} is of images alone: write image = \"2d\"", key);
  if (!section.has("image")) return;
  const std::string dimensions = section.text("image");
  Image image;
  section.at("image", [&] {
    if (dimensions != "1d" && dimensions != "2d" && dimensions != "3d")
      throw usage_error("an image is 1d, 2d or 3d, not {}", in_quotes(dimensions));
    check_texel(buffer.type);
  });
  image.dimensions = dimensions[0] - '0';
  image.width = section.number("width", 1, max_side);
  if (image.dimensions > 1) image.height = section.number("height", 1, max_side);
  if (image.dimensions > 2) image.depth = section.number("depth", 1, max_side);
  image.normalised = section.flag("normalised");
  section.at("image", [&] {
    const bool narrow = traits(traits(buffer.type).scalar).bytes <= 2 && !traits(buffer.type).floating;
    if (image.normalised && !narrow) throw usage_error("only channels of 8 and 16 bits can be normalised");
    if (image.width * image.height > max_plan_elements / image.depth)
      throw usage_error("an image has at most {} texels", max_plan_elements);
  });
  buffer.image = image;
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
    if (!known)
      throw usage_error(
          "{} is no type of elements{}", in_quotes(type),
          did_you_mean(type, names,
                       Message("; char, uchar, short, ushort, int, uint, long, ulong, half, float, double and "
                               "their vectors of 2, 3, 4, 8 and 16 are")));
    buffer.type = *known;
  });
  read_image(section, buffer);
  buffer.count = buffer.image && !section.has("count")
                     ? buffer.image->width * buffer.image->height * buffer.image->depth
                     : section.number("count", 0, max_plan_elements);
  if (buffer.image && buffer.count != buffer.image->width * buffer.image->height * buffer.image->depth)
    throw section.complaint(section.node("count"), "an image of {} × {} × {} texels has {} elements, not {}",
                            buffer.image->width, buffer.image->height, buffer.image->depth,
                            buffer.image->width * buffer.image->height * buffer.image->depth, buffer.count);
  buffer.shape = {buffer.count};
  if (buffer.image && buffer.image->dimensions > 1)
    buffer.shape = {buffer.image->height * buffer.image->depth, buffer.image->width};
  if (section.has("shape")) {
    buffer.shape = section.numbers("shape", 1, max_plan_elements);
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

  section.at("content", [&] {
    buffer.content = parse_content(content_of(section), section.names());
    if (buffer.content.kind == Content::Kind::TwiddlesRadix4 && buffer.count + 1 != buffer.content.points)
      throw usage_error("the twiddles of a radix-4 transform of {} points are {} elements, and {} has {}",
                        buffer.content.points, buffer.content.points - 1, buffer.name, buffer.count);
    if (buffer.content.kind == Content::Kind::File && !holds_bytes(buffer.content.file))
      parse_signal(buffer.content.file);
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

// What compilers may be told: a language, and its arithmetic. Includes are found beside the source.
constexpr std::string_view known_options[] = {"-cl-std=CL3.0",
                                              "-cl-fast-relaxed-math",
                                              "-cl-mad-enable",
                                              "-cl-",
                                              "-w",
                                              "-Werror",
                                              "-std=c++17",
                                              "-use_fast_math",
                                              "-fmad=false",
                                              "-ftz=true",
                                              "-prec-div=false",
                                              "-prec-sqrt=false",
                                              "-maxrregcount=32"};

void check_option(std::string_view option) {
  const std::string_view name = option.starts_with("--") ? option.substr(1) : option;
  const bool known = std::any_of(std::begin(known_options), std::end(known_options), [&](std::string_view one) {
    const std::size_t equals = one.find('=');
    if (equals != std::string_view::npos) return name.starts_with(one.substr(0, equals + 1));
    return one.ends_with('-') ? name.starts_with(one) : name == one;
  });
  const bool plain = option.size() <= 100 && std::all_of(option.begin(), option.end(), [](char c) {
                       return is_of_name(c) || std::string_view("-=.+").find(c) != std::string_view::npos;
                     });
  if (known && plain) return;
  const std::vector<std::string> words(std::begin(known_options), std::end(known_options));
  throw usage_error(
      "{} is no option that is passed on{}; -cl-… of OpenCL and -std=, -use_fast_math, -fmad=, -ftz= of CUDA are",
      in_quotes(option), did_you_mean(option, words));
}

// A definition as the compiler gets it: a value that is an expression of parameters becomes its number.
std::string definition_of(const std::string& text, const ExpressionNames& names) {
  std::string define = text;
  const std::size_t equals = define.find('=');
  const std::string name = define.substr(0, equals);
  if (equals != std::string::npos && names_a_parameter(std::string_view(define).substr(equals + 1), names))
    define = fmt::format("{}={}", name, whole_value(std::string_view(define).substr(equals + 1), names));
  if (!is_identifier(name) || define.find_first_of(" \t\r\n\"'\\;$`") != std::string::npos)
    throw usage_error("{} is no definition: write NAME or NAME=VALUE", in_quotes(text));
  return define;
}

// What all launches have from the plan, before their own.
struct Compiling {
  std::vector<std::string> defines, options;
};

// "-a -b" or ["-a", "-b"]; -DNAME=VALUE is a definition.
void read_compiling(const Section& section, Compiling& into) {
  for (const std::string& define : section.texts("defines", true))
    into.defines.push_back(section.at("defines", [&] { return definition_of(define, section.names()); }));
  for (const std::string& one : section.texts("options", true)) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < one.size();) {
      const std::size_t end = std::min(one.find(' ', begin), one.size());
      if (!words.empty() && words.back() == "-D")
        words.back() += one.substr(begin, end - begin);
      else if (end > begin)
        words.push_back(one.substr(begin, end - begin));
      begin = end + 1;
    }
    section.at("options", [&] {
      for (const std::string& word : words) {
        if (word.starts_with("-D")) {
          into.defines.push_back(definition_of(word.substr(2), section.names()));
          continue;
        }
        check_option(word);
        into.options.push_back(word);
      }
    });
  }
}

Launch read_launch(const Section& section, const Plan& plan, const Compiling& common) {
  Launch launch;
  const auto filled = [&](const char* key, std::string_view otherwise) {
    const std::string text = section.text(key, otherwise);
    return section.at(key, [&] { return filled_text(text, section.names()); });
  };
  section.text("source");
  launch.source = filled("source", "");
  check_inside(section, "source", plan.directory, launch.source);
  section.at("source", [&] {
    const std::string extension = std::filesystem::path(launch.source).extension().string();
    if (extension != ".cl" && extension != ".cu")
      throw usage_error("{} is no kernel source: .cl runs on opencl, .cu on cuda and host", in_quotes(launch.source));
  });
  section.text("kernel");
  launch.kernel = filled("kernel", "");
  section.at("kernel", [&] {
    if (!is_kernel_name(launch.kernel)) throw usage_error("{} is no name of a kernel", in_quotes(launch.kernel));
  });
  launch.stage = static_cast<int>(section.number("stage", 0, max_stage, 0));
  launch.label = filled("label", "");
  read_sizes(section, launch);
  const std::vector<std::string> arguments = section.texts("args");
  section.at("args", [&] {
    for (const std::string& argument : arguments)
      launch.arguments.push_back(parse_argument(plan, argument, section.names()));
  });
  Compiling compiling = common;
  read_compiling(section, compiling);
  launch.defines = std::move(compiling.defines);
  launch.options = std::move(compiling.options);
  launch.cooperative = section.flag("cooperative");
  return launch;
}

const std::vector<std::string> plan_keys{"title",   "signal", "parameters", "defines",
                                         "options", "buffer", "launch",     "expect"};
const std::vector<std::string> buffer_keys{"name",  "type",  "count",  "shape", "space",     "content",
                                           "image", "width", "height", "depth", "normalised"};
const std::vector<std::string> launch_keys{"source", "kernel",  "stage",       "label",   "global", "local",
                                           "args",   "defines", "cooperative", "options", "for",    "if"};
const std::vector<std::string> group_keys{"for", "if", "launch"};

toml::table parse_toml(const std::filesystem::path& file, const std::string* edited = nullptr) {
  try {
    return toml::parse(edited ? *edited : read_file(file, max_plan_file), file.string());
  } catch (const toml::parse_error& error) {
    throw usage_error("{}, line {}: {}", file.string(), error.source().begin.line, error.description());
  }
}

// The [[launch]] tables of a plan or of a group, each as often as its loop says. Their numbers are those of the file.
class LaunchReader {
 public:
  LaunchReader(const std::string& file, Plan& plan, const Compiling& common)
      : file_(file), plan_(plan), common_(common) {}

  void read(const toml::table& parent, const Section& section, const ExpressionNames& names, std::size_t& number,
            int depth = 0) {
    for_each_table(parent, section, "launch", number, [&](const toml::table& table, std::string what) {
      const bool group = table.contains("launch");
      const std::vector<std::string>& keys = group ? group_keys : launch_keys;
      const Section head(table, file_, what, keys, names);
      if (depth == max_groups) throw head.complaint(nullptr, "launches are nested in {} groups at most", max_groups);
      const std::size_t first = number;
      each_round(head, names, [&](const ExpressionNames& inner) {
        const Section round(table, file_, what, keys, inner);
        if (round.has("if") && round.number_of_any_sign("if") == 0) return;
        if (group) {
          std::size_t below = first;
          read(table, round, inner, below, depth + 1);
          number = std::max(number, below);
          return;
        }
        if (plan_.launches.size() == max_launches)
          throw round.complaint(nullptr, "a plan makes at most {} launches", max_launches);
        plan_.launches.push_back(read_launch(round, plan_, common_));
      });
    });
  }

 private:
  const std::string& file_;
  Plan& plan_;
  const Compiling& common_;
};

}  // namespace

std::string to_toml(const Plan& plan, std::string_view extension) {
  std::string text = fmt::format("title = {}\n", in_quotes(plan.title.english()));
  if (!plan.signal.empty()) text += fmt::format("signal = {}\n", in_quotes(plan.signal));
  for (const Buffer& buffer : plan.buffers) text += buffer_toml(buffer);
  for (const Launch& launch : plan.launches) text += launch_toml(plan, launch, extension);
  return text + expect_toml(plan.expect);
}

std::vector<std::string> number_parameters(const std::filesystem::path& file) {
  const toml::table root = parse_toml(file);
  std::vector<std::pair<toml::source_index, std::string>> found;  // by line: the table itself is sorted by name
  if (const toml::table* parameters = root["parameters"].as_table())
    for (const auto& [name, value] : *parameters)
      if (value.is_integer()) found.emplace_back(value.source().begin.line, std::string(name));
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (auto& [line, name] : found) names.push_back(std::move(name));
  return names;
}

namespace {

Plan plan_of(const toml::table& root, const std::filesystem::path& file, const PlanParameters& given) {
  const std::string name = file.string();
  ExpressionNames names;
  const Section top(root, name, "a plan file", plan_keys, names);
  Plan plan;
  plan.algorithm = name;
  plan.directory = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  read_parameters(top, given, names, plan.parameters);
  plan.title = Message::verbatim(top.text("title", file.stem().string()));
  plan.signal = top.text("signal", "ramp");
  top.at("signal", [&] {
    Signal signal = parse_signal(plan.signal);
    if (is_file(signal)) plan.signal = (plan.directory / signal.file).string();
  });
  Compiling common;
  read_compiling(top, common);
  std::size_t number = 0;
  for_each_table(root, top, "buffer", number, [&](const toml::table& table, std::string what) {
    plan.buffers.push_back(read_buffer(Section(table, name, std::move(what), buffer_keys, names), plan));
  });
  number = 0;
  LaunchReader(name, plan, common).read(root, top, names, number);
  if (const toml::node* node = root.get("expect")) {
    if (!node->is_table()) throw top.complaint(node, "write [expect], a table");
    read_expect(*node->as_table(), name, names, plan);
  }
  // The sum of nothing is there before anything runs: a plan without launches has an outcome to be held to, or no sense.
  if (plan.launches.empty() && plan.expect.transform == Expect::Transform::None)
    throw usage_error("{}: a plan needs a [[launch]]", name);
  return plan;
}

}  // namespace

Plan read_plan_file(const std::filesystem::path& file, const PlanParameters& given) {
  return plan_of(parse_toml(file), file, given);
}

Plan read_plan_text(const std::filesystem::path& file, const std::string& text, const PlanParameters& given) {
  return plan_of(parse_toml(file, &text), file, given);
}

}  // namespace twiddle
