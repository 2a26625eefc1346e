// Local alignment with affine gaps (Gotoh). A launch per anti-diagonal; E goes along a row, F along a column.
#define MATCH 3
#define OTHER -2
#define OPEN 4
#define EXTEND 1

inline int score(uchar a, uchar b) { return (a & 3) == (b & 3) ? MATCH : OTHER; }

kernel void diagonal(global const uchar *q, global const uchar *r, global int *H, global int *E, global int *F,
                     const int n, const int m, const int d)
{
  const int i = max(1, d - m) + get_global_id(0);
  const int j = d - i;
  if (i > n || j < 1) return;

  const int w = m + 1;
  const int e = max(E[i] - EXTEND, H[i * w + j - 1] - OPEN);
  const int f = max(F[j] - EXTEND, H[(i - 1) * w + j] - OPEN);
  int h = H[(i - 1) * w + j - 1] + score(q[i - 1], r[j - 1]);
  h = max(max(h, 0), max(e, f));

  E[i] = e;
  F[j] = f;
  H[i * w + j] = h;
}

kernel void table_slow(global const uchar *q, global const uchar *r, global int *H, global int *F, const int n, const int m)
{
  for (int j = 0; j <= m; j++) { H[j] = 0; F[j] = 0; }
  for (int i = 1; i <= n; i++) {
    int e = 0;
    global int *row = H + i * (m + 1), *above = row - (m + 1);
    row[0] = 0;
    for (int j = 1; j <= m; j++) {
      e = max(e - EXTEND, row[j - 1] - OPEN);
      F[j] = max(F[j] - EXTEND, above[j] - OPEN);
      row[j] = max(max(above[j - 1] + score(q[i - 1], r[j - 1]), 0), max(e, F[j]));
    }
  }
}
