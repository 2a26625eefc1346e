// Where linear algebra says that the mistake can be, and where not.
#include "base/error.h"
#include "tracer/repair/copies.h"
#include "tracer/repair/locate/locate.h"
#include "tracer/repair/locate/slices.h"
#include "tracer/repair/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace twiddle {
namespace {

constexpr double of_time = 0.15;  // of the search's

}  // namespace

void RepairSearch::read_located(const std::string& text) {
  std::istringstream parts(text);
  for (std::string one; std::getline(parts, one, ';');) {
    std::size_t file = 0;
    int line = 0, percent = 0;
    if (std::sscanf(one.c_str(), "%zu:%d:%d", &file, &line, &percent) == 3) located_[{file, line}] = percent;
  }
}

// Other factors in what some lines store make all of the outcome right, in others they do not. A line that has no part in the
// former can still be wrong, where it says what is read or when: so its changes come later, and none is left out.
void RepairSearch::find_lines() {
  constexpr int likely = 30, unlikely = -30;
  if (progress_.located()) {
    read_located(*progress_.located());
    return;
  }
  progress_.note_located("");  // should it end the process, it is not tried again
  const double begun = processor_seconds(), most = of_time * options_.seconds;
  const Located located = located_from(text_of_copy(options_.forks, [&] {
    return to_text(locate(plan_, runtime_, [&] { return processor_seconds() - begun > most; }));
  }));
  if (!located.known || std::none_of(located.stores.begin(), located.stores.end(), can_be)) return;

  const auto number_of = [&](const std::string& name) {
    std::size_t f = 0;
    while (f < files_.size() && files_[f].name != name) ++f;
    return f;
  };
  std::vector<const Syntax*> files;
  for (const File& file : files_) files.push_back(file.syntax.get());
  std::map<std::string, std::set<int>> stores;
  for (const LocatedStores& one : located.stores)
    if (one.lines.size() == 1) stores[one.file].insert(one.lines[0]);
  // A kernel of which a few lines can be it needs no more than these.
  const auto fewer_can_be = [&](const LocatedStores& kernel) {
    return std::any_of(located.stores.begin(), located.stores.end(), [&](const LocatedStores& one) {
      return !one.lines.empty() && one.file == kernel.file && one.function == kernel.function && can_be(one);
    });
  };
  for (std::size_t f = 0; f < files_.size(); ++f)
    for (const Function& one : files[f]->functions)
      for (int line = files[f]->lexemes[one.name_at].line; line <= files[f]->lexemes[one.end].line; ++line)
        located_[{f, line}] = unlikely;
  // One mistake in several lines' stores is rather in what all of them are made of.
  for (const LocatedStores& one : located.stores) {
    if (!can_be(one) || (one.lines.empty() && fewer_can_be(one))) continue;
    const std::size_t file = number_of(one.file);
    std::map<LineScores::Place, std::size_t> in;
    const std::vector<int> of = one.lines.empty() ? std::vector<int>{0} : one.lines;
    for (const int line : of) {
      const auto lines =
          file == files_.size() ? std::nullopt : lines_behind(files, file, one.function, line, stores[one.file]);
      if (!lines) {
        located_.clear();
        return;
      }
      for (const auto& place : *lines) ++in[place];
    }
    for (const auto& [place, count] : in) located_[place] = std::max(located_[place], count == of.size() ? likely : 0);
  }
  std::string text;
  for (const auto& [place, percent] : located_) text += fmt::format("{}:{}:{};", place.first, place.second, percent);
  progress_.note_located(text);
}

}  // namespace twiddle
