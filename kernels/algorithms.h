// The catalogue's entries, a function a family; each stands in the .cpp file of the same name as its kernels.
#pragma once

#include "kernels/catalogue.h"

namespace twiddle {

Algorithm dft_algorithm();
Algorithm fft_radix2();
Algorithm fft_radix2_single();
Algorithm fft_stockham2();
Algorithm fft_stockham4();
Algorithm fft_radix4();
std::vector<Algorithm> reductions();
std::vector<Algorithm> histograms();

}  // namespace twiddle
