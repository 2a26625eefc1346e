#include "tracer/opencl/twin/opencl_rewriter.h"

#include "base/error.h"
#include "base/paths.h"
#include "base/process.h"
#include "base/read_file.h"
#include "base/temporary_folder.h"
#include "base/values/environment.h"
#include "base/version.h"
#include "base/write_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>
#include <string_view>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

using Json = nlohmann::json;

constexpr double rewriter_seconds = 60;
constexpr std::uintmax_t max_rewritten_bytes = std::uintmax_t(256) << 20;

// Types without an ElementType of their own are numbers of as many bytes, or words of that size.
ElementType element_type_of(const std::string& scalar) {
  if (const auto known = element_type_named(scalar)) return *known;
  const bool is_signed = scalar == "char" || scalar == "short" || scalar == "long";
  return is_signed ? ElementType::Int : ElementType::UInt;
}

Space space_of(const std::string& name) {
  return name == "local"      ? Space::Local
         : name == "constant" ? Space::Constant
         : name == "private"  ? Space::Private
                              : Space::Global;
}

// "2a", "1f", "3fh": as rewriter/description.h says.
std::optional<TexelAccess> texel_of(const std::string& text, bool writes) {
  if (text.empty()) return std::nullopt;
  TexelAccess texel;
  texel.dimensions = text[0] - '0';
  texel.array = text.find('a') != std::string::npos;
  texel.fractions = text.find('f') != std::string::npos;
  texel.half_values = text.find('h') != std::string::npos;
  texel.writes = writes;
  if (texel.dimensions < 1 || texel.coordinates() > 3) throw std::runtime_error("an image that cannot be");
  return texel;
}

TwinSite site_of(const Json& json, std::size_t variables) {
  TwinSite twin;
  AccessSite& site = twin.site;
  const std::string kind = json.at("kind"), space = json.at("space");
  if (kind == "declare")
    twin.use = TwinSite::Use::Declare;
  else if (kind == "copy-call")
    twin.use = TwinSite::Use::CopyCall;
  else
    site.kind = named<AccessKind>(kind);
  twin.generic = space == "generic";
  twin.variable = json.at("variable").get<int>();
  if (twin.variable >= 0 && static_cast<std::size_t>(twin.variable) >= variables)
    throw std::runtime_error("a site of no variable");
  site.space = space_of(space);
  if (touches_memory(site.kind) && twin.use == TwinSite::Use::Access) {
    site.type = element_type_of(json.at("type"));
    site.components = json.at("components").get<std::uint8_t>();
    site.chunk = json.at("chunk").get<std::uint8_t>();
    if (site.components < 1 || site.chunk < 1 || site.chunk > 8) throw std::runtime_error("a size that cannot be");
  }
  if (const auto texel = json.find("texel"); texel != json.end())
    twin.texel = texel_of(texel->get<std::string>(), is_write(site.kind));
  site.order = named<MemoryOrder>(json.at("order").get_ref<const std::string&>());
  site.scope = named<MemoryScope>(json.at("scope").get_ref<const std::string&>());
  site.is_volatile = json.at("volatile").get<bool>();
  site.source = json.at("file").get<int>();
  site.line = json.at("line").get<int>();
  site.column = json.at("column").get<int>();
  site.function = json.at("function");
  site.text = json.at("text");
  return twin;
}

TwinVariable variable_of(const Json& json) {
  TwinVariable variable;
  variable.space = space_of(json.at("space"));
  variable.name = json.at("name");
  variable.function = json.at("function");
  variable.type = element_type_of(json.at("type"));
  variable.element_bytes = std::max<std::uint64_t>(json.at("element_bytes").get<std::uint64_t>(), 1);
  variable.bytes = json.at("bytes").get<std::uint64_t>();
  variable.initialised = json.at("initialised").get<bool>();
  variable.slot = json.at("slot").get<int>();
  return variable;
}

TwinKernel kernel_of(const Json& json) {
  TwinKernel kernel;
  kernel.name = json.at("name");
  kernel.led = json.at("led").get<bool>();
  json.at("functions").get_to(kernel.functions);
  for (const Json& one : json.at("parameters"))
    kernel.parameters.push_back(
        {one.at("name"), one.at("space"), one.at("slot").get<int>(), one.at("read_only").get<bool>()});
  return kernel;
}

}  // namespace

Twin read_twin(const std::string& description) {
  const Json json = Json::parse(description);
  Twin twin;
  for (const Json& one : json.at("variables")) twin.variables.push_back(variable_of(one));
  for (const Json& one : json.at("sites")) twin.sites.push_back(site_of(one, twin.variables.size()));
  for (const Json& one : json.at("kernels")) twin.kernels.push_back(kernel_of(one));
  for (const Json& one : json.at("unlogged"))
    twin.unlogged.push_back({{one.at("file").get<int>(), one.at("line").get<int>(), 0,
                              Message::verbatim(one.at("reason").get<std::string>())},
                             one.at("function").get<std::string>()});
  json.at("files").get_to(twin.files);
  json.at("tested").get_to(twin.tested);
  twin.bases = json.at("bases").get<std::size_t>();
  twin.group_bases = json.at("group_bases").get<std::size_t>();
  const auto check_slot = [&](int slot, bool of_group) {
    if (slot >= 0 && static_cast<std::size_t>(slot) >= (of_group ? twin.group_bases : twin.bases))
      throw std::runtime_error("a slot of no base");
  };
  for (const TwinVariable& variable : twin.variables) check_slot(variable.slot, variable.space == Space::Local);
  for (const TwinKernel& kernel : twin.kernels)
    for (const TwinParameter& parameter : kernel.parameters) check_slot(parameter.slot, parameter.space == "local");
  for (TwinSite& twin_site : twin.sites) {
    AccessSite& site = twin_site.site;
    if (site.source > 0 && static_cast<std::size_t>(site.source) < twin.files.size())
      site.file = twin.files[site.source];
    site.source = 0;
  }
  twin.description = description;
  return twin;
}

namespace {

// What the rewriter says in its own name, without that name.
std::string sentence_in(const std::string& errors) {
  constexpr std::string_view name = "twiddle-rewriter: ";
  std::istringstream lines(errors);
  std::string first, line;
  for (; std::getline(lines, line);) {
    if (line.compare(0, name.size(), name) == 0)
      return line.substr(name.size()) + (first.empty() ? "" : " (" + first + ")");
    if (first.empty() && line.find("error: ") != std::string::npos) first = line;
  }
  return {};
}

// Why a description cannot be read, where another version wrote it; versions before 0.2.0 did not say theirs.
void check_version(const fs::path& program, const std::string& description) {
  const Json json = Json::parse(description, nullptr, false);
  if (!json.is_object()) return;
  const auto said = json.find("version");
  if (said == json.end() || !said->is_string())
    throw usage_error("{} is of an older version than this program, {}: install or build both anew", program.string(),
                      program_version);
  if (*said != program_version)
    throw usage_error("{} is of version {} and this program of {}: install or build both anew", program.string(),
                      said->get<std::string>().substr(0, 40), program_version);
}

}  // namespace

fs::path rewriter_program() {
  if (const std::string given = environment("TWIDDLE_REWRITER"); !given.empty()) return find_program(given);
  return find_program((program_file().parent_path() / "twiddle-rewriter").string());
}

Twin rewrite_opencl(const ProgramSource& source, const RewriterTarget& target) {
  const fs::path program = rewriter_program();
  if (program.empty()) {
    if (const std::string given = environment("TWIDDLE_REWRITER"); !given.empty())
      throw usage_error("TWIDDLE_REWRITER names {}, which is no program", given);
    throw usage_error(
        "seeing every access of an OpenCL kernel needs the rewriter, which was not built: install clang's packages "
        "(llvm-dev and libclang-dev) and build Twiddle again");
  }
  const TemporaryFolder folder(ExitCode::usage, "the kernel cannot be rewritten");
  const fs::path in = folder.path() / "in.cl", out = folder.path() / "out.cl", about = folder.path() / "out.json";
  write_file(in, compiler_text(source));
  std::vector<std::string> words{program.string(),
                                 "--source",
                                 in.string(),
                                 "--output",
                                 out.string(),
                                 "--description",
                                 about.string(),
                                 "--name",
                                 source.name,
                                 "--bits",
                                 target.address_bits == 32 ? "32" : "64"};
  std::string extensions = "-all";
  for (const std::string& extension : target.extensions) extensions += ",+" + extension;
  words.insert(words.end(), {"--extensions", extensions});
  for (std::size_t h = 0; h < target.headers.size(); ++h) {
    const fs::path file = folder.path() / ("header" + std::to_string(h));
    write_file(file, target.headers[h].second);
    words.insert(words.end(), {"--header", target.headers[h].first + "=" + file.string()});
  }
  words.emplace_back("--");
  words.insert(words.end(), target.options.begin(), target.options.end());
  const ProcessResult result = run_process(words, rewriter_seconds);
  if (result.timed_out)
    throw usage_error("{} cannot be rewritten to log its accesses: that takes more than {} seconds", source.name,
                      rewriter_seconds);
  if (result.status != 0) {
    const std::string sentence = sentence_in(result.errors);
    if (sentence.empty() || result.status > 128)
      throw usage_error("{} cannot be rewritten to log its accesses: {} ended with code {}", source.name,
                        program.filename().string(), result.status);
    throw Error(ExitCode::usage, Message::verbatim(sentence));
  }
  std::string description;
  try {
    description = read_file(about, max_rewritten_bytes);
    Twin twin = read_twin(description);
    twin.text = read_file(out, max_rewritten_bytes);
    return twin;
  } catch (const std::exception& error) {
    check_version(program, description);
    throw usage_error("{} cannot be rewritten to log its accesses: what {} wrote cannot be read ({})", source.name,
                      program.filename().string(), error.what());
  }
}

}  // namespace twiddle
