// Points of the unit circle in double precision: what twiddle tables, references and sinusoids are made of.
#pragma once

#include <complex>
#include <cstdint>

namespace twiddle {

/// e^(2πi·turns), `turns` ≥ 0 in revolutions. The argument is reduced to an eighth of a turn before π is rounded, so that
/// multiples of a quarter turn are exact and symmetric angles agree in all bits; error below 1.5e-16 for turns < 2^40.
std::complex<double> unit_root(double turns);

/// The twiddle factor e^(sign·2πi·k/n), n ≥ 1.
std::complex<double> twiddle_factor(std::uint64_t k, std::uint64_t n, int sign);

}  // namespace twiddle
