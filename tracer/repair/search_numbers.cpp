// Floating numbers of a source that are wrong by no simple change: solved for.
#include "base/error.h"
#include "base/temporary_folder.h"
#include "tracer/repair/copies.h"
#include "tracer/repair/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

using Values = std::vector<std::complex<double>>;

struct FloatingNumber {
  double value = 0;
  std::string suffix;  // "f" of a float
};

std::optional<FloatingNumber> floating_number(const Lexeme& word) {
  if (word.kind != Lexeme::Kind::Number || word.text.find_first_of(".eE") == std::string_view::npos)
    return std::nullopt;
  if (word.text.starts_with("0x") || word.text.starts_with("0X")) return std::nullopt;
  FloatingNumber number;
  const auto [end, failed] = std::from_chars(word.text.data(), word.text.data() + word.text.size(), number.value);
  if (failed != std::errc() || number.value == 0) return std::nullopt;
  number.suffix = std::string(end, word.text.data() + word.text.size());
  return number;
}

std::string literal_of(double value, const FloatingNumber& like) {
  const bool single = like.suffix.find_first_of("fFhH") != std::string::npos;
  std::string text = single ? fmt::format("{:.9g}", value) : fmt::format("{:.17g}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + like.suffix;
}

// A number that people write (a fraction, a root, a cosine), or `own` with the other sign, where one is as near as the outcome's
// rounding lets it be told.
double well_known_near(double value, double own) {
  constexpr double near = 2e-5;
  constexpr int most = 16;
  double best = value, least = near * std::abs(value);
  const auto candidate = [&](double one) {
    for (const double sign : {1.0, -1.0})
      if (std::abs(value - sign * one) < least) {
        least = std::abs(value - sign * one);
        best = sign * one;
      }
  };
  candidate(own);
  if (best == -own) return best;
  for (int below = 1; below <= most; ++below)
    for (int above = 1; above <= most; ++above) {
      candidate(static_cast<double>(above) / below);
      candidate(std::sqrt(static_cast<double>(above)) / below);
      candidate(std::numbers::pi * above / below);
      candidate(std::cos(2 * std::numbers::pi * above / below));
      candidate(std::sin(2 * std::numbers::pi * above / below));
    }
  return best;
}

// The factor s with which `now` + s · `change` is nothing; none where no factor is one.
std::optional<double> factor_of(const Values& now, const Values& change) {
  constexpr double left_over = 1e-6;  // of the squares
  double both = 0, squares = 0, all = 0, left = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    both += std::real(std::conj(change[i]) * now[i]);
    squares += std::norm(change[i]);
    all += std::norm(now[i]);
  }
  if (!(squares > 0) || !std::isfinite(squares) || !std::isfinite(all)) return std::nullopt;
  const double factor = -both / squares;
  for (std::size_t i = 0; i < now.size(); ++i) left += std::norm(now[i] + factor * change[i]);
  if (!(left <= left_over * all)) return std::nullopt;
  return factor;
}

}  // namespace

std::vector<std::complex<double>> RepairSearch::apart_with(const Plan& plan) const {
  const std::string bytes = text_of_copy(options_.forks, [&] {
    const Values values = Trial(plan, *trials_, contents_, reference_).apart(plan.launches);
    return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Values::value_type));
  });
  Values values(bytes.size() / sizeof(Values::value_type));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Values::value_type));
  return values;
}

void RepairSearch::solve_numbers() {
  constexpr double other = 1.5;  // times the number: far enough for rounding, near enough for a loop's end
  constexpr double dearness = 2;
  constexpr std::size_t max_numbers = 16;  // a program each
  if (cheapest_found() < dearness) return;
  const Values now = apart_with(plan_);
  if (now.empty()) return;
  std::size_t tried = 0;
  for (std::size_t f = 0; f < files_.size(); ++f) {
    const Syntax& syntax = *files_[f].syntax;
    for (std::uint32_t k = 0; k < syntax.lexemes.size() && tried < max_numbers; ++k) {
      const std::optional<FloatingNumber> number = floating_number(syntax.lexemes[k]);
      if (!number) continue;
      // One that an earlier process had solved is solved again, for only that it can be is known of it.
      const std::size_t own = tried++;
      if (!progress_.known_right(SearchPhase::Numbers, own) && !progress_.begins(SearchPhase::Numbers, own)) continue;
      progress_.note_tried(1);
      Found found;
      found.cost = dearness;
      found.file = f;
      found.edit = {
          SourceEdit::Place::Word, EditKind::Number, k, 0, literal_of(other * number->value, *number), dearness, {}};
      const TemporaryFolder folder;
      const Values changed = apart_with(with(found, applied(syntax, found.edit), folder.path()));
      if (changed.size() != now.size()) continue;
      Values change(now.size());
      std::transform(changed.begin(), changed.end(), now.begin(), change.begin(), std::minus<>());
      const std::optional<double> factor = factor_of(now, change);
      if (!factor) continue;
      const double right = well_known_near(number->value * (1 + (other - 1) * *factor), number->value);
      found.edit.text = literal_of(right, *number);
      // What has so many digits was copied, and its sign with it: it is rather what is made of it that has the other one.
      constexpr std::size_t digits = 6;
      constexpr double copied = 0.6;
      if (right == -number->value && syntax.lexemes[k].text.size() > digits) found.cost = found.edit.cost += copied;
      progress_.note_right(SearchPhase::Numbers, own);
      found_.push_back(std::move(found));
    }
  }
}

}  // namespace twiddle
