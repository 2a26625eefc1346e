// starting_plan: guesses, each of which a person can read and change.
#include "tracer/source/plan_start.h"

#include "base/error.h"
#include "base/text.h"
#include "tracer/source/source.h"
#include "tracer/source/tokens.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace twiddle {
namespace {

constexpr std::size_t attribute_reach = 64;  // tokens between a kernel's keyword and its attributes' ends
constexpr std::uint64_t max_group = 64;

// Whether a name is one of these words or has one of them as a part: "numRows", "n_rows".
bool speaks_of(const std::string& name, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

// How many dimensions of the launch a kernel asks about, and the group that it demands.
struct KernelShape {
  int dimensions = 1;
  std::vector<std::uint64_t> group;  // of reqd_work_group_size; empty: any
};

KernelShape kernel_shape_of(const std::vector<Token>& tokens, const KernelDefinition& at) {
  KernelShape shape;
  const std::size_t end = std::min(closing(tokens, at.body), tokens.size());
  for (std::size_t i = at.body; i + 2 < end; ++i) {
    const std::string_view word = tokens[i].text;
    int dimension = 0;
    if (word.starts_with("get_") && tokens[i + 1].is("(") && tokens[i + 2].kind == Token::Kind::Number)
      dimension = tokens[i + 2].is("1") ? 1 : tokens[i + 2].is("2") ? 2 : 0;
    else if ((word == "threadIdx" || word == "blockIdx" || word == "blockDim" || word == "gridDim") &&
             tokens[i + 1].is("."))
      dimension = tokens[i + 2].is("y") ? 1 : tokens[i + 2].is("z") ? 2 : 0;
    shape.dimensions = std::max(shape.dimensions, dimension + 1);
  }
  for (std::size_t i = at.keyword; i < at.body && i < at.keyword + attribute_reach; ++i) {
    if (!tokens[i].is("reqd_work_group_size") || !tokens[i + 1].is("(")) continue;
    for (const auto& [first, last] : arguments_of(tokens, i + 1, closing(tokens, i + 1, attribute_reach))) {
      std::uint64_t size = 0;
      if (last == first + 1 && tokens[first].kind == Token::Kind::Number)
        size = std::strtoull(std::string(tokens[first].text).c_str(), nullptr, 10);
      if (size == 0 || size > 4096) return shape;  // a macro: any group, and the compiler says if it is wrong
      shape.group.push_back(size);
    }
    while (shape.group.size() > 1 && static_cast<int>(shape.group.size()) > shape.dimensions && shape.group.back() == 1)
      shape.group.pop_back();
    shape.dimensions = std::max(shape.dimensions, static_cast<int>(shape.group.size()));
    shape.group.resize(static_cast<std::size_t>(shape.dimensions), 1);
  }
  return shape;
}

// "scan" as "scan<float, 8>" where it is a template.
std::string kernel_instance(const std::vector<Token>& tokens, const KernelDefinition& at) {
  std::string name(tokens[at.name].text);
  std::size_t first = at.keyword;
  while (first > 0 && at.keyword - first < attribute_reach && !tokens[first].is("template") && !tokens[first].is(";") &&
         !tokens[first].is("}"))
    --first;
  if (!tokens[first].is("template")) return name;
  std::vector<std::string> arguments;
  for (std::size_t i = first + 1; i < at.keyword; ++i) {
    if (tokens[i].is("typename") || tokens[i].is("class"))
      arguments.emplace_back("float");
    else if (tokens[i].is("bool"))
      arguments.emplace_back("true");
    else if (tokens[i].is("int") || tokens[i].is("unsigned") || tokens[i].is("size_t"))
      arguments.emplace_back("16");
    if (tokens[i].is("unsigned") && tokens[i + 1].is("int")) ++i;
  }
  return fmt::format("{}<{}>", name, fmt::join(arguments, ", "));
}

struct PlanWriter {
  std::string file;
  int dimensions = 1;               // of any kernel
  std::uint64_t group = max_group;  // work-items of a one-dimensional group
  std::string buffers, launches;
  std::vector<std::pair<std::string, std::string>> known;  // buffers: name and type

  // The name of a buffer of that name and type, which is added where there is none.
  std::string buffer(const std::string& name, const std::string& type, const std::string& keys,
                     const std::string& remark) {
    std::string free = name;
    for (int number = 2;; ++number) {
      const auto found = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.first == free; });
      if (found == known.end()) break;
      if (found->second == type) return free;
      free = fmt::format("{}_{}", name, number);
    }
    known.emplace_back(free, type);
    buffers += fmt::format("\n[[buffer]]{}\nname = \"{}\"\ntype = \"{}\"\n{}", remark, free, type, keys);
    return free;
  }

  std::string pointer(const std::string& name, const ParameterType& type, bool read_only, bool writes_only) {
    const std::string element(type.element ? traits(*type.element).name : "float");
    const bool floating = !type.element || traits(*type.element).floating;
    std::string keys = "count = \"n\"\n";
    if (type.constant) keys += "space = \"constant\"\n";
    keys += fmt::format("content = \"{}\"\n", !read_only && writes_only ? "zero" : floating ? "signal" : "iota");
    return buffer(name, element, keys, type.element ? "" : fmt::format("  # of {}: floats in its place", type.written));
  }

  std::string number(const std::string& kernel, const std::string& name, const ParameterType& type) {
    std::string written = type.written;
    if (!type.element && written != "size_t") {
      if (written == "bool")
        written = "int";
      else if (written == "cl_int" || written == "int32_t")
        written = "int";
      else if (written == "cl_uint" || written == "uint32_t")
        written = "uint";
      else if (written == "int64_t")
        written = "long";
      else if (written == "uint64_t")
        written = "ulong";
      else
        throw usage_error(
            "parameter {} of kernel {} is a {}, which no value can be guessed for: write the plan by hand, "
            "with \"struct:TYPE:VALUE,…\" for it (docs/your-own-kernel.md)",
            name, kernel, written.empty() ? "type of its own" : written);
    }
    if (type.element) {
      const ElementTraits& element = traits(*type.element);
      if (element.components > 1)
        return fmt::format("{}:{}", element.name,
                           fmt::join(std::vector<int>(static_cast<std::size_t>(element.components), 1), ","));
      if (element.floating) return fmt::format("{}:1", element.name);
      written = element.name;
    }
    const std::string word = lower_case(name);
    if (word.starts_with("log") || word.starts_with("lg") || speaks_of(word, {"bits", "log2"}))
      return written + ":log2(n)";
    if (dimensions > 1 && speaks_of(word, {"width", "col", "pitch", "nx"})) return written + ":width";
    if (dimensions > 1 && speaks_of(word, {"height", "row", "ny"})) return written + ":height";
    if (dimensions > 1 && (word == "w" || word == "h")) return written + (word == "w" ? ":width" : ":height");
    if (dimensions > 2 && speaks_of(word, {"depth", "nz"})) return written + ":depth";
    const bool size = word == "n" || word.starts_with("n_") || word.ends_with("_n") ||
                      speaks_of(word, {"num", "count", "size", "len", "total", "points", "elem", "samples", "items"});
    return written + (size ? ":n" : ":1");
  }

  void kernel(const std::vector<Token>& tokens, const KernelDefinition& at, const std::string& text,
              const std::string& included) {
    const std::string name = kernel_instance(tokens, at);
    const KernelSignature signature = kernel_signature(text, name, {}, included);
    const KernelShape shape = kernel_shape_of(tokens, at);
    const std::size_t count = signature.parameters.size();
    // What is not const holds results where something else is const; a kernel without any const works in place.
    const bool has_input =
        std::any_of(signature.read_only.begin(), signature.read_only.end(), [](bool one) { return one; });
    std::vector<std::string> arguments;
    for (std::size_t p = 0; p < count; ++p) {
      const std::string& parameter = signature.parameters[p];
      const ParameterType& type = signature.types[p];
      if (type.local)
        arguments.push_back(fmt::format("local:{} * 2 * {}", dimensions > 1 ? "256" : "group",
                                        type.element ? traits(*type.element).bytes : 16));
      else if (type.pointer)
        arguments.push_back(pointer(parameter, type, signature.read_only[p], has_input));
      else if (type.written == "sampler_t")
        arguments.emplace_back("sampler:nearest,edge");
      else if (type.written.starts_with("image"))
        arguments.push_back(image(name, parameter, type.written));
      else
        arguments.push_back(number(name, parameter, type));
    }
    for (const LocalArray& array : signature.locals)
      if (array.dynamic)
        arguments.push_back(
            fmt::format("local:{} * 2 * {}", dimensions > 1 ? "256" : "group", traits(array.type).bytes));
    for (std::string& argument : arguments) argument = "\"" + argument + "\"";

    std::vector<std::string> global, local;
    const std::vector<std::string> extents =
        dimensions > 1 ? std::vector<std::string>{"width", "height", "depth"} : std::vector<std::string>{"n"};
    for (int d = 0; d < shape.dimensions; ++d) {
      const auto at_dimension = static_cast<std::size_t>(d);
      const std::string group_size = !shape.group.empty()   ? fmt::format("{}", shape.group[at_dimension])
                                     : shape.dimensions > 1 ? (shape.dimensions > 2 ? "4" : "16")
                                     : dimensions > 1       ? "64"
                                                            : "group";
      const std::string extent = shape.dimensions > 1 ? extents[at_dimension] : "n";
      global.push_back(fmt::format("\"roundup({}, {})\"", extent, group_size));
      local.push_back(fmt::format("\"{}\"", group_size));
    }
    launches +=
        fmt::format("\n[[launch]]\nsource = \"{}\"\nkernel = \"{}\"\nglobal = [{}]\nlocal = [{}]\nargs = [{}]\n", file,
                    name, fmt::join(global, ", "), fmt::join(local, ", "), fmt::join(arguments, ", "));
  }

  std::string image(const std::string& kernel, const std::string& name, const std::string& type) {
    if (!type.starts_with("image1d_t") && !type.starts_with("image2d_t") && !type.starts_with("image3d_t"))
      throw usage_error("parameter {} of kernel {} is a {}: plans have images of one, two and three dimensions", name,
                        kernel, type);
    const int sides = type[5] - '0';
    std::string keys = fmt::format("image = \"{}d\"\nwidth = 16\n", sides);
    if (sides > 1) keys += "height = 16\n";
    if (sides > 2) keys += "depth = 4\n";
    return buffer(name, "float4", keys + "content = \"signal\"\n", "");
  }
};

}  // namespace

std::string starting_plan(const KernelSource& source, const std::string& included) {
  const std::vector<Token> tokens = tokenize(source.text);
  const std::vector<KernelDefinition> kernels = kernel_definitions(tokens);
  if (kernels.empty())
    throw usage_error("{} defines no kernel: one begins with {}", source.name,
                      source.name.ends_with(".cu") ? "__global__" : "kernel");
  PlanWriter writer;
  writer.file = source.name;
  for (const KernelDefinition& at : kernels) {
    writer.dimensions = std::max(writer.dimensions, kernel_shape_of(tokens, at).dimensions);
    // A group is not larger than the arrays that its items share.
    for (const LocalArray& array : kernel_signature(source.text, kernel_instance(tokens, at), {}, included).locals)
      if (array.count >= 8) writer.group = std::min(writer.group, array.count);
  }
  for (const KernelDefinition& at : kernels) writer.kernel(tokens, at, source.text, included);

  std::string text = fmt::format(
      "# A plan for {}, written from its kernels' parameters. What is guessed: sizes, values of numbers, and what the\n"
      "# buffers begin with. docs/your-own-kernel.md lists all keys.\ntitle = \"{}\"\n"
      "signal = \"random:1\"    # what buffers with content = \"signal\" begin with\n\n[parameters]\n",
      source.name, std::filesystem::path(source.name).stem().string());
  if (writer.dimensions == 1)
    text += fmt::format(
        "n = {}                 # twiddle check FILE.toml --n 256\ngroup = {}             # work-items of a group\n",
        std::max(writer.group, max_group), writer.group);
  else
    text += fmt::format("width = 16\nheight = 16\n{}n = \"{}\"\n", writer.dimensions > 2 ? "depth = 4\n" : "",
                        writer.dimensions > 2 ? "width * height * depth" : "width * height");
  text += writer.buffers + writer.launches;
  const auto& buffers = writer.known;
  if (!buffers.empty())
    text += fmt::format(
        "\n# What should come out, which twiddle check then compares with: fft, sum, scan, sort, transpose, "
        "convolution, …\n"
        "# [expect]\n# transform = \"fft\"\n# input = \"{}\"\n# output = \"{}\"\n",
        buffers.front().first, buffers.back().first);
  return text;
}

}  // namespace twiddle
