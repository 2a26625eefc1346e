// The bins of a histogram: which items increment which at once, what they hold, and the same for every work-group.
#include "base/message.h"
#include "tracer/trace/item_words.h"
#include "viewer/document/request.h"
#include "viewer/views/plot.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/twiddle_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace twiddle {
namespace {

constexpr float bins_axis_width = 56, bins_title_height = 32, bins_axis_height = 30, dots_height = 96,
                groups_share = 0.22f;

/// The buffer that atomics count into, of all segments or of the one at the cursor; −1: none.
int counted_buffer(const TraceInfo& info, int segment) {
  int found = -1;
  for (std::size_t s = 0; s < info.segments.size(); ++s) {
    const Segment& one = info.segments[s];
    if (one.kind != OperationKind::Atomic || one.write_buffer < 0) continue;
    if (found < 0 || static_cast<int>(s) <= segment) found = one.write_buffer;
  }
  return found;
}

class BinsFrame {
 public:
  BinsFrame(const DiagramInput& input, Scene& scene, const ViewSpace& space) : f_(input, scene), space_(space) {
    buffer_ = counted_buffer(f_.info, f_.segment);
    if (f_.launch) group_ = f_.launch->group_of(f_.now->item);
    result_ = f_.info.buffer_named(f_.info.expect.output);
    if (result_ == buffer_) result_ = -1;
    find_increment();
  }

  void draw() {
    f_.scene.title = tr("Bins of {}", title_of(f_.info));
    Box rest{0, space_.body.y, f_.scene.width, space_.body.h};
    const auto take = [&](float height) {
      const Box box{rest.x, rest.y, rest.w, height};
      rest.y += height, rest.h -= height;
      return box;
    };
    if (increment_ && rest.h > f_.px(300)) dots(take(f_.px(dots_height)));
    // Local bins end with their launch.
    if (info().space == Space::Local && f_.launch && f_.launch->number != info().launch && result_ >= 0)
      return bars(rest, result_, 0);
    const bool groups = info().space == Space::Local && rest.h > f_.px(330);
    const float groups_height = groups ? rest.h * groups_share : 0;
    const float each = (rest.h - groups_height) / (result_ >= 0 && rest.h > f_.px(240) ? 2 : 1);
    bars(take(each), buffer_, group_);
    if (groups) group_rows(take(groups_height));
    if (result_ >= 0 && rest.h > f_.px(80)) bars(rest, result_, 0);
  }

 private:
  ViewFrame f_;
  const ViewSpace& space_;
  int buffer_ = -1, result_ = -1;
  std::uint64_t group_ = 0;

  const BufferInfo& info() const { return f_.info.buffers[buffer_]; }
  std::optional<Operation> increment_;  // at work, or about to be

  /// The increment at the cursor, or the one that the value just loaded is for.
  void find_increment() {
    const auto counts = [](const Operation& one) { return one.kind == OperationKind::Atomic && !one.writes.empty(); };
    if (!f_.now) return;
    if (counts(*f_.now)) {
      increment_ = f_.now;
    } else if (f_.now->kind == OperationKind::Load && f_.shows_future()) {
      const auto next = f_.flow.operation(f_.step + 1);
      if (next && next->item == f_.now->item && next->launch == f_.now->launch && counts(*next)) increment_ = next;
    }
  }

  void title(const Box& box, const std::string& name, const std::vector<std::string>& rest) {
    f_.title(space_.body.x, space_.body.right(), box.y + f_.px(bins_title_height / 2), name, rest);
  }

  /// The items of the sub-group at work, stacked over the bins that they increment at the same time.
  void dots(const Box& box) {
    const std::vector<Operation> request = f_.request(*increment_);
    std::map<std::uint64_t, std::vector<const Operation*>> stacks;
    for (const Operation& one : request)
      if (!one.writes.empty() && one.writes[0].buffer == increment_->writes[0].buffer)
        stacks[one.writes[0].index].push_back(&one);
    std::size_t most = 1;
    for (const auto& [bin, items] : stacks) most = std::max(most, items.size());
    const std::string counted = tr("{} of items {} to {} into {}", counted_increments(request.size()),
                                   request.front().item, request.back().item, counted_bins(stacks.size()));
    title(box, tr("At once"),
          {tr("{}: at most {} meet, so they take {}", counted, most, plural(most, "{} turn", "{} turns")), counted,
           fmt::format("×{}", most)});
    const Box inside{space_.body.x, box.y + f_.px(bins_title_height), space_.body.w,
                     box.h - f_.px(bins_title_height + 6)};
    const Plot plot(f_, space_, inside, info().count, 0, 1);
    const float r = std::max(1.0f, std::min({plot.pitch() / 2, f_.px(5), inside.h / (2 * static_cast<float>(most))}));
    f_.scene.push_clip(inside);
    for (const auto& [bin, items] : stacks) {
      for (std::size_t n = 0; n < items.size(); ++n) {
        const Point at{plot.x(bin), inside.bottom() - r - 2 * r * static_cast<float>(n)};
        const Operation& one = *items[n];
        f_.scene.begin_mark(operation_mark(one, f_.segment),
                            tr("item {} increments {}", one.item, element_text(f_.info, one.writes[0])));
        const bool now = f_.turn ? f_.turn->holds(one.step) : one.step == increment_->step;
        const bool done = f_.flow.is_done(one.step);
        f_.scene.circle(at, r * 0.86f,
                        now    ? Role::Now
                        : done ? Role::Done
                               : Role::Canvas,
                        {now ? Role::Ink : Role::Done, std::min(f_.px(1.5f), r * 0.4f)});
        f_.outline({at.x - r, at.y - r, 2 * r, 2 * r}, r, f_.lit_step(one.step));
        f_.scene.end_mark();
      }
    }
    f_.scene.pop_clip();
    f_.scene.line({inside.x, inside.bottom()}, {inside.right(), inside.bottom()}, {Role::Done, f_.thin()});
  }
  static std::string counted_increments(std::size_t count) { return plural(count, "{} increment", "{} increments"); }
  static std::string counted_bins(std::size_t count) { return plural(count, "{} bin", "{} bins"); }

  void bars(const Box& box, int buffer, std::uint64_t group) {
    const BufferInfo& of = f_.info.buffers[buffer];
    const Series series = Series::at_cursor(f_.document, buffer, group, NumberPart::Real);
    if (!series.ready()) return;
    const Extent all = series.all();
    const std::string where =
        of.space == Space::Local ? tr("local, {} {}", group_noun(f_.info), group) : std::string(word_of(of.space));
    title(box, of.name, {tr("{}[{}], {}: current counts", of.name, of.count, where), where});
    const Box inside{space_.body.x, box.y + f_.px(bins_title_height), space_.body.w,
                     std::max(f_.px(6), box.h - f_.px(bins_title_height + bins_axis_height))};
    const AxisRange range = axis_range(all);
    Plot plot(f_, space_, inside, of.count, range.low, range.high);
    if (all.known)
      plot.value_axis(f_.px(bins_axis_width - 10), "", true);
    else
      plot.base_line();
    plot.index_axis(0, 1, tr("bin"), f_.px(bins_axis_width));
    if (!all.known) f_.note(inside, tr("nothing counted yet"));
    f_.scene.push_clip({inside.x, inside.y - f_.px(6), inside.w, inside.h + f_.px(8)});
    const Font font = f_.mono(11);
    Box now{};
    plot.for_columns([&](const Plot::Column& column) {
      const Extent part = series.over(column.first, column.end);
      if (!part.known) return;
      f_.scene.begin_mark(element_mark(buffer, f_.segment, column.first, of.space == Space::Local ? group : 0),
                          column.end == column.first + 1
                              ? fmt::format("{}[{}] = {}", of.name, column.first, number_text(double(part.high), 9))
                              : tr("{}[{}] to [{}]: at most {}", of.name, column.first, column.end - 1,
                                   number_text(double(part.high), 9)));
      const float gap = column.width >= f_.px(3) ? std::min(f_.px(6), column.width * 0.25f) : 0,
                  top = plot.y(double(part.high));
      const Box bar{column.x + gap / 2, top, std::max(1.0f, column.width - gap), plot.y(0) - top};
      if (bar.h > 0) f_.scene.rect(bar, Role::Done);
      f_.scene.rect({column.x, inside.y, column.width, inside.h}, Role::None);
      if (f_.now && !f_.now->writes.empty() && f_.now->writes[0].buffer == buffer &&
          f_.now->writes[0].index >= column.first && f_.now->writes[0].index < column.end)
        now = {bar.x - f_.px(1), std::min(bar.y, plot.y(0) - f_.px(3)), std::max(bar.w, f_.px(4)),
               std::max(bar.h, f_.px(3))};
      f_.outline({column.x, inside.y, column.width, inside.h}, f_.px(2), f_.lit_element(buffer, column.first));
      if (column.end == column.first + 1)
        f_.text(column.x + column.width / 2, top - f_.px(7), number_text(double(part.high), 6), font, Role::Ink2,
                top - f_.px(14) > inside.y ? column.width - f_.px(4) : 0, Anchor::Middle);
      f_.scene.end_mark();
    });
    if (now.w > 0) f_.scene.rect(now, Role::Now, {Role::Ink, f_.px(1.5f)});
    f_.scene.pop_clip();
  }

  /// A row for each work-group's own bins, from dark to bright; those around the group at work.
  void group_rows(const Box& box) {
    const LaunchInfo* launch = f_.info.launch(info().launch);
    if (!launch) return;
    const std::uint64_t groups = launch->groups();
    const float height = box.h - f_.px(bins_title_height + 6);
    const auto fit = static_cast<std::uint64_t>(std::max(1.0f, height / f_.px(9)));
    const std::uint64_t count = std::min(groups, fit);
    const std::uint64_t first = groups > fit ? std::min(group_ > fit / 2 ? group_ - fit / 2 : 0, groups - fit) : 0;
    title(box, has_threads(f_.info) ? tr("Every block") : tr("Every group"),
          {count < groups ? (has_threads(f_.info)
                                 ? tr("blocks {} to {} of {}: stronger is more", first, first + count - 1, groups)
                                 : tr("groups {} to {} of {}: stronger is more", first, first + count - 1, groups))
                          : std::string(tr("stronger is more"))});
    const float pitch = std::min(height / static_cast<float>(count), f_.px(20));
    const Font font = f_.mono(11);
    float largest = 0;
    std::vector<Series> rows;
    for (std::uint64_t g = first; g < first + count; ++g) {
      rows.push_back(Series::at_cursor(f_.document, buffer_, g, NumberPart::Real));
      if (!rows.back().ready()) return;
      const Extent all = rows.back().all();
      if (all.known) largest = std::max(largest, all.high);
    }
    for (std::uint64_t n = 0; n < count; ++n) {
      const Box row{space_.body.x, box.y + f_.px(bins_title_height) + static_cast<float>(n) * pitch, space_.body.w,
                    pitch - f_.px(2)};
      const std::uint64_t group = first + n;
      if (pitch >= font.size * 1.1f)
        f_.text(row.x - f_.px(8), row.centre().y, std::to_string(group),
                group == group_ ? f_.mono(11, Weight::SemiBold) : font, group == group_ ? Role::Ink : Role::Ink2,
                f_.px(bins_axis_width), Anchor::End);
      const Plot plot(f_, space_, row, info().count, 0, 1);
      f_.scene.push_clip(row);
      plot.for_columns([&](const Plot::Column& column) {
        const Extent part = rows[n].over(column.first, column.end);
        if (!part.known) return;
        const float share = largest > 0 ? part.high / largest : 0;
        const int grey = std::clamp(static_cast<int>(std::pow(share, 0.8f) * 7.99f), 0, 7);
        f_.scene.rect({column.x, row.y, std::max(1.0f, column.width), row.h}, grey_role(grey));
      });
      f_.scene.pop_clip();
      f_.scene.rect(row, Role::None, {group == group_ ? Role::Ink : Role::Line, f_.thin()});
    }
  }
};

class BinsView : public FramedView<BinsFrame> {
 public:
  BinsView()
      : FramedView("bins", translatable("Bins"),
                   "who increments which bin of a histogram at once, and what they hold") {}
  bool has(Document& document) const override { return counted_buffer(document.info(), 0) >= 0; }
  PictureSize picture_size(Document&, float min_width) const override { return {std::max(min_width, 860.0f), 480}; }

 protected:
  ViewSpace space(const DiagramInput& input) const override {
    const TraceInfo& info = input.document.info();
    const std::uint64_t count = info.buffers[counted_buffer(info, 0)].count;
    return plot_space(input, bins_axis_width, count, 40);
  }
  std::optional<Box> place(const DiagramInput& input, const Operation& operation) const override {
    if (operation.kind != OperationKind::Atomic || operation.writes.empty() || operation.writes[0].buffer < 0)
      return {};
    const auto count = double(input.document.info().buffers[operation.writes[0].buffer].count);
    return Box{static_cast<float>(double(operation.writes[0].index) / count), 0, static_cast<float>(1 / count), 1};
  }
};

}  // namespace

std::unique_ptr<const View> bins_view() { return std::make_unique<BinsView>(); }

}  // namespace twiddle
