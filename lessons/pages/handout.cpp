#include "base/values/json_text.h"
#include "lessons/pages/pages.h"

#include "base/error.h"
#include "base/text.h"
#include "base/version.h"
#include "lessons/pages/formula_html.h"
#include "lessons/pages/operation_plots.h"
#include "lessons/pages/packed_text.h"
#include "lessons/pages/page_bar.h"
#include "lessons/pages/page_questions.h"
#include "lessons/questions/questions.h"
#include "lessons/run/claims.h"
#include "lessons/run/course_words.h"
#include "lessons/run/figure.h"
#include "lessons/text/glossary.h"
#include "lessons/text/text_plot.h"
#include "tracer/trace/item_words.h"
#include "viewer/handout/handout.h"
#include "viewer/handout/page_template.h"
#include "viewer/render/svg_compact.h"
#include "viewer/render/svg_parts.h"
#include "viewer/scene/formula.h"
#include "viewer/scene/languages.h"
#include "viewer/words/source_values.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

using nlohmann::json;

// Of prose that ends in a "^" or a "_" with a base before it: what raises or lowers the reference that follows, and a sign that
// goes with it ("10^−"). `reference_before` says that a text of nothing else follows a reference.
struct Shift {
  const char* tag = nullptr;  // "sup", "sub"; null: nothing is shifted
  std::string sign;
  std::size_t length = 0;  // of both, at the end of the text
};
Shift shift_at_end(std::string_view text, bool reference_before) {
  constexpr std::string_view minus = "−";
  Shift shift;
  const bool negative = text.ends_with(minus);
  const std::string_view base = negative ? text.substr(0, text.size() - minus.size()) : text;
  if (base.empty() || (base.back() != '^' && base.back() != '_')) return {};
  // What raises a letter raises a number in its place.
  const std::string sample = std::string(base.size() == 1 && reference_before ? "2" : "") + std::string(base) + "1";
  if (formula_parts(sample).back().place == FormulaPart::Place::Line) return {};
  return {base.back() == '^' ? "sup" : "sub", negative ? std::string(minus) : "", text.size() - base.size() + 1};
}

// Lines of code as they are.
std::string code_html(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    out += svg_escaped(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

// What SVG with classes needs: colours by role, and faces.
std::string drawing_styles() {
  std::string css =
      ".drawing text{font-family:var(--sans)}.drawing .mono text{font-family:var(--mono);font-variant-ligatures:none}"
      ".drawing .bold text{font-weight:600}.f-none{fill:none}\n";
  for (int i = 1; i <= static_cast<int>(Role::Grey7); ++i) {
    const std::string_view name = name_of(static_cast<Role>(i));
    css += fmt::format(".f-{0}{{fill:var(--{0})}}.s-{0}{{stroke:var(--{0})}}\n", name);
  }
  return css;
}

class PageMaker {
 public:
  PageMaker(const Lesson& lesson, LessonRuns& runs, const LessonPageOptions& options)
      : lesson_(lesson), runs_(runs), options_(options), words_(lesson.language) {}

  std::string page() {
    std::string steps;
    for (std::size_t i = 0; i < lesson_.steps.size(); ++i) steps += step(lesson_.steps[i], i);
    json data = {
        {"questions", packed(json_text(questions_.all()))},
        {"hints", packed(json_text(questions_.hints()))},
        {"id", lesson_.id},
        {"players", players_},
        {"moved", moved_},
        {"shell", players_.empty() ? "" : packed_deflated(shell())},
        {"words",
         {{"tooOld", words_.unfilled("This browser is too old to step through figures; one of the last years can.")},
          {"stepOf", words_.unfilled("Step {} of {}")},
          {"wouldBe", words_.unfilled("At {0}°: {1} = {2}, {3} = {4}")},
          {"inPlace", words_.unfilled("{} of {} in place")},
          {"tryNumber", words_.unfilled("try {}")},
          {"inHand", words_("in your hand")},
          {"logHas", words_("the log has")},
          {"wouldWrite", words_.unfilled("{} would be")},
          {"keys", words_.unfilled("Keys: 1 to {} answer, arrows go on, Enter answers, Esc takes back")},
          {"showNow", words_("Show it now")},
          {"shownEarly", words_("This step was shown before its turn: an answer counts as shown, not as earned.")},
          {"shownCount", words_.unfilled("{} shown")},
          {"hint", words_("Hint")},
          {"showMe", words_("Show me")},
          {"look", words_("The figure is open where this is asked: step it on and back, and look what changes.")},
          {"halfLeft", words_("It is one of those that are neither struck out nor hatched.")},
          {"moveFirst", words_.unfilled("One way begins with {0}: move it to {1}.")},
          {"points", words_.unfilled("{} of {} correct")}}}};
    std::map<std::string, std::string> parts = common_parts(words_, lesson_.language);
    parts.merge(std::map<std::string, std::string>{
        {"title", svg_escaped(lesson_.title)},
        {"summary", svg_escaped(lesson_.summary)},
        {"minutes", lesson_.minutes > 0 ? words_("{} minutes", lesson_.minutes) : ""},
        {"can", can()},
        {"links", links()},
        {"languages", language_links(options_.languages, lesson_.language)},
        {"neighbours", neighbours()},
        {"steps-name", svg_escaped(words_("Steps of this lesson"))},
        {"tabs", tabs()},
        {"noscript",
         svg_escaped(words_("Stepping through figures and answering questions need JavaScript, which is off here."))},
        {"previous-step", svg_escaped(words_("Previous step"))},
        {"next-step", svg_escaped(words_("Next step"))},
        {"made", svg_escaped(words_("Made by {} from runs on {}. Results come from these traces; measured and "
                                    "published numbers say whose they are.",
                                    fmt::format("twiddle {}", program_version), device_))},
        {"css", page_part("lessons/pages/html/bar.css") + page_part("lessons/pages/html/lesson.css") +
                    (questions_.asks_place() ? page_part("lessons/pages/html/place.css") : std::string()) +
                    (questions_.asks_spectrum() ? page_part("lessons/pages/html/spectrum.css") : std::string()) +
                    drawing_styles()},
        {"steps", steps},
        {"data", in_script(json_text(data))},
        {"js", script()}});
    return filled(page_part("lessons/pages/html/lesson.html"), parts);
  }

 private:
  // What is drawn beside the text that is being written.
  struct Beside {
    std::optional<FigurePlace> place;  // nothing: no figure
    std::vector<Scene> figures;
  };

  static std::string shell() {
    HandoutOptions embedded;
    embedded.embedded = true;
    return handout_shell(embedded);
  }

  // The player, with what drags samples or puts factors on a circle only where a page needs it.
  std::string script() const {
    std::string js = page_part("lessons/pages/html/lesson.js");
    const auto fill_in = [&](std::string_view place, const std::string& part) {
      js.replace(js.find(place), place.size(), part);
    };
    fill_in("// {unpack}\n", page_part("lessons/pages/html/unpack.js"));
    fill_in("// {follow}\n", page_part("lessons/pages/html/follow.js"));
    fill_in("// {hints}\n", page_part("lessons/pages/html/hints.js"));
    fill_in("// {place}\n", questions_.asks_place() ? page_part("lessons/pages/html/place.js") : std::string());
    fill_in("// {spectrum}\n",
            questions_.asks_spectrum() ? with_sound(page_part("lessons/pages/html/spectrum.js")) : std::string());
    return js;
  }

  std::string links() const {
    std::string html;
    if (!options_.contents.empty())
      html += fmt::format("<a href=\"{}\">{}</a>\n", svg_escaped(options_.contents), svg_escaped(words_("Course")));
    if (lesson_.number > 0 || !options_.contents.empty())
      html += fmt::format("<span>{}</span>\n", svg_escaped(words_("Lesson {}", lesson_.number)));
    return html;
  }

  // The lessons before and after this one; nothing for a page of no course.
  std::string neighbours() const {
    const std::string before = neighbour(options_.previous, options_.previous_title, "prev", "‹ ", ""),
                      after = neighbour(options_.next, options_.next_title, "next", "", " ›");
    if (before.empty() && after.empty()) return {};
    return fmt::format("<nav class=\"neighbours\" aria-label=\"{}\">{}{}</nav>", svg_escaped(words_("Course")), before,
                       after);
  }

  static std::string neighbour(const std::string& address, const std::string& title, const char* rel,
                               const std::string& before, const std::string& after) {
    if (address.empty()) return {};
    return fmt::format("<a rel=\"{}\" href=\"{}\">{}</a>\n", rel, svg_escaped(address),
                       svg_escaped(before + title + after));
  }

  // What one can do afterwards.
  std::string can() const {
    if (lesson_.can.empty()) return {};
    std::string html = fmt::format("<p class=\"can\">{}</p><ul>", svg_escaped(words_("Afterwards you can:")));
    for (const std::string& one : lesson_.can) html += fmt::format("<li>{}</li>", svg_escaped(one));
    return html + "</ul>\n";
  }

  // A button for each step, by its number.
  std::string tabs() const {
    std::string html;
    for (std::size_t i = 0; i < lesson_.steps.size(); ++i)
      html += fmt::format("<button type=\"button\" data-go=\"{}\" title=\"{}\" aria-label=\"{} {}\">{}</button>\n", i,
                          svg_escaped(lesson_.steps[i].title), i + 1, svg_escaped(lesson_.steps[i].title), i + 1);
    return html;
  }

  std::string inline_html(const std::vector<TextRun>& text, const std::string& run,
                          TextBlock::Kind kind = TextBlock::Kind::Paragraph) {
    std::string html;
    const std::vector<TextRun> parts = resolved(text, lesson_, run, runs_);
    Shift shift;  // of what comes next
    for (std::size_t i = 0; i < parts.size(); ++i) {
      TextRun part = parts[i];
      const Shift here = std::exchange(shift, {});
      if (!part.code && !part.reference && i + 1 < parts.size() && parts[i + 1].reference) {
        shift = shift_at_end(part.text, i > 0 && parts[i - 1].reference);
        part.text.resize(part.text.size() - shift.length);
      }
      std::string words = kind == TextBlock::Kind::Code ? code_html(part.text)
                          : part.code || part.reference ? formula_html(part.text)
                                                        : words_html(part.text);
      if (part.reference) words = from_run(text[i].text, words);
      if (here.tag) words = fmt::format("<{}>{}{}</{}>", here.tag, here.sign, words, here.tag);
      if (part.code) words = fmt::format("<code>{}</code>", words);
      // Titles, and words meant in another sense, are in italics.
      const bool prose = !part.code && !part.reference && !part.emphasis && part.link.empty() &&
                         kind != TextBlock::Kind::Code && kind != TextBlock::Kind::Formula;
      if (prose) words = part.strong ? in_glossary(part.text, words) : linked_terms(part.text);
      if (part.strong) words = fmt::format("<strong>{}</strong>", words);
      if (part.emphasis) words = fmt::format("<em>{}</em>", words);
      const std::string address = part.link.empty() || !options_.link ? "" : options_.link(part.link);
      if (!address.empty()) words = fmt::format("<a href=\"{}\">{}</a>", svg_escaped(address), words);
      html += words;
    }
    return html;
  }

  // What came from the run; what the figures beside it show is a button that frames it there.
  std::string from_run(const std::string& reference, const std::string& words) const {
    const std::optional<Claim> claim = parse_claim(reference);
    std::string places;
    if (claim && claim->kind == Claim::Kind::See && beside_.place)
      for (std::size_t i = 0; i < beside_.figures.size(); ++i)
        for (const Box& box : places_of(*claim, *beside_.place, beside_.figures[i]))
          places +=
              fmt::format("{}{} {:.0f} {:.0f} {:.0f} {:.0f}", places.empty() ? "" : " ", i, box.x, box.y, box.w, box.h);
    if (places.empty()) return fmt::format("<span class=\"from-run\">{}</span>", words);
    return fmt::format("<button type=\"button\" class=\"see\" data-see=\"{}\">{}</button>", places, words);
  }

  // The first time that a lesson's text has a term of the glossary, it leads there.
  std::string linked_terms(const std::string& text) {
    std::string html;
    std::size_t done = 0;
    for (const TermPlace& place : finder_.find(text)) {
      if (!explains_terms_ || !terms_.insert(place.term->id).second) continue;
      html += formula_html(std::string_view(text).substr(done, place.at - done));
      done = place.at + place.length;
      html += to_glossary(*place.term, svg_escaped(std::string_view(text).substr(place.at, place.length)));
    }
    return html + formula_html(std::string_view(text).substr(done));
  }

  // What is bold may be a term under any of its names, or have one in it.
  std::string in_glossary(const std::string& text, const std::string& words) {
    const Term* term = term_of(text, lesson_.language);
    if (!term) return linked_terms(text);
    return explains_terms_ && terms_.insert(term->id).second ? to_glossary(*term, words) : words;
  }

  std::string to_glossary(const Term& term, const std::string& words) const {
    if (options_.glossary.empty()) return fmt::format("<dfn title=\"{}\">{}</dfn>", svg_escaped(term.in_all()), words);
    return fmt::format("<a class=\"term\" href=\"{}#{}\" title=\"{}\">{}</a>", svg_escaped(options_.glossary), term.id,
                       svg_escaped(term.in_all()), words);
  }

  std::string text_html(const LessonStep& step) {
    const std::vector<TextBlock>& blocks = step.text;
    const std::string& run = step.figure.run;
    std::string html;
    std::vector<const char*> open;  // lists
    const auto close_to = [&](std::size_t depth) {
      for (; open.size() > depth; open.pop_back()) html += fmt::format("</li></{}>\n", open.back());
    };
    for (const TextBlock& block : blocks) {
      if (block.kind == TextBlock::Kind::Item) {
        const auto depth = static_cast<std::size_t>(block.depth) + 1;
        close_to(depth);
        if (open.size() == depth)
          html += "</li>\n<li>";
        else
          for (; open.size() < depth;) {
            open.push_back(block.number > 0 ? "ol" : "ul");
            html += fmt::format("<{}><li>", open.back());
          }
        html += inline_html(block.runs, run);
        continue;
      }
      close_to(0);
      if (block.kind == TextBlock::Kind::Plot) {
        html += plot_html(block.runs, run);
        continue;
      }
      const bool prose = block.kind == TextBlock::Kind::Quote || block.kind == TextBlock::Kind::Paragraph;
      std::optional<Beside> there = prose ? moved(step, block) : std::nullopt;
      const std::string follows =
          there ? fmt::format(" data-moved=\"{}\" data-step=\"{}\"", moved_.size() - 1, there->place->step)
                : std::string();
      if (there) std::swap(beside_, *there);
      const std::string words = inline_html(block.runs, run, block.kind);
      if (there) std::swap(beside_, *there);
      switch (block.kind) {
        case TextBlock::Kind::Code: html += fmt::format("<pre tabindex=\"0\">{}</pre>\n", words); break;
        case TextBlock::Kind::Formula:
          html += fmt::format("<div class=\"formula\" tabindex=\"0\">{}</div>\n", in_rows(words));
          break;
        case TextBlock::Kind::Quote:
          html += fmt::format("<blockquote{}><p>{}</p></blockquote>\n", follows, words);
          break;
        default: html += fmt::format("<p{}>{}</p>\n", follows, words);
      }
    }
    close_to(0);
    return html;
  }

  std::string plot_html(const std::vector<TextRun>& text, const std::string& run) {
    std::string words;
    for (const TextRun& part : resolved(text, lesson_, run, runs_)) words += part.text;
    const TextPlot plot = parse_plot(words);
    constexpr float width = 330, size = 15;
    Scene scene;
    scene.language = language_of(lesson_.language);
    scene.width = width;
    scene.title = plot.up;
    scene.description = plot_words(plot);
    scene.height = draw_plot(scene, {0, 0}, width, size, plot);
    return fmt::format("<figure class=\"plot\">{}</figure>\n", to_compact_svg(scene, fmt::format("p{}-", plots_++)));
  }

  // A page is to stay within a megabyte: of such a run it shows fewer positions.
  static bool is_large(LessonRun& run) {
    constexpr std::uint64_t most = 1500;
    return run.document().info().steps > most;
  }

  // The positions of the lesson's figures of a run, and a sub-group's worth of operations after each, of a large run fewer.
  std::vector<std::uint64_t> stops_of(LessonRun& run) {
    const std::uint64_t count = is_large(run) ? 4 : 32;
    std::vector<std::uint64_t> stops;
    const auto add = [&](const FigurePlace& place) {
      if (place.run != &run) return;
      for (std::uint64_t more = 0; more < count; ++more) stops.push_back(place.step + more);
    };
    for (const LessonStep& step : lesson_.steps) {
      add(place_of(lesson_, step, runs_));
      for (const TextBlock& block : step.text)
        if (const std::string at = position_of_words(lesson_, step, block, runs_); !at.empty()) add(place_at(step, at));
      if (const auto tried = place_of_try(lesson_, step, runs_)) add(*tried);
    }
    return stops;
  }

  // What fills the shell so that it steps through a run in a view, made once, as large as its first picture.
  int player(LessonRun& run, const std::string& view, const Scene& picture) {
    const std::string key = command_of(run.request()) + " " + view;
    const auto [place, fresh] = player_of_.try_emplace(key, static_cast<int>(players_.size()));
    if (fresh) {
      HandoutOptions options;
      options.view = view;
      options.width = picture.width;
      options.height = picture.height;
      options.sized = true;
      options.stops = stops_of(run);
      options.stops_alone = is_large(run) && view == "memory";  // with a cell for each element
      options.embedded = true;
      const HandoutParts parts = handout_parts(run.document(), options);
      const json frame = {{"title", parts.title},
                          {"subtitle", parts.subtitle},
                          {"made", parts.made},
                          {"styles", parts.styles},
                          {"svg", parts.svg}};
      std::string text = json_text(frame);
      text.pop_back();
      players_.push_back(packed_deflated(text + ",\"data\":" + parts.data + '}'));
    }
    return place->second;
  }

  // Where the step's figure is at another position of its run.
  FigurePlace place_at(const LessonStep& step, const std::string& at) const {
    LessonStep there = step;
    there.figure.at = at;
    return place_of(lesson_, there, runs_);
  }

  // What a paragraph names of its step's figures.
  static std::vector<Claim> named_in(const TextBlock& block) {
    std::vector<Claim> named;
    for (const TextRun& part : block.runs)
      if (part.reference)
        if (const auto claim = parse_claim(part.text); claim && claim->kind == Claim::Kind::See)
          named.push_back(*claim);
    return named;
  }

  // Where a paragraph speaks of another position than its step's figures show, they are drawn there, too, and packed: the page
  // shows them while that paragraph is read. Nothing where they show less than it names.
  std::optional<Beside> moved(const LessonStep& step, const TextBlock& block) {
    const std::string at = position_of_words(lesson_, step, block, runs_);
    if (at.empty()) return {};
    const FigurePlace place = place_at(step, at);
    const std::vector<Claim> named = named_in(block);
    Beside there{place, {}};
    const std::string html =
        drawings(place, step.figure.views, at, fmt::format("m{}-", moved_.size()), named, &there.figures);
    const bool all = std::all_of(named.begin(), named.end(), [&](const Claim& claim) {
      return std::any_of(there.figures.begin(), there.figures.end(),
                         [&](const Scene& picture) { return !places_of(claim, place, picture).empty(); });
    });
    if (!all) return {};
    moved_.push_back(packed_deflated(html));
    return there;
  }

  // The step's own figures; those of what is to be tried take their place once the reader asks for the answer.
  std::string figures(const LessonStep& step, std::size_t number) {
    const FigurePlace place = place_of(lesson_, step, runs_);
    device_ = place.run->document().info().device;
    std::vector<Claim> named;  // by the text, in its order
    for (const TextBlock& block : step.text)
      for (Claim& claim : named_in(block)) named.push_back(std::move(claim));
    beside_ = {place, {}};
    std::string own =
        drawings(place, step.figure.views, step.figure.at, fmt::format("f{}-", number), named, &beside_.figures);
    const std::optional<FigurePlace> tried = place_of_try(lesson_, step, runs_);
    if (!tried) return own;
    const std::string at = step.try_at.empty() ? "end" : step.try_at;
    return fmt::format(
        "<div class=\"own\">{}</div>\n<div class=\"tried\"><p class=\"caption\">{}: <code>twiddle view {}</code></p>\n"
        "{}</div>\n",
        own, svg_escaped(words_("The run to try")), svg_escaped(shown_command(tried->run->request())),
        drawings(*tried, tried_views(step, tried->run->document()), at, fmt::format("t{}-", number), {}, nullptr));
  }

  // `prefix` begins the ids of what is drawn; `named` is what the text names in it.
  std::string drawings(const FigurePlace& place, const std::vector<std::string>& views, const std::string& at,
                       const std::string& prefix, const std::vector<Claim>& named, std::vector<Scene>* pictures) {
    Document& document = place.run->document();
    const Theme& look = theme(ThemeName::Light);
    constexpr float tall = 0.7f;  // of its width
    std::string html;
    for (std::size_t i = 0; i < views.size(); ++i) {
      const std::string& view = views[i];
      const std::string label = words_("Figure: {} at {}", document.info().title, at);
      const Scene picture = figure_scene(document, place, view, look, page_figure_width, lesson_.language);
      const bool fitted = place.goal.asked() && view == "live";  // it has nothing to step: its samples are dragged
      html += fmt::format(
          "<figure class=\"drawing{}\"{} data-step=\"{}\" data-focus=\"{}\" aria-label=\"{}\" "
          "style=\"--least:{:.0f}px\"><div class=\"pan\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">{}</div>\n",
          picture.width < 1.05f * page_figure_width && picture.height > tall * picture.width ? " tall" : "",
          fitted ? std::string() : fmt::format(" data-player=\"{}\"", player(*place.run, view, picture)), place.step,
          focus_of(picture, view, place, named), svg_escaped(label), picture.width, svg_escaped(label),
          to_compact_svg(picture, fmt::format("{}{}-", prefix, i)));
      if (pictures) pictures->push_back(picture);
      if (!fitted)
        html += fmt::format("<button type=\"button\" class=\"mount\">{}</button>",
                            svg_escaped(words_("Step through this figure")));
      html += "</figure>\n";
    }
    if (auto plots = operation_plots(place, views, at, look, page_figure_width, lesson_.language)) {
      const std::string label = words_("Twiddle and values at {}", at);
      plots->title = label;
      html += fmt::format(
          "<figure class=\"plots\" style=\"--least:520px\"><div class=\"pan\" role=\"img\" "
          "aria-label=\"{}\">{}{}{}</div></figure>\n",
          svg_escaped(label), to_compact_svg(*plots, prefix + "w-"), half_of(*plots, 0, prefix + "wl-"),
          half_of(*plots, 1, prefix + "wr-"));
    }
    return html + source(*place.run, place.step);
  }

  // The left or the right half of a picture, for a page that is too narrow for both.
  static std::string half_of(const Scene& picture, int which, const std::string& prefix) {
    std::string svg = to_compact_svg(picture, prefix);
    const std::string_view begins = "viewBox=\"";
    const std::size_t at = svg.find(begins), from = at + begins.size();
    svg.replace(from, svg.find('"', from) - from,
                fmt::format("{:.0f} 0 {:.0f} {:.0f}", picture.width / 2 * static_cast<float>(which), picture.width / 2,
                            std::ceil(picture.height)));
    return svg.insert(at, "class=\"half\" ");
  }

  // From where to where, as parts of the width, a frame that is narrower than the figure should show at least: the element whose
  // cone is lit, else what the text names first, else what is at work. Nothing where that is found nowhere.
  static std::string focus_of(const Scene& picture, const std::string& view, const FigurePlace& place,
                              const std::vector<Claim>& named) {
    if (picture.width <= 0) return {};
    const auto part = [&](double left, double right) {
      return fmt::format("{:.3f} {:.3f}", std::clamp(left / double(picture.width), 0.0, 1.0),
                         std::clamp(right / double(picture.width), 0.0, 1.0));
    };
    std::vector<Claim> first;
    if (place.light) {
      const BufferInfo& buffer = place.run->info().buffers[static_cast<std::size_t>(place.light->buffer)];
      first.push_back({.kind = Claim::Kind::See,
                       .words = {},
                       .expression = fmt::format("{}[{}]", buffer.name, place.light->index % buffer.count)});
    }
    first.insert(first.end(), named.begin(), named.end());
    for (const Claim& claim : first)
      if (const std::vector<Box> boxes = places_of(claim, place, picture); !boxes.empty()) {
        double left = picture.width, right = 0;
        for (const Box& box : boxes) left = std::min(left, double(box.x)), right = std::max(right, double(box.right()));
        return part(left, right);
      }
    if (view == "matrix") return {};  // the last element that was written is no more than any other
    double left = picture.width, right = 0;
    for (const Shape2D& shape : picture.shapes) {
      if (shape.fill != Role::Now && shape.stroke.role != Role::Now) continue;
      const Box box = bounds(shape);
      if (box.w < 12 || box.y > picture.height - 40) continue;  // not the legend's, nor single digits of an index
      left = std::min(left, double(box.x)), right = std::max(right, double(box.right()));
    }
    return right > left ? part(left, right) : std::string();
  }

  // The lines of the kernel around the one that logged the operation at work.
  std::string source(LessonRun& run, std::uint64_t step) const {
    if (step == 0) return {};
    const TraceInfo& info = run.info();
    const Operation op = run.replay().operation(step);
    const LaunchInfo* launch = info.launch(op.launch);
    const SourceText* text = launch ? info.source(launch->source) : nullptr;
    if (!text || op.line < 1) return {};
    const std::vector<std::string> lines = source_lines(text->text);
    constexpr int before = 9, after = 3;
    // To the end of its function, and no further.
    int last = op.line;
    while (last < std::min(static_cast<int>(lines.size()), op.line + after) &&
           !lines[static_cast<std::size_t>(last) - 1].starts_with('}'))
      ++last;
    std::string rows;
    for (int line = std::max(1, op.line - before); line <= last; ++line)
      rows += fmt::format("<span class=\"row{}\"><span class=\"number\">{}</span>{}</span>\n",
                          line == op.line ? " now" : "", line, svg_escaped(lines[static_cast<std::size_t>(line) - 1]));
    return fmt::format(
        "<div class=\"source\"><p><code>{}</code> <span class=\"caption\">{}</span></p><pre "
        "tabindex=\"0\" aria-label=\"{}\">{}</pre></div>\n",
        svg_escaped(text->name), svg_escaped(words_("line {} logs what {} did", op.line, item_name(info, op.item))),
        svg_escaped(text->name), rows);
  }

  std::string step(const LessonStep& step, std::size_t number) {
    const std::string minutes = step.minutes > 0 ? words_("{} min", step.minutes) : "";
    std::string html = fmt::format(
        "<section class=\"step\" id=\"step-{}\" aria-labelledby=\"title-{}\">\n<h2 id=\"title-{}\" "
        "tabindex=\"-1\">{}</h2>\n<div class=\"words\"><div class=\"text\">\n",
        number + 1, number + 1, number + 1, svg_escaped(step.title));
    if (!minutes.empty()) html += fmt::format("<p class=\"caption\">{}</p>\n", svg_escaped(minutes));
    const std::string drawings = figures(step, number);
    explains_terms_ = true;
    html += text_html(step) + "</div></div>\n<div class=\"figures\">\n" + drawings + "</div>\n<div class=\"tasks\">\n";
    explains_terms_ = false;  // notes, tasks and answers come after it
    beside_ = {};
    for (const QuestionSpec& spec : step.questions) html += questions_.add(spec, step);
    if (!step.try_it.empty()) {
      const LessonRunSpec* spec = lesson_.run_named(step.figure.run);
      html += fmt::format("<aside class=\"try\"><h3>{}</h3><p>{}</p><p>{}: <code>twiddle view {}</code></p>",
                          svg_escaped(words_("Try it")), inline_html(step.try_it, step.figure.run),
                          svg_escaped(words_("Start from")), svg_escaped(shown_command(spec->request)));
      if (!step.answer.empty())
        html += fmt::format("<details><summary>{}</summary><p>{}</p></details>",
                            svg_escaped(words_("What is seen then")), inline_html(step.answer, step.figure.run));
      html += "</aside>\n";
    }
    if (!step.notes.empty())
      html += fmt::format("<details class=\"notes\"><summary>{}</summary><p>{}</p></details>\n",
                          svg_escaped(words_("Notes for the presenter")), inline_html(step.notes, step.figure.run));
    return html + "</div>\n</section>\n";
  }

  const Lesson& lesson_;
  LessonRuns& runs_;
  const LessonPageOptions& options_;
  CourseWords words_;
  PageQuestions questions_{lesson_, runs_, words_};
  std::map<std::string, int> player_of_;
  TermFinder finder_{lesson_.language};
  std::set<std::string> terms_;  // of the glossary that were met
  bool explains_terms_ = false;  // in a step's own text
  json players_ = json::array(), moved_ = json::array();
  std::size_t plots_ = 0;  // of the text, so far
  std::string device_;
  Beside beside_;
};

}  // namespace

std::string lesson_page(const Lesson& lesson, LessonRuns& runs, const LessonPageOptions& options) {
  return PageMaker(lesson, runs, options).page();
}

}  // namespace twiddle
