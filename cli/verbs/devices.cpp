// `twiddle devices`: where kernels can run, and what is missing for the runtimes that are not there.
#include "base/values/json_text.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "tracer/runtimes/open_runtime.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace twiddle::cli {
namespace {

std::string as_json(const DeviceList& list) {
  using nlohmann::ordered_json;
  ordered_json out = {{"devices", ordered_json::array()}, {"missing", list.missing}, {"parts", ordered_json::array()}};
  for (const DeviceInfo& device : list.devices)
    out["devices"].push_back({{"runtime", device.runtime},
                              {"device", device.index},
                              {"name", device.name},
                              {"vendor", device.vendor},
                              {"platform", device.platform},
                              {"version", device.version},
                              {"driver", device.driver},
                              {"kind", device.kind},
                              {"global_bytes", device.global_bytes},
                              {"local_bytes", device.local_bytes},
                              {"largest_buffer", device.max_buffer},
                              {"max_group_size", device.max_group_size},
                              {"sub_group_size", device.sub_group_size},
                              {"compute_units", device.compute_units},
                              {"fp64", device.fp64},
                              {"cooperative", device.cooperative}});
  for (const Part& part : optional_parts())
    out["parts"].push_back(
        {{"name", part.name}, {"present", part.present}, {"gives", part.gives}, {"package", part.package}});
  return json_text(out, 2) + "\n";
}

std::string as_text(const DeviceList& list) {
  std::string text;
  for (const DeviceInfo& device : list.devices) {
    text += fmt::format("{} {}  {}\n", device.runtime, device.index, device.name);
    const auto row = [&](const char* name, const std::string& value) {
      if (!value.empty()) text += fmt::format("    {:<14}{}\n", name, value);
    };
    row("kind", device.kind + (device.vendor.empty() ? "" : ", " + device.vendor));
    row("platform", device.platform + (device.version.empty() ? "" : ", " + device.version));
    row("driver", device.driver);
    row("memory",
        fmt::format("{} global, {} at most in a buffer, {} local to a work-group", bytes_text(device.global_bytes),
                    bytes_text(device.max_buffer), bytes_text(device.local_bytes)));
    row("work-groups",
        fmt::format("up to {}{}, on {}", counted(device.max_group_size, "item", "items"),
                    device.sub_group_size ? fmt::format(", sub-groups of {}", device.sub_group_size) : "",
                    counted(static_cast<std::uint64_t>(device.compute_units), "compute unit", "compute units")));
    row("doubles", device.fp64 ? "yes" : "no");
    row("grid barrier", device.cooperative ? "yes (cooperative launch)" : "no");
  }
  if (list.devices.empty()) text += "no device: install an OpenCL driver, for instance pocl-opencl-icd\n";
  for (const std::string& reason : list.missing) text += fmt::format("missing: {}\n", reason);
  for (const Part& part : optional_parts())
    if (!part.present) text += fmt::format("missing: {} ({}); {}\n", part.name, part.gives, part.remedy);
  return text;
}

}  // namespace

void add_devices(Program& program) {
  const auto json = std::make_shared<bool>(false);
  CLI::App& verb =
      program.verb("devices", "List every device of every runtime, and what is missing",
                   "A device is chosen by --runtime and --device with the two words before its name.", [json] {
                     const DeviceList list = list_devices();
                     print(*json ? as_json(list) : as_text(list));
                     return 0;
                   });
  add_switch(verb, "--json", "as JSON (docs/json.md)", *json);
  program.example(verb, "twiddle devices", "See where kernels can run");
}

}  // namespace twiddle::cli
