// Where Twiddle finds its own files and keeps the user's.
#pragma once

#include <filesystem>

namespace twiddle {

/// The folder that holds kernels/, lessons/ and tracer/trace_device.h: $TWIDDLE_DATA when set, share/twiddle beside an
/// installed program, else the source tree that the program was built in. Throws Error (unreadable) when there is none.
const std::filesystem::path& resource_directory();

/// A file or folder in resource_directory(), e.g. "kernels/opencl/fft_radix2.cl". It need not exist.
std::filesystem::path resource(const std::filesystem::path& relative);

/// Compiled translations (LANG/LC_MESSAGES/twiddle.mo), installed or in the build folder.
std::filesystem::path locale_directory();

/// This program's own file.
const std::filesystem::path& program_file();

/// Settings and progress of the user: $XDG_CONFIG_HOME/twiddle, or ~/.config/twiddle. Not created.
std::filesystem::path config_directory();

/// What the user has made: $XDG_DATA_HOME/twiddle, or ~/.local/share/twiddle. Not created.
std::filesystem::path data_directory();

/// What may be deleted at any time (compiled kernels, glyphs): $XDG_CACHE_HOME/twiddle, or ~/.cache/twiddle. Not created.
std::filesystem::path cache_directory();

}  // namespace twiddle
