// What a handout says beside the trace's own words, in the language that is set (base/tr.h).
#pragma once

#include "viewer/scene/scene.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace twiddle {

/// For the template, by the names of its places: escaped.
std::map<std::string, std::string> handout_words();
/// For the player, which fills "{}".
nlohmann::json player_words();
/// Keys that the player knows: chord → command; and the rows of its help: [chords, meaning].
nlohmann::json handout_keys();
nlohmann::json handout_help(const nlohmann::json& keys);

}  // namespace twiddle
