// Rows of 60 = 4 * 3 * 5 points in double precision, a launch for each factor; the small transforms are unrolled by templates.
using c64 = double2;

__host__ __device__ inline c64 operator+(const c64& a, const c64& b) { return make_double2(a.x + b.x, a.y + b.y); }
__host__ __device__ inline c64 operator-(const c64& a, const c64& b) { return make_double2(a.x - b.x, a.y - b.y); }
__host__ __device__ inline c64 operator*(const c64& a, const c64& b) {
    return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__host__ __device__ inline c64 operator*(double s, const c64& a) { return make_double2(s * a.x, s * a.y); }
__host__ __device__ inline c64 minus_i(const c64& a) { return make_double2(a.y, -a.x); }

template <int R> struct small_dft;

template <> struct small_dft<3> {
    static __device__ void apply(c64 (&v)[3]) {
        constexpr double h = 0.86602540378443864676;
        const c64 s = v[1] + v[2];
        const c64 d = h * minus_i(v[1] - v[2]);
        const c64 m = v[0] - 0.5 * s;
        v[0] = v[0] + s;
        v[1] = m + d;
        v[2] = m - d;
    }
};

template <> struct small_dft<4> {
    static __device__ void apply(c64 (&v)[4]) {
        const c64 a = v[0] + v[2], b = v[0] - v[2];
        const c64 c = v[1] + v[3], d = minus_i(v[1] - v[3]);
        v[0] = a + c;
        v[1] = b + d;
        v[2] = a - c;
        v[3] = b - d;
    }
};

template <> struct small_dft<5> {
    static __device__ void apply(c64 (&v)[5]) {
        constexpr double c1 = 0.30901699437494742410, c2 = -0.80901699437494742410;
        constexpr double s1 = 0.95105651629515357212, s2 = 0.58778525229247312917;
        const c64 p14 = v[1] + v[4], m14 = v[1] - v[4];
        const c64 p23 = v[2] + v[3], m23 = v[2] - v[3];
        const c64 a = v[0] + c1 * p14 + c2 * p23;
        const c64 b = v[0] + c2 * p14 + c1 * p23;
        const c64 u = minus_i(s1 * m14 + s2 * m23);
        const c64 w = minus_i(s2 * m14 - s1 * m23);
        v[0] = v[0] + p14 + p23;
        v[1] = a + u;
        v[2] = b + w;
        v[3] = b - w;
        v[4] = a - u;
    }
};

template <int R>
__global__ void pass(const c64* in, c64* out, int points, int done, int rows)
{
    const int per_row = points / R;
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= per_row * rows) return;

    const int row = id / per_row;
    const int j = id - row * per_row;
    const int k = j % done;
    in += row * points;
    out += row * points;

    c64 v[R];
#pragma unroll
    for (int r = 0; r < R; ++r) {
        c64 w;
        sincospi(-2.0 * (r * k) / (R * done), &w.y, &w.x);
        v[r] = w * in[j + r * per_row];
    }

    small_dft<R>::apply(v);

    const int at = (j / done) * done * R + k;
#pragma unroll
    for (int r = 0; r < R; ++r)
        out[at + r * done] = v[r];
}

template __global__ void pass<3>(const c64*, c64*, int, int, int);
template __global__ void pass<4>(const c64*, c64*, int, int, int);
template __global__ void pass<5>(const c64*, c64*, int, int, int);
