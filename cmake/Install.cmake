# bin/twiddle finds its data in ../share/twiddle (base/paths.cpp); the folders keep their names there.

if(TARGET twiddle)
  install(TARGETS twiddle RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET twiddle_layer)
  install(TARGETS twiddle_layer LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/twiddle)
endif()

set(data ${CMAKE_INSTALL_DATADIR}/twiddle)
set(not_data PATTERN "*.cpp" EXCLUDE PATTERN "*.md.in" EXCLUDE PATTERN "__pycache__" EXCLUDE)
foreach(folder kernels lessons)
  if(EXISTS ${CMAKE_SOURCE_DIR}/${folder})
    install(DIRECTORY ${folder} DESTINATION ${data} ${not_data})
  endif()
endforeach()
# Kernels include trace_device.h and whatever it needs, on the device and in the host executor.
install(DIRECTORY tracer DESTINATION ${data} OPTIONAL FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh")
foreach(folder viewer/data viewer/fonts viewer/html)
  install(DIRECTORY ${folder} DESTINATION ${data}/viewer OPTIONAL)
endforeach()
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
