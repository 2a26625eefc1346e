#include <nlohmann/json.hpp>
#include "base/process.h"
#include "recorded_program.h"
#include "tracer/file/trace_file.h"
#include "tracer/record/raw_file.h"
#include "tracer/replay/replay.h"
#include "tracer/trace/begun.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>

using namespace twiddle;

TEST_CASE("a recorded FFT prints the same bits, and its trace has every butterfly") {
  if (!can_record()) return;
  const TestFolder folder;
  const std::string fft = program_named("fft");
  for (const int log2n : {1, 3, 6}) {
    CAPTURE(log2n);
    const Ran plain = run_plain(folder, fft + " " + std::to_string(log2n));
    const Ran recorded = run_program(folder, {"record", "-o", "run.twd", "--", fft, std::to_string(log2n)});
    CHECK(recorded.code == 0);
    CHECK(recorded.out == plain.out);
    const auto trace = TraceReader::open(folder.file("run.twd"));
    const TraceInfo& info = trace->info();
    const std::uint64_t n = std::uint64_t(1) << log2n;
    REQUIRE(info.launches.size() == std::size_t(1 + log2n));
    CHECK(info.launches[0].kernel == "reverse");
    CHECK(info.launches[0].accesses.kept == 2 * n);
    std::uint64_t writes = 0, explained = 0;
    for (const LaunchInfo& launch : info.launches) {
      CHECK(launch.accesses.logged);
      CHECK(launch.accesses.lost == 0);
      CHECK(launch.unexplained == 0);
      writes += launch.accesses.writes;
      explained += launch.accesses.explained_writes;
    }
    CHECK(explained == writes);
    CHECK(count_of(*trace, OperationKind::Butterfly) == n / 2 * std::uint64_t(log2n));
    CHECK(info.sources.at(0).text.find("kernel void stage") != std::string::npos);
  }
}

TEST_CASE("a recorded launch, extracted, runs again and leaves the same bits") {
  if (!can_record()) return;
  const TestFolder folder;
  REQUIRE(run_program(folder, {"record", "-o", "run.twd", "--", program_named("fft"), "4"}).code == 0);
  const auto trace = TraceReader::open(folder.file("run.twd"));
  Replay replay(trace);
  int last = -1;
  for (const LaunchInfo& launch : trace->info().launches) {
    CAPTURE(launch.number);
    const std::string number = std::to_string(launch.number);
    REQUIRE(run_program(folder, {"extract", "run.twd", "--launch", number, "-o", number}).code == 0);
    const std::string plan = number + "/" + launch.kernel + ".toml";
    REQUIRE(run_program(folder, {"trace", plan, "--runtime", "opencl", "-o", number + ".twd"}).code == 0);
    const auto again = TraceReader::open(folder.file(number + ".twd"));
    Replay other(again);
    const auto after = other.state_after(static_cast<int>(again->info().segments.size()) - 1);
    while (last + 1 < std::ssize(trace->info().segments) &&
           trace->info().segments[static_cast<std::size_t>(last) + 1].launch <= launch.number)
      ++last;
    const auto before = replay.state_after(last);
    for (int b = 0; b < std::ssize(again->info().buffers); ++b) {
      const BufferInfo& buffer = again->info().buffers[static_cast<std::size_t>(b)];
      if (buffer.launch != 0) continue;
      CAPTURE(buffer.name);
      CHECK(after->bytes(b) == before->bytes(trace->info().buffer_named(buffer.name)));
    }
  }
}

TEST_CASE("objects of every kind: the same output, and what cannot be seen is said") {
  if (!can_record()) return;
  const TestFolder folder;
  const Ran plain = run_plain(folder, program_named("objects"));
  REQUIRE(plain.code == 0);
  const Ran recorded = run_program(folder, {"record", "-o", "run.twd", "--", program_named("objects")});
  CHECK(recorded.code == 0);
  CHECK(recorded.out == plain.out);
  CHECK_MESSAGE(recorded.err.find("clCreateUserEvent") != std::string::npos, recorded.err);
  CHECK_MESSAGE(recorded.err.find("from outside") != std::string::npos, recorded.err);
  const auto trace = TraceReader::open(folder.file("run.twd"));
  std::size_t logged = 0, plain_launches = 0, outside = 0;
  for (const LaunchInfo& launch : trace->info().launches) {
    logged += launch.accesses.logged;
    outside += launch.kernel == "outside";
    plain_launches += !launch.accesses.logged && launch.kernel != "outside";
  }
  CHECK(logged == 5);
  CHECK(plain_launches == 1);
  CHECK(outside >= 2);  // through the mapping, and by the launch that waited
  // A part of a buffer is where it is in the whole.
  const LaunchInfo& scale = trace->info().launches.at(0);
  CHECK(scale.kernel == "scale");
  CHECK(trace->info().buffers.at(0).count == 64);
  CHECK(scale.unexplained == 0);
}

TEST_CASE("what prints, binaries of one's own, and command buffers: the same output, and nothing is lost in silence") {
  if (!can_record()) return;
  const TestFolder folder;
  const Ran plain = run_plain(folder, program_named("unseen"));
  REQUIRE(plain.code == 0);
  const Ran recorded = run_program(folder, {"record", "-o", "run.twd", "--", program_named("unseen")});
  CHECK(recorded.code == 0);
  CHECK(recorded.out == plain.out);
  const auto trace = TraceReader::open(folder.file("run.twd"));
  std::map<std::string, int> logged, unseen;
  for (const LaunchInfo& launch : trace->info().launches) ++(launch.accesses.logged ? logged : unseen)[launch.kernel];
  // Of the program that was made of a binary, and beside the kernel that prints.
  CHECK(logged == std::map<std::string, int>{{"quiet", 3}});
  CHECK(unseen["speak"] == 1);
  CHECK_MESSAGE(recorded.err.find("1 launch ran without being seen: it prints") != std::string::npos, recorded.err);
  const bool buffered = plain.out.find("buffered") != std::string::npos;
  CHECK(unseen["command_buffer"] == int(buffered));
  CHECK_MESSAGE((recorded.err.find("it is a command buffer") != std::string::npos) == buffered, recorded.err);
  CHECK(unseen["outside"] >= 1);  // what they did to memory
}

TEST_CASE("windows, and filters of launches, kernels and items, change no output") {
  if (!can_record()) return;
  const TestFolder folder;
  const std::string fft = program_named("fft");
  const Ran plain = run_plain(folder, fft + " 12");
  struct Case {
    std::vector<std::string> options;
    std::size_t launches;
    std::uint64_t accesses_of_first;
  };
  for (const Case& one :
       {Case{{"--log-bytes", "65536"}, 13, 8192}, Case{{"--launches", "2:3"}, 2, 5 * 2048},
        Case{{"--kernels", "rev*"}, 1, 8192}, Case{{"--items", "0:63", "--kernels", "reverse"}, 1, 0}}) {
    CAPTURE(one.options.front());
    std::vector<std::string> words{"record", "-o", "run.twd"};
    words.insert(words.end(), one.options.begin(), one.options.end());
    words.insert(words.end(), {"--", fft, "12"});
    const Ran recorded = run_program(folder, words);
    CHECK(recorded.code == 0);
    CHECK(recorded.out == plain.out);
    const auto trace = TraceReader::open(folder.file("run.twd"));
    REQUIRE(trace->info().launches.size() == one.launches);
    const AccessTotals& first = trace->info().launches[0].accesses;
    CHECK(first.lost == 0);
    if (one.accesses_of_first) CHECK(first.kept == one.accesses_of_first);
    if (!one.accesses_of_first) CHECK((first.kept >= 128 && first.kept < 8192));
  }
}

TEST_CASE("probes tell what one run's values do not, and change nothing of the program's") {
  if (!can_record()) return;
  const TestFolder folder;
  const std::string program = program_named("weights");
  const Ran plain = run_plain(folder, program);
  REQUIRE(plain.code == 0);
  struct Case {
    const char* probes;
    std::map<std::string, std::uint64_t> explained;  // of each kernel's writes
    const char* said;
  };
  // Two kernels go where their numbers lead them: on other numbers they run only when that is asked for, and what they
  // compute is no sum, whatever the numbers are.
  for (const Case& one : {Case{"off", {{"weigh", 0}, {"stage", 0}, {"choose", 0}, {"place", 0}, {"pairs", 64}}, ""},
                          Case{"auto",
                               {{"weigh", 64}, {"stage", 128}, {"choose", 0}, {"place", 0}, {"pairs", 64}},
                               "2 launches ran again on other data, 80 times"},
                          Case{"20",
                               {{"weigh", 64}, {"stage", 128}, {"choose", 0}, {"place", 0}, {"pairs", 64}},
                               "5 launches ran again on other data, 100 times"}}) {
    CAPTURE(one.probes);
    const Ran recorded = run_program(folder, {"record", "-o", "run.twd", "--probes", one.probes, "--", program});
    CHECK(recorded.code == 0);
    CHECK(recorded.out == plain.out);
    CHECK_MESSAGE((*one.said ? recorded.err.find(one.said) != std::string::npos
                             : recorded.err.find("other data") == std::string::npos),
                  recorded.err);
    const auto trace = TraceReader::open(folder.file("run.twd"));
    std::map<std::string, std::uint64_t> explained;
    for (const LaunchInfo& launch : trace->info().launches) explained[launch.kernel] = launch.accesses.explained_writes;
    CHECK(explained == one.explained);
    // Two of each item that accesses four floats at once: its parameter says that they are two complex numbers.
    CHECK(count_of(*trace, OperationKind::Butterfly) == (std::string(one.probes) == "off" ? 32 : 96));
  }
  // A small trace is not mostly empty pages.
  CHECK(std::filesystem::file_size(folder.file("run.twd")) < 40000);
  check_failure(run_program(folder, {"record", "--probes", "many", "--", program}), 2, "auto, off or a whole number");
}

TEST_CASE("threads, queues out of order, children, and programs that a signal ends") {
  if (!can_record()) return;
  const TestFolder folder;
  struct Case {
    const char* way;
    int code;
    std::uint64_t launches;
  };
  for (const Case& one : {Case{"threads", 0, 40}, Case{"order", 0, 4}, Case{"children", 0, 1 + 2 + 3 + 4},
                          Case{"killed", 128 + SIGKILL, 3}, Case{"aborted", 128 + SIGABRT, 3}}) {
    CAPTURE(one.way);
    const Ran plain = run_plain(folder, program_named("ways") + " " + one.way);
    const Ran recorded = run_program(folder, {"record", "-o", "run.twd", "--", program_named("ways"), one.way});
    CHECK(plain.code == one.code);
    CHECK(recorded.code == one.code);
    CHECK(recorded.out == plain.out);
    const auto trace = TraceReader::open(folder.file("run.twd"));
    std::uint64_t launches = 0;
    for (const LaunchInfo& launch : trace->info().launches) {
      if (launch.kernel == "outside") continue;
      ++launches;
      CHECK(launch.accesses.logged);
      CHECK(launch.accesses.lost == 0);
      CHECK(launch.accesses.explained_writes == launch.accesses.writes);
    }
    CHECK(launches == one.launches);
  }
}

TEST_CASE("several devices, parts of one, binaries of an earlier run, and a pointer in a buffer's place") {
  if (!can_record()) return;
  const TestFolder folder;
  const std::string kept = folder.file("kept.bin");
  struct Case {
    std::vector<std::string> words;
    std::uint64_t logged, unseen;
    const char* says;
  };
  // PoCL has two devices where it is asked to; other drivers have what they have.
  for (const Case& one : {Case{{"POCL_DEVICES=pthread basic", program_named("places"), "devices"}, 0, 0, "recorded"},
                          Case{{program_named("places"), "parts"}, 0, 0, "recorded"},
                          Case{{program_named("places"), "cached", kept}, 3, 0, "made of binaries was refused"},
                          Case{{program_named("places"), "pointers"}, 2, 0, "recorded 2 of 2"}}) {
    CAPTURE(one.words.back());
    std::string command = "env";
    for (const std::string& word : one.words) command += " '" + word + "'";
    const Ran plain = run_plain(folder, command);  // it leaves its binary
    REQUIRE(plain.code == 0);
    std::vector<std::string> arguments{"record", "-o", "run.twd", "--", "env"};
    arguments.insert(arguments.end(), one.words.begin(), one.words.end());
    const Ran recorded = run_program(folder, arguments);
    CHECK(recorded.code == 0);
    CHECK(recorded.out == plain.out);
    CHECK_MESSAGE(recorded.err.find(one.says) != std::string::npos, recorded.err);
    const auto trace = TraceReader::open(folder.file("run.twd"));
    std::uint64_t logged = 0, unseen = 0;
    for (const LaunchInfo& launch : trace->info().launches) {
      if (launch.kernel == "outside") continue;
      ++(launch.accesses.logged ? logged : unseen);
      CHECK(launch.accesses.explained_writes == launch.accesses.writes);
      CHECK(launch.inconsistent_reads == 0);
    }
    // What a program's constants hold is what was read there.
    if (one.logged == 3) {
      Replay replay(trace);
      const auto state = replay.state_after(static_cast<int>(trace->info().segments.size()) - 1);
      const auto& buffers = trace->info().buffers;
      const auto table =
          std::find_if(buffers.begin(), buffers.end(), [](const BufferInfo& b) { return b.name == "table"; });
      REQUIRE(table != buffers.end());
      const std::vector<std::byte> bytes = state->bytes(static_cast<int>(table - buffers.begin()));
      const std::array<float, 4> expected = {3, 1, 4, 1.5F};
      REQUIRE(bytes.size() == sizeof expected);
      CHECK(std::memcmp(bytes.data(), expected.data(), sizeof expected) == 0);
    }
    // Two for each device, of as many as there are.
    CHECK(logged == (one.logged > 0 ? one.logged
                                    : 2 * (std::uint64_t(std::count(plain.out.begin(), plain.out.end(), '\n')) - 2)));
    CHECK(unseen == one.unseen);
  }
  CHECK(run_program(folder, {"extract", "run.twd", "--launch", "2", "-o", "case"}).code == 0);
}

TEST_CASE("a launch that its program does not live to end is in the trace as one that began") {
  if (!can_record()) return;
  const TestFolder folder;
  const Ran recorded = run_program(folder, {"record", "-o", "run.twd", "--", program_named("ways"), "endless"});
  CHECK(recorded.code == 128 + SIGKILL);
  CHECK_MESSAGE(recorded.err.find("recorded 1 of 2 launches") != std::string::npos, recorded.err);
  CHECK_MESSAGE(recorded.err.find("1 launch was not recorded to the end") != std::string::npos, recorded.err);
  const auto trace = TraceReader::open(folder.file("run.twd"));
  trace->verify();
  REQUIRE(trace->info().launches.size() == 2);
  CHECK(has_ended(trace->info().launches[0]));
  const LaunchInfo& last = trace->info().launches[1];
  CHECK_FALSE(has_ended(last));
  CHECK(last.kernel == "forever");
  CHECK(last.items() == 256);
  CHECK(last.arguments == std::vector<std::string>{"x", "float:0"});
  CHECK_FALSE(last.accesses.logged);

  const char* said = "launch 2 (forever): it began and did not end: its accesses had not come";
  const Ran info = run_program(folder, {"info", "run.twd"});
  CHECK_MESSAGE(info.out.find(said) != std::string::npos, info.out);
  CHECK_MESSAGE(info.out.find("and it did not end") != std::string::npos, info.out);
  const auto about = nlohmann::json::parse(run_program(folder, {"info", "run.twd", "--json"}).out);
  CHECK(about["launches"][1]["ended"] == false);
  CHECK_FALSE(about["launches"][0].contains("ended"));
  const Ran check = run_program(folder, {"check", "run.twd"});
  CHECK(check.code == 0);
  CHECK_MESSAGE(check.err.find(said) != std::string::npos, check.err);
  CHECK(run_program(folder, {"check", "run.twd", "--strict"}).code == 1);
  const auto checked = nlohmann::json::parse(run_program(folder, {"check", "run.twd", "--json"}).out);
  CHECK(checked.dump().find(said) != std::string::npos);
  const Ran print = run_program(folder, {"print", "run.twd"});
  CHECK(print.code == 0);
  CHECK_MESSAGE(print.err.find("launch 2 (forever) began and did not end") != std::string::npos, print.err);
}

TEST_CASE("a measuring program that nobody prepared: all of its output but the times") {
  if (!can_record()) return;
  if (find_program("clpeak").empty()) {
    MESSAGE("clpeak is not installed: not recorded");
    return;
  }
  const TestFolder folder;
  // Each measured time is another: a word for each number.
  const auto without_numbers = [](const std::string& text) {
    std::string kept;
    for (const char c : text)
      if (!std::isdigit(static_cast<unsigned char>(c)) && c != '.')
        kept += c;
      else if (kept.empty() || kept.back() != '#')
        kept += '#';
    return kept;
  };
  const Ran plain = run_plain(folder, "clpeak --kernel-latency");
  const Ran recorded = run_program(
      folder, {"record", "-o", "run.twd", "--launches", "1:4", "--items", "0:63", "--", "clpeak", "--kernel-latency"});
  CHECK(recorded.code == plain.code);
  CHECK(plain.out.find("latency") != std::string::npos);
  CHECK(without_numbers(recorded.out) == without_numbers(plain.out));
  CHECK(recorded.err.find("recorded 4 of 4 launches") != std::string::npos);
  CHECK(recorded.err.find("were not asked for") != std::string::npos);
  const auto trace = TraceReader::open(folder.file("run.twd"));
  REQUIRE(trace->info().launches.size() == 4);
  for (const LaunchInfo& launch : trace->info().launches) {
    CHECK(launch.kernel == "global_bandwidth_v1_local_offset");
    CHECK(launch.accesses.kept > 0);
    CHECK(launch.accesses.lost == 0);
  }
}

TEST_CASE("exit codes are the command's, and what went wrong is one sentence") {
  const TestFolder folder;
  const Ran none = run_program(folder, {"record", "--", "no-such-command"});
  check_failure(none, 127, "no-such-command");
  const Ran nothing = run_program(folder, {"record", "--", "true"});
  check_failure(nothing, 4, "no OpenCL or CUDA call");
  CHECK(run_program(folder, {"record", "--", "sh", "-c", "exit 9"}).code == 9);
  CHECK(run_program(folder, {"record", "--", "sh", "-c", "kill -9 $$"}).code == 128 + 9);
  CHECK(run_program(folder, {"record", "--", "sh", "-c", "echo out; echo err >&2"}).out == "out\n");
  // What has nowhere to go is not run first.
  const Ran nowhere = run_program(folder, {"record", "-o", "none/run.twd", "--", "sh", "-c", "echo out"});
  check_failure(nowhere, 2, "there is no folder");
  CHECK(nowhere.out.empty());
  const Ran late = run_program(folder, {"record", "--timeout", "0.2", "--", "sleep", "60"});
  CHECK(late.code == 128 + 15);
  CHECK_MESSAGE(late.err.find("--timeout") != std::string::npos, late.err);
  CHECK(folder.names().empty());
  if (!can_record()) return;
  const Ran failing = run_program(folder, {"record", "-o", "run.twd", "--", program_named("fft"), "3", "7"});
  CHECK(failing.code == 7);
  CHECK(TraceReader::open(folder.file("run.twd"))->info().launches.size() == 4);
  // Without a driver the loader has nothing to show a layer to.
  const Ran driverless = run_program(
      folder, {"record", "--", "env", "OCL_ICD_VENDORS=/none", "OCL_ICD_FILENAMES=", program_named("fft"), "3"});
  CHECK(driverless.code != 0);
  CHECK_MESSAGE(driverless.err.find("found no driver") != std::string::npos, driverless.err);
}

TEST_CASE("a rank is in the file's name and in the trace") {
  if (!can_record()) return;
  const TestFolder folder;
  ::setenv("OMPI_COMM_WORLD_RANK", "3", 1);
  const Ran ran = run_program(folder, {"record", "-o", "run.twd", "--", program_named("fft"), "2"});
  ::unsetenv("OMPI_COMM_WORLD_RANK");
  CHECK(ran.code == 0);
  CHECK(TraceReader::open(folder.file("run.3.twd"))->info().parameters.at("rank") == "3");
}

TEST_CASE("raw files: what is written is read, and what is damaged is refused") {
  const TestFolder folder;
  RawLaunch launch;
  launch.number = 7;
  launch.kernel = "k";
  launch.global = {8, 2, 1};
  launch.local = {4, 1, 1};
  launch.memory.push_back({5, 64, true, false});
  launch.arguments.push_back({RawArgument::Kind::Memory, "x", "", "", 0, 16, 48});
  launch.windows.push_back({0, 16});
  const std::vector<std::byte> odd(13, std::byte{7});
  {
    RawFileWriter file(folder.file("launch-1"));
    file.add("head", text_of(launch));
    file.add("befo", odd);
    CHECK(file.keep());
  }
  {
    const RawFile file(folder.file("launch-1"));
    const RawLaunch back = read_raw_launch(file.text("head"));
    CHECK(text_of(back) == text_of(launch));
    REQUIRE(file.sections().size() == 2);
    CHECK(std::equal(odd.begin(), odd.end(), file.sections()[1].bytes.begin(), file.sections()[1].bytes.end()));
  }
  const std::string whole = content_of(folder.file("launch-1"));
  for (std::size_t length = 0; length < whole.size(); length += 5) {
    std::ofstream(folder.file("cut"), std::ios::binary) << whole.substr(0, length);
    // Cut between two sections it is a shorter file; anywhere else it is none.
    try {
      const RawFile cut(folder.file("cut"));
      CHECK(cut.sections().size() < 2);
    } catch (const Error& error) { CHECK(error.code() == ExitCode::unreadable); }
  }
  launch.arguments[0].memory = 4;
  CHECK_THROWS_AS(read_raw_launch(text_of(launch)), Error);
}

TEST_CASE("the ranks of a run are checked together, and each has its findings") {
  if (!can_record()) return;
  const TestFolder folder;
  for (const char* rank : {"0", "1"}) {
    setenv("OMPI_COMM_WORLD_RANK", rank, 1);
    CHECK(run_program(folder, {"record", "-o", "run.twd", "--", program_named("fft"), "3"}).code == 0);
  }
  unsetenv("OMPI_COMM_WORLD_RANK");
  const Ran text = run_program(folder, {"check", "run.0.twd", "run.1.twd"});
  CHECK(text.code == 0);
  CHECK_MESSAGE(text.out.find("run.0.twd: no findings") != std::string::npos, text.out);
  CHECK_MESSAGE(text.out.find("run.1.twd: no findings") != std::string::npos, text.out);
  const auto json = nlohmann::json::parse(run_program(folder, {"check", "run.0.twd", "run.1.twd", "--json"}).out);
  REQUIRE(json.size() == 2);
  CHECK(json[1]["file"] == "run.1.twd");
  CHECK(json[1]["findings"].empty());
  const auto sarif = nlohmann::json::parse(run_program(folder, {"check", "run.0.twd", "run.1.twd", "--sarif"}).out);
  CHECK(sarif["version"] == "2.1.0");
  CHECK(sarif["runs"].size() == 2);
  CHECK(run_program(folder, {"check", "run.0.twd", "fft-radix2"}).code == 2);
  CHECK(run_program(folder, {"check", "run.0.twd", "run.1.twd", "--watch"}).code == 2);
  CHECK(run_program(folder, {"view", "run.0.twd", "run.1.twd", "--screenshot", "both.svg"}).code == 0);
  CHECK(content_of(folder.file("both.svg")).find("rank 0 of 2") != std::string::npos);
  CHECK(run_program(folder, {"view", "run.0.twd", "run.0.twd", "--screenshot", "both.svg"}).code == 2);
}
