/* D2Q9 lattice Boltzmann, BGK, pull scheme.
 * periodic in x, walls (half-way bounce back) at y = -1 and y = NY
 *      6 2 5
 *      3 0 1
 *      7 4 8
 * populations are stored as nine planes of NX*NY
 */
__constant int  CX[9]  = { 0, 1, 0, -1,  0, 1, -1, -1,  1 };
__constant int  CY[9]  = { 0, 0, 1,  0, -1, 1,  1, -1, -1 };
__constant int  OPP[9] = { 0, 3, 4,  1,  2, 7,  8,  5,  6 };
__constant float W[9]  = { 4.f/9, 1.f/9, 1.f/9, 1.f/9, 1.f/9, 1.f/36, 1.f/36, 1.f/36, 1.f/36 };

#define F(q, x, y) ((q) * NX * NY + (y) * NX + (x))

float feq(int q, float rho, float2 u)
{
  float cu = CX[q] * u.x + CY[q] * u.y;
  return W[q] * rho * (1.0f + 3.0f * cu + 4.5f * cu * cu - 1.5f * dot(u, u));
}

__kernel void lbm_init(__global const float2 *noise, __global float *f)
{
  const int x = get_global_id(0), y = get_global_id(1);
  float2 u = 0.2f * noise[y * NX + x];
  float rho = 1.0f + 0.1f * noise[y * NX + x].x;
  for (int q = 0; q < 9; q++)
    f[F(q, x, y)] = feq(q, rho, u);
}

__kernel void lbm_step(__global const float *src, __global float *dst, const float omega)
{
  const int x = get_global_id(0), y = get_global_id(1);
  float g[9];
  float rho = 0.0f;
  float2 mom = (float2)(0.0f);

  for (int q = 0; q < 9; q++) {
    int xs = (x - CX[q] + NX) % NX;
    int ys = y - CY[q];
    if (ys < 0 || ys >= NY)
      g[q] = src[F(OPP[q], x, y)];
    else
      g[q] = src[F(q, xs, ys)];
    rho += g[q];
    mom.x += CX[q] * g[q];
    mom.y += CY[q] * g[q];
  }

  float2 u = mom / rho;
  for (int q = 0; q < 9; q++)
    dst[F(q, x, y)] = g[q] + omega * (feq(q, rho, u) - g[q]);
}

__kernel void lbm_macro(__global const float *f, __global float4 *out)
{
  const int x = get_global_id(0), y = get_global_id(1);
  float rho = 0.0f;
  float2 mom = (float2)(0.0f);
  for (int q = 0; q < 9; q++) {
    float v = f[F(q, x, y)];
    rho += v;
    mom += v * (float2)(CX[q], CY[q]);
  }
  out[y * NX + x] = (float4)(rho, mom / rho, sqrt(dot(mom, mom)) / rho);
}

/* the same flow by one item, in double, collide first and then push, nine values of a cell together */
__kernel void lbm_serial(__global const float2 *noise, __global double *a, __global double *b, __global float4 *out,
                         const double omega, const int steps)
{
  const int dx[9] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 }, dy[9] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 };
  for (int t = -1; t < steps; t++) {
    for (int c = 0; c < NX * NY; c++) {
      double r = 0, ux = 0, uy = 0;
      if (t < 0) {
        r = 1.0 + 0.1 * noise[c].x; ux = 0.2 * noise[c].x; uy = 0.2 * noise[c].y;
      } else {
        for (int q = 0; q < 9; q++) { double v = a[c * 9 + q]; r += v; ux += dx[q] * v; uy += dy[q] * v; }
        ux /= r; uy /= r;
      }
      if (t == steps - 1)
        out[c] = (float4)(r, ux, uy, sqrt(ux * ux + uy * uy));
      for (int q = 0; q < 9; q++) {
        double w = q == 0 ? 4.0 / 9 : q < 5 ? 1.0 / 9 : 1.0 / 36, e = dx[q] * ux + dy[q] * uy;
        double eq = w * r * (1 + 3 * e + 4.5 * e * e - 1.5 * (ux * ux + uy * uy));
        double v = t < 0 ? eq : (1 - omega) * a[c * 9 + q] + omega * eq;
        int x = (c % NX + dx[q] + NX) % NX, y = c / NX + dy[q];
        int back = q == 0 ? 0 : q < 5 ? (q + 1) % 4 + 1 : (q - 3) % 4 + 5;
        if (y < 0 || y >= NY) b[c * 9 + back] = v;
        else b[(y * NX + x) * 9 + q] = v;
      }
    }
    for (int i = 0; i < 9 * NX * NY; i++) a[i] = b[i];
  }
}
