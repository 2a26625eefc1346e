// FFT by passes over tiles: a group transforms COUNT lines of POINTS points beside each other, EACH points an item in registers,
// and the items exchange their points through local memory between the rounds. A line's round multiplies its points by roots of
// unity and does transforms of up to EACH points in each item, radix 4 by radix 4.
//
// A launch is one pass. What it reads and writes, for line b, point k and bin f:
//
//   COLUMNS  x[b + k·n/POINTS]                        y[(b − j)·POINTS + j + f·P], j = b mod P: Stockham's order
//   ROWS     x[b·POINTS + k]                          y[b·POINTS + f]
//   TILES    x[(b / COUNT·POINTS + k)·COUNT + b % COUNT]   y[(f / TILE·n/POINTS + b)·TILE + f % TILE]: as a next pass of TILE lines reads
//
// A group does one tile of COUNT lines. With -DAHEAD as many groups as there are processors do several each, from COLUMNS or TILES.
// CUDA's kernel has a copy engine bring the next tile in the meantime; OpenCL has none, and each item brings what it needs itself.
//
//   -DFROM=… -DTO=…   -DBEFORE: point k times w_(P·POINTS)^(jk)   -DAFTER: bin f times w_n^(bf)   -DSIGN=-1 or 1
//   -DTOGETHER: a group's items compute the factors of its roots together, -DINSIDE=… of them for the rounds and -DBETWEEN=… for bins

#include "trace_device.h"
#include "registers.h"

#define COLUMNS 0
#define ROWS 1
#define TILES 2
#define ITEMS (POINTS / EACH)                                        // of a line
#define ROUNDS ((LOG2_POINTS + LOG2_EACH - 1) / LOG2_EACH)
#define APART (FROM == ROWS && TO == ROWS)                           // each line's items are neighbours
#define SPREAD (TO == ROWS && FROM != ROWS && ITEMS < 16)            // rows too short for a line's items to write in full sectors

// Where element e of line c is in local memory: padded, so that no two items of a sub-group meet in a bank.
int at(int e, int c)
{
  return APART ? c * (POINTS + POINTS / EACH) + e + e / EACH : COUNT >= 16 ? e * (COUNT + 1) + c : (e + e / EACH) * COUNT + c;
}

// Where a round's factors begin among those of all rounds. The rounds before it have transforms of EACH points.
#define BEGIN_OF(round) (FACTORS(EACH) * ((1 << LOG2_EACH * (round)) - EACH) / (EACH - 1))

// Local memory with -DAHEAD: what is exchanged, and the part of a tile that comes early. The rest comes, late, where the exchange was.
#define EXCHANGED (((POINTS + POINTS / EACH) * COUNT + 15) / 16 * 16)
#define EARLY (POINTS / 2)

kernel __attribute__((reqd_work_group_size(ITEMS * COUNT, 1, 1)))
void fft_tiles(global const real2 *restrict x, global real2 *restrict y, local real2 *s,
#ifdef AHEAD
    global const real2 *boxes,
#endif
    int n, int P TRACE_PARAMS)
{
  real2 v[EACH];
  int lid = get_local_id(0), group = get_group_id(0);
  int c = APART ? lid / ITEMS : lid % COUNT, t = APART ? lid % ITEMS : lid / COUNT;
  const int first = POINTS < EACH ? POINTS : EACH;

#ifdef TOGETHER
  local real2 inside[INSIDE];
#pragma unroll
  for (int round = 1; round < ROUNDS; ++round) {
    const int done = 1 << LOG2_EACH * round, R = POINTS / done < EACH ? POINTS / done : EACH;
    for (int i = lid; i < FACTORS(R) * done; i += ITEMS * COUNT) {
      int k = BEGIN_OF(round) + i;
      inside[k] = root(power_of(i / done) * (i % done), done * R);
      TRACE_STORE(inside, k, inside[k]);
    }
  }
#ifdef AFTER
  local real2 between[BETWEEN];
#endif
#endif
#ifdef AHEAD
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();
  for (int tile = group; tile < n / (POINTS * COUNT); tile += get_num_groups(0)) {
#else
  const int tile = group;
#endif
  int b = tile * COUNT + c;

  // Registers q = 0 … EACH−1 get points t + q·ITEMS. For transforms of R of them, place() says in which order.
#pragma unroll
  for (int q = 0; q < EACH; ++q) {
    int k = t + ITEMS * q, to = place(q, first);
    int from = FROM == ROWS ? b * POINTS + k : FROM == TILES ? (tile * POINTS + k) * COUNT + c : b + k * (n / POINTS);
#ifdef AHEAD
    int place_in_s = k * COUNT + c + (k < EARLY ? EXCHANGED : -EARLY * COUNT);
    s[place_in_s] = x[from];
    TRACE_MOVE(s, place_in_s, x, from, s[place_in_s]);
    v[to] = s[place_in_s];
    TRACE_MOVE(v, to, s, place_in_s, v[to]);
#else
    v[to] = x[from];
    TRACE_MOVE(v, to, x, from, v[to]);
#endif
  }
#ifdef AHEAD
  barrier(CLK_LOCAL_MEM_FENCE);
  TRACE_BARRIER();
#endif
#ifdef TOGETHER
#ifdef AFTER
  for (int i = lid; i < BETWEEN; i += ITEMS * COUNT) {
    between[i] = root(power_of(i / COUNT) * ITEMS * (tile * COUNT + i % COUNT), n);
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
    real2 w = root_of(q, j * t, j * ITEMS, P * POINTS, &before), a = v[to];
    v[to] = multiply(w, a);
    TRACE_SCALE(v, to, a, w);
  }
#endif

#pragma unroll
  for (int round = 0; round < ROUNDS; ++round) {
    const int done = 1 << LOG2_EACH * round;                           // points of the transforms so far
    const int R = POINTS / done < EACH ? POINTS / done : EACH;         // this round's radix …
    const int apart = EACH / R;                                        // … and its transforms an item
    if (round > 0) {
      TRACE_STAGE(6 * round + 1);
#ifndef TOGETHER
      Factors within[EACH];
#pragma unroll
      for (int i = 0; i < apart; ++i) within[i].near[0] = (real2)(1, 0);
#endif
#pragma unroll
      for (int q = apart; q < EACH; ++q) {
        int i = q % apart, j = (t + ITEMS * i) % done, to = i + apart * place(q / apart, R);
#ifdef TOGETHER
        int own = BEGIN_OF(round) + j;
        real2 w = product(q / apart, inside + own, done), a = v[to];
        if (q / apart % NEAR) TRACE_LOAD(inside, own + near_of(q / apart, done), inside[own + near_of(q / apart, done)]);
        if (q / apart >= NEAR) TRACE_LOAD(inside, own + far_of(q / apart, done), inside[own + far_of(q / apart, done)]);
#else
        real2 w = root_of(q / apart, 0, j, done * R, &within[i]), a = v[to];
#endif
        v[to] = multiply(w, a);
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

    // To the items that need them next. After the last exchange the items of a line are neighbours if its bins become a row.
    if (round + 1 < ROUNDS) {
      const int next = POINTS / done / R < EACH ? POINTS / done / R : EACH, between = EACH / next;
      TRACE_STAGE(6 * round + 6);
      if (round > 0) {
        barrier(CLK_LOCAL_MEM_FENCE);
        TRACE_BARRIER();
      }
#pragma unroll
      for (int q = 0; q < EACH; ++q) {
        int g = t + ITEMS * (q % apart), j = g % done, e = (g - j) * R + j + q / apart * done;
        s[at(e, c)] = v[q];
        TRACE_MOVE(s, at(e, c), v, q, v[q]);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      TRACE_BARRIER();
      if (round + 2 == ROUNDS && TO == ROWS && FROM != ROWS && !SPREAD) {
        c = lid / ITEMS;
        t = lid % ITEMS;
        b = tile * COUNT + c;
      }
#pragma unroll
      for (int q = 0; q < EACH; ++q) {
        int to = q % between + between * place(q / between, next);
        v[to] = s[at(t + ITEMS * q, c)];
        TRACE_MOVE(v, to, s, at(t + ITEMS * q, c), v[to]);
      }
    }
#ifdef AHEAD
    if (round + 2 == ROUNDS || ROUNDS == 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      TRACE_BARRIER();
    }
#endif
  }

#ifdef AFTER
  TRACE_STAGE(6 * ROUNDS + 1);
#ifdef TOGETHER
  real2 own = root(b * t, n);
#ifndef AHEAD
  if (ROUNDS == 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
  }
#endif
#else
  Factors after;
#endif
#pragma unroll
  for (int q = 0; q < EACH; ++q) {
#ifdef TOGETHER
    real2 w = q == 0 ? own : multiply(own, product(q, between + c, COUNT)), a = v[q];
    if (q % NEAR) TRACE_LOAD(between, c + near_of(q, COUNT), between[c + near_of(q, COUNT)]);
    if (q >= NEAR) TRACE_LOAD(between, c + far_of(q, COUNT), between[c + far_of(q, COUNT)]);
#else
    real2 w = root_of(q, b * t, b * ITEMS, n, &after), a = v[q];
#endif
    v[q] = multiply(w, a);
    TRACE_SCALE(v, q, a, w);
  }
#endif

  TRACE_STAGE(6 * ROUNDS + 2);
  if (SPREAD) {
    if (ROUNDS > 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      TRACE_BARRIER();
    }
#pragma unroll
    for (int q = 0; q < EACH; ++q) {
      int e = at(t + ITEMS * q, c);
      s[e] = v[q];
      TRACE_MOVE(s, e, v, q, v[q]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TRACE_BARRIER();
#pragma unroll
    for (int q = 0; q < EACH; ++q) {
      int i = lid + ITEMS * COUNT * q, from = at(i % POINTS, i / POINTS);
      real2 a = s[from];
      y[tile * (POINTS * COUNT) + i] = a;
      TRACE_MOVE(y, tile * (POINTS * COUNT) + i, s, from, a);
    }
  } else {
#pragma unroll
    for (int q = 0; q < EACH; ++q) {
      int f = t + ITEMS * q, j = b & (P - 1);
      int to = TO == ROWS ? b * POINTS + f : TO == TILES ? (f / TILE * (n / POINTS) + b) * TILE + f % TILE : (b - j) * POINTS + j + f * P;
      y[to] = v[q];
      TRACE_MOVE(y, to, v, q, v[q]);
    }
  }
#ifdef AHEAD
  }
#endif
}
