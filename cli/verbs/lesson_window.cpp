#include "cli/verbs/lesson_window.h"

#include "base/error.h"
#include "base/temporary_folder.h"
#include "cli/export/picture.h"
#include "cli/output.h"
#include "cli/verbs/show_window.h"
#include "lessons/pages/lesson_guide.h"
#include "viewer/facts/trace_facts.h"
#include "viewer/render/render.h"
#include "viewer/scene/fonts.h"
#include "viewer/scene/languages.h"

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace fs = std::filesystem;

namespace twiddle::cli {

bool names_lesson(const std::string& subject) {
  if (subject.ends_with(".md")) return true;
  const std::vector<std::string> ids = course_ids();
  return std::find(ids.begin(), ids.end(), subject) != ids.end();
}

bool is_interactive() {
  struct stat out {};
  const bool kept = fstat(STDOUT_FILENO, &out) == 0 && (S_ISFIFO(out.st_mode) || S_ISREG(out.st_mode));
  return !kept && why_no_window().empty();
}

int open_lessons(const std::string& language, std::optional<Lesson> lesson, const RunOptions& run,
                 const PictureOptions& picture, const std::string& screenshot, std::uint64_t step) {
  const std::string lesson_language = lesson ? lesson->language : language;
  if (lesson && step > lesson->steps.size())
    throw usage_error("the lesson has {} steps; --step {} is beyond the last", lesson->steps.size(), step);
  const TemporaryFolder folder;
  LessonRuns runs(folder.path(), run.runtime, run.device);
  // A screenshot does not count as reading: no progress is saved.
  LessonGuide guide(lesson_language, std::move(lesson), runs, screenshot.empty() ? progress_file() : fs::path());
  for (std::uint64_t at = 1; at < step; ++at) guide.page(1);
  const Guide::Place place = guide.place();
  if (!place.trace) throw Error(ExitCode::unreadable, Message::verbatim(guide.complaint()));
  const Language faces = language_of(lesson_language);
  use_language(faces);
  Document document(place.trace);
  keep_findings_back(document, place.secret);
  const std::string view(picture.view.empty() ? std::string_view(place.view) : asked_view(document, picture).name());
  if (const std::string sentence = missing_face(faces); !sentence.empty() && !screenshot.empty())
    fmt::print(stderr, "twiddle: {}\n", sentence);
  if (screenshot.empty()) {
    RunOptions first = run;
    first.request = place.request;
    return show_window(document, picture, place.step, &first, &folder, &guide, faces);
  }
  WindowState state = window_state(picture, place.step);
  state.guide = &guide;
  state.language = faces;
  state.tab = view;
  state.cursor.pinned = place.light;
  const Scene scene = window_scene(document, state);
  if (fs::path(screenshot).extension() == ".svg")
    write_file(screenshot, to_svg(scene, theme(picture.theme)));
  else
    write_file(screenshot, std::span<const std::byte>(to_png(scene, theme(picture.theme))));
  return 0;
}

}  // namespace twiddle::cli
