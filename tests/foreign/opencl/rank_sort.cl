kernel void by_rank(const global float* restrict in, global float* restrict out, const uint size)
{
    const uint gid = get_global_id(0);
    const float key = in[gid];
    uint pos = 0;
    for (uint k = 0; k < size; ++k)
    {
        const float other = in[k];
        pos += (other < key) || (other == key && k < gid);
    }
    out[pos] = key;
}
