// What tests/data/cuda_right.cu does on any runtime that takes CUDA C++: the host executor and NVIDIA GPUs have to agree.
#pragma once

#include "runtimes/kernel_bench.h"

#include <cmath>

namespace twiddle {

/// Buffers, arguments by value, constants and global variables.
inline void check_memory(KernelHarness& bench) {
  CHECK(bench.runtime().source_extension() == ".cu");
  CHECK(bench.runtime().parameter_count(bench.program(), "add") == 2);
  const KernelArgument x = bench.buffer(counted(1000));
  CHECK(bench.run("add", 1000, 100, {x, scalar(5)}) > 0);
  const std::vector<int> sum = bench.read<int>(x, 1000);
  for (int i = 0; i < 1000; ++i) REQUIRE(sum[i] == i + 5);

  const BufferHandle other = bench.runtime().allocate(4000);
  bench.runtime().copy(std::get<KernelArgument::Memory>(x.value).buffer, other, 4000);
  bench.runtime().fill_zero(other, 4, 8);
  std::vector<int> part(4);
  bench.runtime().download(other, 0, std::as_writable_bytes(std::span(part)));
  CHECK(part == std::vector<int>{5, 0, 0, 8});
  bench.runtime().release(other);
  CHECK(bench.runtime().allocate(16) == other);

  const KernelArgument constants = bench.buffer(std::vector<float>(4));
  bench.run("globals", 3, 3, {constants});
  CHECK(bench.read<float>(constants, 4) == std::vector<float>{1, 2, 4, 3});
}

/// Static and dynamic shared memory, in every form of declaration.
inline void check_shared_memory(KernelHarness& bench) {
  const KernelArgument x = bench.buffer(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
  bench.run("reverse", 8, 4, {x});
  CHECK(bench.read<float>(x, 8) == std::vector<float>{4, 3, 2, 1, 8, 7, 6, 5});

  const KernelArgument out = bench.buffer(std::vector<int>(4));
  bench.run2("shapes", {8, 4, 1}, {8, 4, 1}, {out});
  CHECK(bench.read<int>(out, 4) == std::vector<int>{32, 31, 128, 804});

  bench.run("dynamic", 4, 4, {out, {KernelArgument::Local{16}}});
  CHECK(bench.read<int>(out, 4) == std::vector<int>{9, 1004, 4001, 9000});

  // More than the 48 KiB that every kernel may have.
  bench.run("large", 64, 64, {out, {KernelArgument::Local{64 * 1024}}});
  CHECK(bench.read<int>(out, 1)[0] == 16384 - 1);
}

/// Barriers, shuffles, votes, the grid, and items that wait for each other.
inline void check_working_together(KernelHarness& bench) {
  const KernelArgument ints = bench.buffer(std::vector<int>(1)), doubles = bench.buffer(std::vector<double>(1));
  bench.run("sums", 128, 128, {ints, doubles});
  CHECK(bench.read<int>(ints, 1)[0] == 127 * 128 / 2);
  CHECK(bench.read<double>(doubles, 1)[0] == 127 * 128 / 4.0);

  const KernelArgument out = bench.buffer(std::vector<unsigned>(64 * 8));
  bench.run("warps", 64, 64, {out});
  const std::vector<unsigned> found = bench.read<unsigned>(out, 64 * 8);
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned lane = i % 32, *mine = &found[8 * i];
    CAPTURE(i);
    CHECK(mine[0] == 0xaaaaaaaau);
    CHECK(mine[1] == 0xffu << lane / 8 * 8);
    CHECK(mine[2] == (lane < 16 ? 120u : 31u));
    CHECK(mine[3] == (lane < 3 ? lane : lane - 3));
    CHECK(mine[4] == (lane ^ 5u));
    CHECK(mine[5] == lane / 8 * 8 + 2 + 100 * (lane % 8));
    CHECK(mine[6] == 10);
    CHECK(mine[7] == 1);
  }

  const KernelArgument votes = bench.buffer(std::vector<unsigned>(32));
  bench.run("leavers", 32, 32, {votes});
  std::vector<unsigned> expected(20, 0xaaaaau);
  expected.resize(32);
  CHECK(bench.read<unsigned>(votes, 32) == expected);

  const KernelArgument x = bench.buffer(std::vector<int>(256, 1));
  bench.run("grid", 256, 32, {x, scalar(256)}, true);
  const std::vector<int> scan = bench.read<int>(x, 256);
  for (int i = 0; i < 256; ++i) REQUIRE(scan[i] == i + 1);

  const KernelArgument turn = bench.buffer(std::vector<int>(1)), told = bench.buffer(std::vector<int>(64));
  bench.run("relay", 64, 64, {turn, told});
  CHECK(bench.read<int>(told, 64)[63] == 630);

  const KernelArgument words = bench.buffer(std::vector<unsigned>(2));
  bench.run("lock", 256, 64, {words});
  CHECK(bench.read<unsigned>(words, 2) == std::vector<unsigned>{0, 256});
}

/// Atomics and mathematical functions.
inline void check_functions(KernelHarness& bench) {
  const KernelArgument i = bench.buffer(std::vector<int>(4)), u = bench.buffer(std::vector<unsigned>(4)),
                       f = bench.buffer(std::vector<float>(1)), d = bench.buffer(std::vector<double>(1));
  bench.run("atomics", 64, 64, {i, u, f, d});
  CHECK(bench.read<int>(i, 4) == std::vector<int>{128, -7, 63, -64});
  CHECK(bench.read<unsigned>(u, 4) == std::vector<unsigned>{4, 6, 0, 63});
  CHECK(bench.read<float>(f, 1)[0] == 32);
  CHECK(bench.read<double>(d, 1)[0] == 16);

  // Half turns: exact at the quarters, with CUDA's signs of zero, and within 2 units in the last place elsewhere.
  const std::vector<double> turns{0, 0.5, 1, 1.5, 2, -0.5, -1, 0.25, 1.0 / 3, -7.75, 1e6 + 0.5, 0.125};
  for (const double x : turns) {
    CAPTURE(x);
    const KernelArgument floats = bench.buffer(std::vector<float>{float(x), 0, 0, 0, 0, 0, 0});
    const KernelArgument wide = bench.buffer(std::vector<double>{x, 0, 0, 0});
    bench.run("functions", 1, 1, {floats, wide});
    const std::vector<float> got = bench.read<float>(floats, 7);
    const std::vector<double> exact = bench.read<double>(wide, 4);
    const double rest = std::remainder(x, 2.0), pi = std::acos(-1.0);
    CHECK(exact[1] == doctest::Approx(std::sin(pi * rest)).epsilon(1e-15));
    CHECK(exact[2] == doctest::Approx(std::cos(pi * rest)).epsilon(1e-15));
    if (2 * x == std::floor(2 * x)) CHECK((exact[1] * exact[2] == 0 && std::fabs(exact[1] + exact[2]) == 1));
    const double rest_float = std::remainder(double(float(x)), 2.0);
    CHECK(std::fabs(got[1] - std::sin(pi * rest_float)) < 1.3e-7);
    CHECK(std::fabs(got[2] - std::cos(pi * rest_float)) < 1.3e-7);
    CHECK(got[3] == doctest::Approx(0.5 + 7 + 1 + 2).epsilon(1e-6));
    CHECK(exact[3] == 8 + 31 + 1 + 4 + 3);
    CHECK(got[4] == 1.5f);
    CHECK(got[5] == 7);
    CHECK(std::fabs(got[6]) < 1e-6f);
  }
}

}  // namespace twiddle
