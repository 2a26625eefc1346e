#include "cli/export/numpy_archive.h"

#include <fmt/format.h>
#include <minizip/zip.h>

#include <algorithm>
#include <cerrno>

namespace fs = std::filesystem;

namespace twiddle::cli {
namespace {

constexpr std::size_t header_unit = 64;
constexpr std::size_t piece_bytes = std::size_t(1) << 24;  // minizip counts in 32 bits

}  // namespace

std::string numpy_header(const NumpyLayout& layout) {
  std::string shape;
  for (const std::uint64_t side : layout.shape) shape += fmt::format("{},", side);
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", layout.type,
                                 layout.columns_first ? "True" : "False", shape);
  const std::string magic("\x93NUMPY\x01\x00", 8);
  const std::size_t before = magic.size() + 2;
  const std::size_t whole = (before + text.size() + 1 + header_unit - 1) / header_unit * header_unit;
  text.resize(whole - before - 1, ' ');
  text += '\n';
  return magic + static_cast<char>(text.size() & 0xff) + static_cast<char>(text.size() >> 8) + text;
}

NumpyArchive::NumpyArchive(const fs::path& file) : file_(file) {
  errno = 0;
  zip_ = zipOpen64(file_.path().c_str(), APPEND_STATUS_CREATE);
  if (!zip_) file_.fail(errno ? errno : EIO);
}

NumpyArchive::~NumpyArchive() {
  if (zip_) zipClose(zip_, nullptr);
}

void NumpyArchive::begin(const std::string& name, const NumpyLayout& layout) {
  zip_fileinfo about{};  // dated 1980, so that the same trace gives the same bytes
  about.tmz_date.tm_mday = 1;
  about.tmz_date.tm_year = 1980;
  about.external_fa = uLong(0100644) << 16;  // Unix: -rw-r--r--
  check(zipOpenNewFileInZip64(zip_, (name + ".npy").c_str(), &about, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED,
                              Z_BEST_SPEED, 1));
  const std::string header = numpy_header(layout);
  append(std::as_bytes(std::span(header.data(), header.size())));
}

void NumpyArchive::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::span<const std::byte> piece = bytes.first(std::min(bytes.size(), piece_bytes));
    check(zipWriteInFileInZip(zip_, piece.data(), static_cast<unsigned>(piece.size())));
    bytes = bytes.subspan(piece.size());
  }
}

void NumpyArchive::end() { check(zipCloseFileInZip(zip_)); }

void NumpyArchive::add(const std::string& name, const NumpyLayout& layout, std::span<const std::byte> bytes) {
  begin(name, layout);
  append(bytes);
  end();
}

void NumpyArchive::add_words(const std::string& name, const std::vector<std::string>& words) {
  std::size_t longest = 1;
  for (const std::string& word : words) longest = std::max(longest, word.size());
  // NumPy's text has four bytes a character and a fixed length.
  std::vector<std::byte> bytes(words.size() * longest * 4);
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::size_t c = 0; c < words[i].size(); ++c)
      bytes[(i * longest + c) * 4] = static_cast<std::byte>(words[i][c]);
  add(name, {fmt::format("<U{}", longest), {words.size()}}, bytes);
}

void NumpyArchive::close() {
  const int result = zipClose(zip_, nullptr);
  zip_ = nullptr;
  check(result);
  file_.keep();
}

void NumpyArchive::check(int result) {
  if (result != ZIP_OK) file_.fail(result == ZIP_ERRNO && errno ? errno : EIO);
}

}  // namespace twiddle::cli
