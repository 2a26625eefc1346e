#define TWO_PI_3 2.0943951023931953f
/* Länge n = 3^k; zwei Hälften im lokalen Speicher, abwechselnd gelesen und beschrieben */
__kernel void fft3(__global const float2 *in, __global float2 *out, __local float2 *m, const int n)
{
   __local float2 *buf[2] = { m, m + n };
   const int t = get_local_id(0), third = n / 3;
   int par = 0;
   for (int q = 0; q < 3; q++) buf[0][t + q * third] = in[t + q * third];
   for (int span = 1; span < n; span *= 3, par ^= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const int k = t % span;
      float2 leg[3];
      for (int q = 0; q < 3; q++) {
         const float a = -TWO_PI_3 * q * k / span;
         const float2 z = buf[par][t + q * third];
         leg[q] = (float2)(z.x * cos(a) - z.y * sin(a), z.x * sin(a) + z.y * cos(a));
      }
      const int o = (t - k) * 3 + k;
      for (int r = 0; r < 3; r++) {
         float2 s = 0;
         for (int q = 0; q < 3; q++) {
            const float a = -TWO_PI_3 * (q * r % 3);
            s += (float2)(leg[q].x * cos(a) - leg[q].y * sin(a), leg[q].x * sin(a) + leg[q].y * cos(a));
         }
         buf[!par][o + r * span] = s;
      }
   }
   barrier(CLK_LOCAL_MEM_FENCE);
   for (int q = 0; q < 3; q++) out[t + q * third] = buf[par][t + q * third];
}
