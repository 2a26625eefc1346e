// The work-items' view: rows are items in their sub-groups, columns are segments; which items work, wait, or are masked out.
#include "base/message.h"
#include "tracer/trace/item_words.h"
#include "viewer/document/item_activity.h"
#include "viewer/graphs/item_timeline.h"
#include "viewer/views/cost_strips.h"
#include "viewer/views/view_frame.h"
#include "viewer/views/view_space.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/twiddle_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

constexpr float items_pad = 16, label_width = 44;
constexpr float words_room = 190, max_bar = 40, bar_share = 0.74f;
constexpr double gap_rows = 0.5;  // between two sub-groups, in rows
constexpr float min_label = 13, frame_from = 14;
constexpr float min_access = 4, max_access = 64, min_access_height = 7;  // of a load or store in an item's bar
constexpr float min_item_cell = 2;                                       // pixels of an item in a bar of several

/// Heights around and of the rows, in layout units.
struct ItemsSizes {
  float head, head_line;              // room for the columns' names, and their middle above the rows
  float foot;                         // room for the totals and the legend below the rows
  float min_row, min_range, max_row;  // of an item, of several in a row
  float min_column;
  bool legend = true;
};

ItemsSizes items_sizes(const DiagramInput& input) {
  if (!input.small) return {50, 20, 84, 8, 8, 88, 28};
  const bool low = input.height < 130 * view_scale(input);
  return {24, 13, low ? 6.0f : 30.0f, 9, 15, 22, 24, !low};
}

/// Rows in content coordinates: items with a gap between sub-groups.
struct RowScale {
  std::uint64_t items = 1, lanes = 1;  // of the largest launch; of the sub-groups that gaps part
  double all = 1;

  explicit RowScale(const TraceInfo& info) {
    items = 0;
    std::uint64_t group = sub_group_size;
    for (const LaunchInfo& launch : info.launches) {
      items = std::max(items, launch.items());
      group = std::min(group, std::max<std::uint64_t>(1, launch.group_size()));
    }
    items = std::max<std::uint64_t>(1, items);
    // Gaps are where they separate the sub-groups of every launch.
    lanes = group;
    for (const LaunchInfo& launch : info.launches)
      if (launch.group_size() % lanes != 0) lanes = items;
    if (lanes < 4) lanes = items;
    all = double(items) + gap_rows * gaps_before(items - 1);
  }
  double top(std::uint64_t item) const { return (double(item) + gap_rows * gaps_before(item)) / all; }
  double gaps_before(std::uint64_t item) const {
    const std::uint64_t gaps = item / lanes;
    return static_cast<double>(gaps);
  }
  double bottom(std::uint64_t item) const { return top(item) + 1 / all; }
  std::uint64_t item(double v) const {
    const double row = std::clamp(v, 0.0, 1.0) * all, block = double(lanes) + gap_rows;
    const double whole = std::floor(row / block);
    const double item = whole * double(lanes) + std::min(row - whole * block, double(lanes) - 1e-9);
    return std::min(items - 1, static_cast<std::uint64_t>(std::max(0.0, item)));
  }
};

/// Px left of the columns: the largest launch's last item has its name in it, or, where a row is several, the last row's first
/// and last.
float label_room(const TraceInfo& info, float scale, bool several) {
  const Font font{Face::Mono, Weight::SemiBold, 12 * scale};
  const std::uint64_t last = RowScale(info).items - 1;
  return std::max(
      label_width * scale,
      text_width(font, several ? fmt::format("I{}–{}", last, last) : fmt::format("I{}", last)) + 12 * scale);
}

/// The strips below the rows, where they take little of the room and no row its items.
StripRows items_strips(const DiagramInput& input) {
  constexpr float max_share = 0.2f;
  const float u = view_scale(input);
  const ItemsSizes sizes = items_sizes(input);
  for (const bool low : {false, true}) {
    const StripRows strips = strip_rows(input, low);
    const float height = strips.height(input), room = input.height - (sizes.head + sizes.foot) * u;
    const float names_end = items_pad * u + label_room(input.document.info(), u, false) - 10 * u;
    bool fits = strips.count() > 0 && height <= max_share * input.height && names_fit(input, strips, names_end);
    for (const Document* document : {&input.document, input.beside}) {
      if (!document) continue;
      const double needed = RowScale(document->info()).all * double(sizes.min_row * u);
      fits = fits && (double(room) < needed) == (double(room - height) < needed);
    }
    if (fits) return strips;
  }
  return {};
}

struct Columns {
  int first = 0, count = 0;
  float left = 0, width = 0;
};

class ItemsFrame {
 public:
  ItemsFrame(const DiagramInput& input, Scene& scene, const ViewSpace& space)
      : f_(input, scene), space_(space), sizes_(items_sizes(input)), strips_(items_strips(input)), rows_(f_.info) {
    pitch_ = space.body.h / static_cast<float>(space.height_v() * rows_.all);
    if (pitch_ < f_.px(sizes_.min_row))
      while (pitch_ * static_cast<float>(range_) < f_.px(sizes_.min_range)) range_ *= 2;
    find_columns();
  }

  void draw() {
    f_.scene.title =
        has_threads(f_.info) ? tr("Threads of {}", title_of(f_.info)) : tr("Work-items of {}", title_of(f_.info));
    heads();
    cells();
    labels();
    if (f_.input.small)
      legend_.sort();
    else
      totals();
    if (sizes_.legend && space_.body.bottom() + f_.px(sizes_.foot) + strips_.height(f_.input) <= f_.scene.height + 1)
      legend_.draw(f_, f_.px(items_pad), f_.scene.width - f_.px(items_pad),
                   f_.scene.height - strips_.height(f_.input) - f_.px(14));
    costs();
  }

 private:
  ViewFrame f_;
  const ViewSpace& space_;
  const ItemsSizes sizes_;
  const StripRows strips_;
  RowScale rows_;
  float pitch_ = 0;          // px of an item
  std::uint64_t range_ = 1;  // items a row
  Columns columns_;
  Legend legend_;

  void find_columns() {
    const auto all = static_cast<int>(f_.info.segments.size());
    const auto most = static_cast<int>(std::max(1.0f, space_.body.w / f_.px(sizes_.min_column)));
    columns_.count = std::min(all, most);
    columns_.first = all > most ? std::clamp(f_.segment - most / 2, 0, all - most) : 0;
    columns_.width = columns_.count > 0 ? space_.body.w / static_cast<float>(columns_.count) : space_.body.w;
    columns_.left = space_.body.x;
  }

  void costs() {
    std::vector<StripColumn> columns;
    for (int s = columns_.first; s < columns_.first + columns_.count; ++s)
      columns.push_back({s, bars(s).centre().x, columns_.width});
    const float height = strips_.height(f_.input);
    draw_cost_strips(f_.input, strips_, {0, f_.scene.height - height, f_.scene.width, height},
                     space_.body.x - f_.px(10), columns, f_.scene);
  }

  Box column(int segment) const {
    return {columns_.left + columns_.width * static_cast<float>(segment - columns_.first), space_.body.y,
            columns_.width, space_.body.h};
  }
  float column_gap() const { return std::min(f_.px(10), columns_.width * 0.16f); }
  Box bars(int segment) const {
    Box box = column(segment);
    box.w -= column_gap();
    return box;
  }
  const LaunchInfo* launch(int segment) const { return f_.info.launch(f_.info.segments[segment].launch); }
  std::string name(int segment) const {
    const std::string& name = f_.facts.segment_names[segment];
    return f_.info.launches.size() > 1 ? fmt::format("L{} {}", f_.info.segments[segment].launch, name) : name;
  }

  void heads() {
    Scene& scene = f_.scene;
    bool numbers = false;  // of stages, without the word
    const float line = space_.body.y - f_.px(sizes_.head_line), top = line - f_.px(10);
    for (int s = columns_.first; s < columns_.first + columns_.count; ++s) {
      const Segment& segment = f_.info.segments[s];
      const Box box = bars(s);
      const bool now = s == f_.segment;
      const Font font = f_.caption(now ? Weight::SemiBold : Weight::Regular);
      const Role ink = now ? Role::Ink : f_.begun(s) ? Role::Ink2 : Role::Ink3;
      scene.begin_mark({.kind = MarkKind::Segment, .segment = s, .step = segment.first_step},
                       tr("{}: {} of {} work", name(s), count_text(segment.items), item_words()));
      const std::string number = segment.stage > 0 ? std::to_string(segment.stage) : fmt::format("L{}", segment.launch);
      const std::string& plain = f_.facts.segment_names[s];
      // Where a stage has no number, its kind is shorter than its name may be.
      const std::string kind = segment.stage > 0 ? plain : fmt::format("L{} {}", segment.launch, word_of(segment.kind));
      f_.first_fitting(box.centre().x, line, {name(s), kind, plain, number}, font, ink, columns_.width - f_.px(4),
                       Anchor::Middle);
      numbers = numbers || (segment.stage > 0 && text_width(font, plain) > columns_.width - f_.px(4));
      scene.rect({box.x, top, box.w, f_.px(20)}, Role::None);
      // As wide as its words may be.
      f_.outline({box.centre().x - columns_.width / 2, top, columns_.width, f_.px(20)}, f_.px(2),
                 f_.hover.item ? 0 : f_.lit_segment(s));
      scene.end_mark();
      if (s + 1 < columns_.first + columns_.count) {
        const float x = box.right() + column_gap() / 2;
        scene.line({x, space_.body.y - f_.px(6)}, {x, space_.body.bottom()}, {Role::Done, f_.px(2)});
        legend_.add(tr("barrier"), [this](Scene& legend, const Box& at) {
          legend.line({at.centre().x, at.y}, {at.centre().x, at.bottom()}, {Role::Done, f_.px(2)});
        });
      }
    }
    if (numbers)
      f_.text(space_.body.x - f_.px(10), line, tr("stage"), f_.caption(), Role::Ink3, space_.body.x - f_.px(14),
              Anchor::End);
  }
  /// How many of how many, the same way in all columns: as counts, in per cent, or where not even the sign fits as numbers
  /// whose caption has it.
  enum class Form : std::uint8_t { Counts, PerCent, Bare };
  static std::string part_text(Form form, std::uint64_t part, std::uint64_t whole) {
    if (form == Form::Counts) return fmt::format("{}/{}", count_text(part), count_text(whole));
    const double share = whole > 0 ? 100.0 * double(part) / double(whole) : 0;
    return fmt::format("{:.0f}{}", share, form == Form::PerCent ? " %" : "");
  }

  std::string item_words() const { return has_threads(f_.info) ? tr("its threads") : tr("its items"); }

  void cells() {
    const std::uint64_t first = rows_.item(space_.first_v()) / range_ * range_,
                        last = rows_.item(space_.first_v() + space_.height_v());
    f_.scene.push_clip({0, space_.body.y, f_.scene.width, space_.body.h});
    for (int s = columns_.first; s < columns_.first + columns_.count; ++s) {
      const LaunchInfo* of = launch(s);
      if (!of || (!f_.shows_future() && !f_.past(s))) continue;
      const ItemActivity* activity = item_activity(f_.document, s);
      for (std::uint64_t item = first; item <= last && item < of->items(); item += range_)
        cell(s, *of, activity, item, std::min(item + range_, of->items()));
      if (activity) frames(s, *activity, first, last);
    }
    f_.scene.pop_clip();
  }

  void cell(int s, const LaunchInfo& of, const ItemActivity* activity, std::uint64_t first, std::uint64_t end) {
    const Box column = bars(s);
    const float top = space_.y(rows_.top(first)), bottom = space_.y(rows_.bottom(end - 1));
    const float height = std::max(f_.px(2), std::min((bottom - top) * bar_share, f_.px(max_bar)));
    const Box bar{column.x, (top + bottom) / 2 - height / 2, column.w, height};
    const double items = double(end - first);
    const double worked = activity ? double(activity->count(first, end)) / items : 0;
    const double masked = activity ? double(this->masked(*activity, first, end)) / items : 0;
    const bool holds_now = s == f_.segment && works_now(first, end);

    const std::string who =
        range_ == 1 ? item_title(f_.info, of, first) : tr("Items {} to {}", count_text(first), count_text(end - 1));
    f_.scene.begin_mark({.kind = MarkKind::Item, .launch = of.number, .segment = s, .item = first},
                        fmt::format("{}\n{}{}", who, name(s), words(s, activity, first, end)));
    f_.scene.rect({bar.x, top, bar.w, bottom - top}, Role::None);
    if (!activity) {
      f_.scene.rect(bar, Role::None, {Role::Future, f_.thin()}, f_.px(2));  // not read yet
    } else if (range_ > 1 && bar.w >= min_item_cell * static_cast<float>(items)) {
      draw_items(s, bar, *activity, first, end);
    } else {
      draw_bar(s, bar, worked, masked, holds_now, first, end);
      if (range_ == 1 && worked > 0) timeline(s, bar, first, holds_now);
    }
    int lit = f_.lit_item(of.number, first);
    for (const auto& [linked, strength] : {std::pair{&f_.hover, 2}, std::pair{&f_.pinned, 1}})
      if (linked->launch == of.number && linked->item && *linked->item >= first && *linked->item < end)
        lit = std::max(lit, strength);
    if (lit > 0 && f_.hover.segment >= 0 && f_.hover.segment != s) lit = 0;
    if (f_.in_cone(s, first, end)) {
      lit = std::max(lit, 1);
      legend_.add(tr("worked for the output"), [this](Scene&, const Box& at) { f_.outline(at, f_.px(2), 1); });
    }
    f_.outline(bar, f_.px(2), lit);
    f_.scene.end_mark();
  }

  /// Whether one of the items [first, end) does what is done at the cursor.
  bool works_now(std::uint64_t first, std::uint64_t end) const {
    const auto within = [&](const Operation& one) { return one.item >= first && one.item < end; };
    if (f_.turn) return std::any_of(f_.turn->operations.begin(), f_.turn->operations.end(), within);
    return f_.now && within(*f_.now);
  }

  std::string words(int s, const ItemActivity* activity, std::uint64_t first, std::uint64_t end) const {
    if (!activity) return {};
    if (range_ > 1) return "\n" + tr("{} of {} work", count_text(activity->count(first, end)), count_text(end - first));
    if (activity->works(first))
      return std::string("\n") + (f_.begun(s) ? tr("works") : tr("will work")) + accesses_text(s, first);
    if (!all_kept()) return std::string("\n") + tr("nothing of it was kept");
    if (masked(*activity, first, end) > 0)
      return std::string("\n") + tr("masked: its {} runs, it does not", lanes_noun(f_.info));
    return std::string("\n") + (waits(s) ? tr("waits at the barrier") : tr("idle: guard is false"));
  }
  /// ": loads in[1], stores tile[1]", at most so many of them.
  std::string accesses_text(int s, std::uint64_t item) const {
    constexpr std::size_t max_named = 8;
    if (!f_.shows_future()) return {};
    std::string text;
    const auto accesses = item_timeline(f_.document, s, item);
    for (std::size_t a = 0; a < std::min(accesses.size(), max_named); ++a) {
      const std::string place = place_text(f_.info, accesses[a]);
      text += (a == 0 ? ": " : ", ") + (is_read(accesses[a].kind) ? tr("loads {}", place) : tr("stores {}", place));
    }
    return accesses.size() > max_named ? text + ", …" : text;
  }

  /// Loads hollow, stores filled, in the order in which the item made them, where the bar has room for all of them.
  void timeline(int s, const Box& bar, std::uint64_t item, bool holds_now) {
    if (bar.h < f_.px(min_access_height) || (!f_.shows_future() && !f_.past(s))) return;
    const auto accesses = item_timeline(f_.document, s, item);
    const float pitch =
        std::min((bar.w - f_.px(4)) / static_cast<float>(std::max<std::size_t>(accesses.size(), 1)), f_.px(max_access));
    if (accesses.empty() || pitch < f_.px(min_access)) return;
    const Font font = f_.mono(11);
    const bool worked = f_.past(s) && !holds_now;
    const Role ink = holds_now ? Role::Ink : worked ? Role::Ink2 : Role::Ink3;
    float x = bar.x + f_.px(2);
    for (const TimedAccess& access : accesses) {
      const Box box{x, bar.y + f_.px(2), pitch - f_.px(1.5f), bar.h - f_.px(4)};
      x += pitch;
      const bool reads = is_read(access.kind);
      const std::string place = place_text(f_.info, access);
      // A word needs a ground of its own.
      const bool named = text_width(font, place) <= box.w - f_.px(4) && font.size <= box.h;
      f_.scene.rect(box, reads || named ? Role::Canvas : ink, {ink, f_.thin(reads ? 1.0f : 1.8f)}, f_.px(1));
      if (named) f_.text(box.centre().x, box.centre().y, place, font, Role::Ink, box.w - f_.px(2), Anchor::Middle);
      if (!reads && named) f_.scene.rect({box.x, box.bottom() - f_.px(2.5f), box.w, f_.px(2.5f)}, ink);
      if (access.unexplained) unexplained_ring(box, named);
    }
    legend_.add(tr("load"), [this](Scene& legend, const Box& at) {
      legend.rect(at.inset(f_.px(2)), Role::Canvas, {Role::Ink2, f_.thin()}, f_.px(1));
    });
    legend_.add(tr("store"),
                [this](Scene& legend, const Box& at) { legend.rect(at.inset(f_.px(2)), Role::Ink2, {}, f_.px(1)); });
  }

  /// At an access that nothing explains, where its box has room: over the corner of one that has a name.
  void unexplained_ring(const Box& box, bool named) {
    constexpr float min_radius = 4, max_radius = 6;
    const float radius = std::min({f_.px(max_radius), 0.45f * box.w, 0.45f * box.h});
    if (radius < f_.px(min_radius)) return;
    const auto ring = [this](Scene& scene, Point at, float r) {
      draw_badge(scene, f_.input.theme, f_.scale, at, Badge::Unexplained, r);
    };
    ring(f_.scene, named ? Point{box.right() - radius, box.y + radius} : box.centre(), radius);
    legend_.add(tr("nothing explains it"), [this, ring](Scene& legend, const Box& at) {
      ring(legend, at.centre(), std::min(f_.px(max_radius), at.h / 2));
    });
  }

  /// Of a run that was kept in part, an item without an operation may be one that was left out.
  bool all_kept() const { return f_.info.filter.empty(); }
  std::uint64_t masked(const ItemActivity& activity, std::uint64_t first, std::uint64_t end) const {
    return all_kept() ? activity.masked(first, end) : 0;
  }
  bool waits(int s) const {
    const LaunchInfo* of = launch(s);
    return f_.facts.segments_of_launch[of - f_.info.launches.data()] > 1;
  }

  /// Several items in one bar, from left to right, each a cell: what one of them does is not drawn as a part of another's work.
  void draw_items(int s, const Box& bar, const ItemActivity& activity, std::uint64_t first, std::uint64_t end) {
    enum class Kind : std::uint8_t { Worked, Now, ToCome, Masked, Idle };
    const bool current = s == f_.segment && f_.now;
    const auto kind_of = [&](std::uint64_t item) {
      if (!activity.works(item)) return masked(activity, item, item + 1) > 0 ? Kind::Masked : Kind::Idle;
      if (current && f_.now->item == item) return Kind::Now;
      return f_.past(s) || (current && item < f_.now->item) ? Kind::Worked : Kind::ToCome;
    };
    const float cell = bar.w / static_cast<float>(end - first), thin = f_.thin();
    const auto part = [&](std::uint64_t from, std::uint64_t to) {
      return Box{bar.x + cell * static_cast<float>(from - first), bar.y, cell * static_cast<float>(to - from), bar.h};
    };
    // Masked lanes first, behind what works between them.
    for (std::uint64_t item = first; item < end;) {
      std::uint64_t to = item;
      while (to < end && kind_of(to) != Kind::Idle) ++to;
      if (to > item && masked(activity, item, to) > 0) {
        f_.scene.hatch(part(item, to).inset(thin), f_.px(4), {f_.begun(s) ? Role::WarnHatch : Role::Future, thin});
        add_masked();
      }
      item = std::max(to, item + 1);
    }
    std::optional<Box> now;
    for (std::uint64_t item = first; item < end;) {
      const Kind kind = kind_of(item);
      std::uint64_t to = item + 1;
      // Cells that can be told apart are drawn one by one.
      while (to < end && kind_of(to) == kind && (cell < f_.px(5) || kind == Kind::Masked || kind == Kind::Idle)) ++to;
      Box box = part(item, to);
      item = to;
      if (cell >= f_.px(5)) box.w -= f_.px(1.5f);
      switch (kind) {
        case Kind::Worked:
          f_.scene.rect(box, Role::Done);
          add_worked();
          break;
        case Kind::Now: now = box; break;
        case Kind::ToCome:
          f_.scene.rect(box.w > 3 * thin ? box.inset(thin / 2) : box, Role::Canvas,
                        {s == f_.segment ? Role::Done : Role::Future, thin});
          add_to_come(s == f_.segment);
          break;
        case Kind::Masked: break;
        case Kind::Idle: idle(s, box); break;
      }
    }
    if (!now) return;
    // Never too thin to be seen.
    const float width = std::max(now->w, f_.px(4));
    f_.scene.rect({std::min(now->x, bar.right() - width), bar.y, width, bar.h}, Role::Now, {Role::Ink, thin});
    add_now();
  }

  void draw_bar(int s, const Box& bar, double worked, double masked, bool holds_now, std::uint64_t first,
                std::uint64_t end) {
    Scene& scene = f_.scene;
    const float radius = f_.px(2), thin = f_.thin();
    const bool past = f_.past(s) && !holds_now, current = s == f_.segment;
    float x = bar.x;
    const auto take = [&](double share) {
      const Box part{x, bar.y, bar.w * static_cast<float>(share), bar.h};
      x = part.right();
      return part;
    };
    if (worked > 0) {
      const Box part = take(worked);
      if (holds_now && range_ == 1) {
        scene.rect(part, Role::Now, {Role::Ink, f_.px(2)}, radius);
        add_now();
      } else if (holds_now) {
        // The range at work: done up to the cursor's item, and with its last one whole.
        const std::uint64_t reached = f_.now->item + 1 == end ? end : f_.now->item;
        const float done = part.w * static_cast<float>(double(reached - first) / double(end - first));
        scene.rect(part.inset(thin / 2), Role::Canvas, {Role::Done, thin}, radius);
        scene.rect({part.x, part.y, done, part.h}, Role::Done, {}, radius);
        scene.rect({std::min(part.x + done, part.right() - f_.px(4)), part.y, f_.px(4), part.h}, Role::Now,
                   {Role::Ink, thin});
        add_worked(), add_now(), add_to_come(true);
      } else if (past || (current && f_.now && end <= (f_.turn ? f_.turn->group.items.first : f_.now->item))) {
        scene.rect(part, Role::Done, {}, radius);
        add_worked();
      } else {
        scene.rect(part.inset(thin / 2), Role::Canvas, {current ? Role::Done : Role::Future, thin}, radius);
        add_to_come(current);
      }
    }
    if (masked > 0) {
      const Box part = take(masked);
      if (part.w > f_.px(3))
        scene.hatch(part.inset(thin), f_.px(4), {f_.begun(s) ? Role::WarnHatch : Role::Future, thin});
      add_masked();
    }
    if (bar.right() - x > f_.px(3)) idle(s, {x, bar.y, bar.right() - x, bar.h});
  }

  void idle(int s, const Box& part) {
    Stroke dots{f_.begun(s) ? Role::Done : Role::Future, f_.thin(1.4f), f_.px(2), f_.px(4)};
    f_.scene.line({part.x + std::min(f_.px(2), part.w / 4), part.centre().y}, {part.right(), part.centre().y}, dots);
    dots.role = Role::Done;
    legend_.line(!all_kept() ? tr("not kept, or idle")
                 : waits(s)  ? tr("waits at the barrier")
                             : tr("idle: guard is false"),
                 dots);
  }

  void add_masked() {
    legend_.add(tr("masked: its {} runs, it does not", lanes_noun(f_.info)), [this](Scene& legend, const Box& at) {
      legend.hatch(at, f_.px(4), {Role::WarnHatch, f_.thin()});
    });
  }
  void add_worked() { legend_.box(tr("worked"), Role::Done, {}, f_.px(2)); }
  void add_now() { legend_.box(tr("now"), Role::Now, {Role::Ink, f_.px(2)}, f_.px(2)); }
  void add_to_come(bool same) {
    legend_.add(same ? tr("pending, same stage") : tr("pending"), [this, same](Scene& legend, const Box& at) {
      legend.rect(at.inset(f_.thin() / 2), Role::Canvas, {same ? Role::Done : Role::Future, f_.thin()}, f_.px(2));
    });
  }

  /// Around every sub-group whose items diverge.
  void frames(int s, const ItemActivity& activity, std::uint64_t first, std::uint64_t last) {
    if (!f_.begun(s) || !all_kept() || pitch_ * static_cast<float>(activity.sub_group()) < f_.px(frame_from)) return;
    const Box column = bars(s);
    for (std::uint64_t item = first; item <= last && item < activity.items();) {
      const SubGroup lanes = activity.sub_group_of(item);
      const std::uint64_t active = activity.count(lanes.first, lanes.end);
      item = lanes.end;
      if (active == 0 || active == lanes.end - lanes.first) continue;
      const float top = space_.y(rows_.top(lanes.first)), bottom = space_.y(rows_.bottom(lanes.end - 1));
      const Box box{column.x - f_.px(3), top, column.w + f_.px(6), bottom - top};
      framed(box);
      legend_.add(tr("{} that diverges", lanes_noun(f_.info)), [this](Scene&, const Box& at) { framed(at); });
    }
  }
  void framed(const Box& box) {
    f_.scene.rect(box, Role::None, {Role::Ink2, f_.px(3.5f)}, f_.px(3));
    f_.scene.rect(box, Role::None, {Role::Warn, f_.px(2)}, f_.px(3));
  }

  void labels() {
    const float room = space_.body.x - f_.px(items_pad) - f_.px(6);
    const Font font = f_.mono(12), strong = f_.mono(12, Weight::SemiBold);
    const std::uint64_t first = rows_.item(space_.first_v()) / range_ * range_,
                        last = rows_.item(space_.first_v() + space_.height_v());
    std::uint64_t every = range_;
    while (pitch_ * static_cast<float>(every) < f_.px(min_label) * std::max(1.0f, font.size / f_.px(12))) every *= 2;
    // A row of several is called by all of them, where there is room for that in every row.
    const auto range_name = [&](std::uint64_t item, std::uint64_t end) { return fmt::format("I{}–{}", item, end - 1); };
    const bool ranges = range_ > 1 && text_width(strong, range_name(rows_.items - 1, rows_.items)) <= room + f_.px(1);
    float below = -1e9f;
    for (std::uint64_t item = (first + every - 1) / every * every; item <= last; item += every) {
      const std::uint64_t end = std::min(item + range_, rows_.items);
      const float y = (space_.y(rows_.top(item)) + space_.y(rows_.bottom(end - 1))) / 2;
      if (y - font.size * 0.6f < std::max(space_.body.y - f_.px(6), below) ||
          y + font.size * 0.6f > space_.body.bottom())
        continue;
      const bool now = works_now(item, end);
      f_.first_fitting(space_.body.x - f_.px(10), y,
                       {ranges ? range_name(item, end) : fmt::format("I{}", item), std::to_string(item)},
                       now ? strong : font, now ? Role::Ink : Role::Ink2, room, Anchor::End);
      below = y + font.size * 0.6f;
    }
  }

  void totals() {
    const Font font = f_.mono(12);
    const float lanes_y = space_.body.bottom() + f_.px(16), diverge_y = lanes_y + f_.px(18);
    const float room = columns_.width - f_.px(4);
    struct Total {
      int segment;
      ItemActivity::Totals sums;
    };
    std::vector<Total> all;
    for (int s = columns_.first; s < columns_.first + columns_.count; ++s)
      if (f_.shows_future() || f_.past(s))
        if (const ItemActivity* activity = item_activity(f_.document, s)) all.push_back({s, activity->totals()});
    const auto form_of = [&](auto part, auto whole) {
      for (const Form form : {Form::Counts, Form::PerCent})
        if (std::all_of(all.begin(), all.end(), [&](const Total& total) {
              return text_width(font, part_text(form, part(total.sums), whole(total.sums))) <= room;
            }))
          return form;
      return Form::Bare;
    };
    const auto busy = [](const ItemActivity::Totals& t) { return t.active; };
    const auto issued = [](const ItemActivity::Totals& t) { return t.lanes; };
    const auto diverge = [](const ItemActivity::Totals& t) { return t.diverged; };
    const auto run = [](const ItemActivity::Totals& t) { return t.sub_groups; };
    const Form lanes = form_of(busy, issued), groups = form_of(diverge, run);
    float widest = 0;
    for (const Total& total : all) {
      const Box box = bars(total.segment);
      const Role ink = total.segment == f_.segment ? Role::Ink : f_.begun(total.segment) ? Role::Ink2 : Role::Ink3;
      f_.text(box.centre().x, lanes_y, part_text(lanes, busy(total.sums), issued(total.sums)), font, ink, room,
              Anchor::Middle);
      f_.text(box.centre().x, diverge_y, part_text(groups, diverge(total.sums), run(total.sums)), font, ink, room,
              Anchor::Middle);
      widest = box.right();
    }
    // What the two rows say is after the last column, or left out.
    const float left = widest + f_.px(14), rest = f_.scene.width - f_.px(8) - left;
    using Words = std::vector<std::string>;
    f_.first_fitting(left, lanes_y,
                     lanes == Form::Bare ? Words{tr("% of issued lanes are active"), tr("% active")}
                                         : Words{tr("active lanes / issued lanes"), tr("active lanes"), tr("active")},
                     f_.caption(), Role::Ink2, rest);
    f_.first_fitting(left, diverge_y,
                     groups == Form::Bare
                         ? Words{tr("% of {} that run diverge", all_lanes_noun(f_.info)), tr("% diverge")}
                         : Words{tr("{} that diverge, of those that run", all_lanes_noun(f_.info)),
                                 tr("{} that diverge", all_lanes_noun(f_.info)), tr("diverge")},
                     f_.caption(), Role::Ink2, rest);
  }
};

class ItemsView : public FramedView<ItemsFrame> {
 public:
  ItemsView()
      : FramedView("items", translatable("Work-items"),
                   "which work-items work, wait, are idle or masked, segment by segment") {}
  std::string title(const TraceInfo& info) const override {
    return has_threads(info) ? tr("Threads") : tr("Work-items");
  }
  bool has(Document& document) const override { return !document.info().segments.empty(); }

 protected:
  ViewSpace space(const DiagramInput& input) const override {
    const float u = view_scale(input);
    const ItemsSizes sizes = items_sizes(input);
    const RowScale rows(input.document.info());
    const float strips = items_strips(input).height(input);
    const float room = std::max(1.0f, input.height - (sizes.head + sizes.foot) * u - strips);
    // The words behind the totals need some room at the right, unless columns need it more.
    const bool several = double(room) * std::max(1.0, input.viewport.zoom) < rows.all * double(sizes.min_row * u);
    const float left = items_pad * u + label_room(input.document.info(), u, several && !input.small),
                words = input.width > 700 * u && !input.small ? words_room * u : 8 * u;
    const float height = std::min(room, static_cast<float>(rows.all) * sizes.max_row * u);
    // Few rows are in the middle, in a low pane at the top.
    const float above = input.small ? 0 : (room - height) / 2;
    const Box body{left, sizes.head * u + above, input.width - left - words, height};
    return {input, body, false, true, rows.all * double(sizes.max_row * u) / double(room)};
  }
  std::optional<Box> place(const DiagramInput& input, const Operation& operation) const override {
    const RowScale rows(input.document.info());
    const double top = rows.top(operation.item);
    return Box{0, static_cast<float>(top), 1, static_cast<float>(rows.bottom(operation.item) - top)};
  }
};

}  // namespace

std::unique_ptr<const View> items_view() { return std::make_unique<ItemsView>(); }

}  // namespace twiddle
