#include "cli/lessons_list.h"

#include "lessons/text/library.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <utility>

namespace twiddle::cli {

std::string lessons_list(std::string_view language, bool json) {
  if (!json) {
    std::string text;
    for (const CourseEntry& entry : course(language)) text += fmt::format("{:<16} {}\n", entry.id, entry.title);
    return text;
  }
  std::map<std::pair<int, std::string>, nlohmann::ordered_json> by_place;
  for (const std::string_view each : lesson_languages())
    for (const CourseEntry& entry : course(each)) {
      const auto [place, fresh] = by_place.try_emplace({entry.number, entry.id});
      if (fresh) place->second = {{"id", entry.id}, {"title", entry.title}, {"minutes", entry.minutes}};
      place->second["languages"].push_back(std::string(each));
    }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (auto& [place, entry] : by_place) list.push_back(std::move(entry));
  return list.dump(2) + "\n";
}

}  // namespace twiddle::cli
