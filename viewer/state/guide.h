// A guide leads through traces with text: it draws at the window's left, turns pages, and says what the window should show.
// Lessons are one. The window uses this interface only.
#pragma once

#include "kernels/catalogue/catalogue.h"
#include "viewer/facts/spectrum_goal.h"
#include "viewer/scene/scene.h"
#include "viewer/scene/theme.h"

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

class TraceSource;

/// Marks of a guide's own are commands that begin with this; the window hands clicks on them back.
inline constexpr std::string_view guide_command = "guide:";

class Guide {
 public:
  virtual ~Guide() = default;

  /// Text for a pane `width` px wide, as tall as it is. `size` is the height of body text in px. Presenting, it is without
  /// questions and buttons: question() and foot() have them.
  virtual Scene draw(float width, float size, bool presenting) = 0;
  /// What the pointer is on, or the keyboard's focus; before draw(). Nothing: neither is on anything.
  virtual void point_at(const std::optional<Mark>& mark) { (void)mark; }
  /// The next or the previous page; false: there is none.
  virtual bool page(int by) = 0;
  /// A mark of its own was clicked; true when something changed.
  virtual bool click(const Mark& mark) = 0;

  /// What the page is about.
  struct Place {
    std::shared_ptr<const TraceSource> trace;
    std::uint64_t step = 0;
    std::string view;           // by name; empty: the one the trace opens on
    std::optional<Mark> light;  // pinned
    Request request;            // what the trace was made from
    bool unlocked = false;      // the reader may change and run it again
    bool secret = false;        // the reader is still to say what is wrong: no finding is shown
    std::string page;           // names the page: another one is read from its top
    SpectrumGoal goal;          // what the page asks the samples of its live view to be brought to
  };
  virtual Place place() = 0;
  /// What the page says to the presenter, and what comes after it; empty: nothing.
  virtual std::string notes() = 0;
  virtual std::string next() = 0;
  /// Goes on in another language, on the same page; false: it has only its own.
  virtual bool use_language(Language language) = 0;
  /// A question of this page, for cards under the diagram while presenting.
  struct Card {
    std::string text;
    Mark mark;  // a click on it answers
    bool chosen = false, right = false;
  };
  struct Question {
    std::string text;
    std::vector<Card> cards;
    std::string comment;  // on the answer that was chosen
    bool answered = false;
    Mark show;  // a click on it gives the right answer, which counts as none
  };
  virtual std::optional<Question> question() { return {}; }
  /// What a click on an element in the diagram means to a question that asks for one: a mark of the guide's own, to be clicked in
  /// its place.
  virtual std::optional<Mark> answer_at(const Mark& element) {
    (void)element;
    return {};
  }
  /// Which page of how many, from 1, and the marks that turn them, for the foot of the pane; nothing where there are no pages.
  struct Foot {
    std::size_t at = 0, of = 0;
    Mark previous, next, contents;
  };
  virtual std::optional<Foot> foot() { return {}; }
  /// The samples at hand and their spectrum, as the run that is shown computed it: what a click that asks whether it fits judges.
  virtual void use_spectrum(const std::vector<std::complex<double>>& samples,
                            const std::vector<std::complex<double>>& bins) {
    (void)samples, (void)bins;
  }
  /// The samples are others now: what was said of them holds no more. True when something is gone.
  virtual bool samples_changed() { return false; }
  /// A line that the reader is to type, asked for by the last click; nothing: none is.
  struct Typing {
    std::string title, hint;  // above and below the line
    std::string text;         // in it already
  };
  virtual std::optional<Typing> typing() { return {}; }
  /// What was typed. Throws Error: why it cannot be taken.
  virtual void typed(const std::string& text) { (void)text; }
  /// What the window is to do because of the last click, beside showing place(): told once.
  struct Wish {
    bool go_back = false;         // to the page's step
    std::vector<double> samples;  // what the live view's handles are brought to; empty: they stay
    std::string copied, said;     // text for the clipboard, and what the user is told of it
  };
  virtual Wish wish() { return {}; }
  /// Something that went wrong since the last call, as a sentence; empty: nothing did.
  virtual std::string complaint() = 0;
};

}  // namespace twiddle
