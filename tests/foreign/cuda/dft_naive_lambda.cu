// The definition, grid-stride, with a lambda for the kernel of the sum. Backward sign.
extern "C" __global__ void dft(const double2 *x, double2 *y, const unsigned n)
{
  const auto w = [n](unsigned jk) {
    double s, c;
    sincospi(2.0 * (jk % n) / n, &s, &c);
    return make_double2(c, s);
  };
  for (unsigned k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
    double2 acc{0, 0};
    const double2 *p = x;
    for (unsigned j = 0; j != n; ++j, ++p) {
      const double2 t = w(j * k);
      acc.x += p->x * t.x - p->y * t.y;
      acc.y += p->x * t.y + p->y * t.x;
    }
    y[k] = acc;
  }
}
