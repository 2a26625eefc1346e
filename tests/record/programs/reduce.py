# An OpenCL program that knows no recorder: scales an array and sums it, and prints what came out.
import numpy as np
import pyopencl as cl

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
program = cl.Program(context, """
kernel void saxpy(float a, global const float *x, global float *y) { int i = get_global_id(0); y[i] += a * x[i]; }
kernel void total(global const float *y, global float *out, int n) { float s = 0; for (int i = 0; i < n; i++) s += y[i]; out[0] = s; }
""").build()
n = 32
x, y, out = np.arange(n, dtype=np.float32) / 7, np.ones(n, np.float32), np.zeros(1, np.float32)
flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
xs, ys, outs = (cl.Buffer(context, flags, hostbuf=a) for a in (x, y, out))
program.saxpy(queue, (n,), None, np.float32(1.5), xs, ys)
program.total(queue, (1,), None, ys, outs, np.int32(n))
cl.enqueue_copy(queue, out, outs)
print(out.tobytes().hex())
