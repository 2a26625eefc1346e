// `twiddle export`: pictures for slides and papers, a page for a course, data for notebooks.
#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/message.h"
#include "cli/export/exports.h"
#include "cli/export/picture.h"
#include "cli/interrupt.h"
#include "cli/listings.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/position.h"
#include "tracer/trace/number_text.h"
#include "viewer/handout/handout.h"
#include "viewer/render/render.h"
#include "viewer/scene/fonts.h"
#include "viewer/scene/ink.h"
#include "viewer/scene/languages.h"
#include "viewer/words/operation_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

namespace twiddle::cli {
namespace {

using nlohmann::ordered_json;

struct Options : RunOptions {
  std::string file, at, output;
  bool all = false, window = false;
  bool spectrum = false, levels = false, values = false;  // the outcome alone
  std::optional<PictureSize> crop;                        // of the picture
  int pixels = 0;                                         // width of what is made of pixels; 0: the picture's own
  std::optional<double> rate;                             // of a film: steps a second, with a pace frames a second
  std::optional<double>
      pace;              // seconds that an operation takes in it, moving as in the window; nothing: it stands still
  bool caption = false;  // the operation in words below it
  PictureOptions picture;
};

/// Pages of a PDF, numbered files and films are for a lecture: more than this many is a mistake.
constexpr std::uint64_t max_pages = 4096;

std::vector<std::uint64_t> steps_of(const Document& document, const Options& options) {
  if (!options.all) return {step_at(document, options.at)};
  const std::uint64_t last = document.info().steps;
  if (last >= max_pages)
    throw usage_error(
        "--all makes a picture a step, and {} has {} of them; name one with --at, or export fewer than {}",
        options.file, last, max_pages);
  std::vector<std::uint64_t> steps(last + 1);
  for (std::uint64_t step = 0; step <= last; ++step) steps[step] = step;
  return steps;
}

Scene scene_at(Document& document, const Options& options, std::uint64_t step) {
  return options.window ? window_scene(document, window_state(options.picture, step))
                        : diagram_scene(document, options.picture, step);
}

// out.svg, or for --all out-000.svg, out-001.svg, …
fs::path numbered(const fs::path& file, std::uint64_t step, bool all, std::uint64_t last) {
  if (!all) return file;
  const std::size_t digits = std::to_string(last).size();
  return file.parent_path() / fmt::format("{}-{:0{}}{}", file.stem().string(), step, digits, file.extension().string());
}

void export_pictures(Document& document, const Options& options) {
  const Theme& colours = theme(options.picture.theme);
  const std::vector<std::uint64_t> steps = steps_of(document, options);
  InterruptGuard guard;
  ProgressBar bar;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    bar.show(static_cast<double>(i) / static_cast<double>(steps.size()), "drawing");
    if (InterruptGuard::asked()) throw Interrupted(fmt::format("interrupted after {} of {} pictures", i, steps.size()));
    write_scene(numbered(options.output, steps[i], options.all, steps.back()), scene_at(document, options, steps[i]),
                colours, options.pixels);
  }
}

void export_pdf(Document& document, const Options& options) {
  std::vector<Scene> pages;
  for (const std::uint64_t step : steps_of(document, options)) pages.push_back(scene_at(document, options, step));
  write_file(options.output, std::span<const std::byte>(to_pdf(pages, theme(options.picture.theme))));
}

constexpr double still_rate = 2, moving_rate = 60;
constexpr std::size_t max_frames = 60 * 60 * 10;  // ten minutes: more is a mistake

/// A picture of a film, with the operation in words below where they were asked for: at the start, what runs.
Scene film_scene(Document& document, const Options& options, std::uint64_t step, float phase) {
  if (!options.caption && options.window) return scene_at(document, options, step);
  PictureOptions picture = options.picture;
  const float strip = options.caption ? std::round(64 * picture.scale) : 0;
  picture.height = std::max(1.0f, picture.height - strip);
  Scene scene = diagram_scene(document, picture, step, phase);
  if (strip == 0) return scene;
  const float top = scene.height, margin = 24 * picture.scale;
  scene.height += strip;
  scene.set_layer(1000);
  scene.rect({0, top, scene.width, strip}, Role::Pane);
  scene.line({0, top}, {scene.width, top}, {Role::Line, picture.scale});
  const Font mono{Face::Mono, Weight::Regular, 17 * picture.scale},
      small{Face::Mono, Weight::SemiBold, 14 * picture.scale};
  std::string place = tr("start"), words = title_of(document.info());
  if (step > 0) {
    const Operation now = document.replay->operation(step);
    place = to_string(position_of(now)), words = sentence(document.info(), now);
  }
  const float centre = top + strip / 2;
  const float taken =
      label(scene, scene.width - margin, centre, place, small, Role::Ink2, scene.width / 4, Anchor::End);
  // A long one is smaller rather than cut.
  const float room = scene.width - taken - 3 * margin, width = text_width(mono, words), floor = 11 * picture.scale;
  const Font fitting{mono.face, mono.weight,
                     width > room ? std::max(floor, std::floor(mono.size * room / width)) : mono.size};
  label(scene, margin, centre, words, fitting, Role::Ink, room);
  return scene;
}

void export_film(Document& document, Options options) {
  const Theme& colours = theme(options.picture.theme);
  const std::vector<std::uint64_t> steps = steps_of(document, options);
  Film film;
  film.frames_per_second = options.rate.value_or(options.pace ? moving_rate : still_rate);
  // Of a moving one each operation is as many frames as its motion takes; the start is one operation long.
  const auto frames_each =
      options.pace ? static_cast<std::size_t>(std::max(1.0, std::round(*options.pace * film.frames_per_second))) : 1;
  film.frames = steps.size() * frames_each;
  if (film.frames > max_frames)
    throw usage_error("the film would have {} frames, and {} is the most; take a lower --pace or --fps", film.frames,
                      max_frames);
  film.background = colours.colour(Role::Canvas);
  // What stands still is drawn once.
  std::vector<std::byte> last;
  std::pair<std::uint64_t, float> shown{~std::uint64_t(0), -1};
  film.draw = [&](std::size_t frame) {
    const std::uint64_t step = steps[frame / frames_each];
    const float phase = frames_each == 1 || step == 0
                            ? 1
                            : static_cast<float>(frame % frames_each + 1) / static_cast<float>(frames_each);
    if (std::exchange(shown, {step, phase}) != std::pair{step, phase})
      last = to_png(film_scene(document, options, step, phase), colours, options.pixels);
    return last;
  };
  write_film(options.output, film);
}

/// Calls `each` with (buffer, element, value) for the state of every global buffer at a step.
template <typename Each>
void for_each_element(Document& document, std::uint64_t step, Each each) {
  document.replay->seek(step);
  const TraceInfo& info = document.info();
  for (std::size_t b = 0; b < info.buffers.size(); ++b) {
    const BufferInfo& buffer = info.buffers[b];
    if (buffer.space == Space::Local) continue;
    const std::size_t size = traits(buffer.type).bytes;
    const std::vector<std::byte> bytes = document.replay->state().bytes(static_cast<int>(b));
    for (std::size_t i = 0; (i + 1) * size <= bytes.size(); ++i) each(buffer, i, bytes.data() + i * size);
  }
}

// One line an element: the buffers' state at the position.
std::string state_csv(Document& document, std::uint64_t step) {
  std::string text = "buffer,index,x,y\n";
  for_each_element(document, step, [&](const BufferInfo& buffer, std::size_t index, const std::byte* element) {
    text += fmt::format("{},{}", buffer.name, index);
    for (int c = 0; c < 2; ++c)
      text += c < traits(buffer.type).components ? "," + exact_text(component(buffer.type, element, c)) : ",";
    text += "\n";
  });
  return text;
}

std::string state_json(Document& document, std::uint64_t step) {
  ordered_json out = {{"algorithm", document.info().algorithm}, {"parameters", document.info().parameters}};
  out["step"] = step;
  out["steps"] = document.info().steps;
  if (step > 0) out["position"] = to_string(position_of(document.replay->operation(step)));
  ordered_json buffers = ordered_json::object();
  for_each_element(document, step, [&](const BufferInfo& buffer, std::size_t, const std::byte* element) {
    const auto number = [&](int c) { return component(buffer.type, element, c); };
    ordered_json& values = buffers[buffer.name];
    if (traits(buffer.type).components == 1) {
      values.push_back(number(0));
    } else {
      ordered_json parts = ordered_json::array();
      for (int c = 0; c < traits(buffer.type).components; ++c) parts.push_back(number(c));
      values.push_back(std::move(parts));
    }
  });
  out["buffers"] = buffers;
  return out.dump() + "\n";
}

// Streamed, in any number.
void export_operations(const Document& document, PrintFormat format, const fs::path& file) {
  PendingFile pending(file);
  errno = 0;
  std::FILE* out = std::fopen(pending.path().c_str(), "wb");
  if (!out) pending.fail(errno);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> closed(out, std::fclose);
  const auto write = [&](std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), out) != text.size()) pending.fail(errno);
  };
  const bool json = format == PrintFormat::JsonLines;
  InterruptGuard guard;
  bool first = true;
  if (json) write("[");
  print_operations(document.trace, format, {}, [&](std::string_view line) {
    if (InterruptGuard::asked()) throw Interrupted("interrupted before all operations were written");
    if (json) {
      write(first ? "\n" : ",\n");
      line.remove_suffix(1);
    }
    first = false;
    write(line);
  });
  if (json) write("\n]\n");
  if (std::fflush(out) != 0) pending.fail(errno);
  pending.keep();
}

// --spectrum, --picture and --values: of a trace or of an algorithm that is run here.
int export_outcome(const Options& options) {
  if (options.spectrum + options.levels + options.values > 1)
    throw usage_error("--spectrum, --picture and --values each make a file of their own; give one of them");
  if (options.all || !options.at.empty())
    throw usage_error("--spectrum, --picture and --values show the outcome, at the end; leave --at and --all out");
  if (options.crop && !options.levels) throw usage_error("--crop cuts a picture to its size, so it needs --picture");
  const EndResult result = end_result(options, options.file);
  for (const Message& note : result.notes) print_line("{}", note);
  export_result(result,
                options.spectrum ? ResultForm::Spectrum
                : options.levels ? ResultForm::Levels
                                 : ResultForm::Values,
                options.output, options.crop);
  return 0;
}

int export_trace(Options options) {
  if (options.spectrum || options.levels || options.values || options.crop) return export_outcome(options);
  static const std::vector<std::string> endings = {".svg", ".png", ".pdf", ".html", ".gif",
                                                   ".mp4", ".csv", ".npz", ".json"};
  const std::string ending = fs::path(options.output).extension().string();
  if (std::find(endings.begin(), endings.end(), ending) == endings.end())
    throw usage_error("the ending of {} says what to write; it can be {}{}", options.output, fmt::join(endings, ", "),
                      did_you_mean(ending, endings));
  if (!names_trace(options.file))
    throw usage_error(
        "{0} is no trace: twiddle trace {0} makes one; of what it computes, --spectrum, --picture and --values make a "
        "file without one",
        options.file);
  const bool film = ending == ".gif" || ending == ".mp4";
  if (!film && (options.pace || options.caption))
    throw usage_error("--pace and --caption are of films: write a .gif or an .mp4");
  if (film && options.at.empty()) options.all = true;  // a film is of the whole run
  if (options.all && !options.at.empty())
    throw usage_error("--at names one position and --all means every one; give one of them");
  use_asked_language(options.picture.language);
  Document document(TraceReader::open(options.file));
  // In formats that embed their fonts; a browser finds others.
  if (ending == ".png" || ending == ".pdf" || film)
    if (const std::string sentence = missing_face(current_language()); !sentence.empty()) print_line("{}", sentence);

  if (ending == ".svg" || ending == ".png") {
    export_pictures(document, options);
  } else if (ending == ".pdf") {
    export_pdf(document, options);
  } else if (film) {
    if (options.window && (options.pace || options.caption))
      throw usage_error("--pace and --caption are of films of the diagram; leave --window out");
    export_film(document, options);
  } else if (ending == ".npz" && options.all) {
    export_columns(document, options.output);
  } else if (ending == ".npz") {
    export_buffers(document, step_at(document, options.at), options.output);
  } else if (ending == ".html") {
    HandoutOptions handout;
    handout.theme = options.picture.theme;
    handout.theme_given = options.picture.theme_given;
    handout.view = asked_view(document, options.picture).name();
    handout.first_step = options.at.empty() ? 0 : step_at(document, options.at);
    write_file(options.output, handout_html(document, handout));
  } else {
    const bool csv = ending == ".csv";
    if (options.all) {
      export_operations(document, csv ? PrintFormat::Csv : PrintFormat::JsonLines, options.output);
    } else {
      const std::uint64_t step = step_at(document, options.at);
      write_file(options.output, csv ? state_csv(document, step) : state_json(document, step));
    }
  }
  return 0;
}

}  // namespace

void add_export(Program& program) {
  const auto options = std::make_shared<Options>();
  CLI::App& verb =
      program.verb("export", "Write the diagram, a one-file page, or the data of a trace",
                   "The output's ending says what is written: .svg, .png or .pdf the diagram, .html a page that steps "
                   "through it and loads nothing from elsewhere, .gif or .mp4 a film of the whole run, .csv, .npz (for "
                   "NumPy) or .json the buffers at the position. With --all: numbered pictures, a PDF with a page a "
                   "step, or every operation as .csv, .npz or .json. With --spectrum, --picture or --values: what was "
                   "computed in the end, of a trace or of an algorithm that is run here without a log.",
                   [options] { return export_trace(*options); });
  program.complete(
      add_text(verb, "FILE", "",
               "a trace (.twd); with --spectrum, --picture or --values also an algorithm or a plan file", options->file)
          ->required(),
      subject_completion());
  add_text(verb, "--at", "POSITION",
           "the position, e.g. L2.S3.I5, start or end (the end without it; a page opens at the start)", options->at);
  add_switch(verb, "--all", "every step instead of one", options->all);
  {
    const OptionGroup group(verb, "The outcome alone");
    add_switch(verb, "--spectrum",
               "a transform in two dimensions as a picture (.png, .pgm): log(1 + |X|), frequency 0 in the middle",
               options->spectrum);
    add_switch(verb, "--picture", "the array as a picture (.png, .pgm): real parts as grey levels 0 to 255",
               options->levels);
    add_parsed(verb, "--crop", "WIDTHxHEIGHT",
               "of --picture, only this much from the upper left: the picture without what it was padded with",
               [&crop = options->crop](const std::string& text) { crop = parse_picture_size(text); });
    add_switch(verb, "--values", "the outcome's numbers (.csv), to be taken by --signal", options->values);
  }
  program.complete(add_text(verb, "-o,--output", "FILE",
                            "what to write: .svg, .png, .pdf, .html, .gif, .mp4, .csv, .npz or .json", options->output)
                       ->required(),
                   {{}, true, {}});
  {
    const OptionGroup group(verb, "How it looks");
    add_whole(verb, "--width", "PIXELS", "width of a .png, .gif or .mp4; the drawing is scaled to it", 16, 32768,
              options->pixels);
    add_number(verb, "--fps", "RATE",
               "steps a second in a .gif or .mp4, 0.1 to 60 (2 without it); with --pace frames a second (60)", 0.1, 60,
               options->rate);
    add_number(verb, "--pace", "SECONDS",
               "in a film: an operation moves as in the window, and takes this long, 0.1 to 10", 0.1, 10,
               options->pace);
    add_switch(verb, "--caption", "in a film: the operation in words below the diagram", options->caption);
    add_language_option(program, verb, "the language of pictures and pages", options->picture.language);
    add_switch(verb, "--window", "the whole window, with the operation's numbers, its source line and memory",
               options->window);
  }
  add_picture_options(program, verb, options->picture);
  add_request_options(program, verb, options->request);
  add_runtime_options(program, verb, *options);
  program.example(verb, "twiddle export fft8.twd --at L3.I1 -o butterfly.svg",
                  "The diagram with one butterfly in work, for a slide");
  program.example(verb, "twiddle export fft8.twd -o fft8.html", "A page for a course's web site");
  program.example(verb, "twiddle export fft8.twd --fps 1 --width 960 -o fft8.gif", "The whole walk, a step a second");
  program.example(verb, "twiddle export fft8.twd --all -o fft8.npz", "Every operation in columns, for NumPy");
  program.example(verb, "twiddle export fft2d --signal photo.png --spectrum -o spectrum.png",
                  "The spectrum of a picture");
}

}  // namespace twiddle::cli
