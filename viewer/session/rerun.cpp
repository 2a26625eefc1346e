#include "viewer/session/rerun.h"

#include "base/tr.h"

#include "base/error.h"
#include "kernels/catalogue/catalogue.h"
#include "kernels/signal/signal.h"
#include "tracer/run/open_runtime.h"
#include "viewer/facts/differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace twiddle {
namespace {

std::string device_text(const DeviceInfo& device) { return device.runtime + " · " + device.name; }

template <typename T>
bool ready(const std::future<T>& future) {
  return future.valid() && future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

Rerun::Rerun(const WindowOptions& options, std::function<void()> wake)
    : run_(options.run),
      wake_(std::move(wake)),
      request_(options.request),
      running_request_(options.request),
      runtime_(options.runtime),
      running_runtime_(options.runtime),
      device_(options.device),
      running_device_(options.device) {
  if (possible()) {
    // Asking every driver takes a moment that the first frame should not wait for.
    device_list_ = std::async(std::launch::async, [this] {
      DeviceList list;
      try {
        list = list_devices();
      } catch (const std::exception&) {  // then the field offers nothing else
      }
      wake_();
      return list;
    });
  }
}

Rerun::~Rerun() {
  cancel();
  if (thread_.valid()) thread_.wait();
  if (device_list_.valid()) device_list_.wait();
}

bool Rerun::devices_arrived() {
  if (!ready(device_list_)) return false;
  devices_ = device_list_.get().devices;
  return true;
}

std::vector<ChoiceField> Rerun::fields(const TraceInfo& info) {
  std::vector<ChoiceField> list = trace_fields(info);
  if (!possible()) return list;
  const Algorithm* algorithm = nullptr;
  for (const Algorithm& candidate : algorithms())
    if (candidate.id == info.algorithm) algorithm = &candidate;
  const auto takes = [&](const char* name) {
    return algorithm && std::any_of(algorithm->parameters.begin(), algorithm->parameters.end(),
                                    [&](const Parameter& p) { return p.name == name; });
  };
  for (ChoiceField& field : list) {
    if (field.name == "algorithm" && algorithm) {
      for (const Algorithm& other : algorithms()) field.entries.push_back(other.id);
    } else if (field.name == "n" && takes("n")) {
      for (std::uint64_t n = 2; n <= (std::uint64_t(1) << 20); n *= 2) field.entries.push_back(std::to_string(n));
      if (std::find(field.entries.begin(), field.entries.end(), field.value) == field.entries.end())
        field.entries.push_back(field.value);
    } else if (field.name == "signal" && algorithm) {
      field.entries = {"ramp",   "impulse",  "constant", "cosine:1", "cosine:3",
                       "sine:1", "square:4", "random:1", "random:2"};
      const bool one = algorithm->dimensions == 1 &&
                       traits(info.buffers.empty() ? ElementType::Float2 : info.buffers.front().type).floating;
      if (one && info.expect.points <= Sketch::most_samples) field.entries.emplace_back(tr(drawn_signal));
      if (std::find(field.entries.begin(), field.entries.end(), field.value) == field.entries.end())
        field.entries.push_back(field.value);
    } else if (field.name == "direction" && takes("inverse")) {
      field.entries = {tr("forward"), tr("inverse")};
    } else if (field.name == "twiddles" && takes("twiddles")) {
      field.entries = {"exact", "native", "table"};
    } else if (field.name == "device") {
      for (const DeviceInfo& device : devices_) field.entries.push_back(device_text(device));
    }
    if (field.entries.size() == 1 && field.entries.front() == field.value) field.entries.clear();
  }
  return list;
}

void Rerun::choose(const std::string& field, const std::string& entry) {
  Request request = request_;
  std::string runtime = runtime_;
  int device = device_;
  if (field == "algorithm") {
    // What the other algorithm does not know goes back to its default.
    Request fresh;
    fresh.algorithm = entry;
    fresh.n = request.n;
    fresh.signal = request.signal;
    fresh.inverse = request.inverse;
    request = fresh;
  } else if (field == "n") {
    request.n = std::stoull(entry);
    request.group_size.reset();
  } else if (field == "signal") {
    request.signal = entry;
  } else if (field == "direction") {
    request.inverse = entry == tr("inverse");
  } else if (field == "twiddles") {
    request.twiddles = entry;
  } else if (field == "device") {
    for (const DeviceInfo& candidate : devices_)
      if (device_text(candidate) == entry) runtime = candidate.runtime, device = candidate.index;
  }
  run(std::move(request), std::move(runtime), device);
}

void Rerun::start() { run(request_, runtime_, device_); }

void Rerun::run_plan(const std::filesystem::path& file) {
  Request request;
  request.algorithm = file.string();
  run(std::move(request), runtime_, device_);
}

void Rerun::start_after(std::shared_ptr<const TraceReader> before) {
  if (running()) return;
  before_ = std::move(before);
  start();
}

void Rerun::run(Request request, std::string runtime, int device) {
  if (!possible() || running()) return;
  cancelled_ = false;
  {
    const std::lock_guard lock(mutex_);
    status_ = {0, Message("starting")};
  }
  running_request_ = std::move(request), running_runtime_ = std::move(runtime), running_device_ = device;
  thread_ = std::async(std::launch::async, [this, request = running_request_, runtime = running_runtime_, device,
                                            before = std::exchange(before_, nullptr)] {
    const Progress progress = [this](double fraction, const Message& what) {
      {
        const std::lock_guard lock(mutex_);
        status_ = {static_cast<float>(fraction), what};
      }
      wake_();
      return !cancelled_;
    };
    struct Wake {
      const std::function<void()>& wake;
      ~Wake() { wake(); }
    } wake{wake_};
    WindowOptions::Made made = run_(request, runtime, device, progress);
    Outcome outcome;
    outcome.trace = std::move(made.trace), outcome.notes = std::move(made.notes);
    if (before && outcome.trace)
      outcome.changes = differences_between(before, outcome.trace, {.go_on = [this] { return !cancelled_; }});
    return outcome;
  });
}

Rerun::Status Rerun::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

std::optional<Rerun::Outcome> Rerun::take() {
  if (!ready(thread_)) return std::nullopt;
  Outcome outcome;
  try {
    outcome = thread_.get();
    if (outcome.trace && !cancelled_)
      request_ = running_request_, runtime_ = running_runtime_, device_ = running_device_;
  } catch (const std::exception& error) { outcome.error = message_of(error); }
  outcome.cancelled = cancelled_;
  return outcome;
}

}  // namespace twiddle
