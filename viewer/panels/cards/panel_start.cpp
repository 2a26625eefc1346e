// The start page: what the program can do, as cards that show runs made on this machine.
#include "base/message.h"
#include "tracer/trace/number_text.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/views/view.h"
#include "viewer/words/source_values.h"

#include <fmt/format.h>

#include <algorithm>

namespace twiddle {
namespace {

constexpr float start_margin = 80, card_gap = 16, card_padding = 16;

struct CardText {
  std::string title, sentence;
};

/// A view of a run, small, in a frame of its own; the step is the run's own.
void thumbnail(const PanelContext& context, Scene& scene, Document& document, const Box& box, std::string_view view,
               std::uint64_t step, float scale) {
  scene.rect(box.inset(context.scale / 2), Role::Canvas, {Role::Line, context.thin()}, context.px(3));
  if (box.w < context.px(60) || box.h < context.px(40)) return;
  step = std::min(step, document.info().steps);
  if (document.replay->step() != step) document.replay->seek(step);
  DiagramInput input{document, {.step = step, .hover = {}, .pinned = {}}, {}, context.theme};
  const Box inner = box.inset(context.px(4));
  input.width = inner.w, input.height = inner.h;
  input.scale = std::max(0.1f, context.state.scale * scale);
  input.language = context.state.language;
  input.small = true;
  input.phase = 1;
  Scene picture = view_of(document, view).draw(input);
  // It is one button: what is in it has no marks of its own.
  for (Shape2D& shape : picture.shapes) shape.mark = -1;
  picture.marks.clear();
  scene.push_clip(inner);
  scene.add(picture, {inner.x, inner.y});
  scene.pop_clip();
}

void waiting(const PanelContext& context, Scene& scene, const Box& box) {
  scene.rect(box.inset(context.scale / 2), Role::Canvas, {Role::Line, context.thin()}, context.px(3));
  label(scene, box.centre().x, box.centre().y, tr("running …"), context.caption(), Role::Ink3, box.w, Anchor::Middle);
}

/// The lines around the one that a run is at, with what it read and wrote.
void source_lines_of(const PanelContext& context, Scene& scene, Document& document, std::uint64_t step,
                     const Box& box) {
  scene.rect(box.inset(context.scale / 2), Role::Canvas, {Role::Line, context.thin()}, context.px(3));
  step = std::min(std::max<std::uint64_t>(step, 1), document.info().steps);
  if (step == 0) return;
  const Operation now = document.replay->operation(step);
  const LaunchInfo* launch = document.info().launch(now.launch);
  const SourceText* source = launch ? document.info().source(launch->source) : nullptr;
  if (!source) return;
  const std::vector<std::string> lines = source_lines(source->text);
  const std::vector<LineValue> values = live_values(document.info(), now);
  const float pitch = context.px(19);
  const auto rows = std::max(1, static_cast<int>((box.h - context.px(10)) / pitch));
  const int at = static_cast<int>(now.line), last = std::min(static_cast<int>(lines.size()), at + 1);
  const int first = std::max(1, last - rows + 1);
  std::size_t indent = std::string::npos;
  for (int line = first; line <= last; ++line)
    if (const std::size_t begin = lines[line - 1].find_first_not_of(' '); begin != std::string::npos)
      indent = std::min(indent, begin);
  if (indent == std::string::npos) indent = 0;
  scene.push_clip(box.inset(context.px(1)));
  float y = box.y + context.px(5) + pitch / 2;
  for (int line = first; line <= last; ++line, y += pitch) {
    if (line == at) scene.rect({box.x + context.px(1), y - pitch / 2, box.w - context.px(2), pitch}, Role::NowSoft);
    label(scene, box.x + context.px(26), y, fmt::format("{}", line), context.mono(11), Role::Ink3, context.px(24),
          Anchor::End);
    float right = box.right() - context.px(8);
    for (const LineValue& value : values) {
      if (value.line != line) continue;
      const Font font = context.mono(11);
      const float width = text_width(font, value.text);
      if (width > box.w * 0.4f) continue;
      plate(context, scene, right - width, y, width, font.size, value.plate, value.underline);
      scene.text({right - width, baseline(font, y)}, value.text, font);
      right -= width + context.px(10);
      break;
    }
    const std::string& text = lines[line - 1];
    label(scene, box.x + context.px(36), y, text.substr(std::min(indent, text.size())), context.mono(11.5f), Role::Ink,
          right - box.x - context.px(42));
  }
  scene.pop_clip();
}

/// The launches of a run whose operations were found in its accesses alone, as a recorded program's are: how many of its
/// values what was found explains.
void launches_of(const PanelContext& context, Scene& scene, Document& document, const Box& box) {
  scene.rect(box.inset(context.scale / 2), Role::Canvas, {Role::Line, context.thin()}, context.px(3));
  const Font code = context.mono(11.5f);
  float y = box.y + context.px(18);
  label(scene, box.x + context.px(10), y, "$ twiddle record -- ./app", code, Role::Ink2, box.w - context.px(20));
  const float pitch = context.px(21);
  for (const LaunchInfo& launch : document.info().launches) {
    y += pitch;
    if (y + pitch / 2 > box.bottom()) break;
    label(scene, box.x + context.px(10), y, fmt::format("{}", launch.number), context.mono(11.5f, Weight::SemiBold),
          Role::Ink, context.px(20));
    label(scene, box.x + context.px(28), y, launch.kernel, code, Role::Ink, box.w * 0.32f);
    const AccessTotals& totals = launch.accesses;
    if (totals.writes == 0) continue;
    const Box whole{box.x + box.w * 0.46f, y - context.px(3.5f), box.w * 0.22f, context.px(7)};
    const float share = static_cast<float>(totals.explained_writes) / static_cast<float>(totals.writes);
    scene.rect(whole.inset(context.scale / 2), Role::None, {Role::Done, context.thin()}, context.px(2));
    scene.rect({whole.x, whole.y, whole.w * share, whole.h}, Role::Done, {}, context.px(2));
    label(scene, box.right() - context.px(10), y,
          count_text(totals.explained_writes) + " / " + count_text(totals.writes), code, Role::Ink2,
          box.right() - whole.right() - context.px(18), Anchor::End);
  }
}

class StartDrawing {
 public:
  StartDrawing(const PanelContext& context, Scene& scene) : context_(context), scene_(scene) {}

  void draw() {
    const float bar = px(44), foot = scene_.height > px(560) ? px(44) : 0;
    scene_.begin_mark({.kind = MarkKind::Pane, .command = "start"});
    scene_.rect({0, 0, scene_.width, scene_.height}, Role::Pane);
    scene_.end_mark();
    const float units = scene_.width / context_.scale;
    columns_ = units < 800 ? 1 : units < 1200 ? 2 : 3;
    margin_ = px(units < 800 ? 16 : units < 1200 ? 40 : start_margin);
    inner_ = std::min(scene_.width - 2 * margin_, px(1760));
    left_ = std::round((scene_.width - inner_) / 2);
    const float room = scene_.height - bar - foot;
    scene_.push_clip({0, bar, scene_.width, room});
    // Drawn once to see how high it is; then from where it is scrolled to.
    Scene measured;
    measured.width = scene_.width, measured.height = scene_.height;
    const float whole = StartDrawing(*this, measured).body(0);
    const float hidden = std::max(0.0f, whole - room);
    const float offset = std::clamp(px(context_.state.scrolled("start")), 0.0f, hidden);
    body(bar - offset);
    if (hidden > 0) {
      const float length = std::max(room * room / whole, px(24));
      scene_.rect({scene_.width - px(5), bar + offset / hidden * (room - length), px(3), length}, Role::Ink3, {},
                  px(1.5f));
    }
    scene_.pop_clip();
    top_bar(bar);
    if (foot > 0) devices(scene_.height - foot, foot);
  }

 private:
  const PanelContext& context_;
  Scene& scene_;
  int columns_ = 3;
  float margin_ = 0, inner_ = 0, left_ = 0;

  StartDrawing(const StartDrawing& other, Scene& scene)
      : context_(other.context_),
        scene_(scene),
        columns_(other.columns_),
        margin_(other.margin_),
        inner_(other.inner_),
        left_(other.left_) {}

  float px(float units) const { return context_.px(units); }

  void top_bar(float height) {
    scene_.rect({0, 0, scene_.width, height}, Role::Pane);
    scene_.line({0, height - context_.scale / 2}, {scene_.width, height - context_.scale / 2}, context_.divider());
    const float centre = height / 2;
    menu_button(context_, scene_, px(8), centre);
    logo(context_, scene_, px(42), centre);
    const Font name = context_.sans(16, Weight::SemiBold);
    float x = px(76);
    scene_.text({x, baseline(name, centre)}, "Twiddle", name);
    x += text_width(name, "Twiddle") + px(16);
    float right = scene_.width - px(16);
    const auto choice = [&](const std::string& caption, Command command, const std::vector<std::string>& names,
                            std::size_t chosen) {
      float width = 0;
      for (const std::string& one : names) width += std::round(text_width(context_.sans(12.5f), one) + px(20));
      if (right - width < x) return;
      right = segmented(context_, scene_, right, centre, command, names, chosen) - px(10);
      const float captioned = text_width(context_.caption(), caption);
      if (right - captioned > x)
        label(scene_, right, centre, caption, context_.caption(), Role::Ink3, captioned + 1, Anchor::End);
      right -= captioned + px(20);
    };
    choice(tr("Theme"), Command::SetTheme, {tr("Light"), tr("Dark"), tr("Projector")},
           static_cast<std::size_t>(context_.state.theme));
    choice(tr("Language"), Command::SetLanguage, {"English", "日本語", "中文"},
           static_cast<std::size_t>(context_.state.language));
  }

  /// All between the bars, from y on; returns its height.
  float body(float y) {
    const float top = y;
    y += px(scene_.height / context_.scale < 700 ? 20 : 34);
    const Font title = context_.sans(28, Weight::SemiBold);
    for (const std::string& line : wrap(title, tr("See every butterfly your GPU computes"), inner_)) {
      label(scene_, left_, y + px(16), line, title, Role::Ink, inner_);
      y += px(34);
    }
    y += px(4);
    const Font words = context_.sans(14);
    for (const std::string& line : wrap(words,
                                        tr("Twiddle runs an FFT, a reduction or your own kernel on a real device, logs "
                                           "what each work-item did, and replays it step by step."),
                                        inner_)) {
      label(scene_, left_, y + px(10), line, words, Role::Ink2, inner_);
      y += px(22);
    }
    y += px(10);
    search({left_, y, inner_, px(40)});
    y += px(40 + card_gap);
    y = cards(y);
    y = recent(y + px(22));
    return y + px(20) - top;
  }

  void search(const Box& box) {
    const Mark mark = command_mark(Command::Palette);
    scene_.begin_mark(mark, tr(meaning_of(Command::Palette).data()));
    scene_.rect(box.inset(px(0.75f)), Role::Canvas,
                {is_hovered(context_, mark) ? Role::Hover : Role::Ink, context_.thin(1.5f)}, px(4));
    lens(scene_, {box.x + px(20), box.centre().y}, px(18), Role::Ink);
    const float keys = key_caps(context_, scene_, box.right() - px(12), box.centre().y, Command::Palette);
    label(scene_, box.x + px(46), box.centre().y, tr("Find an algorithm, a lesson, a bug, a file or a command"),
          context_.sans(14), Role::Ink3, keys - box.x - px(60));
    scene_.end_mark();
  }

  float cards(float y) {
    const float gap = px(card_gap);
    if (columns_ == 3) {
      const float first = std::round((inner_ - 2 * gap) * 520 / 1248),
                  other = std::round((inner_ - first - 2 * gap) / 2);
      // In a low window the cards are lower, and all five are seen at once.
      const float low = px(std::clamp((scene_.height / context_.scale - 44 - 220) / 2 - 16, 160.0f, 208.0f));
      const float tall = 2 * low + gap;
      card(StartPage::Watch, {left_, y, first, tall});
      for (int i = 0; i < 4; ++i)
        card(StartPage::Course + i, {left_ + first + gap + static_cast<float>(i % 2) * (other + gap),
                                     y + static_cast<float>(i < 2 ? 0 : 1) * (low + gap), other, low});
      return y + tall;
    }
    if (columns_ == 2) {
      const float half = std::round((inner_ - gap) / 2), low = px(190), tall = px(360);
      card(StartPage::Watch, {left_, y, inner_, tall});
      y += tall + gap;
      for (int i = 0; i < 4; ++i)
        card(StartPage::Course + i, {left_ + static_cast<float>(i % 2) * (half + gap),
                                     y + static_cast<float>(i < 2 ? 0 : 1) * (low + gap), half, low});
      return y + 2 * low + gap;
    }
    for (int i = 0; i < StartPage::cards; ++i) {
      const float height = px(i == StartPage::Watch ? 300 : 190);
      card(i, {left_, y, inner_, height});
      y += height + gap;
    }
    return y - gap;
  }

  CardText text_of_card(int which) const {
    const WindowState& state = context_.state;
    switch (which) {
      case StartPage::Watch: return {tr("Watch an FFT"), title_of(context_.info())};
      case StartPage::Course: {
        const auto done =
            std::count_if(state.lessons.begin(), state.lessons.end(), [](const LessonEntry& l) { return l.done; });
        const auto next =
            std::find_if(state.lessons.begin(), state.lessons.end(), [](const LessonEntry& l) { return !l.done; });
        if (state.lessons.empty()) return {tr("Learn: the course"), tr("Fourier transforms on a GPU, step by step.")};
        if (next == state.lessons.end())
          return {tr("Learn: the course"), tr("{} lessons, all done.", state.lessons.size())};
        return {tr("Learn: the course"),
                tr("{} of {} done. Next: {}, {} min.", done, state.lessons.size(), next->title, next->minutes)};
      }
      case StartPage::Bug: return {tr("Find a bug"), tr("Kernels with one realistic mistake each.")};
      case StartPage::Kernel: return {tr("Your own kernel"), tr("Open a plan for your kernel; a save runs it.")};
      default: return {tr("Record any program"), tr("Unmodified OpenCL or CUDA. Butterflies are inferred.")};
    }
  }

  void card(int which, const Box& box) {
    const WindowState& state = context_.state;
    const Mark mark = command_mark(Command::ChooseCard, static_cast<std::uint64_t>(which));
    const bool chosen = state.start.chosen == which, hovered = is_hovered(context_, mark);
    const CardText text = text_of_card(which);
    scene_.begin_mark(mark, text.title);
    if (chosen) scene_.rect(box.inset(-px(3)), Role::None, {Role::Ink, context_.thin(2)}, px(7));
    scene_.rect(box.inset(context_.scale / 2), Role::Raised,
                {hovered ? Role::Hover : Role::Line, hovered ? context_.thin(2) : context_.thin()}, px(4));
    const bool watch = which == StartPage::Watch;
    const float pad = px(card_padding), under = px(watch ? 118 : 66);
    const Box frame{box.x + pad, box.y + pad, box.w - 2 * pad, box.h - under - pad};
    const auto run = [&](const std::shared_ptr<Document>& document, const auto& draw) {
      if (document)
        draw(*document);
      else
        waiting(context_, scene_, frame);
    };
    switch (which) {
      case StartPage::Watch:
        thumbnail(context_, scene_, context_.document, frame, "butterfly", state.cursor.step,
                  std::clamp(std::min(frame.w / px(860), frame.h / px(420)), 0.5f, 1.0f));
        break;
      case StartPage::Course:
        run(state.start.course, [&](Document& document) {
          thumbnail(context_, scene_, document, frame, "spectrum", document.info().steps, 0.6f);
        });
        break;
      case StartPage::Bug:
        run(state.start.bug, [&](Document& document) {
          // Where it is wrong.
          const std::vector<TraceNote>& notes = facts_of(document).notes;
          const std::uint64_t step =
              notes.empty() || notes.front().step == 0 ? document.info().steps / 2 : notes.front().step;
          thumbnail(context_, scene_, document, frame, "butterfly", step, 0.6f);
        });
        break;
      case StartPage::Kernel:
        run(state.start.kernel,
            [&](Document& document) { source_lines_of(context_, scene_, document, document.info().steps, frame); });
        break;
      default:
        run(state.start.record, [&](Document& document) { launches_of(context_, scene_, document, frame); });
        break;
    }
    float y = frame.bottom() + px(watch ? 22 : 20);
    const Font cap = context_.mono(11);
    const std::string key = fmt::format("{}", which + 1);
    const float cap_width = std::max(text_width(cap, key) + px(10), px(17));
    const Box plate_box{box.right() - pad - cap_width, std::round(y - px(8.5f)), cap_width, std::round(px(17))};
    scene_.rect(plate_box.inset(context_.scale / 2), Role::Canvas, {Role::Line, context_.thin()}, px(3));
    scene_.text({plate_box.centre().x, baseline(cap, y)}, key, cap, Role::Ink2, Anchor::Middle);
    float right = plate_box.x - px(8);
    const Font title = context_.sans(watch ? 18 : 15, Weight::SemiBold);
    const float titled = label(scene_, box.x + pad, y, text.title, title, Role::Ink, right - box.x - pad);
    if (watch) {
      const std::string where = tr("step {} of {}", count_text(std::min(state.cursor.step, context_.info().steps)),
                                   count_text(context_.info().steps));
      label_if_fits(scene_, right, y, where, context_.caption(), Role::Ink2, right - box.x - pad - titled - px(12),
                    Anchor::End);
    }
    y += px(26);
    label(scene_, box.x + pad, y, text.sentence, context_.ui(), Role::Ink2, box.w - 2 * pad);
    scene_.end_mark();
    if (watch) fields(box, y + px(30), pad);
  }

  /// The fields of the top bar, for the run that is watched.
  void fields(const Box& box, float centre, float pad) {
    const std::string watch = tr("Watch");
    const Font font = context_.sans(12.5f, Weight::SemiBold);
    const float width = std::round(text_width(font, watch) + px(40));
    const Mark mark = command_mark(Command::ChooseCard, StartPage::Watch);
    const Box button{box.right() - pad - width, std::round(centre - px(13)), width, px(26)};
    text_button(context_, scene_, button, mark, watch, font, true);
    run_fields(context_, scene_, box.x + pad, button.x - px(10), centre);
  }

  float recent(float y) {
    const StartPage& start = context_.state.start;
    label(scene_, left_, y, tr("Recent"), context_.ui(Weight::SemiBold), Role::Ink, inner_ / 2);
    const Mark open = command_mark(Command::Open);
    scene_.begin_mark(open, tr(meaning_of(Command::Open).data()));
    const std::string words = tr("Open a file");
    const float width = text_width(context_.ui(), words);
    scene_.rect({left_ + inner_ - width - px(40), y - px(13), width + px(40), px(26)}, Role::None);
    label(scene_, left_ + inner_, y, words, context_.ui(), is_hovered(context_, open) ? Role::Ink : Role::Ink2,
          width + 1, Anchor::End);
    key_caps(context_, scene_, left_ + inner_ - width - px(8), y, Command::Open);
    scene_.end_mark();
    y += px(20);
    const int columns = columns_ == 1 ? 1 : 2;
    const float gap = px(card_gap),
                cell = std::round((inner_ - static_cast<float>(columns - 1) * gap) / static_cast<float>(columns));
    if (start.recent.empty()) {
      label(scene_, left_, y + px(8), tr("Traces that were open are here the next time."), context_.ui(), Role::Ink3,
            inner_);
      return y + px(24);
    }
    for (std::size_t i = 0; i < start.recent.size(); ++i) {
      const RecentFile& file = start.recent[i];
      const int column = static_cast<int>(i) % columns, row = static_cast<int>(i) / columns;
      const Box box{left_ + static_cast<float>(column) * (cell + gap), y + static_cast<float>(row) * px(50), cell,
                    px(44)};
      const Mark mark = command_mark(Command::OpenRecent, i);
      scene_.begin_mark(mark, file.file);
      scene_.rect(
          box.inset(context_.scale / 2), Role::Raised,
          is_hovered(context_, mark) ? Stroke{Role::Hover, context_.thin(2)} : Stroke{Role::Line, context_.thin()},
          px(4));
      const std::size_t slash = file.file.find_last_of('/');
      label(scene_, box.x + px(14), box.y + px(14), file.file.substr(slash == std::string::npos ? 0 : slash + 1),
            context_.mono(12.5f, Weight::SemiBold), Role::Ink, box.w - px(28));
      label(scene_, box.x + px(14), box.y + px(31), file.subject.empty() ? file.file.substr(0, slash) : file.subject,
            context_.caption(), Role::Ink2, box.w - px(28));
      scene_.end_mark();
    }
    const auto rows = (start.recent.size() + static_cast<std::size_t>(columns) - 1) / static_cast<std::size_t>(columns);
    return y + static_cast<float>(rows) * px(50);
  }

  void devices(float y, float height) {
    scene_.rect({0, y, scene_.width, height}, Role::Pane);
    scene_.line({0, y}, {scene_.width, y}, context_.divider());
    const float centre = y + height / 2, end = left_ + inner_;
    const std::string keys = tr("all keys");
    const Mark help = command_mark(Command::Help);
    const float keys_width = text_width(context_.ui(), keys);
    scene_.begin_mark(help, keys);
    scene_.rect({end - keys_width - px(34), y, keys_width + px(34), height}, Role::None);
    label(scene_, end, centre, keys, context_.ui(), Role::Ink2, keys_width + 1, Anchor::End);
    key_caps(context_, scene_, end - keys_width - px(8), centre, Command::Help);
    scene_.end_mark();
    float x = left_ +
              label(scene_, left_, centre, tr("Devices"), context_.ui(Weight::SemiBold), Role::Ink, inner_ / 4) +
              px(16);
    const float right = end - keys_width - px(50);
    for (const DeviceLine& device : context_.state.start.devices) {
      const Font mono = context_.mono(12.5f, Weight::SemiBold);
      const float named = text_width(mono, device.runtime), said = text_width(context_.ui(), device.words);
      if (x + px(16) + named > right) break;
      // Hollow: cannot run here.
      scene_.circle({x + px(5), centre}, px(4), device.can_run ? Role::Done : Role::None,
                    {Role::Done, context_.thin(1.5f)});
      x += px(16);
      scene_.text({x, baseline(mono, centre)}, device.runtime, mono);
      x += named + px(8);
      if (x < right) label(scene_, x, centre, device.words, context_.ui(), Role::Ink2, std::min(said + 1, right - x));
      x += said + px(22);
    }
  }
};

}  // namespace

void start_page(const PanelContext& context, Scene& scene) { StartDrawing(context, scene).draw(); }

}  // namespace twiddle
