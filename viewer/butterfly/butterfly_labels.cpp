// What is drawn around the columns: heads above, row labels at the left, outputs at the right.
#include "base/message.h"
#include "viewer/butterfly/butterfly_frame.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace twiddle {
namespace {

/// One column's or segment's head: its texts, and where.
struct Head {
  std::string first, second;
  Font first_font, second_font;
  Role first_role = Role::Ink2, second_role = Role::Ink2;
  float x = 0;
  Mark mark;
  std::string label;
  float first_half() const {
    Font bold = first_font;
    bold.weight = Weight::SemiBold;  // so that heads do not move when they become the current one
    return text_width(bold, first) / 2;
  }
  float second_half() const { return second.empty() ? 0 : text_width(second_font, second) / 2; }
  float half_width() const { return std::max(first_half(), second_half()); }
};

class Heads : ButterflyPart {
 public:
  using ButterflyPart::ButterflyPart;
  void draw() {
    // The longest forms in which no two neighbours touch.
    struct Form {
      int columns, segments;
    };
    constexpr Form with_nodes[] = {{3, 3}, {3, 2}, {3, 1}, {2, 2}, {2, 1}, {2, 0}, {4, 0}, {1, 1}, {1, 0}, {0, 1}};
    constexpr Form without[] = {{0, 4}, {0, 5}, {0, 1}, {0, 6}};
    std::vector<Head> heads;
    bool numbers = false;  // stages alone, without the word
    const auto choose = [&](const auto& forms) {
      // First those in which none is left out at the edge.
      for (const bool whole : {true, false})
        for (const Form& form : forms) {
          heads = collect(form.columns, form.segments), numbers = form.segments >= 5;
          if (fits(heads) && !(whole && cut_)) return;
        }
    };
    if (l_.detail == RowDetail::Values || l_.detail == RowDetail::Nodes)
      choose(with_nodes);
    else
      choose(without);
    if (!fits(heads)) heads = thinned(collect(0, 6)), numbers = true;
    scene_.set_layer(layer::heads);
    for (const Head& head : heads) put(head);
    put_captions(heads, numbers);
    if (l_.two_head_lines) put_groups(heads);
  }

 private:
  bool current_segment(int s) const { return s == (f_.asked ? f_.asked_segment : f_.now_segment); }

  /// Forms of columns: 3 "after stage 1 / F[8]", 2 "after 1 / F[8]", 4 the same, and "split" for "after split", 1 "F[8]",
  /// 0 none. Of segments: 3 "stage 1 / span 2,
  /// stride 1", 2 "stage 1 / span 2", 1 "stage 1", 4 "stage 1 / 512 × 2", 5 "1 / 512 × 2", 6 "1", 0 none.
  std::vector<Head> collect(int columns, int segments) {
    std::vector<Head> heads;
    const TraceInfo& info = f_.flow.info();
    const int last = f_.flow.segment_count();
    for (int c = std::max(l_.first_column, l_.visible_first - 1); c <= std::min(l_.visible_last + 1, last); ++c) {
      if (columns > 0) heads.push_back(column_head(info, c, columns));
      if (segments > 0 && c < last) heads.push_back(segment_head(info, c, segments));
    }
    cut_ = std::any_of(heads.begin(), heads.end(), [&](const Head& head) {
      return !head.first.empty() && head.x > left_end_ && head.x < l_.width && !inside(head);
    });
    std::erase_if(heads, [&](const Head& head) { return head.first.empty() || !inside(head); });
    return heads;
  }

  /// Whole within the pane and clear of what is at its left.
  bool inside(const Head& head) const {
    const float half = head.half_width();
    return head.x - half >= left_end_ && head.x + half <= l_.width - 2 * k_;
  }

  Head column_head(const TraceInfo& info, int column, int form) const {
    Head head;
    const bool current = (f_.now && (column == f_.now_segment || column == f_.now_segment + 1)) ||
                         (f_.asked && column == f_.asked_segment);
    const bool begun = column - 1 <= f_.flow.current_segment();
    head.x = l_.column_x(column);
    head.first_font = l_.head_font, head.second_font = l_.mono_caption_font;
    head.first_role = current ? Role::Ink : begun ? Role::Ink2 : Role::Ink3;
    head.second_role = begun ? Role::Ink2 : Role::Ink3;
    if (current) head.first_font.weight = Weight::SemiBold;
    // The folded first segment is in progress as long as the row labels still move.
    std::string name = column_name(info, column);
    if (l_.folded && column == 1 && !f_.flow.complete(1))
      name = f_.flow.current_segment() < 0 ? tr("input") : segment_name(info, 0);
    const std::string content = f_.flow.content_text(column);
    if (form == 3) head.first = name, head.second = content;
    if (form == 2 || form == 4) {
      const int stage = column > 0 ? info.segments[column - 1].stage : 0;
      head.first = stage > 0 ? tr("after {}", stage) : form == 4 && column > 0 ? segment_name(info, column - 1) : name;
      head.second = content;
    }
    if (form == 1)
      head.first = content, head.first_font = l_.mono_caption_font,
      head.first_font.weight = current ? Weight::SemiBold : Weight::Regular;
    if (!l_.two_head_lines) head.second.clear();
    head.mark = {.kind = MarkKind::Segment, .segment = std::max(0, column - 1)};
    head.label = !content.empty() ? fmt::format("{}, {}", name, content) : name;
    return head;
  }

  Head segment_head(const TraceInfo& info, int s, int form) const {
    Head head;
    const Segment& segment = info.segments[s];
    const std::string name = segment_name(info, s);
    const bool hidden = f_.hides_future(s);  // its span and stride would give the partner away
    head.x = (l_.column_x(s) + l_.column_x(s + 1)) / 2;
    head.first_font = l_.caption_font, head.second_font = l_.caption_font;
    head.first_role = current_segment(s) ? Role::Ink : Role::Ink3;
    head.second_role = current_segment(s) ? Role::Ink2 : Role::Ink3;
    if (current_segment(s)) head.first_font.weight = Weight::SemiBold;
    head.first = name;
    std::string distances, blocks;
    if (segment.span > 0 && !hidden) {
      const std::uint64_t stride = segment.read_stride > 0 ? segment.read_stride : 0;
      const int radix = legs_in(f_, s);
      distances = radix > 0    ? tr("radix {}", radix)
                  : stride > 0 ? tr("span {}, stride {}", segment.span, stride)
                               : tr("span {}", segment.span);
      blocks = radix > 0 ? fmt::format("{} × {}", segment.count, radix)
                         : fmt::format("{} × {}", f_.flow.rows() / segment.span, segment.span);
    } else if (!hidden) {
      for (const auto& [kind, count] : f_.flow.kinds(s))
        distances += (distances.empty() ? "" : ", ") + operations_text(kind, count);
      if (distances.empty()) distances = operations_text(segment.kind, segment.count);
    }
    switch (form) {
      case 2:
        if (segment.span > 0 && !hidden) head.second = legs_in(f_, s) > 0 ? distances : tr("span {}", segment.span);
        break;
      case 3: head.second = distances; break;
      case 4: head.second = blocks, head.second_font = l_.mono_caption_font; break;
      case 5: head.second = blocks, head.second_font = l_.mono_caption_font; [[fallthrough]];
      case 6: head.first = segment.stage > 0 ? std::to_string(segment.stage) : ""; break;
      default: break;
    }
    if (!l_.two_head_lines) head.second.clear();
    head.mark = {.kind = MarkKind::Segment, .launch = segment.launch, .segment = s};
    head.label = distances.empty() ? name : name + ": " + distances;
    if (segment.span > 0 && !hidden) head.label += ", " + operations_text(segment.kind, segment.count);
    return head;
  }

  bool fits(const std::vector<Head>& heads) const {
    if (heads.empty()) return false;
    for (std::size_t i = 1; i < heads.size(); ++i) {
      const float room = heads[i].x - heads[i - 1].x - 0.75f * l_.head_font.size;
      if (room < heads[i].first_half() + heads[i - 1].first_half()) return false;
      if (room < heads[i].second_half() + heads[i - 1].second_half()) return false;
    }
    return true;
  }

  /// Every second, fourth, … head, when not even numbers fit.
  std::vector<Head> thinned(std::vector<Head> heads) const {
    while (!heads.empty() && !fits(heads)) {
      std::vector<Head> half;
      for (std::size_t i = 0; i < heads.size(); i += 2) half.push_back(heads[i]);
      if (half.size() == heads.size()) break;
      heads = std::move(half);
    }
    return heads;
  }

  float first_baseline() const {
    return l_.heads.bottom() - (l_.two_head_lines ? 0.3f * l_.head_font.size + 2 * l_.caption_font.size + 8 * k_
                                                  : 0.4f * l_.head_font.size + 8 * k_);
  }
  float second_baseline() const { return first_baseline() + 0.55f * l_.head_font.size + 0.95f * l_.caption_font.size; }

  void put(const Head& head) {
    scene_.begin_mark(head.mark, head.label);
    scene_.text({head.x, first_baseline()}, head.first, head.first_font, head.first_role, Anchor::Middle);
    if (!head.second.empty())
      scene_.text({head.x, second_baseline()}, head.second, head.second_font, head.second_role, Anchor::Middle);
    scene_.end_mark();
  }

  /// "input" and "row" above the row labels, or "stage" where heads are bare numbers.
  void put_captions(const std::vector<Head>& heads, bool numbers) {
    const float y = l_.two_head_lines ? second_baseline() : first_baseline();
    const float left_most = heads.empty() ? l_.width : heads.front().x - heads.front().half_width();
    const auto caption = [&](float x, const std::string& text, Anchor anchor, float room) {
      if (text_width(l_.caption_font, text) <= room) scene_.text({x, y}, text, l_.caption_font, Role::Ink3, anchor);
    };
    const float right = l_.labels.right() - l_.label_gap;
    if (right + 8 * k_ > left_most) return;
    if (numbers && l_.two_head_lines) {
      const float end = left_most - 8 * k_;
      if (text_width(l_.caption_font, tr("stage")) <= end - 4 * k_)
        scene_.text({end, first_baseline()}, tr("stage"), l_.caption_font, Role::Ink3, Anchor::End);
    }
    const float input = text_width(l_.caption_font, tr("input")), row = text_width(l_.caption_font, tr("row"));
    if (l_.folded && (l_.row_label == RowLabel::Full || l_.row_label == RowLabel::Origin)) {
      caption(right, tr("row"), Anchor::End, right - l_.labels.x);
      if (right - l_.labels.x > input + row + 10 * k_) caption(l_.labels.x, tr("input"), Anchor::Start, input);
    } else {
      caption(right, tr("row"), Anchor::End, right - l_.labels.x + 6 * k_);
    }
  }

  /// Brackets over what belongs together: the epochs of a launch, or the launches when some have several parts.
  void put_groups(const std::vector<Head>& heads) {
    const Flow::Grouping grouping = f_.flow.grouping();
    if (grouping == Flow::Grouping::None) return;
    const auto& segments = f_.flow.info().segments;
    const bool one_launch = grouping == Flow::Grouping::Epochs;
    const auto same = [&](const Segment& a, const Segment& b) {
      return a.launch == b.launch && (!one_launch || a.epoch == b.epoch);
    };

    const float y = l_.heads.y + 14 * k_;
    float left_most = l_.width;
    for (std::size_t first = 0; first < segments.size();) {
      std::size_t end = first + 1;
      while (end < segments.size() && same(segments[end], segments[first])) ++end;
      const float left = std::max(l_.labels.right() - l_.label_gap, l_.column_x(static_cast<int>(first)) + 5 * k_);
      const float right = std::min(l_.width - 4 * k_, l_.column_x(static_cast<int>(end)) - 5 * k_);
      const int now = f_.asked ? f_.asked_segment : f_.now_segment;
      const bool current = now >= static_cast<int>(first) && now < static_cast<int>(end);
      if (right - left >= 12 * k_) {
        put_bracket(left, right, y,
                    one_launch ? std::to_string(segments[first].epoch) : fmt::format("L{}", segments[first].launch),
                    current);
        left_most = std::min(left_most, left);
        if (one_launch && end < segments.size() && l_.detail != RowDetail::Values && l_.detail != RowDetail::Nodes)
          put_barrier(l_.column_x(static_cast<int>(end)), y, heads);
      }
      first = end;
    }
    const std::string caption = one_launch ? tr("epoch") : tr("launch");
    const float width = text_width(l_.caption_font, caption), right = left_most - 6 * k_;
    if (right - width >= 2 * k_)
      scene_.text({right - width, baseline(l_.caption_font, y)}, caption, l_.caption_font, Role::Ink3);
  }

  void put_bracket(float left, float right, float y, const std::string& text, bool current) {
    Font font = l_.mono_caption_font;
    if (current) font.weight = Weight::SemiBold;
    const Stroke stroke{Role::Done, k_};
    const float half = text_width(font, text) / 2 + 5 * k_, middle = (left + right) / 2, down = y + 6 * k_;
    if (right - left < 2 * half + 10 * k_) {
      scene_.polyline({{left, down}, {left, y}, {right, y}, {right, down}}, stroke);
      return;
    }
    scene_.polyline({{left, down}, {left, y}, {middle - half, y}}, stroke);
    scene_.polyline({{middle + half, y}, {right, y}, {right, down}}, stroke);
    centred_text(scene_, {middle, y}, text, font, current ? Role::Ink : Role::Ink2);
  }

  /// The barrier between two epochs, where no head is in its way.
  void put_barrier(float x, float y, const std::vector<Head>& heads) {
    for (const Head& head : heads)
      if (std::abs(head.x - x) < head.half_width() + 4 * k_) return;
    for (const float side : {-2.5f, 2.5f})
      scene_.line({x + side * k_, y + 8 * k_}, {x + side * k_, second_baseline() + 3 * k_}, {Role::Done, k_});
  }

  const float left_end_ = 2 * k_;
  bool cut_ = false;  // a head of the last collection reached over the edge
};

class RowLabels : ButterflyPart {
 public:
  explicit RowLabels(ButterflyFrame& frame) : ButterflyPart(frame) {
    for (const Operation& one : frame.all_now())
      for (const auto* list : {&one.reads, &one.writes})
        for (const Access& access : *list)
          if (const auto row = frame.flow.row_of(access, one)) current_.insert(*row);
    // The bits in which the rows read differ, on the plates of those rows: one for a butterfly of radix 2, two of radix 4.
    if (frame.now && !frame.turn) {
      for (const Access& access : frame.now->reads)
        if (const auto row = frame.flow.row_of(access, *frame.now)) read_.insert(*row);
      for (const std::uint64_t row : read_) differing_ |= row ^ *read_.begin();
    }
  }

  void draw() {
    scene_.set_layer(layer::heads);
    if (l_.row_label == RowLabel::Ticks) {
      ticks();
    } else {
      for (std::uint64_t row = l_.visible_rows.first; row < l_.visible_rows.end; ++row) {
        const float y = l_.row_y(row), half = l_.number_font.size * 0.55f;
        if (y - half < l_.body.y || y + half > l_.body.bottom()) continue;  // cut by the edge
        label(row, y);
      }
    }
    if (l_.outputs) outputs();
    if (l_.folded && f_.now && f_.now_segment == 0) exchange();
  }

 private:
  void label(std::uint64_t row, float y) {
    const bool current = current_.contains(row);
    const float right = l_.labels.right() - l_.label_gap;
    const std::string number = std::to_string(row);
    scene_.text({right, baseline(l_.number_font, y)}, number, l_.number_font, Role::Ink, Anchor::End);
    const Role role = current ? Role::Ink : Role::Ink2;
    if (l_.row_label == RowLabel::Full || l_.row_label == RowLabel::Binary) {
      const std::string widest = std::to_string(l_.rows - 1);
      const float end = right - text_width(l_.number_font, widest) - 8 * k_;
      binary(row, end, y, role, current);
    }
    if (l_.row_label != RowLabel::Full && l_.row_label != RowLabel::Origin) return;

    const std::uint64_t origin = l_.folded ? f_.flow.origin(row) : row;
    if (!f_.flow.place(0, origin)) return;  // the first column has fewer elements
    std::string from = fmt::format("{}[{}]", l_.input_name, origin);
    float x = l_.labels.x;
    const Role soft = current ? Role::Ink : Role::Ink2;
    scene_.text({x, baseline(l_.label_font, y)}, from, l_.label_font, soft);
    if (!l_.folded) return;
    const std::string widest = fmt::format("{}[{}]", l_.input_name, l_.rows - 1);
    const float around = 0.4f * l_.label_font.size;  // both sides of the arrow
    x += text_width(l_.label_font, widest) + (l_.row_label == RowLabel::Full ? 8 * k_ : around);
    if (l_.row_label == RowLabel::Full) {
      const std::string bits = binary_text(origin, f_.flow.index_bits());
      scene_.text({x, baseline(l_.label_font, y)}, bits, l_.label_font, soft);
      x += text_width(l_.label_font, bits) + around;
    }
    arrow({x, y}, {x + 1.1f * l_.label_font.size, y}, Role::Ink2);
  }

  /// The row in binary; the bit in which an operation's rows differ is on yellow, in dark ink.
  void binary(std::uint64_t row, float end, float y, Role role, bool current) {
    const int bits = f_.flow.index_bits();
    const std::string text = binary_text(row, bits);
    Font font = l_.label_font;
    if (current) font.weight = Weight::SemiBold;
    const float letter = text_width(font, "0"), start = end - letter * static_cast<float>(bits);
    const auto plated = [&](int place) { return read_.contains(row) && (differing_ >> (bits - 1 - place) & 1) != 0; };
    const auto for_runs = [&](auto each) {
      for (int from = 0; from < bits;) {
        int to = from + 1;
        while (to < bits && plated(to) == plated(from)) ++to;
        each(from, to - from, start + letter * static_cast<float>(from));
        from = to;
      }
    };
    for_runs([&](int from, int count, float x) {
      const float width = letter * static_cast<float>(count);
      if (plated(from)) scene_.rect({x - k_, y - font.size * 0.75f, width + 2 * k_, font.size * 1.5f}, Role::Now);
    });
    for_runs([&](int from, int count, float x) {
      scene_.text({x, baseline(font, y)}, text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(count)),
                  font, plated(from) ? Role::OnNow : role);
    });
  }

  void arrow(Point from, Point to, Role role) {
    const float u = l_.label_font.size / 12;
    scene_.line(from, {to.x - 3 * u, to.y}, {role, 1.25f * u});
    scene_.polygon({to, {to.x - 4.5f * u, to.y - 3 * u}, {to.x - 4.5f * u, to.y + 3 * u}}, role);
  }

  void outputs() {
    const int last = f_.flow.segment_count();
    const float x = l_.right(last) + 8 * k_;
    const Font& font = l_.label_font;
    if (x < l_.body.x) return;
    for (std::uint64_t row = l_.visible_rows.first; row < l_.visible_rows.end; ++row) {
      const float y = l_.row_y(row), half = font.size * 0.55f;
      const std::string text = fmt::format("{}[{}]", l_.output_name, row);
      if (y - half < l_.body.y || y + half > l_.body.bottom() || x + text_width(font, text) > l_.width) continue;
      scene_.text({x, baseline(font, y)}, text, font, f_.flow.current_segment() == last - 1 ? Role::Ink2 : Role::Ink3);
    }
  }

  /// The swaps of now: two rows of the column exchange their content. In lockstep as many as there is room for beside each other.
  void exchange() {
    constexpr std::size_t max_swaps = 2;
    if (f_.all_now().size() > max_swaps) return;
    float x = l_.left(1) - 8 * k_;
    for (const Operation& op : f_.all_now()) {
      std::set<std::uint64_t> rows;
      for (const Access& write : op.writes)
        if (const auto row = f_.flow.row_of(write, op)) rows.insert(*row);
      if (op.kind != OperationKind::Swap || rows.size() != 2) continue;
      exchange(x, l_.row_y(*rows.begin()), l_.row_y(*rows.rbegin()));
      x -= 5 * k_;
    }
  }
  void exchange(float x, float upper, float lower) {
    scene_.push_clip(l_.body);
    const float edge = l_.left(1);
    const auto path = [&](Stroke stroke) {
      scene_.polyline({{edge - 1 * k_, upper}, {x, upper}, {x, lower}, {edge - 1 * k_, lower}}, stroke);
    };
    scene_.set_layer(layer::halo);
    path({Role::Now, 0.6f * f_.theme().halo * k_});
    scene_.set_layer(layer::now);
    path({Role::Ink, 1.75f * k_});
    scene_.set_layer(layer::tags);
    for (const float y : {upper, lower})
      scene_.polygon({{edge, y}, {edge - 5 * k_, y - 3.5f * k_}, {edge - 5 * k_, y + 3.5f * k_}}, Role::Ink);
    scene_.pop_clip();
  }

  /// Numbers of some rows, at distances of a power of two that leave room between them.
  void ticks() {
    const Font& font = l_.label_font;
    const double least = 2.2 * font.size;
    std::uint64_t every = 1;
    while (static_cast<double>(every) * l_.row_pitch < least && every < l_.rows) every *= 2;
    const float right = l_.labels.right() - 14 * k_;
    const auto tick = [&](std::uint64_t row) {
      const float y = l_.row_y(row), half = font.size * 0.5f;
      if (y < l_.body.y - 1 || y > l_.body.bottom() + 1 || y + half > l_.height ||
          y - half < l_.heads.y + 0.6f * l_.heads.h)
        return;
      scene_.text({right, baseline(font, y)}, std::to_string(row), font, Role::Ink3, Anchor::End);
      scene_.line({right + 3 * k_, y}, {right + 7 * k_, y}, {Role::Done, k_});
    };
    const std::uint64_t first = l_.visible_rows.first / every * every;
    std::uint64_t last = first;
    for (std::uint64_t row = first; row < l_.visible_rows.end; row += every) tick(row), last = row;
    // The last row of all, when it does not touch the one before.
    if (l_.visible_rows.end == l_.rows && static_cast<double>(l_.rows - 1 - last) * l_.row_pitch >= 1.4 * font.size)
      tick(l_.rows - 1);
  }

  std::set<std::uint64_t> current_, read_;  // rows of the operation at the cursor, and those of them that it reads
  std::uint64_t differing_ = 0;
};

}  // namespace

void draw_butterfly_heads(ButterflyFrame& frame) { Heads(frame).draw(); }
void draw_row_labels(ButterflyFrame& frame) { RowLabels(frame).draw(); }

void draw_costs(ButterflyFrame& frame) {
  const ButterflyLayout& l = frame.layout;
  if (l.cost_rows.count() == 0) return;
  const float gap = 4 * frame.scale, names_end = l.labels.right() - l.label_gap;
  std::vector<StripColumn> columns;
  // Swaps that are folded into the row labels have theirs below them.
  if (l.folded && !l.cost_rows.low && l.visible_first <= l.first_column)
    columns.push_back({0, l.labels.centre().x, std::max(0.0f, l.labels.w - 2 * gap)});
  for (int s = std::max(l.first_column, l.visible_first - 1);
       s < std::min(l.visible_last + 1, frame.flow.segment_count()); ++s) {
    const float x = (l.column_x(s) + l.column_x(s + 1)) / 2, room = static_cast<float>(l.column_pitch) - gap;
    if (x - room / 2 >= names_end && x + room / 2 <= l.width) columns.push_back({s, x, room});
  }
  draw_cost_strips(frame.input, l.cost_rows, l.costs, names_end, columns, frame.scene);
}

}  // namespace twiddle
