// DCT-II algorytmem B. G. Lee (1984), podwójna precyzja.
// W dół: suma i różnica odbić lustrzanych, różnica dzielona przez 2cos. W górę: przeplot.
// Wiersze niezależne wzdłuż osi y; bufory zamieniają się rolami w każdym przebiegu.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

typedef struct { global const double *we; global double *wy; int i; int pol; } Blok;

Blok znajdz(global const double *we, global double *wy, int n, int dl)
{
  const int watek = get_global_id(0);
  const int poczatek = get_global_id(1) * n + watek / (dl / 2) * dl;
  Blok b;
  b.we  = we + poczatek;
  b.wy  = wy + poczatek;
  b.i   = watek % (dl / 2);
  b.pol = dl / 2;
  return b;
}

kernel void w_dol(global const double *we, global double *wy, int n, int dl)
{
  Blok b = znajdz(we, wy, n, dl);
  global const double *lewy  = b.we + b.i;
  global const double *prawy = b.we + dl - 1 - b.i;
  const double mianownik = 2.0 * cospi((b.i + 0.5) / dl);

  global double *cel = b.wy + b.i;
  *cel = *lewy + *prawy;
  cel += b.pol;
  *cel = (*lewy - *prawy) / mianownik;
}

kernel void w_gore(global const double *we, global double *wy, int n, int dl)
{
  Blok b = znajdz(we, wy, n, dl);
  global const double *parzyste    = b.we;
  global const double *nieparzyste = b.we + b.pol;

  double nast = 0.0;
  if (b.i + 1 < b.pol)
    nast = nieparzyste[b.i + 1];

  global double *cel = b.wy + 2 * b.i;
  *cel++ = parzyste[b.i];
  *cel   = nieparzyste[b.i] + nast;
}
