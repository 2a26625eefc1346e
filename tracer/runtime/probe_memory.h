// What is remembered of devices that were probed and all worked, so that the next start need not probe them: a file in the
// cache folder that holds everything the outcome hangs on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// What of the machine and the environment decides which drivers are loaded and whether they work, as lines of text.
std::string probe_key();

/// Whether a runtime was probed well with this key, and the files that its drivers consist of are the same as then.
bool recall_probe(std::string_view runtime, const std::string& key);

/// Remembers it; where the cache folder cannot be written, nothing is.
void remember_probe(std::string_view runtime, const std::string& key, const std::vector<std::string>& files);

/// The files of the program and of every library in this process.
std::vector<std::string> loaded_files();

}  // namespace twiddle
