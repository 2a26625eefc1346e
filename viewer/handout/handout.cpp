#include "viewer/handout/handout.h"

#include "base/message.h"
#include "base/values/json_text.h"
#include "base/values/sorted.h"
#include "base/version.h"
#include "viewer/facts/live_signal.h"
#include "viewer/facts/trace_facts.h"
#include "viewer/handout/flipbook.h"
#include "viewer/handout/handout_live.h"
#include "viewer/handout/handout_packed.h"
#include "viewer/handout/handout_positions.h"
#include "viewer/handout/handout_words.h"
#include "viewer/handout/page_template.h"
#include "viewer/render/svg_parts.h"
#include "viewer/scene/fonts.h"
#include "viewer/scene/languages.h"
#include "viewer/state/choice_fields.h"
#include "viewer/views/cost_strips.h"
#include "viewer/views/view.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/source_values.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace twiddle {
namespace {

using nlohmann::json;

// The steps that the page can show: all of them, or, where there are too many, the ends of stages and those asked for (or these
// alone).
std::vector<std::uint64_t> positions_of(const TraceInfo& info, const HandoutOptions& options) {
  std::vector<std::uint64_t> steps{0};
  if (info.steps <= handout_max_steps) {
    for (std::uint64_t step = 1; step <= info.steps; ++step) steps.push_back(step);
  } else {
    for (const Segment& segment : info.segments)
      if (segment.count > 0 && !options.stops_alone) steps.push_back(segment.end_step() - 1);
    for (const std::uint64_t stop : options.stops) steps.push_back(std::min(stop, info.steps));
    sort_unique(steps);
  }
  return steps;
}

// ---- The drawing ----

std::string variable(Role role) { return fmt::format("var(--{})", name_of(role)); }

std::string style_rules(const Flipbook& book) {
  std::string css;
  for (std::size_t i = 0; i < book.styles().size(); ++i) {
    const Flipbook::Style& style = book.styles()[i];
    css += fmt::format(".k{}{{fill:{}", i, style.fill == Role::None ? "none" : variable(style.fill));
    if (style.stroke.role != Role::None)
      css += fmt::format(";stroke:{};stroke-width:{}", variable(style.stroke.role), svg_number(style.stroke.width));
    if (style.stroke.dash_on > 0) css += fmt::format(";stroke-dasharray:{}", svg_dashes(style.stroke));
    if (style.opacity < 1) css += fmt::format(";opacity:{}", svg_number(style.opacity));
    if (style.text)
      css += fmt::format(";font:{} {}px var(--{})", style.font.weight == Weight::SemiBold ? 600 : 400,
                         svg_number(style.font.size), style.font.face == Face::Mono ? "mono" : "sans");
    if (style.anchor != Anchor::Start) css += fmt::format(";text-anchor:{}", svg_anchor(style.anchor));
    css += "}\n";
  }
  return css;
}

// Colours by role, and faces; one set for each theme. Paper is always bright.
std::string variables(ThemeName bright, Language language) {
  const auto colours = [](ThemeName name) {
    std::string css;
    for (int i = 1; i <= static_cast<int>(Role::Grey7); ++i) {
      const Role role = static_cast<Role>(i);
      const Rgb c = theme(name).colour(role);
      css += fmt::format("--{}:#{:02x}{:02x}{:02x};", name_of(role), c.r, c.g, c.b);
    }
    return css;
  };
  const std::string light = colours(bright), dark = colours(ThemeName::Dark);
  // Text to read has full stops and commas as wide as its letters; what is drawn keeps the face that it was measured in.
  std::string prose = font_families(Face::Sans, language);
  constexpr std::string_view proportional = "'BIZ UDPGothic'";
  if (const std::size_t at = prose.find(proportional); at != std::string::npos) prose.insert(at, "'BIZ UDGothic', ");
  return fmt::format(
      ":root{{--prose:{};--sans:{};--mono:{};{}}}\n"
      "@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{}}}}}\n"
      "@media "
      "screen{{:root[data-theme=dark]{{color-scheme:dark;{}}}}}\n:root[data-theme=light]{{color-scheme:light}}\n",
      prose, font_families(Face::Sans, language), font_families(Face::Mono, language), light, dark, dark);
}

// Clips by their box, so that equal ones are one.
class Clips {
 public:
  Clips(float width, float height) : width_(width), height_(height) {}
  /// −1 for none, also for one that holds the whole drawing: the page's svg element cuts there anyway.
  int index(const Box& box) {
    if (box.w <= 0 || box.h <= 0) return -1;
    if (box.x <= 0 && box.y <= 0 && box.right() >= width_ && box.bottom() >= height_) return -1;
    const auto key = std::array{box.x, box.y, box.w, box.h};
    return clips_.try_emplace(key, static_cast<int>(clips_.size())).first->second;
  }
  std::string svg() const {
    std::string text;
    for (const auto& [box, index] : clips_)
      text += svg_clip("", static_cast<std::size_t>(index), {box[0], box[1], box[2], box[3]});
    return text;
  }

 private:
  float width_, height_;
  std::map<std::array<float, 4>, int> clips_;
};

// A shape as [kind, mark, clip, numbers …] in tenths of a pixel (of the hundredths that text has), or as [kind, mark, clip,
// "data"] of paths and points: less to carry for thousands of shapes. The player has the same list of kinds, and draws a hatch's
// lines itself.
json compact_geometry(const Shape2D& shape, int mark, int clip) {
  const SvgGeometry geometry = svg_geometry(shape);
  json out = {geometry.kind, mark, clip};
  for (const double number : geometry.numbers) out.push_back(std::lround(std::round(number * 100) / 10));
  if (geometry.numbers.empty()) out.push_back(geometry.data);
  return out;
}

json compact_mark(const Mark& mark) {
  // A click on a strip of costs goes to its worst access, as in the window; it is another mark than the operation's own.
  if (mark.command == cost_mark) return {"o", mark.step, 1, 0};
  switch (mark.kind) {
    case MarkKind::Element: return {"e", mark.buffer, mark.index, mark.segment};
    case MarkKind::Operation: return {"o", mark.step, 0, 0};
    default: return {std::string(name_of(mark.kind)), mark.launch, mark.segment, mark.index};
  }
}

// The diagram at the end of the run, and what the player needs to turn it back.
// With `embedded` the player makes all of it: an array takes a third of an element's room.
std::string drawing(const Flipbook& book, bool embedded, json& data) {
  const std::vector<int> order = book.paint_order();
  Clips clips(book.width(), book.height());
  std::string shapes;
  json passing = json::object();
  data["looks"] = json::array();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Flipbook::Element& element = book.elements()[order[i]];
    json looks = json::array();
    for (const Flipbook::Look& look : element.looks)
      for (const int value : {look.from, look.style, look.text}) looks.push_back(value);
    data["looks"].push_back(looks);
    const int clip = clips.index(element.clip);
    if (embedded || !element.lasting(book.positions())) {
      passing[std::to_string(i)] = compact_geometry(element.shape, element.mark, clip);
      continue;
    }
    shapes += svg_element(element.shape);
    shapes += fmt::format(" data-e=\"{}\" class=\"k{}\"", i, element.looks.back().style);
    if (element.mark >= 0) shapes += fmt::format(" data-m=\"{}\"", element.mark);
    shapes += svg_clip_attribute("", clip);
    const int text = element.looks.back().text;
    shapes += text < 0 ? "/>\n" : fmt::format(">{}</text>\n", svg_escaped(book.texts()[text]));
  }
  data["passing"] = passing;
  data["texts"] = book.texts();
  data["marks"] = json::array();
  data["labels"] = json::array();
  for (const auto& [mark, labels] : book.marks()) {
    data["marks"].push_back(compact_mark(mark));
    json list = json::array();
    for (const Flipbook::Label& label : labels) {
      list.push_back(label.from);
      list.push_back(label.text);
    }
    data["labels"].push_back(list);
  }
  return fmt::format("{} aria-label=\"{}\">\n{}{}</svg>", svg_head(book.width(), book.height(), "img"),
                     svg_escaped(tr("Diagram")), clips.svg(), shapes);
}

// ---- The page ----

// "fft-radix2 · N 8 · x ramp · forward · w exact · on opencl · …", as the window's top bar has it.
std::string subtitle_of(const TraceInfo& info) {
  std::string text;
  for (const ChoiceField& field : trace_fields(info)) {
    if (!text.empty()) text += " · ";
    text += field.caption.empty() ? field.value : field.caption + " " + field.value;
  }
  return text;
}

}  // namespace

std::string handout_variables(Language language) { return variables(ThemeName::Light, language); }

HandoutParts handout_parts(Document& document, const HandoutOptions& options) {
  const TraceInfo& info = document.info();
  const std::vector<std::uint64_t> positions = positions_of(info, options);
  const bool every_step = positions.size() == info.steps + 1;
  const Theme& look = theme(options.theme);

  DiagramInput input{document, {}, {}, look};
  const View& view = options.view.empty() ? *views().front() : view_of(document, options.view);
  const PictureSize size = view.picture_size(document, options.width);
  input.width = options.sized ? options.width : size.width;
  input.height = options.sized ? options.height : std::max(size.height, options.height);
  input.language = current_language();
  input.costs = options.costs;
  json data = {{"steps", info.steps}, {"positions", json::array()}, {"operations", json::array()}};
  Flipbook book;
  HandoutPositions words(document);
  for (const std::uint64_t step : positions) {
    input.cursor.step = step;
    const Scene scene = view.draw(input);
    book.add(scene);
    data["positions"].push_back(words.at(step, scene.description.empty() ? scene.title : scene.description));
  }
  if (every_step)
    for (std::uint64_t step = 1; step <= info.steps; ++step) data["operations"].push_back(words.accesses(step));

  data["tokens"] = words.parts();
  // Where every step is in the page, and the diagram has the samples, they can be dragged. Other views number the elements of
  // local arrays in another way.
  const bool by_row = view.name() == "butterfly" || view.name() == "sweep" || view.name() == "tree";
  data["live"] = every_step && by_row ? live_json(document, book, live_buffer(info)) : json();

  const auto at_step = [&](std::uint64_t step) {
    return std::upper_bound(positions.begin(), positions.end(), step) - positions.begin() - 1;
  };
  const auto facts = gather_facts(document);
  data["segments"] = json::array();
  for (std::size_t i = 0; i < info.segments.size(); ++i) {
    const Segment& segment = info.segments[i];
    const auto from = every_step ? at_step(segment.first_step) : at_step(segment.first_step - 1) + 1;
    data["segments"].push_back({{"name", i < facts->segment_names.size() ? facts->segment_names[i] : ""},
                                {"first", segment.first_step},
                                {"count", segment.count},
                                {"from", from},
                                {"to", at_step(segment.end_step() - 1)}});
  }
  data["sources"] = json::array();
  for (std::size_t i = 0; i < info.sources.size(); ++i)
    data["sources"].push_back({{"name", info.sources[i].name}, {"lines", source_lines(info.sources[i].text)}});
  data["bookmarks"] = json::array();
  for (const auto& bookmark : document.bookmarks) data["bookmarks"].push_back(bookmark.step);
  data["keys"] = handout_keys();
  data["help"] = handout_help(data["keys"]);
  data["words"] = player_words();
  data["opens"] = at_step(std::min(options.first_step, info.steps));

  HandoutParts parts;
  parts.title = title_of(info);
  parts.subtitle = subtitle_of(info);
  parts.made =
      tr("Traced {} by {}: {} operations kept of {}.", info.created, info.program, info.kept(), info.attempted());
  const auto remark = [&](const std::string& more) { parts.made += " " + more; };
  if (!info.complete) remark(tr("The run was interrupted: this is what it did until then."));
  if (!info.filter.empty()) remark(tr("Kept were only {}.", info.filter));
  if (!every_step) remark(tr("With so many operations the page goes from stage to stage."));
  parts.svg = drawing(book, options.embedded, data);
  if (options.embedded) pack_player(data);
  parts.styles = style_rules(book);
  parts.data = json_text(data);
  return parts;
}

std::string handout_shell(const HandoutOptions& options) {
  const Language language = current_language();
  std::map<std::string, std::string> places = handout_words();
  places.merge(std::map<std::string, std::string>{
      {"lang", std::string(html_code(language))},
      {"program", svg_escaped(fmt::format("twiddle {}", program_version))},
      {"theme", options.embedded                   ? "{{theme}}"
                : !options.theme_given             ? ""
                : options.theme == ThemeName::Dark ? " data-theme=\"dark\""
                                                   : " data-theme=\"light\""},
      {"variables",
       variables(options.theme == ThemeName::Projector ? ThemeName::Projector : ThemeName::Light, language)},
      {"css", page_part("viewer/handout/html/handout.css")},
      {"js", with_sound(page_part("viewer/handout/html/handout.js"))}});
  for (const char* open : {"title", "subtitle", "made", "styles", "svg", "data"})
    places[open] = fmt::format("{{{{{}}}}}", open);
  return filled(page_part("viewer/handout/html/handout.html"), places);
}

std::string handout_html(Document& document, const HandoutOptions& options) {
  const HandoutParts parts = handout_parts(document, options);
  return filled(handout_shell(options), {{"title", svg_escaped(parts.title)},
                                         {"subtitle", svg_escaped(parts.subtitle)},
                                         {"made", svg_escaped(parts.made)},
                                         {"styles", parts.styles},
                                         {"svg", parts.svg},
                                         {"data", in_script(parts.data)}});
}

}  // namespace twiddle
