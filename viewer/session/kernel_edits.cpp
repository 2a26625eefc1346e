#include "viewer/session/kernel_edits.h"

#include "base/error.h"
#include "base/read_file.h"
#include "base/write_file.h"
#include "tracer/source/source.h"
#include "viewer/input/text_area.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

constexpr std::uintmax_t max_kernel = std::uintmax_t(1) << 22;

/// A source of the request's plan, as its file has it, by the name that traces have.
struct SourceFile {
  fs::path file;
  std::string text;
};
std::optional<SourceFile> source_file(Request request, const std::string& source) {
  request.edited.clear();
  try {
    const Plan plan = make_plan(request);
    for (const Launch& launch : plan.launches)
      for (const char* extension : {".cl", ".cu"}) {
        try {
          const KernelSource kernel = kernel_source(plan, launch, extension);
          for (const SourceText& text : source_files(kernel))
            if (text.name == source) return SourceFile{kernel.directory / text.name, text.text};
        } catch (const Error&) {  // only one of the two languages has it
        }
      }
  } catch (const Error&) {  // the plan cannot be read just now
  }
  return std::nullopt;
}

}  // namespace

SourceEdits KernelEdits::together(const Request& request, const std::map<std::string, std::string>& drafts) {
  SourceEdits edits = request.edited;
  for (const auto& [name, text] : drafts) edits[name] = text;
  std::erase_if(edits, [&](const auto& edit) {
    const std::optional<SourceFile> file = source_file(request, edit.first);
    return file && TextArea(file->text).text() == edit.second;
  });
  return edits;
}

void KernelEdits::note(const Request& request, const std::string& source, const std::string& ran) {
  if (const std::optional<SourceFile> file = source_file(request, source); file && TextArea(file->text).text() == ran)
    seen_.try_emplace(file->file, ran);
}

std::optional<fs::path> KernelEdits::own_file(const Request& request, const std::string& source) const {
  if (fs::path(request.algorithm).extension() != ".toml") return std::nullopt;
  const std::optional<SourceFile> file = source_file(request, source);
  if (!file) return std::nullopt;
  // A plan may run one of Twiddle's own kernels.
  std::error_code failed;
  const fs::path home = fs::weakly_canonical(fs::absolute(request.algorithm, failed).parent_path(), failed);
  const fs::path inside = fs::weakly_canonical(file->file, failed).lexically_relative(home);
  return inside.empty() || *inside.begin() == ".." ? std::nullopt : std::optional(file->file);
}

fs::path KernelEdits::save(const Request& request, const std::string& source, const std::string& text,
                           const std::string& ran, const fs::path& asked) {
  fs::path file = asked;
  std::string out = text;
  std::error_code failed;
  if (asked.empty()) {
    const std::optional<fs::path> own = own_file(request, source);
    if (!own) throw usage_error("{} is no file of the plan: save it under another name", source);
    file = *own;
    const std::string raw = read_file(file, max_kernel), there = TextArea(raw).text();
    if (raw.size() > TextArea::max_bytes) throw usage_error("{} is too long to be edited here", file.string());
    if (raw.find("\r\n") != std::string::npos)  // its lines end as they did
      for (std::size_t at = 0; (at = out.find('\n', at)) != std::string::npos; at += 2) out.insert(at, 1, '\r');
    const auto known = warned_.find(file);
    const auto seen = seen_.find(file);
    const bool ours = there == ran || there == text || (seen != seen_.end() && seen->second == there) ||
                      std::find(saved_.begin(), saved_.end(), there) != saved_.end();
    if (!ours && (known == warned_.end() || known->second != there)) {
      warned_[file] = there;
      throw usage_error("{} was changed by another program since it ran: saving once more writes over that",
                        file.string());
    }
  } else if (fs::exists(file, failed) || fs::is_symlink(file, failed)) {
    throw usage_error("{} is there already: give another name", file.string());
  }
  write_file(file, out);
  saved_.push_back(text);
  return file;
}

}  // namespace twiddle
