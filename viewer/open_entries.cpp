#include "viewer/open_entries.h"

#include "base/tr.h"

#include <algorithm>
#include <system_error>

namespace fs = std::filesystem;

namespace twiddle {

std::vector<OpenEntry> open_entries(const std::vector<fs::path>& before, const fs::path& folder) {
  constexpr std::size_t most_here = 200, most_looked_at = 10000;
  std::vector<OpenEntry> entries;
  std::error_code failed;
  for (const fs::path& file : before)
    if (fs::is_regular_file(file, failed)) entries.push_back({file.string(), tr("opened before")});
  std::vector<std::string> here;
  std::size_t looked_at = 0;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, failed), end;
       !failed && at != end && looked_at < most_looked_at; at.increment(failed), ++looked_at)
    if (at->path().extension() == ".twd" && at->is_regular_file(failed))
      here.push_back(fs::absolute(at->path(), failed).lexically_normal().string());
  std::sort(here.begin(), here.end());
  for (const std::string& file : here) {
    const bool known =
        std::any_of(entries.begin(), entries.end(), [&](const OpenEntry& entry) { return entry.file == file; });
    if (!known && entries.size() < before.size() + most_here) entries.push_back({file, tr("in this folder")});
  }
  return entries;
}

}  // namespace twiddle
