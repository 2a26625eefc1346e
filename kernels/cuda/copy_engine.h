// The copy engine that GPUs have since Hopper: it brings pieces of an array to shared memory while the threads work at something else.
//
// The host executor has functions of its own under these names: tracer/host/simt/copy_engine.h.
#pragma once

#if TWIDDLE_HOST
#include <copy_engine.h>
#elif __CUDA_ARCH__ >= 900

// An array as the engine is told of it (CUtensorMap): rows, to be copied in boxes of some columns and rows.
struct __align__(64) Boxes {
  unsigned long long words[16];
};

// What the engine reports to: so many copies asked for, and bytes that have come.
typedef unsigned long long Arrival;

__device__ __forceinline__ unsigned in_shared(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ __forceinline__ void expect_copies(Arrival *arrival, int copies)
{
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1; fence.mbarrier_init.release.cluster;" ::"r"(in_shared(arrival)), "r"(copies) : "memory");
}

// Says how many bytes the next copy has. What threads wrote where it goes must have been left to the engine before.
__device__ __forceinline__ void expect_bytes(Arrival *arrival, int bytes)
{
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(in_shared(arrival)), "r"(bytes) : "memory");
}
__device__ __forceinline__ void leave_to_engine() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// Waits until all copies of a phase have come: 0, 1, 0, 1 …
__device__ __forceinline__ void await_copies(Arrival *arrival, int phase)
{
  int done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(in_shared(arrival)), "r"(phase) : "memory");
}

// Elements in a row, and a box at some column and row. Elements are of 8 or 16 bytes.
template <class T> __device__ __forceinline__ void copy_run(T *to, const T *from, int count, Arrival *arrival)
{
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"(in_shared(to)), "l"(from), "r"(count * static_cast<int>(sizeof(T))), "r"(in_shared(arrival)) : "memory");
}
template <class T> __device__ __forceinline__ void copy_box(T *to, const Boxes &boxes, int column, int row, Arrival *arrival)
{
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               ::"r"(in_shared(to)), "l"(&boxes), "r"(column * static_cast<int>(sizeof(T) / 8)), "r"(row), "r"(in_shared(arrival)) : "memory");
}
#endif
