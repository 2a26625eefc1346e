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
struct RerunSession {
  Request request;
  std::string runtime;
  int device = -1;
  WindowOptions options;
  std::optional<Rerun> rerun;

  RerunSession(std::vector<DeviceInfo> devices, const Request& made_from) {
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
  RerunSession session({device("opencl", 0, "H200"), device("opencl", 1, "H200"), device("host", 0, "processor")},
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

TEST_CASE("a direction is chosen by its id, in any language") {
  Document document(traced("fft-radix2", 8));
  RerunSession session({}, request_of("fft-radix2", 8));
  const ChoiceField field = session.field(document.info(), "direction");
  CHECK(field.chosen == "forward");
  REQUIRE(field.entries.size() == 2);
  session.choose("direction", "inverse");
  CHECK(session.request.inverse);
  session.choose("direction", "forward");
  CHECK_FALSE(session.request.inverse);
}

TEST_CASE("every parameter that the algorithm declares can be chosen, and what it may be comes from the catalogue") {
  for (const Algorithm& algorithm : algorithms()) {
    CAPTURE(algorithm.id);
    Request request;
    request.algorithm = algorithm.id;
    if (algorithm.id == "fft2d") request.method = "engine";  // which has all of them
    Document document(TraceReader::open(traced_file(request)));
    RerunSession session({device("opencl", 0, "first"), device("host", 0, "second")}, request);
    const std::vector<ChoiceField> fields = session.rerun->fields(document.info());
    CHECK(fields.back().name == "device");
    for (const Parameter& parameter : algorithm.parameters) {
      CAPTURE(parameter.name);
      const std::string name = parameter.name == "inverse" ? "direction" : parameter.name;
      const auto field =
          std::find_if(fields.begin(), fields.end(), [&](const ChoiceField& f) { return f.name == name; });
      REQUIRE(field != fields.end());
      CHECK(field->entries.size() > 1);
      CHECK(std::count_if(field->entries.begin(), field->entries.end(),
                          [&](const Entry& entry) { return entry.id == field->chosen; }) == 1);
      if (!field->folded) continue;
      const ChoiceField more = session.field(document.info(), more_field);
      CHECK(std::count_if(more.entries.begin(), more.entries.end(),
                          [&](const Entry& entry) { return entry.id == name; }) == 1);
    }
  }
  Document document(traced("fft-radix2", 8));
  RerunSession session({}, request_of("fft-radix2", 8));
  session.choose("type", "double");
  session.choose("group-size", "32");
  CHECK(session.request.type.empty());  // nothing was made of it, so what is shown is still of the request before
  CHECK(session.request.group_size == 32u);
  session.choose("twiddles", "table");
  CHECK(session.request.twiddles == "table");
}

TEST_CASE("an algorithm that does not take the size is given the nearest that it does, and says so") {
  struct Case {
    const char* algorithm;
    std::uint64_t asked, given;
  };
  for (const Case& one : {Case{"fft-radix4", 8, 16}, {"fft-radix4", 64, 64}, {"fft-radix2", 100, 128}}) {
    CAPTURE(one.algorithm);
    CAPTURE(one.asked);
    Message note;
    CHECK(fitted(request_of(one.algorithm, one.asked), note).n == one.given);
    CHECK(note.empty() == (one.asked == one.given));
    if (!note.empty()) CHECK(note.english().find(std::to_string(one.given)) != std::string::npos);
  }
  // From any algorithm of the catalogue one comes to any other.
  for (const Algorithm& algorithm : algorithms())
    for (const std::uint64_t n : {8u, 100u}) {
      CAPTURE(algorithm.id);
      Message note;
      const Request request = fitted(request_of(algorithm.id, n), note);
      CHECK_NOTHROW(algorithm.build(request));
    }
  RerunSession session({}, request_of("fft-radix2", 8));
  session.choose("algorithm", "fft-radix4");
  CHECK(session.request.algorithm == "fft-radix4");
  CHECK(session.request.n == 16);
  session.choose("signal", "cosine:2");
  CHECK(session.request.signal == "cosine:2");
}

TEST_CASE("a trace says which request it was made from") {
  Request request = request_of("fft-radix2", 16);
  request.inverse = true, request.signal = "cosine:3", request.twiddles = "table";
  const std::optional<Request> read = twiddle::request_of(TraceReader::open(traced_file(request))->info());
  REQUIRE(read);
  CHECK(read->algorithm == "fft-radix2");
  CHECK(read->n == 16);
  CHECK(read->inverse);
  CHECK(read->signal == "cosine:3");
  CHECK(read->twiddles == "table");
  TraceInfo foreign;
  foreign.algorithm = "mine.toml";
  CHECK_FALSE(twiddle::request_of(foreign));
}
