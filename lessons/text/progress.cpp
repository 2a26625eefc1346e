#include "lessons/text/progress.h"

#include "base/error.h"
#include "base/paths.h"
#include "base/read_file.h"
#include "base/values/json_text.h"
#include "base/write_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

constexpr std::uintmax_t max_file = 1 << 20;
constexpr std::size_t max_lessons = 1000;
constexpr int most = 1000;
constexpr std::size_t max_signs = 99, max_line = 20000;

int number(const nlohmann::json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_number_integer() ? std::clamp(found->get<int>(), 0, most) : 0;
}

bool are_signs(std::string_view text) {
  constexpr char signs[] = {progress_signs.right, progress_signs.wrong, progress_signs.none};
  return text.size() <= max_signs && text.find_first_not_of(std::string_view(signs, 3)) == std::string_view::npos;
}

int rights(const std::string& first) {
  return static_cast<int>(std::count(first.begin(), first.end(), progress_signs.right));
}

// The number of up to three digits that a text begins with, which is cut off; −1: there is none.
int leading_number(std::string_view& text) {
  std::size_t digits = 0;
  int value = 0;
  while (digits < text.size() && digits < 3 && text[digits] >= '0' && text[digits] <= '9')
    value = 10 * value + (text[digits++] - '0');
  text.remove_prefix(digits);
  return digits == 0 ? -1 : value;
}

bool cut_off(std::string_view& text, char sign) {
  if (text.empty() || text.front() != sign) return false;
  text.remove_prefix(1);
  return true;
}

// "dft:3/5:+-."
std::optional<std::pair<std::string, LessonProgress>> lesson_in(std::string_view part) {
  const std::size_t colon = part.find(':');
  if (colon == std::string_view::npos || colon == 0) return {};
  const std::string id(part.substr(0, colon));
  if (id.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != std::string::npos)
    return {};
  part.remove_prefix(colon + 1);
  LessonProgress progress;
  progress.steps_seen = leading_number(part);
  if (!cut_off(part, '/')) return {};
  progress.steps = leading_number(part);
  if (!cut_off(part, ':') || progress.steps_seen < 1 || progress.steps_seen > progress.steps || !are_signs(part))
    return {};
  progress.first = part;
  progress.questions = static_cast<int>(part.size());
  progress.right = rights(progress.first);
  return std::pair(id, progress);
}

}  // namespace

std::string progress_line(const std::map<std::string, LessonProgress>& progress, const std::vector<std::string>& ids) {
  std::string line(progress_word);
  for (const std::string& id : ids) {
    const auto found = progress.find(id);
    if (found == progress.end() || found->second.steps_seen < 1) continue;
    const LessonProgress& lesson = found->second;
    std::string first = lesson.first;
    first.resize(static_cast<std::size_t>(lesson.questions), progress_signs.none);
    line += fmt::format(" {}:{}/{}:{}", id, lesson.steps_seen, lesson.steps, first);
  }
  return line;
}

std::optional<std::map<std::string, LessonProgress>> read_progress_line(std::string_view line,
                                                                        const std::vector<std::string>& ids) {
  constexpr std::string_view spaces = " \t\r\n";
  line = line.substr(0, max_line);
  std::map<std::string, LessonProgress> progress;
  std::size_t words = 0;
  for (std::size_t from = line.find_first_not_of(spaces); from != std::string_view::npos; ++words) {
    const std::size_t end = std::min(line.find_first_of(spaces, from), line.size());
    const std::string_view word = line.substr(from, end - from);
    from = line.find_first_not_of(spaces, end);
    if (words == 0) {
      if (word != progress_word) return {};
      continue;
    }
    const auto lesson = lesson_in(word);
    if (!lesson) return {};
    if (std::find(ids.begin(), ids.end(), lesson->first) == ids.end()) continue;
    // A lesson that is there twice: as if one line were read after the other.
    const auto [known, fresh] = progress.insert(*lesson);
    if (!fresh) merge_progress(known->second, lesson->second);
  }
  if (words < 2) return {};
  return progress;
}

bool merge_progress(LessonProgress& known, const LessonProgress& told) {
  if (known.steps_seen > 0 && (known.steps != told.steps || known.questions != told.questions)) return false;
  known.steps_seen = std::max(known.steps_seen, told.steps_seen);
  known.steps = told.steps, known.questions = told.questions;
  known.first.resize(told.first.size(), progress_signs.none);
  for (std::size_t i = 0; i < told.first.size(); ++i)
    if (known.first[i] == progress_signs.none) known.first[i] = told.first[i];
  known.right = std::max(known.right, rights(known.first));
  return true;
}

fs::path progress_file() { return data_directory() / "lessons.json"; }

std::map<std::string, LessonProgress> read_progress(const fs::path& file) {
  std::map<std::string, LessonProgress> progress;
  try {
    const nlohmann::json all = nlohmann::json::parse(read_file(file, max_file), nullptr, false);
    if (!all.is_object()) return progress;
    for (const auto& [id, entry] : all.items())
      if (entry.is_object() && progress.size() < max_lessons) {
        progress[id] = {number(entry, "seen"), number(entry, "steps"), number(entry, "right"),
                        number(entry, "questions")};
        const auto first = entry.find("first");
        if (first != entry.end() && first->is_string() && are_signs(first->get_ref<const std::string&>()))
          progress[id].first = first->get<std::string>();
      }
  } catch (const std::exception&) {  // nothing there yet, or nothing that can be read
  }
  return progress;
}

bool write_progress(const fs::path& file, const std::map<std::string, LessonProgress>& progress) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const auto& [id, lesson] : progress)
    all[id] = {{"seen", lesson.steps_seen},
               {"steps", lesson.steps},
               {"right", lesson.right},
               {"questions", lesson.questions},
               {"first", lesson.first}};
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  return !try_write_file(file, json_text(all, 2) + "\n");
}

}  // namespace twiddle
