// Changes that are tried each in a program of its own: barriers, which every work-item has to meet, and what a compiler needs
// to know: numbers of macros and of tables.
#include "tracer/repair/edits/edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace twiddle {
namespace {

using Place = SourceEdit::Place;

// The statement and those around it, innermost first.
std::vector<std::uint32_t> around(const Syntax& syntax, std::uint32_t number) {
  std::vector<std::uint32_t> all{number};
  const Statement& one = syntax.statements[number];
  for (std::uint32_t k = number; k-- > 0;) {
    const Statement& other = syntax.statements[k];
    const bool holds = other.kind == Statement::Kind::Condition || other.kind == Statement::Kind::Loop;
    if (holds && other.function == one.function && other.body <= one.first && one.first < other.body_last)
      all.push_back(k);
  }
  return all;
}

// Whether a loop takes steps that are no number: "k += blockDim.x". Not every item takes as many turns.
bool shares_out(const Syntax& syntax, std::uint32_t loop) {
  const Statement& one = syntax.statements[loop];
  for (std::uint32_t k = one.first; k + 1 < one.last; ++k)
    if (syntax.lexemes[k].is("+=") && syntax.lexemes[k + 1].kind == Lexeme::Kind::Name) return true;
  return false;
}

bool is_barrier(const Syntax& syntax, const Statement& one) {
  return one.kind == Statement::Kind::Plain && syntax.lexemes[one.first].kind == Lexeme::Kind::Name &&
         is_meeting(syntax, syntax.lexemes[one.first].text);
}

class Barriers {
 public:
  Barriers(const Syntax& syntax, std::string text) : s_(syntax), text_(std::move(text)) {}

  // `needs`: it is the last of the lines that the order is wrong between; `all`: these lines.
  void line(int line, double cost, bool needs, const std::set<int>& all) {
    for (std::uint32_t k = 0; k < s_.statements.size(); ++k) {
      const Statement& one = s_.statements[k];
      if (one.kind == Statement::Kind::Macro || s_.lexemes[one.first].line > line ||
          s_.lexemes[one.last - 1].line < line)
        continue;
      double more = 0;
      // A caller of a function that has no barrier lets its items meet before the call, or behind it.
      const bool meets_elsewhere = has_no_barrier(one.function) && calls(s_.functions[one.function].name, cost);
      if (meets_elsewhere) more = called_function;
      const std::set<std::uint32_t> common = loops_around(all, one.function);
      for (const std::uint32_t place : around(s_, k)) {
        // Behind a statement that ends its block is where a loop's next turn begins. Not every item takes every turn of a loop
        // that shares work out.
        const double here = cost + more + (in_shared_loop(place) ? 1 : 0) + of_loops(place, common);
        // Where there is one before the loop already, the next one is at the end of its turns.
        add(Place::Before, place, here + (begins_turn_behind_barrier(place) ? 0.4 : 0));
        // People let items meet right behind what is to be done before.
        add(Place::Behind, place, here + (needs ? 0.15 : -0.25));
        if (const std::uint32_t last = last_in_turn(place); last != place)
          add(Place::Behind, last, here + (needs ? 0.12 : -0.27));
        more += 0.3;
      }
    }
  }

  // Barriers around the statements that call a function; false where there are none.
  bool calls(std::string_view function, double cost) {
    bool any = false;
    for (std::uint32_t k = 0; k < s_.statements.size(); ++k) {
      const Statement& one = s_.statements[k];
      if (one.kind == Statement::Kind::Macro || !s_.functions[one.function].kernel) continue;
      bool called = false;
      for (std::uint32_t w = one.first; w + 1 < one.last; ++w)
        called = called || (s_.lexemes[w].text == function && s_.lexemes[w + 1].is("("));
      if (!called) continue;
      any = true;
      double more = 0;
      for (const std::uint32_t place : around(s_, k)) {
        add(Place::Before, place, cost + more);
        add(Place::Behind, place, cost + more + 0.15);
        more += 0.3;
      }
    }
    return any;
  }

  // A barrier within a condition that not every item takes: behind it, or before it.
  void moved() {
    for (std::uint32_t k = 0; k < s_.statements.size(); ++k) {
      if (!is_barrier(s_, s_.statements[k])) continue;
      double cost = 1.1;
      for (const std::uint32_t place : around(s_, k)) {
        if (place == k) continue;
        add(Place::MoveBehind, place, cost, k);
        add(Place::MoveBefore, place, cost + 0.05, k);
        cost += 0.3;
      }
    }
  }

  // Which memory it waits for.
  void fences() {
    static constexpr std::string_view flags[] = {"CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE"};
    static constexpr std::string_view reach[] = {"__threadfence_block", "__threadfence", "__threadfence_system"};
    static constexpr std::string_view meet[] = {"__syncwarp", "__syncthreads"};
    for (std::uint32_t k = 0; k < s_.lexemes.size(); ++k) {
      const std::string_view word = s_.lexemes[k].text;
      if (s_.lexemes[k].directive) continue;
      if (word == flags[0] || word == flags[1]) lexeme(k, std::string(flags[word == flags[0]]), 0.9);
      if (word == reach[0]) lexeme(k, std::string(reach[1]), 0.9);
      if (word == reach[1]) lexeme(k, std::string(reach[2]), 1.2);
      if (word == meet[0] && k + 2 < s_.lexemes.size() && s_.lexemes[k + 2].is(")"))
        lexeme(k, std::string(meet[1]), 0.9);
      if (word == "__syncthreads") {
        // A grid's own barrier, where the program has one.
        for (std::uint32_t g = 0; g + 3 < s_.lexemes.size(); ++g)
          if (s_.lexemes[g + 1].is("=") && s_.lexemes[g].kind == Lexeme::Kind::Name &&
              std::any_of(s_.lexemes.begin() + g + 2,
                          s_.lexemes.begin() + std::min<std::ptrdiff_t>(g + 6, std::ssize(s_.lexemes)),
                          [](const Lexeme& l) { return l.is("this_grid"); }))
            lexeme(k, std::string(s_.lexemes[g].text) + ".sync", 1);
      }
      if (word == "mem_fence" || word == "sub_group_barrier") lexeme(k, "barrier", 1);
    }
  }

  std::vector<SourceEdit> run() {
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const SourceEdit& a, const SourceEdit& b) { return a.cost < b.cost; });
    return std::move(edits_);
  }

 private:
  void add(Place place, std::uint32_t target, double cost, std::uint32_t other = 0) {
    if (!seen_.insert({place, target, other}).second) return;
    const bool moves = place == Place::MoveBehind || place == Place::MoveBefore;
    edits_.push_back({place, EditKind::More, target, other, moves ? std::string() : text_, cost, {}});
  }
  void lexeme(std::uint32_t number, std::string text, double cost) {
    edits_.push_back({Place::Word, EditKind::Name, number, 0, std::move(text), cost, {}});
  }

  bool has_no_barrier(std::uint32_t function) const {
    const Function& own = s_.functions[function];
    return !own.kernel && std::none_of(s_.lexemes.begin() + own.body, s_.lexemes.begin() + own.end,
                                       [&](const Lexeme& word) { return is_meeting(s_, word.text); });
  }

  // The last statement of a loop's turn that this one is in, where it is of the same block: people let items meet at the end.
  std::uint32_t last_in_turn(std::uint32_t place) const {
    const Statement& one = s_.statements[place];
    if (one.loops.empty()) return place;
    const Statement& loop = s_.statements[one.loops.back()];
    std::uint32_t last = place;
    for (std::uint32_t k = place + 1; k < s_.statements.size() && s_.statements[k].first < loop.body_last; ++k)
      if (s_.statements[k].function == one.function && s_.statements[k].block == one.block) last = k;
    return last;
  }

  // Whether it is the first statement of a loop that a barrier is right before.
  bool begins_turn_behind_barrier(std::uint32_t place) const {
    const Statement& one = s_.statements[place];
    if (one.loops.empty() || one.loops.back() == 0) return false;
    const std::uint32_t number = one.loops.back();
    const Statement &loop = s_.statements[number], &before = s_.statements[number - 1];
    const bool first = one.first == loop.body || (s_.lexemes[loop.body].is("{") && one.first == loop.body + 1);
    return first && before.block == loop.block && is_barrier(s_, before);
  }

  bool in_shared_loop(std::uint32_t place) const {
    const std::vector<std::uint32_t>& loops = s_.statements[place].loops;
    return std::any_of(loops.begin(), loops.end(), [&](std::uint32_t loop) { return shares_out(s_, loop); });
  }

  // Loops that all of the lines of a function are in.
  std::set<std::uint32_t> loops_around(const std::set<int>& lines, std::uint32_t function) const {
    std::set<std::uint32_t> common;
    bool first = true;
    for (const Statement& one : s_.statements) {
      const bool there = one.kind != Statement::Kind::Macro && lines.lower_bound(s_.lexemes[one.first].line) !=
                                                                   lines.upper_bound(s_.lexemes[one.last - 1].line);
      if (!there || one.function != function || one.kind == Statement::Kind::Loop) continue;
      const std::set<std::uint32_t> own(one.loops.begin(), one.loops.end());
      if (first) common = own;
      std::erase_if(common, [&](std::uint32_t loop) { return !own.count(loop); });
      first = false;
    }
    return common;
  }
  // In a loop that only one of the lines is in, items would meet again and again for nothing.
  double of_loops(std::uint32_t place, const std::set<std::uint32_t>& common) const {
    constexpr double dearer = 0.4;
    const std::vector<std::uint32_t>& loops = s_.statements[place].loops;
    return dearer * static_cast<double>(std::count_if(loops.begin(), loops.end(),
                                                      [&](std::uint32_t loop) { return !common.count(loop); }));
  }

  static constexpr double called_function = 0.3;

  const Syntax& s_;
  std::string text_;
  std::vector<SourceEdit> edits_;
  std::set<std::tuple<Place, std::uint32_t, std::uint32_t>> seen_;
};

std::string_view barrier_text(bool cuda, Fenced memory) {
  return cuda                       ? "__syncthreads();"
         : memory == Fenced::Local  ? "barrier(CLK_LOCAL_MEM_FENCE);"
         : memory == Fenced::Global ? "barrier(CLK_GLOBAL_MEM_FENCE);"
                                    : "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);";
}

// What a sampler outside functions is made of.
const std::vector<std::vector<std::string_view>>& sampler_rows() {
  static const std::vector<std::vector<std::string_view>> rows = {
      {"CLK_ADDRESS_CLAMP", "CLK_ADDRESS_CLAMP_TO_EDGE", "CLK_ADDRESS_REPEAT", "CLK_ADDRESS_MIRRORED_REPEAT",
       "CLK_ADDRESS_NONE"},
      {"CLK_FILTER_NEAREST", "CLK_FILTER_LINEAR"},
      {"CLK_NORMALIZED_COORDS_FALSE", "CLK_NORMALIZED_COORDS_TRUE"},
  };
  return rows;
}

bool is_whole(std::string_view text) { return text.find_first_not_of("0123456789") == std::string_view::npos; }

}  // namespace

std::vector<SourceEdit> barrier_edits(const Syntax& syntax, const std::set<int>& lines, bool cuda, Fenced memory) {
  Barriers barriers(syntax, std::string(barrier_text(cuda, memory)));
  barriers.fences();
  // What is further down needs what is before it to be done.
  double cost = 1;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line, cost += 0.2)
    barriers.line(*line, cost, line == lines.rbegin(), lines);
  barriers.moved();
  return barriers.run();
}

bool met_by_all(const Syntax& syntax, const SourceEdit& barrier) {
  if (barrier.place != Place::Before && barrier.place != Place::Behind) return false;
  for (const std::uint32_t place : around(syntax, barrier.target)) {
    if (place == barrier.target) continue;
    const Statement& one = syntax.statements[place];
    if (one.kind == Statement::Kind::Condition || shares_out(syntax, place)) return false;
  }
  return true;
}

bool may_be_put(const Syntax& syntax, const SourceEdit& edit) {
  const std::size_t at = begin_of(syntax, edit);
  // The lexeme that the text comes to be before.
  const auto next =
      std::find_if(syntax.lexemes.begin(), syntax.lexemes.end(), [&](const Lexeme& word) { return word.begin >= at; });
  if (edit.place == Place::Behind) return next == syntax.lexemes.end() || !next->is("else");
  if (next == syntax.lexemes.begin()) return false;
  const Lexeme& before = *std::prev(next);
  return before.is("{") || before.is("}") || before.is(";") || before.directive;
}

std::string with_barriers(const Syntax& syntax, const std::vector<SourceEdit>& barriers) {
  std::string text = syntax.text;
  std::vector<const SourceEdit*> all;
  for (const SourceEdit& one : barriers) all.push_back(&one);
  // The last comes first, so that what the syntax says of the others' places holds.
  std::stable_sort(all.begin(), all.end(), [&](const SourceEdit* a, const SourceEdit* b) {
    return begin_of(syntax, *a) > begin_of(syntax, *b);
  });
  for (const SourceEdit* one : all)
    text.insert(begin_of(syntax, *one), one->place == Place::Before ? one->text + " " : " " + one->text);
  return text;
}

std::vector<SourceEdit> barriers_of_volatile(const Syntax& syntax, bool cuda) {
  const auto& words = syntax.lexemes;
  std::set<std::string_view> names;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (!words[k].is("volatile")) continue;
    static const std::set<std::string_view> ends{",", ";", ")", "=", "["};
    std::size_t end = k + 1;
    while (end + 1 < words.size() && !ends.count(words[end].text)) ++end;
    if (words[end - 1].kind == Lexeme::Kind::Name) names.insert(words[end - 1].text);
  }
  std::vector<SourceEdit> edits;
  for (std::uint32_t k = 0; k + 1 < syntax.statements.size(); ++k) {
    const Statement &one = syntax.statements[k], &next = syntax.statements[k + 1];
    if (one.kind != Statement::Kind::Plain || one.expressions.empty() || next.block != one.block ||
        next.function != one.function || next.first != one.last + 1)
      continue;
    const Expression& root = syntax.expressions[one.expressions[0]];
    if (root.part != Part::Assign || syntax.expressions[root.parts[0]].part != Part::Index) continue;
    const std::string_view name = words[syntax.expressions[root.parts[0]].first].text;
    const std::uint32_t last = next.body > 0 ? next.body_last : next.last;
    if (!names.count(name) || std::none_of(words.begin() + next.first, words.begin() + last,
                                           [&](const Lexeme& word) { return word.text == name; }))
      continue;
    edits.push_back({Place::Behind, EditKind::More, k, 0, std::string(barrier_text(cuda, Fenced::Local)), 1, {}});
  }
  return edits;
}

namespace {

bool is_fence(const Syntax& syntax, const Statement& one) {
  return one.kind == Statement::Kind::Plain && syntax.lexemes[one.first].text.find("fence") != std::string_view::npos;
}

}  // namespace

std::vector<SourceEdit> fence_edits(const Syntax& syntax, const std::set<int>& lines, bool cuda) {
  const std::string text = cuda ? "__threadfence();" : "mem_fence(CLK_GLOBAL_MEM_FENCE);";
  std::vector<SourceEdit> edits;
  const auto seen_at = [&](const Statement& one) {
    const auto first = lines.lower_bound(syntax.lexemes[one.first].line);
    return first != lines.end() && *first <= syntax.lexemes[one.last].line;
  };
  const auto beside = [&](std::uint32_t k, std::uint32_t next) {
    const std::vector<Statement>& all = syntax.statements;
    return next < all.size() && all[next].kind == Statement::Kind::Plain && all[next].block == all[k].block &&
           all[next].function == all[k].function && all[next].first == all[next - 1].last + 1;
  };
  for (std::uint32_t k = 0; k < syntax.statements.size(); ++k) {
    const Statement& one = syntax.statements[k];
    if (one.kind != Statement::Kind::Plain || is_fence(syntax, one)) continue;
    const bool stores = !one.expressions.empty() && syntax.expressions[one.expressions[0]].part == Part::Assign;
    if (seen_at(one)) {
      edits.push_back({Place::Behind, EditKind::More, k, 0, text, stores ? 0.9 : 1.2, {}});
      edits.push_back({Place::Before, EditKind::More, k, 0, text, 1.1, {}});
    }
    // What says that a value is there, and the value: with the fence between the two left where it is.
    if (!beside(k, k + 1)) continue;
    const std::uint32_t next = is_fence(syntax, syntax.statements[k + 1]) && beside(k, k + 2) ? k + 2 : k + 1;
    const Statement& other = syntax.statements[next];
    if (!is_fence(syntax, other) && (seen_at(one) || seen_at(other)))
      edits.push_back({Place::SwapNext, EditKind::Order, k, next, {}, next == k + 2 ? 0.8 : 1.3, {}});
  }
  std::stable_sort(edits.begin(), edits.end(),
                   [](const SourceEdit& a, const SourceEdit& b) { return a.cost < b.cost; });
  return edits;
}

int line_after(const Syntax& syntax, const SourceEdit& barrier, const std::set<int>& lines) {
  const int own = line_of(syntax, barrier);
  if (barrier.place != Place::Before && barrier.place != Place::Behind) return own;
  const Statement& one = syntax.statements[barrier.target];
  const std::uint32_t last = one.body > 0 ? one.body_last - 1 : one.last;
  if (barrier.place == Place::Behind) {
    if (last + 1 >= syntax.lexemes.size()) return own;
    // What comes next of them. Behind the last of a loop's turn the next turn needs it: what is missing is missing here.
    const Statement* loop = one.loops.empty() ? nullptr : &syntax.statements[one.loops.back()];
    const std::uint32_t end = loop ? loop->body_last - 1 : syntax.functions[one.function].end;
    if (end >= syntax.lexemes.size()) return syntax.lexemes[last + 1].line;
    if (const auto next = lines.upper_bound(syntax.lexemes[last].line);
        next != lines.end() && *next <= syntax.lexemes[end].line)
      return *next;
    return loop ? own : syntax.lexemes[last + 1].line;
  }
  const auto within = lines.lower_bound(own);
  return within != lines.end() && *within <= syntax.lexemes[last].line ? *within : own;
}

std::vector<SourceEdit> atomic_edits(const Syntax& syntax, const std::set<int>& lines, bool cuda) {
  std::vector<SourceEdit> edits;
  for (std::uint32_t e = 0; e < syntax.expressions.size(); ++e) {
    const Expression& one = syntax.expressions[e];
    if (!lines.count(syntax.line_of(one))) continue;
    const std::string_view mark = one.part == Part::Assign || one.part == Part::Postfix || one.part == Part::Prefix
                                      ? syntax.lexemes[one.mark].text
                                      : std::string_view();
    if (mark != "+=" && mark != "++") continue;
    const Expression& to = syntax.expressions[one.parts[0]];
    const bool element = to.part == Part::Index || (to.part == Part::Prefix && syntax.lexemes[to.mark].is("*"));
    if (!element) continue;
    const std::string_view by = mark == "+=" ? syntax.spelling(syntax.expressions[one.parts[1]]) : "1";
    edits.push_back({Place::Expression,
                     EditKind::Function,
                     e,
                     0,
                     fmt::format("{}(&{}, {})", cuda ? "atomicAdd" : "atomic_add", syntax.spelling(to), by),
                     0.9,
                     {}});
  }
  return edits;
}

std::vector<SourceEdit> initialising_edits(const Syntax& syntax) {
  std::vector<SourceEdit> edits;
  for (const Statement& one : syntax.statements) {
    if (one.kind != Statement::Kind::Declaration || one.last >= syntax.lexemes.size() ||
        !syntax.lexemes[one.last].is(";") || !syntax.lexemes[one.last - 1].is("]"))
      continue;
    // What a group shares has no initialiser.
    static const std::set<std::string_view> others{"=", "__local", "local", "__shared__", "extern", ","};
    if (std::any_of(syntax.lexemes.begin() + one.first, syntax.lexemes.begin() + one.last,
                    [&](const Lexeme& word) { return others.count(word.text) > 0; }))
      continue;
    edits.push_back({Place::Word, EditKind::More, one.last, 0, " = {0};", 1.3, {}});
  }
  return edits;
}

namespace {

// One that is no kernel; null where there is none.
const Function* function_named(const Syntax& syntax, std::string_view name) {
  const auto found = std::find_if(syntax.functions.begin(), syntax.functions.end(),
                                  [&](const Function& f) { return f.name == name && !f.kernel; });
  return found == syntax.functions.end() ? nullptr : &*found;
}

}  // namespace

std::vector<SourceEdit> constant_edits(const Syntax& syntax) {
  std::vector<SourceEdit> edits;
  const auto put = [&](std::uint32_t target, std::string text, double cost) {
    edits.push_back({Place::Word, EditKind::Number, target, 0, std::move(text), cost, {}});
  };
  const auto& words = syntax.lexemes;
  std::set<std::string_view> narrower;  // types of the file's variables
  static const std::set<std::string_view> short_ones{"short", "ushort",  "int16_t", "uint16_t",
                                                     "uchar", "uint8_t", "char",    "int8_t"};
  for (std::size_t k = 0; k + 1 < words.size(); ++k)
    if (short_ones.count(words[k].text) && words[k + 1].kind == Lexeme::Kind::Name) narrower.insert(words[k].text);
  for (std::uint32_t k = 0; k + 2 < words.size(); ++k) {
    if (words[k].kind == Lexeme::Kind::Name)
      for (const std::vector<std::string_view>& row : sampler_rows())
        if (std::find(row.begin(), row.end(), words[k].text) != row.end())
          for (const std::string_view other : row)
            if (other != words[k].text) put(k, std::string(other), 1.1);
    // A function that a macro is given: OpenCL knows no choice between functions.
    if (k > 0 && (words[k - 1].is("(") || words[k - 1].is(",")) && (words[k + 1].is(",") || words[k + 1].is(")")))
      if (const Function* own = function_named(syntax, words[k].text))
        for (const Function& f : syntax.functions)
          if (&f != own && !f.kernel && f.end < k && f.parameters == own->parameters && f.result == own->result)
            put(k, f.name, 1.1);
    const bool inside = std::any_of(syntax.functions.begin(), syntax.functions.end(),
                                    [&](const Function& f) { return k > f.body && k < f.end; });
    // A variable that what it is given does not fit into.
    static const std::set<std::string_view> narrow{"char", "uchar", "short", "ushort"};
    if (inside && narrow.count(words[k].text) && words[k + 1].kind == Lexeme::Kind::Name &&
        (words[k + 2].is("=") || words[k + 2].is(";")) && !(k > 0 && words[k - 1].is("unsigned")))
      put(k, "int", 1.2);
    // One that is too wide: numbers of fewer bits begin again at nought.
    static const std::set<std::string_view> wide{"int", "uint", "int32_t", "uint32_t", "long", "ulong"};
    if (inside && wide.count(words[k].text) && words[k + 1].kind == Lexeme::Kind::Name && words[k + 2].is("="))
      for (const std::string_view other : narrower) put(k, std::string(other), 1.15);
    if (words[k].kind != Lexeme::Kind::Number) continue;
    if (inside && !words[k].directive) continue;
    const std::string text(words[k].text);
    if (is_whole(text) && text.size() < 9) {
      const int value = std::stoi(text);
      for (const int other : {value + 1, value - 1, 2 * value, value / 2})
        if (other >= 0 && other != value)
          put(k, std::to_string(other), other == 0 && k > 0 && words[k - 1].is("+") ? 1.9 : 1.3);  // "COLS + 0"
    } else if (!is_whole(text) && !words[k].directive) {
      if (k > 0 && words[k - 1].is("-") && (k < 2 || !words[k - 2].is(")")))
        edits.push_back({Place::Word, EditKind::Number, k - 1, 0, " ", 1.2, {}});
      else
        put(k, "-" + text, 1.2);
    }
    // Neighbours in a table exchanged.
    if (!words[k].directive)
      for (std::uint32_t next = k + 1; next < std::min<std::size_t>(k + 5, words.size()); ++next)
        if (words[next].kind == Lexeme::Kind::Number && words[next].text != words[k].text) {
          edits.push_back({Place::SwapWords, EditKind::Order, k, next, {}, 1, {}});
          break;
        }
  }
  std::stable_sort(edits.begin(), edits.end(),
                   [](const SourceEdit& a, const SourceEdit& b) { return a.cost < b.cost; });
  return edits;
}

}  // namespace twiddle
