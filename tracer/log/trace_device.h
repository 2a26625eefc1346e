// The one device header of Twiddle, for OpenCL C, CUDA C++ and the host executor. A kernel includes it, ends its
// parameter list with TRACE_PARAMS, and says in one line what a work-item just did:
//
//     kernel void fft_stage(global float2 *F, int span TRACE_PARAMS)
//     {
//       …
//       F[i0] = a + t;
//       F[i1] = a - t;
//       TRACE_BUTTERFLY(F, i0, i1, w, a, b);   // after the writes: the outputs are read back from F
//     }
//
// Inputs are handed in as they were really read; outputs are read back from the buffer, so what is logged is what is
// there. Without TWIDDLE_TRACE everything here expands to nothing.
//
//     TRACE_BUTTERFLY(F, i0, i1, w, a, b)                     F[i0], F[i1] ← a + w·b, a − w·b, in place
//     TRACE_BUTTERFLY_TO(G, o0, o1, F, i0, i1, w, a, b)       read from F, written to G
//     TRACE_BUTTERFLY4(F, i0, i1, i2, i3, w1, w2, w3, a, b, c, d)
//     TRACE_BUTTERFLY4_TO(G, o0, o1, o2, o3, F, i0, i1, i2, i3, w1, w2, w3, a, b, c, d)
//     TRACE_PACK(G, o0, o1, F, i0, i1, w, a, b)               real packing: the pair (k, N/2 − k)
//     TRACE_TERM(G, o, F, i, w, x, acc)                       G[o] gathers acc + w·x, one term of a sum
//     TRACE_COMBINE(G, o, F, i0, i1, a, b)                    G[o] ← a + b
//     TRACE_SWAP(F, i, j, a, b)                               F[i], F[j] were a, b and change places
//     TRACE_MOVE(G, o, F, i, x)                               G[o] ← x = F[i] (permute, transpose, global ↔ local)
//     TRACE_SCALE(F, i, x, s)                                 F[i] ← s·x, in place
//     TRACE_SCALE_TO(G, o, F, i, x, s)
//     TRACE_ATOMIC(F, i, before, operand)                     F[i] ← before + operand, atomically
//     TRACE_LOAD(F, i, x)   TRACE_STORE(F, i, x)              a bare read, a bare write of x
//     TRACE_BARRIER()                                         after a barrier: a new epoch begins
//     TRACE_STAGE(s)                                          what follows belongs to stage s (1 … 254)
//
// Of an array of real numbers a line with complex values means two neighbours each: element i is F[2i] and F[2i + 1].
//
// An index read may be TRACE_OF_ITEM(l, i): of an array that each item has for itself, element i < 65536 of item l < 16384
// of the group, for what a shuffle brought.
//
// The log (all in 32-bit words; tracer/device_log.h is the host's twin of this layout):
//
//     [0] budget: slots per item   [1] first item   [2] items in the window   [3] pitch: a column's length, 32 at a time
//     [4] words per slot           [5] stages kept: low | high << 16           [6] items kept: first   [7] items kept: last
//     [8] the launch's own stage   [9] words that an operation needed and [4] did not give it; written by the device
//     [10 … 63] reserved           [64 … 1087] a bit for each source line whose operations are kept (32,768 lines)
//     then attempts[pitch]: how many operations an item tried to log, written only when one found no room,
//     then slot 0, slot 1, …; a slot is a header column and columns of pairs of words: indices, coefficients, values.
//
// The k-th operation of an item goes to slot k, at the item's place in every column: neighbours write neighbouring
// addresses and no atomics are needed. The header word is line (15 bits) | stage (8) | coefficient type (2) | value type (3) |
// shape (4), lowest bits last; zero means "nothing here". Stage 0 stands for the launch's own stage.
#ifndef TWIDDLE_TRACE_DEVICE_H
#define TWIDDLE_TRACE_DEVICE_H

#ifndef TWIDDLE_TRACE

#define TRACE_PARAMS
#define TRACE_BUTTERFLY(F, i0, i1, w, a, b)
#define TRACE_BUTTERFLY_TO(G, o0, o1, F, i0, i1, w, a, b)
#define TRACE_BUTTERFLY4(F, i0, i1, i2, i3, w1, w2, w3, a, b, c, d)
#define TRACE_BUTTERFLY4_TO(G, o0, o1, o2, o3, F, i0, i1, i2, i3, w1, w2, w3, a, b, c, d)
#define TRACE_PACK(G, o0, o1, F, i0, i1, w, a, b)
#define TRACE_TERM(G, o, F, i, w, x, acc)
#define TRACE_COMBINE(G, o, F, i0, i1, a, b)
#define TRACE_SWAP(F, i, j, a, b)
#define TRACE_MOVE(G, o, F, i, x)
#define TRACE_SCALE(F, i, x, s)
#define TRACE_SCALE_TO(G, o, F, i, x, s)
#define TRACE_ATOMIC(F, i, before, operand)
#define TRACE_LOAD(F, i, x)
#define TRACE_STORE(F, i, x)
#define TRACE_BARRIER()
#define TRACE_STAGE(s)

#else

// ---- The few words in which the languages differ ----

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#define TRACE_OPENCL 1
#endif

#ifdef TRACE_OPENCL
#define TRACE_FUNCTION static inline __attribute__((overloadable))
#define TRACE_GLOBAL __global
#define TRACE_UINT2(x, y) ((uint2)(x, y))
#define TRACE_BITS(x) as_uint(x)
#define TRACE_BITS2(x) as_uint2(x)
#define TRACE_BITS4(x) as_uint4(x)
typedef uint trace_uint;
typedef uint2 trace_uint2;
typedef uint4 trace_uint4;
#ifdef cl_khr_fp64
#define TRACE_DOUBLE 1
#endif
#else
#define TRACE_FUNCTION static __device__ __forceinline__
#define TRACE_GLOBAL
#define TRACE_UINT2(x, y) make_uint2(x, y)
#define TRACE_DOUBLE 1
typedef unsigned int trace_uint;
typedef uint2 trace_uint2;
typedef uint4 trace_uint4;
TRACE_FUNCTION trace_uint trace_bits(int x) { return (trace_uint)x; }
TRACE_FUNCTION trace_uint trace_bits(unsigned x) { return x; }
TRACE_FUNCTION trace_uint trace_bits(float x) { return __float_as_uint(x); }
TRACE_FUNCTION trace_uint2 trace_bits2(int2 x) { return make_uint2((trace_uint)x.x, (trace_uint)x.y); }
TRACE_FUNCTION trace_uint2 trace_bits2(uint2 x) { return x; }
TRACE_FUNCTION trace_uint2 trace_bits2(float2 x) { return make_uint2(trace_bits(x.x), trace_bits(x.y)); }
TRACE_FUNCTION trace_uint2 trace_bits2(double x)
{
  unsigned long long bits = (unsigned long long)__double_as_longlong(x);
  return make_uint2((trace_uint)bits, (trace_uint)(bits >> 32));
}
TRACE_FUNCTION trace_uint4 trace_bits4(double2 x)
{
  trace_uint2 re = trace_bits2(x.x), im = trace_bits2(x.y);
  return make_uint4(re.x, re.y, im.x, im.y);
}
#define TRACE_BITS(x) trace_bits(x)
#define TRACE_BITS2(x) trace_bits2(x)
#define TRACE_BITS4(x) trace_bits4(x)
#endif

typedef TRACE_GLOBAL trace_uint *trace_log_t;

#define TRACE_PARAMS , trace_log_t trace_log, trace_uint trace_count, trace_uint trace_stage

// ---- Which work-item this is: groups in order, items of a group in order ----

#ifdef TRACE_OPENCL
#if TRACE_DIMENSIONS == 1
#define TRACE_ITEM() ((trace_uint)get_global_id(0))
#else
TRACE_FUNCTION trace_uint trace_item(void)
{
  trace_uint group = (trace_uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0));
  trace_uint local_ = (trace_uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
  return group * (trace_uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)) + local_;
}
#define TRACE_ITEM() trace_item()
#endif
#else
TRACE_FUNCTION trace_uint trace_item()
{
  trace_uint group = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  trace_uint local_ = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  return group * (blockDim.x * blockDim.y * blockDim.z) + local_;
}
#define TRACE_ITEM() trace_item()
#endif

// ---- Types of the values: the compiler's overloads tell them apart ----

// Value types are numbered like the host's ElementType.
#define TRACE_TYPE(T, number)                                                          \
  TRACE_FUNCTION trace_uint trace_type(T x) { (void)x; return number; }
TRACE_TYPE(int, 0u)
TRACE_TYPE(trace_uint, 1u)
TRACE_TYPE(float, 2u)
TRACE_TYPE(int2, 4u)
TRACE_TYPE(trace_uint2, 5u)
TRACE_TYPE(float2, 6u)
#ifdef TRACE_DOUBLE
TRACE_TYPE(double, 3u)
TRACE_TYPE(double2, 7u)
#endif
#undef TRACE_TYPE

// Where the next column of this operation starts, and the item's place in it.
typedef struct {
  trace_log_t column;
  trace_uint pitch;
  trace_uint lane;
  trace_uint odd;   // 1: the first word of this column's pair is taken
} trace_cursor;

// A slot is a header column and columns of pairs of words: 8 bytes an item, so that the items of a slot stay out of each other's
// way no matter what each logs, and stores are as wide as most values. Single words fill a pair one after the other; `odd`
// is known to the compiler.
#define TRACE_PUT1(T)                                                            \
  TRACE_FUNCTION trace_cursor trace_put(trace_cursor at, T x)                    \
  {                                                                              \
    at.column[2 * at.lane + at.odd] = TRACE_BITS(x);                            \
    at.column += at.odd ? 2 * at.pitch : 0u;                                    \
    at.odd ^= 1u;                                                               \
    return at;                                                                   \
  }
#define TRACE_PUT2(T)                                                            \
  TRACE_FUNCTION trace_cursor trace_put(trace_cursor at, T x)                    \
  {                                                                              \
    return trace_put_pair(at, TRACE_BITS2(x));                                   \
  }
#define TRACE_PUT4(T)                                                            \
  TRACE_FUNCTION trace_cursor trace_put(trace_cursor at, T x)                    \
  {                                                                              \
    trace_uint4 bits = TRACE_BITS4(x);                                           \
    at = trace_put_pair(at, TRACE_UINT2(bits.x, bits.y));                        \
    return trace_put_pair(at, TRACE_UINT2(bits.z, bits.w));                      \
  }
TRACE_FUNCTION trace_cursor trace_put_pair(trace_cursor at, trace_uint2 bits)
{
  at.column += at.odd ? 2 * at.pitch : 0u;
  at.odd = 0u;
  ((TRACE_GLOBAL trace_uint2 *)at.column)[at.lane] = bits;
  at.column += 2 * at.pitch;
  return at;
}
TRACE_PUT1(int)
TRACE_PUT1(trace_uint)
TRACE_PUT1(float)
TRACE_PUT2(int2)
TRACE_PUT2(trace_uint2)
TRACE_PUT2(float2)
#ifdef TRACE_DOUBLE
TRACE_PUT2(double)
TRACE_PUT4(double2)
#endif
#undef TRACE_PUT1
#undef TRACE_PUT2
#undef TRACE_PUT4

// Claims the next slot for an operation of so many words: false when it is not of this window, or when there is no room
// (then the attempt is counted).
TRACE_FUNCTION bool trace_slot(trace_log_t log, trace_uint k, trace_uint words, trace_uint header, trace_cursor *at)
{
  trace_uint lane = TRACE_ITEM() - log[1];
  if (lane >= log[2]) return false;
  trace_uint pitch = log[3];
  if (k >= log[0] || words > log[4]) {
    log[1088 + lane] = k + 1;
    if (words > log[4]) log[9] = words;
    return false;
  }
  trace_log_t slot = log + 1088 + pitch + k * log[4] * pitch;
  slot[lane] = header;
  at->column = slot + pitch;
  at->pitch = pitch;
  at->lane = lane;
  at->odd = 0u;
  return true;
}

#ifdef TRACE_FILTER
TRACE_FUNCTION bool trace_wanted_item(trace_log_t log)
{
  trace_uint item = TRACE_ITEM();
  return item >= log[6] && item <= log[7];
}
TRACE_FUNCTION bool trace_wanted(trace_log_t log, trace_uint line, trace_uint stage)
{
  trace_uint own = stage ? stage : log[8];
  return own >= (log[5] & 0xffffu) && own <= (log[5] >> 16) && trace_wanted_item(log) &&
         ((log[64 + ((line & 32767u) >> 5)] >> (line & 31u)) & 1u);
}
#else
#define trace_wanted_item(log) true
#define trace_wanted(log, line, stage) true
#endif

// Vectors as coefficients of values of another type have no number in a header: such an operation gets no shape, and is
// counted as lost.
#define TRACE_HEADER(shape, vtype, ctype)                                                                           \
  (((trace_uint)__LINE__ << 17) | (trace_stage << 9) | (trace_coefficient_type(vtype, ctype) << 7) | ((vtype) << 4) | \
   ((vtype) == (ctype) || (ctype) < 4u ? (shape) : 0u))

// A coefficient has the values' type, or is float (1), uint (2) or double (3).
TRACE_FUNCTION trace_uint trace_coefficient_type(trace_uint value, trace_uint coefficient)
{
  return value == coefficient ? 0u : coefficient == 2u ? 1u : coefficient == 3u ? 3u : 2u;
}

// Words an item needs for an operation: its header, then indices, coefficients as wide as c, and values as wide as x or y,
// the wider of the two, in pairs.
#define TRACE_WORDS(x) ((trace_uint)((sizeof(x) + 3) / 4))
#define TRACE_WIDER(x, y) (sizeof(x) > sizeof(y) ? TRACE_WORDS(x) : TRACE_WORDS(y))
#define TRACE_EVEN(words) (((words) + 1u) & ~1u)
#define TRACE_AFTER(words, count, size) ((count) == 0u ? (words) : ((size) == 1u ? (words) : TRACE_EVEN(words)) + (count) * (size))
#if TRACE_VALUES
#define TRACE_SLOT_WORDS(indices, coefficients, c, values, x, y)                                                        \
  (1u + TRACE_EVEN(TRACE_AFTER(TRACE_AFTER((indices), (coefficients), TRACE_WORDS(c)), (values), TRACE_WIDER(x, y))))
#else
#define TRACE_SLOT_WORDS(indices, coefficients, c, values, x, y) \
  (1u + TRACE_EVEN(TRACE_AFTER((indices), (coefficients), TRACE_WORDS(c))))
#endif

#define TRACE_BEGIN(shape, words, x, c) TRACE_BEGIN_IF(trace_wanted(trace_log, __LINE__, trace_stage), shape, words, x, c)
#define TRACE_BEGIN_IF(wanted, shape, words, x, c)                                                             \
  do {                                                                                                         \
    trace_cursor trace_at;                                                                                     \
    if (wanted) {                                                                                              \
      if (trace_slot(trace_log, trace_count, words,                                                            \
                     TRACE_HEADER(shape, trace_type(x), trace_type(c)), \
                     &trace_at)) {
#define TRACE_END    \
      }              \
      ++trace_count; \
    }                \
  } while (0)

#define TRACE_INDEX1(i) trace_at = trace_put(trace_at, (trace_uint)(i))
#define TRACE_INDEX2(i, j) trace_at = trace_put(trace_at, TRACE_UINT2((trace_uint)(i), (trace_uint)(j)))
#define TRACE_COEFFICIENT(c) trace_at = trace_put(trace_at, c)
#if TRACE_VALUES
#define TRACE_VALUE(x) trace_at = trace_put(trace_at, x)
// An element that was written, read back as what x is: of an array of real numbers a complex one is two beside each other.
#define TRACE_TWO(F, i, x) (trace_type((F)[i]) >= 2u && trace_type((F)[i]) + 4u == trace_type(x))
#define TRACE_OUTPUT(F, i, x)                                                                 \
  TRACE_VALUE((F)[TRACE_TWO(F, i, x) ? 2 * (i) : (i)]);                   \
  if (TRACE_TWO(F, i, x)) TRACE_VALUE((F)[2 * (i) + 1])
#else
#define TRACE_VALUE(x) (void)0
#define TRACE_OUTPUT(F, i, x) (void)0
#endif

// ---- The operations; shapes are numbered as in tracer/operation.h ----

#define TRACE_BUTTERFLY(F, i0, i1, w, a, b)                                                   \
  TRACE_BEGIN(1u, TRACE_SLOT_WORDS(2u, 1u, w, 4u, (F)[i0], a), a, w)                          \
  TRACE_INDEX2(i0, i1); TRACE_COEFFICIENT(w);                                                 \
  TRACE_VALUE(a); TRACE_VALUE(b); TRACE_OUTPUT(F, i0, a); TRACE_OUTPUT(F, i1, a);             \
  TRACE_END

#define TRACE_BUTTERFLY_TO(G, o0, o1, F, i0, i1, w, a, b)                                     \
  TRACE_BEGIN(2u, TRACE_SLOT_WORDS(4u, 1u, w, 4u, (G)[o0], a), a, w)                          \
  TRACE_INDEX2(i0, i1); TRACE_INDEX2(o0, o1); TRACE_COEFFICIENT(w);                           \
  TRACE_VALUE(a); TRACE_VALUE(b); TRACE_OUTPUT(G, o0, a); TRACE_OUTPUT(G, o1, a);             \
  TRACE_END

#define TRACE_BUTTERFLY4(F, i0, i1, i2, i3, w1, w2, w3, a, b, c, d)                           \
  TRACE_BEGIN(3u, TRACE_SLOT_WORDS(4u, 3u, w1, 8u, (F)[i0], a), a, w1)                        \
  TRACE_INDEX2(i0, i1); TRACE_INDEX2(i2, i3);                                                 \
  TRACE_COEFFICIENT(w1); TRACE_COEFFICIENT(w2); TRACE_COEFFICIENT(w3);                        \
  TRACE_VALUE(a); TRACE_VALUE(b); TRACE_VALUE(c); TRACE_VALUE(d);                             \
  TRACE_OUTPUT(F, i0, a); TRACE_OUTPUT(F, i1, a); TRACE_OUTPUT(F, i2, a); TRACE_OUTPUT(F, i3, a); \
  TRACE_END

#define TRACE_BUTTERFLY4_TO(G, o0, o1, o2, o3, F, i0, i1, i2, i3, w1, w2, w3, a, b, c, d)     \
  TRACE_BEGIN(4u, TRACE_SLOT_WORDS(8u, 3u, w1, 8u, (G)[o0], a), a, w1)                        \
  TRACE_INDEX2(i0, i1); TRACE_INDEX2(i2, i3); TRACE_INDEX2(o0, o1); TRACE_INDEX2(o2, o3);     \
  TRACE_COEFFICIENT(w1); TRACE_COEFFICIENT(w2); TRACE_COEFFICIENT(w3);                        \
  TRACE_VALUE(a); TRACE_VALUE(b); TRACE_VALUE(c); TRACE_VALUE(d);                             \
  TRACE_OUTPUT(G, o0, a); TRACE_OUTPUT(G, o1, a); TRACE_OUTPUT(G, o2, a); TRACE_OUTPUT(G, o3, a); \
  TRACE_END

#define TRACE_COMBINE(G, o, F, i0, i1, a, b)                                                  \
  TRACE_BEGIN(5u, TRACE_SLOT_WORDS(3u, 0u, a, 3u, (G)[o], a), a, a)                           \
  TRACE_INDEX2(i0, i1); TRACE_INDEX1(o);                                                      \
  TRACE_VALUE(a); TRACE_VALUE(b); TRACE_OUTPUT(G, o, a);                                      \
  TRACE_END

#define TRACE_SWAP(F, i, j, a, b)                                                             \
  TRACE_BEGIN(6u, TRACE_SLOT_WORDS(2u, 0u, a, 4u, (F)[i], a), a, a)                           \
  TRACE_INDEX2(i, j);                                                                         \
  TRACE_VALUE(a); TRACE_VALUE(b); TRACE_OUTPUT(F, i, a); TRACE_OUTPUT(F, j, a);               \
  TRACE_END

#define TRACE_MOVE(G, o, F, i, x)                                                             \
  TRACE_BEGIN(7u, TRACE_SLOT_WORDS(2u, 0u, x, 2u, (G)[o], x), x, x)                           \
  TRACE_INDEX2(i, o);                                                                         \
  TRACE_VALUE(x); TRACE_OUTPUT(G, o, x);                                                      \
  TRACE_END

#define TRACE_ATOMIC(F, i, before, operand)                                                   \
  TRACE_BEGIN(8u, TRACE_SLOT_WORDS(1u, 1u, operand, 2u, before, (before) + (operand)), before, operand) \
  TRACE_INDEX1(i); TRACE_COEFFICIENT(operand);                                                \
  TRACE_VALUE(before); TRACE_VALUE((before) + (operand));                                     \
  TRACE_END

#define TRACE_SCALE(F, i, x, s)                                                               \
  TRACE_BEGIN(9u, TRACE_SLOT_WORDS(1u, 1u, s, 2u, (F)[i], x), x, s)                           \
  TRACE_INDEX1(i); TRACE_COEFFICIENT(s);                                                      \
  TRACE_VALUE(x); TRACE_OUTPUT(F, i, x);                                                      \
  TRACE_END

#define TRACE_BARRIER() \
  TRACE_BEGIN_IF(trace_wanted_item(trace_log), 10u, 1u, 0u, 0u) (void)trace_at; TRACE_END

#define TRACE_LOAD(F, i, x)                                                                   \
  TRACE_BEGIN(11u, TRACE_SLOT_WORDS(1u, 0u, x, 1u, x, x), x, x) TRACE_INDEX1(i); TRACE_VALUE(x); TRACE_END

#define TRACE_STORE(F, i, x)                                                                  \
  TRACE_BEGIN(12u, TRACE_SLOT_WORDS(1u, 0u, x, 1u, x, x), x, x) TRACE_INDEX1(i); TRACE_VALUE(x); TRACE_END

#define TRACE_PACK(G, o0, o1, F, i0, i1, w, a, b)                                             \
  TRACE_BEGIN(13u, TRACE_SLOT_WORDS(4u, 1u, w, 4u, (G)[o0], a), a, w)                         \
  TRACE_INDEX2(i0, i1); TRACE_INDEX2(o0, o1); TRACE_COEFFICIENT(w);                           \
  TRACE_VALUE(a); TRACE_VALUE(b); TRACE_OUTPUT(G, o0, a); TRACE_OUTPUT(G, o1, a);             \
  TRACE_END

#define TRACE_SCALE_TO(G, o, F, i, x, s)                                                      \
  TRACE_BEGIN(14u, TRACE_SLOT_WORDS(2u, 1u, s, 2u, (G)[o], x), x, s)                          \
  TRACE_INDEX2(i, o); TRACE_COEFFICIENT(s);                                                   \
  TRACE_VALUE(x); TRACE_OUTPUT(G, o, x);                                                      \
  TRACE_END

// A term of a sum that stays in a register: nothing is written until the last one, the running sum is a coefficient.
#define TRACE_TERM(G, o, F, i, w, x, acc)                                                     \
  TRACE_BEGIN(15u, TRACE_SLOT_WORDS(2u, 2u, acc, 1u, x, x), x, acc)                           \
  TRACE_INDEX2(i, o); TRACE_COEFFICIENT(w); TRACE_COEFFICIENT(acc);                           \
  TRACE_VALUE(x);                                                                             \
  TRACE_END

// Marked, so that an index past an item's own array is still one that is outside.
#define TRACE_OF_ITEM(l, i) (0x40000000u + ((trace_uint)(l) << 16) + (trace_uint)(i))

#define TRACE_STAGE(s) (trace_stage = (trace_uint)(s) < 255u ? (trace_uint)(s) : 255u)

#endif  // TWIDDLE_TRACE
#endif  // TWIDDLE_TRACE_DEVICE_H
