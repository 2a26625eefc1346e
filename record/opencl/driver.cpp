// Every function of OpenCL's that the layer, and what it shares with the program, calls by name: the driver's. Names are hidden,
// so that nothing of the layer goes through the loader, and nothing of the program's comes here.
#include "record/opencl/driver.h"

namespace twiddle::layer {

const cl_icd_dispatch* driver = nullptr;

}  // namespace twiddle::layer

using twiddle::layer::driver;

extern "C" {

cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id* device_list,
                                  const char* options,
                                  void(CL_CALLBACK* pfn_notify)(cl_program program, void* user_data), void* user_data) {
  return driver->clBuildProgram(program, num_devices, device_list, options, pfn_notify, user_data);
}
cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host_ptr,
                                  cl_int* errcode_ret) {
  return driver->clCreateBuffer(context, flags, size, host_ptr, errcode_ret);
}
cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue_properties properties, cl_int* errcode_ret) {
  return driver->clCreateCommandQueue(context, device, properties, errcode_ret);
}
cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char* kernel_name, cl_int* errcode_ret) {
  return driver->clCreateKernel(program, kernel_name, errcode_ret);
}
cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings,
                                                 const size_t* lengths, cl_int* errcode_ret) {
  return driver->clCreateProgramWithSource(context, count, strings, lengths, errcode_ret);
}
cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer,
                                       size_t src_offset, size_t dst_offset, size_t size,
                                       cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                       cl_event* event) {
  return driver->clEnqueueCopyBuffer(command_queue, src_buffer, dst_buffer, src_offset, dst_offset, size,
                                     num_events_in_wait_list, event_wait_list, event);
}
cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer, const void* pattern,
                                       size_t pattern_size, size_t offset, size_t size, cl_uint num_events_in_wait_list,
                                       const cl_event* event_wait_list, cl_event* event) {
  return driver->clEnqueueFillBuffer(command_queue, buffer, pattern, pattern_size, offset, size,
                                     num_events_in_wait_list, event_wait_list, event);
}
void* CL_API_CALL clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_map,
                                     cl_map_flags map_flags, size_t offset, size_t size,
                                     cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event,
                                     cl_int* errcode_ret) {
  return driver->clEnqueueMapBuffer(command_queue, buffer, blocking_map, map_flags, offset, size,
                                    num_events_in_wait_list, event_wait_list, event, errcode_ret);
}
cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                                          const size_t* global_work_offset, const size_t* global_work_size,
                                          const size_t* local_work_size, cl_uint num_events_in_wait_list,
                                          const cl_event* event_wait_list, cl_event* event) {
  return driver->clEnqueueNDRangeKernel(command_queue, kernel, work_dim, global_work_offset, global_work_size,
                                        local_work_size, num_events_in_wait_list, event_wait_list, event);
}
cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read,
                                       size_t offset, size_t size, void* ptr, cl_uint num_events_in_wait_list,
                                       const cl_event* event_wait_list, cl_event* event) {
  return driver->clEnqueueReadBuffer(command_queue, buffer, blocking_read, offset, size, ptr, num_events_in_wait_list,
                                     event_wait_list, event);
}
cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj, void* mapped_ptr,
                                           cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                           cl_event* event) {
  return driver->clEnqueueUnmapMemObject(command_queue, memobj, mapped_ptr, num_events_in_wait_list, event_wait_list,
                                         event);
}
cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write,
                                        size_t offset, size_t size, const void* ptr, cl_uint num_events_in_wait_list,
                                        const cl_event* event_wait_list, cl_event* event) {
  return driver->clEnqueueWriteBuffer(command_queue, buffer, blocking_write, offset, size, ptr, num_events_in_wait_list,
                                      event_wait_list, event);
}
cl_int CL_API_CALL clFinish(cl_command_queue command_queue) { return driver->clFinish(command_queue); }
cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info param_name, size_t param_value_size,
                                   void* param_value, size_t* param_value_size_ret) {
  return driver->clGetDeviceInfo(device, param_name, param_value_size, param_value, param_value_size_ret);
}
cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info param_name,
                                            size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  return driver->clGetKernelWorkGroupInfo(kernel, device, param_name, param_value_size, param_value,
                                          param_value_size_ret);
}
cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name, size_t param_value_size,
                                     void* param_value, size_t* param_value_size_ret) {
  return driver->clGetPlatformInfo(platform, param_name, param_value_size, param_value, param_value_size_ret);
}
cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info param_name,
                                         size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  return driver->clGetProgramBuildInfo(program, device, param_name, param_value_size, param_value,
                                       param_value_size_ret);
}
cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info param_name, size_t param_value_size,
                                    void* param_value, size_t* param_value_size_ret) {
  return driver->clGetProgramInfo(program, param_name, param_value_size, param_value, param_value_size_ret);
}
cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue command_queue) {
  return driver->clReleaseCommandQueue(command_queue);
}
cl_int CL_API_CALL clReleaseContext(cl_context context) { return driver->clReleaseContext(context); }
cl_int CL_API_CALL clReleaseDevice(cl_device_id device) { return driver->clReleaseDevice(device); }
cl_int CL_API_CALL clReleaseEvent(cl_event event) { return driver->clReleaseEvent(event); }
cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) { return driver->clReleaseKernel(kernel); }
cl_int CL_API_CALL clReleaseMemObject(cl_mem memobj) { return driver->clReleaseMemObject(memobj); }
cl_int CL_API_CALL clReleaseProgram(cl_program program) { return driver->clReleaseProgram(program); }
cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue command_queue) {
  return driver->clRetainCommandQueue(command_queue);
}
cl_int CL_API_CALL clRetainContext(cl_context context) { return driver->clRetainContext(context); }
cl_int CL_API_CALL clRetainDevice(cl_device_id device) { return driver->clRetainDevice(device); }
cl_int CL_API_CALL clRetainEvent(cl_event event) { return driver->clRetainEvent(event); }
cl_int CL_API_CALL clRetainMemObject(cl_mem memobj) { return driver->clRetainMemObject(memobj); }
cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size, const void* arg_value) {
  return driver->clSetKernelArg(kernel, arg_index, arg_size, arg_value);
}

}  // extern "C"
