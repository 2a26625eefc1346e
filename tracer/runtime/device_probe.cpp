#include "tracer/runtime/device_probe.h"

#include "base/error.h"
#include "base/process.h"
#include "base/values/environment.h"
#include "tracer/runtime/probe_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <sstream>

namespace twiddle {
namespace {

constexpr const char* probe_argument = "--probe-devices";
constexpr char part_mark = '\x1e';  // on the child's standard error, where it begins a part
constexpr double default_seconds = 30;
constexpr int max_children = 16;        // for one runtime: each but the last finds one part that ends it
constexpr std::size_t max_words = 240;  // of what a driver said, in bytes

struct LeftOut {
  DriverPart part;
  std::string sentence;
};

// The parent's side.
std::mutex lock;
bool probes = false;                                 // this program knows the arguments of a child
std::map<std::string, std::vector<LeftOut>> probed;  // by runtime

// The child's side: nothing else runs there.
struct Child {
  std::string runtime;              // empty: this is no child
  std::vector<DriverPart> skipped;  // known not to work
  int report = -1;
};
Child child;

std::string key(const DriverPart& part) { return fmt::format("{}.{}", part.platform, part.device); }

DriverPart part_of(const std::string& runtime, const std::string& key) {
  DriverPart part{runtime, -1, -1};
  std::istringstream in(key);
  char dot = 0;
  in >> part.platform >> dot >> part.device;
  return part;
}

// A line of the child's report; what drivers print goes to standard error.
void report(std::string line) {
  std::replace(line.begin(), line.end(), '\n', ' ');
  line += '\n';
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t wrote = write(child.report, line.data() + done, line.size() - done);
    if (wrote < 0 && errno != EINTR) return;
    done += static_cast<std::size_t>(std::max<ssize_t>(wrote, 0));
  }
}

double seconds_to_wait() {
  const std::string given = environment("TWIDDLE_PROBE_SECONDS");
  return given.empty() ? default_seconds : std::atof(given.c_str());
}

std::string signal_name(int number) {
  switch (number) {
    case SIGABRT: return "SIGABRT";
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGILL: return "SIGILL";
    case SIGKILL: return "SIGKILL";
    case SIGTRAP: return "SIGTRAP";
    default: return fmt::format("signal {}", number);
  }
}

// The last lines that were printed since the child began the part, as one line for a terminal.
std::string last_words(const std::string& errors) {
  const std::size_t mark = errors.rfind(part_mark);
  std::istringstream in(mark == std::string::npos ? errors : errors.substr(mark + 1));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    for (char& c : line)
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    while (!line.empty() && line.back() == ' ') line.pop_back();
    if (!line.empty()) lines.push_back(line);
  }
  std::string words;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (!words.empty() && line->size() + words.size() > max_words) break;
    words = words.empty() ? line->substr(0, max_words) : *line + " / " + words;
  }
  return words;
}

std::string how_it_ended(const ProcessResult& result, double seconds) {
  std::string how = result.timed_out       ? fmt::format("does not answer within {} seconds", seconds)
                    : result.status >= 128 ? fmt::format("crashes ({})", signal_name(result.status - 128))
                                           : fmt::format("ends the program (exit code {})", result.status);
  if (const std::string words = last_words(result.errors); !words.empty()) how += "; it said: " + words;
  return how;
}

struct Report {
  bool began = false, ended = false;
  DriverPart tried;  // the last one
  std::string name;
  std::vector<LeftOut> failed;
  std::vector<std::string> files;  // that the drivers consist of
};

Report read_report(const std::string& runtime, const std::string& text) {
  Report report;
  report.tried.runtime = runtime;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const std::size_t space = line.find(' ');
    const std::string word = line.substr(0, space), rest = space == std::string::npos ? "" : line.substr(space + 1);
    const std::size_t second = std::min(rest.find(' '), rest.size());
    const std::string first = rest.substr(0, second), text_after = rest.substr(std::min(second + 1, rest.size()));
    if (word == "begin") report.began = true;
    if (word == "end") report.ended = true;
    if (word == "file") report.files.push_back(rest);
    if (word == "try") report.tried = part_of(runtime, first), report.name = text_after;
    if (word == "fail") report.failed.push_back({part_of(runtime, first), text_after});
  }
  return report;
}

// Starts children until one gets to the end, each without what ended those before it.
std::vector<LeftOut> probe(const std::string& runtime, double seconds) {
  std::vector<LeftOut> found;
  const std::string known = probe_key();
  if (recall_probe(runtime, known)) return found;
  for (int round = 0; round < max_children; ++round) {
    std::vector<std::string> arguments = {"/proc/self/exe", probe_argument, runtime};
    for (const LeftOut& one : found) arguments.push_back(key(one.part));
    ProcessResult result;
    try {
      result = run_process(arguments, seconds);
    } catch (const Error&) { return found; }  // no child can be started here: as if this program let no one probe it
    Report report = read_report(runtime, result.output);
    if (!report.began) return found;
    found.insert(found.end(), report.failed.begin(), report.failed.end());
    if (report.ended) {
      if (found.empty()) remember_probe(runtime, known, report.files);
      return found;
    }
    found.push_back({report.tried, report.name + " " + how_it_ended(result, seconds)});
    if (report.tried.platform < 0) return found;
  }
  found.push_back({{runtime, -1, -1}, fmt::format("after {} parts that failed no more of it was tried", max_children)});
  return found;
}

bool covers(const DriverPart& whole, const DriverPart& part) {
  return whole.runtime == part.runtime && (whole.platform < 0 || whole.platform == part.platform) &&
         (whole.device < 0 || whole.device == part.device);
}

}  // namespace

bool may_ask(const DriverPart& part, std::string_view name) {
  if (!child.runtime.empty()) {
    for (const DriverPart& skipped : child.skipped)
      if (covers(skipped, part)) return false;
    if (write(STDERR_FILENO, &part_mark, 1) < 0) return false;  // the reader, the parent, is gone
    report(fmt::format("try {} {}", key(part), name));
    return true;
  }
  const std::lock_guard guard(lock);
  const double seconds = seconds_to_wait();
  if (!probes || !(seconds > 0)) return true;
  auto found = probed.find(part.runtime);
  if (found == probed.end()) found = probed.emplace(part.runtime, probe(part.runtime, seconds)).first;
  return std::none_of(found->second.begin(), found->second.end(),
                      [&](const LeftOut& one) { return covers(one.part, part); });
}

std::vector<std::string> left_out(std::string_view runtime) {
  const std::lock_guard guard(lock);
  std::vector<std::string> sentences;
  if (const auto found = probed.find(std::string(runtime)); found != probed.end())
    for (const LeftOut& one : found->second) sentences.push_back(one.sentence);
  return sentences;
}

namespace {

// PoCL asks hwloc for the machine's memory, and hwloc asks /sys, which containers may lack: then PoCL finds "not enough memory to
// run on this device" and aborts. What it would have found there is told to it.
void describe_machine_to_hwloc() {
  for (const char* variable : {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE", "HWLOC_COMPONENTS"})
    if (std::getenv(variable)) return;
  std::error_code ignored;
  if (std::filesystem::exists("/sys/devices/system/cpu", ignored)) return;
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE), cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (pages <= 0 || page <= 0 || cores <= 0) return;
  const std::string machine = fmt::format("NUMANode:1(memory={}) core:{} pu:1",
                                          static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page), cores);
  setenv("HWLOC_SYNTHETIC", machine.c_str(), 0);
  setenv("HWLOC_THISSYSTEM", "1", 0);
}

}  // namespace

bool begin_probe(int count, char** arguments) {
  describe_machine_to_hwloc();
  // The loader asks every driver for its devices only to sort the drivers, and one that dies of it would take all of OpenCL
  // with it. Twiddle sorts devices itself.
  setenv("OCL_ICD_PLATFORM_SORT", "none", 0);
  if (count < 3 || std::string_view(arguments[1]) != probe_argument) {
    probes = true;
    return false;
  }
  child.runtime = arguments[2];
  for (int i = 3; i < count; ++i) child.skipped.push_back(part_of(child.runtime, arguments[i]));
  // No core file and no crash report; the child is killed with its parent, and leaves Ctrl+C to it.
  const rlimit no_core{1, 1};
  setrlimit(RLIMIT_CORE, &no_core);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGINT, SIG_IGN);
  child.report = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  report("begin");
  return true;
}

const std::string& probed_runtime() { return child.runtime; }

void fail_probe(const DriverPart& part, std::string_view reason) {
  report(fmt::format("fail {} {}", key(part), reason));
}

void end_probe() {
  for (const std::string& file : loaded_files()) report("file " + file);
  report("end");
  std::_Exit(0);
}

}  // namespace twiddle
