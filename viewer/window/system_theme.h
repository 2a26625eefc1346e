// Whether the user's desktop is dark, where it says so.
#pragma once

#include "viewer/scene/theme.h"

#include <future>
#include <optional>

namespace twiddle {

/// Light or dark, as the desktop asks (GNOME's and GTK's settings, KDE's colours); nothing when it does not say. Reads
/// files at once; asks gsettings, which takes a moment, in the background.
std::optional<ThemeName> system_theme_from_files();
std::future<std::optional<ThemeName>> system_theme_from_desktop();

/// Whether the user asks for less motion (GTK's enable-animations is off).
bool reduced_motion();

}  // namespace twiddle
