// What the user has read and answered, kept on this machine and sent nowhere: $XDG_DATA_HOME/twiddle/lessons.json.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

struct LessonProgress {
  int steps_seen = 0, steps = 0;  // the furthest step reached, and how many there are
  int right = 0, questions = 0;   // answered rightly at the first try, of how many
  std::string first{};            // each question's first answer, by progress_signs; empty: not known
  bool operator==(const LessonProgress&) const = default;
};

/// By lesson id. What is there but cannot be understood counts as nothing: reading never fails.
std::map<std::string, LessonProgress> read_progress(const std::filesystem::path& file);
/// Written whole or not at all; false where it cannot be: what was there stays then, and nothing else.
bool write_progress(const std::filesystem::path& file, const std::map<std::string, LessonProgress>& progress);

// Progress as a line of text, to be taken to another window or browser, or handed in:
//
//     twiddle-progress dft:3/5:+-. stages:6/6:++
//
// of each lesson its id, how many steps were read of how many, and a sign for the first answer to each question. Pages write and
// read the same (contents.html); what is known already stays: the further step, and answers that were given here.

inline constexpr std::string_view progress_word = "twiddle-progress";
/// Right, wrong, and none yet.
struct ProgressSigns {
  char right = '+', wrong = '-', none = '.';
};
inline constexpr ProgressSigns progress_signs;

/// Of lessons with these ids that were begun, in this order.
std::string progress_line(const std::map<std::string, LessonProgress>& progress, const std::vector<std::string>& ids);
/// What a line tells of lessons with these ids; nothing where it is no such line.
std::optional<std::map<std::string, LessonProgress>> read_progress_line(std::string_view line,
                                                                        const std::vector<std::string>& ids);
/// Takes what is told of a lesson into what is known of it. False where that is of another edition, with other steps or
/// questions: then nothing is taken.
bool merge_progress(LessonProgress& known, const LessonProgress& told);

/// lessons.json in data_directory().
std::filesystem::path progress_file();

}  // namespace twiddle
