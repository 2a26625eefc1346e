// Presenting: equations at the foot in large type, and questions with cards A to D that count votes.
#include "base/message.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/panels/turn_words.h"
#include "viewer/scene/diagram_parts.h"
#include "viewer/state/guide.h"
#include "viewer/words/twiddle_name.h"

#include <algorithm>
#include <bit>

namespace twiddle {
namespace {

/// A card: what it says, in one line or with a name below, and what it is worth.
struct AnswerCard {
  std::vector<Piece> text, below;
  Mark mark;
  bool chosen = false, right = false;
};

std::vector<Piece> pieces_of(const Equation& equation, const Font& font, bool all_rows) {
  std::vector<Piece> pieces{{equation.target.text, font, equation.target.plate == Role::Now ? Role::OnNow : Role::Ink,
                             equation.target.plate, equation.target.underline}};
  for (std::size_t r = 0; r < equation.rows.size(); ++r) {
    if (!all_rows && r > 0 && r + 1 < equation.rows.size()) continue;
    const EquationRow& row = equation.rows[r];
    pieces.push_back({" " + row.relation + " ", font, Role::Ink});
    for (const EquationPart& token : row.tokens)
      pieces.push_back(
          {token.text, font, token.plate == Role::Now ? Role::OnNow : Role::Ink, token.plate, token.underline});
  }
  return pieces;
}

/// One card: a letter on ink, the answer, and the votes for it. Answered: the right one is on yellow.
void draw_card(const PanelContext& context, Scene& scene, const Box& box, std::size_t number, const AnswerCard& card,
               bool answered) {
  const auto& votes = context.state.presentation.votes;
  const bool right = answered && card.right, wrong = answered && card.chosen && !card.right;
  scene.begin_mark(card.mark, std::string(1, static_cast<char>('A' + number)));
  scene.rect(box, right ? Role::Now : Role::Raised,
             {is_hovered(context, card.mark) ? Role::Hover : Role::Ink, context.px(1.75f)}, context.px(4));
  const Box letter{box.x, box.y, context.px(24), box.h};
  scene.rect(letter, Role::Ink, {}, context.px(4));
  centred_text(scene, letter.centre(), std::string(1, static_cast<char>('A' + number)),
               context.sans(14, Weight::SemiBold), Role::Canvas);
  const bool tally = context.state.presentation.answers() > 0;
  const float left = letter.right() + context.px(12), room = box.right() - context.px(8) - left;
  const int lines = 1 + (card.below.empty() ? 0 : 1) + (tally ? 1 : 0);
  float y = box.centre().y - context.px(9) * static_cast<float>(lines - 1);
  const Role ink = right ? Role::OnNow : Role::Ink;
  const auto line = [&](std::vector<Piece> pieces) {
    const float width = pieces_width(pieces);
    for (Piece& piece : pieces) {
      if (width > room) piece.font.size *= room / width;
      piece.role = ink;
    }
    draw_pieces(context, scene, left, y, pieces);
    y += context.px(18);
  };
  line(card.text);
  if (!card.below.empty()) line(card.below);
  if (tally) {
    const unsigned most = *std::max_element(votes.begin(), votes.end());
    const std::string count = std::to_string(votes[number]);
    const float bar = room - context.px(26);
    scene.rect({left, y - context.px(4), bar, context.px(8)}, Role::None, {ink, context.px(0.75f)});
    scene.rect(
        {left, y - context.px(4), bar * static_cast<float>(votes[number]) / static_cast<float>(most), context.px(8)},
        ink);
    label(scene, box.right() - context.px(8), y, count, context.mono(12), ink, context.px(24), Anchor::End);
  }
  if (wrong)
    scene.line({left, box.centre().y}, {box.right() - context.px(8), box.centre().y}, {Role::Ink, context.px(1.5f)});
  scene.end_mark();
}

/// "24 answers", and what shows the right one.
void foot(const PanelContext& context, Scene& scene, float left, float right, float centre, bool answered) {
  const unsigned answers = context.state.presentation.answers();
  float from = left;
  if (answers > 0)
    from += label(scene, left, centre, plural(answers, "{} answer", "{} answers"), context.sans(12, Weight::SemiBold),
                  Role::Ink, right - left) +
            context.px(12);
  if (!answered)
    label_if_fits(scene, right, centre, tr("Space: show it"), context.sans(12), Role::Ink2, right - from, Anchor::End);
}

/// The partner of a butterfly of radix 2; the other row of a sum or a swap; where a move goes. The cards are of elements whose
/// index differs in a bit, of the index read backwards, and of the element opposite: the same ones for every answer among
/// them, so that they do not give it away. Fewer than two: no cards.
std::vector<AnswerCard> predict_cards(const PanelContext& context, const Operation& op) {
  const TraceInfo& info = context.info();
  if (op.reads.empty() || op.reads[0].buffer < 0) return {};
  const bool butterfly = op.kind == OperationKind::Butterfly && op.reads.size() == 2;
  const bool partner =
      butterfly || ((op.kind == OperationKind::Combine || op.kind == OperationKind::Swap) && op.reads.size() == 2);
  const bool target = op.kind == OperationKind::Move && !op.writes.empty();
  if (!partner && !target) return {};
  const Access own = op.reads[0];
  const Access right = partner ? op.reads[1] : op.writes[0];
  const std::uint64_t count = right.buffer >= 0 ? info.buffers[right.buffer].count : 0;
  std::vector<std::uint64_t> candidates;
  const auto offer = [&](std::uint64_t index) {
    if (index < count && (target || index != own.index) &&
        std::find(candidates.begin(), candidates.end(), index) == candidates.end())
      candidates.push_back(index);
  };
  std::uint64_t backwards = 0;
  for (std::uint64_t bit = 1; bit < count; bit *= 2) {
    offer(own.index ^ bit);
    if ((own.index & bit) != 0) backwards |= std::bit_floor(count - 1) / bit;
  }
  offer(backwards), offer(count - 1 - own.index), offer(own.index + 1);
  const auto place = std::find(candidates.begin(), candidates.end(), right.index);
  // Of many bits those around the right one.
  const auto at = static_cast<std::size_t>(place - candidates.begin());
  if (place == candidates.end())
    candidates.insert(candidates.begin(), right.index);
  else if (at >= answer_cards)
    candidates.erase(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(
                                                                  std::min(at - 1, candidates.size() - answer_cards)));
  if (candidates.size() > answer_cards) candidates.resize(answer_cards);
  if (candidates.size() < 2) return {};
  std::sort(candidates.begin(), candidates.end());
  std::vector<AnswerCard> cards;
  for (const std::uint64_t index : candidates) {
    AnswerCard card;
    Access element = right;
    element.index = index;
    card.text = {{element_text(info, element), context.mono(15, Weight::SemiBold)}};
    card.right = index == right.index;
    card.mark = command_mark(Command::PickCard, cards.size());
    cards.push_back(std::move(card));
  }
  return cards;
}

}  // namespace

Scene present_strip_panel(const PanelContext& context, float width, float height) {
  Scene scene = pane(context, width, height, Edge::Top, {}, Role::Canvas);
  scene.line({0, context.px(0.75f)}, {width, context.px(0.75f)}, {Role::Ink, context.px(1.5f)});
  const float pad = context.px(20), centre = height / 2;
  // Where one is: stage and step.
  const int stages = stage_count(context.info());
  const std::string step = tr("step {} of {}", count_text(std::min(context.state.cursor.step, context.info().steps)),
                              count_text(context.info().steps));
  const std::string stage =
      context.now && context.now->stage > 0 && stages > 0 ? tr("stage {} of {}", context.now->stage, stages)
      : context.segment >= 0 ? context.facts.segment_names[static_cast<std::size_t>(context.segment)]
                             : tr("start");
  const Font strong = context.sans(14, Weight::SemiBold), plain = context.sans(13);
  const float aside = std::max(text_width(strong, stage), text_width(plain, step));
  label(scene, width - pad, centre - context.px(10), stage, strong, Role::Ink, aside + 1, Anchor::End);
  label(scene, width - pad, centre + context.px(11), step, plain, Role::Ink2, aside + 1, Anchor::End);
  const float right = width - pad - aside - context.px(24);
  if (context.state.predict == Predict::Asking || !context.now) {
    const std::string words = context.state.predict == Predict::Asking ? std::string() : tr("Nothing has run yet.");
    label_if_fits(scene, pad, centre, words, context.sans(15), Role::Ink2, right - pad);
    return scene;
  }
  if (context.turn) {
    const std::string words = turn_sentence(context.info(), *context.turn);
    for (float size = 18; size >= 11; --size)
      if (label_if_fits(scene, pad, centre, words, context.mono(size), Role::Ink, right - pad)) break;
    return scene;
  }
  const OperationText text = described(context);
  const std::size_t shown = std::min<std::size_t>(2, text.equations.size());
  if (shown == 0 || text.equations.size() > 2) {
    const std::string words = sentence(context.info(), *context.now);
    float size = 17;
    while (size > 11 && text_width(context.mono(size), words) > right - pad) size -= 0.5f;
    label(scene, pad, centre, words, context.mono(size), Role::Ink, right - pad);
    return scene;
  }
  // As large as fits: all three forms of each equation, else the formula and its result.
  const float largest = shown == 1 ? 19.0f : 17.0f, least = 10.5f;
  float size = largest;
  bool all = true;
  const auto widest = [&] {
    float most = 0;
    for (std::size_t e = 0; e < shown; ++e)
      most = std::max(most, pieces_width(pieces_of(text.equations[e], context.mono(size), all)));
    return most;
  };
  while (size > 13 && widest() > right - pad) size -= 0.5f;
  if (widest() > right - pad) {
    all = false, size = largest;
    while (size > least && widest() > right - pad) size -= 0.5f;
  }
  const float pitch = context.px(30);
  for (std::size_t e = 0; e < shown; ++e) {
    const std::vector<Piece> pieces = pieces_of(text.equations[e], context.mono(size), all);
    const float y = centre + pitch * (static_cast<float>(e) - static_cast<float>(shown - 1) / 2);
    if (pieces_width(pieces) <= right - pad) draw_pieces(context, scene, pad, y, pieces);
  }
  return scene;
}

Scene present_question_panel(const PanelContext& context, float width, float height) {
  Scene scene = pane(context, width, height, Edge::Left, {}, Role::Canvas);
  scene.line({context.px(0.75f), 0}, {context.px(0.75f), height}, {Role::Ink, context.px(1.5f)});
  const TraceInfo& info = context.info();
  const bool asking = context.state.predict == Predict::Asking;
  const std::uint64_t step = context.state.cursor.step + (asking ? 1 : 0);
  const float left = context.px(18), right = width - context.px(18);
  float y = context.px(24);
  if (step < 1 || step > info.steps) {
    label(scene, left, y, tr("Nothing has run yet."), context.sans(15), Role::Ink2, right - left);
    return scene;
  }
  const Operation op = context.document.replay->operation(step);
  const Font font = context.sans(15, Weight::SemiBold);
  for (const std::string& line : wrap(font, question_text(info, op), right - left)) {
    label(scene, left, y, line, font, Role::Ink, right - left);
    y += context.px(20);
  }
  y += context.px(6);
  const std::vector<AnswerCard> cards = predict_cards(context, op);
  const float bottom = height - context.px(36), gap = context.px(9);
  const float each =
      cards.empty() ? 0 : std::min(context.px(52), (bottom - y) / static_cast<float>(cards.size()) - gap);
  if (each >= context.px(24))
    for (std::size_t i = 0; i < cards.size(); ++i, y += each + gap)
      draw_card(context, scene, {left, y, right - left, each}, i, cards[i], !asking);
  foot(context, scene, left, right, height - context.px(20), !asking);
  return scene;
}

Scene present_cards_panel(const PanelContext& context, float width, float height) {
  Scene scene = pane(context, width, height, Edge::Top, {}, Role::Canvas);
  scene.line({0, context.px(0.75f)}, {width, context.px(0.75f)}, {Role::Ink, context.px(1.5f)});
  const auto question = context.state.guide->question();
  if (!question) return scene;
  const float left = context.px(18), right = width - context.px(18);
  float y = context.px(24), size = 17;
  std::vector<std::string> lines;
  for (; size >= 12; size -= 1) {
    lines = wrap(context.sans(size, Weight::SemiBold), question->text, right - left);
    if (lines.size() <= 2) break;
  }
  for (const std::string& line : lines) {
    label(scene, left, y, line, context.sans(size, Weight::SemiBold), Role::Ink, right - left);
    y += context.px(size * 1.3f);
  }
  const auto count = static_cast<float>(std::max<std::size_t>(1, question->cards.size()));
  const float gap = context.px(11), each = (right - left - gap * (count - 1)) / count;
  const float top = y, bottom = height - context.px(question->answered ? 40 : 28);
  for (std::size_t i = 0; i < question->cards.size() && i < answer_cards; ++i) {
    const Guide::Card& card = question->cards[i];
    AnswerCard drawn;
    drawn.mark = card.mark, drawn.chosen = card.chosen, drawn.right = card.right;
    // In two lines where one is too long.
    const Font large = context.sans(15, Weight::SemiBold), small = context.sans(12, Weight::SemiBold);
    const float room = each - context.px(44);
    if (text_width(large, card.text) <= room) {
      drawn.text = {{card.text, large}};
    } else {
      const std::vector<std::string> parts = wrap(small, card.text, room);
      drawn.text = {{parts.front(), small}};
      std::string rest;
      for (std::size_t p = 1; p < parts.size(); ++p) rest += (rest.empty() ? "" : " ") + parts[p];
      if (!rest.empty()) drawn.below = {{rest, small}};
    }
    draw_card(context, scene, {left + static_cast<float>(i) * (each + gap), top, each, bottom - top}, i, drawn,
              question->answered);
  }
  if (question->answered) {
    const std::vector<std::string> comment = wrap(context.sans(12), question->comment, right - left);
    for (std::size_t n = 0; n < std::min<std::size_t>(2, comment.size()); ++n)
      label(scene, left, bottom + context.px(12) + context.px(16) * static_cast<float>(n),
            n == 1 && comment.size() > 2 ? comment[n] + " …" : comment[n], context.sans(12), Role::Ink, right - left);
  } else {
    foot(context, scene, left, right, height - context.px(14), false);
  }
  return scene;
}

}  // namespace twiddle
