#include "tracer/cuda/logged_launch.h"

#include "base/values/sorted.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>
#include <optional>
#include <utility>

namespace twiddle::cuda {
namespace {

constexpr std::size_t max_text = 200;       // of an access's place
constexpr std::size_t max_permuted = 6;     // shared arrays whose order is looked for
constexpr std::size_t max_lines = 1 << 20;  // that a #line directive may name

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

bool has_word(std::string_view text, std::string_view word) {
  const auto of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if ((at == 0 || !of_name(text[at - 1])) && (at + word.size() >= text.size() || !of_name(text[at + word.size()])))
      return true;
  return false;
}

AccessRange range_of(const Variable& variable) {
  AccessRange range;
  range.space = variable.space;
  range.bytes = variable.bytes;
  range.name = variable.name;
  range.type = variable.type;
  return range;
}

// Accesses of shared memory whose line names one array and no other: array and address.
struct Votes {
  std::vector<std::pair<std::size_t, std::uint64_t>> of;
};

Votes votes_of(const RawAccesses& raw, const std::vector<Variable>& arrays) {
  constexpr std::size_t enough = 1 << 16;
  std::vector<std::optional<std::size_t>> named(raw.sites.size());
  for (std::size_t s = 0; s < raw.sites.size(); ++s) {
    std::size_t count = 0;
    for (std::size_t a = 0; a < arrays.size(); ++a)
      if (raw.sites[s].space == Space::Local && has_word(raw.sites[s].text, arrays[a].name)) named[s] = a, ++count;
    if (count != 1) named[s].reset();
  }
  Votes votes;
  for (std::size_t k = 0; k < raw.site.size() && votes.of.size() < enough; ++k)
    if (const auto array = named[raw.site[k]]; array && touches_memory(raw.sites[raw.site[k]].kind))
      votes.of.emplace_back(*array, raw.address[k]);
  sort_unique(votes.of);
  return votes;
}

// Addresses of arrays that follow each other in this order.
std::vector<std::uint64_t> addresses(const std::vector<Variable>& arrays, const std::vector<std::size_t>& order,
                                     std::uint64_t begin) {
  std::vector<std::uint64_t> at(arrays.size());
  for (const std::size_t a : order) {
    at[a] = round_up(begin, arrays[a].alignment);
    begin = at[a] + arrays[a].bytes;
  }
  return at;
}

std::vector<std::uint64_t> likely_addresses(const std::vector<Variable>& arrays, const Votes& votes,
                                            std::uint64_t begin) {
  std::vector<std::size_t> order(arrays.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::vector<std::uint64_t> best = addresses(arrays, order, begin);
  if (arrays.size() < 2 || arrays.size() > max_permuted) return best;
  std::size_t fewest = votes.of.size() + 1;
  do {
    const std::vector<std::uint64_t> at = addresses(arrays, order, begin);
    const auto wrong = static_cast<std::size_t>(std::count_if(votes.of.begin(), votes.of.end(), [&](const auto& vote) {
      return vote.second < at[vote.first] || vote.second >= at[vote.first] + arrays[vote.first].bytes;
    }));
    if (wrong < fewest) fewest = wrong, best = at;
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

}  // namespace

LoggedProgram::LoggedProgram(std::string name, std::string_view text, std::string ptx)
    : name_(std::move(name)), ptx_(std::move(ptx)), shared_lines_(shared_lines(ptx_)) {
  std::string file = name_;
  std::size_t line = 1;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    constexpr std::string_view directive = "#line ";
    if (one.substr(0, directive.size()) == directive) {
      std::from_chars(one.data() + directive.size(), one.data() + one.size(), line);
      line = std::clamp<std::size_t>(line, 1, max_lines);
      const std::size_t open = one.find('"'), close = one.rfind('"');
      if (open < close) file = std::string(one.substr(open + 1, close - open - 1));
      continue;
    }
    std::vector<std::string>& lines = lines_[file];
    if (lines.size() <= line) lines.resize(line + 1);
    lines[line++] = std::string(one);
  }
}

std::vector<AccessRange> LoggedProgram::shared_arrays(const std::string& kernel_symbol) const {
  std::vector<AccessRange> ranges;
  bool handed_over = false;  // all such arrays begin where the others end
  for (const Variable& variable : shared_variables(ptx_, kernel_symbol)) {
    if (variable.bytes == 0 && std::exchange(handed_over, true)) continue;
    ranges.push_back(range_of(variable));
  }
  return ranges;
}

// The lines of a file that the compiler may name with folders before it.
const std::vector<std::string>* LoggedProgram::lines_of(const std::string& file, std::string& known_as) const {
  for (const auto& [name, lines] : lines_)
    if (file.size() >= name.size() && file.compare(file.size() - name.size(), name.size(), name) == 0 &&
        (file.size() == name.size() || file[file.size() - name.size() - 1] == '/')) {
      known_as = name;
      return &lines;
    }
  return nullptr;
}

bool LoggedProgram::mentions(const std::string& name) const {
  for (const auto& [file, lines] : lines_)
    for (const std::string& line : lines)
      if (has_word(line, name)) return true;
  return false;
}

// Where the compiler moved an access to another's line, that line has none of its kind that is not volatile.
bool LoggedProgram::waits_or_publishes(const AccessSite& site) const {
  const bool load = site.kind == AccessKind::Load;
  if (site.space != Space::Local || shared_lines_.strong.empty() || (!load && site.kind != AccessKind::Store))
    return false;
  const auto on_line = [&](const std::set<SharedLines::Place>& places) {
    return std::any_of(places.begin(), places.end(), [&](const SharedLines::Place& place) {
      const auto& [file, line] = place;
      return line == site.line &&
             (file == site.file || file.ends_with("/" + site.file) || site.file.ends_with("/" + file));
    });
  };
  return on_line(shared_lines_.strong) || !on_line(load ? shared_lines_.plain_loads : shared_lines_.plain_stores);
}

void LoggedProgram::name_places(RawAccesses& raw) const {
  for (AccessSite& site : raw.sites) {
    site.is_volatile = site.is_volatile || waits_or_publishes(site);
    std::string known_as;
    const std::vector<std::string>* lines = site.line > 0 ? lines_of(site.file, known_as) : nullptr;
    if (!lines) {  // of a header that is no part of the plan
      site.file.clear();
      site.line = 0;
      continue;
    }
    site.file = known_as == name_ ? std::string() : known_as;
    if (static_cast<std::size_t>(site.line) >= lines->size()) continue;
    std::string_view text = (*lines)[static_cast<std::size_t>(site.line)];
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    site.text = std::string(text.substr(0, max_text));
  }
}

void LoggedProgram::name(RawAccesses& raw, const std::string& kernel_symbol, std::uint64_t dynamic_bytes,
                         std::uint64_t reserved_bytes) const {
  name_places(raw);
  std::vector<Variable> fixed;
  std::optional<Variable> handed_over;
  for (Variable& variable : shared_variables(ptx_, kernel_symbol)) {
    if (variable.bytes > 0)
      fixed.push_back(std::move(variable));
    else if (!handed_over)
      handed_over = std::move(variable);
  }
  if (fixed.empty() && !handed_over) return;
  const std::vector<std::uint64_t> at = likely_addresses(fixed, votes_of(raw, fixed), reserved_bytes);
  std::uint64_t end = reserved_bytes;
  std::vector<AccessRange> arrays;
  for (std::size_t a = 0; a < fixed.size(); ++a) {
    arrays.push_back(range_of(fixed[a]));
    arrays.back().address = at[a];
    end = std::max(end, at[a] + fixed[a].bytes);
  }
  if (handed_over && dynamic_bytes > 0) {
    arrays.push_back(range_of(*handed_over));
    arrays.back().address = round_up(end, std::max<std::uint64_t>(handed_over->alignment, 16));
    arrays.back().bytes = dynamic_bytes;
  }
  std::vector<AccessRange> ranges;
  for (AccessRange& range : raw.ranges) {
    if (range.space != Space::Local) {
      ranges.push_back(std::move(range));
      continue;
    }
    for (AccessRange array : arrays) {
      array.owner = range.owner;
      // Compiled arrays are bytes: what is in them is seen in all of the memory's values.
      if (array.type == ElementType::UInt) array.type = range.type;
      ranges.push_back(std::move(array));
    }
  }
  raw.ranges = std::move(ranges);
}

}  // namespace twiddle::cuda
