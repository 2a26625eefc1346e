#include "lessons/text/toml_blocks.h"

#include "base/did_you_mean.h"
#include "base/paths.h"
#include "kernels/signal/signal.h"
#include "lessons/text/markdown.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>

namespace twiddle {
namespace {

constexpr std::size_t max_runs = 24, max_views = 4, max_answers = 6, max_name = 64, max_listed = 6;

// One table of a block; every mistake is a complaint with the line in the lesson's file.
class Table {
 public:
  Table(const toml::table& table, int line, std::string what, Complaints& complaints)
      : table_(table), line_(line), what_(std::move(what)), complaints_(complaints) {}

  int line() const { return line_of(table_); }
  int line_of(const toml::node& node) const {
    return line_ - 1 + std::max(1, static_cast<int>(node.source().begin.line));
  }
  const toml::table& toml() const { return table_; }

  template <typename... Args>
  void complain(const toml::node& node, fmt::format_string<Args...> format, Args&&... args) {
    complaints_.add(line_of(node), fmt::format(format, std::forward<Args>(args)...));
  }

  void only(const std::vector<std::string>& keys) {
    for (const auto& [key, node] : table_)
      if (std::find(keys.begin(), keys.end(), key.str()) == keys.end())
        complain(node, "{} has no key '{}'{}", what_, std::string(key.str()), did_you_mean(key.str(), keys));
  }
  const toml::node* needed(std::string_view key) {
    const toml::node* node = table_.get(key);
    if (!node) complaints_.add(line(), fmt::format("{} needs {} = …", what_, key));
    return node;
  }
  std::string text(const toml::node& node, std::string_view key) {
    const auto value = node.value_exact<std::string>();
    if (!value) complain(node, "{} of {} is text in quotation marks", key, what_);
    return value.value_or("");
  }
  std::string text(std::string_view key, std::string otherwise = {}) {
    const toml::node* node = table_.get(key);
    return node ? text(*node, key) : otherwise;
  }
  std::optional<std::uint64_t> number(std::string_view key, std::uint64_t least, std::uint64_t most) {
    const toml::node* node = table_.get(key);
    if (!node) return std::nullopt;
    const auto value = node->value_exact<std::int64_t>();
    if (value && *value >= 0 && static_cast<std::uint64_t>(*value) >= least &&
        static_cast<std::uint64_t>(*value) <= most)
      return static_cast<std::uint64_t>(*value);
    complain(*node, "{} of {} is a whole number from {} to {}", key, what_, least, most);
    return std::nullopt;
  }
  bool truth(std::string_view key) {
    const toml::node* node = table_.get(key);
    if (!node) return false;
    const auto value = node->value_exact<bool>();
    if (!value) complain(*node, "{} of {} is true or false", key, what_);
    return value.value_or(false);
  }
  std::vector<std::string> texts(std::string_view key, std::size_t most) {
    std::vector<std::string> list;
    const toml::node* node = table_.get(key);
    if (!node) return list;
    const toml::array* array = node->as_array();
    if (!array || array->size() > most) {
      complain(*node, "{} of {} is a list of at most {} texts", key, what_, most);
      return list;
    }
    for (const toml::node& item : *array) list.push_back(text(item, key));
    return list;
  }
  /// Markdown of a paragraph's size.
  std::vector<TextRun> markdown(const toml::node& node, std::string_view key) {
    return parse_inline(text(node, key), line_of(node));
  }
  std::vector<TextRun> markdown(std::string_view key) {
    const toml::node* node = table_.get(key);
    return node ? markdown(*node, key) : std::vector<TextRun>();
  }

 private:
  const toml::table& table_;
  int line_;  // of the block's first line
  std::string what_;
  Complaints& complaints_;
};

std::optional<toml::table> parse_toml(std::string_view text, int line, Complaints& complaints) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    complaints.add(line - 1 + std::max(1, static_cast<int>(error.source().begin.line)),
                   fmt::format("this is no TOML: {}", std::string(error.description())));
    return std::nullopt;
  }
}

// A path that stays in the folder that it begins in.
bool stays_inside(const std::filesystem::path& path) {
  if (path.is_absolute()) return false;
  return std::none_of(path.begin(), path.end(), [](const std::filesystem::path& part) { return part == ".."; });
}

// A file beside the lesson; where there is none, one of the course's own, which its languages share: runs/NAME, recordings/NAME.
std::string file_beside(const Lesson& lesson, Table& table, const toml::node& node, const std::filesystem::path& name,
                        const std::filesystem::path& shared = {}) {
  if (!stays_inside(name)) {
    table.complain(node, "'{}' is outside the lesson's own folder; put the file beside the lesson", name.string());
    return "";
  }
  const std::filesystem::path beside = lesson.file.parent_path() / name, ours = resource("lessons") / shared / name;
  std::error_code ignored;
  const bool of_course = !shared.empty() || (!name.empty() && *name.begin() == "runs");
  return (of_course && !std::filesystem::exists(beside, ignored) && std::filesystem::exists(ours, ignored) ? ours
                                                                                                           : beside)
      .string();
}

// A kept trace: beside the lesson, or one of those that the course's languages share.
std::string trace_of_lesson(const Lesson& lesson, Table& table, const toml::node& node) {
  const std::string name = table.text(node, "trace");
  if (!names_kept_trace(name)) {
    table.complain(node, "'{}' is no trace; its name ends in .twd", name);
    return "";
  }
  return file_beside(lesson, table, node, name, "recordings");
}

LessonRunSpec run_of(Table& table, std::string name, const Lesson& lesson) {
  LessonRunSpec run;
  run.name = std::move(name);
  run.line = table.line();
  Request& request = run.request;
  if (const toml::node* trace = table.toml().get("trace")) {
    request.algorithm = trace_of_lesson(lesson, table, *trace);
    table.only({"trace"});
    return run;
  }
  const toml::node* algorithm = table.needed("algorithm");
  if (!algorithm) return run;
  request.algorithm = table.text(*algorithm, "algorithm");
  request.n = table.number("n", 1, 1 << 20);
  request.rows = table.number("rows", 1, 1 << 12);
  request.columns = table.number("cols", 1, 1 << 12);
  request.group_size = table.number("group-size", 1, 1 << 12);
  request.inverse = table.truth("inverse");
  request.signal = table.text("signal");
  request.type = table.text("type");
  request.method = table.text("method");
  request.twiddles = table.text("twiddles");
  request.sign = table.text("sign");
  if (names_signal_file(request.signal))
    request.signal = file_beside(lesson, table, *table.toml().get("signal"), request.signal);

  std::vector<std::string> keys = {"algorithm", "n",    "rows",   "cols",     "group-size", "inverse",
                                   "signal",    "type", "method", "twiddles", "sign"};
  if (request.algorithm.ends_with(".toml")) {
    request.algorithm = file_beside(lesson, table, *algorithm, request.algorithm);
  } else {
    try {
      for (const Parameter& parameter : find_algorithm(request.algorithm).parameters) {
        if (std::find(keys.begin(), keys.end(), parameter.name) != keys.end()) continue;
        keys.push_back(parameter.name);
        const toml::node* node = table.toml().get(parameter.name);
        if (!node) continue;
        const auto whole = node->value_exact<std::int64_t>();
        request.more[parameter.name] = whole ? std::to_string(*whole) : table.text(*node, parameter.name);
      }
    } catch (const std::exception& error) {
      table.complain(*algorithm, "{}", error.what());
      return run;
    }
  }
  table.only(keys);
  return run;
}

}  // namespace

void parse_lesson_block(std::string_view text, int line, Lesson& lesson, Complaints& complaints) {
  const auto toml = parse_toml(text, line, complaints);
  if (!toml) return;
  Table head(*toml, line, "a lesson block", complaints);
  head.only({"summary", "minutes", "language", "group", "needs", "can", "run", "runs"});
  lesson.minutes = static_cast<int>(head.number("minutes", 1, 120).value_or(0));
  lesson.summary = head.text("summary");
  lesson.group = head.text("group");
  lesson.needs = head.texts("needs", max_listed);
  lesson.can = head.texts("can", max_listed);
  if (const toml::node* node = toml->get("language")) {
    const std::string language = head.text(*node, "language");
    if (language != "en" && language != "ja" && language != "zh")
      head.complain(*node, "there is no language '{}'; en, ja and zh are there", language);
    else if (lesson.language.empty())
      lesson.language = language;
  }
  const auto add = [&](const toml::node& node, const std::string& name) {
    const toml::table* table = node.as_table();
    if (!table) return head.complain(node, "{} is a table, [runs.{}]", name, name);
    if (lesson.runs.size() == max_runs || name.size() > max_name)
      return head.complain(node, "a lesson has at most {} runs with short names", max_runs);
    Table run(*table, line, fmt::format("the run '{}'", name), complaints);
    lesson.runs.push_back(run_of(run, name, lesson));
  };
  if (const toml::node* node = toml->get("run")) add(*node, "run");
  if (const toml::node* node = toml->get("runs")) {
    const toml::table* table = node->as_table();
    if (!table)
      head.complain(*node, "runs are tables, [runs.NAME]");
    else
      for (const auto& [name, run] : *table) add(run, std::string(name.str()));
  }
  if (lesson.runs.empty()) complaints.add(line, "a lesson block needs at least one run: [run] with algorithm = …");
}

void parse_step_block(std::string_view text, int line, LessonStep& step, Complaints& complaints) {
  const auto toml = parse_toml(text, line, complaints);
  if (!toml) return;
  Table table(*toml, line, "a step block", complaints);
  table.only({"run", "at", "views", "light", "notes", "try", "try-at", "try-views", "answer", "minutes"});
  step.figure.run = table.text("run");
  step.figure.at = table.text("at", "start");
  step.figure.views = table.texts("views", max_views);
  step.figure.light = table.text("light");
  step.notes = table.markdown("notes");
  step.try_it = table.markdown("try");
  step.try_at = table.text("try-at");
  step.try_views = table.texts("try-views", max_views);
  step.answer = table.markdown("answer");
  step.minutes = static_cast<int>(table.number("minutes", 1, 120).value_or(0));
}

QuestionSpec parse_question_block(std::string_view text, int line, const Lesson& lesson, Complaints& complaints) {
  QuestionSpec question;
  question.line = line;
  const auto toml = parse_toml(text, line, complaints);
  if (!toml) return question;
  Table table(*toml, line, "a question block", complaints);
  table.only({"ask", "run", "at", "element", "access", "name", "than", "than-run", "than-access", "than-name", "text",
              "answers", "find", "points", "plan", "hole", "target", "within", "hint"});
  if (const toml::node* ask = table.needed("ask")) question.ask = table.text(*ask, "ask");
  question.run = table.text("run");
  question.at = table.text("at");
  question.find = table.text("find");
  if (const toml::node* plan = toml->get("plan"))
    question.plan = file_beside(lesson, table, *plan, table.text(*plan, "plan"));
  question.hole = table.text("hole");
  question.points = static_cast<int>(table.number("points", 2, 64).value_or(0));
  question.target = table.text("target");
  if (names_signal_file(question.target))
    question.target = file_beside(lesson, table, *toml->get("target"), question.target);
  question.within = static_cast<int>(table.number("within", 1, 50).value_or(0));
  question.element = table.text("element");
  question.access = table.text("access");
  question.than = table.text("than");
  question.than_run = table.text("than-run");
  question.than_access = table.text("than-access");
  question.name = table.markdown("name");
  question.than_name = table.markdown("than-name");
  question.text = table.markdown("text");
  question.hint = table.markdown("hint");
  const toml::node* node = toml->get("answers");
  if (!node) return question;
  const toml::array* answers = node->as_array();
  if (!answers || answers->size() < 2 || answers->size() > max_answers) {
    table.complain(*node, "answers are two to {} tables, [[answers]], the right one first", max_answers);
    return question;
  }
  for (const toml::node& item : *answers) {
    const toml::table* entry = item.as_table();
    if (!entry) {
      table.complain(item, "an answer is a table, [[answers]], with text and why");
      continue;
    }
    Table answer(*entry, line, "an answer", complaints);
    answer.only({"text", "why"});
    const toml::node* words = answer.needed("text");
    // What is filled in is judged by its run, and is no Markdown.
    if (question.ask == "build") {
      if (words)
        question.answers.push_back({{{.text = answer.text(*words, "text"), .code = true, .line = answer.line()}}, {}});
      continue;
    }
    const toml::node* why = answer.needed("why");
    if (words && why) question.answers.push_back({answer.markdown(*words, "text"), answer.markdown(*why, "why")});
  }
  return question;
}

}  // namespace twiddle
