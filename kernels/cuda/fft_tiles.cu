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
// A block does one tile of COUNT lines. With -DAHEAD as many blocks as there are processors do several each, from COLUMNS or TILES,
// and the copy engine brings the next tile in the meantime.
//
//   -DFROM=… -DTO=…   -DBEFORE: point k times w_(P·POINTS)^(jk)   -DAFTER: bin f times w_n^(bf)   -DSIGN=-1 or 1
//   -DTOGETHER: a block's threads compute the factors of its roots together, -DINSIDE=… of them for the rounds and -DBETWEEN=… for bins
//   -DDEPENDENT: a pass after the first

#include "trace_device.h"
#include "registers.h"
#include "copy_engine.h"
#if defined(AHEAD) && !TWIDDLE_HOST && __CUDA_ARCH__ < 900
#error Twiddle: fft-engine needs the bulk copy engine of a GPU of compute capability 9.0 or newer: take fft-two-pass
#endif

#define COLUMNS 0
#define ROWS 1
#define TILES 2
#define THREADS (POINTS / EACH)                                        // of a line
#define ROUNDS ((LOG2_POINTS + LOG2_EACH - 1) / LOG2_EACH)
#define APART (FROM == ROWS && TO == ROWS)                             // each line's threads are neighbours
#define SPREAD (TO == ROWS && FROM != ROWS && THREADS < 16)            // rows too short for a line's threads to write in full sectors

// Where element e of line c is in shared memory: padded, so that no two threads of a warp meet in a bank.
__device__ __forceinline__ constexpr int at(int e, int c)
{
  return APART ? c * (POINTS + POINTS / EACH) + e + e / EACH : COUNT >= 16 ? e * (COUNT + 1) + c : (e + e / EACH) * COUNT + c;
}

// Blocks that a multiprocessor should hold: 512 threads, so that each may have 128 registers and its sines, products and loads overlap.
// More threads with fewer registers each are slower, but where lines are rows and large. Large blocks, and threads of 64 points, are alone.
#ifndef RESIDENT
#define RESIDENT (EACH > 32 || THREADS * COUNT > 512 ? 1 : THREADS * COUNT < 32 ? 16 : 512 / (THREADS * COUNT))
#endif

// Where a round's factors begin among those of all rounds. The rounds before it have transforms of EACH points.
__device__ __forceinline__ constexpr int begin_of(int round) { return factors(EACH) * ((1 << LOG2_EACH * round) - EACH) / (EACH - 1); }

#ifdef AHEAD
// Shared memory: what is exchanged, and the part of the next tile that comes early. The rest comes, late, where the exchange was.
#define EXCHANGED (((POINTS + POINTS / EACH) * COUNT + 15) / 16 * 16)
#define EARLY (POINTS / 2)

// Has the engine bring points first … last − 1 of a tile's lines.
__device__ __forceinline__ void fetch(real2 *to, const real2 *x, const Boxes &boxes, int tile, int first, int last, Arrival *arrival)
{
  expect_bytes(arrival, (last - first) * COUNT * sizeof(real2));
  if (FROM == TILES) copy_run(to, x + (tile * POINTS + first) * COUNT, (last - first) * COUNT, arrival);
  else
    for (int k = first; k < last; k += BOX) copy_box(to + (k - first) * COUNT, boxes, tile * COUNT, k, arrival);
}
#endif

extern "C" __global__ __launch_bounds__(THREADS * COUNT, RESIDENT) void fft_tiles(const real2 *__restrict__ x, real2 *__restrict__ y,
#ifdef AHEAD
    const __grid_constant__ Boxes boxes,
#endif
    int n, int P TRACE_PARAMS)
{
  extern __shared__ __align__(128) real2 s[];
  real2 v[EACH];
  const unsigned lid = threadIdx.x & (THREADS * COUNT - 1);  // so that the compiler knows how large it is, and quotients are shifts
  int c = APART ? lid / THREADS : lid % COUNT, t = APART ? lid % THREADS : lid / COUNT;
  const int first = POINTS < EACH ? POINTS : EACH;

#ifdef TOGETHER
  __shared__ real2 inside[INSIDE];
#pragma unroll
  for (int round = 1; round < ROUNDS; ++round) {
    const int done = 1 << LOG2_EACH * round, R = POINTS / done < EACH ? POINTS / done : EACH;
    for (int i = lid; i < factors(R) * done; i += THREADS * COUNT) {
      int at = begin_of(round) + i;
      inside[at] = root(power_of(i / done) * (i % done), done * R);
      TRACE_STORE(inside, at, inside[at]);
    }
  }
#endif
#ifdef DEPENDENT
  await_launch_before();
#endif
#ifdef AHEAD
  __shared__ Arrival arrival;
  if (lid == 0) {
    expect_copies(&arrival, 2);
    fetch(s + EXCHANGED, x, boxes, blockIdx.x, 0, EARLY, &arrival);
    fetch(s, x, boxes, blockIdx.x, EARLY, POINTS, &arrival);
  }
  __syncthreads();
  TRACE_BARRIER();
  const int tiles = n / (POINTS * COUNT);
  for (int tile = blockIdx.x, phase = 0; tile < tiles; tile += gridDim.x, phase ^= 1) {
  const int next_tile = tile + gridDim.x;
  await_copies(&arrival, phase);
#else
  const int tile = blockIdx.x;
#endif
  int b = tile * COUNT + c;

  // Registers q = 0 … EACH−1 get points t + q·THREADS. For transforms of R of them, place() says in which order.
#pragma unroll
  for (int q = 0; q < EACH; ++q) {
    int k = t + THREADS * q, to = place(q, first);
    int from = FROM == ROWS ? b * POINTS + k : FROM == TILES ? (tile * POINTS + k) * COUNT + c : b + k * (n / POINTS);
#ifdef AHEAD
    int place_in_s = k * COUNT + c + (k < EARLY ? EXCHANGED : -EARLY * COUNT);
    TRACE_MOVE(s, place_in_s, x, from, s[place_in_s]);  // the engine did
    v[to] = s[place_in_s];
    TRACE_MOVE(v, to, s, place_in_s, v[to]);
#else
    v[to] = x[from];
    TRACE_MOVE(v, to, x, from, v[to]);
#endif
  }
#ifdef AHEAD
  __syncthreads();
  TRACE_BARRIER();
  if (lid == 0 && next_tile < tiles) fetch(s + EXCHANGED, x, boxes, next_tile, 0, EARLY, &arrival);
#endif
#ifdef TOGETHER
#ifdef AFTER
  __shared__ real2 between[BETWEEN];
  for (int i = lid; i < BETWEEN; i += THREADS * COUNT) {
    between[i] = root(power_of(i / COUNT) * THREADS * (tile * COUNT + i % COUNT), n);
    TRACE_STORE(between, i, between[i]);
  }
#endif
#endif

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
#ifndef TOGETHER
      Factors within[EACH];
#pragma unroll
      for (int i = 0; i < apart; ++i) within[i].near[0] = real2{1, 0};
#endif
#pragma unroll
      for (int q = apart; q < EACH; ++q) {
        int i = q % apart, j = (t + THREADS * i) % done, to = i + apart * place(q / apart, R);
#ifdef TOGETHER
        int own = begin_of(round) + j;
        real2 w = product(q / apart, inside + own, done), a = v[to];
        if (q / apart % NEAR) TRACE_LOAD(inside, own + near_of(q / apart, done), inside[own + near_of(q / apart, done)]);
        if (q / apart >= NEAR) TRACE_LOAD(inside, own + far_of(q / apart, done), inside[own + far_of(q / apart, done)]);
#else
        real2 w = root_of(q / apart, 0, j, done * R, within[i]), a = v[to];
#endif
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
        b = tile * COUNT + c;
      }
#pragma unroll
      for (int q = 0; q < EACH; ++q) {
        int to = q % between + between * place(q / between, next);
        v[to] = s[at(t + THREADS * q, c)];
        TRACE_MOVE(v, to, s, at(t + THREADS * q, c), v[to]);
      }
    }
#ifdef AHEAD
    if (round + 2 == ROUNDS || ROUNDS == 1) {
      leave_to_engine();
      __syncthreads();
      TRACE_BARRIER();
      if (lid == 0 && next_tile < tiles) fetch(s, x, boxes, next_tile, EARLY, POINTS, &arrival);
    }
#endif
  }

#ifdef AFTER
  TRACE_STAGE(6 * ROUNDS + 1);
#ifdef TOGETHER
  real2 own = root(b * t, n);
#ifndef AHEAD
  if (ROUNDS == 1) {
    __syncthreads();
    TRACE_BARRIER();
  }
#endif
#else
  Factors after;
#endif
#pragma unroll
  for (int q = 0; q < EACH; ++q) {
#ifdef TOGETHER
    real2 w = q == 0 ? own : own * product(q, between + c, COUNT), a = v[q];
    if (q % NEAR) TRACE_LOAD(between, c + near_of(q, COUNT), between[c + near_of(q, COUNT)]);
    if (q >= NEAR) TRACE_LOAD(between, c + far_of(q, COUNT), between[c + far_of(q, COUNT)]);
#else
    real2 w = root_of(q, b * t, b * THREADS, n, after), a = v[q];
#endif
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
      y[tile * (POINTS * COUNT) + i] = a;
      TRACE_MOVE(y, tile * (POINTS * COUNT) + i, s, from, a);
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
#ifdef AHEAD
  }
#endif
}
