#include "tracer/run/trace_setup.h"

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/message.h"
#include "base/text.h"
#include "base/version.h"
#include "tracer/cost/sub_group.h"
#include "tracer/source/conditionals.h"
#include "tracer/source/tokens.h"
#include "tracer/trace/trace_macros.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <set>
#include <string_view>

namespace twiddle {
namespace {

// A trace's values have 16 bytes at most: a buffer of wider vectors is one of their components, a row for each vector.
void flatten(BufferInfo& buffer) {
  const ElementTraits& make = traits(buffer.type);
  if (make.bytes <= sizeof(Value::bits)) return;
  const std::uint64_t each = make.bytes / traits(make.scalar).bytes;  // a vector of 3 takes four
  buffer.shape = {buffer.count, each};
  buffer.count *= each;
  buffer.type = make.scalar;
}

std::string filter_text(const TraceOptions& options) {
  std::vector<std::string> parts;
  if (options.stages) parts.push_back(fmt::format("stages {}:{}", options.stages->first, options.stages->second));
  if (options.items) parts.push_back(fmt::format("items {}:{}", options.items->first, options.items->second));
  if (!options.buffers.empty()) parts.push_back(fmt::format("buffers {}", fmt::join(options.buffers, ",")));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// The variable that a trace line's buffer expression names: `F`, `(F)`, `&sum`, `&tile[0][0]`; empty for anything that
// shifts the indices.
std::string variable_of(std::string_view expression) {
  std::string text;
  for (char c : expression)
    if (c != ' ' && c != '(' && c != ')') text += c;
  if (!text.empty() && text[0] == '&') text.erase(0, 1);
  while (text.size() > 3 && text.compare(text.size() - 3, 3, "[0]") == 0) text.resize(text.size() - 3);
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), is_of_name);
  return plain ? text : std::string();
}

class Setup {
 public:
  Setup(PlanRun& run, const TraceOptions& options) : run_(run), plan_(run.plan()), options_(options) {}

  TraceSetup make() {
    describe();
    for (std::size_t l = 0; l < plan_.launches.size(); ++l) add_sources(plan_.launches[l]);
    for (std::size_t l = 0; l < plan_.launches.size(); ++l) add_launch(plan_.launches[l], static_cast<int>(l) + 1);
    check_buffer_filter();
    for (std::size_t l = 0; l < plan_.launches.size(); ++l) set_filter(setup_.launches[l], setup_.info.launches[l]);
    return std::move(setup_);
  }

 private:
  void describe() {
    TraceInfo& info = setup_.info;
    const DeviceInfo& device = run_.runtime().device();
    info.program = std::string("twiddle ") + program_version;
    info.created = now_utc();
    info.runtime = device.runtime;
    info.device = device.name;
    info.driver = device.driver;
    info.title = plan_.title;
    info.algorithm = plan_.algorithm;
    info.signal = plan_.signal;
    info.parameters = plan_.parameters;
    info.plan_toml = to_toml(plan_, run_.runtime().source_extension());
    info.expect = plan_.expect;
    info.detail = options_.detail;
    info.filter = filter_text(options_);
    setup_.filtered = !info.filter.empty();
    for (const Buffer& buffer : plan_.buffers) {
      BufferInfo one;
      one.name = buffer.name;
      one.type = buffer.type;
      one.count = buffer.count;
      one.shape = buffer.shape;
      flatten(one);
      one.space = buffer.space;
      one.initialised = buffer.content.kind != Content::Kind::Uninitialised;
      const auto number = static_cast<std::size_t>(&buffer - plan_.buffers.data());
      if (buffer.image || taken_as_image(number)) {
        const Image image = image_of(buffer);
        one.image = {image.width, image.height, image.depth};
      }
      info.buffers.push_back(std::move(one));
    }
  }

  bool taken_as_image(std::size_t buffer) const {
    const auto takes = [&](const Argument& argument) {
      const auto* given = std::get_if<BufferArgument>(&argument);
      return given && given->image && given->buffer == buffer;
    };
    return std::any_of(plan_.launches.begin(), plan_.launches.end(), [&](const Launch& launch) {
      return std::any_of(launch.arguments.begin(), launch.arguments.end(), takes);
    });
  }

  // The sources of a launch's program and their trace lines, each file once.
  void add_sources(const Launch& launch) {
    if (files_.count(launch.source)) return;
    std::vector<int>& files = files_[launch.source];
    for (const SourceText& file : run_.flat(launch).files) {
      std::vector<SourceText>& known = setup_.info.sources;
      const auto same = std::find_if(known.begin(), known.end(), [&](const SourceText& one) {
        return one.name == file.name && one.text == file.text;
      });
      const int index = static_cast<int>(same - known.begin());
      files.push_back(index);
      if (same != known.end()) continue;
      known.push_back(file);
      if (plan_.edited.contains(file.name)) {
        std::string& edited = setup_.info.parameters["edited"];
        edited += (edited.empty() ? "" : ", ") + file.name;
      }
      std::vector<Site> sites = find_sites(file.text, index);
      check_kernels(file, sites);
      for (Site& site : sites) setup_.info.sites.push_back(std::move(site));
    }
  }

  // A kernel with trace lines and nowhere to log to keeps its whole file from compiling.
  static void check_kernels(const SourceText& file, const std::vector<Site>& sites) {
    if (sites.empty()) return;
    for (const std::string& name : kernel_names(file.text)) {
      const KernelSignature kernel = kernel_signature(file.text, name);
      const auto inside = [&](const Site& site) {
        return site.line >= kernel.first_line && site.line <= kernel.last_line;
      };
      if (!kernel.takes_trace && std::any_of(sites.begin(), sites.end(), inside))
        throw usage_error(
            "{}: kernel {} has trace lines but no TRACE_PARAMS at the end of its parameters; add it there", file.name,
            name);
    }
  }

  void add_launch(const Launch& launch, int number) {
    run_.check_arguments(launch, number);
    const KernelSignature& kernel = run_.signature(launch);
    const int source = source_of(launch);

    LaunchInfo info;
    info.number = number;
    info.source = source;
    info.kernel = launch.kernel;
    info.label = launch.label;
    info.stage = launch.stage;
    info.dimensions = launch.dimensions;
    info.global = launch.global;
    info.local = launch.local;
    info.cooperative = launch.cooperative;
    for (const Argument& argument : launch.arguments) info.arguments.push_back(argument_text(plan_, argument));
    if (info.items() > 0xffffffffu)
      throw usage_error("launch {} has {} work-items; at most {} can be traced", number, info.items(), 0xffffffffu);
    setup_.info.launches.push_back(info);

    TracedLaunch traced;
    std::map<std::string, int> variables = add_variables(launch, kernel, number, traced);
    add_registers(kernel, source, variables);
    ask_for_accesses(launch, number, kernel, traced, variables);
    bool barriers = false;
    const std::set<int> seen = lines_seen(source, launch.defines);
    for (std::size_t s = 0; s < setup_.info.sites.size(); ++s) {
      const Site& site = setup_.info.sites[s];
      if (site.source != source || site.line < kernel.first_line || site.line > kernel.last_line) continue;
      if (!seen.contains(site.line)) continue;
      traced.sites.push_back(resolve(site, static_cast<int>(s), variables));
      barriers = barriers || traced.sites.back().shape == Shape::Barrier;
    }
    check_lines(traced.sites, source);
    traced.traced = !traced.sites.empty();
    traced.one_segment = !barriers && !kernel.sets_stage;
    traced.first_slots = 0;
    for (const SiteOfLaunch& site : traced.sites) {
      traced.first_words = std::max(traced.first_words, words_of(site));
      // What goes through all registers of an item is a loop that the compiler unrolls.
      traced.first_slots += std::max({1u, site.registers[0], site.registers[1]});
    }
    traced.first_slots = std::max<std::uint32_t>(traced.first_slots, 1);
    if (!traced.traced && !traced.logged && quiet_.insert(launch.kernel).second)
      setup_.notes.push_back(traced.no_accesses.empty()
                                 ? Message("kernel {} has no trace lines: what it does is not logged", launch.kernel)
                                 : Message("kernel {} has no trace lines, and its accesses cannot be logged: {}",
                                           launch.kernel, traced.no_accesses));
    if (options_.stages && !kernel.sets_stage &&
        (launch.stage < options_.stages->first || launch.stage > options_.stages->second))
      traced.traced = false;
    if (options_.items && options_.items->first >= info.items()) traced.traced = traced.logged = false;
    setup_.launches.push_back(std::move(traced));
  }

  // The lines of a source that the compiler sees with these defines, as far as its text tells.
  std::set<int> lines_seen(int source, const std::vector<std::string>& defines) const {
    Macros macros;
    for (const std::string_view define : defines) {
      const std::size_t equals = define.find('=');
      macros[define.substr(0, equals)] = equals == std::string_view::npos ? "1" : define.substr(equals + 1);
    }
    const std::vector<Token> tokens = tokenize(setup_.info.sources[source].text);
    std::set<int> lines;
    for (const Token& token : seen_by_compiler(tokens, macros)) lines.insert(token.line);
    return lines;
  }

  int source_of(const Launch& launch) const {
    for (int file : files_.at(launch.source)) {
      const std::vector<std::string> names = kernel_names(setup_.info.sources[file].text);
      if (std::find(names.begin(), names.end(), kernel_base_name(launch.kernel)) != names.end()) return file;
    }
    return files_.at(launch.source).front();
  }

  // What the kernel's names stand for in this launch: its parameters' buffers, and its local arrays, which become
  // buffers of the trace.
  std::map<std::string, int> add_variables(const Launch& launch, const KernelSignature& kernel, int number,
                                           TracedLaunch& traced) {
    std::map<std::string, int> variables;
    const bool local_is_parameter = run_.runtime().source_extension() == ".cl";
    std::vector<const LocalArgument*> dynamic;  // CUDA: not among the parameters
    std::size_t parameter = 0;
    for (const Argument& argument : launch.arguments) {
      const auto* local = std::get_if<LocalArgument>(&argument);
      int pointers = 0;  // of a struct
      traced.arguments.push_back(-1);
      if (local && !local_is_parameter) {
        dynamic.push_back(local);
        continue;
      }
      if (const auto* buffer = std::get_if<BufferArgument>(&argument))
        traced.arguments.back() = variables[kernel.parameters[parameter]] = static_cast<int>(buffer->buffer);
      else
        for (const std::size_t pointed : buffers_of(argument)) {
          const auto place = std::pair(static_cast<int>(traced.arguments.size()) - 1, pointers++);
          traced.pointers[place] = static_cast<int>(pointed);
        }
      if (local)
        for (const LocalArray& array : kernel.locals)
          if (array.parameter == static_cast<int>(parameter))
            traced.arguments.back() = variables[array.name] =
                add_local(array, local->bytes / traits(array.type).bytes, number);
      // Of structs, whose elements the source alone does not tell: words, or bytes.
      if (local && traced.arguments.back() < 0 && parameter < kernel.parameters.size()) {
        const ElementType type = local->bytes % sizeof(std::int32_t) == 0 ? ElementType::Int : ElementType::UChar;
        const LocalArray array{kernel.parameters[parameter], type, 0, static_cast<int>(parameter)};
        traced.arguments.back() = variables[array.name] = add_local(array, local->bytes / traits(type).bytes, number);
      }
      ++parameter;
    }
    std::size_t dynamic_bytes = 0;
    for (const LocalArgument* local : dynamic) dynamic_bytes += local->bytes;
    for (const LocalArray& array : kernel.locals)
      if (array.parameter < 0)
        variables[array.name] =
            add_local(array, array.dynamic ? dynamic_bytes / traits(array.type).bytes : array.count, number);
    return variables;
  }

  // Arrays that each item has for itself, where trace lines name them: the group's together are a local array with a row an
  // item, so that diagrams and the replay need to know nothing of them.
  void add_registers(const KernelSignature& kernel, int source, std::map<std::string, int>& variables) {
    const LaunchInfo& launch = setup_.info.launches.back();
    for (const LocalArray& array : kernel.registers) {
      const bool named = std::any_of(setup_.info.sites.begin(), setup_.info.sites.end(), [&](const Site& site) {
        return site.source == source && site.line >= kernel.first_line && site.line <= kernel.last_line &&
               std::any_of(site.names.begin(), site.names.end(),
                           [&](const std::string& name) { return variable_of(name) == array.name; });
      });
      if (!named || variables.count(array.name)) continue;
      const int buffer = variables[array.name] = add_local(array, launch.group_size() * array.count, launch.number);
      setup_.info.buffers[buffer].shape = {launch.group_size(), array.count, 1};
    }
  }

  int add_local(const LocalArray& array, std::uint64_t count, int number) {
    BufferInfo info;
    info.name = array.name;
    info.type = array.type;
    info.count = count;
    info.shape = {count};
    info.space = Space::Local;
    info.initialised = false;
    info.launch = number;
    flatten(info);
    setup_.info.buffers.push_back(std::move(info));
    return static_cast<int>(setup_.info.buffers.size()) - 1;
  }

  // Whether the launch's accesses are to be logged, and if so the kernel's variables, which become buffers of the trace.
  // What the compiler says of an array goes before what its declaration looks like.
  // The catalogue's kernels say themselves what they do, but for those without trace lines.
  void ask_for_accesses(const Launch& launch, int number, const KernelSignature& kernel, TracedLaunch& traced,
                        std::map<std::string, int>& variables) {
    const bool own = !plan_.directory.empty() || !kernel.takes_trace;
    if (options_.accesses == Accesses::None || (options_.accesses == Accesses::Auto && !own)) return;
    // A GPU's compiler merges and drops accesses that lines tell of: what they say is not held against it unasked.
    if (options_.accesses == Accesses::Auto && kernel.takes_trace && setup_.info.runtime == "cuda")
      traced.no_accesses = Message("its trace lines say what it does; --accesses all logs what it does besides");
    else
      traced.no_accesses = run_.no_accesses(launch);
    traced.logged = traced.no_accesses.empty();
    if (!traced.logged) return;
    std::uint64_t handed_over = 0;  // local memory of the launch, in CUDA the kernel's dynamic shared array
    for (const Argument& argument : launch.arguments)
      if (const auto* local = std::get_if<LocalArgument>(&argument)) handed_over += local->bytes;
    std::set<int> taken;  // arrays that the source told of, and the compiler, too
    for (AccessRange& range : run_.variables(launch)) {
      if (range.space == Space::Local && range.bytes == 0) range.bytes = handed_over;
      if (range.bytes % traits(range.type).bytes != 0)
        range.type = ElementType::UChar;  // bool, or a struct of any size
      const std::uint64_t bytes = traits(range.type).bytes;
      const auto known = variables.find(range.name);
      int buffer = -1;
      if (range.space == Space::Local && known != variables.end() &&
          setup_.info.buffers[known->second].space == Space::Local && taken.insert(known->second).second) {
        buffer = known->second;
        BufferInfo& array = setup_.info.buffers[buffer];
        if (range.bytes > 0 && array.count * traits(array.type).bytes != range.bytes) {
          array.type = range.type;
          array.count = range.bytes / bytes;
          array.shape = {array.count};
        }
      } else {
        BufferInfo array;
        array.name = range.name;
        array.type = range.type;
        array.count = range.bytes / bytes;
        array.shape = {array.count};
        array.space = range.space;
        array.initialised = range.initialised;
        array.launch = number;
        buffer = static_cast<int>(setup_.info.buffers.size());
        setup_.info.buffers.push_back(std::move(array));
        if (range.space == Space::Local) variables.emplace(range.name, buffer);
        taken.insert(buffer);  // another instantiation of the kernel may have an array of this name
      }
      traced.variables.push_back({std::move(range), buffer});
    }
  }

  SiteOfLaunch resolve(const Site& site, int index, const std::map<std::string, int>& variables) {
    SiteOfLaunch resolved;
    resolved.site = index;
    resolved.first_line = site.line;
    resolved.last_line = site.last_line;
    resolved.group_items = setup_.info.launches.back().group_size();
    if (const TraceMacro* macro = macro_named(site.macro)) resolved.shape = macro->shape;
    if (site.last_line >= static_cast<int>(LogLayout::line_count))
      throw usage_error("{} has a trace line at line {}; trace lines must be in a file's first {} lines",
                        setup_.info.sources[site.source].name, site.last_line, LogLayout::line_count - 1);
    for (std::size_t n = 0; n < 2; ++n) {
      if (site.names[n].empty()) continue;
      const auto found = variables.find(variable_of(site.names[n]));
      if (found != variables.end()) {
        resolved.buffers[n] = found->second;
        const BufferInfo& buffer = setup_.info.buffers[found->second];
        resolved.element[n] = buffer.type;
        if (is_registers(buffer)) resolved.registers[n] = static_cast<std::uint32_t>(buffer.shape[1]);
      } else if (unknown_.insert({index, n}).second)
        setup_.notes.push_back(
            Message("{} line {} names {}, which is neither a parameter nor a local array of its kernel: "
                    "the buffer of its operations is unknown",
                    setup_.info.sources[site.source].name, site.line, site.names[n]));
    }
    return resolved;
  }

  // Headers tell trace lines apart by line and shape alone.
  void check_lines(const std::vector<SiteOfLaunch>& sites, int source) const {
    for (std::size_t i = 1; i < sites.size(); ++i) {
      const SiteOfLaunch &a = sites[i - 1], &b = sites[i];
      const bool different = a.buffers[0] != b.buffers[0] || a.buffers[1] != b.buffers[1];
      if (a.shape == b.shape && b.first_line <= a.last_line && different)
        throw usage_error("{} line {} has two {} of different buffers; put each on a line of its own",
                          setup_.info.sources[source].name, b.first_line, setup_.info.sites[b.site].macro);
    }
  }

  // A guess at what the device will need; it says when that was too little.
  std::uint32_t words_of(const SiteOfLaunch& site) const {
    ElementType type = ElementType::Int;
    bool known = false;
    for (int buffer : site.buffers) {
      if (buffer < 0) continue;
      ElementType one = setup_.info.buffers[buffer].type;
      if (traits(one).bytes < sizeof(std::uint32_t)) one = ElementType::UInt;  // as wide as the log has them
      if (!known || traits(one).bytes > traits(type).bytes) type = one;
      known = true;
    }
    if (!known) type = ElementType::Float2;
    return slot_words(site.shape, type, type, options_.detail);
  }

  void check_buffer_filter() {
    std::vector<std::string> names;
    for (const BufferInfo& buffer : setup_.info.buffers) names.push_back(buffer.name);
    for (const std::string& wanted : options_.buffers) {
      if (std::find(names.begin(), names.end(), wanted) != names.end()) continue;
      throw usage_error("no buffer is called {}{}", wanted, did_you_mean(wanted, names));
    }
  }

  void set_filter(TracedLaunch& traced, const LaunchInfo& launch) {
    LogFilter& filter = traced.filter;
    if (options_.stages) {
      filter.first_stage = static_cast<std::uint32_t>(std::clamp(options_.stages->first, 0, 0xffff));
      filter.last_stage = static_cast<std::uint32_t>(std::clamp(options_.stages->second, 0, 0xffff));
    }
    filter.last_item = launch.items() - 1;
    if (options_.items) {
      filter.first_item = options_.items->first;
      filter.last_item = std::min(filter.last_item, options_.items->second);
    }
    if (options_.buffers.empty() || !traced.traced) return;
    bool any = false;
    for (const SiteOfLaunch& site : traced.sites) {
      const bool wanted = std::any_of(std::begin(site.buffers), std::end(site.buffers), [&](int buffer) {
        return buffer >= 0 && std::find(options_.buffers.begin(), options_.buffers.end(),
                                        setup_.info.buffers[buffer].name) != options_.buffers.end();
      });
      if (wanted) filter.lines.emplace_back(site.first_line, site.last_line);
      any = any || wanted;
    }
    if (!any) traced.traced = false;
  }

  PlanRun& run_;
  const Plan& plan_;
  const TraceOptions& options_;
  TraceSetup setup_;
  std::map<std::string, std::vector<int>> files_;  // a launch's source → its files among TraceInfo::sources
  std::set<std::string> quiet_;
  std::set<std::pair<int, std::size_t>> unknown_;
};

}  // namespace

int TracedLaunch::buffer_of(const AccessRange& range) const {
  if (const auto pointed = pointers.find({range.argument, range.pointer}); pointed != pointers.end())
    return pointed->second;
  if (range.argument >= 0 && range.argument < std::ssize(arguments) &&
      arguments[static_cast<std::size_t>(range.argument)] >= 0)
    return arguments[static_cast<std::size_t>(range.argument)];
  int best = -1;
  for (const Variable& variable : variables) {
    if (variable.range.name != range.name || variable.range.space != range.space ||
        variable.range.function != range.function)
      continue;
    // Instances of a template have arrays of one name and several sizes.
    if (variable.range.bytes == range.bytes) return variable.buffer;
    if (best < 0) best = variable.buffer;
  }
  return best;
}

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

TraceSetup set_up_trace(PlanRun& run, const TraceOptions& options) { return Setup(run, options).make(); }

}  // namespace twiddle
