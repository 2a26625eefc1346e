#include "viewer/session/file_dialog.h"

#include "base/error.h"
#include "base/message.h"
#include "base/process.h"

#include <chrono>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

constexpr double max_seconds = 24 * 3600;  // a dialog may be open for a while

/// The command line of the dialog that there is; empty: there is none.
std::vector<std::string> dialog_command(const std::string& title, const fs::path& folder) {
  if (const fs::path zenity = find_program("zenity"); !zenity.empty()) {
    std::vector<std::string> command{zenity.string(), "--file-selection", "--title=" + title,
                                     "--file-filter=*.twd *.toml | *.twd *.toml"};
    if (!folder.empty()) command.push_back("--filename=" + (folder / "").string());
    return command;
  }
  if (const fs::path kdialog = find_program("kdialog"); !kdialog.empty())
    return {kdialog.string(), "--title", title, "--getopenfilename", folder.empty() ? "." : folder.string(),
            "*.twd *.toml"};
  return {};
}

FileDialog::Outcome ask(const std::vector<std::string>& command, const std::atomic<bool>& stop) {
  try {
    const ProcessResult result = run_process(command, max_seconds, {}, [&stop] { return !stop; });
    // Both print the file's name and a new line; 1 says that nothing was chosen.
    std::string file = result.output.substr(0, result.output.find('\n'));
    if (result.status == 0) return {std::move(file), {}};
    if (result.status == 1 || stop) return {};
    return {{}, tr("The desktop's dialog could not be shown: {} ended with {}.", command[0], result.status)};
  } catch (const Error& error) { return {{}, error.message().translated()}; }
}

}  // namespace

FileDialog::FileDialog(std::function<void()> wake) : wake_(std::move(wake)) {}

FileDialog::~FileDialog() {
  stop_ = true;
  if (thread_.valid()) thread_.wait();
}

bool FileDialog::possible() { return !dialog_command("", {}).empty(); }

void FileDialog::open(const std::string& title, const fs::path& folder) {
  if (running()) return;
  thread_ = std::async(std::launch::async, [this, command = dialog_command(title, folder)] {
    Outcome outcome = command.empty() ? Outcome{} : ask(command, stop_);
    wake_();
    return outcome;
  });
}

std::optional<FileDialog::Outcome> FileDialog::take() {
  if (!thread_.valid() || thread_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return std::nullopt;
  return thread_.get();
}

}  // namespace twiddle
