#define FFT2(a,b)      { float2 t_ = a; a = t_ + b; b = t_ - b; }
#define MUL_I(a)       (float2)((a).y, -(a).x)
#define SQRT1_2        0.70710678118654752f
#define TW8_1(a)       (SQRT1_2*(float2)((a).x + (a).y, (a).y - (a).x))
#define TW8_3(a)       (SQRT1_2*(float2)((a).y - (a).x, -(a).x - (a).y))

#define FFT4(a,b,c,d)  FFT2(a,c) FFT2(b,d) d = MUL_I(d); FFT2(a,b) FFT2(c,d)

void dft8(float2 *v)
{
    FFT2(v[0],v[4]) FFT2(v[1],v[5]) FFT2(v[2],v[6]) FFT2(v[3],v[7])
    v[5] = TW8_1(v[5]);
    v[6] = MUL_I(v[6]);
    v[7] = TW8_3(v[7]);
    FFT4(v[0],v[1],v[2],v[3])
    FFT4(v[4],v[5],v[6],v[7])
    // order: 0 2 1 3 | 0 2 1 3 of odd ones
}

__kernel void radix8(__global const float2 *gIn, __global float2 *gOut, int Ns, int N)
{
    int j = get_global_id(0);
    float2 v[8];
    float angle = -2*M_PI_F*(j % Ns)/(Ns*8);
    for (int r = 0; r < 8; r++) {
        float2 z = gIn[j + r*N/8];
        float c = cos(r*angle), s = sin(r*angle);
        v[r] = (float2)(z.x*c - z.y*s, z.x*s + z.y*c);
    }
    dft8(v);
    const int rev[] = {0, 4, 2, 6, 1, 5, 3, 7};
    int idxD = (j/Ns)*Ns*8 + (j%Ns);
    for (int r = 0; r < 8; r++)
        gOut[idxD + r*Ns] = v[rev[r]];
}
