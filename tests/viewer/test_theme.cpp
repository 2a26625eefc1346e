#include "viewer/scene/diagram_parts.h"
#include "viewer/scene/theme.h"

#include <doctest.h>

#include <array>

using namespace twiddle;

namespace {
constexpr std::array all = {ThemeName::Light, ThemeName::Dark, ThemeName::Projector};
}

TEST_CASE("contrast is that of WCAG 2") {
  CHECK(contrast({0, 0, 0}, {255, 255, 255}) == doctest::Approx(21));
  CHECK(contrast({255, 255, 255}, {255, 255, 255}) == doctest::Approx(1));
  CHECK(contrast({0x76, 0x76, 0x76}, {255, 255, 255}) == doctest::Approx(4.54).epsilon(0.01));
}

TEST_CASE("every text has a contrast of 4.5 to 1 with every ground it is put on") {
  for (const ThemeName name : all) {
    const Theme& t = theme(name);
    CAPTURE(std::string(name_of(name)));
    for (const Role ground : {Role::Canvas, Role::Pane, Role::Raised}) {
      for (const Role ink : {Role::Ink, Role::Ink2, Role::Ink3})
        CHECK(contrast(t.colour(ink), t.colour(ground)) >= 4.5);
    }
    for (const Role plate : {Role::DoneSoft, Role::NowSoft, Role::HoverSoft, Role::ASoft, Role::BSoft, Role::WSoft,
                             Role::ErrorSoft, Role::WarnSoft})
      CHECK(contrast(t.colour(Role::Ink), t.colour(plate)) >= 4.5);
    CHECK(contrast(t.colour(Role::OnNow), t.colour(Role::Now)) >= 4.5);
  }
}

TEST_CASE(
    "every mark has a contrast of 3 to 1 with the canvas, by itself or by the dark outline it always has on white") {
  for (const ThemeName name : all) {
    const Theme& t = theme(name);
    CAPTURE(std::string(name_of(name)));
    // Diagrams are on the canvas, charts on raised cards. On a pane the purple of w only underlines a plate.
    for (const Role ground : {Role::Canvas, Role::Raised}) {
      const auto away = [&](Role role) { return contrast(t.colour(role), t.colour(ground)); };
      for (const Role role : {Role::Done, Role::B, Role::W, Role::Error, Role::WarnHatch}) CHECK(away(role) >= 3);
      // Blue is a dark colour on a dark ground: its tag carries a white outline there.
      CHECK((away(Role::A) >= 3 || name == ThemeName::Dark));
      // Yellow, sky and orange: dark outline on light grounds.
      for (const Role role : {Role::Now, Role::Hover, Role::Warn}) {
        if (name == ThemeName::Dark) CHECK(away(role) >= 3);
        CHECK(contrast(t.colour(Role::OnNow), t.colour(role)) >= 3);
      }
    }
  }
}

TEST_CASE("text on a colour that is the same in every theme can be read in all of them") {
  for (const Role ground : {Role::A, Role::B, Role::Now, Role::W, Role::Warn}) {
    const Role ink = text_on(theme(ThemeName::Light), ground);
    for (const ThemeName name : all) {
      CAPTURE(std::string(name_of(name)));
      CHECK(text_on(theme(name), ground) == ink);
      CHECK(contrast(theme(name).colour(ink), theme(name).colour(ground)) >= 4.5);
    }
  }
}

TEST_CASE("the eight greys of the state strip go one way, and neighbours differ") {
  for (const ThemeName name : all) {
    const Theme& t = theme(name);
    const Rgb canvas = t.colour(Role::Canvas);
    for (int i = 1; i < 8; ++i) {
      const auto grey = [&](int step) { return t.colour(static_cast<Role>(static_cast<int>(Role::Grey0) + step)); };
      CHECK(contrast(grey(i), canvas) > contrast(grey(i - 1), canvas) * 1.1);
    }
  }
}
