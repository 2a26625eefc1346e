#include "cli/export/exports.h"

#include "base/error.h"
#include "cli/output.h"
#include "kernels/signal/picture.h"
#include "kernels/signal/sound.h"
#include "tracer/trace/number_text.h"

namespace twiddle::cli {
namespace {

GreyPicture levels(const EndResult& result, std::uint64_t rows, std::uint64_t columns,
                   const std::optional<PictureSize>& crop) {
  const PictureSize size = crop.value_or(PictureSize{columns, rows});
  if (size.width > columns || size.height > rows)
    throw usage_error("--crop {}x{} is larger than the picture: it has {}x{} pixels", size.width, size.height, columns,
                      rows);
  return level_picture(result.values(), size.height, size.width, columns);
}

void write_picture(const EndResult& result, ResultForm form, const std::filesystem::path& output, bool png,
                   const std::optional<PictureSize>& crop) {
  const Buffer& buffer = result.output_buffer();
  if (!traits(result.plan.expect.transform).plane || buffer.shape.size() != 2)
    throw usage_error("{} gives no picture: take fft2d or fft2d-real, or --values for its numbers",
                      result.plan.algorithm);
  const std::uint64_t rows = buffer.shape[0], columns = buffer.shape[1];
  const GreyPicture picture = form == ResultForm::Spectrum ? spectrum_picture(result.values(), rows, columns)
                                                           : levels(result, rows, columns, crop);
  if (picture.clipped > 0 && form == ResultForm::Spectrum)
    print_line("{} not finite, and black in the picture", counted(picture.clipped, "value is", "values are"));
  else if (picture.clipped > 0)
    print_line("{} outside of the grey levels 0 to 255 and became the nearest; --spectrum shows what is no picture",
               counted(picture.clipped, "value is", "values are"));
  write_file(output, png ? encode_png(picture) : encode_pgm(picture));
}

// A line an element, as --signal reads them back: bit for bit in the buffer's own precision.
std::string signal_csv(const EndResult& result) {
  const Buffer& buffer = result.output_buffer();
  const ElementTraits& make = traits(buffer.type);
  std::string text = make.components == 2 ? "re,im\n" : "re\n";
  const auto number = [&](double value) {
    return make.floating && !make.wide ? exact_text(static_cast<float>(value)) : exact_text(value);
  };
  for (const std::complex<double>& value : result.values()) {
    text += number(value.real());
    if (make.components == 2) text += ',' + number(value.imag());
    text += '\n';
  }
  return text;
}

}  // namespace

PictureSize parse_picture_size(const std::string& text) {
  constexpr std::uint64_t most = 1 << 20;
  const std::size_t at = text.find('x');
  if (at == std::string::npos) throw usage_error("--crop takes WIDTHxHEIGHT, such as 300x200, not \"{}\"", text);
  return {whole_number("--crop's width", text.substr(0, at), 1, most),
          whole_number("--crop's height", text.substr(at + 1), 1, most)};
}

void export_result(const EndResult& result, ResultForm form, const std::filesystem::path& output,
                   const std::optional<PictureSize>& crop) {
  const std::string ending = output.extension().string();
  if (form == ResultForm::Values) {
    if (ending == ".wav") {
      const Sound sound = make_sound(result.values());
      print_line("{}", words_of(sound));
      write_file(output, encode_wav(sound));
      return;
    }
    if (ending != ".csv")
      throw usage_error("--values writes a .csv or a .wav file, and {} is named otherwise", output.string());
    write_file(output, signal_csv(result));
    return;
  }
  if (ending != ".png" && ending != ".pgm")
    throw usage_error("a picture's file ends in .png or .pgm, and {} in neither", output.string());
  write_picture(result, form, output, ending == ".png", crop);
}

}  // namespace twiddle::cli
