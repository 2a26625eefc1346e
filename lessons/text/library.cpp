#include "lessons/text/library.h"

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/paths.h"
#include "base/values/environment.h"
#include "kernels/catalogue/catalogue.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

constexpr std::array<std::string_view, 3> languages = {"en", "ja", "zh"};

fs::path folder_of(std::string_view language) { return resource("lessons") / language; }

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> files_of(std::string_view language) {
  std::vector<fs::path> files = files_in(folder_of(language));
  if (files.empty())
    throw unreadable("there are no lessons in {}; install Twiddle again", folder_of(language).string());
  return files;
}

// "butterfly" of "03-butterfly.md".
std::string id_of(const fs::path& file) {
  const std::string stem = file.stem().string();
  const std::size_t letters = stem.find_first_not_of("0123456789");
  return letters != std::string::npos && letters > 0 && stem[letters] == '-' ? stem.substr(letters + 1) : stem;
}

}  // namespace

std::vector<std::string_view> lesson_languages() {
  std::vector<std::string_view> list;
  for (const std::string_view language : languages)
    if (!files_in(folder_of(language)).empty()) list.push_back(language);
  return list;
}

std::string system_language() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const std::string value = environment(name); !value.empty()) {
      for (const std::string_view language : languages)
        if (value.starts_with(language)) return std::string(language);
      return "en";
    }
  return "en";
}

std::vector<CourseEntry> course(std::string_view language) {
  std::vector<CourseEntry> entries;
  for (const fs::path& file : files_of(language)) {
    const Lesson lesson = load_lesson(file, language);
    entries.push_back(
        {lesson.id, lesson.title, lesson.summary, lesson.number, lesson.minutes, file, lesson.group, lesson.needs});
  }
  return entries;
}

std::vector<std::string> course_ids() {
  std::vector<std::string> ids;
  for (const fs::path& file : files_in(folder_of("en"))) ids.push_back(id_of(file));
  return ids;
}

fs::path course_file(std::string_view id, std::string_view language) {
  std::vector<std::string> ids;
  for (const fs::path& file : files_of(language)) {
    ids.push_back(id_of(file));
    if (ids.back() == id) return file;
  }
  throw usage_error("there is no lesson '{}'{}", id, did_you_mean(id, ids, Message("; twiddle lesson lists them")));
}

Lesson lesson_named(const std::string& name, std::string_view language) {
  if (name.ends_with(".md") || name.find('/') != std::string::npos) return load_lesson(name);
  return load_lesson(course_file(name, language), language);
}

}  // namespace twiddle
