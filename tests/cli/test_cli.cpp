// The command line as a user or a script sees it: the real binary, its exit codes and its sentences.
#include "run_program.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

using namespace twiddle;
using nlohmann::json;

namespace {

// Traces fft-radix2 of 8 points of 0 … 7 into fft8.twd.
void trace_eight(const TestFolder& folder, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {"trace", "fft-radix2", "--n", "8", "--signal", "ramp", "-o", "fft8.twd"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Ran ran = run_program(folder, arguments);
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> verbs() {
  TestFolder folder;
  std::vector<std::string> names;
  const std::string help = run_program(folder, {"--help"}).out;
  const std::regex usage("\n  twiddle ([a-z]+)");
  for (std::sregex_iterator at(help.begin(), help.end(), usage), end; at != end; ++at) names.push_back((*at)[1]);
  REQUIRE(names.size() >= 8);
  return names;
}

// The options that a verb's help describes.
std::set<std::string> options_of(const std::string& verb) {
  TestFolder folder;
  std::set<std::string> options;
  const Ran ran = run_program(folder, {verb, "--help"});
  CHECK(ran.code == 0);
  CHECK(ran.err == "");
  const std::regex option("\n  (-[a-zA-Z], )?(--[a-z-]+)");
  for (std::sregex_iterator at(ran.out.begin(), ran.out.end(), option), end; at != end; ++at) options.insert((*at)[2]);
  return options;
}

// Waits until a trace that is being written holds an operation, reading it meanwhile.
void wait_for_operations(const TestFolder& folder, const std::string& file, Running& program) {
  TestFolder elsewhere;
  while (!program.ended()) {
    const Ran info = run_program(elsewhere, {"info", folder.file(file), "--json"});
    if (info.code == 0 && json::parse(info.out)["steps"] > 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void put(std::string& bytes, std::uint32_t value, int size) {
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i));
}

// A mono WAV of 16-bit samples.
std::string wav(const std::vector<int>& samples, std::uint32_t claimed_bytes) {
  std::string bytes = "RIFF";
  put(bytes, 36 + claimed_bytes, 4);
  bytes += "WAVEfmt ";
  put(bytes, 16, 4), put(bytes, 1, 2), put(bytes, 1, 2), put(bytes, 8000, 4), put(bytes, 16000, 4), put(bytes, 2, 2);
  put(bytes, 16, 2);
  bytes += "data";
  put(bytes, claimed_bytes, 4);
  for (const int sample : samples) put(bytes, static_cast<std::uint32_t>(sample) & 0xFFFFu, 2);
  return bytes;
}

void write(const std::string& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

}  // namespace

TEST_CASE("wrong usage: one sentence and exit code 2") {
  TestFolder folder;
  struct Wrong {
    std::vector<std::string> arguments;
    std::string words;
  };
  const std::vector<Wrong> all = {
      {{"trce"}, "did you mean trace?"},
      {{"--nonsense"}, "no option --nonsense"},
      {{"trace"}, "needs ALGORITHM"},
      {{"trace", "fft-radix2", "--signl", "ramp"}, "did you mean --signal?"},
      {{"trace", "fft-radix2", "extra"}, "'extra'"},
      {{"trace", "fft-radix2", "--n"}, "--n needs a value"},
      {{"trace", "fft-radix2", "--n", "8", "--n", "16"}, "--n was given 2 times"},
      {{"trace", "fft-radix2", "--inverse=maybe"}, "--inverse takes no value"},
      {{"trace", "fft-radix3"}, "fft-radix"},
      {{"trace", "fft-radix2", "--n", "0"}, ""},
      {{"trace", "fft-radix2", "--n", "-8"}, "'-8'"},
      {{"trace", "fft-radix2", "--n", "12"}, "8"},
      {{"trace", "fft-radix2", "--n", "eight"}, "'eight'"},
      {{"trace", "fft-radix2", "--n", "1e3"}, "'1e3'"},
      {{"trace", "fft-radix2", "--n", "0x10"}, "'0x10'"},
      {{"trace", "fft-radix2", "--n", "8.0"}, "'8.0'"},
      {{"trace", "fft-radix2", "--n", ""}, "''"},
      {{"trace", "fft-radix2", "--n", "1099511627776"}, ""},
      {{"trace", "fft-radix2", "--n", "99999999999999999999999"}, "more than can be counted"},
      {{"trace", "fft-radix2", "--signal", "rmp"}, "ramp"},
      {{"trace", "fft-radix2", "--signal", "cosine:x"}, "x"},
      {{"trace", "fft-radix2", "--twiddles", "exakt"}, "did you mean exact?"},
      {{"trace", "fft-radix2", "--sign", "up"}, "forward or backward"},
      {{"trace", "fft-radix2", "--detail", "value"}, "did you mean values?"},
      {{"trace", "fft-radix2", "--group-size", "0"}, "--group-size"},
      {{"trace", "fft-radix2", "--stages", "3:2"}, "ends before it begins"},
      {{"trace", "fft-radix2", "--stages", "1-2"}, "'1-2'"},
      {{"trace", "fft-radix2", "--stages", ":2"}, "FIRST:LAST"},
      {{"trace", "fft-radix2", "--items", "a:b"}, "'a'"},
      {{"trace", "fft-radix2", "--buffers", "F,,data"}, "empty"},
      {{"trace", "fft-radix2", "--buffers", "G"}, "G"},
      {{"trace", "fft-radix2", "--device", "first"}, "'first'"},
      {{"trace", "fft-radix2", "--schedule", "backwards"}, "random:SEED"},
      {{"trace", "fft-radix2", "--schedule", "random:5-1"}, "random:5-1"},
      {{"trace", "fft-radix2", "--schedule", "reverse", "--runtime", "opencl"}, "only --runtime host"},
      {{"demo", "--schedule", "random:1-3"}, "takes one order"},
      {{"trace", "some.twd"}, "view"},
      {{"trace", "nosuch.toml"}, "nosuch.toml"},
      {{"list", "algorithm"}, "did you mean algorithms?"},
      {{"list", "--plan"}, "--plan needs an algorithm"},
      {{"print"}, "needs FILE"},
      {{"completion", "zsh"}, "zsh"},
  };
  for (const Wrong& wrong : all) {
    std::string line;
    for (const std::string& argument : wrong.arguments) line += " " + argument;
    CAPTURE(line);
    const Ran ran = run_program(folder, wrong.arguments);
    check_failure(ran, wrong.arguments.back() == "nosuch.toml" ? 3 : 2, wrong.words);
    CHECK(folder.names().empty());
  }
}

TEST_CASE("no such device or runtime: one sentence and exit code 4") {
  TestFolder folder;
  check_failure(run_program(folder, {"trace", "fft-radix2", "--runtime", "openlc"}), 4, "did you mean opencl?");
  check_failure(run_program(folder, {"trace", "fft-radix2", "--runtime", "vulkan"}), 4, "vulkan");
  check_failure(run_program(folder, {"trace", "fft-radix2", "--runtime", "opencl", "--device", "99"}), 4, "99");
  check_failure(run_program(folder, {"verify", "fft-radix2", "--device", "99"}), 4, "99");
  CHECK(folder.names().empty());
}

TEST_CASE("an unreadable input: one sentence and exit code 3, from every command") {
  TestFolder folder;
  trace_eight(folder);
  const std::string good = content_of(folder.file("fft8.twd"));
  write(folder.file("empty.twd"), "");
  write(folder.file("text.twd"), "launch=1 kernel=bit_reversal\n");
  write(folder.file("short.twd"), good.substr(0, good.size() / 3));
  write(folder.file("head.twd"), good.substr(0, 100));
  write(folder.file("zeros.twd"), std::string(8192, '\0'));
  std::filesystem::create_directory(folder.file("folder.twd"));
  for (const char* name : {"missing.twd", "empty.twd", "text.twd", "short.twd", "head.twd", "zeros.twd", "folder.twd"})
    for (const std::vector<std::string>& verb :
         std::vector<std::vector<std::string>>{{"info"}, {"print"}, {"verify"}}) {
      CAPTURE(name);
      CAPTURE(verb.front());
      check_failure(run_program(folder, {verb.front(), name}), 3, name);
    }
}

TEST_CASE("a flipped bit is a sentence or the same operations, never a crash") {
  TestFolder folder;
  trace_eight(folder);
  const std::string good = content_of(folder.file("fft8.twd"));
  const std::string lines = run_program(folder, {"print", "fft8.twd"}).out;
  // Bytes all over the file, the same ones in every run.
  for (std::size_t i = 0; i < 40; ++i) {
    std::string bad = good;
    const std::size_t at = (i * 2654435761u) % good.size();
    bad[at] = static_cast<char>(bad[at] ^ (1 << (i % 8)));
    write(folder.file("bad.twd"), bad);
    const Ran ran = run_program(folder, {"print", "bad.twd"});
    CAPTURE(at);
    CAPTURE(ran.err);
    if (ran.code == 0) {
      CHECK(lines_of(ran.out).size() == lines_of(lines).size());
    } else {
      CHECK(ran.code == 3);
      CHECK(std::count(ran.err.begin(), ran.err.end(), '\n') == 1);
    }
  }
}

TEST_CASE("an output that cannot be written: exit code 2 and nothing left behind") {
  TestFolder folder;
  std::filesystem::create_directory(folder.file("folder"));
  write(folder.file("mine.cl"), "kernel void f() {}\n");
  const std::vector<std::string> before = folder.names();
  check_failure(run_program(folder, {"trace", "fft-radix2", "-o", "nowhere/x.twd"}), 2, "nowhere/x.twd");
  check_failure(run_program(folder, {"trace", "fft-radix2", "-o", "folder"}), 2, "folder");
  check_failure(run_program(folder, {"trace", "fft-radix2", "-o", "/dev/full"}), 2, "/dev/full");
  check_failure(run_program(folder, {"trace", "fft-radix2", "-o", "mine.cl"}), 2, "mine.cl");
  CHECK(content_of(folder.file("mine.cl")) == "kernel void f() {}\n");
  // A disk that is full in the middle: room for the drivers' temporary files, not for the random input and what follows.
  check_failure(
      run_program(folder, {"trace", "fft-radix2", "--n", "1048576", "--signal", "random:1", "-o", "x.twd"}, 3 << 20), 2,
      "x.twd");
  CHECK(folder.names() == before);
}

TEST_CASE("a full disk behind standard output is reported") {
  TestFolder folder;
  trace_eight(folder);
  const std::string program = (program_file().parent_path() / "twiddle").string();
  CHECK(std::system(
            ("'" + program + "' print '" + folder.file("fft8.twd") + "' >/dev/full 2>'" + folder.file("err") + "'")
                .c_str()) == 2 * 256);
  CHECK(content_of(folder.file("err")).find("standard output could not be written") != std::string::npos);
}

TEST_CASE("info and query take several traces together") {
  const TestFolder folder;
  REQUIRE(run_program(folder, {"trace", "fft-radix2", "--n", "8", "--runtime", "host", "-o", "a.twd"}).code == 0);
  REQUIRE(run_program(folder, {"trace", "fft-radix2", "--n", "16", "--runtime", "host", "-o", "b.twd"}).code == 0);
  const Ran info = run_program(folder, {"info", "a.twd", "b.twd", "--json"});
  CHECK(info.code == 0);
  const json both = json::parse(info.out);
  REQUIRE(both.size() == 2);
  CHECK(both[0]["file"] == "a.twd");
  CHECK(both[1]["parameters"]["n"] == "16");
  const char* sql = "SELECT count(*) AS launches FROM launches";
  const Ran rows = run_program(folder, {"query", "a.twd", "b.twd", sql, "--format", "csv"});
  CHECK(rows.code == 0);
  CHECK(rows.out == "rank,launches\na.twd,4\nb.twd,5\n");
  CHECK(run_program(folder, {"query", "a.twd", sql, "--format", "csv"}).out == "launches\n4\n");
  CHECK(run_program(folder, {"query", "a.twd", sql, "b.twd"}).code == 2);
  CHECK(run_program(folder, {"query", "a.twd", "none.twd", sql}).code == 3);
}

TEST_CASE("a reader that leaves early is no failure") {
  TestFolder folder;
  REQUIRE(run_program(folder, {"trace", "fft-radix2", "--n", "16384", "-o", "x.twd"}).code == 0);
  const std::string program = (program_file().parent_path() / "twiddle").string();
  REQUIRE(std::system(("'" + program + "' print '" + folder.file("x.twd") + "' 2>'" + folder.file("err") +
                       "' | head -n 1 >'" + folder.file("out") + "'")
                          .c_str()) == 0);
  CHECK(content_of(folder.file("err")) == "");
  CHECK(lines_of(content_of(folder.file("out"))).size() == 1);
}

TEST_CASE("a trace says what it kept, and goes to a file named after the algorithm") {
  TestFolder folder;
  const Ran ran = run_program(folder, {"trace", "fft-radix2", "--n", "8"});
  CHECK(ran.code == 0);
  CHECK(ran.err == "");
  CHECK(ran.out.find("14 kept, 0 lost") != std::string::npos);
  CHECK(ran.out.find("fft-radix2-n8.twd") != std::string::npos);
  CHECK(folder.names() == std::vector<std::string>{"fft-radix2-n8.twd"});
}

TEST_CASE("print writes the lines that were promised") {
  TestFolder folder;
  trace_eight(folder);
  const std::string promised =
      "launch=3 kernel=fft_stage stage=2 gid=1 pair=1-3 N=4 s=2 w=(-0.000000,-1.000000) "
      "in=(-4.000000,0.000000),(-4.000000,0.000000) out=(-4.000000,4.000000),(-4.000000,-4.000000)";
  const std::vector<std::string> text = lines_of(run_program(folder, {"print", "fft8.twd"}).out);
  REQUIRE(text.size() == 14);
  CHECK(std::count(text.begin(), text.end(), promised) == 1);

  const std::vector<std::string> rows = lines_of(run_program(folder, {"print", "fft8.twd", "--format", "jsonl"}).out);
  REQUIRE(rows.size() == 14);
  const json row = json::parse(rows[7]);
  const json expected = json::parse(
      R"({"launch":3,"kernel":"fft_stage","stage":2,"epoch":0,"gid":[1,0,0],"group":[0,0,0],"lid":[1,0,0],"op":"butterfly",
          "span":4,"stride":2,"twiddles":[[0,-1]],
          "reads":[{"buffer":"F","space":"global","index":1,"value":[-4,0]},{"buffer":"F","space":"global","index":3,"value":[-4,0]}],
          "writes":[{"buffer":"F","space":"global","index":1,"value":[-4,4]},{"buffer":"F","space":"global","index":3,"value":[-4,-4]}]})");
  for (const auto& [key, value] : expected.items()) {
    CAPTURE(key);
    CHECK(row[key] == value);
  }
  CHECK(row["line"].is_number_unsigned());
  CHECK(row.size() == expected.size() + 1);

  // In the order launch, stage, global id.
  std::vector<std::array<std::uint64_t, 3>> order;
  for (const std::string& line : rows) {
    const json one = json::parse(line);
    order.push_back({one["launch"], one.value("stage", std::uint64_t(0)), one["gid"][0]});
  }
  CHECK(std::is_sorted(order.begin(), order.end()));

  const std::vector<std::string> csv = lines_of(run_program(folder, {"print", "fft8.twd", "--format", "csv"}).out);
  REQUIRE(csv.size() == 15);
  for (const std::string& line : csv)
    CHECK(std::count(line.begin(), line.end(), ',') == std::count(csv[0].begin(), csv[0].end(), ','));
}

TEST_CASE("print filters by launch, stage, item and element") {
  TestFolder folder;
  trace_eight(folder);
  const auto gids = [&](std::vector<std::string> filter) {
    filter.insert(filter.begin(), {"print", "fft8.twd"});
    const Ran ran = run_program(folder, filter);
    CHECK(ran.code == 0);
    std::vector<std::string> found;
    const std::regex word("launch=(\\d+).* gid=(\\d+)");
    for (const std::string& line : lines_of(ran.out)) {
      std::smatch match;
      REQUIRE(std::regex_search(line, match, word));
      found.push_back(match[1].str() + "/" + match[2].str());
    }
    return found;
  };
  CHECK(gids({"--launch", "1"}) == std::vector<std::string>{"1/1", "1/3"});
  CHECK(gids({"--stage", "2"}) == std::vector<std::string>{"3/0", "3/1", "3/2", "3/3"});
  CHECK(gids({"--item", "3"}) == std::vector<std::string>{"1/3", "2/3", "3/3", "4/3"});
  CHECK(gids({"--element", "3"}) == std::vector<std::string>{"1/3", "2/1", "3/1", "4/3"});
  CHECK(gids({"--launch", "4", "--item", "2"}) == std::vector<std::string>{"4/2"});
  CHECK(gids({"--launch", "4", "--item", "77"}).empty());
  check_failure(run_program(folder, {"print", "fft8.twd", "--launch", "5"}), 2, "launches 1 to 4");
  check_failure(run_program(folder, {"print", "fft8.twd", "--stage", "9"}), 2, "stages up to 3");
}

TEST_CASE("JSON has the documented shape") {
  TestFolder folder;
  trace_eight(folder);
  const json info = json::parse(run_program(folder, {"info", "fft8.twd", "--json"}).out);
  CHECK(info["complete"] == true);
  CHECK(info["lost"] == 0);
  CHECK(info["unexplained"] == 0);
  CHECK(info["steps"] == 14);
  CHECK(info["launches"].size() == 4);
  CHECK(info["segments"].size() == 4);
  CHECK(info["buffers"][0]["type"] == "float2");

  const json list = json::parse(run_program(folder, {"list", "--json"}).out);
  REQUIRE(list.is_array());
  for (const json& entry : list)
    for (const char* key : {"id", "title", "dimensions", "parameters", "runtimes"}) CHECK(entry.contains(key));
  CHECK(json::parse(run_program(folder, {"list", "signals", "--json"}).out).is_array());

  const json devices = json::parse(run_program(folder, {"devices", "--json"}).out);
  REQUIRE(devices["devices"].size() > 0);
  CHECK(devices["devices"][0]["runtime"] == "opencl");

  const json verdict = json::parse(run_program(folder, {"verify", "fft8.twd", "--json"}).out);
  std::set<std::string> keys;
  for (const auto& [key, value] : verdict.items()) keys.insert(key);
  CHECK(keys == std::set<std::string>{"algorithm", "runtime", "device", "n", "relative_l2", "bound", "pass"});
  CHECK(verdict["n"] == 8);
  CHECK(verdict["pass"] == true);
  const json both = json::parse(run_program(folder, {"verify", "fft8.twd", "fft-radix2", "--json"}).out);
  CHECK(both.size() == 2);
}

TEST_CASE("verify: exit code 1 when an outcome is over its bound") {
  TestFolder folder;
  // A plan that claims the wrong outcome: the input itself is not its transform.
  write(folder.file("copy.cl"),
        "#include \"trace_device.h\"\n"
        "kernel void copy(global float2 *x TRACE_PARAMS) { int g = get_global_id(0); float2 v = x[g]; x[g] = v; "
        "TRACE_MOVE(x, g, x, g, v); }\n");
  write(folder.file("wrong.toml"),
        "title = \"Wrong\"\nsignal = \"ramp\"\n[[buffer]]\nname = \"x\"\ntype = \"float2\"\ncount = 8\ncontent = "
        "\"signal\"\n"
        "[[launch]]\nsource = \"copy.cl\"\nkernel = \"copy\"\nstage = 1\nglobal = [8]\nlocal = [4]\nargs = [\"x\"]\n"
        "[expect]\ntransform = \"fft\"\ninput = \"x\"\noutput = \"x\"\n");
  const Ran run = run_program(folder, {"verify", "wrong.toml"});
  CHECK_MESSAGE(run.code == 1, run.err);
  REQUIRE(run_program(folder, {"trace", "wrong.toml"}).code == 0);
  CHECK(run_program(folder, {"verify", "wrong.twd"}).code == 1);
  CHECK(run_program(folder, {"verify", "fft-radix2"}).code == 0);
}

TEST_CASE("verify: of whole numbers it says how many differ") {
  TestFolder folder;
  write(
      folder.file("count.cl"),
      "kernel void count(global const int *x, global int *y, int from) { int g = get_global_id(0); y[g] = x[g] + (g >= "
      "from); }\n");
  for (const int from : {6, 8}) {
    write(folder.file("count.toml"),
          "signal = \"ramp\"\n[[buffer]]\nname = \"x\"\ntype = \"int\"\ncount = 8\ncontent = \"signal\"\n"
          "[[buffer]]\nname = \"y\"\ntype = \"int\"\ncount = 8\n"
          "[[launch]]\nsource = \"count.cl\"\nkernel = \"count\"\nglobal = [8]\nlocal = [4]\nargs = [\"x\", \"y\", "
          "\"int:" +
              std::to_string(from) + "\"]\n[expect]\ntransform = \"sort\"\ninput = \"x\"\noutput = \"y\"\n");
    const Ran run = run_program(folder, {"verify", "count.toml"});
    CHECK_MESSAGE(run.code == (from < 8 ? 1 : 0), run.err);
    CHECK_MESSAGE(contains(run.out, from < 8 ? ": 2 of 8 elements differ, and none may\n"
                                             : ": relative L2 error 0, bound 0: good\n"),
                  run.out);
  }
}

TEST_CASE("a sound file goes through trace and print") {
  TestFolder folder;
  const std::vector<int> samples = {0, 16384, -16384, 8192, -8192, 32767, -32768, 1};
  write(folder.file("sound.wav"), wav(samples, 16));
  const Ran traced =
      run_program(folder, {"trace", "fft-radix2", "--n", "8", "--signal", "sound.wav", "-o", "sound.twd"});
  REQUIRE_MESSAGE(traced.code == 0, traced.err);
  // Every sample is read by one operation of the first stage, where bit reversal has put it.
  std::vector<double> read(8, NAN);
  const std::size_t reversed[] = {0, 4, 2, 6, 1, 5, 3, 7};
  for (const std::string& line :
       lines_of(run_program(folder, {"print", "sound.twd", "--launch", "2", "--format", "jsonl"}).out)) {
    const json operation = json::parse(line);
    for (const json& access : operation["reads"]) {
      CHECK(access["value"][1] == 0);
      read[reversed[access["index"].get<std::size_t>()]] = access["value"][0];
    }
  }
  for (std::size_t i = 0; i < 8; ++i) CHECK(static_cast<float>(read[i]) == static_cast<float>(samples[i]) / 32768.0f);
  CHECK(run_program(folder, {"verify", "sound.twd"}).code == 0);

  // A header with a wrong size of what follows.
  write(folder.file("lies.wav"), wav(samples, 0x7FFFFFF0u));
  const Ran lies = run_program(folder, {"trace", "fft-radix2", "--n", "8", "--signal", "lies.wav", "-o", "lies.twd"});
  if (lies.code != 0) check_failure(lies, 3, "lies.wav");
  write(folder.file("noise.wav"), "RIFF....WAVEnothing of the kind");
  check_failure(run_program(folder, {"trace", "fft-radix2", "--signal", "noise.wav"}), 3, "noise.wav");
  check_failure(run_program(folder, {"trace", "fft-radix2", "--signal", "missing.wav"}), 3, "missing.wav");
}

TEST_CASE("Ctrl-C keeps what was traced so far") {
  TestFolder folder;
  const std::vector<std::string> large = {"trace",    "fft-radix2", "--n", "1048576",
                                          "--signal", "random:1",   "-o",  "large.twd"};
  Running program(folder, large);
  wait_for_operations(folder, "large.twd", program);
  program.send(SIGINT);
  const Ran ran = program.wait();
  check_failure(ran, 130, "large.twd");
  const Ran info = run_program(folder, {"info", "large.twd", "--json"});
  REQUIRE_MESSAGE(info.code == 0, info.err);
  const json said = json::parse(info.out);
  CHECK(said["complete"] == false);
  CHECK(said["steps"].get<std::uint64_t>() > 0);
  CHECK(run_program(folder, {"print", "large.twd", "--launch", "1", "--item", "1"}).code == 0);
  check_failure(run_program(folder, {"verify", "large.twd"}), 2, "interrupted");
  CHECK(folder.names() == std::vector<std::string>{"large.twd"});
}

TEST_CASE("killed in the middle, a trace reads up to its last transaction") {
  TestFolder folder;
  Running program(folder, {"trace", "fft-radix2", "--n", "4194304", "--signal", "random:1", "-o", "large.twd"});
  wait_for_operations(folder, "large.twd", program);
  program.send(SIGKILL);
  CHECK(program.wait().code == 128 + SIGKILL);
  const Ran info = run_program(folder, {"info", "large.twd", "--json"});
  REQUIRE_MESSAGE(info.code == 0, info.err);
  CHECK(json::parse(info.out)["complete"] == false);
  CHECK(run_program(folder, {"print", "large.twd", "--launch", "1", "--item", "1"}).code == 0);
}

TEST_CASE("help, the man page and completion know the same verbs and options") {
  TestFolder folder;
  const std::string man = run_program(folder, {"man"}).out;
  const std::string completion = run_program(folder, {"completion", "bash"}).out;
  const std::string help = run_program(folder, {"--help"}).out;
  for (const std::string& verb : verbs()) {
    CAPTURE(verb);
    CHECK(man.find(".SS \"twiddle " + verb) != std::string::npos);
    CHECK(completion.find("\n    " + verb + ")\n") != std::string::npos);
    for (const std::string& option : options_of(verb)) {
      CAPTURE(option);
      CHECK(completion.find(option) != std::string::npos);
      if (option == "--help") continue;
      CHECK(help.find("[" + option) + help.find(" " + option) != std::string::npos);
      CHECK(man.find(std::regex_replace(option, std::regex("-"), "\\-")) != std::string::npos);
    }
  }
  // The contract's verbs that exist, and no others.
  CHECK(help.find("twiddle trace ALGORITHM") != std::string::npos);
  for (const char* code : {"0", "1", "2", "3", "4", "130"})
    CHECK(std::regex_search(help, std::regex("\n  " + std::string(code) + " +[a-z]")));
}

TEST_CASE("bash completes verbs, options, algorithms, signals and files") {
  TestFolder folder;
  if (std::system("bash --version >/dev/null 2>&1") != 0) return;
  write(folder.file("a.twd"), "");
  write(folder.file("b.txt"), "");
  const std::string program = (program_file().parent_path() / "twiddle").string();
  const auto complete = [&](const std::string& line) {
    const std::string script = "cd '" + folder.path().string() + "'; source <('" + program +
                               "' completion bash); COMP_LINE='" + line +
                               "'; COMP_POINT=${#COMP_LINE}; _twiddle; "
                               "printf '%s\\n' \"${COMPREPLY[@]}\" | sort > words";
    write(folder.file("script"), script);
    REQUIRE(std::system(("bash '" + folder.file("script") + "' 2>'" + folder.file("errors") + "'").c_str()) == 0);
    CHECK(content_of(folder.file("errors")) == "");
    return lines_of(content_of(folder.file("words")));
  };
  using Words = std::vector<std::string>;
  CHECK(complete("twiddle tr") == Words{"trace"});
  CHECK(complete("twiddle trace fft-radix2 --sig") == Words{"--sign", "--signal"});
  CHECK(complete("twiddle trace fft-stock") == Words{"fft-stockham2", "fft-stockham4"});
  CHECK(complete("twiddle trace fft-radix2 --signal ra") == Words{"ramp", "random"});
  CHECK(complete("twiddle trace fft-radix2 --runtime op") == Words{"opencl"});
  CHECK(complete("twiddle info ") == Words{"a.twd"});
  CHECK(complete("twiddle view bu") == Words{"butterfly"});  // a lesson
}

TEST_CASE("the version names what a build lacks") {
  TestFolder folder;
  const Ran ran = run_program(folder, {"--version"});
  CHECK(ran.code == 0);
  CHECK(std::regex_search(ran.out, std::regex("^twiddle \\d+\\.\\d+")));
  CHECK(ran.out.find("window") != std::string::npos);
  const Ran bare = run_program(folder, {});
  CHECK(bare.out == run_program(folder, {"--help"}).out);
  CHECK(bare.err.find("No window was opened: ") != std::string::npos);
  CHECK(run_program(folder, {"help", "view"}).out == run_program(folder, {"view", "--help"}).out);
}
