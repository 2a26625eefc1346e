#include "cli/interrupt.h"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>

namespace twiddle::cli {
namespace {

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};
std::atomic<bool> interrupted = false;  // other threads ask, too
static_assert(std::atomic<bool>::is_always_lock_free);
struct sigaction previous[std::size(signals)];
int guards = 0;  // one within another: the outermost handles the signals

int terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

InterruptGuard::InterruptGuard() {
  if (guards++ > 0) return;
  interrupted = false;
  struct sigaction once {};
  once.sa_handler = [](int) { interrupted = true; };
  once.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&once.sa_mask);
  for (std::size_t i = 0; i < std::size(signals); ++i) {
    ::sigaction(signals[i], &once, &previous[i]);
    // Under nohup, or as a shell's background job, a signal that was ignored stays ignored.
    if (previous[i].sa_handler == SIG_IGN) ::sigaction(signals[i], &previous[i], nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  if (--guards > 0) return;
  for (std::size_t i = 0; i < std::size(signals); ++i) ::sigaction(signals[i], &previous[i], nullptr);
}

bool InterruptGuard::asked() { return interrupted; }

ProgressBar::ProgressBar() : terminal_(::isatty(STDERR_FILENO) == 1), begun_(Clock::now()), last_(begun_) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::show(double fraction, const std::string& what) {
  using namespace std::chrono_literals;
  if (!terminal_) return;
  const auto now = Clock::now();
  if (now - begun_ < 400ms || (drawn_ && now - last_ < 50ms)) return;
  last_ = now;
  drawn_ = true;
  const double seconds = seconds_between(begun_, now);
  fmt::print(stderr, "\r\033[K{}", bar_line(fraction, what, terminal_width() - 1, seconds));
  std::fflush(stderr);
}

void ProgressBar::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

std::string bar_line(double fraction, const std::string& what, int width, double seconds) {
  constexpr int cells = 24;
  fraction = std::clamp(fraction, 0.0, 1.0);
  const int full = static_cast<int>(fraction * cells);
  std::string bar;
  for (int i = 0; i < cells; ++i) bar += i < full ? "█" : "░";
  std::string text = fmt::format(" {:3.0f} %", fraction * 100);
  if (fraction > 0.02) text += fmt::format("  {:.0f} s left", seconds / fraction * (1 - fraction));
  text += "  " + what;
  const auto room = static_cast<std::size_t>(std::max(0, width - cells));
  if (text.size() > room) text.resize(room);
  return width < cells ? text : bar + text;
}

}  // namespace twiddle::cli
