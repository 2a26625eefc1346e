# The catalogue is what kernels/catalogue/algorithms holds: NAME.cpp there defines `std::vector<Algorithm> algorithms_of_NAME()`,
# and the list of those functions is written here. (Objects that registered themselves would be dropped by the linker: nothing
# refers to a file of a static library that does no more than that.)
file(GLOB found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/kernels/catalogue/algorithms/*.cpp)
list(SORT found)
set(declarations)
set(calls)
foreach(path ${found})
  get_filename_component(name ${path} NAME_WE)
  string(APPEND declarations "std::vector<Algorithm> algorithms_of_${name}();\n")
  string(APPEND calls "  for (Algorithm& entry : algorithms_of_${name}()) all.push_back(std::move(entry));\n")
endforeach()
set(list_file ${CMAKE_BINARY_DIR}/generated/catalogue_list.cpp)
file(CONFIGURE OUTPUT ${list_file} @ONLY CONTENT [[// Written by cmake/Catalogue.cmake: a line for each file of kernels/catalogue/algorithms.
#include "kernels/catalogue/catalogue.h"

namespace twiddle {

@declarations@
std::vector<Algorithm> found_algorithms() {
  std::vector<Algorithm> all;
@calls@  return all;
}

}  // namespace twiddle
]])
target_sources(twiddle_kernels PRIVATE ${list_file})
