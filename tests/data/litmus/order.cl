// Values handed from group to group: what orders them and what does not. Kernels named right_… are, kernels named wrong_… are not.
#define ARGUMENTS volatile global int *flags, global int *box, global int *out, int at
#define C11_ARGUMENTS volatile global atomic_int *flags, global int *box, global int *out, int at
#define WRITER if (get_group_id(0) == 0 && get_local_id(0) == 0)
#define READER if (get_group_id(0) == 1 && get_local_id(0) == 0)

kernel void right_release_acquire(C11_ARGUMENTS)
{
  WRITER {
    box[at] = 7;
    atomic_store_explicit(&flags[at], 1, memory_order_release, memory_scope_device);
  }
  READER {
    while (atomic_load_explicit(&flags[at], memory_order_acquire, memory_scope_device) == 0);
    out[at] = box[at];
  }
}

kernel void wrong_relaxed_reader(C11_ARGUMENTS)
{
  WRITER {
    box[at] = 7;
    atomic_store_explicit(&flags[at], 1, memory_order_release, memory_scope_device);
  }
  READER {
    while (atomic_load_explicit(&flags[at], memory_order_relaxed, memory_scope_device) == 0);
    out[at] = box[at];
  }
}

kernel void wrong_relaxed_writer(C11_ARGUMENTS)
{
  WRITER {
    box[at] = 7;
    atomic_store_explicit(&flags[at], 1, memory_order_relaxed, memory_scope_device);
  }
  READER {
    while (atomic_load_explicit(&flags[at], memory_order_acquire, memory_scope_device) == 0);
    out[at] = box[at];
  }
}

kernel void wrong_scope(C11_ARGUMENTS)
{
  WRITER {
    box[at] = 7;
    atomic_store_explicit(&flags[at], 1, memory_order_release, memory_scope_work_group);
  }
  READER {
    while (atomic_load_explicit(&flags[at], memory_order_acquire, memory_scope_work_group) == 0);
    out[at] = box[at];
  }
}

kernel void right_sequential(C11_ARGUMENTS)
{
  WRITER {
    box[at] = 7;
    atomic_store(&flags[at], 1);
  }
  READER {
    while (atomic_load(&flags[at]) == 0);
    out[at] = box[at];
  }
}

kernel void right_fences(C11_ARGUMENTS)
{
  WRITER {
    box[at] = 7;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    atomic_store_explicit(&flags[at], 1, memory_order_relaxed, memory_scope_device);
  }
  READER {
    while (atomic_load_explicit(&flags[at], memory_order_relaxed, memory_scope_device) == 0);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    out[at] = box[at];
  }
}

kernel void wrong_fence_of_the_group(C11_ARGUMENTS)
{
  WRITER {
    box[at] = 7;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
    atomic_store_explicit(&flags[at], 1, memory_order_relaxed, memory_scope_device);
  }
  READER {
    while (atomic_load_explicit(&flags[at], memory_order_relaxed, memory_scope_device) == 0);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    out[at] = box[at];
  }
}

kernel void wrong_fence_of_local_memory(C11_ARGUMENTS)
{
  WRITER {
    box[at] = 7;
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_device);
    atomic_store_explicit(&flags[at], 1, memory_order_relaxed, memory_scope_device);
  }
  READER {
    while (atomic_load_explicit(&flags[at], memory_order_relaxed, memory_scope_device) == 0);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    out[at] = box[at];
  }
}

kernel void right_of_old(ARGUMENTS)
{
  WRITER {
    box[at] = 7;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&flags[at], 1);
  }
  READER {
    while (atomic_or(&flags[at], 0) == 0);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    out[at] = box[at];
  }
}

kernel void wrong_of_old(ARGUMENTS)
{
  WRITER {
    box[at] = 7;
    atomic_xchg(&flags[at], 1);
  }
  READER {
    while (atomic_or(&flags[at], 0) == 0);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    out[at] = box[at];
  }
}

kernel void right_volatile(ARGUMENTS)
{
  WRITER {
    box[at] = 7;
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    flags[at] = 1;
  }
  READER {
    while (flags[at] == 0);
    read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    out[at] = box[at];
  }
}

kernel void wrong_plain_flag(global int *flags, global int *box, global int *out, int at)
{
  WRITER {
    box[at] = 7;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    flags[at] = 1;
  }
  READER {
    if (flags[at]) {
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      out[at] = box[at];
    }
  }
}

// Each group waits for the one before it and hands on: the last reads what the first wrote.
kernel void right_relay(C11_ARGUMENTS)
{
  const int g = get_group_id(0);
  if (get_local_id(0) != 0) return;
  if (g == 0) box[at] = 7;
  else
    while (atomic_load_explicit(&flags[at + g - 1], memory_order_acquire, memory_scope_device) == 0);
  if (g == 3) out[at] = box[at];
  atomic_store_explicit(&flags[at + g], 1, memory_order_release, memory_scope_device);
}

kernel void wrong_relay(C11_ARGUMENTS)
{
  const int g = get_group_id(0);
  if (get_local_id(0) != 0) return;
  if (g == 0) box[at] = 7;
  else
    while (atomic_load_explicit(&flags[at + g - 1], g == 2 ? memory_order_relaxed : memory_order_acquire,
                                memory_scope_device) == 0);
  if (g == 3) out[at] = box[at];
  if (g == 2) atomic_store_explicit(&flags[at + g], 1, memory_order_relaxed, memory_scope_device);
  else atomic_store_explicit(&flags[at + g], 1, memory_order_release, memory_scope_device);
}

kernel void right_last_done(C11_ARGUMENTS)
{
  if (get_local_id(0) != 0) return;
  const int g = get_group_id(0);
  box[at + g] = g;
  if (atomic_fetch_add_explicit(&flags[at], 1, memory_order_acq_rel, memory_scope_device) == 3) {
    int sum = 0;
    for (int i = 0; i < 4; i++) sum += box[at + i];
    out[at] = sum;
  }
}

kernel void wrong_last_done(C11_ARGUMENTS)
{
  if (get_local_id(0) != 0) return;
  const int g = get_group_id(0);
  box[at + g] = g;
  if (atomic_fetch_add_explicit(&flags[at], 1, memory_order_relaxed, memory_scope_device) == 3) {
    int sum = 0;
    for (int i = 0; i < 4; i++) sum += box[at + i];
    out[at] = sum;
  }
}

kernel void right_lock(ARGUMENTS)
{
  if (get_local_id(0) != 0) return;
  while (atomic_cmpxchg(&flags[at], 0, 1) != 0);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  box[at] += 2;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(&flags[at], 0);
}

kernel void wrong_lock(ARGUMENTS)
{
  if (get_local_id(0) != 0) return;
  while (atomic_cmpxchg(&flags[at], 0, 1) != 0);
  box[at] += 2;
  atomic_xchg(&flags[at], 0);
}
