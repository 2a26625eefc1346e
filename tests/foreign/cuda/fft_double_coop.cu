// Double precision, all stages in one cooperative launch with grid-wide barriers.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void fft_grid(double2 *a, double2 *b, int n)
{
  cg::grid_group grid = cg::this_grid();
  const int t = (int)grid.thread_rank();
  const int h = n / 2;
  double2 *from = a, *to = b;

  for (int l = h, m = 1; l >= 1; l /= 2, m *= 2) {
    // l blocks of m butterflies each, Stockham DIF form
    const int j = t / m, k = t % m;
    const double2 c0 = from[k + j * m];
    const double2 c1 = from[k + j * m + l * m];
    double s, c;
    sincospi(-(double)j / l, &s, &c);
    const double dx = c0.x - c1.x, dy = c0.y - c1.y;
    to[k + 2 * j * m] = make_double2(c0.x + c1.x, c0.y + c1.y);
    to[k + 2 * j * m + m] = make_double2(c * dx - s * dy, c * dy + s * dx);
    grid.sync();
    double2 *swap = from; from = to; to = swap;
  }
  // result is in `from`; bring it to b
  if (from != b) {
    b[t] = from[t];
    b[t + h] = from[t + h];
  }
}
