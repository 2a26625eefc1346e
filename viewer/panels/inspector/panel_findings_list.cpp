// The findings, in the right pane: by class, the one that is looked at as a card with what happened, the source and what to do.
#include "base/message.h"
#include "viewer/facts/findings.h"
#include "viewer/facts/twin_lines.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/words/twiddle_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace twiddle {
namespace {

constexpr float findings_pad = 16, finding_line = 17, source_line = 20;

/// Notes of one class, in the order of the list.
struct FindingGroup {
  std::string name;
  Severity severity = Severity::Note;
  std::vector<std::size_t> notes;  // indices into TraceFacts::notes
};

std::string class_name(const TraceNote& note) {
  return note.finding ? std::string(name_of(note.finding->kind)) : note.title.translated();
}

std::vector<FindingGroup> groups_of(const TraceFacts& facts) {
  std::vector<FindingGroup> groups;
  for (std::size_t n = 0; n < facts.notes.size(); ++n) {
    const std::string name = class_name(facts.notes[n]);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const FindingGroup& g) {
      return g.name == name && g.severity == facts.notes[n].severity;
    });
    if (group == groups.end()) group = groups.insert(group, {name, facts.notes[n].severity, {}});
    group->notes.push_back(n);
  }
  return groups;
}

/// "stage 2", "stages 1–4", "bit reversal": where a group's findings are.
std::string where_of(const PanelContext& context, const std::vector<std::size_t>& notes) {
  const TraceInfo& info = context.info();
  int first = 0, last = 0;
  for (const std::size_t n : notes) {
    const TraceNote& note = context.facts.notes[n];
    if (!note.finding || note.finding->stage < 1) continue;
    first = first == 0 ? note.finding->stage : std::min(first, note.finding->stage);
    last = std::max(last, note.finding->stage);
  }
  if (first > 0 && first == last) return tr("stage {}", first);
  if (first > 0) return tr("stages {}–{}", first, last);
  const TraceNote& note = context.facts.notes[notes.front()];
  if (note.step < 1 || note.step > info.steps) return {};
  return context.facts.segment_names[context.document.replay->segment_of(note.step)];
}

std::uint64_t group_of(const TraceInfo& info, int launch, std::uint64_t item) {
  const LaunchInfo* of = info.launch(launch);
  return of && of->group_size() > 0 ? item / of->group_size() : 0;
}

/// The two operations of a race, in the log's order: the one at the finding's step, and the other party's nearest.
struct Party {
  Operation operation;
  bool writes = false;
};
std::vector<Party> parties_of(const PanelContext& context, const Finding& finding) {
  constexpr std::uint64_t max_read = 1 << 14;
  const TraceInfo& info = context.info();
  if ((finding.kind != FindingClass::Race && finding.kind != FindingClass::RaceSameValue) || finding.buffer < 0 ||
      !finding.element || finding.step < 1 || finding.step > info.steps)
    return {};
  const Operation here = context.document.replay->operation(finding.step);
  const std::uint64_t index = *finding.element;
  const bool local = info.buffers[finding.buffer].space == Space::Local;
  const bool reads = includes(here.reads, finding.buffer, index);
  // Of a butterfly, which reads and writes, what the finding is about: the other party then writes.
  std::optional<Operation> other;
  const std::uint64_t first = finding.step > max_read ? finding.step - max_read : 1;
  context.document.replay->for_each(
      first, std::min(info.steps, finding.step + max_read), false, [&](const Operation& op) {
        if (op.launch != here.launch || op.epoch != here.epoch) return op.step < finding.step;
        const bool party = op.item != here.item &&
                           (!local || group_of(info, op.launch, op.item) == group_of(info, here.launch, here.item)) &&
                           includes(op.writes, finding.buffer, index);
        if (party && (!other || op.step <= finding.step)) other = op;
        return !(other && op.step > finding.step);
      });
  if (!other) return {};
  std::vector<Party> parties = {{here, !reads}, {*other, true}};
  if (other->step < here.step) std::swap(parties[0], parties[1]);
  return parties;
}

class FindingsPanel {
 public:
  FindingsPanel(const PanelContext& context, Scene& scene, Box box)
      : c_(context),
        scene_(scene),
        box_(box),
        left_(box.x + c_.px(findings_pad)),
        right_(box.right() - c_.px(findings_pad)) {}

  void draw(bool closable) {
    float y = box_.y;
    y = header(y, closable);
    scene_.push_clip({box_.x, y, box_.w, box_.bottom() - y});
    const float top = y;
    y -= c_.px(std::max(0.0f, c_.state.scrolled("findings")));
    const std::size_t first = scene_.shapes.size();
    const std::vector<FindingGroup> groups = groups_of(c_.facts);
    const std::size_t chosen = chosen_note();
    for (std::size_t g = 0; g < groups.size(); ++g)
      if (!c_.state.findings.hidden[static_cast<std::size_t>(groups[g].severity)])
        y = group(groups[g], g, chosen, y, top);
    if (c_.facts.notes.empty())
      label(scene_, left_, y + c_.px(12), tr("Nothing was found."), c_.ui(), Role::Ink2, right_ - left_);
    scene_.pop_clip();
    // What the pane would cut is not drawn.
    const float bottom = box_.bottom();
    const auto cut = [&](const Shape2D& shape) {
      const Box box = bounds(shape);
      if (const auto* text = std::get_if<TextShape>(&shape.geometry))
        return text->at.y - cap_height(text->font) < top || text->at.y + 0.25f * text->font.size > bottom;
      return box.bottom() < top || box.y > bottom;
    };
    scene_.shapes.erase(
        std::remove_if(scene_.shapes.begin() + static_cast<std::ptrdiff_t>(first), scene_.shapes.end(), cut),
        scene_.shapes.end());
  }

 private:
  /// The one whose card is open: the pinned one, else the first.
  std::size_t chosen_note() const {
    const auto& pinned = c_.state.cursor.pinned;
    if (pinned && pinned->kind == MarkKind::Finding && pinned->index < c_.facts.notes.size()) return pinned->index;
    if (c_.now)
      if (const TraceNote* note = finding_at_step(c_.facts, c_.now->step))
        return static_cast<std::size_t>(note - c_.facts.notes.data());
    return 0;
  }

  float header(float y, bool closable) {
    const float centre = y + c_.px(24);
    float x = right_;
    if (closable) {
      cross_button(c_, scene_, {x - c_.px(10), centre}, c_.px(20), command_mark(Command::CloseFindings),
                   tr("back to the operation"));
      x -= c_.px(30);
    }
    // How many of each severity: a click hides them, or shows them again.
    for (const Severity severity : {Severity::Note, Severity::Warning, Severity::Error}) {
      const auto count = std::count_if(c_.facts.notes.begin(), c_.facts.notes.end(),
                                       [&](const TraceNote& note) { return note.severity == severity; });
      if (count == 0) continue;
      const auto number = static_cast<std::uint64_t>(severity);
      const bool hidden = c_.state.findings.hidden[number];
      const Mark mark = command_mark(Command::FilterFindings, number);
      const std::string text = std::to_string(count);
      const float width = c_.px(14) + c_.px(5) + text_width(c_.mono(12, Weight::SemiBold), text);
      const Box box{x - width - c_.px(6), centre - c_.px(12), width + c_.px(12), c_.px(24)};
      const std::string what =
          severity == Severity::Error     ? plural(static_cast<std::uint64_t>(count), "{} error", "{} errors")
          : severity == Severity::Warning ? plural(static_cast<std::uint64_t>(count), "{} warning", "{} warnings")
                                          : plural(static_cast<std::uint64_t>(count), "{} note", "{} notes");
      scene_.begin_mark(mark, hidden ? tr("{}: show them", what) : tr("{}: hide them", what));
      scene_.rect(box, is_hovered(c_, mark) ? Role::HoverSoft : Role::None, hidden ? Stroke{} : c_.divider(), c_.px(4));
      severity_sign(c_, scene_, severity, {x - width + c_.px(7), centre}, c_.px(14));
      label(scene_, x, centre, text, c_.mono(12, hidden ? Weight::Regular : Weight::SemiBold),
            hidden ? Role::Ink3 : Role::Ink, width, Anchor::End);
      if (hidden)
        scene_.line({box.x + c_.px(2), centre}, {box.right() - c_.px(2), centre}, {Role::Ink2, c_.thin(1.5f)});
      scene_.end_mark();
      x = box.x - c_.px(8);
    }
    label(scene_, left_, centre, tr("Findings"), c_.sans(18, Weight::SemiBold), Role::Ink, x - left_);
    return y + c_.px(44);
  }

  float group(const FindingGroup& group, std::size_t number, std::size_t chosen, float y, float top) {
    const bool has_chosen = std::find(group.notes.begin(), group.notes.end(), chosen) != group.notes.end();
    const bool toggled = c_.state.findings.toggled.contains(group.name);
    const bool open = (group.severity == Severity::Error || has_chosen) != toggled;
    // The class, where it is, and how often: a click folds it.
    const Mark mark = command_mark(Command::FoldFindings, number);
    const float centre = y + c_.px(14);
    const std::string count = group.notes.size() > 1 ? fmt::format("×{}  ", group.notes.size()) : std::string();
    scene_.begin_mark(mark, open ? tr("{}: fold", group.name) : tr("{}: open", group.name));
    scene_.rect({box_.x + c_.px(6), y + c_.px(2), box_.w - c_.px(12), c_.px(24)},
                is_hovered(c_, mark) ? Role::HoverSoft : Role::None, {}, c_.px(4));
    severity_sign(c_, scene_, group.severity, {left_ + c_.px(7), centre}, c_.px(14));
    const float aside = label(scene_, right_, centre, count + where_of(c_, group.notes), c_.caption(), Role::Ink2,
                              (right_ - left_) * 0.45f, Anchor::End);
    label(scene_, left_ + c_.px(22), centre, group.name, c_.mono(13, Weight::SemiBold), Role::Ink,
          right_ - aside - c_.px(8) - left_ - c_.px(22));
    scene_.end_mark();
    y += c_.px(28);
    if (!open) return y + c_.px(2);
    for (const std::size_t n : group.notes) {
      if (y > box_.bottom()) break;
      y = n == chosen ? card(n, y) : line(n, y, top);
    }
    return y + c_.px(8);
  }

  /// One that is not looked at: its first two lines.
  float line(std::size_t number, float y, float) {
    const TraceNote& note = c_.facts.notes[number];
    const Mark mark{.kind = MarkKind::Finding, .index = number, .step = note.step};
    const float from = left_ + c_.px(22);
    std::vector<std::string> lines = wrap(c_.caption(), sentence_of(note), right_ - from);
    if (lines.size() > 2) lines.resize(2), lines[1] += " …";
    const float height = c_.px(finding_line) * static_cast<float>(lines.size());
    const Box area{from - c_.px(4), y, right_ - from + c_.px(8), height + c_.px(4)};
    scene_.begin_mark(mark, titled_text_of(note));
    scene_.rect(area, is_hovered(c_, mark) ? Role::HoverSoft : Role::None, {}, c_.px(4));
    for (const std::string& text : lines) {
      sentence_label(scene_, from, y + c_.px(finding_line / 2 + 2), text, c_.caption(), Role::Ink2, right_ - from);
      y += c_.px(finding_line);
    }
    scene_.end_mark();
    return y + c_.px(6);
  }

  static std::string sentence_of(const TraceNote& note) {
    TraceNote said = note;
    if (note.finding) said.text = Message("{}.", note.finding->message);  // without the advice
    return text_of(said);
  }

  float paragraph(const std::string& text, const Font& font, Role role, float from, float to, float y, float pitch) {
    for (const std::string& one : wrap(font, text, to - from)) {
      sentence_label(scene_, from, y + pitch / 2, one, font, role, to - from);
      y += pitch;
    }
    return y;
  }

  float card(std::size_t number, float y) {
    const TraceNote& note = c_.facts.notes[number];
    const float top = y, from = left_ + c_.px(4), to = right_;
    // The ground is known when the card is: it is put in behind.
    const std::size_t ground = scene_.shapes.size();
    scene_.rect({left_ - c_.px(8), top, right_ - left_ + c_.px(16), 0}, Role::Raised);
    scene_.rect({left_ - c_.px(8), top, c_.px(4), 0}, note.severity == Severity::Error     ? Role::Error
                                                      : note.severity == Severity::Warning ? Role::Warn
                                                                                           : Role::Done);
    y += c_.px(8);
    std::string place;
    if (note.finding && note.finding->launch > 0) {
      place = fmt::format("L{}", note.finding->launch);
      if (note.finding->epoch >= 0) place += ", " + tr("epoch {}", note.finding->epoch);
      if (note.finding->buffer >= 0) {
        const BufferInfo& buffer = c_.info().buffers[note.finding->buffer];
        place += fmt::format(", {} {}[]", word_of(buffer.space), buffer.name);
      }
    }
    if (!place.empty()) {
      label(scene_, from, y + c_.px(8), place, c_.caption(), Role::Ink2, to - from);
      y += c_.px(20);
    }
    y = paragraph(sentence_of(note), c_.ui(), Role::Ink, from, to, y, c_.px(19)) + c_.px(4);
    if (note.finding) {
      const std::vector<Party> parties = parties_of(c_, *note.finding);
      y = timeline(*note.finding, parties, from, to, y);
      if (note.step > 0 && note.step <= c_.info().steps)
        y = logged_and_ideal(c_, scene_, *note.finding, c_.document.replay->operation(note.step),
                             {from, y, to - from, 1e6f});
      y = source(*note.finding, parties, from, to, y);
      if (note.finding->occurrences > 1)
        y = paragraph(tr("So it is {} times.", count_text(note.finding->occurrences)), c_.caption(), Role::Ink2, from,
                      to, y, c_.px(finding_line)) +
            c_.px(2);
      if (!note.finding->advice.empty())
        y = paragraph(note.finding->advice.translated(), c_.caption(), Role::Ink2, from, to, y, c_.px(finding_line)) +
            c_.px(4);
    }
    y = buttons(note, from, to, y);
    y = repair(note, from, to, y);
    for (std::size_t s = ground; s < ground + 2; ++s) std::get<BoxShape>(scene_.shapes[s].geometry).box.h = y - top;
    return y + c_.px(8);
  }

  /// What two work-items did without an order, one lane each, time to the right.
  float timeline(const Finding& finding, const std::vector<Party>& parties, float from, float to, float y) {
    if (parties.size() != 2) return y;
    const Font name = c_.mono(12, Weight::SemiBold), font = c_.mono(12);
    const float lanes = from + c_.px(52), pitch = c_.px(30), height = 2 * pitch + c_.px(12), plate = c_.px(22);
    scene_.rect({lanes, y, to - lanes, height}, Role::Canvas, c_.divider());
    std::array<Box, 2> boxes;
    for (std::size_t p = 0; p < 2; ++p) {
      const Operation& op = parties[p].operation;
      const float centre = y + c_.px(6) + pitch * (static_cast<float>(p) + 0.5f);
      label(scene_, from, centre, fmt::format("I{}", op.item), name, Role::Ink, lanes - from - c_.px(4));
      const std::string segment = c_.facts.segment_names[c_.document.replay->segment_of(op.step)];
      const std::string element = fmt::format("{}[{}]", c_.info().buffers[finding.buffer].name, *finding.element);
      const std::string text = segment + (parties[p].writes ? ": " + element + " ←" : ": ← " + element);
      const float room = (to - lanes) * 0.66f, width = std::min(room, text_width(font, text) + c_.px(16));
      Box& box = boxes[p];
      box = {p == 0 ? lanes + c_.px(10) : to - c_.px(10) - width, centre - plate / 2, width, plate};
      const Mark mark{.kind = MarkKind::Item, .launch = op.launch, .step = op.step, .item = op.item};
      scene_.begin_mark(mark, sentence(c_.info(), op));
      scene_.rect(box, Role::DoneSoft, {is_hovered(c_, mark) ? Role::Hover : Role::Done, c_.thin(1.25f)}, c_.px(4));
      label(scene_, box.x + c_.px(8), centre, text, font, Role::Ink, width - c_.px(12));
      scene_.end_mark();
    }
    const Stroke missing{Role::Error, c_.thin(2.5f), c_.px(6), c_.px(4)};
    const float right = std::max(boxes[0].right() + c_.px(12), boxes[1].x + c_.px(14));
    const Point bend{right, boxes[0].centre().y};
    if (right > boxes[0].right()) {
      scene_.line({boxes[0].right(), bend.y}, bend, missing);
      scene_.line(bend, {right, boxes[1].y}, missing);
    }
    label_if_fits(scene_, right + c_.px(8), bend.y, tr("not ordered"), c_.caption(Weight::SemiBold), Role::Ink,
                  to - right - c_.px(12));
    return y + height + c_.px(8);
  }

  /// The lines that it is about, with those that the right twin has, or that a repair changes.
  float source(const Finding& finding, const std::vector<Party>& parties, float from, float to, float y) {
    const TraceInfo& info = c_.info();
    const std::vector<FindingLine> lines = finding_lines(info, finding);
    if (lines.empty()) return y;
    const bool twin = std::any_of(lines.begin(), lines.end(),
                                  [](const FindingLine& line) { return line.kind != FindingLine::Kind::Code; });
    const std::string file = finding.fix && finding.fix->in_plan
                                 ? std::filesystem::path(finding.fix->file).filename().string()
                             : finding.source >= 0 && finding.source < static_cast<int>(info.sources.size())
                                 ? info.sources[finding.source].name
                                 : std::string();
    const float aside =
        twin ? label(scene_, to, y + c_.px(8), finding.fix ? tr("± makes it right") : tr("+ line of the right twin"),
                     c_.caption(), Role::Ink3, (to - from) * 0.6f, Anchor::End)
             : 0;
    label(scene_, from, y + c_.px(8), file, c_.mono(12), Role::Ink2, to - from - aside - c_.px(8));
    y += c_.px(20);
    const float pitch = c_.px(source_line), height = pitch * static_cast<float>(lines.size()) + c_.px(6);
    scene_.rect({from, y, to - from, height}, Role::Canvas, c_.divider());
    y += c_.px(3);
    const Font font = c_.code(), strong = c_.code(Weight::SemiBold);
    for (const FindingLine& line : lines) {
      const float centre = y + pitch / 2;
      const bool plus = line.kind == FindingLine::Kind::Missing, minus = line.kind == FindingLine::Kind::Wrong;
      const bool marked = line.role != FindingLine::Part::None;
      if (plus || minus)
        scene_.rect({from + c_.px(1), y, to - from - c_.px(2), pitch}, plus ? Role::WSoft : Role::ErrorSoft, {}, 0);
      if (minus) scene_.line({from + c_.px(2), y}, {from + c_.px(2), y + pitch}, {Role::Error, c_.px(3)});
      if (plus) scene_.line({from + c_.px(2), y}, {from + c_.px(2), y + pitch}, {Role::W, c_.px(3)});
      const std::string number = plus ? "+" : minus ? "−" : line.number > 0 ? std::to_string(line.number) : "⋮";
      label(scene_, from + c_.px(30), centre, number, c_.mono(11, plus || minus ? Weight::SemiBold : Weight::Regular),
            plus || minus ? Role::Ink : Role::Ink3, c_.px(28), Anchor::End);
      std::string words;
      for (const Party& party : parties)
        if (marked && (party.operation.step == finding.step) == (line.role == FindingLine::Part::Here))
          words = party.writes ? tr("writes") : tr("reads");
      float end = to - c_.px(8);
      if (!words.empty())
        end -= label(scene_, end, centre, words, c_.caption(), Role::Ink2, c_.px(80), Anchor::End) + c_.px(8);
      label(scene_, from + c_.px(38), centre, line.text, plus || minus || marked ? strong : font, Role::Ink,
            end - from - c_.px(38));
      y += pitch;
    }
    return y + c_.px(8);
  }

  float buttons(const TraceNote& note, float from, float to, float y) {
    const float height = c_.px(28), centre = y + height / 2 + c_.px(2);
    float x = from;
    const auto button = [&](const std::string& text, const Mark& mark, bool primary) {
      const Font font = c_.ui(Weight::SemiBold);
      const float width = text_width(font, text) + c_.px(28);
      if (x + width > to) return;
      text_button(c_, scene_, {x, centre - height / 2, width, height}, mark, text, font, primary);
      x += width + c_.px(8);
    };
    if (note.step > 0)
      button(tr("Go to it"),
             command_mark(Command::GoToFinding, static_cast<std::uint64_t>(&note - c_.facts.notes.data())), true);
    if (c_.state.can_show_twin && !c_.state.beside && !twin_of(c_.info().algorithm).empty())
      button(tr("Show the right twin"), command_mark(Command::ShowTwin), false);
    const auto keys = c_.state.keys.chords(Command::NextFinding);
    if (!keys.empty())
      label_if_fits(scene_, to, centre, display_text(keys.front()), c_.mono(11), Role::Ink3, to - x, Anchor::End);
    return centre + height / 2 + c_.px(10);
  }

  /// What can be done with the change that makes the outcome right, or about finding one.
  float repair(const TraceNote& note, float from, float to, float y) {
    const RepairState& search = c_.state.repair;
    const bool known = note.finding && note.finding->fix;
    const bool wanted = note.finding && note.severity == Severity::Error && !known && search.possible;
    if (!known && !wanted) return y;
    const Font font = c_.ui(Weight::SemiBold);
    const float height = c_.px(28), centre = y + height / 2;
    float x = from;
    const auto button = [&](const std::string& text, Command command, bool primary) {
      const float width = std::min(text_width(font, text) + c_.px(28), to - x);
      text_button(c_, scene_, {x, y, width, height}, command_mark(command), text, font, primary);
      x += width + c_.px(8);
    };
    if (known) {
      if (c_.state.can_run && !c_.state.beside) button(tr("Try it"), Command::TryRepair, true);
      button(tr("Copy as a diff"), Command::CopyRepair, false);
    } else if (search.running) {
      button(tr("Stop"), Command::SearchRepair, false);
      label(scene_, x, centre, tr("Searching: {} tried", plural(search.tried, "{} change", "{} changes")), c_.caption(),
            Role::Ink2, to - x);
    } else {
      if (!search.outcome.empty())
        return paragraph(search.outcome, c_.caption(), Role::Ink2, from, to, y, c_.px(finding_line)) + c_.px(8);
      button(tr("Search the repair"), Command::SearchRepair, false);
    }
    return y + height + c_.px(10);
  }

  const PanelContext& c_;
  Scene& scene_;
  const Box box_;
  const float left_, right_;
};

/// How much of what kernels without trace lines wrote is in operations; nothing of other traces.
std::string lifted_text(const TraceInfo& info) {
  std::uint64_t writes = 0, explained = 0;
  for (const LaunchInfo& launch : info.launches) {
    if (!launch.accesses.lifted) continue;
    writes += launch.accesses.writes;
    explained += launch.accesses.explained_writes;
  }
  if (writes == 0) return {};
  return " " + tr("Of {} that kernels without trace lines wrote, operations explain {}.",
                  plural(writes, "{} value", "{} values"), count_text(explained));
}

}  // namespace

float notes_part(const PanelContext& context, Scene& scene, Box box, std::size_t min_lines) {
  const float left = box.x, right = box.right(), text_left = left + context.px(context.facts.notes.empty() ? 0 : 22);
  heading(context, scene, left, box.y + context.px(8), right, context.facts.notes.empty() ? tr("Log") : tr("Findings"));
  float y = box.y + context.px(20);
  const float line_height = context.px(16);
  float floor = box.bottom();
  // As many lines as asked for and as there is room for; what is cut off ends in "…".
  const auto paragraph = [&](const std::string& text, const Font& font, Role role, std::size_t most) {
    const std::vector<std::string> lines = wrap(font, text, right - text_left);
    const auto fit = static_cast<std::size_t>(std::max(0.0f, (floor - y) / line_height));
    const std::size_t shown = std::min({lines.size(), most, fit});
    for (std::size_t n = 0; n < shown; ++n, y += line_height)
      sentence_label(scene, text_left, y + line_height / 2,
                     n + 1 == shown && shown < lines.size() ? lines[n] + "…" : lines[n], font, role, right - text_left);
  };
  const bool all_well = context.facts.notes.empty();
  const std::string count = plural(context.info().steps, "{} operation", "{} operations");
  const std::string closing = (all_well ? tr("{}. None lost, and every value that was read is explained.", count)
                                        : tr("{} in the log.", count)) +
                              lifted_text(context.info());
  const float closing_height =
      line_height * static_cast<float>(wrap(context.caption(), closing, right - text_left).size());
  // A class has one entry: errors with what they say, of warnings a few lines, of notes the name alone.
  const std::vector<FindingGroup> groups = groups_of(context.facts);
  const auto errors = static_cast<std::size_t>(std::count_if(
      groups.begin(), groups.end(), [](const FindingGroup& group) { return group.severity != Severity::Note; }));
  const float names = line_height * 2 * static_cast<float>(groups.size());
  const auto lines_each = static_cast<std::size_t>(std::max(
      0.0f, (floor - closing_height - y - names) / static_cast<float>(std::max<std::size_t>(1, errors)) / line_height));
  const std::size_t max_lines = std::max(min_lines, lines_each);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const FindingGroup& group = groups[g];
    if (context.state.findings.hidden[static_cast<std::size_t>(group.severity)]) continue;
    const TraceNote& note = context.facts.notes[group.notes.front()];
    // What comes after keeps its room: how many operations there are, and while there are more findings, how many.
    floor = box.bottom() - closing_height - context.px(g + 1 < groups.size() ? 24 : 8);
    if (y + context.px(36) > floor) {
      std::size_t left_out = 0;
      for (std::size_t more = g; more < groups.size(); ++more) left_out += groups[more].notes.size();
      label(scene, text_left, y + context.px(6), tr("{} more", left_out), context.caption(), Role::Ink3,
            right - text_left);
      y += line_height;
      break;
    }
    const Mark mark{.kind = MarkKind::Finding, .index = group.notes.front(), .step = note.step};
    scene.begin_mark(mark, titled_text_of(note));
    const float top = y;
    severity_sign(context, scene, note.severity, {left + context.px(7), y + context.px(9)}, context.px(14));
    y += context.px(1);
    if (group.notes.size() == 1) {
      paragraph(note.title.translated(), context.mono(12), Role::Ink, 2);
    } else {
      paragraph(group.name, context.mono(12), Role::Ink, 1);
      paragraph(fmt::format("{}  ×{}", where_of(context, group.notes), group.notes.size()), context.caption(),
                Role::Ink2, 1);
    }
    y += context.px(2);
    const std::size_t most = note.severity == Severity::Note ? (errors == 0 ? max_lines : 0) : max_lines;
    paragraph(text_of(note), context.caption(), Role::Ink2, most);
    const Box area{left - context.px(6), top, right - left + context.px(12), y - top};
    scene.rect(area, Role::None);
    context.outline(scene, area, context.px(4), is_hovered(context, mark) ? 2 : 0);
    scene.end_mark();
    y += context.px(8);
  }
  floor = box.bottom();
  paragraph(closing, context.caption(), Role::Ink3, 4);
  return y;
}

void findings_part(const PanelContext& context, Scene& scene, Box box, bool closable) {
  FindingsPanel(context, scene, box).draw(closable);
}

std::string finding_group(const TraceFacts& facts, std::uint64_t number) {
  const std::vector<FindingGroup> groups = groups_of(facts);
  return number < groups.size() ? groups[number].name : std::string();
}

}  // namespace twiddle
