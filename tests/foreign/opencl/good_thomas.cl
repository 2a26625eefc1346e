/* PFA: n = (5 n1 + 3 n2) mod 15 ; k = (10 k1 + 6 k2) mod 15. No twiddle factors. */

#define C3  (-0.5f)
#define S3  0.86602540378f
#define C51 0.30901699437f
#define C52 (-0.80901699437f)
#define S51 0.95105651630f
#define S52 0.58778525229f

inline float2 mi(float2 a) { return (float2)(a.y, -a.x); }

kernel void pfa15(global const float2 *in, global float2 *out)
{
    local float2 m[3][5];
    uint lane = get_local_id(0);

    in  += 15 * get_group_id(0);
    out += 15 * get_group_id(0);

    if (lane < 5) {                       // five transforms of 3
        uint n2 = lane;
        float2 a = in[(3*n2) % 15], b = in[(5 + 3*n2) % 15], c = in[(10 + 3*n2) % 15];
        float2 s = b + c, d = mi((b - c) * S3);
        float2 h = a + s * C3;
        m[0][n2] = a + s;
        m[1][n2] = h + d;
        m[2][n2] = h - d;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < 3) {                       // three transforms of 5
        uint k1 = lane;
        local float2 *r = m[k1];
        float2 x0 = r[0];
        float2 p1 = r[1] + r[4], q1 = mi(r[1] - r[4]);
        float2 p2 = r[2] + r[3], q2 = mi(r[2] - r[3]);
        float2 y[5];
        y[0] = x0 + p1 + p2;
        float2 e1 = x0 + p1*C51 + p2*C52, f1 = q1*S51 + q2*S52;
        float2 e2 = x0 + p1*C52 + p2*C51, f2 = q1*S52 - q2*S51;
        y[1] = e1 + f1;  y[4] = e1 - f1;
        y[2] = e2 + f2;  y[3] = e2 - f2;
        for (uint k2 = 0; k2 < 5; ++k2)
            out[(10*k1 + 6*k2) % 15] = y[k2];
    }
}
