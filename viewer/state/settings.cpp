#include "viewer/state/settings.h"

#include "base/error.h"
#include "base/message.h"
#include "base/read_file.h"
#include "viewer/scene/languages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <map>
#include <utility>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

constexpr std::uintmax_t max_file = 1 << 20;

class Reader {
 public:
  explicit Reader(Settings& settings) : settings_(settings) {}

  void read(const toml::table& table) {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      line_ = node.source().begin.line;
      if (name == "theme")
        read_theme(node);
      else if (name == "scale")
        read_scale(node);
      else if (name == "step-by")
        read_step_by(node);
      else if (name == "reduced-motion")
        read_motion(node);
      else if (name == "language")
        read_language(node);
      else if (name == "keys" && node.is_table())
        read_keys(*node.as_table());
      else
        complain("there is no setting '{}'; there are theme, scale, reduced-motion, language, step-by and [keys]",
                 name);
    }
  }

 private:
  Settings& settings_;
  toml::source_index line_ = 0;

  template <typename... Args>
  void complain(fmt::format_string<Args...> format, const Args&... args) {
    settings_.complaints.push_back(fmt::format("settings.toml:{}: {}", line_, Message(format, args...).translated()));
  }

  void read_theme(const toml::node& node) {
    settings_.theme = theme_named(node.value_or(std::string()));
    if (!settings_.theme) complain("theme is \"light\", \"dark\" or \"projector\"");
  }

  void read_scale(const toml::node& node) {
    const double scale = node.value_or(0.0);
    if (scale >= 0.5 && scale <= 4)
      settings_.scale = static_cast<float>(scale);
    else
      complain("scale is a number from 0.5 to 4");
  }

  void read_motion(const toml::node& node) {
    settings_.reduced_motion = node.value<bool>();
    if (!settings_.reduced_motion) complain("reduced-motion is true or false");
  }

  void read_language(const toml::node& node) {
    const std::string code = node.value_or(std::string());
    if (const Language language = language_of(code); code_of(language) == code) settings_.language = language;
    if (!settings_.language) complain("language is \"en\", \"ja\" or \"zh\"");
  }

  void read_step_by(const toml::node& node) {
    settings_.step_by = step_by_named(node.value_or(std::string()));
    if (!settings_.step_by) complain("step-by is \"work-item\", \"sub-group\" or \"stage\"");
  }

  void read_keys(const toml::table& table) {
    // First all commands named here lose their keys, so that two of them can swap keys.
    std::vector<std::pair<Command, const toml::node*>> asked;
    for (const auto& [key, node] : table) {
      line_ = node.source().begin.line;
      const std::string name(key.str());
      const Command command = command_named(name);
      if (command == Command::None || static_cast<int>(command) >= command_count) {
        complain("there is no command '{}' to give a key; there are {}", name,
                 fmt::format("{}", fmt::join(command_names(), ", ")));
        continue;
      }
      asked.emplace_back(command, &node);
    }
    for (const auto& [command, node] : asked) settings_.keys.clear(command);
    std::map<std::string, Command> given;  // by settings.toml itself
    for (const auto& [command, node] : asked) {
      line_ = node->source().begin.line;
      for (const std::string& text : texts(*node, command)) bind(text, command, given);
    }
  }

  std::vector<std::string> texts(const toml::node& node, Command command) {
    std::vector<std::string> list;
    if (const auto one = node.value<std::string>()) {
      if (!one->empty()) list.push_back(*one);
      return list;
    }
    const toml::array* array = node.as_array();
    bool whole = array != nullptr;
    if (array)
      for (const toml::node& entry : *array) {
        const auto one = entry.value<std::string>();
        whole = whole && one;
        if (one) list.push_back(*one);
      }
    if (!whole) complain("{} is a key, \"Shift+Right\", or a list of keys, [\"Right\", \"J\"]", name_of(command));
    return list;
  }

  void bind(const std::string& text, Command command, std::map<std::string, Command>& given) {
    const std::optional<Chord> chord = parse_chord(text);
    if (!chord) {
      complain("'{}' is no key; write it as \"Shift+Right\", \"F9\", \"Page Down\", \"J\" or \"?\"", text);
      return;
    }
    const std::string name = to_string(*chord);
    // A remote sends these, and Escape has to leave every mode.
    const Command fixed = KeyMap::defaults().command(*chord);
    if ((fixed == Command::LessonNext || fixed == Command::LessonPrevious || fixed == Command::Leave) &&
        fixed != command) {
      complain("{} stays what it is, {}: it cannot be {}", name, name_of(fixed), name_of(command));
      settings_.keys.bind(*chord, fixed);
      return;
    }
    if (const auto before = given.find(name); before != given.end() && before->second != command) {
      complain("{} asks for {} already: {} does not get it", name, name_of(before->second), name_of(command));
      return;
    }
    given[name] = command;
    const Command lost = settings_.keys.bind(*chord, command);
    if (lost != Command::None)
      complain("{} is {} now, and no longer {}{}", name, name_of(command), name_of(lost),
               settings_.keys.chords(lost).empty() ? tr(", which has no key any more") : "");
  }
};

}  // namespace

Settings read_settings(const fs::path& folder) {
  Settings settings;
  const fs::path file = folder / "settings.toml";
  std::error_code ignored;
  if (folder.empty() || !fs::exists(file, ignored)) return settings;
  try {
    Reader(settings).read(toml::parse(std::string_view(read_file(file, max_file)), file.string()));
  } catch (const toml::parse_error& error) {
    settings = {};
    settings.complaints.push_back(tr("settings.toml:{}: {}; nothing in it counts until that is mended",
                                     error.source().begin.line, error.description()));
  } catch (const Error& error) { settings.complaints.push_back(error.message().translated()); }
  return settings;
}

}  // namespace twiddle
