// a linter's nightmare, but legal
__kernel void axpy(__global float *restrict dot, __global const float *restrict min, const float length, const int max)
{
    int distance = get_global_id(0);
    if (distance >= max) return;
    {
        float distance_ = min[distance];
        float max = length;                     // shadows the parameter
        distance_ *= max;
        dot[distance] += distance_;
    }
    for (int distance = 0; distance < 0; distance++) dot[distance] = 0;    // another one
}

__kernel void twice(__global const float *x, __global float *s, int n)
{
    float fabs = 0;
    for (int i = 0; i < n; i++) { float n = x[i]; fabs += n; }
    s[0] = fabs;
}

__kernel void scale_sum(__global const float *s, __global const float *t, __global float *r) { r[0] = 2.5f * s[0] + t[0]; }
