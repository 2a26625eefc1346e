#include "viewer/session/file_watch.h"

#include <system_error>

namespace twiddle {

FileWatch::FileWatch(std::function<std::vector<std::filesystem::path>()> files) : files_(std::move(files)) {
  told_ = last_ = look();
}

bool FileWatch::changed() {
  Stamps now = look();
  const bool settled = now == last_;
  last_ = now;
  if (!settled || now == told_) return false;
  // A file that is being replaced is missing for a moment.
  for (const auto& [file, stamp] : now)
    if (!stamp) return false;
  told_ = std::move(now);
  return true;
}

FileWatch::Stamps FileWatch::look() const {
  Stamps stamps;
  if (!files_) return stamps;
  for (const std::filesystem::path& file : files_()) {
    std::error_code failed;
    Stamp stamp{std::filesystem::last_write_time(file, failed), 0};
    if (!failed) stamp.size = std::filesystem::file_size(file, failed);
    stamps[file] = failed ? std::optional<Stamp>() : stamp;
  }
  return stamps;
}

}  // namespace twiddle
