// NumPy's form of arrays, byte by byte; NumPy itself opens archives in test_export.py.
#include "cli/export/numpy_archive.h"

#include <doctest.h>

using namespace twiddle::cli;

TEST_CASE("the header of an array: magic, length, a Python dictionary, 64 bytes or a multiple") {
  const std::string header = numpy_header({"<c8", {4, 8}, true});
  CHECK(header.compare(0, 8, std::string("\x93NUMPY\x01\x00", 8)) == 0);
  CHECK(header.size() == 128);
  CHECK(static_cast<unsigned char>(header[8]) + 256 * static_cast<unsigned char>(header[9]) == 128 - 10);
  CHECK(header.find("{'descr': '<c8', 'fortran_order': True, 'shape': (4,8,), }") == 10);
  CHECK(header.back() == '\n');
  CHECK(numpy_header({"<i8", {}, false}).find("'fortran_order': False, 'shape': (), }") != std::string::npos);
  for (std::uint64_t rows = 1; rows < 1'000'000'000'000; rows *= 7)
    CHECK(numpy_header({"|u1", {rows}, false}).size() % 64 == 0);
}
