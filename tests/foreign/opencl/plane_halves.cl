// x: n real parts, then n imaginary ones
#define RE(k) x[(k)]
#define IM(k) x[(k) + n]

kernel void permute(global const float* a, global float* x, const int n, const int bits) {
  int k = get_global_id(0), r = 0;
  for (int b = 0; b < bits; ++b) r |= ((k >> b) & 1) << (bits - 1 - b);
  RE(r) = a[k];
  IM(r) = a[k + n];
}

kernel void join_halves(global float* x, const int n, const int half_block) {
  int t = get_global_id(0);
  int j = t % half_block, base = (t / half_block) * 2 * half_block + j;
  float ang = -M_PI_F * j / half_block;
  float c = cos(ang), s = sin(ang);
  float ur = RE(base), ui = IM(base);
  float vr = RE(base + half_block) * c - IM(base + half_block) * s;
  float vi = RE(base + half_block) * s + IM(base + half_block) * c;
  RE(base) = ur + vr;
  IM(base) = ui + vi;
  RE(base + half_block) = ur - vr;
  IM(base + half_block) = ui - vi;
}

kernel void direct(global const float* a, global float* ref, const int n) {
  int k = get_global_id(0);
  float re = 0, im = 0;
  for (int j = 0; j < n; ++j) {
    float phi = -2 * M_PI_F * ((j * k) % n) / n;
    re += a[j] * cos(phi) - a[j + n] * sin(phi);
    im += a[j] * sin(phi) + a[j + n] * cos(phi);
  }
  ref[k] = re;
  ref[k + n] = im;
}
