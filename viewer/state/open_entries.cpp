#include "viewer/state/open_entries.h"

#include "base/tr.h"

#include <algorithm>
#include <string>
#include <system_error>

namespace fs = std::filesystem;

namespace twiddle {

std::vector<OpenEntry> open_entries(const std::vector<fs::path>& before, const fs::path& folder) {
  constexpr std::size_t max_here = 200, max_looked_at = 10000;
  std::vector<OpenEntry> entries;
  std::error_code failed;
  for (const fs::path& file : before)
    if (fs::is_regular_file(file, failed)) entries.push_back({file.string(), tr("opened before")});
  std::vector<std::string> files, folders;
  std::size_t looked_at = 0;
  const fs::path here = fs::absolute(folder, failed).lexically_normal();
  for (fs::directory_iterator at(here, fs::directory_options::skip_permission_denied, failed), end;
       !failed && at != end && looked_at < max_looked_at; at.increment(failed), ++looked_at) {
    const fs::path& path = at->path();
    if (path.filename().string().starts_with('.')) continue;
    std::error_code gone;
    if (at->is_directory(gone))
      folders.push_back(path.string());
    else if ((path.extension() == ".twd" || path.extension() == ".toml") && at->is_regular_file(gone))
      files.push_back(path.string());
  }
  std::sort(files.begin(), files.end());
  std::sort(folders.begin(), folders.end());
  std::size_t added = 0;
  for (const std::string& file : files) {
    const bool known =
        std::any_of(entries.begin(), entries.end(), [&](const OpenEntry& entry) { return entry.file == file; });
    if (!known && added++ < max_here) entries.push_back({file, tr("in this folder")});
  }
  if (here.has_relative_path()) entries.push_back({(here / "..").string(), tr("folder above")});
  added = 0;
  for (const std::string& inside : folders)
    if (added++ < max_here) entries.push_back({inside, tr("folder")});
  return entries;
}

}  // namespace twiddle
