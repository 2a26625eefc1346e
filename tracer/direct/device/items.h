// What kernels that are compiled for this processor and the program that runs them know of one another: C, C++ and OpenCL C.
#pragma once

enum { TWIDDLE_DIRECT_ITEMS = 4096 };  // of a group, at most

// Of the launch, the group and the item that runs now. Sizes and numbers by dimension.
struct twiddle_direct_state {
  unsigned long global_id[3], local_id[3], group_id[3];
  unsigned long global_size[3], local_size[3], groups[3];
  unsigned dimensions;
  unsigned linear;                            // the item's number in its group
  void (*barrier)(void);                      // comes back once all items of the group are there
  unsigned long given[TWIDDLE_DIRECT_ITEMS];  // a value of each item, for functions in which a group works together
};
