#include "kernels/catalogue/reference.h"
#include "kernels/signal/signal.h"
#include "test_support.h"

#include <doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#if TWIDDLE_HAVE_FFTW
#include <fftw3.h>
#endif

using namespace twiddle;

namespace {

using Complex = std::complex<double>;

double relative_l2(const std::vector<Complex>& got, const std::vector<Complex>& expected) {
  double error = 0, size = 0;
  for (std::size_t k = 0; k < got.size(); ++k) error += std::norm(got[k] - expected[k]), size += std::norm(expected[k]);
  return std::sqrt(error / size);
}

template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Plan plan_of(Expect::Transform transform, ElementType in, std::uint64_t in_count, ElementType out,
             std::uint64_t out_count, double bound = 0) {
  Plan plan;
  plan.buffers.resize(2);
  plan.buffers[0].name = "in", plan.buffers[0].type = in, plan.buffers[0].count = in_count,
  plan.buffers[0].shape = {in_count};
  plan.buffers[1].name = "out", plan.buffers[1].type = out, plan.buffers[1].count = out_count;
  plan.buffers[1].shape = {out_count};
  plan.expect.transform = transform;
  plan.expect.input = "in";
  plan.expect.output = "out";
  plan.expect.bound = bound;
  plan.expect.bound_reason = "because";
  return plan;
}

}  // namespace

TEST_CASE("dft meets the definition") {
  const std::vector<Complex> x{{1, 2}, {-3, 0.5}, {0, 1}, {2, 2}, {5, -1}};
  for (int sign : {-1, 1}) {
    for (std::size_t n = 1; n <= x.size(); ++n) {
      const std::vector<Complex> spectrum = dft(std::span(x).first(n), sign);
      REQUIRE(spectrum.size() == n);
      for (std::size_t k = 0; k < n; ++k) {
        Complex sum = 0;
        for (std::size_t j = 0; j < n; ++j)
          sum +=
              x[j] * std::polar(1.0, sign * 2 * std::acos(-1.0) * static_cast<double>(j * k) / static_cast<double>(n));
        CHECK(std::abs(spectrum[k] - sum) < 1e-14);
      }
    }
  }
  CHECK(dft({}, -1).empty());
}

#if TWIDDLE_HAVE_FFTW
TEST_CASE("dft agrees with FFTW at powers of two, primes and everything between") {
  for (std::size_t n : {1u, 2u, 3u, 8u, 12u, 17u, 97u, 100u, 1000u, 1024u, 4096u, 10007u, 65536u, 262144u}) {
    CAPTURE(n);
    std::vector<Complex> x = make_image(parse_signal("random:5"), 1, n).values, expected(n);
    for (int sign : {FFTW_FORWARD, FFTW_BACKWARD}) {
      fftw_plan plan = fftw_plan_dft_1d(static_cast<int>(n), reinterpret_cast<fftw_complex*>(x.data()),
                                        reinterpret_cast<fftw_complex*>(expected.data()), sign, FFTW_ESTIMATE);
      fftw_execute(plan);
      fftw_destroy_plan(plan);
      CHECK(relative_l2(dft(x, sign), expected) < 2e-15 * std::max(1.0, std::log2(static_cast<double>(n))));
    }
  }
}

TEST_CASE("dft2d agrees with FFTW") {
  for (const auto& [rows, columns] : {std::pair<int, int>{1, 8}, {8, 1}, {4, 16}, {12, 5}, {64, 64}}) {
    const std::uint64_t r = static_cast<std::uint64_t>(rows), c = static_cast<std::uint64_t>(columns);
    std::vector<Complex> x = make_image(parse_signal("random:6"), r, c).values, expected(r * c);
    fftw_plan plan = fftw_plan_dft_2d(rows, columns, reinterpret_cast<fftw_complex*>(x.data()),
                                      reinterpret_cast<fftw_complex*>(expected.data()), FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    CHECK(relative_l2(dft2d(x, r, c, -1), expected) < 1e-14);
  }
}
#endif

TEST_CASE("verify: a transform within its bound passes, a wrong one says where") {
  Plan plan = plan_of(Expect::Transform::Fft, ElementType::Float2, 2, ElementType::Float2, 2, 1e-6);
  const auto in = bytes_of<float>({1, 0, 2, 0});
  const Verdict good = verify(plan, in, bytes_of<float>({3, 0, -1, 0}));
  CHECK(good.pass);
  CHECK(good.relative_l2 == 0);
  CHECK(good.bound == 1e-6);
  CHECK(good.reason == "because");
  const Verdict bad = verify(plan, in, bytes_of<float>({3, 0, 1, 0}));
  CHECK_FALSE(bad.pass);
  CHECK(bad.relative_l2 == doctest::Approx(2 / std::sqrt(10.0)));
  CHECK(bad.reason == "element 1 is (1, 0), the reference says (-1, 0)");
  CHECK_FALSE(verify(plan, in, bytes_of<float>({3, 0, NAN, 0})).pass);
  CHECK(std::isinf(verify(plan, in, bytes_of<float>({3, 0, NAN, 0})).relative_l2));
  CHECK(verify(plan, bytes_of<float>({0, 0, 0, 0}), bytes_of<float>({0, 0, 0, 0})).pass);
  CHECK_FALSE(verify(plan, bytes_of<float>({0, 0, 0, 0}), bytes_of<float>({0, 0, 1, 0})).pass);

  plan.expect.transform = Expect::Transform::InverseFft;
  CHECK(verify(plan, in, bytes_of<float>({1.5, 0, -0.5, 0})).pass);
}

TEST_CASE("verify: several transforms side by side, real points, packed pairs, half a spectrum") {
  Plan plan = plan_of(Expect::Transform::Fft, ElementType::Float2, 4, ElementType::Float2, 4, 1e-6);
  plan.expect.points = 2;
  CHECK(verify(plan, bytes_of<float>({1, 0, 2, 0, 5, 0, 3, 0}), bytes_of<float>({3, 0, -1, 0, 8, 0, 2, 0})).pass);

  plan = plan_of(Expect::Transform::Fft, ElementType::Float, 4, ElementType::Float2, 4, 1e-6);
  const auto spectrum = bytes_of<float>({10, 0, -2, 2, -2, 0, -2, -2});
  CHECK(verify(plan, bytes_of<float>({1, 2, 3, 4}), spectrum).pass);
  plan = plan_of(Expect::Transform::Fft, ElementType::Float2, 2, ElementType::Float2, 4, 1e-6);
  plan.expect.points = 4;
  CHECK(verify(plan, bytes_of<float>({1, 2, 3, 4}), spectrum).pass);
  plan = plan_of(Expect::Transform::Fft, ElementType::Float, 4, ElementType::Float2, 3, 1e-6);
  CHECK(verify(plan, bytes_of<float>({1, 2, 3, 4}), bytes_of<float>({10, 0, -2, 2, -2, 0})).pass);
}

TEST_CASE("verify: two dimensions need a shape") {
  Plan plan = plan_of(Expect::Transform::Fft2d, ElementType::Double2, 4, ElementType::Double2, 4, 1e-15);
  const auto in = bytes_of<double>({1, 0, 2, 0, 3, 0, 4, 0}), out = bytes_of<double>({10, 0, -2, 0, -4, 0, 0, 0});
  CHECK(sentence_of([&] { verify(plan, in, out); }).find("[rows, columns]") != std::string::npos);
  plan.buffers[0].shape = {2, 2};
  CHECK(verify(plan, in, out).pass);
}

TEST_CASE("verify: integer sums are exact and wrap, float sums are measured against the magnitudes") {
  Plan plan = plan_of(Expect::Transform::Sum, ElementType::Int, 3, ElementType::Int, 1);
  CHECK(verify(plan, bytes_of<std::int32_t>({1, -2, 5}), bytes_of<std::int32_t>({4})).pass);
  const Verdict off = verify(plan, bytes_of<std::int32_t>({1, -2, 5}), bytes_of<std::int32_t>({3}));
  CHECK_FALSE(off.pass);
  CHECK(off.reason == "the sum is 3, the reference says 4");
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  CHECK(verify(plan, bytes_of<std::int32_t>({most, 1, 0}),
               bytes_of<std::int32_t>({std::numeric_limits<std::int32_t>::min()}))
            .pass);

  plan = plan_of(Expect::Transform::Sum, ElementType::Float, 3, ElementType::Float, 1, 1e-6);
  CHECK(verify(plan, bytes_of<float>({1, -1, 0}), bytes_of<float>({1e-7f})).pass);
  CHECK_FALSE(verify(plan, bytes_of<float>({1, -1, 0}), bytes_of<float>({1e-4f})).pass);

  plan = plan_of(Expect::Transform::Sum, ElementType::Int, 0, ElementType::Int, 1);
  CHECK(verify(plan, {}, bytes_of<std::int32_t>({0})).pass);
}

TEST_CASE("verify: prefix sums with and without the element itself, whole numbers exact and wrapping") {
  Plan plan = plan_of(Expect::Transform::Scan, ElementType::Int, 4, ElementType::Int, 4);
  const auto in = bytes_of<std::int32_t>({1, -2, 5, 7});
  CHECK(verify(plan, in, bytes_of<std::int32_t>({1, -1, 4, 11})).pass);
  CHECK_FALSE(verify(plan, in, bytes_of<std::int32_t>({0, 1, -1, 4})).pass);
  const Outcome wrong = compare(plan, in, bytes_of<std::int32_t>({1, -1, 5, 11}));
  CHECK_FALSE(wrong.pass);
  CHECK(wrong.element == 2);
  CHECK(wrong.wrong == 1);
  CHECK(wrong.got == 5.0);
  CHECK(wrong.wanted == 4.0);
  plan.expect.exclusive = true;
  CHECK(verify(plan, in, bytes_of<std::int32_t>({0, 1, -1, 4})).pass);
  CHECK_FALSE(verify(plan, in, bytes_of<std::int32_t>({1, -1, 4, 11})).pass);

  plan.expect.exclusive = false;
  plan.expect.points = 2;  // two scans, one after the other
  CHECK(verify(plan, in, bytes_of<std::int32_t>({1, -1, 5, 12})).pass);
  plan.expect.points = 0;
  const std::int32_t high = std::numeric_limits<std::int32_t>::max(), low = std::numeric_limits<std::int32_t>::min();
  CHECK(verify(plan, bytes_of<std::int32_t>({high, 1, 1, 0}), bytes_of<std::int32_t>({high, low, low + 1, low + 1}))
            .pass);

  // Floats are measured against the sums of magnitudes: these sums vanish, what rounding leaves of them does not.
  plan = plan_of(Expect::Transform::Scan, ElementType::Float, 2, ElementType::Float, 2, 1e-6);
  plan.expect.exclusive = true;
  CHECK(verify(plan, bytes_of<float>({0, 1}), bytes_of<float>({0, 0})).pass);
  CHECK(verify(plan, bytes_of<float>({1, 1}), bytes_of<float>({1e-7f, 1})).pass);
  CHECK_FALSE(verify(plan, bytes_of<float>({1, 1}), bytes_of<float>({1e-4f, 1})).pass);
  plan = plan_of(Expect::Transform::Scan, ElementType::Int, 4, ElementType::Int, 3);
  CHECK(sentence_of([&] {
          verify(plan, in, bytes_of<std::int32_t>({1, 2, 3}));
        }) == "scan: 1 × 4 points reach over 4 elements of out, which has 3");
}

TEST_CASE("verify: histograms name the first bin that is wrong") {
  Plan plan = plan_of(Expect::Transform::Histogram, ElementType::UInt, 5, ElementType::UInt, 3);
  const auto in = bytes_of<std::uint32_t>({0, 2, 2, 1, 9});
  CHECK(verify(plan, in, bytes_of<std::uint32_t>({1, 1, 3})).pass);  // what is beyond the last bin counts there
  const Verdict wrong = verify(plan, in, bytes_of<std::uint32_t>({1, 2, 2}));
  CHECK_FALSE(wrong.pass);
  CHECK(wrong.reason == "bin 1 holds 2, the reference counts 1");
}

TEST_CASE("verify refuses what it cannot compare") {
  Plan plan = plan_of(Expect::Transform::None, ElementType::Int, 1, ElementType::Int, 1);
  plan.title = Message("My plan");
  CHECK(sentence_of([&] { verify(plan, {}, {}); }) == "My plan does not say what to expect: give it an [expect] table");
  plan.expect.transform = Expect::Transform::Sum;
  plan.expect.input = "gone";
  CHECK(exit_code_of([&] { verify(plan, {}, {}); }) == ExitCode::usage);
}

TEST_CASE("compare names the first element that is wrong, and a factor of N") {
  std::vector<std::complex<float>> x(8), spectrum(8);
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = {static_cast<float>(j), 1.0F};
  std::vector<Complex> wide(x.begin(), x.end());
  const std::vector<Complex> right = dft(wide, -1);
  for (std::size_t k = 0; k < right.size(); ++k) spectrum[k] = std::complex<float>(right[k]);
  Plan plan = plan_of(Expect::Transform::Fft, ElementType::Float2, 8, ElementType::Float2, 8, 1e-6);
  CHECK(compare(plan, bytes_of(x), bytes_of(spectrum)).pass);

  auto broken = spectrum;
  broken[3] += 1.0F, broken[6] = 0;
  const Outcome outcome = compare(plan, bytes_of(x), bytes_of(broken));
  CHECK_FALSE(outcome.pass);
  CHECK(outcome.element == 3);
  CHECK(outcome.wrong == 2);
  CHECK(outcome.elements == 8);
  CHECK(std::abs(outcome.got - outcome.wanted - 1.0) < 1e-5);
  CHECK(outcome.scale == 1);

  plan.expect.transform = Expect::Transform::InverseFft;
  const Outcome unscaled = compare(plan, bytes_of(x), bytes_of(spectrum));
  CHECK_FALSE(unscaled.pass);
  CHECK(unscaled.scale == doctest::Approx(8));
  CHECK(compare(plan, bytes_of(x), bytes_of(broken)).scale == 1);
}

TEST_CASE("compare names a wrong sum and a wrong bin") {
  const std::vector<int> x{1, 2, 3};
  const Plan sum = plan_of(Expect::Transform::Sum, ElementType::Int, 3, ElementType::Int, 2);
  CHECK(compare(sum, bytes_of(x), bytes_of(std::vector<int>{6, 99})).pass);
  const Outcome wrong = compare(sum, bytes_of(x), bytes_of(std::vector<int>{5, 6}));
  CHECK_FALSE(wrong.pass);
  CHECK(wrong.got == 5.0);
  CHECK(wrong.wanted == 6.0);
  CHECK(wrong.elements == 1);

  const Plan histogram = plan_of(Expect::Transform::Histogram, ElementType::Int, 3, ElementType::Int, 4);
  CHECK(compare(histogram, bytes_of(x), bytes_of(std::vector<int>{0, 1, 1, 1})).pass);
  const Outcome bins = compare(histogram, bytes_of(x), bytes_of(std::vector<int>{0, 1, 3, 0}));
  CHECK_FALSE(bins.pass);
  CHECK(bins.element == 2);
  CHECK(bins.wrong == 2);
  CHECK(bins.got == 3.0);
}
