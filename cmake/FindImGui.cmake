# TWIDDLE_IMGUI_FOUND and dep_imgui: Dear ImGui with its GLFW and OpenGL 3 back ends, 1.86 or newer.

find_path(imgui_INCLUDE imgui.h PATH_SUFFIXES imgui)
find_library(imgui_LIBRARY NAMES imgui)
mark_as_advanced(imgui_INCLUDE imgui_LIBRARY)
set(TWIDDLE_IMGUI_FOUND FALSE)
if(NOT TWIDDLE_WINDOW OR NOT imgui_INCLUDE OR NOT imgui_LIBRARY)
  return()
endif()

# The back ends' headers: <imgui/backends/…>, or beside imgui.h.
find_path(imgui_BACKEND_INCLUDE imgui_impl_opengl3.h PATHS ${imgui_INCLUDE} PATH_SUFFIXES backends imgui/backends imgui)
if(NOT imgui_BACKEND_INCLUDE)
  return()
endif()

add_library(dep_imgui INTERFACE)
target_include_directories(dep_imgui SYSTEM INTERFACE ${imgui_INCLUDE} ${imgui_BACKEND_INCLUDE})

# Does the library hold the back ends already?
execute_process(COMMAND ${CMAKE_NM} -g ${imgui_LIBRARY} OUTPUT_VARIABLE symbols ERROR_VARIABLE symbols_error)
if(NOT symbols MATCHES "T _Z[^\n]*ImGui_ImplGlfw_InitForOpenGL" AND imgui_LIBRARY MATCHES "\\.so$")
  execute_process(COMMAND ${CMAKE_NM} -gD ${imgui_LIBRARY} OUTPUT_VARIABLE symbols ERROR_VARIABLE symbols_error)
endif()
set(backend_sources)
foreach(backend glfw:ImGui_ImplGlfw_InitForOpenGL opengl3:ImGui_ImplOpenGL3_Init)
  string(REPLACE ":" ";" backend ${backend})
  list(GET backend 0 backend_name)
  list(GET backend 1 backend_symbol)
  if(NOT symbols MATCHES "T _Z[^\n]*${backend_symbol}")
    find_file(imgui_SOURCE_${backend_name} imgui_impl_${backend_name}.cpp
      PATHS ${imgui_BACKEND_INCLUDE} /usr/share/doc/libimgui-dev/examples/backends /usr/share/imgui/backends
            /usr/src/imgui/backends
      NO_DEFAULT_PATH)
    if(NOT imgui_SOURCE_${backend_name})
      message(STATUS "ImGui's ${backend_name} back end is neither in ${imgui_LIBRARY} nor shipped as a source")
      return()
    endif()
    list(APPEND backend_sources ${imgui_SOURCE_${backend_name}})
  endif()
endforeach()
if(backend_sources)
  add_library(imgui_backends STATIC ${backend_sources})
  target_include_directories(imgui_backends SYSTEM PRIVATE ${imgui_INCLUDE} ${imgui_BACKEND_INCLUDE})
  target_compile_options(imgui_backends PRIVATE -w)
  target_link_libraries(dep_imgui INTERFACE imgui_backends)
endif()
target_link_libraries(dep_imgui INTERFACE ${imgui_LIBRARY} dep_stb)
set(TWIDDLE_IMGUI_FOUND TRUE)
