// Matrix chain ordering. dims[i] x dims[i+1] is matrix i.
// One launch per chain length, one work-group per start; the group tries all splits.
// best[i * n + j] : x = cheapest number of multiplications for i..j, y = where to split (first such)

typedef int2 Choice;

Choice cheaper(Choice a, Choice b)
{
  if (b.x < a.x || (b.x == a.x && b.y < a.y)) return b;
  return a;
}

__kernel void chainInit(__global Choice* best, int n)
{
  int i = get_global_id(0);
  best[i * n + i] = (Choice)(0, i);
}

__kernel void chainLength(__global const uchar* dims, __global Choice* best, int n, int len)
{
  __local Choice pick[4];
  const int lane = get_local_id(0);
  const int i = get_group_id(0);
  const int j = i + len - 1;

  Choice mine = (Choice)(INT_MAX, INT_MAX);
  for (int k = i + lane; k < j; k += 4) {
    const int outer = (dims[i] + 1) * (dims[k + 1] + 1) * (dims[j + 1] + 1);
    const int cost = best[i * n + k].x + best[(k + 1) * n + j].x + outer;
    mine = cheaper(mine, (Choice)(cost, k));
  }
  pick[lane] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);

  if (lane < 2) pick[lane] = cheaper(pick[lane], pick[lane + 2]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0) best[i * n + j] = cheaper(pick[0], pick[1]);
}

// depth of each matrix in the tree of products, read from the splits
__kernel void chainDepth(__global const Choice* best, __global int* depth, int n)
{
  const int m = get_global_id(0);
  int lo = 0, hi = n - 1, d = 0;
  while (lo < hi) {
    const int split = best[lo * n + hi].y;
    if (m <= split) hi = split;
    else lo = split + 1;
    d++;
  }
  depth[m] = d;
}

// cost of the chain followed by the depths
__kernel void chainResult(__global const Choice* best, __global const int* depth, __global int* out, int n)
{
  const int m = get_global_id(0);
  if (m == 0) out[0] = best[n - 1].x;
  out[m + 1] = depth[m];
}

// plain dynamic programming by start, downwards; depths added range by range
__kernel void chainPlain(__global const uchar* dims, __global int* out, int n)
{
  long cost[12][12];
  int cut[12][12];
  for (int a = n - 1; a >= 0; a--) {
    cost[a][a] = 0;
    for (int b = a + 1; b < n; b++) {
      cost[a][b] = LONG_MAX;
      for (int k = a; k < b; k++) {
        long c = cost[a][k] + cost[k + 1][b] + (long)(dims[a] + 1) * (dims[k + 1] + 1) * (dims[b + 1] + 1);
        if (c < cost[a][b]) { cost[a][b] = c; cut[a][b] = k; }
      }
    }
  }
  out[0] = (int)cost[0][n - 1];
  for (int m = 0; m < n; m++) out[m + 1] = 0;
  int from[24], to[24], top = 1;
  from[0] = 0; to[0] = n - 1;
  while (top > 0) {
    top--;
    int a = from[top], b = to[top];
    if (a == b) continue;
    for (int m = a; m <= b; m++) out[m + 1]++;
    int k = cut[a][b];
    from[top] = a; to[top] = k; top++;
    from[top] = k + 1; to[top] = b; top++;
  }
}
