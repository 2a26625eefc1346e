# Every third-party library as a target dep_NAME, under any distribution's name for it. A missing required one stops the
# configuration with the Debian package's name; a missing optional one leaves an empty target and TWIDDLE_HAVE_NAME=0.

find_package(Threads REQUIRED)
find_package(PkgConfig QUIET)

set(TWIDDLE_MISSING)

# Static archives first for the self-contained program; what has no archive falls back to a note below.
set(twiddle_library_suffixes ${CMAKE_FIND_LIBRARY_SUFFIXES})
macro(prefer_static)
  if(TWIDDLE_STATIC)
    set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  endif()
endmacro()
macro(prefer_shared)
  set(CMAKE_FIND_LIBRARY_SUFFIXES ${twiddle_library_suffixes})
endmacro()

# need(NAME HEADER h [PATHS suffix…] [LIBRARY l…] PACKAGE debian-package): dep_NAME, or an entry in TWIDDLE_MISSING.
function(need name)
  cmake_parse_arguments(arg "" "HEADER;PACKAGE" "PATHS;LIBRARY" ${ARGN})
  add_library(dep_${name} INTERFACE)
  find_path(${name}_INCLUDE ${arg_HEADER} PATH_SUFFIXES ${arg_PATHS})
  mark_as_advanced(${name}_INCLUDE)
  set(ok TRUE)
  if(NOT ${name}_INCLUDE)
    set(ok FALSE)
  else()
    target_include_directories(dep_${name} SYSTEM INTERFACE ${${name}_INCLUDE})
  endif()
  if(arg_LIBRARY)
    find_library(${name}_LIBRARY NAMES ${arg_LIBRARY})
    mark_as_advanced(${name}_LIBRARY)
    if(NOT ${name}_LIBRARY)
      set(ok FALSE)
    else()
      target_link_libraries(dep_${name} INTERFACE ${${name}_LIBRARY})
    endif()
  endif()
  if(NOT ok)
    set(TWIDDLE_MISSING ${TWIDDLE_MISSING} ${arg_PACKAGE} PARENT_SCOPE)
  endif()
  set(TWIDDLE_FOUND_${name} ${ok} PARENT_SCOPE)
endfunction()

# have(NAME yes|no "what it gives" package): the switch that the code tests with #if, and a line of `twiddle --version`.
set(TWIDDLE_BUILD_PARTS "")
function(have name found gives package)
  string(TOUPPER ${name} upper)
  if(found)
    set(value 1)
    set(text true)
  else()
    set(value 0)
    set(text false)
    message(STATUS "Without ${name} (${gives}): install ${package}")
  endif()
  target_compile_definitions(twiddle_settings INTERFACE TWIDDLE_HAVE_${upper}=${value})
  set(TWIDDLE_HAVE_${upper} ${value} PARENT_SCOPE)
  string(APPEND TWIDDLE_BUILD_PARTS "    {\"${name}\", ${text}, \"${gives}\", \"${package}\"},\n")
  set(TWIDDLE_BUILD_PARTS "${TWIDDLE_BUILD_PARTS}" PARENT_SCOPE)
endfunction()

# What the core does without.
function(need_beside_core name)
  if(NOT TWIDDLE_CORE_ALONE)
    need(${name} ${ARGN})
    set(TWIDDLE_MISSING ${TWIDDLE_MISSING} PARENT_SCOPE)
    set(TWIDDLE_FOUND_${name} ${TWIDDLE_FOUND_${name}} PARENT_SCOPE)
  else()
    add_library(dep_${name} INTERFACE)
  endif()
endfunction()

# ---- required ------------------------------------------------------------------------------------------------------

prefer_static()
need_beside_core(sqlite HEADER sqlite3.h LIBRARY sqlite3 PACKAGE libsqlite3-dev)
need(zstd HEADER zstd.h LIBRARY zstd PACKAGE libzstd-dev)
need(png HEADER png.h LIBRARY png PACKAGE libpng-dev)
need(zlib HEADER zlib.h LIBRARY z PACKAGE zlib1g-dev)
need_beside_core(minizip HEADER minizip/zip.h LIBRARY minizip PACKAGE libminizip-dev)
# stb comes compiled too, and ImGui's archive needs it; so no file defines STB_…_IMPLEMENTATION.
need_beside_core(stb HEADER stb_image.h PATHS stb LIBRARY stb PACKAGE libstb-dev)
# Debian's older libunibreak has no archive: then the self-contained program has a short list of signs instead of Unicode's rules.
find_library(unibreak_ARCHIVE NAMES libunibreak.a)
mark_as_advanced(unibreak_ARCHIVE)
if(TWIDDLE_STATIC AND NOT unibreak_ARCHIVE)
  add_library(dep_unibreak INTERFACE)
  have(unibreak FALSE "line breaks by Unicode's rules" libunibreak-dev)
else()
  need(unibreak HEADER linebreak.h LIBRARY unibreak PACKAGE libunibreak-dev)
  have(unibreak TRUE "line breaks by Unicode's rules" libunibreak-dev)
endif()
need(boost_context HEADER boost/context/fiber.hpp LIBRARY boost_context PACKAGE libboost-context-dev)
prefer_shared()
target_link_libraries(dep_sqlite INTERFACE Threads::Threads ${CMAKE_DL_LIBS} m)
target_link_libraries(dep_stb INTERFACE m)
target_link_libraries(dep_png INTERFACE dep_zlib m)
target_link_libraries(dep_minizip INTERFACE dep_zlib)
target_link_libraries(dep_boost_context INTERFACE Threads::Threads)

need(json HEADER nlohmann/json.hpp PACKAGE nlohmann-json3-dev)
need_beside_core(cli11 HEADER CLI/CLI.hpp PACKAGE libcli11-dev)

# toml++ as headers alone: Debian's shared library is built without exceptions in some releases, and with them in others.
need(tomlplusplus HEADER toml++/toml.h PACKAGE libtomlplusplus-dev)
target_compile_definitions(dep_tomlplusplus INTERFACE TOML_HEADER_ONLY=1 TOML_ENABLE_FORMATTERS=1)

# fmt: the shared library, or its headers alone where everything has to be in one file.
if(TWIDDLE_STATIC)
  need(fmt HEADER fmt/format.h PACKAGE libfmt-dev)
  target_compile_definitions(dep_fmt INTERFACE FMT_HEADER_ONLY=1)
else()
  need(fmt HEADER fmt/format.h LIBRARY fmt PACKAGE libfmt-dev)
endif()

# OpenCL: the ICD loader and the C++ bindings. Every API call's status is checked through exceptions.
# The self-contained program opens the loader at run time, so that it starts where there is none.
if(TWIDDLE_STATIC)
  need_beside_core(opencl HEADER CL/opencl.hpp PACKAGE opencl-clhpp-headers)
  if(opencl_INCLUDE)
    include(OpenCLAtRunTime)
    opencl_at_run_time(opencl_loader ${opencl_INCLUDE}/CL/cl.h)
    target_link_libraries(dep_opencl INTERFACE opencl_loader)
  endif()
else()
  need_beside_core(opencl HEADER CL/opencl.hpp LIBRARY OpenCL PACKAGE "ocl-icd-opencl-dev opencl-clhpp-headers")
endif()
target_compile_definitions(dep_opencl INTERFACE
  CL_HPP_ENABLE_EXCEPTIONS=1 CL_HPP_TARGET_OPENCL_VERSION=120 CL_HPP_MINIMUM_OPENCL_VERSION=120
  CL_TARGET_OPENCL_VERSION=300)

# md4c: Debian ships no archive, so the self-contained program goes without lessons' formatting.
if(TWIDDLE_STATIC)
  find_path(md4c_INCLUDE md4c.h)
  find_library(md4c_ARCHIVE NAMES libmd4c.a)
  add_library(dep_md4c INTERFACE)
  if(md4c_INCLUDE AND md4c_ARCHIVE)
    target_include_directories(dep_md4c SYSTEM INTERFACE ${md4c_INCLUDE})
    target_link_libraries(dep_md4c INTERFACE ${md4c_ARCHIVE})
    have(md4c TRUE "formatted lessons" libmd4c-dev)
  else()
    have(md4c FALSE "formatted lessons" libmd4c-dev)
  endif()
else()
  need_beside_core(md4c HEADER md4c.h LIBRARY md4c PACKAGE libmd4c-dev)
  have(md4c "${TWIDDLE_FOUND_md4c}" "formatted lessons" libmd4c-dev)
endif()

if(TWIDDLE_MISSING)
  list(REMOVE_DUPLICATES TWIDDLE_MISSING)
  list(JOIN TWIDDLE_MISSING " " packages)
  message(FATAL_ERROR "Twiddle needs these packages: apt-get install ${packages}\n(./twiddle installs them by itself.)")
endif()

# ---- optional ------------------------------------------------------------------------------------------------------

# Draws SVG into PNG and PDF.
add_library(dep_rsvg INTERFACE)
if(TWIDDLE_RSVG AND PKG_CONFIG_FOUND)
  pkg_check_modules(RSVG QUIET IMPORTED_TARGET librsvg-2.0 cairo cairo-pdf)
endif()
if(TARGET PkgConfig::RSVG)
  target_link_libraries(dep_rsvg INTERFACE PkgConfig::RSVG)
endif()
have(rsvg "${RSVG_FOUND}" "PNG and PDF export" librsvg2-dev)

add_library(dep_freetype INTERFACE)
if(TWIDDLE_FREETYPE)
  find_package(Freetype QUIET)
endif()
if(TARGET Freetype::Freetype)
  target_link_libraries(dep_freetype INTERFACE Freetype::Freetype)
endif()
have(freetype "${FREETYPE_FOUND}" "exact text widths" libfreetype-dev)

add_library(dep_fontconfig INTERFACE)
if(TWIDDLE_FONTCONFIG)
  find_package(Fontconfig QUIET)
endif()
if(TARGET Fontconfig::Fontconfig)
  target_link_libraries(dep_fontconfig INTERFACE Fontconfig::Fontconfig)
endif()
have(fontconfig "${Fontconfig_FOUND}" "finding fonts" libfontconfig-dev)

# Translations: libintl is part of glibc, so only the compiler of .po files is asked for.
find_program(MSGFMT msgfmt)
include(CheckIncludeFileCXX)
check_include_file_cxx(libintl.h TWIDDLE_LIBINTL)
have(gettext "${TWIDDLE_LIBINTL}" "translations" gettext)

# The window. Debian's libimgui.a holds the GLFW and OpenGL 3 back ends; where it does not, they are compiled from the
# sources that the package ships as examples.
include(FindImGui)
if(TWIDDLE_WINDOW)
  set(OpenGL_GL_PREFERENCE GLVND)
  find_package(OpenGL QUIET)
  find_package(glfw3 3.3 QUIET)
endif()
if(TWIDDLE_WINDOW AND TWIDDLE_IMGUI_FOUND AND TARGET glfw AND TARGET OpenGL::GL)
  add_library(dep_glfw INTERFACE)
  target_link_libraries(dep_glfw INTERFACE glfw)
  add_library(dep_opengl INTERFACE)
  target_link_libraries(dep_opengl INTERFACE OpenGL::GL)
  target_link_libraries(dep_imgui INTERFACE glfw OpenGL::GL ${CMAKE_DL_LIBS})
  have(window TRUE "the window" "libimgui-dev libglfw3-dev libgl-dev")
else()
  have(window FALSE "the window" "libimgui-dev libglfw3-dev libgl-dev")
endif()

# ---- what is in this build -----------------------------------------------------------------------------------------

configure_file(${CMAKE_SOURCE_DIR}/base/version.h.in ${CMAKE_BINARY_DIR}/generated/base/version.h @ONLY)
configure_file(${CMAKE_SOURCE_DIR}/base/build_paths.h.in ${CMAKE_BINARY_DIR}/generated/base/build_paths.h @ONLY)
