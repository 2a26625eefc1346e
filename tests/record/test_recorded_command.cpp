// A recorded command while what it left is read: its time, signals, what is below it, and recorders that end early.
#include "base/process_tree.h"
#include "cli/interrupt.h"
#include "cli/tasks/recorded_command.h"
#include "environment.h"
#include "recorded_program.h"
#include "tracer/file/trace_file.h"
#include "tracer/trace/begun.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

using namespace twiddle;
using namespace twiddle::cli;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

// Whether something comes to be so: without that a test would never end.
bool comes(const std::function<bool()>& is_so) {
  for (int tries = 0; tries < 12000; ++tries) {
    if (is_so()) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

bool ends(pid_t process) {
  return comes([&] { return !living_process(process); });
}

// What a script wrote with `echo $$ > file.new; mv file.new file`; 0: not yet.
pid_t number_in(const std::string& file) { return static_cast<pid_t>(std::atol(content_of(file).c_str())); }

// Does nothing but what it is told to.
CommandReader reader_that(
    std::function<void()> looks, std::function<void()> rests = [] {}) {
  CommandReader reader;
  reader.look = [looks = std::move(looks)] {
    looks();
    return false;
  };
  reader.wait = [](std::chrono::milliseconds longest) { std::this_thread::sleep_for(longest); };
  reader.wake = [] {};
  reader.rest = std::move(rests);
  return reader;
}

// Programs that a test has to end, however it ends itself.
class Ended {
 public:
  explicit Ended(pid_t process) : process_(process) {}
  ~Ended() {
    if (process_ > 0) kill(process_, SIGKILL);
  }
  Ended(const Ended&) = delete;
  Ended& operator=(const Ended&) = delete;

 private:
  pid_t process_;
};

}  // namespace

TEST_CASE("a command's time is over while what it left is still being read") {
  const TestFolder folder;
  const std::string file = folder.file("pid");
  // The reader is not through before the command has ended.
  bool ended = false;
  const CommandReader reader = reader_that([&] {
    if (!ended) ended = comes([&] { return number_in(file) > 0; }) && ends(number_in(file));
  });
  const CommandEnd end = run_command({"sh", "-c", "echo $$ > '" + file + "'; exec sleep 600"}, {}, 0.5, reader);
  CHECK(end.timed_out);
  CHECK(end.code == 128 + SIGTERM);
  CHECK(ended);
}

TEST_CASE("what a wrapper script runs is stopped with it, and killed where it will not end") {
  const TestFolder folder;
  const std::string file = folder.file("pid");
  for (const char* trap : {"", "trap '' TERM; "}) {
    CAPTURE(trap);
    // On a busy machine the script may not have begun within the time.
    for (double seconds = 0.5; seconds < 60; seconds *= 10) {
      fs::remove(file);
      const std::string script = std::string("(") + trap + "echo $(exec sh -c 'echo $PPID') > '" + file +
                                 "'; while :; do sleep 1; done) & wait; echo on";
      const CommandEnd end = run_command({"sh", "-c", script}, {}, seconds, reader_that([] {}));
      CHECK(end.timed_out);
      CHECK(end.code == 128 + SIGTERM);
      if (number_in(file) > 0) break;
    }
    REQUIRE(number_in(file) > 0);
    CHECK_FALSE(living_process(number_in(file)));
  }
}

TEST_CASE("a request to end reaches the program below a wrapper script") {
  const TestFolder folder;
  const std::string ready = folder.file("ready"), got = folder.file("got");
  const std::string script = "(trap 'echo got > \"" + got + "\"; exit 0' TERM; echo $$ > '" + ready +
                             "'; while :; do sleep 0.05; done) & wait";
  bool asked = false;
  const CommandReader reader = reader_that([&] {
    if (asked) return;
    asked = true;
    CHECK(comes([&] { return number_in(ready) > 0; }));
    kill(getpid(), SIGTERM);
    CHECK(comes([&] { return fs::exists(got); }));
  });
  const CommandEnd end = run_command({"sh", "-c", script}, {}, std::nullopt, reader);
  CHECK(asked);
  CHECK_FALSE(end.timed_out);
  CHECK(end.code == 128 + SIGTERM);
}

TEST_CASE("Ctrl-C is the command's while it runs, and the reader's from then on") {
  const InterruptGuard guard;
  bool before = false, after = false;
  const CommandReader reader = reader_that(
      [&] {
        if (!before) kill(getpid(), SIGINT);
        before = true;
      },
      [&] {
        CHECK_FALSE(InterruptGuard::asked());
        kill(getpid(), SIGINT);
        after = comes([] { return InterruptGuard::asked(); });
      });
  const TestFolder folder;
  const std::string file = folder.file("looked");
  CommandReader first = reader;
  first.look = [&, look = reader.look] {
    look();
    std::ofstream(file) << "1";
    return false;
  };
  const CommandEnd end =
      run_command({"sh", "-c", "while [ ! -e '" + file + "' ]; do sleep 0.02; done; exit 7"}, {}, std::nullopt, first);
  CHECK(end.code == 7);
  CHECK(before);
  CHECK(after);
}

TEST_CASE("what the reader throws is thrown when the command has ended") {
  const TestFolder folder;
  const std::string file = folder.file("done");
  const CommandReader reader = reader_that([] { throw std::runtime_error("no room"); });
  CHECK_THROWS_WITH(run_command({"sh", "-c", "sleep 0.1; echo 1 > '" + file + "'"}, {}, std::nullopt, reader),
                    "no room");
  CHECK(number_in(file) == 1);
}

TEST_CASE("Ctrl-C after the command has ended leaves a trace that can be read, and says what is in it") {
  if (!can_record()) return;
  const TestFolder folder;
  // The first program does not answer what the recorder asks of it; what the second one leaves is not read meanwhile.
  const std::string script = program_named("ways") + " silent & echo $! > waiting; " +
                             "while [ ! -e launched ]; do sleep 0.02; done; " + program_named("shared") +
                             " list > /dev/null; echo $$ > over.new; mv over.new over; exit 0";
  Running recorder(folder, {"record", "-o", "run.twd", "--probes", "20", "--", "sh", "-c", script});
  REQUIRE(comes([&] { return number_in(folder.file("over")) > 0 || recorder.ended(); }));
  const pid_t waiting = number_in(folder.file("waiting"));
  const Ended silent(waiting);
  REQUIRE_FALSE(recorder.ended());
  // It has ended when nothing of it is left, and then the signal is not for it. One that comes too early is lost.
  const std::string command = "/proc/" + std::to_string(number_in(folder.file("over")));
  CHECK(comes([&] { return !fs::exists(command); }));
  const auto said = [&] { return content_of(folder.file(".stderr")).find("interrupted: ") != std::string::npos; };
  for (int tries = 0; tries < 6 && !said(); ++tries) {
    recorder.send(SIGINT);
    for (int looks = 0; looks < 2000 && !said(); ++looks) std::this_thread::sleep_for(5ms);
  }
  CHECK(said());
  kill(waiting, SIGKILL);
  const Ran ran = recorder.wait();
  CHECK(ran.code == 130);
  CHECK_MESSAGE(ran.err.find("run.twd holds the first 1 launch, marked incomplete, and 2 launches were left out") !=
                    std::string::npos,
                ran.err);
  const auto trace = TraceReader::open(folder.file("run.twd"));
  trace->verify();
  CHECK_FALSE(trace->info().complete);
  REQUIRE(trace->info().launches.size() == 1);
  CHECK(trace->info().launches[0].kernel == "weigh");
  CHECK(has_ended(trace->info().launches[0]));
  CHECK(run_program(folder, {"info", "run.twd"}).code == 0);
}

TEST_CASE(
    "what a killed recorder left in the way is gone with the next recording, and its trace can be read until then") {
  if (!can_record()) return;
  const TestFolder folder;
  fs::create_directory(folder.file("temporary"));
  const Environment temporary("TMPDIR", folder.file("temporary").c_str());
  const auto left = [&] {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(folder.file("temporary")))
      if (entry.path().filename().string().starts_with("twiddle-record-")) all.push_back(entry.path());
    return all;
  };
  pid_t waiting = 0;
  {
    Running recorder(folder, {"record", "-o", "run.twd", "--probes", "20", "--", "sh", "-c",
                              "echo $$ > waiting; exec " + program_named("ways") + " silent"});
    REQUIRE(comes([&] { return fs::exists(folder.file("launched")) || recorder.ended(); }));
    REQUIRE_FALSE(recorder.ended());
    waiting = number_in(folder.file("waiting"));
    recorder.send(SIGKILL);
    CHECK(recorder.wait().code == 128 + SIGKILL);
  }
  kill(waiting, SIGKILL);
  CHECK(ends(waiting));
  {
    const auto trace = TraceReader::open(folder.file("run.twd"));
    REQUIRE(trace->info().launches.size() == 1);
    CHECK_FALSE(has_ended(trace->info().launches[0]));
    CHECK(trace->info().launches[0].accesses.kept > 0);
  }
  REQUIRE(left().size() == 1);
  fs::last_write_time(left().front(), fs::file_time_type::clock::now() - std::chrono::hours(1));
  CHECK(run_program(folder, {"record", "-o", "run.twd", "--", program_named("fft"), "3"}).code == 0);
  CHECK(left().empty());
  CHECK(TraceReader::open(folder.file("run.twd"))->info().launches.size() == 4);
  CHECK_FALSE(fs::exists(folder.file("run.twd-journal")));
}
