#include "viewer/handout/handout_live.h"

#include "tracer/trace/number_text.h"
#include "viewer/document/flow.h"
#include "viewer/document/local_rows.h"
#include "viewer/facts/live_signal.h"
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
constexpr int parts_of_a_write = 4;  // a text's part of a value, and above it which write of an operation that is

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
      case Form::Constant: return {10, factor(step.before)};
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

/// A value that a shape of a mark may show, as the log has it: that of an element after a segment, or what an operation writes.
struct LoggedValue {
  Value value;
  int buffer = -1, segment = -1;
  std::uint64_t place = 0;  // of the element; of a local array it counts through all groups
  std::size_t write = 0;    // of the operation's
};

std::vector<LoggedValue> written_values(Document& document, std::uint64_t step) {
  const TraceInfo& info = document.info();
  const Operation op = document.replay->operation(step);
  const LaunchInfo* launch = info.launch(op.launch);
  std::vector<LoggedValue> all;
  int segment = -1;
  for (std::size_t s = 0; s < info.segments.size(); ++s)
    if (info.segments[s].first_step <= step && step < info.segments[s].end_step()) segment = static_cast<int>(s);
  for (const Access& write : op.writes) {
    const BufferInfo* buffer = info.buffer(write.buffer);
    if (!buffer || !launch || !write.known) return {};
    const std::uint64_t group = buffer->space == Space::Local ? launch->group_of(op.item) : 0;
    all.push_back({write.value, write.buffer, segment, group * buffer->count + write.index, all.size()});
  }
  return all;
}

std::vector<LoggedValue> logged_values(Document& document, const Mark& mark) {
  if (mark.kind == MarkKind::Operation && mark.command.empty() && mark.step >= 1 && mark.step <= document.info().steps)
    return written_values(document, mark.step);
  const BufferInfo* buffer = document.info().buffer(mark.buffer);
  if (mark.kind != MarkKind::Element || !buffer || buffer->count == 0) return {};
  if (mark.segment >= static_cast<int>(document.info().segments.size())) return {};
  Value value;
  value.type = buffer->type;
  // A row of a local array counts through all groups, and may be that of another element: see LocalRows.
  std::uint64_t rows = buffer->count, part = 0;
  const auto packed = buffer->space == Space::Local ? local_rows(*document.replay, mark.buffer) : nullptr;
  if (packed && mark.segment < document.flow().segment_count()) {
    rows = packed->rows;
    const int column = mark.segment + 1;
    part = static_cast<std::uint64_t>(document.flow().columns()[static_cast<std::size_t>(column)].part);
    if (rows == 0 || part >= packed->elements.size()) return {};
  }
  const std::uint64_t group = mark.index / rows, row = mark.index % rows;
  if (packed && row >= packed->elements[part].size()) return {};
  const std::uint64_t index = packed ? packed->elements[part][row] : row;
  if (index >= buffer->count) return {};
  const bool known = document.replay->state_after(mark.segment)
                         ->read(mark.buffer, group, index, std::span(value.bits).first(traits(value.type).bytes));
  if (!known) return {};
  return {{value, mark.buffer, mark.segment, group * buffer->count + index}};
}

/// Which part of a value a text is, in so many digits: 0 all of it, 1 and 2 its parts; −1: none.
int part_of(const std::string& text, const Value& value, int digits) {
  const std::vector<std::string> parts = value_parts(value, digits);
  return text == value_text(value, digits)       ? 0
         : parts.size() == 2 && text == parts[0] ? 1
         : parts.size() == 2 && text == parts[1] ? 2
                                                 : -1;
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
  json texts = json::array(), elements = json::object();
  std::set<int> none, sums;
  std::map<std::size_t, std::pair<int, std::set<int>>>
      handles;  // of a sample: the segment and the marks where it is first seen
  int digits = 0;
  const std::vector<int> order = book.paint_order();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Flipbook::Element& element = book.elements()[static_cast<std::size_t>(order[i])];
    if (!std::holds_alternative<TextShape>(element.shape.geometry) || element.mark < 0) continue;
    const Mark& mark = book.marks()[static_cast<std::size_t>(element.mark)].mark;
    std::optional<LoggedValue> shown;
    const std::vector<LoggedValue> values = logged_values(document, mark);
    int part = -1;
    bool sum = false;
    std::set<int> others;
    for (const Flipbook::Look& look : element.looks) {
      if (look.text < 0) continue;
      const std::string& text = book.texts()[static_cast<std::size_t>(look.text)];
      // Before its segment an element of the first column shows what it holds by then.
      if (text.find_first_of("0123456789") == std::string::npos) others.insert(look.text);
      sum = sum || text.find(" + ") != std::string::npos;
      for (int d = max_value_digits; d >= 1; --d) {
        const auto has = [&](const LoggedValue& one) { return part_of(text, one.value, d) >= 0; };
        const auto found = shown && has(*shown) ? values.begin() + static_cast<std::ptrdiff_t>(shown->write)
                                                : std::find_if(values.begin(), values.end(), has);
        if (found == values.end() || (shown && found->write != shown->write)) continue;
        shown = *found;
        part = std::max(part, part_of(text, found->value, d));
        // Of a value with more digits than these: so many are shown.
        if (value_text(found->value, d) != value_text(found->value, max_value_digits)) digits = std::max(digits, d);
        break;
      }
    }
    // What a node was added from is not said of other values.
    if (!shown && sum && mark.kind == MarkKind::Operation) sums.insert(static_cast<int>(i));
    if (!shown) continue;
    for (const int one : {static_cast<int>(i), element.mark, part + parts_of_a_write * static_cast<int>(shown->write)})
      texts.push_back(one);
    none.insert(others.begin(), others.end());
    if (mark.kind == MarkKind::Element && shown->place != mark.index)
      elements[std::to_string(element.mark)] = fmt::format("{}:{}", shown->buffer, shown->place);
    const Origins& here = origins[static_cast<std::size_t>(shown->segment) + 1];
    if (const auto origin = here.find({shown->buffer, shown->place}); origin != here.end()) {
      auto& [segment, marks] = handles.try_emplace(origin->second, shown->segment, std::set<int>{}).first->second;
      if (shown->segment < segment) segment = shown->segment, marks.clear();
      if (shown->segment == segment) marks.insert(element.mark);
    }
  }
  if (handles.size() != arithmetic->samples.size()) return nullptr;
  // Two parts that read alike, 0 over 0: the upper one is the real part.
  std::map<std::pair<int, int>, std::vector<std::pair<float, std::size_t>>> halves;  // by mark and write
  for (std::size_t t = 0; t < texts.size(); t += 3) {
    const Flipbook::Element& element = book.elements()[static_cast<std::size_t>(order[texts[t].get<std::size_t>()])];
    if (texts[t + 2].get<int>() % parts_of_a_write != 0)
      halves[{texts[t + 1].get<int>(), texts[t + 2].get<int>() / parts_of_a_write}].emplace_back(
          std::get<TextShape>(element.shape.geometry).at.y, t + 2);
  }
  for (auto& [write_of, places] : halves) {
    if (places.size() < 2) continue;
    const auto [low, high] = std::minmax_element(places.begin(), places.end());
    for (const auto& [y, at] : places) {
      const int write = texts[at].get<int>() / parts_of_a_write;
      texts[at] = parts_of_a_write * write + (y - low->first < (high->first - low->first) / 2 ? 1 : 2);
    }
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
               {"sums", sums},
               {"elements", std::move(elements)},
               {"rate", sample_rate_of(info)},
               {"digits", digits > 0 ? digits : 4}};
  live["factors"] = parts.factors();
  return live;
}

}  // namespace twiddle
