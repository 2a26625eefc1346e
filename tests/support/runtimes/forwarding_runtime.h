// A runtime that passes every call on to another one: what a test's own runtime overrides is what differs from a real device.
#pragma once

#include "tracer/runtime/runtime.h"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {

class ForwardingRuntime : public Runtime {
 public:
  explicit ForwardingRuntime(std::unique_ptr<Runtime> real) : real_(std::move(real)) {}

  const DeviceInfo& device() const override { return real_->device(); }
  std::string_view source_extension() const override { return real_->source_extension(); }
  BufferHandle allocate(std::size_t bytes) override { return real_->allocate(bytes); }
  void release(BufferHandle buffer) override { real_->release(buffer); }
  void upload(BufferHandle buffer, std::size_t offset, std::span<const std::byte> bytes) override {
    real_->upload(buffer, offset, bytes);
  }
  void download(BufferHandle buffer, std::size_t offset, std::span<std::byte> bytes) override {
    real_->download(buffer, offset, bytes);
  }
  void fill_zero(BufferHandle buffer, std::size_t offset, std::size_t bytes) override {
    real_->fill_zero(buffer, offset, bytes);
  }
  void copy(BufferHandle from, BufferHandle to, std::size_t bytes) override { real_->copy(from, to, bytes); }
  ProgramHandle build(const ProgramSource& source) override { return real_->build(source); }
  std::size_t parameter_count(ProgramHandle program, const std::string& kernel) override {
    return real_->parameter_count(program, kernel);
  }
  std::vector<std::byte> program_state(ProgramHandle program) override { return real_->program_state(program); }
  void set_program_state(ProgramHandle program, std::span<const std::byte> state) override {
    real_->set_program_state(program, state);
  }
  double run(const KernelCall& call) override {
    real_->limit_time(time_limit(), item_limit());
    return real_->run(call);
  }
  std::vector<Overrun> overruns() const override { return real_->overruns(); }

 protected:
  Runtime& real() { return *real_; }
  const Runtime& real() const { return *real_; }

 private:
  std::unique_ptr<Runtime> real_;
};

/// One that logs accesses as the other does, too.
class ForwardingLog : public ForwardingRuntime {
 public:
  using ForwardingRuntime::ForwardingRuntime;

  Message no_accesses(ProgramHandle program) const override { return real().no_accesses(program); }
  std::vector<AccessRange> variables(ProgramHandle program, const std::string& kernel) override {
    return real().variables(program, kernel);
  }
  RawAccesses run_logged(const KernelCall& call, const AccessRequest& request) override {
    return real().run_logged(call, request);
  }
};

}  // namespace twiddle
