# twiddle-rewriter, where clang's C++ API is installed (14 to 19; the first found, for 14 is the one that is tested most).
# Debian's packages are llvm-14-dev and libclang-14-dev, or another number; opencl-c-base.h comes with the latter.

set(TWIDDLE_CLANG "" CACHE PATH "Where LLVM with clang's headers is installed; empty: looked for")
set(clang_roots ${TWIDDLE_CLANG})
if(NOT TWIDDLE_CLANG)
  foreach(version 14 15 16 17 18 19)
    list(APPEND clang_roots /usr/lib/llvm-${version} /usr/lib/llvm${version} /usr/lib64/llvm${version})
  endforeach()
  list(APPEND clang_roots /usr /usr/local)
endif()

set(clang_found FALSE)
foreach(root ${clang_roots})
  file(GLOB clang_cpp ${root}/lib/libclang-cpp.so* ${root}/lib64/libclang-cpp.so*)
  file(GLOB llvm ${root}/lib/libLLVM.so ${root}/lib/libLLVM-[0-9]*.so ${root}/lib64/libLLVM.so ${root}/lib64/libLLVM-[0-9]*.so)
  file(GLOB resources ${root}/lib/clang/*/include/opencl-c-base.h ${root}/lib64/clang/*/include/opencl-c-base.h)
  if(EXISTS ${root}/include/clang/AST/ASTContext.h AND EXISTS ${root}/include/llvm/Config/llvm-config.h AND clang_cpp AND llvm
     AND resources)
    set(clang_found TRUE)
    set(clang_root ${root})  # the loop's own variable ends with it
    break()
  endif()
endforeach()

# No switch that the code tests: the program looks for the rewriter beside itself, and is not compiled again when it comes.
if(NOT clang_found)
  message(STATUS "Without the rewriter (every access of OpenCL kernels): install llvm-dev libclang-dev")
else()
  list(GET clang_cpp 0 clang_cpp)
  list(GET llvm 0 llvm)
  list(GET resources 0 resources)
  get_filename_component(resources ${resources} DIRECTORY)
  get_filename_component(resources ${resources} DIRECTORY)
  twiddle_sources(rewriter_sources FOLDERS rewriter)
  add_executable(twiddle-rewriter ${rewriter_sources})
  target_include_directories(twiddle-rewriter PRIVATE ${CMAKE_SOURCE_DIR})
  target_include_directories(twiddle-rewriter SYSTEM PRIVATE ${clang_root}/include)
  if(TWIDDLE_UNITY)
    set_target_properties(twiddle-rewriter PROPERTIES UNITY_BUILD ON)  # clang's headers take long to read
  endif()
  # C++17, as LLVM's headers are: 14's do not compile as C++20 with Clang and libstdc++.
  set_target_properties(twiddle-rewriter PROPERTIES CXX_STANDARD 17)
  target_compile_options(twiddle-rewriter PRIVATE -fno-rtti)  # as LLVM is
  target_compile_definitions(twiddle-rewriter PRIVATE TWIDDLE_CLANG_RESOURCES="${resources}"
    TWIDDLE_VERSION="${PROJECT_VERSION}")
  target_link_libraries(twiddle-rewriter PRIVATE ${clang_cpp} ${llvm})
  message(STATUS "Rewriting OpenCL kernels with clang of ${clang_root}")
endif()
