#include "record/opencl/programs.h"

#include "record/opencl/driver.h"
#include "record/opencl/state.h"
#include "tracer/source/tokens.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

namespace twiddle::layer {
namespace {

// Never destroyed: what they hold is the driver's, which may be gone when the process ends.
std::map<cl_program, std::shared_ptr<ProgramRecord>>& programs() {
  static auto* const all = new std::map<cl_program, std::shared_ptr<ProgramRecord>>;
  return *all;
}
std::map<cl_kernel, KernelRecord>& kernels() {
  static auto* const all = new std::map<cl_kernel, KernelRecord>;
  return *all;
}

std::shared_ptr<ProgramRecord> record_of(cl_program program) {
  const auto found = programs().find(program);
  return found == programs().end() ? nullptr : found->second;
}

std::shared_ptr<ProgramRecord> add(cl_program program, cl_context context) {
  static int made = 0;
  auto record = std::make_shared<ProgramRecord>();
  record->context = context;
  record->number = ++made;
  programs()[program] = record;
  return record;
}

// What programs were made of whose binaries the application has read in this process, by the binaries' sizes and hashes.
using BinaryKey = std::pair<std::size_t, std::size_t>;
std::map<BinaryKey, std::vector<Unit>>& read_binaries() {
  static auto* const all = new std::map<BinaryKey, std::vector<Unit>>;
  return *all;
}

BinaryKey key_of(const unsigned char* bytes, std::size_t size) {
  return {size, std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes), size})};
}

// The units of which all these binaries are; null: they are of programs that were not seen.
const std::vector<Unit>* units_of(cl_uint count, const std::size_t* lengths, const unsigned char** binaries) {
  const std::vector<Unit>* units = nullptr;
  for (cl_uint i = 0; i < count; ++i) {
    if (!binaries[i]) return nullptr;
    const auto found = read_binaries().find(key_of(binaries[i], lengths[i]));
    if (found == read_binaries().end()) return nullptr;
    units = &found->second;
  }
  return units;
}

CL_API_ENTRY cl_int CL_API_CALL program_info(cl_program program, cl_program_info what, std::size_t size, void* value,
                                             std::size_t* needed) {
  const cl_int status = driver->clGetProgramInfo(program, what, size, value, needed);
  if (status != CL_SUCCESS || what != CL_PROGRAM_BINARIES || !value) return status;
  const Locked locked(layer_lock());
  const auto record = record_of(program);
  if (!record || !record->unseen.empty() || record->units.empty()) return status;
  std::vector<std::size_t> sizes(size / sizeof(unsigned char*));
  if (driver->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizes.size() * sizeof(std::size_t), sizes.data(),
                               nullptr) != CL_SUCCESS)
    return status;
  auto** const binaries = static_cast<unsigned char**>(value);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (binaries[i] && sizes[i] > 0) read_binaries()[key_of(binaries[i], sizes[i])] = record->units;
  return status;
}

// Words of build options; quotation marks keep spaces.
std::vector<std::string> option_words(const char* options) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false, any = false;
  const auto end = [&] {
    if (any || !word.empty()) words.push_back(word);
    word.clear();
    any = false;
  };
  for (; options && *options; ++options) {
    if (*options == '"') {
      quoted = !quoted;
      any = true;
    } else if (!quoted && std::isspace(static_cast<unsigned char>(*options))) {
      end();
    } else {
      word += *options;
    }
  }
  end();
  return words;
}

using Notify = void(CL_CALLBACK*)(cl_program, void*);

CL_API_ENTRY cl_program CL_API_CALL create_with_source(cl_context context, cl_uint count, const char** strings,
                                                       const std::size_t* lengths, cl_int* error) {
  cl_program program = driver->clCreateProgramWithSource(context, count, strings, lengths, error);
  const Locked locked(layer_lock());
  Recording* recording = Recording::get();
  if (!program || !recording) return program;
  recording->count(RecordCounts::Programs);
  const auto record = add(program, context);
  for (cl_uint i = 0; i < count; ++i)
    record->text += lengths && lengths[i] ? std::string(strings[i], lengths[i]) : std::string(strings[i]);
  return program;
}

cl_program without_text(cl_program program, cl_context context, const char* why) {
  const Locked locked(layer_lock());
  if (Recording* recording = Recording::get(); program && recording) {
    recording->count(RecordCounts::Others);
    add(program, context)->unseen = why;
  }
  return program;
}

constexpr const char* of_intermediate_language =
    "its program was made of an intermediate language (SPIR or SPIR-V): there is no source to log its accesses in";

// SPIR is handed over as a binary; so is SPIR-V where drivers take it. No driver leaves it in a cache.
bool is_intermediate_language(const unsigned char* binary, std::size_t size) {
  constexpr std::string_view begins[] = {"BC\xc0\xde", "\xde\xc0\x17\x0b", "\x03\x02\x23\x07", "\x07\x23\x02\x03"};
  const std::string_view bytes(reinterpret_cast<const char*>(binary), binary ? size : 0);
  return std::any_of(std::begin(begins), std::end(begins),
                     [&](std::string_view one) { return bytes.starts_with(one); });
}

// What the program built itself is known by its source. Others are refused as stale, as after an update of the driver: programs
// that cache binaries then build from source, which can be seen.
CL_API_ENTRY cl_program CL_API_CALL create_with_binary(cl_context context, cl_uint count, const cl_device_id* devices,
                                                       const std::size_t* lengths, const unsigned char** binaries,
                                                       cl_int* status, cl_int* error) {
  const Locked locked(layer_lock());
  Recording* recording = Recording::get();
  const std::vector<Unit>* units =
      recording && devices && lengths && binaries ? units_of(count, lengths, binaries) : nullptr;
  if (units) {
    cl_program program = driver->clCreateProgramWithBinary(context, count, devices, lengths, binaries, status, error);
    if (!program) return program;
    recording->count(RecordCounts::Programs);
    const auto record = add(program, context);
    record->units = *units;
    record->of_binaries = true;
    return program;
  }
  if (recording && lengths && binaries && count > 0 && is_intermediate_language(binaries[0], lengths[0]))
    return without_text(driver->clCreateProgramWithBinary(context, count, devices, lengths, binaries, status, error),
                        context, of_intermediate_language);
  if (recording) recording->count(RecordCounts::Binaries);
  if (recording && !recording->settings().binaries && count > 0 && devices && lengths && binaries) {
    for (cl_uint i = 0; status && i < count; ++i) status[i] = CL_INVALID_BINARY;
    if (error) *error = CL_INVALID_BINARY;
    return nullptr;
  }
  cl_program program = driver->clCreateProgramWithBinary(context, count, devices, lengths, binaries, status, error);
  if (program && recording) add(program, context)->unseen = "its program was made of binaries";
  return program;
}

CL_API_ENTRY cl_program CL_API_CALL create_with_il(cl_context context, const void* il, std::size_t length,
                                                   cl_int* error) {
  return without_text(driver->clCreateProgramWithIL(context, il, length, error), context, of_intermediate_language);
}

CL_API_ENTRY cl_program CL_API_CALL create_built_in(cl_context context, cl_uint count, const cl_device_id* devices,
                                                    const char* names, cl_int* error) {
  return without_text(driver->clCreateProgramWithBuiltInKernels(context, count, devices, names, error), context,
                      "its program is built into the device");
}

CL_API_ENTRY cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id* devices,
                                      const char* options, Notify notify, void* data) {
  {
    const Locked locked(layer_lock());
    if (const auto record = record_of(program); record && record->unseen.empty() && !record->of_binaries) {
      record->units = {{record->text, {option_words(options), {}}}};
      record->twins.clear();
    }
  }
  return driver->clBuildProgram(program, count, devices, options, notify, data);
}

CL_API_ENTRY cl_int CL_API_CALL compile(cl_program program, cl_uint count, const cl_device_id* devices,
                                        const char* options, cl_uint headers, const cl_program* header_programs,
                                        const char** header_names, Notify notify, void* data) {
  {
    const Locked locked(layer_lock());
    if (const auto record = record_of(program); record && record->unseen.empty()) {
      Unit unit{record->text, {option_words(options), {}}};
      for (cl_uint i = 0; header_programs && header_names && i < headers; ++i)
        if (const auto header = record_of(header_programs[i]))
          unit.build.headers.emplace_back(header_names[i], header->text);
      record->units = {std::move(unit)};
      record->twins.clear();
    }
  }
  return driver->clCompileProgram(program, count, devices, options, headers, header_programs, header_names, notify,
                                  data);
}

// What a program linked of these is made of.
void join(ProgramRecord& linked, cl_uint count, const cl_program* parts) {
  for (cl_uint i = 0; parts && i < count; ++i) {
    const auto part = record_of(parts[i]);
    if (!part || !part->unseen.empty()) {
      linked.unseen = part ? part->unseen : "a part of its program is not known";
      return;
    }
    linked.units.insert(linked.units.end(), part->units.begin(), part->units.end());
  }
}

CL_API_ENTRY cl_program CL_API_CALL link(cl_context context, cl_uint count, const cl_device_id* devices,
                                         const char* options, cl_uint parts, const cl_program* part_programs,
                                         Notify notify, void* data, cl_int* error) {
  const Locked locked(layer_lock());
  cl_program program =
      driver->clLinkProgram(context, count, devices, options, parts, part_programs, notify, data, error);
  if (program && Recording::get()) join(*add(program, context), parts, part_programs);
  return program;
}

void add_kernel(cl_kernel kernel, cl_program program) {
  KernelRecord record;
  record.program = record_of(program);
  std::size_t size = 0;
  cl_uint arguments = 0;
  driver->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &size);
  record.name.resize(size);
  driver->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, record.name.data(), nullptr);
  while (!record.name.empty() && record.name.back() == '\0') record.name.pop_back();
  driver->clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr);
  record.arguments.resize(arguments);
  kernels()[kernel] = std::move(record);
}

CL_API_ENTRY cl_kernel CL_API_CALL create_kernel(cl_program program, const char* name, cl_int* error) {
  cl_kernel kernel = driver->clCreateKernel(program, name, error);
  const Locked locked(layer_lock());
  if (kernel && Recording::get()) add_kernel(kernel, program);
  return kernel;
}

CL_API_ENTRY cl_int CL_API_CALL create_kernels(cl_program program, cl_uint count, cl_kernel* made,
                                               cl_uint* made_count) {
  cl_uint number = 0;
  const cl_int status = driver->clCreateKernelsInProgram(program, count, made, &number);
  if (made_count) *made_count = number;
  const Locked locked(layer_lock());
  if (status == CL_SUCCESS && made && Recording::get())
    for (cl_uint i = 0; i < std::min(number, count); ++i) add_kernel(made[i], program);
  return status;
}

CL_API_ENTRY cl_kernel CL_API_CALL clone_kernel(cl_kernel from, cl_int* error) {
  cl_kernel kernel = driver->clCloneKernel(from, error);
  const Locked locked(layer_lock());
  if (const KernelRecord* record = kernel_record(from); kernel && record) {
    KernelRecord copy = *record;
    kernels()[kernel] = std::move(copy);
  }
  return kernel;
}

CL_API_ENTRY cl_int CL_API_CALL release_kernel(cl_kernel kernel) {
  const Locked locked(layer_lock());
  cl_uint references = 0;
  if (kernel_record(kernel) &&
      driver->clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof references, &references, nullptr) ==
          CL_SUCCESS &&
      references == 1)
    kernels().erase(kernel);
  return driver->clReleaseKernel(kernel);
}

CL_API_ENTRY cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, std::size_t size, const void* value) {
  const cl_int status = driver->clSetKernelArg(kernel, index, size, value);
  const Locked locked(layer_lock());
  KernelRecord* record = kernel_record(kernel);
  if (status != CL_SUCCESS || !record || index >= record->arguments.size()) return status;
  ArgumentRecord& argument = record->arguments[index];
  argument.set = true;
  argument.pointer = false;
  argument.size = size;
  argument.value.clear();
  if (value) {
    const auto* bytes = static_cast<const std::byte*>(value);
    argument.value.assign(bytes, bytes + size);
  }
  return status;
}

CL_API_ENTRY cl_int CL_API_CALL set_pointer(cl_kernel kernel, cl_uint index, const void* value) {
  const cl_int status = driver->clSetKernelArgSVMPointer(kernel, index, value);
  const Locked locked(layer_lock());
  if (KernelRecord* record = kernel_record(kernel);
      status == CL_SUCCESS && record && index < record->arguments.size()) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    record->arguments[index] = {true, bytes.size(), {bytes.begin(), bytes.end()}, true};
  }
  return status;
}

CL_API_ENTRY cl_int CL_API_CALL set_execution(cl_kernel kernel, cl_kernel_exec_info what, std::size_t size,
                                              const void* value) {
  const cl_int status = driver->clSetKernelExecInfo(kernel, what, size, value);
  const Locked locked(layer_lock());
  KernelRecord* record = kernel_record(kernel);
  if (status != CL_SUCCESS || !record || !value) return status;
  if (what == CL_KERNEL_EXEC_INFO_SVM_PTRS) {
    record->reached.resize(size / sizeof(void*));
    std::memcpy(record->reached.data(), value, record->reached.size() * sizeof(void*));
  } else if (cl_bool all = CL_FALSE; what == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM && size == sizeof all) {
    std::memcpy(&all, value, sizeof all);
    record->reaches_all = all == CL_TRUE;
  }
  return status;
}

bool has(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }

// Kernels that may not be run twice, once to count and once to log, or whose state the twin would not share.
std::string reason_to_leave_alone(const BuiltTwin& built) {
  for (const TwinVariable& variable : built.twin.variables)
    if (variable.space == Space::Global) return "its program has global variables, which keep what a launch left there";
  if (has(built.twin.text, "enqueue_kernel")) return "its program launches kernels from kernels";
  if (has(built.twin.text, "read_write")) return "its program reads and writes one image";
  return {};
}

// The functions of a text that print, themselves or through others. Where that cannot be told, as with a macro, "" is one.
std::set<std::string> printing_functions(const std::string& text) {
  if (!has(text, "printf")) return {};
  using Names = std::set<std::string, std::less<>>;
  // What is in braces belongs to the name before the brackets before them; the rest is the file's.
  std::map<std::string, Names> bodies;
  std::map<int, Names> directives;  // by the line that they begin on
  Names outside;
  std::string_view name, last_name;
  int braces = 0, brackets = 0;
  for (const Token& token : tokenize(text)) {
    if (token.directive != 0) {
      if (token.identifier()) directives[token.directive].emplace(token.text);
    } else if (token.identifier()) {
      last_name = token.text;
      (braces > 0 ? bodies[std::string(name)] : outside).emplace(token.text);
    } else if (token.kind == Token::Kind::Punctuation) {
      if (braces == 0 && brackets == 0 && token.is("(")) name = last_name;
      brackets += token.is("(") - token.is(")");
      braces += token.is("{") - token.is("}");
    }
  }
  const auto prints = [](const Names& names, const std::set<std::string>& found) {
    return names.contains("printf") ||
           std::any_of(found.begin(), found.end(), [&](const std::string& one) { return names.contains(one); });
  };
  std::set<std::string> found;
  if (prints(outside, {})) found.insert("");
  for (std::size_t before = found.size() + 1; found.size() != before && !found.contains("");) {
    before = found.size();
    for (const auto& [function, names] : bodies)
      if (prints(names, found)) found.insert(function);
    // A macro may call it under another name.
    for (const auto& [line, names] : directives)
      if (prints(names, found)) found.insert("");
  }
  return found;
}

// The parts of a linked program as one text.
ProgramSource source_of(const ProgramRecord& program, TwinBuild& build, std::string& why_not) {
  ProgramSource source;
  source.name = "program" + std::to_string(program.number) + ".cl";
  if (program.units.empty()) return why_not = "its program was not built from what was seen", source;
  build = program.units.front().build;
  if (program.units.size() == 1) return source.text = program.units.front().text, source;
  for (const Unit& unit : program.units) {
    if (unit.build.options != build.options)
      return why_not = "its program is linked of parts with different options", source;
    source.text += unit.text + "\n";
    for (const auto& header : unit.build.headers)
      if (std::find(build.headers.begin(), build.headers.end(), header) == build.headers.end())
        build.headers.push_back(header);
  }
  return source;
}

}  // namespace

KernelRecord* kernel_record(cl_kernel kernel) {
  const auto found = kernels().find(kernel);
  return found == kernels().end() ? nullptr : &found->second;
}

ProgramTwin& twin_for(ProgramRecord& program, const cl::Context& context, const cl::CommandQueue& queue,
                      const cl::Device& device, const DeviceInfo& info) {
  std::shared_ptr<ProgramTwin>& twin = program.twins[device()];
  if (twin) return *twin;
  twin = std::make_shared<ProgramTwin>();
  TwinBuild build;
  std::string why_not;
  twin->source = source_of(program, build, why_not);
  if (!why_not.empty()) {
    twin->built.why_not = Message::verbatim(why_not);
    return *twin;
  }
  twin->built = build_twin(context, queue, device, info, twin->source, build);
  if (!twin->built.why_not.empty()) return *twin;
  twin->never = reason_to_leave_alone(twin->built);
  std::string text = twin->source.text;
  for (const auto& header : build.headers) text += "\n" + header.second;
  twin->printing = printing_functions(text);
  return *twin;
}

void intercept_programs(cl_icd_dispatch& table) {
  table.clCreateProgramWithSource = create_with_source;
  table.clCreateProgramWithBinary = create_with_binary;
  table.clCreateProgramWithIL = create_with_il;
  table.clCreateProgramWithBuiltInKernels = create_built_in;
  table.clGetProgramInfo = program_info;
  table.clBuildProgram = build;
  table.clCompileProgram = compile;
  table.clLinkProgram = link;
  table.clCreateKernel = create_kernel;
  table.clCreateKernelsInProgram = create_kernels;
  table.clCloneKernel = clone_kernel;
  table.clReleaseKernel = release_kernel;
  table.clSetKernelArg = set_argument;
  table.clSetKernelArgSVMPointer = set_pointer;
  table.clSetKernelExecInfo = set_execution;
}

}  // namespace twiddle::layer
