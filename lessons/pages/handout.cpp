#include "lessons/pages/pages.h"

#include "base/error.h"
#include "base/text.h"
#include "base/version.h"
#include "lessons/run/course_words.h"
#include "lessons/run/figure.h"
#include "lessons/run/questions.h"
#include "viewer/handout/handout.h"
#include "viewer/handout/page_template.h"
#include "viewer/render/svg_compact.h"
#include "viewer/render/svg_parts.h"
#include "viewer/scene/languages.h"

#include <fmt/format.h>
#include <zlib.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

namespace twiddle {
namespace {

using nlohmann::json;

constexpr float figure_width = 720;  // px at least, of a figure's own coordinates
constexpr float min_scale = 0.75;    // on a narrow screen a figure scrolls rather than get smaller

std::string base64(const std::vector<Bytef>& bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t here = std::min<std::size_t>(3, bytes.size() - at);
    unsigned word = 0;
    for (std::size_t i = 0; i < 3; ++i) word = word << 8 | (i < here ? bytes[at + i] : 0u);
    for (std::size_t i = 0; i < 4; ++i) out += i <= here ? letters[word >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

// Text as a page carries it when it is long: deflated (zlib's format, which browsers inflate), in base64.
std::string deflated_base64(std::string_view text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::vector<Bytef> bytes(size);
  if (compress2(bytes.data(), &size, reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(text.size()), 9) !=
      Z_OK)
    throw usage_error("a page of {} bytes cannot be packed", text.size());
  bytes.resize(size);
  return base64(bytes);
}

bool is_alnum(char c) { return is_letter(c) || is_digit(c); }

// Whether "_" or "^" at `at` lowers or raises: after a name of one letter (w_N, not TRACE_MOVE), and "^" after its index, too.
bool shifts(std::string_view text, std::size_t at) {
  if (at == 0 || at + 1 >= text.size() || (text[at] != '_' && text[at] != '^')) return false;
  if (text[at] == '^' && (text[at - 1] == ')' || is_alnum(text[at - 1]))) return true;
  return is_letter(text[at - 1]) && (at < 2 || (!is_alnum(text[at - 2]) && text[at - 2] != '_'));
}

// w_N^(jk) with what is lowered and raised as such: a word, a number, or what is in parentheses.
std::string formula_html(std::string_view text) {
  std::string out, plain;
  const auto flush = [&] {
    out += svg_escaped(plain);
    plain.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      flush();
      out += '\n';
    } else if (shifts(text, i)) {
      flush();
      std::size_t begin = i + 1, end = begin;
      const bool parentheses = text[begin] == '(';
      if (parentheses) {
        int open = 0;
        do {
          if (text[end] == '(') ++open;
          if (text[end] == ')') --open;
          ++end;
        } while (end < text.size() && open > 0);
        ++begin;
        if (text[end - 1] == ')') --end;
      } else {
        if (text.substr(end).starts_with("−")) end += std::string_view("−").size();
        while (end < text.size() && is_alnum(text[end])) ++end;
      }
      const char* tag = text[i] == '_' ? "sub" : "sup";
      out += fmt::format("<{}>{}</{}>", tag, svg_escaped(text.substr(begin, end - begin)), tag);
      i = parentheses ? end : end - 1;
    } else {
      plain += text[i];
    }
  }
  flush();
  return out;
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
        {"questions", questions_},
        {"players", players_},
        {"shell", players_.empty() ? "" : deflated_base64(handout_shell({}))},
        {"words",
         {{"tooOld", words_.unfilled("This browser is too old to step through figures; one of the last years can.")},
          {"right", words_.unfilled("Right.")},
          {"notQuite", words_.unfilled("Not quite.")},
          {"stepOf", words_.unfilled("Step {} of {}")},
          {"points", words_.unfilled("{} of {} questions answered rightly")}}}};
    return filled(
        page_part("lessons/pages/html/lesson.html"),
        {{"lang", std::string(html_code(language_of(lesson_.language)))},
         {"program", svg_escaped(fmt::format("twiddle {}", program_version))},
         {"title", svg_escaped(lesson_.title)},
         {"summary", svg_escaped(lesson_.summary)},
         {"minutes", lesson_.minutes > 0 ? words_("{} minutes", lesson_.minutes) : ""},
         {"links", links()},
         {"noscript",
          svg_escaped(words_("Stepping through figures and answering questions need JavaScript, which is off here."))},
         {"previous-step", svg_escaped(words_("Previous step"))},
         {"next-step", svg_escaped(words_("Next step"))},
         {"made", svg_escaped(words_("Made by {} from runs on {}. Every number comes from a trace.",
                                     fmt::format("twiddle {}", program_version), device_))},
         {"variables", handout_variables(language_of(lesson_.language))},
         {"css", page_part("lessons/pages/html/lesson.css") + drawing_styles()},
         {"steps", steps},
         {"data", in_script(data.dump(-1, ' ', false, json::error_handler_t::replace))},
         {"js", page_part("lessons/pages/html/lesson.js")}});
  }

 private:
  std::string links() const {
    std::string html;
    const auto add = [&](const std::string& address, const std::string& what) {
      if (!address.empty()) html += fmt::format("<a href=\"{}\">{}</a>\n", svg_escaped(address), svg_escaped(what));
    };
    add(options_.previous, words_("Previous lesson"));
    add(options_.contents, words_("Contents"));
    add(options_.next, words_("Next lesson"));
    return html;
  }

  std::string inline_html(const std::vector<TextRun>& text, const std::string& run,
                          TextBlock::Kind kind = TextBlock::Kind::Paragraph) {
    std::string html;
    for (const TextRun& part : resolved(text, lesson_, run, runs_)) {
      std::string words = kind == TextBlock::Kind::Code ? code_html(part.text)
                          : part.code || part.reference ? formula_html(part.text)
                                                        : svg_escaped(part.text);
      if (part.reference) words = fmt::format("<span class=\"from-run\">{}</span>", words);
      if (part.code) words = fmt::format("<code>{}</code>", words);
      if (part.strong) words = fmt::format("<strong>{}</strong>", words);
      if (part.emphasis) words = fmt::format("<em>{}</em>", words);
      const std::string address = part.link.empty() || !options_.link ? "" : options_.link(part.link);
      if (!address.empty()) words = fmt::format("<a href=\"{}\">{}</a>", svg_escaped(address), words);
      html += words;
    }
    return html;
  }

  std::string text_html(const std::vector<TextBlock>& blocks, const std::string& run) {
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
      const std::string words = inline_html(block.runs, run, block.kind);
      switch (block.kind) {
        case TextBlock::Kind::Code: html += fmt::format("<pre tabindex=\"0\">{}</pre>\n", words); break;
        case TextBlock::Kind::Formula:
          html += fmt::format("<div class=\"formula\" tabindex=\"0\">{}</div>\n", words);
          break;
        case TextBlock::Kind::Quote: html += fmt::format("<blockquote><p>{}</p></blockquote>\n", words); break;
        default: html += fmt::format("<p>{}</p>\n", words);
      }
    }
    close_to(0);
    return html;
  }

  // The positions of the lesson's figures of a run, and a sub-group's worth of operations after each.
  std::vector<std::uint64_t> stops_of(LessonRun& run) {
    std::vector<std::uint64_t> stops;
    for (const LessonStep& step : lesson_.steps)
      if (const FigurePlace place = place_of(lesson_, step, runs_); place.run == &run)
        for (std::uint64_t more = 0; more < 32; ++more) stops.push_back(place.step + more);
    return stops;
  }

  // What fills the shell so that it steps through a run in a view, made once.
  int player(LessonRun& run, const std::string& view) {
    const std::string key = command_of(run.request()) + " " + view;
    const auto [place, fresh] = player_of_.try_emplace(key, static_cast<int>(players_.size()));
    if (fresh) {
      HandoutOptions options;
      options.view = view;
      options.width = figure_width;
      options.height = 0;
      options.stops = stops_of(run);
      options.embedded = true;
      const HandoutParts parts = handout_parts(run.document(), options);
      const json frame = {{"title", parts.title},
                          {"subtitle", parts.subtitle},
                          {"made", parts.made},
                          {"styles", parts.styles},
                          {"svg", parts.svg}};
      std::string text = frame.dump(-1, ' ', false, json::error_handler_t::replace);
      text.pop_back();
      players_.push_back(deflated_base64(text + ",\"data\":" + parts.data + '}'));
    }
    return place->second;
  }

  std::string figures(const LessonStep& step, std::size_t number) {
    const FigurePlace place = place_of(lesson_, step, runs_);
    Document& document = place.run->document();
    device_ = document.info().device;
    const Theme& look = theme(ThemeName::Light);
    std::string html;
    for (std::size_t i = 0; i < step.figure.views.size(); ++i) {
      const std::string& view = step.figure.views[i];
      const std::string label = words_("Figure: {} at {}", document.info().title, step.figure.at);
      const Scene picture = figure_scene(document, place, view, look, figure_width, lesson_.language);
      html += fmt::format(
          "<figure class=\"drawing\" data-player=\"{}\" data-step=\"{}\" aria-label=\"{}\" "
          "style=\"--least:{:.0f}px\">{}\n"
          "<button type=\"button\" class=\"mount\">{}</button></figure>\n",
          player(*place.run, view), place.step, svg_escaped(label), picture.width * min_scale,
          to_compact_svg(picture, fmt::format("f{}-{}-", number, i)), svg_escaped(words_("Step through this figure")));
    }
    return html;
  }

  std::string question(const QuestionSpec& spec, const LessonStep& step) {
    const Question made = resolved_question(spec, lesson_, step.figure.run, runs_);
    const std::size_t number = questions_.size();
    json answers = json::array();
    std::string options;
    for (std::size_t i = 0; i < made.answers.size(); ++i) {
      answers.push_back({{"why", made.answers[i].why}, {"right", made.answers[i].right}});
      options += fmt::format("<button type=\"button\" data-answer=\"{}\">{}</button>\n", i,
                             formula_html(made.answers[i].text));
    }
    questions_.push_back(answers);
    return fmt::format(
        "<fieldset class=\"question\" data-question=\"{}\"><legend>{}</legend><p>{}</p>\n<div "
        "class=\"answers\">{}</div>"
        "<p class=\"verdict\" role=\"status\"></p></fieldset>\n",
        number, svg_escaped(words_("Question")), formula_html(made.text), options);
  }

  std::string step(const LessonStep& step, std::size_t number) {
    std::string html = fmt::format(
        "<section class=\"step\" id=\"step-{}\" aria-labelledby=\"title-{}\">\n<h2 id=\"title-{}\" "
        "tabindex=\"-1\">{}</h2>\n<div class=\"text\">\n",
        number + 1, number + 1, number + 1, svg_escaped(step.title));
    html += text_html(step.text, step.figure.run);
    html += "</div>\n" + figures(step, number);
    for (const QuestionSpec& spec : step.questions) html += question(spec, step);
    if (!step.try_it.empty()) {
      const LessonRunSpec* spec = lesson_.run_named(step.figure.run);
      html += fmt::format("<aside class=\"try\"><h3>{}</h3><p>{}</p><p>{}: <code>twiddle view {}</code></p></aside>\n",
                          svg_escaped(words_("Try it")), inline_html(step.try_it, step.figure.run),
                          svg_escaped(words_("Start from")), svg_escaped(command_of(spec->request)));
    }
    if (!step.notes.empty())
      html += fmt::format("<details class=\"notes\"><summary>{}</summary><p>{}</p></details>\n",
                          svg_escaped(words_("Notes for the presenter")), inline_html(step.notes, step.figure.run));
    return html + "</section>\n";
  }

  const Lesson& lesson_;
  LessonRuns& runs_;
  const LessonPageOptions& options_;
  CourseWords words_;
  std::map<std::string, int> player_of_;
  json players_ = json::array(), questions_ = json::array();
  std::string device_;
};

}  // namespace

std::string lesson_page(const Lesson& lesson, LessonRuns& runs, const LessonPageOptions& options) {
  return PageMaker(lesson, runs, options).page();
}

std::string contents_page(std::string_view language, const std::vector<ContentsEntry>& entries,
                          const std::vector<std::pair<std::string, std::string>>& languages) {
  const CourseWords words(language);
  std::string list, others;
  for (const ContentsEntry& entry : entries)
    list += fmt::format("<li><a href=\"{}\">{}</a> <span class=\"caption\">{}</span><p>{}</p></li>\n",
                        svg_escaped(entry.address), svg_escaped(entry.title), words("{} minutes", entry.minutes),
                        svg_escaped(entry.summary));
  for (const auto& [code, address] : languages)
    others += fmt::format("<a href=\"{}\" lang=\"{}\">{}</a>\n", svg_escaped(address), html_code(language_of(code)),
                          own_name(language_of(code)));
  return filled(page_part("lessons/pages/html/contents.html"),
                {{"lang", std::string(html_code(language_of(language)))},
                 {"program", svg_escaped(fmt::format("twiddle {}", program_version))},
                 {"title", words("Fast Fourier transforms on a GPU, step by step")},
                 {"variables", handout_variables(language_of(language))},
                 {"css", page_part("lessons/pages/html/lesson.css")},
                 {"links", others},
                 {"list", list}});
}

}  // namespace twiddle
