#include "cli/export/exports.h"

#include "base/error.h"
#include "base/process.h"
#include "base/read_file.h"
#include "base/temporary_folder.h"
#include "cli/help.h"
#include "cli/interrupt.h"
#include "cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace twiddle::cli {
namespace {

constexpr double slowest_video = 10;       // frames a second: some players stutter below; frames are repeated instead
constexpr std::size_t max_film = 1 << 30;  // bytes

// The part of the work that drawing is, as far as the progress bar is concerned.
constexpr double drawing_share = 0.8;

void run_ffmpeg(const fs::path& folder, std::vector<std::string> arguments, std::size_t frames) {
  arguments.insert(arguments.begin(), {film_program, "-v", "error", "-nostdin", "-y"});
  const double patience = 60 + 2 * static_cast<double>(frames);  // seconds
  const ProcessResult result = run_process(arguments, patience, folder);
  // Ctrl-C on a terminal reaches FFmpeg, too.
  if (InterruptGuard::asked()) throw Interrupted("interrupted before the film was made");
  if (result.timed_out)
    throw usage_error("FFmpeg did not get done with {} frames within {} s; take a smaller --width", frames, patience);
  if (result.status == 0) return;
  const std::string words = last_line(result.errors);
  throw usage_error("FFmpeg could not make the film: {}", words.empty() ? "it does not say why" : words);
}

// The frames as FFmpeg's input, with the last one repeated for a while; the same film gives the same bytes.
std::vector<std::string> input_of(double rate) {
  return {"-framerate", fmt::format("{}", rate), "-i", "frame-%06d.png"};
}
std::vector<std::string> plain_output() {
  return {"-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"};
}
std::string resting() { return fmt::format("tpad=stop_mode=clone:stop_duration={}", film_rest); }

std::vector<std::string> joined(std::initializer_list<std::vector<std::string>> parts) {
  std::vector<std::string> all;
  for (const std::vector<std::string>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// One palette for all frames, chosen in a pass of its own, so that the background does not flicker.
void make_gif(const fs::path& folder, const Film& film, const std::string& made) {
  const std::vector<std::string> input = input_of(film.frames_per_second);
  run_ffmpeg(folder, joined({input, {"-vf", "palettegen=reserve_transparent=0", "palette.png"}}), film.frames);
  const std::string graph = "[0:v]" + resting() + "[frames];[frames][1:v]paletteuse=dither=none:diff_mode=rectangle";
  run_ffmpeg(folder, joined({input, {"-i", "palette.png", "-lavfi", graph, "-loop", "0"}, plain_output(), {made}}),
             film.frames);
}

// H.264 as every browser and slide program plays it: even sides, 4:2:0, the index in front.
void make_mp4(const fs::path& folder, const Film& film, const std::string& made) {
  const double rate = film.frames_per_second * std::max(1.0, std::ceil(slowest_video / film.frames_per_second));
  const std::string filter = fmt::format("{},pad=ceil(iw/2)*2:ceil(ih/2)*2:color=0x{:02x}{:02x}{:02x},fps={}",
                                         resting(), film.background.r, film.background.g, film.background.b, rate);
  run_ffmpeg(folder,
             joined({input_of(film.frames_per_second),
                     {"-vf", filter, "-pix_fmt", "yuv420p", "-crf", "18", "-movflags", "+faststart"},
                     plain_output(),
                     {made}}),
             film.frames);
}

}  // namespace

void write_film(const fs::path& file, const Film& film) {
  const bool gif = file.extension() == ".gif";
  if (find_program(film_program).empty())
    throw usage_error(
        "FFmpeg, which makes moving pictures, is not here: install it (apt-get install ffmpeg), or write a picture a "
        "step with --all -o {}.png",
        (file.parent_path() / file.stem()).string());
  if (gif && film.frames_per_second > fastest_gif)
    throw usage_error("a GIF shows at most {} frames a second; take a lower --fps, or an .mp4", fastest_gif);

  const TemporaryFolder folder;
  InterruptGuard guard;
  ProgressBar bar;
  for (std::size_t i = 0; i < film.frames; ++i) {
    bar.show(drawing_share * static_cast<double>(i) / static_cast<double>(film.frames), "drawing");
    if (InterruptGuard::asked()) throw Interrupted(fmt::format("interrupted after {} of {} frames", i, film.frames));
    const std::vector<std::byte> png = film.draw(i);
    write_file(folder.path() / fmt::format("frame-{:06}.png", i), std::span<const std::byte>(png));
  }
  bar.show(drawing_share, "encoding");
  const std::string made = gif ? "film.gif" : "film.mp4";
  if (gif)
    make_gif(folder.path(), film, made);
  else
    make_mp4(folder.path(), film, made);
  bar.clear();
  write_file(file, read_file(folder.path() / made, max_film));
}

}  // namespace twiddle::cli
