/* Haar-Wavelet, eine Ebene je Start; Mittelwerte wandern zwischen zwei Puffern. */
#define R2 0.70710678f

kernel void ebene(global const float *quelle, global float *ziel, global float *koeff, int paare)
{
	int i = get_global_id(0);
	if (i >= paare)
		return;
	float2 p = vload2(i, quelle);
	ziel[i] = R2 * (p.s0 + p.s1);
	koeff[paare + i] = R2 * (p.s0 - p.s1);
}

kernel void schluss(global const float *mittel, global float *koeff)
{
	koeff[0] = mittel[0];
}
