// Online softmax (Milakov & Gimelshein 2018) + top-1 label, one work-group per row of logits.
// out row = n_classes probabilities followed by the label; rows of both arrays are packed.

#ifndef WG
#define WG 16
#endif

struct stat {
    float m;      // running max
    float d;      // sum of exp(x - m)
    int   top;    // where the max is (first one)
};

static struct stat stat_identity(void)
{
    struct stat s = {-INFINITY, 0.0f, INT_MAX};
    return s;
}

static struct stat stat_push(struct stat s, float x, int at)
{
    if (x > s.m) {
        s.d = s.d * exp(s.m - x) + 1.0f;
        s.m = x;
        s.top = at;
    } else {
        s.d += exp(x - s.m);
    }
    return s;
}

static struct stat stat_merge(struct stat a, struct stat b)
{
    if (b.m > a.m || (b.m == a.m && b.top < a.top)) {
        struct stat t = a; a = b; b = t;
    }
    if (b.d > 0.0f)
        a.d += b.d * exp(b.m - a.m);
    return a;
}

__kernel void softmax_rows(__global const float *logits, __global float *out, int n_classes, float inv_temp)
{
    __local struct stat red[WG];
    const int lid = get_local_id(0);
    const int row = get_group_id(0);
    __global const float *x = logits + row * n_classes;
    __global float *p = out + row * (n_classes + 1);

    struct stat s = stat_identity();
    const int n4 = n_classes / 4;
    for (int i = lid; i < n4; i += WG) {
        float4 v = vload4(i, x) * inv_temp;
        s = stat_push(s, v.x, 4 * i);
        s = stat_push(s, v.y, 4 * i + 1);
        s = stat_push(s, v.z, 4 * i + 2);
        s = stat_push(s, v.w, 4 * i + 3);
    }
    for (int i = 4 * n4 + lid; i < n_classes; i += WG)
        s = stat_push(s, x[i] * inv_temp, i);

    red[lid] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int w = WG / 2; w > 0; w >>= 1) {
        if (lid < w)
            red[lid] = stat_merge(red[lid], red[lid + w]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    const float m = red[0].m;
    const float inv_d = 1.0f / red[0].d;
    for (int i = lid; i < n_classes; i += WG)
        p[i] = exp(x[i] * inv_temp - m) * inv_d;
    if (lid == 0)
        p[n_classes] = (float)red[0].top;
}

// three plain passes
__kernel void softmax_ref(__global const float *logits, __global float *out, int n_classes, float inv_temp)
{
    const int row = get_global_id(0);
    int top = 0;
    for (int i = 1; i < n_classes; i++)
        if (logits[row * n_classes + i] > logits[row * n_classes + top])
            top = i;
    double sum = 0.0;
    for (int i = 0; i < n_classes; i++)
        sum += exp((double)inv_temp * (logits[row * n_classes + i] - logits[row * n_classes + top]));
    for (int i = 0; i < n_classes; i++)
        out[row * (n_classes + 1) + i] = exp((double)inv_temp * (logits[row * n_classes + i] - logits[row * n_classes + top])) / sum;
    out[row * (n_classes + 1) + n_classes] = top;
}
