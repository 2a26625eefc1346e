#include "viewer/words/operation_text.h"

#include "base/message.h"
#include "tracer/trace/item_words.h"
#include "tracer/trace/number_text.h"
#include "tracer/trace/span.h"
#include "viewer/words/segment_name.h"
#include "viewer/words/twiddle_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <span>

namespace twiddle {
namespace {

using Complex = std::complex<double>;

Complex number(const Value& value) {
  return {value.component(0), traits(value.type).components > 1 ? value.component(1) : 0.0};
}

// How much a float or double result may be off the formula done in double: a fused or an unfused multiplication each.
bool agrees(const Value& logged, Complex formula, double magnitude) {
  const ElementTraits& type = traits(logged.type);
  if (!type.floating) {
    // 32-bit integers wrap; the log's bits are compared with the formula's lowest 32.
    const auto low = [](double x) { return static_cast<std::uint32_t>(static_cast<std::int64_t>(x)); };
    return low(logged.component(0)) == low(formula.real()) &&
           (type.components == 1 || low(logged.component(1)) == low(formula.imag()));
  }
  const Complex got = number(logged);
  if (!std::isfinite(got.real()) || !std::isfinite(got.imag()) || !std::isfinite(magnitude))
    return true;  // nothing to compare
  return std::abs(got - formula) <= (type.wide ? 1e-13 : 4e-6) * magnitude;
}

// Builds the equations of one operation; the members are what every kind needs.
class Speller {
 public:
  Speller(const TraceInfo& info, const Operation& operation) : info_(info), operation_(operation) {}

  OperationText spell() {
    if (legs_of(operation_.shape).radix > 0) legs();
    switch (operation_.shape) {
      case Shape::Butterfly2:
      case Shape::Butterfly2To: butterfly2(); break;
      case Shape::Butterfly4:
      case Shape::Butterfly4To: butterfly4(); break;
      case Shape::Pack: pack(); break;
      case Shape::Combine: combine(); break;
      case Shape::Swap: swap(); break;
      case Shape::Move: move(); break;
      case Shape::Scale:
      case Shape::ScaleTo: scale(); break;
      case Shape::Atomic: atomic(); break;
      case Shape::Term: term(); break;
      case Shape::Load: load(); break;
      case Shape::Store: store(); break;
      case Shape::Barrier:
      case Shape::None: break;
      default: break;  // of any radix
    }
    if (unknown_)
      text_.remarks.push_back(
          info_.detail == Detail::Index
              ? tr("This trace holds indices and twiddles, not values: trace with --detail values to see the numbers.")
              : tr("The log does not say what all of these values were."));
    if (disagrees_) text_.remarks.push_back(tr("≠: the value that was written is not what this formula gives."));
    return std::move(text_);
  }

 private:
  const TraceInfo& info_;
  const Operation& operation_;
  OperationText text_;
  bool unknown_ = false, disagrees_ = false;

  // A damaged file may have fewer accesses than the shape needs: all access goes through here.
  const Access* read(int i) const { return i < operation_.reads.size() ? &operation_.reads[i] : nullptr; }
  const Access* written(int i) const { return i < operation_.writes.size() ? &operation_.writes[i] : nullptr; }
  std::string name(const Access* access) const { return access ? element_text(info_, *access) : "?"; }
  bool known(const Access* access) {
    const bool is = access && access->known;
    unknown_ |= !is;
    return is;
  }

  static EquationPart plain(std::string text) { return {std::move(text), Role::None, Role::None}; }
  static EquationPart input(int which, std::string text) {
    return which == 0 ? EquationPart{std::move(text), Role::ASoft, Role::A}
                      : EquationPart{std::move(text), Role::BSoft, Role::B};
  }
  static EquationPart factor(std::string text) { return {std::move(text), Role::WSoft, Role::W}; }
  static EquationPart result(std::string text) { return {std::move(text), Role::Now, Role::None}; }
  static std::string value(const Value& v) { return value_text(v); }
  // A negative number after an operator is in brackets; complex ones have theirs.
  static std::string operand(const Value& v) {
    const std::string text = value_text(v);
    return text.starts_with("−") ? "(" + text + ")" : text;
  }

  void result_row(Equation& equation, const Access* access, std::optional<Complex> formula, double magnitude) {
    if (!known(access)) return;
    const bool equal = !formula || agrees(access->value, *formula, magnitude);
    disagrees_ |= !equal;
    equation.rows.push_back({equal ? "=" : "≠", {result(value(access->value))}});
  }

  // A summand of an equation: an input, with a factor where `letter` names one, or (of an atomic) a factor alone.
  struct Term {
    const char* sign;  // before it, unless it is the first
    int which;         // of the inputs
    const Access* access;
    std::string letter{};
    const Value* factor = nullptr;
    bool alone = false;
  };

  // "target ← a − w·b", the same in numbers where there is anything to compute, and what was written.
  void sum(const std::string& target, const Access* to, std::initializer_list<Term> terms) {
    EquationRow symbols{"←", {}}, numbers{"=", {}};
    const auto both = [&](const char* text) {
      symbols.tokens.push_back(plain(text));
      numbers.tokens.push_back(plain(text));
    };
    Complex formula = 0;
    double magnitude = 0;
    bool all = true;
    for (const Term& term : terms) {
      const bool first = &term == terms.begin();
      Complex part = 1;
      if (!first) both(term.sign);
      if (!term.letter.empty()) {
        symbols.tokens.push_back(factor(term.letter));
        if (term.factor) numbers.tokens.push_back(factor(first ? value(*term.factor) : operand(*term.factor)));
        all = all && term.factor;
        part = term.factor ? number(*term.factor) : 0;
        if (!term.alone) both("·");
      }
      if (!term.alone) {
        symbols.tokens.push_back(input(term.which, name(term.access)));
        const bool is = known(term.access);
        if (is) {
          const Value& v = term.access->value;
          numbers.tokens.push_back(input(term.which, first && term.letter.empty() ? value(v) : operand(v)));
          part *= number(v);
        }
        all = all && is;
      }
      formula += std::string_view(term.sign) == " − " ? -part : part;
      magnitude += std::abs(part);
    }
    Equation equation{result(target), {std::move(symbols)}};
    if (all && numbers.tokens.size() > 1) equation.rows.push_back(std::move(numbers));
    result_row(equation, to, all ? std::optional(formula) : std::nullopt, magnitude);
    text_.equations.push_back(std::move(equation));
  }

  const Value* coefficient() const { return operation_.coefficients.empty() ? nullptr : &operation_.coefficients[0]; }

  void butterfly2() {
    const Value* w = coefficient();
    for (int out = 0; out < 2; ++out)
      sum(name(written(out)), written(out),
          {{"", 0, read(0)}, {out == 0 ? " + " : " − ", 1, read(1), w ? "w" : "", w}});
    if (w && unknown_)  // the twiddle is known even where values are not
      text_.equations.push_back({factor("w"), {{"=", {factor(value(*w))}}}});
  }

  // Inputs a, w1·b, w2·c, w3·d first, then the four sums; the −i of a forward transform is i in an inverse one.
  void butterfly4() {
    static constexpr const char* letters[] = {"a", "b", "c", "d"};
    Complex input_value[4];
    double magnitude = 0;
    bool all = true;
    for (int i = 0; i < 4; ++i) {
      const Access* access = read(i);
      Equation equation{input(i == 0 ? 0 : 1, letters[i]), {}};
      EquationRow symbols{"=", {}};
      const bool has_w = i > 0 && i - 1 < operation_.coefficients.size();
      if (has_w) symbols.tokens.insert(symbols.tokens.end(), {factor(fmt::format("w{}", i)), plain("·")});
      symbols.tokens.push_back(input(i == 0 ? 0 : 1, name(access)));
      equation.rows.push_back(std::move(symbols));
      if (known(access)) {
        EquationRow numbers{"=", {}};
        input_value[i] = number(access->value);
        if (has_w) {
          const Value& w = operation_.coefficients[i - 1];
          input_value[i] *= number(w);
          numbers.tokens.insert(numbers.tokens.end(), {factor(operand(w)), plain("·")});
        }
        numbers.tokens.push_back(input(i == 0 ? 0 : 1, operand(access->value)));
        equation.rows.push_back(std::move(numbers));
        magnitude += std::abs(input_value[i]);
      } else {
        all = false;
      }
      text_.equations.push_back(std::move(equation));
    }
    const auto output = [&](int out, double sign) {
      Complex sum = 0, turn = 1;
      for (int i = 0; i < 4; ++i, turn *= std::polar(1.0, sign * out * 1.5707963267948966))
        sum += turn * input_value[i];
      return sum;
    };
    // Which of the two the kernel computes shows in its outputs 1 and 3; without values the trace's convention decides.
    double sign = info_.expect.sign < 0 ? -1 : 1;
    if (all && written(1) && written(1)->known) {
      const Complex got = number(written(1)->value);
      sign = std::abs(got - output(1, -1)) <= std::abs(got - output(1, 1)) ? -1 : 1;
    }
    static constexpr const char* forward[4][3] = {
        {" + ", " + ", " + "}, {" − i·", " − ", " + i·"}, {" − ", " + ", " − "}, {" + i·", " − ", " − i·"}};
    for (int out = 0; out < 4; ++out) {
      Equation equation{result(name(written(out))), {}};
      EquationRow symbols{"←", {input(0, "a")}};
      for (int i = 1; i < 4; ++i) {
        symbols.tokens.push_back(plain(forward[sign < 0 ? out : (4 - out) % 4][i - 1]));
        symbols.tokens.push_back(input(1, letters[i]));
      }
      equation.rows.push_back(std::move(symbols));
      result_row(equation, written(out), all ? std::optional(output(out, sign)) : std::nullopt, magnitude);
      text_.equations.push_back(std::move(equation));
    }
  }

  // "shared[37 + 256j]" where indices go in equal steps; "shared[…]" where they do not.
  std::string pattern(const SmallList<Access, 4>& accesses, const char* letter) const {
    if (accesses.size() < 2) return "?";
    const BufferInfo* buffer = info_.buffer(accesses[0].buffer);
    const auto index = [&](int i) { return static_cast<std::int64_t>(accesses[i].index); };
    const std::int64_t step = index(1) - index(0);
    bool even = true;
    for (int i = 1; i < accesses.size(); ++i) even = even && index(i) - index(i - 1) == step;
    const std::string name = buffer ? buffer->name : "?";
    if (!even) return name + "[…]";
    const std::string size = std::abs(step) == 1 ? "" : std::to_string(std::abs(step));
    return fmt::format("{}[{} {} {}{}]", name, index(0), step < 0 ? "−" : "+", size, letter);
  }

  // One equation for all outputs, y_k = w_k · Σ_j w_j·x_j·e^(∓2πi jk/r) with the factors on one side, then what they are.
  void legs() {
    const Legs legs = legs_of(operation_.shape);
    if (operation_.reads.size() != legs.radix || operation_.writes.size() != legs.radix) return;
    const bool factors = operation_.coefficients.size() == legs.radix;
    EquationRow symbols{"←", {}};
    if (factors && legs.behind) symbols.tokens.insert(symbols.tokens.end(), {factor("w_k"), plain("·")});
    symbols.tokens.push_back(plain("Σ "));
    if (factors && !legs.behind) symbols.tokens.insert(symbols.tokens.end(), {factor("w_j"), plain("·")});
    symbols.tokens.push_back(input(0, pattern(operation_.reads, "j")));
    const EquationRow turns{"", {plain(fmt::format("· e^({}2πi jk/{})", legs.inverse ? "+" : "−", legs.radix))}};
    const EquationRow range{"", {plain(fmt::format("j, k = 0 … {}", legs.radix - 1))}};
    text_.equations.push_back({result(pattern(operation_.writes, "k")), {std::move(symbols), turns, range}});

    LegValues<double> in{}, w{};
    bool all = factors;
    double magnitude = 0, largest = 0;
    for (int q = 0; q < legs.radix; ++q) {
      all = known(read(q)) && all;
      if (read(q)->known) in[q] = number(read(q)->value);
      if (factors) w[q] = number(operation_.coefficients[q]);
      magnitude += std::abs(in[q]);
      largest = std::max(largest, std::abs(w[q]));
    }
    const LegValues<double> outputs = transformed(legs, in, w);
    for (int p = 0; p < legs.radix; ++p) {
      Equation equation{result(name(written(p))), {}};
      // Factors were found in the values, within 20 times what other operations round by.
      result_row(equation, written(p), all ? std::optional(outputs[p]) : std::nullopt, 20 * largest * magnitude);
      if (!equation.rows.empty()) text_.equations.push_back(std::move(equation));
    }
  }

  // Unpacks a real transform: g and h are the spectra of the even and the odd samples.
  void pack() {
    const Access *a = read(0), *b = read(1);
    const bool has_w = !operation_.coefficients.empty();
    Complex g, h, w = has_w ? number(operation_.coefficients[0]) : Complex(1);
    const bool all = known(a) && known(b);
    if (all) {
      const Complex x = number(a->value), y = std::conj(number(b->value));
      g = (x + y) / 2.0, h = (x - y) / Complex(0, 2);
    }
    const auto spectrum = [&](const char* letter, const char* sign, const char* under, Complex sum) {
      Equation equation{
          plain(letter),
          {{"=", {plain("("), input(0, name(a)), plain(sign), plain("conj "), input(1, name(b)), plain(under)}}}};
      if (all) equation.rows.push_back({"=", {plain(value_text(sum))}});
      text_.equations.push_back(std::move(equation));
    };
    spectrum("g", " + ", ")/2", g);
    spectrum("h", " − ", ")/2i", h);
    const double magnitude = std::abs(g) + std::abs(h);
    for (int out = 0; out < 2; ++out) {
      const Complex sum = out == 0 ? g + w * h : g - w * h;
      const Access* to = written(out);
      // The second output is either X(k + N/2) or its mirror image X(N/2 − k), the conjugate.
      const bool mirrored = out == 1 && all && to && to->known && !agrees(to->value, sum, magnitude) &&
                            agrees(to->value, std::conj(sum), magnitude);
      Equation equation{result(name(to)), {}};
      EquationRow symbols{"←", {plain(mirrored ? "conj(g" : "g"), plain(out == 0 ? " + " : " − ")}};
      if (has_w) symbols.tokens.insert(symbols.tokens.end(), {factor("w"), plain("·")});
      symbols.tokens.push_back(plain(mirrored ? "h)" : "h"));
      equation.rows.push_back(std::move(symbols));
      result_row(equation, to, all ? std::optional(mirrored ? std::conj(sum) : sum) : std::nullopt, magnitude);
      text_.equations.push_back(std::move(equation));
    }
    if (has_w) text_.equations.push_back({factor("w"), {{"=", {factor(value(operation_.coefficients[0]))}}}});
  }

  void combine() { sum(name(written(0)), written(0), {{"", 0, read(0)}, {" + ", 1, read(1)}}); }

  // One equation an element: each takes the value of the other.
  void swap() {
    for (int out = 0; out < 2; ++out) sum(name(written(out)), written(out), {{"", 1 - out, read(1 - out)}});
  }

  void move() { sum(name(written(0)), written(0), {{"", 0, read(0)}}); }

  void scale() { sum(name(written(0)), written(0), {{"", 0, read(0), "s", coefficient()}}); }

  void atomic() {
    const Value* amount = coefficient();
    sum(name(written(0) ? written(0) : read(0)), written(0),
        {{"", 0, read(0)}, {" + ", 1, nullptr, amount ? operand(*amount) : "?", amount, true}});
    text_.remarks.push_back(has_threads(info_)
                                ? tr("Atomically: no other thread comes between the read and the write.")
                                : tr("Atomically: no other work-item comes between the read and the write."));
  }

  // A term of a sum is kept in a register: what it comes to is not written yet, so no result is claimed.
  void term() {
    const Access* x = read(0);
    Equation equation{plain(tr("sum")),
                      {{"←", {plain(tr("sum")), plain(" + "), factor("w"), plain("·"), input(0, name(x))}}}};
    if (known(x) && operation_.coefficients.size() > 1)
      equation.rows.push_back({"=",
                               {plain(value(operation_.coefficients[1])), plain(" + "),
                                factor(operand(operation_.coefficients[0])), plain("·"), input(0, operand(x->value))}});
    text_.equations.push_back(std::move(equation));
    if (const Access* to = written(0)) text_.remarks.push_back(tr("The sum is on its way to {}.", name(to)));
  }

  void load() {
    const Access* x = read(0);
    Equation equation{plain(tr("read")), {{"←", {input(0, name(x))}}}};
    if (known(x)) equation.rows.push_back({"=", {input(0, value(x->value))}});
    text_.equations.push_back(std::move(equation));
  }

  void store() {
    const Access* to = written(0);
    const EquationPart what = known(to) ? result(value(to->value)) : plain(tr("written"));
    text_.equations.push_back({result(name(to)), {{"←", {what}}}});
  }
};

std::string kind_text(const Operation& operation) {
  if (const int radix = legs_of(operation.shape).radix) return tr("radix-{} butterfly", radix);
  switch (operation.shape) {
    case Shape::Butterfly4:
    case Shape::Butterfly4To: return tr("radix-4 butterfly");
    case Shape::Pack: return tr("real packing");
    case Shape::Atomic: return tr("atomic add");
    case Shape::Term: return tr("term of a sum");
    default: return word_of(operation.kind);
  }
}

std::string subtitle(const TraceInfo& info, const Operation& operation) {
  std::string text = kind_text(operation);
  const LaunchInfo* launch = info.launch(operation.launch);
  if (operation.stage > 0)
    text += tr(" · stage {} of {}", operation.stage, std::max(stage_count(info), operation.stage));
  else if (launch) {
    // A launch that is called what the operation is called says nothing new.
    const std::string name = launch_name(*launch);
    if (name != kind_text(operation)) text += " · " + name;
  }
  if (const std::uint64_t span = span_of(info, operation); span > 0) text += tr(" · span {}", span);
  if (operation.stride() > 0) text += tr(" · stride {}", operation.stride());
  // The work-item's place in its group matters only when there are groups to tell apart.
  if (launch && launch->group_size() > 0 && launch->items() > launch->group_size() && operation.span() == 0)
    text += fmt::format(" · {} {}", group_noun(info).translated(), operation.item / launch->group_size());
  return text;
}

std::string flat(const Equation& equation) {
  std::string text = equation.target.text;
  for (const EquationRow& row : equation.rows) {
    text += " " + row.relation + " ";
    for (const EquationPart& token : row.tokens) text += token.text;
  }
  return text;
}

}  // namespace

int stage_count(const TraceInfo& info) {
  int highest = 0;
  for (const Segment& segment : info.segments) highest = std::max(highest, segment.stage);
  return highest;
}

std::string operations_text(OperationKind kind, std::uint64_t count) {
  switch (kind) {
    case OperationKind::Butterfly: return plural(count, "{} butterfly", "{} butterflies");
    case OperationKind::Combine: return plural(count, "{} addition", "{} additions");
    case OperationKind::Swap: return plural(count, "{} swap", "{} swaps");
    case OperationKind::Move: return plural(count, "{} move", "{} moves");
    case OperationKind::Scale: return plural(count, "{} scaling", "{} scalings");
    case OperationKind::Atomic: return plural(count, "{} atomic add", "{} atomic adds");
    case OperationKind::Term: return plural(count, "{} term", "{} terms");
    case OperationKind::Load: return plural(count, "{} load", "{} loads");
    case OperationKind::Store: return plural(count, "{} store", "{} stores");
    case OperationKind::Barrier: return plural(count, "{} barrier", "{} barriers");
  }
  return plural(count, "{} operation", "{} operations");
}

const char* word_of(OperationKind kind) { return tr(name_of(kind).data()); }

const char* word_of(Space space) {
  switch (space) {
    case Space::Global: return tr("global");
    case Space::Local: return tr("local");
    case Space::Constant: return tr("constant");
    case Space::Private: return tr("private");
  }
  return "";
}

std::string short_name_of(const TraceInfo& info) {
  if (info.algorithm.empty()) return info.title.translated();
  if (!info.algorithm.ends_with(".toml")) return info.algorithm;
  return info.algorithm.substr(info.algorithm.rfind('/') + 1);
}

std::string signal_name(const std::string& signal) {
  const std::size_t slash = signal.rfind('/');
  if (slash == std::string::npos) return signal;
  const std::string file = signal.substr(slash + 1);
  return file.starts_with("drawn-") && file.ends_with(".csv") ? tr("drawn") : file;
}

std::string title_of(const TraceInfo& info) { return info.title.empty() ? info.algorithm : info.title.translated(); }

std::string item_title(const TraceInfo& info, const LaunchInfo& launch, std::uint64_t item) {
  const char* word = has_threads(info) ? tr("Thread") : tr("Work-item");
  if (launch.dimensions <= 1) return fmt::format("{} {}", word, item);
  const auto id = launch.global_id(item);
  return fmt::format("{} ({})", word, fmt::join(std::span(id).first(launch.dimensions == 2 ? 2 : 3), ", "));
}

OperationText describe(const TraceInfo& info, const Operation& operation) {
  OperationText text = Speller(info, operation).spell();
  const LaunchInfo* launch = info.launch(operation.launch);
  text.title = item_title(info, launch ? *launch : LaunchInfo(), operation.item);
  text.subtitle = subtitle(info, operation);
  return text;
}

std::string sentence(const TraceInfo& info, const Operation& operation) {
  std::string text;
  for (const Equation& equation : describe(info, operation).equations)
    text += (text.empty() ? "" : "; ") + flat(equation);
  return text;
}

}  // namespace twiddle
