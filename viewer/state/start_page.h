// The page that the program opens on: what it can do, as runs that are seen before anything is chosen.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace twiddle {

struct Document;

/// A file that was open before.
struct RecentFile {
  std::string file;     // whole path
  std::string subject;  // what it is of; empty: not known
};

/// Something that can run here, or cannot, and why.
struct DeviceLine {
  std::string runtime, words;
  bool can_run = true;
};

struct StartPage {
  /// The cards, in the order of their keys, 1 to 5.
  enum Card : std::uint8_t { Watch, Course, Bug, Kernel, Record };
  static constexpr int cards = 5;

  bool open = false;
  int chosen = Watch;
  // The runs that the cards show beside the window's own, which is that of the first; null until they are made.
  std::shared_ptr<Document> course, bug, kernel, record;
  std::vector<RecentFile> recent;
  std::vector<DeviceLine> devices;
};

}  // namespace twiddle
