#include "kernels/signal/signal_files.h"
#include "test_support.h"

#include <doctest.h>
#include <png.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <fstream>

using namespace twiddle;
using namespace std::string_literals;

namespace {

std::string little(std::uint64_t value, std::size_t width) {
  std::string bytes;
  for (std::size_t i = 0; i < width; ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
  return bytes;
}

std::string chunk(const std::string& id, const std::string& body) {
  return id + little(body.size(), 4) + body + std::string(body.size() % 2, '\0');
}

std::string format_chunk(unsigned format, unsigned channels, unsigned bits) {
  const unsigned frame = channels * bits / 8;
  return chunk("fmt ", little(format, 2) + little(channels, 2) + little(8000, 4) + little(8000 * frame, 4) +
                           little(frame, 2) + little(bits, 2));
}

std::string wav(const std::string& chunks) { return "RIFF" + little(4 + chunks.size(), 4) + "WAVE" + chunks; }

std::vector<double> reals(const Samples& samples) {
  std::vector<double> values;
  for (const auto& value : samples.values) values.push_back(value.real());
  return values;
}

std::string png(unsigned width, unsigned height, std::uint32_t format, const std::vector<png_byte>& pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = format;
  png_alloc_size_t size = 0;
  REQUIRE(png_image_write_to_memory(&image, nullptr, &size, 0, pixels.data(), 0, nullptr));
  std::string bytes(size, '\0');
  REQUIRE(png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, nullptr));
  bytes.resize(size);
  return bytes;
}

using Reals = std::vector<double>;

}  // namespace

TEST_CASE("CSV: one or two columns, a header, comments and every line end") {
  const Samples samples = decode_csv("\xEF\xBB\xBFre,im\r\n1,2\r\n\n# half time\n-3.5;+4e-1\n 5\n\t6 , 7\n", "x.csv");
  const std::vector<std::complex<double>> expected{{1, 2}, {-3.5, 0.4}, {5, 0}, {6, 7}};
  CHECK(samples.values == expected);
  CHECK(samples.width == 4);
  CHECK(samples.height == 1);
  CHECK(decode_csv("1\n2", "x.csv").values.size() == 2);

  CHECK(sentence_of([] { decode_csv("", "x.csv"); }) == "x.csv holds no samples: a line each, re or re,im");
  CHECK(sentence_of([] { decode_csv("re\n", "x.csv"); }) == "x.csv holds no samples: a line each, re or re,im");
  CHECK(sentence_of([] { decode_csv("1\ntwo\n", "x.csv"); }) == "x.csv, line 2: \"two\" is no number");
  CHECK(sentence_of([] { decode_csv("re\nim\n1", "x.csv"); }) == "x.csv, line 2: \"im\" is no number");
  CHECK(sentence_of([] { decode_csv("1,2,3\n", "x.csv"); }) ==
        "x.csv, line 1: more than two columns; a sample is re or re,im");
  CHECK(sentence_of([] { decode_csv("1\n1e999\n", "x.csv"); }) == "x.csv, line 2: \"1e999\" is no number");
  CHECK(sentence_of([] { decode_csv("1\nnan\n", "x.csv"); }) == "x.csv, line 2: \"nan\" is no number");
  CHECK(exit_code_of([] { decode_csv("", "x.csv"); }) == ExitCode::unreadable);
}

TEST_CASE("WAV: every format that is read, first channel") {
  const auto read = [](const std::string& chunks) { return decode_wav(wav(chunks), "x.wav"); };
  CHECK(reals(read(format_chunk(1, 1, 8) + chunk("data", "\x00\x80\xFF"s))) == Reals{-1, 0, 127.0 / 128});
  const Samples stereo = read(format_chunk(1, 2, 16) + chunk("LIST", "odd") +
                              chunk("data", little(0x8000, 2) + little(7, 2) + little(0x4000, 2) + little(7, 2)));
  CHECK(reals(stereo) == Reals{-1, 0.5});
  CHECK(stereo.rate == 8000);
  CHECK(reals(read(format_chunk(1, 1, 24) + chunk("data", little(0x800000, 3) + little(0x200000, 3)))) ==
        Reals{-1, 0.25});
  CHECK(reals(read(format_chunk(1, 1, 32) + chunk("data", little(0xC0000000, 4)))) == Reals{-0.5});
  CHECK(reals(read(format_chunk(3, 1, 32) + chunk("data", little(std::bit_cast<std::uint32_t>(-2.5f), 4)))) ==
        Reals{-2.5});
  CHECK(reals(read(format_chunk(3, 1, 64) + chunk("data", little(std::bit_cast<std::uint64_t>(0.1), 8)))) ==
        Reals{0.1});

  const std::string guid_tail = "\x00\x00\x00\x00\x10\x00\x80\x00\x00\xAA\x00\x38\x9B\x71"s;
  const std::string plain = format_chunk(0xFFFE, 1, 16).substr(8);
  const std::string extensible =
      chunk("fmt ", plain + little(22, 2) + little(16, 2) + little(4, 4) + little(1, 2) + guid_tail);
  CHECK(reals(read(extensible + chunk("data", little(0x2000, 2)))) == Reals{0.25});
}

TEST_CASE("WAV: wrong headers are refused with a sentence") {
  const auto refusal = [](const std::string& bytes) { return sentence_of([&] { decode_wav(bytes, "x.wav"); }); };
  const std::string format = format_chunk(1, 1, 16);
  CHECK(refusal("") == "x.wav is not a WAV file: it does not begin with RIFF … WAVE");
  CHECK(refusal(wav("")) == "x.wav holds no samples: there is no data chunk");
  CHECK(refusal(wav(format)) == "x.wav holds no samples: there is no data chunk");
  CHECK(refusal(wav(format + "data" + little(0xFFFFFFFF, 4) + "abcd")) ==
        "x.wav says that its data chunk has 4294967295 bytes, but only 4 are there");
  CHECK(refusal(wav(chunk("data", "abcd"))) == "x.wav has samples before it says of which format they are");
  CHECK(refusal(wav(format + chunk("data", "abc"))) ==
        "x.wav holds 3 bytes of samples, not a whole number of frames of 2 bytes");
  CHECK(refusal(wav(format + chunk("data", ""))) == "x.wav holds no samples");
  CHECK(refusal(wav(format_chunk(1, 0, 16))) == "x.wav says that it has no channels");
  CHECK(refusal(wav(format_chunk(1, 1, 12))).find("x.wav is of format 1 with 12 bits") == 0);
  CHECK(refusal(wav(format_chunk(85, 2, 16))).find("x.wav is of format 85") == 0);
  CHECK(refusal(wav(chunk("fmt ", "abcd"))) == "x.wav has a format chunk of 4 bytes, where 16 are the least");
  CHECK(refusal(wav(format_chunk(0xFFFE, 1, 16))) == "x.wav announces an extended format but does not hold it");
  std::string frames = format;
  frames[8 + 12] = 3;
  CHECK(refusal(wav(frames)) == "x.wav contradicts itself: 1 channels of 16 bits do not make frames of 3 bytes");
  CHECK(refusal(wav(format_chunk(3, 1, 32) + chunk("data", little(0x7FC00000, 4)))) ==
        "x.wav: sample 0 is not a finite number");
  CHECK(exit_code_of([&] { decode_wav(wav(""), "x.wav"); }) == ExitCode::unreadable);
}

TEST_CASE("PGM: plain and raw, one and two bytes a pixel") {
  const Samples plain = decode_pgm("P2 # a comment\n3 2\n# another\n9\n0 1 2\n3 4 9\n", "x.pgm");
  CHECK(plain.width == 3);
  CHECK(plain.height == 2);
  CHECK(reals(plain) == Reals{0, 1, 2, 3, 4, 9});
  CHECK(reals(decode_pgm("P5 2 1 255\n\x0A\xFF"s, "x.pgm")) == Reals{10, 255});
  CHECK(reals(decode_pgm("P5 2 1 65535\n\x01\x02\xFF\xFF"s, "x.pgm")) == Reals{258, 65535});

  const auto refusal = [](const std::string& bytes) { return sentence_of([&] { decode_pgm(bytes, "x.pgm"); }); };
  CHECK(refusal("P6 1 1 255\n") == "x.pgm is not a PGM picture: it begins with neither P2 nor P5");
  CHECK(refusal("P5 2 2 255\nabc") == "x.pgm is cut short: 2 × 2 pixels need 4 bytes, 3 are there");
  CHECK(refusal("P2 2 2 255\n1 2 3 ") == "x.pgm is cut short or damaged: its next pixel is missing");
  CHECK(refusal("P5 60000 60000 255\n").find("x.pgm says that it has 60000 × 60000 pixels, more than the") == 0);
  CHECK(refusal("P5 0 3 255\n") == "x.pgm is a picture of 0 × 3 pixels");
  CHECK(refusal("P5 1 1 70000\n") == "x.pgm: its largest grey level, 70000, is more than 65535");
  CHECK(refusal("P5 99999999999999999999 1 1\n").find("x.pgm: its width") == 0);
  CHECK(refusal("P5 1 1 0\n") == "x.pgm says that its largest grey level is 0");
  CHECK(refusal("P5 1") == "x.pgm is cut short or damaged: its height is missing");
  CHECK(refusal("P5 1 1 10\n\x0B") == "x.pgm: pixel 0 is 11, above its largest grey level 10");
  CHECK(refusal("P5 # no end") == "x.pgm is cut short or damaged: its width is missing");
}

TEST_CASE("PNG: grey levels as they are, colours as their luminance") {
  const Samples grey = decode_png(png(3, 2, PNG_FORMAT_GRAY, {0, 1, 2, 128, 254, 255}), "x.png");
  CHECK(grey.width == 3);
  CHECK(grey.height == 2);
  CHECK(reals(grey) == Reals{0, 1, 2, 128, 254, 255});
  const Reals colours = reals(decode_png(png(2, 1, PNG_FORMAT_RGB, {255, 255, 255, 0, 255, 0}), "x.png"));
  CHECK(colours[0] == 255);
  CHECK(colours[1] > 128);
  CHECK(colours[1] < 255);

  const std::string good = png(3, 2, PNG_FORMAT_GRAY, {0, 1, 2, 128, 254, 255});
  const auto refusal = [](const std::string& bytes) { return sentence_of([&] { decode_png(bytes, "x.png"); }); };
  CHECK(refusal("").find("x.png is not a PNG picture that can be read: ") == 0);
  CHECK(refusal(good.substr(0, good.size() / 2)).find("x.png is not a PNG picture that can be read: ") == 0);
  std::string flipped = good;
  flipped[17] = static_cast<char>(flipped[17] ^ 0x40);  // the width, whose checksum then no longer fits
  CHECK(refusal(flipped).find("x.png is not a PNG picture that can be read: ") == 0);
}

TEST_CASE("a file is cut or padded to the size asked for, and says so") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "twiddle-signal-files";
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const std::string& bytes) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    return parse_signal((folder / name).string());
  };

  Message note;
  const Signal csv = write("three.CSV", "1\n2\n3\n");
  CHECK(reals(make_image(csv, 1, 5, &note)) == Reals{1, 2, 3, 0, 0});
  CHECK(contains(note, "holds 3 samples: padded with 2 zeros"));
  CHECK(reals(make_image(csv, 1, 2, &note)) == Reals{1, 2});
  CHECK(contains(note, "holds 3 samples: the last 1 were left out"));
  note = {};
  CHECK(make_image(csv, 1, 3, &note).values.size() == 3);
  CHECK(note.empty());
  CHECK(reals(make_image(csv, 2, 2, &note)) == Reals{1, 2, 3, 0});

  const Signal picture = write("p.pgm", "P2 3 2 9 1 2 3 4 5 6");
  CHECK(reals(make_image(picture, 3, 2, &note)) == Reals{1, 2, 4, 5, 0, 0});
  CHECK(contains(note, "p.pgm is 3 × 2 pixels: cut or padded with zeros to 2 × 3"));
  CHECK(reals(make_image(picture, 1, 4)) == Reals{1, 2, 3, 4});

  CHECK(sentence_of([&] { make_image(parse_signal((folder / "none.wav").string()), 1, 1); }) ==
        "there is no file " + (folder / "none.wav").string());
  std::filesystem::create_directories(folder / "folder.csv");
  CHECK(sentence_of([&] {
          make_image(parse_signal((folder / "folder.csv").string()), 1, 1);
        }).find("is a folder, not a file") != std::string::npos);
  CHECK(sentence_of([] { parse_signal("song.mp3"); }) ==
        "\"song.mp3\" is no file that a signal can come from: .csv, .wav, .pgm and .png are");
  std::filesystem::remove_all(folder);
}
