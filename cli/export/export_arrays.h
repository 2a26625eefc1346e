// A trace for NumPy: buffers as arrays, or every operation in columns.
#pragma once

#include "viewer/document/document.h"

#include <cstdint>
#include <filesystem>

namespace twiddle::cli {

/// The buffers (not the local arrays) after a step, each an array of its own type and shape: pairs of floats are complex.
void export_buffers(Document& document, std::uint64_t step, const std::filesystem::path& file);

/// Every operation, a row each in the trace's order, and the buffers before the first and after the last; docs/export.md lists
/// the columns. Throws Interrupted on Ctrl-C.
void export_columns(Document& document, const std::filesystem::path& file);

}  // namespace twiddle::cli
