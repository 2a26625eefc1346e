// A Plan on a device: its buffers there, its programs built, its launches made.
#pragma once

#include "base/message.h"
#include "kernels/plan/plan.h"
#include "tracer/runtime/runtime.h"
#include "tracer/source/source.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace twiddle {

class PlanRun {
 public:
  /// Allocates the plan's buffers and gives them their first content, which `first` sees on its way (may be empty).
  using First = std::function<void(int buffer, std::span<const std::byte> bytes)>;
  PlanRun(const Plan& plan, Runtime& runtime, const First& first = {});
  ~PlanRun();
  PlanRun(const PlanRun&) = delete;
  PlanRun& operator=(const PlanRun&) = delete;

  /// What was done to fit files into the buffers, and the plan to the device, a sentence each.
  const std::vector<Message>& notes() const { return notes_; }
  const Plan& plan() const { return plan_; }
  Runtime& runtime() { return runtime_; }
  BufferHandle handle(std::size_t buffer) const { return handles_.at(buffer); }
  std::size_t bytes(std::size_t buffer) const;
  std::vector<std::byte> download(std::size_t buffer);

  /// The source of a launch, alone and with what it includes, and what the kernel takes; all read once.
  const KernelSource& source(const Launch& launch);
  const FlatSource& flat(const Launch& launch);
  const KernelSignature& signature(const Launch& launch);

  /// Runs a launch, which is one of the plan's, without a log. Returns device time in nanoseconds. Throws Error (usage) that
  /// names the launch when it does not end within the runtime's time limit.
  double run(const Launch& launch);
  /// The same with a program built by the caller.
  double run_program(const Launch& launch, ProgramHandle program);
  /// A launch as the runtime takes it, with its program built without a log.
  KernelCall call(const Launch& launch);
  /// Runs it with `log` as its trace parameters.
  double run_traced(const Launch& launch, const Instrumentation& instrumentation, BufferHandle log);
  /// Runs it and logs its accesses, with its trace lines off. The reason why that cannot be, or nothing.
  Message no_accesses(const Launch& launch);
  bool runs_on_other_data(const Launch& launch);
  RawAccesses run_logged(const Launch& launch, const AccessRequest& request);
  /// The variables of its kernel; see Runtime::variables.
  std::vector<AccessRange> variables(const Launch& launch);
  /// What the variables of the programs hold that were built so far; and puts it back: in those that were built since then
  /// what they began with.
  using ProgramStates = std::map<ProgramHandle, std::vector<std::byte>>;
  ProgramStates program_states();
  void set_program_states(const ProgramStates& states);
  /// Whether the launch brings what its kernel takes. Throws Error (usage) that names launch and parameters.
  void check_arguments(const Launch& launch, int number);

 private:
  static std::string signature_key(const Launch& launch);
  /// What the runtime's compiler says of the kernel's parameters; none where it does not say.
  KernelSignature seen_by_runtime(const Launch& launch);
  KernelCall call_of(const Launch& launch) const;
  /// What `action` returns; what it throws becomes a sentence that names the launch.
  template <typename Action>
  auto naming_launch(const Launch& launch, const Action& action);
  ProgramHandle plain_program(const Launch& launch);
  ProgramHandle program(const Launch& launch, const Instrumentation& instrumentation);

  const Plan& plan_;
  Runtime& runtime_;
  std::vector<BufferHandle> handles_;
  std::vector<Message> notes_;
  std::map<std::string, KernelSource> sources_;
  std::map<std::string, FlatSource> flat_;
  std::map<std::string, KernelSignature> signatures_;
  std::map<std::string, ProgramHandle> programs_;
  ProgramStates first_states_;
};

}  // namespace twiddle
