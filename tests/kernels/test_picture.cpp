// Pictures in, spectra out, and back: the files, the mapping to grey levels, and the whole way through fft2d.
#include "kernels/signal/picture.h"

#include "kernels/catalogue/catalogue.h"
#include "kernels/signal/signal_files.h"
#include "run_program.h"
#include "test_support.h"

#include <doctest.h>

#include <cmath>
#include <string>

using namespace twiddle;

namespace {

using Complex = std::complex<double>;

// A picture without symmetry: a bright corner, a gradient, and a pattern that only modular arithmetic knows.
GreyPicture test_picture(std::uint64_t rows, std::uint64_t columns) {
  GreyPicture picture;
  picture.rows = rows;
  picture.columns = columns;
  for (std::uint64_t row = 0; row < rows; ++row)
    for (std::uint64_t column = 0; column < columns; ++column)
      picture.pixels.push_back(
          row < 4 && column < 6 ? 255 : static_cast<std::uint8_t>((row * 7 + column * column * 3) % 251));
  return picture;
}

std::vector<std::uint8_t> levels(const Samples& samples) {
  std::vector<std::uint8_t> all;
  for (const Complex& value : samples.values) all.push_back(static_cast<std::uint8_t>(value.real()));
  return all;
}

bool has_device(const TestFolder& folder) {
  return run_program(folder, {"verify", "dft", "--n", "2", "--runtime", "opencl"}).code != 4;
}

void write(const std::string& file, const std::string& bytes) {
  std::ofstream out(file, std::ios::binary);
  out << bytes;
}

void run(const TestFolder& folder, const std::vector<std::string>& arguments) {
  const Ran ran = run_program(folder, arguments);
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
}

}  // namespace

TEST_CASE("a picture that is written as PNG or PGM is read back pixel by pixel") {
  const GreyPicture picture = test_picture(5, 9);
  for (const Samples& samples : {decode_png(encode_png(picture), "p.png"), decode_pgm(encode_pgm(picture), "p.pgm")}) {
    CHECK(samples.width == 9);
    CHECK(samples.height == 5);
    CHECK(levels(samples) == picture.pixels);
  }
}

TEST_CASE("a spectrum's picture has frequency 0 in the middle and is logarithmic") {
  std::vector<Complex> spectrum(4 * 6);
  spectrum[0] = 1000;                     // frequency (0, 0)
  spectrum[1 * 6 + 5] = Complex(0, 9);    // (1, −1)
  spectrum[3 * 6 + 2] = Complex(-3, -4);  // (−1, 2)
  spectrum[2 * 6 + 3] = std::nan("");     // the two lowest
  const GreyPicture picture = spectrum_picture(spectrum, 4, 6);
  const auto grey = [&](std::size_t row, std::size_t column) { return picture.pixels[row * 6 + column]; };
  CHECK(grey(2, 3) == 255);
  CHECK(grey(3, 2) == std::lround(255 * std::log(10) / std::log(1001)));
  CHECK(grey(1, 5) == std::lround(255 * std::log(6) / std::log(1001)));
  CHECK(grey(0, 0) == 0);
  CHECK(picture.clipped == 1);
  const std::vector<Complex> nothing(4);
  CHECK(spectrum_picture(nothing, 2, 2).pixels == std::vector<std::uint8_t>(4));
}

TEST_CASE("an array's picture rounds to levels, and counts what no level stands for") {
  const std::vector<Complex> values{-0.4, 0.6, 254.7, 256, -3, std::nan("")};
  const GreyPicture picture = level_picture(values, 2, 3, 3);
  CHECK(picture.pixels == std::vector<std::uint8_t>{0, 1, 255, 255, 0, 0});
  CHECK(picture.clipped == 3);
  const GreyPicture cropped = level_picture(values, 2, 2, 3);
  CHECK(cropped.pixels == std::vector<std::uint8_t>{0, 1, 255, 0});
  CHECK(cropped.clipped == 2);
}

TEST_CASE("a picture settles the size of what transforms it, up to the algorithm's limit") {
  const TestFolder folder;
  const std::string file = folder.file("wide.pgm");
  write(file, encode_pgm(test_picture(5, 40)));
  Request request;
  request.algorithm = "fft2d-real";
  request.signal = file;
  const auto sides = [&] {
    const Plan plan = make_plan(request);
    return plan.parameters.at("rows") + "x" + plan.parameters.at("cols");
  };
  CHECK(sides() == "8x64");
  request.columns = 16;  // what is asked for counts
  CHECK(sides() == "8x16");
  request.algorithm = "fft2d";
  request.columns.reset();
  request.method = "fused";
  request.more["transform"] = "radix4";
  CHECK(sides() == "16x64");

  request = {};
  request.algorithm = "histogram-local";
  request.signal = file;
  CHECK(make_plan(request).parameters.at("n") == "200");

  write(file, encode_pgm(test_picture(2, 1025)));
  request.algorithm = "fft2d";
  CHECK(contains(sentence_of([&] { make_plan(request); }), "is 1025 × 2 pixels, and fft2d takes 1024 columns"));
}

TEST_CASE("a picture goes in, its spectrum comes out, and the inverse gives the picture back") {
  const TestFolder folder;
  if (!has_device(folder)) return;
  const GreyPicture picture = test_picture(32, 64);
  write(folder.file("in.png"), encode_png(picture));
  write(folder.file("in.pgm"), encode_pgm(picture));

  for (const std::vector<std::string>& forward : {std::vector<std::string>{"fft2d", "--signal", "in.png"},
                                                  {"fft2d-real", "--signal", "in.pgm"},
                                                  {"fft2d", "--method", "fused", "--signal", "in.png"}}) {
    std::vector<std::string> arguments{"export"};
    arguments.insert(arguments.end(), forward.begin(), forward.end());
    const auto with = [&](std::vector<std::string> more) {
      more.insert(more.begin(), arguments.begin(), arguments.end());
      return more;
    };
    run(folder, with({"--spectrum", "-o", "spectrum.png"}));
    const Samples spectrum = decode_png(content_of(folder.file("spectrum.png")), "spectrum.png");
    REQUIRE(spectrum.width == 64);
    REQUIRE(spectrum.height == 32);
    CHECK(spectrum.values[16 * 64 + 32] == 255.0);  // a picture's mean is its largest component
    for (std::size_t i = 1; i < 32; ++i)            // and the spectrum of a real picture is symmetric about it
      for (std::size_t j = 1; j < 64; ++j)
        REQUIRE(std::abs(spectrum.values[i * 64 + j] - spectrum.values[(32 - i) * 64 + 64 - j]) <= 1.0);

    run(folder, with({"--values", "-o", "spectrum.csv"}));
    const std::vector<std::string> inverse{"export", "fft2d", "--inverse", "--rows",      "32",
                                           "--cols", "64",    "--signal",  "spectrum.csv"};
    std::vector<std::string> back = inverse, numbers = inverse;
    for (const char* word : {"--picture", "-o", "back.png"}) back.emplace_back(word);
    for (const char* word : {"--values", "-o", "back.csv"}) numbers.emplace_back(word);
    run(folder, back);
    CHECK(levels(decode_png(content_of(folder.file("back.png")), "back.png")) == picture.pixels);
    run(folder, numbers);
    const Samples values = decode_csv(content_of(folder.file("back.csv")), "back.csv");
    REQUIRE(values.values.size() == picture.pixels.size());
    double most = 0;
    for (std::size_t i = 0; i < picture.pixels.size(); ++i)
      most = std::max(most, std::abs(values.values[i] - Complex(picture.pixels[i])));
    CHECK(most < 2e-4);  // of levels to 255: a few units in the last place
  }

  // From a trace, the same pictures.
  run(folder, {"trace", "fft2d", "--signal", "in.png", "-o", "in.twd"});
  run(folder, {"export", "in.twd", "--spectrum", "-o", "traced.pgm"});
  CHECK(levels(decode_pgm(content_of(folder.file("traced.pgm")), "traced.pgm")) ==
        levels(decode_png(content_of(folder.file("spectrum.png")), "spectrum.png")));
}

TEST_CASE("a picture of any size comes back at its own size, without its padding") {
  const TestFolder folder;
  if (!has_device(folder)) return;
  const GreyPicture picture = test_picture(5, 9);
  write(folder.file("in.pgm"), encode_pgm(picture));
  run(folder, {"export", "fft2d-real", "--signal", "in.pgm", "--values", "-o", "spectrum.csv"});
  run(folder, {"export", "fft2d", "--inverse", "--rows", "8", "--cols", "16", "--signal", "spectrum.csv", "--picture",
               "--crop", "9x5", "-o", "back.png"});
  const Samples back = decode_png(content_of(folder.file("back.png")), "back.png");
  CHECK(back.width == 9);
  CHECK(back.height == 5);
  CHECK(levels(back) == picture.pixels);
}

TEST_CASE("what is no picture, and files of the wrong name: one sentence") {
  const TestFolder folder;
  if (!has_device(folder)) return;
  check_failure(run_program(folder, {"export", "fft-radix2", "--spectrum", "-o", "x.png"}), 2, "gives no picture");
  check_failure(run_program(folder, {"export", "fft2d", "--spectrum", "-o", "x.svg"}), 2, "ends in .png or .pgm");
  check_failure(run_program(folder, {"export", "fft2d", "--values", "-o", "x.png"}), 2, "--values writes a .csv");
  check_failure(run_program(folder, {"export", "fft2d", "--values", "--picture", "-o", "x.png"}), 2, "one of them");
  check_failure(run_program(folder, {"export", "fft2d", "--spectrum", "--all", "-o", "x.png"}), 2, "leave --at");
  check_failure(run_program(folder, {"export", "fft2d", "-o", "x.png"}), 2, "fft2d");
  const auto cropped = [&](const char* size, const char* form) {
    return run_program(folder, {"export", "fft2d", form, "--crop", size, "-o", "x.png"});
  };
  check_failure(cropped("9x8", "--picture"), 2, "--crop 9x8 is larger than the picture: it has 8x8 pixels");
  check_failure(cropped("8", "--picture"), 2, "WIDTHxHEIGHT");
  check_failure(cropped("0x8", "--picture"), 2, "--crop's width");
  check_failure(cropped("4x4", "--spectrum"), 2, "needs --picture");
  CHECK(folder.names().empty());
}
