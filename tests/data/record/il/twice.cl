// What twice.bc (SPIR 1.2) and twice.spv (SPIR-V 1.0) are made of.
kernel void twice(global float *x, float v) { x[get_global_id(0)] *= v; }
