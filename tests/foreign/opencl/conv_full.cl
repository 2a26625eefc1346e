// 完全な畳み込み: 出力ごとに一つのワークアイテム
kernel void conv_full(global const float* a, const int na, global const float* b, const int nb, global float* c)
{
  int i = get_global_id(0);
  if (i > na + nb - 2) return;
  float s = 0;
  int from = max(0, i - nb + 1), to = min(i, na - 1);
  while (from <= to) {
    s = fma(a[from], b[i - from], s);
    ++from;
  }
  c[i] = s;
}
