# twiddle_sources(VAR FOLDERS path… [EXCLUDE path…]): the .cpp and .c files below the paths (or the paths themselves
# when they are files), re-globbed at every build.
function(twiddle_sources var)
  cmake_parse_arguments(arg "" "" "FOLDERS;EXCLUDE" ${ARGN})
  set(found)
  foreach(path ${arg_FOLDERS})
    if(path MATCHES "\\.cpp$")
      file(GLOB here CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${path})
    else()
      file(GLOB_RECURSE here CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${path}/*.cpp ${CMAKE_SOURCE_DIR}/${path}/*.c)
    endif()
    list(APPEND found ${here})
  endforeach()
  foreach(path ${arg_EXCLUDE})
    list(FILTER found EXCLUDE REGEX "^${CMAKE_SOURCE_DIR}/${path}(/|$)")
  endforeach()
  set(${var} ${found} PARENT_SCOPE)
endfunction()

# twiddle_precompile(TARGET header…): parses what nearly every file includes once, for all targets that need no further header
# together. Only where files are compiled in batches anyway, or a sanitizer watches, whose build it makes a quarter quicker:
# in every other one each file shows that it includes what it uses.
function(twiddle_precompile target)
  if(NOT TWIDDLE_SANITIZE AND NOT TWIDDLE_UNITY)
    return()
  endif()
  if(NOT ARGN AND NOT target STREQUAL "twiddle_base" AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_precompile_headers(${target} REUSE_FROM twiddle_base)
    return()
  endif()
  set(headers ${ARGN})
  foreach(header algorithm array atomic chrono cmath cstdint cstring filesystem fstream functional limits map memory mutex
                 numeric optional set span sstream string string_view thread utility variant vector fmt/format.h)
    list(APPEND headers <${header}>)
  endforeach()
  list(TRANSFORM headers REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()

# twiddle_unity(TARGET): compiles the files of each room together, so that the headers they share are parsed once a batch.
# Files with options of their own stay alone. Rooms are batches of their own, so that names inside anonymous namespaces have
# to differ within a room only. A file that several targets compile is in the same batch of each.
function(twiddle_unity target)
  if(NOT TWIDDLE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_property(grouped SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP SET)
    if(source MATCHES "\\.cpp$" AND NOT grouped)
      get_filename_component(folder ${source} DIRECTORY)
      file(RELATIVE_PATH room ${CMAKE_SOURCE_DIR} ${folder})
      string(REPLACE "/" "_" room "${room}")
      if(NOT DEFINED size_${room})
        set(size_${room} 0)
      endif()
      math(EXPR batch "${size_${room}} / ${TWIDDLE_UNITY}")
      math(EXPR size_${room} "${size_${room}} + 1")
      set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP ${room}_${batch})
    endif()
  endforeach()
endfunction()

# twiddle_library(NAME FOLDERS path… [EXCLUDE path…] LINK target…): the static library twiddle_NAME; a folder without
# sources yet gives an interface library, so that targets that link it need no condition.
function(twiddle_library name)
  cmake_parse_arguments(arg "" "" "FOLDERS;EXCLUDE;LINK" ${ARGN})
  twiddle_sources(sources FOLDERS ${arg_FOLDERS} EXCLUDE ${arg_EXCLUDE})
  if(sources)
    add_library(twiddle_${name} STATIC ${sources})
    target_link_libraries(twiddle_${name} PUBLIC twiddle_settings ${arg_LINK})
    twiddle_precompile(twiddle_${name})
    twiddle_unity(twiddle_${name})
  else()
    add_library(twiddle_${name} INTERFACE)
    target_link_libraries(twiddle_${name} INTERFACE twiddle_settings ${arg_LINK})
  endif()
endfunction()

# not_included_by(TARGET header…): compiling a source of the target that includes one of these, even through another header,
# is an error.
function(not_included_by target)
  set(folder ${CMAKE_BINARY_DIR}/generated/not_in_${target})
  foreach(header ${ARGN})
    file(CONFIGURE OUTPUT ${folder}/${header} CONTENT "#error ${target} does without ${header}\n")
  endforeach()
  target_include_directories(${target} BEFORE PRIVATE ${folder})
endfunction()
