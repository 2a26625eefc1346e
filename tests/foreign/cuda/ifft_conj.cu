// Inverse by conjugation of a forward DIF with the output gathered in reversed order.
template <typename T> struct vec2;
template <> struct vec2<float> { typedef float2 type; };
template <> struct vec2<double> { typedef double2 type; };

template <typename T>
__global__ void ifft(typename vec2<T>::type *spectrum, typename vec2<T>::type *time, int n, int logn)
{
    typedef typename vec2<T>::type C2;
    extern __shared__ unsigned char raw[];
    C2 *w = (C2 *)raw;
    const int t = threadIdx.x;

    for (int i = t; i < n; i += blockDim.x) { C2 v = spectrum[i]; v.y = -v.y; w[i] = v; }
    __syncthreads();

    for (int half = n >> 1; half > 0; half >>= 1) {
        int k = t & (half - 1);
        int i = 2 * t - k;
        T c = (T)cospi((double)k / half), s = (T)-sinpi((double)k / half);
        C2 a = w[i], b = w[i + half];
        T dr = a.x - b.x, di = a.y - b.y;
        w[i].x = a.x + b.x;
        w[i].y = a.y + b.y;
        w[i + half].x = dr * c - di * s;
        w[i + half].y = dr * s + di * c;
        __syncthreads();
    }

    const T scale = T(1) / T(n);
    for (int i = t; i < n; i += blockDim.x) {
        C2 v = w[__brev(i) >> (32 - logn)];
        C2 o;
        o.x = v.x * scale;
        o.y = -v.y * scale;
        time[i] = o;
    }
}

template __global__ void ifft<float>(float2 *, float2 *, int, int);
