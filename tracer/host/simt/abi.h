// What the host executor and a kernel compiled for it agree on: plain data and function pointers. Both sides include
// this file, and the version below is part of the name under which a compiled kernel is kept.
#pragma once

namespace twiddle_host {

inline constexpr unsigned abi_version = 7;

using Address = __UINTPTR_TYPE__;

/// Every work-item runs on a stack of this size, aligned to its size, with its Item at the very top: so that kernel code
/// finds the item it is running for from the stack pointer alone.
inline constexpr Address stack_bytes = Address(256) * 1024;

inline constexpr unsigned warp_size = 32;

/// Memory that kernel code may touch: [first, first + bytes).
struct Range {
  Address first, bytes;
};

/// An array as `height` rows of `pitch` elements, of which boxes are copied.
struct Boxes {
  const void* first;
  unsigned long long pitch, height;
  unsigned columns, rows;
};

/// What the lanes of a warp do together, each handing in a value.
enum class WarpOperation : unsigned {
  Sync,
  Shuffle,
  Ballot,
  MatchAny,
  Add,
  Min,
  Max,
  SignedMin,
  SignedMax,
  And,
  Or,
  Xor,
  Active  // which lanes have come to this line together; orders nothing
};

/// What the items of a group do together at a barrier, each handing in a predicate. Copies: wait for asynchronous ones, which is no
/// barrier of the program's.
enum class BarrierOperation : unsigned { Sync, Count, And, Or, Copies };

/// How kernel code touches memory. Volatile accesses are relaxed atomic ones, as in PTX.
enum class Touch : unsigned { Read = 0, Write = 1, VolatileRead = 2, VolatileWrite = 3 };

/// Whom an atomic operation or a fence is for.
enum class Reach : unsigned { Block, Device, System };

/// C++'s memory orders, as far as CUDA has them.
enum class Order : unsigned { Relaxed, Acquire, Release, AcquireRelease, Sequential };

/// An atomic operation that has happened.
struct AtomicAccess {
  Address address, bytes;
  unsigned long long before, after;  // after: only where it wrote
  bool wrote;
  Order order;
  Reach reach;
  const void* pc;
  bool read = true;  // false: a store, which has no use for what was there
};

struct Item;
struct PrivateArray;

/// Why kernel code stops itself; the executor has the words. IndexOutside comes with an index and the array's type,
/// AssertionFailed with its condition.
enum class StopReason : unsigned { DividesByZero, IndexOutside, AssertionFailed, Trap };

/// What kernel code asks of the executor. `line` is the user's own, `pc` an address in the kernel's code.
struct Services {
  unsigned (*group_barrier)(Item*, BarrierOperation, unsigned predicate, int line);
  void (*grid_barrier)(Item*, int line);
  unsigned long long (*warp)(Item*, WarpOperation, unsigned mask, unsigned long long value, unsigned source, int line);
  void (*bad_access)(Item*, Address address, Address bytes, Touch how, const void* pc);  // does not return
  void (*stopped)(Item*, StopReason why, long long index, const char* text, int line);   // does not return
  void (*waiting)(Item*, Address address, const void* pc);  // the same element over and over: lets the others go on
  int (*print)(Item*, const char* format, __builtin_va_list);
  // Only of items that are logged. An access is told of before it happens, an atomic operation afterwards; before that one
  // happens, `settle` looks at what the item's latest store left.
  void (*accessed)(Item*, Address address, Address bytes, Touch how, const void* pc);
  void (*settle)(Item*);
  void (*atomic)(Item*, const AtomicAccess& what);
  void (*fence)(Item*, Order order, Reach reach, int line);
  void (*copied)(Item*, Address to, Address from, Address bytes, int line);  // asynchronously; from 0: zeros
  void (*array_begins)(Item*, const PrivateArray* array, Address address);
  void (*array_ends)(Item*, Address address);                                                // of none: nothing
  void (*array_accessed)(Item*, Address address, Address bytes, Touch how, const void* pc);  // or what is beside it
};

/// What the items of a group share.
struct Group {
  const Range* ranges;  // all that may be touched, but an item's own stack
  unsigned range_count;
  unsigned long long writes;  // that its items made, in any memory: while there are none, waiting items wait in vain
  unsigned recent;            // the range of the last access: most accesses are near the one before
  char* shared;               // the kernel's own shared variables, at their offsets
  char* dynamic_shared;       // extern __shared__
  unsigned block[3], block_dim[3], grid_dim[3];
  bool cooperative;
};

/// The work-item that runs on this stack.
struct Item {
  const Services* services;
  Group* group;
  unsigned thread[3];
  unsigned rank;      // in the group: (z · height + y) · width + x
  Address last_read;  // and how often it was read without another access in between
  unsigned repeats;
  bool logged;      // its accesses are wanted
  unsigned arrays;  // that were announced and have not ended; only while it is logged
  void* record;     // the executor's own
};

struct Parameter {
  unsigned bytes;          // of the argument itself
  unsigned element_bytes;  // of what a pointer points to; 0: no pointer
};

/// A __global__ function, put into its module's list when the module is loaded.
struct Kernel {
  const char* name;
  void (*invoke)(void* const* arguments);  // the addresses of the arguments' values
  unsigned parameter_count;
  const Parameter* parameters;
  const char* parameter_names;  // "F,n,span"
  Kernel* next;
};

/// What the elements of a variable are.
enum class Scalar : unsigned {
  Other,
  Int,
  UInt,
  Float,
  Double,
  Int2,
  UInt2,
  Float2,
  Double2,
  Char,
  UChar,
  Short,
  UShort,
  Long,
  ULong
};

/// A __constant__ or __device__ variable at file scope.
struct Variable {
  const char* name;
  Address address, bytes, element_bytes;
  Scalar elements;
  bool constant;
  void* first;  // a copy of what it held when the module was loaded; null where no kernel may write it
  Variable* next;
};

/// A __shared__ variable: where each group's own copy is in the group's shared memory.
struct SharedVariable {
  const char* name;
  const char* kernel;  // that declares it; null for a function that any kernel may call
  Address bytes, element_bytes;
  Address offset;  // 0 for dynamic ones, which start where Group::dynamic_shared says; else set by the executor
  bool dynamic;
  Scalar elements;
  SharedVariable* next;
};

/// An array of its own that a function declares for each item, without a value: what is read before it is written is looked for.
struct PrivateArray {
  const char* name;
  const char* kernel;  // that declares it; null for a function that any kernel may call
  Address bytes, element_bytes;
  Scalar elements;
  unsigned number;  // in the module, set by the executor
  PrivateArray* next;
};

/// Between two shared variables, so that a small step outside one does not land in the next.
inline constexpr Address shared_gap = 64;

struct Module {
  unsigned version;
  bool running;  // false while the module is being loaded: then accesses are not checked
  Kernel* kernels;
  SharedVariable* shared;
  Variable* variables;
  PrivateArray* arrays;
  bool arrays_unseen;      // there are some that the compiler does not let be announced
  bool structures_unseen;  // there are structures with arrays, which are not announced
};

}  // namespace twiddle_host
