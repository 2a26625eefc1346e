// The one-file page: that it holds what the diagrams show at each position, and nothing that a page must not hold.
#include "tracer/file/trace_file.h"
#include "viewer/handout/handout.h"
#include "viewer/handout/handout_packed.h"

#include "base/tr.h"
#include "kernels/catalogue/catalogue.h"
#include "run_program.h"
#include "tracer/run/tracer.h"
#include "tracer/runtimes/open_runtime.h"
#include "viewer/handout/flipbook.h"
#include "viewer/scene/languages.h"
#include "viewer/views/view.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <vector>

using namespace twiddle;
using nlohmann::json;

namespace {

const View& page_view() { return *view_named("butterfly"); }

std::shared_ptr<const TraceReader> traced(const TestFolder& folder, std::uint64_t n, const std::string& title = {}) {
  Request request;
  request.algorithm = "fft-radix2";
  request.n = n;
  request.signal = "random:1";
  Plan plan = make_plan(request);
  if (!title.empty()) plan.title = Message::verbatim(title);
  const std::string file = folder.file("trace.twd");
  const auto runtime = open_runtime("opencl", 0);
  TraceWriter writer(file);
  trace_plan(plan, *runtime, {}, writer);
  writer.finish();
  return TraceReader::open(file);
}

json data_of(const std::string& page) {
  const std::string opening = "<script type=\"application/json\" id=\"data\">";
  const std::size_t from = page.find(opening) + opening.size();
  return json::parse(page.substr(from, page.find("</script>", from) - from));
}

struct Painted {
  std::size_t kind;
  Role fill, stroke;
  float width;
  std::string text;
  bool operator==(const Painted&) const = default;
};

std::vector<Painted> painted_in(const Scene& scene) {
  std::vector<Painted> all;
  for (const std::size_t i : scene.paint_order()) {
    const Shape2D& shape = scene.shapes[i];
    const auto* text = std::get_if<TextShape>(&shape.geometry);
    const bool stroked = shape.stroke.role != Role::None && shape.stroke.width > 0;
    if (text ? text->text.empty() || shape.fill == Role::None : shape.fill == Role::None && !stroked && shape.mark < 0)
      continue;
    all.push_back({shape.geometry.index(), shape.fill, stroked ? shape.stroke.role : Role::None,
                   stroked ? shape.stroke.width : 1, text ? text->text : ""});
  }
  return all;
}

std::vector<Painted> painted_at(const Flipbook& book, int position) {
  std::vector<Painted> all;
  for (const int i : book.paint_order()) {
    const Flipbook::Element& element = book.elements()[i];
    Flipbook::Look look;
    for (const Flipbook::Look& next : element.looks)
      if (next.from <= position) look = next;
    if (look.style < 0) continue;
    const Flipbook::Style& style = book.styles()[look.style];
    all.push_back({element.shape.geometry.index(), style.fill, style.stroke.role, style.stroke.width,
                   look.text < 0 ? "" : book.texts()[look.text]});
  }
  return all;
}

}  // namespace

TEST_CASE("turned to any position, the drawing is the diagram of that position, in the same order of painting") {
  TestFolder folder;
  Document document(traced(folder, 8));
  DiagramInput input{document, {}, {}, theme(ThemeName::Light)};
  std::vector<Scene> scenes;
  Flipbook book;
  for (std::uint64_t step = 0; step <= document.info().steps; ++step) {
    input.cursor.step = step;
    scenes.push_back(page_view().draw(input));
    book.add(scenes.back());
  }
  std::size_t shapes = 0;
  for (int position = 0; position < book.positions(); ++position) {
    CAPTURE(position);
    const std::vector<Painted> expected = painted_in(scenes[position]);
    CHECK(painted_at(book, position) == expected);
    shapes += expected.size();
  }
  CHECK(shapes > 500);
  CHECK(book.elements().size() * 4 < shapes);  // most are shared between positions
}

TEST_CASE("the page loads nothing, closes what it opens, and stays small") {
  TestFolder folder;
  Document document(traced(folder, 64));
  const std::string page = handout_html(document, {});
  CHECK(page.size() < 1'000'000);
  CHECK(page.find("{{") == std::string::npos);
  // The only addresses are names of XML namespaces, and the empty icon.
  CHECK(!std::regex_search(page, std::regex("(src|href)=\"(?!data:,)")));
  CHECK(page.find("url(http") == std::string::npos);
  CHECK(page.find("@import") == std::string::npos);
  CHECK(page.find("<script src") == std::string::npos);
  CHECK(page.find("default-src 'none'") != std::string::npos);

  const json data = data_of(page);
  CHECK(data["positions"].size() == document.info().steps + 1);
  CHECK(data["operations"].size() == document.info().steps);
  CHECK(data["segments"].size() == document.info().segments.size());
  for (const json& segment : data["segments"]) CHECK(segment["from"] <= segment["to"]);
  CHECK(data["keys"]["Right"] == "step-forward");
  CHECK(data["keys"]["Shift+Left"] == "stage-back");
  CHECK(data["keys"]["Space"] == "play-pause");
  CHECK(!data["keys"].contains("Page Down"));  // a presenter's remote: lessons only
}

TEST_CASE("a large trace goes from stage to stage") {
  TestFolder folder;
  Document document(traced(folder, 256));
  REQUIRE(document.info().steps > handout_max_steps);
  const json data = data_of(handout_html(document, {}));
  CHECK(data["positions"].size() == document.info().segments.size() + 1);
  CHECK(data["positions"].back()["s"] == document.info().steps);
}

TEST_CASE("a page speaks the language that is spoken, to the last of its buttons") {
  TestFolder folder;
  Document document(traced(folder, 8));
  const std::string english = handout_html(document, {});
  CHECK(english.find("<html lang=\"en\"") != std::string::npos);
  CHECK(english.find("aria-label=\"next step\"") != std::string::npos);
  CHECK(data_of(english)["words"]["step"] == "step {} of {}");
  use_language(Language::Japanese);
  const std::string page = handout_html(document, {});
  const std::string translated = tr("next step");
  use_language(Language::English);
  if (translated == "next step") return;  // this build has no msgfmt
  CHECK(page.find("<html lang=\"ja\"") != std::string::npos);
  CHECK(page.find("aria-label=\"" + translated + "\"") != std::string::npos);
  for (const char* word :
       {"\"next step", ">Keys<", ">Theme<", "The log so far", "Close<", "Before the first", "light or dark"})
    CHECK_MESSAGE(page.find(word) == std::string::npos, word);
}

TEST_CASE("an embedded page has its drawing in its data, and its shell is open for it") {
  TestFolder folder;
  Document document(traced(folder, 8));
  HandoutOptions options;
  options.embedded = true;
  const HandoutParts parts = handout_parts(document, options);
  CHECK(parts.svg.find("data-e=") == std::string::npos);
  const json data = json::parse(parts.data);
  CHECK(data["passing"].size() == data["looks"][0].size());
  const std::string shell = handout_shell(options);
  for (const char* place : {"{{title}}", "{{subtitle}}", "{{made}}", "{{styles}}", "{{svg}}", "{{data}}"})
    CHECK(shell.find(place) != std::string::npos);
}

TEST_CASE("a packed player's lists are what the page alone has") {
  TestFolder folder;
  Document document(traced(folder, 16));
  const json plain = data_of(handout_html(document, {}));
  HandoutOptions options;
  options.embedded = true;
  const json packed = json::parse(handout_parts(document, options).data);
  const auto rows_of = [](const json& rows) {
    std::map<std::string, json> before;
    json out = json::array();
    for (json row : rows) {
      json& last = before[row[0].dump() + " " + std::to_string(row.size())];
      for (std::size_t i = 1; i < row.size() && !last.is_null(); ++i)
        if (row[i].is_number_integer() && last[i].is_number_integer()) row[i] = row[i].get<int>() + last[i].get<int>();
      out.push_back(last = row);
    }
    return out;
  };
  const auto lists_of = [](const json& columns) {
    const std::size_t size = columns.size() - 1;
    int from = 0, largest = -1;
    std::size_t at = 0;
    json out = json::array();
    for (const json& count : columns[0]) {
      json list = json::array();
      for (std::size_t i = 0; i < count.get<std::size_t>(); ++i, ++at) {
        list.push_back(from += columns[1][at].get<int>());
        if (size == 3) list.push_back(columns[2][at]);
        const int number = columns[size][at].get<int>();
        const int text = number == 0 ? -1 : number > 0 ? largest + number : largest + number + 1;
        largest = std::max(largest, text);
        list.push_back(text);
      }
      out.push_back(list);
    }
    return out;
  };
  CHECK(rows_of(packed["marks"]) == plain["marks"]);
  CHECK(lists_of(packed["looks"]) == plain["looks"]);
  CHECK(lists_of(packed["labels"]) == plain["labels"]);
  CHECK(packed["texts"] == plain["texts"]);
  const json shapes = rows_of(packed["passing"]);
  CHECK(shapes.size() > plain["passing"].size());
  for (const auto& [index, shape] : plain["passing"].items()) CHECK(shapes[std::stoul(index)] == shape);
  CHECK(numbers_of_texts({-1, 0, 1, 1, 4, 0, -1}) == std::vector<int>{0, 1, 1, -1, 3, -5, 0});
}

TEST_CASE("text from a trace stays text") {
  TestFolder folder;
  const std::string nasty = "</script><script>alert(1)</script> & <b>\"bold\"</b>";
  Document document(traced(folder, 8, nasty));
  const std::string page = handout_html(document, {});
  CHECK(page.find("alert(1)</script>") == std::string::npos);
  CHECK(page.find("<b>") == std::string::npos);
  CHECK(page.find("&lt;b&gt;&quot;bold&quot;") != std::string::npos);
  std::size_t endings = 0;
  for (std::size_t at = page.find("</script>"); at != std::string::npos; at = page.find("</script>", at + 1)) ++endings;
  CHECK(endings == 2);
}

TEST_CASE("a theme that was asked for is the page's, not the one of the reader's system") {
  TestFolder folder;
  Document document(traced(folder, 8));
  CHECK(handout_html(document, {}).find("<html lang=\"en\">") != std::string::npos);
  HandoutOptions dark;
  dark.theme = ThemeName::Dark;
  dark.theme_given = true;
  CHECK(handout_html(document, dark).find("<html lang=\"en\" data-theme=\"dark\">") != std::string::npos);
  HandoutOptions later;
  later.first_step = 5;
  CHECK(data_of(handout_html(document, later))["opens"] == 5);
}
