/* une somme par segment : un groupe par segment, arbre en mémoire locale */
__kernel void segsum(__global const float *v, __global const int *rowptr, __global float *sums, __local float *w)
{
   const int s = get_group_id(0);
   const int l = get_local_id(0);
   const int begin = rowptr[s], end = rowptr[s + 1];
   float a = 0;
   for (int i = begin + l; i < end; i += get_local_size(0))
      a += v[i];
   w[l] = a;
   for (int h = get_local_size(0) >> 1; h; h >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l < h)
         w[l] += w[l + h];
   }
   if (!l)
      sums[s] = w[0];
}
