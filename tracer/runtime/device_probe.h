// A driver may abort or hang the process that asks it for devices. So a child, this very program started again, asks first:
// it lists a runtime's devices and runs a small kernel on each of them. What it did not survive is left out here, and what
// is left out keeps its reason.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// A part of a runtime that is probed by itself, counted as the driver counts: a device, a platform with all its devices
/// (device -1), or the whole runtime (platform -1, too).
struct DriverPart {
  std::string runtime;  // "opencl" or "cuda"
  int platform = -1;
  int device = -1;
  friend bool operator==(const DriverPart&, const DriverPart&) = default;
};

/// Whether a driver may be asked about a part of it; call it before each new part. In a program that lets itself be probed
/// the first call for a runtime waits for the child (see docs/runtimes.md for how long, and for what is remembered). In the
/// child it says what is about to be tried. `name` is what a reason calls the part. Never throws.
bool may_ask(const DriverPart& part, std::string_view name);

/// What was left out of a runtime that was asked for, a sentence each.
std::vector<std::string> left_out(std::string_view runtime);

/// From main(), before any driver is loaded and any thread started: from now on devices are probed, by starting this program
/// with the arguments that this function knows. True: this process is such a child and has to do nothing but the probe.
bool begin_probe(int count, char** arguments);
/// In the child: the runtime to be probed.
const std::string& probed_runtime();
/// In the child: a part does not work, and why.
void fail_probe(const DriverPart& part, std::string_view reason);
/// In the child: all parts were tried. Ends the process without waiting for drivers.
[[noreturn]] void end_probe();

}  // namespace twiddle
