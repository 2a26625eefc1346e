#include "viewer/session/rerun.h"

#include "base/error.h"
#include "base/tr.h"
#include "kernels/catalogue/catalogue.h"
#include "kernels/signal/signal.h"
#include "tracer/runtimes/open_runtime.h"
#include "viewer/facts/differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace twiddle {
namespace {

std::string id_of(const DeviceInfo& device) { return fmt::format("{}:{}", device.runtime, device.index); }

std::string device_text(const DeviceInfo& device) { return device.runtime + " · " + device.name; }

/// Devices of the same name are distinguished by the number that --device takes.
std::vector<Entry> entries_of(const std::vector<DeviceInfo>& devices) {
  std::vector<Entry> entries;
  for (const DeviceInfo& device : devices) {
    const auto same = std::count_if(devices.begin(), devices.end(),
                                    [&](const DeviceInfo& other) { return device_text(other) == device_text(device); });
    entries.push_back({id_of(device), same > 1 ? fmt::format("{} {} · {}", device.runtime, device.index, device.name)
                                               : device_text(device)});
  }
  return entries;
}

/// The field's own value is among its entries.
void add_chosen(ChoiceField& field) {
  if (std::none_of(field.entries.begin(), field.entries.end(),
                   [&](const Entry& entry) { return entry.id == field.chosen; }))
    field.entries.push_back({field.chosen, field.value});
}

/// What can be chosen of one of the algorithm's parameters.
std::vector<Entry> entries_of(const Parameter& parameter, const TraceInfo& info, const Algorithm& algorithm) {
  if (parameter.name == "inverse") return {{"forward", tr("forward")}, {"inverse", tr("inverse")}};
  std::vector<Entry> entries;
  for (std::string& word : parameter.name == "signal" ? signal_words() : choices(parameter))
    entries.push_back({std::move(word)});
  const bool drawable = algorithm.dimensions == 1 && info.expect.points <= Sketch::max_samples &&
                        traits(info.buffers.empty() ? ElementType::Float2 : info.buffers.front().type).floating;
  if (parameter.name == "signal" && drawable) entries.push_back({drawn_signal, tr("drawn by hand …")});
  return entries;
}

/// Gives the bar's fields the entries of the algorithm's parameters; those that have no field there are folded into one.
void add_parameters(std::vector<ChoiceField>& list, const TraceInfo& info, const Algorithm& algorithm) {
  ChoiceField more{more_field, "", tr("more …"), ""};
  std::vector<ChoiceField> folded;
  for (const Parameter& parameter : algorithm.parameters) {
    const std::string name = parameter.name == "inverse" ? "direction" : parameter.name;
    std::vector<Entry> entries = entries_of(parameter, info, algorithm);
    const auto shown = std::find_if(list.begin(), list.end(), [&](const ChoiceField& f) { return f.name == name; });
    const auto value = info.parameters.find(name);
    if (shown != list.end()) {
      shown->entries = std::move(entries);
      add_chosen(*shown);
    } else if (value != info.parameters.end() && !entries.empty()) {
      ChoiceField field{name, name, value->second, value->second, std::move(entries), true};
      add_chosen(field);
      more.entries.push_back({name, name + " " + value->second});
      folded.push_back(std::move(field));
    }
  }
  if (folded.empty()) return;
  list.insert(list.end() - 1, std::move(more));  // before the device, which may be long
  list.insert(list.end() - 1, folded.begin(), folded.end());
}

template <typename T>
bool ready(const std::future<T>& future) {
  return future.valid() && future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

Rerun::Rerun(const WindowOptions& options, std::function<void()> wake)
    : run_(options.run), wake_(std::move(wake)), made_{options.request, options.runtime, options.device} {
  if (possible()) {
    // Querying all drivers is slow; the first frame should not wait for it.
    device_list_ = std::async(std::launch::async, [this, list_all = options.devices] {
      DeviceList list;
      try {
        list = list_all ? list_all() : list_devices();
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
  if (algorithm) {
    add_parameters(list, info, *algorithm);
    ChoiceField& chosen = list.front();
    for (const Algorithm& other : algorithms()) chosen.entries.push_back({other.id});
  }
  ChoiceField& device = list.back();
  device.entries = entries_of(devices_);
  // The trace has only the name of the device that "auto" chose.
  const auto here = std::find_if(devices_.begin(), devices_.end(), [&](const DeviceInfo& candidate) {
    return made_.runtime == "auto" ? device_text(candidate) == device.value
                                   : candidate.runtime == made_.runtime && candidate.index == made_.device;
  });
  if (here != devices_.end()) device.chosen = id_of(*here);
  for (ChoiceField& field : list)
    if (field.entries.size() == 1 && field.entries.front().id == field.chosen) field.entries.clear();
  return list;
}

void Rerun::choose(const std::string& field, const std::string& entry) {
  Job job = made_;
  Request& request = job.request;
  if (field == "algorithm") {
    // What the other algorithm does not know goes back to its default.
    Request fresh;
    fresh.algorithm = entry;
    fresh.n = request.n;
    fresh.signal = request.signal;
    fresh.inverse = request.inverse;
    request = fresh;
  } else if (field == "device") {
    for (const DeviceInfo& candidate : devices_)
      if (id_of(candidate) == entry) job.runtime = candidate.runtime, job.device = candidate.index;
  } else if (field == "direction") {
    request.inverse = entry == "inverse";
  } else {
    set_parameter(request, field, entry);
    if (field == "n") request.group_size.reset();
  }
  run(std::move(job));
}

void Rerun::start() { run(made_); }

void Rerun::run_plan(const std::filesystem::path& file) {
  Job job = made_;
  job.request = {};
  job.request.algorithm = file.string();
  run(std::move(job));
}

void Rerun::start_after(std::shared_ptr<const TraceSource> before) {
  if (running()) return;
  before_ = std::move(before);
  start();
}

void Rerun::run(Job job) {
  if (!possible() || running()) return;
  cancelled_ = false;
  fraction_ = 0;
  running_ = std::move(job);
  thread_ = std::async(std::launch::async, [this, before = std::exchange(before_, nullptr), asked = running_] {
    const Progress progress = [this](double fraction, const Message&) {
      fraction_ = static_cast<float>(fraction);
      wake_();
      return !cancelled_;
    };
    struct Wake {
      const std::function<void()>& wake;
      ~Wake() { wake(); }
    } wake{wake_};
    WindowOptions::Made made = run_(asked.request, asked.runtime, asked.device, progress);
    Outcome outcome;
    outcome.trace = std::move(made.trace), outcome.notes = std::move(made.notes);
    if (before && outcome.trace)
      outcome.changes = differences_between(before, outcome.trace, {.go_on = [this] { return !cancelled_; }});
    return outcome;
  });
}

std::optional<Rerun::Outcome> Rerun::take() {
  if (!ready(thread_)) return std::nullopt;
  Outcome outcome;
  try {
    outcome = thread_.get();
    if (outcome.trace && !cancelled_) made_ = running_;
  } catch (const std::exception& error) { outcome.error = message_of(error); }
  outcome.cancelled = cancelled_;
  return outcome;
}

}  // namespace twiddle
