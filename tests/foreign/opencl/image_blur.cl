const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

kernel void fir_image(read_only image2d_t img, global float *out, constant float *taps)
{
    int x = get_global_id(0);
    float4 s = 0;
    for (int k = -2; k <= 2; k++)
        s += taps[k + 2] * read_imagef(img, edge, (int2)(x - k, 0));
    out[x] = s.x;
}
