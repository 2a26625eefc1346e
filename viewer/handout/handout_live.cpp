#include "viewer/handout/handout_live.h"

#include "tracer/trace/number_text.h"
#include "viewer/graphs/logged_arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace twiddle {
namespace {

using nlohmann::json;

constexpr int max_value_digits = 6;

/// Of a float as few digits as give it back.
double short_number(double value) {
  if (static_cast<double>(static_cast<float>(value)) != value) return value;
  return std::strtod(fmt::format("{}", static_cast<float>(value)).c_str(), nullptr);
}

class LiveJson {
 public:
  LiveJson(const TraceInfo& info, const LoggedArithmetic& arithmetic) : info_(info), arithmetic_(arithmetic) {}

  json steps() {
    json list = json::array();
    for (const LoggedArithmetic::Step& step : arithmetic_.steps) list.push_back(step_json(step));
    return list;
  }
  json factors() const { return factors_; }

  json first() const {
    json list = json::array();
    std::set<int> read, written;
    for (const LoggedArithmetic::Step& step : arithmetic_.steps) {
      for (const int cell : step.reads)
        if (!written.contains(cell)) read.insert(cell);
      written.insert(step.writes.begin(), step.writes.end());
    }
    read.insert(arithmetic_.samples.begin(), arithmetic_.samples.end());
    for (const int cell : read) {
      const LoggedArithmetic::Cell& one = arithmetic_.cells[static_cast<std::size_t>(cell)];
      if (one.known) list.push_back({key(cell), short_number(one.first.real()), short_number(one.first.imag())});
    }
    return list;
  }

  json types() const {
    json list = json::array();
    for (const BufferInfo& buffer : info_.buffers) {
      const ElementTraits& type = traits(buffer.type);
      list.push_back(fmt::format("{}{}",
                                 type.scalar == ElementType::Float    ? 'f'
                                 : type.scalar == ElementType::Double ? 'd'
                                 : type.scalar == ElementType::Int    ? 'i'
                                                                      : 'u',
                                 type.components));
    }
    return list;
  }

 private:
  std::string key(int cell) const {
    const LoggedArithmetic::Cell& one = arithmetic_.cells[static_cast<std::size_t>(cell)];
    return fmt::format("{}:{}", one.buffer, one.index);
  }

  int factor(std::complex<double> value) {
    const std::pair parts{short_number(value.real()), short_number(value.imag())};
    const auto [at, fresh] = factor_of_.try_emplace(parts, static_cast<int>(factor_of_.size()));
    if (fresh) factors_.push_back(parts.first), factors_.push_back(parts.second);
    return at->second;
  }

  json step_json(const LoggedArithmetic::Step& step) {
    using Form = LoggedArithmetic::Form;
    switch (step.form) {
      case Form::Unknown: return {-2};
      case Form::Nothing: return {-1};
      case Form::Stored: return {9};
      case Form::Term: return {8, key(step.target), factor(step.factors[0]), factor(step.before)};
      case Form::Linear: break;
    }
    const auto& f = step.factors;
    const std::size_t reads = step.reads.size(), writes = step.writes.size();
    const auto is = [&](std::initializer_list<std::complex<double>> wanted) {
      return std::equal(f.begin(), f.end(), wanted.begin(), wanted.end());
    };
    if ((reads == 1 && writes == 1 && is({1})) || (reads == 2 && writes == 2 && is({0, 1, 1, 0}))) return {0};
    if (writes == 1 && std::all_of(f.begin(), f.end(), [](const auto& one) { return one == 1.0; })) return {1};
    if (reads == 2 && writes == 2 && is({1, f[1], 1, -f[1]})) return {2, factor(f[1])};
    if (reads == 2 && writes == 2 && is({1, 1, f[2], -f[2]})) return {3, factor(f[2])};
    if (reads == 1 && writes == 1) return {4, factor(f[0])};
    json all = {5};
    for (const std::complex<double>& one : f) all.push_back(factor(one));
    return all;
  }

  const TraceInfo& info_;
  const LoggedArithmetic& arithmetic_;
  json factors_ = json::array();
  std::map<std::pair<double, double>, int> factor_of_;
};

/// The value that a mark is of, as the log has it.
std::optional<Value> logged_value(Document& document, const Mark& mark) {
  const BufferInfo* buffer = document.info().buffer(mark.buffer);
  if (mark.kind != MarkKind::Element || !buffer || buffer->count == 0) return {};
  if (mark.segment >= static_cast<int>(document.info().segments.size())) return {};
  Value value;
  value.type = buffer->type;
  // A row of a local array counts through all groups.
  const std::uint64_t group = mark.index / buffer->count, index = mark.index % buffer->count;
  const bool known = document.replay->state_after(mark.segment)
                         ->read(mark.buffer, group, index, std::span(value.bits).first(traits(value.type).bytes));
  return known ? std::optional(value) : std::nullopt;
}

/// Which sample an element holds as it was, by buffer and index.
using Origins = std::map<std::pair<int, std::uint64_t>, std::size_t>;

/// Before the first segment, and after each: samples may be moved before anything is computed.
std::vector<Origins> origins_of(const TraceInfo& info, const LoggedArithmetic& arithmetic) {
  const auto key = [&](int cell) {
    const LoggedArithmetic::Cell& one = arithmetic.cells[static_cast<std::size_t>(cell)];
    return std::pair{one.buffer, one.index};
  };
  Origins now;
  for (std::size_t j = 0; j < arithmetic.samples.size(); ++j) now[key(arithmetic.samples[j])] = j;
  std::vector<Origins> all{now};
  for (const Segment& segment : info.segments) {
    for (std::uint64_t s = segment.first_step; s < segment.end_step() && s <= arithmetic.steps.size(); ++s) {
      const LoggedArithmetic::Step& step = arithmetic.steps[s - 1];
      std::vector<std::optional<std::size_t>> moved(step.writes.size());
      const std::size_t reads = step.reads.size();
      for (std::size_t w = 0; w < step.writes.size() && step.form == LoggedArithmetic::Form::Linear; ++w) {
        std::optional<std::size_t> only;
        bool plain = true;
        for (std::size_t r = 0; r < reads; ++r) {
          const std::complex<double> factor = step.factors[w * reads + r];
          if (factor == 0.0) continue;
          plain = plain && factor == 1.0 && !only;
          only = r;
        }
        if (!only || !plain) continue;
        if (const auto from = now.find(key(step.reads[*only])); from != now.end()) moved[w] = from->second;
      }
      for (std::size_t w = 0; w < step.writes.size(); ++w)
        if (moved[w])
          now[key(step.writes[w])] = *moved[w];
        else
          now.erase(key(step.writes[w]));
    }
    all.push_back(now);
  }
  return all;
}

}  // namespace

json live_json(Document& document, const Flipbook& book, int input) {
  const std::optional<LoggedArithmetic> arithmetic = logged_arithmetic(document, input);
  if (!arithmetic) return nullptr;
  const TraceInfo& info = document.info();
  const std::vector<Origins> origins = origins_of(info, *arithmetic);
  json texts = json::array();
  std::set<int> none;
  std::map<std::size_t, std::pair<int, std::set<int>>>
      handles;  // of a sample: the segment and the marks where it is first seen
  int digits = 0;
  const std::vector<int> order = book.paint_order();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Flipbook::Element& element = book.elements()[static_cast<std::size_t>(order[i])];
    if (!std::holds_alternative<TextShape>(element.shape.geometry) || element.mark < 0) continue;
    const Mark& mark = book.marks()[static_cast<std::size_t>(element.mark)].mark;
    const std::optional<Value> value = logged_value(document, mark);
    if (!value) continue;
    int part = -1;
    std::set<int> others;
    for (const Flipbook::Look& look : element.looks) {
      if (look.text < 0) continue;
      const std::string& text = book.texts()[static_cast<std::size_t>(look.text)];
      // Before its segment an element of the first column shows what it holds by then.
      if (text.find_first_of("0123456789") == std::string::npos) others.insert(look.text);
      for (int d = max_value_digits; d >= 1; --d) {
        const std::vector<std::string> parts = value_parts(*value, d);
        const int found = text == value_text(*value, d)           ? 0
                          : parts.size() == 2 && text == parts[0] ? 1
                          : parts.size() == 2 && text == parts[1] ? 2
                                                                  : -1;
        if (found < 0) continue;
        part = std::max(part, found);
        // Of a value with more digits than these: so many are shown.
        if (value_text(*value, d) != value_text(*value, max_value_digits)) digits = std::max(digits, d);
        break;
      }
    }
    if (part < 0) continue;
    for (const int one : {static_cast<int>(i), element.mark, part}) texts.push_back(one);
    none.insert(others.begin(), others.end());
    const Origins& here = origins[static_cast<std::size_t>(mark.segment) + 1];
    if (const auto origin = here.find({mark.buffer, mark.index}); origin != here.end()) {
      auto& [segment, marks] = handles.try_emplace(origin->second, mark.segment, std::set<int>{}).first->second;
      if (mark.segment < segment) segment = mark.segment, marks.clear();
      if (mark.segment == segment) marks.insert(element.mark);
    }
  }
  if (handles.size() != arithmetic->samples.size()) return nullptr;
  // Two parts that read alike, 0 over 0: the upper one is the real part.
  std::map<int, std::vector<std::pair<float, std::size_t>>> halves;
  for (std::size_t t = 0; t < texts.size(); t += 3) {
    const Flipbook::Element& element = book.elements()[static_cast<std::size_t>(order[texts[t].get<std::size_t>()])];
    if (texts[t + 2] != 0) halves[texts[t + 1]].emplace_back(std::get<TextShape>(element.shape.geometry).at.y, t + 2);
  }
  for (auto& [mark, places] : halves) {
    if (places.size() < 2) continue;
    const auto [low, high] = std::minmax_element(places.begin(), places.end());
    for (const auto& [y, at] : places) texts[at] = y - low->first < (high->first - low->first) / 2 ? 1 : 2;
  }
  json held = json::array();
  for (const auto& [sample, where] : handles)
    for (const int mark : where.second) held.push_back(mark), held.push_back(sample);
  LiveJson parts(info, *arithmetic);
  json live = {{"buffer", input},
               {"name", info.buffers[static_cast<std::size_t>(input)].name},
               {"handles", std::move(held)},
               {"type", parts.types()},
               {"first", parts.first()},
               {"steps", parts.steps()},
               {"texts", std::move(texts)},
               {"none", none},
               {"digits", digits > 0 ? digits : 4}};
  live["factors"] = parts.factors();
  return live;
}

}  // namespace twiddle
