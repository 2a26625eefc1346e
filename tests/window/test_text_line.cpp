// A line of text that is being edited.
#include "viewer/input/text_line.h"

#include <doctest.h>

#include <string>

using namespace twiddle;

namespace {

bool press(TextLine& line, const char* chord) { return line.edit(parse_chord(chord).value()); }

}  // namespace

TEST_CASE("letters go in at the caret, in place of what is selected") {
  TextLine line = TextLine::selected("old text");
  line.insert(U'n');
  CHECK(line.text == "n");
  for (const char32_t c : U"ew 日本")
    if (c != 0) line.insert(c);
  CHECK(line.text == "new 日本");
  CHECK(press(line, "Left"));
  line.insert(U'é');
  CHECK(line.text == "new 日é本");
  CHECK(press(line, "Backspace"));
  CHECK(press(line, "Backspace"));
  CHECK(line.text == "new 本");
  CHECK(press(line, "Delete"));
  CHECK(line.text == "new ");
  line.insert("two\nlines");
  CHECK(line.text == "new two lines");
}

TEST_CASE("the caret goes by characters and words, and Shift selects") {
  TextLine line;
  line.insert("go to step 8");
  CHECK(press(line, "Ctrl+Left"));
  CHECK(line.caret == 11);
  CHECK(press(line, "Ctrl+Left"));
  CHECK(line.caret == 6);
  CHECK(press(line, "Shift+Ctrl+Left"));
  CHECK(line.selection() == "to ");
  CHECK(press(line, "Right"));  // to the end of what was selected
  CHECK(line.caret == 6);
  CHECK(press(line, "Home"));
  CHECK(press(line, "Ctrl+Delete"));
  CHECK(line.text == " to step 8");
  CHECK(press(line, "Shift+End"));
  CHECK(line.selection() == line.text);
  CHECK(press(line, "Delete"));
  CHECK(line.text.empty());
  for (const char* chord : {"Backspace", "Delete", "Left", "Right", "Ctrl+Left", "Ctrl+Right"})
    CHECK(press(line, chord));
  CHECK(line.text.empty());
  CHECK_FALSE(press(line, "Up"));
  CHECK_FALSE(press(line, "Alt+Left"));
  CHECK_FALSE(press(line, "T"));
}

TEST_CASE("a line has a bound, and is never cut inside a character") {
  TextLine line;
  for (int i = 0; i < 2000; ++i) line.insert(U'本');
  CHECK(line.text.size() <= TextLine::max_bytes);
  CHECK(line.text.size() % 3 == 0);
  line = TextLine::selected(line.text);
  line.insert("short");
  CHECK(line.text == "short");
}
