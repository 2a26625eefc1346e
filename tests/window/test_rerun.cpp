// Running again from the window: what the fields offer, and what is run when an entry is chosen.
#include "viewer/session/rerun.h"

#include "traced.h"

#include <doctest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

using namespace twiddle;

namespace {

DeviceInfo device(const std::string& runtime, int index, const std::string& name) {
  DeviceInfo info;
  info.runtime = runtime, info.index = index, info.name = name;
  return info;
}

/// What was run last, and the fields of a trace, without a window and without devices of this machine.
struct Session {
  Request request;
  std::string runtime;
  int device = -1;
  WindowOptions options;
  std::optional<Rerun> rerun;

  Session(std::vector<DeviceInfo> devices, const Request& made_from) {
    options.request = made_from;
    options.devices = [devices = std::move(devices)] { return DeviceList{devices, {}}; };
    options.run = [this](const Request& asked, const std::string& asked_runtime, int asked_device, const Progress&) {
      request = asked, runtime = asked_runtime, device = asked_device;
      return WindowOptions::Made{};
    };
    rerun.emplace(options, [] {});
    until([&] { return rerun->devices_arrived(); });
  }

  template <typename Condition>
  void until(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }

  ChoiceField field(const TraceInfo& info, const std::string& name) {
    for (ChoiceField& candidate : rerun->fields(info))
      if (candidate.name == name) return candidate;
    return {};
  }

  void choose(const std::string& name, const std::string& entry) {
    rerun->choose(name, entry);
    until([&] { return rerun->take().has_value(); });
  }
};

Request request_of(const std::string& algorithm, std::uint64_t n) {
  Request request;
  request.algorithm = algorithm, request.n = n;
  return request;
}

}  // namespace

TEST_CASE("of several equal devices the one that was chosen runs, and they can be told apart") {
  Document document(traced("fft-radix2", 8));
  Session session({device("opencl", 0, "H200"), device("opencl", 1, "H200"), device("host", 0, "processor")},
                  request_of("fft-radix2", 8));
  const ChoiceField field = session.field(document.info(), "device");
  REQUIRE(field.entries.size() == 3);
  CHECK(field.entries[0].shown == "opencl 0 · H200");
  CHECK(field.entries[1].shown == "opencl 1 · H200");
  CHECK(field.entries[2].shown == "host · processor");
  session.choose("device", field.entries[0].id);
  CHECK(session.runtime == "opencl");
  CHECK(session.device == 0);
  session.choose("device", field.entries[1].id);
  CHECK(session.device == 1);
  session.choose("device", field.entries[2].id);
  CHECK(session.runtime == "host");
  CHECK(session.device == 0);
}

TEST_CASE("a direction is chosen by its id, whatever language it is shown in") {
  Document document(traced("fft-radix2", 8));
  Session session({}, request_of("fft-radix2", 8));
  const ChoiceField field = session.field(document.info(), "direction");
  CHECK(field.chosen == "forward");
  REQUIRE(field.entries.size() == 2);
  session.choose("direction", "inverse");
  CHECK(session.request.inverse);
  session.choose("direction", "forward");
  CHECK_FALSE(session.request.inverse);
}
