#include "tracer/repair/plans/plan_edits.h"

#include "base/error.h"
#include "base/read_file.h"
#include "base/temporary_folder.h"
#include "base/write_file.h"
#include "kernels/catalogue/catalogue.h"
#include "kernels/plan/edited_plan.h"
#include "tracer/repair/plans/plan_changes.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

constexpr std::size_t max_plan_bytes = std::size_t(1) << 20, max_copied_bytes = std::size_t(1) << 20, max_copied = 1000;

std::string trimmed_line(const std::string& text, std::size_t at) {
  const std::size_t from = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  std::string one = text.substr(from, text.find_first_of("\r\n", at) - from);
  const std::size_t first = one.find_first_not_of(" \t");
  return first == std::string::npos ? std::string() : one.substr(first);
}

// The buffers that launches take.
std::set<std::size_t> used_buffers(const Plan& plan) {
  std::set<std::size_t> used;
  for (const Launch& launch : plan.launches)
    for (const Argument& argument : launch.arguments)
      for (const std::size_t buffer : buffers_of(argument)) used.insert(buffer);
  return used;
}

// Whether a launch that computes something else than what the plan compares with is handed that: then it only copies it.
bool takes_reference(const Plan& was, const Plan& is) {
  for (std::size_t k = 0; k < std::min(was.launches.size(), is.launches.size()); ++k)
    if (!computes_reference(was, was.launches[k]) && computes_reference(was, is.launches[k])) return true;
  return false;
}

// What other numbers of items cost more, where nothing else changes: groups of another size alone, above all of one item, and fewer
// items mostly hide that a kernel strides wrongly or counts its items as something else.
double cost_of_sizes(const std::vector<Launch>& was, const std::vector<Launch>& is) {
  constexpr double groups = 0.8, of_one_item = 0.4, fewer = 0.6;
  if (was.size() != is.size()) return 0;
  const auto items = [](const auto& counts) {
    std::size_t product = 1;
    for (const auto count : counts) product *= count;
    return product;
  };
  double cost = 0;
  for (std::size_t k = 0; k < is.size(); ++k) {
    Launch same = is[k];
    same.global = was[k].global;
    same.local = was[k].local;
    if (!(same == was[k])) return 0;
    if (is[k].global == was[k].global && is[k].local != was[k].local)
      cost = std::max(cost, groups + (items(is[k].local) == 1 ? of_one_item : 0));
    if (is[k].local == was[k].local && items(is[k].global) < items(was[k].global)) cost = std::max(cost, fewer);
  }
  return cost;
}

// How often launches take a buffer that they take already.
std::size_t taken_again(const Plan& plan) {
  std::size_t again = 0;
  for (const Launch& launch : plan.launches) {
    std::set<std::size_t> taken;
    for (const Argument& argument : launch.arguments)
      for (const std::size_t buffer : buffers_of(argument)) again += !taken.insert(buffer).second;
  }
  return again;
}

}  // namespace

std::optional<std::string> text_of_plan(const Plan& plan) {
  const fs::path file(plan.algorithm);
  if (file.extension() != ".toml") return std::nullopt;
  try {
    const auto edited = plan.edited.find(file.filename().string());
    return edited == plan.edited.end() ? read_file(file, max_plan_bytes) : edited->second;
  } catch (const Error&) { return std::nullopt; }
}

PlanParameters given_parameters(const Plan& plan, const std::string& text) {
  PlanParameters given;
  for (const auto& [name, value] : read_plan_text(plan.algorithm, text).parameters)
    if (const auto known = plan.parameters.find(name); known != plan.parameters.end() && known->second != value)
      given[name] = known->second;
  return given;
}

std::vector<PlanEdit> edits_of_plan(const Plan& plan, std::size_t most) {
  const fs::path file(plan.algorithm);
  const std::optional<std::string> known_text = text_of_plan(plan);
  if (!known_text) return {};
  const std::string& text = *known_text;
  // Beside the same sources and signals: a folder of copies of them, for a plan's files are in its own folder.
  const TemporaryFolder folder;
  const fs::path home = fs::absolute(file).parent_path();
  std::error_code failed;
  std::size_t copied = 0;
  for (fs::recursive_directory_iterator entry(home, failed), end; !failed && entry != end; entry.increment(failed)) {
    if (entry.depth() >= 2) entry.disable_recursion_pending();
    if (!entry->is_regular_file(failed) || entry->file_size(failed) > max_copied_bytes || ++copied > max_copied)
      continue;
    const fs::path to = folder.path() / entry->path().lexically_relative(home);
    fs::create_directories(to.parent_path(), failed);
    fs::copy_file(entry->path(), to, failed);
    failed.clear();
  }
  const fs::path copy = folder.path() / file.filename();
  const auto read = [&](const std::string& changed, const PlanParameters& given) {
    write_file(copy, changed);
    Plan read = read_plan_file(copy, given);
    read.directory = plan.directory;
    read.edited = plan.edited;
    read.algorithm = plan.algorithm;
    read.signal = plan.signal;
    return read;
  };
  PlanParameters given;
  try {
    given = given_parameters(plan, text);
  } catch (const Error&) { return {}; }

  std::vector<PlanChange> changes = changes_of_plan(plan, text);
  std::stable_sort(changes.begin(), changes.end(),
                   [](const PlanChange& a, const PlanChange& b) { return a.cost < b.cost; });
  if (changes.size() > most) changes.resize(most);
  std::vector<PlanEdit> edits;
  std::vector<std::vector<Launch>> seen{plan.launches};
  const std::set<std::size_t> used = used_buffers(plan);
  for (const PlanChange& change : changes) {
    std::string changed = text;
    changed.replace(change.begin, change.size, change.text);
    PlanEdit edit;
    edit.line =
        1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(change.begin), '\n'));
    edit.is = trimmed_line(text, change.begin);
    edit.should = trimmed_line(changed, change.begin);
    edit.was = text.substr(change.begin, change.size);
    edit.text = change.text;
    edit.whole = changed;
    edit.cost = change.cost;
    if (change.line) {
      edit.text = trimmed_line(changed, change.begin + 1);
      edit.should = edit.is + "\n" + edit.text;
    }
    try {
      edit.plan = read(changed, given);
    } catch (const Error&) { continue; }
    // What is compared with itself is always right.
    const Expect& expect = edit.plan->expect;
    if (expect.transform == Expect::Transform::Equals && expect.output == expect.operand) continue;
    edit.same_buffers = edit.plan->buffers == plan.buffers && edit.plan->expect == plan.expect;
    if (edit.same_buffers && takes_reference(plan, *edit.plan)) continue;
    // Another size of the problem hides what is wrong with it.
    if (change.parameter && !edit.same_buffers) continue;
    if (edit.same_buffers) {
      if (std::find(seen.begin(), seen.end(), edit.plan->launches) != seen.end()) continue;
      seen.push_back(edit.plan->launches);
    }
    // A buffer is declared for some use.
    constexpr double dearer = 0.3;
    const std::set<std::size_t> now = used_buffers(*edit.plan);
    if (edit.same_buffers && !std::includes(now.begin(), now.end(), used.begin(), used.end())) edit.cost += dearer;
    if (edit.same_buffers) edit.cost += cost_of_sizes(plan.launches, edit.plan->launches);
    // So are two parameters of a kernel: what reads one array and writes another is seldom meant to do both in one.
    if (edit.same_buffers && taken_again(*edit.plan) > taken_again(plan)) edit.cost += dearer;
    edits.push_back(std::move(edit));
  }
  std::stable_sort(edits.begin(), edits.end(), [](const PlanEdit& a, const PlanEdit& b) { return a.cost < b.cost; });
  return edits;
}

}  // namespace twiddle
