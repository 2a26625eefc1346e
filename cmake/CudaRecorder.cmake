# libtwiddle-cuda.so, which the CUDA driver loads into programs that are recorded. It needs nothing of CUDA to be built: NVIDIA's
# library is loaded at run time, and the device code, which is part of the library as text, is built by the user's nvcc.

twiddle_sources(recorder_sources FOLDERS record/cuda)
add_library(twiddle-cuda MODULE ${recorder_sources})
target_include_directories(twiddle-cuda PRIVATE ${CMAKE_SOURCE_DIR})
target_compile_definitions(twiddle-cuda PRIVATE TWIDDLE_PATCH_SOURCES="${CMAKE_SOURCE_DIR}/record/cuda")
twiddle_unity(twiddle-cuda)
set_source_files_properties(record/cuda/toolkit.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
  OBJECT_DEPENDS "${CMAKE_SOURCE_DIR}/record/cuda/patch.cu;${CMAKE_SOURCE_DIR}/record/cuda/record_format.h")
set_target_properties(twiddle-cuda PROPERTIES CXX_VISIBILITY_PRESET hidden)
# Programs bring C++ libraries of their own, older ones too, and are to find none of this one's names.
target_link_options(twiddle-cuda PRIVATE -static-libstdc++ -static-libgcc
  -Wl,--version-script=${CMAKE_SOURCE_DIR}/record/cuda/exports.map)
find_package(Threads REQUIRED)
target_link_libraries(twiddle-cuda PRIVATE ${CMAKE_DL_LIBS} Threads::Threads)
install(TARGETS twiddle-cuda LIBRARY DESTINATION lib/twiddle)
