// What the presenter sees: the notes at the cursor, what is shown, and what comes next.
#include "viewer/frame/presenter_scene.h"

#include "scene_texts.h"
#include "traced.h"
#include "viewer/state/guide.h"

#include <doctest.h>

#include <algorithm>
#include <string>

using namespace twiddle;

TEST_CASE("a bookmark's note is shown from its step on, until the next one's") {
  Document document(traced("fft-radix2", 8));
  document.bookmarks = {{2, "look at the swaps"}, {8, "the first factor that is not 1"}, {9, ""}};
  WindowState state;
  PresenterView view;
  view.seconds = 3725;
  const auto at = [&](std::uint64_t step) {
    state.cursor.step = step;
    return presenter_scene(document, state, view);
  };
  CHECK(shows(at(0), "No notes here"));
  CHECK(shows(at(0), "1:02:05"));
  CHECK(shows(at(2), "look at the swaps"));
  CHECK(shows(at(7), "look at the swaps"));
  CHECK(shows(at(9), "the first factor that is not 1"));
  CHECK(shows(at(9), "Next: "));
  CHECK(shows(at(14), "This is the last step."));
  CHECK_FALSE(shows(at(14), "Next: "));
  CHECK(document.replay->step() == 14);
}

TEST_CASE("the presenter's texts do not overlap, at any size") {
  Document document(traced("fft-radix2", 8));
  document.bookmarks = {
      {2,
       "a note that is long enough to need more than one line of the screen, and then some more of it "
       "so that it runs on"}};
  WindowState state;
  state.cursor.step = 8;
  for (const auto& [width, height] : {std::pair{640.0f, 480.0f}, {1280.0f, 720.0f}, {3840.0f, 2160.0f}})
    for (const float scale : {1.0f, 2.0f}) {
      PresenterView view;
      view.width = width, view.height = height, view.scale = scale;
      for (const std::string& fault : text_faults(presenter_scene(document, state, view))) {
        CAPTURE(view.width);
        CAPTURE(scale);
        CAPTURE(fault);
        CHECK(fault.empty());
      }
    }
}

TEST_CASE("a lesson's notes to its step, and the step after it, are shown to the presenter") {
  struct Spoken : Guide {
    Scene draw(float, float, bool) override { return {}; }
    bool page(int) override { return false; }
    bool click(const Mark&) override { return false; }
    Place place() override { return {}; }
    std::string notes() override { return "let them sort it on paper first"; }
    std::string next() override { return "Even and odd"; }
    bool use_language(Language) override { return false; }
    std::string complaint() override { return {}; }
  } lesson;
  Document document(traced("fft-radix2", 8));
  document.bookmarks = {{8, "a bookmark's own"}};
  WindowState state;
  state.guide = &lesson;
  const auto at = [&](std::uint64_t step) {
    state.cursor.step = step;
    return presenter_scene(document, state, {});
  };
  CHECK(shows(at(0), "let them sort it on paper first"));
  CHECK(shows(at(0), "Even and odd"));
  CHECK_FALSE(shows(at(0), "No notes here"));
  CHECK_FALSE(shows(at(0), "a bookmark's own"));
  CHECK(shows(at(9), "let them sort it on paper first"));
  CHECK(shows(at(9), "a bookmark's own"));
  CHECK(text_faults(at(9)).empty());
}
