#include "tracer/run/plan_run.h"

#include "base/error.h"
#include "base/message.h"
#include "tracer/runtime/kernel_fault.h"
#include "tracer/runtime/redirected.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>

#include <unistd.h>

namespace twiddle {
namespace {

// What tells one compilation of a source from another.
std::string defines_key(const Launch& launch) {
  std::string key = launch.source;
  for (const std::string& define : launch.defines) key += '\n' + define;
  for (const std::string& option : launch.options) key += '\n' + option;
  return key;
}

KernelArgument by_value(std::span<const std::byte> bytes) {
  assert(bytes.size() <= max_argument_bytes);
  KernelArgument::Scalar scalar{{}, bytes.size()};
  std::copy(bytes.begin(), bytes.end(), scalar.bits.begin());
  return {scalar};
}

}  // namespace

PlanRun::PlanRun(const Plan& plan, Runtime& runtime, const First& first)
    : plan_(plan), runtime_(runtime), notes_(plan.notes) {
  try {
    for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
      const Buffer& buffer = plan.buffers[b];
      if (traits(buffer.type).scalar == ElementType::Double && !runtime.device().fp64)
        throw usage_error(
            "buffer {} is of type {}, and {} has no double precision; take --type float or another device", buffer.name,
            traits(buffer.type).name, runtime.device().name);
      handles_.push_back(runtime.allocate(bytes(b)));
      Message note;
      const std::vector<std::byte> content = first_content(plan, buffer, &note);
      if (!note.empty()) notes_.push_back(std::move(note));
      assert(content.size() == bytes(b));
      runtime.upload(handles_.back(), 0, content);
      if (first) first(static_cast<int>(b), content);
    }
  } catch (...) {
    for (BufferHandle handle : handles_) runtime.release(handle);
    throw;
  }
}

PlanRun::~PlanRun() {
  for (BufferHandle handle : handles_) runtime_.release(handle);
}

std::size_t PlanRun::bytes(std::size_t buffer) const {
  const Buffer& one = plan_.buffers.at(buffer);
  return one.count * traits(one.type).bytes;
}

std::vector<std::byte> PlanRun::download(std::size_t buffer) {
  std::vector<std::byte> content(bytes(buffer));
  runtime_.download(handle(buffer), 0, content);
  return content;
}

const KernelSource& PlanRun::source(const Launch& launch) {
  const auto known = sources_.find(launch.source);
  if (known != sources_.end()) return known->second;
  return sources_.emplace(launch.source, kernel_source(plan_, launch, runtime_.source_extension())).first->second;
}

const FlatSource& PlanRun::flat(const Launch& launch) {
  const auto known = flat_.find(launch.source);
  if (known != flat_.end()) return known->second;
  return flat_.emplace(launch.source, flat_source(source(launch))).first->second;
}

const KernelSignature& PlanRun::signature(const Launch& launch) {
  const std::string key = signature_key(launch);
  const auto known = signatures_.find(key);
  if (known != signatures_.end()) return known->second;

  // The kernel is in the source itself or in a file that it includes; the others may name its types and sizes.
  const std::vector<SourceText>& files = flat(launch).files;
  std::size_t home = 0;
  for (std::size_t f = files.size(); f-- > 0;) {
    const std::vector<std::string> names = kernel_names(files[f].text);
    if (std::find(names.begin(), names.end(), kernel_base_name(launch.kernel)) != names.end()) home = f;
  }
  std::string others;
  for (std::size_t f = 0; f < files.size(); ++f)
    if (f != home) others += files[f].text + "\n";
  try {
    return signatures_.emplace(key, kernel_signature(files[home].text, launch.kernel, launch.defines, others))
        .first->second;
  } catch (const Error& error) {
    // A macro may have made the kernel: then the compiler knows it all the same.
    KernelSignature seen = seen_by_runtime(launch);
    if (!seen.parameters.empty()) return signatures_.emplace(key, std::move(seen)).first->second;
    throw usage_error("{}: {}", files[home].name, error.message());
  }
}

std::string PlanRun::signature_key(const Launch& launch) { return defines_key(launch) + '\n' + launch.kernel; }

KernelSignature PlanRun::seen_by_runtime(const Launch& launch) {
  KernelSignature seen;
  for (const Runtime::KernelParameter& parameter : runtime_.kernel_parameters(plain_program(launch), launch.kernel)) {
    seen.parameters.push_back(parameter.name);
    seen.read_only.push_back(parameter.read_only);
  }
  return seen;
}

void PlanRun::check_arguments(const Launch& launch, int number) {
  const KernelSignature& kernel = signature(launch);
  if (runtime_.source_extension() == ".cl")
    for (const Argument& argument : launch.arguments)
      if (std::holds_alternative<StructArgument>(argument) && !buffers_of(argument).empty())
        throw usage_error(
            "launch {}: OpenCL hands no pointers to kernels within structs; give {} as an argument of its own, or run "
            "it with --runtime cuda or host",
            number, plan_.buffers[buffers_of(argument).front()].name);
  if (runtime_.source_extension() != ".cl")
    for (const Argument& argument : launch.arguments) {
      const auto* buffer = std::get_if<BufferArgument>(&argument);
      if (std::holds_alternative<SamplerArgument>(argument) ||
          (buffer && (buffer->image || plan_.buffers[buffer->buffer].image)))
        throw usage_error("launch {}: images and samplers are OpenCL's alone; run it with --runtime opencl", number);
    }
  // CUDA kernels find their dynamic shared memory by name, not among the parameters.
  const bool local_is_parameter = runtime_.source_extension() == ".cl";
  const auto given = static_cast<std::size_t>(
      std::count_if(launch.arguments.begin(), launch.arguments.end(), [&](const Argument& argument) {
        return local_is_parameter || !std::holds_alternative<LocalArgument>(argument);
      }));
  if (given == kernel.parameters.size()) return;
  // A macro may stand for several parameters: the compiler knows how many there are.
  if (runtime_.parameter_count(plain_program(launch), launch.kernel) == given) {
    KernelSignature seen = seen_by_runtime(launch);
    for (std::size_t a = seen.parameters.size(); a < given; ++a) {
      seen.parameters.push_back(fmt::format("argument{}", a + 1));
      seen.read_only.push_back(false);
    }
    signatures_[signature_key(launch)] = seen;
    return;
  }
  throw usage_error("launch {}: kernel {} takes {} arguments ({}), and the plan gives {}", number, launch.kernel,
                    kernel.parameters.size(), fmt::join(kernel.parameters, ", "), given);
}

KernelCall PlanRun::call_of(const Launch& launch) const {
  KernelCall call;
  call.kernel = launch.kernel;
  call.dimensions = launch.dimensions;
  call.global = launch.global;
  call.local = launch.local;
  call.cooperative = launch.cooperative;
  for (const Argument& argument : launch.arguments) {
    if (const auto* buffer = std::get_if<BufferArgument>(&argument)) {
      const Buffer& one = plan_.buffers[buffer->buffer];
      if (one.image || buffer->image)
        call.arguments.push_back({KernelArgument::Image{handle(buffer->buffer), image_of(one), one.type}});
      else
        call.arguments.push_back({KernelArgument::Memory{
            handle(buffer->buffer), runtime_.source_extension() == ".cl" ? std::nullopt : buffer->boxes,
            traits(one.type).bytes}});
    } else if (const auto* sampler = std::get_if<SamplerArgument>(&argument)) {
      call.arguments.push_back({KernelArgument::Sampler{*sampler}});
    } else if (const auto* local = std::get_if<LocalArgument>(&argument))
      call.arguments.push_back({KernelArgument::Local{local->bytes}});
    else if (const auto* scalar = std::get_if<ScalarArgument>(&argument))
      call.arguments.push_back(by_value(std::span(scalar->bits).first(traits(scalar->type).bytes)));
    else if (const auto* members = std::get_if<StructArgument>(&argument)) {
      KernelArgument value = by_value(bytes_of(*members));
      for (const StructPointer& pointer : pointers_of(*members))
        std::get<KernelArgument::Scalar>(value.value).pointers.push_back({pointer.at, handle(pointer.buffer)});
      call.arguments.push_back(std::move(value));
    }
  }
  return call;
}

ProgramHandle PlanRun::program(const Launch& launch, const Instrumentation& instrumentation) {
  const std::string key =
      fmt::format("{}\n{} {} {} {}", defines_key(launch), instrumentation.traced,
                  static_cast<int>(instrumentation.detail), instrumentation.filter, instrumentation.dimensions);
  const auto known = programs_.find(key);
  if (known != programs_.end()) return known->second;
  ProgramSource prepared = prepare_source(flat(launch), launch.defines, instrumentation);
  for (const Launch& one : plan_.launches) {
    const bool known_kernel =
        std::find(prepared.kernels.begin(), prepared.kernels.end(), one.kernel) != prepared.kernels.end();
    if (defines_key(one) == defines_key(launch) && !known_kernel) prepared.kernels.push_back(one.kernel);
  }
  prepared.options = launch.options;
  const ProgramHandle built = runtime_.build(prepared);
  first_states_[built] = runtime_.program_state(built);
  return programs_.emplace(key, built).first->second;
}

PlanRun::ProgramStates PlanRun::program_states() {
  ProgramStates states;
  for (const auto& [program, first] : first_states_) states[program] = runtime_.program_state(program);
  return states;
}

void PlanRun::set_program_states(const ProgramStates& states) {
  for (const auto& [program, first] : first_states_) {
    const auto known = states.find(program);
    runtime_.set_program_state(program, known == states.end() ? first : known->second);
  }
}

template <typename Action>
auto PlanRun::naming_launch(const Launch& launch, const Action& action) {
  const auto number = [&] {
    std::size_t index = 0;
    while (index < plan_.launches.size() && &plan_.launches[index] != &launch) ++index;
    return index + 1;
  };
  try {
    const Redirected apart(STDOUT_FILENO, STDERR_FILENO);  // what kernels print is not what the program prints
    return action();
  } catch (const Overdue&) {
    throw usage_error(
        "launch {} (kernel {}) did not end within {} s and was given up: look for a loop that never ends, or a barrier "
        "that some work-items miss, or allow it more with --timeout",
        number(), launch.kernel, runtime_.time_limit());
  } catch (const KernelFault& fault) {
    if (plan_.launches.size() == 1) throw;
    throw KernelFault(Message("{} (in launch {})", fault.sentence, number()), fault);
  }
}

ProgramHandle PlanRun::plain_program(const Launch& launch) {
  Instrumentation untraced;
  untraced.traced = false;
  return program(launch, untraced);
}

KernelCall PlanRun::call(const Launch& launch) {
  KernelCall made = call_of(launch);
  made.program = plain_program(launch);
  return made;
}

double PlanRun::run(const Launch& launch) { return run_program(launch, plain_program(launch)); }

Message PlanRun::no_accesses(const Launch& launch) { return runtime_.no_accesses(plain_program(launch)); }

bool PlanRun::runs_on_other_data(const Launch& launch) {
  return runtime_.runs_on_other_data(plain_program(launch), launch.kernel);
}

std::vector<AccessRange> PlanRun::variables(const Launch& launch) {
  return runtime_.variables(plain_program(launch), launch.kernel);
}

RawAccesses PlanRun::run_logged(const Launch& launch, const AccessRequest& request) {
  KernelCall call = call_of(launch);
  call.program = plain_program(launch);
  return naming_launch(launch, [&] { return runtime_.run_logged(call, request); });
}

double PlanRun::run_program(const Launch& launch, ProgramHandle program) {
  KernelCall call = call_of(launch);
  call.program = program;
  return naming_launch(launch, [&] { return runtime_.run(call); });
}

double PlanRun::run_traced(const Launch& launch, const Instrumentation& instrumentation, BufferHandle log) {
  KernelCall call = call_of(launch);
  call.program = program(launch, instrumentation);
  call.arguments.push_back({KernelArgument::Memory{log}});
  // trace_count and trace_stage: no operation yet, and no stage but the launch's own.
  for (int i = 0; i < 2; ++i) call.arguments.push_back({KernelArgument::Scalar{{}, 4}});
  return naming_launch(launch, [&] { return runtime_.run(call); });
}

}  // namespace twiddle
