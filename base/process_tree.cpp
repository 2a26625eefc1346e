#include "base/process_tree.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace fs = std::filesystem;

namespace twiddle {

std::optional<SeenProcess> living_process(pid_t id) {
  std::ifstream in("/proc/" + std::to_string(id) + "/stat");
  const std::string status(std::istreambuf_iterator<char>(in), {});
  // "7 (a name) S 1 …": the third field is the state, the fourth the parent, the twenty-second the time of its begin.
  const std::size_t name_end = status.rfind(") ");
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(status.substr(name_end + 2));
  SeenProcess process;
  process.id = id;
  char state = 'Z';
  std::string skipped;
  fields >> state >> process.parent;
  for (int field = 5; field < 22; ++field) fields >> skipped;
  if (!(fields >> process.begun) || state == 'Z' || state == 'X') return std::nullopt;
  return process;
}

bool lives(const SeenProcess& process) {
  const auto now = living_process(process.id);
  return now && now->begun == process.begun;
}

std::vector<SeenProcess> process_tree(pid_t root) {
  std::vector<SeenProcess> all, tree;
  std::error_code failed;
  for (fs::directory_iterator at("/proc", failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (const auto process = living_process(static_cast<pid_t>(std::strtol(name.c_str(), nullptr, 10))))
      all.push_back(*process);
  }
  std::copy_if(all.begin(), all.end(), std::back_inserter(tree),
               [&](const SeenProcess& one) { return one.id == root; });
  for (std::size_t i = 0; i < tree.size(); ++i)
    for (const SeenProcess& one : all)
      if (one.parent == tree[i].id) tree.push_back(one);
  return tree;
}

void send_signal(const std::vector<SeenProcess>& processes, int signal) {
  for (const SeenProcess& one : processes)
    if (lives(one)) kill(one.id, signal);
}

}  // namespace twiddle
