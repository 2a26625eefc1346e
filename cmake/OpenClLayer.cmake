# libtwiddle-opencl-layer.so, which OpenCL's loader puts between other people's programs and their drivers (record/opencl). It
# is loaded into their processes, so it is small: what it needs of Twiddle is compiled into it again, as position-independent
# code whose names no one else sees.

find_path(layer_INCLUDE CL/cl_layer.h)
mark_as_advanced(layer_INCLUDE)
# No switch that the code tests: the program looks for the layer beside itself.
if(NOT layer_INCLUDE OR NOT opencl_INCLUDE)
  message(STATUS "Without recording OpenCL programs: install opencl-c-headers of 2021 or later")
else()
  twiddle_sources(layer_sources FOLDERS record/opencl base/message.cpp base/paths.cpp base/process.cpp base/read_file.cpp base/text.cpp
    base/temporary_folder.cpp base/write_file.cpp kernels/plan/element.cpp tracer/access/access_names.cpp tracer/access/texel.cpp tracer/source/program_source.cpp tracer/source/tokens.cpp tracer/opencl/twin/opencl_access_log.cpp tracer/opencl/memory/opencl_texels.cpp
    tracer/opencl/devices/opencl_build_log.cpp tracer/opencl/devices/opencl_describe.cpp tracer/opencl/twin/opencl_rewriter.cpp
    tracer/opencl/twin/opencl_twin.cpp tracer/record/folder_watch.cpp tracer/record/raw_file.cpp tracer/run/other_numbers.cpp)
  add_library(twiddle-opencl-layer MODULE ${layer_sources})
  target_link_libraries(twiddle-opencl-layer PRIVATE twiddle_settings dep_json)
  # The bindings' headers without the loader: functions of the driver's are the layer's own (record/opencl/driver.cpp).
  target_include_directories(twiddle-opencl-layer SYSTEM PRIVATE
    $<TARGET_PROPERTY:dep_opencl,INTERFACE_INCLUDE_DIRECTORIES> $<TARGET_PROPERTY:dep_fmt,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(twiddle-opencl-layer PRIVATE
    $<TARGET_PROPERTY:dep_opencl,INTERFACE_COMPILE_DEFINITIONS> FMT_HEADER_ONLY=1)
  set_target_properties(twiddle-opencl-layer PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON TWIDDLE_UNSANITIZED ON LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  twiddle_unity(twiddle-opencl-layer)
  target_link_options(twiddle-opencl-layer PRIVATE -Wl,-z,defs
    -Wl,--version-script=${CMAKE_SOURCE_DIR}/record/opencl/exports.map)
  message(STATUS "Recording OpenCL programs with a layer for the loader")
endif()
