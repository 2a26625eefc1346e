// Opens the window, on traces and on lessons, in builds and on machines that have one.
#pragma once

#include "base/temporary_folder.h"
#include "cli/options.h"
#include "lessons/text/lesson.h"
#include "viewer/document/document.h"
#include "viewer/session/window_options.h"
#include "viewer/state/guide.h"

#include <cstdint>
#include <optional>
#include <string>

namespace twiddle::cli {

/// Why no window can open here, as the end of a sentence ("there is no display here"); empty when one may.
std::string why_no_window();

/// Opens the window and returns when it is closed. When the trace came from `run`, its fields can be changed and it can
/// be run again there; those traces go to `folder`. `guide`, if any, leads through traces with text. All text is in
/// `language`, unless the user's settings say another and none was asked for with the picture. A second document is
/// beside the first, and nothing is run then. Of several `ranks` of one run, the document is one. `start`: the start page covers
/// it at first. Throws Error (no_device) when no window can open.
int show_window(Document& document, const PictureOptions& picture, std::uint64_t step, const RunOptions* run,
                const TemporaryFolder* folder, Guide* guide, Language language, Document* beside = nullptr,
                bool start = false, const std::vector<RankTrace>& ranks = {});

/// Opens the window on its start page, in front of an FFT that was traced for it.
int open_start_page(const std::string& language, const RunOptions& run, const PictureOptions& picture);

/// Whether the argument of `view` means a lesson: one of the course, or a file (.md).
bool names_lesson(const std::string& subject);

/// Opens the window on the contents, or on a lesson. `screenshot` is a file to write instead, with the lesson at `step`
/// (from 1).
int open_lessons(const std::string& language, std::optional<Lesson> lesson, const RunOptions& run,
                 const PictureOptions& picture, const std::string& screenshot = {}, std::uint64_t step = 1);

/// Whether the program is used interactively: there is a display, and standard output is neither a pipe nor a file.
bool is_interactive();

}  // namespace twiddle::cli
