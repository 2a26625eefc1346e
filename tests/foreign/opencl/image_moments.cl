#define NMOM 6
#define M00 0
#define M10 1
#define M01 2
#define M20 3
#define M11 4
#define M02 5

#define FOR_MOM(k) for (int k = 0; k < NMOM; ++k)

/* raw moments of a grey image, one partial result per work-group.
   part is laid out moment by moment: part[k * nGroups + group] */
kernel void rawMoments(global const uchar *img, global uint *part, int width, int height,
                       local uint *acc)
{
  const int lid = get_local_id(0);
  const int lsz = get_local_size(0);
  const int total = width * height;

  uint m[NMOM];
  FOR_MOM(k) m[k] = 0;

  for (int p = get_global_id(0); p < total; p += get_global_size(0)) {
    const uint x = p % width;
    const uint y = p / width;
    const uint v = img[p];
    m[M00] += v;
    m[M10] += v * x;
    m[M01] += v * y;
    m[M20] += v * x * x;
    m[M11] += v * x * y;
    m[M02] += v * y * y;
  }

  FOR_MOM(k) acc[k * lsz + lid] = m[k];
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int half_size = lsz >> 1; half_size > 0; half_size >>= 1) {
    if (lid < half_size)
      FOR_MOM(k) acc[k * lsz + lid] += acc[k * lsz + lid + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  if (lid < NMOM)
    part[lid * get_num_groups(0) + get_group_id(0)] = acc[lid * lsz];
}

/* one item per moment adds the partial results, then item 0 makes the central ones */
kernel void centralMoments(global const uint *part, global float *res, int nGroups)
{
  local float raw[NMOM];
  const int k = get_local_id(0);
  if (k < NMOM) {
    uint s = 0;
    for (int g = 0; g < nGroups; ++g)
      s += part[k * nGroups + g];
    raw[k] = (float)s;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (k == 0) {
    const float cx = raw[M10] / raw[M00];
    const float cy = raw[M01] / raw[M00];
    res[0] = raw[M00];
    res[1] = cx;
    res[2] = cy;
    res[3] = raw[M20] / raw[M00] - cx * cx;
    res[4] = raw[M11] / raw[M00] - cx * cy;
    res[5] = raw[M02] / raw[M00] - cy * cy;
  }
}

/* two passes, straight from the definition */
kernel void momentsTwoPass(global const uchar *img, global float *res, int width, int height)
{
  double mass = 0, sx = 0, sy = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      double v = img[y * width + x];
      mass += v; sx += v * x; sy += v * y;
    }
  double cx = sx / mass, cy = sy / mass, xx = 0, xy = 0, yy = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      double v = img[y * width + x];
      xx += v * (x - cx) * (x - cx);
      xy += v * (x - cx) * (y - cy);
      yy += v * (y - cy) * (y - cy);
    }
  res[0] = mass; res[1] = cx; res[2] = cy;
  res[3] = xx / mass; res[4] = xy / mass; res[5] = yy / mass;
}
