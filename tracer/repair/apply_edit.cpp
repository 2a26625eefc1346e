// A change put into its source's text.
#include "tracer/repair/edits.h"

#include <algorithm>

namespace twiddle {

namespace {

using Place = SourceEdit::Place;

// The last lexeme of a statement, with its body.
std::uint32_t last_of(const Statement& one) { return one.body > 0 ? one.body_last - 1 : one.last; }

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
  if (edit.place == Place::Expression) return syntax.line_of(syntax.expressions[edit.target]);
  if (edit.place == Place::Word || edit.place == Place::SwapWords) return syntax.lexemes[edit.target].line;
  if (edit.place == Place::MoveBefore || edit.place == Place::MoveBehind)
    return syntax.lexemes[syntax.statements[edit.other].first].line;
  const Statement& one = syntax.statements[edit.target];
  if (edit.place == Place::Behind) return syntax.lexemes[last_of(one)].line;
  if (edit.place == Place::After) return syntax.lexemes[one.last].line;
  return syntax.lexemes[edit.place == Place::LoopStart ? one.body : one.first].line;
}

std::string applied(const Syntax& syntax, const SourceEdit& edit) {
  std::string text = syntax.text;
  const auto range = [&](const Statement& one) {
    const std::size_t begin = syntax.lexemes[one.first].begin;
    return std::pair(begin, syntax.lexemes[one.last].end() - begin);  // with its ";"
  };
  switch (edit.place) {
    case Place::Expression: {
      const Expression& one = syntax.expressions[edit.target];
      const std::size_t begin = syntax.begin_of(one), size = syntax.end_of(one) - begin;
      // Brackets where what is around it binds stronger.
      const bool bare = one.part == Part::Assign || one.part == Part::Postfix || one.part == Part::Call;
      const Lexeme before = one.first > 0 ? syntax.lexemes[one.first - 1] : Lexeme{};
      const Lexeme after = one.last < syntax.lexemes.size() ? syntax.lexemes[one.last] : Lexeme{};
      const auto opens = [](const Lexeme& l) {
        return l.is("(") || l.is("[") || l.is(",") || l.is("=") || l.is("return") || l.is(";") || l.is("{") ||
               l.is("}");
      };
      const auto closes = [](const Lexeme& l) { return l.is(")") || l.is("]") || l.is(",") || l.is(";"); };
      const bool alone = (opens(before) && closes(after)) || bare;
      const bool simple = edit.text.find_first_of(" ?") == std::string::npos && edit.text.front() != '-';
      text.replace(begin, size, alone || simple ? edit.text : "(" + edit.text + ")");
      break;
    }
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
    case Place::SwapWords: {
      const Lexeme &a = syntax.lexemes[edit.target], &b = syntax.lexemes[edit.other];
      const std::string first(a.text), second(b.text);
      text.replace(b.begin, second.size(), first);
      text.replace(a.begin, first.size(), second);
      break;
    }
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

}  // namespace twiddle
