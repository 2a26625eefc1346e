// Kernels that are edited in the window: which file a source is of, and writing what was edited where the user says.
#pragma once

#include "kernels/catalogue/catalogue.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

class KernelEdits {
 public:
  /// What runs in place of the request's files: `drafts` over the edits that it has already, without texts that are what the
  /// files have.
  static SourceEdits together(const Request& request, const std::map<std::string, std::string>& drafts);

  /// The user's own file of a source; nothing of Twiddle's.
  std::optional<std::filesystem::path> own_file(const Request& request, const std::string& source) const;
  /// Writes a text: to the user's own file, or to another (`file`), where there must be none. The file that was written. Throws
  /// Error (usage): where there is one already, where it cannot be written, and the first time where another
  /// program wrote the user's file since it was edited; `ran`: the text that the last run had of it.
  std::filesystem::path save(const Request& request, const std::string& source, const std::string& text,
                             const std::string& ran, const std::filesystem::path& file);
  /// What is edited runs: where its file still has the text that ran before, that is what saving will replace.
  void note(const Request& request, const std::string& source, const std::string& ran);
  /// The texts that were written.
  const std::vector<std::string>& saved() const { return saved_; }

 private:
  std::vector<std::string> saved_;
  // By file: what it had when it was edited first, and what another program wrote into it since.
  std::map<std::filesystem::path, std::string> seen_, warned_;
};

}  // namespace twiddle
