#include "tracer/repair/copies.h"

#include "base/error.h"
#include "tracer/repair/trial.h"
#include "tracer/runtime/runtime.h"

#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace twiddle {
namespace {

double seconds_before_copy = 0;  // of the process that this one is a copy of
double seconds_of_beside = 0;    // of copies that worked beside this process
bool limited = false;            // this is a copy that an alarm ends
std::function<void()> first_in_copy;

double seconds_of(const rusage& usage) {
  double all = 0;
  for (const timeval& part : {usage.ru_utime, usage.ru_stime})
    all += static_cast<double>(part.tv_sec) + 1e-6 * static_cast<double>(part.tv_usec);
  return all;
}
double seconds_of(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  return seconds_of(usage);
}

itimerval once_after(double seconds) {
  itimerval limit{};
  limit.it_value.tv_sec = static_cast<time_t>(seconds);
  limit.it_value.tv_usec = static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6);
  return limit;
}

}  // namespace

BuildLimit::BuildLimit(double seconds) : set_(seconds > 0) {
  const itimerval limit = once_after(seconds);
  if (set_) ::setitimer(ITIMER_PROF, &limit, nullptr);
}
BuildLimit::~BuildLimit() {
  const itimerval none{};
  if (set_) ::setitimer(ITIMER_PROF, &none, nullptr);
}

double processor_seconds() { return seconds_before_copy + seconds_of(RUSAGE_SELF) + processor_seconds_of_children(); }
double processor_seconds_of_children() { return seconds_of(RUSAGE_CHILDREN) - seconds_of_beside; }

namespace {

enum class CopyEnd { Done, Overdue, Broken };  // Overdue: an alarm ended it

void put_all(int out, const std::string& text) {
  for (std::size_t from = 0; from < text.size();) {
    const ssize_t put = ::write(out, text.data() + from, text.size() - from);
    if (put <= 0) ::_exit(1);
    from += static_cast<std::size_t>(put);
  }
}

void each_part(int from, const std::function<void(std::string_view)>& each) {
  char part[4096];
  for (ssize_t got; (got = ::read(from, part, sizeof part)) != 0;) {
    if (got < 0 && errno != EINTR) break;
    if (got > 0) each({part, static_cast<std::size_t>(got)});
  }
}

// A copy of this process: 0 or less, there is none. What it writes comes from `from`.
struct Copy {
  pid_t process = -1;
  int from = -1;
};
// … that does something. What would be handled here ends it.
Copy begun_copy(const std::function<void(int out)>& done_there) {
  int ends[2];
  if (::pipe(ends) != 0) return {};
  std::fflush(stdout);
  const double before = processor_seconds();
  const Copy copy{::fork(), ends[0]};
  if (copy.process == 0) {
    seconds_before_copy = before;
    seconds_of_beside = 0;
    ::close(ends[0]);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::signal(signal, SIG_DFL);
    end_with_stopped_launch();
    try {
      if (first_in_copy) first_in_copy();
      done_there(ends[1]);
    } catch (...) { ::_exit(1); }
    ::_exit(0);
  }
  ::close(ends[1]);
  return copy;
}

// Waits for a copy, and adds up the processor's seconds that it took.
CopyEnd ended(const Copy& copy, double& used) {
  int status = 1;
  rusage usage{};
  if (copy.process > 0)
    while (::wait4(copy.process, &status, 0, &usage) < 0 && errno == EINTR) {}
  if (copy.from >= 0) ::close(copy.from);
  used += seconds_of(usage);
  if (copy.process <= 0) return CopyEnd::Broken;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return CopyEnd::Done;
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? CopyEnd::Overdue : CopyEnd::Broken;
}

// Does it in a copy of this process, and hands out what that writes.
CopyEnd in_copy(const std::function<void(int out)>& done_there, const std::function<void(std::string_view)>& each) {
  const Copy copy = begun_copy(done_there);
  if (copy.process > 0) each_part(copy.from, each);
  double used = 0;
  return ended(copy, used);
}

}  // namespace

void begin_copies_with(std::function<void()> first) { first_in_copy = std::move(first); }

std::string text_of_copy(bool forks, const std::function<std::string()>& text, double seconds) {
  const auto asked = [&] {
    try {
      return text();
    } catch (const Error&) { return std::string(); }
  };
  if (!forks) return asked();
  std::string answer;
  const auto answers = [&](int out) {
    limited = true;
    limit_copy(seconds);
    put_all(out, asked());
  };
  const CopyEnd end = in_copy(answers, [&](std::string_view part) { answer += part; });
  return end == CopyEnd::Done ? answer : std::string();
}

void limit_copy(double seconds) {
  const itimerval limit = once_after(seconds);
  if (limited) ::setitimer(ITIMER_REAL, &limit, nullptr);
}

CopyBeside::CopyBeside(const std::function<std::string()>& text) {
  const pid_t owner = ::getpid();
  const Copy copy = begun_copy([&](int out) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != owner) ::_exit(1);
    put_all(out, text());
  });
  copy_ = copy.process;
  from_ = copy.from;
}

CopyBeside::~CopyBeside() {
  if (copy_ <= 0) return;
  ::kill(copy_, SIGKILL);
  text();
}

std::optional<std::string> CopyBeside::text() {
  if (from_ < 0) return std::nullopt;
  std::string all;
  each_part(from_, [&](std::string_view part) { all += part; });
  ::close(from_);
  from_ = -1;
  if (copy_ <= 0) return std::nullopt;
  int status = 1;
  rusage usage{};
  while (::wait4(copy_, &status, 0, &usage) < 0 && errno == EINTR) {}
  copy_ = -1;
  seconds_of_beside += seconds_of(usage);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? std::optional(std::move(all)) : std::nullopt;
}

double seconds_beside() { return seconds_of_beside; }

std::size_t processors_beside() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 0;
  return static_cast<std::size_t>(std::max(CPU_COUNT(&allowed) - 1, 0));
}

namespace {

// What one copy after another answers of first … end − 1.
struct Answering {
  std::size_t next = 0, end = 0;
  std::size_t first = 0;  // that this copy began with
  Copy copy{};
  std::string part{};  // of an answer that came in two
};

}  // namespace

std::vector<std::uint16_t> answers_of_copies(std::size_t count, double seconds,
                                             const std::function<std::uint16_t(std::size_t)>& right,
                                             std::size_t at_once) {
  constexpr std::size_t fewest = 8;  // that a copy is begun for
  std::vector<std::uint16_t> good(count);
  const itimerval limit = once_after(seconds);
  const auto begin = [&](Answering& one) {
    one.first = one.next;
    one.part.clear();
    one.copy = begun_copy([&](int out) {
      limited = true;
      for (std::size_t k = one.next; k < one.end; ++k) {
        ::setitimer(ITIMER_REAL, &limit, nullptr);
        std::uint16_t answer = 0;
        try {
          answer = right(k);
        } catch (const DeviceLost&) { ::_exit(1); } catch (const std::exception&) {
        }
        if (::write(out, &answer, sizeof answer) != sizeof answer) ::_exit(1);
      }
    });
  };
  const std::size_t parts = std::clamp<std::size_t>(at_once, 1, std::max<std::size_t>(count / fewest, 1));
  std::vector<Answering> all(parts);
  for (std::size_t k = 0; k < parts; ++k) {
    all[k].next = k * count / parts;
    all[k].end = (k + 1) * count / parts;
    if (all[k].next < all[k].end) begin(all[k]);
  }
  double used = 0;
  for (;;) {
    std::vector<pollfd> open;
    std::vector<std::size_t> whose;
    for (std::size_t k = 0; k < parts; ++k)
      if (all[k].next < all[k].end) {
        open.push_back({all[k].copy.from, POLLIN, 0});
        whose.push_back(k);
      }
    if (open.empty()) break;
    // Of one that could not be begun nothing comes.
    const bool lost = std::any_of(all.begin(), all.end(), [](const Answering& one) { return one.copy.from < 0; });
    if (::poll(open.data(), open.size(), lost ? 0 : -1) < 0 && errno != EINTR) break;
    for (std::size_t k = 0; k < open.size(); ++k) {
      Answering& one = all[whose[k]];
      char answers[4096];
      const bool begun_at_all = one.copy.process > 0;
      if (begun_at_all && open[k].revents == 0) continue;
      const ssize_t got = begun_at_all ? ::read(one.copy.from, answers, sizeof answers) : 0;
      if (got < 0 && errno == EINTR) continue;
      if (got > 0) {
        one.part.append(answers, static_cast<std::size_t>(got));
        std::size_t at = 0;
        for (; at + sizeof good[0] <= one.part.size() && one.next < one.end; at += sizeof good[0])
          std::memcpy(&good[one.next++], one.part.data() + at, sizeof good[0]);
        one.part.erase(0, at);
        if (one.next < one.end) continue;
      }
      double its = 0;
      const CopyEnd end = ended(one.copy, its);
      used += its;
      if (one.next >= one.end) continue;
      // The one that it ended in; where others came before it, one of these may have left the memory broken that it ended for.
      if (one.next == one.first || end == CopyEnd::Overdue) ++one.next;
      if (one.next < one.end) begin(one);
    }
  }
  seconds_of_beside += used - used / static_cast<double>(parts);
  return good;
}

}  // namespace twiddle
