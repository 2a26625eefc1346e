#include "viewer/window/system_theme.h"

#include "base/error.h"
#include "base/paths.h"
#include "base/process.h"
#include "base/text.h"
#include "base/values/environment.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace twiddle {
namespace {

/// A settings file of the desktop's: beside the folder of ours.
std::filesystem::path config_file(const char* name) {
  const std::filesystem::path ours = config_directory();
  return ours.empty() ? ours : ours.parent_path() / name;
}

/// The value of `key=value` in an ini file; empty when it is not there. At most 64 KiB are read.
std::string ini_value(const std::filesystem::path& file, std::string_view key) {
  std::ifstream in(file);
  std::string line;
  for (std::size_t read = 0; read < 65536 && std::getline(in, line); read += line.size() + 1) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    std::string name = line.substr(0, equals), value = line.substr(equals + 1);
    const auto trim = [](std::string& text) {
      while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
      text.erase(0, text.find_first_not_of(" \t"));
    };
    trim(name), trim(value);
    if (name == key) return value;
  }
  return {};
}

bool is_true(const std::string& value) { return lower_case(value) == "true" || value == "1"; }
bool is_false(const std::string& value) { return lower_case(value) == "false" || value == "0"; }

}  // namespace

std::optional<ThemeName> system_theme_from_files() {
  if (const std::string gtk = environment("GTK_THEME"); !gtk.empty())
    return lower_case(gtk).find("dark") != std::string::npos ? ThemeName::Dark : ThemeName::Light;
  for (const char* settings : {"gtk-4.0/settings.ini", "gtk-3.0/settings.ini"}) {
    const std::string dark = ini_value(config_file(settings), "gtk-application-prefer-dark-theme");
    if (is_true(dark)) return ThemeName::Dark;
    if (is_false(dark)) return ThemeName::Light;
  }
  const std::string kde = lower_case(ini_value(config_file("kdeglobals"), "ColorScheme"));
  if (!kde.empty()) return kde.find("dark") != std::string::npos ? ThemeName::Dark : ThemeName::Light;
  return std::nullopt;
}

std::future<std::optional<ThemeName>> system_theme_from_desktop() {
  return std::async(std::launch::async, []() -> std::optional<ThemeName> {
    // Where the program is missing or has no such key it prints nothing to standard output.
    if (find_program("gsettings").empty()) return std::nullopt;
    try {
      const std::string answer =
          run_process({"gsettings", "get", "org.gnome.desktop.interface", "color-scheme"}, 2).output;
      if (answer.find("prefer-dark") != std::string::npos) return ThemeName::Dark;
      if (answer.find("prefer-light") != std::string::npos) return ThemeName::Light;
    } catch (const Error&) {  // it could not be started
    }
    return std::nullopt;  // "default": no wish
  });
}

bool reduced_motion() {
  for (const char* settings : {"gtk-4.0/settings.ini", "gtk-3.0/settings.ini"})
    if (is_false(ini_value(config_file(settings), "gtk-enable-animations"))) return true;
  return ini_value(config_file("kdeglobals"), "AnimationDurationFactor") == "0";
}

}  // namespace twiddle
