// The history of an element: every read and every write of it, a row each; a click goes there.
#include "base/message.h"
#include "tracer/replay/position.h"
#include "viewer/document/turn.h"
#include "viewer/graphs/element_history.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/words/twiddle_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace twiddle {
namespace {

constexpr float history_row = 24, history_top = 52, history_pad = 16;

class HistoryPanel {
 public:
  HistoryPanel(const PanelContext& context, Scene& scene, float width, float height)
      : c_(context),
        scene_(scene),
        width_(width),
        height_(height),
        place_{context.state.watch.buffer, context.state.watch.group, context.state.watch.index},
        history_(history_of(context.document, place_)) {}

  void draw() {
    if (!history_.complete) scene_.unfinished = true;
    choose_rows();
    head();
    for (std::size_t n = first_; n < end_; ++n) row(n);
    if (history_.accesses.empty())
      label(scene_, c_.px(history_pad), c_.px(history_top + 12), tr("No operation that was logged touches it."),
            c_.caption(), Role::Ink2, width_ - c_.px(2 * history_pad));
  }

 private:
  const PanelContext& c_;
  Scene& scene_;
  const float width_, height_;
  const Place place_;
  const ElementHistory& history_;
  std::size_t first_ = 0, end_ = 0;
  std::vector<std::optional<Value>> values_;  // of the rows that show
  double largest_ = 0;

  std::string name() const {
    const BufferInfo& of = c_.info().buffers[static_cast<std::size_t>(place_.buffer)];
    std::string text = fmt::format("{}[{}]", of.name, place_.index);
    if (of.space == Space::Local) text += tr(" of group {}", place_.group);
    return text;
  }

  const Turn* turn_ = turn_at(c_.document, c_.state.cursor);  // null but in lockstep

  bool now(const ElementAccess& access) const {
    return turn_ ? turn_->holds(access.step) : access.step == c_.state.cursor.step;
  }
  bool past(const ElementAccess& access) const {
    if (!turn_) return access.step <= c_.state.cursor.step;
    const Moment& moment = turn_->moment;
    if (!turn_->holds(access.step)) return moment.is_done(access.step);
    // Of what the lanes do now, some turns are still to come.
    const auto op = std::find_if(turn_->operations.begin(), turn_->operations.end(),
                                 [&](const Operation& one) { return one.step == access.step; });
    if (op == turn_->operations.end()) return true;
    const SmallList<Access, 4>& list = access.write ? op->writes : op->reads;
    int which = 0;
    for (const Access& one : list) {
      if (one.buffer == place_.buffer && one.index == place_.index &&
          (access.write ? moment.wrote(access.step, which) : which < moment.reads))
        return true;
      ++which;
    }
    return false;
  }

  /// The rows that fit: the last access up to now is among them, unless the user scrolled.
  void choose_rows() {
    const std::size_t all = history_.accesses.size();
    const auto rows =
        static_cast<std::size_t>(std::max(1.0f, std::floor((height_ - c_.px(history_top + 4)) / c_.px(history_row))));
    std::size_t done = 0;
    while (done < all && past(history_.accesses[done])) ++done;
    const auto scrolled = static_cast<std::ptrdiff_t>(c_.state.scrolled("history") / history_row);
    const auto most = static_cast<std::ptrdiff_t>(all > rows ? all - rows : 0);
    const auto own =
        std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(done) - static_cast<std::ptrdiff_t>(rows) + 1);
    first_ = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(own + scrolled, 0, most));
    end_ = std::min(all, first_ + rows);
    for (std::size_t n = first_; n < end_; ++n) {
      const ElementAccess& access = history_.accesses[n];
      values_.push_back(past(access) ? value_of(c_.document, access, place_) : std::nullopt);
      if (values_.back()) largest_ = std::max(largest_, size_of(*values_.back()));
    }
  }

  static double size_of(const Value& value) {
    const double size = magnitude(value);
    return std::isfinite(size) ? size : 0;
  }

  void head() {
    const float y = c_.px(18);
    const float x = c_.px(history_pad);
    const std::string title = tr("History of {}", name());
    float at = x + label(scene_, x, y, title, c_.ui(Weight::SemiBold), Role::Ink, width_ / 2) + c_.px(12);
    std::string what =
        tr("{}, {}", plural(history_.writes, "{} write", "{} writes"), plural(history_.reads, "{} read", "{} reads"));
    if (history_.truncated || !history_.complete) what += " …";
    const float right = width_ - c_.px(history_pad);
    label(scene_, at, y, what, c_.caption(), Role::Ink2, right - c_.px(180) - at);
    sparkline({right - c_.px(164), c_.px(7), c_.px(130), c_.px(22)});
    cross_button(c_, scene_, {right - c_.px(5), y}, c_.px(18), command_mark(Command::CloseHistory), tr("close"));
    const float heads = c_.px(history_top - 10);
    for (const auto& [column, text] :
         {std::pair(0, tr("what")), {1, tr("where")}, {2, tr("item")}, {3, tr("line")}, {4, tr("value")}})
      label(scene_, column_x(column), heads, text, c_.caption(), Role::Ink3, c_.px(100),
            column == 4 ? Anchor::End : Anchor::Start);
  }

  float column_x(int column) const {
    constexpr float shares[] = {0.05f, 0.17f, 0.33f, 0.44f, 0.74f};
    return c_.px(history_pad) + shares[column] * (width_ - c_.px(2 * history_pad));
  }

  /// |value| after each write that shows, as a line of steps.
  void sparkline(const Box& box) {
    std::vector<Point> points;
    std::vector<double> sizes;
    for (std::size_t n = first_; n < end_; ++n)
      if (history_.accesses[n].write && values_[n - first_]) sizes.push_back(size_of(*values_[n - first_]));
    if (sizes.size() < 2 || largest_ <= 0) return;
    for (std::size_t n = 0; n < sizes.size(); ++n) {
      const float x = box.x + box.w * static_cast<float>(n) / static_cast<float>(sizes.size() - 1);
      points.push_back({x, box.bottom() - static_cast<float>(sizes[n] / largest_) * box.h});
    }
    const Point last = points.back();
    scene_.polyline(points, {Role::Ink2, c_.px(1.4f)});
    for (const Point& point : points) scene_.circle(point, c_.px(2.4f), Role::Canvas, {Role::Ink2, c_.px(1.3f)});
    scene_.circle(last, c_.px(3.2f), Role::Ink);
  }

  void row(std::size_t n) {
    const ElementAccess& access = history_.accesses[n];
    const float top = c_.px(history_top) + c_.px(history_row) * static_cast<float>(n - first_);
    const Box box{c_.px(history_pad - 6), top, width_ - c_.px(2 * history_pad - 12), c_.px(history_row) - c_.thin()};
    const float y = box.centre().y;
    const bool done = past(access), is_now = done && now(access);
    const Mark mark{.kind = MarkKind::Item,
                    .launch = access.launch,
                    .segment = access.segment,
                    .step = access.step,
                    .item = access.item};
    const Role ink = done ? Role::Ink : Role::Ink3;
    scene_.begin_mark(mark, tr("step {}", count_text(access.step)));
    if (is_now)
      scene_.rect(box, Role::Now, {Role::Ink, c_.thin(1.5f)}, c_.px(3));
    else
      scene_.rect(box, is_hovered(c_, mark) ? Role::HoverSoft : (n % 2 == 0 ? Role::Pane : Role::Canvas));
    const Role on = is_now ? Role::OnNow : ink;
    const float sign = c_.px(history_pad + 8);
    if (access.write)
      scene_.rect({sign - c_.px(5), y - c_.px(5), c_.px(10), c_.px(10)}, done ? on : Role::None,
                  {done ? on : Role::Future, c_.thin(1.4f)});
    else
      scene_.circle({sign, y}, c_.px(5), Role::None, {done ? on : Role::Future, c_.thin(1.6f)});
    const auto put = [&](int column, const std::string& text, const Font& font, Anchor anchor = Anchor::Start) {
      const float left = column == 4 ? column_x(3) + c_.px(30) : column_x(column);
      const float right = column == 4 ? column_x(4) : column_x(column + 1) - c_.px(6);
      label(scene_, anchor == Anchor::End ? right : left, y, text, font, on, right - left, anchor);
    };
    Position position;
    position.launch = access.launch;
    if (access.stage > 0) position.stage = access.stage;
    put(0, access.write ? tr("written") : tr("read"), c_.ui(is_now ? Weight::SemiBold : Weight::Regular));
    put(1, to_string(position), c_.mono(12));
    put(2, fmt::format("I{}", access.item), c_.mono(12));
    put(3, std::to_string(access.line), c_.mono(12));
    const std::optional<Value>& value = values_[n - first_];
    put(4, value ? value_text(*value, 6) : "·", c_.mono(12), Anchor::End);
    if (value && largest_ > 0) {
      const float from = column_x(4) + c_.px(16), room = width_ - c_.px(history_pad + 6) - from;
      const float length = static_cast<float>(size_of(*value) / largest_) * room;
      if (access.write)
        scene_.rect({from, y - c_.px(4), std::max(length, c_.thin()), c_.px(8)}, is_now ? Role::OnNow : Role::Done);
      else
        scene_.line({from, y}, {from + std::max(length, c_.thin()), y},
                    {is_now ? Role::OnNow : Role::Done, c_.px(1.5f), c_.px(1.5f), c_.px(2.5f)});
    }
    scene_.end_mark();
  }
};

}  // namespace

Scene history_panel(const PanelContext& context, float width, float height) {
  Scene scene = pane(context, width, height, Edge::Top, "history", Role::Canvas);
  HistoryPanel(context, scene, width, height).draw();
  return scene;
}

}  // namespace twiddle
