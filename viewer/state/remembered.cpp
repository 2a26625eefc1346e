#include "viewer/state/remembered.h"

#include "base/error.h"
#include "base/read_file.h"
#include "base/values/json_text.h"
#include "base/write_file.h"
#include "viewer/scene/languages.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <system_error>

namespace fs = std::filesystem;
using nlohmann::json;

namespace twiddle {
namespace {

constexpr std::uintmax_t max_remembered_bytes = 1 << 20;
constexpr std::size_t max_agreed = 200;
constexpr const char* remembered_file = "remembered.json";

}  // namespace

void Remembered::opened(const fs::path& file) {
  std::error_code failed;
  fs::path whole = fs::absolute(file, failed).lexically_normal();
  if (failed) return;
  std::erase(files, whole);
  files.insert(files.begin(), std::move(whole));
  if (files.size() > max_files) files.resize(max_files);
}

Remembered read_remembered(const fs::path& folder) {
  Remembered remembered;
  std::error_code ignored;
  if (folder.empty() || !fs::exists(folder / remembered_file, ignored)) return remembered;
  try {
    const json root = json::parse(read_file(folder / remembered_file, max_remembered_bytes));
    for (const json& file : root.value("files", json::array()))
      if (file.is_string() && remembered.files.size() < Remembered::max_files)
        remembered.files.emplace_back(file.get<std::string>());
    remembered.theme = theme_named(root.value("theme", std::string()));
    remembered.step_by = step_by_named(root.value("step-by", std::string()));
    remembered.costs = cost_strips_named(root.value("costs", std::string())).value_or(CostStrips::Both);
    const json agreed = root.value("agreed", json::object());
    for (const auto& [file, content] : agreed.items())
      if (content.is_string() && remembered.agreed.size() < max_agreed)
        remembered.agreed[file] = content.get<std::string>();
    const float scale = root.value("scale", 1.0f);
    if (scale >= 0.5f && scale <= 4) remembered.scale = scale;
    const float speed = root.value("speed", 1.0f);
    if (speed > 0 && std::isfinite(speed)) remembered.speed = speed;
    if (const std::string code = root.value("language", std::string()); !code.empty())
      if (const Language language = language_of(code); code_of(language) == code) remembered.language = language;
    if (const auto motion = root.find("reduced-motion"); motion != root.end() && motion->is_boolean())
      remembered.reduced_motion = motion->get<bool>();
    const json panes = root.value("panes", json::array());
    for (std::size_t i = 0; i < std::min(panes.size(), pane_borders); ++i)
      if (panes[i].is_number())
        if (const float share = panes[i].get<float>(); share >= 0 && share <= 1) remembered.panes.shares[i] = share;
  } catch (const std::exception&) { return {}; }
  return remembered;
}

bool write_remembered(const fs::path& folder, const Remembered& remembered) {
  if (folder.empty()) return false;
  json root{{"files", json::array()}, {"scale", remembered.scale}};
  for (const fs::path& file : remembered.files) root["files"].push_back(file.string());
  if (!remembered.agreed.empty()) root["agreed"] = remembered.agreed;
  if (remembered.step_by) root["step-by"] = name_of(*remembered.step_by);
  if (remembered.costs != CostStrips::Both) root["costs"] = name_of(remembered.costs);
  if (remembered.theme) root["theme"] = name_of(*remembered.theme);
  if (remembered.language) root["language"] = code_of(*remembered.language);
  if (remembered.reduced_motion) root["reduced-motion"] = *remembered.reduced_motion;
  if (remembered.speed != 1) root["speed"] = remembered.speed;
  if (remembered.panes != PaneSizes{}) root["panes"] = remembered.panes.shares;
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return false;
  // Two windows may close at once: each writes a whole file. Paths in other encodings than UTF-8 are not kept.
  return !try_write_file(folder / remembered_file, json_text(root, 2) + '\n');
}

}  // namespace twiddle
