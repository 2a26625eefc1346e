// Films as walks: which steps they show, how many frames they have, and how the camera moves.
#include "cli/export/exports.h"

#include "base/error.h"
#include "traced.h"
#include "viewer/document/document.h"

#include <doctest.h>

#include <algorithm>
#include <vector>

using namespace twiddle;
using namespace twiddle::cli;

namespace {

std::vector<TurnPlace> at_steps(std::initializer_list<std::uint64_t> steps) {
  std::vector<TurnPlace> places;
  for (const std::uint64_t step : steps) places.push_back({step, 0});
  return places;
}

std::vector<TurnPlace> all_steps(const TraceInfo& info) {
  std::vector<TurnPlace> places;
  for (std::uint64_t step = 0; step <= info.steps; ++step) places.push_back({step, 0});
  return places;
}

WalkOptions walk_of(Document& document) {
  WalkOptions walk;
  walk.places = all_steps(document.info());
  walk.picture.width = 320, walk.picture.height = 180;
  return walk;
}

}  // namespace

TEST_CASE("a walk by stages has the ends of its stages, and both of its own ends") {
  const auto trace = traced("fft-radix2", 8);
  CHECK(walk_by_stages(trace->info(), 0, 14) == at_steps({0, 2, 6, 10, 14}));
  CHECK(walk_by_stages(trace->info(), 3, 9) == at_steps({3, 6, 9}));
  CHECK(walk_by_stages(trace->info(), 5, 5) == at_steps({5}));
}

TEST_CASE("a film has a card before it, a pace, and stages where operations would take too long") {
  Document document(traced("fft-radix2", 8));
  WalkOptions walk = walk_of(document);
  CHECK(film_of(document, walk).frames == 15);
  walk.pace = 0.5, walk.rate = 10;
  CHECK(film_of(document, walk).frames == 15 * 5);
  walk.title = true;
  CHECK(film_of(document, walk).frames == 20 + 15 * 5);
  // 15 steps of 25 seconds would be more than five minutes: a beat a stage.
  walk.pace = 25;
  CHECK(film_of(document, walk).frames == 20 + 5 * 250);
  walk.pace = 10, walk.rate = 60;
  walk.places.assign(20, TurnPlace{1, 0});
  CHECK(film_of(document, walk).frames == 120 + 20 * 600);
  walk.pace.reset();
  walk.places.assign(40000, TurnPlace{1, 0});
  CHECK_THROWS_AS(film_of(document, walk), Error);
}

#if TWIDDLE_HAVE_RSVG

TEST_CASE("frames that differ are drawn anew, the same ones are the same picture") {
  Document document(traced("fft-radix2", 64, "random:1"));
  WalkOptions walk = walk_of(document);
  walk.places = at_steps({0, 60, 61});
  walk.pace = 0.2, walk.rate = 20, walk.title = true, walk.caption = true;
  const Film film = film_of(document, walk);
  REQUIRE(film.frames == 40 + 12);
  const auto card = film.draw(0);
  CHECK(card == film.draw(39));
  const auto start = film.draw(40);
  CHECK(card != start);
  CHECK(start == film.draw(43));
  // The camera has come near by the end of the step, and the operation moves on the way.
  CHECK(film.draw(47) != start);
  CHECK(film.draw(48) != film.draw(51));
}

#endif
