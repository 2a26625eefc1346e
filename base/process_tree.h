// Processes that others run: which of them are there, and which are below another.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <sys/types.h>

namespace twiddle {

/// A process as it was seen. Its number may become another's, which has begun at another time.
struct SeenProcess {
  pid_t id = 0, parent = 0;
  std::uint64_t begun = 0;  // in the system's ticks
};

/// Nothing where there is none that has not ended; one that ended and was not waited for yet has.
std::optional<SeenProcess> living_process(pid_t id);
bool lives(const SeenProcess& process);

/// A process and all below it, as far as they live, parents first: a shell that waits for a program must not go on to the next.
std::vector<SeenProcess> process_tree(pid_t root);
/// To those that live.
void send_signal(const std::vector<SeenProcess>& processes, int signal);

}  // namespace twiddle
