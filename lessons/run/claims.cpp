#include "lessons/run/claims.h"

#include "base/error.h"
#include "base/text.h"
#include "lessons/run/reference.h"
#include "tracer/trace/span.h"
#include "viewer/scene/theme.h"
#include "viewer/views/view.h"
#include "viewer/words/twiddle_name.h"
#include "viewer/words/value_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

namespace twiddle {
namespace {

// ---- Expressions ----

struct Token {
  std::string text;
  bool quoted = false;
};

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ' || text[at] == '\n') {
      ++at;
      continue;
    }
    const bool quoted = text[at] == '\'';
    std::size_t end = quoted ? text.find('\'', at + 1) : at;
    if (end == std::string_view::npos) throw usage_error("a text in an expression ends with a second '");
    if (!quoted)
      while (end < text.size() && text[end] != ' ' && text[end] != '\n') ++end;
    tokens.push_back({std::string(quoted ? text.substr(at + 1, end - at - 1) : text.substr(at, end - at)), quoted});
    at = quoted ? end + 1 : end;
  }
  return tokens;
}

bool is(const Token& token, std::initializer_list<std::string_view> signs) {
  return !token.quoted && std::find(signs.begin(), signs.end(), token.text) != signs.end();
}
bool is_comparison(const Token& token) { return is(token, {"=", "<", ">", "<=", ">=", "≤", "≥", "!=", "≠"}); }
bool is_sum(const Token& token) { return is(token, {"+", "-", "−"}); }
bool is_product(const Token& token) { return is(token, {"*", "·", "×", "/", "÷"}); }

/// A number, or a text where it is none.
struct Result {
  double number = 0;
  bool numeric = false;
  std::string text;
};

Result result_of(double number) { return {number, true, number_text(number, 6)}; }

// All of a text as a number: "2 048", "−4", "2^20"; a complex value or a word is none.
Result result_of(const std::string& text) {
  std::string_view rest = text;
  if (const std::size_t power = text.find('^'); power != std::string::npos) {
    const auto base = number_in<std::uint64_t>(rest.substr(0, power)),
               exponent = number_in<std::uint64_t>(rest.substr(power + 1));
    if (base && exponent) return result_of(std::pow(double(*base), double(*exponent)));
  }
  if (rest.starts_with("−"))
    rest.remove_prefix(std::string_view("−").size());
  else if (rest.starts_with('-'))
    rest.remove_prefix(1);
  if (rest.empty() || !is_digit(rest[0])) return {0, false, text};
  std::string plain;
  for (std::size_t at = 0; at < rest.size(); ++at)
    if (is_digit(rest[at]) || rest[at] == '.') plain += rest[at];
  const bool scientific = rest.find('e') != std::string_view::npos;
  try {
    std::size_t used = 0;
    const double value = std::stod(scientific ? std::string(rest) : plain, &used);
    return {rest.size() == text.size() ? value : -value, true, text};
  } catch (const std::exception&) { return {0, false, text}; }
}

class Expression {
 public:
  /// What an atom stands for beside references; nothing where it is none of these.
  using Own = std::function<std::optional<Result>(const std::string& atom)>;

  Expression(const Lesson& lesson, const std::string& run, LessonRuns& runs, Own own = {})
      : lesson_(lesson), run_(run), runs_(runs), own_(std::move(own)) {}

  Result value(std::span<const Token> tokens) {
    rest_ = tokens;
    Result result = sum();
    if (!rest_.empty()) throw usage_error("'{}' does not belong there", rest_.front().text);
    return result;
  }

 private:
  static void numeric(const Result& result) {
    if (!result.numeric) throw usage_error("'{}' is no number to compute with", result.text);
  }
  Token take() {
    Token token = rest_.front();
    rest_ = rest_.subspan(1);
    return token;
  }
  Result sum() {
    Result left = product();
    while (!rest_.empty() && is_sum(rest_.front())) {
      const bool minus = take().text != "+";
      const Result right = product();
      numeric(left), numeric(right);
      left = result_of(minus ? left.number - right.number : left.number + right.number);
    }
    return left;
  }
  Result product() {
    Result left = atom();
    while (!rest_.empty() && is_product(rest_.front())) {
      const std::string sign = take().text;
      const Result right = atom();
      numeric(left), numeric(right);
      left = result_of(sign == "/" || sign == "÷" ? left.number / right.number : left.number * right.number);
    }
    return left;
  }
  Result atom() {
    if (rest_.empty()) throw usage_error("an expression ends too early");
    if (is(rest_.front(), {"("})) {
      take();
      Result inner = sum();
      if (rest_.empty() || !is(rest_.front(), {")"})) throw usage_error("a parenthesis is not closed");
      take();
      return inner;
    }
    if (rest_.front().quoted) return {0, false, take().text};
    std::string text;
    while (!rest_.empty() && !rest_.front().quoted && !is_sum(rest_.front()) && !is_product(rest_.front()) &&
           !is(rest_.front(), {"(", ")"}))
      text += (text.empty() ? "" : " ") + take().text;
    if (text.empty()) throw usage_error("'{}' does not belong there", rest_.empty() ? "" : rest_.front().text);
    if (is_digit(text[0]) && text.find(' ') == std::string::npos) return result_of(text);
    if (own_)
      if (std::optional<Result> own = own_(text)) return std::move(*own);
    return result_of(evaluate(text, lesson_, run_, runs_));
  }

  const Lesson& lesson_;
  const std::string& run_;
  LessonRuns& runs_;
  Own own_;
  std::span<const Token> rest_;
};

bool compare(const Result& a, const std::string& sign, const Result& b) {
  const bool both = a.numeric && b.numeric;
  const double some = 1e-9 * std::max(std::abs(a.number), std::abs(b.number));
  const bool same = both ? std::abs(a.number - b.number) <= some : a.text == b.text;
  if (sign == "=") return same;
  if (sign == "!=" || sign == "≠") return !same;
  if (!both) throw usage_error("'{}' and '{}' are no numbers to compare", a.text, b.text);
  if (sign == "<") return a.number < b.number && !same;
  if (sign == ">") return a.number > b.number && !same;
  return same || (sign == "<=" || sign == "≤" ? a.number < b.number : a.number > b.number);
}

// ---- Operations one by one ----

std::optional<Result> of_operation(const TraceInfo& info, const Operation& op, const std::string& atom) {
  const auto number = [](std::uint64_t value) { return result_of(static_cast<double>(value)); };
  if (atom == "span") return number(span_of(info, op));
  if (atom == "stride") return number(op.stride());
  if (atom == "item") return number(op.item);
  if (atom == "stage") return result_of(op.stage);
  if (atom == "launch") return result_of(op.launch);
  if (atom == "line") return result_of(op.line);
  if (atom == "power") {
    if (op.coefficients.empty()) return Result{0, false, ""};
    const auto exponent =
        twiddle_exponent(op.coefficients[0], std::max<std::uint64_t>(1, span_of(info, op)), info.expect.sign);
    return exponent ? result_of(static_cast<double>(*exponent)) : Result{0, false, ""};
  }
  const bool read = atom.starts_with("read ");
  if (!read && !atom.starts_with("write ")) return std::nullopt;
  const auto which = number_in<std::uint64_t>(std::string_view(atom).substr(read ? 5 : 6));
  const auto& list = read ? op.reads : op.writes;
  if (!which || *which < 1) return std::nullopt;
  if (*which > static_cast<std::uint64_t>(list.size())) return Result{0, false, ""};
  return number(list[static_cast<int>(*which) - 1].index);
}

void hold_every(std::span<const Token> tokens, const Lesson& lesson, const std::string& name, LessonRuns& runs) {
  const bool every = tokens[0].text == "every";
  const auto in = std::find_if(tokens.begin(), tokens.end(), [](const Token& token) { return is(token, {"in"}); });
  const auto sign = std::find_if(tokens.begin(), tokens.end(), is_comparison);
  if (in == tokens.end() || sign == tokens.end() || in + 2 != sign || in == tokens.begin() + 1 ||
      sign + 1 == tokens.end())
    throw usage_error("write it as: every power in L4 < span / 2");
  const LessonRunSpec* spec = lesson.run_named(name);
  if (!spec) throw usage_error("there is no run '{}' in this lesson", name);
  LessonRun& run = runs.run(spec->request);
  const StepRange range = steps_at(run, (in + 1)->text);
  std::uint64_t looked_at = 0;
  std::vector<Operation> all;
  if (range.first <= range.last)
    run.replay().for_each(range.first, range.last, false, [&](const Operation& op) {
      all.push_back(op);
      return true;
    });
  for (const Operation& op : all) {
    Expression expression(lesson, name, runs,
                          [&](const std::string& atom) { return of_operation(run.info(), op, atom); });
    const Result subject = expression.value({tokens.begin() + 1, in});
    if (!subject.numeric) continue;  // an operation that has no such thing
    ++looked_at;
    const Result other = expression.value({sign + 1, tokens.end()});
    if (compare(subject, sign->text, other) == every) continue;
    throw usage_error("says {} of {}, and work-item {} of launch {} has {} against {}", every ? "every" : "no",
                      (in + 1)->text, op.item, op.launch, subject.text, other.text);
  }
  if (looked_at == 0) throw usage_error("says it of {}, where no operation has such a thing", (in + 1)->text);
}

// ---- Seeing ----

struct Size {
  const char* name;
  float width, height;
  bool pane;  // as high as that, not as its picture asks for
};
// As handout.cpp, pdf.cpp and the window have them; a phone scrolls a figure rather than make it small.
constexpr std::array<Size, 3> sizes = {
    {{"page", page_figure_width, 0, false}, {"print", 867, 1040, false}, {"window", 700, 540, true}}};
constexpr float min_seen = 4;  // px either way

bool inside(const Scene& scene, const Shape2D& shape) {
  const Box box = bounds(shape);
  Box pane{0, 0, scene.width, scene.height};
  if (shape.clip >= 0) pane = scene.clips[shape.clip];
  constexpr float slack = 2;
  return box.w >= min_seen && box.h >= min_seen && box.x >= pane.x - slack && box.y >= pane.y - slack &&
         box.right() <= std::min(pane.right(), scene.width) + slack &&
         box.bottom() <= std::min(pane.bottom(), scene.height) + slack;
}

bool drawn(const Scene& scene, const std::function<bool(const Mark&)>& wanted) {
  return std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const Shape2D& shape) {
    return shape.mark >= 0 && wanted(scene.marks[shape.mark].mark) && inside(scene, shape);
  });
}

// Whole, too: what is clipped away is no word that one could read.
bool written(const Scene& scene, const std::string& words) {
  return std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const Shape2D& shape) {
    const auto* text = std::get_if<TextShape>(&shape.geometry);
    return text && text->text.find(words) != std::string::npos && inside(scene, shape);
  });
}

Box around(const Box& a, const Box& b) {
  const float x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

bool is_quoted(std::string_view what) { return what.size() > 2 && what.starts_with('\'') && what.ends_with('\''); }
std::string_view unquoted(std::string_view what) { return is_quoted(what) ? what.substr(1, what.size() - 2) : what; }

// What a `see` names as a mark of the scene; nothing of words that have to be written there.
std::function<bool(const Mark&)> wanted_mark(const std::string& what, const FigurePlace& place) {
  if (is_quoted(what)) return {};
  const TraceInfo& info = place.run->info();
  if (what.starts_with("item ")) {
    const auto item = number_in<std::uint64_t>(std::string_view(what).substr(5));
    if (!item) throw usage_error("'{}' names no work-item", what);
    return [item](const Mark& mark) { return mark.kind == MarkKind::Item && mark.item == *item; };
  }
  if (what.starts_with("bank ")) {
    const auto bank = number_in<std::uint64_t>(std::string_view(what).substr(5));
    if (!bank) throw usage_error("'{}' names no bank", what);
    return [bank, &info](const Mark& mark) {
      if (mark.kind != MarkKind::Element || mark.buffer < 0) return false;
      const BufferInfo& buffer = info.buffers[mark.buffer];
      return buffer.space == Space::Local && buffer.count > 0 &&
             bank_of(buffer, mark.index % buffer.count) == static_cast<int>(*bank);
    };
  }
  const int launch = place.step == 0 ? 0 : info.segments[place.run->replay().segment_of(place.step)].launch;
  const ElementName element = parse_element(info, what, launch);
  return [element](const Mark& mark) {
    return mark.kind == MarkKind::Element && mark.buffer == element.buffer && mark.index == element.index;
  };
}

}  // namespace

std::optional<Claim> parse_claim(std::string_view reference) {
  const std::string text(trimmed(reference));
  const auto rest_after = [&](std::string_view word) -> std::optional<std::string> {
    if (!text.starts_with(word) || text.size() == word.size()) return std::nullopt;
    const char next = text[word.size()];
    return next == ' ' || next == '\n' || next == ':'
               ? std::optional(std::string(trimmed(std::string_view(text).substr(word.size()))))
               : std::nullopt;
  };
  Claim claim;
  if (const auto rest = rest_after("true")) {
    if (!rest->starts_with(':')) throw usage_error("a condition is written {{{{true: A < B}}}}");
    claim.kind = Claim::Kind::True;
    claim.expression = trimmed(std::string_view(*rest).substr(1));
    return claim;
  }
  if (const auto rest = rest_after("is")) {
    const std::size_t colon = rest->find(':');
    if (colon == std::string::npos || colon == 0)
      throw usage_error("a checked number is written {{{{is four: count butterflies in L4}}}}");
    claim.words = trimmed(std::string_view(*rest).substr(0, colon));
    claim.expression = trimmed(std::string_view(*rest).substr(colon + 1));
    constexpr std::string_view to = ", to ";
    if (const std::size_t at = claim.expression.rfind(to); at != std::string::npos) {
      const auto unit = number_in<std::uint64_t>(std::string_view(claim.expression).substr(at + to.size()));
      if (!unit || *unit == 0) throw usage_error("a number is rounded to a whole one: ', to 10'");
      claim.unit = static_cast<double>(*unit);
      claim.expression.resize(at);
    }
    return claim;
  }
  if (const auto rest = rest_after("see")) {
    const std::size_t colon = rest->find(':');
    claim.kind = Claim::Kind::See;
    claim.expression = trimmed(std::string_view(*rest).substr(0, colon));
    claim.words =
        colon == std::string::npos ? claim.expression : std::string(trimmed(std::string_view(*rest).substr(colon + 1)));
    if (claim.words.starts_with('\'') && claim.words.ends_with('\'') && claim.words.size() > 2)
      claim.words = claim.words.substr(1, claim.words.size() - 2);
    return claim;
  }
  return std::nullopt;
}

bool is_arithmetic(const Claim& claim) {
  try {
    const std::vector<Token> tokens = tokens_of(claim.expression);
    return std::all_of(tokens.begin(), tokens.end(), [](const Token& token) {
      return !token.quoted && (is_sum(token) || is_product(token) || is(token, {"(", ")"}) || is_digit(token.text[0]));
    });
  } catch (const Error&) { return false; }
}

void hold(const Claim& claim, const Lesson& lesson, const std::string& run, LessonRuns& runs) {
  if (claim.kind == Claim::Kind::See) return;
  const std::vector<Token> tokens = tokens_of(claim.expression);
  if (tokens.empty()) throw usage_error("a claim needs an expression");
  if (claim.kind == Claim::Kind::True) {
    if (is(tokens[0], {"every", "no"})) return hold_every(tokens, lesson, run, runs);
    const auto sign = std::find_if(tokens.begin(), tokens.end(), is_comparison);
    if (sign == tokens.end()) throw usage_error("a condition compares: {{{{true: A < B}}}}");
    Expression expression(lesson, run, runs);
    const Result a = expression.value({tokens.begin(), sign}), b = expression.value({sign + 1, tokens.end()});
    if (!compare(a, sign->text, b))
      throw usage_error("says {}, and the run has {} and {}", claim.expression, a.text, b.text);
    return;
  }
  const Result value = Expression(lesson, run, runs).value(tokens);
  const std::optional<WordedNumber> typed = number_in_words(claim.words);
  if (!value.numeric) {
    if (claim.words != value.text) throw usage_error("says {}, the run has {}", claim.words, value.text);
    return;
  }
  if (!typed) throw usage_error("'{}' is no number; the run has {}", claim.words, value.text);
  // A word is exact; digits are as exact as they are.
  const bool fraction = value.number != std::round(value.number);
  const double room = claim.unit > 0      ? claim.unit / 2
                      : typed->digits > 0 ? std::pow(10.0, -typed->digits) / 2
                      : fraction          ? (typed->value == std::round(typed->value) ? 0.5 : 0)
                                          : 0;
  if (std::abs(typed->value - value.number) > room * (1 + 1e-9) + 1e-12)
    throw usage_error("says {}, the run has {}", claim.words, value.text);
}

std::vector<Box> places_of(const Claim& claim, const FigurePlace& place, const Scene& scene) {
  std::map<int, std::vector<Box>> found;  // by segment: of an element that was written several times, each time
  const int now = place.step == 0 ? -1 : static_cast<int>(place.run->replay().segment_of(place.step));
  const auto wanted = wanted_mark(claim.expression, place);
  std::map<int, Box> of_mark;
  for (const Shape2D& shape : scene.shapes) {
    if (!inside(scene, shape)) continue;
    const auto* text = std::get_if<TextShape>(&shape.geometry);
    if (!wanted && text && text->text.find(unquoted(claim.expression)) != std::string::npos)
      found[-1].push_back(bounds(shape));
    if (!wanted || shape.mark < 0 || !wanted(scene.marks[shape.mark].mark)) continue;
    const auto [one, fresh] = of_mark.try_emplace(shape.mark, bounds(shape));
    if (!fresh) one->second = around(one->second, bounds(shape));
  }
  for (const auto& [mark, box] : of_mark) found[scene.marks[mark].mark.segment].push_back(box);
  if (found.empty()) return {};
  // What it holds now, else the first that is to come.
  const auto later = found.upper_bound(now);
  return later == found.begin() ? later->second : std::prev(later)->second;
}

void hold_seen(const Claim& claim, const Lesson& lesson, const LessonStep& step, LessonRuns& runs) {
  const FigurePlace place = place_of(lesson, step, runs);
  const std::string& what = claim.expression;
  const auto wanted = wanted_mark(what, place);
  const auto seen = [&](const Scene& scene) {
    return wanted ? drawn(scene, wanted) : written(scene, std::string(unquoted(what)));
  };
  Document& document = place.run->document();
  for (const Size& size : sizes) {
    const auto shown = [&](const std::string& view) {
      const Theme& light = theme(ThemeName::Light);
      return size.pane ? pane_scene(document, place, view, light, {size.width, size.height}, lesson.language)
                       : figure_scene(document, place, view, light, size.width, lesson.language, size.height);
    };
    const bool found = std::any_of(step.figure.views.begin(), step.figure.views.end(),
                                   [&](const std::string& view) { return seen(shown(view)); });
    if (!found)
      throw usage_error("names {}, which is not in the figure of this step as large as on a {}", what, size.name);
  }
}

}  // namespace twiddle
