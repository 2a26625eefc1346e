struct run { float key[8]; uchar perm[8]; };
void swap_(struct run *r, int a, int b) { float k = r->key[a]; uchar p = r->perm[a]; r->key[a] = r->key[b]; r->perm[a] = r->perm[b]; r->key[b] = k; r->perm[b] = p; }
__kernel void priv_sort(__global const float *in, __global float *out)
{
  struct run r;
  int g = get_global_id(0) * 8;
  for (int i = 0; i < 8; i++) { r.key[i] = in[g + i]; r.perm[i] = i; }
  for (int i = 1; i < 8; i++) for (int j = i; j > 0 && r.key[j - 1] > r.key[j]; --j) swap_(&r, j - 1, j);
  for (int i = 0; i < 8; i++) out[g + i] = r.key[i] + (in[g + r.perm[i]] - r.key[i]);
}
