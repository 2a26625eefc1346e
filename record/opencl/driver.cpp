// Every function of OpenCL's that the layer, and what it shares with the program, calls by name: the driver's. Names are hidden,
// so that nothing of the layer goes through the loader, and nothing of the program's comes here.
#include "record/opencl/driver.h"

namespace twiddle::layer {

const cl_icd_dispatch* driver = nullptr;

}  // namespace twiddle::layer

using twiddle::layer::driver;

// The parameters are as the specification orders them.
#define FORWARD(Result, function, parameters, arguments) \
  Result CL_API_CALL function parameters { return driver->function arguments; }

extern "C" {

FORWARD(cl_int, clBuildProgram,
        (cl_program a, cl_uint b, const cl_device_id* c, const char* d, void(CL_CALLBACK* e)(cl_program, void*),
         void* f),
        (a, b, c, d, e, f))
FORWARD(cl_mem, clCreateBuffer, (cl_context a, cl_mem_flags b, size_t c, void* d, cl_int* e), (a, b, c, d, e))
FORWARD(cl_command_queue, clCreateCommandQueue,
        (cl_context a, cl_device_id b, cl_command_queue_properties c, cl_int* d), (a, b, c, d))
FORWARD(cl_kernel, clCreateKernel, (cl_program a, const char* b, cl_int* c), (a, b, c))
FORWARD(cl_program, clCreateProgramWithSource, (cl_context a, cl_uint b, const char** c, const size_t* d, cl_int* e),
        (a, b, c, d, e))
FORWARD(cl_mem, clCreateSubBuffer, (cl_mem a, cl_mem_flags b, cl_buffer_create_type c, const void* d, cl_int* e),
        (a, b, c, d, e))
FORWARD(cl_int, clEnqueueCopyBuffer,
        (cl_command_queue a, cl_mem b, cl_mem c, size_t d, size_t e, size_t f, cl_uint g, const cl_event* h,
         cl_event* i),
        (a, b, c, d, e, f, g, h, i))
FORWARD(cl_int, clEnqueueFillBuffer,
        (cl_command_queue a, cl_mem b, const void* c, size_t d, size_t e, size_t f, cl_uint g, const cl_event* h,
         cl_event* i),
        (a, b, c, d, e, f, g, h, i))
FORWARD(void*, clEnqueueMapBuffer,
        (cl_command_queue a, cl_mem b, cl_bool c, cl_map_flags d, size_t e, size_t f, cl_uint g, const cl_event* h,
         cl_event* i, cl_int* j),
        (a, b, c, d, e, f, g, h, i, j))
FORWARD(cl_int, clEnqueueNDRangeKernel,
        (cl_command_queue a, cl_kernel b, cl_uint c, const size_t* d, const size_t* e, const size_t* f, cl_uint g,
         const cl_event* h, cl_event* i),
        (a, b, c, d, e, f, g, h, i))
FORWARD(cl_int, clEnqueueReadBuffer,
        (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, void* f, cl_uint g, const cl_event* h,
         cl_event* i),
        (a, b, c, d, e, f, g, h, i))
FORWARD(cl_int, clEnqueueUnmapMemObject,
        (cl_command_queue a, cl_mem b, void* c, cl_uint d, const cl_event* e, cl_event* f), (a, b, c, d, e, f))
FORWARD(cl_int, clEnqueueWriteBuffer,
        (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, const void* f, cl_uint g, const cl_event* h,
         cl_event* i),
        (a, b, c, d, e, f, g, h, i))
FORWARD(cl_int, clFinish, (cl_command_queue a), (a))
FORWARD(cl_int, clGetDeviceInfo, (cl_device_id a, cl_device_info b, size_t c, void* d, size_t* e), (a, b, c, d, e))
FORWARD(cl_int, clGetKernelWorkGroupInfo,
        (cl_kernel a, cl_device_id b, cl_kernel_work_group_info c, size_t d, void* e, size_t* f), (a, b, c, d, e, f))
FORWARD(cl_int, clGetPlatformInfo, (cl_platform_id a, cl_platform_info b, size_t c, void* d, size_t* e),
        (a, b, c, d, e))
FORWARD(cl_int, clGetProgramBuildInfo,
        (cl_program a, cl_device_id b, cl_program_build_info c, size_t d, void* e, size_t* f), (a, b, c, d, e, f))
FORWARD(cl_int, clGetProgramInfo, (cl_program a, cl_program_info b, size_t c, void* d, size_t* e), (a, b, c, d, e))
FORWARD(cl_int, clReleaseCommandQueue, (cl_command_queue a), (a))
FORWARD(cl_int, clReleaseContext, (cl_context a), (a))
FORWARD(cl_int, clReleaseDevice, (cl_device_id a), (a))
FORWARD(cl_int, clReleaseEvent, (cl_event a), (a))
FORWARD(cl_int, clReleaseKernel, (cl_kernel a), (a))
FORWARD(cl_int, clReleaseMemObject, (cl_mem a), (a))
FORWARD(cl_int, clReleaseProgram, (cl_program a), (a))
FORWARD(cl_int, clRetainCommandQueue, (cl_command_queue a), (a))
FORWARD(cl_int, clRetainContext, (cl_context a), (a))
FORWARD(cl_int, clRetainDevice, (cl_device_id a), (a))
FORWARD(cl_int, clRetainEvent, (cl_event a), (a))
FORWARD(cl_int, clRetainKernel, (cl_kernel a), (a))
FORWARD(cl_int, clRetainMemObject, (cl_mem a), (a))
FORWARD(cl_int, clSetKernelArg, (cl_kernel a, cl_uint b, size_t c, const void* d), (a, b, c, d))

}  // extern "C"

#undef FORWARD
