#include "viewer/session/rerun.h"

#include "base/error.h"
#include "base/text.h"
#include "base/tr.h"
#include "kernels/catalogue/catalogue.h"
#include "kernels/signal/signal.h"
#include "tracer/runtimes/open_runtime.h"
#include "viewer/compare/differences.h"
#include "viewer/words/device_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <functional>
#include <utility>

namespace twiddle {
namespace {

std::string id_of(const DeviceInfo& device) { return fmt::format("{}:{}", device.runtime, device.index); }

std::string name_of_device(const DeviceInfo& device) { return device_name(device.runtime, device.name); }

/// Devices of the same name are distinguished by the number that --device takes.
std::vector<Entry> entries_of(const std::vector<DeviceInfo>& devices) {
  std::vector<Entry> entries;
  for (const DeviceInfo& device : devices) {
    const auto same = std::count_if(devices.begin(), devices.end(), [&](const DeviceInfo& other) {
      return name_of_device(other) == name_of_device(device);
    });
    entries.push_back({id_of(device), same > 1 ? fmt::format("{} {} · {}", device.runtime, device.index, device.name)
                                               : name_of_device(device)});
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
  if (parameter.name == "signal" || parameter.name == "n") entries.push_back({typed_value, tr("type one …")});
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

/// Of the catalogue or the gallery; null of a plan file.
const Algorithm* known_algorithm(std::string_view id) {
  for (const std::span<const Algorithm> list : {algorithms(), gallery(), gallery_twins()})
    for (const Algorithm& candidate : list)
      if (candidate.id == id) return &candidate;
  return nullptr;
}

/// Whether the algorithm takes the request.
bool takes(const Algorithm& algorithm, const Request& request) {
  try {
    algorithm.build(request);
    return true;
  } catch (const Error&) { return false; }
}

bool has_source(const TraceSource& trace, const std::string& name) {
  const auto& sources = trace.info().sources;
  return std::any_of(sources.begin(), sources.end(), [&](const SourceText& source) { return source.name == name; });
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
  DeviceList list = device_list_.get();
  devices_ = std::move(list.devices);
  missing_ = std::move(list.missing);
  return true;
}

std::vector<DeviceLine> Rerun::devices() const {
  std::vector<DeviceLine> lines;
  for (const DeviceInfo& device : devices_) lines.push_back({device.runtime, device.name, true});
  for (const std::string& sentence : missing_) {
    // "cuda: no driver was found" of what is not here.
    const std::size_t colon = sentence.find(':');
    const bool named = colon < 12;
    lines.push_back({named ? sentence.substr(0, colon) : std::string("–"),
                     named ? std::string(sentence.substr(std::min(colon + 2, sentence.size()))) : sentence, false});
  }
  return lines;
}

std::vector<ChoiceField> Rerun::fields(const TraceInfo& info) {
  std::vector<ChoiceField> list = trace_fields(info);
  if (!possible()) return list;
  if (const Algorithm* algorithm = known_algorithm(info.algorithm)) add_parameters(list, info, *algorithm);
  if (!list.empty() && list.front().name == "algorithm") {
    ChoiceField& chosen = list.front();
    if (!known_algorithm(info.algorithm)) chosen.entries.push_back({chosen.chosen, chosen.value});
    for (const Algorithm& other : algorithms()) chosen.entries.push_back({other.id, other.id, tr(other.title.c_str())});
    for (const Algorithm& other : gallery()) chosen.entries.push_back({other.id, other.id, tr(other.title.c_str())});
  }
  ChoiceField& device = list.back();
  device.entries = entries_of(devices_);
  // The trace has only the name of the device that "auto" chose.
  const auto here = std::find_if(devices_.begin(), devices_.end(), [&](const DeviceInfo& candidate) {
    return made_.runtime == "auto" ? name_of_device(candidate) == device.chosen
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
    find_algorithm(entry);  // or says that there is none
    job.origin.clear();
    Message note;
    request = fitted(std::move(fresh), note);
    if (!note.empty()) job.notes.push_back(std::move(note));
  } else if (field == "device") {
    for (const DeviceInfo& candidate : devices_)
      if (id_of(candidate) == entry) job.runtime = candidate.runtime, job.device = candidate.index;
  } else if (field == "direction") {
    request.inverse = entry == "inverse";
  } else {
    set_parameter(request, field, entry);
    if (field == "n") {
      request.group_size.reset();
      Message note;
      request = fitted(std::move(request), note);
      if (!note.empty()) job.notes.push_back(std::move(note));
    }
  }
  run(std::move(job));
}

void Rerun::start() { run(made_); }

void Rerun::start_beside(const std::string& algorithm) {
  Job job = made_;
  job.request.algorithm = algorithm, job.beside = true;
  job.request.edited.clear();
  run(std::move(job));
}

void Rerun::start_beside(const std::string& file, std::string text) {
  Job job = made_;
  job.request.edited[file] = std::move(text);
  job.beside = true;
  run(std::move(job));
}

void Rerun::run_plan(const std::filesystem::path& file) {
  Job job = made_;
  job.request = {};
  job.origin.clear();
  job.request.algorithm = file.string();
  run(std::move(job));
}

void Rerun::start_edited(SourceEdits edits, std::shared_ptr<const TraceSource> before) {
  if (running()) return;
  before_ = std::move(before);
  Job job = made_;
  job.request.edited = std::move(edits);
  job.edited = true;
  run(std::move(job));
}

void Rerun::start_after(std::shared_ptr<const TraceSource> before) {
  if (running()) return;
  before_ = std::move(before);
  Job job = made_;
  job.request.edited.clear();  // what counts now is in the files
  run(std::move(job));
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
    outcome.trace = std::move(made.trace), outcome.notes = asked.notes;
    for (Message& note : made.notes) outcome.notes.push_back(std::move(note));
    if (!outcome.trace) return outcome;
    // Another device may compile another language's source.
    for (const auto& [name, text] : asked.request.edited)
      if (std::filesystem::path(name).extension() != ".toml" && !has_source(*outcome.trace, name))
        outcome.notes.push_back(Message("The edits of {} are not in this run: the device takes other sources.", name));
    if (before) {
      outcome.changes = differences_between(before, outcome.trace, {.go_on = [this] { return !cancelled_; }});
      Document was(before), is(outcome.trace);
      outcome.changed = std::make_shared<const Changes>(was, is);
    }
    return outcome;
  });
}

std::optional<Rerun::Outcome> Rerun::take() {
  if (!ready(thread_)) return std::nullopt;
  Outcome outcome;
  try {
    outcome = thread_.get();
    running_.notes.clear();
    outcome.edited = std::exchange(running_.edited, false);
    if (outcome.trace && !cancelled_ && !running_.beside) {
      made_ = running_;
      std::erase_if(made_.request.edited, [&](const auto& edit) { return !has_source(*outcome.trace, edit.first); });
    }
  } catch (const std::exception& error) {
    outcome.error = message_of(error);
    outcome.edited = running_.edited;
  }
  outcome.cancelled = cancelled_;
  outcome.beside = running_.beside;
  return outcome;
}

std::optional<Request> request_of(const TraceInfo& info) {
  const Algorithm* algorithm = known_algorithm(info.algorithm);
  if (!algorithm) return std::nullopt;
  Request request;
  request.algorithm = info.algorithm;
  for (const Parameter& parameter : algorithm->parameters) {
    const auto value = info.parameters.find(parameter.name);
    if (parameter.name == "inverse")
      request.inverse = traits(info.expect.transform).inverse;
    else if (parameter.name == "signal")
      request.signal = info.signal;
    else if (value != info.parameters.end() && !value->second.empty())
      try {
        set_parameter(request, parameter.name, value->second);
      } catch (const Error&) {  // a file says what no run can have: then the default
      }
  }
  return request;
}

Request fitted(Request request, Message& note) {
  const Algorithm* algorithm = known_algorithm(request.algorithm);
  if (!algorithm || !request.n || takes(*algorithm, request)) return request;
  const std::uint64_t asked = *request.n;
  std::vector<std::uint64_t> sizes;
  for (const Parameter& parameter : algorithm->parameters)
    if (parameter.name == "n")
      for (const std::string& choice : choices(parameter))
        if (const auto size = number_in<std::uint64_t>(choice)) sizes.push_back(*size);
  // The nearest by factor; of two as near, the larger.
  const auto distance = [&](std::uint64_t size) {
    return std::abs(std::log(static_cast<double>(size) / static_cast<double>(std::max<std::uint64_t>(asked, 1))));
  };
  std::stable_sort(sizes.begin(), sizes.end(), std::greater<>());
  std::stable_sort(sizes.begin(), sizes.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return distance(a) < distance(b) - 1e-9; });
  constexpr std::size_t max_tried = 8;
  // Where no size helps it is something else that the algorithm does not take: its own signal, then its own size.
  const std::string signal = request.signal;
  for (const bool own_signal : {false, true}) {
    request.signal = own_signal ? std::string() : signal;
    for (std::size_t i = 0; i <= std::min(sizes.size(), max_tried); ++i) {
      request.n = i == 0 ? asked : sizes[i - 1];
      if (!takes(*algorithm, request)) continue;
      if (*request.n != asked)
        note = Message("{} does not take N = {}: this is the nearest, {}.", algorithm->id, asked, *request.n);
      return request;
    }
    request.n.reset();
    if (takes(*algorithm, request)) {
      note = Message("{} does not take N = {}: this is its usual size.", algorithm->id, asked);
      return request;
    }
  }
  request.n = asked, request.signal = signal;
  return request;  // what is wrong with it is said when it runs
}

}  // namespace twiddle
