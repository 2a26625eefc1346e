// What `twiddle bench kernels --csv` wrote, read again: a history of measurements of one device.
#pragma once

#include "tracer/bench/bench_kernels.h"

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace twiddle {

/// How large a history may be, bytes.
inline constexpr std::size_t max_bench_csv = 8 << 20;

/// The bytes and operations of a problem, of its family, n, rows and type.
void set_problem(KernelBenchTable& table);

/// Whether a text is such a file: by its first line.
bool is_bench_csv(std::string_view text);
/// The same of a file that is there.
bool is_bench_file(const std::filesystem::path& file);
/// The latest measurement of every rung and library, a table a problem in the order of the file: of the device and runtime that the
/// last line is of. Throws Error (usage) that names the line that is none.
KernelBench read_bench_csv(std::string_view text);

}  // namespace twiddle
