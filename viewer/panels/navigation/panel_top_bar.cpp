// The top bar: what was run, as fields; run again; which view.
#include "base/tr.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/views/view.h"

namespace twiddle {
namespace {

constexpr float control_height = 26, control_padding = 8, field_gap = 6, max_field = 210, tab_gap = 22;
constexpr float max_tabs = 0.33f;  // of the bar

/// All of it, however long it is.
float whole_width(const PanelContext& context, const ChoiceField& field) {
  float width = context.px(2 * control_padding) + text_width(context.mono(12, Weight::SemiBold), field.value);
  if (!field.caption.empty()) width += text_width(context.caption(), field.caption) + context.px(6);
  if (!field.entries.empty()) width += context.px(13);
  return width;
}

float field_width(const PanelContext& context, const ChoiceField& field) {
  return std::min(whole_width(context, field), context.px(max_field));
}

Mark field_mark(const ChoiceField& field) {
  return {.kind = MarkKind::Choice, .index = static_cast<std::uint64_t>(-1), .command = field.name};
}

void draw_field(const PanelContext& context, Scene& scene, const Box& box, const ChoiceField& field) {
  const Mark mark = field_mark(field);
  const float centre = box.centre().y;
  // A file by its name; where it is is in the tooltip.
  const std::string whole = field.chosen.find('/') == std::string::npos || field.name != "signal"
                                ? field.value
                                : field.value + "\n" + field.chosen;
  if (!field.entries.empty()) {
    const std::string what = field.name == "algorithm"   ? tr("algorithm")
                             : field.name == "direction" ? tr("direction")
                                                         : field.caption;
    scene.begin_mark(mark, what.empty() ? whole : what + " " + whole);
    control_box(context, scene, box, mark);
  } else {
    // A field without a list is flat: no button, no arrow.
    scene.begin_mark(mark, field.caption.empty() ? whole : field.caption + " " + whole);
    scene.rect(box.inset(context.px(0.5f)), Role::None, context.divider(), context.px(4));
  }
  float x = box.x + context.px(control_padding);
  if (!field.caption.empty())
    x += label(scene, x, centre, field.caption, context.caption(), Role::Ink3, box.w) + context.px(6);
  const float room =
      box.right() - x - context.px(field.entries.empty() ? control_padding : control_padding + 13) + 0.5f;
  label(scene, x, centre, field.value, context.mono(12, Weight::SemiBold), Role::Ink, room);
  if (!field.entries.empty()) {
    chevron(scene, {box.right() - context.px(control_padding + 3), centre + context.px(1)}, context.px(7), Role::Ink2);
  }
  scene.end_mark();
}

// A button with a word and, where there is room, the key that does the same.
float button(const PanelContext& context, Scene& scene, float x, float centre, Command command, const std::string& text,
             const std::string& key, bool outlined) {
  const Font font = context.sans(12.5f, outlined ? Weight::SemiBold : Weight::Regular), key_font = context.mono(11);
  const float key_width = key.empty() ? 0 : text_width(key_font, key) + context.px(20);
  const float width = std::round(text_width(font, text) + context.px(2 * 10) + key_width),
              height = context.px(control_height);
  if (!outlined || x >= 0) {
    const Mark mark = command_mark(command);
    scene.begin_mark(mark, tr(meaning_of(command).data()));
    const Box box{x, std::round(centre - height / 2), width, height};
    control_box(context, scene, box, mark);
    if (outlined && !is_hovered(context, mark))
      scene.rect(box.inset(context.px(0.5f)), Role::None, {Role::Ink, context.thin()}, context.px(4));
    scene.text({x + context.px(10), baseline(font, centre)}, text, font);
    if (!key.empty())
      scene.text({box.right() - context.px(9), baseline(key_font, centre)}, key, key_font, Role::Ink3, Anchor::End);
    scene.end_mark();
  }
  return width;
}

// The views as tabs that end at `right`, or, where these would take too much of the bar, as one field with a list, `room` px
// wide at most. Returns how wide they are.
float draw_views(const PanelContext& context, Scene& scene, float right, float height, float room = 1e9f) {
  const std::vector<const View*> views = views_of(context.document);
  const View& current = view_of(context.document, context.state.tab);
  std::vector<std::string> names;
  const float gap = context.px(tab_gap);
  float width = -gap;
  for (const View* view : views) {
    names.push_back(view->title(context.info()));
    width += text_width(context.ui(view == &current ? Weight::SemiBold : Weight::Regular), names.back()) + gap;
  }
  if (width <= max_tabs * scene.width) {
    const auto at = static_cast<std::size_t>(std::find(views.begin(), views.end(), &current) - views.begin());
    tabs(context, scene, right - width, 0, height - context.scale, Command::ShowView, names, at, tab_gap);
    return width;
  }
  const ChoiceField field = view_field(context.document, context.state.tab);
  width = std::round(std::min(field_width(context, field), room));
  const float box_height = context.px(control_height);
  draw_field(context, scene, {std::round(right - width), std::round(height / 2 - box_height / 2), width, box_height},
             field);
  return width;
}

void draw_share(const PanelContext& context, Scene& scene, float x, float centre, float width) {
  const Mark mark = command_mark(Command::Share);
  const Font font = context.sans(12.5f);
  const Box box{x, std::round(centre - context.px(control_height) / 2), width, context.px(control_height)};
  scene.begin_mark(mark, tr(meaning_of(Command::Share).data()));
  control_box(context, scene, box, mark);
  scene.text({box.x + context.px(10), baseline(font, centre)}, tr("Share"), font);
  chevron(scene, {box.right() - context.px(11), centre + context.px(1)}, context.px(7), Role::Ink2);
  scene.end_mark();
}

/// The field that shows that the palette is there: a lens where there is no room for more.
void draw_search(const PanelContext& context, Scene& scene, float x, float room, float centre) {
  const float height = context.px(control_height);
  if (room < height) return;
  const bool lens_alone = room < context.px(150);
  const float width = lens_alone ? height : std::min(room, context.px(230));
  const Mark mark = command_mark(Command::Palette);
  const Box box{x, std::round(centre - height / 2), width, height};
  scene.begin_mark(mark, tr(meaning_of(Command::Palette).data()));
  control_box(context, scene, box, mark);
  lens(scene, {box.x + height / 2, centre}, context.px(14), Role::Ink2);
  if (!lens_alone) {
    const float keys = key_caps(context, scene, box.right() - context.px(6), centre, Command::Palette);
    label(scene, box.x + height, centre, tr("Find"), context.sans(12.5f), Role::Ink3,
          keys - box.x - height - context.px(6));
  }
  scene.end_mark();
}

float text_button_width(const PanelContext& context, const std::string& text) {
  return std::round(text_width(context.sans(12.5f), text) + context.px(2 * 10));
}

}  // namespace

void menu_button(const PanelContext& context, Scene& scene, float x, float centre) {
  const Mark mark = command_mark(Command::Menu);
  const Box box{x, std::round(centre - context.px(control_height) / 2), context.px(control_height),
                context.px(control_height)};
  const bool open = context.state.menu.name == "menu";
  scene.begin_mark(mark, tr(meaning_of(Command::Menu).data()));
  control_box(context, scene, box, mark, open);
  for (const float dy : {-4.5f, 0.0f, 4.5f})
    scene.line({box.x + context.px(7), centre + context.px(dy)}, {box.right() - context.px(7), centre + context.px(dy)},
               {open ? Role::Canvas : Role::Ink, context.thin(2)});
  scene.end_mark();
}

// The fields of the run. A broken kernel's name says what is wrong with it, and is left out while a reader is still to say that.
std::vector<ChoiceField> fields_of(const PanelContext& context) {
  std::vector<ChoiceField> fields = context.state.fields.empty() ? trace_fields(context.info()) : context.state.fields;
  constexpr std::string_view gallery = "gallery/";
  for (ChoiceField& field : fields)
    if (context.document.findings_kept_back && field.value.starts_with(gallery))
      field.value = std::string(gallery) + "…";
  return fields;
}

float run_fields(const PanelContext& context, Scene& scene, float x, float right, float centre) {
  for (const ChoiceField& field : fields_of(context)) {
    const float width = std::round(field_width(context, field)), height = context.px(control_height);
    if (field.folded || field.name == more_field) continue;
    if (x + width > right) break;
    draw_field(context, scene, {std::round(x), std::round(centre - height / 2), width, height}, field);
    x += width + context.px(field_gap);
  }
  return x;
}

Scene top_bar_panel(const PanelContext& context, float width, float height) {
  Scene scene = pane(context, width, height, Edge::Bottom);
  const float centre = height / 2;

  // From the right: presenting, then the views.
  float right = width - context.px(16);
  const float present = text_button_width(context, tr("Present"));
  const bool wide = width > context.px(560);
  if (wide) {
    right -= present;
    button(context, scene, right, centre, Command::Present, tr("Present"), "", false);
    if (width > context.px(1000)) {
      right -= text_button_width(context, tr("Predict")) + context.px(8);
      button(context, scene, right, centre, Command::Predict, tr("Predict"), "", context.state.predict != Predict::Off);
    }
    const float share = text_button_width(context, tr("Share")) + context.px(13);
    right -= share + context.px(8);
    draw_share(context, scene, right, centre, share);
    right -= context.px(20);
    right -= draw_views(context, scene, right, height) + context.px(24);
  } else if (views_of(context.document).size() > 1) {
    right -= draw_views(context, scene, right, height, right - context.px(84)) + context.px(field_gap);
  }

  menu_button(context, scene, context.px(8), centre);
  logo(context, scene, context.px(42), centre);
  float x = context.px(76);
  std::vector<ChoiceField> fields = fields_of(context);
  std::erase_if(fields, [](const ChoiceField& field) { return field.folded; });
  const Font run_font = context.sans(12.5f, Weight::SemiBold);
  const float run_width = context.state.can_run
                              ? std::round(text_width(run_font, tr("Run again")) + context.px(2 * 10 + 20) +
                                           text_width(context.mono(11), "R"))
                              : 0;
  const float min_device = context.px(96);
  const float search = wide ? context.px(control_height + field_gap) : 0;  // the lens at least
  right -= search;
  const auto needed = [&](std::size_t count, bool cut_last) {
    float sum = run_width;
    for (std::size_t i = 0; i < count; ++i) {
      const float full = field_width(context, fields[i]);
      sum += (cut_last && i + 1 == count ? std::min(full, min_device) : full) + context.px(field_gap);
    }
    return sum;
  };
  // The program's name goes first when room is short, then the last fields' details, then the last fields.
  const Font name_font = context.sans(16, Weight::SemiBold);
  const float name_width = text_width(name_font, "Twiddle");
  if (x + name_width + context.px(18) + needed(fields.size(), true) <= right) {
    scene.text({x, baseline(name_font, centre)}, "Twiddle", name_font);
    x = x + name_width + context.px(18);
  }
  std::size_t count = fields.size();
  while (count > 1 && x + needed(count, true) > right) --count;
  for (std::size_t i = 0; i < count; ++i) {
    const float rest = right - x - run_width - context.px(field_gap);
    // The last one, the device, may be as long as there is room.
    const float wanted = i + 1 == count ? whole_width(context, fields[i]) : field_width(context, fields[i]);
    const float field = std::min(std::round(wanted), std::floor(rest));
    if (field < context.px(30)) break;
    draw_field(context, scene,
               {std::round(x), std::round(centre - context.px(control_height) / 2), field, context.px(control_height)},
               fields[i]);
    x += field + context.px(field_gap);
  }
  if (context.state.can_run && x + run_width <= right) {
    button(context, scene, std::round(x), centre, Command::RunAgain,
           context.state.run_fraction >= 0 ? tr("Running …") : tr("Run again"), "R", true);
    x += run_width + context.px(field_gap);
  }
  if (wide) draw_search(context, scene, std::round(x), right + search - x, centre);
  return scene;
}

}  // namespace twiddle
