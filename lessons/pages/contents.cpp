// A course's index: lessons in their groups, with what comes before each, how long it takes, and how far one has got.
#include "base/values/json_text.h"
#include "lessons/pages/page_bar.h"
#include "lessons/pages/pages.h"
#include "lessons/run/course_words.h"
#include "lessons/text/glossary.h"
#include "lessons/text/progress.h"
#include "viewer/handout/page_template.h"
#include "viewer/render/svg_parts.h"
#include "viewer/scene/languages.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace twiddle {
namespace {

std::string entry_html(const ContentsEntry& entry, const CourseWords& words) {
  std::string about = words("{} minutes", entry.minutes);
  if (!entry.needs.empty()) about += " · " + words("after: {}", words.list(entry.needs));
  std::string html = fmt::format(
      "<li data-id=\"{}\"><span class=\"number\">{}</span><div><a href=\"{}\">{}</a>\n<p>{}</p>\n<p "
      "class=\"caption\">{}",
      svg_escaped(entry.id), entry.number >= 0 ? std::to_string(entry.number) : "", svg_escaped(entry.address),
      svg_escaped(entry.title), svg_escaped(entry.summary), svg_escaped(about));
  if (!entry.key.empty())
    html += fmt::format(" · <a href=\"{}\">{}</a>", svg_escaped(entry.key), svg_escaped(words("answer key")));
  return html + "</p><p class=\"caption score\"></p></div></li>\n";
}

// A way through the course for one kind of reader: the lessons of it that there are.
struct Path {
  std::string id, name, about;
  std::vector<std::string_view> lessons;  // ids; none: all
};

std::vector<Path> paths(const CourseWords& words) {
  return {{"lectures",
           words("Two lectures"),
           words("For a class: the transform in the first, the GPU in the second."),
           {"dft", "even-and-odd", "butterfly", "stages", "a-gpu-in-ten-minutes", "reduction", "memory", "one-kernel",
            "find-the-bug"}},
          {"self-study", words("Self-study"), words("In order, from sine and cosine to a kernel of your own."), {}},
          {"author",
           words("Kernel author"),
           words("You know the FFT or CUDA, and want it fast."),
           {"a-gpu-in-ten-minutes", "butterfly", "stages", "reduction", "memory", "one-kernel", "local-memory",
            "stockham", "radix-4", "why-cufft-is-fast", "what-cufft-does", "find-the-bug", "your-own-kernel"}}};
}

// A button for each, with how many lessons it has and how long they take; nothing where a course has none of them.
std::string paths_html(const std::vector<ContentsEntry>& entries, const CourseWords& words) {
  std::string html;
  for (const Path& path : paths(words)) {
    std::string ids;
    std::size_t count = 0;
    int minutes = 0;
    for (const ContentsEntry& entry : entries) {
      if (!path.lessons.empty() && std::find(path.lessons.begin(), path.lessons.end(), entry.id) == path.lessons.end())
        continue;
      ids += (ids.empty() ? "" : " ") + entry.id;
      minutes += entry.minutes;
      ++count;
    }
    if (count < std::max<std::size_t>(1, path.lessons.size())) return {};
    html += fmt::format(
        "<button type=\"button\" data-path=\"{}\" data-lessons=\"{}\" aria-pressed=\"false\"><b>{}</b>{}<br>"
        "<span class=\"caption\">{}</span></button>\n",
        path.id, svg_escaped(ids), svg_escaped(path.name), svg_escaped(path.about),
        svg_escaped(words("{0} lessons, {1} minutes", count, minutes)));
  }
  return fmt::format(
      "<p><a class=\"go-on\" id=\"go-on\" hidden></a></p>\n<fieldset class=\"paths\"><legend>{}</legend>\n{}"
      "</fieldset>\n",
      svg_escaped(words("Which way suits you?")), html);
}

// How far one has got, to be taken along to another browser.
std::string progress_html(const CourseWords& words) {
  return fmt::format(
      "<details class=\"progress-box\" id=\"progress\"><summary>{}</summary>\n<p><label "
      "for=\"progress-line\">{}</label>"
      "</p>\n<textarea id=\"progress-line\" rows=\"3\" spellcheck=\"false\" autocomplete=\"off\"></textarea>\n"
      "<p><button type=\"button\" id=\"progress-copy\">{}</button> <button type=\"button\" id=\"progress-read\">{}"
      "</button></p>\n<p class=\"caption\" id=\"progress-said\" role=\"status\"></p></details>\n",
      svg_escaped(words("Progress as a line of text")),
      svg_escaped(words("Copy this line to go on in another window or browser, or put one from there in its "
                        "place.")),
      svg_escaped(words("Copy the line")), svg_escaped(words("Read the line")));
}

// What a heading's lessons are about; nothing of a heading that is not the course's.
std::string group_about(std::size_t group, const CourseWords& words) {
  switch (group) {
    case 0: return words("What a transform is, and who computes it");
    case 1: return words("The FFT, one step at a time");
    case 2: return words("What makes it fast on a GPU");
    case 3: return words("Sound, pictures, libraries, your own code");
    default: return {};
  }
}

}  // namespace

std::string contents_page(std::string_view language, const std::vector<ContentsEntry>& entries,
                          const std::vector<std::pair<std::string, std::string>>& languages,
                          const std::string& glossary_address) {
  const CourseWords words(language);
  std::string list,
      others = fmt::format("<a href=\"{}\">{}</a>\n", svg_escaped(glossary_address), svg_escaped(words("Glossary")));
  int minutes = 0;
  bool open = false;
  std::string group;
  std::size_t groups = 0;
  const std::string ways = paths_html(entries, words);
  const bool whole = !ways.empty();  // the course's own lessons
  for (const ContentsEntry& entry : entries) {
    minutes += entry.minutes;
    if (!open || (entry.group != group && !entry.group.empty())) {
      if (open) list += "</ol></section>\n";
      group = entry.group;
      list += "<section class=\"group\">\n";
      if (!group.empty()) list += fmt::format("<h2>{}</h2>\n", svg_escaped(group));
      if (const std::string about = whole ? group_about(groups, words) : ""; !about.empty())
        list += fmt::format("<p class=\"caption\">{}</p>\n", svg_escaped(about));
      ++groups;
      list += "<ol class=\"course\">\n";
      open = true;
    }
    list += entry_html(entry, words);
  }
  if (open) list += "</ol></section>\n";
  others += language_links(languages, language);
  const nlohmann::json data = {
      {"word", std::string(progress_word)},
      {"signs",
       {std::string(1, progress_signs.right), std::string(1, progress_signs.wrong),
        std::string(1, progress_signs.none)}},
      {"seen", words.unfilled("{} of {} steps read")},
      {"points", words.unfilled("{} of {} correct")},
      {"on", words.unfilled("Go on: {}")},
      {"copied", words("Copied.")},
      {"byHand", words("This browser does not let pages copy: the line is selected, copy it.")},
      {"noLine", words("This is no line of progress: it begins with twiddle-progress.")},
      {"noStorage", words("This browser keeps nothing of this page.")},
      {"taken", words.unfilled("Progress of {} lessons was read.")}};
  const std::string before =
      whole
          ? fmt::format("<p class=\"caption before\">{} {}</p>\n",
                        svg_escaped(words("You need sine and cosine, complex numbers as arrows, and one loop in C. Any "
                                          "order works; “after” says what a lesson builds on.")),
                        svg_escaped(words("Every figure is a run of a real kernel. Without a GPU it runs on the "
                                          "processor, and sectors and banks are counted as for sub-groups of 32.")))
          : std::string();
  std::map<std::string, std::string> parts = common_parts(words, language);
  parts.merge(std::map<std::string, std::string>{
      {"title", words("Learn the FFT, and the GPU that runs it")},
      {"summary", svg_escaped(words("{0} lessons, {1} minutes in all. How far you have got is kept in this "
                                    "browser, and nowhere else.",
                                    entries.size(), minutes))},
      {"css", page_part("lessons/pages/html/bar.css") + page_part("lessons/pages/html/lesson.css")},
      {"links", others},
      {"paths", ways},
      {"before", before},
      {"list", list},
      {"progress", progress_html(words)},
      {"data", in_script(json_text(data))}});
  return filled(page_part("lessons/pages/html/contents.html"), parts);
}

std::string glossary_page(std::string_view language,
                          const std::vector<std::pair<std::string, std::string>>& languages) {
  const CourseWords words(language);
  constexpr std::array<std::string_view, 3> codes = {"en", "ja", "zh"};
  const auto own = static_cast<std::size_t>(std::find(codes.begin(), codes.end(), language) - codes.begin()) % 3;
  const std::array<std::size_t, 3> order = {own, own == 0 ? 1u : 0u, own == 2 ? 1u : 2u};
  std::string head, rows, others = fmt::format("<a href=\"index.html\">{}</a>\n", svg_escaped(words("Course")));
  for (const std::size_t column : order)
    head += fmt::format("<th scope=\"col\">{}</th>", own_name(language_of(codes[column])));
  for (const Term& term : glossary()) {
    rows += fmt::format("<tr id=\"{}\">", svg_escaped(term.id));
    for (const std::size_t column : order)
      rows += fmt::format("<{} lang=\"{}\">{}</{}>", column == own ? "th scope=\"row\"" : "td",
                          html_code(language_of(codes[column])), svg_escaped(term.words[column]),
                          column == own ? "th" : "td");
    rows += "</tr>\n";
  }
  others += language_links(languages, language);
  std::map<std::string, std::string> parts = common_parts(words, language);
  parts.merge(std::map<std::string, std::string>{
      {"title", svg_escaped(words("Glossary"))},
      {"summary", svg_escaped(words("One term a concept, the same everywhere."))},
      {"css", page_part("lessons/pages/html/bar.css") + page_part("lessons/pages/html/lesson.css")},
      {"links", others},
      {"paths", ""},
      {"before", ""},
      {"progress", ""},
      {"list",
       fmt::format("<table class=\"glossary\"><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table>\n", head, rows)},
      {"data", "{}"}});
  return filled(page_part("lessons/pages/html/contents.html"), parts);
}

}  // namespace twiddle
