// FFT by passes over tiles: a block transforms COUNT lines of POINTS points beside each other, EACH points a thread in registers,
// and the threads exchange their points through shared memory between the rounds. A line's round multiplies its points by roots of
// unity and does transforms of up to EACH points in each thread, radix 4 by radix 4.
//
// A launch is one pass. What it reads and writes, for line b, point k and bin f:
//
//   COLUMNS  x[b + k·n/POINTS]                        y[(b − j)·POINTS + j + f·P], j = b mod P: Stockham's order
//   ROWS     x[b·POINTS + k]                          y[b·POINTS + f]
//   TILES    x[(b / COUNT·POINTS + k)·COUNT + b % COUNT]   y[(f / TILE·n/POINTS + b)·TILE + f % TILE]: as a next pass of TILE lines reads
//
//   -DFROM=… -DTO=…   -DBEFORE: point k times w_(P·POINTS)^(jk)   -DAFTER: bin f times w_n^(bf)   -DSIGN=-1 or 1

#include "trace_device.h"
#include "registers.h"

#define COLUMNS 0
#define ROWS 1
#define TILES 2
#define THREADS (POINTS / EACH)                                        // of a line
#define ROUNDS ((LOG2_POINTS + LOG2_EACH - 1) / LOG2_EACH)
#define SPREAD (TO == ROWS && FROM != ROWS && THREADS < 16)            // rows too short for a line's threads to write in full sectors

// Where element e of line c is in shared memory: padded, so that no two threads of a warp meet in a bank.
__device__ __forceinline__ constexpr int at(int e, int c)
{
  return FROM == ROWS ? c * (POINTS + POINTS / EACH) + e + e / EACH : COUNT >= 16 ? e * (COUNT + 1) + c : (e + e / EACH) * COUNT + c;
}

// Blocks that a multiprocessor should hold: 512 threads, so that each may have 128 registers and its sines, products and loads overlap.
// More threads with fewer registers each are slower. Large blocks, and threads of 64 points, are alone.
#define RESIDENT (EACH > 16 || THREADS * COUNT > 512 ? 1 : THREADS * COUNT < 32 ? 16 : 512 / (THREADS * COUNT))

extern "C" __global__ __launch_bounds__(THREADS * COUNT, RESIDENT) void fft_tiles(const real2 *__restrict__ x, real2 *__restrict__ y, int n, int P TRACE_PARAMS)
{
  extern __shared__ real2 s[];
  real2 v[EACH];
  const unsigned lid = threadIdx.x;  // unsigned: so that quotients are shifts
  int c = FROM == ROWS ? lid / THREADS : lid % COUNT, t = FROM == ROWS ? lid % THREADS : lid / COUNT;
  int b = blockIdx.x * COUNT + c;

  // Registers q = 0 … EACH−1 get points t + q·THREADS. For transforms of R of them, place() says in which order.
  const int first = POINTS < EACH ? POINTS : EACH;
#pragma unroll
  for (int q = 0; q < EACH; ++q) {
    int k = t + THREADS * q, to = place(q, first);
    int from = FROM == ROWS ? b * POINTS + k : FROM == TILES ? (blockIdx.x * POINTS + k) * COUNT + c : b + k * (n / POINTS);
    v[to] = x[from];
    TRACE_MOVE(v, to, x, from, v[to]);
  }

#ifdef BEFORE
  TRACE_STAGE(1);
  Factors before;
#pragma unroll
  for (int q = 0; q < EACH; ++q) {
    int j = b & (P - 1), to = place(q, first);
    real2 w = root_of(q, j * t, j * THREADS, P * POINTS, before), a = v[to];
    v[to] = w * a;
    TRACE_SCALE(v, to, a, w);
  }
#endif

#pragma unroll
  for (int round = 0; round < ROUNDS; ++round) {
    const int done = 1 << LOG2_EACH * round;                           // points of the transforms so far
    const int R = POINTS / done < EACH ? POINTS / done : EACH;         // this round's radix …
    const int apart = EACH / R;                                        // … and its transforms a thread
    if (round > 0) {
      TRACE_STAGE(6 * round + 1);
      Factors within[EACH];
#pragma unroll
      for (int i = 0; i < apart; ++i) within[i].near[0] = real2{1, 0};
#pragma unroll
      for (int q = apart; q < EACH; ++q) {
        int i = q % apart, j = (t + THREADS * i) % done, to = i + apart * place(q / apart, R);
        real2 w = root_of(q / apart, 0, j, done * R, within[i]), a = v[to];
        v[to] = w * a;
        TRACE_SCALE(v, to, a, w);
      }
    }

    const bool odd = R == 2 || R == 8 || R == 32;
    if (odd) {
      TRACE_STAGE(6 * round + 2);
#pragma unroll
      for (int g = 0; g < EACH / 2; ++g) {
        int i0 = g % apart + g / apart * 2 * apart, i1 = i0 + apart;
        real2 a = v[i0], b1 = v[i1], w = known_root(0, 2);
        v[i0] = a + b1;
        v[i1] = a - b1;
        TRACE_BUTTERFLY(v, i0, i1, w, a, b1);
      }
    }
#pragma unroll
    for (int level = 0; level < 3; ++level) {
      const int span = (odd ? 8 : 4) << 2 * level, quarter = span / 4;
      if (span > R) continue;
      TRACE_STAGE(6 * round + 3 + level);
#pragma unroll
      for (int g = 0; g < EACH / 4; ++g) {
        int m = g / apart, r = m % quarter, i0 = g % apart + (m / quarter * span + r) * apart;
        int i1 = i0 + quarter * apart, i2 = i1 + quarter * apart, i3 = i2 + quarter * apart;
        real2 a = v[i0], b1 = v[i1], c1 = v[i2], d = v[i3];
        real2 beta = turned(b1, r, span), gamma = turned(c1, 2 * r, span), delta = turned(d, 3 * r, span);
        real2 t0 = a + gamma, t1 = a - gamma, t2 = beta + delta, t3 = times_i(beta - delta, SIGN);
        v[i0] = t0 + t2;
        v[i1] = t1 + t3;
        v[i2] = t0 - t2;
        v[i3] = t1 - t3;
        TRACE_BUTTERFLY4(v, i0, i1, i2, i3, known_root(r, span), known_root(2 * r, span), known_root(3 * r, span), a, b1, c1, d);
      }
    }

    // To the threads that need them next. After the last exchange the threads of a line are neighbours if its bins become a row.
    if (round + 1 < ROUNDS) {
      const int next = POINTS / done / R < EACH ? POINTS / done / R : EACH, between = EACH / next;
      TRACE_STAGE(6 * round + 6);
      if (round > 0) {
        __syncthreads();
        TRACE_BARRIER();
      }
#pragma unroll
      for (int q = 0; q < EACH; ++q) {
        int g = t + THREADS * (q % apart), j = g % done, e = (g - j) * R + j + q / apart * done;
        s[at(e, c)] = v[q];
        TRACE_MOVE(s, at(e, c), v, q, v[q]);
      }
      __syncthreads();
      TRACE_BARRIER();
      if (round + 2 == ROUNDS && TO == ROWS && FROM != ROWS && !SPREAD) {
        c = lid / THREADS;
        t = lid % THREADS;
        b = blockIdx.x * COUNT + c;
      }
#pragma unroll
      for (int q = 0; q < EACH; ++q) {
        int to = q % between + between * place(q / between, next);
        v[to] = s[at(t + THREADS * q, c)];
        TRACE_MOVE(v, to, s, at(t + THREADS * q, c), v[to]);
      }
    }
  }

#ifdef AFTER
  TRACE_STAGE(6 * ROUNDS + 1);
  Factors after;
#pragma unroll
  for (int q = 0; q < EACH; ++q) {
    real2 w = root_of(q, b * t, b * THREADS, n, after), a = v[q];
    v[q] = w * a;
    TRACE_SCALE(v, q, a, w);
  }
#endif

  TRACE_STAGE(6 * ROUNDS + 2);
  if (SPREAD) {
    if (ROUNDS > 1) {
      __syncthreads();
      TRACE_BARRIER();
    }
#pragma unroll
    for (int q = 0; q < EACH; ++q) {
      int e = at(t + THREADS * q, c);
      s[e] = v[q];
      TRACE_MOVE(s, e, v, q, v[q]);
    }
    __syncthreads();
    TRACE_BARRIER();
#pragma unroll
    for (int q = 0; q < EACH; ++q) {
      int i = lid + THREADS * COUNT * q, from = at(i % POINTS, i / POINTS);
      real2 a = s[from];
      y[blockIdx.x * (POINTS * COUNT) + i] = a;
      TRACE_MOVE(y, blockIdx.x * (POINTS * COUNT) + i, s, from, a);
    }
  } else {
#pragma unroll
    for (int q = 0; q < EACH; ++q) {
      int f = t + THREADS * q, j = b & (P - 1);
      int to = TO == ROWS ? b * POINTS + f : TO == TILES ? (f / TILE * (n / POINTS) + b) * TILE + f % TILE : (b - j) * POINTS + j + f * P;
      y[to] = v[q];
      TRACE_MOVE(y, to, v, q, v[q]);
    }
  }
}
