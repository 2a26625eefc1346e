// `twiddle export`: pictures for slides and papers, a page for a course, data for notebooks.
#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/message.h"
#include "base/values/json_text.h"
#include "cli/export/exports.h"
#include "cli/export/picture.h"
#include "cli/interrupt.h"
#include "cli/listings.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/turns.h"
#include "tracer/trace/number_text.h"
#include "viewer/handout/handout.h"
#include "viewer/render/render.h"
#include "viewer/scene/languages.h"
#include "viewer/views/cost_strips.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cerrno>
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
  std::string from, to;                                   // of --all and of films: the first step and the last
  PictureForm form;
  std::optional<double> rate;  // of a film: steps a second, with a pace frames a second
  std::optional<double>
      pace;              // seconds that an operation takes in it, moving as in the window; nothing: it does not move
  bool caption = false;  // the operation in words below it
  bool title = false;    // a card before it that says what runs
  PictureOptions picture;
};

/// Pages of a PDF, numbered files and films are for a lecture: more than this many is a mistake.
constexpr std::uint64_t max_pages = 4096;

bool is_film(const Options& options) {
  const std::string ending = fs::path(options.output).extension().string();
  return ending == ".gif" || ending == ".mp4";
}

/// The places that are drawn, each a step, or in lockstep a turn.
std::vector<TurnPlace> places_of(const Document& document, Options& options) {
  if (!options.all) return {{step_at(document, options.at, options.picture), options.picture.made}};
  const std::uint64_t first = options.from.empty() ? 0 : step_at(document, options.from),
                      last = step_at(document, options.to);
  if (first > last) throw usage_error("--from {} is after --to {}", options.from, options.to);
  if (options.picture.lockstep) {
    std::vector<TurnPlace> places{options.from.empty() ? TurnPlace{} : find_turn(*document.trace, options.from)};
    const std::optional<TurnPlace> end =
        options.to.empty() ? std::nullopt : std::optional(find_turn(*document.trace, options.to));
    for (TurnPlace at = next_turn(*document.replay, places.back()); at != places.back() && places.back() != end;
         at = next_turn(*document.replay, at)) {
      places.push_back(at);
      if (places.size() > max_pages)
        throw usage_error(
            "--all makes a picture a turn, and {} has more than {} of them; name one with --at, or with --from and "
            "--to fewer",
            options.file, max_pages);
    }
    return places;
  }
  // A film of many steps goes through stages instead.
  if (last - first >= max_pages && !is_film(options))
    throw usage_error(
        "--all makes a picture a step, and {} has {} of them; name one with --at, or with --from and --to fewer than "
        "{}",
        options.file, last - first, max_pages);
  if (last - first >= max_pages) return walk_by_stages(document.info(), first, last);
  std::vector<TurnPlace> places;
  for (std::uint64_t step = first; step <= last; ++step) places.push_back({step, 0});
  return places;
}

/// "960", or "85mm" of paper. Throws Error (usage).
void parse_width(const std::string& text, PictureForm& form) {
  if (text.ends_with("mm"))
    form.paper_mm = number_between("--width", text.substr(0, text.size() - 2), 10, 2000);
  else
    form.pixels = static_cast<int>(whole_number("--width", text, 16, 32768));
}

Scene scene_at(Document& document, const Options& options, const TurnPlace& place) {
  const PictureOptions picture = at_turn(options.picture, place.made);
  return options.window ? window_scene(document, window_state(picture, place.step))
                        : diagram_scene(document, picture, place.step);
}

// out.svg, or for --all out-000.svg, out-001.svg, …
fs::path numbered(const fs::path& file, std::uint64_t step, bool all, std::uint64_t last) {
  if (!all) return file;
  const std::size_t digits = std::to_string(last).size();
  return file.parent_path() / fmt::format("{}-{:0{}}{}", file.stem().string(), step, digits, file.extension().string());
}

void export_pictures(Document& document, Options& options) {
  const Theme& colours = theme(options.picture.theme);
  const std::vector<TurnPlace> places = places_of(document, options);
  InterruptGuard guard;
  ProgressBar bar;
  for (std::size_t i = 0; i < places.size(); ++i) {
    bar.show(static_cast<double>(i) / static_cast<double>(places.size()), "drawing");
    if (InterruptGuard::asked())
      throw Interrupted(fmt::format("interrupted after {} of {} pictures", i, places.size()));
    const std::uint64_t number = options.picture.lockstep ? i : places[i].step;
    const std::uint64_t last = options.picture.lockstep ? places.size() - 1 : places.back().step;
    write_scene(numbered(options.output, number, options.all, last),
                formed(scene_at(document, options, places[i]), options.form), colours, options.form);
  }
}

void export_pdf(Document& document, Options& options) {
  std::vector<Scene> pages;
  for (const TurnPlace& place : places_of(document, options))
    pages.push_back(formed(scene_at(document, options, place), options.form));
  constexpr double points_per_mm = 72 / 25.4;
  write_file(options.output, std::span<const std::byte>(
                                 to_pdf(pages, theme(options.picture.theme), options.form.paper_mm * points_per_mm)));
}

void export_film(Document& document, Options& options) {
  WalkOptions walk;
  walk.places = places_of(document, options);
  walk.picture = options.picture;
  walk.rate = options.rate, walk.pace = options.pace;
  walk.caption = options.caption, walk.title = options.title, walk.window = options.window;
  walk.pixels = options.form.pixels;
  write_film(options.output, film_of(document, walk));
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
  return json_text(out) + "\n";
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
  const bool film = is_film(options);
  if (!film && (options.pace || options.caption || options.title))
    throw usage_error("--pace, --caption and --title are of films: write a .gif or an .mp4");
  const bool picture = ending == ".svg" || ending == ".png" || ending == ".pdf";
  if (!picture && (options.form.trim || options.form.paper_mm > 0))
    throw usage_error("--trim and a --width in mm are of pictures: write .svg, .png or .pdf");
  if (ending != ".svg" && options.form.outlined) throw usage_error("--outline-text is of .svg: write one");
  if (film && options.at.empty()) options.all = true;  // a film is of the whole run
  if (!options.all && (!options.from.empty() || !options.to.empty()))
    throw usage_error("--from and --to bound what --all and films show; give one of these");
  if (options.all && !options.at.empty())
    throw usage_error("--at names one position and --all means every one; give one of them");
  const auto position = parse_position(options.at);
  const bool drawn = ending == ".svg" || ending == ".png" || ending == ".pdf" || film;
  if (!drawn && (options.picture.lockstep || (position && position->turn >= 0)))
    throw usage_error(
        "turns are drawn: write a .svg, .png, .pdf, .gif or .mp4; pages and numbers go by operations, and "
        "twiddle print --lockstep lists the turns");
  if (!drawn && ending != ".html" && options.picture.costs)
    throw usage_error("--costs is drawn: write a .svg, .png, .pdf, .html, .gif or .mp4");
  use_asked_language(options.picture.language);
  Document document(TraceReader::open(options.file));
  if (options.picture.costs.value_or(CostStrips::None) != CostStrips::None)
    if (const std::string sentence = too_long_for_costs(document.info()); !sentence.empty()) print_line("{}", sentence);
  // In formats that embed their fonts; a browser finds others.
  if (ending == ".png" || ending == ".pdf" || film)
    if (const std::string sentence = missing_face(current_language()); !sentence.empty()) print_line("{}", sentence);

  if (ending == ".svg" || ending == ".png") {
    export_pictures(document, options);
  } else if (ending == ".pdf") {
    export_pdf(document, options);
  } else if (film) {
    if (options.window && (options.pace || options.caption || options.title))
      throw usage_error("--pace, --caption and --title are of films of the diagram; leave --window out");
    export_film(document, options);
  } else if (ending == ".npz" && options.all) {
    export_columns(document, options.output);
  } else if (ending == ".npz") {
    export_buffers(document, step_at(document, options.at), options.output);
  } else if (ending == ".html") {
    HandoutOptions handout;
    handout.theme = options.picture.theme;
    handout.theme_given = options.picture.theme_given;
    handout.costs = options.picture.costs.value_or(CostStrips::None);
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
  add_text(verb, "--from", "POSITION", "of --all and of films: where they begin (the start without it)", options->from);
  add_text(verb, "--to", "POSITION", "of --all and of films: where they end (the end without it)", options->to);
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
    add_switch(verb, "--values", "the outcome's numbers (.csv), to be taken by --signal, or heard (.wav)",
               options->values);
  }
  program.complete(add_text(verb, "-o,--output", "FILE",
                            "what to write: .svg, .png, .pdf, .html, .gif, .mp4, .csv, .npz or .json", options->output)
                       ->required(),
                   {{}, true, {}});
  {
    const OptionGroup group(verb, "How it looks");
    add_parsed(
        verb, "--width", "PIXELS|MM",
        "width of a .png, .gif or .mp4 in pixels, or of a .svg, .png or .pdf on paper, such as 85mm; the drawing is "
        "scaled to it",
        [&form = options->form](const std::string& text) { parse_width(text, form); });
    add_switch(verb, "--trim", "of a .svg, .png or .pdf: cut to the drawing, without the margins around it",
               options->form.trim);
    add_switch(verb, "--outline-text", "of a .svg: letters as outlines, for programs that lack the fonts",
               options->form.outlined);
    add_number(verb, "--fps", "RATE",
               "steps a second in a .gif or .mp4, 0.1 to 60 (2 without it); with --pace frames a second (60)", 0.1, 60,
               options->rate);
    add_number(verb, "--pace", "SECONDS",
               "in a film: an operation moves as in the window, and takes this long, 0.1 to 10", 0.1, 10,
               options->pace);
    add_switch(verb, "--caption", "in a film: the operation in words below the diagram", options->caption);
    add_switch(verb, "--title", "in a film: a card before it that says what runs", options->title);
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
