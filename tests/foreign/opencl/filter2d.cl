// 2D filter ('same', zero border): a tile with its border in local memory
#define TX 8
#define TY 4
#define RX 2
#define RY 1

__kernel __attribute__((reqd_work_group_size(TX, TY, 1)))
void filter(__global const float *img, __global float *res, __constant float *taps, const int2 size)
{
  __local float tile[TY + 2 * RY][TX + 2 * RX];
  const int lx = get_local_id(0), ly = get_local_id(1);
  const int left = get_group_id(0) * TX - RX;
  const int top = get_group_id(1) * TY - RY;

  for (int y = ly; y < TY + 2 * RY; y += TY)
    for (int x = lx; x < TX + 2 * RX; x += TX) {
      const int gx = left + x, gy = top + y;
      const bool inside = gx >= 0 && gx < size.x && gy >= 0 && gy < size.y;
      tile[y][x] = inside ? img[gy * size.x + gx] : 0.0f;
    }
  barrier(CLK_LOCAL_MEM_FENCE);

  const int gx = get_global_id(0), gy = get_global_id(1);
  if (gx < size.x && gy < size.y) {
    float acc = 0.0f;
    for (int v = -RY; v <= RY; ++v)
      for (int u = -RX; u <= RX; ++u)
        acc += taps[(v + RY) * (2 * RX + 1) + u + RX] * tile[ly + RY - v][lx + RX - u];
    res[gy * size.x + gx] = acc;
  }
}
