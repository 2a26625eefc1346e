// The ranks of one run in the window: one of them is shown, and another takes its place at the step that corresponds.
#ifdef TWIDDLE_HAVE_WINDOW

#include "synthetic_trace.h"
#include "test_support.h"
#include "traced.h"
#include "viewer/session/ranks.h"
#include "viewer/session/window_content.h"

#include <doctest.h>

#include <cstdlib>

using namespace twiddle;

namespace {

std::shared_ptr<const TraceReader> rank_traced(const std::string& rank, std::uint64_t n = 8,
                                               const char* title = "fft") {
  static const synthetic::Folder folder;
  static int number = 0;
  Request request;
  request.algorithm = "fft-radix2";
  request.n = n;
  request.signal = "random:1";
  Plan plan = make_plan(request);
  plan.title = Message::verbatim(title);
  if (!rank.empty()) plan.parameters["rank"] = rank;
  const std::filesystem::path file = folder / ("run-" + std::to_string(++number) + ".twd");
  TraceWriter writer(file);
  trace_plan(plan, *open_runtime("opencl", 0), {}, writer);
  writer.finish();
  return TraceReader::open(file);
}

}  // namespace

TEST_CASE("the next rank is shown at the same step, and what is pinned stays") {
  const synthetic::Folder folder;
  setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);
  const std::vector<std::shared_ptr<const TraceSource>> traces{rank_traced("0"), rank_traced("1"),
                                                               rank_traced("2", 16)};
  WindowOptions options;
  options.ranks = ranks_of(traces);
  REQUIRE(options.ranks.size() == 3);
  Document document(traces[0]);
  Remembered remembered;
  std::string title;
  WindowControl control(document, {});
  WindowContent content(
      options, control, remembered, [] {}, [&](const std::string& name) { title = name; });
  WindowActions actions;
  content.add_actions(actions);
  control.set_actions(actions);
  content.begin(document);
  const auto field = [&] { return *field_named(control.document(), control.state(), "rank"); };
  CHECK(field().chosen == "0");
  CHECK(field().entries.size() == 3);

  control.seek(7);
  const Mark element{.kind = MarkKind::Element, .buffer = 0, .index = 3};
  control.state().cursor.pinned = element;
  control.command(Command::NextRank);
  CHECK(control.document().trace->path() == traces[1]->path());
  CHECK(title == traces[1]->path().filename().string());
  CHECK(field().chosen == "1");
  CHECK(control.state().cursor.step == 7);
  CHECK(control.state().cursor.pinned == element);

  // Of another size: the last butterfly of the second stage is that of its second stage.
  const auto last_of_stage = [&](int stage) {
    for (const Segment& segment : control.document().info().segments)
      if (segment.stage == stage) return segment.end_step() - 1;
    return std::uint64_t(0);
  };
  control.seek(last_of_stage(2));
  control.command(Command::NextRank);
  CHECK(control.document().info().parameters.at("n") == "16");
  CHECK(control.state().cursor.step == last_of_stage(2));
  // Around the end, and back.
  control.command(Command::NextRank);
  CHECK(field().chosen == "0");
  control.command(Command::PreviousRank);
  CHECK(field().chosen == "2");

  // Another trace is no rank.
  content.dropped({traced("fft-radix2", 32)->path()});
  CHECK(!field_named(control.document(), control.state(), "rank"));
  control.command(Command::NextRank);
  CHECK(!control.state().message.empty());
  CHECK(control.document().info().parameters.at("n") == "32");
  unsetenv("XDG_CONFIG_HOME");
}

TEST_CASE("traces that are no ranks of one run are refused with a sentence") {
  const auto zero = rank_traced("0"), again = rank_traced("0"), other = rank_traced("1", 8, "something else"),
             none = rank_traced("");
  CHECK(is_rank(zero->info()));
  CHECK(!is_rank(none->info()));
  CHECK(contains(sentence_of([&] { ranks_of({zero, again}); }), "both of rank 0"));
  CHECK(contains(sentence_of([&] { ranks_of({zero, other}); }), "two commands"));
  CHECK(contains(sentence_of([&] { ranks_of({zero, none}); }), "is none"));
}

#endif
