#pragma OPENCL EXTENSION cl_khr_fp64: enable
__kernel void goertzel(
    __global const double *sample,
    __global double2      *bin,
    const int              length)
{
    const int    f     = get_global_id(0);
    const double omega = 2.0 * M_PI * f / length;
    const double coeff = 2.0 * cos(omega);
    double s0, s1 = 0.0, s2 = 0.0;

    for (int i = 0; i < length; i++) {
        s0 = sample[i] + coeff * s1 - s2;
        s2 = s1;
        s1 = s0;
    }
    bin[f].x = s1 * cos(omega) - s2;
    bin[f].y = s1 * sin(omega);
}
