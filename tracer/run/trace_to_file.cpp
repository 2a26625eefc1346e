// trace_plan into a trace file.
#include "tracer/run/tracer.h"

namespace twiddle {
namespace {

// A TraceWriter as a TraceSink.
class WriterSink final : public TraceSink {
 public:
  explicit WriterSink(TraceWriter& writer) : writer_(writer) {}
  void begin(const TraceInfo& info) override { writer_.begin(info); }
  void first_content(int buffer, std::span<const std::byte> bytes) override { writer_.first_content(buffer, bytes); }
  void begin_launch(const LaunchInfo& launch) override { writer_.begin_launch(launch); }
  void append(int epoch, int stage, OperationBlock&& block) override { writer_.append(epoch, stage, std::move(block)); }
  void end_launch(const LaunchInfo& launch, const DeviceBuffer& device_buffer) override {
    writer_.end_launch(launch, device_buffer);
  }
  std::vector<std::byte> replayed(int buffer) const override { return writer_.replayed(buffer); }

 private:
  TraceWriter& writer_;
};

}  // namespace

TraceOutcome trace_plan(const Plan& plan, Runtime& runtime, const TraceOptions& options, TraceWriter& writer,
                        const Progress& progress) {
  WriterSink sink(writer);
  return trace_plan(plan, runtime, options, sink, progress);
}

}  // namespace twiddle
