// A search for a repair goes on where a process that ended had been.
#include "tracer/repair/search_progress.h"

#include <doctest.h>

#include <string>
#include <vector>

using namespace twiddle;

namespace {

struct Told {
  RepairOptions options;
  std::vector<std::string> events;
  explicit Told(std::vector<std::string> resume = {}) {
    options.seconds = 1e6;  // never late
    options.resume = std::move(resume);
    options.progress = [this](const std::string& event) { events.push_back(event); };
  }
};

}  // namespace

TEST_CASE("a search tells what it begins and what is right") {
  Told told;
  SearchProgress progress(told.options);
  CHECK(progress.begins(SearchPhase::First, 0));
  progress.note_right(SearchPhase::First, 0);
  progress.note_compiles(SearchPhase::Source, 400, 800);
  CHECK(progress.begins(SearchPhase::Constants, 7));
  CHECK(progress.begins_check(SearchPhase::CheckingSeen, 1));
  progress.note_order("0:12");
  CHECK(told.events == std::vector<std::string>{"first 0", "right first 0", "compile source 400 800", "constant 7",
                                                "check-seen 1", "order 0:12"});
}

TEST_CASE("what was found out of the lines is known to the next process, and that it was tried") {
  Told told;
  SearchProgress progress(told.options);
  CHECK(!progress.located());
  progress.note_located("0:3:30;");
  REQUIRE(told.events == std::vector<std::string>{"located 0:3:30;"});
  CHECK(SearchProgress(Told(told.events).options).located() == "0:3:30;");
  CHECK(SearchProgress(Told({"located ", "first 0"}).options).located() == "");
}

TEST_CASE("another process begins behind the last change, and knows what was right") {
  Told first;
  {
    SearchProgress progress(first.options);
    for (const std::size_t k : {0u, 1u, 2u}) CHECK(progress.begins(SearchPhase::Source, k));
    progress.note_right(SearchPhase::Source, 1);
    progress.note_order("text of an order");
  }
  Told told(first.events);
  SearchProgress progress(told.options);
  CHECK(progress.order() == "text of an order");
  CHECK(progress.known_right(SearchPhase::Source, 1));
  CHECK(!progress.known_right(SearchPhase::Source, 2));
  CHECK(!progress.begins(SearchPhase::Source, 2));  // it ended the process
  CHECK(progress.begins(SearchPhase::Source, 3));
  // What came before is done.
  CHECK(!progress.begins(SearchPhase::First, 1000000));
  CHECK(!progress.begins_check(SearchPhase::Plan, 1000000));
  CHECK(progress.first_left(SearchPhase::Plan, 0, 40) == 40);
  CHECK(progress.first_left(SearchPhase::Source, 0, 40) == 3);
  CHECK(progress.first_left(SearchPhase::Source, 20, 40) == 20);
  CHECK(progress.begins_check(SearchPhase::Checking, 0));
  progress.begin_again(SearchPhase::First);
  CHECK(progress.begins(SearchPhase::First, 0));
}

TEST_CASE("a check that ended the process before most changes were tried takes none of them away") {
  Told told({"first 3", "right missing 2", "check-missing 0"});
  SearchProgress progress(told.options);
  CHECK(progress.known_right(SearchPhase::Missing, 2));
  CHECK(!progress.begins(SearchPhase::Missing, 1000000));
  CHECK(!progress.begins_check(SearchPhase::CheckingMissing, 0));
  CHECK(progress.begins_check(SearchPhase::CheckingMissing, 1));
  CHECK(progress.begins(SearchPhase::Source, 0));
  CHECK(progress.begins_check(SearchPhase::Checking, 0));
}

TEST_CASE("a program that ended a compiler is known by its changes") {
  Told told({"tried 17", "compile source 400 800", "nonsense", "right nowhere 3", "compile source x", ""});
  SearchProgress progress(told.options);
  CHECK(progress.tried() == 17);
  CHECK(progress.crashed(400, 800));
  CHECK(!progress.crashed(400, 600));
  CHECK(progress.first_left(SearchPhase::Source, 0, 1000) == 400);
  progress.note_tried(3);
  CHECK(progress.tried() == 20);
}

TEST_CASE("what is begun too late is not begun") {
  Told told;
  told.options.seconds = -1;
  SearchProgress progress(told.options);
  CHECK(!progress.stopped());
  CHECK(!progress.begins(SearchPhase::First, 0));
  CHECK(progress.stopped());
  CHECK(told.events.empty());
}

TEST_CASE("the time of a search is that of all of its processes") {
  Told told({"tried 3", "spent 900 10", "source 4"});
  told.options.seconds = 1000;
  CHECK(!SearchProgress(told.options).late());
  CHECK(SearchProgress(told.options).late(0.5));
  told.options.seconds = 800;
  CHECK(SearchProgress(told.options).late());
  CHECK(!SearchProgress(told.options).late(1.3));
  Told slow({"spent 1 900"});  // by the clock
  slow.options.seconds = 100;
  CHECK(SearchProgress(slow.options).late());
}

TEST_CASE("programs are as large as tries the most changes in a second") {
  // 0.2 s for every program, and as much more for 100 changes squared.
  CHECK(size_of_programs({{50, 0.25}, {150, 0.65}}, 20, 400) == 100);
  // No growth to speak of: the largest.
  CHECK(size_of_programs({{50, 0.25}, {150, 0.25}}, 20, 400) == 400);
  CHECK(size_of_programs({{50, 0.25}, {150, 0.2500001}}, 20, 400) == 400);
  // Nothing but growth: the smallest.
  CHECK(size_of_programs({{60, 0.36}, {140, 9}}, 80, 400) == 80);
  // One build alone says neither.
  CHECK(size_of_programs({{60, 0.36}}, 50, 400) == 100);
  CHECK(size_of_programs({{60, 0.36}, {60, 0.5}}, 50, 400) == 100);
  CHECK(size_of_programs({}, 50, 400) == 100);
}

TEST_CASE("what holds for other sizes is asked once, and a change that a process ended in does not") {
  RepairOptions options;
  options.resume = {
      "sizes 18446744073709551615", "sizes 18446744073709551615 1", "sizes 7", "sizes 8", "sizes 8 0", "source 3"};
  std::vector<std::string> told;
  options.progress = [&](const std::string& event) { told.push_back(event); };
  SearchProgress progress(options);
  CHECK(progress.known_of_sizes(18446744073709551615u) == std::optional(true));
  CHECK(progress.known_of_sizes(7) == std::optional(false));
  CHECK(progress.known_of_sizes(8) == std::optional(false));
  CHECK(!progress.known_of_sizes(9));
  CHECK(!progress.begins(SearchPhase::Source, 3));
  progress.begins_sizes(9);
  progress.note_sizes(9, true);
  progress.be_silent();
  progress.note_sizes(9, false);
  CHECK(told == std::vector<std::string>{"sizes 9", "sizes 9 1"});
}
