# opencl_at_run_time(TARGET HEADER): a static library with every function of CL/cl.h that opens libOpenCL.so.1 when the
# program starts. A program linked with it starts on a machine without OpenCL; there clGetPlatformIDs answers
# CL_PLATFORM_NOT_FOUND_KHR, which is what the loader itself returns when it has no driver.
function(opencl_at_run_time target header)
  file(READ ${header} text)
  string(REGEX MATCHALL "CL_API_CALL[ \n]+cl[A-Za-z0-9]+ *\\(" declarations "${text}")
  set(names)
  foreach(declaration ${declarations})
    string(REGEX REPLACE "CL_API_CALL[ \n]+(cl[A-Za-z0-9]+) *\\(" "\\1" name "${declaration}")
    list(APPEND names ${name})
  endforeach()
  list(REMOVE_DUPLICATES names)

  set(list "")
  foreach(name ${names})
    string(APPEND list "  F(${name}) \\\n")
  endforeach()
  set(TWIDDLE_OPENCL_FUNCTIONS "${list}")
  set(source ${CMAKE_BINARY_DIR}/generated/opencl_at_run_time.c)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/opencl_at_run_time.c.in ${source} @ONLY)
  add_library(${target} STATIC ${source})
  target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
endfunction()
