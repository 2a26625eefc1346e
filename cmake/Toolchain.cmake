# How every file of Twiddle is compiled and linked.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_DEPENDS_USE_COMPILER ON)
set(THREADS_PREFER_PTHREAD_FLAG ON)

# Assertions stay on in every build: Twiddle is a debugger, and a wrong picture costs more than a branch.
# -O1: what runs over every operation of a trace has its own -O3 (CMakeLists.txt), and the rest gains nothing from more.
set(TWIDDLE_OPTIMISE "-O1" CACHE STRING "How far code is optimised, in builds with and without debug information")
mark_as_advanced(TWIDDLE_OPTIMISE)
set(CMAKE_CXX_FLAGS_RELEASE "${TWIDDLE_OPTIMISE}")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "${TWIDDLE_OPTIMISE} -g1 -fno-omit-frame-pointer")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g -D_GLIBCXX_ASSERTIONS")
set(CMAKE_C_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
set(CMAKE_C_FLAGS_RELWITHDEBINFO "${CMAKE_CXX_FLAGS_RELWITHDEBINFO}")

# Settings that every target of ours links; third-party headers are SYSTEM and so exempt from the warnings.
add_library(twiddle_settings INTERFACE)
target_include_directories(twiddle_settings INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)

# The trace codec predicts values and stores the difference bit for bit, so a*b+c must round the same everywhere.
target_compile_options(twiddle_settings INTERFACE -ffp-contract=off)

# One precompiled header serves every target, which they have to agree on this for (twiddle_precompile).
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_options(twiddle_settings INTERFACE -pthread)
endif()

target_compile_options(twiddle_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wcast-qual
  -Wunused -Wnull-dereference -Wimplicit-fallthrough -Wextra-semi -Wzero-as-null-pointer-constant -Wvla -Wformat=2 -Wundef
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op -Wredundant-decls -Wsuggest-override>
  $<$<CXX_COMPILER_ID:Clang>:-Winconsistent-missing-override -Wno-gnu-zero-variadic-macro-arguments>)
# Files that are compiled together share what is in their anonymous namespaces.
if(TWIDDLE_UNITY)
  target_compile_options(twiddle_settings INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
else()
  target_compile_options(twiddle_settings INTERFACE -Wshadow)
endif()
if(TWIDDLE_WERROR)
  target_compile_options(twiddle_settings INTERFACE -Werror)
endif()
# Once GCC inlines the standard library these give false warnings, others in each release, about paths that are never taken.
# Clang still checks for them, and GCC does where it does not optimise, though there they do not stop a build.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(guesses maybe-uninitialized null-dereference array-bounds stringop-overflow stringop-overread restrict
              free-nonheap-object)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    list(APPEND guesses dangling-reference)
  endif()
  if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    list(TRANSFORM guesses PREPEND -Wno-error=)
  else()
    list(TRANSFORM guesses PREPEND -Wno-)
  endif()
  target_compile_options(twiddle_settings INTERFACE ${guesses})
endif()

if(TWIDDLE_SANITIZE)
  set(sanitize -fsanitize=${TWIDDLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(TWIDDLE_SANITIZE MATCHES address.*undefined)
    # AddressSanitizer stops null and dangling objects itself; checking for them twice makes every build a quarter longer.
    list(APPEND sanitize -fno-sanitize=null,vptr,object-size)
  endif()
  # What is loaded into other people's programs (TWIDDLE_UNSANITIZED) goes without: they do not have the sanitizer's runtime.
  set(wanted "$<NOT:$<BOOL:$<TARGET_PROPERTY:TWIDDLE_UNSANITIZED>>>")
  target_compile_options(twiddle_settings INTERFACE "$<${wanted}:${sanitize}>")
  target_link_options(twiddle_settings INTERFACE "$<${wanted}:${sanitize}>")
  # Code that swaps stacks (the host executor's fibers) has to tell the sanitizer.
  if(TWIDDLE_SANITIZE MATCHES address)
    target_compile_definitions(twiddle_settings INTERFACE $<${wanted}:TWIDDLE_ASAN=1>)
  elseif(TWIDDLE_SANITIZE MATCHES thread)
    target_compile_definitions(twiddle_settings INTERFACE $<${wanted}:TWIDDLE_TSAN=1>)
  endif()
endif()

# For llvm-cov, through .ci/coverage.
if(TWIDDLE_COVERAGE)
  target_compile_options(twiddle_settings INTERFACE -fprofile-instr-generate -fcoverage-mapping)
  target_link_options(twiddle_settings INTERFACE -fprofile-instr-generate)
endif()
if((TWIDDLE_COVERAGE OR TWIDDLE_SANITIZE MATCHES fuzzer) AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "This preset needs Clang: CC=clang CXX=clang++ cmake --preset …")
endif()

if(TWIDDLE_STATIC)
  target_link_options(twiddle_settings INTERFACE -static-libstdc++ -static-libgcc)
endif()

# ccache and a quick linker, when the machine has them.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  if(TWIDDLE_SANITIZE)  # its headers are precompiled; without this ccache keeps nothing of such files
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
    add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endif()
include(CheckLinkerFlag)
foreach(linker mold lld)
  if(NOT TWIDDLE_LINKER)
    find_program(TWIDDLE_PROGRAM_${linker} NAMES ${linker} ld.${linker})
    if(TWIDDLE_PROGRAM_${linker})
      check_linker_flag(CXX -fuse-ld=${linker} TWIDDLE_LINKS_WITH_${linker})
      if(TWIDDLE_LINKS_WITH_${linker})
        set(TWIDDLE_LINKER ${linker})
      endif()
    endif()
  endif()
endforeach()
if(TWIDDLE_LINKER)
  target_link_options(twiddle_settings INTERFACE -fuse-ld=${TWIDDLE_LINKER})
endif()
target_link_options(twiddle_settings INTERFACE LINKER:--as-needed)
