// Mean and variance after Welford, parts joined after Chan et al.
typedef struct {
  int count;
  float mean, m2;
} moments;

moments with_value(moments m, float x)
{
  m.count++;
  float d = x - m.mean;
  m.mean += d / m.count;
  m.m2 += d * (x - m.mean);
  return m;
}

moments joined(moments a, moments b)
{
  moments r;
  r.count = a.count + b.count;
  if (r.count == 0)
    return a;
  float d = b.mean - a.mean;
  r.mean = a.mean + d * b.count / r.count;
  r.m2 = a.m2 + b.m2 + d * d * a.count * b.count / r.count;
  return r;
}

__kernel void partial(__global const float *x, __global int *counts, __global float *means, __global float *m2s, int n)
{
  __local moments part[16];
  int l = get_local_id(0);
  moments own = { 0, 0.0f, 0.0f };
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    own = with_value(own, x[i]);
  part[l] = own;
  barrier(CLK_LOCAL_MEM_FENCE);

  int size = get_local_size(0);
  while (size > 1) {
    int upper = (size + 1) / 2;
    if (l + upper < size)
      part[l] = joined(part[l], part[l + upper]);
    size = upper;
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  if (l == 0) {
    int g = get_group_id(0);
    counts[g] = part[0].count;
    means[g] = part[0].mean;
    m2s[g] = part[0].m2;
  }
}

__kernel void total(__global const int *counts, __global const float *means, __global const float *m2s, int groups,
                    __global float *stats)
{
  moments all = { counts[0], means[0], m2s[0] };
  for (int g = 1; g < groups; g++) {
    moments next = { counts[g], means[g], m2s[g] };
    all = joined(all, next);
  }
  stats[0] = all.mean;
  stats[1] = all.m2 / (all.count - 1);
}

__kernel void two_passes(__global const float *x, int n, __global float *stats)
{
  float mean = 0, m2 = 0;
  for (int i = 0; i < n; i++) mean += x[i];
  mean /= n;
  for (int i = 0; i < n; i++) m2 += (x[i] - mean) * (x[i] - mean);
  stats[0] = mean;
  stats[1] = m2 / (n - 1);
}
