#include "tracer/runtime/kernel_signals.h"

#include <ucontext.h>

#include <array>
#include <atomic>
#include <cassert>
#include <csignal>
#include <mutex>

namespace twiddle {
namespace {

// SIGABRT: an assertion of a driver's, in the compiler that it has in it, say.
constexpr std::array<int, 6> faults{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};

std::mutex mutex;
int users = 0;
std::array<struct sigaction, faults.size()> old_actions;
struct sigaction old_interrupt;
std::array<std::atomic<KernelSignalHandler>, 2> handlers{};

// Where the code was interrupted; null on a processor we do not know.
const void* program_counter(const void* context) {
#if defined(__x86_64__) && defined(__linux__)
  return reinterpret_cast<const void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__) && defined(__linux__)
  return reinterpret_cast<const void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.pc);
#else
  (void)context;
  return nullptr;
#endif
}

const struct sigaction& old_action(int signal) {
  std::size_t i = 0;
  while (i + 1 < faults.size() && faults[i] != signal) ++i;
  return old_actions[i];
}

void handle(int signal, siginfo_t* info, void* context) {
  const bool interrupt = signal == interrupt_signal();
  const bool answers = signal == SIGFPE && (old_action(signal).sa_flags & SA_SIGINFO);
  const KernelSignal arrived{signal, *info, program_counter(context), context, answers};
  for (const std::atomic<KernelSignalHandler>& each : handlers)
    if (const KernelSignalHandler handler = each.load(std::memory_order_acquire); handler && handler(arrived)) return;
  if (interrupt) return;  // it came too late: the turn is over

  // Not ours. The old handler takes it; the default one by letting the same instruction fault again.
  const struct sigaction& old = old_action(signal);
  if (old.sa_flags & SA_SIGINFO)
    old.sa_sigaction(signal, info, context);
  else if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN)
    old.sa_handler(signal);
  else
    sigaction(signal, &old, nullptr);
}

}  // namespace

int interrupt_signal() { return SIGRTMIN + 7; }

KernelSignals::KernelSignals(KernelSignalHandler handler) {
  const std::lock_guard lock(mutex);
  std::size_t place = 0;
  while (place < handlers.size() && handlers[place] && handlers[place] != handler) ++place;
  assert(place < handlers.size());
  handlers[place].store(handler, std::memory_order_release);
  if (users++ > 0) return;
  // On the worker's signal stack, since a kernel may have used up its own; not blocked inside the handler, which may leave
  // by switching to another stack.
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (std::size_t i = 0; i < faults.size(); ++i) sigaction(faults[i], &action, &old_actions[i]);
  sigaction(interrupt_signal(), &action, &old_interrupt);
}

KernelSignals::~KernelSignals() {
  const std::lock_guard lock(mutex);
  if (--users > 0) return;
  for (std::size_t i = 0; i < faults.size(); ++i) sigaction(faults[i], &old_actions[i], nullptr);
  sigaction(interrupt_signal(), &old_interrupt, nullptr);
}

}  // namespace twiddle
