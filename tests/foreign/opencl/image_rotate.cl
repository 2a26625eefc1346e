__constant sampler_t smp = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

__kernel void rotate90(__read_only image2d_t in, __write_only image2d_t out)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    int2 dim = get_image_dim(out);
    if (p.x >= dim.x || p.y >= dim.y) return;
    float4 v = read_imagef(in, smp, (int2)(p.y, p.x));
    write_imagef(out, p, v);
}
