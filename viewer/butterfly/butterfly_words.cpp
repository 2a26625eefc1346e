// The butterfly diagram's words: names of columns and segments, labels of elements and operations.
#include "base/message.h"
#include "tracer/trace/item_words.h"
#include "tracer/trace/span.h"
#include "viewer/butterfly/butterfly_frame.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/segment_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace twiddle {
namespace {

/// An element as people write it; of a local array with its work-group.
std::string element_name(const Flow& flow, const Place& place) {
  const BufferInfo& buffer = flow.info().buffers[place.buffer];
  std::string name = fmt::format("{}[{}]", buffer.name, place.index);
  if (buffer.space == Space::Local) {
    const bool cuda = has_threads(flow.info());
    name = cuda ? tr("{} of block {}", name, place.group) : tr("{} of work-group {}", name, place.group);
  }
  return name;
}

}  // namespace

std::string segment_name(const TraceInfo& info, int number) {
  return distinct_segment_name(info, static_cast<std::size_t>(number));
}

std::string column_name(const TraceInfo& info, int column) {
  return column == 0 ? tr("input") : segment_result_name(info, static_cast<std::size_t>(column) - 1);
}

TwiddleChip twiddle_chip(const TraceInfo& info, const Operation& operation, int coefficient) {
  const Value& w = operation.coefficients[coefficient];
  const int sign = info.expect.sign;
  // w_L^k of the block that the stage merges: a stage of radix r merges r^stage points however they are addressed. Where
  // that does not name the factor, the distance of the inputs may; else the shortest name there is.
  const auto radix = static_cast<std::uint64_t>(std::max(2, operation.reads.size()));
  std::uint64_t merged = operation.stage > 0 ? 1 : 0;
  for (int s = 0; s < operation.stage && merged < std::uint64_t(1) << 40; ++s) merged *= radix;
  for (const std::uint64_t span : {merged, span_of(info, operation)})
    if (const auto exponent = twiddle_exponent(w, span, sign)) return {span, exponent};
  for (std::uint64_t span = 1; span <= 4096; span *= 2)
    if (const auto exponent = twiddle_exponent(w, span, sign)) return {span, exponent};
  return {span_of(info, operation), {}};
}

std::string operation_label(const ButterflyFrame& frame, const Operation& operation) {
  const TraceInfo& info = frame.flow.info();
  const int segment = static_cast<int>(frame.input.document.replay->segment_of(operation.step));
  std::string label =
      tr("{} of {} {} in {}:", word_of(operation.kind), item_noun(info), operation.item, segment_name(info, segment));
  const char* comma = " ";
  const auto list = [&](const auto& accesses) {
    for (const Access& access : accesses) {
      if (access.buffer < 0) continue;
      label += comma + element_text(info, access);
      comma = ", ";
    }
  };
  list(operation.reads);
  if (operation.kind == OperationKind::Move || operation.kind == OperationKind::Combine || operation.reads.empty()) {
    comma = operation.reads.empty() ? " " : " → ";
    list(operation.writes);
  }
  // Of many legs the factors would fill the window.
  for (int c = 0; c < (has_legs(operation) ? 0 : operation.coefficients.size()); ++c) {
    const std::string value = full_value_text(operation.coefficients[c]);
    if (operation.kind == OperationKind::Scale) {
      label += fmt::format(", × {}", value);
    } else if (operation.kind == OperationKind::Butterfly) {
      const TwiddleChip chip = twiddle_chip(info, operation, c);
      const std::string name = operation.coefficients.size() > 1 ? fmt::format("w{}", c + 1) : "w";
      label += chip.exponent ? fmt::format(", {} = w_{}^{} = {}", name, chip.span, *chip.exponent, value)
                             : fmt::format(", {} = {}", name, value);
    }
  }
  if (frame.tense(operation) == Tense::Future) label += tr("; pending");
  return label;
}

bool shows_present(const ButterflyFrame& frame, int column) {
  return frame.layout.folded && column == 1 && !frame.flow.complete(1);
}

std::shared_ptr<const State> column_state(const ButterflyFrame& frame, int column) {
  const bool not_begun = shows_present(frame, column) && frame.flow.current_segment() < 0;
  return frame.flow.state(not_begun ? 0 : column);
}

bool element_done(const ButterflyFrame& frame, int column, std::uint64_t row) {
  if (shows_present(frame, column)) return true;
  const int segment = column - 1;
  const int current = frame.flow.current_segment();
  if (segment != current || segment < 0) return segment <= current;
  if (frame.flow.complete(column)) return true;
  if (const SegmentView* view = frame.view(segment)) {
    bool written = false;
    for (const Operation& op : view->operations) {
      for (int w = 0; w < op.writes.size(); ++w) {
        if (frame.flow.row_of(op.writes[w], op) != row) continue;
        if (frame.flow.wrote(op.step, w)) return true;
        written = true;
      }
    }
    // A row without a write in this segment keeps its content, but only a complete view can tell; and in predict mode it would
    // reveal that it is not written.
    return !written && view->complete && !frame.hides_future(segment);
  }
  return !frame.flow.written_rows(segment, {row, row + 1}).empty();
}

std::optional<Value> element_value(const ButterflyFrame& frame, const State* state, int column, std::uint64_t row) {
  const TraceInfo& info = frame.flow.info();
  const auto place = frame.flow.place(column, row);
  if (state == nullptr || !place || (info.detail == Detail::Index && column > 0)) return {};
  Value value{info.buffers[place->buffer].type};
  if (!state->read(place->buffer, place->group, place->index, {value.bits.data(), traits(value.type).bytes})) return {};
  return value;
}

std::string element_label(ButterflyFrame& frame, int column, std::uint64_t row) {
  const TraceInfo& info = frame.flow.info();
  const auto place = frame.flow.place(column, row);
  if (!place) return {};
  std::string label = element_name(frame.flow, *place);
  if (shows_present(frame, column)) {
    label = tr("{}, current state", label);
  } else {
    label = column == 0 ? tr("{} before the first operation", label)
                        : tr("{} after {}", label, segment_name(info, column - 1));
  }
  if (!element_done(frame, column, row)) return label + tr(": pending");
  const auto state = column_state(frame, column);
  if (const auto value = element_value(frame, state.get(), column, row)) label += " = " + full_value_text(*value);
  if (column == 0) return label;

  // The last operation up to now that wrote it.
  struct Writer {
    std::uint64_t item = 0, step = 0;
    int launch = 0;
  };
  std::optional<Writer> writer;
  const auto look = [&](const Operation& op) {
    for (int w = 0; w < op.writes.size(); ++w)
      if (frame.flow.wrote(op.step, w) && frame.flow.row_of(op.writes[w], op) == row)
        writer = {op.item, op.step, op.launch};
  };
  bool known = true;
  if (const SegmentView* view = frame.view(column - 1)) {
    for (const Operation& op : view->operations) look(op);
    known = view->complete;
  } else {
    known = frame.flow.operations(column - 1, {row, row + 1}, look, true);
  }
  if (writer)
    return label + "\n" +
           tr("written by {} {} of launch {}, step {}", item_noun(info), writer->item, writer->launch,
              count_text(writer->step));
  return known && !shows_present(frame, column) ? tr("{}, not written here", label) : label;
}

}  // namespace twiddle
