#include "lessons/text/progress.h"

#include "base/error.h"
#include "base/read_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

constexpr std::uintmax_t max_file = 1 << 20;
constexpr std::size_t max_lessons = 1000;
constexpr int most = 1000;

int number(const nlohmann::json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_number_integer() ? std::clamp(found->get<int>(), 0, most) : 0;
}

}  // namespace

fs::path progress_file() {
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  const fs::path folder = data && *data == '/' ? fs::path(data) : fs::path(home ? home : ".") / ".local/share";
  return folder / "twiddle" / "lessons.json";
}

std::map<std::string, LessonProgress> read_progress(const fs::path& file) {
  std::map<std::string, LessonProgress> progress;
  try {
    const nlohmann::json all = nlohmann::json::parse(read_file(file, max_file), nullptr, false);
    if (!all.is_object()) return progress;
    for (const auto& [id, entry] : all.items())
      if (entry.is_object() && progress.size() < max_lessons)
        progress[id] = {number(entry, "seen"), number(entry, "steps"), number(entry, "right"),
                        number(entry, "questions")};
  } catch (const std::exception&) {  // nothing there yet, or nothing that can be read
  }
  return progress;
}

bool write_progress(const fs::path& file, const std::map<std::string, LessonProgress>& progress) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const auto& [id, lesson] : progress)
    all[id] = {
        {"seen", lesson.steps_seen}, {"steps", lesson.steps}, {"right", lesson.right}, {"questions", lesson.questions}};
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  const fs::path beside = file.string() + ".new";
  std::ofstream out(beside, std::ios::binary);
  out << all.dump(2) << "\n";
  out.close();
  if (!out) return false;
  fs::rename(beside, file, error);
  return !error;
}

}  // namespace twiddle
