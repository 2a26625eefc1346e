// Every form of [expect], as a plan file says it, against sums written out here and against FFTW.
#include "expect_cases.h"
#include "test_support.h"

#include <doctest.h>

#if TWIDDLE_HAVE_FFTW
#include <fftw3.h>
#endif

using namespace twiddle;
using namespace twiddle::expect_tests;

namespace {

Values dft_of(const Values& x, int sign, std::size_t points = 0) {
  const std::size_t n = points ? points : x.size();
  Values out(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < x.size(); ++j)
      out[k] += x[j] * std::polar(1.0, sign * 2 * pi * static_cast<double>(j * k % n) / static_cast<double>(n));
  return out;
}
Values scaled(Values values, double factor) {
  for (Complex& value : values) value *= factor;
  return values;
}
Values part(const Values& values, bool imaginary) {
  Values out;
  for (const Complex& value : values) out.emplace_back(imaginary ? value.imag() : value.real());
  return out;
}
Values flat(const Values& values) {
  Values out;
  for (const Complex& value : values) out.emplace_back(value.real()), out.emplace_back(value.imag());
  return out;
}

}  // namespace

TEST_CASE("fft: either sign, scaled, inverse, real, half, zero-padded, cut") {
  const Values x = noise(12);
  check_case({{"x double2 12", "y double2 12"},
              "transform = \"fft\"\ninput = \"x\"\noutput = \"y\"\n",
              {{"x", x}},
              {{"y", dft_of(x, -1)}}});
  check_case({{"x double2 12", "y double2 12"},
              "transform = \"fft\"\ninput = \"x\"\noutput = \"y\"\nsign = \"backward\"\nscale = 0.25\n",
              {{"x", x}},
              {{"y", scaled(dft_of(x, 1), 0.25)}}});
  check_case({{"x double2 12", "y double2 12"},
              "transform = \"inverse-fft\"\ninput = \"x\"\noutput = \"y\"\n",
              {{"x", x}},
              {{"y", scaled(dft_of(x, 1), 1.0 / 12)}}});
  check_case({{"x double2 12", "y double2 12"},
              "transform = \"inverse-fft\"\ninput = \"x\"\noutput = \"y\"\nscale = 12\n",
              {{"x", x}},
              {{"y", dft_of(x, 1)}}});
  const Values r = real(x);
  Values half = dft_of(r, -1);
  check_case({{"x double 12", "y double2 12"},
              "transform = \"fft\"\ninput = \"x\"\noutput = \"y\"\n",
              {{"x", r}},
              {{"y", half}}});
  half.resize(7);
  check_case({{"x double 12", "y double2 7"},
              "transform = \"real-fft\"\ninput = \"x\"\noutput = \"y\"\n",
              {{"x", r}},
              {{"y", half}}});
  check_case({{"x double 12", "y double 14"},
              "transform = \"real-fft\"\ninput = \"x\"\noutput = \"y\"\n",
              {{"x", r}},
              {{"y", flat(half)}}});
  // Real points in pairs.
  Values pairs;
  for (std::size_t i = 0; i < 12; i += 2) pairs.emplace_back(r[i].real(), r[i + 1].real());
  check_case({{"x double2 6", "y double2 7"},
              "transform = \"real-fft\"\ninput = \"x\"\noutput = \"y\"\n",
              {{"x", pairs}},
              {{"y", half}}});
  // Half a spectrum back.
  check_case({{"x double2 7", "y double 12"},
              "transform = \"inverse-fft\"\ninput = \"x\"\noutput = \"y\"\n",
              {{"x", half}},
              {{"y", r}}});
  check_case({{"x double2 12", "y double2 16"},
              "transform = \"fft\"\ninput = \"x\"\noutput = \"y\"\npoints = 16\ninput_points = 12\n",
              {{"x", x}},
              {{"y", dft_of(x, -1, 16)}}});
  Values cut = dft_of(x, -1);
  cut.resize(5);
  check_case({{"x double2 12", "y double2 5"},
              "transform = \"fft\"\ninput = \"x\"\noutput = \"y\"\noutput_points = 5\n",
              {{"x", x}},
              {{"y", cut}}});
}

TEST_CASE("fft: batches, strides, padding, split and alternating arrays") {
  const Values x = noise(24);
  Values batch;
  for (std::size_t t = 0; t < 3; ++t) {
    const Values one = dft_of(
        Values(x.begin() + 8 * static_cast<std::ptrdiff_t>(t), x.begin() + 8 * static_cast<std::ptrdiff_t>(t + 1)), -1);
    batch.insert(batch.end(), one.begin(), one.end());
  }
  for (const char* more : {"points = 8\n", "batch = 3\n", "points = 8\nbatch = 3\ndist = 8\n"})
    check_case({{"x double2 24", "y double2 24"},
                std::string("transform = \"fft\"\ninput = \"x\"\noutput = \"y\"\n") + more,
                {{"x", x}},
                {{"y", batch}}});
  // Columns of 8 rows × 3 in, rows of 8 padded to 10 and after 2 out.
  Values columns(24), padded(32);
  std::vector<std::size_t> results;
  for (std::size_t t = 0; t < 3; ++t)
    for (std::size_t i = 0; i < 8; ++i) {
      columns[i * 3 + t] = x[8 * t + i];
      padded[2 + t * 10 + i] = batch[8 * t + i];
      results.push_back(2 + t * 10 + i);
    }
  check_case(
      {{"x double2 24", "y double2 32"},
       "transform = \"fft\"\ninput = \"x\"\noutput = \"y\"\npoints = 8\nbatch = 3\ninput_stride = 3\ninput_dist = 1\n"
       "output_dist = 10\noutput_offset = 2\n",
       {{"x", columns}},
       {{"y", padded}}},
      results);
  const Values y = dft_of(x, -1);
  check_case({{"xr double 24", "xi double 24", "y double2 24"},
              "transform = \"fft\"\ninput = [\"xr\", \"xi\"]\noutput = \"y\"\n",
              {{"xr", part(x, false)}, {"xi", part(x, true)}},
              {{"y", y}}});
  check_case({{"x double2 24", "yr double 24", "yi double 24"},
              "transform = \"fft\"\ninput = \"x\"\noutput = [\"yr\", \"yi\"]\n",
              {{"x", x}},
              {{"yr", part(y, false)}, {"yi", part(y, true)}}});
  for (const char* input : {"\"x\"", "[\"x\", \"x\"]"})
    check_case({{"x double 48", "y double 48"},
                std::string("transform = \"fft\"\ninput = ") + input + "\noutput = \"y\"\n",
                {{"x", flat(x)}},
                {{"y", flat(y)}}});
  // What is wrong in the imaginary parts' buffer is found there.
  Case wrong{{"x double2 24", "yr double 24", "yi double 24"},
             "transform = \"fft\"\ninput = \"x\"\noutput = [\"yr\", \"yi\"]\n",
             {{"x", x}},
             {{"yr", part(y, false)}, {"yi", part(y, true)}}};
  wrong.last["yi"][5] += 1.0;
  const Run run(wrong);
  const Outcome outcome = compare(run.plan, run.contents);
  CHECK(outcome.buffer == 2);
  CHECK(outcome.element == 5);
  CHECK(outcome.wrong == 1);
}

TEST_CASE("fft2d: shapes, given points, padded rows, half of a real picture") {
  const std::size_t rows = 4, columns = 6;
  const Values x = noise(rows * columns);
  Values y(x.size());
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j)
          y[r * columns + c] +=
              x[i * columns + j] *
              std::polar(1.0, -2 * pi * (static_cast<double>(r * i) / 4 + static_cast<double>(c * j) / 6));
  const std::string expect = "transform = \"fft2d\"\ninput = \"x\"\noutput = \"y\"\n";
  check_case({{"x double2 24 [4, 6]", "y double2 24 [4, 6]"}, expect, {{"x", x}}, {{"y", y}}});
  check_case({{"x double2 24", "y double2 24"}, expect + "points = [4, 6]\n", {{"x", x}}, {{"y", y}}});
  Values pitched(32), turned(24), real_part(24);
  std::vector<std::size_t> results;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      pitched[r * 8 + c] = y[r * columns + c];
      turned[c * rows + r] = y[r * columns + c];
      results.push_back(r * 8 + c);
    }
  check_case({{"x double2 24 [4, 6]", "y double2 32 [4, 8]"}, expect, {{"x", x}}, {{"y", pitched}}}, results);
  check_case({{"x double2 24 [4, 6]", "y double2 24 [6, 4]"},
              expect + "output_stride = [1, 4]\n",
              {{"x", x}},
              {{"y", turned}}});
  check_case({{"x double2 24 [4, 6]", "y double2 24 [4, 6]"},
              "transform = \"inverse-fft2d\"\ninput = \"x\"\noutput = \"y\"\n",
              {{"x", y}},
              {{"y", x}}});
}

#if TWIDDLE_HAVE_FFTW
TEST_CASE("dct-2 and half spectra agree with FFTW") {
  for (const std::size_t n :
       {std::size_t(1), std::size_t(2), std::size_t(8), std::size_t(15), std::size_t(64), std::size_t(100)}) {
    std::vector<double> in, out(n);
    for (const Complex& value : noise(n)) in.push_back(value.real());
    const Values x(in.begin(), in.end());
    fftw_plan plan = fftw_plan_r2r_1d(static_cast<int>(n), in.data(), out.data(), FFTW_REDFT10, FFTW_ESTIMATE);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    const std::string count = std::to_string(n);
    Values y(out.begin(), out.end());
    const Run dct({{"x double " + count, "y double " + count},
                   "transform = \"dct-2\"\ninput = \"x\"\noutput = \"y\"\n",
                   {{"x", x}},
                   {{"y", scaled(y, 0.5)}}});  // FFTW's has a factor of 2
    CHECK(verify(dct.plan, dct.contents).pass);
    if (n < 2) continue;
    Values half(n / 2 + 1);
    plan = fftw_plan_dft_r2c_1d(static_cast<int>(n), in.data(), reinterpret_cast<fftw_complex*>(half.data()),
                                FFTW_ESTIMATE);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    const Run real_fft({{"x double " + count, "y double2 " + std::to_string(n / 2 + 1)},
                        "transform = \"real-fft\"\ninput = \"x\"\noutput = \"y\"\n",
                        {{"x", x}},
                        {{"y", half}}});
    CHECK(verify(real_fft.plan, real_fft.contents).pass);
  }
}
#endif

TEST_CASE("dct-2 and haar as they are defined") {
  const Values x = real(noise(8));
  Values cosine(8), haar(8);
  for (std::size_t k = 0; k < 8; ++k)
    for (std::size_t n = 0; n < 8; ++n)
      cosine[k] += x[n] * std::cos(pi / 8 * (static_cast<double>(n) + 0.5) * static_cast<double>(k));
  check_case({{"x double 8", "y double 8"},
              "transform = \"dct-2\"\ninput = \"x\"\noutput = \"y\"\n",
              {{"x", x}},
              {{"y", cosine}}});
  // Row 0: 1/√8 everywhere; row 2^l + m: ±1/√(8/2^l) on the halves of the m-th of 2^l blocks.
  for (std::size_t n = 0; n < 8; ++n) haar[0] += x[n] / std::sqrt(8.0);
  for (std::size_t level = 0; level < 3; ++level)
    for (std::size_t m = 0; m < std::size_t(1) << level; ++m) {
      const std::size_t length = std::size_t(8) >> level;
      for (std::size_t i = 0; i < length; ++i)
        haar[(std::size_t(1) << level) + m] +=
            x[m * length + i] * (i < length / 2 ? 1.0 : -1.0) / std::sqrt(static_cast<double>(length));
    }
  check_case({{"x double 8", "y double 8"},
              "transform = \"haar\"\ninput = \"x\"\noutput = \"y\"\n",
              {{"x", x}},
              {{"y", haar}}});
}
