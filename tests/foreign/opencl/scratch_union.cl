// Normalise rows and count how many of their values are above the mean: one scratch for two lives, floats first, then ints.
typedef union { float real; int whole; } cell_t;
typedef struct { cell_t cells[32]; volatile int votes; } scratch_t;

inline void fold(__local scratch_t* s, uint me, uint half_) {
  for (; half_; half_ >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < half_) s->cells[me].real += s->cells[me + half_].real;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

__attribute__((reqd_work_group_size(32, 1, 1)))
__kernel void above(__global const float* rows, __global int* counts, __global int* where_, uint width) {
  __local scratch_t s;
  const uint me = get_local_id(0);
  __global const float* mine = rows + get_group_id(0) * (size_t)width;
  float sum = 0.f;
  for (uint i = me; i < width; i += 32u) sum += mine[i];
  (&s)->cells[me].real = sum;
  fold(&s, me, 16u);
  const float mean = s.cells[0].real / (float)width;
  barrier(CLK_LOCAL_MEM_FENCE);            // the floats have been read: now they are ints
  if (!me) s.votes = 0;
  int own = 0;
  for (uint i = me; i < width; i += 32u) own += isgreater(mine[i], mean);
  s.cells[me].whole = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (own) atomic_add(&s.votes, own);
  int before = 0;
  for (uint i = 0; i < me; ++i) before += s.cells[i].whole;
  where_[get_global_id(0)] = before;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me == 31u) counts[get_group_id(0)] = s.votes;
}

__kernel void above_plain(__global const float* rows, __global int* counts, uint width) {
  const uint r = get_global_id(0);
  // summed in the order of the other kernel, for the mean is compared
  float part[32];
  for (int i = 0; i < 32; ++i) {
    part[i] = 0.f;
    for (uint c = i; c < width; c += 32u) part[i] += rows[r * width + c];
  }
  for (int half_ = 16; half_; half_ /= 2)
    for (int i = 0; i < half_; ++i) part[i] += part[i + half_];
  int n = 0;
  for (uint c = 0; c < width; ++c) n += rows[r * width + c] > part[0] / (float)width;
  counts[r] = n;
}
