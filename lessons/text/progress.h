// What the user has read and answered, kept on this machine and sent nowhere: $XDG_DATA_HOME/twiddle/lessons.json.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace twiddle {

struct LessonProgress {
  int steps_seen = 0, steps = 0;  // the furthest step reached, and how many there are
  int right = 0, questions = 0;   // answered rightly at the first try, of how many
  bool operator==(const LessonProgress&) const = default;
};

/// By lesson id. What is there but cannot be understood counts as nothing: reading never fails.
std::map<std::string, LessonProgress> read_progress(const std::filesystem::path& file);
/// Written whole or not at all; returns false where the folder cannot be written to.
bool write_progress(const std::filesystem::path& file, const std::map<std::string, LessonProgress>& progress);

/// $XDG_DATA_HOME/twiddle/lessons.json, or ~/.local/share/twiddle/lessons.json.
std::filesystem::path progress_file();

}  // namespace twiddle
