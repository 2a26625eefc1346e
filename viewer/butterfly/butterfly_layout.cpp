#include "viewer/butterfly/butterfly_layout.h"

#include "viewer/scene/diagram_parts.h"
#include "viewer/scene/utf8.h"
#include "viewer/words/value_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

// Px at scale 1, from the look's table and pictures.
constexpr float row_for_values = 26, row_for_nodes = 14, row_for_wires = 8;
constexpr float max_row = 88, natural_pitch = 210, max_pitch = 300, min_pitch = 6;  // of the usual themes
constexpr float pad = 8, slope_wanted = 28, slope_last = 14, wire_end = 12;
constexpr float two_line_pitch = 1.2f;  // of the type size
constexpr float small_node = 10, strip = 12;

int letters_of(const std::string& text) {
  int letters = 0;
  for (std::size_t at = 0; at < text.size(); ++letters) next_code_point(text, at);
  return letters;
}

/// Letters of the longest value at each number of digits, in one line and in the longer of two.
struct ValueLetters {
  std::array<int, 5> one{}, two{};
};

/// What is promised of any data: values find room for so many letters, in one line and in two. What is longer takes fewer
/// digits.
constexpr int promised_part = 6, promised_pair = 12;  // "−0.071", "(−0.7, −0.7)"

/// Letters that one line needs by that promise.
int promised_line(const Flow& flow) {
  const auto& columns = flow.columns();
  const bool pairs = std::any_of(columns.begin(), columns.end(), [&](const Column& column) {
    const BufferInfo* buffer = flow.info().buffer(column.buffer);
    return !buffer || traits(buffer->type).components == 2;
  });
  return pairs ? promised_pair : promised_part;
}

/// Over the whole of a small trace; of a large one the longest usual text.
struct KeptValueLetters {
  bool known = false;
  ValueLetters letters;
};

/// Of a small trace all states are read, so that nodes keep their width from step to step; of a large one the longest usual
/// text is assumed, and longer values take fewer digits.
const ValueLetters& value_letters(Document& document, Flow& flow) {
  constexpr std::uint64_t few = 2048;
  auto& kept = document.kept<KeptValueLetters>();
  if (kept.known) return kept.letters;
  kept.known = true;
  ValueLetters& letters = kept.letters;
  if (flow.rows() * flow.columns().size() > few) {
    for (int d = 1; d <= 4; ++d) letters.two[d] = d + 3, letters.one[d] = 2 * (d + 3) + 3;  // "(−0.123, 0.456)"
    return letters;
  }
  for (int column = 0; column < static_cast<int>(flow.columns().size()); ++column) {
    const auto state = document.replay->state_after(flow.columns()[column].segment);
    for (std::uint64_t row = 0; row < flow.rows(); ++row) {
      const auto place = flow.place(column, row);
      if (!place) continue;
      Value value{flow.info().buffers[place->buffer].type};
      const std::span<std::byte> bits(value.bits.data(), traits(value.type).bytes);
      if (!state->read(place->buffer, place->group, place->index, bits)) continue;
      for (int d = 1; d <= 4; ++d) {
        letters.one[d] = std::max(letters.one[d], letters_of(value_text(value, d)));
        for (const std::string& line : value_parts(value, d))
          letters.two[d] = std::max(letters.two[d], letters_of(line));
      }
    }
  }
  return letters;
}

/// What a node's text may be: the size of its type, its digits, and one line or two.
struct NodeText {
  float size;
  int digits;
  bool two_lines;
};
constexpr NodeText smallest_text = {0.79f, 2, true};

/// The labels beside the columns, from long to short: bit patterns go first, then the outputs' names, then the inputs'.
struct SideLabels {
  RowLabel form;
  bool outputs;
};
constexpr SideLabels all_labels = {RowLabel::Full, true}, no_bits = {RowLabel::Origin, true},
                     no_outputs = {RowLabel::Origin, false}, numbers_alone = {RowLabel::Number, false};

struct NodeForm {
  NodeText text;
  SideLabels labels;
};

/// In the order in which things are given up: a fourth digit, bit patterns, the outputs' names, the inputs'; one line, which
/// comes before a third digit, for memory shows as many beside it; digits; the size of the type.
std::vector<NodeForm> forms_in_order() {
  std::vector<NodeForm> forms;
  const std::array labels = {all_labels, no_bits, no_outputs, numbers_alone};
  for (const SideLabels& side : labels)
    for (const NodeText& text : {NodeText{1, 4, false}, {1, 3, false}, {0.93f, 3, false}})
      forms.push_back({text, side});
  for (const float size : {1.0f, 0.93f, 0.79f})
    for (const auto& [digits, two] : {std::pair{4, true}, {3, true}, {2, false}, {2, true}})
      for (const SideLabels& side : labels) forms.push_back({{size, digits, two}, side});
  return forms;
}

void set_names(ButterflyLayout& layout, const Flow& flow) {
  const TransformTraits& transform = traits(flow.info().expect.transform);
  if (transform.fourier)
    layout.input_name = transform.inverse ? "X" : "x", layout.output_name = transform.inverse ? "x" : "X";
  else if (const auto place = flow.place(0, 0))
    layout.input_name = flow.info().buffers[place->buffer].name;
}

DiagramInput other_half(const DiagramInput& input) {
  DiagramInput other{*input.beside, {}, input.viewport, input.theme};
  other.width = input.beside_width, other.height = input.height, other.scale = input.scale;
  other.language = input.language, other.beside = &input.document, other.beside_width = input.width;
  other.costs = input.costs;
  return other;
}

class Solver : Ink {
 public:
  Solver(const DiagramInput& input, Flow& flow, const StripRows& costs)
      : Ink{input.scale}, input_(input), flow_(flow), theme_(input.theme), k_(input.scale) {
    layout_.cost_rows = costs;
  }

  ButterflyLayout solve() {
    begin();
    const double row = layout_.row_pitch / k_;
    bool found = false;
    int first = 0;
    if (input_.beside && row >= row_for_values) {
      // The other half's own form; without one there are no values in either.
      const DiagramInput other = other_half(input_);
      Solver solver(other, input_.beside->flow(), layout_.cost_rows);
      solver.begin();
      first = solver.layout_.row_pitch / k_ >= row_for_values && solver.values(0) ? solver.layout_.choice : -1;
    }
    if (row >= row_for_values && first >= 0) found = values(first);
    // Heavier strokes need rows that are further apart, or wires merge.
    const double wires = double(row_for_wires * input_.theme.wire_done / theme(ThemeName::Light).wire_done);
    if (!found && row >= std::max(double(row_for_nodes), wires)) found = plain(RowDetail::Nodes, small_node);
    if (!found && row >= wires) found = plain(RowDetail::Wires, strip);
    if (!found) plain(RowDetail::Overview, strip);
    place();
    return layout_;
  }

 private:
  float min_text() const { return theme_.floor * k_; }
  /// How much larger than the usual themes' nodes this theme's are.
  float grown() const { return theme_.node_height / theme(ThemeName::Light).node_height; }

  void begin() {
    ButterflyLayout& l = layout_;
    l.scale = k_;
    l.width = input_.width, l.height = input_.height;
    l.rows = flow_.rows();
    set_names(l, flow_);
    l.head_font = sans(theme_.head), l.caption_font = sans(theme_.caption), l.mono_caption_font = mono(theme_.caption);
    l.label_font = mono(theme_.caption), l.number_font = mono(theme_.head, Weight::SemiBold);

    // One or two lines of heads; the rest is the rows'.
    const float two = k_ * (30 + 1.3f * theme_.head + 2 * theme_.caption), one = k_ * (18 + 1.4f * theme_.head);
    l.two_head_lines = two <= 0.25f * l.height;
    heads_height_ = l.two_head_lines ? two : one;
    if (l.two_head_lines && flow_.grouping() != Flow::Grouping::None) heads_height_ += 8 * k_;  // brackets
    bottom_pad_ = 8 * k_ + l.cost_rows.height(input_);
    const double room = std::max(1.0f, l.height - heads_height_ - bottom_pad_);
    const double rows = static_cast<double>(std::max<std::uint64_t>(1, l.rows));
    const double largest = double(max_row * k_ * grown());
    fit_row_ = std::min(room / rows, largest);
    max_row_ = std::max(largest, fit_row_);
    l.row_pitch = std::min(fit_row_ * std::max(1.0, input_.viewport.zoom), max_row_);
  }

  /// How far apart columns are at this zoom, and the zoom from where on they grow no further.
  struct Pitch {
    double px = 0, full_zoom = 1;
  };

  Pitch pitch_for(float node_width, float labels, float outputs) const {
    const double room = layout_.width - labels - outputs - node_width - 2 * pad * k_;
    const double most = double(max_pitch * k_ * grown());
    double fit = most;  // with this pitch all columns fit
    if (layout_.columns > 1) fit = std::clamp(room / (layout_.columns - 1), double(min_pitch * k_), most);
    // Zooming in, columns move apart until rows are high enough for values, and end at the look's own distance.
    const double natural = std::max(fit, double(natural_pitch * k_));
    const double full_zoom = std::max({1.0, row_for_values * k_ / fit_row_, natural / fit});
    if (full_zoom <= 1 || input_.viewport.zoom <= 1) return {fit, full_zoom};
    const double part = std::clamp(std::log(input_.viewport.zoom) / std::log(full_zoom), 0.0, 1.0);
    return {fit * std::pow(natural / fit, part), full_zoom};
  }

  void take(const Pitch& pitch, float labels, float outputs) {
    layout_.column_pitch = pitch.px;
    layout_.max_zoom = std::max({1.0, max_row_ / fit_row_, pitch.full_zoom});
    layout_.label_gap = label_gap(layout_.folded);
    labels_ = labels, outputs_ = outputs;
  }

  /// Between row numbers and the first column: room for the tags at its nodes' corners, or for a swap's arrows.
  float label_gap(bool folded) const { return std::max((folded ? 18 : 10) * k_, 2 * tag_radius(theme_, k_) - 2 * k_); }

  float labels_width(RowLabel form, bool folded) {
    const std::string last = std::to_string(layout_.rows > 0 ? layout_.rows - 1 : 0);
    const float number = text_width(layout_.number_font, last);
    const float name = text_width(layout_.label_font, layout_.input_name + "[" + last + "]");
    const float binary = text_width(layout_.label_font, binary_text(0, flow_.index_bits()));
    const float gap = pad * k_, to_node = label_gap(folded);
    layout_.origin_width = 0;
    switch (form) {
      case RowLabel::Full:
        layout_.origin_width = name + gap + (folded ? binary + 1.9f * layout_.label_font.size : 0);
        return layout_.origin_width + binary + gap + number + to_node;
      case RowLabel::Origin:
        layout_.origin_width = name + (folded ? 1.9f * layout_.label_font.size : gap);
        return layout_.origin_width + number + to_node;
      case RowLabel::Binary: return binary + gap + number + to_node;
      case RowLabel::Number: return number + to_node;
      case RowLabel::Ticks: return text_width(layout_.label_font, last) + 14 * k_;
    }
    return 0;
  }

  float outputs_width() const {
    if (layout_.output_name.empty()) return 0;
    const std::string last = std::to_string(layout_.rows > 0 ? layout_.rows - 1 : 0);
    return text_width(layout_.label_font, layout_.output_name + "[" + last + "]") + pad * k_;
  }

  float chip_width() const {
    std::uint64_t widest = layout_.rows;
    for (const Segment& s : flow_.info().segments) widest = std::max(widest, s.span);
    const float small = stacked_size(theme_, k_, theme_.node_text * k_);
    const float text = text_width(mono(theme_.node_text), "w") +
                       text_width({Face::Mono, Weight::Regular, small}, std::to_string(widest));
    return std::max(theme_.chip_width * k_, text + 10 * k_);
  }

  /// Whether butterflies are multiplied by factors that chips show.
  bool has_chips() const {
    const auto& segments = flow_.info().segments;
    return std::any_of(segments.begin(), segments.end(),
                       [](const Segment& s) { return s.kind == OperationKind::Butterfly; });
  }

  /// Nodes with values and chips. What does not fit is given up in the order of forms_in_order(); diagonals
  /// become steep last of all, and chips and values stay. `first`: the forms before this one are not tried.
  bool values(int first) {
    ButterflyLayout& l = layout_;
    l.folded = flow_.starts_with_swaps();
    l.columns = static_cast<int>(flow_.columns().size()) - (l.folded ? 1 : 0);
    l.first_column = l.folded ? 1 : 0;
    const float row = static_cast<float>(l.row_pitch);
    if (min_text() * 1.45f > row - 4 * k_) return false;
    l.chip_width = chip_width(), l.chip_height = std::min(theme_.chip_height * k_, row - 4 * k_);
    const bool chips = has_chips();
    if (chips && l.chip_height < min_text()) return false;
    l.lead = chips ? l.chip_width + 18 * k_ : wire_end * k_;
    l.tail = wire_end * k_;
    // The room that is promised to any data decides whether there are values at all, so that they never come and go with it.
    if (!text_fits(smallest_text, numbers_alone, slope_last * k_, promised_part) &&
        !text_fits({smallest_text.size, 2, false}, numbers_alone, slope_last * k_, promised_line(flow_)))
      return false;
    int choice = 0;
    static const std::vector<NodeForm> forms = forms_in_order();
    for (const float slope : {slope_wanted * grown() * k_, slope_wanted * k_, slope_last * k_})
      for (const NodeForm& form : forms) {
        if (choice++ < first) continue;
        if (!text_fits(form.text, form.labels, slope, letters_for(form.text))) continue;
        take_text(form.text, form.labels, slope, letters_for(form.text));
        l.choice = choice - 1;
        return true;
      }
    // Longer values than usual take fewer digits in the room that is promised.
    const bool two = text_fits(smallest_text, numbers_alone, slope_last * k_, promised_part);
    const NodeText text{smallest_text.size, 2, two};
    take_text(text, numbers_alone, slope_last * k_, two ? promised_part : promised_line(flow_));
    l.choice = choice;
    return true;
  }

  int letters_for(const NodeText& text) const {
    const auto of = [&](const ValueLetters& letters) {
      return text.two_lines ? letters.two[text.digits] : letters.one[text.digits];
    };
    int letters = of(value_letters(input_.document, flow_));
    if (input_.beside) letters = std::max(letters, of(value_letters(*input_.beside, input_.beside->flow())));
    return letters;
  }

  float text_size(const NodeText& text) const {
    const float height = node_height();
    const float usual = theme_.node_text * k_ * std::clamp(height / (theme_.node_height * k_), 0.75f, 1.15f);
    return std::max(usual * text.size, min_text());
  }

  float node_height() const {
    const float row = static_cast<float>(layout_.row_pitch), usual = theme_.node_height * k_;
    return std::clamp(row * usual / (theme_.row * k_), std::min(20 * k_, row - 6 * k_), 1.34f * usual);
  }

  float node_width_for(const NodeText& text, int letters) const {
    const float size = text_size(text);
    // The node at the cursor is set a little larger (15 to 14).
    const float larger = theme_.node_text_now / theme_.node_text;
    return text_width({Face::Mono, Weight::Regular, size}, "0") * static_cast<float>(letters) * larger + 10 * k_;
  }

  /// The height that a node's text needs.
  float node_height_for(const NodeText& text) const {
    return text.two_lines ? 2 * two_line_pitch * text_size(text) + 4 * k_ : 0;
  }

  /// Whether columns are `slope` px further apart than nodes, straight wires and chips need.
  bool text_fits(const NodeText& text, const SideLabels& side, float slope, int letters) {
    if (node_height_for(text) > static_cast<float>(layout_.row_pitch) - 4 * k_) return false;
    const float labels = labels_width(side.form, layout_.folded);
    if (labels > 0.3f * layout_.width && side.form != RowLabel::Number) return false;
    const float node = node_width_for(text, letters);
    return pitch_for(node, labels, side.outputs ? outputs_width() : 0).px >= node + layout_.lead + layout_.tail + slope;
  }

  void take_text(const NodeText& text, const SideLabels& side, float slope, int letters) {
    ButterflyLayout& l = layout_;
    const float labels = labels_width(side.form, l.folded), outputs = side.outputs ? outputs_width() : 0;
    const float gap = l.lead + l.tail + slope, needed = node_width_for(text, letters), height = node_height();
    // Nodes grow to their usual width where the wires have room to spare.
    const float wanted = theme_.node_width * k_ * std::clamp(height / (theme_.node_height * k_), 0.6f, 1.4f);
    l.node_width = std::max(needed, text.two_lines ? std::min(wanted, 1.4f * needed) : wanted);
    while (l.node_width > needed && pitch_for(l.node_width, labels, outputs).px < l.node_width + gap)
      l.node_width -= k_;
    l.node_width = std::max(l.node_width, needed);
    l.detail = RowDetail::Values, l.row_label = side.form, l.chips = true;
    take(pitch_for(l.node_width, labels, outputs), labels, outputs);
    l.outputs = outputs > 0, l.digits = text.digits, l.two_lines = text.two_lines,
    l.line_pitch = two_line_pitch * text_size(text);
    const float size = text_size(text);
    l.value_font = {Face::Mono, Weight::Regular, size};
    l.value_font_now = {Face::Mono, Weight::SemiBold, size * theme_.node_text_now / theme_.node_text};
    l.node_height = std::max(height, node_height_for(text));
  }

  /// The levels without values: small nodes, or state strips.
  bool plain(RowDetail detail, float node) {
    ButterflyLayout& l = layout_;
    l.columns = static_cast<int>(flow_.columns().size());
    l.detail = detail, l.folded = false, l.chips = false, l.first_column = 0;
    RowLabel form = RowLabel::Ticks;
    float labels = 0;
    const float room = input_.beside ? std::min(l.width, input_.beside_width) : l.width;  // of the narrower half
    if (detail == RowDetail::Nodes && l.row_pitch >= 1.15 * l.label_font.size) {
      l.number_font.size = l.label_font.size;
      for (const RowLabel next : {RowLabel::Full, RowLabel::Binary, RowLabel::Number}) {
        form = next, labels = labels_width(form, false);
        if (labels <= 0.2f * room) break;
      }
    } else {
      labels = labels_width(form, false);
    }
    l.row_label = form;
    const float outputs = detail == RowDetail::Nodes && form != RowLabel::Ticks ? outputs_width() : 0;
    l.outputs = outputs > 0;
    l.node_width = node * k_;
    Pitch pitch = pitch_for(l.node_width, labels, outputs);
    if (detail == RowDetail::Nodes && pitch.px < (node + slope_wanted) * k_) return false;
    if (pitch.px < 2 * l.node_width) {
      l.node_width = static_cast<float>(pitch.px * 0.4);
      pitch = pitch_for(l.node_width, labels, outputs);
    }
    take(pitch, labels, outputs);
    l.node_height = detail == RowDetail::Nodes ? l.node_width : static_cast<float>(l.row_pitch);
    const float gap = static_cast<float>(pitch.px) - l.node_width;
    l.lead = l.tail = std::min(6 * k_, 0.15f * gap);
    // A chip for the operation at the cursor, where there is room for one.
    l.chip_width = chip_width();
    l.chip_height = std::min(theme_.chip_height * k_, std::max(static_cast<float>(l.row_pitch) - 2 * k_, 17 * k_));
    return true;
  }

  void place() {
    ButterflyLayout& l = layout_;
    const double rows_height = static_cast<double>(l.rows) * l.row_pitch;
    const float room = std::max(1.0f, l.height - heads_height_ - bottom_pad_);
    float top = heads_height_;
    if (rows_height <= room) {
      // All rows fit: heads and rows together are centred.
      top += static_cast<float>(room - rows_height) / 2;
      l.first_row_y = top + l.row_pitch / 2;
      l.body = {0, top, l.width, static_cast<float>(rows_height)};
    } else {
      const double above = std::clamp(input_.viewport.centre_y * rows_height - room / 2, 0.0, rows_height - room);
      l.first_row_y = top - above + l.row_pitch / 2;
      l.body = {0, top, l.width, room};
    }
    l.heads = {0, top - heads_height_, l.width, heads_height_};
    l.costs = {0, l.body.bottom() + 4 * k_, l.width, l.cost_rows.height(input_)};

    const double content = (l.columns - 1) * l.column_pitch + l.node_width + outputs_;
    const double across = l.width - labels_ - 2 * pad * k_;
    float labels_x = pad * k_;
    if (content <= across + 0.5) {
      labels_x += static_cast<float>(std::max(0.0, across - content) / 2);
      l.first_column_x = labels_x + labels_ + l.node_width / 2;
    } else {
      const double before = std::clamp(input_.viewport.centre_x * content - across / 2, 0.0, content - across);
      l.first_column_x = labels_x + labels_ + l.node_width / 2 - before;
    }
    l.labels = {labels_x, l.body.y, labels_, l.body.h};
    l.body.x =
        l.labels.right() -
        std::max(9 * k_, l.label_gap - 2 * k_);  // tags and exchange arrows reach a little left of the first column
    l.body.w = l.width - l.body.x;
    l.content_width = static_cast<float>(content), l.across = static_cast<float>(across);

    const auto row_index = [&](double coordinate) {
      return static_cast<std::uint64_t>(std::clamp(coordinate, 0.0, static_cast<double>(l.rows)));
    };
    l.visible_rows = {row_index(std::floor(row_at(l, l.body.y))), row_index(std::ceil(row_at(l, l.body.bottom())))};
    const int last = l.first_column + l.columns - 1;
    l.visible_first =
        std::clamp(l.first_column + static_cast<int>(std::floor(column_at(l, l.body.x - l.node_width / 2) + 0.5)),
                   l.first_column, last);
    l.visible_last =
        std::clamp(l.first_column + static_cast<int>(std::ceil(column_at(l, l.width + l.node_width / 2) - 0.5)),
                   l.first_column, last);
  }

  const DiagramInput& input_;
  Flow& flow_;
  const Theme& theme_;
  const float k_;
  ButterflyLayout layout_;
  float heads_height_ = 0, bottom_pad_ = 0, labels_ = 0, outputs_ = 0;
  double fit_row_ = 1, max_row_ = 1;
};

/// Whether a pane of this size gives up nothing for strips below its columns.
bool keeps_form(DiagramInput input, const StripRows& rows) {
  input.viewport = {};  // they do not come and go while it is zoomed
  Flow& flow = input.document.flow();
  if (!flow.draws() || flow.rows() == 0) return true;
  const ButterflyLayout without = Solver(input, flow, {}).solve(), with = Solver(input, flow, rows).solve();
  if (!names_fit(input, rows, with.labels.right() - with.label_gap)) return false;
  return with.detail == without.detail && with.choice <= without.choice && with.row_label == without.row_label &&
         with.outputs == without.outputs;
}

/// As tall as there is room for, low, or none; the same in both halves of a comparison.
StripRows strips_that_fit(const DiagramInput& input) {
  constexpr float max_share = 0.2f;  // of the pane
  for (const bool low : {false, true}) {
    const StripRows rows = strip_rows(input, low);
    if (rows.count() == 0) break;
    if (rows.height(input) > max_share * input.height || !keeps_form(input, rows)) continue;
    if (!input.beside || keeps_form(other_half(input), rows)) return rows;
  }
  return {};
}

using PaneForm = std::tuple<ThemeName, float, float, float, Language, const Document*, float, CostStrips, bool>;
struct KeptLayout {
  std::optional<PaneForm> pane;
  StripRows strips;  // of that pane
  std::optional<Viewport> viewport;
  ButterflyLayout layout;
};

}  // namespace

const ButterflyLayout& butterfly_layout(const DiagramInput& input) {
  auto& [of, strips, viewport, layout] = input.document.kept<KeptLayout>();
  const PaneForm pane(input.theme.name, input.scale, input.width, input.height, input.language, input.beside,
                      input.beside_width, input.costs, input.small || input.hide_next);
  if (of != pane) of = pane, strips = strips_that_fit(input), viewport.reset();
  if (viewport != input.viewport)
    viewport = input.viewport, layout = Solver(input, input.document.flow(), strips).solve();
  return layout;
}

double row_at(const ButterflyLayout& layout, float y) { return (y - layout.first_row_y) / layout.row_pitch + 0.5; }

double column_at(const ButterflyLayout& layout, float x) { return (x - layout.first_column_x) / layout.column_pitch; }

Viewport viewport_for(const DiagramInput& input, const ButterflyLayout& layout, double row, float y, double column,
                      float x) {
  Viewport viewport = input.viewport;
  viewport.zoom = std::clamp(viewport.zoom, 1.0, layout.max_zoom);
  const double rows_height = static_cast<double>(layout.rows) * layout.row_pitch;
  const double half_height = layout.body.h / 2;
  if (rows_height > layout.body.h) {
    const double middle = row * layout.row_pitch + (layout.body.y + half_height - y);
    viewport.centre_y = std::clamp(middle, half_height, rows_height - half_height) / rows_height;
  } else {
    viewport.centre_y = 0.5;
  }
  const double half_width = layout.across / 2;
  if (layout.content_width > layout.across + 0.5) {
    const double middle =
        column * layout.column_pitch + layout.node_width / 2 + (layout.labels.right() + half_width - x);
    viewport.centre_x = std::clamp(middle, half_width, layout.content_width - half_width) / layout.content_width;
  } else {
    viewport.centre_x = 0.5;
  }
  return viewport;
}

}  // namespace twiddle
