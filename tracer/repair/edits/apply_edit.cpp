// A change put into its source's text.
#include "tracer/repair/edits/edits.h"

#include <algorithm>

namespace twiddle {

namespace {

using Place = SourceEdit::Place;

// The last lexeme of a statement, with its body.
std::uint32_t last_of(const Statement& one) { return one.body > 0 ? one.body_last - 1 : one.last; }

// Whether the brackets that it begins with end it.
bool bracketed(const std::string& text) {
  if (!text.starts_with("(") || !text.ends_with(")")) return false;
  int depth = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    depth += text[k] == '(' ? 1 : text[k] == ')' ? -1 : 0;
    if (depth == 0) return k + 1 == text.size();
  }
  return false;
}

// Where several change, the last comes first, so that what the syntax says of the others' places holds.
void replace_expression(const Syntax& syntax, std::uint32_t target, const std::string& with, std::string& text) {
  const Expression& one = syntax.expressions[target];
  const std::size_t begin = syntax.begin_of(one), size = syntax.end_of(one) - begin;
  // Brackets where what is around it binds stronger.
  const bool bare = one.part == Part::Assign || one.part == Part::Postfix || one.part == Part::Call;
  const Lexeme before = one.first > 0 ? syntax.lexemes[one.first - 1] : Lexeme{};
  const Lexeme after = one.last < syntax.lexemes.size() ? syntax.lexemes[one.last] : Lexeme{};
  const auto opens = [](const Lexeme& l) {
    return l.is("(") || l.is("[") || l.is(",") || l.is("=") || l.is("return") || l.is(";") || l.is("{") || l.is("}");
  };
  const auto closes = [](const Lexeme& l) { return l.is(")") || l.is("]") || l.is(",") || l.is(";"); };
  const bool choice = with.find('?') != std::string::npos;
  const bool alone = ((opens(before) || (!choice && (before.is("?") || before.is(":")))) &&
                      (closes(after) || (!choice && after.is(":")))) ||
                     bare;
  const bool sign = with.front() == '-' && !opens(before);
  const bool simple = with.find_first_of(" ?") == std::string::npos && !sign;
  const bool both = bracketed(with);
  text.replace(begin, size,
               alone && both             ? with.substr(1, with.size() - 2)
               : alone || simple || both ? with
                                         : "(" + with + ")");
}

}  // namespace

std::size_t begin_of(const Syntax& syntax, const SourceEdit& edit) {
  if (edit.place == Place::Expression) return syntax.begin_of(syntax.expressions[edit.target]);
  if (edit.place == Place::Word || edit.place == Place::SwapWords) return syntax.lexemes[edit.target].begin;
  const Statement& one = syntax.statements[edit.target];
  if (edit.place == Place::Behind) return syntax.lexemes[last_of(one)].end();
  if (edit.place == Place::LoopStart) return syntax.lexemes[one.body].end();
  if (edit.place == Place::After) return syntax.lexemes[one.last].end();
  return syntax.lexemes[one.first].begin;
}

int line_of(const Syntax& syntax, const SourceEdit& edit) {
  if (edit.swapped_with > 0) return syntax.lexemes[edit.swapped].line;
  if (edit.place == Place::Expression) return syntax.line_of(syntax.expressions[edit.target]);
  if (edit.place == Place::Word || edit.place == Place::SwapWords) return syntax.lexemes[edit.target].line;
  if (edit.place == Place::MoveBefore || edit.place == Place::MoveBehind)
    return syntax.lexemes[syntax.statements[edit.other].first].line;
  const Statement& one = syntax.statements[edit.target];
  if (edit.place == Place::Behind) return syntax.lexemes[last_of(one)].line;
  if (edit.place == Place::After) return syntax.lexemes[one.last].line;
  return syntax.lexemes[edit.place == Place::LoopStart ? one.body : one.first].line;
}

std::pair<int, int> lines_of(const Syntax& syntax, const SourceEdit& edit) {
  std::pair<int, int> lines{line_of(syntax, edit), line_of(syntax, edit)};
  if (edit.swapped_with > 0) return {lines.first, syntax.lexemes[edit.swapped_with].line};
  const auto take = [&](std::uint32_t e) {
    lines.first = std::min(lines.first, syntax.line_of(syntax.expressions[e]));
    lines.second = std::max(lines.second, syntax.lexemes[syntax.expressions[e].last - 1].line);
  };
  if (edit.place == Place::Expression) take(edit.target);
  for (const SourceEdit::Also& one : edit.also) take(one.target);
  if (edit.place == Place::MoveBefore || edit.place == Place::MoveBehind) {
    const Statement& whole = syntax.statements[edit.target];
    lines.first = std::min(lines.first, syntax.lexemes[whole.first].line);
    if (edit.place == Place::MoveBehind) lines.second = std::max(lines.second, syntax.lexemes[last_of(whole)].line);
  }
  if (edit.place == Place::SwapNext || edit.place == Place::Below || edit.place == Place::Above) {
    const Statement& other = syntax.statements[edit.other];
    lines.first = std::min(lines.first, syntax.lexemes[other.first].line);
    lines.second = std::max(lines.second, syntax.lexemes[other.last].line);
  }
  return lines;
}

namespace {

void swap_words(const Syntax& syntax, std::uint32_t earlier, std::uint32_t later, std::string& text) {
  const Lexeme &a = syntax.lexemes[earlier], &b = syntax.lexemes[later];
  const std::string first(a.text), second(b.text);
  text.replace(b.begin, second.size(), first);
  text.replace(a.begin, first.size(), second);
}

}  // namespace

std::string applied(const Syntax& syntax, const SourceEdit& edit) {
  std::string text = syntax.text;
  if (edit.swapped_with > 0) {
    swap_words(syntax, edit.swapped, edit.swapped_with, text);
    return text;
  }
  const auto range = [&](const Statement& one) {
    const std::size_t begin = syntax.lexemes[one.first].begin;
    return std::pair(begin, syntax.lexemes[one.last].end() - begin);  // with its ";"
  };
  switch (edit.place) {
    case Place::Expression: {
      std::vector<SourceEdit::Also> all = edit.also;
      all.push_back({edit.target, edit.text});
      std::sort(all.begin(), all.end(), [&](const SourceEdit::Also& a, const SourceEdit::Also& b) {
        return syntax.expressions[a.target].first > syntax.expressions[b.target].first;
      });
      for (const SourceEdit::Also& one : all) replace_expression(syntax, one.target, one.text, text);
      break;
    }
    case Place::Below:
    case Place::Above: {
      const auto [begin, size] = range(syntax.statements[edit.target]);
      const auto [other, other_size] = range(syntax.statements[edit.other]);
      const std::string moved = text.substr(begin, size);
      if (edit.place == Place::Below) text.insert(other + other_size, " " + moved);
      text.erase(begin, size);
      if (edit.place == Place::Above) text.insert(other, moved + " ");
      break;
    }
    case Place::Guard: text.insert(begin_of(syntax, edit), "if (" + edit.text + ") "); break;
    case Place::Drop: {
      const auto [begin, size] = range(syntax.statements[edit.target]);
      text.replace(begin, size, ";");
      break;
    }
    case Place::After:
    case Place::LoopStart: text.insert(begin_of(syntax, edit), " " + edit.text); break;
    case Place::Before: text.insert(begin_of(syntax, edit), edit.text + " "); break;
    case Place::Behind: text.insert(begin_of(syntax, edit), " " + edit.text); break;
    case Place::MoveBefore:
    case Place::MoveBehind: {
      const auto [begin, size] = range(syntax.statements[edit.other]);
      const Statement& whole = syntax.statements[edit.target];
      const std::string moved = text.substr(begin, size);
      if (edit.place == Place::MoveBehind) text.insert(syntax.lexemes[last_of(whole)].end(), " " + moved);
      text.replace(begin, size, ";");
      if (edit.place == Place::MoveBefore) text.insert(syntax.lexemes[whole.first].begin, moved + " ");
      break;
    }
    case Place::Word: text.replace(begin_of(syntax, edit), syntax.lexemes[edit.target].text.size(), edit.text); break;
    case Place::SwapWords: swap_words(syntax, edit.target, edit.other, text); break;
    case Place::SwapNext: {
      const auto [begin, size] = range(syntax.statements[edit.target]);
      const auto [next, next_size] = range(syntax.statements[edit.other]);
      const std::string first = text.substr(begin, size), second = text.substr(next, next_size);
      text.replace(next, next_size, first);
      text.replace(begin, size, second);
      break;
    }
  }
  return text;
}

std::string line_of_text(const std::string& text, int line) {
  std::size_t from = 0;
  for (int at = 1; at < line && from != std::string::npos; ++at) {
    from = text.find('\n', from);
    if (from != std::string::npos) ++from;
  }
  if (from == std::string::npos) return {};
  std::string one = text.substr(from, text.find_first_of("\r\n", from) - from);
  const std::size_t first = one.find_first_not_of(" \t");
  one = first == std::string::npos ? std::string() : one.substr(first);
  const std::size_t last = one.find_last_not_of(" \t");
  return last == std::string::npos ? std::string() : one.substr(0, last + 1);
}

std::string lines_of_text(const std::string& text, int first, int last) {
  std::string all = line_of_text(text, first);
  std::size_t from = 0;
  for (int at = 1; at <= last && from < text.size(); ++at) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::string one = text.substr(from, end - from);
    one.erase(one.find_last_not_of(" \t\r") + 1);
    if (at > first) all += "\n" + one;
    from = end + 1;
  }
  return all;
}

}  // namespace twiddle
