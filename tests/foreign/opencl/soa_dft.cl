// The definition, split format, one bin per work-item.
kernel void dft(global const float *xr, global const float *xi, global float *Xr, global float *Xi, int n)
{
    int k = get_global_id(0);
    float sr = 0.0f, si = 0.0f;
    for (int j = 0; j < n; ++j) {
        float w = 2.0f * M_PI_F * (float)((j * k) % n) / (float)n;
        float c = cos(w), s = -sin(w);
        sr += xr[j] * c - xi[j] * s;
        si += xr[j] * s + xi[j] * c;
    }
    Xr[k] = sr;
    Xi[k] = si;
}
