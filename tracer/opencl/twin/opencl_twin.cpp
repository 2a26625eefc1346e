#include "tracer/opencl/twin/opencl_twin.h"

#include "base/error.h"
#include "base/text.h"
#include "tracer/opencl/devices/opencl_build_log.h"
#include "tracer/opencl/devices/opencl_describe.h"
#include "tracer/runtime/kernel_fault.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

namespace twiddle {
namespace {

// A log that is made before anything is counted: at most so large, with room for so many records of an item.
constexpr std::uint64_t likely_bytes = 4 << 20, min_likely = 16, max_likely = 256;
// How often a launch runs again for a log in which it had no room, and what an item can make at all.
constexpr int max_tries = 6;
constexpr std::uint32_t max_records = std::uint32_t(1) << 28;
constexpr std::size_t max_shapes = 8;  // of a kernel's launches, whose counts are kept

// Macros that a compiler may define by itself; other names that a program asks for are its own.
bool may_be_the_compilers(const std::string& name) {
  constexpr std::array<std::string_view, 5> begins{"__", "cl_", "CL_", "FP_FAST_", "POCL_"};
  return std::any_of(begins.begin(), begins.end(),
                     [&](std::string_view with) { return name.compare(0, with.size(), with) == 0; });
}

// "NAME=VALUE" of those macros that the device's compiler defines: a kernel writes them down.
std::vector<std::string> macros_of_the_compiler(const cl::Context& context, const cl::CommandQueue& queue,
                                                const cl::Device& device, const std::vector<std::string>& names,
                                                const std::string& options) {
  constexpr std::size_t max_bytes = 65536;
  std::string text =
      "#define TW_TEXT_OF(x) #x\n#define TW_TEXT(x) TW_TEXT_OF(x)\n"
      "kernel void twiddle_macros(global char*out,int room){int n=0;\n";
  bool any = false;
  for (const std::string& name : names) {
    if (!may_be_the_compilers(name)) continue;
    any = true;
    text += "#ifdef " + name + "\n{constant char*v=\"" + name + "=\" TW_TEXT(" + name +
            ") \"\\n\";for(int i=0;v[i]&&n<room-1;i++)out[n++]=v[i];}\n#endif\n";
  }
  if (!any) return {};
  text += "out[n]=0;}\n";
  cl::Program program(context, text);
  build_program(program, device, options);
  cl::Kernel kernel(program, "twiddle_macros");
  cl::Buffer out(context, CL_MEM_WRITE_ONLY, max_bytes);
  kernel.setArg(0, out);
  kernel.setArg(1, static_cast<cl_int>(max_bytes));
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1));
  std::string found(max_bytes, '\0');
  queue.enqueueReadBuffer(out, CL_TRUE, 0, found.size(), found.data());
  std::istringstream lines(found.c_str());
  std::vector<std::string> macros;
  for (std::string line; std::getline(lines, line);) macros.push_back("-D" + line);
  return macros;
}

std::string language_in(const std::vector<std::string>& options) {
  const auto named = std::find_if(options.begin(), options.end(),
                                  [](const std::string& option) { return option.starts_with("-cl-std="); });
  return named == options.end() ? std::string() : *named;
}

// Whether its compiler may have OpenCL C 3.0 with a generic address space: those that have it say so, but not which language they
// take a program for that names none.
bool may_have_generic_space(const cl::Device& device) {
  // CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, which older headers lack.
  constexpr cl_device_info generic_support = 0x1069;
  // "OpenCL 3.0 PoCL …".
  const std::string version = device.getInfo<CL_DEVICE_VERSION>();
  constexpr std::size_t digits_at = std::string_view("OpenCL ").size();
  if (version.size() <= digits_at || version[digits_at] < '3') return false;
  cl_bool has = CL_TRUE;
  const cl_int status = clGetDeviceInfo(device(), generic_support, sizeof has, &has, nullptr);
  return status != CL_SUCCESS || has == CL_TRUE;
}

// The language is the compiler's where the build names none, and what it has of OpenCL C 3.0 is up to the device: PoCL takes
// 3.0, since version 6 with a generic address space, so that pointers have other types than in 1.2. What is optional there, such as
// images, are features that have to be asked for one by one. To ask the compiler takes it as long as a small program of its own.
void take_language(RewriterTarget& target, const cl::Context& context, const cl::CommandQueue& queue,
                   const cl::Device& device) {
  const std::string named = language_in(target.options);
  const std::string generic = "__opencl_c_generic_address_space";
  const std::vector<std::string> features{generic,
                                          "__opencl_c_images",
                                          "__opencl_c_read_write_images",
                                          "__opencl_c_atomic_order_acq_rel",
                                          "__opencl_c_atomic_order_seq_cst",
                                          "__opencl_c_atomic_scope_device",
                                          "__opencl_c_atomic_scope_all_devices",
                                          "__opencl_c_program_scope_global_variables",
                                          "__opencl_c_subgroups",
                                          "__opencl_c_work_group_collective_functions",
                                          "__opencl_c_int64"};
  if (!named.empty() && named != "-cl-std=CL3.0") return;
  if (named.empty() && !may_have_generic_space(device)) return;
  std::vector<std::string> asked{"__OPENCL_C_VERSION__"};
  asked.insert(asked.end(), features.begin(), features.end());
  const auto macros = macros_of_the_compiler(context, queue, device, asked, named);
  const auto has = [&](const std::string& macro) {
    return std::any_of(macros.begin(), macros.end(), [&](const std::string& one) { return one.starts_with(macro); });
  };
  if (!has("-D__OPENCL_C_VERSION__=300") || (named.empty() && !has("-D" + generic + "=1"))) return;
  if (named.empty()) target.options.emplace_back("-cl-std=CL3.0");
  for (const std::string& feature : features)
    if (has("-D" + feature + "=1")) target.extensions.push_back(feature);
}

// Memory in pages of 2 MiB where the system has them: each page's first access costs as much as fifty records. Null where there
// is no memory.
std::shared_ptr<std::byte> large_pages(std::size_t bytes) {
  constexpr std::size_t page = std::size_t(2) << 20;
  const std::size_t size = (bytes + page - 1) / page * page;
  void* memory = std::aligned_alloc(page, size);
  if (!memory) return nullptr;
  madvise(memory, size, MADV_HUGEPAGE);
  return {static_cast<std::byte*>(memory), std::free};
}

// What the twin is built with. Macros and folders are the rewriter's: its text has them in place. A warning about what the
// rewriter wrote is no error.
std::string twin_options(const std::vector<std::string>& options) {
  std::string text;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& option = options[i];
    const bool macro = option.starts_with("-D") || option.starts_with("-U") || option.starts_with("-I");
    if (macro && option.size() == 2) ++i;
    if (macro || option == "-Werror" || option == "-create-library") continue;
    text += option + " ";
  }
  return text + "-w -cl-kernel-arg-info";
}

}  // namespace

BuiltTwin build_twin(const cl::Context& context, const cl::CommandQueue& queue, const cl::Device& device,
                     const DeviceInfo& info, const ProgramSource& source, const TwinBuild& build) {
  BuiltTwin built;
  std::vector<std::string> options = options_of(source, true);
  options.insert(options.end(), build.options.begin(), build.options.end());
  try {
    RewriterTarget target;
    target.options = options;
    target.headers = build.headers;
    target.extensions = words_of(tidy_opencl_text(device.getInfo<CL_DEVICE_EXTENSIONS>()));
    target.address_bits = device.getInfo<CL_DEVICE_ADDRESS_BITS>();
    take_language(target, context, queue, device);
    built.twin = rewrite_opencl(source, target);
    if (const auto macros = macros_of_the_compiler(context, queue, device, built.twin.tested, language_in(options));
        !macros.empty()) {
      target.options.insert(target.options.end(), macros.begin(), macros.end());
      built.twin = rewrite_opencl(source, target);
    }
    built.program = cl::Program(context, AccessLogLayout::defines(info.kind == "cpu") + built.twin.text);
    build_program(built.program, device, twin_options(options));
  } catch (const cl::BuildError& error) {
    std::string log;
    for (const auto& [which, text] : error.getBuildLog()) log += text;
    log = readable_build_log(log, source.name);
    built.why_not = Message("{} does not compile any more when it logs its accesses: {}", source.name,
                            log.substr(0, log.find('\n')));
  } catch (const cl::Error& error) {
    built.why_not =
        Message("{} cannot log its accesses on {}: {}", source.name, info.name, opencl_error_name(error.err()));
  } catch (const Error& error) { built.why_not = error.message(); }
  return built;
}

BuiltTwin::Kernel& twin_kernel(BuiltTwin& twin, const cl::Device& device, const KernelCall& call) {
  auto known = twin.kernels.find(call.kernel);
  if (known == twin.kernels.end()) {
    const auto description = std::find_if(twin.twin.kernels.begin(), twin.twin.kernels.end(),
                                          [&](const TwinKernel& kernel) { return kernel.name == call.kernel; });
    if (description == twin.twin.kernels.end()) throw usage_error("kernel {} cannot log its accesses", call.kernel);
    BuiltTwin::Kernel kernel;
    kernel.kernel = cl::Kernel(twin.program, call.kernel.c_str());
    kernel.description = &*description;
    kernel.max_group = kernel.kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device);
    known = twin.kernels.emplace(call.kernel, std::move(kernel)).first;
  }
  return known->second;
}

RawAccesses LoggedLaunch::run(const Twin& twin, BuiltTwin::Kernel& kernel, const KernelCall& call,
                              const AccessRequest& request, std::span<const ArgumentMemory> arguments,
                              const std::vector<std::pair<cl::Buffer, std::size_t>>& written, const Launch& launch,
                              bool once) {
  RawAccesses raw;
  const Take take = [&](const AccessLogLayout& layout, std::span<const std::uint64_t> words, auto) {
    raw = read_access_log(twin, *kernel.description, layout, words, arguments);
  };
  double nanoseconds = 0;
  try {
    nanoseconds = log(twin, kernel, call, request, written, launch, take, once);
  } catch (KernelFault& fault) {
    if (raw.begin.size() > 1) fault.accesses = std::make_shared<RawAccesses>(std::move(raw));
    throw;
  }
  raw.device_ns = nanoseconds;
  return raw;
}

double LoggedLaunch::log(const Twin& twin, BuiltTwin::Kernel& kernel, const KernelCall& call,
                         const AccessRequest& request, const std::vector<std::pair<cl::Buffer, std::size_t>>& written,
                         const Launch& launch, const Take& take, bool once) {
  AccessLogLayout layout;
  std::uint64_t items = 1;
  layout.groups = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    items *= call.global[d];
    layout.group_size *= call.local[d];
    layout.groups *= call.global[d] / call.local[d];
  }
  layout.first_item = std::min(request.first_item, items);
  layout.items = std::min(request.items, items - layout.first_item);
  layout.bases = twin.bases;
  layout.group_bases = twin.group_bases;
  layout.rows = info_.kind == "cpu";

  // The kernel leaves the same bits in its buffers however often it runs.
  std::vector<cl::Buffer> saved;
  for (const auto& [buffer, bytes] : written) {
    saved.emplace_back(context_, CL_MEM_READ_WRITE, std::max<std::size_t>(bytes, 1));
    if (bytes) queue_.enqueueCopyBuffer(buffer, saved.back(), 0, 0, bytes);
  }
  const auto restore = [&] {
    for (std::size_t i = 0; i < written.size(); ++i)
      if (written[i].second) queue_.enqueueCopyBuffer(saved[i], written[i].first, 0, 0, written[i].second);
  };

  const std::array<std::uint64_t, 8> shape{call.global[0], call.global[1], call.global[2],    call.local[0],
                                           call.local[1],  call.local[2],  layout.first_item, layout.items};
  const std::uint64_t max_bytes = std::min<std::uint64_t>(request.max_bytes, info_.max_buffer);
  double nanoseconds = 0;
  const auto count = [&] {
    layout.make_rooms({}, 0);
    std::vector<std::uint32_t> counts = pass(layout, true, launch, nanoseconds);
    restore();
    return counts;
  };
  const auto remembered = kernel.counts.find(shape);
  const std::uint64_t likely = layout.items > 0 ? std::min(max_likely, likely_bytes / 16 / layout.items) : 0;
  const bool likely_enough = once && layout.rows && remembered == kernel.counts.end() && likely >= min_likely;
  std::vector<std::uint32_t> expected =
      likely_enough                       ? std::vector<std::uint32_t>(layout.items, static_cast<std::uint32_t>(likely))
      : remembered != kernel.counts.end() ? remembered->second
                                          : count();
  for (int tries = 0;; ++tries) {
    layout.make_rooms(expected, max_bytes);
    std::vector<std::uint32_t> counts;
    try {
      counts = pass(layout, false, launch, nanoseconds);
    } catch (const KernelFault&) {
      if (pages_ && likely_enough) take(layout, words_when_stopped(layout), expected);
      throw;
    }
    // What was remembered need not be so again: then what was found now makes room for itself. Items that wait for others make
    // another number of records each time: twice as much as was ever found, until it suffices.
    const bool more = !std::equal(counts.begin(), counts.end(), expected.begin(),
                                  [](std::uint32_t now, std::uint32_t then) { return now <= then; });
    if (!more || tries == max_tries) {
      expected = std::move(counts);
      break;
    }
    if (tries == 0)
      expected = std::move(counts);
    else
      for (std::size_t i = 0; i < counts.size(); ++i)
        expected[i] = 2 * std::min(std::max(expected[i], counts[i]), max_records / 2);
    restore();
  }
  if (kernel.counts.size() >= max_shapes && remembered == kernel.counts.end()) kernel.counts.clear();
  kernel.counts[shape] = expected;

  const auto* words = static_cast<const std::uint64_t*>(
      queue_.enqueueMapBuffer(log_, CL_TRUE, CL_MAP_READ, 0, layout.size() * sizeof(std::uint64_t)));
  take(layout, {words, layout.size()}, expected);
  queue_.enqueueUnmapMemObject(log_, const_cast<std::uint64_t*>(words));
  queue_.finish();
  return nanoseconds;
}

// The log of a kernel that is in the middle of it, which no queue reads any more. Items that did not come to their end have
// not said how many records they made: theirs end where nothing was written.
std::vector<std::uint64_t> LoggedLaunch::words_when_stopped(const AccessLogLayout& layout) const {
  const auto* first = reinterpret_cast<const std::uint64_t*>(pages_.get());
  std::vector<std::uint64_t> words(first, first + layout.size());
  auto* counts = reinterpret_cast<std::uint32_t*>(words.data() + layout.counts_at());
  for (std::uint64_t item = 0; item < layout.items; ++item) {
    const std::uint64_t start =
        layout.rooms[item / AccessLogLayout::block] + item % AccessLogLayout::block * layout.room(item);
    while (counts[item] < layout.room(item)) {
      const std::uint64_t* record = words.data() + 2 * (start + counts[item]);
      if (record[0] == 0 && record[1] == 0) break;
      ++counts[item];
    }
  }
  return words;
}

void LoggedLaunch::make_log(std::uint64_t words) {
  if (words <= log_words_) return;
  log_ = cl::Buffer();
  pages_.reset();
  log_words_ = 0;
  const std::size_t bytes = words * sizeof(std::uint64_t);
  if (info_.kind == "cpu") pages_ = large_pages(bytes);
  log_ = pages_ ? cl::Buffer(context_, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, pages_.get())
                : cl::Buffer(context_, CL_MEM_READ_WRITE, bytes);
  log_words_ = words;
}

// One launch. Gives back how many records each item made, or would have.
std::vector<std::uint32_t> LoggedLaunch::pass(AccessLogLayout& layout, bool counting, const Launch& launch,
                                              double& nanoseconds) {
  constexpr std::uint64_t word = sizeof(std::uint64_t);
  make_log(layout.size());
  const std::vector<std::uint64_t> head = layout.head();
  queue_.enqueueWriteBuffer(log_, CL_TRUE, 0, head.size() * word, head.data());
  // A small log is empty at first, so that what a stopped kernel wrote can be told.
  const std::uint64_t cleared = layout.size() * word <= likely_bytes * 2 ? layout.size() : layout.records_at();
  if (const std::uint64_t rest = cleared - layout.counts_at())
    queue_.enqueueFillBuffer(log_, cl_ulong{0}, layout.counts_at() * word, rest * word);
  nanoseconds = launch(log_, counting);
  std::vector<std::uint32_t> counts(layout.items);
  if (!counts.empty())
    queue_.enqueueReadBuffer(log_, CL_TRUE, layout.counts_at() * word, counts.size() * sizeof(std::uint32_t),
                             counts.data());
  return counts;
}

}  // namespace twiddle
